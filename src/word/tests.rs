use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use super::*;
use crate::perm::kernel::Level;

/// X and Y on the two blocks of the 2 x 3 board, Z on one cell more, and a family member.
fn small() -> Arc<Alphabet> {
    let perm = |cycle: &[u32]| Perm::from_cycles(7, &[cycle.to_vec()]).expect("a cycle");
    let names = [("X", &[0, 3, 4, 1][..]), ("Y", &[1, 4, 5, 2]), ("Z", &[2, 6]), ("T[2,1]", &[0, 5])];
    Alphabet::new(7, names.iter().map(|(name, c)| (name.to_string(), perm(c))).collect())
}

/// Pseudorandom generators on n points: one dense, one sparse, one rotation.
fn any_degree(n: usize, level: Level) -> Arc<Alphabet> {
    let mut images: Vec<u32> = (0..n as u32).collect();
    let mut x = 12345u64;
    for i in (1..n).rev() {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        images.swap(i, (x >> 33) as usize % (i + 1));
    }
    let dense = Perm::from_images(images).expect("a shuffle");
    let last = n as u32 - 1;
    let sparse = match n {
        0..3 => Perm::identity(n),
        _ => Perm::from_cycles(n, &[vec![0, last, last / 2]]).expect("a cycle"),
    };
    let turn = Perm::from_cycles(n, &[(0..n as u32).collect()]).expect("a cycle");
    let named = |name: &str, perm: Perm| (name.to_owned(), perm);
    Alphabet::with_level(n, vec![named("X", dense), named("Y", sparse), named("Z", turn)], level)
}

/// An expression as the tests see it.
#[derive(Clone, Debug)]
enum Tree {
    Letters(Vec<(usize, bool)>),
    Product(Vec<Tree>),
    Inverse(Box<Tree>),
    Power(Box<Tree>, i64),
    Commutator(Box<Tree>, Box<Tree>),
    Conjugate(Box<Tree>, Box<Tree>),
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop::collection::vec((0..3usize, any::<bool>()), 0..5).prop_map(Tree::Letters);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Tree::Product),
            boxed.clone().prop_map(Tree::Inverse),
            (boxed.clone(), -3..4i64).prop_map(|(t, e)| Tree::Power(t, e)),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Tree::Commutator(a, b)),
            (boxed.clone(), boxed).prop_map(|(a, b)| Tree::Conjugate(a, b)),
        ]
    })
}

impl Tree {
    fn word(&self, alphabet: &Arc<Alphabet>) -> Word {
        match self {
            Tree::Letters(letters) => {
                let letters = letters.iter().map(|&(g, i)| Letter::new(g, i)).collect();
                Word::letters(alphabet, letters).expect("known letters")
            }
            Tree::Product(parts) => {
                let parts: Vec<Word> = parts.iter().map(|part| part.word(alphabet)).collect();
                // Both ways of multiplying are used.
                if parts.len().is_multiple_of(2) {
                    return Word::product(parts).expect("one alphabet");
                }
                let mut product = Word::empty();
                for part in &parts {
                    product = product.then(part).expect("one alphabet");
                }
                product
            }
            Tree::Inverse(tree) => tree.word(alphabet).inverse(),
            Tree::Power(tree, e) => tree.word(alphabet).pow(&BigInt::from(*e)),
            Tree::Commutator(a, b) => Word::commutator(&a.word(alphabet), &b.word(alphabet)).expect("one alphabet"),
            Tree::Conjugate(a, b) => Word::conjugate(&a.word(alphabet), &b.word(alphabet)).expect("one alphabet"),
        }
    }

    fn spell(&self) -> Vec<Letter> {
        let inverse =
            |letters: Vec<Letter>| -> Vec<Letter> { letters.iter().rev().map(|letter| letter.inverse()).collect() };
        match self {
            Tree::Letters(letters) => letters.iter().map(|&(g, i)| Letter::new(g, i)).collect(),
            Tree::Product(parts) => parts.iter().flat_map(Tree::spell).collect(),
            Tree::Inverse(tree) => inverse(tree.spell()),
            Tree::Power(tree, e) => {
                let once = if *e < 0 { inverse(tree.spell()) } else { tree.spell() };
                once.repeat(e.unsigned_abs() as usize)
            }
            Tree::Commutator(a, b) => {
                let (a, b) = (a.spell(), b.spell());
                [a.clone(), b.clone(), inverse(a), inverse(b)].concat()
            }
            Tree::Conjugate(a, b) => [a.spell(), b.spell(), inverse(a.spell())].concat(),
        }
    }
}

/// Letter by letter, with plain lists.
fn plain_effect(letters: &[Letter], alphabet: &Alphabet) -> Perm {
    let mut images: Vec<u32> = (0..alphabet.degree() as u32).collect();
    let inverses: Vec<Perm> = alphabet.perms().iter().map(Perm::inverse).collect();
    for letter in letters {
        let list = if letter.is_inverse() { &inverses[..] } else { alphabet.perms() };
        images.iter_mut().for_each(|x| *x = list[letter.generator()].image(*x));
    }
    Perm::from_images(images).expect("a product of bijections")
}

fn plain_runs(letters: &[Letter]) -> usize {
    letters.chunk_by(|a, b| a.generator() == b.generator()).count()
}

proptest! {
    #[test]
    fn a_word_does_what_its_letters_do(tree in trees(), n in prop::sample::select(vec![
        1usize, 2, 15, 16, 17, 63, 64, 65, 128, 255, 256, 257, 300,
    ]), level in prop::sample::select(vec![Level::Portable, Level::Avx2, Level::Vbmi])) {
        let alphabet = any_degree(n, level);
        let word = tree.word(&alphabet);
        let expected = plain_effect(&tree.spell(), &alphabet);
        prop_assert_eq!(word.evaluate_as(&alphabet), expected.clone());
        prop_assert_eq!(word.evaluate_on(&alphabet).expect("one alphabet"), expected.clone());
        prop_assert_eq!(word.evaluate().images().iter().copied().chain(word.evaluate().degree() as u32..n as u32).collect::<Vec<_>>(), expected.images());
        let undo = word.inverse().evaluate_on(&alphabet).expect("one alphabet");
        prop_assert_eq!(undo, expected.inverse());
    }

    #[test]
    fn spelling_and_measures_agree(tree in trees()) {
        let word = tree.word(&small());
        let letters = tree.spell();
        prop_assert_eq!(word.spell(letters.len()).expect("short enough"), letters.clone());
        prop_assert_eq!(word.letters_iter().collect::<Vec<_>>(), letters.clone());
        prop_assert_eq!(word.length(), BigUint::from(letters.len()));
        prop_assert_eq!(word.moves(), Some(letters.len() as u64));
        prop_assert_eq!(word.runs(), BigUint::from(plain_runs(&letters)));
        let mut tally: BTreeMap<usize, BigUint> = BTreeMap::new();
        for letter in &letters {
            *tally.entry(letter.generator()).or_default() += 1u32;
        }
        prop_assert_eq!(word.tally(), tally.into_iter().collect::<Vec<_>>());
        if let Some(short) = letters.len().checked_sub(1) {
            prop_assert_eq!(word.spell(short), Err(TooLong { length: BigUint::from(letters.len()) }));
        }
    }

    #[test]
    fn reducing_keeps_the_effect_and_is_done_once(tree in trees()) {
        let alphabet = small();
        let word = tree.word(&alphabet);
        let reduced = word.reduce(100_000).expect("short enough");
        let letters = reduced.spell(100_000).expect("no longer");
        prop_assert!(letters.windows(2).all(|pair| pair[0] != pair[1].inverse()));
        prop_assert_eq!(plain_effect(&letters, &alphabet), plain_effect(&tree.spell(), &alphabet));
        let again = reduced.reduce(100_000).expect("no longer");
        prop_assert_eq!(again.spell(100_000).expect("no longer"), letters);
        prop_assert!(Word::same_moves(&word, &reduced, 100_000).expect("short enough"));
        let longer = reduced.then(&Word::letters(&alphabet, vec![Letter::new(3, false)]).expect("known")).expect("one alphabet");
        prop_assert!(!Word::same_moves(&word, &longer, 100_000).expect("short enough"));
    }

    #[test]
    fn a_text_is_cut_to_what_was_asked_for(tree in trees(), max in 0..40usize) {
        let word = tree.word(&small());
        let whole = word.to_string();
        let cut = word.to_text(max);
        prop_assert!(cut.chars().count() <= max);
        if whole.chars().count() <= max {
            prop_assert_eq!(cut, whole);
        } else if max > 0 {
            prop_assert!(cut.ends_with('…') && whole.starts_with(cut.trim_end_matches('…')));
        }
    }
}

fn letter(alphabet: &Arc<Alphabet>, generator: usize) -> Word {
    Word::letters(alphabet, vec![Letter::new(generator, false)]).expect("known letter")
}

fn pow(word: &Word, e: i64) -> Word {
    word.pow(&BigInt::from(e))
}

fn then(a: &Word, b: &Word) -> Word {
    a.then(b).expect("one alphabet")
}

#[test]
fn words_print_as_papers_write_them() {
    let s = small();
    let (x, y, t) = (letter(&s, 0), letter(&s, 1), letter(&s, 3));
    let c = pow(&then(&y, &x), 4);
    let codes = [(0, false), (1, false), (1, false), (0, false), (1, true), (0, true)];
    let a = Word::letters(&s, codes.iter().map(|&(g, i)| Letter::new(g, i)).collect()).expect("known");
    let aca = then(&then(&a, &c), &a.inverse());
    let phi = Word::commutator(&c, &aca).expect("one alphabet");
    assert_eq!(phi.to_string(), "[(Y X)^4, X Y Y X Y' X' (Y X)^4 (X Y Y X Y' X')']");
    assert_eq!(pow(&phi, -3).to_string(), format!("{phi}^-3"));
    assert_eq!(phi.inverse().to_string(), format!("{phi}'"));
    let z = Word::conjugate(&x, &y).expect("one alphabet");
    assert_eq!(then(&z, &t.inverse()).to_string(), "[X: Y] T[2,1]'");
    assert_eq!(pow(&x, 3).to_string(), "X^3");
    assert_eq!(pow(&x, -3).to_string(), "X^-3");
    assert_eq!(pow(&x, 0).to_string(), "X^0");
    assert_eq!(pow(&x, 1000).to_string(), "X^1000");
    assert_eq!(pow(&x.inverse(), 1000).to_string(), "(X')^1000");
    assert_eq!(pow(&pow(&x, 3), 2).to_string(), "(X^3)^2");
    assert_eq!(pow(&x, 3).inverse().to_string(), "(X^3)'");
    assert_eq!(then(&pow(&x, 2), &pow(&x, 3)).to_string(), "X^2 X^3");
    assert_eq!(then(&x, &x).to_string(), "X X");
    assert_eq!(then(&x, &x).reduce(9).expect("short").to_string(), "X^2");
    assert_eq!(Word::empty().to_string(), "()");
    assert_eq!(Word::commutator(&x, &Word::empty()).expect("fits").to_string(), "[X, ()]");
    assert_eq!(format!("{:.12}", phi), "[(Y X)^4, …");
    let r = |count| (Letter::new(0, false), count);
    let powers = Word::powers(&s, [r(2), (Letter::new(1, true), 1), r(0), (Letter::new(0, true), 2)].into_iter());
    assert_eq!(powers.expect("known").to_string(), "X^2 Y' X^-2");
}

#[test]
fn written_powers_of_any_size_are_words() {
    let s = small();
    let powers = [(0, 3), (1, u32::MAX), (0, 1)].map(|(g, count)| (Letter::new(g, true), count));
    let word = Word::powers(&s, powers.iter().copied()).expect("known letters");
    assert_eq!(word.to_string(), "X^-3 (Y')^4294967295 X'");
    assert_eq!(word.moves(), Some(4 + u64::from(u32::MAX)));
    let pieces = vec![
        vec![(Letter::new(0, false), 2), (Letter::new(1, true), 1)],
        vec![(Letter::new(0, true), 2)],
        vec![(Letter::new(0, false), 0)],
    ];
    let order: Vec<u32> = (0..200).map(|k| k * k % 3).collect();
    let flat = order.iter().flat_map(|piece| pieces[*piece as usize].iter().copied());
    let (one, other) = (Word::pieces(&s, &pieces, &order).unwrap(), Word::powers(&s, flat).unwrap());
    assert_eq!(one.to_text(10_000), other.to_text(10_000));
    assert_eq!(one.spell(10_000), other.spell(10_000));
    let nothing = Word::powers(&s, [(Letter::new(0, false), 0)].into_iter()).expect("known letter");
    assert_eq!(nothing.to_string(), "()");
}

#[test]
fn words_of_two_puzzles_do_not_mix() {
    let (s, t) = (small(), small());
    let (x, y) = (letter(&s, 0), letter(&t, 1));
    assert_eq!(x.then(&y).err(), Some(MixedAlphabets));
    assert_eq!(Word::product(vec![x.clone(), Word::empty(), y.clone()]).err(), Some(MixedAlphabets));
    assert_eq!(Word::commutator(&x, &y).err(), Some(MixedAlphabets));
    assert_eq!(Word::conjugate(&x, &y).err(), Some(MixedAlphabets));
    assert_eq!(x.evaluate_on(&t).err(), Some(MixedAlphabets));
    assert!(Arc::ptr_eq(x.then(&Word::empty()).expect("fits").alphabet().expect("one"), &s));
    assert!(Word::empty().alphabet().is_none());
    assert!(Word::empty().evaluate_on(&t).expect("fits").is_identity());
    let unknown = Word::letters(&s, vec![Letter::new(1, false), Letter::new(4, true)]);
    assert_eq!(unknown.err().map(|e| e.position), Some(1));
    assert!(!Word::same_moves(&x, &letter(&t, 0), 10).expect("short"));
}

#[test]
fn equal_neighbours_are_joined_as_powers_are_written() {
    let alphabet = small();
    let mut seed = 1u64;
    for round in 0..200 {
        // runs of all lengths, also across blocks of 64 letters
        let mut letters = Vec::new();
        while letters.len() < 150 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let pick = (seed >> 33) as usize;
            let most = [2, 5, 15, 18, 80][round % 5];
            let letter = Letter::new(pick % 3, pick / 3 % 2 == 1);
            letters.extend(std::iter::repeat_n(letter, 1 + pick / 6 % most));
        }
        let runs = letters.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32));
        let written = Word::powers(&alphabet, runs).expect("letters of the alphabet");
        let joined = Word::joined(&alphabet, letters.clone()).expect("letters of the alphabet");
        assert_eq!(joined.to_text(100_000), written.to_text(100_000));
        assert_eq!(joined.spell(100_000).expect("short"), letters);
    }
    assert!(Word::joined(&alphabet, vec![Letter::new(4, false)]).is_err());
    assert!(Word::joined(&alphabet, Vec::new()).expect("nothing").moves() == Some(0));
}

#[test]
fn powers_are_never_spelled_out() {
    let s = small();
    let (x, y, z) = (letter(&s, 0), letter(&s, 1), letter(&s, 2));
    let word = pow(&then(&pow(&then(&x, &y), 1_000_000), &z), 1_000_000);
    assert_eq!(word.length(), BigUint::from(2_000_001_000_000u64));
    assert_eq!(word.runs(), BigUint::from(2_000_001_000_000u64));
    let inner = x.evaluate().then(&y.evaluate()).pow(&BigInt::from(1_000_000));
    assert_eq!(word.evaluate(), inner.then(&z.evaluate()).pow(&BigInt::from(1_000_000)));
    let e: BigInt = BigInt::from(10).pow(1000) + 7;
    let giant = then(&x, &y).pow(&-&e);
    assert_eq!(BigInt::from(giant.length()), &e * 2);
    assert_eq!(giant.evaluate(), x.evaluate().then(&y.evaluate()).pow(&-&e));
    assert_eq!(giant.tally(), vec![(0, e.magnitude().clone()), (1, e.magnitude().clone())]);
    assert!(giant.spell(1000).is_err() && giant.reduce(1000).is_err());
    let first: Vec<Letter> = giant.letters_iter().take(3).collect();
    assert_eq!(first, [Letter::new(1, true), Letter::new(0, true), Letter::new(1, true)]);
    let block = pow(&x, 2).pow(&e);
    assert_eq!(block.runs(), BigUint::from(1u32));
    assert_eq!(block.pow(&BigInt::ZERO).runs(), BigUint::ZERO);
    assert_eq!(block.pow(&BigInt::ZERO).letters_iter().count(), 0);
    assert!(Word::same_moves(&giant, &giant.clone(), 10).expect("one object"));
    assert!(!Word::same_moves(&giant, &x, 10).expect("other effects"));
}

#[test]
fn towers_share_their_parts() {
    let s = small();
    let mut tower = letter(&s, 0);
    let mut length = BigUint::from(1u32);
    for k in 0..200 {
        let other = letter(&s, 1 + k % 2);
        tower = Word::commutator(&tower, &other).expect("one alphabet");
        length = (length + 1u32) * 2u32;
    }
    assert_eq!(tower.length(), length);
    assert!(tower.evaluate().degree() == 7);
    // Both factors are one object: 2^200 letters, 200 nodes.
    let mut double = then(&letter(&s, 0), &letter(&s, 1));
    for _ in 0..200 {
        double = Word::product(vec![pow(&double, 0), double.clone(), double.clone()]).expect("one");
    }
    assert_eq!(double.length(), BigUint::from(2u32) << 200);
    assert_eq!(double.runs(), BigUint::from(2u32) << 200);
    let effect = s.perms()[0].then(&s.perms()[1]).pow(&(BigInt::from(1) << 200));
    assert_eq!(double.evaluate(), effect);
    assert_eq!(double.evaluate_as(&s), effect);
    assert_eq!(double.tally()[0], (0, BigUint::from(1u32) << 200));
    assert!(double.to_text(50).chars().count() <= 50);
    // Nothing, many times over.
    let mut nothing = pow(&then(&letter(&s, 0), &letter(&s, 1)), 0);
    for _ in 0..200 {
        nothing = Word::product(vec![nothing.clone(), nothing.clone()]).expect("one").inverse();
    }
    assert_eq!(nothing.spell(0), Ok(Vec::new()));
    assert_eq!(nothing.letters_iter().count(), 0);
    assert!(nothing.evaluate().is_identity());
}

#[test]
fn long_runs_are_the_same_in_pieces() {
    // Long enough to be given to several threads, where there are several.
    for (n, length) in [(54, 140_001), (200, 140_000), (300, 30_001), (5000, 4_500)] {
        for level in [Level::Portable, Level::Vbmi] {
            let s = any_degree(n, level);
            let mut x = 5u64;
            let letters: Vec<Letter> = (0..length)
                .map(|_| {
                    x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    Letter::new((x >> 40) as usize % 3, x >> 63 == 1)
                })
                .collect();
            let expected = plain_effect(&letters, &s);
            let word = Word::letters(&s, letters).expect("known letters");
            let undo = then(&word.inverse(), &Word::letters(&s, vec![]).expect("none")).evaluate();
            assert!(word.evaluate() == expected && undo == expected.inverse());
        }
    }
}

#[test]
fn words_may_be_used_on_any_thread() {
    fn check<T: Send + Sync + Clone>() {}
    check::<Word>();
    check::<Perm>();
}

#[test]
fn deep_expressions_need_no_recursion() {
    let s = small();
    let (x, y) = (letter(&s, 0), letter(&s, 1));
    let deep = 300_000;
    let chain = |step: &dyn Fn(&Word) -> Word| {
        let mut word = then(&x, &y);
        for _ in 0..deep {
            word = step(&word);
        }
        word
    };
    let c = then(&y, &pow(&x, -2)).inverse();
    let right = chain(&|w| then(&c, w));
    assert_eq!(right.length(), BigUint::from(2 + 3 * deep as u64));
    let left = chain(&|w| Word::product(vec![w.clone(), c.clone()]).expect("one alphabet"));
    assert_eq!(left.spell(4 * deep).expect("short").len(), 2 + 3 * deep);
    assert_eq!(left.letters_iter().count(), 2 + 3 * deep);
    let inverted = chain(&|w| then(&w.inverse(), &c));
    let powers = chain(&|w| pow(w, -2).inverse());
    let brackets = chain(&|w| Word::commutator(w, &y).expect("one alphabet"));
    let conjugates = chain(&|w| Word::conjugate(&x, w).expect("one alphabet"));
    for word in [right, left, inverted, powers, brackets, conjugates] {
        let effect = word.evaluate();
        assert!(word.inverse().evaluate().then(&effect).is_identity());
        assert!(word.to_text(30).chars().count() <= 30);
        assert!(word.runs() <= word.length());
        if word.moves().is_some() {
            let total: BigUint = word.tally().into_iter().map(|(_, count)| count).sum();
            assert_eq!(total, word.length());
        }
    }
}

#[test]
fn words_built_letter_by_letter_stay_shallow() {
    let s = small();
    let (x, y) = (letter(&s, 0), letter(&s, 1));
    let mut word = Word::empty();
    for _ in 0..20_000 {
        word = then(&then(&word, &x), &y);
    }
    assert_eq!(word.moves(), Some(40_000));
    let mut depth = 0;
    let mut at = &word;
    while let Shape::Product(parts) = at.shape() {
        depth += 1;
        at = &parts[0];
    }
    assert!(depth < 30, "{depth} products deep");
    assert_eq!(word.evaluate(), then(&x, &y).evaluate().pow(&BigInt::from(20_000)));
}

#[test]
fn much_sharing_on_a_large_board_is_kept_for_the_evaluation_only() {
    // 70 shared parts of 300,000 points are more than may be left in nodes.
    let n = 300_000;
    let s = any_degree(n, Level::best());
    let mut words = vec![letter(&s, 1)];
    for k in 0..70 {
        let last = &words[k];
        words.push(Word::product(vec![pow(last, 1), letter(&s, 1), last.clone()]).expect("one"));
    }
    let exponent = (BigInt::from(1) << 71) - 1;
    assert_eq!(words[70].evaluate(), s.perms()[1].pow(&exponent));
    let kept = words.iter().filter_map(|w| w.0.as_ref()).filter(|n| n.effect.get().is_some());
    assert!(kept.count() < 65);
}
