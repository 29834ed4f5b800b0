//! What was found out about a claim for all values: for which of them it is proved, in which cases, and how. Plain data:
//! every formula is there as a text and as numbers, so that a program need not read texts.

mod lines;

pub use lines::{Line, Piece, lines};

use serde::Serialize;

/// The proof of a claim for all values, as far as there is one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProofReport {
    /// what is known, as a sentence: `false at n = 4; proved for all n ≥ 5`
    pub statement: String,
    /// the names of the header, in order
    pub parameters: Vec<String>,
    /// the cases that were told apart; every value of the range is in exactly one
    pub cases: Vec<CaseReport>,
    /// the values that were checked directly as well
    pub direct: DirectReport,
    /// where it is true and where not, if it is not true everywhere
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairReport>,
    /// how long the proof took, without the values that were tried
    #[serde(skip)]
    pub seconds: f64,
}

/// The values for which a claim was checked by running it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DirectReport {
    /// `n = 5, 6, …, 29`
    pub text: String,
    /// the values of the parameters, in order
    pub values: Vec<Vec<i64>>,
    /// how many of them no case of the proof covers: for these, checking is the proof
    pub needed: usize,
}

/// For which values a claim is what, each as part of a sentence: `all n ≥ 5`, `a = m, b ≥ 3`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RepairReport {
    pub proved: Vec<String>,
    pub wrong: Vec<String>,
    /// a mistake in the script stops it there
    pub broken: Vec<String>,
    pub undecided: Vec<String>,
    /// a header that holds: `for all n >= 5`
    pub header: Option<String>,
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseOutcome {
    /// true for all values of the case
    Proved,
    /// finitely many values, each of them checked directly and true
    Checked,
    /// false for all values of the case, or for some of its finitely many values
    False,
    /// a mistake in the script stops it
    Broken,
    Undecided,
}

/// One case of a proof, or all those whose values were checked one by one.
#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    /// which values: `n ≥ 6`
    pub condition: String,
    pub constraints: Vec<ConstraintReport>,
    /// the values of cases that were checked one by one, in place of constraints
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Vec<i64>>,
    pub outcome: CaseOutcome,
    /// why it is not proved
    pub reason: Option<String>,
    /// how many assertions were evaluated
    pub assertions: u64,
    /// what was shown, in order, if that was wanted
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepReport>,
}

/// Something that was shown on the way.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "shows")]
pub enum StepReport {
    /// an assertion that is true in this case
    Assertion { text: String, line: usize },
    /// where a set of cells goes, move by move
    Image {
        word: String,
        /// the set as it is written
        of: String,
        start: CellsReport,
        moves: Vec<MoveReport>,
        end: CellsReport,
        line: usize,
    },
    /// a word as a map of all cells, move by move
    Map { word: String, moves: Vec<MapReport>, line: usize },
}

/// What a move does to a set of cells.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// `X`, `Y^2`
    #[serde(rename = "move")]
    pub letter: String,
    /// the parts of the set before it, each of which goes to one part after it
    pub parts: Vec<PartReport>,
}

/// A part of a set of cells, and where a move takes it.
#[derive(Clone, Debug, Serialize)]
pub struct PartReport {
    pub before: RegionReport,
    pub after: RegionReport,
    /// false: the move leaves these cells where they are
    pub moved: bool,
}

/// The product of the moves so far. Cells outside all pieces stay.
#[derive(Clone, Debug, Serialize)]
pub struct MapReport {
    #[serde(rename = "move")]
    pub letter: String,
    pub pieces: Vec<PieceReport>,
}

/// Cells that are moved in one way.
#[derive(Clone, Debug, Serialize)]
pub struct PieceReport {
    pub cells: RegionReport,
    /// `(i, n + 1) -> (n - i, 1) for i in 1..n`
    pub rule: String,
    /// where they go: one form for each coordinate
    pub forms: Vec<FormReport>,
}

/// A set of cells.
#[derive(Clone, Debug, Serialize)]
pub struct CellsReport {
    /// `(1..n, 1) | (n, 2..n)`
    pub text: String,
    pub regions: Vec<RegionReport>,
}

/// Cells that fulfil some linear conditions. The coordinates of a cell are called `c[1]`, `c[2]`, …
#[derive(Clone, Debug, Serialize)]
pub struct RegionReport {
    /// `(1..n - 1, n)`
    pub text: String,
    pub constraints: Vec<ConstraintReport>,
}

/// A linear form: the sum of the coefficients times their names and the constant, divided by `over`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormReport {
    #[serde(serialize_with = "as_object")]
    pub coefficients: Vec<(String, i64)>,
    pub constant: i64,
    pub over: i64,
}

/// A linear condition on a form: it is at least 0, or 0, or 0 modulo a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstraintReport {
    #[serde(flatten)]
    pub form: FormReport,
    /// `">= 0"` or `"== 0"`
    pub is: &'static str,
    #[serde(rename = "mod", skip_serializing_if = "Option::is_none")]
    pub modulus: Option<i64>,
}

fn as_object<S: serde::Serializer>(pairs: &[(String, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}
