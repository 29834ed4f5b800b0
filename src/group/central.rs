//! Elements that commute: centre, centralizers, and what conjugates one element to another.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::FxHashSet;

use super::PermGroup;
use super::equivariant::equivariant;
use super::mixer::Mixer;
use super::orbits::Orbits;
use super::tree::Tree;
use super::work::{Done, Work};
use crate::perm::Perm;

const SEED: u64 = 0xce27;
/// So many elements of a point's stabilizer exclude images of the point.
const HELPERS: usize = 5;
/// So many candidates for central elements are tried one by one.
const CANDIDATES: usize = 1 << 12;

impl PermGroup {
    /// The elements that commute with all elements.
    ///
    /// On each orbit such an element is a map that goes along with the action, and so is known from the image of one point,
    /// which the stabilizer of that point fixes (HCGT section 4.6.4, Seress, section 6.1.2). Few such maps are tried for
    /// membership; where there are many a search in a chain finds them.
    pub fn center(&self, work: Work<'_>) -> Done<PermGroup> {
        if self.is_abelian() {
            return Ok(self.clone());
        }
        let mut of_orbits: Vec<Vec<Vec<(u32, u32)>>> = Vec::new();
        let mut combinations = 1usize;
        for orbit in self.orbits().lists.iter().filter(|orbit| orbit.len() > 1) {
            let maps = self.commuting_maps(orbit, work)?;
            if maps.len() > 1 {
                combinations = combinations.saturating_mul(maps.len());
                of_orbits.push(maps);
            }
        }
        if combinations > CANDIDATES {
            return self.search_centralizer(&self.generators, work);
        }
        let mut known: FxHashSet<Perm> = FxHashSet::default();
        known.insert(Perm::identity(self.degree));
        let mut generators = Vec::new();
        for number in 1..combinations {
            let candidate = self.combination(&of_orbits, number);
            work.products(1, self.degree)?;
            if known.contains(&candidate) || !self.contains(&candidate, work)? {
                continue;
            }
            // central elements commute: the products with powers of the new one are all there is
            let mut powers = vec![candidate.clone()];
            let mut power = candidate.then(&candidate);
            while !known.contains(&power) {
                powers.push(power.clone());
                power = power.then(&candidate);
            }
            let before: Vec<Perm> = known.iter().cloned().collect();
            work.products(before.len() * powers.len(), self.degree)?;
            known.extend(powers.iter().flat_map(|power| before.iter().map(move |element| element.then(power))));
            generators.push(candidate);
        }
        Ok(PermGroup::with_order(self.degree, generators, BigUint::from(known.len())))
    }

    /// The permutation made of one map for each orbit; `number` says which, and 0 is the identity.
    fn combination(&self, of_orbits: &[Vec<Vec<(u32, u32)>>], number: usize) -> Perm {
        let mut images: Vec<u32> = (0..self.degree as u32).collect();
        let mut rest = number;
        for maps in of_orbits {
            for (point, image) in &maps[rest % maps.len()] {
                images[*point as usize] = *image;
            }
            rest /= maps.len();
        }
        Perm::trusted(images.into())
    }

    /// The maps of an orbit onto itself that commute with the action, the identity first.
    fn commuting_maps(&self, orbit: &[u32], work: Work<'_>) -> Done<Vec<Vec<(u32, u32)>>> {
        let Some(acting) = self.acting_on(orbit) else { return Ok(Vec::new()) };
        let mut mixer = Mixer::new(orbit.len(), &acting.generators, SEED, work)?;
        let tree = Tree::new(orbit.len(), &acting.generators, &mut mixer, 0, work)?;
        let mut images: Vec<u32> = (0..orbit.len() as u32).collect();
        for _ in 0..HELPERS {
            let fixing = tree.lead_home(&mixer.element(work)?, work)?;
            images.retain(|image| fixing.image(*image) == *image);
        }
        let mut maps = Vec::new();
        for image in images {
            if let Some(map) = equivariant(&acting.generators, &acting.generators, 0, image, work)? {
                let outside = |(from, to): &(u32, u32)| (orbit[*from as usize], orbit[*to as usize]);
                maps.push(map.iter().map(outside).collect());
            }
        }
        Ok(maps)
    }

    /// The elements of the group that commute with some permutations, which need not be in it.
    ///
    /// In the symmetric and the alternating group of the points moved the answer has a closed form. Else a search in a chain whose
    /// base follows the orbits of the elements (HCGT section 4.6.5): too large where there is no such chain, or when it takes
    /// too many steps.
    pub fn centralizer(&self, elements: &[Perm], work: Work<'_>) -> Done<PermGroup> {
        let degree = elements.iter().map(Perm::degree).fold(self.degree, usize::max);
        let elements: Vec<Perm> =
            elements.iter().filter(|element| !element.is_identity()).map(|element| widened(element, degree)).collect();
        if elements.is_empty() {
            return Ok(self.clone());
        }
        let group = self.on_degree(degree);
        if let Some((points, symmetric)) = group.as_giant(work)?
            && let Some(inside) = preserving(&elements, &points)
        {
            let whole = centralizer_in_symmetric(&points, &inside, degree, work)?;
            return if symmetric { Ok(whole) } else { whole.even_part(work) };
        }
        group.search_centralizer(&elements, work)
    }

    /// An element g of the group with `g' a g = b`, if there is one. Neither need be in the group.
    ///
    /// Cycles that do not fit say no at once; in the symmetric and the alternating group of the points moved they give g. Else a
    /// search as for a [`centralizer`](Self::centralizer).
    pub fn conjugator(&self, a: &Perm, b: &Perm, work: Work<'_>) -> Done<Option<Perm>> {
        self.conjugator_of_all(std::slice::from_ref(a), std::slice::from_ref(b), work)
    }

    /// An element g of the group with `g' a(j) g = b(j)` for each j, if there is one. The lists have the same length.
    pub fn conjugator_of_all(&self, a: &[Perm], b: &[Perm], work: Work<'_>) -> Done<Option<Perm>> {
        let degree = a.iter().chain(b).map(Perm::degree).fold(self.degree, usize::max);
        let a: Vec<Perm> = a.iter().map(|perm| widened(perm, degree)).collect();
        let b: Vec<Perm> = b.iter().map(|perm| widened(perm, degree)).collect();
        if a.len() != b.len() {
            return Ok(None);
        }
        if a == b {
            return Ok(Some(Perm::identity(degree)));
        }
        let group = self.on_degree(degree);
        work.products(2 * a.len(), degree)?;
        let fits = |(a, b): (&Perm, &Perm)| group.cycles_in_orbits(a) == group.cycles_in_orbits(b);
        if !a.iter().zip(&b).all(fits) {
            return Ok(None);
        }
        if let Some((points, symmetric)) = group.as_giant(work)?
            && let (Some(inside_a), Some(_)) = (preserving(&a, &points), preserving(&b, &points))
        {
            let outside = |point: u32| points.binary_search(&point).is_err();
            let agree = |(a, b): (&Perm, &Perm)| (0..degree as u32).all(|p| !outside(p) || a.image(p) == b.image(p));
            if !a.iter().zip(&b).all(agree) {
                return Ok(None);
            }
            let Some(g) = matching_orbits(&points, &a, &b, degree, work)? else { return Ok(None) };
            if symmetric || g.is_even() {
                return Ok(Some(g));
            }
            let commuting = centralizer_in_symmetric(&points, &inside_a, degree, work)?;
            let odd = commuting.generators.iter().find(|generator| !generator.is_even());
            return Ok(odd.map(|odd| odd.then(&g)));
        }
        group.search_conjugator(&a, &b, work)
    }

    /// How many cycles of each length a permutation has from each orbit of the group, where a cycle counts for the orbits of all
    /// its points: conjugate ones have the same.
    pub(super) fn cycles_in_orbits(&self, perm: &Perm) -> BTreeMap<(Vec<u32>, usize), usize> {
        let mut counts = BTreeMap::new();
        for cycle in perm.cycles() {
            let mut orbits: Vec<u32> = cycle.iter().map(|point| self.orbits().of[*point as usize]).collect();
            orbits.sort_unstable();
            orbits.dedup();
            *counts.entry((orbits, cycle.len())).or_insert(0) += 1;
        }
        counts
    }
}

fn widened(perm: &Perm, degree: usize) -> Perm {
    if perm.degree() >= degree { perm.clone() } else { perm.then(&Perm::identity(degree)) }
}

/// The permutations with their points outside a sorted list fixed; None where one takes points of the list out of it.
fn preserving(perms: &[Perm], points: &[u32]) -> Option<Vec<Perm>> {
    let one = |perm: &Perm| {
        let mut images: Vec<u32> = (0..perm.degree() as u32).collect();
        for point in points {
            let image = perm.image(*point);
            points.binary_search(&image).ok()?;
            images[*point as usize] = image;
        }
        Some(Perm::trusted(images.into()))
    };
    perms.iter().map(one).collect()
}

/// The orbits of `a` on some points that it moves among each other, sorted into kinds: those that maps along with the action take
/// to each other. With each orbit its map from the first one of its kind.
#[expect(clippy::type_complexity, reason = "kinds, orbits, pairs")]
fn kinds(points: &[u32], a: &[Perm], degree: usize, work: Work<'_>) -> Done<Vec<Vec<Vec<(u32, u32)>>>> {
    let mut kinds: Vec<Vec<Vec<(u32, u32)>>> = Vec::new();
    'orbits: for orbit in Orbits::new(degree, a).lists {
        if points.binary_search(&orbit[0]).is_err() {
            continue;
        }
        for kind in &mut kinds {
            if kind[0].len() != orbit.len() {
                continue;
            }
            if let Some(map) = map_onto(a, a, kind[0][0].0, &orbit, work)? {
                kind.push(map);
                continue 'orbits;
            }
        }
        kinds.extend(equivariant(a, a, orbit[0], orbit[0], work)?.map(|map| vec![map]));
    }
    Ok(kinds)
}

/// A map along with the actions from the orbit of a point onto an orbit.
fn map_onto(a: &[Perm], b: &[Perm], from: u32, orbit: &[u32], work: Work<'_>) -> Done<Option<Vec<(u32, u32)>>> {
    for to in orbit {
        if let Some(map) = equivariant(a, b, from, *to, work)? {
            return Ok(Some(map));
        }
    }
    Ok(None)
}

/// All permutations of some points that commute with `a`, which moves these among each other: for each kind of orbits the maps of one
/// orbit onto itself, and all permutations of the orbits (HCGT section 4.6.4; for one permutation: its cycles turned, and
/// cycles of the same length exchanged).
fn centralizer_in_symmetric(points: &[u32], a: &[Perm], degree: usize, work: Work<'_>) -> Done<PermGroup> {
    let mut generators = Vec::new();
    let mut order = BigUint::one();
    for kind in kinds(points, a, degree, work)? {
        let first = &kind[0];
        // maps of the first orbit onto itself, until they take its first point to all images that it may have
        let mut maps: Vec<Perm> = Vec::new();
        let mut reached = Orbits::new(degree, &maps);
        let mut failed: Vec<bool> = vec![false; degree];
        for (to, _) in first.iter().skip(1) {
            if reached.of[*to as usize] == reached.of[first[0].0 as usize] || failed[*to as usize] {
                continue;
            }
            match equivariant(a, a, first[0].0, *to, work)? {
                Some(map) => {
                    work.products(2, degree)?;
                    maps.push(from_pairs(degree, &map));
                    reached = Orbits::new(degree, &maps);
                }
                None => reached.orbit_of(*to).iter().for_each(|point| failed[*point as usize] = true),
            }
        }
        let turns = reached.orbit_of(first[0].0).len();
        generators.extend(maps);
        let pairs = |from: &[(u32, u32)], to: &[(u32, u32)]| -> Vec<(u32, u32)> {
            from.iter().zip(to).map(|((_, from), (_, to))| (*from, *to)).collect()
        };
        if kind.len() > 1 {
            let mut exchange = pairs(&kind[0], &kind[1]);
            exchange.extend(pairs(&kind[1], &kind[0]));
            generators.push(from_pairs(degree, &exchange));
        }
        if kind.len() > 2 {
            let around = (0..kind.len()).flat_map(|at| pairs(&kind[at], &kind[(at + 1) % kind.len()]));
            generators.push(from_pairs(degree, &around.collect::<Vec<_>>()));
        }
        for count in 1..=kind.len() {
            order *= turns;
            order *= count;
        }
    }
    Ok(PermGroup::with_order(degree, generators, order))
}

/// The permutation that pairs of a point and its image give; other points stay.
fn from_pairs(degree: usize, pairs: &[(u32, u32)]) -> Perm {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for (from, to) in pairs {
        images[*from as usize] = *to;
    }
    Perm::trusted(images.into())
}

/// A permutation g of some points with a(j) g = g b(j) on them, if there is one: each orbit of `a` goes to one of `b` not yet
/// taken. Which of several does not matter, as being of one kind is an equivalence.
fn matching_orbits(points: &[u32], a: &[Perm], b: &[Perm], degree: usize, work: Work<'_>) -> Done<Option<Perm>> {
    let mut free = Orbits::new(degree, b).lists;
    free.retain(|orbit| points.binary_search(&orbit[0]).is_ok());
    free.reverse();
    let mut pairs = Vec::new();
    for orbit in Orbits::new(degree, a).lists {
        if points.binary_search(&orbit[0]).is_err() {
            continue;
        }
        let mut found = None;
        for (at, other) in free.iter().enumerate().rev() {
            if other.len() == orbit.len()
                && let Some(map) = map_onto(a, b, orbit[0], other, work)?
            {
                found = Some((at, map));
                break;
            }
        }
        let Some((at, map)) = found else { return Ok(None) };
        free.remove(at);
        pairs.extend(map);
    }
    Ok(Some(from_pairs(degree, &pairs)))
}
