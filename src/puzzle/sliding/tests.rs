use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use super::{Effect, Halt, NoOrder, Slides, Step, Walker};
use crate::perm::Perm;
use crate::puzzle::board::Board;
use crate::word::{Alphabet, Letter, Word};

/// A board of rows and columns whose last cell is empty. The letters move the blank up, left, and, if `closed`, past the
/// edge as well; the third letter is a turn of all cells that is always possible.
fn board(rows: u32, columns: u32, closed: bool) -> Slides {
    let cells = rows * columns;
    let walk = |path: Vec<u32>| Some(Arc::new(Step::Walk(path.into())));
    let up = (0..cells).map(|cell| match cell / columns {
        0 if closed && rows > 1 => walk((1..rows).map(|row| row * columns + cell).collect()),
        0 => None,
        _ => walk(vec![cell - columns]),
    });
    let left = (0..cells).map(|cell| match cell % columns {
        0 if closed && columns > 1 => walk((1..columns).map(|column| cell + column).collect()),
        0 => None,
        _ => walk(vec![cell - 1]),
    });
    let turn = Perm::from_cycles(cells as usize, &[(0..cells).collect()]).unwrap();
    let turns = (0..cells).map(|cell| Some(Arc::new(Step::Turn { to: turn.image(cell), perm: turn.clone() })));
    Slides::new(cells - 1, cells as usize, vec![up.collect(), left.collect(), turns.collect()]).unwrap()
}

fn alphabet() -> Arc<Alphabet> {
    Alphabet::new(0, ["U", "L", "T"].map(|name| (name.to_string(), Perm::identity(0))).to_vec())
}

/// A random word, before it has an alphabet.
#[derive(Clone, Debug)]
enum Plan {
    Letter(usize, bool),
    Product(Vec<Plan>),
    Inverse(Box<Plan>),
    Power(Box<Plan>, i32),
    Commutator(Box<Plan>, Box<Plan>),
    Conjugate(Box<Plan>, Box<Plan>),
    /// the same part twice, as one object
    Twice(Box<Plan>),
}

impl Plan {
    fn word(&self, alphabet: &Arc<Alphabet>) -> Word {
        match self {
            Plan::Letter(letter, back) => Word::letters(alphabet, vec![Letter::new(*letter, *back)]).unwrap(),
            Plan::Product(parts) => Word::product(parts.iter().map(|part| part.word(alphabet)).collect()).unwrap(),
            Plan::Inverse(part) => part.word(alphabet).inverse(),
            Plan::Power(part, times) => part.word(alphabet).pow(&BigInt::from(*times)),
            Plan::Commutator(a, b) => Word::commutator(&a.word(alphabet), &b.word(alphabet)).unwrap(),
            Plan::Conjugate(a, b) => Word::conjugate(&a.word(alphabet), &b.word(alphabet)).unwrap(),
            Plan::Twice(part) => {
                let word = part.word(alphabet);
                Word::product(vec![word.clone(), word.inverse(), word.clone(), word]).unwrap()
            }
        }
    }
}

fn plan() -> impl Strategy<Value = Plan> {
    (0usize..3, any::<bool>()).prop_map(|(letter, back)| Plan::Letter(letter, back)).prop_recursive(5, 30, 4, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..5).prop_map(Plan::Product),
            1 => inner.clone().prop_map(|part| Plan::Inverse(part.into())),
            2 => (inner.clone(), -5..6).prop_map(|(part, times)| Plan::Power(part.into(), times)),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| Plan::Commutator(a.into(), b.into())),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| Plan::Conjugate(a.into(), b.into())),
            1 => inner.prop_map(|part| Plan::Twice(part.into())),
        ]
    })
}

fn puzzles() -> impl Strategy<Value = Slides> {
    (1u32..4, 1u32..4, any::<bool>()).prop_map(|(rows, columns, closed)| board(rows, columns, closed))
}

/// The word letter by letter: what it does, or how many moves it does, and which it does not.
fn step_by_step(sliding: &Slides, word: &Word, blank: u32) -> Result<Effect, (u64, Letter, u32, Perm)> {
    let mut board = Board::new(&Perm::identity(sliding.cells()));
    let mut at = blank;
    for (count, letter) in word.spell(1_000_000).unwrap().into_iter().enumerate() {
        match board.slide(sliding, letter, at) {
            Some(to) => at = to,
            None => return Err((count as u64, letter, at, board.perm())),
        }
    }
    Ok(Effect { blank: at, perm: board.perm() })
}

fn stuck(halt: Halt) -> (u64, Letter, u32, Perm) {
    match halt {
        Halt::Stuck(stuck) => (u64::try_from(&stuck.moves).unwrap(), stuck.letter, stuck.blank, stuck.perm),
        Halt::Stopped => panic!("nobody said stop"),
    }
}

/// Larger expressions are not spelled out for a comparison.
fn is_small(word: &Word) -> bool {
    word.moves().is_some_and(|moves| moves < 50_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_word_does_what_its_letters_do(sliding in puzzles(), plan in plan(), short in 0u64..8) {
        let word = plan.word(&alphabet());
        prop_assume!(is_small(&word));
        // one walker for all places: what it remembers must not depend on where it was asked first
        let mut walker = Walker::walking(&sliding, &word, short, &|_| true);
        for blank in 0..sliding.cells() as u32 {
            prop_assert_eq!(walker.from(blank).map_err(stuck), step_by_step(&sliding, &word, blank));
        }
    }

    #[test]
    fn an_inverse_walks_back(sliding in puzzles(), plan in plan(), short in 0u64..8) {
        let word = plan.word(&alphabet());
        prop_assume!(is_small(&word));
        let back = word.inverse();
        let mut walker = Walker::walking(&sliding, &word, short, &|_| true);
        let mut returns = Walker::walking(&sliding, &back, short, &|_| true);
        for blank in 0..sliding.cells() as u32 {
            if let Ok(there) = walker.from(blank) {
                let home = returns.from(there.blank).map_err(stuck);
                prop_assert_eq!(home, Ok(Effect { blank, perm: there.perm.inverse() }));
            }
        }
    }

    #[test]
    fn equality_is_equality_in_every_place(sliding in puzzles(), a in plan(), b in plan()) {
        let alphabet = alphabet();
        let (a, b) = (a.word(&alphabet), b.word(&alphabet));
        prop_assume!(is_small(&a) && is_small(&b));
        let differ = |place: &u32| step_by_step(&sliding, &a, *place).ok() != step_by_step(&sliding, &b, *place).ok();
        let expected = sliding.places().iter().copied().find(|place| differ(place));
        let found = sliding.first_difference(&a, &b, &|_| true).unwrap();
        prop_assert_eq!(found.map(|difference| difference.blank), expected);
    }

    #[test]
    fn the_order_is_the_first_power_that_does_nothing(sliding in puzzles(), plan in plan()) {
        let alphabet = alphabet();
        let word = plan.word(&alphabet);
        prop_assume!(word.moves().is_some_and(|moves| moves < 400));
        let nothing = Effect { blank: sliding.home, perm: Perm::identity(sliding.cells()) };
        let mut expected = None;
        let mut power = Word::empty();
        for k in 1u64..=60 {
            power = power.then(&word).unwrap();
            let restored = match sliding.is_free() {
                true => sliding.first_difference(&power, &Word::empty(), &|_| true).unwrap().is_none(),
                false => match step_by_step(&sliding, &power, sliding.home) {
                    Ok(effect) => effect == nothing,
                    Err(_) => {
                        expected = Some(Err(k - 1));
                        break;
                    }
                },
            };
            if restored {
                expected = Some(Ok(BigUint::from(k)));
                break;
            }
        }
        let found = sliding.order(&word, &|_| true).map_err(|none| match none {
            NoOrder::Stuck(rounds, _) => rounds,
            NoOrder::Stopped => panic!("nobody said stop"),
        });
        match expected {
            Some(expected) => prop_assert_eq!(found, expected),
            None => prop_assert!(found.is_ok_and(|order| order > BigUint::from(60u32))),
        }
    }

    #[test]
    fn pairs_go_where_the_blank_and_the_tile_go(rows in 2u32..4, columns in 2u32..4, a in plan(), b in plan()) {
        let sliding = board(rows, columns, true);
        let alphabet = alphabet();
        let (a, b) = (a.word(&alphabet), b.word(&alphabet));
        prop_assume!(is_small(&a) && is_small(&b));
        let [x, y] = [&a, &b].map(|word| sliding.on_pairs(word, &|_| true).unwrap());
        // words are multiplied as their permutations of pairs are
        prop_assert_eq!(sliding.on_pairs(&a.then(&b).unwrap(), &|_| true).unwrap(), x.then(&y));
        for place in sliding.places() {
            let effect = step_by_step(&sliding, &a, *place).unwrap();
            prop_assert_eq!(sliding.of_pairs(&x, *place), Some(effect.clone()));
            for cell in (0..sliding.cells() as u32).filter(|cell| cell != place) {
                let pair = sliding.pair_number(*place, cell).unwrap();
                prop_assert_eq!(sliding.pair(pair as usize), (*place, cell));
                let image = sliding.pair(x.image(pair) as usize);
                prop_assert_eq!(image, (effect.blank, effect.perm.image(cell)));
            }
        }
    }

    #[test]
    fn what_undoes_a_move_leads_back(rows in 2u32..4, columns in 2u32..4, closed: bool, first in 0usize..6, second in 0usize..6) {
        let sliding = board(rows, columns, closed);
        let letter = |code: usize| Letter::new(code / 2, code % 2 == 1);
        let word = Word::letters(&alphabet(), vec![letter(first), letter(second)]).unwrap();
        for blank in 0..sliding.cells() as u32 {
            let undone = sliding.undoes(letter(second), letter(first), blank);
            let effect = step_by_step(&sliding, &word, blank);
            if undone {
                prop_assert_eq!(&effect, &Ok(Effect { blank, perm: Perm::identity(sliding.cells()) }));
            }
            if letter(second) == letter(first).inverse() {
                prop_assert_eq!(undone, effect.is_ok());
            }
        }
    }
}

#[test]
fn powers_go_along_the_places_of_the_blank() {
    let sliding = board(3, 3, false);
    let alphabet = alphabet();
    let letters = |codes: &[(usize, bool)]| {
        Word::letters(&alphabet, codes.iter().map(|(letter, back)| Letter::new(*letter, *back)).collect()).unwrap()
    };
    let around = letters(&[(0, false), (1, false), (0, true), (1, true)]);
    let huge = BigInt::from(10).pow(30);
    let mut word = around.pow(&huge);
    for _ in 0..50 {
        word = Word::commutator(&word, &around).unwrap().then(&around).unwrap().pow(&huge);
    }
    let effect = Walker::new(&sliding, &word, &|_| true).from(8).unwrap();
    assert_eq!(effect.blank, 8);
    // after so many moves one is impossible
    let up = letters(&[(0, false), (0, false), (0, false)]);
    let Err(Halt::Stuck(stuck)) = Walker::new(&sliding, &word.then(&up).unwrap(), &|_| true).from(8) else {
        panic!("the blank cannot go up three times")
    };
    assert_eq!(stuck.moves, word.length() + 2u32);
    assert_eq!((stuck.letter, stuck.blank), (Letter::new(0, false), 2));
    assert!(matches!(Walker::new(&sliding, &word, &|_| false).from(8), Err(Halt::Stopped)));
}

#[test]
fn a_move_that_cannot_be_undone_is_refused() {
    let walk = |path: Vec<u32>| Some(Arc::new(Step::Walk(path.into())));
    let steps = vec![walk(vec![1]), None, walk(vec![1])];
    assert!(Slides::new(0, 3, vec![steps]).is_err());
}

#[test]
fn cells_that_the_blank_cannot_come_to_are_no_places() {
    let walk = |path: Vec<u32>| Some(Arc::new(Step::Walk(path.into())));
    // the blank goes between cells 0 and 1; cells 2 and 3 have a move of their own that is never possible
    let sliding = Slides::new(0, 4, vec![vec![walk(vec![1]), walk(vec![0]), None, None]]).unwrap();
    assert_eq!(sliding.places(), [0, 1]);
    assert!(sliding.is_free());
    assert_eq!(sliding.pairs(), 6);
}
