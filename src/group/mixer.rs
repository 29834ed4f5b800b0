//! Random elements of a group that is given by generators.

use super::work::{Done, Work};
use crate::perm::Perm;
use crate::random::Random;

/// The least number of elements that are mixed.
const SLOTS: usize = 10;
/// How often they are mixed before the first element is handed out, for each slot and at least.
const ROUNDS: usize = 4;
const LEAST_ROUNDS: usize = 40;

/// Product replacement with an accumulator ("rattle"): nearly uniform elements after some mixing, two products each
/// (Celler, Leedham-Green, Murray, Niemeyer, O'Brien 1995; HCGT section 3.2.2). Nothing that is proved depends on how uniform
/// they are.
pub struct Mixer {
    slots: Vec<Perm>,
    accumulator: Perm,
    random: Random,
}

impl Mixer {
    /// Mixes the generators of a group on `degree` points. The same seed gives the same elements.
    pub fn new(degree: usize, generators: &[Perm], seed: u64, work: Work<'_>) -> Done<Mixer> {
        let mut slots: Vec<Perm> = generators.iter().filter(|generator| !generator.is_identity()).cloned().collect();
        if slots.is_empty() {
            slots.push(Perm::identity(degree));
        }
        let given = slots.len();
        while slots.len() < SLOTS {
            slots.push(slots[slots.len() % given].clone());
        }
        let mut mixer = Mixer { slots, accumulator: Perm::identity(degree), random: Random::new(seed) };
        for _ in 0..LEAST_ROUNDS.max(ROUNDS * given) {
            mixer.element(work)?;
        }
        Ok(mixer)
    }

    /// The next element.
    pub fn element(&mut self, work: Work<'_>) -> Done<Perm> {
        work.products(2, self.accumulator.degree())?;
        let count = self.slots.len();
        let at = self.random.index(count);
        let other = (at + 1 + self.random.index(count - 1)) % count;
        let bits = self.random.bits();
        let factor = if bits & 1 == 0 { self.slots[other].clone() } else { self.slots[other].inverse() };
        let mixed = if bits & 2 == 0 { self.slots[at].then(&factor) } else { factor.then(&self.slots[at]) };
        self.accumulator = if bits & 4 == 0 { self.accumulator.then(&mixed) } else { mixed.then(&self.accumulator) };
        self.slots[at] = mixed;
        Ok(self.accumulator.clone())
    }

    /// The source of further choices.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }
}
