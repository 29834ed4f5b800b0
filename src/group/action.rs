//! Acting on points, sets, tuples, and sets and tuples of these.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::PermGroup;
use super::homomorphism::Homomorphism;
use super::work::{Done, Work};
use crate::perm::Perm;

/// Something that permutations move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A point.
    Point(u32),
    /// A set: sorted, and nothing twice. [`Object::set`] makes it so.
    Set(Vec<Object>),
    /// Objects in an order.
    Tuple(Vec<Object>),
}

impl Object {
    /// The set of some objects.
    pub fn set(mut objects: Vec<Object>) -> Object {
        objects.sort_unstable();
        objects.dedup();
        Object::Set(objects)
    }

    /// What a permutation makes of the object.
    pub fn image(&self, perm: &Perm) -> Object {
        match self {
            Object::Point(point) => Object::Point(perm.image(*point)),
            Object::Set(objects) => Object::set(objects.iter().map(|object| object.image(perm)).collect()),
            Object::Tuple(objects) => Object::Tuple(objects.iter().map(|object| object.image(perm)).collect()),
        }
    }

    /// The object with all sets in it sorted.
    pub(super) fn sorted(&self) -> Object {
        match self {
            Object::Point(point) => Object::Point(*point),
            Object::Set(objects) => Object::set(objects.iter().map(Object::sorted).collect()),
            Object::Tuple(objects) => Object::Tuple(objects.iter().map(Object::sorted).collect()),
        }
    }

    pub(super) fn size(&self) -> usize {
        match self {
            Object::Point(_) => 1,
            Object::Set(objects) | Object::Tuple(objects) => 1 + objects.iter().map(Object::size).sum::<usize>(),
        }
    }
}

/// Why a group does not act on some objects: it takes one of them to something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeavesObjects {
    /// The first object that a generator takes to something that is not among them.
    pub object: Object,
    /// What it is taken to.
    pub image: Object,
    /// The number of that generator.
    pub generator: usize,
}

/// The objects of an action.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    list: IndexSet<Object, FxBuildHasher>,
    size: usize,
}

impl Objects {
    /// What a permutation does to the numbers of the objects; else the number of one that it takes elsewhere.
    fn moved_by(&self, perm: &Perm) -> Result<Perm, usize> {
        let mut images = Vec::with_capacity(self.list.len());
        for (at, object) in self.list.iter().enumerate() {
            let image = self.list.get_index_of(&object.image(perm)).ok_or(at)?;
            images.push(image as u32);
        }
        Perm::from_images(images).map_err(|_| 0)
    }

    /// The image of an element of the group that acts.
    pub fn image_of(&self, element: &Perm, work: Work<'_>) -> Done<Option<Perm>> {
        work.charge(1 + self.size as u64 / 16)?;
        Ok(self.moved_by(element).ok())
    }
}

impl PermGroup {
    /// The action on objects as a homomorphism to the group on their numbers `0..k`; the first of equal objects counts. The group
    /// must take objects to objects: else says which one goes to what.
    ///
    /// Costs the size of all objects times the number of generators.
    pub fn action(&self, objects: &[Object], work: Work<'_>) -> Done<Result<Homomorphism, LeavesObjects>> {
        let list: IndexSet<Object, FxBuildHasher> = objects.iter().map(Object::sorted).collect();
        let objects = Objects { size: list.iter().map(Object::size).sum(), list };
        let mut images = Vec::new();
        for (number, generator) in self.generators.iter().enumerate() {
            work.charge(1 + objects.size as u64 / 16)?;
            match objects.moved_by(generator) {
                Ok(image) => images.push(image),
                Err(at) => {
                    let object = objects.list.get_index(at).cloned().unwrap_or(Object::Set(Vec::new()));
                    let image = object.image(generator);
                    return Ok(Err(LeavesObjects { object, image, generator: number }));
                }
            }
        }
        let target = PermGroup::new(objects.list.len(), images.clone());
        Ok(Ok(Homomorphism::of_action(Arc::new(self.clone()), Arc::new(target), images, objects)))
    }
}
