//! Exact lengths, runs and tallies, from the expression.

use std::sync::Arc;

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::total::Total;
use super::{Kind, Node, Word};
use crate::perm::Exponent;

/// The measures that need more than a machine word or a walk.
pub(super) struct Measures {
    pub(super) length: BigUint,
    pub(super) runs: BigUint,
}

static NOTHING: Measures = Measures { length: BigUint::ZERO, runs: BigUint::ZERO };

/// The measures of a word, remembered in its node.
pub(super) fn measures(word: &Word) -> &Measures {
    let Some(node) = &word.0 else { return &NOTHING };
    node.measures.get_or_init(|| {
        let summary = summarize(node);
        let (length, runs) = (summary.length.finish(), summary.runs.finish());
        Box::new(Measures { length, runs })
    })
}

/// What must be known of a piece to measure what it is put into. Where two pieces meet with the
/// same generator, two runs become one; so runs are counted with the generators at both ends.
#[derive(Clone)]
struct Summary {
    length: Total,
    runs: Total,
    ends: Option<Ends>,
}

/// The first and last generator of a piece that has moves.
#[derive(Clone, Copy)]
struct Ends {
    first: usize,
    last: usize,
}

impl Ends {
    fn reversed(self) -> Ends {
        Ends { first: self.last, last: self.first }
    }
}

impl Summary {
    fn empty() -> Summary {
        Summary { length: Total::new(0), runs: Total::new(0), ends: None }
    }

    fn reverse(&mut self) {
        self.ends = self.ends.map(Ends::reversed);
    }

    /// This piece, then `next`.
    fn append(&mut self, next: Summary) {
        self.length.add(next.length);
        self.runs.add(next.runs);
        self.meet(next.ends);
    }

    /// Counts the meeting of what is there with a next piece; its totals are added elsewhere.
    fn meet(&mut self, next: Option<Ends>) {
        let Some(next) = next else { return };
        match &mut self.ends {
            None => self.ends = Some(next),
            Some(ends) => {
                if ends.last == next.first {
                    self.runs.add_small(-1);
                }
                ends.last = next.last;
            }
        }
    }

    fn power(&mut self, exponent: &Exponent) {
        if exponent.is_zero() {
            *self = Summary::empty();
            return;
        }
        if exponent.is_negative() {
            self.reverse();
        }
        // A word whose ends meet loses a run at each of the exponent - 1 meetings:
        // k runs - (k - 1) = k (runs - 1) + 1.
        let meets = self.ends.is_some_and(|ends| ends.first == ends.last);
        if meets {
            self.runs.add_small(-1);
        }
        match exponent.magnitude_u64() {
            Some(times) => {
                self.length.multiply(times);
                self.runs.multiply(times);
            }
            None => {
                let times = exponent.to_bigint().into_parts().1;
                self.length.multiply_long(&times);
                self.runs.multiply_long(&times);
            }
        }
        if meets {
            self.runs.add_small(1);
        }
    }

    /// a b a' b'
    fn commutator(a: Summary, b: Summary) -> Summary {
        let (x, y) = (a.ends, b.ends);
        let mut sum = a;
        sum.append(b);
        sum.length.multiply(2);
        // The meeting of a and b has been counted and must be doubled with the rest only if it
        // happens twice: it is taken out, and all meetings are counted anew.
        if let (Some(x), Some(y)) = (x, y)
            && x.last == y.first
        {
            sum.runs.add_small(1);
        }
        sum.runs.multiply(2);
        sum.ends = None;
        for piece in [x, y, x.map(Ends::reversed), y.map(Ends::reversed)] {
            sum.meet(piece);
        }
        sum
    }

    /// a b a'
    fn conjugate(mut a: Summary, b: Summary) -> Summary {
        let (x, y) = (a.ends, b.ends);
        a.length.multiply(2);
        a.runs.multiply(2);
        a.length.add(b.length);
        a.runs.add(b.runs);
        a.ends = None;
        for piece in [x, y, x.map(Ends::reversed)] {
            a.meet(piece);
        }
        a
    }
}

enum Task<'a> {
    Measure(&'a Word),
    /// The last `n` summaries are the parts of this product.
    Product(usize),
    Inverse,
    Power(&'a Exponent),
    Commutator,
    Conjugate,
    Remember(&'a Arc<Node>),
}

fn summarize(root: &Arc<Node>) -> Summary {
    let mut known: FxHashMap<usize, Summary> = FxHashMap::default();
    let mut done: Vec<Summary> = Vec::new();
    let mut tasks: Vec<Task<'_>> = Vec::new();
    expand(root, &mut tasks, &mut done);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Measure(Word(None)) => done.push(Summary::empty()),
            Task::Measure(Word(Some(node))) => {
                let shared = Arc::strong_count(node) > 1 && !matches!(node.kind, Kind::Letters(_));
                if shared {
                    if let Some(summary) = known.get(&(Arc::as_ptr(node) as usize)) {
                        done.push(summary.clone());
                        continue;
                    }
                    tasks.push(Task::Remember(node));
                }
                expand(node, &mut tasks, &mut done);
            }
            Task::Product(count) => {
                let parts = done.split_off(done.len().saturating_sub(count));
                let whole = parts.into_iter().reduce(|mut whole, part| {
                    whole.append(part);
                    whole
                });
                done.push(whole.unwrap_or_else(Summary::empty));
            }
            Task::Inverse => done.last_mut().into_iter().for_each(Summary::reverse),
            Task::Power(exponent) => {
                done.last_mut().into_iter().for_each(|summary| summary.power(exponent));
            }
            Task::Commutator | Task::Conjugate => {
                if let (Some(b), Some(a)) = (done.pop(), done.pop()) {
                    done.push(match task {
                        Task::Commutator => Summary::commutator(a, b),
                        _ => Summary::conjugate(a, b),
                    });
                }
            }
            Task::Remember(node) => {
                if let Some(summary) = done.last() {
                    known.insert(Arc::as_ptr(node) as usize, summary.clone());
                }
            }
        }
    }
    done.pop().unwrap_or_else(Summary::empty)
}

/// Measures a run of letters, or lists what is to be done for another node, last things first.
fn expand<'a>(node: &'a Arc<Node>, tasks: &mut Vec<Task<'a>>, done: &mut Vec<Summary>) {
    match &node.kind {
        Kind::Letters(run) => {
            let generator = |at: usize| run.letters.get(at).map_or(0, |x| x.generator());
            let pairs = run.letters.windows(2);
            let borders = pairs.filter(|p| p[0].generator() != p[1].generator()).count();
            done.push(Summary {
                length: Total::new(run.letters.len() as u64),
                runs: Total::new(1 + borders as u64),
                ends: Some(Ends { first: generator(0), last: generator(run.letters.len() - 1) }),
            });
        }
        Kind::Product(parts) => {
            tasks.push(Task::Product(parts.len()));
            tasks.extend(parts.iter().rev().map(Task::Measure));
        }
        Kind::Inverse(word) => tasks.extend([Task::Inverse, Task::Measure(word)]),
        Kind::Power(word, exponent) => {
            tasks.extend([Task::Power(exponent), Task::Measure(word)]);
        }
        Kind::Commutator(a, b) => {
            tasks.extend([Task::Commutator, Task::Measure(b), Task::Measure(a)]);
        }
        Kind::Conjugate(a, b) => {
            tasks.extend([Task::Conjugate, Task::Measure(b), Task::Measure(a)]);
        }
    }
}

/// How often each generator occurs. Nodes are visited so that all that contain a node come before
/// it; each then knows how often it occurs in the whole word.
pub(super) fn tally(word: &Word) -> Vec<(usize, BigUint)> {
    let Some(root) = &word.0 else {
        return Vec::new();
    };
    let mut times: FxHashMap<usize, Total> = FxHashMap::default();
    times.insert(Arc::as_ptr(root) as usize, Total::new(1));
    let mut counts: FxHashMap<usize, Total> = FxHashMap::default();
    for node in containers_first(root) {
        let Some(count) = times.remove(&(Arc::as_ptr(node) as usize)) else {
            continue;
        };
        let mut give = |part: &Word, factor: &Factor<'_>| {
            let Some(part) = &part.0 else { return };
            let mut share = count.clone();
            match factor {
                Factor::Small(factor) => share.multiply(*factor),
                Factor::Power(exponent) => match exponent.magnitude_u64() {
                    Some(factor) => share.multiply(factor),
                    None => share.multiply_long(exponent.to_bigint().magnitude()),
                },
            }
            let entry = times.entry(Arc::as_ptr(part) as usize).or_insert_with(|| Total::new(0));
            entry.add(share);
        };
        match &node.kind {
            Kind::Letters(run) => {
                let mut here: FxHashMap<usize, u64> = FxHashMap::default();
                for letter in &run.letters {
                    *here.entry(letter.generator()).or_default() += 1;
                }
                for (generator, number) in here {
                    let mut share = count.clone();
                    share.multiply(number);
                    counts.entry(generator).or_insert_with(|| Total::new(0)).add(share);
                }
            }
            Kind::Product(parts) => parts.iter().for_each(|part| give(part, &Factor::Small(1))),
            Kind::Inverse(part) => give(part, &Factor::Small(1)),
            Kind::Power(part, exponent) => give(part, &Factor::Power(exponent)),
            Kind::Commutator(a, b) => [a, b].iter().for_each(|part| give(part, &Factor::Small(2))),
            Kind::Conjugate(a, b) => {
                give(a, &Factor::Small(2));
                give(b, &Factor::Small(1));
            }
        }
    }
    let totals = counts.into_iter().map(|(generator, total)| (generator, total.finish()));
    let mut totals: Vec<_> = totals.filter(|(_, total)| *total != BigUint::ZERO).collect();
    totals.sort_unstable_by_key(|(generator, _)| *generator);
    totals
}

enum Factor<'a> {
    Small(u64),
    Power(&'a Exponent),
}

/// All nodes below and with `root`, each after all that contain it: the reverse of the order in
/// which a depth-first search leaves them.
fn containers_first(root: &Arc<Node>) -> Vec<&Arc<Node>> {
    enum Step<'a> {
        Enter(&'a Arc<Node>),
        Leave(&'a Arc<Node>),
    }
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut left = Vec::new();
    let mut steps = vec![Step::Enter(root)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(node) => {
                if seen.insert(Arc::as_ptr(node) as usize) {
                    steps.push(Step::Leave(node));
                    node.kind.each_part(|part| steps.push(Step::Enter(part)));
                }
            }
            Step::Leave(node) => left.push(node),
        }
    }
    left.reverse();
    left
}
