//! The verdict of a claim for all values: what its proof says, and what the values say that were tried. Where these two
//! contradict each other, neither is believed.

use std::sync::atomic::Ordering;

use super::conditions::{Names, mathematical};
use super::evidence::cases;
use super::places::{Places, Said, Status, points_text};
use super::{STEPS, case_of, point};
use crate::claim::job::{Job, Stopped};
use crate::claim::{Checked, Context, evidence as ordinary, not_refuted, nothing, stopped_at, undecided};
use crate::diagnostic::{Code, Diagnostic, Severity, codes};
use crate::prove::Region;
use crate::report::proof::{DirectReport, ProofReport};
use crate::report::{ClaimReport, Verdict};
use crate::resolve::program::Claim;
use crate::run::{Fault, Value};
use crate::source::Span;
use crate::symbolic::{Outcome, Proof, Stop};

/// What became of a value that was tried.
enum Tried {
    /// it holds; was an assertion evaluated?
    Holds(bool),
    Fails,
    /// a mistake in the script
    Broken,
    /// not finished
    Unfinished,
}

/// A value that was tried.
struct Direct {
    point: Vec<i64>,
    tried: Tried,
}

/// What keeps a claim from being proved.
struct Obstacle {
    /// in which part of the script
    span: Span,
    what: String,
    help: String,
    /// can the prover follow it? Then something else is the matter
    followed: bool,
}

/// Budgets are no mistakes of the script: a value that ran out of one says nothing.
const BUDGETS: &[Code] = &[
    codes::TOO_MANY_STEPS,
    codes::TOO_MUCH_MEMORY,
    codes::OUT_OF_TIME,
    codes::GROUP_TOO_LARGE,
    codes::TOO_MANY_BOARDS,
    codes::SHORTEST_UNKNOWN,
    codes::TOO_MANY_CALLS,
    codes::TOO_DEEP,
];

/// The report of a claim whose values have been tried.
pub fn verdict(
    context: &Context<'_>,
    job: &Job,
    instances: Vec<Vec<Value>>,
    stopped: Vec<Stopped>,
    mut report: ClaimReport,
    checked: &mut Checked,
) -> ClaimReport {
    let claim = job.claim();
    let found = job.proof.take();
    let direct = directly(job, &instances, &stopped);
    report.instances = instances.len();
    if let Some(Ok(proof)) = &found
        && let Some(problem) = direct.iter().find_map(|direct| contradiction(context, proof, direct))
    {
        contradicted(&mut report, claim, proof, problem, checked);
        return report;
    }
    let range = mathematical(&report.range);
    let said = found.as_ref().map(|found| said(job, found, &direct, &range));
    report.proof = match (&found, &said) {
        (Some(Ok(proof)), Some(said)) => Some(Box::new(proof_report(context, job, proof, said, &direct))),
        (Some(Err(_)), Some(said)) => Some(Box::new(without_cases(claim, said, &direct))),
        _ => None,
    };
    match stopped.into_iter().next() {
        Some(Stopped { at, fault, sides }) => {
            let refuted = matches!(fault, Fault::Failed(_));
            stopped_at(context, claim, fault, sides, &instances[at], &mut report, checked);
            if let Some(said) = &said {
                add_repair(&mut report, said, refuted);
            }
            return report;
        }
        None if instances.is_empty() => {
            nothing(&mut report, claim, "its range has no values");
            return report;
        }
        None => {}
    }
    let assertions = job.assertions.load(Ordering::Relaxed);
    let proved_assertions = match &found {
        Some(Ok(proof)) => proof.cases.iter().map(|case| case.assertions).sum(),
        _ => 0,
    };
    if assertions == 0 && proved_assertions == 0 {
        nothing(&mut report, claim, "no assertion was evaluated");
        report.proof = None;
        return report;
    }
    report.without_assertion = direct.iter().filter(|direct| matches!(direct.tried, Tried::Holds(false))).count();
    let obstacle = match found {
        Some(Ok(proof)) => first_obstacle(job, claim, &proof),
        Some(Err(Stop::Steps { span })) => {
            // somebody stopped it, the budget of the run did, or it is too long for a proof
            let few = context.shared.limits.max_steps <= STEPS;
            let fault = job.asked_to_stop(context).or_else(|| few.then(|| out_of_steps(context, span)));
            if let Some(fault) = fault {
                undecided(&mut report, claim, fault, None, checked);
                return report;
            }
            Some(Obstacle {
                span,
                what: "the proof gets too long here".to_string(),
                help: "split the claim, or give a range: `for n in 4..24`".to_string(),
                followed: true,
            })
        }
        Some(Err(stop)) => Some(obstacle_of(stop, claim)),
        None => Some(Obstacle {
            span: claim.span,
            what: "it was not looked at".into(),
            help: "run it again".into(),
            followed: true,
        }),
    };
    if let Some(fault) = job.asked_to_stop(context).filter(|_| obstacle.is_some()) {
        undecided(&mut report, claim, fault, None, checked);
        return report;
    }
    match obstacle {
        None => {
            report.verdict = Verdict::Proved;
            report.holds = !claim.refute;
            if claim.refute {
                report.diagnostic = Some(not_refuted(claim, format!("it is proved for {range}")));
            }
        }
        Some(obstacle) => not_proved(&mut report, claim, obstacle, said, &direct),
    }
    report
}

/// What became of each value.
fn directly(job: &Job, instances: &[Vec<Value>], stopped: &[Stopped]) -> Vec<Direct> {
    let idle = job.take_idle();
    let mut direct = Vec::new();
    for (at, values) in instances.iter().enumerate() {
        let Some(point) = point(values) else { continue };
        let tried = match stopped.iter().find(|stopped| stopped.at == at).map(|stopped| &stopped.fault) {
            None => Tried::Holds(!idle.contains(&at)),
            Some(Fault::Failed(_)) => Tried::Fails,
            Some(Fault::Error(diagnostic)) if !BUDGETS.contains(&diagnostic.code) => Tried::Broken,
            Some(_) => Tried::Unfinished,
        };
        direct.push(Direct { point, tried });
    }
    direct
}

/// Two things that cannot both be so.
struct Contradiction {
    point: Vec<i64>,
    proof: String,
    direct: &'static str,
}

fn contradiction(context: &Context<'_>, proof: &Proof, direct: &Direct) -> Option<Contradiction> {
    let at = case_of(proof, &direct.point);
    let (says, found) = match (at.map(|case| &proof.cases[case]), &direct.tried) {
        (_, Tried::Unfinished) => return None,
        (None, _) => ("it has no case for this value".to_string(), "it is a value of the range"),
        (Some(case), tried) => match (&case.outcome, tried) {
            (Outcome::True, Tried::Fails) => ("it is true there".to_string(), "it is false"),
            (Outcome::True, Tried::Broken) => ("it is true there".to_string(), "a mistake in the script stops it"),
            (Outcome::False { span }, Tried::Holds(_) | Tried::Broken) => {
                let source = context.sources.get(span.file);
                let found = if matches!(direct.tried, Tried::Broken) { "a mistake stops it" } else { "it is true" };
                (format!("`{}` is false there", source.slice(*span)), found)
            }
            _ => return None,
        },
    };
    Some(Contradiction { point: direct.point.clone(), proof: says, direct: found })
}

/// The program contradicts itself: nothing after this can be relied on.
fn contradicted(report: &mut ClaimReport, claim: &Claim, proof: &Proof, problem: Contradiction, checked: &mut Checked) {
    let at = Names::of_proof(proof).point(&problem.point);
    let mut diagnostic = Diagnostic::at(
        codes::CONTRADICTION,
        claim.span,
        format!("“{}”: a proof and a direct check disagree at {at}", claim.title),
        "this claim",
    )
    .note(format!("the proof says: {}", problem.proof))
    .note(format!("the check says: {}", problem.direct))
    .note("this is a bug of perm, not of the script: nothing is said of the claims after this one")
    .help("please report it with the script; until then give the claim a range to check: `for n in 4..24`");
    diagnostic.severity = Severity::Internal;
    report.reason = Some("a proof and a direct check disagree".to_string());
    report.diagnostic = Some(diagnostic);
    checked.contradicted = true;
}

/// Where it is true and where not, as far as that is known.
fn said(job: &Job, found: &Result<Proof, Stop>, direct: &[Direct], range: &str) -> Said {
    let Ok(proof) = found else {
        let params: Vec<String> = job.claim().names.iter().map(|(name, _)| name.to_string()).collect();
        let names = Names::new(&params, &params);
        let points = direct.iter().filter_map(|direct| Some((direct.point.clone(), status(direct, false)?))).collect();
        let places = Places { names: &names, range, areas: vec![(Region::all(), Status::Open)], points };
        return places.say();
    };
    let mut areas = Vec::new();
    let mut points: Vec<(Vec<i64>, Status)> = Vec::new();
    for (at, case) in proof.cases.iter().enumerate() {
        let inside = || direct.iter().filter(move |direct| case_of(proof, &direct.point) == Some(at));
        if job.proof.is_leaf(at) {
            points.extend(inside().filter_map(|direct| Some((direct.point.clone(), status(direct, true)?))));
            continue;
        }
        let area = match &case.outcome {
            Outcome::True => Status::Proved,
            Outcome::False { .. } => Status::False,
            Outcome::Wrong { .. } if inside().any(|direct| matches!(direct.tried, Tried::Broken)) => Status::Broken,
            _ => Status::Open,
        };
        areas.push((case.region.clone(), area));
        if matches!(area, Status::Open | Status::Broken) {
            let other = inside().filter_map(|direct| Some((direct.point.clone(), status(direct, false)?)));
            points.extend(other.filter(|(_, status)| *status != area));
        }
    }
    Places { names: &Names::of_proof(proof), range, areas, points }.say()
}

/// What a value that was tried says; of all values of a case, if all were tried.
fn status(direct: &Direct, all: bool) -> Option<Status> {
    match direct.tried {
        Tried::Holds(_) if all => Some(Status::Proved),
        Tried::Holds(_) => Some(Status::Checked),
        Tried::Fails => Some(Status::False),
        Tried::Broken => Some(Status::Broken),
        Tried::Unfinished if all => Some(Status::Open),
        Tried::Unfinished => None,
    }
}

/// The first case that is neither proved nor checked value by value.
fn first_obstacle(job: &Job, claim: &Claim, proof: &Proof) -> Option<Obstacle> {
    let open = proof.cases.iter().enumerate().filter(|(at, _)| !job.proof.is_leaf(*at));
    let mut obstacles = open.filter_map(|(_, case)| match &case.outcome {
        Outcome::True => None,
        // the values of such a case that were found were tried and would have decided it
        Outcome::False { span } => Some(Obstacle {
            span: *span,
            what: "this seems to be false for some value".to_string(),
            help: "look for one with a range, such as `for n in 4..24`".to_string(),
            followed: true,
        }),
        Outcome::Wrong { span, message } => Some(Obstacle {
            span: *span,
            what: message.clone(),
            help: "let the header leave these values out, or mend the statement".to_string(),
            followed: true,
        }),
        Outcome::Beyond { span, what, help } => {
            Some(Obstacle { span: *span, what: what.clone(), help: help.clone(), followed: false })
        }
        Outcome::Few => Some(Obstacle {
            span: claim.span,
            what: "a case with so many values".to_string(),
            help: "split the claim, or give a range: `for n in 4..24`".to_string(),
            followed: true,
        }),
    });
    obstacles.next()
}

fn obstacle_of(stop: Stop, claim: &Claim) -> Obstacle {
    match stop {
        Stop::Beyond { span, what, help } => Obstacle { span, what, help, followed: false },
        Stop::Wrong { span, message } => {
            Obstacle { span, what: message, help: "mend the statement, or give a range".to_string(), followed: true }
        }
        Stop::Steps { .. } | Stop::Split(_) | Stop::False { .. } => Obstacle {
            span: claim.span,
            what: "the prover gave up".to_string(),
            help: "give a range to check it: `for n in 4..24`".to_string(),
            followed: true,
        },
    }
}

fn out_of_steps(context: &Context<'_>, span: Span) -> Fault {
    let steps = context.shared.limits.max_steps;
    Fault::Budget(Box::new(
        Diagnostic::at(codes::TOO_MANY_STEPS, span, format!("more than {steps} steps"), "the proof was here then")
            .help("split the claim, or give it more with `--max-steps N`"),
    ))
}

/// Says what keeps the claim from being proved, and what is known all the same.
fn not_proved(report: &mut ClaimReport, claim: &Claim, obstacle: Obstacle, said: Option<Said>, direct: &[Direct]) {
    let title = match claim.refute {
        true => format!("“{}” is neither refuted nor proved for all values", claim.title),
        false => format!("“{}” is not proved for all values", claim.title),
    };
    let holding = direct.iter().filter(|direct| matches!(direct.tried, Tried::Holds(_))).count();
    let tried = match holding {
        1 => "true for the one value that was tried".to_string(),
        some => format!("true for the {some} values that were tried"),
    };
    let mut diagnostic = Diagnostic::error(codes::NOT_PROVED, title);
    if obstacle.span != claim.span {
        let label = if obstacle.followed { String::new() } else { "not followed: ".to_string() };
        diagnostic = diagnostic.label(obstacle.span, label + &obstacle.what).label(claim.span, tried);
    } else {
        diagnostic = diagnostic.label(claim.span, tried).note(obstacle.what.clone());
    }
    if let Some(said) = said.filter(|said| !said.repair.proved.is_empty()) {
        diagnostic = diagnostic.note(said.sentence);
    }
    report.reason = Some(format!("not proved: {}", obstacle.what));
    report.diagnostic = Some(diagnostic.help(obstacle.help));
}

/// Adds to the message of a claim that does not hold where it is true.
fn add_repair(report: &mut ClaimReport, said: &Said, refuted: bool) {
    let Some(diagnostic) = &mut report.diagnostic else { return };
    if said.repair.proved.is_empty() {
        return;
    }
    diagnostic.notes.push(said.sentence.clone());
    let general = diagnostic.help.as_deref() == Some(ordinary::HELP);
    if let Some(header) = said.repair.header.as_ref().filter(|_| refuted && general) {
        diagnostic.help = Some(format!("say `for {header}`, and keep what was said before as a `refute`"));
    }
}

fn proof_report(context: &Context<'_>, job: &Job, proof: &Proof, said: &Said, direct: &[Direct]) -> ProofReport {
    let names = Names::of_proof(proof);
    let needed = direct.iter().filter(|direct| case_of(proof, &direct.point).is_some_and(|at| job.proof.is_leaf(at)));
    let whole = [&said.repair.wrong, &said.repair.broken, &said.repair.undecided].iter().all(|list| list.is_empty());
    ProofReport {
        statement: said.sentence.clone(),
        parameters: proof.params.clone(),
        cases: cases(context, job, proof, &|at| {
            let mut inside = direct.iter().filter(|direct| case_of(proof, &direct.point) == Some(at));
            inside.all(|direct| matches!(direct.tried, Tried::Holds(_)))
        }),
        direct: direct_report(&names, direct, needed.count()),
        seconds: job.proof.seconds(),
        repair: (!whole).then(|| said.repair.clone()),
    }
}

/// The report of a proof that could not be begun.
fn without_cases(claim: &Claim, said: &Said, direct: &[Direct]) -> ProofReport {
    let parameters: Vec<String> = claim.names.iter().map(|(name, _)| name.to_string()).collect();
    ProofReport {
        statement: said.sentence.clone(),
        direct: direct_report(&Names::new(&parameters, &parameters), direct, 0),
        parameters,
        cases: Vec::new(),
        repair: Some(said.repair.clone()),
        seconds: 0.0,
    }
}

fn direct_report(names: &Names, direct: &[Direct], needed: usize) -> DirectReport {
    let finished = direct.iter().filter(|direct| !matches!(direct.tried, Tried::Unfinished));
    let values: Vec<Vec<i64>> = finished.map(|direct| direct.point.clone()).collect();
    DirectReport { text: points_text(names, &values), values, needed }
}
