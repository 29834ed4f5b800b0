//! Down a stabiliser chain in few steps, each over several base points, with many ways to take the first.
//!
//! T. Minkwitz's method (*Journal of Symbolic Computation* 26, 1998) with three changes: a step settles several base points, so
//! that its words are shorter than those of as many single steps; the first step is matched from both sides with a ball of
//! short words when the target is known, and all the ways to take it are tried; and base points are chosen so that many short
//! words fix them.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::ball::{Ball, Code, Row, append, append_inverse, image, images_key, inverse};
use super::stage::{Short, Stage, deeper};
use crate::group::{Done, Work};

/// How many elements of the ball can be last parts of a word when the first step is laid out, and how many ways to take this
/// step are then wished for.
const ENDINGS: usize = 150;
const WAYS: usize = 300;
/// How many last parts are tried at least, unless enough ways have been found before.
const ENDINGS_TRIED: usize = 1500;
/// How many ways are tried at least, and at most.
const WAYS_TRIED: usize = 200;
const MOST_WAYS_TRIED: usize = 30_000;
/// The number of ways tried is this part of the third power of the length: the longer the words, the more they vary and the
/// more is to be gained.
const PATIENCE: usize = 150;
/// A later step has at most so many places, times the square of the degree.
const PLACES: usize = 64_000_000;
/// A key holds the images of so many points.
const MOST_POINTS: usize = 8;

/// What is preferred when base points are chosen: nobody knows beforehand what is best.
pub(super) struct Taste {
    /// What one more letter takes from the weight of a word.
    fading: f64,
    /// By how much the number of places is divided.
    small_steps: usize,
}

impl Taste {
    pub const ALL: [Taste; 4] = [
        Taste { fading: 0.4, small_steps: 1 },
        Taste { fading: 0.7, small_steps: 1 },
        Taste { fading: 0.4, small_steps: 4 },
        Taste { fading: 0.2, small_steps: 2 },
    ];
}

pub(super) struct Descent<const N: usize> {
    /// All base points, step by step.
    base: Vec<u8>,
    /// How many of them the first step settles.
    first: usize,
    /// The elements of the ball by where they bring the first base points: ranges of the next two lists.
    ways: FxHashMap<u64, (u32, u32)>,
    middles: Vec<u32>,
    /// What undoes these elements, next to each other because all of a range are tried one after another.
    undo: Vec<Row<N>>,
    stages: Vec<Stage<N>>,
}

/// A word that was found: whether it is for the inverse, the two elements of the ball that come last, the images of the base
/// points that are left for the later steps.
struct Way<const N: usize> {
    cost: usize,
    inverted: bool,
    middle: u32,
    ending: u32,
    images: Row<N>,
}

impl<const N: usize> Descent<N> {
    /// Builds the tables. Costs the size of the ball, and for each step its places times a hundred.
    pub fn new(ball: &Ball<N>, taste: &Taste, work: Work<'_>) -> Done<Descent<N>> {
        let degree = ball.degree;
        let most = (PLACES / (degree * degree) / taste.small_steps).max(100);
        let endings = (0..=ball.radius()).map(|r| ball.size_at(r)).take_while(|&s| s <= ENDINGS).last().unwrap_or(1);
        let mut list: Vec<Short<N>> =
            (0..ball.rows.len()).into_par_iter().map(|e| Short { row: ball.rows[e], word: ball.word(e) }).collect();
        let points = choose_points(degree, &list, (ball.rows.len() * endings / WAYS).max(most), taste);
        let mut descent = Descent {
            base: points.clone(),
            first: points.len(),
            ways: FxHashMap::default(),
            middles: Vec::new(),
            undo: Vec::new(),
            stages: Vec::new(),
        };
        let (_, deeper_list) =
            rayon::join(|| descent.lay_out_first_step(ball), || deeper(ball, &list, &[], &points, work));
        list = deeper_list?;
        while !list.is_empty() {
            let points = choose_points(degree, &list, most, taste);
            if points.is_empty() {
                break;
            }
            descent.stages.push(Stage::new(points.clone(), &list, work)?);
            list = deeper(ball, &list, &descent.base, &points, work)?;
            descent.base.extend(&points);
        }
        Ok(descent)
    }

    fn lay_out_first_step(&mut self, ball: &Ball<N>) {
        let mut keyed: Vec<(u64, u32)> =
            ball.rows.iter().zip(0..).map(|(row, number)| (images_key(row, &self.base), number)).collect();
        keyed.sort_unstable();
        let mut start = 0;
        for group in keyed.chunk_by(|a, b| a.0 == b.0) {
            let end = start + group.len() as u32;
            self.ways.insert(group[0].0, (start, end));
            start = end;
        }
        self.undo = keyed.iter().map(|pair| inverse(&ball.rows[pair.1 as usize])).collect();
        self.middles = keyed.into_iter().map(|pair| pair.1).collect();
    }

    /// The mean length of the words for some elements; the largest number if many have none.
    pub fn score(&self, ball: &Ball<N>, samples: &[Row<N>], work: Work<'_>) -> Done<usize> {
        let (mut found, mut total) = (0, 0);
        for sample in samples {
            if let Some(way) = self.best_way(ball, sample, work)? {
                found += 1;
                total += way.cost;
            }
        }
        Ok(if 4 * found > 3 * samples.len() { total / found + 1000 * (samples.len() - found) } else { usize::MAX })
    }

    /// A short word for a target, if the tables have one.
    pub fn factor(&self, ball: &Ball<N>, target: &Row<N>, work: Work<'_>) -> Done<Option<Vec<Code>>> {
        Ok(self.best_way(ball, target, work)?.map(|way| self.spell(ball, way)))
    }

    /// The shortest of many ways to a target or to its inverse.
    fn best_way(&self, ball: &Ball<N>, target: &Row<N>, work: Work<'_>) -> Done<Option<Way<N>>> {
        let inverted_target = inverse(target);
        let mut best: Option<Way<N>> = None;
        let mut tried = 0;
        for ending in 0..ball.rows.len() {
            let own = ball.length_of(ending);
            let enough = match &best {
                Some(way) if own >= way.cost => break,
                Some(way) => (way.cost.saturating_pow(3) / PATIENCE).clamp(WAYS_TRIED, MOST_WAYS_TRIED),
                None => MOST_WAYS_TRIED,
            };
            if tried > enough || ending > ENDINGS_TRIED.max(enough / 4) {
                break;
            }
            work.charge(4)?;
            let back = inverse(&ball.rows[ending]);
            for (inverted, row) in [(false, target), (true, &inverted_target)] {
                let mut start: Row<N> = [0; N];
                for (slot, &point) in start.iter_mut().zip(&self.base) {
                    *slot = image(&back, image(row, point));
                }
                let Some(&(from, to)) = self.ways.get(&key(&start[..self.first])) else { continue };
                let range = from as usize..to as usize;
                for (undo, &middle) in self.undo[range.clone()].iter().zip(&self.middles[range]) {
                    let own = own + ball.length_of(middle as usize);
                    let most = best.as_ref().map_or(usize::MAX, |way| way.cost);
                    if own >= most {
                        break;
                    }
                    tried += 1;
                    let mut images = start;
                    for slot in &mut images[self.first..self.base.len()] {
                        *slot = image(undo, *slot);
                    }
                    if let Some(cost) = self.descend(images, own, most, |_| {}) {
                        best = Some(Way { cost, inverted, middle, ending: ending as u32, images });
                    }
                }
            }
        }
        Ok(best)
    }

    /// Takes the later steps, from the images of the base points; how many letters there are together with `own`, if they are
    /// fewer than `most`.
    fn descend(&self, mut images: Row<N>, own: usize, most: usize, mut visit: impl FnMut(&[Code])) -> Option<usize> {
        let mut cost = own;
        let mut done = self.first;
        for stage in &self.stages {
            let end = done + stage.points.len();
            let (back, word) = stage.place(key(&images[done..end]))?;
            cost += word.len();
            if cost >= most {
                return None;
            }
            for slot in &mut images[end..self.base.len()] {
                *slot = image(back, *slot);
            }
            visit(word);
            done = end;
        }
        Some(cost)
    }

    /// The word of a way. What is taken off first stands last.
    fn spell(&self, ball: &Ball<N>, way: Way<N>) -> Vec<Code> {
        let mut words: Vec<Vec<Code>> = vec![ball.word(way.ending as usize), ball.word(way.middle as usize)];
        self.descend(way.images, 0, usize::MAX, |word| words.push(word.to_vec()));
        let mut word = Vec::new();
        for part in words.iter().rev() {
            append(&mut word, part);
        }
        if !way.inverted {
            return word;
        }
        let mut back = Vec::new();
        append_inverse(&mut back, &word);
        back
    }
}

fn key(images: &[u8]) -> u64 {
    images.iter().fold(0, |key, &image| key << 8 | u64::from(image))
}

/// Base points for the next step: at each choice the point that the most short elements fix, for as long as there seem to be at
/// most `most` places for all of them.
fn choose_points<const N: usize>(degree: usize, list: &[Short<N>], most: usize, taste: &Taste) -> Vec<u8> {
    let mut points = Vec::new();
    let mut places = 1usize;
    let mut left: Vec<&Short<N>> = list.iter().collect();
    while points.len() < MOST_POINTS {
        let mut weights = vec![0.0; degree];
        let mut moved = vec![false; degree];
        for element in &left {
            let weight = taste.fading.powi(element.word.len() as i32);
            for point in 0..degree {
                match image(&element.row, point as u8) as usize == point {
                    true => weights[point] += weight,
                    false => moved[point] = true,
                }
            }
        }
        let candidates = (0..degree).filter(|&point| moved[point]);
        let Some(point) = candidates.max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a))) else { break };
        places = places.saturating_mul(orbit_length(point as u8, &left[..left.len().min(2000)]));
        if places > most && !points.is_empty() {
            break;
        }
        points.push(point as u8);
        left.retain(|element| image(&element.row, point as u8) as usize == point);
    }
    points
}

fn orbit_length<const N: usize>(point: u8, elements: &[&Short<N>]) -> usize {
    let mut seen = [false; N];
    let mut orbit = vec![point];
    seen[point as usize] = true;
    let mut next = 0;
    while let Some(&at) = orbit.get(next) {
        next += 1;
        for element in elements {
            let to = image(&element.row, at);
            if !std::mem::replace(&mut seen[to as usize], true) {
                orbit.push(to);
            }
        }
    }
    orbit.len()
}
