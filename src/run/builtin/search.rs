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
use crate::run::value::{PermValue, Value};
use crate::run::{Fault, Run};
use crate::search::{Limits, Mover, Space, Stopped};
use crate::source::Span;
use crate::word::{Letter, Word};

const TOPIC: &str = "search";

/// Moves that may be named instead of those of the puzzle.
const MOVES: Param = any("moves", Kind::Any);

pub(super) static FUNCTIONS: &[Builtin] = &[
    function(
        "growth",
        TOPIC,
        &[MOVES],
        "How many arrangements lie at depth 0, 1, 2, … from the solved one: a tuple. Every move and its inverse counts one. If moves are named, these alone are used, not their inverses. Permutations may be named too: `growth(a, b)` says how many products need no factor, how many one, how many two, and so on.",
        &[
            ("NRP(2): growth()", "(1, 4, 10, 22, 42, 33, 7, 1)"),
            ("growth((1 2), (2 3))", "(1, 2, 2, 1)"),
            ("Torus(1, 5): growth(R[1])", "(1, 1, 1, 1, 1)"),
        ],
        growth,
    ),
    function(
        "diameter",
        TOPIC,
        &[MOVES],
        "The largest number of moves that an arrangement needs, seen from the solved one; the moves are those of `growth`.",
        &[("NRP(2): diameter()", "7"), ("diameter((1 2), (2 3))", "3")],
        |machine, call, span| {
            let found = search(machine, &call, 0, span)?;
            let depth = machine.found(span, |work, most| found.space.growth(&found.start, Limits::most(most), work))?;
            Ok(Value::count(depth.depth()))
        },
    ),
    function(
        "sphere",
        TOPIC,
        &[one("k", Kind::Integer), MOVES],
        "What lies at depth k: the tuple of the boards that need k moves, or of the permutations if permutations are named. The moves are those of `growth`.",
        &[("sphere(3, (1 2), (2 3))", "((1 3),)"), ("NRP(2): len(sphere(7))", "1")],
        sphere,
    ),
    function(
        "boards",
        TOPIC,
        &[MOVES],
        "All boards that can be reached from the solved one, as a tuple: first those that need the fewest moves. The moves are those of `growth`.",
        &[
            ("NRP(2): len(boards())", "120"),
            ("Torus(1, 3): boards()", "(board(\"1 2 3\"), board(\"3 1 2\"), board(\"2 3 1\"))"),
        ],
        boards,
    ),
];

/// A space with its start, and whose boards its arrangements are; none where they are permutations of integers.
pub(super) struct Search {
    pub space: Space,
    pub start: Vec<u32>,
    of: Option<Arc<Instance>>,
    /// permutations were named, so permutations are found
    perms: bool,
}

impl Search {
    fn value(&self, places: &[u32]) -> Value {
        let perm = Perm::from_images(places.to_vec()).unwrap_or_else(|_| Perm::identity(places.len()));
        match &self.of {
            Some(of) if !self.perms => Value::Board(Arc::new(BoardValue::of_perm(of, &perm))),
            of => Value::Perm(PermValue { perm, of: of.clone() }),
        }
    }
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
    if named.is_empty() {
        let instance = machine.in_force(span)?;
        let mut words = Vec::new();
        for letter in instance.generating_letters() {
            for inverse in [false, true] {
                words.push(Word::letters(instance.alphabet(), vec![Letter::new(letter, inverse)]).unwrap_or_default());
            }
        }
        return space_of_words(machine, &instance, &words, span);
    }
    if named.iter().any(|(value, _)| matches!(value, Value::Perm(_))) {
        return space_of_perms(machine, &named, span);
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
    space_of_words(machine, &instance, &words, span)
}

fn space_of_words(machine: &mut Machine<'_>, of: &Arc<Instance>, words: &[Word], span: Span) -> Run<Search> {
    let degree = of.cells.len();
    let places = if of.sliding().is_some() { degree } else { 1 };
    machine.room_for(words.len() as u128 * places as u128 * degree as u128 / 4, span)?;
    let mut moves = Vec::with_capacity(words.len());
    for word in words {
        machine.charge(1 + (places * degree) as u64 / 16, span)?;
        moves.push(Mover { steps: machine.steps_of(word, of, span)? });
    }
    let space = Space { degree, blank: of.sliding().map(|sliding| sliding.home), moves };
    Ok(Search { space, start: (0..degree as u32).collect(), of: Some(of.clone()), perms: false })
}

fn space_of_perms(machine: &mut Machine<'_>, named: &[(Value, Span)], span: Span) -> Run<Search> {
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
    let degree = moves.iter().map(Perm::degree).max().unwrap_or(0);
    let moves = moves.into_iter().map(|perm| Mover { steps: vec![Some(perm)] }).collect();
    let space = Space { degree, blank: None, moves };
    Ok(Search { space, start: (0..degree as u32).collect(), of: common.of, perms: true })
}

impl Machine<'_> {
    /// Runs a search under the budget; it may find as many arrangements as fit into the memory of one value.
    fn found<T>(
        &mut self,
        span: Span,
        compute: impl FnOnce(crate::group::Work<'_>, u64) -> Result<T, Stopped>,
    ) -> Run<T> {
        let most = self.shared.limits.max_memory / 64;
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

fn growth(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let found = search(machine, &call, 0, span)?;
    let growth = machine.found(span, |work, most| found.space.growth(&found.start, Limits::most(most), work))?;
    Ok(Value::tuple(growth.layers.iter().map(|count| Value::integer(BigInt::from(*count))).collect()))
}

fn sphere(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    // nothing lies deeper than there are moves in any word
    let depth = match &call.args[0] {
        Value::Big(depth) if depth.sign() == num_bigint::Sign::Plus => u64::MAX,
        depth => machine.small_count(depth, call.span_of(0), "a depth")?,
    };
    let found = search(machine, &call, 1, span)?;
    let depth = usize::try_from(depth).unwrap_or(usize::MAX);
    let sphere = machine.found(span, |work, most| found.space.sphere(&found.start, depth, most, work))?;
    machine.room_for(sphere.len() as u128 * (2 + found.space.degree as u128 / 2), span)?;
    Ok(Value::tuple(sphere.iter().map(|places| found.value(places)).collect()))
}

fn boards(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let found = search(machine, &call, 0, span)?;
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
