//! What is known of a value when a procedure is compiled: the value itself, or its kind and the registers that hold it.

use std::sync::Arc;

use super::code::Reg;
use crate::resolve::program::{Function, Slot};
use crate::run::instance::Instance;
use crate::run::value::Value;

/// The kind of a value in registers.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Nothing,
    Int,
    Bool,
    /// a tuple that is a cell of the board: its number
    Cell,
    /// a word: its number among the effects
    Word,
    Tuple(Vec<Kind>),
    /// many values of one kind with one register each
    Row(u16, Box<Kind>),
}

impl Kind {
    /// How many registers it takes.
    pub fn size(&self) -> usize {
        match self {
            Kind::Nothing => 0,
            Kind::Int | Kind::Bool | Kind::Cell | Kind::Word => 1,
            Kind::Tuple(parts) => parts.iter().map(Kind::size).sum(),
            Kind::Row(length, _) => usize::from(*length),
        }
    }

    pub fn is_scalar(&self) -> bool {
        matches!(self, Kind::Int | Kind::Bool | Kind::Cell | Kind::Word)
    }

    /// The kind of a value, where an instance says what is a cell. `None` for what has no place in registers.
    pub fn of(value: &Value, instance: &Instance) -> Option<Kind> {
        Some(match value {
            Value::Nothing => Kind::Nothing,
            Value::Int(_) => Kind::Int,
            Value::Bool(_) => Kind::Bool,
            Value::Word(_) => Kind::Word,
            Value::Tuple(_) | Value::Range(..) if instance.number_of(value).is_some() => Kind::Cell,
            Value::Tuple(parts) => {
                let kinds = parts.iter().map(|part| Kind::of(part, instance)).collect::<Option<Vec<Kind>>>()?;
                Kind::sequence(kinds)?
            }
            Value::Range(from, to) => {
                let length = u16::try_from(i128::from(*to) - i128::from(*from) + 1).ok()?;
                Kind::Row(length, Box::new(Kind::Int))
            }
            _ => return None,
        })
    }

    /// The kind of a tuple with parts of these kinds: a row if it can be one and is not very short.
    pub fn sequence(kinds: Vec<Kind>) -> Option<Kind> {
        match kinds.first() {
            Some(first) if kinds.len() > 3 && first.is_scalar() && kinds.iter().all(|kind| kind == first) => {
                Some(Kind::Row(u16::try_from(kinds.len()).ok()?, Box::new(first.clone())))
            }
            _ if kinds.len() <= 64 => Some(Kind::Tuple(kinds)),
            _ => None,
        }
    }

    /// A kind that both fit, for cells and other pairs side by side.
    pub fn join(self, other: Kind, width: usize) -> Option<Kind> {
        let pair = || Kind::Tuple(vec![Kind::Int; width]);
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Kind::Cell, b) if b == pair() => Some(b),
            (a, Kind::Cell) if a == pair() => Some(a),
            (Kind::Tuple(a), Kind::Tuple(b)) if a.len() == b.len() => {
                let parts = a.into_iter().zip(b).map(|(a, b)| a.join(b, width)).collect::<Option<Vec<Kind>>>()?;
                Some(Kind::Tuple(parts))
            }
            _ => None,
        }
    }

    /// Puts a value of the kind into registers. `None` if it is of another kind.
    pub fn flatten(&self, value: &Value, instance: &Instance, out: &mut Vec<i64>) -> Option<()> {
        match (self, value) {
            (Kind::Nothing, Value::Nothing) => {}
            (Kind::Int, Value::Int(value)) => out.push(*value),
            (Kind::Bool, Value::Bool(value)) => out.push(i64::from(*value)),
            (Kind::Cell, value) => out.push(i64::from(instance.number_of(value)?)),
            (Kind::Tuple(kinds), Value::Tuple(_) | Value::Range(..)) => {
                let parts = value.elements().filter(|parts| parts.len() == kinds.len())?;
                for (kind, part) in kinds.iter().zip(&parts) {
                    kind.flatten(part, instance, out)?;
                }
            }
            (Kind::Row(length, kind), Value::Tuple(_) | Value::Range(..)) => {
                if value.size() != Some(usize::from(*length)) {
                    return None;
                }
                for part in value.elements()? {
                    kind.flatten(&part, instance, out)?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// What an expression has become.
#[derive(Clone, Debug)]
pub enum Low {
    /// known while compiling
    Const(Value),
    Int(Reg),
    /// the integer after that in the register: the number from 1 of a cell or tile
    Counted(Reg),
    Cell(Reg),
    Bool(Reg),
    Word(Reg),
    Tuple(Vec<Low>),
    Row {
        first: Reg,
        length: u16,
        kind: Kind,
    },
    Range(Box<Low>, Box<Low>),
    /// the entry of a table that is not looked up yet: a comparison may need another table
    Entry {
        at: Reg,
        table: u32,
        kind: Kind,
    },
    /// a function that was made here, with what it took
    Function(Arc<Callee>),
    /// the board in force
    Board,
    /// the permutation that leads to it
    BoardPerm,
}

/// A function that may be called, with what it took from where it was made.
#[derive(Debug)]
pub struct Callee {
    pub function: Arc<Function>,
    pub instance: Option<Arc<Instance>>,
    pub captured: Vec<(Slot, Low)>,
}

impl Low {
    pub const NOTHING: Low = Low::Const(Value::Nothing);

    pub fn int(value: i64) -> Low {
        Low::Const(Value::Int(value))
    }
}
