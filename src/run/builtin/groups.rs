//! Groups. One file a topic: how groups are made, what the moves of a puzzle reach, how groups move points, their
//! subgroups, and maps between them.

mod made;
mod maps;
mod moves;
mod points;
mod slides;
pub(in crate::run) use slides::why_not;
mod subgroups;

use std::sync::Arc;

use super::{Call, Kind, Param};
use crate::diagnostic::codes;
use crate::group::{Done, PermGroup, Work};
use crate::run::group::GroupValue;
use crate::run::machine::Machine;
use crate::run::value::Value;
use crate::run::{Fault, Run};
use crate::source::Span;

pub(super) use made::FUNCTIONS as MADE;
pub(super) use maps::FUNCTIONS as MAPS;
pub(super) use moves::{FUNCTIONS as MOVES, factored, reason};
pub(super) use points::FUNCTIONS as POINTS;
pub(super) use subgroups::{FUNCTIONS as SUBGROUPS, index};

const TOPIC: &str = "groups";

const GROUP: Param = super::one("G", Kind::Group);

/// A parameter that may be left out.
const fn maybe(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: true, many: false }
}

/// Any number of arguments, also none.
pub(super) const fn any(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: true, many: true }
}

/// The group that an argument is; its kind was checked.
fn group_at(call: &Call, at: usize) -> Run<Arc<GroupValue>> {
    match call.args.get(at) {
        Some(Value::Group(group)) => Ok(group.clone()),
        _ => Err(Fault::at(
            codes::WRONG_KIND,
            call.span_of(at),
            "a group is needed here",
            "not a group",
            "write `group(a, b)`, or `group()` for the moves of the puzzle in force",
        )),
    }
}

/// The arguments from one on, each with its place.
fn rest(call: &Call, from: usize) -> Vec<(Value, Span)> {
    call.args.iter().enumerate().skip(from).map(|(at, value)| (value.clone(), call.span_of(at))).collect()
}

/// A truth about one group.
fn ask(
    machine: &mut Machine<'_>,
    call: &Call,
    span: Span,
    question: impl FnOnce(&PermGroup, Work<'_>) -> Done<bool>,
) -> Run<Value> {
    let group = group_at(call, 0)?;
    machine.with_work(span, |work| question(&group.group, work)).map(Value::Bool)
}

/// A group that belongs to one group.
fn part(
    machine: &mut Machine<'_>,
    call: &Call,
    span: Span,
    compute: impl FnOnce(&PermGroup, Work<'_>) -> Done<PermGroup>,
) -> Run<Value> {
    let group = group_at(call, 0)?;
    let part = machine.with_work(span, |work| compute(&group.group, work))?;
    Ok(GroupValue::value(part, group.of.clone()))
}
