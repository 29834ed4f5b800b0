//! Values for all points of what is known.

use std::sync::Arc;

use super::puzzle::{PermValue, SymbolicPuzzle, Word};
use crate::prove::{Poly, Union, Var};
use crate::resolve::program::{Function, MoveId, PuzzleId};

/// A value. Cheap to clone; never changes.
#[derive(Clone, Debug)]
pub enum Value {
    /// what a statement without a value has
    Nothing,
    Bool(bool),
    /// an integer or a fraction: which of the two may depend on the point
    Number(Poly),
    Text(Arc<str>),
    Tuple(Arc<[Value]>),
    /// both ends are integers and included; empty if the second is less
    Range(Poly, Poly),
    /// a tuple whose length may depend on the point
    Sequence(Arc<Sequence>),
    /// the tuple of all cells of a puzzle
    Cells(Arc<SymbolicPuzzle>),
    Set(Arc<Set>),
    Word(Word),
    Map(PermValue),
    /// a family of moves, or a plain move seen as one
    Family(Arc<SymbolicPuzzle>, MoveId),
    Function(Arc<Closure>),
    Builtin(u32),
    Puzzle(PuzzleId),
    Instance(Arc<SymbolicPuzzle>),
    /// something from outside that is not followed: what kind of value it is, with its article
    Other(&'static str),
}

/// A sequence whose length may depend on the point: its segments, in order.
#[derive(Debug, Default)]
pub struct Sequence {
    pub segments: Vec<Segment>,
}

/// A piece of a sequence: the value for each integer from the first to the last (`from <= to + 1` is known), with the
/// variable that stands for it; one element has no variable.
#[derive(Clone, Debug)]
pub struct Segment {
    pub var: Option<(Var, Poly, Poly)>,
    pub value: Value,
}

/// A set.
#[derive(Clone, Debug)]
pub enum Set {
    /// tuples of integers of one width; or integers, if `plain`: then the width is 1
    Cells { union: Union, plain: bool },
    /// other data, no two of them equal; the empty set
    Finite(Vec<Value>),
}

/// A function with what it took from where it was made.
#[derive(Debug)]
pub struct Closure {
    pub function: Arc<Function>,
    pub captured: Vec<Value>,
    pub instance: Option<Arc<SymbolicPuzzle>>,
}

impl Value {
    pub fn int(value: i64) -> Value {
        Value::Number(Poly::int(value))
    }

    pub fn tuple(values: Vec<Value>) -> Value {
        Value::Tuple(values.into())
    }

    /// The number, if it is one integer for all points.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Number(poly) => poly.as_int(),
            _ => None,
        }
    }

    /// What kind of value it is, with its article: "a word".
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Nothing => "nothing",
            Value::Bool(_) => "a truth value",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::Tuple(_) => "a tuple",
            Value::Range(..) => "a range",
            Value::Sequence(_) | Value::Cells(_) => "a tuple",
            Value::Set(_) => "a set",
            Value::Word(_) => "a word",
            Value::Map(_) => "a permutation",
            Value::Family(..) => "a family of moves",
            Value::Function(closure) if closure.function.algorithm => "an algorithm",
            Value::Function(_) | Value::Builtin(_) => "a function",
            Value::Puzzle(_) | Value::Instance(_) => "a puzzle",
            Value::Other(kind) => kind,
        }
    }

    /// A word, a permutation, or a family that may stand for its default member.
    pub fn is_wordlike(&self) -> bool {
        matches!(self, Value::Word(_) | Value::Map(_) | Value::Family(..))
    }

    /// A tuple, a range, or a sequence whose length is not fixed.
    pub fn is_sequence(&self) -> bool {
        matches!(self, Value::Tuple(_) | Value::Range(..) | Value::Sequence(_) | Value::Cells(_))
    }
}
