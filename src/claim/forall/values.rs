//! Sets of integers that repeat themselves in the end, and how mathematicians say them: `n = 2, 3 and all even n ≥ 6`.

/// Integers from a least one on. From some integer on it is periodic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    least: i64,
    /// is it in the set? from the least one on
    head: Vec<bool>,
    /// what follows, again and again
    period: Vec<bool>,
}

/// Sets that become periodic later than that are not looked at.
const LONGEST_HEAD: i64 = 20_000;
const LONGEST_PERIOD: i64 = 2_000;
/// More values than that are not listed one by one.
const LISTED: usize = 6;

impl Values {
    /// The integers from `least` on with a property that is periodic from `steady` on. `None` if that would take too long,
    /// or the property is not known everywhere.
    pub fn of(least: i64, steady: i64, period: i64, holds: &dyn Fn(i64) -> Option<bool>) -> Option<Values> {
        let steady = steady.max(least);
        let long = steady.checked_sub(least)?;
        if long > LONGEST_HEAD || !(1..=LONGEST_PERIOD).contains(&period) {
            return None;
        }
        let end = steady.checked_add(period)?;
        let mut head: Vec<bool> = (least..end).map(holds).collect::<Option<_>>()?;
        let period = head.split_off(long as usize);
        Some(Values { least, head, period })
    }

    pub fn is_empty(&self) -> bool {
        !self.head.iter().chain(&self.period).any(|here| *here)
    }

    fn steady(&self) -> i64 {
        self.least + self.head.len() as i64
    }

    /// Is the integer, which is at least the least one, in the set?
    fn has(&self, value: i64) -> bool {
        let after = value - self.steady();
        let place = usize::try_from(after.rem_euclid(self.period.len() as i64)).unwrap_or_default();
        match usize::try_from(value - self.least) {
            Ok(at) if at < self.head.len() => self.head[at],
            _ => self.period[place],
        }
    }

    /// The part that goes on for ever: its first value, and the residues that occur of the least modulus. And before it the
    /// values one by one.
    fn parts(&self) -> (Vec<i64>, Option<Tail>) {
        let listed = |upto: i64| (self.least..upto).filter(|value| self.has(*value)).collect::<Vec<i64>>();
        if !self.period.iter().any(|here| *here) {
            return (listed(self.steady()), None);
        }
        let long = self.period.len() as i64;
        let steady = self.steady();
        let repeats = |modulus: i64| (0..long).all(|at| self.has(steady + at) == self.has(steady + at + modulus));
        let modulus =
            (1..=long).filter(|modulus| long % modulus == 0).find(|modulus| repeats(*modulus)).unwrap_or(long);
        let wanted = |value: i64| self.has(steady + (value - steady).rem_euclid(modulus));
        let mut from = steady;
        while from > self.least && self.has(from - 1) == wanted(from - 1) {
            from -= 1;
        }
        let first = (from..from + modulus).find(|value| wanted(*value)).unwrap_or(from);
        let mut residues: Vec<i64> =
            (first..first + modulus).filter(|value| wanted(*value)).map(|value| value.rem_euclid(modulus)).collect();
        residues.sort_unstable();
        (listed(first), Some(Tail { first, modulus, residues }))
    }

    /// `n = 2, 3` and `all n ≥ 5`, where there are such.
    pub fn phrases(&self, name: &str) -> (Option<String>, Option<String>) {
        let (single, tail) = self.parts();
        let single = (!single.is_empty()).then(|| format!("{name} = {}", list(&single)));
        (single, tail.map(|tail| tail.phrase(name)))
    }

    /// `at n = 2, 3 and for all n ≥ 5`; the first word is that of single values.
    pub fn sentence(&self, at: &str, name: &str) -> String {
        match self.phrases(name) {
            (None, None) => "for no value".to_string(),
            (Some(single), None) => format!("{at} {single}"),
            (None, Some(tail)) => format!("for {tail}"),
            (Some(single), Some(tail)) if at == "for" => format!("for {single} and all {}", &tail["all ".len()..]),
            (Some(single), Some(tail)) => format!("{at} {single} and for {tail}"),
        }
    }

    /// The header of a claim for these values, if there is a plain one: `all even n >= 6`.
    pub fn header(&self, name: &str) -> Option<String> {
        match self.parts() {
            (single, Some(tail)) if single.is_empty() => Some(tail.header(name)),
            _ => None,
        }
    }

    /// The condition that a value is in the set: `n = 4`, `even n ≥ 6`.
    pub fn condition(&self, name: &str) -> String {
        match self.phrases(name) {
            (None, None) => "no value".to_string(),
            (Some(single), None) => single,
            (single, Some(tail)) => {
                let tail = tail.trim_start_matches("all ");
                single.map_or_else(|| tail.to_string(), |single| format!("{single}, and {tail}"))
            }
        }
    }
}

/// All integers from a first one on that have one of some residues.
struct Tail {
    first: i64,
    modulus: i64,
    residues: Vec<i64>,
}

impl Tail {
    fn phrase(&self, name: &str) -> String {
        let from = format!("{name} ≥ {}", self.first);
        match (self.modulus, self.residues.as_slice()) {
            (1, _) => format!("all {from}"),
            (2, [0]) => format!("all even {from}"),
            (2, _) => format!("all odd {from}"),
            (modulus, [residue]) => format!("all {from} where {name} mod {modulus} = {residue}"),
            (modulus, residues) => format!("all {from} where {name} mod {modulus} is {}", either(residues)),
        }
    }

    fn header(&self, name: &str) -> String {
        let from = format!("{name} >= {}", self.first);
        match (self.modulus, self.residues.as_slice()) {
            (1, _) => format!("all {from}"),
            (2, [0]) => format!("all even {from}"),
            (2, _) => format!("all odd {from}"),
            (modulus, [residue]) => format!("all {from} where {name} mod {modulus} == {residue}"),
            (modulus, residues) => {
                let residues: Vec<String> = residues.iter().map(i64::to_string).collect();
                format!("all {from} where {name} mod {modulus} in {{{}}}", residues.join(", "))
            }
        }
    }
}

/// `1, 3 or 4`
fn either(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.join(""),
    }
}

/// `2, 3, 4`; equal steps are cut short: `2, 3, …, 26`.
pub fn list(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let even = numbers.windows(3).all(|three| three[1] - three[0] == three[2] - three[1]);
    match texts.as_slice() {
        [first, second, .., last] if texts.len() > LISTED && even => format!("{first}, {second}, …, {last}"),
        _ if texts.len() > 2 * LISTED => format!("{}, … ({} in all)", texts[..LISTED].join(", "), texts.len()),
        _ => texts.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(least: i64, steady: i64, period: i64, holds: impl Fn(i64) -> bool) -> Values {
        Values::of(least, steady, period, &|value| Some(holds(value))).unwrap()
    }

    #[test]
    fn sets_are_said_as_people_say_them() {
        let said = |set: Values| set.sentence("at", "n");
        assert_eq!(said(values(2, 9, 1, |n| n >= 5)), "for all n ≥ 5");
        assert_eq!(said(values(2, 9, 1, |n| n == 4)), "at n = 4");
        assert_eq!(said(values(2, 9, 1, |n| n != 4)), "at n = 2, 3 and for all n ≥ 5");
        assert_eq!(values(2, 9, 1, |n| n != 4).sentence("for", "n"), "for n = 2, 3 and all n ≥ 5");
        assert_eq!(said(values(2, 9, 2, |n| n % 2 == 0)), "for all even n ≥ 2");
        assert_eq!(said(values(2, 9, 4, |n| n % 2 == 1 && n > 4)), "for all odd n ≥ 5");
        assert_eq!(said(values(2, 9, 6, |n| n % 3 == 1)), "for all n ≥ 4 where n mod 3 = 1");
        assert_eq!(said(values(2, 9, 3, |n| n % 3 != 1)), "for all n ≥ 2 where n mod 3 is 0 or 2");
        assert_eq!(said(values(0, 60, 1, |n| (10..50).contains(&n))), "at n = 10, 11, …, 49");
        assert_eq!(said(values(0, 60, 1, |_| false)), "for no value");
        assert_eq!(said(values(-3, 0, 1, |n| n > -3)), "for all n ≥ -2");
        assert_eq!(said(values(-4, 0, 2, |n| n % 2 == 0)), "for all even n ≥ -4");
    }

    #[test]
    fn headers_can_be_pasted_back() {
        assert_eq!(values(2, 9, 2, |n| n % 2 == 0 && n > 5).header("n").as_deref(), Some("all even n >= 6"));
        assert_eq!(values(2, 9, 3, |n| n % 3 == 1).header("k").as_deref(), Some("all k >= 4 where k mod 3 == 1"));
        assert_eq!(values(2, 9, 1, |n| n != 4).header("n"), None);
        assert_eq!(values(2, 9, 1, |n| n == 4).header("n"), None);
    }

    #[test]
    fn conditions_of_cases() {
        assert_eq!(values(2, 9, 1, |n| n == 4).condition("n"), "n = 4");
        assert_eq!(values(2, 9, 2, |n| n > 5 && n % 2 == 0).condition("n"), "even n ≥ 6");
        assert_eq!(values(2, 9, 1, |n| n != 4).condition("n"), "n = 2, 3, and n ≥ 5");
    }
}
