//! Atoms side by side: calls, images, members, products and cycles. Kinds decide (guide, "atoms side by side").

use std::sync::Arc;

use super::builtin::{self, Call};
use smallvec::SmallVec;

use super::cycle::again;
use super::effect::{as_cycle, crop};
use super::expression::member_text;
use super::instance::cell_text;
use super::machine::Machine;
use super::slide::pairs_among;
use super::value::{PermValue, Value};
use super::{Fault, Instance, Run};
use crate::diagnostic::codes;
use crate::resolve::program::*;
use crate::source::Span;

/// A factor of a run, evaluated.
struct Factor {
    value: Value,
    span: Span,
    /// a number written as digits
    digits: bool,
}

impl Machine<'_> {
    /// A run of atoms. `in_parentheses`: cells side by side are then a cycle.
    pub(super) fn run(&mut self, factors: &[Fx], span: Span, in_parentheses: bool) -> Run<Value> {
        // one or two factors are the rule: a call, an image, `T[2, 1]`
        let mut done: SmallVec<[Factor; 2]> = SmallVec::new();
        let mut at = 0;
        let mut waiting: Option<Value> = None;
        while let Some(factor) = factors.get(at) {
            let mut value = match waiting.take() {
                Some(value) => value,
                None => self.eval(&factor.atom)?,
            };
            value = self.postfixes(value, factor)?;
            let mut place = factor.span;
            let digits = matches!(factor.atom.kind, ExKind::Int(_) | ExKind::Big(_));
            at += 1;
            // what follows may belong to it: arguments, an image, an index
            while let Some(next) = factors.get(at) {
                let joined = match &next.atom.kind {
                    ExKind::Paren(_) if !in_parentheses && !callable(&value) => {
                        return Err(not_callable(&value, &self.source_text(place), place.to(next.span)));
                    }
                    ExKind::Paren(args) => {
                        self.with_parentheses(&value, args, place.to(next.span), next.atom.span, &mut waiting)?
                    }
                    ExKind::Cycles(_) | ExKind::CellCycles(_) if is_function(&value) => {
                        // `order(1 2 3)`: the argument is a cycle
                        let argument = self.eval(&next.atom)?;
                        Some(self.call_value(
                            &value,
                            Call::plain(vec![argument], next.atom.span),
                            place.to(next.span),
                        )?)
                    }
                    ExKind::Bracket(bracket) => self.with_bracket(&value, bracket, place.to(next.span))?,
                    _ => None,
                };
                match joined {
                    Some(result) => {
                        value = self.postfixes(result, next)?;
                        place = place.to(next.span);
                        at += 1;
                    }
                    None => break,
                }
            }
            done.push(Factor { value, span: place, digits });
        }
        if done.len() == 1
            && let Some(only) = done.pop()
        {
            return Ok(only.value);
        }
        if in_parentheses && done.iter().all(|factor| self.may_be_cell(&factor.value)) {
            let elements: Vec<Value> = done.iter().map(|factor| factor.value.clone()).collect();
            // blame the element, not the whole cycle, where one alone is wrong
            if let Some(instance) = self.instance.clone() {
                let mut seen: Vec<(u32, Span)> = Vec::with_capacity(done.len());
                for factor in &done {
                    let cell = self.cell_in_cycle(&instance, &factor.value, factor.span)?;
                    seen.push((cell, factor.span));
                }
                seen.sort_by_key(|(cell, span)| (*cell, span.start));
                if let Some([first, second]) = seen.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                    let shown = cell_text(instance.cells.coordinates(first.0));
                    return Err(again(first.1, second.1, &shown));
                }
            }
            return self.cycle_of(&elements, span).map(Value::Perm);
        }
        self.product(done.into_vec(), span)
    }

    fn may_be_cell(&self, value: &Value) -> bool {
        match value {
            Value::Int(_) => true,
            Value::Tuple(parts) => !parts.is_empty() && parts.iter().all(|part| matches!(part, Value::Int(_))),
            Value::Big(_) => true,
            _ => false,
        }
    }

    /// `value (…)`: a call, an image, or nothing (a product). A value of the parentheses that turns out to be the next
    /// factor is left in `waiting`.
    fn with_parentheses(
        &mut self,
        value: &Value,
        args: &Args,
        whole: Span,
        inner: Span,
        waiting: &mut Option<Value>,
    ) -> Run<Option<Value>> {
        match value {
            Value::Builtin(id) if args.items.len() == 1 && builtin::quantifier(*id).is_some() => {
                let wanted = builtin::quantifier(*id).unwrap_or_default();
                match &args.items[0] {
                    // decided by the first element that decides it
                    Item { label: None, arrow: None, clauses: Some(clauses), value: condition, span } => {
                        self.step(whole)?;
                        self.quantified(wanted, condition, clauses, *span).map(Some)
                    }
                    _ => {
                        let call = self.arguments(args, inner)?;
                        self.call_value(value, call, whole).map(Some)
                    }
                }
            }
            value if is_function(value) => {
                let call = self.arguments(args, inner)?;
                self.call_value(value, call, whole).map(Some)
            }
            Value::Word(_) | Value::Perm(_) | Value::Family(..) => {
                let argument = self.paren(args, inner)?;
                if self.is_image_argument(&argument) {
                    return self.image_of(value, &argument, whole).map(Some);
                }
                match (&argument, &self.instance) {
                    (Value::Int(1), _) => {}
                    (Value::Int(_) | Value::Big(_), Some(instance)) => {
                        return Err(self.no_cell(&argument, &instance.clone(), inner));
                    }
                    (Value::Text(_) | Value::Bool(_) | Value::Map(_) | Value::Fraction(_), _) => {
                        return Err(Fault::at(
                            codes::WRONG_KIND,
                            inner,
                            format!("a word does not move {}", argument.kind()),
                            "the argument of an image",
                            "give it a cell, a set of cells or a tuple of cells",
                        ));
                    }
                    _ => {}
                }
                *waiting = Some(argument);
                Ok(None)
            }
            // the empty word leaves a board as it is
            Value::Tuple(_) | Value::Int(1) => {
                let argument = self.paren(args, inner)?;
                if matches!(argument, Value::Board(_)) {
                    return Ok(Some(argument));
                }
                *waiting = Some(argument);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Would a word map this: a cell, a set, a tuple of cells?
    fn is_image_argument(&self, value: &Value) -> bool {
        match value {
            Value::Set(_) | Value::Range(..) | Value::Board(_) => true,
            Value::Int(_) => self.instance.as_ref().is_none_or(|instance| instance.cells.is_plain()),
            Value::Tuple(parts) => {
                !parts.is_empty()
                    && parts
                        .iter()
                        .all(|part| matches!(part, Value::Int(_) | Value::Big(_)) || self.is_image_argument(part))
            }
            _ => false,
        }
    }

    /// `value […]`: a member of a family or sequence, or nothing (then a commutator follows).
    fn with_bracket(&mut self, value: &Value, bracket: &Bracket, span: Span) -> Run<Option<Value>> {
        let index_like = bracket.separators.iter().all(|separator| *separator == ',');
        match value {
            Value::Family(instance, id) => {
                if !index_like {
                    return Ok(None);
                }
                let mut indices = Vec::with_capacity(bracket.entries.len());
                for entry in &bracket.entries {
                    match self.eval(entry)? {
                        value @ (Value::Int(_) | Value::Big(_)) => indices.push(value),
                        Value::Word(_) | Value::Perm(_) | Value::Family(..) if bracket.entries.len() == 2 => {
                            return Ok(None);
                        }
                        Value::Word(_) | Value::Perm(_) | Value::Family(..) => return Ok(None),
                        other => {
                            return Err(Fault::at(
                                codes::WRONG_KIND,
                                entry.span,
                                format!("{} cannot be an index", other.kind()),
                                "in this index",
                                "indices of a family are integers",
                            ));
                        }
                    }
                }
                self.family_member(instance, *id, &indices, span).map(Some)
            }
            // the empty word before a commutator or conjugate
            Value::Tuple(parts) if parts.is_empty() && bracket.entries.len() > 1 => Ok(None),
            Value::Tuple(_) | Value::Range(..) | Value::Map(_) | Value::Text(_) => {
                let [entry] = bracket.entries.as_slice() else {
                    return Err(Fault::at(
                        codes::INDEX_OUT_OF_RANGE,
                        span,
                        "a sequence has one index",
                        format!("{} given", bracket.entries.len()),
                        "write `xs[k]`; for tuples of tuples `xs[i][j]`",
                    ));
                };
                let index = self.eval(entry)?;
                self.element(value, &index, span).map(Some)
            }
            Value::Builtin(_) | Value::Function(_) => Err(Fault::at(
                codes::UNEXPECTED,
                span,
                "a function is called with round brackets",
                "square brackets here",
                "write `f(x)`",
            )),
            Value::Word(_) | Value::Perm(_) => Ok(None),
            // a number or a set has no elements with numbers, and is no factor of a word
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no numbered elements", other.kind()),
                "an index here",
                "sequences, dictionaries and families of moves have an index: `xs[1]`, `R[2]`",
            )),
        }
    }

    fn postfixes(&mut self, mut value: Value, factor: &Fx) -> Run<Value> {
        for postfix in &factor.postfix {
            value = match &postfix.kind {
                PxKind::Prime => self.inverted(value, factor.atom.span.to(postfix.span))?,
                PxKind::Power(exponent) => {
                    let exponent_value = self.eval(exponent)?;
                    self.power(value, &exponent_value, factor.atom.span.to(postfix.span), exponent.span)?
                }
                PxKind::Suffix(digits) => {
                    let whole = factor.atom.span.to(postfix.span);
                    match &value {
                        Value::Family(instance, id) if instance.letter(*id).is_none() => {
                            let (instance, id) = (instance.clone(), *id);
                            if instance.arity(id) > 1 {
                                return Err(Fault::at(
                                    codes::NO_SUCH_MEMBER,
                                    whole,
                                    format!(
                                        "`{}` has {} indices, so `{}{digits}` could mean several moves",
                                        instance.move_name(id),
                                        instance.arity(id),
                                        instance.move_name(id)
                                    ),
                                    "which one?",
                                    format!("write the indices: {}", indices_meant(&instance, id, &digits.to_string())),
                                ));
                            }
                            self.family_member(&instance, id, &[Value::integer((**digits).clone())], whole)?
                        }
                        Value::Word(_) | Value::Perm(_) | Value::Family(..) => {
                            self.power(value, &Value::integer((**digits).clone()), whole, postfix.span)?
                        }
                        other => {
                            return Err(Fault::at(
                                codes::UNEXPECTED,
                                whole,
                                format!("digits behind {} have no meaning", other.kind()),
                                "here",
                                "only words have powers by suffix; multiply with `*`, index with `[…]`",
                            ));
                        }
                    }
                }
                PxKind::Member(name) => {
                    let instance = match &value {
                        Value::Instance(instance) => instance.clone(),
                        Value::Puzzle(id) => self.instance(*id, Vec::new(), factor.atom.span)?,
                        other => {
                            return Err(Fault::at(
                                codes::WRONG_KIND,
                                postfix.span,
                                format!("{} has no members", other.kind()),
                                "after this dot",
                                "members belong to puzzles: `NRP(5).phi`",
                            ));
                        }
                    };
                    self.member_of(&instance, name, postfix.span)?
                }
            };
        }
        Ok(value)
    }

    /// A product of two or more factors.
    fn product(&mut self, factors: Vec<Factor>, span: Span) -> Run<Value> {
        if let Some(number) = factors.iter().find(|factor| factor.digits) {
            let shown = self.print(&number.value);
            let all_numbers = factors.iter().all(|factor| factor.value.is_number());
            let help = if all_numbers {
                "multiply numbers with `*`; a cycle has parentheses round it: `(1 2 3)`".to_string()
            } else {
                format!("a power touches its move (`R{shown}`) or has a `^`; numbers are multiplied with `*`")
            };
            return Err(Fault::at(
                codes::NUMBER_IN_WORD,
                number.span,
                format!("the number {shown} stands inside a product of moves"),
                "a stray number",
                help,
            ));
        }
        if let Some(last) = factors.last()
            && matches!(last.value, Value::Set(_) | Value::Tuple(_))
            && !matches!(&last.value, Value::Tuple(parts) if parts.is_empty())
            && factors[..factors.len() - 1]
                .iter()
                .all(|factor| matches!(factor.value, Value::Word(_) | Value::Perm(_) | Value::Family(..)))
        {
            let before = self.source_text(factors[0].span.to(factors[factors.len() - 2].span));
            let text = self.source_text(last.span);
            if let Some((word, argument)) = text.split_once('(').filter(|(word, _)| !word.trim().is_empty()) {
                let word = word.trim();
                return Err(Fault::at(
                    codes::IMAGE_OF_LAST,
                    last.span,
                    format!("`{text}` is an image under `{word}` alone, and cannot be multiplied"),
                    "an image, not a word",
                    format!("for the image under the whole word write `({before} {word})({argument}`"),
                ));
            }
            let joined = self.source_text(span);
            return Err(Fault::at(
                codes::TUPLE_FOR_CYCLE,
                last.span,
                format!("{} is not a factor of a word: `{}`", last.value.kind(), crop(&joined)),
                "not a word",
                "a cycle is written with blanks: `(1 2 3)`, `((1,1) (2,3))`",
            ));
        }
        let mut words = Vec::with_capacity(factors.len());
        let mut perms = false;
        for factor in &factors {
            match &factor.value {
                Value::Perm(_) => perms = true,
                Value::Tuple(parts) if !parts.is_empty() => {
                    return Err(Fault::at(
                        codes::TUPLE_FOR_CYCLE,
                        factor.span,
                        "a tuple stands in a product of moves",
                        "with commas it is a tuple",
                        self.cycle_meant(factor),
                    ));
                }
                _ => words.push((self.word_of(&factor.value, factor.span)?, factor.span)),
            }
        }
        if !perms {
            return self.joined_words(words, span);
        }
        let pairs = pairs_among(factors.iter().map(|factor| &factor.value));
        let mut product: Option<PermValue> = None;
        for factor in &factors {
            let next = self.operand(&factor.value, pairs.as_ref(), factor.span)?;
            product = Some(match product {
                None => next,
                Some(before) => self.perm_product(before, next, factor.span)?,
            });
        }
        Ok(product.map_or(Value::Nothing, Value::Perm))
    }

    /// The cycle that a tuple in a product should have been; behind a word it was taken for a tuple of cells.
    fn cycle_meant(&self, factor: &Factor) -> String {
        let text = self.source_text(factor.span);
        match text.split_once('(') {
            Some((word, inner)) if !word.trim().is_empty() && !inner.contains('(') => {
                let cells: Vec<&str> = inner.trim_end_matches(')').split(',').map(str::trim).collect();
                format!("a cycle is written with blanks between its cells: `{word}({})`", cells.join(" "))
            }
            _ => as_cycle(&factor.value),
        }
    }
}

/// The member that somebody means by `T21`: one digit an index if there is such a move, else the first.
fn indices_meant(instance: &Arc<Instance>, id: MoveId, digits: &str) -> String {
    let indices: Vec<i64> = digits.chars().filter_map(|digit| digit.to_digit(10)).map(i64::from).collect();
    let name = instance.move_name(id);
    match instance.member_letter(id, &indices) {
        Some(_) => member_text(name, &indices),
        None => instance.indices(id).first().map_or(String::new(), |first| member_text(name, first)),
    }
}

/// Are parentheses behind it its arguments?
fn is_function(value: &Value) -> bool {
    matches!(value, Value::Function(_) | Value::Builtin(_) | Value::Puzzle(_) | Value::Homomorphism(_))
}

/// May parentheses follow: as arguments, as an image, or as the next factor?
fn callable(value: &Value) -> bool {
    match value {
        value if is_function(value) => true,
        Value::Word(_) | Value::Perm(_) | Value::Family(..) | Value::Int(1) => true,
        // the empty word
        Value::Tuple(parts) => parts.is_empty(),
        _ => false,
    }
}

fn not_callable(value: &Value, text: &str, span: Span) -> Fault {
    let help = match value {
        Value::Tuple(_) if text.starts_with('(') => {
            "a cycle is written with blanks: `(1 2 3)`, `((1,1) (2,3))`".to_string()
        }
        Value::Tuple(_) | Value::Range(..) | Value::Map(_) => format!("an element is written `{}[1]`", crop(text)),
        value if value.is_number() => format!("a product of numbers is written `{} * (…)`", crop(text)),
        _ => "remove the parentheses, or call a function".to_string(),
    };
    let code = if matches!(value, Value::Tuple(_)) && text.starts_with('(') {
        codes::TUPLE_FOR_CYCLE
    } else {
        codes::NOT_A_FUNCTION
    };
    let title = format!("`{}` is {}, not a function or a word", crop(text), value.kind());
    Fault::at(code, span, title, "called here", help)
}
