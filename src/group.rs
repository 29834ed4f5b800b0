//! Permutation groups: orbits, blocks, exact orders, membership, structure, and short words.
//!
//! A group is given by generators on the points `0..degree`. Whatever is said about it is exact: where chance helps to
//! find something, what was found is confirmed before it is used. The books: Holt, Eick, O'Brien, *Handbook of
//! Computational Group Theory* (HCGT); Seress, *Permutation Group Algorithms*.

mod action;
mod blocks;
mod central;
pub mod chain;
mod classes;
mod closure;
mod cosets;
mod equivariant;
pub mod fact;
pub mod factor;
mod frame;
pub mod groupoid;
mod homomorphism;
mod identify;
mod mixer;
mod objects;
mod obstacle;
mod orbits;
mod primes;
mod search;
mod set_stabilizer;
mod stabilizer;
pub mod structure;
mod subgroup;
#[cfg(test)]
mod tests;
mod tree;
mod witness;
mod work;

use std::sync::OnceLock;

use num_bigint::BigUint;

use crate::perm::Perm;
use crate::random::Random;

pub use action::{LeavesObjects, Object};
pub use blocks::BlockSystem;
pub use chain::Chain;
pub use classes::ConjugacyClass;
pub use frame::Frame;
pub use homomorphism::{Homomorphism, NotAHomomorphism};
pub use identify::Identity;
pub use mixer::Mixer;
pub use obstacle::{Obstacle, Quantity, Sum, Term};
pub use orbits::Orbits;
pub use structure::Structure;
pub use witness::Word;
pub use work::{Done, Unfinished, Work};

/// A permutation group on the points `0..degree`, given by generators.
///
/// What is found out about it (orbits, order, chain) is kept. It can be shared between threads.
#[derive(Clone, Debug)]
pub struct PermGroup {
    degree: usize,
    generators: Vec<Perm>,
    known_order: Option<BigUint>,
    orbits: OnceLock<Orbits>,
    structure: OnceLock<Structure>,
    chain: OnceLock<Chain>,
}

impl PermGroup {
    /// The group that permutations generate. Generators of a smaller degree fix the other points; one of a larger degree raises the
    /// degree of the group.
    pub fn new(degree: usize, generators: Vec<Perm>) -> PermGroup {
        let degree = generators.iter().map(Perm::degree).fold(degree, usize::max);
        let widened = generators.into_iter().map(|perm| match perm.degree() == degree {
            true => perm,
            false => perm.then(&Perm::identity(degree)),
        });
        PermGroup {
            degree,
            generators: widened.collect(),
            known_order: None,
            orbits: OnceLock::new(),
            structure: OnceLock::new(),
            chain: OnceLock::new(),
        }
    }

    /// [`new`](Self::new) for a group whose exact order is known, by a theorem or by a computation: it is taken as proved.
    pub fn with_order(degree: usize, generators: Vec<Perm>, order: BigUint) -> PermGroup {
        PermGroup { known_order: Some(order), ..PermGroup::new(degree, generators) }
    }

    /// The number of points, moved or not.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The generators as they were given, each of the group's degree.
    pub fn generators(&self) -> &[Perm] {
        &self.generators
    }

    /// The orbits of all points, those that no element moves included.
    pub fn orbits(&self) -> &Orbits {
        self.orbits.get_or_init(|| Orbits::new(self.degree, &self.generators))
    }

    /// Is every element the identity?
    pub fn is_trivial(&self) -> bool {
        self.generators.iter().all(Perm::is_identity)
    }

    /// Do the generators commute? Costs a product for each pair.
    pub fn is_abelian(&self) -> bool {
        let mut pairs =
            self.generators.iter().enumerate().flat_map(|(at, a)| self.generators[..at].iter().map(move |b| (a, b)));
        pairs.all(|(a, b)| a.then(b) == b.then(a))
    }

    /// What the group is made of, proved.
    pub fn structure(&self, work: Work<'_>) -> Done<&Structure> {
        if let Some(structure) = self.structure.get() {
            return Ok(structure);
        }
        let structure = Structure::new(self.degree, &self.generators, work)?;
        Ok(self.structure.get_or_init(|| structure))
    }

    /// The number of elements, exact.
    pub fn order(&self, work: Work<'_>) -> Done<BigUint> {
        match &self.known_order {
            Some(order) => Ok(order.clone()),
            None => Ok(self.structure(work)?.order().clone()),
        }
    }

    /// Is the permutation an element?
    pub fn contains(&self, element: &Perm, work: Work<'_>) -> Done<bool> {
        work.products(1, self.degree)?;
        Ok(self.structure(work)?.contains(element))
    }

    /// An element, each equally likely; the same random numbers give the same one.
    pub fn random_element(&self, random: &mut Random, work: Work<'_>) -> Done<Perm> {
        self.structure(work)?.random_element(random, work)
    }

    /// A verified stabilizer chain. Groups that are large on many points have none that fits into memory; their orders and
    /// elements are found through their [structure](Self::structure).
    pub fn chain(&self, work: Work<'_>) -> Done<&Chain> {
        if let Some(chain) = self.chain.get() {
            return Ok(chain);
        }
        let order = self.order(work)?;
        let hints = chain::Hints { order: Some(&order), ..chain::Hints::default() };
        let chain = Chain::new(self.degree, &self.generators, hints, work)?;
        Ok(self.chain.get_or_init(|| chain))
    }
}
