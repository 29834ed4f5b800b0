//! The cases of a proof as data for reports.

use super::conditions::Names;
use super::places::{common, condition, points_text};
use super::shown::{Shown, in_one_line};
use crate::claim::Context;
use crate::claim::job::Job;
use crate::prove::{FIRST, Form, Region};
use crate::report::proof::{CaseOutcome, CaseReport};
use crate::source::Span;
use crate::symbolic::{Case, Outcome, Proof};

/// The cases of a proof, those of smaller values first if there is one parameter; `holds` says whether all values of a
/// case that were tried hold.
pub fn cases(context: &Context<'_>, job: &Job, proof: &Proof, holds: &dyn Fn(usize) -> bool) -> Vec<CaseReport> {
    let names = Names::of_proof(proof);
    let header = common(&proof.cases.iter().map(|case| &case.region).collect::<Vec<_>>());
    let mut order: Vec<usize> = (0..proof.cases.len()).collect();
    if names.params() == 1 {
        let least = |at: &usize| proof.cases[*at].region.bounds(&Form::var(FIRST)).0;
        order.sort_by_key(least);
    }
    let mut reports: Vec<CaseReport> = Vec::new();
    let mut checked: Option<usize> = None;
    for at in order {
        let case = &proof.cases[at];
        let values = job.proof.leaf(at);
        if let Some(values) = values.filter(|_| holds(at)) {
            let together = *checked.get_or_insert_with(|| {
                reports.push(checked_case());
                reports.len() - 1
            });
            reports[together].values.extend(values.iter().cloned());
            continue;
        }
        let mut report = case_report(context, &names, case, &header);
        if values.is_some() {
            report.outcome = CaseOutcome::False;
        }
        reports.push(report);
    }
    for report in reports.iter_mut().filter(|report| !report.values.is_empty()) {
        report.condition = points_text(&names, &report.values);
    }
    reports
}

/// The case of all values that were checked one by one.
fn checked_case() -> CaseReport {
    CaseReport {
        condition: String::new(),
        constraints: Vec::new(),
        values: Vec::new(),
        outcome: CaseOutcome::Checked,
        reason: None,
        assertions: 0,
        steps: Vec::new(),
    }
}

fn case_report(context: &Context<'_>, names: &Names, case: &Case, header: &Region) -> CaseReport {
    let outcome = match &case.outcome {
        Outcome::True => CaseOutcome::Proved,
        Outcome::False { .. } => CaseOutcome::False,
        Outcome::Wrong { .. } => CaseOutcome::Broken,
        Outcome::Beyond { .. } | Outcome::Few => CaseOutcome::Undecided,
    };
    let place = |span: &Span| context.sources.place(*span).1;
    let text = |span: &Span| in_one_line(context, *span);
    let reason = match &case.outcome {
        Outcome::True | Outcome::Few => None,
        Outcome::False { span } => Some(format!("`{}` is false (line {})", text(span), place(span))),
        Outcome::Wrong { span, message } => Some(format!("{message} (line {})", place(span))),
        Outcome::Beyond { span, what, .. } => Some(format!("{what} (line {})", place(span))),
    };
    let shown = Shown::new(context, names, case);
    CaseReport {
        condition: condition(names, &case.region, header),
        constraints: case.region.constraints.iter().map(|constraint| shown.constraint(constraint)).collect(),
        values: Vec::new(),
        outcome,
        reason,
        assertions: case.assertions,
        steps: case.notes.iter().map(|note| shown.note(note)).collect(),
    }
}
