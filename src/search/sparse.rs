//! Layers as lists of keys, and sets of what has been seen: for parts of large spaces, and for spaces whose moves cannot be undone.

use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::keys::{Key, Keys};
use super::moves::Moves;
use super::walk::{Frontier, give};
use super::{MEMORY, Stopped, enough};
use crate::group::Work;

/// The seen keys lie in so many sets, so that several threads can add to them.
const SHARDS: usize = 64;
/// So many arrangements are moved before what they lead to is looked up.
const BLOCK: usize = 1 << 14;
/// Fewer than this are not worth several threads.
const FEW: usize = 512;

pub(super) struct Sparse<K> {
    moves: Arc<Moves>,
    keys: Arc<Keys>,
    /// where the blank's cell stands in a key
    blank: Option<usize>,
    seen: Vec<FxHashSet<K>>,
    layer: Vec<K>,
    found: u64,
}

impl<K: Key> Sparse<K> {
    /// The layer of the start alone.
    pub fn new(moves: Arc<Moves>, keys: Arc<Keys>) -> Sparse<K> {
        let blank = moves.blank.and_then(|blank| keys.kept.iter().position(|tile| *tile == blank));
        let start: K = keys.start();
        let mut seen = vec![FxHashSet::default(); SHARDS];
        seen[shard(&start)].insert(start.clone());
        Sparse { moves, keys, blank, seen, layer: vec![start], found: 1 }
    }

    /// Calls `each` with all that one move makes of some arrangements.
    fn neighbours(&self, layer: &[K], each: &mut dyn FnMut(K)) {
        let mut cells = vec![0; self.keys.kept.len()];
        let bits = self.keys.bits;
        for key in layer {
            key.unpack(bits, &mut cells);
            let blank = self.blank.map_or(0, |at| cells[at] as usize);
            for step in self.moves.at(blank) {
                let images = step.effect.images();
                each(K::pack(cells.iter().map(|cell| images[*cell as usize]), bits));
            }
        }
    }

    /// Moves a few arrangements on this thread.
    fn few(&mut self, block: &[K], next: &mut Vec<K>) {
        let mut found = Vec::new();
        self.neighbours(block, &mut |key| found.push(key));
        for key in found {
            if self.seen[shard(&key)].insert(key.clone()) {
                next.push(key);
            }
        }
    }

    /// Moves many: each thread sorts what it finds by set, then each set takes its own. What is new does not depend on who did what.
    fn many(&mut self, block: &[K], next: &mut Vec<K>) {
        let parts: Vec<Vec<Vec<K>>> = block
            .par_chunks(FEW)
            .map(|part| {
                let mut found = vec![Vec::new(); SHARDS];
                self.neighbours(part, &mut |key| found[shard(&key)].push(key));
                found
            })
            .collect();
        let fresh: Vec<Vec<K>> = self
            .seen
            .par_iter_mut()
            .enumerate()
            .map(|(number, seen)| {
                let found = parts.iter().flat_map(|part| &part[number]);
                found.filter(|key| seen.insert((*key).clone())).cloned().collect()
            })
            .collect();
        next.extend(fresh.into_iter().flatten());
    }
}

impl<K: Key> Frontier for Sparse<K> {
    fn len(&self) -> u64 {
        self.layer.len() as u64
    }

    fn advance(&mut self, room: u64, work: Work<'_>) -> Result<(), Stopped> {
        let layer = std::mem::take(&mut self.layer);
        let mut next = Vec::new();
        let each = self.moves.movers as u64 * (1 + self.keys.kept.len() as u64 / 16);
        for block in layer.chunks(BLOCK) {
            work.charge(block.len() as u64 * each)?;
            if block.len() <= FEW {
                self.few(block, &mut next)
            } else {
                self.many(block, &mut next)
            }
            if next.len() as u64 > room {
                return Err(Stopped::TooMany { most: room.saturating_add(self.found), total: None });
            }
            // a set may have doubled just now
            enough((self.found + next.len() as u64).saturating_mul(3 * self.keys.bytes()), MEMORY)?;
        }
        self.found += next.len() as u64;
        self.layer = next;
        Ok(())
    }

    fn each(
        &mut self,
        work: Work<'_>,
        each: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stopped> {
        give(&mut self.layer, &self.keys, work, each)
    }
}

fn shard<K: Key>(key: &K) -> usize {
    // the sets themselves use the highest and the lowest bits
    (FxBuildHasher.hash_one(key) >> 40) as usize % SHARDS
}
