//! Proofs for all sizes: how long they take, and how many pieces the map of a long word has.
//!
//! `cargo bench --bench prove` prints the 3-cycle of the rotation puzzle; then all proofs of each file of the standard library,
//! beside the time for which the same claims are checked one size after another up to 24 (those with the one name n);
//! then pieces of random words by their length, at every size from 2 on.

use std::time::Instant;

use perm::module::Origin;
use perm::prove::{Constraint, FIRST, Form, Piece, Piecewise, Region, Var};
use perm::random::Random;
use perm::report::CheckReport;
use perm::session::{Script, Session, Watch};

const PHI: &str = "use papers.number_rotation\nclaim \"phi\" for all n >= 5 on NRP(n) {\n  \
                   assert phi == ((2, 1) (4, n - 2) (n - 4, n + 1))\n}\n";
const ROUNDS: usize = 9;
const LARGEST: i64 = 24;

fn main() {
    let mut phi: Vec<f64> = (0..ROUNDS).map(|_| proofs(&check("phi", PHI)).1).collect();
    phi.sort_by(f64::total_cmp);
    println!("phi for all n >= 5: {:.2} ms (median of {ROUNDS})", 1000.0 * phi[ROUNDS / 2]);
    let (mut number, mut seconds) = (0, 0.0);
    println!(
        "{:38} {:>7} {:>9} {:>11} {:>18}",
        "standard library", "proofs", "all ms", "longest ms", "direct to 24, ms"
    );
    for script in Script::standard() {
        let name = script.origin.name();
        let (count, time, longest) = proofs(&check(&name, &script.text));
        if count > 0 {
            number += count;
            seconds += time;
            let direct = one_by_one(&script.text);
            println!("{name:38} {count:7} {:9.1} {:11.1} {:18.1}", 1000.0 * time, 1000.0 * longest, 1000.0 * direct);
        }
    }
    println!("{:38} {number:7} {:9.1}", "together", 1000.0 * seconds);
    println!("pieces of random words after 10, 20, … letters, and the time for all of them");
    for (name, least) in [("NRP(n), n >= 2", 2), ("NRP(n), n >= 50", 50)] {
        for seed in 1..=3 {
            println!("{name:18} {}", growth(least, seed));
        }
    }
}

fn check(name: &str, text: &str) -> CheckReport {
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let watch = Watch { clock: &clock, progress: &|_, _| () };
    let script = Script::new(Origin::Text(name.to_string()), text.to_string());
    let report = Session::new(Default::default()).check(&[script], &watch, &mut |_, _| ());
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    report
}

/// How many proofs there are, how long all of them took and the longest, without the values that were tried.
fn proofs(report: &CheckReport) -> (usize, f64, f64) {
    let seconds: Vec<f64> =
        report.claims.iter().filter_map(|claim| claim.proof.as_ref()).map(|proof| proof.seconds).collect();
    (seconds.len(), seconds.iter().sum(), seconds.iter().copied().fold(0.0, f64::max))
}

/// How long it takes to check claims for all n for each n up to 24 instead.
fn one_by_one(text: &str) -> f64 {
    const MARK: &str = "for all n >= ";
    let mut changed = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARK) {
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        let (least, then) = after.split_at(digits);
        let alone = digits > 0 && !then.starts_with(',') && !then.starts_with(" where");
        changed += before;
        changed += &if alone { format!("for n in {least}..{LARGEST}") } else { format!("{MARK}{least}") };
        rest = then;
    }
    changed += rest;
    let report = check("direct", &changed);
    let range = format!("..{LARGEST}");
    report.claims.iter().filter(|claim| claim.range.ends_with(&range)).map(|claim| claim.seconds).sum()
}

/// The two letters of the n × (n + 1) board: the left block, and the right one.
fn letters() -> [Piecewise; 2] {
    let n = Form::var(FIRST);
    let (i, j) = (Form::var(0), Form::var(1));
    [0, 1].map(|shift| {
        let between = |low: i64, form: &Form, high: &Form| {
            let low = Constraint::less_eq(&Form::int(low), form);
            [low.expect("small"), Constraint::less_eq(form, high).expect("small")]
        };
        let right = n.plus(shift).expect("small");
        let conditions = between(1, &i, &n).into_iter().chain(between(1 + shift, &j, &right));
        let to = vec![right.plus(1).and_then(|form| form.sub(&j)).expect("small"), i.plus(shift).expect("small")];
        Piecewise { width: 2, pieces: vec![Piece { region: Region::of(conditions.collect()), to }] }
    })
}

/// The numbers of pieces of a random word, every ten letters up to 200.
fn growth(least: i64, seed: u64) -> String {
    let parameter: Var = FIRST;
    let known = Region::of(vec![Constraint::less_eq(&Form::int(least), &Form::var(parameter)).expect("small numbers")]);
    let mut all = letters().to_vec();
    all.extend(letters().iter().map(|letter| letter.inverse(&known).expect("turns can be undone")));
    let mut random = Random::new(seed);
    let mut map = Piecewise::identity(2);
    let mut counts: Vec<String> = Vec::new();
    let start = Instant::now();
    for letter in 1..=200 {
        map = map.then(&known, &all[random.index(all.len())]).expect("small numbers");
        if letter % 10 == 0 {
            counts.push(map.pieces.len().to_string());
        }
    }
    format!("{}   {:.0} ms", counts.join(" "), 1000.0 * start.elapsed().as_secs_f64())
}
