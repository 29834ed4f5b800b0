//! Expressions.

use super::condition::is_plain;
use super::{Lowering, Lowers, Refused};
use crate::resolve::program::*;
use crate::run::builtin;
use crate::run::compiled::code::{Code, Reg};
use crate::run::compiled::low::{Kind, Low};
use crate::run::value::Value;

impl Lowering<'_, '_> {
    /// What an expression becomes.
    pub(super) fn low(&mut self, ex: &Ex) -> Lowers<Low> {
        let low = self.lazily(ex)?;
        self.looked_up(low)
    }

    /// The same, where an entry of a table need not be looked up.
    pub(super) fn lazily(&mut self, ex: &Ex) -> Lowers<Low> {
        if let Some(value) = self.constant(ex) {
            return Ok(Low::Const(value));
        }
        match &ex.kind {
            ExKind::Local(slot) => self.slot(*slot),
            ExKind::Paren(args) => match args.items.as_slice() {
                [only] if is_plain(args) => self.lazily(&only.value),
                _ => self.tuple(args),
            },
            ExKind::Unary(UnaryOp::Not, _) | ExKind::Compare(..) => self.truth_value(ex),
            ExKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.truth_value(ex),
            ExKind::Unary(_, inner) => {
                let value = self.low(inner)?;
                self.negated(&value)
            }
            ExKind::Binary(op, left, right) => {
                let a = self.low(left)?;
                let b = self.low(right)?;
                self.combine(*op, &a, &b)
            }
            ExKind::If(arms, otherwise) => self.choice(arms, otherwise.as_ref(), true, true),
            ExKind::Run(factors) => match self.run_of(factors)? {
                Some(value) => Ok(value),
                None => Err(Refused("a product that is not known")),
            },
            ExKind::Bare(id) => match builtin::ALL.get(*id as usize).map(|builtin| builtin.name) {
                Some("board") => Ok(Low::Board),
                Some("blank") => self.blank(),
                _ => Err(Refused("a function that is not compiled")),
            },
            ExKind::Perform(perform) if !perform.run => self.perform(perform, true),
            _ => Err(Refused("an expression that is not compiled")),
        }
    }

    /// The integer in a register.
    pub(super) fn number(&mut self, low: &Low) -> Lowers<Reg> {
        match low {
            Low::Int(reg) => Ok(*reg),
            Low::Const(Value::Int(value)) => self.constant_reg(*value),
            Low::Counted(reg) => {
                let one = self.constant_reg(1)?;
                let to = self.take(1)?;
                self.emit(Code::Add(to, *reg, one))?;
                Ok(to)
            }
            Low::Entry { at, table, kind: Kind::Int } => {
                let to = self.take(1)?;
                self.emit(Code::Look(to, *at, *table))?;
                Ok(to)
            }
            _ => Err(Refused("an integer is needed")),
        }
    }

    fn tuple(&mut self, args: &Args) -> Lowers<Low> {
        if let [Item { value, clauses: Some(clauses), label: None, arrow: None, .. }] = args.items.as_slice() {
            return self.comprehension(value, clauses);
        }
        let mut parts = Vec::with_capacity(args.items.len());
        for item in &args.items {
            if item.label.is_some() || item.arrow.is_some() || item.clauses.is_some() {
                return Err(Refused("a tuple with other things than values"));
            }
            let part = self.low(&item.value)?;
            if matches!(part, Low::Range(..) | Low::Const(Value::Range(..))) {
                return Err(Refused("a box of cells that is not known"));
            }
            parts.push(part);
        }
        Ok(Low::Tuple(parts))
    }

    /// `(e for x in xs)`, if it is known how many elements there are and each has one register.
    fn comprehension(&mut self, value: &Ex, clauses: &Clauses) -> Lowers<Low> {
        const LONG: Refused = Refused("a sequence of which the length is not known");
        if clauses.condition.is_some() {
            return Err(LONG);
        }
        let mut length = 1usize;
        for (_, range) in &clauses.each {
            let size = match self.constant(range) {
                Some(value) => value.size(),
                None => match self.low(range)? {
                    Low::Row { length, .. } => Some(usize::from(length)),
                    Low::Tuple(parts) => Some(parts.len()),
                    _ => None,
                },
            };
            length = size.and_then(|size| length.checked_mul(size)).filter(|length| *length < 1 << 15).ok_or(LONG)?;
        }
        let first = self.take(length)?;
        let counter = self.take(1)?;
        let (zero, one) = (self.constant_reg(0)?, self.constant_reg(1)?);
        self.emit(Code::Move(counter, zero))?;
        let mut kind = None;
        self.each(clauses, &mut |this, _| {
            let mark = this.top;
            let element = this.low(value)?;
            let own = this.kind(&element).filter(Kind::is_scalar).ok_or(Refused("a sequence of tuples"))?;
            let from = this.take(1)?;
            this.store(&element, &own, from)?;
            this.emit(Code::Add(counter, counter, one))?;
            this.emit(Code::Store(first, length as u16, counter, from))?;
            if kind.replace(own.clone()).is_some_and(|kind| kind != own) {
                return Err(Refused("a sequence of different kinds"));
            }
            this.release(mark);
            Ok(())
        })?;
        match kind {
            Some(kind) => Ok(Low::Row { first, length: length as u16, kind }),
            None => Ok(Low::Const(Value::tuple(Vec::new()))),
        }
    }

    fn negated(&mut self, value: &Low) -> Lowers<Low> {
        match value {
            Low::Tuple(_) | Low::Cell(_) => {
                let parts = self.parts_of(value)?.ok_or(Refused("a tuple without parts"))?;
                Ok(Low::Tuple(parts.iter().map(|part| self.negated(part)).collect::<Lowers<Vec<Low>>>()?))
            }
            _ => self.combine(BinaryOp::Subtract, &Low::int(0), value),
        }
    }

    /// An operator between two values.
    pub(super) fn combine(&mut self, op: BinaryOp, a: &Low, b: &Low) -> Lowers<Low> {
        let is_tuple = |low: &Low| {
            matches!(
                low,
                Low::Tuple(_) | Low::Cell(_) | Low::Row { .. } | Low::Const(Value::Tuple(_) | Value::Range(..))
            )
        };
        match op {
            BinaryOp::Range => Ok(Low::Range(Box::new(a.clone()), Box::new(b.clone()))),
            BinaryOp::Add | BinaryOp::Subtract if is_tuple(a) && is_tuple(b) => {
                let (Some(x), Some(y)) = (self.parts_of(a)?, self.parts_of(b)?) else {
                    return Err(Refused("long tuples are combined"));
                };
                if x.len() != y.len() {
                    return Err(Refused("tuples of different lengths are combined"));
                }
                let parts = x.iter().zip(&y).map(|(x, y)| self.combine(op, x, y)).collect::<Lowers<Vec<Low>>>()?;
                Ok(Low::Tuple(parts))
            }
            BinaryOp::Times if is_tuple(a) != is_tuple(b) => {
                let (tuple, number) = if is_tuple(a) { (a, b) } else { (b, a) };
                let parts = self.parts_of(tuple)?.ok_or(Refused("a long tuple is multiplied"))?;
                let parts = parts.iter().map(|x| self.combine(op, x, number)).collect::<Lowers<Vec<Low>>>()?;
                Ok(Low::Tuple(parts))
            }
            BinaryOp::Concat => {
                let (Some(mut x), Some(y)) = (self.parts_of(a)?, self.parts_of(b)?) else {
                    return Err(Refused("long sequences are joined"));
                };
                x.extend(y);
                Ok(Low::Tuple(x))
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Times | BinaryOp::Div | BinaryOp::Mod => {
                if let (Low::Const(x), Low::Const(y)) = (a, b) {
                    let (x, y) = (x.clone(), y.clone());
                    let span = Default::default();
                    let value = self.apart(|machine| machine.combine(op, x, y, span, span, span));
                    return value.map(Low::Const).ok_or(Refused("numbers that cannot be combined"));
                }
                // one is taken off a number that counts from 1
                if let (BinaryOp::Subtract, Low::Counted(x), Low::Const(Value::Int(1))) = (op, a, b) {
                    return Ok(Low::Int(*x));
                }
                let (x, y) = (self.number(a)?, self.number(b)?);
                let to = self.take(1)?;
                self.emit(match op {
                    BinaryOp::Add => Code::Add(to, x, y),
                    BinaryOp::Subtract => Code::Subtract(to, x, y),
                    BinaryOp::Times => Code::Times(to, x, y),
                    BinaryOp::Div => Code::Div(to, x, y),
                    _ => Code::Mod(to, x, y),
                })?;
                Ok(Low::Int(to))
            }
            _ => Err(Refused("an operator between values that are not known")),
        }
    }

    /// A power of an integer.
    pub(super) fn power(&mut self, base: &Low, exponent: &Low) -> Lowers<Low> {
        let base = self.number(base)?;
        if let Low::Const(Value::Int(exponent @ 1..=4)) = exponent {
            let mut power = base;
            for _ in 1..*exponent {
                let to = self.take(1)?;
                self.emit(Code::Times(to, power, base))?;
                power = to;
            }
            return Ok(Low::Int(power));
        }
        let exponent = self.number(exponent)?;
        let to = self.take(1)?;
        self.emit(Code::Power(to, base, exponent))?;
        Ok(Low::Int(to))
    }

    /// Postfixes of a factor.
    pub(super) fn postfixes(&mut self, mut value: Low, factor: &Fx) -> Lowers<Low> {
        for postfix in &factor.postfix {
            value = self.looked_up(value)?;
            value = match (&postfix.kind, &value) {
                (PxKind::Power(exponent), Low::Int(_) | Low::Counted(_) | Low::Const(Value::Int(_))) => {
                    let exponent = self.low(exponent)?;
                    self.power(&value, &exponent)?
                }
                (PxKind::Prime, Low::Word(word)) => self.inverse_word(*word)?,
                _ => return Err(Refused("a postfix that is not compiled")),
            };
        }
        Ok(value)
    }
}
