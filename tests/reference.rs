//! `docs/reference.md` is generated from the declarations in the source and in the standard library.
//! `PERM_RECORD=1 cargo test --test reference` writes it anew.

#[path = "support/scripts.rs"]
mod scripts;

use std::fmt::Write;

use perm::diagnostic::codes;
use perm::module::standard_files;
use perm::report::ValueReport;
use perm::session::{Options, Session};
use perm::source::FileId;
use perm::syntax::ast::{PuzzleDecl, PuzzleItemKind, StmtKind};

#[test]
fn the_reference_is_up_to_date() {
    let mut out = String::from(HEAD);
    functions(&mut out);
    puzzles(&mut out);
    files(&mut out);
    error_codes(&mut out);
    scripts::same_as_file("docs/reference.md", &out);
}

const HEAD: &str = "\
# Reference

This page is generated: see `tests/reference.rs`. The [guide](guide/README.md) explains the language.

- [Functions on words and permutations](#words-and-permutations)
- [Functions on cells](#cells)
- [Functions on boards](#boards)
- [Functions on numbers](#numbers)
- [Functions on sequences](#sequences)
- [Breadth-first search](#search)
- [Functions on groups](#groups)
- [Standard puzzles](#standard-puzzles)
- [Other files of the standard library](#other-files-of-the-standard-library)
- [Error codes](#error-codes)

# Built-in functions

In the examples, a puzzle before a colon is the one in force. A parameter in brackets may be left out; `…` takes any
number of arguments.
";

fn functions(out: &mut String) {
    let mut topics: Vec<&str> = Vec::new();
    for builtin in Session::builtins() {
        if !topics.contains(&builtin.topic) {
            topics.push(builtin.topic);
        }
    }
    for topic in topics {
        let title = match topic {
            "words" => "Words and permutations".to_string(),
            other => other[..1].to_uppercase() + &other[1..],
        };
        let _ = write!(out, "\n## {title}\n");
        for builtin in Session::builtins().iter().filter(|builtin| builtin.topic == topic) {
            let _ = write!(out, "\n### `{}`\n\n{}\n\n", builtin.signature(), builtin.doc);
            let kinds: Vec<String> =
                builtin.params.iter().map(|param| format!("`{}`: {}", param.name, param.kind.text())).collect();
            let _ = writeln!(out, "{}.\n", kinds.join("; "));
            let _ = writeln!(out, "| example | value |\n|---|---|");
            for (expression, value) in builtin.examples {
                let cell = |text: &str| text.replace('|', "\\|");
                let _ = writeln!(out, "| `{}` | `{}` |", cell(expression), cell(value));
            }
        }
    }
}

fn puzzles(out: &mut String) {
    out.push_str("\n# Standard puzzles\n\nIn scope without `use`. `show NRP(6)` shows one with its moves.\n");
    for (path, text) in standard_files().iter().filter(|(path, _)| path.starts_with("puzzles/")) {
        let parsed = perm::syntax::parse(FileId(0), text);
        assert!(parsed.errors.is_empty(), "{path}");
        let _ = write!(out, "\n## `stdlib/{path}`\n\n{}\n", comment(parsed.doc.trim_end()));
        for statement in parsed.statements {
            let StmtKind::Puzzle(puzzle) = &statement.kind else { continue };
            let doc = statement.doc.unwrap_or_else(|| panic!("{} has no documentation", puzzle.name.name));
            let _ = write!(out, "\n### `{}`\n\n{}\n\n{}\n", head(puzzle), comment(&doc), moves(puzzle));
        }
    }
}

/// `NRP(n)`
fn head(puzzle: &PuzzleDecl) -> String {
    let params: Vec<&str> = puzzle.params.iter().map(|param| &*param.name).collect();
    if params.is_empty() {
        puzzle.name.name.to_string()
    } else {
        format!("{}({})", puzzle.name.name, params.join(", "))
    }
}

/// The moves and the extra moves, families with their indices.
fn moves(puzzle: &PuzzleDecl) -> String {
    let list = |extra: bool| {
        let names: Vec<String> = puzzle
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                PuzzleItemKind::Move(rule) if rule.extra == extra => {
                    let indices: Vec<&str> = rule.params.iter().map(|param| &*param.name.name).collect();
                    let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
                    Some(format!("`{}{indices}`", rule.name.name))
                }
                _ => None,
            })
            .collect();
        names.join(" ")
    };
    let (plain, extra) = (list(false), list(true));
    if extra.is_empty() { format!("Moves: {plain}") } else { format!("Moves: {plain}; extra moves: {extra}") }
}

/// A doc comment as Markdown: lines that are set apart by blanks stay as they are.
fn comment(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let apart = line.starts_with("   ");
        let still =
            line.is_empty() && lines[at..].iter().find(|line| !line.is_empty()).is_some_and(|l| l.starts_with("   "));
        if apart && !inside {
            out.push_str("```text\n");
            inside = true;
        } else if inside && !apart && !still {
            out.push_str("```\n");
            inside = false;
        }
        out.push_str(line);
        out.push('\n');
    }
    if inside {
        out.push_str("```\n");
    }
    out.trim_end().to_string()
}

fn files(out: &mut String) {
    out.push_str("\n# Other files of the standard library\n");
    for (path, text) in standard_files().iter().filter(|(path, _)| !path.starts_with("puzzles/")) {
        let parsed = perm::syntax::parse(FileId(0), text);
        let claims = parsed.statements.iter().filter(|statement| matches!(statement.kind, StmtKind::Claim(_))).count();
        let module = path.trim_end_matches(".perm").replace('/', ".");
        let _ = write!(out, "\n## `use {module}`\n\n{}\n\n{claims} claims.\n", comment(parsed.doc.trim_end()));
    }
}

fn error_codes(out: &mut String) {
    out.push_str("\n# Error codes\n\n`perm explain CODE` says more.\n\n| code | meaning |\n|---|---|\n");
    for (code, title) in codes::ALL {
        let _ = writeln!(out, "| {code} | {title} |");
    }
}

#[test]
fn examples_of_functions_give_what_they_say() {
    for builtin in Session::builtins() {
        assert!(!builtin.examples.is_empty(), "`{}` has no example", builtin.name);
        for (example, wanted) in builtin.examples {
            let (puzzle, expression) = match example.split_once(": ") {
                Some((puzzle, rest))
                    if puzzle.starts_with(char::is_uppercase) && (puzzle.ends_with(')') || !puzzle.contains(' ')) =>
                {
                    (puzzle, rest)
                }
                _ => ("", *example),
            };
            let mut session = Session::new(Options::default());
            let value = session.evaluate(puzzle, &[], expression).unwrap_or_else(|_| panic!("{example} fails"));
            let shown = match value {
                ValueReport::Plain { value, .. } => value,
                ValueReport::Word(word) => word.word,
                ValueReport::Puzzle(puzzle) => puzzle.name,
                ValueReport::Group(group) => group.group,
                ValueReport::Board(board) => board.board,
            };
            // `print` shows a string without its quotation marks
            let shown = shown.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&shown);
            assert_eq!(shown, *wanted, "{example}");
        }
    }
}
