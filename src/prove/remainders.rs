//! Regions with remainders: a variable in a remainder is a multiple of the modulus and one of finitely many remainders.

use num_integer::Integer;

use super::TooLarge;
use super::constraint::Constraint;
use super::eliminate::solve_equations;
use super::form::{Form, Var};
use super::region::Region;

/// More regions than that are not made of one.
const MOST: usize = 64;

impl Region {
    /// Regions without remainders of some variables: each of these variables is replaced by m times itself and a constant. For each
    /// choice of the other variables they have together as many points as this one. `None` if that would be too many regions.
    pub fn by_remainders(&self, vars: &[Var]) -> Result<Option<Vec<Region>>, TooLarge> {
        let mut regions = vec![self.clone()];
        for var in vars {
            let mut modulus: i64 = 1;
            for constraint in &self.constraints {
                if let Constraint::Mod(form, m) = constraint
                    && form.coefficient(*var) != 0
                {
                    // a coefficient that shares a factor with the modulus needs less
                    modulus = modulus.lcm(&(m / m.gcd(&form.coefficient(*var))));
                }
            }
            if modulus == 1 {
                continue;
            }
            if modulus > MOST as i64 || regions.len() * modulus as usize > MOST {
                return Ok(None);
            }
            let mut next = Vec::with_capacity(regions.len() * modulus as usize);
            for region in &regions {
                for rest in 0..modulus {
                    let value = Form::var(*var).scale(modulus, 1)?.plus(rest)?;
                    let part = region.substitute(&|known| (known == *var).then(|| value.clone()))?;
                    if !part.is_empty() {
                        next.push(part);
                    }
                }
            }
            regions = next;
        }
        Ok(Some(regions))
    }

    /// The same points of the other variables, without equations that determine one of these.
    fn without_equations(&self, vars: &[Var]) -> Result<Region, TooLarge> {
        let mut rows = self.constraints.clone();
        solve_equations(&mut rows, &mut Vec::new(), vars)?;
        Ok(Region::of(rows))
    }

    /// Has it a remainder of one of these variables?
    pub(super) fn has_remainders(&self, vars: &[Var]) -> bool {
        let is_one = |constraint: &Constraint| {
            matches!(constraint, Constraint::Mod(..)) && vars.iter().any(|var| constraint.mentions(*var))
        };
        self.constraints.iter().any(is_one)
    }

    /// Regions in the other variables which together are where this one has points: exactly, or more if it says so.
    pub fn shadows(&self, vars: &[Var]) -> (Vec<Region>, bool) {
        let shadow = self.eliminate(vars);
        if shadow.exact {
            return (vec![shadow.region], true);
        }
        // equations may make remainders: solve them first
        let Ok(solved) = self.without_equations(vars) else { return (vec![shadow.region], false) };
        let Ok(Some(parts)) = solved.by_remainders(vars) else { return (vec![shadow.region], false) };
        let (mut regions, mut exact) = (Vec::with_capacity(parts.len()), true);
        for part in &parts {
            let shadow = part.eliminate(vars);
            exact &= shadow.exact;
            if !regions.contains(&shadow.region) {
                regions.push(shadow.region);
            }
        }
        match exact {
            true => (regions, true),
            false => (vec![shadow.region], false),
        }
    }
}
