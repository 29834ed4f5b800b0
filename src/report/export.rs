//! Facts about groups as scripts for other systems, which check them again without us.
//!
//! Points are numbered from 1 in the order in which the cells are declared. A permutation is written as the list of its images: the content
//! of cell i goes to the cell that stands at place i. GAP and SymPy multiply from left to right, as we do, so nothing has to be turned round.

mod gap;
mod python;

use crate::group::fact::{Fact, Generated};

pub use gap::script as gap;
pub use python::script as python;

/// A fact with where it was said: the sentence of a claim and its instance, or an expression.
#[derive(Clone, Debug)]
pub struct Said {
    pub place: String,
    pub fact: Fact,
}

/// The groups of facts, each once, in the order in which they are met; facts speak of them by number.
struct Groups<'a> {
    list: Vec<&'a Generated>,
}

impl<'a> Groups<'a> {
    fn number(&mut self, group: &'a Generated) -> (usize, bool) {
        match self.list.iter().position(|known| *known == group) {
            Some(at) => (at + 1, false),
            None => {
                self.list.push(group);
                (self.list.len(), true)
            }
        }
    }
}

/// The facts without repetitions; the places of equal facts are joined.
fn distinct(said: &[Said]) -> Vec<(String, &Fact)> {
    let mut known: rustc_hash::FxHashMap<&Fact, usize> = rustc_hash::FxHashMap::default();
    let mut facts: Vec<(String, &Fact)> = Vec::new();
    for one in said {
        match known.get(&one.fact) {
            Some(at) => {
                let place: &mut (String, &Fact) = &mut facts[*at];
                if !place.0.ends_with(", and again") && place.0 != one.place {
                    place.0.push_str(", and again");
                }
            }
            None => {
                known.insert(&one.fact, facts.len());
                facts.push((one.place.clone(), &one.fact));
            }
        }
    }
    facts
}

/// A text between quotation marks in both systems.
fn quoted(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '"' => '\'',
            '\\' => '/',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    format!("\"{plain}\"")
}

/// `not primitive on the 24 points of 1`: a property, and where.
fn on_points(holds: bool, what: &str, points: &[u32], first: u32) -> String {
    let not = if holds { "" } else { "not " };
    let least = points.first().map_or(String::new(), |point| format!(" such as {}", point + first));
    format!("{not}{what} on the {} points{least}", points.len())
}

/// `1, 2, 3`, each number moved by `shift`.
fn numbers(points: impl IntoIterator<Item = u32>, shift: u32) -> String {
    points.into_iter().map(|point| (point + shift).to_string()).collect::<Vec<_>>().join(", ")
}
