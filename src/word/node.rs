//! How a word is stored: nodes that own their parts.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::measure::Measures;
use super::{Alphabet, Letter, Word};
use crate::perm::{Exponent, Perm};

/// A part of an expression that is not empty.
pub(super) struct Node {
    pub(super) alphabet: Arc<Alphabet>,
    pub(super) kind: Kind,
    /// The number of moves, or `u64::MAX` for that many or more.
    pub(super) moves: u64,
    /// About how many values must be held at once to evaluate the word, in addition to the one
    /// being computed (a Strahler number).
    pub(super) rank: u32,
    /// What the word does, once it has been asked for.
    pub(super) effect: OnceLock<Perm>,
    /// Exact measures, once they have been asked for and do not fit in `moves`.
    pub(super) measures: OnceLock<Box<Measures>>,
}

pub(super) enum Kind {
    Letters(Run),
    Product(Box<[Word]>),
    Inverse(Word),
    Power(Word, Exponent),
    Commutator(Word, Word),
    Conjugate(Word, Word),
}

/// A run of letters as one leaf.
#[derive(Clone, Default)]
pub(super) struct Run {
    pub(super) letters: Box<[Letter]>,
    /// Bit i is set if letter i is printed in one power with letter i - 1, which it equals.
    /// Empty if no letter is.
    pub(super) joined: Box<[u64]>,
}

impl Run {
    /// Whether the letter is printed in one power with the one before; false past the end.
    pub(super) fn is_joined(&self, place: usize) -> bool {
        self.joined.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }

    /// One run after another.
    pub(super) fn concat(runs: &[&Run]) -> Run {
        let length = runs.iter().map(|run| run.letters.len()).sum();
        let mut letters = Vec::with_capacity(length);
        let mut joined = Vec::new();
        for run in runs {
            if !run.joined.is_empty() {
                joined.resize(length.div_ceil(64), 0u64);
                for i in (0..run.letters.len()).filter(|&i| run.is_joined(i)) {
                    let place = letters.len() + i;
                    joined[place / 64] |= 1 << (place % 64);
                }
            }
            letters.extend_from_slice(&run.letters);
        }
        Run { letters: letters.into(), joined: joined.into() }
    }
}

/// Takes the expression apart with a list instead of recursion: it may be a million deep.
impl Drop for Node {
    fn drop(&mut self) {
        let mut pending: SmallVec<[Arc<Node>; 4]> = SmallVec::new();
        self.kind.take_parts(&mut pending);
        while let Some(part) = pending.pop() {
            // What others own too stays. The node that ends here has no parts left then.
            if let Some(mut node) = Arc::into_inner(part) {
                node.kind.take_parts(&mut pending);
            }
        }
    }
}

impl Kind {
    /// See [`Node::rank`].
    pub(super) fn rank(&self) -> u32 {
        match self {
            Kind::Letters(_) => 0,
            // From the right: while a part is computed, the value of what follows is held.
            Kind::Product(parts) => parts
                .iter()
                .rev()
                .map(Word::rank)
                .reduce(|held, part| match part {
                    0 => held,
                    _ => held.max(part.saturating_add(1)),
                })
                .unwrap_or(0),
            Kind::Inverse(word) => word.rank(),
            Kind::Power(word, _) => word.rank().max(1),
            Kind::Commutator(a, b) | Kind::Conjugate(a, b) => {
                let (a, b) = (a.rank(), b.rank());
                if a == b { a.saturating_add(1) } else { a.max(b) }
            }
        }
    }

    /// Calls `visit` with the nodes of the parts, left to right.
    pub(super) fn each_part<'a>(&'a self, mut visit: impl FnMut(&'a Arc<Node>)) {
        match self {
            Kind::Letters(_) => {}
            Kind::Product(words) => words.iter().filter_map(|w| w.0.as_ref()).for_each(visit),
            Kind::Inverse(word) | Kind::Power(word, _) => word.0.iter().for_each(visit),
            Kind::Commutator(a, b) | Kind::Conjugate(a, b) => {
                a.0.iter().for_each(&mut visit);
                b.0.iter().for_each(visit);
            }
        }
    }

    /// Moves the parts that are nodes into `parts` and leaves none behind.
    fn take_parts(&mut self, parts: &mut SmallVec<[Arc<Node>; 4]>) {
        match self {
            Kind::Letters(_) => {}
            Kind::Product(words) => {
                parts.extend(std::mem::take(words).into_iter().filter_map(|word| word.0));
            }
            Kind::Inverse(word) | Kind::Power(word, _) => parts.extend(word.0.take()),
            Kind::Commutator(a, b) | Kind::Conjugate(a, b) => {
                parts.extend(a.0.take());
                parts.extend(b.0.take());
            }
        }
    }
}
