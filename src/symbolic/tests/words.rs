//! Random claims about words on puzzles of every size, against the plain machine.

use std::fmt::Write;

use super::follow;
use super::random::{number_from, tally};
use crate::random::Random;

/// A puzzle with the moves and cells that are written on it.
struct Board {
    header: &'static str,
    letters: &'static [&'static str],
    cells: &'static [&'static str],
    sets: &'static [&'static str],
}

/// Integers as cells, with a move that turns all of them.
const RING: &str = "puzzle Ring(n) {
  require n >= 3
  cells 1..n
  move r: i -> i mod n + 1
  move t: 1 -> 2, 2 -> 1
  move f: i -> n + 1 - i
}
";

const BOARDS: &[Board] = &[
    Board {
        header: "n >= 2 on NRP(n)",
        letters: &["X", "Y"],
        cells: &["(1, 1)", "(n, 1)", "(n, n + 1)", "(1, n)", "(2, n)", "(n - 1, 2)"],
        sets: &["(1..n, 1)", "(n, 2..n)", "(1..n - 1, 2..n)", "{(1, 1), (n, n)}", "(1..n, 1) | (n, 2..n + 1)"],
    },
    Board {
        header: "m >= 1, n >= 1, 1 <= a <= m, 1 <= b <= n on Torus(m, n)",
        letters: &["R[a]", "C[b]", "R[1]", "C[n]"],
        cells: &["(a, b)", "(1, 1)", "(m, n)", "(a, n)", "(1, b)"],
        sets: &["(a, 1..n)", "(1..m, b)", "{(a, b), (1, 1)}", "(1..a, 1..b)"],
    },
    Board {
        header: "s >= 2 on Rotation(s + 1, s + 1, s)",
        letters: &["T[1, 1]", "T[2, 2]", "T[1, 2]", "T[2, 1]"],
        cells: &["(1, 1)", "(s, s)", "(s + 1, 1)", "(2, s)"],
        sets: &["(1..s, 1)", "(2..s, 2..s)", "(s + 1, 1..s + 1)", "{(1, 1), (s, s + 1)}"],
    },
    Board {
        header: "n >= 3 on Ring(n)",
        letters: &["r", "t", "f"],
        cells: &["1", "n", "2", "n - 1", "3"],
        sets: &["{1..n - 1}", "{1, n}", "{2..n}", "{k for k in 1..n where even(k)}", "set(cells)"],
    },
    Board {
        header: "m >= 2, n >= 2 on Sliding(m, n)",
        letters: &["U", "L", "U", "L", "D", "R"],
        cells: &["(m, n)", "(1, 1)", "(m - 1, n)", "(m, n - 1)"],
        sets: &["(m, 1..n)", "{(m, n), (m - 1, n - 1)}", "(m - 1..m, n - 1..n)"],
    },
];

struct Writer {
    random: Random,
    board: &'static Board,
}

impl Writer {
    fn below(&mut self, count: usize) -> usize {
        self.random.index(count)
    }

    fn one(&mut self, of: &'static [&'static str]) -> String {
        of[self.below(of.len())].to_string()
    }

    fn letter(&mut self) -> String {
        self.one(self.board.letters)
    }

    fn cell(&mut self) -> String {
        self.one(self.board.cells)
    }

    fn word(&mut self, depth: usize) -> String {
        if depth == 0 {
            let letter = self.letter();
            return match self.below(4) {
                0 => format!("{letter}'"),
                1 => format!("{letter}^{}", self.below(3) + 2),
                _ => letter,
            };
        }
        let d = depth - 1;
        match self.below(9) {
            0..=3 => format!("({} {})", self.word(d), self.word(d)),
            4 => format!("({} {} {})", self.word(d), self.word(d), self.word(d)),
            5 => format!("[{}, {}]", self.word(d), self.word(d)),
            6 => format!("[{}: {}]", self.word(d), self.word(d)),
            7 => format!("({})'", self.word(d)),
            _ => format!("({})^{}", self.word(d), self.below(5)),
        }
    }

    fn set(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 1 } else { 7 }) {
            0 => format!("({})", self.one(self.board.sets)),
            1 => format!("({})({})", self.word(d), self.one(self.board.sets)),
            2 => format!("({} | {})", self.set(d), self.set(d)),
            3 => format!("({} & {})", self.set(d), self.set(d)),
            4 => format!("({} - {})", self.set(d), self.set(d)),
            5 => format!("support({})", self.word(d)),
            _ => format!("fixed({})", self.word(d)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let d = depth - 1;
        match self.below(24) {
            0 => format!("({})({}) == {}", self.word(depth), self.cell(), self.cell()),
            1 => format!("({})({}) in {}", self.word(depth), self.cell(), self.set(d)),
            2 => format!("{} == {}", self.set(depth), self.set(d)),
            3 => format!("{} subset {}", self.set(depth), self.set(d)),
            4 => format!("{} == {}", self.word(depth), self.word(d)),
            5 => format!("{} == ({} {})", self.word(d), self.cell(), self.cell()),
            6 => format!("order({}) == {}", self.word(d), self.below(6) + 1),
            7 => format!("is_cycle({}, {})", self.word(d), self.below(3) + 2),
            8 => format!("cycle_type({}) == ({},)", self.word(d), self.below(3) + 2),
            9 => format!("len({}) == {}", self.set(d), self.below(5)),
            10 => format!("len({}) <= len({})", self.set(d), self.set(d)),
            11 => format!("sign({}) == 1", self.word(d)),
            12 => {
                let (u, v) = (self.word(d), self.word(d));
                format!("all(({u} {v})(c) == ({v})(({u})(c)) for c in cells)")
            }
            13 => format!("all(({})(c) == ({})(c) for c in {})", self.word(d), self.word(d), self.set(0)),
            14 => {
                let (u, v) = (self.word(d), self.word(d));
                format!("({u}) ({v}) == ({v}) ({u})")
            }
            15 => {
                let (u, v) = (self.word(d), self.word(d));
                format!("support([{u}: {v}]) == (({u})')(support({v}))")
            }
            16 => {
                let (u, v) = (self.word(d), self.word(d));
                format!("[{u}, {v}] == [{v}, {u}]'")
            }
            17 => format!("any(({})(c) == c for c in {})", self.word(d), self.set(0)),
            18 => format!("({})^{} == 1", self.word(d), self.below(6)),
            19 => format!("len(cycles({})) == {}", self.word(d), self.below(3) + 1),
            20 => format!("perm({}) == perm({})", self.word(d), self.word(d)),
            21 => format!("{} in support({})", self.cell(), self.word(d)),
            22 => format!("length({}) == {} and runs({}) <= 9", self.word(d), self.below(8), self.word(d)),
            _ => {
                let word = self.letter();
                format!("{word}^n == {word}^({})", self.below(3))
            }
        }
    }
}

#[test]
fn random_words_agree_with_the_plain_machine() {
    let (first, count) = (number_from("PERM_SEED", 0), number_from("PERM_CLAIMS", 60));
    let mut counted = [0; 3];
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let board = &BOARDS[random.index(BOARDS.len())];
        let mut writer = Writer { random, board };
        let depth = 1 + writer.below(3);
        let mut text = RING.to_string();
        let _ = writeln!(text, "claim \"{seed}\" for all {} {{\n  assert {}\n}}", board.header, writer.truth(depth));
        if std::env::var_os("PERM_SHOW").is_some() {
            eprintln!("{}", &text[RING.len()..]);
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
}
