//! Functions of sequences and sets.

use std::cmp::Ordering;

use crate::prove::{Constraint, Form, Poly, Region, Union, Var};
use crate::resolve::program::*;
use crate::source::Span;
use crate::symbolic::access::Call;
use crate::symbolic::operate::is_data;
use crate::symbolic::scope::Alternative;
use crate::symbolic::sequence::joined;
use crate::symbolic::{Ending, Follow, Leaf, Machine, Segment, Set, Stop, Value};

/// Sums of powers up to this one have closed forms here.
const LARGEST_POWER: usize = 4;

impl Machine<'_> {
    pub(super) fn call_sequences(&mut self, name: &str, id: u32, call: &Call, span: Span) -> Follow<Value> {
        let place = call.span_of(0);
        let first = call.args.first().cloned().unwrap_or(Value::Nothing);
        if matches!(name, "min" | "max") {
            let wanted = if name == "min" { Ordering::Less } else { Ordering::Greater };
            return self.extreme(call, wanted, span);
        }
        if name == "zip" {
            return self.zip(call, span);
        }
        if !first.is_sequence() && !matches!(first, Value::Set(_) | Value::Text(_)) {
            return Err(Stop::wrong(place, format!("a sequence or set is needed here, not {}", first.kind())));
        }
        match name {
            "len" => Ok(Value::Number(self.len_of(&first, place)?)),
            "all" => Ok(Value::Bool(self.all_elements(&first, true, place)?)),
            "any" => Ok(Value::Bool(self.all_elements(&first, false, place)?)),
            "count" => Ok(Value::Number(self.count_elements(&first, place)?)),
            "sum" => self.sum_elements(&first, place),
            "product" => self.product_elements(&first, place),
            "set" => self.set_of_elements(&first, place),
            "reversed" => match &first {
                Value::Text(_) => {
                    let mut letters = self.elements(&first, place)?;
                    letters.reverse();
                    Ok(Value::tuple(letters))
                }
                _ => {
                    let ordered = self.in_order(&first, place)?;
                    self.reversed(&ordered, place)
                }
            },
            "enumerate" => {
                let ordered = self.in_order(&first, place)?;
                self.enumerated(&ordered, place)
            }
            "tuple" => {
                if let Value::Cells(_) = first {
                    return Ok(first);
                }
                let ordered = self.in_order(&first, place)?;
                Ok(joined(self.segments(&ordered, place)?))
            }
            "index" => {
                let one = call.args.get(1).cloned().unwrap_or(Value::Nothing);
                self.index(&first, &one, span)
            }
            "sorted" => self.sorted(&first, call, span),
            _ => Err(self.beyond_builtin(id, span)),
        }
    }

    /// A sequence as it is, the elements of a set in their order.
    fn in_order(&mut self, value: &Value, span: Span) -> Follow<Value> {
        match value {
            Value::Text(_) => Ok(Value::tuple(self.elements(value, span)?)),
            Value::Set(set) => match &**set {
                Set::Finite(values) if values.len() < 2 => Ok(Value::tuple(values.clone())),
                _ => Err(Stop::beyond(span, "the elements of a set in their order", "use a tuple")),
            },
            Value::Cells(_) => Err(Stop::beyond(span, "all cells in their order", "use the set of cells")),
            other => Ok(other.clone()),
        }
    }

    /// The elements, in any order, of something of fixed length.
    fn in_any_order(&mut self, value: &Value, span: Span) -> Follow<Vec<Value>> {
        match value {
            Value::Set(set) => match &**set {
                Set::Finite(values) => Ok(values.clone()),
                Set::Cells { union, plain } => {
                    let mut points = Vec::new();
                    for alternative in self.each_cell(union, *plain, span)? {
                        match alternative {
                            Alternative::One(value) => points.push(value),
                            Alternative::Each { .. } => {
                                return Err(Stop::beyond(
                                    span,
                                    "a set of many cells, element by element",
                                    "go through it with `for`, `all` or `any`",
                                ));
                            }
                        }
                    }
                    Ok(points)
                }
            },
            other => self.elements(other, span),
        }
    }

    /// `all(condition for …)`, `any(condition for …)`: goes on while the condition is what is wanted.
    pub(super) fn all_of(
        &mut self,
        wanted: bool,
        condition: &Ex,
        clauses: &Clauses,
        depth: usize,
        span: Span,
    ) -> Follow<bool> {
        let test = |machine: &mut Self| -> Follow<bool> {
            match machine.eval(condition)? {
                Value::Bool(value) => Ok(value),
                other => Err(Stop::wrong(span, format!("{} is neither true nor false", other.kind()))),
            }
        };
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition
                && !self.truth(condition)?
            {
                return Ok(wanted);
            }
            return test(self);
        };
        let source = self.eval(range)?;
        let is_set = matches!(source, Value::Set(_) | Value::Cells(_));
        let alternatives = self.alternatives(&source, pattern, range.span)?;
        if !is_set || alternatives.len() < 2 {
            // in order, up to the first that decides
            for alternative in alternatives {
                self.step(range.span)?;
                let answer = match alternative {
                    Alternative::One(value) => {
                        self.bind(pattern, value)?;
                        self.all_of(wanted, condition, clauses, depth + 1, span)?
                    }
                    Alternative::Each { vars, region, value } => {
                        let endings =
                            self.walk_alternative(vars, region, value, pattern, clauses, depth, &mut |m| test(m))?;
                        self.quantified(endings, wanted, span)?
                    }
                };
                if answer != wanted {
                    return Ok(answer);
                }
            }
            return Ok(wanted);
        }
        let mut endings: Vec<Ending<bool>> = Vec::new();
        for alternative in alternatives {
            let (vars, region, value) = match alternative {
                Alternative::One(value) => (Vec::new(), Region::all(), value),
                Alternative::Each { vars, region, value } => (vars, region, value),
            };
            endings.extend(self.walk_alternative(vars, region, value, pattern, clauses, depth, &mut |m| test(m))?);
        }
        self.quantified(endings, wanted, span)
    }

    /// `all(xs)`, `any(xs)`
    fn all_elements(&mut self, value: &Value, wanted: bool, span: Span) -> Follow<bool> {
        let truth = |value: &Value| match value {
            Value::Bool(value) => Ok(*value),
            other => Err(Stop::wrong(span, format!("{} is neither true nor false", other.kind()))),
        };
        if let Value::Sequence(sequence) = value {
            // is there one that is not as wanted?
            let found = self.some_element(sequence, span, &mut |_, value| Ok(truth(&value)? != wanted))?;
            return Ok(found != wanted);
        }
        for value in &self.in_any_order(value, span)? {
            if truth(value)? != wanted {
                return Ok(!wanted);
            }
        }
        Ok(wanted)
    }

    /// How many points a case has.
    fn points_of(&mut self, vars: &[Var], scope: &Region, span: Span) -> Follow<Poly> {
        if vars.is_empty() {
            return Ok(Poly::int(1));
        }
        if let [var] = vars {
            return self.integers_in(*var, scope, span);
        }
        if vars.len() > 8 {
            return Err(Stop::beyond(span, "a count in so many names", "count with fewer"));
        }
        let place = |var: Var| vars.iter().position(|own| *own == var).map(|at| Form::var(at as Var));
        let region = self.fits(scope.substitute(&place), span)?;
        self.done(Union::of(vars.len(), vec![region]).count(&self.known), span)
    }

    /// How many integers a variable can be in a region: between two forms, perhaps with remainders.
    fn integers_in(&mut self, var: Var, region: &Region, span: Span) -> Follow<Poly> {
        let (rests, others): (Vec<Constraint>, Vec<Constraint>) =
            region.constraints.iter().cloned().partition(|one| matches!(one, Constraint::Mod(..)) && one.mentions(var));
        let Some((low, high)) = self.interval(var, &Region::of(others), span)? else { return Ok(Poly::zero()) };
        let (low, high) = (low.poly(), high.poly());
        let (modulus, rest) = match rests.as_slice() {
            [] => {
                let width = self.difference_of(&high, &low, span)?;
                return self.sum_of(&width, &Poly::int(1), span);
            }
            // var + rest is a multiple of m
            [Constraint::Mod(form, m)] if form.coefficient(var) == 1 => {
                (*m, self.fits(form.sub(&Form::var(var)), span)?.poly())
            }
            _ => return Err(Stop::beyond(span, "a count with several remainders", "count with one `mod`")),
        };
        // the multiples of m from low + rest to high + rest
        let last = self.sum_of(&high, &rest, span)?;
        let before = self.sum_of(&low, &rest, span)?;
        let before = self.difference_of(&before, &Poly::int(1), span)?;
        let divisor = Poly::int(modulus);
        let (up_to_last, _) = self.divided(&last, &divisor, span, span)?;
        let (up_to_start, _) = self.divided(&before, &divisor, span, span)?;
        self.difference_of(&up_to_last, &up_to_start, span)
    }

    /// `count(e for …)`
    pub(super) fn count_of(&mut self, element: &Ex, clauses: &Clauses, span: Span) -> Follow<Poly> {
        let leaves = self.clauses(clauses, &mut |machine| machine.eval(element))?;
        let truths = leaves.iter().filter(|leaf| matches!(leaf.value, Value::Bool(_))).count();
        if truths != 0 && truths != leaves.len() {
            return Err(Stop::beyond(span, "a count of conditions and other things", "count conditions alone"));
        }
        let mut sum = Poly::zero();
        for leaf in leaves {
            if !matches!(leaf.value, Value::Bool(false)) {
                let points = self.points_of(&leaf.vars, &leaf.scope, span)?;
                sum = self.sum_of(&sum, &points, span)?;
            }
        }
        Ok(sum)
    }

    /// `len(e for …)`
    pub(super) fn size_of(&mut self, element: &Ex, clauses: &Clauses, span: Span) -> Follow<Poly> {
        let leaves = self.clauses(clauses, &mut |machine| machine.eval(element).map(|_| ()))?;
        let mut sum = Poly::zero();
        for leaf in leaves {
            let points = self.points_of(&leaf.vars, &leaf.scope, span)?;
            sum = self.sum_of(&sum, &points, span)?;
        }
        Ok(sum)
    }

    /// `count(xs)`
    fn count_elements(&mut self, value: &Value, span: Span) -> Follow<Poly> {
        let segments = match value {
            Value::Tuple(_) | Value::Sequence(_) => self.segments(value, span)?,
            // no truth values
            Value::Range(..) | Value::Cells(_) | Value::Text(_) => return self.len_of(value, span),
            Value::Set(set) => match &**set {
                Set::Finite(values) => values.iter().map(|value| Segment { var: None, value: value.clone() }).collect(),
                Set::Cells { .. } => return self.len_of(value, span),
            },
            _ => return Err(Stop::wrong(span, "a sequence is needed here")),
        };
        let truths = segments.iter().filter(|segment| matches!(segment.value, Value::Bool(_))).count();
        if truths != 0 && truths != segments.len() {
            return match value {
                Value::Sequence(_) => {
                    Err(Stop::beyond(span, "a count of conditions and other things", "count conditions alone"))
                }
                _ => Ok(Poly::int(segments.len() as i64)),
            };
        }
        let counted: Vec<Segment> =
            segments.into_iter().filter(|segment| !matches!(segment.value, Value::Bool(false))).collect();
        self.len_of(&joined(counted), span)
    }

    /// The least or greatest of some elements, the first of several.
    fn extreme(&mut self, call: &Call, wanted: Ordering, span: Span) -> Follow<Value> {
        let elements = match call.args.as_slice() {
            [Value::Number(only)] if call.by.is_none() => return Ok(Value::Number(only.clone())),
            [Value::Range(from, to)] if call.by.is_none() => {
                let width = self.difference_of(to, from, span)?;
                return match self.at_least_zero(&width, span)? {
                    true => Ok(Value::Number(if wanted == Ordering::Less { from.clone() } else { to.clone() })),
                    false => Err(Stop::wrong(span, "there is no element to choose from")),
                };
            }
            [only] if !matches!(only, Value::Number(_)) => {
                if call.by.is_some() && matches!(only, Value::Set(_)) {
                    return Err(Stop::beyond(span, "the first of several elements of a set", "use a tuple"));
                }
                self.in_any_order(only, call.span_of(0))?
            }
            all => all.to_vec(),
        };
        let mut best: Option<(Value, Value)> = None;
        for element in elements {
            let key = match &call.by {
                Some(function) => self.apply(function, vec![element.clone()], span)?,
                None => element.clone(),
            };
            if !is_data(&key) {
                return Err(Stop::wrong(span, format!("{} has no order", key.kind())));
            }
            let better = match &best {
                None => true,
                Some((least, _)) => self.order_of(&key, &least.clone(), span)? == wanted,
            };
            if better {
                best = Some((key, element));
            }
        }
        best.map(|(_, element)| element).ok_or_else(|| Stop::wrong(span, "there is no element to choose from"))
    }

    fn sorted(&mut self, value: &Value, call: &Call, span: Span) -> Follow<Value> {
        if call.by.is_some() && matches!(value, Value::Set(_)) {
            return Err(Stop::beyond(span, "the elements of a set in their order", "use a tuple"));
        }
        let mut sorted: Vec<(Value, Value)> = Vec::new();
        for element in self.in_any_order(value, span)? {
            let key = match &call.by {
                Some(function) => self.apply(function, vec![element.clone()], span)?,
                None => element.clone(),
            };
            if !is_data(&key) {
                return Err(Stop::wrong(span, format!("{} has no order", key.kind())));
            }
            // behind all that are not greater
            let mut place = sorted.len();
            while place > 0 && self.order_of(&key, &sorted[place - 1].0.clone(), span)? == Ordering::Less {
                place -= 1;
            }
            sorted.insert(place, (key, element));
        }
        Ok(Value::tuple(sorted.into_iter().map(|(_, element)| element).collect()))
    }

    fn zip(&mut self, call: &Call, span: Span) -> Follow<Value> {
        for (at, value) in call.args.iter().enumerate() {
            if !value.is_sequence() && !matches!(value, Value::Set(_) | Value::Text(_)) {
                return Err(Stop::wrong(call.span_of(at), format!("a sequence is needed here, not {}", value.kind())));
            }
        }
        if let [a, b] = call.args.as_slice() {
            let (a, b) = (self.in_order(a, call.span_of(0))?, self.in_order(b, call.span_of(1))?);
            return self.zipped(&a, &b, span);
        }
        let mut lists = Vec::with_capacity(call.args.len());
        for (at, list) in call.args.iter().enumerate() {
            let list = self.in_order(list, call.span_of(at))?;
            lists.push(self.elements(&list, call.span_of(at))?);
        }
        let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
        let tuples = (0..shortest).map(|at| Value::tuple(lists.iter().map(|list| list[at].clone()).collect()));
        Ok(Value::tuple(tuples.collect()))
    }

    /// The place of the first element equal to another.
    fn index(&mut self, value: &Value, one: &Value, span: Span) -> Follow<Value> {
        let not_found = || Stop::wrong(span, "this is not among the elements");
        if let (Value::Range(from, to), Value::Number(one)) = (value, one) {
            let (above, below) = (self.difference_of(one, from, span)?, self.difference_of(to, one, span)?);
            let inside =
                self.is_integer(one, span)? && self.at_least_zero(&above, span)? && self.at_least_zero(&below, span)?;
            return match inside {
                true => Ok(Value::Number(self.sum_of(&above, &Poly::int(1), span)?)),
                false => Err(not_found()),
            };
        }
        let ordered = self.in_order(value, span)?;
        for (at, element) in self.elements(&ordered, span)?.iter().enumerate() {
            if self.equal(element, one, span)? {
                return Ok(Value::int(at as i64 + 1));
            }
        }
        Err(not_found())
    }

    fn product_elements(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let ordered = self.in_order(value, span)?;
        if let Value::Sequence(_) | Value::Range(..) = ordered {
            let segments = self.segments(&ordered, span)?;
            let open = segments.iter().any(|segment| segment.var.is_some());
            if open && segments.iter().all(|segment| segment.value.is_wordlike()) {
                return self.product_of_segments(&segments, span);
            }
            let length = self.len_of(&ordered, span)?;
            if self.with_known(&length, span)?.as_int().is_none() {
                return Err(Stop::beyond(
                    span,
                    "a product whose length depends on the parameters",
                    "a power has any exponent: `w^n`; or give a range: `for n in 5..24`",
                ));
            }
        }
        let elements = self.elements(&ordered, span)?;
        if elements.len() > 1 && elements.iter().all(|value| matches!(value, Value::Word(_))) {
            return self.product(elements.into_iter().map(|value| (value, span)).collect(), span);
        }
        self.folded(BinaryOp::Times, elements, span)
    }

    fn folded(&mut self, op: BinaryOp, elements: Vec<Value>, span: Span) -> Follow<Value> {
        let mut elements = elements.into_iter();
        let Some(mut result) = elements.next() else { return Ok(Value::int(i64::from(op == BinaryOp::Times))) };
        for element in elements {
            self.step(span)?;
            result = self.combine(op, &result, &element, span, span, span)?;
        }
        Ok(result)
    }

    /// `sum(xs)`
    fn sum_elements(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let segments = match value {
            Value::Sequence(_) | Value::Range(..) => self.segments(value, span)?,
            other => {
                let elements = self.in_any_order(other, span)?;
                return self.folded(BinaryOp::Add, elements, span);
            }
        };
        let mut sum = Poly::zero();
        for segment in segments {
            let Value::Number(poly) = &segment.value else {
                return Err(Stop::beyond(span, "a sum of many things that are no numbers", "add numbers"));
            };
            let part = match &segment.var {
                None => poly.clone(),
                Some((var, from, to)) => self.sum_between(poly, *var, from, to, span)?,
            };
            sum = self.sum_of(&sum, &part, span)?;
        }
        Ok(Value::Number(sum))
    }

    /// `sum(e for …)`
    pub(super) fn sum_over_clauses(&mut self, element: &Ex, clauses: &Clauses, span: Span) -> Follow<Value> {
        let leaves = self.clauses(clauses, &mut |machine| machine.eval(element))?;
        if leaves.iter().all(|leaf| leaf.vars.is_empty()) {
            let values = leaves.into_iter().map(|leaf| leaf.value).collect();
            return self.folded(BinaryOp::Add, values, span);
        }
        let mut sum = Poly::zero();
        for Leaf { vars, scope, value } in leaves {
            let Value::Number(mut poly) = value else {
                return Err(Stop::beyond(span, "a sum of many things that are no numbers", "add numbers"));
            };
            // the innermost name first
            let mut scope = scope;
            for var in vars.iter().rev() {
                let (own, others): (Vec<_>, Vec<_>) =
                    scope.constraints.iter().cloned().partition(|constraint| constraint.mentions(*var));
                let rest = Region::of(others);
                // where the others have no point there is nothing to add, whatever this gives
                let base = self.known.constraints.len();
                self.known.constraints.extend(rest.constraints.iter().cloned());
                let bounds = self.interval(*var, &Region::of(own), span);
                self.known.constraints.truncate(base);
                let bounds = match bounds {
                    Err(Stop::Split(constraint)) if constraint.vars().any(|var| vars.contains(&var)) => {
                        return Err(Stop::beyond(span, "a sum with such bounds", "split the sum"));
                    }
                    other => other?,
                };
                match bounds {
                    Some((from, to)) => poly = self.sum_between(&poly, *var, &from.poly(), &to.poly(), span)?,
                    None => poly = Poly::zero(),
                }
                scope = rest;
            }
            for constraint in &scope.constraints {
                if !self.decide(constraint)? {
                    poly = Poly::zero();
                }
            }
            sum = self.sum_of(&sum, &poly, span)?;
        }
        Ok(Value::Number(sum))
    }

    /// The sum of a polynomial while a variable runs from one number to another, where `from <= to + 1`.
    fn sum_between(&self, poly: &Poly, var: Var, from: &Poly, to: &Poly, span: Span) -> Follow<Poly> {
        let before = self.difference_of(from, &Poly::int(1), span)?;
        let mut sum = Poly::zero();
        for (monomial, coefficient) in poly.terms() {
            let power = monomial.iter().filter(|other| **other == var).count();
            let mut factor = self.fits(Poly::ratio(*coefficient, poly.den()), span)?;
            for other in monomial.iter().filter(|other| **other != var) {
                factor = self.fits(factor.mul(&Poly::var(*other)), span)?;
            }
            let Some(up_to_end) = self.power_sum(power, to, span)? else {
                return Err(Stop::beyond(span, "a sum of such powers", "add powers up to the fourth"));
            };
            let up_to_start = self.power_sum(power, &before, span)?.unwrap_or_else(Poly::zero);
            let part = self.difference_of(&up_to_end, &up_to_start, span)?;
            let part = self.fits(factor.mul(&part), span)?;
            sum = self.sum_of(&sum, &part, span)?;
        }
        Ok(sum)
    }

    /// 1^k + 2^k + … + m^k as a polynomial: its differences are powers everywhere.
    fn power_sum(&self, power: usize, m: &Poly, span: Span) -> Follow<Option<Poly>> {
        // coefficients of m, m^2, … over a common denominator
        let (coefficients, den): (&[i64], i64) = match power {
            0 => (&[1], 1),
            1 => (&[1, 1], 2),
            2 => (&[1, 3, 2], 6),
            3 => (&[0, 1, 2, 1], 4),
            LARGEST_POWER => (&[-1, 0, 10, 15, 6], 30),
            _ => return Ok(None),
        };
        let (mut sum, mut factor) = (Poly::zero(), m.clone());
        for coefficient in coefficients {
            let term = self.fits(factor.scale(*coefficient, den), span)?;
            sum = self.sum_of(&sum, &term, span)?;
            factor = self.fits(factor.mul(m), span)?;
        }
        Ok(Some(sum))
    }
}
