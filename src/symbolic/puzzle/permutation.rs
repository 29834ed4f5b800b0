//! Permutations: cycles, rules, products, powers, and words together with them.

use std::sync::Arc;

use super::point::Meant;
use super::{SymbolicPuzzle, Word, beyond, wrong};
use crate::prove::{Form, Piecewise, Poly, Ring};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Value};

/// A permutation of the cells of a puzzle, or of the integers 1, 2, 3, … (width 1).
#[derive(Clone, Debug)]
pub struct PermValue {
    pub map: Arc<Piecewise>,
    pub of: Option<Arc<SymbolicPuzzle>>,
    /// the rings along which it goes, and how many steps, where that is known
    pub(super) ring: Option<(Arc<Ring>, Form)>,
}

impl PermValue {
    pub fn new(map: Arc<Piecewise>, of: Option<Arc<SymbolicPuzzle>>) -> PermValue {
        PermValue { map, of, ring: None }
    }
}

/// Two maps, and the puzzle on whose cells they are; none for integers.
type Aligned = (Arc<Piecewise>, Arc<Piecewise>, Option<Arc<SymbolicPuzzle>>);

impl Machine<'_> {
    /// A value where a permutation is needed: also a word (what it does), 1 and `()`. On a puzzle with a blank, from home.
    pub fn perm_of(&mut self, value: &Value, span: Span) -> Follow<PermValue> {
        if let Value::Map(perm) = value {
            return Ok(perm.clone());
        }
        let word = self.word_of(value, span)?;
        self.perm_of_word(&word, span)
    }

    pub(super) fn perm_of_word(&mut self, word: &Word, span: Span) -> Follow<PermValue> {
        let of = word.of.clone().or_else(|| self.instance.clone());
        let Some(node) = word.node() else {
            let width = of.as_ref().map_or(1, |of| of.width);
            return Ok(PermValue::new(Arc::new(Piecewise::identity(width)), of));
        };
        if let Some(puzzle) = &of
            && puzzle.blank.is_some()
        {
            let map = self.slid_from_home(word, puzzle, span)?;
            return Ok(PermValue::new(Arc::new(map), of));
        }
        let map = self.effect(node, span)?;
        Ok(PermValue::new(map, of))
    }

    /// What a word or permutation does where it has to be a permutation: in a product with one. On a puzzle with a blank a
    /// word has to bring the blank home for that.
    fn operand(&mut self, value: &Value, span: Span) -> Follow<PermValue> {
        let perm = self.perm_of(value, span)?;
        if let (false, Some(of)) = (matches!(value, Value::Map(_)), &perm.of)
            && let Some(home) = &of.blank
        {
            let image = perm.map.image(&self.known, home);
            let there = self.done(image, span)?;
            let home = home.clone();
            if !self.same_point(&there, &home, span)? {
                return wrong(span, "this word does not bring the blank home, so it is no permutation of the cells");
            }
        }
        Ok(perm)
    }

    /// A permutation as one of the cells of a puzzle.
    pub(super) fn on_cells_of(
        &mut self,
        perm: &PermValue,
        of: &Arc<SymbolicPuzzle>,
        span: Span,
    ) -> Follow<Arc<Piecewise>> {
        match &perm.of {
            Some(other) => match self.is_same_puzzle(other, of, span)? {
                true => Ok(perm.map.clone()),
                false => wrong(span, format!("a word of {} meets a word of {}", other.name, of.name)),
            },
            None if perm.map.pieces.is_empty() => Ok(Arc::new(Piecewise::identity(of.width))),
            None => beyond(
                span,
                "a permutation of integers among permutations of cells",
                "write the cycle inside `on …`, with its cells",
            ),
        }
    }

    /// Two permutations of the same points.
    pub(super) fn aligned(&mut self, a: &PermValue, b: &PermValue, span: Span) -> Follow<Aligned> {
        let Some(of) = a.of.clone().or_else(|| b.of.clone()) else {
            return Ok((a.map.clone(), b.map.clone(), None));
        };
        let (x, y) = (self.on_cells_of(a, &of, span)?, self.on_cells_of(b, &of, span)?);
        Ok((x, y, Some(of)))
    }

    /// First one, then the next.
    fn perm_product(&mut self, a: &PermValue, b: &PermValue, span: Span) -> Follow<PermValue> {
        let (x, y, of) = self.aligned(a, b, span)?;
        Ok(PermValue::new(self.then(&x, &y, span)?, of))
    }

    /// The product of factors: a word if all of them are, else a permutation.
    pub fn product(&mut self, factors: Vec<(Value, Span)>, span: Span) -> Follow<Value> {
        if !factors.iter().any(|(factor, _)| matches!(factor, Value::Map(_))) {
            let mut of = None;
            let mut words = Vec::with_capacity(factors.len());
            for (factor, place) in &factors {
                let word = self.word_of(factor, *place)?;
                self.joined(&mut of, &word.of, *place)?;
                words.push(word);
            }
            return Ok(Value::Word(Word::product(&words, of)));
        }
        let mut product: Option<PermValue> = None;
        for (factor, place) in &factors {
            let next = self.operand(factor, *place)?;
            product = Some(match product {
                None => next,
                Some(before) => self.perm_product(&before, &next, span)?,
            });
        }
        Ok(product.map_or(Value::int(1), Value::Map))
    }

    pub fn inverse_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        match value {
            Value::Map(perm) => {
                let map = self.inverted(&perm.map, span)?;
                let ring = match &perm.ring {
                    Some((ring, steps)) => Some((ring.clone(), self.fits(steps.neg(), span)?)),
                    None => None,
                };
                Ok(Value::Map(PermValue { map, of: perm.of.clone(), ring }))
            }
            Value::Tuple(parts) if parts.is_empty() => Ok(value.clone()),
            Value::Number(_) => {
                // the empty word
                self.word_of(value, span)?;
                Ok(value.clone())
            }
            other => Ok(Value::Word(self.word_of(other, span)?.inverse())),
        }
    }

    /// A power of a word or permutation. The exponent is an integer.
    pub fn power_of(&mut self, value: &Value, exponent: &Poly, span: Span) -> Follow<Value> {
        if !self.is_integer(exponent, span)? {
            return wrong(span, "an exponent is an integer");
        }
        match value {
            Value::Map(perm) => {
                let ring = match &perm.ring {
                    Some((ring, steps)) => {
                        let times = self.fits(steps.poly().mul(exponent), span)?;
                        times.form().map(|steps| (ring.clone(), steps))
                    }
                    None => None,
                };
                let map = match &ring {
                    Some((ring, steps)) => Arc::new(self.along(ring, steps, span)?),
                    None => self.power(&perm.map, exponent, span)?,
                };
                Ok(Value::Map(PermValue { map, of: perm.of.clone(), ring }))
            }
            Value::Tuple(parts) if parts.is_empty() => Ok(value.clone()),
            other => Ok(Value::Word(self.word_of(other, span)?.power(exponent))),
        }
    }

    /// a b a' b'
    pub fn commutator(&mut self, a: (&Value, Span), b: (&Value, Span), span: Span) -> Follow<Value> {
        self.bracket_of(a, b, false, span)
    }

    /// a b a'
    pub fn conjugate(&mut self, a: (&Value, Span), b: (&Value, Span), span: Span) -> Follow<Value> {
        self.bracket_of(a, b, true, span)
    }

    fn bracket_of(&mut self, a: (&Value, Span), b: (&Value, Span), conjugate: bool, span: Span) -> Follow<Value> {
        if !matches!(a.0, Value::Map(_)) && !matches!(b.0, Value::Map(_)) {
            let (x, y) = (self.word_of(a.0, a.1)?, self.word_of(b.0, b.1)?);
            let mut of = None;
            self.joined(&mut of, &x.of, a.1)?;
            self.joined(&mut of, &y.of, b.1)?;
            return Ok(Value::Word(match conjugate {
                true => Word::conjugate(&x, &y, of),
                false => Word::commutator(&x, &y, of),
            }));
        }
        let (x, y) = (self.operand(a.0, a.1)?, self.operand(b.0, b.1)?);
        let (x, y, of) = self.aligned(&x, &y, span)?;
        let back = self.inverted(&x, span)?;
        let mut map = self.then(&x, &y, span)?;
        map = self.then(&map, &back, span)?;
        if !conjugate {
            let back = self.inverted(&y, span)?;
            map = self.then(&map, &back, span)?;
        }
        Ok(Value::Map(PermValue::new(map, of)))
    }

    /// Do two words, or a word and a permutation, do the same?
    pub fn words_equal(&mut self, a: &Value, b: &Value, span: Span) -> Follow<bool> {
        if !matches!(a, Value::Map(_)) && !matches!(b, Value::Map(_)) {
            let (x, y) = (self.word_of(a, span)?, self.word_of(b, span)?);
            let mut of = None;
            self.joined(&mut of, &x.of, span)?;
            self.joined(&mut of, &y.of, span)?;
            if let Some(of) = &of
                && of.blank.is_some()
            {
                return self.equal_everywhere(&x, &y, of, span);
            }
        }
        let (x, y) = (self.perm_of(a, span)?, self.perm_of(b, span)?);
        self.note_map(a, &x, span)?;
        let (x, y, _) = self.aligned(&x, &y, span)?;
        let equal = x.equals(&self.known, &y);
        self.done(equal, span)
    }

    /// `perm(w)`
    pub fn perm(&mut self, value: &Value, span: Span) -> Follow<Value> {
        self.perm_of(value, span).map(Value::Map)
    }

    /// A cycle as it is written, or through the elements of a tuple. Fewer than two give the identity.
    pub fn cycle_value(&mut self, elements: &[(Value, Span)], span: Span) -> Follow<Value> {
        let of = self.instance.clone();
        let mut points: Vec<Vec<Form>> = Vec::with_capacity(elements.len());
        for (element, place) in elements {
            points.push(self.point_of_cycle(of.as_ref(), element, *place)?);
        }
        for (at, point) in points.iter().enumerate() {
            for other in &points[..at] {
                if self.same_point(point, other, span)? {
                    let shown = super::point::cell_value(of.as_ref(), point);
                    return wrong(span, format!("{} stands twice in one cycle", self.print(&shown)));
                }
            }
        }
        let width = of.as_ref().map_or(1, |of| of.width);
        if points.len() < 2 {
            return Ok(Value::Map(PermValue::new(Arc::new(Piecewise::identity(width)), of)));
        }
        let map = self.fits(Piecewise::cycle(width, &points), span)?;
        let ring = Ring::of_points(&points);
        Ok(Value::Map(PermValue { map: Arc::new(map), of, ring: Some((Arc::new(ring), Form::int(1))) }))
    }

    /// An element of a cycle: a cell of the board, or a positive integer outside puzzles.
    pub(super) fn point_of_cycle(
        &mut self,
        of: Option<&Arc<SymbolicPuzzle>>,
        element: &Value,
        span: Span,
    ) -> Follow<Vec<Form>> {
        let Some(of) = of else {
            let Value::Number(number) = element else {
                return wrong(span, format!("no puzzle is in force, so {} is no cell", element.kind()));
            };
            if !self.is_integer(number, span)? || !self.at_least_one(number, span)? {
                return wrong(span, "a cycle outside a puzzle permutes the integers 1, 2, 3, …");
            }
            return Ok(vec![self.linear(number, span)?]);
        };
        match self.coordinates_of(of, element, span)? {
            Meant::Point(point) if self.on_board(of, &point, span)? => Ok(point),
            Meant::NoCell if matches!(element, Value::Number(_)) && !of.plain => {
                beyond(span, "a cell that is named by its number", "name it by its coordinates")
            }
            _ => self.no_cell(of, element, span),
        }
    }

    pub(super) fn at_least_one(&mut self, number: &Poly, span: Span) -> Follow<bool> {
        let less = self.fits(number.sub(&Poly::int(1)), span)?;
        self.at_least_zero(&less, span)
    }

    /// `cycle(xs)`: each element goes to the next, the last to the first.
    pub fn cycle_of_sequence(&mut self, elements: &Value, span: Span) -> Follow<Value> {
        if let Value::Tuple(parts) = elements {
            let parts: Vec<(Value, Span)> = parts.iter().map(|part| (part.clone(), span)).collect();
            return self.cycle_value(&parts, span);
        }
        let of = self.instance.clone();
        let ring = self.ring_of_sequence(elements, of.as_ref(), span)?;
        let steps = Form::int(1);
        let map = Arc::new(self.along(&ring, &steps, span)?);
        Ok(Value::Map(PermValue { map, of, ring: Some((Arc::new(ring), steps)) }))
    }

    /// `permutation(p -> e)`
    pub fn permutation_by(&mut self, rule: &Value, span: Span) -> Follow<Value> {
        let of = self.in_force(span)?;
        let map = self.map_by(&of, span, &mut |machine, vars| {
            let coordinates: Vec<Form> = vars.iter().map(|var| Form::var(*var)).collect();
            let cell = super::point::cell_value(Some(&of), &coordinates);
            let image = machine.apply(rule, vec![cell], span)?;
            machine.image_cell(&image, &of, "this rule", span).map(Some)
        })?;
        self.check_bijection(&map, &of, "this rule", span)?;
        Ok(Value::Map(PermValue::new(Arc::new(map), Some(of))))
    }
}
