//! Normal closures, derived groups, and what they say.

use num_traits::One;

use super::PermGroup;
use super::mixer::Mixer;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0xc105;
/// So many random elements start a closure.
const FIRST: usize = 3;
/// Up to this order all classes are tried for simplicity.
const SIMPLE_ORDER: u32 = 50_000;

impl PermGroup {
    /// The least subgroup that contains the elements and their conjugates by elements of this group.
    ///
    /// Random conjugates find it; it is proved when all conjugates of its generators by generators of the group are in it (HCGT
    /// section 3.3.2). Costs a membership test for each pair of generators, and the order of the closure a few times.
    pub fn normal_closure(&self, elements: &[Perm], work: Work<'_>) -> Done<PermGroup> {
        let mut start: Vec<Perm> = Vec::new();
        for element in elements {
            if !element.is_identity() && !start.contains(element) {
                start.push(element.clone());
            }
        }
        self.close_normally(start, &[], work)
    }

    /// The normal closure of `start` and `checked`: the latter become generators only as far as they are not in it anyway.
    fn close_normally(&self, start: Vec<Perm>, checked: &[Perm], work: Work<'_>) -> Done<PermGroup> {
        let degree = start.iter().chain(checked).map(Perm::degree).fold(self.degree, usize::max);
        if start.is_empty() && checked.iter().all(Perm::is_identity) {
            return Ok(PermGroup::trivial(degree));
        }
        let mut mixer = Mixer::new(degree, &self.generators, SEED, work)?;
        let mut inner = Mixer::new(degree, &start, SEED, work)?;
        let mut generators = start;
        for _ in 0..FIRST {
            work.products(3, degree)?;
            let fresh = inner.element(work)?.conjugated_by(&mixer.element(work)?);
            if !fresh.is_identity() && !generators.contains(&fresh) {
                generators.push(fresh);
            }
        }
        loop {
            let closure = PermGroup::new(degree, generators.clone());
            // all that is missing is looked for in one group, then as many are added as double its generators
            let wanted = 2 + generators.len();
            let mut missing: Vec<Perm> = Vec::new();
            for element in checked {
                if missing.len() < wanted && !closure.contains(element, work)? {
                    missing.push(element.clone());
                }
            }
            'all: for by in &self.generators {
                for generator in &generators {
                    if missing.len() >= wanted {
                        break 'all;
                    }
                    work.products(3, degree)?;
                    let conjugate = generator.conjugated_by(by);
                    if !closure.contains(&conjugate, work)? && !missing.contains(&conjugate) {
                        missing.push(conjugate);
                    }
                }
            }
            if missing.is_empty() {
                return Ok(closure);
            }
            // a random conjugate of one that is missing says more than its neighbours
            let random = missing[0].conjugated_by(&mixer.element(work)?);
            if !generators.contains(&random) && !missing.contains(&random) {
                missing.push(random);
            }
            generators.extend(missing);
        }
    }

    /// The derived group: the normal closure of the commutators of generators. Random commutators find it.
    pub fn derived(&self, work: Work<'_>) -> Done<PermGroup> {
        let mut commutators: Vec<Perm> = Vec::new();
        for (at, a) in self.generators.iter().enumerate() {
            for b in &self.generators[..at] {
                work.products(3, self.degree)?;
                let commutator = Perm::commutator(a, b);
                if !commutator.is_identity() {
                    commutators.push(commutator);
                }
            }
        }
        if commutators.is_empty() {
            return Ok(PermGroup::trivial(self.degree));
        }
        let mut start: Vec<Perm> = Vec::new();
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        for _ in 0..FIRST {
            work.products(3, self.degree)?;
            let random = Perm::commutator(&mixer.element(work)?, &mixer.element(work)?);
            if !random.is_identity() && !start.contains(&random) {
                start.push(random);
            }
        }
        if start.is_empty() {
            start.push(commutators[0].clone());
        }
        self.close_normally(start, &commutators, work)
    }

    /// The group, its derived group, the derived group of that, and so on until it is trivial or its own derived group.
    pub fn derived_series(&self, work: Work<'_>) -> Done<Vec<PermGroup>> {
        let mut order = self.order(work)?;
        let mut series = vec![self.clone()];
        let mut next = self.derived(work)?;
        loop {
            let smaller = next.order(work)?;
            if smaller == order {
                return Ok(series);
            }
            order = smaller;
            let after = next.derived(work)?;
            series.push(next);
            next = after;
        }
    }

    /// Does the series of derived groups end at the trivial group?
    pub fn is_solvable(&self, work: Work<'_>) -> Done<bool> {
        let series = self.derived_series(work)?;
        match series.last() {
            Some(last) => Ok(last.order(work)?.is_one()),
            None => Ok(true),
        }
    }

    /// Is the group its own derived group?
    pub fn is_perfect(&self, work: Work<'_>) -> Done<bool> {
        Ok(self.derived(work)?.order(work)? == self.order(work)?)
    }

    /// Has the group more than one element, and no normal subgroup but itself and the trivial one? Decided for abelian, imperfect,
    /// alternating and small groups; else too large.
    pub fn is_simple(&self, work: Work<'_>) -> Done<bool> {
        let order = self.order(work)?;
        if order.is_one() {
            return Ok(false);
        }
        if self.is_abelian() {
            // the order of a simple abelian group is prime: that of each element but the identity
            let Some(generator) = self.generators.iter().find(|generator| !generator.is_identity()) else {
                return Ok(false);
            };
            let small = u64::try_from(&order).unwrap_or(0);
            let is_prime = small > 1
                && (2..).take_while(|divisor| divisor * divisor <= small).all(|divisor| !small.is_multiple_of(divisor));
            return Ok(generator.order() == order && is_prime);
        }
        if let Some((points, symmetric)) = self.as_giant(work)? {
            return Ok(!symmetric && points.len() >= 5);
        }
        if !self.is_perfect(work)? {
            return Ok(false);
        }
        if order > SIMPLE_ORDER.into() {
            return Err(Unfinished::TooLarge(format!(
                "whether a group of {order} elements is simple was not decided: all classes are tried up to {SIMPLE_ORDER}"
            )));
        }
        for class in self.conjugacy_classes(work)? {
            if !class.representative.is_identity()
                && self.normal_closure(&[class.representative], work)?.order(work)? != order
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
