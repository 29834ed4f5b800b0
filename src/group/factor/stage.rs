//! One step down a stabiliser chain, over several base points at once, with short words.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ball::{Ball, Code, Row, append, append_inverse, fingerprint, identity, image, images_key, inverse, then};
use crate::group::{Done, Work};

/// An element with a flat word.
#[derive(Clone)]
pub(super) struct Short<const N: usize> {
    pub row: Row<N>,
    pub word: Vec<Code>,
}

impl<const N: usize> Short<N> {
    pub fn then_inverse(&self, other: &Short<N>) -> Short<N> {
        let mut word = self.word.clone();
        append_inverse(&mut word, &other.word);
        Short { row: then(&self.row, &inverse(&other.row)), word }
    }

    pub fn inverse(&self) -> Short<N> {
        let mut word = Vec::with_capacity(self.word.len());
        append_inverse(&mut word, &self.word);
        Short { row: inverse(&self.row), word }
    }
}

/// How many of the shortest elements of a list are used as steps when a table is completed.
const STEPS: usize = 96;

/// The shortest elements of a list, and those that are needed for the same orbits: for each of the points, the elements that
/// fix the points before it and join orbits that shorter ones have not joined.
fn steps<const N: usize>(points: &[u8], list: &[Short<N>]) -> Vec<u32> {
    let mut chosen: Vec<u32> = (0..list.len().min(STEPS) as u32).collect();
    let mut left: Vec<u32> = (0..list.len() as u32).collect();
    for &point in points {
        let mut class: Row<N> = identity();
        for &number in &left {
            let row = &list[number as usize].row;
            let mut joins = false;
            for from in 0..N {
                let (a, b) = (class[from], image(&class, row[from]));
                if a != b {
                    joins = true;
                    class.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
                }
            }
            if joins {
                chosen.push(number);
            }
        }
        left.retain(|&number| image(&list[number as usize].row, point) == point);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// For every place where the base points of this step can be, a short word that fixes all base points before and brings
/// these there.
pub(super) struct Stage<const N: usize> {
    pub points: Vec<u8>,
    index: FxHashMap<u64, u32>,
    /// By place: takes the base points back.
    back: Vec<Row<N>>,
    words: Vec<Vec<Code>>,
}

impl<const N: usize> Stage<N> {
    /// The table over the elements of `list`, which fix all base points before and are sorted by length, and over products of
    /// them: shortest paths (Dijkstra) from place to place. Costs the number of places times [`STEPS`].
    pub fn new(points: Vec<u8>, list: &[Short<N>], work: Work<'_>) -> Done<Stage<N>> {
        let start = images_key(&identity::<N>(), &points);
        let mut places: Vec<u64> = vec![start];
        let mut index: FxHashMap<u64, u32> = FxHashMap::default();
        index.insert(start, 0);
        // by place: the length, the place before and the element that led from there
        let mut best: Vec<(usize, u32, u32)> = vec![(0, 0, u32::MAX)];
        let mut waiting: Vec<Vec<u32>> = vec![vec![0]];
        let wait = |waiting: &mut Vec<Vec<u32>>, length: usize, place: u32| {
            if waiting.len() <= length {
                waiting.resize(length + 1, Vec::new());
            }
            waiting[length].push(place);
        };
        for (number, element) in list.iter().enumerate() {
            let key = images_key(&element.row, &points);
            let place = places.len() as u32;
            if *index.entry(key).or_insert(place) == place {
                places.push(key);
                best.push((element.word.len(), 0, number as u32));
                wait(&mut waiting, element.word.len(), place);
            }
        }
        let steps = steps(&points, list);
        let mut finished = Vec::new();
        let mut length = 0;
        while length < waiting.len() {
            let now = std::mem::take(&mut waiting[length]);
            for place in now {
                if best[place as usize].0 != length || finished.last() == Some(&place) {
                    continue;
                }
                finished.push(place);
                work.charge(STEPS as u64 / 4)?;
                let key = places[place as usize];
                for &number in &steps {
                    let element = &list[number as usize];
                    let total = length + element.word.len();
                    let mut image_key = 0u64;
                    for shift in (0..points.len()).rev() {
                        image_key = image_key << 8 | u64::from(image(&element.row, (key >> (8 * shift)) as u8));
                    }
                    let fresh = places.len() as u32;
                    let to = *index.entry(image_key).or_insert(fresh);
                    if to == fresh {
                        places.push(image_key);
                        best.push((usize::MAX, 0, 0));
                    }
                    if total < best[to as usize].0 {
                        best[to as usize] = (total, place, number);
                        wait(&mut waiting, total, to);
                    }
                }
            }
            length += 1;
        }
        let mut stage =
            Stage { points, index, back: vec![[0; N]; places.len()], words: vec![Vec::new(); places.len()] };
        let mut done = vec![false; places.len()];
        for place in finished {
            if std::mem::replace(&mut done[place as usize], true) {
                continue;
            }
            let (_, before, number) = best[place as usize];
            match list.get(number as usize) {
                None => stage.back[place as usize] = identity(),
                Some(element) => {
                    stage.back[place as usize] = then(&inverse(&element.row), &stage.back[before as usize]);
                    let mut word = stage.words[before as usize].clone();
                    append(&mut word, &element.word);
                    stage.words[place as usize] = word;
                }
            }
        }
        Ok(stage)
    }

    /// For the images of the base points: what takes them back, and the word that brought them there.
    pub fn place(&self, key: u64) -> Option<(&Row<N>, &[Code])> {
        let &place = self.index.get(&key)?;
        Some((self.back.get(place as usize)?, self.words.get(place as usize)?))
    }
}

/// How many elements a list keeps, apart from the rare ones.
const LIST: usize = 12_000;
/// Longer words are not kept. Where there are no others, the tables end: lengths double from step to step then.
const LONGEST: usize = 600;
/// With how many others that bring the points to the same place an element is divided.
const BUCKET: usize = 4;
/// So many elements that bring a point to the same place are not too many.
const RARE: u8 = 6;
/// Of how many elements conjugates are formed, by how many short elements; and where elements are few.
const CONJUGATES: (usize, usize) = (150, 1200);
const CONJUGATES_OF_FEW: (usize, usize) = (600, 6000);
/// Products of so many elements are formed where elements are few.
const FACTORS: usize = 64;

/// Elements that fix `points` as well, from a list of elements sorted by length: those that do, quotients of two that bring
/// the points to the same place (Minkwitz's "products"), and conjugates by short elements. Sorted by length.
pub(super) fn deeper<const N: usize>(
    ball: &Ball<N>,
    list: &[Short<N>],
    fixed: &[u8],
    points: &[u8],
    work: Work<'_>,
) -> Done<Vec<Short<N>>> {
    let home = images_key(&identity::<N>(), points);
    let mut buckets: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    let mut pairs: Vec<(u32, u32, u32)> = Vec::new();
    work.charge(list.len() as u64)?;
    for (number, element) in list.iter().enumerate() {
        let key = images_key(&element.row, points);
        if key == home {
            pairs.push((element.word.len() as u32, number as u32, u32::MAX));
            continue;
        }
        let bucket = buckets.entry(key).or_default();
        for &other in bucket.iter() {
            let letters = element.word.len() + list[other as usize].word.len();
            if letters <= LONGEST {
                pairs.push((letters as u32, number as u32, other));
            }
        }
        if bucket.len() < BUCKET {
            bucket.push(number as u32);
        }
    }
    pairs.sort_by_key(|pair| pair.0);
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    seen.insert(fingerprint(&identity::<N>(), ball.degree));
    let mut out: Vec<Short<N>> = Vec::new();
    let mut met = vec![0u8; N * N];
    let mut keep = |element: Short<N>, out: &mut Vec<Short<N>>| {
        // A list that is half full takes only what brings some point where few others bring it.
        let full = out.len() >= LIST / 2;
        let mut rare = false;
        for (p, &x) in element.row.iter().enumerate().filter(|&(p, &x)| p != x as usize) {
            let count = &mut met[p * N + x as usize];
            rare |= *count < RARE;
            *count = count.saturating_add(1);
        }
        if (full && !rare) || !seen.insert(fingerprint(&element.row, ball.degree)) {
            return;
        }
        let back = element.inverse();
        if seen.insert(fingerprint(&back.row, ball.degree)) {
            out.push(back);
        }
        out.push(element);
    };
    for &(_, first, second) in pairs.iter().take(4 * LIST) {
        if out.len() >= LIST {
            break;
        }
        work.charge(4)?;
        let element = &list[first as usize];
        match list.get(second as usize) {
            None => keep(element.clone(), &mut out),
            Some(other) => keep(element.then_inverse(other), &mut out),
        }
    }
    out.sort_by_key(|element| element.word.len());
    let small = |element: &&Short<N>| {
        let moved = element.row.iter().enumerate().filter(|&(i, &x)| i != x as usize).count();
        2 * moved <= ball.degree
    };
    let few = out.len() < LIST / 2;
    let (conjugated, conjugators) = if few { CONJUGATES_OF_FEW } else { CONJUGATES };
    let sources: Vec<Short<N>> = out.iter().filter(small).take(conjugated).cloned().collect();
    for by in 1..ball.rows.len().min(conjugators) {
        work.charge(sources.len() as u64 / 8)?;
        let row = &ball.rows[by];
        let back = inverse(row);
        let preimages: Vec<u8> = fixed.iter().chain(points).map(|&p| image(&back, p)).collect();
        let mut word = None;
        for source in &sources {
            if preimages.iter().all(|&p| image(&source.row, p) == p) {
                let by_word = word.get_or_insert_with(|| ball.word(by));
                let mut conjugate = Vec::new();
                append_inverse(&mut conjugate, by_word);
                append(&mut conjugate, &source.word);
                append(&mut conjugate, by_word);
                keep(Short { row: then(&then(&back, &source.row), row), word: conjugate }, &mut out);
            }
        }
    }
    out.sort_by_key(|element| element.word.len());
    // where few are left, products of the shortest
    let factors: Vec<Short<N>> = out.iter().take(FACTORS).cloned().collect();
    if few {
        for (a, b) in factors.iter().flat_map(|a| factors.iter().map(move |b| (a, b))) {
            keep(a.then_inverse(b), &mut out);
        }
        out.sort_by_key(|element| element.word.len());
    }
    Ok(out)
}
