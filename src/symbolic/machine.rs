//! The machine: what is known, frames, calls, members, limits, evidence.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rustc_hash::FxHashMap;

use super::puzzle::Puzzles;
use super::{Closure, Follow, Stop, SymbolicPuzzle, Value};
use crate::prove::work;
use crate::prove::{Constraint, Done, FIRST, Need, Piecewise, Region, Union, Var};
use crate::resolve::Library;
use crate::resolve::program::*;
use crate::run::machine::Globals;
use crate::source::{SourceMap, Span};

/// No variable with a name is as large as this one.
const LAST: Var = 60_000;

/// Calls deeper than this are not followed.
const MAX_CALLS: u32 = 400;

/// In calls nested more deeply than this no new cases are made.
const SPLIT_CALLS: u32 = 24;

/// Evidence, in the order in which it arose. Regions are over coordinate variables and names.
#[derive(Clone, Debug)]
pub enum Note {
    /// an assertion that holds, after the notes that led to it
    Holds { span: Span },
    /// where a set goes, letter by letter; `of` is how the set is written
    Image { span: Span, word: String, of: String, start: Union, steps: Vec<ImageStep> },
    /// what a word does, letter by letter
    Map { span: Span, word: String, steps: Vec<MapStep>, result: Arc<Piecewise> },
}

/// A letter, or equal letters in a row, and what it does with a set.
#[derive(Clone, Debug)]
pub struct ImageStep {
    pub letter: String,
    pub parts: Vec<Part>,
}

/// Some cells before and after a letter.
#[derive(Clone, Debug)]
pub struct Part {
    pub before: Region,
    pub after: Region,
    /// false: the letter leaves these cells where they are
    pub moved: bool,
}

/// A letter, or equal letters in a row, and the product so far.
#[derive(Clone, Debug)]
pub struct MapStep {
    pub letter: String,
    pub map: Arc<Piecewise>,
}

/// Something found while `known` began with some constraints; good as long as it still does.
#[derive(Clone, Debug)]
pub struct Kept<T> {
    under: Vec<Constraint>,
    value: T,
}

impl<T> Kept<T> {
    pub fn new(known: &Region, value: T) -> Kept<T> {
        Kept { under: known.constraints.clone(), value }
    }

    pub fn get(&self, known: &Region) -> Option<&T> {
        known.constraints.starts_with(&self.under).then_some(&self.value)
    }
}

/// The first of some things kept that is still good.
pub fn kept<'k, T>(all: &'k [Kept<T>], known: &Region) -> Option<&'k T> {
    all.iter().rev().find_map(|kept| kept.get(known))
}

/// The value of a member, with its puzzle, so that the puzzle stays where it is as long as the value is known by its place.
type KeptMember = Kept<(Arc<SymbolicPuzzle>, Value)>;

pub struct Machine<'p> {
    pub library: &'p Library,
    pub sources: &'p SourceMap,
    pub(super) globals: Arc<Globals>,
    /// what is known of the parameters, and inside scopes of their variables; only ever appended to inside them
    pub known: Region,
    /// the names of the variables from [`FIRST`] on; a variable is never used twice
    names: Vec<String>,
    pub(super) frame: Vec<Value>,
    /// for each slot of the frame, inside how many scopes it was last bound
    bound_in: Vec<u32>,
    /// the puzzle in force
    pub instance: Option<Arc<SymbolicPuzzle>>,
    pub notes: Vec<Note>,
    /// is evidence wanted?
    pub wants_notes: bool,
    /// how many assertions were evaluated
    pub assertions: u64,
    /// regions (of parameters and scopes) in which assertions were evaluated, if there is a point in them
    pub(super) perhaps_asserted: Vec<Region>,
    /// inside how many scopes we are
    pub(super) scopes: u32,
    pub(super) steps: u64,
    pub(super) max_steps: u64,
    pub(super) stop: &'p AtomicU8,
    calls: u32,
    /// where we are, for what has no place of its own
    pub(super) at: Span,
    members: FxHashMap<(usize, MemberId), Vec<KeptMember>>,
    evaluating: Vec<(usize, MemberId)>,
    pub(super) converted: FxHashMap<(ModuleId, u32), Value>,
    /// what is kept of puzzles
    pub(super) puzzles: Puzzles,
}

impl<'p> Machine<'p> {
    pub fn new(
        library: &'p Library,
        sources: &'p SourceMap,
        globals: Arc<Globals>,
        stop: &'p AtomicU8,
        max_steps: u64,
    ) -> Machine<'p> {
        Machine {
            library,
            sources,
            globals,
            known: Region::all(),
            names: Vec::new(),
            frame: Vec::new(),
            instance: None,
            notes: Vec::new(),
            wants_notes: false,
            assertions: 0,
            perhaps_asserted: Vec::new(),
            scopes: 0,
            bound_in: Vec::new(),
            steps: 0,
            max_steps,
            stop,
            calls: 0,
            at: Span::default(),
            members: FxHashMap::default(),
            evaluating: Vec::new(),
            converted: FxHashMap::default(),
            puzzles: Puzzles::default(),
        }
    }

    /// A new variable with a name for people.
    pub fn fresh(&mut self, name: &str, span: Span) -> Follow<Var> {
        let next = usize::from(FIRST) + self.names.len();
        match Var::try_from(next) {
            // those above are taken for other purposes
            Ok(var) if var < LAST => {
                self.names.push(name.to_string());
                Ok(var)
            }
            _ => Err(Stop::beyond(span, "so many names that stand for numbers", "split the claim")),
        }
    }

    /// The names of all variables from [`FIRST`] on.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a variable.
    pub fn name(&self, var: Var) -> String {
        match usize::from(var).checked_sub(usize::from(FIRST)).and_then(|at| self.names.get(at)) {
            Some(name) => name.clone(),
            None => format!("x{}", var + 1),
        }
    }

    /// Is a constraint true at all points of what is known, or false at all? Else both cases are to be looked at.
    pub fn decide(&mut self, constraint: &Constraint) -> Follow<bool> {
        if let Some(truth) = constraint.truth() {
            return Ok(truth);
        }
        if self.known.entails(constraint) {
            return Ok(true);
        }
        if self.known.refutes(constraint) {
            return Ok(false);
        }
        Err(Stop::Split(constraint.clone()))
    }

    /// What the mathematics answers, with the place that asked.
    pub fn done<T>(&self, answer: Done<T>, span: Span) -> Follow<T> {
        match answer {
            Ok(value) => Ok(value),
            Err(Need::Split(constraint)) if constraint.vars().all(|var| var >= FIRST) => Err(Stop::Split(constraint)),
            Err(Need::Split(_)) => {
                Err(Stop::beyond(span, "this set of cells", "split the claim, or give a range: `for n in 5..24`"))
            }
            // whatever it was that could not be found out
            Err(Need::Stuck(_)) if work::is_over() => Err(Stop::Steps { span }),
            Err(Need::Stuck(what)) => {
                Err(Stop::beyond(span, what, "split the claim, or give a range: `for n in 5..24`"))
            }
        }
    }

    /// Counts one step; stops when there were too many, or somebody asks for a stop.
    pub fn step(&mut self, span: Span) -> Follow<()> {
        self.steps += 1;
        let spent = work::spent();
        if self.steps.saturating_add(spent) > self.max_steps
            || work::is_over()
            || (self.steps & 0x3f == 0 && self.stop.load(Ordering::Relaxed) != 0)
        {
            return Err(Stop::Steps { span });
        }
        Ok(())
    }

    pub(super) fn slot(&self, slot: Slot) -> Value {
        self.frame.get(slot as usize).cloned().unwrap_or(Value::Nothing)
    }

    pub(super) fn set_slot(&mut self, slot: Slot, value: Value) {
        if let Some(place) = self.frame.get_mut(slot as usize) {
            *place = value;
            if let Some(depth) = self.bound_in.get_mut(slot as usize) {
                *depth = self.scopes;
            }
        }
    }

    /// Gives a `var` another value. Inside a scope, where one element stands for many, only what is bound there may change.
    pub(super) fn change_slot(&mut self, slot: Slot, value: Value, span: Span) -> Follow<()> {
        if self.bound_in.get(slot as usize).is_none_or(|depth| *depth < self.scopes) {
            return Err(Stop::beyond(
                span,
                "a change of something outside in one of many rounds that are followed together",
                "give a range instead: `for n in 5..24`",
            ));
        }
        self.set_slot(slot, value);
        Ok(())
    }

    /// A frame to begin with.
    pub(super) fn begin(&mut self, frame: u32) {
        self.frame = vec![Value::Nothing; frame as usize];
        self.bound_in = vec![self.scopes; frame as usize];
    }

    /// The puzzle in force.
    pub fn in_force(&self, span: Span) -> Follow<Arc<SymbolicPuzzle>> {
        self.instance.clone().ok_or_else(|| Stop::wrong(span, "no puzzle is in force here"))
    }

    pub fn source_text(&self, span: Span) -> String {
        self.sources.get(span.file).slice(span).to_string()
    }

    /// Makes a closure of a function in the present frame.
    pub(super) fn close(&self, function: &Arc<Function>) -> Value {
        let captured = function.captures.iter().map(|(outer, _)| self.slot(*outer)).collect();
        Value::Function(Arc::new(Closure { function: function.clone(), captured, instance: self.instance.clone() }))
    }

    /// Calls a function of the language.
    pub fn call(&mut self, closure: &Arc<Closure>, args: Vec<Value>, span: Span) -> Follow<Value> {
        let function = &closure.function;
        if args.len() != function.params.len() {
            return Err(Stop::wrong(
                span,
                format!("`{}` has {} arguments, {} are given", function.name, function.params.len(), args.len()),
            ));
        }
        if function.algorithm {
            return Err(Stop::beyond(
                span,
                format!("the algorithm `{}`, which looks at a board", function.name),
                "give a range instead: `for n in 5..24`",
            ));
        }
        self.step(span)?;
        let instance = closure.instance.clone();
        self.in_frame(function, instance, span, |machine| {
            for ((_, own), value) in function.captures.iter().zip(&closure.captured) {
                machine.set_slot(*own, value.clone());
            }
            if let Some(own) = function.own_slot {
                machine.set_slot(own, Value::Function(closure.clone()));
            }
            for (slot, value) in args.into_iter().enumerate() {
                machine.set_slot(slot as Slot, value);
            }
        })
    }

    /// Runs a function's body in a fresh frame that `prepare` fills.
    pub fn in_frame(
        &mut self,
        function: &Function,
        instance: Option<Arc<SymbolicPuzzle>>,
        span: Span,
        prepare: impl FnOnce(&mut Self),
    ) -> Follow<Value> {
        self.apart(function.frame, instance, span, |machine| {
            prepare(machine);
            machine.block(&function.body).map(|flow| flow.value())
        })
    }

    /// Evaluates something in a fresh frame of some size, with a puzzle in force.
    pub fn apart<T>(
        &mut self,
        frame: u32,
        instance: Option<Arc<SymbolicPuzzle>>,
        span: Span,
        eval: impl FnOnce(&mut Self) -> Follow<T>,
    ) -> Follow<T> {
        if self.calls >= MAX_CALLS {
            return Err(Stop::beyond(
                span,
                format!("calls nested more than {MAX_CALLS} deep"),
                "give a range instead: `for n in 5..24`",
            ));
        }
        self.calls += 1;
        let outer = std::mem::take(&mut self.frame);
        let outer_bound = std::mem::take(&mut self.bound_in);
        self.begin(frame);
        let outer_instance = std::mem::replace(&mut self.instance, instance);
        let mut result = stacker::maybe_grow(128 << 10, 2 << 20, || eval(self));
        if let Err(Stop::Split(_)) = result
            && self.calls > SPLIT_CALLS
        {
            // one case for each depth would not end
            result = Err(Stop::beyond(
                span,
                "a recursion whose depth depends on the parameters",
                "give a range instead: `for n in 5..24`",
            ));
        }
        self.frame = outer;
        self.bound_in = outer_bound;
        self.instance = outer_instance;
        self.calls -= 1;
        result
    }

    /// The value of a member of a puzzle.
    pub fn member(&mut self, ids: &[MemberId], instance: &Arc<SymbolicPuzzle>, span: Span) -> Follow<Value> {
        let id = self.fitting_member(ids, instance, span)?;
        let library = self.library;
        let member = library.member(id);
        let function = match &member.kind {
            MemberKind::Fn(function) => {
                let closure =
                    Closure { function: function.clone(), captured: Vec::new(), instance: Some(instance.clone()) };
                return Ok(Value::Function(Arc::new(closure)));
            }
            MemberKind::Let(function) => function,
        };
        let key = (Arc::as_ptr(instance) as usize, id);
        if let Some((_, value)) = self.members.get(&key).and_then(|all| kept(all, &self.known)) {
            return Ok(value.clone());
        }
        if self.evaluating.contains(&key) {
            return Err(Stop::wrong(member.span, format!("`{}` needs its own value", member.name)));
        }
        self.evaluating.push(key);
        let value = self.in_frame(function, Some(instance.clone()), span, |_| ());
        self.evaluating.pop();
        // evidence shows what has a name as one step
        let value = match value? {
            Value::Word(word) => Value::Word(word.named(&member.name)),
            value => value,
        };
        let entry = Kept::new(&self.known, (instance.clone(), value.clone()));
        self.members.entry(key).or_default().push(entry);
        Ok(value)
    }

    /// Of several members of one name, the one whose `extend` fits the instance best.
    fn fitting_member(&mut self, ids: &[MemberId], instance: &Arc<SymbolicPuzzle>, span: Span) -> Follow<MemberId> {
        let library = self.library;
        let mut fitting: Vec<(usize, MemberId)> = Vec::new();
        for id in ids {
            let only = &library.member(*id).only;
            let mut fits = true;
            for (only, arg) in only.iter().zip(&instance.args) {
                let Some(wanted) = only else { continue };
                fits = match (i64::try_from(wanted), arg) {
                    (Ok(wanted), Value::Number(poly)) => {
                        let poly = poly.clone();
                        self.is_number(&poly, wanted, span)?
                    }
                    (Err(_), Value::Number(_)) => {
                        return Err(Stop::beyond(span, "a number as large as this", "use smaller numbers"));
                    }
                    _ => false,
                };
                if !fits {
                    break;
                }
            }
            if fits {
                fitting.push((only.iter().flatten().count(), *id));
            }
        }
        let best = fitting.iter().map(|(weight, _)| *weight).max();
        let best: Vec<MemberId> =
            fitting.into_iter().filter(|(weight, _)| Some(*weight) == best).map(|(_, id)| id).collect();
        match best.as_slice() {
            [only] => Ok(*only),
            [] => {
                let name = ids.first().map_or("", |id| &library.member(*id).name);
                Err(Stop::wrong(span, format!("`{name}` is not a member of {}", instance.name)))
            }
            [one, ..] => {
                let name = &library.member(*one).name;
                Err(Stop::wrong(span, format!("two files add `{name}` to {}", instance.name)))
            }
        }
    }

    /// The module of a place in a script.
    pub(super) fn module_of(&self, span: Span) -> ModuleId {
        let at = self
            .library
            .modules
            .iter()
            .rposition(|module| module.file == span.file || module.files.contains(&span.file))
            .unwrap_or(0);
        ModuleId(at as u32)
    }
}
