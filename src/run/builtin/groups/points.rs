//! How a group moves points: orbits, blocks, transitivity.

use super::super::{Builtin, Call, Kind, function, one};
use super::made::list_limit;
use super::{GROUP, TOPIC, group_at, maybe};
use crate::diagnostic::codes;
use crate::group::Object;
use crate::perm::Perm;
use crate::run::group::{GroupValue, object_value, point_set};
use crate::run::machine::Machine;
use crate::run::value::{Key, PermValue, Set, Value, order};
use crate::run::{Fault, Run};
use crate::source::Span;

const CELLS: super::Param = maybe("S", Kind::Any);

pub(in super::super) static FUNCTIONS: &[Builtin] = &[
    function(
        "orbits",
        TOPIC,
        &[GROUP],
        "The orbits of a group, a tuple of sets: cells are in one orbit if some element takes one to the other. Cells that no element moves are orbits of their own.",
        &[("orbits(group((1 2 3), (5 6)))", "({1, 2, 3}, {4}, {5, 6})"), ("len(orbits(group((1 2)(3 4))))", "2")],
        orbits,
    ),
    function(
        "orbit",
        TOPIC,
        &[GROUP, one("x", Kind::Any)],
        "The set of the cells that elements of the group take the cell x to. Of a set or tuple, at any depth: the set of what it is taken to.",
        &[
            ("orbit(group((1 2 3 4)), {1, 3})", "{{1, 3}, {2, 4}}"),
            ("orbit(group((1 2 3), (3 4)), 2)", "{1, 2, 3, 4}"),
            ("NRP(2): len(orbit(group(X), (1, 1)))", "4"),
        ],
        orbit,
    ),
    function(
        "transversal",
        TOPIC,
        &[GROUP, one("x", Kind::Any)],
        "For each cell that elements of the group take the cell x to, one such element: a dictionary. They are representatives of the cosets of the stabilizer of x. Instead of a cell also a set or tuple of cells.",
        &[
            ("transversal(group((1 2 3)), 1)", "map(1 -> (), 2 -> (1 2 3), 3 -> (1 3 2))"),
            ("transversal(symmetric(4), {1, 2})[{2, 3}]({1, 2})", "{2, 3}"),
        ],
        transversal,
    ),
    function(
        "is_transitive",
        TOPIC,
        &[GROUP, CELLS],
        "Is there one orbit only? With a set S of cells: is S an orbit?",
        &[
            ("NRP(2): is_transitive(group())", "true"),
            ("NRP(2): is_transitive(group(X))", "false"),
            ("is_transitive(group((2 3 4)), {2, 3, 4})", "true"),
        ],
        |machine, call, _| {
            let group = group_at(&call, 0)?;
            let points = all_or_given(machine, &group, &call)?;
            Ok(Value::Bool(group.group.is_transitive_on(&points)))
        },
    ),
    function(
        "transitivity",
        TOPIC,
        &[GROUP, CELLS],
        "The largest k for which the group takes any k different cells, in any order, to any k different cells. With a set S: of the action on S. 0 if it is not even transitive.",
        &[("transitivity(alternating(5))", "3"), ("transitivity(group((1 2 3 4 5), (2 5)(3 4)))", "1")],
        |machine, call, span| {
            let group = group_at(&call, 0)?;
            let points = all_or_given(machine, &group, &call)?;
            machine.with_work(span, |work| group.group.transitivity(&points, work)).map(Value::count)
        },
    ),
    function(
        "blocks",
        TOPIC,
        &[GROUP, CELLS],
        "All minimal block systems: the ways to divide the cells into sets of equal size, more than one and of more than one cell, that each element moves as wholes, and that cannot be divided further. With a set S, an orbit: of the action on S.",
        &[
            ("blocks(group((1 2 3 4)))", "({{1, 3}, {2, 4}},)"),
            ("blocks(group((1 2 3 4 5 6)))", "({{1, 4}, {2, 5}, {3, 6}}, {{1, 3, 5}, {2, 4, 6}})"),
            ("blocks(symmetric(4))", "()"),
        ],
        blocks,
    ),
    function(
        "is_primitive",
        TOPIC,
        &[GROUP, CELLS],
        "Is the group transitive, and without blocks? With a set S: of the action on S.",
        &[
            ("is_primitive(group((1 2 3 4 5)))", "true"),
            ("is_primitive(group((1 2 3 4)))", "false"),
            ("is_primitive(group((1 2)(3 4 5)), {3, 4, 5})", "true"),
        ],
        |machine, call, span| {
            let group = group_at(&call, 0)?;
            let points = all_or_given(machine, &group, &call)?;
            machine.with_work(span, |work| group.group.is_primitive(&points, work)).map(Value::Bool)
        },
    ),
];

/// The cells of the second argument; without one all points.
fn all_or_given(machine: &mut Machine<'_>, group: &GroupValue, call: &Call) -> Run<Vec<u32>> {
    match call.args.get(1) {
        Some(set) => machine.points_of(&group.of, set, call.span_of(1)),
        None => {
            machine.charge(group.group.degree() as u64 / 64, call.span)?;
            Ok((0..group.group.degree() as u32).collect())
        }
    }
}

fn orbits(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    machine.charge(group.group.degree() as u64 / 4, span)?;
    Ok(Value::tuple(group.group.orbits().lists.iter().map(|orbit| point_set(&group.of, orbit)).collect()))
}

fn orbit(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let point = match machine.object_of(&group.of, &call.args[1], call.span_of(1))? {
        Object::Point(point) => point,
        object => {
            let orbit = machine.with_work(span, |work| group.group.object_orbit(&object, work))?;
            machine.charge(orbit.len() as u64, span)?;
            let objects = orbit.iter().map(|object| object_value(&group.of, object)).collect();
            return Ok(Value::Set(Set::new(objects).into()));
        }
    };
    machine.charge(group.group.degree() as u64 / 16, span)?;
    Ok(match group.group.orbits().orbit_of(point) {
        // an integer beyond those that the group was made with
        [] => point_set(&group.of, &[point]),
        orbit => point_set(&group.of, orbit),
    })
}

fn transversal(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let object = machine.object_of(&group.of, &call.args[1], call.span_of(1))?;
    let limit = list_limit(machine, group.group.degree());
    let ways = machine.with_work(span, |work| group.group.object_transversal(&object, limit, work))?;
    let mut ways: Vec<(Value, Perm)> =
        ways.into_iter().map(|(object, way)| (object_value(&group.of, &object), way)).collect();
    ways.sort_by(|a, b| order(&a.0, &b.0));
    let of = &group.of;
    let pairs = ways.into_iter().map(|(object, perm)| (Key(object), Value::Perm(PermValue { perm, of: of.clone() })));
    Ok(Value::Map(std::sync::Arc::new(pairs.collect())))
}

fn blocks(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let points = all_or_given(machine, &group, &call)?;
    if !group.group.is_transitive_on(&points) {
        let (place, title) = match call.args.get(1) {
            Some(_) => (call.span_of(1), "these cells are not an orbit of the group".to_string()),
            None => (span, format!("the group has {} orbits, and blocks divide one", group.group.orbits().count())),
        };
        return Err(Fault::at(
            codes::NOT_KEPT,
            place,
            title,
            "not one orbit",
            "name the orbit by one of its cells: `blocks(G, orbit(G, x))`",
        ));
    }
    let systems = machine.with_work(span, |work| group.group.minimal_blocks(&points, work))?;
    machine.charge(systems.len() as u64 * points.len() as u64 / 4, span)?;
    let systems = systems.iter().map(|system| {
        let blocks = system.blocks.iter().map(|block| point_set(&group.of, block)).collect();
        Value::Set(Set::new(blocks).into())
    });
    Ok(Value::tuple(systems.collect()))
}
