//! Stabilizers of points and of sets.

use indexmap::IndexSet;
use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::FxBuildHasher;

use super::PermGroup;
use super::chain::{Chain, Hints};
use super::mixer::Mixer;
use super::tree::Tree;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0x57ab;
/// Up to this degree a chain is cheaper than a search for generators.
const CHAIN_DEGREE: usize = 128;
/// An orbit of sets may have so many sets, and so many points in all of them.
const SETS: usize = 1 << 20;
const SET_POINTS: usize = 1 << 26;
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
        if group.order(work)? == *order {
            return Ok(group);
        }
        goal += 1 + goal / 2;
    }
}

impl PermGroup {
    /// The elements that fix a point. Random Schreier elements until the order is that of the group divided by the length of the
    /// orbit, which proves them (HCGT section 4.1), or a chain with the point as its first base point where that is cheaper.
    pub fn stabilizer(&self, point: u32, work: Work<'_>) -> Done<PermGroup> {
        let length = self.orbits().orbit_of(point).len();
        if length <= 1 {
            return Ok(self.clone());
        }
        let order = self.order(work)?;
        if self.degree <= CHAIN_DEGREE {
            let hints = Hints { base: &[point], order: Some(&order), ..Hints::default() };
            let chain = Chain::new(self.degree, &self.generators, hints, work)?;
            return Ok(PermGroup::with_order(self.degree, chain.generators_from(1), chain.order_from(1)));
        }
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        let tree = Tree::new(self.degree, &self.generators, &mut mixer, point, work)?;
        let mut next = || {
            let element = mixer.element(work)?;
            tree.lead_home(&element, work)
        };
        of_known_order(self.degree, &(order / length), &mut next, work)
    }

    /// The elements that fix each of some points.
    pub fn pointwise_stabilizer(&self, points: &[u32], work: Work<'_>) -> Done<PermGroup> {
        let mut group = self.clone();
        for point in points {
            group = group.stabilizer(*point, work)?;
        }
        Ok(group)
    }

    /// The elements that move the points of a set among each other. Costs the orbit of the set (or of what it leaves of the
    /// orbits of points, where that is less), which may have about a million sets, then as [`stabilizer`](Self::stabilizer).
    pub fn set_stabilizer(&self, set: &[u32], work: Work<'_>) -> Done<PermGroup> {
        let set = self.least_set(set);
        match set.as_slice() {
            [] => return Ok(self.clone()),
            [point] => return self.stabilizer(*point, work),
            _ => {}
        }
        let whole: Vec<u32> = self.orbits().lists.iter().filter(|orbit| orbit.len() > 1).flatten().copied().collect();
        let size = set.len();
        let order = self.order(work)?;
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        let mut movers: Vec<Perm> = self.generators.iter().filter(|mover| !mover.is_identity()).cloned().collect();
        while movers.len() < 4 {
            movers.push(mixer.element(work)?);
        }
        // the orbit, and for each of its sets the one it came from and by which mover
        let mut sets: IndexSet<Box<[u32]>, FxBuildHasher> = IndexSet::default();
        let mut came: Vec<(u32, u32)> = vec![(0, 0)];
        sets.insert(set.into());
        let mut at = 0;
        while at < sets.len() {
            work.charge(1 + (movers.len() * size / 16) as u64)?;
            for (number, mover) in movers.iter().enumerate() {
                let Some(from) = sets.get_index(at) else { break };
                let mut image: Box<[u32]> = from.iter().map(|point| mover.image(*point)).collect();
                image.sort_unstable();
                if sets.insert(image) {
                    came.push((at as u32, number as u32));
                }
            }
            at += 1;
            if sets.len() > SETS || sets.len() * size > SET_POINTS {
                return Err(Unfinished::TooLarge(format!(
                    "the set of {size} of the {} points goes to more than {} sets",
                    whole.len(),
                    sets.len() - 1
                )));
            }
        }
        let home = sets.get_index(0).cloned().unwrap_or_default();
        let mut next = || {
            let element = mixer.element(work)?;
            let mut image: Vec<u32> = home.iter().map(|point| element.image(*point)).collect();
            image.sort_unstable();
            let mut place = sets.get_index_of(image.as_slice()).unwrap_or(0);
            let mut way = Perm::identity(self.degree);
            while place != 0 {
                work.products(1, self.degree)?;
                let (from, number) = came[place];
                way = movers[number as usize].then(&way);
                place = from as usize;
            }
            work.products(2, self.degree)?;
            Ok(element.then(&way.inverse()))
        };
        of_known_order(self.degree, &(order / sets.len()), &mut next, work)
    }

    /// A set with the same stabilizer and as few points as may be: in each orbit the part that is in the set or the part that is not.
    fn least_set(&self, set: &[u32]) -> Vec<u32> {
        let mut inside = vec![false; self.degree];
        for point in set {
            if let Some(slot) = inside.get_mut(*point as usize) {
                *slot = true;
            }
        }
        let mut least = Vec::new();
        for orbit in &self.orbits().lists {
            let there: Vec<u32> = orbit.iter().copied().filter(|point| inside[*point as usize]).collect();
            if 2 * there.len() <= orbit.len() {
                least.extend(there);
            } else {
                least.extend(orbit.iter().copied().filter(|point| !inside[*point as usize]));
            }
        }
        least.sort_unstable();
        least
    }
}
