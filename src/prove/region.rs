//! Regions: conjunctions of conditions on integers.

use super::TooLarge;
use super::constraint::Constraint;
use super::form::{Form, Var};
use super::solve::surely_empty;

/// Where all of its conditions hold. Without conditions it is everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Region {
    pub constraints: Vec<Constraint>,
}

/// Values that are tried for a variable whose bounds leave many.
const TRIED: i64 = 40;

/// How many values are tried in all when a point is looked for.
const MOST_TRIES: usize = 20_000;

impl Region {
    pub fn all() -> Region {
        Region::default()
    }

    pub fn of(constraints: Vec<Constraint>) -> Region {
        let mut region = Region::all();
        constraints.into_iter().for_each(|constraint| region.push(constraint));
        region
    }

    /// Adds a condition, unless it says nothing new at first sight. Opposite inequalities become an equation.
    pub fn push(&mut self, constraint: Constraint) {
        if constraint.truth() == Some(true) || self.constraints.contains(&constraint) {
            return;
        }
        if let Constraint::Ge(form) = &constraint
            && let Some(at) = self.constraints.iter().position(|known| known.is_opposite(&constraint))
        {
            self.constraints[at] = Constraint::eq(form);
            return;
        }
        self.constraints.push(constraint);
    }

    pub fn and(&self, other: &Region) -> Region {
        let mut both = self.clone();
        other.constraints.iter().for_each(|constraint| both.push(constraint.clone()));
        both
    }

    pub fn with(&self, constraint: Constraint) -> Region {
        let mut both = self.clone();
        both.push(constraint);
        both
    }

    /// Has it surely no integer point?
    pub fn is_empty(&self) -> bool {
        surely_empty(&[&self.constraints])
    }

    /// Has it surely no integer point where something else is known?
    pub fn is_empty_in(&self, known: &Region) -> bool {
        surely_empty(&[&known.constraints, &self.constraints])
    }

    /// Is it surely empty once this holds too?
    pub fn refutes(&self, constraint: &Constraint) -> bool {
        if let Some(truth) = constraint.truth() {
            return !truth || self.is_empty();
        }
        surely_empty(&[&self.constraints, std::slice::from_ref(constraint)])
    }

    /// Does the condition surely hold everywhere in it?
    pub fn entails(&self, constraint: &Constraint) -> bool {
        Region::entail(&[&self.constraints], constraint)
    }

    /// The same, where the conditions lie in several lists.
    pub(super) fn entail(parts: &[&[Constraint]], constraint: &Constraint) -> bool {
        if constraint.truth() == Some(true)
            || parts.iter().any(|part| part.iter().any(|known| implies(known, constraint)))
        {
            return true;
        }
        let Ok(negated) = constraint.negated() else { return false };
        let mut all: smallvec::SmallVec<[&[Constraint]; 4]> = parts.iter().copied().collect();
        all.push(&[]);
        let last = all.len() - 1;
        negated.iter().all(|other| {
            let all = &mut all;
            all[last] = std::slice::from_ref(other);
            surely_empty(all)
        })
    }

    /// With forms in place of the variables for which there are some.
    pub fn substitute(&self, by: &dyn Fn(Var) -> Option<Form>) -> Result<Region, TooLarge> {
        let mut region = Region { constraints: Vec::with_capacity(self.constraints.len()) };
        for constraint in &self.constraints {
            region.push(constraint.substitute(by)?);
        }
        Ok(region)
    }

    pub fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.constraints.iter().flat_map(Constraint::vars).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Is the point in it? Variables that are missing count as outside.
    pub fn holds(&self, at: &dyn Fn(Var) -> Option<i64>) -> bool {
        self.constraints.iter().all(|constraint| constraint.holds(at) == Some(true))
    }

    /// The least and the greatest integer that a form can be, as far as elimination sees; `None` where there is no bound.
    pub fn bounds(&self, form: &Form) -> (Option<i64>, Option<i64>) {
        // a variable of its own for the form
        let value = Var::MAX;
        let Ok(difference) = form.sub(&Form::var(value)) else { return (None, None) };
        let others: Vec<Var> = self.vars().into_iter().chain(form.vars()).collect();
        let shadow = self.with(Constraint::eq(&difference)).eliminate(&others).region;
        let (mut least, mut greatest): (Option<i64>, Option<i64>) = (None, None);
        for constraint in &shadow.constraints {
            let (coefficient, constant) = (constraint.form().coefficient(value), constraint.form().constant());
            match constraint {
                Constraint::Eq(_) if coefficient != 0 && constant % coefficient == 0 => {
                    return (Some(-constant / coefficient), Some(-constant / coefficient));
                }
                Constraint::Ge(_) if coefficient > 0 => {
                    let bound = num_integer::Integer::div_ceil(&-constant, &coefficient);
                    least = Some(least.map_or(bound, |known| known.max(bound)));
                }
                Constraint::Ge(_) if coefficient < 0 => {
                    let bound = num_integer::Integer::div_floor(&constant, &-coefficient);
                    greatest = Some(greatest.map_or(bound, |known| known.min(bound)));
                }
                _ => {}
            }
        }
        (least, greatest)
    }

    /// An integer point, if one is found: values of these variables, small ones first, the first variable first. Every condition
    /// has been checked.
    pub fn sample(&self, vars: &[Var]) -> Option<Vec<i64>> {
        let mut left = MOST_TRIES;
        let mut point = Vec::with_capacity(vars.len());
        self.sample_from(vars, &mut point, &mut left).then_some(point)
    }

    fn sample_from(&self, vars: &[Var], point: &mut Vec<i64>, left: &mut usize) -> bool {
        if self.is_empty() {
            return false;
        }
        let Some(var) = vars.get(point.len()) else {
            return self.constraints.iter().all(|constraint| constraint.truth() == Some(true));
        };
        let (least, greatest) = self.bounds(&Form::var(*var));
        let (from, to) = match (least, greatest) {
            (Some(least), greatest) => (least, greatest.unwrap_or(i64::MAX).min(least.saturating_add(TRIED))),
            (None, Some(greatest)) => (greatest.saturating_sub(TRIED), greatest),
            (None, None) => (0, TRIED),
        };
        for value in from..=to {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let Ok(here) = self.substitute(&|known| (known == *var).then(|| Form::int(value))) else { continue };
            point.push(value);
            if here.sample_from(vars, point, left) {
                return true;
            }
            point.pop();
        }
        false
    }

    /// With an equation for each of the first variables that two inequalities leave only one value.
    pub(super) fn pinned(&self, known: &Region, width: usize) -> Result<Region, TooLarge> {
        let mut pinned = self.clone();
        for constraint in &self.constraints {
            let Constraint::Ge(form) = constraint else { continue };
            if form.vars().all(|var| usize::from(var) >= width) {
                continue;
            }
            let equal = Constraint::eq(form);
            if Region::entail(&[&known.constraints, &pinned.constraints], &equal) {
                pinned.push(equal);
            }
        }
        Ok(pinned)
    }

    /// Without the conditions that the others and `known` imply, and with opposite inequalities as equations.
    pub fn tidy(&self, known: &Region) -> Region {
        let mut kept = Region::of(self.constraints.clone()).constraints;
        let mut at = 0;
        while at < kept.len() {
            let constraint = kept.remove(at);
            if Region::entail(&[&known.constraints, &kept], &constraint) {
                continue;
            }
            kept.insert(at, constraint);
            at += 1;
        }
        Region { constraints: kept }
    }
}

/// Does one condition imply another at first sight: the same, or the same form with a weaker constant?
pub(super) fn implies(known: &Constraint, constraint: &Constraint) -> bool {
    if known == constraint {
        return true;
    }
    match (known, constraint) {
        (Constraint::Ge(a), Constraint::Ge(b)) => a.terms() == b.terms() && a.constant() <= b.constant(),
        _ => false,
    }
}
