//! Groups and homomorphisms as values: whose points they permute, how they are written, and how the machine asks
//! about them.

mod align;
mod facts;
mod map;
mod noted;

use std::sync::{Arc, OnceLock};

use super::instance::Instance;
use super::machine::Machine;
use super::print::{cycles_text, point_text};
use super::value::{PermValue, Set, Value};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::group::{Homomorphism, PermGroup, Unfinished, Work};
use crate::perm::Perm;
use crate::source::Span;

pub(super) use align::object_value;
pub use facts::{GroupFacts, OrbitFacts};
pub(super) use map::Pair;

/// Whose cells the points are; none: the integers 1, 2, 3, …
pub type Of = Option<Arc<Instance>>;

/// A group on the cells of an instance, or on the integers from 1 to some number.
#[derive(Clone, Debug)]
pub struct GroupValue {
    pub group: Arc<PermGroup>,
    pub of: Of,
    /// what a report says of it, once somebody asked for one
    pub facts: OnceLock<GroupFacts>,
}

/// A homomorphism, with the groups that it was made for.
#[derive(Clone, Debug)]
pub struct HomomorphismValue {
    pub map: Homomorphism,
    pub source: Arc<GroupValue>,
    pub target: Arc<GroupValue>,
}

impl GroupValue {
    pub fn new(group: impl Into<Arc<PermGroup>>, of: Of) -> GroupValue {
        GroupValue { group: group.into(), of, facts: OnceLock::new() }
    }

    /// The group that the moves of a puzzle generate.
    pub fn of_moves(instance: &Arc<Instance>) -> GroupValue {
        GroupValue::new(instance.group().clone(), Some(instance.of_group().clone()))
    }

    pub(super) fn value(group: impl Into<Arc<PermGroup>>, of: Of) -> Value {
        Value::Group(Arc::new(GroupValue::new(group, of)))
    }

    /// Is it the group of the moves of its puzzle, and not just equal to it?
    pub fn is_of_moves(&self) -> bool {
        self.of.as_ref().is_some_and(|instance| Arc::ptr_eq(instance.group(), &self.group))
    }

    /// A point as it stands in a cycle.
    pub fn point_text(&self, point: u32) -> String {
        of_text(&self.of, point)
    }

    /// The generators as they are written: cycles.
    pub fn generator_texts(&self) -> impl Iterator<Item = String> {
        self.group.generators().iter().map(|perm| perm_text(perm, &self.of))
    }
}

/// A point of a permutation as a value.
pub fn point_value(of: &Of, point: u32) -> Value {
    match of {
        Some(instance) => instance.cell(point),
        None => Value::Int(i64::from(point) + 1),
    }
}

/// A set of points as a value.
pub fn point_set(of: &Of, points: &[u32]) -> Value {
    Value::Set(Arc::new(Set::new(points.iter().map(|point| point_value(of, *point)).collect())))
}

fn of_text(of: &Of, point: u32) -> String {
    point_text(&PermValue { perm: Perm::identity(0), of: of.clone() }, point)
}

pub(super) fn perm_text(perm: &Perm, of: &Of) -> String {
    cycles_text(&PermValue { perm: perm.clone(), of: of.clone() })
}

/// `group()` for the group of the moves of a puzzle, else `group((1 2 3), (3 4 5))`.
pub fn group_text(group: &GroupValue) -> String {
    if group.is_of_moves() {
        return "group()".to_string();
    }
    let generators: Vec<String> = group.generator_texts().collect();
    if generators.is_empty() { "group(())".to_string() } else { format!("group({})", generators.join(", ")) }
}

/// `homomorphism(group((1 2 3)), group((1 3 2)), (1 2 3) -> (1 3 2))`
pub fn homomorphism_text(value: &HomomorphismValue) -> String {
    let mut out = format!("homomorphism({}, {}", group_text(&value.source), group_text(&value.target));
    for (generator, image) in value.map.source.generators().iter().zip(&value.map.images) {
        out.push_str(", ");
        out.push_str(&perm_text(generator, &value.source.of));
        out.push_str(" -> ");
        out.push_str(&perm_text(image, &value.target.of));
    }
    out.push(')');
    out
}

/// Longer numbers say little in a message.
const DIGITS: usize = 40;

/// The text with its long numbers replaced by how long they are.
fn without_long_numbers(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.len() {
        length if length > DIGITS && word.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("at least 10^{}", length - 1)
        }
        _ => word.to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Machine<'_> {
    /// Runs a computation of the mathematics under the machine's budget, and counts its steps.
    pub(super) fn with_work<T>(
        &mut self,
        span: Span,
        compute: impl FnOnce(Work<'_>) -> Result<T, Unfinished>,
    ) -> Run<T> {
        let (result, steps) = self.counted(compute);
        self.charge(steps, span).map_err(|fault| match fault {
            Fault::Budget(diagnostic) if diagnostic.code == codes::TOO_MANY_STEPS => Fault::Budget(Box::new(
                diagnostic.help("give it more with `--max-steps N`, or ask about a smaller group"),
            )),
            other => other,
        })?;
        result.map_err(|unfinished| match unfinished {
            // the budget was met exactly, and nothing else stops a computation
            Unfinished::Stopped => Fault::Interrupted,
            Unfinished::TooLarge(what) => Fault::Budget(Box::new(
                Diagnostic::at(codes::GROUP_TOO_LARGE, span, without_long_numbers(&what), "too large").help(
                    "orders, membership, orbits and blocks need no list of elements: ask for one of these, or about a smaller group",
                ),
            )),
        })
    }

    /// [`Self::with_work`] for what only explains something: no answer where it would cost too much.
    pub fn quietly<T>(&mut self, compute: impl FnOnce(Work<'_>) -> Result<T, Unfinished>) -> Option<T> {
        let (result, steps) = self.counted(compute);
        self.charge(steps, Span::default()).ok()?;
        result.ok()
    }
}
