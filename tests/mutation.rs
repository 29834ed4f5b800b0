//! A prover that proves too much is worse than none. In every claim of the standard library for all values one thing is changed
//! at a time: a letter, a sign, a bound, a coordinate, a comparison. What is then still called proved has to be true: it is
//! checked directly, as a claim with ranges, well beyond the first values.
//!
//! `PERM_MUTATION=all` tries all changes, otherwise a part of them, always the same. With all of them, each change that is
//! proved has to stand with its reason in `tests/mutation/true_as_well.txt`; `PERM_RECORD=1` writes those that do not at
//! its end, for somebody to read.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use perm::module::{Origin, standard_files};
use perm::report::{CheckReport, Verdict};
use perm::session::{Script, Session, Watch};

const LIST: &str = "tests/mutation/true_as_well.txt";

/// So many changes are tried, about, unless all are.
const SAMPLE: usize = 300;

/// So many changed claims are checked in one script.
const TOGETHER: usize = 16;

/// A claim for all values, and what its file declares.
struct Subject {
    file: String,
    definitions: String,
    title: String,
    text: String,
}

/// A claim with one change, and how to tell people.
struct Mutant {
    subject: usize,
    text: String,
    name: String,
}

/// A part of a claim that may be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Name,
    Number,
    Sign,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    from: usize,
    to: usize,
}

/// The claims for all values of the standard library. Claims begin and end at the left edge.
fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (path, script) in standard_files() {
        let (mut definitions, mut claims) = (String::new(), Vec::new());
        let mut open: Option<String> = None;
        for line in script.split_inclusive('\n') {
            if line.starts_with("claim ") || line.starts_with("refute ") {
                open = Some(String::new());
            }
            match &mut open {
                Some(text) => text.push_str(line),
                None => definitions.push_str(line),
            }
            // a claim of one line ends where it begins
            let ends = line.starts_with('}') || line.trim_end().ends_with('}') && line.matches('{').count() > 0;
            if let Some(text) = open.take() {
                if ends && text.matches('{').count() == text.matches('}').count() {
                    claims.push(text);
                } else {
                    open = Some(text);
                }
            }
        }
        for text in claims {
            if text.starts_with("claim ") && range_of(&text).is_some() {
                let title = text.split('"').nth(1).unwrap_or_default().to_string();
                let (file, definitions) = (path.to_string(), definitions.clone());
                subjects.push(Subject { file, definitions, title, text });
            }
        }
    }
    subjects
}

/// The tokens outside comments and texts.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let run = |fits: &dyn Fn(u8) -> bool| rest.iter().take_while(|byte| fits(**byte)).count();
        let (kind, length) = match rest[0] {
            b'/' if rest.starts_with(b"//") => (None, run(&|byte| byte != b'\n')),
            b'"' => (None, 2 + rest[1..].iter().take_while(|byte| **byte != b'"').count()),
            byte if byte.is_ascii_alphabetic() => {
                (Some(Kind::Name), run(&|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            }
            byte if byte.is_ascii_digit() => (Some(Kind::Number), run(&|byte| byte.is_ascii_digit())),
            b'-' if rest.starts_with(b"->") => (None, 2),
            b'=' | b'!' | b'<' | b'>' if rest.get(1) == Some(&b'=') => (Some(Kind::Sign), 2),
            b'+' if rest.starts_with(b"++") => (None, 2),
            b'<' | b'>' | b'+' | b'-' | b'|' | b'&' | b'\'' => (Some(Kind::Sign), 1),
            _ => (None, 1),
        };
        found.extend(kind.map(|kind| Token { kind, from: at, to: at + length }));
        at += length;
    }
    found
}

/// Where the header of a claim ends: at its block.
fn header(text: &str) -> &str {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'{' if !quoted => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Where the range of a claim for all values stands: from behind `for all`, up to its puzzle or its block.
fn range_of(text: &str) -> Option<(usize, usize)> {
    let header = header(text);
    // behind the title and the source
    let behind = header.rfind('"').unwrap_or(0);
    let from = behind + header[behind..].find("for all ")? + "for all ".len();
    let to = header[from..].find(" on ").map_or(header.len(), |at| from + at);
    Some((from, to))
}

/// Other letters that a letter of a word may be taken for.
const PARTNERS: &[(&str, &str)] =
    &[("X", "Y"), ("Y", "X"), ("R", "L"), ("L", "R"), ("U", "D"), ("D", "U"), ("F", "B"), ("B", "F"), ("A", "C")];

/// What a name may be taken for.
const EXCHANGED: &[(&str, &str)] = &[
    ("and", "or"),
    ("or", "and"),
    ("even", "odd"),
    ("odd", "even"),
    ("min", "max"),
    ("max", "min"),
    ("row", "col"),
    ("col", "row"),
    ("all", "any"),
    ("lower_left", "upper_left"),
    ("upper_left", "lower_left"),
    ("mirror", "flip"),
    ("flip", "mirror"),
    ("even_word", "odd_word"),
    ("odd_word", "even_word"),
    ("out_word", "back_word"),
    ("back_word", "out_word"),
];

/// The words that take a prime.
const WORDS: &[&str] = &["X", "Y", "C", "A", "H", "R", "L", "U", "D", "F", "B", "phi", "x", "y", "z"];

const SIGNS: &[(&str, &str)] = &[
    ("==", "!="),
    ("!=", "=="),
    ("<=", "<"),
    ("<", "<="),
    (">=", ">"),
    (">", ">="),
    ("+", "-"),
    ("-", "+"),
    ("|", "&"),
    ("&", "|"),
    ("'", ""),
];

fn other<'a>(pairs: &[(&'a str, &'a str)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(from, _)| *from == name).map(|(_, to)| *to)
}

/// Every change of one thing.
fn mutants(subject: usize, text: &str) -> Vec<Mutant> {
    let body = header(text).len();
    let (range, board) = range_of(text).unwrap_or((body, body));
    let parameters = parameters(&text[range..board]);
    let mut mutants = Vec::new();
    let mut change = |from: usize, to: usize, by: &str| {
        let changed = format!("{}{by}{}", &text[..from], &text[to..]);
        let line = text[..from].matches('\n').count();
        let old = text.lines().nth(line).unwrap_or_default().trim();
        let new = changed.lines().nth(line).unwrap_or_default().trim();
        mutants.push(Mutant { subject, name: format!("{old}  ->  {new}"), text: changed });
    };
    for Token { kind, from, to } in tokens(text) {
        let token = &text[from..to];
        let (before, after) = (&text[..from], &text[to..]);
        if (range..board).contains(&from) {
            // a range may only become larger: with fewer values a claim stays true
            let ahead = after.trim_start().starts_with("<=") || after.trim_start().starts_with("< ");
            let behind = before.trim_end().ends_with(">=") || before.trim_end().ends_with("> ");
            match kind {
                Kind::Number if ahead || behind => {
                    change(from, to, &(token.parse::<i64>().unwrap_or(0) - 1).to_string());
                }
                Kind::Sign if token == "<" || token == ">" => change(from, to, &format!("{token}=")),
                Kind::Name if parameters.contains(&token) && before.trim_end().ends_with("<=") && !ahead => {
                    change(from, to, &format!("{token} + 1"));
                }
                _ => {}
            }
        } else if from > body {
            match kind {
                Kind::Number => {
                    let number: i64 = token.parse().unwrap_or(0);
                    change(from, to, &(number + 1).to_string());
                    if number > 0 {
                        change(from, to, &(number - 1).to_string());
                    }
                }
                Kind::Sign => {
                    if let Some(by) = other(SIGNS, token) {
                        change(from, to, by);
                    }
                }
                Kind::Name => {
                    if let Some(by) = other(EXCHANGED, token) {
                        change(from, to, by);
                    }
                    if parameters.contains(&token) {
                        change(from, to, &format!("({token} + 1)"));
                        change(from, to, &format!("({token} - 1)"));
                    } else if token.bytes().all(|byte| b"XY".contains(&byte)) {
                        for at in from..to {
                            let letter = &text[at..=at];
                            change(at, at + 1, other(PARTNERS, letter).unwrap_or(letter));
                            change(at, at + 1, "");
                            if !text[at + 1..].starts_with(['\'', '^']) {
                                change(at, at + 1, &format!("{letter}'"));
                            }
                        }
                    } else if WORDS.contains(&token) {
                        // a family that is no word of its own takes the prime behind its index
                        let index = if after.starts_with('[') { after.find(']').map_or(0, |at| at + 1) } else { 0 };
                        if !after[index..].starts_with(['\'', '^']) {
                            change(from, to + index, &format!("{}'", &text[from..to + index]));
                        }
                        if let Some(by) = other(PARTNERS, token) {
                            change(from, to, by);
                        }
                    }
                }
            }
        }
    }
    mutants
}

/// Parts between commas that stand in no bracket.
fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0i32, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

/// `1 <= k < n` as its terms and the signs between them.
fn chain(item: &str) -> (Option<&str>, Vec<&str>, Vec<&str>) {
    let parity = ["even ", "odd "].into_iter().find(|word| item.starts_with(word));
    let text = item[parity.map_or(0, str::len)..].trim();
    let (mut terms, mut signs, mut start, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while at < text.len() {
        let length = match &text.as_bytes()[at..] {
            [b'<' | b'>', b'=', ..] => 2,
            [b'<' | b'>', ..] => 1,
            _ => 0,
        };
        if length > 0 {
            terms.push(text[start..at].trim());
            signs.push(&text[at..at + length]);
            start = at + length;
        }
        at += length.max(1);
    }
    terms.push(text[start..].trim());
    (parity.map(str::trim), terms, signs)
}

/// The names that a range introduces, one for each item.
fn parameters(range: &str) -> Vec<&str> {
    let range = range.split(" where ").next().unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    for item in items(range) {
        let (_, terms, _) = chain(item);
        let is_new = |term: &&&str| {
            term.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                && !term.is_empty()
                && !names.contains(term)
        };
        let name = terms.iter().find(is_new).copied();
        names.extend(name);
    }
    names
}

/// The same claim for so many values of each parameter, from its least on, and for one parameter some larger ones.
fn ranged(text: &str) -> Option<String> {
    let (from, to) = range_of(text)?;
    let (range, rest) = (&text[from..to], &text[to..]);
    let (range, condition) = match range.split_once(" where ") {
        Some((range, condition)) => (range, Some(condition.trim())),
        None => (range, None),
    };
    let names = parameters(range);
    let reach = [12, 11, 6, 4, 3, 2, 2].get(names.len().checked_sub(1)?)?;
    let (mut clauses, mut conditions) = (Vec::new(), Vec::from_iter(condition.map(str::to_string)));
    for (item, name) in items(range).iter().zip(&names) {
        let (parity, terms, signs) = chain(item);
        let at = terms.iter().position(|term| term == name)?;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut bound = |term: &str, sign: &str, is_left: bool| {
            let is_lower = sign.starts_with('<') == is_left;
            let shift = match (sign.ends_with('='), is_lower) {
                (true, _) => "",
                (false, true) => " + 1",
                (false, false) => " - 1",
            };
            if is_lower { &mut lower } else { &mut upper }.push(format!("{term}{shift}"));
        };
        if at > 0 {
            bound(terms[at - 1], signs[at - 1], true);
        }
        if at < signs.len() {
            bound(terms[at + 1], signs[at], false);
        }
        let lower = lower.first()?;
        clauses.push(match upper.first() {
            Some(upper) => format!("{name} in {lower}..min({lower} + {reach}, {upper})"),
            None if names.len() == 1 => {
                format!("{name} in {lower}..{lower} + {reach} ++ {lower} + 27..{lower} + 30")
            }
            None => format!("{name} in {lower}..{lower} + {reach}"),
        });
        conditions.extend(parity.map(|parity| format!("{parity}({name})")));
    }
    let conditions = if conditions.is_empty() { String::new() } else { format!(" where {}", conditions.join(" and ")) };
    Some(format!("{}{}{conditions} {}", &text[..from - "all ".len()], clauses.join(", "), rest.trim_start()))
}

fn check(definitions: &str, claims: &[&str]) -> CheckReport {
    let text = claims.iter().fold(definitions.to_string(), |text, claim| text + "\n" + claim + "\n");
    let script = Script::new(Origin::Text("changed".to_string()), text);
    Session::new(Default::default()).check(&[script], &Watch::default(), &mut |_, _| ())
}

/// Which of some changed claims of one file are proved. What is no script any more is not.
fn proved(subjects: &[Subject], mutants: &[&Mutant]) -> Vec<bool> {
    let Some(first) = mutants.first() else { return Vec::new() };
    let texts: Vec<&str> = mutants.iter().map(|mutant| mutant.text.as_str()).collect();
    let report = check(&subjects[first.subject].definitions, &texts);
    if report.claims.len() == mutants.len() {
        report.claims.iter().map(|claim| claim.verdict == Verdict::Proved).collect()
    } else if mutants.len() == 1 {
        vec![false]
    } else {
        let (some, others) = mutants.split_at(mutants.len() / 2);
        [proved(subjects, some), proved(subjects, others)].concat()
    }
}

/// Is the claim true for many values of its parameters, by the machine that knows nothing of proofs?
fn is_true(subject: &Subject, text: &str) -> Result<(), String> {
    let ranged = ranged(text).ok_or("its range is not understood by this test")?;
    let report = check(&subject.definitions, &[&ranged]);
    match report.claims.first() {
        Some(claim) if claim.verdict == Verdict::Checked => Ok(()),
        Some(claim) => Err(format!("{:?} {:?} {:?}\n{ranged}", claim.verdict, claim.counterexample, claim.reason)),
        None => Err(format!("{:?}\n{ranged}", report.errors)),
    }
}

/// The same number for the same text, everywhere.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Runs on all cores, in any order; the answers come in order.
fn on_all_cores<T: Send>(jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= jobs {
                        return;
                    }
                    let answer = job(at);
                    answers.lock().expect("no job panics").push((at, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no job panics");
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[test]
fn what_is_proved_after_a_change_is_true() {
    let everything = std::env::var("PERM_MUTATION").is_ok_and(|value| value == "all");
    let subjects = subjects();
    assert!(subjects.len() > 150, "only {} claims for all values", subjects.len());
    let mut mutants: Vec<Mutant> =
        subjects.iter().enumerate().flat_map(|(at, subject)| mutants(at, &subject.text)).collect();
    assert!(mutants.len() > 4000, "only {} changes", mutants.len());
    if !everything {
        let part = (mutants.len() / SAMPLE).max(1) as u64;
        mutants.retain(|mutant| hash(&mutant.text).is_multiple_of(part));
    }
    let mut batches: Vec<Vec<&Mutant>> = Vec::new();
    for mutant in &mutants {
        match batches.last_mut() {
            Some(batch)
                if batch.len() < TOGETHER && subjects[batch[0].subject].file == subjects[mutant.subject].file =>
            {
                batch.push(mutant)
            }
            _ => batches.push(vec![mutant]),
        }
    }
    let survivors: Vec<&Mutant> = on_all_cores(batches.len(), |at| proved(&subjects, &batches[at]))
        .concat()
        .into_iter()
        .zip(batches.concat())
        .filter_map(|(proved, mutant)| proved.then_some(mutant))
        .collect();
    let wrong: Vec<String> =
        on_all_cores(survivors.len(), |at| is_true(&subjects[survivors[at].subject], &survivors[at].text).err())
            .into_iter()
            .flatten()
            .collect();
    assert!(wrong.is_empty(), "proved, and not true: {}", wrong.join("\n\n"));
    let found: BTreeSet<String> = survivors
        .iter()
        .map(|mutant| {
            let subject = &subjects[mutant.subject];
            format!("{}: {}: {}", subject.file, subject.title, mutant.name)
        })
        .collect();
    let list = std::fs::read_to_string(LIST).unwrap_or_default();
    let known: BTreeSet<String> =
        list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_string).collect();
    let unknown: Vec<&String> = found.difference(&known).collect();
    if everything && std::env::var("PERM_RECORD").is_ok() && !unknown.is_empty() {
        let lines: String = unknown.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(LIST, format!("{list}\n# not read yet\n\n{lines}")).expect("the list can be written");
        return;
    }
    if everything {
        assert!(unknown.is_empty(), "proved, true as far as checked, and without a reason in {LIST}: {unknown:#?}");
        let gone: Vec<&String> = known.difference(&found).collect();
        assert!(gone.is_empty(), "these are not proved, so they need no reason: {gone:#?}");
    }
}

#[test]
fn every_claim_for_all_is_true_for_many_values() {
    let subjects = subjects();
    let wrong: Vec<String> = on_all_cores(subjects.len(), |at| is_true(&subjects[at], &subjects[at].text).err())
        .into_iter()
        .flatten()
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
