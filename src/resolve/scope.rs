//! Frames and scopes: which local names are known where, and in which slot each lives.

use rustc_hash::FxHashMap;

use super::program::{Block, Ex, Function, Slot};
use crate::source::Span;

#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub slot: Slot,
    /// declared with `var`
    pub variable: bool,
    /// visibly a word: may be a piece of a run-together name
    pub wordish: bool,
    pub span: Span,
}

/// The names of one function (or of the file) while it is resolved.
#[derive(Debug, Default)]
pub struct Frame {
    pub scopes: Vec<FxHashMap<Box<str>, Local>>,
    /// slots needed
    pub size: u32,
    /// what is copied in from the frame around it: slot there, slot here
    pub captures: Vec<(Slot, Slot)>,
    /// name → own slot of what was copied in
    pub captured: FxHashMap<Box<str>, Local>,
    /// inside how many loops
    pub loops: u32,
    /// a frame of a file: `return` cannot stand in it
    pub file: bool,
    /// a frame of a claim
    pub claim: bool,
    /// a frame of an algorithm: `do` can stand in it
    pub algorithm: bool,
    /// in an algorithm: somebody may want the value of the statement that is resolved
    pub kept: bool,
    /// what has to hold when the algorithm ends
    pub ensures: Vec<(Ex, Option<Ex>)>,
    /// all names that were declared, with their slots
    pub names: Vec<(Box<str>, Slot)>,
}

impl Frame {
    pub fn file(size: u32) -> Frame {
        Frame { scopes: vec![FxHashMap::default()], size, file: true, ..Frame::default() }
    }

    pub fn function() -> Frame {
        Frame { scopes: vec![FxHashMap::default()], ..Frame::default() }
    }

    pub fn new_slot(&mut self) -> Slot {
        self.size += 1;
        self.size - 1
    }

    pub fn find(&self, name: &str) -> Option<Local> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).or_else(|| self.captured.get(name)).copied()
    }

    /// The code whose names lived in this frame. It has no parameters and does not know itself by a name.
    pub fn into_code(self, name: Box<str>, body: Block, span: Span) -> Function {
        Function {
            name,
            algorithm: self.algorithm,
            ensures: self.ensures,
            params: Vec::new(),
            captures: self.captures,
            own_slot: None,
            frame: self.size,
            names: self.names,
            body,
            span,
        }
    }

    /// Declares a name in the innermost scope; gives the earlier declaration there, if any.
    pub fn declare(&mut self, name: &str, local: Local) -> Option<Local> {
        self.scopes.last_mut().and_then(|scope| scope.insert(name.into(), local))
    }
}
