//! One token of the script and its rewritten form: names, numbers, strings, signs.

use std::sync::Arc;

use super::{Before, Bracket, MAX_DIGITS, MAX_NAME, MAX_PRIMES, Payload, Splitter, is_reserved, string_end};
use crate::diagnostic::{codes, foreign};
use crate::syntax::scan;

impl Splitter<'_> {
    pub(super) fn token(&mut self, byte: u8) {
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

    /// Between `find` and `where` stand single words of the language: `w up to k by runs`.
    fn in_find(&self) -> bool {
        self.piece.text.rfind("@find").is_some_and(|at| !self.piece.text[at..].contains("@where"))
    }

    fn name(&mut self, start: usize) {
        if let Some((run, end)) = scan::plain_run(self.file, self.text, start)
            && !self.in_find()
        {
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
                // the dot of a product counts as part of a word in Catalan, not here
                if c != '·' && (c == '_' || unicode_ident::is_xid_continue(c)) {
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
        if self.is_word_here(name, end) {
            // behind the titles it may be the last word before the block, in a range a value follows
            let last = name == "thorough" && self.piece.text.ends_with("@S");
            self.emit(&format!("@{name}"), start, end, if last { Before::BlockWord } else { Before::Open });
        } else if is_reserved(name) {
            self.reserved(name, start, end);
        } else if name == "shown" && self.text[end..].trim_start().starts_with("by") {
            self.emit("@shown", start, end, Before::Open);
        } else {
            self.emit(name, start, end, Before::Value);
            self.after_name = true;
        }
    }

    /// Words that are special in one place only: `thorough` in the header of a claim, `trace` before `run`.
    fn is_word_here(&self, name: &str, end: usize) -> bool {
        match name {
            "thorough" => self.header,
            "trace" => {
                self.before == Before::Start && self.text[end..].trim_start_matches([' ', '\t']).starts_with("run ")
            }
            _ => false,
        }
    }

    fn reserved(&mut self, name: &str, start: usize, end: usize) {
        let before = match name {
            "and" | "or" | "not" | "in" | "div" | "mod" | "subset" | "where" | "from" | "for" | "on" | "do" | "run"
            | "decreases" => Before::Open,
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
