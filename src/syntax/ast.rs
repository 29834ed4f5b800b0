//! The syntax tree: owned, with the span of every part. What a script says, before anyone asks what the names mean.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::source::Span;

/// A name where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    pub name: Box<str>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(BigInt),
    Bool(bool),
    Text(Vec<TextPart>),
    Name(Box<str>),
    /// Atoms side by side, each with its postfixes: a product, calls, images, members. Two or more, or one with postfixes.
    Run(Vec<Factor>),
    /// A long run of plain names, read by the scanner: `R U R' U' …`
    Plain(Arc<PlainRun>),
    /// A long run of cycles of integers, read by the scanner: `(1 2 3)(4 5)`
    Cycles(Vec<Vec<u32>>),
    /// A long run of cycles of cells with coordinates, read by the scanner: `((1,1) (2,3) …)`
    CellCycles(Arc<CellCycles>),
    /// `( … )` and everything that parentheses can mean; the meaning depends on the kinds of what is inside.
    Paren(Paren),
    /// `[ … ]` that stands alone or after something: commutator, conjugate, index.
    Bracket(Bracket),
    /// `{a, b}` or `{e for …}`
    Set(Vec<Arg>),
    Unary(UnaryOp, Box<Expr>, Span),
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    /// `a <= b < c`: first, then each operator with its place and its right side.
    Compare(Box<Expr>, Vec<(CompareOp, Span, Expr)>),
    If(Box<IfExpr>),
    /// `do w`, `run f(x) from b`
    Perform(Box<Perform>),
    /// `find w up to 8 by runs in X, Y where c`
    Find(Box<Find>),
}

/// Words with a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Find {
    /// `find all`: not only one word of each class
    pub all: bool,
    pub word: Ident,
    pub up_to: Expr,
    pub metric: Option<Expr>,
    pub moves: Vec<Expr>,
    pub condition: Expr,
}

/// A word performed on the board, or an algorithm run.
#[derive(Clone, Debug, PartialEq)]
pub struct Perform {
    /// `run`, not `do`
    pub run: bool,
    pub what: Expr,
    /// the board to start from
    pub from: Option<Expr>,
}

/// One atom with what touches it.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// `Paren` and `Bracket` stand here bare when they are atoms of a run.
    pub atom: Expr,
    pub postfix: Vec<Postfix>,
}

impl Factor {
    pub fn span(&self) -> Span {
        match self.postfix.last() {
            Some(last) => self.atom.span.to(last.span()),
            None => self.atom.span,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Postfix {
    Prime(Span),
    /// digits that touch the atom: `(X Y)3`
    Suffix(BigInt, Span),
    /// `^3`, `^{k+1}`, `³`
    Power(Box<Expr>, Span),
    /// `.name`
    Member(Ident),
}

impl Postfix {
    pub fn span(&self) -> Span {
        match self {
            Postfix::Prime(span) | Postfix::Suffix(_, span) | Postfix::Power(_, span) => *span,
            Postfix::Member(ident) => ident.span,
        }
    }
}

/// The contents of parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Paren {
    pub items: Vec<Arg>,
    /// a comma behind the last item: `(a,)`
    pub trailing_comma: bool,
}

/// One item in parentheses or braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// `by: f`
    pub label: Option<Ident>,
    pub value: Expr,
    /// `k -> v`
    pub arrow: Option<Expr>,
    /// `e for x in xs where c`
    pub clauses: Option<Clauses>,
}

/// `for x in xs, y in ys where c`
#[derive(Clone, Debug, PartialEq)]
pub struct Clauses {
    pub each: Vec<(Pattern, Expr)>,
    /// the larger ranges that a thorough check takes instead, in the header of a claim
    pub thorough: Vec<Option<Expr>>,
    pub condition: Option<Box<Expr>>,
    pub span: Span,
}

/// What a value is taken apart into.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Name(Ident),
    Int(BigInt, Span),
    Tuple(Vec<Pattern>, Span),
}

impl Pattern {
    pub fn span(&self) -> Span {
        match self {
            Pattern::Name(ident) => ident.span,
            Pattern::Int(_, span) | Pattern::Tuple(_, span) => *span,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bracket {
    pub entries: Vec<Expr>,
    /// The separators between the entries: `,` or `:`.
    pub separators: Vec<(char, Span)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct IfExpr {
    /// `if` and each `else if`: condition and block
    pub arms: Vec<(Expr, Block)>,
    pub otherwise: Option<Block>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Union,
    Intersection,
    Concat,
    Range,
    Add,
    Subtract,
    Times,
    Over,
    Div,
    Mod,
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Union => "|",
            BinaryOp::Intersection => "&",
            BinaryOp::Concat => "++",
            BinaryOp::Range => "..",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Times => "*",
            BinaryOp::Over => "/",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Subset,
}

impl CompareOp {
    pub fn text(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
            CompareOp::Subset => "subset",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    Plain(String),
    Value(Expr),
}

/// A long run of names and primes. Each different piece is kept once; `order` says which piece stands where.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainRun {
    /// Different pieces (a name and its prime), with the span of the first place of each.
    pub pieces: Vec<PlainPiece>,
    pub order: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlainPiece {
    pub name: Box<str>,
    pub prime: bool,
    pub span: Span,
}

/// Cycles of cells that are written as tuples of plain integers.
#[derive(Clone, Debug, PartialEq)]
pub struct CellCycles {
    /// how many coordinates a cell has
    pub width: usize,
    /// the coordinates of the cells of each cycle, one cell after another
    pub cycles: Vec<Vec<i64>>,
}

/// Statements in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub statements: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// the text of the `///` lines before it
    pub doc: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Use(UseTarget),
    Puzzle(PuzzleDecl),
    Extend(ExtendDecl),
    On {
        target: Expr,
        block: Option<Block>,
    },
    Claim(Box<ClaimDecl>),
    Let {
        pattern: Pattern,
        value: Expr,
    },
    Var {
        pattern: Pattern,
        value: Expr,
    },
    Assign {
        target: Ident,
        index: Option<Expr>,
        value: Expr,
    },
    Fn(FnDecl),
    For {
        clauses: Clauses,
        body: Block,
    },
    While {
        condition: Expr,
        decreases: Option<Expr>,
        body: Block,
        until: bool,
    },
    Repeat {
        count: Expr,
        body: Block,
    },
    Loop {
        decreases: Option<Expr>,
        body: Block,
    },
    Assert {
        condition: Expr,
        message: Option<Expr>,
    },
    Require {
        condition: Expr,
        message: Option<Expr>,
    },
    Ensure {
        condition: Expr,
        message: Option<Expr>,
    },
    /// `trace run …`
    Trace(Expr),
    Print(Expr),
    Show(Expr),
    Return(Option<Expr>),
    Break,
    Continue,
    Expr(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub enum UseTarget {
    /// `use papers.number_rotation`
    Module(Vec<Ident>),
    /// `use "file.perm"`
    File(Box<str>, Span),
}

#[derive(Clone, Debug, PartialEq)]
pub struct FnDecl {
    pub name: Ident,
    /// it acts on a board: `algorithm`
    pub algorithm: bool,
    pub params: Vec<Ident>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleDecl {
    pub name: Ident,
    pub params: Vec<Ident>,
    pub items: Vec<PuzzleItem>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ExtendDecl {
    pub name: Ident,
    /// a name binds the parameter, an integer restricts it
    pub params: Vec<Pattern>,
    pub items: Vec<PuzzleItem>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleItem {
    pub kind: PuzzleItemKind,
    pub span: Span,
    pub doc: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PuzzleItemKind {
    Require {
        condition: Expr,
        message: Option<Expr>,
    },
    Cells {
        cell: Expr,
        clauses: Option<Clauses>,
        shown_by_number: bool,
    },
    /// the blank's cell in the solved arrangement
    Blank(Expr),
    Move(MoveDecl),
    Let {
        name: Ident,
        value: Expr,
    },
    Fn(FnDecl),
}

#[derive(Clone, Debug, PartialEq)]
pub struct MoveDecl {
    pub name: Ident,
    pub extra: bool,
    /// its rules say where the blank goes
    pub slide: bool,
    pub params: Vec<FamilyParam>,
    pub clauses: Option<Clauses>,
    pub body: MoveBody,
}

/// `k` or `k = 1` in `move U[k = 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyParam {
    pub name: Ident,
    pub default: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MoveBody {
    Rules(Vec<Rule>),
    Value(Expr),
}

/// `(i, j) -> (n + 1 - j, i) where j <= n`
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub pattern: Pattern,
    pub target: Expr,
    pub condition: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClaimDecl {
    /// `refute` instead of `claim`
    pub refute: bool,
    pub title: Box<str>,
    pub from: Option<Box<str>>,
    /// checked only when everything is
    pub thorough: bool,
    pub range: ClaimRange,
    pub on: Option<Expr>,
    pub body: Block,
    pub header: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClaimRange {
    Once,
    Each(Clauses),
    All { items: Vec<ForAllItem>, condition: Option<Expr>, span: Span },
}

/// `even n >= 6`, `1 <= k < n`
#[derive(Clone, Debug, PartialEq)]
pub struct ForAllItem {
    pub parity: Option<Parity>,
    pub chain: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    Even,
    Odd,
}
