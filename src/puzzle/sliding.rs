//! Moves that depend on where a blank is: each slides the blank along a path, and the contents that it meets step back.
//!
//! A letter is possible in some places of the blank and takes it from each of them to another place, so words are partial
//! maps of the arrangements. [`walk`] says what they do.

mod pairs;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::Arc;

use crate::perm::Perm;
use crate::word::Letter;

pub use pairs::{Difference, NoOrder};
pub use walk::{Effect, Halt, Stuck, Walker};

/// What a move does when the blank is in a certain cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The blank walks through these cells, in order. There is at least one, all are different, and none is where it starts.
    Walk(Box<[u32]>),
    /// The content of each cell goes where the permutation says, the blank's own to `to`.
    Turn { to: u32, perm: Perm },
}

impl Step {
    /// The cell of the blank afterwards.
    pub fn to(&self) -> u32 {
        match self {
            Step::Walk(path) => path.last().copied().unwrap_or(0),
            Step::Turn { to, .. } => *to,
        }
    }
}

/// Why moves of a blank make no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadSteps {
    /// The blank comes to one cell from two by one letter: the move could not be undone.
    Collide { letter: usize, first: u32, second: u32, to: u32 },
}

/// The moves of a puzzle with a blank, by letter and by the cell of the blank.
#[derive(Clone, Debug)]
pub struct Slides {
    /// the blank's cell in the solved arrangement
    pub home: u32,
    /// how many cells there are
    cells: usize,
    /// by letter, then by the cell of the blank: what the move does, if it is possible there
    steps: Vec<Vec<Option<Arc<Step>>>>,
    /// by letter, then by the cell of the blank after it: where the blank was before
    before: Vec<Vec<Option<u32>>>,
    /// the cells that the blank can come to, in order
    places: Vec<u32>,
    /// by cell: its number among the places
    place_of: Vec<Option<u32>>,
    /// every move is possible wherever the blank can come to, so words act on all arrangements
    free: bool,
}

impl Slides {
    /// The moves of a puzzle whose blank is at `home` when it is solved, for each letter one entry a cell. Fails if a
    /// move cannot be undone. Cost: linear in the size of the table.
    pub fn new(home: u32, cells: usize, steps: Vec<Vec<Option<Arc<Step>>>>) -> Result<Slides, BadSteps> {
        let mut before = Vec::with_capacity(steps.len());
        for (letter, row) in steps.iter().enumerate() {
            let mut back: Vec<Option<u32>> = vec![None; cells];
            for (from, step) in row.iter().enumerate() {
                let Some(to) = step.as_ref().map(|step| step.to()) else { continue };
                if let Some(first) = back[to as usize].replace(from as u32) {
                    return Err(BadSteps::Collide { letter, first, second: from as u32, to });
                }
            }
            before.push(back);
        }
        let mut sliding =
            Slides { home, cells, steps, before, places: Vec::new(), place_of: vec![None; cells], free: true };
        let mut reached = vec![false; cells];
        let mut waiting = vec![home];
        while let Some(place) = waiting.pop() {
            if std::mem::replace(&mut reached[place as usize], true) {
                continue;
            }
            waiting.extend(sliding.letters().filter_map(|letter| sliding.target(letter, place)));
        }
        sliding.places = (0..cells as u32).filter(|cell| reached[*cell as usize]).collect();
        for (number, place) in sliding.places.iter().enumerate() {
            sliding.place_of[*place as usize] = Some(number as u32);
        }
        sliding.free =
            sliding.steps.iter().all(|row| sliding.places.iter().all(|place| row[*place as usize].is_some()));
        Ok(sliding)
    }

    /// Is every move possible wherever the blank can come to?
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// The cells that the blank can come to from home, in the order of the cells.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// All letters, each before its inverse.
    fn letters(&self) -> impl Iterator<Item = Letter> + use<> {
        (0..self.steps.len()).flat_map(|generator| [Letter::new(generator, false), Letter::new(generator, true)])
    }

    /// What a letter does when the blank is at `blank`: the step, which an inverse letter walks backward. The step of an
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
            false => self.steps.get(letter.generator())?.get(blank as usize)?.as_ref().map(|step| step.to()),
        }
    }

    /// Does `next` undo `letter`, which was done with the blank at `blank`: another spelling of its inverse, or that itself?
    pub fn undoes(&self, next: Letter, letter: Letter, blank: u32) -> bool {
        let Some(there) = self.target(letter, blank) else { return false };
        if next == letter.inverse() {
            return true;
        }
        match (self.trail(letter, blank), self.trail(next, there)) {
            (Some(mut out), Some(mut back)) => {
                // from the start, through all cells, and the same way back
                out.insert(0, blank);
                back.insert(0, there);
                back.reverse();
                out == back
            }
            _ => false,
        }
    }

    /// The cells that the blank walks through, the last being where it comes to; none for a move that is no slide.
    fn trail(&self, letter: Letter, blank: u32) -> Option<Vec<u32>> {
        let Step::Walk(path) = self.step(letter, blank)? else { return None };
        if !letter.is_inverse() {
            return Some(path.to_vec());
        }
        let to = self.target(letter, blank)?;
        Some(path.iter().rev().skip(1).copied().chain([to]).collect())
    }
}
