//! Products of generators that are the identity while those of their images are not.

use indexmap::IndexMap;
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use super::work::{Done, Work};
use crate::perm::Perm;

/// A product of powers of generators, left to right: the number of the generator and its exponent, which is not 0.
pub type Word = Vec<(usize, i32)>;

/// So many elements are reached, with so many images in all.
const ELEMENTS: usize = 6_000;
const IMAGES: usize = 1 << 24;
/// The orders of so many of them are tried.
const ORDERS: usize = 400;
/// A power may have so many letters.
const LETTERS: usize = 400;

struct Reached {
    image: Perm,
    from: usize,
    letter: (usize, bool),
}

/// A short product of generators that is the identity, and that of their images is not; None if the search meets none.
///
/// Elements are reached breadth-first: one that is reached in two ways with two images gives such a product, and one whose image
/// has an order that does not divide its own. Finds all there is in groups of up to 6000 elements.
pub(super) fn witness(
    degree: usize,
    generators: &[Perm],
    target_degree: usize,
    images: &[Perm],
    work: Work<'_>,
) -> Done<Option<Word>> {
    let letters: Vec<((usize, bool), Perm, Perm)> = generators
        .iter()
        .zip(images)
        .enumerate()
        .flat_map(|(at, (generator, image))| {
            [((at, false), generator.clone(), image.clone()), ((at, true), generator.inverse(), image.inverse())]
        })
        .collect();
    let mut best: Option<Vec<(usize, bool)>> = None;
    let better =
        |found: &Option<Vec<(usize, bool)>>, length: usize| found.as_ref().is_none_or(|known| known.len() > length);
    let mut reached: IndexMap<Perm, Reached, FxBuildHasher> = IndexMap::default();
    let start = Reached { image: Perm::identity(target_degree), from: 0, letter: (0, false) };
    reached.insert(Perm::identity(degree), start);
    let limit = ELEMENTS.min(IMAGES / (degree + target_degree + 1));
    let mut at = 0;
    'search: while let Some((element, here)) = reached.get_index(at) {
        let (element, image) = (element.clone(), here.image.clone());
        if at > 0 && at <= ORDERS {
            work.products(2, target_degree)?;
            let order = element.order();
            let way = way_to(&reached, at);
            let times = usize::try_from(&order).unwrap_or(LETTERS + 1);
            let length = times.saturating_mul(way.len());
            if length <= LETTERS && better(&best, length) && !image.pow(&BigInt::from(order)).is_identity() {
                best = Some(way.repeat(times));
            }
        }
        for (letter, generator, its_image) in &letters {
            work.products(2, degree + target_degree)?;
            let (next, next_image) = (element.then(generator), image.then(its_image));
            match reached.get_full(&next) {
                Some((other, _, known)) if known.image != next_image => {
                    let mut word = way_to(&reached, at);
                    word.push(*letter);
                    word.extend(inverse(&way_to(&reached, other)));
                    if better(&best, word.len()) {
                        best = Some(word);
                    }
                    // what is met later is hardly shorter
                    break 'search;
                }
                Some(_) => {}
                None if reached.len() < limit => {
                    reached.insert(next, Reached { image: next_image, from: at, letter: *letter });
                }
                None => {}
            }
        }
        at += 1;
    }
    // of a word and its inverse, both good, the one with fewer inverses
    let fewer = |letters: Vec<(usize, bool)>| {
        let inverses = letters.iter().filter(|(_, inverse)| *inverse).count();
        if 2 * inverses > letters.len() { inverse(&letters) } else { letters }
    };
    Ok(best.map(fewer).map(|letters| powers(&letters)))
}

fn inverse(letters: &[(usize, bool)]) -> Vec<(usize, bool)> {
    letters.iter().rev().map(|(at, inverse)| (*at, !inverse)).collect()
}

fn way_to(reached: &IndexMap<Perm, Reached, FxBuildHasher>, element: usize) -> Vec<(usize, bool)> {
    let mut way = Vec::new();
    let mut at = element;
    while at != 0 {
        let Some((_, here)) = reached.get_index(at) else { break };
        way.push(here.letter);
        at = here.from;
    }
    way.reverse();
    way
}

/// Letters as powers of generators, neighbours taken together.
fn powers(letters: &[(usize, bool)]) -> Word {
    let mut word: Word = Vec::new();
    for (generator, inverse) in letters {
        let exponent = if *inverse { -1 } else { 1 };
        match word.last_mut() {
            Some((last, sum)) if last == generator => *sum += exponent,
            _ => word.push((*generator, exponent)),
        }
        if word.last().is_some_and(|(_, sum)| *sum == 0) {
            word.pop();
        }
    }
    word
}
