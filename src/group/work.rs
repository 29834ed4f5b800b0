//! How much a computation may cost, and why one was left unfinished.

use thiserror::Error;

/// Why a computation gave no answer. It is never a wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// The caller said stop: a budget is used up, or somebody interrupted.
    #[error("stopped")]
    Stopped,
    /// The answer, or what is needed to find it, would be too large; says what.
    #[error("{0}")]
    TooLarge(String),
}

/// The answer of a computation that may be left unfinished.
pub type Done<T> = Result<T, Unfinished>;

/// Counts the steps of a computation and may stop it.
///
/// A step is about what one multiplication of small permutations costs, or 64 points of larger ones.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    goes_on: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<'a> Work<'a> {
    /// Work that asks `goes_on` whether to spend some more steps.
    pub fn new(goes_on: &'a (dyn Fn(u64) -> bool + Sync)) -> Work<'a> {
        Work { goes_on }
    }

    /// Work without a limit.
    pub fn unlimited() -> Work<'static> {
        Work { goes_on: &|_| true }
    }

    /// Spends some steps, or stops.
    pub fn charge(&self, steps: u64) -> Done<()> {
        if (self.goes_on)(steps) { Ok(()) } else { Err(Unfinished::Stopped) }
    }

    /// Spends what `count` products of permutations of `degree` points cost.
    pub fn products(&self, count: usize, degree: usize) -> Done<()> {
        self.charge(count as u64 * (1 + degree as u64 / 64))
    }
}
