//! Runs claims: every instance of every claim, on all cores, with the smallest counterexample whatever thread found it; and
//! proves those that speak of all values. Only this room makes verdicts.

mod diagnosis;
pub(crate) mod evidence;
mod forall;
mod job;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, codes};
use crate::report::export::Said;
use crate::report::{ClaimKind, ClaimReport, Verdict, text};
use crate::resolve::Library;
use crate::resolve::program::{Claim, Range};
use crate::run::machine::{Globals, Pending};
use crate::run::{Fault, Shared, Value};
use crate::source::SourceMap;
use job::{Job, Stopped};

/// What claims need to run.
pub struct Context<'a> {
    pub library: &'a Library,
    pub sources: &'a SourceMap,
    pub shared: &'a Shared,
    pub globals: Arc<Globals>,
    /// are the steps of proofs noted, to be shown?
    pub note_proofs: bool,
    /// seconds since some moment; the library has no clock of its own
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// called with the number of instances done and of all
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

pub use evidence::add_sides;

/// Reports of claims, and whether a budget ran out or the user stopped it.
#[derive(Default)]
pub struct Checked {
    pub claims: Vec<ClaimReport>,
    pub budget_ran_out: bool,
    pub interrupted: bool,
    /// a proof and a direct check disagree: the last claim is where, and nothing is said of those after it
    pub contradicted: bool,
    /// claims that only a thorough check looks at
    pub skipped: usize,
}

/// Something to do for a claim.
#[derive(Clone, Copy)]
enum Task {
    Prove(usize),
    /// the claim and its instance
    Run(usize, usize),
}

/// Checks claims; the reports come in the order of the claims.
pub fn check(context: &Context<'_>, mut pending: Vec<Pending>) -> Checked {
    let all = pending.len();
    pending.retain(|pending| context.shared.thorough || !pending.claim.thorough);
    let skipped = all - pending.len();
    let mut jobs: Vec<Job> = pending.into_par_iter().map(|pending| Job::new(context, pending)).collect();
    let first: Vec<usize> = jobs.iter().map(Job::len).collect();
    let proofs = jobs.iter().enumerate().filter(|(_, job)| job.is_for_all()).map(|(job, _)| Task::Prove(job));
    let mut tasks: Vec<Task> = proofs.collect();
    let instances = first.iter().enumerate().flat_map(|(job, count)| (0..*count).map(move |at| Task::Run(job, at)));
    tasks.extend(instances);
    let done = AtomicUsize::new(0);
    work(context, &jobs, &tasks, &done);
    // what a proof leaves to be checked is known when it is made
    jobs.par_iter_mut().for_each(|job| forall::add_values(context, job));
    let added = jobs.iter().zip(&first).enumerate();
    let tasks: Vec<Task> =
        added.flat_map(|(job, (found, first))| (*first..found.len()).map(move |at| Task::Run(job, at))).collect();
    work(context, &jobs, &tasks, &done);
    let mut checked = Checked { skipped, ..Checked::default() };
    for (job, first) in jobs.into_iter().zip(first) {
        let report = verdict(context, job, first, &mut checked);
        checked.claims.push(report);
        if checked.contradicted {
            break;
        }
    }
    checked
}

fn work(context: &Context<'_>, jobs: &[Job], tasks: &[Task], done: &AtomicUsize) {
    let total = done.load(Ordering::Relaxed) + tasks.len();
    tasks.par_iter().for_each(|task| {
        match *task {
            Task::Prove(job) => forall::prove(context, &jobs[job]),
            Task::Run(job, at) => jobs[job].run(context, at),
        }
        (context.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, total);
    });
}

/// The report of a claim; `first` instances of it were there before its proof.
fn verdict(context: &Context<'_>, mut job: Job, first: usize, checked: &mut Checked) -> ClaimReport {
    let pending = job.pending.clone();
    let claim = &*pending.claim;
    let mut report = started(context, &job);
    let instances = match std::mem::replace(&mut job.instances, Ok(Vec::new())) {
        Ok(instances) => instances,
        Err(fault) => {
            undecided(&mut report, claim, fault, None, checked);
            return report;
        }
    };
    let stopped = job.take_stopped();
    let last = stopped.first().map_or(first, |stopped| stopped.at);
    for (at, lines) in job.take_printed() {
        // values that only a proof asked for print nothing
        if at <= last && at < first {
            report.printed.extend(lines.into_iter().filter_map(|output| evidence::line(&output, context.library)));
        }
    }
    for (at, facts) in job.take_facts().into_iter().filter(|(at, _)| *at <= last) {
        let values = evidence::named(context, claim, &instances[at]);
        let place = match values.is_empty() {
            true => report.title.clone(),
            false => format!("{} ({})", report.title, text::values(&values)),
        };
        report.facts.extend(facts.into_iter().map(|fact| Said { place: place.clone(), fact }));
    }
    if job.is_for_all() {
        forall::verdict(context, &job, instances, stopped, report, checked)
    } else {
        checked_directly(context, &job, instances, stopped, report, checked)
    }
}

/// A report about which nothing is known yet.
fn started(context: &Context<'_>, job: &Job) -> ClaimReport {
    let claim = job.claim();
    let (file, line) = context.sources.place(claim.span);
    ClaimReport {
        title: claim.title.to_string(),
        from: claim.from.as_ref().map(|from| from.to_string()),
        file,
        line,
        kind: if claim.refute { ClaimKind::Refute } else { ClaimKind::Claim },
        verdict: Verdict::Undecided,
        holds: false,
        instances: 0,
        without_assertion: 0,
        range: match &claim.thorough_text {
            Some(larger) if context.shared.thorough => larger.to_string(),
            _ => claim.range_text.to_string(),
        },
        larger_range: claim.thorough_text.is_some() && !context.shared.thorough,
        counterexample: None,
        reason: None,
        seconds: job.seconds(),
        proof: None,
        diagnostic: None,
        printed: Vec::new(),
        facts: Vec::new(),
        said_before: job.pending.said_before,
    }
}

/// The verdict of a claim about values that can all be tried.
fn checked_directly(
    context: &Context<'_>,
    job: &Job,
    instances: Vec<Vec<Value>>,
    stopped: Vec<Stopped>,
    mut report: ClaimReport,
    checked: &mut Checked,
) -> ClaimReport {
    let claim = job.claim();
    report.instances = instances.len();
    match stopped.into_iter().next() {
        Some(Stopped { at, fault, sides }) => {
            report.instances = at + 1;
            stopped_at(context, claim, fault, sides, &instances[at], &mut report, checked);
        }
        None if instances.is_empty() => {
            nothing(&mut report, claim, "its range has no values");
        }
        None if job.assertions.load(Ordering::Relaxed) == 0 => {
            nothing(&mut report, claim, "no assertion was evaluated");
        }
        None => {
            report.verdict = Verdict::Checked;
            report.without_assertion = job.take_idle().len();
            report.holds = !claim.refute;
            if claim.refute {
                let label = match claim.range {
                    Range::Once => "it is true".to_string(),
                    _ => format!("true for all {} values of {}", instances.len(), claim.range_text),
                };
                report.diagnostic = Some(not_refuted(claim, label));
            }
        }
    }
    report
}

/// The message of a refute that is true.
fn not_refuted(claim: &Claim, label: String) -> Diagnostic {
    let title = format!("“{}” is not refuted", claim.title);
    Diagnostic::at(codes::ASSERTION_FAILED, claim.span, title, label)
        .help("make it a `claim`, or give it a range in which it fails")
}

/// An instance decided it: it is a counterexample, or could not be finished.
fn stopped_at(
    context: &Context<'_>,
    claim: &Claim,
    fault: Fault,
    sides: Option<evidence::Sides>,
    values: &[Value],
    report: &mut ClaimReport,
    checked: &mut Checked,
) {
    match fault {
        Fault::Failed(failure) => {
            report.verdict = Verdict::Refuted;
            report.holds = claim.refute;
            evidence::fill(report, context, claim, &failure, sides, values);
        }
        fault => {
            let values = evidence::named(context, claim, values);
            undecided(report, claim, fault, Some(values), checked);
        }
    }
}

fn nothing(report: &mut ClaimReport, claim: &Claim, why: &str) {
    report.instances = 0;
    let diagnostic =
        Diagnostic::at(codes::NOTHING_CHECKED, claim.span, format!("nothing was checked: {why}"), "this claim")
            .help("give it a range with values and an `assert` that is reached");
    report.reason = Some(diagnostic.title.clone());
    report.diagnostic = Some(diagnostic);
}

fn undecided(
    report: &mut ClaimReport,
    claim: &Claim,
    fault: Fault,
    values: Option<Vec<(String, String)>>,
    checked: &mut Checked,
) {
    let diagnostic = match fault {
        Fault::Interrupted => {
            checked.interrupted = true;
            Diagnostic::at(codes::INTERRUPTED, claim.span, "interrupted", "this claim was not finished")
                .help("run it again")
        }
        Fault::Budget(diagnostic) => {
            checked.budget_ran_out = true;
            *diagnostic
        }
        Fault::Error(diagnostic) => *diagnostic,
        Fault::Failed(failure) => failure.diagnostic,
    };
    report.reason = Some(diagnostic.title.clone());
    let at = values.filter(|values| !values.is_empty()).map(|values| text::values(&values));
    let mut diagnostic = diagnostic;
    if diagnostic.labels.iter().all(|label| label.span != claim.span) {
        let label = match at {
            Some(at) => format!("in this claim, at {at}"),
            None => "in this claim".to_string(),
        };
        diagnostic = diagnostic.label(claim.span, label);
    }
    report.diagnostic = Some(diagnostic);
}
