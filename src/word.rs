//! Words of moves as shared expressions.
//!
//! A [`Word`] is kept as it was written: runs of letters, products, powers, inverses, commutators
//! and conjugates, which share their parts. It is never spelled out unless somebody asks for the
//! moves, so `((X Y)^1000000 Z)^1000000` is a handful of nodes; its effect, its exact length, the
//! number of its runs and its text are computed from the expression. (Such expressions are known as
//! straight-line programs.)
//!
//! Words run left to right. All functions work with a stack of their own: an expression may be
//! nested a million deep.

mod alphabet;
mod evaluate;
mod measure;
mod node;
mod print;
mod rewrite;
mod spell;
#[cfg(test)]
mod tests;
mod total;

pub use alphabet::{Alphabet, Letter};
pub use print::DISPLAY_CHARS;
pub use rewrite::Reading;
pub use spell::{Letters, TooLong};

use std::fmt;
use std::sync::{Arc, OnceLock};

use num_bigint::{BigInt, BigUint};

use crate::perm::{Exponent, Perm};
use node::{Kind, Node, Run};

/// A word over the moves of one puzzle, or the empty word, which fits every puzzle.
///
/// Cheap to clone; words share their parts. There is no `==`: words are compared by what they do
/// ([`evaluate`](Self::evaluate)) or by their moves ([`same_moves`](Self::same_moves)).
#[derive(Clone, Default)]
pub struct Word(Option<Arc<Node>>);

/// Two words, or a word and an alphabet, belong to different puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixedAlphabets;

impl fmt::Display for MixedAlphabets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("words of two puzzles cannot be mixed")
    }
}

impl std::error::Error for MixedAlphabets {}

/// A letter names a generator that the alphabet does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLetter {
    /// Where it stands in the list of letters.
    pub position: usize,
    /// The letter.
    pub letter: Letter,
}

impl fmt::Display for UnknownLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no generator number {}", self.letter.generator())
    }
}

impl std::error::Error for UnknownLetter {}

/// How a word is built, one level deep: see [`Word::shape`].
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// The empty word.
    Empty,
    /// A run of letters.
    Letters(&'a [Letter]),
    /// Words one after another; at least two, none of them [`Shape::Empty`].
    Product(&'a [Word]),
    /// The inverse of a word.
    Inverse(&'a Word),
    /// A power; the exponent is any integer.
    Power(&'a Word, &'a Exponent),
    /// `[a, b]`, that is a b a' b'.
    Commutator(&'a Word, &'a Word),
    /// `[a: b]`, that is a b a'.
    Conjugate(&'a Word, &'a Word),
}

/// Powers of one letter up to this exponent are spelled as letters at once.
const SPELLED_POWER: u32 = 16;
/// Two runs are always merged if together they are at most this long.
const SHORT_RUN: usize = 64;
/// Longer runs are merged only up to this length, which bounds the cost of one product.
const LONG_RUN: usize = 4096;

impl Word {
    /// The empty word.
    pub fn empty() -> Word {
        Word(None)
    }

    /// The word with these letters; empty if there are none. Fails at the first letter whose
    /// generator is not in the alphabet. Linear.
    pub fn letters(alphabet: &Arc<Alphabet>, letters: Vec<Letter>) -> Result<Word, UnknownLetter> {
        let run = Run { letters: letters.into(), joined: Box::default() };
        Word::check(alphabet, run.letters.iter())?;
        Ok(Word::run(alphabet, run))
    }

    /// The word of powers of letters, as in `R2 U' R2`; a letter with count 0 is left out. Adjacent
    /// powers stay apart when printed. Fails as [`letters`](Self::letters) does. Linear in the
    /// number of powers; small ones are kept as letters, so that a long written word is one run.
    pub fn powers(
        alphabet: &Arc<Alphabet>,
        powers: impl Iterator<Item = (Letter, u32)> + Clone,
    ) -> Result<Word, UnknownLetter> {
        let (mut length, mut most) = (0usize, 0);
        for (position, (letter, count)) in powers.clone().enumerate() {
            if letter.generator() >= alphabet.len() {
                return Err(UnknownLetter { position, letter });
            }
            length = length.saturating_add(count as usize);
            most = most.max(count);
        }
        if most > SPELLED_POWER {
            let power = |(letter, count): (Letter, u32)| {
                let run = Run { letters: Box::new([letter]), joined: Box::default() };
                match count {
                    0 => Word(None),
                    _ => Word::run(alphabet, run).pow_exponent(i64::from(count).into()),
                }
            };
            // They are all of one alphabet.
            return Ok(Word::product(powers.map(power).collect()).unwrap_or_default());
        }
        let mut letters = Vec::with_capacity(length);
        let mut joined = vec![0u64; if most > 1 { length.div_ceil(64) } else { 0 }];
        for (letter, count) in powers {
            if count > 0 {
                letters.push(letter);
            }
            for _ in 1..count {
                joined[letters.len() / 64] |= 1 << (letters.len() % 64);
                letters.push(letter);
            }
        }
        Ok(Word::run(alphabet, Run { letters: letters.into(), joined: joined.into() }))
    }

    /// The word with these letters, in which equal neighbours are written as powers. Fails as [`letters`](Self::letters)
    /// does. Linear.
    pub fn joined(alphabet: &Arc<Alphabet>, letters: Vec<Letter>) -> Result<Word, UnknownLetter> {
        let mut joined = vec![0u64; letters.len().div_ceil(64)];
        let (mut run, mut longest) = (0, 0);
        let mut before = None;
        for (bits, block) in joined.iter_mut().zip(letters.chunks(64)) {
            for (at, letter) in block.iter().enumerate() {
                let same = before == Some(*letter);
                *bits |= u64::from(same) << at;
                run = if same { run + 1 } else { 1 };
                longest = longest.max(run);
                before = Some(*letter);
            }
        }
        if longest > SPELLED_POWER {
            let powers = letters.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
            return Word::powers(alphabet, powers);
        }
        Word::check(alphabet, letters.iter())?;
        if longest < 2 {
            joined = Vec::new();
        }
        Ok(Word::run(alphabet, Run { letters: letters.into(), joined: joined.into() }))
    }

    /// The word of [`powers`](Self::powers) that are given once each, in the order of their numbers: a long text has few
    /// different pieces. Numbers without a piece are left out. Linear in the letters, a few instructions each.
    pub fn pieces(
        alphabet: &Arc<Alphabet>,
        pieces: &[Vec<(Letter, u32)>],
        order: &[u32],
    ) -> Result<Word, UnknownLetter> {
        let mut spelled: Vec<(Vec<Letter>, u64)> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let word = Word::powers(alphabet, piece.iter().copied())?;
            match word.0.as_ref().map(|node| &node.kind) {
                None => spelled.push((Vec::new(), 0)),
                Some(Kind::Letters(run)) if run.letters.len() <= 64 => {
                    spelled.push((run.letters.to_vec(), run.joined.first().copied().unwrap_or(0)));
                }
                // a large power is no run of letters: build the word in the general way
                _ => {
                    let turns = order.iter().filter_map(|piece| pieces.get(*piece as usize));
                    return Word::powers(alphabet, turns.flatten().copied());
                }
            }
        }
        let runs = order.iter().filter_map(|piece| spelled.get(*piece as usize));
        let length = runs.clone().map(|(letters, _)| letters.len()).sum();
        let any_joined = spelled.iter().any(|(_, joined)| *joined != 0);
        let mut letters = Vec::with_capacity(length);
        let mut all_joined = vec![0u64; if any_joined { length.div_ceil(64) + 1 } else { 0 }];
        for (run, joined) in runs {
            if *joined != 0 {
                let (word, shift) = (letters.len() / 64, letters.len() % 64);
                all_joined[word] |= joined << shift;
                if shift > 0 {
                    all_joined[word + 1] |= joined >> (64 - shift);
                }
            }
            match run.as_slice() {
                [only] => letters.push(*only),
                several => letters.extend_from_slice(several),
            }
        }
        Ok(Word::run(alphabet, Run { letters: letters.into(), joined: all_joined.into() }))
    }

    fn check<'a>(alphabet: &Alphabet, letters: impl Iterator<Item = &'a Letter>) -> Result<(), UnknownLetter> {
        let count = alphabet.len();
        for (position, &letter) in letters.enumerate() {
            if letter.generator() >= count {
                return Err(UnknownLetter { position, letter });
            }
        }
        Ok(())
    }

    fn run(alphabet: &Arc<Alphabet>, run: Run) -> Word {
        if run.letters.is_empty() {
            return Word(None);
        }
        Word::node(alphabet, run.letters.len() as u64, Kind::Letters(run))
    }

    fn node(alphabet: &Arc<Alphabet>, moves: u64, kind: Kind) -> Word {
        Word(Some(Arc::new(Node {
            alphabet: Arc::clone(alphabet),
            rank: kind.rank(),
            kind,
            moves,
            effect: OnceLock::new(),
            measures: OnceLock::new(),
        })))
    }

    /// The alphabet of the word; `None` for the empty word, which fits every puzzle. (A word such
    /// as `X^0` has no moves but an alphabet.)
    pub fn alphabet(&self) -> Option<&Arc<Alphabet>> {
        self.0.as_ref().map(|node| &node.alphabet)
    }

    /// How the word is built, one level deep.
    pub fn shape(&self) -> Shape<'_> {
        let Some(node) = &self.0 else {
            return Shape::Empty;
        };
        match &node.kind {
            Kind::Letters(run) => Shape::Letters(&run.letters),
            Kind::Product(parts) => Shape::Product(parts),
            Kind::Inverse(word) => Shape::Inverse(word),
            Kind::Power(word, exponent) => Shape::Power(word, exponent),
            Kind::Commutator(a, b) => Shape::Commutator(a, b),
            Kind::Conjugate(a, b) => Shape::Conjugate(a, b),
        }
    }

    /// A number that identifies the node for as long as a word that contains it lives: a key for
    /// tables that treat each shared part once. `None` for the empty word.
    pub fn key(&self) -> Option<usize> {
        self.0.as_ref().map(|node| Arc::as_ptr(node) as usize)
    }

    /// The number of moves if it is below `u64::MAX`. Constant time.
    pub fn moves(&self) -> Option<u64> {
        Some(self.moves_capped()).filter(|&moves| moves < u64::MAX)
    }

    fn rank(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.rank)
    }

    fn moves_capped(&self) -> u64 {
        self.0.as_ref().map_or(0, |node| node.moves)
    }

    /// This word, then `next`.
    ///
    /// Runs of letters that meet are merged into longer ones, at a cost that is small whatever the
    /// lengths, so that a word may be built letter by letter.
    pub fn then(&self, next: &Word) -> Result<Word, MixedAlphabets> {
        let (Some(a), Some(b)) = (&self.0, &next.0) else {
            return Ok(if self.0.is_some() { self.clone() } else { next.clone() });
        };
        let alphabet = &a.alphabet;
        if !Arc::ptr_eq(alphabet, &b.alphabet) {
            return Err(MixedAlphabets);
        }
        let Kind::Letters(run) = &b.kind else {
            return Ok(Word::pair(alphabet, self.clone(), next.clone()));
        };
        // Like the digits of a binary counter: a run that has grown as long as the run before
        // it is merged with that, so that a letter is copied a logarithmic number of times.
        let mut left = a;
        let mut merged: Option<Run> = None;
        loop {
            let right = merged.as_ref().unwrap_or(run);
            match &left.kind {
                Kind::Letters(last) if merges(last, right) => {
                    return Ok(Word::run(alphabet, Run::concat(&[last, right])));
                }
                // A product whose effect is known is worth keeping as it is.
                Kind::Product(parts) if left.effect.get().is_none() => {
                    if let [before, Word(Some(last))] = &**parts
                        && let Word(Some(before)) = before
                        && let Kind::Letters(last) = &last.kind
                        && merges(last, right)
                    {
                        merged = Some(Run::concat(&[last, right]));
                        left = before;
                        continue;
                    }
                }
                _ => {}
            }
            break;
        }
        let right = merged.map_or_else(|| next.clone(), |run| Word::run(alphabet, run));
        Ok(Word::pair(alphabet, Word(Some(Arc::clone(left))), right))
    }

    fn pair(alphabet: &Arc<Alphabet>, a: Word, b: Word) -> Word {
        let moves = a.moves_capped().saturating_add(b.moves_capped());
        Word::node(alphabet, moves, Kind::Product(Box::new([a, b])))
    }

    /// The product of many words, left to right. Linear in their number.
    pub fn product(words: Vec<Word>) -> Result<Word, MixedAlphabets> {
        let alphabet = common_alphabet(&words)?;
        let mut parts: Vec<Word> = words.into_iter().filter(|word| word.0.is_some()).collect();
        let Some(alphabet) = alphabet else {
            return Ok(Word(None));
        };
        parts = merge_short_runs(&alphabet, parts);
        if parts.len() == 1 {
            return Ok(parts.swap_remove(0));
        }
        let moves = parts.iter().fold(0u64, |sum, word| sum.saturating_add(word.moves_capped()));
        Ok(Word::node(&alphabet, moves, Kind::Product(parts.into())))
    }

    fn leaf(&self) -> Option<&Run> {
        match &self.0.as_ref()?.kind {
            Kind::Letters(run) => Some(run),
            _ => None,
        }
    }

    /// The inverse. The inverse of an inverse is the word itself, the inverse of one letter is
    /// one letter.
    pub fn inverse(&self) -> Word {
        let Some(node) = &self.0 else {
            return Word(None);
        };
        match &node.kind {
            Kind::Inverse(word) => word.clone(),
            Kind::Letters(run) if run.letters.len() == 1 => {
                let letters = Box::new([run.letters[0].inverse()]);
                Word::run(&node.alphabet, Run { letters, joined: Box::default() })
            }
            _ => Word::node(&node.alphabet, node.moves, Kind::Inverse(self.clone())),
        }
    }

    /// The power with any integer exponent. `w^1` is w, `w^-1` its inverse.
    pub fn pow(&self, exponent: &BigInt) -> Word {
        self.pow_exponent(Exponent::from(exponent))
    }

    /// [`pow`](Self::pow) for an exponent that has been prepared.
    pub fn pow_exponent(&self, exponent: Exponent) -> Word {
        let Some(node) = &self.0 else {
            return Word(None);
        };
        match exponent {
            Exponent::Small(1) => return self.clone(),
            Exponent::Small(-1) => return self.inverse(),
            Exponent::Small(e) if e != 0 && e.unsigned_abs() <= u64::from(SPELLED_POWER) => {
                if let Kind::Letters(run) = &node.kind
                    && let [letter] = *run.letters
                {
                    let letter = if e < 0 { letter.inverse() } else { letter };
                    let count = e.unsigned_abs() as usize;
                    let letters = vec![letter; count].into();
                    let joined = Box::new([((1u64 << count) - 1) & !1]);
                    return Word::run(&node.alphabet, Run { letters, joined });
                }
            }
            _ => {}
        }
        let times = exponent.magnitude_u64().unwrap_or(u64::MAX);
        let moves = node.moves.saturating_mul(times);
        Word::node(&node.alphabet, moves, Kind::Power(self.clone(), exponent))
    }

    /// The commutator `[a, b]`, that is a b a' b'.
    pub fn commutator(a: &Word, b: &Word) -> Result<Word, MixedAlphabets> {
        let moves = a.moves_capped().saturating_add(b.moves_capped()).saturating_mul(2);
        Word::bracket(a, b, moves, Kind::Commutator)
    }

    /// The conjugate `[a: b]`, that is a b a'.
    pub fn conjugate(a: &Word, b: &Word) -> Result<Word, MixedAlphabets> {
        let moves = a.moves_capped().saturating_mul(2).saturating_add(b.moves_capped());
        Word::bracket(a, b, moves, Kind::Conjugate)
    }

    fn bracket(a: &Word, b: &Word, moves: u64, kind: fn(Word, Word) -> Kind) -> Result<Word, MixedAlphabets> {
        match (a.alphabet(), b.alphabet()) {
            (None, None) => Ok(Word(None)),
            (Some(x), Some(y)) if !Arc::ptr_eq(x, y) => Err(MixedAlphabets),
            (Some(alphabet), _) | (None, Some(alphabet)) => Ok(Word::node(alphabet, moves, kind(a.clone(), b.clone()))),
        }
    }

    /// What the word does: where the content of each cell goes. The empty word gives the identity
    /// on no points; see [`evaluate_on`](Self::evaluate_on).
    ///
    /// Costs what the expression costs, not its length: powers go along cycles, each shared part
    /// is evaluated once, and the answer is remembered.
    pub fn evaluate(&self) -> Perm {
        match &self.0 {
            None => Perm::identity(0),
            Some(node) => evaluate::evaluate(node),
        }
    }

    /// [`evaluate`](Self::evaluate) for a word of this alphabet or the empty word, which gives the
    /// identity.
    pub fn evaluate_on(&self, alphabet: &Arc<Alphabet>) -> Result<Perm, MixedAlphabets> {
        match &self.0 {
            None => Ok(Perm::identity(alphabet.degree())),
            Some(node) if Arc::ptr_eq(&node.alphabet, alphabet) => Ok(evaluate::evaluate(node)),
            Some(_) => Err(MixedAlphabets),
        }
    }

    /// What the word does when its letters stand for the generators of another alphabet, by their
    /// numbers: another action of the same moves. Letters that the other alphabet does not have do
    /// nothing. Nothing is remembered.
    pub fn evaluate_as(&self, alphabet: &Alphabet) -> Perm {
        match &self.0 {
            None => Perm::identity(alphabet.degree()),
            Some(node) => evaluate::evaluate_as(node, alphabet),
        }
    }

    /// The number of moves, one by one, exact. `w^-3` has three times the length of w.
    pub fn length(&self) -> BigUint {
        match self.moves() {
            Some(moves) => BigUint::from(moves),
            None => measure::measures(self).length.clone(),
        }
    }

    /// The number of maximal blocks of one generator in the moves as written, whatever the
    /// directions: `X X X' Y` has two. Exact, and computed from the expression.
    pub fn runs(&self) -> BigUint {
        match &self.0 {
            None => BigUint::ZERO,
            Some(_) => measure::measures(self).runs.clone(),
        }
    }

    /// How often each generator occurs, in either direction: pairs of a generator and its positive
    /// count, by generator. Exact, and computed from the expression.
    pub fn tally(&self) -> Vec<(usize, BigUint)> {
        measure::tally(self)
    }
}

/// Whether a run and the one after it are merged: short ones always, longer ones when the second
/// has caught up.
fn merges(left: &Run, right: &Run) -> bool {
    let (l, r) = (left.letters.len(), right.letters.len());
    l + r <= SHORT_RUN || (l <= r && l + r <= LONG_RUN)
}

/// Joins neighbouring short runs of letters.
fn merge_short_runs(alphabet: &Arc<Alphabet>, parts: Vec<Word>) -> Vec<Word> {
    let short = |word: &Word| word.leaf().is_some_and(|run| run.letters.len() <= SHORT_RUN);
    let mut merged = Vec::with_capacity(parts.len());
    for stretch in parts.chunk_by(|a, b| short(a) && short(b)) {
        match stretch {
            [single] => merged.push(single.clone()),
            _ => {
                let runs: Vec<&Run> = stretch.iter().filter_map(Word::leaf).collect();
                merged.push(Word::run(alphabet, Run::concat(&runs)));
            }
        }
    }
    merged
}

fn common_alphabet(words: &[Word]) -> Result<Option<Arc<Alphabet>>, MixedAlphabets> {
    let mut found: Option<&Arc<Alphabet>> = None;
    for alphabet in words.iter().filter_map(Word::alphabet) {
        match found {
            None => found = Some(alphabet),
            Some(first) if Arc::ptr_eq(first, alphabet) => {}
            Some(_) => return Err(MixedAlphabets),
        }
    }
    Ok(found.cloned())
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Word({})", self.to_text(200))
    }
}
