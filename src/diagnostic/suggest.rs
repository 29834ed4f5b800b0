//! Nearest known names for a name that is not known.

/// Up to three of `known` that are close to `wanted`, nearest first, ties in alphabetical order.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let limit = match wanted.chars().count() {
        0..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    let lower = wanted.to_lowercase();
    let mut close: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| !name.is_empty() && *name != wanted)
        // names of very different lengths are not near, and comparing them would cost the product of the lengths
        .filter(|name| name.len().abs_diff(wanted.len()) <= 4 * limit)
        .filter_map(|name| {
            let other = name.to_lowercase();
            let distance = if other == lower { 0 } else { strsim::osa_distance(&other, &lower) };
            // a name of one letter is near to every other: offer it only if just its case differs
            let short = name.chars().count() <= 1 || wanted.chars().count() <= 1;
            (distance <= if short { 0 } else { limit }).then_some((distance, name))
        })
        .collect();
    close.sort();
    close.dedup();
    close.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// `` `a` ``, `` `a` or `b` ``, `` `a`, `b` or `c` ``.
pub fn one_of(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_come_first() {
        assert_eq!(nearest("cycle_typ", ["cycles", "cycle_type", "order"]), ["cycle_type"]);
        assert_eq!(nearest("x", ["X", "Y"]), ["X"]);
        assert_eq!(nearest("Q", ["X", "Y"]), Vec::<String>::new());
    }
}
