//! Why a permutation is not in a group: an invariant that every element has, and it has not.

mod sentence;
#[cfg(test)]
mod tests;

use num_integer::Integer;

use super::PermGroup;
use super::frame::{Frame, places};
use super::work::{Done, Work};
use crate::perm::Perm;

/// A reason why a permutation is not an element of a group, each checked on the generators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A point would leave its orbit.
    Orbit { point: u32, image: u32, orbit: Vec<u32> },
    /// Two points that always move together would be separated: the companion ought to go to `expected`.
    Companions { point: u32, image: u32, companion: u32, goes_to: u32, expected: u32 },
    /// Two points of one block would go to different blocks.
    Block { first: u32, first_image: u32, second: u32, second_image: u32, size: usize },
    /// The points of a block would come to another block in another order around it.
    Ring { block: Vec<u32>, images: Vec<u32> },
    /// A sum that is 0 modulo a number for every element would be something else.
    Sum(Sum),
    /// Where some points go determines where another can go, or leaves it few choices, and it goes elsewhere.
    Determined {
        /// Points and where they go.
        placed: Vec<(u32, u32)>,
        point: u32,
        image: u32,
        /// Where elements that place the others so can take the point.
        possible: Vec<u32>,
    },
    /// None of these; the permutation is no element all the same.
    Other,
}

/// A linear combination of signs and sums of turns on frames, modulo `modulus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub modulus: usize,
    pub terms: Vec<Term>,
    /// What it is for the permutation; 0 for every element of the group.
    pub value: usize,
}

/// A coefficient, what it multiplies, on which frame, and the value for the permutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub coefficient: usize,
    pub quantity: Quantity,
    pub value: usize,
    /// The number of blocks of the frame, and the points of its first block.
    pub blocks: usize,
    pub first_block: Vec<u32>,
}

/// What is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// 1 where the blocks are permuted oddly, modulo 2.
    Sign,
    /// By how many steps all blocks together are turned, modulo the length of their ring.
    Twist,
}

impl PermGroup {
    /// Why the permutation is not in the group; None if it is. The simplest reason that is found comes first: an orbit, points that belong together,
    /// a block, a sum of signs or turns.
    pub fn obstacle(&self, element: &Perm, work: Work<'_>) -> Done<Option<Obstacle>> {
        if self.contains(element, work)? {
            return Ok(None);
        }
        let orbits = self.orbits();
        for point in element.support() {
            let orbit = orbits.orbit_of(point);
            let image = element.image(point);
            if orbit.binary_search(&image).is_err() {
                let orbit = if orbit.is_empty() { vec![point] } else { orbit.to_vec() };
                return Ok(Some(Obstacle::Orbit { point, image, orbit }));
            }
        }
        let structure = self.structure(work)?;
        let frames = structure.frames();
        for copy in structure.copies() {
            for &(point, companion) in &copy.pairs {
                let image = element.image(point);
                let goes_to = element.image(companion);
                let expected = copy.pairs.iter().find(|pair| pair.0 == image).map_or(companion, |pair| pair.1);
                if goes_to != expected {
                    return Ok(Some(Obstacle::Companions { point, image, companion, goes_to, expected }));
                }
            }
        }
        let place = places(self.degree(), frames);
        for frame in frames {
            if let Some(obstacle) = broken_ring(frame, element, &place) {
                return Ok(Some(obstacle));
            }
            if frame.ring == 1
                && let Some(obstacle) = self.broken_block(frame, element, work)?
            {
                return Ok(Some(obstacle));
            }
        }
        if let Some(sum) = self.sum(frames, element, &place) {
            return Ok(Some(Obstacle::Sum(sum)));
        }
        Ok(Some(self.determined(structure.rest(), element, work)?.unwrap_or(Obstacle::Other)))
    }

    /// The first base point of a chain on some points that cannot go where it goes once those before it are placed.
    fn determined(&self, points: &[u32], element: &Perm, work: Work<'_>) -> Done<Option<Obstacle>> {
        let (part, names) = self.restricted(points);
        let images = points.iter().map(|point| points.binary_search(&element.image(*point)).unwrap_or(0) as u32);
        let Ok(mut rest) = Perm::from_images(images.collect()) else { return Ok(None) };
        let goal = rest.clone();
        let chain = part.chain(work)?;
        let name = |point: u32| names.get(point as usize).copied().unwrap_or(point);
        // an element that agrees with the permutation on the base points so far
        let mut so_far = Perm::identity(part.degree());
        let mut placed = Vec::new();
        let found = |placed, point: u32, possible: Vec<u32>| {
            let mut possible: Vec<u32> = possible.into_iter().map(name).collect();
            possible.sort_unstable();
            Ok(Some(Obstacle::Determined { placed, point: name(point), image: name(goal.image(point)), possible }))
        };
        for level in chain.levels() {
            work.products(3, part.degree())?;
            let (base, at) = (level.base(), rest.image(level.base()));
            if !level.contains(at) {
                return found(placed, base, level.orbit().iter().map(|point| so_far.image(*point)).collect());
            }
            let step = level.representative(at, part.degree());
            rest = rest.then(&step.inverse());
            so_far = step.then(&so_far);
            placed.push((name(base), name(goal.image(base))));
        }
        match rest.support().first() {
            Some(&point) => found(placed, point, vec![so_far.image(point)]),
            None => Ok(None),
        }
    }

    /// A block system that the permutation does not keep.
    fn broken_block(&self, frame: &Frame, element: &Perm, work: Work<'_>) -> Done<Option<Obstacle>> {
        for system in self.minimal_blocks(&frame.points, work)? {
            let mut block_of = vec![usize::MAX; self.degree()];
            for (number, block) in system.blocks.iter().enumerate() {
                for point in block {
                    block_of[*point as usize] = number;
                }
            }
            for block in &system.blocks {
                for pair in block.windows(2) {
                    let (one, two) = (element.image(pair[0]), element.image(pair[1]));
                    if block_of[one as usize] != block_of[two as usize] {
                        return Ok(Some(Obstacle::Block {
                            first: pair[0],
                            first_image: one,
                            second: pair[1],
                            second_image: two,
                            size: block.len(),
                        }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// A sum that is 0 for all generators, and so for all elements, and not for the permutation.
    fn sum(&self, frames: &[Frame], element: &Perm, place: &[u32]) -> Option<Sum> {
        let quantities: Vec<(usize, Quantity, usize)> = (frames.iter().enumerate())
            .flat_map(|(number, frame)| {
                let sign = (frame.blocks > 1).then_some((number, Quantity::Sign, 2));
                let twist = (frame.ring > 1).then_some((number, Quantity::Twist, frame.ring));
                sign.into_iter().chain(twist)
            })
            .collect();
        let values = |perm: &Perm| -> Option<Vec<usize>> {
            let value = |(number, quantity, _): &(usize, Quantity, usize)| {
                let reading = frames[*number].read(perm, place)?;
                Some(match quantity {
                    Quantity::Sign => usize::from(reading.is_odd()),
                    Quantity::Twist => reading.twist(frames[*number].ring),
                })
            };
            quantities.iter().map(value).collect()
        };
        let of_element = values(element)?;
        let of_generators: Vec<Vec<usize>> = self.generators().iter().filter_map(values).collect();
        let term = |at: usize, coefficient: usize| Term {
            coefficient,
            quantity: quantities[at].1,
            value: of_element[at],
            blocks: frames[quantities[at].0].blocks,
            first_block: frames[quantities[at].0].block(0).to_vec(),
        };
        // one quantity alone
        for (at, (_, _, modulus)) in quantities.iter().enumerate() {
            let common = of_generators.iter().fold(*modulus, |common, values| common.gcd(&values[at]));
            if common > 1 && of_element[at] % common != 0 {
                return Some(Sum { modulus: common, terms: vec![term(at, 1)], value: of_element[at] % common });
            }
        }
        // several together, modulo a prime
        let mut primes: Vec<usize> = (2..=quantities.iter().map(|quantity| quantity.2).max()?)
            .filter(|n| (2..*n).all(|k| *n % k != 0) && quantities.iter().any(|quantity| quantity.2.is_multiple_of(*n)))
            .collect();
        primes.sort_unstable();
        for prime in primes {
            let columns: Vec<usize> =
                (0..quantities.len()).filter(|at| quantities[*at].2.is_multiple_of(prime)).collect();
            let rows =
                of_generators.iter().map(|values| columns.iter().map(|at| values[*at] % prime).collect()).collect();
            for relation in relations(rows, columns.len(), prime) {
                let sum =
                    columns.iter().zip(&relation).map(|(at, coefficient)| of_element[*at] * coefficient).sum::<usize>();
                if sum % prime != 0 {
                    let terms = columns.iter().zip(&relation).filter(|(_, coefficient)| **coefficient != 0);
                    let terms = terms.map(|(at, coefficient)| term(*at, *coefficient)).collect();
                    return Some(Sum { modulus: prime, terms, value: sum % prime });
                }
            }
        }
        None
    }
}

/// A block whose points do not stay together, or come in another order around their ring.
fn broken_ring(frame: &Frame, element: &Perm, place: &[u32]) -> Option<Obstacle> {
    if frame.ring == 1 {
        return None;
    }
    let read = |number: usize| {
        let block = frame.block(number);
        let images: Vec<u32> = block.iter().map(|point| element.image(*point)).collect();
        let places: Vec<usize> = images.iter().filter_map(|image| frame.place_of(*image, place)).collect();
        (block, images, places)
    };
    for number in 0..frame.blocks {
        let (block, images, places) = read(number);
        if let Some(at) = (1..places.len()).find(|at| places[*at] / frame.ring != places[0] / frame.ring) {
            return Some(Obstacle::Block {
                first: block[0],
                first_image: images[0],
                second: block[at],
                second_image: images[at],
                size: frame.ring,
            });
        }
    }
    for number in 0..frame.blocks {
        let (block, images, places) = read(number);
        if (1..places.len()).any(|at| places[at] % frame.ring != (places[0] + at) % frame.ring) {
            return Some(Obstacle::Ring { block: block.to_vec(), images });
        }
    }
    None
}

/// A basis of the vectors that are orthogonal to all rows, modulo a prime, in reduced form (Gauss–Jordan).
fn relations(mut rows: Vec<Vec<usize>>, width: usize, prime: usize) -> Vec<Vec<usize>> {
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..width {
        let Some(found) = (pivots.len()..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        let top = pivots.len();
        rows.swap(top, found);
        let inverse = (1..prime).find(|k| k * rows[top][column] % prime == 1).unwrap_or(1);
        rows[top].iter_mut().for_each(|entry| *entry = *entry * inverse % prime);
        let pivot = rows[top].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if number != top && factor != 0 {
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(entry, above)| *entry = (*entry + (prime - factor) * above) % prime);
            }
        }
        pivots.push(column);
    }
    let free = (0..width).filter(|column| !pivots.contains(column));
    let relation = |column: usize| {
        let mut relation = vec![0; width];
        relation[column] = 1;
        for (row, pivot) in pivots.iter().enumerate() {
            relation[*pivot] = (prime - rows[row][column]) % prime;
        }
        relation
    };
    free.map(relation).collect()
}
