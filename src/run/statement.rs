//! Statements and blocks.

use std::sync::Arc;

use super::machine::{Machine, Pending};
use super::procedure::Measured;
use super::value::{Key, Value};
use super::{Failure, Fault, Output, Run};
use crate::diagnostic::{Code, Diagnostic, codes};
use crate::resolve::program::*;
use crate::run::group::GroupValue;
use crate::source::Span;

/// How a block ended.
pub(super) enum Flow {
    /// at its end, with the value of its last expression
    End(Value),
    Break,
    Continue,
    Return(Value),
}

impl Flow {
    pub(super) fn value(self) -> Value {
        match self {
            Flow::End(value) | Flow::Return(value) => value,
            Flow::Break | Flow::Continue => Value::Nothing,
        }
    }
}

impl Machine<'_> {
    /// A block where a value is needed, in an `if`.
    pub(super) fn block_value(&mut self, block: &Block) -> Run<Value> {
        match self.block(block)? {
            Flow::End(value) => Ok(value),
            // an `if` that is a statement of its own is handled by `statement`
            Flow::Break | Flow::Continue | Flow::Return(_) => {
                let span = block.statements.last().map_or(Span::default(), |last| last.span);
                Err(Fault::at(
                    codes::WRONG_PLACE,
                    span,
                    "`break`, `continue` or `return` stands inside a value",
                    "here",
                    "make the `if` a statement of its own",
                ))
            }
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Run<Flow> {
        let mut last = Value::Nothing;
        let outer = self.instance.clone();
        for statement in &block.statements {
            match self.statement(statement) {
                Ok(Flow::End(value)) => last = value,
                other => {
                    self.instance = outer;
                    return other;
                }
            }
        }
        self.instance = outer;
        Ok(Flow::End(last))
    }

    pub(super) fn statement(&mut self, statement: &St) -> Run<Flow> {
        let span = statement.span;
        match &statement.kind {
            StKind::Let(pattern, ex) => {
                let value = self.eval(ex)?;
                self.bind(pattern, value)?;
            }
            StKind::LetGlobal(pattern, ex, globals) => {
                let value = self.eval(ex)?;
                self.bind(pattern, value)?;
                let module = self.module_of(span);
                for (slot, index) in globals {
                    let value = self.slot(*slot);
                    self.set_global(module, *index, value);
                }
            }
            StKind::Assign(slot, index, ex) => self.assign(*slot, index.as_ref(), ex, span)?,
            StKind::Fn(slot, function) => {
                let value = self.close(function);
                self.set_slot(*slot, value);
            }
            StKind::FnGlobal(index, function) => {
                let value = self.close(function);
                let module = self.module_of(span);
                self.set_global(module, *index, value);
            }
            StKind::For(clauses, body) => {
                let mut ended = None;
                self.each(clauses, &mut |machine| {
                    let flow = machine.block(body)?;
                    Ok(match flow {
                        Flow::End(_) | Flow::Continue => true,
                        Flow::Break => false,
                        Flow::Return(value) => {
                            ended = Some(value);
                            false
                        }
                    })
                })?;
                if let Some(value) = ended {
                    return Ok(Flow::Return(value));
                }
            }
            StKind::While(condition, measure, body, until) => {
                return self.rounds(Some((condition, *until)), measure.as_ref(), body, span);
            }
            StKind::Repeat(count, body) => {
                let times = self.eval(count)?;
                for _ in 0..self.small_count(&times, count.span, "a number of rounds")? {
                    self.step(span)?;
                    if let Some(flow) = self.round(body)? {
                        return Ok(flow);
                    }
                }
            }
            StKind::Loop(measure, body) => return self.rounds(None, measure.as_ref(), body, span),
            StKind::Assert(condition, message) => {
                self.assert_as(condition, message.as_ref(), codes::ASSERTION_FAILED, "this is false")?;
            }
            StKind::Require(condition, message, true) => {
                self.assert_as(condition, message.as_ref(), codes::REQUIRE_FAILED, "a requirement is not met")?;
            }
            StKind::Require(condition, message, false) => {
                if !self.truth(condition)? {
                    let why = self
                        .message(message.as_ref())?
                        .unwrap_or_else(|| format!("it requires `{}`", self.source_text(condition.span)));
                    return Err(Fault::at(
                        codes::REQUIRE_FAILED,
                        condition.span,
                        format!("a requirement is not met: {why}"),
                        "this is false",
                        "call it with values that meet the requirement",
                    ));
                }
            }
            StKind::Trace(ex) => {
                self.traced(ex)?;
            }
            StKind::Print(ex) => {
                let value = self.eval(ex)?;
                let line = self.print_line(&value);
                self.output.push(Output::Line(line));
            }
            StKind::Show(ex) => {
                self.searches.clear();
                let value = self.shown_value(ex)?;
                self.output.push(Output::Report { value, written: self.source_text(ex.span), span: ex.span });
                for found in std::mem::take(&mut self.searches) {
                    self.output.push(Output::Line(format!("  search     {found}")));
                }
            }
            StKind::Return(ex) => {
                let value = match ex {
                    Some(ex) => self.eval(ex)?,
                    None => Value::Nothing,
                };
                return Ok(Flow::Return(value));
            }
            StKind::Break => return Ok(Flow::Break),
            StKind::Continue => return Ok(Flow::Continue),
            // an `if` that is a statement passes `break` and `return` on
            StKind::Expr(Ex { kind: ExKind::If(arms, otherwise), .. }) => {
                for (condition, block) in arms {
                    if self.truth(condition)? {
                        return self.block(block);
                    }
                }
                if let Some(block) = otherwise {
                    return self.block(block);
                }
            }
            StKind::Expr(ex) => {
                let value = self.eval(ex)?;
                return Ok(Flow::End(value));
            }
            StKind::On(target, block) => {
                let instance = self.instance_of(target)?;
                let Some(block) = block else {
                    self.instance = Some(instance);
                    return Ok(Flow::End(Value::Nothing));
                };
                let outer = self.instance.replace(instance);
                let flow = self.block(block);
                self.instance = outer;
                return flow;
            }
            StKind::Claim(claim) => {
                let captured = claim.code.captures.iter().map(|(outer, _)| self.slot(*outer)).collect();
                self.claims.push(Pending {
                    claim: claim.clone(),
                    captured,
                    instance: self.instance.clone(),
                    said_before: self.output.len(),
                });
            }
            StKind::Use(_) => {}
        }
        Ok(Flow::End(Value::Nothing))
    }

    /// One round of a loop; gives how the loop ends, if this is its last round.
    fn round(&mut self, body: &Block) -> Run<Option<Flow>> {
        Ok(match self.block(body)? {
            Flow::Break => Some(Flow::End(Value::Nothing)),
            flow @ Flow::Return(_) => Some(flow),
            Flow::End(_) | Flow::Continue => None,
        })
    }

    /// A loop until its condition has the value that ends it, if it has one, with its measure.
    fn rounds(&mut self, condition: Option<(&Ex, bool)>, measure: Option<&Ex>, body: &Block, span: Span) -> Run<Flow> {
        let mut measured = Measured::default();
        if measure.is_some() {
            self.trace_loop(true);
        }
        let flow = loop {
            if let Some((condition, ends)) = condition
                && self.truth(condition)? == ends
            {
                break Flow::End(Value::Nothing);
            }
            self.step(span)?;
            self.measure(measure, &mut measured)?;
            if let Some(flow) = self.round(body)? {
                break flow;
            }
        };
        // also where the algorithm returns from inside: what follows has no such measure
        if measure.is_some() {
            self.trace_loop(false);
        }
        Ok(flow)
    }

    /// The module of a place in a script.
    pub(super) fn module_of(&self, span: Span) -> usize {
        self.library
            .modules
            .iter()
            .rposition(|module| module.file == span.file || module.files.contains(&span.file))
            .unwrap_or(0)
    }

    fn set_global(&mut self, module: usize, index: u32, value: Value) {
        let globals = Arc::make_mut(&mut self.globals);
        if globals.len() <= module {
            globals.resize_with(module + 1, Vec::new);
        }
        let values = &mut globals[module];
        if values.len() <= index as usize {
            values.resize(index as usize + 1, Value::Nothing);
        }
        values[index as usize] = value;
    }

    /// The value of an expression whose report is wanted.
    pub(super) fn shown_value(&mut self, ex: &Ex) -> Run<Value> {
        let value = self.eval(ex)?;
        match &value {
            // what cannot be evaluated should fail here, at its place
            Value::Word(_) => {
                self.perm_of(&value, ex.span)?;
                Ok(value)
            }
            Value::Group(group) => {
                self.find_facts(group, ex.span)?;
                Ok(value)
            }
            // a puzzle without parameters is its only instance, a family may stand for its default member
            Value::Puzzle(id) if self.library.head(*id).params.is_empty() => {
                self.instance(*id, Vec::new(), ex.span).map(Value::Instance)
            }
            Value::Family(instance, id) => match instance.letter(*id) {
                Some(letter) => Ok(Value::Word(instance.letter_word(letter))),
                None => Ok(value),
            },
            _ => Ok(value),
        }
    }

    fn assign(&mut self, slot: Slot, index: Option<&Ex>, ex: &Ex, span: Span) -> Run<()> {
        let value = self.eval(ex)?;
        self.check_depth(&value, ex.span)?;
        let Some(index_ex) = index else {
            self.set_slot(slot, value);
            return Ok(());
        };
        let index = self.eval(index_ex)?;
        // taking the value out of its slot makes it the only owner, so nothing is copied
        let mut holder = std::mem::replace(&mut self.frame[slot as usize], Value::Nothing);
        if let Value::Range(..) = holder {
            self.room_for(holder.size().unwrap_or(0) as u128, span)?;
            holder = Value::tuple(holder.elements().unwrap_or_default());
        }
        let changed = match holder {
            Value::Tuple(mut parts) if matches!(index, Value::Int(at) if at >= 1 && at as u64 <= parts.len() as u64) => {
                if let Value::Int(at) = index {
                    Arc::make_mut(&mut parts)[at as usize - 1] = value;
                }
                Value::Tuple(parts)
            }
            Value::Tuple(parts) => {
                // the same error as for reading where it does not exist
                self.frame[slot as usize] = Value::Tuple(parts);
                self.element(&self.slot(slot), &index, index_ex.span)?;
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    index_ex.span,
                    "one element is replaced at a time",
                    "not a single index",
                    "use an integer",
                ));
            }
            Value::Map(map) if index.is_data() => {
                let mut map = map;
                Arc::make_mut(&mut map).insert(Key(index), value);
                Value::Map(map)
            }
            other => {
                let kind = other.kind();
                self.frame[slot as usize] = other;
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    span,
                    format!("an element of {kind} cannot be replaced"),
                    "here",
                    "only tuples and dictionaries have elements to replace",
                ));
            }
        };
        self.set_slot(slot, changed);
        Ok(())
    }

    fn message(&mut self, message: Option<&Ex>) -> Run<Option<String>> {
        let Some(ex) = message else { return Ok(None) };
        let value = self.eval(ex)?;
        Ok(Some(self.print_line(&value)))
    }

    /// Checks what a script says is true; a failure keeps the two sides of a comparison.
    pub(super) fn assert_as(&mut self, condition: &Ex, message: Option<&Ex>, code: Code, what: &str) -> Run<()> {
        self.assertions += 1;
        // the two sides of a comparison are evidence: keep them
        let mut sides = None;
        self.refused = None;
        if let ExKind::Compare(first, links) = &condition.kind {
            let mut left = self.eval(first)?;
            let mut left_span = first.span;
            for (op, right_ex) in links {
                let right = self.eval(right_ex)?;
                if !self.holds(*op, &left, &right, left_span, right_ex.span)? {
                    sides = Some((left, *op, right));
                    break;
                }
                left = right;
                left_span = right_ex.span;
            }
            if sides.is_none() {
                return Ok(());
            }
        } else if self.truth(condition)? {
            return Ok(());
        }
        let title = match self.message(message)? {
            Some(text) => format!("{what}: {text}"),
            None => what.to_string(),
        };
        let mut diagnostic = Diagnostic::at(code, condition.span, title, "false");
        if let Some((instance, perm)) = self.refused.take() {
            if instance.sliding().is_some() && perm.degree() == instance.cells.len() {
                diagnostic.notes.extend(super::builtin::why_not(self, &instance, &perm, condition.span));
            } else {
                let group = GroupValue::of_moves(&instance);
                let obstacle = self.quietly(|work| group.group.obstacle(&perm, work)).flatten();
                diagnostic.notes.extend(obstacle.map(|obstacle| obstacle.sentence(&|point| group.point_text(point))));
            }
        }
        diagnostic.help = match code {
            codes::ENSURE_FAILED => Some("correct the algorithm, or what it promises".to_string()),
            codes::REQUIRE_FAILED => Some("run it where this is true, or require less".to_string()),
            _ => None,
        };
        let sides_at = diagnostic.notes.len();
        Err(Fault::Failed(Box::new(Failure { diagnostic, sides, sides_at, span: condition.span })))
    }
}
