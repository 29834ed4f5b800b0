//! Operators and comparisons.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use super::machine::Machine;
use super::slide::pairs_among;
use super::value::{Value, floor_division, order};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::group::fact::Says;
use crate::resolve::program::*;
use crate::source::Span;

impl Machine<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, ex: &Ex, span: Span) -> Run<Value> {
        if op == UnaryOp::Not {
            return Ok(Value::Bool(!self.truth(ex)?));
        }
        let value = self.eval(ex)?;
        self.negated(value, span)
    }

    fn negated(&mut self, value: Value, span: Span) -> Run<Value> {
        match value {
            Value::Int(value) => {
                Ok(value.checked_neg().map_or_else(|| Value::integer(-BigInt::from(value)), Value::Int))
            }
            Value::Big(value) => Ok(Value::integer(-(*value).clone())),
            Value::Fraction(value) => Ok(Value::fraction(-(*value).clone())),
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.negated(part.clone(), span)).collect::<Run<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            Value::Word(_) | Value::Perm(_) | Value::Family(..) => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                "a word has no negative",
                "a minus before a word",
                "the inverse is written `X'` or `X^-1`",
            )),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no negative", other.kind()),
                "a minus here",
                "only numbers and tuples of numbers have one",
            )),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &Ex, right: &Ex, span: Span) -> Run<Value> {
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
        self.combine(op, a, b, left.span, right.span, span)
    }

    pub(super) fn combine(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        left: Span,
        right: Span,
        span: Span,
    ) -> Run<Value> {
        if let (Value::Int(x), Value::Int(y)) = (&a, &b) {
            let (x, y) = (*x, *y);
            let quick = match op {
                BinaryOp::Add => x.checked_add(y),
                BinaryOp::Subtract => x.checked_sub(y),
                BinaryOp::Times => x.checked_mul(y),
                BinaryOp::Div if y > 0 => Some(x.div_euclid(y)),
                BinaryOp::Mod if y > 0 => Some(x.rem_euclid(y)),
                BinaryOp::Range => return Ok(Value::Range(x, y)),
                _ => None,
            };
            if let Some(value) = quick {
                return Ok(Value::Int(value));
            }
        }
        match (op, &a, &b) {
            (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Subtract, Value::Set(x), Value::Set(y))
                if x.len() + y.len() > 64 =>
            {
                self.charge((x.len() + y.len()) as u64 / 16, span)?;
                Ok(Value::Set(Arc::new(match op {
                    BinaryOp::Union => x.union(y),
                    BinaryOp::Intersection => x.intersection(y),
                    _ => x.difference(y),
                })))
            }
            (BinaryOp::Union, Value::Set(x), Value::Set(y)) => Ok(Value::Set(Arc::new(x.union(y)))),
            (BinaryOp::Intersection, Value::Set(x), Value::Set(y)) => Ok(Value::Set(Arc::new(x.intersection(y)))),
            (BinaryOp::Subtract, Value::Set(x), Value::Set(y)) => Ok(Value::Set(Arc::new(x.difference(y)))),
            (BinaryOp::Union | BinaryOp::Intersection, ..) => self.needs(op, "two sets", &a, &b, left, right),
            (BinaryOp::Concat, Value::Text(x), Value::Text(y)) => {
                let bytes = x.len() + y.len();
                self.room_for(bytes as u128 / 16, span)?;
                self.charge(bytes as u64 / 64, span)?;
                Ok(Value::text(format!("{x}{y}")))
            }
            (BinaryOp::Concat, ..) => {
                let (Some(x), Some(y)) = (a.size(), b.size()) else {
                    return self.needs(op, "two sequences", &a, &b, left, right);
                };
                self.room_for((x + y) as u128, span)?;
                let (Some(mut all), Some(more)) = (a.elements(), b.elements()) else {
                    return self.needs(op, "two sequences", &a, &b, left, right);
                };
                self.charge(all.len() as u64 + more.len() as u64, span)?;
                all.extend(more);
                Ok(Value::tuple(all))
            }
            (BinaryOp::Times, x, y) if is_wordlike(x) || is_wordlike(y) => self.word_product(&a, &b, left, right, span),
            (BinaryOp::Over, x, y) if is_wordlike(x) || is_wordlike(y) => {
                let (x, y) = (self.source_text(left), self.source_text(right));
                Err(Fault::at(
                    codes::SLASH_IN_WORD,
                    span,
                    "`/` divides numbers; it is no part of a word",
                    "a slash between words",
                    format!(
                        "for {x} and then the inverse of {y} write `{x} ({y})'`; for `[A/B]` write `[A: [B, A'2]]`"
                    ),
                ))
            }
            (BinaryOp::Add | BinaryOp::Subtract, Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                let parts = x
                    .iter()
                    .zip(y.iter())
                    .map(|(x, y)| self.combine(op, x.clone(), y.clone(), left, right, span))
                    .collect::<Run<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            (BinaryOp::Add | BinaryOp::Subtract, Value::Tuple(x), Value::Tuple(y)) => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("tuples of {} and {} coordinates cannot be combined", x.len(), y.len()),
                "different lengths",
                "join sequences with `++`",
            )),
            (BinaryOp::Times, Value::Tuple(x), y) | (BinaryOp::Times, y, Value::Tuple(x)) if y.is_number() => {
                let y = y.clone();
                let parts = x
                    .iter()
                    .map(|x| self.combine(BinaryOp::Times, x.clone(), y.clone(), left, right, span))
                    .collect::<Run<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            (BinaryOp::Range, ..) => {
                if let (Some(_), Some(_)) = (a.as_big(), b.as_big()) {
                    return Err(Fault::at(
                        codes::TOO_LONG,
                        span,
                        "the ends of a range have at most 64 bits",
                        "too large",
                        "use smaller numbers",
                    ));
                }
                self.needs(op, "two integers", &a, &b, left, right)
            }
            _ => self.arithmetic(op, &a, &b, left, right, span),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value, left: Span, right: Span, span: Span) -> Run<Value> {
        let (Some(x), Some(y)) = (a.as_fraction(), b.as_fraction()) else {
            return self.needs(op, "two numbers", a, b, left, right);
        };
        let bits = x.numer().bits() + y.numer().bits() + x.denom().bits() + y.denom().bits();
        self.room_for(u128::from(bits) / 128, span)?;
        let exact = a.as_big().is_some() && b.as_big().is_some();
        let limbs = bits / 64 + 1;
        // eight operations with limbs are about a step: sums are linear, products of integers a little dearer, and
        // whatever divides or reduces a fraction costs the square
        let cost = match op {
            BinaryOp::Add | BinaryOp::Subtract if exact => limbs,
            BinaryOp::Times if exact => limbs.saturating_mul(limbs.isqrt()),
            _ => limbs.saturating_mul(limbs),
        };
        self.charge(cost / 8, span)?;
        if matches!(op, BinaryOp::Over | BinaryOp::Div | BinaryOp::Mod) && y.is_zero() {
            return Err(Fault::at(
                codes::DIVISION_BY_ZERO,
                right,
                "division by zero",
                "this is 0",
                "check the divisor first",
            ));
        }
        Ok(match op {
            BinaryOp::Add => Value::fraction(x + y),
            BinaryOp::Subtract => Value::fraction(x - y),
            BinaryOp::Times => Value::fraction(x * y),
            BinaryOp::Over => Value::fraction(x / y),
            BinaryOp::Div => Value::integer(floor_division(&x, &y).map(|(quotient, _)| quotient).unwrap_or_default()),
            _ => floor_division(&x, &y).map_or(Value::Nothing, |(_, remainder)| Value::fraction(remainder)),
        })
    }

    fn needs(&self, op: BinaryOp, what: &str, a: &Value, b: &Value, left: Span, right: Span) -> Run<Value> {
        let wanted = |value: &Value| match op {
            BinaryOp::Union | BinaryOp::Intersection => matches!(value, Value::Set(_)),
            BinaryOp::Concat => matches!(value, Value::Tuple(_) | Value::Range(..)),
            BinaryOp::Range => matches!(value, Value::Int(_) | Value::Big(_)),
            _ => value.is_number(),
        };
        let (odd, span) = if wanted(a) { (b, right) } else { (a, left) };
        let help = match (op, odd) {
            (BinaryOp::Intersection, Value::Group(_)) => {
                "what two groups have in common is `intersection(G, H)`".to_string()
            }
            (_, Value::Group(_)) => "what two groups generate together is `group(G, H)`".to_string(),
            (_, Value::Word(_) | Value::Perm(_) | Value::Family(..)) => {
                "words are multiplied side by side and inverted with `'`".to_string()
            }
            (BinaryOp::Union | BinaryOp::Intersection, Value::Tuple(_)) => {
                "a set of one cell is written `{(1, 2)}`".to_string()
            }
            (BinaryOp::Union | BinaryOp::Intersection, Value::Bool(_)) => {
                "conditions are joined with `and` and `or`".to_string()
            }
            (BinaryOp::Range, _) => "the ends of a range are integers: `1..n`".to_string(),
            (BinaryOp::Concat, _) => "tuples and ranges are sequences; one element is written `(a,)`".to_string(),
            (BinaryOp::Add, Value::Text(_)) => "join strings with `++`, or write `\"{value} …\"`".to_string(),
            (BinaryOp::Add | BinaryOp::Subtract, _) => "give it numbers, or two tuples of one length".to_string(),
            _ => "give it numbers".to_string(),
        };
        let mut diagnostic = Diagnostic::at(
            codes::WRONG_KIND,
            span,
            format!("`{}` needs {what}", op.text()),
            format!("this is {}", odd.kind()),
        );
        diagnostic.help = Some(help);
        Err(Fault::Error(Box::new(diagnostic)))
    }

    fn word_product(&mut self, a: &Value, b: &Value, left: Span, right: Span, span: Span) -> Run<Value> {
        if !matches!(a, Value::Perm(_)) && !matches!(b, Value::Perm(_)) {
            let (x, y) = (self.word_of(a, left)?, self.word_of(b, right)?);
            return self.joined_words(vec![(x, left), (y, right)], span);
        }
        let pairs = pairs_among([a, b]);
        let (x, y) = (self.operand(a, pairs.as_ref(), left)?, self.operand(b, pairs.as_ref(), right)?);
        self.perm_product(x, y, span).map(Value::Perm)
    }

    pub(super) fn compare(&mut self, first: &Ex, links: &[(CompareOp, Ex)]) -> Run<Value> {
        let mut left = self.eval(first)?;
        let mut left_span = first.span;
        for (op, right_ex) in links {
            let right = self.eval(right_ex)?;
            if !self.holds(*op, &left, &right, left_span, right_ex.span)? {
                return Ok(Value::Bool(false));
            }
            left = right;
            left_span = right_ex.span;
        }
        Ok(Value::Bool(true))
    }

    pub(super) fn holds(&mut self, op: CompareOp, a: &Value, b: &Value, left: Span, right: Span) -> Run<bool> {
        match op {
            CompareOp::Equal => self.equal_at(a, b, left, right),
            CompareOp::NotEqual => Ok(!self.equal_at(a, b, left, right)?),
            CompareOp::Less | CompareOp::LessEqual | CompareOp::Greater | CompareOp::GreaterEqual => {
                let ordering = match (a, b) {
                    (Value::Int(a), Value::Int(b)) => a.cmp(b),
                    _ if a.is_number() && b.is_number() => order(a, b),
                    (Value::Text(_), Value::Text(_)) => order(a, b),
                    (Value::Tuple(_) | Value::Range(..), Value::Tuple(_) | Value::Range(..))
                        if a.is_data() && b.is_data() =>
                    {
                        order(a, b)
                    }
                    _ => {
                        let (odd, span) = if a.is_number() { (b, right) } else { (a, left) };
                        let help = if matches!(odd, Value::Set(_) | Value::Group(_)) {
                            "sets and groups are compared with `subset`"
                        } else {
                            "only numbers, strings and tuples have an order"
                        };
                        return Err(Fault::at(
                            codes::DIFFERENT_KINDS,
                            span,
                            format!("`{}` cannot compare {} with {}", op.text(), a.kind(), b.kind()),
                            format!("this is {}", odd.kind()),
                            help,
                        ));
                    }
                };
                Ok(match op {
                    CompareOp::Less => ordering == Ordering::Less,
                    CompareOp::LessEqual => ordering != Ordering::Greater,
                    CompareOp::Greater => ordering == Ordering::Greater,
                    _ => ordering != Ordering::Less,
                })
            }
            CompareOp::In => self.contains(b, a, left, right),
            CompareOp::NotIn => Ok(!self.contains(b, a, left, right)?),
            CompareOp::Subset => match (a, b) {
                (Value::Set(a), Value::Set(b)) => Ok(a.is_subset(b)),
                (Value::Group(a), Value::Group(b)) => {
                    let (a, b, _) = self.both(a, b, right)?;
                    let inside = self.with_work(left.to(right), |work| a.is_subgroup_of(&b, work))?;
                    self.note(&b, || Says::Subgroup(a.as_ref().into(), inside));
                    Ok(inside)
                }
                (Value::Group(_), other) | (other, Value::Group(_)) => {
                    let span = if matches!(a, Value::Group(_)) { right } else { left };
                    Err(Fault::at(
                        codes::WRONG_KIND,
                        span,
                        "`subset` needs two groups, or two sets",
                        format!("this is {}", other.kind()),
                        "write `H subset G`; an element is in a group with `p in G`",
                    ))
                }
                _ => {
                    let (odd, span) = if matches!(a, Value::Set(_)) { (b, right) } else { (a, left) };
                    Err(Fault::at(
                        codes::WRONG_KIND,
                        span,
                        "`subset` needs two sets",
                        format!("this is {}", odd.kind()),
                        "a set is written `{a, b}`, a box of cells `(1..n, 1)`",
                    ))
                }
            },
        }
    }

    pub(super) fn contains(&mut self, all: &Value, one: &Value, left: Span, span: Span) -> Run<bool> {
        match all {
            Value::Group(group) => self.group_contains(group, one, left),
            Value::Set(set) => Ok(set.contains(one)),
            Value::Range(from, to) => match one {
                Value::Int(one) => Ok(from <= one && one <= to),
                _ => Ok(false),
            },
            Value::Tuple(parts) => {
                if one.is_data() && parts.iter().all(Value::is_data) {
                    return Ok(parts.iter().any(|part| order(part, one) == Ordering::Equal));
                }
                for part in parts.iter() {
                    if self.equal(part, one, span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Map(map) if one.is_data() => Ok(map.contains_key(&super::value::Key(one.clone()))),
            Value::Text(text) => match one {
                Value::Text(one) => Ok(text.contains(&**one)),
                _ => Ok(false),
            },
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no elements", other.kind()),
                "after `in`",
                "ask with a set, a sequence or a range",
            )),
        }
    }

    pub(super) fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Run<bool> {
        self.equal_at(a, b, span, span)
    }

    /// Equality; different kinds are an error, apart from word with permutation, a tuple with a range, and a word with
    /// 1 or `()`.
    fn equal_at(&mut self, a: &Value, b: &Value, left: Span, right: Span) -> Run<bool> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Ok(a == b),
            (Value::Nothing, Value::Nothing) => Ok(true),
            (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
            (Value::Text(a), Value::Text(b)) => Ok(a == b),
            (Value::Set(a), Value::Set(b)) => Ok(a == b),
            (Value::Group(a), Value::Group(b)) => {
                let (a, b, _) = self.both(a, b, right)?;
                let equal = self.with_work(left.to(right), |work| a.equals(&b, work))?;
                self.note(&a, || Says::Equal(b.as_ref().into(), equal));
                Ok(equal)
            }
            (Value::Homomorphism(a), Value::Homomorphism(b)) => self.same_map(a, b, left.to(right)),
            (Value::Board(a), Value::Board(b)) if Arc::ptr_eq(&a.of, &b.of) => Ok(a.board == b.board),
            (Value::Board(a), Value::Board(b)) => Err(Fault::at(
                codes::OTHER_PUZZLE,
                right,
                format!("a board of {} is compared with one of {}", a.of.name, b.of.name),
                "of another puzzle",
                "compare boards of one puzzle",
            )),
            (Value::Instance(a), Value::Instance(b)) => Ok(Arc::ptr_eq(a, b)),
            (Value::Puzzle(a), Value::Puzzle(b)) => Ok(a == b),
            _ if a.is_number() && b.is_number() => Ok(order(a, b) == Ordering::Equal),
            (Value::Tuple(_) | Value::Range(..), Value::Tuple(_) | Value::Range(..)) => {
                let (x, y) = (a.size().unwrap_or(0), b.size().unwrap_or(0));
                if x != y {
                    return Ok(false);
                }
                if let (Value::Range(a, _), Value::Range(b, _)) = (a, b) {
                    return Ok(x == 0 || a == b);
                }
                self.room_for(x as u128, left)?;
                let (a, b) = (a.elements().unwrap_or_default(), b.elements().unwrap_or_default());
                for (a, b) in a.iter().zip(&b) {
                    if !self.equal_at(a, b, left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Map(a), Value::Map(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (key, value) in a.iter() {
                    match b.get(key) {
                        Some(other) if self.equal_at(value, other, left, right)? => {}
                        _ => return Ok(false),
                    }
                }
                Ok(true)
            }
            _ if is_wordlike(a) || is_wordlike(b) => self.equal_words(a, b, left, right),
            _ => {
                let (x, y) = (self.print(a), self.print(b));
                Err(Fault::Error(Box::new(
                    Diagnostic::at(
                        codes::DIFFERENT_KINDS,
                        left,
                        format!("{} is compared with {}", a.kind(), b.kind()),
                        x,
                    )
                    .label(right, y)
                    .help(match (a, b) {
                        (Value::Set(_), Value::Tuple(_)) | (Value::Tuple(_), Value::Set(_)) => {
                            "a set of one cell is written `{(1, 2)}`, the empty set `{}`"
                        }
                        _ => "compare values of one kind",
                    }),
                )))
            }
        }
    }

    fn equal_words(&mut self, a: &Value, b: &Value, left: Span, right: Span) -> Run<bool> {
        for (value, span, word) in [(a, left, b), (b, right, a)] {
            if is_wordlike(value) {
                continue;
            }
            match value {
                Value::Int(1) => {}
                Value::Tuple(parts) if parts.is_empty() => {}
                Value::Int(_) | Value::Big(_) | Value::Fraction(_) => {
                    let shown = self.print(value);
                    return Err(Fault::at(
                        codes::WORD_AND_NUMBER,
                        span,
                        format!("{} is compared with the number {shown}", word.kind()),
                        "a number",
                        "the only number that is a word is 1; for the order of w compare `order(w)`, for its length `length(w)`",
                    ));
                }
                Value::Tuple(parts) if parts.iter().all(|part| matches!(part, Value::Int(_) | Value::Tuple(_))) => {
                    return Err(Fault::at(
                        codes::TUPLE_FOR_CYCLE,
                        span,
                        format!("{} is compared with a tuple", word.kind()),
                        "with commas it is a tuple",
                        super::effect::as_cycle(value),
                    ));
                }
                other => {
                    return Err(Fault::at(
                        codes::DIFFERENT_KINDS,
                        span,
                        format!("{} is compared with {}", word.kind(), other.kind()),
                        "not a word",
                        match other {
                            Value::Board(_) => "a board is compared with a board: `w(solved)` is the one after w",
                            _ => "compare a word with a word, a permutation, or 1",
                        },
                    ));
                }
            }
        }
        let pairs = pairs_among([a, b]);
        if !matches!(a, Value::Perm(_)) && !matches!(b, Value::Perm(_)) {
            let (x, y) = (self.word_of(a, left)?, self.word_of(b, right)?);
            let slides =
                |of: &Option<std::sync::Arc<super::Instance>>| of.as_ref().is_some_and(|of| of.sliding().is_some());
            if slides(&x.of) || slides(&y.of) {
                let mut of = x.of.clone();
                self.same_puzzle(&mut of, &y.of, left.to(right))?;
                return match of {
                    Some(of) => self.equal_everywhere(&x.word, &y.word, &of, left.to(right)),
                    None => Ok(true),
                };
            }
        }
        let (x, y) = match &pairs {
            Some(_) => (self.operand(a, pairs.as_ref(), left)?, self.operand(b, pairs.as_ref(), right)?),
            None => (self.perm_of(a, left)?, self.perm_of(b, right)?),
        };
        let (x, y) = self.aligned(x, y, left.to(right))?;
        Ok(x.perm == y.perm)
    }

    /// A non-negative count that fits a machine word.
    pub(super) fn small_count(&mut self, value: &Value, span: Span, what: &str) -> Run<u64> {
        value.as_big().and_then(|value| value.to_u64()).ok_or_else(|| {
            let shown = self.print(value);
            Fault::at(
                codes::BAD_ARGUMENT,
                span,
                format!("{what} cannot be {shown}"),
                "here",
                "give an integer that is not negative",
            )
        })
    }
}

/// A word, a permutation, or a family that may stand for its default member.
pub fn is_wordlike(value: &Value) -> bool {
    matches!(value, Value::Word(_) | Value::Perm(_) | Value::Family(..))
}
