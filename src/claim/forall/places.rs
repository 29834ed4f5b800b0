//! For which values a claim is what: the cases of a proof and the values that were checked, said in one sentence. What it
//! says is exact; what is not known is said too.

use super::conditions::Names;
use super::values::{Values, list};
use crate::prove::{Constraint, FIRST, Form, Region, Var};
use crate::report::proof::RepairReport;

/// What is known of a value of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Proved,
    False,
    /// a mistake in the script stops it
    Broken,
    /// true when it was run, for this value
    Checked,
    Open,
}

/// All that is known of the range of a claim.
pub struct Places<'a> {
    pub names: &'a Names,
    /// `all n ≥ 5`
    pub range: &'a str,
    /// disjoint; with the values below they are the whole range
    pub areas: Vec<(Region, Status)>,
    /// single values, which may lie in areas: then they are what is known of them
    pub points: Vec<(Vec<i64>, Status)>,
}

/// So many values are listed one by one.
const LISTED: usize = 4;
/// So many tests for emptiness are made to find short conditions.
const TESTS: usize = 20_000;

/// Does a region contain an integer point?
pub fn contains(region: &Region, point: &[i64]) -> bool {
    region.holds(&|var: Var| point.get(usize::from(var.checked_sub(FIRST)?)).copied())
}

/// What is known, in words: first what is wrong, then what is open, then what is true.
pub struct Said {
    pub sentence: String,
    pub repair: RepairReport,
}

impl Places<'_> {
    /// `false at n = 4; proved for all n ≥ 5`
    pub fn say(&self) -> Said {
        let phrases = |status| self.phrases(status);
        let (wrong, broken, open) = (phrases(Status::False), phrases(Status::Broken), phrases(Status::Open));
        let mut parts = Vec::new();
        let nothing_else = |list: &[&Vec<String>]| list.iter().all(|list| list.is_empty());
        let (proved, checked) = (phrases(Status::Proved), phrases(Status::Checked));
        let whole = |verb: &str| format!("{verb} for {}", self.range);
        let several = self.names.params() != 1;
        if nothing_else(&[&wrong, &broken, &open]) && !proved.is_empty() {
            parts.push(whole("proved"));
        } else {
            for (verb, phrases, others) in [
                ("false", &wrong, [&broken, &open, &proved]),
                ("a mistake in the script stops it", &broken, [&wrong, &open, &proved]),
                ("not decided", &open, [&wrong, &broken, &proved]),
            ] {
                if phrases.is_empty() {
                    continue;
                }
                match nothing_else(&others) && checked.is_empty() {
                    true => parts.push(whole(verb)),
                    false => parts.push(format!("{verb} {}", phrases.join(" and "))),
                }
            }
            match () {
                _ if proved.is_empty() => {}
                _ if several => parts.push("proved elsewhere".to_string()),
                _ => parts.push(format!("proved {}", proved.join(" and "))),
            }
            if !checked.is_empty() {
                parts.push(format!("checked {}", checked.join(" and ")));
            }
        }
        let header = match self.line(Status::Proved) {
            Some(values) => values.header(self.names.param(0)),
            None => None,
        };
        Said { sentence: parts.join("; "), repair: RepairReport { proved, wrong, broken, undecided: open, header } }
    }

    /// For which values something is so: `for all n ≥ 5`, `where a = m, b ≥ 3`, `at m = 2, n = 2`.
    fn phrases(&self, status: Status) -> Vec<String> {
        if let Some(values) = self.line(status) {
            let at = if matches!(status, Status::False | Status::Broken) { "at" } else { "for" };
            return if values.is_empty() { Vec::new() } else { vec![values.sentence(at, self.names.param(0))] };
        }
        let mut phrases = Vec::new();
        let areas = self.areas.iter().filter(|(_, other)| *other == status).count();
        match self.conditions(status) {
            Some(conditions) => phrases.extend(conditions.into_iter().map(|condition| match condition.is_empty() {
                true => format!("for {}", self.range),
                false => format!("where {condition}"),
            })),
            None => phrases.push(format!("in {areas} of {} cases", self.areas.len())),
        }
        let points: Vec<&Vec<i64>> =
            self.points.iter().filter(|(_, other)| *other == status).map(|(point, _)| point).collect();
        if status == Status::Checked && points.len() > LISTED {
            phrases.push(format!("for {} values", points.len()));
        } else {
            let at = if matches!(status, Status::False | Status::Broken) { "at" } else { "for" };
            phrases.extend(points.iter().take(LISTED).map(|point| format!("{at} {}", self.names.point(point))));
            if points.len() > LISTED {
                phrases.push(format!("{at} {} more values", points.len() - LISTED));
            }
        }
        phrases
    }

    fn status_of(&self, point: &[i64]) -> Option<Status> {
        let known = self.points.iter().find(|(other, _)| other == point).map(|(_, status)| *status);
        known.or_else(|| self.areas.iter().find(|(area, _)| contains(area, point)).map(|(_, status)| *status))
    }

    /// The values of the only parameter with this status.
    fn line(&self, status: Status) -> Option<Values> {
        if self.names.params() != 1 {
            return None;
        }
        let shape = Shape::of(self.areas.iter().map(|(area, _)| area), self.points.iter().map(|(point, _)| point))?;
        shape.values(&|value| self.status_of(&[value]) == Some(status))
    }

    /// Conditions that together describe the areas of a status, each as short as it can be. `None` if there are too many.
    fn conditions(&self, status: Status) -> Option<Vec<String>> {
        let (own, others): (Vec<_>, Vec<_>) = self.areas.iter().partition(|(_, other)| *other == status);
        let own: Vec<&Region> = own.into_iter().map(|(area, _)| area).collect();
        let others: Vec<&Region> = others.into_iter().map(|(area, _)| area).collect();
        let header = common(&self.areas.iter().map(|(area, _)| area).collect::<Vec<_>>());
        let constraints = own.iter().map(|area| area.constraints.len()).max().unwrap_or(0);
        if own.len() * (others.len() + own.len()) * constraints > TESTS {
            return None;
        }
        let mut found: Vec<Region> = Vec::new();
        for area in own {
            if found.iter().any(|known| known.constraints.iter().all(|constraint| area.entails(constraint))) {
                continue;
            }
            found.push(shorter(area, &header, &others));
        }
        if found.len() > LISTED {
            return None;
        }
        Some(found.iter().map(|region| self.names.region(region)).collect())
    }
}

/// What holds in all regions: the conditions of the header.
pub fn common(regions: &[&Region]) -> Region {
    let mut common: Vec<Constraint> = Vec::new();
    let Some(first) = regions.first() else { return Region::all() };
    for constraint in &first.constraints {
        if regions.iter().all(|region| region.constraints.contains(constraint) || region.entails(constraint)) {
            common.push(constraint.clone());
        }
    }
    Region::of(common)
}

/// The region with as few conditions as are needed to meet none of the others.
fn shorter(area: &Region, header: &Region, others: &[&Region]) -> Region {
    let mut kept = area.tidy(header).constraints;
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        let without = header.and(&Region::of(fewer.clone()));
        if others.iter().all(|other| other.is_empty_in(&without)) {
            kept = fewer;
        } else {
            at += 1;
        }
    }
    Region::of(kept)
}

/// From where on a set of values of one parameter repeats itself, and how.
pub struct Shape {
    least: i64,
    steady: i64,
    period: i64,
}

impl Shape {
    /// What regions of one parameter, and single values of it, have in common.
    pub fn of<'r>(
        regions: impl Iterator<Item = &'r Region>,
        points: impl Iterator<Item = &'r Vec<i64>>,
    ) -> Option<Shape> {
        let (mut least, mut steady, mut period) = (i64::MAX, i64::MIN, 1i64);
        for region in regions {
            if region.constraints.iter().flat_map(Constraint::vars).any(|var| var != FIRST) {
                return None;
            }
            let Some(lower) = region.bounds(&Form::var(FIRST)).0 else {
                // without a bound only what is empty has no values
                if region.is_empty() {
                    continue;
                }
                return None;
            };
            least = least.min(lower);
            for constraint in &region.constraints {
                let form = constraint.form();
                let coefficient = form.coefficient(FIRST).checked_abs()?.max(1);
                // beyond its zero a form keeps its sign
                let zero = form.constant().checked_abs()? / coefficient;
                steady = steady.max(zero.checked_add(1)?);
                if let Constraint::Mod(_, modulus) = constraint {
                    period = num_integer::lcm(period, *modulus);
                    if !(1..1 << 20).contains(&period) {
                        return None;
                    }
                }
            }
        }
        for point in points {
            let value = *point.first()?;
            least = least.min(value);
            steady = steady.max(value.checked_add(1)?);
        }
        (least != i64::MAX).then_some(Shape { least, steady: steady.max(least), period })
    }

    /// The values with a property.
    pub fn values(&self, holds: &dyn Fn(i64) -> bool) -> Option<Values> {
        Values::of(self.least, self.steady, self.period, &|value| Some(holds(value)))
    }
}

/// `n = 5, 6, …, 29`, or for several parameters how many values there were, and the first.
pub fn points_text(names: &Names, points: &[Vec<i64>]) -> String {
    match (names.params(), points) {
        (_, []) => "none".to_string(),
        (1, points) => {
            let numbers: Vec<i64> = points.iter().filter_map(|point| point.first().copied()).collect();
            format!("{} = {}", names.param(0), list(&numbers))
        }
        (_, [only]) => names.point(only),
        (_, [first, .., last]) => {
            format!("{} values from {} to {}", points.len(), names.point(first), names.point(last))
        }
    }
}

/// The condition of a case: `n ≥ 6`, `a = m, b ≥ 3`; of all values it is empty.
pub fn condition(names: &Names, region: &Region, header: &Region) -> String {
    if names.params() == 1
        && let Some(shape) = Shape::of(std::iter::once(region), std::iter::empty())
        && let Some(values) = shape.values(&|value| contains(region, &[value]))
    {
        return values.condition(names.param(0));
    }
    names.region(&region.tidy(header))
}
