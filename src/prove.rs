//! Mathematics for statements about all sizes of a board at once: numbers are polynomials in the parameters, sets of cells are
//! unions of regions with linear bounds, and a word is a piecewise affine map of cells. Everything is decided by exact
//! linear arithmetic over the integers.
//!
//! Sound first. A region that is called empty is empty; one that is not may still contain no integer point, which costs a proof
//! and nothing else. What depends on the parameters is not decided here: the answer is then [`Need::Split`], and whoever
//! asked looks at both cases.

mod constraint;
mod cut;
mod eliminate;
mod form;
mod map;
mod poly;
mod region;
mod remainders;
mod ring;
pub mod show;
mod solve;
#[cfg(test)]
mod tests;
mod union;
pub mod work;

pub use constraint::Constraint;
pub use cut::Cut;
pub use eliminate::Eliminated;
pub use form::{FIRST, Form, Var};
pub use map::{Piece, Piecewise};
pub use poly::{Monomial, Poly};
pub use region::Region;
pub use ring::{PLACE, Ring, Stretch};
pub use union::Union;

/// Numbers that do not fit into 64 bits, or too many terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the numbers became too large")]
pub struct TooLarge;

/// Why an answer is not there yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// it depends on this condition: ask again with the condition, and with its negation
    Split(Constraint),
    /// it is beyond what can be decided here, as a phrase: "how many cells a set has that is no union of boxes"
    Stuck(&'static str),
}

impl From<TooLarge> for Need {
    fn from(_: TooLarge) -> Need {
        Need::Stuck("numbers of more than 64 bits")
    }
}

pub type Done<T> = Result<T, Need>;

/// Whether a condition holds where `known` does: decided, or a need to split.
pub fn decide(known: &Region, condition: &Constraint) -> Done<bool> {
    if known.entails(condition) {
        Ok(true)
    } else if known.refutes(condition) {
        Ok(false)
    } else {
        Err(Need::Split(condition.clone()))
    }
}
