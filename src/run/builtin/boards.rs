//! Boards: where tiles are, which tile is where, and the arrangements themselves.

use std::sync::Arc;

use super::{Builtin, Call, Kind, Param, function, one};
use crate::diagnostic::codes;
use crate::perm::Perm;
use crate::run::board::BoardValue;
use crate::run::instance::Instance;
use crate::run::machine::Machine;
use crate::run::value::{Value, WordValue};
use crate::run::{Fault, Run};
use crate::source::Span;
use crate::word::Word;

const fn optional(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: true, many: false }
}

const fn bare(declared: Builtin) -> Builtin {
    Builtin { bare: true, ..declared }
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    function(
        "at",
        "boards",
        &[one("t", Kind::Cell), optional("b", Kind::Board)],
        "The cell where tile t is: on the board of the algorithm, or on the board b. A tile is named by its number or by its home cell.",
        &[("NRP(3): at(1, X(solved))", "(3, 1)"), ("NRP(3): at((1, 1), X(solved))", "(3, 1)")],
        at,
    ),
    function(
        "tile",
        "boards",
        &[one("c", Kind::Cell), optional("b", Kind::Board)],
        "The number of the tile in cell c: on the board of the algorithm, or on the board b.",
        &[("NRP(3): tile((3, 1), X(solved))", "1"), ("NRP(3): tile(3, 1, X(solved))", "1")],
        tile,
    ),
    function(
        "home",
        "boards",
        &[one("t", Kind::Cell)],
        "The cell where tile t belongs, which is where it is on the solved board.",
        &[("NRP(3): home(5)", "(2, 1)")],
        home,
    ),
    bare(function(
        "blank",
        "boards",
        &[optional("b", Kind::Board)],
        "The cell of the blank: on the board of the algorithm, or on the board b.",
        &[("Sliding(3, 3): blank(U(solved))", "(2, 3)")],
        blank,
    )),
    bare(function(
        "board",
        "boards",
        &[optional("tiles", Kind::Any)],
        "A board from its tiles: a string in reading order with `;` between rows and `_` for the blank, or the tuple of the tiles in the order of the cells. Without an argument the board of the algorithm as it is now.",
        &[
            ("NRP(2): board(\"2 1 3; 4 5 6\") == board((2, 1, 3, 4, 5, 6))", "true"),
            ("NRP(2): board(\"2 1 3; 4 5 6\")", "board(\"2 1 3; 4 5 6\")"),
        ],
        board,
    )),
    bare(function(
        "solved",
        "boards",
        &[],
        "The solved board: every tile in its home cell.",
        &[("NRP(2): solved", "board(\"1 2 3; 4 5 6\")")],
        solved,
    )),
    function(
        "shuffled",
        "boards",
        &[one("seed", Kind::Integer)],
        "A board that the moves can reach, each equally likely, the same on every machine for the same seed.",
        &[("NRP(3): shuffled(1) == shuffled(1)", "true"), ("NRP(3): solvable(shuffled(7))", "true")],
        shuffled,
    ),
];

/// The board that a function asks: the one it is given, or the one in force.
fn asked<T>(
    machine: &mut Machine<'_>,
    call: &Call,
    place: usize,
    span: Span,
    ask: impl FnOnce(&mut Machine<'_>, &Arc<Instance>, &crate::puzzle::board::Board) -> Run<T>,
) -> Run<T> {
    if let Some(Value::Board(board)) = call.args.get(place) {
        let board = board.clone();
        return ask(machine, &board.of, &board.board);
    }
    // the board is put aside while it is asked, so that messages can be made
    machine.acting_on(span)?;
    let Some(acting) = machine.acting.take() else { return Err(Fault::Interrupted) };
    let answer = ask(machine, &acting.instance, &acting.board);
    machine.acting = Some(acting);
    answer
}

/// The number from 0 of a tile: an integer is its number, also where cells are tuples.
pub(in crate::run) fn tile_number(machine: &Machine<'_>, instance: &Instance, value: &Value, span: Span) -> Run<u32> {
    let count = instance.cells.len();
    match value {
        Value::Int(number) if !instance.cells.is_plain() => {
            u32::try_from(*number).ok().filter(|number| *number >= 1 && *number as usize <= count).map(|n| n - 1)
        }
        other => instance.number_of(other),
    }
    .ok_or_else(|| {
        let shown = machine.print(value);
        Fault::at(
            codes::NOT_A_CELL,
            span,
            format!("{} has no tile {shown}", instance.name),
            "no such tile",
            if matches!(value, Value::Int(0)) && instance.sliding().is_some() {
                "in a board the blank is written `_`; tiles are numbered from 1".to_string()
            } else if instance.cells.is_plain() {
                format!("its tiles are named like its cells; it has {count}")
            } else {
                format!("tiles are numbered from 1 to {count}, or named by their home cells")
            },
        )
    })
}

/// A tile by its number from 0, as a value: where cells are integers a tile is named as they are, else by its number from 1.
fn tile_value(instance: &Instance, tile: u32) -> Value {
    if instance.cells.is_plain() { instance.cell(tile) } else { Value::Int(i64::from(tile) + 1) }
}

fn at(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    asked(machine, &call, 1, span, |machine, instance, board| {
        let tile = tile_number(machine, instance, &call.args[0], call.span_of(0))?;
        if call.args.len() == 1 {
            machine.tracing.iter_mut().for_each(|trace| trace.watch(tile));
        }
        Ok(instance.cell(board.place(tile)))
    })
}

fn tile(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    asked(machine, &call, 1, span, |machine, instance, board| {
        let cell = instance
            .number_of(&call.args[0])
            .ok_or_else(|| machine.no_cell(&call.args[0], instance, call.span_of(0)))?;
        Ok(tile_value(instance, board.tile(cell)))
    })
}

fn home(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let instance = machine.in_force(span)?;
    let tile = tile_number(machine, &instance, &call.args[0], call.span_of(0))?;
    Ok(instance.cell(tile))
}

fn blank(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    asked(machine, &call, 0, span, |_, instance, board| match instance.sliding() {
        Some(sliding) => Ok(instance.cell(board.place(sliding.home))),
        None => Err(Fault::at(
            codes::NO_BLANK,
            span,
            format!("{} has no blank", instance.name),
            "which blank?",
            "a puzzle has one if it declares it: `blank (m, n)`",
        )),
    })
}

fn solved(machine: &mut Machine<'_>, _: Call, span: Span) -> Run<Value> {
    let instance = machine.in_force(span)?;
    machine.charge(1 + instance.cells.len() as u64 / 64, span)?;
    Ok(Value::Board(Arc::new(BoardValue::solved(&instance))))
}

fn board(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let Some(tiles) = call.args.first() else {
        return machine.acting_on(span).map(|acting| Value::Board(Arc::new(acting.here())));
    };
    let instance = machine.in_force(span)?;
    let place = call.span_of(0);
    machine.charge(1 + instance.cells.len() as u64 / 16, span)?;
    let tiles: Vec<(Value, String)> = match tiles {
        Value::Text(text) => written_tiles(&instance, text).map_err(|wrong| not_a_board(&instance, place, wrong))?,
        Value::Tuple(_) | Value::Range(..) => {
            let tiles = machine.elements_of(tiles, place)?;
            tiles.into_iter().map(|tile| (tile.clone(), machine.print(&tile))).collect()
        }
        other => {
            return Err(not_a_board(
                &instance,
                place,
                format!("a board is made of its tiles, not of {}", other.kind()),
            ));
        }
    };
    let count = instance.cells.len();
    if tiles.len() != count {
        let wrong = format!("{} tiles for the {count} cells of {}", tiles.len(), instance.name);
        return Err(not_a_board(&instance, place, wrong));
    }
    // images[tile] is its cell
    let mut images = vec![u32::MAX; count];
    for (cell, (tile, shown)) in tiles.iter().enumerate() {
        let number = tile_number(machine, &instance, tile, place)?;
        if images[number as usize] != u32::MAX {
            let blank = instance.sliding().is_some_and(|sliding| sliding.home == number);
            let wrong = match blank {
                true => format!("the blank is there twice; its own number is {}", u64::from(number) + 1),
                false => format!("the tile {shown} is there twice"),
            };
            return Err(not_a_board(&instance, place, wrong));
        }
        images[number as usize] = cell as u32;
    }
    let perm = Perm::from_images(images).unwrap_or_else(|_| Perm::identity(count));
    Ok(Value::Board(Arc::new(BoardValue::of_perm(&instance, &perm))))
}

fn shuffled(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let instance = machine.in_force(span)?;
    let mut random = super::sequences::random_from(&call.args[0]);
    if instance.sliding().is_none() {
        let group = instance.group().clone();
        let perm = machine.with_work(span, |work| group.random_element(&mut random, work))?;
        return Ok(Value::Board(Arc::new(BoardValue::of_perm(&instance, &perm))));
    }
    // each place of the blank belongs to as many boards as any other
    machine.room_for_pairs(&instance, span)?;
    let group = instance.home_group().clone();
    let perm = machine.with_work(span, |work| group.random_element(&mut random, work))?;
    let ways: Vec<Word> = instance.ways().iter().flatten().cloned().collect();
    let way = ways[random.index(ways.len())].clone();
    let at_home = BoardValue::of_perm(&instance, &perm);
    machine.board_after(&Value::Word(WordValue { word: way, of: Some(instance) }), &at_home, span)
}

/// The tiles of a string, each with its text. Rows may be marked; where they are, they must be those of the puzzle.
fn written_tiles(instance: &Instance, text: &str) -> Result<Vec<(Value, String)>, String> {
    let rows: Vec<Vec<&str>> =
        text.split([';', '\n']).map(|row| row.split([' ', ',']).filter(|t| !t.is_empty()).collect()).collect();
    if let Some([(top, bottom), (left, right)]) = instance.cells.board()
        && rows.len() > 1
    {
        let (height, width) = (bottom - top + 1, right - left + 1);
        let full = instance.cells.len() as i64 == height * width;
        if full && (rows.len() as i64 != height || rows.iter().any(|row| row.len() as i64 != width)) {
            let found = match rows.iter().all(|row| row.len() == rows[0].len()) {
                true => format!("{} rows of {} tiles", rows.len(), rows[0].len()),
                false => {
                    let lengths: Vec<String> = rows.iter().map(|row| row.len().to_string()).collect();
                    format!("rows of {} tiles", lengths.join(", "))
                }
            };
            return Err(format!("{found}, where {} has {height} rows of {width}", instance.name));
        }
    }
    let mut tiles = Vec::new();
    for word in rows.into_iter().flatten() {
        let value = match word {
            "_" => match instance.sliding() {
                Some(sliding) => instance.cell(sliding.home),
                None => return Err(format!("`_` is the blank, and {} has none", instance.name)),
            },
            number => match number.parse::<i64>() {
                Ok(number) => Value::Int(number),
                Err(_) => return Err(format!("`{number}` is not the number of a tile")),
            },
        };
        tiles.push((value, word.to_string()));
    }
    Ok(tiles)
}

fn not_a_board(instance: &Arc<Instance>, span: Span, wrong: String) -> Fault {
    let example = BoardValue::solved(instance).text();
    let help = match example.len() {
        0..=60 => format!("each tile once, in the order of the cells; the solved board is `{example}`"),
        _ => "write each tile once, in the order of the cells, with `;` between rows and `_` for the blank".to_string(),
    };
    Fault::at(codes::NOT_A_BOARD, span, format!("this is no board: {wrong}"), "these tiles", help)
}
