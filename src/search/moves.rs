//! The moves of a space, checked, and the group behind them.

use num_bigint::BigUint;

use super::{Space, Stopped};
use crate::group::groupoid::{Arrow, Groupoid};
use crate::group::{Done, PermGroup, Work};
use crate::perm::Perm;

/// The arrows of a groupoid may have so many images together; else no group is asked for.
const MOST_IMAGES: usize = 1 << 24;

/// A move that is possible.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// the number of the mover
    pub mover: usize,
    /// its images begin with those of the cells
    pub effect: Perm,
}

/// What is possible, by the cell of the blank.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub degree: usize,
    /// the tile that is the blank
    pub blank: Option<usize>,
    /// how many movers there are
    pub movers: usize,
    /// by cell of the blank; a single list without one
    steps: Vec<Vec<Step>>,
}

/// The group of what brings the blank home, if every move can be undone by moves.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    /// acts on the cells while the blank is at home
    pub group: PermGroup,
    /// how many arrangements can be reached
    pub total: BigUint,
}

impl Moves {
    pub fn new(space: &Space, start: &[u32]) -> Result<Moves, Stopped> {
        let degree = space.degree;
        if start.len() != degree || Perm::from_images(start.to_vec()).is_err() {
            return Err(Stopped::Unfit("the start is no arrangement of the tiles on the cells"));
        }
        if space.blank.is_some_and(|blank| blank as usize >= degree) {
            return Err(Stopped::Unfit("the blank is no tile"));
        }
        let cells = if space.blank.is_some() { degree } else { 1 };
        let mut steps = vec![Vec::new(); cells];
        for (mover, entry) in space.moves.iter().enumerate() {
            for (cell, perm) in entry.steps.iter().enumerate() {
                let (Some(perm), Some(here)) = (perm, steps.get_mut(cell)) else { continue };
                let effect = match perm.degree() < degree {
                    true => perm.then(&Perm::identity(degree)),
                    false => perm.clone(),
                };
                if effect.images()[..degree].iter().any(|cell| *cell as usize >= degree) {
                    return Err(Stopped::Unfit("a move leaves the cells"));
                }
                here.push(Step { mover, effect });
            }
        }
        Ok(Moves { degree, blank: space.blank.map(|blank| blank as usize), movers: space.moves.len(), steps })
    }

    /// What is possible when the blank is in a cell; the cell does not matter without a blank.
    pub fn at(&self, cell: usize) -> &[Step] {
        if self.blank.is_some() { &self.steps[cell] } else { &self.steps[0] }
    }

    /// All that is possible anywhere.
    pub fn all(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().flatten()
    }

    /// Where the blank is in an arrangement; 0 without one.
    pub fn blank_cell(&self, places: &[u32]) -> usize {
        self.blank.map_or(0, |blank| places[blank] as usize)
    }

    /// The group behind the moves and the number of arrangements. `None` if some way of the blank cannot be gone back, or the moves are too
    /// large. Costs the order of a group, and for a blank the moves times the cells.
    pub fn closure(&self, start: &[u32], work: Work<'_>) -> Done<Option<Closure>> {
        let count = self.all().count();
        if count.saturating_mul(self.degree) > MOST_IMAGES {
            return Ok(None);
        }
        work.products(2 * count, self.degree)?;
        if self.blank.is_none() {
            let group = PermGroup::new(self.degree, self.all().map(|step| self.trimmed(step)).collect());
            let total = group.order(work)?;
            return Ok(Some(Closure { group, total }));
        }
        let home = self.blank_cell(start);
        let forward = self.reach(home, |from, to| (from, to));
        if forward != self.reach_within(home, &forward) {
            return Ok(None);
        }
        let mut arrows = Vec::new();
        for (from, steps) in self.steps.iter().enumerate().filter(|(from, _)| forward[*from]) {
            for step in steps {
                let effect = self.trimmed(step);
                arrows.push(Arrow { from, to: effect.image(from as u32) as usize, effect });
            }
        }
        let (group, _) = Groupoid::new(self.degree, self.degree, arrows).group_at(home);
        let places = forward.iter().filter(|reached| **reached).count() as u64;
        let total = group.order(work)? * places;
        Ok(Some(Closure { group, total }))
    }

    fn trimmed(&self, step: &Step) -> Perm {
        if step.effect.degree() == self.degree {
            return step.effect.clone();
        }
        // the cells are permuted among themselves, so these are all different
        Perm::from_images(step.effect.images()[..self.degree].to_vec()).unwrap_or_else(|_| Perm::identity(self.degree))
    }

    /// The cells of the blank that can be reached along the arrows, each turned as `direct` says.
    fn reach(&self, home: usize, direct: impl Fn(usize, usize) -> (usize, usize)) -> Vec<bool> {
        let mut ways = vec![Vec::new(); self.degree];
        for (cell, steps) in self.steps.iter().enumerate() {
            for step in steps {
                let (from, to) = direct(cell, step.effect.image(cell as u32) as usize);
                ways[from].push(to);
            }
        }
        let mut reached = vec![false; self.degree];
        reached[home] = true;
        let mut stack = vec![home];
        while let Some(cell) = stack.pop() {
            for &to in &ways[cell] {
                if !std::mem::replace(&mut reached[to], true) {
                    stack.push(to);
                }
            }
        }
        reached
    }

    /// The cells among some from which home can be reached.
    fn reach_within(&self, home: usize, among: &[bool]) -> Vec<bool> {
        let mut back = self.reach(home, |from, to| (to, from));
        back.iter_mut().zip(among).for_each(|(back, among)| *back &= among);
        back
    }
}
