//! Factorisation: a word in the moves for a given permutation.
//!
//! In: the moves of a puzzle and, if it is known, the order of their group. Out: for each permutation a word that does it,
//! evaluated before it is returned, or the answer that it is not in the group.
//!
//! [`Effort::Quick`] divides by the transversals of a stabiliser chain whose elements carry words as shared expressions
//! (HCGT section 4.4 and 3.1.3), or, in an alternating or symmetric group on many points, sorts with 3-cycles. Its words are
//! small expressions of astronomical length. [`Effort::Short`] spends set-up time on tables of short words after
//! T. Minkwitz, "An algorithm for solving the factorization problem in permutation groups", *Journal of Symbolic Computation*
//! 26 (1998), 89–95, and falls back on the quick way where they do not reach.

mod ball;
mod chain;
mod cycles;
mod deeper;
mod descent;
mod element;
mod giant;
mod list;
mod quiet;
mod short;
mod stage;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use super::{Done, Unfinished, Work};
use crate::perm::Perm;
use crate::word::{Alphabet, Word};
use chain::Chain;
use element::Element;
use giant::Giant;
use short::ShortWords;

/// How hard to try for short words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Some word, soon.
    Quick,
    /// A short word, from tables that take a tenth of a second to some seconds to set up and up to 100 MB. For at most 256 moved
    /// points and 127 moves; beyond, and where the tables do not reach, the word is that of [`Effort::Quick`].
    Short,
}

/// From this many moved points on, a search for a 3-cycle is cheaper than a chain.
const GIANT_POINTS: usize = 50;

/// Words for the permutations of one group, prepared once. The words depend on nothing but the arguments.
pub struct Factoriser {
    alphabet: Arc<Alphabet>,
    quick: Quick,
    short: Option<ShortWords>,
}

impl Factoriser {
    /// Prepares words in the moves with the numbers `letters`; numbers that the alphabet does not have are ignored. `order` is
    /// the order of the group that these moves generate, if the caller knows it: the work to be certain of a chain is then
    /// saved.
    ///
    /// Quick costs a chain (about the degree times the lengths of the basic orbits, in steps of one product), or some hundred
    /// products for a giant. Short costs a ball of at most 150,000 elements and tables over it besides. A chain that would not fit in memory
    /// is [`Unfinished::TooLarge`]; tables that would not are done without.
    pub fn new(
        alphabet: &Arc<Alphabet>,
        letters: &[usize],
        effort: Effort,
        order: Option<&BigUint>,
        work: Work<'_>,
    ) -> Done<Factoriser> {
        let generators: Vec<Element> = letters.iter().filter_map(|&g| Element::letter(alphabet, g)).collect();
        let quick = Quick::new(alphabet, generators, order, work)?;
        let short = match effort {
            Effort::Quick => None,
            Effort::Short => match ShortWords::new(alphabet, letters, work) {
                // without tables there are still the quick words
                Err(Unfinished::TooLarge(_)) => None,
                short => short?,
            },
        };
        Ok(Factoriser { alphabet: Arc::clone(alphabet), quick, short })
    }

    /// A word for `target`, or `None` if it is not in the group. The word has been evaluated.
    pub fn factor(&self, target: &Perm, work: Work<'_>) -> Done<Option<Word>> {
        let degree = self.alphabet.degree();
        if (degree as u32..target.degree() as u32).any(|point| target.image(point) != point) {
            return Ok(None);
        }
        let target = Perm::identity(degree).then(target);
        let target = if target.degree() > degree { shrunk(&target, degree) } else { target };
        if let Some(short) = &self.short
            && let Some(word) = short.factor(&self.alphabet, &target, work)?
            && self.does(&word, &target)
        {
            return Ok(Some(word));
        }
        let word = self.quick.factor(&target, work)?;
        Ok(word.filter(|word| self.does(word, &target)))
    }

    fn does(&self, word: &Word, target: &Perm) -> bool {
        word.evaluate_on(&self.alphabet).is_ok_and(|effect| effect == *target)
    }
}

/// The permutation on fewer points; it fixes the others.
fn shrunk(perm: &Perm, degree: usize) -> Perm {
    Perm::from_images(perm.images()[..degree].to_vec()).unwrap_or_else(|_| perm.clone())
}

/// The ways that always work.
enum Quick {
    Giant(Giant),
    Chain {
        chain: Chain,
        /// The chain is certain to be complete.
        proved: bool,
        /// The chain after it was completed with certainty, once somebody had to know.
        completed: OnceLock<Chain>,
    },
}

impl Quick {
    fn new(alphabet: &Arc<Alphabet>, generators: Vec<Element>, order: Option<&BigUint>, work: Work<'_>) -> Done<Quick> {
        let degree = alphabet.degree();
        let moved = (0..degree as u32).filter(|&p| generators.iter().any(|g| g.perm.image(p) != p)).count();
        if moved >= GIANT_POINTS
            && let Some(giant) = Giant::new(alphabet, &generators, work)?
        {
            return Ok(Quick::Giant(giant));
        }
        let (chain, proved) = Chain::new(degree, &generators, order, work)?;
        Ok(Quick::Chain { chain, proved, completed: OnceLock::new() })
    }

    fn factor(&self, target: &Perm, work: Work<'_>) -> Done<Option<Word>> {
        let (chain, proved, completed) = match self {
            Quick::Giant(giant) => return giant.factor(target, work),
            Quick::Chain { chain, proved, completed } => (chain, proved, completed),
        };
        let word = chain.factor(target, work)?;
        if word.is_some() || *proved {
            return Ok(word);
        }
        // Not in the chain may mean that the chain is not complete.
        if completed.get().is_none() {
            let mut whole = chain.clone();
            whole.complete(work)?;
            // Another thread may have been faster; it did the same.
            let _ = completed.set(whole);
        }
        completed.get().map_or(Ok(None), |chain| chain.factor(target, work))
    }
}
