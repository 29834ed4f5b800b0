//! The random numbers of the language: the same on every machine, and they never change.

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that belong to a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely (Lemire, "Fast random integer generation in an interval", 2019).
    /// `bound` is at least 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            if wide as u64 >= bound.wrapping_neg() % bound.max(1) {
                return (wide >> 64) as u64;
            }
        }
    }

    /// An index of a list of `length` elements, at least one.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }
}
