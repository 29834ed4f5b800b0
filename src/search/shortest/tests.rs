//! Words of least cost against plain search over whole spaces, for all metrics and all kinds of goals.

use rustc_hash::FxHashMap;

use super::*;
use crate::random::Random;
use crate::search::Mover;

fn unlimited() -> Work<'static> {
    Work::unlimited()
}

fn random_perm(degree: usize, random: &mut Random) -> Perm {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for at in (1..degree).rev() {
        images.swap(at, random.below(at as u64 + 1) as usize);
    }
    Perm::from_images(images).expect("a permutation")
}

/// Some random moves, with their inverses or without, and their powers where these count one.
fn random_group(random: &mut Random) -> (Space, Vec<u32>) {
    let degree = 3 + random.below(4) as usize;
    let mut moves = Vec::new();
    let kind = random.below(3);
    for _ in 0..1 + random.below(3) {
        let perm = random_perm(degree, random);
        match kind {
            0 => moves.push(perm),
            1 => moves.extend([perm.inverse(), perm]),
            _ => {
                let mut power = perm.clone();
                while !power.is_identity() {
                    moves.push(power.clone());
                    power = power.then(&perm);
                }
            }
        }
    }
    let moves: Vec<Mover> = moves.into_iter().map(|perm| Mover { steps: vec![Some(perm)] }).collect();
    let costs = costs(moves.len(), random);
    (Space { degree, blank: None, moves }, costs)
}

fn costs(count: usize, random: &mut Random) -> Vec<u32> {
    let most = [1, 1, 2, 5][random.below(4) as usize];
    (0..count).map(|_| 1 + random.below(most) as u32).collect()
}

/// A blank that walks along random edges, some of them one way, some of them moving other tiles on the way.
fn random_sliding(random: &mut Random) -> (Space, Vec<u32>) {
    let degree = 3 + random.below(3) as usize;
    let one_way = random.below(2) == 0;
    let mut moves = vec![Mover { steps: vec![None; degree] }; 2 + random.below(3) as usize];
    let count = moves.len();
    for cell in 0..degree {
        for mover in 0..count {
            if random.below(3) == 0 {
                continue;
            }
            let to = random.below(degree as u64) as u32;
            let swap = Perm::from_cycles(degree, &[vec![cell as u32, to]]);
            let Ok(swap) = swap else { continue };
            let other = if random.below(4) == 0 { random_perm(degree, random) } else { Perm::identity(degree) };
            let step = swap.then(&other);
            if one_way || step.image(cell as u32) as usize == cell {
                moves[mover].steps[cell] = Some(step);
            } else {
                let (back, inverse) = (step.image(cell as u32) as usize, step.inverse());
                moves[mover].steps[cell] = Some(step);
                moves[(mover + 1) % count].steps[back] = Some(inverse);
            }
        }
    }
    let costs = costs(count, random);
    (Space { degree, blank: Some(random.below(degree as u64) as u32), moves }, costs)
}

fn step(space: &Space, mover: usize, places: &[u32]) -> Option<Vec<u32>> {
    let blank = space.blank.map_or(0, |blank| places[blank as usize] as usize);
    let perm = space.moves[mover].steps.get(blank)?.as_ref()?;
    Some(places.iter().map(|cell| perm.image(*cell)).collect())
}

fn is_goal(goal: &Goal, places: &[u32]) -> bool {
    (0..places.len()).all(|tile| goal.want[places[tile] as usize].is_none_or(|want| want == goal.colour[tile]))
}

/// The first word of least cost, by looking at everything: costs to the goal by relaxing all moves until nothing changes.
fn plain(space: &Space, costs: &[u32], start: &[u32], goal: &Goal) -> Option<(Vec<u32>, u64)> {
    let mut all = vec![start.to_vec()];
    let mut number = FxHashMap::from_iter([(start.to_vec(), 0)]);
    let mut edges = Vec::new();
    let mut at = 0;
    while at < all.len() {
        for mover in 0..space.moves.len() {
            if let Some(next) = step(space, mover, &all[at]) {
                let count = all.len();
                let to = *number.entry(next.clone()).or_insert(count);
                if to == count {
                    all.push(next);
                }
                edges.push((at, to, mover));
            }
        }
        at += 1;
    }
    let mut rest: Vec<u64> = all.iter().map(|places| if is_goal(goal, places) { 0 } else { u64::MAX / 2 }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (from, to, mover) in &edges {
            let through = rest[*to] + u64::from(costs[*mover]);
            if through < rest[*from] {
                rest[*from] = through;
                changed = true;
            }
        }
    }
    if rest[0] >= u64::MAX / 2 {
        return None;
    }
    let (mut here, mut word) = (0, Vec::new());
    while rest[here] > 0 {
        let next = edges
            .iter()
            .filter(|(from, to, mover)| *from == here && rest[*to] + u64::from(costs[*mover]) == rest[here]);
        let (_, to, mover) = next.min_by_key(|(_, _, mover)| *mover).expect("a way on");
        word.push(*mover as u32);
        here = *to;
    }
    Some((word, rest[0]))
}

/// Goals of all kinds: one arrangement, some cells free, some tiles alike.
fn random_goal(space: &Space, random: &mut Random) -> Goal {
    let degree = space.degree;
    let mut goal = Goal::exactly(random_perm(degree, random).images());
    if random.below(2) == 0 {
        (0..degree).for_each(|cell| goal.want[cell] = goal.want[cell].filter(|_| random.below(2) == 0));
    }
    if random.below(2) == 0 {
        let colours = 1 + random.below(3) as u32;
        let paint = |tile: u32| if space.blank == Some(tile) { tile } else { degree as u32 + tile % colours };
        goal.colour.iter_mut().for_each(|colour| *colour = paint(*colour));
        goal.want.iter_mut().for_each(|want| *want = want.map(paint));
    }
    goal
}

fn compare(space: &Space, costs: &[u32], start: &[u32], goal: &Goal) -> bool {
    let question = Question { space, costs, start, goal, most_memory: 1 << 30, limit: None };
    let answer = shortest(&question, &mut Tables::default(), unlimited()).expect("fits");
    let expected = plain(space, costs, start, goal);
    match (&answer, &expected) {
        (Answer::Found(found), Some((word, cost))) => {
            assert_eq!((&found.movers, found.cost), (word, *cost), "{question:?}")
        }
        (Answer::Unreachable, None) => {}
        other => panic!("{other:?} {question:?}"),
    }
    // the same with limits at, below and above the cost
    let Some((word, cost)) = expected else { return false };
    for limit in [cost.saturating_sub(1), cost, cost + 1] {
        let question = Question { limit: Some(limit), ..question };
        match shortest(&question, &mut Tables::default(), unlimited()).expect("fits") {
            Answer::Found(found) => assert!(found.movers == word && limit >= cost),
            Answer::Beyond { lower, .. } => assert!(limit < cost && lower > limit && lower <= cost),
            other => panic!("{other:?}"),
        }
    }
    true
}

#[test]
fn words_in_groups_are_the_first_of_the_shortest() {
    let mut random = Random::new(1);
    let mut found = 0;
    for _ in 0..400 {
        let (space, costs) = random_group(&mut random);
        let start = random_perm(space.degree, &mut random);
        let goal = random_goal(&space, &mut random);
        found += usize::from(compare(&space, &costs, start.images(), &goal));
    }
    assert!((100..400).contains(&found), "{found}");
}

#[test]
fn words_with_a_blank_are_the_first_of_the_shortest() {
    let mut random = Random::new(2);
    let mut found = 0;
    for _ in 0..400 {
        let (space, costs) = random_sliding(&mut random);
        let start = random_perm(space.degree, &mut random);
        let goal = random_goal(&space, &mut random);
        found += usize::from(compare(&space, &costs, start.images(), &goal));
    }
    assert!((100..400).contains(&found), "{found}");
}

#[test]
fn growth_by_cost_counts_all_arrangements() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        let (space, costs) = if random.below(2) == 0 { random_group(&mut random) } else { random_sliding(&mut random) };
        let start: Vec<u32> = (0..space.degree as u32).collect();
        let growth = space.growth_by_cost(&costs, &start, 10_000, unlimited()).expect("small");
        // each arrangement by the plain search
        let mut counts = vec![0; growth.layers.len()];
        let each = &mut |_: usize, places: &[u32]| {
            let (_, cost) = plain(&space, &costs, &start, &Goal::exactly(places)).expect("reached");
            counts[cost as usize] += 1;
            std::ops::ControlFlow::<()>::Continue(())
        };
        let limits = crate::search::Limits { depth: 3, most: 10_000 };
        let _ = space.reachable(&start, limits, unlimited(), each).expect("small");
        assert!(counts.iter().zip(&growth.layers).all(|(some, all)| some <= all), "{counts:?} {growth:?}");
        let total = space.growth(&start, crate::search::Limits::most(10_000), unlimited()).expect("small").total();
        assert_eq!(growth.total(), total);
        if costs.iter().all(|cost| *cost == 1) {
            assert_eq!(growth, space.growth(&start, crate::search::Limits::most(10_000), unlimited()).expect("small"));
        }
    }
}

/// A goal that leaves so much open that it cannot be listed is looked for from the start alone.
#[test]
fn goals_without_a_list() {
    let ring = Perm::from_cycles(24, &[(0..24).collect()]).expect("points");
    let swap = Perm::from_cycles(24, &[vec![0, 1]]).expect("points");
    let moves = [ring.clone(), ring.inverse(), swap].map(|perm| Mover { steps: vec![Some(perm)] }).to_vec();
    let space = Space { degree: 24, blank: None, moves };
    let colour: Vec<u32> = (0..24).map(|tile| tile % 2).collect();
    let mut want = vec![None; 24];
    (want[3], want[4]) = (Some(0), Some(0));
    let goal = Goal { colour, want };
    let start: Vec<u32> = (0..24).collect();
    let question =
        Question { space: &space, costs: &[1; 3], start: &start, goal: &goal, most_memory: 1 << 30, limit: None };
    let answer = shortest(&question, &mut Tables::default(), unlimited()).expect("fits");
    let Answer::Found(found) = answer else { panic!("{answer:?}") };
    // two zeros side by side after the swap, in the right places after some turns of the ring
    assert_eq!(found.movers, [2, 0, 0]);
}

#[test]
fn work_that_is_stopped_leaves_bounds() {
    let degree = 16;
    let ring = Perm::from_cycles(degree, &[(0..16).collect()]).expect("points");
    let swap = Perm::from_cycles(degree, &[vec![0, 1]]).expect("points");
    let moves = [ring.clone(), ring.inverse(), swap].map(|perm| Mover { steps: vec![Some(perm)] }).to_vec();
    let space = Space { degree, blank: None, moves };
    let start: Vec<u32> = (0..16).collect();
    let goal = Goal::exactly(&(0..16).rev().collect::<Vec<u32>>());
    let left = std::sync::atomic::AtomicI64::new(200_000);
    let goes_on = |steps: u64| left.fetch_sub(steps as i64, std::sync::atomic::Ordering::Relaxed) > 0;
    let question =
        Question { space: &space, costs: &[1; 3], start: &start, goal: &goal, most_memory: 1 << 30, limit: None };
    let answer = shortest(&question, &mut Tables::default(), Work::new(&goes_on)).expect("fits");
    assert!(matches!(answer, Answer::Bounds { lower: 10.., why: Unfinished::Stopped, .. }), "{answer:?}");
    let small = Question { most_memory: 1 << 16, ..question };
    let answer = shortest(&small, &mut Tables::default(), unlimited()).expect("fits");
    assert!(matches!(answer, Answer::Bounds { lower: 5.., why: Unfinished::TooLarge(_), .. }), "{answer:?}");
}
