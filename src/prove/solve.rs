//! Are there integers that satisfy linear conditions? Equations are solved over the integers; inequalities by
//! Fourier–Motzkin elimination with rounding (Schrijver, Theory of Linear and Integer Programming, 12.2; Pugh, The Omega
//! test, without its splinters). "Empty" is always a proof; "perhaps not empty" may be wrong about integers.

use std::cell::RefCell;

use num_integer::Integer;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::constraint::Constraint;
use super::form::Var;
use super::work;

/// Eliminations that make more inequalities than that are given up: nothing is then said to be empty.
const MOST_ROWS: usize = 240;

/// Conditions on columns: each row has a coefficient for each column and the constant at its end.
struct Tableau {
    /// columns, without the constant
    columns: usize,
    equations: Rows,
    inequalities: Rows,
}

/// Rows one after another. Most questions are small and need no allocation.
type Rows = SmallVec<[i64; 96]>;

/// What became of a row.
enum Row {
    Kept,
    Trivial,
    Impossible,
}

struct TooLarge;

/// Are there surely no integers that satisfy all conditions? Cost: small for the few variables of a puzzle; exponential in their
/// number at worst, and then given up.
pub(super) fn surely_empty(parts: &[&[Constraint]]) -> bool {
    let mut vars: SmallVec<[Var; 16]> = SmallVec::new();
    let mut remainders = 0;
    for constraint in parts.iter().copied().flatten() {
        if constraint.truth() == Some(false) {
            return true;
        }
        for var in constraint.vars() {
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        remainders += usize::from(matches!(constraint, Constraint::Mod(..)));
    }
    let columns = vars.len() + remainders;
    let mut tableau = Tableau { columns, equations: Rows::new(), inequalities: Rows::new() };
    let mut extra = vars.len();
    for constraint in parts.iter().copied().flatten() {
        let rows = match constraint {
            Constraint::Ge(_) => &mut tableau.inequalities,
            Constraint::Eq(_) | Constraint::Mod(..) => &mut tableau.equations,
        };
        let start = rows.len();
        rows.resize(start + columns + 1, 0);
        let row = &mut rows[start..];
        for (var, coefficient) in constraint.form().terms() {
            if let Some(column) = vars.iter().position(|known| known == var) {
                row[column] = *coefficient;
            }
        }
        row[columns] = constraint.form().constant();
        if let Constraint::Mod(_, m) = constraint {
            row[extra] = -*m;
            extra += 1;
        }
    }
    ANSWERS.with_borrow_mut(|answers| answers.of(tableau))
}

thread_local! {
    /// The same questions come again and again: a case that is split is followed once more from its beginning.
    static ANSWERS: RefCell<Answers> = RefCell::default();
}

/// Forgets all answers of this thread.
pub(super) fn forget() {
    ANSWERS.with_borrow_mut(|answers| answers.known.clear());
}

/// Questions with what was found.
#[derive(Default)]
struct Answers {
    known: FxHashMap<Box<[i64]>, bool>,
}

/// So many are kept, about ten megabytes.
const MOST_ANSWERS: usize = 16_384;

impl Answers {
    fn of(&mut self, mut tableau: Tableau) -> bool {
        let marks = [tableau.columns as i64, tableau.equations.len() as i64];
        let question: SmallVec<[i64; 256]> =
            marks.iter().chain(&tableau.equations).chain(&tableau.inequalities).copied().collect();
        if let Some(answer) = self.known.get(question.as_slice()) {
            work::count_known();
            return *answer;
        }
        if work::is_over() {
            return false;
        }
        let answer = tableau.decide().unwrap_or(false);
        if self.known.len() >= MOST_ANSWERS {
            self.known.clear();
        }
        self.known.insert(question.as_slice().into(), answer);
        answer
    }
}

impl Tableau {
    fn width(&self) -> usize {
        self.columns + 1
    }

    /// Surely empty?
    fn decide(&mut self) -> Result<bool, TooLarge> {
        loop {
            work::count_new((self.equations.len() + self.inequalities.len()) / self.width());
            if self.solve_equations()? {
                return Ok(true);
            }
            match self.tighten() {
                Tightened::Empty => return Ok(true),
                Tightened::NewEquations => continue,
                Tightened::Plain => {}
            }
            if self.inequalities.is_empty() {
                return Ok(false);
            }
            if !self.eliminate_one()? {
                return Ok(false);
            }
        }
    }

    /// Solves all equations over the integers, and puts the solutions into the inequalities. True if there is none.
    fn solve_equations(&mut self) -> Result<bool, TooLarge> {
        let width = self.width();
        while !self.equations.is_empty() {
            let start = self.equations.len() - width;
            let mut row: SmallVec<[i64; 16]> = SmallVec::from_slice(&self.equations[start..]);
            self.equations.truncate(start);
            loop {
                match reduce_equation(&mut row) {
                    Row::Trivial => break,
                    Row::Impossible => return Ok(true),
                    Row::Kept => {}
                }
                let Some((pivot, smallest)) = row[..self.columns]
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| **c != 0)
                    .map(|(column, c)| (column, *c))
                    .min_by_key(|(_, c)| c.unsigned_abs())
                else {
                    break;
                };
                if smallest.abs() == 1 {
                    // x = -(the rest) / c: put it into everything
                    for rows in [&mut self.equations, &mut self.inequalities] {
                        for other in rows.chunks_exact_mut(width) {
                            let factor = other[pivot];
                            if factor != 0 {
                                subtract(other, &row, factor.checked_mul(smallest).ok_or(TooLarge)?)?;
                            }
                        }
                    }
                    break;
                }
                // no unit coefficient: change the variables so that coefficients become smaller, as Euclid does
                for column in (0..self.columns).filter(|column| *column != pivot) {
                    let quotient = Integer::div_floor(&row[column], &smallest);
                    if quotient == 0 {
                        continue;
                    }
                    let shift = |other: &mut [i64]| -> Result<(), TooLarge> {
                        let change = other[pivot].checked_mul(quotient).ok_or(TooLarge)?;
                        other[column] = other[column].checked_sub(change).ok_or(TooLarge)?;
                        Ok(())
                    };
                    shift(&mut row)?;
                    for rows in [&mut self.equations, &mut self.inequalities] {
                        rows.chunks_exact_mut(width).try_for_each(shift)?;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Rounds all inequalities, keeps the sharpest of each direction, and finds opposite ones that meet.
    fn tighten(&mut self) -> Tightened {
        let width = self.width();
        let columns = self.columns;
        let rows = &mut self.inequalities;
        let count = rows.len() / width;
        let mut kept = 0;
        let mut found = Tightened::Plain;
        'rows: for at in 0..count {
            match reduce_inequality(&mut rows[at * width..][..width]) {
                Row::Impossible => return Tightened::Empty,
                Row::Trivial => continue,
                Row::Kept => {}
            }
            let (before, rest) = rows.split_at_mut(at * width);
            let new = &rest[..width];
            let mut place = 0;
            while place < kept {
                let other = &mut before[place * width..][..width];
                if other[..columns] == new[..columns] {
                    other[columns] = other[columns].min(new[columns]);
                    // it is sharper now, and has to be compared with its opposite again
                    if opposite_sum(before, kept, width, place).is_some_and(|sum| sum < 0) {
                        return Tightened::Empty;
                    }
                    continue 'rows;
                }
                place += 1;
            }
            rows.copy_within(at * width..(at + 1) * width, kept * width);
            kept += 1;
            if opposite_sum(rows, kept, width, kept - 1).is_some_and(|sum| sum < 0) {
                return Tightened::Empty;
            }
        }
        rows.truncate(kept * width);
        // opposite directions that leave one value
        let mut first = 0;
        while first * width < self.inequalities.len() {
            let count = self.inequalities.len() / width;
            if let Some(second) = opposite(&self.inequalities, count, width, first)
                && opposite_sum(&self.inequalities, count, width, first) == Some(0)
            {
                self.equations.extend_from_slice(&self.inequalities[first * width..][..width]);
                for gone in [first.max(second), first.min(second)] {
                    let last = self.inequalities.len() - width;
                    self.inequalities.copy_within(last.., gone * width);
                    self.inequalities.truncate(last);
                }
                found = Tightened::NewEquations;
            } else {
                first += 1;
            }
        }
        found
    }

    /// Eliminates the variable that makes the fewest inequalities. False if none is left.
    fn eliminate_one(&mut self) -> Result<bool, TooLarge> {
        let width = self.width();
        let mut best: Option<(usize, usize)> = None;
        for column in 0..self.columns {
            let (mut positive, mut negative) = (0usize, 0usize);
            for row in self.inequalities.chunks_exact(width) {
                positive += usize::from(row[column] > 0);
                negative += usize::from(row[column] < 0);
            }
            if positive + negative > 0 {
                let made = positive * negative;
                let cost = made.saturating_sub(positive + negative);
                if best.is_none_or(|(_, known)| cost < known) {
                    best = Some((column, cost));
                }
                if made == 0 {
                    break;
                }
            }
        }
        let Some((column, _)) = best else { return Ok(false) };
        let rows = std::mem::take(&mut self.inequalities);
        let mut next = Rows::new();
        for row in rows.chunks_exact(width).filter(|row| row[column] == 0) {
            next.extend_from_slice(row);
        }
        for up in rows.chunks_exact(width).filter(|row| row[column] > 0) {
            for down in rows.chunks_exact(width).filter(|row| row[column] < 0) {
                let (a, b) = (up[column], down[column].checked_neg().ok_or(TooLarge)?);
                let gcd = a.gcd(&b);
                let (a, b) = (a / gcd, b / gcd);
                for (x, y) in up.iter().zip(down) {
                    let sum = x.checked_mul(b).zip(y.checked_mul(a)).and_then(|(x, y)| x.checked_add(y));
                    next.push(sum.ok_or(TooLarge)?);
                }
                if next.len() > MOST_ROWS * width {
                    return Err(TooLarge);
                }
            }
        }
        self.inequalities = next;
        Ok(true)
    }
}

/// The row whose coefficients are the negatives of another one's.
fn opposite(rows: &[i64], count: usize, width: usize, at: usize) -> Option<usize> {
    let columns = width - 1;
    let row = &rows[at * width..][..columns];
    (0..count).find(|other| {
        *other != at && row.iter().zip(&rows[other * width..][..columns]).all(|(x, y)| x.checked_add(*y) == Some(0))
    })
}

/// The sum of a row and its opposite: how far they are apart. `None` if there is no opposite, or the sum is large.
fn opposite_sum(rows: &[i64], count: usize, width: usize, at: usize) -> Option<i64> {
    let other = opposite(rows, count, width, at)?;
    rows[at * width + width - 1].checked_add(rows[other * width + width - 1])
}

enum Tightened {
    Plain,
    NewEquations,
    Empty,
}

fn subtract(from: &mut [i64], row: &[i64], factor: i64) -> Result<(), TooLarge> {
    for (x, y) in from.iter_mut().zip(row) {
        let change = y.checked_mul(factor).ok_or(TooLarge)?;
        *x = x.checked_sub(change).ok_or(TooLarge)?;
    }
    Ok(())
}

/// Divides an equation by the common factor of its coefficients.
fn reduce_equation(row: &mut [i64]) -> Row {
    let Some((constant, coefficients)) = row.split_last_mut() else { return Row::Trivial };
    let common = coefficients.iter().fold(0i64, |gcd, c| gcd.gcd(c));
    if common == 0 {
        return if *constant == 0 { Row::Trivial } else { Row::Impossible };
    }
    if *constant % common != 0 {
        return Row::Impossible;
    }
    if common > 1 {
        coefficients.iter_mut().for_each(|c| *c /= common);
        *constant /= common;
    }
    Row::Kept
}

/// Divides an inequality by the common factor of its coefficients and rounds the constant.
fn reduce_inequality(row: &mut [i64]) -> Row {
    let Some((constant, coefficients)) = row.split_last_mut() else { return Row::Trivial };
    let common = coefficients.iter().fold(0i64, |gcd, c| gcd.gcd(c));
    if common == 0 {
        return if *constant >= 0 { Row::Trivial } else { Row::Impossible };
    }
    if common > 1 {
        coefficients.iter_mut().for_each(|c| *c /= common);
        *constant = Integer::div_floor(constant, &common);
    }
    Row::Kept
}
