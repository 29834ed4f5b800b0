//! Short words: the moves as rows of bytes, the tables over them, and the way back to words.

use std::sync::Arc;

use super::ball::{Code, Row, identity};
use super::tables::Tables;
use crate::group::{Done, Work};
use crate::perm::Perm;
use crate::word::{Alphabet, Letter, Word};

/// Tables for the points that the moves move.
pub(super) struct ShortWords {
    /// The generators that are used, by code / 2.
    generators: Vec<usize>,
    /// The cells that are moved; the tables number them from 0.
    points: Vec<u32>,
    tables: Size,
}

/// Up to 64 points or up to 256.
enum Size {
    Small(Tables<64>),
    Large(Tables<256>),
}

impl ShortWords {
    /// `None` for more than 256 moved points or more than 127 moves.
    pub fn new(alphabet: &Arc<Alphabet>, letters: &[usize], work: Work<'_>) -> Done<Option<ShortWords>> {
        let mut perms: Vec<(usize, &Perm)> = Vec::new();
        for &generator in letters {
            let Some(perm) = alphabet.perm(generator) else { continue };
            if !perm.is_identity() && perms.iter().all(|(_, other)| *other != perm) {
                perms.push((generator, perm));
            }
        }
        let points: Vec<u32> = (0..alphabet.degree() as u32)
            .filter(|&point| perms.iter().any(|(_, perm)| perm.image(point) != point))
            .collect();
        if points.len() > 256 || perms.len() > 127 || points.is_empty() {
            return Ok(None);
        }
        let tables = match points.len() {
            0..=64 => Size::Small(Tables::new(points.len(), rows(&points, &perms), work)?),
            _ => Size::Large(Tables::new(points.len(), rows(&points, &perms), work)?),
        };
        Ok(Some(ShortWords { generators: perms.iter().map(|pair| pair.0).collect(), points, tables }))
    }

    /// A word, unless the tables have none. It has not been evaluated.
    pub fn factor(&self, alphabet: &Arc<Alphabet>, target: &Perm, work: Work<'_>) -> Done<Option<Word>> {
        let codes = match &self.tables {
            Size::Small(tables) => match row(&self.points, target) {
                Some(row) => tables.factor(&row, work)?,
                None => None,
            },
            Size::Large(tables) => match row(&self.points, target) {
                Some(row) => tables.factor(&row, work)?,
                None => None,
            },
        };
        let Some(codes) = codes else { return Ok(None) };
        let letter = |code: Code| Letter::new(self.generators[usize::from(code / 2)], code % 2 == 1);
        Ok(Word::letters(alphabet, codes.into_iter().map(letter).collect()).ok())
    }
}

/// Each move, forward and backward.
fn rows<const N: usize>(points: &[u32], perms: &[(usize, &Perm)]) -> Vec<Row<N>> {
    let both = perms.iter().flat_map(|(_, perm)| [(*perm).clone(), perm.inverse()]);
    both.filter_map(|perm| row(points, &perm)).collect()
}

/// A permutation of the points by their numbers; `None` if it moves others.
fn row<const N: usize>(points: &[u32], perm: &Perm) -> Option<Row<N>> {
    let mut row = identity();
    for (slot, &point) in row.iter_mut().zip(points) {
        *slot = points.binary_search(&perm.image(point)).ok()? as u8;
    }
    let moved = (0..perm.degree() as u32).filter(|&point| perm.image(point) != point);
    moved.map(|point| points.binary_search(&point)).all(|found| found.is_ok()).then_some(row)
}
