//! The tables of one puzzle for short words: which there are, and which are asked.

use rayon::prelude::*;

use super::ball::{Ball, Code, Row, identity, then};
use super::cycles::Cycles;
use super::descent::{Descent, Taste};
use crate::group::{Done, Work};
use crate::random::Random;

/// How many elements the ball of up to 64 points may have.
const BALL: usize = 150_000;
/// 3-cycles of at most so many letters, on average, leave nothing to be gained by other tables.
const SHORT_CYCLES: f64 = 16.0;
/// Words of at most so many letters, on average, are good enough not to look for better base points.
const GOOD: usize = 60;
/// More points than these make tables too slow to build several.
const FEW_POINTS: usize = 64;
/// How many random elements show how good tables are.
const SAMPLES: u64 = 24;

pub(super) struct Tables<const N: usize> {
    ball: Ball<N>,
    cycles: Option<Cycles>,
    descent: Option<Descent<N>>,
}

impl<const N: usize> Tables<N> {
    /// Tables over a ball of short words. Costs some millions of products of rows; the first tables, and three more in
    /// parallel if the words of the first are long.
    pub fn new(degree: usize, moves: Vec<Row<N>>, work: Work<'_>) -> Done<Tables<N>> {
        let ball = Ball::new(degree, moves, BALL * 64 / N, work)?;
        let cycles = Cycles::new(&ball, work)?;
        let mut tables = Tables { ball, cycles, descent: None };
        if tables.cycles.as_ref().is_some_and(|cycles| cycles.mean_length() <= SHORT_CYCLES) && degree > 20 {
            return Ok(tables);
        }
        let samples = samples(&tables.ball);
        let build = |taste: &Taste| -> Done<(usize, Descent<N>)> {
            let descent = Descent::new(&tables.ball, taste, work)?;
            Ok((descent.score(&tables.ball, &samples, work)?, descent))
        };
        let [first, others @ ..] = Taste::ALL;
        let mut best = build(&first)?;
        if best.0 > GOOD && degree <= FEW_POINTS && (best.0 < usize::MAX || tables.cycles.is_none()) {
            let more: Vec<Done<(usize, Descent<N>)>> = others.par_iter().map(build).collect();
            for built in more {
                let built = built?;
                if built.0 < best.0 {
                    best = built;
                }
            }
        }
        // Tables that fail for many elements would only cost time.
        if best.0 < usize::MAX {
            tables.descent = Some(best.1);
        }
        Ok(tables)
    }

    /// A short word for a target; `None` if the tables have none, which says nothing about the group.
    pub fn factor(&self, target: &Row<N>, work: Work<'_>) -> Done<Option<Vec<Code>>> {
        if let Some(element) = self.ball.find(target) {
            return Ok(Some(self.ball.list.word(element).to_vec()));
        }
        let mut words = Vec::new();
        if let Some(cycles) = &self.cycles {
            words.extend(cycles.factor(&self.ball, target, work)?);
        }
        if let Some(descent) = &self.descent {
            words.extend(descent.factor(&self.ball, target, work)?);
        }
        for word in &mut words {
            self.ball.shorten(word, work)?;
        }
        Ok(words.into_iter().min_by_key(Vec::len))
    }
}

/// Products of many random moves.
fn samples<const N: usize>(ball: &Ball<N>) -> Vec<Row<N>> {
    let sample = |seed| {
        let mut random = Random::new(0x5eed_0100 + seed);
        (0..20 * ball.degree).fold(identity(), |row, _| then(&row, &ball.moves[random.index(ball.moves.len())]))
    };
    (0..SAMPLES).map(sample).collect()
}
