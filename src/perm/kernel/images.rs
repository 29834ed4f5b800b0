//! Arrays of points as large as they, whose entries can be used as indices without a check.

use smallvec::SmallVec;

use super::plan::Plan;
use super::{Level, blocks};
use crate::perm::Perm;
use crate::perm::point::Point;
use crate::perm::power::Residues;

/// An array of n points, each below n: the images of a permutation, unless a wrong plan was
/// applied.
///
/// That entries are below n is what the `unsafe` code here rests on. It holds for the identity and
/// for checked images; everything else copies entries of arrays of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images<T>(Vec<T>);

/// A permutation that moves at most so many points is multiplied point by point.
const FEW_MOVED: usize = 16;

/// The points that a permutation moves, and their images, if they are few. Of one that moves many only the beginning is read.
fn moved_if_few(images: &[u32]) -> Option<SmallVec<[(usize, usize); FEW_MOVED]>> {
    let mut moved = SmallVec::new();
    for (chunk, start) in images.chunks(64).zip((0u32..).step_by(64)) {
        if chunk.iter().zip(start..).fold(0, |differences, (&x, i)| differences | (x ^ i)) == 0 {
            continue;
        }
        let pairs = chunk.iter().zip(start..).filter(|&(&x, i)| x != i).map(|(&x, i)| (i as usize, x as usize));
        moved.extend(pairs);
        if moved.len() > FEW_MOVED {
            return None;
        }
    }
    Some(moved)
}

impl<T: Point> Images<T> {
    /// The identity on `n` points, at most as many as the type holds.
    pub fn identity(n: usize) -> Images<T> {
        let n = n.min(usize::try_from(T::LIMIT).unwrap_or(usize::MAX));
        Images((0..n).map(T::at).collect())
    }

    /// `images` as an array, if all are below their number and fit the type.
    pub fn checked(images: &[u32]) -> Option<Images<T>> {
        let n = images.len();
        if n as u64 > T::LIMIT || images.iter().any(|&x| x as usize >= n) {
            return None;
        }
        Some(Images(images.iter().map(|&x| T::at(x as usize)).collect()))
    }

    /// The entries in order.
    pub fn points(&self) -> &[T] {
        &self.0
    }

    /// Makes this the identity again.
    pub fn reset(&mut self) {
        self.0.iter_mut().enumerate().for_each(|(i, x)| *x = T::at(i));
    }

    /// Makes this the product of `index` and `table`, left to right: `table[index[i]]`. Does
    /// nothing if the lengths differ.
    pub fn set_product(&mut self, index: &Images<T>, table: &Images<T>) {
        if index.0.len() == self.0.len() && table.0.len() == self.0.len() {
            for (x, i) in self.0.iter_mut().zip(&index.0) {
                // SAFETY: an entry of `index` is below its length, which is that of `table`.
                *x = unsafe { *table.0.get_unchecked(i.index()) };
            }
        }
    }

    /// Makes this the inverse of `other`. Does nothing if the lengths differ.
    pub fn set_inverse(&mut self, other: &Images<T>) {
        if other.0.len() == self.0.len() {
            for (i, x) in other.0.iter().enumerate() {
                // SAFETY: an entry of `other` is below its length, which is that of this array.
                // (And i, which is written, is below it too.)
                unsafe { *self.0.get_unchecked_mut(x.index()) = T::at(i) };
            }
        }
    }

    /// Makes this the commutator `a b a' b'`; the content of `undo` is lost. Does nothing if the
    /// lengths differ.
    pub fn set_commutator(&mut self, a: &Images<T>, b: &Images<T>, undo: &mut Images<T>) {
        let n = self.0.len();
        if a.0.len() != n || b.0.len() != n || undo.0.len() != n {
            return;
        }
        // (a b)(b a)': one inverse instead of two, and no products are written down.
        for (i, x) in b.0.iter().enumerate() {
            // SAFETY: all entries are below the common length.
            unsafe {
                let y = *a.0.get_unchecked(x.index());
                *undo.0.get_unchecked_mut(y.index()) = T::at(i);
            }
        }
        self.set_chain(a, b, undo);
    }

    /// Makes this the conjugate `a b a'`; the content of `undo` is lost. Does nothing if the
    /// lengths differ.
    pub fn set_conjugate(&mut self, a: &Images<T>, b: &Images<T>, undo: &mut Images<T>) {
        undo.set_inverse(a);
        self.set_chain(a, b, undo);
    }

    /// Makes this the product a b c.
    fn set_chain(&mut self, a: &Images<T>, b: &Images<T>, c: &Images<T>) {
        let n = self.0.len();
        if a.0.len() != n || b.0.len() != n || c.0.len() != n {
            return;
        }
        for (out, x) in self.0.iter_mut().zip(&a.0) {
            // SAFETY: all entries are below the common length.
            *out = unsafe {
                let y = *b.0.get_unchecked(x.index());
                *c.0.get_unchecked(y.index())
            };
        }
    }

    /// Multiplies on the left by a permutation, or by its inverse. The permutation's entries are
    /// checked one by one.
    pub fn multiply_perm(&mut self, left: &Perm, inverted: bool, other: &mut Images<T>) {
        if other.0.len() != self.0.len() {
            return;
        }
        if let Some(moved) = moved_if_few(left.images()) {
            let moved = moved.into_iter().map(|(i, x)| if inverted { (x, i) } else { (i, x) });
            let new: SmallVec<[(usize, Option<T>); FEW_MOVED]> =
                moved.map(|(to, from)| (to, self.0.get(from).copied())).collect();
            for (to, value) in new {
                if let (Some(place), Some(value)) = (self.0.get_mut(to), value) {
                    *place = value;
                }
            }
            return;
        }
        other.0.copy_from_slice(&self.0);
        if inverted {
            for (&x, &y) in left.images().iter().zip(&self.0) {
                if let Some(place) = other.0.get_mut(x as usize) {
                    *place = y;
                }
            }
        } else {
            for (place, &x) in other.0.iter_mut().zip(left.images()) {
                if let Some(&y) = self.0.get(x as usize) {
                    *place = y;
                }
            }
        }
        std::mem::swap(self, other);
    }

    /// Writes the power of this permutation over an identity of the same length: the way of
    /// [`power_along_cycles`](crate::perm::power::power_along_cycles) without checks of indices.
    /// The content of `cycle` is lost. Does nothing if the lengths differ.
    pub fn write_power(&self, residues: &mut Residues<'_>, power: &mut Images<T>, cycle: &mut Images<T>) {
        let n = self.0.len();
        if power.0.len() != n || cycle.0.len() != n {
            return;
        }
        let cycle = &mut cycle.0[..];
        let mut seen = vec![false; n];
        // Cycles of one length tend to come one after another.
        let (mut last_length, mut turn) = (0, 0);
        for start in 0..n {
            if seen[start] || self.0[start].index() == start {
                continue;
            }
            // The walk waits for one image after another, so nothing else is done on the way.
            let mut length = 0;
            let mut at = start;
            while length < n {
                // SAFETY: `length` is below n, and so is `at`, which is `start` or an entry.
                unsafe {
                    *cycle.get_unchecked_mut(length) = T::at(at);
                    at = self.0.get_unchecked(at).index();
                }
                length += 1;
                if at == start {
                    break;
                }
            }
            if length != last_length {
                turn = residues.modulo(length);
                last_length = length;
            }
            let (head, tail) = cycle[..length].split_at(length - turn);
            for (k, from) in head.iter().enumerate() {
                // SAFETY: k + turn is below `length`, and what stands in `cycle` was below n when
                // it was put there.
                unsafe {
                    let to = *cycle.get_unchecked(k + turn);
                    *power.0.get_unchecked_mut(from.index()) = to;
                    *seen.get_unchecked_mut(from.index()) = true;
                }
            }
            for (from, &to) in tail.iter().zip(&*cycle) {
                // SAFETY: as above.
                unsafe {
                    *power.0.get_unchecked_mut(from.index()) = to;
                    *seen.get_unchecked_mut(from.index()) = true;
                }
            }
        }
    }

    /// Multiplies on the left by a letter, `new[i] = old[g[i]]`. The content of `other`, of the same
    /// length, is lost.
    pub fn apply(&mut self, plan: &Plan<T>, other: &mut Images<T>, level: Level) {
        if other.0.len() != self.0.len() {
            return;
        }
        let (value, other_value) = (&mut self.0[..], &mut other.0[..]);
        match plan {
            Plan::Nothing => {}
            Plan::Rotations(rotations) => {
                for r in rotations {
                    if let Some(stretch) = value.get_mut(r.start..r.start + r.len) {
                        rotate_left(stretch, r.by);
                    }
                }
            }
            Plan::Sparse(cycles) => cycles.apply(value),
            Plan::MovedBlocks(list) => {
                list.iter().for_each(|b| blocks::copy(value, other_value, b, level));
                list.iter().for_each(|b| blocks::copy_rows(other_value, value, b));
            }
            Plan::AllBlocks(list) => {
                list.iter().for_each(|b| blocks::copy(value, other_value, b, level));
                std::mem::swap(self, other);
            }
            Plan::Dense(from) => {
                other.set_product(from, self);
                std::mem::swap(self, other);
            }
        }
    }
}

/// Rotates a stretch; one of 16 or 8 bytes, a row of a small board, as one machine integer.
#[inline]
fn rotate_left<T: Point>(stretch: &mut [T], by: usize) {
    let bits = (8 * size_of::<T>() * by) as u32;
    let start = stretch.as_mut_ptr();
    // SAFETY: the integer that is read and written, without alignment, is the whole stretch; its
    // parts are moved as wholes, so they remain values of T. On a little-endian machine the first
    // point is the lowest part.
    match size_of_val(stretch) {
        16 if cfg!(target_endian = "little") => unsafe {
            let whole = start.cast::<u128>();
            whole.write_unaligned(whole.read_unaligned().rotate_right(bits));
        },
        8 if cfg!(target_endian = "little") => unsafe {
            let whole = start.cast::<u64>();
            whole.write_unaligned(whole.read_unaligned().rotate_right(bits));
        },
        _ => stretch.rotate_left(by.min(stretch.len())),
    }
}

/// A sparse letter: its cycles, one after another.
#[derive(Debug)]
pub struct Cycles<T> {
    points: Box<[T]>,
    /// Where each cycle ends in `points`.
    ends: Box<[u32]>,
    /// Above every point named.
    limit: usize,
}

impl<T: Point> Cycles<T> {
    /// The cycles of a permutation that fits the type.
    pub fn new(perm: &Perm) -> Cycles<T> {
        let mut points = Vec::new();
        let mut ends = Vec::new();
        for cycle in perm.cycles() {
            points.extend(cycle.iter().map(|&x| T::at(x as usize)));
            ends.push(points.len() as u32);
        }
        let limit = points.iter().map(|x| x.index() + 1).max().unwrap_or(0);
        Cycles { points: points.into(), ends: ends.into(), limit }
    }

    /// `new[i] = old[g[i]]` in place: along a cycle each point takes what the next one has.
    fn apply(&self, value: &mut [T]) {
        if value.len() < self.limit {
            return;
        }
        let mut start = 0;
        for &end in &self.ends {
            let Some([first, rest @ ..]) = self.points.get(start..end as usize) else {
                return;
            };
            start = end as usize;
            // SAFETY: every point named is below `limit`, which is not above the length.
            unsafe {
                let held = *value.get_unchecked(first.index());
                let mut hole = first.index();
                for x in rest {
                    *value.get_unchecked_mut(hole) = *value.get_unchecked(x.index());
                    hole = x.index();
                }
                *value.get_unchecked_mut(hole) = held;
            }
        }
    }
}
