//! Cuts a script into statements before pest sees it, and rewrites each into the form that `grammar/README.md` lists.
//! One statement at a time gives several errors a file, and tells a REPL when a statement is not finished yet.

mod bracket;
mod token;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ast::{CellCycles, PlainRun};
use crate::diagnostic::{Code, Diagnostic, codes};
use crate::source::{FileId, Span};

/// Brackets deeper than this are an error: the parser would need stack for each.
pub const MAX_DEPTH: usize = 200;

/// An expression whose tree would be higher than this is an error: each operator costs a level.
pub const MAX_HEIGHT: usize = 2000;

/// One statement may have so many names, numbers and signs (a block counts with all that is in it).
const MAX_TOKENS: usize = 1 << 20;

/// Longest number that can be written out: reading one costs the square of its length.
const MAX_DIGITS: usize = 50_000;

/// Longest name; a word of run-together moves is a name too.
const MAX_NAME: usize = 100_000;

/// Primes in a row on one atom.
const MAX_PRIMES: usize = 100;

/// More mistakes than this in one text help nobody.
pub const MAX_ERRORS: usize = 200;

/// Every reserved word, in alphabetical order.
pub const RESERVED: &[&str] = &[
    "algorithm",
    "and",
    "assert",
    "break",
    "claim",
    "continue",
    "decreases",
    "div",
    "do",
    "else",
    "ensure",
    "extend",
    "extra",
    "false",
    "find",
    "fn",
    "for",
    "from",
    "if",
    "in",
    "let",
    "loop",
    "mod",
    "move",
    "not",
    "on",
    "or",
    "print",
    "puzzle",
    "refute",
    "repeat",
    "require",
    "return",
    "run",
    "show",
    "slide",
    "subset",
    "true",
    "until",
    "use",
    "var",
    "where",
    "while",
];

pub fn is_reserved(name: &str) -> bool {
    name.len() <= 9 && RESERVED.binary_search(&name).is_ok()
}

/// What stands behind a rewritten token.
#[derive(Debug)]
pub enum Payload {
    /// a string: the span of what is between its quotes
    Text(Span),
    Plain(Arc<PlainRun>),
    Cycles(Vec<Vec<u32>>),
    CellCycles(Arc<CellCycles>),
}

/// A token of the rewritten text and its place in the script.
#[derive(Debug)]
pub struct Token {
    /// where it begins in [`Piece::text`]
    pub at: u32,
    pub span: Span,
}

/// One statement, rewritten for pest.
#[derive(Debug, Default)]
pub struct Piece {
    pub text: String,
    pub tokens: Vec<Token>,
    pub payloads: FxHashMap<u32, Payload>,
    /// a bracket or a string is wrong: reported already, not to be parsed
    pub broken: bool,
    pub depth: usize,
    /// it had tokens before it was found to be broken
    pub started: bool,
}

impl Piece {
    /// The token that holds byte `at` of the rewritten text, or the one before it.
    pub fn token_at(&self, at: usize) -> Option<&Token> {
        let index = self.tokens.partition_point(|token| token.at as usize <= at);
        self.tokens.get(index.checked_sub(1)?)
    }
}

/// A whole text, cut.
#[derive(Debug, Default)]
pub struct Split {
    pub pieces: Vec<Piece>,
    pub errors: Vec<Diagnostic>,
    /// the text ends where something has to follow
    pub unfinished: bool,
    /// text of the `///` lines before the token that begins at this byte
    pub docs: FxHashMap<u32, Box<str>>,
    /// text of the `//!` lines
    pub file_doc: String,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Bracket {
    Paren,
    Square,
    Set,
    Block,
}

/// How high the tree of an expression gets: what is open, innermost last.
#[derive(Clone, Copy, Default, Debug)]
struct Height {
    /// operators since the last comma or end of a statement
    operators: usize,
    /// the highest bracket since then
    parts: usize,
    /// the highest part of the list, or statement of the block, before
    done: usize,
}

/// The kind of the token before, as far as anything depends on it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Before {
    /// nothing yet in this statement
    Start,
    /// a value could be complete here: a name, a number, a closing bracket, a prime
    Value,
    /// something has to follow: an operator, a comma
    Open,
    /// a word after which a value begins or a statement may end: `print`, `return`, `break`
    Word,
    /// `else`, `loop`: a block begins
    BlockWord,
}

struct Splitter<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    piece: Piece,
    out: Split,
    /// open brackets with their places
    open: Vec<(Bracket, Span)>,
    /// how many of each kind are open
    open_count: [usize; 4],
    heights: Vec<Height>,
    primes: usize,
    before: Before,
    /// the token before was a name (a plain one)
    after_name: bool,
    /// blank seen since the last token
    blank: bool,
    /// a line ended since the last token, at this byte
    line_end: Option<usize>,
    /// the statement is a claim whose block has not come yet
    header: bool,
    /// the next string is a title or a source: plain text
    plain_text: bool,
    doc: String,
}

/// Cuts `text`; never fails, everything wrong is in [`Split::errors`]. Cost: linear.
pub fn split(file: FileId, text: &str) -> Split {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    split_part(file, text, start, text.len())
}

/// Cuts the bytes `start..end` of `text`: what is in the braces of a string.
pub fn split_part(file: FileId, text: &str, start: usize, end: usize) -> Split {
    let mut splitter = Splitter {
        file,
        text: &text[..end],
        bytes: &text.as_bytes()[..end],
        at: start,
        piece: Piece::default(),
        out: Split::default(),
        open: Vec::new(),
        open_count: [0; 4],
        heights: vec![Height::default()],
        primes: 0,
        before: Before::Start,
        after_name: false,
        blank: false,
        line_end: None,
        header: false,
        plain_text: false,
        doc: String::new(),
    };
    splitter.all();
    splitter.out
}

const STATEMENT_WORDS: &[&str] = &[
    "algorithm",
    "assert",
    "claim",
    "ensure",
    "extend",
    "fn",
    "let",
    "print",
    "puzzle",
    "refute",
    "require",
    "show",
    "use",
    "var",
];

impl Splitter<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.break_piece();
        if self.out.errors.len() < MAX_ERRORS {
            self.out.errors.push(diagnostic);
        }
    }

    /// Nothing of this statement will be parsed: what was kept of it may go.
    fn break_piece(&mut self) {
        if !self.piece.broken {
            let started = !self.piece.tokens.is_empty();
            // its beginning says which names would have been declared
            let head: String = self.piece.text.chars().take(200).collect();
            self.piece = Piece { broken: true, started, text: head, ..Piece::default() };
        }
    }

    fn push(&mut self, bracket: Bracket, span: Span) {
        self.open.push((bracket, span));
        self.open_count[bracket as usize] += 1;
        if self.open.len() <= MAX_DEPTH {
            self.heights.push(Height::default());
        }
    }

    fn pop(&mut self) -> Option<(Bracket, Span)> {
        let (bracket, span) = self.open.pop()?;
        self.open_count[bracket as usize] -= 1;
        if self.open.len() < self.heights.len() - 1
            && let Some(inner) = self.heights.pop()
            && let Some(outer) = self.heights.last_mut()
        {
            outer.parts = outer.parts.max(inner.done.max(inner.operators + inner.parts) + 1);
        }
        Some((bracket, span))
    }

    /// Counts an operator towards the height of the tree.
    fn operator_here(&mut self, start: usize) {
        let Some(height) = self.heights.last_mut() else { return };
        height.operators += 1;
        if height.operators + height.parts > MAX_HEIGHT && !self.piece.broken {
            self.wrong(
                codes::TOO_LONG,
                start,
                start + 1,
                format!("more than {MAX_HEIGHT} operators in one formula"),
                "one too many",
                "give parts of it names with `let`; moves side by side need no `*`",
            );
        }
    }

    /// A new part of a list begins, or a new statement: its operators are counted afresh.
    fn part_ends(&mut self) {
        if let Some(height) = self.heights.last_mut() {
            height.done = height.done.max(height.operators + height.parts);
            (height.operators, height.parts) = (0, 0);
        }
    }

    fn wrong(
        &mut self,
        code: Code,
        start: usize,
        end: usize,
        title: impl Into<String>,
        label: &str,
        help: impl Into<String>,
    ) {
        let span = self.span(start, end);
        self.error(Diagnostic::at(code, span, title, label).help(help));
    }

    fn all(&mut self) {
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            match byte {
                b' ' | b'\t' | b'\r' => {
                    self.at += 1;
                    self.blank = true;
                }
                b'\n' => {
                    self.line_end.get_or_insert(self.at);
                    self.at += 1;
                    self.blank = true;
                }
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => self.line_comment(),
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.block_comment(),
                _ => {
                    if self.line_end.take().is_some() {
                        self.new_line();
                    }
                    self.token(byte);
                }
            }
        }
        self.end_of_text();
    }

    fn line_comment(&mut self) {
        let end = self.text[self.at..].find('\n').map_or(self.bytes.len(), |length| self.at + length);
        let comment = &self.text[self.at..end];
        if let Some(doc) = comment.strip_prefix("//!") {
            self.out.file_doc.push_str(doc.strip_prefix(' ').unwrap_or(doc).trim_end());
            self.out.file_doc.push('\n');
        } else if let Some(doc) = comment.strip_prefix("///").filter(|doc| !doc.starts_with('/')) {
            self.doc.push_str(doc.strip_prefix(' ').unwrap_or(doc).trim_end());
            self.doc.push('\n');
        }
        self.at = end;
        self.blank = true;
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while self.at < self.bytes.len() {
            match &self.bytes[self.at..(self.at + 2).min(self.bytes.len())] {
                b"/*" => (depth, self.at) = (depth + 1, self.at + 2),
                b"*/" => {
                    (depth, self.at) = (depth - 1, self.at + 2);
                    if depth == 0 {
                        break;
                    }
                }
                _ => {
                    if self.bytes[self.at] == b'\n' {
                        self.line_end.get_or_insert(self.at);
                    }
                    self.at += 1;
                }
            }
        }
        self.blank = true;
        if depth > 0 {
            self.out.unfinished = true;
            self.wrong(
                codes::UNCLOSED_COMMENT,
                start,
                start + 2,
                "this comment is not closed",
                "opened here",
                "close it with `*/`",
            );
        }
    }

    /// Does the statement end before the token on this new line?
    fn new_line(&mut self) {
        if self.has_begun() && matches!(self.open.last(), Some((Bracket::Paren | Bracket::Square | Bracket::Set, _))) {
            // a statement word at the beginning of a line: the bracket was forgotten
            if self.word_here().is_some_and(|word| STATEMENT_WORDS.contains(&word)) {
                self.forgotten_bracket();
            } else {
                return;
            }
        }
        if self.before == Before::Start || self.before == Before::Open && !self.piece.broken {
            return;
        }
        if self.header && !self.word_here().is_some_and(|word| STATEMENT_WORDS.contains(&word)) {
            return;
        }
        if matches!(self.word_here(), Some("where" | "else")) {
            return;
        }
        match self.bytes[self.at] {
            b'|' | b'&' => return,
            b'-' if self.bytes.get(self.at + 1) == Some(&b'>') => return,
            _ => {}
        }
        self.end_statement('\n');
    }

    fn has_begun(&self) -> bool {
        self.piece.started || !self.piece.tokens.is_empty()
    }

    fn word_here(&self) -> Option<&str> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        (length > 0).then(|| &self.text[self.at..self.at + length])
    }

    fn end_statement(&mut self, mark: char) {
        self.header = false;
        self.before = Before::Start;
        self.after_name = false;
        self.part_ends();
        if self.open.is_empty() {
            self.heights = vec![Height::default()];
            if !self.piece.tokens.is_empty() || self.piece.broken {
                self.out.pieces.push(std::mem::take(&mut self.piece));
            }
        } else if !self.piece.broken {
            self.piece.text.push(mark);
            self.blank = false;
        }
    }

    fn end_of_text(&mut self) {
        let waiting = self.before == Before::Open || self.header;
        if let Some((bracket, span)) = self.open.first().copied() {
            self.out.unfinished = true;
            // the innermost bracket that is no block is the likelier mistake
            let (bracket, span) =
                self.open.iter().rev().find(|(b, _)| *b != Bracket::Block).copied().unwrap_or((bracket, span));
            if !self.piece.broken {
                self.unclosed(bracket, span);
            }
            self.open.clear();
            self.open_count = [0; 4];
        } else if waiting && self.has_begun() {
            self.out.unfinished = true;
        }
        self.end_statement('\n');
    }

    /// Puts a token into the rewritten text.
    fn emit(&mut self, rewritten: &str, start: usize, end: usize, before: Before) {
        if self.piece.broken || self.piece.tokens.len() >= MAX_TOKENS {
            self.blank = false;
            self.before = before;
            self.after_name = false;
            self.at = end;
            if !self.piece.broken {
                self.wrong(
                    codes::TOO_LONG,
                    start,
                    end,
                    "this statement is longer than a million names, numbers and signs",
                    "too long from here on",
                    "split it into several statements",
                );
            }
            return;
        }
        if self.blank && !self.piece.text.is_empty() && !self.piece.text.ends_with(['\n', ' ']) {
            self.piece.text.push(' ');
        }
        self.blank = false;
        if !self.doc.is_empty() {
            let doc = std::mem::take(&mut self.doc);
            if self.before == Before::Start {
                self.out.docs.insert(start as u32, doc.trim_end().into());
            }
        }
        self.piece.tokens.push(Token { at: self.piece.text.len() as u32, span: self.span(start, end) });
        self.piece.text.push_str(rewritten);
        self.before = before;
        self.after_name = false;
        self.at = end;
    }
}

/// Where the string that begins at `start` ends (behind its quote); strings stay on their line.
/// Quotes inside `{…}` belong to the expression there.
pub fn string_end(bytes: &[u8], start: usize, plain: bool) -> Option<usize> {
    // open strings and braces, innermost last
    let mut inside = vec![b'"'];
    let mut at = start + 1;
    while at < bytes.len() {
        let in_string = inside.last() == Some(&b'"');
        match bytes[at] {
            b'\n' => return None,
            b'\\' if in_string => at += 1,
            b'"' if in_string => {
                inside.pop();
                if inside.is_empty() {
                    return Some(at + 1);
                }
            }
            b'"' => inside.push(b'"'),
            b'{' if !plain => inside.push(b'{'),
            b'}' if !in_string => {
                inside.pop();
            }
            _ => {}
        }
        if inside.len() > MAX_DEPTH {
            return None;
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        split(FileId(0), text).pieces.into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn statements_end_at_line_ends_and_semicolons() {
        assert_eq!(texts("let a = 1\nlet b = 2; print b"), ["@let a = 1", "@let b = 2", "@print b"]);
        assert_eq!(texts("let a =\n  1 +\n  2\n\n"), ["@let a = 1 + 2"]);
        assert_eq!(texts("let S = {1,\n 2}\n| T"), ["@let S = {1, 2} | T"]);
    }

    #[test]
    fn braces_are_blocks_after_values_and_sets_elsewhere() {
        assert_eq!(texts("if x in {1} { {2}\n 3 }"), ["@if x @in {1} @{ {2}\n3 @}"]);
        assert_eq!(texts("X^{2}"), ["X^{2}"]);
    }

    #[test]
    fn a_claim_goes_on_until_its_block() {
        assert_eq!(
            texts("claim \"a {\"\n  from \"b\"\n  for n in 1..2\n{ x }\ny"),
            ["@claim @S @from @S @for n @in 1..2 @{ x @}", "y"]
        );
    }

    #[test]
    fn unicode_spellings_become_ascii() {
        assert_eq!(texts("X’ Y⁻¹³ ≤ φ′"), ["X' Y^-13 <= φ'"]);
    }

    #[test]
    fn unfinished_text_is_known() {
        assert!(split(FileId(0), "let a = (1,").unfinished);
        assert!(split(FileId(0), "let a =").unfinished);
        assert!(split(FileId(0), "claim \"x\"").unfinished);
        assert!(!split(FileId(0), "let a = 1").unfinished);
    }
}
