//! Elements of sequences and dictionaries, parts of tuples, members of families.

use super::{Lowering, Lowers, NO_VALUE, Refused, Table, small};
use crate::resolve::program::MoveId;
use crate::run::compiled::code::{Code, Reg};
use crate::run::compiled::low::{Kind, Low};
use crate::run::instance::Instance;
use crate::run::value::Value;
use std::sync::Arc;

/// A table has at most so many entries for each value that it holds.
const SPREAD: i64 = 64;

impl Lowering<'_, '_> {
    /// The parts of a tuple or cell, if their number is known and not large.
    pub(super) fn parts_of(&mut self, low: &Low) -> Lowers<Option<Vec<Low>>> {
        Ok(match low {
            Low::Tuple(parts) => Some(parts.clone()),
            Low::Row { first, length, kind } if *length <= 64 => {
                Some((0..*length).map(|at| self.in_registers(kind, first + at)).collect())
            }
            Low::Const(value @ (Value::Tuple(_) | Value::Range(..))) if value.size().is_some_and(|size| size <= 64) => {
                value.elements().map(|parts| parts.into_iter().map(Low::Const).collect())
            }
            Low::Cell(cell) => {
                let mut parts = Vec::new();
                for axis in 0..self.instance.cells.width() {
                    parts.push(self.coordinate(*cell, axis)?);
                }
                Some(parts)
            }
            _ => None,
        })
    }

    /// A coordinate of a cell.
    pub(super) fn coordinate(&mut self, cell: Reg, axis: usize) -> Lowers<Low> {
        let cells = self.instance.cells.clone();
        let table = match self.known_tables.get(&(0, axis)) {
            Some(table) => *table,
            None => {
                let values = (0..cells.len() as u32).map(|cell| small(cells.coordinates(cell)[axis]));
                let values = values.collect::<Option<Vec<i32>>>().ok_or(Refused("a coordinate is too large"))?;
                let table = self.add_table(Table { first: 0, values: values.into() })?;
                self.known_tables.insert((0, axis), table);
                table
            }
        };
        Ok(Low::Entry { at: cell, table, kind: Kind::Int })
    }

    /// Looks an entry up, if it is one.
    pub(super) fn looked_up(&mut self, low: Low) -> Lowers<Low> {
        match low {
            Low::Entry { at, table, kind } => {
                let to = self.take(1)?;
                self.emit(Code::Look(to, at, table))?;
                Ok(self.in_registers(&kind, to))
            }
            Low::Tuple(parts) => {
                Ok(Low::Tuple(parts.into_iter().map(|part| self.looked_up(part)).collect::<Lowers<Vec<Low>>>()?))
            }
            other => Ok(other),
        }
    }

    /// `xs[k]`
    pub(super) fn element(&mut self, low: &Low, index: &Low) -> Lowers<Low> {
        match (low, index) {
            (Low::Const(value), Low::Const(index)) => {
                let (value, index) = (value.clone(), index.clone());
                let element = self.apart(|machine| machine.element(&value, &index, Default::default()));
                element.map(Low::Const).ok_or(Refused("an index out of range"))
            }
            (Low::Tuple(_) | Low::Cell(_), Low::Const(Value::Int(k))) => {
                let parts = self.parts_of(low)?.ok_or(Refused("a tuple without parts"))?;
                let at = usize::try_from(k - 1).map_err(|_| Refused("an index out of range"))?;
                parts.get(at).cloned().ok_or(Refused("an index out of range"))
            }
            (Low::Row { first, length, kind }, Low::Const(Value::Int(k))) if (1..=i64::from(*length)).contains(k) => {
                Ok(self.in_registers(kind, first + (*k - 1) as Reg))
            }
            (Low::Row { first, length, kind }, index) => {
                let number = self.number(index)?;
                let to = self.take(1)?;
                self.emit(Code::Fetch(to, *first, *length, number))?;
                Ok(self.in_registers(kind, to))
            }
            (Low::Tuple(parts), index) => {
                let kinds = parts.iter().map(|part| self.kind(part)).collect::<Option<Vec<Kind>>>();
                let kinds = kinds.filter(|kinds| kinds[0].is_scalar() && kinds.iter().all(|kind| *kind == kinds[0]));
                let kinds = kinds.ok_or(Refused("an index into a tuple of different kinds"))?;
                let kind = Kind::Row(parts.len() as u16, Box::new(kinds[0].clone()));
                let first = self.take(kind.size())?;
                self.store(low, &kind, first)?;
                let row = self.in_registers(&kind, first);
                self.element(&row, index)
            }
            (Low::Const(value), index) => self.look_up(value, index),
            _ => Err(Refused("an index into something else than a sequence")),
        }
    }

    /// An element of a known sequence or dictionary.
    fn look_up(&mut self, value: &Value, index: &Low) -> Lowers<Low> {
        let (keys, values): (Vec<i64>, Vec<Value>) = match value {
            Value::Tuple(_) | Value::Range(..) => {
                let values = self.elements(value)?;
                ((1..=values.len() as i64).collect(), values)
            }
            Value::Map(map) => {
                let cells = matches!(index, Low::Cell(_));
                let mut found = (Vec::new(), Vec::new());
                for (key, value) in map.iter() {
                    let key = match &key.0 {
                        key if cells => self.instance.number_of(key).map(i64::from),
                        Value::Int(key) => Some(*key),
                        _ => None,
                    };
                    if let Some(key) = key {
                        found.0.push(key);
                        found.1.push(value.clone());
                    }
                }
                found
            }
            _ => return Err(Refused("an index into something else than a sequence")),
        };
        let (at, shift) = match (index, value) {
            (Low::Cell(reg), Value::Map(_)) => (*reg, 0),
            // the number in the register is one less
            (Low::Counted(reg), _) => (*reg, 1),
            (Low::Int(reg), _) => (*reg, 0),
            _ => return Err(Refused("an index of another kind")),
        };
        if values.is_empty() {
            return Err(Refused("an index into nothing"));
        }
        let kind = self.kind_of_all(&values)?;
        if kind.size() > 16 {
            return Err(Refused("an index into a sequence of long tuples"));
        }
        let (least, most) = (keys.iter().copied().min().unwrap_or(0), keys.iter().copied().max().unwrap_or(0));
        if most.saturating_sub(least) > 1024 + SPREAD * keys.len() as i64 {
            return Err(Refused("a dictionary with large keys"));
        }
        let address = match value {
            Value::Tuple(parts) => parts.as_ptr() as usize,
            Value::Map(map) => Arc::as_ptr(map) as usize,
            _ => 0,
        };
        // of a dictionary, keys of one kind are in the table
        let kept = (address, shift as usize + 2 * usize::from(matches!(index, Low::Cell(_))));
        let known = self.known_tables.get(&kept).copied().filter(|_| address != 0);
        let first_table = match known {
            Some(table) => table,
            None => {
                let first_table = self.tables.len() as u32;
                for column in self.columns(&values, &kind)? {
                    let mut entries = vec![NO_VALUE; (most - least + 1) as usize];
                    for (key, value) in keys.iter().zip(column) {
                        entries[(key - least) as usize] = small(value).ok_or(Refused("an element is too large"))?;
                    }
                    self.add_table(Table { first: least - shift, values: entries.into() })?;
                }
                if address != 0 {
                    self.known_tables.insert(kept, first_table);
                    self.kept.push(value.clone());
                }
                first_table
            }
        };
        if kind.is_scalar() {
            return Ok(Low::Entry { at, table: first_table, kind });
        }
        let to = self.take(kind.size())?;
        for part in 0..kind.size() {
            self.emit(Code::Look(to + part as Reg, at, first_table + part as u32))?;
        }
        Ok(self.in_registers(&kind, to))
    }

    /// The place of an element in a sequence, from 1; 0 if it is not there. `None` if a table cannot say.
    pub(super) fn place_in(&mut self, low: &Low, what: &Low) -> Lowers<Reg> {
        match low {
            Low::Row { first, length, kind } => {
                let first = *first;
                // words are equal if they do the same, however they are written
                if self.kind(what).as_ref() != Some(kind) || *kind == Kind::Word {
                    return Err(Refused("an element of another kind is looked for"));
                }
                let wanted = self.take(1)?;
                self.store(what, kind, wanted)?;
                let to = self.take(1)?;
                self.emit(Code::Find(to, first, *length, wanted))?;
                Ok(to)
            }
            Low::Const(value @ (Value::Tuple(_) | Value::Range(..))) => {
                let elements = self.elements(value)?;
                let kind = self.kind_of_all(&elements)?;
                let what_kind = self.kind(what);
                if !kind.is_scalar() || kind == Kind::Word || what_kind.as_ref() != Some(&kind) {
                    return Err(Refused("an element of another kind is looked for"));
                }
                let places = self.columns(&elements, &kind)?.swap_remove(0);
                let (least, most) = (places.iter().min().copied(), places.iter().max().copied());
                let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
                if most.saturating_sub(least) > 1024 + SPREAD * places.len() as i64 {
                    return Err(Refused("a sequence of large numbers is searched"));
                }
                let mut entries = vec![NO_VALUE; (most - least + 1) as usize];
                for (at, place) in places.iter().enumerate().rev() {
                    entries[(place - least) as usize] = at as i32 + 1;
                }
                let table = self.add_table(Table { first: least, values: entries.into() })?;
                let wanted = self.take(1)?;
                self.store(what, &kind, wanted)?;
                let to = self.take(1)?;
                self.emit(Code::Look(to, wanted, table))?;
                Ok(to)
            }
            _ => Err(Refused("something else than a sequence is searched")),
        }
    }

    /// `R[k]`
    pub(super) fn member(&mut self, instance: &Arc<Instance>, id: MoveId, indices: &[Low]) -> Lowers<Low> {
        if !Arc::ptr_eq(instance, &self.instance) {
            return Err(Refused("a move of another puzzle"));
        }
        let all = instance.indices(id).to_vec();
        let arity = instance.arity(id);
        if indices.len() != arity || all.is_empty() {
            return Err(Refused("a family with other indices"));
        }
        let bounds: Vec<(i64, i64)> = (0..arity)
            .map(|axis| {
                let values = all.iter().map(|index| index[axis]);
                (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
            })
            .collect();
        let size = bounds.iter().try_fold(1i64, |size, (least, most)| size.checked_mul(most - least + 1));
        let size = size.filter(|size| *size <= 1024 + SPREAD * all.len() as i64).ok_or(Refused("a wide family"))?;
        let mut place: Option<Reg> = None;
        for (axis, (index, (least, most))) in indices.iter().zip(&bounds).enumerate() {
            let number = self.number(index)?;
            if axis == 0 {
                let to = self.take(1)?;
                let least = self.constant_reg(*least)?;
                self.emit(Code::Subtract(to, number, least))?;
                place = Some(to);
                continue;
            }
            let (low, high) = (self.constant_reg(*least)?, self.constant_reg(*most)?);
            self.emit(Code::JumpLess(number, low, self.bail.0))?;
            self.emit(Code::JumpLess(high, number, self.bail.0))?;
            let width = self.constant_reg(most - least + 1)?;
            let to = self.take(1)?;
            let before = place.ok_or(Refused("a family without indices"))?;
            self.emit(Code::Times(to, before, width))?;
            self.emit(Code::Add(to, to, number))?;
            self.emit(Code::Subtract(to, to, low))?;
            place = Some(to);
        }
        let mut entries = vec![NO_VALUE; size as usize];
        for index in &all {
            let Some(letter) = instance.member_letter(id, index) else { continue };
            let at = index.iter().zip(&bounds).fold(0, |at, (k, (least, most))| at * (most - least + 1) + k - least);
            let word = Value::Word(instance.letter_word(letter));
            entries[at as usize] = self.chosen_word(&word)? as i32;
        }
        let key = (1, id as usize);
        let table = match self.known_tables.get(&key) {
            Some(table) => *table,
            None => {
                let table = self.add_table(Table { first: 0, values: entries.into() })?;
                self.known_tables.insert(key, table);
                table
            }
        };
        let to = self.take(1)?;
        let at = place.ok_or(Refused("a family without indices"))?;
        self.emit(Code::Look(to, at, table))?;
        Ok(Low::Word(to))
    }
}
