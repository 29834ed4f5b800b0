//! What is entered line by line: every line sees what was entered before.

use perm::report::{Verdict, text};
use perm::run::Output;
use perm::session::{Options, Session};

/// Enters lines; what each said and showed, or the code of its error.
fn talk(lines: &[&str]) -> Vec<String> {
    let mut session = Session::new(Options::default());
    lines
        .iter()
        .map(|line| {
            let entered = session.enter(line);
            if let Some(error) = entered.errors.first().or(entered.claims.errors.first()) {
                return error.code.to_string();
            }
            let said =
                |output: &Output| text::said(output, &session.library, Default::default()).trim_end().to_string();
            entered.output.iter().map(said).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[test]
fn the_value_of_an_expression_is_shown() {
    assert_eq!(talk(&["1 + 1", "let a = 3", "a^2", "\"text\"", "(a, {a})"]), ["2", "", "9", "\"text\"", "(3, {3})"]);
}

#[test]
fn on_is_for_the_rest_of_the_conversation() {
    let said = talk(&["on NRP(3)", "X(1, 1)", "on NRP(4)", "X(1, 1)", "on NRP(5) { print X(1, 1) }", "X(1, 1)"]);
    assert_eq!(said, ["", "(3, 1)", "", "(4, 1)", "(5, 1)", "(4, 1)"]);
}

#[test]
fn names_may_be_declared_again() {
    let said = talk(&["let a = 1", "let a = a + 1", "a", "fn f(x) = x", "fn f(x) = x * a", "f(5)"]);
    assert_eq!(said, ["", "", "2", "", "", "10"]);
    let said = talk(&["let a = 5", "let a = a + 1; let a = a * 10", "a", "let (a, b) = (a + 1, a)", "(a, b)"]);
    assert_eq!(said, ["", "", "60", "", "(61, 60)"]);
    let said = talk(&["puzzle P { cells 1..2; move t = (1 2) }", "puzzle P { cells 1..3; move t = (1 3) }", "P.t(1)"]);
    assert_eq!(said, ["", "", "3"]);
}

#[test]
fn a_var_keeps_its_value() {
    let said = talk(&["var k = 1", "k = k + 1", "k", "repeat 3 { k = 2 * k }", "k", "let k = 5", "k", "k = 6"]);
    assert_eq!(said, ["", "", "2", "", "16", "", "5", "E0209"]);
}

#[test]
fn a_wrong_line_changes_nothing() {
    let said = talk(&["let a = 1", "let a = unknown", "a", "let a = 1 / 0", "a", "let (a, b) = 5", "a"]);
    assert_eq!(said, ["", "E0201", "1", "E0501", "1", "E0505", "1"]);
    let said = talk(&["var a = 1", "var a = unknown", "a", "fn f(x) = x", "fn f(x) = y", "f(3)"]);
    assert_eq!(said, ["", "E0201", "1", "", "E0201", "3"]);
    let said = talk(&["on NRP(1)", "on NRP(3)", "print X(9, 9)", "X(1, 1)"]);
    assert_eq!(said, ["E0401", "", "E0312", "(3, 1)"]);
}

#[test]
fn claims_are_checked_where_they_are_entered() {
    let mut session = Session::new(Options::default());
    session.enter("let bound = 5");
    let entered = session.enter("claim \"small\" for n in 1..9 { assert n < bound }");
    assert_eq!(entered.claims.claims[0].verdict, Verdict::Refuted);
    session.enter("let bound = 50");
    let entered = session.enter("claim \"small\" for n in 1..9 { assert n < bound }");
    assert_eq!(entered.claims.claims[0].verdict, Verdict::Checked);
}

#[test]
fn what_is_unfinished_is_known() {
    for text in ["let a =", "let a = (1,", "fn f(x) {", "claim \"a\" for n in 1..2", "X *", "/* open", "[X,", "{1, 2"] {
        assert!(Session::is_unfinished(text), "{text}");
    }
    for text in ["", "let a = 1", "X Y", "let = 3", "fn f(x) { x }", "1)", "print \"open"] {
        assert!(!Session::is_unfinished(text), "{text}");
    }
}
