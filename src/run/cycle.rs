//! Cycles as books write them, of cells or of integers.

use super::machine::Machine;
use super::value::{PermValue, Value};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::{CycleError, Perm};
use crate::resolve::program::CellCycles;
use crate::source::Span;

/// Cycles of plain integers outside puzzles may name integers up to this.
const MAX_INTEGER_POINT: i64 = 50_000_000;

impl Machine<'_> {
    /// Cycles written with plain integers: cells by their numbers in a puzzle, integers elsewhere.
    pub(super) fn integer_cycles(&mut self, cycles: &[Vec<u32>], span: Span) -> Run<Value> {
        if let Some(instance) = self.instance.clone()
            && !instance.cells.is_plain()
        {
            // numbers in order of declaration, the frequent case of long lists
            let count = instance.cells.len();
            let zero_based: Vec<Vec<u32>> =
                cycles.iter().map(|cycle| cycle.iter().map(|k| k.wrapping_sub(1)).collect()).collect();
            return match Perm::from_cycles(count, &zero_based) {
                Ok(perm) => Ok(Value::Perm(PermValue { perm, of: Some(instance) })),
                Err(CycleError::Repeated { cycle, point }) => Err(self.repeated(span, cycle, point.wrapping_add(1))),
                Err(CycleError::OutOfRange { cycle, point }) => {
                    let number = point.wrapping_add(1);
                    let place = self.numbers_of_cycle(span, cycle, number).first().copied().unwrap_or(span);
                    Err(not_a_cell(place, &number.to_string(), &instance))
                }
            };
        }
        let mut product: Option<PermValue> = None;
        for (at, cycle) in cycles.iter().enumerate() {
            let elements: Vec<Value> = cycle.iter().map(|k| Value::Int(i64::from(*k))).collect();
            let next = self.cycle_of(&elements, span).map_err(|fault| self.blame_number(fault, span, at, cycle))?;
            product = Some(match product {
                None => next,
                Some(before) => self.perm_product(before, next, span)?,
            });
        }
        Ok(product.map_or(Value::tuple(Vec::new()), Value::Perm))
    }

    /// Long lists of cycles of cells with coordinates.
    pub(super) fn cell_cycles(&mut self, list: &CellCycles, span: Span) -> Run<Value> {
        let Some(instance) = self.instance.clone() else {
            let first = Value::tuple(list.cycles[0].iter().take(list.width).map(|c| Value::Int(*c)).collect());
            return self.cycle_of(&[first], span).map(Value::Perm);
        };
        let mut cycles = Vec::with_capacity(list.cycles.len());
        for (at, coordinates) in list.cycles.iter().enumerate() {
            let mut cycle = Vec::with_capacity(coordinates.len() / list.width);
            for cell in coordinates.chunks(list.width) {
                match instance.cells.number(cell) {
                    Some(number) if !instance.cells.is_plain() => cycle.push(number),
                    _ => {
                        let place = self.cell_in_text(span, at, cycle.len());
                        return Err(not_a_cell(place, &super::instance::cell_text(cell), &instance));
                    }
                }
            }
            cycles.push(cycle);
        }
        match Perm::from_cycles(instance.cells.len(), &cycles) {
            Ok(perm) => Ok(Value::Perm(PermValue { perm, of: Some(instance) })),
            Err(CycleError::Repeated { cycle, point } | CycleError::OutOfRange { cycle, point }) => {
                let places: Vec<usize> = (0..cycles[cycle].len()).filter(|at| cycles[cycle][*at] == point).collect();
                let shown = super::instance::cell_text(instance.cells.coordinates(point));
                Err(match places.as_slice() {
                    [first, second, ..] => {
                        again(self.cell_in_text(span, cycle, *first), self.cell_in_text(span, cycle, *second), &shown)
                    }
                    _ => twice(span, &shown),
                })
            }
        }
    }

    /// Where an element of a cycle stands in a list of cycles of cells with coordinates.
    fn cell_in_text(&self, span: Span, cycle: usize, element: usize) -> Span {
        let text = self.source_text(span);
        let (mut depth, mut cycles, mut elements, mut start) = (0, 0, 0, None);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'(' => {
                    depth += 1;
                    if depth == 1 {
                        (cycles, elements) = (cycles + 1, 0);
                    } else if cycles == cycle + 1 {
                        elements += 1;
                        start = (elements == element + 1).then_some(at);
                    }
                }
                b')' => {
                    depth -= 1;
                    if let Some(from) = start {
                        return Span { start: span.start + from as u32, end: span.start + at as u32 + 1, ..span };
                    }
                }
                _ => {}
            }
        }
        span
    }

    /// Where a number stands in the k-th cycle of a list of cycles of numbers.
    fn numbers_of_cycle(&self, span: Span, cycle: usize, number: u32) -> Vec<Span> {
        let text = self.source_text(span);
        let Some((from, _)) = text.match_indices('(').nth(cycle) else { return Vec::new() };
        let end = text[from..].find(')').map_or(text.len(), |length| from + length);
        let mut places = Vec::new();
        let mut at = from + 1;
        for part in text[from + 1..end].split(|c: char| !c.is_ascii_digit()) {
            if part.parse() == Ok(number) {
                let start = span.start + at as u32;
                places.push(Span { start, end: start + part.len() as u32, ..span });
            }
            at += part.len() + 1;
        }
        places
    }

    fn repeated(&self, span: Span, cycle: usize, number: u32) -> Fault {
        match self.numbers_of_cycle(span, cycle, number).as_slice() {
            [first, second, ..] => again(*first, *second, &number.to_string()),
            _ => twice(span, &number.to_string()),
        }
    }

    /// Points an error of a cycle of numbers at the number.
    fn blame_number(&self, fault: Fault, span: Span, at: usize, cycle: &[u32]) -> Fault {
        let Fault::Error(mut diagnostic) = fault else { return fault };
        if diagnostic.code == codes::CELL_TWICE {
            let twice = cycle.iter().enumerate().find(|(place, k)| cycle[..*place].contains(k));
            return match twice {
                Some((_, number)) => self.repeated(span, at, *number),
                None => Fault::Error(diagnostic),
            };
        }
        let wrong = cycle.iter().find(|k| match &self.instance {
            Some(instance) => instance.number_of(&Value::Int(i64::from(**k))).is_none(),
            None => **k == 0 || i64::from(**k) > MAX_INTEGER_POINT,
        });
        if diagnostic.code == codes::NOT_A_CELL
            && let Some(number) = wrong
            && let Some(place) = self.numbers_of_cycle(span, at, *number).first()
            && let Some(label) = diagnostic.labels.first_mut()
        {
            label.span = *place;
        }
        Fault::Error(diagnostic)
    }

    /// The cycle through some cells (or integers outside puzzles); fewer than two give the identity.
    pub(super) fn cycle_of(&mut self, elements: &[Value], span: Span) -> Run<PermValue> {
        if let Some(instance) = self.instance.clone() {
            let mut cells = Vec::with_capacity(elements.len());
            for element in elements {
                cells.push(self.cell_in_cycle(&instance, element, span)?);
            }
            let cycle = if cells.len() < 2 { Vec::new() } else { vec![cells] };
            return match Perm::from_cycles(instance.cells.len(), &cycle) {
                Ok(perm) => Ok(PermValue { perm, of: Some(instance) }),
                Err(CycleError::Repeated { point, .. } | CycleError::OutOfRange { point, .. }) => {
                    Err(twice(span, &super::instance::cell_text(instance.cells.coordinates(point))))
                }
            };
        }
        let mut points = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Value::Int(k @ 1..=MAX_INTEGER_POINT) => points.push(*k as u32 - 1),
                Value::Int(_) | Value::Big(_) => {
                    let shown = self.print(element);
                    return Err(Fault::at(
                        codes::NOT_A_CELL,
                        span,
                        format!("a cycle outside a puzzle permutes the integers 1, 2, 3, …; it cannot move {shown}"),
                        "in this cycle",
                        "number from 1",
                    ));
                }
                other => {
                    return Err(Fault::at(
                        codes::NO_PUZZLE,
                        span,
                        format!("no puzzle is in force, so {} is no cell", other.kind()),
                        "in this cycle",
                        "put it into `on PUZZLE(…) { … }`",
                    ));
                }
            }
        }
        let degree = points.iter().max().map_or(0, |max| *max as usize + 1);
        self.room_for(degree as u128, span)?;
        let cycle = if points.len() < 2 { Vec::new() } else { vec![points] };
        match Perm::from_cycles(degree, &cycle) {
            Ok(perm) => Ok(PermValue { perm, of: None }),
            Err(CycleError::Repeated { point, .. } | CycleError::OutOfRange { point, .. }) => {
                Err(twice(span, &(point + 1).to_string()))
            }
        }
    }

    /// A cell as an element of a cycle: a cell, or its number.
    pub(super) fn cell_in_cycle(&mut self, instance: &super::Instance, element: &Value, span: Span) -> Run<u32> {
        if let Some(number) = instance.number_of(element) {
            return Ok(number);
        }
        if let Value::Int(k) = element
            && !instance.cells.is_plain()
            && (1..=instance.cells.len() as i64).contains(k)
        {
            return Ok(*k as u32 - 1);
        }
        let shown = self.print(element);
        Err(not_a_cell(span, &shown, instance))
    }

    pub(super) fn no_cell(&self, value: &Value, instance: &super::Instance, span: Span) -> Fault {
        not_a_cell(span, &self.print(value), instance)
    }
}

fn twice(span: Span, cell: &str) -> Fault {
    let title = format!("{cell} stands twice in one cycle");
    Fault::at(
        codes::CELL_TWICE,
        span,
        title,
        "in this cycle",
        "name each cell once; a product is two cycles, `(1 2)(1 3)`",
    )
}

/// The second time that a cell stands in a cycle.
pub(super) fn again(first: Span, second: Span, cell: &str) -> Fault {
    let title = format!("{cell} stands twice in one cycle");
    Fault::Error(Box::new(
        Diagnostic::at(codes::CELL_TWICE, second, title, "here again")
            .label(first, "here already")
            .help("name each cell once; a product is two cycles, `(1 2)(1 3)`"),
    ))
}

fn not_a_cell(span: Span, shown: &str, instance: &super::Instance) -> Fault {
    let last = instance.cells.len().saturating_sub(1) as u32;
    let (first, last) = (
        super::instance::cell_text(instance.cells.coordinates(0)),
        super::instance::cell_text(instance.cells.coordinates(last)),
    );
    let numbers = if instance.cells.is_plain() {
        String::new()
    } else {
        format!(", or in a cycle a number from 1 to {}", instance.cells.len())
    };
    let width = instance.cells.width();
    let help = if shown == "0" && instance.cells.number(&[1]).is_some() {
        format!("the cells are numbered from {first} to {last}: does the source count from 0?")
    } else if shown.starts_with('(') && !instance.cells.is_plain() && shown.matches(',').count() + 1 != width {
        format!("a cell of {} has {width} coordinates, such as {first}", instance.name)
    } else {
        format!("a cell lies between {first} and {last}{numbers}")
    };
    Fault::at(codes::NOT_A_CELL, span, format!("{shown} is not a cell of {}", instance.name), "not on the board", help)
}
