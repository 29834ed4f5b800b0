//! Claims for all values: their first values are tried like any others, and a proof is attempted at the same time. The
//! proof says what is true; the values that were tried say whether the proof is to be believed.

mod conditions;
mod evidence;
mod order;
mod places;
mod shown;
mod values;
mod verdict;

use std::sync::Mutex;

use super::Context;
use super::job::Job;
use crate::prove::{FIRST, Form, Region, Var};
use crate::run::{Run, Value};
use crate::symbolic::{Case, Outcome, Proof, ProveOptions, Stop};
use places::contains;

pub use order::Header;
pub use verdict::verdict;

/// A proof may ask so many questions, however many steps a claim may take that is run: a few seconds.
const STEPS: u64 = 3_000_000;
/// More cases than that are not told apart.
const CASES: usize = 500;
/// A case with at most so many values is checked directly where it cannot be proved.
const LEAF_VALUES: usize = 400;
/// So many combinations of values are looked at to find those of such a case.
const LEAF_BOX: i64 = 20_000;
/// Of so many more cases one value is tried, so that each has been.
const TRIED: usize = 32;
/// … unless that value is large.
const TRIED_SUM: i64 = 60;

/// What is found out about all values at once.
#[derive(Default)]
pub struct Attempt {
    found: Mutex<Option<Result<Proof, Stop>>>,
    /// how long it took
    seconds: Mutex<f64>,
    /// for each case of the proof its values, if it is one to be checked directly
    leaves: Vec<Option<Vec<Vec<i64>>>>,
}

impl Attempt {
    /// A proof that somebody else has made.
    #[cfg(test)]
    fn made(found: Result<Proof, Stop>) -> Attempt {
        Attempt { found: Mutex::new(Some(found)), ..Attempt::default() }
    }

    fn seconds(&self) -> f64 {
        *self.seconds.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The values of a case, if it is one that is checked value by value.
    fn leaf(&self, case: usize) -> Option<&Vec<Vec<i64>>> {
        self.leaves.get(case)?.as_ref()
    }

    fn is_leaf(&self, case: usize) -> bool {
        self.leaf(case).is_some()
    }

    fn take(&self) -> Option<Result<Proof, Stop>> {
        self.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }
}

/// Tries to prove a claim.
pub fn prove(context: &Context<'_>, job: &Job) {
    let start = (context.clock)();
    let options = ProveOptions {
        notes: context.note_proofs,
        max_cases: CASES,
        max_steps: context.shared.limits.max_steps.min(STEPS),
        stop: &context.shared.stop,
    };
    let globals = context.globals.clone();
    let found = crate::symbolic::prove(context.library, context.sources, globals, &job.pending, options);
    *job.proof.found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(found);
    *job.proof.seconds.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = (context.clock)() - start;
    job.spent(context, start);
}

/// Adds the values that a proof leaves to be tried: all of a small case that is not proved, and the first of each case of
/// which none has been tried.
pub fn add_values(context: &Context<'_>, job: &mut Job) {
    let proof = match job.proof.take() {
        Some(Ok(proof)) => proof,
        other => {
            job.proof.found = Mutex::new(other);
            return;
        }
    };
    let mut leaves: Vec<Option<Vec<Vec<i64>>>> = proof.cases.iter().map(|case| leaf(&proof, case)).collect();
    let further = match &job.instances {
        Ok(instances) => further_values(context, job, &proof, &leaves, instances),
        Err(_) => Ok(Vec::new()),
    };
    match (further, &mut job.instances) {
        (Ok(further), Ok(instances)) => instances.extend(further),
        // where the header cannot be evaluated for all of them, none counts as checked
        (Err(_), _) => leaves.clear(),
        _ => {}
    }
    job.proof.found = Mutex::new(Some(Ok(proof)));
    job.proof.leaves = leaves;
}

/// The values of a case that is not proved, if they are few.
fn leaf(proof: &Proof, case: &Case) -> Option<Vec<Vec<i64>>> {
    if matches!(case.outcome, Outcome::True) {
        return None;
    }
    let vars = (FIRST..).take(proof.params.len());
    let bounds: Vec<(i64, i64)> = vars
        .map(|var: Var| match case.region.bounds(&Form::var(var)) {
            (Some(from), Some(to)) => Some((from, to)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let mut sizes = bounds.iter().map(|(from, to)| to.checked_sub(*from).and_then(|size| size.checked_add(1)));
    let size = sizes.try_fold(1i64, |product, size| product.checked_mul(size?.max(0)))?;
    if size > LEAF_BOX {
        return None;
    }
    let mut points = vec![Vec::new()];
    for (from, to) in bounds {
        points = points.iter().flat_map(|point| (from..=to).map(move |value| [point, &[value][..]].concat())).collect();
    }
    points.retain(|point| contains(&case.region, point));
    (points.len() <= LEAF_VALUES).then_some(points)
}

/// Values as integers.
fn point(values: &[Value]) -> Option<Vec<i64>> {
    values.iter().map(|value| if let Value::Int(value) = value { Some(*value) } else { None }).collect()
}

fn case_of(proof: &Proof, point: &[i64]) -> Option<usize> {
    proof.cases.iter().position(|case| contains(&case.region, point))
}

/// In the order of the range, so that the first that fails is the smallest.
fn further_values(
    context: &Context<'_>,
    job: &Job,
    proof: &Proof,
    leaves: &[Option<Vec<Vec<i64>>>],
    instances: &[Vec<Value>],
) -> Run<Vec<Vec<Value>>> {
    let Some(header) = Header::of(job.claim()) else { return Ok(Vec::new()) };
    let tried: Vec<Vec<i64>> = instances.iter().filter_map(|values| point(values)).collect();
    let mut touched = vec![false; proof.cases.len()];
    for point in &tried {
        if let Some(case) = case_of(proof, point) {
            touched[case] = true;
        }
    }
    let mut wanted: Vec<Vec<i64>> = leaves.iter().flatten().flatten().cloned().collect();
    // cases that are said to be false come first: one of them has the counterexample
    let is_false = |case: &usize| matches!(proof.cases[*case].outcome, Outcome::False { .. });
    let is_sure = |case: &usize| matches!(proof.cases[*case].outcome, Outcome::True | Outcome::False { .. });
    let untouched = (0..touched.len()).filter(|case| !touched[*case] && leaves[*case].is_none() && is_sure(case));
    let (mut untouched, proved): (Vec<usize>, Vec<usize>) = untouched.partition(is_false);
    untouched.extend(proved);
    untouched.truncate(TRIED);
    let mut machine = job.machine(context, &[]);
    wanted.extend(first_of_each(header, &mut machine, proof, untouched));
    let mut placed: Vec<(Vec<i64>, Vec<Value>)> = Vec::new();
    for point in wanted {
        let values: Vec<Value> = point.iter().map(|value| Value::Int(*value)).collect();
        // a case may be wider than the range
        let place = header.place(&mut machine, &values)?;
        if let Some(place) = place.filter(|_| !tried.contains(&point)) {
            placed.push((place, values));
        }
    }
    placed.sort_by(|(a, _), (b, _)| a.cmp(b));
    placed.dedup_by(|(a, _), (b, _)| a == b);
    Ok(placed.into_iter().map(|(_, values)| values).collect())
}

/// The first value of each of some cases, as far as it is found soon. Of a case that is said to be false, any value will
/// do if the first is far away.
fn first_of_each(
    header: Header<'_>,
    machine: &mut crate::run::Machine<'_>,
    proof: &Proof,
    mut cases: Vec<usize>,
) -> Vec<Vec<i64>> {
    use std::ops::ControlFlow::{Break, Continue};
    let mut found = Vec::new();
    let is_false = |case: usize| matches!(proof.cases[case].outcome, Outcome::False { .. });
    if cases.is_empty() {
        return found;
    }
    let looked = header.visit(machine, &mut |sum, values| {
        for point in values.iter().filter_map(|values| point(values)) {
            if let Some(at) = cases.iter().position(|case| contains(&proof.cases[*case].region, &point)) {
                cases.remove(at);
                found.push(point);
            }
        }
        let far = sum >= TRIED_SUM && !cases.iter().any(|case| is_false(*case));
        if cases.is_empty() || far { Break(()) } else { Continue(()) }
    });
    if looked.is_ok() {
        let vars: Vec<Var> = (FIRST..).take(proof.params.len()).collect();
        let sample = |region: &Region| region.sample(&vars);
        found.extend(
            cases.into_iter().filter(|case| is_false(*case)).filter_map(|case| sample(&proof.cases[case].region)),
        );
    }
    found
}

#[cfg(test)]
mod tests;
