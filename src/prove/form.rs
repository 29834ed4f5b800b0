//! Linear forms with rational coefficients: integers over one positive denominator, always in lowest terms.

use num_integer::Integer;
use smallvec::SmallVec;

use super::{Poly, TooLarge};

/// A variable. Those below [`FIRST`] are coordinates of cells and temporaries; the others are parameters of a statement.
pub type Var = u16;

/// The first variable that is no coordinate.
pub const FIRST: Var = 16;

/// Temporaries that stand for coordinates of another cell.
pub(super) const OTHER: Var = 8;

type Terms = SmallVec<[(Var, i64); 4]>;

/// `(3 n - k + 1) / 2`. Two forms are equal as forms exactly if `==` says so. Every operation costs the number of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    /// by variable, no coefficient 0
    terms: Terms,
    constant: i64,
    /// positive, and prime to all the numbers together
    den: i64,
}

impl Form {
    pub fn int(value: i64) -> Form {
        Form { terms: Terms::new(), constant: value, den: 1 }
    }

    pub fn var(var: Var) -> Form {
        Form { terms: smallvec::smallvec![(var, 1)], constant: 0, den: 1 }
    }

    /// The form with these coefficients, by increasing variable, over a positive denominator.
    pub(super) fn new(terms: impl IntoIterator<Item = (Var, i64)>, constant: i64, den: i64) -> Form {
        let terms: Terms = terms.into_iter().filter(|(_, coefficient)| *coefficient != 0).collect();
        Form { terms, constant, den }.reduced()
    }

    fn reduced(mut self) -> Form {
        if self.den != 1 {
            let common = self.terms.iter().fold(self.den.gcd(&self.constant), |gcd, (_, c)| gcd.gcd(c));
            if common > 1 {
                self.terms.iter_mut().for_each(|(_, c)| *c /= common);
                self.constant /= common;
                self.den /= common;
            }
        }
        self
    }

    pub fn terms(&self) -> &[(Var, i64)] {
        &self.terms
    }

    /// The coefficient of a variable in the numerator.
    pub fn coefficient(&self, var: Var) -> i64 {
        self.terms.iter().find(|(known, _)| *known == var).map_or(0, |(_, coefficient)| *coefficient)
    }

    /// The constant part of the numerator.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    pub fn den(&self) -> i64 {
        self.den
    }

    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().map(|(var, _)| *var)
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value, if that is an integer whatever the variables are.
    pub fn as_int(&self) -> Option<i64> {
        (self.terms.is_empty() && self.den == 1).then_some(self.constant)
    }

    pub fn poly(&self) -> Poly {
        Poly::linear(&self.terms, self.constant, self.den)
    }

    /// The numerator alone.
    pub fn numerator(&self) -> Form {
        Form { den: 1, ..self.clone() }
    }

    /// `self * a / d + other * b / d`, without its last reduction.
    fn mixed(&self, a: i64, other: &Form, b: i64, den: i64) -> Result<Form, TooLarge> {
        let mix = |x: i64, y: i64| -> Result<i64, TooLarge> {
            let (x, y) = (x.checked_mul(a).ok_or(TooLarge)?, y.checked_mul(b).ok_or(TooLarge)?);
            x.checked_add(y).ok_or(TooLarge)
        };
        let mut terms = Terms::new();
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (var, value) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((x, c)), Some((y, d))) if x == y => {
                    let both = (*x, mix(*c, *d)?);
                    left.next();
                    right.next();
                    both
                }
                (Some((x, c)), right_term) if right_term.is_none_or(|(y, _)| x < y) => {
                    let only = (*x, mix(*c, 0)?);
                    left.next();
                    only
                }
                (_, Some((y, d))) => {
                    let only = (*y, mix(0, *d)?);
                    right.next();
                    only
                }
                (_, None) => break,
            };
            if value != 0 {
                terms.push((var, value));
            }
        }
        Ok(Form { terms, constant: mix(self.constant, other.constant)?, den }.reduced())
    }

    fn combined(&self, other: &Form, sign: i64) -> Result<Form, TooLarge> {
        if self.den == other.den {
            return self.mixed(1, other, sign, self.den);
        }
        let common = self.den.lcm(&other.den);
        if common > 1 << 40 {
            return Err(TooLarge);
        }
        self.mixed(common / self.den, other, sign * (common / other.den), common)
    }

    pub fn add(&self, other: &Form) -> Result<Form, TooLarge> {
        self.combined(other, 1)
    }

    pub fn sub(&self, other: &Form) -> Result<Form, TooLarge> {
        self.combined(other, -1)
    }

    pub fn neg(&self) -> Result<Form, TooLarge> {
        self.scale(-1, 1)
    }

    pub fn plus(&self, value: i64) -> Result<Form, TooLarge> {
        self.add(&Form::int(value))
    }

    /// Times `num / den`; the denominator is not 0.
    pub fn scale(&self, num: i64, den: i64) -> Result<Form, TooLarge> {
        let (num, den) =
            if den < 0 { (num.checked_neg().ok_or(TooLarge)?, den.checked_neg().ok_or(TooLarge)?) } else { (num, den) };
        if num == 0 {
            return Ok(Form::int(0));
        }
        let den = self.den.checked_mul(den).ok_or(TooLarge)?;
        self.mixed(num, &Form::int(0), 0, den)
    }

    /// With forms in place of the variables for which there are some.
    pub fn substitute(&self, by: &dyn Fn(Var) -> Option<Form>) -> Result<Form, TooLarge> {
        let mut kept = Terms::new();
        let mut put: SmallVec<[(Form, i64); 4]> = SmallVec::new();
        for (var, coefficient) in &self.terms {
            match by(*var) {
                Some(form) => put.push((form, *coefficient)),
                None => kept.push((*var, *coefficient)),
            }
        }
        if put.is_empty() {
            return Ok(self.clone());
        }
        let mut sum = Form { terms: kept, constant: self.constant, den: self.den }.reduced();
        for (form, coefficient) in put {
            sum = sum.add(&form.scale(coefficient, self.den)?)?;
        }
        Ok(sum)
    }

    /// Its value at a point, if no variable is missing and the numbers stay small.
    pub fn value(&self, at: &dyn Fn(Var) -> Option<i64>) -> Option<num_rational::Ratio<i128>> {
        let mut sum = i128::from(self.constant);
        for (var, coefficient) in &self.terms {
            sum = sum.checked_add(i128::from(*coefficient).checked_mul(i128::from(at(*var)?))?)?;
        }
        Some(num_rational::Ratio::new(sum, i128::from(self.den)))
    }
}
