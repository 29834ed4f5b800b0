//! Going through things: nested loops, the elements of sequences and sets, patterns that take values apart.

use super::machine::Machine;
use super::value::{Set, Value};
use super::{Fault, Run};
use crate::diagnostic::codes;
use crate::resolve::program::*;
use crate::source::Span;

impl Machine<'_> {
    /// Walks nested loops; `visit` says whether to go on.
    pub(super) fn each(&mut self, clauses: &Clauses, visit: &mut dyn FnMut(&mut Self) -> Run<bool>) -> Run<()> {
        self.each_from(clauses, 0, visit).map(|_| ())
    }

    fn each_from(
        &mut self,
        clauses: &Clauses,
        depth: usize,
        visit: &mut dyn FnMut(&mut Self) -> Run<bool>,
    ) -> Run<bool> {
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition
                && !self.truth(condition)?
            {
                return Ok(true);
            }
            return visit(self);
        };
        let larger = clauses.thorough.get(depth).and_then(Option::as_ref).filter(|_| self.shared.thorough);
        let range = larger.unwrap_or(range);
        let source = self.eval(range)?;
        self.walk(&source, range.span, &mut |machine, value| {
            machine.bind(pattern, value)?;
            machine.each_from(clauses, depth + 1, visit)
        })
    }

    /// Visits the elements of a sequence, set, dictionary (its keys) in order. Gives whether it went to the end.
    pub(super) fn walk(
        &mut self,
        source: &Value,
        span: Span,
        visit: &mut dyn FnMut(&mut Self, Value) -> Run<bool>,
    ) -> Run<bool> {
        match source {
            Value::Range(from, to) => {
                for value in *from..=*to {
                    self.step(span)?;
                    if !visit(self, Value::Int(value))? {
                        return Ok(false);
                    }
                }
            }
            Value::Tuple(values) => {
                for value in values.iter() {
                    self.step(span)?;
                    if !visit(self, value.clone())? {
                        return Ok(false);
                    }
                }
            }
            Value::Set(set) => {
                for value in self.in_order(set) {
                    self.step(span)?;
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
            }
            Value::Map(map) => {
                for key in map.keys() {
                    self.step(span)?;
                    if !visit(self, key.0.clone())? {
                        return Ok(false);
                    }
                }
            }
            other => {
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    span,
                    match other {
                        Value::Group(_) => "a group is not gone through element by element".to_string(),
                        other => format!("{} has no elements to go through", other.kind()),
                    },
                    "a range, tuple or set is needed",
                    match other {
                        Value::Group(_) => "a small group has a tuple of all: `elements(G)`",
                        _ => "write for example `1..n`, `(a, b, c)` or `cells`",
                    },
                ));
            }
        }
        Ok(true)
    }

    /// The elements of a set: cells of the puzzle in force in order of declaration, all else increasing.
    pub(super) fn in_order(&self, set: &Set) -> Vec<Value> {
        let mut values: Vec<Value> = set.iter().cloned().collect();
        if let Some(instance) = &self.instance {
            let numbers: Option<Vec<u32>> = values.iter().map(|value| instance.number_of(value)).collect();
            if let Some(numbers) = numbers
                && !numbers.is_sorted()
            {
                let mut pairs: Vec<(u32, Value)> = numbers.into_iter().zip(values).collect();
                pairs.sort_by_key(|(number, _)| *number);
                values = pairs.into_iter().map(|(_, value)| value).collect();
            }
        }
        values
    }

    /// Binds a pattern; a value of another form is an error.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value) -> Run<()> {
        if let Pattern::Bind(slot, _) = pattern {
            self.set_slot(*slot, value);
            return Ok(());
        }
        if self.match_value(pattern, &value)? {
            return Ok(());
        }
        let shown = self.print(&value);
        let wanted = match pattern {
            Pattern::Tuple(parts, _) => format!("a tuple of {} is expected here", parts.len()),
            _ => "this does not fit".to_string(),
        };
        Err(Fault::at(
            codes::PATTERN_MISMATCH,
            pattern.span(),
            format!("`{shown}` does not have this form"),
            wanted,
            "give the pattern as many parts as the value has",
        ))
    }

    /// Does a value fit a pattern? Binds its names on the way.
    pub(super) fn match_value(&mut self, pattern: &Pattern, value: &Value) -> Run<bool> {
        Ok(match pattern {
            Pattern::Bind(slot, _) => {
                self.set_slot(*slot, value.clone());
                true
            }
            Pattern::Int(wanted, _) => matches!(value, Value::Int(value) if value == wanted),
            Pattern::Equal(slot, span) => {
                let known = self.slot(*slot);
                self.equal(&known, value, *span)?
            }
            Pattern::Param(at, span) => {
                let known = self.in_force(*span)?.args.get(*at as usize).cloned().unwrap_or(Value::Nothing);
                self.equal(&known, value, *span)?
            }
            Pattern::Tuple(parts, _) => match value.elements() {
                Some(values) if values.len() == parts.len() => {
                    for (part, value) in parts.iter().zip(&values) {
                        if !self.match_value(part, value)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                _ => false,
            },
        })
    }
}
