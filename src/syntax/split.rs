//! Cuts a script into statements before pest sees it, and rewrites each into the form that `grammar/README.md` lists.
//! One statement at a time gives several errors a file, and tells a REPL when a statement is not finished yet.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ast::PlainRun;
use super::scan;
use crate::diagnostic::{Code, Diagnostic, codes, foreign};
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

const STATEMENT_WORDS: &[&str] =
    &["assert", "claim", "extend", "fn", "let", "print", "puzzle", "refute", "require", "show", "use", "var"];

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

    fn forgotten_bracket(&mut self) {
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

    fn unclosed(&mut self, bracket: Bracket, span: Span) {
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

    fn token(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            b'0'..=b'9' => self.number(start),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.name(start),
            b'"' => self.string(start),
            b'(' => self.open_bracket(start, Bracket::Paren),
            b'[' => self.open_bracket(start, Bracket::Square),
            b'{' => {
                if self.before == Before::Start && self.block_on_its_own(start) {
                    return;
                }
                let block = matches!(self.before, Before::Value | Before::BlockWord);
                self.open_bracket(start, if block { Bracket::Block } else { Bracket::Set });
            }
            b')' | b']' | b'}' => self.close_bracket(start, byte),
            b';' => {
                self.at += 1;
                if matches!(self.open.last(), None | Some((Bracket::Block, _))) {
                    self.end_statement(';');
                } else {
                    self.part_ends();
                    self.emit(";", start, start + 1, Before::Open);
                }
            }
            b'\'' => self.prime(start, start + 1),
            b'^' => {
                self.operator_here(start);
                self.emit("^", start, start + 1, Before::Open);
            }
            _ => self.operator(start),
        }
    }

    /// A `{` at the beginning of a line after a statement that lacks its block: said once, for the whole block.
    fn block_on_its_own(&mut self, start: usize) -> bool {
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

    fn operator(&mut self, start: usize) {
        let rest = &self.text[start..];
        const TWO: &[&str] = &["->", "==", "!=", "<=", ">=", "++", ".."];
        if let Some(two) = TWO.iter().find(|two| rest.starts_with(**two)) {
            self.operator_here(start);
            self.emit(two, start, start + 2, Before::Open);
            return;
        }
        let Some(c) = rest.chars().next() else { return };
        let end = start + c.len_utf8();
        match c {
            ',' => {
                self.part_ends();
                self.emit(",", start, end, Before::Open);
            }
            '=' | '<' | '>' | '+' | '-' | '*' | '/' | '|' | '&' | ':' => {
                self.operator_here(start);
                self.emit(&rest[..1], start, end, Before::Open)
            }
            '.' => self.emit(".", start, end, Before::Open),
            '’' | '′' => self.prime(start, end),
            '−' | '–' => self.sign("-", start, end),
            '·' | '×' => self.sign("*", start, end),
            '≤' => self.sign("<=", start, end),
            '≥' => self.sign(">=", start, end),
            '≠' => self.sign("!=", start, end),
            '→' => self.sign("->", start, end),
            '∪' => self.sign("|", start, end),
            '∩' => self.sign("&", start, end),
            '∈' => self.sign("@in", start, end),
            '⊆' => self.sign("@subset", start, end),
            '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' | '⁻' => self.superscript(start),
            '“' | '”' | '„' | '‘' | '«' | '»' => self.typographic_quote(start, c),
            '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{200b}' | '\u{feff}' => {
                self.at = end;
                self.blank = true;
            }
            c if unicode_ident::is_xid_start(c) => self.name(start),
            c => {
                // a blank that cannot be seen is shown by its number
                let visible = !c.is_control() && !c.is_whitespace();
                let shown = if visible { c.to_string() } else { format!("U+{:04X}", c as u32) };
                let title = format!("the character `{shown}` has no meaning in Perm");
                let help = foreign::character(c).unwrap_or(if c.is_whitespace() {
                    "replace it by an ordinary blank"
                } else {
                    "remove it, or put it in a string or a comment"
                });
                self.wrong(codes::UNKNOWN_CHARACTER, start, end, title, "this character", help);
                self.at = end;
            }
        }
    }

    /// An operator in another spelling.
    fn sign(&mut self, rewritten: &str, start: usize, end: usize) {
        self.operator_here(start);
        self.emit(rewritten, start, end, Before::Open);
    }

    fn prime(&mut self, start: usize, end: usize) {
        self.primes = if !self.blank && self.piece.text.ends_with('\'') { self.primes + 1 } else { 1 };
        if self.primes > MAX_PRIMES && !self.piece.broken {
            self.wrong(
                codes::TOO_LONG,
                start,
                end,
                format!("more than {MAX_PRIMES} primes in a row"),
                "one too many",
                "`X''` is X again: leave out pairs of primes",
            );
        }
        self.emit("'", start, end, Before::Value);
    }

    /// `³`, `⁻¹` as `^3`, `^-1`
    fn superscript(&mut self, start: usize) {
        let mut rewritten = String::from("^");
        let mut end = start;
        for c in self.text[start..].chars() {
            let digit = match c {
                '⁻' if rewritten.len() == 1 => '-',
                '⁰' => '0',
                '¹' => '1',
                '²' => '2',
                '³' => '3',
                '⁴'..='⁹' => char::from(b'4' + (c as u32 - '⁴' as u32) as u8),
                _ => break,
            };
            rewritten.push(digit);
            end += c.len_utf8();
        }
        if rewritten == "^-" {
            self.wrong(
                codes::UNEXPECTED,
                start,
                end,
                "this `⁻` has no number",
                "an exponent without its number",
                "write the inverse as `X⁻¹` or `X'`",
            );
            self.at = end;
            return;
        }
        self.emit(&rewritten, start, end, Before::Value);
    }

    fn typographic_quote(&mut self, start: usize, quote: char) {
        let line = self.text[start..].find('\n').map_or(self.bytes.len(), |length| start + length);
        let after = start + quote.len_utf8();
        let end = self.text[after..line].find(['”', '“', '’', '»', '«']).map_or(after, |at| after + at);
        let end = end + self.text[end..].chars().next().filter(|c| !c.is_ascii()).map_or(0, char::len_utf8);
        self.wrong(
            codes::TYPOGRAPHIC_QUOTE,
            start,
            after,
            format!("`{quote}` is a typographic quotation mark"),
            "typed or pasted here",
            "write strings with the plain `\"` of the keyboard",
        );
        self.at = end.max(after);
        self.before = Before::Value;
    }

    fn number(&mut self, start: usize) {
        let digits = self.bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = start + digits;
        if digits > MAX_DIGITS {
            self.wrong(
                codes::TOO_LONG,
                start,
                start + 1,
                format!("a number of {digits} digits cannot be written out"),
                "it begins here",
                "write it as a power or a product: `10^100000`",
            );
            self.at = end;
            self.before = Before::Value;
            return;
        }
        // digits that touch a closing bracket are a suffix, whatever follows
        let suffix = !self.blank && self.before == Before::Value || self.after_power();
        let letter = self.text[end..].chars().next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
        if letter && !suffix {
            let length: usize = self.text[end..]
                .chars()
                .take_while(|c| *c == '_' || unicode_ident::is_xid_continue(*c))
                .map(char::len_utf8)
                .sum();
            let whole = format!("@N{}", &self.text[start..end + length]);
            self.emit(&whole, start, end + length, Before::Value);
            return;
        }
        let after = &self.bytes[end..];
        if after.first() == Some(&b'.') && after.get(1).is_some_and(u8::is_ascii_digit) {
            let more = after[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let end = end + 1 + more;
            let title = format!("`{}` is a decimal number", &self.text[start..end]);
            self.wrong(
                codes::DECIMAL,
                start,
                end,
                title,
                "numbers are exact here",
                "write a fraction, `3/2`, or a range with two dots, `1..5`",
            );
            self.at = end;
            self.before = Before::Value;
            return;
        }
        let text = self.text;
        self.emit(&text[start..end], start, end, Before::Value);
    }

    /// Is this the exponent of a `^`? Then it ends where its digits end: `XY^2X` is X Y² X.
    fn after_power(&self) -> bool {
        self.piece.text.trim_end_matches([' ', '-', '+']).ends_with('^')
    }

    fn name(&mut self, start: usize) {
        if let Some((run, end)) = scan::plain_run(self.file, self.text, start) {
            self.emit("@W", start, end, Before::Value);
            let at = self.piece.tokens.last().map_or(0, |token| token.at);
            self.piece.payloads.insert(at, Payload::Plain(Arc::new(run)));
            return;
        }
        let ascii =
            self.bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let mut end = start + ascii;
        if self.bytes.get(end).is_some_and(|byte| *byte >= 0x80) {
            end = start;
            for c in self.text[start..].chars() {
                // superscript digits are XID_Continue in no table, but primes and accents must stop a name too
                if c == '_' || unicode_ident::is_xid_continue(c) {
                    end += c.len_utf8();
                } else {
                    break;
                }
            }
        }
        let text = self.text;
        let name = &text[start..end];
        if name.len() > MAX_NAME {
            self.wrong(
                codes::TOO_LONG,
                start,
                start + 1,
                format!("a name or a run-together word of {} letters is too long", name.chars().count()),
                "it begins here",
                "put blanks between the moves",
            );
            self.at = end;
            self.before = Before::Value;
            return;
        }
        if is_reserved(name) {
            self.reserved(name, start, end);
        } else if name == "shown" && self.text[end..].trim_start().starts_with("by") {
            self.emit("@shown", start, end, Before::Open);
        } else {
            self.emit(name, start, end, Before::Value);
            self.after_name = true;
        }
    }

    fn reserved(&mut self, name: &str, start: usize, end: usize) {
        let before = match name {
            "and" | "or" | "not" | "in" | "div" | "mod" | "subset" | "where" | "from" | "for" | "on" => Before::Open,
            "else" | "loop" => Before::BlockWord,
            "true" | "false" => Before::Value,
            _ => Before::Word,
        };
        if matches!(name, "and" | "or" | "not" | "in" | "div" | "mod" | "subset") {
            self.operator_here(start);
        }
        let first = self.before == Before::Start;
        if first && matches!(name, "claim" | "refute") {
            self.header = true;
        }
        self.plain_text = matches!(name, "claim" | "refute") && first || name == "from" && self.header;
        self.emit(&format!("@{name}"), start, end, before);
    }

    fn open_bracket(&mut self, start: usize, bracket: Bracket) {
        if bracket == Bracket::Paren
            && !self.after_name
            && self.before != Before::Value
            && let Some((cycles, end)) = scan::cycle_run(self.text, start)
        {
            self.emit("@C", start, end, Before::Value);
            let at = self.piece.tokens.last().map_or(0, |token| token.at);
            self.piece.payloads.insert(at, Payload::Cycles(cycles));
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

    fn close_bracket(&mut self, start: usize, byte: u8) {
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

    fn string(&mut self, start: usize) {
        let plain = std::mem::take(&mut self.plain_text);
        match string_end(self.bytes, start, plain) {
            Some(end) => {
                let inside = self.span(start + 1, end - 1);
                self.emit("@S", start, end, Before::Value);
                let at = self.piece.tokens.last().map_or(0, |token| token.at);
                self.piece.payloads.insert(at, Payload::Text(inside));
            }
            None => {
                let end = self.text[start..].find('\n').map_or(self.bytes.len(), |length| start + length);
                let line = &self.bytes[..end];
                if !plain
                    && string_end(line, start, true).is_some()
                    && let Some(brace) = self.text[start..end].find('{')
                {
                    self.wrong(
                        codes::UNCLOSED_BRACKET,
                        start + brace,
                        start + brace + 1,
                        "`{` in this string is not closed",
                        "a value begins here",
                        "close it with `}`, or write `\\{` for a brace",
                    );
                    self.at = end;
                    self.before = Before::Value;
                    return;
                }
                self.wrong(
                    codes::UNCLOSED_STRING,
                    start,
                    start + 1,
                    "this string is not closed",
                    "it begins here",
                    "close it with `\"` on the same line",
                );
                self.at = end;
                self.before = Before::Value;
            }
        }
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
