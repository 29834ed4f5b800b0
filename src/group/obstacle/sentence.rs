//! Obstacles in words.

use super::{Obstacle, Quantity, Sum, Term};

/// How many cells are named before the rest is only counted.
const NAMED: usize = 6;

impl Obstacle {
    /// The reason as a sentence without its full stop; `cell` names a point.
    pub fn sentence(&self, cell: &dyn Fn(u32) -> String) -> String {
        match self {
            Obstacle::Orbit { point, image, orbit } if orbit.len() == 1 => {
                format!("the content of {} would go to {}, but no move touches {0}", cell(*point), cell(*image))
            }
            Obstacle::Orbit { point, image, orbit } => format!(
                "the content of {} would go to {}, but it only reaches the {} cells of its orbit: {}",
                cell(*point),
                cell(*image),
                orbit.len(),
                some(orbit, cell)
            ),
            Obstacle::Companions { point, image, companion, goes_to, expected } => format!(
                "the contents of {} and {} move together: when the first goes to {}, the second goes to {}, not to {}",
                cell(*point),
                cell(*companion),
                cell(*image),
                cell(*expected),
                cell(*goes_to)
            ),
            Obstacle::Block { first, first_image, second, second_image, size } => format!(
                "{} and {} lie in one block of {size} cells, and their contents would go to {} and {}, which lie in two blocks",
                cell(*first),
                cell(*second),
                cell(*first_image),
                cell(*second_image)
            ),
            Obstacle::Ring { block, images } => format!(
                "the cells {} keep their order around the block, and their contents would go to {} in another order",
                some(block, cell),
                some(images, cell)
            ),
            Obstacle::Sum(sum) => sum.sentence(cell),
            Obstacle::Determined { placed, point, image, possible } => {
                let from: Vec<u32> = placed.iter().map(|pair| pair.0).collect();
                let to: Vec<u32> = placed.iter().map(|pair| pair.1).collect();
                format!(
                    "when the contents of {} go to {}, that of {} can only go to {}, not to {}",
                    some(&from, cell),
                    some(&to, cell),
                    cell(*point),
                    some(possible, cell),
                    cell(*image)
                )
            }
            Obstacle::Other => {
                "it keeps orbits, blocks, signs and sums of turns, but a chain of stabilizers shows that it is no element"
                    .to_string()
            }
        }
    }
}

impl Sum {
    fn sentence(&self, cell: &dyn Fn(u32) -> String) -> String {
        match self.terms.as_slice() {
            [only] if only.quantity == Quantity::Sign => {
                format!("it is an odd permutation of {}, and every element is an even one", only.what(cell))
            }
            [only] => format!(
                "it turns {} by a total of {} steps, and every element turns them by 0 modulo {}",
                only.what(cell),
                only.value,
                self.modulus
            ),
            terms if terms.iter().all(|term| term.quantity == Quantity::Sign) => {
                let how = |term: &Term| if term.value == 1 { "oddly" } else { "evenly" };
                let parts: Vec<String> =
                    terms.iter().map(|term| format!("{} {}", term.what(cell), how(term))).collect();
                let law = match terms.len() {
                    2 => "both or neither",
                    _ => "an even number of these",
                };
                format!("it permutes {}, and every element permutes {law} oddly", parts.join(" and "))
            }
            terms => {
                let parts: Vec<String> = terms.iter().map(|term| term.value_text(cell)).collect();
                let form: Vec<String> = terms.iter().enumerate().map(|(at, term)| term.formula(at)).collect();
                format!(
                    "with {}: {} is {} modulo {}, and 0 for every element",
                    parts.join(", "),
                    form.join(" + "),
                    self.value,
                    self.modulus
                )
            }
        }
    }
}

impl Term {
    /// `the 8 blocks of 3 cells that begin with (1,1), (1,2), (1,3)`, `the 24 cells that begin with (2,1)`
    fn what(&self, cell: &dyn Fn(u32) -> String) -> String {
        match self.first_block.as_slice() {
            [first] => format!("the {} cells of the orbit of {}", self.blocks, cell(*first)),
            block => format!("the {} blocks of {} cells such as {}", self.blocks, block.len(), some(block, cell)),
        }
    }

    fn value_text(&self, cell: &dyn Fn(u32) -> String) -> String {
        match self.quantity {
            Quantity::Sign => format!("sign {} (1 if odd) on {}", self.value, self.what(cell)),
            Quantity::Twist => format!("a total of {} steps on {}", self.value, self.what(cell)),
        }
    }

    fn formula(&self, at: usize) -> String {
        let name = format!("t{}", at + 1);
        if self.coefficient == 1 { name } else { format!("{} {name}", self.coefficient) }
    }
}

fn some(cells: &[u32], cell: &dyn Fn(u32) -> String) -> String {
    let named: Vec<String> = cells.iter().take(NAMED).map(|point| cell(*point)).collect();
    let more = if cells.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}
