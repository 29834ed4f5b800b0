//! Words in alternating and symmetric groups on many points, where a chain would not fit.
//!
//! A power of a random element is a 3-cycle (Seress, *Permutation Group Algorithms*, section 10.2); its conjugates along a
//! tree of the moves give a 3-cycle at each point; where these hang together they generate the alternating group, and
//! every even permutation is sorted with them. The moves say where the odd ones come from. All words share their parts:
//! there are O(n) of them.

use std::sync::Arc;

use num_bigint::BigInt;

use super::element::{Element, RandomElements, product};
use crate::group::{Done, Work};
use crate::perm::Perm;
use crate::word::{Alphabet, Word};

/// How many random elements are tried. Of n points about one element in 4 n^(1/3) has a power that is a 3-cycle.
const TRIALS: usize = 600;
/// How many trees of conjugates are joined before one gives up.
const TREES: usize = 8;
const NONE: u32 = u32::MAX;

/// What sorts every even permutation of the points that the moves move.
pub(super) struct Giant {
    degree: usize,
    /// Points in the order in which they joined. All but the first two have a 3-cycle with two points before.
    joined: Vec<u32>,
    /// By point: its 3-cycle `(point, second, third)`.
    cycles: Vec<Option<Triple>>,
    depth: Vec<u32>,
    odd: Option<Element>,
}

#[derive(Clone)]
struct Triple {
    points: [u32; 3],
    word: Word,
}

impl Giant {
    /// Prepares the sorting, or finds that these moves do not look like those of a giant: `None` says nothing about the group.
    /// Costs some hundred products and O(n) words.
    pub fn new(alphabet: &Arc<Alphabet>, generators: &[Element], work: Work<'_>) -> Done<Option<Giant>> {
        let degree = alphabet.degree();
        let moved: Vec<u32> = (0..degree as u32).filter(|&p| generators.iter().any(|g| g.perm.image(p) != p)).collect();
        let Some(&start) = moved.first() else { return Ok(None) };
        let mut random = RandomElements::new(degree, generators, 0x5eed_0002);
        let tree = |root: u32, triple: &Triple| conjugates(degree, generators, root, triple);
        if tree(start, &Triple { points: [start; 3], word: Word::empty() }).len() != moved.len() {
            return Ok(None);
        }
        let Some(mut triple) = find_triple(&mut random, degree, work)? else { return Ok(None) };
        let mut triples = Vec::new();
        for _ in 0..TREES {
            work.products(2 + moved.len() / 16, degree)?;
            triples.extend(tree(triple.points[0], &triple));
            if let Some(Growth { joined, cycles, depth }) = join(degree, &triples, moved.len()) {
                let odd = generators.iter().find(|g| !g.perm.is_even()).cloned();
                return Ok(Some(Giant { degree, joined, cycles, depth, odd }));
            }
            let by = random.next();
            triple.points = triple.points.map(|p| by.perm.image(p));
            triple.word = Word::conjugate(&by.word.inverse(), &triple.word).unwrap_or_default();
        }
        Ok(None)
    }

    /// A word for `target`; `None` if it is not in the group. Costs n times the depth of the tree, which is logarithmic for
    /// most moves.
    pub fn factor(&self, target: &Perm, work: Work<'_>) -> Done<Option<Word>> {
        let mut words = Vec::new();
        // images of what is left, and where each image stands
        let mut rest = target.clone();
        if !target.is_even() {
            let Some(odd) = &self.odd else { return Ok(None) };
            rest = target.then(&odd.perm.inverse());
            words.push(odd.word.clone());
        }
        let mut image: Vec<u32> = rest.images().to_vec();
        let mut stands: Vec<u32> = rest.inverse().images().to_vec();
        work.products(3, self.degree)?;
        for &point in self.joined.iter().skip(2).rev() {
            work.charge(1)?;
            while image[point as usize] != point {
                let at = image[point as usize];
                let Some((triple, forward)) = self.towards(at, point) else { return Ok(None) };
                // `rest` becomes `rest` times the 3-cycle, whose inverse is therefore part of the word
                let [a, b, c] =
                    if forward { triple.points } else { [triple.points[0], triple.points[2], triple.points[1]] };
                let [x, y, z] = [a, b, c].map(|p| stands[p as usize]);
                (image[x as usize], image[y as usize], image[z as usize]) = (b, c, a);
                (stands[b as usize], stands[c as usize], stands[a as usize]) = (x, y, z);
                words.push(if forward { triple.word.inverse() } else { triple.word.clone() });
            }
        }
        if image.iter().enumerate().any(|(i, &x)| i != x as usize) {
            return Ok(None);
        }
        words.reverse();
        Ok(Some(product(words)))
    }

    /// A 3-cycle that brings what is at one point nearer to another, which joined later or is deeper.
    fn towards(&self, at: u32, point: u32) -> Option<(&Triple, bool)> {
        let triple = self.cycles.get(point as usize)?.as_ref()?;
        if at == triple.points[1] {
            return Some((triple, false));
        }
        if at == triple.points[2] {
            return Some((triple, true));
        }
        // along the tree to the shallower neighbour of the point
        let goal = self.parent(triple);
        let (mut up, mut down) = (at, goal);
        let mut below = None;
        while up != down {
            if self.depth[up as usize] > self.depth[down as usize] || self.cycles[down as usize].is_none() {
                let next = self.parent(self.cycles[up as usize].as_ref()?);
                if up == at {
                    below = Some(next);
                }
                up = next;
            } else {
                let next = self.parent(self.cycles[down as usize].as_ref()?);
                if next == at {
                    below = Some(down);
                }
                down = next;
            }
        }
        let next = below?;
        // one of the two is the child of the other
        let own = self.cycles[at as usize].as_ref().filter(|triple| triple.points[1..].contains(&next));
        match own {
            Some(triple) => Some((triple, triple.points[1] == next)),
            None => {
                let triple = self.cycles[next as usize].as_ref()?;
                Some((triple, triple.points[2] == at))
            }
        }
    }

    fn parent(&self, triple: &Triple) -> u32 {
        let [_, a, b] = triple.points;
        if self.depth[b as usize] < self.depth[a as usize] { b } else { a }
    }
}

/// A random element's power that is a 3-cycle.
fn find_triple(random: &mut RandomElements, degree: usize, work: Work<'_>) -> Done<Option<Triple>> {
    for _ in 0..TRIALS {
        work.products(3, degree)?;
        let element = random.next();
        let lengths = element.perm.cycle_type();
        if lengths.iter().filter(|&length| length % 3 == 0).count() != 1 || !lengths.contains(&3) {
            continue;
        }
        let exponent = BigInt::from(element.perm.order() / 3u32);
        let power = element.perm.pow(&exponent);
        if let [cycle] = power.cycles().as_slice()
            && let [a, b, c] = cycle.as_slice()
        {
            return Ok(Some(Triple { points: [*a, *b, *c], word: element.word.pow(&exponent) }));
        }
    }
    Ok(None)
}

/// Conjugates of a 3-cycle, one at each point of the orbit of `root`, along a breadth-first tree of the moves.
fn conjugates(degree: usize, generators: &[Element], root: u32, triple: &Triple) -> Vec<Triple> {
    let steps: Vec<Element> = generators.iter().flat_map(|g| [g.inverse(), g.clone()]).collect();
    let mut seen = vec![false; degree];
    let mut out = vec![triple.clone()];
    let mut at = vec![root];
    seen[root as usize] = true;
    let mut next = 0;
    while let Some(&point) = at.get(next) {
        for (number, step) in steps.iter().enumerate() {
            let image = step.perm.image(point);
            if !seen[image as usize] {
                seen[image as usize] = true;
                at.push(image);
                let points = out[next].points.map(|p| step.perm.image(p));
                // s' t s, written as the conjugate of t by s'
                let by = &steps[number ^ 1].word;
                out.push(Triple { points, word: Word::conjugate(by, &out[next].word).unwrap_or_default() });
            }
        }
        next += 1;
    }
    out
}

/// Points that have joined, with what [`Giant`] keeps of them.
struct Growth {
    joined: Vec<u32>,
    cycles: Vec<Option<Triple>>,
    depth: Vec<u32>,
}

impl Growth {
    fn is_new(&self, point: u32) -> bool {
        self.depth[point as usize] == NONE
    }

    /// The first of the points joins; the others have joined before.
    fn attach(&mut self, points: [u32; 3], word: Word) {
        let near = self.depth[points[1] as usize].min(self.depth[points[2] as usize]);
        self.depth[points[0] as usize] = near + 1;
        self.joined.push(points[0]);
        self.cycles[points[0] as usize] = Some(Triple { points, word });
    }
}

/// Grows a set of points from one 3-cycle by 3-cycles that overlap with it, until it has all `count` points.
fn join(degree: usize, triples: &[Triple], count: usize) -> Option<Growth> {
    let first = triples.first()?;
    let mut touching: Vec<Vec<u32>> = vec![Vec::new(); degree];
    for (number, triple) in triples.iter().enumerate() {
        triple.points.iter().for_each(|&p| touching[p as usize].push(number as u32));
    }
    let [a, b, c] = first.points;
    let mut growth = Growth { joined: vec![a], cycles: vec![None; degree], depth: vec![NONE; degree] };
    growth.depth[a as usize] = 0;
    // the second point hangs on the first only in the tree; it is never sorted by a 3-cycle of its own
    growth.attach([b, a, a], Word::empty());
    growth.attach([c, a, b], first.word.clone());
    growth.cycles[b as usize] = Some(Triple { points: [b, c, a], word: first.word.clone() });
    let mut next = 0;
    while let Some(&point) = growth.joined.get(next) {
        next += 1;
        for &number in &touching[point as usize] {
            let triple = &triples[number as usize];
            let turned = |by: usize| [0, 1, 2].map(|i| triple.points[(i + by) % 3]);
            let fresh = (0..3).filter(|&i| growth.is_new(triple.points[i])).count();
            match fresh {
                1 => {
                    let by = (0..3).find(|&i| growth.is_new(triple.points[i]))?;
                    growth.attach(turned(by), triple.word.clone());
                }
                2 => {
                    // (y x z) with x and z new: joined with its inverse, conjugated by a 3-cycle y -> p that leaves x and z
                    // alone, it is a 3-cycle of y, p and z. Then x has (y x z) itself, of which z came before.
                    let [y, x, z] = turned((0..3).find(|&i| !growth.is_new(triple.points[i]))?);
                    let other = growth.cycles[y as usize].as_ref().or(growth.cycles[c as usize].as_ref())?;
                    let p = other.points[(other.points.iter().position(|&p| p == y)? + 1) % 3];
                    // first y -> x -> z -> y, then p -> z -> x -> p: together z -> y -> p -> z
                    let moved = Word::conjugate(&other.word.inverse(), &triple.word.inverse()).unwrap_or_default();
                    growth.attach([z, y, p], product(vec![triple.word.clone(), moved]));
                    growth.attach([x, z, y], triple.word.clone());
                }
                _ => {}
            }
        }
    }
    (growth.joined.len() == count).then_some(growth)
}
