//! Compiles procedures: walks the resolved program with what is known of each value (see [`Low`]), evaluates what does not
//! depend on the board or the arguments with the generic machine, and writes instructions for the rest. Functions and
//! algorithms that are called are written in place, so arguments that are known stay known.

mod builtin;
mod call;
mod condition;
mod expression;
mod free;
mod sequence;
mod statement;
mod walk;
mod words;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Grid, NO_VALUE, Part, Program, REGISTERS, Reg, Table};
use super::effect::Effect;
use super::low::{Callee, Kind, Low};
use crate::resolve::program::*;
use crate::run::board::BoardValue;
use crate::run::instance::Instance;
use crate::run::machine::Machine;
use crate::run::value::{Closure, Value};
use crate::source::Span;

/// Why a procedure is not compiled: the generic machine runs it.
#[derive(Clone, Copy, Debug)]
pub struct Refused(pub &'static str);

type Lowers<T> = Result<T, Refused>;

/// A place in the code that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label(u32);

/// Programs are not larger than this.
const MOST_CODE: usize = 1 << 17;

/// Calls inside calls are not written in place deeper than this.
const DEEPEST: usize = 64;

/// So many calls are written out in one procedure.
const MOST_CALLS: usize = 20_000;

/// Steps that one expression may take that is evaluated while compiling.
const STEPS: u64 = 10_000_000;

/// The function that is being written.
struct Frame {
    instance: Option<Arc<Instance>>,
    slots: Vec<Option<Low>>,
    /// the slots that are given values again, and those of which elements are replaced
    assigned: FxHashSet<Slot>,
    replaced: FxHashSet<Slot>,
    /// slots in the order in which they got values, to forget those of a block
    bound: Vec<Slot>,
    /// where `break` and `continue` go
    loops: Vec<(Label, Label)>,
    /// where `return` goes
    exit: Label,
    returns: bool,
    /// is the value of the function wanted, and where is it kept if it has a `return`?
    wanted: bool,
    result: Option<Low>,
    /// inside how many `if`s that stand for a value
    inside_value: u32,
    parameters: usize,
}

/// A procedure that is being compiled.
pub struct Lowering<'a, 'p> {
    machine: &'a mut Machine<'p>,
    /// of the board
    instance: Arc<Instance>,
    code: Vec<Code>,
    spans: Vec<(u32, Span)>,
    /// where labels are; `u32::MAX` while that is not known
    labels: Vec<u32>,
    bail: Label,
    tables: Vec<Table>,
    /// tables by what they were made of
    known_tables: FxHashMap<(usize, usize), u32>,
    /// keeps what tables were made of, so that addresses stay unique
    kept: Vec<Value>,
    /// functions of a cell that are tables, or cannot be
    tabulated: FxHashMap<*const Function, Option<(u32, Kind)>>,
    effects: Vec<Arc<Effect>>,
    known_effects: FxHashMap<(bool, usize), u32>,
    boards: Vec<Arc<BoardValue>>,
    grid: Grid,
    parts: Vec<Part>,
    constants: FxHashMap<i64, Reg>,
    /// registers below are in use, and those from `bottom` on
    top: usize,
    bottom: usize,
    /// registers of variables, which may change
    changing: FxHashSet<Reg>,
    frame: Frame,
    /// the functions that are being written, outermost first
    calls: Vec<*const Function>,
    /// how many calls have been written out
    written_out: usize,
    depth: usize,
    /// the longest word whose number was put into a register
    longest_chosen: u64,
    /// tiles were asked for, a loop was written
    looks: bool,
    repeats: bool,
}

/// Compiles an algorithm for arguments of some kinds; `given` has the values of those that are known. Cost: the size of
/// the program, and what is evaluated once.
pub fn lower<'p>(
    machine: &mut Machine<'p>,
    instance: &Arc<Instance>,
    closure: &Arc<Closure>,
    params: Vec<Option<Kind>>,
    given: &[Value],
) -> Result<Program, Refused> {
    let frame = Frame {
        instance: None,
        slots: Vec::new(),
        assigned: FxHashSet::default(),
        replaced: FxHashSet::default(),
        bound: Vec::new(),
        loops: Vec::new(),
        exit: Label(0),
        returns: false,
        wanted: false,
        result: None,
        inside_value: 0,
        parameters: 0,
    };
    // registers hold the numbers of cells, and integers that are cells are to be these numbers
    let own_number = |cell: u32| instance.cells.coordinates(cell) == [i64::from(cell) + 1];
    if instance.cells.is_plain() && !(0..instance.cells.len() as u32).all(own_number) {
        return Err(Refused("cells that are other integers than their numbers"));
    }
    let mut lowering = Lowering {
        machine,
        instance: instance.clone(),
        code: Vec::new(),
        spans: Vec::new(),
        labels: Vec::new(),
        bail: Label(0),
        tables: Vec::new(),
        known_tables: FxHashMap::default(),
        kept: Vec::new(),
        tabulated: FxHashMap::default(),
        effects: Vec::new(),
        known_effects: FxHashMap::default(),
        boards: Vec::new(),
        grid: grid(instance),
        parts: Vec::new(),
        constants: FxHashMap::default(),
        top: 0,
        bottom: REGISTERS,
        changing: FxHashSet::default(),
        frame,
        calls: Vec::new(),
        written_out: 0,
        depth: 0,
        longest_chosen: 0,
        looks: false,
        repeats: false,
    };
    let numbered =
        (0..instance.cells.len() as u32).all(|cell| instance.cells.coordinates(cell) == [i64::from(cell) + 1]);
    if instance.cells.is_plain() && !numbered {
        return Err(Refused("cells that are other integers than 1, 2, 3, …"));
    }
    lowering.bail = lowering.label();
    let mut values = Vec::with_capacity(params.len());
    for (kind, value) in params.iter().zip(given) {
        values.push(match kind {
            None => Low::Const(value.clone()),
            Some(kind) => {
                let first = lowering.take(kind.size())?;
                lowering.in_registers(kind, first)
            }
        });
    }
    let captured = closure.function.captures.len();
    let args = values.split_off(captured.min(values.len()));
    let callee = Callee {
        function: closure.function.clone(),
        instance: closure.instance.clone().or_else(|| Some(instance.clone())),
        captured: closure.function.captures.iter().map(|(_, own)| *own).zip(values).collect(),
    };
    lowering.inline(&callee, args, false)?;
    lowering.emit(Code::End)?;
    lowering.here(lowering.bail);
    lowering.emit(Code::Bail)?;
    lowering.finish(params)
}

impl<'p> Lowering<'_, 'p> {
    fn finish(self, params: Vec<Option<Kind>>) -> Result<Program, Refused> {
        let mut code = self.code;
        for instruction in &mut code {
            if let Some(target) = target(instruction) {
                *target = self.labels.get(*target as usize).copied().unwrap_or(u32::MAX);
            }
        }
        let constants = self.constants.into_iter().map(|(value, reg)| (reg, value)).collect();
        Ok(Program {
            code,
            spans: self.spans,
            constants,
            tables: self.tables,
            grid: self.grid,
            effects: self.effects,
            boards: self.boards,
            parts: self.parts,
            params,
            depth: self.depth as u32,
        })
    }

    fn emit(&mut self, code: Code) -> Lowers<()> {
        if self.code.len() >= MOST_CODE {
            return Err(Refused("the program is too large"));
        }
        self.code.push(code);
        Ok(())
    }

    /// The end of a loop that stands somewhere in the script.
    fn emit_loop(&mut self, code: Code, span: Span) -> Lowers<()> {
        self.repeats = true;
        self.spans.push((self.code.len() as u32, span));
        self.emit(code)
    }

    fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label is the present place.
    fn here(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.code.len() as u32;
    }

    fn jump(&mut self, label: Label) -> Lowers<()> {
        self.emit(Code::Jump(label.0))
    }

    /// Registers that are in use until the block ends.
    fn take(&mut self, count: usize) -> Lowers<Reg> {
        let first = self.top;
        if first + count > self.bottom {
            return Err(Refused("too many values at once"));
        }
        self.top += count;
        Ok(first as Reg)
    }

    /// Registers that are never used for anything else.
    fn keep(&mut self, count: usize) -> Lowers<Reg> {
        if self.top + count > self.bottom {
            return Err(Refused("too many values at once"));
        }
        self.bottom -= count;
        Ok(self.bottom as Reg)
    }

    /// A register with a constant.
    fn constant_reg(&mut self, value: i64) -> Lowers<Reg> {
        if let Some(reg) = self.constants.get(&value) {
            return Ok(*reg);
        }
        let reg = self.keep(1)?;
        self.constants.insert(value, reg);
        Ok(reg)
    }

    /// A value of a kind that is in registers from a first one on.
    fn in_registers(&self, kind: &Kind, first: Reg) -> Low {
        match kind {
            Kind::Nothing => Low::NOTHING,
            Kind::Int => Low::Int(first),
            Kind::Bool => Low::Bool(first),
            Kind::Cell => Low::Cell(first),
            Kind::Word => Low::Word(first),
            Kind::Row(length, kind) => Low::Row { first, length: *length, kind: (**kind).clone() },
            Kind::Tuple(kinds) => {
                let mut at = first;
                let mut parts = Vec::with_capacity(kinds.len());
                for kind in kinds {
                    parts.push(self.in_registers(kind, at));
                    at += kind.size() as Reg;
                }
                Low::Tuple(parts)
            }
        }
    }

    /// The kind of a value, if it can be put into registers.
    fn kind(&self, low: &Low) -> Option<Kind> {
        Some(match low {
            Low::Const(value) => Kind::of(value, &self.instance)?,
            Low::Int(_) | Low::Counted(_) => Kind::Int,
            Low::Cell(_) => Kind::Cell,
            Low::Bool(_) => Kind::Bool,
            Low::Word(_) => Kind::Word,
            Low::Tuple(parts) => {
                Kind::sequence(parts.iter().map(|part| self.kind(part)).collect::<Option<Vec<Kind>>>()?)?
            }
            Low::Row { length, kind, .. } => Kind::Row(*length, Box::new(kind.clone())),
            Low::Entry { kind, .. } => kind.clone(),
            Low::Range(..) | Low::Function(_) | Low::Board | Low::BoardPerm => return None,
        })
    }

    /// Puts a value into registers as one of a kind.
    fn store(&mut self, low: &Low, kind: &Kind, to: Reg) -> Lowers<()> {
        const OTHER: Refused = Refused("a value changes its kind");
        match (kind, low) {
            (Kind::Word, Low::Const(value)) => {
                let word = self.chosen_word(value)?;
                let from = self.constant_reg(i64::from(word))?;
                self.emit(Code::Move(to, from))
            }
            (Kind::Tuple(kinds), Low::Const(Value::Tuple(parts))) if parts.len() == kinds.len() => {
                let mut at = to;
                for (kind, part) in kinds.iter().zip(parts.iter()) {
                    self.store(&Low::Const(part.clone()), kind, at)?;
                    at += kind.size() as Reg;
                }
                Ok(())
            }
            (_, Low::Const(value)) => {
                let mut flat = Vec::new();
                kind.flatten(value, &self.instance, &mut flat).ok_or(OTHER)?;
                if flat.len() > 8
                    && let Some(values) = flat.iter().map(|value| small(*value)).collect::<Option<Vec<i32>>>()
                {
                    let table = self.add_table(Table { first: 0, values: values.into() })?;
                    return self.emit(Code::Load(to, table));
                }
                for (at, value) in flat.into_iter().enumerate() {
                    let from = self.constant_reg(value)?;
                    self.emit(Code::Move(to + at as Reg, from))?;
                }
                Ok(())
            }
            (Kind::Int, Low::Int(from))
            | (Kind::Bool, Low::Bool(from))
            | (Kind::Cell, Low::Cell(from))
            | (Kind::Word, Low::Word(from)) => self.emit(Code::Move(to, *from)),
            (_, Low::Entry { at, table, kind: own }) if own == kind => self.emit(Code::Look(to, *at, *table)),
            (Kind::Int, Low::Counted(from)) => {
                let one = self.constant_reg(1)?;
                self.emit(Code::Add(to, *from, one))
            }
            (Kind::Cell, Low::Tuple(_)) => {
                let cell = self.cell_number(low)?;
                self.emit(Code::Move(to, cell))
            }
            (Kind::Row(length, kind), Low::Row { first, length: other, kind: own }) if length == other => {
                if **kind != *own {
                    return Err(OTHER);
                }
                self.emit(Code::Copy(to, *first, *length))
            }
            (Kind::Tuple(kinds), low) => {
                let parts = self.parts_of(low)?.filter(|parts| parts.len() == kinds.len()).ok_or(OTHER)?;
                let mut at = to;
                for (kind, part) in kinds.iter().zip(&parts) {
                    self.store(part, kind, at)?;
                    at += kind.size() as Reg;
                }
                Ok(())
            }
            (Kind::Row(length, kind), Low::Tuple(parts)) if parts.len() == usize::from(*length) => {
                for (at, part) in parts.iter().enumerate() {
                    self.store(part, kind, to + at as Reg)?;
                }
                Ok(())
            }
            _ => Err(OTHER),
        }
    }

    /// A copy of a value in registers of its own, which may change.
    fn variable(&mut self, low: &Low, kind: &Kind) -> Lowers<Low> {
        let first = self.take(kind.size())?;
        self.store(low, kind, first)?;
        self.changing.extend((0..kind.size()).map(|at| first + at as Reg));
        Ok(self.in_registers(kind, first))
    }

    /// The value as it is now: what stands in registers of variables is copied.
    fn settled(&mut self, low: Low) -> Lowers<Low> {
        let copy = |this: &mut Self, from: Reg| -> Lowers<Reg> {
            if !this.changing.contains(&from) {
                return Ok(from);
            }
            let to = this.take(1)?;
            this.emit(Code::Move(to, from))?;
            Ok(to)
        };
        Ok(match low {
            Low::Int(reg) => Low::Int(copy(self, reg)?),
            Low::Counted(reg) => Low::Counted(copy(self, reg)?),
            Low::Cell(reg) => Low::Cell(copy(self, reg)?),
            Low::Bool(reg) => Low::Bool(copy(self, reg)?),
            Low::Word(reg) => Low::Word(copy(self, reg)?),
            Low::Tuple(parts) => {
                Low::Tuple(parts.into_iter().map(|part| self.settled(part)).collect::<Lowers<Vec<Low>>>()?)
            }
            Low::Row { first, length, kind } if self.changing.contains(&first) => {
                let to = self.take(usize::from(length))?;
                self.emit(Code::Copy(to, first, length))?;
                Low::Row { first: to, length, kind }
            }
            entry @ Low::Entry { .. } => self.looked_up(entry)?,
            // what is kept is the board of now, and not of whenever it is looked at
            Low::Board | Low::BoardPerm => return Err(Refused("a board is kept")),
            Low::Range(from, to) => Low::Range(Box::new(self.settled(*from)?), Box::new(self.settled(*to)?)),
            other => other,
        })
    }

    /// Gives up the registers that were taken since.
    fn release(&mut self, mark: usize) {
        if !self.changing.is_empty() {
            for reg in mark..self.top {
                self.changing.remove(&(reg as Reg));
            }
        }
        self.top = mark;
    }

    fn add_table(&mut self, table: Table) -> Lowers<u32> {
        self.tables.push(table);
        Ok(self.tables.len() as u32 - 1)
    }

    /// The value of a slot.
    fn slot(&self, slot: Slot) -> Lowers<Low> {
        self.frame.slots.get(slot as usize).and_then(Clone::clone).ok_or(Refused("a name has no value while compiling"))
    }

    fn set_slot(&mut self, slot: Slot, low: Low) -> Lowers<()> {
        let place = self.frame.slots.get_mut(slot as usize).ok_or(Refused("a slot is missing"))?;
        *place = Some(low);
        self.frame.bound.push(slot);
        Ok(())
    }

    /// Forgets the slots that got values since.
    fn forget(&mut self, mark: usize) {
        for slot in self.frame.bound.split_off(mark) {
            self.frame.slots[slot as usize] = None;
        }
    }

    /// The value of an expression, if it depends on nothing that is found out when running. It is evaluated once, without
    /// a board.
    fn constant(&mut self, ex: &Ex) -> Option<Value> {
        match &ex.kind {
            ExKind::Int(value) => return Some(Value::Int(*value)),
            ExKind::Bool(value) => return Some(Value::Bool(*value)),
            ExKind::Builtin(id) => return Some(Value::Builtin(*id)),
            ExKind::Local(slot) => {
                return match self.frame.slots.get(*slot as usize) {
                    Some(Some(Low::Const(value))) => Some(value.clone()),
                    _ => None,
                };
            }
            _ => {}
        }
        if !self.is_closed(ex) {
            return None;
        }
        let frame = self
            .frame
            .slots
            .iter()
            .map(|slot| if let Some(Low::Const(value)) = slot { value.clone() } else { Value::Nothing })
            .collect();
        let instance = self.frame.instance.clone();
        self.machine.apart(frame, instance, STEPS, |machine| machine.eval(ex))
    }

    /// The value of an expression as the generic machine would have it, given what is known.
    fn apart<T>(&mut self, eval: impl FnOnce(&mut Machine<'p>) -> crate::run::Run<T>) -> Option<T> {
        let instance = self.frame.instance.clone();
        self.machine.apart(Vec::new(), instance, STEPS, eval)
    }
}

/// A number as the entry of a table.
fn small(value: i64) -> Option<i32> {
    i32::try_from(value).ok().filter(|value| *value != NO_VALUE)
}

/// The target of a jump.
fn target(code: &mut Code) -> Option<&mut u32> {
    match code {
        Code::Jump(target)
        | Code::JumpIf(_, target)
        | Code::JumpUnless(_, target)
        | Code::JumpLess(_, _, target)
        | Code::JumpAtMost(_, _, target)
        | Code::JumpEqual(_, _, target)
        | Code::JumpDiffer(_, _, target)
        | Code::JumpIn(_, _, target)
        | Code::JumpNotIn(_, _, target)
        | Code::Next(_, _, target)
        | Code::Back(target)
        | Code::Recall(_, target)
        | Code::Ask(_, target) => Some(target),
        _ => None,
    }
}

/// The cells as rows and columns, for boards with two coordinates that are mostly full; else empty.
fn grid(instance: &Instance) -> Grid {
    let cells = &instance.cells;
    let Some([(top, bottom), (left, right)]) = cells.board() else { return Grid::default() };
    let (rows, columns) = ((bottom - top + 1) as u64, (right - left + 1) as u64);
    if rows.saturating_mul(columns) > 64 + 16 * cells.len() as u64 {
        return Grid::default();
    }
    let mut grid = Grid { top, left, rows, columns, numbers: Box::default() };
    let numbers: Box<[u32]> = (top..=bottom)
        .flat_map(|i| (left..=right).map(move |j| (i, j)))
        .map(|(i, j)| cells.number(&[i, j]).unwrap_or(u32::MAX))
        .collect();
    if numbers.iter().enumerate().any(|(place, number)| *number != place as u32) {
        grid.numbers = numbers;
    }
    grid
}
