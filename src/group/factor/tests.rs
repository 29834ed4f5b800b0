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

#[test]
fn scrambled_puzzles_are_factored() {
    for effort in [Effort::Quick, Effort::Short] {
        for alphabet in [blocks(2, 3, 2), blocks(3, 3, 2), blocks(4, 5, 4), torus(4), torus(8), blocks(8, 9, 8)] {
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
