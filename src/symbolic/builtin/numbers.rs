//! Functions of numbers.

use num_integer::Integer;

use crate::prove::Poly;
use crate::source::Span;
use crate::symbolic::access::Call;
use crate::symbolic::number::long_division;
use crate::symbolic::{Follow, Machine, Stop, Value};

impl Machine<'_> {
    pub(super) fn call_numbers(&mut self, name: &str, id: u32, call: &Call, span: Span) -> Follow<Value> {
        match name {
            "even" | "odd" => {
                let value = self.integer_at(call, 0)?;
                let half = self.fits(value.scale(1, 2), span)?;
                Ok(Value::Bool(self.is_integer(&half, span)? == (name == "even")))
            }
            "gcd" => {
                let mut result = Poly::zero();
                for at in 0..call.args.len() {
                    let next = self.integer_at(call, at)?;
                    result = self.gcd(&result, &next, 0, span)?;
                }
                Ok(Value::Number(result))
            }
            "lcm" => {
                let mut result = Poly::int(1);
                for at in 0..call.args.len() {
                    let next = self.integer_at(call, at)?;
                    let common = self.gcd(&result, &next, 0, span)?;
                    if common.is_zero() {
                        result = Poly::zero();
                        continue;
                    }
                    let Some(divisor) = common.as_int() else { return Err(self.beyond_builtin(id, span)) };
                    let product = self.fits(result.mul(&next), span)?;
                    let product = self.absolute(&product, span)?;
                    result = self.fits(product.scale(1, divisor), span)?;
                }
                Ok(Value::Number(result))
            }
            "abs" => {
                let value = self.number_at(call, 0)?;
                Ok(Value::Number(self.absolute(&value, span)?))
            }
            "floor" => {
                let value = self.number_at(call, 0)?;
                Ok(Value::Number(self.floor_of(&value, span)?))
            }
            "ceil" => {
                let value = self.fits(self.number_at(call, 0)?.neg(), span)?;
                let floor = self.floor_of(&value, span)?;
                Ok(Value::Number(self.fits(floor.neg(), span)?))
            }
            "isqrt" | "ceil_log2" => {
                let value = self.integer_at(call, 0)?;
                let least = Poly::int(if name == "isqrt" { 0 } else { 1 });
                let over = self.difference_of(&value, &least, span)?;
                if !self.at_least_zero(&over, span)? {
                    return Err(Stop::wrong(call.span_of(0), "this number is too small"));
                }
                let Some(value) = self.with_known(&value, span)?.as_int() else {
                    return Err(self.beyond_builtin(id, span));
                };
                Ok(Value::int(match name {
                    "isqrt" => value.isqrt(),
                    _ => i64::from(64 - (value - 1).leading_zeros()),
                }))
            }
            _ => Err(self.beyond_builtin(id, span)),
        }
    }

    pub(in crate::symbolic) fn absolute(&mut self, value: &Poly, span: Span) -> Follow<Poly> {
        match self.at_least_zero(value, span)? {
            true => Ok(value.clone()),
            false => self.fits(value.neg(), span),
        }
    }

    /// The greatest common divisor of two integers.
    fn gcd(&mut self, a: &Poly, b: &Poly, depth: u32, span: Span) -> Follow<Poly> {
        let (a, b) = (self.with_known(a, span)?, self.with_known(b, span)?);
        match (a.as_int(), b.as_int()) {
            (Some(x), Some(y)) => return Ok(Poly::int(x.gcd(&y))),
            (Some(0), None) => return self.absolute(&b, span),
            (None, Some(0)) => return self.absolute(&a, span),
            (Some(1 | -1), None) | (None, Some(1 | -1)) => return Ok(Poly::int(1)),
            (Some(value), None) | (None, Some(value)) => {
                let other = if a.as_int().is_some() { &b } else { &a };
                let (_, rest) = self.divided(other, &Poly::int(value.abs()), span, span)?;
                return self.gcd(&rest, &Poly::int(value), depth, span);
            }
            (None, None) => {}
        }
        if depth < 4 {
            // Euclid, where one is a multiple of the other and something simpler
            for (x, y) in [(&a, &b), (&b, &a)] {
                let Ok((quotient, rest)) = long_division(x, y) else { continue };
                if !quotient.is_zero() && quotient.den() == 1 && rest.degree() < y.degree().max(x.degree()) {
                    return self.gcd(y, &rest, depth + 1, span);
                }
            }
        }
        Err(Stop::beyond(
            span,
            "the greatest common divisor of these numbers",
            "give a range instead: `for n in 5..24`",
        ))
    }
}
