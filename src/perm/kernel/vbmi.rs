//! Byte shuffles across 64-byte vectors ([`Level::Vbmi`](super::Level::Vbmi)).
//!
//! A permutation of `64 * R` points fills `R` registers, for R = 1, 2 or 4; a product takes 1, 2
//! or 8 shuffles. A run of letters is one long chain in which each product waits for the one
//! before. Products may be bracketed at will, so a long run is cut into pieces that are computed
//! side by side and then multiplied.
//!
//! Every function here needs a machine with these instructions; engines ask for that when they are
//! made.

use std::arch::x86_64::*;

use super::rows::{Rows, Value};
use super::{Code, code_at};

type Registers<const R: usize> = [__m512i; R];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load<const R: usize>(rows: &Rows<R>) -> Registers<R> {
    // SAFETY: each row is 64 readable bytes at a 64-byte boundary.
    std::array::from_fn(|k| unsafe { _mm512_load_si512(rows.0[k].as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn store<const R: usize>(rows: &mut Rows<R>, registers: Registers<R>) {
    for (row, register) in rows.0.iter_mut().zip(registers) {
        // SAFETY: each row is 64 writable bytes at a 64-byte boundary.
        unsafe { _mm512_store_si512(row.as_mut_ptr().cast(), register) };
    }
}

/// 64 lookups in the `64 * R` bytes of a table.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn lookup<const R: usize>(index: __m512i, table: Registers<R>) -> __m512i {
    match R {
        1 => _mm512_permutexvar_epi8(index, table[0]),
        2 => _mm512_permutex2var_epi8(table[0], index, table[1]),
        _ => {
            let low = _mm512_permutex2var_epi8(table[0], index, table[1]);
            let high = _mm512_permutex2var_epi8(table[R - 2], index, table[R - 1]);
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high)
        }
    }
}

/// `index` first, then `table`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn product<const R: usize>(index: Registers<R>, table: Registers<R>) -> Registers<R> {
    std::array::from_fn(|k| lookup(index[k], table))
}

/// `value := left value`
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn multiply<const R: usize>(value: &mut Rows<R>, left: &Rows<R>) {
    store(value, product(load(left), load(value)));
}

/// `value := value right`
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn follow<const R: usize>(value: &mut Rows<R>, right: &Rows<R>) {
    store(value, product(load(value), load(right)));
}

/// `first`, then `second`, for 64 or 256 points; other sizes give zeros.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn product_of_bytes<const N: usize>(first: &[u8; N], second: &[u8; N]) -> [u8; N] {
    // SAFETY: the reference is to 64 readable bytes.
    let load = |bytes: &[u8; 64]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let mut out = [0; N];
    let places = out.as_chunks_mut::<64>().0.iter_mut();
    for (place, index) in places.zip(first.as_chunks::<64>().0) {
        let found = match second.as_chunks::<64>().0 {
            [table] => lookup(load(index), [load(table)]),
            [a, b, c, d] => lookup(load(index), [load(a), load(b), load(c), load(d)]),
            _ => continue,
        };
        // SAFETY: the reference is to 64 writable bytes.
        unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), found) };
    }
    out
}

/// The letter of a step; a code that is not in the table does nothing.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn letter<C: Code, const INVERTED: bool, const R: usize>(
    images: &[Rows<R>],
    letters: &[C],
    step: usize,
) -> Registers<R> {
    load(images.get(code_at::<C, INVERTED>(letters, step)).unwrap_or(&Rows::IDENTITY))
}

/// Multiplies a value (the identity if `fresh`) on the left by a run of letters or its inverse, in
/// `PIECES` pieces.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn run<C: Code, const INVERTED: bool, const R: usize, const PIECES: usize>(
    images: &[Rows<R>],
    value: &mut Rows<R>,
    fresh: bool,
    letters: &[C],
) {
    let length = letters.len() / PIECES;
    let rest = letters.len() - PIECES * length;
    let mut first = load(if fresh { &Rows::IDENTITY } else { value });
    for step in 0..rest {
        first = product(letter::<C, INVERTED, R>(images, letters, step), first);
    }
    if length > 0 {
        let mut pieces = [load(&Rows::IDENTITY); PIECES];
        pieces[0] = first;
        for step in rest..rest + length {
            for (k, piece) in pieces.iter_mut().enumerate() {
                let letter = letter::<C, INVERTED, R>(images, letters, step + k * length);
                *piece = product(letter, *piece);
            }
        }
        first = pieces[0];
        for piece in &pieces[1..] {
            first = product(*piece, first);
        }
    }
    store(value, first);
}

/// The same for a value and its inverse; for short runs.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn run_dual<C: Code, const INVERTED: bool, const R: usize>(
    images: &[Rows<R>],
    value: &mut Value<R>,
    fresh: bool,
    letters: &[C],
) {
    let identity = &Rows::IDENTITY;
    let mut forward = load(if fresh { identity } else { &value.forward });
    let mut backward = load(if fresh { identity } else { &value.backward });
    for step in 0..letters.len() {
        let code = code_at::<C, INVERTED>(letters, step);
        forward = product(load(images.get(code).unwrap_or(identity)), forward);
        backward = product(backward, load(images.get(code ^ 1).unwrap_or(identity)));
    }
    store(&mut value.forward, forward);
    store(&mut value.backward, backward);
    value.dual = true;
}

/// `x := a b a' b'` with its inverse `b a b' a'`, where x is a and y is b, or the other way round
/// if `swapped`. Both must be dual.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn commutator<const R: usize>(x: &mut Value<R>, y: &Value<R>, swapped: bool) {
    let (x0, x1) = (load(&x.forward), load(&x.backward));
    let (y0, y1) = (load(&y.forward), load(&y.backward));
    let xy = product(product(x0, y0), product(x1, y1));
    let yx = product(product(y0, x0), product(y1, x1));
    let (forward, backward) = if swapped { (yx, xy) } else { (xy, yx) };
    store(&mut x.forward, forward);
    store(&mut x.backward, backward);
}

/// `b := a b a'`; both must be dual.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn conjugate<const R: usize>(a: &Value<R>, b: &mut Value<R>) {
    let (a0, a1) = (load(&a.forward), load(&a.backward));
    let forward = product(product(a0, load(&b.forward)), a1);
    let backward = product(product(a0, load(&b.backward)), a1);
    store(&mut b.forward, forward);
    store(&mut b.backward, backward);
}

/// `value := value^exponent` by squaring, for exponents of few digits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn power<const R: usize>(value: &mut Rows<R>, exponent: u64) {
    let mut square = load(value);
    let mut power = load(&Rows::IDENTITY);
    let mut left = exponent;
    while left != 0 {
        if left & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        left >>= 1;
    }
    store(value, power);
}
