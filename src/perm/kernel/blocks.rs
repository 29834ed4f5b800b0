//! Copying rectangles of points from one array to another, turned or not.
//!
//! A quarter turn of a block is a transposition: rows of the new array are columns of the old one.
//! It is done in square tiles that are transposed in vector registers, so that both arrays are
//! read and written in whole vectors.

use super::Level;
use super::plan::Block;
use crate::perm::point::Point;

/// Carries out the copies of `block` from `old` to `new`.
///
/// Does nothing if a copy would leave an array.
pub fn copy<T: Point>(old: &[T], new: &mut [T], block: &Block, level: Level) {
    if !block.fits(old.len().min(new.len())) {
        return;
    }
    if block.is_transposition() {
        transpose(old, new, block, level);
        return;
    }
    let &Block { cols, from_col, .. } = block;
    if cols == 1 {
        let (mut to, mut from) = (block.to, block.from);
        for _ in 0..block.rows {
            new[to] = old[from];
            to = to.wrapping_add_signed(block.to_row);
            from = from.wrapping_add_signed(block.from_row);
        }
        return;
    }
    for r in 0..block.rows {
        let to = block.to.wrapping_add_signed(r as isize * block.to_row);
        let from = block.from.wrapping_add_signed(r as isize * block.from_row);
        match from_col {
            1 => new[to..to + cols].copy_from_slice(&old[from..from + cols]),
            -1 => {
                let row = old[from + 1 - cols..=from].iter().rev();
                new[to..to + cols].iter_mut().zip(row).for_each(|(x, &y)| *x = y);
            }
            _ => {
                let mut at = from;
                for x in &mut new[to..to + cols] {
                    *x = old[at];
                    at = at.wrapping_add_signed(from_col);
                }
            }
        }
    }
}

/// Copies the rows that `block` writes from `source` to the same places of `target`.
pub fn copy_rows<T: Point>(source: &[T], target: &mut [T], block: &Block) {
    for r in 0..block.rows {
        let to = block.to.wrapping_add_signed(r as isize * block.to_row);
        let row = to..to + block.cols;
        if let (Some(target), Some(source)) = (target.get_mut(row.clone()), source.get(row)) {
            target.copy_from_slice(source);
        }
    }
}

/// `from_row` is 1, and the block is at least as large as a tile both ways.
fn transpose<T: Point>(old: &[T], new: &mut [T], block: &Block, level: Level) {
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx2 && size_of::<T>() == 2 && block.cols >= 16 {
        // SAFETY: `copy` has checked the block; the engine's level is one the machine has; T is
        // u16, the only point of two bytes.
        unsafe { avx2::transpose16(old.as_ptr().cast(), new.as_mut_ptr().cast(), block) };
        return;
    }
    let _ = level;
    let side = tile_side::<T>();
    if block.rows < side || block.cols < side {
        scalar(old, new, block, 0..block.rows, 0..block.cols);
        return;
    }
    // The last tile of a row or column overlaps the one before: the same copies made twice.
    let starts = |len: usize| (0..len.div_ceil(side)).map(move |k| (k * side).min(len - side));
    for r in starts(block.rows) {
        for c in starts(block.cols) {
            tile(old, new, block, r, c, side);
        }
    }
}

fn scalar<T: Point>(
    old: &[T],
    new: &mut [T],
    block: &Block,
    rows: std::ops::Range<usize>,
    cols: std::ops::Range<usize>,
) {
    for r in rows {
        let to = block.to.wrapping_add_signed(r as isize * block.to_row);
        let from = block.from.wrapping_add_signed(r as isize * block.from_row);
        let mut at = from.wrapping_add_signed(cols.start as isize * block.from_col);
        for x in &mut new[to + cols.start..to + cols.end] {
            *x = old[at];
            at = at.wrapping_add_signed(block.from_col);
        }
    }
}

const fn tile_side<T>() -> usize {
    match size_of::<T>() {
        1 => 16,
        2 => 8,
        _ => 4,
    }
}

/// One tile with its corner at row `r`, column `c` of the block.
#[inline]
fn tile<T: Point>(old: &[T], new: &mut [T], block: &Block, r: usize, c: usize, side: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        // Offsets in points of the tile's corner in either array.
        let to = block.to as isize + r as isize * block.to_row + c as isize;
        let from = block.from as isize + r as isize + c as isize * block.from_col;
        debug_assert!(block.fits(old.len().min(new.len())) && block.from_row == 1);
        debug_assert!(r + side <= block.rows && c + side <= block.cols);
        // SAFETY: `copy` has checked that every copy of the block stays within both arrays; the
        // tile's rows r.. and columns c.. (`side` of each) belong to the block, so its vectors
        // of `side` points are 16 bytes inside `old` (consecutive r at one c, as `from_row` is 1)
        // and inside `new` (consecutive c at one r). T is a plain integer of the size matched on,
        // and unaligned loads and stores are used.
        unsafe {
            let old = old.as_ptr().offset(from);
            let new = new.as_mut_ptr().offset(to);
            let (stride_old, stride_new) = (block.from_col, block.to_row);
            match size_of::<T>() {
                1 => sse2::tile8(old.cast(), stride_old, new.cast(), stride_new),
                2 => sse2::tile16(old.cast(), stride_old, new.cast(), stride_new),
                _ => sse2::tile32(old.cast(), stride_old, new.cast(), stride_new),
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    scalar(old, new, block, r..r + side, c..c + side);
}

/// Tiles of 16 bytes a row: SSE2 is part of every x86-64.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::*;

    /// # Safety
    /// Vector k of `N` is read at `from + k * stride` (in points), 16 bytes.
    #[inline(always)]
    unsafe fn load<T, const N: usize>(from: *const T, stride: isize) -> [__m128i; N] {
        // SAFETY: by the contract of this function.
        std::array::from_fn(|k| unsafe { _mm_loadu_si128(from.offset(k as isize * stride).cast()) })
    }

    /// # Safety
    /// Vector k is written at `to + k * stride` (in points), 16 bytes.
    #[inline(always)]
    unsafe fn store<T, const N: usize>(to: *mut T, stride: isize, rows: [__m128i; N]) {
        for (k, row) in rows.into_iter().enumerate() {
            // SAFETY: by the contract of this function.
            unsafe { _mm_storeu_si128(to.offset(k as isize * stride).cast(), row) };
        }
    }

    /// # Safety
    /// 16 vectors of 16 bytes are readable and writable at the strides given.
    #[inline(always)]
    pub unsafe fn tile8(from: *const u8, from_stride: isize, to: *mut u8, to_stride: isize) {
        // SAFETY: by the contract of this function; SSE2 is always there.
        unsafe {
            let mut v: [__m128i; 16] = load(from, from_stride);
            // Interleaving vector k with vector k + 8 four times transposes 16 by 16 bytes.
            for _ in 0..4 {
                let mut next = v;
                for k in 0..8 {
                    next[2 * k] = _mm_unpacklo_epi8(v[k], v[k + 8]);
                    next[2 * k + 1] = _mm_unpackhi_epi8(v[k], v[k + 8]);
                }
                v = next;
            }
            store(to, to_stride, v);
        }
    }

    /// # Safety
    /// 8 vectors of 16 bytes are readable and writable at the strides given.
    #[inline(always)]
    pub unsafe fn tile16(from: *const u16, from_stride: isize, to: *mut u16, to_stride: isize) {
        // SAFETY: by the contract of this function; SSE2 is always there.
        unsafe {
            let mut v: [__m128i; 8] = load(from, from_stride);
            for _ in 0..3 {
                let mut next = v;
                for k in 0..4 {
                    next[2 * k] = _mm_unpacklo_epi16(v[k], v[k + 4]);
                    next[2 * k + 1] = _mm_unpackhi_epi16(v[k], v[k + 4]);
                }
                v = next;
            }
            store(to, to_stride, v);
        }
    }

    /// # Safety
    /// 4 vectors of 16 bytes are readable and writable at the strides given.
    #[inline(always)]
    pub unsafe fn tile32(from: *const u32, from_stride: isize, to: *mut u32, to_stride: isize) {
        // SAFETY: by the contract of this function; SSE2 is always there.
        unsafe {
            let mut v: [__m128i; 4] = load(from, from_stride);
            for _ in 0..2 {
                let mut next = v;
                for k in 0..2 {
                    next[2 * k] = _mm_unpacklo_epi32(v[k], v[k + 2]);
                    next[2 * k + 1] = _mm_unpackhi_epi32(v[k], v[k + 2]);
                }
                v = next;
            }
            store(to, to_stride, v);
        }
    }
}

/// Tiles of 8 rows and 16 columns of two-byte points: two of the tiles above side by side, so that
/// a vector of 32 bytes is written at a time. (Writing is what takes the time.)
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::Block;

    /// # Safety
    /// The machine has AVX2; all copies of `block` stay within the arrays, which do not overlap;
    /// `from_row` is 1 and there are at least 8 rows and 16 columns.
    #[target_feature(enable = "avx2")]
    pub unsafe fn transpose16(old: *const u16, new: *mut u16, block: &Block) {
        let &Block { rows, cols, to_row, from_col, .. } = block;
        let mut r = 0;
        while r < rows {
            // The last tile of a row or column overlaps the one before.
            let row = r.min(rows - 8);
            let mut c = 0;
            while c < cols {
                let col = c.min(cols - 16);
                // SAFETY: rows row.. (8 of them) and columns col.. (16) belong to the block. Half a
                // vector is read at 8 consecutive rows of one column, which are consecutive
                // points as `from_row` is 1; a vector is written at 16 consecutive columns of one
                // row.
                unsafe {
                    let from = old.offset(block.from as isize + row as isize + col as isize * from_col);
                    let to = new.offset(block.to as isize + row as isize * to_row + col as isize);
                    let column = |c: usize| -> __m128i { _mm_loadu_si128(from.offset(c as isize * from_col).cast()) };
                    let mut v: [__m256i; 8] = std::array::from_fn(|k| {
                        let low = _mm256_castsi128_si256(column(k));
                        _mm256_inserti128_si256(low, column(k + 8), 1)
                    });
                    for _ in 0..3 {
                        let mut next = v;
                        for k in 0..4 {
                            next[2 * k] = _mm256_unpacklo_epi16(v[k], v[k + 4]);
                            next[2 * k + 1] = _mm256_unpackhi_epi16(v[k], v[k + 4]);
                        }
                        v = next;
                    }
                    for (k, x) in v.into_iter().enumerate() {
                        _mm256_storeu_si256(to.offset(k as isize * to_row).cast(), x);
                    }
                }
                c += 16;
            }
            r += 8;
        }
    }
}
