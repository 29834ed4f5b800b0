//! The cells of a puzzle, from its declarations.

use super::{MAX_WIDTH, SymbolicPuzzle, beyond, wrong};
use crate::prove::{Constraint, Form, Region, Union, Var};
use crate::resolve::program::{BinaryOp, CellsDecl, ExKind, Pattern, Puzzle};
use crate::source::Span;
use crate::symbolic::{Follow, Leaf, Machine, Set, Value};

/// Some of the declared cells.
enum Part {
    /// one cell for each point of the scope
    Points { vars: Vec<Var>, scope: Region, cell: Vec<Form>, plain: bool },
    /// a set, in which each stands once
    Set { cells: Union, plain: bool },
}

impl Machine<'_> {
    /// The cells of a puzzle, in disjoint regions, and whether they are plain integers. Each is declared once, and there is
    /// at least one.
    pub(super) fn build_cells(&mut self, puzzle: &Puzzle, name: &str) -> Follow<(Union, bool)> {
        let mut all: Option<(Union, bool)> = None;
        for declaration in &puzzle.cells {
            let span = declaration.span;
            self.frame = vec![Value::Nothing; declaration.frame as usize];
            for part in self.declared_cells(declaration)? {
                let (cells, plain) = self.cells_of_part(part, name, span)?;
                let Some((before, before_plain)) = all.take() else {
                    all = Some((cells, plain));
                    continue;
                };
                if before_plain != plain {
                    return wrong(span, "some cells are integers, others are tuples");
                }
                if before.width != cells.width {
                    return wrong(span, "these cells have another number of coordinates than the first cell");
                }
                let twice = before.intersection(&self.known, &cells);
                if self.done(twice.is_inhabited(&self.known), span)? {
                    return wrong(span, format!("a cell is declared twice in {name}"));
                }
                all = Some((before.union(&cells), plain));
            }
        }
        let whole = puzzle.cells.last().map_or(puzzle.span, |declaration| declaration.span);
        let Some((cells, plain)) = all else { return wrong(whole, format!("{name} has no cells")) };
        if !self.done(cells.is_inhabited(&self.known), whole)? {
            return wrong(whole, format!("{name} has no cells"));
        }
        let cells = self.done(cells.disjoint(&self.known), whole)?.tidy(&self.known);
        Ok((cells, plain))
    }

    fn declared_cells(&mut self, declaration: &CellsDecl) -> Follow<Vec<Part>> {
        let span = declaration.cell.span;
        if let Some(clauses) = &declaration.clauses {
            let leaves = self.clauses(clauses, &mut |machine| {
                let value = machine.eval(&declaration.cell)?;
                machine.declared_cell(&value, span)
            })?;
            let part = |leaf: Leaf<(Vec<Form>, bool)>| {
                let (cell, plain) = leaf.value;
                Part::Points { vars: leaf.vars, scope: leaf.scope, cell, plain }
            };
            return Ok(leaves.into_iter().map(part).collect());
        }
        match self.eval(&declaration.cell)? {
            // `cells 1..n`
            Value::Range(from, to) => {
                let (from, to) = (self.linear(&from, span)?, self.linear(&to, span)?);
                let var = self.fresh("i", span)?;
                let mut scope = Region::all();
                scope.push(self.fits(Constraint::less_eq(&from, &Form::var(var)), span)?);
                scope.push(self.fits(Constraint::less_eq(&Form::var(var), &to), span)?);
                Ok(vec![Part::Points { vars: vec![var], scope, cell: vec![Form::var(var)], plain: true }])
            }
            Value::Set(set) => match &*set {
                Set::Cells { union, plain } => Ok(vec![Part::Set { cells: union.clone(), plain: *plain }]),
                Set::Finite(values) => self.single_cells(values, span),
            },
            Value::Tuple(values) if values.iter().all(|value| matches!(value, Value::Tuple(_))) => {
                self.single_cells(&values, span)
            }
            Value::Sequence(_) => beyond(
                span,
                "a sequence of cells whose length is not fixed",
                "write `cells … for …`, with the names bound there",
            ),
            one => self.single_cells(&[one], span),
        }
    }

    fn single_cells(&mut self, values: &[Value], span: Span) -> Follow<Vec<Part>> {
        let mut parts = Vec::with_capacity(values.len());
        for value in values {
            let (cell, plain) = self.declared_cell(value, span)?;
            parts.push(Part::Points { vars: Vec::new(), scope: Region::all(), cell, plain });
        }
        Ok(parts)
    }

    /// The coordinates of a declared cell, and whether it is a plain integer.
    fn declared_cell(&mut self, value: &Value, span: Span) -> Follow<(Vec<Form>, bool)> {
        let (numbers, plain) = match value {
            Value::Number(_) => (vec![value.clone()], true),
            Value::Tuple(parts) if !parts.is_empty() => (parts.to_vec(), false),
            Value::Range(..) => return beyond(span, "a range as a cell", "write the tuple of its coordinates"),
            other => return wrong(span, format!("`{}` cannot be a cell", self.print(other))),
        };
        if numbers.len() > MAX_WIDTH {
            return beyond(
                span,
                format!("cells with more than {MAX_WIDTH} coordinates"),
                "give a range of values instead",
            );
        }
        let mut cell = Vec::with_capacity(numbers.len());
        for number in &numbers {
            let Value::Number(number) = number else {
                return wrong(span, format!("`{}` cannot be a cell", self.print(value)));
            };
            let form = self.linear(number, span)?;
            if !self.is_integer(&form.poly(), span)? {
                return wrong(span, format!("`{}` cannot be a cell", self.print(value)));
            }
            cell.push(form);
        }
        Ok((cell, plain))
    }

    fn cells_of_part(&mut self, part: Part, name: &str, span: Span) -> Follow<(Union, bool)> {
        match part {
            Part::Set { cells, plain } => Ok((cells, plain)),
            Part::Points { vars, scope, cell, plain } => {
                if !self.are_different(&vars, &scope, &cell, span)? {
                    return beyond(
                        span,
                        format!("a declaration in which a cell of {name} may stand twice"),
                        "let each cell be declared by one choice of the names after `for`",
                    );
                }
                let cells = Union::of_image(&self.known, &scope, &vars, &cell);
                Ok((self.done(cells, span)?, plain))
            }
        }
    }

    /// Do different points of a scope surely give different values of these forms?
    pub(super) fn are_different(&mut self, vars: &[Var], scope: &Region, forms: &[Form], span: Span) -> Follow<bool> {
        let named = |var: &Var| forms.iter().any(|form| *form == Form::var(*var));
        if vars.iter().all(named) {
            return Ok(true);
        }
        let mut others: Vec<Var> = Vec::with_capacity(vars.len());
        for _ in vars {
            others.push(self.fresh("other", span)?);
        }
        let other = |var: Var| vars.iter().position(|known| *known == var).map(|at| Form::var(others[at]));
        let mut both = scope.and(&self.fits(scope.substitute(&other), span)?);
        for form in forms {
            let there = self.fits(form.substitute(&other), span)?;
            both.push(self.fits(Constraint::equal(form, &there), span)?);
        }
        for (var, other) in vars.iter().zip(&others) {
            for (less, more) in [(var, other), (other, var)] {
                let apart = self.fits(Constraint::less(&Form::var(*less), &Form::var(*more)), span)?;
                if !both.with(apart).is_empty_in(&self.known) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl SymbolicPuzzle {
    /// Are cells declared in increasing order, the last coordinate fastest?
    pub(super) fn is_in_reading_order(&self) -> bool {
        let [declaration] = self.puzzle.cells.as_slice() else { return false };
        let Some(clauses) = &declaration.clauses else {
            return matches!(declaration.cell.kind, ExKind::Binary(BinaryOp::Range, ..));
        };
        let ExKind::Paren(args) = &declaration.cell.kind else { return false };
        let goes_up = |(pattern, range): &(Pattern, crate::resolve::program::Ex), at: usize| {
            let Pattern::Bind(slot, _) = pattern else { return false };
            let named = args.items.get(at).is_some_and(|item| {
                item.clauses.is_none() && matches!(item.value.kind, ExKind::Local(other) if other == *slot)
            });
            named && matches!(range.kind, ExKind::Binary(BinaryOp::Range, ..))
        };
        args.items.len() == clauses.each.len() && clauses.each.iter().enumerate().all(|(at, each)| goes_up(each, at))
    }
}
