//! Orbits of points.

use crate::perm::Perm;

/// The orbits of a group on the points `0..degree`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbits {
    /// The number of the orbit of each point.
    pub of: Vec<u32>,
    /// The points of each orbit in increasing order; the orbits in the order of their least points.
    pub lists: Vec<Vec<u32>>,
}

impl Orbits {
    /// The orbits of the group that `generators` generate on `degree` points, fixed points included. Costs the degree times
    /// the number of generators (Holt, Eick, O'Brien, Handbook of Computational Group Theory, section 4.1).
    pub fn new(degree: usize, generators: &[Perm]) -> Orbits {
        const NEW: u32 = u32::MAX;
        let mut of = vec![NEW; degree];
        let mut lists = Vec::new();
        for start in 0..degree as u32 {
            if of[start as usize] != NEW {
                continue;
            }
            let number = lists.len() as u32;
            let mut list = vec![start];
            of[start as usize] = number;
            let mut next = 0;
            while let Some(&point) = list.get(next) {
                next += 1;
                for generator in generators {
                    let image = generator.image(point);
                    if of[image as usize] == NEW {
                        of[image as usize] = number;
                        list.push(image);
                    }
                }
            }
            list.sort_unstable();
            lists.push(list);
        }
        Orbits { of, lists }
    }

    /// The number of orbits, fixed points included.
    pub fn count(&self) -> usize {
        self.lists.len()
    }

    /// The orbit that a point lies in.
    pub fn orbit_of(&self, point: u32) -> &[u32] {
        self.of.get(point as usize).and_then(|orbit| self.lists.get(*orbit as usize)).map_or(&[], Vec::as_slice)
    }
}
