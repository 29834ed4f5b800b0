//! Words with an effect, against a list of all words in normal form.

use super::*;
use crate::random::Random;
use crate::search::Mover;

fn space(degree: usize, moves: &[Perm]) -> Space {
    Space { degree, blank: None, moves: moves.iter().map(|perm| Mover { steps: vec![Some(perm.clone())] }).collect() }
}

fn some_perm(degree: usize, random: &mut Random) -> Perm {
    let mut points: Vec<u32> = (0..degree as u32).collect();
    (1..degree).rev().for_each(|at| points.swap(at, random.below(at as u64 + 1) as usize));
    let length = 2 + random.below(3.min(degree as u64 - 1)) as usize;
    Perm::from_cycles(degree, &[points[..length].to_vec()]).expect("points")
}

/// All words up to a cost that are their own normal form, with their effects, by cost and letters.
fn plain(moves: &[Perm], degree: usize, costs: &[u32], up_to: u64, canon: &Canon) -> Vec<Hit> {
    let mut all = Vec::new();
    let mut layer: Vec<Vec<u32>> = vec![Vec::new()];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for word in layer {
            let cost: u64 = word.iter().map(|mover| u64::from(costs[*mover as usize])).sum();
            if cost > up_to {
                continue;
            }
            (0..moves.len() as u32).for_each(|mover| next.push([&word[..], &[mover]].concat()));
            if canon.normal(&word) == word {
                let effect = word.iter().fold(Perm::identity(degree), |p, mover| p.then(&moves[*mover as usize]));
                all.push(Hit { movers: word, cost, effect });
            }
        }
        layer = next;
    }
    all.sort_by(|a, b| (a.cost, &a.movers).cmp(&(b.cost, &b.movers)));
    all
}

fn some_wanted(degree: usize, random: &mut Random) -> Wanted {
    let mut wanted = Wanted::default();
    match random.below(6) {
        0 => wanted.cycle_type = Some(vec![3]),
        1 => wanted.most_moved = Some(random.below(4) as usize),
        2 => wanted.within = Some((0..degree).map(|_| random.below(2) == 0).collect()),
        3 => wanted.order = Some(2),
        4 => wanted.one_of = Some((0..random.below(3)).map(|_| some_perm(degree, random)).collect()),
        _ => {
            wanted.cycle_type = Some(vec![2, 2]);
            wanted.within = Some((0..degree).map(|_| random.below(4) > 0).collect());
        }
    }
    wanted
}

#[test]
fn the_same_words_as_by_listing_all() {
    let mut random = Random::new(6);
    let mut hits = 0;
    for round in 0..400 {
        let degree = 4 + random.below(5) as usize;
        let mut moves = Vec::new();
        for _ in 0..1 + random.below(2) {
            let perm = some_perm(degree, &mut random);
            moves.extend([perm.inverse(), perm]);
        }
        let most = 1 + u64::from(round % 3 == 0);
        let costs: Vec<u32> = moves.iter().map(|_| 1 + random.below(most) as u32).collect();
        let space = space(degree, &moves);
        let canon = Canon::new(&space, &costs, Work::unlimited()).expect("small");
        let wanted = some_wanted(degree, &mut random);
        let search =
            Search { space: &space, costs: &costs, up_to: 5, wanted: &wanted, all: true, most_memory: 1 << 30 };
        let found = find(&search, &mut |_| ControlFlow::Continue(true), Work::unlimited()).expect("small");
        let mut expected = plain(&moves, degree, &costs, 5, &canon);
        expected.retain(|hit| wanted.is(&hit.effect));
        assert_eq!(found, expected, "{search:?}");
        hits += found.len();
        // one of each class, and the first
        let search = Search { all: false, ..search };
        let first = find(&search, &mut |_| ControlFlow::Continue(true), Work::unlimited()).expect("small");
        let symmetries = space.symmetries(&costs, 1000, Work::unlimited()).expect("small");
        let renamings: Vec<Vec<u32>> = symmetries.into_iter().map(|symmetry| symmetry.movers).collect();
        let mut seen = FxHashSet::default();
        expected.retain(|hit| seen.insert(canon.class(&hit.movers, &renamings, 500)));
        assert_eq!(first, expected);
    }
    assert!(hits > 1000, "{hits}");
}

/// Transpositions on a board of 2 × 4 with turning blocks of 2 × 2: the shortest take nine moves.
#[test]
fn transpositions_on_a_small_board() {
    let block =
        |corner: u32| Perm::from_cycles(8, &[vec![corner, corner + 4, corner + 5, corner + 1]]).expect("points");
    let moves: Vec<Perm> = [0, 1, 2].into_iter().flat_map(|corner| [block(corner), block(corner).inverse()]).collect();
    let space = space(8, &moves);
    let wanted = Wanted { cycle_type: Some(vec![2]), ..Wanted::default() };
    let search = Search { space: &space, costs: &[1; 6], up_to: 9, wanted: &wanted, all: false, most_memory: 1 << 30 };
    let found = find(&search, &mut |_| ControlFlow::Continue(true), Work::unlimited()).expect("small");
    assert!(!found.is_empty() && found.iter().all(|hit| hit.cost == 9), "{found:?}");
    let fewer = Search { up_to: 8, ..search };
    assert!(find(&fewer, &mut |_| ControlFlow::Continue(true), Work::unlimited()).expect("small").is_empty());
}
