//! Cells as points: coordinates that are forms.

use std::sync::Arc;

use super::{SymbolicPuzzle, wrong};
use crate::prove::{Constraint, Form, Poly, Region, Var};
use crate::source::Span;
use crate::symbolic::scope::elsewhere;
use crate::symbolic::{Follow, Machine, Value};

/// What a value is where a cell may stand.
pub(super) enum Meant {
    /// a point with as many coordinates as the cells have; it may be off the board
    Point(Vec<Form>),
    /// something that is no cell, whatever the board
    NoCell,
}

impl Machine<'_> {
    /// The coordinates that a value has as a cell of a puzzle; none if it is no tuple of that many integers.
    pub(super) fn coordinates_of(&mut self, of: &SymbolicPuzzle, value: &Value, span: Span) -> Follow<Meant> {
        let mut numbers: Vec<Poly> = Vec::with_capacity(of.width);
        match value {
            Value::Number(number) if of.plain => numbers.push(number.clone()),
            Value::Tuple(parts) if !of.plain && parts.len() == of.width => {
                for part in parts.iter() {
                    match part {
                        Value::Number(number) => numbers.push(number.clone()),
                        Value::Other(kind) => return Err(elsewhere(kind, span)),
                        _ => return Ok(Meant::NoCell),
                    }
                }
            }
            Value::Sequence(_) if !of.plain => {
                return match self.elements_if(value, of.width, span)? {
                    Some(parts) => self.coordinates_of(of, &Value::tuple(parts), span),
                    None => Ok(Meant::NoCell),
                };
            }
            Value::Other(kind) => return Err(elsewhere(kind, span)),
            // `1..2` is the tuple (1, 2)
            Value::Range(from, to) if !of.plain => {
                let length = self.fits(to.sub(from).and_then(|length| length.add(&Poly::int(1))), span)?;
                let length = self.linear(&length, span)?;
                let fits = self.fits(Constraint::equal(&length, &Form::int(of.width as i64)), span)?;
                if !self.decide(&fits)? {
                    return Ok(Meant::NoCell);
                }
                for k in 0..of.width as i64 {
                    numbers.push(self.fits(from.add(&Poly::int(k)), span)?);
                }
            }
            _ => return Ok(Meant::NoCell),
        }
        let mut point = Vec::with_capacity(numbers.len());
        for number in &numbers {
            let form = self.linear(number, span)?;
            if !self.is_integer(&form.poly(), span)? {
                return Ok(Meant::NoCell);
            }
            point.push(form);
        }
        Ok(Meant::Point(point))
    }

    /// The coordinates of a cell, if the value is one that lies on the board.
    pub(super) fn cell_on_board(
        &mut self,
        of: &SymbolicPuzzle,
        value: &Value,
        span: Span,
    ) -> Follow<Option<Vec<Form>>> {
        match self.coordinates_of(of, value, span)? {
            Meant::Point(point) => Ok(if self.on_board(of, &point, span)? { Some(point) } else { None }),
            Meant::NoCell => Ok(None),
        }
    }

    pub(super) fn on_board(&mut self, of: &SymbolicPuzzle, point: &[Form], span: Span) -> Follow<bool> {
        let inside = of.cells.contains(&self.known, point);
        self.done(inside, span)
    }

    /// The message for a value that is no cell where one is needed.
    pub(super) fn no_cell<T>(&self, of: &SymbolicPuzzle, value: &Value, span: Span) -> Follow<T> {
        wrong(span, format!("{} is not a cell of {}", self.print(value), of.name))
    }

    /// Are two points the same?
    pub(super) fn same_point(&mut self, a: &[Form], b: &[Form], span: Span) -> Follow<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            let equal = self.fits(Constraint::equal(a, b), span)?;
            if !self.decide(&equal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Do all conditions of a region hold?
    pub(super) fn decide_region(&mut self, region: &Region) -> Follow<bool> {
        if region.is_empty_in(&self.known) {
            return Ok(false);
        }
        for constraint in &region.constraints {
            if !self.decide(constraint)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A cell's value.
pub(super) fn cell_value(of: Option<&Arc<SymbolicPuzzle>>, point: &[Form]) -> Value {
    let number = |form: &Form| Value::Number(form.poly());
    match point {
        [only] if of.is_none_or(|of| of.plain) => number(only),
        _ => Value::tuple(point.iter().map(number).collect()),
    }
}

/// A region over coordinates, seen at a point.
pub(super) fn at_point<'a>(point: &'a [Form]) -> impl Fn(Var) -> Option<Form> + 'a {
    |var: Var| point.get(var as usize).cloned()
}

/// Variables of a scope, seen as coordinates 0, 1, ….
pub(super) fn as_coordinates(vars: &[Var]) -> impl Fn(Var) -> Option<Form> + '_ {
    |var: Var| vars.iter().position(|known| *known == var).map(|at| Form::var(at as Var))
}

/// Coordinates 0, 1, …, seen as variables of a scope.
pub(super) fn as_variables(vars: &[Var]) -> impl Fn(Var) -> Option<Form> + '_ {
    |var: Var| vars.get(var as usize).map(|var| Form::var(*var))
}
