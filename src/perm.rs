//! Permutations of `0..n`: images, products, inverses, powers, cycles, order and sign.
//!
//! A permutation says where the content of each cell goes: the content of cell `i` ends up in
//! cell `image(i)`. Products run left to right: `a.then(&b)` does `a` first. Points are numbered
//! from 0 here; numbers for people (from 1) are made elsewhere.
//!
//! A permutation of `n` points is taken to fix every other number. So nothing in this module
//! panics on a point that is out of range, and permutations of different degrees multiply.

pub mod kernel;
mod point;
mod power;
#[cfg(test)]
mod tests;

pub use power::Exponent;

use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

use power::{Residues, power_along_cycles};

/// A permutation of the points `0..degree()`.
///
/// Immutable and cheap to clone (the images are shared). Equal permutations have equal degrees and
/// equal images; the order is that of the lists of images.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Perm {
    images: Arc<[u32]>,
}

/// Why a list of images is not a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotABijection {
    /// Two points have the same image.
    Collision {
        /// The smaller of the two points.
        first: usize,
        /// The larger of the two points.
        second: usize,
        /// Their common image.
        image: u32,
    },
    /// The image of a point is not a point.
    OutOfRange {
        /// The point.
        point: usize,
        /// Its image, at least the number of points.
        image: u32,
    },
}

impl fmt::Display for NotABijection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collision { first, second, image } => {
                write!(f, "points {first} and {second} both go to {image}")
            }
            Self::OutOfRange { point, image } => {
                write!(f, "point {point} goes to {image}, which is not a point")
            }
        }
    }
}

impl std::error::Error for NotABijection {}

/// Why a list of cycles does not describe a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleError {
    /// A point stands twice in one cycle.
    Repeated {
        /// The index of the cycle in the list.
        cycle: usize,
        /// The point.
        point: u32,
    },
    /// A cycle names something that is not a point.
    OutOfRange {
        /// The index of the cycle in the list.
        cycle: usize,
        /// The offending number, at least the number of points.
        point: u32,
    },
}

impl fmt::Display for CycleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated { cycle, point } => {
                write!(f, "point {point} stands twice in cycle {cycle}")
            }
            Self::OutOfRange { cycle, point } => {
                write!(f, "{point} in cycle {cycle} is not a point")
            }
        }
    }
}

impl std::error::Error for CycleError {}

impl Perm {
    /// The identity on `n` points. `n` is at most 2^32, the number of different points.
    pub fn identity(n: usize) -> Perm {
        Perm { images: (0..n).map(|i| i as u32).collect() }
    }

    /// The permutation that sends point `i` to `images[i]`.
    ///
    /// Fails with the first point (in increasing order) whose image is out of range or was already
    /// taken. Linear.
    pub fn from_images(images: Vec<u32>) -> Result<Perm, NotABijection> {
        const FREE: u32 = u32::MAX;
        let n = images.len();
        let mut owner = vec![FREE; n];
        for (point, &image) in images.iter().enumerate() {
            let Some(slot) = owner.get_mut(image as usize) else {
                return Err(NotABijection::OutOfRange { point, image });
            };
            if *slot != FREE {
                return Err(NotABijection::Collision { first: *slot as usize, second: point, image });
            }
            *slot = point as u32;
        }
        Ok(Perm { images: images.into() })
    }

    /// The product, left to right, of cycles on `n` points.
    ///
    /// `[a, b, c]` sends a to b, b to c and c to a. The cycles need not be disjoint; cycles of one
    /// point or none do nothing. Fails when a cycle names a point twice or a number that is not
    /// below `n`. Costs `n` plus the total length of the cycles.
    pub fn from_cycles(n: usize, cycles: &[Vec<u32>]) -> Result<Perm, CycleError> {
        let mut images: Vec<u32> = (0..n).map(|i| i as u32).collect();
        // Multiplying by a cycle on the right would need to find who is mapped to its points.
        // From the last cycle to the first we multiply on the left instead, which only moves
        // the images of the cycle's own points. Errors are looked for first, in reading order.
        let mut seen_in = vec![usize::MAX; n];
        for (cycle, points) in cycles.iter().enumerate() {
            for &point in points {
                match seen_in.get_mut(point as usize) {
                    None => return Err(CycleError::OutOfRange { cycle, point }),
                    Some(last) if *last == cycle => {
                        return Err(CycleError::Repeated { cycle, point });
                    }
                    Some(last) => *last = cycle,
                }
            }
        }
        for points in cycles.iter().rev() {
            let [first, .., last] = points.as_slice() else {
                continue;
            };
            let wrapped = images[*first as usize];
            for pair in points.windows(2) {
                images[pair[0] as usize] = images[pair[1] as usize];
            }
            images[*last as usize] = wrapped;
        }
        Ok(Perm { images: images.into() })
    }

    /// For this crate's kernels, whose arrays are permutations by construction.
    pub(crate) fn trusted(images: Arc<[u32]>) -> Perm {
        debug_assert!(Perm::from_images(images.to_vec()).is_ok());
        Perm { images }
    }

    /// The number of points.
    #[inline]
    pub fn degree(&self) -> usize {
        self.images.len()
    }

    /// Where the content of cell `point` goes. A number that is not a point stays.
    #[inline]
    pub fn image(&self, point: u32) -> u32 {
        self.images.get(point as usize).copied().unwrap_or(point)
    }

    /// Where the content of cell `point` comes from. A number that is not a point stays.
    ///
    /// Walks the cycle of the point, so it costs the length of that cycle; take the
    /// [`inverse`](Self::inverse) to ask for many points.
    pub fn preimage(&self, point: u32) -> u32 {
        let mut at = point;
        loop {
            let next = self.image(at);
            if next == point {
                return at;
            }
            at = next;
        }
    }

    /// The images of `0, 1, …` in order.
    #[inline]
    pub fn images(&self) -> &[u32] {
        &self.images
    }

    /// Whether every point stays. Linear.
    pub fn is_identity(&self) -> bool {
        self.images.iter().enumerate().all(|(i, &x)| i == x as usize)
    }

    /// This permutation first, then `next`. The degree is the larger of the two. Linear.
    pub fn then(&self, next: &Perm) -> Perm {
        if self.degree() < next.degree() {
            let n = next.degree() as u32;
            return Perm { images: (0..n).map(|i| next.image(self.image(i))).collect() };
        }
        Perm { images: self.images.iter().map(|&i| next.image(i)).collect() }
    }

    /// The permutation that undoes this one. Linear.
    pub fn inverse(&self) -> Perm {
        let mut inverse = vec![0; self.degree()];
        for (i, &x) in self.images.iter().enumerate() {
            inverse[x as usize] = i as u32;
        }
        Perm { images: inverse.into() }
    }

    /// The `exponent`-th power; the exponent may be negative, zero and of any size.
    ///
    /// Each cycle is turned by the exponent modulo its length, so the cost is linear in the degree
    /// whatever the exponent, plus one division of the exponent for each different cycle length.
    pub fn pow(&self, exponent: &BigInt) -> Perm {
        self.pow_exponent(&Exponent::from(exponent))
    }

    /// [`pow`](Self::pow) for an exponent that has been prepared.
    pub fn pow_exponent(&self, exponent: &Exponent) -> Perm {
        let mut images: Vec<u32> = (0..self.degree()).map(|i| i as u32).collect();
        power_along_cycles(&self.images, &mut Residues::new(exponent), &mut images);
        Perm { images: images.into() }
    }

    /// The commutator `a b a' b'`, left to right.
    pub fn commutator(a: &Perm, b: &Perm) -> Perm {
        // a b a' b' = (a b)(b a)': one inverse instead of two.
        a.then(b).then(&b.then(a).inverse())
    }

    /// The conjugate `a b a'`, left to right.
    pub fn conjugate(a: &Perm, b: &Perm) -> Perm {
        a.then(b).then(&a.inverse())
    }

    /// The cycles of length 2 and more. Each starts with its least point and goes on with the
    /// image of the point before; they are ordered by their least points. Linear.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut cycles = Vec::new();
        self.walk_cycles(|cycle| cycles.push(cycle.to_vec()));
        cycles
    }

    /// The lengths of the cycles, without the fixed points, in descending order. Linear, and a sort.
    pub fn cycle_type(&self) -> Vec<usize> {
        let mut lengths = Vec::new();
        self.walk_cycles(|cycle| lengths.push(cycle.len()));
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// The least `k >= 1` for which the `k`-th power is the identity: the least common multiple of
    /// the cycle lengths, exact.
    pub fn order(&self) -> BigUint {
        let mut lengths = self.cycle_type();
        lengths.dedup();
        // Collected in a machine word for as long as it fits.
        let mut small = 1u64;
        let mut large = BigUint::one();
        for length in lengths {
            let length = length as u64;
            match small.checked_mul(length / small.gcd(&length)) {
                Some(multiple) => small = multiple,
                None => {
                    large = large.lcm(&BigUint::from(small));
                    small = length;
                }
            }
        }
        if large.is_one() { BigUint::from(small) } else { large.lcm(&BigUint::from(small)) }
    }

    /// Whether the permutation is a product of an even number of transpositions. Linear.
    pub fn is_even(&self) -> bool {
        let mut odd = false;
        self.walk_cycles(|cycle| odd ^= cycle.len() % 2 == 0);
        !odd
    }

    /// 1 for an even permutation, -1 for an odd one.
    pub fn sign(&self) -> i32 {
        if self.is_even() { 1 } else { -1 }
    }

    /// How many points are moved. Linear.
    pub fn moved(&self) -> usize {
        self.images.iter().enumerate().filter(|&(i, &x)| i != x as usize).count()
    }

    /// The points that are moved, in increasing order. Linear.
    pub fn support(&self) -> Vec<u32> {
        let moved = self.images.iter().enumerate().filter(|&(i, &x)| i != x as usize);
        moved.map(|(i, _)| i as u32).collect()
    }

    /// The least point that the two permutations send to different places, if there is one.
    /// Permutations of different degrees are compared as permutations that fix what they do not
    /// mention.
    pub fn first_difference(&self, other: &Perm) -> Option<u32> {
        let n = self.degree().max(other.degree()) as u32;
        (0..n).find(|&i| self.image(i) != other.image(i))
    }

    /// Calls `visit` with each cycle of length 2 and more, in order of least points.
    fn walk_cycles(&self, mut visit: impl FnMut(&[u32])) {
        let mut seen = vec![false; self.degree()];
        let mut cycle = Vec::new();
        for start in 0..self.degree() {
            if seen[start] || self.images[start] as usize == start {
                continue;
            }
            cycle.clear();
            let mut at = start;
            while !seen[at] {
                seen[at] = true;
                cycle.push(at as u32);
                at = self.images[at] as usize;
            }
            visit(&cycle);
        }
    }
}

/// `(1 2 3)(4 5) of 6`: cycles with points from 0, and the degree.
impl fmt::Debug for Perm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cycle in self.cycles() {
            let points: Vec<String> = cycle.iter().map(u32::to_string).collect();
            write!(f, "({})", points.join(" "))?;
        }
        if self.is_identity() {
            f.write_str("()")?;
        }
        write!(f, " of {}", self.degree())
    }
}
