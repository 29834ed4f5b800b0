//! Scopes: variables for the elements of something, and nested clauses that go through them.
//!
//! Inside a scope the constraints on its variables are added to what is known. A condition on them that is not decided is
//! split here, so what runs inside is straight; one on outer variables alone is split further outside.

use super::{Follow, Machine, Set, Stop, Value};
use crate::prove::{Constraint, Form, Poly, Region, Union, Var};
use crate::resolve::program::*;
use crate::source::Span;

/// More cases of one scope than this are not followed.
const MAX_LEAVES: usize = 4_000;

/// Ranges of a fixed length up to this are gone through one by one.
const UNROLLED: i64 = 12;

/// One case of some nested scopes, with what was found in it.
#[derive(Debug)]
pub struct Leaf<T> {
    pub vars: Vec<Var>,
    /// what holds in it, apart from what was known outside
    pub scope: Region,
    pub value: T,
}

/// The same where something may have gone wrong; never a split.
pub type Ending<T> = Leaf<Result<T, Stop>>;

/// An element, or one that stands for many.
pub(super) enum Alternative {
    One(Value),
    Each { vars: Vec<Var>, region: Region, value: Value },
}

impl Machine<'_> {
    /// Evaluates `body` for all cases of a scope. Conditions on `vars` are split here; others go outwards. Gives the cases,
    /// each with the constraints of the scope and its splits; they are disjoint and cover the scope.
    pub fn outcomes<T>(
        &mut self,
        vars: &[Var],
        scope: Region,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<(Region, Result<T, Stop>)>> {
        let base = self.known.constraints.len();
        self.scopes += 1;
        let result = self.outcomes_inside(vars, scope, base, span, body);
        self.scopes -= 1;
        self.known.constraints.truncate(base);
        result
    }

    fn outcomes_inside<T>(
        &mut self,
        vars: &[Var],
        scope: Region,
        base: usize,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<(Region, Result<T, Stop>)>> {
        let mut leaves = Vec::new();
        let mut waiting = vec![scope.constraints];
        while let Some(constraints) = waiting.pop() {
            self.step(span)?;
            self.known.constraints.truncate(base);
            self.known.constraints.extend(constraints.iter().cloned());
            if self.known.is_empty() {
                continue;
            }
            let (notes, assertions, perhaps) = (self.notes.len(), self.assertions, self.perhaps_asserted.len());
            match body(self) {
                Ok(value) => {
                    if self.assertions > assertions && !vars.is_empty() {
                        // they count if there is such a point at all
                        self.assertions = assertions;
                        self.perhaps_asserted.push(self.known.clone());
                    }
                    leaves.push((Region::of(constraints), Ok(value)));
                }
                Err(Stop::Split(constraint)) => {
                    self.notes.truncate(notes);
                    self.assertions = assertions;
                    self.perhaps_asserted.truncate(perhaps);
                    if !constraint.vars().any(|var| vars.contains(&var)) {
                        return Err(Stop::Split(constraint));
                    }
                    if leaves.len() + waiting.len() >= MAX_LEAVES {
                        return Err(Stop::beyond(span, "so many cases", "split the claim"));
                    }
                    let others = self.fits(constraint.negated(), span)?;
                    for other in others {
                        let mut case = constraints.clone();
                        case.push(other);
                        waiting.push(case);
                    }
                    let mut case = constraints;
                    case.push(constraint);
                    waiting.push(case);
                }
                Err(stop @ Stop::Steps { .. }) => return Err(stop),
                Err(stop) => {
                    self.notes.truncate(notes);
                    self.assertions = assertions;
                    leaves.push((Region::of(constraints), Err(stop)));
                }
            }
        }
        Ok(leaves)
    }

    /// The same where everything is evaluated whatever comes out, so an error anywhere is one of the whole.
    pub fn each_leaf<T>(
        &mut self,
        vars: &[Var],
        scope: Region,
        body: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<(Region, T)>> {
        let span = self.at;
        let outcomes = self.outcomes(vars, scope, span, body)?;
        let (mut leaves, mut troubles) = (Vec::with_capacity(outcomes.len()), Vec::new());
        for (region, result) in outcomes {
            match result {
                Ok(value) => leaves.push((region, value)),
                Err(stop) => {
                    if self.is_inhabited(vars, &region, span)? {
                        troubles.push(stop);
                    }
                }
            }
        }
        worst(troubles, span).map_or(Ok(leaves), Err)
    }

    /// Is there, for each point of what is known, a point with it in a region that also has these variables?
    pub fn is_inhabited(&mut self, vars: &[Var], region: &Region, span: Span) -> Follow<bool> {
        if region.is_empty_in(&self.known) {
            return Ok(false);
        }
        let (shadows, exact) = region.shadows(vars);
        let mut question = None;
        for shadow in &shadows {
            if shadow.is_empty_in(&self.known) {
                continue;
            }
            match shadow.constraints.iter().find(|constraint| !self.known.entails(constraint)) {
                None if exact => return Ok(true),
                None => {}
                Some(constraint) => question = question.or(Some(constraint.clone())),
            }
        }
        if let Some(question) = question {
            return Err(Stop::Split(question));
        }
        if exact || shadows.iter().all(|shadow| shadow.is_empty_in(&self.known)) {
            return Ok(false);
        }
        Err(Stop::beyond(
            span,
            "whether there is an integer with these properties",
            "split the claim, or give a range: `for n in 5..24`",
        ))
    }

    /// Goes through nested clauses. Whatever goes wrong inside is the result of its case.
    pub fn walk<T>(
        &mut self,
        clauses: &Clauses,
        visit: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<Ending<T>>> {
        self.walk_from(clauses, 0, visit)
    }

    pub(super) fn walk_from<T>(
        &mut self,
        clauses: &Clauses,
        depth: usize,
        visit: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<Ending<T>>> {
        match self.walk_deeper(clauses, depth, visit) {
            Ok(leaves) => Ok(leaves),
            Err(stop @ (Stop::Split(_) | Stop::Steps { .. })) => Err(stop),
            Err(stop) => Ok(vec![Leaf { vars: Vec::new(), scope: Region::all(), value: Err(stop) }]),
        }
    }

    fn walk_deeper<T>(
        &mut self,
        clauses: &Clauses,
        depth: usize,
        visit: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<Ending<T>>> {
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition
                && !self.truth(condition)?
            {
                return Ok(Vec::new());
            }
            let value = visit(self)?;
            return Ok(vec![Leaf { vars: Vec::new(), scope: Region::all(), value: Ok(value) }]);
        };
        let source = self.eval(range)?;
        let mut leaves = Vec::new();
        for alternative in self.alternatives(&source, pattern, range.span)? {
            self.step(range.span)?;
            match alternative {
                Alternative::One(value) => {
                    self.bind(pattern, value)?;
                    leaves.extend(self.walk_from(clauses, depth + 1, visit)?);
                }
                Alternative::Each { vars, region, value } => {
                    leaves.extend(self.walk_alternative(vars, region, value, pattern, clauses, depth, visit)?);
                }
            }
        }
        Ok(leaves)
    }

    /// The cases of one alternative of a clause, with the clauses behind it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn walk_alternative<T>(
        &mut self,
        vars: Vec<Var>,
        region: Region,
        value: Value,
        pattern: &Pattern,
        clauses: &Clauses,
        depth: usize,
        visit: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<Ending<T>>> {
        let outcomes = self.outcomes(&vars, region, clauses.span, &mut |machine| {
            machine.bind(pattern, value.clone())?;
            machine.walk_from(clauses, depth + 1, visit)
        })?;
        let mut leaves = Vec::with_capacity(outcomes.len());
        for (region, result) in outcomes {
            match result {
                Ok(inner) => leaves.extend(inner.into_iter().map(|leaf| Leaf {
                    vars: vars.iter().chain(&leaf.vars).copied().collect(),
                    scope: region.and(&leaf.scope),
                    value: leaf.value,
                })),
                Err(stop) => leaves.push(Leaf { vars: vars.clone(), scope: region, value: Err(stop) }),
            }
        }
        Ok(leaves)
    }

    /// The cases of clauses where everything is evaluated whatever comes out: an error in one is one of the whole. They are
    /// disjoint as long as nothing that is gone through has an element twice.
    pub fn clauses<T>(
        &mut self,
        clauses: &Clauses,
        visit: &mut dyn FnMut(&mut Self) -> Follow<T>,
    ) -> Follow<Vec<Leaf<T>>> {
        let endings = self.walk(clauses, visit)?;
        self.settled(endings, clauses.span)
    }

    /// The cases in which nothing went wrong; an error elsewhere counts if there is a point where it happens.
    pub(super) fn settled<T>(&mut self, endings: Vec<Ending<T>>, span: Span) -> Follow<Vec<Leaf<T>>> {
        let (mut all, mut troubles) = (Vec::with_capacity(endings.len()), Vec::new());
        for Leaf { vars, scope, value } in endings {
            match value {
                Ok(value) => all.push(Leaf { vars, scope, value }),
                Err(stop) => {
                    if self.is_inhabited(&vars, &scope, span)? {
                        troubles.push(stop);
                    }
                }
            }
        }
        worst(troubles, span).map_or(Ok(all), Err)
    }

    /// The elements of a sequence or set; of a set in any order, and perhaps some of them twice.
    pub(super) fn alternatives(&mut self, source: &Value, pattern: &Pattern, span: Span) -> Follow<Vec<Alternative>> {
        match source {
            Value::Range(from, to) => {
                let name = self.pattern_name(pattern);
                self.alternatives_between(from, to, &name, span, &mut |_, at| Ok(Value::Number(at.clone())))
            }
            Value::Tuple(values) => Ok(values.iter().cloned().map(Alternative::One).collect()),
            Value::Text(text) => {
                Ok(text.chars().map(|c| Alternative::One(Value::Text(c.to_string().into()))).collect())
            }
            Value::Sequence(sequence) => {
                let name = self.pattern_name(pattern);
                let mut all = Vec::new();
                for segment in &sequence.segments {
                    match &segment.var {
                        None => all.push(Alternative::One(segment.value.clone())),
                        Some((var, from, to)) => {
                            all.extend(self.alternatives_between(from, to, &name, span, &mut |machine, at| {
                                machine.instantiate(&segment.value, *var, at, span)
                            })?);
                        }
                    }
                }
                Ok(all)
            }
            Value::Set(set) => match &**set {
                Set::Finite(values) => Ok(values.iter().cloned().map(Alternative::One).collect()),
                Set::Cells { union, plain } => self.cells_of(union, *plain, pattern, span),
            },
            Value::Cells(of) => self.cells_of(&of.cells, of.plain, pattern, span),
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => Err(Stop::wrong(span, format!("{} has no elements to go through", other.kind()))),
        }
    }

    /// The integers of a range, each given to `value`.
    fn alternatives_between(
        &mut self,
        from: &Poly,
        to: &Poly,
        name: &str,
        span: Span,
        value: &mut dyn FnMut(&mut Self, &Poly) -> Follow<Value>,
    ) -> Follow<Vec<Alternative>> {
        let width = self.difference_of(to, from, span)?;
        let width = if width.as_int().is_some() { width } else { self.with_known(&width, span)? };
        if let Some(width) = width.as_int()
            && width < UNROLLED
        {
            let mut all = Vec::new();
            for over in 0..=width {
                let at = self.sum_of(from, &Poly::int(over), span)?;
                all.push(Alternative::One(value(self, &at)?));
            }
            return Ok(all);
        }
        let (low, high) = (self.linear(from, span)?, self.linear(to, span)?);
        let var = self.fresh(name, span)?;
        let here = Form::var(var);
        let bounds = [Constraint::less_eq(&low, &here), Constraint::less_eq(&here, &high)];
        let mut constraints = Vec::with_capacity(2);
        for bound in bounds {
            constraints.push(self.fits(bound, span)?);
        }
        let value = value(self, &Poly::var(var))?;
        Ok(vec![Alternative::Each { vars: vec![var], region: Region::of(constraints), value }])
    }

    /// The cells of a union: one variable for each coordinate.
    fn cells_of(&mut self, union: &Union, plain: bool, pattern: &Pattern, span: Span) -> Follow<Vec<Alternative>> {
        let names: Vec<String> = match pattern {
            Pattern::Tuple(parts, _) if parts.len() == union.width => {
                parts.iter().map(|part| self.pattern_name(part)).collect()
            }
            other => {
                let name = self.pattern_name(other);
                match plain {
                    true => vec![name],
                    false => (1..=union.width).map(|at| format!("{name}[{at}]")).collect(),
                }
            }
        };
        self.cells_named(union, plain, &names, span)
    }

    /// The cells of a union, for somebody who does not name them.
    pub(super) fn each_cell(&mut self, union: &Union, plain: bool, span: Span) -> Follow<Vec<Alternative>> {
        self.cells_named(union, plain, &vec!["c".to_string(); union.width], span)
    }

    fn cells_named(&mut self, union: &Union, plain: bool, names: &[String], span: Span) -> Follow<Vec<Alternative>> {
        // each cell once
        let union = match union.regions.len() {
            0 | 1 => union.clone(),
            _ => self.done(union.disjoint(&self.known), span)?,
        };
        let mut all = Vec::with_capacity(union.regions.len());
        for region in &union.regions {
            if let Some(point) = self.only_point(region, union.width, span)? {
                let point: Vec<Poly> = point.iter().map(Form::poly).collect();
                all.push(Alternative::One(cell_value(&point, plain)));
                continue;
            }
            let mut vars = Vec::with_capacity(union.width);
            for name in names {
                vars.push(self.fresh(name, span)?);
            }
            let renamed = region.substitute(&|var| vars.get(usize::from(var)).map(|var| Form::var(*var)));
            let region = self.fits(renamed, span)?;
            let coordinates: Vec<Poly> = vars.iter().map(|var| Poly::var(*var)).collect();
            all.push(Alternative::Each { value: cell_value(&coordinates, plain), vars, region });
        }
        Ok(all)
    }

    /// The point that a region is, if it is exactly one at all points of what is known.
    fn only_point(&self, region: &Region, width: usize, span: Span) -> Follow<Option<Vec<Form>>> {
        let Some(point) = region.as_point(&self.known, width) else { return Ok(None) };
        let here = self.fits(region.substitute(&|var| point.get(usize::from(var)).cloned()), span)?;
        let is_one = point.iter().all(|form| form.den() == 1)
            && here.constraints.iter().all(|constraint| self.known.entails(constraint));
        Ok(is_one.then_some(point))
    }

    /// The name that a pattern gives.
    pub(super) fn pattern_name(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Tuple(_, span) => {
                let text = self.source_text(*span);
                text.trim_matches(['(', ')']).split(',').next().unwrap_or("x").trim().to_string()
            }
            other => self.source_text(other.span()),
        }
    }

    /// Binds a pattern; a value of another form is an error.
    pub fn bind(&mut self, pattern: &Pattern, value: Value) -> Follow<()> {
        if let Pattern::Bind(slot, _) = pattern {
            self.set_slot(*slot, value);
            return Ok(());
        }
        if self.match_value(pattern, &value)? {
            return Ok(());
        }
        Err(Stop::wrong(pattern.span(), format!("{} does not have this form", value.kind())))
    }

    /// Does a value fit a pattern? Binds its names on the way.
    pub fn match_value(&mut self, pattern: &Pattern, value: &Value) -> Follow<bool> {
        match pattern {
            Pattern::Bind(slot, _) => {
                self.set_slot(*slot, value.clone());
                Ok(true)
            }
            Pattern::Int(wanted, span) => match value {
                Value::Number(poly) => self.is_number(&poly.clone(), *wanted, *span),
                Value::Other(kind) => Err(elsewhere(kind, *span)),
                _ => Ok(false),
            },
            Pattern::Equal(slot, span) => {
                let known = self.slot(*slot);
                self.equal(&known, value, *span)
            }
            Pattern::Param(at, span) => {
                let known = self.in_force(*span)?.args.get(*at as usize).cloned().unwrap_or(Value::Nothing);
                self.equal(&known, value, *span)
            }
            Pattern::Tuple(parts, span) => {
                if !value.is_sequence() {
                    return match value {
                        Value::Other(kind) => Err(elsewhere(kind, *span)),
                        _ => Ok(false),
                    };
                }
                let Some(values) = self.elements_if(value, parts.len(), *span)? else { return Ok(false) };
                for (part, value) in parts.iter().zip(&values) {
                    if !self.match_value(part, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// A cell by its coordinates.
pub fn cell_value(coordinates: &[Poly], plain: bool) -> Value {
    match coordinates {
        [only] if plain => Value::Number(only.clone()),
        _ => Value::tuple(coordinates.iter().cloned().map(Value::Number).collect()),
    }
}

/// A value from outside that is not followed.
pub(super) fn elsewhere(kind: &str, span: Span) -> Stop {
    Stop::beyond(span, format!("{kind} that was made outside"), "make it inside the claim, of numbers, cells and moves")
}

/// What several cases end with that all have a point: an error, a false assertion; which of the two comes first is not known.
pub(super) fn worst(troubles: Vec<Stop>, span: Span) -> Option<Stop> {
    if let Some(beyond) = troubles.iter().find(|stop| matches!(stop, Stop::Beyond { .. })) {
        return Some(beyond.clone());
    }
    let is_false = |stop: &Stop| matches!(stop, Stop::False { .. });
    if troubles.iter().any(is_false) && !troubles.iter().all(is_false) {
        return Some(Stop::beyond(
            span,
            "an error and a false assertion, one for some elements and one for others",
            "split the claim",
        ));
    }
    troubles.into_iter().next()
}
