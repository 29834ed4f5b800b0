//! A name for a group, with reasons that a person can check.
//!
//! Free frames (see [`structure`](super::structure)) are named by their theorem, what is left by order, degree, transitivity and primitivity, by
//! its blocks, or by its elements if it is small. Where none of this gives a name, the order and some properties are said, and nothing is guessed.

mod frames;
mod known;
mod small;
#[cfg(test)]
mod tests;
mod transitive;

use num_bigint::BigUint;
use num_traits::One;

use super::PermGroup;
use super::work::{Done, Work};
use crate::perm::Perm;

/// The name of a group and why it is this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `S7 x C2^2`, `PGL(2,5)`, `1/2 (C3^7:S8 x C2^11:S12)`; None where only the order is known.
    pub name: Option<String>,
    /// Sentences without their full stops, from the most important one on.
    pub reasons: Vec<String>,
    /// Elements that reasons speak of, with what they are called there.
    pub witnesses: Vec<(String, Perm)>,
}

impl Identity {
    fn new(name: impl Into<String>, reason: impl Into<String>) -> Identity {
        Identity { name: Some(name.into()), reasons: vec![reason.into()], witnesses: Vec::new() }
    }

    fn nameless(reasons: Vec<String>) -> Identity {
        Identity { name: None, reasons, witnesses: Vec::new() }
    }
}

/// A part of the points on which the group has a name of its own.
struct Part {
    order: BigUint,
    identity: Identity,
}

/// Names points in sentences.
pub(super) type Cell<'a> = &'a dyn Fn(u32) -> String;

impl PermGroup {
    /// A name for the group, with reasons; `cell` names a point in them.
    ///
    /// Costs the structure, and for what is left a chain, the order of its action on each orbit and pair of orbits, and, for orders up to some
    /// thousands, a list of its elements.
    pub fn identify(&self, cell: &dyn Fn(u32) -> String, work: Work<'_>) -> Done<Identity> {
        if self.is_trivial() {
            return Ok(Identity::new("1", "no generator moves anything"));
        }
        if self.is_abelian() {
            return small::abelian(self, work);
        }
        let structure = self.structure(work)?;
        let mut parts = Vec::new();
        for free in structure.free() {
            parts.push(frames::part(self, structure, free, cell, work)?);
        }
        for points in self.rest_parts(work)? {
            let (part, names) = self.restricted(&points);
            let inner = |point: u32| names.get(point as usize).map_or(String::new(), |point| cell(*point));
            let order = part.order(work)?;
            let identity =
                if part.is_abelian() { small::abelian(&part, work)? } else { transitive::name(&part, &inner, work)? };
            parts.push(Part { order, identity });
        }
        parts.sort_by(|a: &Part, b: &Part| b.order.cmp(&a.order));
        let order = self.order(work)?;
        // what happens on one part may tell all
        if parts.len() > 1
            && let Some(at) = parts.iter().position(|part| part.order == order && part.identity.name.is_some())
        {
            let mut identity = parts.swap_remove(at).identity;
            identity
                .reasons
                .push("what happens there determines the rest: its order is that of the whole group".to_string());
            return Ok(identity);
        }
        let product = parts.iter().fold(BigUint::one(), |product, part| product * &part.order);
        let index = &product / &order;
        Ok(joined(parts, &index))
    }

    /// The orbits outside free frames and copies; those that depend on each other together.
    fn rest_parts(&self, work: Work<'_>) -> Done<Vec<Vec<u32>>> {
        let structure = self.structure(work)?;
        let mut orbits: Vec<Vec<u32>> = Vec::new();
        let frames = structure.frames().iter().enumerate();
        for (_, frame) in frames.filter(|(at, _)| structure.free().iter().all(|free| free.frame != *at)) {
            let mut points = frame.points.clone();
            points.sort_unstable();
            orbits.push(points);
        }
        let orders =
            orbits.iter().map(|points| self.restricted(points).0.order(work)).collect::<Done<Vec<BigUint>>>()?;
        let mut class: Vec<usize> = (0..orbits.len()).collect();
        // abelian actions are one part: a subgroup of a product of cyclic groups is a product of cyclic groups
        let abelian: Vec<bool> = orbits.iter().map(|points| self.restricted(points).0.is_abelian()).collect();
        if let Some(first) = abelian.iter().position(|abelian| *abelian) {
            (0..orbits.len()).filter(|at| abelian[*at]).for_each(|at| class[at] = first);
        }
        for one in 0..orbits.len() {
            for two in 0..one {
                if class[one] == class[two] {
                    continue;
                }
                let together: Vec<u32> = orbits[one].iter().chain(&orbits[two]).copied().collect();
                if self.restricted(&together).0.order(work)? != &orders[one] * &orders[two] {
                    let (from, to) = (class[one], class[two]);
                    class.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
                }
            }
        }
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for number in 0..orbits.len() {
            let mut points: Vec<u32> =
                (0..orbits.len()).filter(|at| class[*at] == number).flat_map(|at| orbits[at].clone()).collect();
            if !points.is_empty() {
                points.sort_unstable();
                parts.push(points);
            }
        }
        parts.sort();
        Ok(parts)
    }

    /// What the group does to some points that it keeps together, as a group on `0..points.len()`, with the points that these numbers stand for.
    pub(super) fn restricted(&self, points: &[u32]) -> (PermGroup, Vec<u32>) {
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        let restrict = |generator: &Perm| {
            let images = sorted.iter().map(|point| sorted.binary_search(&generator.image(*point)).unwrap_or(0) as u32);
            Perm::from_images(images.collect()).unwrap_or(Perm::identity(sorted.len()))
        };
        let generators = self.generators().iter().map(restrict).collect();
        (PermGroup::new(sorted.len(), generators), sorted)
    }
}

/// The name of a product of parts, or of a subgroup of it that projects onto each.
fn joined(parts: Vec<Part>, index: &BigUint) -> Identity {
    let several = parts.len() > 1;
    let names: Vec<String> = parts
        .iter()
        .map(|part| match &part.identity.name {
            Some(name) if several && name.contains([' ', '/']) => format!("({name})"),
            Some(name) => name.clone(),
            None => format!("[{}]", part.order),
        })
        .collect();
    let named = parts.iter().all(|part| part.identity.name.is_some());
    let product = collected(&names);
    let mut reasons = Vec::new();
    let name = match (several, index.is_one()) {
        (false, _) => product,
        (true, true) => {
            reasons.push("its order is the product of the orders of the parts: a direct product".to_string());
            product
        }
        (true, false) => {
            reasons.push(format!(
                "a subdirect product: it does all that each part can do, but its order is the product of the orders of the parts divided by {index}"
            ));
            format!("1/{index} ({product})")
        }
    };
    let mut witnesses = Vec::new();
    for part in parts {
        reasons.extend(part.identity.reasons);
        witnesses.extend(part.identity.witnesses);
    }
    Identity { name: (named || several).then_some(name), reasons, witnesses }
}

/// `S8 x A5^2`: factors that are alike are written as a power, where the first of them stood.
fn collected(names: &[String]) -> String {
    let mut counted: Vec<(&String, usize)> = Vec::new();
    for name in names {
        match counted.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counted.push((name, 1)),
        }
    }
    let powers: Vec<String> = counted
        .into_iter()
        .map(|(name, count)| match count {
            1 => name.clone(),
            _ if name.contains(['^', ':', ' ']) && !name.starts_with('(') => format!("({name})^{count}"),
            _ => format!("{name}^{count}"),
        })
        .collect();
    powers.join(" x ")
}
