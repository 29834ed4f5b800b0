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
    let cyclic = Perm::from_cycles(5000, &[(0..5000).collect()]).expect("a cycle");
    assert_eq!(order(&PermGroup::new(5000, vec![cyclic])), "5000");
}
