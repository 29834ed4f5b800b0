//! One level of a chain: an orbit, and for each of its points a way home.

use crate::perm::Perm;
use crate::random::Random;

const OUTSIDE: u32 = u32::MAX;
/// A level whose ways home have up to so many images together keeps each of them whole; a larger one keeps a shallow tree.
const WHOLE: usize = 1 << 21;

/// An orbit with a way home from each of its points.
#[derive(Clone, Debug)]
pub struct Level {
    base: u32,
    /// the orbit of the base point, which comes first
    orbit: Vec<u32>,
    /// for each point the number of the permutation that leads it home, or nearer to it
    step: Vec<u32>,
    steps: Vec<Perm>,
    /// are the ways home kept as single permutations?
    whole: bool,
}

impl Level {
    pub(super) fn new(base: u32, degree: usize) -> Level {
        let mut step = vec![OUTSIDE; degree];
        if let Some(home) = step.get_mut(base as usize) {
            *home = 0;
        }
        Level { base, orbit: vec![base], step, steps: vec![Perm::identity(degree)], whole: true }
    }

    /// The base point.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The basic orbit, the base point first.
    pub fn orbit(&self) -> &[u32] {
        &self.orbit
    }

    /// Does the orbit contain the point?
    pub fn contains(&self, point: u32) -> bool {
        self.step.get(point as usize).is_some_and(|step| *step != OUTSIDE)
    }

    /// How many permutations the level keeps.
    pub(super) fn kept(&self) -> usize {
        self.steps.len()
    }

    /// Does it keep a tree instead of whole ways?
    pub(super) fn is_tree(&self) -> bool {
        !self.whole
    }

    /// Multiplies an element so that it fixes the base point; gives it back as it is where it takes the base point out of the orbit.
    pub(super) fn lead_home(&self, mut element: Perm) -> Result<Perm, Perm> {
        let mut at = element.image(self.base);
        if !self.contains(at) {
            return Err(element);
        }
        while at != self.base {
            let step = &self.steps[self.step[at as usize] as usize];
            element = element.then(step);
            at = step.image(at);
        }
        Ok(element)
    }

    /// The element of the transversal that takes the base point to a point of the orbit.
    pub fn representative(&self, point: u32, degree: usize) -> Perm {
        let mut back = Perm::identity(degree);
        let mut at = point;
        while at != self.base && self.contains(at) {
            let step = &self.steps[self.step[at as usize] as usize];
            back = back.then(step);
            at = step.image(at);
        }
        back.inverse()
    }

    /// Closes the orbit under generators, of which those from `fresh` on are new: pairs of a permutation and its inverse.
    pub(super) fn close<'a>(&mut self, generators: &[(&'a Perm, &'a Perm)], fresh: usize) {
        let degree = self.step.len();
        let old = self.orbit.len();
        let mut shared: Vec<u32> = vec![OUTSIDE; generators.len()];
        let mut at = 0;
        while at < self.orbit.len() {
            let point = self.orbit[at];
            let first = if at < old { fresh } else { 0 };
            for (number, (generator, inverse)) in generators.iter().enumerate().skip(first) {
                let image = generator.image(point);
                if self.step[image as usize] != OUTSIDE {
                    continue;
                }
                self.whole &= (self.steps.len() + 1) * degree <= WHOLE;
                let step = if self.whole {
                    // home by way of the point that we came from
                    let home = self.step[point as usize] as usize;
                    self.steps.push(inverse.then(&self.steps[home]));
                    self.steps.len() - 1
                } else {
                    if shared[number] == OUTSIDE {
                        shared[number] = self.steps.len() as u32;
                        self.steps.push((*inverse).clone());
                    }
                    shared[number] as usize
                };
                self.step[image as usize] = step as u32;
                self.orbit.push(image);
            }
            at += 1;
        }
    }

    /// Rebuilds a tree with random elements so that each way home has few steps: a random element nearly doubles what is
    /// reached until half of the orbit is (compare Seress, section 4.4). Does nothing where ways are kept whole.
    pub(super) fn make_shallow(&mut self, generators: &[(Perm, Perm)], random: &mut Random) {
        if self.whole || generators.is_empty() {
            return;
        }
        let degree = self.step.len();
        let mut fresh = Level::new(self.base, degree);
        fresh.whole = false;
        let doublings = usize::BITS - self.orbit.len().leading_zeros();
        for _ in 0..doublings {
            // a product of generators that is long enough to mix
            let mut walk = Perm::identity(degree);
            let mut back = Perm::identity(degree);
            let length = 2 + random.index(2 * doublings as usize);
            for _ in 0..length {
                let (generator, inverse) = &generators[random.index(generators.len())];
                walk = walk.then(generator);
                back = inverse.then(&back);
                // squaring makes distances grow even where there is one generator only
                walk = walk.then(&walk);
                back = back.then(&back);
            }
            let reached = fresh.orbit.len();
            let number = fresh.steps.len() as u32;
            for at in 0..reached {
                let image = walk.image(fresh.orbit[at]);
                if fresh.step[image as usize] == OUTSIDE {
                    fresh.step[image as usize] = number;
                    fresh.orbit.push(image);
                }
            }
            fresh.steps.push(back);
        }
        let pairs: Vec<(&Perm, &Perm)> = generators.iter().map(|(generator, inverse)| (generator, inverse)).collect();
        fresh.close(&pairs, 0);
        *self = fresh;
    }
}
