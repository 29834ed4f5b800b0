//! Orbits with their symmetries: maps between points that the whole group respects.
//!
//! A map c of an orbit to itself that commutes with the group turns blocks: its own orbits. If the maps of an orbit are the powers of
//! one map c of order q, then the points are m blocks of q points in a ring, and each element of the group permutes the blocks and turns
//! the ring of each by some steps: the group lies in the wreath product of the cyclic group C(q) with S(m). A corner of a cube is such a
//! block, with its three stickers.

pub(super) use super::tree::NONE;
use crate::perm::Perm;

/// No blocks of more points are looked for.
const LONGEST_RING: usize = 64;

/// An orbit as m blocks of q points, each block a ring.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of blocks, m.
    pub blocks: usize,
    /// The number of points of each block, q; 1 where the points are their own blocks.
    pub ring: usize,
    /// The points, block by block, each in the order of its ring.
    pub points: Vec<u32>,
}

impl Frame {
    /// The points of a block, in the order of its ring.
    pub fn block(&self, number: usize) -> &[u32] {
        self.points.get(number * self.ring..(number + 1) * self.ring).unwrap_or(&[])
    }

    /// What a permutation does to the blocks, and how many steps it turns the ring of each: block b goes to `images[b]`, turned by
    /// `turns[b]`. None if it does not keep the blocks and their rings. `place[p]` is the place of point p in `points`, or [`NONE`].
    pub(super) fn read(&self, perm: &Perm, place: &[u32]) -> Option<Reading> {
        let mut reading = Reading { images: Vec::with_capacity(self.blocks), turns: Vec::with_capacity(self.blocks) };
        for block in self.points.chunks_exact(self.ring) {
            let first = self.place_of(perm.image(block[0]), place)?;
            let (image, turn) = (first / self.ring, first % self.ring);
            for (step, point) in block.iter().enumerate().skip(1) {
                let expected = image * self.ring + (turn + step) % self.ring;
                if perm.image(*point) != self.points[expected] {
                    return None;
                }
            }
            reading.images.push(image as u32);
            reading.turns.push(turn as u32);
        }
        Some(reading)
    }

    /// The place of a point in the frame, if it is one of its points.
    pub(super) fn place_of(&self, point: u32, place: &[u32]) -> Option<usize> {
        let at = *place.get(point as usize)? as usize;
        (self.points.get(at) == Some(&point)).then_some(at)
    }
}

/// The place of each point in its frame; [`NONE`] for points of no frame.
pub(super) fn places(degree: usize, frames: &[Frame]) -> Vec<u32> {
    let mut place = vec![NONE; degree];
    for frame in frames {
        for (at, point) in frame.points.iter().enumerate() {
            place[*point as usize] = at as u32;
        }
    }
    place
}

/// What a permutation does to a frame.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub images: Vec<u32>,
    pub turns: Vec<u32>,
}

impl Reading {
    /// Does it permute the blocks oddly?
    pub fn is_odd(&self) -> bool {
        let mut seen = vec![false; self.images.len()];
        let mut cycles = 0;
        for start in 0..self.images.len() {
            let mut at = start;
            if seen[at] {
                continue;
            }
            cycles += 1;
            while !seen[at] {
                seen[at] = true;
                at = self.images[at] as usize;
            }
        }
        (self.images.len() - cycles) % 2 == 1
    }

    /// The sum of all turns, modulo the length of the rings.
    pub fn twist(&self, ring: usize) -> usize {
        self.turns.iter().map(|turn| *turn as usize).sum::<usize>() % ring
    }
}

/// The lengths of the cycles of some elements through each point: a map that commutes with the group takes a point to a point whose
/// cycles have lengths that divide its own.
pub(super) struct CycleLengths(Vec<Vec<u32>>);

impl CycleLengths {
    pub fn new(degree: usize, elements: &[Perm]) -> CycleLengths {
        let lengths = elements.iter().map(|element| {
            let mut lengths = vec![1u32; degree];
            for cycle in element.cycles() {
                for point in &cycle {
                    lengths[*point as usize] = cycle.len() as u32;
                }
            }
            lengths
        });
        CycleLengths(lengths.collect())
    }

    fn may_lead(&self, from: u32, to: u32) -> bool {
        self.0.iter().all(|lengths| lengths[from as usize].is_multiple_of(lengths[to as usize]))
    }
}

/// Finds maps that commute with all generators.
pub(super) struct Maps<'a> {
    generators: &'a [Perm],
    lengths: CycleLengths,
    /// the image of each point under the map in the making
    map: Vec<u32>,
}

impl<'a> Maps<'a> {
    pub fn new(degree: usize, generators: &'a [Perm], samples: &[Perm]) -> Maps<'a> {
        Maps { generators, lengths: CycleLengths::new(degree, samples), map: vec![NONE; degree] }
    }

    /// The map from the orbit of `from` to the orbit of `to` that commutes with the group and takes `from` to `to`, as pairs, if there is one. It exists
    /// exactly if whatever fixes `from` fixes `to`. Costs at most the size of the orbit times the number of generators.
    pub fn between(&mut self, from: u32, to: u32) -> Option<Vec<(u32, u32)>> {
        if !self.lengths.may_lead(from, to) {
            return None;
        }
        let mut pairs = vec![(from, to)];
        self.map[from as usize] = to;
        let mut at = 0;
        let mut good = true;
        'search: while let Some(&(point, image)) = pairs.get(at) {
            at += 1;
            for generator in self.generators {
                let (next, expected) = (generator.image(point), generator.image(image));
                let known = &mut self.map[next as usize];
                if *known == NONE {
                    *known = expected;
                    pairs.push((next, expected));
                } else if *known != expected {
                    good = false;
                    break 'search;
                }
            }
        }
        for (point, _) in &pairs {
            self.map[*point as usize] = NONE;
        }
        good.then_some(pairs)
    }

    /// The frame of an orbit, given by its points in increasing order: its blocks are those of the maps that commute with the group, if these are the powers of
    /// one map; otherwise each point is its own block.
    pub fn frame(&mut self, orbit: &[u32]) -> Frame {
        let single = Frame { blocks: orbit.len(), ring: 1, points: orbit.to_vec() };
        let Some(&first) = orbit.first() else { return single };
        let mut found: Vec<Vec<(u32, u32)>> = Vec::new();
        for point in orbit {
            found.extend(self.between(first, *point));
            // regular actions have as many maps as points: they are left to the chain
            if found.len() > LONGEST_RING {
                return single;
            }
        }
        let ring = found.len();
        if ring == 1 {
            return single;
        }
        for pairs in &found {
            let mut images: Vec<(u32, u32)> = pairs.clone();
            images.sort_unstable();
            let next = |point: u32| images.binary_search_by_key(&point, |pair| pair.0).map_or(point, |at| images[at].1);
            let mut length = 1;
            let mut at = next(first);
            while at != first {
                at = next(at);
                length += 1;
            }
            if length != ring {
                continue;
            }
            let mut points = Vec::with_capacity(orbit.len());
            let mut seen: Vec<bool> = vec![false; orbit.len()];
            for (number, &start) in orbit.iter().enumerate() {
                if seen[number] {
                    continue;
                }
                let mut at = start;
                for _ in 0..ring {
                    points.push(at);
                    if let Ok(place) = orbit.binary_search(&at) {
                        seen[place] = true;
                    }
                    at = next(at);
                }
            }
            return Frame { blocks: orbit.len() / ring, ring, points };
        }
        single
    }
}
