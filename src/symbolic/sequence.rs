//! Sequences: tuples, ranges, and tuples whose length depends on the point, which are segments one after another.

mod compare;
mod comprehension;

use std::sync::Arc;

use super::scope::elsewhere;
use super::{Closure, Follow, Machine, Segment, Sequence, Set, Stop, Value};
use crate::prove::{Poly, Union, Var};
use crate::source::Span;

/// Sequences longer than this are not written out.
const WRITTEN_OUT: i64 = 64;

/// A place that depends on the point is looked for among at most so many elements.
const PLACES: usize = 32;

/// The segments as one sequence: a tuple, if the length is fixed.
pub(super) fn joined(segments: Vec<Segment>) -> Value {
    match segments.iter().all(|segment| segment.var.is_none()) {
        true => Value::tuple(segments.into_iter().map(|segment| segment.value).collect()),
        false => Value::Sequence(Arc::new(Sequence { segments })),
    }
}

fn one(value: Value) -> Segment {
    Segment { var: None, value }
}

fn open(span: Span) -> Stop {
    Stop::beyond(
        span,
        "a sequence whose length depends on the parameters, used element by element",
        "go through it with `for`, or give a range: `for n in 5..24`",
    )
}

impl Machine<'_> {
    /// The segments of a tuple, range or sequence.
    pub(super) fn segments(&mut self, value: &Value, span: Span) -> Follow<Vec<Segment>> {
        match value {
            Value::Tuple(values) => Ok(values.iter().cloned().map(one).collect()),
            Value::Sequence(sequence) => Ok(sequence.segments.clone()),
            Value::Range(from, to) => {
                let length = self.len_of(value, span)?;
                if length.is_zero() {
                    return Ok(Vec::new());
                }
                let var = self.fresh("k", span)?;
                let bounds = Some((var, from.clone(), to.clone()));
                Ok(vec![Segment { var: bounds, value: Value::Number(Poly::var(var)) }])
            }
            Value::Cells(_) => Err(Stop::beyond(span, "all cells in their order", "use the set of cells")),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("a sequence is needed here, not {}", other.kind()))),
        }
    }

    /// How many elements a segment has.
    fn length_of_segment(&mut self, segment: &Segment, span: Span) -> Follow<Poly> {
        match &segment.var {
            None => Ok(Poly::int(1)),
            Some((_, from, to)) => {
                let width = self.difference_of(to, from, span)?;
                self.sum_of(&width, &Poly::int(1), span)
            }
        }
    }

    /// How many elements a sequence or set has.
    pub fn len_of(&mut self, value: &Value, span: Span) -> Follow<Poly> {
        match value {
            Value::Tuple(values) => Ok(Poly::int(values.len() as i64)),
            Value::Text(text) => Ok(Poly::int(text.chars().count() as i64)),
            Value::Range(from, to) => {
                let width = self.difference_of(to, from, span)?;
                let length = self.sum_of(&width, &Poly::int(1), span)?;
                Ok(if self.at_least_zero(&length, span)? { length } else { Poly::zero() })
            }
            Value::Sequence(sequence) => {
                let mut sum = Poly::zero();
                for segment in &sequence.segments {
                    let length = self.length_of_segment(segment, span)?;
                    sum = self.sum_of(&sum, &length, span)?;
                }
                Ok(sum)
            }
            Value::Cells(of) => self.done(of.cells.count(&self.known), span),
            Value::Set(set) => self.size_of_set(set, span),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no elements to count", other.kind()))),
        }
    }

    /// The elements of a sequence of fixed length.
    pub fn elements(&mut self, value: &Value, span: Span) -> Follow<Vec<Value>> {
        if let Value::Tuple(values) = value {
            return Ok(values.to_vec());
        }
        if let Value::Text(text) = value {
            return Ok(text.chars().map(|c| Value::Text(c.to_string().into())).collect());
        }
        let mut all = Vec::new();
        for segment in self.segments(value, span)? {
            let Some((var, from, _)) = &segment.var else {
                all.push(segment.value);
                continue;
            };
            let length = self.length_of_segment(&segment, span)?;
            let length = self.with_known(&length, span)?;
            let Some(length) = length.as_int() else { return Err(open(span)) };
            if length > WRITTEN_OUT {
                return Err(Stop::beyond(span, "a long sequence, element by element", "go through it with `for`"));
            }
            for over in 0..length {
                let at = self.sum_of(from, &Poly::int(over), span)?;
                all.push(self.instantiate(&segment.value, *var, &at, span)?);
            }
        }
        Ok(all)
    }

    /// The elements, if there are so many.
    pub(super) fn elements_if(&mut self, value: &Value, count: usize, span: Span) -> Follow<Option<Vec<Value>>> {
        if let Value::Tuple(values) = value {
            return Ok((values.len() == count).then(|| values.to_vec()));
        }
        let length = self.len_of(value, span)?;
        if !self.is_number(&length, count as i64, span)? {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(count);
        for at in 1..=count {
            all.push(self.at_index(value, &Poly::int(at as i64), span)?);
        }
        Ok(Some(all))
    }

    /// The element with a number, from 1.
    pub fn at_index(&mut self, value: &Value, index: &Poly, span: Span) -> Follow<Value> {
        if !self.is_integer(index, span)? {
            return Err(Stop::wrong(span, "an index is an integer, not a fraction"));
        }
        let out = || Stop::wrong(span, "there is no element with this number");
        let length = self.len_of(value, span)?;
        let (over, under) =
            (self.difference_of(index, &Poly::int(1), span)?, self.difference_of(&length, index, span)?);
        if !self.at_least_zero(&over, span)? || !self.at_least_zero(&under, span)? {
            return Err(out());
        }
        match value {
            Value::Range(from, _) => Ok(Value::Number(self.sum_of(from, &over, span)?)),
            Value::Tuple(values) => {
                let index = self.with_known(index, span)?;
                if let Some(at) = index.as_int() {
                    return values.get(at as usize - 1).cloned().ok_or_else(out);
                }
                if values.len() > PLACES {
                    return Err(Stop::beyond(
                        span,
                        "an element of a long tuple by a number that is not fixed",
                        "split the claim",
                    ));
                }
                for (at, value) in values.iter().enumerate() {
                    if self.is_number(&index, at as i64 + 1, span)? {
                        return Ok(value.clone());
                    }
                }
                Err(out())
            }
            Value::Text(_) | Value::Sequence(_) => {
                if let Value::Text(_) = value {
                    let letters = Value::tuple(self.elements(value, span)?);
                    return self.at_index(&letters, index, span);
                }
                let mut left = over;
                let segments = self.segments(value, span)?;
                let last = segments.len().saturating_sub(1);
                for (place, segment) in segments.iter().enumerate() {
                    let length = self.length_of_segment(segment, span)?;
                    let room = self.difference_of(&length, &left, span)?;
                    // the last one has it: the index is in range
                    if place == last || self.above_zero(&room, span)? {
                        return match &segment.var {
                            None => Ok(segment.value.clone()),
                            Some((var, from, _)) => {
                                let at = self.sum_of(from, &left, span)?;
                                self.instantiate(&segment.value, *var, &at, span)
                            }
                        };
                    }
                    left = self.difference_of(&left, &length, span)?;
                }
                Err(out())
            }
            Value::Cells(_) => Err(Stop::beyond(span, "a cell by its number", "name the cell by its coordinates")),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no numbered elements", other.kind()))),
        }
    }

    /// `xs[from..to]`
    pub(super) fn slice(&mut self, value: &Value, from: &Poly, to: &Poly, span: Span) -> Follow<Value> {
        let width = self.difference_of(to, from, span)?;
        if !self.at_least_zero(&width, span)? {
            return Ok(Value::tuple(Vec::new()));
        }
        let length = self.len_of(value, span)?;
        let (over, under) = (self.difference_of(from, &Poly::int(1), span)?, self.difference_of(&length, to, span)?);
        if !self.at_least_zero(&over, span)? || !self.at_least_zero(&under, span)? {
            return Err(Stop::wrong(span, "there is no such part of the sequence"));
        }
        match value {
            Value::Range(first, _) => {
                let start = self.sum_of(first, &over, span)?;
                let end = self.sum_of(&start, &width, span)?;
                Ok(Value::Range(start, end))
            }
            Value::Tuple(_) | Value::Sequence(_) => {
                // what is still to be skipped, and then still to be taken
                let (mut skip, mut take) = (over, self.sum_of(&width, &Poly::int(1), span)?);
                let mut part = Vec::new();
                for segment in self.segments(value, span)? {
                    if take.is_zero() || self.is_zero(&take, span)? {
                        break;
                    }
                    let length = self.length_of_segment(&segment, span)?;
                    let rest = self.difference_of(&length, &skip, span)?;
                    if !self.above_zero(&rest, span)? {
                        skip = self.difference_of(&skip, &length, span)?;
                        continue;
                    }
                    let more = self.difference_of(&take, &rest, span)?;
                    let taken = if self.at_least_zero(&more, span)? { rest } else { take.clone() };
                    match segment.var {
                        None => part.push(segment),
                        Some((var, from, _)) => {
                            let start = self.sum_of(&from, &skip, span)?;
                            let end = self.sum_of(&start, &taken, span)?;
                            let end = self.difference_of(&end, &Poly::int(1), span)?;
                            part.push(Segment { var: Some((var, start, end)), value: segment.value });
                        }
                    }
                    take = self.difference_of(&take, &taken, span)?;
                    skip = Poly::zero();
                }
                Ok(joined(part))
            }
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::beyond(span, format!("a part of {}", other.kind()), "take parts of tuples and ranges")),
        }
    }

    /// `xs ++ ys`
    pub(super) fn concatenated(&mut self, a: &Value, b: &Value, span: Span) -> Follow<Value> {
        let mut segments = self.segments(a, span)?;
        segments.extend(self.segments(b, span)?);
        Ok(joined(segments))
    }

    /// The elements from last to first.
    pub(super) fn reversed(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let mut segments = Vec::new();
        for segment in self.segments(value, span)?.into_iter().rev() {
            segments.push(match segment.var {
                None => segment,
                Some((var, from, to)) => {
                    let turned = self.fresh("k", span)?;
                    let sum = self.sum_of(&from, &to, span)?;
                    let at = self.difference_of(&sum, &Poly::var(turned), span)?;
                    let value = self.instantiate(&segment.value, var, &at, span)?;
                    Segment { var: Some((turned, from, to)), value }
                }
            });
        }
        Ok(joined(segments))
    }

    /// The pairs (number, element), numbers from 1.
    pub(super) fn enumerated(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let mut before = Poly::zero();
        let mut segments = Vec::new();
        for segment in self.segments(value, span)? {
            let length = self.length_of_segment(&segment, span)?;
            let number = match &segment.var {
                None => self.sum_of(&before, &Poly::int(1), span)?,
                Some((var, from, _)) => {
                    let over = self.difference_of(&Poly::var(*var), from, span)?;
                    let number = self.sum_of(&before, &over, span)?;
                    self.sum_of(&number, &Poly::int(1), span)?
                }
            };
            let value = Value::tuple(vec![Value::Number(number), segment.value]);
            segments.push(Segment { var: segment.var, value });
            before = self.sum_of(&before, &length, span)?;
        }
        Ok(joined(segments))
    }

    /// A value with a number in place of a variable.
    pub(super) fn instantiate(&mut self, value: &Value, var: Var, by: &Poly, span: Span) -> Follow<Value> {
        match value {
            Value::Number(poly) => Ok(Value::Number(self.put(poly, var, by, span)?)),
            Value::Tuple(parts) => {
                let parts =
                    parts.iter().map(|part| self.instantiate(part, var, by, span)).collect::<Follow<Vec<Value>>>()?;
                Ok(Value::tuple(parts))
            }
            Value::Range(from, to) => Ok(Value::Range(self.put(from, var, by, span)?, self.put(to, var, by, span)?)),
            Value::Sequence(sequence) => {
                let mut segments = Vec::with_capacity(sequence.segments.len());
                for segment in &sequence.segments {
                    let bounds = match &segment.var {
                        None => None,
                        Some((own, from, to)) => {
                            Some((*own, self.put(from, var, by, span)?, self.put(to, var, by, span)?))
                        }
                    };
                    segments.push(Segment { var: bounds, value: self.instantiate(&segment.value, var, by, span)? });
                }
                Ok(joined(segments))
            }
            Value::Set(set) => match &**set {
                Set::Finite(values) => {
                    let values = values
                        .iter()
                        .map(|part| self.instantiate(part, var, by, span))
                        .collect::<Follow<Vec<Value>>>()?;
                    self.set_of(values, span)
                }
                Set::Cells { union, plain } => {
                    if !union.regions.iter().any(|region| region.vars().contains(&var)) {
                        return Ok(value.clone());
                    }
                    let form = self.linear(by, span)?;
                    let mut regions = Vec::with_capacity(union.regions.len());
                    for region in &union.regions {
                        let put = region.substitute(&|known| (known == var).then(|| form.clone()));
                        regions.push(self.fits(put, span)?);
                    }
                    let union = Union::of(union.width, regions);
                    Ok(Value::Set(Arc::new(Set::Cells { union, plain: *plain })))
                }
            },
            Value::Word(word) => Ok(Value::Word(self.substitute_word(word, var, by, span)?)),
            Value::Map(perm) => Ok(Value::Map(self.substitute_map(perm, var, by, span)?)),
            Value::Function(closure) => {
                let depends = closure.instance.as_ref().is_some_and(|of| of.args.iter().any(|arg| mentions(arg, var)));
                if depends {
                    return Err(Stop::beyond(span, "a tuple of functions", "call them where they are made"));
                }
                let captured = closure
                    .captured
                    .iter()
                    .map(|part| self.instantiate(part, var, by, span))
                    .collect::<Follow<Vec<Value>>>()?;
                let (function, instance) = (closure.function.clone(), closure.instance.clone());
                Ok(Value::Function(Arc::new(Closure { function, captured, instance })))
            }
            Value::Family(of, _) | Value::Instance(of) | Value::Cells(of) => {
                match of.args.iter().any(|arg| mentions(arg, var)) {
                    true => Err(Stop::beyond(span, "a tuple of puzzles", "name the puzzle where it is used")),
                    false => Ok(value.clone()),
                }
            }
            Value::Nothing
            | Value::Bool(_)
            | Value::Text(_)
            | Value::Builtin(_)
            | Value::Puzzle(_)
            | Value::Other(_) => Ok(value.clone()),
        }
    }

    fn put(&self, poly: &Poly, var: Var, by: &Poly, span: Span) -> Follow<Poly> {
        if !poly.vars().contains(&var) {
            return Ok(poly.clone());
        }
        self.fits(poly.substitute(&|other| (other == var).then(|| by.clone())), span)
    }
}

/// Does an argument of a puzzle mention a variable?
fn mentions(value: &Value, var: Var) -> bool {
    match value {
        Value::Number(poly) => poly.vars().contains(&var),
        Value::Tuple(parts) => parts.iter().any(|part| mentions(part, var)),
        Value::Range(from, to) => from.vars().contains(&var) || to.vars().contains(&var),
        Value::Nothing | Value::Bool(_) | Value::Text(_) | Value::Puzzle(_) | Value::Builtin(_) => false,
        // whatever else it may be: it might
        _ => true,
    }
}
