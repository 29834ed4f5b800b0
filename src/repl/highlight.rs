//! Colours for what is typed.

use std::collections::HashSet;

use crate::session::is_reserved;

const KEYWORD: &str = "35";
const MOVE: &str = "36";
const FUNCTION: &str = "34";
const NUMBER: &str = "33";
const TEXT: &str = "32";
const COMMENT: &str = "2";

/// Names that have a colour of their own.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub moves: HashSet<String>,
    pub functions: HashSet<String>,
}

/// The line with colours; without them it is unchanged.
pub(super) fn paint(line: &str, names: &Names) -> String {
    let mut out = String::with_capacity(line.len() * 2);
    let mut rest = line;
    if line.trim_start().starts_with(':') {
        let end = line.trim_end().find(char::is_whitespace).unwrap_or(line.len());
        put(&mut out, &line[..end], Some(KEYWORD));
        rest = &line[end..];
        out.push_str(rest);
        return out;
    }
    while let Some(first) = rest.chars().next() {
        let (length, colour) = token(rest, first, names);
        let (token, after) = rest.split_at(length);
        put(&mut out, token, colour);
        rest = after;
    }
    out
}

fn put(out: &mut String, token: &str, colour: Option<&str>) {
    match colour {
        Some(colour) => out.push_str(&format!("\x1b[{colour}m{token}\x1b[0m")),
        None => out.push_str(token),
    }
}

/// The length and colour of the first token.
fn token(text: &str, first: char, names: &Names) -> (usize, Option<&'static str>) {
    let while_true = |fits: &dyn Fn(char) -> bool| text.find(|c| !fits(c)).unwrap_or(text.len());
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    if text.starts_with("//") {
        (text.find('\n').unwrap_or(text.len()), Some(COMMENT))
    } else if text.starts_with("/*") {
        (text.find("*/").map_or(text.len(), |at| at + 2), Some(COMMENT))
    } else if first == '"' {
        (string_end(text), Some(TEXT))
    } else if first.is_ascii_digit() {
        (while_true(&|c| c.is_ascii_digit() || c == '_'), Some(NUMBER))
    } else if is_name(first) {
        let end = while_true(&is_name);
        (end, name_colour(&text[..end], names))
    } else {
        (first.len_utf8(), None)
    }
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\n' => return at,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

fn name_colour(name: &str, names: &Names) -> Option<&'static str> {
    // `XYYX` is four moves, `R2` a move with a number
    let letters = || {
        let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
        !word.is_empty() && word.chars().all(|c| names.moves.contains(c.encode_utf8(&mut [0; 4]) as &str))
    };
    if is_reserved(name) {
        Some(KEYWORD)
    } else if names.moves.contains(name) || (!names.functions.contains(name) && letters()) {
        Some(MOVE)
    } else if names.functions.contains(name) {
        Some(FUNCTION)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_leave_the_text_as_it_is() {
        let names = Names { moves: ["X", "Y"].map(String::from).into(), functions: ["order".to_string()].into() };
        for line in ["let φ = XYY2 X' // c", "print \"a\\\"{x}\" /* open", ":help order", "\"open", ":", "", "é\"\\"]
        {
            let mut plain = String::new();
            let mut inside = false;
            for c in paint(line, &names).chars() {
                match c {
                    '\x1b' => inside = true,
                    'm' if inside => inside = false,
                    _ if inside => {}
                    c => plain.push(c),
                }
            }
            assert_eq!(plain, line);
        }
        assert_eq!(paint("XY order", &names), "\x1b[36mXY\x1b[0m \x1b[34morder\x1b[0m");
    }
}
