//! The conjugacy classes of small groups.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::PermGroup;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

/// Groups with more elements are not taken apart into classes.
const ELEMENTS: usize = 200_000;
const IMAGES: usize = 1 << 26;

/// A conjugacy class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConjugacyClass {
    /// The least of its elements as a list of images.
    pub representative: Perm,
    /// The number of its elements.
    pub size: BigUint,
}

impl PermGroup {
    /// The conjugacy classes: by the order of their elements, then size, then representative. All elements are listed, so the group
    /// may have at most 200000.
    pub fn conjugacy_classes(&self, work: Work<'_>) -> Done<Vec<ConjugacyClass>> {
        let order = self.order(work)?;
        let limit = ELEMENTS.min(IMAGES / self.degree.max(1));
        if order > limit.into() {
            return Err(Unfinished::TooLarge(format!(
                "a group of {order} elements: its classes are found by listing the elements, {limit} of them at most"
            )));
        }
        let count = usize::try_from(&order).unwrap_or(limit);
        work.products(count * (1 + 2 * self.generators.len()), self.degree)?;
        let mut elements = self.chain(work)?.elements(limit).unwrap_or_default();
        elements.sort_unstable();
        let place: FxHashMap<&Perm, usize> = elements.iter().enumerate().map(|(at, element)| (element, at)).collect();
        let mut seen = vec![false; elements.len()];
        let mut classes = Vec::new();
        let inverses: Vec<Perm> = self.generators.iter().map(Perm::inverse).collect();
        for start in 0..elements.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut class = vec![start];
            let mut at = 0;
            while let Some(&element) = class.get(at) {
                at += 1;
                for (by, back) in self.generators.iter().zip(&inverses) {
                    let conjugate = back.then(&elements[element]).then(by);
                    if let Some(&next) = place.get(&conjugate)
                        && !seen[next]
                    {
                        seen[next] = true;
                        class.push(next);
                    }
                }
            }
            classes.push(ConjugacyClass { representative: elements[start].clone(), size: BigUint::from(class.len()) });
        }
        classes.sort_by_cached_key(|class| {
            (class.representative.order(), class.size.clone(), class.representative.clone())
        });
        Ok(classes)
    }
}
