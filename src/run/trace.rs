//! The steps of a procedure, noted one by one for people to follow.

use std::sync::Arc;

use super::Run;
use super::board::BoardValue;
use super::machine::Machine;
use super::value::{Value, WordValue};
use crate::resolve::program::*;
use crate::source::{SourceMap, Span};

/// A run of an algorithm with all its steps.
#[derive(Clone, Debug)]
pub struct Trace {
    /// as it stands in the script: `spiral(7)`
    pub written: String,
    pub span: Span,
    pub start: BoardValue,
    pub steps: Vec<TraceStep>,
    /// the word that was done, once it has ended
    pub word: Option<WordValue>,
    /// tiles that the procedure has asked about with `at`, in the order of asking
    watched: Vec<u32>,
    /// measures of the loops that run now, innermost last
    measures: Vec<Option<String>>,
    /// algorithms that run now, innermost last
    algorithms: Vec<String>,
}

/// One `do`.
#[derive(Clone, Debug)]
pub struct TraceStep {
    pub file: String,
    pub line: usize,
    /// the line of the script
    pub text: String,
    /// the innermost algorithm
    pub algorithm: String,
    /// how many algorithms it stands in
    pub depth: usize,
    pub moves: String,
    /// the board afterwards
    pub board: BoardValue,
    /// tiles that have been asked about, from 0
    pub watched: Vec<u32>,
    /// the measure of the innermost loop at the start of this round
    pub measure: Option<String>,
}

/// A trace of more steps ends with an error: nobody reads it.
pub(super) const MOST_STEPS: usize = 20_000;

impl Trace {
    pub(super) fn new(written: String, span: Span, start: BoardValue) -> Trace {
        Trace {
            written,
            span,
            start,
            steps: Vec::new(),
            word: None,
            watched: Vec::new(),
            measures: Vec::new(),
            algorithms: Vec::new(),
        }
    }

    pub(super) fn watch(&mut self, tile: u32) {
        if !self.watched.contains(&tile) {
            self.watched.push(tile);
        }
    }

    pub(super) fn step(&mut self, span: Span, sources: &SourceMap, moves: String, board: BoardValue) {
        let source = sources.get(span.file);
        let (line, _) = source.line_column(span.start);
        self.steps.push(TraceStep {
            file: source.name.clone(),
            line,
            text: source.text.lines().nth(line - 1).unwrap_or("").trim().to_string(),
            algorithm: self.algorithms.last().cloned().unwrap_or_default(),
            depth: self.algorithms.len(),
            moves,
            board,
            watched: self.watched.clone(),
            measure: self.measures.iter().rev().flatten().next().cloned(),
        });
    }

    pub(super) fn enter(&mut self, algorithm: &str) {
        self.algorithms.push(algorithm.to_string());
    }

    pub(super) fn leave(&mut self) {
        self.algorithms.pop();
    }
}

impl Machine<'_> {
    /// Evaluates an expression and notes the steps of the procedures that it runs.
    pub(super) fn traced(&mut self, ex: &Ex) -> Run<Value> {
        let outer = std::mem::replace(&mut self.trace_runs, true);
        let value = self.eval(ex);
        self.trace_runs = outer;
        value
    }

    /// A loop with a measure begins or ends; says whether there is anything to note.
    pub(super) fn trace_loop(&mut self, begins: bool) {
        if let Some(trace) = &mut self.tracing {
            match begins {
                true => trace.measures.push(None),
                false => drop(trace.measures.pop()),
            }
        }
    }

    /// The measure of the innermost loop.
    pub(super) fn trace_measure(&mut self, value: &Value) {
        if self.tracing.is_some() {
            let shown = self.print(value);
            if let Some(last) = self.tracing.as_mut().and_then(|trace| trace.measures.last_mut()) {
                *last = Some(shown);
            }
        }
    }

    /// Puts a finished trace into the output.
    pub(super) fn end_trace(&mut self, outer: Option<Box<Trace>>, word: Option<WordValue>) {
        if let Some(mut trace) = std::mem::replace(&mut self.tracing, outer) {
            trace.word = word;
            self.output.push(super::Output::Trace(Arc::new(*trace)));
        }
    }
}
