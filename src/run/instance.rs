//! Puzzle instances: a declared puzzle with numbers for its parameters, its cells and its moves evaluated.

mod build;
mod cache;
mod loops;
mod member;
mod pairs;
mod slides;

pub(in crate::run) use cache::Instances;

use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};

use rustc_hash::FxHashMap;

use super::compiled::{Effect, Procedures};
use super::machine::Machine;
use super::value::{Key, Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::codes;
use crate::group::factor::{Effort, Factoriser};
use crate::group::{Done, PermGroup, Work};
use crate::perm::Perm;
use crate::puzzle::sliding::Slides;
use crate::puzzle::{Cells, MAX_COORDINATES};
use crate::resolve::program::*;
use crate::search::Tables;
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
    group: OnceLock<Arc<PermGroup>>,
    /// words for permutations, the quick way and the short one
    factorisers: [OnceLock<Arc<Factoriser>>; 2],
    /// the letters of each move or family, by order of declaration
    groups: Vec<Group>,
    /// the moves of the blank, in a puzzle that has one
    sliding: Option<Slides>,
    /// what takes the blank home again, in a puzzle with a blank
    loops: OnceLock<loops::Loops>,
    /// of a puzzle with a blank: its pairs of the blank and a tile as a puzzle of its own
    pairs: OnceLock<Arc<Instance>>,
    /// the puzzle whose pairs these are
    pairs_of: Option<Weak<Instance>>,
    /// itself, once it is shared
    me: OnceLock<Weak<Instance>>,
    /// by letter and direction, the cells that it moves with where each goes
    moved: OnceLock<Vec<Moved>>,
    members: RwLock<FxHashMap<MemberId, Value>>,
    /// what searches keep for the next question; whoever searches takes it out meanwhile
    tables: Mutex<Tables>,
    /// its procedures, compiled
    pub(super) procedures: Procedures,
}

/// The cells that a letter moves, with where each goes.
type Moved = Box<[(u32, u32)]>;

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

    /// Which letters are declared `extra`, by number.
    fn extra_letters(&self) -> Vec<bool> {
        let mut extra_letters = vec![false; self.generators.len()];
        for (group, declaration) in self.groups.iter().zip(&self.puzzle.moves) {
            for letter in group.indexed.values().copied().chain(group.plain) {
                extra_letters[letter as usize] |= declaration.extra;
            }
        }
        extra_letters
    }

    /// The group that the moves generate, without the extra ones. What is found out about it stays with the instance.
    ///
    /// In a puzzle with a blank all of whose moves are always possible it acts on the pairs of the blank and a tile; otherwise
    /// it is the group of what words do to the cells that take the blank home.
    pub fn group(&self) -> &Arc<PermGroup> {
        match &self.sliding {
            Some(sliding) if sliding.is_free() => return self.pairs().group(),
            Some(_) => return self.home_group(),
            None => {}
        }
        self.group.get_or_init(|| {
            let moves = self.generating_letters().into_iter().map(|letter| self.generators[letter].1.clone());
            Arc::new(PermGroup::new(self.cells.len(), moves.collect()))
        })
    }

    /// What makes words in the moves for permutations. Prepared once, and kept with the instance.
    pub fn factoriser(&self, effort: Effort, work: Work<'_>) -> Done<Arc<Factoriser>> {
        let kept = &self.factorisers[usize::from(effort == Effort::Short)];
        if let Some(factoriser) = kept.get() {
            return Ok(factoriser.clone());
        }
        let order = self.group().order(work)?;
        let made = Factoriser::new(self.alphabet(), &self.generating_letters(), effort, Some(&order), work)?;
        Ok(kept.get_or_init(|| Arc::new(made)).clone())
    }

    /// What earlier searches have left. A search takes it out and does not hold a lock while it runs: threads that search steal each other's work.
    pub(super) fn take_tables(&self) -> Tables {
        std::mem::take(&mut *self.tables.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Leaves tables for the next search.
    pub(super) fn leave_tables(&self, tables: Tables) {
        *self.tables.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = tables;
    }

    /// About how many bytes its moves need, with what is made of them.
    fn size(&self) -> u64 {
        let cells = self.cells.len() as u64;
        let places = if self.sliding.is_some() { cells } else { 1 };
        64 * cells + 16 * cells * places * self.generators.len() as u64
    }

    /// Forgets the values of its members; they are evaluated again when they are needed.
    fn forget(&self) {
        self.members.write().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
        self.procedures.forget();
        drop(self.take_tables());
    }

    /// The moves of the blank, in a puzzle that has one.
    #[inline]
    pub fn sliding(&self) -> Option<&Slides> {
        self.sliding.as_ref()
    }

    /// The cells that a letter moves with where each goes, in a puzzle without a blank.
    pub fn moved_by(&self, letter: Letter) -> &[(u32, u32)] {
        let moved = self.moved.get_or_init(|| {
            let pairs = |perm: &Perm, back: bool| -> Moved {
                (0..perm.degree() as u32)
                    .filter(|cell| perm.image(*cell) != *cell)
                    .map(|cell| if back { (perm.image(cell), cell) } else { (cell, perm.image(cell)) })
                    .collect()
            };
            self.generators.iter().flat_map(|(_, perm)| [pairs(perm, false), pairs(perm, true)]).collect()
        });
        moved.get(2 * letter.generator() + usize::from(letter.is_inverse())).map_or(&[], |pairs| pairs)
    }

    /// What a letter does, in a puzzle without a blank.
    pub fn letter_perm(&self, letter: Letter) -> Perm {
        match self.generators.get(letter.generator()) {
            Some((_, perm)) if letter.is_inverse() => perm.inverse(),
            Some((_, perm)) => perm.clone(),
            None => Perm::identity(self.cells.len()),
        }
    }

    /// A letter as procedures perform it.
    pub(super) fn letter_effect(&self, letter: Letter) -> Option<Arc<Effect>> {
        self.procedures.letter_effect(self, letter)
    }

    /// The names of the letters that are generators, and those declared `extra`.
    pub fn letters(&self) -> (Vec<&str>, Vec<&str>) {
        let (mut plain, mut extra) = (Vec::new(), Vec::new());
        for ((name, _), is_extra) in self.generators.iter().zip(self.extra_letters()) {
            if is_extra { extra.push(name.as_str()) } else { plain.push(name.as_str()) }
        }
        (plain, extra)
    }

    /// The moves that generate the puzzle's group, which are those not declared `extra`: their numbers in the alphabet.
    pub fn generating_letters(&self) -> Vec<usize> {
        let extra = self.extra_letters();
        (0..self.generators.len()).filter(|letter| !extra[*letter]).collect()
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
            group: OnceLock::new(),
            factorisers: Default::default(),
            groups: Vec::new(),
            sliding: None,
            loops: OnceLock::new(),
            pairs: OnceLock::new(),
            pairs_of: None,
            me: OnceLock::new(),
            moved: OnceLock::new(),
            members: RwLock::default(),
            tables: Mutex::default(),
            procedures: Procedures::default(),
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
        let known = self.shared.instances.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&key);
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
        let _ = built.me.set(Arc::downgrade(&built));
        // two machines may have built it at once: all take the first
        let mut instances = self.shared.instances.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(instances.insert(key, built))
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
