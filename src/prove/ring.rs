//! Rings of cells along which a map steps: a row of a torus, the belt round a board. Any number of steps is one map.

use super::TooLarge;
use super::constraint::Constraint;
use super::form::{Form, Var};
use super::map::{Piece, Piecewise};
use super::region::Region;
use super::union::Union;

/// Stands for the place within a stretch.
pub const PLACE: Var = Var::MAX - 64;

/// Closed paths of cells, all of one length.
#[derive(Debug)]
pub enum Ring {
    /// one path, in parts that run straight
    Path { width: usize, length: Form, parts: Vec<Stretch> },
    /// the lines along one axis through all cells of a region, from `low` on
    Lines { width: usize, axis: usize, base: Region, low: Form, length: Form },
}

/// Some cells one after another.
#[derive(Debug)]
pub struct Stretch {
    /// how many cells of the ring come before it
    pub first: Form,
    pub length: Form,
    /// the cell at the place 0, 1, …, in a variable for the place
    pub cell: Vec<Form>,
}

impl Stretch {
    /// One cell.
    pub fn point(cell: Vec<Form>, first: Form) -> Stretch {
        Stretch { first, length: Form::int(1), cell }
    }

    /// Cells from a first one on along an axis, up (1) or down (-1).
    pub fn line(mut cell: Vec<Form>, axis: usize, step: i64, length: Form, first: Form) -> Result<Stretch, TooLarge> {
        if let Some(form) = cell.get_mut(axis) {
            *form = form.add(&Form::var(PLACE).scale(step, 1)?)?;
        }
        Ok(Stretch { first, length, cell })
    }

    /// With forms in place of some variables.
    pub fn substituted(&self, by: &dyn Fn(Var) -> Option<Form>) -> Result<Stretch, TooLarge> {
        Ok(Stretch {
            first: self.first.substitute(by)?,
            length: self.length.substitute(by)?,
            cell: self.cell.iter().map(|form| form.substitute(by)).collect::<Result<_, _>>()?,
        })
    }

    /// The cell at a place.
    pub fn at(&self, place: &Form) -> Result<Vec<Form>, TooLarge> {
        self.cell.iter().map(|form| form.substitute(&|var| (var == PLACE).then(|| place.clone()))).collect()
    }

    /// The place of a cell in coordinates, if that can be read off one of them.
    pub fn place(&self) -> Result<Option<Form>, TooLarge> {
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
    pub fn region(&self) -> Result<Option<Region>, TooLarge> {
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
    pub fn of_points(points: &[Vec<Form>]) -> Ring {
        let part = |(at, point): (usize, &Vec<Form>)| Stretch::point(point.clone(), Form::int(at as i64));
        Ring::Path {
            width: points.first().map_or(1, Vec::len),
            length: Form::int(points.len() as i64),
            parts: points.iter().enumerate().map(part).collect(),
        }
    }

    pub fn width(&self) -> usize {
        match self {
            Ring::Path { width, .. } | Ring::Lines { width, .. } => *width,
        }
    }

    /// How many cells are in each ring.
    pub fn length(&self) -> &Form {
        match self {
            Ring::Path { length, .. } | Ring::Lines { length, .. } => length,
        }
    }

    /// How many rings there are, as a set with one cell for each.
    pub fn ends(&self) -> Result<Option<Union>, TooLarge> {
        match self {
            Ring::Path { .. } => Ok(None),
            Ring::Lines { width, axis, base, low, .. } => {
                let end = base.with(Constraint::equal(&Form::var(*axis as Var), low)?);
                Ok(Some(Union { width: *width, regions: vec![end] }))
            }
        }
    }

    /// Going some steps, at least 0 and at most the length.
    pub fn map(&self, steps: &Form) -> Result<Piecewise, TooLarge> {
        match self {
            Ring::Path { width, length, parts } => {
                let mut pieces = Vec::new();
                for from in parts {
                    let (Some(place), Some(region)) = (from.place()?, from.region()?) else { return Err(TooLarge) };
                    for to in parts {
                        for rounds in [0, 1] {
                            // the place in the other part
                            let there =
                                place.add(&from.first)?.add(steps)?.sub(&to.first)?.sub(&length.scale(rounds, 1)?)?;
                            let region =
                                region.with(Constraint::ge(&there)).with(Constraint::less(&there, &to.length)?);
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
