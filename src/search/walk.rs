//! A walk through a space, layer by layer.

use std::ops::ControlFlow;
use std::sync::Arc;

use num_traits::ToPrimitive;
use rayon::prelude::*;

use super::dense::Dense;
use super::index::Index;
use super::keys::{Key, Keys, Width};
use super::moves::Moves;
use super::sparse::Sparse;
use super::{Space, Stopped};
use crate::group::Work;

/// A walk that has found more than this asks whether all arrangements can be numbered.
const SMALL: u64 = 4096;
/// So many arrangements of a layer are given out before the work is asked whether to go on.
const BATCH: usize = 4096;

/// The arrangements at one depth, and what is needed to find the next ones.
pub(super) trait Frontier: Send {
    /// How many there are.
    fn len(&self) -> u64;
    /// Goes one deeper. Fails if more than `room` are found; it cannot be used any more then.
    fn advance(&mut self, room: u64, work: Work<'_>) -> Result<(), Stopped>;
    /// Calls `each` with the places of each, in lexicographic order.
    fn each(
        &mut self,
        work: Work<'_>,
        each: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stopped>;
}

/// Breadth-first search from a start, one layer at a time. A walk that failed cannot be used any more.
pub struct Walk {
    most: u64,
    found: u64,
    depth: usize,
    to_the_end: bool,
    /// has it been asked whether all arrangements can be numbered?
    asked: bool,
    moves: Arc<Moves>,
    keys: Arc<Keys>,
    frontier: Box<dyn Frontier>,
}

impl Walk {
    /// At depth 0, where the start is alone. The walk fails when it finds more than `most` arrangements.
    ///
    /// Fails with [`Stopped::Unfit`] if the start is no arrangement or a move leads out of the cells.
    pub fn new(space: &Space, start: &[u32], most: u64, work: Work<'_>) -> Result<Walk, Stopped> {
        if most == 0 {
            return Err(Stopped::TooMany { most, total: None });
        }
        let moves = Arc::new(Moves::new(space, start)?);
        let keys = Arc::new(Keys::new(&moves, start, work)?);
        let (m, k) = (moves.clone(), keys.clone());
        let frontier: Box<dyn Frontier> = match keys.width() {
            Width::One => Box::new(Sparse::<u64>::new(m, k)),
            Width::Two => Box::new(Sparse::<u128>::new(m, k)),
            Width::Many => Box::new(Sparse::<Box<[u16]>>::new(m, k)),
        };
        Ok(Walk { most, found: 1, depth: 0, to_the_end: false, asked: false, moves, keys, frontier })
    }

    /// Says that the walk will go on until nothing new is found: it may then fail as soon as it is known that there is too much.
    pub fn to_the_end(&mut self) {
        self.to_the_end = true;
    }

    /// The depth of the layer.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of arrangements at this depth.
    pub fn len(&self) -> u64 {
        self.frontier.len()
    }

    /// Is the layer empty? Only after the last one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many arrangements were found up to this depth.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Goes to the next layer. False if there is nothing in it: then all that can be reached has been found.
    pub fn advance(&mut self, work: Work<'_>) -> Result<bool, Stopped> {
        if !self.asked && self.found > SMALL {
            self.asked = true;
            self.number(work)?;
        }
        let room = self.most.saturating_sub(self.found);
        self.frontier.advance(room, work)?;
        self.found += self.frontier.len();
        self.depth += 1;
        Ok(!self.is_empty())
    }

    /// Calls `each` with the places of each arrangement at this depth, in lexicographic order, until it breaks. Sorts the layer.
    pub fn each<B>(
        &mut self,
        work: Work<'_>,
        each: &mut dyn FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Stopped> {
        let mut broken = ControlFlow::Continue(());
        let flow = self.frontier.each(work, &mut |places| match each(places) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(with) => {
                broken = ControlFlow::Break(with);
                ControlFlow::Break(())
            }
        });
        flow.map(|_| broken)
    }

    /// Goes on with numbered arrangements, if that can be: the layers up to here are found once more, which is little.
    fn number(&mut self, work: Work<'_>) -> Result<(), Stopped> {
        let Some(closure) = self.moves.closure(self.keys.start_places(), work)? else { return Ok(()) };
        if closure.total.to_u64().is_none_or(|total| total > self.most) {
            return match self.to_the_end {
                true => Err(Stopped::TooMany { most: self.most, total: Some(closure.total) }),
                false => Ok(()),
            };
        }
        let start = self.keys.start_places();
        let Some(index) = Index::of(&self.moves, start, &closure, work)? else { return Ok(()) };
        let mut dense = Dense::new(index, self.keys.clone());
        for _ in 0..self.depth {
            dense.advance(self.most, work)?;
        }
        debug_assert_eq!(dense.len(), self.len());
        self.frontier = Box::new(dense);
        Ok(())
    }
}

/// Sorts the keys of a layer and calls `each` with the places that each stands for.
pub(super) fn give<K: Key>(
    layer: &mut [K],
    keys: &Keys,
    work: Work<'_>,
    each: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Stopped> {
    work.charge(layer.len() as u64)?;
    if layer.len() < BATCH {
        layer.sort_unstable();
    } else {
        layer.par_sort_unstable();
    }
    let mut cells = vec![0; keys.kept.len()];
    let mut places = keys.start_places().to_vec();
    for batch in layer.chunks(BATCH) {
        work.products(batch.len(), places.len())?;
        for key in batch {
            key.unpack(keys.bits, &mut cells);
            keys.fill(&cells, &mut places);
            if each(&places).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
