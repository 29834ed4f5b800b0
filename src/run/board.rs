//! Arrangements as values: how they are written, drawn and compared, and what words do to them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::instance::{Instance, cell_text};
use super::machine::Machine;
use super::value::{PermValue, Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::codes;
use crate::perm::Perm;
use crate::puzzle::board::Board;
use crate::source::Span;
use crate::word::Letter;

/// An arrangement of the tiles of a puzzle.
#[derive(Clone, Debug)]
pub struct BoardValue {
    pub of: Arc<Instance>,
    pub board: Board,
}

/// Larger boards are drawn cut: so many rows, and as many columns as there is room for.
const DRAWN_ROWS: i64 = 24;
const DRAWN_CHARS: i64 = 84;

impl BoardValue {
    pub fn solved(of: &Arc<Instance>) -> BoardValue {
        BoardValue { of: of.clone(), board: Board::new(&Perm::identity(of.cells.len())) }
    }

    /// The board to which a permutation leads from the solved one.
    pub fn of_perm(of: &Arc<Instance>, perm: &Perm) -> BoardValue {
        BoardValue { of: of.clone(), board: Board::new(perm) }
    }

    /// The cell of the blank, in a puzzle that has one.
    pub fn blank(&self) -> Option<u32> {
        self.of.sliding().map(|sliding| self.board.place(sliding.home))
    }

    /// The tile in a cell as it is written: its number, `_` for the blank.
    fn tile_text(&self, cell: u32) -> String {
        let tile = self.board.tile(cell);
        match self.of.sliding() {
            Some(sliding) if sliding.home == tile => "_".to_string(),
            _ if self.of.cells.is_plain() => cell_text(self.of.cells.coordinates(tile)),
            _ => (u64::from(tile) + 1).to_string(),
        }
    }

    /// `board("1 2 3; 4 5 6; 7 _ 8")`; without rows, `board("2 1 3")`.
    pub fn text(&self) -> String {
        let mut out = String::from("board(\"");
        let mut row = None;
        for cell in 0..self.of.cells.len() as u32 {
            let coordinates = self.of.cells.coordinates(cell);
            // a new row where any coordinate but the last changes
            let own = &coordinates[..coordinates.len().saturating_sub(1)];
            match row {
                Some(before) if before != own => out.push_str("; "),
                Some(_) => out.push(' '),
                None => {}
            }
            row = Some(own);
            out.push_str(&self.tile_text(cell));
        }
        out.push_str("\")");
        out
    }

    /// The board for people.
    pub fn picture(&self) -> String {
        self.picture_with(&[])
    }

    /// The board for people with some tiles in brackets: rows and columns where it has them; layers below each other where it has three coordinates.
    pub fn picture_with(&self, marked: &[u32]) -> String {
        let cells = &self.of.cells;
        let width = (cells.len().max(2)).to_string().len() + 1;
        let shown = |cell: u32| -> String {
            let text = self.tile_text(cell);
            match marked.contains(&self.board.tile(cell)) {
                true => format!("{:>width$}]", format!("[{text}")),
                false => format!("{text:>width$} "),
            }
        };
        if let Some([(top, bottom), (left, right)]) = cells.board() {
            let cut = |from: i64, to: i64, most: i64| (to.min(from + most - 1), to - from >= most);
            let (last_row, more_rows) = cut(top, bottom, DRAWN_ROWS);
            let (last_column, more_columns) = cut(left, right, DRAWN_CHARS / (width as i64 + 1));
            let mut lines: Vec<String> = (top..=last_row)
                .map(|i| {
                    let row: Vec<String> = (left..=last_column)
                        .map(|j| cells.number(&[i, j]).map_or_else(|| " ".repeat(width + 1), shown))
                        .collect();
                    format!(" {}{}", row.concat().trim_end(), if more_columns { " …" } else { "" })
                })
                .collect();
            if more_rows {
                lines.push("  …".to_string());
            }
            return lines.join("\n");
        }
        if cells.len() > 400 {
            return format!("  {} tiles", cells.len());
        }
        // rows of cells that differ in the last coordinate only
        let mut lines: Vec<String> = Vec::new();
        let mut row: Option<&[i64]> = None;
        for cell in 0..cells.len() as u32 {
            let coordinates = cells.coordinates(cell);
            let own = &coordinates[..coordinates.len().saturating_sub(1)];
            let text = shown(cell);
            match lines.last_mut() {
                Some(line) if row == Some(own) => line.push_str(&text),
                _ if own.is_empty() => lines.push(format!(" {text}")),
                _ => lines.push(format!("  {}:{text}", cell_text(own))),
            }
            row = Some(own);
        }
        lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
    }

    /// The first cell in which two boards differ, in words.
    pub fn difference(&self, other: &BoardValue) -> Option<String> {
        let cell = (0..self.of.cells.len() as u32).find(|cell| self.board.tile(*cell) != other.board.tile(*cell))?;
        let in_cell = |board: &BoardValue| match board.blank() == Some(cell) {
            true => "the blank".to_string(),
            false => board.tile_text(cell),
        };
        Some(format!(
            "first cell that differs: {} has {} on the left, {} on the right",
            cell_text(self.of.cells.coordinates(cell)),
            in_cell(self),
            in_cell(other)
        ))
    }

    /// The order of boards: by their tiles in the order of the cells.
    pub fn order(&self, other: &BoardValue) -> Ordering {
        let count = self.of.cells.len().min(other.of.cells.len()) as u32;
        (0..count)
            .map(|cell| self.board.tile(cell).cmp(&other.board.tile(cell)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl Machine<'_> {
    /// The board after a word or a permutation.
    pub(super) fn board_after(&mut self, word: &Value, board: &BoardValue, span: Span) -> Run<Value> {
        let mut after = board.clone();
        match word {
            // an element of the group on pairs of the blank and a tile
            Value::Perm(PermValue { perm, of: Some(of) }) if of.is_pairs_of(&board.of) => {
                let effect = board.blank().and_then(|blank| board.of.of_pairs(perm, blank));
                let Some(effect) = effect else { return Err(super::effect::pairs_and_cells(of, span)) };
                after.board.apply(&effect.perm);
            }
            Value::Perm(perm) => {
                let here = PermValue { perm: Perm::identity(board.of.cells.len()), of: Some(board.of.clone()) };
                let (perm, _) = self.aligned(perm.clone(), here, span)?;
                after.board.apply(&perm.perm);
            }
            _ => {
                let word = self.word_of(word, span)?;
                if let Some(of) = &word.of
                    && !Arc::ptr_eq(of, &board.of)
                {
                    return Err(Fault::at(
                        codes::OTHER_PUZZLE,
                        span,
                        format!("a word of {} on a board of {}", of.name, board.of.name),
                        "of two puzzles",
                        format!("write moves of {}, or take a board of {}", board.of.name, of.name),
                    ));
                }
                match board.blank() {
                    None => {
                        let effect =
                            self.perm_of(&Value::Word(WordValue { of: Some(board.of.clone()), ..word }), span)?;
                        after.board.apply(&effect.perm);
                    }
                    Some(blank) => {
                        let perm = self.slid(&word, board, blank, span)?;
                        after.board.apply(&perm);
                    }
                }
            }
        }
        Ok(Value::Board(Arc::new(after)))
    }
}

/// A letter as it is written.
pub(super) fn move_text(instance: &Instance, letter: Letter) -> String {
    format!("{}{}", instance.alphabet().name(letter.generator()), if letter.is_inverse() { "'" } else { "" })
}
