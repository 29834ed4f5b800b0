//! Words with a wanted effect, the cheapest first.
//!
//! Only words in normal form are looked at (`canonical`). Where the effect moves few cells, or is one of some permutations, words are
//! put together from halves: if u v moves at most k of the cells, u and the inverse of v agree on all but k of them, so of k + 1 parts into which
//! the cells are cut they agree on one as a whole. Halves that agree on a part are found by sorting. This is the birthday search that puzzle
//! theorists use for 3-cycles, made exact by the parts. Else all words are followed, depth first.

mod halves;

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Canon, Syllable};
use super::moves::Moves;
use super::{Space, Stopped};
use crate::group::Work;
use crate::perm::Perm;

/// Classes look at no more symmetries than this.
const MOST_SYMMETRIES: usize = 200;
/// The cyclic shifts of a word are followed up to so many forms.
const MOST_SHIFTS: usize = 500;

/// What the effect of a word has to be. What is `None` or empty asks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The lengths of the cycles above 1, descending.
    pub cycle_type: Option<Vec<usize>>,
    pub order: Option<u64>,
    /// No more cells than these are moved.
    pub most_moved: Option<usize>,
    /// For each cell, whether it may be moved.
    pub within: Option<Vec<bool>>,
    /// It is one of these.
    pub one_of: Option<Vec<Perm>>,
}

impl Wanted {
    /// Has a permutation the effect?
    pub fn is(&self, perm: &Perm) -> bool {
        let moved = perm.moved();
        self.most_moved.is_none_or(|most| moved <= most)
            && self.within.as_ref().is_none_or(|within| {
                (0u32..)
                    .zip(perm.images())
                    .all(|(cell, image)| cell == *image || within.get(cell as usize) == Some(&true))
            })
            && self
                .cycle_type
                .as_ref()
                .is_none_or(|lengths| lengths.iter().sum::<usize>() == moved && perm.cycle_type() == *lengths)
            && self.order.is_none_or(|order| perm.order() == order.into())
            && self.one_of.as_ref().is_none_or(|perms| perms.iter().any(|other| same(other, perm)))
    }

    /// So many cells are moved at most, if that is known.
    fn bound(&self) -> Option<usize> {
        let within = self.within.as_ref().map(|within| within.iter().filter(|may| **may).count());
        let cycles = self.cycle_type.as_ref().map(|lengths| lengths.iter().sum());
        [self.most_moved, within, cycles].into_iter().flatten().min()
    }
}

/// The same permutation, though one may know of more cells.
fn same(a: &Perm, b: &Perm) -> bool {
    a.first_difference(b).is_none()
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub space: &'a Space,
    /// One for each mover, at least 1.
    pub costs: &'a [u32],
    /// No word costs more.
    pub up_to: u64,
    pub wanted: &'a Wanted,
    /// All words, or one of each class: words that are the same up to inversion, cyclic shifts, orders and commutation of moves, and symmetries of
    /// the moves.
    pub all: bool,
    pub most_memory: u64,
}

/// A word with the wanted effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub movers: Vec<u32>,
    pub cost: u64,
    /// What it does, with the blank at home before it.
    pub effect: Perm,
}

/// Calls `accept` with each word that has the effect, by cost and then by the numbers of its movers; it says whether the word is really wanted, or breaks the
/// search off. Those that are wanted come back, one of each class unless all are asked for.
///
/// With a blank, words begin with the blank at its home and are those that are possible; they have no classes but inversion of neighbours. Costs some
/// ten nanoseconds for each word in normal form and cell; with halves, for each half.
pub fn find(
    search: &Search<'_>,
    accept: &mut dyn FnMut(&Hit) -> ControlFlow<(), bool>,
    work: Work<'_>,
) -> Result<Vec<Hit>, Stopped> {
    let Search { space, costs, .. } = *search;
    if costs.len() != space.moves.len() || costs.contains(&0) {
        return Err(Stopped::Unfit("each move needs a cost, at least 1"));
    }
    // a move that does what another does and is no cheaper stands in no word that is looked for; kept, such moves would multiply the words with a blank,
    // and the symmetries, until there are too many of those
    let kept = distinct(space, costs, work)?;
    if kept.len() < costs.len() {
        let moves = kept.iter().map(|mover| space.moves[*mover as usize].clone()).collect();
        let fewer = Space { degree: space.degree, blank: space.blank, moves };
        let costs: Vec<u32> = kept.iter().map(|mover| costs[*mover as usize]).collect();
        let renamed =
            |hit: &Hit| Hit { movers: hit.movers.iter().map(|mover| kept[*mover as usize]).collect(), ..hit.clone() };
        let search = Search { space: &fewer, costs: &costs, ..*search };
        let hits = find(&search, &mut |hit| accept(&renamed(hit)), work)?;
        return Ok(hits.iter().map(renamed).collect());
    }
    let start: Vec<u32> = (0..space.degree as u32).collect();
    let moves = Moves::new(space, &start)?;
    let mut found = Vec::new();
    let canon = match space.blank {
        None => Some(Canon::new(space, costs, work)?),
        Some(_) => None,
    };
    let mut classes = Classes { seen: FxHashSet::default(), renamings: Vec::new(), canon: canon.as_ref() };
    if !search.all && canon.is_some() {
        let symmetries = space.symmetries(costs, MOST_SYMMETRIES, work)?;
        classes.renamings = symmetries.into_iter().skip(1).map(|symmetry| symmetry.movers).collect();
    }
    let mut take = |hit: Hit, work: Work<'_>| -> Result<ControlFlow<()>, Stopped> {
        match accept(&hit) {
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            ControlFlow::Continue(false) => {}
            ControlFlow::Continue(true) => {
                if search.all || classes.is_new(&hit.movers, work)? {
                    found.push(hit);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    let halves = match &canon {
        Some(canon) => halves::Halves::new(search, &moves, canon, work)?,
        None => None,
    };
    match halves {
        Some(mut halves) => {
            for cost in 0..=search.up_to {
                for hit in halves.of_cost(cost, work)? {
                    if take(hit, work)?.is_break() {
                        return Ok(found);
                    }
                }
                if halves.is_done(cost) {
                    break;
                }
            }
        }
        None => {
            let mut follow = Follow::new(search, &moves, canon.as_ref());
            for cost in 0..=search.up_to {
                follow.any = false;
                if follow.words(cost, &mut take, work)?.is_break() || (!follow.any && cost > 0) {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// Of moves that do the same, the first of the cheapest; in order.
fn distinct(space: &Space, costs: &[u32], work: Work<'_>) -> Result<Vec<u32>, Stopped> {
    let mut best: FxHashMap<&[Option<Perm>], u32> = FxHashMap::default();
    for (number, mover) in (0u32..).zip(&space.moves) {
        work.products(mover.steps.len(), space.degree)?;
        let known = best.entry(&mover.steps).or_insert(number);
        if costs[number as usize] < costs[*known as usize] {
            *known = number;
        }
    }
    let mut kept: Vec<u32> = best.into_values().collect();
    kept.sort_unstable();
    Ok(kept)
}

/// Of each class the first word is taken.
struct Classes<'a> {
    seen: FxHashSet<Vec<Syllable>>,
    renamings: Vec<Vec<u32>>,
    canon: Option<&'a Canon>,
}

impl Classes<'_> {
    fn is_new(&mut self, word: &[u32], work: Work<'_>) -> Result<bool, Stopped> {
        let Some(canon) = self.canon else { return Ok(true) };
        work.charge(((1 + self.renamings.len()) * word.len() * word.len()) as u64)?;
        Ok(self.seen.insert(canon.class(word, &self.renamings, MOST_SHIFTS)))
    }
}

/// All words, depth first.
struct Follow<'a> {
    search: &'a Search<'a>,
    moves: &'a Moves,
    canon: Option<&'a Canon>,
    /// are there words that could go on?
    any: bool,
    movers: Vec<u32>,
    syllables: Vec<Syllable>,
    /// the places of the tiles after each beginning
    places: Vec<Vec<u32>>,
}

type Take<'t> = dyn FnMut(Hit, Work<'_>) -> Result<ControlFlow<()>, Stopped> + 't;

impl<'a> Follow<'a> {
    fn new(search: &'a Search<'a>, moves: &'a Moves, canon: Option<&'a Canon>) -> Follow<'a> {
        let start = (0..moves.degree as u32).collect();
        Follow { search, moves, canon, any: false, movers: Vec::new(), syllables: Vec::new(), places: vec![start] }
    }

    /// All words of exactly this cost that go on from here.
    fn words(&mut self, left: u64, take: &mut Take<'_>, work: Work<'_>) -> Result<ControlFlow<()>, Stopped> {
        let depth = self.movers.len();
        if left == 0 {
            self.any = true;
            let Ok(effect) = Perm::from_images(self.places[depth].clone()) else {
                return Ok(ControlFlow::Continue(()));
            };
            if !self.search.wanted.is(&effect) {
                return Ok(ControlFlow::Continue(()));
            }
            let cost = self.movers.iter().map(|mover| u64::from(self.search.costs[*mover as usize])).sum();
            return take(Hit { movers: self.movers.clone(), cost, effect }, work);
        }
        if self.places.len() == depth + 1 {
            self.places.push(Vec::new());
        }
        let moves = self.moves;
        let mut steps: Vec<_> = moves.at(moves.blank_cell(&self.places[depth])).iter().collect();
        steps.sort_by_key(|step| step.mover);
        work.products(steps.len(), moves.degree)?;
        for step in steps {
            let mover = step.mover as u32;
            let Some(rest) = left.checked_sub(u64::from(self.search.costs[step.mover])) else {
                self.any = true;
                continue;
            };
            let (length, last) = (self.syllables.len(), self.syllables.last().copied());
            if self.canon.is_some_and(|canon| !canon.extend(&mut self.syllables, mover)) {
                continue;
            }
            let mut next = std::mem::take(&mut self.places[depth + 1]);
            next.clear();
            next.extend(self.places[depth].iter().map(|cell| step.effect.images()[*cell as usize]));
            // with a blank, a move that takes the last one back
            let back = self.canon.is_none() && depth > 0 && next == self.places[depth - 1];
            self.places[depth + 1] = next;
            let flow = match back {
                true => ControlFlow::Continue(()),
                false => {
                    self.movers.push(mover);
                    let flow = self.words(rest, take, work)?;
                    self.movers.pop();
                    flow
                }
            };
            self.syllables.truncate(length);
            if let (Some(last), Some(place)) = (last, self.syllables.last_mut()) {
                *place = last;
            }
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests;
