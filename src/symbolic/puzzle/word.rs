//! Words over letters whose indices may be forms: expressions that are shared and never spelled out.

use std::sync::Arc;

use super::SymbolicPuzzle;
use super::kept::Kept;
use super::slide::Slide;
use crate::prove::{Piecewise, Poly, Var};
use crate::resolve::program::MoveId;

/// A word and the puzzle it belongs to; the empty word may belong to none. Cheap to clone.
#[derive(Clone)]
pub struct Word {
    node: Option<Arc<WordNode>>,
    pub of: Option<Arc<SymbolicPuzzle>>,
}

/// A part of a word that is not empty.
pub struct WordNode {
    pub kind: WordKind,
    /// what it does, where there is no blank
    pub(super) effect: Kept<Arc<Piecewise>>,
}

pub enum WordKind {
    Letter(Letter),
    Product(Vec<Arc<WordNode>>),
    Inverse(Arc<WordNode>),
    Power(Arc<WordNode>, Poly),
    /// a b a' b'
    Commutator(Arc<WordNode>, Arc<WordNode>),
    /// a b a'
    Conjugate(Arc<WordNode>, Arc<WordNode>),
    /// a word that a script has a name for
    Named(Arc<str>, Arc<WordNode>),
    /// the product for all integers of a range, in order
    Each(Arc<WordNode>, Through),
}

/// A range through which a product goes. It is not empty by more than one: `from <= to + 1` is known.
#[derive(Clone)]
pub struct Through {
    /// the variable in the word, which occurs nowhere else
    pub var: Var,
    pub from: Poly,
    pub to: Poly,
}

/// One move.
#[derive(Clone)]
pub struct Letter {
    pub id: MoveId,
    /// in a family
    pub indices: Vec<Poly>,
    /// as it is written: `R[k]`
    pub name: Arc<str>,
    pub does: Does,
}

/// What a letter does.
#[derive(Clone)]
pub enum Does {
    Map(Arc<Piecewise>),
    /// it depends on the place of the blank
    Slide(Arc<Slide>),
}

impl WordNode {
    pub(super) fn new(kind: WordKind) -> Arc<WordNode> {
        Arc::new(WordNode { kind, effect: Kept::default() })
    }
}

impl Drop for WordNode {
    /// Takes long chains apart without recursion: a loop over values could build one that is deeper than the stack.
    fn drop(&mut self) {
        let mut waiting: Vec<Arc<WordNode>> = Vec::new();
        take_parts(&mut self.kind, &mut waiting);
        while let Some(node) = waiting.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                take_parts(&mut node.kind, &mut waiting);
            }
        }
    }
}

fn take_parts(kind: &mut WordKind, to: &mut Vec<Arc<WordNode>>) {
    match std::mem::replace(kind, WordKind::Product(Vec::new())) {
        WordKind::Letter(_) => {}
        WordKind::Product(parts) => to.extend(parts),
        WordKind::Inverse(part) | WordKind::Power(part, _) | WordKind::Named(_, part) | WordKind::Each(part, _) => {
            to.push(part);
        }
        WordKind::Commutator(a, b) | WordKind::Conjugate(a, b) => to.extend([a, b]),
    }
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl Word {
    /// The empty word, of no puzzle.
    pub fn empty() -> Word {
        Word { node: None, of: None }
    }

    pub(super) fn new(kind: WordKind, of: Option<Arc<SymbolicPuzzle>>) -> Word {
        Word { node: Some(WordNode::new(kind)), of }
    }

    pub(super) fn of_node(node: Option<Arc<WordNode>>, of: Option<Arc<SymbolicPuzzle>>) -> Word {
        Word { node, of }
    }

    pub fn node(&self) -> Option<&Arc<WordNode>> {
        self.node.as_ref()
    }

    pub fn is_empty(&self) -> bool {
        self.node.is_none()
    }

    /// The same word, known by a name: evidence then shows it as one step.
    pub fn named(&self, name: &str) -> Word {
        match &self.node {
            // a move is its own name
            Some(node) if !matches!(node.kind, WordKind::Letter(_) | WordKind::Named(..)) => {
                Word::new(WordKind::Named(name.into(), node.clone()), self.of.clone())
            }
            _ => self.clone(),
        }
    }

    pub fn inverse(&self) -> Word {
        let Some(node) = &self.node else { return self.clone() };
        match &node.kind {
            WordKind::Inverse(inner) => Word::of_node(Some(inner.clone()), self.of.clone()),
            _ => Word::new(WordKind::Inverse(node.clone()), self.of.clone()),
        }
    }

    pub fn power(&self, exponent: &Poly) -> Word {
        let Some(node) = &self.node else { return self.clone() };
        match exponent.as_int() {
            Some(0) => Word::of_node(None, self.of.clone()),
            Some(1) => self.clone(),
            Some(-1) => self.inverse(),
            _ => Word::new(WordKind::Power(node.clone(), exponent.clone()), self.of.clone()),
        }
    }

    /// The product of words of one puzzle.
    pub(super) fn product(words: &[Word], of: Option<Arc<SymbolicPuzzle>>) -> Word {
        let mut parts: Vec<Arc<WordNode>> = Vec::new();
        for node in words.iter().filter_map(|word| word.node.as_ref()) {
            match &node.kind {
                // a product of products is one, where nobody else needs the parts as a whole
                WordKind::Product(inner) if Arc::strong_count(node) <= 2 => parts.extend(inner.iter().cloned()),
                _ => parts.push(node.clone()),
            }
        }
        match parts.len() {
            0 | 1 => Word::of_node(parts.pop(), of),
            _ => Word::new(WordKind::Product(parts), of),
        }
    }

    pub(super) fn commutator(a: &Word, b: &Word, of: Option<Arc<SymbolicPuzzle>>) -> Word {
        match (&a.node, &b.node) {
            (Some(x), Some(y)) => Word::new(WordKind::Commutator(x.clone(), y.clone()), of),
            // A and its inverse are still spelled
            (Some(_), None) => Word::product(&[a.clone(), a.inverse()], of),
            _ => Word::product(&[b.clone(), b.inverse()], of),
        }
    }

    pub(super) fn conjugate(a: &Word, b: &Word, of: Option<Arc<SymbolicPuzzle>>) -> Word {
        match (&a.node, &b.node) {
            (Some(x), Some(y)) => Word::new(WordKind::Conjugate(x.clone(), y.clone()), of),
            (Some(_), None) => Word::product(&[a.clone(), a.inverse()], of),
            _ => Word::of_node(b.node.clone(), of),
        }
    }

    /// As it would be written, shortened if it is long.
    pub fn text(&self) -> String {
        match &self.node {
            None => "()".to_string(),
            Some(node) => super::show::word(node),
        }
    }
}
