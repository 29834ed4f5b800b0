//! No text makes the program panic, and every message is about a place in the text.

#[path = "support/tokens.rs"]
mod tokens;

use std::path::Path;

use perm::module::{Files, Origin, standard_files};
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

/// The standard scripts with procedures, without their claims.
fn papers() -> Vec<String> {
    let paper = |(_, text): &(&str, &str)| -> String {
        let mut inside = false;
        let kept = text.split_inclusive('\n').filter(|line| {
            inside |= line.starts_with("claim ") || line.starts_with("refute ");
            let keep = !inside;
            inside &= !line.starts_with('}');
            keep
        });
        kept.collect()
    };
    standard_files().iter().map(paper).filter(|text| text.contains("algorithm ")).collect()
}

/// Texts with one place changed: a piece of the language in the place of some letters.
fn changed(text: &str, at: prop::sample::Index, length: usize, piece: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let from = at.index(letters.len() + 1);
    let to = (from + length).min(letters.len());
    letters[..from].iter().chain(&piece.chars().collect::<Vec<char>>()).chain(&letters[to..]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(script in "\\PC{0,60}") {
        survives(&script)?;
    }

    #[test]
    fn pieces_of_the_language_in_any_order(pieces in prop::collection::vec(prop::sample::select(tokens::all()), 0..40)) {
        survives(&pieces.concat())?;
        survives(&pieces.join(" "))?;
    }

    /// A standard script with procedures in which some places are changed.
    #[test]
    fn changed_procedures(
        one: prop::sample::Index,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..8, prop::sample::select(tokens::all())), 1..4),
    ) {
        let papers = papers();
        let mut text = one.get(&papers).clone();
        for (at, length, piece) in changes {
            text = changed(&text, at, length, piece);
        }
        survives(&text)?;
        survives(&format!("{text}\non NRP(4) {{ print run spiral(5) from shuffled(2) }}\non Torus(3, 4) {{ print run fill_columns }}\non Sliding(3, 3) {{ print run almost_solve from shuffled(3) }}\n"))?;
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
