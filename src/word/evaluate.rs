//! What a word does.
//!
//! The expression is walked from its right end with a list of tasks, and a permutation is
//! multiplied on the left by what is met (see [`kernel`](crate::perm::kernel)). Inverses cost
//! nothing: they are a flag that is handed down. Powers, commutators and conjugates are computed
//! in frames of their own and then multiplied.
//!
//! A part that several words share is evaluated once and remembered in its node. A part without a
//! second owner is not: a chain of a million products would otherwise keep a million permutations.
//! When more than [`KEPT_BYTES`] have been put into nodes, parts are remembered for this
//! evaluation only and only until their last use.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Alphabet, Kind, Node, Word};
use crate::perm::kernel::{Engine, Machine, ShuffleMachine, WideMachine};
use crate::perm::{Exponent, Perm};

/// How much one evaluation may leave behind in shared nodes.
const KEPT_BYTES: usize = 64 << 20;
/// A shared run of letters is remembered if it is at least this long.
const KEPT_RUN: usize = 64;

/// The effect of a node, which is then remembered there.
pub(super) fn evaluate(node: &Arc<Node>) -> Perm {
    if let Some(effect) = node.effect.get() {
        return effect.clone();
    }
    let effect = run(node, &node.alphabet, Memory::in_nodes());
    // Another thread may have been faster; the answers are the same.
    let _ = node.effect.set(effect.clone());
    effect
}

/// The effect of a node over another alphabet.
pub(super) fn evaluate_as(node: &Arc<Node>, alphabet: &Alphabet) -> Perm {
    run(node, alphabet, Memory::apart(node))
}

fn run(node: &Arc<Node>, alphabet: &Alphabet, memory: Memory) -> Perm {
    match alphabet.engine() {
        Engine::Row(engine) => walk(ShuffleMachine::new(engine), node, memory),
        Engine::TwoRows(engine) => walk(ShuffleMachine::new(engine), node, memory),
        Engine::FourRows(engine) => walk(ShuffleMachine::new(engine), node, memory),
        Engine::Bytes(engine) => walk(WideMachine::new(engine), node, memory),
        Engine::Words(engine) => walk(WideMachine::new(engine), node, memory),
        Engine::Longs(engine) => walk(WideMachine::new(engine), node, memory),
    }
}

/// What is to be done. "The top" is the value of the machine's top frame.
enum Task<'a> {
    /// Multiply the top by a word or its inverse.
    Multiply(&'a Word, bool),
    /// The same for a node that is not looked up.
    Enter(&'a Arc<Node>, bool),
    /// Open a frame; true if the inverse of its value will be wanted.
    Open(bool),
    /// Close a frame with a power (negated if true).
    Power(&'a Exponent, bool),
    /// Close two frames with a commutator (of the second and first if true).
    Commutator(bool),
    /// Close two frames with a conjugate (by the second of the first if true).
    Conjugate(bool),
    /// Close a frame, remember its value for the node, and multiply by it or its inverse.
    Keep(&'a Arc<Node>, bool),
}

/// Where the effects of shared parts are remembered.
struct Memory {
    /// Whether effects may be taken from nodes and left there.
    nodes: bool,
    /// How many bytes have been left in nodes.
    kept: usize,
    /// Effects for this evaluation only, by node: how many uses are still to come, the effect.
    table: Option<FxHashMap<usize, (usize, Option<Perm>)>>,
}

impl Memory {
    fn in_nodes() -> Memory {
        Memory { nodes: true, kept: 0, table: None }
    }

    /// Leaves nothing in nodes.
    fn apart(root: &Arc<Node>) -> Memory {
        let mut memory = Memory { nodes: false, kept: 0, table: None };
        memory.make_table(root);
        memory
    }

    /// Lists the nodes that occur more than once below `root`.
    fn make_table(&mut self, root: &Arc<Node>) {
        let mut uses: FxHashMap<usize, (usize, Option<Perm>)> = FxHashMap::default();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            node.kind.each_part(|part| {
                if self.nodes && part.effect.get().is_some() {
                    return;
                }
                if Arc::strong_count(part) > 1 {
                    let entry = uses.entry(Arc::as_ptr(part) as usize).or_default();
                    entry.0 += 1;
                    if entry.0 > 1 {
                        return;
                    }
                }
                pending.push(part);
            });
        }
        uses.retain(|_, (count, _)| *count > 1);
        self.table = Some(uses);
    }

    /// The remembered effect of a node; this use of it is over.
    fn recall(&mut self, node: &Arc<Node>) -> Option<Perm> {
        if self.nodes
            && let Some(effect) = node.effect.get()
        {
            return Some(effect.clone());
        }
        let entry = self.table.as_mut()?.get_mut(&(Arc::as_ptr(node) as usize))?;
        let effect = entry.1.clone()?;
        entry.0 = entry.0.saturating_sub(1);
        if entry.0 == 0 {
            entry.1 = None;
        }
        Some(effect)
    }

    /// Whether the effect of a node that is not remembered yet should be.
    fn wants(&self, node: &Arc<Node>) -> bool {
        match &self.table {
            None => Arc::strong_count(node) > 1,
            Some(table) => {
                let entry = table.get(&(Arc::as_ptr(node) as usize));
                entry.is_some_and(|(uses, _)| *uses > 1)
            }
        }
    }

    fn keep(&mut self, node: &Arc<Node>, effect: Perm, root: &Arc<Node>) {
        if let Some(table) = &mut self.table {
            if let Some(entry) = table.get_mut(&(Arc::as_ptr(node) as usize)) {
                entry.0 = entry.0.saturating_sub(1);
                entry.1 = Some(effect);
            }
            return;
        }
        self.kept += 4 * effect.degree();
        let _ = node.effect.set(effect);
        if self.kept > KEPT_BYTES {
            self.make_table(root);
        }
    }
}

/// A short run is done faster than looked up.
fn is_short(node: &Node) -> bool {
    matches!(&node.kind, Kind::Letters(run) if run.letters.len() < KEPT_RUN)
}

fn walk<M: Machine>(mut machine: M, root: &Arc<Node>, mut memory: Memory) -> Perm {
    let mut tasks: SmallVec<[Task<'_>; 12]> = SmallVec::new();
    enter(&mut machine, root, false, &mut tasks);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Multiply(word, inverted) => {
                let Some(node) = &word.0 else { continue };
                if is_short(node) {
                    enter(&mut machine, node, inverted, &mut tasks);
                } else if let Some(effect) = memory.recall(node) {
                    machine.perm(&effect, inverted);
                } else if memory.wants(node) {
                    tasks.push(Task::Keep(node, inverted));
                    tasks.push(Task::Enter(node, false));
                    machine.open(false);
                } else {
                    enter(&mut machine, node, inverted, &mut tasks);
                }
            }
            Task::Enter(node, inverted) => enter(&mut machine, node, inverted, &mut tasks),
            Task::Open(dual) => machine.open(dual),
            Task::Power(exponent, inverted) => machine.power(exponent, inverted),
            Task::Commutator(swapped) => machine.commutator(swapped),
            Task::Conjugate(swapped) => machine.conjugate(swapped),
            Task::Keep(node, inverted) => {
                let effect = machine.take();
                machine.perm(&effect, inverted);
                memory.keep(node, effect, root);
            }
        }
    }
    machine.take()
}

/// Multiplies the top by a run of letters, or lists what is to be done for another node. Tasks are
/// taken from the end of the list, so what is listed last comes first.
#[inline]
fn enter<'a, M: Machine>(machine: &mut M, node: &'a Arc<Node>, inverted: bool, tasks: &mut SmallVec<[Task<'a>; 12]>) {
    match &node.kind {
        Kind::Letters(run) => machine.letters(&run.letters, inverted),
        Kind::Product(parts) if inverted => {
            tasks.extend(parts.iter().rev().map(|part| Task::Multiply(part, true)));
        }
        Kind::Product(parts) => {
            tasks.extend(parts.iter().map(|part| Task::Multiply(part, false)));
        }
        Kind::Inverse(word) => tasks.push(Task::Multiply(word, !inverted)),
        Kind::Power(_, exponent) if exponent.is_zero() => {}
        Kind::Power(word, exponent) => {
            machine.open(false);
            tasks.push(Task::Power(exponent, inverted));
            tasks.push(Task::Multiply(word, false));
        }
        // The inverse of [a, b] is [b, a], that of [a: b] is [a: b'].
        Kind::Commutator(a, b) => {
            let swapped = b.rank() > a.rank();
            tasks.push(Task::Commutator(swapped != inverted));
            bracket(machine, (a, false), (b, false), swapped, tasks);
        }
        Kind::Conjugate(a, b) => {
            let swapped = b.rank() > a.rank();
            tasks.push(Task::Conjugate(swapped));
            bracket(machine, (a, false), (b, inverted), swapped, tasks);
        }
    }
}

/// Opens two frames, for a and b, or for b and a if `swapped`: the one that needs more frames
/// itself comes first, while few are open.
#[inline]
fn bracket<'a, M: Machine>(
    machine: &mut M,
    a: (&'a Word, bool),
    b: (&'a Word, bool),
    swapped: bool,
    tasks: &mut SmallVec<[Task<'a>; 12]>,
) {
    let (first, second) = if swapped { (b, a) } else { (a, b) };
    machine.open(true);
    tasks.push(Task::Multiply(second.0, second.1));
    tasks.push(Task::Open(true));
    tasks.push(Task::Multiply(first.0, first.1));
}
