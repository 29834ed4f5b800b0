//! 3-cycles from elements that move few points.
//!
//! A power of a short word may move few points only. If it meets a conjugate of itself in a single point, their commutator is a
//! 3-cycle. Boards whose moves turn most of the cells have no shorter ones to begin with.

use super::ball::{Ball, Code, Row, append, append_inverse, image, inverse, then};
use super::cycles::three_cycle;
use crate::group::{Done, Work};

/// Of how many elements powers are formed.
const ELEMENTS: usize = 3000;
/// Powers with at most so many letters.
const LONGEST_POWER: usize = 16;
/// How many of them are kept, those that move few points with few letters.
const KEPT: usize = 40;
/// With how many elements they are conjugated.
const CONJUGATES: usize = 6000;
/// So many 3-cycles are enough.
const ENOUGH: usize = 400;

struct Quiet<const N: usize> {
    row: Row<N>,
    word: Vec<Code>,
    points: Vec<u8>,
}

/// 3-cycles with words of at most `longest` letters: commutators of quiet elements with their conjugates.
pub(super) fn quiet_cycles<const N: usize>(
    ball: &Ball<N>,
    longest: usize,
    work: Work<'_>,
) -> Done<Vec<([u8; 3], Vec<Code>)>> {
    let mut found: Vec<([u8; 3], Vec<Code>)> = Vec::new();
    for quiet in quiet_elements(ball, work)? {
        let mut inside = [false; N];
        quiet.points.iter().for_each(|&point| inside[usize::from(point) & (N - 1)] = true);
        for by in 1..ball.size().min(CONJUGATES) {
            if 4 * (quiet.word.len() + ball.list.length(by)) > longest {
                break;
            }
            if by % 64 == 0 {
                work.charge(16)?;
            }
            let row = ball.list.row(by);
            let meet =
                quiet.points.iter().filter(|&&point| inside[usize::from(image(row, point)) & (N - 1)]).take(2).count();
            if meet != 1 {
                continue;
            }
            // h, then u' h u, then both undone
            let mut conjugate = Vec::new();
            append_inverse(&mut conjugate, ball.list.word(by));
            append(&mut conjugate, &quiet.word);
            append(&mut conjugate, ball.list.word(by));
            let mut word = quiet.word.clone();
            append(&mut word, &conjugate);
            append_inverse(&mut word, &quiet.word);
            append_inverse(&mut word, &conjugate);
            let other = then(&then(ball.list.back(by), &quiet.row), row);
            let commutator = then(&then(&quiet.row, &other), &inverse(&then(&other, &quiet.row)));
            if let Some(points) = three_cycle(&commutator) {
                found.push((points, word));
            }
            if found.len() >= ENOUGH {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// Powers of short elements that move at most half of the points: those with few points and letters first.
fn quiet_elements<const N: usize>(ball: &Ball<N>, work: Work<'_>) -> Done<Vec<Quiet<N>>> {
    let mut quiet: Vec<Quiet<N>> = Vec::new();
    for element in 1..ball.size().min(ELEMENTS) {
        work.charge(2)?;
        let row = ball.list.row(element);
        let length = ball.list.length(element);
        let mut power = *row;
        for exponent in 1..=LONGEST_POWER / length.max(1) {
            let points: Vec<u8> = (0..ball.degree as u8).filter(|&point| image(&power, point) != point).collect();
            if points.is_empty() {
                break;
            }
            if 2 * points.len() <= ball.degree {
                quiet.push(Quiet { row: power, word: ball.list.word(element).repeat(exponent), points });
                break;
            }
            power = then(&power, row);
        }
    }
    quiet.sort_by_key(|quiet| (quiet.points.len() * quiet.word.len(), quiet.word.len()));
    quiet.truncate(KEPT);
    Ok(quiet)
}
