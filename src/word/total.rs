//! Long exact totals that grow in small steps.

use num_bigint::{BigInt, BigUint};

/// A number built by adding and multiplying, kept as `scale * high + low`.
///
/// Sums and products of machine words collect in `scale` and `low`, and the long number is touched
/// only when these overflow: a tower of a million commutators doubles its length a million times
/// at the cost of some ten thousand long multiplications, and a total below 2^63 needs no
/// allocation.
#[derive(Clone, Debug)]
pub(super) struct Total {
    high: BigInt,
    scale: u64,
    low: i64,
}

impl Total {
    pub(super) fn new(value: u64) -> Total {
        let mut total = Total { high: BigInt::ZERO, scale: 1, low: 0 };
        match i64::try_from(value) {
            Ok(low) => total.low = low,
            Err(_) => total.high = BigInt::from(value),
        }
        total
    }

    fn is_short(&self) -> bool {
        self.high == BigInt::ZERO
    }

    /// Brings the collected sums and products into the long number.
    fn settle(&mut self) {
        self.high *= self.scale;
        self.high += self.low;
        self.scale = 1;
        self.low = 0;
    }

    pub(super) fn add(&mut self, other: Total) {
        if other.is_short() {
            return self.add_small(other.low);
        }
        let mut other = other;
        if self.is_short() {
            std::mem::swap(self, &mut other);
            return self.add_small(other.low);
        }
        other.settle();
        self.settle();
        self.high += other.high;
    }

    pub(super) fn add_small(&mut self, value: i64) {
        match self.low.checked_add(value) {
            Some(low) => self.low = low,
            None => {
                self.settle();
                self.low = value;
            }
        }
    }

    pub(super) fn multiply(&mut self, factor: u64) {
        let low = i64::try_from(factor).ok().and_then(|f| self.low.checked_mul(f));
        match (self.scale.checked_mul(factor), low) {
            (Some(scale), Some(low)) if factor > 0 => (self.scale, self.low) = (scale, low),
            _ => {
                self.settle();
                self.high *= factor;
            }
        }
    }

    pub(super) fn multiply_long(&mut self, factor: &BigUint) {
        self.settle();
        self.high *= BigInt::from(factor.clone());
    }

    /// The number; a negative one, which no count is, would give 0.
    pub(super) fn finish(mut self) -> BigUint {
        self.settle();
        self.high.to_biguint().unwrap_or(BigUint::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_long_arithmetic() {
        let mut total = Total::new(3);
        let mut plain = BigInt::from(3);
        let mut x = 1u64;
        for step in 0..400 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            match step % 5 {
                0 => {
                    total.multiply(2 + (x >> 60));
                    plain *= 2 + (x >> 60);
                }
                1 => {
                    total.add_small(-1);
                    plain -= 1;
                }
                2 => {
                    total.add(Total::new(x));
                    plain += x;
                }
                3 if step % 50 == 3 => {
                    total.add(total.clone());
                    plain *= 2;
                }
                3 if step % 50 == 13 => {
                    total.multiply_long(&BigUint::from(x));
                    plain *= x;
                }
                _ => {
                    total.add_small((x >> 30) as i64);
                    plain += x >> 30;
                }
            }
        }
        assert_eq!(BigInt::from(total.finish()), plain);
    }
}
