//! Are there integers that satisfy linear conditions? Equations are solved over the integers; inequalities by
//! Fourier–Motzkin elimination with rounding (Schrijver, Theory of Linear and Integer Programming, 12.2; Pugh, The Omega
//! test, without its splinters). "Empty" is always a proof; "perhaps not empty" may be wrong about integers.

use num_integer::Integer;

use super::constraint::Constraint;
use super::form::Var;

/// Eliminations that make more inequalities than that are given up: nothing is then said to be empty.
const MOST_ROWS: usize = 240;

/// Conditions on columns: each row has a coefficient for each column and the constant at its end.
struct Tableau {
    /// columns, without the constant
    columns: usize,
    equations: Vec<i64>,
    inequalities: Vec<i64>,
}

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
    let mut vars: smallvec::SmallVec<[Var; 16]> = smallvec::SmallVec::new();
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
    let mut tableau = Tableau { columns, equations: Vec::new(), inequalities: Vec::new() };
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
    tableau.decide().unwrap_or(false)
}

impl Tableau {
    fn width(&self) -> usize {
        self.columns + 1
    }

    /// Surely empty?
    fn decide(&mut self) -> Result<bool, TooLarge> {
        loop {
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
            let mut row: Vec<i64> = self.equations.split_off(start);
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
        let old = std::mem::take(&mut self.inequalities);
        let mut kept: Vec<i64> = Vec::with_capacity(old.len());
        let mut found = Tightened::Plain;
        'rows: for row in old.chunks_exact(width) {
            let at = kept.len();
            kept.extend_from_slice(row);
            match reduce_inequality(&mut kept[at..]) {
                Row::Impossible => return Tightened::Empty,
                Row::Trivial => {
                    kept.truncate(at);
                    continue;
                }
                Row::Kept => {}
            }
            let (before, new) = kept.split_at_mut(at);
            let columns = width - 1;
            for other in before.chunks_exact_mut(width) {
                if other[..columns] == new[..columns] {
                    other[columns] = other[columns].min(new[columns]);
                    kept.truncate(at);
                    continue 'rows;
                }
            }
        }
        // opposite directions: f >= -a and f <= b
        let columns = width - 1;
        let count = kept.len() / width;
        let mut removed = vec![false; count];
        for first in 0..count {
            for second in first + 1..count {
                let (a, b) = (&kept[first * width..][..width], &kept[second * width..][..width]);
                if !removed[first]
                    && !removed[second]
                    && a[..columns].iter().zip(&b[..columns]).all(|(x, y)| x.checked_neg() == Some(*y))
                {
                    match a[columns].checked_add(b[columns]) {
                        Some(sum) if sum < 0 => return Tightened::Empty,
                        Some(0) => {
                            self.equations.extend_from_slice(a);
                            removed[first] = true;
                            removed[second] = true;
                            found = Tightened::NewEquations;
                        }
                        _ => {}
                    }
                }
            }
        }
        if removed.iter().any(|removed| *removed) {
            for (row, removed) in kept.chunks_exact(width).zip(&removed) {
                if !removed {
                    self.inequalities.extend_from_slice(row);
                }
            }
        } else {
            self.inequalities = kept;
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
        let mut next: Vec<i64> = Vec::with_capacity(rows.len());
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
