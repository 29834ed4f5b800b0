//! Finding the ring along which a map steps that moves a closed strip of cells, such as the belt round a board.
//!
//! The strip is guessed from its straight stretches, which are laid one after another where their ends are neighbours. Then the
//! map is compared with so many steps along it: only what is equal counts.

use std::sync::Arc;

use super::point::at_point;
use crate::prove::{Constraint, Form, Piecewise, Region, Ring, Stretch};
use crate::source::Span;
use crate::symbolic::{Follow, Machine};

/// A strip of more stretches is not looked at.
const MOST_STRETCHES: usize = 12;

/// A straight row of cells, from its first to its last.
#[derive(Clone)]
struct Row {
    axis: usize,
    /// 1 or -1: which way it goes along the axis
    step: i64,
    first: Vec<Form>,
    last: Vec<Form>,
}

impl Row {
    fn turned(&self) -> Row {
        Row { axis: self.axis, step: -self.step, first: self.last.clone(), last: self.first.clone() }
    }
}

impl Machine<'_> {
    /// The ring through all cells that a map moves, and how many steps it goes, if there is one.
    pub(super) fn strip_of(&mut self, map: &Piecewise, span: Span) -> Follow<Option<(Arc<Ring>, Form)>> {
        let moved = map.moved(&self.known).and_then(|moved| moved.disjoint(&self.known));
        let moved = self.done(moved, span)?;
        if moved.regions.is_empty() || moved.regions.len() > MOST_STRETCHES {
            return Ok(None);
        }
        let mut rows = Vec::with_capacity(moved.regions.len());
        for region in &moved.regions {
            match self.row_of(region, map.width, span)? {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
        let Some(rows) = self.in_a_strip(rows, span)? else { return Ok(None) };
        let mut parts: Vec<Stretch> = Vec::with_capacity(rows.len());
        let mut length = Form::int(0);
        for row in rows {
            let count =
                row.last[row.axis].sub(&row.first[row.axis]).and_then(|apart| apart.scale(row.step, 1)?.plus(1));
            let count = self.fits(count, span)?;
            let part = Stretch::line(row.first, row.axis, row.step, count.clone(), length.clone());
            parts.push(self.fits(part, span)?);
            length = self.fits(length.add(&count), span)?;
        }
        let Some(start) = parts.first() else { return Ok(None) };
        let start = self.fits(start.at(&Form::int(0)), span)?;
        let image = map.image(&self.known, &start);
        let image = self.done(image, span)?;
        let mut steps = None;
        for part in &parts {
            let (Some(place), Some(region)) = (self.fits(part.place(), span)?, self.fits(part.region(), span)?) else {
                return Ok(None);
            };
            let here = self.fits(region.substitute(&at_point(&image)), span)?;
            if here.constraints.iter().all(|constraint| self.known.entails(constraint)) {
                let place = self.fits(place.substitute(&at_point(&image)), span)?;
                steps = Some(self.fits(part.first.add(&place), span)?);
                break;
            }
        }
        let Some(steps) = steps else { return Ok(None) };
        let ring = Ring::Path { width: map.width, length, parts };
        let Ok(guess) = ring.map(&steps) else { return Ok(None) };
        Ok(matches!(guess.equals(&self.known, map), Ok(true)).then(|| (Arc::new(ring), steps)))
    }

    /// A region as a row of cells, if all coordinates but one are given and that one lies between two bounds.
    fn row_of(&mut self, region: &Region, width: usize, span: Span) -> Follow<Option<Row>> {
        if let Some(point) = region.as_point(&self.known, width) {
            return Ok(Some(Row { axis: 0, step: 1, first: point.clone(), last: point }));
        }
        // coordinates that are given, put into the other conditions
        let region = region.tidy(&self.known);
        let solved = region.constraints.iter().find_map(|constraint| {
            let Constraint::Eq(form) = constraint else { return None };
            let mut inside = form.vars().filter(|var| usize::from(*var) < width);
            let (Some(axis), None) = (inside.next(), inside.next()) else { return None };
            let coefficient = form.coefficient(axis);
            let own = Form::var(axis).scale(coefficient, 1).ok()?;
            let value = form.sub(&own).ok()?.scale(-coefficient, 1).ok()?;
            (coefficient.abs() == 1).then_some((axis, value))
        });
        let region = match &solved {
            Some((axis, value)) => {
                let put = region.substitute(&|var| (var == *axis).then(|| value.clone()));
                let given = self.fits(Constraint::equal(&Form::var(*axis), value), span)?;
                self.fits(put, span)?.with(given).tidy(&self.known)
            }
            None => region,
        };
        let mut given: Vec<Option<Form>> = vec![None; width];
        let mut bounds: Vec<[Option<Form>; 2]> = vec![[None, None]; width];
        for constraint in &region.constraints {
            let mut inside = constraint.vars().filter(|var| usize::from(*var) < width);
            let Some(axis) = inside.next() else { continue };
            let form = constraint.form();
            let coefficient = form.coefficient(axis);
            if inside.next().is_some() || coefficient.abs() != 1 {
                return Ok(None);
            }
            let own = self.fits(Form::var(axis).scale(coefficient, 1), span)?;
            let bound = self.fits(form.sub(&own).and_then(|rest| rest.scale(-coefficient, 1)), span)?;
            let at = usize::from(axis);
            let place = match constraint {
                Constraint::Eq(_) => &mut given[at],
                Constraint::Ge(_) if coefficient == 1 => &mut bounds[at][0],
                Constraint::Ge(_) => &mut bounds[at][1],
                Constraint::Mod(..) => return Ok(None),
            };
            if place.replace(bound).is_some() {
                return Ok(None);
            }
        }
        let mut axes = (0..width).filter(|at| given[*at].is_none());
        let (Some(axis), None) = (axes.next(), axes.next()) else { return Ok(None) };
        let [Some(low), Some(high)] = &bounds[axis] else { return Ok(None) };
        let cell = |end: &Form| -> Vec<Form> {
            given.iter().map(|form| form.clone().unwrap_or_else(|| end.clone())).collect()
        };
        Ok(Some(Row { axis, step: 1, first: cell(low), last: cell(high) }))
    }

    /// Rows one after another, so that each begins next to the end of the one before.
    fn in_a_strip(&mut self, mut rows: Vec<Row>, span: Span) -> Follow<Option<Vec<Row>>> {
        let mut strip = vec![rows.remove(0)];
        while !rows.is_empty() {
            let mut found = None;
            'rows: for (at, row) in rows.iter().enumerate() {
                for row in [row.clone(), row.turned()] {
                    if self.are_neighbours(&strip[strip.len() - 1].last, &row.first, span)? {
                        found = Some((at, row, true));
                        break 'rows;
                    }
                    if self.are_neighbours(&row.last, &strip[0].first, span)? {
                        found = Some((at, row, false));
                        break 'rows;
                    }
                }
            }
            match found {
                Some((at, row, true)) => {
                    rows.remove(at);
                    strip.push(row);
                }
                Some((at, row, false)) => {
                    rows.remove(at);
                    strip.insert(0, row);
                }
                None => return Ok(None),
            }
        }
        Ok(Some(strip))
    }

    /// Do two cells differ by one step along one axis?
    fn are_neighbours(&self, a: &[Form], b: &[Form], span: Span) -> Follow<bool> {
        let mut steps: i64 = 0;
        for (x, y) in a.iter().zip(b) {
            match self.fits(x.sub(y), span)?.as_int() {
                Some(apart) => steps = steps.saturating_add(apart.saturating_abs()),
                None => return Ok(false),
            }
        }
        Ok(steps == 1)
    }
}
