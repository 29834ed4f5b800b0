//! Comparing groups.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::PermGroup;
use super::work::{Done, Work};
use crate::perm::Perm;

impl PermGroup {
    /// The group of one element.
    pub fn trivial(degree: usize) -> PermGroup {
        PermGroup::with_order(degree, Vec::new(), BigUint::one())
    }

    /// Is each element an element of the other group? Looks for each generator in it. Points that only one of the groups has are
    /// fixed by the other.
    pub fn is_subgroup_of(&self, group: &PermGroup, work: Work<'_>) -> Done<bool> {
        for generator in &self.generators {
            if !group.contains(generator, work)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Have the two groups the same elements?
    pub fn equals(&self, group: &PermGroup, work: Work<'_>) -> Done<bool> {
        Ok(self.order(work)? == group.order(work)? && self.is_subgroup_of(group, work)?)
    }

    /// The number of cosets of this group in a group that contains it; None where it does not.
    pub fn index_in(&self, group: &PermGroup, work: Work<'_>) -> Done<Option<BigUint>> {
        if !self.is_subgroup_of(group, work)? {
            return Ok(None);
        }
        Ok(Some(group.order(work)? / self.order(work)?))
    }

    /// Is this a normal subgroup of the other group? Looks for the conjugates of its generators by generators of the other.
    pub fn is_normal_in(&self, group: &PermGroup, work: Work<'_>) -> Done<bool> {
        if !self.is_subgroup_of(group, work)? {
            return Ok(false);
        }
        for by in &group.generators {
            for generator in &self.generators {
                work.products(3, self.degree)?;
                if !self.contains(&generator.conjugated_by(by), work)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The points of the only orbit with more than one point, if the group is the symmetric group (true) or the alternating group
    /// (false) of at least three points. Exact, by the order.
    pub(super) fn as_giant(&self, work: Work<'_>) -> Done<Option<(Vec<u32>, bool)>> {
        let mut long = self.orbits().lists.iter().filter(|orbit| orbit.len() > 1);
        let (Some(points), None) = (long.next(), long.next()) else { return Ok(None) };
        if points.len() < 3 {
            return Ok(None);
        }
        let mut rest = self.order(work)?;
        for factor in 3..=points.len() {
            let (quotient, remainder) = rest.div_rem(&BigUint::from(factor));
            if !remainder.is_zero() {
                return Ok(None);
            }
            rest = quotient;
        }
        if rest.is_one() {
            return Ok(Some((points.clone(), false)));
        }
        Ok((rest == BigUint::from(2u32)).then(|| (points.clone(), true)))
    }

    /// The even elements of a group whose order is known: Schreier generators for the cosets of 1 and an odd element.
    pub(super) fn even_part(self, work: Work<'_>) -> Done<PermGroup> {
        let Some(odd) = self.generators.iter().find(|generator| !generator.is_even()) else { return Ok(self) };
        let back = odd.inverse();
        let mut even = Vec::new();
        for generator in &self.generators {
            work.products(4, self.degree)?;
            match generator.is_even() {
                true => even.extend([generator.clone(), odd.then(generator).then(&back)]),
                false => even.extend([generator.then(&back), odd.then(generator)]),
            }
        }
        even.retain(|element| !element.is_identity());
        Ok(PermGroup::with_order(self.degree, even, self.order(work)? / 2u32))
    }

    /// The group on more points, which it fixes.
    pub(super) fn on_degree(&self, degree: usize) -> PermGroup {
        if degree <= self.degree {
            return self.clone();
        }
        PermGroup { known_order: self.known_order.clone(), ..PermGroup::new(degree, self.generators.clone()) }
    }
}

impl Perm {
    /// The conjugate `h' g h` of this permutation g.
    pub(in crate::group) fn conjugated_by(&self, h: &Perm) -> Perm {
        h.inverse().then(self).then(h)
    }
}
