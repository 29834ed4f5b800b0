//! Declared puzzles with forms for their arguments: their cells, their moves, and what words do.
//!
//! A puzzle is built as in [`crate::run`]: requirements, cells, then each move from its rules, checked to be a bijection.
//! Where a plain instance goes through all cells, here one cell with variables for its coordinates stands for
//! all of them, and what is undecided about it splits it into cases.

mod cells;
mod each;
mod effect;
mod image;
mod kept;
mod letter;
mod measure;
mod moves;
mod note;
mod path;
mod permutation;
mod point;
mod question;
mod ring;
mod rules;
mod show;
mod slide;
mod substitute;
mod translate;
mod word;

use std::sync::{Arc, Mutex};

use super::{Follow, Machine, Stop, Value};
use crate::prove::{Form, Union};
use crate::resolve::program::{MoveId, Puzzle, PuzzleId};
use crate::source::Span;

use kept::Kept;
use moves::Move;
pub use permutation::PermValue;
pub use word::Word;
use word::WordNode;

/// More coordinates than that a cell cannot have here: the next variables are taken for other purposes.
const MAX_WIDTH: usize = 8;

/// A puzzle with its arguments, for all points of what is known.
pub struct SymbolicPuzzle {
    pub puzzle: Arc<Puzzle>,
    pub args: Vec<Value>,
    /// as people write it: `NRP(n)`
    pub name: String,
    pub cells: Union,
    /// how many coordinates a cell has
    pub width: usize,
    /// cells are integers
    pub plain: bool,
    /// the blank's cell in the solved arrangement
    pub blank: Option<Vec<Form>>,
    moves: Vec<Arc<Move>>,
    letters: Kept<(MoveId, Vec<crate::prove::Poly>, Arc<WordNode>)>,
}

impl std::fmt::Debug for SymbolicPuzzle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The puzzles that a machine has built.
#[derive(Default)]
pub struct Puzzles(Kept<Arc<SymbolicPuzzle>>, Mutex<Vec<PuzzleId>>);

/// So many are kept.
const MOST_PUZZLES: usize = 64;

impl SymbolicPuzzle {
    fn draft(puzzle: &Arc<Puzzle>, args: &[Value], name: &str) -> SymbolicPuzzle {
        SymbolicPuzzle {
            puzzle: puzzle.clone(),
            args: args.to_vec(),
            name: name.to_string(),
            cells: Union::empty(1),
            width: 1,
            plain: true,
            blank: None,
            moves: Vec::new(),
            letters: Kept::default(),
        }
    }

    /// The same puzzle before some of its moves are known.
    fn with_moves(&self, moves: &[Arc<Move>]) -> SymbolicPuzzle {
        SymbolicPuzzle {
            cells: self.cells.clone(),
            width: self.width,
            plain: self.plain,
            blank: self.blank.clone(),
            moves: moves.to_vec(),
            ..SymbolicPuzzle::draft(&self.puzzle, &self.args, &self.name)
        }
    }

    pub fn move_name(&self, id: MoveId) -> &str {
        self.puzzle.moves.get(id as usize).map_or("", |declaration| &declaration.name)
    }

    /// How many indices a move has; none for a plain one.
    pub fn arity(&self, id: MoveId) -> usize {
        self.puzzle.moves.get(id as usize).map_or(0, |declaration| declaration.indices.len())
    }
}

pub(super) fn wrong<T>(span: Span, message: impl Into<String>) -> Follow<T> {
    Err(Stop::Wrong { span, message: message.into() })
}

pub(super) fn beyond<T>(span: Span, what: impl Into<String>, help: impl Into<String>) -> Follow<T> {
    Err(Stop::Beyond { span, what: what.into(), help: help.into() })
}

impl Machine<'_> {
    /// A puzzle with arguments; the same arguments give the same puzzle.
    pub(super) fn puzzle_instance(
        &mut self,
        id: PuzzleId,
        args: Vec<Value>,
        span: Span,
    ) -> Follow<Arc<SymbolicPuzzle>> {
        let Some(puzzle) = self.library.puzzle(id) else {
            return wrong(span, "this puzzle has errors of its own");
        };
        let puzzle = puzzle.clone();
        if args.len() != puzzle.params.len() {
            return wrong(
                span,
                format!("`{}` has {} parameter(s), {} given", puzzle.name, puzzle.params.len(), args.len()),
            );
        }
        if let Some(odd) = args.iter().find(|value| !may_be_argument(value)) {
            return wrong(span, format!("`{}` cannot have {} as an argument", puzzle.name, odd.kind()));
        }
        let fits = |built: &Arc<SymbolicPuzzle>| built.puzzle.id == id && same_values(&built.args, &args);
        if let Some(known) = self.puzzles.0.find(&self.known, &fits) {
            return Ok(known);
        }
        if self.puzzles.is_open(id) {
            return beyond(
                span,
                format!("`{}` is made of itself", puzzle.name),
                "write the puzzle without this circle",
            );
        }
        self.puzzles.open(id);
        let known = self.known.clone();
        let frame = std::mem::take(&mut self.frame);
        let outer = self.instance.take();
        let built = stacker::maybe_grow(128 << 10, 2 << 20, || self.build_puzzle(&puzzle, &args, span));
        self.frame = frame;
        self.instance = outer;
        self.puzzles.close(id);
        let built = Arc::new(built?);
        self.puzzles.0.put_among(&known, built.clone(), MOST_PUZZLES);
        Ok(built)
    }

    fn build_puzzle(&mut self, puzzle: &Arc<Puzzle>, args: &[Value], span: Span) -> Follow<SymbolicPuzzle> {
        let mut name = puzzle.name.to_string();
        if !args.is_empty() {
            let shown: Vec<String> = args.iter().map(|arg| self.print(arg)).collect();
            name = format!("{name}({})", shown.join(", "));
        }
        let mut draft = Arc::new(SymbolicPuzzle::draft(puzzle, args, &name));
        for (condition, _) in &puzzle.requires {
            let holds = self.in_frame(condition, Some(draft.clone()), span, |_| ())?;
            if !matches!(holds, Value::Bool(true)) {
                let text = self.source_text(condition.span);
                return wrong(span, format!("there is no {name}: it requires `{}`", text.trim()));
            }
        }
        self.instance = Some(draft.clone());
        let (cells, plain) = self.build_cells(puzzle, &name)?;
        let width = cells.width;
        draft = Arc::new(SymbolicPuzzle { cells, width, plain, ..SymbolicPuzzle::draft(puzzle, args, &name) });
        if let Some(blank) = &puzzle.blank {
            let value = self.in_frame(blank, Some(draft.clone()), span, |_| ())?;
            let Some(point) = self.cell_on_board(&draft, &value, blank.span)? else {
                return wrong(blank.span, format!("the blank of {name} is no cell"));
            };
            draft = Arc::new(SymbolicPuzzle { blank: Some(point), ..draft.with_moves(&[]) });
        }
        let mut moves: Vec<Arc<Move>> = Vec::with_capacity(puzzle.moves.len());
        for declaration in &puzzle.moves {
            // what a move is made of may use the moves before it
            let before = Arc::new(draft.with_moves(&moves));
            self.instance = Some(before.clone());
            moves.push(Arc::new(self.build_move(declaration, &before)?));
        }
        Ok(draft.with_moves(&moves))
    }
}

impl Puzzles {
    fn open_list(&self) -> std::sync::MutexGuard<'_, Vec<PuzzleId>> {
        self.1.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Is it being built?
    fn is_open(&self, id: PuzzleId) -> bool {
        self.open_list().contains(&id)
    }

    fn open(&self, id: PuzzleId) {
        self.open_list().push(id);
    }

    fn close(&self, id: PuzzleId) {
        let mut open = self.open_list();
        if let Some(at) = open.iter().rposition(|known| *known == id) {
            open.remove(at);
        }
    }
}

/// Numbers, ranges, and tuples of these.
fn may_be_argument(value: &Value) -> bool {
    match value {
        Value::Tuple(parts) => parts.iter().all(may_be_argument),
        Value::Number(_) | Value::Range(..) => true,
        _ => false,
    }
}

/// Are arguments written alike? Others may be equal too.
fn same_values(a: &[Value], b: &[Value]) -> bool {
    let same = |pair: (&Value, &Value)| match pair {
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Range(a, b), Value::Range(c, d)) => a == c && b == d,
        (Value::Tuple(a), Value::Tuple(b)) => same_values(a, b),
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
