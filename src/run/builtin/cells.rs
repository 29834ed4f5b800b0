//! Cells.

use super::{Builtin, Call, Kind, function, many, one};
use crate::diagnostic::codes;
use crate::run::machine::Machine;
use crate::run::value::Value;
use crate::run::{Fault, Run};
use crate::source::Span;

pub(super) static FUNCTIONS: &[Builtin] = &[
    function(
        "row",
        "cells",
        &[one("p", Kind::Cell)],
        "The first coordinate of a cell.",
        &[("row((3, 5))", "3"), ("row(3, 5)", "3")],
        |machine, call, span| coordinate(machine, call, span, 0),
    ),
    function(
        "col",
        "cells",
        &[one("p", Kind::Cell)],
        "The second coordinate of a cell.",
        &[("col((3, 5))", "5")],
        |machine, call, span| coordinate(machine, call, span, 1),
    ),
    function(
        "number",
        "cells",
        &[one("p", Kind::Cell)],
        "The number of a cell in order of declaration, from 1.",
        &[("NRP(3): number((2, 1))", "5"), ("NRP(3): number(2, 1)", "5")],
        number,
    ),
    function(
        "cell",
        "cells",
        &[one("k", Kind::Integer)],
        "The cell with a number, from 1 in order of declaration.",
        &[("NRP(3): cell(5)", "(2, 1)")],
        cell,
    ),
    function(
        "box",
        "cells",
        &[many("r", Kind::Sequence)],
        "The set of the tuples with one coordinate from each range: `box(1..2, 1..3)` has 6 elements. One sequence of ranges may be given instead.",
        &[("box(1..2, 3..4)", "{(1, 3), (1, 4), (2, 3), (2, 4)}"), ("box(1..s for s in (2, 1))", "{(1, 1), (2, 1)}")],
        box_of,
    ),
    function(
        "with",
        "cells",
        &[one("p", Kind::Sequence), one("k", Kind::Integer), one("v", Kind::Any)],
        "The tuple with its k-th element replaced.",
        &[("with((1, 2, 3), 2, 9)", "(1, 9, 3)")],
        with,
    ),
];

fn coordinate(machine: &mut Machine<'_>, call: Call, _: Span, at: usize) -> Run<Value> {
    match call.args[0].elements() {
        Some(parts) if parts.len() > at => Ok(parts[at].clone()),
        _ => {
            let shown = machine.print(&call.args[0]);
            Err(Fault::at(
                codes::BAD_ARGUMENT,
                call.span_of(0),
                format!("{shown} has no {} coordinate", if at == 0 { "first" } else { "second" }),
                "not such a cell",
                "cells of this board are not pairs",
            ))
        }
    }
}

fn number(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let instance = machine.in_force(span)?;
    match instance.number_of(&call.args[0]) {
        Some(number) => Ok(Value::Int(i64::from(number) + 1)),
        None => Err(machine.no_cell(&call.args[0], &instance, call.span_of(0))),
    }
}

fn cell(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let instance = machine.in_force(span)?;
    match &call.args[0] {
        Value::Int(k) if *k >= 1 && *k <= instance.cells.len() as i64 => Ok(instance.cell(*k as u32 - 1)),
        other => {
            let shown = machine.print(other);
            Err(Fault::at(
                codes::NOT_A_CELL,
                call.span_of(0),
                format!("{} has no cell number {shown}", instance.name),
                "out of range",
                format!("cells are numbered from 1 to {}", instance.cells.len()),
            ))
        }
    }
}

fn box_of(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let ranges = match call.args.as_slice() {
        [Value::Tuple(ranges)] if ranges.iter().all(|range| range.size().is_some()) => ranges.to_vec(),
        _ => call.args.clone(),
    };
    machine.box_of(&ranges, span, &|_| true)
}

fn with(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let mut parts = machine.elements_of(&call.args[0], call.span_of(0))?;
    // the same error as reading it
    machine.element(&call.args[0], &call.args[1], call.span_of(1))?;
    if let Value::Int(at) = call.args[1] {
        parts[at as usize - 1] = call.args[2].clone();
    }
    Ok(Value::tuple(parts))
}
