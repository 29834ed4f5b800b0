//! Numbers without gaps for all arrangements that can be reached.
//!
//! Let b₁, b₂, … be a base of the group of the moves: what happens to these cells says what happens to all. Some *heads*, the first of them (and the
//! blank), can lie in a few thousand ways, each reached by some arrangement that is kept; what can still happen while the heads stay at home is a *rest*, an element of a
//! subgroup H of some hundred elements. Every arrangement is one rest and then one kept arrangement of the heads, so it is a pair of
//! numbers. A move takes heads to heads and multiplies the rest by an element of H that depends on the heads alone: Schreier's lemma.
//! So a move is known from two small tables, and it moves all arrangements with the same heads in the same way. For the symmetric group this is the rank by
//! parts of Korf and Schultze ("Large-scale parallel breadth-first search", AAAI 2005; cf. Myrvold, Ruskey, "Ranking and unranking permutations
//! in linear time", IPL 2001), but it works for every group and for sliding puzzles.

use num_traits::ToPrimitive;

use super::moves::{Closure, Moves};
use super::trie::Trie;
use super::{MEMORY, Space, Stopped};
use crate::group::{Chain, Done, Work};

/// An index may take this many bytes, and some for each arrangement.
const FREE_BYTES: u64 = 64 << 20;
const BYTES_EACH: u64 = 64;

/// Where a move takes the heads, and what it does to the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// [`Edge::NOWHERE`] if the move is impossible
    pub to: u32,
    /// the number of a turn; 0 does nothing
    pub turn: u32,
}

impl Edge {
    pub const NOWHERE: u32 = u32::MAX;
}

/// All arrangements that can be reached from a start, numbered from 0 without gaps; the start has number 0.
///
/// It works where every way of the blank can be gone back, and always where there is no blank.
#[derive(Clone, Debug)]
pub struct Index {
    degree: usize,
    movers: usize,
    /// how many ways there are in which the heads can lie, and how many elements H has
    head_count: usize,
    rest_count: usize,
    /// the tiles by the cells where they start
    tile: Vec<u32>,
    /// the cells whose tiles are the heads, and the further base
    heads: Vec<usize>,
    further: Vec<usize>,
    head_numbers: Trie,
    rest_numbers: Trie,
    /// for each number of heads, where an arrangement has the tile of each cell
    kept: Vec<u16>,
    /// for each rest, where it takes each cell
    rests: Vec<u16>,
    /// for each number of heads and each mover
    edges: Vec<Edge>,
    /// for each turn but the first, which rest becomes of each, in blocks of 64
    turns: Vec<[u16; 64]>,
}

/// How the base is divided.
struct Plan {
    heads: usize,
    head_count: usize,
    rest_count: usize,
}

impl Index {
    /// Numbers what can be reached from a start. `None` if that cannot be done in memory in proportion to the number of arrangements, or because moves cannot be undone.
    ///
    /// Fails with [`Stopped::TooMany`] if there are more than `most`. Costs a stabilizer chain, and then for each way in which the heads can lie and each move some multiplications.
    pub fn new(space: &Space, start: &[u32], most: u64, work: Work<'_>) -> Result<Option<Index>, Stopped> {
        let moves = Moves::new(space, start)?;
        let Some(closure) = moves.closure(start, work)? else { return Ok(None) };
        if closure.total.to_u64().is_none_or(|total| total > most) {
            return Err(Stopped::TooMany { most, total: Some(closure.total) });
        }
        Ok(Index::of(&moves, start, &closure, work)?)
    }

    pub(super) fn of(moves: &Moves, start: &[u32], closure: &Closure, work: Work<'_>) -> Done<Option<Index>> {
        let degree = moves.degree;
        if degree > 1 << 16 || closure.total.to_u64().is_none_or(|total| total > MEMORY) {
            return Ok(None);
        }
        let chain = closure.group.chain(work)?;
        let Some(plan) = Plan::best(moves, closure, chain) else { return Ok(None) };
        let mut tile = vec![0; degree];
        start.iter().enumerate().for_each(|(number, cell)| tile[*cell as usize] = number as u32);
        let base: Vec<usize> = chain.base().iter().map(|cell| *cell as usize).collect();
        let (first, further) = base.split_at(plan.heads);
        let home = moves.blank.map(|blank| start[blank] as usize);
        let heads: Vec<usize> = home.into_iter().chain(first.iter().copied()).collect();
        let mut index = Index {
            degree,
            movers: moves.movers,
            head_count: plan.head_count,
            rest_count: plan.rest_count,
            tile,
            head_numbers: Trie::new(degree, heads.len()),
            rest_numbers: Trie::new(degree, further.len()),
            heads,
            further: further.to_vec(),
            kept: Vec::new(),
            rests: Vec::new(),
            edges: Vec::new(),
            turns: Vec::new(),
        };
        let generators = chain.generators_from(plan.heads);
        let generators: Vec<&[u32]> = generators.iter().filter(|g| !g.is_identity()).map(|g| g.images()).collect();
        let products = index.list_rests(&generators, &plan, work)?;
        let turned = index.list_heads(moves, home, &plan, work)?;
        index.multiply(&turned, &products, generators.len(), work)?;
        Ok(Some(index))
    }

    /// All elements of H, each the product of an earlier one and then of a generator. Gives the right multiplication by generators:
    /// first what comes of an element, then where the element came from.
    fn list_rests(&mut self, generators: &[&[u32]], plan: &Plan, work: Work<'_>) -> Done<Products> {
        let degree = self.degree;
        let mut products = Products { of: Vec::new(), from: vec![(0, 0)] };
        self.rests.extend((0..degree).map(|cell| cell as u16));
        self.rest_numbers.insert(self.further.iter().copied());
        for number in 0..plan.rest_count {
            work.products(generators.len(), degree)?;
            for (name, generator) in generators.iter().enumerate() {
                let rest = &self.rests[number * degree..][..degree];
                let image = |cell: usize| rest[generator[cell] as usize];
                let (product, new) =
                    self.rest_numbers.insert(self.further.iter().map(|cell| usize::from(image(*cell))));
                products.of.push(product as u16);
                if new {
                    products.from.push((number as u16, name as u16));
                    let product: Vec<u16> = (0..degree).map(image).collect();
                    self.rests.extend(product);
                }
            }
        }
        debug_assert_eq!(products.from.len(), plan.rest_count);
        Ok(products)
    }

    /// All ways in which the heads can lie, by breadth-first search, and the moves between them. Gives the rests that are turns.
    fn list_heads(&mut self, moves: &Moves, home: Option<usize>, plan: &Plan, work: Work<'_>) -> Done<Vec<u16>> {
        let degree = self.degree;
        let identity = (0..degree).map(|cell| cell as u16);
        self.kept.extend(identity.clone());
        // for each kept arrangement, which cell's tile is where
        let mut back: Vec<u16> = identity.collect();
        self.head_numbers.insert(self.heads.iter().copied());
        let mut turned = vec![0];
        let mut turn_of = vec![Edge::NOWHERE; plan.rest_count];
        turn_of[0] = 0;
        for number in 0..plan.head_count {
            work.products(self.movers, degree)?;
            let edges = self.edges.len();
            self.edges.resize(edges + self.movers, Edge { to: Edge::NOWHERE, turn: 0 });
            let blank = home.map_or(0, |home| usize::from(self.kept[number * degree + home]));
            for step in moves.at(blank) {
                let images = step.effect.images();
                let here = &self.kept[number * degree..][..degree];
                let moved = |cell: usize| images[usize::from(here[cell])] as usize;
                let (to, new) = self.head_numbers.insert(self.heads.iter().map(|head| moved(*head)));
                let mut turn = 0;
                if new {
                    let there: Vec<u16> = (0..degree).map(|cell| moved(cell) as u16).collect();
                    let at = back.len();
                    back.resize(at + degree, 0);
                    there.iter().enumerate().for_each(|(cell, image)| back[at + usize::from(*image)] = cell as u16);
                    self.kept.extend(there);
                } else {
                    let back = &back[to as usize * degree..][..degree];
                    let rest = self.further.iter().map(|cell| usize::from(back[moved(*cell)]));
                    // Schreier's lemma says that it is there
                    let rest = self.rest_numbers.get(rest).unwrap_or_default() as usize;
                    if turn_of[rest] == Edge::NOWHERE {
                        turn_of[rest] = turned.len() as u32;
                        turned.push(rest as u16);
                    }
                    turn = turn_of[rest];
                }
                self.edges[edges + step.mover] = Edge { to, turn };
            }
        }
        debug_assert_eq!(self.kept.len(), plan.head_count * degree);
        Ok(turned)
    }

    /// What each turn makes of each rest: a turn times (x times a generator) is (the turn times x) times the generator.
    fn multiply(&mut self, turned: &[u16], products: &Products, generators: usize, work: Work<'_>) -> Done<()> {
        let count = products.from.len();
        for turn in turned.iter().skip(1) {
            work.charge(1 + count as u64 / 8)?;
            let mut row = vec![*turn];
            for (parent, generator) in products.from.iter().skip(1) {
                let product = usize::from(row[usize::from(*parent)]);
                row.push(products.of[product * generators + usize::from(*generator)]);
            }
            row.resize(count.next_multiple_of(64), 0);
            self.turns.extend_from_slice(row.as_chunks().0);
        }
        Ok(())
    }

    /// How many arrangements there are.
    pub fn len(&self) -> u64 {
        (self.head_count * self.rest_count) as u64
    }

    /// Never: there is the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of an arrangement, if it can be reached. Linear in the degree.
    pub fn number(&self, places: &[u32]) -> Option<u64> {
        if places.len() != self.degree || places.iter().any(|cell| *cell as usize >= self.degree) {
            return None;
        }
        let place = |cell: usize| places[self.tile[cell] as usize] as usize;
        let head = self.head_numbers.get(self.heads.iter().map(|cell| place(*cell)))? as usize;
        let mut back = vec![0; self.degree];
        self.kept(head).iter().enumerate().for_each(|(cell, image)| back[usize::from(*image)] = cell);
        let rest = self.rest_numbers.get(self.further.iter().map(|cell| back[place(*cell)]))? as usize;
        let same = (0..self.degree).all(|cell| place(cell) == self.place(head, rest, cell));
        same.then_some((head * self.rest_count + rest) as u64)
    }

    /// The places of the tiles in the arrangement with a number. Linear in the degree.
    pub fn places(&self, number: u64) -> Option<Vec<u32>> {
        if number >= self.len() {
            return None;
        }
        let (head, rest) = self.split(number);
        let mut places = vec![0; self.degree];
        (0..self.degree).for_each(|cell| places[self.tile[cell] as usize] = self.place(head, rest, cell) as u32);
        Some(places)
    }

    /// What a mover makes of an arrangement, if it is possible there: a few look-ups.
    pub fn neighbour(&self, number: u64, mover: usize) -> Option<u64> {
        if number >= self.len() || mover >= self.movers {
            return None;
        }
        let (head, rest) = self.split(number);
        let edge = self.edges_of(head)[mover];
        if edge.to == Edge::NOWHERE {
            return None;
        }
        let rest = match self.turn(edge.turn) {
            Some(turn) => usize::from(turn[rest / 64][rest % 64]),
            None => rest,
        };
        Some((edge.to as usize * self.rest_count + rest) as u64)
    }

    fn split(&self, number: u64) -> (usize, usize) {
        (number as usize / self.rest_count, number as usize % self.rest_count)
    }

    /// How many ways there are in which the heads can lie.
    pub(super) fn head_count(&self) -> usize {
        self.head_count
    }

    /// How many elements H has.
    pub(super) fn rest_count(&self) -> usize {
        self.rest_count
    }

    pub(super) fn movers(&self) -> usize {
        self.movers
    }

    /// What the movers do to the heads.
    pub(super) fn edges_of(&self, head: usize) -> &[Edge] {
        &self.edges[head * self.movers..][..self.movers]
    }

    /// What a turn makes of each rest; `None` for the first, which does nothing.
    pub(super) fn turn(&self, turn: u32) -> Option<&[[u16; 64]]> {
        let blocks = self.rest_count.div_ceil(64);
        let turn = (turn as usize).checked_sub(1)?;
        self.turns.get(turn * blocks..(turn + 1) * blocks)
    }

    fn kept(&self, head: usize) -> &[u16] {
        &self.kept[head * self.degree..][..self.degree]
    }

    /// Where an arrangement has the tile that starts in a cell.
    pub(super) fn place(&self, head: usize, rest: usize, cell: usize) -> usize {
        usize::from(self.kept(head)[usize::from(self.rests[rest * self.degree + cell])])
    }
}

/// Right multiplication in H.
struct Products {
    /// for each element and generator
    of: Vec<u16>,
    /// for each element, the earlier element and the generator that made it
    from: Vec<(u16, u16)>,
}

impl Plan {
    /// The division of the base that takes the least memory, if that is little enough.
    fn best(moves: &Moves, closure: &Closure, chain: &Chain) -> Option<Plan> {
        let (degree, movers) = (moves.degree as u64, moves.movers as u64);
        let total = closure.total.to_u64()?;
        let mut best: Option<(u64, Plan)> = None;
        for heads in 0..=chain.levels().len() {
            let rests = chain.order_from(heads).to_u64()?;
            if rests > 1 << 16 {
                continue;
            }
            let (count, generators) = (total / rests, chain.generators_from(heads).len() as u64);
            // edges both ways, kept arrangements both ways, three rows of bits, and the numbers of beginnings
            let each = 24 * movers + 4 * degree + 24 * rests.div_ceil(64) + 4 * degree;
            let turns = rests.min(count * movers).saturating_mul(2 * rests);
            let rows = rests * (2 * degree + 2 * generators + 4 * degree);
            let bytes = count.saturating_mul(each).saturating_add(turns).saturating_add(rows);
            if best.as_ref().is_none_or(|(least, _)| bytes < *least) && count < u64::from(u32::MAX) {
                best = Some((bytes, Plan { heads, head_count: count as usize, rest_count: rests as usize }));
            }
        }
        let (bytes, plan) = best?;
        let most = MEMORY.min(FREE_BYTES.saturating_add(total.saturating_mul(BYTES_EACH)));
        (bytes <= most).then_some(plan)
    }
}
