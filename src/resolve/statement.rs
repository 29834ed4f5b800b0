//! Statements, functions and claims.

use std::sync::Arc;

use super::names::Found;
use super::program::*;
use super::scope::{Frame, Local};
use super::{GlobalName, InForce, Resolver};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, StmtKind};

impl Resolver<'_> {
    /// The statements of a file. Functions, puzzles and values are known from everywhere in it.
    pub(super) fn file(&mut self, statements: &[ast::Stmt]) {
        for statement in statements {
            self.announce(statement);
        }
        for statement in statements {
            let before = self.errors.len();
            let resolved = self.file_statement(statement);
            if self.errors.len() == before
                && let Some(kind) = resolved
            {
                let statement = Arc::new(St { kind, span: statement.span });
                self.library.modules[self.module.0 as usize].statements.push(statement);
            }
        }
        self.circular_members();
    }

    fn announce(&mut self, statement: &ast::Stmt) {
        match &statement.kind {
            StmtKind::Fn(function) => {
                self.new_global(&function.name, false);
            }
            StmtKind::Let { pattern, .. } => self.announce_pattern(pattern),
            StmtKind::Puzzle(puzzle) => self.announce_puzzle(puzzle),
            _ => {}
        }
    }

    fn announce_pattern(&mut self, pattern: &ast::Pattern) {
        match pattern {
            ast::Pattern::Name(name) if &*name.name != "_" => {
                self.new_global(name, false);
            }
            ast::Pattern::Tuple(parts, _) => parts.iter().for_each(|part| self.announce_pattern(part)),
            _ => {}
        }
    }

    /// Lets the names of a pattern mean what they meant before this line of a REPL; gives what they mean from now on.
    fn as_earlier(&mut self, pattern: &ast::Pattern) -> Vec<(Box<str>, GlobalName)> {
        let module = &mut self.library.modules[self.module.0 as usize];
        match pattern {
            ast::Pattern::Name(name) => match module.earlier.get(&name.name) {
                Some(before) if !self.renewed.contains(&name.name) => {
                    self.renewed.push(name.name.clone());
                    let new = module.names.insert(name.name.clone(), before.clone());
                    new.map(|new| (name.name.clone(), new)).into_iter().collect()
                }
                _ => Vec::new(),
            },
            ast::Pattern::Tuple(parts, _) => parts.iter().flat_map(|part| self.as_earlier(part)).collect(),
            ast::Pattern::Int(..) => Vec::new(),
        }
    }

    /// A `var` of a file may not have the name of a `let`, a function or a puzzle of the file.
    fn hides_no_global(&mut self, pattern: &ast::Pattern) {
        match pattern {
            ast::Pattern::Name(name) if !self.repl => {
                if let Some(before) = self.global_span(&name.name) {
                    self.declared_twice(&name.name, name.span, before);
                }
            }
            ast::Pattern::Tuple(parts, _) => parts.iter().for_each(|part| self.hides_no_global(part)),
            _ => {}
        }
    }

    fn new_global(&mut self, name: &ast::Ident, wordish: bool) -> u32 {
        if !self.repl
            && let Some(before) = self.global_span(&name.name)
        {
            self.declared_twice(&name.name, name.span, before);
        }
        // in the REPL a later `let` takes the place of a `var`
        self.frames[0].scopes[0].remove(&name.name);
        let module = &mut self.library.modules[self.module.0 as usize];
        let index = module.globals;
        module.globals += 1;
        module.names.insert(name.name.clone(), GlobalName::Value { index, wordish, span: name.span });
        index
    }

    /// Slots of the names of a pattern, each with its global.
    fn globals_of(&mut self, pattern: &ast::Pattern, bound: &Pattern, wordish: bool, found: &mut Vec<(Slot, u32)>) {
        match (pattern, bound) {
            (ast::Pattern::Name(name), Pattern::Bind(slot, _)) => {
                let module = &mut self.library.modules[self.module.0 as usize];
                if let Some(GlobalName::Value { index, wordish: is_word, .. }) = module.names.get_mut(&name.name) {
                    *is_word = wordish;
                    found.push((*slot, *index));
                }
            }
            (ast::Pattern::Tuple(parts, _), Pattern::Tuple(slots, _)) => {
                for (part, slot) in parts.iter().zip(slots) {
                    self.globals_of(part, slot, false, found);
                }
            }
            _ => {}
        }
    }

    fn file_statement(&mut self, statement: &ast::Stmt) -> Option<StKind> {
        match &statement.kind {
            StmtKind::Use(target) => {
                let id = self.use_module(target, statement.span)?;
                Some(StKind::Use(id))
            }
            StmtKind::Puzzle(_) | StmtKind::Extend(_) => {
                // instances are built once, whenever they are needed: what they are made of cannot change
                let variables = std::mem::replace(&mut self.frames[0].scopes, vec![Default::default()]);
                match &statement.kind {
                    StmtKind::Puzzle(puzzle) => self.puzzle_body(puzzle, statement),
                    StmtKind::Extend(extend) => self.extend(extend),
                    _ => {}
                }
                self.frames[0].scopes = variables;
                None
            }
            StmtKind::Var { pattern, .. } => {
                self.hides_no_global(pattern);
                self.statement(statement)
            }
            StmtKind::Let { pattern, value } => {
                self.hidden_by_puzzle(pattern);
                let wordish = self.wordish(value);
                // in the REPL `let a = a + 1` begins with the `a` of an earlier line
                let new = self.as_earlier(pattern);
                let value = self.expression(value);
                self.library.modules[self.module.0 as usize].names.extend(new);
                // the names live in slots just while the value is taken apart
                self.push_scope();
                let bound = self.bind(pattern, false, wordish);
                self.pop_scope();
                let mut globals = Vec::new();
                self.globals_of(pattern, &bound, wordish, &mut globals);
                Some(StKind::LetGlobal(bound, value, globals))
            }
            StmtKind::Fn(function) => {
                self.hidden_by_puzzle(&ast::Pattern::Name(function.name.clone()));
                let module = self.library.module(self.module);
                let Some(GlobalName::Value { index, .. }) = module.names.get(&function.name.name) else { return None };
                let index = *index;
                let function = self.function(function, None);
                Some(StKind::FnGlobal(index, Arc::new(function)))
            }
            StmtKind::On { target, block: None } => {
                let (target, puzzle) = self.on_target(target)?;
                self.puzzle = Some(puzzle);
                Some(StKind::On(target, None))
            }
            _ => self.statement(statement),
        }
    }

    /// A name of the file that the puzzle in force has too would never be seen.
    fn hidden_by_puzzle(&mut self, pattern: &ast::Pattern) {
        let name = match pattern {
            ast::Pattern::Name(name) => name,
            ast::Pattern::Tuple(parts, _) => return parts.iter().for_each(|part| self.hidden_by_puzzle(part)),
            ast::Pattern::Int(..) => return,
        };
        let what = match self.of_puzzle(&name.name) {
            Some(Found::Move(_)) => "a move",
            Some(Found::Member(_)) => "a member",
            Some(Found::Param(_)) => "a parameter",
            _ => return,
        };
        let puzzle = self.puzzle.as_ref().map_or(String::new(), |puzzle| self.head(puzzle.id).name.to_string());
        self.error(
            Diagnostic::at(
                codes::DECLARED_TWICE,
                name.span,
                format!("`{}` is {what} of {puzzle}, which is in force here", name.name),
                "this could never be seen",
            )
            .help(format!(
                "choose another name, or declare it inside a block: `on {puzzle}(…) {{ let {} = … }}`",
                name.name
            )),
        );
    }

    /// `P` or `P(…)` after `on`: the expression and the puzzle.
    pub(super) fn on_target(&mut self, target: &ast::Expr) -> Option<(Ex, Arc<InForce>)> {
        let name = match &target.kind {
            ast::ExprKind::Name(name) => Some((name, target.span)),
            ast::ExprKind::Run(factors) => match factors.as_slice() {
                [
                    ast::Factor { atom: ast::Expr { kind: ast::ExprKind::Name(name), span }, postfix },
                    ast::Factor { postfix: none, .. },
                ] if postfix.is_empty() && none.is_empty() => Some((name, *span)),
                _ => None,
            },
            _ => None,
        };
        let Some((name, span)) = name else {
            self.error(
                Diagnostic::at(
                    codes::NOT_A_PUZZLE,
                    target.span,
                    "`on` takes the name of a puzzle with its arguments",
                    "not a puzzle",
                )
                .help("write `on NRP(6)` or `on Pyraminx`"),
            );
            return None;
        };
        let Some(id) = self.find_puzzle(name) else {
            if self.errors.is_empty()
                || self.errors.last().and_then(Diagnostic::span).map(|s| s.file) == Some(span.file)
            {
                self.unknown_puzzle(name, span);
            }
            return None;
        };
        let given = match &target.kind {
            ast::ExprKind::Run(factors) => match &factors[1].atom.kind {
                ast::ExprKind::Paren(paren) => Some(paren.items.len()),
                // `OvalTrack(20 4)` was read as a cycle
                _ => None,
            },
            _ => Some(0),
        };
        let head = self.head(id);
        if given != Some(head.params.len()) {
            let names = head.params.join(", ");
            let (name, count) = (head.name.clone(), head.params.len());
            self.error(
                Diagnostic::at(
                    codes::WRONG_ARGUMENTS,
                    target.span,
                    format!("`{name}` takes {}", crate::resolve::puzzle::how_many(count, "argument")),
                    match given {
                        Some(given) => format!("{given} given"),
                        None => "separate the arguments with commas".to_string(),
                    },
                )
                .help(if count == 0 {
                    format!("write `on {name}`")
                } else {
                    format!("write `on {name}({names})` with numbers for {names}")
                }),
            );
            return None;
        }
        let params = head.params.clone();
        let mut resolved = self.expression(target);
        if let ExKind::Puzzle(_) = resolved.kind {
            // a puzzle without parameters
            resolved = Ex { kind: ExKind::Puzzle(id), span: target.span };
        }
        Some((resolved, Arc::new(InForce { id, params })))
    }

    pub(super) fn block(&mut self, block: &ast::Block) -> Block {
        self.push_scope();
        let statements = self.statements(&block.statements);
        self.pop_scope();
        Block { statements }
    }

    fn statements(&mut self, statements: &[ast::Stmt]) -> Vec<St> {
        let mut resolved = Vec::with_capacity(statements.len());
        let outer = self.puzzle.clone();
        let kept = self.frame().kept;
        for (at, statement) in statements.iter().enumerate() {
            // the value of a block is that of its last statement
            self.frame().kept = kept && at + 1 == statements.len();
            if let Some(kind) = self.statement(statement) {
                resolved.push(St { kind, span: statement.span });
            }
        }
        self.frame().kept = kept;
        self.puzzle = outer;
        resolved
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Option<StKind> {
        let span = statement.span;
        Some(match &statement.kind {
            StmtKind::Let { pattern, value } | StmtKind::Var { pattern, value } => {
                let variable = matches!(statement.kind, StmtKind::Var { .. });
                let wordish = self.wordish(value);
                // the right side does not see the new name
                let value = self.wanted(value);
                StKind::Let(self.bind(pattern, variable, wordish && !variable), value)
            }
            StmtKind::Assign { target, index, value } => self.assign(target, index.as_ref(), value)?,
            StmtKind::Fn(function) => {
                let slot = self.declare(&function.name, false, false);
                let function = self.function(function, Some(slot));
                StKind::Fn(slot, Arc::new(function))
            }
            StmtKind::For { clauses, body } => {
                self.push_scope();
                let clauses = self.clauses(clauses);
                let body = self.loop_body(body);
                self.pop_scope();
                StKind::For(clauses, body)
            }
            StmtKind::While { condition, decreases, body, until } => {
                let condition = self.expression(condition);
                let decreases = decreases.as_ref().map(|measure| self.expression(measure));
                StKind::While(condition, decreases, self.loop_body(body), *until)
            }
            StmtKind::Repeat { count, body } => {
                let count = self.expression(count);
                StKind::Repeat(count, self.loop_body(body))
            }
            StmtKind::Loop { decreases, body } => {
                let decreases = decreases.as_ref().map(|measure| self.expression(measure));
                StKind::Loop(decreases, self.loop_body(body))
            }
            StmtKind::Assert { condition, message } => {
                let condition = self.expression(condition);
                StKind::Assert(condition, message.as_ref().map(|message| self.expression(message)))
            }
            StmtKind::Require { condition, message } => {
                let condition = self.expression(condition);
                let message = message.as_ref().map(|message| self.expression(message));
                StKind::Require(condition, message, self.frame().algorithm)
            }
            StmtKind::Ensure { condition, message } => {
                if !self.frame().algorithm || self.frame().scopes.len() > 2 {
                    return self.misplaced(
                        span,
                        "`ensure` says what holds when an algorithm ends",
                        "put it in the algorithm itself, outside its loops and `if`s; for what holds at a place write `assert`",
                    );
                }
                let condition = self.expression(condition);
                let message = message.as_ref().map(|message| self.expression(message));
                self.frame().ensures.push((condition, message));
                return None;
            }
            StmtKind::Trace(value) => StKind::Trace(self.expression(value)),
            StmtKind::Print(value) => StKind::Print(self.expression(value)),
            StmtKind::Show(value) => StKind::Show(self.expression(value)),
            StmtKind::Return(value) => {
                if self.frame().file {
                    return self.misplaced(
                        span,
                        "`return` stands outside a function",
                        "put it in a function `fn f(x) { … }`",
                    );
                }
                StKind::Return(value.as_ref().map(|value| self.wanted(value)))
            }
            StmtKind::Break | StmtKind::Continue => {
                if self.frame().loops == 0 {
                    let word = if matches!(statement.kind, StmtKind::Break) { "break" } else { "continue" };
                    return self.misplaced(
                        span,
                        format!("`{word}` stands outside a loop"),
                        "put it in a `for`, `while`, `until`, `repeat` or `loop`",
                    );
                }
                if matches!(statement.kind, StmtKind::Break) { StKind::Break } else { StKind::Continue }
            }
            StmtKind::Expr(value) => {
                let is_if = matches!(value.kind, ast::ExprKind::If(_));
                let kept = self.frame().kept || !self.frame().algorithm || is_if;
                let resolved = if is_if { self.expression(value) } else { self.wanted(value) };
                if !kept && (self.names_algorithm(&resolved) || self.wordish(value)) {
                    self.does_nothing(value.span);
                }
                StKind::Expr(resolved)
            }
            StmtKind::On { target, block } => {
                let (target, puzzle) = self.on_target(target)?;
                let outer = self.puzzle.replace(puzzle);
                let Some(block) = block else { return Some(StKind::On(target, None)) };
                let block = self.block(block);
                self.puzzle = outer;
                StKind::On(target, Some(block))
            }
            StmtKind::Claim(claim) => {
                // inside functions and other claims nobody could say how often it is checked
                if !self.frame().file {
                    return self.misplaced(
                        span,
                        "a claim stands inside a function or another claim",
                        "move it out, to the file or an `on` block",
                    );
                }
                StKind::Claim(Arc::new(self.claim(claim, span)?))
            }
            StmtKind::Use(_) => {
                return self.misplaced(span, "`use` stands inside a block", "move it to the top of the file");
            }
            StmtKind::Puzzle(_) | StmtKind::Extend(_) => {
                return self.misplaced(span, "a puzzle is declared inside a block", "move it out of the block");
            }
        })
    }

    /// An expression whose value is used, whatever becomes of that of the statement.
    fn wanted(&mut self, value: &ast::Expr) -> Ex {
        let kept = std::mem::replace(&mut self.frame().kept, true);
        let resolved = self.expression(value);
        self.frame().kept = kept;
        resolved
    }

    fn names_algorithm(&self, ex: &Ex) -> bool {
        let ExKind::Member(ids) = &ex.kind else { return false };
        ids.iter().all(|id| match &self.library.member(*id).kind {
            MemberKind::Let(function) => function.algorithm,
            MemberKind::Fn(function) => function.algorithm,
        })
    }

    /// A word or the name of an algorithm that stands alone in an algorithm: who writes this means `do`.
    fn does_nothing(&mut self, span: Span) {
        let text = self.tools.sources.get(span.file).slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = match text.chars().count() {
            0..=40 => text,
            _ => text.chars().take(39).chain(['…']).collect(),
        };
        self.error(
            Diagnostic::at(
                codes::ALGORITHM_NEEDS_DO,
                span,
                format!("`{short}` stands here without being done"),
                "its value is not used",
            )
            .help(format!("write `do {short}`")),
        );
    }

    fn misplaced(&mut self, span: Span, title: impl Into<String>, help: &str) -> Option<StKind> {
        self.error(Diagnostic::at(codes::WRONG_PLACE, span, title, "not here").help(help));
        None
    }

    fn assign(&mut self, target: &ast::Ident, index: Option<&ast::Expr>, value: &ast::Expr) -> Option<StKind> {
        let found = self.lookup(&target.name, target.span);
        match found {
            Some(Found::Local(local)) if local.variable => {
                let index = index.map(|index| self.expression(index));
                Some(StKind::Assign(local.slot, index, self.wanted(value)))
            }
            Some(found) => {
                let name = &target.name;
                let outside = match &found {
                    Found::Local(local) => Some(local.span),
                    Found::Global(module, ..) if *module == self.module => self.global_span(name),
                    _ => None,
                };
                let own = matches!(&found, Found::Local(_)) && self.frame().captured.contains_key(name);
                let (title, help) = match &found {
                    _ if own => (
                        format!("`{name}` belongs to the outside of this function, which cannot change it"),
                        format!("declare a `var {name}` in this function, or return the new value"),
                    ),
                    Found::Move(_) => (
                        format!("`{name}` is a move and stays what it is"),
                        "choose another name, with `let`".to_string(),
                    ),
                    Found::Param(_) => (
                        format!("`{name}` is a parameter of the puzzle and stays what it is"),
                        "choose another name, with `let`".to_string(),
                    ),
                    _ => (
                        format!("`{name}` does not change: it is not declared with `var`"),
                        format!("declare it with `var {name} = …` in the same function; to compare write `==`"),
                    ),
                };
                let mut diagnostic = Diagnostic::at(codes::NOT_A_VARIABLE, target.span, title, "changed here");
                if let Some(before) = outside {
                    diagnostic = diagnostic.label(before, "declared here");
                }
                self.error(diagnostic.help(help));
                None
            }
            None => {
                self.error(
                    Diagnostic::at(
                        codes::NOT_A_VARIABLE,
                        target.span,
                        format!("`{}` has not been declared", target.name),
                        "unknown name",
                    )
                    .help(format!(
                        "write `let {} = …`, or `var {} = …` if it changes; compare with `==`",
                        target.name, target.name
                    )),
                );
                None
            }
        }
    }

    fn loop_body(&mut self, body: &ast::Block) -> Block {
        self.frame().loops += 1;
        let kept = std::mem::replace(&mut self.frame().kept, false);
        let body = self.block(body);
        self.frame().kept = kept;
        self.frame().loops -= 1;
        body
    }

    /// A function; a local one sees itself in `own`, its slot outside.
    pub(super) fn function(&mut self, function: &ast::FnDecl, own: Option<Slot>) -> Function {
        self.frames.push(Frame { algorithm: function.algorithm, kept: true, ..Frame::function() });
        for param in &function.params {
            self.declare(&param.clone(), false, false);
        }
        let mut own_slot = None;
        if own.is_some() && !function.params.iter().any(|param| param.name == function.name.name) {
            // known under its own name, but a parameter or a local name may hide it
            let slot = self.frame().new_slot();
            let local = Local { slot, variable: false, wordish: false, span: function.name.span };
            self.frame().captured.insert(function.name.name.clone(), local);
            own_slot = Some(slot);
        }
        let body = self.block(&function.body);
        let frame = self.frames.pop().unwrap_or_default();
        Function {
            params: function.params.iter().map(|param| param.name.clone()).collect(),
            own_slot,
            ..frame.into_code(function.name.name.clone(), body, function.name.span)
        }
    }

    fn circular_members(&mut self) {
        for circle in self.library.definitions.new_circles() {
            let first = self.library.member(circle[0]);
            let names: Vec<&str> =
                circle.iter().chain([&circle[0]]).map(|id| &*self.library.member(*id).name).collect();
            let diagnostic = Diagnostic::at(
                codes::CIRCULAR,
                first.span,
                format!("`{}` is defined by itself", first.name),
                names.join(" needs "),
            )
            .help("break the circle: give one of them a value of its own");
            self.error(diagnostic);
        }
    }
}
