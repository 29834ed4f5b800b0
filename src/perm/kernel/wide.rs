//! The machine for many points: arrays of the narrowest integer that holds a point, and generators
//! in the shape that is cheapest to apply.

use std::sync::{Arc, Mutex, OnceLock};

use super::images::Images;
use super::plan::Plan;
use super::{Code, Frame, Level, Machine, code_at, in_pieces};
use crate::perm::Perm;
use crate::perm::point::Point;
use crate::perm::power::{Exponent, Residues};

/// The generators of a puzzle, for arrays of `T`.
#[derive(Debug)]
pub struct WideEngine<T> {
    degree: usize,
    level: Level,
    generators: Vec<Perm>,
    /// By code. A plan is made when the letter is first used: a large board may have thousands of
    /// generators of which a word uses three.
    plans: Vec<OnceLock<Plan<T>>>,
    /// Arrays left by one evaluation for the next: asking the system for fresh memory takes longer
    /// than a short word.
    pool: Mutex<Vec<Images<T>>>,
}

impl<T: Point> WideEngine<T> {
    /// Takes the generators, each of exactly `degree` points, which must not be more than the
    /// type holds, and a ceiling on the instructions used.
    pub fn new(degree: usize, generators: &[Perm], level: Level) -> WideEngine<T> {
        WideEngine {
            degree,
            level: level.at_most(),
            generators: generators.to_vec(),
            plans: (0..2 * generators.len()).map(|_| OnceLock::new()).collect(),
            pool: Mutex::default(),
        }
    }

    /// How the letter is applied; `None` if there is no such letter.
    fn plan(&self, code: usize) -> Option<&Plan<T>> {
        let plan = self.plans.get(code)?;
        Some(plan.get_or_init(|| {
            let generator = &self.generators[code / 2];
            match code % 2 {
                0 => Plan::new(generator),
                _ => Plan::new(&generator.inverse()),
            }
        }))
    }

    /// Multiplies a value on the left by a run of letters or its inverse. The content of `other`
    /// is lost.
    fn run<C: Code>(&self, value: &mut Images<T>, other: &mut Images<T>, letters: &[C], inverted: bool) {
        let apply = |step: usize, value: &mut Images<T>, other: &mut Images<T>| {
            let code = match inverted {
                true => code_at::<C, true>(letters, step),
                false => code_at::<C, false>(letters, step),
            };
            if let Some(plan) = self.plan(code) {
                value.apply(plan, other, self.level);
            }
        };
        let mut step = 0;
        if self.degree <= TWO_AT_ONCE && letters.len() >= self.degree {
            // On a small board a letter waits for the one before it to reach memory: two pieces
            // are worked on in turn.
            let mut left = Images::identity(self.degree);
            let half = letters.len() / 2;
            while step < half {
                apply(step, value, other);
                apply(step + half, &mut left, other);
                step += 1;
            }
            other.set_product(&left, value);
            std::mem::swap(value, other);
            step = 2 * half;
        }
        while step < letters.len() {
            apply(step, value, other);
            step += 1;
        }
    }
}

/// Boards of up to this many points are worked on two pieces at a time.
const TWO_AT_ONCE: usize = 512;

/// Longer runs are given to several threads in pieces of at least this many letters, and of at
/// least this many letters times points: even letters that move few points then take some 0.1 ms.
const GRAIN_LETTERS: usize = 2000;
const GRAIN_POINTS: usize = 1 << 22;

/// Evaluates words on any number of points.
#[derive(Debug)]
pub struct WideMachine<'a, T> {
    engine: &'a WideEngine<T>,
    frames: Vec<Frame>,
    /// The values of the frames that have one.
    values: Vec<Images<T>>,
    /// Arrays to be used again.
    spare: Vec<Images<T>>,
}

impl<'a, T: Point> WideMachine<'a, T> {
    /// A machine for this engine, with one open frame.
    pub fn new(engine: &'a WideEngine<T>) -> Self {
        let spare = engine.pool.try_lock().map(|mut pool| std::mem::take(&mut *pool));
        WideMachine { engine, frames: vec![Frame::new(false)], values: Vec::new(), spare: spare.unwrap_or_default() }
    }

    /// An array with anything in it.
    fn array(&mut self) -> Images<T> {
        self.spare.pop().unwrap_or_else(|| Images::identity(self.engine.degree))
    }

    fn identity(&mut self) -> Images<T> {
        let Some(mut images) = self.spare.pop() else {
            return Images::identity(self.engine.degree);
        };
        images.reset();
        images
    }

    /// Closes the top frame; `None` if it has no value, which stands for the identity.
    fn close(&mut self) -> Option<Images<T>> {
        if self.frames.pop()?.has_value { self.values.pop() } else { None }
    }

    /// Multiplies the top by a value.
    fn multiply(&mut self, left: Images<T>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if !frame.has_value {
            frame.has_value = true;
            self.values.push(left);
            return;
        }
        let mut out = self.array();
        if let Some(top) = self.values.last_mut() {
            out.set_product(&left, top);
            std::mem::swap(top, &mut out);
        }
        self.spare.extend([left, out]);
    }
}

/// How many arrays, of how many bytes, an engine keeps.
const POOL_ARRAYS: usize = 6;
const POOL_ARRAY_BYTES: usize = 1 << 18;

impl<T> Drop for WideMachine<'_, T> {
    fn drop(&mut self) {
        if self.engine.degree * size_of::<T>() <= POOL_ARRAY_BYTES
            && let Ok(mut pool) = self.engine.pool.try_lock()
        {
            self.spare.truncate(POOL_ARRAYS);
            *pool = std::mem::take(&mut self.spare);
        }
    }
}

impl<T: Point> Machine for WideMachine<'_, T> {
    fn open(&mut self, _dual: bool) {
        self.frames.push(Frame::new(false));
    }

    fn letters<C: Code>(&mut self, letters: &[C], inverted: bool) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if !std::mem::replace(&mut frame.has_value, true) {
            let identity = self.identity();
            self.values.push(identity);
        }
        let engine = self.engine;
        let grain = GRAIN_LETTERS.max(GRAIN_POINTS / engine.degree.max(1));
        let pieces = in_pieces(letters, inverted, grain, |piece| {
            let mut product = Images::identity(engine.degree);
            engine.run(&mut product, &mut Images::identity(engine.degree), piece, inverted);
            product
        });
        let mut other = self.array();
        if let Some(top) = self.values.last_mut() {
            match pieces {
                None => engine.run(top, &mut other, letters, inverted),
                Some(pieces) => {
                    for piece in &pieces {
                        other.set_product(piece, top);
                        std::mem::swap(top, &mut other);
                    }
                }
            }
        }
        self.spare.push(other);
    }

    fn perm(&mut self, left: &Perm, inverted: bool) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if !std::mem::replace(&mut frame.has_value, true) {
            let identity = self.identity();
            self.values.push(identity);
        }
        let mut other = self.array();
        if let Some(top) = self.values.last_mut() {
            top.multiply_perm(left, inverted, &mut other);
        }
        self.spare.push(other);
    }

    fn power(&mut self, exponent: &Exponent, inverted: bool) {
        let Some(base) = self.close() else { return };
        let mut power = self.identity();
        let mut other = self.array();
        base.write_power(&mut Residues::new(exponent), &mut power, &mut other);
        if inverted {
            other.set_inverse(&power);
            std::mem::swap(&mut other, &mut power);
        }
        self.multiply(power);
        self.spare.extend([base, other]);
    }

    fn commutator(&mut self, swapped: bool) {
        // A commutator with the identity is the identity.
        let (y, x) = (self.close(), self.close());
        let (Some(a), Some(b)) = (if swapped { (y, x) } else { (x, y) }) else {
            return;
        };
        let (mut out, mut undo) = (self.array(), self.array());
        out.set_commutator(&a, &b, &mut undo);
        self.multiply(out);
        self.spare.extend([a, b, undo]);
    }

    fn conjugate(&mut self, swapped: bool) {
        let (y, x) = (self.close(), self.close());
        let (a, b) = if swapped { (y, x) } else { (x, y) };
        // A conjugate of the identity is the identity, and one by the identity changes nothing.
        let Some(b) = b else { return };
        let Some(a) = a else { return self.multiply(b) };
        let (mut out, mut undo) = (self.array(), self.array());
        out.set_conjugate(&a, &b, &mut undo);
        self.multiply(out);
        self.spare.extend([a, b, undo]);
    }

    fn take(&mut self) -> Perm {
        let Some(value) = self.close() else {
            return Perm::identity(self.engine.degree);
        };
        let images = value.points().iter().map(|x| x.index() as u32).collect::<Arc<[u32]>>();
        self.spare.push(value);
        Perm::trusted(images)
    }
}
