//! Cutting a region by another: the part inside, and what remains outside in disjoint pieces.

use super::TooLarge;
use super::constraint::Constraint;
use super::region::Region;
use super::solve::surely_empty;
use super::work;

/// A region cut by another.
#[derive(Debug, Default)]
pub struct Cut {
    pub inside: Option<Region>,
    /// disjoint
    pub outside: Vec<Region>,
}

impl Region {
    /// The parts inside and outside another region, without those that are surely empty where `known` holds. Cost: a few
    /// questions of emptiness for each condition of the other.
    pub fn cut(&self, known: &Region, by: &Region) -> Result<Cut, TooLarge> {
        if work::is_over() {
            return Err(TooLarge);
        }
        if surely_empty(&[&known.constraints, &self.constraints, &by.constraints]) {
            return Ok(Cut { inside: None, outside: vec![self.clone()] });
        }
        let mut cut = Cut::default();
        let mut inside = self.clone();
        for constraint in &by.constraints {
            if constraint.truth() == Some(true)
                || inside.constraints.iter().any(|known| super::region::implies(known, constraint))
            {
                continue;
            }
            let mut is_cut = false;
            for outside in constraint.negated()? {
                if !surely_empty(&[&known.constraints, &inside.constraints, std::slice::from_ref(&outside)]) {
                    cut.outside.push(inside.narrowed(outside));
                    is_cut = true;
                }
            }
            if is_cut {
                inside = inside.narrowed(constraint.clone());
            }
        }
        cut.inside = Some(inside);
        Ok(cut)
    }

    /// With one more condition, in place of weaker ones of the same form.
    pub(super) fn narrowed(&self, constraint: Constraint) -> Region {
        let mut narrowed = Region { constraints: Vec::with_capacity(self.constraints.len() + 1) };
        let mut constraint = Some(constraint);
        for known in &self.constraints {
            match &constraint {
                Some(new) if super::region::implies(new, known) => {
                    narrowed.constraints.extend(constraint.take());
                }
                _ => {
                    let replaced = narrowed.constraints.iter().any(|other| super::region::implies(other, known));
                    if !replaced {
                        narrowed.constraints.push(known.clone());
                    }
                }
            }
        }
        if let Some(constraint) = constraint {
            narrowed.push(constraint);
        }
        narrowed
    }

    /// The union of two regions as one region, if it is one.
    pub(super) fn joined(&self, known: &Region, other: &Region) -> Option<Region> {
        let mut shared = Region::all();
        let mut only: [Vec<&Constraint>; 2] = [Vec::new(), Vec::new()];
        for (side, (mine, theirs)) in [(self, other), (other, self)].into_iter().enumerate() {
            for constraint in &mine.constraints {
                // an equation that only one side has is two inequalities, one of which the other side may have as well
                let halves = match constraint {
                    Constraint::Eq(form) => {
                        if Region::entail(&[&known.constraints, &theirs.constraints], constraint) {
                            shared.push(constraint.clone());
                            continue;
                        }
                        let up = Constraint::Ge(form.clone());
                        let down = Constraint::Ge(form.neg().ok()?);
                        for half in [up, down] {
                            if Region::entail(&[&known.constraints, &theirs.constraints], &half) {
                                shared.push(half);
                            }
                        }
                        only[side].push(constraint);
                        continue;
                    }
                    _ => Region::entail(&[&known.constraints, &theirs.constraints], constraint),
                };
                if halves {
                    shared.push(constraint.clone());
                } else {
                    only[side].push(constraint);
                }
            }
        }
        // what is in the shared part and in neither of the two has to be empty
        for a in &only[0] {
            for b in &only[1] {
                for not_a in a.negated().ok()? {
                    for not_b in b.negated().ok()? {
                        let both = [not_a.clone(), not_b];
                        if !surely_empty(&[&known.constraints, &shared.constraints, &both]) {
                            return None;
                        }
                    }
                }
            }
        }
        Some(shared)
    }
}
