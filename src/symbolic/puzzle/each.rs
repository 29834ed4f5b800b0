//! Products of words for all integers of a range: `product(R[k] for k in 1..m)`. They are followed where no two factors move
//! the same cell, so that the order does not matter.

use std::sync::Arc;

use super::moves::substituted;
use super::word::{Through, WordKind, WordNode};
use super::{PermValue, Word, beyond};
use crate::prove::{Constraint, Form, Piece, Piecewise, Region, Var};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Segment, Value};

impl Machine<'_> {
    /// The product of the elements of a sequence, which are words or permutations.
    pub fn product_of_segments(&mut self, segments: &[Segment], span: Span) -> Follow<Value> {
        let mut factors = Vec::with_capacity(segments.len());
        for segment in segments {
            let Some((var, from, to)) = &segment.var else {
                factors.push((segment.value.clone(), span));
                continue;
            };
            let through = Through { var: *var, from: from.clone(), to: to.clone() };
            let product = match &segment.value {
                Value::Map(perm) => {
                    let of = perm.of.clone();
                    let perm = perm.clone();
                    let map = self.product_of_disjoint(&through, span, &mut |_| Ok(perm.map.clone()))?;
                    Value::Map(PermValue::new(Arc::new(map), of))
                }
                value => {
                    let word = self.word_of(value, span)?;
                    Value::Word(match word.node() {
                        Some(node) => Word::new(WordKind::Each(node.clone(), through), word.of.clone()),
                        None => word,
                    })
                }
            };
            factors.push((product, span));
        }
        match factors.as_slice() {
            [(only, _)] => Ok(only.clone()),
            _ => self.product(factors, span),
        }
    }

    pub(super) fn effect_of_each(&mut self, part: &Arc<WordNode>, through: &Through, span: Span) -> Follow<Piecewise> {
        self.product_of_disjoint(through, span, &mut |machine| machine.effect(part, span))
    }

    /// The product of maps that depend on a variable, no two of which move the same cell.
    fn product_of_disjoint(
        &mut self,
        through: &Through,
        span: Span,
        map: &mut dyn FnMut(&mut Self) -> Follow<Arc<Piecewise>>,
    ) -> Follow<Piecewise> {
        let Through { var, from, to } = through;
        let scope = self.between(*var, from, to, span)?;
        let leaves = self.each_leaf(&[*var], scope, map)?;
        let mut width = 1;
        let mut pieces: Vec<Piece> = Vec::new();
        for (region, map) in leaves {
            width = map.width;
            let with = |piece: &Piece| Piece { region: region.and(&piece.region), to: piece.to.clone() };
            pieces.extend(map.pieces.iter().map(with).filter(|piece| !piece.region.is_empty_in(&self.known)));
        }
        // the same for a later element
        let later = self.fresh("later", span)?;
        let all = Piecewise { width, pieces };
        let others = self.fits(substituted(&all, &|known| (known == *var).then(|| Form::var(later))), span)?;
        let apart = self.fits(Constraint::less(&Form::var(*var), &Form::var(later)), span)?;
        for one in &all.pieces {
            for other in &others.pieces {
                if !one.region.and(&other.region).with(apart.clone()).is_empty_in(&self.known) {
                    return beyond(
                        span,
                        "a product of words that move the same cells, and whose number is not fixed",
                        "give a range instead: `for n in 5..24`",
                    );
                }
            }
        }
        let mut pieces = Vec::with_capacity(all.pieces.len());
        for piece in all.pieces {
            pieces.push(self.without(*var, piece, span)?);
        }
        let mut product = Piecewise { width, pieces };
        product.merge(&self.known);
        Ok(product)
    }

    /// A piece of all elements together.
    fn without(&mut self, var: Var, piece: Piece, span: Span) -> Follow<Piece> {
        let stuck = || {
            beyond(
                span,
                "a product of words whose cells do not tell which word moves them",
                "give a range instead: `for n in 5..24`",
            )
        };
        let shadow = piece.region.eliminate(&[var]);
        if !shadow.exact {
            return stuck();
        }
        let value = shadow.solved.iter().find(|(solved, _)| *solved == var).map(|(_, form)| form.clone());
        if value.is_none() && piece.to.iter().any(|form| form.coefficient(var) != 0) {
            return stuck();
        }
        let put = |known: Var| if known == var { value.clone() } else { None };
        let mut to = Vec::with_capacity(piece.to.len());
        for form in &piece.to {
            to.push(self.fits(form.substitute(&put), span)?);
        }
        let region: Region = shadow.region.tidy(&self.known);
        Ok(Piece { region, to })
    }
}
