//! The steps of a proof as data for reports: every formula as a text and as numbers.

use super::conditions::{Names, mathematical};
use crate::claim::Context;
use crate::prove::{Constraint, FIRST, Form, Piece, Region, Union, Var, show};
use crate::report::proof::*;
use crate::source::Span;
use crate::symbolic::{Case, ImageStep, MapStep, Note, Part};

/// A part of a script without its line ends.
pub fn in_one_line(context: &Context<'_>, span: Span) -> String {
    let source = context.sources.get(span.file);
    source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is needed to say a formula.
pub struct Shown<'a> {
    context: &'a Context<'a>,
    names: &'a Names,
    known: &'a Region,
    /// the variables that occur beside coordinates
    vars: Vec<Var>,
}

impl<'a> Shown<'a> {
    pub fn new(context: &'a Context<'a>, names: &'a Names, case: &'a Case) -> Shown<'a> {
        let mut vars: Vec<Var> = Vec::new();
        let mut add = |region: &Region| vars.extend(region.vars().into_iter().filter(|var| *var >= FIRST));
        for note in &case.notes {
            match note {
                Note::Holds { .. } => {}
                Note::Image { start, steps, .. } => {
                    start.regions.iter().for_each(&mut add);
                    let parts = steps.iter().flat_map(|step| &step.parts);
                    parts.flat_map(|part| [&part.before, &part.after]).for_each(&mut add);
                }
                Note::Map { steps, .. } => {
                    steps.iter().flat_map(|step| &step.map.pieces).for_each(|piece| add(&piece.region));
                }
            }
        }
        vars.sort_unstable();
        vars.dedup();
        Shown { context, names, known: &case.region, vars }
    }

    pub fn note(&self, note: &Note) -> StepReport {
        let line = |span: &Span| self.context.sources.place(*span).1;
        match note {
            Note::Holds { span } => {
                let text = in_one_line(self.context, *span);
                let text = mathematical(text.strip_prefix("assert ").unwrap_or(&text));
                StepReport::Assertion { text, line: line(span) }
            }
            Note::Image { span, word, of, start, steps } => {
                let after = |last: &ImageStep| last.parts.iter().map(|part| part.after.clone()).collect();
                let end = steps.last().map_or_else(|| start.regions.clone(), after);
                StepReport::Image {
                    word: word.clone(),
                    of: of.clone(),
                    start: self.cells(start),
                    moves: steps.iter().map(|step| self.image_step(step, start.width)).collect(),
                    end: self.cells(&Union::of(start.width, end)),
                    line: line(span),
                }
            }
            Note::Map { span, word, steps, .. } => StepReport::Map {
                word: word.clone(),
                moves: steps.iter().map(|step| self.map_step(step)).collect(),
                line: line(span),
            },
        }
    }

    fn image_step(&self, step: &ImageStep, width: usize) -> MoveReport {
        let parts = step.parts.iter().map(|part| self.part(part, width)).collect();
        MoveReport { letter: step.letter.clone(), parts }
    }

    fn part(&self, part: &Part, width: usize) -> PartReport {
        let [before, after] = [&part.before, &part.after].map(|region| self.region(region, width));
        PartReport { before, after, moved: part.moved }
    }

    fn map_step(&self, step: &MapStep) -> MapReport {
        let width = step.map.width;
        let pieces = step.map.pieces.iter().map(|piece| PieceReport {
            cells: self.region(&piece.region, width),
            rule: self.rule(piece, width),
            forms: piece.to.iter().map(|form| self.form(form)).collect(),
        });
        MapReport { letter: step.letter.clone(), pieces: pieces.collect() }
    }

    /// `(i, n + 1) -> (n - i, 1) for i in 1..n`: coordinates that are the same for all cells of the piece are written out.
    fn rule(&self, piece: &Piece, width: usize) -> String {
        let region = piece.region.tidy(self.known);
        let fixed: Vec<Option<Form>> = (0..width as Var).map(|at| fixed(&region, at, width)).collect();
        let by = |var: Var| fixed.get(usize::from(var)).cloned().flatten();
        let names = self.spoken(width);
        let cell: Vec<Form> =
            fixed.iter().zip(0..).map(|(form, at)| form.clone().unwrap_or_else(|| Form::var(at))).collect();
        let to: Vec<Form> = piece.to.iter().map(|form| form.substitute(&by).unwrap_or_else(|_| form.clone())).collect();
        let mut rule = format!("{} -> {}", show::point(&cell, &names), show::point(&to, &names));
        let free = region.constraints.iter().filter(|constraint| !is_fixing(constraint, width));
        let free = Region::of(free.cloned().collect());
        let open = (0..width as Var).filter(|at| fixed[usize::from(*at)].is_none());
        let ranges: Option<Vec<String>> =
            open.map(|at| Some(format!("{} in {}", names(at), range(&free, at, width, &names)?))).collect();
        match ranges {
            Some(ranges) if ranges.is_empty() => {}
            Some(ranges) => rule.push_str(&format!(" for {}", ranges.join(", "))),
            None => rule.push_str(&format!(" where {}", show::conditions(&free, &names))),
        }
        rule
    }

    fn cells(&self, cells: &Union) -> CellsReport {
        let regions: Vec<RegionReport> = cells.regions.iter().map(|region| self.region(region, cells.width)).collect();
        let texts: Vec<&str> = regions.iter().map(|region| region.text.as_str()).collect();
        CellsReport { text: if texts.is_empty() { "{}".to_string() } else { texts.join(" | ") }, regions }
    }

    fn region(&self, region: &Region, width: usize) -> RegionReport {
        let names = self.spoken(width);
        let tidy = region.tidy(self.known);
        let text = show::as_box(region, width, &names).or_else(|| show::as_box(&tidy, width, &names));
        RegionReport {
            text: text.unwrap_or_else(|| show::region(&tidy, width, &names)),
            constraints: region.constraints.iter().map(|constraint| self.constraint(constraint)).collect(),
        }
    }

    /// Names in texts: coordinates are called i and j, as in rules of moves.
    fn spoken(&self, width: usize) -> impl Fn(Var) -> String + '_ {
        let coordinates = self.names.coordinates(width, &self.vars);
        move |var| coordinates.get(usize::from(var)).cloned().unwrap_or_else(|| self.names.of(var))
    }

    fn form(&self, form: &Form) -> FormReport {
        FormReport {
            coefficients: form.terms().iter().map(|(var, times)| (self.names.of(*var), *times)).collect(),
            constant: form.constant(),
            over: form.den(),
        }
    }

    pub fn constraint(&self, constraint: &Constraint) -> ConstraintReport {
        let (is, modulus) = match constraint {
            Constraint::Ge(_) => (">= 0", None),
            Constraint::Eq(_) => ("== 0", None),
            Constraint::Mod(_, modulus) => ("== 0", Some(*modulus)),
        };
        ConstraintReport { form: self.form(constraint.form()), is, modulus }
    }
}

/// The form that a coordinate has in all cells of a region, if it is given by an equation.
fn fixed(region: &Region, at: Var, width: usize) -> Option<Form> {
    let equations = region.constraints.iter().filter(|constraint| is_fixing(constraint, width));
    let own = equations.map(Constraint::form).find(|form| form.coefficient(at) != 0)?;
    let coefficient = own.coefficient(at);
    let rest = own.sub(&Form::var(at).scale(coefficient, 1).ok()?).ok()?;
    rest.scale(-1, coefficient).ok()
}

/// An equation for one coordinate.
fn is_fixing(constraint: &Constraint, width: usize) -> bool {
    let coordinates = constraint.vars().filter(|var| usize::from(*var) < width).count();
    matches!(constraint, Constraint::Eq(_)) && coordinates == 1
}

/// `1..n - 1`: the values of a coordinate, if its bounds are the same for all cells of the region.
fn range(region: &Region, at: Var, width: usize, names: &dyn Fn(Var) -> String) -> Option<String> {
    let own: Vec<Constraint> =
        region.constraints.iter().filter(|constraint| constraint.mentions(at)).cloned().collect();
    let alone = |constraint: &Constraint| constraint.vars().all(|var| var == at || usize::from(var) >= width);
    if !own.iter().all(alone) {
        return None;
    }
    // as if it were the only coordinate
    let first = |var: Var| (var == at).then(|| Form::var(0));
    show::as_box(&Region::of(own).substitute(&first).ok()?, 1, names).filter(|text| text.contains(".."))
}
