//! Expressions, except runs of atoms ([`super::juxtapose`]) and operators ([`super::operate`]).

use std::sync::Arc;

use super::machine::Machine;
use super::value::{PermValue, Set, Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::{CycleError, Perm};
use crate::resolve::program::*;
use crate::source::Span;
use crate::word::{Letter, Word};

/// Cycles of plain integers outside puzzles may name integers up to this.
const MAX_INTEGER_POINT: i64 = 50_000_000;

impl Machine<'_> {
    pub(super) fn eval(&mut self, ex: &Ex) -> Run<Value> {
        match &ex.kind {
            ExKind::Int(value) => Ok(Value::Int(*value)),
            ExKind::Local(slot) => Ok(self.slot(*slot)),
            ExKind::Bool(value) => Ok(Value::Bool(*value)),
            ExKind::Big(value) => Ok(Value::Big(value.clone())),
            ExKind::Builtin(id) => Ok(Value::Builtin(*id)),
            ExKind::Puzzle(id) => Ok(Value::Puzzle(*id)),
            ExKind::Param(at) => {
                let instance = self.in_force(ex.span)?;
                Ok(instance.args.get(*at as usize).cloned().unwrap_or(Value::Nothing))
            }
            ExKind::Cells => Ok(self.in_force(ex.span)?.cells_value()),
            ExKind::Move(id) => self.move_value(*id, ex.span),
            ExKind::Member(ids) => {
                let instance = self.in_force(ex.span)?;
                self.member(ids, &instance, ex.span)
            }
            ExKind::Global(module, index) => self.global(*module, *index, ex.span),
            ExKind::Letters(letters) => self.letters(letters, ex.span),
            _ => stacker::maybe_grow(64 << 10, 2 << 20, || self.eval_deep(ex)),
        }
    }

    fn eval_deep(&mut self, ex: &Ex) -> Run<Value> {
        match &ex.kind {
            ExKind::Text(parts) => self.text(parts),
            ExKind::Run(factors) => self.run(factors, ex.span, false),
            ExKind::Cycles(cycles) => self.integer_cycles(cycles, ex.span),
            ExKind::Paren(args) => self.paren(args, ex.span),
            ExKind::Bracket(bracket) => self.bracket(bracket, ex.span),
            ExKind::Set(items) => self.set(items, ex.span),
            ExKind::Unary(op, value) => self.unary(*op, value, ex.span),
            ExKind::Binary(op, left, right) => self.binary(*op, left, right, ex.span),
            ExKind::Compare(first, links) => self.compare(first, links),
            ExKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    if self.truth(condition)? {
                        return self.block_value(block);
                    }
                }
                match otherwise {
                    Some(block) => self.block_value(block),
                    None => Ok(Value::Nothing),
                }
            }
            ExKind::Lambda(function) => Ok(self.close(function)),
            _ => Err(Fault::at(
                codes::INTERNAL,
                ex.span,
                "this was wrong before it ran",
                "here",
                "mend the errors above first",
            )),
        }
    }

    /// The puzzle in force.
    pub(super) fn in_force(&self, span: Span) -> Run<Arc<super::Instance>> {
        self.instance.clone().ok_or_else(|| {
            Fault::at(
                codes::NO_PUZZLE,
                span,
                "no puzzle is in force here",
                "this belongs to a puzzle",
                "put it into `on PUZZLE(…) { … }`",
            )
        })
    }

    fn global(&mut self, module: ModuleId, index: u32, span: Span) -> Run<Value> {
        match self.globals.get(module.0 as usize).and_then(|values| values.get(index as usize)) {
            None | Some(Value::Nothing) => {
                let name = self.source_text(span);
                Err(Fault::at(
                    codes::USED_BEFORE,
                    span,
                    format!("`{name}` has no value yet"),
                    "used before its `let` has run",
                    "move its `let` further up",
                ))
            }
            Some(value) => Ok(value.clone()),
        }
    }

    fn move_value(&mut self, id: MoveId, span: Span) -> Run<Value> {
        let instance = self.in_force(span)?;
        if instance.arity(id) > 0 {
            return Ok(Value::Family(instance, id));
        }
        match instance.letter(id) {
            Some(letter) => Ok(Value::Word(instance.letter_word(letter))),
            None => Err(self.not_declared_yet(&instance, id, span)),
        }
    }

    fn not_declared_yet(&self, instance: &super::Instance, id: MoveId, span: Span) -> Fault {
        Fault::at(
            codes::USED_BEFORE,
            span,
            format!("the move `{}` of {} is not known yet here", instance.move_name(id), instance.name),
            "used before its declaration",
            "declare it further up in the puzzle",
        )
    }

    fn letters(&mut self, letters: &[(MoveId, bool)], span: Span) -> Run<Value> {
        let instance = self.in_force(span)?;
        let mut word = Vec::with_capacity(letters.len());
        for (id, inverse) in letters {
            match instance.letter(*id) {
                Some(letter) => word.push(Letter::new(letter as usize, *inverse)),
                None => return Err(self.no_default(&instance, *id, span)),
            }
        }
        let word = Word::letters(instance.alphabet(), word).unwrap_or_default();
        Ok(Value::Word(WordValue { word, of: Some(instance) }))
    }

    /// A family is used as a word, but has no default member here.
    pub(super) fn no_default(&self, instance: &super::Instance, id: MoveId, span: Span) -> Fault {
        let name = instance.move_name(id);
        let indices = instance.indices(id);
        if instance.arity(id) == 0 {
            return self.not_declared_yet(instance, id, span);
        }
        let shown: Vec<String> = indices.iter().take(3).map(|index| member_text(name, index)).collect();
        let help = match shown.as_slice() {
            [] => format!("{} has no move of this family", instance.name),
            _ => format!("name a member: {}{}", shown.join(", "), if indices.len() > 3 { ", …" } else { "" }),
        };
        let title = if instance.puzzle.moves[id as usize].defaults.is_some() {
            format!("{} has no `{name}`", instance.name)
        } else {
            format!("`{name}` is a family of moves: which one is meant?")
        };
        Fault::at(codes::FAMILY_WITHOUT_INDEX, span, title, "a family without its index", help)
    }

    fn text(&mut self, parts: &[TextPart]) -> Run<Value> {
        if let [TextPart::Plain(text)] = parts {
            return Ok(Value::Text(text.clone()));
        }
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Plain(plain) => text.push_str(plain),
                TextPart::Value(ex) => match self.eval(ex)? {
                    Value::Text(inner) => text.push_str(&inner),
                    value => text.push_str(&self.print(&value)),
                },
            }
            if let TextPart::Value(ex) = part {
                self.room_for(text.len() as u128 / 16, ex.span)?;
                self.charge(text.len() as u64 / 64, ex.span)?;
            }
        }
        Ok(Value::text(text))
    }

    /// Parentheses that stand alone: grouping, a tuple, a box of cells, a cycle, a comprehension.
    pub(super) fn paren(&mut self, args: &Args, span: Span) -> Run<Value> {
        if let [only] = args.items.as_slice()
            && !args.trailing_comma
            && only.label.is_none()
            && only.arrow.is_none()
            && only.clauses.is_none()
        {
            // cells side by side in parentheses are a cycle
            return match &only.value.kind {
                ExKind::Run(factors) => self.run(factors, only.value.span, true),
                _ => self.eval(&only.value),
            };
        }
        let values = self.items(&args.items)?;
        if values.iter().any(|value| matches!(value, Value::Range(..)))
            && args.items.iter().all(|item| item.clauses.is_none())
        {
            return self.box_of(&values, span);
        }
        Ok(Value::tuple(values))
    }

    /// The values of items; a comprehension gives all its values.
    pub(super) fn items(&mut self, items: &[Item]) -> Run<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            if let Some(label) = &item.label {
                return Err(Fault::at(
                    codes::UNEXPECTED,
                    item.span,
                    format!("`{label}:` stands outside a call"),
                    "not in a function's arguments",
                    "remove the label",
                ));
            }
            if item.arrow.is_some() {
                return Err(Fault::at(
                    codes::UNEXPECTED,
                    item.span,
                    "`->` has no meaning here",
                    "a pair outside `map`, `permutation` or `translate`",
                    "write `map(k -> v, …)` for a dictionary",
                ));
            }
            match &item.clauses {
                None => values.push(self.eval(&item.value)?),
                Some(clauses) => self.each(clauses, &mut |machine| {
                    let value = machine.eval(&item.value)?;
                    values.push(value);
                    machine.room_for(values.len() as u128, item.span)?;
                    Ok(true)
                })?,
            }
        }
        Ok(values)
    }

    /// A tuple with ranges in it: the set of all tuples with coordinates in them.
    pub(super) fn box_of(&mut self, values: &[Value], span: Span) -> Run<Value> {
        let size: u128 = values
            .iter()
            .map(|value| if matches!(value, Value::Range(..)) { value.len().unwrap_or(0) as u128 } else { 1 })
            .product();
        self.room_for(size.saturating_mul(values.len() as u128 + 2), span)?;
        self.charge(size as u64, span)?;
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for value in values {
            let choices = match value {
                Value::Range(..) => value.elements().unwrap_or_default(),
                one => vec![one.clone()],
            };
            all = all
                .into_iter()
                .flat_map(|start| {
                    choices.iter().map(move |choice| {
                        let mut longer = start.clone();
                        longer.push(choice.clone());
                        longer
                    })
                })
                .collect();
        }
        self.make_set(all.into_iter().map(Value::tuple).collect(), span)
    }

    fn set(&mut self, items: &[Item], span: Span) -> Run<Value> {
        let mut elements = Vec::new();
        for value in self.items(items)? {
            match value {
                // a range in braces stands for its members
                Value::Range(from, to) => {
                    self.room_for(Value::Range(from, to).len().unwrap_or(0) as u128, span)?;
                    elements.extend((from..=to).map(Value::Int));
                }
                value => elements.push(value),
            }
        }
        self.make_set(elements, span)
    }

    pub(super) fn make_set(&mut self, elements: Vec<Value>, span: Span) -> Run<Value> {
        if let Some(odd) = elements.iter().find(|value| !value.is_data()) {
            return Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} cannot be an element of a set", odd.kind()),
                "in this set",
                "sets hold numbers, cells, strings, tuples and sets of them; use a tuple for words",
            ));
        }
        Ok(Value::Set(Arc::new(Set::new(elements))))
    }

    /// Walks nested loops; `visit` says whether to go on.
    pub(super) fn each(&mut self, clauses: &Clauses, visit: &mut dyn FnMut(&mut Self) -> Run<bool>) -> Run<()> {
        self.each_from(clauses, 0, visit).map(|_| ())
    }

    fn each_from(
        &mut self,
        clauses: &Clauses,
        depth: usize,
        visit: &mut dyn FnMut(&mut Self) -> Run<bool>,
    ) -> Run<bool> {
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition
                && !self.truth(condition)?
            {
                return Ok(true);
            }
            return visit(self);
        };
        let source = self.eval(range)?;
        self.walk(&source, range.span, &mut |machine, value| {
            machine.bind(pattern, value)?;
            machine.each_from(clauses, depth + 1, visit)
        })
    }

    /// Visits the elements of a sequence, set, dictionary (its keys) in order. Gives whether it went to the end.
    pub(super) fn walk(
        &mut self,
        source: &Value,
        span: Span,
        visit: &mut dyn FnMut(&mut Self, Value) -> Run<bool>,
    ) -> Run<bool> {
        match source {
            Value::Range(from, to) => {
                for value in *from..=*to {
                    self.step(span)?;
                    if !visit(self, Value::Int(value))? {
                        return Ok(false);
                    }
                }
            }
            Value::Tuple(values) => {
                for value in values.iter() {
                    self.step(span)?;
                    if !visit(self, value.clone())? {
                        return Ok(false);
                    }
                }
            }
            Value::Set(set) => {
                for value in self.in_order(set) {
                    self.step(span)?;
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
            }
            Value::Map(map) => {
                for key in map.keys() {
                    self.step(span)?;
                    if !visit(self, key.0.clone())? {
                        return Ok(false);
                    }
                }
            }
            other => {
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    span,
                    format!("{} has no elements to go through", other.kind()),
                    "a range, tuple or set is needed",
                    "write for example `1..n`, `(a, b, c)` or `cells`",
                ));
            }
        }
        Ok(true)
    }

    /// The elements of a set: cells of the puzzle in force in order of declaration, all else increasing.
    pub(super) fn in_order(&self, set: &Set) -> Vec<Value> {
        let mut values: Vec<Value> = set.iter().cloned().collect();
        if let Some(instance) = &self.instance {
            let numbers: Option<Vec<u32>> = values.iter().map(|value| instance.number_of(value)).collect();
            if let Some(numbers) = numbers
                && !numbers.is_sorted()
            {
                let mut pairs: Vec<(u32, Value)> = numbers.into_iter().zip(values).collect();
                pairs.sort_by_key(|(number, _)| *number);
                values = pairs.into_iter().map(|(_, value)| value).collect();
            }
        }
        values
    }

    /// Binds a pattern; a value of another form is an error.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value) -> Run<()> {
        if let Pattern::Bind(slot, _) = pattern {
            self.set_slot(*slot, value);
            return Ok(());
        }
        if self.match_value(pattern, &value)? {
            return Ok(());
        }
        let shown = self.print(&value);
        let wanted = match pattern {
            Pattern::Tuple(parts, _) => format!("a tuple of {} is expected here", parts.len()),
            _ => "this does not fit".to_string(),
        };
        Err(Fault::at(
            codes::PATTERN_MISMATCH,
            pattern.span(),
            format!("`{shown}` does not have this form"),
            wanted,
            "give the pattern as many parts as the value has",
        ))
    }

    /// Does a value fit a pattern? Binds its names on the way.
    pub(super) fn match_value(&mut self, pattern: &Pattern, value: &Value) -> Run<bool> {
        Ok(match pattern {
            Pattern::Bind(slot, _) => {
                self.set_slot(*slot, value.clone());
                true
            }
            Pattern::Int(wanted, _) => matches!(value, Value::Int(value) if value == wanted),
            Pattern::Equal(slot, span) => {
                let known = self.slot(*slot);
                self.equal(&known, value, *span)?
            }
            Pattern::Param(at, span) => {
                let known = self.in_force(*span)?.args.get(*at as usize).cloned().unwrap_or(Value::Nothing);
                self.equal(&known, value, *span)?
            }
            Pattern::Tuple(parts, _) => match value.elements() {
                Some(values) if values.len() == parts.len() => {
                    for (part, value) in parts.iter().zip(&values) {
                        if !self.match_value(part, value)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                _ => false,
            },
        })
    }

    pub(super) fn truth(&mut self, ex: &Ex) -> Run<bool> {
        match self.eval(ex)? {
            Value::Bool(value) => Ok(value),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                ex.span,
                format!("a condition is needed here, not {}", other.kind()),
                "neither true nor false",
                "compare it with something: `==`, `<`, `in`, `subset`",
            )),
        }
    }

    /// Cycles written with plain integers: cells by their numbers in a puzzle, integers elsewhere.
    fn integer_cycles(&mut self, cycles: &[Vec<u32>], span: Span) -> Run<Value> {
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

/// `T[2,1]`
pub fn member_text(name: &str, indices: &[i64]) -> String {
    let shown: Vec<String> = indices.iter().map(i64::to_string).collect();
    format!("`{name}[{}]`", shown.join(","))
}
