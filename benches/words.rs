//! Words: how long it takes to find out what they do, and, if GAP (`gap`) is on the path, how much
//! longer GAP takes for the same.
//!
//! `cargo bench --bench words` prints a line for each workload. A computer's speed drifts, so GAP
//! and we take turns and only the ratio of the medians means much. Both sides are checked to give
//! the same permutations.

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use num_bigint::BigInt;
use perm::perm::Perm;
use perm::word::{Alphabet, Letter, Word};

const ROUNDS: usize = 5;
/// How many words are built before they are evaluated.
const BATCH: usize = 10;

/// A puzzle, and the generators that play A, B and C in the nested expressions.
struct Puzzle {
    name: &'static str,
    alphabet: Arc<Alphabet>,
    roles: [usize; 3],
    letters: usize,
}

fn main() {
    let puzzles = [
        Puzzle { name: "3x3x3", alphabet: cube(), roles: [0, 2, 4], letters: 1_000_000 },
        Puzzle { name: "torus 16x16", alphabet: torus(16), roles: [0, 16, 1], letters: 1_000_000 },
        Puzzle { name: "blocks 100x101", alphabet: blocks(100), roles: [0, 1, 0], letters: 20_000 },
    ];
    let with_gap = Command::new("gap").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !with_gap {
        println!("gap is not on the path: only our own times");
    }
    println!("{:34} {:>14} {:>14} {:>8}", "", "ns", "gap ns", "ratio");
    for puzzle in &puzzles {
        let script = gap_script(puzzle);
        let mut ours: Vec<Vec<Timing>> = Vec::new();
        let mut theirs: Vec<Vec<Timing>> = Vec::new();
        for _ in 0..ROUNDS {
            ours.push(measure(puzzle));
            if with_gap {
                theirs.push(run_gap(&script));
            }
        }
        for (k, first) in ours[0].iter().enumerate() {
            let our = median(ours.iter().map(|round| round[k].ns));
            let label = format!("{} {}", puzzle.name, first.what);
            match theirs.iter().map(|round| round.iter().find(|t| t.what == first.what)).collect::<Option<Vec<_>>>() {
                Some(found) if !found.is_empty() => {
                    let their = median(found.iter().map(|t| t.ns));
                    assert_eq!(found[0].fingerprint, first.fingerprint, "{label}: GAP differs");
                    println!("{label:34} {our:14.2} {their:14.2} {:7.1}x", their / our);
                }
                _ => println!("{label:34} {our:14.2} {:>14} {:>8}", "", ""),
            }
        }
    }
}

/// Nanoseconds for a letter, a word or an expression, and what was computed.
struct Timing {
    what: String,
    ns: f64,
    fingerprint: u64,
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn fingerprint(perm: &Perm) -> u64 {
    let terms = perm.images().iter().zip(1u64..).map(|(&x, i)| i * (u64::from(x) + 1));
    terms.sum::<u64>() % 1_000_000_007
}

/// The letters of all workloads, the same here and in GAP.
fn random_letters(generators: usize, count: usize) -> Vec<Letter> {
    let mut x = 1u64;
    let mut next = || {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let code = (x >> 33) as usize % (2 * generators);
        Letter::new(code / 2, code % 2 == 1)
    };
    (0..count).map(|_| next()).collect()
}

fn word(alphabet: &Arc<Alphabet>, letters: &[Letter]) -> Word {
    Word::letters(alphabet, letters.to_vec()).expect("letters of this alphabet")
}

/// Words are made before the clock starts, except where making them is the point: a word remembers
/// what it does, so each is evaluated once.
fn measure(puzzle: &Puzzle) -> Vec<Timing> {
    let s = &puzzle.alphabet;
    let mut timings = Vec::new();
    let mut note = |what: &str, ns: f64, result: &Perm| {
        timings.push(Timing { what: what.into(), ns, fingerprint: fingerprint(result) });
    };
    let letters = random_letters(s.len(), puzzle.letters);
    let long = word(s, &letters);
    let start = Instant::now();
    let result = long.evaluate();
    note("long word, a letter", start.elapsed().as_nanos() as f64 / letters.len() as f64, &result);

    let short: Vec<Word> = letters.chunks_exact(12).map(|chunk| word(s, chunk)).collect();
    let start = Instant::now();
    for short in &short {
        black_box(short.evaluate());
    }
    let ns = start.elapsed().as_nanos() as f64 / short.len() as f64;
    note("12-letter words, a word", ns, &short[short.len() - 1].evaluate());

    let [a, b, c] = puzzle.roles.map(|g| word(s, &[Letter::new(g, false)]));
    let [b1, c1] = [b.inverse(), c.inverse()];
    let batches = if s.degree() > 1000 { 5 } else { 100 };
    let nested = || {
        let inner = a.then(&b).expect("one puzzle").pow(&BigInt::from(1001));
        inner.then(&c).expect("one puzzle").pow(&BigInt::from(1001))
    };
    let tower = || {
        let mut tower = a.clone();
        for k in 0..30 {
            // GAP's commutator is that of the inverses.
            let other = if k % 2 == 0 { &b1 } else { &c1 };
            tower = Word::commutator(&tower.inverse(), other).expect("one puzzle");
        }
        tower
    };
    let giant = BigInt::from(7).pow(1183);
    let long_power = || a.then(&b).expect("one puzzle").pow(&giant);
    let expressions: [(&str, &dyn Fn() -> Word); 3] =
        [("((A B)^1001 C)^1001", &nested), ("30 nested commutators", &tower), ("(A B)^(1000 digits)", &long_power)];
    for (what, build) in expressions {
        let (mut all, mut evaluating) = (0, 0);
        let mut result = Perm::identity(0);
        for _ in 0..batches {
            // Few words at a time, so that they are still in the cache.
            let start = Instant::now();
            let words: Vec<Word> = (0..BATCH).map(|_| build()).collect();
            let built = Instant::now();
            for word in &words {
                result = black_box(word.evaluate());
            }
            evaluating += built.elapsed().as_nanos();
            drop(words);
            all += start.elapsed().as_nanos();
        }
        let count = f64::from(batches) * BATCH as f64;
        note(what, evaluating as f64 / count, &result);
        note(&format!("{what}, built"), all as f64 / count, &result);
    }
    timings
}

fn gap_script(puzzle: &Puzzle) -> String {
    let s = &puzzle.alphabet;
    let one_based = |perm: &Perm| {
        let images: Vec<String> = perm.images().iter().map(|x| (x + 1).to_string()).collect();
        format!("PermList([{}])", images.join(","))
    };
    let gens: Vec<String> = s.perms().iter().map(one_based).collect();
    let [a, b, c] = puzzle.roles.map(|g| g + 1);
    let times = if s.degree() > 1000 { 20 } else { 1000 };
    format!(
        r#"gens := [{gens}];; n := {n};; LEN := {length};;
x := 1;; M := 2^64;; w := [];;
for k in [1..LEN] do x := (6364136223846793005*x+1442695040888963407) mod M; Add(w, 1 + (QuoInt(x, 2^33) mod (2*Length(gens)))); od;
L := [];; for g in gens do Add(L, g); Add(L, g^-1); od;
fp := p -> Sum([1..n], i -> i*(i^p)) mod 1000000007;;
note := function(what, t, count, p) Print("@", what, "@", QuoInt(t*1000, count), "@", fp(p), "\n"); end;;
A := gens[{a}];; B := gens[{b}];; C := gens[{c}];;
run := function() local t, p, k, i, r, j;
t := NanosecondsSinceEpoch(); p := (); for k in w do p := p*L[k]; od; t := NanosecondsSinceEpoch() - t;
note("long word, a letter", t, LEN, p);
t := NanosecondsSinceEpoch(); for i in [0..QuoInt(LEN,12)-1] do p := (); for j in [12*i+1..12*i+12] do p := p*L[w[j]]; od; od; t := NanosecondsSinceEpoch() - t;
note("12-letter words, a word", t, QuoInt(LEN,12), p);
t := NanosecondsSinceEpoch(); for i in [1..{times}] do r := ((A*B)^1001*C)^1001; od; t := NanosecondsSinceEpoch() - t;
note("((A B)^1001 C)^1001", t, {times}, r); note("((A B)^1001 C)^1001, built", t, {times}, r);
t := NanosecondsSinceEpoch(); for i in [1..{times}] do r := A; for k in [1..30] do if k mod 2 = 1 then r := Comm(r, B); else r := Comm(r, C); fi; od; od; t := NanosecondsSinceEpoch() - t;
note("30 nested commutators", t, {times}, r); note("30 nested commutators, built", t, {times}, r);
j := 7^1183;
t := NanosecondsSinceEpoch(); for i in [1..{times}] do r := (A*B)^j; od; t := NanosecondsSinceEpoch() - t;
note("(A B)^(1000 digits)", t, {times}, r); note("(A B)^(1000 digits), built", t, {times}, r);
end;;
run();
QUIT_GAP(0);
"#,
        gens = gens.join(","),
        n = s.degree(),
        length = puzzle.letters,
    )
}

/// Runs a script and reads its lines `@what@picoseconds@fingerprint`.
fn run_gap(script: &str) -> Vec<Timing> {
    let mut command = Command::new("gap");
    command.args(["-q", "-A", "--nointeract", "/dev/stdin"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("gap starts");
    let mut input = child.stdin.take().expect("gap reads");
    input.write_all(script.as_bytes()).expect("gap reads all");
    drop(input);
    let output = child.wait_with_output().expect("gap ends");
    let text = String::from_utf8_lossy(&output.stdout).replace("\\\n", "");
    let lines = text.lines().filter_map(|line| line.strip_prefix('@'));
    lines
        .filter_map(|line| {
            let mut fields = line.split('@');
            let what = fields.next()?.to_owned();
            let ns = fields.next()?.trim().parse::<f64>().ok()? / 1000.0;
            Some(Timing { what, ns, fingerprint: fields.next()?.trim().parse().ok()? })
        })
        .collect()
}

fn alphabet(degree: usize, moves: Vec<(String, Vec<u32>)>) -> Arc<Alphabet> {
    let perm = |images| Perm::from_images(images).expect("a move is a bijection");
    Alphabet::new(degree, moves.into_iter().map(|(name, images)| (name, perm(images))).collect())
}

/// The stickers of the 3x3x3 cube under quarter turns of its six faces.
fn cube() -> Arc<Alphabet> {
    let mut stickers: Vec<([i32; 3], [i32; 3])> = Vec::new();
    for axis in 0..3 {
        for side in [-1, 1] {
            for (u, v) in (-1..=1).flat_map(|u| (-1..=1).map(move |v| (u, v))) {
                let mut at = [0; 3];
                (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (side, u, v);
                let mut normal = [0; 3];
                normal[axis] = side;
                stickers.push((at, normal));
            }
        }
    }
    let mut moves = Vec::new();
    for (name, axis, side) in [("U", 2, 1), ("D", 2, -1), ("F", 0, 1), ("B", 0, -1), ("R", 1, 1), ("L", 1, -1)] {
        let turn = |v: [i32; 3]| {
            let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut w = v;
            (w[p], w[q]) = (side * v[q], -side * v[p]);
            w
        };
        let image = |&(at, normal): &([i32; 3], [i32; 3])| match at[axis] == side {
            true => (turn(at), turn(normal)),
            false => (at, normal),
        };
        let place = |s| stickers.iter().position(|t| *t == s).expect("a sticker") as u32;
        moves.push((name.to_owned(), stickers.iter().map(|s| place(image(s))).collect()));
    }
    alphabet(54, moves)
}

/// The n x n torus: rows and columns move by one.
fn torus(n: usize) -> Arc<Alphabet> {
    let mut moves = Vec::new();
    for (name, row) in [("R", true), ("C", false)] {
        for k in 0..n {
            let image = |cell: usize| match (cell / n, cell % n) {
                (i, j) if row && i == k => i * n + (j + 1) % n,
                (i, j) if !row && j == k => (i + 1) % n * n + j,
                _ => cell,
            };
            let images = (0..n * n).map(|cell| image(cell) as u32).collect();
            moves.push((format!("{name}[{}]", k + 1), images));
        }
    }
    alphabet(n * n, moves)
}

/// n rows and n + 1 columns; X and Y turn the left and the right n x n block counter-clockwise.
fn blocks(n: usize) -> Arc<Alphabet> {
    let width = n + 1;
    let turn = |shift: usize| {
        let image = move |cell: usize| match (cell / width, cell % width) {
            (i, j) if (shift..shift + n).contains(&j) => (n - 1 - (j - shift)) * width + i + shift,
            _ => cell,
        };
        (0..n * width).map(|cell| image(cell) as u32).collect()
    };
    alphabet(n * width, vec![("X".into(), turn(0)), ("Y".into(), turn(1))])
}
