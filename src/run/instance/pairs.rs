//! The pairs of the blank and a tile, as a puzzle of their own. Where all moves are always possible they are
//! permutations of the pairs, and everything that is known about groups holds for them.

use std::sync::Arc;

use super::Instance;
use crate::perm::Perm;
use crate::puzzle::sliding::{Effect, Slides};
use crate::puzzle::{Cells, MAX_COORDINATES};
use crate::word::{Letter, Word};

impl Instance {
    /// The pairs of the blank's place and the place of a tile, with the same letters: where the moves take both. A pair has the
    /// coordinates of both cells; their two numbers where cells are shown by number.
    pub fn pairs(&self) -> &Arc<Instance> {
        self.pairs.get_or_init(|| {
            let draft = Instance {
                pairs_of: self.me.get().cloned(),
                groups: self.groups.clone(),
                ..Instance::draft(&self.puzzle, &self.args, &self.name, Arc::default())
            };
            let Some(sliding) = &self.sliding else { return Arc::new(draft) };
            let by_number = self.puzzle.shown_by_number || 2 * self.cells.width() > MAX_COORDINATES;
            let list: Vec<Vec<i64>> = (0..sliding.pairs())
                .map(|pair| {
                    let (blank, cell) = sliding.pair(pair);
                    match by_number {
                        true => vec![i64::from(blank) + 1, i64::from(cell) + 1],
                        false => [self.cells.coordinates(blank), self.cells.coordinates(cell)].concat(),
                    }
                })
                .collect();
            let generators = self.generators.iter().enumerate().map(|(letter, (name, _))| {
                let word = Word::letters(self.alphabet(), vec![Letter::new(letter, false)]).unwrap_or_default();
                let perm = sliding.on_pairs(&word, &|_| true).unwrap_or_else(|_| Perm::identity(sliding.pairs()));
                (name.clone(), perm)
            });
            let generators = generators.collect();
            // different pairs have different coordinates
            let cells = Arc::new(Cells::new(false, &list).unwrap_or_default());
            Arc::new(Instance { cells, generators, ..draft })
        })
    }

    /// The instance whose cells the group of the moves permutes: this one, or that of its pairs.
    pub fn of_group(self: &Arc<Instance>) -> &Arc<Instance> {
        if self.sliding.as_ref().is_some_and(Slides::is_free) { self.pairs() } else { self }
    }

    /// The puzzle with a blank whose pairs these are.
    pub fn whole(&self) -> Option<Arc<Instance>> {
        self.pairs_of.as_ref()?.upgrade()
    }

    /// Are its cells the pairs of a puzzle with a blank?
    pub fn is_pairs(&self) -> bool {
        self.pairs_of.is_some()
    }

    /// Are its cells the pairs of that puzzle?
    pub fn is_pairs_of(self: &Arc<Instance>, whole: &Instance) -> bool {
        whole.pairs.get().is_some_and(|pairs| Arc::ptr_eq(pairs, self))
    }

    /// Are cells written by their numbers?
    pub fn shown_by_number(&self) -> bool {
        self.puzzle.shown_by_number && !self.is_pairs()
    }

    /// What a permutation of the pairs does to the cells with the blank at a place, if it takes that to one place.
    pub fn of_pairs(&self, pairs: &Perm, blank: u32) -> Option<Effect> {
        self.sliding.as_ref()?.of_pairs(pairs, blank)
    }

    /// A word with letters of the same numbers in this puzzle's alphabet.
    pub fn same_letters(&self, word: &Word) -> Word {
        let letter = |letter: Letter| Word::letters(self.alphabet(), vec![letter]).unwrap_or_default();
        word.substitute(&mut |l| letter(l)).unwrap_or_default()
    }
}
