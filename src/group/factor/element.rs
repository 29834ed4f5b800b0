//! Permutations that remember how they were made.

use std::sync::Arc;

use crate::perm::Perm;
use crate::random::Random;
use crate::word::{Alphabet, Letter, Word};

/// A permutation, and a word that does it.
#[derive(Clone)]
pub(super) struct Element {
    pub perm: Perm,
    pub word: Word,
}

impl Element {
    /// A move.
    pub fn letter(alphabet: &Arc<Alphabet>, generator: usize) -> Option<Element> {
        let word = Word::letters(alphabet, vec![Letter::new(generator, false)]).ok()?;
        Some(Element { perm: alphabet.perm(generator)?.clone(), word })
    }

    pub fn identity(degree: usize) -> Element {
        Element { perm: Perm::identity(degree), word: Word::empty() }
    }

    pub fn then(&self, next: &Element) -> Element {
        Element { perm: self.perm.then(&next.perm), word: product(vec![self.word.clone(), next.word.clone()]) }
    }

    pub fn inverse(&self) -> Element {
        Element { perm: self.perm.inverse(), word: self.word.inverse() }
    }
}

/// The product of words of one alphabet.
pub(super) fn product(words: Vec<Word>) -> Word {
    // All words of a factoriser are over its own alphabet, so they do multiply.
    Word::product(words).unwrap_or_default()
}

/// Random elements of a group by product replacement with an accumulator ("rattle": Leedham-Green, Murray, *Variants of
/// product replacement*, 2002; HCGT section 3.2.2). Good enough to look for something; nothing is believed because of them.
pub(super) struct RandomElements {
    slots: Vec<Element>,
    last: Element,
    random: Random,
}

impl RandomElements {
    /// Costs 60 products. The generators are not all trivial.
    pub fn new(degree: usize, generators: &[Element], seed: u64) -> RandomElements {
        let count = generators.len().max(10);
        let slots = generators.iter().cycle().take(if generators.is_empty() { 0 } else { count }).cloned().collect();
        let mut elements = RandomElements { slots, last: Element::identity(degree), random: Random::new(seed) };
        for _ in 0..30 {
            elements.next();
        }
        elements
    }

    /// The next element. Two products.
    pub fn next(&mut self) -> Element {
        if self.slots.len() < 2 {
            return self.last.clone();
        }
        let to = self.random.index(self.slots.len());
        let from = (to + 1 + self.random.index(self.slots.len() - 1)) % self.slots.len();
        let factor = match self.random.index(2) {
            0 => self.slots[from].clone(),
            _ => self.slots[from].inverse(),
        };
        self.slots[to] = match self.random.index(2) {
            0 => self.slots[to].then(&factor),
            _ => factor.then(&self.slots[to]),
        };
        self.last = self.last.then(&self.slots[to]);
        self.last.clone()
    }
}
