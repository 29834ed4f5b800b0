//! Words on all places of the blank at once: equality, orders, and the action on pairs of a blank and another cell.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

use super::walk::{Effect, Halt, Walker};
use super::{Slides, Stuck};
use crate::perm::Perm;
use crate::word::Word;

/// Why a word has no order.
#[derive(Clone, Debug, PartialEq)]
pub enum NoOrder {
    /// It can be done so many times, and then not once more.
    Stuck(u64, Box<Stuck>),
    /// The caller said stop.
    Stopped,
}

/// A place of the blank where two words do not do the same; an impossible word has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub blank: u32,
    pub left: Option<Effect>,
    pub right: Option<Effect>,
}

impl Slides {
    /// Does a word do the same as another wherever the blank is: possible in the same places, with the same effect there?
    /// The first place where they differ, else none.
    pub fn first_difference(
        &self,
        one: &Word,
        two: &Word,
        goes_on: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Difference>, Halt> {
        let (mut first, mut second) = (Walker::new(self, one, goes_on), Walker::new(self, two, goes_on));
        for place in &self.places {
            let (left, right) = (possible(first.from(*place))?, possible(second.from(*place))?);
            if left != right {
                return Ok(Some(Difference { blank: *place, left, right }));
            }
        }
        Ok(None)
    }

    /// The order of a word: where all moves are possible everywhere, that of its action on all arrangements; otherwise the
    /// least k ≥ 1 for which its k-th power restores the solved arrangement.
    pub fn order(&self, word: &Word, goes_on: &dyn Fn(u64) -> bool) -> Result<BigUint, NoOrder> {
        let mut walker = Walker::new(self, word, goes_on);
        let mut seen = vec![false; self.cells];
        let mut order = BigUint::one();
        let starts = if self.free { self.places.as_slice() } else { std::slice::from_ref(&self.home) };
        for start in starts {
            if seen[*start as usize] {
                continue;
            }
            // round the places of the blank, back to the first
            let mut done: Option<Effect> = None;
            let mut rounds = 0u64;
            let around = loop {
                let blank = done.as_ref().map_or(*start, |done| done.blank);
                if rounds > 0 && blank == *start {
                    break done;
                }
                seen[blank as usize] = true;
                let next = walker.from(blank).map_err(|halt| match halt {
                    Halt::Stopped => NoOrder::Stopped,
                    Halt::Stuck(mut stuck) => {
                        if let Some(done) = &done {
                            stuck.perm = done.perm.then(&stuck.perm);
                        }
                        NoOrder::Stuck(rounds, stuck)
                    }
                })?;
                rounds += 1;
                done = Some(match done {
                    None => next,
                    Some(done) => Effect { blank: next.blank, perm: done.perm.then(&next.perm) },
                });
            };
            if let Some(around) = around {
                order = order.lcm(&(around.perm.order() * rounds));
            }
        }
        Ok(order)
    }

    /// How many pairs there are of a place of the blank and a cell with a tile. On a puzzle of one cell there is one pair.
    pub fn pairs(&self) -> usize {
        self.places.len() * self.tiles()
    }

    fn tiles(&self) -> usize {
        self.cells.saturating_sub(1).max(1)
    }

    /// A pair by its number: the place of the blank, and another cell.
    pub fn pair(&self, number: usize) -> (u32, u32) {
        let blank = self.places[number / self.tiles()];
        let cell = (number % self.tiles()) as u32;
        (blank, if cell >= blank && self.cells > 1 { cell + 1 } else { cell })
    }

    /// The number of a pair; none if the blank cannot come there, or if the cell has the blank.
    pub fn pair_number(&self, blank: u32, cell: u32) -> Option<u32> {
        let place = (*self.place_of.get(blank as usize)?)? * self.tiles() as u32;
        match cell {
            _ if self.cells == 1 => Some(place),
            _ if cell == blank => None,
            _ => Some(place + if cell > blank { cell - 1 } else { cell }),
        }
    }

    /// What a word does to all pairs of the blank and a cell with a tile. Halts where it is impossible in some place.
    pub fn on_pairs(&self, word: &Word, goes_on: &dyn Fn(u64) -> bool) -> Result<Perm, Halt> {
        let mut walker = Walker::new(self, word, goes_on);
        let mut images = Vec::with_capacity(self.pairs());
        for place in &self.places {
            let effect = walker.from(*place)?;
            for cell in (0..self.cells as u32).filter(|cell| cell != place || self.cells == 1) {
                images.extend(self.pair_number(effect.blank, effect.perm.image(cell)));
            }
        }
        // a word takes different arrangements to different ones
        Ok(Perm::from_images(images).unwrap_or_else(|_| Perm::identity(self.pairs())))
    }

    /// What an element of the action on pairs does to the cells when the blank is at `blank`: none if it takes the blank to
    /// several places, or the blank cannot be there.
    pub fn of_pairs(&self, pairs: &Perm, blank: u32) -> Option<Effect> {
        let mut images = vec![0; self.cells];
        let mut to = None;
        for cell in (0..self.cells as u32).filter(|cell| *cell != blank || self.cells == 1) {
            let (there, image) = self.pair(pairs.image(self.pair_number(blank, cell)?) as usize);
            if *to.get_or_insert(there) != there {
                return None;
            }
            images[cell as usize] = image;
        }
        let to = to?;
        images[blank as usize] = to;
        Some(Effect { blank: to, perm: Perm::from_images(images).ok()? })
    }
}

/// An impossible word has no effect.
fn possible(effect: Result<Effect, Halt>) -> Result<Option<Effect>, Halt> {
    match effect {
        Ok(effect) => Ok(Some(effect)),
        Err(Halt::Stuck(_)) => Ok(None),
        Err(Halt::Stopped) => Err(Halt::Stopped),
    }
}
