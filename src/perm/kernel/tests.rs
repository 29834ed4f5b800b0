//! Every way of applying letters against the plain one.

use super::images::Images;
use super::plan::{Plan, Shape};
use super::rows::Rows;
use super::*;
use crate::perm::point::Point;

#[derive(Clone, Copy)]
struct Plain(usize);

impl Code for Plain {
    fn code(self) -> usize {
        self.0
    }
}

/// A small generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn shuffle(&mut self, n: usize) -> Vec<u32> {
        let mut images: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            images.swap(i, self.below(i + 1));
        }
        images
    }
}

fn perm(images: Vec<u32>) -> Perm {
    Perm::from_images(images).expect("a bijection")
}

/// A quarter turn, half turn or reflection of a block of `side` squares on a board `width` wide.
fn turned_block(rows: usize, width: usize, at: (usize, usize), side: usize, kind: usize) -> Perm {
    let mut images: Vec<u32> = (0..(rows * width) as u32).collect();
    for i in 0..side {
        for j in 0..side {
            let last = side - 1;
            let (x, y) = match kind % 6 {
                0 => (last - j, i),
                1 => (j, last - i),
                2 => (last - i, last - j),
                3 => (j, i),
                4 => (last - j, last - i),
                _ => (i, last - j),
            };
            let from = (at.0 + i) * width + at.1 + j;
            images[from] = ((at.0 + x) * width + at.1 + y) as u32;
        }
    }
    perm(images)
}

fn rotated(n: usize, start: usize, len: usize, stride: usize, by: usize) -> Perm {
    let mut images: Vec<u32> = (0..n as u32).collect();
    for j in 0..len {
        images[start + j * stride] = (start + (j + by) % len * stride) as u32;
    }
    perm(images)
}

/// Generators of many shapes on n points.
fn generators(n: usize) -> Vec<Perm> {
    let mut numbers = Numbers(n as u64);
    let mut list = vec![Perm::identity(n), perm(numbers.shuffle(n)), perm(numbers.shuffle(n))];
    let all: Vec<u32> = (0..n as u32).rev().collect();
    list.push(perm(all));
    if n > 1 {
        list.push(rotated(n, 0, n, 1, 1));
        list.push(rotated(n, n / 3, n - n / 3, 1, (n - n / 3) / 2));
        let swap = vec![vec![numbers.below(n) as u32, numbers.below(n) as u32]];
        list.extend(Perm::from_cycles(n, &swap));
    }
    let width = (1..=n).take_while(|w| w * w <= n).last().unwrap_or(1);
    let rows = n / width;
    if width > 2 {
        list.push(rotated(n, 1, rows, width, 1));
        list.push(rotated(n, width, width, 1, width - 1).then(&rotated(n, 0, width, 1, 1)));
        for side in [2, width / 2 + 1, width - 1, width] {
            for kind in 0..6 {
                for at in [(0, 0), (rows - side, width - side)] {
                    let board = turned_block(rows, width, at, side, kind);
                    list.push(board.then(&Perm::identity(n)));
                }
            }
        }
        // Two blocks side by side that turn at once.
        let half = width / 2;
        let two = turned_block(rows, width, (0, 0), half, 0).then(&turned_block(rows, width, (0, half), half, 1));
        list.push(two.then(&Perm::identity(n)));
    }
    list
}

fn plain(n: usize, generators: &[Perm], word: &[Plain], inverted: bool) -> Vec<u32> {
    let mut images: Vec<u32> = (0..n as u32).collect();
    let mut letters: Vec<usize> = word.iter().map(|c| c.0).collect();
    if inverted {
        letters = letters.iter().rev().map(|c| c ^ 1).collect();
    }
    for code in letters {
        let generator = &generators[code / 2];
        for x in &mut images {
            *x = if code % 2 == 0 { generator.image(*x) } else { generator.preimage(*x) };
        }
    }
    images
}

/// Checks one machine after another against plain arithmetic.
fn check<M: Machine>(machine: impl Fn() -> M, n: usize, generators: &[Perm], length: usize) {
    let mut numbers = Numbers(length as u64);
    let codes = 2 * generators.len();
    let word: Vec<Plain> = (0..length).map(|_| Plain(numbers.below(codes))).collect();
    let half = &word[..length / 2];
    let other = perm(plain(n, generators, half, false));
    for (inverted, dual) in [(false, false), (false, true), (true, false), (true, true)] {
        let expected = perm(plain(n, generators, &word, inverted));
        let mut m = machine();
        m.open(dual);
        m.letters(&word, inverted);
        m.letters(&[Plain(codes + 5)], inverted);
        assert_eq!(m.take(), expected, "{n} points, {length} letters");
        assert!(m.take().is_identity());

        for e in [0i64, 1, -1, 2, 1001, -777, 1 << 40, i64::MAX, i64::MIN] {
            let mut m = machine();
            m.open(dual);
            m.perm(&other, true);
            m.open(false);
            m.perm(&expected, false);
            m.power(&Exponent::from(e), inverted);
            let power = num_bigint::BigInt::from(e) * if inverted { -1 } else { 1 };
            let product = expected.pow(&power).then(&other.inverse());
            // The hidden inverse, if there is one, shows when the value conjugates.
            m.open(true);
            m.letters(half, false);
            m.conjugate(false);
            assert_eq!(m.take(), Perm::conjugate(&product, &other));
        }

        for swapped in [false, true] {
            for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
                let x = if first { expected.clone() } else { Perm::identity(n) };
                let y = if second { other.clone() } else { Perm::identity(n) };
                let begin = |m: &mut M| {
                    m.letters(half, true);
                    m.open(true);
                    if first {
                        m.perm(&x, false);
                    }
                    m.open(true);
                    if second {
                        m.letters(half, false);
                    }
                };
                let (a, b) = if swapped { (&y, &x) } else { (&x, &y) };
                let mut m = machine();
                begin(&mut m);
                m.commutator(swapped);
                assert_eq!(m.take(), Perm::commutator(a, b).then(&other.inverse()));
                let mut m = machine();
                begin(&mut m);
                m.conjugate(swapped);
                assert_eq!(m.take(), Perm::conjugate(a, b).then(&other.inverse()));
            }
        }
    }
    // More is asked than there is.
    let mut m = machine();
    m.commutator(false);
    m.conjugate(true);
    m.power(&Exponent::from(2), true);
    m.letters(&word, false);
    assert_eq!(m.take().degree(), n);
}

fn check_engine(engine: &Engine, n: usize, generators: &[Perm], length: usize) {
    match engine {
        Engine::Row(e) => check(|| ShuffleMachine::new(e), n, generators, length),
        Engine::TwoRows(e) => check(|| ShuffleMachine::new(e), n, generators, length),
        Engine::FourRows(e) => check(|| ShuffleMachine::new(e), n, generators, length),
        Engine::Bytes(e) => check(|| WideMachine::new(e), n, generators, length),
        Engine::Words(e) => check(|| WideMachine::new(e), n, generators, length),
        Engine::Longs(e) => check(|| WideMachine::new(e), n, generators, length),
    }
}

fn levels() -> Vec<Level> {
    let mut levels = vec![Level::Portable, Level::Avx2.at_most(), Level::Vbmi.at_most()];
    levels.dedup();
    levels
}

#[test]
fn machines_agree_with_plain_arithmetic() {
    let sizes = [1, 2, 3, 15, 16, 17, 31, 32, 33, 54, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];
    for n in sizes {
        let generators = generators(n);
        for level in levels() {
            for length in [0, 1, 2, 3, 5, 12, 13, 40, 75] {
                check_engine(&Engine::with_level(n, &generators, level), n, &generators, length);
            }
        }
    }
}

#[test]
fn every_machine_serves_every_degree_it_holds() {
    for n in [1, 40, 120, 256] {
        let generators = generators(n);
        let wide = Engine::Bytes(WideEngine::new(n, &generators, Level::best()));
        let mut engines = vec![
            wide,
            Engine::Words(WideEngine::new(n, &generators, Level::Portable)),
            Engine::Longs(WideEngine::new(n, &generators, Level::best())),
        ];
        for level in levels() {
            engines.push(Engine::FourRows(ShuffleEngine::new(n, &generators, level)));
            if n <= 128 {
                engines.push(Engine::TwoRows(ShuffleEngine::new(n, &generators, level)));
            }
        }
        for engine in &engines {
            check_engine(engine, n, &generators, 1);
            check_engine(engine, n, &generators, 30);
        }
    }
}

#[test]
fn more_points_than_fit_in_16_bits() {
    let n = 65_536 + 9;
    let generators: Vec<Perm> = generators(n).into_iter().step_by(9).collect();
    let engine = Engine::new(n, &generators);
    assert!(matches!(engine, Engine::Longs(_)));
    check_engine(&engine, n, &generators, 3);
}

fn check_plans<T: Point>(n: usize) {
    for generator in generators(n) {
        let g = generator.images();
        let start = Numbers(7).shuffle(n);
        let old = Images::<T>::checked(&start).expect("points fit");
        let expected: Vec<u32> = g.iter().map(|&x| start[x as usize]).collect();
        let expected = Images::<T>::checked(&expected).expect("points fit");
        let shapes = [Shape::Rotations, Shape::Sparse, Shape::MovedBlocks, Shape::AllBlocks, Shape::Dense];
        let mut plans: Vec<Plan<T>> = shapes.map(|shape| Plan::with_shape(&generator, shape)).into();
        plans.push(Plan::new(&generator));
        for plan in plans {
            for level in levels() {
                let (mut value, mut other) = (old.clone(), Images::identity(n));
                value.apply(&plan, &mut other, level);
                assert_eq!(value, expected, "{plan:?}");
            }
        }
    }
}

#[test]
fn every_plan_is_the_same_permutation() {
    for n in [1, 2, 9, 16, 37, 100, 256] {
        check_plans::<u8>(n);
        check_plans::<u16>(n);
        check_plans::<u32>(n);
    }
    check_plans::<u16>(1600);
    check_plans::<u32>(41 * 41);
}

#[test]
fn structure_is_found_in_the_images() {
    let kind = |plan: Plan<u16>| match plan {
        Plan::Nothing => "nothing",
        Plan::Rotations(_) => "rotations",
        Plan::Sparse(_) => "sparse",
        Plan::MovedBlocks(_) => "moved blocks",
        Plan::AllBlocks(_) => "all blocks",
        Plan::Dense(_) => "dense",
    };
    let of = |perm: &Perm| kind(Plan::new(perm));
    assert_eq!(of(&Perm::identity(900)), "nothing");
    assert_eq!(of(&rotated(900, 60, 30, 1, 1)), "rotations");
    assert_eq!(of(&rotated(900, 5, 30, 30, 1)), "sparse");
    assert_eq!(of(&turned_block(50, 51, (0, 0), 50, 0)), "all blocks");
    assert_eq!(of(&turned_block(100, 100, (10, 30), 40, 1)), "moved blocks");
    assert_eq!(of(&turned_block(100, 100, (10, 30), 3, 1)), "sparse");
    assert_eq!(of(&perm(Numbers(1).shuffle(900))), "dense");
}

fn check_bytes<const N: usize>() {
    let mut numbers = Numbers(3);
    let mut row = || -> [u8; N] {
        let images = numbers.shuffle(N);
        std::array::from_fn(|i| images[i] as u8)
    };
    for _ in 0..20 {
        let (first, second) = (row(), row());
        let expected: [u8; N] = std::array::from_fn(|i| second[usize::from(first[i])]);
        assert_eq!(product_of_bytes(&first, &second), expected);
        assert_eq!(bytes::portable_product(&first, &second), expected);
        #[cfg(target_arch = "x86_64")]
        if N == 64 && Level::best() >= Level::Avx2 {
            let rows = [first, second].map(|row| Rows::<1>::from_perm(&perm(row.map(u32::from).to_vec())));
            // SAFETY: the machine has this level.
            assert_eq!(unsafe { avx2::product(&rows[0], &rows[1]) }.bytes(), expected);
        }
    }
}

#[test]
fn products_of_bytes() {
    check_bytes::<64>();
    check_bytes::<128>();
    check_bytes::<256>();
}

#[test]
fn few_moved_points_are_multiplied_alone() {
    let n = 300;
    let old = Numbers(9).shuffle(n);
    for moved in [0, 1, 3, 15, 16, 17, 40, 300] {
        let mut left: Vec<u32> = (0..n as u32).collect();
        for (k, image) in Numbers(5).shuffle(moved).into_iter().enumerate() {
            left[k * n / moved] = (image as usize * n / moved) as u32;
        }
        let left = perm(left);
        for inverted in [false, true] {
            let mut value = Images::<u16>::checked(&old).expect("points fit");
            value.multiply_perm(&left, inverted, &mut Images::identity(n));
            let by = if inverted { left.inverse() } else { left.clone() };
            let expected: Vec<u32> = by.images().iter().map(|&x| old[x as usize]).collect();
            assert_eq!(value, Images::checked(&expected).expect("points fit"), "{moved}, {inverted}");
        }
    }
}
