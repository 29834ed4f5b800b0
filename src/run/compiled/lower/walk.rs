//! Loops over the elements of sequences, and patterns that take values apart.

use super::{Label, Lowering, Lowers, Refused, Table, small};
use crate::resolve::program::*;
use crate::run::compiled::code::{Code, Reg};
use crate::run::compiled::low::{Kind, Low};
use crate::run::value::Value;
use crate::source::Span;

/// What is written for each element; the label is where it goes on with the next one.
type Body<'b, 'a, 'p> = &'b mut dyn FnMut(&mut Lowering<'a, 'p>, Label) -> Lowers<()>;

impl<'a, 'p> Lowering<'a, 'p> {
    /// Nested loops. The label that the body gets is where the innermost one goes on.
    pub(super) fn each(&mut self, clauses: &Clauses, body: Body<'_, 'a, 'p>) -> Lowers<()> {
        let end = self.label();
        self.each_from(clauses, 0, end, body)?;
        self.here(end);
        Ok(())
    }

    fn each_from(&mut self, clauses: &Clauses, depth: usize, next: Label, body: Body<'_, 'a, 'p>) -> Lowers<()> {
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition {
                self.condition(condition, false, next)?;
            }
            return body(self, next);
        };
        let mark = self.top;
        let source = self.low(range)?;
        let source = self.settled(source)?;
        self.walk(&source, range.span, &mut |this, element, next| {
            let bound = this.frame.bound.len();
            this.bind(pattern, element)?;
            this.each_from(clauses, depth + 1, next, body)?;
            this.forget(bound);
            Ok(())
        })?;
        self.release(mark);
        Ok(())
    }

    /// A loop over the elements of a value.
    pub(super) fn walk(
        &mut self,
        source: &Low,
        span: Span,
        visit: &mut dyn FnMut(&mut Self, Low, Label) -> Lowers<()>,
    ) -> Lowers<()> {
        match source {
            Low::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                self.walk_numbers(from, to, span, visit)
            }
            Low::Const(Value::Range(from, to)) => {
                if from > to {
                    return Ok(());
                }
                let (from, to) = (self.constant_reg(*from)?, self.constant_reg(*to)?);
                self.walk_numbers(from, to, span, visit)
            }
            Low::Const(value) => {
                let elements = self.elements(value)?;
                if elements.is_empty() {
                    return Ok(());
                }
                let kind = self.kind_of_all(&elements)?;
                let columns = self.columns(&elements, &kind)?;
                let (zero, last) = (self.constant_reg(0)?, self.constant_reg(elements.len() as i64 - 1)?);
                let mut tables = Vec::with_capacity(columns.len());
                for values in columns {
                    let values = values.into_iter().map(small).collect::<Option<Vec<i32>>>();
                    let values = values.ok_or(Refused("an element is too large"))?;
                    tables.push(self.add_table(Table { first: 0, values: values.into() })?);
                }
                self.walk_numbers(zero, last, span, &mut |this, counter, next| {
                    let Low::Int(counter) = counter else { return Err(Refused("a loop without a counter")) };
                    let first = this.take(tables.len())?;
                    for (at, table) in tables.iter().enumerate() {
                        this.emit(Code::Look(first + at as Reg, counter, *table))?;
                    }
                    let element = this.in_registers(&kind, first);
                    visit(this, element, next)
                })
            }
            Low::Row { first, length, kind } => {
                let settled = self.settled(Low::Row { first: *first, length: *length, kind: kind.clone() })?;
                let Low::Row { first, length, kind } = settled else { return Err(Refused("a row is no row")) };
                if length == 0 {
                    return Ok(());
                }
                let (one, last) = (self.constant_reg(1)?, self.constant_reg(i64::from(length))?);
                self.walk_numbers(one, last, span, &mut |this, counter, next| {
                    let Low::Int(counter) = counter else { return Err(Refused("a loop without a counter")) };
                    let to = this.take(1)?;
                    this.emit(Code::Fetch(to, first, length, counter))?;
                    let element = this.in_registers(&kind, to);
                    visit(this, element, next)
                })
            }
            // a few elements are written out one after another, each with what is known of it
            Low::Tuple(parts) if parts.len() <= 8 => {
                // the elements are those of before the loop, whatever it changes
                let parts = parts.iter().map(|part| self.settled(part.clone())).collect::<Lowers<Vec<Low>>>()?;
                for part in parts {
                    let next = self.label();
                    visit(self, part, next)?;
                    self.here(next);
                }
                Ok(())
            }
            _ => Err(Refused("a loop over something else than a sequence")),
        }
    }

    fn walk_numbers(
        &mut self,
        from: Reg,
        to: Reg,
        span: Span,
        visit: &mut dyn FnMut(&mut Self, Low, Label) -> Lowers<()>,
    ) -> Lowers<()> {
        let mark = self.top;
        let counter = self.take(1)?;
        self.emit(Code::Move(counter, from))?;
        let Low::Int(last) = self.settled(Low::Int(to))? else { return Err(Refused("a loop without an end")) };
        let (head, next, end) = (self.label(), self.label(), self.label());
        self.emit(Code::JumpLess(last, counter, end.0))?;
        self.here(head);
        visit(self, Low::Int(counter), next)?;
        self.here(next);
        self.emit_loop(Code::Next(counter, last, head.0), span)?;
        self.here(end);
        self.release(mark);
        Ok(())
    }

    /// The elements of a known value, in order.
    pub(super) fn elements(&mut self, value: &Value) -> Lowers<Vec<Value>> {
        match value {
            Value::Tuple(_) | Value::Range(..) | Value::Set(_) | Value::Map(_) => {
                let elements = self.apart(|machine| machine.elements_of(value, Span::default()));
                elements.filter(|elements| elements.len() <= 1 << 20).ok_or(Refused("a sequence is too long"))
            }
            _ => Err(Refused("a loop over something else than a sequence")),
        }
    }

    /// The kind that fits all of some values.
    pub(super) fn kind_of_all(&self, values: &[Value]) -> Lowers<Kind> {
        const MIXED: Refused = Refused("a sequence of different kinds");
        let width = self.instance.cells.width();
        let mut kinds = values.iter().map(|value| Kind::of(value, &self.instance));
        let first = kinds.next().flatten().ok_or(MIXED)?;
        kinds.try_fold(first, |kind, next| kind.join(next?, width)).ok_or(MIXED)
    }

    /// Values of one kind as lists, one for each register that the kind takes.
    pub(super) fn columns(&mut self, values: &[Value], kind: &Kind) -> Lowers<Vec<Vec<i64>>> {
        let mut columns = vec![Vec::with_capacity(values.len()); kind.size()];
        for value in values {
            let mut flat = Vec::with_capacity(columns.len());
            self.flatten(value, kind, &mut flat)?;
            for (column, entry) in columns.iter_mut().zip(flat) {
                column.push(entry);
            }
        }
        Ok(columns)
    }

    /// As [`Kind::flatten`], with words.
    fn flatten(&mut self, value: &Value, kind: &Kind, out: &mut Vec<i64>) -> Lowers<()> {
        match (kind, value) {
            (Kind::Word, value) => out.push(i64::from(self.chosen_word(value)?)),
            (Kind::Tuple(kinds), Value::Tuple(parts)) if kinds.len() == parts.len() => {
                for (kind, part) in kinds.iter().zip(parts.iter()) {
                    self.flatten(part, kind, out)?;
                }
            }
            _ => kind.flatten(value, &self.instance, out).ok_or(Refused("a sequence of different kinds"))?,
        }
        Ok(())
    }

    /// Binds a pattern to a value; where the form is not fixed, a value of another one stops the run.
    pub(super) fn bind(&mut self, pattern: &Pattern, low: Low) -> Lowers<()> {
        match pattern {
            Pattern::Bind(slot, _) => {
                if !self.frame.assigned.contains(slot) {
                    let low = self.settled(low)?;
                    return self.set_slot(*slot, low);
                }
                let kind = match (self.frame.replaced.contains(slot), self.kind(&low)) {
                    (true, kind) => self.row_kind(&low, kind)?,
                    (false, kind) => kind.ok_or(Refused("a variable of a kind without registers"))?,
                };
                let low = self.variable(&low, &kind)?;
                self.set_slot(*slot, low)
            }
            Pattern::Tuple(patterns, _) => {
                let parts = self.parts_of(&low)?.filter(|parts| parts.len() == patterns.len());
                let parts = parts.ok_or(Refused("a value is taken apart into other parts than it has"))?;
                for (pattern, part) in patterns.iter().zip(parts) {
                    self.bind(pattern, part)?;
                }
                Ok(())
            }
            Pattern::Int(..) | Pattern::Equal(..) | Pattern::Param(..) => Err(Refused("a pattern with a condition")),
        }
    }

    /// The kind of a variable of which elements are replaced.
    fn row_kind(&self, low: &Low, kind: Option<Kind>) -> Lowers<Kind> {
        const NO_ROW: Refused = Refused("elements of a variable are replaced that is no row of one kind");
        let of_all = |kinds: Vec<Kind>| -> Lowers<Kind> {
            let first = kinds.first().cloned().filter(Kind::is_scalar).ok_or(NO_ROW)?;
            let length = u16::try_from(kinds.len()).map_err(|_| NO_ROW)?;
            if kinds.iter().any(|kind| *kind != first) {
                return Err(NO_ROW);
            }
            Ok(Kind::Row(length, Box::new(first)))
        };
        match (low, kind) {
            (_, Some(kind @ Kind::Row(..))) => Ok(kind),
            (Low::Const(value), _) => {
                let parts = value.elements().ok_or(NO_ROW)?;
                of_all(parts.iter().map(|part| Kind::of(part, &self.instance)).collect::<Option<_>>().ok_or(NO_ROW)?)
            }
            (Low::Tuple(parts), _) => {
                of_all(parts.iter().map(|part| self.kind(part)).collect::<Option<_>>().ok_or(NO_ROW)?)
            }
            (Low::Cell(_), _) => of_all(vec![Kind::Int; self.instance.cells.width()]),
            _ => Err(NO_ROW),
        }
    }
}
