//! Operators and comparisons.

use std::cmp::Ordering;

use super::number::Sign;
use super::scope::elsewhere;
use super::{Follow, Machine, Set, Stop, Value};
use crate::prove::Poly;
use crate::resolve::program::*;
use crate::source::Span;

impl Machine<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, ex: &Ex, span: Span) -> Follow<Value> {
        if op == UnaryOp::Not {
            return Ok(Value::Bool(!self.truth(ex)?));
        }
        let value = self.eval(ex)?;
        self.negated(&value, span)
    }

    fn negated(&mut self, value: &Value, span: Span) -> Follow<Value> {
        match value {
            Value::Number(poly) => Ok(Value::Number(self.fits(poly.neg(), span)?)),
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.negated(part, span)).collect::<Follow<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            Value::Sequence(sequence) => {
                let mut segments = sequence.segments.clone();
                for segment in &mut segments {
                    segment.value = self.negated(&segment.value, span)?;
                }
                Ok(super::sequence::joined(segments))
            }
            Value::Cells(_) => Err(Stop::beyond(span, "the negative of all cells", "write the cells as a tuple")),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no negative", other.kind()))),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &Ex, right: &Ex, span: Span) -> Follow<Value> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let first = self.truth(left)?;
            return if first == (op == BinaryOp::And) {
                Ok(Value::Bool(self.truth(right)?))
            } else {
                Ok(Value::Bool(first))
            };
        }
        let a = self.eval(left)?;
        let b = self.eval(right)?;
        self.combine(op, &a, &b, left.span, right.span, span)
    }

    pub(super) fn combine(
        &mut self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
        left: Span,
        right: Span,
        span: Span,
    ) -> Follow<Value> {
        for (value, place) in [(a, left), (b, right)] {
            if let Value::Other(kind) = value {
                return Err(elsewhere(kind, place));
            }
        }
        match (op, a, b) {
            (BinaryOp::Union, Value::Set(x), Value::Set(y)) => self.set_union(x, y, span),
            (BinaryOp::Intersection, Value::Set(x), Value::Set(y)) => self.set_intersection(x, y, span),
            (BinaryOp::Subtract, Value::Set(x), Value::Set(y)) => self.set_difference(x, y, span),
            (BinaryOp::Concat, Value::Text(x), Value::Text(y)) => Ok(Value::Text(format!("{x}{y}").into())),
            (BinaryOp::Concat, x, y) if x.is_sequence() && y.is_sequence() => self.concatenated(x, y, span),
            (BinaryOp::Times, x, y) if x.is_wordlike() || y.is_wordlike() => {
                self.product(vec![(x.clone(), left), (y.clone(), right)], span)
            }
            (BinaryOp::Add | BinaryOp::Subtract, Value::Tuple(x), Value::Tuple(y)) => {
                if x.len() != y.len() {
                    return Err(Stop::wrong(span, "tuples of different lengths cannot be combined"));
                }
                let parts = x
                    .iter()
                    .zip(y.iter())
                    .map(|(x, y)| self.combine(op, x, y, left, right, span))
                    .collect::<Follow<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            (BinaryOp::Times, Value::Tuple(x), y @ Value::Number(_))
            | (BinaryOp::Times, y @ Value::Number(_), Value::Tuple(x)) => {
                let parts = x
                    .iter()
                    .map(|x| self.combine(BinaryOp::Times, x, y, left, right, span))
                    .collect::<Follow<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            (
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Times,
                Value::Sequence(_) | Value::Cells(_),
                Value::Tuple(_) | Value::Sequence(_) | Value::Cells(_) | Value::Number(_),
            )
            | (
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Times,
                Value::Tuple(_) | Value::Number(_),
                Value::Sequence(_) | Value::Cells(_),
            ) => Err(Stop::beyond(
                span,
                "calculation with a sequence whose length is not fixed",
                "write a comprehension: `(f(x) for x in xs)`",
            )),
            (BinaryOp::Range, Value::Number(x), Value::Number(y)) => {
                for (end, place) in [(x, left), (y, right)] {
                    if !self.is_integer(end, place)? {
                        return Err(Stop::wrong(place, "the ends of a range are integers, this is a fraction"));
                    }
                }
                Ok(Value::Range(x.clone(), y.clone()))
            }
            (_, Value::Number(x), Value::Number(y)) => self.arithmetic(op, x, y, right, span).map(Value::Number),
            _ => Err(Stop::wrong(span, format!("`{}` cannot combine {} with {}", op.text(), a.kind(), b.kind()))),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, x: &Poly, y: &Poly, right: Span, span: Span) -> Follow<Poly> {
        match op {
            BinaryOp::Add => self.sum_of(x, y, span),
            BinaryOp::Subtract => self.difference_of(x, y, span),
            BinaryOp::Times => self.fits(x.mul(y), span),
            BinaryOp::Over => match y.as_constant() {
                Some((0, _)) => Err(Stop::wrong(right, "division by zero")),
                Some((value, den)) => self.fits(x.scale(den, value), span),
                None => self.exact_quotient(x, y, right, span),
            },
            BinaryOp::Div => Ok(self.divided(x, y, right, span)?.0),
            BinaryOp::Mod => Ok(self.divided(x, y, right, span)?.1),
            _ => Err(Stop::wrong(span, format!("`{}` needs two sets or two sequences, not numbers", op.text()))),
        }
    }

    pub(super) fn compare(&mut self, first: &Ex, links: &[(CompareOp, Ex)]) -> Follow<bool> {
        let mut left = self.eval(first)?;
        let mut left_span = first.span;
        for (op, right_ex) in links {
            let right = self.eval(right_ex)?;
            if !self.holds(*op, &left, &right, left_span.to(right_ex.span))? {
                return Ok(false);
            }
            left = right;
            left_span = right_ex.span;
        }
        Ok(true)
    }

    fn holds(&mut self, op: CompareOp, a: &Value, b: &Value, span: Span) -> Follow<bool> {
        match op {
            CompareOp::Equal => self.equal(a, b, span),
            CompareOp::NotEqual => Ok(!self.equal(a, b, span)?),
            CompareOp::Less => self.less(a, b, true, op, span),
            CompareOp::LessEqual => self.less(a, b, false, op, span),
            CompareOp::Greater => self.less(b, a, true, op, span),
            CompareOp::GreaterEqual => self.less(b, a, false, op, span),
            CompareOp::In => self.contains(b, a, span),
            CompareOp::NotIn => Ok(!self.contains(b, a, span)?),
            CompareOp::Subset => match (a, b) {
                (Value::Set(a), Value::Set(b)) => self.is_subset(a, b, span),
                (Value::Other(kind), _) | (_, Value::Other(kind)) => Err(elsewhere(kind, span)),
                _ => Err(Stop::wrong(span, format!("`subset` needs two sets, not {} and {}", a.kind(), b.kind()))),
            },
        }
    }

    /// `a < b`, or `a <= b`
    fn less(&mut self, a: &Value, b: &Value, strict: bool, op: CompareOp, span: Span) -> Follow<bool> {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => {
                let difference = self.difference_of(b, a, span)?;
                self.has_sign(&difference, if strict { Sign::Above } else { Sign::AtLeast }, span)
            }
            (Value::Text(a), Value::Text(b)) => Ok(if strict { a < b } else { a <= b }),
            (Value::Other(kind), _) | (_, Value::Other(kind)) => Err(elsewhere(kind, span)),
            _ if a.is_sequence() && b.is_sequence() => {
                let ordering = self.order_of_tuples(a, b, span)?;
                Ok(ordering == Ordering::Less || !strict && ordering == Ordering::Equal)
            }
            _ => Err(Stop::wrong(span, format!("`{}` cannot compare {} with {}", op.text(), a.kind(), b.kind()))),
        }
    }

    /// The order of two tuples of numbers, from the left.
    fn order_of_tuples(&mut self, a: &Value, b: &Value, span: Span) -> Follow<Ordering> {
        let (a, b) = (self.elements(a, span)?, self.elements(b, span)?);
        for (x, y) in a.iter().zip(&b) {
            match self.order_of(x, y, span)? {
                Ordering::Equal => {}
                other => return Ok(other),
            }
        }
        Ok(a.len().cmp(&b.len()))
    }

    /// The order of two numbers, or two tuples of numbers.
    pub(super) fn order_of(&mut self, a: &Value, b: &Value, span: Span) -> Follow<Ordering> {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => {
                let difference = self.difference_of(b, a, span)?;
                if self.above_zero(&difference, span)? {
                    return Ok(Ordering::Less);
                }
                Ok(if self.is_zero(&difference, span)? { Ordering::Equal } else { Ordering::Greater })
            }
            (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
            _ if a.is_sequence() && b.is_sequence() => self.order_of_tuples(a, b, span),
            _ => Err(Stop::beyond(
                span,
                format!("the order of {} and {}", a.kind(), b.kind()),
                "compare numbers, or tuples of numbers",
            )),
        }
    }

    /// Is `one` an element of a value?
    fn contains(&mut self, all: &Value, one: &Value, span: Span) -> Follow<bool> {
        if let Value::Other(kind) = one {
            return Err(elsewhere(kind, span));
        }
        match all {
            Value::Set(set) => self.set_contains(set, one, span),
            Value::Cells(of) => {
                let cells = Set::Cells { union: of.cells.clone(), plain: of.plain };
                self.set_contains(&cells, one, span)
            }
            Value::Range(from, to) => {
                let Value::Number(one) = one else { return Ok(false) };
                if !self.is_integer(one, span)? {
                    return Ok(false);
                }
                let (above, below) = (self.difference_of(one, from, span)?, self.difference_of(to, one, span)?);
                Ok(self.at_least_zero(&above, span)? && self.at_least_zero(&below, span)?)
            }
            Value::Tuple(parts) => {
                let data = is_data(one) && parts.iter().all(is_data);
                for part in parts.iter() {
                    let same = if data { self.same_data(part, one, span)? } else { self.equal(part, one, span)? };
                    if same {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Sequence(sequence) => {
                let data = is_data(one) && sequence.segments.iter().all(|segment| is_data(&segment.value));
                self.some_element(sequence, span, &mut |machine, part| {
                    if data { machine.same_data(&part, one, span) } else { machine.equal(&part, one, span) }
                })
            }
            Value::Text(text) => match one {
                Value::Text(one) => Ok(text.contains(&**one)),
                _ => Ok(false),
            },
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no elements", other.kind()))),
        }
    }

    /// Equality; different kinds are an error, apart from word with permutation, a tuple with a range, and a word with 1 or
    /// `()`.
    pub fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Follow<bool> {
        match (a, b) {
            (Value::Other(kind), _) | (_, Value::Other(kind)) => Err(elsewhere(kind, span)),
            (Value::Number(a), Value::Number(b)) => {
                let difference = self.difference_of(a, b, span)?;
                self.is_zero(&difference, span)
            }
            (Value::Nothing, Value::Nothing) => Ok(true),
            (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
            (Value::Text(a), Value::Text(b)) => Ok(a == b),
            (Value::Set(a), Value::Set(b)) => self.sets_equal(a, b, span),
            (Value::Puzzle(a), Value::Puzzle(b)) => Ok(a == b),
            (Value::Instance(a), Value::Instance(b)) => {
                if a.puzzle.id != b.puzzle.id || a.args.len() != b.args.len() {
                    return Ok(false);
                }
                for (a, b) in a.args.iter().zip(&b.args) {
                    if !self.same_data(a, b, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ if a.is_sequence() && b.is_sequence() => self.sequences_equal(a, b, false, span),
            _ if a.is_wordlike() || b.is_wordlike() => {
                let (a, b) = (self.must_be_word(a, span)?, self.must_be_word(b, span)?);
                self.words_equal(&a, &b, span)
            }
            _ => Err(Stop::wrong(span, format!("{} is compared with {}", a.kind(), b.kind()))),
        }
    }

    /// A word, a permutation, 1, or `()`; else an error.
    fn must_be_word(&mut self, value: &Value, span: Span) -> Follow<Value> {
        match value {
            value if value.is_wordlike() => return Ok(value.clone()),
            Value::Number(poly) if self.is_number(poly, 1, span)? => return Ok(Value::int(1)),
            Value::Tuple(_) | Value::Sequence(_) => {
                let length = self.len_of(value, span)?;
                if self.is_zero(&length, span)? {
                    return Ok(Value::tuple(Vec::new()));
                }
            }
            _ => {}
        }
        Err(Stop::wrong(span, format!("a word is compared with {}", value.kind())))
    }

    /// Are two data the same? Of different kinds they are not.
    pub(super) fn same_data(&mut self, a: &Value, b: &Value, span: Span) -> Follow<bool> {
        match (a, b) {
            (Value::Other(kind), _) | (_, Value::Other(kind)) => Err(elsewhere(kind, span)),
            (Value::Number(_), Value::Number(_))
            | (Value::Bool(_), Value::Bool(_))
            | (Value::Text(_), Value::Text(_))
            | (Value::Set(_), Value::Set(_)) => self.equal(a, b, span),
            _ if a.is_sequence() && b.is_sequence() => self.sequences_equal(a, b, true, span),
            _ => Ok(false),
        }
    }
}

/// May it be an element of a set: data whose equality needs no computing?
pub(super) fn is_data(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Range(..) | Value::Cells(_) => true,
        Value::Tuple(values) => values.iter().all(is_data),
        Value::Sequence(sequence) => sequence.segments.iter().all(|segment| is_data(&segment.value)),
        Value::Set(set) => match &**set {
            Set::Cells { .. } => true,
            Set::Finite(values) => values.iter().all(is_data),
        },
        _ => false,
    }
}
