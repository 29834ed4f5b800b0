//! Every built-in function is documented, and its examples print what they say.

use perm::module::Origin;
use perm::run::Output;
use perm::session::{Builtin, Script, Session, Watch};

/// An example as a script: `NRP(6): length(X)` is evaluated on NRP(6).
fn script_of(example: &str) -> String {
    let puzzle = example.split_once(": ").filter(|(before, _)| {
        before.starts_with(char::is_uppercase)
            && before.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '(' | ')' | ',' | ' '))
    });
    match puzzle {
        Some((puzzle, expression)) => format!("on {puzzle}\nprint {expression}\n"),
        None => format!("print {example}\n"),
    }
}

fn printed(example: &str) -> Result<String, String> {
    let mut session = Session::new(Default::default());
    let script = Script::new(Origin::Text("example".to_string()), script_of(example));
    let mut lines = Vec::new();
    let report = session.run(&script, &Watch::default(), &mut |_, output| {
        if let Output::Line(line) = output {
            lines.push(line);
        }
    });
    match report.errors.first() {
        Some(error) => Err(format!("{} {}", error.code, error.title)),
        None => Ok(lines.join("\n")),
    }
}

#[test]
fn every_example_prints_what_it_says() {
    let mut wrong = Vec::new();
    for builtin in Session::builtins() {
        for (example, expected) in builtin.examples {
            let found = printed(example);
            if found.as_deref() != Ok(expected) {
                wrong.push(format!("{}: `{example}` gives {found:?}, not {expected:?}", builtin.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_function_has_a_sentence_and_an_example_that_calls_it() {
    let mut wrong = Vec::new();
    for builtin in Session::builtins() {
        if !is_sentence(builtin.doc) {
            wrong.push(format!("{}: its documentation is no sentence: {}", builtin.name, builtin.doc));
        }
        let call = format!("{}(", builtin.name);
        // some are values where no parentheses follow
        let calls = |example: &str| example.contains(&call) || builtin.bare && example.contains(builtin.name);
        if !builtin.examples.iter().any(|(example, _)| calls(example)) {
            wrong.push(format!("{}: no example calls it", builtin.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn is_sentence(doc: &str) -> bool {
    doc.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || matches!(c, 'k' | '`')) && doc.ends_with(['.', '?'])
}

#[test]
fn names_are_unique_and_topics_known() {
    let mut names: Vec<&str> = Session::builtins().iter().map(|builtin| builtin.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a function is declared twice");
    for builtin in Session::builtins() {
        let Builtin { topic, name, .. } = builtin;
        let topics = ["words", "cells", "boards", "numbers", "sequences", "search", "groups"];
        assert!(topics.contains(topic), "{name}: {topic}");
        assert!(builtin.signature().starts_with(name), "{}", builtin.signature());
    }
}

/// The functions that the language promises, whatever else there is.
#[test]
fn the_promised_functions_are_there() {
    let promised = "length runs moves reduce inverse perm order cycles cycle_type is_cycle support fixed sign same_moves \
        even odd gcd lcm min max abs sum product count all any len sorted reversed zip enumerate \
        number cell row col box with cycle permutation index map sample shuffle permutations \
        at tile home blank board solved shuffled growth diameter sphere boards \
        isqrt floor ceil ceil_log2 tally translate \
        group symmetric alternating random elements reachable solvable obstacle factor solve orbits orbit \
        is_transitive transitivity blocks is_primitive stabilizer cosets center centralizer derived normal_closure \
        is_normal is_abelian is_solvable is_perfect is_simple identify is_symmetric is_alternating conjugate_in \
        conjugator action homomorphism is_homomorphism image kernel is_injective is_surjective is_isomorphism is_inner";
    let missing: Vec<&str> = promised
        .split_whitespace()
        .filter(|name| !Session::builtins().iter().any(|builtin| builtin.name == *name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
