//! Calls of built-in functions.

use super::condition::is_plain;
use super::{Label, Lowering, Lowers, Refused};
use crate::resolve::program::*;
use crate::run::compiled::code::{Code, Reg};
use crate::run::compiled::low::Low;
use crate::run::value::Value;
use std::sync::Arc;

impl Lowering<'_, '_> {
    /// A call of a built-in function.
    pub(super) fn builtin(&mut self, id: u32, args: &Args) -> Lowers<Low> {
        let name = Self::name_of(id);
        if let [Item { value, clauses: Some(clauses), label: None, arrow: None, .. }] = args.items.as_slice() {
            return self.over(name, value, clauses);
        }
        match name {
            "at" => {
                let tile = self.place_argument(args)?;
                let tile = self.tile_number(&tile)?;
                let to = self.take(1)?;
                self.looks = true;
                self.emit(Code::At(to, tile))?;
                Ok(self.cell_low(to))
            }
            "tile" => {
                let cell = self.place_argument(args)?;
                let to = self.take(1)?;
                self.looks = true;
                if let (Low::Tuple(parts), true) = (&cell, self.has_grid())
                    && let [row, column] = parts.as_slice()
                {
                    let (row, column) = (self.number(row)?, self.number(column)?);
                    self.emit(Code::TileAt(to, row, column))?;
                    return Ok(Low::Counted(to));
                }
                let cell = self.cell_number(&cell)?;
                self.emit(Code::Tile(to, cell))?;
                Ok(Low::Counted(to))
            }
            "home" => {
                self.needs_instance()?;
                let tile = self.place_argument(args)?;
                let tile = self.tile_number(&tile)?;
                Ok(self.cell_low(tile))
            }
            "number" => {
                self.needs_instance()?;
                let cell = self.place_argument(args)?;
                let cell = self.cell_number(&cell)?;
                Ok(Low::Counted(cell))
            }
            "cell" => {
                self.needs_instance()?;
                let number = self.only_argument(args)?;
                let cell = match number {
                    Low::Counted(reg) => reg,
                    other => self.numbered(&other)?,
                };
                Ok(self.cell_low(cell))
            }
            "row" | "col" => {
                let axis = usize::from(name == "col");
                match self.place_argument(args)? {
                    Low::Cell(cell) if axis < self.instance.cells.width() => self.coordinate(cell, axis),
                    other => {
                        let parts =
                            self.parts_of(&other)?.ok_or(Refused("a coordinate of something else than a cell"))?;
                        parts.get(axis).cloned().ok_or(Refused("a cell without that coordinate"))
                    }
                }
            }
            "blank" if args.items.is_empty() => self.blank(),
            "board" if args.items.is_empty() => Ok(Low::Board),
            "even" | "odd" => {
                let number = self.only_argument(args)?;
                let number = self.number(&number)?;
                let two = self.constant_reg(2)?;
                let to = self.take(1)?;
                self.emit(Code::Mod(to, number, two))?;
                if name == "even" {
                    let one = self.constant_reg(1)?;
                    self.emit(Code::Subtract(to, one, to))?;
                }
                Ok(Low::Bool(to))
            }
            "abs" => {
                let number = self.only_argument(args)?;
                let number = self.number(&number)?;
                let to = self.take(1)?;
                self.emit(Code::Abs(to, number))?;
                Ok(Low::Int(to))
            }
            "floor" | "ceil" => {
                let number = self.only_argument(args)?;
                self.number(&number).map(Low::Int)
            }
            "len" => {
                let value = self.only_argument(args)?;
                match value {
                    Low::Tuple(parts) => Ok(Low::int(parts.len() as i64)),
                    Low::Row { length, .. } => Ok(Low::int(i64::from(length))),
                    Low::Cell(_) => Ok(Low::int(self.instance.cells.width() as i64)),
                    _ => Err(Refused("the length of something that is not known")),
                }
            }
            "min" | "max" => {
                let mut values = self.arguments(args)?;
                if let [only] = values.as_slice() {
                    values = self.parts_of(only)?.ok_or(Refused("the least of many"))?;
                }
                let mut values = values.into_iter();
                let first = values.next().ok_or(Refused("the least of none"))?;
                let mut best = self.number(&first)?;
                for value in values {
                    let value = self.number(&value)?;
                    let to = self.take(1)?;
                    let least = name == "min";
                    self.emit(if least { Code::Least(to, best, value) } else { Code::Greatest(to, best, value) })?;
                    best = to;
                }
                Ok(Low::Int(best))
            }
            "index" => {
                let values = self.arguments(args)?;
                let [all, one] = values.as_slice() else { return Err(Refused("another number of arguments")) };
                let place = self.place_in(all, one)?;
                let zero = self.constant_reg(0)?;
                self.emit(Code::JumpEqual(place, zero, self.bail.0))?;
                Ok(Low::Int(place))
            }
            "perm" => match self.only_argument(args)? {
                Low::Board => Ok(Low::BoardPerm),
                _ => Err(Refused("a permutation that is not known")),
            },
            "sign" => match self.only_argument(args)? {
                Low::BoardPerm if self.instance.sliding().is_none() => {
                    let to = self.take(1)?;
                    self.looks = true;
                    self.emit(Code::BoardSign(to))?;
                    Ok(Low::Int(to))
                }
                _ => Err(Refused("the sign of something that is not known")),
            },
            "all" | "any" | "count" | "sum" if is_plain(args) => {
                let value = self.only_argument(args)?;
                self.over_value(name, &value)
            }
            _ => Err(Refused("a function that is not compiled")),
        }
    }

    /// A built-in function where a condition is wanted. Says whether it was written.
    pub(super) fn builtin_condition(&mut self, id: u32, args: &Args, when: bool, target: Label) -> Lowers<bool> {
        let name = Self::name_of(id);
        let [Item { value, clauses: Some(clauses), label: None, arrow: None, .. }] = args.items.as_slice() else {
            return Ok(false);
        };
        if !matches!(name, "all" | "any") {
            return Ok(false);
        }
        // decided by one element: a false one for `all`, a true one for `any`
        let decisive = name == "any";
        if when == decisive {
            self.each(clauses, &mut |this, _| this.condition(value, when, target))?;
            return Ok(true);
        }
        let past = self.label();
        self.each(clauses, &mut |this, _| this.condition(value, !when, past))?;
        self.jump(target)?;
        self.here(past);
        Ok(true)
    }

    /// `count(e for …)` and others that go through elements.
    fn over(&mut self, name: &str, value: &Ex, clauses: &Clauses) -> Lowers<Low> {
        let to = self.take(1)?;
        let (zero, one) = (self.constant_reg(0)?, self.constant_reg(1)?);
        match name {
            "all" | "any" => {
                let decisive = name == "any";
                let end = self.label();
                self.emit(Code::Move(to, if decisive { one } else { zero }))?;
                self.each(clauses, &mut |this, _| this.condition(value, decisive, end))?;
                self.emit(Code::Move(to, if decisive { zero } else { one }))?;
                self.here(end);
                Ok(Low::Bool(to))
            }
            "count" => {
                self.emit(Code::Move(to, zero))?;
                let conditional = is_condition(value);
                self.each(clauses, &mut |this, next| {
                    let mark = this.top;
                    if conditional {
                        this.condition(value, false, next)?;
                    } else {
                        match this.low(value)? {
                            element @ (Low::Bool(_) | Low::Const(Value::Bool(_))) => {
                                this.jump_on(&element, false, next)?
                            }
                            Low::Const(Value::Int(_))
                            | Low::Int(_)
                            | Low::Counted(_)
                            | Low::Cell(_)
                            | Low::Tuple(_) => {}
                            _ => return Err(Refused("things of some kind are counted")),
                        }
                    }
                    this.emit(Code::Add(to, to, one))?;
                    this.release(mark);
                    Ok(())
                })?;
                Ok(Low::Int(to))
            }
            "sum" => {
                self.emit(Code::Move(to, zero))?;
                self.each(clauses, &mut |this, _| {
                    let mark = this.top;
                    let element = this.low(value)?;
                    let number = this.number(&element)?;
                    this.emit(Code::Add(to, to, number))?;
                    this.release(mark);
                    Ok(())
                })?;
                Ok(Low::Int(to))
            }
            "min" | "max" => {
                let least = name == "min";
                let start = self.constant_reg(if least { i64::MAX } else { i64::MIN })?;
                let found = self.take(1)?;
                self.emit(Code::Move(to, start))?;
                self.emit(Code::Move(found, zero))?;
                self.each(clauses, &mut |this, _| {
                    let mark = this.top;
                    let element = this.low(value)?;
                    let number = this.number(&element)?;
                    this.emit(if least { Code::Least(to, to, number) } else { Code::Greatest(to, to, number) })?;
                    this.emit(Code::Move(found, one))?;
                    this.release(mark);
                    Ok(())
                })?;
                self.emit(Code::JumpUnless(found, self.bail.0))?;
                Ok(Low::Int(to))
            }
            _ => Err(Refused("a function of a sequence that is not compiled")),
        }
    }

    /// The same for the elements of a value.
    fn over_value(&mut self, name: &str, value: &Low) -> Lowers<Low> {
        let to = self.take(1)?;
        let (zero, one) = (self.constant_reg(0)?, self.constant_reg(1)?);
        let decisive = name == "any";
        let end = self.label();
        self.emit(Code::Move(to, if decisive { one } else { zero }))?;
        self.walk(value, Default::default(), &mut |this, element, next| match name {
            "all" | "any" => this.jump_on(&element, decisive, end),
            "count" => {
                if matches!(element, Low::Bool(_) | Low::Const(Value::Bool(_))) {
                    this.jump_on(&element, false, next)?;
                }
                this.emit(Code::Add(to, to, one))
            }
            _ => {
                let number = this.number(&element)?;
                this.emit(Code::Add(to, to, number))
            }
        })?;
        if matches!(name, "all" | "any") {
            self.emit(Code::Move(to, if decisive { zero } else { one }))?;
            self.here(end);
            return Ok(Low::Bool(to));
        }
        Ok(Low::Int(to))
    }

    pub(super) fn blank(&mut self) -> Lowers<Low> {
        if self.instance.sliding().is_none() {
            return Err(Refused("a puzzle without a blank"));
        }
        let to = self.take(1)?;
        self.emit(Code::Blank(to))?;
        Ok(self.cell_low(to))
    }

    fn has_grid(&self) -> bool {
        self.grid.rows > 0
    }

    /// A cell whose number from 0 is in a register.
    pub(super) fn cell_low(&self, reg: Reg) -> Low {
        if self.instance.cells.is_plain() { Low::Counted(reg) } else { Low::Cell(reg) }
    }

    /// What asks for the puzzle in force: it has to be that of the board.
    fn needs_instance(&self) -> Lowers<()> {
        match &self.frame.instance {
            Some(instance) if Arc::ptr_eq(instance, &self.instance) => Ok(()),
            _ => Err(Refused("another puzzle is in force")),
        }
    }

    fn only_argument(&mut self, args: &Args) -> Lowers<Low> {
        let mut values = self.arguments(args)?;
        match values.len() {
            1 => Ok(values.swap_remove(0)),
            _ => Err(Refused("another number of arguments")),
        }
    }

    /// The cell or tile that a function is asked about: one argument, or its coordinates.
    fn place_argument(&mut self, args: &Args) -> Lowers<Low> {
        let mut values = self.arguments(args)?;
        if values.iter().any(|value| matches!(value, Low::Const(Value::Board(_)) | Low::Board)) {
            return Err(Refused("a board that is not in force"));
        }
        Ok(if values.len() == 1 { values.swap_remove(0) } else { Low::Tuple(values) })
    }

    /// The number from 0 of a cell or tile that is given by its number from 1.
    fn numbered(&mut self, low: &Low) -> Lowers<Reg> {
        let number = self.number(low)?;
        let to = self.take(1)?;
        self.emit(Code::Numbered(to, number))?;
        Ok(to)
    }

    /// The number from 0 of a tile.
    fn tile_number(&mut self, low: &Low) -> Lowers<Reg> {
        match low {
            Low::Counted(reg) => Ok(*reg),
            Low::Const(Value::Int(number)) if (1..=self.instance.cells.len() as i64).contains(number) => {
                self.constant_reg(number - 1)
            }
            Low::Int(_) | Low::Const(Value::Int(_)) => self.numbered(low),
            _ => self.cell_number(low),
        }
    }

    /// The number from 0 of a cell.
    pub(super) fn cell_number(&mut self, low: &Low) -> Lowers<Reg> {
        let plain = self.instance.cells.is_plain();
        match low {
            Low::Cell(reg) => Ok(*reg),
            Low::Counted(reg) if plain => Ok(*reg),
            Low::Const(value) => {
                let number = self.instance.number_of(value).ok_or(Refused("something that is no cell"))?;
                self.constant_reg(i64::from(number))
            }
            Low::Int(_) if plain => self.numbered(low),
            Low::Tuple(parts) if !plain && parts.len() == self.instance.cells.width() => {
                let width = parts.len();
                if let ([row, column], true) = (parts.as_slice(), self.has_grid()) {
                    let (row, column) = (self.number(row)?, self.number(column)?);
                    let to = self.take(1)?;
                    self.emit(Code::Square(to, row, column))?;
                    return Ok(to);
                }
                let first = self.take(width)?;
                for (at, part) in parts.iter().enumerate() {
                    let number = self.number(part)?;
                    self.emit(Code::Move(first + at as Reg, number))?;
                }
                let to = self.take(1)?;
                self.emit(Code::Cell(to, first, width as u16))?;
                Ok(to)
            }
            Low::Row { first, length, .. } if !plain && usize::from(*length) == self.instance.cells.width() => {
                let to = self.take(1)?;
                self.emit(Code::Cell(to, *first, *length))?;
                Ok(to)
            }
            _ => Err(Refused("something that is no cell")),
        }
    }
}

/// Is the value of an expression visibly a truth value?
fn is_condition(ex: &Ex) -> bool {
    match &ex.kind {
        ExKind::Unary(UnaryOp::Not, _) | ExKind::Compare(..) => true,
        ExKind::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or),
        _ => false,
    }
}
