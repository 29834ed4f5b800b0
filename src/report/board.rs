//! The report of a board.

use std::fmt::Write as _;

use serde::Serialize;

use crate::run::{BoardValue, cell_text};

/// An arrangement of the tiles of a puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct BoardReport {
    pub puzzle: String,
    /// in a form that can be pasted
    pub board: String,
    /// the tile in each cell, by number, in the order of the cells
    pub tiles: Vec<u32>,
    /// the cell of the blank, in a puzzle that has one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank: Option<String>,
    /// how many tiles are not in their home cells
    pub away: usize,
    #[serde(skip)]
    pub written: String,
    #[serde(skip)]
    picture: String,
}

impl BoardReport {
    pub fn new(board: &BoardValue, written: &str) -> BoardReport {
        let cells = &board.of.cells;
        let tiles: Vec<u32> = (0..cells.len() as u32).map(|cell| board.board.tile(cell)).collect();
        BoardReport {
            puzzle: board.of.name.clone(),
            board: board.text(),
            blank: board.blank().map(|cell| cell_text(cells.coordinates(cell))),
            away: tiles.iter().enumerate().filter(|(cell, tile)| *cell as u32 != **tile).count(),
            tiles: tiles.iter().map(|tile| tile + 1).collect(),
            written: written.to_string(),
            picture: board.picture(),
        }
    }

    /// The board for people, ending in a line end.
    pub fn text(&self) -> String {
        let name = if self.written.is_empty() || self.written == self.board { "board" } else { &self.written };
        let mut out = format!("{name} on {}\n{}\n", self.puzzle, self.picture);
        let state = match self.away {
            0 => "solved".to_string(),
            away => format!("{away} of {} tiles are away from home", self.tiles.len()),
        };
        let _ = match &self.blank {
            Some(blank) => writeln!(out, "  {state}; the blank is at {blank}"),
            None => writeln!(out, "  {state}"),
        };
        out
    }
}
