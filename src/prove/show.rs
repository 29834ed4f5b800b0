//! Forms, conditions, sets of cells and maps as texts, as a paper would write them.

use super::constraint::Constraint;
use super::form::{Form, Var};
use super::map::Piecewise;
use super::poly::Poly;
use super::region::Region;
use super::union::Union;

/// What a variable is called.
pub type Names<'a> = &'a dyn Fn(Var) -> String;

/// `(n + 1)/2`, `n^2 - 1`
pub fn poly(poly: &Poly, names: Names<'_>) -> String {
    let mut terms: Vec<(String, i64, usize)> = poly
        .terms()
        .iter()
        .map(|(monomial, coefficient)| {
            let mut text = String::new();
            let mut at = 0;
            while at < monomial.len() {
                let times = monomial[at..].iter().take_while(|var| **var == monomial[at]).count();
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&names(monomial[at]));
                if times > 1 {
                    text.push_str(&format!("^{times}"));
                }
                at += times;
            }
            (text, *coefficient, monomial.len())
        })
        .collect();
    // positive terms first, so that 4 - n stands for -n + 4; and the constant last
    terms.sort_by_key(|(_, coefficient, degree)| (*degree == 0, usize::MAX - degree, *coefficient < 0));
    if let Some((_, first, _)) = terms.first()
        && *first < 0
        && let Some(at) = terms.iter().position(|(_, coefficient, _)| *coefficient > 0)
    {
        let positive = terms.remove(at);
        terms.insert(0, positive);
    }
    let mut out = String::new();
    for (text, coefficient, _) in &terms {
        let size = coefficient.unsigned_abs();
        let sign = match (*coefficient < 0, out.is_empty()) {
            (true, true) => "-",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        };
        out.push_str(sign);
        match (text.is_empty(), size) {
            (true, size) => out.push_str(&size.to_string()),
            (false, 1) => out.push_str(text),
            (false, size) => out.push_str(&format!("{size} {text}")),
        }
    }
    match (out.is_empty(), poly.den(), terms.len()) {
        (true, ..) => "0".to_string(),
        (_, 1, _) => out,
        (_, den, 1) => format!("{out}/{den}"),
        (_, den, _) => format!("({out})/{den}"),
    }
}

pub fn form(form: &Form, names: Names<'_>) -> String {
    poly(&form.poly(), names)
}

/// The form without a variable, divided by minus its coefficient: what the variable is compared with.
fn solved_for(form: &Form, var: Var) -> Option<Form> {
    let coefficient = form.coefficient(var);
    form.sub(&Form::new([(var, coefficient)], 0, 1)).and_then(|rest| rest.scale(-1, coefficient)).ok()
}

/// `n >= 6`, `i = n - 1`, `n + k is divisible by 3`. The first variable with coefficient 1 stands alone, on the left.
pub fn constraint(constraint: &Constraint, names: Names<'_>) -> String {
    let whole = constraint.form();
    let unit = whole.terms().iter().find(|(_, c)| c.abs() == 1).or(whole.terms().first()).copied();
    let Some((var, coefficient)) = unit else {
        return if constraint.truth() == Some(true) { "always" } else { "never" }.to_string();
    };
    match constraint {
        Constraint::Mod(whole, m) => {
            // the remainder of one variable, or of all of the form
            let constant = whole.constant();
            let rest = whole.plus(-constant).unwrap_or_else(|_| whole.clone());
            let remainder = num_integer::Integer::mod_floor(&-constant, m);
            match (rest.terms(), *m, remainder) {
                ([(_, 1)], 2, 0) => format!("{} even", form(&rest, names)),
                ([(_, 1)], 2, 1) => format!("{} odd", form(&rest, names)),
                ([(_, 1)], ..) => format!("{} mod {m} = {remainder}", form(&rest, names)),
                (_, 2, 0) => format!("{} even", form(&rest, names)),
                (_, 2, 1) => format!("{} odd", form(&rest, names)),
                _ => format!("({}) mod {m} = {remainder}", form(&rest, names)),
            }
        }
        Constraint::Ge(_) | Constraint::Eq(_) => {
            let sign = match constraint {
                Constraint::Eq(_) => "=",
                _ if coefficient > 0 => "≥",
                _ => "≤",
            };
            match solved_for(whole, var) {
                Some(other) => format!("{} {sign} {}", names(var), form(&other, names)),
                None => format!("{} {sign} 0", form(whole, names)),
            }
        }
    }
}

/// Conditions one after another: `n ≥ 6, n even`; empty for none. Bounds of one variable on both sides are written as a chain.
pub fn conditions(region: &Region, names: Names<'_>) -> String {
    let texts: Vec<String> = region.constraints.iter().map(|one| constraint(one, names)).collect();
    texts.join(", ")
}

/// A region as a tuple of ranges, if it is a box: `(1..n - 1, n)`.
pub fn as_box(region: &Region, width: usize, names: Names<'_>) -> Option<String> {
    let mut parts = Vec::with_capacity(width);
    let mut used = vec![false; region.constraints.len()];
    for d in 0..width as Var {
        let (mut low, mut high, mut exactly): (Option<Form>, Option<Form>, Option<Form>) = (None, None, None);
        for (at, constraint) in region.constraints.iter().enumerate() {
            let whole = constraint.form();
            if !constraint.mentions(d) {
                continue;
            }
            if whole.vars().any(|var| var != d && usize::from(var) < width) {
                return None;
            }
            let bound = solved_for(whole, d)?;
            let place = match constraint {
                Constraint::Eq(_) => &mut exactly,
                Constraint::Ge(_) if bound.den() != 1 => return None,
                Constraint::Ge(_) if whole.coefficient(d) > 0 => &mut low,
                Constraint::Ge(_) => &mut high,
                Constraint::Mod(..) => return None,
            };
            if place.is_some() {
                return None;
            }
            *place = Some(bound);
            used[at] = true;
        }
        parts.push(match (exactly, low, high) {
            (Some(value), ..) => form(&value, names),
            (None, Some(low), Some(high)) if low == high => form(&low, names),
            (None, Some(low), Some(high)) => format!("{}..{}", form(&low, names), form(&high, names)),
            _ => return None,
        });
    }
    let extra: Vec<String> = region
        .constraints
        .iter()
        .zip(&used)
        .filter(|(_, used)| !**used)
        .map(|(one, _)| constraint(one, names))
        .collect();
    let text = if width == 1 { parts.concat() } else { format!("({})", parts.join(", ")) };
    Some(if extra.is_empty() { text } else { format!("{text} where {}", extra.join(", ")) })
}

/// The names of coordinates: `i`, `j`, `k` …, or `x` where cells are integers, as far as no parameter has these names.
pub fn coordinate_names(width: usize, taken: &dyn Fn(&str) -> bool) -> Vec<String> {
    let lists: [&[&str]; 3] = [&["i", "j", "k", "l"], &["x", "y", "z", "w"], &["p", "q", "r", "s"]];
    for list in lists {
        if width <= list.len() && list[..width].iter().all(|name| !taken(name)) {
            return list[..width].iter().map(|name| name.to_string()).collect();
        }
    }
    (1..=width).map(|d| format!("x{d}")).collect()
}

/// A region as a set of cells: a box where it is one, else with its conditions.
pub fn region(region: &Region, width: usize, names: Names<'_>) -> String {
    if let Some(text) = as_box(region, width, names) {
        return if text.contains("..") || text.contains(" where ") { text } else { format!("{{{text}}}") };
    }
    let cell: Vec<String> = (0..width as Var).map(names).collect();
    let cell = if width == 1 { cell.concat() } else { format!("({})", cell.join(", ")) };
    format!("{{{cell} where {}}}", conditions(region, names))
}

/// A set of cells: `(1..n, 1) | {(n, n + 1)}`, `{}`.
pub fn cells(set: &Union, names: Names<'_>) -> String {
    if set.regions.is_empty() {
        return "{}".to_string();
    }
    set.regions.iter().map(|one| region(one, set.width, names)).collect::<Vec<_>>().join(" | ")
}

/// The point that a tuple of forms is: `(n + 1 - j, i)`.
pub fn point(forms: &[Form], names: Names<'_>) -> String {
    let texts: Vec<String> = forms.iter().map(|one| form(one, names)).collect();
    if texts.len() == 1 { texts.concat() } else { format!("({})", texts.join(", ")) }
}

/// A map, a line for each piece: the cells of the region, and where they go.
pub fn map(map: &Piecewise, names: Names<'_>) -> Vec<(String, String)> {
    map.pieces.iter().map(|piece| (region(&piece.region, map.width, names), point(&piece.to, names))).collect()
}
