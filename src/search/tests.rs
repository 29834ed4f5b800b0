mod plain;

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

fn unlimited() -> Work<'static> {
    Work::unlimited()
}

fn identity(n: usize) -> Vec<u32> {
    (0..n as u32).collect()
}

fn without_blank(degree: usize, moves: Vec<Perm>) -> Space {
    let moves = moves.into_iter().map(|perm| Mover { steps: vec![Some(perm)] }).collect();
    Space { degree, blank: None, moves }
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

/// Stickers of the cube with so many layers; quarter turns of some faces (axis, side) in one direction.
fn cube(n: i32, faces: &[(usize, i32)]) -> (usize, Vec<Perm>) {
    let mut stickers: Vec<([i32; 3], [i32; 3])> = Vec::new();
    for (axis, side) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
        for (a, b) in (0..n * n).map(|k| (2 * (k / n) + 1 - n, 2 * (k % n) + 1 - n)) {
            let (mut at, mut normal) = ([0; 3], [0; 3]);
            (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (side * (n - 1), a, b);
            normal[axis] = side;
            stickers.push((at, normal));
        }
    }
    let turn = |vector: [i32; 3], axis: usize, side: i32| {
        let mut turned = vector;
        (turned[(axis + 1) % 3], turned[(axis + 2) % 3]) =
            (side * vector[(axis + 2) % 3], -side * vector[(axis + 1) % 3]);
        turned
    };
    let perms = faces.iter().map(|&(axis, side)| {
        let image = |&(at, normal): &([i32; 3], [i32; 3])| {
            let moved = if at[axis] == side * (n - 1) {
                (turn(at, axis, side), turn(normal, axis, side))
            } else {
                (at, normal)
            };
            stickers.iter().position(|sticker| *sticker == moved).expect("a sticker") as u32
        };
        Perm::from_images(stickers.iter().map(image).collect()).expect("a turn")
    });
    (stickers.len(), perms.collect())
}

fn quarter_turns(n: i32, faces: &[(usize, i32)]) -> Space {
    let (degree, turns) = cube(n, faces);
    without_blank(degree, turns.iter().flat_map(|turn| [turn.clone(), turn.inverse()]).collect())
}

fn all_turns(n: i32, faces: &[(usize, i32)]) -> Space {
    let (degree, turns) = cube(n, faces);
    without_blank(degree, turns.iter().flat_map(|turn| [turn.clone(), turn.then(turn), turn.inverse()]).collect())
}

const THREE_FACES: [(usize, i32); 3] = [(0, 1), (1, 1), (2, 1)];
const SIX_FACES: [(usize, i32); 6] = [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)];

fn adjacent(n: usize) -> Space {
    let swaps = (1..n as u32).map(|k| Perm::from_cycles(n, &[vec![k - 1, k]]).expect("points"));
    without_blank(n, swaps.collect())
}

fn layers(space: &Space) -> Vec<u64> {
    let growth = space.growth(&identity(space.degree), Limits::most(10_000_000), unlimited()).expect("small");
    assert!(growth.complete);
    growth.layers
}

#[test]
fn eight_puzzle() {
    let known = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
        23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(layers(&sliding(&[3, 3])), known);
}

/// The numbers of the 15-puzzle: OEIS A089473.
#[test]
fn fifteen_puzzle_to_a_depth() {
    let known = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842];
    let limits = Limits { depth: 15, most: 130_000 };
    let growth = sliding(&[4, 4]).growth(&identity(16), limits, unlimited()).expect("enough");
    assert_eq!((growth.layers.as_slice(), growth.complete), (known.as_slice(), false));
    assert_eq!((growth.depth(), growth.total()), (15, known.iter().sum()));
    let less = Limits { depth: 15, most: growth.total() - 1 };
    let refused = sliding(&[4, 4]).growth(&identity(16), less, unlimited());
    assert_eq!(refused, Err(Stopped::TooMany { most: less.most, total: None }));
}

#[test]
fn small_cube() {
    let quarter = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276];
    assert_eq!(layers(&quarter_turns(2, &THREE_FACES)), quarter);
    let half = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    assert_eq!(layers(&all_turns(2, &THREE_FACES)), half);
}

#[test]
fn large_cube_to_a_depth() {
    let space = all_turns(3, &SIX_FACES);
    let start = identity(space.degree);
    let growth = space.growth(&start, Limits { depth: 4, most: 50_000 }, unlimited()).expect("enough");
    assert_eq!(growth.layers, [1, 18, 243, 3240, 43239]);
    let Err(Stopped::TooMany { total: Some(total), .. }) = space.growth(&start, Limits::most(1 << 40), unlimited())
    else {
        panic!("there are too many");
    };
    assert_eq!(total.to_string(), "43252003274489856000");
}

/// Inversions: the coefficients of 1 (1 + q) (1 + q + q²) ….
#[test]
fn adjacent_transpositions() {
    let mut known = vec![1u64];
    for n in 1..=9 {
        assert_eq!(layers(&adjacent(n)), known, "{n}");
        let mut longer = vec![0; known.len() + n];
        known.iter().enumerate().for_each(|(at, count)| (0..=n).for_each(|more| longer[at + more] += count));
        known = longer;
    }
}

#[test]
fn one_long_cycle() {
    let cycle = Perm::from_images((0..5000u32).map(|k| (k + 1) % 5000).collect()).expect("a cycle");
    let refused = without_blank(5000, vec![cycle.clone()]).growth(&identity(5000), Limits::most(4999), unlimited());
    assert_eq!(refused, Err(Stopped::TooMany { most: 4999, total: Some(5000u32.into()) }));
    // 77 cells, 2 · 3 · 5 · 7 · 11 · 13 arrangements in a row
    let mut cycles = Vec::new();
    let mut first = 0;
    for length in [2, 3, 5, 7, 11, 13] {
        cycles.push((first..first + length).collect());
        first += length;
    }
    let thin = without_blank(41, vec![Perm::from_cycles(41, &cycles).expect("points")]);
    assert_eq!(layers(&thin), vec![1; 30030]);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let spaces = [(quarter_turns(2, &[(0, 1), (1, 1)]), 100), (all_turns(3, &SIX_FACES), 4), (adjacent(8), 100)];
    for (space, depth) in &spaces {
        let search = || {
            let spent = AtomicU64::new(0);
            let goes_on = |steps| spent.fetch_add(steps, Ordering::Relaxed) < u64::MAX;
            let mut sum = 0u64;
            let mut found = 0;
            let limits = Limits { depth: *depth, most: 100_000 };
            let flow = space.reachable(&identity(space.degree), limits, Work::new(&goes_on), &mut |depth, places| {
                found += 1;
                for cell in places {
                    sum = sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(*cell) + depth as u64);
                }
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(flow, Ok(ControlFlow::Continue(())));
            (found, sum, spent.into_inner())
        };
        let run =
            |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(search);
        let one = run(1);
        assert!(one.0 > 20_000 && one == run(2) && one == run(5));
    }
}

#[test]
fn work_can_be_stopped() {
    for space in [adjacent(10), sliding(&[4, 4]), all_turns(3, &SIX_FACES)] {
        for allowed in [0, 10, 3000, 100_000] {
            let spent = AtomicU64::new(0);
            let goes_on = |steps| spent.fetch_add(steps, Ordering::Relaxed) + steps <= allowed;
            let limits = Limits { depth: 20, most: 4_000_000 };
            let stopped = space.growth(&identity(space.degree), limits, Work::new(&goes_on));
            assert_eq!(stopped, Err(Stopped::Unfinished(Unfinished::Stopped)));
        }
    }
}

#[test]
fn a_caller_can_break() {
    let space = sliding(&[3, 3]);
    let mut calls = 0;
    let flow = space.reachable(&identity(9), Limits::most(200_000), unlimited(), &mut |depth, places| {
        calls += 1;
        if depth == 20 { ControlFlow::Break(places.to_vec()) } else { ControlFlow::Continue(()) }
    });
    let Ok(ControlFlow::Break(places)) = flow else { panic!("it breaks") };
    assert_eq!(calls, layers(&space)[..20].iter().sum::<u64>() + 1);
    assert_eq!(space.sphere(&identity(9), 20, 200_000, unlimited()).expect("enough").get(0), Some(places.as_slice()));
    // what is too much later does not matter
    let flow = space.reachable(&identity(9), Limits::most(10), unlimited(), &mut |depth, _| match depth {
        2 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(flow, Ok(ControlFlow::Break(())));
}

#[test]
fn what_is_unfit_is_refused() {
    let unfit = |space: &Space, start: &[u32]| {
        matches!(space.growth(start, Limits::most(10), unlimited()), Err(Stopped::Unfit(_)))
    };
    let swap = Perm::from_cycles(3, &[vec![0, 2]]).expect("points");
    assert!(unfit(&without_blank(3, vec![]), &[0, 1]));
    assert!(unfit(&without_blank(3, vec![]), &[0, 1, 1]));
    assert!(unfit(&without_blank(3, vec![]), &[0, 1, 3]));
    assert!(unfit(&without_blank(2, vec![swap.clone()]), &[0, 1]));
    assert!(unfit(&Space { degree: 2, blank: Some(2), moves: vec![] }, &[0, 1]));
    // a permutation of fewer cells fixes the others, one of more is as good if it keeps them
    assert_eq!(layers(&without_blank(5, vec![swap])), [1, 1]);
    let wide = Perm::from_cycles(9, &[vec![0, 1], vec![7, 8]]).expect("points");
    assert_eq!(layers(&without_blank(2, vec![wide])), [1, 1]);
    assert_eq!(layers(&without_blank(0, vec![])), [1]);
    let nowhere =
        Space { degree: 2, blank: Some(0), moves: vec![Mover { steps: vec![] }, Mover { steps: vec![None, None] }] };
    assert_eq!(layers(&nowhere), [1]);
    assert!(matches!(nowhere.growth(&[0, 1], Limits::most(0), unlimited()), Err(Stopped::TooMany { most: 0, .. })));
    let empty = Index::new(&without_blank(0, vec![]), &[], 1, unlimited()).expect("small").expect("numbered");
    assert_eq!((empty.len(), empty.number(&[]), empty.places(0)), (1, Some(0), Some(vec![])));
}
