//! The search for the structure: frames, copies, and the witnesses that frames are free.

use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

use super::super::chain::{Chain, Hints};
use super::super::frame::{Frame, Maps, NONE, Reading, places};
use super::super::mixer::Mixer;
use super::super::orbits::Orbits;
use super::super::primes::{is_prime, prime_factors};
use super::super::work::{Done, Work};
use super::{Copy, Free, Structure, free_order, push_signs};
use crate::perm::Perm;

const SEED: u64 = 0x9e0;
/// Elements by whose cycles hopeless maps are told early.
const SAMPLES: usize = 4;
/// So many elements are looked at for a prime cycle: where all permutations occur, one in about 2 ln m has one.
const TRIES: usize = 192;
/// So many elements are used to move one frame alone, and to find turns that are not all equal.
const WITNESS_TRIES: usize = 96;
/// Fewer blocks than these have no simple alternating group.
const LEAST_BLOCKS: usize = 5;
/// From so many blocks on there is a prime p with m/2 < p < m - 2.
const PRIME_BLOCKS: usize = 8;
/// Marks the points of copies: they have a place, but in no frame.
pub(super) const COPIED: u32 = NONE - 1;

pub(super) fn structure(degree: usize, generators: &[Perm], work: Work<'_>) -> Done<Structure> {
    let mut mixer = Mixer::new(degree, generators, SEED, work)?;
    let mut samples = Vec::new();
    for _ in 0..SAMPLES {
        samples.push(mixer.element(work)?);
    }
    let (frames, copies) = frames_and_copies(degree, generators, &samples, work)?;
    let mut place = places(degree, &frames);
    for (_, companion) in copies.iter().flat_map(|copy| &copy.pairs) {
        place[*companion as usize] = COPIED;
    }
    let mut search = Search { frames: &frames, place: &place, generators, mixer, samples, work };
    let primes = search.symmetric_on_blocks()?;
    let free = search.free(primes)?;
    let mut rest: Vec<u32> = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        if !free.iter().any(|free| free.frame == number) {
            rest.extend(&frame.points);
        }
    }
    rest.sort_unstable();
    let mut structure = Structure {
        degree,
        place,
        free,
        copies,
        rest,
        quotient: Chain::new(0, &[], Hints::default(), work)?,
        order: BigUint::one(),
        generators: generators.to_vec(),
        lifts: OnceLock::new(),
        frames,
    };
    let images: Vec<Perm> = generators.iter().filter_map(|generator| structure.project(generator)).collect();
    let points = structure.rest.len()
        + structure.free.iter().map(|free| sign_points(&structure.frames[free.frame])).sum::<usize>();
    structure.quotient = Chain::new(points, &images, Hints::default(), work)?;
    structure.order = structure
        .free
        .iter()
        .map(|free| free_order(&structure.frames[free.frame]))
        .fold(structure.quotient.order(), |product, factor| product * factor);
    Ok(structure)
}

fn sign_points(frame: &Frame) -> usize {
    let mut images = Vec::new();
    push_signs(&mut images, false, frame.ring, 0);
    images.len()
}

/// The orbits that move, as frames, from the largest down; those that follow a larger one apart.
fn frames_and_copies(
    degree: usize,
    generators: &[Perm],
    samples: &[Perm],
    work: Work<'_>,
) -> Done<(Vec<Frame>, Vec<Copy>)> {
    let orbits = Orbits::new(degree, generators);
    let mut moving: Vec<&Vec<u32>> = orbits.lists.iter().filter(|list| list.len() > 1).collect();
    moving.sort_by_key(|list| std::cmp::Reverse(list.len()));
    let mut maps = Maps::new(degree, generators, samples);
    let mut frames: Vec<Frame> = Vec::new();
    let mut copies = Vec::new();
    for orbit in moving {
        work.products(generators.len(), orbit.len())?;
        let found = frames.iter().enumerate().find_map(|(number, frame)| {
            if !frame.points.len().is_multiple_of(orbit.len()) {
                return None;
            }
            let from = *frame.points.first()?;
            let pairs = orbit.iter().find_map(|to| maps.between(from, *to))?;
            Some((number, pairs))
        });
        match found {
            Some((number, mut pairs)) => {
                // in the order of the frame
                pairs.sort_unstable();
                let frame = &frames[number];
                let companion = |point: &u32| {
                    let at = pairs.binary_search_by_key(point, |pair| pair.0).ok()?;
                    Some((*point, pairs[at].1))
                };
                let pairs = frame.points.iter().filter_map(companion).collect();
                copies.push(Copy { frame: number, pairs });
            }
            None => frames.push(maps.frame(orbit)),
        }
    }
    Ok((frames, copies))
}

struct Search<'a> {
    frames: &'a [Frame],
    place: &'a [u32],
    generators: &'a [Perm],
    mixer: Mixer,
    samples: Vec<Perm>,
    work: Work<'a>,
}

impl Search<'_> {
    /// For each frame on whose blocks all even permutations occur, the prime of a cycle and the element that has it, or 0 where the order was computed.
    fn symmetric_on_blocks(&mut self) -> Done<Vec<Option<(usize, Perm)>>> {
        let mut primes: Vec<Option<(usize, Perm)>> = vec![None; self.frames.len()];
        for (number, frame) in self.frames.iter().enumerate() {
            if (LEAST_BLOCKS..PRIME_BLOCKS).contains(&frame.blocks) && self.contains_all_even(frame)? {
                primes[number] = Some((0, Perm::identity(self.place.len())));
            }
        }
        for at in 0..TRIES {
            let open = |number: &usize| primes[*number].is_none() && self.frames[*number].blocks >= PRIME_BLOCKS;
            let open: Vec<usize> = (0..self.frames.len()).filter(open).collect();
            if open.is_empty() {
                break;
            }
            let sample = self.sample(at)?;
            for number in open {
                let m = self.frames[number].blocks;
                let Some(reading) = self.frames[number].read(&sample, self.place) else { continue };
                let prime =
                    cycle_lengths(&reading).find(|&length| 2 * length > m && length + 2 < m && is_prime(length));
                if let Some(prime) = prime {
                    primes[number] = Some((prime, sample.clone()));
                }
            }
        }
        Ok(primes)
    }

    fn sample(&mut self, at: usize) -> Done<Perm> {
        while self.samples.len() <= at {
            let element = self.mixer.element(self.work)?;
            self.samples.push(element);
        }
        Ok(self.samples[at].clone())
    }

    /// For few blocks: does the group on them have the order of the alternating or symmetric group?
    fn contains_all_even(&self, frame: &Frame) -> Done<bool> {
        let on_blocks = self.generators.iter().filter_map(|generator| frame.read(generator, self.place));
        let on_blocks: Vec<Perm> = on_blocks.filter_map(|reading| Perm::from_images(reading.images).ok()).collect();
        let order = Chain::new(frame.blocks, &on_blocks, Hints::default(), self.work)?.order();
        let factorial = (3..=frame.blocks).fold(BigUint::one(), |product, k| product * k);
        Ok(order >= factorial)
    }

    /// The frames that are free, with their witnesses.
    fn free(&mut self, primes: Vec<Option<(usize, Perm)>>) -> Done<Vec<Free>> {
        let mut free = Vec::new();
        for (number, prime) in primes.into_iter().enumerate() {
            let Some((prime, prime_witness)) = prime else { continue };
            let Some(witness) = self.alone(number)? else { continue };
            if self.turns_freely(number, &witness)? {
                free.push(Free { frame: number, prime, prime_witness, witness });
            }
        }
        Ok(free)
    }

    /// An element that moves blocks of one frame and fixes the points of all others.
    ///
    /// A power of a random element fixes the frames on whose points no cycle has a length that a certain power of a prime divides. The commutator of two such elements
    /// fixes what one of them fixes.
    fn alone(&mut self, number: usize) -> Done<Option<Perm>> {
        let mut best: Option<(Perm, Vec<usize>)> = None;
        for at in 0..WITNESS_TRIES {
            let sample = self.sample(at)?;
            let among: Vec<usize> = match &best {
                Some((_, moved)) => moved.clone(),
                None => (0..self.frames.len()).filter(|other| *other != number).collect(),
            };
            let Some(power) = self.quieting_power(&sample, number, &among) else { continue };
            self.work.products(2, sample.degree())?;
            let candidate = match &best {
                None => power,
                Some((element, _)) => {
                    let mover = self.mixer.element(self.work)?;
                    Perm::commutator(element, &Perm::conjugate(&mover, &power))
                }
            };
            if !self.moves_blocks(number, &candidate) {
                continue;
            }
            let moved: Vec<usize> =
                among.iter().copied().filter(|other| self.moves_points(*other, &candidate)).collect();
            if moved.is_empty() {
                return Ok(Some(candidate));
            }
            if best.as_ref().is_none_or(|(_, before)| moved.len() < before.len()) {
                best = Some((candidate, moved));
            }
        }
        Ok(None)
    }

    /// The power of an element that moves blocks of a frame and fixes as many as possible of other frames.
    fn quieting_power(&self, element: &Perm, number: usize, among: &[usize]) -> Option<Perm> {
        let reading = self.frames[number].read(element, self.place)?;
        let lengths: Vec<usize> = cycle_lengths(&reading).collect();
        let others: Vec<Vec<usize>> = among.iter().map(|other| self.point_cycles(*other, element)).collect();
        let mut primes: Vec<usize> = lengths.iter().flat_map(|length| prime_factors(*length)).collect();
        primes.sort_unstable();
        primes.dedup();
        let quiet = |prime: usize| {
            let exponent = lengths.iter().map(|length| valuation(*length, prime)).max().unwrap_or(0);
            let fixed = others.iter().filter(|of| of.iter().all(|length| valuation(*length, prime) < exponent)).count();
            (fixed, prime, exponent)
        };
        let (fixed, prime, exponent) = primes.into_iter().map(quiet).max()?;
        if fixed == 0 && !among.is_empty() {
            return None;
        }
        // the order of the element without the prime, and the prime to one power less than the blocks have
        let mut power = BigUint::from(prime).pow(exponent - 1);
        let all = lengths.iter().map(|length| length * self.frames[number].ring).chain(others.into_iter().flatten());
        for length in all {
            let without = length / prime.pow(valuation(length, prime));
            power = power.lcm(&BigUint::from(without));
        }
        Some(element.pow(&BigInt::from(power)))
    }

    fn moves_blocks(&self, number: usize, element: &Perm) -> bool {
        let reading = self.frames[number].read(element, self.place);
        reading.is_some_and(|reading| reading.images.iter().enumerate().any(|(at, image)| at != *image as usize))
    }

    fn moves_points(&self, number: usize, element: &Perm) -> bool {
        self.frames[number].points.iter().any(|point| element.image(*point) != *point)
    }

    /// The lengths of the cycles of an element on the points of a frame.
    fn point_cycles(&self, number: usize, element: &Perm) -> Vec<usize> {
        let points = &self.frames[number].points;
        let mut seen = vec![false; points.len()];
        let mut lengths = Vec::new();
        for start in 0..points.len() {
            let (mut at, mut length) = (start, 0);
            while !seen[at] {
                seen[at] = true;
                length += 1;
                at = self.place[element.image(points[at]) as usize] as usize;
            }
            if length > 0 {
                lengths.push(length);
            }
        }
        lengths
    }

    /// Are there, for each prime that divides the length of the rings, elements that turn blocks by unequal steps modulo it, moving no block and no other frame?
    fn turns_freely(&mut self, number: usize, witness: &Perm) -> Done<bool> {
        let frame = &self.frames[number];
        let mut open = prime_factors(frame.ring);
        let mut element = witness.clone();
        for _ in 0..WITNESS_TRIES {
            if open.is_empty() {
                return Ok(true);
            }
            self.work.products(4, element.degree())?;
            let mover = self.mixer.element(self.work)?;
            element = element.then(&Perm::conjugate(&mover, witness));
            let Some(reading) = frame.read(&element, self.place) else { return Ok(false) };
            let order = cycle_lengths(&reading).fold(1u64, |order, length| order.lcm(&(length as u64)));
            let still = element.pow(&BigInt::from(order));
            let Some(reading) = frame.read(&still, self.place) else { return Ok(false) };
            let turns = &reading.turns;
            open.retain(|prime| turns.iter().all(|turn| *turn as usize % prime == turns[0] as usize % prime));
        }
        Ok(open.is_empty())
    }
}

/// The lengths of the cycles on blocks.
fn cycle_lengths(reading: &Reading) -> impl Iterator<Item = usize> {
    let images = &reading.images;
    let mut seen = vec![false; images.len()];
    (0..images.len()).filter_map(move |start| {
        let (mut at, mut length) = (start, 0);
        while !seen[at] {
            seen[at] = true;
            length += 1;
            at = images[at] as usize;
        }
        (length > 0).then_some(length)
    })
}

/// How often a prime divides a number, which is not 0.
fn valuation(mut n: usize, prime: usize) -> u32 {
    let mut exponent = 0;
    while n.is_multiple_of(prime) {
        n /= prime;
        exponent += 1;
    }
    exponent
}
