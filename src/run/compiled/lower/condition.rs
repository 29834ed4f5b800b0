//! Conditions: jumps where they hold, or where they do not.

use num_traits::ToPrimitive;

use super::{Label, Lowering, Lowers, Refused, Table};
use crate::resolve::program::*;
use crate::run::compiled::code::{Code, Reg};
use crate::run::compiled::low::{Kind, Low};
use crate::run::value::{Value, order};
use crate::source::Span;

impl Lowering<'_, '_> {
    /// Jumps to a label if a condition is what `when` says, else goes on.
    pub(super) fn condition(&mut self, ex: &Ex, when: bool, target: Label) -> Lowers<()> {
        match self.constant(ex) {
            Some(Value::Bool(value)) => return if value == when { self.jump(target) } else { Ok(()) },
            Some(_) => return Err(Refused("a condition is no truth value")),
            None => {}
        }
        let mark = self.top;
        match &ex.kind {
            ExKind::Unary(UnaryOp::Not, inner) => self.condition(inner, !when, target)?,
            ExKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                // `and` is decided by a false part, `or` by a true one
                let decisive = *op == BinaryOp::Or;
                if when == decisive {
                    self.condition(left, when, target)?;
                    self.condition(right, when, target)?;
                } else {
                    let past = self.label();
                    self.condition(left, !when, past)?;
                    self.condition(right, when, target)?;
                    self.here(past);
                }
            }
            ExKind::Compare(first, links) => self.comparison(first, links, when, target)?,
            ExKind::Paren(args) if args.items.len() == 1 && is_plain(args) => {
                self.condition(&args.items[0].value, when, target)?;
            }
            ExKind::Run(factors) => {
                if !self.condition_call(factors, when, target)? {
                    self.truth(ex, when, target)?;
                }
            }
            _ => self.truth(ex, when, target)?,
        }
        self.release(mark);
        Ok(())
    }

    fn truth(&mut self, ex: &Ex, when: bool, target: Label) -> Lowers<()> {
        let value = self.lazily(ex)?;
        self.jump_on(&value, when, target)
    }

    /// Jumps if a truth value is what `when` says.
    pub(super) fn jump_on(&mut self, value: &Low, when: bool, target: Label) -> Lowers<()> {
        match value {
            Low::Bool(reg) if when => self.emit(Code::JumpIf(*reg, target.0)),
            Low::Bool(reg) => self.emit(Code::JumpUnless(*reg, target.0)),
            Low::Const(Value::Bool(value)) if *value == when => self.jump(target),
            Low::Const(Value::Bool(_)) => Ok(()),
            Low::Entry { at, table, kind: Kind::Bool } => {
                let table = u16::try_from(*table).map_err(|_| Refused("too many tables"))?;
                self.emit(if when { Code::JumpIn(*at, table, target.0) } else { Code::JumpNotIn(*at, table, target.0) })
            }
            _ => Err(Refused("a condition is no truth value")),
        }
    }

    fn comparison(&mut self, first: &Ex, links: &[(CompareOp, Ex)], when: bool, target: Label) -> Lowers<()> {
        let mut left = self.lazily(first)?;
        let past = self.label();
        for (at, (op, right)) in links.iter().enumerate() {
            let right = self.lazily(right)?;
            if when && at + 1 < links.len() {
                self.compare(*op, &left, &right, false, past)?;
            } else {
                self.compare(*op, &left, &right, when, target)?;
            }
            left = right;
        }
        self.here(past);
        Ok(())
    }

    fn compare(&mut self, op: CompareOp, a: &Low, b: &Low, when: bool, target: Label) -> Lowers<()> {
        if let Some((at, table)) = self.entry_compared(op, a, b) {
            return self.jump_in(at, table, when, target);
        }
        let (a, b) = (&self.looked_up(a.clone())?, &self.looked_up(b.clone())?);
        match op {
            CompareOp::Equal => self.equal(a, b, when, target),
            CompareOp::NotEqual => self.equal(a, b, !when, target),
            CompareOp::Less => self.less(a, b, when, target),
            CompareOp::Greater => self.less(b, a, when, target),
            CompareOp::LessEqual => self.less(b, a, !when, target),
            CompareOp::GreaterEqual => self.less(a, b, !when, target),
            CompareOp::In => self.inside(a, b, when, target),
            CompareOp::NotIn => self.inside(a, b, !when, target),
            CompareOp::Subset => Err(Refused("sets that are not known")),
        }
    }

    /// The entry of a table compared with a known number, as a table of the answers.
    fn entry_compared(&self, op: CompareOp, a: &Low, b: &Low) -> Option<(Reg, Table)> {
        let (at, table, number, swapped) = match (a, b) {
            (Low::Entry { at, table, kind: Kind::Int }, Low::Const(number)) => (*at, *table, number, false),
            (Low::Const(number), Low::Entry { at, table, kind: Kind::Int }) => (*at, *table, number, true),
            _ => return None,
        };
        if !number.is_number() {
            return None;
        }
        let entries = &self.tables[table as usize];
        // an entry that is missing has to stop the run, whatever it is compared with
        if entries.values.contains(&super::NO_VALUE) {
            return None;
        }
        let holds = |entry: &i32| {
            let ordering = order(&Value::Int(i64::from(*entry)), number);
            let ordering = if swapped { ordering.reverse() } else { ordering };
            Some(match op {
                CompareOp::Equal => ordering.is_eq(),
                CompareOp::NotEqual => ordering.is_ne(),
                CompareOp::Less => ordering.is_lt(),
                CompareOp::LessEqual => ordering.is_le(),
                CompareOp::Greater => ordering.is_gt(),
                CompareOp::GreaterEqual => ordering.is_ge(),
                _ => return None,
            })
        };
        let values = entries.values.iter().map(|entry| holds(entry).map(i32::from)).collect::<Option<Box<[i32]>>>()?;
        Some((at, Table { first: entries.first, values }))
    }

    /// a < b
    fn less(&mut self, a: &Low, b: &Low, when: bool, target: Label) -> Lowers<()> {
        // a fraction lies between two integers
        if let Low::Const(Value::Fraction(limit)) = b {
            let floor = limit.floor().to_integer().to_i64().ok_or(Refused("a large number"))?;
            return self.less(&Low::int(floor), a, !when, target);
        }
        if let Low::Const(Value::Fraction(limit)) = a {
            let floor = limit.floor().to_integer().to_i64().ok_or(Refused("a large number"))?;
            return self.less(&Low::int(floor), b, when, target);
        }
        let (x, y) = match (a, b) {
            (Low::Counted(x), Low::Counted(y)) => (*x, *y),
            (Low::Counted(x), Low::Const(Value::Int(y))) => (*x, self.constant_reg(y.saturating_sub(1))?),
            (Low::Const(Value::Int(x)), Low::Counted(y)) => (self.constant_reg(x.saturating_sub(1))?, *y),
            (Low::Cell(x), Low::Cell(y)) if self.cells_are_sorted() => (*x, *y),
            _ => (self.number(a)?, self.number(b)?),
        };
        self.emit(if when { Code::JumpLess(x, y, target.0) } else { Code::JumpAtMost(y, x, target.0) })
    }

    /// Are the cells in the order of their coordinates?
    fn cells_are_sorted(&self) -> bool {
        let cells = &self.instance.cells;
        (1..cells.len() as u32).all(|cell| cells.coordinates(cell - 1) < cells.coordinates(cell))
    }

    /// a == b
    pub(super) fn equal(&mut self, a: &Low, b: &Low, when: bool, target: Label) -> Lowers<()> {
        let registers = |this: &mut Self, x: Reg, y: Reg| {
            this.emit(if when { Code::JumpEqual(x, y, target.0) } else { Code::JumpDiffer(x, y, target.0) })
        };
        let known = |this: &mut Self, value: bool| if value == when { this.jump(target) } else { Ok(()) };
        match (a, b) {
            (Low::Const(x), Low::Const(y)) => {
                if !x.is_data() || !y.is_data() || x.is_number() != y.is_number() {
                    return Err(Refused("values are compared that are no data"));
                }
                known(self, order(x, y).is_eq())
            }
            (Low::Const(_), _) => self.equal(b, a, when, target),
            (Low::Counted(x), Low::Counted(y)) | (Low::Bool(x), Low::Bool(y)) | (Low::Cell(x), Low::Cell(y)) => {
                registers(self, *x, *y)
            }
            (Low::Counted(x), Low::Const(Value::Int(y))) => {
                let y = self.constant_reg(y.saturating_sub(1))?;
                registers(self, *x, y)
            }
            (Low::Int(x), Low::Const(Value::Int(y))) => {
                let y = self.constant_reg(*y)?;
                registers(self, *x, y)
            }
            (Low::Int(_) | Low::Counted(_), Low::Const(Value::Fraction(_))) => known(self, false),
            (Low::Int(_) | Low::Counted(_), Low::Int(_) | Low::Counted(_)) => {
                let (x, y) = (self.number(a)?, self.number(b)?);
                registers(self, x, y)
            }
            (Low::Bool(_), Low::Const(Value::Bool(y))) => self.jump_on(a, when == *y, target),
            (Low::Cell(x), Low::Const(y @ (Value::Tuple(_) | Value::Range(..)))) => match self.instance.number_of(y) {
                Some(y) => {
                    let y = self.constant_reg(i64::from(y))?;
                    registers(self, *x, y)
                }
                None => known(self, false),
            },
            (Low::Board, Low::Const(Value::Board(board))) => {
                if !std::sync::Arc::ptr_eq(&board.of, &self.instance) {
                    return Err(Refused("a board of another puzzle"));
                }
                self.boards.push(board.clone());
                let to = self.take(1)?;
                self.looks = true;
                self.emit(Code::BoardIs(to, self.boards.len() as u32 - 1))?;
                self.jump_on(&Low::Bool(to), when, target)
            }
            (Low::Tuple(_) | Low::Row { .. } | Low::Cell(_), _) => {
                let (x, y) = (self.parts_of(a)?, self.parts_of(b)?);
                let (Some(x), Some(y)) = (x, y) else { return Err(Refused("a tuple is compared with something else")) };
                if x.len() != y.len() {
                    return known(self, false);
                }
                let past = self.label();
                for (x, y) in x.iter().zip(&y) {
                    self.compare(CompareOp::Equal, x, y, false, if when { past } else { target })?;
                }
                if when {
                    self.jump(target)?;
                }
                self.here(past);
                Ok(())
            }
            _ => Err(Refused("values of different kinds are compared")),
        }
    }

    /// one in all
    fn inside(&mut self, one: &Low, all: &Low, when: bool, target: Label) -> Lowers<()> {
        match (one, all) {
            (Low::Int(_) | Low::Counted(_), Low::Const(Value::Range(from, to))) => {
                let all = Low::Range(Box::new(Low::int(*from)), Box::new(Low::int(*to)));
                self.inside(one, &all, when, target)
            }
            (Low::Int(_) | Low::Counted(_), Low::Range(from, to)) => {
                if !when {
                    self.less(one, from, true, target)?;
                    return self.less(to, one, true, target);
                }
                let past = self.label();
                self.less(one, from, true, past)?;
                self.less(to, one, false, target)?;
                self.here(past);
                Ok(())
            }
            (Low::Cell(cell), Low::Const(value)) => {
                let cells = self.instance.cells.len() as u32;
                let mut says = Vec::with_capacity(cells as usize);
                for cell in 0..cells {
                    let value = self.cell_in(cell, value)?;
                    says.push(i32::from(value));
                }
                self.jump_in(*cell, Table { first: 0, values: says.into() }, when, target)
            }
            (Low::Int(_) | Low::Counted(_), Low::Const(value)) => {
                let elements = self.elements(value)?;
                let numbers: Vec<i64> = elements
                    .iter()
                    .filter_map(|value| if let Value::Int(k) = value { Some(*k) } else { None })
                    .collect();
                let (Some(least), Some(most)) = (numbers.iter().copied().min(), numbers.iter().copied().max()) else {
                    return if when { Ok(()) } else { self.jump(target) };
                };
                if most.saturating_sub(least) > 1 << 16 {
                    return Err(Refused("a set of large numbers"));
                }
                let mut says = vec![0; (most - least + 1) as usize];
                for number in numbers {
                    says[(number - least) as usize] = 1;
                }
                let (at, shift) = match one {
                    Low::Counted(reg) => (*reg, 1),
                    _ => (self.number(one)?, 0),
                };
                self.jump_in(at, Table { first: least - shift, values: says.into() }, when, target)
            }
            (one, Low::Tuple(parts)) => {
                let past = self.label();
                for part in parts {
                    self.equal(one, part, true, if when { target } else { past })?;
                }
                if !when {
                    self.jump(target)?;
                }
                self.here(past);
                Ok(())
            }
            (one, Low::Row { .. }) => {
                let place = self.place_in(all, one)?;
                self.jump_on(&Low::Bool(place), when, target)
            }
            _ => Err(Refused("`in` something that is not known")),
        }
    }

    fn cell_in(&mut self, cell: u32, all: &Value) -> Lowers<bool> {
        let one = self.instance.cell(cell);
        let answer = self.apart(|machine| machine.contains(all, &one, Span::default(), Span::default()));
        answer.ok_or(Refused("`in` something that has no elements"))
    }

    fn jump_in(&mut self, at: Reg, table: Table, when: bool, target: Label) -> Lowers<()> {
        let same = self.tables.iter().position(|other| other.first == table.first && other.values == table.values);
        let table = match same {
            Some(table) => table as u32,
            None => self.add_table(table)?,
        };
        let table = u16::try_from(table).map_err(|_| Refused("too many tables"))?;
        self.emit(if when { Code::JumpIn(at, table, target.0) } else { Code::JumpNotIn(at, table, target.0) })
    }

    /// A condition as a value.
    pub(super) fn truth_value(&mut self, ex: &Ex) -> Lowers<Low> {
        let to = self.take(1)?;
        let (zero, one) = (self.constant_reg(0)?, self.constant_reg(1)?);
        let past = self.label();
        // the value may be asked for while the old one is still needed: it is written at the end
        let no = self.label();
        self.condition(ex, false, no)?;
        self.emit(Code::Move(to, one))?;
        self.jump(past)?;
        self.here(no);
        self.emit(Code::Move(to, zero))?;
        self.here(past);
        Ok(Low::Bool(to))
    }
}

/// One value in parentheses.
pub(super) fn is_plain(args: &Args) -> bool {
    args.items.iter().all(|item| item.label.is_none() && item.arrow.is_none() && item.clauses.is_none())
        && !args.trailing_comma
}
