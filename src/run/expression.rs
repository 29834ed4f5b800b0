//! Expressions, except runs of atoms ([`super::juxtapose`]) and operators ([`super::operate`]).

use std::sync::Arc;

use super::machine::Machine;
use super::value::{Set, Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::codes;
use crate::resolve::program::*;
use crate::source::Span;
use crate::word::{Letter, Word};

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
            ExKind::CellCycles(cycles) => self.cell_cycles(cycles, ex.span),
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
            ExKind::Bare(id) => {
                self.step(ex.span)?;
                super::builtin::call(self, *id, super::builtin::Call::plain(Vec::new(), ex.span), ex.span)
            }
            ExKind::Perform(perform) => self.perform(perform, ex.span),
            ExKind::Lambda(function) => Ok(self.close(function)),
            ExKind::Find(find) => self.find(find, ex.span),
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

    fn letters(&mut self, letters: &Letters, span: Span) -> Run<Value> {
        let instance = self.in_force(span)?;
        let mut pieces: Vec<Vec<(Letter, u32)>> = Vec::with_capacity(letters.pieces.len());
        for piece in &letters.pieces {
            let mut turns = Vec::with_capacity(piece.len());
            for turn in piece {
                match instance.letter(turn.id) {
                    Some(letter) => turns.push((Letter::new(letter as usize, turn.inverse), turn.times)),
                    None => return Err(self.no_default(&instance, turn.id, span)),
                }
            }
            pieces.push(turns);
        }
        let word = match &letters.order {
            None => Word::powers(instance.alphabet(), pieces.iter().flatten().copied()),
            Some(run) => Word::pieces(instance.alphabet(), &pieces, &run.order),
        };
        Ok(Value::Word(WordValue { word: word.unwrap_or_default(), of: Some(instance) }))
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
            return self.box_of(&values, span, &|value| matches!(value, Value::Range(..)));
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

    /// The set of all tuples with one coordinate from each value that `ranges` over its elements; other values stand
    /// for themselves.
    pub(super) fn box_of(&mut self, values: &[Value], span: Span, ranges: &dyn Fn(&Value) -> bool) -> Run<Value> {
        let choices: Vec<u128> =
            values.iter().map(|value| if ranges(value) { value.size().unwrap_or(0) as u128 } else { 1 }).collect();
        let size = choices.into_iter().fold(1u128, u128::saturating_mul);
        self.room_for(size.saturating_mul(values.len() as u128 + 2), span)?;
        self.charge(size as u64, span)?;
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for value in values {
            let choices = if ranges(value) { self.elements_of(value, span)? } else { vec![value.clone()] };
            let mut longer = Vec::with_capacity(all.len() * choices.len());
            for start in &all {
                longer.extend(choices.iter().map(|choice| {
                    let mut next = start.clone();
                    next.push(choice.clone());
                    next
                }));
            }
            all = longer;
        }
        self.make_set(all.into_iter().map(Value::tuple).collect(), span)
    }

    fn set(&mut self, items: &[Item], span: Span) -> Run<Value> {
        let mut elements = Vec::new();
        for value in self.items(items)? {
            match value {
                // a range in braces stands for its members
                Value::Range(from, to) => {
                    self.room_for(Value::Range(from, to).size().unwrap_or(0) as u128, span)?;
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
}

/// `T[2,1]`
pub fn member_text(name: &str, indices: &[i64]) -> String {
    let shown: Vec<String> = indices.iter().map(i64::to_string).collect();
    format!("`{name}[{}]`", shown.join(","))
}
