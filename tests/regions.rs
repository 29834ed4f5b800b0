//! Laws of regions and sets of cells in `prove`, against all integer points of a small box.

use perm::prove::{Constraint, FIRST, Form, Need, Region, Union, Var};

/// Two coordinates and two parameters, each from -4 to 4.
const VARS: [Var; 4] = [0, 1, FIRST, FIRST + 1];
const REACH: i64 = 4;
/// Sets of cells may lie further out.
const FURTHER: i64 = 9;
const ROUNDS: u64 = 250;

type Point = [i64; 4];

/// A small random generator (Knuth's linear one).
struct Dice(u64);

impl Dice {
    fn between(&mut self, from: i64, to: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from + ((self.0 >> 33) % (to - from + 1) as u64) as i64
    }

    fn one_in(&mut self, n: i64) -> bool {
        self.between(1, n) == 1
    }

    fn form(&mut self, largest: i64) -> Form {
        let mut form = Form::int(self.between(-6, 6));
        for var in VARS {
            if self.one_in(3) {
                let term = Form::var(var).scale(self.between(-largest, largest), 1).unwrap();
                form = form.add(&term).unwrap();
            }
        }
        if self.one_in(6) { form.scale(1, self.between(1, 3)).unwrap() } else { form }
    }

    fn constraint(&mut self) -> Constraint {
        let form = if self.one_in(3) { self.form(3) } else { self.form(1) };
        match self.between(0, 9) {
            0..=6 => Constraint::ge(&form),
            7 => Constraint::eq(&form),
            _ => Constraint::divisible(&form, self.between(1, 4)).unwrap(),
        }
    }

    fn region(&mut self) -> Region {
        let count = self.between(0, 4);
        Region::of((0..count).map(|_| self.constraint()).collect())
    }

    /// A box whose sides are numbers or parameters.
    fn cells(&mut self) -> Region {
        let mut constraints = Vec::new();
        for coordinate in [0, 1].map(Form::var) {
            let (low, high) = (self.between(-4, 2), self.between(-2, 4));
            let low = if self.one_in(2) { Form::int(low) } else { Form::var(FIRST).plus(low / 2).unwrap() };
            let high = if self.one_in(2) { Form::int(high) } else { Form::var(FIRST + 1).plus(high / 2).unwrap() };
            constraints.push(Constraint::less_eq(&low, &coordinate).unwrap());
            constraints.push(Constraint::less_eq(&coordinate, &high).unwrap());
        }
        Region::of(constraints)
    }
}

fn within(vars: &[Var]) -> Region {
    let mut constraints = Vec::new();
    for var in vars {
        constraints.push(Constraint::less_eq(&Form::int(-REACH), &Form::var(*var)).unwrap());
        constraints.push(Constraint::less_eq(&Form::var(*var), &Form::int(REACH)).unwrap());
    }
    Region::of(constraints)
}

fn points(reach: i64) -> Vec<Point> {
    let mut points = Vec::new();
    for x in -reach..=reach {
        for y in -reach..=reach {
            for a in -REACH..=REACH {
                points.extend((-REACH..=REACH).map(|b| [x, y, a, b]));
            }
        }
    }
    points
}

fn at(point: Point) -> impl Fn(Var) -> Option<i64> {
    move |var| VARS.iter().position(|known| *known == var).map(|place| point[place])
}

fn is_in(region: &Region, point: Point) -> bool {
    region.holds(&at(point))
}

#[test]
fn what_is_said_of_regions_is_true_at_every_point() {
    let all = points(REACH);
    let mut said_empty = 0;
    for seed in 1..=ROUNDS {
        let mut dice = Dice(seed * 1_000_003);
        let region = dice.region().and(&within(&VARS));
        let (other, constraint) = (dice.region(), dice.constraint());
        let inside: Vec<Point> = all.iter().copied().filter(|point| is_in(&region, *point)).collect();
        let holds = |point: &Point| constraint.holds(&at(*point)) == Some(true);
        if region.is_empty() {
            said_empty += 1;
            assert!(inside.is_empty(), "{seed}: {region:?}");
        }
        assert!(!region.entails(&constraint) || inside.iter().all(holds), "{seed}: {region:?} entails {constraint:?}");
        assert!(!region.refutes(&constraint) || !inside.iter().any(holds), "{seed}: {region:?} refutes {constraint:?}");
        let negated = constraint.negated().unwrap();
        let tidy = region.tidy(&Region::all());
        let cut = region.cut(&Region::all(), &other).unwrap();
        for point in &all {
            let parts = negated.iter().filter(|part| part.holds(&at(*point)) == Some(true)).count();
            assert_eq!(parts, usize::from(!holds(point)), "{seed}: the negation of {constraint:?} at {point:?}");
            let (here, there) = (is_in(&region, *point), is_in(&other, *point));
            assert_eq!(is_in(&tidy, *point), here, "{seed}: {region:?} is not {tidy:?} at {point:?}");
            let inside = cut.inside.as_ref().is_some_and(|inside| is_in(inside, *point));
            let outside = cut.outside.iter().filter(|outside| is_in(outside, *point)).count();
            assert_eq!(inside, here && there, "{seed}: {region:?} inside {other:?} at {point:?}");
            assert_eq!(outside, usize::from(here && !there), "{seed}: {region:?} outside {other:?} at {point:?}");
        }
    }
    assert!(said_empty > ROUNDS / 10);
}

#[test]
fn a_projection_loses_no_point_and_adds_none_where_it_is_exact() {
    let all = points(REACH);
    let mut exact = 0;
    for seed in 1..=ROUNDS {
        let mut dice = Dice(seed * 7_000_003);
        let region = dice.region().and(&within(&VARS));
        let shadow = region.eliminate(&VARS[..2]);
        exact += u64::from(shadow.exact);
        for a in -REACH..=REACH {
            for b in -REACH..=REACH {
                let there = all.iter().any(|point| point[2..] == [a, b] && is_in(&region, *point));
                let said = is_in(&shadow.region, [0, 0, a, b]);
                assert!(said || !there, "{seed}: {region:?} loses {a}, {b}");
                assert!(there || !said || !shadow.exact, "{seed}: {region:?} adds {a}, {b}");
            }
        }
        let form = dice.form(2);
        let (least, greatest) = region.bounds(&form);
        // the bounds are integers, and speak of integers
        let values = all.iter().filter(|point| is_in(&region, **point)).filter_map(|point| form.value(&at(*point)));
        for value in values.filter(num_rational::Ratio::is_integer) {
            assert!(least.is_none_or(|least| value >= i128::from(least).into()), "{seed}: {form:?} in {region:?}");
            assert!(
                greatest.is_none_or(|greatest| value <= i128::from(greatest).into()),
                "{seed}: {form:?} in {region:?}"
            );
        }
        if let Some(sample) = region.sample(&VARS) {
            assert!(is_in(&region, [sample[0], sample[1], sample[2], sample[3]]), "{seed}: {sample:?} in {region:?}");
        }
    }
    assert!(exact > ROUNDS / 2);
}

/// Every question of a set is asked again where it needs to know more, until all parameters have an answer.
fn by_cases(seed: u64, mut ask: impl FnMut(&Region) -> Result<(), Need>) {
    let mut cases = vec![within(&VARS[2..])];
    let mut asked = 0;
    while let Some(case) = cases.pop() {
        if case.is_empty() {
            continue;
        }
        asked += 1;
        assert!(asked < 300, "{seed}: too many cases");
        match ask(&case) {
            Ok(()) => {}
            Err(Need::Split(constraint)) => {
                cases.extend(constraint.negated().unwrap().into_iter().map(|part| case.with(part)));
                cases.push(case.with(constraint));
            }
            Err(Need::Stuck(what)) => panic!("{seed}: {what}"),
        }
    }
}

#[test]
fn sets_of_cells_are_joined_counted_and_compared_as_sets() {
    let all = points(FURTHER);
    let mut joined = 0;
    for seed in 1..=ROUNDS / 5 {
        let mut dice = Dice(seed * 5_000_011);
        let known = within(&VARS[2..]);
        let boxes = [dice.cells(), dice.cells()];
        let (set, other) = (Union::of(2, boxes.to_vec()), Union::of(2, vec![dice.cells()]));
        let (tidy, disjoint) = (set.tidy(&known), set.disjoint(&known).unwrap());
        joined += u64::from(tidy.regions.len() < 2);
        let has = |set: &Union, point: Point| set.regions.iter().filter(|region| is_in(region, point)).count();
        let mut counts = rustc_hash::FxHashMap::<[i64; 2], (i64, bool)>::default();
        for point in &all {
            let element = has(&set, *point) > 0;
            assert_eq!(has(&tidy, *point) > 0, element, "{seed}: {set:?} is not {tidy:?}");
            assert_eq!(has(&disjoint, *point), usize::from(element), "{seed}: {disjoint:?}");
            let entry = counts.entry([point[2], point[3]]).or_insert((0, true));
            entry.0 += i64::from(element);
            entry.1 &= !element || has(&other, *point) > 0;
        }
        let parameters = |case: &Region| {
            let mut found: Vec<[i64; 2]> = counts.keys().copied().collect();
            found.retain(|[a, b]| is_in(case, [0, 0, *a, *b]));
            found
        };
        by_cases(seed, |case| {
            let count = set.count(case)?;
            for [a, b] in parameters(case) {
                assert_eq!(
                    count.value(&at([0, 0, a, b])),
                    Some(i128::from(counts[&[a, b]].0).into()),
                    "{seed}: {set:?}"
                );
            }
            Ok(())
        });
        by_cases(seed, |case| {
            let (inhabited, subset) = (set.is_inhabited(case)?, set.is_subset(case, &other)?);
            for [a, b] in parameters(case) {
                assert_eq!(
                    (inhabited, subset),
                    (counts[&[a, b]].0 > 0, counts[&[a, b]].1),
                    "{seed}: {set:?}, {other:?}"
                );
            }
            Ok(())
        });
    }
    assert!(joined > 0);
}
