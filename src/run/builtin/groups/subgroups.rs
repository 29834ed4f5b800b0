//! Subgroups: stabilizers, centres, cosets, conjugates, and what kind of group it is.

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::super::{Builtin, Call, Kind, function, many, one};
use super::made::list_limit;
use super::{GROUP, TOPIC, ask, group_at, part, rest};
use crate::diagnostic::codes;
use crate::group::{ConjugacyClass, Object, PermGroup};
use crate::run::group::{GroupValue, Of, group_text};
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value};
use crate::run::{Fault, Run};
use crate::source::Span;

const SUBGROUP: super::Param = one("H", Kind::Group);

pub(in super::super) static FUNCTIONS: &[Builtin] = &[
    function(
        "stabilizer",
        TOPIC,
        &[GROUP, many("x", Kind::Any)],
        "The elements of the group that fix a cell x. A set may be moved within itself, a set of sets as well; of a tuple each part is kept. Of several arguments all are kept.",
        &[
            ("stabilizer(symmetric(3), 1)", "group((2 3))"),
            ("order(stabilizer(symmetric(6), {1, 2}))", "48"),
            ("order(stabilizer(symmetric(6), (1, 2)))", "24"),
            ("order(stabilizer(symmetric(6), 1, {2, 3}))", "12"),
            ("order(stabilizer(symmetric(6), {{1, 2}, {3, 4}, {5, 6}}))", "48"),
        ],
        stabilizer,
    ),
    function(
        "cosets",
        TOPIC,
        &[GROUP, SUBGROUP],
        "One element of each coset of a subgroup H, a tuple: each element of G is, in one way, an element of H and then one of these. The identity comes first.",
        &[
            ("cosets(symmetric(3), group((1 2)))", "((), (1 2 3), (2 3))"),
            ("len(cosets(symmetric(5), symmetric(4)))", "5"),
        ],
        cosets,
    ),
    function(
        "center",
        TOPIC,
        &[GROUP],
        "The elements of the group that commute with all of it.",
        &[("center(group((1 2 3 4), (1 3)))", "group((1 3)(2 4))"), ("order(center(symmetric(5)))", "1")],
        |machine, call, span| part(machine, &call, span, |group, work| group.center(work)),
    ),
    function(
        "centralizer",
        TOPIC,
        &[GROUP, many("x", Kind::Any)],
        "The elements of the group that commute with words or permutations, or with all elements of groups.",
        &[("order(centralizer(symmetric(5), (1 2 3)))", "6"), ("order(centralizer(symmetric(5), (1 2)(3 4)))", "8")],
        centralizer,
    ),
    function(
        "derived",
        TOPIC,
        &[GROUP],
        "The group that all commutators `[a, b]` of elements generate.",
        &[("derived(symmetric(4)) == alternating(4)", "true"), ("order(derived(group((1 2 3 4), (1 3))))", "2")],
        |machine, call, span| part(machine, &call, span, |group, work| group.derived(work)),
    ),
    function(
        "normal_closure",
        TOPIC,
        &[GROUP, many("x", Kind::Any)],
        "The smallest group that contains words, permutations or groups and is kept by all elements of G: what they and all their conjugates generate.",
        &[("normal_closure(symmetric(5), (1 2 3)) == alternating(5)", "true")],
        normal_closure,
    ),
    function(
        "intersection",
        TOPIC,
        &[GROUP, SUBGROUP],
        "The group of the elements that two groups have in common.",
        &[("order(intersection(alternating(4), group((1 2 3 4))))", "2")],
        |machine, call, span| {
            let (one, other, of) = two(machine, &call)?;
            let common = machine.with_work(span, |work| one.intersection(&other, work))?;
            Ok(GroupValue::value(common, of))
        },
    ),
    function(
        "conjugacy_classes",
        TOPIC,
        &[GROUP],
        "The conjugacy classes of a group that has few of them: a tuple of pairs, an element of the class and how many elements it has.",
        &[("conjugacy_classes(symmetric(3))", "(((), 1), ((2 3), 3), ((1 2 3), 2))")],
        conjugacy_classes,
    ),
    function(
        "is_normal",
        TOPIC,
        &[GROUP, SUBGROUP],
        "Is H a normal subgroup of G: inside it, and kept by conjugation with its elements?",
        &[("is_normal(symmetric(4), alternating(4))", "true"), ("is_normal(symmetric(4), symmetric(3))", "false")],
        |machine, call, span| {
            let (group, subgroup, _) = two(machine, &call)?;
            machine.with_work(span, |work| subgroup.is_normal_in(&group, work)).map(Value::Bool)
        },
    ),
    function(
        "is_abelian",
        TOPIC,
        &[GROUP],
        "Do all elements commute?",
        &[("is_abelian(group((1 2), (3 4)))", "true"), ("is_abelian(symmetric(3))", "false")],
        |machine, call, span| {
            ask(machine, &call, span, |group, work| {
                work.products(2 * group.generators().len().pow(2), group.degree())?;
                Ok(group.is_abelian())
            })
        },
    ),
    function(
        "is_solvable",
        TOPIC,
        &[GROUP],
        "Do commutators of commutators of …, taken often enough, leave only the identity? This is about the structure of a group; whether an arrangement can be solved says `solvable`.",
        &[("is_solvable(symmetric(4))", "true"), ("is_solvable(symmetric(5))", "false")],
        |machine, call, span| ask(machine, &call, span, |group, work| group.is_solvable(work)),
    ),
    function(
        "is_perfect",
        TOPIC,
        &[GROUP],
        "Do the commutators generate the whole group?",
        &[("is_perfect(alternating(5))", "true"), ("is_perfect(symmetric(5))", "false")],
        |machine, call, span| ask(machine, &call, span, |group, work| group.is_perfect(work)),
    ),
    function(
        "is_simple",
        TOPIC,
        &[GROUP],
        "Has the group exactly two normal subgroups, itself and the identity?",
        &[("is_simple(alternating(5))", "true"), ("is_simple(alternating(4))", "false")],
        |machine, call, span| ask(machine, &call, span, |group, work| group.is_simple(work)),
    ),
    function(
        "identify",
        TOPIC,
        &[GROUP],
        "A name for the group, such as \"S5\" or \"C2 x A4\"; without a known name its order. `show G` adds the reasons.",
        &[("identify(group((1 2 3 4), (1 3)))", "D4"), ("Cube(2): identify(group())", "C3^7:S8")],
        identify,
    ),
    function(
        "is_symmetric",
        TOPIC,
        &[GROUP],
        "Does the group consist of all permutations of the cells that it moves?",
        &[
            ("NRP(6): is_symmetric(group())", "true"),
            ("is_symmetric(group((1 2 3), (3 4)))", "true"),
            ("is_symmetric(group((1 2 3), (3 4 5)))", "false"),
        ],
        |machine, call, span| of_order(machine, &call, span, false),
    ),
    function(
        "is_alternating",
        TOPIC,
        &[GROUP],
        "Does the group consist of all even permutations of the cells that it moves?",
        &[("is_alternating(group((1 2 3), (3 4 5)))", "true"), ("is_alternating(symmetric(4))", "false")],
        |machine, call, span| of_order(machine, &call, span, true),
    ),
    function(
        "conjugate_in",
        TOPIC,
        &[GROUP, one("a", Kind::Word), one("b", Kind::Word)],
        "Is there an element g of the group with `g' a g == b`?",
        &[
            ("conjugate_in(symmetric(3), (1 2 3), (1 3 2))", "true"),
            ("conjugate_in(alternating(3), (1 2 3), (1 3 2))", "false"),
        ],
        |machine, call, span| Ok(Value::Bool(conjugated_by(machine, &call, span)?.is_some())),
    ),
    function(
        "conjugator",
        TOPIC,
        &[GROUP, one("a", Kind::Word), one("b", Kind::Word)],
        "An element g of the group with `g' a g == b`. It is an error if there is none: ask with `conjugate_in` first.",
        &[("conjugator(symmetric(4), (1 2), (3 4))", "(1 3)(2 4)")],
        conjugator,
    ),
];

/// The two groups that are the first two arguments, on the same points.
fn two(machine: &mut Machine<'_>, call: &Call) -> Run<(std::sync::Arc<PermGroup>, std::sync::Arc<PermGroup>, Of)> {
    let (group, subgroup) = (group_at(call, 0)?, group_at(call, 1)?);
    machine.both(&group, &subgroup, call.span_of(1))
}

fn stabilizer(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let value = group_at(&call, 0)?;
    let mut group = value.group.clone();
    for (argument, place) in rest(&call, 1) {
        let object = machine.object_of(&value.of, &argument, place)?;
        let next = machine.with_work(span, |work| match (points_in(&object), &object) {
            (_, Object::Point(point)) => group.stabilizer(*point, work),
            (Some(points), Object::Tuple(_)) => group.pointwise_stabilizer(&points, work),
            (Some(points), Object::Set(_)) => group.set_stabilizer(&points, work),
            (None, _) => group.object_stabilizer(&object, work),
        })?;
        group = next.into();
    }
    Ok(GroupValue::value(group, value.of.clone()))
}

/// The points of a set or tuple that has nothing else in it.
fn points_in(object: &Object) -> Option<Vec<u32>> {
    match object {
        Object::Point(_) => None,
        Object::Set(parts) | Object::Tuple(parts) => {
            parts.iter().map(|part| if let Object::Point(point) = part { Some(*point) } else { None }).collect()
        }
    }
}

/// `index(G, H)`
pub(in super::super) fn index(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Value> {
    let (group, subgroup, _) = two(machine, call)?;
    match machine.with_work(span, |work| subgroup.index_in(&group, work))? {
        Some(index) => Ok(Value::integer(BigInt::from(index))),
        None => Err(no_subgroup(call)),
    }
}

fn no_subgroup(call: &Call) -> Fault {
    let shown = match &call.args[1] {
        Value::Group(group) => crate::run::effect::crop(&group_text(group)),
        _ => String::new(),
    };
    Fault::at(
        codes::NOT_A_SUBGROUP,
        call.span_of(1),
        "the second group is not inside the first",
        format!("{shown} has other elements too"),
        "ask with `H subset G` first",
    )
}

fn cosets(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let (group, subgroup, of) = two(machine, &call)?;
    let limit = list_limit(machine, group.degree());
    if !machine.with_work(span, |work| subgroup.is_subgroup_of(&group, work))? {
        return Err(no_subgroup(&call));
    }
    let cosets = machine.with_work(span, |work| group.cosets(&subgroup, limit, work))?;
    Ok(Value::tuple(cosets.into_iter().map(|perm| Value::Perm(PermValue { perm, of: of.clone() })).collect()))
}

/// The first argument, and the generators of all others.
fn with_others(
    machine: &mut Machine<'_>,
    call: &Call,
    span: Span,
) -> Run<(std::sync::Arc<PermGroup>, Of, std::sync::Arc<PermGroup>)> {
    let group = group_at(call, 0)?;
    let others = machine.generated(&rest(call, 1), span)?;
    let (group, others, of) = machine.both(&group, &others, call.span_of(1))?;
    Ok((group, of, others))
}

fn conjugacy_classes(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let classes = machine.with_work(span, |work| group.group.conjugacy_classes(work))?;
    let of = &group.of;
    let pair = |class: ConjugacyClass| {
        let representative = Value::Perm(PermValue { perm: class.representative, of: of.clone() });
        Value::tuple(vec![representative, Value::integer(BigInt::from(class.size))])
    };
    Ok(Value::tuple(classes.into_iter().map(pair).collect()))
}

fn centralizer(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let (group, of, others) = with_others(machine, &call, span)?;
    let part = machine.with_work(span, |work| group.centralizer(others.generators(), work))?;
    Ok(GroupValue::value(part, of))
}

fn normal_closure(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let (group, of, others) = with_others(machine, &call, span)?;
    let part = machine.with_work(span, |work| group.normal_closure(others.generators(), work))?;
    Ok(GroupValue::value(part, of))
}

fn identify(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let identity = machine.with_work(span, |work| group.group.identify(&|point| group.point_text(point), work))?;
    match identity.name {
        Some(name) => Ok(Value::text(name)),
        None => {
            let order = machine.with_work(span, |work| group.group.order(work))?;
            Ok(Value::text(format!("a group of order {order}")))
        }
    }
}

/// Is the order that of the symmetric or alternating group on the points that are moved? Then it is that group.
fn of_order(machine: &mut Machine<'_>, call: &Call, span: Span, even: bool) -> Run<Value> {
    ask(machine, call, span, |group, work| {
        let moved: usize = group.orbits().lists.iter().map(Vec::len).filter(|length| *length > 1).sum();
        let one_orbit = group.orbits().lists.iter().filter(|orbit| orbit.len() > 1).count() <= 1;
        if !one_orbit {
            return Ok(false);
        }
        work.charge((moved as u64).saturating_mul(moved as u64 / 64))?;
        let all = (2..=moved).fold(BigUint::one(), |order, k| order * k);
        let order = group.order(work)?;
        Ok(if even && moved >= 2 { order * 2u32 == all } else { order == all })
    })
}

fn conjugated_by(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Option<PermValue>> {
    let group = group_at(call, 0)?;
    let (group, of, perms) = machine.with_elements(&group, &rest(call, 1), span)?;
    let [a, b] = perms.as_slice() else { return Ok(None) };
    let found = machine.with_work(span, |work| group.conjugator(a, b, work))?;
    Ok(found.map(|perm| PermValue { perm, of }))
}

fn conjugator(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    conjugated_by(machine, &call, span)?.map(Value::Perm).ok_or_else(|| {
        Fault::at(
            codes::BAD_ARGUMENT,
            span,
            "no element of the group takes the first to the second",
            "they are not conjugate in this group",
            "ask with `conjugate_in(G, a, b)` first",
        )
    })
}
