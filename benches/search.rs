//! Breadth-first search: all arrangements of a puzzle by their depth, on one thread and on all, and how much longer a plain program takes.
//!
//! `cargo bench --bench search` prints a line for each puzzle; further arguments choose puzzles by parts of their names. The plain
//! program is what one writes first in a fast language: a hash set of arrangements in 128 bits, and lists of them for the layers.
//! `ranked` is better than that, where it can be had: an array of bytes by lexicographic rank, for permutations of up to 10 cells. Both must find the same.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use perm::group::Work;
use perm::perm::Perm;
use perm::search::{Limits, Mover, Space};
use perm::session::Session;
use rustc_hash::FxHashSet;

const ROUNDS: usize = 5;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    type Puzzle = (&'static str, usize, fn() -> Space);
    let puzzles: [Puzzle; 11] = [
        ("board 3x3", usize::MAX, || sliding(&[3, 3])),
        ("board 2x2x2", usize::MAX, || sliding(&[2, 2, 2])),
        ("board 2x5", usize::MAX, || sliding(&[2, 5])),
        ("2x2x2, quarter turns", usize::MAX, || turns("Cube(2)", "URF", false)),
        ("2x2x2, all turns", usize::MAX, || turns("Cube(2)", "URF", true)),
        ("10 in a row, swaps", usize::MAX, || row(10)),
        ("Pyraminx", usize::MAX, || standard("Pyraminx")),
        ("Skewb", usize::MAX, || standard("Skewb")),
        ("board 4x4, 22 deep", 22, || sliding(&[4, 4])),
        ("3x3x3, 5 deep", 5, || turns("Cube(3)", "UDFBRL", true)),
        ("11 in a row, swaps", usize::MAX, || row(11)),
    ];
    println!(
        "{:22} {:>10} {:>6} {:>9} {:>9} {:>9} {:>10} {:>10} {:>8}",
        "", "total", "depth", "1 ms", "all ms", "list ms", "plain ms", "ranked ms", "ratio"
    );
    for (name, depth, make) in puzzles {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let space = make();
        let start: Vec<u32> = (0..space.degree as u32).collect();
        let limits = Limits { depth, most: 100_000_000 };
        let growth = || space.growth(&start, limits, Work::unlimited()).expect("small");
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let found = growth();
        let large = found.total() > 10_000_000;
        let single = one.install(|| median((0..ROUNDS).map(|_| time(growth).1)));
        let all = median((0..ROUNDS).map(|_| time(growth).1));
        let list = || {
            let mut sum = 0;
            let flow = space.reachable(&start, limits, Work::unlimited(), &mut |_, places| {
                sum += places[0];
                ControlFlow::<()>::Continue(())
            });
            assert!(flow.is_ok_and(|flow| flow.is_continue()));
            sum
        };
        let list = time(list).1;
        let few = !large && space.degree <= 32;
        let plain = few.then(|| time(|| plain(&space, &start, depth)));
        let ranked = (space.degree <= 10).then(|| time(|| ranked(&space, &start)));
        for (layers, _) in plain.iter().chain(&ranked) {
            assert_eq!(*layers, found.layers, "{name}");
        }
        let best = [&plain, &ranked].into_iter().flatten().map(|(_, ms)| *ms).reduce(f64::min);
        let shown = |ms: Option<f64>| ms.map_or(String::new(), |ms| format!("{ms:.1}"));
        println!(
            "{name:22} {:10} {:6} {single:9.2} {all:9.2} {list:9.1} {:>10} {:>10} {:>8}",
            found.total(),
            found.depth(),
            shown(plain.map(|(_, ms)| ms)),
            shown(ranked.map(|(_, ms)| ms)),
            best.map_or(String::new(), |best| format!("{:.0}x", best / all)),
        );
    }
}

fn time<T>(compute: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = black_box(compute());
    (result, start.elapsed().as_secs_f64() * 1e3)
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Tiles on a board with one blank, the last tile; it moves along the axes of the board in both directions.
fn sliding(sides: &[usize]) -> Space {
    let cells: usize = sides.iter().product();
    let mut moves = Vec::new();
    let mut stride = 1;
    for side in sides {
        let swap = |a: usize, b: usize| Perm::from_cycles(cells, &[vec![a as u32, b as u32]]).ok();
        let at = |cell: usize| cell / stride % side;
        let up = |cell| if at(cell) + 1 < *side { swap(cell, cell + stride) } else { None };
        let down = |cell| if at(cell) > 0 { swap(cell, cell - stride) } else { None };
        moves.push(Mover { steps: (0..cells).map(up).collect() });
        moves.push(Mover { steps: (0..cells).map(down).collect() });
        stride *= side;
    }
    Space { degree: cells, blank: Some(cells as u32 - 1), moves }
}

fn without_blank(degree: usize, moves: impl Iterator<Item = Perm>) -> Space {
    let moves = moves.map(|perm| Mover { steps: vec![Some(perm)] }).collect();
    Space { degree, blank: None, moves }
}

fn row(n: usize) -> Space {
    let swap = move |k: u32| Perm::from_cycles(n, &[vec![k, k + 1]]).expect("points");
    without_blank(n, (0..n as u32 - 1).map(swap))
}

fn generators(puzzle: &str) -> (usize, Vec<(String, Perm)>) {
    let (alphabet, letters) = Session::new(Default::default()).alphabet(puzzle).map_err(|_| puzzle).expect("a puzzle");
    let perm = |letter: &usize| Some((alphabet.name(*letter).to_string(), alphabet.perm(*letter)?.clone()));
    (alphabet.degree(), letters.iter().filter_map(perm).collect())
}

/// A standard puzzle with its moves in both directions.
fn standard(puzzle: &str) -> Space {
    let (degree, perms) = generators(puzzle);
    without_blank(degree, perms.into_iter().flat_map(|(_, perm)| [perm.inverse(), perm]))
}

/// Some faces of a cube.
fn turns(puzzle: &str, faces: &str, half: bool) -> Space {
    let (degree, perms) = generators(puzzle);
    let perms = perms.into_iter().filter(|(name, _)| faces.contains(name.as_str()));
    let ways = |perm: Perm| [Some(perm.inverse()), half.then(|| perm.then(&perm)), Some(perm)];
    without_blank(degree, perms.flat_map(|(_, perm)| ways(perm)).flatten())
}

/// The images of a move in each cell of the blank, as arrays.
fn arrays(space: &Space) -> Vec<Vec<Vec<u8>>> {
    let cells = if space.blank.is_some() { space.degree } else { 1 };
    let bytes = |perm: &Perm| perm.images().iter().map(|cell| *cell as u8).collect();
    let at = |cell: usize| space.moves.iter().filter_map(|mover| mover.steps[cell].as_ref()).map(bytes).collect();
    (0..cells).map(at).collect()
}

fn blank(space: &Space, places: &[u8]) -> usize {
    space.blank.map_or(0, |blank| usize::from(places[blank as usize]))
}

/// A hash set. Only tiles that move are written, 5 bits each; for a cube's corner one of three stickers is enough, so more do not fit.
fn plain(space: &Space, start: &[u32], depth: usize) -> Vec<u64> {
    let arrays = arrays(space);
    let moved: Vec<usize> = (0..space.degree)
        .filter(|cell| arrays.iter().flatten().any(|images| usize::from(images[*cell]) != *cell))
        .collect();
    let bits = if space.degree <= 32 { 5 } else { 6 };
    let kept: Vec<usize> = moved.into_iter().rev().take(128 / bits).rev().collect();
    let pack = |places: &[u8]| kept.iter().fold(0u128, |key, tile| key << bits | u128::from(places[*tile]));
    let mut places: Vec<u8> = start.iter().map(|cell| *cell as u8).collect();
    let mut seen = FxHashSet::from_iter([pack(&places)]);
    let mut layer: Vec<u128> = seen.iter().copied().collect();
    let mut counts = Vec::new();
    let mut moved = places.clone();
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        if counts.len() > depth {
            break;
        }
        let mut next = Vec::new();
        for mut key in layer {
            for tile in kept.iter().rev() {
                places[*tile] = (key & ((1 << bits) - 1)) as u8;
                key >>= bits;
            }
            for images in &arrays[blank(space, &places)] {
                kept.iter().for_each(|tile| moved[*tile] = images[usize::from(places[*tile])]);
                let key = pack(&moved);
                if seen.insert(key) {
                    next.push(key);
                }
            }
        }
        layer = next;
    }
    counts
}

/// A byte for each permutation of up to 10 cells.
fn ranked(space: &Space, start: &[u32]) -> Vec<u64> {
    let n = space.degree;
    let arrays = arrays(space);
    let rank = |places: &[u8]| {
        let mut seen = 0u32;
        places.iter().enumerate().fold(0usize, |rank, (at, place)| {
            let smaller = (seen & ((1 << place) - 1)).count_ones() as usize;
            seen |= 1 << place;
            rank * (n - at) + usize::from(*place) - smaller
        })
    };
    let factorial: Vec<usize> = (0..=n).map(|k| (1..=k).product()).collect();
    let mut places: Vec<u8> = start.iter().map(|cell| *cell as u8).collect();
    let mut seen = vec![false; factorial[n]];
    let mut layer = vec![rank(&places)];
    seen[layer[0]] = true;
    let mut counts = Vec::new();
    let mut moved = places.clone();
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        let mut next = Vec::new();
        for mut number in layer {
            let mut left: Vec<u8> = (0..n as u8).collect();
            for (at, place) in places.iter_mut().enumerate() {
                *place = left.remove(number / factorial[n - 1 - at]);
                number %= factorial[n - 1 - at];
            }
            for images in &arrays[blank(space, &places)] {
                moved.iter_mut().zip(&places).for_each(|(moved, place)| *moved = images[usize::from(*place)]);
                let number = rank(&moved);
                if !std::mem::replace(&mut seen[number], true) {
                    next.push(number);
                }
            }
        }
        layer = next;
    }
    counts
}
