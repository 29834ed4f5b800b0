//! Finding the structure of a generator in its images.
//!
//! Applying a generator g means `new[i] = old[g[i]]`. Much is gained when the pattern has a shape:
//! a few moved points, rows that rotate, blocks that turn. The shape is found in the images alone;
//! nothing is known of the puzzle. Of the shapes that fit the cheapest is taken, by a rough count
//! of nanoseconds.

use super::images::{Cycles, Images};
use crate::perm::Perm;
use crate::perm::point::Point;

/// A contiguous stretch that rotates: `new[start + j] = old[start + (j + by) mod len]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// The first point.
    pub start: usize,
    /// How many points.
    pub len: usize,
    /// By how much, from 1 to `len - 1`.
    pub by: usize,
}

/// A rectangle of copies: for r below `rows` and c below `cols`,
/// `new[to + r * to_row + c] = old[from + r * from_row + c * from_col]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where the first row starts in the new array.
    pub to: usize,
    /// Where its content comes from in the old array.
    pub from: usize,
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub cols: usize,
    /// From a row to the next in the new array.
    pub to_row: isize,
    /// From a row to the next in the old array.
    pub from_row: isize,
    /// From a column to the next in the old array.
    pub from_col: isize,
}

/// How a generator is applied.
#[derive(Debug)]
pub enum Plan<T> {
    /// The identity.
    Nothing,
    /// In place: stretches that rotate, nothing else moves.
    Rotations(Box<[Rotation]>),
    /// In place: the moved points one by one.
    Sparse(Cycles<T>),
    /// In place, through a second array: blocks of moved points.
    MovedBlocks(Box<[Block]>),
    /// From one array to another: blocks that cover all points.
    AllBlocks(Box<[Block]>),
    /// From one array to another: point i gets what `from[i]` had.
    Dense(Images<T>),
}

/// The shapes, for tests that force one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// [`Plan::Rotations`]
    Rotations,
    /// [`Plan::Sparse`]
    Sparse,
    /// [`Plan::MovedBlocks`]
    MovedBlocks,
    /// [`Plan::AllBlocks`]
    AllBlocks,
    /// [`Plan::Dense`]
    Dense,
}

impl<T: Point> Plan<T> {
    /// The cheapest plan for `new[i] = old[g[i]]`.
    pub fn new(perm: &Perm) -> Plan<T> {
        let g = perm.images();
        let moved = g.iter().enumerate().filter(|&(i, &x)| i != x as usize).count();
        if moved == 0 {
            return Plan::Nothing;
        }
        let sparse = (Shape::Sparse, 3.0 + 0.5 * moved as f64);
        if moved <= 6 {
            return Plan::with_shape(perm, Shape::Sparse);
        }
        let size = size_of::<T>() as f64;
        let mut candidates = vec![sparse, (Shape::Dense, 0.42 * g.len() as f64)];
        if let Some(rotations) = rotations(g) {
            let cost = |r: &Rotation| 6.0 + r.len as f64 * size / 20.0;
            candidates.push((Shape::Rotations, rotations.iter().map(cost).sum()));
        }
        let blocks = blocks(g, false);
        let copy_back = |b: &Block| b.rows as f64 * (2.0 + b.cols as f64 * size / 30.0);
        let cost = blocks.iter().map(|b| cost_of(b, size) + copy_back(b)).sum();
        candidates.push((Shape::MovedBlocks, cost));
        let blocks = self::blocks(g, true);
        candidates.push((Shape::AllBlocks, blocks.iter().map(|b| cost_of(b, size)).sum()));
        candidates.sort_by(|a, b| a.1.total_cmp(&b.1));
        Plan::with_shape(perm, candidates[0].0)
    }

    /// The plan of a given shape; [`Plan::Dense`] where the shape does not fit.
    pub fn with_shape(perm: &Perm, shape: Shape) -> Plan<T> {
        let g = perm.images();
        let fits = |blocks: &[Block]| blocks.iter().all(|b| b.fits(g.len()));
        match shape {
            Shape::Rotations => {
                if let Some(rotations) = rotations(g) {
                    return Plan::Rotations(rotations.into());
                }
            }
            Shape::Sparse => return Plan::Sparse(Cycles::new(perm)),
            Shape::MovedBlocks => {
                let blocks = blocks(g, false);
                if fits(&blocks) {
                    return Plan::MovedBlocks(blocks.into());
                }
            }
            Shape::AllBlocks => {
                let blocks = blocks(g, true);
                if fits(&blocks) {
                    return Plan::AllBlocks(blocks.into());
                }
            }
            Shape::Dense => {}
        }
        // Images that are out of range do not come here; if they did, nothing would be done.
        Images::checked(g).map_or(Plan::Nothing, Plan::Dense)
    }
}

/// The generator as rotations of disjoint stretches, if that is what it is.
fn rotations(g: &[u32]) -> Option<Vec<Rotation>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut reach = 0;
    for (i, &x) in g.iter().enumerate() {
        reach = reach.max(x as usize);
        if reach > i {
            continue;
        }
        // start..=i is mapped to itself and has no shorter beginning that is.
        let stretch = &g[start..=i];
        let (len, by) = (stretch.len(), stretch[0] as usize - start);
        if len > 1 {
            let turned = (0..len).all(|j| stretch[j] as usize == start + (j + by) % len);
            if !turned {
                return None;
            }
            found.push(Rotation { start, len, by });
        }
        start = i + 1;
    }
    Some(found)
}

/// A stretch of consecutive points whose images are in arithmetic progression.
#[derive(Clone, Copy)]
struct Run {
    to: usize,
    from: usize,
    len: usize,
    step: isize,
}

/// The generator (with or without its fixed points) as rectangles of copies.
fn blocks(g: &[u32], with_fixed: bool) -> Vec<Block> {
    let mut closed: Vec<Block> = Vec::new();
    // A block stays open for as long as further rows may come; few are at any time.
    let mut open: Vec<Block> = Vec::new();
    const OPEN: usize = 16;
    for run in runs(g) {
        if run.from == run.to && run.step == 1 && !with_fixed {
            continue;
        }
        let place = open.iter().position(|b| b.takes(&run));
        match place {
            Some(k) => {
                let block = &mut open[k];
                if block.rows == 1 {
                    block.to_row = run.to as isize - block.to as isize;
                    block.from_row = run.from as isize - block.from as isize;
                }
                block.rows += 1;
            }
            None => {
                if open.len() == OPEN {
                    closed.push(open.remove(0));
                }
                open.push(Block {
                    to: run.to,
                    from: run.from,
                    rows: 1,
                    cols: run.len,
                    to_row: 0,
                    from_row: 0,
                    from_col: run.step,
                });
            }
        }
    }
    closed.append(&mut open);
    closed.into_iter().map(Block::upright).collect()
}

/// Cuts the points into runs from the left. Fixed points are kept apart from moved ones, and a
/// pair is not taken when its second point starts a longer run.
fn runs(g: &[u32]) -> Vec<Run> {
    let at = |i: usize| g[i] as isize;
    let fixed = |i: usize| g[i] as usize == i;
    let n = g.len();
    let mut runs = Vec::new();
    let mut i = 0;
    while i < n {
        let mut end = i + 1;
        let mut step = 1;
        if end < n && fixed(i) == fixed(end) {
            step = at(end) - at(i);
            while end < n && at(end) - at(end - 1) == step && fixed(end) == fixed(i) {
                end += 1;
            }
            let pair = end == i + 2;
            if pair && end + 1 < n && at(end) - at(end - 1) == at(end + 1) - at(end) {
                end = i + 1;
                step = 1;
            }
        }
        runs.push(Run { to: i, from: g[i] as usize, len: end - i, step });
        i = end;
    }
    runs
}

impl Block {
    /// Whether the run is the next row of this block.
    fn takes(&self, run: &Run) -> bool {
        if run.len != self.cols || run.step != self.from_col {
            return false;
        }
        let to = run.to as isize - self.to as isize;
        let from = run.from as isize - self.from as isize;
        if self.rows == 1 {
            // The second row fixes the distances: rows must be copied, or turned into columns.
            return run.step.abs() <= 1 || from.abs() == 1;
        }
        let rows = self.rows as isize;
        to == rows * self.to_row && from == rows * self.from_row
    }

    /// The same copies with the rows in the order in which the old array is read forward, when
    /// rows of the new array are columns of the old one.
    fn upright(self) -> Block {
        if self.from_row != -1 || self.rows < 2 {
            return self;
        }
        let last = self.rows as isize - 1;
        Block {
            to: self.to.wrapping_add_signed(last * self.to_row),
            from: self.from.wrapping_add_signed(-last),
            to_row: -self.to_row,
            from_row: 1,
            ..self
        }
    }

    /// Whether all copies stay within arrays of `n` points: it is enough to look at the corners.
    pub fn fits(&self, n: usize) -> bool {
        if self.rows == 0 || self.cols == 0 {
            return false;
        }
        let (r, c) = (self.rows as i128 - 1, self.cols as i128 - 1);
        let inside = |x: i128| (0..n as i128).contains(&x);
        [(0, 0), (0, c), (r, 0), (r, c)].into_iter().all(|(r, c)| {
            inside(self.to as i128 + r * self.to_row as i128 + c)
                && inside(self.from as i128 + r * self.from_row as i128 + c * self.from_col as i128)
        })
    }

    /// Whether rows of the new array are columns of the old one, many enough for tiles.
    pub fn is_transposition(&self) -> bool {
        self.from_row == 1 && self.from_col.abs() != 1 && self.rows >= 8 && self.cols >= 8
    }
}

/// Nanoseconds for a block of points of `size` bytes, roughly.
fn cost_of(block: &Block, size: f64) -> f64 {
    let (rows, cols) = (block.rows as f64, block.cols as f64);
    if block.is_transposition() {
        return 10.0 + rows * cols * (0.02 + 0.03 * size);
    }
    match block.from_col {
        _ if block.cols == 1 => 2.0 + 0.6 * rows,
        1 => rows * (3.0 + cols * size / 30.0),
        -1 => rows * (4.0 + cols * size / 10.0),
        _ => rows * (2.0 + 0.7 * cols),
    }
}
