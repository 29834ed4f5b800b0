//! Down a stabiliser chain in few steps, each over several base points, with many ways to take the first.
//!
//! T. Minkwitz's method (*Journal of Symbolic Computation* 26, 1998) with three changes: a step settles several base points, so
//! that its words are shorter than those of as many single steps; the first step is matched from both sides with a ball of
//! short words when the target is known, and all the ways to take it are tried; and base points are chosen so that many short
//! words fix them.

use super::ball::{Ball, Code, Row, append, append_inverse, identity, image, inverse, then};
use super::deeper::deeper;
use super::list::{List, Places, orbits};
use super::stage::Stage;
use crate::group::{Done, Work};

/// How many elements of the ball can be last parts of a word when the first step is laid out, and how many ways to take this
/// step are then wished for.
const ENDINGS: usize = 150;
const WAYS: usize = 300;
/// How many last parts are tried at least, unless enough ways have been found before.
const ENDINGS_TRIED: usize = 1500;
/// How many ways are tried at least, and at most.
const WAYS_TRIED: usize = 100;
const MOST_WAYS_TRIED: usize = 30_000;
/// The number of ways tried is this part of the third power of the length: the longer the words, the more they vary and the
/// more is to be gained.
const PATIENCE: usize = 560;
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
    /// Where the first base points can be, and for each place the range of the elements of the ball that bring them there:
    /// the ends of the ranges, after a 0.
    places: Places<N>,
    ends: Vec<u32>,
    middles: Vec<Middle>,
    /// What undoes these elements, next to each other because all of a range are tried one after another.
    undo: Vec<Row<N>>,
    stages: Vec<Stage<N>>,
    /// By stage: how many letters the stages after it take at least, but for few elements.
    after: Vec<usize>,
}

struct Middle {
    element: u32,
    length: u32,
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
        let points = choose_points(degree, &ball.list, (ball.size() * endings / WAYS).max(most), taste);
        let places = Places::new(&points, &orbits(&ball.moves));
        let mut descent = Descent {
            base: points.clone(),
            first: points.len(),
            ends: vec![0; places.count() + 1],
            places,
            middles: Vec::new(),
            undo: Vec::new(),
            stages: Vec::new(),
            after: Vec::new(),
        };
        let (_, list) =
            rayon::join(|| descent.lay_out_first_step(ball), || deeper(ball, &ball.list, &[], &points, work));
        let mut list = list?;
        while list.len() > 0 {
            let points = choose_points(degree, &list, most, taste);
            if points.is_empty() {
                break;
            }
            descent.stages.push(Stage::new(points.clone(), &list, work)?);
            list = deeper(ball, &list, &descent.base, &points, work)?;
            descent.base.extend(&points);
        }
        let after = descent.stages.iter().rev().scan(0, |sum, stage| {
            let after = *sum;
            *sum += stage.short_length();
            Some(after)
        });
        descent.after = after.collect();
        descent.after.reverse();
        Ok(descent)
    }

    /// Sorts the ball by place.
    fn lay_out_first_step(&mut self, ball: &Ball<N>) {
        let at: Vec<u32> = ball.list.rows().iter().map(|row| self.places.number_of(&self.base, row) as u32).collect();
        at.iter().for_each(|&place| self.ends[place as usize + 1] += 1);
        let mut sum = 0;
        for end in &mut self.ends {
            sum += std::mem::replace(end, sum);
        }
        let mut order = vec![0; at.len()];
        for (&place, element) in at.iter().zip(0u32..) {
            let next = &mut self.ends[place as usize + 1];
            order[*next as usize] = element;
            *next += 1;
        }
        self.undo = order.iter().map(|&element| *ball.list.back(element as usize)).collect();
        let middle = |element: u32| Middle { element, length: ball.list.length(element as usize) as u32 };
        self.middles = order.into_iter().map(middle).collect();
    }

    /// The mean length of the words for some elements; the largest number if many have none or a wrong one, as they have
    /// where the tables end before the group does.
    pub fn score(&self, ball: &Ball<N>, samples: &[Row<N>], work: Work<'_>) -> Done<usize> {
        let (mut found, mut total) = (0, 0);
        for sample in samples {
            if let Some(way) = self.best_way(ball, sample, work)? {
                let cost = way.cost;
                let word = self.spell(ball, way);
                if word.iter().fold(identity(), |row, &code| then(&row, &ball.moves[usize::from(code)])) == *sample {
                    found += 1;
                    total += cost;
                }
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
        let base_images = |row: &Row<N>| {
            let mut images: Row<N> = [0; N];
            images.iter_mut().zip(&self.base).for_each(|(slot, &point)| *slot = image(row, point));
            images
        };
        let targets = [(false, base_images(target)), (true, base_images(&inverse(target)))];
        let next = self.stages.first().zip(self.after.first());
        let mut best: Option<Way<N>> = None;
        let mut most = usize::MAX;
        let mut tried = 0;
        for ending in 0..ball.size() {
            let own = ball.list.length(ending);
            let enough = match &best {
                Some(_) if own >= most => break,
                Some(_) => (most.saturating_pow(3) / PATIENCE).clamp(WAYS_TRIED, MOST_WAYS_TRIED),
                None => MOST_WAYS_TRIED,
            };
            if tried > enough || ending > ENDINGS_TRIED.max(enough / 4) {
                break;
            }
            work.charge(1)?;
            let back = ball.list.back(ending);
            for (inverted, images) in &targets {
                let place = self.places.number(images[..self.first].iter().map(|&x| image(back, x)));
                let Some(&[from, to]) = self.ends.get(place..place + 2) else { continue };
                let range = from as usize..to as usize;
                if range.is_empty() {
                    continue;
                }
                let start = then(images, back);
                for (undo, middle) in self.undo[range.clone()].iter().zip(&self.middles[range]) {
                    let own = own + middle.length as usize;
                    if own >= most {
                        break;
                    }
                    tried += 1;
                    // most ways are too long after one more step, which is cheap to see
                    if let Some((stage, after)) = next {
                        let images = start[self.first..].iter().take(stage.points.len()).map(|&x| image(undo, x));
                        if stage.place(images).is_none_or(|(_, length)| own + length + after >= most) {
                            continue;
                        }
                    }
                    let images = then(&start, undo);
                    if let Some(cost) = self.descend(images, own, most, |_| {}) {
                        most = cost;
                        let (middle, ending) = (middle.element, ending as u32);
                        best = Some(Way { cost, inverted: *inverted, middle, ending, images });
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
        for (stage, after) in self.stages.iter().zip(&self.after) {
            let end = done + stage.points.len();
            let (place, length) = stage.place(images[done..end].iter().copied())?;
            cost += length;
            if cost.saturating_add(*after) >= most {
                return None;
            }
            let (back, word) = stage.entry(place);
            images = then(&images, back);
            visit(word);
            done = end;
        }
        Some(cost)
    }

    /// The word of a way. What is taken off first stands last.
    fn spell(&self, ball: &Ball<N>, way: Way<N>) -> Vec<Code> {
        let mut words: Vec<Vec<Code>> =
            vec![ball.list.word(way.ending as usize).to_vec(), ball.list.word(way.middle as usize).to_vec()];
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

/// Base points for the next step: at each choice the point that the most short elements fix, for as long as there seem to be at
/// most `most` places for all of them.
fn choose_points<const N: usize>(degree: usize, list: &List<N>, most: usize, taste: &Taste) -> Vec<u8> {
    let mut points = Vec::new();
    let mut places = 1usize;
    let mut left: Vec<u32> = (0..list.len() as u32).collect();
    let whole = orbits(list.rows());
    let mut numbers = 1usize;
    while points.len() < MOST_POINTS {
        let mut weights = vec![0.0; degree];
        let mut fixed = vec![0; degree];
        for same in left.chunk_by(|&a, &b| list.length(a as usize) == list.length(b as usize)) {
            let length = same.first().map_or(0, |&element| list.length(element as usize));
            let weight = taste.fading.powi(length as i32);
            for (point, count) in count_fixed(list, same).into_iter().enumerate().take(degree) {
                weights[point] += weight * f64::from(count);
                fixed[point] += count as usize;
            }
        }
        let candidates = (0..degree).filter(|&point| fixed[point] < left.len());
        let Some(point) = candidates.max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a))) else { break };
        let class = orbits(left.iter().map(|&element| list.row(element as usize)));
        let size = |class: &Row<N>| class.iter().filter(|&&name| name == class[point]).count();
        places = places.saturating_mul(size(&class));
        numbers = numbers.saturating_mul(size(&whole));
        if (places > most || numbers > 4 * most) && !points.is_empty() {
            break;
        }
        points.push(point as u8);
        left.retain(|&element| image(list.row(element as usize), point as u8) as usize == point);
    }
    points
}

/// How many of some elements fix each point.
fn count_fixed<const N: usize>(list: &List<N>, elements: &[u32]) -> [u32; N] {
    let mut counts = [0; N];
    // bytes are counted many at a time
    for some in elements.chunks(255) {
        let mut bytes = [0u8; N];
        for &element in some {
            let row = list.row(element as usize);
            bytes.iter_mut().zip(row).zip(&identity::<N>()).for_each(|((byte, x), i)| *byte += u8::from(x == i));
        }
        counts.iter_mut().zip(bytes).for_each(|(count, byte)| *count += u32::from(byte));
    }
    counts
}
