//! What a word does from a place of the blank.
//!
//! A word is done from the left, with a list of tasks instead of recursion. Short parts are walked letter by letter. A part
//! that occurs more than once is done once for each place of the blank where it begins, and remembered. A power goes along
//! the cycle of the places where its base begins, so an exponent of a hundred digits costs what a small one costs.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::Slides;
use crate::perm::{Exponent, Perm};
use crate::puzzle::board::Board;
use crate::word::{Letter, Shape, Word};

/// What a word does.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// where the blank is afterwards
    pub blank: u32,
    /// where the content of each cell goes
    pub perm: Perm,
}

/// Where a word is impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// how many moves were done before
    pub moves: BigUint,
    /// the move that is impossible
    pub letter: Letter,
    /// where the blank is then
    pub blank: u32,
    /// what the moves before do
    pub perm: Perm,
}

/// Why there is no effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    Stuck(Box<Stuck>),
    /// The caller said stop.
    Stopped,
}

/// Shorter parts are always walked letter by letter.
const SHORT: u64 = 256;
/// When more images than that are remembered, all are forgotten.
const REMEMBERED: usize = 1 << 26;

/// A word on a puzzle with a blank, ready to be done from any place.
pub struct Walker<'a> {
    sliding: &'a Slides,
    word: &'a Word,
    /// by part: how often it is needed
    uses: FxHashMap<usize, u32>,
    /// by part, direction, and place of the blank before it
    known: FxHashMap<(usize, bool, u32), Effect>,
    /// parts of so many moves are walked letter by letter
    short: u64,
    goes_on: &'a dyn Fn(u64) -> bool,
}

/// Something that is being done: a part whose effect will be remembered, or the whole.
struct Frame {
    board: Board,
    blank: u32,
    /// how many moves were done in it
    moves: BigUint,
}

enum Task<'a> {
    /// A word, or its inverse.
    Do(&'a Word, bool),
    /// The same, not looked up.
    Enter(&'a Word, bool),
    /// Close a frame and remember what the word does from this place of the blank.
    Keep(&'a Word, bool, u32),
    /// A power: how often is its base left to be done?
    Round(Power<'a>),
    /// Close the frame of a power.
    Close,
}

struct Power<'a> {
    base: &'a Word,
    backward: bool,
    left: BigUint,
    /// how often it was done
    done: u64,
    /// where it began; none once the places have come round
    start: Option<u32>,
}

impl<'a> Walker<'a> {
    /// Prepares a word. `goes_on` is asked whether to spend some more steps, of about 64 points each.
    pub fn new(sliding: &'a Slides, word: &'a Word, goes_on: &'a dyn Fn(u64) -> bool) -> Walker<'a> {
        Walker::walking(sliding, word, SHORT.max(sliding.cells as u64), goes_on)
    }

    /// [`new`](Self::new) with another limit for what is walked letter by letter.
    pub(super) fn walking(
        sliding: &'a Slides,
        word: &'a Word,
        short: u64,
        goes_on: &'a dyn Fn(u64) -> bool,
    ) -> Walker<'a> {
        let mut uses: FxHashMap<usize, u32> = FxHashMap::default();
        let mut waiting = vec![(word, 1)];
        while let Some((word, times)) = waiting.pop() {
            let Some(key) = word.key().filter(|_| !is_short(word, short)) else { continue };
            let seen = uses.entry(key).or_insert(0);
            let first = *seen == 0;
            *seen = seen.saturating_add(times);
            if !first {
                continue;
            }
            match word.shape() {
                Shape::Empty | Shape::Letters(_) => {}
                Shape::Product(parts) => waiting.extend(parts.iter().map(|part| (part, 1))),
                Shape::Inverse(part) => waiting.push((part, 1)),
                Shape::Power(part, _) => waiting.push((part, 2)),
                Shape::Commutator(a, b) => waiting.extend([(a, 2), (b, 2)]),
                Shape::Conjugate(a, b) => waiting.extend([(a, 2), (b, 1)]),
            }
        }
        Walker { sliding, word, uses, known: FxHashMap::default(), short, goes_on }
    }

    /// What the word does when the blank is at `blank`. What is found out about its parts is kept for the next place.
    pub fn from(&mut self, blank: u32) -> Result<Effect, Halt> {
        let mut frames = vec![self.frame(blank)?];
        let mut tasks = vec![Task::Do(self.word, false)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Do(word, backward) => self.look_up(word, backward, &mut tasks, &mut frames)?,
                Task::Enter(word, backward) => self.enter(word, backward, &mut tasks, &mut frames)?,
                Task::Keep(word, backward, start) => {
                    let Some(frame) = frames.pop() else { break };
                    let effect = Effect { blank: frame.blank, perm: frame.board.perm() };
                    self.apply(&effect, frame.moves, &mut frames)?;
                    if let Some(key) = word.key() {
                        if self.known.len().saturating_mul(self.sliding.cells) > REMEMBERED {
                            self.known.clear();
                        }
                        self.known.insert((key, backward, start), effect);
                    }
                }
                Task::Round(power) => self.round(power, &mut tasks, &mut frames)?,
                Task::Close => {
                    let Some(frame) = frames.pop() else { break };
                    let effect = Effect { blank: frame.blank, perm: frame.board.perm() };
                    self.apply(&effect, frame.moves, &mut frames)?;
                }
            }
        }
        let done = frames.pop().ok_or(Halt::Stopped)?;
        Ok(Effect { blank: done.blank, perm: done.board.perm() })
    }

    fn frame(&self, blank: u32) -> Result<Frame, Halt> {
        self.charge(1 + self.sliding.cells as u64 / 64)?;
        Ok(Frame { board: Board::new(&Perm::identity(self.sliding.cells)), blank, moves: BigUint::ZERO })
    }

    fn charge(&self, steps: u64) -> Result<(), Halt> {
        if (self.goes_on)(steps) { Ok(()) } else { Err(Halt::Stopped) }
    }

    fn apply(&self, effect: &Effect, moves: BigUint, frames: &mut [Frame]) -> Result<(), Halt> {
        self.charge(1 + self.sliding.cells as u64 / 64)?;
        if let Some(frame) = frames.last_mut() {
            frame.board.apply(&effect.perm);
            frame.blank = effect.blank;
            frame.moves += moves;
        }
        Ok(())
    }

    fn look_up(
        &mut self,
        word: &'a Word,
        backward: bool,
        tasks: &mut Vec<Task<'a>>,
        frames: &mut Vec<Frame>,
    ) -> Result<(), Halt> {
        if word.moves() == Some(0) {
            return Ok(());
        }
        if is_short(word, self.short) {
            return match backward {
                true => self.letters(word.inverse().letters_iter(), frames),
                false => self.letters(word.letters_iter(), frames),
            };
        }
        let (Some(key), Some(blank)) = (word.key(), frames.last().map(|frame| frame.blank)) else { return Ok(()) };
        if let Some(effect) = self.known.get(&(key, backward, blank)) {
            return self.apply(effect, word.length(), frames);
        }
        if self.uses.get(&key).is_some_and(|uses| *uses > 1) {
            frames.push(self.frame(blank)?);
            tasks.push(Task::Keep(word, backward, blank));
        }
        tasks.push(Task::Enter(word, backward));
        Ok(())
    }

    /// Walks letters, or lists what is to be done, last things first.
    fn enter(
        &mut self,
        word: &'a Word,
        backward: bool,
        tasks: &mut Vec<Task<'a>>,
        frames: &mut Vec<Frame>,
    ) -> Result<(), Halt> {
        match word.shape() {
            Shape::Empty => {}
            Shape::Letters(letters) if backward => {
                return self.letters(letters.iter().rev().map(|letter| letter.inverse()), frames);
            }
            Shape::Letters(letters) => return self.letters(letters.iter().copied(), frames),
            Shape::Product(parts) if backward => tasks.extend(parts.iter().map(|part| Task::Do(part, true))),
            Shape::Product(parts) => tasks.extend(parts.iter().rev().map(|part| Task::Do(part, false))),
            Shape::Inverse(part) => tasks.push(Task::Do(part, !backward)),
            Shape::Power(base, exponent) => {
                let Some(blank) = frames.last().map(|frame| frame.blank) else { return Ok(()) };
                let left = exponent.to_bigint().into_parts().1;
                frames.push(self.frame(blank)?);
                tasks.push(Task::Close);
                let backward = backward != exponent.is_negative();
                tasks.push(Task::Round(Power { base, backward, left, done: 0, start: Some(blank) }));
            }
            // a b a' b', backward b a b' a'
            Shape::Commutator(a, b) => {
                let (first, second) = if backward { (b, a) } else { (a, b) };
                tasks.extend([
                    Task::Do(second, true),
                    Task::Do(first, true),
                    Task::Do(second, false),
                    Task::Do(first, false),
                ]);
            }
            Shape::Conjugate(a, b) => tasks.extend([Task::Do(a, true), Task::Do(b, backward), Task::Do(a, false)]),
        }
        Ok(())
    }

    fn letters(&self, letters: impl Iterator<Item = Letter>, frames: &mut [Frame]) -> Result<(), Halt> {
        let mut count = 0u64;
        let mut stuck = None;
        if let Some(frame) = frames.last_mut() {
            for letter in letters {
                if count & 0xff == 0xff {
                    self.charge(64)?;
                }
                match frame.board.slide(self.sliding, letter, frame.blank) {
                    Some(blank) => frame.blank = blank,
                    None => {
                        stuck = Some((letter, frame.blank));
                        break;
                    }
                }
                count += 1;
            }
            frame.moves += count;
        }
        self.charge(1 + (count & 0xff) / 4)?;
        let Some((letter, blank)) = stuck else { return Ok(()) };
        let moves = frames.iter().map(|frame| &frame.moves).sum();
        let perm = frames
            .iter()
            .map(|frame| frame.board.perm())
            .reduce(|before, next| before.then(&next))
            .unwrap_or_else(|| Perm::identity(self.sliding.cells));
        Err(Halt::Stuck(Box::new(Stuck { moves, letter, blank, perm })))
    }

    /// One more round of a power. Where the places have come round, all whole rounds that are left are done at once.
    fn round(&mut self, mut power: Power<'a>, tasks: &mut Vec<Task<'a>>, frames: &mut [Frame]) -> Result<(), Halt> {
        let Some(frame) = frames.last_mut() else { return Ok(()) };
        if power.done > 0 && power.start == Some(frame.blank) {
            power.start = None;
            let again = &power.left / power.done;
            let all = num_bigint::BigInt::from(&again + 1u32);
            frame.board = Board::new(&frame.board.perm().pow_exponent(&Exponent::from(&all)));
            frame.moves += &frame.moves * &again;
            power.left %= power.done;
            self.charge(1 + self.sliding.cells as u64 / 32)?;
        }
        if power.left == BigUint::ZERO {
            return Ok(());
        }
        power.left -= 1u32;
        power.done += 1;
        let next = Task::Do(power.base, power.backward);
        tasks.push(Task::Round(power));
        tasks.push(next);
        Ok(())
    }
}

fn is_short(word: &Word, short: u64) -> bool {
    word.moves().is_some_and(|moves| moves <= short)
}
