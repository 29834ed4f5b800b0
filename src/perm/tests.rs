use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use super::*;

/// Any permutation of up to 40 points.
fn perms() -> impl Strategy<Value = Perm> {
    (0..40u32).prop_flat_map(of_degree)
}

fn of_degree(n: u32) -> impl Strategy<Value = Perm> {
    Just((0..n).collect::<Vec<u32>>())
        .prop_shuffle()
        .prop_map(|images| Perm::from_images(images).expect("a shuffle is a bijection"))
}

fn pair() -> impl Strategy<Value = (Perm, Perm)> {
    (0..40u32).prop_flat_map(|n| (of_degree(n), of_degree(n)))
}

fn cycles(n: usize, list: &[&[u32]]) -> Perm {
    let list: Vec<Vec<u32>> = list.iter().map(|c| c.to_vec()).collect();
    Perm::from_cycles(n, &list).expect("good cycles")
}

proptest! {
    #[test]
    fn products_are_associative((a, b) in pair(), c in perms()) {
        prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
    }

    #[test]
    fn products_run_left_to_right((a, b) in pair()) {
        let ab = a.then(&b);
        for i in 0..50 {
            prop_assert_eq!(ab.image(i), b.image(a.image(i)));
        }
    }

    #[test]
    fn inverses_undo(a in perms()) {
        prop_assert!(a.then(&a.inverse()).is_identity());
        prop_assert!(a.inverse().then(&a).is_identity());
        for i in 0..45 {
            prop_assert_eq!(a.preimage(i), a.inverse().image(i));
        }
    }

    #[test]
    fn powers_are_repeated_products(a in perms(), e in -60i64..60) {
        let step = if e < 0 { a.inverse() } else { a.clone() };
        let mut product = Perm::identity(a.degree());
        for _ in 0..e.unsigned_abs() {
            product = product.then(&step);
        }
        prop_assert_eq!(a.pow(&BigInt::from(e)), product);
    }

    #[test]
    fn long_exponents_count_modulo_the_order(a in perms(), digits in "-?[1-9][0-9]{20,400}") {
        let e: BigInt = digits.parse().expect("digits");
        let order = BigInt::from(a.order());
        let rest = ((&e % &order) + &order) % &order;
        prop_assert_eq!(a.pow(&e), a.pow(&rest));
    }

    #[test]
    fn the_order_is_the_least_exponent_that_restores(a in perms()) {
        let order = a.order();
        prop_assert!(a.pow(&BigInt::from(order.clone())).is_identity());
        for prime in [2u32, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37] {
            if &order % prime == BigUint::ZERO {
                prop_assert!(!a.pow(&BigInt::from(&order / prime)).is_identity());
            }
        }
    }

    #[test]
    fn brackets_are_what_they_say((a, b) in pair()) {
        let (a1, b1) = (a.inverse(), b.inverse());
        prop_assert_eq!(Perm::commutator(&a, &b), a.then(&b).then(&a1).then(&b1));
        prop_assert_eq!(Perm::conjugate(&a, &b), a.then(&b).then(&a1));
    }

    #[test]
    fn cycles_rebuild_the_permutation(a in perms()) {
        prop_assert_eq!(Perm::from_cycles(a.degree(), &a.cycles()).expect("its own cycles"), a.clone());
        for cycle in a.cycles() {
            prop_assert!(cycle.len() > 1 && cycle.iter().all(|p| *p >= cycle[0]));
        }
        prop_assert!(a.cycles().is_sorted_by_key(|c| c[0]));
        let lengths = a.cycle_type();
        prop_assert!(lengths.is_sorted_by(|x, y| x >= y));
        prop_assert_eq!(lengths.iter().sum::<usize>(), a.moved());
        prop_assert_eq!(a.support().len(), a.moved());
    }

    #[test]
    fn signs_multiply((a, b) in pair()) {
        prop_assert_eq!(a.then(&b).sign(), a.sign() * b.sign());
    }

    #[test]
    fn overlapping_cycles_multiply_left_to_right(
        list in prop::collection::vec(prop::sample::subsequence((0..9u32).collect::<Vec<_>>(), 0..6).prop_shuffle(), 0..6)
    ) {
        let mut product = Perm::identity(9);
        for cycle in &list {
            product = product.then(&Perm::from_cycles(9, std::slice::from_ref(cycle)).expect("one cycle"));
        }
        prop_assert_eq!(Perm::from_cycles(9, &list).expect("subsets have no repetition"), product);
    }

    #[test]
    fn the_first_difference_is_the_first((a, b) in pair()) {
        let expected = (0..a.degree() as u32).find(|&i| a.image(i) != b.image(i));
        prop_assert_eq!(a.first_difference(&b), expected);
    }
}

#[test]
fn a_cycle_sends_each_point_to_the_next() {
    let a = cycles(4, &[&[0, 1, 2]]);
    assert_eq!(a.images(), [1, 2, 0, 3]);
    assert_eq!(format!("{a:?}"), "(0 1 2) of 4");
    assert_eq!(cycles(3, &[&[0, 1], &[1, 2]]).images(), [2, 0, 1]);
    assert_eq!(cycles(3, &[&[], &[2]]), Perm::identity(3));
}

#[test]
fn what_is_not_a_permutation_is_refused() {
    let collision = NotABijection::Collision { first: 0, second: 2, image: 1 };
    assert_eq!(Perm::from_images(vec![1, 0, 1]), Err(collision));
    let outside = NotABijection::OutOfRange { point: 1, image: 3 };
    assert_eq!(Perm::from_images(vec![1, 3, 0]), Err(outside));
    let twice = CycleError::Repeated { cycle: 1, point: 2 };
    assert_eq!(Perm::from_cycles(4, &[vec![0, 2], vec![2, 1, 2]]), Err(twice));
    let outside = CycleError::OutOfRange { cycle: 0, point: 4 };
    assert_eq!(Perm::from_cycles(4, &[vec![4]]), Err(outside));
}

#[test]
fn numbers_that_are_not_points_stay() {
    let a = cycles(3, &[&[0, 1, 2]]);
    assert_eq!((a.image(7), a.preimage(7)), (7, 7));
    let b = cycles(5, &[&[2, 4]]);
    assert_eq!(a.then(&b).degree(), 5);
    assert_eq!(b.then(&a), cycles(5, &[&[2, 4], &[0, 1, 2]]));
}

#[test]
fn orders_grow_beyond_a_machine_word() {
    // One cycle of each prime length below 100: the order is the product of the primes.
    let primes = (2..100u32).filter(|n| (2..*n).all(|d| n % d != 0));
    let (mut list, mut next, mut product) = (Vec::new(), 0, BigUint::from(1u32));
    for p in primes {
        list.push((next..next + p).collect::<Vec<u32>>());
        next += p;
        product *= p;
    }
    let a = Perm::from_cycles(next as usize, &list).expect("disjoint cycles");
    assert_eq!(a.order(), product);
    let e = BigInt::from(product) * 12345 + 1;
    assert_eq!(a.pow(&e), a);
    assert_eq!(a.pow(&-e), a.inverse());
}
