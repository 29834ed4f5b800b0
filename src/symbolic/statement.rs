//! Statements and blocks.

use std::sync::Arc;

use super::scope::{Alternative, elsewhere, worst};
use super::{Follow, Leaf, Machine, Note, Stop, SymbolicPuzzle, Value};
use crate::prove::Region;
use crate::resolve::program::*;
use crate::source::Span;

/// Rounds of a loop that are followed one by one.
const MAX_ROUNDS: usize = 1_000;

/// In rounds after these no new cases are made.
const SPLIT_ROUNDS: usize = 6;

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
    pub(super) fn block_value(&mut self, block: &Block) -> Follow<Value> {
        match self.block(block)? {
            Flow::End(value) => Ok(value),
            Flow::Break | Flow::Continue | Flow::Return(_) => {
                let span = block.statements.last().map_or(Span::default(), |last| last.span);
                Err(Stop::wrong(span, "`break`, `continue` or `return` stands inside a value"))
            }
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Follow<Flow> {
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

    fn statement(&mut self, statement: &St) -> Follow<Flow> {
        let span = statement.span;
        self.step(span)?;
        self.at = span;
        match &statement.kind {
            StKind::Let(pattern, ex) => {
                let value = self.eval(ex)?;
                let value = self.named(pattern, value);
                self.bind(pattern, value)?;
            }
            StKind::Assign(slot, None, ex) => {
                let value = self.eval(ex)?;
                self.change_slot(*slot, value, span)?;
            }
            StKind::Assign(slot, Some(index), ex) => self.replace(*slot, index, ex)?,
            StKind::Fn(slot, function) => {
                let value = self.close(function);
                self.set_slot(*slot, value);
            }
            StKind::For(clauses, body) => {
                if let flow @ Flow::Return(_) = self.for_each(clauses, 0, body, span)? {
                    return Ok(flow);
                }
            }
            StKind::While(condition, measure, body, until) => {
                return self.rounds(Some((condition, *until)), measure.as_ref(), body, span);
            }
            StKind::Loop(measure, body) => return self.rounds(None, measure.as_ref(), body, span),
            StKind::Repeat(count, body) => {
                let times = self.small_count(count)?;
                for _ in 0..times {
                    self.step(span)?;
                    match self.block(body)? {
                        Flow::Break => break,
                        flow @ Flow::Return(_) => return Ok(flow),
                        Flow::End(_) | Flow::Continue => {}
                    }
                }
            }
            StKind::Assert(condition, _) => self.assert(condition)?,
            StKind::Require(condition, _, true) => {
                return Err(Stop::beyond(
                    condition.span,
                    "what an algorithm requires",
                    "give a range instead: `for n in 5..24`",
                ));
            }
            StKind::Require(condition, _, false) => {
                if !self.truth(condition)? {
                    let text = self.source_text(condition.span);
                    return Err(Stop::wrong(condition.span, format!("a requirement is not met: `{text}`")));
                }
            }
            StKind::Print(ex) => {
                self.eval(ex)?;
            }
            StKind::Show(ex) => {
                let value = self.eval(ex)?;
                if let Value::Word(_) = value {
                    // what cannot be done is an error here
                    self.perm_of(&value, ex.span)?;
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
            StKind::Expr(ex) => return Ok(Flow::End(self.eval(ex)?)),
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
            StKind::Use(_) => {}
            StKind::Trace(_) => {
                return Err(Stop::beyond(span, "the trace of a procedure", "give a range instead: `for n in 5..24`"));
            }
            StKind::Claim(_) | StKind::LetGlobal(..) | StKind::FnGlobal(..) => {
                return Err(Stop::beyond(span, "a statement of a file", "put it outside the claim"));
            }
        }
        Ok(Flow::End(Value::Nothing))
    }

    /// A word with a name keeps it, for evidence.
    fn named(&self, pattern: &Pattern, value: Value) -> Value {
        match (pattern, value) {
            (Pattern::Bind(_, span), Value::Word(word)) => Value::Word(word.named(&self.source_text(*span))),
            (_, value) => value,
        }
    }

    fn assert(&mut self, condition: &Ex) -> Follow<()> {
        self.assertions += 1;
        if !self.truth(condition)? {
            return Err(Stop::False { span: condition.span });
        }
        if self.wants_notes {
            self.notes.push(Note::Holds { span: condition.span });
        }
        Ok(())
    }

    /// The instance that an expression after `on` names.
    pub(super) fn instance_of(&mut self, ex: &Ex) -> Follow<Arc<SymbolicPuzzle>> {
        match self.eval(ex)? {
            Value::Instance(instance) => Ok(instance),
            Value::Puzzle(id) => self.puzzle_instance(id, Vec::new(), ex.span),
            Value::Other(kind) => Err(elsewhere(kind, ex.span)),
            other => Err(Stop::wrong(ex.span, format!("a puzzle is needed here, not {}", other.kind()))),
        }
    }

    /// A number of rounds.
    fn small_count(&mut self, ex: &Ex) -> Follow<i64> {
        let value = self.eval(ex)?;
        let Value::Number(poly) = value else {
            return match value {
                Value::Other(kind) => Err(elsewhere(kind, ex.span)),
                other => Err(Stop::wrong(ex.span, format!("a number of rounds cannot be {}", other.kind()))),
            };
        };
        if !self.is_integer(&poly, ex.span)? || !self.at_least_zero(&poly, ex.span)? {
            return Err(Stop::wrong(ex.span, "a number of rounds is an integer that is not negative"));
        }
        match self.with_known(&poly, ex.span)?.as_int() {
            Some(times) if times <= MAX_ROUNDS as i64 => Ok(times),
            Some(_) => Err(Stop::beyond(ex.span, "so many rounds", "give a range instead: `for n in 5..24`")),
            None => Err(Stop::beyond(
                ex.span,
                "a number of rounds that depends on the parameters",
                "a power has any exponent: `w^n`; or give a range: `for n in 5..24`",
            )),
        }
    }

    /// `k[j] = e`
    fn replace(&mut self, slot: Slot, index: &Ex, ex: &Ex) -> Follow<()> {
        let value = self.eval(ex)?;
        let at = self.eval(index)?;
        let holder = self.slot(slot);
        let replaced = match (&holder, &at) {
            (Value::Tuple(_) | Value::Range(..) | Value::Sequence(_), Value::Number(poly)) => {
                self.with_element(&holder, poly, value, index.span)?
            }
            (Value::Other(kind), _) | (_, Value::Other(kind)) => return Err(elsewhere(kind, index.span)),
            _ => return Err(Stop::wrong(index.span, format!("an element of {} cannot be replaced", holder.kind()))),
        };
        self.change_slot(slot, replaced, ex.span)
    }

    /// A loop until its condition has the value that ends it, if it has one, with its measure.
    fn rounds(
        &mut self,
        condition: Option<(&Ex, bool)>,
        measure: Option<&Ex>,
        body: &Block,
        span: Span,
    ) -> Follow<Flow> {
        if let Some(measure) = measure {
            return Err(Stop::beyond(
                measure.span,
                "a loop with `decreases`",
                "give a range instead: `for n in 5..24`",
            ));
        }
        for round in 0..MAX_ROUNDS {
            let flow = match self.one_round(condition, body, span) {
                // one case for each number of rounds would not end
                Err(Stop::Split(_)) if round >= SPLIT_ROUNDS => {
                    return Err(Stop::beyond(
                        span,
                        "a loop whose number of rounds depends on the parameters",
                        "give a range instead: `for n in 5..24`",
                    ));
                }
                flow => flow?,
            };
            if let Some(flow) = flow {
                return Ok(flow);
            }
        }
        Err(Stop::beyond(span, "a loop with so many rounds", "give a range instead: `for n in 5..24`"))
    }

    /// One round of a loop; gives how the loop ends, if it does.
    fn one_round(&mut self, condition: Option<(&Ex, bool)>, body: &Block, span: Span) -> Follow<Option<Flow>> {
        if let Some((condition, ends)) = condition
            && self.truth(condition)? == ends
        {
            return Ok(Some(Flow::End(Value::Nothing)));
        }
        self.step(span)?;
        Ok(match self.block(body)? {
            Flow::Break => Some(Flow::End(Value::Nothing)),
            flow @ Flow::Return(_) => Some(flow),
            Flow::End(_) | Flow::Continue => None,
        })
    }

    /// `for … { … }`: what has fixed length is gone through one by one; else the body is followed for one element that stands
    /// for all, and may change nothing outside.
    fn for_each(&mut self, clauses: &Clauses, depth: usize, body: &Block, span: Span) -> Follow<Flow> {
        let Some((pattern, range)) = clauses.each.get(depth) else {
            if let Some(condition) = &clauses.condition
                && !self.truth(condition)?
            {
                return Ok(Flow::End(Value::Nothing));
            }
            return self.block(body);
        };
        let source = self.eval(range)?;
        let is_set = matches!(source, Value::Set(_) | Value::Cells(_));
        let alternatives = self.alternatives(&source, pattern, range.span)?;
        let one_by_one = alternatives.iter().all(|one| matches!(one, Alternative::One(_)));
        if one_by_one && (!is_set || alternatives.len() < 2) {
            for alternative in alternatives {
                self.step(span)?;
                if let Alternative::One(value) = alternative {
                    self.bind(pattern, value)?;
                }
                match self.for_each(clauses, depth + 1, body, span)? {
                    // the clauses are one loop
                    flow @ (Flow::Break | Flow::Return(_)) => return Ok(flow),
                    Flow::End(_) | Flow::Continue => {}
                }
            }
            return Ok(Flow::End(Value::Nothing));
        }
        // one element stands for many, or they come in any order
        let mut endings = Vec::new();
        for alternative in alternatives {
            self.step(span)?;
            let (vars, region, value) = match alternative {
                Alternative::One(value) => (Vec::new(), Region::all(), value),
                Alternative::Each { vars, region, value } => (vars, region, value),
            };
            let cases = self.outcomes(&vars, region, span, &mut |machine| {
                machine.bind(pattern, value.clone())?;
                machine.for_each(clauses, depth + 1, body, span)
            })?;
            endings.extend(cases.into_iter().map(|(scope, value)| Leaf { vars: vars.clone(), scope, value }));
        }
        let mut troubles = Vec::new();
        for Leaf { vars, scope, value } in endings {
            match value {
                Ok(Flow::End(_) | Flow::Continue) => {}
                Ok(Flow::Break | Flow::Return(_)) => {
                    if self.is_inhabited(&vars, &scope, span)? {
                        return Err(Stop::beyond(
                            span,
                            "a loop of many rounds that ends early",
                            "ask with `any(…)` or `all(…)`",
                        ));
                    }
                }
                Err(stop) => {
                    if self.is_inhabited(&vars, &scope, span)? {
                        troubles.push(stop);
                    }
                }
            }
        }
        worst(troubles, span).map_or(Ok(Flow::End(Value::Nothing)), Err)
    }
}
