//! The machine room: runs of generators applied to arrays as fast as the machine allows.
//!
//! An [`Engine`] holds the generators of one puzzle, each compiled in both directions, and starts
//! the [`Machine`] that suits the degree. The array a machine works on holds the **images** of a
//! permutation `s`, and letters are multiplied **on the left**, `s := g s`, which for arrays reads
//! `new[i] = old[g[i]]`: the generator is a fixed pattern of copies, so that one that moves few
//! points costs few copies, one that turns a block is a transposition of a block, and a small one
//! is a byte shuffle. A word is therefore read from its end.
//!
//! All `unsafe` code of the project is in this folder.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod blocks;
mod bytes;
mod images;
mod plan;
mod rows;
mod shuffle;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vbmi;
mod wide;

pub use bytes::product as product_of_bytes;
pub use shuffle::{ShuffleEngine, ShuffleMachine};
pub use wide::{WideEngine, WideMachine};

use rayon::prelude::*;

use super::Perm;
use super::power::Exponent;

/// A generator and its direction, as a number: `2 * generator`, plus 1 for the inverse.
pub trait Code: Copy + Sync {
    /// The number.
    fn code(self) -> usize;
}

/// Which instructions the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Plain Rust, on any machine.
    Portable,
    /// 32-byte vectors with shuffles inside each half (x86-64 since 2013).
    Avx2,
    /// 64-byte vectors with shuffles across all of them (x86-64 since 2019).
    Vbmi,
}

impl Level {
    /// The best level this machine has. Cheap: the answer is remembered by the standard library.
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512vbmi") && std::arch::is_x86_feature_detected!("avx512bw") {
                return Level::Vbmi;
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                return Level::Avx2;
            }
        }
        Level::Portable
    }

    /// This level, or the best one of the machine if that is lower.
    pub fn at_most(self) -> Level {
        self.min(Level::best())
    }
}

/// The letter to apply at step `step` of a run, as a code: a run acts from its last letter, its
/// inverse from its first, inverted. `step` must be below the length.
#[inline(always)]
fn code_at<C: Code, const INVERTED: bool>(letters: &[C], step: usize) -> usize {
    let place = if INVERTED { step } else { letters.len() - 1 - step };
    letters[place].code() ^ usize::from(INVERTED)
}

/// Computes the product of each of several pieces of a long run, on several threads, and returns
/// them in the order in which they multiply the top. `None` if the run is shorter than two pieces
/// of `grain` letters or there is one thread: then it is not worth it. Products may be bracketed
/// at will, so the result does not depend on the number of threads.
fn in_pieces<C: Code, P: Send>(
    letters: &[C],
    inverted: bool,
    grain: usize,
    product: impl Fn(&[C]) -> P + Sync,
) -> Option<Vec<P>> {
    if letters.len() < 2 * grain {
        return None;
    }
    let pieces = rayon::current_num_threads().min(letters.len() / grain);
    if pieces < 2 {
        return None;
    }
    let pieces = letters.par_chunks(letters.len().div_ceil(pieces));
    let mut products: Vec<P> = pieces.map(&product).collect();
    // A run acts from its last letter, its inverse from its first.
    if !inverted {
        products.reverse();
    }
    Some(products)
}

/// What evaluating a word needs: a stack of frames, each holding a permutation that starts as the
/// identity and is multiplied on the left by what comes. See the [module](self) for the reason.
///
/// A machine starts with one open frame. Calls that ask for more frames than are open do nothing.
pub trait Machine {
    /// Opens a frame. `dual` announces that the inverse of its value will be wanted too, which
    /// some machines then keep along.
    fn open(&mut self, dual: bool);
    /// Multiplies the top by a run of letters, or by the inverse of the run. Letters whose code
    /// the engine does not know do nothing.
    fn letters<C: Code>(&mut self, letters: &[C], inverted: bool);
    /// Multiplies the top by a permutation of at most the engine's degree, or by its inverse.
    fn perm(&mut self, left: &Perm, inverted: bool);
    /// Closes the top frame, raises its value to a power (`inverted` changes the sign), and
    /// multiplies the frame below by the result.
    fn power(&mut self, exponent: &Exponent, inverted: bool);
    /// Closes two frames, of x and then y, and multiplies the frame below by the commutator
    /// `x y x' y'`, or by `y x y' x'` if `swapped`. Both should have been opened dual.
    fn commutator(&mut self, swapped: bool);
    /// Closes two frames, of x and then y, and multiplies the frame below by the conjugate
    /// `x y x'`, or by `y x y'` if `swapped`. Both should have been opened dual.
    fn conjugate(&mut self, swapped: bool);
    /// Closes the top frame and returns its value.
    fn take(&mut self) -> Perm;
}

/// An open frame: a value is made when something comes.
#[derive(Clone, Copy, Debug)]
struct Frame {
    has_value: bool,
    dual: bool,
}

impl Frame {
    fn new(dual: bool) -> Frame {
        Frame { has_value: false, dual }
    }
}

/// The generators of one puzzle, ready to be applied.
#[derive(Debug)]
pub enum Engine {
    /// Up to 64 points.
    Row(ShuffleEngine<1>),
    /// Up to 128 points, with [`Level::Vbmi`].
    TwoRows(ShuffleEngine<2>),
    /// Up to 256 points, with [`Level::Vbmi`].
    FourRows(ShuffleEngine<4>),
    /// Up to 256 points.
    Bytes(WideEngine<u8>),
    /// Up to 65,536 points.
    Words(WideEngine<u16>),
    /// Any number of points.
    Longs(WideEngine<u32>),
}

impl Engine {
    /// Compiles the generators; all must have the same `degree`. On larger boards each direction
    /// of a generator is compiled when it is first used.
    pub fn new(degree: usize, generators: &[Perm]) -> Engine {
        Engine::with_level(degree, generators, Level::best())
    }

    /// [`new`](Self::new) with a ceiling on the instructions used.
    pub fn with_level(degree: usize, generators: &[Perm], level: Level) -> Engine {
        let level = level.at_most();
        match degree {
            0..=64 => Engine::Row(ShuffleEngine::new(degree, generators, level)),
            65..=128 if level == Level::Vbmi => Engine::TwoRows(ShuffleEngine::new(degree, generators, level)),
            65..=256 if level == Level::Vbmi => Engine::FourRows(ShuffleEngine::new(degree, generators, level)),
            65..=256 => Engine::Bytes(WideEngine::new(degree, generators, level)),
            257..=65_536 => Engine::Words(WideEngine::new(degree, generators, level)),
            _ => Engine::Longs(WideEngine::new(degree, generators, level)),
        }
    }
}
