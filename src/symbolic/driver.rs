//! Follows a claim for all values of its header: cases, and what comes out in each.

use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use super::{Follow, Machine, Note, Stop, Value};
use crate::prove::work;
use crate::prove::{Constraint, Form, Poly, Region, Var};
use crate::resolve::Library;
use crate::resolve::program::*;
use crate::run::machine::{Globals, Pending};
use crate::source::{SourceMap, Span};

/// Parameters with at most so many values in a case are left to the plain machine.
const FEW: i64 = 200;

/// What was found about a claim. The cases are disjoint, and every value of the header is in one of them.
#[derive(Clone, Debug)]
pub struct Proof {
    /// the names of the header
    pub params: Vec<String>,
    /// their variables, in the same order
    pub vars: Vec<Var>,
    /// the names of all variables from [`crate::prove::FIRST`] on, those of the header first
    pub names: Vec<String>,
    pub cases: Vec<Case>,
}

/// A part of the header's range.
#[derive(Clone, Debug)]
pub struct Case {
    /// over the header's names alone; contains the header's own conditions
    pub region: Region,
    /// what it was split by, in the order in which it was
    pub splits: Vec<Constraint>,
    pub outcome: Outcome,
    pub notes: Vec<Note>,
    /// how many assertions were evaluated
    pub assertions: u64,
}

/// What a case ends with, for all points of it.
#[derive(Clone, Debug)]
pub enum Outcome {
    True,
    /// this assertion is false
    False {
        span: Span,
    },
    /// an error of the script
    Wrong {
        span: Span,
        message: String,
    },
    /// something is not followed
    Beyond {
        span: Span,
        what: String,
        help: String,
    },
    /// only finitely many values are left: they are better checked one by one
    Few,
}

/// What is wanted, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct ProveOptions<'a> {
    /// is evidence wanted?
    pub notes: bool,
    pub max_cases: usize,
    pub max_steps: u64,
    /// not 0: somebody asks for a stop
    pub stop: &'a AtomicU8,
}

/// A case on its way.
struct Waiting {
    region: Region,
    splits: Vec<Constraint>,
}

/// Follows a claim with a header `for all`. An error means that the header itself is wrong or not followed, or that the steps
/// ran out.
pub fn prove(
    library: &Library,
    sources: &SourceMap,
    globals: Arc<Globals>,
    pending: &Pending,
    options: ProveOptions<'_>,
) -> Result<Proof, Stop> {
    work::begin(options.max_steps);
    let proof = follow(library, sources, globals, pending, options);
    work::begin(u64::MAX);
    proof
}

fn follow(
    library: &Library,
    sources: &SourceMap,
    globals: Arc<Globals>,
    pending: &Pending,
    options: ProveOptions<'_>,
) -> Result<Proof, Stop> {
    let claim = &pending.claim;
    let Range::All(items, condition) = &claim.range else {
        return Err(Stop::beyond(claim.span, "a claim without `for all`", "write `for all n >= 5`"));
    };
    let mut machine = Machine::new(library, sources, globals, options.stop, options.max_steps);
    machine.wants_notes = options.notes;
    let mut vars = Vec::with_capacity(items.len());
    for item in items {
        let name = claim.names.iter().find(|(_, slot)| *slot == item.slot).map_or("n", |(name, _)| name);
        vars.push(machine.fresh(name, item.span)?);
    }
    let params: Vec<String> = vars.iter().map(|var| machine.name(*var)).collect();
    let mut driver = Driver { machine, pending, items, condition: condition.as_ref(), vars, options };
    let range = driver.header()?;
    let cases = driver.body(range)?;
    let names = driver.machine.names().to_vec();
    Ok(Proof { params, vars: driver.vars, names, cases })
}

struct Driver<'p, 'a> {
    machine: Machine<'p>,
    pending: &'a Pending,
    items: &'a [AllItem],
    condition: Option<&'a Ex>,
    vars: Vec<Var>,
    options: ProveOptions<'a>,
}

impl Driver<'_, '_> {
    /// The values of the header, as regions.
    fn header(&mut self) -> Follow<Vec<Region>> {
        let span = self.pending.claim.span;
        let mut range = Vec::new();
        let mut waiting = vec![Region::all()];
        while let Some(region) = waiting.pop() {
            self.start(&region)?;
            if self.machine.known.is_empty() {
                continue;
            }
            match self.in_range() {
                Ok(Some(bounds)) => range.push(bounds),
                Ok(None) => {}
                Err(Stop::Split(constraint)) => {
                    if range.len() + waiting.len() > self.options.max_cases {
                        return Err(Stop::beyond(span, "so many cases of the range", "write a simpler range"));
                    }
                    self.check_split(&constraint, span)?;
                    for other in self.machine.fits(constraint.negated(), span)? {
                        waiting.push(region.with(other));
                    }
                    waiting.push(region.with(constraint));
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(range)
    }

    /// Prepares the machine for a case.
    fn start(&mut self, region: &Region) -> Follow<()> {
        let (machine, pending) = (&mut self.machine, self.pending);
        let claim = &pending.claim;
        machine.known = region.clone();
        machine.notes.clear();
        machine.assertions = 0;
        machine.perhaps_asserted.clear();
        machine.begin(claim.code.frame);
        machine.instance = match &pending.instance {
            Some(of) => Some(machine.instance_from(of, claim.span)?),
            None => None,
        };
        for ((_, slot), value) in claim.code.captures.iter().zip(&pending.captured) {
            let value = machine.convert(value, claim.span)?;
            machine.set_slot(*slot, value);
        }
        for (item, var) in self.items.iter().zip(&self.vars) {
            machine.set_slot(item.slot, Value::Number(Poly::var(*var)));
        }
        Ok(())
    }

    /// Is the case in the range of the header? Gives it with the header's lower bounds.
    fn in_range(&mut self) -> Follow<Option<Region>> {
        for (item, var) in self.items.iter().zip(&self.vars) {
            let machine = &mut self.machine;
            for (bound, strict) in &item.lower {
                // the chain says it too; known at once it saves a case
                let value = machine.eval(bound)?;
                let Value::Number(poly) = value else {
                    return Err(Stop::wrong(bound.span, format!("a bound must be a number, not {}", value.kind())));
                };
                if let Some(low) = poly.form() {
                    let here = Form::var(*var);
                    let constraint = match strict {
                        true => Constraint::less(&low, &here),
                        false => Constraint::less_eq(&low, &here),
                    };
                    let constraint = machine.fits(constraint, bound.span)?;
                    machine.known.push(constraint);
                }
            }
            if let Some(parity) = item.parity {
                let even = machine.fits(Constraint::divisible(&Form::var(*var), 2), item.span)?;
                if machine.decide(&even)? != (parity == Parity::Even) {
                    return Ok(None);
                }
            }
            if machine.known.is_empty() || !machine.truth(&item.chain)? {
                return Ok(None);
            }
        }
        if let Some(condition) = self.condition
            && !self.machine.truth(condition)?
        {
            return Ok(None);
        }
        Ok(Some(self.machine.known.clone()))
    }

    /// Follows the body for the values of the header.
    fn body(&mut self, range: Vec<Region>) -> Follow<Vec<Case>> {
        let span = self.pending.claim.span;
        let mut cases: Vec<Case> = Vec::new();
        let mut waiting: Vec<Waiting> =
            range.into_iter().rev().map(|region| Waiting { region, splits: Vec::new() }).collect();
        while let Some(Waiting { region, splits }) = waiting.pop() {
            if region.is_empty() {
                continue;
            }
            let too_many = cases.len() + waiting.len() >= self.options.max_cases;
            let outcome = match () {
                () if self.is_few(&region) => Outcome::Few,
                () if too_many => Outcome::Beyond {
                    span,
                    what: format!("more than {} cases", self.options.max_cases),
                    help: "split the claim, or give a range: `for n in 5..24`".to_string(),
                },
                () => match self.follow(&region) {
                    Ok(()) => Outcome::True,
                    Err(Stop::Split(constraint)) if self.check_split(&constraint, span).is_ok() => {
                        let mut parts = vec![constraint.clone()];
                        parts.extend(self.machine.fits(constraint.negated(), span)?);
                        for part in parts.into_iter().rev() {
                            let mut splits = splits.clone();
                            splits.push(part.clone());
                            waiting.push(Waiting { region: region.with(part), splits });
                        }
                        continue;
                    }
                    Err(Stop::False { span }) => Outcome::False { span },
                    Err(Stop::Wrong { span, message }) => Outcome::Wrong { span, message },
                    Err(Stop::Beyond { span, what, help }) => Outcome::Beyond { span, what, help },
                    Err(Stop::Split(_)) => Outcome::Beyond {
                        span,
                        what: "a condition on something inside".to_string(),
                        help: "split the claim, or give a range: `for n in 5..24`".to_string(),
                    },
                    Err(stop @ Stop::Steps { .. }) => return Err(stop),
                },
            };
            let followed = !matches!(outcome, Outcome::Few);
            cases.push(Case {
                region,
                splits,
                outcome,
                notes: if followed { std::mem::take(&mut self.machine.notes) } else { Vec::new() },
                assertions: if followed { self.machine.assertions } else { 0 },
            });
        }
        Ok(cases)
    }

    /// Runs the body once.
    fn follow(&mut self, region: &Region) -> Follow<()> {
        self.start(region)?;
        let claim = &self.pending.claim;
        let machine = &mut self.machine;
        if let Some(on) = &claim.on {
            machine.instance = Some(machine.instance_of(on)?);
        }
        machine.block(&claim.code.body)?;
        debug_assert_eq!(machine.known, *region);
        if machine.assertions > 0 {
            return Ok(());
        }
        // assertions for elements of something: is there such an element?
        for perhaps in std::mem::take(&mut machine.perhaps_asserted) {
            let others: Vec<Var> = perhaps.vars().into_iter().filter(|var| !self.vars.contains(var)).collect();
            match machine.is_inhabited(&others, &perhaps, claim.span) {
                Ok(true) => {
                    machine.assertions += 1;
                    return Ok(());
                }
                // undecidable here: it does not count
                Ok(false) | Err(Stop::Beyond { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Cases are split by conditions on the header's names alone.
    fn check_split(&self, constraint: &Constraint, span: Span) -> Follow<()> {
        match constraint.vars().all(|var| self.vars.contains(&var)) && constraint.vars().next().is_some() {
            true => Ok(()),
            false => Err(Stop::beyond(span, "a condition on something inside", "split the claim")),
        }
    }

    /// Are only few values of the names left?
    fn is_few(&self, region: &Region) -> bool {
        let mut count: i64 = 1;
        for var in &self.vars {
            let (Some(low), Some(high)) = region.bounds(&Form::var(*var)) else { return false };
            let width = high.saturating_sub(low).saturating_add(1).max(0);
            count = count.saturating_mul(width);
            if count > FEW {
                return false;
            }
        }
        true
    }
}
