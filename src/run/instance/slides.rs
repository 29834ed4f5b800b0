//! Building the moves of a puzzle with a blank: where it is at home, and what each move does from each of its places.

use std::sync::Arc;

use super::build::Made;
use super::{Instance, cell_text};
use crate::diagnostic::{Diagnostic, codes};
use crate::puzzle::sliding::{Halt, Step, Walker};
use crate::resolve::program::*;
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value, WordValue};
use crate::run::{Fault, Run};
use crate::source::Span;

/// What a move does, by the cell of the blank.
pub(super) type Steps = Vec<Option<Arc<Step>>>;

impl Machine<'_> {
    /// The cell of the blank in the solved arrangement.
    pub(super) fn build_blank(&mut self, blank: &Function, draft: &Arc<Instance>, span: Span) -> Run<u32> {
        let value = self.in_frame(blank, Some(draft.clone()), span, |_| ())?;
        draft.number_of(&value).ok_or_else(|| {
            let first = cell_text(draft.cells.coordinates(0));
            Fault::at(
                codes::NOT_A_CELL,
                blank.span,
                format!("the blank of {} is no cell", draft.name),
                format!("this is {}", self.print(&value)),
                format!("name the cell that is empty when the puzzle is solved; {first} is one"),
            )
        })
    }

    /// A move whose rules say where the blank goes. Where no rule matches it is impossible.
    pub(super) fn build_slide(
        &mut self,
        declaration: &MoveDecl,
        rules: &[Rule],
        draft: &Arc<Instance>,
        name: &str,
    ) -> Run<Steps> {
        let cells = draft.cells.len() as u32;
        let mut steps: Steps = Vec::with_capacity(cells as usize);
        // where each cell is reached from, and by which rule
        let mut from: Vec<Option<(u32, Span)>> = vec![None; cells as usize];
        for blank in 0..cells {
            self.step(declaration.span)?;
            let Some((path, rule)) = self.path_by_rules(rules, draft, blank, name)? else {
                steps.push(None);
                continue;
            };
            let step = Step::Walk(path.into());
            let to = step.to();
            if let Some((first, other)) = from[to as usize].replace((blank, rule)) {
                let text = |cell: u32| cell_text(draft.cells.coordinates(cell));
                let mut diagnostic = Diagnostic::at(
                    codes::CELLS_COLLIDE,
                    rule,
                    format!("`{name}` takes the blank to one cell from two, so it could not be undone"),
                    format!("from {} it goes to {}", text(blank), text(to)),
                );
                diagnostic = match other == rule {
                    true => diagnostic.note(format!("from {} it goes to {} too", text(first), text(to))),
                    false => diagnostic.label(other, format!("from {} it goes there too", text(first))),
                };
                return Err(Fault::Error(Box::new(
                    diagnostic
                        .help("let a move lead to each cell from one place at most: check the rules and their `where`"),
                )));
            }
            steps.push(Some(Arc::new(step)));
        }
        Ok(steps)
    }

    /// What a move of a puzzle with a blank does that is given by a word or permutation: a permutation carries the blank
    /// along and is always possible, a word does what it does from each place.
    pub(super) fn build_turn(&mut self, value: &Value, draft: &Arc<Instance>, span: Span) -> Run<Steps> {
        let cells = draft.cells.len() as u32;
        let word = match value {
            Value::Perm(_) => None,
            other => Some(self.word_of(other, span)?),
        };
        let Some((WordValue { word, .. }, sliding)) =
            word.filter(|word| word.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, draft))).zip(draft.sliding.as_ref())
        else {
            let perm = self.perm_of(value, span)?;
            let here = PermValue { perm: crate::perm::Perm::identity(cells as usize), of: Some(draft.clone()) };
            let (PermValue { perm, .. }, _) = self.aligned(perm, here, span)?;
            return Ok(turned(&perm, cells));
        };
        let steps = self.slid_work(span, |goes_on| {
            let mut walker = Walker::new(sliding, &word, goes_on);
            let step = |blank| match walker.from(blank) {
                Ok(effect) => Ok(Some(Arc::new(Step::Turn { to: effect.blank, perm: effect.perm }))),
                Err(Halt::Stuck(_)) => Ok(None),
                Err(halt) => Err(halt),
            };
            (0..cells).map(step).collect::<Result<Steps, Halt>>()
        })?;
        Ok(steps.unwrap_or_default())
    }

    /// The cells that the rules let the blank walk through, the last being where it stays, and the place of the rule. None
    /// if no rule matches.
    fn path_by_rules(
        &mut self,
        rules: &[Rule],
        draft: &Arc<Instance>,
        blank: u32,
        name: &str,
    ) -> Run<Option<(Vec<u32>, Span)>> {
        for rule in rules {
            if !self.match_cell(&rule.pattern, draft, blank)? {
                continue;
            }
            if let Some(condition) = &rule.condition
                && !self.truth(condition)?
            {
                continue;
            }
            let stops = self.stops(&rule.target, draft, name)?;
            let from = cell_text(draft.cells.coordinates(blank));
            let mut path: Vec<u32> = Vec::with_capacity(stops.len());
            for stop in &stops {
                let bad = |title: String, label: String, help: &str| {
                    Err(Fault::at(codes::BAD_PATH, rule.span, title, label, help))
                };
                let Some(cell) = draft.number_of(stop) else {
                    let shown = self.print(stop);
                    return Err(Fault::at(
                        codes::OFF_BOARD,
                        rule.span,
                        format!("`{name}` takes the blank off the board of {}", draft.name),
                        format!("from {from} to {shown}, which is no cell"),
                        "restrict the rule with `where`: where no rule matches, the move is impossible",
                    ));
                };
                if cell == blank && stops.len() == 1 {
                    return bad(
                        format!("`{name}` leaves the blank where it is"),
                        format!("from {from} to {from}"),
                        "a place where the move does nothing needs no rule: the move is impossible there",
                    );
                }
                if cell == blank || path.contains(&cell) {
                    let twice = cell_text(draft.cells.coordinates(cell));
                    return bad(
                        format!("the path of `{name}` comes to {twice} twice"),
                        format!("the blank starts at {from}"),
                        "a path names each cell that the blank walks through once, and not the one where it starts",
                    );
                }
                path.push(cell);
            }
            if path.is_empty() {
                return Err(Fault::at(
                    codes::BAD_PATH,
                    rule.span,
                    format!("the path of `{name}` has no cells"),
                    format!("where does the blank go from {from}?"),
                    "name the cells that the blank walks through, or leave the rule out",
                ));
            }
            return Ok(Some((path, rule.span)));
        }
        Ok(None)
    }

    /// The right side of a slide's rule: a cell, a tuple with one range, or a tuple of cells. They are not checked yet.
    fn stops(&mut self, target: &Ex, draft: &Arc<Instance>, name: &str) -> Run<Vec<Value>> {
        let value = match &target.kind {
            ExKind::Paren(args) if args.items.len() > 1 && args.items.iter().all(|item| item.clauses.is_none()) => {
                let parts = self.items(&args.items)?;
                let ranges: Vec<usize> = (0..parts.len()).filter(|at| matches!(parts[*at], Value::Range(..))).collect();
                match ranges.as_slice() {
                    [] => Value::tuple(parts),
                    [at] => {
                        let Value::Range(first, last) = parts[*at] else { return Ok(Vec::new()) };
                        let length = u128::from(first.abs_diff(last)) + 1;
                        self.room_for(length.saturating_mul(parts.len() as u128 + 1), target.span)?;
                        // in the order of the range, which may run down
                        let along: Vec<i64> =
                            if first <= last { (first..=last).collect() } else { (last..=first).rev().collect() };
                        let stop = |k: i64| {
                            let mut stop = parts.clone();
                            stop[*at] = Value::Int(k);
                            Value::tuple(stop)
                        };
                        return Ok(along.into_iter().map(stop).collect());
                    }
                    [_, second, ..] => {
                        return Err(Fault::at(
                            codes::BAD_PATH,
                            args.items[*second].span,
                            format!("two ranges are no path of `{name}`: in which order would the blank walk?"),
                            "a second range",
                            "give one range, or a tuple of all cells in their order",
                        ));
                    }
                }
            }
            _ => self.eval(target)?,
        };
        if draft.number_of(&value).is_some() || draft.looks_like_cell(&value) {
            return Ok(vec![value]);
        }
        match &value {
            Value::Tuple(parts)
                if draft.cells.is_plain() || parts.iter().all(|part| matches!(part, Value::Tuple(_))) =>
            {
                Ok(parts.to_vec())
            }
            Value::Range(first, last) if draft.cells.is_plain() => {
                let (first, last) = (*first, *last);
                self.room_for(u128::from(first.abs_diff(last)) + 1, target.span)?;
                Ok(if first <= last {
                    (first..=last).map(Value::Int).collect()
                } else {
                    (last..=first).rev().map(Value::Int).collect()
                })
            }
            Value::Tuple(_) | Value::Int(_) | Value::Big(_) => Ok(vec![value]),
            other => Err(Fault::at(
                codes::BAD_PATH,
                target.span,
                format!("the blank cannot walk along {}", other.kind()),
                format!("`{name}` has no path here"),
                "the right side of a slide is a cell, a tuple with one range such as `(i, 2..n)`, or a tuple of cells",
            )),
        }
    }
}

/// A permutation as a move: possible wherever the blank is, which goes along.
pub(super) fn turned(perm: &crate::perm::Perm, cells: u32) -> Steps {
    (0..cells).map(|blank| Some(Arc::new(Step::Turn { to: perm.image(blank), perm: perm.clone() }))).collect()
}

impl Made {
    /// What it does from each place of the blank.
    pub(super) fn steps(self, cells: u32) -> Steps {
        match self {
            Made::Perm(perm) => turned(&perm, cells),
            Made::Steps(steps) => steps,
        }
    }
}
