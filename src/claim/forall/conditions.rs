//! Names of variables, and conditions on them as mathematicians write them.

use crate::prove::{FIRST, Region, Var, show};
use crate::symbolic::Proof;

/// The names of the variables of a proof.
pub struct Names {
    params: Vec<String>,
    all: Vec<String>,
}

impl Names {
    /// The parameters first, in both lists.
    pub fn new(params: &[String], all: &[String]) -> Names {
        Names { params: params.to_vec(), all: all.to_vec() }
    }

    pub fn of_proof(proof: &Proof) -> Names {
        Names::new(&proof.params, &proof.names)
    }

    /// How many parameters there are.
    pub fn params(&self) -> usize {
        self.params.len()
    }

    pub fn param(&self, at: usize) -> &str {
        self.params.get(at).map_or("?", String::as_str)
    }

    /// The name of any variable; coordinates are called as the language calls them, which no other variable can be.
    pub fn of(&self, var: Var) -> String {
        match var.checked_sub(FIRST) {
            None => format!("c[{}]", var + 1),
            Some(at) => {
                let at = usize::from(at);
                self.all.get(at).or_else(|| self.params.get(at)).cloned().unwrap_or_else(|| format!("v{at}"))
            }
        }
    }

    /// `m = 2, n = 5`
    pub fn point(&self, point: &[i64]) -> String {
        let pairs = self.params.iter().zip(point).map(|(name, value)| format!("{name} = {value}"));
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// `a = m, b ≥ 3`; empty if there is no condition.
    pub fn region(&self, region: &Region) -> String {
        show::conditions(region, &|var| self.of(var))
    }

    /// The names that the coordinates of a cell have in texts; none of the parameters, nor of the variables.
    pub fn coordinates(&self, width: usize, vars: &[Var]) -> Vec<String> {
        let others: Vec<String> = vars.iter().map(|var| self.of(*var)).collect();
        show::coordinate_names(width, &|name| self.params.iter().chain(&others).any(|taken| taken == name))
    }
}

/// `n >= 5` as `n ≥ 5`, `a == b` as `a = b`.
pub fn mathematical(text: &str) -> String {
    text.replace(">=", "≥").replace("<=", "≤").replace("!=", "≠").replace("==", "=")
}
