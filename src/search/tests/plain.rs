//! Searches compared with a plain one, which keeps whole lists of places in a hash set.

use std::collections::HashSet;

use super::*;
use crate::random::Random;
use crate::search::dense::Dense;
use crate::search::keys::Keys;
use crate::search::moves::Moves;
use crate::search::walk::Frontier;

/// A plain search: layers of places, each sorted.
fn plain(space: &Space, start: &[u32], depth: usize) -> Vec<Vec<Vec<u32>>> {
    let mut seen = HashSet::from([start.to_vec()]);
    let mut layers = vec![vec![start.to_vec()]];
    while layers.len() <= depth {
        let mut next = Vec::new();
        for places in &layers[layers.len() - 1] {
            let blank = space.blank.map_or(0, |blank| places[blank as usize] as usize);
            for step in space.moves.iter().filter_map(|mover| mover.steps.get(blank)?.as_ref()) {
                let moved: Vec<u32> = places.iter().map(|cell| step.image(*cell)).collect();
                if seen.insert(moved.clone()) {
                    next.push(moved);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        next.sort();
        layers.push(next);
    }
    layers
}

fn shuffled(n: usize, random: &mut Random) -> Vec<u32> {
    let mut list = identity(n);
    (1..n).for_each(|k| list.swap(k, random.index(k + 1)));
    list
}

/// A permutation that moves a few cells.
fn some_perm(n: usize, random: &mut Random) -> Perm {
    let chosen = shuffled(n, random);
    let cycles: Vec<Vec<u32>> =
        chosen.chunks(1 + random.index(4)).take(1 + random.index(3)).map(<[u32]>::to_vec).collect();
    Perm::from_cycles(n, &cycles).expect("points")
}

fn some_space(random: &mut Random) -> Space {
    let degree = 1 + random.index(6);
    let blank = (random.index(3) > 0).then(|| random.index(degree) as u32);
    let cells = if blank.is_some() { degree } else { 1 };
    let likely = 1 + random.index(4);
    let step = |random: &mut Random| (random.index(5) < likely).then(|| some_perm(degree, random));
    let mover = |random: &mut Random| Mover { steps: (0..cells).map(|_| step(random)).collect() };
    let moves = (0..random.index(4)).map(|_| mover(random)).collect();
    Space { degree, blank, moves }
}

fn listed(frontier: &mut dyn Frontier) -> Vec<Vec<u32>> {
    let mut list = Vec::new();
    let each = &mut |places: &[u32]| {
        list.push(places.to_vec());
        ControlFlow::Continue(())
    };
    assert!(frontier.each(unlimited(), each).expect("no limit").is_continue());
    list
}

#[test]
fn random_spaces_are_searched_as_a_plain_search_does() {
    let mut random = Random::new(7);
    let (mut numbered, mut one_way) = (0, 0);
    for _ in 0..1500 {
        let space = some_space(&mut random);
        let start = shuffled(space.degree, &mut random);
        let known = plain(&space, &start, usize::MAX);
        let total = known.iter().map(Vec::len).sum::<usize>() as u64;
        let growth = space.growth(&start, Limits::most(total), unlimited()).expect("enough");
        assert_eq!(growth.layers, known.iter().map(|layer| layer.len() as u64).collect::<Vec<_>>(), "{space:?}");
        let refused = space.growth(&start, Limits::most(total - 1), unlimited());
        assert_eq!(refused, Err(Stopped::TooMany { most: total - 1, total: None }));
        let depth = random.index(known.len() + 2);
        let sphere = space.sphere(&start, depth, total, unlimited()).expect("enough");
        assert_eq!(sphere.len(), known.get(depth).map_or(0, Vec::len));
        assert!(sphere.iter().eq(known.get(depth).into_iter().flatten()));
        let mut all = Vec::new();
        let flow = space.reachable(&start, Limits::most(total), unlimited(), &mut |depth, places| {
            all.push((depth, places.to_vec()));
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(flow, Ok(ControlFlow::Continue(())));
        assert!(
            all.iter().eq(known
                .iter()
                .enumerate()
                .flat_map(|(d, layer)| layer.iter().map(move |p| (d, p.clone())))
                .collect::<Vec<_>>()
                .iter())
        );
        // the same by numbers
        match Index::new(&space, &start, total, unlimited()) {
            Ok(Some(index)) => {
                numbered += 1;
                check_index(&space, &start, &index, &known);
            }
            // the moves backward would lead to more
            Ok(None) => one_way += 1,
            Err(stopped) => panic!("{stopped:?} {space:?}"),
        }
    }
    assert!(numbered > 1000 && one_way > 100, "{numbered} {one_way}");
}

fn check_index(space: &Space, start: &[u32], index: &Index, known: &[Vec<Vec<u32>>]) {
    let total = known.iter().map(Vec::len).sum::<usize>() as u64;
    assert_eq!(index.len(), total);
    assert_eq!((index.number(start), index.places(total)), (Some(0), None));
    let mut numbers = HashSet::new();
    for places in known.iter().flatten() {
        let number = index.number(places).expect("it can be reached");
        assert!(number < total && numbers.insert(number));
        assert_eq!(index.places(number).as_ref(), Some(places));
        let blank = space.blank.map_or(0, |blank| places[blank as usize] as usize);
        for (mover, entry) in space.moves.iter().enumerate() {
            let step = entry.steps.get(blank).and_then(Option::as_ref);
            let moved = step.map(|step| places.iter().map(|cell| step.image(*cell)).collect::<Vec<u32>>());
            let expected = moved.map(|places| index.number(&places).expect("it can be reached"));
            assert_eq!(index.neighbour(number, mover), expected);
        }
    }
    let mut random = Random::new(total);
    for _ in 0..5 {
        let places = shuffled(space.degree, &mut random);
        assert_eq!(index.number(&places).is_some(), known.iter().flatten().any(|known| *known == places));
    }
    let moves = Moves::new(space, start).expect("checked");
    let keys = Keys::new(&moves, start, unlimited()).expect("small");
    let mut dense = Dense::new(index.clone(), keys.into());
    for layer in known {
        assert_eq!(listed(&mut dense), *layer, "{space:?}");
        dense.advance(u64::MAX, unlimited()).expect("no limit");
    }
    assert_eq!(dense.len(), 0);
}

#[test]
fn wide_boards_to_a_depth() {
    let mut random = Random::new(9);
    for degree in [20, 30, 60, 200, 300] {
        for blank in [None, Some(3)] {
            let cells = if blank.is_some() { degree } else { 1 };
            let mover =
                |random: &mut Random| Mover { steps: (0..cells).map(|_| Some(some_perm(degree, random))).collect() };
            let space = Space { degree, blank, moves: (0..3).map(|_| mover(&mut random)).collect() };
            let start = shuffled(degree, &mut random);
            let known = plain(&space, &start, 5);
            for depth in 0..=5 {
                let sphere = space.sphere(&start, depth, 1000, unlimited()).expect("enough");
                assert!(sphere.iter().eq(known.get(depth).into_iter().flatten()), "{degree} {blank:?} {depth}");
            }
        }
    }
}

/// Wreath products and products with a sign, whose bases have small and large orbits; the search changes from sets to bits and from small layers to large ones.
#[test]
fn medium_groups_are_searched_as_a_plain_search_does() {
    let cycles = |n: usize, cycles: &[&[u32]]| {
        Perm::from_cycles(n, &cycles.iter().map(|c| c.to_vec()).collect::<Vec<_>>()).expect("points")
    };
    let spaces = [
        // S₅ on points and on a copy, times a ring of 60
        without_blank(
            70,
            vec![
                cycles(70, &[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9], &(10..70).collect::<Vec<u32>>()]),
                cycles(70, &[&[0, 1], &[5, 6]]),
            ],
        ),
        // 3 wr S₅ on 15 points
        without_blank(
            15,
            vec![
                cycles(15, &[&[0, 3, 6, 9, 12], &[1, 4, 7, 10, 13], &[2, 5, 8, 11, 14]]),
                cycles(15, &[&[0, 3], &[1, 4], &[2, 5]]),
                cycles(15, &[&[0, 1, 2]]),
            ],
        ),
        // M₁₁
        without_blank(
            11,
            vec![cycles(11, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]), cycles(11, &[&[2, 6, 10, 7], &[3, 9, 4, 5]])],
        ),
        sliding(&[2, 4]),
        sliding(&[2, 2, 2]),
    ];
    for space in &spaces {
        let start = shuffled(space.degree, &mut Random::new(5));
        let known = plain(space, &start, usize::MAX);
        assert!(known.iter().map(Vec::len).sum::<usize>() > 7000);
        let mut walk = Walk::new(space, &start, 50_000, unlimited()).expect("fit");
        for layer in &known {
            let mut found = Vec::new();
            let each = &mut |places: &[u32]| {
                found.push(places.to_vec());
                ControlFlow::<()>::Continue(())
            };
            let _ = walk.each(unlimited(), each).expect("enough");
            assert!(found == *layer);
            walk.advance(unlimited()).expect("enough");
        }
        assert!(walk.is_empty());
    }
}
