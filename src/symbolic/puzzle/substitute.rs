//! Words and permutations with a form in place of a variable: what a sequence of them is made of.

use std::sync::Arc;

use super::word::{Through, WordKind, WordNode};
use super::{PermValue, SymbolicPuzzle, Word, beyond};
use crate::prove::{Form, Poly, Var};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Value};

impl Machine<'_> {
    /// A word in which another form stands for a variable.
    pub fn substitute_word(&mut self, word: &Word, var: Var, by: &Poly, span: Span) -> Follow<Word> {
        if word.of.as_ref().is_some_and(|of| of.mentions(var)) {
            return beyond(span, "a sequence of words of different puzzles", "name the puzzle where it is used");
        }
        match (word.node(), &word.of) {
            (Some(node), Some(of)) if mentions(node, var) => {
                let node = self.substituted_node(node, of, var, by, span)?;
                Ok(Word::of_node(node, word.of.clone()))
            }
            _ => Ok(word.clone()),
        }
    }

    /// A permutation in which another form stands for a variable.
    pub fn substitute_map(&mut self, perm: &PermValue, var: Var, by: &Poly, span: Span) -> Follow<PermValue> {
        if perm.of.as_ref().is_some_and(|of| of.mentions(var)) {
            return beyond(span, "a sequence of permutations on different puzzles", "name the puzzle where it is used");
        }
        let mentions = |form: &Form| form.coefficient(var) != 0;
        let is_in = perm.map.pieces.iter().any(|piece| {
            piece.region.constraints.iter().any(|constraint| constraint.mentions(var)) || piece.to.iter().any(mentions)
        });
        if !is_in {
            // its rings may mention it all the same
            return Ok(PermValue::new(perm.map.clone(), perm.of.clone()));
        }
        let by = self.linear(by, span)?;
        let map = super::moves::substituted(&perm.map, &|known| (known == var).then(|| by.clone()));
        Ok(PermValue::new(Arc::new(self.fits(map, span)?), perm.of.clone()))
    }

    /// A part with a form in place of a variable; none if it has become empty.
    fn substituted_node(
        &mut self,
        node: &Arc<WordNode>,
        of: &Arc<SymbolicPuzzle>,
        var: Var,
        by: &Poly,
        span: Span,
    ) -> Follow<Option<Arc<WordNode>>> {
        if !mentions(node, var) {
            return Ok(Some(node.clone()));
        }
        self.step(span)?;
        let word = |node: Option<Arc<WordNode>>| Word::of_node(node, Some(of.clone()));
        let put = |poly: &Poly| poly.substitute(&|known| (known == var).then(|| by.clone()));
        let made = stacker::maybe_grow(64 << 10, 2 << 20, || {
            Ok(match &node.kind {
                WordKind::Letter(letter) => {
                    let mut indices = Vec::with_capacity(letter.indices.len());
                    for index in &letter.indices {
                        indices.push(self.fits(put(index), span)?);
                    }
                    self.letter(of, letter.id, &indices, span)?
                }
                // another word than the one with the name
                WordKind::Named(_, part) => word(self.substituted_node(part, of, var, by, span)?),
                WordKind::Inverse(part) => word(self.substituted_node(part, of, var, by, span)?).inverse(),
                WordKind::Power(part, exponent) => {
                    let exponent = self.fits(put(exponent), span)?;
                    word(self.substituted_node(part, of, var, by, span)?).power(&exponent)
                }
                WordKind::Each(part, through) => {
                    let from = self.fits(put(&through.from), span)?;
                    let to = self.fits(put(&through.to), span)?;
                    match self.substituted_node(part, of, var, by, span)? {
                        Some(part) => {
                            let through = Through { var: through.var, from, to };
                            Word::new(WordKind::Each(part, through), Some(of.clone()))
                        }
                        None => word(None),
                    }
                }
                WordKind::Product(parts) => {
                    let mut words = Vec::with_capacity(parts.len());
                    for part in parts {
                        words.push(word(self.substituted_node(part, of, var, by, span)?));
                    }
                    Word::product(&words, Some(of.clone()))
                }
                WordKind::Commutator(a, b) | WordKind::Conjugate(a, b) => {
                    let x = word(self.substituted_node(a, of, var, by, span)?);
                    let y = word(self.substituted_node(b, of, var, by, span)?);
                    match node.kind {
                        WordKind::Commutator(..) => Word::commutator(&x, &y, Some(of.clone())),
                        _ => Word::conjugate(&x, &y, Some(of.clone())),
                    }
                }
            })
        });
        made.map(|word| word.node().cloned())
    }
}

impl SymbolicPuzzle {
    /// Does an argument mention a variable?
    fn mentions(&self, var: Var) -> bool {
        fn is_in(value: &Value, var: Var) -> bool {
            match value {
                Value::Number(poly) => poly.vars().contains(&var),
                Value::Tuple(parts) => parts.iter().any(|part| is_in(part, var)),
                Value::Range(from, to) => from.vars().contains(&var) || to.vars().contains(&var),
                _ => true,
            }
        }
        self.args.iter().any(|arg| is_in(arg, var))
    }
}

/// Does an index or an exponent mention a variable?
fn mentions(node: &Arc<WordNode>, var: Var) -> bool {
    stacker::maybe_grow(64 << 10, 2 << 20, || match &node.kind {
        WordKind::Letter(letter) => letter.indices.iter().any(|index| index.vars().contains(&var)),
        WordKind::Product(parts) => parts.iter().any(|part| mentions(part, var)),
        WordKind::Inverse(part) | WordKind::Named(_, part) => mentions(part, var),
        WordKind::Power(part, exponent) => exponent.vars().contains(&var) || mentions(part, var),
        WordKind::Each(part, through) => {
            [&through.from, &through.to].iter().any(|bound| bound.vars().contains(&var)) || mentions(part, var)
        }
        WordKind::Commutator(a, b) | WordKind::Conjugate(a, b) => mentions(a, var) || mentions(b, var),
    })
}
