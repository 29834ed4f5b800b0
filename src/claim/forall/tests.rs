//! Verdicts from proofs that somebody made up: what is said of true ones, of partial ones, and of wrong ones.

use std::sync::Arc;

use super::*;
use crate::claim::Checked;
use crate::diagnostic::codes;
use crate::module::{Files, Origin};
use crate::prove::Constraint;
use crate::report::{CheckReport, ClaimReport, Outcome as Ending, Verdict, text};
use crate::resolve::program::StKind;
use crate::resolve::{self, Library, Tools};
use crate::run::machine::Pending;
use crate::run::{Machine, Shared, builtin};
use crate::source::{FileId, SourceMap, Span};

/// `n >= least`, of the first parameter.
fn from(least: i64) -> Constraint {
    Constraint::ge(&Form::var(FIRST).plus(-least).unwrap())
}

fn upto(largest: i64) -> Constraint {
    Constraint::ge(&Form::int(largest).sub(&Form::var(FIRST)).unwrap())
}

fn even() -> Constraint {
    Constraint::divisible(&Form::var(FIRST), 2).unwrap()
}

fn odd() -> Constraint {
    Constraint::divisible(&Form::var(FIRST).plus(1).unwrap(), 2).unwrap()
}

fn var(at: u16) -> Form {
    Form::var(FIRST + at)
}

fn case(constraints: Vec<Constraint>, outcome: Outcome) -> Case {
    Case { region: Region::of(constraints), splits: Vec::new(), outcome, notes: Vec::new(), assertions: 1 }
}

fn beyond() -> Outcome {
    Outcome::Beyond { span: somewhere(), what: "this goes too far".into(), help: "split the claim".into() }
}

fn is_false() -> Outcome {
    Outcome::False { span: somewhere() }
}

fn somewhere() -> Span {
    Span::new(FileId(0), 0, 5)
}

fn proof(params: &[&str], cases: Vec<Case>) -> Result<Proof, Stop> {
    let params: Vec<String> = params.iter().map(|name| name.to_string()).collect();
    let vars = (FIRST..).take(params.len()).collect();
    Ok(Proof { names: params.clone(), vars, params, cases })
}

/// The verdict of the only claim of a script, with this proof of it.
fn judged(script: &str, found: Result<Proof, Stop>) -> (ClaimReport, Checked, SourceMap) {
    let mut library = Library::default();
    let sources = SourceMap::default();
    let shared = Shared::default();
    let importer = Files::default();
    let tools = Tools { importer: &importer, sources: &sources, builtins: &builtin::NAMES };
    let mut errors = Vec::new();
    let module = resolve::load(&mut library, &tools, Origin::Text("script".into()), script, &mut errors);
    assert!(errors.is_empty(), "{errors:?}");
    let frame = library.module(module.unwrap()).frame;
    let mut machine = Machine::new(&library, &sources, &shared, Arc::default());
    for statement in library.module(module.unwrap()).statements.iter() {
        if matches!(statement.kind, StKind::Claim(_)) {
            machine.run_statement(statement, frame).unwrap();
        }
    }
    let pending: Pending = machine.claims.pop().unwrap();
    let context = Context {
        library: &library,
        sources: &sources,
        shared: &shared,
        globals: Arc::default(),
        note_proofs: true,
        clock: &|| 0.0,
        progress: &|_, _| (),
    };
    let mut job = Job::new(&context, pending);
    let first = job.len();
    (0..first).for_each(|at| job.run(&context, at));
    job.proof = Attempt::made(found);
    add_values(&context, &mut job);
    (first..job.len()).for_each(|at| job.run(&context, at));
    let mut checked = Checked::default();
    let report = crate::claim::verdict(&context, job, first, &mut checked);
    (report, checked, sources)
}

fn statement(report: &ClaimReport) -> &str {
    report.proof.as_ref().map_or("", |proof| &proof.statement)
}

#[test]
fn a_proof_for_all_values() {
    let script = "claim \"squares\" for all n >= 5 { assert n^2 > 20 }";
    let (report, _, _) = judged(script, proof(&["n"], vec![case(vec![from(5)], Outcome::True)]));
    assert_eq!(report.verdict, Verdict::Proved);
    assert!(report.holds && report.diagnostic.is_none());
    assert_eq!(statement(&report), "proved for all n ≥ 5");
    let direct = &report.proof.as_ref().unwrap().direct;
    assert_eq!((direct.text.as_str(), direct.needed), ("n = 5, 6, …, 16", 0));
    assert!(text::row(&report, Default::default()).contains("✓ proved       squares (proved for all n ≥ 5)"));
}

#[test]
fn small_cases_are_checked_directly() {
    let script = "claim \"squares\" for all even n >= 2 { assert n^2 > 3 }";
    let cases =
        vec![case(vec![from(2), even(), upto(30)], beyond()), case(vec![from(2), even(), from(31)], Outcome::True)];
    let (report, _, _) = judged(script, proof(&["n"], cases));
    assert_eq!((report.verdict, statement(&report)), (Verdict::Proved, "proved for all even n ≥ 2"));
    let direct = &report.proof.as_ref().unwrap().direct;
    // beyond the first values those of the small case, and one of the other
    assert_eq!((direct.text.as_str(), direct.needed), ("n = 2, 4, …, 32", 15));
}

#[test]
fn the_range_is_repaired() {
    let script = "claim \"squares\" for all n >= 2 { assert n^2 > 20 }";
    let cases = vec![case(vec![from(2), upto(4)], is_false()), case(vec![from(2), from(5)], Outcome::True)];
    let (report, _, _) = judged(script, proof(&["n"], cases));
    assert_eq!(report.verdict, Verdict::Refuted);
    assert_eq!(report.counterexample.as_ref().unwrap().values, [("n".to_string(), "2".to_string())]);
    assert_eq!(statement(&report), "false at n = 2, 3, 4; proved for all n ≥ 5");
    let diagnostic = report.diagnostic.as_ref().unwrap();
    assert!(diagnostic.notes.contains(&statement(&report).to_string()));
    assert_eq!(diagnostic.help.as_deref(), Some("say `for all n >= 5`, and keep what was said before as a `refute`"));
}

#[test]
fn the_range_of_a_refute_is_repaired_too() {
    let script = "refute \"squares\" for all n >= 4 { assert n^2 > 20 }";
    let cases = vec![case(vec![from(4), upto(4)], beyond()), case(vec![from(4), from(5)], Outcome::True)];
    let (report, _, _) = judged(script, proof(&["n"], cases));
    assert!(report.holds && report.verdict == Verdict::Refuted);
    assert_eq!(statement(&report), "false at n = 4; proved for all n ≥ 5");
    assert!(text::row(&report, Default::default()).contains("(false at n = 4; proved for all n ≥ 5)"));
}

#[test]
fn a_refute_that_is_proved_does_not_hold() {
    let script = "refute \"squares\" for all n >= 5 { assert n^2 > 20 }";
    let (report, _, _) = judged(script, proof(&["n"], vec![case(vec![from(5)], Outcome::True)]));
    assert!(!report.holds && report.verdict == Verdict::Proved);
    assert_eq!(report.diagnostic.unwrap().labels[0].text, "it is proved for all n ≥ 5");
}

#[test]
fn what_is_undecided_is_said() {
    let script = "claim \"squares\" for all n >= 5 { assert n^2 > 20 }";
    let cases = vec![case(vec![from(5), even()], Outcome::True), case(vec![from(5), odd()], beyond())];
    let (report, _, _) = judged(script, proof(&["n"], cases));
    assert_eq!(report.verdict, Verdict::Undecided);
    let diagnostic = report.diagnostic.as_ref().unwrap();
    assert_eq!(diagnostic.code, codes::NOT_PROVED);
    assert_eq!(diagnostic.labels[0].text, "not followed: this goes too far");
    assert_eq!(diagnostic.help.as_deref(), Some("split the claim"));
    assert_eq!(
        statement(&report),
        "not decided for all odd n ≥ 17; proved for all even n ≥ 6; checked for n = 5, 7, 9, 11, 13, 15"
    );
}

#[test]
fn a_counterexample_far_away_is_found_by_the_proof() {
    let script = "claim \"not a thousand\" for all n >= 5 { assert n != 1000 }";
    let cases = vec![
        case(vec![from(5), upto(999)], Outcome::True),
        case(vec![from(1000), upto(1000)], is_false()),
        case(vec![from(1001)], Outcome::True),
    ];
    let (report, _, _) = judged(script, proof(&["n"], cases));
    assert_eq!(report.counterexample.as_ref().unwrap().values[0].1, "1000");
    assert_eq!(statement(&report), "false at n = 1000; proved for n = 5, 6, …, 999 and all n ≥ 1001");
}

#[test]
fn several_parameters_are_described_by_conditions() {
    let script = "claim \"differ\" for all m >= 2, 1 <= a <= m { assert a != m }";
    let header =
        || vec![from(2), Constraint::ge(&var(1).plus(-1).unwrap()), Constraint::ge(&var(0).sub(&var(1)).unwrap())];
    let equal = Constraint::eq(&var(0).sub(&var(1)).unwrap());
    let less = Constraint::ge(&var(0).sub(&var(1)).unwrap().plus(-1).unwrap());
    let cases =
        vec![case([header(), vec![equal]].concat(), is_false()), case([header(), vec![less]].concat(), Outcome::True)];
    let (report, _, _) = judged(script, proof(&["m", "a"], cases));
    assert_eq!(report.counterexample.as_ref().unwrap().values[1].1, "2");
    assert_eq!(statement(&report), "false where m = a; proved elsewhere");
}

#[test]
fn a_proof_of_something_false_stops_the_run() {
    let script = "claim \"small\" for all n >= 2 { assert n != 7 }";
    let (report, checked, sources) = judged(script, proof(&["n"], vec![case(vec![from(2)], Outcome::True)]));
    assert!(checked.contradicted && report.verdict == Verdict::Undecided && !report.holds);
    let diagnostic = report.diagnostic.clone().unwrap();
    assert_eq!(diagnostic.code, codes::CONTRADICTION);
    assert!(diagnostic.title.ends_with("disagree at n = 7"), "{}", diagnostic.title);
    let report = CheckReport { claims: vec![report], contradicted: checked.contradicted, ..CheckReport::default() };
    assert_eq!(report.outcome(), Ending::ProgramIsWrong);
    assert_ne!(report.outcome().exit_code(), 0);
    assert!(text::check(&report, &sources, Default::default(), false).contains("this is a bug of perm"));
}

#[test]
fn a_proof_that_something_true_is_false_stops_the_run() {
    let script = "claim \"large\" for all n >= 2 { assert n > 1 }";
    let cases = vec![case(vec![from(2), upto(8)], Outcome::True), case(vec![from(9)], is_false())];
    let (report, checked, _) = judged(script, proof(&["n"], cases));
    assert!(checked.contradicted);
    assert!(report.diagnostic.unwrap().title.ends_with("disagree at n = 9"));
}

#[test]
fn other_contradictions() {
    // a mistake where the proof sees none
    let script = "claim \"inverse\" for all n >= 0 { assert 1/(n - 3) < 2 }";
    let (_, checked, _) = judged(script, proof(&["n"], vec![case(vec![from(0)], Outcome::True)]));
    assert!(checked.contradicted);
    // a value that no case has
    let script = "claim \"large\" for all n >= 2 { assert n > 1 }";
    let (_, checked, _) = judged(script, proof(&["n"], vec![case(vec![from(3)], Outcome::True)]));
    assert!(checked.contradicted);
}

#[test]
fn nothing_is_proved_by_nothing() {
    let script = "claim \"nothing\" for all n >= 5 { let a = n }";
    let mut silent = case(vec![from(5)], Outcome::True);
    silent.assertions = 0;
    let (report, _, _) = judged(script, proof(&["n"], vec![silent]));
    assert_eq!(report.diagnostic.unwrap().code, codes::NOTHING_CHECKED);
    let script = "claim \"empty\" for all n >= 5 where n < 4 { assert n > 3 }";
    let (report, _, _) = judged(script, proof(&["n"], Vec::new()));
    assert_eq!(report.diagnostic.unwrap().code, codes::NOTHING_CHECKED);
}

#[test]
fn what_the_prover_cannot_begin_is_undecided() {
    let script = "claim \"squares\" for all n >= 5 { assert n^2 > 20 }";
    let stop = Stop::Beyond { span: somewhere(), what: "a word in a variable".into(), help: "write it out".into() };
    let (report, checked, _) = judged(script, Err(stop));
    assert_eq!(report.verdict, Verdict::Undecided);
    assert_eq!(report.reason.as_deref(), Some("not proved: a word in a variable"));
    assert_eq!(statement(&report), "not decided for all n ≥ 5; checked for 12 values");
    assert!(!checked.budget_ran_out);
    let (report, checked, _) = judged(script, Err(Stop::Steps { span: somewhere() }));
    // the limit of a proof is not the budget of the run
    assert!(!checked.budget_ran_out);
    assert_eq!(report.reason.as_deref(), Some("not proved: the proof gets too long here"));
    assert_eq!(report.diagnostic.unwrap().code, codes::NOT_PROVED);
}
