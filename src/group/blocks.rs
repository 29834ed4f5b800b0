//! Blocks of imprimitivity, and how transitive a group is.

use num_bigint::BigUint;

use super::PermGroup;
use super::mixer::Mixer;
use super::primes::is_prime;
use super::tree::{Classes, NONE, Tree};
use super::work::{Done, Work};
use crate::perm::Perm;

const SEED: u64 = 0xb10c;
/// So many elements of a stabilizer save seeds.
const HELPERS: usize = 5;

/// A division of an orbit into blocks of equal size that a group moves as wholes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockSystem {
    /// The points of each block in increasing order; the blocks in the order of their least points.
    pub blocks: Vec<Vec<u32>>,
}

impl BlockSystem {
    /// How many points a block has.
    pub fn block_size(&self) -> usize {
        self.blocks.first().map_or(0, Vec::len)
    }
}

impl PermGroup {
    /// Does the group take each of the points to each other, and none of them elsewhere? Yes for no points.
    pub fn is_transitive_on(&self, points: &[u32]) -> bool {
        let Some(first) = points.first() else { return true };
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        match self.orbits().orbit_of(*first) {
            [] => sorted.len() == 1, // a point beyond the degree stays
            orbit => sorted == orbit,
        }
    }

    /// All minimal systems of blocks of the action on an orbit: more than one point a block, more than one block, and no system
    /// with smaller blocks inside. In the order of the size of the blocks, then of the lists. Empty for what is no orbit.
    ///
    /// Atkinson's method for each pair of the orbit's first point and another (HCGT section 4.3), one other for each orbit of
    /// some elements that fix the first: those give the same system. A pair takes about the length of the orbit times the number
    /// of generators.
    pub fn minimal_blocks(&self, orbit: &[u32], work: Work<'_>) -> Done<Vec<BlockSystem>> {
        self.blocks_of(orbit, false, work)
    }

    /// Does the group act on the points as on one orbit without blocks? On one point it does.
    pub fn is_primitive(&self, orbit: &[u32], work: Work<'_>) -> Done<bool> {
        Ok(self.is_transitive_on(orbit) && self.blocks_of(orbit, true, work)?.is_empty())
    }

    /// The largest k for which the group takes any k of the points, in any order, to any k of them: 0 for what is no orbit,
    /// and the number of points at most. Exact: by the order where the action is that of the symmetric or alternating group,
    /// else by stabilizers of stabilizers (at most five, by the classification; Cameron, Permutation Groups, section 4.10).
    pub fn transitivity(&self, orbit: &[u32], work: Work<'_>) -> Done<usize> {
        let mut points = orbit.to_vec();
        points.sort_unstable();
        points.dedup();
        let count = points.len();
        if count == 0 || !self.is_transitive_on(&points) {
            return Ok(0);
        }
        let Some(mut acting) = self.acting_on(&points) else { return Ok(0) };
        let order = acting.order(work)?;
        let mut factorial = BigUint::from(1u32);
        for factor in 2..=count {
            factorial *= factor;
        }
        if order == factorial {
            return Ok(count);
        }
        if order.clone() * 2u32 == factorial {
            return Ok(count - 2);
        }
        let mut known = 1;
        let mut divisor = BigUint::from(count);
        while known < count {
            divisor *= count - known;
            if &order % &divisor != BigUint::ZERO {
                break;
            }
            acting = acting.stabilizer(known as u32 - 1, work)?;
            if acting.orbits().orbit_of(known as u32).len() != count - known {
                break;
            }
            known += 1;
        }
        Ok(known)
    }

    fn blocks_of(&self, orbit: &[u32], any: bool, work: Work<'_>) -> Done<Vec<BlockSystem>> {
        let mut points = orbit.to_vec();
        points.sort_unstable();
        points.dedup();
        let count = points.len();
        if is_prime_or_small(count) || !self.is_transitive_on(&points) {
            return Ok(Vec::new());
        }
        let Some(acting) = self.acting_on(&points) else { return Ok(Vec::new()) };
        let generators = acting.generators();
        // points that elements of the stabilizer of the first one take to each other
        let mut alike = Classes::new(count);
        let mut mixer = Mixer::new(count, generators, SEED, work)?;
        let tree = Tree::new(count, generators, &mut mixer, 0, work)?;
        for _ in 0..HELPERS {
            let element = mixer.element(work)?;
            alike.join_cycles(&tree.lead_home(&element, work)?);
        }
        let alike: Vec<u32> = (0..count as u32).map(|point| alike.find(point)).collect();
        let mut finder = Finder { generators, tried: vec![false; count] };
        let mut found: Vec<Vec<u32>> = Vec::new();
        for seed in 1..count {
            if finder.tried[seed] {
                continue;
            }
            found.extend(finder.classes(seed as u32, work)?);
            if any && !found.is_empty() {
                break;
            }
            for (point, class) in alike.iter().enumerate() {
                finder.tried[point] |= *class == alike[seed];
            }
        }
        let mut systems: Vec<BlockSystem> = found.iter().map(|class| system(class, &points)).collect();
        if !any {
            let first_blocks: Vec<Vec<u32>> =
                systems.iter().filter_map(|system| system.blocks.first().cloned()).collect();
            let inside =
                |small: &[u32], large: &[u32]| large.len() > small.len() && small.iter().all(|p| large.contains(p));
            systems.retain(|system| !first_blocks.iter().any(|block| inside(block, &system.blocks[0])));
        }
        systems.sort_by(|a, b| (a.block_size(), &a.blocks).cmp(&(b.block_size(), &b.blocks)));
        Ok(systems)
    }
}

fn is_prime_or_small(count: usize) -> bool {
    count < 4 || is_prime(count)
}

/// The blocks that stand for the points of an orbit: each point knows one of its block.
fn system(class: &[u32], points: &[u32]) -> BlockSystem {
    let mut number = vec![NONE; class.len()];
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for (at, of) in class.iter().enumerate() {
        let slot = &mut number[*of as usize];
        if *slot == NONE {
            *slot = blocks.len() as u32;
            blocks.push(Vec::new());
        }
        blocks[*slot as usize].push(points[at]);
    }
    BlockSystem { blocks }
}

struct Finder<'a> {
    generators: &'a [Perm],
    /// the points whose blocks with point 0 are known
    tried: Vec<bool>,
}

impl Finder<'_> {
    /// The finest classes that the generators respect and that hold point 0 and `seed` together; None where that is one class,
    /// or a point that was tried shares the class of 0: then its blocks are these, or finer.
    fn classes(&self, seed: u32, work: Work<'_>) -> Done<Option<Vec<u32>>> {
        let count = self.tried.len();
        let mut classes = Classes::new(count);
        let mut tried = self.tried.clone();
        let mut queue = Vec::new();
        queue.extend(classes.join(0, seed).map(|(_, lost)| lost));
        let mut left = count - 1;
        let mut done = 0;
        while let Some(&point) = queue.get(done) {
            done += 1;
            for generator in self.generators {
                let stands = classes.find(point);
                let Some((large, small)) = classes.join(generator.image(point), generator.image(stands)) else {
                    continue;
                };
                left -= 1;
                tried[large as usize] |= tried[small as usize];
                if left == 1 || (tried[large as usize] && classes.find(0) == large) {
                    work.charge(1 + ((count + done * self.generators.len()) / 64) as u64)?;
                    return Ok(None);
                }
                queue.push(small);
            }
        }
        work.charge(1 + ((count + done * self.generators.len()) / 64) as u64)?;
        Ok(Some((0..count as u32).map(|point| classes.find(point)).collect()))
    }
}
