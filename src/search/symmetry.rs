//! Symmetries of a space: permutations of its cells that rename its moves.

use rustc_hash::FxHashMap;

use super::{Space, Stopped};
use crate::group::Work;
use crate::perm::Perm;

const NONE: u32 = u32::MAX;

/// s⁻¹ m s is the move that m is renamed to, for each move m, where s permutes the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// s: where each cell goes; cells that no move moves stay.
    pub cells: Perm,
    /// For each mover the one that it is renamed to.
    pub movers: Vec<u32>,
}

impl Space {
    /// All symmetries that keep the costs of the moves, the identity first, in the order of their renamings; or only the identity, if there are more
    /// than `most`, or if the moves depend on a blank.
    ///
    /// Found by renaming one move after the other, each time one that moves as many cells as possible that those before it move; of what is renamed so
    /// far, cells are followed along moves, so that dead ends end early. Moves that do the same keep their order. Two symmetries that rename
    /// alike differ by a map that commutes with all moves; one of these is given. Costs some products for each pair of moves, and
    /// for each symmetry and dead end what it costs to follow the cells.
    pub fn symmetries(&self, costs: &[u32], most: usize, work: Work<'_>) -> Result<Vec<Symmetry>, Stopped> {
        let perms: Option<Vec<&Perm>> = self.moves.iter().map(|mover| mover.steps.first()?.as_ref()).collect();
        let identity = Symmetry { cells: Perm::identity(self.degree), movers: (0..self.moves.len() as u32).collect() };
        let Some(perms) = perms.filter(|perms| self.blank.is_none() && !perms.is_empty() && perms.len() == costs.len())
        else {
            return Ok(vec![identity]);
        };
        if perms.iter().any(|perm| perm.degree() > self.degree) {
            return Err(Stopped::Unfit("a move leaves the cells"));
        }
        let perms: Vec<Perm> = perms.iter().map(|perm| perm.then(&Perm::identity(self.degree))).collect();
        let copies = (0..perms.len()).map(|at| {
            let same = (0..at).filter(|other| perms[*other] == perms[at] && costs[*other] == costs[at]);
            same.count()
        });
        let kinds: Vec<Kind> =
            perms.iter().zip(costs).zip(copies).map(|((p, cost), n)| (*cost, p.cycle_type(), n)).collect();
        let mut search = Finder {
            degree: self.degree,
            perms: &perms,
            kinds: &kinds,
            pairs: pairs(&perms, self.degree, work)?,
            order: order(&perms, self.degree, work)?,
            most,
            found: Vec::new(),
        };
        let mut scratch = Scratch { map: vec![NONE; self.degree], back: vec![NONE; self.degree] };
        if !search.rename(0, &mut vec![NONE; perms.len()], &mut scratch, work)? {
            return Ok(vec![identity]);
        }
        let mut found = search.found;
        found.sort_by(|a, b| a.movers.cmp(&b.movers));
        // the identity renames nothing, but the cells may have been found in another way
        if let Some(first) = found.first_mut() {
            *first = identity;
        }
        Ok(found)
    }
}

/// The cost of a mover, its cycle type, and how many movers before it are the same.
type Kind = (u32, Vec<usize>, usize);

/// For each pair of movers a number for the cycle types of their product and commutator.
fn pairs(perms: &[Perm], degree: usize, work: Work<'_>) -> Result<Vec<u32>, Stopped> {
    let mut numbers: FxHashMap<(Vec<usize>, Vec<usize>), u32> = FxHashMap::default();
    let mut pairs = Vec::with_capacity(perms.len() * perms.len());
    for a in perms {
        work.products(6 * perms.len(), degree)?;
        for b in perms {
            let next = numbers.len() as u32;
            let types = (a.then(b).cycle_type(), Perm::commutator(a, b).cycle_type());
            pairs.push(*numbers.entry(types).or_insert(next));
        }
    }
    Ok(pairs)
}

/// The movers, each time the one of which most cells are moved by those before it.
fn order(perms: &[Perm], degree: usize, work: Work<'_>) -> Result<Vec<usize>, Stopped> {
    let mut moved = vec![false; degree];
    let mut rest: Vec<usize> = (0..perms.len()).collect();
    let mut order = Vec::with_capacity(perms.len());
    while !rest.is_empty() {
        work.products(rest.len(), degree)?;
        let common = |mover: &usize| {
            (0u32..).zip(&moved).filter(|(cell, known)| **known && perms[*mover].image(*cell) != *cell).count()
        };
        let best = (0..rest.len()).max_by_key(|at| (common(&rest[*at]), std::cmp::Reverse(*at))).unwrap_or(0);
        let mover = rest.remove(best);
        (0u32..).zip(&mut moved).for_each(|(cell, known)| *known |= perms[mover].image(cell) != cell);
        order.push(mover);
    }
    Ok(order)
}

struct Finder<'a> {
    degree: usize,
    perms: &'a [Perm],
    kinds: &'a [Kind],
    pairs: Vec<u32>,
    /// in which order movers are renamed
    order: Vec<usize>,
    most: usize,
    found: Vec<Symmetry>,
}

/// Where cells go and come from while an orbit is followed; `NONE` everywhere at other times.
struct Scratch {
    map: Vec<u32>,
    back: Vec<u32>,
}

impl Finder<'_> {
    /// Renames one more move; false if there are too many symmetries.
    fn rename(
        &mut self,
        depth: usize,
        renamed: &mut Vec<u32>,
        scratch: &mut Scratch,
        work: Work<'_>,
    ) -> Result<bool, Stopped> {
        let Some(&at) = self.order.get(depth) else {
            if let Some(cells) = self.cells(renamed, scratch, work)? {
                self.found.push(Symmetry { cells, movers: renamed.clone() });
            }
            return Ok(self.found.len() <= self.most);
        };
        for candidate in 0..self.perms.len() as u32 {
            work.charge(1 + depth as u64 / 8)?;
            if self.kinds[at] != self.kinds[candidate as usize] || !self.agrees(depth, renamed, candidate) {
                continue;
            }
            renamed[at] = candidate;
            let go_on =
                !self.follows(depth, renamed, scratch, work)? || self.rename(depth + 1, renamed, scratch, work)?;
            renamed[at] = NONE;
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Products and commutators of two moves have to have the cycle types of those of what they are renamed to.
    fn agrees(&self, depth: usize, renamed: &[u32], candidate: u32) -> bool {
        let (at, count, candidate) = (self.order[depth], self.perms.len(), candidate as usize);
        self.order[..depth].iter().all(|old| {
            let to = renamed[*old] as usize;
            to != candidate
                && self.pairs[old * count + at] == self.pairs[to * count + candidate]
                && self.pairs[at * count + old] == self.pairs[candidate * count + to]
        })
    }

    /// Can the cells that the last renamed move moves, and what the renamed moves make of them, go somewhere together?
    fn follows(&self, depth: usize, renamed: &[u32], scratch: &mut Scratch, work: Work<'_>) -> Result<bool, Stopped> {
        let (known, at) = (&self.order[..=depth], self.order[depth]);
        let (perm, to) = (&self.perms[at], &self.perms[renamed[at] as usize]);
        work.products(2, self.degree)?;
        let fixed = |perm: &Perm| (0..self.degree as u32).map(|cell| perm.image(cell) == cell).collect::<Vec<bool>>();
        let (mut done, mut taken) = (fixed(perm), fixed(to));
        for first in 0..self.degree as u32 {
            if !done[first as usize] {
                let Some(orbit) = self.first_image(first, &taken, known, renamed, scratch, work)? else {
                    return Ok(false);
                };
                for (from, to) in orbit {
                    done[from as usize] = true;
                    taken[to as usize] = true;
                }
            }
        }
        Ok(true)
    }

    /// A permutation of the cells that renames the moves in this way.
    fn cells(&self, renamed: &[u32], scratch: &mut Scratch, work: Work<'_>) -> Result<Option<Perm>, Stopped> {
        let mut map = vec![NONE; self.degree];
        let mut taken = vec![false; self.degree];
        let moved = |cell: u32| self.perms.iter().any(|perm| perm.image(cell) != cell);
        work.products(self.perms.len(), self.degree)?;
        for cell in 0..self.degree as u32 {
            if !moved(cell) {
                map[cell as usize] = cell;
                taken[cell as usize] = true;
            }
        }
        for first in 0..self.degree as u32 {
            if map[first as usize] != NONE {
                continue;
            }
            let Some(orbit) = self.first_image(first, &taken, &self.order, renamed, scratch, work)? else {
                return Ok(None);
            };
            for (from, to) in orbit {
                map[from as usize] = to;
                taken[to as usize] = true;
            }
        }
        Ok(Perm::from_images(map).ok())
    }

    /// Where the cells of an orbit of some moves go if the first of them goes to the first cell that it can go to and that is not taken.
    ///
    /// Orbits that can be exchanged are alike in all they can go to, so taking the first loses nothing.
    fn first_image(
        &self,
        first: u32,
        taken: &[bool],
        known: &[usize],
        renamed: &[u32],
        scratch: &mut Scratch,
        work: Work<'_>,
    ) -> Result<Option<Vec<(u32, u32)>>, Stopped> {
        for to in (0..self.degree as u32).filter(|to| !taken[*to as usize]) {
            let mut orbit = vec![(first, to)];
            let whole = self.follow(&mut orbit, known, renamed, scratch, work);
            for (from, to) in &orbit {
                scratch.map[*from as usize] = NONE;
                scratch.back[*to as usize] = NONE;
            }
            if whole? {
                return Ok(Some(orbit));
            }
        }
        Ok(None)
    }

    /// Completes an orbit, of which the first cell and its image are given; false if it cannot go there.
    fn follow(
        &self,
        orbit: &mut Vec<(u32, u32)>,
        known: &[usize],
        renamed: &[u32],
        Scratch { map, back }: &mut Scratch,
        work: Work<'_>,
    ) -> Result<bool, Stopped> {
        for (from, to) in orbit.iter() {
            map[*from as usize] = *to;
            back[*to as usize] = *from;
        }
        let mut at = 0;
        while let Some(&(cell, image)) = orbit.get(at) {
            at += 1;
            work.charge(1 + known.len() as u64 / 16)?;
            for mover in known {
                let (next, expected) =
                    (self.perms[*mover].image(cell), self.perms[renamed[*mover] as usize].image(image));
                if map[next as usize] == NONE && back[expected as usize] == NONE {
                    map[next as usize] = expected;
                    back[expected as usize] = next;
                    orbit.push((next, expected));
                } else if map[next as usize] != expected {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::Mover;

    fn space(degree: usize, moves: Vec<Perm>) -> Space {
        Space { degree, blank: None, moves: moves.into_iter().map(|perm| Mover { steps: vec![Some(perm)] }).collect() }
    }

    fn both_ways(moves: Vec<Perm>) -> Vec<Perm> {
        moves.into_iter().flat_map(|perm| [perm.inverse(), perm]).collect()
    }

    /// Quarter turns of all blocks of 2 × 2 on a board.
    fn blocks(rows: u32, columns: u32) -> Space {
        let corners = (0..rows - 1).flat_map(|i| (0..columns - 1).map(move |j| i * columns + j));
        let turn = |corner: u32| vec![corner, corner + columns, corner + columns + 1, corner + 1];
        let degree = (rows * columns) as usize;
        let moves = corners.map(|corner| Perm::from_cycles(degree, &[turn(corner)]).expect("points")).collect();
        space(degree, both_ways(moves))
    }

    fn check(space: &Space, symmetries: &[Symmetry]) {
        for symmetry in symmetries {
            for (mover, renamed) in space.moves.iter().zip(&symmetry.movers) {
                let (from, to) =
                    (mover.steps[0].as_ref().expect("a move"), space.moves[*renamed as usize].steps[0].as_ref());
                let conjugate = symmetry.cells.inverse().then(from).then(&symmetry.cells);
                assert_eq!(Some(&conjugate), to);
            }
        }
    }

    #[test]
    fn boards_have_the_symmetries_of_their_shape() {
        for ((rows, columns), count) in [((3, 4), 4), ((3, 3), 8), ((2, 5), 4), ((4, 4), 8)] {
            let space = blocks(rows, columns);
            let found = space.symmetries(&vec![1; space.moves.len()], 100, Work::unlimited()).expect("small");
            assert_eq!(found.len(), count, "{rows} × {columns}");
            assert!(found[0].cells.is_identity());
            check(&space, &found);
        }
    }

    /// Rows and columns that turn: shifts, reflections and the exchange of rows and columns. Pairs of moves alone say nothing about the order of
    /// the rows here.
    #[test]
    fn tori_have_the_symmetries_of_their_shape() {
        for n in 3..=6u32 {
            let degree = (n * n) as usize;
            let line = |cell: &dyn Fn(u32) -> u32| Perm::from_cycles(degree, &[(0..n).map(cell).collect()]);
            let rows = (0..n).map(|k| line(&|j| k * n + j).expect("points"));
            let columns = (0..n).map(|k| line(&|i| i * n + k).expect("points"));
            let space = space(degree, both_ways(rows.chain(columns).collect()));
            let found = space.symmetries(&vec![1; space.moves.len()], 1000, Work::unlimited()).expect("small");
            assert_eq!(found.len(), degree * 8, "{n}");
            check(&space, &found);
        }
    }

    /// Moves that are there twice keep their order, so they do not multiply the symmetries.
    #[test]
    fn moves_that_do_the_same_keep_their_order() {
        let once = blocks(3, 4);
        let mut twice = once.clone();
        twice.moves.extend(once.moves.clone());
        let found = twice.symmetries(&vec![1; twice.moves.len()], 100, Work::unlimited()).expect("small");
        assert_eq!(found.len(), 4);
        check(&twice, &found);
    }

    /// As many renamings as there are by trying all permutations of the cells.
    #[test]
    fn small_spaces_by_brute_force() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let degree = 2 + random.below(4) as usize;
            let mut moves = Vec::new();
            for _ in 0..1 + random.below(4) {
                let mut images: Vec<u32> = (0..degree as u32).collect();
                (1..degree).rev().for_each(|at| images.swap(at, random.below(at as u64 + 1) as usize));
                let perm = Perm::from_images(images).expect("a permutation");
                if !moves.contains(&perm) {
                    moves.push(perm);
                }
            }
            let space = space(degree, moves.clone());
            let found = space.symmetries(&vec![1; moves.len()], 1000, Work::unlimited()).expect("small");
            check(&space, &found);
            let mut renamings = std::collections::BTreeSet::new();
            let mut images: Vec<u32> = (0..degree as u32).collect();
            permutations(&mut images, 0, &mut |images| {
                let s = Perm::from_images(images.to_vec()).expect("a permutation");
                let renamed = moves.iter().map(|m| moves.iter().position(|n| *n == s.inverse().then(m).then(&s)));
                if let Some(renaming) = renamed.collect::<Option<Vec<usize>>>() {
                    renamings.insert(renaming);
                }
            });
            let own: Vec<Vec<usize>> = found.iter().map(|s| s.movers.iter().map(|m| *m as usize).collect()).collect();
            assert_eq!(own, renamings.into_iter().collect::<Vec<_>>(), "{moves:?}");
        }
    }

    fn permutations(images: &mut Vec<u32>, at: usize, each: &mut dyn FnMut(&[u32])) {
        if at == images.len() {
            return each(images);
        }
        for other in at..images.len() {
            images.swap(at, other);
            permutations(images, at + 1, each);
            images.swap(at, other);
        }
    }
}
