//! The first values of `for all`: by increasing sum of (value − least value), as the guide promises.

use crate::diagnostic::codes;
use crate::resolve::program::*;
use crate::run::{Fault, Machine, Run, Value};

/// How many values are tried, and how large their sum may get.
const VALUES: usize = 48;
const LARGEST_SUM: i64 = 24;

/// The values of the names of a `for all` with the smallest sums, in order.
pub fn first_values(
    machine: &mut Machine<'_>,
    claim: &Claim,
    items: &[AllItem],
    condition: Option<&Ex>,
) -> Run<Vec<Vec<Value>>> {
    let mut found = Vec::new();
    for sum in 0..=LARGEST_SUM {
        walk(machine, claim, items, condition, sum, &mut found)?;
        if found.len() >= VALUES {
            break;
        }
    }
    Ok(found)
}

fn walk(
    machine: &mut Machine<'_>,
    claim: &Claim,
    items: &[AllItem],
    condition: Option<&Ex>,
    left: i64,
    found: &mut Vec<Vec<Value>>,
) -> Run<()> {
    let Some((item, rest)) = items.split_first() else {
        if left == 0 && truth(machine, condition)? {
            found.push(claim.names.iter().map(|(_, slot)| machine.slot(*slot)).collect());
        }
        return Ok(());
    };
    let mut least = i64::MIN;
    for (bound, strict) in &item.lower {
        match machine.value_of(bound)? {
            Value::Int(value) => least = least.max(value.saturating_add(i64::from(*strict))),
            Value::Fraction(value) => {
                let ceiling = Value::fraction(value.ceil());
                if let Value::Int(value) = ceiling {
                    least = least.max(value);
                }
            }
            other => {
                return Err(Fault::at(
                    codes::BAD_RANGE,
                    bound.span,
                    format!("a bound must be a number, not {}", other.kind()),
                    "this bound",
                    "write an integer or a linear form such as `n - 1`",
                ));
            }
        }
    }
    let (from, to) = if rest.is_empty() { (left, left) } else { (0, left) };
    for over in from..=to {
        let value = least.saturating_add(over);
        let parity = match item.parity {
            Some(Parity::Even) => value % 2 == 0,
            Some(Parity::Odd) => value % 2 != 0,
            None => true,
        };
        machine.set_slot(item.slot, Value::Int(value));
        if parity && truth(machine, Some(&item.chain))? {
            walk(machine, claim, rest, condition, left - over, found)?;
        }
    }
    Ok(())
}

fn truth(machine: &mut Machine<'_>, condition: Option<&Ex>) -> Run<bool> {
    match condition {
        None => Ok(true),
        Some(ex) => Ok(matches!(machine.value_of(ex)?, Value::Bool(true))),
    }
}
