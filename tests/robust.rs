//! No text makes the program panic, and every message is about a place in the text.

use std::path::Path;

use perm::module::{Files, Origin};
use perm::report::text;
use perm::run::Limits;
use perm::session::{Options, Script, Session, Watch};
use proptest::prelude::*;

/// Runs a text with a small budget; every error has a place inside it, and can be drawn.
fn survives(script: &str) -> Result<(), TestCaseError> {
    let limits = Limits { max_steps: 20_000, max_memory: 1 << 22 };
    let importer = Box::new(Files { sealed: true, ..Files::default() });
    let mut session = Session::new(Options { limits, importer, ..Options::default() });
    let origin = Origin::Text("random".to_string());
    let report = session.run(&Script::new(origin, script.to_string()), &Watch::default(), &mut |_, _| ());
    for error in &report.errors {
        for label in &error.labels {
            let source = session.sources.get(label.span.file);
            let range = label.span.range();
            prop_assert!(range.start <= range.end && range.end <= source.text.len(), "{error:?}");
            prop_assert!(source.text.is_char_boundary(range.start) && source.text.is_char_boundary(range.end));
        }
        prop_assert!(!error.title.is_empty() && error.code.0 != "E0901", "{error:?}");
    }
    text::check(&report, &session.sources, Default::default(), false);
    Ok(())
}

/// All the sections of the suite, as examples of what people write.
fn scripts() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                found.extend(text.split("//# ").map(String::from));
            }
        }
    }
    found.sort();
    found
}

/// Pieces of the language, to be thrown together.
const PIECES: &[&str] = &[
    "X",
    "Y",
    "X'",
    "^",
    "^2",
    "^{",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "\n",
    " ",
    "==",
    "=",
    "->",
    "..",
    "+",
    "-",
    "*",
    "/",
    "|",
    "&",
    "++",
    "'",
    "\"",
    "\\",
    "//",
    "/*",
    "*/",
    "let ",
    "fn ",
    "for ",
    "in ",
    "if ",
    "else ",
    "on ",
    "NRP(3)",
    "puzzle P ",
    "cells ",
    "move ",
    "extend ",
    "claim ",
    "refute ",
    "assert ",
    "print ",
    "show ",
    "var ",
    "while ",
    "where ",
    "not ",
    "and ",
    "1",
    "0",
    "12",
    "n",
    "a",
    "φ",
    "use ",
    "from ",
    "all ",
    "even ",
    "order(",
    "cycle(",
    "(1 2 3)",
    "1..3",
    "\u{feff}",
    "’",
    "³",
    "“",
    "@",
    "$",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(script in "\\PC{0,60}") {
        survives(&script)?;
    }

    #[test]
    fn pieces_of_the_language_in_any_order(pieces in prop::collection::vec(0..PIECES.len(), 0..40)) {
        survives(&pieces.iter().map(|at| PIECES[*at]).collect::<String>())?;
    }

    /// A script with a part cut out, and with a part of another put in.
    #[test]
    fn damaged_scripts(one: prop::sample::Index, two: prop::sample::Index, cut in any::<[prop::sample::Index; 4]>()) {
        let scripts = scripts();
        let (one, two) = (one.get(&scripts), two.get(&scripts));
        let place = |text: &str, index: prop::sample::Index| {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            *index.get(&places)
        };
        let (a, b) = (place(one, cut[0]), place(one, cut[1]));
        let (c, d) = (place(two, cut[2]), place(two, cut[3]));
        survives(&format!("{}{}", &one[..a.min(b)], &one[a.max(b)..]))?;
        survives(&format!("{}{}{}", &one[..a], &two[c.min(d)..c.max(d)], &one[a..]))?;
    }
}
