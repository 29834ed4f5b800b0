//! A checker that finds nothing proves nothing: one letter of the paper's words is changed, in every place in turn, and
//! each time some claim of the script has to be refuted.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use perm::module::Origin;
use perm::report::{CheckReport, ClaimKind, Verdict};
use perm::session::{Script, Session, Watch};

const PAPER: &str = include_str!("../stdlib/papers/number_rotation.perm");

/// Changes that leave the sentence true, so that nobody can find them, with the reason.
const TRUE_AS_WELL: &[(&str, &[&str])] = &[
    ("Y leaves (1,1) alone, in either direction", &["assert (Y X)(1, 1) == (n, 1)  ->  assert (Y' X)(1, 1) == (n, 1)"]),
    (
        "a word and its inverse move the same squares",
        &[
            "assert support(A C A') == A'(E)  ->  assert support(A C' A') == A'(E)",
            "assert len(support(C) & support(A C A')) == 1  ->  assert len(support(C) & support(A C' A')) == 1",
            "assert support(C) & support(A C A') == {(2, 1)}  ->  assert support(C) & support(A C' A') == {(2, 1)}",
            "assert support(C) & support(A C A') == {(2, 1), (4, 2), (4, 3), (4, 4)}  ->  assert support(C) & support(A C' A') == {(2, 1), (4, 2), (4, 3), (4, 4)}",
            "assert len(A(E) & E) == len(support(C) & support(A C A'))  ->  assert len(A(E) & E) == len(support(C) & support(A C' A'))",
        ],
    ),
    (
        "a word and its inverse have the same length",
        &[
            "assert length(A C A') == 20  ->  assert length(A' C A') == 20",
            "assert length(A C A') == 20  ->  assert length(A C' A') == 20",
            "assert length(A C A') == 20  ->  assert length(A C A) == 20",
            "assert length([H, A H A']) == 40  ->  assert length([H, A' H A']) == 40",
            "assert length([H, A H A']) == 40  ->  assert length([H, A H' A']) == 40",
            "assert length([H, A H A']) == 40  ->  assert length([H, A H A]) == 40",
        ],
    ),
];

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

/// A name in the script that is a word or part of one.
struct Name {
    at: usize,
    end: usize,
    /// it begins a word; otherwise only blanks and postfixes are between it and the name before
    begins: bool,
}

/// The names of moves, and of the words that the paper makes of them on the general board.
fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| b"XYZ".contains(&byte)) || ["A", "C", "H", "mirror", "flip"].contains(&name)
}

/// The names of words outside comments and texts, where they are used.
fn names(text: &str) -> Vec<Name> {
    let bytes = text.as_bytes();
    let mut found: Vec<Name> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if text[at..].starts_with("//") {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else if bytes[at] == b'"' {
            at += 2 + text[at + 1..].find('"').expect("strings are closed");
        } else if bytes[at].is_ascii_alphabetic() {
            let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            if is_word(&text[at..end]) && !text[..at].ends_with("let ") {
                let begins = found.last().is_none_or(|name| !is_between(&text[name.end..at]));
                found.push(Name { at, end, begins });
            }
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// Blanks and postfixes: what may stand between two names of one word.
fn is_between(text: &str) -> bool {
    text.bytes().all(|byte| b" ^'{}-0123456789".contains(&byte)) && text.contains(' ')
}

/// Where the letters of words are: of all words with two or more letters.
fn letters(text: &str) -> Vec<usize> {
    let names = names(text);
    let mut letters = Vec::new();
    let mut from = 0;
    while from < names.len() {
        let to = (from + 1..names.len()).find(|next| names[*next].begins).unwrap_or(names.len());
        let word: Vec<usize> = names[from..to]
            .iter()
            .flat_map(|name| {
                if name.end - name.at > 3 && !is_run(&text[name.at..name.end]) { 0..0 } else { name.at..name.end }
            })
            .collect();
        if word.len() + (to - from - 1) > 1 {
            letters.extend(word);
        }
        from = to;
    }
    letters
}

fn is_run(name: &str) -> bool {
    name.bytes().all(|byte| b"XYZ".contains(&byte))
}

/// Every other letter in the place of each, and every prime added or taken away.
fn mutants(part: usize, text: &str) -> Vec<Mutant> {
    let has_z = names(text).iter().any(|name| text[name.at..name.end].contains('Z'));
    let mut mutants = Vec::new();
    for at in letters(text) {
        let line = text[..at].matches('\n').count();
        let shown = |changed: &str| {
            let old = text.lines().nth(line).unwrap_or_default().trim();
            let new = changed.lines().nth(line).unwrap_or_default().trim();
            format!("{old}  ->  {new}")
        };
        let (before, letter, after) = (&text[..at], &text[at..=at], &text[at + 1..]);
        let others: &[&str] = match letter {
            "A" => &["C"],
            "C" | "H" => &["A"],
            _ if has_z => &["X", "Y", "Z"],
            _ => &["X", "Y"],
        };
        for other in others.iter().filter(|other| **other != letter) {
            let changed = format!("{before}{other}{after}");
            mutants.push(Mutant { part, name: shown(&changed), text: changed });
        }
        let changed = if let Some(rest) = ["'", "^{-1}"].iter().find_map(|prime| after.strip_prefix(prime)) {
            format!("{before}{letter}{rest}")
        } else if "XYZ".contains(letter) && ["^2", "^{2}"].iter().any(|square| after.starts_with(square)) {
            // four quarter turns do nothing, so a half turn is its own inverse: a prime changes nothing
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

/// Does any claim see the change? One that is changed itself is asked alone; after a changed definition all are, those
/// that name it first, a few at a time.
fn is_caught(parts: &[Part], mutant: &Mutant) -> bool {
    let text = |at: usize| if at == mutant.part { mutant.text.as_str() } else { parts[at].text.as_str() };
    let definitions: String = (0..parts.len()).filter(|at| !parts[*at].is_claim).map(text).collect();
    let mut claims: Vec<usize> = (0..parts.len()).filter(|at| parts[*at].is_claim).collect();
    if parts[mutant.part].is_claim {
        claims = vec![mutant.part];
    } else if let Some((name, _)) = mutant.name.strip_prefix("let ").and_then(|rest| rest.split_once(' ')) {
        let mentions =
            |at: &usize| parts[*at].text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        claims.sort_by_key(|at| !mentions(at));
    }
    claims
        .chunks(4)
        .any(|some| is_found(&check(some.iter().fold(definitions.clone(), |script, at| script + text(*at)))))
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
    assert!(mutants.len() > 300, "only {} changes were tried", mutants.len());
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
    let known: BTreeSet<String> =
        TRUE_AS_WELL.iter().flat_map(|(_, changes)| changes.iter().map(|change| change.to_string())).collect();
    let unnoticed: Vec<&String> = survivors.difference(&known).collect();
    assert!(unnoticed.is_empty(), "no claim is refuted by {unnoticed:#?}");
    let noticed: Vec<&String> = known.difference(&survivors).collect();
    assert!(noticed.is_empty(), "these are found, so they need no reason: {noticed:#?}");
}

/// A refute says that a sentence is false. One letter changed makes another false sentence, which contradicts nothing;
/// so beside every word of a refute the script has to say something true about it.
#[test]
fn words_of_refutes_stand_in_claims_as_well() {
    let parts = parts(PAPER);
    let words = |part: &Part| -> Vec<String> {
        let names = names(&part.text);
        names.iter().map(|name| part.text[name.at..].chars().take_while(|c| !", )\n".contains(*c)).collect()).collect()
    };
    let claimed: BTreeSet<String> = parts.iter().filter(|part| !part.is_refute).flat_map(words).collect();
    for refute in parts.iter().filter(|part| part.is_refute) {
        for word in words(refute) {
            assert!(claimed.contains(&word), "`{word}` is in a refute only");
        }
    }
}
