//! The values of the language.

use std::cmp::Ordering;
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};

use super::board::BoardValue;
use super::group::{GroupValue, HomomorphismValue};
use super::instance::Instance;
use crate::perm::Perm;
use crate::resolve::program::{Function, MoveId, PuzzleId};
use crate::word::Word;

pub type Fraction = Ratio<BigInt>;

/// A value. Cheap to clone; never changes.
#[derive(Clone, Debug)]
pub enum Value {
    /// what a statement without a value has
    Nothing,
    Bool(bool),
    Int(i64),
    /// an integer that needs more than 64 bits
    Big(Arc<BigInt>),
    /// never an integer
    Fraction(Arc<Fraction>),
    Text(Arc<str>),
    Tuple(Arc<[Value]>),
    /// both ends included; empty if the second is less
    Range(i64, i64),
    Set(Arc<Set>),
    Map(Arc<IndexMap<Key, Value>>),
    Word(WordValue),
    Perm(PermValue),
    Board(Arc<BoardValue>),
    Group(Arc<GroupValue>),
    Homomorphism(Arc<HomomorphismValue>),
    /// a family of moves, or a plain move seen as one
    Family(Arc<Instance>, MoveId),
    Function(Arc<Closure>),
    Builtin(u32),
    Puzzle(PuzzleId),
    Instance(Arc<Instance>),
}

/// Elements in increasing order, each once.
#[derive(Debug, Default)]
pub struct Set(Vec<Value>);

/// A word and the instance it belongs to; none for the empty word.
#[derive(Clone, Debug)]
pub struct WordValue {
    pub word: Word,
    pub of: Option<Arc<Instance>>,
}

/// A permutation of the cells of an instance, or of the integers 1, 2, 3, …
#[derive(Clone, Debug)]
pub struct PermValue {
    pub perm: Perm,
    pub of: Option<Arc<Instance>>,
}

/// A function with what it took from where it was made.
#[derive(Debug)]
pub struct Closure {
    pub function: Arc<Function>,
    pub captured: Vec<Value>,
    pub instance: Option<Arc<Instance>>,
}

impl Value {
    pub fn text(text: impl AsRef<str>) -> Value {
        Value::Text(text.as_ref().into())
    }

    pub fn tuple(values: Vec<Value>) -> Value {
        Value::Tuple(values.into())
    }

    pub fn integer(value: BigInt) -> Value {
        match value.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::Big(Arc::new(value)),
        }
    }

    pub fn fraction(value: Fraction) -> Value {
        if value.is_integer() { Value::integer(value.to_integer()) } else { Value::Fraction(Arc::new(value)) }
    }

    /// The number of things, as an integer.
    pub fn count(count: usize) -> Value {
        Value::integer(BigInt::from(count))
    }

    pub fn as_big(&self) -> Option<BigInt> {
        match self {
            Value::Int(value) => Some(BigInt::from(*value)),
            Value::Big(value) => Some((**value).clone()),
            _ => None,
        }
    }

    pub fn as_fraction(&self) -> Option<Fraction> {
        match self {
            Value::Fraction(value) => Some((**value).clone()),
            _ => self.as_big().map(Fraction::from_integer),
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Big(_) | Value::Fraction(_))
    }

    /// The elements of a tuple or range. Ranges are written out: the caller has checked their length.
    pub fn elements(&self) -> Option<Vec<Value>> {
        match self {
            Value::Tuple(values) => Some(values.to_vec()),
            Value::Range(from, to) => Some((*from..=*to).map(Value::Int).collect()),
            _ => None,
        }
    }

    /// How many elements a tuple, range, set, map or text has.
    pub fn size(&self) -> Option<usize> {
        match self {
            Value::Tuple(values) => Some(values.len()),
            Value::Range(from, to) => Some(usize::try_from(i128::from(*to) - i128::from(*from) + 1).unwrap_or(0)),
            Value::Set(set) => Some(set.len()),
            Value::Map(map) => Some(map.len()),
            Value::Text(text) => Some(text.chars().count()),
            _ => None,
        }
    }

    /// What kind of value it is, with its article: "a word".
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Nothing => "nothing",
            Value::Bool(_) => "a truth value",
            Value::Int(_) | Value::Big(_) => "an integer",
            Value::Fraction(_) => "a fraction",
            Value::Text(_) => "a string",
            Value::Tuple(_) => "a tuple",
            Value::Range(..) => "a range",
            Value::Set(_) => "a set",
            Value::Map(_) => "a dictionary",
            Value::Word(_) => "a word",
            Value::Perm(_) => "a permutation",
            Value::Board(_) => "a board",
            Value::Group(_) => "a group",
            Value::Homomorphism(_) => "a homomorphism",
            Value::Family(..) => "a family of moves",
            Value::Function(closure) if closure.function.algorithm => "an algorithm",
            Value::Function(_) | Value::Builtin(_) => "a function",
            Value::Puzzle(_) | Value::Instance(_) => "a puzzle",
        }
    }

    /// May it be an element of a set or a key: data whose equality needs no computing?
    pub fn is_data(&self) -> bool {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Fraction(_) | Value::Text(_) | Value::Range(..) => {
                true
            }
            Value::Tuple(values) => values.iter().all(Value::is_data),
            Value::Set(set) => set.iter().all(Value::is_data),
            Value::Board(_) => true,
            _ => false,
        }
    }

    /// How deep values are inside each other, walking all of it as printing and comparing do. `None` if it is deeper than
    /// `deepest`, or has more parts than `parts`, which is lowered on the way: a shared part counts each time it occurs.
    pub fn depth(&self, deepest: usize, parts: &mut u64) -> Option<usize> {
        *parts = parts.checked_sub(1)?;
        let less = deepest.checked_sub(1)?;
        let mut depth = 0;
        let mut look = |value: &Value| -> Option<()> {
            depth = depth.max(value.depth(less, parts)? + 1);
            Some(())
        };
        match self {
            Value::Tuple(values) => values.iter().try_for_each(&mut look)?,
            Value::Set(set) => set.iter().try_for_each(&mut look)?,
            Value::Map(map) => map.values().try_for_each(&mut look)?,
            Value::Function(closure) => closure.captured.iter().try_for_each(&mut look)?,
            _ => {}
        }
        Some(depth)
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Nothing => 0,
            Value::Bool(_) => 1,
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => 2,
            Value::Text(_) => 3,
            Value::Tuple(_) | Value::Range(..) => 4,
            Value::Set(_) => 5,
            Value::Board(_) => 6,
            _ => 7,
        }
    }
}

/// The order of data: by kind, then by value; tuples and sets from the left. Values that are no data are all equal here.
pub fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Tuple(a), Value::Tuple(b)) => order_all(a.iter(), b.iter()),
        (Value::Set(a), Value::Set(b)) => order_all(a.iter(), b.iter()),
        (Value::Board(a), Value::Board(b)) => a.order(b),
        (Value::Range(a, b), Value::Range(c, d)) if a <= b && c <= d => a.cmp(c).then(b.cmp(d)),
        (Value::Tuple(_) | Value::Range(..), Value::Tuple(_) | Value::Range(..)) => {
            let (a, b) = (a.elements().unwrap_or_default(), b.elements().unwrap_or_default());
            order_all(a.iter(), b.iter())
        }
        _ if a.rank() != b.rank() => a.rank().cmp(&b.rank()),
        _ => match (a.as_fraction(), b.as_fraction()) {
            (Some(a), Some(b)) => compare_fractions(&a, &b),
            _ => Ordering::Equal,
        },
    }
}

fn compare_fractions(a: &Fraction, b: &Fraction) -> Ordering {
    (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
}

fn order_all<'a>(mut a: impl Iterator<Item = &'a Value>, mut b: impl Iterator<Item = &'a Value>) -> Ordering {
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(a), Some(b)) => match order(a, b) {
                Ordering::Equal => {}
                other => return other,
            },
        }
    }
}

impl Set {
    /// A set of data values in any order, perhaps repeated. Cost: n log n.
    pub fn new(mut values: Vec<Value>) -> Set {
        let sorted = values.windows(2).all(|pair| order(&pair[0], &pair[1]) == Ordering::Less);
        if !sorted {
            values.sort_by(order);
            values.dedup_by(|a, b| order(a, b) == Ordering::Equal);
        }
        Set(values)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.0.iter()
    }

    pub fn contains(&self, value: &Value) -> bool {
        self.0.binary_search_by(|element| order(element, value)).is_ok()
    }

    pub fn union(&self, other: &Set) -> Set {
        Set::new(self.0.iter().chain(&other.0).cloned().collect())
    }

    pub fn intersection(&self, other: &Set) -> Set {
        Set(self.0.iter().filter(|value| other.contains(value)).cloned().collect())
    }

    pub fn difference(&self, other: &Set) -> Set {
        Set(self.0.iter().filter(|value| !other.contains(value)).cloned().collect())
    }

    pub fn is_subset(&self, other: &Set) -> bool {
        self.len() <= other.len() && self.0.iter().all(|value| other.contains(value))
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.len() == other.len() && order_all(self.iter(), other.iter()) == Ordering::Equal
    }
}

/// A key of a dictionary: data. Equal data have equal keys, however they were made.
#[derive(Clone, Debug)]
pub struct Key(pub Value);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        order(&self.0, &other.0) == Ordering::Equal
    }
}

impl Eq for Key {}

impl std::hash::Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        fn go<H: std::hash::Hasher>(value: &Value, state: &mut H) {
            match value {
                Value::Bool(value) => value.hash(state),
                Value::Int(value) => value.hash(state),
                Value::Big(value) => value.hash(state),
                Value::Fraction(value) => (value.numer(), value.denom()).hash(state),
                Value::Text(text) => text.hash(state),
                Value::Tuple(values) => values.iter().for_each(|value| go(value, state)),
                Value::Range(from, to) => (*from..=*to).for_each(|value| value.hash(state)),
                Value::Set(set) => set.iter().for_each(|value| go(value, state)),
                Value::Board(board) => board.board.hash(state),
                _ => {}
            }
        }
        go(&self.0, state);
    }
}

/// Floor division and its remainder: `a = q * b + r`, with r between 0 and b. `None` for division by zero.
pub fn floor_division(a: &Fraction, b: &Fraction) -> Option<(BigInt, Fraction)> {
    if b.is_zero() {
        return None;
    }
    let quotient = (a / b).floor().to_integer();
    let remainder = a - b * Fraction::from_integer(quotient.clone());
    Some((quotient, remainder))
}

/// A fraction's text: `3/2`, `-1/3`.
pub fn fraction_text(value: &Fraction) -> String {
    if value.is_negative() {
        format!("-{}/{}", -value.numer(), value.denom())
    } else {
        format!("{}/{}", value.numer(), value.denom())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_keeps_each_value_once_in_order() {
        let set = Set::new([3, 1, 3, 2].into_iter().map(Value::Int).collect());
        let values: Vec<i64> =
            set.iter().filter_map(|value| if let Value::Int(value) = value { Some(*value) } else { None }).collect();
        assert_eq!(values, [1, 2, 3]);
        assert!(set.contains(&Value::Int(2)) && !set.contains(&Value::Int(4)));
    }

    #[test]
    fn floor_division_rounds_down() {
        let f = |n: i64| Fraction::from_integer(BigInt::from(n));
        for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1)] {
            assert_eq!(floor_division(&f(a), &f(b)), Some((BigInt::from(q), f(r))));
        }
    }
}
