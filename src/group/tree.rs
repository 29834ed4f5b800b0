//! Shallow trees over an orbit, and random elements of a point's stabilizer.

use super::PermGroup;
use super::mixer::Mixer;
use super::work::{Done, Work};
use crate::perm::Perm;

pub(super) const NONE: u32 = u32::MAX;
/// So many random elements help the generators to reach the orbit in few steps.
const SHORTCUTS: usize = 6;

/// Numbers the points of a list.
pub(super) fn places(degree: usize, points: &[u32]) -> Vec<u32> {
    let mut place = vec![NONE; degree];
    for (at, point) in points.iter().enumerate() {
        if let Some(slot) = place.get_mut(*point as usize) {
            *slot = at as u32;
        }
    }
    place
}

/// What permutations do to points that they only move among each other: permutations of `0..points.len()`. None where one
/// leaves them. Costs the length of the list times the number of permutations, and the degree.
pub(super) fn restricted(degree: usize, perms: &[Perm], points: &[u32]) -> Option<Vec<Perm>> {
    let place = places(degree, points);
    let one = |perm: &Perm| {
        let image = |point: &u32| place.get(perm.image(*point) as usize).copied().filter(|at| *at != NONE);
        let images: Option<Vec<u32>> = points.iter().map(image).collect();
        Perm::from_images(images?).ok()
    };
    perms.iter().map(one).collect()
}

/// An orbit with, for each of its points, the element that led to it.
pub(super) struct Tree {
    root: u32,
    degree: usize,
    /// the points of the orbit, the root first
    pub orbit: Vec<u32>,
    movers: Vec<Perm>,
    /// for each point the number of the mover that led to it, and from where
    via: Vec<u32>,
    from: Vec<u32>,
}

impl Tree {
    /// The orbit of `root`. Some random elements join the generators, so that few steps lead to each point: about the
    /// logarithm of the length of the orbit (compare Seress, section 4.4).
    pub fn new(degree: usize, generators: &[Perm], mixer: &mut Mixer, root: u32, work: Work<'_>) -> Done<Tree> {
        let mut movers: Vec<Perm> = generators.iter().filter(|generator| !generator.is_identity()).cloned().collect();
        if !movers.is_empty() {
            for _ in 0..SHORTCUTS {
                movers.push(mixer.element(work)?);
            }
        }
        let mut tree =
            Tree { root, degree, orbit: vec![root], movers, via: vec![NONE; degree], from: vec![NONE; degree] };
        let mut at = 0;
        while let Some(&point) = tree.orbit.get(at) {
            at += 1;
            for (number, mover) in tree.movers.iter().enumerate() {
                let image = mover.image(point);
                if image != root && tree.via[image as usize] == NONE {
                    tree.via[image as usize] = number as u32;
                    tree.from[image as usize] = point;
                    tree.orbit.push(image);
                }
            }
        }
        work.charge(1 + (tree.orbit.len() * tree.movers.len()) as u64 / 64)?;
        Ok(tree)
    }

    /// An element that takes the root to a point of the orbit.
    pub fn representative(&self, point: u32, work: Work<'_>) -> Done<Perm> {
        let mut element = Perm::identity(self.degree);
        let mut at = point;
        while at != self.root && self.via[at as usize] != NONE {
            work.products(1, self.degree)?;
            element = self.movers[self.via[at as usize] as usize].then(&element);
            at = self.from[at as usize];
        }
        Ok(element)
    }

    /// An element multiplied so that it fixes the root: a Schreier element. Random elements give random elements of the
    /// stabilizer.
    pub fn lead_home(&self, element: &Perm, work: Work<'_>) -> Done<Perm> {
        let away = element.image(self.root);
        if away == self.root {
            return Ok(element.clone());
        }
        work.products(2, self.degree)?;
        Ok(element.then(&self.representative(away, work)?.inverse()))
    }
}

/// Classes of points that are joined little by little.
pub(super) struct Classes {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Classes {
    pub fn new(count: usize) -> Classes {
        Classes { parent: (0..count as u32).collect(), size: vec![1; count] }
    }

    /// The point that stands for a point's class.
    pub fn find(&mut self, point: u32) -> u32 {
        let mut at = point as usize;
        while self.parent[at] as usize != at {
            let up = self.parent[self.parent[at] as usize];
            self.parent[at] = up;
            at = up as usize;
        }
        at as u32
    }

    /// Joins two classes: the point that stands for both, and the one that did for the smaller. None if they are one.
    pub fn join(&mut self, a: u32, b: u32) -> Option<(u32, u32)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return None;
        }
        let (large, small) = if self.size[a as usize] >= self.size[b as usize] { (a, b) } else { (b, a) };
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        Some((large, small))
    }

    /// How many points the class of a point has.
    pub fn size(&mut self, point: u32) -> usize {
        let at = self.find(point);
        self.size[at as usize] as usize
    }

    /// Joins each point to its image.
    pub fn join_cycles(&mut self, perm: &Perm) {
        for (point, image) in perm.images().iter().enumerate() {
            self.join(point as u32, *image);
        }
    }
}

impl PermGroup {
    /// What the group does to points that it moves among each other only. None where it leaves them.
    pub(super) fn acting_on(&self, points: &[u32]) -> Option<PermGroup> {
        let mut generators = restricted(self.degree, &self.generators, points)?;
        generators.retain(|generator| !generator.is_identity());
        let whole = points.len() == self.degree && points.is_sorted();
        match &self.known_order {
            Some(order) if whole => Some(PermGroup::with_order(points.len(), generators, order.clone())),
            _ => Some(PermGroup::new(points.len(), generators)),
        }
    }
}
