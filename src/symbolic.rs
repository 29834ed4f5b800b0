//! Follows a program for all values of some parameters at once. Numbers are polynomials in the parameters, sets of cells
//! are unions of regions, words are piecewise affine maps. Every value is exact for all integer points of what is known;
//! where a condition is true for some of them only, evaluation ends with the wish to look at two cases, so what runs is
//! always straight. What cannot be followed is said with its place, and proves nothing.

mod access;
mod builtin;
mod convert;
mod driver;
mod expression;
mod juxtapose;
mod machine;
mod number;
mod operate;
mod print;
pub mod puzzle;
mod scope;
mod sequence;
mod set;
mod statement;
mod value;

#[cfg(test)]
mod tests;

pub use driver::{Case, Outcome, Proof, ProveOptions, prove};
pub use machine::{ImageStep, Kept, Machine, MapStep, Note, Part, kept};
pub use puzzle::{PermValue, SymbolicPuzzle, Word};
pub use scope::{Ending, Leaf, cell_value};
pub use value::{Closure, Segment, Sequence, Set, Value};

use crate::prove::Constraint;
use crate::source::Span;

/// Why an evaluation ended before its end.
#[derive(Clone, Debug)]
pub enum Stop {
    /// this is true for some points of what is known: look at it and at its contrary
    Split(Constraint),
    /// a construct that cannot be followed: `what` it is, as a phrase, and what to do
    Beyond { span: Span, what: String, help: String },
    /// an error of the script, for all points of what is known
    Wrong { span: Span, message: String },
    /// an assertion is false, for all points of what is known
    False { span: Span },
    /// the budget is used up, or somebody asked for a stop
    Steps { span: Span },
}

pub type Follow<T> = Result<T, Stop>;

impl Stop {
    pub fn beyond(span: Span, what: impl Into<String>, help: impl Into<String>) -> Stop {
        Stop::Beyond { span, what: what.into(), help: help.into() }
    }

    pub fn wrong(span: Span, message: impl Into<String>) -> Stop {
        Stop::Wrong { span, message: message.into() }
    }
}
