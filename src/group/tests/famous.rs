//! Values from books.

use std::sync::Arc;

use proptest::prelude::*;

use super::{group, order};
use crate::group::*;

fn unlimited() -> Work<'static> {
    Work::unlimited()
}

fn symmetric(degree: usize) -> PermGroup {
    let all: Vec<u32> = (1..=degree as u32).collect();
    group(degree, &[&[&all], &[&[1, 2]]])
}

/// The six turns of the 3x3x3 cube on its 48 movable stickers, as in the GAP manual.
fn cube() -> PermGroup {
    group(
        48,
        &[
            &[&[1, 3, 8, 6], &[2, 5, 7, 4], &[9, 33, 25, 17], &[10, 34, 26, 18], &[11, 35, 27, 19]],
            &[&[9, 11, 16, 14], &[10, 13, 15, 12], &[1, 17, 41, 40], &[4, 20, 44, 37], &[6, 22, 46, 35]],
            &[&[17, 19, 24, 22], &[18, 21, 23, 20], &[6, 25, 43, 16], &[7, 28, 42, 13], &[8, 30, 41, 11]],
            &[&[25, 27, 32, 30], &[26, 29, 31, 28], &[3, 38, 43, 19], &[5, 36, 45, 21], &[8, 33, 48, 24]],
            &[&[33, 35, 40, 38], &[34, 37, 39, 36], &[3, 9, 46, 32], &[2, 12, 47, 29], &[1, 14, 48, 27]],
            &[&[41, 43, 48, 46], &[42, 45, 47, 44], &[14, 22, 30, 38], &[15, 23, 31, 39], &[16, 24, 32, 40]],
        ],
    )
}

#[test]
fn symmetric_groups() {
    for degree in [5, 6, 9, 20] {
        let s = symmetric(degree);
        let derived = s.derived(unlimited()).expect("small");
        assert_eq!(derived.index_in(&s, unlimited()), Ok(Some(BigUint::from(2u32))));
        assert!(derived.generators().iter().all(Perm::is_even));
        assert_eq!(derived.is_perfect(unlimited()), Ok(true));
        assert_eq!(derived.is_simple(unlimited()), Ok(true));
        assert_eq!(s.is_simple(unlimited()), Ok(false));
        assert_eq!(s.is_solvable(unlimited()), Ok(false));
        let points: Vec<u32> = (0..degree as u32).collect();
        assert_eq!(s.transitivity(&points, unlimited()), Ok(degree));
        assert_eq!(derived.transitivity(&points, unlimited()), Ok(degree - 2));
        assert_eq!(order(&s.center(unlimited()).expect("small")), "1");
    }
    assert_eq!(symmetric(4).is_solvable(unlimited()), Ok(true));
    assert_eq!(symmetric(4).derived_series(unlimited()).expect("small").len(), 4);
    assert_eq!(symmetric(7).conjugacy_classes(unlimited()).expect("small").len(), 15);
}

#[test]
fn the_centre_of_the_square_is_its_half_turn() {
    let d4 = group(4, &[&[&[1, 2, 3, 4]], &[&[1, 3]]]);
    let center = d4.center(unlimited()).expect("small");
    assert_eq!(center.generators(), [d4.generators()[0].pow(&2.into())]);
    let blocks = d4.minimal_blocks(&[0, 1, 2, 3], unlimited()).expect("small");
    assert_eq!(blocks, [BlockSystem { blocks: vec![vec![0, 2], vec![1, 3]] }]);
}

#[test]
fn mathieu_groups() {
    let m12 = group(
        12,
        &[
            &[&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
            &[&[3, 7, 11, 8], &[4, 10, 5, 6]],
            &[&[1, 12], &[2, 11], &[3, 6], &[4, 8], &[5, 9], &[7, 10]],
        ],
    );
    let points: Vec<u32> = (0..12).collect();
    assert_eq!(m12.transitivity(&points, unlimited()), Ok(5));
    assert_eq!(order(&m12.stabilizer(3, unlimited()).expect("small")), "7920");
    assert_eq!(m12.conjugacy_classes(unlimited()).expect("small").len(), 15);
    assert_eq!(m12.is_perfect(unlimited()), Ok(true));
}

#[test]
fn the_cube() {
    let cube = cube();
    assert_eq!(order(&cube), "43252003274489856000");
    let center = cube.center(unlimited()).expect("a chain fits");
    assert_eq!(order(&center), "2");
    // the superflip turns over each edge
    assert_eq!(center.generators()[0].cycle_type(), [2; 12]);
    let derived = cube.derived(unlimited()).expect("a chain fits");
    assert_eq!(derived.index_in(&cube, unlimited()), Ok(Some(BigUint::from(2u32))));
    assert_eq!(derived.is_perfect(unlimited()), Ok(true));
    let corners = cube.orbits().orbit_of(0).to_vec();
    let blocks = cube.minimal_blocks(&corners, unlimited()).expect("small");
    assert_eq!(blocks.iter().map(BlockSystem::block_size).collect::<Vec<_>>(), [3]);
    let cubies: Vec<Object> = blocks[0]
        .blocks
        .iter()
        .map(|block| Object::set(block.iter().map(|point| Object::Point(*point)).collect()))
        .collect();
    let on_corners = cube.action(&cubies, unlimited()).expect("small").expect("blocks");
    assert_eq!(order(&on_corners.target), "40320");
    assert_eq!(order(&on_corners.kernel(unlimited()).expect("small")), "1072718335180800");
    let left = cube.action(&cubies[..7], unlimited()).expect("small").expect_err("a cubie is missing");
    assert_eq!(left.image, cubies[7]);
    // one cycle of three corners goes to another by an element, to its inverse as well
    let (u, r) = (&cube.generators()[0], &cube.generators()[3]);
    let element = Perm::commutator(u, r);
    let other = element.inverse();
    let g = cube.conjugator(&element, &other, unlimited()).expect("decided").expect("conjugate");
    assert_eq!(g.inverse().then(&element).then(&g), other);
    assert_eq!(cube.conjugator(u, &element, unlimited()), Ok(None));
    // 4 * 6 + 1 + …: the centralizer of a quarter turn
    let centralizer = cube.centralizer(std::slice::from_ref(u), unlimited()).expect("decided");
    assert!(centralizer.generators().iter().all(|g| g.then(u) == u.then(g)));
    assert_eq!(centralizer.is_subgroup_of(&cube, unlimited()), Ok(true));
    let edge_pair = cube.set_stabilizer(&[1, 33], unlimited()).expect("a small orbit");
    assert_eq!(edge_pair.index_in(&cube, unlimited()), Ok(Some(BigUint::from(12u32))));
}

#[test]
fn the_outer_automorphism_of_s6() {
    let s6 = Arc::new(symmetric(6));
    // (1 2) and (1 2 3 4 5 6) go to (1 2)(3 4)(5 6) and to an element of cycle type 3, 2, 1
    let images = group(6, &[&[&[1, 2, 3], &[4, 5]], &[&[1, 2], &[3, 4], &[5, 6]]]);
    let mut found = 0;
    for g in s6.chain(unlimited()).expect("small").elements(720).expect("720 elements") {
        let images = vec![g.inverse().then(&images.generators()[0]).then(&g), images.generators()[1].clone()];
        let made = Homomorphism::new(s6.clone(), s6.clone(), images, unlimited()).expect("small");
        let Ok(map) = made else { continue };
        found += 1;
        assert_eq!(map.is_isomorphism(unlimited()), Ok(true));
        assert_eq!(map.is_inner(unlimited()), Ok(false));
        assert_eq!(map.permutation_isomorphism(unlimited()), Ok(None));
    }
    assert!(found > 0);
    let by = Perm::from_cycles(6, &[vec![0, 3, 5]]).expect("a cycle");
    let images = s6.generators().iter().map(|g| by.inverse().then(g).then(&by)).collect();
    let inner = Homomorphism::new(s6.clone(), s6.clone(), images, unlimited()).expect("small").expect("it is");
    assert_eq!(inner.inner_by(unlimited()), Ok(Some(by)));
    let turned = s6.generators().iter().rev().cloned().collect();
    let why = Homomorphism::new(s6.clone(), s6.clone(), turned, unlimited()).expect("small").expect_err("it is not");
    assert_eq!(why, NotAHomomorphism::BreaksRelation { word: Some(vec![(1, 2)]) });
}

#[test]
fn many_points() {
    let cycle: Vec<u32> = (1..=1000).collect();
    let cyclic = group(1000, &[&[&cycle]]);
    let points: Vec<u32> = (0..1000).collect();
    let sizes: Vec<usize> =
        cyclic.minimal_blocks(&points, unlimited()).expect("no limit").iter().map(BlockSystem::block_size).collect();
    assert_eq!(sizes, [2, 5]);
    let all = symmetric(1000);
    assert_eq!(all.is_primitive(&points, unlimited()), Ok(true));
    assert_eq!(order(&all.center(unlimited()).expect("no limit")), "1");
}

#[test]
fn a_budget_stops() {
    let cube = cube();
    let stop = |_: u64| false;
    assert!(matches!(cube.center(Work::new(&stop)), Err(Unfinished::Stopped)));
    assert!(matches!(cube.minimal_blocks(&[0, 2], Work::new(&stop)), Ok(blocks) if blocks.is_empty()));
    let corners = cube.orbits().orbit_of(0).to_vec();
    assert!(matches!(cube.minimal_blocks(&corners, Work::new(&stop)), Err(Unfinished::Stopped)));
}

fn perms(degree: usize) -> impl Strategy<Value = Perm> {
    Just((0..degree as u32).collect::<Vec<u32>>())
        .prop_shuffle()
        .prop_map(|images| Perm::from_images(images).expect("a shuffle"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn conjugates_in_symmetric_and_alternating_groups(a in perms(30), g in perms(30)) {
        let s = symmetric(30);
        let b = g.inverse().then(&a).then(&g);
        let h = s.conjugator(&a, &b, unlimited()).expect("closed form").expect("conjugate");
        prop_assert_eq!(h.inverse().then(&a).then(&h), b.clone());
        let commuting = s.centralizer(std::slice::from_ref(&a), unlimited()).expect("closed form");
        for z in commuting.generators() {
            prop_assert_eq!(z.then(&a), a.then(z));
        }
        // the order is proved by generating
        let again = PermGroup::new(30, commuting.generators().to_vec());
        prop_assert_eq!(again.order(unlimited()), commuting.order(unlimited()));
    }
}

/// All quarter turns of the layers of a cube with `n` layers a side, the middle ones included, on its 6 n² stickers.
fn big_cube(n: i32) -> PermGroup {
    let end = n - 1;
    let mut stickers: Vec<([i32; 3], usize, i32)> = Vec::new();
    for axis in 0..3 {
        for side in [0, end] {
            for a in 0..n {
                for b in 0..n {
                    let mut place = [side, a, b];
                    place.rotate_right(axis);
                    stickers.push((place, axis, side));
                }
            }
        }
    }
    let turned = |(mut place, axis, side): ([i32; 3], usize, i32), about: usize| {
        let (first, second) = ((about + 1) % 3, (about + 2) % 3);
        (place[first], place[second]) = (end - place[second], place[first]);
        if axis == first {
            return (place, second, side);
        }
        (place, if axis == second { first } else { axis }, if axis == second { end - side } else { side })
    };
    let mut generators = Vec::new();
    for about in 0..3 {
        for layer in 0..n {
            let image = |sticker: &([i32; 3], usize, i32)| {
                let there = if sticker.0[about] == layer { turned(*sticker, about) } else { *sticker };
                stickers.iter().position(|sticker| *sticker == there).expect("a sticker") as u32
            };
            generators.push(Perm::from_images(stickers.iter().map(image).collect()).expect("a turn"));
        }
    }
    PermGroup::new(stickers.len(), generators)
}

#[test]
fn timing() {
    use std::time::Instant;
    let show = |what: &str, since: Instant| println!("{what}: {:?}", since.elapsed());
    for n in [3, 5] {
        let t = Instant::now();
        let cube = big_cube(n);
        show("made", t);
        let t = Instant::now();
        let mut sizes = Vec::new();
        for orbit in cube.orbits().lists.iter().filter(|orbit| orbit.len() > 1) {
            let blocks = cube.minimal_blocks(orbit, unlimited()).expect("small");
            sizes.push((orbit.len(), blocks.iter().map(BlockSystem::block_size).collect::<Vec<_>>()));
        }
        show(&format!("{n} blocks {sizes:?}"), t);
        let t = Instant::now();
        let o = order(&cube);
        show(&format!("order {o}"), t);
        let t = Instant::now();
        let c = cube.center(unlimited());
        show(&format!("center {:?}", c.map(|c| order(&c))), t);
        let t = Instant::now();
        let s = cube.stabilizer(1, unlimited());
        show(&format!("stab {:?}", s.map(|c| (order(&c).len(), c.generators().len()))), t);
        let t = Instant::now();
        let s = cube.set_stabilizer(&[1, 4, 9], unlimited());
        show(&format!("set stab {:?}", s.map(|c| (order(&c).len(), c.generators().len()))), t);
        let t = Instant::now();
        let s = cube.list_sets(&[1, 9], unlimited());
        show(&format!("list sets {:?}", s.map(|c| (order(&c).len(), c.generators().len()))), t);
        let t = Instant::now();
        println!("half");
        let s = cube.set_stabilizer(&(0..cube.degree() as u32 / 2).collect::<Vec<u32>>(), unlimited());
        show(&format!("set stab {:?}", s.map(|c| (order(&c).len(), c.generators().len()))), t);
        let t = Instant::now();
        let s = cube.derived(unlimited());
        show(&format!("derived {:?}", s.map(|c| (order(&c).len(), c.generators().len()))), t);
        let mut random = Random::new(5);
        let x = cube.random_element(&mut random, unlimited()).expect("x");
        let y = cube.random_element(&mut random, unlimited()).expect("x");
        for x in
            [x, cube.generators()[0].clone(), Perm::commutator(&cube.generators()[0], &cube.generators()[n as usize])]
        {
            let t = Instant::now();
            let s = cube.centralizer(std::slice::from_ref(&x), unlimited());
            show(
                &format!("{:?} centralizer {:?}", x.cycle_type(), s.map(|c| (order(&c).len(), c.generators().len()))),
                t,
            );
            let t = Instant::now();
            let z = y.inverse().then(&x).then(&y);
            let s = cube.conjugator(&x, &z, unlimited());
            show(&format!("conj {:?}", s.map(|c| c.is_some())), t);
        }
    }
    let points: Vec<u32> = (0..1000).collect();
    for g in [symmetric(1000), {
        let cycle: Vec<u32> = (1..=1000).collect();
        group(1000, &[&[&cycle]])
    }] {
        let t = Instant::now();
        let b = g.minimal_blocks(&points, unlimited()).expect("x");
        show(&format!("blocks 1000 {}", b.len()), t);
    }
}
