//! Short elements of the stabiliser of some more points.

use rustc_hash::FxHashSet;

use super::ball::{Ball, Code, Row, append, append_inverse, fingerprint, identity, image, then};
use super::list::{List, Places, orbits};
use crate::group::{Done, Work};

/// How many elements a list keeps, apart from the rare ones.
const LIST: usize = 12_000;
/// Longer words are not kept. Where there are no others, the tables end: lengths double from step to step then.
const LONGEST: usize = 600;
/// With how many others that bring the points to the same place an element is divided.
const BUCKET: usize = 4;
/// So many elements that bring a point to the same place are not too many.
const RARE: u8 = 6;
/// Of how many elements conjugates are formed, by how many short elements; and where elements are few.
const CONJUGATES: (usize, usize) = (150, 1200);
const CONJUGATES_OF_FEW: (usize, usize) = (600, 6000);
/// Products of so many elements are formed where elements are few.
const FACTORS: usize = 64;
const NONE: u32 = u32::MAX;

/// Elements that fix `points` as well, from a list of elements sorted by length: those that do, quotients of two that bring
/// the points to the same place (Minkwitz's "products"), and conjugates by short elements. Sorted by length.
pub(super) fn deeper<const N: usize>(
    ball: &Ball<N>,
    list: &List<N>,
    fixed: &[u8],
    points: &[u8],
    work: Work<'_>,
) -> Done<List<N>> {
    work.charge(list.len() as u64)?;
    let mut kept = Kept::new(ball.degree);
    for (first, second) in pairs(list, points).into_iter().flatten().take(2 * LIST) {
        if kept.list.len() >= LIST {
            break;
        }
        work.charge(4)?;
        let first = first as usize;
        match second {
            NONE => kept.offer(list.row(first), list.back(first), |word| word.extend_from_slice(list.word(first))),
            _ => kept.offer_quotient(list, first, second as usize),
        }
    }
    let few = kept.list.len() < LIST / 2;
    let (conjugated, conjugators) = if few { CONJUGATES_OF_FEW } else { CONJUGATES };
    kept.list = kept.list.in_order(&kept.list.by_length());
    let is_small = |&element: &u32| {
        let moved = kept.list.row(element as usize).iter().enumerate().filter(|&(i, &x)| i != x as usize).count();
        2 * moved <= ball.degree
    };
    let small: Vec<u32> = (0..kept.list.len() as u32).filter(is_small).take(conjugated).collect();
    let sources = kept.list.in_order(&small);
    for by in 1..ball.size().min(conjugators) {
        work.charge(sources.len() as u64 / 8)?;
        let (row, back) = (ball.list.row(by), ball.list.back(by));
        let preimages: Vec<u8> = fixed.iter().chain(points).map(|&p| image(back, p)).collect();
        for source in 0..sources.len() {
            if preimages.iter().all(|&p| image(sources.row(source), p) == p) {
                let conjugate = |other: &Row<N>| then(&then(back, other), row);
                kept.offer(&conjugate(sources.row(source)), &conjugate(sources.back(source)), |word| {
                    append_inverse(word, ball.list.word(by));
                    append(word, sources.word(source));
                    append(word, ball.list.word(by));
                });
            }
        }
    }
    kept.list = kept.list.in_order(&kept.list.by_length());
    if few {
        // products of the shortest
        let factors: Vec<u32> = (0..kept.list.len().min(FACTORS) as u32).collect();
        let factors = kept.list.in_order(&factors);
        for (a, b) in (0..factors.len()).flat_map(|a| (0..factors.len()).map(move |b| (a, b))) {
            kept.offer_quotient(&factors, a, b);
        }
        kept.list = kept.list.in_order(&kept.list.by_length());
    }
    Ok(kept.list)
}

/// By the number of letters: elements that fix the points (second is [`NONE`]), and pairs that bring them to the same place.
fn pairs<const N: usize>(list: &List<N>, points: &[u8]) -> Vec<Vec<(u32, u32)>> {
    let places = Places::new(points, &orbits(list.rows()));
    let home = places.number_of(points, &identity());
    let mut buckets = vec![[NONE; BUCKET]; places.count()];
    let mut pairs: Vec<Vec<(u32, u32)>> = vec![Vec::new(); LONGEST + 1];
    for number in 0..list.len() {
        let place = places.number_of(points, list.row(number));
        if place == home {
            if let Some(pairs) = pairs.get_mut(list.length(number)) {
                pairs.push((number as u32, NONE));
            }
            continue;
        }
        for slot in &mut buckets[place] {
            if *slot == NONE {
                *slot = number as u32;
                break;
            }
            let letters = list.length(number) + list.length(*slot as usize);
            if let Some(pairs) = pairs.get_mut(letters) {
                pairs.push((number as u32, *slot));
            }
        }
    }
    pairs
}

/// A list in the making.
struct Kept<const N: usize> {
    degree: usize,
    list: List<N>,
    seen: FxHashSet<u64>,
    /// How many elements came that bring a point to another, up to [`RARE`]. To stay is not rare.
    met: Vec<Row<N>>,
    word: Vec<Code>,
}

impl<const N: usize> Kept<N> {
    fn new(degree: usize) -> Kept<N> {
        let seen = FxHashSet::from_iter([fingerprint(&identity::<N>(), degree)]);
        let met = (0..degree).map(|point| std::array::from_fn(|image| if image == point { RARE } else { 0 })).collect();
        Kept { degree, list: List::new(), seen, met, word: Vec::new() }
    }

    /// Keeps an element, given with its inverse, and the inverse, if it is new; a list that is half full takes only what
    /// brings some point where few others bring it.
    fn offer(&mut self, row: &Row<N>, back: &Row<N>, write: impl FnOnce(&mut Vec<Code>)) {
        let mut rare = self.list.len() < LIST / 2;
        for (met, &x) in self.met.iter_mut().zip(row) {
            let count = &mut met[x as usize & (N - 1)];
            rare |= *count < RARE;
            *count += u8::from(*count < RARE);
        }
        if !rare || !self.seen.insert(fingerprint(row, self.degree)) {
            return;
        }
        self.word.clear();
        write(&mut self.word);
        if self.seen.insert(fingerprint(back, self.degree)) {
            self.list.push(*back, *row, self.word.iter().rev().map(|&code| code ^ 1));
        }
        self.list.push(*row, *back, self.word.iter().copied());
    }

    /// Offers one element of a list divided by another.
    fn offer_quotient(&mut self, list: &List<N>, a: usize, b: usize) {
        self.offer(&then(list.row(a), list.back(b)), &then(list.row(b), list.back(a)), |word| {
            word.extend_from_slice(list.word(a));
            append_inverse(word, list.word(b));
        });
    }
}
