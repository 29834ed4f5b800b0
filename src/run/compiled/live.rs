//! The board while a compiled procedure acts on it.
//!
//! Without a blank, moves are only written down. Where a tile is, is found by following it through the moves since it was
//! last asked for, one look-up a move; what is in a cell needs the contents, which are brought up to date when a cell is
//! asked for. So a procedure that watches a few tiles of a large board never has the board. With a blank every move is
//! a few exchanges, done at once.

use std::sync::Arc;

use super::code::Program;
use super::effect::Effect;
use crate::perm::Perm;
use crate::puzzle::board::Board;
use crate::run::board::BoardValue;
use crate::run::instance::Instance;
use crate::run::procedure::word_of_letters;
use crate::run::value::WordValue;
use crate::word::{Letter, Word};

/// A remembered walk of the blank is done as one permutation if it has more moves than this, and some for the cells.
const SHORT_WALK: usize = 8;

/// The images of all cells under all words are in one table if they are not more than this.
const SMALL: usize = 1 << 14;

/// A board that moves change, and what was done on it.
pub struct Live {
    pub instance: Arc<Instance>,
    /// the words of the program, and those that have been remembered since
    pub effects: Vec<Arc<Effect>>,
    /// the lengths of the words
    lengths: Vec<u64>,
    /// the words that were done, by number
    pub log: Vec<u32>,
    /// how many moves the first words of the log are, and how many words that are
    moves: u64,
    counted: usize,
    /// how many words were done in earlier runs: a place in the log is counted through all runs
    base: u64,
    start: Option<Arc<BoardValue>>,
    /// the tile in each cell after the first words of the log
    contents: Vec<u32>,
    /// how many of the words the contents have seen; `None` while there are none
    known: Option<usize>,
    /// where a tile was when it was last asked for, and when that was
    place: Vec<u32>,
    seen: Vec<u64>,
    /// look-ups since the contents were last brought up to date
    followed: u64,
    /// the largest support of a word
    heaviest: u64,
    /// where each word sends each cell, if that is not much
    images: Vec<u32>,
    /// when a word was last done
    last: Vec<u64>,
    /// with a blank
    slides: bool,
    board: Board,
    pub blank: u32,
}

impl Live {
    pub fn new(instance: &Arc<Instance>, program: &Program) -> Live {
        let cells = instance.cells.len();
        let mut live = Live {
            instance: instance.clone(),
            effects: Vec::new(),
            lengths: Vec::new(),
            log: Vec::new(),
            moves: 0,
            counted: 0,
            base: 1,
            start: None,
            contents: Vec::new(),
            known: None,
            place: vec![0; cells],
            seen: vec![0; cells],
            followed: 0,
            heaviest: cells as u64,
            images: Vec::new(),
            last: Vec::new(),
            slides: instance.sliding().is_some(),
            board: Board::new(&Perm::identity(cells)),
            blank: 0,
        };
        for effect in &program.effects {
            live.learn(effect.clone());
        }
        if !live.slides && cells * program.effects.len() <= SMALL {
            let images = program.effects.iter().flat_map(|effect| effect.perm(instance).images());
            live.images = images.copied().collect();
        }
        live
    }

    /// Adds a word; gives its number.
    pub fn learn(&mut self, effect: Arc<Effect>) -> u32 {
        self.lengths.push(effect.moves);
        self.last.push(0);
        self.effects.push(effect);
        self.effects.len() as u32 - 1
    }

    /// Starts a run from a board, the solved one if none is given. Without a blank this costs nothing that grows with the
    /// board.
    pub fn begin(&mut self, start: Option<&Arc<BoardValue>>) {
        self.base += self.log.len() as u64 + 1;
        self.log.clear();
        (self.moves, self.counted) = (0, 0);
        self.start = start.cloned();
        self.known = None;
        self.followed = 0;
        if let Some(sliding) = self.instance.sliding() {
            match start {
                Some(start) => self.board.clone_from(&start.board),
                None => self.board = Board::new(&Perm::identity(self.instance.cells.len())),
            }
            self.blank = self.board.place(sliding.home);
        }
    }

    /// The place in the log, counted through all runs.
    pub fn now(&self) -> u64 {
        self.base + self.log.len() as u64
    }

    /// Performs a word where nothing depends on a blank. Constant time.
    #[inline(always)]
    pub fn turn(&mut self, word: u32) {
        self.last[word as usize] = self.now();
        self.log.push(word);
    }

    /// How many moves were made.
    pub fn moves(&mut self) -> u64 {
        let more: u64 = self.log[self.counted..].iter().map(|word| self.lengths[*word as usize]).sum();
        self.counted = self.log.len();
        self.moves = self.moves.saturating_add(more);
        self.moves
    }

    /// Takes back the last words of the log: they were the same as one that follows.
    pub fn replace_since(&mut self, from: usize, word: u32) {
        if self.counted > from {
            let counted: u64 = self.log[from..self.counted].iter().map(|word| self.lengths[*word as usize]).sum();
            self.moves -= counted;
            self.counted = from;
        }
        self.log.truncate(from);
        self.log.push(word);
    }

    /// Has none of some words been done since a time in this run?
    #[inline(always)]
    pub fn unchanged_since(&self, time: u64, words: &[u32]) -> bool {
        time >= self.base && words.iter().all(|word| self.last[*word as usize] < time)
    }

    /// Performs a word of a puzzle with a blank. `None` if one of its moves is impossible.
    #[inline]
    pub fn slide(&mut self, word: u32) -> Option<()> {
        self.log.push(word);
        let effect = &self.effects[word as usize];
        let letters = effect.letters.as_deref()?;
        match &effect.walk {
            Some(walk) if letters.len() > SHORT_WALK + self.place.len() / 4 => {
                self.board.apply(walk);
                self.blank = walk.image(self.blank);
            }
            _ => {
                let sliding = self.instance.sliding()?;
                for letter in letters {
                    self.blank = self.board.slide(sliding, *letter, self.blank)?;
                }
            }
        }
        Some(())
    }

    /// The cell of a tile. Cost: the words since it was last asked for, and never much more than bringing all up to date.
    #[inline(always)]
    pub fn at(&mut self, tile: usize) -> Option<u32> {
        if self.slides {
            return (tile < self.place.len()).then(|| self.board.place(tile as u32));
        }
        let now = self.base + self.log.len() as u64;
        if *self.seen.get(tile)? == now {
            return Some(self.place[tile]);
        }
        Some(self.follow(tile, now))
    }

    fn follow(&mut self, tile: usize, now: u64) -> u32 {
        let (mut place, from) = match self.seen[tile].checked_sub(self.base) {
            Some(from) => (self.place[tile], from as usize),
            None => (self.start.as_ref().map_or(tile as u32, |start| start.board.place(tile as u32)), 0),
        };
        let way = &self.log[from..];
        let cells = self.place.len();
        if self.images.len() == cells * self.effects.len() {
            for word in way {
                place = self.images[*word as usize * cells + place as usize];
            }
        } else {
            for word in way {
                place = self.effects[*word as usize].perm(&self.instance).image(place);
            }
        }
        self.place[tile] = place;
        self.seen[tile] = now;
        self.followed += way.len() as u64;
        if self.followed > self.place.len() as u64 {
            self.maybe_place_all(now);
        }
        place
    }

    /// Finds all tiles at once where following them one by one has cost as much already.
    #[cold]
    fn maybe_place_all(&mut self, now: u64) {
        let behind = (self.log.len() - self.known.unwrap_or(0)) as u64;
        if self.followed < self.place.len() as u64 + behind.saturating_mul(self.heaviest) {
            return;
        }
        self.followed = 0;
        self.refresh();
        for (cell, tile) in self.contents.iter().enumerate() {
            self.place[*tile as usize] = cell as u32;
        }
        self.seen.fill(now);
    }

    /// The tile in a cell.
    #[inline(always)]
    pub fn tile(&mut self, cell: usize) -> Option<u32> {
        if self.slides {
            return (cell < self.place.len()).then(|| self.board.tile(cell as u32));
        }
        if self.known != Some(self.log.len()) {
            self.refresh();
        }
        self.contents.get(cell).copied()
    }

    /// The contents of the cells.
    pub fn contents(&mut self) -> &[u32] {
        if self.slides || self.known != Some(self.log.len()) {
            self.refresh();
        }
        &self.contents
    }

    /// Brings the contents up to date. Cost: the support of the words since the last time.
    fn refresh(&mut self) {
        if self.slides {
            let cells = self.place.len() as u32;
            self.contents.clear();
            self.contents.extend((0..cells).map(|cell| self.board.tile(cell)));
            return;
        }
        let from = self.known.unwrap_or_else(|| {
            let cells = self.place.len() as u32;
            self.contents.clear();
            match &self.start {
                Some(start) => self.contents.extend((0..cells).map(|cell| start.board.tile(cell))),
                None => self.contents.extend(0..cells),
            }
            0
        });
        for word in &self.log[from..] {
            self.effects[*word as usize].turning(&self.instance).apply(&mut self.contents);
        }
        self.known = Some(self.log.len());
    }

    /// Is the board the same as another? Linear in the cells.
    pub fn is(&mut self, board: &BoardValue) -> bool {
        self.contents().iter().enumerate().all(|(cell, tile)| board.board.tile(cell as u32) == *tile)
    }

    /// Is the permutation that leads to the board even? Linear in the cells.
    pub fn is_even(&mut self) -> bool {
        Perm::from_images(self.contents().to_vec()).is_ok_and(|perm| perm.is_even())
    }

    /// What was done since a place in the log, letter by letter. Words that stay as written are not spelled.
    pub fn letters_since(&self, from: usize) -> Option<Vec<Letter>> {
        let mut letters = Vec::new();
        for word in &self.log[from..] {
            letters.extend_from_slice(self.effects[*word as usize].letters.as_deref()?);
        }
        Some(letters)
    }

    /// The word that was done. Linear in its moves.
    pub fn word(&self) -> WordValue {
        let mut parts = Vec::new();
        let mut letters: Vec<Letter> = Vec::with_capacity(usize::try_from(self.moves.min(1 << 28)).unwrap_or(0));
        for word in &self.log {
            let effect = &self.effects[*word as usize];
            match effect.letters.as_deref() {
                Some([letter]) => letters.push(*letter),
                Some(several) => letters.extend_from_slice(several),
                None => {
                    if !letters.is_empty() {
                        parts.push(word_of_letters(&self.instance, std::mem::take(&mut letters)));
                    }
                    parts.push(effect.word.clone());
                }
            }
        }
        let last = word_of_letters(&self.instance, letters);
        let word = if parts.is_empty() {
            last
        } else {
            parts.push(last);
            Word::product(parts).unwrap_or_default()
        };
        WordValue { word, of: Some(self.instance.clone()) }
    }
}
