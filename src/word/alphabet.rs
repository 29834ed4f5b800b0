//! The moves of one puzzle: names and permutations.

use std::fmt;
use std::sync::Arc;

use crate::perm::Perm;
use crate::perm::kernel::{Code, Engine, Level};

/// A move: a generator, by its number in the alphabet, forward or backward.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(u32);

impl Letter {
    /// The letter for a generator below 2^31 (a larger number gives the largest letter, which no
    /// alphabet has).
    pub fn new(generator: usize, inverse: bool) -> Letter {
        let generator = u32::try_from(generator).unwrap_or(u32::MAX).min(u32::MAX >> 1);
        Letter(2 * generator + u32::from(inverse))
    }

    /// The number of the generator.
    #[inline]
    pub fn generator(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the generator goes backward.
    #[inline]
    pub fn is_inverse(self) -> bool {
        self.0 & 1 == 1
    }

    /// The letter that undoes this one.
    pub fn inverse(self) -> Letter {
        Letter(self.0 ^ 1)
    }
}

impl Code for Letter {
    #[inline(always)]
    fn code(self) -> usize {
        self.0 as usize
    }
}

/// `3` or `3'`: the number of the generator.
impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.generator(), if self.is_inverse() { "'" } else { "" })
    }
}

/// The generators of one puzzle: names, permutations, and what the kernels make of them.
///
/// Each alphabet is one of its own: two are the same only if they are one object
/// ([`Arc::ptr_eq`]).
pub struct Alphabet {
    degree: usize,
    names: Vec<String>,
    perms: Vec<Perm>,
    engine: Engine,
}

impl Alphabet {
    /// The alphabet of a puzzle with `degree` cells. Generators are numbered from 0 in the order
    /// given; one of a smaller degree fixes the other cells, one of a larger degree raises the
    /// degree of the alphabet.
    pub fn new(degree: usize, generators: Vec<(String, Perm)>) -> Arc<Alphabet> {
        Alphabet::with_level(degree, generators, Level::best())
    }

    /// [`new`](Self::new) with a ceiling on the instructions its kernels use, for tests.
    pub fn with_level(degree: usize, generators: Vec<(String, Perm)>, level: Level) -> Arc<Alphabet> {
        let degree = generators.iter().map(|(_, perm)| perm.degree()).fold(degree, usize::max);
        let (names, perms): (Vec<String>, Vec<Perm>) = generators.into_iter().unzip();
        let perms: Vec<Perm> = perms
            .into_iter()
            .map(|perm| match perm.degree() == degree {
                true => perm,
                false => perm.then(&Perm::identity(degree)),
            })
            .collect();
        let engine = Engine::with_level(degree, &perms, level);
        Arc::new(Alphabet { degree, names, perms, engine })
    }

    /// The number of cells.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of generators.
    pub fn len(&self) -> usize {
        self.perms.len()
    }

    /// Whether there are no generators.
    pub fn is_empty(&self) -> bool {
        self.perms.is_empty()
    }

    /// The name of a generator, such as `X` or `T[2,1]`; `?` if there is none of this number.
    pub fn name(&self, generator: usize) -> &str {
        self.names.get(generator).map_or("?", String::as_str)
    }

    /// The permutation of a generator, if there is one of this number.
    pub fn perm(&self, generator: usize) -> Option<&Perm> {
        self.perms.get(generator)
    }

    /// The permutations of all generators, by number.
    pub fn perms(&self) -> &[Perm] {
        &self.perms
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Alphabet({} on {} points)", self.names.join(" "), self.degree)
    }
}
