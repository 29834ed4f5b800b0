//! The structure against a plain stabilizer chain, which knows nothing of frames.

use num_bigint::BigUint;

use super::Structure;
use crate::group::chain::{Chain, Hints};
use crate::group::{PermGroup, Work};
use crate::perm::Perm;
use crate::random::Random;

fn perm(images: Vec<u32>) -> Perm {
    Perm::from_images(images).expect("a bijection")
}

fn random_perm(n: usize, random: &mut Random) -> Perm {
    let mut images: Vec<u32> = (0..n as u32).collect();
    for at in (1..n).rev() {
        images.swap(at, random.index(at + 1));
    }
    perm(images)
}

/// An element of C(q) wr S(m) on q m points, the points renamed.
fn wreath(blocks: &Perm, turns: &[usize], q: usize) -> Perm {
    let images = (0..blocks.degree() * q).map(|point| {
        let (block, step) = (point / q, point % q);
        (blocks.image(block as u32) as usize * q + (step + turns[block]) % q) as u32
    });
    perm(images.collect())
}

/// Permutations side by side on disjoint points.
fn beside(parts: &[Perm]) -> Perm {
    let mut images = Vec::new();
    for part in parts {
        let start = images.len() as u32;
        images.extend(part.images().iter().map(|image| image + start));
    }
    perm(images)
}

fn agree(name: &str, degree: usize, generators: Vec<Perm>, random: &mut Random) -> Structure {
    // points in no particular order
    let names = random_perm(degree, random);
    let renamed: Vec<Perm> = generators.iter().map(|generator| Perm::conjugate(&names, generator)).collect();
    let work = Work::unlimited();
    let structure = Structure::new(degree, &renamed, work).expect("no limit");
    let chain = Chain::new(degree, &renamed, Hints::default(), work).expect("no limit");
    assert_eq!(*structure.order(), chain.order(), "{name}: {renamed:?}");
    for _ in 0..20 {
        let element = structure.random_element(random, work).expect("no limit");
        assert!(chain.contains(&element), "{name}: {element:?} of {renamed:?}");
        assert!(structure.contains(&chain.random_element(random)), "{name}: {renamed:?}");
        // near misses: an element and one swap or one 3-cycle
        let (a, b) = (random.index(degree) as u32, random.index(degree) as u32);
        let c = random.index(degree) as u32;
        for near in [vec![a, b], vec![a, b, c]] {
            if let Ok(near) = Perm::from_cycles(degree, &[near]) {
                let near = element.then(&near);
                assert_eq!(structure.contains(&near), chain.contains(&near), "{name}: {near:?} of {renamed:?}");
            }
        }
        let any = random_perm(degree, random);
        assert_eq!(structure.contains(&any), chain.contains(&any), "{name}");
    }
    structure
}

fn order(structure: &Structure) -> String {
    structure.order().to_string()
}

#[test]
fn random_groups_on_few_points() {
    let mut random = Random::new(1);
    for round in 0..300 {
        let degree = 1 + random.index(13);
        let count = random.index(4);
        let generators = (0..count).map(|_| {
            // products of few cycles, so that not all groups are symmetric
            let mut element = Perm::identity(degree);
            for _ in 0..1 + random.index(2) {
                let length = 1 + random.index(4.min(degree));
                let points = random_perm(degree, &mut random).images()[..length].to_vec();
                element = element.then(&Perm::from_cycles(degree, &[points]).expect("points"));
            }
            element
        });
        let generators: Vec<Perm> = generators.collect();
        agree(&format!("round {round}"), degree, generators, &mut random);
    }
}

#[test]
fn wreath_products_with_all_kinds_of_turns() {
    let mut random = Random::new(2);
    for q in [2, 3, 4, 6] {
        for m in [5, 6, 8, 9] {
            for kind in 0..4 {
                let generators = (0..2).map(|_| {
                    let blocks = random_perm(m, &mut random);
                    let mut turns: Vec<usize> = (0..m).map(|_| random.index(q)).collect();
                    match kind {
                        // everything, sum 0, equal turns, and multiples of 2
                        0 => {}
                        1 => turns[0] = (q - turns[1..].iter().sum::<usize>() % q) % q,
                        2 => turns = vec![turns[0]; m],
                        _ => turns = turns.iter().map(|turn| 2 * turn % q).collect(),
                    }
                    wreath(&blocks, &turns, q)
                });
                let generators: Vec<Perm> = generators.collect();
                agree(&format!("C{q} wr S{m}, {kind}"), q * m, generators, &mut random);
            }
        }
    }
}

#[test]
fn frames_that_depend_on_each_other() {
    let mut random = Random::new(3);
    for m in [5, 6, 7, 8] {
        let pairs: Vec<(Perm, Perm)> =
            (0..2).map(|_| (random_perm(m, &mut random), random_perm(m, &mut random))).collect();
        // the same action twice: a copy
        let twice: Vec<Perm> = pairs.iter().map(|(a, _)| beside(&[a.clone(), a.clone()])).collect();
        let structure = agree("twice", 2 * m, twice, &mut random);
        assert_eq!(structure.copies().len(), 1);
        // equal signs only
        let linked = pairs.iter().map(|(a, b)| {
            let swap = Perm::from_cycles(m, &[vec![0, 1]]).expect("points");
            let b = if a.is_even() == b.is_even() { b.clone() } else { b.then(&swap) };
            beside(&[a.clone(), b])
        });
        agree("equal signs", 2 * m, linked.collect(), &mut random);
        // blocks of 2 over a copy of the blocks
        let over = pairs.iter().map(|(a, _)| {
            let turns: Vec<usize> = (0..m).map(|_| random.index(2)).collect();
            beside(&[wreath(a, &turns, 2), a.clone()])
        });
        let over: Vec<Perm> = over.collect();
        agree("blocks and their copy", 3 * m, over, &mut random);
        // one action with two systems of turns: neither frame is free
        let twins = pairs.iter().map(|(a, _)| {
            let turns = |random: &mut Random| -> Vec<usize> { (0..m).map(|_| random.index(2)).collect() };
            let (one, two) = (turns(&mut random), turns(&mut random));
            beside(&[wreath(a, &one, 2), wreath(a, &two, 2)])
        });
        let twins: Vec<Perm> = twins.collect();
        agree("one action, turned twice", 4 * m, twins, &mut random);
    }
}

/// S6 on points and on the six total systems of synthemes: free on each, but not on both.
#[test]
fn the_outer_automorphism_of_s6_is_no_product() {
    let cycles = |cycles: &[&[u32]]| -> Perm {
        let cycles: Vec<Vec<u32>> = cycles.iter().map(|cycle| cycle.iter().map(|point| point - 1).collect()).collect();
        Perm::from_cycles(6, &cycles).expect("points")
    };
    let swap = cycles(&[&[1, 2]]);
    let long = cycles(&[&[1, 2, 3, 4, 5, 6]]);
    let other_swap = cycles(&[&[1, 2], &[3, 4], &[5, 6]]);
    let other_long = (0..720).find_map(|number| {
        // the image of the 6-cycle is some (a b c)(d e)
        let mut random = Random::new(number);
        let candidate = random_perm(6, &mut random);
        let both = vec![beside(&[swap.clone(), other_swap.clone()]), beside(&[long.clone(), candidate.clone()])];
        let order = Chain::new(12, &both, Hints::default(), Work::unlimited()).expect("no limit").order();
        (order == BigUint::from(720u32)).then_some(both)
    });
    let structure = agree("outer", 12, other_long.expect("it exists"), &mut Random::new(4));
    assert_eq!(order(&structure), "720");
    assert!(structure.free().is_empty());
}

#[test]
fn giants_are_recognised() {
    let mut random = Random::new(5);
    for n in [50, 1000] {
        let generators = vec![random_perm(n, &mut random), random_perm(n, &mut random)];
        let odd = generators.iter().any(|generator| !generator.is_even());
        let structure = Structure::new(n, &generators, Work::unlimited()).expect("no limit");
        let factorial = (2..=n).fold(BigUint::from(1u32), |product, k| product * k);
        assert_eq!(*structure.order(), if odd { factorial } else { factorial / 2u32 });
        assert!(structure.free()[0].prime > n / 2);
    }
}

/// Every element of a small group turns up, and none much more often than others.
#[test]
fn random_elements_are_uniform() {
    let mut random = Random::new(6);
    let turns = [[1, 0, 0, 0, 1], [0, 1, 0, 0, 1]];
    let blocks = [random_perm(5, &mut random), random_perm(5, &mut random)];
    let generators: Vec<Perm> = blocks.iter().zip(turns).map(|(a, t)| beside(&[wreath(a, &t, 2), a.clone()])).collect();
    let group = PermGroup::new(15, generators);
    let size: usize = group.order(Work::unlimited()).expect("no limit").try_into().expect("small");
    let mut counts = std::collections::BTreeMap::new();
    let draws = 20 * size;
    for _ in 0..draws {
        let element = group.random_element(&mut random, Work::unlimited()).expect("no limit");
        *counts.entry(element).or_insert(0usize) += 1;
    }
    assert_eq!(counts.len(), size);
    let chi: f64 = counts.values().map(|count| (*count as f64 - 20.0).powi(2) / 20.0).sum();
    // mean size - 1, standard deviation sqrt(2 size): the seed is fixed, so this never fails by chance
    assert!((chi - size as f64).abs() < 5.0 * (2.0 * size as f64).sqrt(), "{chi} for {size}");
}
