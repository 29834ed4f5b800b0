//! Puzzle instances: a declared puzzle with numbers for its parameters, its cells and its moves evaluated.

use std::sync::{Arc, OnceLock, RwLock};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::machine::Machine;
use super::value::{Closure, Key, Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::{NotABijection, Perm};
use crate::puzzle::{BadCells, Cells, MAX_COORDINATES};
use crate::resolve::program::*;
use crate::source::Span;
use crate::word::{Alphabet, Letter, Word};

/// A puzzle with its arguments.
pub struct Instance {
    pub puzzle: Arc<Puzzle>,
    pub args: Vec<Value>,
    /// as people write it: `NRP(6)`
    pub name: String,
    pub cells: Arc<Cells>,
    cell_values: OnceLock<Value>,
    generators: Vec<(String, Perm)>,
    alphabet: OnceLock<Arc<Alphabet>>,
    /// the letters of each move or family, by order of declaration
    groups: Vec<Group>,
    members: RwLock<FxHashMap<MemberId, Value>>,
}

/// The letters of one declared move.
#[derive(Clone, Debug, Default)]
struct Group {
    /// the one letter of a plain move, or the default member
    plain: Option<u32>,
    /// letters by their indices
    indexed: FxHashMap<Vec<i64>, u32>,
    order: Vec<Vec<i64>>,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Instance {
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        self.alphabet.get_or_init(|| Alphabet::new(self.cells.len(), self.generators.clone()))
    }

    /// A cell's value by its number from 0.
    pub fn cell(&self, number: u32) -> Value {
        let coordinates = self.cells.coordinates(number);
        if self.cells.is_plain() {
            Value::Int(coordinates.first().copied().unwrap_or(0))
        } else {
            Value::tuple(coordinates.iter().map(|c| Value::Int(*c)).collect())
        }
    }

    /// The tuple of all cells.
    pub fn cells_value(&self) -> Value {
        self.cell_values
            .get_or_init(|| Value::tuple((0..self.cells.len() as u32).map(|cell| self.cell(cell)).collect()))
            .clone()
    }

    /// The number from 0 of the cell that a value is, if it is one.
    pub fn number_of(&self, value: &Value) -> Option<u32> {
        match value {
            Value::Int(value) if self.cells.is_plain() => self.cells.number(&[*value]),
            Value::Tuple(parts) if !self.cells.is_plain() && parts.len() == self.cells.width() => {
                let mut coordinates = [0i64; MAX_COORDINATES];
                for (place, part) in coordinates.iter_mut().zip(parts.iter()) {
                    let Value::Int(part) = part else { return None };
                    *place = *part;
                }
                self.cells.number(&coordinates[..parts.len()])
            }
            Value::Range(from, to) if !self.cells.is_plain() => {
                let coordinates: Vec<i64> = (*from..=*to).take(MAX_COORDINATES + 1).collect();
                self.cells.number(&coordinates)
            }
            _ => None,
        }
    }

    /// Does it have the form of a cell: an integer, or a tuple of integers of the right length?
    pub fn looks_like_cell(&self, value: &Value) -> bool {
        match value {
            Value::Int(_) => self.cells.is_plain(),
            Value::Tuple(parts) => {
                !self.cells.is_plain()
                    && parts.len() == self.cells.width()
                    && parts.iter().all(|part| matches!(part, Value::Int(_) | Value::Big(_)))
            }
            _ => false,
        }
    }

    /// The letter of a plain move, or a family's default member.
    pub fn letter(&self, id: MoveId) -> Option<u32> {
        self.groups.get(id as usize)?.plain
    }

    /// The letter with these indices.
    pub fn member_letter(&self, id: MoveId, indices: &[i64]) -> Option<u32> {
        self.groups.get(id as usize)?.indexed.get(indices).copied()
    }

    /// The indices that a family has, in order of declaration.
    pub fn indices(&self, id: MoveId) -> &[Vec<i64>] {
        self.groups.get(id as usize).map_or(&[], |group| &group.order)
    }

    pub fn move_name(&self, id: MoveId) -> &str {
        &self.puzzle.moves[id as usize].name
    }

    /// Has the move indices?
    pub fn arity(&self, id: MoveId) -> usize {
        self.puzzle.moves[id as usize].indices.len()
    }

    pub fn letter_word(self: &Arc<Instance>, letter: u32) -> WordValue {
        let word = Word::letters(self.alphabet(), vec![Letter::new(letter as usize, false)]).unwrap_or_default();
        WordValue { word, of: Some(self.clone()) }
    }

    /// The names of the letters that are generators, and those declared `extra`.
    pub fn letters(&self) -> (Vec<&str>, Vec<&str>) {
        let mut extra_letters = vec![false; self.generators.len()];
        for (group, declaration) in self.groups.iter().zip(&self.puzzle.moves) {
            for letter in group.indexed.values().copied().chain(group.plain) {
                extra_letters[letter as usize] |= declaration.extra;
            }
        }
        let (mut plain, mut extra) = (Vec::new(), Vec::new());
        for ((name, _), is_extra) in self.generators.iter().zip(&extra_letters) {
            if *is_extra { extra.push(name.as_str()) } else { plain.push(name.as_str()) }
        }
        (plain, extra)
    }

    fn draft(puzzle: &Arc<Puzzle>, args: &[Value], name: &str, cells: Arc<Cells>) -> Instance {
        Instance {
            puzzle: puzzle.clone(),
            args: args.to_vec(),
            name: name.to_string(),
            cells,
            cell_values: OnceLock::new(),
            generators: Vec::new(),
            alphabet: OnceLock::new(),
            groups: Vec::new(),
            members: RwLock::default(),
        }
    }
}

impl Machine<'_> {
    /// The instance that an expression after `on` names.
    pub(super) fn instance_of(&mut self, ex: &Ex) -> Run<Arc<Instance>> {
        match self.eval(ex)? {
            Value::Instance(instance) => Ok(instance),
            Value::Puzzle(id) => self.instance(id, Vec::new(), ex.span),
            other => Err(Fault::at(
                codes::NOT_A_PUZZLE,
                ex.span,
                format!("a puzzle is needed here, not {}", other.kind()),
                "not a puzzle",
                "write `on NRP(6)`",
            )),
        }
    }

    /// A puzzle with arguments; the same arguments give the same instance.
    pub(super) fn instance(&mut self, id: PuzzleId, args: Vec<Value>, span: Span) -> Run<Arc<Instance>> {
        let Some(puzzle) = self.library.puzzle(id) else {
            return Err(Fault::at(
                codes::NOT_A_PUZZLE,
                span,
                "this puzzle has errors of its own",
                "used here",
                "mend its declaration first",
            ));
        };
        if let Some(odd) = args.iter().find(|value| !may_be_argument(value)) {
            return Err(Fault::at(
                codes::WRONG_ARGUMENTS,
                span,
                format!("`{}` cannot have {} as an argument", puzzle.name, odd.kind()),
                "here",
                "the parameters of a puzzle are numbers or tuples of numbers",
            ));
        }
        if args.len() != puzzle.params.len() {
            return Err(Fault::at(
                codes::WRONG_ARGUMENTS,
                span,
                format!("`{}` has {} parameter(s)", puzzle.name, puzzle.params.len()),
                format!("{} given", args.len()),
                format!("write `{}({})`", puzzle.name, puzzle.params.join(", ")),
            ));
        }
        let key = (id, args.iter().cloned().map(Key).collect::<Vec<_>>());
        let known = self.shared.instances.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&key).cloned();
        if let Some(instance) = known {
            return Ok(instance);
        }
        let puzzle = puzzle.clone();
        // a puzzle may be made of other puzzles, but not without end
        self.enter_call(&puzzle.name, span)?;
        let outer = self.instance.take();
        let frame = std::mem::take(&mut self.frame);
        let built = stacker::maybe_grow(128 << 10, 2 << 20, || self.build(&puzzle, &args, span));
        self.frame = frame;
        self.instance = outer;
        self.leave_call();
        let built = Arc::new(built.map_err(|fault| match fault {
            Fault::Error(diagnostic) if diagnostic.labels.iter().all(|label| label.span != span) => {
                Fault::Error(Box::new(diagnostic.label(span, "asked for here")))
            }
            other => other,
        })?);
        // two machines may have built it at once: all take the first
        let mut instances = self.shared.instances.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(instances.entry(key).or_insert(built).clone())
    }

    fn build(&mut self, puzzle: &Arc<Puzzle>, args: &[Value], span: Span) -> Run<Instance> {
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
        let mut done = Instance::draft(puzzle, args, &name, Arc::default());
        let cells = Arc::new(cells);
        for declaration in &puzzle.moves {
            // what a move is made of may use the moves before it, so each sees a draft with those
            let draft = Instance {
                generators: done.generators.clone(),
                groups: done.groups.clone(),
                ..Instance::draft(puzzle, args, &name, cells.clone())
            };
            let draft = Arc::new(draft);
            self.instance = Some(draft.clone());
            let group = self.build_move(declaration, &draft, &mut done.generators)?;
            done.groups.push(group);
        }
        done.cells = cells.clone();
        Ok(done)
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
                        self.room_for(Value::Range(from, to).len().unwrap_or(0) as u128 * 8, declaration.span)?;
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

    fn build_move(
        &mut self,
        declaration: &MoveDecl,
        draft: &Arc<Instance>,
        generators: &mut Vec<(String, Perm)>,
    ) -> Run<Group> {
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
            let perm = self.build_generator(declaration, draft, &declaration.name)?;
            group.plain = Some(generators.len() as u32);
            generators.push((declaration.name.to_string(), perm));
            return Ok(group);
        };
        let mut made: Vec<(Vec<i64>, String, Perm)> = Vec::new();
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
            let perm = machine.build_generator(declaration, draft, &name)?;
            made.push((indices, name, perm));
            Ok(true)
        })?;
        for (indices, name, perm) in made {
            let letter = generators.len() as u32;
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
            generators.push((name, perm));
        }
        Ok(group)
    }

    fn build_generator(&mut self, declaration: &MoveDecl, draft: &Arc<Instance>, name: &str) -> Run<Perm> {
        match &declaration.body {
            MoveBody::Value(ex) => {
                let value = self.eval(ex)?;
                Ok(self.to_perm(&value, ex.span)?.perm)
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
            }
        }
    }

    /// A permutation from images, or the error that names two cells that collide.
    pub(super) fn bijection(
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

    fn match_cell(&mut self, pattern: &Pattern, draft: &Arc<Instance>, cell: u32) -> Run<bool> {
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

    /// The value of a member of the puzzle in force.
    pub(super) fn member(&mut self, ids: &[MemberId], instance: &Arc<Instance>, span: Span) -> Run<Value> {
        let id = self.fitting_member(ids, instance, span)?;
        let member = self.library.member(id);
        let function = match &member.kind {
            MemberKind::Fn(function) => {
                let closure =
                    Closure { function: function.clone(), captured: Vec::new(), instance: Some(instance.clone()) };
                return Ok(Value::Function(Arc::new(closure)));
            }
            MemberKind::Let(function) => function,
        };
        if let Some(value) = instance.members.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&id) {
            return Ok(value.clone());
        }
        let key = (Arc::as_ptr(instance) as usize, id);
        if self.evaluating.contains(&key) {
            return Err(Fault::at(
                codes::CIRCULAR,
                member.span,
                format!("`{}` needs its own value", member.name),
                "defined here",
                "break the circle",
            ));
        }
        self.evaluating.push(key);
        let value = self.in_frame(function, Some(instance.clone()), span, |_| ());
        self.evaluating.pop();
        let value = value?;
        instance.members.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(id, value.clone());
        Ok(value)
    }

    /// Of several members of one name, the one whose `extend` fits the instance best.
    fn fitting_member(&self, ids: &[MemberId], instance: &Instance, span: Span) -> Run<MemberId> {
        let fits = |id: &MemberId| {
            self.library.member(*id).only.iter().zip(&instance.args).all(|(only, arg)| match only {
                None => true,
                Some(wanted) => arg.as_big().as_ref() == Some(wanted),
            })
        };
        let weight = |id: &MemberId| self.library.member(*id).only.iter().flatten().count();
        let fitting: Vec<MemberId> = ids.iter().copied().filter(fits).collect();
        let best = fitting.iter().map(weight).max();
        let best: Vec<MemberId> = fitting.into_iter().filter(|id| Some(weight(id)) == best).collect();
        match best.as_slice() {
            [only] => Ok(*only),
            [] => {
                let member = self.library.member(ids[0]);
                let only: Vec<String> =
                    member.only.iter().map(|only| only.as_ref().map_or("…".to_string(), BigInt::to_string)).collect();
                Err(Fault::Error(Box::new(
                    Diagnostic::at(
                        codes::UNKNOWN_NAME,
                        span,
                        format!("`{}` is not a member of {}", member.name, instance.name),
                        format!("it is added for {}({}) alone", instance.puzzle.name, only.join(", ")),
                    )
                    .label(member.span, "added here")
                    .help("use it on that board, or add it for this one with `extend`"),
                )))
            }
            [one, two, ..] => {
                let (one, two) = (self.library.member(*one), self.library.member(*two));
                Err(Fault::Error(Box::new(
                    Diagnostic::at(
                        codes::ADDED_TWICE,
                        span,
                        format!("two files add `{}` to {}", one.name, instance.puzzle.name),
                        "which one is meant?",
                    )
                    .label(one.span, "added here")
                    .label(two.span, "and here")
                    .help("use only one of the files here, or rename one member"),
                )))
            }
        }
    }

    /// `NRP(5).phi`: a member of another instance, seen from the file where it is written.
    pub(super) fn member_of(&mut self, instance: &Arc<Instance>, name: &str, span: Span) -> Run<Value> {
        let module = ModuleId(self.module_of(span) as u32);
        let ids = self.library.members_called(instance.puzzle.id, name, module);
        if !ids.is_empty() {
            return self.member(&ids, instance, span);
        }
        if let Some(at) = instance.puzzle.params.iter().position(|param| &**param == name) {
            return Ok(instance.args[at].clone());
        }
        if let Some(id) = instance.puzzle.move_names.get(name) {
            return Ok(match instance.letter(*id) {
                Some(letter) if instance.arity(*id) == 0 => Value::Word(instance.letter_word(letter)),
                _ => Value::Family(instance.clone(), *id),
            });
        }
        if name == "cells" {
            return Ok(instance.cells_value());
        }
        let mut known: Vec<&str> = instance.puzzle.move_names.keys().map(|name| &**name).collect();
        known.extend(self.library.member_names(instance.puzzle.id, module).map(|(name, _)| name));
        let near = crate::diagnostic::suggest::nearest(name, known);
        Err(Fault::at(
            codes::UNKNOWN_NAME,
            span,
            format!("{} has no member `{name}`", instance.name),
            "unknown member",
            if near.is_empty() {
                "members are its moves, parameters, `let`s and `fn`s".to_string()
            } else {
                format!("did you mean {}?", crate::diagnostic::suggest::one_of(&near))
            },
        ))
    }
}

/// Numbers, ranges, and tuples of these.
fn may_be_argument(value: &Value) -> bool {
    match value {
        Value::Tuple(parts) => parts.iter().all(may_be_argument),
        Value::Range(..) => true,
        other => other.is_number(),
    }
}

fn bad_index(declaration: &MoveDecl, kind: &str) -> Fault {
    Fault::at(
        codes::BAD_RANGE,
        declaration.span,
        format!("an index of `{}` is {kind}", declaration.name),
        "in this family",
        "the indices of a family are integers",
    )
}

/// A cell as it stands in a cycle: `(1,2)`, or `7`.
pub fn cell_text(coordinates: &[i64]) -> String {
    let shown: Vec<String> = coordinates.iter().map(i64::to_string).collect();
    if shown.len() == 1 { shown.concat() } else { format!("({})", shown.join(",")) }
}
