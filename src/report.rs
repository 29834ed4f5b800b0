//! Reports are data; each format has a file of its own. Nothing here prints.

mod board;
pub mod export;
mod group;
pub mod json;
pub mod markdown;
pub mod picture;
pub mod proof;
pub mod text;
mod trace;

use serde::Serialize;

pub use board::BoardReport;
pub use group::{GroupReport, IdentityReport};
pub use proof::ProofReport;
pub use trace::TraceReport;

use crate::diagnostic::{Code, Diagnostic, codes};
use crate::perm::Perm;
use crate::puzzle::sliding::{Slides, Walker};
use crate::resolve::Library;
use crate::run::Instance;
use crate::run::print::{cycles_text, point_text, print};
use crate::run::value::{PermValue, Value};
use crate::word::Word;

/// What every report says about the way it is to be read.
pub const CONVENTION: &str = "words run left to right; the content of each cell of a cycle goes to the next cell";

/// What a word or permutation does.
#[derive(Clone, Debug, Serialize)]
pub struct WordReport {
    /// the word as it was written, or the permutation in cycles
    pub word: String,
    /// as the script names it, where that differs
    #[serde(skip)]
    pub written: String,
    /// moves one by one, a decimal string; absent for a permutation
    pub length: Option<String>,
    /// runs of one move; a decimal string for more than 2^53
    pub runs: Option<serde_json::Value>,
    pub cycles: Vec<Vec<serde_json::Value>>,
    pub cycle_type: Vec<usize>,
    /// a decimal string; none for a word on a puzzle with a blank whose powers are not all possible, or that would cost too much
    pub order: Option<String>,
    pub sign: i32,
    pub moved: usize,
    pub convention: &'static str,
    /// of a word on a puzzle with a blank
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank: Option<BlankReport>,
    /// where it is done: `NRP(6)`
    #[serde(skip)]
    pub puzzle: Option<String>,
    #[serde(skip)]
    pub effect: String,
    #[serde(skip)]
    pub cells: usize,
    #[serde(skip)]
    pub picture: Option<picture::Picture>,
}

/// Where a word takes the blank.
#[derive(Clone, Debug, Serialize)]
pub struct BlankReport {
    /// its home, where every report starts
    pub from: String,
    pub to: String,
}

/// The order of a word on a puzzle with a blank is found within so many steps.
const ORDER_STEPS: u64 = 100_000_000;

/// Longest text of a word in a report; longer ones are cut with `…`.
const WORD_CHARS: usize = 1000;

impl WordReport {
    /// The report of a permutation, and of the word that does it if there is one.
    pub fn new(perm: &PermValue, word: Option<&Word>, written: &str) -> WordReport {
        let cell = |point: u32| -> serde_json::Value {
            match &perm.of {
                Some(instance) if !instance.cells.is_plain() && !instance.shown_by_number() => {
                    instance.cells.coordinates(point).to_vec().into()
                }
                _ => point_text(perm, point).parse::<i64>().unwrap_or_default().into(),
            }
        };
        let cycles = perm.perm.cycles();
        let number = |text: String| match text.parse::<u64>() {
            Ok(value) if value < 1 << 53 => value.into(),
            _ => text.into(),
        };
        WordReport {
            word: word.map_or_else(|| cycles_text(perm), |word| word.to_text(WORD_CHARS)),
            written: written.to_string(),
            length: word.map(|word| word.length().to_string()),
            runs: word.map(|word| number(word.runs().to_string())),
            cycles: cycles.iter().map(|cycle| cycle.iter().map(|point| cell(*point)).collect()).collect(),
            cycle_type: perm.perm.cycle_type(),
            order: match (word, perm.of.as_ref().and_then(|instance| instance.sliding())) {
                (Some(word), Some(sliding)) => slid_order(sliding, word),
                _ => Some(perm.perm.order().to_string()),
            },
            sign: perm.perm.sign(),
            moved: perm.perm.moved(),
            convention: CONVENTION,
            blank: match (word, perm.of.as_ref().and_then(|instance| Some((instance, instance.sliding()?.home)))) {
                (Some(_), Some((instance, home))) => {
                    let text = |cell: u32| crate::run::cell_text(instance.cells.coordinates(cell));
                    Some(BlankReport { from: text(home), to: text(perm.perm.image(home)) })
                }
                _ => None,
            },
            puzzle: perm.of.as_ref().map(|instance| instance.name.clone()),
            effect: cycles_text(perm),
            cells: perm.perm.degree(),
            picture: perm
                .of
                .as_ref()
                .filter(|instance| !instance.is_pairs())
                .and_then(|instance| picture::Picture::new(&instance.cells, &cycles)),
        }
    }
}

fn slid_order(sliding: &Slides, word: &Word) -> Option<String> {
    let spent = std::cell::Cell::new(0u64);
    let goes_on = |steps: u64| {
        spent.set(spent.get().saturating_add(steps));
        spent.get() <= ORDER_STEPS
    };
    sliding.order(word, &goes_on).ok().map(|order| order.to_string())
}

/// What a puzzle instance is.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleReport {
    pub name: String,
    pub doc: Option<String>,
    pub cells: usize,
    pub first_cell: String,
    pub last_cell: String,
    pub moves: Vec<String>,
    pub extra_moves: Vec<String>,
    /// where the blank is in the solved arrangement
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank: Option<String>,
}

impl PuzzleReport {
    pub fn new(instance: &Instance) -> PuzzleReport {
        let (moves, extra) = instance.letters();
        let text = |number: u32| crate::run::cell_text(instance.cells.coordinates(number));
        PuzzleReport {
            name: instance.name.clone(),
            doc: instance.puzzle.doc.as_ref().map(|doc| doc.to_string()),
            cells: instance.cells.len(),
            first_cell: text(0),
            last_cell: text(instance.cells.len().saturating_sub(1) as u32),
            moves: moves.into_iter().map(String::from).collect(),
            extra_moves: extra.into_iter().map(String::from).collect(),
            blank: instance.sliding().map(|sliding| text(sliding.home)),
        }
    }
}

/// The report of any value.
#[derive(Clone, Debug)]
pub enum ValueReport {
    Word(Box<WordReport>),
    Puzzle(PuzzleReport),
    Group(Box<GroupReport>),
    Board(Box<BoardReport>),
    Plain { written: String, kind: &'static str, value: String },
}

impl ValueReport {
    pub fn new(value: &Value, written: &str, library: &Library) -> ValueReport {
        match value {
            Value::Word(word) => {
                let perm = match &word.of {
                    Some(instance) if instance.sliding().is_some() => match from_home(&word.word, instance) {
                        Some(perm) => Some(perm),
                        None => return ValueReport::plain(value, written, library),
                    },
                    Some(instance) => word.word.evaluate_on(instance.alphabet()).ok(),
                    None => None,
                };
                let perm = PermValue { perm: perm.unwrap_or_else(|| Perm::identity(0)), of: word.of.clone() };
                ValueReport::Word(Box::new(WordReport::new(&perm, Some(&word.word), written)))
            }
            Value::Perm(perm) => ValueReport::Word(Box::new(WordReport::new(perm, None, written))),
            Value::Group(group) => ValueReport::Group(Box::new(GroupReport::new(group, written))),
            Value::Board(board) => ValueReport::Board(Box::new(BoardReport::new(board, written))),
            Value::Instance(instance) => ValueReport::Puzzle(PuzzleReport::new(instance)),
            other => ValueReport::plain(other, written, library),
        }
    }

    fn plain(value: &Value, written: &str, library: &Library) -> ValueReport {
        ValueReport::Plain { written: written.to_string(), kind: value.kind(), value: print(value, library) }
    }
}

/// What a word does with the blank at home. The machine has done it already when it was asked to show it.
fn from_home(word: &Word, instance: &Instance) -> Option<Perm> {
    let sliding = instance.sliding()?;
    let effect = Walker::new(sliding, word, &|_| true).from(sliding.home);
    effect.ok().map(|effect| effect.perm)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    Claim,
    Refute,
}

/// What is known of a claim. Only `claim` makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// for every value
    Proved,
    /// for each of the values of its range
    Checked,
    /// there is a counterexample
    Refuted,
    /// a budget ran out, a mistake in the script, or nothing was checked
    Undecided,
}

/// The smallest counterexample of a claim.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    /// the names of the header with their values
    #[serde(serialize_with = "as_object")]
    pub values: Vec<(String, String)>,
    /// the assertion as it is written
    pub assertion: String,
    pub left: Option<String>,
    pub comparison: Option<&'static str>,
    pub right: Option<String>,
    /// where the two sides first differ, in words
    pub difference: Option<String>,
    /// the convention that would make it true
    pub diagnosis: Option<String>,
}

fn as_object<S: serde::Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// More digits than that say nothing.
fn in_microseconds<S: serde::Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1e6).round() / 1e6)
}

#[derive(Clone, Debug, Serialize)]
pub struct ClaimReport {
    pub title: String,
    pub from: Option<String>,
    pub file: String,
    pub line: usize,
    pub kind: ClaimKind,
    pub verdict: Verdict,
    /// is it as the author wants it? A refute that found its counterexample holds.
    pub holds: bool,
    /// how many instances were looked at
    pub instances: usize,
    /// how many of them evaluated no assertion, where all were looked at
    pub without_assertion: usize,
    pub range: String,
    /// does a thorough check take a larger one?
    #[serde(skip)]
    pub larger_range: bool,
    pub counterexample: Option<Counterexample>,
    /// why it is undecided
    pub reason: Option<String>,
    #[serde(serialize_with = "in_microseconds")]
    pub seconds: f64,
    /// of a claim for all values
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Box<ProofReport>>,
    /// the message to draw, for formats that draw
    #[serde(skip)]
    pub diagnostic: Option<Diagnostic>,
    /// lines printed inside the claim
    #[serde(skip)]
    pub printed: Vec<String>,
    /// what was said about groups, if that was wanted
    #[serde(skip)]
    pub facts: Vec<export::Said>,
    /// how many things were said outside claims before this one, so that all lines can be put into the order of the script
    #[serde(skip)]
    pub said_before: usize,
}

impl ClaimReport {
    /// What is known of a claim for all values: `proved for all n ≥ 5`. Empty for other claims.
    pub fn statement(&self) -> String {
        self.proof.as_ref().map_or_else(String::new, |proof| proof.statement.clone())
    }

    /// Is it proved for some of its values, though not for all?
    pub fn is_partly_proved(&self) -> bool {
        let repair = self.proof.as_ref().and_then(|proof| proof.repair.as_ref());
        repair.is_some_and(|repair| !repair.proved.is_empty())
    }
}

/// How a run of `check` ended, in the order of the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    AllHold,
    SomeDoNotHold,
    ScriptIsWrong,
    BudgetRanOut,
    Interrupted,
    /// it contradicts itself
    ProgramIsWrong,
}

impl Outcome {
    /// The exit status of the program: a promise.
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::AllHold => 0,
            Outcome::SomeDoNotHold => 1,
            Outcome::ScriptIsWrong => 2,
            Outcome::BudgetRanOut => 3,
            Outcome::ProgramIsWrong => 4,
            Outcome::Interrupted => 130,
        }
    }
}

/// All claims of some files.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    pub claims: Vec<ClaimReport>,
    pub errors: Vec<Diagnostic>,
    /// what was said about groups outside claims, if that was wanted
    pub facts: Vec<export::Said>,
    pub budget_ran_out: bool,
    pub interrupted: bool,
    /// a proof and a direct check disagree
    pub contradicted: bool,
    /// an `assert` outside claims is false; its message is among the errors
    pub failed_assertion: bool,
    pub files: usize,
    /// claims that only a thorough check looks at
    pub skipped: usize,
}

impl CheckReport {
    /// Adds what another report says.
    pub fn add(&mut self, other: CheckReport) {
        self.claims.extend(other.claims);
        self.errors.extend(other.errors);
        self.facts.extend(other.facts);
        self.budget_ran_out |= other.budget_ran_out;
        self.interrupted |= other.interrupted;
        self.contradicted |= other.contradicted;
        self.failed_assertion |= other.failed_assertion;
        self.files += other.files;
        self.skipped += other.skipped;
    }

    /// All that was said about groups: outside claims, then in each claim.
    pub fn all_facts(&self) -> Vec<export::Said> {
        self.facts.iter().chain(self.claims.iter().flat_map(|claim| &claim.facts)).cloned().collect()
    }

    pub fn outcome(&self) -> Outcome {
        if self.contradicted {
            Outcome::ProgramIsWrong
        } else if self.interrupted {
            Outcome::Interrupted
        } else if self.is_broken() {
            Outcome::ScriptIsWrong
        } else if self.budget_ran_out {
            Outcome::BudgetRanOut
        } else if self.failed_assertion {
            Outcome::SomeDoNotHold
        } else if self.claims.iter().all(|claim| claim.holds) {
            Outcome::AllHold
        } else {
            Outcome::SomeDoNotHold
        }
    }
}

/// Messages that are not about a mistake in the script.
const NO_MISTAKE: &[Code] = &[
    codes::ASSERTION_FAILED,
    codes::ENSURE_FAILED,
    codes::NOT_DECREASING,
    codes::NOTHING_CHECKED,
    codes::NOT_PROVED,
    codes::TOO_MANY_STEPS,
    codes::TOO_MUCH_MEMORY,
    codes::OUT_OF_TIME,
    codes::INTERRUPTED,
    codes::GROUP_TOO_LARGE,
];

impl CheckReport {
    /// Did a mistake in the script stop anything?
    fn is_broken(&self) -> bool {
        self.mistakes().next().is_some()
    }

    /// The mistakes in the scripts, those that stopped a claim included; not false assertions, not budgets.
    pub fn mistakes(&self) -> impl Iterator<Item = &Diagnostic> {
        let undecided = self.claims.iter().filter(|claim| claim.verdict == Verdict::Undecided);
        let all = self.errors.iter().chain(undecided.filter_map(|claim| claim.diagnostic.as_ref()));
        all.filter(|error| !NO_MISTAKE.contains(&error.code))
    }
}
