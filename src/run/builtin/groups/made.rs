//! How groups are made, and their elements.

use num_bigint::BigUint;
use num_traits::One;

use super::super::{Builtin, Call, Kind, function, one};
use super::{GROUP, TOPIC, any, group_at, rest};
use crate::diagnostic::codes;
use crate::group::{PermGroup, Unfinished};
use crate::perm::Perm;
use crate::random::Random;
use crate::run::group::{GroupValue, Of};
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value};
use crate::run::{Fault, Run};
use crate::source::Span;

pub(in super::super) static FUNCTIONS: &[Builtin] = &[
    function(
        "group",
        TOPIC,
        &[any("a", Kind::Any)],
        "The group that words, permutations, groups, or tuples of these generate. Without arguments: the group of the moves of the puzzle in force, not counting its `extra` moves. Its points are the cells of the puzzle; outside puzzles the integers from 1 to the largest that occurs.",
        &[
            ("NRP(2): order(group())", "120"),
            ("order(group((1 2 3), (3 4 5)))", "60"),
            ("NRP(2): group(X, X Y)", "group(((1,1) (2,1) (2,2) (1,2)), ((1,1) (2,1) (2,3) (1,3) (1,2)))"),
        ],
        group,
    ),
    function(
        "symmetric",
        TOPIC,
        &[one("xs", Kind::Any)],
        "The group of all permutations of a set or tuple of cells, or of 1, 2, …, n for an integer n.",
        &[("symmetric(4)", "group((1 2), (1 2 3 4))"), ("order(symmetric({2, 5, 7}))", "6")],
        |machine, call, span| all_permutations(machine, &call, span, false),
    ),
    function(
        "alternating",
        TOPIC,
        &[one("xs", Kind::Any)],
        "The group of all even permutations of a set or tuple of cells, or of 1, 2, …, n for an integer n.",
        &[("alternating(4)", "group((1 2 3), (2 3 4))"), ("order(alternating(12))", "239500800")],
        |machine, call, span| all_permutations(machine, &call, span, true),
    ),
    function(
        "random",
        TOPIC,
        &[GROUP, one("seed", Kind::Integer)],
        "An element of the group, each equally likely; the same seed gives the same one on every machine.",
        &[("random(group((1 2 3)), 1) in group((1 2 3))", "true")],
        random,
    ),
    function(
        "elements",
        TOPIC,
        &[GROUP],
        "All elements of a small group, as a tuple of permutations; the identity comes first.",
        &[("elements(group((1 2 3)))", "((), (1 2 3), (1 3 2))"), ("len(elements(symmetric(5)))", "120")],
        elements,
    ),
];

fn group(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    if !call.args.is_empty() {
        let group = machine.generated(&rest(&call, 0), span)?;
        return Ok(Value::Group(group.into()));
    }
    match machine.instance.clone() {
        Some(instance) => {
            machine.room_for_pairs(&instance, span)?;
            Ok(Value::Group(GroupValue::of_moves(&instance).into()))
        }
        None => Err(Fault::at(
            codes::NO_PUZZLE,
            span,
            "no puzzle is in force, so there are no moves to generate a group",
            "no generators",
            "put it into `on PUZZLE(…)`, or name generators: `group((1 2 3), (3 4 5))`",
        )),
    }
}

/// The symmetric or alternating group on the points of an argument.
fn all_permutations(machine: &mut Machine<'_>, call: &Call, span: Span, even: bool) -> Run<Value> {
    let place = call.span_of(0);
    let (points, of, degree): (Vec<u32>, Of, usize) = match &call.args[0] {
        Value::Int(_) | Value::Big(_) => {
            let count = machine.small_count(&call.args[0], place, "a number of points")?;
            machine.room_for(u128::from(count), place)?;
            ((0..count as u32).collect(), None, count as usize)
        }
        other => {
            let of = machine.instance.clone();
            let points = machine.points_of(&of, other, place)?;
            let largest = points.iter().max().map_or(0, |point| *point as usize + 1);
            let degree = of.as_ref().map_or(largest, |instance| instance.cells.len());
            machine.room_for(degree as u128, place)?;
            (points, of, degree)
        }
    };
    let count = points.len();
    let cycles: &[&[u32]] = match (even, count) {
        (_, 0 | 1) | (true, 2) => &[],
        (false, 2) | (true, 3) => &[&points],
        (false, _) => &[&points[..2], &points],
        (true, odd) if odd % 2 == 1 => &[&points[..3], &points],
        (true, _) => &[&points[..3], &points[1..]],
    };
    let generators: Result<Vec<Perm>, _> =
        cycles.iter().map(|cycle| Perm::from_cycles(degree, &[cycle.to_vec()])).collect();
    let Ok(generators) = generators else {
        return Err(Fault::at(
            codes::CELL_TWICE,
            place,
            "a cell stands here twice",
            "in this list",
            "name each cell once, or give a set",
        ));
    };
    machine.charge(degree as u64 / 16 + (count as u64).saturating_mul(count as u64 / 64), span)?;
    let mut order = (2..=count).fold(BigUint::one(), |order, k| order * k);
    if even && count >= 2 {
        order /= 2u32;
    }
    Ok(GroupValue::value(PermGroup::with_order(degree, generators, order), of))
}

fn random(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let mut random: Random = super::super::sequences::random_from(&call.args[1]);
    let perm = machine.with_work(span, |work| group.group.random_element(&mut random, work))?;
    Ok(Value::Perm(PermValue { perm, of: group.of.clone() }))
}

fn elements(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let most = list_limit(machine, group.group.degree());
    let elements = machine.with_work(span, |work| {
        let order = group.group.order(work)?;
        let too_many = || Unfinished::TooLarge(format!("the group has {order} elements; at most {most} are listed"));
        if order > BigUint::from(most) {
            return Err(too_many());
        }
        let chain = group.group.chain(work)?;
        let count = usize::try_from(&order).unwrap_or(most);
        work.products(count, group.group.degree())?;
        chain.elements(most).ok_or_else(too_many)
    })?;
    let of = &group.of;
    Ok(Value::tuple(elements.into_iter().map(|perm| Value::Perm(PermValue { perm, of: of.clone() })).collect()))
}

/// So many permutations of a degree may be listed.
pub(super) fn list_limit(machine: &Machine<'_>, degree: usize) -> usize {
    let bytes_of_one = 128 + 8 * degree as u64;
    (machine.shared.limits.max_memory / bytes_of_one).try_into().unwrap_or(usize::MAX)
}
