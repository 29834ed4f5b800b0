//! Words of least cost from one arrangement to another, or to one of many that are as a goal wants them.

mod coding;
#[cfg(test)]
mod tests;
mod two_sided;

use super::additive::{Additive, Outcome};
use super::keys::Width;
use super::moves::Moves;
use super::{Growth, MEMORY, Space, Stopped};
use crate::group::{Unfinished, Work};
use crate::perm::Perm;
use coding::Coded;
use two_sided::{Meeting, Parted};

/// Which arrangements are wanted: what colour the tiles have, and which colours the cells ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The colour of each tile; tiles of one colour look alike. The blank has a colour of its own.
    pub colour: Vec<u32>,
    /// The colour that each cell asks for; anything may lie where it is `None`.
    pub want: Vec<Option<u32>>,
}

impl Goal {
    /// One arrangement, given by the cell of each tile.
    pub fn exactly(places: &[u32]) -> Goal {
        let mut want = vec![None; places.len()];
        for (tile, cell) in places.iter().enumerate() {
            if let Some(want) = want.get_mut(*cell as usize) {
                *want = Some(tile as u32);
            }
        }
        Goal { colour: (0..places.len() as u32).collect(), want }
    }

    /// The places of all tiles, if the goal is a single arrangement of tiles that are all different.
    fn places(&self) -> Option<Vec<u32>> {
        let mut places = vec![None; self.colour.len()];
        for (cell, want) in self.want.iter().enumerate() {
            let mut tiles = (0..places.len()).filter(|tile| Some(self.colour[*tile]) == *want);
            let (tile, none) = (tiles.next()?, tiles.next());
            if none.is_some() {
                return None;
            }
            places[tile] = Some(cell as u32);
        }
        places.into_iter().collect()
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub space: &'a Space,
    /// One for each mover, at least 1.
    pub costs: &'a [u32],
    /// The cell of each tile.
    pub start: &'a [u32],
    pub goal: &'a Goal,
    /// The bytes that tables may take.
    pub most_memory: u64,
    /// Words that cost more are not looked for.
    pub limit: Option<u64>,
}

/// How it is known that no word costs less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All words from the start that cost less than the first number, and all words to the goal that cost less than the second, were followed: no two of them meet
    /// with a smaller sum.
    Balls { ahead: u64, behind: u64 },
    /// All words that cost less were followed as far as tables, with so many entries, allow them to lead to the goal.
    Deepening { tables: u64 },
}

/// A word of least cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The numbers of its movers: of all words of this cost the lexicographically first.
    pub movers: Vec<u32>,
    pub cost: u64,
    pub proof: Proof,
    /// How many arrangements were expanded.
    pub nodes: u64,
}

/// What is known after a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Found(Found),
    /// No word leads to the goal; proved.
    Unreachable,
    /// All words within the limit were followed, and none leads to the goal: each that does costs at least this.
    Beyond {
        lower: u64,
        nodes: u64,
    },
    /// The work was stopped, or the memory is too small: no word costs less than `lower`.
    Bounds {
        lower: u64,
        nodes: u64,
        why: Unfinished,
    },
}

/// What searches in one space keep for the next question.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// of boards with a blank, each with a home of it
    sliding: Vec<Additive>,
}

/// Finds a word of least cost, and the first of these by the numbers of its movers, whatever the number of threads.
///
/// Fails with [`Stopped::Unfit`] if start, goal, costs and space do not fit together. Costs some hundred nanoseconds for each arrangement
/// that is nearer than half of the way from either end, times the number of moves. A single arrangement of a sliding board, with moves of one cost, is found by
/// iterative deepening with additive tables instead, which follows few words where the balls would be too large.
pub fn shortest(question: &Question<'_>, tables: &mut Tables, work: Work<'_>) -> Result<Answer, Stopped> {
    let Question { space, costs, start, goal, .. } = *question;
    if costs.len() != space.moves.len() || costs.contains(&0) {
        return Err(Stopped::Unfit("each move needs a cost, at least 1"));
    }
    let moves = Moves::new(space, start)?;
    let Some(coded) = Coded::new(&moves, start, goal, work)? else { return Ok(Answer::Unreachable) };
    match unreachable(&moves, start, goal, work) {
        Ok(true) => return Ok(Answer::Unreachable),
        // the search may still find something
        Ok(false) | Err(Unfinished::TooLarge(_)) => {}
        Err(why) => return Ok(Answer::Bounds { lower: 0, nodes: 0, why }),
    }
    if let Some(answer) = sliding(question, tables, work)? {
        return Ok(answer);
    }
    let (limit, memory) = (question.limit.unwrap_or(u64::MAX), question.most_memory);
    let met = match coded.coding.width() {
        Width::One => two_sided::meet::<u64>(&coded, costs, limit, memory, work),
        Width::Two => two_sided::meet::<u128>(&coded, costs, limit, memory, work),
        Width::Many => two_sided::meet::<Box<[u16]>>(&coded, costs, limit, memory, work),
    };
    Ok(match met {
        Ok(Meeting { movers: Some(movers), cost, levels, nodes }) => {
            let proof = Proof::Balls { ahead: levels.0 as u64, behind: levels.1 as u64 };
            Answer::Found(Found { movers, cost, proof, nodes })
        }
        Ok(Meeting { cost: u64::MAX, .. }) => Answer::Unreachable,
        Ok(Meeting { cost, nodes, .. }) => Answer::Beyond { lower: cost, nodes },
        Err(Parted { lower, nodes, why }) => Answer::Bounds { lower, nodes, why },
    })
}

impl Space {
    /// How many arrangements have each cost, which may differ from move to move; zeros stand for costs that none has.
    ///
    /// Fails with [`Stopped::TooMany`] if there are more than `most`. Costs some hundred nanoseconds for each arrangement and move.
    pub fn growth_by_cost(&self, costs: &[u32], start: &[u32], most: u64, work: Work<'_>) -> Result<Growth, Stopped> {
        if costs.len() != self.moves.len() || costs.contains(&0) {
            return Err(Stopped::Unfit("each move needs a cost, at least 1"));
        }
        let moves = Moves::new(self, start)?;
        let Some(coded) = Coded::new(&moves, start, &Goal::exactly(start), work)? else {
            return Err(Stopped::Unfit("the start is no arrangement of the tiles on the cells"));
        };
        let layers = match coded.coding.width() {
            Width::One => two_sided::layers::<u64>(&coded, costs, most, MEMORY, work),
            Width::Two => two_sided::layers::<u128>(&coded, costs, most, MEMORY, work),
            Width::Many => two_sided::layers::<Box<[u16]>>(&coded, costs, most, MEMORY, work),
        };
        Ok(Growth { layers: layers?, complete: true })
    }
}

/// The answer by additive tables, if there can be any for the question.
fn sliding(question: &Question<'_>, tables: &mut Tables, work: Work<'_>) -> Result<Option<Answer>, Stopped> {
    let Question { space, costs, start, goal, most_memory, limit } = *question;
    let (Some(blank), Some(goal), Some(&each)) = (space.blank, goal.places(), costs.first()) else { return Ok(None) };
    let home = goal[blank as usize];
    if costs.iter().any(|cost| *cost != each) {
        return Ok(None);
    }
    let known = tables.sliding.iter().position(|known| known.is_for(space, home));
    let number = match known {
        Some(number) => number,
        None => {
            let made = match Additive::new(space, home, most_memory, work) {
                Ok(made) => made,
                Err(Stopped::Unfinished(why)) => return Ok(Some(Answer::Bounds { lower: 0, nodes: 0, why })),
                Err(other) => return Err(other),
            };
            let Some(made) = made else { return Ok(None) };
            tables.sliding.push(made);
            tables.sliding.len() - 1
        }
    };
    let each = u64::from(each);
    let outcome = tables.sliding[number].solve(start, &goal, limit.map(|limit| limit / each), work)?;
    Ok(Some(match outcome {
        Outcome::Word { movers, nodes, entries, .. } => {
            let cost = movers.len() as u64 * each;
            Answer::Found(Found { movers, cost, proof: Proof::Deepening { tables: entries }, nodes })
        }
        Outcome::Impossible => Answer::Unreachable,
        Outcome::Beyond { lower, nodes } => Answer::Beyond { lower: lower * each, nodes },
        Outcome::Stopped { lower, nodes, why } => Answer::Bounds { lower: lower * each, nodes, why },
    }))
}

/// Does the group of the moves say that a single arrangement cannot be reached? False also where it has nothing to say.
fn unreachable(moves: &Moves, start: &[u32], goal: &Goal, work: Work<'_>) -> Result<bool, Unfinished> {
    let (None, Some(target)) = (moves.blank, goal.places()) else { return Ok(false) };
    let mut images = vec![0; moves.degree];
    start.iter().zip(target).for_each(|(from, to)| images[*from as usize] = to);
    let (Ok(wanted), Some(closure)) = (Perm::from_images(images), moves.closure(start, work)?) else {
        return Ok(false);
    };
    Ok(!closure.group.contains(&wanted, work)?)
}
