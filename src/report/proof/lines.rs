//! A proof in lines, as a mathematician would write it down: for each case what was shown, move by move.

use super::*;

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// with all blanks and signs around it
    Words(String),
    Formula(String),
}

/// A line, and how deep it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub depth: usize,
    pub pieces: Vec<Piece>,
}

impl Line {
    fn new(depth: usize) -> Line {
        Line { depth, pieces: Vec::new() }
    }

    fn words(mut self, words: impl Into<String>) -> Line {
        self.pieces.push(Piece::Words(words.into()));
        self
    }

    fn formula(mut self, formula: impl Into<String>) -> Line {
        self.pieces.push(Piece::Formula(formula.into()));
        self
    }
}

/// The whole proof.
pub fn lines(proof: &ProofReport) -> Vec<Line> {
    let mut lines = Vec::new();
    for case in &proof.cases {
        let mut depth = 0;
        // the only case of several parameters is all of the range
        if proof.cases.len() > 1 || !case.condition.is_empty() {
            lines.push(heading(case));
            depth = 1;
        }
        if let Some(reason) = &case.reason {
            lines.push(Line::new(depth).words(reason));
        }
        for step in &case.steps {
            show(step, depth, &mut lines);
        }
    }
    if !proof.direct.values.is_empty() {
        lines.push(Line::new(0).words("checked directly: ").formula(&proof.direct.text));
    }
    lines
}

fn heading(case: &CaseReport) -> Line {
    let line = match case.condition.is_empty() {
        true => Line::new(0).words("otherwise"),
        false => Line::new(0).words("for ").formula(&case.condition),
    };
    let outcome = match case.outcome {
        CaseOutcome::Proved if case.assertions == 0 => ": nothing is asserted",
        CaseOutcome::Proved if case.steps.is_empty() => ": true",
        CaseOutcome::Proved => ":",
        CaseOutcome::Checked => ": true, checked directly for each value",
        CaseOutcome::False => ": false",
        CaseOutcome::Broken => ": a mistake in the script stops it",
        CaseOutcome::Undecided => ": not decided",
    };
    line.words(outcome)
}

fn show(step: &StepReport, depth: usize, lines: &mut Vec<Line>) {
    match step {
        StepReport::Assertion { text, line } => {
            lines.push(Line::new(depth).words("so ").formula(text).words(format!(" (line {line})")));
        }
        StepReport::Image { word, of, start, moves, end, .. } => {
            let heading = Line::new(depth).words("where ").formula(of).words(" goes under ").formula(word);
            lines.push(heading.words(":"));
            lines.push(Line::new(depth + 1).words("before: ").formula(&start.text));
            lines.extend(moves.iter().map(|step| after(step, depth + 1)));
            lines.push(Line::new(depth + 1).words("together: ").formula(&end.text));
        }
        StepReport::Map { word, moves, .. } => {
            lines.push(Line::new(depth).words("what ").formula(word).words(" does:"));
            for step in moves {
                let mut line = Line::new(depth + 1).words("after ").formula(&step.letter).words(": ");
                for (at, piece) in step.pieces.iter().enumerate() {
                    line = if at > 0 { line.words("; ") } else { line };
                    line = line.formula(&piece.rule);
                }
                lines.push(if step.pieces.is_empty() { line.words("every cell stays") } else { line });
            }
        }
    }
}

/// `after X: X(1..n, 1) = (n, 1..n), the rest stays: (1..n, n + 1)`
fn after(step: &MoveReport, depth: usize) -> Line {
    let mut line = Line::new(depth).words("after ").formula(&step.letter).words(": ");
    let mut some = false;
    for part in step.parts.iter().filter(|part| part.moved) {
        let before = &part.before.text;
        let cells = if before.starts_with('(') { before.clone() } else { format!("({before})") };
        let letter = if step.letter.contains(' ') { format!("({})", step.letter) } else { step.letter.clone() };
        line = if some { line.words(", ") } else { line };
        line = line.formula(format!("{letter}{cells} = {}", part.after.text));
        some = true;
    }
    let rest: Vec<&str> = step.parts.iter().filter(|part| !part.moved).map(|part| part.before.text.as_str()).collect();
    match (rest.is_empty(), some) {
        (true, true) => line,
        (true, false) => line.words("nothing is there"),
        (false, true) => line.words(", the rest stays: ").formula(rest.join(" | ")),
        (false, false) => line.words("all stays: ").formula(rest.join(" | ")),
    }
}
