//! Stabilizer chains: base, basic orbits, transversals, strong generators.
//!
//! A chain for a group G with base b1, b2, … has a level for each base point: the orbit of b(i) under the subgroup that
//! fixes the base points before it, and for each point of that orbit a way back to b(i). Each element of G is then, in exactly
//! one way, a product of one such way a level, so the order of G is the product of the lengths of the orbits
//! (HCGT section 4.4).

mod build;
mod level;
mod regular;

use num_bigint::BigUint;
use num_traits::One;

use crate::perm::Perm;
use crate::random::Random;

pub use build::Hints;
pub use level::Level;

/// A verified stabilizer chain. Immutable.
#[derive(Clone, Debug)]
pub struct Chain {
    degree: usize,
    levels: Vec<Level>,
    strong: Vec<Strong>,
}

/// A strong generator.
#[derive(Clone, Debug)]
struct Strong {
    perm: Perm,
    inverse: Perm,
    /// how many base points it fixes, from the first
    depth: usize,
}

impl Chain {
    /// The number of points.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The base.
    pub fn base(&self) -> Vec<u32> {
        self.levels.iter().map(Level::base).collect()
    }

    /// The levels, from the whole group down.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The order of the group.
    pub fn order(&self) -> BigUint {
        self.order_from(0)
    }

    /// The order of the subgroup that fixes the first `level` base points.
    pub fn order_from(&self, level: usize) -> BigUint {
        let lengths = self.levels.iter().skip(level).map(|level| BigUint::from(level.orbit().len()));
        lengths.fold(BigUint::one(), |product, length| product * length)
    }

    /// Generators of the subgroup that fixes the first `level` base points.
    pub fn generators_from(&self, level: usize) -> Vec<Perm> {
        self.strong.iter().filter(|strong| strong.depth >= level).map(|strong| strong.perm.clone()).collect()
    }

    /// Divides an element by the ways of the levels until a level has none: what is left, and how many levels it passed. It is
    /// the identity after all levels exactly for the elements of the group. Costs a product for each level, or for each step of
    /// the trees on large degrees.
    pub fn sift(&self, element: &Perm) -> (Perm, usize) {
        self.sift_from(element.clone(), 0)
    }

    fn sift_from(&self, mut rest: Perm, from: usize) -> (Perm, usize) {
        for (passed, level) in self.levels.iter().enumerate().skip(from) {
            match level.lead_home(rest) {
                Ok(next) => rest = next,
                Err(stuck) => return (stuck, passed),
            }
        }
        (rest, self.levels.len())
    }

    /// Is the permutation in the group? One of another degree is, if what it moves are points of this one.
    pub fn contains(&self, element: &Perm) -> bool {
        let (rest, passed) = self.sift(element);
        passed == self.levels.len() && rest.is_identity()
    }

    /// An element of the group, each equally likely.
    pub fn random_element(&self, random: &mut Random) -> Perm {
        let mut element = Perm::identity(self.degree);
        for level in self.levels.iter().rev() {
            let point = level.orbit()[random.index(level.orbit().len())];
            element = element.then(&level.representative(point, self.degree));
        }
        element
    }

    /// All elements, if there are at most `limit`. The identity comes first.
    pub fn elements(&self, limit: usize) -> Option<Vec<Perm>> {
        if self.order() > BigUint::from(limit) {
            return None;
        }
        let mut elements = vec![Perm::identity(self.degree)];
        for level in self.levels.iter().rev() {
            let ways: Vec<Perm> = level.orbit().iter().map(|point| level.representative(*point, self.degree)).collect();
            elements = ways.iter().flat_map(|way| elements.iter().map(move |element| element.then(way))).collect();
        }
        Some(elements)
    }
}
