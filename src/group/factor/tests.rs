use std::sync::Arc;

use super::*;
use crate::random::Random;
use crate::word::Letter;

fn alphabet(degree: usize, moves: Vec<Vec<u32>>) -> Arc<Alphabet> {
    let named = |(k, images)| (format!("M{k}"), Perm::from_images(images).unwrap());
    Alphabet::new(degree, moves.into_iter().enumerate().map(named).collect())
}

/// `rows` x `columns` cells; every `side` x `side` block turns counter-clockwise.
fn blocks(rows: usize, columns: usize, side: usize) -> Arc<Alphabet> {
    let mut moves = Vec::new();
    for (top, left) in (0..=rows - side).flat_map(|i| (0..=columns - side).map(move |j| (i, j))) {
        let mut images: Vec<u32> = (0..(rows * columns) as u32).collect();
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            images[(top + i) * columns + left + j] = ((top + side - 1 - j) * columns + left + i) as u32;
        }
        moves.push(images);
    }
    alphabet(rows * columns, moves)
}

/// Rows and columns of the torus move by one.
fn torus(n: usize) -> Arc<Alphabet> {
    let mut moves = Vec::new();
    for k in 0..n {
        let row = |cell: usize| if cell / n == k { k * n + (cell + 1) % n } else { cell };
        moves.push((0..n * n).map(|cell| row(cell) as u32).collect());
        let column = |cell: usize| if cell % n == k { (cell + n) % (n * n) } else { cell };
        moves.push((0..n * n).map(|cell| column(cell) as u32).collect());
    }
    alphabet(n * n, moves)
}

/// A product of random moves, which says nothing of how it was made.
fn scrambled(alphabet: &Arc<Alphabet>, random: &mut Random) -> Perm {
    let letters = (0..20 * alphabet.degree()).map(|_| Letter::new(random.index(alphabet.len()), random.index(2) == 0));
    Word::letters(alphabet, letters.collect()).unwrap().evaluate()
}

fn factoriser(alphabet: &Arc<Alphabet>, effort: Effort) -> Factoriser {
    let letters: Vec<usize> = (0..alphabet.len()).collect();
    Factoriser::new(alphabet, &letters, effort, None, Work::unlimited()).unwrap()
}

fn check(factoriser: &Factoriser, alphabet: &Arc<Alphabet>, target: &Perm) -> Word {
    let word = factoriser.factor(target, Work::unlimited()).unwrap().expect("a member");
    assert_eq!(word.evaluate_on(alphabet).unwrap(), *target);
    word
}

/// All permutations of some points.
fn all_permutations(n: u32) -> Vec<Perm> {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |list: &Vec<u32>| -> Vec<Vec<u32>> {
            (0..n).filter(|x| !list.contains(x)).map(|x| [list.as_slice(), &[x]].concat()).collect()
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists.into_iter().map(|images| Perm::from_images(images).unwrap()).collect()
}

/// How many permutations of all points of a small puzzle are factored; each word is checked.
fn members(alphabet: &Arc<Alphabet>, effort: Effort) -> usize {
    let factoriser = factoriser(alphabet, effort);
    let mut count = 0;
    for target in all_permutations(alphabet.degree() as u32) {
        if let Some(word) = factoriser.factor(&target, Work::unlimited()).unwrap() {
            assert_eq!(word.evaluate_on(alphabet).unwrap(), target);
            count += 1;
        }
    }
    count
}

#[test]
fn small_groups_have_exactly_their_elements() {
    let symmetric = alphabet(5, vec![vec![1, 0, 2, 3, 4], vec![1, 2, 3, 4, 0]]);
    let alternating = alphabet(6, vec![vec![1, 2, 0, 3, 4, 5], vec![0, 2, 3, 4, 5, 1]]);
    // two orbits of three points, whose signs agree
    let glued = alphabet(6, vec![vec![1, 0, 2, 4, 3, 5], vec![1, 2, 0, 3, 4, 5], vec![0, 1, 2, 4, 5, 3]]);
    let dihedral = alphabet(6, vec![vec![1, 2, 3, 4, 5, 0], vec![5, 4, 3, 2, 1, 0]]);
    let trivial = alphabet(3, vec![vec![0, 1, 2]]);
    for effort in [Effort::Quick, Effort::Short] {
        assert_eq!(members(&symmetric, effort), 120);
        assert_eq!(members(&alternating, effort), 360);
        assert_eq!(members(&glued, effort), 18);
        assert_eq!(members(&dihedral, effort), 12);
        assert_eq!(members(&trivial, effort), 1);
        // PGL(2, 5) (Wilson 1974)
        assert_eq!(members(&blocks(2, 3, 2), effort), 120);
    }
}

#[test]
fn scrambled_puzzles_are_factored() {
    for effort in [Effort::Quick, Effort::Short] {
        for alphabet in [blocks(2, 3, 2), blocks(3, 3, 2), blocks(4, 5, 4), torus(4), torus(8), blocks(8, 9, 8)] {
            if effort == Effort::Short && alphabet.degree() > 64 {
                continue;
            }
            let factoriser = factoriser(&alphabet, effort);
            let mut random = Random::new(7);
            for _ in 0..5 {
                check(&factoriser, &alphabet, &scrambled(&alphabet, &mut random));
            }
        }
    }
}

#[test]
fn giants_of_many_points() {
    for side in [20, 40] {
        let alphabet = blocks(side, side + 1, side);
        let factoriser = factoriser(&alphabet, Effort::Quick);
        assert!(matches!(factoriser.quick, Quick::Giant(_)));
        check(&factoriser, &alphabet, &scrambled(&alphabet, &mut Random::new(7)));
    }
}

#[test]
fn short_words_are_short() {
    for (alphabet, most) in [(blocks(3, 3, 2), 12), (torus(8), 420)] {
        let factoriser = factoriser(&alphabet, Effort::Short);
        let mut random = Random::new(11);
        for _ in 0..20 {
            let word = check(&factoriser, &alphabet, &scrambled(&alphabet, &mut random));
            assert!(word.moves().unwrap() <= most, "{:?} letters", word.moves());
        }
    }
}

#[test]
fn what_is_not_in_the_group_is_refused() {
    // X and Y are even: the group of the 8 x 9 board is alternating
    for (alphabet, effort) in [(blocks(8, 9, 8), Effort::Quick), (blocks(4, 5, 4), Effort::Short)] {
        let factoriser = factoriser(&alphabet, effort);
        let swap = Perm::from_cycles(alphabet.degree(), &[vec![0, 1]]).unwrap();
        assert!(factoriser.factor(&swap, Work::unlimited()).unwrap().is_none());
        let outside = Perm::from_cycles(alphabet.degree() + 2, &[vec![0, alphabet.degree() as u32]]).unwrap();
        assert!(factoriser.factor(&outside, Work::unlimited()).unwrap().is_none());
    }
}

#[test]
fn permutations_of_other_degrees_are_understood() {
    let alphabet = torus(3);
    let factoriser = factoriser(&alphabet, Effort::Short);
    for degree in [3, 9, 20] {
        check_padded(&factoriser, &alphabet, &Perm::from_cycles(degree, &[vec![0, 1, 2]]).unwrap());
    }
    assert_eq!(check(&factoriser, &alphabet, &Perm::identity(9)).moves(), Some(0));
}

fn check_padded(factoriser: &Factoriser, alphabet: &Arc<Alphabet>, target: &Perm) {
    let word = factoriser.factor(target, Work::unlimited()).unwrap().expect("a member");
    assert_eq!(word.evaluate_on(alphabet).unwrap().first_difference(target), None);
}

#[test]
fn only_the_letters_allowed_are_used() {
    let alphabet = torus(4);
    let rows: Vec<usize> = vec![0, 2, 4, 6, 99];
    for effort in [Effort::Quick, Effort::Short] {
        let factoriser = Factoriser::new(&alphabet, &rows, effort, None, Work::unlimited()).unwrap();
        let row = alphabet.perm(0).unwrap().then(alphabet.perm(2).unwrap());
        let word = check(&factoriser, &alphabet, &row);
        assert!(word.letters_iter().all(|letter| rows.contains(&letter.generator())));
        assert!(factoriser.factor(alphabet.perm(1).unwrap(), Work::unlimited()).unwrap().is_none());
    }
}

#[test]
fn a_known_order_is_used_and_a_wrong_one_ends() {
    let alphabet = blocks(2, 3, 2);
    for order in [120u32, 60, 720] {
        let order = BigUint::from(order);
        let made = Factoriser::new(&alphabet, &[0, 1], Effort::Quick, Some(&order), Work::unlimited()).unwrap();
        check(&made, &alphabet, alphabet.perm(0).unwrap());
    }
}

#[test]
fn words_do_not_depend_on_threads() {
    let alphabet = blocks(4, 5, 4);
    let target = scrambled(&alphabet, &mut Random::new(5));
    let word = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| check(&factoriser(&alphabet, Effort::Short), &alphabet, &target))
    };
    assert!(Word::same_moves(&word(1), &word(3), 10_000).unwrap());
}

#[test]
fn work_can_be_stopped() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let alphabet = torus(8);
    for effort in [Effort::Quick, Effort::Short] {
        let spent = AtomicU64::new(0);
        let goes_on = |steps| spent.fetch_add(steps, Ordering::Relaxed) < 5;
        let letters: Vec<usize> = (0..alphabet.len()).collect();
        let made = Factoriser::new(&alphabet, &letters, effort, None, Work::new(&goes_on));
        assert_eq!(made.err(), Some(super::super::Unfinished::Stopped));
    }
}
