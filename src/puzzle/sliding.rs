//! Moves that depend on where a blank is: each slides the blank along a path, and the contents that it meets step back.

use std::sync::Arc;

use crate::perm::Perm;
use crate::word::Letter;

/// What a move does when the blank is in a certain cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// the cell of the blank afterwards
    pub to: u32,
    /// the cells that the blank walks through, in order, the last being `to`; empty for a move that is no slide
    pub path: Box<[u32]>,
    /// where the content of each cell goes, the blank included
    pub perm: Perm,
}

/// Why moves of a blank make no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadSteps {
    /// The blank comes to one cell from two by one letter: the move could not be undone.
    Collide { letter: usize, first: u32, second: u32, to: u32 },
}

/// The moves of a puzzle with a blank, by letter and by the cell of the blank.
#[derive(Clone, Debug)]
pub struct Sliding {
    /// the blank's cell in the solved arrangement
    pub home: u32,
    /// by letter, then by the cell of the blank: what the move does, if it is possible there
    steps: Vec<Vec<Option<Arc<Step>>>>,
    /// by letter, then by the cell of the blank after it: where the blank was before
    before: Vec<Vec<Option<u32>>>,
    /// every move is possible wherever the blank is, so words act on all arrangements
    free: bool,
}

impl Sliding {
    /// The moves of a puzzle whose blank is at `home` when it is solved. Fails if a move cannot be undone.
    /// Cost: linear in the size of the table.
    pub fn new(home: u32, steps: Vec<Vec<Option<Arc<Step>>>>) -> Result<Sliding, BadSteps> {
        let mut before = Vec::with_capacity(steps.len());
        let mut free = true;
        for (letter, row) in steps.iter().enumerate() {
            let mut back: Vec<Option<u32>> = vec![None; row.len()];
            for (from, step) in row.iter().enumerate() {
                let Some(step) = step else {
                    free = false;
                    continue;
                };
                if let Some(first) = back[step.to as usize].replace(from as u32) {
                    return Err(BadSteps::Collide { letter, first, second: from as u32, to: step.to });
                }
            }
            before.push(back);
        }
        Ok(Sliding { home, steps, before, free })
    }

    /// Is every move possible wherever the blank is?
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// What a letter does when the blank is at `blank`: the step, and whether it is walked backward. The step of an
    /// inverse letter is the one that leads to `blank`.
    pub fn step(&self, letter: Letter, blank: u32) -> Option<&Step> {
        let from = match letter.is_inverse() {
            true => (*self.before.get(letter.generator())?.get(blank as usize)?)?,
            false => blank,
        };
        self.steps.get(letter.generator())?.get(from as usize)?.as_deref()
    }

    /// Where a letter takes the blank from `blank`, if it is possible there.
    pub fn target(&self, letter: Letter, blank: u32) -> Option<u32> {
        match letter.is_inverse() {
            true => *self.before.get(letter.generator())?.get(blank as usize)?,
            false => self.steps.get(letter.generator())?.get(blank as usize)?.as_ref().map(|step| step.to),
        }
    }
}
