//! Polynomials with rational coefficients: integers over one positive denominator, always in lowest terms.

use std::collections::BTreeMap;

use num_integer::Integer;
use smallvec::SmallVec;

use super::TooLarge;
use super::form::{Form, Var};

/// A product of variables, in increasing order, each as often as its exponent says; empty for 1.
pub type Monomial = SmallVec<[Var; 4]>;

/// The largest degree and number of terms: what proofs about puzzles need is far below.
const MOST_FACTORS: usize = 12;
const MOST_TERMS: usize = 400;

/// A polynomial. Two are equal as polynomials exactly if `==` says so.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Poly {
    /// by monomial, no coefficient 0
    terms: Vec<(Monomial, i64)>,
    /// positive, and prime to all the coefficients together
    den: i64,
}

impl Poly {
    pub fn zero() -> Poly {
        Poly { terms: Vec::new(), den: 1 }
    }

    pub fn int(value: i64) -> Poly {
        Poly::linear(&[], value, 1)
    }

    /// `num / den`, where the denominator is not 0.
    pub fn ratio(num: i64, den: i64) -> Result<Poly, TooLarge> {
        Poly::int(num).scale(1, den)
    }

    pub fn var(var: Var) -> Poly {
        Poly::linear(&[(var, 1)], 0, 1)
    }

    pub(super) fn linear(terms: &[(Var, i64)], constant: i64, den: i64) -> Poly {
        let mut all = Vec::with_capacity(terms.len() + 1);
        if constant != 0 {
            all.push((Monomial::new(), constant));
        }
        all.extend(terms.iter().map(|(var, coefficient)| (smallvec::smallvec![*var], *coefficient)));
        Poly { terms: all, den }
    }

    fn collected(terms: BTreeMap<Monomial, i64>, den: i64) -> Result<Poly, TooLarge> {
        let terms: Vec<(Monomial, i64)> = terms.into_iter().filter(|(_, coefficient)| *coefficient != 0).collect();
        if terms.len() > MOST_TERMS {
            return Err(TooLarge);
        }
        let common = if den == 1 { 1 } else { terms.iter().fold(den, |gcd, (_, coefficient)| gcd.gcd(coefficient)) };
        let terms = terms.into_iter().map(|(monomial, coefficient)| (monomial, coefficient / common)).collect();
        Ok(Poly { terms, den: den / common })
    }

    /// Its terms in the numerator: monomials with their coefficients.
    pub fn terms(&self) -> &[(Monomial, i64)] {
        &self.terms
    }

    pub fn den(&self) -> i64 {
        self.den
    }

    pub fn degree(&self) -> usize {
        self.terms.iter().map(|(monomial, _)| monomial.len()).max().unwrap_or(0)
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Numerator and denominator, if it is constant.
    pub fn as_constant(&self) -> Option<(i64, i64)> {
        match self.terms.as_slice() {
            [] => Some((0, 1)),
            [(monomial, coefficient)] if monomial.is_empty() => Some((*coefficient, self.den)),
            _ => None,
        }
    }

    /// Its value, if it is a constant integer.
    pub fn as_int(&self) -> Option<i64> {
        self.as_constant().and_then(|(num, den)| (den == 1).then_some(num))
    }

    /// The same as a linear form, if it is linear.
    pub fn form(&self) -> Option<Form> {
        let mut constant = 0;
        let mut terms: SmallVec<[(Var, i64); 4]> = SmallVec::new();
        for (monomial, coefficient) in &self.terms {
            match monomial.as_slice() {
                [] => constant = *coefficient,
                [var] => terms.push((*var, *coefficient)),
                _ => return None,
            }
        }
        Some(Form::new(terms, constant, self.den))
    }

    /// The variables in it, in increasing order.
    pub fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.terms.iter().flat_map(|(monomial, _)| monomial.iter().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    pub fn neg(&self) -> Result<Poly, TooLarge> {
        self.scale(-1, 1)
    }

    pub fn add(&self, other: &Poly) -> Result<Poly, TooLarge> {
        self.combined(other, 1)
    }

    pub fn sub(&self, other: &Poly) -> Result<Poly, TooLarge> {
        self.combined(other, -1)
    }

    fn combined(&self, other: &Poly, sign: i64) -> Result<Poly, TooLarge> {
        let den = lcm(self.den, other.den)?;
        let (a, b) = (den / self.den, sign * (den / other.den));
        let mut sum: BTreeMap<Monomial, i64> = BTreeMap::new();
        for (terms, factor) in [(&self.terms, a), (&other.terms, b)] {
            for (monomial, coefficient) in terms {
                let value = coefficient.checked_mul(factor).ok_or(TooLarge)?;
                let place = sum.entry(monomial.clone()).or_insert(0);
                *place = place.checked_add(value).ok_or(TooLarge)?;
            }
        }
        Poly::collected(sum, den)
    }

    pub fn mul(&self, other: &Poly) -> Result<Poly, TooLarge> {
        let den = self.den.checked_mul(other.den).ok_or(TooLarge)?;
        let mut product: BTreeMap<Monomial, i64> = BTreeMap::new();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                if a.len() + b.len() > MOST_FACTORS || product.len() > MOST_TERMS {
                    return Err(TooLarge);
                }
                let mut monomial: Monomial = a.iter().chain(b).copied().collect();
                monomial.sort_unstable();
                let value = x.checked_mul(*y).ok_or(TooLarge)?;
                let place = product.entry(monomial).or_insert(0);
                *place = place.checked_add(value).ok_or(TooLarge)?;
            }
        }
        Poly::collected(product, den)
    }

    /// Times `num / den`; the denominator is not 0.
    pub fn scale(&self, num: i64, den: i64) -> Result<Poly, TooLarge> {
        let (num, den) = match den < 0 {
            true => (num.checked_neg().ok_or(TooLarge)?, den.checked_neg().ok_or(TooLarge)?),
            false => (num, den),
        };
        let mut terms = BTreeMap::new();
        for (monomial, coefficient) in &self.terms {
            terms.insert(monomial.clone(), coefficient.checked_mul(num).ok_or(TooLarge)?);
        }
        Poly::collected(terms, self.den.checked_mul(den).ok_or(TooLarge)?)
    }

    /// With polynomials in place of the variables for which there are some.
    pub fn substitute(&self, by: &dyn Fn(Var) -> Option<Poly>) -> Result<Poly, TooLarge> {
        let mut sum = Poly::zero();
        for (monomial, coefficient) in &self.terms {
            let mut term = Poly::ratio(*coefficient, self.den)?;
            for var in monomial {
                term = match by(*var) {
                    Some(value) => term.mul(&value)?,
                    None => term.mul(&Poly::var(*var))?,
                };
            }
            sum = sum.add(&term)?;
        }
        Ok(sum)
    }

    /// Its value at a point, if no variable is missing and the numbers stay small.
    pub fn value(&self, at: &dyn Fn(Var) -> Option<i64>) -> Option<num_rational::Ratio<i128>> {
        let mut sum = 0i128;
        for (monomial, coefficient) in &self.terms {
            let mut term = i128::from(*coefficient);
            for var in monomial {
                term = term.checked_mul(i128::from(at(*var)?))?;
            }
            sum = sum.checked_add(term)?;
        }
        Some(num_rational::Ratio::new(sum, i128::from(self.den)))
    }
}

fn lcm(a: i64, b: i64) -> Result<i64, TooLarge> {
    (a / a.gcd(&b)).checked_mul(b).ok_or(TooLarge)
}
