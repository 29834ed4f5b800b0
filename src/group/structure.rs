//! What a group is made of, proved: the fast way to its order and its elements.
//!
//! The orbits of a puzzle's group are mostly *frames*: m blocks of q points in a ring (see [`frame`](super::frame)), on which the group does
//! everything that a wreath product C(q) wr S(m) can do, up to signs and sums of turns. Let P be the product, over such frames, of
//! the elements that permute the blocks evenly and turn them by a total of 0. If the group G contains P, then its order is |P| times that of G/P,
//! and G/P acts on few points: two for each sign, q for each sum of turns, and the points of the orbits that are not of this kind. A
//! stabilizer chain does the rest there.
//!
//! That G contains the part of P on one frame is proved by witnesses, elements of G:
//!
//! 1. The blocks are permuted by all even permutations at least: the group on the blocks is transitive, and one element has a
//!    cycle whose length is a prime p with m/2 < p < m - 2. (A block of blocks could not be larger than 1: p of them would be moved, 2p > m.
//!    So the group is primitive; a power of the element is a single p-cycle; Jordan 1873: it contains the alternating group.) For m < 8 its order is computed.
//! 2. An element fixes every point outside the frame, apart from orbits that copy it, and moves blocks. Its conjugates generate a normal subgroup of the
//!    alternating group on the blocks, m >= 5, which is simple: so all even permutations of the blocks occur with all other points fixed.
//! 3. For q > 1: among these, elements that move no block and whose turns are not all equal modulo p, for each prime p that divides q. Then all turns with sum 0 occur:
//!    the only submodules of the permutation module of A(m), m >= 5, modulo p, are 0, the constant vectors, those of sum 0, and everything; from p to
//!    its powers by Nakayama's lemma.
//!
//! The even permutations of blocks form a perfect group, so with 2 and 3 those with sum 0 occur as well.

mod find;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use num_bigint::BigUint;
use num_traits::One;

use super::chain::{Chain, Hints};
use super::frame::{Frame, NONE};
use super::work::{Done, Work};
use crate::perm::Perm;
use crate::random::Random;

/// The proved structure of a group.
#[derive(Clone, Debug)]
pub struct Structure {
    degree: usize,
    /// The orbits that are not copies of others, as frames, larger ones first.
    frames: Vec<Frame>,
    /// The place of each point in its frame.
    place: Vec<u32>,
    /// The frames on which the group does all that it can, with the reasons.
    free: Vec<Free>,
    /// Orbits whose points follow points of other orbits.
    copies: Vec<Copy>,
    /// The points of the frames that are not free, in increasing order.
    rest: Vec<u32>,
    /// G/P on few points.
    quotient: Chain,
    order: BigUint,
    generators: Vec<Perm>,
    /// the chain of G with the points of G/P as base, for random elements
    lifts: OnceLock<Chain>,
}

/// A frame on which the group contains all even permutations of blocks with turns of sum 0, all other points fixed.
#[derive(Clone, Debug)]
pub struct Free {
    /// Which frame.
    pub frame: usize,
    /// The length of the prime cycle on blocks of an element, or 0 if the order of the action on blocks was computed.
    pub prime: usize,
    /// An element with a cycle of that length on blocks; the identity where the order was computed.
    pub prime_witness: Perm,
    /// An element that moves blocks of this frame and fixes all other points, up to copies.
    pub witness: Perm,
}

/// An orbit whose points are determined by those of another: whatever fixes a point there fixes its companion here.
#[derive(Clone, Debug)]
pub struct Copy {
    /// The frame that it follows.
    pub frame: usize,
    /// Pairs of a point of the frame and its companion. Several points may have one companion.
    pub pairs: Vec<(u32, u32)>,
}

impl Structure {
    /// Finds and proves the structure. The random search is cheap where it succeeds: some hundred products. Where frames are not free, a
    /// stabilizer chain on their points is built and verified.
    pub fn new(degree: usize, generators: &[Perm], work: Work<'_>) -> Done<Structure> {
        find::structure(degree, generators, work)
    }

    /// The orbits that are not copies of others, as frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The frames on which the group does all that it can.
    pub fn free(&self) -> &[Free] {
        &self.free
    }

    /// The orbits that follow others.
    pub fn copies(&self) -> &[Copy] {
        &self.copies
    }

    /// The points whose group is described by a chain.
    pub fn rest(&self) -> &[u32] {
        &self.rest
    }

    /// The quotient by the product of the free parts: the points of the rest in order, then for each free frame two points that its odd permutations exchange and a ring that its sum of
    /// turns turns.
    pub fn quotient(&self) -> &Chain {
        &self.quotient
    }

    /// The order of the group.
    pub fn order(&self) -> &BigUint {
        &self.order
    }

    /// The order of the free part on a frame: q^(m-1) m! / 2.
    pub fn free_order(&self, free: &Free) -> BigUint {
        free_order(&self.frames[free.frame])
    }

    /// Is the permutation an element of the group? Linear in the degree, and a sift through the small chain of the quotient.
    pub fn contains(&self, element: &Perm) -> bool {
        self.project(element).is_some_and(|image| self.quotient.contains(&image))
    }

    /// What an element does in the quotient; None if it does not keep the frames and copies.
    pub(super) fn project(&self, element: &Perm) -> Option<Perm> {
        // a permutation that moves more than these points
        if element.degree() > self.degree && element.support().last().is_some_and(|last| *last as usize >= self.degree)
        {
            return None;
        }
        for copy in &self.copies {
            let frame = &self.frames[copy.frame];
            for (point, companion) in &copy.pairs {
                let at = frame.place_of(element.image(*point), &self.place)?;
                // pairs are kept in the order of the frame's places
                if copy.pairs[at].1 != element.image(*companion) {
                    return None;
                }
            }
        }
        let mut images: Vec<u32> = Vec::with_capacity(self.quotient.degree());
        for point in &self.rest {
            images.push(self.rest.binary_search(&element.image(*point)).ok()? as u32);
        }
        for free in &self.free {
            let frame = &self.frames[free.frame];
            let reading = frame.read(element, &self.place)?;
            push_signs(&mut images, reading.is_odd(), frame.ring, reading.twist(frame.ring));
        }
        // points that no element moves
        let moved_outside = |point: u32| self.place[point as usize] == NONE && element.image(point) != point;
        if (0..self.degree as u32).any(moved_outside) {
            return None;
        }
        Perm::from_images(images).ok()
    }

    /// What a permutation does to the sign and the sum of turns of a free frame: a permutation of two points and of a ring, if the frame has
    /// one. None if it does not keep the frame.
    pub(super) fn signs(&self, free: &Free, element: &Perm) -> Option<Perm> {
        let frame = &self.frames[free.frame];
        let reading = frame.read(element, &self.place)?;
        let mut images = Vec::new();
        push_signs(&mut images, reading.is_odd(), frame.ring, reading.twist(frame.ring));
        Perm::from_images(images).ok()
    }

    /// An element of the group, each equally likely.
    pub fn random_element(&self, random: &mut Random, work: Work<'_>) -> Done<Perm> {
        let lifts = match self.lifts.get() {
            Some(lifts) => lifts,
            None => {
                let lifts = self.find_lifts(work)?;
                self.lifts.get_or_init(|| lifts)
            }
        };
        work.products(2, self.degree)?;
        let lift = lifts.random_element(random);
        let mut images: Vec<u32> = lift.images()[..self.degree].to_vec();
        for free in &self.free {
            shuffle(&self.frames[free.frame], &lift, &mut images, random);
        }
        for copy in self.copies.iter() {
            for (point, companion) in &copy.pairs {
                let frame = &self.frames[copy.frame];
                if let Some(at) = frame.place_of(images[*point as usize], &self.place) {
                    images[*companion as usize] = copy.pairs[at].1;
                }
            }
        }
        Ok(Perm::from_images(images).unwrap_or(Perm::identity(self.degree)))
    }

    /// The chain of the group acting on its own points and on those of the quotient, with base points of the quotient only.
    fn find_lifts(&self, work: Work<'_>) -> Done<Chain> {
        let shift = self.degree as u32;
        let both = self.generators.iter().map(|generator| {
            let image = self.project(generator).unwrap_or(Perm::identity(self.quotient.degree()));
            let moved = image.images().iter().map(|point| point + shift);
            Perm::from_images(generator.images().iter().copied().chain(moved).collect()).unwrap_or(Perm::identity(0))
        });
        let generators: Vec<Perm> = both.collect();
        let base: Vec<u32> = self.quotient.base().iter().map(|point| point + shift).collect();
        let order = self.quotient.order();
        let hints = Hints { base: &base, order: Some(&order), only_this_base: true };
        Chain::new(self.degree + self.quotient.degree(), &generators, hints, work)
    }
}

/// The points that stand for a free frame in the quotient.
pub(super) fn push_signs(images: &mut Vec<u32>, odd: bool, ring: usize, twist: usize) {
    let start = images.len() as u32;
    images.extend(if odd { [start + 1, start] } else { [start, start + 1] });
    let start = images.len();
    if ring > 1 {
        images.extend((0..ring).map(|step| (start + (step + twist) % ring) as u32));
    }
}

fn free_order(frame: &Frame) -> BigUint {
    let factorial = (3..=frame.blocks).fold(BigUint::one(), |product, k| product * k);
    factorial * BigUint::from(frame.ring).pow(frame.blocks as u32 - 1)
}

/// Follows an element by a random one of the free part of a frame.
fn shuffle(frame: &Frame, lift: &Perm, images: &mut [u32], random: &mut Random) {
    let (m, q) = (frame.blocks, frame.ring);
    let mut blocks: Vec<usize> = (0..m).collect();
    let mut odd = false;
    for at in (1..m).rev() {
        let other = random.index(at + 1);
        odd ^= other != at;
        blocks.swap(at, other);
    }
    if odd {
        // each even permutation comes in this way from two permutations: from itself and from its product with a swap
        blocks.swap(0, 1);
    }
    let mut turns: Vec<usize> = (0..m).map(|_| random.index(q)).collect();
    let sum: usize = turns[1..].iter().sum();
    turns[0] = (q - sum % q) % q;
    // first a random element of the free part, then the lift
    for (block, (image, turn)) in blocks.iter().zip(&turns).enumerate() {
        for step in 0..q {
            let middle = frame.points[image * q + (step + turn) % q];
            images[frame.points[block * q + step] as usize] = lift.image(middle);
        }
    }
}
