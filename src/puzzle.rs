//! The geometry of a puzzle: its cells, their numbers, and generators from where each cell goes.

pub mod board;
pub mod sliding;

use rustc_hash::FxHashMap;

use crate::perm::{NotABijection, Perm};

/// Most coordinates that a cell can have.
pub const MAX_COORDINATES: usize = 16;

/// The cells of one puzzle instance, numbered from 0 in order of declaration.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// coordinates of a cell; 1 for plain integers
    width: usize,
    /// cells are plain integers, not tuples
    plain: bool,
    /// coordinates of all cells, one cell after another
    coordinates: Vec<i64>,
    /// least value and number of values of each coordinate, if the box around the cells is small enough for a table
    bounds: Vec<(i64, usize)>,
    /// number + 1 of each place of that box, 0 where there is no cell
    table: Vec<u32>,
    /// else: number by coordinates
    index: FxHashMap<Box<[i64]>, u32>,
}

/// Why a list of cells cannot be the cells of a puzzle; the number is the place in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadCells {
    /// another kind of cell than the first
    Mixed(usize),
    Repeated(usize),
    TooMany,
}

impl Cells {
    /// Cells from their coordinates; `plain` for integers (each list then has one entry).
    /// Cost: linear, with a table if the box around the cells is not much larger than their number.
    pub fn new(plain: bool, list: &[Vec<i64>]) -> Result<Cells, BadCells> {
        let width = list.first().map_or(1, Vec::len);
        if list.len() >= u32::MAX as usize {
            return Err(BadCells::TooMany);
        }
        if let Some(odd) = list.iter().position(|cell| cell.len() != width) {
            return Err(BadCells::Mixed(odd));
        }
        let mut cells = Cells { width, plain, ..Cells::default() };
        cells.coordinates = list.iter().flatten().copied().collect();
        let bounds: Vec<(i64, i128)> = (0..width)
            .map(|axis| {
                let values = list.iter().map(|cell| cell[axis]);
                let least = values.clone().min().unwrap_or(0);
                (least, i128::from(values.max().unwrap_or(0)) - i128::from(least) + 1)
            })
            .collect();
        let volume = bounds.iter().try_fold(1i128, |volume, (_, size)| volume.checked_mul(*size));
        if let Some(volume) = volume.filter(|volume| *volume <= 64 + 16 * list.len() as i128) {
            cells.bounds = bounds.iter().map(|(least, size)| (*least, *size as usize)).collect();
            cells.table = vec![0; volume as usize];
        }
        for (number, cell) in list.iter().enumerate() {
            let entry = number as u32 + 1;
            let before = match cells.place(cell) {
                Some(place) => std::mem::replace(&mut cells.table[place], entry),
                None => cells.index.insert(cell.as_slice().into(), entry).unwrap_or(0),
            };
            if before != 0 {
                return Err(BadCells::Repeated(number));
            }
        }
        Ok(cells)
    }

    fn place(&self, cell: &[i64]) -> Option<usize> {
        if self.table.is_empty() || cell.len() != self.width {
            return None;
        }
        let mut place = 0;
        for (value, (least, size)) in cell.iter().zip(&self.bounds) {
            let offset = value.checked_sub(*least).filter(|offset| (0..*size as i64).contains(offset))?;
            place = place * size + offset as usize;
        }
        Some(place)
    }

    pub fn len(&self) -> usize {
        self.coordinates.len().checked_div(self.width).unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// Cells are integers, not tuples.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// How many coordinates a cell has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number (from 0) of the cell with these coordinates.
    pub fn number(&self, cell: &[i64]) -> Option<u32> {
        if self.table.is_empty() {
            return self.index.get(cell).map(|entry| entry - 1);
        }
        self.place(cell).and_then(|place| self.table[place].checked_sub(1))
    }

    /// The coordinates of a cell by its number from 0.
    pub fn coordinates(&self, number: u32) -> &[i64] {
        let start = number as usize * self.width;
        self.coordinates.get(start..start + self.width).unwrap_or(&[])
    }

    /// Rows and columns of a board with two coordinates: the least and the largest of each. `None` for other boards.
    pub fn board(&self) -> Option<[(i64, i64); 2]> {
        if self.plain || self.width != 2 || self.is_empty() {
            return None;
        }
        let range = |axis: usize| {
            let values = self.coordinates.iter().skip(axis).step_by(2).copied();
            Some((values.clone().min()?, values.max()?))
        };
        Some([range(0)?, range(1)?])
    }

    /// The permutation of the cells that a map of coordinates makes, if it is one: for relabelling a board.
    pub fn relabelling(&self, map: impl Fn(&[i64]) -> Vec<i64>) -> Option<Perm> {
        let images = (0..self.len() as u32)
            .map(|cell| self.number(&map(self.coordinates(cell))))
            .collect::<Option<Vec<u32>>>()?;
        generator(images).ok()
    }
}

/// A generator from the image of each cell.
pub fn generator(images: Vec<u32>) -> Result<Perm, NotABijection> {
    Perm::from_images(images)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_in_order_and_found_again() {
        let dense: Vec<Vec<i64>> = (1..=3).flat_map(|i| (1..=4).map(move |j| vec![i, j])).collect();
        let sparse: Vec<Vec<i64>> = (0..5).map(|i| vec![i * 1_000_000, -i]).collect();
        for list in [dense, sparse] {
            let cells = Cells::new(false, &list).unwrap();
            for (number, cell) in list.iter().enumerate() {
                assert_eq!(cells.number(cell), Some(number as u32));
                assert_eq!(cells.coordinates(number as u32), cell.as_slice());
            }
            assert_eq!(cells.number(&[9, 9]), None);
            assert_eq!(cells.number(&[i64::MIN, i64::MAX]), None);
        }
        assert_eq!(Cells::new(true, &[vec![1], vec![1]]).err(), Some(BadCells::Repeated(1)));
        assert_eq!(Cells::new(false, &[vec![1, 1], vec![1]]).err(), Some(BadCells::Mixed(1)));
    }
}
