//! Two sequences side by side, segment by segment: equal, zipped; and whether some or all elements have a property.

use std::sync::Arc;

use super::{joined, open};
use crate::prove::{Poly, Var};
use crate::source::Span;
use crate::symbolic::scope::worst;
use crate::symbolic::{Ending, Follow, Leaf, Machine, Segment, Sequence, Stop, Value};

/// The variable of two segments with its range, if they have one, and their values.
type SideBySide = (Option<(Var, Poly, Poly)>, Value, Value);

impl Machine<'_> {
    /// Two sequences in pieces of the same lengths, as far as both go.
    fn in_step(&mut self, a: &Value, b: &Value, span: Span) -> Follow<Vec<(Segment, Segment)>> {
        let (mut left, mut right) = (self.segments(a, span)?, self.segments(b, span)?);
        left.reverse();
        right.reverse();
        let mut pairs = Vec::new();
        while let (Some(x), Some(y)) = (left.pop(), right.pop()) {
            self.step(span)?;
            let (m, n) = (self.length_of_segment(&x, span)?, self.length_of_segment(&y, span)?);
            let difference = self.difference_of(&m, &n, span)?;
            if self.is_zero(&difference, span)? {
                pairs.push((x, y));
            } else if self.above_zero(&difference, span)? {
                if x.var.is_none() {
                    // the other one is empty
                    left.push(x);
                    continue;
                }
                let (first, rest) = self.cut(x, &n, span)?;
                left.push(rest);
                pairs.push((first, y));
            } else {
                if y.var.is_none() {
                    right.push(y);
                    continue;
                }
                let (first, rest) = self.cut(y, &m, span)?;
                right.push(rest);
                pairs.push((x, first));
            }
        }
        Ok(pairs)
    }

    /// The first elements of a segment, and the others.
    fn cut(&mut self, segment: Segment, count: &Poly, span: Span) -> Follow<(Segment, Segment)> {
        let Some((var, from, to)) = segment.var else {
            return Err(open(span));
        };
        let start = self.sum_of(&from, count, span)?;
        let end = self.difference_of(&start, &Poly::int(1), span)?;
        let first = Segment { var: Some((var, from, end)), value: segment.value.clone() };
        Ok((first, Segment { var: Some((var, start, to)), value: segment.value }))
    }

    /// A value for each place of two segments of the same length, in the same variable.
    fn side_by_side(&mut self, a: &Segment, b: &Segment, span: Span) -> Follow<SideBySide> {
        match (&a.var, &b.var) {
            (None, None) => Ok((None, a.value.clone(), b.value.clone())),
            (Some((x, from, to)), Some((y, start, _))) => {
                let var = self.fresh("k", span)?;
                let here = Poly::var(var);
                let over = self.difference_of(&here, from, span)?;
                let there = self.sum_of(start, &over, span)?;
                let left = self.instantiate(&a.value, *x, &here, span)?;
                let right = self.instantiate(&b.value, *y, &there, span)?;
                Ok((Some((var, from.clone(), to.clone())), left, right))
            }
            (None, Some((y, start, _))) => {
                let right = self.instantiate(&b.value, *y, start, span)?;
                Ok((None, a.value.clone(), right))
            }
            (Some((x, start, _)), None) => {
                let left = self.instantiate(&a.value, *x, start, span)?;
                Ok((None, left, b.value.clone()))
            }
        }
    }

    /// The pairs of elements of two sequences, as far as both go.
    pub(in crate::symbolic) fn zipped(&mut self, a: &Value, b: &Value, span: Span) -> Follow<Value> {
        let mut segments = Vec::new();
        for (x, y) in self.in_step(a, b, span)? {
            let (var, left, right) = self.side_by_side(&x, &y, span)?;
            segments.push(Segment { var, value: Value::tuple(vec![left, right]) });
        }
        Ok(joined(segments))
    }

    /// Equality of sequences, element by element from the left. As data, elements of different kinds are just not the same.
    pub(in crate::symbolic) fn sequences_equal(
        &mut self,
        a: &Value,
        b: &Value,
        data: bool,
        span: Span,
    ) -> Follow<bool> {
        if let (Value::Tuple(x), Value::Tuple(y)) = (a, b) {
            if x.len() != y.len() {
                return Ok(false);
            }
            for (x, y) in x.iter().zip(y.iter()) {
                let same = if data { self.same_data(x, y, span)? } else { self.equal(x, y, span)? };
                if !same {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if let (Value::Cells(x), Value::Cells(y)) = (a, b)
            && Arc::ptr_eq(x, y)
        {
            return Ok(true);
        }
        let (m, n) = (self.len_of(a, span)?, self.len_of(b, span)?);
        let difference = self.difference_of(&m, &n, span)?;
        if !self.is_zero(&difference, span)? {
            return Ok(false);
        }
        for (x, y) in self.in_step(a, b, span)? {
            let (bounds, left, right) = self.side_by_side(&x, &y, span)?;
            let same = match bounds {
                None => {
                    if data {
                        self.same_data(&left, &right, span)?
                    } else {
                        self.equal(&left, &right, span)?
                    }
                }
                Some((var, from, to)) => {
                    let scope = self.between(var, &from, &to, span)?;
                    let cases = self.outcomes(&[var], scope, span, &mut |machine| {
                        if data { machine.same_data(&left, &right, span) } else { machine.equal(&left, &right, span) }
                    })?;
                    let endings =
                        cases.into_iter().map(|(scope, value)| Leaf { vars: vec![var], scope, value }).collect();
                    self.quantified(endings, true, span)?
                }
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Has a sequence an element for which this is true?
    pub(in crate::symbolic) fn some_element(
        &mut self,
        sequence: &Sequence,
        span: Span,
        test: &mut dyn FnMut(&mut Self, Value) -> Follow<bool>,
    ) -> Follow<bool> {
        for segment in &sequence.segments {
            let found = match &segment.var {
                None => test(self, segment.value.clone())?,
                Some((var, from, to)) => {
                    let own = self.fresh("k", span)?;
                    let value = self.instantiate(&segment.value, *var, &Poly::var(own), span)?;
                    let scope = self.between(own, from, to, span)?;
                    let cases = self.outcomes(&[own], scope, span, &mut |machine| test(machine, value.clone()))?;
                    let endings =
                        cases.into_iter().map(|(scope, value)| Leaf { vars: vec![own], scope, value }).collect();
                    self.quantified(endings, false, span)?
                }
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Are all cases as wanted (for `all` true, for `any` false)? Gives what the quantifier gives. A case that is not, and
    /// an error in another: which comes first is not known here.
    pub(in crate::symbolic) fn quantified(
        &mut self,
        endings: Vec<Ending<bool>>,
        wanted: bool,
        span: Span,
    ) -> Follow<bool> {
        let (mut found, mut troubles) = (false, Vec::new());
        for Leaf { vars, scope, value } in endings {
            match value {
                Ok(value) if value == wanted => {}
                Ok(_) => found = found || self.is_inhabited(&vars, &scope, span)?,
                Err(stop) => {
                    if self.is_inhabited(&vars, &scope, span)? {
                        troubles.push(stop);
                    }
                }
            }
        }
        match (found, worst(troubles, span)) {
            (found, None) => Ok(found != wanted),
            (false, Some(stop)) => Err(stop),
            (true, Some(stop @ Stop::Beyond { .. })) => Err(stop),
            (true, Some(_)) => Err(Stop::beyond(
                span,
                "an error for some elements where others decide the answer",
                "ask for fewer elements",
            )),
        }
    }
}
