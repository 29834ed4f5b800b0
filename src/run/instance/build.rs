//! Building an instance: its requirements, cells and moves, in order of declaration.

use std::sync::Arc;

use super::slides::Steps;
use super::{Group, Instance, bad_index, cell_text};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::{NotABijection, Perm};
use crate::puzzle::sliding::Slides;
use crate::puzzle::{BadCells, Cells, MAX_COORDINATES};
use crate::resolve::program::*;
use crate::run::machine::Machine;
use crate::run::value::Value;
use crate::run::{Fault, Run};
use crate::source::Span;

/// What a move does: always the same, or by the place of the blank.
pub(super) enum Made {
    Perm(Perm),
    Steps(Steps),
}

/// The moves that are built already.
#[derive(Default)]
struct Moves {
    /// the blank's cell in the solved arrangement, in a puzzle that has one
    blank: Option<u32>,
    cells: usize,
    /// in a puzzle with a blank the permutations say nothing
    generators: Vec<(String, Perm)>,
    steps: Vec<Steps>,
}

impl Moves {
    fn push(&mut self, name: String, made: Made) {
        match (self.blank, made) {
            (None, Made::Perm(perm)) => self.generators.push((name, perm)),
            (_, made) => {
                self.generators.push((name, Perm::identity(0)));
                self.steps.push(made.steps(self.cells as u32));
            }
        }
    }

    /// The moves as those of a blank, if there is one.
    fn sliding(&self) -> Option<Slides> {
        // each letter was looked at when it was built
        self.blank.and_then(|home| Slides::new(home, self.cells, self.steps.clone()).ok())
    }
}

impl Machine<'_> {
    pub(super) fn build(&mut self, puzzle: &Arc<Puzzle>, args: &[Value], span: Span) -> Run<Instance> {
        let mut name = puzzle.name.to_string();
        if !args.is_empty() {
            let shown: Vec<String> = args.iter().map(|arg| self.print(arg)).collect();
            name = format!("{name}({})", shown.join(", "));
        }
        self.instance = Some(Arc::new(Instance::draft(puzzle, args, &name, Arc::default())));
        for (condition, message) in &puzzle.requires {
            let instance = self.instance.clone();
            let holds = self.in_frame(condition, instance.clone(), span, |_| ())?;
            if matches!(holds, Value::Bool(true)) {
                continue;
            }
            let why = match message {
                Some(message) => match self.in_frame(message, instance, span, |_| ())? {
                    Value::Text(text) => text.to_string(),
                    other => self.print(&other),
                },
                None => format!("it requires `{}`", self.source_text(condition.span).trim()),
            };
            return Err(Fault::Error(Box::new(
                Diagnostic::at(codes::REQUIRE_FAILED, span, format!("there is no {name}: {why}"), "asked for here")
                    .label(condition.span, "required here")
                    .help("choose other arguments"),
            )));
        }
        let cells = self.build_cells(puzzle, &name)?;
        let cells = Arc::new(cells);
        let mut moves = Moves { cells: cells.len(), ..Moves::default() };
        if let Some(blank) = &puzzle.blank {
            let draft = Arc::new(Instance::draft(puzzle, args, &name, cells.clone()));
            moves.blank = Some(self.build_blank(blank, &draft, span)?);
        }
        let mut groups = Vec::new();
        for declaration in &puzzle.moves {
            // what a move is made of may use the moves before it, so each sees a draft with those
            let draft = Instance {
                generators: moves.generators.clone(),
                groups: std::mem::take(&mut groups),
                sliding: if matches!(declaration.body, MoveBody::Value(_)) { moves.sliding() } else { None },
                ..Instance::draft(puzzle, args, &name, cells.clone())
            };
            let draft = Arc::new(draft);
            self.instance = Some(draft.clone());
            let group = self.build_move(declaration, &draft, &mut moves)?;
            groups = draft.groups.clone();
            groups.push(group);
        }
        let sliding = moves.sliding();
        let generators = moves.generators;
        Ok(Instance { generators, groups, sliding, ..Instance::draft(puzzle, args, &name, cells) })
    }

    fn build_cells(&mut self, puzzle: &Puzzle, name: &str) -> Run<Cells> {
        let mut list: Vec<Vec<i64>> = Vec::new();
        let mut plain = None;
        let mut starts = Vec::new();
        for declaration in &puzzle.cells {
            starts.push((list.len(), declaration.span));
            self.frame = vec![Value::Nothing; declaration.frame as usize];
            let mut found: Vec<Value> = Vec::new();
            match &declaration.clauses {
                Some(clauses) => self.each(clauses, &mut |machine| {
                    let cell = machine.eval(&declaration.cell)?;
                    found.push(cell);
                    machine.room_for(found.len() as u128 * 8, declaration.span)?;
                    Ok(true)
                })?,
                None => match self.eval(&declaration.cell)? {
                    // `cells 1..20`, `cells (1..3, 1..4)`
                    Value::Range(from, to) => {
                        self.room_for(Value::Range(from, to).size().unwrap_or(0) as u128 * 8, declaration.span)?;
                        found.extend((from..=to).map(Value::Int));
                    }
                    Value::Set(set) => found.extend(set.iter().cloned()),
                    Value::Tuple(values) if values.iter().all(|value| matches!(value, Value::Tuple(_))) => {
                        found.extend(values.iter().cloned())
                    }
                    one => found.push(one),
                },
            }
            for cell in found {
                let (coordinates, is_plain) = self.cell_coordinates(&cell, declaration.cell.span)?;
                if *plain.get_or_insert(is_plain) != is_plain {
                    return Err(Fault::at(
                        codes::BAD_CELL,
                        declaration.span,
                        "some cells are integers, others are tuples",
                        "in this declaration",
                        "use one form for all cells of a puzzle",
                    ));
                }
                list.push(coordinates);
            }
        }
        let whole = starts.last().map_or(puzzle.span, |(_, span)| *span);
        if list.is_empty() {
            return Err(Fault::at(
                codes::NO_CELLS,
                whole,
                format!("{name} has no cells"),
                "nothing is declared here for these arguments",
                "add a `require` that says which arguments make sense",
            ));
        }
        Cells::new(plain.unwrap_or(false), &list).map_err(|bad| {
            let at = match bad {
                BadCells::Mixed(at) | BadCells::Repeated(at) => at,
                BadCells::TooMany => 0,
            };
            let span = starts.iter().rev().find(|(start, _)| *start <= at).map_or(puzzle.span, |(_, span)| *span);
            let cell = cell_text(&list[at]);
            let (title, help) = match bad {
                BadCells::Mixed(_) => (
                    format!("cell {cell} has another number of coordinates than the first cell"),
                    "give all cells the same form",
                ),
                BadCells::Repeated(_) => (
                    format!("cell {cell} is declared twice in {name}"),
                    "each cell once: add a `where` to one of the declarations",
                ),
                BadCells::TooMany => {
                    (format!("{name} has more than four thousand million cells"), "choose a smaller puzzle")
                }
            };
            Fault::at(codes::BAD_CELL, span, title, "in this declaration", help)
        })
    }

    fn cell_coordinates(&mut self, cell: &Value, span: Span) -> Run<(Vec<i64>, bool)> {
        let bad = |shown: String| {
            Fault::at(
                codes::BAD_CELL,
                span,
                format!("`{shown}` cannot be a cell"),
                "this value",
                "a cell is an integer or a tuple of integers",
            )
        };
        match cell {
            Value::Int(value) => Ok((vec![*value], true)),
            Value::Tuple(parts) if !parts.is_empty() && parts.len() <= MAX_COORDINATES => {
                let coordinates: Option<Vec<i64>> =
                    parts.iter().map(|part| if let Value::Int(part) = part { Some(*part) } else { None }).collect();
                coordinates.map(|coordinates| (coordinates, false)).ok_or_else(|| bad(self.print(cell)))
            }
            Value::Range(from, to) => Ok(((*from..=*to).take(MAX_COORDINATES).collect(), false)),
            _ => Err(bad(self.print(cell))),
        }
    }

    fn build_move(&mut self, declaration: &MoveDecl, draft: &Arc<Instance>, moves: &mut Moves) -> Run<Group> {
        let mut group = Group::default();
        self.frame = vec![Value::Nothing; declaration.frame as usize];
        // the default member, where it exists: `M` is an empty family on an even cube
        let mut default = None;
        if let Some(defaults) = &declaration.defaults {
            let mut indices = Vec::new();
            for ex in defaults {
                match self.eval(ex)? {
                    Value::Int(index) => indices.push(index),
                    other => return Err(bad_index(declaration, other.kind())),
                }
            }
            default = Some(indices);
        }
        let Some(clauses) = &declaration.clauses else {
            let does = self.build_generator(declaration, draft, &declaration.name)?;
            group.plain = Some(moves.generators.len() as u32);
            moves.push(declaration.name.to_string(), does);
            return Ok(group);
        };
        let mut made: Vec<(Vec<i64>, String, Made)> = Vec::new();
        self.each(clauses, &mut |machine| {
            let mut indices = Vec::with_capacity(declaration.indices.len());
            for slot in &declaration.indices {
                match machine.slot(*slot) {
                    Value::Int(index) => indices.push(index),
                    other => return Err(bad_index(declaration, other.kind())),
                }
            }
            let name = if Some(&indices) == default.as_ref() {
                declaration.name.to_string()
            } else {
                let shown: Vec<String> = indices.iter().map(i64::to_string).collect();
                format!("{}[{}]", declaration.name, shown.join(","))
            };
            let does = machine.build_generator(declaration, draft, &name)?;
            made.push((indices, name, does));
            Ok(true)
        })?;
        for (indices, name, does) in made {
            let letter = moves.generators.len() as u32;
            if group.indexed.insert(indices.clone(), letter).is_some() {
                return Err(Fault::at(
                    codes::DECLARED_TWICE,
                    declaration.span,
                    format!("`{name}` is declared twice"),
                    "in this family",
                    "let each index occur once in the range",
                ));
            }
            if Some(&indices) == default.as_ref() {
                group.plain = Some(letter);
            }
            group.order.push(indices);
            moves.push(name, does);
        }
        Ok(group)
    }

    fn build_generator(&mut self, declaration: &MoveDecl, draft: &Arc<Instance>, name: &str) -> Run<Made> {
        match &declaration.body {
            MoveBody::Value(ex) => {
                let value = self.eval(ex)?;
                if draft.sliding.is_some() {
                    return self.build_turn(&value, draft, ex.span).map(Made::Steps);
                }
                Ok(Made::Perm(self.perm_of(&value, ex.span)?.perm))
            }
            MoveBody::Rules(rules) if declaration.slide => {
                self.build_slide(declaration, rules, draft, name).map(Made::Steps)
            }
            MoveBody::Rules(rules) => {
                let mut images: Vec<u32> = Vec::with_capacity(draft.cells.len());
                let mut used: Vec<usize> = Vec::with_capacity(draft.cells.len());
                for cell in 0..draft.cells.len() as u32 {
                    self.step(declaration.span)?;
                    let (image, rule) = self.image_by_rules(rules, draft, cell, name)?;
                    images.push(image);
                    used.push(rule);
                }
                self.bijection(
                    draft,
                    images,
                    |point| rules.get(used[point]).map_or(declaration.span, |rule| rule.span),
                    &format!("`{name}`"),
                )
                .map(Made::Perm)
            }
        }
    }

    /// A permutation from images, or the error that names two cells that collide.
    pub(in crate::run) fn bijection(
        &self,
        instance: &Instance,
        images: Vec<u32>,
        span_of: impl Fn(usize) -> Span,
        name: &str,
    ) -> Run<Perm> {
        crate::puzzle::generator(images.clone()).map_err(|error| match error {
            NotABijection::Collision { first, second, image } => {
                let text = |cell: usize| cell_text(instance.cells.coordinates(cell as u32));
                // blame a rule rather than a cell that stays where it is
                let (blamed, other) = if images[second] as usize == second { (first, second) } else { (second, first) };
                let mut diagnostic = Diagnostic::at(
                    codes::CELLS_COLLIDE,
                    span_of(blamed),
                    format!("{name} sends two cells to one in {}", instance.name),
                    format!("{} goes to {}", text(blamed), text(image as usize)),
                );
                diagnostic = if images[other] as usize == other {
                    diagnostic.note(format!("{} stays where it is: no rule moves it", text(other)))
                } else {
                    diagnostic.note(format!("{} goes to {} too", text(other), text(image as usize)))
                };
                Fault::Error(Box::new(
                    diagnostic
                        .help("a move must be a bijection of the cells: check the rule's coordinates and its `where`"),
                ))
            }
            NotABijection::OutOfRange { point, .. } => Fault::at(
                codes::OFF_BOARD,
                span_of(point),
                format!("{name} sends a cell off the board"),
                "this rule",
                "check the rule's coordinates and its `where`",
            ),
        })
    }

    /// Where the rules send a cell, and which rule did it (`rules.len()` where none matches).
    fn image_by_rules(&mut self, rules: &[Rule], draft: &Arc<Instance>, cell: u32, name: &str) -> Run<(u32, usize)> {
        for (at, rule) in rules.iter().enumerate() {
            if !self.match_cell(&rule.pattern, draft, cell)? {
                continue;
            }
            if let Some(condition) = &rule.condition
                && !self.truth(condition)?
            {
                continue;
            }
            let target = self.eval(&rule.target)?;
            if let Some(number) = draft.number_of(&target) {
                return Ok((number, at));
            }
            let from = cell_text(draft.cells.coordinates(cell));
            return Err(Fault::Error(Box::new(
                Diagnostic::at(
                    codes::OFF_BOARD,
                    rule.span,
                    format!("`{name}` sends {from} off the board of {}", draft.name),
                    format!("{from} goes to {}, which is no cell", self.print(&target)),
                )
                .help("check the rule's coordinates, or restrict it with `where`"),
            )));
        }
        Ok((cell, rules.len()))
    }

    pub(super) fn match_cell(&mut self, pattern: &Pattern, draft: &Arc<Instance>, cell: u32) -> Run<bool> {
        if draft.cells.is_plain() || !matches!(pattern, Pattern::Tuple(..)) {
            let value = draft.cell(cell);
            return self.match_value(pattern, &value);
        }
        let Pattern::Tuple(parts, span) = pattern else { return Ok(false) };
        let coordinates = draft.cells.coordinates(cell);
        if parts.len() != coordinates.len() {
            return Err(Fault::at(
                codes::PATTERN_MISMATCH,
                *span,
                format!("the cells of {} have {} coordinates", draft.name, coordinates.len()),
                format!("this rule names {}", parts.len()),
                "give the rule one name for each coordinate",
            ));
        }
        for (part, value) in parts.iter().zip(coordinates) {
            let fits = match part {
                Pattern::Bind(slot, _) => {
                    self.set_slot(*slot, Value::Int(*value));
                    true
                }
                Pattern::Int(wanted, _) => wanted == value,
                Pattern::Equal(slot, _) => matches!(self.frame[*slot as usize], Value::Int(known) if known == *value),
                Pattern::Param(at, _) => {
                    matches!(draft.args.get(*at as usize), Some(Value::Int(known)) if known == value)
                }
                Pattern::Tuple(..) => false,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
