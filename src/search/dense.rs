//! Layers as bits: one for each arrangement of an [`Index`], a row of them for all that have the same heads.
//!
//! A move takes a whole row to a row, so what it reads and writes lies together. Large layers are made row by row, each from the rows
//! that lead to it, on all threads; small ones from the rows that have something in them.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use rayon::prelude::*;

use super::index::{Edge, Index};
use super::keys::{Key, Keys, Width};
use super::walk::{Frontier, give};
use super::{MEMORY, Stopped, enough};
use crate::group::{Done, Work};

/// So many bits are moved in a step of work.
const BITS_A_STEP: u64 = 32;
/// So many rows are made by one thread at a time.
const ROWS: usize = 32;
/// More than this share of a row is collected in bytes before it is packed.
const FEW: u32 = 16;

pub(super) struct Dense {
    index: Index,
    keys: Arc<Keys>,
    /// how many words a row has
    words: usize,
    /// for each head, where in `into` the moves that lead to it begin
    begin: Vec<u32>,
    /// moves that lead to a head: from where, and with which turn
    into: Vec<Edge>,
    seen: Vec<u64>,
    layer: Vec<u64>,
    /// empty between two steps
    next: Vec<u64>,
    /// how many bits of the layer each row has
    counts: Vec<u32>,
    /// the rows that have any
    active: Vec<u32>,
    len: u64,
}

impl Dense {
    /// The layer of the start.
    pub fn new(index: Index, keys: Arc<Keys>) -> Dense {
        let (heads, words) = (index.head_count(), index.rest_count().div_ceil(64));
        let mut begin = vec![0u32; heads + 1];
        let edges = || (0..heads).flat_map(|head| index.edges_of(head).iter().map(move |edge| (head, edge)));
        let possible = || edges().filter(|(_, edge)| edge.to != Edge::NOWHERE);
        possible().for_each(|(_, edge)| begin[edge.to as usize + 1] += 1);
        for head in 0..heads {
            begin[head + 1] += begin[head];
        }
        let mut into = vec![Edge { to: 0, turn: 0 }; begin[heads] as usize];
        let mut free = begin.clone();
        for (head, edge) in possible() {
            let at = &mut free[edge.to as usize];
            into[*at as usize] = Edge { to: head as u32, turn: edge.turn };
            *at += 1;
        }
        let mut layer = vec![0; heads * words];
        layer[0] = 1;
        let mut counts = vec![0; heads];
        counts[0] = 1;
        let (seen, next) = (layer.clone(), vec![0; heads * words]);
        Dense { index, keys, words, begin, into, seen, layer, next, counts, active: vec![0], len: 1 }
    }

    /// What the rows with something in them lead to.
    fn push(&mut self, work: Work<'_>) -> Done<(Vec<u32>, u64)> {
        let words = self.words;
        let mut counts = vec![];
        let mut found = 0;
        let mut active = Vec::new();
        std::mem::swap(&mut counts, &mut self.counts);
        let bits: u64 = self.active.iter().map(|head| u64::from(counts[*head as usize])).sum();
        work.charge((bits + self.active.len() as u64) * self.index.movers() as u64 / BITS_A_STEP + 1)?;
        for head in &self.active {
            counts[*head as usize] = 0;
        }
        for head in &self.active {
            let row = &self.layer[*head as usize * words..][..words];
            for edge in self.index.edges_of(*head as usize).iter().filter(|edge| edge.to != Edge::NOWHERE) {
                let at = edge.to as usize * words;
                let (seen, next) = (&mut self.seen[at..][..words], &mut self.next[at..][..words]);
                let turn = self.index.turn(edge.turn);
                let mut fresh = 0;
                for (place, word) in row.iter().enumerate() {
                    bits_of(*word, |bit| {
                        let rest = turn.map_or(place * 64 + bit, |turn| usize::from(turn[place][bit]));
                        let new = !seen[rest / 64] & 1 << (rest % 64);
                        seen[rest / 64] |= new;
                        next[rest / 64] |= new;
                        fresh += u32::from(new != 0);
                    });
                }
                if fresh > 0 {
                    let count = &mut counts[edge.to as usize];
                    if *count == 0 {
                        active.push(edge.to);
                    }
                    *count += fresh;
                    found += u64::from(fresh);
                }
            }
        }
        self.counts = counts;
        Ok((active, found))
    }

    /// What leads to each row, on all threads.
    fn pull(&mut self, work: Work<'_>) -> Done<(Vec<u32>, u64)> {
        let (words, heads) = (self.words, self.counts.len());
        let mut counts = vec![0; heads];
        let pieces = self.seen.par_chunks_mut(ROWS * words).zip(self.next.par_chunks_mut(ROWS * words));
        let puller = Puller {
            index: &self.index,
            begin: &self.begin,
            into: &self.into,
            layer: &self.layer,
            counts: &self.counts,
        };
        let found: u64 = pieces
            .zip(counts.par_chunks_mut(ROWS))
            .enumerate()
            .map_init(
                || vec![0u8; 1 << 16],
                |bytes, (piece, ((seen, next), counts))| {
                    let heads = piece * ROWS..piece * ROWS + counts.len();
                    work.charge(puller.cost(heads.clone()))?;
                    let rows = seen.chunks_exact_mut(words).zip(next.chunks_exact_mut(words)).zip(counts);
                    let found = heads.zip(rows).map(|(head, ((seen, next), count))| {
                        *count = puller.row(head, seen, next, bytes);
                        u64::from(*count)
                    });
                    Ok(found.sum::<u64>())
                },
            )
            .try_reduce(|| 0, |a, b| Ok(a + b))?;
        self.counts = counts;
        let active = (0..heads as u32).filter(|head| self.counts[*head as usize] > 0).collect();
        Ok((active, found))
    }

    /// The keys of a layer, in no order that means anything.
    fn list<K: Key>(&self) -> Vec<K> {
        let (words, keys) = (self.words, &self.keys);
        let cells: Vec<usize> = keys.kept.iter().map(|tile| keys.start_places()[*tile] as usize).collect();
        let row = |head: &u32| {
            let head = *head as usize;
            let mut found = Vec::with_capacity(self.counts[head] as usize);
            for (place, word) in self.layer[head * words..][..words].iter().enumerate() {
                bits_of(*word, |bit| {
                    let places = cells.iter().map(|cell| self.index.place(head, place * 64 + bit, *cell) as u32);
                    found.push(K::pack(places, keys.bits));
                });
            }
            found
        };
        self.active.par_iter().flat_map_iter(row).collect()
    }
}

impl Frontier for Dense {
    fn len(&self) -> u64 {
        self.len
    }

    fn advance(&mut self, _: u64, work: Work<'_>) -> Result<(), Stopped> {
        let large = self.len * self.index.movers() as u64 > (self.seen.len() + self.into.len() / 4) as u64;
        let (active, found) = if large { self.pull(work)? } else { self.push(work)? };
        for head in &self.active {
            self.layer[*head as usize * self.words..][..self.words].fill(0);
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        self.active = active;
        self.len = found;
        Ok(())
    }

    fn each(
        &mut self,
        work: Work<'_>,
        each: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Stopped> {
        enough(self.len.saturating_mul(2 * self.keys.bytes()), MEMORY)?;
        work.charge(self.len)?;
        match self.keys.width() {
            Width::One => give(&mut self.list::<u64>(), &self.keys, work, each),
            Width::Two => give(&mut self.list::<u128>(), &self.keys, work, each),
            Width::Many => give(&mut self.list::<Box<[u16]>>(), &self.keys, work, each),
        }
    }
}

/// Makes rows from those that lead to them.
struct Puller<'a> {
    index: &'a Index,
    begin: &'a [u32],
    into: &'a [Edge],
    layer: &'a [u64],
    counts: &'a [u32],
}

impl Puller<'_> {
    /// The moves that lead to rows that have something in them.
    fn leading(&self, head: usize) -> impl Iterator<Item = &Edge> {
        let into = &self.into[self.begin[head] as usize..self.begin[head + 1] as usize];
        into.iter().filter(|edge| self.counts[edge.to as usize] > 0)
    }

    /// What some rows will cost, in steps.
    fn cost(&self, heads: Range<usize>) -> u64 {
        let bits = heads.flat_map(|head| self.leading(head)).map(|edge| u64::from(self.counts[edge.to as usize]));
        1 + bits.sum::<u64>() / BITS_A_STEP
    }

    /// Makes one row of the next layer, which is empty yet, and counts it.
    fn row(&self, head: usize, seen: &mut [u64], next: &mut [u64], bytes: &mut [u8]) -> u32 {
        let Ok(bytes) = <&mut [u8; 1 << 16]>::try_from(bytes) else { return 0 };
        let words = seen.len();
        let row = |edge: &Edge| &self.layer[edge.to as usize * words..][..words];
        let mut any = false;
        let mut turned = 0;
        for edge in self.leading(head) {
            any = true;
            if edge.turn == 0 {
                next.iter_mut().zip(row(edge)).for_each(|(next, word)| *next |= word);
            } else {
                turned += self.counts[edge.to as usize];
            }
        }
        if !any {
            return 0;
        }
        let scattered = turned > words as u32 * 64 / FEW;
        if scattered {
            bytes[..words * 64].fill(0);
        }
        for edge in self.leading(head) {
            let Some(turn) = self.index.turn(edge.turn) else { continue };
            for (word, images) in row(edge).iter().zip(turn) {
                if scattered {
                    bits_of(*word, |bit| bytes[usize::from(images[bit])] = 1);
                } else {
                    bits_of(*word, |bit| next[usize::from(images[bit] / 64)] |= 1 << (images[bit] % 64));
                }
            }
        }
        if scattered {
            let packed = bytes.as_chunks::<64>().0.iter().map(pack);
            next.iter_mut().zip(packed).for_each(|(next, word)| *next |= word);
        }
        let mut count = 0;
        for (next, seen) in next.iter_mut().zip(seen) {
            *next &= !*seen;
            *seen |= *next;
            count += next.count_ones();
        }
        count
    }
}

/// The lowest bits of 64 bytes.
#[inline]
fn pack(bytes: &[u8; 64]) -> u64 {
    let eight = |word: u64, eight: &[u8; 8]| {
        let gathered = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word >> 8 | gathered << 56
    };
    bytes.as_chunks::<8>().0.iter().fold(0, eight)
}

/// Calls `each` with the numbers of the bits that are set.
#[inline(always)]
fn bits_of(word: u64, mut each: impl FnMut(usize)) {
    let mut rest = word;
    while rest != 0 {
        each((rest.trailing_zeros() % 64) as usize);
        rest &= rest - 1;
    }
}
