//! Two searches that meet: one from the start along the moves, one from the goal against them, each by increasing cost (Pohl,
//! "Bi-directional search", Machine Intelligence 6, 1971; with costs it is Dijkstra's algorithm on both sides).
//!
//! The states of each side lie in sets by a hash, each with the least cost known. All states of one cost are expanded together: threads make
//! the neighbours of blocks of states and sort them by set, then each set takes its own, so no set is locked and nothing
//! depends on who did what.

use std::hash::BuildHasher;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::super::Stopped;
use super::super::keys::Key;
use super::coding::{Coded, Coding};
use crate::group::{Unfinished, Work};

const SHARDS: usize = 64;
/// So many states are expanded before what they lead to is looked up.
const BLOCK: usize = 1 << 15;
/// Fewer are not worth several threads.
const FEW: usize = 512;

/// States with their costs, as far as they are known.
struct Side<K> {
    back: bool,
    known: Vec<FxHashMap<K, u32>>,
    /// for each cost, states that were found with it; some were found again with less
    buckets: Vec<Vec<K>>,
    /// all states with less are expanded
    level: usize,
    len: u64,
}

/// What a pair of searches found.
pub(super) struct Meeting {
    /// the movers of the first word, if there is one
    pub movers: Option<Vec<u32>>,
    /// the cost of the word; or no word costs less than this
    pub cost: u64,
    /// up to which costs both sides were expanded
    pub levels: (usize, usize),
    pub nodes: u64,
}

/// Why two searches did not meet.
pub(super) struct Parted {
    /// no word costs less
    pub lower: u64,
    pub nodes: u64,
    pub why: Unfinished,
}

fn shard<K: Key>(key: &K) -> usize {
    (FxBuildHasher.hash_one(key) >> 40) as usize % SHARDS
}

impl<K: Key> Side<K> {
    fn new(coding: &Coding, states: &[Vec<u32>], back: bool) -> Side<K> {
        let mut side =
            Side { back, known: vec![FxHashMap::default(); SHARDS], buckets: vec![vec![]], level: 0, len: 0 };
        for state in states {
            let key: K = coding.pack(state);
            if side.known[shard(&key)].insert(key.clone(), 0).is_none() {
                side.buckets[0].push(key);
                side.len += 1;
            }
        }
        side
    }

    fn cost(&self, key: &K) -> Option<u32> {
        self.known[shard(key)].get(key).copied()
    }

    /// The least cost that is not expanded; none if all that can be reached is.
    fn next(&mut self) -> Option<usize> {
        while self.level < self.buckets.len() && self.buckets[self.level].is_empty() {
            self.level += 1;
        }
        (self.level < self.buckets.len()).then_some(self.level)
    }

    /// What one block of states leads to, with costs, by set.
    fn found(&self, coding: &Coding, costs: &[u32], level: u32, states: &[K]) -> Vec<Vec<(K, u32)>> {
        let mut found = vec![Vec::new(); SHARDS];
        let (mut state, mut moved) = (vec![0; coding.items()], vec![0; coding.items()]);
        for key in states {
            if self.cost(key) != Some(level) {
                continue;
            }
            coding.unpack(key, &mut state);
            for turn in coding.turns(&state, self.back) {
                coding.apply(turn, &state, &mut moved);
                let key: K = coding.pack(&moved);
                found[shard(&key)].push((key, level + costs[turn.mover as usize]));
            }
        }
        found
    }

    /// Expands all states of the least cost. `each` is called with new states and the costs of both sides where they meet.
    fn expand(
        &mut self,
        coding: &Coding,
        costs: &[u32],
        other: Option<&Side<K>>,
        best: &mut u64,
        memory: u64,
        work: Work<'_>,
    ) -> Result<(), Unfinished> {
        let level = self.level;
        let states = std::mem::take(&mut self.buckets[level]);
        let longest = costs.iter().max().map_or(0, |cost| *cost as usize);
        if self.buckets.len() <= level + longest {
            self.buckets.resize(level + longest + 1, Vec::new());
        }
        let each = costs.len() as u64 * (1 + coding.items() as u64 / 16);
        for block in states.chunks(BLOCK) {
            work.charge(block.len() as u64 * each)?;
            let parts: Vec<Vec<Vec<(K, u32)>>> = match block.len() <= FEW {
                true => vec![self.found(coding, costs, level as u32, block)],
                false => block.par_chunks(FEW).map(|part| self.found(coding, costs, level as u32, part)).collect(),
            };
            let others = |number: usize| other.map(|other| &other.known[number]);
            let take = |(number, known): (usize, &mut FxHashMap<K, u32>)| {
                let (mut fresh, mut least, mut new) = (Vec::new(), u64::MAX, 0);
                for (key, cost) in parts.iter().flat_map(|part| &part[number]) {
                    let old = known.entry(key.clone()).or_insert(u32::MAX);
                    if *old <= *cost {
                        continue;
                    }
                    new += u64::from(*old == u32::MAX);
                    *old = *cost;
                    fresh.push((key.clone(), *cost));
                    if let Some(rest) = others(number).and_then(|known| known.get(key)) {
                        least = least.min(u64::from(*cost) + u64::from(*rest));
                    }
                }
                (fresh, least, new)
            };
            let taken: Vec<_> = match block.len() <= FEW {
                true => self.known.iter_mut().enumerate().map(take).collect(),
                false => self.known.par_iter_mut().enumerate().map(take).collect(),
            };
            for (fresh, least, new) in taken {
                *best = (*best).min(least);
                self.len += new;
                for (key, cost) in fresh {
                    self.buckets[cost as usize].push(key);
                }
            }
            // a table may have doubled just now, and the bucket has a copy
            let bytes = (self.len + other.map_or(0, |other| other.len)) * 4 * (coding.bytes() + 4);
            if bytes > memory {
                return Err(Unfinished::TooLarge(format!("the search needs more than {} MB of memory", memory >> 20)));
            }
        }
        self.level = level + 1;
        Ok(())
    }
}

/// Finds the first word of least cost from the start to the goal, no dearer than `limit`.
pub(super) fn meet<K: Key>(
    coded: &Coded,
    costs: &[u32],
    limit: u64,
    memory: u64,
    work: Work<'_>,
) -> Result<Meeting, Parted> {
    let coding = &coded.coding;
    let mut ahead: Side<K> = Side::new(coding, std::slice::from_ref(&coded.start), false);
    let mut behind: Option<Side<K>> = coded.goals.as_ref().map(|goals| Side::new(coding, goals, true));
    let mut best = if coded.is_goal(&coded.start) { 0 } else { u64::MAX };
    let mut goals: Vec<K> = Vec::new();
    let mut nodes = 0;
    let bound = loop {
        let from = ahead.next();
        let to = behind.as_mut().map_or(Some(0), Side::next);
        // where one side has no states left, everything there is known
        let (Some(from), Some(to)) = (from, to) else { break u64::MAX };
        let lower = (from + to) as u64;
        if lower >= best || lower > limit {
            break lower;
        }
        let smaller = behind.as_ref().is_none_or(|behind| ahead.buckets[from].len() <= behind.buckets[to].len());
        let expanded = match (&mut behind, smaller) {
            (Some(behind), false) => {
                nodes += behind.buckets[to].len() as u64;
                behind.expand(coding, costs, Some(&ahead), &mut best, memory, work)
            }
            (behind, _) => {
                nodes += ahead.buckets[from].len() as u64;
                if behind.is_none() && best == u64::MAX {
                    let mut state = vec![0; coding.items()];
                    let reached = ahead.buckets[from].iter().filter(|key| ahead.cost(key) == Some(from as u32));
                    goals = reached
                        .filter(|key| {
                            coding.unpack(*key, &mut state);
                            coded.is_goal(&state)
                        })
                        .cloned()
                        .collect();
                    if !goals.is_empty() {
                        best = from as u64;
                        break best;
                    }
                }
                ahead.expand(coding, costs, behind.as_ref(), &mut best, memory, work)
            }
        };
        if let Err(why) = expanded {
            return Err(Parted { lower: lower.min(best), nodes, why });
        }
    };
    let levels = (ahead.level, behind.as_ref().map_or(0, |behind| behind.level));
    if best == u64::MAX || best > limit {
        return Ok(Meeting { movers: None, cost: bound.min(best), levels, nodes });
    }
    if behind.is_none() && goals.is_empty() {
        goals.push(coding.pack(&coded.start));
    }
    let movers = first_word(coded, costs, &ahead, behind.as_ref(), goals, best);
    Ok(Meeting { movers: Some(movers), cost: best, levels, nodes })
}

/// The first of all words of the least cost. Every one of them passes through a state whose costs on both sides are known and make
/// up the whole: where it leaves what is expanded from the start, the rest is no more than what is expanded from the goal.
fn first_word<K: Key>(
    coded: &Coded,
    costs: &[u32],
    ahead: &Side<K>,
    behind: Option<&Side<K>>,
    goals: Vec<K>,
    best: u64,
) -> Vec<u32> {
    let coding = &coded.coding;
    let (mut state, mut moved) = (vec![0; coding.items()], vec![0; coding.items()]);
    let mut waiting: Vec<(K, u32)> = match behind {
        None => goals.into_iter().map(|key| (key, best as u32)).collect(),
        Some(behind) => {
            let pairs = ahead.known.iter().zip(&behind.known);
            let meets = pairs.flat_map(|(ahead, behind)| {
                let (few, many) = if ahead.len() <= behind.len() { (ahead, behind) } else { (behind, ahead) };
                few.iter().filter_map(|(key, cost)| {
                    let whole = u64::from(*cost) + u64::from(*many.get(key)?);
                    (whole == best).then(|| (key.clone(), ahead.get(key).copied().unwrap_or(0)))
                })
            });
            meets.collect()
        }
    };
    // all states of the side of the start that lie on such words
    let mut on_the_way: FxHashSet<K> = waiting.iter().map(|(key, _)| key.clone()).collect();
    while let Some((key, cost)) = waiting.pop() {
        coding.unpack(&key, &mut state);
        for turn in coding.turns(&state, true) {
            coding.apply(turn, &state, &mut moved);
            let from: K = coding.pack(&moved);
            let Some(before) = cost.checked_sub(costs[turn.mover as usize]) else { continue };
            if ahead.cost(&from) == Some(before) && on_the_way.insert(from.clone()) {
                waiting.push((from, before));
            }
        }
    }
    let mut movers = Vec::new();
    let mut here = coded.start.clone();
    let mut spent = 0;
    while spent < best {
        let mut turns: Vec<_> = coding.turns(&here, false).iter().collect();
        turns.sort_by_key(|turn| turn.mover);
        let next = turns.into_iter().find(|turn| {
            coding.apply(turn, &here, &mut moved);
            let key: K = coding.pack(&moved);
            let then = spent + u64::from(costs[turn.mover as usize]);
            let along = on_the_way.contains(&key) && ahead.cost(&key).map(u64::from) == Some(then);
            along || behind.and_then(|behind| behind.cost(&key)).is_some_and(|rest| then + u64::from(rest) == best)
        });
        // there is one by what is said above
        let Some(turn) = next else { break };
        coding.apply(turn, &here, &mut moved);
        std::mem::swap(&mut here, &mut moved);
        spent += u64::from(costs[turn.mover as usize]);
        movers.push(turn.mover);
    }
    movers
}

/// How many states have each cost, from the start on.
pub(super) fn layers<K: Key>(
    coded: &Coded,
    costs: &[u32],
    most: u64,
    memory: u64,
    work: Work<'_>,
) -> Result<Vec<u64>, Stopped> {
    let coding = &coded.coding;
    let mut side: Side<K> = Side::new(coding, std::slice::from_ref(&coded.start), false);
    let mut counts = Vec::new();
    while let Some(level) = side.next() {
        let states = side.buckets[level].iter();
        counts.resize(level + 1, 0);
        counts[level] = states.filter(|key| side.cost(key) == Some(level as u32)).count() as u64;
        side.expand(coding, costs, None, &mut 0, memory, work)?;
        if side.len > most {
            return Err(Stopped::TooMany { most, total: None });
        }
    }
    Ok(counts)
}
