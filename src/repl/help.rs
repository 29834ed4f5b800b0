//! The help of the conversation: made from the declarations of built-in functions and puzzles.

use std::fmt::Write;

use super::command::COMMANDS;
use crate::diagnostic::{Diagnostic, codes, suggest};
use crate::report::text::wrapped;
use crate::session::{Builtin, PuzzleSummary, Session};

/// Columns of help: it should fit any terminal.
const WIDTH: usize = 78;

/// Statements, how they are written, and what they do.
const STATEMENTS: &[(&str, &str, &str)] = &[
    (
        "on",
        "on NRP(6)",
        "puts a puzzle in force: its moves can be typed from then on. With a block, for the block alone.",
    ),
    ("let", "let C = (Y X)^4", "gives a value a name."),
    ("var", "var k = 0", "a name whose value may change: `k = k + 1`."),
    (
        "fn",
        "fn f(x) = x * x",
        "a function; with several statements `fn f(x) { … }`, whose last expression is the value.",
    ),
    ("print", "print order(X Y)", "prints a value so that it can be pasted back."),
    ("show", "show X Y X", "prints a report: cycles, order, sign, length."),
    ("use", "use papers.number_rotation", "brings the names of a module or of a file, `use \"file.perm\"`."),
    ("assert", "assert order(X) == 4", "fails unless it is true."),
    (
        "claim",
        "claim \"X has order 4\" for n in 2..9 on NRP(n) { assert order(X) == 4 }",
        "checks a sentence for every value of its range.",
    ),
    (
        "refute",
        "refute \"X has order 3\" on NRP(4) { assert order(X) == 3 }",
        "holds when its body fails, and shows where: for errata.",
    ),
    (
        "puzzle",
        "puzzle Pair { cells 1..3; move a = (1 2); move b = (2 3) }",
        "declares a puzzle by its cells and by what each move does to them.",
    ),
    (
        "extend",
        "extend NRP(n) { let C = (Y X)^4 }",
        "adds names to a puzzle; they are evaluated for each of its instances.",
    ),
    ("for", "for n in 2..5 { print n }", "repeats a block for every value."),
    (
        "while",
        "while k < 9 { k = k + 1 }",
        "repeats a block as long as something is true; `until` as long as it is false.",
    ),
    ("until", "until k == 9 { k = k + 1 }", "repeats a block as long as something is false."),
    ("repeat", "repeat 4 { print \"again\" }", "repeats a block so many times."),
    ("loop", "loop { k = k + 1; if k > 9 { break } }", "repeats a block until `break`."),
    ("if", "if even(n) { X } else { Y }", "one of two blocks; also where a value is needed."),
];

/// The help on a name, or the beginning of all help.
pub(super) fn text(session: &Session, name: &str) -> Result<String, Box<Diagnostic>> {
    if name.is_empty() {
        return Ok(overview());
    }
    if let Some(builtin) = Session::builtins().iter().find(|builtin| builtin.name == name) {
        return Ok(function(builtin));
    }
    if let Some((word, form, doc)) = STATEMENTS.iter().find(|(word, ..)| *word == name) {
        return Ok(format!("{form}\n  `{word}` {doc}\n"));
    }
    if let Some((command, rest, doc)) =
        COMMANDS.iter().find(|(command, ..)| command.trim_start_matches(':') == name.trim_start_matches(':'))
    {
        return Ok(format!("{}\n  {doc}\n", format!("{command} {rest}").trim_end()));
    }
    let puzzles = session.puzzles();
    let plain = name.split('(').next().unwrap_or(name).trim();
    if let Some(found) = puzzles.iter().find(|found| found.name == plain) {
        return Ok(puzzle(found));
    }
    let puzzle_in_force = session.puzzle_in_force().unwrap_or_default();
    if session.move_names().iter().any(|known| known == name) {
        return Ok(format!(
            "{name}\n  a move of {puzzle_in_force}: type it to see what it does, `:moves` for all of them\n"
        ));
    }
    let names = session.names();
    if names.iter().any(|known| known == name) {
        return Ok(format!("{name}\n  a name that has a value here: type it to see it\n"));
    }
    let near = suggest::nearest(name, names.iter().map(String::as_str));
    let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("there is no help on `{name}`"));
    Err(Box::new(error.help(if near.is_empty() {
        "`:help` says what there is".to_string()
    } else {
        format!("did you mean {}?", suggest::one_of(&near))
    })))
}

fn overview() -> String {
    let mut out = String::from(include_str!("help/first_steps.txt"));
    for (command, rest, doc) in COMMANDS {
        let _ = writeln!(out, "  {:<17} {doc}", format!("{command} {rest}"));
    }
    out.push_str("\nFunctions (`:help order` tells about one)\n");
    let mut topics: Vec<&str> = Vec::new();
    for builtin in Session::builtins() {
        if !topics.contains(&builtin.topic) {
            topics.push(builtin.topic);
        }
    }
    for topic in topics {
        let names = Session::builtins().iter().filter(|builtin| builtin.topic == topic).map(|builtin| builtin.name);
        list(&mut out, topic, names);
    }
    out.push_str("\nStatements (`:help claim` tells about one)\n");
    list(&mut out, "", STATEMENTS.iter().map(|(word, ..)| *word));
    out
}

/// Names side by side, broken into lines, behind a heading.
fn list<'a>(out: &mut String, heading: &str, names: impl Iterator<Item = &'a str>) {
    let indent = if heading.is_empty() { 2 } else { 14 };
    let mut line = if heading.is_empty() { "  ".to_string() } else { format!("  {heading:<11} ") };
    for name in names {
        if line.len() + name.len() > WIDTH {
            let _ = writeln!(out, "{}", line.trim_end());
            line = " ".repeat(indent);
        }
        line.push_str(name);
        line.push(' ');
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

fn function(builtin: &Builtin) -> String {
    let mut out = format!("{}\n", builtin.signature());
    for line in wrapped(builtin.doc, WIDTH) {
        let _ = writeln!(out, "  {line}");
    }
    for (example, result) in builtin.examples {
        let (place, expression) = match example.split_once(": ") {
            Some((place, expression)) if place.chars().next().is_some_and(char::is_uppercase) => {
                (format!("{place}> "), expression)
            }
            _ => ("> ".to_string(), *example),
        };
        let _ = writeln!(out, "    {place}{expression}\n    {result}");
    }
    out
}

fn puzzle(puzzle: &PuzzleSummary) -> String {
    let mut out = format!("{}   {}\n", puzzle.signature, puzzle.file);
    for line in puzzle.doc.lines() {
        let _ = writeln!(out, "{}", format!("  {line}").trim_end());
    }
    out
}

/// All puzzles, each with the first sentence about it.
pub(super) fn puzzles(session: &Session) -> String {
    let mut out = String::new();
    for puzzle in session.puzzles() {
        let doc = puzzle.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first).trim_end_matches('.');
        let mut lines = wrapped(sentence, WIDTH).into_iter();
        let _ = writeln!(out, "{:<18}{}", puzzle.signature, lines.next().unwrap_or_default());
        for line in lines {
            let _ = writeln!(out, "{:18}{line}", "");
        }
    }
    out
}
