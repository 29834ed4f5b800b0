//! Every code is explained, the wrong example of its explanation gets that code, and the right one runs.

use perm::diagnostic::codes;
use perm::module::Origin;
use perm::run::Limits;
use perm::session::{Options, Script, Session};

/// The codes that a script gets, and whether all of its claims hold.
fn run(text: &str) -> (Vec<&'static str>, bool) {
    let limits = Limits { max_steps: 100_000, max_memory: 64 << 20 };
    let mut session = Session::new(Options { limits, ..Options::default() });
    let script = Script::new(Origin::Text("example".into()), text.into());
    let report = session.run(&script, &Default::default(), &mut |_, _| ());
    let claims = report.claims.iter().filter_map(|claim| claim.diagnostic.as_ref());
    let found = report.errors.iter().chain(claims).map(|diagnostic| diagnostic.code.0).collect();
    (found, report.claims.iter().all(|claim| claim.holds))
}

/// The examples of one kind in an explanation.
fn examples<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```perm {kind}\n");
    text.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn every_code_is_explained() {
    for (code, title) in codes::ALL {
        let text = codes::explain(*code).unwrap_or_else(|| panic!("{code} ({title}) is not explained"));
        assert!(text.len() > 60, "{code}: “{text}” explains little");
        assert!(text.ends_with(['.', '`']), "{code}: {text}");
        for part in text.split("```").step_by(2) {
            let slip = ["parser", "pest", "token", "identifier", "expression that", "AST"];
            assert!(!slip.iter().any(|word| part.contains(word)), "{code}: {part}");
        }
    }
    assert_eq!(codes::explain(codes::Code("E9999")), None);
}

#[test]
fn wrong_examples_get_their_code() {
    let mut shown = 0;
    for (code, _) in codes::ALL {
        for example in examples(codes::explain(*code).unwrap_or_default(), "wrong") {
            shown += 1;
            let (found, _) = run(example);
            assert_eq!(found.first(), Some(&code.0), "{code}: {found:?}\n{example}");
        }
    }
    assert!(shown > 50, "{shown}");
}

#[test]
fn right_examples_run() {
    for (code, _) in codes::ALL {
        for example in examples(codes::explain(*code).unwrap_or_default(), "right") {
            assert_eq!(run(example), (vec![], true), "{code}:\n{example}");
        }
    }
}
