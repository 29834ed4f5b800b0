//! A stabiliser chain whose transversal elements carry words.

use num_bigint::BigUint;
use num_traits::One;

use super::element::{Element, RandomElements, product};
use crate::group::{Done, Unfinished, Work};
use crate::perm::Perm;
use crate::word::Word;

/// How many random elements in a row must be found inside before a chain of unknown order is taken to be complete for now.
const QUIET: usize = 30;
/// How much memory the transversals may take.
const MAX_BYTES: usize = 160 << 20;

/// A base and the basic orbits of a group (HCGT section 4.4), with a word for each transversal element.
#[derive(Clone)]
pub(super) struct Chain {
    degree: usize,
    levels: Vec<Level>,
    bytes: usize,
}

#[derive(Clone)]
struct Level {
    base: u32,
    /// Generators of the stabiliser of the base points before.
    generators: Vec<Element>,
    orbit: Vec<u32>,
    /// By point: how to come from the base point to it.
    transversal: Vec<Option<Step>>,
}

#[derive(Clone)]
struct Step {
    /// Takes the point back to the base point.
    back: Perm,
    /// Takes the base point to the point.
    word: Word,
    /// The point before in the tree of the orbit, and the generator that led from there.
    from: (u32, usize),
}

/// What is left of an element after it was divided by transversal elements.
struct Sifted {
    rest: Vec<u32>,
    /// The levels and points whose transversal elements were taken off on the right, in that order.
    taken: Vec<(usize, u32)>,
    /// The first level that `rest` does not respect; the number of levels if it respects all.
    level: usize,
}

impl Sifted {
    fn is_trivial(&self) -> bool {
        self.rest.iter().enumerate().all(|(i, &x)| i == x as usize)
    }
}

impl Chain {
    /// A chain of the group that `generators` generate, and whether it is certain to be complete, which it is if the group's
    /// `order` was given. Random Schreier-Sims (HCGT section 4.4.5; Seress, *Permutation Group Algorithms*, section 4.5).
    pub fn new(degree: usize, generators: &[Element], order: Option<&BigUint>, work: Work<'_>) -> Done<(Chain, bool)> {
        let mut chain = Chain { degree, levels: Vec::new(), bytes: 0 };
        for generator in generators {
            chain.add_unless_trivial(generator, work)?;
        }
        let mut random = RandomElements::new(degree, generators, 0x5eed_0001);
        let mut quiet = 0;
        loop {
            if order.is_some_and(|order| chain.order() >= *order) {
                return Ok((chain, true));
            }
            if order.is_none() && quiet >= QUIET {
                return Ok((chain, false));
            }
            work.products(2, degree)?;
            quiet = if chain.absorb(&random.next(), work)? { 0 } else { quiet + 1 };
            // An order that is never reached would be the caller's mistake; it must not cost for ever.
            if quiet > 100 * QUIET {
                return Ok((chain, false));
            }
        }
    }

    /// The product of the lengths of the basic orbits: the order of the group if the chain is complete.
    pub fn order(&self) -> BigUint {
        self.levels.iter().fold(BigUint::one(), |order, level| order * level.orbit.len())
    }

    /// A word for `target` if the chain has one.
    pub fn factor(&self, target: &Perm, work: Work<'_>) -> Done<Option<Word>> {
        let sifted = self.sift(target.images(), 0, work)?;
        Ok(sifted.is_trivial().then(|| self.word_of(&sifted.taken)))
    }

    /// The word of the transversal elements that were taken off: the last one comes first.
    fn word_of(&self, taken: &[(usize, u32)]) -> Word {
        let word = |&(level, point): &(usize, u32)| {
            let step = self.levels[level].transversal[point as usize].as_ref();
            step.map_or_else(Word::empty, |step| step.word.clone())
        };
        product(taken.iter().rev().map(word).collect())
    }

    fn sift(&self, images: &[u32], from: usize, work: Work<'_>) -> Done<Sifted> {
        let mut sifted = Sifted { rest: images.to_vec(), taken: Vec::new(), level: self.levels.len() };
        for (number, level) in self.levels.iter().enumerate().skip(from) {
            let point = sifted.rest.get(level.base as usize).copied().unwrap_or(level.base);
            if point == level.base {
                continue;
            }
            let Some(step) = level.transversal.get(point as usize).and_then(Option::as_ref) else {
                sifted.level = number;
                break;
            };
            let back = step.back.images();
            for image in &mut sifted.rest {
                *image = back.get(*image as usize).copied().unwrap_or(*image);
            }
            sifted.taken.push((number, point));
        }
        work.products(sifted.taken.len(), self.degree)?;
        Ok(sifted)
    }

    /// Makes the chain contain an element; true if it did not.
    fn absorb(&mut self, element: &Element, work: Work<'_>) -> Done<bool> {
        let sifted = self.sift(element.perm.images(), 0, work)?;
        if sifted.is_trivial() {
            return Ok(false);
        }
        self.add(&self.residue(element, sifted), work)?;
        Ok(true)
    }

    /// What is left of an element after sifting, with its word.
    fn residue(&self, element: &Element, sifted: Sifted) -> Element {
        let word = product(vec![element.word.clone(), self.word_of(&sifted.taken).inverse()]);
        Element { perm: Perm::trusted(sifted.rest.into()), word }
    }

    fn add_unless_trivial(&mut self, element: &Element, work: Work<'_>) -> Done<()> {
        if element.perm.is_identity() { Ok(()) } else { self.add(element, work) }
    }

    /// Takes a non-trivial element as a generator of each level whose earlier base points it fixes.
    fn add(&mut self, element: &Element, work: Work<'_>) -> Done<()> {
        let mut last = self.levels.iter().position(|level| element.perm.image(level.base) != level.base);
        if last.is_none() {
            let moved = |point: &u32| element.perm.image(*point) != *point;
            let base = (0..self.degree as u32).find(moved).unwrap_or(0);
            let mut transversal = vec![None; self.degree];
            let identity = Perm::identity(self.degree);
            transversal[base as usize] = Some(Step { back: identity, word: Word::empty(), from: (base, usize::MAX) });
            last = Some(self.levels.len());
            self.levels.push(Level { base, generators: Vec::new(), orbit: vec![base], transversal });
        }
        for level in 0..=last.unwrap_or(0) {
            self.levels[level].generators.push(element.clone());
            self.extend_orbit(level, work)?;
        }
        Ok(())
    }

    /// Closes the orbit of a level under its newest generator and all others.
    fn extend_orbit(&mut self, number: usize, work: Work<'_>) -> Done<()> {
        let degree = self.degree;
        let level = &mut self.levels[number];
        let inverses: Vec<Perm> = level.generators.iter().map(|generator| generator.perm.inverse()).collect();
        let newest = level.generators.len() - 1;
        let known = level.orbit.len();
        let mut next = 0;
        let mut added = 0;
        while let Some(&point) = level.orbit.get(next) {
            let first = if next < known { newest } else { 0 };
            next += 1;
            for (g, inverse) in inverses.iter().enumerate().skip(first) {
                let generator = &level.generators[g];
                let image = generator.perm.image(point);
                if level.transversal[image as usize].is_some() {
                    continue;
                }
                let Some(step) = &level.transversal[point as usize] else { continue };
                let word = product(vec![step.word.clone(), generator.word.clone()]);
                let step = Step { back: inverse.then(&step.back), word, from: (point, g) };
                level.transversal[image as usize] = Some(step);
                level.orbit.push(image);
                added += 1;
            }
        }
        self.bytes += added * (4 * degree + 100);
        if self.bytes > MAX_BYTES {
            return Err(Unfinished::TooLarge(
                "a stabiliser chain of this group does not fit in the memory allowed".into(),
            ));
        }
        work.products(added + 1, degree)
    }

    /// Makes the chain complete, with certainty: every Schreier generator of every level must lie in the levels below
    /// (Schreier's lemma; HCGT section 4.4.2).
    pub fn complete(&mut self, work: Work<'_>) -> Done<()> {
        let mut level = self.levels.len();
        while level > 0 {
            level = match self.schreier_generator_outside(level - 1, work)? {
                None => level - 1,
                Some(element) => {
                    self.add(&element, work)?;
                    self.levels.len()
                }
            };
        }
        Ok(())
    }

    /// A Schreier generator of a level that the levels below do not contain, after sifting.
    fn schreier_generator_outside(&self, number: usize, work: Work<'_>) -> Done<Option<Element>> {
        let level = &self.levels[number];
        for &point in &level.orbit {
            let Some(there) = &level.transversal[point as usize] else { continue };
            let mut to_point: Option<Perm> = None;
            for (g, generator) in level.generators.iter().enumerate() {
                let image = generator.perm.image(point);
                let Some(back) = &level.transversal[image as usize] else { continue };
                if back.from == (point, g) {
                    continue;
                }
                let to_point = to_point.get_or_insert_with(|| there.back.inverse());
                let loop_perm = to_point.then(&generator.perm).then(&back.back);
                work.products(3, self.degree)?;
                let sifted = self.sift(loop_perm.images(), number + 1, work)?;
                if !sifted.is_trivial() {
                    let words = vec![there.word.clone(), generator.word.clone(), back.word.inverse()];
                    let element = Element { perm: loop_perm, word: product(words) };
                    return Ok(Some(self.residue(&element, sifted)));
                }
            }
        }
        Ok(None)
    }
}
