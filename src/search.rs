//! Breadth-first search over the arrangements of a puzzle: how many lie at each depth, which ones, and all of them in order.
//!
//! A [`Space`] has tiles on cells and moves; a move may depend on the cell of a blank. A [`Walk`] goes through it layer by layer. Small
//! neighbourhoods are kept as sets of packed lists of places (`sparse`). When a walk grows and the order of the group says
//! that everything will fit, the arrangements are numbered without gaps by an [`Index`], and a layer is a row of bits (`dense`).
//! Both ways count the same and list the same in the same order, whatever the number of threads.
//!
//! Later searches (tables of patterns, shortest words) start from [`Index`] where a space is small, and from [`Walk`] where it is not.

mod additive;
pub mod canonical;
mod dense;
pub mod find;
mod index;
mod keys;
mod moves;
mod shortest;
mod sparse;
pub mod symmetry;
#[cfg(test)]
mod tests;
mod trie;
mod walk;

use std::ops::ControlFlow;

use num_bigint::BigUint;
use thiserror::Error;

use crate::group::{Unfinished, Work};
use crate::perm::Perm;

pub use index::Index;
pub use shortest::{Answer, Found, Goal, Proof, Question, Tables, shortest};
pub use walk::Walk;

/// No search takes more bytes than about this many, whatever the caller allows.
const MEMORY: u64 = 4 << 30;

/// What one move does: one entry for each cell of the blank, `None` where the move is impossible, or a single entry where there is no blank.
/// Entries that are missing are impossible; a permutation of fewer cells fixes the others.
#[derive(Clone, Debug)]
pub struct Mover {
    pub steps: Vec<Option<Perm>>,
}

/// Arrangements of `degree` tiles, numbered from 0, on as many cells, and the moves between them.
///
/// An arrangement is given by its places: `places[t]` is the cell of tile `t`. A move that does `p` sends tile `t` to `p(places[t])`.
#[derive(Clone, Debug)]
pub struct Space {
    pub degree: usize,
    /// The tile that is the blank, if there is one: the moves then depend on its cell.
    pub blank: Option<u32>,
    pub moves: Vec<Mover>,
}

/// How many arrangements lie at depth 0, 1, 2, …: the number of moves that it takes at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The numbers; none of them is 0.
    pub layers: Vec<u64>,
    /// Are these all arrangements that can be reached? Else the search ended at the depth that was asked for.
    pub complete: bool,
}

impl Growth {
    /// The largest depth that was found: the diameter, seen from the start, if the growth is complete.
    pub fn depth(&self) -> usize {
        self.layers.len().saturating_sub(1)
    }

    /// The number of all arrangements that were found.
    pub fn total(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest depth that is looked at.
    pub depth: usize,
    /// The largest number of arrangements that may be found. Memory is in proportion to it.
    pub most: u64,
}

impl Limits {
    /// Up to so many arrangements at any depth.
    pub fn most(most: u64) -> Limits {
        Limits { depth: usize::MAX, most }
    }
}

/// Why a search gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Stopped {
    /// The work was stopped, or there is not enough memory.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
    /// There are more arrangements than the search may find.
    #[error("more than {most} arrangements")]
    TooMany {
        /// How many it may find.
        most: u64,
        /// How many can be reached at all, if that became known.
        total: Option<BigUint>,
    },
    /// The start is no arrangement of the space, or a move is no move on it; says what.
    #[error("{0}")]
    Unfit(&'static str),
}

/// Arrangements in a list, each a list of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangements {
    degree: usize,
    count: usize,
    places: Vec<u32>,
}

impl Arrangements {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The places of the tiles in one of them.
    pub fn get(&self, number: usize) -> Option<&[u32]> {
        if number >= self.count {
            return None;
        }
        self.places.get(number * self.degree..(number + 1) * self.degree)
    }

    /// The places of the tiles in each, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.count).filter_map(|number| self.get(number))
    }
}

impl Space {
    /// How many arrangements lie at each depth from the start.
    ///
    /// Fails with [`Stopped::TooMany`] if there are more than `limits.most` up to `limits.depth`; without a limit of depth that is mostly found out from
    /// the order of a group before the search. Costs some nanoseconds for each arrangement and move, and a few bits for each
    /// arrangement, where an [`Index`] is made; else about a hundred nanoseconds and some ten bytes.
    pub fn growth(&self, start: &[u32], limits: Limits, work: Work<'_>) -> Result<Growth, Stopped> {
        let mut walk = Walk::new(self, start, limits.most, work)?;
        if limits.depth == usize::MAX {
            walk.to_the_end();
        }
        let mut layers = vec![walk.len()];
        while walk.depth() < limits.depth {
            if !walk.advance(work)? {
                return Ok(Growth { layers, complete: true });
            }
            layers.push(walk.len());
        }
        Ok(Growth { layers, complete: false })
    }

    /// The arrangements at a depth from the start, in lexicographic order of their places; none if nothing lies so deep.
    ///
    /// Fails with [`Stopped::TooMany`] if there are more than `most` up to this depth. Costs what [`growth`](Self::growth) costs, and a sort.
    pub fn sphere(&self, start: &[u32], depth: usize, most: u64, work: Work<'_>) -> Result<Arrangements, Stopped> {
        let mut walk = Walk::new(self, start, most, work)?;
        let mut found = Arrangements { degree: self.degree, ..Arrangements::default() };
        while walk.depth() < depth {
            if !walk.advance(work)? {
                return Ok(found);
            }
        }
        let bytes = walk.len().saturating_mul(4 * self.degree as u64);
        enough(bytes, MEMORY)?;
        found.places.reserve_exact(bytes as usize / 4);
        let each = &mut |places: &[u32]| {
            found.places.extend_from_slice(places);
            found.count += 1;
            ControlFlow::<()>::Continue(())
        };
        let _ = walk.each(work, each)?;
        Ok(found)
    }

    /// The arrangements that are farthest from the start, in lexicographic order of their places.
    ///
    /// Fails with [`Stopped::TooMany`] if there are more than `most` at any depth. Costs what [`growth`](Self::growth) costs, and then the same up to the
    /// last layer once more.
    pub fn antipodes(&self, start: &[u32], most: u64, work: Work<'_>) -> Result<Arrangements, Stopped> {
        let depth = self.growth(start, Limits::most(most), work)?.depth();
        self.sphere(start, depth, most, work)
    }

    /// Calls `each` with the depth and the places of each arrangement that can be reached, once: by depth, and within a depth in
    /// lexicographic order of places. Goes on until `each` breaks, and then gives what it broke with.
    ///
    /// A layer is found as a whole before it is called, so this may fail with [`Stopped::TooMany`] after some calls. Costs what
    /// [`growth`](Self::growth) costs, a sort of each layer, and the calls.
    pub fn reachable<B>(
        &self,
        start: &[u32],
        limits: Limits,
        work: Work<'_>,
        each: &mut dyn FnMut(usize, &[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Stopped> {
        let mut walk = Walk::new(self, start, limits.most, work)?;
        loop {
            let depth = walk.depth();
            let flow = walk.each(work, &mut |places| each(depth, places))?;
            if flow.is_break() || depth >= limits.depth || !walk.advance(work)? {
                return Ok(flow);
            }
        }
    }
}

/// Refuses what would take more bytes than there may be.
fn enough(bytes: u64, most: u64) -> Result<(), Unfinished> {
    if bytes <= most {
        return Ok(());
    }
    Err(Unfinished::TooLarge(format!("the search needs more than {} MB of memory", most >> 20)))
}
