//! Shortest words of sliding boards: iterative deepening with disjoint additive tables.
//!
//! On a board where the blank changes places with one tile at a time, each move moves one tile. So the tiles can be divided into groups, and for each group
//! the least number of moves *of its own tiles* that bring them home, whatever the others do, be tabulated: the sum
//! over the groups is a lower bound for the whole (Korf and Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134, 2002; Felner,
//! Korf and Hanan, "Additive pattern database heuristics", JAIR 22, 2004). Symmetries of the board that keep the
//! blank's home show the arrangement in other ways, with the same distance: the largest of their sums counts.
//!
//! Everything is found from the graph of the cells: any board, of any dimension, with or without holes or edges that are glued.

mod board;
mod deepen;
mod numbers;
mod partition;
mod table;
#[cfg(test)]
mod tests;

use super::moves::Moves;
use super::{Space, Stopped};
use crate::group::{Done, PermGroup, Unfinished, Work};
use crate::perm::Perm;
use board::Board;
use deepen::{Plan, Round};
use table::Table;

/// Tables of so many entries at most are the levels below the largest; the first ones are filled in a moment.
const LEVELS: [u64; 3] = [1 << 15, 1 << 21, 1 << 25];
/// By how much a round of the search is larger than the one before, about.
const GROWTH: u64 = 6;

/// Tables for a board and the home of its blank, and the search with them.
#[derive(Clone, Debug)]
pub struct Additive {
    board: Board,
    /// the tile that is the blank
    blank: usize,
    degree: usize,
    /// what can be done with the blank at home
    group: PermGroup,
    /// from small tables to large
    levels: Vec<Level>,
    /// the level of the first try
    first: usize,
}

/// Tables with groups of one size.
#[derive(Clone, Debug)]
struct Level {
    sizes: Vec<usize>,
    entries: u64,
    plan: Option<Plan>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "a report may name the groups")]
pub enum Outcome {
    /// The lexicographically first word of least length, by movers.
    ///
    /// Says how many tiles the groups had, and how many entries their tables.
    Word { movers: Vec<u32>, nodes: u64, groups: Vec<usize>, entries: u64 },
    /// No word reaches the goal.
    Impossible,
    /// There is no word up to the limit; `lower` is larger than the limit.
    Beyond { lower: u64, nodes: u64 },
    /// The work was stopped; there is no word shorter than `lower`.
    Stopped { lower: u64, nodes: u64, why: Unfinished },
}

/// A question, with each tile named by its goal.
struct Position {
    /// by cell of the board, the tile
    tile: Vec<usize>,
    blank: usize,
}

impl Additive {
    /// Can tables be made for a board whose blank has its goal in a cell? All steps have to be swaps of the blank with one other cell, each undone by
    /// another one. Costs the steps of the space.
    #[allow(dead_code, reason = "callers ask `new`; tests ask this")]
    pub fn fits(space: &Space, home: u32) -> bool {
        Board::new(space, home).is_some()
    }

    /// Prepares searches with the goal of the blank in a cell. `None` if tables do not fit, to the board or into the memory (in bytes, about). Costs the order of a
    /// group; tables are filled when they are needed.
    pub fn new(space: &Space, home: u32, most_memory: u64, work: Work<'_>) -> Result<Option<Additive>, Stopped> {
        let Some(board) = Board::new(space, home) else { return Ok(None) };
        let Some(largest) = partition::largest(board.len(), most_memory) else { return Ok(None) };
        Additive::with_groups(space, board, largest, work)
    }

    /// Prepares searches with groups of at most so many tiles.
    fn with_groups(space: &Space, board: Board, largest: usize, work: Work<'_>) -> Result<Option<Additive>, Stopped> {
        let (Some(blank), home) = (space.blank, board.cells[board.home]) else { return Ok(None) };
        let mut start: Vec<u32> = (0..space.degree as u32).collect();
        start.swap(blank as usize, home as usize);
        let Some(closure) = Moves::new(space, &start)?.closure(&start, work)? else { return Ok(None) };
        let tiles = board.len() - 1;
        let entries = |size: usize| partition::work(board.len(), &partition::sizes(tiles, size));
        let below = |most: u64| (1..=largest).rev().find(|size| entries(*size) <= most).unwrap_or(1);
        let mut levels: Vec<usize> = LEVELS.into_iter().map(below).chain([largest]).collect();
        levels.dedup();
        let level = |size| Level { sizes: partition::sizes(tiles, size), entries: entries(size), plan: None };
        let levels = levels.into_iter().map(level).collect();
        let (blank, degree) = (blank as usize, space.degree);
        Ok(Some(Additive { board, blank, degree, group: closure.group, levels, first: 0 }))
    }

    /// Are these tables for a space and a goal of the blank?
    pub fn is_for(&self, space: &Space, home: u32) -> bool {
        let same = space.blank == Some(self.blank as u32) && space.degree == self.degree;
        same && Board::new(space, home).is_some_and(|board| board == self.board)
    }

    /// Fills the largest tables now; searches begin with them from now on.
    #[allow(dead_code, reason = "for long sessions and timings")]
    pub fn prepare(&mut self, work: Work<'_>) -> Done<()> {
        self.first = self.levels.len() - 1;
        self.fill(self.first, work)
    }

    /// The first shortest word from an arrangement to another, both given by places, with the blank's goal at home, of at most a length.
    ///
    /// Begins with small tables, and fills larger ones when the search turns out to be worth them. Neither the answer nor the nodes depend on the number of threads.
    pub fn solve(
        &mut self,
        start: &[u32],
        goal: &[u32],
        limit: Option<u64>,
        work: Work<'_>,
    ) -> Result<Outcome, Stopped> {
        let Some(position) = self.position(start, goal)? else { return Ok(Outcome::Impossible) };
        if !self.group.contains(&self.with_blank_at_home(&position), work)? {
            return Ok(Outcome::Impossible);
        }
        let (mut lower, mut nodes) = (0, 0);
        let limit = limit.unwrap_or(u64::MAX).min(u64::from(u32::MAX / 2)) as u32;
        for level in self.first..self.levels.len() {
            if let Err(why) = self.fill(level, work) {
                return Ok(Outcome::Stopped { lower: u64::from(lower), nodes, why });
            }
            // an entry costs about as much as a node
            let next = self.levels.get(level + 1).map(|next| next.entries);
            let Level { sizes, plan: Some(plan), entries } = &self.levels[level] else { continue };
            let beginning = plan.start(&self.board, &position.tile, position.blank);
            lower = plan.bound(&beginning).max(lower);
            let mut last = 0;
            while next.is_none_or(|next| nodes + GROWTH * last <= next) {
                if lower > limit {
                    return Ok(Outcome::Beyond { lower: u64::from(lower), nodes });
                }
                let before = nodes;
                match plan.round(&self.board, &beginning, lower, &mut nodes, work) {
                    Ok(Round::Word(steps)) => {
                        let movers = steps.iter().map(|step| self.board.steps[*step as usize].mover).collect();
                        return Ok(Outcome::Word { movers, nodes, groups: sizes.clone(), entries: *entries });
                    }
                    Ok(Round::Nothing) => lower += plan.unit(),
                    Err(why) => return Ok(Outcome::Stopped { lower: u64::from(lower), nodes, why }),
                }
                last = nodes - before;
            }
        }
        // the last level goes on to the end
        Ok(Outcome::Stopped { lower: u64::from(lower), nodes, why: Unfinished::Stopped })
    }

    /// Fills the tables of a level, if they are not there.
    fn fill(&mut self, level: usize, work: Work<'_>) -> Done<()> {
        let Level { sizes, plan, .. } = &mut self.levels[level];
        if plan.is_none() {
            let groups = partition::groups(&self.board, sizes);
            let tables: Done<Vec<Table>> = groups.iter().map(|tiles| Table::new(&self.board, tiles, work)).collect();
            *plan = Some(Plan::new(&self.board, tables?));
        }
        Ok(())
    }

    /// The start, with each tile named by its goal. `None` if some tile cannot get there because the blank never comes by.
    fn position(&self, start: &[u32], goal: &[u32]) -> Result<Option<Position>, Stopped> {
        for places in [start, goal] {
            if places.len() != self.degree || Perm::from_images(places.to_vec()).is_err() {
                return Err(Stopped::Unfit("the start or the goal is no arrangement of the tiles on the cells"));
            }
        }
        if goal[self.blank] != self.board.cells[self.board.home] {
            return Err(Stopped::Unfit("the goal of the blank is another cell"));
        }
        let number = |cell: u32| self.board.cells.binary_search(&cell).ok();
        let mut tile = vec![self.board.home; self.board.len()];
        for (from, to) in start.iter().zip(goal) {
            match (number(*from), number(*to)) {
                (Some(from), Some(to)) => tile[from] = to,
                (None, None) if from == to => {}
                _ => return Ok(None),
            }
        }
        let Some(blank) = number(start[self.blank]) else { return Ok(None) };
        Ok(Some(Position { tile, blank }))
    }

    /// What is to be done when the blank has gone home on a shortest way.
    fn with_blank_at_home(&self, position: &Position) -> Perm {
        let mut tile = position.tile.clone();
        let mut blank = position.blank;
        let home = self.board.home;
        while let Some(step) = self
            .board
            .from(blank)
            .iter()
            .find(|step| self.board.distance(step.to, home) < self.board.distance(blank, home))
        {
            tile.swap(step.from, step.to);
            blank = step.to;
        }
        let cells = &self.board.cells;
        let mut images: Vec<u32> = (0..self.degree as u32).collect();
        tile.iter().enumerate().for_each(|(cell, tile)| images[cells[cell] as usize] = cells[*tile]);
        Perm::from_images(images).unwrap_or_else(|_| Perm::identity(self.degree))
    }
}
