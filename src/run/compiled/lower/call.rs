//! Calls: atoms side by side, functions written in place, and `do`.

use std::sync::Arc;

use super::condition::is_plain;
use super::free::assigned;
use super::{DEEPEST, Frame, Label, Lowering, Lowers, MOST_CALLS, Refused};
use crate::resolve::program::*;
use crate::run::builtin;
use crate::run::compiled::code::{Code, Part, Reg};
use crate::run::compiled::low::{Callee, Kind, Low};
use crate::run::value::{Closure, Value};
use rustc_hash::FxHashSet;

/// Functions of a cell become tables on boards of so many cells, if each entry takes few steps.
const MOST_TABULATED: usize = 1024;
const FEW_STEPS: u64 = 10_000;

/// A place in the code, and what was noted before it.
struct Place {
    code: usize,
    labels: usize,
    spans: usize,
    looks: bool,
    repeats: bool,
}

impl Lowering<'_, '_> {
    /// The value of a run of atoms, if it is not a product of several.
    pub(super) fn run_of(&mut self, factors: &[Fx]) -> Lowers<Option<Low>> {
        let (value, used) = self.factor(factors)?;
        Ok((used == factors.len()).then_some(value))
    }

    /// The first factor with what belongs to it, and how many atoms that are.
    pub(super) fn factor(&mut self, factors: &[Fx]) -> Lowers<(Low, usize)> {
        let first = factors.first().ok_or(Refused("a run of nothing"))?;
        // as many atoms as possible that are known together
        let mut value = match self.callee(first) {
            Some(value) => value,
            None => {
                let value = self.low(&first.atom)?;
                self.postfixes(value, first)?
            }
        };
        let mut at = 1;
        while let Some(next) = factors.get(at) {
            value = self.looked_up(value)?;
            let joined = match (&next.atom.kind, &value) {
                (ExKind::Paren(args), Low::Const(Value::Builtin(id))) => Some(self.builtin(*id, args)?),
                (ExKind::Paren(args), Low::Const(Value::Function(closure))) => {
                    let callee = callee_of(closure);
                    let args = self.arguments(args)?;
                    Some(self.call(&callee, args)?)
                }
                (ExKind::Paren(args), Low::Function(callee)) => {
                    let callee = callee.clone();
                    let args = self.arguments(args)?;
                    Some(self.call(&callee, args)?)
                }
                (ExKind::Paren(args), Low::Const(word @ (Value::Word(_) | Value::Perm(_)))) => {
                    let word = word.clone();
                    self.image(&word, args)?
                }
                (ExKind::Paren(_), _) => return Err(Refused("a call of something that is not known")),
                (ExKind::Bracket(bracket), Low::Const(Value::Family(instance, id))) => {
                    let instance = instance.clone();
                    let indices = bracket.entries.iter().map(|entry| self.low(entry)).collect::<Lowers<Vec<Low>>>()?;
                    Some(self.member(&instance, *id, &indices)?)
                }
                (ExKind::Bracket(bracket), Low::Const(Value::Tuple(_) | Value::Range(..) | Value::Map(_)))
                | (ExKind::Bracket(bracket), Low::Tuple(_) | Low::Row { .. } | Low::Cell(_)) => {
                    let [entry] = bracket.entries.as_slice() else { return Err(Refused("several indices")) };
                    let index = self.low(entry)?;
                    Some(self.element(&value, &index)?)
                }
                (ExKind::Bracket(_), _) => return Err(Refused("a bracket that is not known")),
                _ => None,
            };
            let Some(joined) = joined else { break };
            value = self.postfixes(joined, next)?;
            at += 1;
        }
        Ok((value, at))
    }

    /// A function or family that is named: known, without a call.
    fn callee(&mut self, factor: &Fx) -> Option<Low> {
        if !factor.postfix.is_empty() {
            return None;
        }
        match &factor.atom.kind {
            ExKind::Builtin(id) => Some(Low::Const(Value::Builtin(*id))),
            ExKind::Member(_) | ExKind::Global(..) | ExKind::Move(_) => self.constant(&factor.atom).map(Low::Const),
            _ => None,
        }
    }

    pub(super) fn arguments(&mut self, args: &Args) -> Lowers<Vec<Low>> {
        let mut values = Vec::with_capacity(args.items.len());
        for item in &args.items {
            if item.label.is_some() || item.arrow.is_some() {
                return Err(Refused("an argument with a name"));
            }
            values.push(match &item.clauses {
                None => self.low(&item.value)?,
                Some(_) => return Err(Refused("a sequence as an argument")),
            });
        }
        Ok(values)
    }

    /// A call of a function, which must not be an algorithm.
    fn call(&mut self, callee: &Callee, args: Vec<Low>) -> Lowers<Low> {
        if callee.function.algorithm {
            return Err(Refused("an algorithm is called like a function"));
        }
        if let Some(entry) = self.tabulated(callee, &args) {
            return Ok(entry);
        }
        let place = self.mark();
        let mut given = Vec::new();
        args.iter().chain(callee.captured.iter().map(|(_, low)| low)).for_each(|low| registers(low, &mut given));
        let value = self.inline(callee, args, true)?;
        if !self.is_worth_keeping(&place)
            || !matches!(value, Low::Bool(_) | Low::Int(_) | Low::Counted(_) | Low::Cell(_))
        {
            self.since(place);
            return Ok(value);
        }
        let mut kept = Vec::new();
        registers(&value, &mut kept);
        self.frame_part(place, given, kept, Code::Ask, Code::Answer)?;
        Ok(value)
    }

    /// A function of one cell that looks at nothing else becomes a table, on boards that are not large.
    fn tabulated(&mut self, callee: &Callee, args: &[Low]) -> Option<Low> {
        let [Low::Cell(at)] = args else { return None };
        let here = callee.instance.as_ref().is_none_or(|instance| Arc::ptr_eq(instance, &self.instance));
        if !here || !callee.captured.is_empty() || self.instance.cells.len() > MOST_TABULATED {
            return None;
        }
        let key = Arc::as_ptr(&callee.function);
        if let Some(known) = self.tabulated.get(&key) {
            return known.clone().map(|(table, kind)| Low::Entry { at: *at, table, kind });
        }
        let table = self.tabulate(callee);
        self.tabulated.insert(key, table.clone());
        table.map(|(table, kind)| Low::Entry { at: *at, table, kind })
    }

    fn tabulate(&mut self, callee: &Callee) -> Option<(u32, Kind)> {
        let closure = Arc::new(Closure {
            function: callee.function.clone(),
            captured: Vec::new(),
            instance: callee.instance.clone(),
        });
        let mut values = Vec::with_capacity(self.instance.cells.len());
        for cell in 0..self.instance.cells.len() as u32 {
            let cell = self.instance.cell(cell);
            let instance = self.frame.instance.clone();
            values.push(self.machine.apart(Vec::new(), instance, FEW_STEPS, |machine| {
                machine.call(&closure, vec![cell], Default::default())
            })?);
        }
        let kind = self.kind_of_all(&values).ok().filter(|kind| kind.is_scalar() && *kind != Kind::Word)?;
        let column = self.columns(&values, &kind).ok()?.swap_remove(0);
        let values = column.into_iter().map(super::small).collect::<Option<Vec<i32>>>()?;
        let table = self.add_table(super::Table { first: 0, values: values.into() }).ok()?;
        Some((table, kind))
    }

    /// A call where a condition is wanted, if it can be written without its value. Says whether that was done.
    pub(super) fn condition_call(&mut self, factors: &[Fx], when: bool, target: Label) -> Lowers<bool> {
        let [name, Fx { atom: Ex { kind: ExKind::Paren(args), .. }, postfix, .. }] = factors else { return Ok(false) };
        if !postfix.is_empty() {
            return Ok(false);
        }
        let callee = match self.callee(name) {
            Some(Low::Const(Value::Builtin(id))) => return self.builtin_condition(id, args, when, target),
            Some(Low::Const(Value::Function(closure))) => callee_of(&closure),
            _ => return Ok(false),
        };
        if callee.function.algorithm {
            return Ok(false);
        }
        let function = callee.function.clone();
        let [St { kind: StKind::Expr(ex), .. }] = function.body.statements.as_slice() else { return Ok(false) };
        let args = self.arguments(args)?;
        if let Some(entry) = self.tabulated(&callee, &args) {
            self.jump_on(&entry, when, target)?;
            return Ok(true);
        }
        let place = self.mark();
        let outer = self.enter(&callee, args.clone())?;
        let done = self.condition(ex, when, target);
        self.leave(outer);
        done?;
        if self.is_worth_keeping(&place) {
            // the answer is kept, so it is needed as a value
            self.back_to(place);
            let value = self.call(&callee, args)?;
            self.jump_on(&value, when, target)?;
        } else {
            self.since(place);
        }
        Ok(true)
    }

    /// The present place, from which it is noted anew what the code does.
    fn mark(&mut self) -> Place {
        Place {
            code: self.code.len(),
            labels: self.labels.len(),
            spans: self.spans.len(),
            looks: std::mem::take(&mut self.looks),
            repeats: std::mem::take(&mut self.repeats),
        }
    }

    /// Adds what was noted before a place to what was noted since.
    fn since(&mut self, place: Place) {
        self.looks |= place.looks;
        self.repeats |= place.repeats;
    }

    /// Forgets what was written since a place.
    fn back_to(&mut self, place: Place) {
        self.code.truncate(place.code);
        self.labels.truncate(place.labels);
        self.spans.truncate(place.spans);
        (self.looks, self.repeats) = (place.looks, place.repeats);
    }

    /// Is what was written since a place a long question about a board that moves change only in places?
    fn is_worth_keeping(&self, place: &Place) -> bool {
        self.looks && self.repeats && self.instance.sliding().is_none() && self.code.len() > place.code
    }

    /// Makes what was written since a place a part that can be skipped.
    fn frame_part(
        &mut self,
        place: Place,
        given: Vec<Reg>,
        value: Vec<Reg>,
        before: fn(u16, u32) -> Code,
        after: fn(u16) -> Code,
    ) -> Lowers<()> {
        let number = u16::try_from(self.parts.len()).map_err(|_| Refused("too many parts"))?;
        if given.len() > 16 || value.len() > 16 {
            self.since(place);
            return Ok(());
        }
        self.parts.push(Part { given: given.into(), value: value.into() });
        let end = self.label();
        self.emit(after(number))?;
        // one instruction more in front: what was placed since then moves
        self.code.insert(place.code, before(number, end.0));
        for label in &mut self.labels[place.labels..] {
            *label = label.saturating_add(1);
        }
        for (at, _) in &mut self.spans[place.spans..] {
            *at += 1;
        }
        self.here(end);
        self.since(place);
        Ok(())
    }

    /// Writes a function in place.
    pub(super) fn inline(&mut self, callee: &Callee, args: Vec<Low>, wanted: bool) -> Lowers<Low> {
        let outer = self.enter(callee, args)?;
        self.frame.wanted = wanted;
        let value = self.body(&callee.function, wanted);
        self.leave(outer);
        value
    }

    fn body(&mut self, function: &Arc<Function>, wanted: bool) -> Lowers<Low> {
        let mut value = self.open_block(&function.body, wanted)?;
        if self.frame.returns {
            if wanted {
                let result = self.frame.result.take();
                value = self.merge(result, &value)?;
            }
            self.here(self.frame.exit);
        }
        if !function.ensures.is_empty() {
            if self.frame.returns {
                // a name of the body may have no value where it returned
                let early = std::mem::take(&mut self.frame.bound);
                for slot in early {
                    if slot as usize >= self.frame.parameters {
                        self.frame.slots[slot as usize] = None;
                    }
                }
            }
            for (condition, _) in &function.ensures {
                self.assertion(condition)?;
            }
        }
        Ok(value)
    }

    /// A frame for a function, with its arguments. Gives the frame before.
    fn enter(&mut self, callee: &Callee, args: Vec<Low>) -> Lowers<Frame> {
        let function = &callee.function;
        if args.len() != function.params.len() {
            return Err(Refused("another number of arguments"));
        }
        if self.calls.contains(&Arc::as_ptr(function)) {
            return Err(Refused("it calls itself"));
        }
        if self.calls.len() >= DEEPEST {
            return Err(Refused("calls are nested too deep"));
        }
        // inside, a board that was given is that of when it was given
        if function.algorithm && args.iter().any(holds_board) {
            return Err(Refused("a board is given to an algorithm"));
        }
        // each call is written out in its place, even where nothing comes of it
        self.written_out += 1;
        if self.written_out > MOST_CALLS {
            return Err(Refused("more calls than are written out"));
        }
        let (mut whole, mut elements) = (FxHashSet::default(), FxHashSet::default());
        assigned(&function.body, &mut whole, &mut elements);
        let exit = self.label();
        let mut frame = Frame {
            instance: callee.instance.clone().or_else(|| function.algorithm.then(|| self.instance.clone())),
            slots: vec![None; function.frame as usize],
            assigned: whole,
            replaced: elements,
            bound: Vec::new(),
            loops: Vec::new(),
            exit,
            returns: false,
            wanted: true,
            result: None,
            inside_value: 0,
            parameters: args.len(),
        };
        let captured = callee.captured.iter().map(|(slot, low)| (*slot, low.clone()));
        let given = args.into_iter().enumerate().map(|(slot, low)| (slot as Slot, low));
        let mut values = Vec::new();
        for (slot, low) in captured.chain(given) {
            if frame.assigned.contains(&slot) {
                return Err(Refused("a parameter changes"));
            }
            values.push((slot, low));
        }
        for (slot, low) in values {
            *frame.slots.get_mut(slot as usize).ok_or(Refused("a slot is missing"))? = Some(low);
        }
        self.calls.push(Arc::as_ptr(function));
        self.depth = self.depth.max(self.calls.len());
        Ok(std::mem::replace(&mut self.frame, frame))
    }

    fn leave(&mut self, outer: Frame) {
        self.calls.pop();
        self.frame = outer;
    }

    /// `do f(x)`, `do w`
    pub(super) fn perform(&mut self, perform: &Perform, wanted: bool) -> Lowers<Low> {
        if self.frame.inside_value > 0 {
            return Err(Refused("`do` inside a value"));
        }
        if let Some((callee, args)) = self.algorithm_call(&perform.what)? {
            if let Some(instance) = &callee.instance
                && !Arc::ptr_eq(instance, &self.instance)
            {
                return Err(Refused("an algorithm of another puzzle"));
            }
            let args = match args {
                Some(args) => self.arguments(args)?,
                None => Vec::new(),
            };
            if self.instance.sliding().is_none() {
                return self.inline(&callee, args, wanted);
            }
            let place = self.mark();
            let mut given = Vec::new();
            args.iter().chain(callee.captured.iter().map(|(_, low)| low)).for_each(|low| registers(low, &mut given));
            let value = self.inline(&callee, args, wanted)?;
            if self.looks || !self.repeats {
                self.since(place);
                return Ok(value);
            }
            let mut kept = Vec::new();
            registers(&value, &mut kept);
            self.frame_part(place, given, kept, Code::Recall, Code::Remember)?;
            return Ok(value);
        }
        self.do_words(&perform.what)?;
        Ok(Low::NOTHING)
    }

    /// The algorithm that an expression names or calls, with its arguments.
    fn algorithm_call<'e>(&mut self, what: &'e Ex) -> Lowers<Option<(Callee, Option<&'e Args>)>> {
        let (name, args) = match &what.kind {
            ExKind::Run(factors) => match factors.as_slice() {
                [name, Fx { atom: Ex { kind: ExKind::Paren(args), .. }, postfix, .. }] if postfix.is_empty() => {
                    (&name.atom, Some(&**args))
                }
                [name] if name.postfix.is_empty() => (&name.atom, None),
                _ => return Ok(None),
            },
            _ => (what, None),
        };
        if !matches!(name.kind, ExKind::Local(_) | ExKind::Global(..) | ExKind::Member(_)) {
            return Ok(None);
        }
        if let ExKind::Local(slot) = name.kind
            && let Low::Function(callee) = self.slot(slot)?
        {
            let Callee { function, instance, captured } = &*callee;
            let callee = Callee { function: function.clone(), instance: instance.clone(), captured: captured.clone() };
            return Ok(function.algorithm.then_some((callee, args)));
        }
        match self.constant(name) {
            Some(Value::Function(closure)) if closure.function.algorithm => Ok(Some((callee_of(&closure), args))),
            _ => Ok(None),
        }
    }

    /// `w(p)` for a known word and one cell.
    fn image(&mut self, word: &Value, args: &Args) -> Lowers<Option<Low>> {
        if self.instance.sliding().is_some() {
            return Err(Refused("an image under a word of a puzzle with a blank"));
        }
        let mut values = self.arguments(args)?;
        let argument = match values.len() {
            1 if is_plain(args) => values.swap_remove(0),
            _ => Low::Tuple(values),
        };
        let cell = self.cell_number(&argument)?;
        let span = Default::default();
        let perm = self.apart(|machine| machine.perm_of(word, span));
        let perm = perm.filter(|perm| perm.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &self.instance)));
        let perm = perm.ok_or(Refused("an image under something that is no word"))?;
        let values = (0..self.instance.cells.len() as u32).map(|cell| perm.perm.image(cell) as i32).collect();
        let table = self.add_table(super::Table { first: 0, values })?;
        let to = self.take(1)?;
        self.emit(Code::Look(to, cell, table))?;
        Ok(Some(self.cell_low(to)))
    }

    pub(super) fn name_of(id: u32) -> &'static str {
        builtin::ALL.get(id as usize).map_or("", |builtin| builtin.name)
    }
}

/// Is the board in force part of a value? An algorithm would change it.
fn holds_board(low: &Low) -> bool {
    match low {
        Low::Board | Low::BoardPerm => true,
        Low::Tuple(parts) => parts.iter().any(holds_board),
        _ => false,
    }
}

/// The registers of a value.
fn registers(low: &Low, out: &mut Vec<Reg>) {
    match low {
        Low::Int(reg) | Low::Counted(reg) | Low::Cell(reg) | Low::Bool(reg) | Low::Word(reg) => out.push(*reg),
        Low::Tuple(parts) => parts.iter().for_each(|part| registers(part, out)),
        Low::Row { first, length, .. } => out.extend(*first..*first + *length),
        Low::Range(from, to) => {
            registers(from, out);
            registers(to, out);
        }
        Low::Function(callee) => callee.captured.iter().for_each(|(_, low)| registers(low, out)),
        Low::Entry { at, .. } => out.push(*at),
        Low::Const(_) | Low::Board | Low::BoardPerm => {}
    }
}

/// A function value as it is called.
pub(super) fn callee_of(closure: &Arc<Closure>) -> Callee {
    let function = closure.function.clone();
    let mut captured: Vec<(Slot, Low)> = function
        .captures
        .iter()
        .zip(&closure.captured)
        .map(|((_, own), value)| (*own, Low::Const(value.clone())))
        .collect();
    if let Some(own) = function.own_slot {
        captured.push((own, Low::Const(Value::Function(closure.clone()))));
    }
    Callee { function, instance: closure.instance.clone(), captured }
}
