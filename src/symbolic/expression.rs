//! Expressions, except runs of atoms ([`super::juxtapose`]) and operators ([`super::operate`]).

use std::sync::Arc;

use super::scope::elsewhere;
use super::{Follow, Machine, Stop, Value};
use crate::prove::Poly;
use crate::resolve::program::*;
use crate::source::Span;

/// Words written with more moves are not followed.
const LONGEST_WORD: usize = 4_000;

impl Machine<'_> {
    pub fn eval(&mut self, ex: &Ex) -> Follow<Value> {
        match &ex.kind {
            ExKind::Int(value) => Ok(Value::int(*value)),
            ExKind::Local(slot) => Ok(self.slot(*slot)),
            ExKind::Bool(value) => Ok(Value::Bool(*value)),
            ExKind::Big(_) => Err(Stop::beyond(ex.span, "a number as large as this", "use smaller numbers")),
            ExKind::Builtin(id) => Ok(Value::Builtin(*id)),
            ExKind::Puzzle(id) => Ok(Value::Puzzle(*id)),
            ExKind::Param(at) => {
                let instance = self.in_force(ex.span)?;
                Ok(instance.args.get(*at as usize).cloned().unwrap_or(Value::Nothing))
            }
            ExKind::Cells => Ok(Value::Cells(self.in_force(ex.span)?)),
            ExKind::Move(id) => {
                let instance = self.in_force(ex.span)?;
                self.move_value(&instance, *id, ex.span)
            }
            ExKind::Member(ids) => {
                let instance = self.in_force(ex.span)?;
                self.member(ids, &instance, ex.span)
            }
            ExKind::Global(module, index) => self.global(*module, *index, ex.span),
            ExKind::Letters(letters) => self.letters(letters, ex.span),
            _ => stacker::maybe_grow(64 << 10, 2 << 20, || self.eval_deep(ex)),
        }
    }

    fn eval_deep(&mut self, ex: &Ex) -> Follow<Value> {
        self.step(ex.span)?;
        self.at = ex.span;
        match &ex.kind {
            ExKind::Text(parts) => self.text(parts),
            ExKind::Run(factors) => self.run(factors, ex.span, false),
            ExKind::Cycles(cycles) => self.integer_cycles(cycles, ex.span),
            ExKind::CellCycles(cycles) => self.cell_cycles(cycles, ex.span),
            ExKind::Paren(args) => self.paren(args, ex.span),
            ExKind::Bracket(bracket) => self.bracket(bracket, ex.span),
            ExKind::Set(items) => self.set_literal(items, ex.span),
            ExKind::Unary(op, value) => self.unary(*op, value, ex.span),
            ExKind::Binary(op, left, right) => self.binary(*op, left, right, ex.span),
            ExKind::Compare(first, links) => Ok(Value::Bool(self.compare(first, links)?)),
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
            ExKind::Find(_) => {
                Err(Stop::beyond(ex.span, "a search for words", "give a range instead: `for n in 5..24`"))
            }
            ExKind::Lambda(function) => Ok(self.close(function)),
            ExKind::Bare(id) => Err(self.beyond_builtin(*id, ex.span)),
            ExKind::Perform(perform) => Err(Stop::beyond(
                ex.span,
                match perform.run {
                    true => "a procedure that looks at a board",
                    false => "a move on a board",
                },
                "give a range instead: `for n in 5..24`",
            )),
            _ => Err(Stop::wrong(ex.span, "this was wrong before it ran")),
        }
    }

    /// A condition.
    pub fn truth(&mut self, ex: &Ex) -> Follow<bool> {
        match self.eval(ex)? {
            Value::Bool(value) => Ok(value),
            Value::Other(kind) => Err(elsewhere(kind, ex.span)),
            other => Err(Stop::wrong(ex.span, format!("a condition is needed here, not {}", other.kind()))),
        }
    }

    pub(super) fn move_value(&mut self, of: &Arc<super::SymbolicPuzzle>, id: MoveId, span: Span) -> Follow<Value> {
        let declaration = of.puzzle.moves.get(id as usize);
        if declaration.is_some_and(|declaration| !declaration.indices.is_empty()) {
            return Ok(Value::Family(of.clone(), id));
        }
        match self.plain_letter(of, id, span)? {
            Some(word) => Ok(Value::Word(word)),
            None => Err(Stop::wrong(span, format!("this move of {} is not known yet here", of.name))),
        }
    }

    fn letters(&mut self, letters: &Letters, span: Span) -> Follow<Value> {
        let of = self.in_force(span)?;
        let mut pieces: Vec<Vec<Value>> = Vec::with_capacity(letters.pieces.len());
        for piece in &letters.pieces {
            let mut turns = Vec::with_capacity(piece.len());
            for turn in piece {
                let Some(word) = self.plain_letter(&of, turn.id, span)? else {
                    let name = of.puzzle.moves.get(turn.id as usize).map_or("", |declaration| &declaration.name);
                    return Err(Stop::wrong(
                        span,
                        format!("`{name}` is a family of moves without this default member"),
                    ));
                };
                let exponent = i64::from(turn.times) * if turn.inverse { -1 } else { 1 };
                let letter = Value::Word(word);
                turns.push(match exponent {
                    1 => letter,
                    -1 => self.inverse_of(&letter, span)?,
                    exponent => self.power_of(&letter, &Poly::int(exponent), span)?,
                });
            }
            pieces.push(turns);
        }
        let all: Vec<(Value, Span)> = match &letters.order {
            None => pieces.into_iter().flatten().map(|turn| (turn, span)).collect(),
            Some(run) => {
                if run.order.len() > LONGEST_WORD {
                    return Err(Stop::beyond(
                        span,
                        "a word with so many moves",
                        "give a range instead: `for n in 5..24`",
                    ));
                }
                let piece = |at: &u32| pieces.get(*at as usize).cloned().unwrap_or_default();
                run.order.iter().flat_map(piece).map(|turn| (turn, span)).collect()
            }
        };
        match all.as_slice() {
            [(only, _)] => Ok(only.clone()),
            _ => self.product(all, span),
        }
    }

    fn text(&mut self, parts: &[TextPart]) -> Follow<Value> {
        if let [TextPart::Plain(text)] = parts {
            return Ok(Value::Text(text.clone()));
        }
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Plain(plain) => text.push_str(plain),
                TextPart::Value(ex) => match self.eval(ex)? {
                    Value::Text(inner) => text.push_str(&inner),
                    Value::Number(poly) if poly.as_constant().is_some() => {
                        text.push_str(&self.print(&Value::Number(poly)))
                    }
                    _ => {
                        return Err(Stop::beyond(ex.span, "a value as text", "compare the values themselves"));
                    }
                },
            }
        }
        Ok(Value::Text(text.into()))
    }

    /// Parentheses that stand alone: grouping, a tuple, a box of cells, a cycle, a comprehension.
    pub(super) fn paren(&mut self, args: &Args, span: Span) -> Follow<Value> {
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
        if let [Item { label: None, arrow: None, clauses: Some(clauses), value, span }] = args.items.as_slice() {
            return self.comprehension(value, clauses, *span);
        }
        let mut values: Vec<Value> = Vec::with_capacity(args.items.len());
        let mut parts: Option<Value> = None;
        for item in &args.items {
            if item.label.is_some() || item.arrow.is_some() {
                return Err(Stop::wrong(item.span, "this has no meaning in a tuple"));
            }
            match &item.clauses {
                None => values.push(self.eval(&item.value)?),
                Some(clauses) => {
                    let before = Value::tuple(std::mem::take(&mut values));
                    let before = match parts.take() {
                        None => before,
                        Some(parts) => self.concatenated(&parts, &before, span)?,
                    };
                    let more = self.comprehension(&item.value, clauses, item.span)?;
                    parts = Some(self.concatenated(&before, &more, span)?);
                }
            }
        }
        match parts {
            None if values.iter().any(|value| matches!(value, Value::Range(..))) => {
                self.box_of(&values, span, &|value| matches!(value, Value::Range(..)))
            }
            None => Ok(Value::tuple(values)),
            Some(parts) => self.concatenated(&parts, &Value::tuple(values), span),
        }
    }

    /// `[A, B]` and `[A: B]`
    fn bracket(&mut self, bracket: &Bracket, span: Span) -> Follow<Value> {
        let ([a, b], [separator]) = (bracket.entries.as_slice(), bracket.separators.as_slice()) else {
            return Err(Stop::wrong(span, "a bracket has two parts, with a comma or a colon"));
        };
        let (left, right) = (self.eval(a)?, self.eval(b)?);
        match separator {
            ':' => self.conjugate((&left, a.span), (&right, b.span), span),
            _ => self.commutator((&left, a.span), (&right, b.span), span),
        }
    }

    fn integer_cycles(&mut self, cycles: &[Vec<u32>], span: Span) -> Follow<Value> {
        let cells = |cycle: &Vec<u32>| cycle.iter().map(|k| Value::int(i64::from(*k))).collect::<Vec<Value>>();
        self.product_of_cycles(cycles.iter().map(cells).collect(), span)
    }

    fn cell_cycles(&mut self, list: &CellCycles, span: Span) -> Follow<Value> {
        let cells = |cycle: &Vec<i64>| {
            let cell = |cell: &[i64]| Value::tuple(cell.iter().map(|c| Value::int(*c)).collect());
            cycle.chunks(list.width.max(1)).map(cell).collect::<Vec<Value>>()
        };
        self.product_of_cycles(list.cycles.iter().map(cells).collect(), span)
    }

    fn product_of_cycles(&mut self, cycles: Vec<Vec<Value>>, span: Span) -> Follow<Value> {
        let mut all = Vec::with_capacity(cycles.len());
        for cycle in &cycles {
            self.step(span)?;
            let cycle: Vec<(Value, Span)> = cycle.iter().map(|cell| (cell.clone(), span)).collect();
            all.push((self.cycle_value(&cycle, span)?, span));
        }
        match all.as_slice() {
            [] => Ok(Value::tuple(Vec::new())),
            [(only, _)] => Ok(only.clone()),
            _ => self.product(all, span),
        }
    }
}
