//! Orbits and stabilizers of objects other than points: sets, tuples, sets of sets.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::PermGroup;
use super::action::Object;
use super::mixer::Mixer;
use super::stabilizer::of_known_order;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0x0b1e;
/// The objects of an orbit may have so many points and brackets in all.
const PARTS: usize = 1 << 25;

/// The orbit of an object, each with the object and the generator that it was reached by.
struct Reached {
    list: IndexMap<Object, (usize, usize), FxBuildHasher>,
}

impl Reached {
    fn new(group: &PermGroup, object: &Object, work: Work<'_>) -> Done<Reached> {
        let object = object.sorted();
        let size = object.size();
        let mut list: IndexMap<Object, (usize, usize), FxBuildHasher> = IndexMap::default();
        list.insert(object, (0, 0));
        let mut at = 0;
        while let Some((object, _)) = list.get_index(at) {
            let object = object.clone();
            work.charge(group.generators.len() as u64 * (1 + size as u64 / 8))?;
            for (number, generator) in group.generators.iter().enumerate() {
                list.entry(object.image(generator)).or_insert((at, number));
            }
            at += 1;
            if list.len().saturating_mul(size) > PARTS {
                return Err(Unfinished::TooLarge(format!("the orbit has more than {} objects", list.len() - 1)));
            }
        }
        Ok(Reached { list })
    }

    /// An element that takes the first object to the one with a number.
    fn way_to(&self, group: &PermGroup, number: usize, work: Work<'_>) -> Done<Perm> {
        let mut generators = Vec::new();
        let mut at = number;
        while at > 0 {
            let (from, generator) = self.list[at];
            generators.push(generator);
            at = from;
        }
        work.products(generators.len(), group.degree)?;
        let identity = Perm::identity(group.degree);
        Ok(generators.iter().rev().fold(identity, |way, generator| way.then(&group.generators[*generator])))
    }
}

impl PermGroup {
    /// All objects that the group takes an object to, itself first. Costs their number times that of the generators.
    pub fn object_orbit(&self, object: &Object, work: Work<'_>) -> Done<Vec<Object>> {
        Ok(Reached::new(self, object, work)?.list.into_keys().collect())
    }

    /// For each object of an orbit an element that takes the first one there; the identity comes first. There may be `limit` of them. Costs a product for each.
    pub fn object_transversal(&self, object: &Object, limit: usize, work: Work<'_>) -> Done<Vec<(Object, Perm)>> {
        let reached = Reached::new(self, object, work)?;
        if reached.list.len() > limit {
            let length = reached.list.len();
            return Err(Unfinished::TooLarge(format!(
                "the orbit has {length} objects; at most {limit} elements are listed"
            )));
        }
        let mut ways: Vec<Perm> = Vec::with_capacity(reached.list.len());
        for (from, generator) in reached.list.values() {
            work.products(1, self.degree)?;
            let way = match ways.get(*from) {
                Some(way) => way.then(&self.generators[*generator]),
                None => Perm::identity(self.degree),
            };
            ways.push(way);
        }
        Ok(reached.list.into_keys().zip(ways).collect())
    }

    /// The elements that keep an object: random Schreier elements until the order is that of the group divided by the length
    /// of the orbit, which proves them (HCGT section 4.1). Points and sets of points have ways of their own, without the orbit.
    pub fn object_stabilizer(&self, object: &Object, work: Work<'_>) -> Done<PermGroup> {
        let reached = Reached::new(self, object, work)?;
        let Some((start, _)) = reached.list.first() else { return Ok(self.clone()) };
        if reached.list.len() == 1 {
            return Ok(self.clone());
        }
        let order = self.order(work)? / reached.list.len();
        let mut mixer = Mixer::new(self.degree, &self.generators, SEED, work)?;
        let mut next = || {
            let element = mixer.element(work)?;
            let number = reached.list.get_index_of(&start.image(&element)).unwrap_or(0);
            let way = reached.way_to(self, number, work)?;
            Ok(element.then(&way.inverse()))
        };
        of_known_order(self.degree, &order, &mut next, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetric(n: u32) -> PermGroup {
        let cycle = |points: Vec<u32>| Perm::from_cycles(n as usize, &[points]).expect("a cycle");
        PermGroup::new(n as usize, vec![cycle(vec![0, 1]), cycle((0..n).collect())])
    }

    #[test]
    fn orbit_times_stabilizer_is_the_group() {
        let group = symmetric(6);
        let pair = |a, b| Object::set(vec![Object::Point(a), Object::Point(b)]);
        let objects = [
            pair(0, 1),
            Object::set(vec![pair(0, 1), pair(2, 3), pair(4, 5)]),
            Object::Tuple(vec![pair(0, 1), Object::Point(2)]),
            Object::set(vec![pair(3, 2), Object::Point(2)]),
        ];
        for (object, length) in objects.iter().zip([15usize, 15, 60, 30]) {
            let orbit = group.object_orbit(object, Work::unlimited()).expect("small");
            assert_eq!(orbit.len(), length);
            let stabilizer = group.object_stabilizer(object, Work::unlimited()).expect("small");
            assert_eq!(stabilizer.order(Work::unlimited()).expect("small"), (720 / length).into());
            assert!(stabilizer.generators().iter().all(|perm| object.image(perm) == *object));
        }
    }
}
