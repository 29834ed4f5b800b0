//! Arrangements as keys: only tiles that say something, a few bits each.

use std::hash::Hash;

use super::Stopped;
use super::moves::Moves;
use crate::group::{Unfinished, Work};

/// Boards of more cells do not look for tiles that follow others.
const MOST_FOLLOWED: usize = 1024;
const NONE: u32 = u32::MAX;

/// A list of cells as one value; keys of one kind are ordered as their lists are.
pub(super) trait Key: Clone + Ord + Hash + Send + Sync {
    /// Packs cells below 2^`bits`.
    fn pack(cells: impl ExactSizeIterator<Item = u32>, bits: u32) -> Self;
    /// The cells again, as many as `cells` has room for.
    fn unpack(&self, bits: u32, cells: &mut [u32]);
}

macro_rules! packed {
    ($integer:ty) => {
        impl Key for $integer {
            #[inline]
            fn pack(cells: impl ExactSizeIterator<Item = u32>, bits: u32) -> Self {
                cells.fold(0, |key, cell| key << bits | <$integer>::from(cell))
            }

            #[inline]
            fn unpack(&self, bits: u32, cells: &mut [u32]) {
                let mut rest = *self;
                let mask = (1 << bits) - 1;
                for cell in cells.iter_mut().rev() {
                    *cell = (rest & mask) as u32;
                    rest >>= bits;
                }
            }
        }
    };
}

packed!(u64);
packed!(u128);

impl Key for Box<[u16]> {
    fn pack(cells: impl ExactSizeIterator<Item = u32>, _: u32) -> Self {
        cells.map(|cell| cell as u16).collect()
    }

    fn unpack(&self, _: u32, cells: &mut [u32]) {
        cells.iter_mut().zip(self).for_each(|(cell, key)| *cell = u32::from(*key));
    }
}

/// Which values keys are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    One,
    Two,
    Many,
}

impl Width {
    /// The least width with so many bits.
    pub fn of(bits: usize) -> Width {
        match bits {
            0..=64 => Width::One,
            65..=128 => Width::Two,
            _ => Width::Many,
        }
    }
}

/// A tile whose cell is known once that of another is.
#[derive(Clone, Debug)]
struct Follower {
    tile: usize,
    /// the number of the other in the list of those that are kept
    leader: usize,
    /// by cell of the other
    cell: Vec<u32>,
}

/// How arrangements that can be reached from a start are written as keys, and read again.
///
/// Left out are tiles that never move, and tiles whose cell is that of an earlier tile under a map that commutes with all moves, as those of other stickers of
/// a corner are. So the order of keys is the lexicographic order of all places.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    start: Vec<u32>,
    /// the tiles that are written, in order
    pub kept: Vec<usize>,
    pub bits: u32,
    followers: Vec<Follower>,
}

impl Keys {
    pub fn new(moves: &Moves, start: &[u32], work: Work<'_>) -> Result<Keys, Stopped> {
        let degree = moves.degree;
        let mut moved = vec![false; degree];
        for step in moves.all() {
            work.products(1, degree)?;
            let images = step.effect.images()[..degree].iter().enumerate();
            images.for_each(|(cell, image)| moved[cell] |= cell != *image as usize);
        }
        let bits = usize::BITS - degree.saturating_sub(1).leading_zeros();
        let mut keys = Keys { start: start.to_vec(), kept: Vec::new(), bits: bits.max(1), followers: Vec::new() };
        let tiles = (0..degree).filter(|tile| moved[start[*tile] as usize] || moves.blank == Some(*tile));
        for tile in tiles {
            match keys.leader(moves, tile, work)? {
                Some(follower) => keys.followers.push(follower),
                None => keys.kept.push(tile),
            }
        }
        if keys.width() == Width::Many && degree > 1 << 16 {
            return Err(Unfinished::TooLarge(format!("arrangements of {degree} cells are too large to search")).into());
        }
        Ok(keys)
    }

    pub fn width(&self) -> Width {
        Width::of(self.kept.len() * self.bits as usize)
    }

    /// How many bytes a key takes.
    pub fn bytes(&self) -> u64 {
        match self.width() {
            Width::One => 8,
            Width::Two => 16,
            Width::Many => 32 + 2 * self.kept.len() as u64,
        }
    }

    /// For each tile that is written, how many tiles its cell gives: itself and those that follow it.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![1; self.kept.len()];
        self.followers.iter().for_each(|follower| sizes[follower.leader] += 1);
        sizes
    }

    /// The key of the start.
    pub fn start<K: Key>(&self) -> K {
        K::pack(self.kept.iter().map(|tile| self.start[*tile]), self.bits)
    }

    /// The places of all tiles, from the cells of those that are kept.
    pub fn fill(&self, cells: &[u32], places: &mut [u32]) {
        for (tile, cell) in self.kept.iter().zip(cells) {
            places[*tile] = *cell;
        }
        for follower in &self.followers {
            places[follower.tile] = follower.cell[cells[follower.leader] as usize];
        }
    }

    /// The places of the start.
    pub fn start_places(&self) -> &[u32] {
        &self.start
    }

    /// A kept tile that a tile follows.
    fn leader(&self, moves: &Moves, tile: usize, work: Work<'_>) -> Result<Option<Follower>, Stopped> {
        if moves.blank.is_some() || moves.degree > MOST_FOLLOWED {
            return Ok(None);
        }
        for (leader, kept) in self.kept.iter().enumerate() {
            if let Some(cell) = commuting(moves, self.start[*kept], self.start[tile], work)? {
                return Ok(Some(Follower { tile, leader, cell }));
            }
        }
        Ok(None)
    }
}

/// The map on the orbit of a cell that commutes with all moves and takes the cell to another, if there is one. Costs at most the
/// size of the orbit times the number of moves, and mostly much less where there is none.
pub(super) fn commuting(moves: &Moves, from: u32, to: u32, work: Work<'_>) -> Result<Option<Vec<u32>>, Stopped> {
    let mut map = vec![NONE; moves.degree];
    map[from as usize] = to;
    let mut orbit = vec![from];
    let mut at = 0;
    while let Some(&cell) = orbit.get(at) {
        at += 1;
        work.charge(1 + moves.movers as u64 / 16)?;
        for step in moves.at(0) {
            let (next, expected) = (step.effect.image(cell), step.effect.image(map[cell as usize]));
            let known = &mut map[next as usize];
            if *known == NONE {
                *known = expected;
                orbit.push(next);
            } else if *known != expected {
                return Ok(None);
            }
        }
    }
    Ok(Some(map))
}
