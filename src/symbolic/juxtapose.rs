//! Atoms side by side: calls, images, members, products and cycles. Kinds decide, as in [`crate::run`].

use super::access::Call;
use super::scope::elsewhere;
use super::{Follow, Machine, Stop, Value};
use crate::prove::Poly;
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
    pub(super) fn run(&mut self, factors: &[Fx], span: Span, in_parentheses: bool) -> Follow<Value> {
        let mut done: Vec<Factor> = Vec::with_capacity(factors.len());
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
                let whole = place.to(next.span);
                let joined = match &next.atom.kind {
                    ExKind::Paren(args) => {
                        if !in_parentheses && !self.is_callable(&value, whole)? {
                            return Err(Stop::wrong(whole, format!("{} is not a function or a word", value.kind())));
                        }
                        self.with_parentheses(&value, args, whole, next.atom.span, &mut waiting)?
                    }
                    ExKind::Cycles(_) | ExKind::CellCycles(_) if is_function(&value) => {
                        // `order(1 2 3)`: the argument is a cycle
                        let argument = self.eval(&next.atom)?;
                        Some(self.call_value(&value, Call::plain(vec![argument], next.atom.span), whole)?)
                    }
                    ExKind::Bracket(bracket) => self.with_bracket(&value, bracket, whole)?,
                    _ => None,
                };
                match joined {
                    Some(result) => {
                        value = self.postfixes(result, next)?;
                        place = whole;
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
        if in_parentheses && done.iter().all(|factor| may_be_cell(&factor.value)) {
            let elements: Vec<(Value, Span)> = done.into_iter().map(|factor| (factor.value, factor.span)).collect();
            return self.cycle_value(&elements, span);
        }
        self.product_of(done, span)
    }

    /// May parentheses follow: as arguments, as an image, or as the next factor?
    fn is_callable(&mut self, value: &Value, span: Span) -> Follow<bool> {
        match value {
            value if is_function(value) || value.is_wordlike() => Ok(true),
            // the empty word
            Value::Number(poly) => self.is_number(poly, 1, span),
            Value::Tuple(parts) => Ok(parts.is_empty()),
            Value::Sequence(_) => {
                let length = self.len_of(value, span)?;
                self.is_zero(&length, span)
            }
            Value::Other(kind) => Err(elsewhere(kind, span)),
            _ => Ok(false),
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
    ) -> Follow<Option<Value>> {
        match value {
            Value::Builtin(id) => {
                if let [Item { label: None, arrow: None, clauses: Some(clauses), value: element, span }] =
                    args.items.as_slice()
                    && let Some(answer) = self.call_of_many(*id, element, clauses, *span, whole)?
                {
                    return Ok(Some(answer));
                }
                let call = self.arguments(args, inner)?;
                self.call_value(value, call, whole).map(Some)
            }
            value if is_function(value) => {
                let call = self.arguments(args, inner)?;
                self.call_value(value, call, whole).map(Some)
            }
            value if value.is_wordlike() => {
                let argument = self.paren(args, inner)?;
                if self.is_image_argument(&argument, inner)? {
                    return self.image_of(value, &argument, whole).map(Some);
                }
                match &argument {
                    // 1 is the next factor
                    Value::Number(poly) if self.is_number(poly, 1, inner)? => {}
                    Value::Number(_) => {
                        return Err(Stop::wrong(inner, format!("{} is not a cell", self.print(&argument))));
                    }
                    Value::Text(_) | Value::Bool(_) => {
                        return Err(Stop::wrong(inner, format!("a word does not move {}", argument.kind())));
                    }
                    Value::Other(kind) => return Err(elsewhere(kind, inner)),
                    _ => {}
                }
                *waiting = Some(argument);
                Ok(None)
            }
            Value::Tuple(_) | Value::Sequence(_) | Value::Number(_) => {
                *waiting = Some(self.paren(args, inner)?);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Would a word map this: a cell, a set, a tuple of cells?
    fn is_image_argument(&mut self, value: &Value, span: Span) -> Follow<bool> {
        match value {
            Value::Set(_) | Value::Range(..) | Value::Cells(_) => Ok(true),
            Value::Number(poly) => {
                Ok(self.instance.as_ref().is_none_or(|instance| instance.plain) && self.is_integer(poly, span)?)
            }
            Value::Tuple(parts) => {
                for part in parts.iter() {
                    let fits = match part {
                        Value::Number(poly) => self.is_integer(poly, span)?,
                        part => self.is_image_argument(part, span)?,
                    };
                    if !fits {
                        return Ok(false);
                    }
                }
                Ok(!parts.is_empty())
            }
            Value::Sequence(sequence) => {
                for segment in &sequence.segments {
                    let fits = match &segment.value {
                        Value::Number(poly) => poly.den() == 1,
                        value => self.is_image_argument(value, span)?,
                    };
                    if !fits {
                        return Err(Stop::beyond(
                            span,
                            "the image of this sequence",
                            "take the image of a set or a cell",
                        ));
                    }
                }
                let length = self.len_of(value, span)?;
                Ok(!self.is_zero(&length, span)?)
            }
            _ => Ok(false),
        }
    }

    /// `value […]`: a member of a family or sequence, or nothing (then a commutator follows).
    fn with_bracket(&mut self, value: &Value, bracket: &Bracket, span: Span) -> Follow<Option<Value>> {
        match value {
            Value::Family(of, id) => {
                if bracket.separators.iter().any(|separator| *separator != ',') {
                    return Ok(None);
                }
                let mut indices: Vec<Poly> = Vec::with_capacity(bracket.entries.len());
                for entry in &bracket.entries {
                    match self.eval(entry)? {
                        Value::Number(poly) if self.is_integer(&poly, entry.span)? => indices.push(poly),
                        value if value.is_wordlike() => return Ok(None),
                        Value::Other(kind) => return Err(elsewhere(kind, entry.span)),
                        other => return Err(Stop::wrong(entry.span, format!("{} cannot be an index", other.kind()))),
                    }
                }
                let (of, id) = (of.clone(), *id);
                self.family_member(&of, id, &indices, span).map(Some)
            }
            // the empty word before a commutator or conjugate
            Value::Tuple(parts) if parts.is_empty() && bracket.entries.len() > 1 => Ok(None),
            Value::Tuple(_) | Value::Range(..) | Value::Sequence(_) | Value::Cells(_) | Value::Text(_) => {
                let [entry] = bracket.entries.as_slice() else {
                    return Err(Stop::wrong(span, "a sequence has one index"));
                };
                let index = self.eval(entry)?;
                self.element(value, &index, span).map(Some)
            }
            Value::Word(_) | Value::Map(_) => Ok(None),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no numbered elements", other.kind()))),
        }
    }

    fn postfixes(&mut self, mut value: Value, factor: &Fx) -> Follow<Value> {
        for postfix in &factor.postfix {
            let whole = factor.atom.span.to(postfix.span);
            if let Value::Other(kind) = &value {
                return Err(elsewhere(kind, whole));
            }
            value = match &postfix.kind {
                PxKind::Prime => self.primed(&value, whole)?,
                PxKind::Power(exponent) => {
                    let by = self.eval(exponent)?;
                    match by {
                        Value::Number(by) => self.raised(&value, &by, whole, exponent.span)?,
                        Value::Other(kind) => return Err(elsewhere(kind, exponent.span)),
                        other => {
                            return Err(Stop::wrong(
                                exponent.span,
                                format!("an exponent is an integer, not {}", other.kind()),
                            ));
                        }
                    }
                }
                PxKind::Suffix(digits) => {
                    let Ok(number) = i64::try_from(&**digits) else {
                        return Err(Stop::beyond(whole, "a number as large as this", "use smaller numbers"));
                    };
                    match &value {
                        Value::Family(of, id) => {
                            let (of, id) = (of.clone(), *id);
                            if self.plain_letter(&of, id, whole)?.is_none() {
                                if of.arity(id) > 1 {
                                    return Err(Stop::wrong(whole, "this family has several indices"));
                                }
                                self.family_member(&of, id, &[Poly::int(number)], whole)?
                            } else {
                                self.raised(&value, &Poly::int(number), whole, postfix.span)?
                            }
                        }
                        Value::Word(_) | Value::Map(_) => {
                            self.raised(&value, &Poly::int(number), whole, postfix.span)?
                        }
                        other => {
                            return Err(Stop::wrong(whole, format!("digits behind {} have no meaning", other.kind())));
                        }
                    }
                }
                PxKind::Member(name) => {
                    let instance = match &value {
                        Value::Instance(instance) => instance.clone(),
                        Value::Puzzle(id) => self.puzzle_instance(*id, Vec::new(), factor.atom.span)?,
                        other => {
                            return Err(Stop::wrong(postfix.span, format!("{} has no members", other.kind())));
                        }
                    };
                    self.member_of(&instance, name, postfix.span)?
                }
            };
        }
        Ok(value)
    }

    fn primed(&mut self, value: &Value, span: Span) -> Follow<Value> {
        match value {
            value if value.is_wordlike() => self.inverse_of(value, span),
            // the empty word
            Value::Number(poly) if self.is_number(poly, 1, span)? => Ok(value.clone()),
            Value::Tuple(parts) if parts.is_empty() => Ok(value.clone()),
            Value::Sequence(_) => {
                let length = self.len_of(value, span)?;
                match self.is_zero(&length, span)? {
                    true => Ok(Value::tuple(Vec::new())),
                    false => Err(Stop::wrong(span, "a tuple has no inverse")),
                }
            }
            other => Err(Stop::wrong(span, format!("{} has no inverse", other.kind()))),
        }
    }

    fn raised(&mut self, value: &Value, exponent: &Poly, span: Span, exponent_span: Span) -> Follow<Value> {
        if !self.is_integer(exponent, exponent_span)? {
            return Err(Stop::wrong(exponent_span, "an exponent is an integer, not a fraction"));
        }
        match value {
            value if value.is_wordlike() => self.power_of(value, exponent, span),
            Value::Number(base) => self.number_power(base, exponent, span).map(Value::Number),
            Value::Tuple(parts) if parts.is_empty() => Ok(value.clone()),
            Value::Sequence(_) => {
                let length = self.len_of(value, span)?;
                match self.is_zero(&length, span)? {
                    true => Ok(Value::tuple(Vec::new())),
                    false => Err(Stop::wrong(span, "a tuple has no powers")),
                }
            }
            other => Err(Stop::wrong(span, format!("{} has no powers", other.kind()))),
        }
    }

    /// A product of two or more factors.
    fn product_of(&mut self, factors: Vec<Factor>, span: Span) -> Follow<Value> {
        for factor in &factors {
            match &factor.value {
                _ if factor.digits => {
                    return Err(Stop::wrong(factor.span, "a number stands inside a product of moves"));
                }
                Value::Tuple(parts) if !parts.is_empty() => {
                    return Err(Stop::wrong(factor.span, "a tuple stands in a product of moves"));
                }
                Value::Other(kind) => return Err(elsewhere(kind, factor.span)),
                Value::Sequence(_) => {
                    let length = self.len_of(&factor.value, factor.span)?;
                    if !self.is_zero(&length, factor.span)? {
                        return Err(Stop::wrong(factor.span, "a tuple stands in a product of moves"));
                    }
                }
                _ => {}
            }
        }
        let words = factors
            .into_iter()
            .map(|factor| match factor.value {
                Value::Sequence(_) => (Value::tuple(Vec::new()), factor.span),
                value => (value, factor.span),
            })
            .collect();
        self.product(words, span)
    }
}

/// Are parentheses behind it its arguments?
fn is_function(value: &Value) -> bool {
    matches!(value, Value::Function(_) | Value::Builtin(_) | Value::Puzzle(_))
}

/// May it be an element of a cycle?
fn may_be_cell(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Tuple(parts) => !parts.is_empty() && parts.iter().all(|part| matches!(part, Value::Number(_))),
        _ => false,
    }
}
