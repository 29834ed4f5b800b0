//! Homomorphisms and actions.

use std::sync::Arc;

use super::super::{Builtin, Call, Kind, function, many, one};
use super::{GROUP, TOPIC, group_at, maybe};
use crate::diagnostic::codes;
use crate::group::{Done, Homomorphism, Work};
use crate::run::group::{GroupValue, HomomorphismValue, Pair};
use crate::run::machine::Machine;
use crate::run::value::Value;
use crate::run::{Fault, Run};
use crate::source::Span;

const MAP: super::Param = one("h", Kind::Homomorphism);

pub(in super::super) static FUNCTIONS: &[Builtin] = &[
    function(
        "action",
        TOPIC,
        &[GROUP, one("xs", Kind::Any)],
        "How the group moves the objects of a set or tuple, as a homomorphism to a group on 1, 2, 3, …: k stands for the k-th object. Objects are cells, sets or tuples of cells, or sets and tuples of these; each element has to take each object to one of them.",
        &[
            ("action(group((1 2 3 4)), ({1, 3}, {2, 4}))((1 2 3 4))", "(1 2)"),
            (
                "image(action(symmetric(4), {{{1, 2}, {3, 4}}, {{1, 3}, {2, 4}}, {{1, 4}, {2, 3}}})) == symmetric(3)",
                "true",
            ),
        ],
        action,
    ),
    function(
        "homomorphism",
        TOPIC,
        &[GROUP, one("H", Kind::Group), many("pairs", Kind::Pairs)],
        "The homomorphism from G to H with given images: `homomorphism(G, H, a -> x, b -> y)`, where a, b, … generate G. It is an error, with a reason, if there is none. Its value at an element p is `h(p)`.",
        &[
            (
                "homomorphism(group((1 2 3 4)), group((1 2)), (1 2 3 4) -> (1 2))",
                "homomorphism(group((1 2 3 4)), group((1 2)), (1 2 3 4) -> (1 2))",
            ),
            ("homomorphism(symmetric(3), symmetric(2), (1 2) -> (1 2), (1 2 3) -> ())((1 3))", "(1 2)"),
        ],
        |machine, call, span| homomorphism(machine, &call, span)?.map(|map| Value::Homomorphism(map.into())),
    ),
    function(
        "is_homomorphism",
        TOPIC,
        &[GROUP, one("H", Kind::Group), many("pairs", Kind::Pairs)],
        "Is there a homomorphism from G to H with these images of elements that generate G?",
        &[
            ("is_homomorphism(group((1 2 3)), symmetric(3), (1 2 3) -> (1 3 2))", "true"),
            ("is_homomorphism(group((1 2 3)), symmetric(3), (1 2 3) -> (1 2))", "false"),
        ],
        |machine, call, span| Ok(Value::Bool(homomorphism(machine, &call, span)?.is_ok())),
    ),
    function(
        "image",
        TOPIC,
        &[MAP, maybe("p", Kind::Any)],
        "The group of all images of a homomorphism; `image(h, p)` is the image of an element or of a subgroup, the same as `h(p)`.",
        &[
            ("image(action(group((1 2 3 4)), ({1, 3}, {2, 4})))", "group((1 2))"),
            ("image(action(group((1 2 3 4)), ({1, 3}, {2, 4})), (1 3)(2 4))", "()"),
        ],
        image,
    ),
    function(
        "kernel",
        TOPIC,
        &[MAP],
        "The group of the elements whose image is the identity.",
        &[("kernel(action(group((1 2 3 4)), ({1, 3}, {2, 4})))", "group((1 3)(2 4))")],
        |machine, call, span| {
            let map = map_at(&call)?;
            let kernel = machine.with_work(span, |work| map.map.kernel(work))?;
            Ok(GroupValue::value(kernel, map.source.of.clone()))
        },
    ),
    function(
        "is_injective",
        TOPIC,
        &[MAP],
        "Have different elements different images?",
        &[("is_injective(action(symmetric(4), {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}))", "true")],
        |machine, call, span| ask(machine, &call, span, |map, work| map.is_injective(work)),
    ),
    function(
        "is_surjective",
        TOPIC,
        &[MAP],
        "Is each element of the second group an image?",
        &[("is_surjective(homomorphism(group((1 2 3)), symmetric(3), (1 2 3) -> (1 3 2)))", "false")],
        |machine, call, span| ask(machine, &call, span, |map, work| map.is_surjective(work)),
    ),
    function(
        "is_isomorphism",
        TOPIC,
        &[MAP],
        "Is each element of the second group the image of exactly one element?",
        &[("is_isomorphism(homomorphism(group((1 2 3 4)), group((1 5 2 3)), (1 2 3 4) -> (1 5 2 3)))", "true")],
        |machine, call, span| ask(machine, &call, span, |map, work| map.is_isomorphism(work)),
    ),
    function(
        "is_inner",
        TOPIC,
        &[MAP],
        "Is the homomorphism, from a group to itself, the conjugation `g' p g` by an element g of the group?",
        &[
            ("is_inner(homomorphism(symmetric(3), symmetric(3), (1 2) -> (2 3), (1 2 3) -> (1 3 2)))", "true"),
            ("is_inner(homomorphism(group((1 2 3)), group((1 2 3)), (1 2 3) -> (1 3 2)))", "false"),
        ],
        is_inner,
    ),
];

fn map_at(call: &Call) -> Run<Arc<HomomorphismValue>> {
    match call.args.first() {
        Some(Value::Homomorphism(map)) => Ok(map.clone()),
        _ => Err(Fault::at(
            codes::WRONG_KIND,
            call.span_of(0),
            "a homomorphism is needed here",
            "not a homomorphism",
            "make one with `homomorphism` or `action`",
        )),
    }
}

fn ask(
    machine: &mut Machine<'_>,
    call: &Call,
    span: Span,
    question: impl FnOnce(&Homomorphism, Work<'_>) -> Done<bool>,
) -> Run<Value> {
    let map = map_at(call)?;
    machine.with_work(span, |work| question(&map.map, work)).map(Value::Bool)
}

fn action(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let group = group_at(&call, 0)?;
    let place = call.span_of(1);
    if !matches!(call.args[1], Value::Set(_) | Value::Tuple(_) | Value::Range(..)) {
        return Err(Fault::at(
            codes::WRONG_KIND,
            place,
            format!("a group acts on the objects of a set or tuple, not on {}", call.args[1].kind()),
            format!("this is {}", call.args[1].kind()),
            "give it a set of cells, or a block system such as `blocks(G)[1]`",
        ));
    }
    let objects = machine.elements_of(&call.args[1], place)?;
    let map = machine.action(&group, &objects, place, span)?;
    Ok(Value::Homomorphism(map.into()))
}

/// The homomorphism, or the message why there is none.
fn homomorphism(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Result<HomomorphismValue, Fault>> {
    let (source, target) = (group_at(call, 0)?, group_at(call, 1)?);
    let pairs: Vec<Pair> = call
        .pairs
        .iter()
        .enumerate()
        .map(|(at, (from, to))| {
            let (left, right) = call.pair_spans.get(at).copied().unwrap_or((span, span));
            Pair { from: (from.clone(), left), to: (to.clone(), right) }
        })
        .collect();
    machine.homomorphism(&source, &target, &pairs, span)
}

fn image(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let map = map_at(&call)?;
    match call.args.get(1) {
        Some(argument) => machine.image_under(&map, &(argument.clone(), call.span_of(1)), span),
        None => Ok(GroupValue::value(map.map.image(), map.target.of.clone())),
    }
}

fn is_inner(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let map = map_at(&call)?;
    let same = machine.with_work(span, |work| map.map.source.equals(&map.map.target, work))?;
    if !same {
        return Err(Fault::at(
            codes::BAD_ARGUMENT,
            call.span_of(0),
            "this homomorphism is not from a group to itself",
            "between two groups",
            "give it a homomorphism whose two groups are equal",
        ));
    }
    machine.with_work(span, |work| map.map.is_inner(work)).map(Value::Bool)
}
