//! Building a chain: random elements find it, Schreier generators or a known order prove it.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::regular::is_regular_on_images;
use super::{Chain, Level, Strong};
use crate::group::mixer::Mixer;
use crate::group::orbits::Orbits;
use crate::group::work::{Done, Unfinished, Work};
use crate::perm::Perm;
use crate::random::Random;

/// So many random elements in a row must sift to nothing before the chain is put to the proof.
const QUIET: usize = 12;
/// A chain may keep so many images, 1 GB.
const LARGEST: usize = 1 << 28;
/// Up to so many images of a base are listed.
const LISTED: usize = 1 << 22;
/// About how often such a list is gone through.
const PASSES: usize = 40;
const SEED: u64 = 0x5eed;

/// What is known of a group before its chain is built.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    /// Points to take as base points first, in this order; others follow as they are needed.
    pub base: &'a [u32],
    /// The exact order of the group. It ends the search early, and is the proof.
    pub order: Option<&'a BigUint>,
    /// Whatever fixes the given base points counts as the identity: the chain is one of the action on their orbits.
    pub only_this_base: bool,
}

impl Chain {
    /// The chain of the group that the generators generate on `degree` points. Exact: the order that hints give is reached, or all
    /// Schreier generators sift to the identity (Schreier–Sims; HCGT sections 4.4.2 and 4.4.5).
    ///
    /// Costs, beyond the random search, a sift for each point of each basic orbit and each strong generator of its level.
    pub fn new(degree: usize, generators: &[Perm], hints: Hints<'_>, work: Work<'_>) -> Done<Chain> {
        let mut builder = Builder { chain: Chain { degree, levels: Vec::new(), strong: Vec::new() }, hints, work };
        for point in hints.base {
            builder.chain.levels.push(Level::new(*point, degree));
        }
        for generator in generators {
            builder.insert(generator.clone(), 0)?;
        }
        let mut mixer = Mixer::new(degree, generators, SEED, work)?;
        let mut quiet = 0;
        loop {
            if let Some(order) = hints.order
                && builder.chain.order() >= *order
            {
                break;
            }
            if quiet >= QUIET {
                quiet = 0;
                if hints.order.is_none() {
                    if let Some(proved) = builder.verify_as_regular(generators)? {
                        if proved {
                            break;
                        }
                        continue;
                    }
                    builder.shorten_ways(mixer.random());
                    if builder.verify()? {
                        break;
                    }
                }
            }
            let element = mixer.element(work)?;
            quiet = if builder.insert(element, 0)? { 0 } else { quiet + 1 };
        }
        builder.shorten_ways(mixer.random());
        Ok(builder.chain)
    }
}

struct Builder<'a> {
    chain: Chain,
    hints: Hints<'a>,
    work: Work<'a>,
}

impl Builder<'_> {
    /// Makes a group element part of the chain; was it new?
    fn insert(&mut self, element: Perm, from: usize) -> Done<bool> {
        self.work.products(1 + self.chain.levels.len() - from, self.chain.degree)?;
        let (rest, passed) = self.chain.sift_from(element, from);
        if passed == self.chain.levels.len() {
            if self.hints.only_this_base || rest.is_identity() {
                return Ok(false);
            }
            let moved = |point: &u32| rest.image(*point) != *point;
            let point =
                self.hints.base.iter().copied().find(moved).or_else(|| (0..self.chain.degree as u32).find(moved));
            let Some(point) = point else { return Ok(false) };
            self.chain.levels.push(Level::new(point, self.chain.degree));
        }
        self.add_strong(rest, passed)?;
        Ok(true)
    }

    /// A new strong generator, which fixes the base points before `depth` and moves that one out of its orbit, or stands at a new
    /// level.
    fn add_strong(&mut self, perm: Perm, depth: usize) -> Done<()> {
        let inverse = perm.inverse();
        self.chain.strong.push(Strong { perm, inverse, depth });
        for at in (0..=depth.min(self.chain.levels.len() - 1)).rev() {
            let pairs: Vec<(&Perm, &Perm)> = self
                .chain
                .strong
                .iter()
                .filter(|strong| strong.depth >= at)
                .map(|strong| (&strong.perm, &strong.inverse))
                .collect();
            let level = &mut self.chain.levels[at];
            let before = level.orbit().len();
            level.close(&pairs, pairs.len() - 1);
            self.work.products(1 + level.orbit().len() - before, self.chain.degree)?;
        }
        let kept: usize = self.chain.levels.iter().map(Level::kept).sum();
        if kept.saturating_mul(self.chain.degree) > LARGEST {
            return Err(Unfinished::TooLarge(format!(
                "the stabilizer chain of a group on {} points needs more memory than 1 GB",
                self.chain.degree
            )));
        }
        Ok(())
    }

    /// For a group of few elements on many points: is the chain complete? None where Schreier generators are the cheaper proof.
    fn verify_as_regular(&mut self, generators: &[Perm]) -> Done<Option<bool>> {
        if self.hints.only_this_base {
            return Ok(None);
        }
        let Some(size) = self.chain.order().to_usize().filter(|size| *size <= LISTED) else { return Ok(None) };
        let levels = self.chain.levels.iter().enumerate();
        let schreier: usize = levels
            .map(|(at, level)| {
                level.orbit().len() * self.chain.strong.iter().filter(|strong| strong.depth >= at).count()
            })
            .sum();
        if size.saturating_mul(PASSES) > schreier.saturating_mul(self.chain.degree) {
            return Ok(None);
        }
        // each orbit needs a point of the base
        let mut base = self.chain.base();
        let orbits = Orbits::new(self.chain.degree, generators);
        for orbit in orbits.lists.iter().filter(|orbit| orbit.len() > 1) {
            if !base.iter().any(|point| orbit.binary_search(point).is_ok()) {
                base.push(orbit[0]);
            }
        }
        is_regular_on_images(generators, &base, size, self.work).map(Some)
    }

    /// Do all Schreier generators of all levels sift to the identity? One that does not is made part of the chain.
    fn verify(&mut self) -> Done<bool> {
        for at in (0..self.chain.levels.len()).rev() {
            let generators = self.chain.generators_from(at);
            let mut place = 0;
            while let Some(&point) = self.chain.levels[at].orbit().get(place) {
                place += 1;
                let way = self.chain.levels[at].representative(point, self.chain.degree);
                for generator in &generators {
                    // the point's way out, a generator, and home again: fixes the base points up to this level
                    let around = way.then(generator);
                    if self.insert(around, at)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn shorten_ways(&mut self, random: &mut Random) {
        for at in 0..self.chain.levels.len() {
            if self.chain.levels[at].is_tree() {
                let of_level = self.chain.strong.iter().filter(|strong| strong.depth >= at);
                let pairs: Vec<(Perm, Perm)> =
                    of_level.map(|strong| (strong.perm.clone(), strong.inverse.clone())).collect();
                self.chain.levels[at].make_shallow(&pairs, random);
            }
        }
    }
}
