//! Numbers for the places of some tiles: the set of their cells, and their order on it.
//!
//! A tile that goes to a neighbouring cell changes the set in two cells, and takes its place in the order a little up or down, past the tiles
//! on the cells between. For a whole set of cells that is the same change of all orders: a *turn*.

/// So many tiles at most are in one group: orders have numbers of 16 bits.
pub(super) const MOST_TILES: usize = 8;

/// The turn that changes no order.
pub(super) const SAME: u32 = 0;

/// The sets of `size` cells among some, numbered in the order of their masks.
///
/// That is the combinatorial number system: Σ C(cᵢ, i) over the cells c₁ < c₂ < … of the set. The upper cells of a set say how many lower ones there are,
/// so the sum is one entry for the lower half of the mask and one for the upper half.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    pub size: usize,
    pub count: usize,
    cells: usize,
    low_bits: u32,
    low: Vec<u32>,
    high: Vec<u32>,
}

/// The orders of some tiles: lists of their numbers, in lexicographic order.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    pub count: usize,
    /// where the turn begins that takes the tile at one place of the list to another
    begin: [u32; MOST_TILES * MOST_TILES],
    /// each turn is filled up to whole blocks of 64
    turns: Vec<u16>,
}

/// C(n, k).
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

impl Sets {
    /// At most 36 cells and 8 of them in a set.
    pub fn new(cells: usize, size: usize) -> Sets {
        let low_bits = cells.div_ceil(2);
        let sum = |mask: usize, cell: usize, below: usize| {
            let ones = (0..usize::BITS as usize).filter(|bit| mask >> bit & 1 != 0);
            ones.zip(1..).map(|(bit, i)| binomial(bit + cell, below + i)).sum::<u64>() as u32
        };
        let ones = |mask: usize| mask.count_ones() as usize;
        let low = (0..1 << low_bits).map(|mask| if ones(mask) <= size { sum(mask, 0, 0) } else { 0 }).collect();
        let high = 0..1 << (cells - low_bits);
        let high =
            high.map(|mask| if ones(mask) <= size { sum(mask, low_bits, size - ones(mask)) } else { 0 }).collect();
        Sets { size, count: binomial(cells, size) as usize, cells, low_bits: low_bits as u32, low, high }
    }

    /// The number of a set.
    #[inline(always)]
    pub fn number(&self, mask: u64) -> u32 {
        self.low[(mask & ((1 << self.low_bits) - 1)) as usize] + self.high[(mask >> self.low_bits) as usize]
    }

    /// All sets in order.
    pub fn masks(&self) -> impl Iterator<Item = u64> {
        let first = (1u64 << self.size) - 1;
        let end = 1u64 << self.cells;
        // the next larger number with as many ones
        let next = |mask: &u64| {
            let lowest = mask & mask.wrapping_neg();
            let carried = mask + lowest;
            Some(carried | (((mask ^ carried) >> 2) / lowest))
        };
        std::iter::successors(Some(first), next).take_while(move |mask| *mask < end)
    }
}

impl Orders {
    /// The orders of at most 8 tiles, and all turns of a tile to another place in the list.
    pub fn new(size: usize) -> Orders {
        let lists = lists(size);
        let count = lists.len() / size;
        let mut begin = [SAME; MOST_TILES * MOST_TILES];
        let filled = count.next_multiple_of(64);
        let mut turns: Vec<u16> = (0..count as u16).collect();
        turns.resize(filled, 0);
        for from in 0..size {
            for to in (0..size).filter(|to| *to != from) {
                begin[from * MOST_TILES + to] = turns.len() as u32;
                for list in lists.chunks_exact(size) {
                    let mut list = list.to_vec();
                    let tile = list.remove(from);
                    list.insert(to, tile);
                    turns.push(number(&list));
                }
                turns.resize(turns.len().next_multiple_of(64), 0);
            }
        }
        Orders { count, begin, turns }
    }

    /// The turn that takes the tile at a place of the list to another; [`SAME`] if these are the same.
    #[inline(always)]
    pub fn turn(&self, from: usize, to: usize) -> u32 {
        self.begin[(from * MOST_TILES + to) % (MOST_TILES * MOST_TILES)]
    }

    /// What a turn makes of all orders; the last block is filled up.
    pub fn images(&self, turn: u32) -> &[[u16; 64]] {
        self.turns[turn as usize..][..self.count.next_multiple_of(64)].as_chunks().0
    }

    /// What a turn makes of an order.
    #[inline(always)]
    pub fn image(&self, turn: u32, order: u32) -> u32 {
        u32::from(self.turns[(turn + order) as usize])
    }
}

/// All orders of `size` things, in lexicographic order, one after the other.
pub(super) fn lists(size: usize) -> Vec<u8> {
    fn extend(list: &mut Vec<u8>, size: usize, all: &mut Vec<u8>) {
        if list.len() == size {
            all.extend_from_slice(list);
            return;
        }
        for tile in 0..size as u8 {
            if !list.contains(&tile) {
                list.push(tile);
                extend(list, size, all);
                list.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::new(), size, &mut all);
    all
}

/// The number of a list of at most 8 different things below its length, among all such lists in lexicographic order.
pub(super) fn number(list: &[u8]) -> u16 {
    let mut number = 0;
    for (place, tile) in list.iter().enumerate() {
        let smaller = list[place + 1..].iter().filter(|later| *later < tile).count();
        number = number * (list.len() - place) + smaller;
    }
    number as u16
}
