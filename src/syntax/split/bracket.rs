//! Brackets: which brace is which, what is not closed, and what closes nothing.

use std::sync::Arc;

use super::{Before, Bracket, MAX_DEPTH, Payload, Splitter};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::scan;

impl Splitter<'_> {
    pub(super) fn open_bracket(&mut self, start: usize, bracket: Bracket) {
        if bracket == Bracket::Paren
            && !self.after_name
            && self.before != Before::Value
            && let Some((cycles, end)) =
                scan::cycle_run(self.text, start).map(|(cycles, end)| (Payload::Cycles(cycles), end)).or_else(|| {
                    scan::cell_cycle_run(self.text, start)
                        .map(|(cycles, end)| (Payload::CellCycles(Arc::new(cycles)), end))
                })
        {
            self.emit("@C", start, end, Before::Value);
            let at = self.piece.tokens.last().map_or(0, |token| token.at);
            self.piece.payloads.insert(at, cycles);
            return;
        }
        if self.open.len() >= MAX_DEPTH {
            if self.open.len() == MAX_DEPTH && !self.piece.broken {
                self.wrong(
                    codes::TOO_DEEP,
                    start,
                    start + 1,
                    format!("brackets are nested more than {MAX_DEPTH} deep"),
                    "one too many",
                    "give the inner parts names with `let`",
                );
            }
            // only count from here on: nothing of this statement will be parsed
            self.break_piece();
            self.push(bracket, self.span(start, start + 1));
            self.at = start + 1;
            self.before = Before::Open;
            return;
        }
        self.push(bracket, self.span(start, start + 1));
        self.piece.depth = self.piece.depth.max(self.open.len());
        match bracket {
            Bracket::Paren => self.emit("(", start, start + 1, Before::Open),
            Bracket::Square => self.emit("[", start, start + 1, Before::Open),
            Bracket::Set => self.emit("{", start, start + 1, Before::Open),
            Bracket::Block => {
                self.header = false;
                self.emit("@{", start, start + 1, Before::Start);
            }
        }
    }

    pub(super) fn close_bracket(&mut self, start: usize, byte: u8) {
        let fits = |bracket: Bracket| match byte {
            b')' => bracket == Bracket::Paren,
            b']' => bracket == Bracket::Square,
            _ => matches!(bracket, Bracket::Set | Bracket::Block),
        };
        let closing = char::from(byte);
        let open_somewhere = match byte {
            b')' => self.open_count[Bracket::Paren as usize] > 0,
            b']' => self.open_count[Bracket::Square as usize] > 0,
            _ => self.open_count[Bracket::Set as usize] + self.open_count[Bracket::Block as usize] > 0,
        };
        match self.open.last().copied() {
            Some((bracket, _)) if fits(bracket) => {
                self.pop();
                if self.piece.broken {
                    self.at = start + 1;
                    self.before = Before::Value;
                    return;
                }
                self.emit(
                    if bracket == Bracket::Block { "@}" } else { &self.text[start..start + 1] },
                    start,
                    start + 1,
                    Before::Value,
                );
            }
            Some((_, opened)) if open_somewhere => {
                let here = self.span(start, start + 1);
                let opening = &self.text[opened.range()].to_string();
                if !self.piece.broken {
                    self.error(
                        Diagnostic::at(
                            codes::UNCLOSED_BRACKET,
                            opened,
                            format!("`{opening}` is not closed before this `{closing}`"),
                            "opened here",
                        )
                        .label(here, "something else is closed here")
                        .help(format!("close `{opening}` first")),
                    );
                }
                while let Some((bracket, _)) = self.pop() {
                    if fits(bracket) {
                        break;
                    }
                }
                self.at = start + 1;
                self.before = Before::Value;
            }
            // one wrong bracket makes others of the statement look wrong too: one message is enough
            _ if self.piece.broken => {
                self.at = start + 1;
                self.before = Before::Value;
            }
            _ => {
                self.wrong(
                    codes::UNOPENED_BRACKET,
                    start,
                    start + 1,
                    format!("`{closing}` closes nothing"),
                    "nothing is open here",
                    "remove it, or add what it should close",
                );
                self.at = start + 1;
                self.before = Before::Value;
            }
        }
    }

    /// A `{` at the beginning of a line after a statement that lacks its block: said once, for the whole block.
    pub(super) fn block_on_its_own(&mut self, start: usize) -> bool {
        const HEADS: &[&str] =
            &["@if", "@for", "@while", "@until", "@repeat", "@on", "@fn", "@puzzle", "@extend", "@claim", "@refute"];
        if !self.open.is_empty() || self.has_begun() {
            return false;
        }
        let Some(last) = self.out.pieces.last_mut() else { return false };
        let head = last.text.split([' ', '\n']).next().unwrap_or_default();
        if last.broken || !HEADS.contains(&head) || last.text.contains("@{") {
            return false;
        }
        let Some(place) = last.tokens.last().map(|token| token.span) else { return false };
        // `on P` alone is a statement of its own, and what follows needs it
        last.broken = head != "@on";
        let here = self.span(start, start + 1);
        self.error(
            Diagnostic::at(
                codes::UNEXPECTED,
                here,
                "a block begins on the line of what it belongs to",
                "on a line of its own",
            )
            .label(place.after(), "it belongs here")
            .help("move the `{` to the end of the line before"),
        );
        self.push(Bracket::Block, here);
        self.at = start + 1;
        true
    }

    pub(super) fn forgotten_bracket(&mut self) {
        // one message for all of them: the innermost is the likelier mistake
        let told = self.piece.broken;
        let mut innermost = None;
        while let Some((bracket, span)) = self.open.last().copied() {
            if bracket == Bracket::Block {
                break;
            }
            self.pop();
            innermost.get_or_insert((bracket, span));
        }
        if let (Some((bracket, span)), false) = (innermost, told) {
            self.unclosed(bracket, span);
        }
    }

    pub(super) fn unclosed(&mut self, bracket: Bracket, span: Span) {
        let (opening, closing) = match bracket {
            Bracket::Paren => ("(", ")"),
            Bracket::Square => ("[", "]"),
            Bracket::Set | Bracket::Block => ("{", "}"),
        };
        self.error(
            Diagnostic::at(codes::UNCLOSED_BRACKET, span, format!("`{opening}` is not closed"), "opened here")
                .help(format!("add the missing `{closing}`")),
        );
    }
}
