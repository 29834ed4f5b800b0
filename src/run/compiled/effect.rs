//! What a word does, in the forms that procedures need: its letters, where contents go, and cycles to turn.

use std::sync::{Arc, OnceLock};

use crate::perm::Perm;
use crate::puzzle::board::Board;
use crate::run::instance::Instance;
use crate::word::{Letter, Word};

/// A longer word without a blank is done at once and stays as it was written (as in the generic machine).
pub const LONG_WORD: u64 = crate::run::procedure::LONG_WORD;

/// On a board with a blank a word is done letter by letter; a longer one is left to the generic machine.
const LONGEST_WALK: u64 = 1 << 12;

/// A word that procedures perform.
#[derive(Debug)]
pub struct Effect {
    pub word: Word,
    pub moves: u64,
    /// its moves, unless it stays as it was written
    pub letters: Option<Box<[Letter]>>,
    /// where contents go, for a walk of the blank from one cell
    pub walk: Option<Perm>,
    perm: OnceLock<Perm>,
    turning: OnceLock<Turning>,
}

impl Effect {
    /// `None` for a word that is too long. Cost: its moves.
    pub fn new(word: &Word, blank: bool) -> Option<Effect> {
        let moves = word.moves()?;
        let letters = match (blank, moves) {
            (false, 0..=LONG_WORD) | (true, 0..=LONGEST_WALK) => Some(word.letters_iter().collect()),
            (false, _) => None,
            (true, _) => return None,
        };
        Some(Effect { word: word.clone(), moves, letters, walk: None, perm: OnceLock::new(), turning: OnceLock::new() })
    }

    /// A walk of the blank from a cell, known to be possible there. Only its letters are a word: it is not to be done from
    /// elsewhere. Cost: its moves.
    pub fn walked(letters: Vec<Letter>, instance: &Instance, start: u32) -> Effect {
        let mut board = Board::new(&Perm::identity(instance.cells.len()));
        let mut blank = start;
        if let Some(sliding) = instance.sliding() {
            for letter in &letters {
                blank = board.slide(sliding, *letter, blank).unwrap_or(blank);
            }
        }
        Effect {
            word: Word::empty(),
            moves: letters.len() as u64,
            letters: Some(letters.into()),
            walk: Some(board.perm()),
            perm: OnceLock::new(),
            turning: OnceLock::new(),
        }
    }

    /// Where the content of each cell goes. Linear in the cells the first time.
    pub fn perm(&self, instance: &Instance) -> &Perm {
        self.perm.get_or_init(|| match self.letters.as_deref() {
            Some([letter]) => instance.letter_perm(*letter),
            _ => self.word.evaluate_on(instance.alphabet()).unwrap_or_else(|_| Perm::identity(instance.cells.len())),
        })
    }

    /// Its cycles. Linear in the cells the first time.
    pub fn turning(&self, instance: &Instance) -> &Turning {
        self.turning.get_or_init(|| Turning::new(self.perm(instance)))
    }
}

/// Cycles of a permutation, ready to turn a list of contents.
#[derive(Debug, Default)]
pub struct Turning {
    /// rows of neighbours that move by one place: the first cell, how many, whether up
    rows: Vec<(u32, u32, bool)>,
    /// the cells of the other cycles, and where each cycle ends
    cells: Vec<u32>,
    ends: Vec<u32>,
}

impl Turning {
    fn new(perm: &Perm) -> Turning {
        let mut turning = Turning::default();
        for cycle in perm.cycles() {
            let least = cycle.iter().copied().min().unwrap_or(0);
            let length = cycle.len() as u32;
            let steps = |up: bool| {
                let first = cycle.iter().position(|cell| *cell == least).unwrap_or(0);
                (0..cycle.len()).all(|k| {
                    let offset = if up { k as u32 } else { (length - k as u32) % length };
                    cycle[(first + k) % cycle.len()] == least + offset
                })
            };
            if length > 3 && steps(true) {
                turning.rows.push((least, length, true));
            } else if length > 3 && steps(false) {
                turning.rows.push((least, length, false));
            } else {
                turning.cells.extend(&cycle);
                turning.ends.push(turning.cells.len() as u32);
            }
        }
        turning
    }

    /// How many cells it moves.
    pub fn support(&self) -> usize {
        self.cells.len() + self.rows.iter().map(|(_, length, _)| *length as usize).sum::<usize>()
    }

    /// The cells that it moves.
    pub fn moved(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().copied().chain(self.rows.iter().flat_map(|(first, length, _)| *first..first + length))
    }

    /// Turns the contents: that of each cell of a cycle goes to the next one. Linear in the support; a row is one move
    /// of memory.
    pub fn apply(&self, contents: &mut [u32]) {
        for &(first, length, up) in &self.rows {
            let Some(row) = contents.get_mut(first as usize..(first + length) as usize) else { continue };
            if up { row.rotate_right(1) } else { row.rotate_left(1) }
        }
        let mut start = 0;
        for &end in &self.ends {
            let cycle = &self.cells[start..end as usize];
            start = end as usize;
            let Some(last) = cycle.last() else { continue };
            let mut carried = contents[*last as usize];
            for &cell in cycle {
                carried = std::mem::replace(&mut contents[cell as usize], carried);
            }
        }
    }
}

/// The effects of all letters of an instance, made when first needed.
#[derive(Debug, Default)]
pub struct LetterEffects(OnceLock<Vec<OnceLock<Arc<Effect>>>>);

impl LetterEffects {
    /// The effect of a letter.
    pub fn get(&self, instance: &Instance, letter: Letter) -> Option<Arc<Effect>> {
        let all = self.0.get_or_init(|| (0..2 * instance.alphabet().len()).map(|_| OnceLock::new()).collect());
        let place = all.get(2 * letter.generator() + usize::from(letter.is_inverse()))?;
        if let Some(effect) = place.get() {
            return Some(effect.clone());
        }
        let word = Word::letters(instance.alphabet(), vec![letter]).ok()?;
        let effect = Arc::new(Effect::new(&word, instance.sliding().is_some())?);
        Some(place.get_or_init(|| effect).clone())
    }
}
