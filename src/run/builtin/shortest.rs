//! Words of least cost for a permutation, a board, or a board of which only a part matters.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::BigInt;

use super::boards::tile_number;
use super::groups::factored;
use super::search::{MOVES, Metric, Search, search, space_of_moves};
use super::{Builtin, Call, Kind, function, one};
use crate::diagnostic::{Diagnostic, codes};
use crate::group::Work;
use crate::perm::Perm;
use crate::run::board::BoardValue;
use crate::run::instance::Instance;
use crate::run::machine::Machine;
use crate::run::value::{Value, WordValue};
use crate::run::{Fault, Run};
use crate::search::{Answer, Found, Goal, Proof, Question, Stopped, Tables, shortest as search_shortest};
use crate::source::Span;
use crate::word::Word;

const TOPIC: &str = "search";

const LABELS: &[(&str, &str)] =
    &[("metric", "runs"), ("start", "b"), ("only", "S"), ("alike", "(S, T)"), ("free", "S")];

/// Words longer than this are left as they are put together.
const SPELLED: usize = 10_000;

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin {
        labels: LABELS,
        ..function(
            "shortest",
            TOPIC,
            &[one("target", Kind::WordOrBoard), MOVES],
            "A word that leads from the solved board to the target with as few moves as possible: to a board, or to what a word or permutation makes. It is proved that no shorter word does; of several the first in the order of the moves is given. Moves and metric are those of `growth`. `start: b` begins with another board. `only: S` asks only where the tiles of S are, `alike: (S, T)` takes the tiles of S for equal and those of T, and `free: S` leaves open what lies in the cells of S.",
            &[
                ("NRP(3): shortest(X Y Y Y)", "X Y'"),
                ("Rotation(2, 4, 2): length(shortest(((1, 1) (1, 3))))", "9"),
                ("Sliding(3, 3): shortest(board(\"1 2 3; 4 5 6; _ 7 8\"))", "L^2"),
                ("Cube(3): shortest(U U, metric: runs)", "U^2"),
            ],
            |machine, call, span| {
                let (found, words, of) = least(machine, &call, span)?;
                let Some(words) = words else { return Err(no_names(&call)) };
                let parts = found.movers.iter().map(|mover| words[*mover as usize].clone()).collect();
                let word = Word::product(parts).unwrap_or_default();
                let word = word.reduce(SPELLED).unwrap_or(word);
                note(machine, &call, &found);
                Ok(Value::Word(WordValue { word, of }))
            },
        )
    },
    Builtin {
        labels: LABELS,
        ..function(
            "distance",
            TOPIC,
            &[one("target", Kind::WordOrBoard), MOVES],
            "How many moves lead from the solved board to the target at least: the length of `shortest(target)`, in the metric that is named. The arguments are those of `shortest`.",
            &[
                ("NRP(3): distance(X Y Y Y)", "2"),
                ("Torus(3, 3): distance(R[1] R[2], metric: runs)", "2"),
                ("distance((1 3), (1 2), (2 3))", "3"),
            ],
            |machine, call, span| {
                let (found, ..) = least(machine, &call, span)?;
                note(machine, &call, &found);
                Ok(Value::integer(BigInt::from(found.cost)))
            },
        )
    },
];

type Least = (Found, Option<Vec<Word>>, Option<Arc<Instance>>);

/// A word of least cost, by the names of its movers.
fn least(machine: &mut Machine<'_>, call: &Call, span: Span) -> Run<Least> {
    let of = match &call.args[0] {
        Value::Board(board) => Some(board.of.clone()),
        Value::Word(word) => word.of.clone(),
        Value::Perm(perm) => perm.of.clone(),
        _ => None,
    };
    let named = call.args.len() > 1;
    let mut wanted = match (&of, named) {
        (Some(of), false) => {
            let metric = super::search::metric(machine, call)?;
            space_of_moves(machine, of, metric, span)?
        }
        _ => search(machine, call, 1, span)?,
    };
    if let (Some(of), Some(own)) = (&of, &wanted.of)
        && !Arc::ptr_eq(of, own)
    {
        return Err(Fault::at(
            codes::OTHER_PUZZLE,
            call.span_of(0),
            format!("this belongs to {}, the moves to {}", of.name, own.name),
            "the target",
            "name moves of the puzzle that the target belongs to",
        ));
    }
    let (start, goal) = ends(machine, call, &mut wanted)?;
    // an arrangement that parity rules out is known without a search
    if let (Some(of), Some(whole), false, None) = (&of, exactly(&goal), named, call.labelled("start"))
        && of.sliding().is_some()
        && !machine.with_work(span, |work| of.reaches(&whole, work))?
    {
        return Err(out_of_reach(machine, call, Some(of), &goal));
    }
    let answer = ask(machine, &wanted, &start, &goal, span)?;
    let Search { words, of, .. } = wanted;
    match answer {
        Answer::Found(found) => Ok((found, words, of)),
        _ => Err(out_of_reach(machine, call, of.as_ref(), &goal)),
    }
}

/// Where the search begins and what it looks for. Permutations of integers may have more points than the moves.
fn ends(machine: &mut Machine<'_>, call: &Call, search: &mut Search) -> Run<(Vec<u32>, Goal)> {
    let place = call.span_of(0);
    let begin = beginning(machine, call, search)?;
    let target = match (&call.args[0], &begin) {
        (Value::Board(board), _) => board.board.perm(),
        // a word does from there what it does where the blank is then, which need not be its home
        (asked, Some(begin)) => match machine.board_after(asked, begin, place)? {
            Value::Board(after) => after.board.perm(),
            _ => begin.board.perm(),
        },
        (asked, None) => machine.perm_of(asked, place)?.perm,
    };
    let degree = search.space.degree.max(target.degree());
    search.space.degree = degree;
    let start = begin.map_or_else(|| Perm::identity(degree), |begin| begin.board.perm());
    let target = target.then(&Perm::identity(degree));
    let mut goal = Goal::exactly(target.images());
    let Some(of) = search.of.clone() else {
        if let Some((label, _, place)) = call.labelled.iter().find(|(label, ..)| &**label != "metric") {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                *place,
                format!("`{label}:` is for the tiles of a puzzle"),
                "there are only integers here",
                "ask this on a puzzle",
            ));
        }
        return Ok((start.images().to_vec(), goal));
    };
    if let Some((value, place)) = call.labelled("alike") {
        for part in sets_of(&of, &value) {
            let tiles = numbers(machine, &of, &part, "alike", place)?;
            // sets that overlap are one set
            let colours: Vec<u32> = tiles.iter().map(|tile| goal.colour[*tile as usize]).collect();
            if let Some(first) = colours.first() {
                goal.colour.iter_mut().filter(|colour| colours.contains(colour)).for_each(|colour| *colour = *first);
            }
            if let Some(sliding) = of.sliding().filter(|sliding| tiles.len() > 1 && tiles.contains(&sliding.home)) {
                let blank = machine.print(&of.cell(sliding.home));
                return Err(Fault::at(
                    codes::BAD_ARGUMENT,
                    place,
                    format!("the blank, whose home is {blank}, is like no tile"),
                    "it is among these",
                    "leave it out",
                ));
            }
        }
        (0..degree).for_each(|tile| goal.want[target.image(tile as u32) as usize] = Some(goal.colour[tile]));
    }
    if let Some((value, place)) = call.labelled("only") {
        let tiles = numbers(machine, &of, &value, "only", place)?;
        for tile in (0..degree as u32).filter(|tile| !tiles.contains(tile)) {
            goal.want[target.image(tile) as usize] = None;
        }
    }
    if let Some((value, place)) = call.labelled("free") {
        for cell in numbers(machine, &of, &value, "free", place)? {
            goal.want[cell as usize] = None;
        }
    }
    Ok((start.images().to_vec(), goal))
}

/// The board that `start:` names.
fn beginning(machine: &mut Machine<'_>, call: &Call, search: &Search) -> Run<Option<Arc<BoardValue>>> {
    let Some((value, place)) = call.labelled("start") else { return Ok(None) };
    let Value::Board(board) = &value else {
        return Err(not_this(
            machine,
            "start",
            &value,
            place,
            "a board",
            "`start: b` is the board where the word begins",
        ));
    };
    if search.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, &board.of)) {
        let owner = search.of.as_ref().map_or("integers".to_string(), |of| of.name.to_string());
        return Err(Fault::at(
            codes::OTHER_PUZZLE,
            place,
            format!("this board belongs to {}, the moves to {owner}", board.of.name),
            "the start",
            "begin with a board of the same puzzle",
        ));
    }
    Ok(Some(board.clone()))
}

/// `(S, T)` as its sets, and a single set as itself. A tuple of cells is a single set, as it is everywhere else.
fn sets_of(of: &Instance, value: &Value) -> Vec<Value> {
    let is_set = |part: &Value| match part {
        Value::Set(_) | Value::Range(..) => true,
        Value::Tuple(_) => of.number_of(part).is_none(),
        _ => false,
    };
    match value {
        Value::Tuple(parts) if parts.iter().all(is_set) => parts.to_vec(),
        other => vec![other.clone()],
    }
}

/// The numbers of tiles, or of cells, which are named alike.
fn numbers(machine: &mut Machine<'_>, of: &Instance, value: &Value, label: &str, place: Span) -> Run<Vec<u32>> {
    if !matches!(value, Value::Set(_) | Value::Tuple(_) | Value::Range(..)) {
        return Err(not_this(machine, label, value, place, "a set", "give a set, as in `{1, 2, 3}` or `(1..2, 1..3)`"));
    }
    let elements = machine.elements_of(value, place)?;
    elements.iter().map(|element| tile_number(machine, of, element, place)).collect()
}

fn not_this(machine: &Machine<'_>, label: &str, value: &Value, place: Span, needed: &str, help: &str) -> Fault {
    let shown = machine.print(value);
    Fault::at(codes::WRONG_KIND, place, format!("`{label}:` needs {needed}, not {shown}"), "here", help)
}

/// Searches with most of the steps that are left. The rest is for a word of any length, if the search is not done by then.
fn ask(machine: &mut Machine<'_>, search: &Search, start: &[u32], goal: &Goal, span: Span) -> Run<Answer> {
    let room = machine.steps_left() / 8 * 7;
    let memory = machine.shared.limits.max_memory;
    let question =
        Question { space: &search.space, costs: &search.costs, start, goal, most_memory: memory, limit: None };
    let mut tables = search.of.as_ref().map_or_else(Tables::default, |of| of.take_tables());
    let answer = machine.with_work(span, |work| {
        let spent = AtomicU64::new(0);
        let goes_on = |steps: u64| {
            spent.fetch_add(steps, Ordering::Relaxed).saturating_add(steps) <= room && work.charge(steps).is_ok()
        };
        match search_shortest(&question, &mut tables, Work::new(&goes_on)) {
            Err(Stopped::Unfinished(unfinished)) => Err(unfinished),
            answered => Ok(answered),
        }
    })?;
    if let Some(of) = &search.of {
        of.leave_tables(tables);
    }
    match answer {
        Ok(Answer::Bounds { lower, .. }) => {
            let upper = upper_bound(machine, search, start, goal);
            let (title, upper) = match upper {
                Some(upper) => (format!("the least cost is between {lower} and {upper}"), true),
                None => (format!("the least cost is {lower} or more"), false),
            };
            let help = match upper {
                true => {
                    "give it more with `--max-steps N` or `--max-memory SIZE`; `factor` and `solve` give longer words at once"
                }
                false => {
                    "give it more with `--max-steps N` or `--max-memory SIZE`, or ask for less: `only:` some tiles"
                }
            };
            Err(Fault::Budget(Box::new(
                Diagnostic::at(codes::SHORTEST_UNKNOWN, span, title, "more is not known yet").help(help),
            )))
        }
        Ok(answer) => Ok(answer),
        Err(other) => {
            Err(Fault::at(codes::INTERNAL, span, other.to_string(), "here", "please report this with the script"))
        }
    }
}

/// Where the tiles go, if the goal is a single arrangement of tiles that are all different.
fn exactly(goal: &Goal) -> Option<Perm> {
    let mut images = vec![0; goal.want.len()];
    for (cell, want) in goal.want.iter().enumerate() {
        images[(*want)? as usize] = cell as u32;
    }
    Perm::from_images(images).ok()
}

/// The cost of some word that leads there, if one is found quickly.
fn upper_bound(machine: &mut Machine<'_>, search: &Search, start: &[u32], goal: &Goal) -> Option<u64> {
    let of = search.of.as_ref().filter(|of| of.sliding().is_none())?;
    if !matches!(search.metric, Metric::Moves) || search.words.as_ref()?.len() != 2 * of.generating_letters().len() {
        return None;
    }
    let start = Perm::from_images(start.to_vec()).ok()?;
    let word = factored(machine, of, &start.inverse().then(&exactly(goal)?))?;
    u64::try_from(word.length()).ok()
}

fn no_names(call: &Call) -> Fault {
    Fault::at(
        codes::BAD_ARGUMENT,
        call.span_of(1),
        "a word is made of moves, and these are permutations",
        "here",
        "name moves of a puzzle, or ask for the `distance`",
    )
}

/// The target is not among what the moves reach.
fn out_of_reach(machine: &mut Machine<'_>, call: &Call, of: Option<&Arc<Instance>>, goal: &Goal) -> Fault {
    let all_moves = of.filter(|_| call.args.len() == 1 && call.labelled("start").is_none());
    let whole = all_moves.is_some() && exactly(goal).is_some();
    let mut fault = Fault::at(
        codes::NOT_IN_GROUP,
        call.span_of(0),
        match all_moves {
            Some(of) => format!("the moves of {} never lead there", of.name),
            None => "these moves never lead there".to_string(),
        },
        "cannot be reached",
        match whole {
            true => "ask with `solvable` first; `obstacle` says why not",
            false => "ask for less, or allow more moves",
        },
    );
    if let (Fault::Error(diagnostic), true) = (&mut fault, whole)
        && let Some(reason) = super::groups::reason(machine, &call.args[0], call.span_of(0))
    {
        diagnostic.notes.push(reason);
    }
    fault
}

/// So many sentences about searches are kept for who shows them.
const SENTENCES: usize = 20;

fn note(machine: &mut Machine<'_>, call: &Call, found: &Found) {
    if machine.searches.len() < SENTENCES {
        let sentence = sentence(found, call, machine);
        machine.searches.push(sentence);
    }
}

/// What was proved, for people.
fn sentence(found: &Found, call: &Call, machine: &Machine<'_>) -> String {
    let metric = match super::search::metric(machine, call) {
        Ok(Metric::Runs) => ("run", "runs"),
        Ok(Metric::Costs(..)) => ("unit of cost", "units of cost"),
        _ => ("move", "moves"),
    };
    let unit = if found.cost == 1 { metric.0 } else { metric.1 };
    let nodes = found.nodes;
    let proof = match (&found.proof, found.cost) {
        (_, 0) => return format!("{} {unit}: nothing has to be done", found.cost),
        (Proof::Balls { ahead, behind }, cost) => format!(
            "no word of less than {cost} exists: all words of less than {ahead} from the start and of less than {behind} to the target were followed"
        ),
        (Proof::Deepening { tables }, cost) => format!(
            "no word of less than {cost} exists: all of them were followed as far as tables of {tables} distances let them go on"
        ),
    };
    format!("{} {unit}; {proof} ({nodes} arrangements)", found.cost)
}
