//! Stabilizers of points, and subgroups whose order is known beforehand.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use num_bigint::BigUint;
use num_traits::One;

use super::PermGroup;
use super::chain::{Chain, Hints};
use super::mixer::Mixer;
use super::tree::Tree;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0x57ab;
/// A chain that keeps at most so many images is cheaper than a search for generators.
const CHEAP_CHAIN: usize = 1 << 24;
/// Groups with so many generators are tried with fewer.
const MANY: usize = 12;
/// Draws that may bring nothing new before what there is gets counted.
const DRAWS: usize = 30;

/// The subgroup of a known order whose random elements `next` gives: as many of them as reach that order.
pub(super) fn of_known_order(
    degree: usize,
    order: &BigUint,
    next: &mut dyn FnMut() -> Done<Perm>,
    work: Work<'_>,
) -> Done<PermGroup> {
    let mut generators: Vec<Perm> = Vec::new();
    if order.is_one() {
        return Ok(PermGroup::with_order(degree, generators, BigUint::one()));
    }
    let mut goal = 2;
    loop {
        let mut draws = 0;
        while generators.len() < goal && draws < DRAWS {
            let element = next()?;
            if element.is_identity() || generators.contains(&element) {
                draws += 1;
            } else {
                generators.push(element);
            }
        }
        let group = PermGroup::new(degree, generators.clone());
        if group.has_cheap_chain(order) {
            if group.reaches(order, goal as u64, work)? {
                return Ok(PermGroup::with_order(degree, generators, order.clone()));
            }
        } else if group.order(work)? == *order {
            return Ok(group);
        }
        goal += 1 + goal / 2;
    }
}

impl PermGroup {
    /// Does any chain keep few images? The group has `order` elements. Counts what the symmetric groups of the orbits would take, or
    /// as many levels as the order has bits.
    pub(super) fn has_cheap_chain(&self, order: &BigUint) -> bool {
        let lists = &self.orbits().lists;
        let pairs: usize = lists.iter().map(|orbit| orbit.len() * (orbit.len() - 1) / 2).sum();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let levels = usize::try_from(order.bits()).unwrap_or(usize::MAX);
        pairs.min(longest.saturating_mul(levels)).saturating_mul(self.degree) <= CHEAP_CHAIN
    }

    /// The same group with few generators, if a few random elements turn out to generate it.
    pub(super) fn thinned(self, work: Work<'_>) -> Done<PermGroup> {
        if self.generators.len() < MANY {
            return Ok(self);
        }
        let order = self.order(work)?;
        if !self.has_cheap_chain(&order) {
            return Ok(self);
        }
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        let mut generators = Vec::new();
        for goal in [3, MANY / 2] {
            while generators.len() < goal {
                generators.push(mixer.element(work)?);
            }
            let group = PermGroup::with_order(self.degree, generators.clone(), order.clone());
            if group.reaches(&order, 2, work)? {
                return Ok(group);
            }
        }
        Ok(self)
    }

    /// Has the group at least `order` elements? True is certain: a chain under construction counts elements that there are. False
    /// may only mean that `patience` was not enough. Nothing is known beforehand about a group that has more.
    fn reaches(&self, order: &BigUint, patience: u64, work: Work<'_>) -> Done<bool> {
        let levels: u64 = self.orbits().lists.iter().map(|orbit| orbit.len() as u64 - 1).sum();
        let cap = patience * (1_000 + levels * levels * (1 + self.degree as u64 / 64));
        let spent = AtomicU64::new(0);
        let stopped = AtomicBool::new(false);
        let goes_on = |steps: u64| {
            if work.charge(steps).is_err() {
                stopped.store(true, Ordering::Relaxed);
                return false;
            }
            spent.fetch_add(steps, Ordering::Relaxed) + steps <= cap
        };
        let hints = Hints { base: &[], order: Some(order), ..Hints::default() };
        match Chain::new(self.degree, &self.generators, hints, Work::new(&goes_on)) {
            Ok(chain) => Ok(chain.order() >= *order),
            Err(Unfinished::Stopped) if stopped.load(Ordering::Relaxed) => Err(Unfinished::Stopped),
            Err(_) => Ok(false),
        }
    }

    /// The elements that fix a point. Random Schreier elements until the order is that of the group divided by the length of the
    /// orbit, which proves them (HCGT section 4.1), or a chain with the point as its first base point where that is cheaper.
    pub fn stabilizer(&self, point: u32, work: Work<'_>) -> Done<PermGroup> {
        let length = self.orbits().orbit_of(point).len();
        if length <= 1 {
            return Ok(self.clone());
        }
        let order = self.order(work)?;
        if self.has_cheap_chain(&order) {
            let hints = Hints { base: &[point], order: Some(&order), ..Hints::default() };
            let chain = Chain::new(self.degree, &self.generators, hints, work)?;
            return PermGroup::with_order(self.degree, chain.generators_from(1), chain.order_from(1)).thinned(work);
        }
        self.random_stabilizer(point, &(order / length), work)
    }

    /// The stabilizer of a point, which has `order` elements, by random elements.
    pub(super) fn random_stabilizer(&self, point: u32, order: &BigUint, work: Work<'_>) -> Done<PermGroup> {
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        let tree = Tree::new(self.degree, &self.generators, &mut mixer, point, work)?;
        let mut next = || {
            let element = mixer.element(work)?;
            tree.lead_home(&element, work)
        };
        of_known_order(self.degree, order, &mut next, work)
    }

    /// The elements that fix each of some points.
    pub fn pointwise_stabilizer(&self, points: &[u32], work: Work<'_>) -> Done<PermGroup> {
        let mut group = self.clone();
        for point in points {
            group = group.stabilizer(*point, work)?;
        }
        Ok(group)
    }
}
