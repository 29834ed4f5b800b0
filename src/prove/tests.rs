//! The mathematics of proofs on the boards of the rotation puzzle, against plain counting.

use super::*;

const N: Var = FIRST;

fn n() -> Form {
    Form::var(N)
}

fn x(d: Var) -> Form {
    Form::var(d)
}

fn known(least: i64) -> Region {
    Region::of(vec![Constraint::less_eq(&Form::int(least), &n()).unwrap()])
}

fn block(low: &Form, high: &Form, left: &Form, right: &Form) -> Region {
    Region::of(vec![
        Constraint::less_eq(low, &x(0)).unwrap(),
        Constraint::less_eq(&x(0), high).unwrap(),
        Constraint::less_eq(left, &x(1)).unwrap(),
        Constraint::less_eq(&x(1), right).unwrap(),
    ])
}

fn letters() -> (Piecewise, Piecewise) {
    let left = Piece {
        region: block(&Form::int(1), &n(), &Form::int(1), &n()),
        to: vec![n().plus(1).unwrap().sub(&x(1)).unwrap(), x(0)],
    };
    let right = Piece {
        region: block(&Form::int(1), &n(), &Form::int(2), &n().plus(1).unwrap()),
        to: vec![n().plus(2).unwrap().sub(&x(1)).unwrap(), x(0).plus(1).unwrap()],
    };
    (Piecewise { width: 2, pieces: vec![left] }, Piecewise { width: 2, pieces: vec![right] })
}

/// Where a letter takes a cell on a board of a given size, by hand.
fn by_hand(letter: char, n: i64, (i, j): (i64, i64)) -> (i64, i64) {
    match letter {
        'X' if j <= n => (n + 1 - j, i),
        'x' if j <= n => (j, n + 1 - i),
        'Y' if j >= 2 => (n + 2 - j, i + 1),
        'y' if j >= 2 => (j - 1, n + 2 - i),
        _ => (i, j),
    }
}

fn word(text: &str, known: &Region) -> Piecewise {
    let (a, b) = letters();
    let (c, d) = (a.inverse(known).unwrap(), b.inverse(known).unwrap());
    let mut map = Piecewise::identity(2);
    for letter in text.chars() {
        let next = match letter {
            'X' => &a,
            'Y' => &b,
            'x' => &c,
            _ => &d,
        };
        map = map.then(known, next).unwrap();
    }
    map
}

fn compare(text: &str, least: i64, sizes: std::ops::RangeInclusive<i64>) -> usize {
    let map = word(text, &known(least));
    for size in sizes {
        for i in 1..=size {
            for j in 1..=size + 1 {
                let at = |var: Var| Some([i, j].get(usize::from(var)).copied().unwrap_or(size));
                let pieces: Vec<&Piece> = map.pieces.iter().filter(|piece| piece.region.holds(&at)).collect();
                assert!(pieces.len() <= 1, "{text}: two pieces at n = {size}");
                let image = match pieces.first() {
                    Some(piece) => {
                        let value = |d: usize| piece.to[d].value(&at).unwrap();
                        (value(0).to_integer() as i64, value(1).to_integer() as i64)
                    }
                    None => (i, j),
                };
                let expected = text.chars().fold((i, j), |cell, letter| by_hand(letter, size, cell));
                assert_eq!(image, expected, "{text} at n = {size}, ({i}, {j})");
            }
        }
    }
    map.pieces.len()
}

#[test]
fn words_are_followed_for_every_size() {
    compare("X", 2, 2..=6);
    compare("XYYXyx", 2, 2..=9);
    compare("YXYXYXYX", 2, 2..=9);
    compare("XYXYYxyXXyXYYxyXYXXyXYx", 2, 2..=12);
}

#[test]
fn phi_is_a_three_cycle_with_exact_cells() {
    let known = known(6);
    let (c, a) = (word("YXYXYXYX", &known), word("XYYXyx", &known));
    let (c_back, a_back) = (c.inverse(&known).unwrap(), a.inverse(&known).unwrap());
    let aca = a.then(&known, &c).unwrap().then(&known, &a_back).unwrap();
    let aca_back = aca.inverse(&known).unwrap();
    let phi = c.then(&known, &aca).unwrap().then(&known, &c_back).unwrap().then(&known, &aca_back).unwrap();
    let points = vec![
        vec![Form::int(2), Form::int(1)],
        vec![Form::int(4), n().plus(-2).unwrap()],
        vec![n().plus(-4).unwrap(), n().plus(1).unwrap()],
    ];
    let expected = Piecewise::cycle(2, &points).unwrap();
    assert_eq!(phi.equals(&known, &expected), Ok(true));
    assert!(phi.pieces.len() <= 6, "{phi:?}");
    assert_eq!(phi.power(&known, 3).unwrap().is_identity(&known), Ok(true));
    assert_eq!(phi.is_identity(&known), Ok(false));
    assert_eq!(c.moved(&known).unwrap().count(&known).unwrap(), Form::new([(N, 3)], -1, 1).poly());
    let both = c.moved(&known).unwrap().intersection(&known, &aca.moved(&known).unwrap());
    assert_eq!(both.count(&known), Ok(Poly::int(1)));
    assert_eq!(both.tidy(&known).regions[0].as_point(&known, 2), Some(vec![Form::int(2), Form::int(1)]));
}

#[test]
fn emptiness_is_decided_over_the_integers() {
    let (a, b) = (Form::var(FIRST), Form::var(FIRST + 1));
    // 2 a = 2 b + 1
    let odd = Constraint::equal(&a.scale(2, 1).unwrap(), &b.scale(2, 1).unwrap().plus(1).unwrap()).unwrap();
    assert_eq!(odd.truth(), Some(false));
    // 3 a + 5 b = 1 has solutions, but not with a and b both even
    let sum = a.scale(3, 1).unwrap().add(&b.scale(5, 1).unwrap()).unwrap().plus(-1).unwrap();
    let region = Region::of(vec![Constraint::eq(&sum)]);
    assert!(!region.is_empty());
    let even = |form: &Form| Constraint::divisible(form, 2).unwrap();
    assert!(region.with(even(&a)).with(even(&b)).is_empty());
    assert_eq!(region.with(Constraint::ge(&a)).sample(&[FIRST, FIRST + 1]), Some(vec![2, -1]));
    // 1 <= 2 a <= 1 is nothing
    let half = a.scale(2, 1).unwrap();
    assert!(
        Region::of(vec![
            Constraint::less_eq(&Form::int(1), &half).unwrap(),
            Constraint::less_eq(&half, &Form::int(1)).unwrap()
        ])
        .is_empty()
    );
}
