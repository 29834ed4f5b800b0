//! An arrangement of tiles that moves change.

use super::sliding::{Slides, Step};
use crate::perm::Perm;
use crate::word::Letter;

/// Tiles on cells; tile t belongs to cell t. Numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// the tile in each cell
    contents: Vec<u32>,
    /// the cell of each tile
    places: Vec<u32>,
}

impl Board {
    /// The arrangement to which a permutation leads from the solved one.
    pub fn new(perm: &Perm) -> Board {
        let places: Vec<u32> = (0..perm.degree() as u32).map(|tile| perm.image(tile)).collect();
        let mut contents = vec![0; places.len()];
        for (tile, cell) in places.iter().enumerate() {
            contents[*cell as usize] = tile as u32;
        }
        Board { contents, places }
    }

    /// The cell of a tile.
    pub fn place(&self, tile: u32) -> u32 {
        self.places[tile as usize]
    }

    /// The tile in a cell.
    pub fn tile(&self, cell: u32) -> u32 {
        self.contents[cell as usize]
    }

    /// The permutation that leads from the solved arrangement to this one. Linear.
    pub fn perm(&self) -> Perm {
        // the places are a permutation from the beginning
        Perm::from_images(self.places.clone()).unwrap_or_else(|_| Perm::identity(self.places.len()))
    }

    /// Sends the content of each cell where a permutation says. Linear in the cells.
    pub fn apply(&mut self, perm: &Perm) {
        for place in &mut self.places {
            *place = perm.image(*place);
        }
        for (tile, cell) in self.places.iter().enumerate() {
            self.contents[*cell as usize] = tile as u32;
        }
    }

    /// Performs a letter of a puzzle with a blank, which is at `blank`; says where the blank is then. `None`, and nothing
    /// is done, where the letter is impossible. Linear in the path.
    pub fn slide(&mut self, sliding: &Slides, letter: Letter, blank: u32) -> Option<u32> {
        let path = match sliding.step(letter, blank)? {
            Step::Walk(path) => path,
            Step::Turn { perm, .. } if letter.is_inverse() => {
                self.apply(&perm.inverse());
                return sliding.target(letter, blank);
            }
            Step::Turn { to, perm } => {
                self.apply(perm);
                return Some(*to);
            }
        };
        if letter.is_inverse() {
            let to = sliding.target(letter, blank)?;
            let mut at = blank;
            for cell in path.iter().rev().skip(1).copied().chain([to]) {
                self.swap(at, cell);
                at = cell;
            }
            return Some(to);
        }
        let mut at = blank;
        for cell in path.iter() {
            self.swap(at, *cell);
            at = *cell;
        }
        Some(at)
    }

    /// Performs a letter where nothing depends on a blank. Linear in the cells that move.
    pub fn turn(&mut self, moved: &[(u32, u32)]) {
        let tiles: smallvec::SmallVec<[u32; 64]> =
            moved.iter().map(|(from, _)| self.contents[*from as usize]).collect();
        for (tile, (_, to)) in tiles.iter().zip(moved) {
            self.contents[*to as usize] = *tile;
            self.places[*tile as usize] = *to;
        }
    }

    fn swap(&mut self, a: u32, b: u32) {
        self.contents.swap(a as usize, b as usize);
        let (x, y) = (self.contents[a as usize], self.contents[b as usize]);
        (self.places[x as usize], self.places[y as usize]) = (a, b);
    }
}
