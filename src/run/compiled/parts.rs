//! Parts of procedures that need not be done again.
//!
//! On a puzzle with a blank, a part that looks at nothing but some values and the place of the blank does the same word
//! whenever these are the same. The word is remembered with what it does, so a walk of a thousand moves is done again
//! as one permutation.
//!
//! On a puzzle without a blank, the answer to a question about the board stays true until a move touches one of the
//! cells that were looked at. It is kept with the words that do, so it is asked again only after one of these.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::code::{Program, Reg};
use super::effect::Effect;
use super::execute::Registers;
use super::live::Live;

/// So many letters are remembered for one program.
const MOST_LETTERS: usize = 1 << 22;

/// So many answers are kept for one question.
const MOST_ANSWERS: usize = 1 << 16;

/// An answer that depends on more words than this is not kept.
const MOST_WORDS: usize = 8;

/// No answers are kept for a program whose words move more cells than this together.
const MOST_MOVED: usize = 1 << 24;

type Given = SmallVec<[i64; 4]>;

/// What is remembered for one program, and what is being learned.
#[derive(Default)]
pub struct Parts {
    /// by part: what it did for given values and a place of the blank
    walks: Vec<FxHashMap<Given, Walk>>,
    /// how many letters these words have
    letters: usize,
    /// the parts that are being done
    doing: Vec<Doing>,
    /// by question: its answers, for one given number, and for several
    answers: Vec<Answers>,
    /// the questions that are being asked
    asking: Vec<Asking>,
    /// by cell: the words that move it; `None` until it is needed
    touching: Option<Vec<SmallVec<[u32; 2]>>>,
}

struct Walk {
    /// the number of the word; none for no move
    word: Option<u32>,
    value: SmallVec<[i64; 2]>,
    rounds: u64,
    assertions: u64,
}

struct Doing {
    part: u16,
    given: Given,
    from: usize,
    rounds: u64,
    assertions: u64,
}

#[derive(Default)]
struct Answers {
    single: Vec<Answer>,
    others: FxHashMap<Given, Answer>,
}

#[derive(Clone, Default)]
struct Answer {
    /// when it was found; 0 for never
    time: u64,
    value: i64,
    /// the words that can change it
    words: SmallVec<[u32; 4]>,
}

struct Asking {
    part: u16,
    given: Given,
    words: SmallVec<[u32; 4]>,
    /// too many words can change it
    lost: bool,
}

impl Parts {
    /// What was left open by a run that stopped is not learned.
    pub fn begin(&mut self) {
        self.doing.clear();
        self.asking.clear();
    }

    /// Does a part as it was done before with the same values and the same place of the blank. Gives the rounds and
    /// assertions that it took then; `None` if it has to be done, and is to be remembered.
    pub fn recall(
        &mut self,
        part: u16,
        program: &Program,
        registers: &mut Registers,
        live: &mut Live,
        spent: (u64, u64),
    ) -> Option<(u64, u64)> {
        let mut given = given(program, part, registers);
        given.push(i64::from(live.blank));
        if self.walks.len() <= usize::from(part) {
            self.walks.resize_with(usize::from(part) + 1, FxHashMap::default);
        }
        let Some(walk) = self.walks[usize::from(part)].get(&given) else {
            let from = live.log.len();
            self.doing.push(Doing { part, given, from, rounds: spent.0, assertions: spent.1 });
            return None;
        };
        if let Some(word) = walk.word {
            live.slide(word)?;
        }
        for (reg, value) in program.parts[usize::from(part)].value.iter().zip(&walk.value) {
            registers[*reg as usize] = *value;
        }
        Some((walk.rounds, walk.assertions))
    }

    /// Remembers a part that was done. Cost: its moves.
    pub fn remember(
        &mut self,
        part: u16,
        program: &Program,
        registers: &Registers,
        live: &mut Live,
        spent: (u64, u64),
    ) {
        let Some(done) = self.doing.pop().filter(|doing| doing.part == part) else { return };
        let moves: u64 = live.log[done.from..].iter().map(|word| live.effects[*word as usize].moves).sum();
        if self.letters as u64 + moves > MOST_LETTERS as u64 {
            return;
        }
        let Some(letters) = live.letters_since(done.from) else { return };
        self.letters += letters.len();
        let word = match live.log.get(done.from..) {
            Some([]) | None => None,
            Some([only]) => Some(*only),
            Some(_) => {
                let start = done.given.last().map_or(0, |blank| *blank as u32);
                let effect = Effect::walked(letters, &live.instance, start);
                let word = live.learn(Arc::new(effect));
                live.replace_since(done.from, word);
                Some(word)
            }
        };
        let value = program.parts[usize::from(part)].value.iter().map(|reg| registers[*reg as usize]).collect();
        let (rounds, assertions) = (spent.0 - done.rounds, spent.1 - done.assertions);
        self.walks[usize::from(part)].insert(done.given, Walk { word, value, rounds, assertions });
    }

    /// A cell is looked at: what moves it can change the answers that are being looked for.
    #[inline(always)]
    pub fn saw(&mut self, cell: u32) {
        if !self.asking.is_empty() {
            self.note(cell);
        }
    }

    fn note(&mut self, cell: u32) {
        let Some(asking) = self.asking.last_mut() else { return };
        let words = self.touching.as_ref().and_then(|touching| touching.get(cell as usize));
        for word in words.into_iter().flatten() {
            asking.depends_on(*word);
        }
    }

    /// Is the answer to a question known, and still true? If so, it is put where it belongs.
    #[inline]
    pub fn ask(&mut self, part: u16, program: &Program, registers: &mut Registers, live: &mut Live) -> bool {
        let question = &program.parts[usize::from(part)];
        let known = match (self.answers.get(usize::from(part)), &*question.given) {
            (Some(answers), [only]) => answers.single.get(registers[*only as usize] as usize),
            (Some(answers), _) => answers.others.get(&given(program, part, registers)),
            (None, _) => None,
        };
        if let Some(answer) = known
            && live.unchanged_since(answer.time, &answer.words)
        {
            if let Some(asking) = self.asking.last_mut() {
                answer.words.iter().for_each(|word| asking.depends_on(*word));
            }
            for reg in &question.value {
                registers[*reg as usize] = answer.value;
            }
            return true;
        }
        if self.touching.is_none() {
            self.touching = Some(touching(live));
        }
        let given = given(program, part, registers);
        let lost = self.touching.as_ref().is_none_or(Vec::is_empty);
        self.asking.push(Asking { part, given, words: SmallVec::new(), lost });
        false
    }

    /// Keeps the answer to a question.
    pub fn answer(&mut self, part: u16, program: &Program, registers: &Registers, live: &Live) {
        let Some(asked) = self.asking.pop().filter(|asking| asking.part == part) else { return };
        if let Some(outer) = self.asking.last_mut() {
            outer.lost |= asked.lost;
            asked.words.iter().for_each(|word| outer.depends_on(*word));
        }
        if asked.lost {
            return;
        }
        let value = program.parts[usize::from(part)].value.first().map_or(0, |reg| registers[*reg as usize]);
        let answer = Answer { time: live.now(), value, words: asked.words };
        if self.answers.len() <= usize::from(part) {
            self.answers.resize_with(usize::from(part) + 1, Answers::default);
        }
        let answers = &mut self.answers[usize::from(part)];
        match asked.given.as_slice() {
            [only] if (*only as usize) < MOST_ANSWERS => {
                let at = *only as usize;
                if answers.single.len() <= at {
                    answers.single.resize(at + 1, Answer::default());
                }
                answers.single[at] = answer;
            }
            // a negative or large number
            [_] => {}
            _ => {
                if answers.others.len() >= MOST_ANSWERS {
                    answers.others.clear();
                }
                answers.others.insert(asked.given, answer);
            }
        }
    }
}

impl Asking {
    fn depends_on(&mut self, word: u32) {
        if self.words.last() == Some(&word) || self.words.contains(&word) {
            return;
        }
        if self.words.len() < MOST_WORDS {
            self.words.push(word);
        } else {
            self.lost = true;
        }
    }
}

/// The values that a part depends on.
fn given(program: &Program, part: u16, registers: &Registers) -> Given {
    program.parts[usize::from(part)].given.iter().map(|reg: &Reg| registers[*reg as usize]).collect()
}

/// By cell, the words of a program that move it; empty if that is too much to keep.
fn touching(live: &Live) -> Vec<SmallVec<[u32; 2]>> {
    let mut touching = vec![SmallVec::new(); live.instance.cells.len()];
    let mut moved = 0;
    for (word, effect) in live.effects.iter().enumerate() {
        let turning = effect.turning(&live.instance);
        moved += turning.support();
        if moved > MOST_MOVED {
            return Vec::new();
        }
        for cell in turning.moved() {
            touching[cell as usize].push(word as u32);
        }
    }
    touching
}
