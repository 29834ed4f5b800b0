//! Projection: a region without some of its variables.

use num_integer::Integer;

use super::TooLarge;
use super::constraint::Constraint;
use super::form::{Form, Var};
use super::region::Region;

/// More inequalities than that are not made: the projection is then larger than it has to be.
const MOST: usize = 400;

/// What remains of a region without some variables.
#[derive(Debug)]
pub struct Eliminated {
    /// contains every point for which there are integers for the variables
    pub region: Region,
    /// variables that the equations determine, by forms in the variables that are left
    pub solved: Vec<(Var, Form)>,
    /// does it contain nothing else?
    pub exact: bool,
}

impl Region {
    /// Without some variables: the others for which there are integer values of these (or a larger region, if it is not exact).
    pub fn eliminate(&self, vars: &[Var]) -> Eliminated {
        self.project(vars).unwrap_or(Eliminated { region: Region::all(), solved: Vec::new(), exact: false })
    }

    fn project(&self, vars: &[Var]) -> Result<Eliminated, TooLarge> {
        let mut rows = Region::of(self.constraints.clone()).constraints;
        let mut solved: Vec<(Var, Form)> = Vec::new();
        let mut exact = true;
        loop {
            solve_equations(&mut rows, &mut solved, vars)?;
            // the variable that makes the fewest new conditions
            let counted = vars.iter().filter_map(|var| {
                let (mut up, mut down) = (0usize, 0usize);
                for row in &rows {
                    match row.form().coefficient(*var) {
                        0 => {}
                        c if c > 0 => up += 1,
                        _ => down += 1,
                    }
                }
                (up + down > 0).then_some((*var, up * down))
            });
            let Some((var, _)) = counted.min_by_key(|(_, made)| *made) else { break };
            let (with, without): (Vec<Constraint>, Vec<Constraint>) =
                rows.into_iter().partition(|row| row.mentions(var));
            let mut next = Region { constraints: without };
            // a remainder can be met if the variable is free enough; that is not looked at
            exact &= with.iter().all(|row| matches!(row, Constraint::Ge(_)));
            let (up, down): (Vec<&Form>, Vec<&Form>) = with
                .iter()
                .filter(|row| matches!(row, Constraint::Ge(_)))
                .map(Constraint::form)
                .partition(|form| form.coefficient(var) > 0);
            for a in &up {
                for b in &down {
                    let (x, y) = (a.coefficient(var), -b.coefficient(var));
                    exact &= x == 1 || y == 1;
                    let gcd = x.gcd(&y);
                    let sum = a.scale(y / gcd, 1)?.add(&b.scale(x / gcd, 1)?)?;
                    next.push(Constraint::ge(&sum));
                }
            }
            if next.constraints.len() > MOST {
                return Err(TooLarge);
            }
            rows = next.constraints;
        }
        Ok(Eliminated { region: Region { constraints: rows }, solved, exact })
    }
}

/// Puts the solutions of equations that determine a variable into everything else, those with coefficient 1 first. No equation
/// with one of the variables is left.
pub(super) fn solve_equations(
    rows: &mut Vec<Constraint>,
    solved: &mut Vec<(Var, Form)>,
    vars: &[Var],
) -> Result<(), TooLarge> {
    while let Some((at, var, _)) = rows
        .iter()
        .enumerate()
        .filter_map(|(at, row)| match row {
            Constraint::Eq(form) => vars
                .iter()
                .filter(|var| form.coefficient(**var) != 0)
                .map(|var| (at, *var, form.coefficient(*var).unsigned_abs()))
                .min_by_key(|(.., size)| *size),
            _ => None,
        })
        .min_by_key(|(.., size)| *size)
    {
        let row = rows.swap_remove(at);
        let form = row.form();
        let coefficient = form.coefficient(var);
        let rest = form.sub(&Form::new([(var, coefficient)], 0, 1))?;
        let value = rest.scale(-1, coefficient)?;
        let by = |known: Var| (known == var).then(|| value.clone());
        let mut next = Region { constraints: Vec::with_capacity(rows.len() + 1) };
        for row in rows.iter() {
            next.push(row.substitute(&by)?);
        }
        if value.den() > 1 {
            next.push(Constraint::divisible(&value, 1)?);
        }
        for (_, form) in solved.iter_mut() {
            *form = form.substitute(&by)?;
        }
        solved.push((var, value));
        *rows = next.constraints;
    }
    Ok(())
}
