//! Sets: of cells as unions of regions, of other data one by one.

use std::sync::Arc;

use super::operate::is_data;
use super::scope::elsewhere;
use super::{Follow, Leaf, Machine, Set, Stop, Value};
use crate::prove::{Constraint, Form, Poly, Region, Union, Var};
use crate::resolve::program::*;
use crate::source::Span;

/// Coordinates of a cell, at most.
const MAX_WIDTH: usize = 8;

/// Sets of other data with more elements are not followed.
const MAX_FINITE: usize = 64;

impl Machine<'_> {
    /// The coordinates of a value that is an integer or a tuple of integers, and whether it is an integer.
    pub fn point(&mut self, value: &Value, span: Span) -> Follow<Option<(Vec<Form>, bool)>> {
        let (parts, plain) = match value {
            Value::Number(poly) => (vec![poly.clone()], true),
            value if value.is_sequence() => {
                let length = self.len_of(value, span)?;
                let length = self.with_known(&length, span)?;
                let Some(length) = length.as_int() else {
                    return Err(Stop::beyond(
                        span,
                        "a sequence whose length is not fixed as an element of a set",
                        "give it a fixed length",
                    ));
                };
                if length == 0 || length as usize > MAX_WIDTH {
                    return Ok(None);
                }
                let mut parts = Vec::with_capacity(length as usize);
                for part in self.elements(value, span)? {
                    let Value::Number(poly) = part else { return Ok(None) };
                    parts.push(poly);
                }
                (parts, false)
            }
            Value::Other(kind) => return Err(elsewhere(kind, span)),
            _ => return Ok(None),
        };
        let mut point = Vec::with_capacity(parts.len());
        for part in &parts {
            if !self.is_integer(part, span)? {
                return Ok(None);
            }
            let part = if part.form().is_some() { part.clone() } else { self.with_known(part, span)? };
            point.push(self.linear(&part, span)?);
        }
        Ok(Some((point, plain)))
    }

    /// The set of some values, in any order, perhaps repeated.
    pub fn set_of(&mut self, values: Vec<Value>, span: Span) -> Follow<Value> {
        if let Some(odd) = values.iter().find(|value| !is_data(value)) {
            return match odd {
                Value::Other(kind) => Err(elsewhere(kind, span)),
                odd => Err(Stop::wrong(span, format!("{} cannot be an element of a set", odd.kind()))),
            };
        }
        let mut points: Vec<Vec<Form>> = Vec::with_capacity(values.len());
        let mut shape: Option<(usize, bool)> = None;
        for value in &values {
            match self.point(value, span)? {
                Some((point, plain)) if *shape.get_or_insert((point.len(), plain)) == (point.len(), plain) => {
                    points.push(point);
                }
                _ => return self.finite_set(values, span),
            }
        }
        let Some((width, plain)) = shape else { return Ok(Value::Set(Arc::new(Set::Finite(Vec::new())))) };
        let union = self.fits(Union::points(width, &points), span)?;
        Ok(Value::Set(Arc::new(Set::Cells { union, plain })))
    }

    /// A set of data that are not all cells of one form: each once.
    fn finite_set(&mut self, values: Vec<Value>, span: Span) -> Follow<Value> {
        if values.len() > MAX_FINITE {
            return Err(Stop::beyond(span, "a large set of things that are no cells", "use sets of cells"));
        }
        let mut each: Vec<Value> = Vec::with_capacity(values.len());
        'values: for value in values {
            for other in &each {
                if self.same_data(&value, other, span)? {
                    continue 'values;
                }
            }
            each.push(value);
        }
        Ok(Value::Set(Arc::new(Set::Finite(each))))
    }

    /// A set after something was taken out: cells of one form are a union again.
    fn renewed(&mut self, values: Vec<Value>, span: Span) -> Follow<Value> {
        self.set_of(values, span)
    }

    /// `{a, b}`, `{e for …}`
    pub(super) fn set_literal(&mut self, items: &[Item], span: Span) -> Follow<Value> {
        let mut parts: Vec<Value> = Vec::new();
        let mut elements: Vec<Value> = Vec::new();
        for item in items {
            if item.label.is_some() || item.arrow.is_some() {
                return Err(Stop::wrong(item.span, "this has no meaning in a set"));
            }
            match &item.clauses {
                Some(clauses) => {
                    let leaves = self.clauses(clauses, &mut |machine| machine.eval(&item.value))?;
                    parts.push(self.set_of_leaves(leaves, item.span)?);
                }
                None => match self.eval(&item.value)? {
                    // a range in braces stands for its members
                    range @ Value::Range(..) => parts.push(self.set_of_elements(&range, item.span)?),
                    value => elements.push(value),
                },
            }
        }
        let mut set = self.set_of(elements, span)?;
        for part in parts {
            set = self.united(&set, &part, span)?;
        }
        Ok(set)
    }

    fn united(&mut self, a: &Value, b: &Value, span: Span) -> Follow<Value> {
        match (a, b) {
            (Value::Set(a), Value::Set(b)) => self.set_union(a, b, span),
            _ => Err(Stop::wrong(span, "two sets are needed here")),
        }
    }

    /// The set of the values of nested scopes.
    pub(super) fn set_of_leaves(&mut self, leaves: Vec<Leaf<Value>>, span: Span) -> Follow<Value> {
        let mut single: Vec<Value> = Vec::new();
        let mut cells: Option<(Union, bool)> = None;
        for Leaf { vars, scope, value } in leaves {
            if vars.is_empty() {
                match value {
                    // inside a comprehension a range in braces stands for its members too
                    Value::Range(..) => {
                        return Err(Stop::beyond(
                            span,
                            "a range as an element of a set",
                            "write its members with `for`",
                        ));
                    }
                    value => single.push(value),
                }
                continue;
            }
            if let Value::Range(..) | Value::Set(_) | Value::Text(_) | Value::Bool(_) = value {
                return Err(Stop::beyond(
                    span,
                    format!("a set of many elements each of which is {}", value.kind()),
                    "make a set of cells or integers",
                ));
            }
            if !is_data(&value) {
                // an error, if there is such an element
                return match self.is_inhabited(&vars, &scope, span)? {
                    true => Err(Stop::wrong(span, format!("{} cannot be an element of a set", value.kind()))),
                    false => continue,
                };
            }
            // integrality may depend on the scope
            let base = self.known.constraints.len();
            self.known.constraints.extend(scope.constraints.iter().cloned());
            let point = self.point(&value, span);
            self.known.constraints.truncate(base);
            let point = match point {
                Ok(point) => point,
                Err(Stop::Split(constraint)) if constraint.vars().any(|var| vars.contains(&var)) => {
                    return Err(Stop::beyond(
                        span,
                        "a set some of whose elements are fractions",
                        "make a set of cells or integers",
                    ));
                }
                Err(other) => return Err(other),
            };
            let Some((point, plain)) = point else {
                return Err(Stop::beyond(
                    span,
                    "a set of many elements that are neither integers nor tuples of integers",
                    "make a set of cells or integers",
                ));
            };
            let image = self.done(Union::of_image(&self.known, &scope, &vars, &point), span)?;
            cells = Some(match cells {
                None => (image, plain),
                Some((union, was_plain)) if was_plain == plain && union.width == image.width => {
                    (union.union(&image), plain)
                }
                Some(_) => {
                    return Err(Stop::beyond(
                        span,
                        "a set with elements of different forms",
                        "make a set of cells of one form",
                    ));
                }
            });
        }
        let set = self.set_of(single, span)?;
        match cells {
            None => Ok(set),
            Some((union, plain)) => {
                let union = union.tidy(&self.known);
                self.united(&Value::Set(Arc::new(Set::Cells { union, plain })), &set, span)
            }
        }
    }

    /// The set of the elements of a sequence or set.
    pub(super) fn set_of_elements(&mut self, value: &Value, span: Span) -> Follow<Value> {
        match value {
            Value::Set(_) => Ok(value.clone()),
            Value::Cells(of) => Ok(Value::Set(Arc::new(Set::Cells { union: of.cells.clone(), plain: of.plain }))),
            Value::Range(from, to) => {
                let (low, high) = (self.linear(from, span)?, self.linear(to, span)?);
                let here = Form::var(0);
                let bounds = [Constraint::less_eq(&low, &here), Constraint::less_eq(&here, &high)];
                let mut constraints = Vec::with_capacity(2);
                for bound in bounds {
                    constraints.push(self.fits(bound, span)?);
                }
                let union = Union::of(1, vec![Region::of(constraints)]);
                Ok(Value::Set(Arc::new(Set::Cells { union, plain: true })))
            }
            Value::Tuple(values) => self.set_of(values.to_vec(), span),
            Value::Sequence(sequence) => {
                let mut leaves = Vec::with_capacity(sequence.segments.len());
                for segment in &sequence.segments {
                    leaves.push(match &segment.var {
                        None => Leaf { vars: Vec::new(), scope: Region::all(), value: segment.value.clone() },
                        Some((var, from, to)) => {
                            let scope = self.between(*var, from, to, span)?;
                            Leaf { vars: vec![*var], scope, value: segment.value.clone() }
                        }
                    });
                }
                self.set_of_leaves(leaves, span)
            }
            Value::Text(text) => {
                let letters = text.chars().map(|c| Value::Text(c.to_string().into())).collect();
                self.set_of(letters, span)
            }
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no elements", other.kind()))),
        }
    }

    /// The region in which a variable lies between two numbers.
    pub(super) fn between(&mut self, var: Var, from: &Poly, to: &Poly, span: Span) -> Follow<Region> {
        let (low, high) = (self.linear(from, span)?, self.linear(to, span)?);
        let here = Form::var(var);
        let low = self.fits(Constraint::less_eq(&low, &here), span)?;
        let high = self.fits(Constraint::less_eq(&here, &high), span)?;
        Ok(Region::of(vec![low, high]))
    }

    /// The set of all tuples with one coordinate from each value: from its elements, if it is gone through, else itself.
    pub(super) fn box_of(
        &mut self,
        values: &[Value],
        span: Span,
        gone_through: &dyn Fn(&Value) -> bool,
    ) -> Follow<Value> {
        if values.len() > MAX_WIDTH {
            return Err(Stop::beyond(span, format!("cells with more than {MAX_WIDTH} coordinates"), "use fewer"));
        }
        let strange = |kind: &str| {
            Stop::beyond(span, format!("a box of cells with {kind} as a coordinate"), "use ranges and integers")
        };
        let mut regions = vec![Region::all()];
        for (at, value) in values.iter().enumerate() {
            let var = at as Var;
            let mut choices: Vec<Region> = Vec::new();
            match value {
                value if !gone_through(value) => choices.push(self.coordinate(var, value, span)?),
                Value::Range(from, to) => choices.push(self.between(var, from, to, span)?),
                Value::Tuple(parts) => {
                    for part in parts.iter() {
                        choices.push(self.coordinate(var, part, span)?);
                    }
                }
                Value::Set(set) => match &**set {
                    Set::Cells { union, plain: true } => {
                        for region in &union.regions {
                            let renamed = region.substitute(&|known| (known == 0).then(|| Form::var(var)));
                            choices.push(self.fits(renamed, span)?);
                        }
                    }
                    Set::Finite(parts) if parts.is_empty() => {}
                    _ => return Err(strange("a set")),
                },
                other if other.is_sequence() => return Err(strange("a sequence whose length is not fixed")),
                Value::Number(_) | Value::Bool(_) => {
                    return Err(Stop::wrong(span, format!("{} has no elements", value.kind())));
                }
                other => return Err(strange(other.kind())),
            }
            let mut longer = Vec::with_capacity(regions.len() * choices.len());
            for region in &regions {
                longer.extend(choices.iter().map(|choice| region.and(choice)));
            }
            regions = longer;
        }
        let union = Union::of(values.len(), regions);
        Ok(Value::Set(Arc::new(Set::Cells { union, plain: false })))
    }

    /// The region in which a coordinate is a number.
    fn coordinate(&mut self, var: Var, value: &Value, span: Span) -> Follow<Region> {
        let Value::Number(poly) = value else {
            return Err(Stop::beyond(
                span,
                format!("a box of cells with {} as a coordinate", value.kind()),
                "use ranges and integers",
            ));
        };
        if !self.is_integer(poly, span)? {
            return Err(Stop::beyond(span, "a box of cells with fractions", "use ranges and integers"));
        }
        let form = self.linear(poly, span)?;
        Ok(Region::of(vec![self.fits(Constraint::equal(&Form::var(var), &form), span)?]))
    }

    pub(super) fn set_contains(&mut self, set: &Set, one: &Value, span: Span) -> Follow<bool> {
        match set {
            Set::Cells { union, plain } => match self.point(one, span)? {
                Some((point, is_plain)) if is_plain == *plain && point.len() == union.width => {
                    self.done(union.contains(&self.known, &point), span)
                }
                _ => Ok(false),
            },
            Set::Finite(values) => {
                for value in values {
                    if self.same_data(value, one, span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Has a set elements?
    pub(super) fn has_elements(&mut self, set: &Set, span: Span) -> Follow<bool> {
        match set {
            Set::Cells { union, .. } => self.done(union.is_inhabited(&self.known), span),
            Set::Finite(values) => Ok(!values.is_empty()),
        }
    }

    pub(super) fn set_union(&mut self, a: &Arc<Set>, b: &Arc<Set>, span: Span) -> Follow<Value> {
        match (&**a, &**b) {
            (Set::Cells { union: x, plain: p }, Set::Cells { union: y, plain: q }) if p == q && x.width == y.width => {
                Ok(Value::Set(Arc::new(Set::Cells { union: x.union(y), plain: *p })))
            }
            (Set::Finite(x), Set::Finite(y)) => self.renewed(x.iter().chain(y).cloned().collect(), span),
            (_, Set::Finite(y)) if y.is_empty() => Ok(Value::Set(a.clone())),
            (Set::Finite(x), _) if x.is_empty() => Ok(Value::Set(b.clone())),
            _ => {
                if !self.has_elements(b, span)? {
                    return Ok(Value::Set(a.clone()));
                }
                if !self.has_elements(a, span)? {
                    return Ok(Value::Set(b.clone()));
                }
                Err(Stop::beyond(span, "a set with elements of different forms", "use sets of cells of one form"))
            }
        }
    }

    pub(super) fn set_intersection(&mut self, a: &Arc<Set>, b: &Arc<Set>, span: Span) -> Follow<Value> {
        match (&**a, &**b) {
            (Set::Cells { union: x, plain: p }, Set::Cells { union: y, plain: q }) => {
                if p != q || x.width != y.width {
                    return Ok(Value::Set(Arc::new(Set::Finite(Vec::new()))));
                }
                Ok(Value::Set(Arc::new(Set::Cells { union: x.intersection(&self.known, y), plain: *p })))
            }
            (Set::Finite(some), other) | (other, Set::Finite(some)) => {
                let mut both = Vec::new();
                for value in some {
                    if self.set_contains(other, value, span)? {
                        both.push(value.clone());
                    }
                }
                self.renewed(both, span)
            }
        }
    }

    pub(super) fn set_difference(&mut self, a: &Arc<Set>, b: &Arc<Set>, span: Span) -> Follow<Value> {
        match (&**a, &**b) {
            (Set::Cells { union: x, plain: p }, Set::Cells { union: y, plain: q }) => {
                if p != q || x.width != y.width {
                    return Ok(Value::Set(a.clone()));
                }
                let union = self.done(x.difference(&self.known, y), span)?;
                Ok(Value::Set(Arc::new(Set::Cells { union, plain: *p })))
            }
            (Set::Cells { union, plain }, Set::Finite(values)) => {
                let mut points = Vec::new();
                for value in values {
                    if let Some((point, is_plain)) = self.point(value, span)?
                        && is_plain == *plain
                        && point.len() == union.width
                    {
                        points.push(point);
                    }
                }
                let points = self.fits(Union::points(union.width, &points), span)?;
                let union = self.done(union.difference(&self.known, &points), span)?;
                Ok(Value::Set(Arc::new(Set::Cells { union, plain: *plain })))
            }
            (Set::Finite(some), other) => {
                let mut left = Vec::new();
                for value in some {
                    if !self.set_contains(other, value, span)? {
                        left.push(value.clone());
                    }
                }
                self.renewed(left, span)
            }
        }
    }

    pub(super) fn is_subset(&mut self, a: &Set, b: &Set, span: Span) -> Follow<bool> {
        match (a, b) {
            (Set::Cells { union: x, plain: p }, Set::Cells { union: y, plain: q }) if p == q && x.width == y.width => {
                self.done(x.is_subset(&self.known, y), span)
            }
            (Set::Cells { .. }, Set::Cells { .. }) => Ok(!self.has_elements(a, span)?),
            (Set::Finite(some), other) => {
                for value in some {
                    if !self.set_contains(other, value, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Set::Cells { .. }, Set::Finite(_)) => {
                let rest = self.set_difference(&Arc::new(a.clone()), &Arc::new(b.clone()), span)?;
                match &rest {
                    Value::Set(rest) => Ok(!self.has_elements(rest, span)?),
                    _ => Ok(false),
                }
            }
        }
    }

    pub(super) fn sets_equal(&mut self, a: &Set, b: &Set, span: Span) -> Follow<bool> {
        Ok(self.is_subset(a, b, span)? && self.is_subset(b, a, span)?)
    }

    /// How many elements a set has.
    pub(super) fn size_of_set(&mut self, set: &Set, span: Span) -> Follow<Poly> {
        match set {
            Set::Cells { union, .. } => self.done(union.count(&self.known), span),
            Set::Finite(values) => Ok(Poly::int(values.len() as i64)),
        }
    }
}
