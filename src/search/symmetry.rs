//! Symmetries of a space: permutations of its cells that rename its moves.

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
    /// Found by renaming one move after the other and following cells along moves. Two symmetries that rename alike differ by a map that commutes with
    /// all moves; one of these is given. Costs some products for each symmetry and each dead end.
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
        let kinds: Vec<(u32, Vec<usize>)> =
            perms.iter().zip(costs).map(|(perm, cost)| (*cost, perm.cycle_type())).collect();
        let mut search = Finder { degree: self.degree, perms: &perms, kinds: &kinds, most, found: Vec::new() };
        if !search.rename(&mut Vec::new(), work)? {
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

struct Finder<'a> {
    degree: usize,
    perms: &'a [Perm],
    kinds: &'a [(u32, Vec<usize>)],
    most: usize,
    found: Vec<Symmetry>,
}

impl Finder<'_> {
    /// Renames one more move; false if there are too many symmetries.
    fn rename(&mut self, movers: &mut Vec<u32>, work: Work<'_>) -> Result<bool, Stopped> {
        let at = movers.len();
        if at == self.perms.len() {
            if let Some(cells) = self.cells(movers, work)? {
                self.found.push(Symmetry { cells, movers: movers.clone() });
            }
            return Ok(self.found.len() <= self.most);
        }
        for candidate in 0..self.perms.len() as u32 {
            let fits = self.kinds[at] == self.kinds[candidate as usize]
                && !movers.contains(&candidate)
                && self.agrees(movers, at, candidate, work)?;
            if fits {
                movers.push(candidate);
                let go_on = self.rename(movers, work)?;
                movers.pop();
                if !go_on {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Products and quotients of two moves have to have the cycle types of those of what they are renamed to.
    fn agrees(&self, movers: &[u32], at: usize, candidate: u32, work: Work<'_>) -> Result<bool, Stopped> {
        let (new, to) = (&self.perms[at], &self.perms[candidate as usize]);
        for (old, renamed) in movers.iter().enumerate() {
            work.products(6, self.degree)?;
            let (old, renamed) = (&self.perms[old], &self.perms[*renamed as usize]);
            let product = old.then(new).cycle_type() == renamed.then(to).cycle_type();
            if !product || Perm::commutator(old, new).cycle_type() != Perm::commutator(renamed, to).cycle_type() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A permutation of the cells that renames the moves in this way.
    fn cells(&self, movers: &[u32], work: Work<'_>) -> Result<Option<Perm>, Stopped> {
        let mut map = vec![NONE; self.degree];
        let mut taken = vec![false; self.degree];
        let moved = |cell: u32| self.perms.iter().any(|perm| perm.image(cell) != cell);
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
            let mut image = None;
            for to in (0..self.degree as u32).filter(|to| !taken[*to as usize]) {
                if let Some(pairs) = self.follow(first, to, movers, work)? {
                    image = Some(pairs);
                    break;
                }
            }
            // orbits that can be exchanged are alike in all they can go to, so taking the first loses nothing
            let Some(pairs) = image else { return Ok(None) };
            for (from, to) in pairs {
                map[from as usize] = to;
                taken[to as usize] = true;
            }
        }
        Ok(Perm::from_images(map).ok())
    }

    /// Where the cells of an orbit go if one of them goes there.
    fn follow(&self, first: u32, to: u32, movers: &[u32], work: Work<'_>) -> Result<Option<Vec<(u32, u32)>>, Stopped> {
        let mut map = vec![NONE; self.degree];
        let mut back = vec![NONE; self.degree];
        map[first as usize] = to;
        back[to as usize] = first;
        let mut orbit = vec![(first, to)];
        let mut at = 0;
        while let Some(&(cell, image)) = orbit.get(at) {
            at += 1;
            work.charge(1 + self.perms.len() as u64 / 16)?;
            for (perm, renamed) in self.perms.iter().zip(movers) {
                let (next, expected) = (perm.image(cell), self.perms[*renamed as usize].image(image));
                if map[next as usize] == NONE && back[expected as usize] == NONE {
                    map[next as usize] = expected;
                    back[expected as usize] = next;
                    orbit.push((next, expected));
                } else if map[next as usize] != expected {
                    return Ok(None);
                }
            }
        }
        Ok(Some(orbit))
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
