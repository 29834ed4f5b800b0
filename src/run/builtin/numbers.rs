//! Numbers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::{Builtin, Call, Kind, function, many, one};
use crate::diagnostic::codes;
use crate::run::Fault;
use crate::run::machine::Machine;
use crate::run::value::Value;

pub(super) static FUNCTIONS: &[Builtin] = &[
    function(
        "even",
        "numbers",
        &[one("k", Kind::Integer)],
        "Is an integer even?",
        &[("even(-4)", "true")],
        |_, call, _| Ok(Value::Bool(integer(&call, 0).is_even())),
    ),
    function(
        "odd",
        "numbers",
        &[one("k", Kind::Integer)],
        "Is an integer odd?",
        &[("odd(7)", "true")],
        |_, call, _| Ok(Value::Bool(integer(&call, 0).is_odd())),
    ),
    function(
        "gcd",
        "numbers",
        &[many("k", Kind::Integer)],
        "The greatest common divisor; `gcd(0, 0)` is 0.",
        &[("gcd(12, 18)", "6")],
        |machine, call, span| {
            let mut result = BigInt::zero();
            for at in 0..call.args.len() {
                let next = integer(&call, at);
                machine.charge_square(result.bits() + next.bits(), span)?;
                result = result.gcd(&next);
            }
            Ok(Value::integer(result))
        },
    ),
    function(
        "lcm",
        "numbers",
        &[many("k", Kind::Integer)],
        "The least common multiple.",
        &[("lcm(4, 6)", "12")],
        |machine, call, span| {
            let mut result = BigInt::one();
            for at in 0..call.args.len() {
                let next = integer(&call, at);
                machine.charge_square(result.bits() + next.bits(), span)?;
                result = result.lcm(&next);
            }
            Ok(Value::integer(result))
        },
    ),
    function(
        "abs",
        "numbers",
        &[one("x", Kind::Number)],
        "The absolute value.",
        &[("abs(-3)", "3"), ("abs(-1/2)", "1/2")],
        |_, call, _| Ok(call.args[0].as_fraction().map_or(Value::Nothing, |value| Value::fraction(value.abs()))),
    ),
    function(
        "floor",
        "numbers",
        &[one("x", Kind::Number)],
        "The largest integer that is at most x.",
        &[("floor(-1/2)", "-1")],
        |_, call, _| Ok(call.args[0].as_fraction().map_or(Value::Nothing, |value| Value::fraction(value.floor()))),
    ),
    function(
        "ceil",
        "numbers",
        &[one("x", Kind::Number)],
        "The least integer that is at least x.",
        &[("ceil(7/2)", "4")],
        |_, call, _| Ok(call.args[0].as_fraction().map_or(Value::Nothing, |value| Value::fraction(value.ceil()))),
    ),
    function(
        "isqrt",
        "numbers",
        &[one("k", Kind::Integer)],
        "The integer part of the square root.",
        &[("isqrt(17)", "4")],
        |machine, call, span| {
            let value = integer(&call, 0);
            if value.is_negative() {
                return Err(negative(machine, &call, "square root"));
            }
            machine.charge_square(value.bits(), span)?;
            Ok(Value::integer(value.sqrt()))
        },
    ),
    function(
        "ceil_log2",
        "numbers",
        &[one("k", Kind::Integer)],
        "The least e with 2^e ≥ k, for k ≥ 1.",
        &[("ceil_log2(1)", "0"), ("ceil_log2(9)", "4")],
        |machine, call, _| {
            let value = integer(&call, 0);
            if !value.is_positive() {
                return Err(negative(machine, &call, "logarithm"));
            }
            Ok(Value::integer(BigInt::from((value - 1u32).bits())))
        },
    ),
];

fn integer(call: &Call, at: usize) -> BigInt {
    call.args[at].as_big().unwrap_or_default()
}

fn negative(machine: &Machine<'_>, call: &Call, what: &str) -> Fault {
    let shown = machine.print(&call.args[0]);
    Fault::at(
        codes::BAD_ARGUMENT,
        call.span_of(0),
        format!("{shown} has no {what}"),
        "too small",
        "check the argument first",
    )
}
