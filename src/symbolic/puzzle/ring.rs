//! Rings of cells in a script: cycles through sequences, and moves that turn lines.

use std::sync::Arc;

use super::{SymbolicPuzzle, beyond, wrong};
use crate::prove::{Constraint, Form, PLACE, Piece, Piecewise, Poly, Region, Ring, Stretch, Var};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Segment, Value};

impl Machine<'_> {
    /// The ring through the elements of a sequence, which are different cells of the board.
    pub(super) fn ring_of_sequence(
        &mut self,
        elements: &Value,
        of: Option<&Arc<SymbolicPuzzle>>,
        span: Span,
    ) -> Follow<Ring> {
        let segments: Vec<Segment> = match elements {
            Value::Range(from, to) => {
                let var = self.fresh("k", span)?;
                let above = self.fits(to.sub(from), span)?;
                match self.at_least_zero(&above, span)? {
                    true => {
                        vec![Segment {
                            var: Some((var, from.clone(), to.clone())),
                            value: Value::Number(Poly::var(var)),
                        }]
                    }
                    false => Vec::new(),
                }
            }
            Value::Sequence(sequence) => sequence.segments.clone(),
            other => return wrong(span, format!("a cycle needs a sequence of cells, not {}", other.kind())),
        };
        let width = of.map_or(1, |of| of.width);
        let mut length = Form::int(0);
        let mut parts: Vec<Stretch> = Vec::with_capacity(segments.len());
        for segment in &segments {
            let part = self.part_of_segment(segment, &length, of, span)?;
            length = self.fits(length.add(&part.length), span)?;
            parts.push(part);
        }
        for (at, part) in parts.iter().enumerate() {
            for other in &parts[..=at] {
                if self.meets(part, other, std::ptr::eq(part, other), span)? {
                    return wrong(span, "a cell stands twice in one cycle");
                }
            }
        }
        Ok(Ring::Path { width, length, parts })
    }

    fn part_of_segment(
        &mut self,
        segment: &Segment,
        first: &Form,
        of: Option<&Arc<SymbolicPuzzle>>,
        span: Span,
    ) -> Follow<Stretch> {
        let Some((var, from, to)) = &segment.var else {
            let cell = self.point_of_cycle(of, &segment.value, span)?;
            return Ok(Stretch { first: first.clone(), length: Form::int(1), cell });
        };
        let (from, to) = (self.linear(from, span)?, self.linear(to, span)?);
        // one element that stands for all
        let each = self.fresh("k", span)?;
        let here = Form::var(each);
        let value = self.instantiate(&segment.value, *var, &Poly::var(each), span)?;
        let mut scope = Region::all();
        scope.push(self.fits(Constraint::less_eq(&from, &here), span)?);
        scope.push(self.fits(Constraint::less_eq(&here, &to), span)?);
        let leaves = self.each_leaf(&[each], scope, &mut |machine| machine.point_of_cycle(of, &value, span))?;
        let mut cell: Option<Vec<Form>> = None;
        for (_, point) in leaves {
            if cell.as_ref().is_some_and(|known| *known != point) {
                return beyond(span, "a sequence whose cells have no one form", "write its parts one after another");
            }
            cell = Some(point);
        }
        let length = self.fits(to.sub(&from).and_then(|length| length.plus(1)), span)?;
        let Some(cell) = cell else {
            // it is empty
            let width = of.map_or(1, |of| of.width);
            return Ok(Stretch { first: first.clone(), length: Form::int(0), cell: vec![Form::int(0); width] });
        };
        let place = self.fits(from.add(&Form::var(PLACE)), span)?;
        let mut placed = Vec::with_capacity(cell.len());
        for form in &cell {
            placed.push(self.fits(form.substitute(&|var| (var == each).then(|| place.clone())), span)?);
        }
        if placed.iter().all(|form| form.coefficient(PLACE) == 0) {
            // the same cell for each place
            let only = self.fits(Constraint::less_eq(&length, &Form::int(1)), span)?;
            if !self.decide(&only)? {
                return wrong(span, "a cell stands twice in one cycle");
            }
        }
        let part = Stretch { first: first.clone(), length, cell: placed };
        match self.fits(part.place(), span)? {
            Some(_) => Ok(part),
            None => beyond(
                span,
                "a sequence of cells that does not go one step at a time",
                "let one coordinate grow or fall by 1",
            ),
        }
    }

    /// Have two parts of a ring a cell in common (the same part: a cell at two places)?
    pub(super) fn meets(&mut self, a: &Stretch, b: &Stretch, same: bool, span: Span) -> Follow<bool> {
        if same {
            // one coordinate steps by 1, or it is a single cell
            return Ok(false);
        }
        let (Some(x), Some(y)) = (self.fits(a.region(), span)?, self.fits(b.region(), span)?) else {
            return beyond(span, "a sequence of cells that does not go one step at a time", "write it in parts");
        };
        let both = x.and(&y);
        let coordinates: Vec<Var> = (0..a.cell.len() as Var).collect();
        self.is_inhabited(&coordinates, &both, span)
    }

    /// The rings along which a map steps, and how many steps, if it moves lines along one axis that
    /// close into rings, or one closed strip.
    pub(super) fn ring_of(&mut self, map: &Piecewise, span: Span) -> Follow<Option<(Arc<Ring>, Form)>> {
        for axis in 0..map.width {
            if let Some(found) = self.lines_along(map, axis, span)? {
                return Ok(Some(found));
            }
        }
        self.strip_of(map, span)
    }

    fn lines_along(&mut self, map: &Piecewise, axis: usize, span: Span) -> Follow<Option<(Arc<Ring>, Form)>> {
        // how far the pieces go along the axis
        let mut shifts: Vec<(Form, &Piece)> = Vec::with_capacity(map.pieces.len());
        for piece in &map.pieces {
            let mut shift = None;
            for (at, form) in piece.to.iter().enumerate() {
                let stay = Form::var(at as Var);
                let by = self.fits(form.sub(&stay), span)?;
                match at == axis {
                    // a piece of one cell may be written in parameters alone
                    true => shift = Some(self.shift_of(piece, axis, by, span)?),
                    false if by == Form::int(0) => {}
                    false => {
                        let equal = self.fits(Constraint::equal(form, &stay), span)?;
                        if !piece.region.and(&self.known).entails(&equal) {
                            return Ok(None);
                        }
                    }
                }
            }
            let Some(Some(shift)) = shift else { return Ok(None) };
            shifts.push((shift, piece));
        }
        let mut different: Vec<Form> = Vec::new();
        for (shift, _) in &shifts {
            if !different.contains(shift) {
                different.push(shift.clone());
            }
        }
        let [a, b] = different.as_slice() else { return Ok(None) };
        for (on, back) in [(a, b), (b, a)] {
            let length = self.fits(on.sub(back), span)?;
            let positive = self.fits(on.plus(-1), span)?;
            if !self.known.entails(&Constraint::ge(&positive)) {
                continue;
            }
            let Some((_, piece)) = shifts.iter().find(|(shift, _)| shift == on) else { continue };
            // the lines begin at a bound of the cells that go on
            for constraint in &piece.region.constraints {
                let form = constraint.form();
                let coefficient = form.coefficient(axis as Var);
                let is_bound = match constraint {
                    Constraint::Ge(_) => coefficient == 1,
                    Constraint::Eq(_) => coefficient.abs() == 1,
                    Constraint::Mod(..) => false,
                };
                if !is_bound {
                    continue;
                }
                let own = self.fits(Form::var(axis as Var).scale(coefficient, 1), span)?;
                let low = self.fits(form.sub(&own).and_then(|rest| rest.scale(-coefficient, 1)), span)?;
                if low.vars().any(|var| usize::from(var) < map.width) {
                    continue;
                }
                let base: Vec<Constraint> =
                    piece.region.constraints.iter().filter(|c| !c.mentions(axis as Var)).cloned().collect();
                let ring = Ring::Lines { width: map.width, axis, base: Region::of(base), low, length: length.clone() };
                let Ok(guess) = ring.map(on) else { continue };
                // only what is proved counts; a wish to split is not one for this guess
                if matches!(guess.equals(&self.known, map), Ok(true)) {
                    return Ok(Some((Arc::new(ring), on.clone())));
                }
            }
        }
        Ok(None)
    }

    /// How far a piece goes along an axis, as a form in parameters.
    fn shift_of(&mut self, piece: &Piece, axis: usize, by: Form, span: Span) -> Follow<Option<Form>> {
        let width = piece.to.len();
        if by.vars().all(|var| usize::from(var) >= width) {
            return Ok(Some(by));
        }
        // one cell of the axis: its coordinate is known
        let here = piece.region.constraints.iter().find_map(|constraint| {
            let Constraint::Eq(form) = constraint else { return None };
            let coefficient = form.coefficient(axis as Var);
            let own = Form::var(axis as Var).scale(coefficient, 1).ok()?;
            let here = form.sub(&own).ok()?.scale(-coefficient, 1).ok()?;
            (coefficient.abs() == 1 && here.vars().all(|var| usize::from(var) >= width)).then_some(here)
        });
        let Some(here) = here else { return Ok(None) };
        let put = by.substitute(&|var| (usize::from(var) == axis).then(|| here.clone()));
        let by = self.fits(put, span)?;
        let is_fixed = by.vars().all(|var| usize::from(var) >= width);
        Ok(is_fixed.then_some(by))
    }
}
