//! The trace of a procedure: each step with its line in the script, the moves, the board, the tiles that it asks about, and
//! the measure of its loop.

use std::fmt::Write as _;

use serde::Serialize;

use crate::run::trace::Trace;
use crate::run::{BoardValue, cell_text};

/// A run of an algorithm, step by step.
#[derive(Clone, Debug, Serialize)]
pub struct TraceReport {
    /// `spiral(7)`
    pub run: String,
    pub puzzle: String,
    /// the board it starts from, in a form that can be pasted
    pub from: String,
    pub steps: Vec<StepReport>,
    /// the word that it did; absent where it did not end
    pub word: Option<String>,
    /// its moves one by one, a decimal string
    pub length: Option<String>,
    #[serde(skip)]
    picture: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    pub file: String,
    pub line: usize,
    /// the line of the script
    pub text: String,
    pub algorithm: String,
    /// 1 in the algorithm that is run, more in those that it calls
    pub depth: usize,
    pub moves: String,
    pub board: String,
    pub watched: Vec<Watched>,
    pub measure: Option<String>,
    #[serde(skip)]
    picture: String,
}

/// A tile that the procedure asks about.
#[derive(Clone, Debug, Serialize)]
pub struct Watched {
    pub tile: u32,
    pub at: String,
}

/// Larger boards are not drawn at each step.
const DRAWN_CELLS: usize = 200;
/// So many watched tiles are named in a line; all are marked on the board.
const NAMED_TILES: usize = 6;
const LINE_CHARS: usize = 72;
const WORD_CHARS: usize = 1000;

impl TraceReport {
    pub fn new(trace: &Trace) -> TraceReport {
        let drawn = |board: &BoardValue, watched: &[u32]| match board.of.cells.len() {
            0..=DRAWN_CELLS => board.picture_with(watched),
            _ => String::new(),
        };
        let steps = trace.steps.iter().map(|step| {
            let watched = step.watched.iter().map(|tile| Watched {
                tile: tile + 1,
                at: cell_text(step.board.of.cells.coordinates(step.board.board.place(*tile))),
            });
            StepReport {
                file: step.file.clone(),
                line: step.line,
                text: step.text.clone(),
                algorithm: step.algorithm.clone(),
                depth: step.depth,
                moves: step.moves.clone(),
                board: step.board.text(),
                watched: watched.collect(),
                measure: step.measure.clone(),
                picture: drawn(&step.board, &step.watched),
            }
        });
        TraceReport {
            run: trace.written.split_whitespace().collect::<Vec<_>>().join(" "),
            puzzle: trace.start.of.name.clone(),
            from: trace.start.text(),
            steps: steps.collect(),
            word: trace.word.as_ref().map(|word| word.word.to_text(WORD_CHARS)),
            length: trace.word.as_ref().map(|word| word.word.length().to_string()),
            picture: drawn(&trace.start, &[]),
        }
    }

    /// The trace for people, ending in a line end.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "run {} on {}", self.run, self.puzzle);
        let _ = writeln!(out, "{}", self.picture);
        let mut last = (String::new(), 0);
        for (at, step) in self.steps.iter().enumerate() {
            out.push('\n');
            let mut text: String = step.text.chars().take(LINE_CHARS).collect();
            if text.len() < step.text.len() {
                text.push('…');
            }
            let indent = "  ".repeat(step.depth.saturating_sub(1));
            // a line that is done several times is written once
            if last != (step.text.clone(), step.line) {
                let _ = writeln!(out, "{indent}line {}, {}:  {text}", step.line, step.algorithm);
            }
            last = (step.text.clone(), step.line);
            let mut parts = vec![format!("{}. {}", at + 1, step.moves)];
            let watched: Vec<String> =
                step.watched.iter().take(NAMED_TILES).map(|tile| format!("{} is at {}", tile.tile, tile.at)).collect();
            if !watched.is_empty() {
                let more = if step.watched.len() > NAMED_TILES { ", …" } else { "" };
                parts.push(format!("{}{more}", watched.join(", ")));
            }
            parts.extend(step.measure.iter().map(|measure| format!("measure {measure}")));
            let _ = writeln!(out, "{indent}{}", parts.join("   "));
            if !step.picture.is_empty() {
                let _ = writeln!(out, "{}", step.picture);
            }
        }
        match (&self.word, &self.length) {
            (Some(word), Some(length)) => {
                let moves = if length == "1" { "move" } else { "moves" };
                let _ = writeln!(out, "\n{length} {moves}: {word}");
            }
            _ => out.push_str("\nit did not end\n"),
        }
        out
    }
}
