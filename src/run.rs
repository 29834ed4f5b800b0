//! Runs resolved programs: values, the machine, and the built-in functions. Never prints: what a script says is
//! collected as [`Output`].

mod access;
mod board;
pub mod builtin;
mod compiled;
mod cycle;
mod effect;
mod expression;
mod find;
pub mod group;
mod instance;
mod juxtapose;
pub mod machine;
mod operate;
pub mod print;
mod procedure;
mod slide;
mod statement;
pub mod trace;
pub mod value;
mod walk;

pub use board::BoardValue;
pub use instance::{Instance, cell_text};
pub use machine::{Limits, Machine, Shared, enumerate_clauses};
pub use value::Value;

use crate::diagnostic::Diagnostic;
use crate::resolve::program::CompareOp;
use crate::source::Span;

/// Why a run stopped.
#[derive(Debug)]
pub enum Fault {
    /// A mistake in the script: neither true nor false.
    Error(Box<Diagnostic>),
    /// An assertion is false.
    Failed(Box<Failure>),
    /// A budget ran out.
    Budget(Box<Diagnostic>),
    Interrupted,
}

/// A false assertion with its evidence.
#[derive(Debug)]
pub struct Failure {
    pub diagnostic: Diagnostic,
    /// the two sides of the comparison that is false
    pub sides: Option<(Value, CompareOp, Value)>,
    /// before which note they are shown
    pub sides_at: usize,
    pub span: Span,
}

impl Fault {
    pub fn at(
        code: crate::diagnostic::Code,
        span: Span,
        title: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Fault {
        Fault::Error(Box::new(Diagnostic::at(code, span, title, label).help(help)))
    }

    /// The diagnostic, if the fault has one.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Fault::Error(diagnostic) | Fault::Budget(diagnostic) => Some(diagnostic),
            Fault::Failed(failure) => Some(&failure.diagnostic),
            Fault::Interrupted => None,
        }
    }
}

pub type Run<T> = Result<T, Fault>;

/// Something a script said.
#[derive(Clone, Debug)]
pub enum Output {
    /// a line of `print`
    Line(String),
    /// the steps of a procedure
    Trace(std::sync::Arc<trace::Trace>),
    /// the value of a `show`, with the text it had in the script
    Report { value: Value, written: String, span: Span },
    /// the value of a statement that is just an expression: shown by the REPL alone
    Value { value: Value, written: String, span: Span },
}
