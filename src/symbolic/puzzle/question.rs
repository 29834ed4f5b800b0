//! Questions about words and permutations: cycles, orders, signs, what they move.

use std::sync::Arc;

use super::point::cell_value;
use super::{PermValue, SymbolicPuzzle, beyond, wrong};
use crate::prove::{Constraint, Form, Piecewise, Poly, Region, Union, Var};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Segment, Sequence, Set, Stop, Value};

/// An order is looked for up to this.
const LARGEST_ORDER: u64 = 120;

/// Up to this, an order that only some values of the names have is one of a case of its own.
const LARGEST_ODD_ORDER: u64 = 24;

/// Powers with more pieces than this together are not followed further.
const MOST_PIECES: usize = 2_000;

/// A set with more points than this is not taken apart into points.
const MOST_POINTS: usize = 400;

/// So many cycles of one length are written out one by one.
const WRITTEN_OUT: i64 = 64;

/// Some cycles of one length, at least 2.
struct Cycles {
    length: Poly,
    /// at least 1
    count: Poly,
}

impl Machine<'_> {
    /// The cells that a word moves.
    pub fn support_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let perm = self.perm_of(value, span)?;
        self.note_map(value, &perm, span)?;
        let moved = self.moved(&perm.map, span)?;
        Ok(cells_value(moved, perm.of.as_ref()))
    }

    /// The cells of the puzzle that a word does not move.
    pub fn fixed_by(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let perm = self.perm_of(value, span)?;
        let Some(of) = &perm.of else {
            return wrong(span, "outside a puzzle a permutation fixes almost all integers");
        };
        let moved = self.moved(&perm.map, span)?;
        let fixed = of.cells.difference(&self.known, &moved);
        let fixed = self.done(fixed, span)?.tidy(&self.known);
        Ok(cells_value(fixed, perm.of.as_ref()))
    }

    fn moved(&self, map: &Piecewise, span: Span) -> Follow<Union> {
        self.done(map.moved(&self.known), span)
    }

    /// The lengths above 1 of the cycles, from the longest.
    pub fn cycle_type_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let perm = self.perm_of(value, span)?;
        self.note_map(value, &perm, span)?;
        let cycles = self.cycle_counts(&perm, span)?;
        let mut segments = Vec::new();
        for Cycles { length, count } in cycles {
            match count.as_int() {
                Some(count) if count <= WRITTEN_OUT => {
                    for _ in 0..count {
                        segments.push(Segment { var: None, value: Value::Number(length.clone()) });
                    }
                }
                _ => {
                    let var = self.fresh("i", span)?;
                    let value = Value::Number(length);
                    segments.push(Segment { var: Some((var, Poly::int(1), count)), value });
                }
            }
        }
        if segments.iter().all(|segment| segment.var.is_none()) {
            return Ok(Value::tuple(segments.into_iter().map(|segment| segment.value).collect()));
        }
        Ok(Value::Sequence(Arc::new(Sequence { segments })))
    }

    /// Does the word do exactly one cycle of length k?
    pub fn is_cycle(&mut self, value: &Value, length: &Poly, span: Span) -> Follow<bool> {
        if !self.is_integer(length, span)? || !self.at_least_zero(length, span)? {
            return wrong(span, "a length is an integer that is not negative");
        }
        let perm = self.perm_of(value, span)?;
        self.note_map(value, &perm, span)?;
        // a cycle of length 1 moves nothing
        let two = self.fits(length.sub(&Poly::int(2)), span)?;
        if !self.at_least_zero(&two, span)? {
            return Ok(self.is_number(length, 1, span)? && self.does_nothing(&perm.map, span)?);
        }
        let cycles = self.cycle_counts(&perm, span)?;
        let [only] = cycles.as_slice() else { return Ok(false) };
        let difference = self.fits(only.length.sub(length), span)?;
        Ok(self.is_number(&only.count, 1, span)? && self.is_zero(&difference, span)?)
    }

    /// 1 for an even permutation, -1 for an odd one.
    pub fn sign_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let perm = self.perm_of(value, span)?;
        let mut transpositions = Poly::zero();
        for Cycles { length, count } in self.cycle_counts(&perm, span)? {
            let each = self.fits(length.sub(&Poly::int(1)), span)?;
            let all = self.fits(each.mul(&count), span)?;
            transpositions = self.sum_of(&transpositions, &all, span)?;
        }
        let half = self.fits(transpositions.scale(1, 2), span)?;
        Ok(Value::int(if self.is_integer(&half, span)? { 1 } else { -1 }))
    }

    /// The cycles, each from its first cell.
    pub fn cycles_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let perm = self.perm_of(value, span)?;
        let Some(cycles) = self.finite_cycles(&perm.map, span)? else {
            return beyond(
                span,
                "the list of cycles of a word that moves more and more cells",
                "ask for its `cycle_type`, or give a range instead: `for n in 5..24`",
            );
        };
        let mut listed: Vec<Vec<Vec<Form>>> = Vec::with_capacity(cycles.len());
        for mut cycle in cycles {
            let mut first = 0;
            for at in 1..cycle.len() {
                if self.comes_before(&cycle[at], &cycle[first], perm.of.as_ref(), span)? {
                    first = at;
                }
            }
            cycle.rotate_left(first);
            let mut at = listed.len();
            for (place, other) in listed.iter().enumerate() {
                if self.comes_before(&cycle[0], &other[0], perm.of.as_ref(), span)? {
                    at = place;
                    break;
                }
            }
            listed.insert(at, cycle);
        }
        let cell = |point: &Vec<Form>| cell_value(perm.of.as_ref(), point);
        let cycle = |cycle: &Vec<Vec<Form>>| Value::tuple(cycle.iter().map(cell).collect());
        Ok(Value::tuple(listed.iter().map(cycle).collect()))
    }

    /// Is a cell declared before another one?
    fn comes_before(&mut self, a: &[Form], b: &[Form], of: Option<&Arc<SymbolicPuzzle>>, span: Span) -> Follow<bool> {
        if of.is_some_and(|of| !of.is_in_reading_order()) {
            return beyond(
                span,
                "the order of these cells, which are not declared row by row",
                "compare sets of cells instead",
            );
        }
        for (x, y) in a.iter().zip(b) {
            let less = self.fits(Constraint::less(x, y), span)?;
            if self.decide(&less)? {
                return Ok(true);
            }
            let equal = self.fits(Constraint::equal(x, y), span)?;
            if !self.decide(&equal)? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The least k ≥ 1 for which `w^k` does nothing.
    pub fn order_of_word(&mut self, value: &Value, span: Span) -> Follow<Value> {
        if !matches!(value, Value::Map(_)) {
            let word = self.word_of(value, span)?;
            let of = word.of.clone().or_else(|| self.instance.clone());
            if let Some(of) = of.filter(|of| of.blank.is_some()) {
                return self.slid_order(&word, &of, span);
            }
        }
        let perm = self.perm_of(value, span)?;
        if self.does_nothing(&perm.map, span)? {
            return Ok(Value::int(1));
        }
        if let Some(cycles) = self.finite_cycles(&perm.map, span)? {
            let order = cycles.iter().fold(1i64, |order, cycle| num_integer::lcm(order, cycle.len() as i64));
            return Ok(Value::int(order));
        }
        if let Some(Cycles { length, .. }) = self.ring_cycles(&perm, span)? {
            return Ok(Value::Number(length));
        }
        let mut power = perm.map.clone();
        let mut pieces = 0;
        for order in 2..=LARGEST_ORDER {
            power = self.then(&power, &perm.map, span)?;
            pieces += power.pieces.len();
            match self.does_nothing(&power, span) {
                Ok(true) => return Ok(Value::int(order as i64)),
                Ok(false) => {}
                // else there would be a case for each power
                Err(Stop::Split(_)) if order > LARGEST_ODD_ORDER => break,
                Err(stop) => return Err(stop),
            }
            if pieces > MOST_PIECES {
                break;
            }
        }
        beyond(
            span,
            "the order of a word of which no small power does nothing",
            "give a range instead: `for n in 5..24`",
        )
    }

    /// How many cycles of which length there are, from the longest.
    fn cycle_counts(&mut self, perm: &PermValue, span: Span) -> Follow<Vec<Cycles>> {
        if self.does_nothing(&perm.map, span)? {
            return Ok(Vec::new());
        }
        if let Some(cycles) = self.finite_cycles(&perm.map, span)? {
            let mut lengths: Vec<i64> = cycles.iter().map(|cycle| cycle.len() as i64).collect();
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            let runs = lengths.chunk_by(|a, b| a == b);
            let of = |run: &[i64]| Cycles { length: Poly::int(run[0]), count: Poly::int(run.len() as i64) };
            return Ok(runs.map(of).collect());
        }
        if let Some(cycles) = self.ring_cycles(perm, span)? {
            return Ok(vec![cycles]);
        }
        self.counted_cycles(&perm.map, span)
    }

    /// The cycles of a map that steps along rings and moves something.
    fn ring_cycles(&mut self, perm: &PermValue, span: Span) -> Follow<Option<Cycles>> {
        let found = match &perm.ring {
            Some((ring, steps)) => Some((ring.clone(), steps.clone())),
            None => self.ring_of(&perm.map, span)?,
        };
        let Some((ring, steps)) = found else { return Ok(None) };
        let length = ring.length().clone();
        let rest = self.rest_of(&steps, &length, span)?;
        // it moves something, so this is not 0
        let Some(gcd) = self.gcd_of(&length, &rest, span)? else { return Ok(None) };
        let rings = match self.fits(ring.ends(), span)? {
            Some(ends) => {
                let count = ends.count(&self.known);
                self.done(count, span)?
            }
            None => Poly::int(1),
        };
        Ok(Some(Cycles {
            length: self.fits(length.poly().scale(1, gcd), span)?,
            count: self.fits(rings.scale(gcd, 1), span)?,
        }))
    }

    /// The greatest common divisor of two numbers that are not both 0, where it is one of a few.
    fn gcd_of(&mut self, a: &Form, b: &Form, span: Span) -> Follow<Option<i64>> {
        // Euclid's way, with the coefficients of a name
        const ROUNDS: usize = 16;
        let (mut a, mut b) = (a.clone(), b.clone());
        for _ in 0..ROUNDS {
            match (a.as_int(), b.as_int()) {
                (Some(0), Some(0)) => return Ok(None),
                // of the other one, which is not one of a few
                (Some(0), None) | (None, Some(0)) => return Ok(None),
                (Some(fixed), _) => return self.gcd_with(&b, fixed, span).map(Some),
                (_, Some(fixed)) => return self.gcd_with(&a, fixed, span).map(Some),
                _ => {}
            }
            let shared = a.vars().find(|var| b.coefficient(*var) != 0);
            let Some(var) = shared.filter(|_| a.den() == 1 && b.den() == 1) else { return Ok(None) };
            if a.coefficient(var).abs() < b.coefficient(var).abs() {
                std::mem::swap(&mut a, &mut b);
            }
            let times = a.coefficient(var) / b.coefficient(var);
            a = self.fits(b.scale(times, 1).and_then(|multiple| a.sub(&multiple)), span)?;
        }
        Ok(None)
    }

    fn gcd_with(&mut self, form: &Form, fixed: i64, span: Span) -> Follow<i64> {
        let fixed = fixed.unsigned_abs();
        if fixed == 0 || fixed > 1 << 16 {
            return beyond(span, "a greatest common divisor as large as this may be", "give a range instead");
        }
        for divisor in (2..=fixed as i64).rev().filter(|divisor| fixed as i64 % divisor == 0) {
            let divides = self.fits(Constraint::divisible(form, divisor), span)?;
            if self.decide(&divides)? {
                return Ok(divisor);
            }
        }
        Ok(1)
    }

    /// The cycles of a map of small order, counted by what its powers move.
    fn counted_cycles(&mut self, map: &Arc<Piecewise>, span: Span) -> Follow<Vec<Cycles>> {
        let mut powers = vec![map.clone()];
        let mut pieces = 0;
        while let Some(last) = powers.last().cloned() {
            let next = self.then(&last, map, span)?;
            if self.does_nothing(&next, span)? {
                break;
            }
            pieces += next.pieces.len();
            if powers.len() as u64 >= LARGEST_ORDER || pieces > MOST_PIECES {
                return beyond(
                    span,
                    "the cycles of a word of which no small power does nothing",
                    "give a range instead: `for n in 5..24`",
                );
            }
            powers.push(next);
        }
        let order = powers.len() + 1;
        let all = self.count_moved(map, span)?;
        // by divisor of the order: how many cells lie in cycles of exactly this length
        let mut exact: Vec<(usize, Poly)> = vec![(1, Poly::zero())];
        for length in (2..=order).filter(|length| order % length == 0) {
            let still_moved = match powers.get(length - 1) {
                Some(power) => self.count_moved(&power.clone(), span)?,
                None => Poly::zero(),
            };
            let mut cells = self.fits(all.sub(&still_moved), span)?;
            for (shorter, count) in &exact {
                if length % shorter == 0 {
                    cells = self.fits(cells.sub(count), span)?;
                }
            }
            exact.push((length, cells));
        }
        let mut cycles = Vec::new();
        for (length, cells) in exact.into_iter().rev() {
            if !self.is_zero(&cells, span)? {
                let count = self.fits(cells.scale(1, length as i64), span)?;
                cycles.push(Cycles { length: Poly::int(length as i64), count });
            }
        }
        Ok(cycles)
    }

    fn count_moved(&mut self, map: &Piecewise, span: Span) -> Follow<Poly> {
        // the pieces are boxes more often than what they move, so what stays in them is counted apart
        let mut sum = Poly::zero();
        for piece in &map.pieces {
            let mut stays = piece.region.clone();
            for (at, form) in piece.to.iter().enumerate() {
                stays.push(self.fits(Constraint::equal(form, &Form::var(at as Var)), span)?);
            }
            let all = self.count_region(&piece.region, map.width, span)?;
            let staying = self.count_region(&stays, map.width, span)?;
            let moved = self.fits(all.sub(&staying), span)?;
            sum = self.sum_of(&sum, &moved, span)?;
        }
        Ok(sum)
    }

    fn count_region(&mut self, region: &Region, width: usize, span: Span) -> Follow<Poly> {
        if region.is_empty_in(&self.known) {
            return Ok(Poly::zero());
        }
        let here = Union { width, regions: vec![region.tidy(&self.known)] };
        if here.regions[0].as_point(&self.known, width).is_some() {
            return Ok(Poly::int(i64::from(self.done(here.is_inhabited(&self.known), span)?)));
        }
        let count = here.count(&self.known);
        self.done(count, span)
    }

    /// The cycles of a map, if it moves only a few cells for all points of what is known.
    pub(super) fn finite_cycles(&mut self, map: &Piecewise, span: Span) -> Follow<Option<Vec<Vec<Vec<Form>>>>> {
        let moved = self.moved(map, span)?;
        let mut points: Vec<Vec<Form>> = Vec::new();
        for region in &moved.regions {
            let Some(more) = self.points_of_region(region, map.width, span)? else { return Ok(None) };
            points.extend(more);
            if points.len() > MOST_POINTS {
                return Ok(None);
            }
        }
        let mut cycles: Vec<Vec<Vec<Form>>> = Vec::new();
        let mut left: Vec<Option<Vec<Form>>> = points.into_iter().map(Some).collect();
        for at in 0..left.len() {
            let Some(start) = left[at].take() else { continue };
            let mut cycle = vec![start];
            while let Some(last) = cycle.last() {
                let image = map.image(&self.known, last);
                let image = self.done(image, span)?;
                if self.same_point(&image, &cycle[0], span)? {
                    break;
                }
                let mut found = None;
                for place in left.iter_mut().skip(at + 1) {
                    let Some(point) = place.clone() else { continue };
                    if self.same_point(&image, &point, span)? {
                        found = place.take();
                        break;
                    }
                }
                match found {
                    Some(point) => cycle.push(point),
                    None => return beyond(span, "the cycles of this word", "give a range instead: `for n in 5..24`"),
                }
            }
            cycles.push(cycle);
        }
        Ok(Some(cycles))
    }

    /// The points of a region, if they are a few for all points of what is known.
    fn points_of_region(&mut self, region: &Region, width: usize, span: Span) -> Follow<Option<Vec<Vec<Form>>>> {
        let mut points = Vec::new();
        let mut waiting = vec![region.clone()];
        while let Some(region) = waiting.pop() {
            self.step(span)?;
            let here = Union { width, regions: vec![region.clone()] };
            if region.is_empty_in(&self.known) || !self.done(here.is_inhabited(&self.known), span)? {
                continue;
            }
            if let Some(point) = region.as_point(&self.known, width) {
                points.push(point);
                continue;
            }
            let Some(values) = self.few_values(&region, width, span)? else { return Ok(None) };
            waiting.extend(values);
            if waiting.len() + points.len() > MOST_POINTS {
                return Ok(None);
            }
        }
        Ok(Some(points))
    }

    /// The region by the values of a coordinate that lies between two bounds a few steps apart.
    fn few_values(&mut self, region: &Region, width: usize, span: Span) -> Follow<Option<Vec<Region>>> {
        const STEPS: i64 = 40;
        for axis in 0..width as Var {
            let mut bounds: [Vec<Form>; 2] = [Vec::new(), Vec::new()];
            let mut is_given = false;
            for constraint in region.constraints.iter().filter(|constraint| constraint.mentions(axis)) {
                let form = constraint.form();
                let coefficient = form.coefficient(axis);
                let own = self.fits(Form::var(axis).scale(coefficient, 1), span)?;
                let bound = self.fits(form.sub(&own).and_then(|rest| rest.scale(-1, coefficient)), span)?;
                if bound.vars().any(|var| usize::from(var) < width) {
                    continue;
                }
                match constraint {
                    Constraint::Eq(_) => is_given = true,
                    Constraint::Ge(_) if coefficient == 1 => bounds[0].push(bound),
                    Constraint::Ge(_) if coefficient == -1 => bounds[1].push(bound),
                    _ => {}
                }
            }
            if is_given {
                continue;
            }
            for low in &bounds[0] {
                for high in &bounds[1] {
                    let apart = self.fits(high.sub(low), span)?;
                    let Some(steps) = apart.as_int().filter(|steps| (0..STEPS).contains(steps)) else { continue };
                    let mut regions = Vec::with_capacity(steps as usize + 1);
                    for step in 0..=steps {
                        let value = self.fits(low.plus(step), span)?;
                        let here = self.fits(Constraint::equal(&Form::var(axis), &value), span)?;
                        regions.push(region.with(here));
                    }
                    return Ok(Some(regions));
                }
            }
        }
        Ok(None)
    }
}

/// A set of cells as a value.
fn cells_value(union: Union, of: Option<&Arc<SymbolicPuzzle>>) -> Value {
    Value::Set(Arc::new(Set::Cells { union, plain: of.is_none_or(|of| of.plain) }))
}
