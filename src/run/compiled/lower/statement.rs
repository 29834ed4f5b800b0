//! Statements.

use super::{Label, Lowering, Lowers, Refused};
use crate::resolve::program::*;
use crate::run::compiled::code::Code;
use crate::run::compiled::low::{Callee, Kind, Low};
use crate::run::value::Value;
use crate::source::Span;
use std::sync::Arc;

impl Lowering<'_, '_> {
    /// A block; its value, if it is wanted.
    pub(super) fn block(&mut self, block: &Block, wanted: bool) -> Lowers<Low> {
        let mark = self.top;
        let bound = self.frame.bound.len();
        let value = self.open_block(block, wanted)?;
        self.forget(bound);
        // the value may stand in registers of the block
        if !wanted || matches!(value, Low::Const(_)) {
            self.release(mark);
        }
        Ok(value)
    }

    /// A block whose names stay known.
    pub(super) fn open_block(&mut self, block: &Block, wanted: bool) -> Lowers<Low> {
        let mut value = Low::NOTHING;
        for (at, statement) in block.statements.iter().enumerate() {
            let last = at + 1 == block.statements.len();
            let mark = self.top;
            value = self.statement(statement, wanted && last)?;
            let declares = matches!(statement.kind, StKind::Let(..) | StKind::Fn(..));
            let keeps = declares || (wanted && last);
            if !keeps {
                self.release(mark);
            }
        }
        Ok(value)
    }

    fn statement(&mut self, statement: &St, wanted: bool) -> Lowers<Low> {
        let span = statement.span;
        match &statement.kind {
            StKind::Let(pattern, ex) => {
                let value = self.low(ex)?;
                self.bind(pattern, value)?;
            }
            StKind::Assign(slot, index, ex) => self.assign(*slot, index.as_ref(), ex)?,
            StKind::Fn(slot, function) => {
                let mut captured = Vec::with_capacity(function.captures.len());
                for (outer, own) in &function.captures {
                    let low = self.slot(*outer)?;
                    captured.push((*own, self.settled(low)?));
                }
                let callee = Callee { function: function.clone(), instance: self.frame.instance.clone(), captured };
                self.set_slot(*slot, Low::Function(Arc::new(callee)))?;
            }
            StKind::For(clauses, body) => {
                let end = self.label();
                self.each(clauses, &mut |this, next| {
                    this.frame.loops.push((end, next));
                    let done = this.block(body, false);
                    this.frame.loops.pop();
                    done.map(|_| ())
                })?;
                self.here(end);
            }
            StKind::While(condition, measure, body, until) => {
                let (head, end) = (self.label(), self.label());
                let last = self.first_measure(measure.as_ref())?;
                self.here(head);
                self.condition(condition, *until, end)?;
                self.measure(measure.as_ref(), &last)?;
                self.rounds(head, end, body, span)?;
            }
            StKind::Loop(measure, body) => {
                let (head, end) = (self.label(), self.label());
                let last = self.first_measure(measure.as_ref())?;
                self.here(head);
                self.measure(measure.as_ref(), &last)?;
                self.rounds(head, end, body, span)?;
            }
            StKind::Repeat(count, body) => {
                let times = self.low(count)?;
                let times = self.number(&times)?;
                let last = self.take(1)?;
                self.emit(Code::Move(last, times))?;
                let (zero, one) = (self.constant_reg(0)?, self.constant_reg(1)?);
                self.emit(Code::JumpLess(last, zero, self.bail.0))?;
                let counter = self.take(1)?;
                self.emit(Code::Move(counter, one))?;
                let (head, next, end) = (self.label(), self.label(), self.label());
                self.emit(Code::JumpLess(last, counter, end.0))?;
                self.here(head);
                self.frame.loops.push((end, next));
                let done = self.block(body, false);
                self.frame.loops.pop();
                done?;
                self.here(next);
                self.emit_loop(Code::Next(counter, last, head.0), span)?;
                self.here(end);
            }
            StKind::Assert(condition, _) | StKind::Require(condition, _, true) => self.assertion(condition)?,
            StKind::Require(condition, _, false) => self.condition(condition, false, self.bail)?,
            StKind::Return(ex) => self.give(ex.as_ref())?,
            StKind::Break | StKind::Continue => {
                let (end, next) = *self.frame.loops.last().ok_or(Refused("`break` outside a loop"))?;
                if self.frame.inside_value > 0 {
                    return Err(Refused("`break` inside a value"));
                }
                self.jump(if matches!(statement.kind, StKind::Break) { end } else { next })?;
            }
            StKind::Expr(Ex { kind: ExKind::If(arms, otherwise), .. }) => {
                return self.choice(arms, otherwise.as_ref(), wanted, false);
            }
            StKind::Expr(Ex { kind: ExKind::Perform(perform), .. }) if !perform.run => {
                return self.perform(perform, wanted);
            }
            StKind::Expr(ex) => {
                let value = self.low(ex)?;
                return if wanted { self.settled(value) } else { Ok(Low::NOTHING) };
            }
            StKind::Trace(_) | StKind::Print(_) | StKind::Show(_) => return Err(Refused("it says something")),
            _ => return Err(Refused("a statement of a file")),
        }
        Ok(Low::NOTHING)
    }

    /// The body of a loop without a counter, and the way back.
    fn rounds(&mut self, head: Label, end: Label, body: &Block, span: Span) -> Lowers<()> {
        let next = self.label();
        self.frame.loops.push((end, next));
        let done = self.block(body, false);
        self.frame.loops.pop();
        done?;
        self.here(next);
        self.emit_loop(Code::Back(head.0), span)?;
        self.here(end);
        Ok(())
    }

    /// A condition that has to hold, and counts as an assertion.
    pub(super) fn assertion(&mut self, condition: &Ex) -> Lowers<()> {
        self.condition(condition, false, self.bail)?;
        self.emit(Code::Asserted)
    }

    fn assign(&mut self, slot: Slot, index: Option<&Ex>, ex: &Ex) -> Lowers<()> {
        if self.frame.inside_value > 0 {
            return Err(Refused("a variable changes inside a value"));
        }
        let value = self.low(ex)?;
        let holder = self.slot(slot)?;
        let Some(index) = index else {
            let kind = self.kind(&holder).ok_or(Refused("a variable of a kind without registers"))?;
            // the new value may be made of the old one
            if kind.is_scalar() || matches!(value, Low::Const(_)) {
                let first = self.first_register(&holder)?;
                return self.store(&value, &kind, first);
            }
            let fresh = self.take(kind.size())?;
            self.store(&value, &kind, fresh)?;
            return match self.first_register(&holder) {
                Ok(first) => self.emit(Code::Copy(first, fresh, kind.size() as u16)),
                Err(_) => Ok(()),
            };
        };
        let Low::Row { first, length, kind } = holder else { return Err(Refused("an element of no row is replaced")) };
        let index = self.low(index)?;
        let number = self.number(&index)?;
        let from = match (&value, &kind) {
            (Low::Int(reg), Kind::Int) | (Low::Bool(reg), Kind::Bool) | (Low::Cell(reg), Kind::Cell) => *reg,
            (Low::Const(Value::Int(value)), Kind::Int) => self.constant_reg(*value)?,
            _ => {
                let fresh = self.take(1)?;
                self.store(&value, &kind, fresh)?;
                fresh
            }
        };
        self.emit(Code::Store(first, length, number, from))
    }

    fn first_register(&self, low: &Low) -> Lowers<u16> {
        match low {
            Low::Int(reg) | Low::Cell(reg) | Low::Bool(reg) | Low::Word(reg) => Ok(*reg),
            Low::Row { first, .. } => Ok(*first),
            Low::Tuple(parts) => {
                parts.first().map_or(Err(Refused("an empty variable")), |part| self.first_register(part))
            }
            _ => Err(Refused("a variable without registers")),
        }
    }

    /// `return`
    fn give(&mut self, ex: Option<&Ex>) -> Lowers<()> {
        if self.frame.inside_value > 0 {
            return Err(Refused("`return` inside a value"));
        }
        let value = match ex {
            Some(ex) => self.low(ex)?,
            None => Low::NOTHING,
        };
        if self.frame.wanted {
            let result = self.frame.result.take();
            let result = self.merge(result, &value)?;
            self.frame.result = Some(result);
        }
        self.frame.returns = true;
        self.jump(self.frame.exit)
    }

    /// Keeps a value where the ways to get it meet. The first decides the kind.
    pub(super) fn merge(&mut self, place: Option<Low>, value: &Low) -> Lowers<Low> {
        match place {
            Some(Low::Const(Value::Nothing)) if matches!(value, Low::Const(Value::Nothing)) => Ok(Low::NOTHING),
            Some(place) => {
                let kind = self.kind(&place).ok_or(Refused("a value without registers"))?;
                let first = self.first_register(&place)?;
                self.store(value, &kind, first)?;
                Ok(place)
            }
            None => {
                let kind = self.kind(value).ok_or(Refused("a value without registers"))?;
                let first = self.keep(kind.size())?;
                self.store(value, &kind, first)?;
                Ok(self.in_registers(&kind, first))
            }
        }
    }

    /// `if`, as a statement or for its value.
    pub(super) fn choice(
        &mut self,
        arms: &[(Ex, Block)],
        otherwise: Option<&Block>,
        wanted: bool,
        as_value: bool,
    ) -> Lowers<Low> {
        let end = self.label();
        let mut result: Option<Low> = None;
        let mut only = None;
        self.frame.inside_value += u32::from(as_value);
        let mut rest = Some(otherwise);
        for (condition, block) in arms {
            match self.constant(condition) {
                Some(Value::Bool(false)) => continue,
                Some(Value::Bool(true)) => {
                    // the arms after it are never reached
                    rest = None;
                    let value = self.block(block, wanted)?;
                    match (wanted, &result) {
                        (false, _) => {}
                        (true, None) => only = Some(value),
                        (true, Some(_)) => result = Some(self.merge(result, &value)?),
                    }
                    break;
                }
                _ => {}
            }
            let next = self.label();
            self.condition(condition, false, next)?;
            let value = self.block(block, wanted)?;
            if wanted {
                result = Some(self.merge(result, &value)?);
            }
            self.jump(end)?;
            self.here(next);
        }
        if let Some(rest) = rest {
            let value = match rest {
                Some(block) => self.block(block, wanted)?,
                None => Low::NOTHING,
            };
            match (wanted, &result) {
                (false, _) => {}
                (true, None) => only = Some(value),
                (true, Some(_)) => result = Some(self.merge(result, &value)?),
            }
        }
        self.frame.inside_value -= u32::from(as_value);
        self.here(end);
        Ok(only.or(result).unwrap_or(Low::NOTHING))
    }

    /// Registers for the measure of a loop, larger than any measure. `None` for a loop without one.
    fn first_measure(&mut self, measure: Option<&Ex>) -> Lowers<Vec<u16>> {
        let Some(_) = measure else { return Ok(Vec::new()) };
        let last = self.take(MOST_MEASURES)?;
        let most = self.constant_reg(i64::MAX)?;
        let regs: Vec<u16> = (0..MOST_MEASURES as u16).map(|at| last + at).collect();
        for reg in &regs {
            self.emit(Code::Move(*reg, most))?;
        }
        Ok(regs)
    }

    /// The measure of a loop: not negative, and smaller than in the round before, compared from the left.
    fn measure(&mut self, measure: Option<&Ex>, last: &[u16]) -> Lowers<()> {
        let Some(ex) = measure else { return Ok(()) };
        let mark = self.top;
        let value = self.low(ex)?;
        let parts = match &value {
            Low::Int(_) | Low::Counted(_) | Low::Const(Value::Int(_)) => vec![value],
            other => self.parts_of(other)?.ok_or(Refused("a measure that is no integer"))?,
        };
        if parts.is_empty() || parts.len() > last.len() {
            return Err(Refused("a long measure"));
        }
        let numbers = parts.iter().map(|part| self.number(part)).collect::<Lowers<Vec<u16>>>()?;
        let zero = self.constant_reg(0)?;
        for number in &numbers {
            self.emit(Code::JumpLess(*number, zero, self.bail.0))?;
        }
        let smaller = self.label();
        for (number, last) in numbers.iter().zip(last) {
            self.emit(Code::JumpLess(*number, *last, smaller.0))?;
            self.emit(Code::JumpLess(*last, *number, self.bail.0))?;
        }
        self.jump(self.bail)?;
        self.here(smaller);
        for (number, last) in numbers.iter().zip(last) {
            self.emit(Code::Move(*last, *number))?;
        }
        self.emit(Code::Asserted)?;
        self.release(mark);
        Ok(())
    }
}

/// A measure may have so many parts.
const MOST_MEASURES: usize = 4;
