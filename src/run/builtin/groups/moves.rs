//! What the moves of a puzzle reach: arrangements that can be solved, why others cannot, and words that solve them.

use std::sync::Arc;

use num_bigint::BigInt;

use super::super::{Builtin, Call, Kind, function, one};
use super::slides::{self, Goal};
use super::{TOPIC, group_at, maybe};
use crate::diagnostic::codes;
use crate::group::factor::Effort;
use crate::perm::Perm;
use crate::run::group::GroupValue;
use crate::run::instance::Instance;
use crate::run::machine::Machine;
use crate::run::value::{Value, WordValue};
use crate::run::{Fault, Run};
use crate::source::Span;

pub(in super::super) static FUNCTIONS: &[Builtin] = &[
    function(
        "reachable",
        TOPIC,
        &[],
        "How many arrangements of the puzzle in force can be reached by its moves: the order of `group()`; on a puzzle with a blank, that of the group of the words that take it home, times the places that the blank can come to.",
        &[("NRP(2): reachable()", "120"), ("Cube(3): reachable()", "43252003274489856000")],
        |machine, _, span| {
            let instance = machine.in_force(span)?;
            machine.room_for_pairs(&instance, span)?;
            machine.with_work(span, |work| instance.reachable(work)).map(|order| Value::integer(BigInt::from(order)))
        },
    ),
    function(
        "solvable",
        TOPIC,
        &[one("p", Kind::WordOrBoard)],
        "Can the moves of the puzzle reach this arrangement: is p in `group()`?",
        &[("NRP(6): solvable((1 2))", "true"), ("Cube(3): solvable((1 2))", "false")],
        solvable,
    ),
    function(
        "obstacle",
        TOPIC,
        &[one("p", Kind::WordOrBoard), maybe("G", Kind::Group)],
        "Why the moves of the puzzle cannot reach this arrangement, or why p is not in the group G: a sentence. Empty if there is no obstacle.",
        &[
            ("Cube(3): obstacle(R U)", ""),
            (
                "obstacle((1 2), alternating(4))",
                "it is an odd permutation of the 4 cells of the orbit of 1, and every element is an even one",
            ),
        ],
        obstacle,
    ),
    function(
        "factor",
        TOPIC,
        &[one("p", Kind::WordOrBoard), maybe("effort", Kind::Text)],
        "A word in the moves of the puzzle, not the `extra` ones, that does p, or leads from the solved board to a board. The effort is \"short\", which spends some time on a short word, or \"quick\", which takes any. It is an error if there is none: ask with `solvable` first.",
        &[
            ("NRP(2): factor(((1,1) (2,1) (2,2) (1,2)))", "X"),
            ("NRP(2): factor((X Y)^2 X', \"quick\") == (X Y)^2 X'", "true"),
        ],
        |machine, call, span| word_for(machine, &call, span, false),
    ),
    function(
        "solve",
        TOPIC,
        &[one("p", Kind::WordOrBoard), maybe("effort", Kind::Text)],
        "A word in the moves of the puzzle that undoes p: `p solve(p)` does nothing; for a board b, a word that solves it: `solve(b)(b) == solved`. The effort is \"short\" or \"quick\", as for `factor`.",
        &[("NRP(2): solve(X Y)", "Y' X'"), ("Cube(3): U R' F2 solve(U R' F2) == ()", "true")],
        |machine, call, span| word_for(machine, &call, span, true),
    ),
];

/// Words of so many moves are spelled out.
pub(super) const SPELLED: usize = 10_000;

/// The puzzle that an arrangement belongs to, and the arrangement on its cells.
fn arrangement(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<(Arc<Instance>, Perm)> {
    let place = call.span_of(0);
    if let Value::Board(board) = &call.args[0] {
        return Ok((board.of.clone(), board.board.perm()));
    }
    let perm = machine.group_element(&call.args[0], &None, place)?;
    let instance = match &perm.of {
        Some(instance) => instance.clone(),
        None => machine.in_force(span)?,
    };
    let group = GroupValue::of_moves(&instance);
    let (_, _, perms) = machine.with_elements(&group, &[(Value::Perm(perm), place)], span)?;
    let perm = perms.into_iter().next().unwrap_or_else(|| Perm::identity(0));
    Ok((instance, perm))
}

fn solvable(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    if let Some(goal) = Goal::new(machine, &call, span)? {
        return goal.is_reached(machine, span).map(Value::Bool);
    }
    let (instance, perm) = arrangement(machine, &call, span)?;
    let solvable = machine.with_work(span, |work| instance.group().contains(&perm, work))?;
    if !solvable {
        machine.refused = Some((instance, perm));
    }
    Ok(Value::Bool(solvable))
}

fn obstacle(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let (group, perm) = if call.args.len() > 1 {
        let group = group_at(&call, 1)?;
        let element = (call.args[0].clone(), call.span_of(0));
        let (fitted, of, perms) = machine.with_elements(&group, &[element], span)?;
        (GroupValue::new(fitted, of), perms.into_iter().next().unwrap_or_else(|| Perm::identity(0)))
    } else if let Some(goal) = Goal::new(machine, &call, span)? {
        return goal.obstacle(machine, span).map(|obstacle| Value::text(obstacle.unwrap_or_default()));
    } else {
        let (instance, perm) = arrangement(machine, &call, span)?;
        (GroupValue::of_moves(&instance), perm)
    };
    let obstacle = machine.with_work(span, |work| group.group.obstacle(&perm, work))?;
    Ok(Value::text(obstacle.map_or(String::new(), |obstacle| obstacle.sentence(&|point| group.point_text(point)))))
}

/// Why the moves do not lead to something, if that can be said in short.
pub(in crate::run::builtin) fn reason(machine: &mut Machine<'_>, value: &Value, span: Span) -> Option<String> {
    match obstacle(machine, Call::plain(vec![value.clone()], span), span) {
        Ok(Value::Text(text)) if !text.is_empty() => Some(text.to_string()),
        _ => None,
    }
}

/// Some word that does an arrangement of the cells, if one is found within the budget.
pub(in crate::run::builtin) fn factored(
    machine: &mut Machine<'_>,
    of: &Instance,
    perm: &Perm,
) -> Option<crate::word::Word> {
    machine.quietly(|work| of.factoriser(Effort::Short, work)?.factor(perm, work)).flatten()
}

/// A word that does an arrangement, or one that undoes it.
fn word_for(machine: &mut Machine<'_>, call: &Call, span: Span, undo: bool) -> Run<Value> {
    let effort = match call.args.get(1) {
        None => Effort::Short,
        Some(Value::Text(text)) if &**text == "short" => Effort::Short,
        Some(Value::Text(text)) if &**text == "quick" => Effort::Quick,
        Some(other) => {
            let shown = machine.print(other);
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                call.span_of(1),
                format!("there is no effort {shown}"),
                "here",
                "write \"short\" or \"quick\"",
            ));
        }
    };
    if let Some(goal) = Goal::new(machine, call, span)? {
        return slides::word_for(machine, call, &goal, effort, span, undo);
    }
    let (instance, perm) = arrangement(machine, call, span)?;
    let wanted = if undo { perm.inverse() } else { perm.clone() };
    let word =
        machine.with_work(span, |work| instance.factoriser(effort, work)?.factor(&wanted, work)).map_err(|fault| {
            match fault {
                Fault::Budget(diagnostic) if effort == Effort::Short => Fault::Budget(Box::new(
                    diagnostic.help("a word of any length costs less: give the effort \"quick\" as a second argument"),
                )),
                other => other,
            }
        })?;
    if let Some(word) = word {
        // powers are written as powers; long words stay the expressions that they are
        let mut word = word.reduce(SPELLED).unwrap_or(word);
        // what was asked for may be a word that is shorter already
        if let Value::Word(asked) = &call.args[0]
            && asked.of.as_ref().is_some_and(|of| std::sync::Arc::ptr_eq(of, &instance))
        {
            let letters = instance.generating_letters();
            let own = if undo { asked.word.inverse() } else { asked.word.clone() };
            let own = own.reduce(SPELLED).unwrap_or(own);
            if own.length() < word.length() && own.tally().iter().all(|(letter, _)| letters.contains(letter)) {
                word = own;
            }
        }
        return Ok(Value::Word(WordValue { word, of: Some(instance) }));
    }
    let group = GroupValue::of_moves(&instance);
    let obstacle = machine.quietly(|work| group.group.obstacle(&perm, work)).flatten();
    let mut fault = Fault::at(
        codes::NOT_IN_GROUP,
        call.span_of(0),
        format!("the moves of {} cannot do this", instance.name),
        "cannot be reached",
        "ask with `solvable(p)` first; `obstacle(p)` says why not",
    );
    if let (Fault::Error(diagnostic), Some(obstacle)) = (&mut fault, obstacle) {
        diagnostic.notes.push(obstacle.sentence(&|point| group.point_text(point)));
    }
    Err(fault)
}
