//! Words with moves replaced.

use std::sync::Arc;

use super::word::{Letter, Through, WordKind, WordNode};
use super::{SymbolicPuzzle, Word, beyond, wrong};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Value};

/// What moves are replaced by.
struct Translation {
    pairs: Vec<(Letter, Word)>,
    /// moves without a pair stay: the words are of the same puzzle
    stays: bool,
    of: Option<Arc<SymbolicPuzzle>>,
}

impl Machine<'_> {
    /// The word with moves replaced, each single move by a word.
    pub fn translated(&mut self, value: &Value, pairs: &[(Value, Value)], span: Span) -> Follow<Value> {
        if matches!(value, Value::Map(_)) {
            return wrong(span, "`translate` is about the moves of a word; a permutation has none");
        }
        let word = self.word_of(value, span)?;
        let mut of = None;
        let mut images: Vec<(Letter, Word)> = Vec::with_capacity(pairs.len());
        for (from, to) in pairs {
            let (from, to) = (self.word_of(from, span)?, self.word_of(to, span)?);
            self.joined(&mut of, &to.of, span)?;
            self.joined(&mut word.of.clone(), &from.of, span)?;
            match from.node().map(|node| &node.kind) {
                Some(WordKind::Letter(letter)) => images.push((letter.clone(), to)),
                _ => return wrong(span, format!("`{}` is not a single move", from.text())),
            }
        }
        let stays = match (&of, &word.of) {
            (Some(new), Some(old)) => {
                let (new, old) = (new.clone(), old.clone());
                self.is_same_puzzle(&new, &old, span)?
            }
            _ => true,
        };
        if of.is_none() || stays {
            of = word.of.clone();
        }
        let translation = Translation { pairs: images, stays, of: of.clone() };
        let node = match word.node() {
            Some(node) => self.translated_node(node, &translation, span)?,
            None => None,
        };
        Ok(Value::Word(Word::of_node(node, of)))
    }

    fn translated_node(&mut self, node: &Arc<WordNode>, by: &Translation, span: Span) -> Follow<Option<Arc<WordNode>>> {
        self.step(span)?;
        let word = |node: Option<Arc<WordNode>>| Word::of_node(node, by.of.clone());
        let made = stacker::maybe_grow(64 << 10, 2 << 20, || {
            Ok(match &node.kind {
                WordKind::Letter(letter) => self.translated_letter(node, letter, by, span)?,
                WordKind::Named(_, part) => word(self.translated_node(part, by, span)?),
                WordKind::Inverse(part) => word(self.translated_node(part, by, span)?).inverse(),
                WordKind::Power(part, exponent) => word(self.translated_node(part, by, span)?).power(exponent),
                WordKind::Product(parts) => {
                    let mut words = Vec::with_capacity(parts.len());
                    for part in parts {
                        words.push(word(self.translated_node(part, by, span)?));
                    }
                    Word::product(&words, by.of.clone())
                }
                WordKind::Each(part, Through { var, from, to }) => {
                    // which move it is may differ from one to the next
                    let scope = self.between(*var, from, to, span)?;
                    let mut leaves =
                        self.each_leaf(&[*var], scope, &mut |machine| machine.translated_node(part, by, span))?;
                    match (leaves.pop(), leaves.is_empty()) {
                        (Some((_, Some(part))), true) => {
                            let through = Through { var: *var, from: from.clone(), to: to.clone() };
                            Word::new(WordKind::Each(part, through), by.of.clone())
                        }
                        (None | Some((_, None)), true) => word(None),
                        _ => {
                            return beyond(
                                span,
                                "the translation of a product whose factors are translated in different ways",
                                "give a range instead: `for n in 5..24`",
                            );
                        }
                    }
                }
                WordKind::Commutator(a, b) | WordKind::Conjugate(a, b) => {
                    let x = word(self.translated_node(a, by, span)?);
                    let y = word(self.translated_node(b, by, span)?);
                    match node.kind {
                        WordKind::Commutator(..) => Word::commutator(&x, &y, by.of.clone()),
                        _ => Word::conjugate(&x, &y, by.of.clone()),
                    }
                }
            })
        });
        made.map(|word| word.node().cloned())
    }

    fn translated_letter(
        &mut self,
        node: &Arc<WordNode>,
        letter: &Letter,
        by: &Translation,
        span: Span,
    ) -> Follow<Word> {
        for (from, to) in &by.pairs {
            if self.is_same_move(from, letter, span)? {
                return Ok(to.clone());
            }
        }
        match by.stays {
            true => Ok(Word::of_node(Some(node.clone()), by.of.clone())),
            false => wrong(span, format!("nothing is said about `{}`", letter.name)),
        }
    }
}
