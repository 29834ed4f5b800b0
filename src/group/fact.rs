//! What was said about groups, as data that another program can check again.

use num_bigint::BigUint;

use super::PermGroup;
use crate::perm::Perm;

/// A group as others need it: the number of points and generators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Generated {
    pub degree: usize,
    pub generators: Vec<Perm>,
}

impl From<&PermGroup> for Generated {
    fn from(group: &PermGroup) -> Generated {
        Generated { degree: group.degree(), generators: group.generators().to_vec() }
    }
}

/// A statement about a group that a computation made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    pub group: Generated,
    pub says: Says,
}

/// What a fact says about its group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Says {
    Order(BigUint),
    /// The element is in the group, or is not.
    Member(Perm, bool),
    /// The orbits of all points, fixed points included.
    Orbits(Vec<Vec<u32>>),
    /// The group is transitive on the points, or is not.
    Transitive(Vec<u32>, bool),
    /// The group is primitive on an orbit, or is not.
    Primitive(Vec<u32>, bool),
    /// All minimal block systems on an orbit.
    MinimalBlocks(Vec<u32>, Vec<Vec<Vec<u32>>>),
    Abelian(bool),
    Solvable(bool),
    Perfect(bool),
    /// Another group is the centre.
    Centre(Generated),
    /// Another group is the derived subgroup.
    Derived(Generated),
    /// Another group is the stabilizer of a point.
    Stabilizer(u32, Generated),
    /// Another group is the stabilizer of a set of points as a whole.
    SetStabilizer(Vec<u32>, Generated),
    /// Another group is the centralizer of elements.
    Centralizer(Vec<Perm>, Generated),
    /// Another group is the normal closure of elements.
    NormalClosure(Vec<Perm>, Generated),
    /// Another group has the same elements, or has not.
    Equal(Generated, bool),
    /// Another group is a subgroup, or is not.
    Subgroup(Generated, bool),
    /// Another group is a normal subgroup, or is not.
    Normal(Generated, bool),
    /// Two elements are conjugate in the group, or are not.
    Conjugate(Perm, Perm, bool),
    /// The generators can be sent to these elements of another group by a homomorphism, or cannot.
    Homomorphism(Generated, Vec<Perm>, bool),
    /// The generators are sent to these elements of another group by an isomorphism, or not.
    Isomorphism(Generated, Vec<Perm>, bool),
    /// The homomorphism to another group, the same one or not, that sends the generators to these elements is an inner automorphism, or is not.
    Inner(Generated, Vec<Perm>, bool),
}
