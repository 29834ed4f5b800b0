//! Which tiles share a table.

use super::board::Board;
use super::numbers::MOST_TILES;
use super::table::{bytes, entries, scratch_bytes};
use crate::random::Random;

/// So many times a partition is improved from a random one.
const STARTS: usize = 64;
/// What it is worth that two tiles of a group are so many steps apart at home.
const WORTH: [u64; 5] = [0, 100, 12, 3, 1];

/// Sizes of groups with as many tiles as the largest may have.
pub(super) fn sizes(tiles: usize, largest: usize) -> Vec<usize> {
    let mut sizes = vec![largest; tiles / largest];
    if !tiles.is_multiple_of(largest) {
        sizes.push(tiles % largest);
    }
    sizes
}

/// How many bytes tables of these sizes take while they are made, about.
pub(super) fn memory(cells: usize, sizes: &[usize]) -> u64 {
    let kept = sizes.iter().map(|size| bytes(cells, *size)).fold(0, u64::saturating_add);
    kept.saturating_add(sizes.iter().map(|size| scratch_bytes(cells, *size)).max().unwrap_or(0))
}

/// How many entries tables of these sizes have.
pub(super) fn work(cells: usize, sizes: &[usize]) -> u64 {
    sizes.iter().map(|size| entries(cells, *size)).fold(0, u64::saturating_add)
}

/// The largest groups whose tables fit into a memory, if groups of one tile do.
pub(super) fn largest(cells: usize, most_memory: u64) -> Option<usize> {
    let tiles = cells - 1;
    (1..=MOST_TILES.min(tiles)).rev().find(|largest| memory(cells, &sizes(tiles, *largest)) <= most_memory)
}

/// Groups of tiles, by their homes, of such sizes: tiles near each other are together.
///
/// A table knows how its own tiles stand in each other's way, so many neighbours should be in one group. Pairs of tiles change groups
/// as long as that is better, from random beginnings; the best that is found is taken.
pub(super) fn groups(board: &Board, sizes: &[usize]) -> Vec<Vec<usize>> {
    let tiles: Vec<usize> = (0..board.len()).filter(|cell| *cell != board.home).collect();
    let worth = |a: usize, b: usize| WORTH.get(board.distance(a, b) as usize).copied().unwrap_or(0);
    let mut random = Random::new(1);
    let mut best: Option<(u64, Vec<usize>)> = None;
    let labels: Vec<usize> = sizes.iter().enumerate().flat_map(|(group, size)| vec![group; *size]).collect();
    for _ in 0..STARTS {
        let mut group = labels.clone();
        (1..group.len()).for_each(|i| group.swap(i, random.index(i + 1)));
        // what a tile is worth in a group, itself left out
        let pull = |group: &[usize], tile: usize, to: usize, without: usize| -> u64 {
            let others = (0..tiles.len()).filter(|other| group[*other] == to && *other != tile && *other != without);
            others.map(|other| worth(tiles[tile], tiles[other])).sum()
        };
        let mut better = true;
        while std::mem::take(&mut better) {
            for a in 0..tiles.len() {
                for b in 0..a {
                    let (to_a, to_b) = (group[a], group[b]);
                    let before = pull(&group, a, to_a, b) + pull(&group, b, to_b, a);
                    let after = pull(&group, a, to_b, b) + pull(&group, b, to_a, a);
                    if to_a != to_b && after > before {
                        group.swap(a, b);
                        better = true;
                    }
                }
            }
        }
        let all: u64 = (0..tiles.len()).map(|tile| pull(&group, tile, group[tile], tile)).sum();
        if best.as_ref().is_none_or(|(most, _)| all > *most) {
            best = Some((all, group));
        }
    }
    let group = best.map(|(_, group)| group).unwrap_or(labels);
    let of = |number: usize| {
        tiles.iter().zip(&group).filter(|(_, group)| **group == number).map(|(tile, _)| *tile).collect()
    };
    (0..sizes.len()).map(of).collect()
}
