//! Searching a stabilizer chain for elements that conjugate permutations as wished.
//!
//! Wanted: the g of a group with a(j) g = g b(j) for given a(j) and b(j), that is g' a(j) g = b(j). The image of one point under g
//! gives the images of its orbit under the a(j) ([`Matching`]), so the base of the chain follows those orbits and most levels
//! have no choice (backtrack search; HCGT sections 4.6.2 and 4.6.5).

use num_bigint::BigUint;
use num_traits::One;

use super::PermGroup;
use super::chain::{Chain, Hints};
use super::equivariant::Matching;
use super::orbits::Orbits;
use super::tree::Classes;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

/// A search may visit so many nodes. Exponential searches end here; the others do not come near.
const NODES: usize = 1 << 19;
/// So many nodes are tried before symmetries of the search are looked for.
const FEW_NODES: usize = 3_000;
/// Up to this degree all points of an orbit under a(j) become base points.
const DENSE_DEGREE: usize = 1_000;

/// A search goes as deep as the base is long.
pub(super) const RED_ZONE: usize = 64 << 10;
pub(super) const STACK: usize = 1 << 20;

struct Search<'a> {
    chain: &'a Chain,
    a: &'a [Perm],
    b: &'a [Perm],
    matching: Matching<'a>,
    nodes_left: usize,
    work: Work<'a>,
}

impl<'a> Search<'a> {
    fn new(chain: &'a Chain, a: &'a [Perm], b: &'a [Perm], nodes: usize, work: Work<'a>) -> Search<'a> {
        let matching = Matching::new(chain.degree(), a, b);
        Search { chain, a, b, matching, nodes_left: nodes, work }
    }

    /// Fixes the points that the whole group fixes. False if then there is no solution.
    fn fix_points(&mut self, orbits: &Orbits) -> Done<bool> {
        for orbit in &orbits.lists {
            if let [point] = orbit.as_slice()
                && !self.matching.extend(*point, *point, self.work)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A solution that continues `done`, of which the images of the base points before `level` are settled.
    fn descend(&mut self, level: usize, done: &Perm) -> Done<Option<Perm>> {
        stacker::maybe_grow(RED_ZONE, STACK, || self.descend_here(level, done))
    }

    fn descend_here(&mut self, level: usize, done: &Perm) -> Done<Option<Perm>> {
        let degree = self.chain.degree();
        let Some(here) = self.chain.levels().get(level) else {
            self.work.products(2 * self.a.len(), degree)?;
            let solves = self.a.iter().zip(self.b).all(|(a, b)| a.then(done) == done.then(b));
            return Ok(solves.then(|| done.clone()));
        };
        if self.nodes_left == 0 {
            return Err(too_many());
        }
        self.nodes_left -= 1;
        if let Some(image) = self.matching.image(here.base()) {
            let needed = done.preimage(image);
            if !here.contains(needed) {
                return Ok(None);
            }
            return match needed == here.base() {
                true => self.descend(level + 1, done),
                false => self.descend(level + 1, &self.next(level, needed, done)?),
            };
        }
        for way in here.orbit() {
            let mark = self.matching.mark();
            if self.matching.extend(here.base(), done.image(*way), self.work)? {
                let next = self.next(level, *way, done)?;
                if let Some(found) = self.descend(level + 1, &next)? {
                    return Ok(Some(found));
                }
            }
            self.matching.undo(mark);
        }
        Ok(None)
    }

    fn next(&self, level: usize, way: u32, done: &Perm) -> Done<Perm> {
        self.work.products(4, self.chain.degree())?;
        let Some(level) = self.chain.levels().get(level) else { return Ok(done.clone()) };
        Ok(level.representative(way, self.chain.degree()).then(done))
    }
}

fn too_many() -> Unfinished {
    Unfinished::TooLarge(format!("the search for elements that commute as wished was given up after {NODES} steps"))
}

impl PermGroup {
    /// A chain whose base follows the orbits under some permutations, long ones first.
    fn chain_along(&self, along: &[Perm], work: Work<'_>) -> Done<Chain> {
        let order = self.order(work)?;
        let mut lists = Orbits::new(self.degree, along).lists;
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        let orbits = self.orbits();
        let moved = |point: &u32| orbits.orbit_of(*point).len() > 1;
        let base: Vec<u32> = match self.degree <= DENSE_DEGREE {
            true => lists.iter().flatten().copied().filter(moved).collect(),
            false => lists.iter().filter_map(|list| list.iter().copied().find(moved)).collect(),
        };
        Chain::new(self.degree, &self.generators, Hints { base: &base, order: Some(&order), ..Hints::default() }, work)
    }

    /// The elements that commute with all of some permutations of the group's degree, by searching.
    pub(super) fn search_centralizer(&self, elements: &[Perm], work: Work<'_>) -> Done<PermGroup> {
        let chain = self.chain_along(elements, work)?;
        self.search_centralizer_in(&chain, elements, work)
    }

    /// From the last level up: at each, which images can the base point have while the base points before it are fixed? One search
    /// for each orbit of what is found so far.
    fn search_centralizer_in(&self, chain: &Chain, elements: &[Perm], work: Work<'_>) -> Done<PermGroup> {
        let mut search = Search::new(chain, elements, elements, NODES, work);
        let mut found: Vec<Perm> = Vec::new();
        let mut order = BigUint::one();
        if !search.fix_points(self.orbits())? {
            // a point that the group fixes is moved by an element: no equivariant map fixes it, so even the identity would fail
            return Ok(PermGroup::trivial(self.degree));
        }
        let fixed = search.matching.mark();
        let levels = chain.levels();
        // how many points have images when the base points before a level are fixed
        let mut marks = vec![fixed];
        for level in levels {
            if search.matching.image(level.base()).is_none() {
                search.matching.extend(level.base(), level.base(), work)?;
            }
            marks.push(search.matching.mark());
        }
        let identity = Perm::identity(self.degree);
        let mut classes = Classes::new(self.degree);
        for (at, level) in levels.iter().enumerate().rev() {
            search.matching.undo(marks[at]);
            if search.matching.image(level.base()).is_some() {
                continue;
            }
            let mut failed = vec![false; self.degree];
            for way in level.orbit().iter().skip(1) {
                let stands = classes.find(*way);
                if stands == classes.find(level.base()) || failed[stands as usize] {
                    continue;
                }
                let next = search.next(at, *way, &identity)?;
                let solution = match search.matching.extend(level.base(), *way, work)? {
                    true => search.descend(at + 1, &next)?,
                    false => None,
                };
                search.matching.undo(marks[at]);
                match solution {
                    Some(solution) => {
                        for (point, image) in solution.images().iter().enumerate() {
                            if let Some((large, small)) = classes.join(point as u32, *image) {
                                failed[large as usize] |= failed[small as usize];
                            }
                        }
                        found.push(solution);
                    }
                    None => failed[stands as usize] = true,
                }
            }
            order *= classes.size(level.base());
        }
        PermGroup::with_order(self.degree, found, order).thinned(work)
    }

    /// An element g with g' a(j) g = b(j) for all j, if there is one, by searching. All permutations have the group's degree.
    pub(super) fn search_conjugator(&self, a: &[Perm], b: &[Perm], work: Work<'_>) -> Done<Option<Perm>> {
        let chain = self.chain_along(a, work)?;
        let identity = Perm::identity(self.degree);
        let mut search = Search::new(&chain, a, b, FEW_NODES, work);
        if !search.fix_points(self.orbits())? {
            return Ok(None);
        }
        match search.descend(0, &identity) {
            Err(Unfinished::TooLarge(_)) => {}
            decided => return decided,
        }
        // images of the first point that elements commuting with b take to each other succeed or fail together
        let commuting = self.search_centralizer(b, work)?;
        let mut search = Search::new(&chain, a, b, NODES, work);
        search.fix_points(self.orbits())?;
        let Some(first) = chain.levels().first() else { return search.descend(0, &identity) };
        if search.matching.image(first.base()).is_some() {
            return search.descend(0, &identity);
        }
        let mut tried = vec![false; commuting.orbits().count()];
        for way in first.orbit() {
            let class = commuting.orbits().of[*way as usize] as usize;
            if std::mem::replace(&mut tried[class], true) {
                continue;
            }
            let mark = search.matching.mark();
            if search.matching.extend(first.base(), *way, work)? {
                let next = search.next(0, *way, &identity)?;
                if let Some(found) = search.descend(1, &next)? {
                    return Ok(Some(found));
                }
            }
            search.matching.undo(mark);
        }
        Ok(None)
    }
}
