//! Factorisation: how short the words are that we find for random elements of puzzle groups, how long it takes, and, if GAP
//! (`gap`) is on the path, the same for GAP's `EpimorphismFromFreeGroup`.
//!
//! `cargo bench --bench factor` prints two lines for each puzzle; further arguments choose puzzles by parts of their names.
//! Letters are single moves: X^2 has two. Every word is evaluated before it is counted. A computer's speed drifts, so GAP
//! runs right after us and only the ratios mean much.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use num_traits::ToPrimitive;
use perm::group::Work;
use perm::group::factor::{Effort, Factoriser};
use perm::perm::Perm;
use perm::random::Random;
use perm::word::{Alphabet, Letter, Word};

const COUNT: usize = 200;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let with_gap = Command::new("gap").arg("--version").stdout(Stdio::null()).status().is_ok();
    type Puzzle = (&'static str, fn() -> Arc<Alphabet>, bool);
    let puzzles: [Puzzle; 14] = [
        ("2x2x2", || cube(2, "URF", 1), true),
        ("3x3x3", || cube(3, "UDFBRL", 1), true),
        ("Pyraminx", pyraminx, true),
        ("Skewb", skewb, true),
        ("3x3 board, 2x2 blocks", || blocks(3, 3, 2), true),
        ("5x6 board, 5x5 blocks", || blocks(5, 6, 5), true),
        ("torus 8x8", || torus(8), true),
        ("8x9 board, 8x8 blocks", || blocks(8, 9, 8), false),
        ("4x4x4", || cube(4, "UDFBRL", 2), false),
        ("5x5x5", || cube(5, "UDFBRL", 2), false),
        ("Megaminx", megaminx, false),
        ("7x7x7", || cube(7, "UDFBRL", 3), false),
        ("20x21 board, 20x20 blocks", || blocks(20, 21, 20), false),
        ("100x101 board, 100x100 blocks", || blocks(100, 101, 100), false),
    ];
    for (name, make, gap_can) in puzzles {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let alphabet = make();
        let targets = scrambles(&alphabet);
        let short = alphabet.degree() <= 256;
        for effort in [Effort::Quick, Effort::Short].into_iter().take(if short { 2 } else { 1 }) {
            measure(name, &alphabet, &targets, effort);
        }
        if with_gap && gap_can {
            print_gap(name, &run_gap(&gap_script(&alphabet)));
        }
    }
}

/// Products of many random moves.
fn scrambles(alphabet: &Arc<Alphabet>) -> Vec<Perm> {
    let mut random = Random::new(42);
    let count = if alphabet.degree() > 400 { 3 } else { COUNT };
    let length = (20 * alphabet.degree()).max(1000);
    let mut letter = || Letter::new(random.index(alphabet.len()), random.index(2) == 0);
    (0..count)
        .map(|_| Word::letters(alphabet, (0..length).map(|_| letter()).collect()).expect("letters").evaluate())
        .collect()
}

fn measure(name: &str, alphabet: &Arc<Alphabet>, targets: &[Perm], effort: Effort) {
    let letters: Vec<usize> = (0..alphabet.len()).collect();
    let start = Instant::now();
    let factoriser = Factoriser::new(alphabet, &letters, effort, None, Work::unlimited()).expect("no limit");
    let setup = start.elapsed().as_secs_f64() * 1e3;
    let mut times = Vec::new();
    let mut lengths = Vec::new();
    for target in targets {
        let start = Instant::now();
        let word = factoriser.factor(target, Work::unlimited()).expect("no limit").expect("a member");
        times.push(start.elapsed().as_secs_f64() * 1e6);
        assert_eq!(word.evaluate_on(alphabet).expect("its alphabet"), *target);
        lengths.push(word.length().to_f64().unwrap_or(f64::INFINITY));
    }
    print_line(&format!("{name}, {effort:?}"), setup, lengths, times);
}

fn print_line(what: &str, setup: f64, mut lengths: Vec<f64>, mut times: Vec<f64>) {
    lengths.sort_by(f64::total_cmp);
    times.sort_by(f64::total_cmp);
    let count = lengths.len();
    let number = |x: f64| if x < 1e7 { format!("{x:.0}") } else { format!("{x:.1e}") };
    println!(
        "{what:38} set-up {setup:9.1} ms  letters min {:>6} median {:>6} mean {:>7} max {:>7}  us median {:9.1} max {:9.1}",
        number(lengths[0]),
        number(lengths[count / 2]),
        if lengths[count / 2] < 1e7 { format!("{:.1}", lengths.iter().sum::<f64>() / count as f64) } else { "".into() },
        number(lengths[count - 1]),
        times[count / 2],
        times[count - 1],
    );
}

fn gap_script(alphabet: &Alphabet) -> String {
    let one_based = |perm: &Perm| {
        let images: Vec<String> = perm.images().iter().map(|x| (x + 1).to_string()).collect();
        format!("PermList([{}])", images.join(","))
    };
    let gens: Vec<String> = alphabet.perms().iter().map(one_based).collect();
    let names: Vec<String> = (0..gens.len()).map(|k| format!("\"g{k}\"")).collect();
    format!(
        r#"gens := [{}];; names := [{}];;
t := NanosecondsSinceEpoch();;
G := Group(gens);; Size(G);; hom := EpimorphismFromFreeGroup(G:names:=names);; PreImagesRepresentative(hom, gens[1]);;
Print("@", NanosecondsSinceEpoch() - t, "\n");
Reset(GlobalMersenneTwister, 42);; Reset(GlobalRandomSource, 42);;
run := function() local i, e, t, w; for i in [1..{COUNT}] do e := Random(G);
t := NanosecondsSinceEpoch(); w := PreImagesRepresentative(hom, e); t := NanosecondsSinceEpoch() - t;
if Length(w) < 1000 and Image(hom, w) <> e then Print("@wrong\n"); fi;
Print("@", t, "@", Length(w), "\n"); od; end;;
run();
QUIT_GAP(0);
"#,
        gens.join(","),
        names.join(","),
    )
}

/// Runs a script and reads its numbers.
fn run_gap(script: &str) -> Vec<Vec<f64>> {
    let mut command = Command::new("gap");
    command.args(["-q", "-A", "--nointeract", "/dev/stdin"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("gap starts");
    let mut input = child.stdin.take().expect("gap reads");
    input.write_all(script.as_bytes()).expect("gap reads all");
    drop(input);
    let output = child.wait_with_output().expect("gap ends");
    let text = String::from_utf8_lossy(&output.stdout).replace("\\\n", "");
    let fields = |line: &str| line.split('@').skip(1).map(|x| x.trim().parse().expect("a number")).collect();
    text.lines().filter(|line| line.starts_with('@')).map(fields).collect()
}

fn print_gap(name: &str, lines: &[Vec<f64>]) {
    let [first, rest @ ..] = lines else { return };
    let lengths = rest.iter().map(|line| line[1]).collect();
    let times = rest.iter().map(|line| line[0] / 1e3).collect();
    print_line(&format!("{name}, GAP"), first[0] / 1e6, lengths, times);
}

fn alphabet(degree: usize, moves: Vec<(String, Vec<u32>)>) -> Arc<Alphabet> {
    let perm = |images| Perm::from_images(images).expect("a move is a bijection");
    Alphabet::new(degree, moves.into_iter().map(|(name, images)| (name, perm(images))).collect())
}

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Turns a vector about an axis (Rodrigues).
fn turned(v: Vector, axis: Vector, angle: f64) -> Vector {
    let length = dot(axis, axis).sqrt();
    let k = axis.map(|x| x / length);
    let cross = [k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0]];
    let (sin, cos) = angle.sin_cos();
    [0, 1, 2].map(|i| v[i] * cos + cross[i] * sin + k[i] * dot(k, v) * (1.0 - cos))
}

/// A puzzle of stickers, each a place and a direction; a move turns those whose place lies far enough along its axis.
fn twisty(stickers: &[(Vector, Vector)], moves: &[(Vector, f64, std::ops::Range<f64>)]) -> Arc<Alphabet> {
    let near = |a: Vector, b: Vector| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-6);
    let image = |(axis, angle, range): &(Vector, f64, std::ops::Range<f64>), k: usize| {
        let (at, normal) = stickers[k];
        if !range.contains(&dot(at, *axis)) {
            return k as u32;
        }
        let (at, normal) = (turned(at, *axis, *angle), turned(normal, *axis, *angle));
        stickers.iter().position(|s| near(s.0, at) && near(s.1, normal)).expect("a sticker") as u32
    };
    let named = |(k, m)| (format!("M{k}"), (0..stickers.len()).map(|s| image(m, s)).collect());
    alphabet(stickers.len(), moves.iter().enumerate().map(named).collect())
}

const FACES: [(char, Vector); 6] = [
    ('U', [0.0, 0.0, 1.0]),
    ('D', [0.0, 0.0, -1.0]),
    ('F', [0.0, -1.0, 0.0]),
    ('B', [0.0, 1.0, 0.0]),
    ('R', [1.0, 0.0, 0.0]),
    ('L', [-1.0, 0.0, 0.0]),
];

/// The n x n x n cube: quarter turns of the outer `layers` of the faces named.
fn cube(n: i32, faces: &str, layers: i32) -> Arc<Alphabet> {
    let line = || (0..n).map(move |i| f64::from(2 * i - n + 1));
    let mut stickers = Vec::new();
    let mut moves = Vec::new();
    for (name, normal) in FACES {
        let axis = normal.iter().position(|x| *x != 0.0).expect("a normal");
        for (a, b) in line().flat_map(|a| line().map(move |b| (a, b))) {
            let mut at = normal.map(|x| x * f64::from(n - 1));
            (at[(axis + 1) % 3], at[(axis + 2) % 3]) = (a, b);
            stickers.push((at, normal));
        }
        for layer in (0..layers).filter(|_| faces.contains(name)) {
            let height = f64::from(n - 1 - 2 * layer);
            moves.push((normal, -std::f64::consts::FRAC_PI_2, height - 0.5..height + 0.5));
        }
    }
    twisty(&stickers, &moves)
}

/// Four axial pieces and six edges; the trivial tips are left out.
fn pyraminx() -> Arc<Alphabet> {
    let corners: [Vector; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let mut stickers = Vec::new();
    for face in 0..4 {
        let normal = corners[face].map(|x| -x);
        for i in (0..4).filter(|i| *i != face) {
            stickers.push((corners[i], normal));
            for j in (0..i).filter(|j| *j != face) {
                stickers.push(([0, 1, 2].map(|k| (corners[i][k] + corners[j][k]) / 2.0), normal));
            }
        }
    }
    let third = -2.0 * std::f64::consts::FRAC_PI_3;
    twisty(&stickers, &corners.map(|axis| (axis, third, 0.9..9.0)))
}

/// One corner is held still: the four turns of the halves that do not contain it.
fn skewb() -> Arc<Alphabet> {
    let mut stickers: Vec<(Vector, Vector)> = FACES.iter().map(|face| (face.1, face.1)).collect();
    let mut moves = Vec::new();
    for k in 0..8 {
        let corner: Vector = [0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 });
        for i in 0..3 {
            let mut normal = [0.0; 3];
            normal[i] = corner[i];
            stickers.push((corner, normal));
        }
        if corner.iter().sum::<f64>() < 0.0 {
            moves.push((corner, -2.0 * std::f64::consts::FRAC_PI_3, 0.1..9.0));
        }
    }
    twisty(&stickers, &moves)
}

/// The dodecahedron whose twelve faces turn: the normals are the corners of an icosahedron.
fn megaminx() -> Arc<Alphabet> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let signs = [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)];
    let corners = signs.iter().flat_map(|&(a, b)| [[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]);
    let normals: Vec<Vector> = corners.map(|v| v.map(|x: f64| x / (1.0 + golden * golden).sqrt())).collect();
    let near = |a: Vector, b: Vector| (dot(a, b) - 0.2f64.sqrt()).abs() < 1e-6;
    let sum = |a: Vector, b: Vector| [0, 1, 2].map(|i| a[i] + b[i]);
    let mut stickers = Vec::new();
    for &face in &normals {
        let around: Vec<Vector> = normals.iter().copied().filter(|&other| near(face, other)).collect();
        for (i, &a) in around.iter().enumerate() {
            stickers.push((sum(face, a), face));
            stickers.extend(around[..i].iter().filter(|&&b| near(a, b)).map(|&b| (sum(sum(face, a), b), face)));
        }
    }
    let moves: Vec<_> = normals.iter().map(|&face| (face, -0.4 * std::f64::consts::PI, 1.2..9.0)).collect();
    twisty(&stickers, &moves)
}

/// The n x n torus: rows move right and columns move down by one.
fn torus(n: usize) -> Arc<Alphabet> {
    let mut moves = Vec::new();
    for (name, row) in [("R", true), ("C", false)] {
        for k in 0..n {
            let image = |cell: usize| match (cell / n, cell % n) {
                (i, j) if row && i == k => i * n + (j + 1) % n,
                (i, j) if !row && j == k => (i + 1) % n * n + j,
                _ => cell,
            };
            moves.push((format!("{name}[{}]", k + 1), (0..n * n).map(|cell| image(cell) as u32).collect()));
        }
    }
    alphabet(n * n, moves)
}

/// Every `side` x `side` block of the board turns counter-clockwise.
fn blocks(rows: usize, columns: usize, side: usize) -> Arc<Alphabet> {
    let mut moves = Vec::new();
    for (top, left) in (0..=rows - side).flat_map(|i| (0..=columns - side).map(move |j| (i, j))) {
        let mut images: Vec<u32> = (0..(rows * columns) as u32).collect();
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            images[(top + i) * columns + left + j] = ((top + side - 1 - j) * columns + left + i) as u32;
        }
        moves.push((format!("B{}", moves.len() + 1), images));
    }
    alphabet(rows * columns, moves)
}
