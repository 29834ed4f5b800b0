//! Conditions on integer variables, linear and by remainders.

use num_integer::Integer;
use smallvec::{SmallVec, smallvec};

use super::TooLarge;
use super::form::{Form, Var};

/// A condition on integers. The forms have integer coefficients without a common factor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constraint {
    /// `form >= 0`
    Ge(Form),
    /// `form == 0`
    Eq(Form),
    /// the form is a multiple of the number, which is at least 2
    Mod(Form, i64),
}

impl Constraint {
    /// One that never holds.
    pub fn never() -> Constraint {
        Constraint::Ge(Form::int(-1))
    }

    /// One that always holds.
    pub fn always() -> Constraint {
        Constraint::Ge(Form::int(0))
    }

    fn of(truth: bool) -> Constraint {
        if truth { Constraint::always() } else { Constraint::never() }
    }

    /// `form >= 0`, sharpened for integers: `2 x >= 1` is `x >= 1`.
    pub fn ge(form: &Form) -> Constraint {
        let common = content(form);
        if common == 0 {
            return Constraint::of(form.constant() >= 0);
        }
        Constraint::Ge(divided(form, common, Integer::div_floor(&form.constant(), &common)))
    }

    /// `form == 0`
    pub fn eq(form: &Form) -> Constraint {
        let common = content(form);
        if common == 0 {
            return Constraint::of(form.constant() == 0);
        }
        if form.constant() % common != 0 {
            return Constraint::never();
        }
        // one sign for a form and its negative
        let sign = if form.terms().first().is_some_and(|(_, first)| *first < 0) { -1 } else { 1 };
        Constraint::Eq(divided(form, sign * common, sign * (form.constant() / common)))
    }

    /// Is the form a multiple of m? It may have a denominator: then it has to be an integer too.
    pub fn divisible(form: &Form, m: i64) -> Result<Constraint, TooLarge> {
        let m = m.checked_abs().and_then(|m| m.checked_mul(form.den())).ok_or(TooLarge)?;
        if m == 0 {
            return Ok(Constraint::eq(form));
        }
        let common = form.terms().iter().fold(m.gcd(&form.constant()), |gcd, (_, c)| gcd.gcd(c));
        let m = m / common.max(1);
        if m == 1 {
            return Ok(Constraint::always());
        }
        let reduce = |value: i64| (value / common.max(1)).mod_floor(&m);
        let mut terms: SmallVec<[(Var, i64); 4]> =
            form.terms().iter().map(|(var, c)| (*var, reduce(*c))).filter(|(_, c)| *c != 0).collect();
        let mut constant = reduce(form.constant());
        if terms.is_empty() {
            return Ok(Constraint::of(constant == 0));
        }
        // if the variables have a factor in common with m, it has to divide the constant: it does, or nothing does
        let shared = terms.iter().fold(m, |gcd, (_, c)| gcd.gcd(c));
        if shared > 1 && constant % shared != 0 {
            return Ok(Constraint::never());
        }
        // smaller absolute values read better: -1 for m - 1
        for (_, c) in &mut terms {
            if *c > m / 2 {
                *c -= m;
            }
        }
        if terms[0].1 < 0 {
            terms.iter_mut().for_each(|(_, c)| *c = -*c);
            constant = (-constant).mod_floor(&m);
        }
        Ok(Constraint::Mod(Form::new(terms, constant, 1), m))
    }

    /// `a <= b`
    pub fn less_eq(a: &Form, b: &Form) -> Result<Constraint, TooLarge> {
        Ok(Constraint::ge(&b.sub(a)?))
    }

    /// `a < b`, for forms that may be fractions as well
    pub fn less(a: &Form, b: &Form) -> Result<Constraint, TooLarge> {
        Ok(Constraint::ge(&b.sub(a)?.numerator().plus(-1)?))
    }

    /// `a == b`
    pub fn equal(a: &Form, b: &Form) -> Result<Constraint, TooLarge> {
        Ok(Constraint::eq(&b.sub(a)?))
    }

    /// Whether it holds, if that does not depend on variables.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Constraint::Ge(form) if form.is_constant() => Some(form.constant() >= 0),
            Constraint::Eq(form) if form.is_constant() => Some(form.constant() == 0),
            Constraint::Mod(form, m) if form.is_constant() => Some(form.constant() % m == 0),
            _ => None,
        }
    }

    /// Are the two `f >= 0` and `-f >= 0`?
    pub(super) fn is_opposite(&self, other: &Constraint) -> bool {
        let (Constraint::Ge(a), Constraint::Ge(b)) = (self, other) else { return false };
        a.terms().len() == b.terms().len()
            && i128::from(a.constant()) == -i128::from(b.constant())
            && a.terms().iter().zip(b.terms()).all(|((x, c), (y, d))| x == y && i128::from(*c) == -i128::from(*d))
    }

    pub fn form(&self) -> &Form {
        match self {
            Constraint::Ge(form) | Constraint::Eq(form) | Constraint::Mod(form, _) => form,
        }
    }

    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.form().vars()
    }

    pub fn mentions(&self, var: Var) -> bool {
        self.form().coefficient(var) != 0
    }

    /// What holds exactly where it does not: one of these, and no two at once.
    pub fn negated(&self) -> Result<SmallVec<[Constraint; 2]>, TooLarge> {
        Ok(match self {
            Constraint::Ge(form) => smallvec![Constraint::Ge(form.scale(-1, 1)?.plus(-1)?)],
            Constraint::Eq(form) => {
                smallvec![Constraint::Ge(form.plus(-1)?), Constraint::Ge(form.scale(-1, 1)?.plus(-1)?)]
            }
            Constraint::Mod(form, m) => {
                (1..*m).map(|r| Constraint::divisible(&form.plus(r)?, *m)).collect::<Result<_, TooLarge>>()?
            }
        })
    }

    /// With forms in place of the variables for which there are some. A form with a denominator counts as the fraction
    /// that it is.
    pub fn substitute(&self, by: &dyn Fn(Var) -> Option<Form>) -> Result<Constraint, TooLarge> {
        if self.vars().all(|var| by(var).is_none()) {
            return Ok(self.clone());
        }
        match self {
            Constraint::Ge(form) => Ok(Constraint::ge(&form.substitute(by)?)),
            Constraint::Eq(form) => Ok(Constraint::eq(&form.substitute(by)?)),
            Constraint::Mod(form, m) => Constraint::divisible(&form.substitute(by)?, *m),
        }
    }

    /// Does it hold at a point? `None` if a variable is missing.
    pub fn holds(&self, at: &dyn Fn(Var) -> Option<i64>) -> Option<bool> {
        let value = self.form().value(at)?;
        Some(match self {
            Constraint::Ge(_) => value >= num_rational::Ratio::from_integer(0),
            Constraint::Eq(_) => value == num_rational::Ratio::from_integer(0),
            Constraint::Mod(_, m) => value.is_integer() && value.to_integer() % i128::from(*m) == 0,
        })
    }
}

/// The greatest common divisor of the coefficients of the variables; 0 if there are none.
fn content(form: &Form) -> i64 {
    form.terms().iter().fold(0, |gcd, (_, c)| gcd.gcd(c))
}

fn divided(form: &Form, by: i64, constant: i64) -> Form {
    Form::new(form.terms().iter().map(|(var, c)| (*var, c / by)), constant, 1)
}
