//! The members of an instance: `let`s and `fn`s of its puzzle, evaluated when first needed.

use std::sync::Arc;

use num_bigint::BigInt;

use super::Instance;
use crate::diagnostic::{Diagnostic, codes};
use crate::resolve::program::*;
use crate::run::machine::Machine;
use crate::run::value::{Closure, Value};
use crate::run::{Fault, Run};
use crate::source::Span;

impl Machine<'_> {
    /// The value of a member of the puzzle in force.
    pub(in crate::run) fn member(&mut self, ids: &[MemberId], instance: &Arc<Instance>, span: Span) -> Run<Value> {
        let id = self.fitting_member(ids, instance, span)?;
        let member = self.library.member(id);
        let function = match &member.kind {
            MemberKind::Fn(function) => {
                let closure =
                    Closure { function: function.clone(), captured: Vec::new(), instance: Some(instance.clone()) };
                return Ok(Value::Function(Arc::new(closure)));
            }
            MemberKind::Let(function) => function,
        };
        if let Some(value) = instance.members.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&id) {
            return Ok(value.clone());
        }
        let key = (Arc::as_ptr(instance) as usize, id);
        if self.evaluating.contains(&key) {
            return Err(Fault::at(
                codes::CIRCULAR,
                member.span,
                format!("`{}` needs its own value", member.name),
                "defined here",
                "break the circle",
            ));
        }
        self.evaluating.push(key);
        // it is evaluated once for all, so it sees no board, and nothing in it is a step of what runs now
        let acting = self.acting.take();
        let tracing = self.tracing.take();
        let traced = std::mem::take(&mut self.trace_runs);
        let value = self.in_frame(function, Some(instance.clone()), span, |_| ());
        (self.acting, self.tracing, self.trace_runs) = (acting, tracing, traced);
        self.evaluating.pop();
        let value = value?;
        instance.members.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(id, value.clone());
        Ok(value)
    }

    /// Of several members of one name, the one whose `extend` fits the instance best.
    fn fitting_member(&self, ids: &[MemberId], instance: &Instance, span: Span) -> Run<MemberId> {
        let fits = |id: &MemberId| {
            self.library.member(*id).only.iter().zip(&instance.args).all(|(only, arg)| match only {
                None => true,
                Some(wanted) => arg.as_big().as_ref() == Some(wanted),
            })
        };
        let weight = |id: &MemberId| self.library.member(*id).only.iter().flatten().count();
        let fitting: Vec<MemberId> = ids.iter().copied().filter(fits).collect();
        let best = fitting.iter().map(weight).max();
        let best: Vec<MemberId> = fitting.into_iter().filter(|id| Some(weight(id)) == best).collect();
        match best.as_slice() {
            [only] => Ok(*only),
            [] => {
                let member = self.library.member(ids[0]);
                let only: Vec<String> =
                    member.only.iter().map(|only| only.as_ref().map_or("…".to_string(), BigInt::to_string)).collect();
                Err(Fault::Error(Box::new(
                    Diagnostic::at(
                        codes::UNKNOWN_NAME,
                        span,
                        format!("`{}` is not a member of {}", member.name, instance.name),
                        format!("it is added for {}({}) alone", instance.puzzle.name, only.join(", ")),
                    )
                    .label(member.span, "added here")
                    .help("use it on that board, or add it for this one with `extend`"),
                )))
            }
            [one, two, ..] => {
                let (one, two) = (self.library.member(*one), self.library.member(*two));
                Err(Fault::Error(Box::new(
                    Diagnostic::at(
                        codes::ADDED_TWICE,
                        span,
                        format!("two files add `{}` to {}", one.name, instance.puzzle.name),
                        "which one is meant?",
                    )
                    .label(one.span, "added here")
                    .label(two.span, "and here")
                    .help("use only one of the files here, or rename one member"),
                )))
            }
        }
    }

    /// `NRP(5).phi`: a member of another instance, seen from the file where it is written.
    pub(in crate::run) fn member_of(&mut self, instance: &Arc<Instance>, name: &str, span: Span) -> Run<Value> {
        let module = ModuleId(self.module_of(span) as u32);
        let ids = self.library.members_called(instance.puzzle.id, name, module);
        if !ids.is_empty() {
            return self.member(&ids, instance, span);
        }
        if let Some(at) = instance.puzzle.params.iter().position(|param| &**param == name) {
            return Ok(instance.args[at].clone());
        }
        if let Some(id) = instance.puzzle.move_names.get(name) {
            return Ok(match instance.letter(*id) {
                Some(letter) if instance.arity(*id) == 0 => Value::Word(instance.letter_word(letter)),
                _ => Value::Family(instance.clone(), *id),
            });
        }
        if name == "cells" {
            return Ok(instance.cells_value());
        }
        let mut known: Vec<&str> = instance.puzzle.move_names.keys().map(|name| &**name).collect();
        known.extend(self.library.member_names(instance.puzzle.id, module).map(|(name, _)| name));
        let near = crate::diagnostic::suggest::nearest(name, known);
        Err(Fault::at(
            codes::UNKNOWN_NAME,
            span,
            format!("{} has no member `{name}`", instance.name),
            "unknown member",
            if near.is_empty() {
                "members are its moves, parameters, `let`s, `fn`s and algorithms".to_string()
            } else {
                format!("did you mean {}?", crate::diagnostic::suggest::one_of(&near))
            },
        ))
    }
}
