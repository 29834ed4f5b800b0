//! The table of one group of tiles: how many moves of these tiles bring them home, whatever the others do.
//!
//! With the tiles of the group on a set of cells, the blank is somewhere in the rest of the board, and walks within its *region*, a connected
//! part of the rest, without a move of these tiles. So breadth-first search goes over triples: set, region, order of the tiles on the set. All orders with the same set
//! and region are a row of bits, and a move of a tile takes whole rows to rows by a turn. A row is made from the rows that lead to it, so it has one writer.
//!
//! What is kept is the least number over the regions, less the distances that the tiles have to go anyway, in half a byte. On a board in
//! two colours that difference is even, so it counts pairs of moves. Larger differences than 15 are kept as 15, which is still a lower bound.

use rayon::prelude::*;

use super::board::Board;
use super::numbers::{Orders, SAME, Sets, binomial, lists};
use crate::group::{Done, Work};

/// The largest difference that is kept.
const MOST: u8 = 15;
/// So many sets are done by one thread at a time.
const PIECE: usize = 16;

/// Lower bounds for a group of tiles.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// the home cells of the tiles
    pub tiles: Vec<usize>,
    pub sets: Sets,
    pub orders: Orders,
    /// two numbers a byte, by set and order
    halves: Vec<u8>,
}

/// How many bytes a table keeps.
pub(super) fn bytes(cells: usize, tiles: usize) -> u64 {
    entries(cells, tiles).div_ceil(2)
}

/// In how many ways some tiles can lie.
pub(super) fn entries(cells: usize, tiles: usize) -> u64 {
    (0..tiles.min(cells)).fold(1u64, |product, tile| product.saturating_mul((cells - tile) as u64))
}

impl Table {
    /// Fills the table of the tiles with some home cells, on all threads. Costs a few nanoseconds for each way in which they can lie, and takes
    /// a byte or two for it meanwhile.
    pub fn new(board: &Board, tiles: &[usize], work: Work<'_>) -> Done<Table> {
        let mut tiles = tiles.to_vec();
        tiles.sort_unstable();
        let (sets, orders) = (Sets::new(board.len(), tiles.len()), Orders::new(tiles.len()));
        let halves = {
            let rows = Rows::new(board, &sets, &orders);
            work.charge((rows.sources.len() + sets.count * board.len()) as u64)?;
            Filling::new(board, &tiles, &rows, &orders).fill(work)?
        };
        Ok(Table { tiles, sets, orders, halves })
    }

    /// What is kept for a set, by number, and an order.
    #[inline(always)]
    pub fn get(&self, set: u32, order: u32) -> u32 {
        let entry = set as usize * self.orders.count + order as usize;
        u32::from(self.halves[entry / 2] >> (entry % 2 * 4) & MOST)
    }
}

/// Where rows lead.
struct Rows {
    masks: Vec<u64>,
    /// the first row of each set, and the end
    first: Vec<u32>,
    /// for each row, where its sources begin, and the end
    begin: Vec<u32>,
    /// rows that lead to a row, each with the turn from there
    sources: Vec<(u32, u32)>,
    /// for each set and cell, the region of the cell
    region: Vec<u8>,
    cells: usize,
}

impl Rows {
    fn new(board: &Board, sets: &Sets, orders: &Orders) -> Rows {
        let cells = board.len();
        let masks: Vec<u64> = sets.masks().collect();
        let (mut first, mut region) = (vec![0u32], vec![u8::MAX; masks.len() * cells]);
        for (mask, region) in masks.iter().zip(region.chunks_exact_mut(cells)) {
            let count = regions(board, *mask, region);
            first.push(first[first.len() - 1] + count);
        }
        let mut rows = Rows { masks, first, begin: vec![0], sources: Vec::new(), region, cells };
        for set in 0..rows.masks.len() {
            let mask = rows.masks[set];
            for here in 0..(rows.first[set + 1] - rows.first[set]) as u8 {
                // a tile came from the blank's cell in another row, where the blank was in the cell of the tile
                for step in &board.steps {
                    if rows.region[set * cells + step.from] != here || mask >> step.to & 1 == 0 {
                        continue;
                    }
                    let before = mask ^ 1 << step.from ^ 1 << step.to;
                    let below = |mask: u64, cell: usize| (mask & ((1 << cell) - 1)).count_ones() as usize;
                    let turn = orders.turn(below(before, step.from), below(mask, step.to));
                    rows.sources.push((rows.row(sets.number(before) as usize, step.to), turn));
                }
                rows.begin.push(rows.sources.len() as u32);
            }
        }
        rows
    }

    /// The row of a set and the region of a cell that is not in it.
    fn row(&self, set: usize, cell: usize) -> u32 {
        self.first[set] + u32::from(self.region[set * self.cells + cell])
    }

    fn of_set(&self, set: usize) -> std::ops::Range<usize> {
        self.first[set] as usize..self.first[set + 1] as usize
    }

    fn sources(&self, row: usize) -> &[(u32, u32)] {
        &self.sources[self.begin[row] as usize..self.begin[row + 1] as usize]
    }
}

/// Numbers the connected parts of what is not in a set; gives how many there are.
fn regions(board: &Board, mask: u64, region: &mut [u8]) -> u32 {
    let mut count = 0;
    for start in 0..board.len() {
        if mask >> start & 1 != 0 || region[start] != u8::MAX {
            continue;
        }
        let mut part = 1u64 << start;
        let mut fresh = part;
        while fresh != 0 {
            let cell = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            region[cell] = count;
            for step in board.from(cell) {
                let bit = 1 << step.to & !mask & !part;
                part |= bit;
                fresh |= bit;
            }
        }
        count += 1;
    }
    u32::from(count)
}

/// A table that is being filled, layer by layer.
struct Filling<'a> {
    rows: &'a Rows,
    orders: &'a Orders,
    sums: Sums<'a>,
    /// words in a row, bytes in the part of a set
    words: usize,
    unit: u32,
    seen: Vec<u64>,
    layer: Vec<u64>,
    next: Vec<u64>,
    counts: Vec<u32>,
    next_counts: Vec<u32>,
    halves: Vec<u8>,
}

/// The part of a filling that belongs to some sets.
struct Piece<'a> {
    sets: std::ops::Range<usize>,
    seen: &'a mut [u64],
    next: &'a mut [u64],
    counts: &'a mut [u32],
    /// one more byte at the end may be shared with no other piece: pieces have even numbers of sets
    halves: &'a mut [u8],
}

impl<'a> Filling<'a> {
    fn new(board: &'a Board, tiles: &'a [usize], rows: &'a Rows, orders: &'a Orders) -> Filling<'a> {
        let words = orders.count.div_ceil(64);
        let count = rows.begin.len() - 1;
        let home = tiles.iter().fold(0u64, |mask, cell| mask | 1 << cell);
        let set = rows.masks.partition_point(|mask| *mask < home);
        let start = rows.row(set, board.home) as usize;
        let mut filling = Filling {
            rows,
            orders,
            sums: Sums::new(board, tiles),
            words,
            unit: if board.bipartite { 2 } else { 1 },
            seen: vec![0; count * words],
            layer: vec![0; count * words],
            next: vec![0; count * words],
            counts: vec![0; count],
            next_counts: vec![0; count],
            halves: vec![MOST << 4 | MOST; (rows.masks.len() * orders.count).div_ceil(2)],
        };
        filling.seen[start * words] = 1;
        filling.layer[start * words] = 1;
        filling.counts[start] = 1;
        let at = set * orders.count;
        filling.halves[at / 2] &= !(MOST << (at % 2 * 4));
        filling
    }

    fn fill(mut self, work: Work<'_>) -> Done<Vec<u8>> {
        let mut depth = 0;
        loop {
            depth += 1;
            if self.advance(depth, work)? == 0 {
                return Ok(self.halves);
            }
            std::mem::swap(&mut self.layer, &mut self.next);
            std::mem::swap(&mut self.counts, &mut self.next_counts);
        }
    }

    /// Makes the next layer from this one. Gives its size.
    fn advance(&mut self, depth: u32, work: Work<'_>) -> Done<u64> {
        let (rows, orders, words, unit) = (self.rows, self.orders, self.words, self.unit);
        let (layer, counts, sums) = (&self.layer, &self.counts, &self.sums);
        let mut pieces = Vec::new();
        let (mut seen, mut next, mut next_counts, mut halves) =
            (&mut self.seen[..], &mut self.next[..], &mut self.next_counts[..], &mut self.halves[..]);
        for from in (0..rows.masks.len()).step_by(PIECE) {
            let sets = from..(from + PIECE).min(rows.masks.len());
            let count = (rows.first[sets.end] - rows.first[sets.start]) as usize;
            let bytes = (sets.len() * orders.count).div_ceil(2);
            pieces.push(Piece {
                sets,
                seen: seen.split_off_mut(..count * words).unwrap_or_default(),
                next: next.split_off_mut(..count * words).unwrap_or_default(),
                counts: next_counts.split_off_mut(..count).unwrap_or_default(),
                halves: halves.split_off_mut(..bytes).unwrap_or_default(),
            });
        }
        let made = pieces.into_par_iter().map_init(
            || Scratch::new(sums),
            |scratch, piece| {
                let Piece { sets, seen, next, counts: next_counts, halves } = piece;
                let first = rows.first[sets.start] as usize;
                let (mut found, mut cost) = (0, 0);
                for set in sets.clone() {
                    let begun = found;
                    for row in rows.of_set(set) {
                        let at = (row - first) * words..(row - first + 1) * words;
                        let (seen, next) = (&mut seen[at.clone()], &mut next[at]);
                        let sources = rows.sources(row).iter().map(|(source, turn)| (*source as usize, *turn));
                        let mut any = false;
                        for (source, turn) in sources.filter(|(source, _)| counts[*source] > 0) {
                            any = true;
                            cost += u64::from(counts[source]);
                            pull(&mut scratch.row, &layer[source * words..][..words], turn, orders);
                        }
                        let old = &mut next_counts[row - first];
                        if !any {
                            if std::mem::take(old) > 0 {
                                // what was there two layers ago
                                next.fill(0);
                            }
                            continue;
                        }
                        let mut count = 0;
                        for ((next, seen), made) in next.iter_mut().zip(seen).zip(scratch.row.iter_mut()) {
                            *next = std::mem::take(made) & !*seen;
                            *seen |= *next;
                            count += next.count_ones();
                        }
                        *old = count;
                        found += u64::from(count);
                    }
                    let few = ((found - begun) as usize) < scratch.heads.len();
                    for row in rows.of_set(set).filter(|row| next_counts[row - first] > 0) {
                        scratch.prepare(rows.masks[set], sums, few);
                        let at = (set - sets.start) * orders.count;
                        let row = &next[(row - first) * words..][..words];
                        ones(row, |order| {
                            let half = &mut halves[(at + order) / 2];
                            let shift = (at + order) % 2 * 4;
                            if *half >> shift & MOST == MOST {
                                let more = (depth - scratch.sum(sums, order, few)) / unit;
                                let more = more.min(u32::from(MOST)) as u8;
                                *half ^= (MOST ^ more) << shift;
                            }
                        });
                    }
                }
                work.charge(1 + cost / 8)?;
                Ok(found)
            },
        );
        made.try_reduce(|| 0, |a, b| Ok(a + b))
    }
}

/// Adds the images of the bits of a row under a turn to another row.
#[inline]
fn pull(next: &mut [u64; 1024], row: &[u64], turn: u32, orders: &Orders) {
    if turn == SAME {
        next.iter_mut().zip(row).for_each(|(next, word)| *next |= word);
        return;
    }
    for (word, images) in row.iter().zip(orders.images(turn)) {
        let mut rest = *word;
        while rest != 0 {
            let image = images[rest.trailing_zeros() as usize % 64];
            next[usize::from(image / 64)] |= 1 << (image % 64);
            rest &= rest - 1;
        }
    }
}

/// Calls `each` with the numbers of the bits that are set.
#[inline(always)]
fn ones(row: &[u64], mut each: impl FnMut(usize)) {
    for (place, word) in row.iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            each(place * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// The sum of the distances of all tiles from home, for all orders on a set.
///
/// A list of tiles is a beginning, of half the length, and an end: with both tabulated for a set, a sum takes two look-ups.
struct Sums<'a> {
    board: &'a Board,
    tiles: &'a [usize],
    lists: Vec<u8>,
    /// the length of a beginning, and how many ends it has
    length: usize,
    ends: usize,
    /// for each beginning, the number of the set of its tiles
    rest: Vec<u8>,
    /// for each such set, in its first list
    example: Vec<usize>,
}

/// The sums of one set of cells.
struct Scratch {
    /// a row in the making; empty between two
    row: Box<[u64; 1024]>,
    mask: u64,
    full: bool,
    /// for each place of the list and each tile, the distance
    near: Vec<u8>,
    heads: Vec<u8>,
    tails: Vec<u8>,
}

impl<'a> Sums<'a> {
    fn new(board: &'a Board, tiles: &'a [usize]) -> Sums<'a> {
        let size = tiles.len();
        let lists = lists(size);
        let length = size / 2;
        let ends: usize = (1..=size - length).product();
        let mut known: Vec<(u32, usize)> = Vec::new();
        let mut rest = Vec::new();
        for head in 0..lists.len() / size / ends {
            let list = &lists[head * ends * size..][..size];
            let mask = list[..length].iter().fold(0u32, |mask, tile| mask | 1 << tile);
            let number = known.iter().position(|(seen, _)| *seen == mask).unwrap_or_else(|| {
                known.push((mask, head * ends));
                known.len() - 1
            });
            rest.push(number as u8);
        }
        let example = known.into_iter().map(|(_, list)| list).collect();
        Sums { board, tiles, lists, length, ends, rest, example }
    }

    fn list(&self, order: usize) -> &[u8] {
        &self.lists[order * self.tiles.len()..][..self.tiles.len()]
    }
}

impl Scratch {
    fn new(sums: &Sums<'_>) -> Scratch {
        let size = sums.tiles.len();
        let (heads, tails) = (vec![0; sums.rest.len()], vec![0; sums.example.len() * sums.ends]);
        Scratch { row: Box::new([0; 1024]), mask: 0, full: false, near: vec![0; size * size], heads, tails }
    }

    /// Makes the tables of a set; only the distances if there are few orders to ask for.
    fn prepare(&mut self, mask: u64, sums: &Sums<'_>, few: bool) {
        let size = sums.tiles.len();
        if self.mask != mask {
            let cells = (0..sums.board.len()).filter(|cell| mask >> cell & 1 != 0);
            for (near, cell) in self.near.chunks_exact_mut(size).zip(cells) {
                near.iter_mut().zip(sums.tiles).for_each(|(near, tile)| *near = sums.board.distance(*tile, cell) as u8);
            }
            (self.mask, self.full) = (mask, false);
        }
        if few || self.full {
            return;
        }
        self.full = true;
        let near = |place: usize, tile: &u8| self.near[place * size + usize::from(*tile)];
        let sum = |list: &[u8], from: usize| list.iter().zip(from..).map(|(tile, place)| near(place, tile)).sum();
        for (head, entry) in self.heads.iter_mut().enumerate() {
            *entry = sum(&sums.list(head * sums.ends)[..sums.length], 0);
        }
        for (example, tails) in sums.example.iter().zip(self.tails.chunks_exact_mut(sums.ends)) {
            for (end, entry) in tails.iter_mut().enumerate() {
                *entry = sum(&sums.list(example + end)[sums.length..], sums.length);
            }
        }
    }

    #[inline(always)]
    fn sum(&self, sums: &Sums<'_>, order: usize, few: bool) -> u32 {
        if few {
            let size = sums.tiles.len();
            let list = sums.list(order).iter().zip(self.near.chunks_exact(size));
            return list.map(|(tile, near)| u32::from(near[usize::from(*tile)])).sum();
        }
        let (head, end) = (order / sums.ends, order % sums.ends);
        u32::from(self.heads[head]) + u32::from(self.tails[usize::from(sums.rest[head]) * sums.ends + end])
    }
}

/// Bytes that filling takes besides the table, at most about.
pub(super) fn scratch_bytes(cells: usize, tiles: usize) -> u64 {
    // three rows of bits; in a set of tiles the rest has some regions, three on average at most on common boards
    let words = (1..=tiles as u64).product::<u64>().div_ceil(64);
    binomial(cells, tiles).saturating_mul(3 * 3 * 8 * words)
}
