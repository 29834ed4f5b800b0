//! `find w up to k where c`: the condition becomes a function of the word, and what it visibly says about the word is noted,
//! so that a search need not try every word.

use std::sync::Arc;

use super::Resolver;
use super::program::*;
use super::scope::Frame;
use crate::syntax::ast::{self, BinaryOp, CompareOp, ExprKind as E};

impl Resolver<'_> {
    pub(super) fn find(&mut self, find: &ast::Find) -> Find {
        let up_to = self.expression(&find.up_to);
        let metric = find.metric.as_ref().map(|metric| self.expression(metric));
        let moves = find.moves.iter().map(|part| self.expression(part)).collect();
        let mut hints = Vec::new();
        self.hints(&find.condition, &find.word.name, &mut hints);
        self.frames.push(Frame::function());
        let argument = self.frame().new_slot();
        let pattern = self.bind(&ast::Pattern::Name(find.word.clone()), false, true);
        let value = self.expression(&find.condition);
        let frame = self.frames.pop().unwrap_or_default();
        let span = find.word.span;
        let named = St { kind: StKind::Let(pattern, Ex { kind: ExKind::Local(argument), span }), span };
        let result = St { span: value.span, kind: StKind::Expr(value) };
        let body = Block { statements: vec![named, result] };
        let code = frame.into_code("condition".into(), body, find.condition.span);
        let condition = Arc::new(Function { params: vec![find.word.name.clone()], ..code });
        Find { all: find.all, up_to, metric, moves, condition, hints }
    }

    /// What each part of a conjunction says about the word.
    fn hints(&mut self, condition: &ast::Expr, word: &str, hints: &mut Vec<(Hint, Ex)>) {
        match &condition.kind {
            E::Binary(BinaryOp::And, left, right, _) => {
                self.hints(left, word, hints);
                self.hints(right, word, hints);
            }
            E::Paren(paren) => {
                if let [only] = paren.items.as_slice()
                    && !paren.trailing_comma
                    && only.clauses.is_none()
                    && only.arrow.is_none()
                {
                    self.hints(&only.value, word, hints);
                }
            }
            E::Compare(first, links) => {
                if let [(op, _, second)] = links.as_slice() {
                    self.compared(first, *op, second, word, hints);
                }
            }
            E::Run(_) => {
                if let Some([subject, length]) = self.arguments(condition, "is_cycle")
                    && is_word(&subject.value, word)
                {
                    self.hint(Hint::IsCycle, &length.value, word, hints);
                }
            }
            _ => {}
        }
    }

    fn compared(
        &mut self,
        left: &ast::Expr,
        op: CompareOp,
        right: &ast::Expr,
        word: &str,
        hints: &mut Vec<(Hint, Ex)>,
    ) {
        let of = |of: Option<&[ast::Arg; 1]>| of.is_some_and(|[subject]| is_word(&subject.value, word));
        let subject = if is_word(left, word) {
            match op {
                CompareOp::Equal => Some(Hint::Equals),
                CompareOp::In => Some(Hint::OneOf),
                _ => None,
            }
        } else if of(self.arguments(left, "cycle_type")) {
            (op == CompareOp::Equal).then_some(Hint::CycleType)
        } else if of(self.arguments(left, "order")) {
            (op == CompareOp::Equal).then_some(Hint::Order)
        } else if of(self.arguments(left, "support")) {
            matches!(op, CompareOp::Equal | CompareOp::Subset).then_some(Hint::Within)
        } else if let Some([support]) = self.arguments(left, "len")
            && of(self.arguments(&support.value, "support"))
        {
            match op {
                CompareOp::Equal | CompareOp::LessEqual => Some(Hint::Moved),
                CompareOp::Less => Some(Hint::MovedLess),
                _ => None,
            }
        } else {
            None
        };
        match subject {
            Some(hint) => self.hint(hint, right, word, hints),
            // the other way round: `(3,) == cycle_type(w)`
            None if op == CompareOp::Equal && !mentions(left, word) && mentions(right, word) => {
                self.compared(right, op, left, word, hints);
            }
            None => {}
        }
    }

    fn hint(&mut self, hint: Hint, value: &ast::Expr, word: &str, hints: &mut Vec<(Hint, Ex)>) {
        if !mentions(value, word) {
            let value = self.expression(value);
            hints.push((hint, value));
        }
    }

    /// The arguments of a call of a built-in function, if it is that and has so many.
    fn arguments<'e, const N: usize>(&mut self, call: &'e ast::Expr, name: &str) -> Option<&'e [ast::Arg; N]> {
        let E::Run(factors) = &call.kind else { return None };
        let [function, arguments] = factors.as_slice() else { return None };
        let (E::Name(called), E::Paren(paren)) = (&function.atom.kind, &arguments.atom.kind) else { return None };
        let plain = |arg: &ast::Arg| arg.label.is_none() && arg.arrow.is_none() && arg.clauses.is_none();
        let fits = **called == *name
            && function.postfix.is_empty()
            && arguments.postfix.is_empty()
            && paren.items.iter().all(plain);
        // the name may have been given another meaning
        let is_built_in = fits
            && matches!(
                self.expression(&function.atom).kind,
                ExKind::Builtin(id) if self.tools.builtins[id as usize].name == name
            );
        if is_built_in { paren.items.as_slice().try_into().ok() } else { None }
    }
}

fn is_word(expr: &ast::Expr, word: &str) -> bool {
    matches!(&expr.kind, E::Name(name) if **name == *word)
}

/// Does a name occur? Long runs of moves and texts are taken to have it.
fn mentions(expr: &ast::Expr, word: &str) -> bool {
    let arg = |arg: &ast::Arg| {
        arg.clauses.is_some()
            || mentions(&arg.value, word)
            || arg.arrow.as_ref().is_some_and(|arrow| mentions(arrow, word))
    };
    match &expr.kind {
        E::Int(_) | E::Bool(_) | E::Cycles(_) | E::CellCycles(_) => false,
        // a run-together name may end in it
        E::Name(name) => name.contains(word),
        E::Run(factors) => factors.iter().any(|factor| {
            let postfix = |postfix: &ast::Postfix| match postfix {
                ast::Postfix::Power(exponent, _) => mentions(exponent, word),
                ast::Postfix::Prime(_) | ast::Postfix::Suffix(..) | ast::Postfix::Member(_) => false,
            };
            mentions(&factor.atom, word) || factor.postfix.iter().any(postfix)
        }),
        E::Paren(paren) => paren.items.iter().any(arg),
        E::Set(items) => items.iter().any(arg),
        E::Bracket(bracket) => bracket.entries.iter().any(|entry| mentions(entry, word)),
        E::Unary(_, value, _) => mentions(value, word),
        E::Binary(_, left, right, _) => mentions(left, word) || mentions(right, word),
        E::Compare(first, links) => mentions(first, word) || links.iter().any(|(_, _, value)| mentions(value, word)),
        E::Text(_) | E::Plain(_) | E::If(_) | E::Perform(_) | E::Find(_) => true,
    }
}
