//! Canonical words: one for all words that orders and commutation of the moves make equal.
//!
//! Moves that are powers of one another are a *family*, a cyclic group. Families commute or they do not; nothing else is used. So words stand
//! for the elements of a graph product of cyclic groups (Green, *Graph products of groups*, thesis, Leeds 1990), and every element has
//! a normal form: syllables, one element of a family each, no two of which can be merged, in the first possible order (the lexicographic
//! normal form of Cartier, Foata, *Problèmes combinatoires de commutation et réarrangements*, 1969). A syllable is spelled by the first of its
//! cheapest words.

use rustc_hash::FxHashMap;

use super::{Space, Stopped};
use crate::group::Work;
use crate::perm::Perm;

/// Families of higher order are not looked through.
const MOST_ELEMENTS: usize = 10_000;

/// A cyclic group of moves.
#[derive(Clone, Debug)]
struct Family {
    /// the cheapest way to an element: from which element, by which mover; nothing for the identity, which has number 0
    way: Vec<Option<(u32, u32)>>,
    cost: Vec<u64>,
    inverse: Vec<u32>,
    /// for each element, in the order of `movers`, the product
    next: Vec<Vec<u32>>,
    movers: Vec<u32>,
    commutes: Vec<bool>,
}

/// An element of a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Syllable {
    family: u32,
    element: u32,
}

/// The orders and commutations of the moves of a space without a blank.
#[derive(Clone, Debug)]
pub struct Canon {
    families: Vec<Family>,
    /// for each mover its family and its place among the movers there
    of: Vec<(u32, u32)>,
}

impl Canon {
    /// Finds families and what commutes. Moves that depend on a blank are families of their own that commute with nothing and have no order.
    ///
    /// Costs the squares of the number of moves and of their orders, times the cells.
    pub fn new(space: &Space, costs: &[u32], work: Work<'_>) -> Result<Canon, Stopped> {
        if costs.len() != space.moves.len() || costs.contains(&0) {
            return Err(Stopped::Unfit("each move needs a cost, at least 1"));
        }
        let perms: Vec<&Perm> = match space.blank {
            Some(_) => Vec::new(),
            None => space.moves.iter().filter_map(|mover| mover.steps.first()?.as_ref()).collect(),
        };
        if space.blank.is_some() || perms.len() != space.moves.len() {
            return Err(Stopped::Unfit("moves that depend on a blank have no order and commute nowhere"));
        }
        let mut canon = Canon { families: Vec::new(), of: vec![(u32::MAX, 0); perms.len()] };
        // the largest cyclic groups first, so that powers find the group of their root
        let mut by_order: Vec<usize> = (0..perms.len()).collect();
        let order = |mover: &usize| perms[*mover].order();
        by_order.sort_by_cached_key(|mover| (std::cmp::Reverse(order(mover)), *mover));
        let mut elements: Vec<FxHashMap<Vec<u32>, u32>> = Vec::new();
        for mover in by_order {
            work.products(1 + elements.len(), space.degree)?;
            let known = elements.iter().position(|elements| elements.contains_key(perms[mover].images()));
            let family = match known {
                Some(family) => family,
                None => {
                    let mut powers = FxHashMap::default();
                    let mut power = Perm::identity(perms[mover].degree());
                    while powers.len() < MOST_ELEMENTS {
                        let number = powers.len() as u32;
                        if powers.contains_key(power.images()) {
                            break;
                        }
                        powers.insert(power.images().to_vec(), number);
                        power = power.then(perms[mover]);
                        work.products(1, space.degree)?;
                    }
                    if powers.len() == MOST_ELEMENTS {
                        return Err(Stopped::Unfit("a move has so high an order that its powers are too many to list"));
                    }
                    elements.push(powers);
                    elements.len() - 1
                }
            };
            canon.of[mover].0 = family as u32;
        }
        // families in the order of their first moves
        let mut first: Vec<usize> = (0..elements.len())
            .map(|family| canon.of.iter().position(|of| of.0 as usize == family).unwrap_or(0))
            .collect();
        first.sort_unstable();
        let renamed: Vec<u32> = first.iter().map(|mover| canon.of[*mover].0).collect();
        for of in &mut canon.of {
            of.0 = renamed.iter().position(|old| *old == of.0).unwrap_or(0) as u32;
        }
        for (number, old) in renamed.iter().enumerate() {
            let movers: Vec<u32> =
                (0..perms.len() as u32).filter(|mover| canon.of[*mover as usize].0 == number as u32).collect();
            for (at, mover) in movers.iter().enumerate() {
                canon.of[*mover as usize].1 = at as u32;
            }
            canon.families.push(Family::new(&elements[*old as usize], movers, &perms, costs, work)?);
        }
        let count = canon.families.len();
        for a in 0..count {
            work.products(count, space.degree)?;
            let commutes = |b: &Family| {
                let pairs = canon.families[a].movers.iter().flat_map(|x| b.movers.iter().map(move |y| (*x, *y)));
                pairs.into_iter().all(|(x, y)| {
                    let (x, y) = (perms[x as usize], perms[y as usize]);
                    x.then(y) == y.then(x)
                })
            };
            canon.families[a].commutes = canon.families.iter().map(commutes).collect();
        }
        Ok(canon)
    }

    fn commute(&self, a: u32, b: u32) -> bool {
        self.families[a as usize].commutes[b as usize]
    }

    /// The syllables of the normal form of a word.
    pub fn syllables(&self, word: &[u32]) -> Vec<Syllable> {
        let mut piled: Vec<Syllable> = Vec::new();
        for mover in word {
            let (family, at) = self.of[*mover as usize];
            let next = |element: u32| self.families[family as usize].next[element as usize][at as usize];
            self.pile(&mut piled, family, &next);
        }
        self.sorted(piled)
    }

    /// Multiplies by an element of a family, after what is there.
    fn pile(&self, piled: &mut Vec<Syllable>, family: u32, next: &dyn Fn(u32) -> u32) {
        let before = piled.iter().rposition(|other| other.family == family || !self.commute(family, other.family));
        match before.filter(|at| piled[*at].family == family) {
            Some(at) => {
                piled[at].element = next(piled[at].element);
                if piled[at].element == 0 {
                    piled.remove(at);
                }
            }
            None => {
                let element = next(0);
                if element != 0 {
                    piled.push(Syllable { family, element });
                }
            }
        }
    }

    /// The first order that commutation allows.
    fn sorted(&self, mut rest: Vec<Syllable>) -> Vec<Syllable> {
        let mut sorted = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let at = self.in_front(&rest).min_by_key(|at| rest[*at].family).unwrap_or(0);
            sorted.push(rest.remove(at));
        }
        sorted
    }

    /// Which syllables can come first. What is in front of a syllable that stays in place is looked at no further than needed.
    fn in_front(&self, word: &[Syllable]) -> impl Iterator<Item = usize> {
        let free = |at: &usize| word[..*at].iter().all(|before| self.commute(before.family, word[*at].family));
        (0..word.len()).filter(move |at| free(at))
    }

    /// A word of syllables as movers, each syllable by the first of its cheapest words.
    pub fn spelled(&self, syllables: &[Syllable]) -> Vec<u32> {
        let mut word = Vec::new();
        for syllable in syllables {
            let family = &self.families[syllable.family as usize];
            let from = word.len();
            let mut element = syllable.element;
            while let Some((before, mover)) = family.way[element as usize] {
                word.push(mover);
                element = before;
            }
            word[from..].reverse();
        }
        word
    }

    /// What a word costs.
    pub fn cost(&self, syllables: &[Syllable]) -> u64 {
        let cost = |syllable: &Syllable| self.families[syllable.family as usize].cost[syllable.element as usize];
        syllables.iter().map(cost).sum()
    }

    /// The normal form of a word. Two words have the same exactly if orders and commutation make them equal.
    pub fn normal(&self, word: &[u32]) -> Vec<u32> {
        self.spelled(&self.syllables(word))
    }

    /// The inverse, in normal form.
    fn inverse(&self, word: &[Syllable]) -> Vec<Syllable> {
        let inverse = |syllable: &Syllable| Syllable {
            element: self.families[syllable.family as usize].inverse[syllable.element as usize],
            ..*syllable
        };
        self.sorted(word.iter().rev().map(inverse).collect())
    }

    /// The first of the normal forms of all cyclic shifts that are cheapest, among so many.
    fn first_shift(&self, word: &[Syllable], most: usize) -> (u64, Vec<Syllable>) {
        let mut forms = vec![word.to_vec()];
        // merging two syllables may leave the cost as it is
        let size = |word: &[Syllable]| (self.cost(word), word.len());
        let mut least = size(word);
        let mut at = 0;
        while at < forms.len() && forms.len() < most {
            let form = forms[at].clone();
            at += 1;
            for front in self.in_front(&form).collect::<Vec<_>>() {
                let mut rest = form.clone();
                let moved = rest.remove(front);
                let family = &self.families[moved.family as usize];
                let times = |element: u32| family.product(element, moved.element);
                self.pile(&mut rest, moved.family, &times);
                let shifted = self.sorted(rest);
                let less = size(&shifted);
                if less < least {
                    // it was not cyclically reduced
                    least = less;
                    forms = vec![shifted];
                    at = 0;
                    break;
                }
                if less == least && !forms.contains(&shifted) {
                    forms.push(shifted);
                }
            }
        }
        (least.0, forms.into_iter().min().unwrap_or_default())
    }

    /// A name for all words that come from a word by cyclic shifts, by inversion, by what orders and commutation allow, and by renaming moves as
    /// `renamings` say. Shifts are followed up to so many forms.
    pub fn class(&self, word: &[u32], renamings: &[Vec<u32>], most: usize) -> Vec<Syllable> {
        let mut best: Option<(u64, Vec<Syllable>)> = None;
        let same: Vec<u32> = (0..self.of.len() as u32).collect();
        for renaming in std::iter::once(&same).chain(renamings) {
            let renamed: Vec<u32> = word.iter().map(|mover| renaming[*mover as usize]).collect();
            let form = self.syllables(&renamed);
            for form in [self.inverse(&form), form] {
                let first = self.first_shift(&form, most);
                if best.as_ref().is_none_or(|best| first < *best) {
                    best = Some(first);
                }
            }
        }
        best.map_or_else(Vec::new, |(_, form)| form)
    }

    /// May this mover follow a word in normal form, so that the whole is in normal form again? Changes the syllables then.
    pub fn extend(&self, word: &mut Vec<Syllable>, mover: u32) -> bool {
        let (number, at) = self.of[mover as usize];
        let family = &self.families[number as usize];
        if let Some(last) = word.last_mut().filter(|last| last.family == number) {
            let next = family.next[last.element as usize][at as usize];
            if family.way[next as usize] != Some((last.element, mover)) {
                return false;
            }
            last.element = next;
            return true;
        }
        let element = family.next[0][at as usize];
        if family.way[element as usize] != Some((0, mover)) {
            return false;
        }
        for before in word.iter().rev() {
            if before.family == number {
                return false;
            }
            if !self.commute(before.family, number) {
                break;
            }
            if before.family > number {
                return false;
            }
        }
        word.push(Syllable { family: number, element });
        true
    }
}

impl Family {
    fn new(
        elements: &FxHashMap<Vec<u32>, u32>,
        movers: Vec<u32>,
        perms: &[&Perm],
        costs: &[u32],
        work: Work<'_>,
    ) -> Result<Family, Stopped> {
        let count = elements.len();
        let mut images = vec![None; count];
        for (element, number) in elements {
            images[*number as usize] = Perm::from_images(element.clone()).ok();
        }
        let images: Vec<Perm> = images.into_iter().flatten().collect();
        let number = |perm: &Perm| elements.get(perm.images()).copied().unwrap_or(0);
        let mut next = Vec::with_capacity(count);
        for image in &images {
            work.products(movers.len(), image.degree())?;
            next.push(movers.iter().map(|mover| number(&image.then(perms[*mover as usize]))).collect::<Vec<u32>>());
        }
        let inverse = images.iter().map(|image| number(&image.inverse())).collect();
        // Dijkstra from the identity; of several ways of one cost the word that comes first
        let mut cost = vec![u64::MAX; count];
        let mut words: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut way = vec![None; count];
        let mut done = vec![false; count];
        cost[0] = 0;
        while let Some(at) =
            (0..count).filter(|at| !done[*at] && cost[*at] < u64::MAX).min_by_key(|at| (cost[*at], &words[*at]))
        {
            done[at] = true;
            work.charge(1 + count as u64 / 64)?;
            for (to, mover) in next[at].iter().zip(&movers) {
                let to = *to as usize;
                let through = cost[at] + u64::from(costs[*mover as usize]);
                let word = [&words[at][..], &[*mover]].concat();
                if !done[to] && (through, &word) < (cost[to], &words[to]) {
                    cost[to] = through;
                    words[to] = word;
                    way[to] = Some((at as u32, *mover));
                }
            }
        }
        Ok(Family { way, cost, inverse, next, movers, commutes: Vec::new() })
    }

    /// The numbers of elements are exponents of one of them.
    fn product(&self, a: u32, b: u32) -> u32 {
        (a + b) % self.next.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::Mover;

    fn space(degree: usize, moves: Vec<Perm>) -> Space {
        Space { degree, blank: None, moves: moves.into_iter().map(|perm| Mover { steps: vec![Some(perm)] }).collect() }
    }

    fn cycle(degree: usize, points: &[u32]) -> Perm {
        Perm::from_cycles(degree, &[points.to_vec()]).expect("points")
    }

    /// a of order 4 and b of order 3 commute, c moves points of both.
    fn example() -> (Space, Vec<Perm>) {
        let (a, b, c) = (cycle(9, &[0, 1, 2, 3]), cycle(9, &[4, 5, 6]), cycle(9, &[0, 4, 7, 8]));
        let moves: Vec<Perm> = [a, b, c].into_iter().flat_map(|perm| [perm.clone(), perm.inverse()]).collect();
        (space(9, moves.clone()), moves)
    }

    #[test]
    fn orders_and_commutation() {
        let (space, _) = example();
        let canon = Canon::new(&space, &[1; 6], Work::unlimited()).expect("small");
        // a a a is a', a' a' is a a, b a is a b, and what cancels through something that commutes is gone
        assert_eq!(canon.normal(&[0, 0, 0]), [1]);
        assert_eq!(canon.normal(&[1, 1]), [0, 0]);
        assert_eq!(canon.normal(&[2, 0]), [0, 2]);
        assert_eq!(canon.normal(&[0, 2, 2, 1]), [3]);
        assert_eq!(canon.normal(&[4, 2, 0, 3, 1, 5]), [0; 0]);
        assert_eq!(canon.normal(&[2, 4, 0]), [2, 4, 0]);
    }

    /// Words that the relations make equal have one normal form: changes that keep the element keep the form; and the form keeps the
    /// effect, is its own form, and costs no more.
    #[test]
    fn normal_forms_are_invariant() {
        let (space, perms) = example();
        let costs = [1, 2, 1, 1, 3, 1];
        let canon = Canon::new(&space, &costs, Work::unlimited()).expect("small");
        let mut random = Random::new(4);
        for _ in 0..2000 {
            let word: Vec<u32> = (0..random.below(12)).map(|_| random.below(6) as u32).collect();
            let form = canon.normal(&word);
            let effect = |word: &[u32]| word.iter().fold(Perm::identity(9), |p, m| p.then(&perms[*m as usize]));
            assert_eq!(effect(&word), effect(&form));
            assert_eq!(canon.normal(&form), form);
            let cost = |word: &[u32]| word.iter().map(|mover| costs[*mover as usize]).sum::<u32>();
            assert!(cost(&form) <= cost(&word));
            let mut other = word.clone();
            let at = random.below(word.len() as u64 + 1) as usize;
            let letter = random.below(6) as u32;
            match random.below(3) {
                0 => drop(other.splice(at..at, [letter, letter ^ 1])),
                1 => drop(other.splice(
                    at..at,
                    [[0u32; 4].to_vec(), [2; 3].to_vec(), [5; 4].to_vec()][random.below(3) as usize].clone(),
                )),
                _ if at + 1 < word.len() && (word[at] / 2 + word[at + 1] / 2 == 1) => other.swap(at, at + 1),
                _ => {}
            }
            assert_eq!(canon.normal(&other), form, "{word:?} {other:?}");
            // the classes of shifts and inverses
            if !word.is_empty() {
                let mut shifted = word.clone();
                shifted.rotate_left(at % word.len());
                let inverse: Vec<u32> = shifted.iter().rev().map(|mover| mover ^ 1).collect();
                assert_eq!(canon.class(&inverse, &[], 200), canon.class(&word, &[], 200), "{word:?} {shifted:?}");
            }
        }
    }

    /// Extending step by step gives exactly the normal forms.
    #[test]
    fn extension_makes_normal_forms() {
        let (space, _) = example();
        let canon = Canon::new(&space, &[1; 6], Work::unlimited()).expect("small");
        let mut layer = vec![(Vec::new(), Vec::new())];
        for length in 1..=5 {
            let mut next = Vec::new();
            for (word, syllables) in &layer {
                for mover in 0..6 {
                    let mut syllables: Vec<Syllable> = syllables.clone();
                    let longer = [&word[..], &[mover]].concat();
                    let normal = canon.normal(&longer) == longer;
                    assert_eq!(canon.extend(&mut syllables, mover), normal, "{longer:?}");
                    if normal {
                        next.push((longer, syllables));
                    }
                }
            }
            // all words in normal form are found from shorter ones
            let all =
                (0..6u32.pow(length)).map(|code| (0..length).map(|at| code / 6u32.pow(at) % 6).collect::<Vec<u32>>());
            assert_eq!(all.filter(|word| canon.normal(word) == *word).count(), next.len());
            layer = next;
        }
    }
}
