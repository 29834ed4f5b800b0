//! Words from halves that agree where they have to.

use rayon::prelude::*;

use super::super::canonical::{Canon, Syllable};
use super::super::keys::Keys;
use super::super::moves::{Moves, Step};
use super::super::{Stopped, enough};
use super::{Hit, Search};
use crate::group::Work;
use crate::perm::Perm;

/// Parts of fewer cells say too little.
const LEAST_PART: usize = 2;
/// So many halves are looked up by one thread at a time.
const BLOCK: usize = 1024;

/// All words in normal form of one cost, in order.
#[derive(Default)]
struct Words {
    lengths: Vec<usize>,
    movers: Vec<u32>,
    begin: Vec<usize>,
    syllables: Vec<Vec<Syllable>>,
    /// what they do to all cells, one after another
    images: Vec<u16>,
}

pub(super) struct Halves<'a> {
    search: &'a Search<'a>,
    steps: Vec<&'a Step>,
    canon: &'a Canon,
    degree: usize,
    /// what words have to come near
    targets: Vec<Perm>,
    /// the cells, one of each piece, in parts
    parts: Vec<Vec<usize>>,
    /// so many of these cells may differ
    differ: usize,
    /// the words by cost
    words: Vec<Words>,
}

impl<'a> Halves<'a> {
    /// `None` if nothing is known that halves have to agree on.
    pub fn new(
        search: &'a Search<'a>,
        moves: &'a Moves,
        canon: &'a Canon,
        work: Work<'_>,
    ) -> Result<Option<Halves<'a>>, Stopped> {
        let degree = moves.degree;
        let identity: Vec<u32> = (0..degree as u32).collect();
        let keys = Keys::new(moves, &identity, work)?;
        let sizes = keys.sizes();
        let (targets, differ) = match (&search.wanted.one_of, search.wanted.bound()) {
            (Some(perms), _) => (perms.iter().map(|perm| perm.then(&Perm::identity(degree))).collect(), 0),
            // whoever moves a cell moves its whole piece
            (None, Some(bound)) => {
                (vec![Perm::identity(degree)], bound / sizes.iter().min().copied().unwrap_or(1).max(1))
            }
            (None, None) => return Ok(None),
        };
        if degree > 1 << 16 || keys.kept.len() / (differ + 1) < LEAST_PART {
            return Ok(None);
        }
        // a permutation of more cells than there are is none of theirs
        let targets: Vec<Perm> = targets.into_iter().filter(|target: &Perm| target.degree() == degree).collect();
        let parts =
            (0..=differ).map(|part| keys.kept.iter().copied().skip(part).step_by(differ + 1).collect()).collect();
        let mut steps: Vec<&Step> = moves.at(0).iter().collect();
        steps.sort_by_key(|step| step.mover);
        let mut halves = Halves { search, steps, canon, degree, targets, parts, differ, words: Vec::new() };
        let mut none = Words::default();
        halves.push(&mut none, &[], Vec::new(), identity.iter().map(|cell| *cell as u16));
        halves.words.push(none);
        Ok(Some(halves))
    }

    fn push(&self, words: &mut Words, movers: &[u32], syllables: Vec<Syllable>, images: impl Iterator<Item = u16>) {
        words.begin.push(words.movers.len());
        words.lengths.push(movers.len());
        words.movers.extend_from_slice(movers);
        words.syllables.push(syllables);
        words.images.extend(images);
    }

    /// Makes the words up to a cost: each from one that is cheaper by its last move.
    fn grow(&mut self, cost: usize, work: Work<'_>) -> Result<(), Stopped> {
        while self.words.len() <= cost {
            let next = self.words.len();
            let mut words = Words::default();
            // in the order of the words, so that those of one cost are in order whatever their last moves cost
            let mut made: Vec<(Vec<u32>, Vec<Syllable>, Vec<u16>)> = Vec::new();
            for step in &self.steps {
                let Some(before) = next.checked_sub(self.search.costs[step.mover] as usize) else { continue };
                let from = &self.words[before];
                work.products(from.lengths.len(), self.degree)?;
                enough(
                    (made.len() as u64 + from.lengths.len() as u64) * (2 * self.degree as u64 + 160),
                    self.search.most_memory,
                )?;
                let images = step.effect.images();
                let longer = (0..from.lengths.len()).into_par_iter().filter_map(|word| {
                    let mut syllables = from.syllables[word].clone();
                    if !self.canon.extend(&mut syllables, step.mover as u32) {
                        return None;
                    }
                    let moved = from.images(word, self.degree).iter().map(|cell| images[usize::from(*cell)] as u16);
                    Some(([from.movers(word), &[step.mover as u32]].concat(), syllables, moved.collect()))
                });
                made.par_extend(longer);
            }
            made.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
            for (movers, syllables, images) in made {
                self.push(&mut words, &movers, syllables, images.into_iter());
            }
            self.words.push(words);
        }
        Ok(())
    }

    /// Is it known that no word costs more?
    pub fn is_done(&self, cost: u64) -> bool {
        let longest = self.search.costs.iter().max().copied().unwrap_or(1) as usize;
        let half = self.words.len();
        self.words[half.saturating_sub(longest)..].iter().all(|words| words.lengths.is_empty())
            && cost as usize >= 2 * half
    }

    /// All words of a cost with the wanted effect, in order.
    pub fn of_cost(&mut self, cost: u64, work: Work<'_>) -> Result<Vec<Hit>, Stopped> {
        let half = cost.div_ceil(2) as usize;
        let longest = self.search.costs.iter().max().copied().unwrap_or(1) as usize;
        let last = (half + longest - 1).min(cost as usize);
        self.grow(last.max(half), work)?;
        let mut found = Vec::new();
        // the first beginning that costs half or more
        for first in half..=last {
            let (ahead, behind) = (&self.words[first], &self.words[cost as usize - first]);
            for target in &self.targets {
                for part in 0..self.parts.len() {
                    self.join(ahead, first - half, behind, target, part, &mut found, work)?;
                }
            }
        }
        found.par_sort_unstable();
        found.dedup();
        let hit = |movers: Vec<u32>| {
            let images = movers.iter().fold((0..self.degree as u32).collect::<Vec<u32>>(), |images, mover| {
                let step = self.steps.iter().find(|step| step.mover as u32 == *mover);
                images.iter().map(|cell| step.map_or(*cell, |step| step.effect.image(*cell))).collect()
            });
            Perm::from_images(images).ok().map(|effect| Hit { movers, cost, effect })
        };
        work.products(found.len(), self.degree)?;
        Ok(found.into_iter().filter_map(hit).filter(|hit| self.search.wanted.is(&hit.effect)).collect())
    }

    /// Adds the words u v that come near a target, where u and the rest that v leaves of it agree on a part. The last move of u costs more than `over`.
    fn join(
        &self,
        ahead: &Words,
        over: usize,
        behind: &Words,
        target: &Perm,
        part: usize,
        found: &mut Vec<Vec<u32>>,
        work: Work<'_>,
    ) -> Result<(), Stopped> {
        let part = &self.parts[part];
        work.products(ahead.lengths.len() + behind.lengths.len(), self.degree)?;
        // what v has to find before it: the target, and then v taken back
        let rest = |word: usize| {
            let mut back = vec![0u16; self.degree];
            let images = behind.images(word, self.degree);
            images.iter().enumerate().for_each(|(cell, image)| back[usize::from(*image)] = cell as u16);
            (0..self.degree as u32).map(|cell| back[target.image(cell) as usize]).collect::<Vec<u16>>()
        };
        let key = |images: &[u16]| {
            part.iter().fold(0u64, |key, cell| {
                (key.rotate_left(5) ^ u64::from(images[*cell])).wrapping_mul(0x517c_c1b7_2722_0a95)
            })
        };
        let mut keys: Vec<(u64, u32)> =
            (0..behind.lengths.len()).into_par_iter().map(|word| (key(&rest(word)), word as u32)).collect();
        keys.par_sort_unstable();
        let kept: Vec<usize> = self.parts.iter().flatten().copied().collect();
        let count = ahead.lengths.len();
        let blocks: Vec<Result<Vec<Vec<u32>>, Stopped>> = (0..count.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let mut found = Vec::new();
                for word in block * BLOCK..count.min((block + 1) * BLOCK) {
                    let movers = ahead.movers(word);
                    if movers.last().is_some_and(|mover| self.search.costs[*mover as usize] as usize <= over) {
                        continue;
                    }
                    let images = ahead.images(word, self.degree);
                    let wanted = key(images);
                    let from = keys.partition_point(|(key, _)| *key < wanted);
                    let agreeing = keys[from..].iter().take_while(|(key, _)| *key == wanted);
                    let mut looked = 0;
                    for (_, other) in agreeing {
                        looked += 1;
                        let rest = rest(*other as usize);
                        let mut differ = kept.iter().filter(|cell| images[**cell] != rest[**cell]);
                        if differ.nth(self.differ).is_some() {
                            continue;
                        }
                        let mut syllables = ahead.syllables[word].clone();
                        let further = behind.movers(*other as usize);
                        if further.iter().all(|mover| self.canon.extend(&mut syllables, *mover)) {
                            found.push([movers, further].concat());
                        }
                    }
                    work.products(looked, self.degree)?;
                }
                Ok(found)
            })
            .collect();
        for block in blocks {
            found.extend(block?);
        }
        Ok(())
    }
}

impl Words {
    fn movers(&self, word: usize) -> &[u32] {
        &self.movers[self.begin[word]..][..self.lengths[word]]
    }

    fn images(&self, word: usize, degree: usize) -> &[u16] {
        &self.images[word * degree..][..degree]
    }
}
