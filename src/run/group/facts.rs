//! What a report says of a group, found out under the budget of the statement that asks for it.

use num_bigint::BigUint;

use super::GroupValue;
use crate::group::{Done, Identity, Unfinished, Work};
use crate::run::Run;
use crate::run::machine::Machine;
use crate::source::Span;

/// What a report says of a group.
#[derive(Clone, Debug)]
pub struct GroupFacts {
    /// none if it would cost too much
    pub order: Option<BigUint>,
    /// a name with its reasons
    pub identity: Option<Identity>,
    /// the orbits with more than one point
    pub orbits: Vec<OrbitFacts>,
}

/// What is known of the action on one orbit.
#[derive(Clone, Debug)]
pub struct OrbitFacts {
    pub length: usize,
    /// are there no blocks? Not asked for all of many orbits
    pub primitive: Option<bool>,
}

/// Of so many orbits blocks are looked for.
const ORBITS: usize = 12;

impl GroupFacts {
    fn new(value: &GroupValue, work: Work<'_>) -> Done<GroupFacts> {
        // what is too large for one of the facts leaves the others as they are
        fn known<T>(answer: Done<T>) -> Done<Option<T>> {
            match answer {
                Ok(answer) => Ok(Some(answer)),
                Err(Unfinished::TooLarge(_)) => Ok(None),
                Err(stopped) => Err(stopped),
            }
        }
        let group = &value.group;
        let mut orbits = Vec::new();
        for orbit in group.orbits().lists.iter().filter(|orbit| orbit.len() > 1) {
            let primitive = if orbits.len() < ORBITS { known(group.is_primitive(orbit, work))? } else { None };
            orbits.push(OrbitFacts { length: orbit.len(), primitive });
        }
        let order = known(group.order(work))?;
        let identity = known(group.identify(&|point| value.point_text(point), work))?;
        Ok(GroupFacts { order, identity, orbits })
    }
}

impl Machine<'_> {
    /// Finds out what a report of the group will say.
    pub(in crate::run) fn find_facts(&mut self, value: &GroupValue, span: Span) -> Run<()> {
        if value.facts.get().is_none() {
            let facts = self.with_work(span, |work| GroupFacts::new(value, work))?;
            value.facts.get_or_init(|| facts);
        }
        Ok(())
    }
}
