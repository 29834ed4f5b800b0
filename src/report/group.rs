//! What a group is, as data.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use serde::Serialize;

use crate::run::group::{GroupFacts, GroupValue, group_text};
use crate::run::print::cycles_text;
use crate::run::value::PermValue;

/// What a group is.
#[derive(Clone, Debug, Serialize)]
pub struct GroupReport {
    /// the group in a form that can be pasted back
    pub group: String,
    /// as the script names it, where that differs
    #[serde(skip)]
    pub written: String,
    /// whose cells the points are
    pub puzzle: Option<String>,
    pub generators: Vec<String>,
    pub points: usize,
    pub moved: usize,
    /// the lengths of the orbits with more than one point, from the longest
    pub orbits: Vec<usize>,
    pub transitive: bool,
    /// of the action on the one orbit with more than one point
    pub primitive: Option<bool>,
    /// a decimal string; none if it would cost too much
    pub order: Option<String>,
    /// primes with their exponents
    pub factors: Option<Vec<(u64, u32)>>,
    pub identity: Option<IdentityReport>,
}

/// A name for a group, and why it is this one.
#[derive(Clone, Debug, Serialize)]
pub struct IdentityReport {
    /// none where only properties are known
    pub name: Option<String>,
    /// sentences without full stops
    pub reasons: Vec<String>,
    /// elements that the reasons speak of: what they are called there, and their cycles
    pub witnesses: Vec<(String, String)>,
}

/// Orders with more bits are not taken apart.
const LARGEST_BITS: u64 = 400_000;

impl GroupReport {
    /// The report of a group; what nobody found out about it yet is left out.
    pub fn new(value: &GroupValue, written: &str) -> GroupReport {
        let group = &value.group;
        let mut orbits: Vec<usize> = group.orbits().lists.iter().map(Vec::len).filter(|length| *length > 1).collect();
        orbits.sort_unstable_by(|a, b| b.cmp(a));
        let facts = value.facts.get();
        let order = facts.and_then(|facts| facts.order.as_ref());
        let primitive = match facts {
            Some(GroupFacts { orbits, .. }) if orbits.len() == 1 => orbits[0].primitive,
            _ => None,
        };
        GroupReport {
            group: group_text(value),
            written: written.to_string(),
            puzzle: value.of.as_ref().map(|instance| instance.name.clone()),
            generators: value.generator_texts().collect(),
            points: group.degree(),
            moved: orbits.iter().sum(),
            transitive: group.orbits().count() == 1,
            primitive,
            order: order.map(BigUint::to_string),
            factors: order.and_then(|order| factors(order, group.degree())),
            identity: facts.and_then(|facts| facts.identity.as_ref()).map(|identity| IdentityReport {
                name: identity.name.clone(),
                reasons: identity.reasons.clone(),
                witnesses: identity
                    .witnesses
                    .iter()
                    .map(|(name, perm)| {
                        let perm = PermValue { perm: perm.clone(), of: value.of.clone() };
                        (name.clone(), cycles_text(&perm))
                    })
                    .collect(),
            }),
            orbits,
        }
    }
}

/// The primes of the order of a group: none is larger than the number of points.
fn factors(order: &BigUint, points: usize) -> Option<Vec<(u64, u32)>> {
    if order.bits() > LARGEST_BITS {
        return None;
    }
    let mut rest = order.clone();
    let mut found = Vec::new();
    let mut sieve = vec![true; points + 1];
    for prime in 2..=points {
        if rest.is_one() {
            break;
        }
        if !sieve[prime] {
            continue;
        }
        (prime..=points).step_by(prime).for_each(|multiple| sieve[multiple] = false);
        let mut exponent = 0;
        loop {
            let (quotient, remainder) = rest.div_rem(&BigUint::from(prime));
            if remainder != BigUint::ZERO {
                break;
            }
            rest = quotient;
            exponent += 1;
        }
        if exponent > 0 {
            found.push((prime as u64, exponent));
        }
    }
    rest.is_one().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_taken_apart_into_primes() {
        assert_eq!(factors(&BigUint::from(720u32), 6), Some(vec![(2, 4), (3, 2), (5, 1)]));
        assert_eq!(factors(&BigUint::one(), 0), Some(vec![]));
        assert_eq!(factors(&BigUint::from(7u32), 6), None);
    }
}
