//! The moves of a puzzle: what each does, for all its indices at once, checked when the puzzle is built.

use std::sync::Arc;

use super::word::Does;
use super::{SymbolicPuzzle, beyond, wrong};
use crate::prove::{Constraint, Form, Piece, Piecewise, Poly, Region, Var};
use crate::resolve::program::{Clauses, Ex, MoveBody, MoveDecl, Pattern};
use crate::source::Span;
use crate::symbolic::{Follow, Leaf, Machine, Set, Value};

/// In a family as it is kept, the first index is this variable, the next one the one before, and so on. Nobody else sees
/// them: a letter has its own indices put in.
const LAST: Var = Var::MAX - 1;

/// A move or a family of moves.
pub(super) struct Move {
    /// the indices of the default member, if one is named; there may be no such member
    pub default: Option<Vec<Poly>>,
    /// what it does, in variables for its indices; a plain move has one case without conditions
    cases: Vec<Case>,
}

/// What the members of a family do whose indices are in a region.
struct Case {
    indices: Region,
    does: Does,
}

impl Move {
    /// What it does, if it is a plain move.
    pub(super) fn plain(&self) -> Option<&Does> {
        match (self.default.as_deref(), self.cases.as_slice()) {
            (Some([]), [only]) => Some(&only.does),
            _ => None,
        }
    }
}

/// The variable of an index.
fn index(at: usize) -> Var {
    LAST - at as Var
}

/// The number of the index whose variable it is.
fn number(var: Var, arity: usize) -> Option<usize> {
    let at = usize::from(LAST.checked_sub(var)?);
    (at < arity).then_some(at)
}

impl Machine<'_> {
    pub(super) fn build_move(&mut self, declaration: &MoveDecl, before: &Arc<SymbolicPuzzle>) -> Follow<Move> {
        let span = declaration.span;
        self.frame = vec![Value::Nothing; declaration.frame as usize];
        let mut default = None;
        if let Some(defaults) = &declaration.defaults {
            default = Some(self.default_indices(defaults, declaration)?);
        }
        let Some(clauses) = &declaration.clauses else {
            let name = format!("`{}`", declaration.name);
            let does = self.generator(declaration, before, &name)?;
            return Ok(Move { default: Some(Vec::new()), cases: vec![Case { indices: Region::all(), does }] });
        };
        let name = format!("`{}[{}]`", declaration.name, vec!["…"; declaration.indices.len()].join(","));
        let found = self.clauses(clauses, &mut |machine| {
            let mut indices = Vec::with_capacity(declaration.indices.len());
            for slot in &declaration.indices {
                match machine.slot(*slot) {
                    Value::Number(index) if machine.is_integer(&index, span)? => {
                        indices.push(machine.linear(&index, span)?);
                    }
                    other => return wrong(span, format!("an index of `{}` is {}", declaration.name, other.kind())),
                }
            }
            Ok((indices, machine.generator(declaration, before, &name)?))
        })?;
        let mut cases: Vec<Case> = Vec::with_capacity(found.len());
        for Leaf { vars, scope, value: (indices, does) } in found {
            // a family whose indices occur twice is an error of the script
            if !self.are_different(&vars, &scope, &indices, span)? {
                return beyond(
                    span,
                    format!("the family `{}`, in which an index may occur twice", declaration.name),
                    "let each index occur once in the range",
                );
            }
            let case = self.case_of(&vars, &scope, &indices, does, span)?;
            for other in &cases {
                if !other.indices.and(&case.indices).is_empty_in(&self.known) {
                    return beyond(
                        span,
                        format!("the family `{}`, in which an index may occur twice", declaration.name),
                        "let each index occur once in the range",
                    );
                }
            }
            cases.push(case);
        }
        Ok(Move { default, cases })
    }

    fn default_indices(&mut self, defaults: &[Ex], declaration: &MoveDecl) -> Follow<Vec<Poly>> {
        let mut indices = Vec::with_capacity(defaults.len());
        for ex in defaults {
            match self.eval(ex)? {
                Value::Number(index) if self.is_integer(&index, ex.span)? => indices.push(index),
                other => {
                    return wrong(declaration.span, format!("an index of `{}` is {}", declaration.name, other.kind()));
                }
            }
        }
        Ok(indices)
    }

    /// The case with the variables of indices in place of those of the clauses.
    fn case_of(&mut self, vars: &[Var], scope: &Region, indices: &[Form], does: Does, span: Span) -> Follow<Case> {
        let strange = || {
            beyond(
                span,
                "a family whose indices are no plain names after `for`",
                "name each index itself after `for`: `move R[k] for k in 1..n: …`",
            )
        };
        // the index that names each variable of the clauses
        let mut named: Vec<(Var, Var)> = Vec::with_capacity(vars.len());
        for var in vars {
            match indices.iter().position(|form| *form == Form::var(*var)) {
                Some(at) => named.push((*var, index(at))),
                None => return strange(),
            }
        }
        let rename = |var: Var| named.iter().find(|(known, _)| *known == var).map(|(_, index)| Form::var(*index));
        let mut region = self.fits(scope.substitute(&rename), span)?;
        for (at, form) in indices.iter().enumerate() {
            let form = self.fits(form.substitute(&rename), span)?;
            region.push(self.fits(Constraint::equal(&form, &Form::var(index(at))), span)?);
        }
        let does = match does {
            Does::Map(map) => Does::Map(Arc::new(self.fits(substituted(&map, &rename), span)?)),
            Does::Slide(slide) => Does::Slide(Arc::new(self.fits(slide.substituted(&rename), span)?)),
        };
        Ok(Case { indices: region, does })
    }

    /// What one move does, in the present frame.
    fn generator(&mut self, declaration: &MoveDecl, before: &Arc<SymbolicPuzzle>, name: &str) -> Follow<Does> {
        match &declaration.body {
            MoveBody::Value(ex) => {
                let value = self.eval(ex)?;
                if before.blank.is_some() {
                    return self.no_blank("a move that is given by a word or permutation,", ex.span);
                }
                let perm = self.perm_of(&value, ex.span)?;
                let map = self.on_cells_of(&perm, before, ex.span)?;
                Ok(Does::Map(map))
            }
            MoveBody::Rules(rules) if declaration.slide => {
                let slide = self.slide_by_rules(rules, before, name, declaration.span)?;
                Ok(Does::Slide(Arc::new(slide)))
            }
            MoveBody::Rules(_) if before.blank.is_some() => {
                self.no_blank("a move that carries the blank along,", declaration.span)
            }
            MoveBody::Rules(rules) => {
                let map = self.map_by_rules(rules, before, name, declaration.span)?;
                Ok(Does::Map(Arc::new(map)))
            }
        }
    }

    /// Are these the indices of a member of a family? The frame is that of its declaration.
    fn has_member(&mut self, clauses: &Clauses, slots: &[u32], indices: &[Poly], span: Span) -> Follow<bool> {
        let strange = || {
            beyond(
                span,
                "a family whose indices are no plain names after `for`",
                "name each index itself after `for`: `move R[k] for k in 1..n: …`",
            )
        };
        if slots.len() != indices.len() {
            return Ok(false);
        }
        for (pattern, range) in &clauses.each {
            let Pattern::Bind(slot, _) = pattern else { return strange() };
            let Some(at) = slots.iter().position(|index| index == slot) else { return strange() };
            let index = indices[at].clone();
            let source = self.eval(range)?;
            if !self.is_among(&index, &source, range.span)? {
                return Ok(false);
            }
            self.set_slot(*slot, Value::Number(index));
        }
        match &clauses.condition {
            Some(condition) => self.truth(condition),
            None => Ok(true),
        }
    }

    /// Is an integer an element of a range or set?
    fn is_among(&mut self, number: &Poly, source: &Value, span: Span) -> Follow<bool> {
        match source {
            Value::Range(from, to) => {
                let below = self.fits(number.sub(from), span)?;
                let above = self.fits(to.sub(number), span)?;
                Ok(self.at_least_zero(&below, span)? && self.at_least_zero(&above, span)?)
            }
            Value::Tuple(values) => self.is_one_of(number, values, span),
            Value::Set(set) => match &**set {
                Set::Finite(values) => self.is_one_of(number, values, span),
                Set::Cells { union, plain: true } => {
                    let point = [self.linear(number, span)?];
                    let inside = union.contains(&self.known, &point);
                    self.done(inside, span)
                }
                Set::Cells { .. } => Ok(false),
            },
            other => beyond(
                span,
                format!("a family with indices from {}", other.kind()),
                "take the indices from ranges: `move R[k] for k in 1..n: …`",
            ),
        }
    }

    fn is_one_of(&mut self, number: &Poly, values: &[Value], span: Span) -> Follow<bool> {
        for value in values {
            let Value::Number(value) = value else { continue };
            let difference = self.fits(number.sub(value), span)?;
            if self.is_zero(&difference, span)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Has a family a member with these indices?
    pub(super) fn is_member(
        &mut self,
        of: &Arc<SymbolicPuzzle>,
        id: u32,
        indices: &[Poly],
        span: Span,
    ) -> Follow<bool> {
        let puzzle = of.puzzle.clone();
        let Some(declaration) = puzzle.moves.get(id as usize) else { return Ok(false) };
        let Some(clauses) = &declaration.clauses else { return Ok(indices.is_empty()) };
        self.apart(declaration.frame, Some(of.clone()), span, |machine| {
            machine.has_member(clauses, &declaration.indices, indices, span)
        })
    }

    /// What the member with these indices does.
    pub(super) fn member_does(&mut self, the_move: &Move, indices: &[Poly], span: Span) -> Follow<Does> {
        let mut forms = Vec::with_capacity(indices.len());
        for index in indices {
            forms.push(self.linear(index, span)?);
        }
        let put = |var: Var| number(var, forms.len()).map(|at| forms[at].clone());
        let mut pieces: Vec<Piece> = Vec::new();
        let mut width = None;
        for case in &the_move.cases {
            let here = self.fits(case.indices.substitute(&put), span)?;
            if here.is_empty_in(&self.known) {
                continue;
            }
            match &case.does {
                Does::Slide(slide) => {
                    // what a blank does has to be one thing
                    if self.decide_region(&here)? {
                        return Ok(Does::Slide(Arc::new(self.fits(slide.substituted(&put), span)?)));
                    }
                }
                Does::Map(map) => {
                    width = Some(map.width);
                    let map = self.fits(substituted(map, &put), span)?;
                    for piece in map.pieces {
                        let region = here.and(&piece.region).tidy(&self.known);
                        if !region.is_empty_in(&self.known) {
                            pieces.push(Piece { region, ..piece });
                        }
                    }
                }
            }
        }
        match width {
            Some(width) => Ok(Does::Map(Arc::new(Piecewise { width, pieces }))),
            None => beyond(span, "a move of which no case is known", "split the claim"),
        }
    }
}

/// A map with forms in place of some variables.
pub(super) fn substituted(
    map: &Piecewise,
    by: &dyn Fn(Var) -> Option<Form>,
) -> Result<Piecewise, crate::prove::TooLarge> {
    let mut pieces = Vec::with_capacity(map.pieces.len());
    for piece in &map.pieces {
        let region = piece.region.substitute(by)?;
        let to = piece.to.iter().map(|form| form.substitute(by)).collect::<Result<Vec<Form>, _>>()?;
        pieces.push(Piece { region, to });
    }
    Ok(Piecewise { width: map.width, pieces })
}
