//! One step down a stabiliser chain, over several base points at once, with short words.

use super::ball::{Code, Row, append, identity, image, then};
use super::list::{List, Places, join, orbits};
use crate::group::{Done, Work};

/// How many of the shortest elements of a list are used as steps when a table is completed.
const STEPS: usize = 96;

/// One place in so many has a word that is taken for surprisingly short.
const FEW: usize = 200;

/// The shortest elements of a list, and those that are needed for the same orbits: for each of the points, the elements that
/// fix the points before it and join orbits that shorter ones have not joined.
fn steps<const N: usize>(points: &[u8], list: &List<N>) -> Vec<u32> {
    let mut chosen: Vec<u32> = (0..list.len().min(STEPS) as u32).collect();
    let mut left: Vec<u32> = (0..list.len() as u32).collect();
    for &point in points {
        let mut class: Row<N> = identity();
        chosen.extend(left.iter().filter(|&&number| join(&mut class, list.row(number as usize))));
        left.retain(|&number| image(list.row(number as usize), point) == point);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// For every place where the base points of this step can be, a short word that fixes all base points before and brings
/// these there.
pub(super) struct Stage<const N: usize> {
    pub points: Vec<u8>,
    places: Places<N>,
    /// By place: the length of the word, [`UNREACHED`] if there is none, and which of the words.
    lengths: Vec<u16>,
    index: Vec<u32>,
    /// Each takes the base points back.
    back: Vec<Row<N>>,
    letters: Vec<Code>,
    ends: Vec<u32>,
}

const UNREACHED: u16 = u16::MAX;

/// The shortest path to a place that is known.
#[derive(Clone, Copy)]
struct Path {
    /// The place before, and the element that led from there.
    from: (u32, u32),
    images: [u8; 8],
}

impl<const N: usize> Stage<N> {
    /// The table over the elements of `list`, which fix all base points before and are sorted by length, and over products of
    /// them: shortest paths (Dijkstra) from place to place. Costs the number of places times [`STEPS`].
    pub fn new(points: Vec<u8>, list: &List<N>, work: Work<'_>) -> Done<Stage<N>> {
        let places = Places::new(&points, &orbits(list.rows()));
        let mut paths = Paths {
            lengths: vec![UNREACHED; places.count()],
            paths: vec![Path { from: (0, 0), images: [0; 8] }; places.count()],
            waiting: Vec::new(),
        };
        let mut home = [0; 8];
        home.iter_mut().zip(&points).for_each(|(slot, &point)| *slot = point);
        let start = places.number(home);
        paths.offer(start, 0, Path { from: (0, u32::MAX), images: home });
        for number in 0..list.len() {
            let images = home.map(|point| image(list.row(number), point));
            let place = places.number(images);
            let path = Path { from: (start as u32, number as u32), images };
            if paths.lengths.get(place) == Some(&UNREACHED) {
                paths.offer(place, list.length(number), path);
            }
        }
        let steps: Vec<(u32, usize, Row<N>)> =
            steps(&points, list).into_iter().map(|n| (n, list.length(n as usize), *list.row(n as usize))).collect();
        let mut finished = Vec::new();
        let mut length = 0;
        while length < paths.waiting.len() {
            for place in std::mem::take(&mut paths.waiting[length]) {
                if usize::from(paths.lengths[place as usize]) != length || finished.last() == Some(&place) {
                    continue;
                }
                finished.push(place);
                work.charge(STEPS as u64 / 4)?;
                let images = paths.paths[place as usize].images;
                for (number, letters, row) in &steps {
                    let to = places.number(images[..points.len()].iter().map(|&x| image(row, x)));
                    if paths.is_better(to, length + letters) {
                        let images = images.map(|x| image(row, x));
                        paths.offer(to, length + letters, Path { from: (place, *number), images });
                    }
                }
            }
            length += 1;
        }
        let mut stage = Stage {
            points,
            lengths: vec![UNREACHED; places.count()],
            index: vec![0; places.count()],
            places,
            back: Vec::new(),
            letters: Vec::new(),
            ends: vec![0],
        };
        let mut word = Vec::new();
        for place in finished {
            if stage.lengths[place as usize] != UNREACHED {
                continue;
            }
            let (before, number) = paths.paths[place as usize].from;
            word.clear();
            let mut back = identity();
            if number != u32::MAX {
                let (row, letters) = stage.entry(before as usize);
                back = then(list.back(number as usize), row);
                word.extend_from_slice(letters);
                append(&mut word, list.word(number as usize));
            }
            stage.lengths[place as usize] = word.len().min(usize::from(UNREACHED - 1)) as u16;
            stage.index[place as usize] = stage.back.len() as u32;
            stage.back.push(back);
            stage.letters.extend_from_slice(&word);
            stage.ends.push(stage.letters.len() as u32);
        }
        Ok(stage)
    }

    /// All words are at least so long, but for few.
    pub fn short_length(&self) -> usize {
        let mut lengths: Vec<u16> = self.lengths.iter().copied().filter(|&length| length != UNREACHED).collect();
        let few = lengths.len() / FEW;
        if lengths.is_empty() { 0 } else { usize::from(*lengths.select_nth_unstable(few).1) }
    }

    /// The place of the base points with these images, and how long its word is.
    pub fn place(&self, images: impl IntoIterator<Item = u8>) -> Option<(usize, usize)> {
        let place = self.places.number(images);
        let &length = self.lengths.get(place)?;
        (length != UNREACHED).then_some((place, usize::from(length)))
    }

    /// What takes the base points back from a place that has a word, and the word that brought them there.
    pub fn entry(&self, place: usize) -> (&Row<N>, &[Code]) {
        let entry = self.index[place] as usize;
        (&self.back[entry], &self.letters[self.ends[entry] as usize..self.ends[entry + 1] as usize])
    }
}

/// The shortest paths so far, by place.
struct Paths {
    lengths: Vec<u16>,
    paths: Vec<Path>,
    /// Places by the length of a path to them.
    waiting: Vec<Vec<u32>>,
}

impl Paths {
    fn is_better(&self, place: usize, length: usize) -> bool {
        self.lengths.get(place).is_some_and(|&known| length < usize::from(known))
    }

    fn offer(&mut self, place: usize, length: usize, path: Path) {
        if self.is_better(place, length) {
            self.lengths[place] = length as u16;
            self.paths[place] = path;
            if self.waiting.len() <= length {
                self.waiting.resize(length + 1, Vec::new());
            }
            self.waiting[length].push(place as u32);
        }
    }
}
