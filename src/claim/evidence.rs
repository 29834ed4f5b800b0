//! What a counterexample shows: the values, the two sides, and where they first differ.

use super::Context;
use super::diagnosis;
use crate::diagnostic::Diagnostic;
use crate::report::text;
use crate::report::{ClaimReport, Counterexample, TraceReport, ValueReport};
use crate::resolve::Library;
use crate::resolve::program::{Claim, CompareOp};
use crate::run::group::GroupValue;
use crate::run::print::{cycles_text, point_text, print};
use crate::run::value::{PermValue, Set, Value};
use crate::run::{Failure, Machine, Output};

/// The two sides of a false comparison, as texts.
#[derive(Debug, Default)]
pub struct Sides {
    left: Option<String>,
    right: Option<String>,
    op: Option<CompareOp>,
    difference: Option<String>,
    diagnosis: Option<String>,
}

/// Sides longer than this are cut.
const SIDE_CHARS: usize = 300;

impl Sides {
    /// The sides as lines of a message.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let (Some(left), Some(op), Some(right)) = (&self.left, self.op, &self.right) {
            notes.push(format!("left:  {left}"));
            notes.push(format!("right: {right}"));
            if op != CompareOp::Equal {
                notes.push(format!("compared with `{}`", op.text()));
            }
        }
        notes.extend(self.difference.clone());
        notes
    }

    pub fn new(machine: &mut Machine<'_>, failure: &Failure) -> Sides {
        let Some((left, op, right)) = &failure.sides else { return Sides::default() };
        let (left, right) = (&default_member(left), &default_member(right));
        // words are shown by what they do: that is what was compared
        let effect = |machine: &mut Machine<'_>, value: &Value| -> Value {
            match machine.permutation_of(value) {
                Some(perm) if matches!(value, Value::Word(_)) => Value::Perm(perm),
                _ => value.clone(),
            }
        };
        let (a, b) = (effect(machine, left), effect(machine, right));
        let slid = match (*op, left, right) {
            (CompareOp::Equal, Value::Perm(_), _) | (CompareOp::Equal, _, Value::Perm(_)) => None,
            (CompareOp::Equal, Value::Word(_), _) | (CompareOp::Equal, _, Value::Word(_)) => {
                machine.slid_difference(left, right)
            }
            _ => None,
        };
        if slid.is_some() {
            // what words do on a puzzle with a blank depends on where that is: the words themselves say more
            let [left, right] = [left, right].map(|word| Some(crop(machine.print(word))));
            return Sides { left, right, op: Some(*op), difference: slid, diagnosis: None };
        }
        let difference =
            if *op == CompareOp::Equal { difference(machine, &a, &b) } else { membership(machine, *op, &a, &b) };
        let diagnosis = if *op == CompareOp::Equal { diagnosis::explain(machine, left, right) } else { None };
        Sides {
            left: Some(crop(machine.print(&a))),
            right: Some(crop(machine.print(&b))),
            op: Some(*op),
            difference,
            diagnosis,
        }
    }
}

/// Puts the two sides of a false assertion outside claims into its message.
pub fn add_sides(machine: &mut Machine<'_>, failure: &mut Failure) {
    let sides = Sides::new(machine, failure);
    show(&mut failure.diagnostic, failure.sides_at, &sides, "correct the statement that is asserted");
}

/// Puts the sides and what to do into a message: what another convention would make true, else its own help, or a general one.
fn show(diagnostic: &mut Diagnostic, at: usize, sides: &Sides, help: &str) {
    let at = at.min(diagnostic.notes.len());
    diagnostic.notes.splice(at..at, sides.notes());
    let own = diagnostic.help.take();
    diagnostic.help = sides.diagnosis.clone().or(own).or_else(|| Some(help.to_string()));
}

/// A family stands for its default member, as it did in the comparison.
fn default_member(value: &Value) -> Value {
    match value {
        Value::Family(instance, id) => match instance.letter(*id) {
            Some(letter) => Value::Word(instance.letter_word(letter)),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

fn crop(text: String) -> String {
    if text.chars().count() > SIDE_CHARS { text.chars().take(SIDE_CHARS).chain(['…']).collect() } else { text }
}

/// Where two sides first differ, in words.
fn difference(machine: &mut Machine<'_>, a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => Some(sets(machine, a, b)),
        (Value::Group(a), Value::Group(b)) => groups(machine, a, b),
        (Value::Tuple(_) | Value::Range(..), Value::Tuple(_) | Value::Range(..)) => {
            let (x, y) = (a.elements()?, b.elements()?);
            match x.iter().zip(&y).position(|(x, y)| machine.differ(x, y)) {
                Some(at) => Some(format!(
                    "first difference at place {}: {} against {}",
                    at + 1,
                    machine.print(&x[at]),
                    machine.print(&y[at])
                )),
                None => Some(format!("the left side has {} elements, the right side {}", x.len(), y.len())),
            }
        }
        (Value::Board(a), Value::Board(b)) => a.difference(b),
        _ => {
            let (x, y) = (machine.permutation_of(a)?, machine.permutation_of(b)?);
            let (x, y) = machine.aligned_quietly(x, y)?;
            let cell = x.perm.first_difference(&y.perm)?;
            Some(format!(
                "first cell that differs: {} goes to {} on the left, to {} on the right",
                point_text(&x, cell),
                point_text(&x, x.perm.image(cell)),
                point_text(&y, y.perm.image(cell))
            ))
        }
    }
}

fn sets(machine: &Machine<'_>, a: &Set, b: &Set) -> String {
    let show = |set: Set| {
        let count = set.len();
        let first: Vec<String> = set.iter().take(4).map(|value| machine.print(value)).collect();
        format!("{}{}", first.join(", "), if count > 4 { format!(", … ({count})") } else { String::new() })
    };
    let (only_a, only_b) = (a.difference(b), b.difference(a));
    match (only_a.is_empty(), only_b.is_empty()) {
        (true, _) => format!("only on the right: {}", show(only_b)),
        (_, true) => format!("only on the left: {}", show(only_a)),
        _ => format!("only on the left: {}; only on the right: {}", show(only_a), show(only_b)),
    }
}

/// The orders of two groups, where these differ, and an element that only one of them has.
fn groups(machine: &mut Machine<'_>, a: &GroupValue, b: &GroupValue) -> Option<String> {
    let (x, y) = (a.group.clone(), b.group.clone());
    let (left, right) = machine.quietly(|work| Ok((x.order(work)?, y.order(work)?)))?;
    let orders = match left == right {
        true => format!("both have order {left}"),
        false => format!("the left group has order {left}, the right one {right}"),
    };
    let only = match missing(machine, a, b) {
        Some(element) => Some(format!("only on the left: {element}")),
        None => missing(machine, b, a).map(|element| format!("only on the right: {element}")),
    };
    Some(only.map_or(orders.clone(), |only| format!("{orders}; {only}")))
}

/// A generator of the first group that is not in the second.
fn missing(machine: &mut Machine<'_>, a: &GroupValue, b: &GroupValue) -> Option<String> {
    let other = b.group.clone();
    for perm in a.group.generators() {
        if !machine.quietly(|work| other.contains(perm, work))? {
            let element = PermValue { perm: perm.clone(), of: a.of.clone().or_else(|| b.of.clone()) };
            return Some(crop(cycles_text(&element)));
        }
    }
    None
}

fn membership(machine: &mut Machine<'_>, op: CompareOp, a: &Value, b: &Value) -> Option<String> {
    match (op, a, b) {
        (CompareOp::In, element, Value::Group(group)) => {
            let perm = machine.element_of(element, &group.of)?;
            let obstacle = machine.quietly(|work| group.group.obstacle(&perm, work)).flatten()?;
            Some(obstacle.sentence(&|point| group.point_text(point)))
        }
        (CompareOp::Subset, Value::Group(a), Value::Group(b)) => {
            missing(machine, a, b).map(|element| format!("{element} is not on the right"))
        }
        (CompareOp::Subset, Value::Set(a), Value::Set(b)) => {
            let missing = a.difference(b);
            missing.iter().next().map(|first| format!("{} is not on the right", machine.print(first)))
        }
        _ => None,
    }
}

/// Names of the header with their values.
pub fn named(context: &Context<'_>, claim: &Claim, values: &[Value]) -> Vec<(String, String)> {
    claim.names.iter().zip(values).map(|((name, _), value)| (name.to_string(), print(value, context.library))).collect()
}

/// What to do about a counterexample where nothing better is known.
pub const HELP: &str = "correct the statement, or make it a `refute` with the corrected claim beside it";

/// Puts the counterexample into the report, and the message that shows it.
pub fn fill(
    report: &mut ClaimReport,
    context: &Context<'_>,
    claim: &Claim,
    failure: &Failure,
    sides: Option<Sides>,
    values: &[Value],
) {
    let sides = sides.unwrap_or_default();
    let values = named(context, claim, values);
    let source = context.sources.get(failure.span.file);
    let mut diagnostic: Diagnostic = failure.diagnostic.clone();
    let at = values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ");
    let title = std::mem::take(&mut diagnostic.title);
    diagnostic.title = if at.is_empty() {
        format!("“{}”: {title}", claim.title)
    } else {
        format!("“{}” fails at {at}: {title}", claim.title)
    };
    show(&mut diagnostic, failure.sides_at, &sides, HELP);
    report.counterexample = Some(Counterexample {
        values,
        assertion: source.slice(failure.span).split_whitespace().collect::<Vec<_>>().join(" "),
        left: sides.left,
        comparison: sides.op.map(CompareOp::text),
        right: sides.right,
        difference: sides.difference,
        diagnosis: sides.diagnosis,
    });
    report.diagnostic = Some(diagnostic);
}

/// What was said inside a claim, as text.
pub fn line(output: &Output, library: &Library) -> Option<String> {
    match output {
        Output::Line(line) => Some(line.clone()),
        Output::Trace(trace) => Some(TraceReport::new(trace).text().trim_end().to_string()),
        Output::Report { value, written, .. } => {
            Some(text::value(&ValueReport::new(value, written, library), Default::default()).trim_end().to_string())
        }
        Output::Value { .. } => None,
    }
}
