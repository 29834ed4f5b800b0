//! Maps between orbits that go along with two actions.

use rustc_hash::FxHashMap;

use super::tree::NONE;
use super::work::{Done, Work};
use crate::perm::Perm;

/// The map m with m(from) = to and m(p moved by a(j)) = m(p) moved by b(j) for all points p of the orbit of `from` under the
/// permutations a, if there is one and it takes different points to different points: pairs of a point and its image, in the
/// order in which a breadth-first search meets them. `a` and `b` have the same length. Costs at most the length of the orbit
/// times the number of permutations.
pub(super) fn equivariant(a: &[Perm], b: &[Perm], from: u32, to: u32, work: Work<'_>) -> Done<Option<Vec<(u32, u32)>>> {
    let mut map: FxHashMap<u32, u32> = FxHashMap::default();
    let mut back: FxHashMap<u32, u32> = FxHashMap::default();
    let mut pairs = vec![(from, to)];
    map.insert(from, to);
    back.insert(to, from);
    let mut at = 0;
    while let Some(&(point, image)) = pairs.get(at) {
        at += 1;
        if at % 64 == 0 {
            work.charge(a.len() as u64)?;
        }
        for (a, b) in a.iter().zip(b) {
            let (point, image) = (a.image(point), b.image(image));
            match (map.get(&point), back.get(&image)) {
                (None, None) => {
                    map.insert(point, image);
                    back.insert(image, point);
                    pairs.push((point, image));
                }
                (Some(there), _) if *there == image => {}
                _ => return Ok(None),
            }
        }
    }
    work.charge(1)?;
    Ok(Some(pairs))
}

/// What two lists of permutations, the same number of them, do on some points, and which points go to which as one tries
/// to find a g with a(j) g = g b(j) for all j. An image of one point gives those of its whole orbit under a.
pub(super) struct Matching<'a> {
    a: &'a [Perm],
    b: &'a [Perm],
    image: Vec<u32>,
    origin: Vec<u32>,
    /// the points that have images, in the order in which they got them
    trail: Vec<u32>,
}

impl<'a> Matching<'a> {
    /// No point has an image yet.
    pub fn new(degree: usize, a: &'a [Perm], b: &'a [Perm]) -> Matching<'a> {
        Matching { a, b, image: vec![NONE; degree], origin: vec![NONE; degree], trail: Vec::new() }
    }

    /// The image of a point, if it has one.
    pub fn image(&self, point: u32) -> Option<u32> {
        self.image.get(point as usize).copied().filter(|image| *image != NONE)
    }

    /// How many points have images.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back the images that were given after there were `mark`.
    pub fn undo(&mut self, mark: usize) {
        for point in self.trail.drain(mark..) {
            self.origin[self.image[point as usize] as usize] = NONE;
            self.image[point as usize] = NONE;
        }
    }

    /// Gives a point an image, and its orbit. False if that cannot be: then some images may be given and need to be taken back.
    pub fn extend(&mut self, point: u32, image: u32, work: Work<'_>) -> Done<bool> {
        let mut at = self.trail.len();
        if !self.assign(point, image) {
            return Ok(false);
        }
        let before = at;
        while let Some(&point) = self.trail.get(at) {
            at += 1;
            let image = self.image[point as usize];
            for (a, b) in self.a.iter().zip(self.b) {
                if !self.assign(a.image(point), b.image(image)) {
                    return Ok(false);
                }
            }
        }
        work.charge(1 + ((at - before) * self.a.len()) as u64 / 32)?;
        Ok(true)
    }

    fn assign(&mut self, point: u32, image: u32) -> bool {
        let (to, from) = (self.image[point as usize], self.origin[image as usize]);
        if to == NONE && from == NONE {
            self.image[point as usize] = image;
            self.origin[image as usize] = point;
            self.trail.push(point);
            return true;
        }
        to == image
    }
}
