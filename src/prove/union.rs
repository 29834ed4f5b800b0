//! Sets of cells: unions of regions over coordinates.

use super::constraint::Constraint;
use super::form::{Form, Var};
use super::poly::Poly;
use super::region::Region;
use super::{Done, Need, TooLarge, decide};

/// A set of cells of one width. The regions may overlap; their coordinates are the variables 0 to width - 1.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Union {
    pub width: usize,
    pub regions: Vec<Region>,
}

/// Regions that are joined with their neighbours are few; more are left as they are.
const MOST_JOINED: usize = 120;

impl Union {
    pub fn empty(width: usize) -> Union {
        Union { width, regions: Vec::new() }
    }

    pub fn of(width: usize, regions: Vec<Region>) -> Union {
        Union { width, regions }
    }

    /// The set of these points.
    pub fn points(width: usize, points: &[Vec<Form>]) -> Result<Union, TooLarge> {
        let regions = points.iter().map(|point| at(point)).collect::<Result<Vec<Region>, TooLarge>>()?;
        Ok(Union { width, regions })
    }

    /// The elements that a tuple of forms takes while its variables run through a region. The forms have to be integers there.
    pub fn of_image(known: &Region, scope: &Region, scope_vars: &[Var], element: &[Form]) -> Done<Union> {
        let both = scope.and(&at(element)?);
        if both.is_empty_in(known) {
            return Ok(Union::empty(element.len()));
        }
        let (regions, exact) = both.shadows(scope_vars);
        if !exact {
            return Err(Need::Stuck("a set whose elements are not all integer points of a region"));
        }
        Ok(Union { width: element.len(), regions })
    }

    pub fn union(&self, other: &Union) -> Union {
        let mut regions = self.regions.clone();
        for region in &other.regions {
            if !regions.contains(region) {
                regions.push(region.clone());
            }
        }
        Union { width: self.width, regions }
    }

    pub fn intersection(&self, known: &Region, other: &Union) -> Union {
        let mut regions = Vec::new();
        for a in &self.regions {
            for b in &other.regions {
                let both = a.and(b);
                if !both.is_empty_in(known) {
                    regions.push(both.tidy(known));
                }
            }
        }
        Union { width: self.width, regions }
    }

    pub fn difference(&self, known: &Region, other: &Union) -> Done<Union> {
        let mut left = self.regions.clone();
        for region in &other.regions {
            left = outside(known, left, region)?;
        }
        Ok(Union { width: self.width, regions: left })
    }

    /// Has it surely no element?
    pub fn is_empty(&self, known: &Region) -> bool {
        self.regions.iter().all(|region| region.is_empty_in(known))
    }

    /// Has it an element, whatever the parameters are?
    pub fn is_inhabited(&self, known: &Region) -> Done<bool> {
        let coordinates: Vec<Var> = (0..self.width as Var).collect();
        let mut need = None;
        for region in &self.regions {
            if region.is_empty_in(known) {
                continue;
            }
            let (shadows, exact) = region.shadows(&coordinates);
            for shadow in shadows {
                if shadow.is_empty_in(known) {
                    continue;
                }
                match shadow.constraints.iter().find(|constraint| !known.entails(constraint)) {
                    None if exact => return Ok(true),
                    None => {
                        let stuck = Need::Stuck("whether a set has an element, by remainders and large coefficients");
                        need = Some(need.unwrap_or(stuck));
                    }
                    Some(constraint) => match need {
                        Some(Need::Split(_)) => {}
                        _ => need = Some(Need::Split(constraint.clone())),
                    },
                }
            }
        }
        need.map_or(Ok(false), Err)
    }

    pub fn is_subset(&self, known: &Region, other: &Union) -> Done<bool> {
        Ok(!self.difference(known, other)?.is_inhabited(known)?)
    }

    pub fn equals(&self, known: &Region, other: &Union) -> Done<bool> {
        Ok(self.is_subset(known, other)? && other.is_subset(known, self)?)
    }

    /// Is the point an element?
    pub fn contains(&self, known: &Region, point: &[Form]) -> Done<bool> {
        let mut need = None;
        for region in &self.regions {
            let here = region.substitute(&|var| point.get(usize::from(var)).cloned())?;
            if here.is_empty_in(known) {
                continue;
            }
            match here.constraints.iter().find(|constraint| !known.entails(constraint)) {
                None => return Ok(true),
                Some(constraint) => need = need.or(Some(constraint.clone())),
            }
        }
        need.map_or(Ok(false), |constraint| Err(Need::Split(constraint)))
    }

    /// The same set in disjoint regions, none of them surely empty.
    pub fn disjoint(&self, known: &Region) -> Done<Union> {
        let mut regions: Vec<Region> = Vec::new();
        for region in &self.regions {
            let mut new = vec![region.clone()];
            for old in &regions {
                new = outside(known, new, old)?;
            }
            regions.extend(new.into_iter().filter(|region| !region.is_empty_in(known)));
        }
        Ok(Union { width: self.width, regions })
    }

    /// How many elements it has, for sets that fall into boxes.
    pub fn count(&self, known: &Region) -> Done<Poly> {
        let mut sum = Poly::zero();
        let coordinates: Vec<Var> = (0..self.width as Var).collect();
        for region in &self.disjoint(known)?.tidy(known).regions {
            if !region.has_remainders(&coordinates) {
                sum = sum.add(&region.tidy(known).volume(known, self.width)?)?;
                continue;
            }
            // one region for each remainder
            let Some(parts) = region.by_remainders(&coordinates)? else {
                return Err(Need::Stuck("how many cells a set with remainders has"));
            };
            for part in parts.iter().filter(|part| !part.is_empty_in(known)) {
                sum = sum.add(&part.tidy(known).volume(known, self.width)?)?;
            }
        }
        Ok(sum)
    }

    /// The same set in fewer regions: neighbours are joined where that makes one region, and conditions that say nothing are
    /// left out.
    pub fn tidy(&self, known: &Region) -> Union {
        let mut regions: Vec<Region> =
            self.regions.iter().filter(|region| !region.is_empty_in(known)).map(|region| region.tidy(known)).collect();
        if regions.len() <= MOST_JOINED {
            while join_some(known, &mut regions) {}
        }
        Union { width: self.width, regions }
    }
}

/// Joins neighbours once. False if there are none.
fn join_some(known: &Region, regions: &mut Vec<Region>) -> bool {
    for first in 0..regions.len() {
        for second in first + 1..regions.len() {
            if let Some(both) = regions[first].joined(known, &regions[second]) {
                regions[first] = both.tidy(known);
                regions.remove(second);
                return true;
            }
        }
    }
    false
}

/// The remainder that a form leaves on division by a number.
fn remainder(known: &Region, form: &Form, by: i64) -> Done<i64> {
    const MOST: i64 = 64;
    if by > MOST {
        return Err(Need::Stuck("how many cells a set with large coefficients has"));
    }
    let mut open = None;
    for rest in 0..by {
        let constraint = Constraint::divisible(&form.plus(-rest)?, by)?;
        match decide(known, &constraint) {
            Ok(true) => return Ok(rest),
            Ok(false) => {}
            Err(need) => {
                open.get_or_insert(need);
            }
        }
    }
    // without any remainder that is possible there is no such point
    open.map_or(Ok(0), Err)
}

/// The region that is one point.
pub(super) fn at(point: &[Form]) -> Result<Region, TooLarge> {
    let equations = point.iter().enumerate().map(|(d, form)| Constraint::equal(&Form::var(d as Var), form));
    Ok(Region::of(equations.collect::<Result<Vec<Constraint>, TooLarge>>()?))
}

/// What remains of regions outside another one.
pub(super) fn outside(known: &Region, regions: Vec<Region>, by: &Region) -> Result<Vec<Region>, TooLarge> {
    let mut left = Vec::with_capacity(regions.len());
    for region in regions {
        left.extend(region.cut(known, by)?.outside);
    }
    Ok(left)
}

impl Region {
    /// The point that it is, if its conditions leave one choice for each coordinate.
    pub fn as_point(&self, known: &Region, width: usize) -> Option<Vec<Form>> {
        let coordinates: Vec<Var> = (0..width as Var).collect();
        let solved = self.eliminate(&coordinates).solved;
        let mut point: Vec<Option<Form>> = vec![None; width];
        for (var, form) in solved {
            if form.vars().all(|other| usize::from(other) >= width) {
                point[usize::from(var)] = Some(form);
            }
        }
        for (d, place) in point.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
            // a bound that nothing can pass
            *place = self.constraints.iter().find_map(|constraint| {
                let form = constraint.form();
                let coefficient = form.coefficient(d as Var);
                if coefficient.abs() != 1 || !matches!(constraint, Constraint::Ge(_)) {
                    return None;
                }
                let rest = form.sub(&Form::new([(d as Var, coefficient)], 0, 1)).ok()?;
                let bound = rest.scale(-coefficient, 1).ok()?;
                let is_last = bound.vars().all(|var| usize::from(var) >= width)
                    && self.and(known).entails(&Constraint::equal(&Form::var(d as Var), &bound).ok()?);
                is_last.then_some(bound)
            });
        }
        point.into_iter().collect()
    }

    /// How many points it has, if it is a box: each coordinate lies between two forms in the parameters.
    fn volume(&self, known: &Region, width: usize) -> Done<Poly> {
        const STUCK: Need = Need::Stuck("how many cells a set has that is no union of boxes");
        let coordinates: Vec<Var> = (0..width as Var).collect();
        // coordinates that follow from others count nothing
        let mut free: Vec<Var> = coordinates;
        let mut region = self.clone();
        while let Some(at) = region.constraints.iter().position(|constraint| {
            matches!(constraint, Constraint::Eq(form) if free.iter().any(|var| form.coefficient(*var) != 0))
        }) {
            let form = region.constraints[at].form();
            let Some(var) = free.iter().copied().find(|var| form.coefficient(*var).abs() == 1) else {
                return Err(STUCK);
            };
            let without = region.eliminate(&[var]);
            if !without.exact {
                return Err(STUCK);
            }
            region = without.region;
            free.retain(|other| *other != var);
        }
        let mut volume = Poly::int(1);
        let mut parameters = Region::all();
        for constraint in &region.constraints {
            if free.iter().all(|var| !constraint.mentions(*var)) {
                parameters.push(constraint.clone());
            }
        }
        for constraint in &parameters.constraints {
            if !decide(known, constraint)? {
                return Ok(Poly::zero());
            }
        }
        for var in &free {
            let (mut low, mut high): (Option<Form>, Option<Form>) = (None, None);
            for constraint in region.constraints.iter().filter(|constraint| constraint.mentions(*var)) {
                let form = constraint.form();
                let coefficient = form.coefficient(*var);
                if !matches!(constraint, Constraint::Ge(_))
                    || free.iter().any(|other| other != var && constraint.mentions(*other))
                {
                    return Err(STUCK);
                }
                let rest = form.sub(&Form::new([(*var, coefficient)], 0, 1))?;
                let bound = match coefficient.abs() {
                    1 => rest.scale(-coefficient, 1)?,
                    size => {
                        // var >= -rest / size, or var <= rest / size: an integer once the remainder is taken off
                        let over = remainder(known, &rest, size)?;
                        rest.plus(-over)?.scale(if coefficient > 0 { -1 } else { 1 }, size)?
                    }
                };
                let side = if coefficient > 0 { &mut low } else { &mut high };
                *side = Some(match side.take() {
                    None => bound,
                    Some(other) => {
                        let takes_other = match coefficient > 0 {
                            true => decide(known, &Constraint::less_eq(&bound, &other)?)?,
                            false => decide(known, &Constraint::less_eq(&other, &bound)?)?,
                        };
                        if takes_other { other } else { bound }
                    }
                });
            }
            let (Some(low), Some(high)) = (low, high) else { return Err(STUCK) };
            let length = high.sub(&low)?.plus(1)?;
            if !known.entails(&Constraint::ge(&length)) && !decide(known, &Constraint::ge(&length.plus(-1)?))? {
                return Ok(Poly::zero());
            }
            volume = volume.mul(&length.poly())?;
        }
        Ok(volume)
    }
}
