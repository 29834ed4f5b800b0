//! Breadth-first search over the arrangements of a puzzle, or over what permutations generate.

use std::ops::ControlFlow;
use std::sync::Arc;

use num_bigint::BigInt;

use super::groups::any;
use super::{Builtin, Call, Kind, Param, function, one};
use crate::diagnostic::codes;
use crate::perm::Perm;
use crate::run::board::BoardValue;
use crate::run::instance::Instance;
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value, WordValue};
use crate::run::{Fault, Run};
use crate::search::{Arrangements, Growth, Limits, Mover, Space, Stopped};
use crate::source::Span;
use crate::word::{Letter, Word};

const TOPIC: &str = "search";

/// Moves that may be named instead of those of the puzzle.
pub(super) const MOVES: Param = any("moves", Kind::Any);

/// `metric: runs`
const METRIC: &[(&str, &str)] = &[("metric", "runs")];

/// Bytes for an arrangement.
const EACH: u64 = 64;

/// Where all arrangements are numbered and only counted, they take some bits, so there may be so many times as many.
const COUNTED: u64 = 16;

/// No move may cost more.
const MOST_COST: i64 = 1000;

/// Permutations of a higher order have more powers than anybody counts one.
const MOST_POWERS: usize = 1000;

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin {
        labels: METRIC,
        ..function(
            "growth",
            TOPIC,
            &[MOVES],
            "How many arrangements lie at depth 0, 1, 2, … from the solved one: a tuple. Every move and its inverse counts one. If moves are named, these alone are used, not their inverses. Permutations may be named too: `growth(a, b)` says how many products need no factor, how many one, how many two, and so on. With `metric: runs` every power of a move counts one, with `metric: f` a move m costs f(m).",
            &[
                ("NRP(2): growth()", "(1, 4, 10, 22, 42, 33, 7, 1)"),
                ("NRP(2): growth(metric: runs)", "(1, 6, 18, 45, 40, 9, 1)"),
                ("growth((1 2), (2 3))", "(1, 2, 2, 1)"),
                ("Torus(1, 5): growth(R[1])", "(1, 1, 1, 1, 1)"),
            ],
            growth,
        )
    },
    Builtin {
        labels: METRIC,
        ..function(
            "diameter",
            TOPIC,
            &[MOVES],
            "The largest number of moves that an arrangement needs, seen from the solved one; the moves and the metric are those of `growth`.",
            &[("NRP(2): diameter()", "7"), ("diameter((1 2), (2 3))", "3")],
            |machine, call, span| Ok(Value::count(counted(machine, &call, span)?.depth())),
        )
    },
    Builtin {
        labels: METRIC,
        ..function(
            "sphere",
            TOPIC,
            &[one("k", Kind::Integer), MOVES],
            "What lies at depth k: the tuple of the boards that need k moves, or of the permutations if permutations are named. The moves are those of `growth`.",
            &[("sphere(3, (1 2), (2 3))", "((1 3),)"), ("NRP(2): len(sphere(7))", "1")],
            sphere,
        )
    },
    Builtin {
        labels: METRIC,
        ..function(
            "antipodes",
            TOPIC,
            &[MOVES],
            "What is farthest from the solved board: the tuple of the boards at the last depth, or of the permutations if permutations are named. The moves are those of `growth`.",
            &[("antipodes((1 2), (2 3))", "((1 3),)"), ("Sliding(2, 2): antipodes()", "(board(\"_ 3; 2 1\"),)")],
            antipodes,
        )
    },
    Builtin {
        labels: METRIC,
        ..function(
            "boards",
            TOPIC,
            &[MOVES],
            "All boards that can be reached from the solved one, as a tuple: first those that need the fewest moves. The moves are those of `growth`.",
            &[
                ("NRP(2): len(boards())", "120"),
                ("Torus(1, 3): boards()", "(board(\"1 2 3\"), board(\"3 1 2\"), board(\"2 3 1\"))"),
            ],
            boards,
        )
    },
];

/// A space with its start, and whose boards its arrangements are; none where they are permutations of integers.
pub(in crate::run) struct Search {
    pub space: Space,
    pub start: Vec<u32>,
    /// what each mover is called; nothing where permutations were named, and then permutations are found
    pub words: Option<Vec<Word>>,
    /// what each mover costs
    pub costs: Vec<u32>,
    pub metric: Metric,
    pub of: Option<Arc<Instance>>,
}

/// What words cost.
#[derive(Clone, Debug)]
pub(in crate::run) enum Metric {
    /// each move one
    Moves,
    /// each power of a move one
    Runs,
    /// each move what a function says
    Costs(Value, Span),
}

impl Search {
    fn value(&self, places: &[u32]) -> Value {
        let perm = Perm::from_images(places.to_vec()).unwrap_or_else(|_| Perm::identity(places.len()));
        match &self.of {
            Some(of) if self.words.is_some() => Value::Board(Arc::new(BoardValue::of_perm(of, &perm))),
            of => Value::Perm(PermValue { perm, of: of.clone() }),
        }
    }
}

/// The metric that a call names with `metric:`.
pub(super) fn metric(machine: &Machine<'_>, call: &Call) -> Run<Metric> {
    let Some((value, place)) = call.labelled("metric") else { return Ok(Metric::Moves) };
    match &value {
        Value::Builtin(id) => match super::ALL.get(*id as usize).map(|builtin| builtin.name) {
            Some("moves" | "length") => return Ok(Metric::Moves),
            Some("runs") => return Ok(Metric::Runs),
            _ => {}
        },
        Value::Function(_) => return Ok(Metric::Costs(value, place)),
        _ => {}
    }
    let shown = machine.print(&value);
    Err(Fault::at(
        codes::BAD_ARGUMENT,
        place,
        format!("{shown} is no metric"),
        "this says what words cost",
        "write `metric: moves` (every move counts one), `metric: runs` (every power of a move counts one), or the name of a function that says what each move costs",
    ))
}

/// The search that the arguments from one on name; all moves of the puzzle in force and their inverses if there are none.
pub(super) fn search(machine: &mut Machine<'_>, call: &Call, from: usize, span: Span) -> Run<Search> {
    let mut named: Vec<(Value, Span)> = Vec::new();
    for (at, value) in call.args.iter().enumerate().skip(from) {
        let place = call.span_of(at);
        match value {
            Value::Tuple(parts) if !parts.is_empty() => named.extend(parts.iter().map(|part| (part.clone(), place))),
            other => named.push((other.clone(), place)),
        }
    }
    let metric = metric(machine, call)?;
    if named.is_empty() {
        let instance = machine.in_force(span)?;
        return space_of_moves(machine, &instance, metric, span);
    }
    if named.iter().any(|(value, _)| matches!(value, Value::Perm(_))) {
        return space_of_perms(machine, &named, metric, span);
    }
    let mut words = Vec::new();
    let mut of = None;
    for (value, place) in &named {
        let word = machine.word_of(value, *place)?;
        machine.same_puzzle(&mut of, &word.of, *place)?;
        words.push(word.word);
    }
    let instance = match of {
        Some(of) => of,
        None => machine.in_force(span)?,
    };
    space_of_words(machine, &instance, words, metric, span)
}

/// The search that all arguments of a call name.
pub(in crate::run) fn all_named(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Search> {
    search(machine, call, 0, span)
}

/// All moves of a puzzle and their inverses.
pub(super) fn space_of_moves(machine: &mut Machine<'_>, of: &Arc<Instance>, metric: Metric, span: Span) -> Run<Search> {
    let both: &[bool] =
        if matches!(metric, Metric::Runs) && of.sliding().is_none() { &[false] } else { &[false, true] };
    let mut words = Vec::new();
    for letter in of.generating_letters() {
        for inverse in both {
            words.push(Word::letters(of.alphabet(), vec![Letter::new(letter, *inverse)]).unwrap_or_default());
        }
    }
    space_of_words(machine, of, words, metric, span)
}

fn space_of_words(
    machine: &mut Machine<'_>,
    of: &Arc<Instance>,
    words: Vec<Word>,
    metric: Metric,
    span: Span,
) -> Run<Search> {
    let degree = of.cells.len();
    let places = if of.sliding().is_some() { degree } else { 1 };
    let mut search = Search {
        space: Space { degree, blank: of.sliding().map(|sliding| sliding.home), moves: Vec::new() },
        start: (0..degree as u32).collect(),
        words: Some(Vec::new()),
        costs: Vec::new(),
        metric: metric.clone(),
        of: Some(of.clone()),
    };
    let words = match metric {
        Metric::Runs => powers(machine, of, &words, span)?,
        Metric::Moves | Metric::Costs(..) => words,
    };
    machine.room_for(words.len() as u128 * places as u128 * degree as u128 / 4, span)?;
    for word in words {
        machine.charge(1 + (places * degree) as u64 / 16, span)?;
        search.space.moves.push(Mover { steps: machine.steps_of(&word, of, span)? });
        search.costs.push(cost_of(machine, &metric, &word, of, span)?);
        search.words.get_or_insert_default().push(word);
    }
    Ok(search)
}

/// All powers of some words that do something new: X, X', X^2, X'^2, …; where there is a blank, as far as they are possible.
fn powers(machine: &mut Machine<'_>, of: &Arc<Instance>, words: &[Word], span: Span) -> Run<Vec<Word>> {
    let degree = of.cells.len();
    let mut found: Vec<(Word, Vec<Option<Perm>>)> = Vec::new();
    for word in words {
        let first = found.len();
        for exponent in 1.. {
            let mut new = false;
            let signs: &[i64] = if of.sliding().is_some() { &[1] } else { &[1, -1] };
            for sign in signs {
                machine.room_for((found.len() as u128 + 1) * degree as u128, span)?;
                let power = word.pow(&BigInt::from(sign * exponent));
                let steps = machine.steps_of(&power, of, span)?;
                let nothing = steps.iter().flatten().all(Perm::is_identity);
                if !nothing && found[first..].iter().all(|(_, known)| *known != steps) {
                    found.push((power, steps));
                    new = true;
                }
            }
            if !new {
                break;
            }
        }
    }
    Ok(found.into_iter().map(|(word, _)| word).collect())
}

/// What a mover costs.
fn cost_of(machine: &mut Machine<'_>, metric: &Metric, word: &Word, of: &Arc<Instance>, span: Span) -> Run<u32> {
    let Metric::Costs(costs, place) = metric else { return Ok(1) };
    let value = Value::Word(WordValue { word: word.clone(), of: Some(of.clone()) });
    let written = machine.print(&value);
    let cost = machine.apply(costs, vec![value], span)?;
    match cost {
        Value::Int(cost) if (1..=MOST_COST).contains(&cost) => Ok(cost as u32),
        other => {
            let shown = machine.print(&other);
            Err(Fault::at(
                codes::BAD_ARGUMENT,
                *place,
                format!("{written} cannot cost {shown}"),
                "this says what moves cost",
                format!("a cost is an integer from 1 to {MOST_COST}"),
            ))
        }
    }
}

fn space_of_perms(machine: &mut Machine<'_>, named: &[(Value, Span)], metric: Metric, span: Span) -> Run<Search> {
    let mut perms: Vec<PermValue> = Vec::new();
    for (value, place) in named {
        let perm = machine.closed_perm(value, *place)?;
        perms.push(perm);
    }
    let mut common = PermValue { perm: Perm::identity(0), of: None };
    for perm in &perms {
        common = machine.aligned(common, perm.clone(), span)?.1;
    }
    let mut moves = Vec::new();
    for perm in perms {
        let (perm, _) = machine.aligned(perm, common.clone(), span)?;
        moves.push(perm.perm);
    }
    if let Metric::Costs(_, place) = metric {
        return Err(Fault::at(
            codes::BAD_ARGUMENT,
            place,
            "permutations have no costs",
            "here",
            "name moves of a puzzle, or write `metric: runs` to count every power one",
        ));
    }
    if matches!(metric, Metric::Runs) {
        moves = moves
            .iter()
            .flat_map(|perm| {
                let powers = std::iter::successors(Some(perm.clone()), |power| Some(power.then(perm)));
                powers.take_while(|power| !power.is_identity()).take(MOST_POWERS).collect::<Vec<_>>()
            })
            .collect();
    }
    let degree = moves.iter().map(Perm::degree).max().unwrap_or(0);
    let moves: Vec<Mover> = moves.into_iter().map(|perm| Mover { steps: vec![Some(perm)] }).collect();
    let space = Space { degree, blank: None, moves };
    let costs = vec![1; space.moves.len()];
    Ok(Search { space, start: (0..degree as u32).collect(), words: None, costs, metric, of: common.of })
}

impl Machine<'_> {
    /// Runs a search under the budget; it may find as many arrangements as fit into the memory of one value.
    fn found<T>(
        &mut self,
        span: Span,
        compute: impl FnOnce(crate::group::Work<'_>, u64) -> Result<T, Stopped>,
    ) -> Run<T> {
        let most = self.shared.limits.max_memory / EACH;
        let mut stopped = None;
        let result = self.with_work(span, |work| match compute(work, most) {
            Ok(found) => Ok(Some(found)),
            Err(Stopped::Unfinished(unfinished)) => Err(unfinished),
            Err(other) => {
                stopped = Some(other);
                Ok(None)
            }
        });
        let result = result.map_err(|fault| match fault {
            Fault::Budget(diagnostic) if diagnostic.code == codes::TOO_MANY_STEPS => Fault::Budget(Box::new(
                diagnostic.help("give it more with `--max-steps N`, or ask about a smaller puzzle or fewer moves"),
            )),
            other => other,
        })?;
        match (result, stopped) {
            (Some(found), _) => Ok(found),
            (None, Some(Stopped::TooMany { most, total })) => {
                let title = match total {
                    Some(total) => format!("there are {total} arrangements; a search visits at most {most}"),
                    None => format!("there are more than {most} arrangements, and a search visits no more"),
                };
                Err(Fault::Budget(Box::new(
                    crate::diagnostic::Diagnostic::at(codes::TOO_MANY_BOARDS, span, title, "too many").help(
                        "ask about a smaller puzzle or fewer moves, or allow more with `--max-memory`; `reachable()` counts without a search",
                    ),
                )))
            }
            (None, Some(other)) => {
                Err(Fault::at(codes::INTERNAL, span, other.to_string(), "here", "please report this with the script"))
            }
            (None, None) => Err(Fault::Interrupted),
        }
    }
}

/// How many arrangements have each cost.
fn counted(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Growth> {
    let found = search(machine, call, 0, span)?;
    if found.costs.iter().all(|cost| *cost == 1) {
        let growth = |most, work: crate::group::Work<'_>| found.space.growth(&found.start, Limits::most(most), work);
        // the number of all is known from the order of a group, so there is an index for them
        return machine.found(span, |work, most| match growth(most, work) {
            Err(Stopped::TooMany { total: Some(total), .. }) if total <= (most * COUNTED).into() => {
                growth(most * COUNTED, work)
            }
            Err(Stopped::TooMany { total: Some(total), .. }) => {
                Err(Stopped::TooMany { most: most * COUNTED, total: Some(total) })
            }
            other => other,
        });
    }
    machine.found(span, |work, most| found.space.growth_by_cost(&found.costs, &found.start, most, work))
}

fn growth(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let growth = counted(machine, &call, span)?;
    machine.room_for(growth.layers.len() as u128, span)?;
    Ok(Value::tuple(growth.layers.iter().map(|count| Value::integer(BigInt::from(*count))).collect()))
}

/// The search that a call names; every mover counts one.
fn by_depth(machine: &mut Machine<'_>, call: &Call, from: usize, span: Span) -> Run<Search> {
    let found = search(machine, call, from, span)?;
    match found.metric {
        Metric::Costs(_, place) => Err(Fault::at(
            codes::BAD_ARGUMENT,
            place,
            "boards are listed by the number of moves or runs",
            "here",
            "leave `metric:` away, or write `metric: runs`; `growth` and `shortest` take any costs",
        )),
        _ => Ok(found),
    }
}

fn sphere(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    // nothing lies deeper than there are moves in any word
    let depth = match &call.args[0] {
        Value::Big(depth) if depth.sign() == num_bigint::Sign::Plus => u64::MAX,
        depth => machine.small_count(depth, call.span_of(0), "a depth")?,
    };
    let found = by_depth(machine, &call, 1, span)?;
    let depth = usize::try_from(depth).unwrap_or(usize::MAX);
    let sphere = machine.found(span, |work, most| found.space.sphere(&found.start, depth, most, work))?;
    listed(machine, &found, &sphere, span)
}

fn antipodes(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let found = by_depth(machine, &call, 0, span)?;
    let last = machine.found(span, |work, most| found.space.antipodes(&found.start, most, work))?;
    listed(machine, &found, &last, span)
}

fn listed(machine: &mut Machine<'_>, found: &Search, places: &Arrangements, span: Span) -> Run<Value> {
    machine.room_for(places.len() as u128 * (2 + found.space.degree as u128 / 2), span)?;
    Ok(Value::tuple(places.iter().map(|places| found.value(places)).collect()))
}

fn boards(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let found = by_depth(machine, &call, 0, span)?;
    let each = 2 + found.space.degree as u64 / 2;
    let size = std::mem::size_of::<Value>() as u64;
    let fits = machine.shared.limits.max_memory / (each * size);
    let mut boards = Vec::new();
    let _ = machine.found(span, |work, most| {
        found.space.reachable(&found.start, Limits::most(most.min(fits)), work, &mut |_, places| {
            boards.push(found.value(places));
            ControlFlow::<()>::Continue(())
        })
    })?;
    Ok(Value::tuple(boards))
}
