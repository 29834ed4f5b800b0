//! Budgets: every statement and every instance of a claim has its own, and what runs out is said at its place.

use std::sync::atomic::Ordering;

use perm::diagnostic::codes;
use perm::module::Origin;
use perm::report::{CheckReport, Outcome, Verdict};
use perm::run::Limits;
use perm::session::{Options, Script, Session, Watch};

fn run(limits: Limits, text: &str) -> CheckReport {
    let mut session = Session::new(Options { limits, ..Options::default() });
    let script = Script::new(Origin::Text("script".to_string()), text.to_string());
    session.run(&script, &Watch::default(), &mut |_, _| ())
}

fn steps(max_steps: u64) -> Limits {
    Limits { max_steps, ..Limits::default() }
}

#[test]
fn a_loop_that_does_not_end_runs_out_of_steps() {
    let report = run(steps(100_000), "fn f() { loop { } }\nprint f()\n");
    let error = report.errors.first().expect("it cannot end");
    assert_eq!(error.code, codes::TOO_MANY_STEPS);
    assert!(error.help.as_ref().is_some_and(|help| help.contains("--max-steps")), "{error:?}");
    assert_eq!(report.outcome(), Outcome::BudgetRanOut);
}

#[test]
fn a_claim_that_runs_out_is_undecided_and_the_others_are_checked() {
    let report = run(
        steps(50_000),
        "claim \"endless\" { while true { }; assert true }\nclaim \"short\" for n in 1..9 { assert n > 0 }\n",
    );
    let verdicts: Vec<Verdict> = report.claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts, [Verdict::Undecided, Verdict::Checked]);
    assert!(!report.claims[0].holds && report.claims[1].holds);
    assert_eq!(report.outcome(), Outcome::BudgetRanOut);
}

#[test]
fn each_instance_has_the_whole_budget() {
    let script = "claim \"many\" for n in 1..60 { assert sum(k for k in 1..1000) == 500500 }\n";
    let report = run(steps(5_000), script);
    assert_eq!(report.claims[0].verdict, Verdict::Checked, "{:?}", report.claims[0].reason);
    assert_eq!(report.claims[0].instances, 60);
}

#[test]
fn each_statement_has_the_whole_budget() {
    let script = "fn f() = sum(k for k in 1..1000)\n".to_string() + &"print f()\n".repeat(40);
    let report = run(steps(5_000), &script);
    assert!(report.errors.is_empty(), "{:?}", report.errors);
}

#[test]
fn a_value_that_is_too_large_runs_out_of_memory() {
    for script in
        ["print 2^(10^15)", "print tuple(1..10^12)", "print len(permutations(1..30))", "print len({1..10^13})"]
    {
        let report = run(Limits::default(), script);
        let error = report.errors.first().unwrap_or_else(|| panic!("{script} needs too much"));
        assert!([codes::TOO_MUCH_MEMORY, codes::TOO_MANY_STEPS].contains(&error.code), "{script}: {error:?}");
        assert_eq!(report.outcome(), Outcome::BudgetRanOut, "{script}");
    }
}

#[test]
fn a_run_that_is_stopped_says_so() {
    let mut session = Session::new(Options::default());
    session.stop_flag().store(1, Ordering::Relaxed);
    let script = Script::new(
        Origin::Text("script".to_string()),
        "claim \"long\" for n in 1..3 { var k = 0; repeat 10^7 { k = k + 1 }; assert k > 0 }\n".to_string(),
    );
    let report = session.run(&script, &Watch::default(), &mut |_, _| ());
    assert!(report.interrupted);
    assert_eq!(report.outcome(), Outcome::Interrupted);
    assert_eq!(report.claims[0].verdict, Verdict::Undecided);
}

#[test]
fn how_a_run_ends() {
    for (script, outcome) in [
        ("claim \"a\" { assert true }", Outcome::AllHold),
        ("print 1", Outcome::AllHold),
        ("refute \"a\" { assert false }", Outcome::AllHold),
        ("claim \"a\" { assert false }", Outcome::SomeDoNotHold),
        ("refute \"a\" { assert true }", Outcome::SomeDoNotHold),
        ("claim \"a\" for n in 2..1 { assert true }", Outcome::SomeDoNotHold),
        ("claim \"a\" for all n >= 1 { assert n > 0 }", Outcome::AllHold),
        ("claim \"a\" for all n >= 1 { var k = 0; while k < n { k = k + 1 }; assert k == n }", Outcome::SomeDoNotHold),
        ("assert 1 == 2", Outcome::SomeDoNotHold),
        ("claim \"a\" { assert 1 / 0 == 1 }", Outcome::ScriptIsWrong),
        ("print unknown", Outcome::ScriptIsWrong),
        ("print 1 / 0", Outcome::ScriptIsWrong),
        ("let = 3", Outcome::ScriptIsWrong),
    ] {
        assert_eq!(run(Limits::default(), script).outcome(), outcome, "{script}");
    }
}
