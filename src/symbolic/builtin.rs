//! The built-in functions that are followed; the others say so.

mod numbers;
mod sequences;

use super::access::Call;
use super::scope::elsewhere;
use super::{Follow, Machine, Stop, Value};
use crate::prove::Poly;
use crate::resolve::program::*;
use crate::run::builtin::{ALL, Builtin, Kind};
use crate::source::Span;

impl Machine<'_> {
    /// A function that is not followed.
    pub(super) fn beyond_builtin(&self, id: u32, span: Span) -> Stop {
        let Some(builtin) = ALL.get(id as usize).copied() else { return Stop::wrong(span, "an unknown function") };
        let what = match builtin.topic {
            "boards" => format!("`{}`, which asks a board", builtin.name),
            "groups" => format!("`{}`, which is about a group", builtin.name),
            "search" => format!("`{}`, which searches", builtin.name),
            _ => format!("`{}` of this", builtin.name),
        };
        Stop::beyond(span, what, "give a range instead: `for n in 5..24`")
    }

    /// A call whose only argument is a comprehension, if it can be answered without writing that out.
    pub(super) fn call_of_many(
        &mut self,
        id: u32,
        element: &Ex,
        clauses: &Clauses,
        span: Span,
        whole: Span,
    ) -> Follow<Option<Value>> {
        let Some(builtin) = ALL.get(id as usize).copied() else { return Ok(None) };
        self.step(whole)?;
        Ok(Some(match builtin.name {
            "all" => Value::Bool(self.all_of(true, element, clauses, 0, span)?),
            "any" => Value::Bool(self.all_of(false, element, clauses, 0, span)?),
            "count" => Value::Number(self.count_of(element, clauses, span)?),
            "len" => Value::Number(self.size_of(element, clauses, span)?),
            "sum" => self.sum_over_clauses(element, clauses, span)?,
            "set" => {
                let leaves = self.clauses(clauses, &mut |machine| machine.eval(element))?;
                self.set_of_leaves(leaves, span)?
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn call_builtin(&mut self, id: u32, mut call: Call, span: Span) -> Follow<Value> {
        let Some(builtin) = ALL.get(id as usize).copied() else {
            return Err(Stop::wrong(span, "an unknown function"));
        };
        self.step(span)?;
        if call.by.is_some() && !builtin.labels.iter().any(|(label, _)| *label == "by") {
            return Err(Stop::wrong(span, format!("`{}` has no argument `by:`", builtin.name)));
        }
        for (at, value) in call.args.iter().enumerate() {
            if let Value::Other(kind) = value {
                return match (builtin.name, *kind) {
                    ("order", "a group") => {
                        Err(Stop::beyond(span, "the order of a group", "give a range instead: `for n in 5..24`"))
                    }
                    _ => Err(elsewhere(kind, call.span_of(at))),
                };
            }
        }
        if matches!(builtin.topic, "boards" | "groups" | "search") {
            return Err(self.beyond_builtin(id, span));
        }
        // a cell may be given by its coordinates
        if builtin.params.first().is_some_and(|param| param.kind == Kind::Cell) && call.args.len() > 1 {
            call = Call::plain(vec![Value::tuple(std::mem::take(&mut call.args))], call.span);
        }
        self.check_count(builtin, &call, span)?;
        match builtin.topic {
            "numbers" => self.call_numbers(builtin.name, id, &call, span),
            "sequences" => self.call_sequences(builtin.name, id, &call, span),
            "cells" => self.call_cells(builtin.name, id, &call, span),
            _ => self.call_words(builtin.name, id, &call, span),
        }
    }

    fn check_count(&self, builtin: &Builtin, call: &Call, span: Span) -> Follow<()> {
        let plain = || builtin.params.iter().filter(|param| param.kind != Kind::Pairs);
        let least = plain().filter(|param| !param.optional).count();
        let most = if plain().any(|param| param.many) { usize::MAX } else { plain().count() };
        let takes_pairs = builtin.params.iter().any(|param| param.kind == Kind::Pairs);
        match call.args.len() < least || call.args.len() > most || !call.pairs.is_empty() && !takes_pairs {
            true => Err(Stop::wrong(span, format!("`{}` does not take these arguments", builtin.name))),
            false => Ok(()),
        }
    }

    /// An argument that is a number.
    fn number_at(&self, call: &Call, at: usize) -> Follow<Poly> {
        match call.args.get(at) {
            Some(Value::Number(poly)) => Ok(poly.clone()),
            Some(other) => Err(Stop::wrong(call.span_of(at), format!("a number is needed here, not {}", other.kind()))),
            None => Err(Stop::wrong(call.span, "an argument is missing")),
        }
    }

    /// An argument that is an integer.
    fn integer_at(&mut self, call: &Call, at: usize) -> Follow<Poly> {
        let poly = self.number_at(call, at)?;
        match self.is_integer(&poly, call.span_of(at))? {
            true => Ok(poly),
            false => Err(Stop::wrong(call.span_of(at), "an integer is needed here, not a fraction")),
        }
    }

    fn call_words(&mut self, name: &str, id: u32, call: &Call, span: Span) -> Follow<Value> {
        let place = call.span_of(0);
        let word = call.args.first().cloned().unwrap_or(Value::Nothing);
        match name {
            "length" => self.length_of(&word, place),
            "runs" => self.runs_of(&word, place),
            "moves" => self.moves_of(&word, place),
            "reduce" => self.reduce(&word, place),
            "inverse" => {
                let word = Value::Word(match &word {
                    Value::Word(word) => word.clone(),
                    Value::Map(_) => return self.inverse_of(&word, place),
                    other => self.word_of(other, place)?,
                });
                self.inverse_of(&word, place)
            }
            "perm" => self.perm(&word, place),
            "order" => self.order_of_word(&word, span),
            "cycles" => self.cycles_of(&word, span),
            "cycle_type" => self.cycle_type_of(&word, span),
            "is_cycle" => {
                let length = self.integer_at(call, 1)?;
                if !self.at_least_zero(&length, call.span_of(1))? {
                    return Err(Stop::wrong(call.span_of(1), "a length is not negative"));
                }
                Ok(Value::Bool(self.is_cycle(&word, &length, span)?))
            }
            "support" => self.support_of(&word, span),
            "fixed" => self.fixed_by(&word, span),
            "sign" => self.sign_of(&word, span),
            "same_moves" => {
                let other = call.args.get(1).cloned().unwrap_or(Value::Nothing);
                Ok(Value::Bool(self.same_moves(&word, &other, span)?))
            }
            "translate" => self.translated(&word, &call.pairs, span),
            "cycle" => match &word {
                Value::Tuple(_) | Value::Range(..) | Value::Sequence(_) => self.cycle_of_sequence(&word, place),
                Value::Set(_) | Value::Cells(_) | Value::Text(_) => {
                    Err(Stop::beyond(place, format!("the cycle through {}", word.kind()), "write the cells as a tuple"))
                }
                other => Err(Stop::wrong(place, format!("a sequence is needed here, not {}", other.kind()))),
            },
            "permutation" => match &word {
                Value::Function(_) | Value::Builtin(_) => self.permutation_by(&word, span),
                other => Err(Stop::wrong(place, format!("a function is needed here, not {}", other.kind()))),
            },
            _ => Err(self.beyond_builtin(id, span)),
        }
    }

    fn call_cells(&mut self, name: &str, id: u32, call: &Call, span: Span) -> Follow<Value> {
        match name {
            "row" => self.coordinate_of(call, 0),
            "col" => self.coordinate_of(call, 1),
            "box" => {
                let ranges = match call.args.as_slice() {
                    [Value::Tuple(ranges)] if ranges.iter().all(has_size) => ranges.to_vec(),
                    [Value::Sequence(_)] => self.elements(&call.args[0], span)?,
                    _ => call.args.clone(),
                };
                self.box_of(&ranges, span, &|_| true)
            }
            "with" => {
                let index = self.integer_at(call, 1)?;
                match call.args.as_slice() {
                    [value @ (Value::Tuple(_) | Value::Range(..) | Value::Sequence(_)), _, new] => {
                        self.with_element(value, &index, new.clone(), call.span_of(1))
                    }
                    _ => Err(self.beyond_builtin(id, span)),
                }
            }
            _ => Err(self.beyond_builtin(id, span)),
        }
    }

    fn coordinate_of(&mut self, call: &Call, at: usize) -> Follow<Value> {
        let place = call.span_of(0);
        let cell = call.args.first().cloned().unwrap_or(Value::Nothing);
        if let Value::Tuple(parts) = &cell {
            return parts.get(at).cloned().ok_or_else(|| Stop::wrong(place, "this cell has no such coordinate"));
        }
        if !cell.is_sequence() {
            return Err(Stop::wrong(place, format!("{} has no such coordinate", cell.kind())));
        }
        let length = self.len_of(&cell, place)?;
        let room = self.difference_of(&length, &Poly::int(at as i64), place)?;
        match self.above_zero(&room, place)? {
            true => self.at_index(&cell, &Poly::int(at as i64 + 1), place),
            false => Err(Stop::wrong(place, "this cell has no such coordinate")),
        }
    }
}

/// Has it elements?
fn has_size(value: &Value) -> bool {
    value.is_sequence() || matches!(value, Value::Set(_) | Value::Text(_))
}
