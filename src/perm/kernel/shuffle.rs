//! The machine for few points: a permutation is `R` rows of 64 bytes.

use std::sync::Arc;

use smallvec::SmallVec;

use super::rows::{Rows, Value};
use super::{Code, Frame, Level, Machine, code_at, in_pieces};
#[cfg(target_arch = "x86_64")]
use super::{avx2, vbmi};
use crate::perm::Perm;
use crate::perm::power::{Exponent, Residues};

/// The generators of a puzzle of up to `64 * R` points.
#[derive(Debug)]
pub struct ShuffleEngine<const R: usize> {
    degree: usize,
    /// Never above what the machine has: all `unsafe` calls below rest on this.
    level: Level,
    /// The images of each letter, by code.
    images: Vec<Rows<R>>,
    /// For [`Level::Avx2`] with R = 1: the letters as split indices.
    #[cfg(target_arch = "x86_64")]
    split: Vec<avx2::Split>,
}

impl<const R: usize> ShuffleEngine<R> {
    /// Compiles the generators, of at most `64 * R` points each.
    pub fn new(degree: usize, generators: &[Perm], level: Level) -> ShuffleEngine<R> {
        let degree = degree.min(64 * R);
        let mut images = Vec::with_capacity(2 * generators.len());
        for generator in generators {
            let forward = Rows::from_perm(generator);
            let mut backward = Rows::IDENTITY;
            forward.write_inverse(degree, &mut backward);
            images.extend([forward, backward]);
        }
        let level = match level.at_most() {
            Level::Avx2 if R > 1 => Level::Portable,
            level => level,
        };
        #[cfg(target_arch = "x86_64")]
        let split = match level {
            Level::Avx2 => images.iter().map(|rows| avx2::split(&Rows([rows.0[0]]))).collect(),
            _ => Vec::new(),
        };
        ShuffleEngine {
            degree,
            level,
            images,
            #[cfg(target_arch = "x86_64")]
            split,
        }
    }

    /// `value := left value`
    #[inline]
    fn multiply(&self, value: &mut Rows<R>, left: &Rows<R>) {
        match self.level {
            // SAFETY: the level is one the machine has.
            #[cfg(target_arch = "x86_64")]
            Level::Vbmi => unsafe { vbmi::multiply(value, left) },
            _ => *value = self.product(left, value),
        }
    }

    /// `value := value right`
    #[inline]
    fn follow(&self, value: &mut Rows<R>, right: &Rows<R>) {
        match self.level {
            // SAFETY: the level is one the machine has.
            #[cfg(target_arch = "x86_64")]
            Level::Vbmi => unsafe { vbmi::follow(value, right) },
            _ => *value = self.product(value, right),
        }
    }

    /// `index` first, then `table`: the slow levels.
    fn product(&self, index: &Rows<R>, table: &Rows<R>) -> Rows<R> {
        #[cfg(target_arch = "x86_64")]
        if self.level == Level::Avx2 && R == 1 {
            // SAFETY: the level is one the machine has.
            let out = unsafe { avx2::product(&Rows([index.0[0]]), &Rows([table.0[0]])) };
            return Rows([out.0[0]; R]);
        }
        index.portable_product(table, self.degree)
    }

    fn run_either<C: Code>(&self, value: &mut Rows<R>, fresh: bool, letters: &[C], inverted: bool) {
        match inverted {
            true => self.run::<C, true>(value, fresh, letters),
            false => self.run::<C, false>(value, fresh, letters),
        }
    }

    /// Multiplies a value (the identity if `fresh`) on the left by a run of letters.
    fn run<C: Code, const INVERTED: bool>(&self, value: &mut Rows<R>, fresh: bool, letters: &[C]) {
        #[cfg(target_arch = "x86_64")]
        match self.level {
            // SAFETY: the level is one the machine has.
            Level::Vbmi if R == 1 => unsafe {
                return vbmi::run::<C, INVERTED, R, 4>(&self.images, value, fresh, letters);
            },
            // SAFETY: as above.
            Level::Vbmi => unsafe {
                return vbmi::run::<C, INVERTED, R, 2>(&self.images, value, fresh, letters);
            },
            Level::Avx2 if R == 1 => {
                let mut row = Rows([value.0[0]]);
                // SAFETY: as above.
                unsafe {
                    match self.degree <= 32 {
                        true => avx2::run::<C, INVERTED, false>(&self.split, &mut row, fresh, letters),
                        false => avx2::run::<C, INVERTED, true>(&self.split, &mut row, fresh, letters),
                    }
                }
                value.0[0] = row.0[0];
                return;
            }
            _ => {}
        }
        if fresh {
            *value = Rows::IDENTITY;
        }
        for step in 0..letters.len() {
            if let Some(letter) = self.images.get(code_at::<C, INVERTED>(letters, step)) {
                *value = letter.portable_product(value, self.degree);
            }
        }
    }
}

/// Runs up to this long are applied to a permutation and its inverse side by side; after longer
/// ones the inverse is computed afresh.
#[cfg(target_arch = "x86_64")]
const DUAL_RUN: usize = 12;

/// Longer runs are given to several threads in pieces of at least this many letters, some 0.1 ms.
const GRAIN: usize = 1 << 16;

/// Exponents below this are worked off by squaring where a product is a few instructions: a dozen
/// of these take less time than one walk along the cycles.
#[cfg(target_arch = "x86_64")]
const SQUARED: u64 = 1 << 24;

/// Evaluates words on up to `64 * R` points.
#[derive(Debug)]
pub struct ShuffleMachine<'a, const R: usize> {
    engine: &'a ShuffleEngine<R>,
    frames: SmallVec<[Frame; 8]>,
    /// The values of the frames that have one come first. What is behind them is free.
    values: SmallVec<[Value<R>; 3]>,
    used: usize,
}

impl<'a, const R: usize> ShuffleMachine<'a, R> {
    /// A machine for this engine, with one open frame.
    pub fn new(engine: &'a ShuffleEngine<R>) -> Self {
        let frames = SmallVec::from_slice(&[Frame::new(false)]);
        ShuffleMachine { engine, frames, values: SmallVec::new(), used: 0 }
    }

    /// The value of the top frame, whether it is new (and then without meaning), and whether its
    /// inverse is wanted.
    #[inline]
    fn top(&mut self) -> Option<(&mut Value<R>, bool, bool)> {
        let frame = self.frames.last_mut()?;
        let fresh = !frame.has_value;
        if fresh {
            frame.has_value = true;
            if self.used == self.values.len() {
                self.values.push(Value::IDENTITY);
            }
            self.used += 1;
        }
        let value = self.values.get_mut(self.used - 1)?;
        if fresh {
            value.dual = frame.dual;
        }
        Some((value, fresh, frame.dual))
    }

    /// Closes the top frame and multiplies the one below by its value.
    fn hand_down(&mut self) {
        let Some(Frame { has_value: true, .. }) = self.frames.pop() else {
            return;
        };
        let engine = self.engine;
        let (Some(under), Some(last)) = (self.frames.last_mut(), self.used.checked_sub(1)) else {
            return;
        };
        if under.dual {
            self.values[last].make_dual(engine.degree);
        }
        if !under.has_value {
            under.has_value = true;
        } else if let [.., below, top] = &mut self.values[..=last] {
            engine.multiply(&mut below.forward, &top.forward);
            if below.dual {
                engine.follow(&mut below.backward, &top.backward);
            }
            self.used = last;
        }
    }

    /// The values of the last two frames, made dual.
    fn pair(&mut self) -> Option<(&mut Value<R>, &mut Value<R>)> {
        // An empty frame, of a part without moves, gets the identity.
        if let Some((value, true, _)) = self.top() {
            *value = Value::IDENTITY;
        }
        if let [.., below, _] = &mut self.frames[..]
            && !below.has_value
        {
            below.has_value = true;
            self.values.insert(self.used - 1, Value::IDENTITY);
            self.used += 1;
        }
        let [.., x, y] = &mut self.values[..self.used] else {
            return None;
        };
        x.make_dual(self.engine.degree);
        y.make_dual(self.engine.degree);
        Some((x, y))
    }

    /// Closes the top frame and forgets its value.
    fn forget(&mut self) {
        if let Some(Frame { has_value: true, .. }) = self.frames.pop() {
            self.used -= 1;
        }
    }
}

impl<const R: usize> Machine for ShuffleMachine<'_, R> {
    #[inline]
    fn open(&mut self, dual: bool) {
        self.frames.push(Frame::new(dual));
    }

    fn letters<C: Code>(&mut self, letters: &[C], inverted: bool) {
        let engine = self.engine;
        let Some((value, fresh, dual)) = self.top() else {
            return;
        };
        #[cfg(target_arch = "x86_64")]
        if engine.level == Level::Vbmi && dual && letters.len() <= DUAL_RUN {
            // SAFETY: the level is one the machine has.
            unsafe {
                match inverted {
                    true => vbmi::run_dual::<C, true, R>(&engine.images, value, fresh, letters),
                    false => vbmi::run_dual::<C, false, R>(&engine.images, value, fresh, letters),
                }
            }
            return;
        }
        let pieces = in_pieces(letters, inverted, GRAIN, |piece| {
            let mut product = Rows::IDENTITY;
            engine.run_either(&mut product, true, piece, inverted);
            product
        });
        match pieces {
            None => engine.run_either(&mut value.forward, fresh, letters, inverted),
            Some(pieces) => {
                if fresh {
                    value.forward = Rows::IDENTITY;
                }
                for piece in &pieces {
                    engine.multiply(&mut value.forward, piece);
                }
            }
        }
        if dual {
            value.forward.write_inverse(engine.degree, &mut value.backward);
        }
    }

    fn perm(&mut self, left: &Perm, inverted: bool) {
        let engine = self.engine;
        let Some((value, fresh, dual)) = self.top() else {
            return;
        };
        let mut forward = Rows::from_perm(left);
        let mut backward = Rows::IDENTITY;
        if inverted || dual {
            forward.write_inverse(engine.degree, &mut backward);
        }
        if inverted {
            std::mem::swap(&mut forward, &mut backward);
        }
        if fresh {
            (value.forward, value.backward) = (forward, backward);
            return;
        }
        engine.multiply(&mut value.forward, &forward);
        if dual {
            engine.follow(&mut value.backward, &backward);
        }
    }

    fn power(&mut self, exponent: &Exponent, inverted: bool) {
        let engine = self.engine;
        if let Some(Frame { has_value: true, .. }) = self.frames.last()
            && let Some(value) = self.values[..self.used].last_mut()
        {
            let flip = match exponent.magnitude_u64() {
                #[cfg(target_arch = "x86_64")]
                Some(e) if engine.level == Level::Vbmi && e < SQUARED => {
                    // SAFETY: the level is one the machine has.
                    unsafe { vbmi::power(&mut value.forward, e) };
                    exponent.is_negative() != inverted
                }
                _ => {
                    let mut residues = Residues::new(exponent);
                    value.forward = value.forward.power(engine.degree, &mut residues);
                    inverted
                }
            };
            value.dual = false;
            if flip {
                value.make_dual(engine.degree);
                std::mem::swap(&mut value.forward, &mut value.backward);
            }
        }
        self.hand_down();
    }

    fn commutator(&mut self, swapped: bool) {
        let engine = self.engine;
        if let Some((x, y)) = self.pair() {
            match engine.level {
                // SAFETY: the level is one the machine has.
                #[cfg(target_arch = "x86_64")]
                Level::Vbmi => unsafe { vbmi::commutator(x, y, swapped) },
                _ => {
                    let product = |a: Rows<R>, b: Rows<R>| engine.product(&a, &b);
                    let (x0, x1, y0, y1) = (x.forward, x.backward, y.forward, y.backward);
                    let xy = product(product(x0, y0), product(x1, y1));
                    let yx = product(product(y0, x0), product(y1, x1));
                    (x.forward, x.backward) = if swapped { (yx, xy) } else { (xy, yx) };
                }
            }
        }
        self.forget();
        self.hand_down();
    }

    fn conjugate(&mut self, swapped: bool) {
        let engine = self.engine;
        if let Some((x, y)) = self.pair() {
            if !swapped {
                std::mem::swap(x, y);
            }
            // Now x is b, which is kept, and y is a.
            match engine.level {
                // SAFETY: the level is one the machine has.
                #[cfg(target_arch = "x86_64")]
                Level::Vbmi => unsafe { vbmi::conjugate(y, x) },
                _ => {
                    for rows in [&mut x.forward, &mut x.backward] {
                        *rows = engine.product(&engine.product(&y.forward, rows), &y.backward);
                    }
                }
            }
        }
        self.forget();
        self.hand_down();
    }

    fn take(&mut self) -> Perm {
        let mut identity = Rows::IDENTITY;
        let images = match self.frames.pop() {
            Some(Frame { has_value: true, .. }) if self.used > 0 => {
                self.used -= 1;
                &mut self.values[self.used].forward
            }
            _ => &mut identity,
        };
        let images = &images.bytes()[..self.engine.degree];
        Perm::trusted(images.iter().map(|&x| u32::from(x)).collect::<Arc<[u32]>>())
    }
}
