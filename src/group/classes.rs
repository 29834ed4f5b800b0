//! Conjugacy classes.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_traits::One;
use rustc_hash::FxHashMap;

use super::PermGroup;
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;
use crate::random::Random;

const SEED: u64 = 0xc1a5;
/// Groups with at most so many elements are listed.
const FEW_ELEMENTS: usize = 10_000;
/// And with so many elements and images if nothing else helps.
const ELEMENTS: usize = 200_000;
const IMAGES: usize = 1 << 26;
/// The search for classes ends with so many classes, or after so many random elements that were in none but known ones.
const CLASSES: usize = 150;
const QUIET: usize = 400;

/// A conjugacy class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConjugacyClass {
    /// One of its elements.
    pub representative: Perm,
    /// The number of its elements.
    pub size: BigUint,
}

impl PermGroup {
    /// The conjugacy classes: by the order of their elements, then size, then representative.
    ///
    /// Small groups are listed. In larger ones random elements and their powers are tested against the classes found, whose
    /// sizes are indices of centralizers, until the sizes add up to the order of the group (HCGT section 4.6.5 is what decides).
    /// Too large where there are more than 150 classes, or some that chance does not meet.
    pub fn conjugacy_classes(&self, work: Work<'_>) -> Done<Vec<ConjugacyClass>> {
        let order = self.order(work)?;
        let fits = |limit: usize| order <= limit.min(IMAGES / self.degree.max(1)).into();
        let mut classes = match fits(FEW_ELEMENTS) {
            true => self.list_classes(work)?,
            false => match self.search_classes(work) {
                Err(Unfinished::TooLarge(_)) if fits(ELEMENTS) => self.list_classes(work)?,
                found => found?,
            },
        };
        classes.sort_by_cached_key(|class| {
            (class.representative.order(), class.size.clone(), class.representative.clone())
        });
        Ok(classes)
    }

    /// The classes by chance, proved by their sizes.
    pub(super) fn search_classes(&self, work: Work<'_>) -> Done<Vec<ConjugacyClass>> {
        let order = self.order(work)?;
        let mut random = Random::new(SEED);
        let mut classes: Vec<ConjugacyClass> =
            vec![ConjugacyClass { representative: Perm::identity(self.degree), size: BigUint::one() }];
        // which classes have the same cycles in the same orbits
        let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut total = BigUint::one();
        let mut quiet = 0;
        while total < order {
            if quiet > QUIET || classes.len() > CLASSES {
                return Err(Unfinished::TooLarge(format!(
                    "the classes of a group of {order} elements: {} were found, and there are more",
                    classes.len()
                )));
            }
            quiet += 1;
            let element = self.random_element(&mut random, work)?;
            for power in powers_up_to_conjugacy(&element) {
                if total == order || power.is_identity() {
                    continue;
                }
                let known = alike.entry(self.cycles_in_orbits(&power)).or_default();
                let mut is_new = true;
                for class in known.iter() {
                    let representative = std::slice::from_ref(&classes[*class].representative);
                    is_new &= self.conjugator_of_all(representative, std::slice::from_ref(&power), work)?.is_none();
                    if !is_new {
                        break;
                    }
                }
                if is_new {
                    quiet = 0;
                    let size = &order / self.centralizer(std::slice::from_ref(&power), work)?.order(work)?;
                    total += &size;
                    known.push(classes.len());
                    classes.push(ConjugacyClass { representative: power, size });
                }
            }
        }
        Ok(classes)
    }

    /// The classes from a list of all elements; the least element stands for each.
    pub(super) fn list_classes(&self, work: Work<'_>) -> Done<Vec<ConjugacyClass>> {
        let order = self.order(work)?;
        let count = usize::try_from(&order).unwrap_or(ELEMENTS);
        work.products(count * (1 + 2 * self.generators.len()), self.degree)?;
        let mut elements = self.chain(work)?.elements(ELEMENTS).unwrap_or_default();
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
        Ok(classes)
    }
}

/// The powers of an element whose exponents divide its order, and the inverse: others have the cycles of one of them, and
/// chance finds their classes as easily.
fn powers_up_to_conjugacy(element: &Perm) -> Vec<Perm> {
    let mut powers = vec![element.clone(), element.inverse()];
    let Ok(order) = u64::try_from(&element.order()) else { return powers };
    let divisors = (2..order.min(10_000)).filter(|divisor| order.is_multiple_of(*divisor));
    powers.extend(divisors.map(|divisor| element.pow(&BigInt::from(divisor))));
    powers
}
