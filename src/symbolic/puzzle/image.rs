//! Where cells, sets and tuples of cells go.

use std::sync::Arc;

use super::point::{Meant, cell_value};
use super::{PermValue, beyond, wrong};
use crate::prove::{Constraint, Form, Poly, Region, Union, Var};
use crate::source::Span;
use crate::symbolic::scope::elsewhere;
use crate::symbolic::{Follow, Machine, Segment, Sequence, Set, Value};

impl Machine<'_> {
    /// Where the content of a cell ends up; sets and tuples of cells element by element, at any depth.
    pub fn image_of(&mut self, word: &Value, argument: &Value, span: Span) -> Follow<Value> {
        let perm = self.perm_of(word, span)?;
        if let (Value::Set(set), true) = (argument, self.wants_notes)
            && let Set::Cells { union, .. } = &**set
        {
            self.note_image(word, union, span)?;
        }
        self.map_cells(&perm, argument, span)
    }

    fn map_cells(&mut self, perm: &PermValue, value: &Value, span: Span) -> Follow<Value> {
        let Some(of) = perm.of.clone() else {
            return match value {
                // integers outside puzzles: those that are not named stay
                Value::Number(number) if self.is_integer(number, span)? => {
                    let point = [self.linear(number, span)?];
                    self.map_point(perm, &point, span)
                }
                _ => stacker::maybe_grow(64 << 10, 2 << 20, || self.map_inside(perm, value, span)),
            };
        };
        match value {
            Value::Number(_) if of.plain => {}
            Value::Tuple(parts) if !of.plain && !parts.is_empty() => {
                // numbers side by side are one cell, not a tuple of cells
                if !parts.iter().all(|part| matches!(part, Value::Number(_))) {
                    return stacker::maybe_grow(64 << 10, 2 << 20, || self.map_inside(perm, value, span));
                }
            }
            Value::Range(..) if !of.plain => {}
            Value::Tuple(_) | Value::Set(_) | Value::Range(..) | Value::Sequence(_) => {
                return stacker::maybe_grow(64 << 10, 2 << 20, || self.map_inside(perm, value, span));
            }
            Value::Other(kind) => return Err(elsewhere(kind, span)),
            Value::Cells(_) => {
                return beyond(
                    span,
                    "the tuple of the images of all cells",
                    "ask for the image of the set: `w(set(cells))`",
                );
            }
            _ => return self.no_cell(&of, value, span),
        }
        match self.coordinates_of(&of, value, span)? {
            Meant::Point(point) if self.on_board(&of, &point, span)? => self.map_point(perm, &point, span),
            _ => self.no_cell(&of, value, span),
        }
    }

    fn map_point(&mut self, perm: &PermValue, point: &[Form], span: Span) -> Follow<Value> {
        let image = perm.map.image(&self.known, point);
        let image = self.done(image, span)?;
        Ok(cell_value(perm.of.as_ref(), &image))
    }

    fn map_inside(&mut self, perm: &PermValue, value: &Value, span: Span) -> Follow<Value> {
        match value {
            Value::Tuple(parts) => {
                let mut mapped = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    mapped.push(self.map_cells(perm, part, span)?);
                }
                Ok(Value::tuple(mapped))
            }
            Value::Set(set) => match &**set {
                Set::Cells { union, plain } => self.map_set(perm, union, *plain, span),
                Set::Finite(values) => {
                    let mut mapped = Vec::with_capacity(values.len());
                    for value in values {
                        mapped.push(self.map_cells(perm, value, span)?);
                    }
                    self.set_of(mapped, span)
                }
            },
            Value::Range(from, to) => {
                let above = self.fits(to.sub(from), span)?;
                if !self.at_least_zero(&above, span)? {
                    return Ok(Value::tuple(Vec::new()));
                }
                let var = self.fresh("k", span)?;
                let segment =
                    Segment { var: Some((var, from.clone(), to.clone())), value: Value::Number(Poly::var(var)) };
                self.map_segments(perm, &[segment], span)
            }
            Value::Sequence(sequence) => self.map_segments(perm, &sequence.segments, span),
            other => match &perm.of {
                Some(of) => self.no_cell(of, other, span),
                None => wrong(span, format!("a permutation does not move {}", other.kind())),
            },
        }
    }

    fn map_set(&mut self, perm: &PermValue, cells: &Union, plain: bool, span: Span) -> Follow<Value> {
        if let Some(of) = &perm.of {
            let fits = of.plain == plain && (of.width == cells.width);
            // the empty set has cells of no kind
            let is_there = !fits && self.done(cells.is_inhabited(&self.known), span)?;
            if is_there {
                return wrong(span, format!("the set has elements that are no cells of {}", of.name));
            }
            if !fits {
                return Ok(Value::Set(Arc::new(Set::Finite(Vec::new()))));
            }
            if !self.done(cells.is_subset(&self.known, &of.cells), span)? {
                return wrong(span, format!("the set has elements that are no cells of {}", of.name));
            }
        } else if cells.width != 1 || !plain {
            return wrong(span, "a permutation outside a puzzle moves integers");
        }
        let image = perm.map.image_of(&self.known, cells);
        let union = self.done(image, span)?;
        Ok(Value::Set(Arc::new(Set::Cells { union, plain })))
    }

    /// The images of the elements of a sequence, in its order.
    fn map_segments(&mut self, perm: &PermValue, segments: &[Segment], span: Span) -> Follow<Value> {
        let mut mapped: Vec<Segment> = Vec::with_capacity(segments.len());
        for segment in segments {
            let Some((var, from, to)) = &segment.var else {
                mapped.push(Segment { var: None, value: self.map_cells(perm, &segment.value, span)? });
                continue;
            };
            let each = self.fresh(&self.name(*var), span)?;
            let here = Form::var(each);
            let value = self.instantiate(&segment.value, *var, &Poly::var(each), span)?;
            let (low, high) = (self.linear(from, span)?, self.linear(to, span)?);
            let mut scope = Region::all();
            scope.push(self.fits(Constraint::less_eq(&low, &here), span)?);
            scope.push(self.fits(Constraint::less_eq(&here, &high), span)?);
            let leaves = self.each_leaf(&[each], scope, &mut |machine| machine.map_cells(perm, &value, span))?;
            mapped.extend(self.segments_in_order(each, leaves, span)?);
        }
        Ok(Value::Sequence(Arc::new(Sequence { segments: mapped })))
    }

    /// The cases of a sequence as segments in increasing order of its variable.
    fn segments_in_order(&mut self, var: Var, leaves: Vec<(Region, Value)>, span: Span) -> Follow<Vec<Segment>> {
        let mut stretches: Vec<(Form, Form, Value)> = Vec::with_capacity(leaves.len());
        for (region, value) in leaves {
            let Some((low, high)) = self.stretch(var, &region, span)? else { continue };
            // before the first one that lies behind it
            let mut at = stretches.len();
            for (place, (other, ..)) in stretches.iter().enumerate() {
                let before = self.fits(Constraint::less(&high, other), span)?;
                if self.decide(&before)? {
                    at = place;
                    break;
                }
            }
            stretches.insert(at, (low, high, value));
        }
        let mut segments = Vec::with_capacity(stretches.len());
        for (low, high, value) in stretches {
            if low == high {
                let value = self.instantiate(&value, var, &low.poly(), span)?;
                segments.push(Segment { var: None, value });
                continue;
            }
            let own = self.fresh(&self.name(var), span)?;
            let value = self.instantiate(&value, var, &Poly::var(own), span)?;
            segments.push(Segment { var: Some((own, low.poly(), high.poly())), value });
        }
        Ok(segments)
    }

    /// The first and last value of a variable in a case; none if there is no value.
    fn stretch(&mut self, var: Var, region: &Region, span: Span) -> Follow<Option<(Form, Form)>> {
        let (mut low, mut high): (Option<Form>, Option<Form>) = (None, None);
        for constraint in &region.constraints {
            let form = constraint.form();
            let coefficient = form.coefficient(var);
            if coefficient == 0 {
                if !self.decide(constraint)? {
                    return Ok(None);
                }
                continue;
            }
            let own = self.fits(Form::var(var).scale(coefficient, 1), span)?;
            let bound = self.fits(form.sub(&own).and_then(|rest| rest.scale(-1, coefficient)), span)?;
            let sides = match constraint {
                Constraint::Ge(_) if coefficient.abs() == 1 => (coefficient > 0, coefficient < 0),
                Constraint::Eq(_) if coefficient.abs() == 1 => (true, true),
                _ => {
                    return beyond(
                        span,
                        "the image of a sequence whose parts are no stretches of it",
                        "ask for the image of the set of its elements",
                    );
                }
            };
            if sides.0 {
                low = Some(match low {
                    None => bound.clone(),
                    Some(known) => {
                        let less = self.fits(Constraint::less_eq(&known, &bound), span)?;
                        if self.decide(&less)? { bound.clone() } else { known }
                    }
                });
            }
            if sides.1 {
                high = Some(match high {
                    None => bound,
                    Some(known) => {
                        let less = self.fits(Constraint::less_eq(&bound, &known), span)?;
                        if self.decide(&less)? { bound } else { known }
                    }
                });
            }
        }
        let (Some(low), Some(high)) = (low, high) else {
            return beyond(span, "a sequence without end", "give its range two ends");
        };
        let some = self.fits(Constraint::less_eq(&low, &high), span)?;
        Ok(if self.decide(&some)? { Some((low, high)) } else { None })
    }
}
