//! Cosets of a subgroup, and intersections.

use indexmap::IndexMap;
use num_traits::One;
use rustc_hash::FxBuildHasher;

use super::PermGroup;
use super::chain::Chain;
use super::mixer::Mixer;
use super::stabilizer::of_known_order;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0xc05e;
/// All cosets together may keep so many images.
const IMAGES: usize = 1 << 27;
/// An intersection may have so many cosets in the smaller group.
const INTERSECTION: usize = 100_000;

/// The cosets `H g` that the elements g of a group give, each with the product of generators that was met first.
struct CosetTable<'a> {
    subgroup: &'a Chain,
    /// the canonical element of a coset, and an element of the group in it
    table: IndexMap<Perm, Perm, FxBuildHasher>,
}

impl<'a> CosetTable<'a> {
    fn new(group: &PermGroup, subgroup: &'a Chain, limit: usize, work: Work<'_>) -> Done<CosetTable<'a>> {
        let mut cosets = CosetTable { subgroup, table: IndexMap::default() };
        let degree = group.degree.max(subgroup.degree());
        let identity = Perm::identity(degree);
        cosets.table.insert(cosets.canonical(&identity, work)?, identity);
        let mut at = 0;
        while let Some((_, element)) = cosets.table.get_index(at) {
            let element = element.clone();
            at += 1;
            for generator in &group.generators {
                work.products(1, degree)?;
                let next = element.then(generator);
                let canonical = cosets.canonical(&next, work)?;
                cosets.table.entry(canonical).or_insert(next);
            }
            let count = cosets.table.len();
            if count > limit || count.saturating_mul(2 * degree) > IMAGES {
                return Err(Unfinished::TooLarge(format!("there are more than {} cosets", count - 1)));
            }
        }
        Ok(cosets)
    }

    /// The same element for all elements of a coset: level by level the base point gets the least image that it can have.
    fn canonical(&self, element: &Perm, work: Work<'_>) -> Done<Perm> {
        let mut canonical = element.clone();
        for level in self.subgroup.levels() {
            let Some(least) = level.orbit().iter().copied().min_by_key(|point| canonical.image(*point)) else {
                continue;
            };
            work.charge(1 + level.orbit().len() as u64 / 64)?;
            if least != level.base() {
                work.products(3, canonical.degree())?;
                canonical = level.representative(least, self.subgroup.degree()).then(&canonical);
            }
        }
        Ok(canonical)
    }
}

impl PermGroup {
    /// An element g of each right coset `H g` of a subgroup H, the identity first: at most `limit` cosets, else too large. If H is
    /// not inside the group: of those cosets that elements of the group lie in.
    ///
    /// Costs for each coset and generator a product for each base point of H.
    pub fn cosets(&self, subgroup: &PermGroup, limit: usize, work: Work<'_>) -> Done<Vec<Perm>> {
        let index = match subgroup.is_subgroup_of(self, work)? {
            true => Some(self.order(work)? / subgroup.order(work)?),
            false => None,
        };
        if let Some(index) = index
            && index > limit.into()
        {
            return Err(Unfinished::TooLarge(format!("there are {index} cosets, and {limit} were asked for at most")));
        }
        let cosets = CosetTable::new(self, subgroup.chain(work)?, limit, work)?;
        Ok(cosets.table.into_values().collect())
    }

    /// The elements that are in both groups. Found where one contains the other, or where the smaller group meets at most a
    /// hundred thousand cosets of the larger: there it is the stabilizer of a coset (or the other way round).
    pub fn intersection(&self, other: &PermGroup, work: Work<'_>) -> Done<PermGroup> {
        if self.is_subgroup_of(other, work)? {
            return Ok(self.clone());
        }
        if other.is_subgroup_of(self, work)? {
            return Ok(other.clone());
        }
        let (small, large) = match self.order(work)? <= other.order(work)? {
            true => (self, other),
            false => (other, self),
        };
        let cosets = CosetTable::new(small, large.chain(work)?, INTERSECTION, work).map_err(|unfinished| match unfinished {
            Unfinished::TooLarge(_) => Unfinished::TooLarge(format!(
                "the intersection was not found: the smaller group meets more than {INTERSECTION} cosets of the larger"
            )),
            stopped => stopped,
        })?;
        let degree = small.degree.max(large.degree);
        let order = small.order(work)? / cosets.table.len();
        if order.is_one() {
            return Ok(PermGroup::trivial(degree));
        }
        let mut mixer = Mixer::new(degree, &small.generators, SEED, work)?;
        let mut next = || {
            let element = mixer.element(work)?;
            let canonical = cosets.canonical(&element, work)?;
            work.products(2, degree)?;
            // both lie in the same coset, and in the smaller group
            Ok(cosets.table.get(&canonical).map_or(Perm::identity(degree), |way| element.then(&way.inverse())))
        };
        of_known_order(degree, &order, &mut next, work)
    }
}
