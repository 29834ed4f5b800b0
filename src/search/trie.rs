//! Lists of points of one length, numbered in the order in which they come.

const NONE: u32 = u32::MAX;

/// A number for each of some lists of points: a tree with a table for each beginning. Finding a list costs one look-up for each of its points.
#[derive(Clone, Debug)]
pub(super) struct Trie {
    points: usize,
    length: usize,
    count: u32,
    /// for each node and point the next node, or the number of the list at the end
    next: Vec<u32>,
}

impl Trie {
    /// No lists yet; they will have `length` points below `points`.
    pub fn new(points: usize, length: usize) -> Trie {
        Trie { points, length, count: 0, next: vec![NONE; points] }
    }

    /// The number of a list of points in range.
    pub fn get(&self, list: impl Iterator<Item = usize>) -> Option<u32> {
        if self.length == 0 {
            return (self.count > 0).then_some(0);
        }
        let mut node = 0;
        for point in list {
            node = self.next[node as usize * self.points + point];
            if node == NONE {
                return None;
            }
        }
        Some(node)
    }

    /// The number of a list of points in range, and whether it is new. There are fewer than 2^32 lists.
    pub fn insert(&mut self, list: impl Iterator<Item = usize>) -> (u32, bool) {
        let mut node = 0;
        let mut fresh = self.count == 0 && self.length == 0;
        for (at, point) in list.enumerate() {
            let slot = node as usize * self.points + point;
            node = self.next[slot];
            if node != NONE {
                continue;
            }
            if at + 1 == self.length {
                node = self.count;
                fresh = true;
            } else {
                node = (self.next.len() / self.points) as u32;
                self.next.resize(self.next.len() + self.points, NONE);
            }
            self.next[slot] = node;
        }
        self.count += u32::from(fresh);
        (node, fresh)
    }
}
