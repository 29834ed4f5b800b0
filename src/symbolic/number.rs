//! Numbers: polynomials, their signs, whether they are integers, division with remainder.

use super::{Follow, Machine, Stop};
use crate::prove::work;
use crate::prove::{Constraint, Form, Monomial, Poly, TooLarge, Var};
use crate::source::Span;

/// A residue is asked for by at most so large a number.
const LARGEST_DIVISOR: i64 = 64;

/// A quotient of two numbers that both depend on the point is looked for among the integers up to this.
const LARGEST_QUOTIENT: i64 = 6;

/// A variable with at most so many values is replaced by each of them where a product of variables does not go on.
const FEW_VALUES: i64 = 33;

/// How a polynomial compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// ≥ 0
    AtLeast,
    /// > 0
    Above,
    /// == 0
    Zero,
}

impl Machine<'_> {
    /// What did not get too large.
    pub fn fits<T>(&self, answer: Result<T, TooLarge>, span: Span) -> Follow<T> {
        answer.map_err(|_| match work::is_over() {
            true => Stop::Steps { span },
            false => too_large(span),
        })
    }

    pub fn sum_of(&self, a: &Poly, b: &Poly, span: Span) -> Follow<Poly> {
        self.fits(a.add(b), span)
    }

    pub(super) fn difference_of(&self, a: &Poly, b: &Poly, span: Span) -> Follow<Poly> {
        self.fits(a.sub(b), span)
    }

    /// A number as a linear form.
    pub fn linear(&self, poly: &Poly, span: Span) -> Follow<Form> {
        poly.form().ok_or_else(|| {
            Stop::beyond(span, "a product of two names here", "give one of the names a range: `for n in 5..24`")
        })
    }

    /// Is it an integer?
    pub fn is_integer(&mut self, poly: &Poly, span: Span) -> Follow<bool> {
        if poly.den() == 1 {
            return Ok(true);
        }
        if let Some((_, den)) = poly.as_constant() {
            return Ok(den == 1);
        }
        if let Some(form) = poly.form() {
            return self.decide(&self.fits(Constraint::divisible(&form.numerator(), form.den()), span)?);
        }
        Ok(self.fraction_part(poly, span)?.is_zero())
    }

    /// Is it this integer?
    pub fn is_number(&mut self, poly: &Poly, wanted: i64, span: Span) -> Follow<bool> {
        if let Some((value, den)) = poly.as_constant() {
            return Ok(den == 1 && value == wanted);
        }
        let difference = self.difference_of(poly, &Poly::int(wanted), span)?;
        self.is_zero(&difference, span)
    }

    pub fn is_zero(&mut self, poly: &Poly, span: Span) -> Follow<bool> {
        self.has_sign(poly, Sign::Zero, span)
    }

    pub fn at_least_zero(&mut self, poly: &Poly, span: Span) -> Follow<bool> {
        self.has_sign(poly, Sign::AtLeast, span)
    }

    pub fn above_zero(&mut self, poly: &Poly, span: Span) -> Follow<bool> {
        self.has_sign(poly, Sign::Above, span)
    }

    /// Has a polynomial this sign?
    pub(super) fn has_sign(&mut self, poly: &Poly, sign: Sign, span: Span) -> Follow<bool> {
        if let Some((value, _)) = poly.as_constant() {
            return Ok(match sign {
                Sign::AtLeast => value >= 0,
                Sign::Above => value > 0,
                Sign::Zero => value == 0,
            });
        }
        if let Some(form) = poly.form() {
            let numerator = form.numerator();
            let constraint = match sign {
                Sign::AtLeast => Constraint::ge(&numerator),
                // an integer
                Sign::Above => Constraint::ge(&self.fits(numerator.plus(-1), span)?),
                Sign::Zero => Constraint::eq(&numerator),
            };
            return self.decide(&constraint);
        }
        self.step(span)?;
        self.nonlinear_sign(poly, sign, span)
    }

    fn nonlinear_sign(&mut self, poly: &Poly, sign: Sign, span: Span) -> Follow<bool> {
        // names whose values are known make it simpler
        let poly = self.with_known(poly, span)?;
        if poly.form().is_some() {
            return self.has_sign(&poly, sign, span);
        }
        if let Some(answer) = self.sign_by_bounds(&poly, sign, &[], span)? {
            return Ok(answer);
        }
        if let Some(constraint) = self.threshold(&poly, sign, span)? {
            return Err(Stop::Split(constraint));
        }
        let mut few: Option<(i64, i64, Var)> = None;
        for var in poly.vars() {
            let (Some(low), Some(high)) = self.known.bounds(&Form::var(var)) else { continue };
            let width = high.saturating_sub(low);
            if (1..FEW_VALUES).contains(&width) && few.is_none_or(|(least, ..)| width < least) {
                few = Some((width, low, var));
            }
        }
        if let Some((_, low, var)) = few {
            let form = self.fits(Form::var(var).plus(low.saturating_neg()), span)?;
            return Err(Stop::Split(Constraint::eq(&form)));
        }
        Err(Stop::beyond(
            span,
            "a comparison with a product of two names that does not go away",
            "give one of the names a range: `for n in 5..24`",
        ))
    }

    /// A condition from which on the sign is clear: that a name is larger than some number.
    fn threshold(&mut self, poly: &Poly, sign: Sign, span: Span) -> Follow<Option<Constraint>> {
        let mut open: Vec<(Var, i64)> = Vec::new();
        for var in poly.vars() {
            if let (Some(low), None) = self.known.bounds(&Form::var(var)) {
                open.push((var, low));
            }
        }
        for over in [1, 2, 4, 8, 16, 32] {
            let shifts: Vec<(Var, i64)> = open.iter().map(|(var, low)| (*var, low.saturating_add(over))).collect();
            // one name alone, else as few as it takes
            let alone = shifts.iter().map(std::slice::from_ref);
            for shift in alone {
                if self.sign_by_bounds(poly, sign, shift, span)?.is_some() {
                    return self.at_least(shift[0], span).map(Some);
                }
            }
            if shifts.len() < 2 || self.sign_by_bounds(poly, sign, &shifts, span)?.is_none() {
                continue;
            }
            let mut needed = shifts;
            let mut at = 0;
            while at < needed.len() {
                let one = needed.remove(at);
                if self.sign_by_bounds(poly, sign, &needed, span)?.is_none() {
                    needed.insert(at, one);
                    at += 1;
                }
            }
            if let Some(first) = needed.first() {
                return self.at_least(*first, span).map(Some);
            }
        }
        Ok(None)
    }

    fn at_least(&self, (var, least): (Var, i64), span: Span) -> Follow<Constraint> {
        Ok(Constraint::ge(&self.fits(Form::var(var).plus(least.saturating_neg()), span)?))
    }

    /// A polynomial with the names replaced that have one value, or are given by others linearly.
    pub(super) fn with_known(&mut self, poly: &Poly, span: Span) -> Follow<Poly> {
        let mut poly = poly.clone();
        let equalities: Vec<Form> = self
            .known
            .constraints
            .iter()
            .filter_map(|constraint| match constraint {
                Constraint::Eq(form) => Some(form.clone()),
                _ => None,
            })
            .collect();
        for form in equalities {
            let vars = poly.vars();
            let Some(var) = form.vars().filter(|var| form.coefficient(*var).abs() == 1 && vars.contains(var)).last()
            else {
                continue;
            };
            // c var + rest == 0, so var == -c rest
            let c = form.coefficient(var);
            let own = self.fits(Form::var(var).scale(c, 1), span)?;
            let rest = self.fits(form.sub(&own), span)?;
            let value = self.fits(rest.scale(-c, 1), span)?.poly();
            poly = self.fits(poly.substitute(&|other| (other == var).then(|| value.clone())), span)?;
        }
        for var in poly.vars() {
            if let (Some(low), Some(high)) = self.known.bounds(&Form::var(var))
                && low == high
            {
                poly = self.fits(poly.substitute(&|other| (other == var).then(|| Poly::int(low))), span)?;
            }
        }
        Ok(poly)
    }

    /// The sign of a polynomial whose names, counted from their least values, all have coefficients of one sign; as if some
    /// of these least values were larger.
    fn sign_by_bounds(&mut self, poly: &Poly, sign: Sign, from: &[(Var, i64)], span: Span) -> Follow<Option<bool>> {
        let mut ways: Vec<Poly> = vec![poly.clone()];
        for var in poly.vars() {
            let (low, high) = self.known.bounds(&Form::var(var));
            let low = from.iter().find(|(other, _)| *other == var).map(|(_, low)| *low).or(low);
            let mut next = Vec::new();
            for way in &ways {
                if let Some(low) = low {
                    // var = low + t with t ≥ 0
                    let shifted = self.fits(Poly::var(var).add(&Poly::int(low)), span)?;
                    next.push(self.fits(way.substitute(&|other| (other == var).then(|| shifted.clone())), span)?);
                }
                if let Some(high) = high {
                    // var = high - t with t ≥ 0
                    let shifted = self.fits(Poly::int(high).sub(&Poly::var(var)), span)?;
                    next.push(self.fits(way.substitute(&|other| (other == var).then(|| shifted.clone())), span)?);
                }
            }
            if next.is_empty() || next.len() > 16 {
                return Ok(None);
            }
            ways = next;
        }
        for way in &ways {
            let terms = way.terms();
            let (mut constant, mut up, mut down) = (0, false, false);
            for (powers, coefficient) in terms {
                if powers.is_empty() {
                    constant = *coefficient;
                } else {
                    up |= *coefficient > 0;
                    down |= *coefficient < 0;
                }
            }
            // the rest without the constant is ≥ 0 if nothing goes down, ≤ 0 if nothing goes up
            let answer = match sign {
                Sign::AtLeast if !down && constant >= 0 => Some(true),
                Sign::AtLeast if !up && constant < 0 => Some(false),
                Sign::Above if !down && constant > 0 => Some(true),
                Sign::Above if !up && constant <= 0 => Some(false),
                Sign::Zero if !down && constant > 0 => Some(false),
                Sign::Zero if !up && constant < 0 => Some(false),
                _ => None,
            };
            if answer.is_some() {
                return Ok(answer);
            }
        }
        Ok(None)
    }

    /// What a number is above its floor: a constant, once the residues of its names are known.
    fn fraction_part(&mut self, poly: &Poly, span: Span) -> Follow<Poly> {
        let den = poly.den();
        if den == 1 {
            return Ok(Poly::zero());
        }
        if den > LARGEST_DIVISOR {
            return Err(Stop::beyond(
                span,
                format!("division by {den}"),
                format!("divide by numbers up to {LARGEST_DIVISOR}"),
            ));
        }
        if let Some(form) = poly.form() {
            let rest = self.residue(&form.numerator(), den, span)?;
            return self.fits(Poly::ratio(rest, den), span);
        }
        // the numerator has integer coefficients, so it leaves the remainder that the remainders of the names give
        let mut rests = Vec::new();
        for var in poly.vars() {
            rests.push((var, self.residue(&Form::var(var), den, span)?));
        }
        let at = self.fits(
            poly.substitute(&|var| rests.iter().find(|(other, _)| *other == var).map(|(_, rest)| Poly::int(*rest))),
            span,
        )?;
        let (value, den) = at.as_constant().ok_or_else(|| too_large(span))?;
        self.fits(Poly::ratio(value.rem_euclid(den), den), span)
    }

    /// The remainder that an integer form leaves on division by a constant.
    fn residue(&mut self, form: &Form, modulus: i64, span: Span) -> Follow<i64> {
        if let Some(value) = form.as_int() {
            return Ok(value.rem_euclid(modulus));
        }
        let mut open = None;
        for rest in 0..modulus {
            let shifted = self.fits(form.plus(-rest), span)?;
            let constraint = self.fits(Constraint::divisible(&shifted, modulus), span)?;
            match self.decide(&constraint) {
                Ok(true) => return Ok(rest),
                Ok(false) => {}
                Err(Stop::Split(constraint)) => {
                    open.get_or_insert(constraint);
                }
                Err(other) => return Err(other),
            }
        }
        match open {
            Some(constraint) => Err(Stop::Split(constraint)),
            // no remainder is left: there is no such point
            None => Ok(0),
        }
    }

    /// The largest integer that is at most a number.
    pub(super) fn floor_of(&mut self, poly: &Poly, span: Span) -> Follow<Poly> {
        let part = self.fraction_part(poly, span)?;
        self.difference_of(poly, &part, span)
    }

    /// Floor division: the quotient, and the remainder.
    pub(super) fn divided(&mut self, a: &Poly, b: &Poly, divisor: Span, span: Span) -> Follow<(Poly, Poly)> {
        if let Some((value, den)) = b.as_constant() {
            if value == 0 {
                return Err(Stop::wrong(divisor, "division by zero"));
            }
            let (num, den) = if value < 0 { (-den, -value) } else { (den, value) };
            let quotient = self.fits(a.scale(num, den), span)?;
            let floor = self.floor_of(&quotient, span)?;
            let product = self.fits(floor.mul(b), span)?;
            let rest = self.difference_of(a, &product, span)?;
            return Ok((floor, rest));
        }
        if self.is_zero(b, divisor)? {
            return Err(Stop::wrong(divisor, "division by zero"));
        }
        if !self.above_zero(b, divisor)? {
            let (a, b) = (self.fits(a.neg(), span)?, self.fits(b.neg(), span)?);
            let (quotient, rest) = self.divided(&a, &b, divisor, span)?;
            return Ok((quotient, self.fits(rest.neg(), span)?));
        }
        let (a, b) = (self.with_known(a, span)?, self.with_known(b, span)?);
        if b.as_constant().is_some() {
            return self.divided(&a, &b, divisor, span);
        }
        let quotient = self.quotient(&a, &b, span)?;
        let product = self.fits(quotient.mul(&b), span)?;
        let rest = self.difference_of(&a, &product, span)?;
        Ok((quotient, rest))
    }

    /// The integer q with q b ≤ a < (q + 1) b, for b > 0.
    fn quotient(&mut self, a: &Poly, b: &Poly, span: Span) -> Follow<Poly> {
        let many = || {
            Stop::beyond(
                span,
                "a division by a number that is not constant, with many possible quotients",
                "divide numbers that lie between two multiples of the divisor which are near each other",
            )
        };
        // the multiples of b that can be seen at once, and what remains
        let (seen, rest) = self.fits(long_division(a, b), span)?;
        let (seen, rest) = match self.is_integer(&seen, span)? {
            true => (seen, rest),
            false => (Poly::zero(), a.clone()),
        };
        let mut question = None;
        for quotient in (-LARGEST_QUOTIENT..=LARGEST_QUOTIENT).rev() {
            let multiple = self.fits(b.scale(quotient, 1), span)?;
            if quotient == LARGEST_QUOTIENT {
                // only few quotients may be possible
                let above = self.fits(multiple.add(b), span)?;
                let (over, under) = (self.difference_of(&rest, &above, span)?, self.sum_of(&rest, &above, span)?);
                let is_below = matches!(self.at_least_zero(&over, span), Ok(false));
                if !is_below || !matches!(self.at_least_zero(&under, span), Ok(true)) {
                    return Err(many());
                }
            }
            let over = self.difference_of(&rest, &multiple, span)?;
            match self.at_least_zero(&over, span) {
                Ok(true) => {
                    return match question {
                        None => self.sum_of(&seen, &Poly::int(quotient), span),
                        Some(constraint) => Err(Stop::Split(constraint)),
                    };
                }
                Ok(false) => question = None,
                Err(Stop::Split(constraint)) => question = Some(constraint),
                Err(other) => return Err(other),
            }
        }
        Err(many())
    }

    /// The exact quotient of two numbers; the divisor is not constant.
    pub(super) fn exact_quotient(&mut self, a: &Poly, b: &Poly, divisor: Span, span: Span) -> Follow<Poly> {
        if self.is_zero(b, divisor)? {
            return Err(Stop::wrong(divisor, "division by zero"));
        }
        let (a, b) = (self.with_known(a, span)?, self.with_known(b, span)?);
        if let Some((value, den)) = b.as_constant().filter(|(value, _)| *value != 0) {
            return self.fits(a.scale(den, value), span);
        }
        let (quotient, rest) = self.fits(long_division(&a, &b), span)?;
        if rest.is_zero() {
            return Ok(quotient);
        }
        Err(Stop::beyond(span, "a fraction with a name in its denominator", "multiply both sides by the denominator"))
    }

    /// An integer power of a number.
    pub(super) fn number_power(&mut self, base: &Poly, exponent: &Poly, span: Span) -> Follow<Poly> {
        let exponent = self.with_known(exponent, span)?;
        if !self.is_integer(&exponent, span)? {
            return Err(Stop::wrong(span, "an exponent is an integer, not a fraction"));
        }
        let Some(exponent) = exponent.as_int() else {
            match base.as_int() {
                Some(1) => return Ok(Poly::int(1)),
                Some(-1) => {
                    let form = self.linear(&exponent, span)?;
                    let even = self.fits(Constraint::divisible(&form, 2), span)?;
                    return Ok(Poly::int(if self.decide(&even)? { 1 } else { -1 }));
                }
                _ => {}
            }
            return Err(Stop::beyond(
                span,
                "a power of a number whose exponent is not constant",
                "give a range instead: `for n in 5..24`",
            ));
        };
        let mut base = base.clone();
        if exponent < 0 {
            if self.is_zero(&base, span)? {
                return Err(Stop::wrong(span, "zero has no negative power"));
            }
            base = match self.with_known(&base, span)?.as_constant() {
                Some((value, den)) if value != 0 => self.fits(Poly::ratio(den, value), span)?,
                _ => {
                    return Err(Stop::beyond(
                        span,
                        "a fraction with a name in its denominator",
                        "multiply both sides by the denominator",
                    ));
                }
            };
        }
        let mut power = Poly::int(1);
        for _ in 0..exponent.unsigned_abs() {
            self.step(span)?;
            power = self.fits(power.mul(&base), span)?;
        }
        Ok(power)
    }
}

/// A polynomial by another that is not zero: a quotient and a rest no term of which the divisor's leading term divides.
pub(super) fn long_division(a: &Poly, b: &Poly) -> Result<(Poly, Poly), TooLarge> {
    let (mut quotient, mut rest, mut left) = (Poly::zero(), Poly::zero(), a.clone());
    let Some((divisor, den)) = leading(b) else { return Err(TooLarge) };
    for _ in 0..200 {
        let Some((lead, _)) = leading(&left) else { return Ok((quotient, rest)) };
        match without(&lead.0, &divisor.0) {
            Some(monomial) => {
                // (c / left.den) / (d / den)
                let num = lead.1.checked_mul(den).ok_or(TooLarge)?;
                let below = left.den().checked_mul(divisor.1).ok_or(TooLarge)?;
                let term = term(&monomial, num, below)?;
                left = left.sub(&term.mul(b)?)?;
                quotient = quotient.add(&term)?;
            }
            None => {
                let term = term(&lead.0, lead.1, left.den())?;
                left = left.sub(&term)?;
                rest = rest.add(&term)?;
            }
        }
    }
    Err(TooLarge)
}

/// The term of highest degree, the first of them in one fixed order; with the common denominator.
fn leading(poly: &Poly) -> Option<((Monomial, i64), i64)> {
    let lead = poly.terms().iter().max_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp(b)))?;
    Some((lead.clone(), poly.den()))
}

/// A monomial divided by another, if it is a multiple.
fn without(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut left = a.clone();
    for var in b {
        let at = left.iter().position(|other| other == var)?;
        left.remove(at);
    }
    Some(left)
}

fn term(monomial: &Monomial, num: i64, den: i64) -> Result<Poly, TooLarge> {
    let mut term = Poly::ratio(num, den)?;
    for var in monomial {
        term = term.mul(&Poly::var(*var))?;
    }
    Ok(term)
}

pub(super) fn too_large(span: Span) -> Stop {
    Stop::beyond(span, "numbers as large as these", "use smaller numbers")
}
