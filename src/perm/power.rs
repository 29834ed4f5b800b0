//! Powers of permutations along their cycles.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::point::Point;

/// An exponent: any integer; those of one machine word are kept without an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exponent {
    /// An exponent of one machine word.
    Small(i64),
    /// Any other.
    Big(BigInt),
}

impl From<&BigInt> for Exponent {
    fn from(exponent: &BigInt) -> Exponent {
        match exponent.to_i64() {
            Some(small) => Exponent::Small(small),
            None => Exponent::Big(exponent.clone()),
        }
    }
}

impl From<i64> for Exponent {
    fn from(exponent: i64) -> Exponent {
        Exponent::Small(exponent)
    }
}

impl Exponent {
    /// The exponent as a big integer.
    pub fn to_bigint(&self) -> BigInt {
        match self {
            Exponent::Small(e) => BigInt::from(*e),
            Exponent::Big(e) => e.clone(),
        }
    }

    /// Whether the exponent is below zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Exponent::Small(e) => *e < 0,
            Exponent::Big(e) => e.sign() == Sign::Minus,
        }
    }

    /// Whether the exponent is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Exponent::Small(0))
    }

    /// The exponent without its sign when that is at most `u64::MAX`, else `None`.
    pub fn magnitude_u64(&self) -> Option<u64> {
        match self {
            Exponent::Small(e) => Some(e.unsigned_abs()),
            Exponent::Big(e) => e.magnitude().to_u64(),
        }
    }
}

/// lcm(1, …, 46), the largest of its kind in 64 bits: one division of a long exponent by it
/// serves every cycle of up to 46 points.
const COMMON: u64 = 9_419_588_158_802_421_600;

/// An exponent modulo cycle lengths. A long exponent is divided once for all short cycles, and
/// once for each different length among the others.
pub struct Residues<'a> {
    exponent: &'a Exponent,
    common: Option<u64>,
    known: FxHashMap<u64, u64>,
}

impl<'a> Residues<'a> {
    /// Residues of `exponent`; nothing is computed yet.
    pub fn new(exponent: &'a Exponent) -> Self {
        Residues { exponent, common: None, known: FxHashMap::default() }
    }

    /// The residue of the exponent, from 0 to `length - 1`; `length` is at least 1.
    #[inline]
    pub fn modulo(&mut self, length: usize) -> usize {
        match self.exponent {
            Exponent::Small(e) => match i32::try_from(*e) {
                // 32-bit division is several times faster, and the usual case.
                Ok(e) if length < 1 << 31 => e.rem_euclid(length as i32) as usize,
                _ => (i128::from(*e)).rem_euclid(length as i128) as usize,
            },
            Exponent::Big(e) => self.long(e, length as u64) as usize,
        }
    }

    fn long(&mut self, exponent: &BigInt, length: u64) -> u64 {
        if COMMON.is_multiple_of(length) {
            return *self.common.get_or_insert_with(|| remainder(exponent, COMMON)) % length;
        }
        *self.known.entry(length).or_insert_with(|| remainder(exponent, length))
    }
}

/// Horner's rule on the digits, without an allocation. A division of two digits by one is slow
/// hardware, so each step multiplies by a reciprocal instead: Möller and Granlund, "Improved
/// division by invariant integers" (2011), algorithm 4 without its quotient.
fn remainder(exponent: &BigInt, modulus: u64) -> u64 {
    // Dividing by a multiple of the modulus with a high bit leaves a remainder that is as good.
    let divisor = modulus << modulus.leading_zeros();
    let reciprocal = (u128::MAX / u128::from(divisor)) as u64;
    let mut rest = 0u64;
    for digit in exponent.magnitude().iter_u64_digits().rev() {
        let value = (u128::from(rest) << 64) | u128::from(digit);
        let quotient = (u128::from(reciprocal) * u128::from(rest)).wrapping_add(value);
        let guess = ((quotient >> 64) as u64).wrapping_add(1);
        rest = digit.wrapping_sub(guess.wrapping_mul(divisor));
        if rest > quotient as u64 {
            rest = rest.wrapping_add(divisor);
        }
        if rest >= divisor {
            rest -= divisor;
        }
    }
    rest %= modulus;
    if exponent.sign() == Sign::Minus && rest != 0 { modulus - rest } else { rest }
}

/// Writes the power of the permutation `images` into `out`, which holds the identity before.
///
/// `images` must be a permutation of `0..images.len()` and `out` as long; a point that is out of
/// range ends its cycle.
pub fn power_along_cycles<T: Point>(images: &[T], residues: &mut Residues<'_>, out: &mut [T]) {
    let mut seen = vec![false; images.len()];
    let mut cycle: Vec<T> = Vec::new();
    for start in 0..images.len() {
        if seen[start] || images[start].index() == start {
            continue;
        }
        cycle.clear();
        let mut at = start;
        while seen.get(at) == Some(&false) {
            seen[at] = true;
            cycle.push(T::at(at));
            at = images[at].index();
        }
        let turn = residues.modulo(cycle.len());
        if turn == 0 {
            continue;
        }
        // Point k of the cycle goes to point k + turn: two straight stretches, no division.
        let (head, tail) = cycle.split_at(cycle.len() - turn);
        for (&from, &to) in head.iter().zip(&cycle[turn..]) {
            out[from.index()] = to;
        }
        for (&from, &to) in tail.iter().zip(&cycle) {
            out[from.index()] = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_of_long_exponents() {
        let mut x = 99u64;
        let mut next = || {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            x ^ x >> 29
        };
        for round in 0..2000 {
            let mut exponent = BigInt::from(next());
            for _ in 0..round % 7 {
                // Digits of nothing but ones and zeros are where carries go wrong.
                exponent = (exponent << 64) + [next(), 0, u64::MAX, 1][next() as usize % 4];
            }
            if round % 2 == 1 {
                exponent = -exponent;
            }
            for modulus in [1, 2, 3, 47, 1 << 32, u64::MAX, 1 << 63, COMMON, next() | 1, next() >> 40 | 1] {
                let m = BigInt::from(modulus);
                let expected = ((&exponent % &m) + &m) % &m;
                assert_eq!(BigInt::from(remainder(&exponent, modulus)), expected);
            }
        }
    }
}
