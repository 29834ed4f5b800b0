//! Sequences that a comprehension builds: a segment for each case, in the order of its variable.

use super::{joined, mentions, one};
use crate::prove::{Constraint, Form, Poly, Region, Var};
use crate::resolve::program::*;
use crate::source::Span;
use crate::symbolic::scope::Alternative;
use crate::symbolic::{Follow, Machine, Segment, Set, Stop, Value};

impl Machine<'_> {
    /// `(e for …)`
    pub(in crate::symbolic) fn comprehension(&mut self, value: &Ex, clauses: &Clauses, span: Span) -> Follow<Value> {
        Ok(joined(self.comprehension_from(value, clauses, 0, span)?))
    }

    fn comprehension_from(&mut self, value: &Ex, clauses: &Clauses, depth: usize, span: Span) -> Follow<Vec<Segment>> {
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition
                && !self.truth(condition)?
            {
                return Ok(Vec::new());
            }
            return Ok(vec![one(self.eval(value)?)]);
        };
        let source = self.eval(range)?;
        let unordered = match &source {
            Value::Set(set) => !matches!(&**set, Set::Finite(values) if values.len() < 2),
            Value::Cells(_) => true,
            _ => false,
        };
        if let Value::Range(from, to) = &source
            && (from.form().is_none() || to.form().is_none())
            && let Some(segment) = self.the_same_for_all(from, to, pattern, value, clauses, depth, span)?
        {
            return Ok(segment);
        }
        let mut segments = Vec::new();
        let alternatives = self.alternatives(&source, pattern, range.span)?;
        if unordered && !(alternatives.len() == 1 && matches!(alternatives[0], Alternative::One(_))) {
            return Err(Stop::beyond(
                range.span,
                "a tuple of what a set gives, in its order",
                "make a set of it: `{… for …}`",
            ));
        }
        for alternative in alternatives {
            self.step(span)?;
            match alternative {
                Alternative::One(element) => {
                    self.bind(pattern, element)?;
                    segments.extend(self.comprehension_from(value, clauses, depth + 1, span)?);
                }
                Alternative::Each { vars, region, value: element } => {
                    let cases = self.each_leaf(&vars, region, &mut |machine| {
                        machine.bind(pattern, element.clone())?;
                        machine.comprehension_from(value, clauses, depth + 1, span)
                    })?;
                    let [var] = vars.as_slice() else {
                        return Err(Stop::beyond(span, "a tuple of what cells give", "make a set of it: `{… for …}`"));
                    };
                    segments.extend(self.in_a_row(*var, cases, span)?);
                }
            }
        }
        Ok(segments)
    }

    /// A comprehension whose range has ends that are no linear forms, where the element is the same for all integers.
    #[allow(clippy::too_many_arguments)]
    fn the_same_for_all(
        &mut self,
        from: &Poly,
        to: &Poly,
        pattern: &Pattern,
        value: &Ex,
        clauses: &Clauses,
        depth: usize,
        span: Span,
    ) -> Follow<Option<Vec<Segment>>> {
        let width = self.difference_of(to, from, span)?;
        let length = self.sum_of(&width, &Poly::int(1), span)?;
        if self.with_known(&length, span)?.as_constant().is_some() {
            return Ok(None);
        }
        if !self.at_least_zero(&length, span)? {
            return Ok(Some(Vec::new()));
        }
        let var = self.fresh("k", span)?;
        let element = Value::Number(Poly::var(var));
        // nothing is known of the variable: what holds for it holds for every integer
        let mut cases = self.outcomes(&[var], Region::all(), span, &mut |machine| {
            machine.bind(pattern, element.clone())?;
            machine.comprehension_from(value, clauses, depth + 1, span)
        })?;
        let Some((_, Ok(mut inner))) = cases.pop() else { return Ok(None) };
        match inner.pop() {
            Some(Segment { var: None, value }) if cases.is_empty() && inner.is_empty() && !mentions(&value, var) => {
                Ok(Some(vec![Segment { var: Some((var, from.clone(), to.clone())), value }]))
            }
            _ => Ok(None),
        }
    }

    /// The cases of one variable as segments, in its order.
    fn in_a_row(&mut self, var: Var, cases: Vec<(Region, Vec<Segment>)>, span: Span) -> Follow<Vec<Segment>> {
        let mut row: Vec<(Form, Form, Value)> = Vec::new();
        'cases: for (region, inner) in cases {
            let value = match inner.as_slice() {
                [] => continue,
                [Segment { var: None, value }] => value.clone(),
                _ => {
                    return Err(Stop::beyond(
                        span,
                        "a tuple of a number of elements for each of many values",
                        "make a set of it: `{… for …}`",
                    ));
                }
            };
            let Some((from, to)) = self.interval(var, &region, span)? else { continue 'cases };
            // before the first that begins behind it
            let mut place = row.len();
            for (at, (other, ..)) in row.iter().enumerate() {
                let before = self.fits(Constraint::less(&to, other), span)?;
                if self.decide(&before)? {
                    place = at;
                    break;
                }
            }
            row.insert(place, (from, to, value));
        }
        let segment =
            |(from, to, value): (Form, Form, Value)| Segment { var: Some((var, from.poly(), to.poly())), value };
        Ok(row.into_iter().map(segment).collect())
    }

    /// The least and the greatest value of a variable in a region, if that is all that it says. `None` if it is empty.
    pub(in crate::symbolic) fn interval(
        &mut self,
        var: Var,
        region: &Region,
        span: Span,
    ) -> Follow<Option<(Form, Form)>> {
        let strange = || {
            Stop::beyond(
                span,
                "a tuple of what some values give that do not follow one another",
                "make a set of it: `{… for …}`",
            )
        };
        let (mut low, mut high): (Option<Form>, Option<Form>) = (None, None);
        for constraint in &region.constraints {
            let form = constraint.form();
            let coefficient = form.coefficient(var);
            if coefficient == 0 {
                if !self.decide(constraint)? {
                    return Ok(None);
                }
                continue;
            }
            if coefficient.abs() != 1 || matches!(constraint, Constraint::Mod(..)) {
                return Err(strange());
            }
            // coefficient * var + rest
            let own = self.fits(Form::var(var).scale(coefficient, 1), span)?;
            let rest = self.fits(form.sub(&own), span)?;
            let bound = self.fits(rest.scale(-coefficient, 1), span)?;
            let is_equation = matches!(constraint, Constraint::Eq(_));
            if coefficient > 0 || is_equation {
                low = Some(match low {
                    Some(other) if self.is_less_eq(&bound, &other, span)? => other,
                    _ => bound.clone(),
                });
            }
            if coefficient < 0 || is_equation {
                high = Some(match high {
                    Some(other) if self.is_less_eq(&other, &bound, span)? => other,
                    _ => bound,
                });
            }
        }
        let (Some(low), Some(high)) = (low, high) else { return Err(strange()) };
        Ok(self.is_less_eq(&low, &self.fits(high.plus(1), span)?, span)?.then_some((low, high)))
    }

    fn is_less_eq(&mut self, a: &Form, b: &Form, span: Span) -> Follow<bool> {
        let constraint = self.fits(Constraint::less_eq(a, b), span)?;
        self.decide(&constraint)
    }
}
