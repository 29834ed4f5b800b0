//! The moves of a word one by one, and what needs them.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::FxHashMap;

use super::{Kind, Letter, Node, Run, Word};
use crate::perm::Exponent;

/// A word has more moves than the caller was ready for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// How many moves it has.
    pub length: BigUint,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.length.bits() < 200 {
            write!(f, "the word has {} moves", self.length)
        } else {
            write!(f, "the word has more than 2^{} moves", self.length.bits() - 1)
        }
    }
}

impl std::error::Error for TooLong {}

impl Word {
    /// The moves, if there are at most `limit` of them. Linear in their number and in the size of
    /// the expression.
    pub fn spell(&self, limit: usize) -> Result<Vec<Letter>, TooLong> {
        match (self.moves(), &self.0) {
            (Some(moves), Some(node)) if moves <= limit as u64 => Ok(spell(node, moves as usize)),
            (Some(_), None) => Ok(Vec::new()),
            _ => Err(TooLong { length: self.length() }),
        }
    }

    /// The moves one after another, without spelling the word out: memory is the depth of the
    /// expression. A word may have more moves than anyone can wait for.
    pub fn letters_iter(&self) -> Letters<'_> {
        let steps = self.0.iter().map(|node| Step::Node(node, false)).collect();
        Letters { steps, run: &[], inverted: false }
    }

    /// The freely reduced word: as long as a letter stands next to its inverse, both are removed.
    /// Equal neighbours are then printed as powers. Fails if the word as written has more than
    /// `limit` moves. Linear in the length.
    pub fn reduce(&self, limit: usize) -> Result<Word, TooLong> {
        let Some(node) = &self.0 else {
            return Ok(Word::empty());
        };
        let letters = free_reduction(self.spell(limit)?);
        let mut joined = vec![0u64; letters.len().div_ceil(64)];
        for (i, _) in letters.windows(2).enumerate().filter(|(_, pair)| pair[0] == pair[1]) {
            joined[(i + 1) / 64] |= 1 << ((i + 1) % 64);
        }
        let run = Run { letters: letters.into(), joined: joined.into() };
        Ok(Word::run(&node.alphabet, run))
    }

    /// Whether the two words have the same freely reduced moves.
    ///
    /// Words of two puzzles have not, unless both reduce to nothing. Fails with the length of a word
    /// of more than `limit` moves, except where the answer is plain without spelling: the words are
    /// one object, or do different things.
    pub fn same_moves(a: &Word, b: &Word, limit: usize) -> Result<bool, TooLong> {
        if a.key() == b.key() {
            return Ok(true);
        }
        let mixed = match (a.alphabet(), b.alphabet()) {
            (Some(x), Some(y)) => !Arc::ptr_eq(x, y),
            _ => false,
        };
        let fits = |word: &Word| word.moves().is_some_and(|moves| moves <= limit as u64);
        let comparable = mixed || (fits(a) && fits(b));
        if !comparable && a.evaluate().first_difference(&b.evaluate()).is_some() {
            return Ok(false);
        }
        let a = free_reduction(a.spell(limit)?);
        let b = free_reduction(b.spell(limit)?);
        Ok(if mixed { a.is_empty() && b.is_empty() } else { a == b })
    }
}

fn free_reduction(letters: Vec<Letter>) -> Vec<Letter> {
    let mut reduced = letters;
    let mut kept = 0;
    for at in 0..reduced.len() {
        let letter = reduced[at];
        if kept > 0 && reduced[kept - 1] == letter.inverse() {
            kept -= 1;
        } else {
            reduced[kept] = letter;
            kept += 1;
        }
    }
    reduced.truncate(kept);
    reduced
}

enum Task<'a> {
    /// Spell a word or its inverse.
    Spell(&'a Word, bool),
    /// What has been spelled since this place is to stand so many times.
    Repeat(usize, u64),
    /// What has been spelled since the place is the node (inverted if true): keep that in mind.
    Note(&'a Arc<Node>, bool, usize),
}

/// A part that occurs again is copied from where it was spelled first, so that the work is linear
/// in the output even where parts without moves are shared many times over.
fn spell(root: &Arc<Node>, length: usize) -> Vec<Letter> {
    let mut out: Vec<Letter> = Vec::with_capacity(length);
    let mut spelled: FxHashMap<usize, (usize, usize, bool)> = FxHashMap::default();
    let mut tasks: Vec<Task<'_>> = Vec::new();
    expand(root, false, &mut tasks, &mut out);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Spell(Word(None), _) => {}
            Task::Spell(Word(Some(node)), _) if node.moves == 0 => {}
            Task::Spell(Word(Some(node)), inverted) => {
                if matches!(node.kind, Kind::Letters(_)) {
                    expand(node, inverted, &mut tasks, &mut out);
                    continue;
                }
                // Brackets name their parts twice, so every node may come again.
                match spelled.get(&(Arc::as_ptr(node) as usize)) {
                    Some(&(start, end, before)) if before == inverted => {
                        out.extend_from_within(start..end);
                    }
                    Some(&(start, end, _)) => {
                        out.extend_from_within(start..end);
                        let copy = out.len() - (end - start);
                        out[copy..].reverse();
                        out[copy..].iter_mut().for_each(|letter| *letter = letter.inverse());
                    }
                    None => {
                        tasks.push(Task::Note(node, inverted, out.len()));
                        expand(node, inverted, &mut tasks, &mut out);
                    }
                }
            }
            Task::Repeat(start, times) => {
                let end = out.len();
                (1..times).for_each(|_| out.extend_from_within(start..end));
            }
            Task::Note(node, inverted, start) => {
                spelled.insert(Arc::as_ptr(node) as usize, (start, out.len(), inverted));
            }
        }
    }
    out
}

/// Spells a run of letters, or lists what is to be done for another node, last things first.
fn expand<'a>(node: &'a Arc<Node>, inverted: bool, tasks: &mut Vec<Task<'a>>, out: &mut Vec<Letter>) {
    match &node.kind {
        Kind::Letters(run) if inverted => {
            out.extend(run.letters.iter().rev().map(|letter| letter.inverse()));
        }
        Kind::Letters(run) => out.extend_from_slice(&run.letters),
        Kind::Product(parts) if inverted => {
            tasks.extend(parts.iter().map(|part| Task::Spell(part, true)));
        }
        Kind::Product(parts) => {
            tasks.extend(parts.iter().rev().map(|part| Task::Spell(part, false)));
        }
        Kind::Inverse(word) => tasks.push(Task::Spell(word, !inverted)),
        Kind::Power(word, exponent) => {
            // Only words that fit in memory come here, so a base with moves has a small exponent.
            let times = exponent.magnitude_u64().unwrap_or(0);
            if times > 0 && word.moves_capped() > 0 {
                tasks.push(Task::Repeat(out.len(), times));
                tasks.push(Task::Spell(word, inverted != exponent.is_negative()));
            }
        }
        Kind::Commutator(a, b) | Kind::Conjugate(a, b) => {
            let pieces = bracket_pieces(&node.kind, a, b, inverted);
            tasks.extend(pieces.into_iter().rev().flatten().map(|(w, i)| Task::Spell(w, i)));
        }
    }
}

/// What a commutator, a conjugate or the inverse of one spells, left to right.
fn bracket_pieces<'a>(kind: &Kind, a: &'a Word, b: &'a Word, inverted: bool) -> [Option<(&'a Word, bool)>; 4] {
    match (kind, inverted) {
        (Kind::Conjugate(..), _) => [Some((a, false)), Some((b, inverted)), Some((a, true)), None],
        (_, false) => [Some((a, false)), Some((b, false)), Some((a, true)), Some((b, true))],
        (_, true) => [Some((b, false)), Some((a, false)), Some((b, true)), Some((a, true))],
    }
}

/// The moves of a word one after another: see [`Word::letters_iter`].
pub struct Letters<'a> {
    steps: Vec<Step<'a>>,
    run: &'a [Letter],
    inverted: bool,
}

enum Step<'a> {
    Node(&'a Arc<Node>, bool),
    /// The node so many times.
    Repeat(&'a Arc<Node>, bool, Times),
}

enum Times {
    Few(u64),
    Many(BigUint),
}

impl Times {
    fn new(exponent: &Exponent) -> Times {
        match exponent.magnitude_u64() {
            Some(few) => Times::Few(few),
            None => Times::Many(exponent.to_bigint().into_parts().1),
        }
    }

    /// One less, or `None` if none are left then.
    fn less(self) -> Option<Times> {
        match self {
            Times::Few(times) => times.checked_sub(1).filter(|&t| t > 0).map(Times::Few),
            Times::Many(times) if times.is_one() => None,
            Times::Many(times) => Some(Times::Many(times - 1u32)),
        }
    }
}

impl Iterator for Letters<'_> {
    type Item = Letter;

    fn next(&mut self) -> Option<Letter> {
        loop {
            if self.inverted {
                if let Some((letter, rest)) = self.run.split_last() {
                    self.run = rest;
                    return Some(letter.inverse());
                }
            } else if let Some((letter, rest)) = self.run.split_first() {
                self.run = rest;
                return Some(*letter);
            }
            match self.steps.pop()? {
                Step::Repeat(node, inverted, times) => {
                    if let Some(times) = times.less() {
                        self.steps.push(Step::Repeat(node, inverted, times));
                    }
                    self.enter(node, inverted);
                }
                Step::Node(node, inverted) => self.enter(node, inverted),
            }
        }
    }
}

impl<'a> Letters<'a> {
    fn push(&mut self, word: &'a Word, inverted: bool) {
        // A part without moves may be an enormous expression; it is not entered.
        if let Some(node) = word.0.as_ref().filter(|node| node.moves > 0) {
            self.steps.push(Step::Node(node, inverted));
        }
    }

    fn enter(&mut self, node: &'a Arc<Node>, inverted: bool) {
        match &node.kind {
            Kind::Letters(run) => (self.run, self.inverted) = (&run.letters, inverted),
            Kind::Product(parts) if inverted => parts.iter().for_each(|part| self.push(part, true)),
            Kind::Product(parts) => parts.iter().rev().for_each(|part| self.push(part, false)),
            Kind::Inverse(word) => self.push(word, !inverted),
            Kind::Power(Word(Some(base)), exponent) if node.moves > 0 => {
                let inverted = inverted != exponent.is_negative();
                self.steps.push(Step::Repeat(base, inverted, Times::new(exponent)));
            }
            Kind::Power(..) => {}
            Kind::Commutator(a, b) | Kind::Conjugate(a, b) => {
                let pieces = bracket_pieces(&node.kind, a, b, inverted);
                pieces.into_iter().rev().flatten().for_each(|(w, i)| self.push(w, i));
            }
        }
    }
}
