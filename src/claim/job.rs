//! One claim on its way: its values, and what running it for each of them gave.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{Context, evidence, forall};
use crate::diagnostic::{Diagnostic, codes};
use crate::group::fact::Fact;
use crate::resolve::program::{Claim, Range};
use crate::run::machine::Pending;
use crate::run::{Fault, Machine, Output, Run, Value, enumerate_clauses};

/// An instance that did not end well.
pub struct Stopped {
    /// which instance
    pub at: usize,
    pub fault: Fault,
    /// the two sides of a false comparison, for the first of them
    pub sides: Option<evidence::Sides>,
}

/// One claim on its way.
pub struct Job {
    pub pending: Pending,
    pub instances: Result<Vec<Vec<Value>>, Fault>,
    /// the first instance known to fail: later ones need not run, unless all are wanted
    first: AtomicUsize,
    stopped: Mutex<Vec<Stopped>>,
    pub assertions: AtomicU64,
    /// instances that ended well without evaluating an assertion
    idle: Mutex<Vec<usize>>,
    printed: Mutex<Vec<(usize, Vec<Output>)>>,
    facts: Mutex<Vec<(usize, Vec<Fact>)>>,
    nanoseconds: AtomicU64,
    /// what is found out about all values at once
    pub proof: forall::Attempt,
}

impl Job {
    /// A claim with the values for which it will run.
    pub fn new(context: &Context<'_>, pending: Pending) -> Job {
        let instances = instances_of(context, &pending);
        Job {
            pending,
            instances,
            first: AtomicUsize::new(usize::MAX),
            stopped: Mutex::default(),
            assertions: AtomicU64::new(0),
            idle: Mutex::default(),
            printed: Mutex::default(),
            facts: Mutex::default(),
            nanoseconds: AtomicU64::new(0),
            proof: forall::Attempt::default(),
        }
    }

    pub fn claim(&self) -> &Claim {
        &self.pending.claim
    }

    /// Is it about all values?
    pub fn is_for_all(&self) -> bool {
        matches!(self.claim().range, Range::All(..))
    }

    /// How many instances there are.
    pub fn len(&self) -> usize {
        self.instances.as_ref().map_or(0, Vec::len)
    }

    /// A machine that sees what the claim sees, with values for its names.
    pub fn machine<'a>(&self, context: &Context<'a>, values: &[Value]) -> Machine<'a> {
        machine_for(context, &self.pending, values)
    }

    /// Notes how long something took.
    pub fn spent(&self, context: &Context<'_>, start: f64) {
        let spent = ((context.clock)() - start).max(0.0);
        self.nanoseconds.fetch_add((spent * 1e9) as u64, Ordering::Relaxed);
    }

    pub fn seconds(&self) -> f64 {
        self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9
    }

    /// What has been asked to stop, if anything has.
    pub fn asked_to_stop(&self, context: &Context<'_>) -> Option<Fault> {
        match context.shared.stop.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Fault::Interrupted),
            _ => Some(Fault::Budget(Box::new(
                Diagnostic::at(
                    codes::OUT_OF_TIME,
                    self.claim().span,
                    "the time ran out",
                    "this claim was not finished",
                )
                .help("give it more with `--timeout SECONDS`"),
            ))),
        }
    }

    /// Runs one instance.
    pub fn run(&self, context: &Context<'_>, at: usize) {
        // a proof is compared with every value that was tried
        if !self.is_for_all() && self.first.load(Ordering::Relaxed) < at {
            return;
        }
        let Some(values) = self.instances.as_ref().ok().and_then(|instances| instances.get(at)) else { return };
        let start = (context.clock)();
        let mut machine = self.machine(context, values);
        let result: Run<()> = match self.asked_to_stop(context) {
            None => machine.run_claim(self.claim()),
            // an instance of a few steps never looks at the flag itself
            Some(fault) => Err(fault),
        };
        self.assertions.fetch_add(machine.assertions, Ordering::Relaxed);
        if machine.assertions == 0 && result.is_ok() {
            push(&self.idle, at);
        }
        if !machine.output.is_empty() {
            push(&self.printed, (at, std::mem::take(&mut machine.output)));
        }
        if !machine.facts.is_empty() {
            push(&self.facts, (at, std::mem::take(&mut machine.facts)));
        }
        if let Err(fault) = result {
            let first = self.first.fetch_min(at, Ordering::Relaxed);
            // the evidence needs the machine's library only, but is cheap enough to make here
            let sides = match &fault {
                Fault::Failed(failure) if at < first => Some(evidence::Sides::new(&mut machine, failure)),
                _ => None,
            };
            push(&self.stopped, Stopped { at, fault, sides });
        }
        self.spent(context, start);
    }

    /// The instances that did not end well, in order.
    pub fn take_stopped(&self) -> Vec<Stopped> {
        sorted(&self.stopped, |stopped| stopped.at)
    }

    /// The instances that ended well without evaluating an assertion, in order.
    pub fn take_idle(&self) -> Vec<usize> {
        sorted(&self.idle, |at| *at)
    }

    /// What was printed, by instances.
    pub fn take_printed(&self) -> Vec<(usize, Vec<Output>)> {
        sorted(&self.printed, |(at, _)| *at)
    }

    /// What was said about groups, by instances.
    pub fn take_facts(&self) -> Vec<(usize, Vec<Fact>)> {
        sorted(&self.facts, |(at, _)| *at)
    }
}

fn push<T>(list: &Mutex<Vec<T>>, item: T) {
    list.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(item);
}

fn sorted<T>(list: &Mutex<Vec<T>>, key: impl Fn(&T) -> usize) -> Vec<T> {
    let mut list = std::mem::take(&mut *list.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    list.sort_by_key(key);
    list
}

fn instances_of(context: &Context<'_>, pending: &Pending) -> Result<Vec<Vec<Value>>, Fault> {
    let claim = &pending.claim;
    let mut machine = machine_for(context, pending, &[]);
    match &claim.range {
        Range::Once => Ok(vec![Vec::new()]),
        Range::Each(clauses) => enumerate_clauses(&mut machine, claim, clauses),
        Range::All(..) => match forall::Header::of(claim) {
            Some(header) => header.first_values(&mut machine),
            None => Ok(Vec::new()),
        },
    }
}

fn machine_for<'a>(context: &Context<'a>, pending: &Pending, values: &[Value]) -> Machine<'a> {
    let mut machine = Machine::new(context.library, context.sources, context.shared, context.globals.clone());
    machine.instance = pending.instance.clone();
    machine.set_frame(&pending.claim, &pending.captured, values);
    machine
}
