//! The tables of one puzzle for short words, and how a word is read from them.

use rustc_hash::FxHashMap;

use super::ball::{Ball, Code, Row, append, append_inverse, identity, image, images_key, inverse};
use super::cycles::Cycles;
use super::stage::{Short, Stage, deeper, env};
use crate::group::{Done, Work};

/// How many elements the ball may have.
const BALL: usize = 150_000;
/// How many elements of the ball are tried as last parts of a word.
const ENDINGS: usize = 150;
/// How many ways to settle the first base points are wished for.
const WAYS: usize = 300;
/// How many places a later step may have.
const PLACES: usize = 40_000;
/// A key holds the images of so many points.
const MOST_POINTS: usize = 8;

pub(super) struct Tables<const N: usize> {
    pub ball: Ball<N>,
    /// All base points, step by step.
    base: Vec<u8>,
    /// How many of them the first step settles.
    first: usize,
    /// The elements of the ball by where they bring the first base points: ranges of the next two lists.
    ways: FxHashMap<u64, (u32, u32)>,
    sorted: Vec<u32>,
    /// What undoes these elements, next to each other because all of a range are tried one after another.
    undo: Vec<Row<N>>,
    stages: Vec<Stage<N>>,
    cycles: Option<Cycles>,
}

/// A word that was found, in parts: the ball's elements that come last, and a place in each later step.
struct Way {
    cost: usize,
    inverted: bool,
    middle: u32,
    ending: u32,
}

impl<const N: usize> Tables<N> {
    /// The first step is left to two elements of the ball, which are matched when a target is known (a "meeting in the
    /// middle"); every later step has a table. Base points are chosen so that many short words remain.
    pub fn new(degree: usize, moves: Vec<Row<N>>, work: Work<'_>) -> Done<Tables<N>> {
        let (ball_most, endings_most, ways_most, places_most) = (
            env("BALL", BALL),
            env("ENDINGS", ENDINGS),
            env("WAYS", WAYS),
            env("PLACES", PLACES * 1600 / (degree * degree)),
        );
        let ball = Ball::new(degree, moves, ball_most, work)?;
        let endings =
            (0..=ball.radius()).map(|r| ball.size_at(r)).take_while(|&s| s <= endings_most).last().unwrap_or(1);
        let t = std::time::Instant::now();
        let cycles = Cycles::new(&ball, work)?;
        if std::env::var("DBG").is_ok() {
            eprintln!("cycles {} {:?}", cycles.is_some(), t.elapsed());
        }
        let mut list: Vec<Short<N>> = (0..ball.rows.len().min(env("LISTBALL", 150000)))
            .map(|e| Short { row: ball.rows[e], word: ball.word(e) })
            .collect();
        let mut tables = Tables {
            base: Vec::new(),
            first: 0,
            ways: FxHashMap::default(),
            sorted: Vec::new(),
            undo: Vec::new(),
            stages: Vec::new(),
            cycles,
            ball,
        };
        if tables.cycles.is_some() {
            return Ok(tables);
        }
        let index = tables.ball.rows.len() * endings / ways_most;
        let points = choose_points(degree, &list, index.max(places_most));
        tables.first = points.len();
        tables.base.extend(&points);
        tables.sort_ball();
        if std::env::var("DBG").is_ok() {
            eprintln!(
                "first {points:?} ball {} radius {} endings {endings} keys {}",
                tables.ball.rows.len(),
                tables.ball.radius(),
                tables.ways.len()
            );
        }
        list = deeper(&tables.ball, &list, &[], &points, work)?;
        while list.iter().any(|element| element.row != identity()) {
            let points = choose_points(degree, &list, places_most);
            if points.is_empty() {
                break;
            }
            let stage = Stage::new(points.clone(), &list, work)?;
            let fixed = tables.base.clone();
            list = deeper(&tables.ball, &list, &fixed, &points, work)?;
            tables.base.extend(&points);
            if std::env::var("DBG").is_ok() {
                eprintln!("{:?}", t.elapsed());
                let mean = stage.words.iter().map(|w| w.len()).sum::<usize>() as f64 / stage.len() as f64;
                let max = stage.words.iter().map(|w| w.len()).max().unwrap_or(0);
                eprintln!(
                    "stage {:?} places {} mean {mean:.1} max {max} next list {} shortest {:?}",
                    points,
                    stage.len(),
                    list.len(),
                    list.first().map(|e| e.word.len())
                );
            }
            tables.stages.push(stage);
        }
        Ok(tables)
    }

    fn sort_ball(&mut self) {
        let points = &self.base[..self.first];
        let mut keyed: Vec<(u64, u32)> =
            self.ball.rows.iter().zip(0..).map(|(row, number)| (images_key(row, points), number)).collect();
        keyed.sort_unstable();
        let mut start = 0;
        for group in keyed.chunk_by(|a, b| a.0 == b.0) {
            self.ways.insert(group[0].0, (start, start + group.len() as u32));
            start += group.len() as u32;
        }
        self.undo = keyed.iter().map(|pair| inverse(&self.ball.rows[pair.1 as usize])).collect();
        self.sorted = keyed.into_iter().map(|pair| pair.1).collect();
    }

    /// A short word for a target; `None` if the tables have none, which says nothing about the group.
    pub fn factor(&self, target: &Row<N>, work: Work<'_>) -> Done<Option<Vec<Code>>> {
        if let Some(element) = self.ball.find(target) {
            return Ok(Some(self.ball.word(element)));
        }
        if let Some(cycles) = &self.cycles {
            return cycles.factor(&self.ball, target, env("TRIES", 40), work);
        }
        let inverted_target = inverse(target);
        let mut best: Option<Way> = None;
        let mut tried = 0;
        for ending in 0..self.ball.rows.len() {
            // The longer the word, the more it varies and the more is to be gained.
            let cost = best.as_ref().map_or(usize::MAX, |way| way.cost);
            if ending > env("ENDCAP", 1500)
                || tried > env("TRIED", 300).max(cost.saturating_mul(cost) / env("DIV", 3))
                || self.ball.length_of(ending) >= cost
            {
                break;
            }
            work.charge(4)?;
            let back = inverse(&self.ball.rows[ending]);
            for (inverted, row) in [(false, target), (true, &inverted_target)] {
                let mut start: Row<N> = [0; N];
                for (slot, &point) in start.iter_mut().zip(&self.base) {
                    *slot = image(&back, image(row, point));
                }
                let key = start[..self.first].iter().fold(0u64, |key, &image| key << 8 | u64::from(image));
                let Some(&(from, to)) = self.ways.get(&key) else { continue };
                let own = self.ball.length_of(ending);
                for (undo, &middle) in self.undo[from as usize..to as usize].iter().zip(&self.sorted[from as usize..]) {
                    let own = own + self.ball.length_of(middle as usize);
                    let most = best.as_ref().map_or(usize::MAX, |way| way.cost);
                    if own >= most {
                        break;
                    }
                    tried += 1;
                    let mut images = start;
                    for slot in &mut images[self.first..self.base.len()] {
                        *slot = image(undo, *slot);
                    }
                    if let Some(cost) = self.descend(&mut images, own, most, |_, _| {}) {
                        best = Some(Way { cost, inverted, middle, ending: ending as u32 });
                    }
                }
            }
        }
        let Some(way) = best else { return Ok(None) };
        let mut word = self.spell(target, &way);
        self.ball.shorten(&mut word, work)?;
        Ok(Some(word))
    }

    /// Settles the later steps; the cost in letters if it is below `most`.
    fn descend(
        &self,
        images: &mut Row<N>,
        own: usize,
        most: usize,
        mut visit: impl FnMut(usize, usize),
    ) -> Option<usize> {
        let mut cost = own;
        let mut done = self.first;
        for (number, stage) in self.stages.iter().enumerate() {
            let end = done + stage.points.len();
            let key = images[done..end].iter().fold(0u64, |key, &image| key << 8 | u64::from(image));
            let place = stage.place(key)?;
            cost += stage.words[place].len();
            if cost >= most {
                return None;
            }
            let back = &stage.back[place];
            for slot in &mut images[end..self.base.len()] {
                *slot = image(back, *slot);
            }
            visit(number, place);
            done = end;
        }
        Some(cost)
    }

    fn spell(&self, target: &Row<N>, way: &Way) -> Vec<Code> {
        let row = if way.inverted { inverse(target) } else { *target };
        let (middle, ending) = (way.middle as usize, way.ending as usize);
        let (back, further) = (inverse(&self.ball.rows[ending]), inverse(&self.ball.rows[middle]));
        let mut images: Row<N> = [0; N];
        for (slot, &point) in images.iter_mut().zip(&self.base) {
            *slot = image(&further, image(&back, image(&row, point)));
        }
        let mut places = Vec::new();
        self.descend(&mut images, 0, usize::MAX, |_, place| places.push(place));
        let mut word = Vec::new();
        for (stage, &place) in self.stages.iter().zip(&places).rev() {
            append(&mut word, &stage.words[place]);
        }
        append(&mut word, &self.ball.word(middle));
        append(&mut word, &self.ball.word(ending));
        if !way.inverted {
            return word;
        }
        let mut back = Vec::new();
        append_inverse(&mut back, &word);
        back
    }
}

/// Base points for the next step: at each choice the point that the most short elements fix, for as long as there are at most
/// `most` places for all of them.
fn choose_points<const N: usize>(degree: usize, list: &[Short<N>], most: usize) -> Vec<u8> {
    let mut points = Vec::new();
    let mut places = 1usize;
    let mut left: Vec<&Short<N>> = list.iter().collect();
    while points.len() < MOST_POINTS {
        let mut weights = vec![0.0; degree];
        let mut moved = vec![false; degree];
        for element in &left {
            let weight = 0.4f64.powi(element.word.len() as i32);
            for point in 0..degree {
                match image(&element.row, point as u8) as usize == point {
                    true => weights[point] += weight,
                    false => moved[point] = true,
                }
            }
        }
        let candidates = (0..degree).filter(|&point| moved[point]);
        let Some(point) = candidates.max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a))) else { break };
        let mut orbit = vec![false; degree];
        let mut queue = vec![point as u8];
        orbit[point] = true;
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for element in left.iter().take(2000) {
                let to = image(&element.row, at);
                if !std::mem::replace(&mut orbit[to as usize], true) {
                    queue.push(to);
                }
            }
        }
        places = places.saturating_mul(queue.len());
        if places > most && !points.is_empty() {
            break;
        }
        points.push(point as u8);
        left.retain(|element| image(&element.row, point as u8) as usize == point);
    }
    points
}
