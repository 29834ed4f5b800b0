//! Orders that are known from books, and laws.

mod brute;
mod famous;

use super::*;

fn group(degree: usize, generators: &[&[&[u32]]]) -> PermGroup {
    let perm = |cycles: &&[&[u32]]| {
        // points from 1 here, as books write them
        let cycles: Vec<Vec<u32>> = cycles.iter().map(|cycle| cycle.iter().map(|point| point - 1).collect()).collect();
        Perm::from_cycles(degree, &cycles).expect("cycles of points")
    };
    PermGroup::new(degree, generators.iter().map(perm).collect())
}

fn order(group: &PermGroup) -> String {
    group.order(Work::unlimited()).expect("no limit").to_string()
}

#[test]
fn the_orders_of_famous_groups() {
    let m12 = group(
        12,
        &[
            &[&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
            &[&[3, 7, 11, 8], &[4, 10, 5, 6]],
            &[&[1, 12], &[2, 11], &[3, 6], &[4, 8], &[5, 9], &[7, 10]],
        ],
    );
    assert_eq!(order(&m12), "95040");
    let a5 = group(5, &[&[&[1, 2, 3]], &[&[3, 4, 5]]]);
    assert_eq!(order(&a5), "60");
    let s9 = group(9, &[&[&[1, 2, 3, 4, 5, 6, 7, 8, 9]], &[&[1, 2]]]);
    assert_eq!(order(&s9), "362880");
    assert_eq!(order(&group(4, &[])), "1");
}

/// Few elements on many points.
#[test]
fn dials() {
    let n = 65_000u32;
    let turn = Perm::from_images((0..n).map(|point| (point + 1) % n).collect()).expect("a cycle");
    let mirror = Perm::from_images((0..n).map(|point| (n - point) % n).collect()).expect("a mirror");
    assert_eq!(order(&PermGroup::new(n as usize, vec![turn.clone()])), "65000");
    assert_eq!(order(&PermGroup::new(n as usize, vec![turn, mirror])), "130000");
    // a dial beside its factor groups, and a swap that goes along with each step
    let n = 600u32;
    let dials = Perm::from_images(
        (0..n).map(|point| (point + 1) % n).chain((n..n + 2).map(|point| 2 * n + 1 - point)).collect(),
    );
    let other = Perm::from_cycles(n as usize + 2, &[vec![n, n + 1]]).expect("a swap");
    assert_eq!(order(&PermGroup::new(n as usize + 2, vec![dials.expect("two cycles"), other])), "1200");
}
