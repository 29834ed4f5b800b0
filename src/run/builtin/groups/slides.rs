//! What the moves of a blank reach. A permutation, a board, or a word is where the contents go from the solved board; where
//! all moves are always possible a word is what it does to all pairs of the blank and a tile.

use std::sync::Arc;

use super::Call;
use crate::diagnostic::codes;
use crate::group::factor::Effort;
use crate::perm::Perm;
use crate::run::group::GroupValue;
use crate::run::instance::Instance;
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value, WordValue};
use crate::run::{Fault, Run};
use crate::source::Span;
use crate::word::Word;

/// Why the moves of a blank cannot reach an arrangement, if that can be said in short.
pub(in crate::run) fn why_not(
    machine: &mut Machine<'_>,
    of: &Arc<Instance>,
    perm: &Perm,
    span: Span,
) -> Option<String> {
    let goal = Goal { of: of.clone(), perm: perm.clone(), pairs: false };
    goal.obstacle(machine, span).ok().flatten()
}

/// What should be reached.
pub(super) struct Goal {
    pub of: Arc<Instance>,
    pub perm: Perm,
    /// a permutation of the pairs of the blank and a tile, not of the cells
    pairs: bool,
}

impl Goal {
    /// The first argument as a goal, if it belongs to a puzzle with a blank.
    pub fn new(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Option<Goal>> {
        let place = call.span_of(0);
        let value = &call.args[0];
        let of = match value {
            Value::Board(board) => Some(board.of.clone()),
            Value::Word(word) => word.of.clone(),
            Value::Perm(perm) => perm.of.clone(),
            _ => None,
        };
        let Some(of) = of.or_else(|| machine.instance.clone()) else { return Ok(None) };
        if let (Value::Perm(perm), Some(whole)) = (value, of.whole()) {
            return Ok(Some(Goal { of: whole, perm: perm.perm.clone(), pairs: true }));
        }
        if of.sliding().is_none() {
            return Ok(None);
        }
        machine.room_for_pairs(&of, span)?;
        match value {
            Value::Board(board) => Ok(Some(Goal { perm: board.board.perm(), of, pairs: false })),
            Value::Word(word) if !of.is_partial() => {
                let perm = machine.on_pairs(&word.word, &of, place)?.perm;
                Ok(Some(Goal { of, perm, pairs: true }))
            }
            other => {
                let perm = machine.perm_of(other, place)?;
                let here = PermValue { perm: Perm::identity(of.cells.len()), of: Some(of.clone()) };
                let (perm, _) = machine.aligned(perm, here, place)?;
                Ok(Some(Goal { of, perm: perm.perm, pairs: false }))
            }
        }
    }

    /// Can the moves do it?
    pub fn is_reached(&self, machine: &mut Machine<'_>, span: Span) -> Run<bool> {
        let of = &self.of;
        let reached = match self.pairs {
            true => machine.with_work(span, |work| of.pairs().group().contains(&self.perm, work)),
            false => machine.with_work(span, |work| of.reaches(&self.perm, work)),
        }?;
        if !reached {
            // an assertion that fails says why
            machine.refused = match self.pairs {
                true => Some((of.clone(), self.perm.clone())),
                false => Some((of.clone(), self.perm.clone())),
            };
        }
        Ok(reached)
    }

    /// A word that does it.
    pub fn word(&self, machine: &mut Machine<'_>, effort: Effort, span: Span) -> Run<Option<Word>> {
        let of = &self.of;
        if !self.pairs {
            return machine.with_work(span, |work| of.word_to(&self.perm, effort, work));
        }
        let word = machine.with_work(span, |work| of.pairs().factoriser(effort, work)?.factor(&self.perm, work))?;
        Ok(word.map(|word| of.same_letters(&word)))
    }

    /// The same goal undone.
    pub fn undone(&self) -> Goal {
        Goal { perm: self.perm.inverse(), of: self.of.clone(), ..*self }
    }

    /// Why the moves cannot do it: a sentence, if there is a short one.
    pub fn obstacle(&self, machine: &mut Machine<'_>, span: Span) -> Run<Option<String>> {
        let of = &self.of;
        if self.pairs {
            let group = GroupValue::of_moves(of);
            let obstacle = machine.with_work(span, |work| group.group.obstacle(&self.perm, work))?;
            return Ok(obstacle.map(|obstacle| obstacle.sentence(&|point| group.point_text(point))));
        }
        let home = of.sliding().map_or(0, |sliding| sliding.home);
        let blank = self.perm.image(home);
        let text = |cell: u32| crate::run::cell_text(of.cells.coordinates(cell));
        let Some((perm, way)) = of.taken_home(&self.perm) else {
            return Ok(Some(format!("the moves cannot take the blank from {} to {}", text(home), text(blank))));
        };
        let group = GroupValue::new(of.home_group().clone(), Some(of.clone()));
        let obstacle = machine.with_work(span, |work| group.group.obstacle(&perm, work))?;
        let Some(obstacle) = obstacle else { return Ok(None) };
        let sentence = obstacle.sentence(&|point| group.point_text(point));
        // moves may touch what only the blank passes
        let sentence = match sentence.split_once(", but no move touches ") {
            Some((start, _)) => format!("{start}, but no word that takes the blank home moves it"),
            None => sentence,
        };
        Ok(Some(match way.moves() {
            Some(0) => sentence,
            Some(1) => format!("with the blank brought back from {} by `{way}'`: {sentence}", text(blank)),
            _ => format!("with the blank brought back from {} by `({way})'`: {sentence}", text(blank)),
        }))
    }
}

/// [`super::moves`]' `factor` and `solve` on a puzzle with a blank.
pub(super) fn word_for(
    machine: &mut Machine<'_>,
    call: &Call,
    goal: &Goal,
    effort: Effort,
    span: Span,
    undo: bool,
) -> Run<Value> {
    // a word that leads from the solved board is walked back; what acts on pairs has an inverse of its own
    let word = match undo && goal.pairs {
        true => goal.undone().word(machine, effort, span)?,
        false => goal.word(machine, effort, span)?.map(|word| if undo { word.inverse() } else { word }),
    };
    if let Some(word) = word {
        let word = word.reduce(super::moves::SPELLED).unwrap_or(word);
        return Ok(Value::Word(WordValue { word, of: Some(goal.of.clone()) }));
    }
    let mut fault = Fault::at(
        codes::NOT_IN_GROUP,
        call.span_of(0),
        format!("the moves of {} cannot do this", goal.of.name),
        "cannot be reached",
        "ask with `solvable(p)` first; `obstacle(p)` says why not",
    );
    if let (Fault::Error(diagnostic), Ok(Some(obstacle))) = (&mut fault, goal.obstacle(machine, span)) {
        diagnostic.notes.push(obstacle);
    }
    Err(fault)
}
