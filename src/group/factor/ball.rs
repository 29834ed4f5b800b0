//! All elements that short words reach, and permutations as rows of bytes.

use rustc_hash::FxHashMap;

use super::list::List;
use crate::group::{Done, Work};
use crate::perm::kernel::product_of_bytes;

/// A permutation of at most `N` points; `N` is a power of two, so that masking an image keeps it in bounds.
pub(super) type Row<const N: usize> = [u8; N];

pub(super) fn identity<const N: usize>() -> Row<N> {
    std::array::from_fn(|i| i as u8)
}

pub(super) fn image<const N: usize>(row: &Row<N>, point: u8) -> u8 {
    row[point as usize & (N - 1)]
}

/// `a` first.
pub(super) fn then<const N: usize>(a: &Row<N>, b: &Row<N>) -> Row<N> {
    product_of_bytes(a, b)
}

pub(super) fn inverse<const N: usize>(row: &Row<N>) -> Row<N> {
    let mut inverse = [0; N];
    for (i, &x) in row.iter().enumerate() {
        inverse[x as usize & (N - 1)] = i as u8;
    }
    inverse
}

/// A number for a permutation. Two permutations of one number are taken for equal; a word that suffers from it does not
/// survive its evaluation at the end.
pub(super) fn fingerprint<const N: usize>(row: &Row<N>, degree: usize) -> u64 {
    let mut hash = 0u64;
    for chunk in row[..degree.next_multiple_of(8).min(N)].chunks_exact(8) {
        let bits = chunk.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        hash = (hash.rotate_left(23) ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash ^ hash >> 29
}

/// A move, forward (even) or backward (odd): the number of the usable generator, doubled.
pub(super) type Code = u8;

/// Appends a code; a code and its inverse vanish.
pub(super) fn push_reduced(word: &mut Vec<Code>, code: Code) {
    if word.last() == Some(&(code ^ 1)) {
        word.pop();
    } else {
        word.push(code);
    }
}

pub(super) fn append(word: &mut Vec<Code>, more: &[Code]) {
    more.iter().for_each(|&code| push_reduced(word, code));
}

pub(super) fn append_inverse(word: &mut Vec<Code>, more: &[Code]) {
    more.iter().rev().for_each(|&code| push_reduced(word, code ^ 1));
}

/// The elements of all words up to some length, each with a shortest one.
pub(super) struct Ball<const N: usize> {
    pub degree: usize,
    /// The moves: backward ones are odd.
    pub moves: Vec<Row<N>>,
    /// By length.
    pub list: List<N>,
    /// Where the elements of each length begin; the last entry is the number of elements.
    starts: Vec<usize>,
    by_fingerprint: FxHashMap<u64, u32>,
    /// One bit for some of the bits of each fingerprint: small enough to stay near the processor, it spares most searches for
    /// what is not there.
    sieve: Vec<u64>,
}

/// The sieve has 2^20 bits.
const SIEVE_WORDS: usize = 1 << 14;

/// Where a fingerprint is in the sieve: the word and the bit.
fn in_sieve(fingerprint: u64) -> (usize, u64) {
    (fingerprint as usize >> 6 & (SIEVE_WORDS - 1), 1 << (fingerprint & 63))
}

impl<const N: usize> Ball<N> {
    /// The largest ball of at most `most` elements, breadth first. Costs its size times the number of moves.
    pub fn new(degree: usize, moves: Vec<Row<N>>, most: usize, work: Work<'_>) -> Done<Ball<N>> {
        let identity = identity();
        let mut list = List::new();
        list.push(identity, identity, []);
        let mut ball = Ball {
            degree,
            moves,
            list,
            starts: vec![0, 1],
            by_fingerprint: FxHashMap::default(),
            sieve: vec![0; SIEVE_WORDS],
        };
        ball.insert(fingerprint(&identity, degree), 0);
        loop {
            let [.., start, end] = ball.starts[..] else { return Ok(ball) };
            // the next sphere is expected to grow as this one did
            let before = start - ball.starts[ball.starts.len().saturating_sub(3)];
            if start > 1 && end + (end - start) * (end - start) / before.max(1) > most {
                return Ok(ball);
            }
            for element in start..end {
                work.charge(ball.moves.len() as u64)?;
                let (row, back) = (*ball.list.row(element), *ball.list.back(element));
                let word = ball.list.word(element).to_vec();
                let undone = word.last().map(|&code| usize::from(code ^ 1));
                for code in (0..ball.moves.len()).filter(|&code| Some(code) != undone) {
                    let longer = then(&row, &ball.moves[code]);
                    if ball.insert(fingerprint(&longer, degree), ball.list.len()) {
                        let back = then(&ball.moves[code ^ 1], &back);
                        ball.list.push(longer, back, word.iter().copied().chain([code as Code]));
                    }
                }
            }
            if ball.list.len() == end {
                return Ok(ball);
            }
            ball.starts.push(ball.list.len());
        }
    }

    /// Whether it was not there.
    fn insert(&mut self, fingerprint: u64, element: usize) -> bool {
        let (word, bit) = in_sieve(fingerprint);
        self.sieve[word] |= bit;
        let size = self.by_fingerprint.len();
        self.by_fingerprint.entry(fingerprint).or_insert(element as u32);
        self.by_fingerprint.len() > size
    }

    pub fn size(&self) -> usize {
        self.list.len()
    }

    pub fn radius(&self) -> usize {
        self.starts.len() - 2
    }

    /// How many elements have words of at most this length.
    pub fn size_at(&self, length: usize) -> usize {
        self.starts[(length + 1).min(self.starts.len() - 1)]
    }

    pub fn find(&self, row: &Row<N>) -> Option<usize> {
        let fingerprint = fingerprint(row, self.degree);
        let (word, bit) = in_sieve(fingerprint);
        if self.sieve[word] & bit == 0 {
            return None;
        }
        self.by_fingerprint.get(&fingerprint).map(|&element| element as usize)
    }

    /// Replaces pieces of a word by shorter ones of the same effect until there are none that the ball knows. Pieces are a
    /// little longer than the radius: of longer ones hardly any are so short.
    pub fn shorten(&self, word: &mut Vec<Code>, work: Work<'_>) -> Done<()> {
        let longest = self.radius() + 4;
        let mut start = 0;
        while start < word.len() {
            work.charge(longest as u64)?;
            let mut row = identity();
            let mut better = None;
            for (count, &code) in word[start..].iter().take(longest).enumerate() {
                row = then(&row, &self.moves[code as usize]);
                if count == 0 {
                    continue;
                }
                if let Some(element) = self.find(&row)
                    && self.list.length(element) < count + 1
                {
                    better = Some((start + count + 1, element));
                    break;
                }
            }
            match better {
                None => start += 1,
                Some((end, element)) => {
                    word.splice(start..end, self.list.word(element).iter().copied());
                    start = start.saturating_sub(longest);
                }
            }
        }
        Ok(())
    }
}
