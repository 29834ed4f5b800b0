//! Words on puzzles with a blank: what they do from a place of the blank, and the message where they are impossible.

use super::Run;
use super::board::BoardValue;
use super::machine::Machine;
use super::value::WordValue;
use crate::perm::Perm;
use crate::source::Span;

impl Machine<'_> {
    /// Where the content of each cell goes when a word is done on a board with its blank at `blank`.
    pub(super) fn slid(&mut self, word: &WordValue, board: &BoardValue, blank: u32, span: Span) -> Run<Perm> {
        let Some(sliding) = board.of.sliding() else { return Ok(Perm::identity(board.of.cells.len())) };
        let mut moved = BoardValue::solved(&board.of);
        let mut at = blank;
        for (count, letter) in word.word.letters_iter().enumerate() {
            self.step(span)?;
            match moved.board.slide(sliding, letter, at) {
                Some(to) => at = to,
                None => {
                    let mut there = board.clone();
                    there.board.apply(&moved.board.perm());
                    return Err(self.impossible_at(&there, word, count as u64, letter, span));
                }
            }
        }
        Ok(moved.board.perm())
    }
}
