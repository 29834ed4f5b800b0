//! Names of groups that have one.

use crate::group::{PermGroup, Work};
use crate::perm::Perm;

/// Generators as lists of cycles, with points from 1.
type Generators<'a> = &'a [&'a [&'a [u32]]];

fn group(degree: usize, generators: Generators<'_>) -> PermGroup {
    let perm = |cycles: &&[&[u32]]| {
        let cycles: Vec<Vec<u32>> = cycles.iter().map(|cycle| cycle.iter().map(|point| point - 1).collect()).collect();
        Perm::from_cycles(degree, &cycles).expect("cycles of points")
    };
    PermGroup::new(degree, generators.iter().map(perm).collect())
}

fn name(group: &PermGroup) -> String {
    let identity = group.identify(&|point| (point + 1).to_string(), Work::unlimited()).expect("no limit");
    assert!(!identity.reasons.is_empty());
    identity.name.unwrap_or(format!("? {}", identity.reasons.join("; ")))
}

#[test]
fn small_groups() {
    let cases: &[(usize, Generators<'_>, &str)] = &[
        (3, &[], "1"),
        (6, &[&[&[1, 2, 3, 4, 5, 6]]], "C6"),
        (5, &[&[&[1, 2, 3]], &[&[4, 5]]], "C6"),
        (4, &[&[&[1, 2]], &[&[3, 4]]], "C2^2"),
        (7, &[&[&[1, 2, 3, 4]], &[&[5, 6]]], "C4 x C2"),
        (3, &[&[&[1, 2, 3]], &[&[1, 2]]], "S3"),
        (4, &[&[&[1, 2, 3, 4]], &[&[1, 3]]], "D4"),
        (8, &[&[&[1, 2, 3, 4], &[5, 6, 7, 8]], &[&[1, 5, 3, 7], &[2, 8, 4, 6]]], "Q8"),
        (4, &[&[&[1, 2, 3]], &[&[2, 3, 4]]], "A4"),
        (4, &[&[&[1, 2, 3, 4]], &[&[1, 2]]], "S4"),
        (5, &[&[&[1, 2, 3, 4, 5]], &[&[2, 5], &[3, 4]]], "D5"),
        (5, &[&[&[1, 2, 3, 4, 5]], &[&[2, 3, 5, 4]]], "AGL(1,5)"),
        (7, &[&[&[1, 2, 3, 4, 5, 6, 7]], &[&[2, 3, 5], &[4, 7, 6]]], "C7:C3"),
        (5, &[&[&[1, 2, 3]], &[&[3, 4, 5]]], "A5"),
        (5, &[&[&[1, 2]], &[&[2, 3]], &[&[3, 4]], &[&[4, 5]]], "S5"),
        (
            9,
            &[&[&[1, 2, 3]], &[&[1, 2]], &[&[1, 4, 7], &[2, 5, 8], &[3, 6, 9]], &[&[1, 4], &[2, 5], &[3, 6]]],
            "S3 wr S3",
        ),
        (7, &[&[&[1, 2, 3]], &[&[1, 2]], &[&[4, 5, 6, 7]], &[&[4, 5]]], "S4 x S3"),
    ];
    for (degree, generators, expected) in cases {
        assert_eq!(name(&group(*degree, generators)), *expected, "{generators:?}");
    }
}

#[test]
fn projective_and_mathieu_groups() {
    // x -> x + 1, x -> 2 x, x -> -1/x on 0..4 and infinity
    let pgl = group(6, &[&[&[1, 2, 3, 4, 5]], &[&[2, 3, 5, 4]], &[&[1, 6], &[2, 5]]]);
    assert_eq!(name(&pgl), "PGL(2,5)");
    let psl = group(8, &[&[&[1, 2, 3, 4, 5, 6, 7]], &[&[2, 3, 5], &[4, 7, 6]], &[&[1, 8], &[2, 7], &[3, 4], &[5, 6]]]);
    assert_eq!(name(&psl), "PSL(2,7)");
    let fano = group(7, &[&[&[1, 2, 3, 4, 5, 6, 7]], &[&[2, 3], &[4, 7]]]);
    assert!(["PSL(3,2)", "A7", "S7"].contains(&name(&fano).as_str()));
    let m11 = group(11, &[&[&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]], &[&[3, 7, 11, 8], &[4, 10, 5, 6]]]);
    assert_eq!(name(&m11), "M11");
    let m12 = group(
        12,
        &[
            &[&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
            &[&[3, 7, 11, 8], &[4, 10, 5, 6]],
            &[&[1, 12], &[2, 11], &[3, 6], &[4, 8], &[5, 9], &[7, 10]],
        ],
    );
    assert_eq!(name(&m12), "M12");
}

#[test]
fn products_and_their_subgroups() {
    // the same sign on two sets of seven
    let linked = group(
        14,
        &[&[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14]], &[&[1, 2, 3]], &[&[8, 9, 10]], &[&[1, 2], &[8, 9]]],
    );
    assert_eq!(name(&linked), "1/2 (S7^2)");
    let free =
        group(13, &[&[&[1, 2, 3, 4, 5, 6, 7]], &[&[1, 2]], &[&[8, 9, 10, 11, 12]], &[&[8, 9, 10], &[12, 13, 11]]]);
    assert!(name(&free).starts_with("S7 x "), "{}", name(&free));
}

/// Cells are (block, step): a ring of pieces of q sides, turned by c as it closes, and a swap of two pieces.
fn pieces(n: usize, q: usize, [a, b, c]: [usize; 3]) -> PermGroup {
    let perm = |block: &dyn Fn(usize) -> (usize, usize)| {
        let images = (0..n * q).map(|point| {
            let (to, turn) = block(point / q);
            (to * q + (point % q + turn) % q) as u32
        });
        Perm::from_images(images.collect()).expect("a bijection")
    };
    let ring = perm(&|block| ((block + 1) % n, if block + 1 == n { c } else { 0 }));
    let swap = perm(&|block| match block {
        0 => (1, a),
        1 => (0, b),
        other => (other, 0),
    });
    PermGroup::new(n * q, vec![ring, swap])
}

#[test]
fn different_subgroups_of_a_wreath_product_have_different_names() {
    // t is even for the first, and follows the sign for the second: abelian quotients C4 and C2^2
    assert_eq!(name(&pieces(5, 4, [1, 0, 0])), "1/2 (C4 wr S5; s = t mod 2)");
    assert_eq!(name(&pieces(5, 4, [1, 3, 2])), "1/2 (C4 wr S5; t = 0 mod 2)");
    assert_eq!(name(&pieces(5, 3, [1, 0, 0])), "C3 wr S5");
}

#[test]
fn a_part_that_tells_all_gives_the_name() {
    assert_eq!(name(&group(7, &[&[&[3, 4, 5, 6, 7]], &[&[1, 2], &[3, 4]]])), "S5");
    // three 3-cycles in pairs, beside even permutations of five points
    let pairs =
        group(14, &[&[&[1, 2, 3], &[4, 5, 6]], &[&[4, 5, 6], &[7, 8, 9]], &[&[10, 11, 12, 13, 14]], &[&[10, 11, 12]]]);
    assert_eq!(name(&pairs), "A5 x C3^2");
}

#[test]
fn a_wreath_product_is_named_if_its_upper_group_acts_as_its_name_says() {
    let on_six = group(
        12,
        &[&[&[1, 2]], &[&[1, 3, 5], &[2, 4, 6], &[7, 9, 11], &[8, 10, 12]], &[&[3, 9], &[4, 10], &[5, 11], &[6, 12]]],
    );
    assert!(name(&on_six).starts_with("? no name is known here for this group of order 768"), "{}", name(&on_six));
    let on_four = group(8, &[&[&[1, 2]], &[&[3, 5, 7], &[4, 6, 8]], &[&[1, 3], &[2, 4], &[5, 7], &[6, 8]]]);
    assert_eq!(name(&on_four), "C2 wr A4");
}

/// PGL(2,25) and the other sharply 3-transitive group on 26 points.
#[test]
fn two_sharply_3_transitive_groups() {
    let pgl = group(
        26,
        &[
            &[
                &[2, 6, 25],
                &[3, 11, 19],
                &[4, 16, 13],
                &[5, 21, 7],
                &[8, 10, 20],
                &[9, 15, 14],
                &[12, 24, 22],
                &[17, 18, 23],
            ],
            &[&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10], &[11, 12, 13, 14, 15], &[16, 17, 18, 19, 20], &[21, 22, 23, 24, 25]],
            &[&[2, 23, 4, 12, 5, 9, 3, 20], &[6, 17, 16, 24, 21, 15, 11, 8], &[7, 14, 19, 10, 25, 18, 13, 22]],
            &[
                &[1, 26],
                &[2, 5],
                &[6, 7],
                &[8, 14],
                &[9, 20],
                &[10, 15],
                &[11, 19],
                &[12, 23],
                &[13, 16],
                &[17, 22],
                &[18, 24],
                &[21, 25],
            ],
        ],
    );
    assert_eq!(name(&pgl), "PGL(2,25)");
    let m10 = group(10, &[&[&[1, 9, 6, 7, 5], &[2, 10, 3, 8, 4]], &[&[1, 10, 7, 8], &[2, 9, 4, 6]]]);
    assert_eq!(name(&m10), "M(9)");
}
