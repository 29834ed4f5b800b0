//! Abelian groups, and small groups by their elements.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};

use super::Identity;
use crate::group::PermGroup;
use crate::group::primes::prime_factors;
use crate::group::work::{Done, Work};
use crate::perm::Perm;

/// Groups of up to so many elements are looked at element by element.
pub(super) const LISTED: u64 = 5000;

/// The invariants of an abelian group: the order of p^k G tells how many cyclic factors of order p^(k+1) and more there are, as in the structure theorem.
pub(super) fn abelian(group: &PermGroup, work: Work<'_>) -> Done<Identity> {
    let order = group.order(work)?;
    let mut factors: Vec<BigUint> = Vec::new();
    for prime in primes_of(group) {
        let mut sizes = vec![order.clone()];
        loop {
            let exponent = BigInt::from(prime).pow(sizes.len() as u32);
            let powers = group.generators().iter().map(|generator| generator.pow(&exponent)).collect();
            let size = PermGroup::new(group.degree(), powers).order(work)?;
            let settled = sizes.last() == Some(&size);
            sizes.push(size);
            if settled {
                break;
            }
        }
        // how many cyclic factors have order p^k or more
        let counts: Vec<usize> = sizes.windows(2).map(|pair| logarithm(&(&pair[0] / &pair[1]), prime)).collect();
        for k in 1..=counts.len() {
            let of_this_order = counts[k - 1] - counts.get(k).copied().unwrap_or(0);
            factors.extend(std::iter::repeat_n(BigUint::from(prime).pow(k as u32), of_this_order));
        }
    }
    // combine the largest powers of different primes into the largest cyclic factor, and so on
    let mut invariants: Vec<(BigUint, Vec<u64>)> = Vec::new();
    factors.sort_unstable_by(|a, b| b.cmp(a));
    for factor in factors {
        let prime = (2..).find(|p| (&factor % *p) == BigUint::ZERO).unwrap_or(2);
        match invariants.iter_mut().find(|(_, primes)| !primes.contains(&prime)) {
            Some((invariant, primes)) => {
                *invariant *= factor;
                primes.push(prime);
            }
            None => invariants.push((factor, vec![prime])),
        }
    }
    invariants.sort_by(|a, b| b.0.cmp(&a.0));
    let names: Vec<String> = invariants.iter().map(|(order, _)| format!("C{order}")).collect();
    let cyclic = if names.len() == 1 { ", and it has an element of that order" } else { "" };
    Ok(Identity::new(super::collected(&names), format!("the generators commute; its order is {order}{cyclic}")))
}

/// The primes that divide the order of a permutation group divide the order of a generator, if it is abelian.
fn primes_of(group: &PermGroup) -> Vec<u64> {
    let lengths = group.generators().iter().flat_map(|generator| generator.cycle_type());
    let mut primes: Vec<u64> = lengths.flat_map(prime_factors).map(|prime| prime as u64).collect();
    primes.sort_unstable();
    primes.dedup();
    primes
}

fn logarithm(power: &BigUint, prime: u64) -> usize {
    let mut rest = power.clone();
    let mut exponent = 0;
    while !rest.is_one() && rest.bits() > 0 {
        rest /= prime;
        exponent += 1;
    }
    exponent
}

/// A name for a group of few elements that is not abelian: dihedral, dicyclic, and some of the smallest.
pub(super) fn by_elements(group: &PermGroup, work: Work<'_>) -> Done<Option<Identity>> {
    let order = group.order(work)?;
    let Some(size) = order.to_u64().filter(|size| *size <= LISTED) else { return Ok(None) };
    work.products(size as usize, group.degree())?;
    let Some(elements) = group.chain(work)?.elements(LISTED as usize) else { return Ok(None) };
    let orders: Vec<u64> = elements.iter().map(|element| element.order().to_u64().unwrap_or(u64::MAX)).collect();
    let involutions = orders.iter().filter(|order| **order == 2).count();
    let half = size / 2;
    if size.is_multiple_of(2)
        && let Some(turn) = elements.iter().zip(&orders).find(|(_, order)| **order == half).map(|(element, _)| element)
        && let Some(mirror) = elements.iter().find(|element| !is_power(element, turn))
        && Perm::conjugate(mirror, turn) == turn.inverse()
    {
        let outside = mirror.order();
        if outside == BigUint::from(2u8) {
            return Ok(Some(Identity::new(
                format!("D{half}"),
                format!(
                    "an element of order {half} generates half of its {size} elements, and an involution inverts it: dihedral"
                ),
            )));
        }
        if half.is_multiple_of(2) && outside == BigUint::from(4u8) {
            let name = if size == 8 { "Q8".to_string() } else { format!("Dic{}", half / 2) };
            return Ok(Some(Identity::new(
                name,
                format!(
                    "an element of order {half} generates half of its {size} elements, and an element of order 4 inverts it: dicyclic"
                ),
            )));
        }
    }
    let most = orders.iter().copied().max().unwrap_or(1);
    let centre = elements
        .iter()
        .filter(|element| group.generators().iter().all(|generator| generator.then(element) == element.then(generator)))
        .count();
    Ok(match (size, involutions, most, centre) {
        // of the groups with 12 elements only A4 has no element of order 6 and is neither abelian nor dicyclic
        (12, 3, 3, 1) => Some(Identity::new("A4", "12 elements, three of order 2, eight of order 3")),
        // of the 15 groups with 24 elements only S4 has a trivial centre
        (24, _, _, 1) => Some(Identity::new("S4", "24 elements and a trivial centre; there is one such group")),
        (24, 1, 6, 2) if elements.iter().zip(&orders).filter(|(_, order)| **order == 3).count() == 8 && most == 6 => {
            let sixes = orders.iter().filter(|order| **order == 6).count();
            (sixes == 8).then(|| Identity::new("SL(2,3)", "24 elements, one involution, eight elements of order 3"))
        }
        _ => None,
    })
}

fn is_power(element: &Perm, of: &Perm) -> bool {
    let mut power = Perm::identity(of.degree());
    loop {
        if power == *element {
            return true;
        }
        power = power.then(of);
        if power.is_identity() {
            return false;
        }
    }
}
