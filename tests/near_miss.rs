//! A checker that finds nothing proves nothing: one letter of the paper's words is changed, in every place in turn, and
//! each time some claim of the script has to be refuted.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use perm::module::Origin;
use perm::report::{ClaimKind, CheckReport, Verdict};
use perm::session::{Script, Session, Watch};

const PAPER: &str = include_str!("../stdlib/papers/number_rotation.perm");

/// A part of the script: a claim, or something that claims use.
#[derive(Clone, Debug)]
struct Part {
    text: String,
    is_claim: bool,
    is_refute: bool,
}

/// A changed letter: which part, what it says now, and how to tell people.
#[derive(Debug)]
struct Mutant {
    part: usize,
    text: String,
    name: String,
}

/// Cuts the script at its claims, which begin and end at the left edge.
fn parts(script: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut inside = false;
    for line in script.split_inclusive('\n') {
        let is_refute = line.starts_with("refute ");
        let begins = is_refute || line.starts_with("claim ");
        if begins || !inside && parts.last().is_none_or(|part| part.is_claim) {
            parts.push(Part { text: String::new(), is_claim: begins, is_refute });
            inside = begins;
        }
        parts.last_mut().expect("one was begun").text.push_str(line);
        if inside && line.starts_with('}') {
            inside = false;
        }
    }
    parts
}

/// The letters that stand for moves: those of the boards, and for the general board the words made of them.
const LETTERS: &[u8] = b"XYZ";

/// Where letters of words are: single letters, or several that run together, outside comments and texts.
fn letters(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if text[at..].starts_with("//") {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else if bytes[at] == b'"' {
            at += 2 + text[at + 1..].find('"').expect("strings are closed");
        } else if bytes[at].is_ascii_alphabetic() {
            let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            let is_word = bytes[at..at + length].iter().all(|byte| LETTERS.contains(byte));
            let is_declared = text[..at].ends_with("let ");
            if is_word && !is_declared {
                found.extend(at..at + length);
            }
            at += length;
        } else {
            at += 1;
        }
    }
    found
}

/// Every other letter in the place of each, and every prime added or taken away.
fn mutants(part: usize, text: &str) -> Vec<Mutant> {
    let known: BTreeSet<u8> = letters(text).into_iter().map(|at| text.as_bytes()[at]).chain(*b"XY").collect();
    let mut mutants = Vec::new();
    for at in letters(text) {
        let line = text[..at].matches('\n').count();
        let shown = |changed: &str| {
            let old = text.lines().nth(line).unwrap_or_default().trim();
            let new = changed.lines().nth(line).unwrap_or_default().trim();
            format!("{old}  ->  {new}")
        };
        let (before, after) = (&text[..at], &text[at + 1..]);
        for other in known.iter().filter(|other| **other != text.as_bytes()[at]) {
            let changed = format!("{before}{}{after}", char::from(*other));
            mutants.push(Mutant { part, name: shown(&changed), text: changed });
        }
        let letter = &text[at..=at];
        let changed = if let Some(rest) = ["'", "^{-1}", "^-1"].iter().find_map(|prime| after.strip_prefix(prime)) {
            format!("{before}{letter}{rest}")
        } else if ["^2", "^{2}"].iter().any(|square| after.starts_with(square)) {
            // four quarter turns do nothing, so a half turn is its own inverse: this changes nothing
            continue;
        } else {
            format!("{before}{letter}'{after}")
        };
        mutants.push(Mutant { part, name: shown(&changed), text: changed });
    }
    mutants
}

fn check(text: String) -> CheckReport {
    let script = Script::new(Origin::Text("mutant".to_string()), text);
    let report = Session::new(Default::default()).check(&[script], &Watch::default(), &mut |_, _| ());
    assert!(report.errors.is_empty(), "a mutant is a script without mistakes: {:#?}", report.errors);
    report
}

/// Is some claim not just undecided but wrong?
fn is_found(report: &CheckReport) -> bool {
    report.claims.iter().any(|claim| match claim.kind {
        ClaimKind::Claim => claim.verdict == Verdict::Refuted,
        ClaimKind::Refute => claim.verdict == Verdict::Checked,
    })
}

/// Does any claim see the change? One that is changed itself is enough; a changed definition is tried on all, a few at
/// a time.
fn is_caught(parts: &[Part], mutant: &Mutant) -> bool {
    let base = |at: usize| if at == mutant.part { mutant.text.as_str() } else { parts[at].text.as_str() };
    let definitions: String = (0..parts.len()).filter(|at| !parts[*at].is_claim).map(base).collect();
    let claims: Vec<usize> = if parts[mutant.part].is_claim {
        vec![mutant.part]
    } else {
        (0..parts.len()).filter(|at| parts[*at].is_claim).collect()
    };
    claims.chunks(10).any(|some| is_found(&check(definitions.clone() + &some.iter().map(|at| base(*at)).collect::<String>())))
}

#[test]
fn one_changed_letter_is_found_every_time() {
    let parts = parts(PAPER);
    let mutants: Vec<Mutant> = parts
        .iter()
        .enumerate()
        .filter(|(_, part)| !part.is_refute)
        .flat_map(|(at, part)| mutants(at, &part.text))
        .collect();
    println!("{} mutants", mutants.len());
    let next = AtomicUsize::new(0);
    let survivors = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !is_caught(&parts, mutant) {
                        survivors.lock().expect("no test panics here").insert(mutant.name.clone());
                    }
                }
            });
        }
    });
    let survivors = survivors.into_inner().expect("no test panics here");
    assert!(survivors.is_empty(), "{} {survivors:#?}", survivors.len());
}
