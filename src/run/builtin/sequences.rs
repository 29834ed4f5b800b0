//! Sequences: tuples, ranges, sets, dictionaries.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{BY, Builtin, Call, Kind, function, many, one};
use crate::diagnostic::codes;
use crate::random::Random;
use crate::resolve::program::{BinaryOp, Clauses, Ex};
use crate::run::machine::Machine;
use crate::run::value::{Key, Value, order};
use crate::run::{Fault, Run};
use crate::source::Span;

pub(super) static FUNCTIONS: &[Builtin] = &[
    function(
        "len",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "How many elements a sequence, set, dictionary or string has.",
        &[("len((1..3, 1..4))", "12")],
        |_, call, _| Ok(call.args[0].size().map_or(Value::Nothing, Value::count)),
    ),
    Builtin {
        labels: BY,
        ..function(
            "min",
            "sequences",
            &[many("xs", Kind::Any)],
            "The least of its arguments, or of the elements of one sequence; `by: f` compares what f gives.",
            &[("min(3, 1, 2)", "1"), ("min((3, -4), by: abs)", "3")],
            |machine, call, span| extreme(machine, call, span, Ordering::Less),
        )
    },
    Builtin {
        labels: BY,
        ..function(
            "max",
            "sequences",
            &[many("xs", Kind::Any)],
            "The greatest of its arguments, or of the elements of one sequence; `by: f` compares what f gives.",
            &[("max(k^2 for k in -3..2)", "9")],
            |machine, call, span| extreme(machine, call, span, Ordering::Greater),
        )
    },
    function(
        "sum",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "The sum of the elements; 0 for none.",
        &[("sum(k for k in 1..100)", "5050")],
        |machine, call, span| fold(machine, call, span, BinaryOp::Add),
    ),
    function(
        "product",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "The product of numbers, or of words from left to right; 1 for none.",
        &[("product(1..5)", "120"), ("NRP(6): product((X, Y, X))", "X Y X")],
        |machine, call, span| fold(machine, call, span, BinaryOp::Times),
    ),
    function(
        "count",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "How many of the elements are true; how many there are, if they are no truth values.",
        &[("count(even(k) for k in 1..9)", "4")],
        count,
    ),
    function(
        "all",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "Are all elements true? Yes for none. `all(… for …)` ends at the first that is not.",
        &[("all(k < 4 for k in 1..3)", "true")],
        |machine, call, span| quantifier(machine, call, span, true),
    ),
    function(
        "any",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "Is some element true? No for none. `any(… for …)` ends at the first that is.",
        &[("any(k > 4 for k in 1..3)", "false")],
        |machine, call, span| quantifier(machine, call, span, false),
    ),
    Builtin {
        labels: BY,
        ..function(
            "sorted",
            "sequences",
            &[one("xs", Kind::Sequence)],
            "The elements in increasing order; `by: f` compares what f gives, equal ones keep their order.",
            &[("sorted((3, 1, 2))", "(1, 2, 3)"), ("sorted((-3, 1, 2), by: abs)", "(1, 2, -3)")],
            sorted,
        )
    },
    function(
        "reversed",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "The elements from last to first.",
        &[("reversed(1..3)", "(3, 2, 1)")],
        |machine, call, _| {
            let mut elements = machine.elements_of(&call.args[0], call.span_of(0))?;
            elements.reverse();
            Ok(Value::tuple(elements))
        },
    ),
    function(
        "zip",
        "sequences",
        &[many("xs", Kind::Sequence)],
        "The tuples of first elements, second elements, … as long as every sequence has one.",
        &[("zip(1..3, (7, 8, 9))", "((1, 7), (2, 8), (3, 9))")],
        zip,
    ),
    function(
        "enumerate",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "The pairs (number, element), numbers from 1.",
        &[("enumerate((7, 8))", "((1, 7), (2, 8))")],
        |machine, call, _| {
            let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
            let pairs =
                elements.into_iter().enumerate().map(|(at, value)| Value::tuple(vec![Value::count(at + 1), value]));
            Ok(Value::tuple(pairs.collect()))
        },
    ),
    function(
        "index",
        "sequences",
        &[one("xs", Kind::SequenceOrGroup), one("x", Kind::Any)],
        "The place of the first element equal to x, from 1. It is an error if there is none: ask with `x in xs` first. Of groups, `index(G, H)` is the number of cosets of the subgroup H in G.",
        &[("index((5, 7, 9), 7)", "2"), ("index(symmetric(4), group((1 2 3)))", "8")],
        index,
    ),
    function(
        "tuple",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "The elements as a tuple: a set in its order, a range written out.",
        &[("tuple(1..3)", "(1, 2, 3)"), ("tuple({2, 1})", "(1, 2)")],
        |machine, call, _| Ok(Value::tuple(machine.elements_of(&call.args[0], call.span_of(0))?)),
    ),
    function(
        "set",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "The set of the elements.",
        &[("set((2, 1, 2))", "{1, 2}")],
        |machine, call, _| {
            let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
            machine.make_set(elements, call.span_of(0))
        },
    ),
    function(
        "map",
        "sequences",
        &[many("pairs", Kind::Pairs)],
        "A dictionary: `map(1 -> 2, 3 -> 4)`, `map(k -> k^2 for k in 1..9)`. `d[k]` is the value of key k, `k in d` asks for a key.",
        &[("map(k -> k^2 for k in 1..3)", "map(1 -> 1, 2 -> 4, 3 -> 9)"), ("map(1 -> 5)[1]", "5")],
        map,
    ),
    function(
        "permutations",
        "sequences",
        &[one("xs", Kind::Sequence)],
        "All orders of the elements, in lexicographic order of their places.",
        &[("permutations((1, 2, 3))[1..2]", "((1, 2, 3), (1, 3, 2))"), ("len(permutations(1..5))", "120")],
        permutations,
    ),
    function(
        "shuffle",
        "sequences",
        &[one("xs", Kind::Sequence), one("seed", Kind::Integer)],
        "The elements in a random order, every order equally likely; the same seed gives the same order on every machine.",
        &[("sorted(shuffle(1..4, 1))", "(1, 2, 3, 4)")],
        |machine, call, _| {
            let elements = shuffled(machine, &call, 1)?;
            Ok(Value::tuple(elements))
        },
    ),
    function(
        "sample",
        "sequences",
        &[one("xs", Kind::Sequence), one("k", Kind::Integer), one("seed", Kind::Integer)],
        "k of the elements, each choice equally likely, in random order; the same seed gives the same choice on every machine.",
        &[("len(sample(1..100, 5, 7))", "5")],
        sample,
    ),
];

fn extreme(machine: &mut Machine<'_>, call: Call, span: Span, wanted: Ordering) -> Run<Value> {
    let elements = match call.args.as_slice() {
        [only] if !only.is_number() => {
            if only.size().is_none() {
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    call.span_of(0),
                    format!("{} has no least or greatest element", only.kind()),
                    "here",
                    "give numbers, or one sequence of them",
                ));
            }
            machine.elements_of(&only.clone(), call.span_of(0))?
        }
        _ => call.args.clone(),
    };
    let by = call.by();
    let mut best: Option<(Value, Value)> = None;
    for element in elements {
        let key = match &by {
            Some(function) => machine.apply(function, vec![element.clone()], span)?,
            None => element.clone(),
        };
        ordered(&key, span)?;
        if best.as_ref().is_none_or(|(least, _)| order(&key, least) == wanted) {
            best = Some((key, element));
        }
    }
    best.map(|(_, element)| element).ok_or_else(|| {
        Fault::at(
            codes::BAD_ARGUMENT,
            span,
            "there is no element to choose from",
            "the sequence is empty",
            "check its length first",
        )
    })
}

fn ordered(key: &Value, span: Span) -> Run<()> {
    if key.is_data() {
        return Ok(());
    }
    Err(Fault::at(
        codes::WRONG_KIND,
        span,
        format!("{} has no order", key.kind()),
        "compared here",
        "compare numbers, strings or tuples; with `by: f`, what f gives",
    ))
}

fn fold(machine: &mut Machine<'_>, call: Call, _: Span, op: BinaryOp) -> Run<Value> {
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    let place = call.span_of(0);
    // a product of many words is one product, not a chain of pairs
    if op == BinaryOp::Times && elements.len() > 2 && elements.iter().all(|value| matches!(value, Value::Word(_))) {
        let mut words = Vec::with_capacity(elements.len());
        for element in &elements {
            words.push((machine.word_of(element, place)?, place));
        }
        return machine.joined_words(words, place);
    }
    let mut elements = elements.into_iter();
    let Some(mut result) = elements.next() else { return Ok(Value::Int(i64::from(op == BinaryOp::Times))) };
    for element in elements {
        machine.step(place)?;
        result = machine.combine(op, result, element, place, place, place)?;
    }
    Ok(result)
}

fn count(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    if elements.iter().all(|value| matches!(value, Value::Bool(_))) {
        return Ok(Value::count(elements.iter().filter(|value| matches!(value, Value::Bool(true))).count()));
    }
    Ok(Value::count(elements.len()))
}

fn quantifier(machine: &mut Machine<'_>, call: Call, _: Span, wanted: bool) -> Run<Value> {
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    for element in &elements {
        if truth(element, call.span_of(0))? != wanted {
            return Ok(Value::Bool(!wanted));
        }
    }
    Ok(Value::Bool(wanted))
}

fn truth(element: &Value, span: Span) -> Run<bool> {
    match element {
        Value::Bool(value) => Ok(*value),
        other => Err(Fault::at(
            codes::WRONG_KIND,
            span,
            format!("{} is neither true nor false", other.kind()),
            "an element of this",
            "give it conditions: `all(f(x) == 1 for x in xs)`",
        )),
    }
}

impl Machine<'_> {
    /// `all(condition for …)`, `any(condition for …)`: goes on while the condition is what is wanted.
    pub(in crate::run) fn quantified(
        &mut self,
        wanted: bool,
        condition: &Ex,
        clauses: &Clauses,
        span: Span,
    ) -> Run<Value> {
        let mut result = wanted;
        self.each(clauses, &mut |machine| {
            result = truth(&machine.eval(condition)?, span)?;
            Ok(result == wanted)
        })?;
        Ok(Value::Bool(result))
    }
}

fn sorted(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    let by = call.by();
    let mut pairs = Vec::with_capacity(elements.len());
    for element in elements {
        let key = match &by {
            Some(function) => machine.apply(function, vec![element.clone()], span)?,
            None => element.clone(),
        };
        ordered(&key, call.span_of(0))?;
        pairs.push((key, element));
    }
    pairs.sort_by(|(a, _), (b, _)| order(a, b));
    Ok(Value::tuple(pairs.into_iter().map(|(_, element)| element).collect()))
}

fn zip(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let mut lists = Vec::with_capacity(call.args.len());
    for (at, list) in call.args.iter().enumerate() {
        lists.push(machine.elements_of(list, call.span_of(at))?);
    }
    let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
    let tuples = (0..shortest).map(|at| Value::tuple(lists.iter().map(|list| list[at].clone()).collect()));
    Ok(Value::tuple(tuples.collect()))
}

fn index(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    if let Value::Group(_) = &call.args[0] {
        return super::groups::index(machine, &call, span);
    }
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    for (at, element) in elements.iter().enumerate() {
        if machine.equal(element, &call.args[1], span)? {
            return Ok(Value::count(at + 1));
        }
    }
    let shown = machine.print(&call.args[1]);
    Err(Fault::at(
        codes::INDEX_OUT_OF_RANGE,
        span,
        format!("{shown} is not among the elements"),
        "not found",
        "ask with `x in xs` first",
    ))
}

fn map(_: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let mut map = indexmap::IndexMap::with_capacity(call.pairs.len());
    for (key, value) in call.pairs {
        if !key.is_data() {
            return Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} cannot be a key", key.kind()),
                "in this dictionary",
                "keys are numbers, cells, strings, tuples or sets",
            ));
        }
        map.insert(Key(key), value);
    }
    Ok(Value::Map(Arc::new(map)))
}

fn permutations(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    let n = elements.len();
    let count = (1..=n as u128).try_fold(1u128, |product, k| product.checked_mul(k)).unwrap_or(u128::MAX);
    machine.room_for(count.saturating_mul(n as u128 + 2), span)?;
    machine.charge(count as u64, span)?;
    let mut all = Vec::with_capacity(count as usize);
    let mut places: Vec<usize> = (0..n).collect();
    loop {
        all.push(Value::tuple(places.iter().map(|place| elements[*place].clone()).collect()));
        // the next order: Knuth, The Art of Computer Programming 4A, 7.2.1.2, algorithm L
        let Some(low) = (1..n).rev().find(|at| places[at - 1] < places[*at]).map(|at| at - 1) else { break };
        let high = (low + 1..n).rev().find(|at| places[*at] > places[low]).unwrap_or(low);
        places.swap(low, high);
        places[low + 1..].reverse();
    }
    Ok(Value::tuple(all))
}

/// The random numbers that belong to an argument; every word of a long seed counts.
pub(super) fn random_from(seed: &Value) -> Random {
    let (sign, digits) = seed.as_big().unwrap_or_default().to_u64_digits();
    let start = u64::from(sign == num_bigint::Sign::Minus);
    Random::new(digits.iter().fold(start, |sum, digit| sum.rotate_left(17) ^ digit))
}

fn shuffled(machine: &mut Machine<'_>, call: &Call, seed: usize) -> Run<Vec<Value>> {
    let mut elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    let mut random = random_from(&call.args[seed]);
    for at in (1..elements.len()).rev() {
        let other = random.index(at + 1);
        elements.swap(at, other);
    }
    Ok(elements)
}

fn sample(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let count = machine.small_count(&call.args[1], call.span_of(1), "a number of elements")?;
    let mut elements = shuffled(machine, &call, 2)?;
    if count > elements.len() as u64 {
        return Err(Fault::at(
            codes::BAD_ARGUMENT,
            call.span_of(1),
            format!("{count} elements cannot be chosen out of {}", elements.len()),
            "too many",
            "choose at most as many as there are",
        ));
    }
    elements.truncate(count as usize);
    Ok(Value::tuple(elements))
}
