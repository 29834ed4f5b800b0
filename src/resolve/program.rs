//! The resolved program: the tree that runs. Every name is a slot, a member, a move or a function; nothing is looked up
//! by its text any more.

use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::source::Span;
use crate::syntax::ast::PlainRun;
pub use crate::syntax::ast::{BinaryOp, CellCycles, CompareOp, Parity, UnaryOp};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ModuleId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PuzzleId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MemberId(pub u32);

/// A slot of the current frame.
pub type Slot = u32;

/// The number of a move or family of a puzzle, in order of declaration.
pub type MoveId = u32;

#[derive(Debug)]
pub struct Ex {
    pub kind: ExKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExKind {
    Int(i64),
    Big(Arc<BigInt>),
    Bool(bool),
    Text(Vec<TextPart>),
    Local(Slot),
    /// a `let` or `fn` of a file
    Global(ModuleId, u32),
    /// a `let` or `fn` of the puzzle in force: those with the name, of which the one that fits the instance is meant
    Member(Arc<[MemberId]>),
    /// a parameter of the puzzle in force
    Param(u32),
    /// the tuple of all cells of the puzzle in force
    Cells,
    /// a move or family of the puzzle in force
    Move(MoveId),
    /// a run of plain moves
    Letters(Letters),
    Builtin(u32),
    Puzzle(PuzzleId),
    Run(Vec<Fx>),
    /// cycles of integers
    Cycles(Vec<Vec<u32>>),
    /// cycles of cells with coordinates
    CellCycles(Arc<CellCycles>),
    Paren(Box<Args>),
    Bracket(Bracket),
    Set(Vec<Item>),
    Unary(UnaryOp, Box<Ex>),
    Binary(BinaryOp, Box<Ex>, Box<Ex>),
    Compare(Box<Ex>, Vec<(CompareOp, Ex)>),
    If(Vec<(Ex, Block)>, Option<Block>),
    /// `p -> e` where a function is wanted
    Lambda(Arc<Function>),
    /// a built-in function without arguments that is written without parentheses: `board`, `solved`
    Bare(u32),
    Perform(Box<Perform>),
    Find(Box<Find>),
    /// something wrong stood here; reported, never run
    Wrong,
}

/// `do w`, `run f(x) from b`
#[derive(Debug)]
pub struct Perform {
    /// `run`: from a board of its own, with the word as its value
    pub run: bool,
    pub what: Ex,
    pub from: Option<Ex>,
}

/// `find w up to 8 by runs in X, Y where c`
#[derive(Debug)]
pub struct Find {
    /// not only one word of each class
    pub all: bool,
    pub up_to: Ex,
    pub metric: Option<Ex>,
    pub moves: Vec<Ex>,
    /// of the word
    pub condition: Arc<Function>,
    /// what follows from the condition
    pub hints: Vec<(Hint, Ex)>,
}

/// Something that a condition says about a word, in comparison with a value in which the word does not occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint {
    /// `is_cycle(w, k)`
    IsCycle,
    /// `cycle_type(w) == t`
    CycleType,
    /// `order(w) == k`
    Order,
    /// `len(support(w)) <= k`
    Moved,
    /// `len(support(w)) < k`
    MovedLess,
    /// `support(w) subset S`
    Within,
    /// `w == p`
    Equals,
    /// `w in {p, q}`
    OneOf,
}

/// Plain moves side by side.
#[derive(Debug)]
pub struct Letters {
    pub pieces: Vec<Vec<Turn>>,
    /// which piece stands where, for long runs; else each piece stands once, in order
    pub order: Option<Arc<PlainRun>>,
}

/// A plain move with its direction, some times.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub id: MoveId,
    pub inverse: bool,
    pub times: u32,
}

#[derive(Debug)]
pub enum TextPart {
    Plain(Arc<str>),
    Value(Ex),
}

/// One atom of a run with what touches it.
#[derive(Debug)]
pub struct Fx {
    pub atom: Ex,
    pub postfix: Vec<Px>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Px {
    pub kind: PxKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum PxKind {
    Prime,
    Power(Ex),
    /// digits that touch: a power, or the index of a family without a default member
    Suffix(Arc<BigInt>),
    /// `.name` of another instance
    Member(Box<str>),
}

#[derive(Debug)]
pub struct Args {
    pub items: Vec<Item>,
    pub trailing_comma: bool,
}

#[derive(Debug)]
pub struct Item {
    pub label: Option<Box<str>>,
    pub value: Ex,
    pub arrow: Option<Ex>,
    pub clauses: Option<Clauses>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Clauses {
    pub each: Vec<(Pattern, Ex)>,
    /// the larger ranges that a thorough check takes instead; empty if there are none
    pub thorough: Vec<Option<Ex>>,
    pub condition: Option<Box<Ex>>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Bracket {
    pub entries: Vec<Ex>,
    /// `,` or `:` between the entries
    pub separators: Vec<char>,
}

/// What a value is taken apart into.
#[derive(Debug, Clone)]
pub enum Pattern {
    Bind(Slot, Span),
    /// must equal the value that the slot has already
    Equal(Slot, Span),
    /// must equal a parameter of the puzzle
    Param(u32, Span),
    Int(i64, Span),
    Tuple(Vec<Pattern>, Span),
}

impl Pattern {
    pub fn span(&self) -> Span {
        match self {
            Pattern::Bind(_, span)
            | Pattern::Equal(_, span)
            | Pattern::Param(_, span)
            | Pattern::Int(_, span)
            | Pattern::Tuple(_, span) => *span,
        }
    }
}

#[derive(Debug, Default)]
pub struct Block {
    pub statements: Vec<St>,
}

#[derive(Debug)]
pub struct St {
    pub kind: StKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StKind {
    Let(Pattern, Ex),
    /// a `let` of a file: takes the value apart in the frame, then copies slots to globals
    LetGlobal(Pattern, Ex, Vec<(Slot, u32)>),
    Assign(Slot, Option<Ex>, Ex),
    Fn(Slot, Arc<Function>),
    FnGlobal(u32, Arc<Function>),
    For(Clauses, Block),
    While(Ex, Option<Ex>, Block, bool),
    Repeat(Ex, Block),
    Loop(Option<Ex>, Block),
    Assert(Ex, Option<Ex>),
    /// with whether it stands in an algorithm, where it makes a claim fail
    Require(Ex, Option<Ex>, bool),
    /// `trace run …`
    Trace(Ex),
    Print(Ex),
    Show(Ex),
    Return(Option<Ex>),
    Break,
    Continue,
    Expr(Ex),
    /// with a block, or for the rest of the file
    On(Ex, Option<Block>),
    Claim(Arc<Claim>),
    /// run a used file first
    Use(ModuleId),
}

/// A function, a claim's body, or the right side of a member: code with a frame of its own.
#[derive(Debug)]
pub struct Function {
    pub name: Box<str>,
    /// it acts on the board in force
    pub algorithm: bool,
    /// what has to hold when an algorithm ends, each with its message
    pub ensures: Vec<(Ex, Option<Ex>)>,
    pub params: Vec<Box<str>>,
    /// what it takes from the frame where it was made: slot there, slot here; its parameters have the first slots
    pub captures: Vec<(Slot, Slot)>,
    /// the slot that holds the function itself, for recursion of a local `fn`
    pub own_slot: Option<Slot>,
    pub frame: u32,
    /// its names and their slots, for messages
    pub names: Vec<(Box<str>, Slot)>,
    pub body: Block,
    pub span: Span,
}

#[derive(Debug)]
pub struct Claim {
    pub refute: bool,
    pub title: Box<str>,
    pub from: Option<Box<str>>,
    /// the header's text from `for` to the end, as written
    pub range_text: Box<str>,
    /// the same with the larger ranges of a thorough check, if there are any
    pub thorough_text: Option<Box<str>>,
    /// checked only when everything is
    pub thorough: bool,
    pub range: Range,
    /// the names of the header, each with its slot, in order
    pub names: Vec<(Box<str>, Slot)>,
    pub on: Option<Ex>,
    /// captures, frame and body; it has no parameters
    pub code: Function,
    pub span: Span,
}

#[derive(Debug)]
pub enum Range {
    Once,
    Each(Clauses),
    All(Vec<AllItem>, Option<Ex>),
}

/// One item of `for all`: the new name and what bounds it.
#[derive(Debug)]
pub struct AllItem {
    pub slot: Slot,
    pub parity: Option<Parity>,
    /// lower bounds, each with whether it is strict (`n > e`)
    pub lower: Vec<(Ex, bool)>,
    /// the whole chain, as a condition
    pub chain: Ex,
    pub span: Span,
}

/// A declared puzzle.
#[derive(Debug)]
pub struct Puzzle {
    pub id: PuzzleId,
    pub name: Box<str>,
    pub params: Vec<Box<str>>,
    pub doc: Option<Box<str>>,
    pub module: ModuleId,
    pub requires: Vec<(Function, Option<Function>)>,
    pub cells: Vec<CellsDecl>,
    pub shown_by_number: bool,
    /// the blank's cell in the solved arrangement
    pub blank: Option<Function>,
    pub moves: Vec<MoveDecl>,
    pub move_names: FxHashMap<Box<str>, MoveId>,
    pub span: Span,
}

/// `cells e for …`: the frame function has no body; `cell` and `clauses` run in its frame.
#[derive(Debug)]
pub struct CellsDecl {
    pub frame: u32,
    pub cell: Ex,
    pub clauses: Option<Clauses>,
    pub span: Span,
}

#[derive(Debug)]
pub struct MoveDecl {
    pub name: Box<str>,
    pub doc: Option<Box<str>>,
    pub extra: bool,
    /// its rules say where the blank goes
    pub slide: bool,
    pub frame: u32,
    /// the slots of the indices of a family, in order; empty for a plain move
    pub indices: Vec<Slot>,
    /// the default member's indices, where all are given
    pub defaults: Option<Vec<Ex>>,
    pub clauses: Option<Clauses>,
    pub body: MoveBody,
    pub span: Span,
}

#[derive(Debug)]
pub enum MoveBody {
    Rules(Vec<Rule>),
    Value(Ex),
}

#[derive(Debug)]
pub struct Rule {
    pub pattern: Pattern,
    pub target: Ex,
    pub condition: Option<Ex>,
    pub span: Span,
}

/// A `let` or `fn` of a puzzle, declared in it or added by `extend`.
#[derive(Debug)]
pub struct Member {
    pub name: Box<str>,
    pub doc: Option<Box<str>>,
    pub puzzle: PuzzleId,
    pub module: ModuleId,
    /// parameters that must have a given value, from `extend P(3, 4, 3)`
    pub only: Vec<Option<BigInt>>,
    pub kind: MemberKind,
    /// its right side is visibly a word, so it may be a piece of a run-together name
    pub wordish: bool,
    pub span: Span,
}

#[derive(Debug)]
pub enum MemberKind {
    Let(Function),
    Fn(Arc<Function>),
}
