//! Iterative deepening over the words of a board (IDA*; Korf, "Depth-first iterative-deepening", 1985), with a lower bound from tables.
//!
//! Words of a length are gone through in lexicographic order of their movers, never straight back, and a word is left when the length so far and the lower
//! bound exceed the length. The first word that reaches the goal is the answer. For several threads the
//! beginnings of all words are listed in order, always the same ones, and taken in order; the first beginning that leads to
//! the goal wins, and only what lies up to it is counted. So neither the answer nor the count depends on the threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::board::Board;
use super::table::Table;
use crate::group::{Done, Unfinished, Work};

/// A board is seen in so many symmetric ways at most.
pub(super) const MOST_VIEWS: usize = 4;
/// So many groups in views at most.
const MOST_SLOTS: usize = 64;
/// Words are divided by so many beginnings, about.
const BEGINNINGS: usize = 1024;
/// After so many nodes a thread asks whether it should go on.
const ASK: u64 = 1 << 13;
/// A beginning that takes more nodes than this is charged for while it is searched.
const LARGE: u64 = 1 << 22;
/// So many nodes are one step of work.
const NODES: u64 = 2;

/// Tables for a board.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub tables: Vec<Table>,
    views: Vec<View>,
    /// for each tile and cell, the distance
    distance: Vec<u8>,
    unit: u32,
}

/// The board as a symmetry shows it.
#[derive(Clone, Debug)]
struct View {
    /// for each step of the board
    changes: Vec<Change>,
    /// for each tile, the number of its group in this view
    slot: Vec<u8>,
}

/// What a step does to the mask of the group of the tile that moves.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// both cells
    flip: u64,
    /// the cells between them, and those before both
    between: u64,
    below: u64,
    /// Does the tile go to the larger cell?
    up: bool,
}

/// How a group lies.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    mask: u64,
    order: u32,
    more: u32,
}

/// An arrangement and the word that leads there.
#[derive(Clone, Debug)]
struct Node {
    /// by cell, the tile: the cell where it is at home
    tile: [u8; 64],
    blank: usize,
    /// the sum of the distances of the tiles
    sum: u32,
    slots: [Slot; MOST_SLOTS],
    more: [u32; MOST_VIEWS],
    word: Vec<u32>,
}

/// What came of searching the words of one length.
pub(super) enum Round {
    /// The first word that reaches the goal: its steps.
    Word(Vec<u32>),
    Nothing,
}

impl Plan {
    pub fn new(board: &Board, tables: Vec<Table>) -> Plan {
        let most = MOST_VIEWS.min(MOST_SLOTS / tables.len().max(1));
        let mut group = vec![0; board.len()];
        for (number, table) in tables.iter().enumerate() {
            table.tiles.iter().for_each(|tile| group[*tile] = number);
        }
        let views = board.symmetries(most).into_iter().enumerate().map(|(view, map)| {
            let changes = board.steps.iter().map(|step| {
                let (from, to) = (map[step.to], map[step.from]);
                let below = |cell: usize| (1u64 << cell) - 1;
                let (low, high) = (from.min(to), from.max(to));
                let between = below(high) ^ below(low) ^ 1 << low;
                Change { flip: 1 << from | 1 << to, between, below: below(low), up: to > from }
            });
            let slot = map.iter().map(|image| (view * tables.len() + group[*image]) as u8);
            View { changes: changes.collect(), slot: slot.collect() }
        });
        let cells = 0..board.len();
        let distance = cells.clone().flat_map(|tile| cells.clone().map(move |cell| board.distance(tile, cell) as u8));
        let (views, distance) = (views.collect(), distance.collect());
        Plan { tables, views, distance, unit: if board.bipartite { 2 } else { 1 } }
    }

    /// Searches the words of a length for the first that brings all tiles home, and adds the nodes. The tiles are given by cell.
    pub fn round(&self, board: &Board, start: &Start, length: u32, nodes: &mut u64, work: Work<'_>) -> Done<Round> {
        match self.views.len() {
            1 => Search::<1> { plan: self, board }.round(start, length, nodes, work),
            2 => Search::<2> { plan: self, board }.round(start, length, nodes, work),
            3 => Search::<3> { plan: self, board }.round(start, length, nodes, work),
            _ => Search::<4> { plan: self, board }.round(start, length, nodes, work),
        }
    }

    /// A place to start from: the tiles by cell, and the blank.
    pub fn start(&self, board: &Board, tile: &[usize], blank: usize) -> Start {
        let mut node = Node {
            tile: [0; 64],
            blank,
            sum: 0,
            slots: [Slot::default(); MOST_SLOTS],
            more: [0; MOST_VIEWS],
            word: Vec::new(),
        };
        tile.iter().enumerate().for_each(|(cell, tile)| node.tile[cell] = *tile as u8);
        let tiles = || tile.iter().enumerate().filter(|(cell, _)| *cell != blank);
        node.sum = tiles().map(|(cell, tile)| board.distance(*tile, cell)).sum();
        for (view, map) in board.symmetries(self.views.len()).into_iter().enumerate() {
            for (number, table) in self.tables.iter().enumerate() {
                let mut places: Vec<(usize, usize)> = tiles().map(|(cell, tile)| (map[cell], map[*tile])).collect();
                places.retain(|(_, tile)| table.tiles.contains(tile));
                places.sort_unstable();
                let mask = places.iter().fold(0, |mask, (cell, _)| mask | 1 << cell);
                let list = places.iter().map(|(_, tile)| table.tiles.partition_point(|other| other < tile) as u8);
                let order = u32::from(super::numbers::number(&list.collect::<Vec<u8>>()));
                let more = table.get(table.sets.number(mask), order);
                node.slots[view * self.tables.len() + number] = Slot { mask, order, more };
                node.more[view] += more;
            }
        }
        Start { node }
    }

    /// By how much lengths of words between the same arrangements differ at least, if they differ.
    pub fn unit(&self) -> u32 {
        self.unit
    }

    /// A lower bound for the length of a word that brings all tiles home.
    pub fn bound(&self, start: &Start) -> u32 {
        start.node.sum + self.unit * start.node.more.iter().max().copied().unwrap_or(0)
    }
}

/// An arrangement to start from.
#[derive(Clone, Debug)]
pub(super) struct Start {
    node: Node,
}

#[derive(Clone, Copy)]
struct Search<'a, const VIEWS: usize> {
    plan: &'a Plan,
    board: &'a Board,
}

/// What a step leads to.
struct Child<const VIEWS: usize> {
    sum: u32,
    slots: [Slot; VIEWS],
    more: [u32; VIEWS],
}

impl<const VIEWS: usize> Search<'_, VIEWS> {
    /// The tile that a step moves, and the sum of distances then.
    #[inline(always)]
    fn moved(&self, node: &Node, step: usize) -> (usize, u32) {
        let step = &self.board.steps[step];
        let tile = usize::from(node.tile[step.to % 64]);
        let near = &self.plan.distance[tile * self.board.len()..][..self.board.len()];
        (tile, node.sum + u32::from(near[step.from]) - u32::from(near[step.to]))
    }

    /// What a step leads to.
    #[inline(always)]
    fn child(&self, node: &Node, step: usize, tile: usize, sum: u32) -> Child<VIEWS> {
        let mut child = Child { sum, slots: [Slot::default(); VIEWS], more: [0; VIEWS] };
        for view in 0..VIEWS {
            let shown = &self.plan.views[view];
            let change = &shown.changes[step];
            let number = usize::from(shown.slot[tile]);
            let table = &self.plan.tables[number - view * self.plan.tables.len()];
            let slot = &node.slots[number % MOST_SLOTS];
            let first = (slot.mask & change.below).count_ones() as usize;
            let last = first + (slot.mask & change.between).count_ones() as usize;
            let turn = if change.up { table.orders.turn(first, last) } else { table.orders.turn(last, first) };
            let (mask, order) = (slot.mask ^ change.flip, table.orders.image(turn, slot.order));
            let more = table.get(table.sets.number(mask), order);
            child.slots[view] = Slot { mask, order, more };
            child.more[view] = node.more[view] + more - slot.more;
        }
        child
    }

    #[inline(always)]
    fn bound(&self, child: &Child<VIEWS>) -> u32 {
        child.sum + self.plan.unit * child.more.iter().max().copied().unwrap_or(0)
    }

    /// Takes a step; gives the slots that it changed.
    #[inline(always)]
    fn take(&self, node: &mut Node, step: usize, tile: usize, child: &Child<VIEWS>) -> [Slot; VIEWS] {
        let mut old = [Slot::default(); VIEWS];
        for (view, old) in old.iter_mut().enumerate() {
            let slot = &mut node.slots[usize::from(self.plan.views[view].slot[tile]) % MOST_SLOTS];
            *old = std::mem::replace(slot, child.slots[view]);
            node.more[view] = child.more[view];
        }
        let step = &self.board.steps[step];
        node.tile[step.from % 64] = tile as u8;
        (node.blank, node.sum) = (step.to, child.sum);
        old
    }

    fn round(&self, start: &Start, length: u32, nodes: &mut u64, work: Work<'_>) -> Done<Round> {
        let before = *nodes;
        let beginnings = self.beginnings(start, length, nodes);
        work.charge(1 + *nodes - before)?;
        let shared = Shared {
            next: AtomicUsize::new(0),
            best: AtomicUsize::new(usize::MAX),
            stop: AtomicBool::new(false),
            ledger: Mutex::new(Ledger { nodes: vec![None; beginnings.len()], settled: 0, due: 0, word: None }),
            work,
        };
        let run = || {
            loop {
                let number = shared.next.fetch_add(1, Ordering::Relaxed);
                let Some(beginning) = beginnings.get(number) else { return };
                if number > shared.best.load(Ordering::Relaxed) || shared.stop.load(Ordering::Relaxed) {
                    return;
                }
                let mut dive = Dive {
                    search: *self,
                    node: beginning.clone(),
                    number,
                    nodes: 0,
                    ask: ASK,
                    paid: 0,
                    shared: &shared,
                };
                let left = length - beginning.word.len() as u32;
                let back = beginning.word.last().map_or(usize::MAX, |step| self.board.steps[*step as usize].back);
                let found = beginning.sum == 0 || dive.down(left, back);
                if found {
                    shared.best.fetch_min(number, Ordering::Relaxed);
                }
                dive.node.word[beginning.word.len()..].reverse();
                shared.done(number, (dive.nodes, dive.paid), found.then_some(dive.node.word));
            }
        };
        let threads = rayon::current_num_threads().min(beginnings.len());
        if threads > 1 {
            rayon::scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| run())));
        } else {
            run();
        }
        let ledger = shared.ledger.into_inner().unwrap_or_else(|broken| broken.into_inner());
        if shared.stop.into_inner() {
            return Err(Unfinished::Stopped);
        }
        let until = ledger.word.as_ref().map_or(ledger.nodes.len(), |(number, _)| number + 1);
        *nodes += ledger.nodes[..until].iter().flatten().map(|(nodes, _)| nodes).sum::<u64>();
        Ok(ledger.word.map_or(Round::Nothing, |(_, word)| Round::Word(word)))
    }

    /// The beginnings of words that may have the length, in order.
    fn beginnings(&self, start: &Start, length: u32, nodes: &mut u64) -> Vec<Node> {
        let mut list = vec![start.node.clone()];
        for depth in 1..=length {
            if list.is_empty() || list.len() >= BEGINNINGS || list.iter().any(|node| node.sum == 0) {
                break;
            }
            let mut longer = Vec::new();
            for node in &list {
                let back = node.word.last().map_or(usize::MAX, |step| self.board.steps[*step as usize].back);
                for step in self.board.begin[node.blank]..self.board.begin[node.blank + 1] {
                    if step == back {
                        continue;
                    }
                    *nodes += 1;
                    let (tile, sum) = self.moved(node, step);
                    let child = self.child(node, step, tile, sum);
                    if depth + self.bound(&child) <= length {
                        let mut node = node.clone();
                        self.take(&mut node, step, tile, &child);
                        node.word.push(step as u32);
                        longer.push(node);
                    }
                }
            }
            list = longer;
        }
        list
    }
}

/// What the threads know together.
struct Shared<'a> {
    next: AtomicUsize,
    /// the first beginning that is known to lead to the goal
    best: AtomicUsize,
    stop: AtomicBool,
    ledger: Mutex<Ledger>,
    work: Work<'a>,
}

/// What came of each beginning.
struct Ledger {
    /// the nodes, and how many of them were charged for meanwhile
    nodes: Vec<Option<(u64, u64)>>,
    /// the beginnings before this one are charged for
    settled: usize,
    /// nodes of these that are not charged for yet: less than a step
    due: u64,
    word: Option<(usize, Vec<u32>)>,
}

impl Shared<'_> {
    /// Books a beginning, and charges for beginnings in their order as far as all are done: what comes after the answer costs nothing.
    fn done(&self, number: usize, nodes: (u64, u64), word: Option<Vec<u32>>) {
        let mut ledger = self.ledger.lock().unwrap_or_else(|broken| broken.into_inner());
        ledger.nodes[number] = Some(nodes);
        if let Some(word) = word
            && ledger.word.as_ref().is_none_or(|(other, _)| number < *other)
        {
            ledger.word = Some((number, word));
        }
        let last = ledger.word.as_ref().map_or(usize::MAX, |(number, _)| *number);
        while let Some(Some((nodes, paid))) = ledger.nodes.get(ledger.settled).filter(|_| ledger.settled <= last) {
            ledger.due += nodes - paid;
            ledger.settled += 1;
        }
        let steps = ledger.due / NODES;
        ledger.due %= NODES;
        if steps > 0 && self.work.charge(steps).is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// The depth-first search from one beginning.
struct Dive<'a, const VIEWS: usize> {
    search: Search<'a, VIEWS>,
    node: Node,
    number: usize,
    nodes: u64,
    /// when to ask the next time
    ask: u64,
    /// nodes that are charged for
    paid: u64,
    shared: &'a Shared<'a>,
}

impl<const VIEWS: usize> Dive<'_, VIEWS> {
    /// Goes through the words of at most this length that do not begin with the step `back`. Gives `true` at the goal, with the word.
    fn down(&mut self, left: u32, back: usize) -> bool {
        let search = self.search;
        let blank = self.node.blank;
        let (sum, more) = (self.node.sum, self.node.more);
        let steps = &search.board.steps[search.board.begin[blank]..search.board.begin[blank + 1]];
        for (step, here) in (search.board.begin[blank]..).zip(steps) {
            if step == back {
                continue;
            }
            self.nodes += 1;
            let (tile, near) = search.moved(&self.node, step);
            if near >= left {
                continue;
            }
            let child = search.child(&self.node, step, tile, near);
            if search.bound(&child) >= left {
                continue;
            }
            let old = search.take(&mut self.node, step, tile, &child);
            if near == 0 || (left > 1 && self.down(left - 1, here.back)) {
                // the word comes together on the way back
                self.node.word.push(step as u32);
                return true;
            }
            for (view, old) in search.plan.views.iter().zip(old) {
                self.node.slots[usize::from(view.slot[tile]) % MOST_SLOTS] = old;
            }
            self.node.tile[here.to % 64] = tile as u8;
            (self.node.blank, self.node.sum, self.node.more) = (blank, sum, more);
            if self.nodes >= self.ask && self.ended() {
                return false;
            }
        }
        false
    }

    /// Is the search over from outside?
    #[cold]
    fn ended(&mut self) -> bool {
        let shared = self.shared;
        let over = || self.number > shared.best.load(Ordering::Relaxed) || shared.stop.load(Ordering::Relaxed);
        if over() {
            self.ask = 0;
            return true;
        }
        self.ask = self.nodes + ASK;
        let due = if self.nodes > LARGE { (self.nodes - self.paid) / NODES } else { 0 };
        if shared.work.charge(due).is_err() {
            shared.stop.store(true, Ordering::Relaxed);
        }
        self.paid += due * NODES;
        false
    }
}
