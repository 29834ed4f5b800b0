//! Every example says what is recorded beside it. `PERM_RECORD=1 cargo test --test examples` records anew.

#[path = "support/scripts.rs"]
mod scripts;

use perm::report::Outcome;

/// Examples whose claims fail on purpose.
const FAILING: &[&str] = &["examples/06_a_claim_that_fails.perm", "examples/12_conventions.perm"];

#[test]
fn examples_say_what_is_recorded() {
    let examples = scripts::files("examples", "perm");
    assert!(examples.len() >= 12, "examples are missing");
    for example in examples {
        let ran = scripts::run(&example, &scripts::read(&example));
        let output = scripts::output(&ran);
        let wanted = if FAILING.contains(&example.as_str()) { Outcome::SomeDoNotHold } else { Outcome::AllHold };
        assert_eq!(ran.report.outcome(), wanted, "{example}:\n{output}");
        scripts::same_as_file(&example.replace(".perm", ".out"), &output);
    }
}

#[test]
fn the_teaching_scripts_hold() {
    for script in scripts::files("stdlib/teaching", "perm") {
        let ran = scripts::run(&script, &scripts::read(&script));
        assert_eq!(ran.report.outcome(), Outcome::AllHold, "{script}:\n{}", scripts::output(&ran));
        assert!(!ran.report.claims.is_empty(), "{script} claims nothing");
    }
}
