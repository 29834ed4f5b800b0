//! The values of `for all` in their order: by increasing sum of (value − least value), as the guide promises; of the same
//! sum the first name counts first.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use crate::diagnostic::codes;
use crate::resolve::program::*;
use crate::run::{Fault, Machine, Run, Value};

/// How many values are tried, and how large their sum may get: boards grow with the square or cube of it.
const VALUES: usize = 40;
const LARGEST_SUM: i64 = 11;
/// So many combinations are looked at for one that fulfils all conditions.
const LOOKED_AT: usize = 50_000;

/// The header of a `for all`.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    pub claim: &'a Claim,
    pub items: &'a [AllItem],
    pub condition: Option<&'a Ex>,
}

impl<'a> Header<'a> {
    /// The header of a claim, if it is a `for all`.
    pub fn of(claim: &'a Claim) -> Option<Header<'a>> {
        match &claim.range {
            Range::All(items, condition) => Some(Header { claim, items, condition: condition.as_ref() }),
            _ => None,
        }
    }

    /// The values of the names with the smallest sums, in order. If there are none as small as usual, the first at all.
    pub fn first_values(self, machine: &mut Machine<'_>) -> Run<Vec<Vec<Value>>> {
        let mut found = Vec::new();
        self.visit(machine, &mut |sum, values| {
            let enough = |found: &Vec<_>| sum > LARGEST_SUM && !found.is_empty();
            if enough(&found) {
                return ControlFlow::Break(());
            }
            found.extend(values);
            let full = found.len() >= VALUES || enough(&found);
            if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }

    /// Goes through all values by their sums: those of one sum together, in order.
    pub fn visit(
        self,
        machine: &mut Machine<'_>,
        each: &mut dyn FnMut(i64, Vec<Vec<Value>>) -> ControlFlow<()>,
    ) -> Run<()> {
        let mut looked_at = 0;
        for sum in 0.. {
            let mut found = Vec::new();
            self.walk(machine, self.items, sum, &mut looked_at, &mut found)?;
            let stopped = machine.shared.stop.load(Ordering::Relaxed) != 0;
            if each(sum, found).is_break() || looked_at > LOOKED_AT || stopped {
                break;
            }
        }
        Ok(())
    }

    fn walk(
        self,
        machine: &mut Machine<'_>,
        items: &[AllItem],
        left: i64,
        looked_at: &mut usize,
        found: &mut Vec<Vec<Value>>,
    ) -> Run<()> {
        let Some((item, rest)) = items.split_first() else {
            if left == 0 && truth(machine, self.condition)? {
                found.push(self.claim.names.iter().map(|(_, slot)| machine.slot(*slot)).collect());
            }
            return Ok(());
        };
        let least = least(machine, item)?;
        let (from, to) = if rest.is_empty() { (left, left) } else { (0, left) };
        for over in from..=to {
            *looked_at += 1;
            let value = least.saturating_add(over);
            machine.set_slot(item.slot, Value::Int(value));
            if fits(item, value) && truth(machine, Some(&item.chain))? {
                self.walk(machine, rest, left - over, looked_at, found)?;
            }
        }
        Ok(())
    }

    /// Where values stand in the order; `None` if they are not in the range.
    pub fn place(self, machine: &mut Machine<'_>, values: &[Value]) -> Run<Option<Vec<i64>>> {
        let mut place = vec![0i64];
        for (item, value) in self.items.iter().zip(values) {
            let Value::Int(value) = value else { return Ok(None) };
            let least = least(machine, item)?;
            machine.set_slot(item.slot, Value::Int(*value));
            if *value < least || !fits(item, *value) || !truth(machine, Some(&item.chain))? {
                return Ok(None);
            }
            let over = value.saturating_sub(least);
            place[0] = place[0].saturating_add(over);
            place.push(over);
        }
        Ok(truth(machine, self.condition)?.then_some(place))
    }
}

fn fits(item: &AllItem, value: i64) -> bool {
    match item.parity {
        Some(Parity::Even) => value % 2 == 0,
        Some(Parity::Odd) => value % 2 != 0,
        None => true,
    }
}

/// The least value that the lower bounds of an item allow.
fn least(machine: &mut Machine<'_>, item: &AllItem) -> Run<i64> {
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
    Ok(least)
}

fn truth(machine: &mut Machine<'_>, condition: Option<&Ex>) -> Run<bool> {
    match condition {
        None => Ok(true),
        Some(ex) => Ok(matches!(machine.value_of(ex)?, Value::Bool(true))),
    }
}
