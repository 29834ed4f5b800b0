//! Results that hold while what is known goes on from what was known when they were found.

use std::sync::Mutex;

use crate::prove::{Constraint, Region};

/// Values, each with what was known when it was found. Constraints are only ever appended to what is known, so a value
/// holds exactly while the known constraints begin with these.
pub struct Kept<T>(Mutex<Vec<(Box<[Constraint]>, T)>>);

/// So many are kept.
const MOST: usize = 12;

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(Mutex::new(Vec::new()))
    }
}

impl<T: Clone> Kept<T> {
    /// The value that was found while the most was known, if one holds.
    pub fn get(&self, known: &Region) -> Option<T> {
        self.find(known, &|_| true)
    }

    /// The same among those that fit.
    pub fn find(&self, known: &Region, fits: &dyn Fn(&T) -> bool) -> Option<T> {
        let all = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let holding = all.iter().filter(|(then, value)| known.constraints.starts_with(then) && fits(value));
        holding.max_by_key(|(then, _)| then.len()).map(|(_, value)| value.clone())
    }

    pub fn put(&self, known: &Region, value: T) {
        self.put_among(known, value, MOST);
    }

    pub fn put_among(&self, known: &Region, value: T, most: usize) {
        let mut all = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if all.len() >= most {
            // what was found in other cases is needed least
            let other = all.iter().position(|(then, _)| !known.constraints.starts_with(then));
            all.remove(other.unwrap_or(0));
        }
        all.push((known.constraints.as_slice().into(), value));
    }
}
