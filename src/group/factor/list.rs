//! Many permutations with flat words, next to each other.

use super::ball::{Code, Row, identity, image, then};

/// Elements, their inverses and their words.
pub(super) struct List<const N: usize> {
    rows: Vec<Row<N>>,
    backs: Vec<Row<N>>,
    letters: Vec<Code>,
    /// Where each word ends among the letters, after a 0.
    ends: Vec<u32>,
}

impl<const N: usize> List<N> {
    pub fn new() -> List<N> {
        List { rows: Vec::new(), backs: Vec::new(), letters: Vec::new(), ends: vec![0] }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn row(&self, element: usize) -> &Row<N> {
        &self.rows[element]
    }

    pub fn rows(&self) -> &[Row<N>] {
        &self.rows
    }

    /// The inverse.
    pub fn back(&self, element: usize) -> &Row<N> {
        &self.backs[element]
    }

    pub fn word(&self, element: usize) -> &[Code] {
        &self.letters[self.ends[element] as usize..self.ends[element + 1] as usize]
    }

    pub fn length(&self, element: usize) -> usize {
        (self.ends[element + 1] - self.ends[element]) as usize
    }

    pub fn push(&mut self, row: Row<N>, back: Row<N>, word: impl IntoIterator<Item = Code>) {
        self.rows.push(row);
        self.backs.push(back);
        self.letters.extend(word);
        self.ends.push(self.letters.len() as u32);
    }

    /// The elements by the lengths of their words; of one length they stay in order.
    pub fn by_length(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|&element| self.length(element as usize));
        order
    }

    /// The list in another order.
    pub fn in_order(&self, order: &[u32]) -> List<N> {
        let mut list = List::new();
        for element in order.iter().map(|&element| element as usize) {
            list.push(*self.row(element), *self.back(element), self.word(element).iter().copied());
        }
        list
    }
}

/// The orbits of the group that some elements generate: each point has the name of its orbit.
pub(super) fn orbits<'a, const N: usize>(rows: impl IntoIterator<Item = &'a Row<N>>) -> Row<N> {
    let mut class = identity();
    for row in rows {
        join(&mut class, row);
    }
    class
}

/// Joins the orbits that an element joins; whether there were any.
pub(super) fn join<const N: usize>(class: &mut Row<N>, row: &Row<N>) -> bool {
    if then(row, class) == *class {
        return false;
    }
    for point in 0..N {
        let (a, b) = (class[point], image(class, row[point]));
        if a != b {
            class.iter_mut().filter(|name| **name == b).for_each(|name| *name = a);
        }
    }
    true
}

/// Numbers for the places where some points can be together: the images, each a digit among the points of its orbit.
pub(super) struct Places<const N: usize> {
    /// By point: what an image adds to the number.
    digits: Vec<[u32; N]>,
    count: usize,
}

/// What an image adds that is in no place: more than there are places.
const NOWHERE: u32 = 1 << 27;

impl<const N: usize> Places<N> {
    /// From the points and the orbits of all. There are at most 8 points.
    pub fn new(points: &[u8], class: &Row<N>) -> Places<N> {
        let mut count = 1;
        let mut digits = Vec::new();
        for &point in points {
            let mut added = [NOWHERE; N];
            let mut size = 0;
            for (added, _) in added.iter_mut().zip(class).filter(|pair| *pair.1 == image(class, point)) {
                *added = (size * count).min(NOWHERE as usize) as u32;
                size += 1;
            }
            digits.push(added);
            count *= size;
        }
        Places { digits, count: count.min(NOWHERE as usize) }
    }

    /// No number is so large.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a place, from the images of the points in order; a number that is too large if they cannot be there.
    pub fn number(&self, images: impl IntoIterator<Item = u8>) -> usize {
        let sum = self.digits.iter().zip(images).map(|(added, image)| added[usize::from(image) & (N - 1)]).sum::<u32>();
        sum as usize
    }

    /// The number of the place to which an element brings the points.
    pub fn number_of(&self, points: &[u8], row: &Row<N>) -> usize {
        self.number(points.iter().map(|&point| image(row, point)))
    }
}
