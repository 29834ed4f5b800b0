//! Byte shuffles inside 16-byte rows ([`Level::Avx2`](super::Level::Avx2)), up to 64 points.
//!
//! A shuffle looks up 16 bytes, so a lookup in 64 takes four, whose results are or-ed: the index is
//! split so that all but one of them give zero. For a generator the split is made beforehand.

use std::arch::x86_64::*;

use super::rows::Rows;
use super::{Code, code_at};

/// An index split by the 16 bytes it points into.
pub type Split = [Rows<1>; 4];

/// Row k of the answer says, for the bytes whose index lies in 16k to 16k + 15, which of the 16 it
/// is, and has the high bit set in all others: a shuffle gives zero there.
pub fn split(index: &Rows<1>) -> Split {
    let mut rows = [Rows([[0x80; 64]]); 4];
    for (i, &x) in index.bytes().iter().enumerate() {
        rows[usize::from(x >> 4) & 3].0[0][i] = x & 15;
    }
    rows
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(rows: &Rows<1>, half: usize) -> __m256i {
    // SAFETY: `Rows<1>` is 64 readable bytes at a 64-byte boundary and `half` is made 0 or 1.
    unsafe { _mm256_load_si256(rows.0[0].as_ptr().add(32 * (half & 1)).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(rows: &mut Rows<1>, half: usize, value: __m256i) {
    // SAFETY: `Rows<1>` is 64 writable bytes at a 64-byte boundary and `half` is made 0 or 1.
    unsafe { _mm256_store_si256(rows.0[0].as_mut_ptr().add(32 * (half & 1)).cast(), value) }
}

/// Each of the four 16-byte parts of a table, twice: a shuffle stays within 16 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn parts(low: __m256i, high: __m256i) -> [__m256i; 4] {
    [
        _mm256_permute2x128_si256(low, low, 0x00),
        _mm256_permute2x128_si256(low, low, 0x11),
        _mm256_permute2x128_si256(high, high, 0x00),
        _mm256_permute2x128_si256(high, high, 0x11),
    ]
}

/// Half of a product with a split index. With `WIDE` false the table has 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn lookup<const WIDE: bool>(parts: &[__m256i; 4], split: &Split, half: usize) -> __m256i {
    let part = |k: usize| _mm256_shuffle_epi8(parts[k], load(&split[k], half));
    let low = _mm256_or_si256(part(0), part(1));
    if !WIDE {
        return low;
    }
    _mm256_or_si256(low, _mm256_or_si256(part(2), part(3)))
}

/// `table[index[i]]` for every i.
#[target_feature(enable = "avx2")]
pub fn product(index: &Rows<1>, table: &Rows<1>) -> Rows<1> {
    let parts = parts(load(table, 0), load(table, 1));
    let mut out = Rows::IDENTITY;
    for half in 0..2 {
        let wanted = load(index, half);
        let mut sum = _mm256_setzero_si256();
        for (k, part) in parts.iter().enumerate() {
            // Below or above the part's 16 indices the sum has its high bit set.
            let within = _mm256_sub_epi8(wanted, _mm256_set1_epi8(16 * k as i8));
            let masked = _mm256_adds_epu8(within, _mm256_set1_epi8(0x70));
            sum = _mm256_or_si256(sum, _mm256_shuffle_epi8(*part, masked));
        }
        store(&mut out, half, sum);
    }
    out
}

type Pair = (__m256i, __m256i);

/// A letter on the left. With `WIDE` false only the first 32 bytes are computed.
#[inline]
#[target_feature(enable = "avx2")]
fn step<const WIDE: bool>(value: Pair, split: &Split) -> Pair {
    let parts = parts(value.0, value.1);
    let low = lookup::<WIDE>(&parts, split, 0);
    (low, if WIDE { lookup::<WIDE>(&parts, split, 1) } else { value.1 })
}

/// Multiplies a value (the identity if `fresh`) on the left by a run of letters or its inverse, in
/// two pieces side by side. With `WIDE` false all points from 32 on are fixed.
#[target_feature(enable = "avx2")]
pub fn run<C: Code, const INVERTED: bool, const WIDE: bool>(
    letters_split: &[Split],
    value: &mut Rows<1>,
    fresh: bool,
    letters: &[C],
) {
    let half = letters.len() / 2;
    let rest = letters.len() - 2 * half;
    let start = if fresh { &Rows::IDENTITY } else { &*value };
    let mut a = (load(start, 0), load(start, 1));
    let mut b = (load(&Rows::IDENTITY, 0), load(&Rows::IDENTITY, 1));
    for at in 0..rest {
        if let Some(letter) = letters_split.get(code_at::<C, INVERTED>(letters, at)) {
            a = step::<WIDE>(a, letter);
        }
    }
    for at in rest..rest + half {
        if let Some(letter) = letters_split.get(code_at::<C, INVERTED>(letters, at)) {
            a = step::<WIDE>(a, letter);
        }
        if let Some(letter) = letters_split.get(code_at::<C, INVERTED>(letters, at + half)) {
            b = step::<WIDE>(b, letter);
        }
    }
    store(value, 0, a.0);
    store(value, 1, a.1);
    if half > 0 {
        let mut left = Rows::IDENTITY;
        store(&mut left, 0, b.0);
        store(&mut left, 1, b.1);
        *value = product(&left, value);
    }
}
