//! Permutation groups: orbits, blocks, exact orders, membership, structure, and short words.
//!
//! A group is given by generators on the points `0..degree`. Whatever is said about it is exact: where chance helps to
//! find something, what was found is confirmed before it is used. The books: Holt, Eick, O'Brien, *Handbook of
//! Computational Group Theory* (HCGT); Seress, *Permutation Group Algorithms*.

pub mod factor;
mod orbits;
mod work;

pub use factor::{Effort, Factoriser};
pub use orbits::Orbits;
pub use work::{Done, Unfinished, Work};
