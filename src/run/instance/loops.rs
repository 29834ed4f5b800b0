//! Words that take the blank home: the group of what they do, and words for its elements.

use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use super::Instance;
use crate::group::factor::{Effort, Factoriser};
use crate::group::groupoid::{Arrow, Groupoid};
use crate::group::{Done, PermGroup, Work};
use crate::perm::Perm;
use crate::puzzle::sliding::{Slides, Step};
use crate::word::{Alphabet, Letter, Word};

/// What is known of the words that take the blank home.
pub(super) struct Loops {
    /// for each cell a shortest word that takes the blank there from home
    ways: Vec<Option<Word>>,
    /// what each of them does
    effects: Vec<Option<Perm>>,
    group: Arc<PermGroup>,
    /// words that generate the group
    loops: Vec<Word>,
    /// a letter for each of them
    alphabet: Arc<Alphabet>,
    factorisers: [OnceLock<Arc<Factoriser>>; 2],
}

/// Words of more moves are not walked to leave out what undoes itself.
const TIDIED: usize = 1_000_000;

impl Instance {
    fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| {
            let cells = self.cells.len();
            let mut arrows = Vec::new();
            let mut letters = Vec::new();
            if let Some(sliding) = &self.sliding {
                for generator in self.generating_letters() {
                    let letter = Letter::new(generator, false);
                    for from in sliding.places() {
                        let Some(step) = sliding.step(letter, *from) else { continue };
                        let effect = effect(step, *from, cells);
                        arrows.push(Arrow { from: *from as usize, to: step.to() as usize, effect });
                        letters.push(letter);
                    }
                }
            }
            let word = |way: &[(usize, bool)]| {
                let spelled =
                    way.iter().map(|(arrow, back)| if *back { letters[*arrow].inverse() } else { letters[*arrow] });
                Word::letters(self.alphabet(), spelled.collect()).unwrap_or_default()
            };
            let home = self.sliding.as_ref().map_or(0, |sliding| sliding.home as usize);
            let groupoid = Groupoid::new(cells, cells, arrows);
            let (mut ways, mut effects) = (Vec::with_capacity(cells), Vec::with_capacity(cells));
            for way in groupoid.ways_from(home) {
                ways.push(way.as_ref().map(|(_, way)| word(way)));
                effects.push(way.map(|(effect, _)| effect));
            }
            let (group, loops) = groupoid.group_at(home);
            let loops: Vec<Word> = loops.iter().map(|way| word(way)).collect();
            let generators = group.generators().iter().enumerate();
            let alphabet = Alphabet::new(cells, generators.map(|(k, perm)| (k.to_string(), perm.clone())).collect());
            Loops { ways, effects, group: Arc::new(group), loops, alphabet, factorisers: Default::default() }
        })
    }

    /// What the words do to the cells that take the blank home. Of a puzzle without a blank there are none.
    pub fn home_group(&self) -> &Arc<PermGroup> {
        &self.loops().group
    }

    /// For each cell a shortest word that takes the blank there from home; none where it cannot come. Extra moves are not
    /// used.
    pub fn ways(&self) -> &[Option<Word>] {
        &self.loops().ways
    }

    /// A word that takes the blank home and does this to the cells; none if no word does.
    pub fn closed_word(&self, perm: &Perm, effort: Effort, work: Work<'_>) -> Done<Option<Word>> {
        let loops = self.loops();
        let kept = &loops.factorisers[usize::from(effort == Effort::Short)];
        let factoriser = match kept.get() {
            Some(factoriser) => factoriser.clone(),
            None => {
                let order = loops.group.order(work)?;
                let letters: Vec<usize> = (0..loops.loops.len()).collect();
                let made = Factoriser::new(&loops.alphabet, &letters, effort, Some(&order), work)?;
                kept.get_or_init(|| Arc::new(made)).clone()
            }
        };
        let Some(word) = factoriser.factor(perm, work)? else { return Ok(None) };
        let word = word.substitute(&mut |letter| loops.loops.get(letter.generator()).cloned().unwrap_or_default());
        Ok(Some(self.tidied(word.unwrap_or_default())))
    }

    /// How many arrangements can be reached.
    pub fn reachable(&self, work: Work<'_>) -> Done<BigUint> {
        if self.sliding.is_none() {
            return self.group().order(work);
        }
        let places = self.ways().iter().flatten().count();
        Ok(self.home_group().order(work)? * places)
    }

    /// The arrangement with the blank taken home the shortest way back, and that way; none if the blank cannot have come
    /// where it is. The arrangement is a permutation that leads to it from the solved one.
    pub fn taken_home(&self, arrangement: &Perm) -> Option<(Perm, &Word)> {
        let loops = self.loops();
        let blank = arrangement.image(self.sliding.as_ref()?.home) as usize;
        let (way, effect) = (loops.ways.get(blank)?.as_ref()?, loops.effects.get(blank)?.as_ref()?);
        Some((arrangement.then(&effect.inverse()), way))
    }

    /// Can the moves of the blank reach an arrangement?
    pub fn reaches(&self, arrangement: &Perm, work: Work<'_>) -> Done<bool> {
        match self.taken_home(arrangement) {
            Some((perm, _)) => self.home_group().contains(&perm, work),
            None => Ok(false),
        }
    }

    /// A word that leads from the solved arrangement to another one; none if there is none.
    pub fn word_to(&self, arrangement: &Perm, effort: Effort, work: Work<'_>) -> Done<Option<Word>> {
        let Some((perm, way)) = self.taken_home(arrangement) else { return Ok(None) };
        let Some(closed) = self.closed_word(&perm, effort, work)? else { return Ok(None) };
        Ok(Some(self.tidied(closed.then(way).unwrap_or_default())))
    }

    /// A word that is done with the blank at home, without moves that the next one undoes.
    fn tidied(&self, word: Word) -> Word {
        let (Some(sliding), Ok(spelled)) = (&self.sliding, word.spell(TIDIED)) else { return word };
        let mut letters: Vec<(Letter, u32)> = Vec::with_capacity(spelled.len());
        let mut blank = sliding.home;
        for letter in spelled {
            match letters.last() {
                Some((last, before)) if sliding.undoes(letter, *last, *before) => {
                    blank = *before;
                    letters.pop();
                }
                _ => {
                    letters.push((letter, blank));
                    blank = sliding.target(letter, blank).unwrap_or(blank);
                }
            }
        }
        let letters: Vec<Letter> = letters.into_iter().map(|(letter, _)| letter).collect();
        let tidied = Word::letters(self.alphabet(), letters).unwrap_or_default();
        // neighbours that are equal are written as powers
        tidied.reduce(TIDIED).unwrap_or(tidied)
    }
}

/// What a step does to the cells.
fn effect(step: &Step, from: u32, cells: usize) -> Perm {
    match step {
        Step::Turn { perm, .. } => perm.clone(),
        Step::Walk(path) => {
            // each content that the blank meets steps to the cell before
            let mut images: Vec<u32> = (0..cells as u32).collect();
            let mut at = from;
            for cell in path {
                images[*cell as usize] = at;
                at = *cell;
            }
            images[from as usize] = at;
            Perm::from_images(images).unwrap_or_else(|_| Perm::identity(cells))
        }
    }
}

impl Instance {
    /// Is it a puzzle with a blank that has places where a move is impossible?
    pub fn is_partial(&self) -> bool {
        self.sliding.as_ref().is_some_and(|sliding| !Slides::is_free(sliding))
    }
}
