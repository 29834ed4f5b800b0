//! Calls, members of families and of other instances, elements of sequences.

use std::sync::Arc;

use super::scope::elsewhere;
use super::{Follow, Machine, Stop, SymbolicPuzzle, Value};
use crate::prove::Poly;
use crate::resolve::program::*;
use crate::source::Span;

/// The arguments of a call.
#[derive(Default, Debug)]
pub(super) struct Call {
    pub args: Vec<Value>,
    pub spans: Vec<Span>,
    /// `by: f`
    pub by: Option<Value>,
    /// `a -> b`
    pub pairs: Vec<(Value, Value)>,
    pub span: Span,
}

impl Call {
    pub(super) fn plain(args: Vec<Value>, span: Span) -> Call {
        Call { spans: vec![span; args.len()], args, span, ..Call::default() }
    }

    pub(super) fn span_of(&self, at: usize) -> Span {
        self.spans.get(at).copied().unwrap_or(self.span)
    }
}

impl Machine<'_> {
    /// The arguments of a call.
    pub(super) fn arguments(&mut self, args: &Args, span: Span) -> Follow<Call> {
        let mut call = Call { span, ..Call::default() };
        for item in &args.items {
            if let Some(label) = &item.label {
                if &**label != "by" {
                    return Err(Stop::beyond(item.span, "this question", "give a range: `for n in 5..24`"));
                }
                call.by = Some(self.eval(&item.value)?);
            } else if let Some(arrow) = &item.arrow {
                if item.clauses.is_some() {
                    return Err(Stop::beyond(item.span, "pairs `a -> b` for many elements", "write them one by one"));
                }
                call.pairs.push((self.eval(&item.value)?, self.eval(arrow)?));
            } else if let Some(clauses) = &item.clauses {
                // one comprehension is one argument: the tuple of its values
                call.args.push(self.comprehension(&item.value, clauses, item.span)?);
                call.spans.push(item.span);
            } else {
                let value = match &item.value.kind {
                    ExKind::Run(factors) => self.run(factors, item.value.span, true)?,
                    _ => self.eval(&item.value)?,
                };
                call.args.push(value);
                call.spans.push(item.span);
            }
        }
        Ok(call)
    }

    pub(super) fn call_value(&mut self, function: &Value, call: Call, span: Span) -> Follow<Value> {
        match function {
            Value::Builtin(id) => self.call_builtin(*id, call, span),
            Value::Function(closure) => {
                only_plain(&call)?;
                self.call(closure, call.args, span)
            }
            Value::Puzzle(id) => {
                only_plain(&call)?;
                Ok(Value::Instance(self.puzzle_instance(*id, call.args, span)?))
            }
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} cannot be called", other.kind()))),
        }
    }

    /// Applies a function value to arguments.
    pub fn apply(&mut self, function: &Value, args: Vec<Value>, span: Span) -> Follow<Value> {
        self.call_value(function, Call::plain(args, span), span)
    }

    /// `T[r, c]`
    pub(super) fn family_member(
        &mut self,
        of: &Arc<SymbolicPuzzle>,
        id: MoveId,
        indices: &[Poly],
        span: Span,
    ) -> Follow<Value> {
        Ok(Value::Word(self.letter(of, id, indices, span)?))
    }

    /// `xs[k]`, `xs[a..b]`
    pub(super) fn element(&mut self, value: &Value, index: &Value, span: Span) -> Follow<Value> {
        match index {
            Value::Number(poly) => self.at_index(value, poly, span),
            Value::Range(from, to) => self.slice(value, from, to, span),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} cannot be an index", other.kind()))),
        }
    }

    /// The tuple with an element replaced.
    pub(super) fn with_element(&mut self, value: &Value, index: &Poly, new: Value, span: Span) -> Follow<Value> {
        // the same error as reading it
        self.at_index(value, index, span)?;
        let mut elements = self.elements(value, span)?;
        for (at, place) in elements.iter_mut().enumerate() {
            if self.is_number(index, at as i64 + 1, span)? {
                *place = new;
                return Ok(Value::tuple(elements));
            }
        }
        Err(Stop::wrong(span, "there is no element with this number"))
    }

    /// `NRP(5).phi`: a member of another instance, seen from the file where it is written.
    pub(super) fn member_of(&mut self, of: &Arc<SymbolicPuzzle>, name: &str, span: Span) -> Follow<Value> {
        let module = self.module_of(span);
        let ids = self.library.members_called(of.puzzle.id, name, module);
        if !ids.is_empty() {
            return self.member(&ids, of, span);
        }
        if let Some(at) = of.puzzle.params.iter().position(|param| &**param == name) {
            return Ok(of.args.get(at).cloned().unwrap_or(Value::Nothing));
        }
        if let Some(id) = of.puzzle.move_names.get(name) {
            return self.move_value(of, *id, span);
        }
        if name == "cells" {
            return Ok(Value::Cells(of.clone()));
        }
        Err(Stop::wrong(span, format!("{} has no member `{name}`", of.name)))
    }
}

fn only_plain(call: &Call) -> Follow<()> {
    match call.by.is_some() || !call.pairs.is_empty() {
        true => Err(Stop::wrong(call.span, "a function of a script has plain arguments")),
        false => Ok(()),
    }
}
