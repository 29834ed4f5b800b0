//! Expressions: names are looked up, runs of plain moves become letters.

use std::sync::Arc;

use num_traits::ToPrimitive;

use super::program::*;
use super::scope::{Frame, Local};
use super::{GlobalName, Resolver};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast;

/// A suffix or power up to this on a plain move is spelled out at once.
const SPELLED: u32 = 16;

impl Resolver<'_> {
    pub(super) fn expression(&mut self, expr: &ast::Expr) -> Ex {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expression_inner(expr))
    }

    fn expression_inner(&mut self, expr: &ast::Expr) -> Ex {
        use ast::ExprKind as E;
        let span = expr.span;
        let kind = match &expr.kind {
            E::Int(value) => match value.to_i64() {
                Some(small) => ExKind::Int(small),
                None => ExKind::Big(Arc::new(value.clone())),
            },
            E::Bool(value) => ExKind::Bool(*value),
            E::Text(parts) => ExKind::Text(
                parts
                    .iter()
                    .map(|part| match part {
                        ast::TextPart::Plain(text) => TextPart::Plain(text.as_str().into()),
                        ast::TextPart::Value(value) => TextPart::Value(self.expression(value)),
                    })
                    .collect(),
            ),
            E::Name(name) => {
                let mut factors = self.name_factors(name, span);
                self.bare_names(&mut factors);
                match factors.len() {
                    1 if factors[0].postfix.is_empty() => return factors.remove(0).atom,
                    _ => self.run_of(factors),
                }
            }
            E::Run(factors) => {
                let mut list = Vec::with_capacity(factors.len());
                let mut wrong = false;
                for factor in factors {
                    wrong |= match &factor.atom.kind {
                        E::Bracket(bracket) if list.last().is_none_or(|before| self.surely_word(before)) => {
                            self.check_bracket(bracket, factor.atom.span)
                        }
                        _ => self.stray_number(factor, list.last()),
                    };
                    self.factor(factor, &mut list);
                }
                if wrong {
                    return Self::wrong(span);
                }
                self.bare_names(&mut list);
                self.run_of(list)
            }
            E::Plain(run) => self.plain(run),
            E::Cycles(cycles) => ExKind::Cycles(cycles.clone()),
            E::CellCycles(cycles) => ExKind::CellCycles(cycles.clone()),
            E::Paren(paren) => ExKind::Paren(Box::new(self.args(&paren.items, paren.trailing_comma, false))),
            E::Bracket(bracket) => {
                if self.check_bracket(bracket, span) {
                    return Self::wrong(span);
                }
                ExKind::Bracket(self.bracket(bracket))
            }
            E::Set(items) => ExKind::Set(items.iter().map(|item| self.item(item, false)).collect()),
            E::Unary(op, value, _) => ExKind::Unary(*op, Box::new(self.expression(value))),
            E::Binary(ast::BinaryOp::Over, left, right, slash) if self.wordish(left) && self.wordish(right) => {
                let diagnostic = self.slash(left, right, *slash);
                self.error(diagnostic);
                return Self::wrong(span);
            }
            E::Binary(op, left, right, _) => {
                ExKind::Binary(*op, Box::new(self.expression(left)), Box::new(self.expression(right)))
            }
            E::Compare(first, links) => {
                let first = self.expression(first);
                let links = links.iter().map(|(op, _, right)| (*op, self.expression(right))).collect();
                ExKind::Compare(Box::new(first), links)
            }
            E::If(decision) => {
                let arms = decision
                    .arms
                    .iter()
                    .map(|(condition, block)| (self.expression(condition), self.block(block)))
                    .collect();
                ExKind::If(arms, decision.otherwise.as_ref().map(|block| self.block(block)))
            }
            E::Find(find) => ExKind::Find(Box::new(self.find(find))),
            E::Perform(perform) => {
                if self.do_outside(perform, span) {
                    return Self::wrong(span);
                }
                ExKind::Perform(Box::new(Perform {
                    run: perform.run,
                    what: self.expression(&perform.what),
                    from: perform.from.as_ref().map(|from| self.expression(from)),
                }))
            }
        };
        Ex { kind, span }
    }

    /// `do` needs a board to act on: an algorithm's, or that of the REPL.
    fn do_outside(&mut self, perform: &ast::Perform, span: Span) -> bool {
        if perform.run {
            return false;
        }
        if let Some(from) = &perform.from {
            self.error(
                Diagnostic::at(
                    codes::WRONG_PLACE,
                    from.span,
                    "`do` acts on the board that is there",
                    "`from` belongs to `run`",
                )
                .help("write `run … from b` for a board of its own"),
            );
            return true;
        }
        let Frame { algorithm, file, claim, .. } = *self.frame();
        if algorithm || file && self.repl {
            return false;
        }
        let help = if file || claim {
            "put it in `algorithm name { … }`; the board after a word w is `w(solved)`"
        } else {
            "a function cannot act on the board: declare it as an `algorithm`, and perform it with `do`"
        };
        self.error(
            Diagnostic::at(codes::WRONG_PLACE, span, "`do` stands outside an algorithm", "no board to act on here")
                .help(help),
        );
        true
    }

    /// Built-in names such as `board` and `solved` are values where no parentheses follow.
    fn bare_names(&mut self, factors: &mut [Fx]) {
        for at in 0..factors.len() {
            let called = factors[at].postfix.is_empty()
                && matches!(factors.get(at + 1), Some(Fx { atom: Ex { kind: ExKind::Paren(_), .. }, .. }));
            if let ExKind::Builtin(id) = factors[at].atom.kind
                && self.tools.builtins[id as usize].bare
                && !called
            {
                factors[at].atom.kind = ExKind::Bare(id);
            }
        }
    }

    fn bracket(&mut self, bracket: &ast::Bracket) -> Bracket {
        Bracket {
            entries: bracket.entries.iter().map(|entry| self.expression(entry)).collect(),
            separators: bracket.separators.iter().map(|(separator, _)| *separator).collect(),
        }
    }

    /// A factor of a run; a run-together name gives several, and the postfixes belong to the last.
    fn factor(&mut self, factor: &ast::Factor, list: &mut Vec<Fx>) {
        let span = factor.span();
        let before = list.len();
        match &factor.atom.kind {
            ast::ExprKind::Name(name) => list.extend(self.name_factors(name, factor.atom.span)),
            ast::ExprKind::Paren(paren) => {
                let lambda = match list.last() {
                    Some(Fx { atom: Ex { kind: ExKind::Builtin(id), .. }, postfix, .. }) if postfix.is_empty() => {
                        self.tools.builtins[*id as usize].lambda
                    }
                    _ => false,
                };
                let kind = ExKind::Paren(Box::new(self.args(&paren.items, paren.trailing_comma, lambda)));
                list.push(Fx { atom: Ex { kind, span: factor.atom.span }, postfix: Vec::new(), span });
            }
            // whether it is an index or a word was asked before
            ast::ExprKind::Bracket(bracket) => {
                let atom = Ex { kind: ExKind::Bracket(self.bracket(bracket)), span: factor.atom.span };
                list.push(Fx { atom, postfix: Vec::new(), span });
            }
            _ => {
                let atom = self.expression(&factor.atom);
                list.push(Fx { atom, postfix: Vec::new(), span });
            }
        }
        if list.len() > before && !factor.postfix.is_empty() {
            let postfix: Vec<Px> = factor
                .postfix
                .iter()
                .map(|postfix| {
                    let span = postfix.span();
                    let kind = match postfix {
                        ast::Postfix::Prime(_) => PxKind::Prime,
                        ast::Postfix::Suffix(digits, _) => PxKind::Suffix(Arc::new(digits.clone())),
                        ast::Postfix::Power(exponent, _) => PxKind::Power(self.expression(exponent)),
                        ast::Postfix::Member(ident) => PxKind::Member(ident.name.clone()),
                    };
                    Px { kind, span }
                })
                .collect();
            if let Some(last) = list.last_mut() {
                last.postfix.extend(postfix);
                last.span = last.span.to(span);
            }
        }
    }

    /// A run of factors; plain moves with small powers become letters at once.
    fn run_of(&mut self, factors: Vec<Fx>) -> ExKind {
        let mut turns = Vec::new();
        if factors.iter().all(|factor| self.turn_of(factor, &mut turns)) && !turns.is_empty() {
            return ExKind::Letters(Letters { pieces: vec![turns], order: None });
        }
        ExKind::Run(factors)
    }

    /// Appends a factor that is a plain move, or a family's default member, with a small power.
    fn turn_of(&self, factor: &Fx, turns: &mut Vec<Turn>) -> bool {
        let ExKind::Move(id) = factor.atom.kind else { return false };
        let Some(puzzle) = &self.puzzle else { return false };
        let (_, arity, default) = &self.library.head(puzzle.id).moves[id as usize];
        if *arity > 0 && !default {
            return false;
        }
        let mut turn = Turn { id, inverse: false, times: 1 };
        for postfix in &factor.postfix {
            match &postfix.kind {
                PxKind::Prime => turn.inverse = !turn.inverse,
                PxKind::Suffix(digits) if turn.times == 1 => match digits.to_u32() {
                    Some(times @ 1..=SPELLED) => turn.times = times,
                    _ => return false,
                },
                PxKind::Power(Ex { kind: ExKind::Int(power), .. }) if turn.times == 1 => match u32::try_from(*power) {
                    Ok(times @ 1..=SPELLED) => turn.times = times,
                    _ => return false,
                },
                _ => return false,
            }
        }
        turns.push(turn);
        true
    }

    fn plain(&mut self, run: &Arc<ast::PlainRun>) -> ExKind {
        let mut pieces: Vec<Vec<Turn>> = Vec::with_capacity(run.pieces.len());
        let mut all_plain = true;
        for piece in &run.pieces {
            let mut turns = self.known_turns(&piece.name);
            if turns.is_empty() {
                let factors = self.name_factors(&piece.name, piece.span);
                if factors.iter().any(|factor| matches!(factor.atom.kind, ExKind::Wrong)) {
                    return ExKind::Wrong;
                }
                if factors.iter().all(|factor| self.turn_of(factor, &mut turns)) {
                    self.remember_turns(&piece.name, &turns);
                } else {
                    all_plain = false;
                }
            }
            if piece.prime
                && let Some(last) = turns.last_mut()
            {
                last.inverse = !last.inverse;
            }
            pieces.push(turns);
        }
        if all_plain {
            return ExKind::Letters(Letters { pieces, order: Some(run.clone()) });
        }
        // words with names among the moves: each place is a factor of its own
        let mut factors = Vec::new();
        for piece in &run.order {
            factors.extend(self.plain_piece(&run.pieces[*piece as usize]));
        }
        ExKind::Run(factors)
    }

    fn known_turns(&self, name: &str) -> Vec<Turn> {
        let known = self.puzzle.as_ref().and_then(|puzzle| self.turns.get(&puzzle.id)?.get(name));
        known.cloned().unwrap_or_default()
    }

    fn remember_turns(&mut self, name: &str, turns: &[Turn]) {
        if let Some(puzzle) = &self.puzzle {
            self.turns.entry(puzzle.id).or_default().insert(name.into(), turns.to_vec());
        }
    }

    fn plain_piece(&mut self, piece: &ast::PlainPiece) -> Vec<Fx> {
        let mut factors = self.name_factors(&piece.name, piece.span);
        if piece.prime
            && let Some(last) = factors.last_mut()
        {
            last.span.end += 1;
            last.postfix.push(Px { kind: PxKind::Prime, span: piece.span.after() });
        }
        factors
    }

    pub(super) fn args(&mut self, items: &[ast::Arg], trailing_comma: bool, lambda: bool) -> Args {
        Args { items: items.iter().map(|item| self.item(item, lambda)).collect(), trailing_comma }
    }

    fn item(&mut self, arg: &ast::Arg, lambda: bool) -> Item {
        let mut span = arg.value.span;
        if let Some(arrow) = &arg.arrow {
            span = span.to(arrow.span);
        }
        let label = arg.label.as_ref().map(|label| label.name.clone());
        if let (true, Some(body)) = (lambda, &arg.arrow) {
            let value = self.lambda(&arg.value, body);
            return Item { label, value, arrow: None, clauses: None, span };
        }
        // clauses come behind in the text, but bind the names before
        let scoped = arg.clauses.is_some();
        if scoped {
            self.push_scope();
        }
        let clauses = arg.clauses.as_ref().map(|clauses| self.clauses(clauses));
        let value = self.expression(&arg.value);
        let arrow = arg.arrow.as_ref().map(|arrow| self.expression(arrow));
        if scoped {
            self.pop_scope();
        }
        Item { label, value, arrow, clauses, span }
    }

    /// `p -> e` where a function is wanted.
    fn lambda(&mut self, left: &ast::Expr, body: &ast::Expr) -> Ex {
        let span = left.span.to(body.span);
        let Some(pattern) = expression_as_pattern(left) else {
            self.error(
                Diagnostic::at(
                    codes::UNEXPECTED,
                    left.span,
                    "a rule begins with a name or a tuple of names",
                    "not a name",
                )
                .help("write `permutation(p -> …)` or `permutation((i, j) -> …)`"),
            );
            return Ex { kind: ExKind::Wrong, span };
        };
        self.frames.push(Frame::function());
        let argument = self.frame().new_slot();
        let pattern = self.bind(&pattern, false, false);
        let value = self.expression(body);
        let frame = self.frames.pop().unwrap_or_default();
        let take_apart =
            St { kind: StKind::Let(pattern, Ex { kind: ExKind::Local(argument), span: left.span }), span: left.span };
        let result = St { span: value.span, kind: StKind::Expr(value) };
        let body = Block { statements: vec![take_apart, result] };
        let function = Function { params: vec!["p".into()], ..frame.into_code("rule".into(), body, span) };
        Ex { kind: ExKind::Lambda(Arc::new(function)), span }
    }

    /// `for x in xs, y in ys where c`: ranges see the names before them. The caller opens the scope.
    pub(super) fn clauses(&mut self, clauses: &ast::Clauses) -> Clauses {
        let mut each = Vec::with_capacity(clauses.each.len());
        let mut thorough = Vec::with_capacity(clauses.each.len());
        for ((pattern, range), larger) in clauses.each.iter().zip(&clauses.thorough) {
            let range = self.expression(range);
            thorough.push(larger.as_ref().map(|larger| self.expression(larger)));
            each.push((self.bind(pattern, false, false), range));
        }
        let condition = clauses.condition.as_ref().map(|condition| Box::new(self.expression(condition)));
        if thorough.iter().all(Option::is_none) {
            thorough.clear();
        }
        Clauses { each, thorough, condition, span: clauses.span }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn push_scope(&mut self) {
        self.frame().scopes.push(Default::default());
    }

    pub(super) fn pop_scope(&mut self) {
        self.frame().scopes.pop();
    }

    /// Declares one local name in the innermost scope.
    pub(super) fn declare(&mut self, name: &ast::Ident, variable: bool, wordish: bool) -> u32 {
        let slot = self.frame().new_slot();
        self.turns.clear();
        self.frame().names.push((name.name.clone(), slot));
        let local = Local { slot, variable, wordish, span: name.span };
        if let Some(before) = self.frame().declare(&name.name, local)
            && !self.repl
        {
            self.declared_twice(&name.name, name.span, before.span);
        }
        slot
    }

    pub(super) fn declared_twice(&mut self, name: &str, here: Span, before: Span) {
        self.error(
            Diagnostic::at(codes::DECLARED_TWICE, here, format!("`{name}` is declared already"), "declared again")
                .label(before, "first declared here")
                .help("choose another name; a value that changes is declared with `var`"),
        );
    }

    /// Declares the names of a pattern.
    pub(super) fn bind(&mut self, pattern: &ast::Pattern, variable: bool, wordish: bool) -> Pattern {
        match pattern {
            ast::Pattern::Name(name) if &*name.name == "_" => Pattern::Bind(self.frame().new_slot(), name.span),
            ast::Pattern::Name(name) => Pattern::Bind(self.declare(name, variable, wordish), name.span),
            ast::Pattern::Int(value, span) => Pattern::Int(value.to_i64().unwrap_or(i64::MAX), *span),
            ast::Pattern::Tuple(parts, span) => {
                Pattern::Tuple(parts.iter().map(|part| self.bind(part, variable, false)).collect(), *span)
            }
        }
    }

    /// Is this visibly a word: moves, words with names, products, brackets, powers of them?
    pub(super) fn wordish(&mut self, expr: &ast::Expr) -> bool {
        use ast::ExprKind as E;
        match &expr.kind {
            E::Name(name) => self.name_wordish(name, expr.span),
            E::Plain(_) => true,
            E::Run(factors) => {
                let mut after_word = false;
                factors.iter().all(|factor| {
                    let fits = match &factor.atom.kind {
                        // an index, or a commutator
                        E::Bracket(bracket) => after_word || bracket.entries.iter().all(|entry| self.wordish(entry)),
                        _ => self.wordish(&factor.atom),
                    };
                    after_word = fits;
                    fits && !factor.postfix.iter().any(|postfix| matches!(postfix, ast::Postfix::Member(_)))
                })
            }
            E::Paren(paren) => match paren.items.as_slice() {
                [only] => {
                    !paren.trailing_comma && only.arrow.is_none() && only.clauses.is_none() && self.wordish(&only.value)
                }
                _ => false,
            },
            E::Bracket(bracket) => {
                !bracket.separators.is_empty() && bracket.entries.iter().all(|entry| self.wordish(entry))
            }
            E::Binary(ast::BinaryOp::Times, left, right, _) => self.wordish(left) && self.wordish(right),
            _ => false,
        }
    }

    fn name_wordish(&mut self, name: &str, span: Span) -> bool {
        let trying = std::mem::replace(&mut self.trying, true);
        let wordish = match self.lookup(name, span) {
            Some(found) => self.found_wordish(&found),
            None => {
                let factors = self.name_factors(name, span);
                !factors.iter().any(|factor| matches!(factor.atom.kind, ExKind::Wrong))
            }
        };
        self.trying = trying;
        wordish
    }

    pub(super) fn global_span(&self, name: &str) -> Option<Span> {
        match self.library.module(self.module).names.get(name)? {
            GlobalName::Value { span, .. } => Some(*span),
            GlobalName::Puzzle(id) => Some(self.library.head(*id).span),
        }
    }
}

/// `(i, j)` read as a pattern.
fn expression_as_pattern(expr: &ast::Expr) -> Option<ast::Pattern> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(ast::Pattern::Name(ast::Ident { name: name.clone(), span: expr.span })),
        ast::ExprKind::Int(value) => Some(ast::Pattern::Int(value.clone(), expr.span)),
        ast::ExprKind::Paren(paren) => {
            let parts = paren.items.iter().map(|item| expression_as_pattern(&item.value)).collect::<Option<_>>()?;
            Some(ast::Pattern::Tuple(parts, expr.span))
        }
        _ => None,
    }
}
