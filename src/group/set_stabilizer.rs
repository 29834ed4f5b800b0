//! Stabilizers of sets of points.

use indexmap::IndexSet;
use num_bigint::BigUint;
use rustc_hash::FxBuildHasher;

use super::PermGroup;
use super::chain::{Chain, Hints};
use super::mixer::Mixer;
use super::search::{RED_ZONE, STACK};
use super::stabilizer::of_known_order;
use super::tree::Classes;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0x5e75;
/// A search may visit so many nodes before the orbit of the set is listed instead.
const NODES: usize = 1 << 19;
/// An orbit of sets may have so many sets, and so many points in all of them.
const SETS: usize = 1 << 20;
const SET_POINTS: usize = 1 << 26;

impl PermGroup {
    /// The elements that move the points of a set among each other.
    ///
    /// One orbit after the other, and in each the smaller of the set's part and the rest. In the symmetric and the alternating group
    /// of the points moved the answer has a closed form. Else a search in a chain that starts with the points of the set (HCGT
    /// section 4.6.2); where that takes too many steps or there is no such chain, random elements that take the set back to itself,
    /// from the orbit of the set, which may have about a million sets.
    pub fn set_stabilizer(&self, set: &[u32], work: Work<'_>) -> Done<PermGroup> {
        let mut inside = vec![false; self.degree];
        for point in set {
            if let Some(slot) = inside.get_mut(*point as usize) {
                *slot = true;
            }
        }
        let parts = self
            .orbits()
            .lists
            .iter()
            .map(|orbit| orbit.iter().copied().filter(|point| inside[*point as usize]).collect::<Vec<u32>>());
        let mut parts: Vec<Vec<u32>> = parts.filter(|part| !part.is_empty()).collect();
        parts.sort_by_key(Vec::len);
        let mut group = self.clone();
        for part in parts {
            // what the parts before left may have smaller orbits
            let smaller = group.least_set(&part);
            group = match smaller.as_slice() {
                [] => group,
                [point] => group.stabilizer(*point, work)?,
                _ => group.stabilizer_of_part(&smaller, work)?,
            };
        }
        group.thinned(work)
    }

    fn stabilizer_of_part(&self, set: &[u32], work: Work<'_>) -> Done<PermGroup> {
        if let Some((points, symmetric)) = self.as_giant(work)? {
            let rest: Vec<u32> = points.iter().copied().filter(|point| !set.contains(point)).collect();
            let mut generators = Vec::new();
            let mut order = BigUint::from(1u32);
            for part in [set, rest.as_slice()] {
                generators.extend(symmetric_generators(self.degree, part));
                (2..=part.len()).for_each(|factor| order *= factor);
            }
            let whole = PermGroup::with_order(self.degree, generators, order);
            return if symmetric { Ok(whole) } else { whole.even_part(work) };
        }
        if self.has_cheap_chain(&self.order(work)?)
            && let Some(found) = self.search_set_stabilizer(set, work)?
        {
            return Ok(found);
        }
        self.list_sets(set, work)
    }

    /// From the last point of the set up: where in the set can it go while the points before it are fixed? None if that takes too
    /// many steps.
    fn search_set_stabilizer(&self, set: &[u32], work: Work<'_>) -> Done<Option<PermGroup>> {
        let order = self.order(work)?;
        let kinds = self.kinds_in_set(set, work)?;
        let mut set = set.to_vec();
        set.sort_by_key(|point| &kinds[*point as usize]);
        let chain = Chain::new(
            self.degree,
            &self.generators,
            Hints { base: &set, order: Some(&order), ..Hints::default() },
            work,
        )?;
        let mut search = SetSearch { chain: &chain, kinds: &kinds, count: set.len(), nodes_left: NODES, work };
        let mut found = chain.generators_from(set.len());
        let mut order = chain.order_from(set.len());
        let mut classes = Classes::new(self.degree);
        found.iter().for_each(|generator| classes.join_cycles(generator));
        for (at, level) in chain.levels().iter().take(set.len()).enumerate().rev() {
            let mut failed = vec![false; self.degree];
            for way in level.orbit().iter().skip(1) {
                if !alike(&kinds, level.base(), *way) {
                    continue;
                }
                let stands = classes.find(*way);
                if stands == classes.find(level.base()) || failed[stands as usize] {
                    continue;
                }
                work.products(2, self.degree)?;
                let start = level.representative(*way, self.degree);
                match search.descend(at + 1, &start)? {
                    Answer::Found(element) => {
                        for (point, image) in element.images().iter().enumerate() {
                            if let Some((large, small)) = classes.join(point as u32, *image) {
                                failed[large as usize] |= failed[small as usize];
                            }
                        }
                        found.push(element);
                    }
                    Answer::No => failed[stands as usize] = true,
                    Answer::Tired => return Ok(None),
                }
            }
            order *= classes.size(level.base());
        }
        Ok(Some(PermGroup::with_order(self.degree, found, order)))
    }

    fn kinds_in_set(&self, set: &[u32], work: Work<'_>) -> Done<Vec<Kind>> {
        let mut kinds: Vec<Kind> = vec![None; self.degree];
        set.iter().for_each(|point| kinds[*point as usize] = Some((Vec::new(), Vec::new())));
        for orbit in &self.orbits().lists {
            if !orbit.iter().any(|point| kinds[*point as usize].is_some()) {
                continue;
            }
            for system in self.minimal_blocks(orbit, work)? {
                for (number, block) in system.blocks.iter().enumerate() {
                    let count = block.iter().filter(|point| kinds[**point as usize].is_some()).count();
                    for point in block {
                        if let Some((counts, numbers)) = &mut kinds[*point as usize] {
                            counts.push(count);
                            numbers.push(number);
                        }
                    }
                }
            }
        }
        Ok(kinds)
    }

    /// The stabilizer of a set, from the list of all sets that it is taken to.
    pub(super) fn list_sets(&self, set: &[u32], work: Work<'_>) -> Done<PermGroup> {
        let size = set.len();
        let order = self.order(work)?;
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        let mut movers: Vec<Perm> = self.generators.iter().filter(|mover| !mover.is_identity()).cloned().collect();
        while movers.len() < 4 {
            movers.push(mixer.element(work)?);
        }
        // the orbit, and for each of its sets the one it came from and by which mover
        let mut sets: IndexSet<Box<[u32]>, FxBuildHasher> = IndexSet::default();
        let mut came: Vec<(u32, u32)> = vec![(0, 0)];
        sets.insert(set.into());
        let mut at = 0;
        while at < sets.len() {
            work.charge(1 + (movers.len() * size / 16) as u64)?;
            for (number, mover) in movers.iter().enumerate() {
                let Some(from) = sets.get_index(at) else { break };
                let mut image: Box<[u32]> = from.iter().map(|point| mover.image(*point)).collect();
                image.sort_unstable();
                if sets.insert(image) {
                    came.push((at as u32, number as u32));
                }
            }
            at += 1;
            if sets.len() > SETS || sets.len() * size > SET_POINTS {
                return Err(Unfinished::TooLarge(format!(
                    "a set of {size} points that is taken to more than {} sets: its stabilizer was not found",
                    sets.len() - 1
                )));
            }
        }
        let mut next = || {
            let element = mixer.element(work)?;
            let mut image: Vec<u32> = set.iter().map(|point| element.image(*point)).collect();
            image.sort_unstable();
            let mut place = sets.get_index_of(image.as_slice()).unwrap_or(0);
            let mut way = Perm::identity(self.degree);
            while place != 0 {
                work.products(1, self.degree)?;
                let (from, number) = came[place];
                way = movers[number as usize].then(&way);
                place = from as usize;
            }
            work.products(2, self.degree)?;
            Ok(element.then(&way.inverse()))
        };
        of_known_order(self.degree, &(order / sets.len()), &mut next, work)
    }

    /// A set with the same stabilizer and as few points as may be: in each orbit the part that is in the set or the part that is not.
    fn least_set(&self, set: &[u32]) -> Vec<u32> {
        let mut inside = vec![false; self.degree];
        set.iter().for_each(|point| inside[*point as usize] = true);
        let mut least = Vec::new();
        for orbit in &self.orbits().lists {
            let there: Vec<u32> = orbit.iter().copied().filter(|point| inside[*point as usize]).collect();
            if 2 * there.len() <= orbit.len() {
                least.extend(there);
            } else {
                least.extend(orbit.iter().copied().filter(|point| !inside[*point as usize]));
            }
        }
        least.sort_unstable();
        least
    }
}

/// Two generators of all permutations of some points, or one, or none.
fn symmetric_generators(degree: usize, points: &[u32]) -> Vec<Perm> {
    let cycles = match points {
        [] | [_] => Vec::new(),
        [a, b] => vec![vec![*a, *b]],
        [a, b, ..] => vec![vec![*a, *b], points.to_vec()],
    };
    cycles.into_iter().filter_map(|cycle| Perm::from_cycles(degree, &[cycle]).ok()).collect()
}

/// What points of the set have in common with those that they can go to, None outside of the set: for each system of blocks how
/// many points of the set are in the point's block. Then, to sort by, the numbers of the blocks.
type Kind = Option<(Vec<usize>, Vec<usize>)>;

/// Can a point of the set go to the other one, as far as their kinds say?
fn alike(kinds: &[Kind], from: u32, to: u32) -> bool {
    match (&kinds[from as usize], &kinds[to as usize]) {
        (Some((from, _)), Some((to, _))) => from == to,
        _ => false,
    }
}

enum Answer {
    Found(Perm),
    No,
    Tired,
}

struct SetSearch<'a> {
    /// the first `count` base points are those of the set
    chain: &'a Chain,
    kinds: &'a [Kind],
    count: usize,
    nodes_left: usize,
    work: Work<'a>,
}

impl SetSearch<'_> {
    /// An element that keeps the set and does with the base points before `level` what `done` does.
    fn descend(&mut self, level: usize, done: &Perm) -> Done<Answer> {
        stacker::maybe_grow(RED_ZONE, STACK, || self.descend_here(level, done))
    }

    fn descend_here(&mut self, level: usize, done: &Perm) -> Done<Answer> {
        let Some(here) = self.chain.levels().get(level).filter(|_| level < self.count) else {
            return Ok(Answer::Found(done.clone()));
        };
        if self.nodes_left == 0 {
            return Ok(Answer::Tired);
        }
        self.nodes_left -= 1;
        for way in here.orbit() {
            if !alike(self.kinds, here.base(), done.image(*way)) {
                continue;
            }
            self.work.products(3, self.chain.degree())?;
            let next = here.representative(*way, self.chain.degree()).then(done);
            match self.descend(level + 1, &next)? {
                Answer::No => {}
                decided => return Ok(decided),
            }
        }
        Ok(Answer::No)
    }
}
