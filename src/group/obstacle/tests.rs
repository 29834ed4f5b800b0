//! Each reason that is given holds for random elements and fails for the permutation.

use super::*;
use crate::group::Mixer;
use crate::random::Random;

fn perm(degree: usize, cycles: &[&[u32]]) -> Perm {
    let cycles: Vec<Vec<u32>> = cycles.iter().map(|cycle| cycle.iter().map(|point| point - 1).collect()).collect();
    Perm::from_cycles(degree, &cycles).expect("cycles of points")
}

/// Does the invariant of the reason hold for an element?
fn holds(group: &PermGroup, obstacle: &Obstacle, element: &Perm) -> bool {
    let frames = group.structure(Work::unlimited()).expect("no limit").frames();
    match obstacle {
        Obstacle::Orbit { point, orbit, .. } => orbit.contains(&element.image(*point)),
        Obstacle::Companions { point, companion, image, expected, .. } => {
            (element.image(*point) == *image) == (element.image(*companion) == *expected)
                || element.image(*point) != *image
        }
        Obstacle::Block { first, second, first_image, second_image, .. } => {
            // both images as stated would break the block
            element.image(*first) != *first_image || element.image(*second) != *second_image
        }
        Obstacle::Ring { block, images } => {
            block.iter().zip(images).any(|(point, image)| element.image(*point) != *image)
        }
        Obstacle::Sum(sum) => {
            let place = places(group.degree(), frames);
            let total: usize = sum
                .terms
                .iter()
                .map(|term| {
                    let frame = frames.iter().find(|frame| frame.block(0) == term.first_block).expect("a frame");
                    let reading = frame.read(element, &place).expect("an element keeps frames");
                    term.coefficient
                        * match term.quantity {
                            Quantity::Sign => usize::from(reading.is_odd()),
                            Quantity::Twist => reading.twist(frame.ring),
                        }
                })
                .sum();
            total.is_multiple_of(sum.modulus)
        }
        Obstacle::Determined { placed, point, possible, .. } => {
            placed.iter().any(|(from, to)| element.image(*from) != *to) || possible.contains(&element.image(*point))
        }
        Obstacle::Other => true,
    }
}

fn reason(group: &PermGroup, element: &Perm) -> Obstacle {
    let obstacle = group.obstacle(element, Work::unlimited()).expect("no limit").expect("it is no element");
    assert!(
        !holds(group, &obstacle, element) || obstacle == Obstacle::Other,
        "{obstacle:?} does not speak of {element:?}"
    );
    let mut mixer = Mixer::new(group.degree(), group.generators(), 7, Work::unlimited()).expect("no limit");
    for _ in 0..200 {
        let member = mixer.element(Work::unlimited()).expect("no limit");
        assert!(holds(group, &obstacle, &member), "{obstacle:?} is wrong for {member:?}");
    }
    let text = obstacle.sentence(&|point| (point + 1).to_string());
    assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
    obstacle
}

#[test]
fn elements_have_no_obstacle() {
    let group = PermGroup::new(5, vec![perm(5, &[&[1, 2, 3]])]);
    assert_eq!(group.obstacle(&perm(5, &[&[1, 3, 2]]), Work::unlimited()).expect("no limit"), None);
}

#[test]
fn each_kind_of_reason() {
    let two_orbits = PermGroup::new(6, vec![perm(6, &[&[1, 2, 3]]), perm(6, &[&[4, 5]])]);
    assert!(matches!(reason(&two_orbits, &perm(6, &[&[1, 4]])), Obstacle::Orbit { .. }));
    assert!(matches!(reason(&two_orbits, &perm(6, &[&[1, 6]])), Obstacle::Orbit { .. }));

    let twins =
        PermGroup::new(10, vec![perm(10, &[&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]]), perm(10, &[&[1, 2], &[6, 7]])]);
    assert!(matches!(reason(&twins, &perm(10, &[&[1, 2], &[7, 8]])), Obstacle::Companions { .. }));

    // blocks of two on a ring of five, which may be turned over two at a time
    let flips = PermGroup::new(
        10,
        vec![
            perm(10, &[&[1, 3, 5, 7, 9], &[2, 4, 6, 8, 10]]),
            perm(10, &[&[1, 3], &[2, 4]]),
            perm(10, &[&[1, 2], &[3, 4]]),
        ],
    );
    assert!(matches!(reason(&flips, &perm(10, &[&[1, 3]])), Obstacle::Block { .. }));
    let Obstacle::Sum(sum) = reason(&flips, &perm(10, &[&[1, 2]])) else { panic!("a sum of turns") };
    assert_eq!((sum.modulus, sum.value, sum.terms[0].quantity), (2, 1, Quantity::Twist));

    let even = PermGroup::new(7, vec![perm(7, &[&[1, 2, 3]]), perm(7, &[&[3, 4, 5, 6, 7]])]);
    let Obstacle::Sum(sum) = reason(&even, &perm(7, &[&[1, 2]])) else { panic!("a sign") };
    assert_eq!((sum.modulus, sum.terms[0].quantity), (2, Quantity::Sign));

    let square = PermGroup::new(4, vec![perm(4, &[&[1, 2, 3, 4]]), perm(4, &[&[1, 3]])]);
    assert!(matches!(reason(&square, &perm(4, &[&[1, 2]])), Obstacle::Block { .. }));

    let pgl =
        PermGroup::new(6, vec![perm(6, &[&[1, 2, 3, 4, 5]]), perm(6, &[&[2, 3, 5, 4]]), perm(6, &[&[1, 6], &[2, 5]])]);
    assert!(matches!(reason(&pgl, &perm(6, &[&[1, 2, 3]])), Obstacle::Determined { .. }));
}

#[test]
fn reasons_are_true_for_random_groups() {
    let mut random = Random::new(11);
    let mut random_perm = |degree: usize, most: usize| {
        let mut element = Perm::identity(degree);
        for _ in 0..most {
            let mut points: Vec<u32> = (0..degree as u32).collect();
            for at in (1..degree).rev() {
                points.swap(at, random.index(at + 1));
            }
            points.truncate(2 + random.index(3));
            element = element.then(&Perm::from_cycles(degree, &[points]).expect("points"));
        }
        element
    };
    let mut reasons = 0;
    for round in 0..200 {
        let degree = 5 + round % 6;
        let group = PermGroup::new(degree, vec![random_perm(degree, 2), random_perm(degree, 1)]);
        let element = random_perm(degree, 2);
        if !group.contains(&element, Work::unlimited()).expect("no limit") {
            reason(&group, &element);
            reasons += 1;
        }
    }
    assert!(reasons > 50, "{reasons}");
}
