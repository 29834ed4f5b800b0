//! Random claims: what comes out for all values has to be what the plain machine says for each of the first ones.

use std::fmt::Write;

use super::{Followed, follow};
use crate::random::Random;
use crate::symbolic::Outcome;

/// Writes random expressions; the names in scope are integers.
struct Writer {
    random: Random,
    names: Vec<String>,
    made: usize,
}

impl Writer {
    fn below(&mut self, count: usize) -> usize {
        self.random.index(count)
    }

    fn name(&mut self) -> String {
        let at = self.below(self.names.len());
        self.names[at].clone()
    }

    /// A text with another name in scope, and that name.
    fn with_name(&mut self, write: impl FnOnce(&mut Self) -> String) -> (String, String) {
        self.made += 1;
        let name = format!("k{}", self.made);
        self.names.push(name.clone());
        let text = write(self);
        self.names.pop();
        (name, text)
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.below(3) == 0 { format!("{}", self.below(7)) } else { self.name() };
        }
        let d = depth - 1;
        match self.below(26) {
            0..=3 => format!("({} + {})", self.integer(d), self.integer(d)),
            4..=6 => format!("({} - {})", self.integer(d), self.integer(d)),
            7 => format!("({} * {})", self.below(4), self.integer(d)),
            8 => format!("({} div {})", self.integer(d), self.below(3) + 1),
            9 => format!("({} mod {})", self.integer(d), self.below(3) + 1),
            10 => format!("min({}, {})", self.integer(d), self.integer(d)),
            11 => format!("max({}, {})", self.integer(d), self.integer(d)),
            12 => format!("abs({})", self.integer(d)),
            13 => format!("(if {} {{ {} }} else {{ {} }})", self.truth(d), self.integer(d), self.integer(d)),
            14 => format!("len({})", self.cells(d)),
            15 => format!("len({})", self.sequence(d)),
            16 => {
                let range = self.range(d);
                let (name, text) = self.with_name(|writer| writer.truth(d));
                format!("count({text} for {name} in {range})")
            }
            17 => {
                let range = self.range(d);
                let (name, text) = self.with_name(|writer| writer.integer(d));
                format!("sum({text} for {name} in {range})")
            }
            18 => format!("floor({} / {})", self.integer(d), self.below(3) + 2),
            19 => format!("ceil(({} - {}) / 2)", self.integer(d), self.integer(d)),
            20 => format!("gcd({}, {})", self.below(7), self.integer(d)),
            21 => format!("{}[{}]", self.sequence(d), self.integer(d)),
            22 => format!("({})^2", self.integer(d)),
            23 => format!("({} mod {})", self.integer(d), self.integer(d)),
            24 => format!("({} div {})", self.integer(d), self.integer(d)),
            _ => format!("row(({}, {}))", self.integer(d), self.integer(d)),
        }
    }

    fn range(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(4) {
            0 => format!("{}..{}", self.below(4), self.below(6)),
            1 => format!("1..{}", self.integer(d)),
            _ => format!("{}..{}", self.integer(d), self.integer(d)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 6 } else { 24 }) {
            0 => format!("{} < {}", self.integer(d), self.integer(d)),
            1 => format!("{} <= {}", self.integer(d), self.integer(d)),
            2 => format!("{} == {}", self.integer(d), self.integer(d)),
            3 => format!("{} != {}", self.integer(d), self.integer(d)),
            4 => format!("even({})", self.integer(d)),
            5 => format!("{} in {}", self.integer(d), self.range(d)),
            6 => format!("{} <= {} < {}", self.integer(d), self.integer(d), self.integer(d)),
            7 => format!("({} and {})", self.truth(d), self.truth(d)),
            8 => format!("({} or {})", self.truth(d), self.truth(d)),
            9 => format!("not ({})", self.truth(d)),
            10 => {
                let range = self.range(d);
                let (name, text) = self.with_name(|writer| writer.truth(d));
                format!("all({text} for {name} in {range})")
            }
            11 => {
                let range = self.range(d);
                let (name, text) = self.with_name(|writer| writer.truth(d));
                format!("any({text} for {name} in {range})")
            }
            12 => format!("{} == {}", self.cells(d), self.cells(d)),
            13 => format!("{} subset {}", self.cells(d), self.cells(d)),
            14 => format!("({}, {}) in {}", self.integer(d), self.integer(d), self.cells(d)),
            15 => format!("{} == {}", self.integers(d), self.integers(d)),
            16 => format!("{} in {}", self.integer(d), self.integers(d)),
            17 => format!("{} == {}", self.sequence(d), self.sequence(d)),
            18 => format!("{} in {}", self.integer(d), self.sequence(d)),
            19 => format!("({}, {}) < ({}, {})", self.integer(d), self.integer(d), self.integer(d), self.integer(d)),
            20 => format!("{} / 2 in {}", self.integer(d), self.integers(d)),
            21 => format!("set({}) == {}", self.sequence(d), self.integers(d)),
            22 => {
                let cells = self.cells(d);
                let (name, text) = self.with_name(|writer| writer.integer(d));
                let (name2, _) = self.with_name(|_| String::new());
                format!("all({text} < {} for ({name}, {name2}) in {cells})", self.integer(d))
            }
            _ => format!("{} / 2 <= {} / 3", self.integer(d), self.integer(d)),
        }
    }

    /// A set of cells of two coordinates.
    fn cells(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => format!("({}, {})", self.range(d), self.integer(d)),
            1 => format!("({}, {})", self.range(d), self.range(d)),
            2 => format!("{{({}, {})}}", self.integer(d), self.integer(d)),
            3 => {
                let (first, second) = (self.range(d), self.range(d));
                let (i, (j, text)) = {
                    let mut inner = (String::new(), String::new());
                    let (i, _) = self.with_name(|writer| {
                        inner = writer.with_name(|writer| writer.truth(d));
                        String::new()
                    });
                    (i, inner)
                };
                format!("{{({i}, {j}) for {i} in {first}, {j} in {second} where {text}}}")
            }
            4 => {
                let range = self.range(d);
                let mut second = String::new();
                let (i, first) = self.with_name(|writer| {
                    second = writer.integer(d);
                    writer.integer(d)
                });
                format!("{{({first}, {second}) for {i} in {range}}}")
            }
            5 => format!("({} | {})", self.cells(d), self.cells(d)),
            6 => format!("({} & {})", self.cells(d), self.cells(d)),
            _ => format!("({} - {})", self.cells(d), self.cells(d)),
        }
    }

    /// A set of integers.
    fn integers(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => format!("{{{}, {}}}", self.integer(d), self.integer(d)),
            1 => format!("{{{}}}", self.range(d)),
            2 => {
                let range = self.range(d);
                let mut condition = String::new();
                let (name, text) = self.with_name(|writer| {
                    condition = writer.truth(d);
                    writer.integer(d)
                });
                format!("{{{text} for {name} in {range} where {condition}}}")
            }
            3 => format!("({} | {})", self.integers(d), self.integers(d)),
            4 => format!("({} & {})", self.integers(d), self.integers(d)),
            _ => format!("({} - {})", self.integers(d), self.integers(d)),
        }
    }

    /// A sequence of integers.
    fn sequence(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 2 } else { 8 }) {
            0 => format!("({}, {}, {})", self.integer(d), self.integer(d), self.integer(d)),
            1 => format!("({})", self.range(d)),
            2 => {
                let range = self.range(d);
                let (name, text) = self.with_name(|writer| writer.integer(d));
                format!("({text} for {name} in {range})")
            }
            3 => {
                let range = self.range(d);
                let mut condition = String::new();
                let (name, text) = self.with_name(|writer| {
                    condition = writer.truth(d);
                    writer.integer(d)
                });
                format!("({text} for {name} in {range} where {condition})")
            }
            4 => format!("({} ++ {})", self.sequence(d), self.sequence(d)),
            5 => format!("reversed({})", self.sequence(d)),
            6 => format!("({})[{}]", self.sequence(d), self.range(d)),
            _ => format!("(p[1] + p[2] for p in zip({}, {}))", self.sequence(d), self.sequence(d)),
        }
    }

    /// A claim with one or two parameters.
    fn claim(&mut self, at: usize) -> String {
        let header = match self.below(4) {
            0 => "n >= 0, m >= 1",
            1 => "n >= 1, 1 <= m <= n",
            2 => "even n >= 2, n < m < 2 * n",
            _ => "n >= -1",
        };
        self.names = if header.contains('m') { vec!["n".into(), "m".into()] } else { vec!["n".into()] };
        let mut body = String::new();
        let depth = 1 + self.below(3);
        if self.below(3) == 0 {
            let value = self.integer(depth - 1);
            let _ = writeln!(body, "  let x = {value}");
            self.names.push("x".into());
        }
        match self.below(6) {
            0 => {
                let range = self.range(depth - 1);
                let (name, text) = self.with_name(|writer| writer.truth(depth - 1));
                let _ = writeln!(body, "  for {name} in {range} {{ assert {text} }}");
            }
            1 => {
                let (condition, value) = (self.truth(0), self.integer(depth - 1));
                let _ = writeln!(body, "  var y = 0\n  if {condition} {{ y = {value} }}");
                self.names.push("y".into());
            }
            2 => {
                let value = self.integer(depth - 1);
                let _ = writeln!(body, "  var y = {value}\n  repeat 2 {{ y = y - n }}");
                self.names.push("y".into());
            }
            _ => {}
        }
        let _ = writeln!(body, "  assert {}", self.truth(depth));
        format!("claim \"{at}\" for all {header} {{\n{body}}}\n")
    }
}

/// A number from the environment.
pub(super) fn number_from(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(default)
}

/// Counts cases that are true, that are not, and that are not decided.
pub(super) fn tally(followed: &Followed, counted: &mut [usize; 3]) {
    let Ok(proof) = &followed.proof else { return };
    for case in &proof.cases {
        match case.outcome {
            Outcome::True => counted[0] += 1,
            Outcome::False { .. } | Outcome::Wrong { .. } => counted[1] += 1,
            Outcome::Beyond { .. } => counted[2] += 1,
            Outcome::Few => {}
        }
    }
}

#[test]
fn random_claims_agree_with_the_plain_machine() {
    let (first, count) = (number_from("PERM_SEED", 0), number_from("PERM_CLAIMS", 150));
    let mut counted = [0; 3];
    for seed in first..first + count {
        let mut writer = Writer { random: Random::new(seed), names: Vec::new(), made: 0 };
        let text = writer.claim(seed as usize);
        if std::env::var_os("PERM_SHOW").is_some() {
            eprintln!("{text}");
        }
        let start = std::time::Instant::now();
        let Some((session, all)) = follow(&text) else { continue };
        for followed in &all {
            tally(followed, &mut counted);
            if std::env::var_os("PERM_SHOW").is_some() {
                eprintln!("{:?} {}", start.elapsed(), followed.summary(&session));
            }
        }
    }
    let [yes, no, beyond] = counted;
    println!("{yes} cases are true, {no} are not, {beyond} are not decided");
    assert!(count < 100 || yes + no > 2 * beyond, "too little is decided: {counted:?}");
}
