//! When a word and a permutation differ: is it the convention? The usual other readings are tried, in three families:
//! how words are read, what the squares are called, where numbers begin. A family is named only if it alone has a
//! reading that makes the two equal; within it several may, since short words do the same in more than one.

use std::sync::Arc;

use crate::perm::Perm;
use crate::puzzle::Cells;
use crate::run::value::{Value, WordValue};
use crate::run::{Instance, Machine};
use crate::word::{Reading, Word};

/// Says which other convention would make a word equal to a permutation, if those that do are of one family.
pub fn explain(machine: &mut Machine<'_>, left: &Value, right: &Value) -> Option<String> {
    let (word, perm) = match (left, right) {
        (Value::Word(word), Value::Perm(perm)) | (Value::Perm(perm), Value::Word(word)) => (word, perm),
        _ => return None,
    };
    let instance = word.of.clone()?;
    let done = machine.permutation_of(&Value::Word(word.clone()))?;
    let (done, wanted) = machine.aligned_quietly(done, perm.clone())?;
    let readings = readings(machine, &word.word, &done.perm, &wanted.perm, &instance);
    let readings: Vec<&str> = readings.into_iter().filter(|(_, fits)| *fits).map(|(text, _)| text).collect();
    let labels = relabellings(&instance.cells, &done.perm, &wanted.perm);
    match (readings.as_slice(), labels.as_slice()) {
        (several @ [_, ..], []) => Some(format!("it would be true {}", several.join(", or "))),
        ([], [only]) => Some(format!("it would be true {only}")),
        _ => None,
    }
}

fn readings(
    machine: &mut Machine<'_>,
    word: &Word,
    done: &Perm,
    wanted: &Perm,
    instance: &Arc<Instance>,
) -> Vec<(&'static str, bool)> {
    let mut read = |reading: Reading| {
        let read = WordValue { word: word.read_as(reading), of: Some(instance.clone()) };
        machine.permutation_of(&Value::Word(read)).is_some_and(|done| done.perm == *wanted)
    };
    let (commutators, conjugates) = word.has_brackets();
    vec![
        ("if the permutation said which content each cell gets: it is the inverse", done.inverse() == *wanted),
        ("if words were read from right to left", read(Reading::RightToLeft)),
        match instance.sliding() {
            None => ("if the moves turned the other way", read(Reading::OtherDirection)),
            // U as the way of a tile is the inverse of U as the way of the blank
            Some(_) => ("if the moves were those of the tiles, not of the blank", read(Reading::OtherDirection)),
        },
        ("if [A, B] meant A' B' A B, as in GAP", commutators && read(Reading::InverseFirstCommutator)),
        ("if [A: B] meant A' B A", conjugates && read(Reading::InverseFirstConjugate)),
    ]
}

/// Other names for the same squares: mirrored, transposed and differently numbered boards. One family, so at most one
/// text, unless the shifted numbers fit too.
fn relabellings(cells: &Cells, done: &Perm, wanted: &Perm) -> Vec<&'static str> {
    let mut found = Vec::new();
    if let Some([(top, bottom), (left, right)]) = cells.board() {
        let mirror_columns = cells.relabelling(|cell| vec![cell[0], left + right - cell[1]]);
        let mirror_rows = cells.relabelling(|cell| vec![top + bottom - cell[0], cell[1]]);
        let turned = cells.relabelling(|cell| vec![top + bottom - cell[0], left + right - cell[1]]);
        let transposed = cells.relabelling(|cell| vec![cell[1], cell[0]]);
        let choices = [
            ("on the board mirrored left to right", mirror_columns),
            ("on the board mirrored top to bottom", mirror_rows),
            ("on the board turned by 180°", turned),
            ("on the transposed board, with rows and columns exchanged", transposed),
            ("if the cells were numbered down the columns", by_columns(cells)),
        ];
        let board = choices.into_iter().find(|(_, labels)| {
            labels.as_ref().is_some_and(|labels| !labels.is_identity() && relabelled(wanted, labels) == *done)
        });
        found.extend(board.map(|(text, _)| text));
    }
    if shifted(cells, wanted).is_some_and(|perm| perm == *done) {
        found.push("if the cells were numbered from 0");
    }
    found
}

/// The permutation with every label replaced.
fn relabelled(perm: &Perm, labels: &Perm) -> Perm {
    labels.inverse().then(perm).then(labels)
}

/// The k-th cell in reading order goes to the k-th cell going down the columns.
fn by_columns(cells: &Cells) -> Option<Perm> {
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    order.sort_by_key(|cell| {
        let coordinates = cells.coordinates(*cell);
        (coordinates[1], coordinates[0])
    });
    crate::puzzle::generator(order).ok()
}

/// Every label one higher: numbers by one, or each coordinate by one.
fn shifted(cells: &Cells, perm: &Perm) -> Option<Perm> {
    let up = |cell: u32| -> Option<u32> { (cell + 1 < cells.len() as u32).then_some(cell + 1) };
    let by_coordinates = |cell: u32| cells.number(&cells.coordinates(cell).iter().map(|c| c + 1).collect::<Vec<_>>());
    let build = |map: &dyn Fn(u32) -> Option<u32>| -> Option<Perm> {
        let mut images: Vec<u32> = (0..cells.len() as u32).collect();
        for cell in perm.support() {
            images[map(cell)? as usize] = map(perm.image(cell))?;
        }
        crate::puzzle::generator(images).ok()
    };
    if perm.is_identity() {
        return None;
    }
    if cells.width() == 1 { build(&up) } else { build(&by_coordinates).or_else(|| build(&up)) }
}
