//! Sorting with short 3-cycles, where the moves do all even permutations of each orbit and have 3-cycles that are short.
//!
//! The right 3-cycle splits a cycle of what is left in three. Of all that split a cycle the shortest is taken; then each of the
//! three is split in the same way. What is done to one cycle does not touch the others.

use super::ball::{Ball, Code, Row, append, append_inverse, identity, image, inverse, push_reduced, then};
use super::list::orbits;
use super::quiet::quiet_cycles;
use crate::group::{Done, Work};

/// At most so many points: there are n^3 / 3 3-cycles.
const MOST_POINTS: usize = 128;
/// Of how many elements commutators are formed, with how many others.
const COMMUTATORS: (usize, usize) = (80, 1200);
/// Of how many elements powers are formed.
const POWERS: usize = 5000;
/// A 3-cycle to begin with has at most so many letters.
const LONGEST: usize = 100;
/// Divided by the number of all 3-cycles: how many times a target is sorted.
const PASSES: usize = 200_000;
/// Among so many short elements endings are looked for.
const ENDINGS: usize = 4000;
const NONE: u32 = u32::MAX;
/// The length of a 3-cycle that there is not.
const UNREACHED: usize = usize::MAX / 4;

/// All 3-cycles of the points, each with a short word.
pub(super) struct Cycles {
    degree: usize,
    /// By length.
    list: Vec<ThreeCycle>,
    /// By points, whichever first: the place in the list.
    index: Vec<u32>,
    /// The orbit of each point: 3-cycles stay in one.
    orbit: Vec<u8>,
    /// Words to begin with.
    first: Vec<Vec<Code>>,
    /// Numbers of elements of the ball with which a target is sorted: short ones, of all parities on orbits that occur; with
    /// these parities.
    endings: Vec<(usize, Vec<bool>)>,
}

struct ThreeCycle {
    points: [u8; 3],
    length: u16,
    origin: Origin,
}

#[derive(Clone, Copy)]
enum Origin {
    First(u32),
    /// The conjugate of another by a move: the inverse of the move, the other, the move.
    Conjugate(u32, Code),
}

impl Cycles {
    /// The 3-cycles by breadth first search from commutators and powers of short elements; `None` if there are too many points
    /// or not all 3-cycles are reached. Costs n^3 / 3 times the number of moves.
    pub fn new<const N: usize>(ball: &Ball<N>, work: Work<'_>) -> Done<Option<Cycles>> {
        let degree = ball.degree;
        if !(4..=MOST_POINTS).contains(&degree) {
            return Ok(None);
        }
        let mut cycles = Cycles {
            degree,
            list: Vec::new(),
            index: vec![NONE; degree * degree * degree],
            orbit: orbits(&ball.moves)[..degree].to_vec(),
            first: Vec::new(),
            endings: Vec::new(),
        };
        let mut waiting: Vec<Vec<([u8; 3], Origin)>> = Vec::new();
        for (points, word) in first_cycles(ball, work)? {
            waiting.resize(waiting.len().max(word.len() + 1), Vec::new());
            waiting[word.len()].push((points, Origin::First(cycles.first.len() as u32)));
            cycles.first.push(word);
        }
        let mut length = 0;
        while length < waiting.len() {
            for (points, origin) in std::mem::take(&mut waiting[length]) {
                if cycles.index[cycles.slot(points)] != NONE {
                    continue;
                }
                work.charge(ball.moves.len() as u64 / 4)?;
                let number = cycles.list.len() as u32;
                let [a, b, c] = points;
                for turned in [[a, b, c], [b, c, a], [c, a, b]] {
                    let at = cycles.slot(turned);
                    cycles.index[at] = number;
                }
                cycles.list.push(ThreeCycle { points, length: length as u16, origin });
                if waiting.len() < length + 3 {
                    waiting.resize(length + 3, Vec::new());
                }
                for (code, row) in ball.moves.iter().enumerate() {
                    let moved = points.map(|p| image(row, p));
                    if moved != points && cycles.index[cycles.slot(moved)] == NONE {
                        waiting[length + 2].push((moved, Origin::Conjugate(number, code as Code)));
                    }
                }
            }
            length += 1;
        }
        let sizes = (0..degree as u8).map(|orbit| cycles.orbit.iter().filter(|other| **other == orbit).count());
        let all: usize = sizes.filter(|size| *size > 2).map(|size| size * (size - 1) * (size - 2) / 3).sum();
        if cycles.list.len() != all {
            return Ok(None);
        }
        cycles.endings = cycles.endings_of(ball);
        Ok(Some(cycles))
    }

    fn endings_of<const N: usize>(&self, ball: &Ball<N>) -> Vec<(usize, Vec<bool>)> {
        let tries = (PASSES / self.list.len().max(1)).clamp(2, 200);
        let mut endings: Vec<(usize, Vec<bool>)> = Vec::new();
        for element in 0..ball.size().min(ENDINGS) {
            let parity = self.parities(ball.list.row(element));
            if endings.iter().filter(|(_, other)| *other == parity).count() < tries {
                endings.push((element, parity));
            }
        }
        endings
    }

    /// For each point that names an orbit: is the permutation odd there?
    fn parities<const N: usize>(&self, row: &Row<N>) -> Vec<bool> {
        let (points, ranges) = self.cycles_of(row);
        let mut odd = vec![false; self.degree];
        for (start, end) in ranges {
            odd[usize::from(self.orbit[usize::from(points[start])])] ^= (end - start) % 2 == 0;
        }
        odd
    }

    /// The mean length of the words.
    pub fn mean_length(&self) -> f64 {
        let total: usize = self.list.iter().map(|cycle| usize::from(cycle.length)).sum();
        total as f64 / self.list.len().max(1) as f64
    }

    fn slot(&self, [a, b, c]: [u8; 3]) -> usize {
        (usize::from(a) * self.degree + usize::from(b)) * self.degree + usize::from(c)
    }

    fn length_of(&self, points: [u8; 3]) -> usize {
        let number = self.index[self.slot(points)];
        self.list.get(number as usize).map_or(UNREACHED, |cycle| usize::from(cycle.length))
    }

    fn append_word(&self, points: [u8; 3], word: &mut Vec<Code>) {
        let mut by = Vec::new();
        let mut at = self.index[self.slot(points)];
        while let Some(cycle) = self.list.get(at as usize) {
            match cycle.origin {
                Origin::Conjugate(other, code) => {
                    by.push(code);
                    at = other;
                }
                Origin::First(first) => {
                    by.iter().for_each(|&code| push_reduced(word, code ^ 1));
                    append(word, &self.first[first as usize]);
                    by.iter().rev().for_each(|&code| push_reduced(word, code));
                    return;
                }
            }
        }
    }

    /// 3-cycles whose product with an even permutation on the left is trivial, and how many letters they have. `None` for an
    /// odd permutation, or if there would be `most` letters or more. Costs the third power of the lengths of the cycles.
    fn sort<const N: usize>(&self, row: &Row<N>, most: usize) -> Option<(usize, Vec<[u8; 3]>)> {
        let (mut points, mut waiting) = self.cycles_of(row);
        let mut taken = Vec::new();
        let mut pairs: Vec<[u8; 2]> = Vec::new();
        let mut cost = 0;
        while let Some((start, end)) = waiting.pop() {
            let cycle = &mut points[start..end];
            if let &mut [a, b] = cycle {
                pairs.push([a, b]);
            }
            let Some((number, [i, j, k])) = self.shortest_split(cycle) else { continue };
            let three = self.list.get(number as usize)?;
            cost += usize::from(three.length);
            if cost >= most {
                return None;
            }
            taken.push(three.points);
            cycle.rotate_left(i);
            waiting.extend([(start, start + j - i), (start + j - i, start + k - i), (start + k - i, end)]);
        }
        // pairs of transpositions are left: (a b)(c d) is two 3-cycles, if both are in one orbit
        if pairs.len() % 2 == 1 {
            return None;
        }
        while pairs.len() > 1 {
            let mut best = (usize::MAX, [[0; 3]; 2], 0, 0);
            for (i, j) in (0..pairs.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                for [x, y] in [[pairs[i], pairs[j]], [pairs[j], pairs[i]]] {
                    for ([a, b], [c, d]) in [(x, y), (x, [y[1], y[0]])] {
                        // (a b)(c d), then a -> b -> c -> a, leaves a -> c -> d -> a
                        let two = [[a, b, c], [a, d, c]];
                        let cost = self.length_of(two[0]) + self.length_of(two[1]);
                        if cost < best.0 {
                            best = (cost, two, i, j);
                        }
                    }
                }
            }
            if best.0 >= UNREACHED {
                return None;
            }
            cost += best.0;
            taken.extend(best.1);
            pairs.swap_remove(best.2);
            pairs.swap_remove(best.3);
        }
        (cost < most).then_some((cost, taken))
    }

    /// The points of a permutation, cycle by cycle, and where each cycle begins and ends.
    fn cycles_of<const N: usize>(&self, row: &Row<N>) -> (Vec<u8>, Vec<(usize, usize)>) {
        let mut points = Vec::with_capacity(self.degree);
        let mut ranges = Vec::new();
        let mut seen = [false; N];
        for start in 0..self.degree as u8 {
            let (first, mut at) = (points.len(), start);
            while !std::mem::replace(&mut seen[usize::from(at) & (N - 1)], true) {
                points.push(at);
                at = image(row, at);
            }
            if points.len() > first + 1 {
                ranges.push((first, points.len()));
            }
        }
        (points, ranges)
    }

    /// The first 3-cycle in the list whose multiplication makes three cycles of one, and the three places in it, in order: with
    /// the points a, c and b there it is a -> b -> c -> a. `None` for fewer than three points.
    fn shortest_split(&self, cycle: &[u8]) -> Option<(u32, [usize; 3])> {
        let mut best = None;
        let mut least = NONE;
        for (k, &b) in cycle.iter().enumerate().skip(2) {
            for (i, &a) in cycle[..k - 1].iter().enumerate() {
                let begin = (usize::from(a) * self.degree + usize::from(b)) * self.degree;
                let numbers = &self.index[begin..begin + self.degree];
                for (j, &c) in cycle[..k].iter().enumerate().skip(i + 1) {
                    let number = numbers[usize::from(c)];
                    if number < least {
                        least = number;
                        best = Some((number, [i, j, k]));
                    }
                }
            }
        }
        best
    }

    /// A short word for a target, with one of the ball's first elements at its end. `None` if it is odd and they are all even.
    pub fn factor<const N: usize>(&self, ball: &Ball<N>, target: &Row<N>, work: Work<'_>) -> Done<Option<Vec<Code>>> {
        let mut best: Option<(usize, bool, usize, Vec<[u8; 3]>)> = None;
        for (inverted, row) in [(false, *target), (true, inverse(target))] {
            let parity = self.parities(&row);
            // the ending undoes the odd part, where there is one
            for &(ending, _) in self.endings.iter().filter(|(_, other)| *other == parity) {
                work.charge(self.list.len() as u64 / 200)?;
                let own = ball.list.length(ending);
                let most = best.as_ref().map_or(usize::MAX, |best| best.0).saturating_sub(own);
                if let Some((cost, taken)) = self.sort(&then(&row, ball.list.back(ending)), most) {
                    best = Some((cost + own, inverted, ending, taken));
                }
            }
        }
        let Some((_, inverted, ending, taken)) = best else { return Ok(None) };
        // rest times the 3-cycles is trivial: rest is the inverse of their product
        let mut product = Vec::new();
        taken.iter().for_each(|&points| self.append_word(points, &mut product));
        let mut word = Vec::new();
        append_inverse(&mut word, &product);
        append(&mut word, ball.list.word(ending));
        if inverted {
            let forward = std::mem::take(&mut word);
            append_inverse(&mut word, &forward);
        }
        Ok(Some(word))
    }
}

/// 3-cycles among short elements, their commutators and their powers.
fn first_cycles<const N: usize>(ball: &Ball<N>, work: Work<'_>) -> Done<Vec<([u8; 3], Vec<Code>)>> {
    let mut found = Vec::new();
    let (some, others) = (COMMUTATORS.0.min(ball.size()), COMMUTATORS.1.min(ball.size()));
    for i in 0..some {
        work.charge(others as u64)?;
        let (a, a_back) = (ball.list.row(i), ball.list.back(i));
        for j in 0..others {
            let b = ball.list.row(j);
            // a b = b a but for three points
            let differ =
                (0..ball.degree as u8).filter(|&p| image(b, image(a, p)) != image(a, image(b, p))).take(4).count();
            if differ != 3 {
                continue;
            }
            let row = then(&then(a, b), &then(a_back, ball.list.back(j)));
            if let Some(points) = three_cycle(&row) {
                let mut word = ball.list.word(i).to_vec();
                append(&mut word, ball.list.word(j));
                append_inverse(&mut word, ball.list.word(i));
                append_inverse(&mut word, ball.list.word(j));
                found.push((points, word));
            }
        }
    }
    for element in 1..ball.size().min(POWERS) {
        work.charge(4)?;
        let row = ball.list.row(element);
        let length = ball.list.length(element);
        let mut power = *row;
        for exponent in 1..=LONGEST / length {
            if let Some(points) = three_cycle(&power) {
                found.push((points, ball.list.word(element).repeat(exponent)));
                break;
            }
            power = then(&power, row);
        }
    }
    if found.is_empty() {
        found = quiet_cycles(ball, LONGEST, work)?;
    }
    Ok(found.into_iter().filter(|(_, word)| word.len() <= LONGEST).collect())
}

pub(super) fn three_cycle<const N: usize>(row: &Row<N>) -> Option<[u8; 3]> {
    let start = (0..N).find(|&p| usize::from(row[p]) != p)? as u8;
    let (second, third) = (image(row, start), image(row, image(row, start)));
    let closed = second != third && third != start && image(row, third) == start;
    let identity = identity::<N>();
    let differ = row.iter().zip(&identity).filter(|(a, b)| a != b).take(4).count();
    (closed && differ == 3).then_some([start, second, third])
}
