//! Runs claims: every instance of every claim, on all cores, with the smallest counterexample whatever thread found it.
//! Only this room makes verdicts.

mod diagnosis;
pub(crate) mod evidence;
mod forall;

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, codes};
use crate::group::fact::Fact;
use crate::report::export::Said;
use crate::report::{ClaimKind, ClaimReport, Verdict, text};
use crate::resolve::Library;
use crate::resolve::program::Range;
use crate::run::machine::{Globals, Pending};
use crate::run::{Fault, Machine, Output, Run, Shared, Value, enumerate_clauses};
use crate::source::SourceMap;

/// What claims need to run.
pub struct Context<'a> {
    pub library: &'a Library,
    pub sources: &'a SourceMap,
    pub shared: &'a Shared,
    pub globals: Arc<Globals>,
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
    /// claims that only a thorough check looks at
    pub skipped: usize,
}

/// One claim on its way.
struct Job {
    pending: Pending,
    instances: Result<Vec<Vec<Value>>, Fault>,
    /// the first instance known to fail: later ones need not run
    first: AtomicUsize,
    fault: Mutex<Option<(usize, Fault, Option<evidence::Sides>)>>,
    assertions: AtomicU64,
    /// instances that ended well without evaluating an assertion
    idle: AtomicUsize,
    printed: Mutex<Vec<(usize, Vec<Output>)>>,
    facts: Mutex<Vec<(usize, Vec<Fact>)>>,
    nanoseconds: AtomicU64,
}

/// Checks claims; the reports come in the order of the claims.
pub fn check(context: &Context<'_>, mut pending: Vec<Pending>) -> Checked {
    let all = pending.len();
    pending.retain(|pending| context.shared.thorough || !pending.claim.thorough);
    let skipped = all - pending.len();
    let jobs: Vec<Job> = pending
        .into_par_iter()
        .map(|pending| {
            let instances = instances_of(context, &pending);
            Job {
                pending,
                instances,
                first: AtomicUsize::new(usize::MAX),
                fault: Mutex::new(None),
                assertions: AtomicU64::new(0),
                idle: AtomicUsize::new(0),
                printed: Mutex::new(Vec::new()),
                facts: Mutex::new(Vec::new()),
                nanoseconds: AtomicU64::new(0),
            }
        })
        .collect();
    let tasks: Vec<(usize, usize)> = jobs
        .iter()
        .enumerate()
        .flat_map(|(job, content)| (0..content.instances.as_ref().map_or(0, Vec::len)).map(move |at| (job, at)))
        .collect();
    let done = AtomicUsize::new(0);
    let total = tasks.len();
    tasks.par_iter().for_each(|(job, at)| {
        run_instance(context, &jobs[*job], *at);
        (context.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, total);
    });
    let mut checked = Checked { skipped, ..Checked::default() };
    for job in jobs {
        let report = verdict(context, job, &mut checked);
        checked.claims.push(report);
    }
    checked
}

fn instances_of(context: &Context<'_>, pending: &Pending) -> Result<Vec<Vec<Value>>, Fault> {
    let claim = &pending.claim;
    let mut machine = machine_for(context, pending, &[]);
    match &claim.range {
        Range::Once => Ok(vec![Vec::new()]),
        Range::Each(clauses) => enumerate_clauses(&mut machine, claim, clauses),
        Range::All(items, condition) => forall::first_values(&mut machine, claim, items, condition.as_ref()),
    }
}

fn machine_for<'a>(context: &Context<'a>, pending: &Pending, values: &[Value]) -> Machine<'a> {
    let mut machine = Machine::new(context.library, context.sources, context.shared, context.globals.clone());
    machine.instance = pending.instance.clone();
    machine.set_frame(&pending.claim, &pending.captured, values);
    machine
}

fn run_instance(context: &Context<'_>, job: &Job, at: usize) {
    if job.first.load(Ordering::Relaxed) < at {
        return;
    }
    let Some(values) = job.instances.as_ref().ok().and_then(|instances| instances.get(at)) else { return };
    let start = (context.clock)();
    let mut machine = machine_for(context, &job.pending, values);
    let result: Run<()> = match context.shared.stop.load(Ordering::Relaxed) {
        0 => machine.run_claim(&job.pending.claim),
        // an instance of a few steps never looks at the flag itself
        1 => Err(Fault::Interrupted),
        _ => Err(Fault::Budget(Box::new(
            Diagnostic::at(
                codes::OUT_OF_TIME,
                job.pending.claim.span,
                "the time ran out",
                "this claim was not finished",
            )
            .help("give it more with `--timeout SECONDS`"),
        ))),
    };
    job.assertions.fetch_add(machine.assertions, Ordering::Relaxed);
    if machine.assertions == 0 && result.is_ok() {
        job.idle.fetch_add(1, Ordering::Relaxed);
    }
    if !machine.output.is_empty()
        && let Ok(mut printed) = job.printed.lock()
    {
        printed.push((at, std::mem::take(&mut machine.output)));
    }
    if !machine.facts.is_empty()
        && let Ok(mut facts) = job.facts.lock()
    {
        facts.push((at, std::mem::take(&mut machine.facts)));
    }
    if let Err(fault) = result {
        job.first.fetch_min(at, Ordering::Relaxed);
        // the evidence needs the machine's library only, but is cheap enough to make here
        let sides = match &fault {
            Fault::Failed(failure) => Some(evidence::Sides::new(&mut machine, failure)),
            _ => None,
        };
        if let Ok(mut first) = job.fault.lock()
            && first.as_ref().is_none_or(|(known, ..)| at < *known)
        {
            *first = Some((at, fault, sides));
        }
    }
    let spent = ((context.clock)() - start).max(0.0);
    job.nanoseconds.fetch_add((spent * 1e9) as u64, Ordering::Relaxed);
}

fn verdict(context: &Context<'_>, job: Job, checked: &mut Checked) -> ClaimReport {
    let claim = job.pending.claim.clone();
    let (file, line) = context.sources.place(claim.span);
    let mut report = ClaimReport {
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
        seconds: job.nanoseconds.into_inner() as f64 / 1e9,
        diagnostic: None,
        printed: Vec::new(),
        facts: Vec::new(),
        said_before: job.pending.said_before,
    };
    let instances = match job.instances {
        Ok(instances) => instances,
        Err(fault) => {
            undecided(&mut report, &claim, fault, None, checked);
            return report;
        }
    };
    let fault = job.fault.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let last = fault.as_ref().map_or(usize::MAX, |(at, ..)| *at);
    let mut printed = job.printed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    printed.sort_by_key(|(at, _)| *at);
    for (at, lines) in printed {
        if at <= last {
            report.printed.extend(lines.into_iter().filter_map(|output| evidence::line(&output, context.library)));
        }
    }
    let mut facts = job.facts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    facts.sort_by_key(|(at, _)| *at);
    for (at, facts) in facts.into_iter().filter(|(at, _)| *at <= last) {
        let values = evidence::named(context, &claim, &instances[at]);
        let place = match values.is_empty() {
            true => report.title.clone(),
            false => format!("{} ({})", report.title, text::values(&values)),
        };
        report.facts.extend(facts.into_iter().map(|fact| Said { place: place.clone(), fact }));
    }
    report.instances = instances.len();
    let for_all = matches!(claim.range, Range::All(..));
    match fault {
        Some((at, Fault::Failed(failure), sides)) => {
            report.instances = at + 1;
            report.verdict = Verdict::Refuted;
            report.holds = claim.refute;
            evidence::fill(&mut report, context, &claim, &failure, sides, &instances[at]);
        }
        Some((at, fault, _)) => {
            report.instances = at + 1;
            let values = evidence::named(context, &claim, &instances[at]);
            undecided(&mut report, &claim, fault, Some(values), checked);
        }
        None if instances.is_empty() => {
            nothing(&mut report, &claim, "its range has no values");
        }
        None if job.assertions.into_inner() == 0 => {
            nothing(&mut report, &claim, "no assertion was evaluated");
        }
        None if for_all => {
            let diagnostic = Diagnostic::at(
                codes::NOT_PROVED,
                claim.span,
                format!("“{}” is not proved for all values", claim.title),
                format!("true for the first {} values; this version proves nothing for all", instances.len()),
            )
            .help("give a range to check it: `for n in 4..24`");
            report.reason = Some(diagnostic.title.clone());
            report.diagnostic = Some(diagnostic);
        }
        None => {
            report.verdict = Verdict::Checked;
            report.without_assertion = job.idle.into_inner();
            report.holds = !claim.refute;
            if claim.refute {
                report.diagnostic = Some(
                    Diagnostic::at(
                        codes::ASSERTION_FAILED,
                        claim.span,
                        format!("“{}” is not refuted", claim.title),
                        match claim.range {
                            Range::Once => "it is true".to_string(),
                            _ => format!("true for all {} values of {}", instances.len(), claim.range_text),
                        },
                    )
                    .help("make it a `claim`, or give it a range in which it fails"),
                );
            }
        }
    }
    report
}

fn nothing(report: &mut ClaimReport, claim: &crate::resolve::program::Claim, why: &str) {
    report.instances = 0;
    let diagnostic =
        Diagnostic::at(codes::NOTHING_CHECKED, claim.span, format!("nothing was checked: {why}"), "this claim")
            .help("give it a range with values and an `assert` that is reached");
    report.reason = Some(diagnostic.title.clone());
    report.diagnostic = Some(diagnostic);
}

fn undecided(
    report: &mut ClaimReport,
    claim: &crate::resolve::program::Claim,
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
    let at = values
        .filter(|values| !values.is_empty())
        .map(|values| values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", "));
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
