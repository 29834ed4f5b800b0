//! Small claims, followed for all values and compared with what the plain machine says for the first ones.

mod random;
mod words;

use std::sync::atomic::AtomicU8;

use super::{Case, Outcome, Proof, ProveOptions, Stop, prove};
use crate::prove::Var;
use crate::resolve::program::{Parity, Range};
use crate::run;
use crate::run::machine::Pending;
use crate::run::{Fault, Limits, Shared};
use crate::session::{Options, Session};

/// Values of the parameters that are compared.
const COMPARED: i64 = 9;

struct Followed {
    title: String,
    proof: Result<Proof, Stop>,
}

impl Followed {
    /// "true", if every case is; else what is not.
    fn summary(&self, session: &Session) -> String {
        let proof = match &self.proof {
            Ok(proof) => proof,
            Err(Stop::Beyond { what, .. }) => return format!("header beyond: {what}"),
            Err(stop) => return format!("{stop:?}"),
        };
        let mut odd: Vec<String> = Vec::new();
        for case in &proof.cases {
            let text = match &case.outcome {
                Outcome::True | Outcome::Few => continue,
                Outcome::False { .. } => format!("false at {}", self.region(case)),
                Outcome::Wrong { message, .. } => format!("wrong at {}: {message}", self.region(case)),
                Outcome::Beyond { what, span, .. } => {
                    let source = session.sources.get(span.file);
                    format!("beyond at {}: {what} (`{}`)", self.region(case), source.slice(*span))
                }
            };
            odd.push(text);
        }
        match odd.is_empty() {
            true => "true".to_string(),
            false => odd.join("; "),
        }
    }

    fn region(&self, case: &Case) -> String {
        let Ok(proof) = &self.proof else { return String::new() };
        let names = |var: Var| {
            proof.names.get(usize::from(var - crate::prove::FIRST)).cloned().unwrap_or_else(|| format!("x{var}"))
        };
        crate::prove::show::conditions(&case.region, &names)
    }
}

/// Follows all claims of a script, and compares with the plain machine. `None` if there are none: the script is wrong.
fn follow(text: &str) -> Option<(Session, Vec<Followed>)> {
    let mut session = Session::new(Options::default());
    let (claims, globals) = match session.unchecked(text) {
        Ok(unchecked) => unchecked,
        Err(_) => return None,
    };
    let stop = AtomicU8::new(0);
    let options = ProveOptions { notes: false, max_cases: 300, max_steps: 2_000_000, stop: &stop };
    let mut all = Vec::new();
    for pending in &claims {
        if !matches!(pending.claim.range, Range::All(..)) {
            continue;
        }
        let proof = prove(&session.library, &session.sources, globals.clone(), pending, options);
        let followed = Followed { title: pending.claim.title.to_string(), proof };
        compare(&session, &globals, pending, &followed);
        all.push(followed);
    }
    Some((session, all))
}

/// Is the outcome of the case of each of the first values that of the plain machine?
fn compare(session: &Session, globals: &std::sync::Arc<run::machine::Globals>, pending: &Pending, followed: &Followed) {
    let Ok(proof) = &followed.proof else { return };
    let claim = &pending.claim;
    let Range::All(items, condition) = &claim.range else { return };
    let shared = Shared::new(Limits { max_steps: 20_000_000, ..Limits::default() }, false, false);
    let names = claim.names.len();
    let mut point = vec![-2i64; names];
    loop {
        let values: Vec<run::Value> = point.iter().map(|value| run::Value::Int(*value)).collect();
        let mut machine = run::Machine::new(&session.library, &session.sources, &shared, globals.clone());
        machine.instance = pending.instance.clone();
        machine.set_frame(claim, &pending.captured, &values);
        let inside = items.iter().zip(&point).all(|(item, value)| {
            let parity = match item.parity {
                Some(Parity::Even) => value % 2 == 0,
                Some(Parity::Odd) => value % 2 != 0,
                None => true,
            };
            parity && matches!(machine.value_of(&item.chain), Ok(run::Value::Bool(true)))
        }) && condition.iter().all(|ex| matches!(machine.value_of(ex), Ok(run::Value::Bool(true))));
        let at = |var: Var| point.get(proof.vars.iter().position(|known| *known == var)?).copied();
        let cases: Vec<&Case> = proof.cases.iter().filter(|case| case.region.holds(&at)).collect();
        let text = || session.sources.get(claim.span.file).text.clone();
        assert_eq!(cases.len(), usize::from(inside), "{}: cases at {point:?}", text());
        if let [case] = cases.as_slice() {
            let said = machine.run_claim(claim);
            let fits = match (&case.outcome, &said) {
                (Outcome::True, Ok(())) => machine.assertions > 0 || case.assertions == 0,
                (Outcome::False { span }, Err(Fault::Failed(failure))) => failure.span == *span,
                (Outcome::Wrong { .. }, Err(Fault::Error(_))) => true,
                (Outcome::Beyond { .. } | Outcome::Few, _) => true,
                _ => false,
            };
            assert!(fits, "{}at {point:?}: {:?}, but the plain machine says {said:?}", text(), case.outcome);
        }
        // the next point
        let Some(at) = (0..names).rev().find(|at| point[*at] < COMPARED + 2 - names as i64) else { break };
        point[at] += 1;
        point[at + 1..].iter_mut().for_each(|value| *value = -2);
    }
}

/// The summary of a script's only claim.
fn outcome(text: &str) -> String {
    let (session, all) = follow(text).expect("a script without errors");
    assert_eq!(all.len(), 1, "one claim: {text}");
    all[0].summary(&session)
}

#[track_caller]
fn proves(text: &str) {
    assert_eq!(outcome(text), "true", "{text}");
}

/// A body for all n from 1 on, without a puzzle.
fn numbers(body: &str) -> String {
    format!("claim \"c\" for all n >= 1 {{ {body} }}")
}

#[test]
fn scripts_of_a_file() {
    let Some(path) = std::env::var_os("PERM_FOLLOW") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let start = std::time::Instant::now();
    let (session, all) = follow(&text).expect("a script without errors");
    for followed in &all {
        let cases = followed.proof.as_ref().map_or(0, |proof| proof.cases.len());
        println!("{:60} {cases:3} cases  {}", followed.title, followed.summary(&session));
    }
    println!("{:?}", start.elapsed());
    let mut session = Session::new(Options::default());
    let (claims, globals) = session.unchecked(&text).unwrap();
    let stop = AtomicU8::new(0);
    let options = ProveOptions { notes: false, max_cases: 300, max_steps: 2_000_000, stop: &stop };
    for pending in claims.iter().filter(|pending| matches!(pending.claim.range, Range::All(..))) {
        let start = std::time::Instant::now();
        let _ = prove(&session.library, &session.sources, globals.clone(), pending, options);
        println!("{:?} {}", start.elapsed(), pending.claim.title);
    }
}

#[test]
fn linear_forms_are_compared() {
    proves(&numbers("assert n + 1 > n and 2 * n - n == n and not (n < 1)"));
    proves(&numbers("assert n div 2 + n div 2 + n mod 2 == n"));
    proves(&numbers("assert (n - 1) div 3 * 3 + (n - 1) mod 3 == n - 1"));
    proves(&numbers("assert even(n * (n + 1)) and (n * (n + 1) / 2) mod 1 == 0"));
    proves(&numbers("assert (n + 1)^2 - n^2 == 2 * n + 1 and (n + 1)^2 > n^2"));
    proves(&numbers("assert if even(n) { n / 2 in 1..n } else { n / 2 not in 1..n }"));
    proves(&numbers("assert max(n, 3) >= n and min(n, 3) <= 3 and abs(1 - n) == n - 1"));
}

#[test]
fn what_is_false_is_not_proved() {
    for body in ["assert n > 1000", "assert n mod 5 != 3", "assert n div 2 < 4", "assert n^2 < 50"] {
        assert_ne!(outcome(&numbers(body)), "true", "{body}");
    }
}

#[test]
fn quantifiers_go_through_all_elements() {
    proves(&numbers("assert all(k mod n == k for k in 0..n - 1)"));
    proves(&numbers("assert all(i + j <= 2 * n for i in 1..n, j in i..n)"));
    proves(&numbers("assert not any(k > n for k in 1..n)"));
    proves(&numbers("assert all(false for k in n + 1..n)"));
    proves(&numbers("for k in 1..n { assert k <= n; for j in k..n { assert j >= k } }"));
    assert_ne!(outcome(&numbers("assert all(k < n for k in 1..n)")), "true");
    assert_ne!(outcome(&numbers("assert all(k mod 3 != 1 for k in 5..n)")), "true");
}

#[test]
fn phi_is_a_cycle_of_three_cells() {
    proves(
        "extend NRP(n) { let C = (Y X)^4; let A = X Y Y X Y' X'; let phi = [C, A C A'] }
         claim \"phi\" for all n >= 5 on NRP(n) { assert phi == ((2,1) (4,n-2) (n-4,n+1)) and is_cycle(phi, 3) }",
    );
}

#[test]
fn one_square_of_the_belt_is_left() {
    proves(
        "extend NRP(n) { let A = X Y Y X Y' X'; let E = (1..n, 1) | (n, 2..n) | (1..n, n + 1) }
         claim \"belt\" for all n >= 5 on NRP(n) { assert A(E) & E == {(n, n + 1)} }",
    );
}
