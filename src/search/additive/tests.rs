use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::random::Random;
use crate::search::Mover;

/// Movers that swap the blank, tile 0, from `cell` to where `to(cell)` says.
fn swaps(degree: usize, movers: &[&dyn Fn(usize) -> Option<usize>]) -> Space {
    let step = |from: usize, to: Option<usize>| Perm::from_cycles(degree, &[vec![from as u32, to? as u32]]).ok();
    let mover =
        |to: &&dyn Fn(usize) -> Option<usize>| Mover { steps: (0..degree).map(|cell| step(cell, to(cell))).collect() };
    Space { degree, blank: Some(0), moves: movers.iter().map(mover).collect() }
}

/// A board with sides, glued at its edges or not, without some cells.
fn board(sides: &[usize], glued: bool, holes: &[usize]) -> Space {
    let cells: usize = sides.iter().product();
    let mut movers: Vec<Box<dyn Fn(usize) -> Option<usize>>> = Vec::new();
    let mut stride = 1;
    for &side in sides {
        let (holes, stride_here) = (holes.to_vec(), stride);
        let go = move |cell: usize, up: bool| {
            let at = cell / stride_here % side;
            let inside = if up { at + 1 < side } else { at > 0 };
            let to = (glued || inside).then_some((at + if up { 1 } else { side - 1 }) % side)?;
            let to = cell + to * stride_here - at * stride_here;
            (!holes.contains(&cell) && !holes.contains(&to)).then_some(to)
        };
        let back = go.clone();
        movers.push(Box::new(move |cell| go(cell, true)));
        movers.push(Box::new(move |cell| back(cell, false)));
        stride *= side;
    }
    let movers: Vec<&dyn Fn(usize) -> Option<usize>> = movers.iter().map(|mover| mover.as_ref()).collect();
    swaps(cells, &movers)
}

fn step(space: &Space, places: &[u32], mover: usize) -> Option<Vec<u32>> {
    let perm = space.moves[mover].steps[places[0] as usize].as_ref()?;
    Some(places.iter().map(|cell| perm.image(*cell)).collect())
}

/// Distances of all arrangements to a goal; steps are undone by steps.
fn distances(space: &Space, goal: &[u32], depth: u32) -> HashMap<Vec<u32>, u32> {
    let mut found = HashMap::from([(goal.to_vec(), 0)]);
    let mut queue = VecDeque::from([goal.to_vec()]);
    while let Some(places) = queue.pop_front() {
        let distance = found[&places];
        for next in (0..space.moves.len()).filter_map(|mover| step(space, &places, mover)) {
            if distance < depth && !found.contains_key(&next) {
                found.insert(next.clone(), distance + 1);
                queue.push_back(next);
            }
        }
    }
    found
}

/// The first shortest word, by distances to the goal.
fn first_word(space: &Space, start: &[u32], distances: &HashMap<Vec<u32>, u32>) -> Vec<u32> {
    let (mut places, mut word) = (start.to_vec(), Vec::new());
    while distances[&places] > 0 {
        let next = (0..space.moves.len()).filter_map(|mover| Some((mover, step(space, &places, mover)?)));
        let (mover, next) = next.into_iter().find(|(_, next)| distances[next] < distances[&places]).unwrap();
        word.push(mover as u32);
        places = next;
    }
    word
}

fn word(outcome: Outcome) -> (Vec<u32>, u64) {
    match outcome {
        Outcome::Word { movers, nodes, .. } => (movers, nodes),
        other => panic!("{other:?}"),
    }
}

/// Tables with groups of at most so many tiles.
fn new(space: &Space, home: u32, largest: usize) -> Additive {
    let board = Board::new(space, home).unwrap();
    Additive::with_groups(space, board, largest, Work::unlimited()).unwrap().unwrap()
}

/// Some arrangements, reachable or not, against breadth-first search, with groups of some size.
fn compare(space: &Space, home: u32, size: usize, count: usize) {
    let mut random = Random::new(7);
    let mut shuffled: Vec<u32> = (0..space.degree as u32).collect();
    let mut goal = shuffled.clone();
    goal.swap(0, home as usize);
    let cells: Vec<u32> = Board::new(space, home).unwrap().cells;
    let distances = distances(space, &goal, u32::MAX);
    let mut additive = new(space, home, size);
    let mut known: Vec<&Vec<u32>> = distances.keys().collect();
    known.sort();
    for _ in 0..count {
        let start = known[random.index(known.len())];
        let (movers, _) = word(additive.solve(start, &goal, None, Work::unlimited()).unwrap());
        assert_eq!(movers, first_word(space, start, &distances));
        for i in 1..cells.len() {
            shuffled.swap(cells[i] as usize, cells[random.index(i + 1)] as usize);
        }
        let outcome = additive.solve(&shuffled, &goal, None, Work::unlimited()).unwrap();
        match distances.get(&shuffled) {
            Some(_) => assert_eq!(word(outcome).0, first_word(space, &shuffled, &distances)),
            None => assert_eq!(outcome, Outcome::Impossible),
        }
    }
}

#[test]
fn small_boards_against_breadth_first_search() {
    for size in [1, 2, 3, 5] {
        compare(&board(&[3, 2], false, &[]), 0, size, 60);
        compare(&board(&[3, 2], false, &[]), 4, size, 60);
        compare(&board(&[4, 2], false, &[]), 5, size, 20);
        compare(&board(&[2, 2, 2], false, &[]), 0, size, 20);
    }
}

#[test]
fn boards_with_holes_and_glued_edges() {
    // a ring: the tiles only go round
    compare(&board(&[3, 3], false, &[4]), 0, 3, 20);
    // a corner is missing; a dead end; a cell that nothing reaches
    compare(&board(&[3, 3], false, &[8]), 1, 3, 20);
    compare(&board(&[4, 3], false, &[1, 5, 11, 8]), 3, 2, 20);
    compare(&board(&[3, 3], false, &[1, 3]), 8, 3, 20);
    // no two colours
    compare(&board(&[3, 2], true, &[]), 0, 2, 40);
    compare(&board(&[3, 3], true, &[2, 5]), 0, 3, 20);
    // tiles on a path never change their order
    compare(&board(&[5], false, &[]), 2, 2, 10);
}

#[test]
fn all_of_the_eight_puzzle() {
    let space = board(&[3, 3], false, &[]);
    let goal: Vec<u32> = (0..9).collect();
    let distances = distances(&space, &goal, u32::MAX);
    assert_eq!((distances.len(), distances.values().max()), (181_440, Some(&31)));
    // one group is the whole board, and its table is exact
    let mut additive = new(&space, 0, 8);
    additive.prepare(Work::unlimited()).unwrap();
    let plan = additive.levels.last().and_then(|level| level.plan.as_ref()).unwrap();
    for (start, distance) in &distances {
        let position = additive.position(start, &goal).unwrap().unwrap();
        assert_eq!(plan.bound(&plan.start(&additive.board, &position.tile, position.blank)), *distance);
    }
    // smaller groups give lower bounds, and the search the rest
    for size in [3, 4] {
        let mut additive = new(&space, 0, size);
        for (start, distance) in distances.iter().filter(|(start, _)| start[1] == 7 && start[2] == 3 && start[0] == 5) {
            let (movers, _) = word(additive.solve(start, &goal, None, Work::unlimited()).unwrap());
            assert_eq!(movers.len(), *distance as usize);
            assert_eq!(movers, first_word(&space, start, &distances));
        }
    }
}

#[test]
fn fifteen_puzzle_against_search_from_both_sides() {
    let space = board(&[4, 4], false, &[]);
    let mut random = Random::new(15);
    let goal: Vec<u32> = (0..16).collect();
    let mut additive = new(&space, 0, 4);
    let near = distances(&space, &goal, 11);
    for length in [0, 1, 5, 12, 17, 20, 22, 22] {
        let mut start = goal.clone();
        for _ in 0..length {
            start = (0..).find_map(|_| step(&space, &start, random.index(4))).unwrap();
        }
        let back = distances(&space, &start, 11);
        let met = near.iter().filter_map(|(places, distance)| Some(back.get(places)? + distance)).min();
        let (movers, _) = word(additive.solve(&start, &goal, None, Work::unlimited()).unwrap());
        assert_eq!(Some(movers.len() as u32), met);
        let end = movers.iter().fold(start, |places, mover| step(&space, &places, *mover as usize).unwrap());
        assert_eq!(end, goal);
    }
}

/// Korf's twelfth position (1985), whose shortest words have 45 moves.
const TWELFTH: [u32; 16] = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15];

fn korf(tiles: &[u32; 16]) -> Vec<u32> {
    let mut places = vec![0; 16];
    tiles.iter().zip(0..).for_each(|(tile, cell)| places[*tile as usize] = cell);
    places
}

#[test]
fn a_published_position_on_any_number_of_threads() {
    let space = board(&[4, 4], false, &[]);
    let goal: Vec<u32> = (0..16).collect();
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut additive = new(&space, 0, 5);
            let steps = AtomicU64::new(0);
            let count = |more: u64| {
                steps.fetch_add(more, Ordering::Relaxed);
                true
            };
            let outcome = additive.solve(&korf(&TWELFTH), &goal, None, Work::new(&count)).unwrap();
            (word(outcome), steps.into_inner())
        })
    };
    let one = solve(1);
    assert_eq!(one.0.0.len(), 45);
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(5));
}

#[test]
fn limits_and_stops_give_lower_bounds() {
    let space = board(&[4, 4], false, &[]);
    let goal: Vec<u32> = (0..16).collect();
    let mut additive = new(&space, 0, 4);
    let outcome = additive.solve(&korf(&TWELFTH), &goal, Some(38), Work::unlimited()).unwrap();
    assert!(matches!(outcome, Outcome::Beyond { lower: 39, .. }), "{outcome:?}");
    let left = AtomicU64::new(2_000);
    let stop = |steps: u64| left.fetch_sub(steps.min(left.load(Ordering::Relaxed)), Ordering::Relaxed) > steps;
    let outcome = additive.solve(&korf(&TWELFTH), &goal, None, Work::new(&stop)).unwrap();
    assert!(matches!(outcome, Outcome::Stopped { lower: 35..45, .. }), "{outcome:?}");
}

#[test]
fn what_does_not_fit() {
    let one_way = swaps(4, &[&|cell| (cell < 3).then_some(cell + 1)]);
    assert!(!Additive::fits(&one_way, 0));
    // the blank comes in and never goes out
    let inwards = swaps(3, &[&|cell| Some([1, 0, 1][cell])]);
    assert!(!Additive::fits(&inwards, 0));
    let rows = Perm::from_cycles(4, &[vec![0, 1, 2, 3]]).unwrap();
    let rows = Mover { steps: vec![Some(rows.clone()), Some(rows.clone()), Some(rows.clone()), Some(rows)] };
    assert!(!Additive::fits(&Space { degree: 4, blank: Some(0), moves: vec![rows.clone()] }, 0));
    assert!(!Additive::fits(&Space { degree: 4, blank: None, moves: vec![rows] }, 0));
    assert!(!Additive::fits(&board(&[7, 7], false, &[]), 0));
    assert!(Additive::fits(&board(&[6, 6], false, &[]), 35));
    assert_eq!(new(&board(&[4, 4], false, &[]), 0, 6).levels.last().unwrap().sizes, [6, 6, 3]);
    let eight_and_seven = Additive::new(&board(&[4, 4], false, &[]), 0, 1 << 30, Work::unlimited()).unwrap().unwrap();
    assert_eq!(eight_and_seven.levels.last().unwrap().sizes, [8, 7]);
    assert!(Additive::new(&board(&[6, 6], false, &[]), 35, 100, Work::unlimited()).unwrap().is_none());
}
