//! Puzzles and what `extend` adds to them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::program::*;
use super::scope::{Frame, Local};
use super::{GlobalName, InForce, PuzzleHead, Resolver};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, PuzzleItemKind};

/// `no arguments`, `one argument`, `3 arguments`
pub(crate) fn how_many(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    }
}

impl Resolver<'_> {
    /// Makes a puzzle, its moves and its members known before anything is resolved.
    pub(super) fn announce_puzzle(&mut self, puzzle: &ast::PuzzleDecl) {
        let id = PuzzleId(self.library.heads.len() as u32);
        if !self.repl
            && let Some(before) = self.global_span(&puzzle.name.name)
        {
            self.declared_twice(&puzzle.name.name, puzzle.name.span, before);
        }
        let params: Vec<Box<str>> = puzzle.params.iter().map(|param| param.name.clone()).collect();
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let mut moves = Vec::new();
        let mut twice = Vec::new();
        for param in &puzzle.params {
            twice.extend(seen.insert(&param.name, param.span).map(|before| (param, before)));
        }
        for item in &puzzle.items {
            let name = match &item.kind {
                PuzzleItemKind::Move(declaration) => {
                    let default = !declaration.params.is_empty()
                        && declaration.params.iter().all(|param| param.default.is_some());
                    moves.push((declaration.name.name.clone(), declaration.params.len(), default));
                    &declaration.name
                }
                PuzzleItemKind::Let { name, .. } => name,
                PuzzleItemKind::Fn(function) => &function.name,
                _ => continue,
            };
            twice.extend(seen.insert(&name.name, name.span).map(|before| (name, before)));
        }
        for (name, before) in twice {
            self.declared_twice(&name.name, name.span, before);
        }
        let head =
            PuzzleHead { name: puzzle.name.name.clone(), params, module: self.module, moves, span: puzzle.name.span };
        self.library.heads.push(head);
        self.library.puzzles.push(None);
        let module = &mut self.library.modules[self.module.0 as usize];
        module.names.insert(puzzle.name.name.clone(), GlobalName::Puzzle(id));
    }

    pub(super) fn puzzle_body(&mut self, puzzle: &ast::PuzzleDecl, statement: &ast::Stmt) {
        let Some(GlobalName::Puzzle(id)) = self.library.module(self.module).names.get(&puzzle.name.name) else {
            return;
        };
        let id = *id;
        let errors = self.errors.len();
        let params = self.head(id).params.clone();
        let outer = self.puzzle.replace(Arc::new(InForce { id, params: params.clone() }));
        let was = self.in_puzzle.replace(statement.span);
        self.members(id, &puzzle.items, &vec![None; params.len()]);
        let mut declaration = Puzzle {
            id,
            name: puzzle.name.name.clone(),
            params,
            doc: statement.doc.clone(),
            module: self.module,
            requires: Vec::new(),
            cells: Vec::new(),
            shown_by_number: false,
            blank: None,
            moves: Vec::new(),
            move_names: FxHashMap::default(),
            span: puzzle.name.span,
        };
        for item in &puzzle.items {
            match &item.kind {
                PuzzleItemKind::Require { condition, message } => {
                    let condition = self.thunk("require", condition);
                    let message = message.as_ref().map(|message| self.thunk("message", message));
                    declaration.requires.push((condition, message));
                }
                PuzzleItemKind::Cells { cell, clauses, shown_by_number } => {
                    self.frames.push(Frame::function());
                    let clauses = clauses.as_ref().map(|clauses| self.clauses(clauses));
                    let cell = self.expression(cell);
                    let frame = self.frames.pop().unwrap_or_default().size;
                    declaration.shown_by_number |= shown_by_number;
                    declaration.cells.push(CellsDecl { frame, cell, clauses, span: item.span });
                }
                PuzzleItemKind::Blank(cell) => {
                    if let Some(before) = &declaration.blank {
                        let before = before.span;
                        self.error(
                            Diagnostic::at(codes::DECLARED_TWICE, item.span, "a puzzle has one blank", "a second one")
                                .label(before, "first declared here")
                                .help("remove one of them"),
                        );
                    } else {
                        declaration.blank = Some(self.thunk("blank", cell));
                    }
                }
                PuzzleItemKind::Move(rule) => {
                    declaration.move_names.insert(rule.name.name.clone(), declaration.moves.len() as MoveId);
                    let resolved = self.move_declaration(rule, item);
                    declaration.moves.push(resolved);
                }
                PuzzleItemKind::Let { .. } | PuzzleItemKind::Fn(_) => {}
            }
        }
        if declaration.blank.is_none()
            && let Some(slide) = declaration.moves.iter().find(|rule| rule.slide)
        {
            let span = slide.span;
            self.error(
                Diagnostic::at(
                    codes::NO_BLANK,
                    span,
                    "a `slide` moves the blank, and this puzzle has none",
                    "slides what?",
                )
                .help("say where the blank is when the puzzle is solved: `blank (m, n)`"),
            );
        }
        if declaration.cells.is_empty() {
            self.error(
                Diagnostic::at(
                    codes::NO_CELLS,
                    puzzle.name.span,
                    format!("`{}` has no cells", puzzle.name.name),
                    "declared here",
                )
                .help("say what its squares are: `cells (i, j) for i in 1..n, j in 1..n`, or `cells 1..20`"),
            );
        }
        self.puzzle = outer;
        self.in_puzzle = was;
        if self.errors.len() == errors {
            self.library.puzzles[id.0 as usize] = Some(Arc::new(declaration));
        }
    }

    pub(super) fn extend(&mut self, extend: &ast::ExtendDecl) {
        let Some(id) = self.find_puzzle(&extend.name.name) else {
            self.unknown_puzzle(&extend.name.name, extend.name.span);
            return;
        };
        let count = self.head(id).params.len();
        if extend.params.len() != count && !extend.params.is_empty() || count > 0 && extend.params.is_empty() {
            let head = self.head(id);
            let (name, params) = (head.name.clone(), head.params.join(", "));
            self.error(
                Diagnostic::at(
                    codes::WRONG_ARGUMENTS,
                    extend.name.span,
                    format!("`{name}` has {}", how_many(count, "parameter")),
                    "named here",
                )
                .help(format!("write `extend {name}({params}) {{ … }}`")),
            );
            return;
        }
        let mut params = Vec::new();
        let mut only = Vec::new();
        for (at, pattern) in extend.params.iter().enumerate() {
            match pattern {
                ast::Pattern::Name(name) => {
                    params.push(name.name.clone());
                    only.push(None);
                }
                ast::Pattern::Int(value, _) => {
                    params.push(self.head(id).params[at].clone());
                    only.push(Some(value.clone()));
                }
                ast::Pattern::Tuple(_, span) => {
                    self.error(
                        Diagnostic::at(codes::WRONG_ARGUMENTS, *span, "a parameter is a name or an integer", "a tuple")
                            .help("name each parameter of the puzzle, or give an integer to restrict it"),
                    );
                    return;
                }
            }
        }
        let outer = self.puzzle.replace(Arc::new(InForce { id, params }));
        for item in &extend.items {
            if matches!(
                item.kind,
                PuzzleItemKind::Cells { .. }
                    | PuzzleItemKind::Move(_)
                    | PuzzleItemKind::Require { .. }
                    | PuzzleItemKind::Blank(_)
            ) {
                self.error(
                    Diagnostic::at(
                        codes::WRONG_PLACE,
                        item.span,
                        "`extend` cannot change the puzzle itself",
                        "only `let`, `fn` and `algorithm` can be added",
                    )
                    .help("declare a puzzle of your own for other cells or moves; `let` gives a word a name"),
                );
            }
        }
        self.members(id, &extend.items, &only);
        self.puzzle = outer;
    }

    /// Declares the `let`s and `fn`s, then resolves them: each sees all.
    fn members(&mut self, id: PuzzleId, items: &[ast::PuzzleItem], only: &[Option<num_bigint::BigInt>]) {
        let mut declared = Vec::new();
        for item in items {
            let name = match &item.kind {
                PuzzleItemKind::Let { name, .. } => name,
                PuzzleItemKind::Fn(function) => &function.name,
                _ => continue,
            };
            self.check_member_name(id, name, only);
            let member = MemberId(self.library.members.len() as u32);
            self.library.members.push(Member {
                name: name.name.clone(),
                doc: item.doc.clone(),
                puzzle: id,
                module: self.module,
                only: only.to_vec(),
                kind: MemberKind::Let(Function {
                    algorithm: matches!(&item.kind, PuzzleItemKind::Fn(function) if function.algorithm),
                    ..empty_function(name.span)
                }),
                wordish: false,
                span: name.span,
            });
            self.library.member_names.entry(id).or_default().entry(name.name.clone()).or_default().push(member);
            declared.push((member, item));
        }
        self.turns.clear();
        for (member, item) in declared {
            match &item.kind {
                PuzzleItemKind::Let { name, value } => {
                    let wordish = self.wordish(value);
                    let outer = self.defining.replace(member);
                    let thunk = self.thunk(&name.name, value);
                    self.defining = outer;
                    let entry = &mut self.library.members[member.0 as usize];
                    entry.kind = MemberKind::Let(thunk);
                    entry.wordish = wordish;
                }
                PuzzleItemKind::Fn(function) => {
                    let function = Arc::new(self.function(function, None));
                    self.library.members[member.0 as usize].kind = MemberKind::Fn(function);
                }
                _ => {}
            }
        }
    }

    fn check_member_name(&mut self, id: PuzzleId, name: &ast::Ident, only: &[Option<num_bigint::BigInt>]) {
        let head = self.head(id);
        let taken = if head.find_move(&name.name).is_some() {
            Some("a move")
        } else if self.puzzle.as_ref().is_some_and(|puzzle| puzzle.params.contains(&name.name)) {
            Some("a parameter")
        } else {
            None
        };
        if let Some(what) = taken {
            // inside the declaration itself this was reported with its first place
            if self.in_puzzle.is_none() {
                let diagnostic = Diagnostic::at(
                    codes::DECLARED_TWICE,
                    name.span,
                    format!("`{}` is {what} of {} already", name.name, head.name),
                    "the same name",
                )
                .help("choose another name for the member");
                self.error(diagnostic);
            }
            return;
        }
        if self.repl {
            // a later declaration takes the place of an earlier one
            let module = self.module;
            let members = &self.library.members;
            if let Some(ids) = self.library.member_names.get_mut(&id).and_then(|names| names.get_mut(&name.name)) {
                ids.retain(|id| members[id.0 as usize].module != module || members[id.0 as usize].only != only);
            }
            return;
        }
        let before = self
            .library
            .members_called(id, &name.name, self.module)
            .into_iter()
            .map(|id| self.library.member(id))
            .find(|member| {
                member.only == only && (member.module == self.module || self.head(id).module == member.module)
            })
            .map(|member| member.span);
        if let Some(before) = before
            && self.in_puzzle.is_none()
        {
            self.declared_twice(&name.name, name.span, before);
        }
    }

    /// The right side of something that is evaluated once for an instance: code without parameters.
    fn thunk(&mut self, name: &str, value: &ast::Expr) -> Function {
        self.frames.push(Frame::function());
        let value = self.expression(value);
        let frame = self.frames.pop().unwrap_or_default();
        let span = value.span;
        let body = Block { statements: vec![St { kind: StKind::Expr(value), span }] };
        frame.into_code(name.into(), body, span)
    }

    fn move_declaration(&mut self, rule: &ast::MoveDecl, item: &ast::PuzzleItem) -> MoveDecl {
        self.frames.push(Frame::function());
        let defaults: Option<Vec<Ex>> = if rule.params.is_empty() {
            None
        } else {
            rule.params.iter().map(|param| param.default.as_ref().map(|default| self.expression(default))).collect()
        };
        let clauses = rule.clauses.as_ref().map(|clauses| self.clauses(clauses));
        let mut indices = Vec::new();
        for param in &rule.params {
            match self.frame().find(&param.name.name) {
                Some(local) => indices.push(local.slot),
                None => self.error(
                    Diagnostic::at(
                        codes::BAD_RANGE,
                        param.name.span,
                        format!("the index `{}` has no range", param.name.name),
                        "which values can it have?",
                    )
                    .help(format!(
                        "write `move {}[{}] for {} in 1..n: …`",
                        rule.name.name, param.name.name, param.name.name
                    )),
                ),
            }
        }
        if rule.params.is_empty()
            && let Some(clauses) = &rule.clauses
        {
            self.error(
                Diagnostic::at(
                    codes::BAD_RANGE,
                    clauses.span,
                    format!("`{}` has no index for this range", rule.name.name),
                    "a range without an index",
                )
                .help(format!("write `move {}[k] for k in …`", rule.name.name)),
            );
        }
        let body = match &rule.body {
            ast::MoveBody::Value(value) => MoveBody::Value(self.expression(value)),
            ast::MoveBody::Rules(rules) => MoveBody::Rules(rules.iter().map(|rule| self.rule(rule)).collect()),
        };
        let frame = self.frames.pop().unwrap_or_default().size;
        MoveDecl {
            name: rule.name.name.clone(),
            doc: item.doc.clone(),
            extra: rule.extra,
            slide: rule.slide,
            frame,
            indices,
            defaults,
            clauses,
            body,
            span: rule.name.span,
        }
    }

    fn rule(&mut self, rule: &ast::Rule) -> Rule {
        self.push_scope();
        let pattern = self.rule_pattern(&rule.pattern);
        let condition = rule.condition.as_ref().map(|condition| self.expression(condition));
        let target = self.expression(&rule.target);
        self.pop_scope();
        Rule { pattern, target, condition, span: rule.span }
    }

    /// The left side of a rule: parameters of the puzzle and indices of the family must equal the coordinate, a repeated
    /// name must agree, every other name is new.
    fn rule_pattern(&mut self, pattern: &ast::Pattern) -> Pattern {
        match pattern {
            ast::Pattern::Name(name) if &*name.name == "_" => Pattern::Bind(self.frame().new_slot(), name.span),
            ast::Pattern::Name(name) => {
                if let Some(local) = self.frame().find(&name.name) {
                    return Pattern::Equal(local.slot, name.span);
                }
                if let Some(at) =
                    self.puzzle.as_ref().and_then(|puzzle| puzzle.params.iter().position(|param| *param == name.name))
                {
                    return Pattern::Param(at as u32, name.span);
                }
                let slot = self.frame().new_slot();
                let local = Local { slot, variable: false, wordish: false, span: name.span };
                self.frame().declare(&name.name, local);
                self.turns.clear();
                Pattern::Bind(slot, name.span)
            }
            ast::Pattern::Tuple(parts, span) => {
                Pattern::Tuple(parts.iter().map(|part| self.rule_pattern(part)).collect(), *span)
            }
            ast::Pattern::Int(..) => self.bind(pattern, false, false),
        }
    }
}

fn empty_function(span: Span) -> Function {
    Frame::default().into_code("".into(), Block::default(), span)
}
