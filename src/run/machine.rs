//! The machine: frames, calls, budgets, and what it shares with other machines.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::compiled::Desk;
use super::instance::{Instance, Instances};
use super::procedure::Acting;
use super::trace::Trace;
use super::value::{Closure, Value};
use super::{Fault, Output, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::group::fact::Fact;
use crate::group::{Unfinished, Work};
use crate::perm::Perm;
use crate::resolve::program::*;
use crate::resolve::{Library, how_many};
use crate::source::{SourceMap, Span};

/// What a run may use. The steps are counted for each top-level statement and each instance of a claim.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// evaluations of calls, rounds of loops and elements
    pub max_steps: u64,
    /// bytes that one value may need
    pub max_memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_steps: 300_000_000, max_memory: 2 << 30 }
    }
}

/// Calls deeper than this are an error.
const MAX_CALLS: u32 = 2_000;

/// Values inside values deeper than this are an error.
const MAX_VALUE_DEPTH: usize = 400;

/// What all machines of a session share.
#[derive(Default)]
pub struct Shared {
    pub limits: Limits,
    /// 0: run on, 1: interrupted, 2: out of time
    pub stop: Arc<AtomicU8>,
    /// are facts about groups noted, for other systems to check them again?
    pub note_facts: bool,
    /// are procedures run as they are written, without being compiled?
    pub interpret: bool,
    /// are the larger ranges taken, and the claims checked that are only for a thorough check?
    pub thorough: bool,
    /// are procedures that run outside claims traced?
    pub trace_runs: bool,
    pub(super) instances: Mutex<Instances>,
    /// which procedures were compiled
    pub(crate) procedures: Mutex<Vec<ProcedureNote>>,
}

/// A procedure that was to be compiled.
#[derive(Clone, Debug)]
pub struct ProcedureNote {
    pub instance: String,
    pub name: String,
    /// how many instructions it became
    pub instructions: usize,
    /// why it runs as it is written instead
    pub refused: Option<&'static str>,
}

impl Shared {
    pub fn new(limits: Limits, note_facts: bool, thorough: bool) -> Shared {
        Shared { limits, note_facts, thorough, ..Shared::default() }
    }
}

/// The values of files' `let`s and `fn`s, by module and index.
pub type Globals = Vec<Vec<Value>>;

/// A claim met on the way, with what it sees.
#[derive(Clone, Debug)]
pub struct Pending {
    pub claim: Arc<Claim>,
    pub captured: Vec<Value>,
    pub instance: Option<Arc<Instance>>,
    /// how much the statement around it had said before
    pub said_before: usize,
}

pub struct Machine<'p> {
    pub(super) library: &'p Library,
    pub(super) sources: &'p SourceMap,
    pub shared: &'p Shared,
    pub globals: Arc<Globals>,
    pub frame: Vec<Value>,
    pub instance: Option<Arc<Instance>>,
    pub output: Vec<Output>,
    pub claims: Vec<Pending>,
    /// what was said about groups, if that is wanted
    pub facts: Vec<Fact>,
    /// the last arrangement that could not be solved: an assertion that fails with it says why
    pub(super) refused: Option<(Arc<Instance>, Perm)>,
    /// what searches found out on the way, in sentences
    pub(super) searches: Vec<String>,
    /// how many assertions were evaluated
    pub assertions: u64,
    steps: u64,
    calls: u32,
    /// how often a variable was given a tuple, set, dictionary or function
    changes: u64,
    /// at which change a value is looked at next
    next_look: u64,
    /// the board that an algorithm acts on
    pub(super) acting: Option<Box<Acting>>,
    /// the trace of the procedure that runs, if one is made
    pub(super) tracing: Option<Box<Trace>>,
    /// procedures that are run now are traced
    pub trace_runs: bool,
    /// lines of a REPL: there is a board to act on outside algorithms too
    pub interactive: bool,
    /// `do` or `run` is about to call an algorithm
    pub(super) permitted: bool,
    /// something is evaluated apart from what is going on
    pub(super) is_apart: bool,
    /// what some words did on a puzzle with a blank
    pub(super) walked: super::slide::Walked,
    /// members being evaluated, to find circles that only show when running
    pub(super) evaluating: Vec<(usize, MemberId)>,
    /// what compiled procedures need
    pub(super) desk: Desk,
}

impl<'p> Machine<'p> {
    pub fn new(library: &'p Library, sources: &'p SourceMap, shared: &'p Shared, globals: Arc<Globals>) -> Machine<'p> {
        Machine {
            library,
            sources,
            shared,
            globals,
            frame: Vec::new(),
            instance: None,
            output: Vec::new(),
            claims: Vec::new(),
            facts: Vec::new(),
            refused: None,
            searches: Vec::new(),
            assertions: 0,
            steps: 0,
            calls: 0,
            changes: 0,
            next_look: 16,
            acting: None,
            tracing: None,
            trace_runs: shared.trace_runs,
            interactive: false,
            permitted: false,
            is_apart: false,
            walked: super::slide::Walked::default(),
            evaluating: Vec::new(),
            desk: Desk::default(),
        }
    }

    /// Runs one statement of a file. The file's `var`s keep their slots from one statement to the next.
    pub fn run_statement(&mut self, statement: &St, frame: u32) -> Run<()> {
        self.steps = 0;
        self.frame.resize(frame as usize, Value::Nothing);
        self.statement(statement).map(|_| ())
    }

    /// Evaluates an expression that is a whole statement, and keeps its value for showing.
    pub fn run_shown(&mut self, ex: &Ex, frame: u32) -> Run<()> {
        self.steps = 0;
        self.frame.resize(frame as usize, Value::Nothing);
        let value = self.shown_value(ex)?;
        if !matches!(value, Value::Nothing) {
            self.output.push(Output::Value { value, written: self.source_text(ex.span), span: ex.span });
        }
        Ok(())
    }

    /// A frame for a claim: what it captured, and the values of its names.
    pub fn set_frame(&mut self, claim: &Claim, captured: &[Value], values: &[Value]) {
        self.steps = 0;
        self.frame.clear();
        self.frame.resize(claim.code.frame as usize, Value::Nothing);
        for ((_, slot), value) in claim.code.captures.iter().zip(captured) {
            self.frame[*slot as usize] = value.clone();
        }
        for ((_, slot), value) in claim.names.iter().zip(values) {
            self.frame[*slot as usize] = value.clone();
        }
    }

    pub fn slot(&self, slot: Slot) -> Value {
        self.frame.get(slot as usize).cloned().unwrap_or(Value::Nothing)
    }

    pub fn set_slot(&mut self, slot: Slot, value: Value) {
        if let Some(place) = self.frame.get_mut(slot as usize) {
            *place = value;
        }
    }

    /// Evaluates an expression in the present frame.
    pub fn value_of(&mut self, ex: &Ex) -> Run<Value> {
        self.eval(ex)
    }

    /// Runs the body of a claim in the present frame.
    pub fn run_claim(&mut self, claim: &Claim) -> Run<()> {
        self.trace_runs = false;
        if let Some(on) = &claim.on {
            self.instance = Some(self.instance_of(on)?);
        }
        self.block(&claim.code.body).map(|_| ())
    }

    /// Counts one step; stops when the budget is used up or somebody asks for a stop.
    pub(super) fn step(&mut self, span: Span) -> Run<()> {
        self.steps += 1;
        if self.steps & 0x3ff == 0 {
            self.check_stop(span)?;
        }
        Ok(())
    }

    #[cold]
    fn check_stop(&mut self, span: Span) -> Run<()> {
        match self.shared.stop.load(Ordering::Relaxed) {
            0 => {}
            1 => return Err(Fault::Interrupted),
            _ => {
                return Err(Fault::Budget(Box::new(
                    Diagnostic::at(codes::OUT_OF_TIME, span, "the time ran out", "it was here then")
                        .help("give it more with `--timeout SECONDS`"),
                )));
            }
        }
        if self.steps > self.shared.limits.max_steps {
            return Err(Fault::Budget(Box::new(
                Diagnostic::at(
                    codes::TOO_MANY_STEPS,
                    span,
                    format!("more than {} steps", self.shared.limits.max_steps),
                    "it was here then",
                )
                .help("does this loop end? Else give it more with `--max-steps N`"),
            )));
        }
        Ok(())
    }

    /// Counts the steps of something that costs as much as many.
    pub(super) fn charge(&mut self, steps: u64, span: Span) -> Run<()> {
        self.steps = self.steps.saturating_add(steps);
        self.check_stop(span)
    }

    /// How many steps are left.
    pub(super) fn steps_left(&self) -> u64 {
        self.shared.limits.max_steps.saturating_sub(self.steps)
    }

    /// How much deeper calls may be nested.
    pub(super) fn calls_left(&self) -> u32 {
        MAX_CALLS.saturating_sub(self.calls)
    }

    /// Evaluates something apart from what is going on: in a frame of its own, without a board, with few steps, which are
    /// not counted. `None` if it fails, or does anything but have a value.
    pub(super) fn apart<T>(
        &mut self,
        frame: Vec<Value>,
        instance: Option<Arc<Instance>>,
        steps: u64,
        eval: impl FnOnce(&mut Self) -> Run<T>,
    ) -> Option<T> {
        let (said, claims, assertions, spent) = (self.output.len(), self.claims.len(), self.assertions, self.steps);
        self.steps = spent.max(self.shared.limits.max_steps.saturating_sub(steps));
        let frame = std::mem::replace(&mut self.frame, frame);
        let instance = std::mem::replace(&mut self.instance, instance);
        let acting = self.acting.take();
        let interactive = std::mem::take(&mut self.interactive);
        let permitted = std::mem::take(&mut self.permitted);
        let refused = self.refused.take();
        let is_apart = std::mem::replace(&mut self.is_apart, true);
        let result = eval(self);
        self.is_apart = is_apart;
        self.refused = refused;
        self.permitted = permitted;
        self.acting = acting;
        self.interactive = interactive;
        self.instance = instance;
        self.frame = frame;
        self.steps = spent;
        let quiet = self.output.len() == said && self.claims.len() == claims && self.assertions == assertions;
        self.output.truncate(said);
        self.claims.truncate(claims);
        self.assertions = assertions;
        result.ok().filter(|_| quiet)
    }

    /// What a computation of the mathematics gives, and how many steps it took. It stops when the budget is used up or
    /// somebody asks for a stop.
    pub(super) fn counted<T>(
        &self,
        compute: impl FnOnce(Work<'_>) -> Result<T, Unfinished>,
    ) -> (Result<T, Unfinished>, u64) {
        let spent = AtomicU64::new(0);
        let left = self.shared.limits.max_steps.saturating_sub(self.steps);
        let goes_on = |steps: u64| {
            let before = spent.fetch_add(steps, Ordering::Relaxed);
            before.saturating_add(steps) <= left && self.shared.stop.load(Ordering::Relaxed) == 0
        };
        let result = compute(Work::new(&goes_on));
        (result, spent.into_inner())
    }

    /// A loop that packs a value into a tuple again and again would make it too deep to print, compare or even forget.
    /// Looking at all of it costs its size, so only some changes are looked at.
    pub(super) fn check_depth(&mut self, value: &Value, span: Span) -> Run<()> {
        if !matches!(value, Value::Tuple(_) | Value::Set(_) | Value::Map(_) | Value::Function(_)) {
            return Ok(());
        }
        self.changes += 1;
        if self.changes < self.next_look {
            return Ok(());
        }
        let most = self.shared.limits.max_memory / std::mem::size_of::<Value>() as u64;
        let mut parts = most;
        let Some(depth) = value.depth(MAX_VALUE_DEPTH, &mut parts) else {
            return Err(if parts == 0 {
                Fault::Budget(Box::new(
                    Diagnostic::at(
                        codes::TOO_MUCH_MEMORY,
                        span,
                        format!("this value has more than {most} parts"),
                        "it grows here",
                    )
                    .help("a value inside itself doubles with each round: keep a number, or a flat tuple"),
                ))
            } else {
                Fault::at(
                    codes::TOO_DEEP,
                    span,
                    format!("this value has values inside each other more than {MAX_VALUE_DEPTH} deep"),
                    "it gets deeper here",
                    "add elements to a flat tuple with `xs ++ (x,)`",
                )
            });
        };
        // a deep value may double with each change; a flat one is looked at as seldom as it is large
        self.next_look = self.changes + if depth > 8 { 4 } else { 16 + (most - parts) / 100 };
        Ok(())
    }

    /// Counts an operation with integers of so many bits whose cost is the square of their length.
    pub(super) fn charge_square(&mut self, bits: u64, span: Span) -> Run<()> {
        let limbs = bits / 64 + 1;
        self.charge(limbs.saturating_mul(limbs) / 8, span)
    }

    /// May a value of so many elements be made?
    pub(super) fn room_for(&self, elements: u128, span: Span) -> Run<()> {
        let bytes = elements.saturating_mul(std::mem::size_of::<Value>() as u128);
        if bytes > u128::from(self.shared.limits.max_memory) {
            return Err(Fault::Budget(Box::new(
                Diagnostic::at(
                    codes::TOO_MUCH_MEMORY,
                    span,
                    format!(
                        "this value would need {}; one value may have {}",
                        size(bytes),
                        size(self.shared.limits.max_memory.into())
                    ),
                    "too large",
                )
                .help("make it smaller, or allow more with `--max-memory`"),
            )));
        }
        Ok(())
    }

    /// How many elements of a sequence may be asked for at most, for words that are spelled out.
    pub(super) fn spell_limit(&self) -> usize {
        (self.shared.limits.max_memory / 64).try_into().unwrap_or(usize::MAX)
    }

    /// Makes a closure of a function in the present frame.
    pub(super) fn close(&self, function: &Arc<Function>) -> Value {
        let captured = function.captures.iter().map(|(outer, _)| self.slot(*outer)).collect();
        Value::Function(Arc::new(Closure { function: function.clone(), captured, instance: self.instance.clone() }))
    }

    /// Calls a function of the language.
    pub(super) fn call(&mut self, closure: &Arc<Closure>, args: Vec<Value>, span: Span) -> Run<Value> {
        let function = &closure.function;
        if args.len() != function.params.len() {
            return Err(Fault::at(
                codes::WRONG_ARGUMENTS,
                span,
                format!("`{}` takes {}", function.name, how_many(function.params.len(), "argument")),
                format!("{} given", args.len()),
                format!("write `{}({})`", function.name, function.params.join(", ")),
            ));
        }
        self.may_act(function, span)?;
        self.step(span)?;
        let instance = closure.instance.clone().or_else(|| self.acting_instance(function));
        self.in_frame(function, instance, span, |machine| {
            for ((_, own), value) in function.captures.iter().zip(&closure.captured) {
                machine.frame[*own as usize] = value.clone();
            }
            if let Some(own) = function.own_slot {
                machine.frame[own as usize] = Value::Function(closure.clone());
            }
            for (slot, value) in args.into_iter().enumerate() {
                machine.frame[slot] = value;
            }
        })
    }

    /// Runs a function's body in a fresh frame that `prepare` fills.
    pub(super) fn in_frame(
        &mut self,
        function: &Function,
        instance: Option<Arc<Instance>>,
        span: Span,
        prepare: impl FnOnce(&mut Self),
    ) -> Run<Value> {
        self.enter_call(&function.name, span)?;
        let outer = std::mem::replace(&mut self.frame, vec![Value::Nothing; function.frame as usize]);
        let outer_instance = std::mem::replace(&mut self.instance, instance);
        prepare(self);
        if function.algorithm {
            self.tracing.iter_mut().for_each(|trace| trace.enter(&function.name));
        }
        let mut result = stacker::maybe_grow(128 << 10, 2 << 20, || self.block(&function.body));
        if function.algorithm {
            self.tracing.iter_mut().for_each(|trace| trace.leave());
            if result.is_ok()
                && let Err(fault) = self.check_ensures(function)
            {
                result = Err(fault);
            }
            if let Err(fault) = &mut result {
                self.describe_failure(function, fault);
            }
        }
        // whoever called is to blame for a requirement that is not met
        let mistake = match &mut result {
            Err(Fault::Error(diagnostic)) => Some(&mut **diagnostic),
            Err(Fault::Failed(failure)) => Some(&mut failure.diagnostic),
            _ => None,
        };
        if let Some(diagnostic) = mistake
            && diagnostic.code == codes::REQUIRE_FAILED
            && diagnostic.labels.len() == 1
            && diagnostic.span() != Some(span)
        {
            diagnostic.labels.push(crate::diagnostic::Label { span, text: "called here".to_string() });
        }
        self.frame = outer;
        self.instance = outer_instance;
        self.leave_call();
        result.map(|flow| flow.value())
    }

    /// Counts a call that is not over yet.
    pub(super) fn enter_call(&mut self, name: &str, span: Span) -> Run<()> {
        if self.calls >= MAX_CALLS {
            return Err(Fault::at(
                codes::TOO_MANY_CALLS,
                span,
                format!("calls are nested more than {MAX_CALLS} deep"),
                format!("`{name}` called once more here"),
                "does the recursion end? A loop needs no nesting",
            ));
        }
        self.calls += 1;
        Ok(())
    }

    pub(super) fn leave_call(&mut self) {
        self.calls -= 1;
    }

    pub(super) fn source_text(&self, span: Span) -> String {
        self.sources.get(span.file).slice(span).to_string()
    }
}

/// A size in memory for people.
fn size(bytes: u128) -> String {
    const UNITS: &[&str] = &["bytes", "KB", "MB", "GB", "TB"];
    let mut unit = 0;
    let mut count = bytes;
    while count >= 10_000 && unit + 1 < UNITS.len() {
        count /= 1024;
        unit += 1;
    }
    if count >= 10_000 { "more memory than any computer has".to_string() } else { format!("{count} {}", UNITS[unit]) }
}

/// All values of the names of a claim's `for`, in the order of its nested loops.
pub fn enumerate_clauses(machine: &mut Machine<'_>, claim: &Claim, clauses: &Clauses) -> Run<Vec<Vec<Value>>> {
    let mut all = Vec::new();
    machine.each(clauses, &mut |machine| {
        all.push(claim.names.iter().map(|(_, slot)| machine.slot(*slot)).collect());
        machine.room_for(all.len() as u128 * 4, clauses.span)?;
        Ok(true)
    })?;
    Ok(all)
}
