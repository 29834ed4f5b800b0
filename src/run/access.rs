//! Calls, members of families, and elements of sequences and dictionaries.

use std::sync::Arc;

use super::builtin::{self, Call};
use super::expression::member_text;
use super::machine::Machine;
use super::value::{Key, Value};
use super::{Fault, Instance, Run};
use crate::diagnostic::codes;
use crate::resolve::program::*;
use crate::source::Span;

impl Machine<'_> {
    /// The arguments of a call.
    pub(super) fn arguments(&mut self, args: &Args, span: Span) -> Run<Call> {
        let mut call = Call { span, ..Call::default() };
        for item in &args.items {
            if let Some(label) = &item.label {
                let value = self.eval(&item.value)?;
                call.labelled.push((label.clone(), value, item.span));
            } else if let Some(arrow) = &item.arrow {
                let mut pairs = Vec::new();
                let places = (item.value.span, arrow.span);
                match &item.clauses {
                    None => pairs.push((self.eval(&item.value)?, self.eval(arrow)?)),
                    Some(clauses) => self.each(clauses, &mut |machine| {
                        let pair = (machine.eval(&item.value)?, machine.eval(arrow)?);
                        pairs.push(pair);
                        Ok(true)
                    })?,
                }
                call.pair_spans.extend(pairs.iter().map(|_| places));
                call.pairs.extend(pairs);
            } else if item.clauses.is_some() {
                // one comprehension is one argument: the tuple of its values
                let values = self.items(std::slice::from_ref(item))?;
                call.args.push(Value::tuple(values));
                call.spans.push(item.span);
            } else {
                let value = match &item.value.kind {
                    // `order(a b)` is a product, but `cycles((1 2 3))` and `cycles(1 2 3)` are the same
                    ExKind::Run(factors) => self.run(factors, item.value.span, true)?,
                    _ => self.eval(&item.value)?,
                };
                call.args.push(value);
                call.spans.push(item.span);
            }
        }
        Ok(call)
    }

    pub(super) fn call_value(&mut self, function: &Value, call: Call, span: Span) -> Run<Value> {
        match function {
            Value::Builtin(id) => {
                self.step(span)?;
                builtin::call(self, *id, call, span)
            }
            Value::Function(closure) => {
                self.only_plain(&call, &closure.function.name)?;
                self.call(closure, call.args, span)
            }
            Value::Puzzle(id) => {
                let name = self.library.head(*id).name.clone();
                self.only_plain(&call, &name)?;
                self.instance(*id, call.args, span).map(Value::Instance)
            }
            Value::Homomorphism(map) => {
                self.only_plain(&call, "h")?;
                self.step(span)?;
                let [argument] = call.args.as_slice() else {
                    return Err(Fault::at(
                        codes::WRONG_ARGUMENTS,
                        span,
                        "a homomorphism has one argument",
                        format!("{} given", call.args.len()),
                        "give it an element of the group that it maps, or a subgroup",
                    ));
                };
                self.image_under(map, &(argument.clone(), call.span_of(0)), span)
            }
            other => Err(Fault::at(
                codes::NOT_A_FUNCTION,
                span,
                format!("{} cannot be called", other.kind()),
                "called here",
                "remove the parentheses, or call a function",
            )),
        }
    }

    pub(super) fn only_plain(&self, call: &Call, name: &str) -> Run<()> {
        if let Some((label, _, span)) = call.labelled.first() {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                *span,
                format!("`{name}` has no argument `{label}:`"),
                "here",
                "give the arguments in order",
            ));
        }
        if !call.pairs.is_empty() {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                call.span,
                format!("`{name}` takes no pairs `a -> b`"),
                "here",
                "separate the arguments with commas",
            ));
        }
        Ok(())
    }

    pub(super) fn family_member(
        &mut self,
        instance: &Arc<Instance>,
        id: MoveId,
        indices: &[Value],
        span: Span,
    ) -> Run<Value> {
        let name = instance.move_name(id);
        let small: Option<Vec<i64>> =
            indices.iter().map(|index| if let Value::Int(index) = index { Some(*index) } else { None }).collect();
        if let Some(letter) = small.as_deref().and_then(|indices| instance.member_letter(id, indices)) {
            return Ok(Value::Word(instance.letter_word(letter)));
        }
        let arity = instance.arity(id);
        let shown: Vec<String> = indices.iter().map(|index| self.print(index)).collect();
        let all = instance.indices(id);
        let help = if indices.len() != arity {
            format!(
                "`{name}` has {arity} ind{}: {}",
                if arity == 1 { "ex" } else { "ices" },
                all.first().map_or(String::new(), |first| member_text(name, first))
            )
        } else {
            match (all.first(), all.last()) {
                (Some(first), Some(last)) if first != last => {
                    format!("they go from {} to {}", member_text(name, first), member_text(name, last))
                }
                (Some(only), _) => format!("the only one is {}", member_text(name, only)),
                _ => format!("{} has no move of this family", instance.name),
            }
        };
        Err(Fault::at(
            codes::NO_SUCH_MEMBER,
            span,
            format!("{} has no move `{name}[{}]`", instance.name, shown.join(",")),
            "no such move",
            help,
        ))
    }

    /// `xs[k]`, `xs[a..b]`, `dictionary[key]`
    pub(super) fn element(&mut self, value: &Value, index: &Value, span: Span) -> Run<Value> {
        if let Value::Map(map) = value {
            if !index.is_data() {
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    span,
                    format!("{} cannot be a key", index.kind()),
                    "in this index",
                    "keys are numbers, cells, strings, tuples or sets",
                ));
            }
            return map.get(&Key(index.clone())).cloned().ok_or_else(|| {
                let shown = self.print(index);
                Fault::at(
                    codes::INDEX_OUT_OF_RANGE,
                    span,
                    format!("the dictionary has no key {shown}"),
                    "no such key",
                    "ask with `key in dictionary` first",
                )
            });
        }
        let length = value.size().unwrap_or(0);
        let out = |shown: String, what: &str| {
            Fault::at(
                codes::INDEX_OUT_OF_RANGE,
                span,
                format!("{what} {shown} of {length} elements"),
                "out of range",
                if length == 0 {
                    "it is empty".to_string()
                } else {
                    format!("the elements are numbered from 1 to {length}")
                },
            )
        };
        match index {
            Value::Int(k) if *k >= 1 && *k as u64 <= length as u64 => {
                let at = *k as usize - 1;
                Ok(match value {
                    Value::Tuple(values) => values[at].clone(),
                    Value::Range(from, _) => Value::Int(from + at as i64),
                    Value::Text(text) => Value::text(text.chars().nth(at).map(String::from).unwrap_or_default()),
                    _ => Value::Nothing,
                })
            }
            Value::Range(from, to) if to < from => Ok(Value::tuple(Vec::new())),
            Value::Range(from, to) if *from >= 1 && *to as u64 <= length as u64 => match value {
                Value::Tuple(values) => Ok(Value::tuple(values[*from as usize - 1..*to as usize].to_vec())),
                Value::Range(first, _) => Ok(Value::Range(first + from - 1, first + to - 1)),
                Value::Text(text) => Ok(Value::text(
                    text.chars().skip(*from as usize - 1).take((to - from + 1) as usize).collect::<String>(),
                )),
                _ => Ok(Value::Nothing),
            },
            Value::Int(_) | Value::Big(_) => Err(out(self.print(index), "there is no element")),
            Value::Range(..) => Err(out(self.print(index), "there is no part")),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} cannot be an index", other.kind()),
                "in this index",
                "an index is an integer, or a range for a part",
            )),
        }
    }
}
