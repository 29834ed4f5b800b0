//! Rings of cells along which a map steps: a row of a torus, the belt of a board. Any number of steps is one map.

use std::sync::Arc;

use super::{SymbolicPuzzle, beyond, wrong};
use crate::prove::{Constraint, Form, Piece, Piecewise, Poly, Region, TooLarge, Union, Var};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Segment, Value};

/// Stands for the place within a part of a ring.
const PLACE: Var = Var::MAX - 64;

/// Closed paths of cells, all of one length.
#[derive(Debug)]
pub(super) enum Ring {
    /// one path, in parts that run straight
    Path { width: usize, length: Form, parts: Vec<Part> },
    /// the lines along one axis through all cells of a region, from `low` on
    Lines { width: usize, axis: usize, base: Region, low: Form, length: Form },
}

/// Some cells one after another.
#[derive(Debug)]
pub(super) struct Part {
    /// how many cells of the ring come before it
    first: Form,
    length: Form,
    /// the cell at the place 0, 1, …, in a variable for the place
    cell: Vec<Form>,
}

impl Part {
    /// One cell.
    pub(super) fn point(cell: Vec<Form>, first: Form) -> Part {
        Part { first, length: Form::int(1), cell }
    }

    /// Cells from a first one on along an axis, up (1) or down (-1).
    pub(super) fn line(
        mut cell: Vec<Form>,
        axis: usize,
        step: i64,
        length: Form,
        first: Form,
    ) -> Result<Part, TooLarge> {
        if let Some(form) = cell.get_mut(axis) {
            *form = form.add(&Form::var(PLACE).scale(step, 1)?)?;
        }
        Ok(Part { first, length, cell })
    }

    pub(super) fn length(&self) -> &Form {
        &self.length
    }

    /// With forms in place of some variables.
    pub(super) fn substituted(&self, by: &dyn Fn(Var) -> Option<Form>) -> Result<Part, TooLarge> {
        Ok(Part {
            first: self.first.substitute(by)?,
            length: self.length.substitute(by)?,
            cell: self.cell.iter().map(|form| form.substitute(by)).collect::<Result<_, _>>()?,
        })
    }

    /// The cell at a place.
    pub(super) fn at(&self, place: &Form) -> Result<Vec<Form>, TooLarge> {
        self.cell.iter().map(|form| form.substitute(&|var| (var == PLACE).then(|| place.clone()))).collect()
    }

    /// The place of a cell in coordinates, if that can be read off one of them.
    fn place(&self) -> Result<Option<Form>, TooLarge> {
        if self.cell.iter().all(|form| form.coefficient(PLACE) == 0) {
            return Ok(Some(Form::int(0)));
        }
        for (axis, form) in self.cell.iter().enumerate() {
            let coefficient = form.coefficient(PLACE);
            if form.den() == 1 && coefficient.abs() == 1 {
                let rest = form.sub(&Form::var(PLACE).scale(coefficient, 1)?)?;
                return Form::var(axis as Var).sub(&rest)?.scale(coefficient, 1).map(Some);
            }
        }
        Ok(None)
    }

    /// The cells of it, in coordinates.
    fn region(&self) -> Result<Option<Region>, TooLarge> {
        let Some(place) = self.place()? else { return Ok(None) };
        let mut region = Region::all();
        for (axis, form) in self.at(&place)?.iter().enumerate() {
            region.push(Constraint::equal(&Form::var(axis as Var), form)?);
        }
        region.push(Constraint::ge(&place));
        region.push(Constraint::less(&place, &self.length)?);
        Ok(Some(region))
    }
}

impl Ring {
    /// The ring of a few points.
    pub(super) fn of_points(points: &[Vec<Form>]) -> Ring {
        let part = |(at, point): (usize, &Vec<Form>)| Part::point(point.clone(), Form::int(at as i64));
        Ring::Path {
            width: points.first().map_or(1, Vec::len),
            length: Form::int(points.len() as i64),
            parts: points.iter().enumerate().map(part).collect(),
        }
    }

    pub(super) fn width(&self) -> usize {
        match self {
            Ring::Path { width, .. } | Ring::Lines { width, .. } => *width,
        }
    }

    /// How many cells are in each ring.
    pub(super) fn length(&self) -> &Form {
        match self {
            Ring::Path { length, .. } | Ring::Lines { length, .. } => length,
        }
    }

    /// How many rings there are, as a set with one cell for each.
    pub(super) fn ends(&self) -> Result<Option<Union>, TooLarge> {
        match self {
            Ring::Path { .. } => Ok(None),
            Ring::Lines { width, axis, base, low, .. } => {
                let end = base.with(Constraint::equal(&Form::var(*axis as Var), low)?);
                Ok(Some(Union { width: *width, regions: vec![end] }))
            }
        }
    }

    /// Going some steps, at least 0 and at most the length.
    pub(super) fn map(&self, steps: &Form) -> Result<Piecewise, TooLarge> {
        match self {
            Ring::Path { width, length, parts } => {
                let mut pieces = Vec::new();
                for from in parts {
                    let (Some(place), Some(region)) = (from.place()?, from.region()?) else { return Err(TooLarge) };
                    for to in parts {
                        for rounds in [0, 1] {
                            // the place in the other part
                            let there = place
                                .add(&from.first)?
                                .add(steps)?
                                .sub(&to.first)?
                                .sub(&length.scale(rounds, 1)?)?;
                            let region = region
                                .with(Constraint::ge(&there))
                                .with(Constraint::less(&there, &to.length)?);
                            pieces.push(Piece { region, to: to.at(&there)? });
                        }
                    }
                }
                pieces.retain(|piece| !piece.region.constraints.iter().any(|c| c.truth() == Some(false)));
                Ok(Piecewise { width: *width, pieces })
            }
            Ring::Lines { width, axis, base, low, length } => {
                let here = Form::var(*axis as Var);
                let end = low.add(length)?;
                let turn = end.sub(steps)?;
                let moved = |by: &Form| -> Result<Vec<Form>, TooLarge> {
                    let stay = |at: usize| Form::var(at as Var);
                    (0..*width).map(|at| if at == *axis { stay(at).add(by) } else { Ok(stay(at)) }).collect()
                };
                let on = base.with(Constraint::less_eq(low, &here)?).with(Constraint::less(&here, &turn)?);
                let back = base.with(Constraint::less_eq(&turn, &here)?).with(Constraint::less(&here, &end)?);
                Ok(Piecewise {
                    width: *width,
                    pieces: vec![
                        Piece { region: on, to: moved(steps)? },
                        Piece { region: back, to: moved(&steps.sub(length)?)? },
                    ],
                })
            }
        }
    }
}

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
        let mut parts: Vec<Part> = Vec::with_capacity(segments.len());
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
    ) -> Follow<Part> {
        let Some((var, from, to)) = &segment.var else {
            let cell = self.point_of_cycle(of, &segment.value, span)?;
            return Ok(Part { first: first.clone(), length: Form::int(1), cell });
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
            return Ok(Part { first: first.clone(), length: Form::int(0), cell: vec![Form::int(0); width] });
        };
        let place = self.fits(from.add(&Form::var(PLACE)), span)?;
        let mut placed = Vec::with_capacity(cell.len());
        for form in &cell {
            placed.push(self.fits(form.substitute(&|var| (var == each).then(|| place.clone())), span)?);
        }
        let part = Part { first: first.clone(), length, cell: placed };
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
    pub(super) fn meets(&mut self, a: &Part, b: &Part, same: bool, span: Span) -> Follow<bool> {
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

    /// The rings along which a map steps, and how many steps, if it moves lines along one axis that close into rings.
    pub(super) fn ring_of(&mut self, map: &Piecewise, span: Span) -> Follow<Option<(Arc<Ring>, Form)>> {
        for axis in 0..map.width {
            if let Some(found) = self.lines_along(map, axis, span)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
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
