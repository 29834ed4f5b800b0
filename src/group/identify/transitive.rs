//! Names for what is not free: by degree, order and transitivity, by blocks, by elements.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use super::known::{PERFECT, PRIMITIVE};
use super::{Cell, Identity, Part, joined, small};
use crate::group::PermGroup;
use crate::group::work::{Done, Work};
use crate::perm::Perm;

/// A name for a group that moves all its points and is not abelian. Where it has several orbits they depend on each other.
pub(super) fn name(group: &PermGroup, cell: Cell<'_>, work: Work<'_>) -> Done<Identity> {
    let order = group.order(work)?;
    let orbits = &group.orbits().lists;
    if let [orbit] = orbits.as_slice() {
        return on_one_orbit(group, orbit.len(), &order, cell, work);
    }
    // an orbit that tells all
    let mut natural = 0;
    for orbit in orbits {
        let (action, _) = group.restricted(orbit);
        natural += usize::from(action.order(work)? == order && orbit.len() == 6 && order == factorial(6));
    }
    if natural >= 2 {
        return Ok(Identity::new(
            "S6",
            format!(
                "all {order} permutations of the 6 cells of the orbit of {} occur, and with each of them one permutation of the 6 cells of the orbit of {}, also all of them; no map of the cells takes one action to the other: they differ by the outer automorphism of S6",
                cell(orbits[0][0]),
                cell(orbits[1][0])
            ),
        ));
    }
    for orbit in orbits {
        let (action, names) = group.restricted(orbit);
        if action.order(work)? == order {
            let inner = |point: u32| names.get(point as usize).map_or(String::new(), |point| cell(*point));
            let mut identity = on_one_orbit(&action, orbit.len(), &order, &inner, work)?;
            if identity.name.is_some() {
                identity.reasons.push(format!(
                    "what happens on the {} cells of the orbit of {} determines the rest",
                    orbit.len(),
                    cell(orbit[0])
                ));
                return Ok(identity);
            }
        }
    }
    if let Some(identity) = perfect(group, &order, work)? {
        return Ok(identity);
    }
    if let Some(identity) = small::by_elements(group, work)? {
        return Ok(identity);
    }
    // a subgroup of the product of what it does on its orbits
    let mut parts = Vec::new();
    for orbit in orbits {
        let (action, names) = group.restricted(orbit);
        let inner = |point: u32| names.get(point as usize).map_or(String::new(), |point| cell(*point));
        let order = action.order(work)?;
        let identity = match action.is_abelian() {
            true => small::abelian(&action, work)?,
            false => on_one_orbit(&action, orbit.len(), &order, &inner, work)?,
        };
        if identity.name.is_none() {
            return nameless(group, &order, work);
        }
        parts.push(Part { order, identity });
    }
    let product = parts.iter().fold(BigUint::one(), |product, part| product * &part.order);
    Ok(joined(parts, &(product / order)))
}

fn on_one_orbit(group: &PermGroup, n: usize, order: &BigUint, cell: Cell<'_>, work: Work<'_>) -> Done<Identity> {
    let orbit = &group.orbits().lists[0];
    if *order == factorial(n) {
        return Ok(Identity::new(format!("S{n}"), format!("its order is {n}!: all permutations of {n} cells")));
    }
    if order * 2u8 == factorial(n) {
        // a subgroup of index 2
        return Ok(Identity::new(format!("A{n}"), format!("its order is {n}!/2: all even permutations of {n} cells")));
    }
    let primitive = group.is_primitive(orbit, work)?;
    if primitive && let Some(identity) = on_primitive(group, n, order, work)? {
        return Ok(identity);
    }
    if let Some(identity) = perfect(group, order, work)? {
        return Ok(identity);
    }
    if let Some(identity) = small::by_elements(group, work)? {
        return Ok(identity);
    }
    if !primitive && let Some(identity) = imprimitive(group, orbit, order, cell, work)? {
        return Ok(identity);
    }
    nameless(group, order, work)
}

fn on_primitive(group: &PermGroup, n: usize, order: &BigUint, work: Work<'_>) -> Done<Option<Identity>> {
    let orbit = &group.orbits().lists[0];
    let transitivity = group.transitivity(orbit, work)?;
    let Some(size) = order.to_u64() else { return Ok(None) };
    let how = match transitivity {
        1 => "primitive".to_string(),
        k => format!("{k}-transitive"),
    };
    // with p points: in the affine group, or not solvable (Burnside, Galois)
    if let Some((p, 1)) = prime_power(n)
        && (p * (p - 1)).is_multiple_of(size)
    {
        let k = size / p;
        let name = if k == p - 1 {
            format!("AGL(1,{p})")
        } else if k == 2 {
            format!("D{p}")
        } else {
            format!("C{p}:C{k}")
        };
        return Ok(Some(Identity::new(
            name,
            format!(
                "transitive on the prime number {p} of cells, and its order {size} divides {p}({p} - 1): maps x -> a x + b modulo {p} (Galois)"
            ),
        )));
    }
    let solvable = group.is_solvable(work)?;
    // on q + 1 points
    if let Some((p, e)) = prime_power(n - 1)
        && !solvable
    {
        let q = (n - 1) as u64;
        let all = q * (q * q - 1);
        if size == all && transitivity >= 3 {
            // for odd squares q there is a second sharply 3-transitive group, in which what fixes two cells is not abelian
            if e % 2 == 0 && p != 2 && !group.stabilizer(orbit[0], work)?.stabilizer(orbit[1], work)?.is_abelian() {
                let reason = format!(
                    "sharply 3-transitive on {n} cells, and what fixes two of them is not abelian (Zassenhaus)"
                );
                return Ok(Some(Identity::new(format!("M({q})"), reason)));
            }
            let as_symmetric = if q == 5 { ", which is isomorphic to S5" } else { "" };
            return Ok(Some(Identity::new(
                format!("PGL(2,{q})"),
                format!(
                    "{transitivity}-transitive on {n} = {q} + 1 cells, and its order is ({q} + 1) {q} ({q} - 1) = {size}: sharply 3-transitive (Zassenhaus){as_symmetric}"
                ),
            )));
        }
        if p != 2 && size == all / 2 && transitivity == 2 && (e == 1 || q == 9) {
            return Ok(Some(Identity::new(
                format!("PSL(2,{q})"),
                format!(
                    "2-transitive on {n} = {q} + 1 cells, not solvable, and its order is ({q} + 1) {q} ({q} - 1)/2 = {size}"
                ),
            )));
        }
    }
    if let Some((.., name)) =
        PRIMITIVE.iter().find(|(degree, known, least, _)| *degree == n && *known == size && *least <= transitivity)
        && !solvable
    {
        return Ok(Some(Identity::new(
            *name,
            format!("{how} on {n} cells, and its order is {size}; there is one such group"),
        )));
    }
    if let Some(identity) = perfect(group, order, work)? {
        return Ok(Some(identity));
    }
    if let Some((p, d)) = prime_power(n)
        && solvable
    {
        let k = size / n as u64;
        return Ok(Some(Identity::new(
            format!("C{p}^{d}:[{k}]"),
            format!(
                "{how} and solvable: affine maps of the {d}-dimensional space over the field of {p} elements, {k} of them fix a given cell"
            ),
        )));
    }
    Ok(None)
}

/// A perfect group that its order determines.
fn perfect(group: &PermGroup, order: &BigUint, work: Work<'_>) -> Done<Option<Identity>> {
    let Some((size, name)) = PERFECT.iter().find(|(size, _)| *order == BigUint::from(*size)) else { return Ok(None) };
    let reason = format!(
        "it is generated by its commutators, and the only such group of order {size} is the simple group {name}"
    );
    Ok(group.is_perfect(work)?.then(|| Identity::new(*name, reason)))
}

/// A group with blocks: a wreath product if its order is the largest possible, or what it does to blocks if that tells all.
fn imprimitive(
    group: &PermGroup,
    orbit: &[u32],
    order: &BigUint,
    cell: Cell<'_>,
    work: Work<'_>,
) -> Done<Option<Identity>> {
    for system in group.minimal_blocks(orbit, work)? {
        let (top, inside) = actions(group, &system.blocks, work)?;
        let m = system.blocks.len();
        let k = system.blocks[0].len();
        let (top_order, inside_order) = (top.order(work)?, inside.order(work)?);
        let named = |part: &PermGroup| -> Done<Option<String>> {
            let numbers = |point: u32| (point + 1).to_string();
            Ok(part.identify(&numbers, work)?.name)
        };
        let example: Vec<String> = system.blocks[0].iter().map(|point| cell(*point)).collect();
        if *order == inside_order.pow(m as u32) * &top_order {
            if let (Some(inside), Some(top)) = (named(&inside)?, named(&top)?)
                && acts_naturally(&top, m)
            {
                return Ok(Some(Identity::new(
                    format!("{} wr {}", in_brackets(&inside), in_brackets(&top)),
                    format!(
                        "{m} blocks of {k} cells such as {}: its order is that of all permutations that act as {top} on the blocks and as {inside} inside each",
                        example.join(", ")
                    ),
                )));
            }
        } else if *order == top_order
            && let Some(name) = named(&top)?
        {
            return Ok(Some(Identity::new(
                name.clone(),
                format!(
                    "what it does to the {m} blocks of {k} cells such as {} tells all, and there it is {name}",
                    example.join(", ")
                ),
            )));
        }
    }
    Ok(None)
}

/// Does a group with this name permute m things in the way that the name is meant? A wreath product depends on it: A4 may permute four blocks
/// or six.
fn acts_naturally(name: &str, m: usize) -> bool {
    let natural = [format!("S{m}"), format!("A{m}"), format!("C{m}"), format!("D{m}"), format!("M{m}")];
    let linear = [format!("PSL(2,{})", m - 1), format!("PGL(2,{})", m - 1), format!("AGL(1,{m})")];
    natural.iter().chain(&linear).any(|known| known == name)
}

fn in_brackets(name: &str) -> String {
    if name.contains(' ') { format!("({name})") } else { name.to_string() }
}

/// The action on blocks, and that of the stabilizer of the first block on its points.
fn actions(group: &PermGroup, blocks: &[Vec<u32>], work: Work<'_>) -> Done<(PermGroup, PermGroup)> {
    let mut block_of = vec![0usize; group.degree()];
    for (number, block) in blocks.iter().enumerate() {
        for point in block {
            block_of[*point as usize] = number;
        }
    }
    let on_blocks = group.generators().iter().map(|generator| {
        let images = blocks.iter().map(|block| block_of[generator.image(block[0]) as usize] as u32).collect();
        Perm::from_images(images).unwrap_or(Perm::identity(blocks.len()))
    });
    let top = PermGroup::new(blocks.len(), on_blocks.collect());
    // a way from the first block to each other, and Schreier's generators of its stabilizer (HCGT 4.1)
    let mut ways: Vec<Option<Perm>> = vec![None; blocks.len()];
    ways[0] = Some(Perm::identity(group.degree()));
    let mut queue = vec![0];
    let mut inside: Vec<Perm> = Vec::new();
    let mut next = 0;
    while let Some(&block) = queue.get(next) {
        next += 1;
        for generator in group.generators() {
            work.products(3, group.degree())?;
            let Some(way) = &ways[block] else { continue };
            let there = way.then(generator);
            let image = block_of[there.image(blocks[0][0]) as usize];
            match &ways[image] {
                None => {
                    ways[image] = Some(there);
                    queue.push(image);
                }
                Some(known) => {
                    let around = there.then(&known.inverse());
                    let images =
                        blocks[0].iter().map(|point| blocks[0].binary_search(&around.image(*point)).unwrap_or(0));
                    if let Ok(perm) = Perm::from_images(images.map(|at| at as u32).collect())
                        && !perm.is_identity()
                        && !inside.contains(&perm)
                    {
                        inside.push(perm);
                    }
                }
            }
        }
    }
    Ok((top, PermGroup::new(blocks[0].len(), inside)))
}

fn nameless(group: &PermGroup, order: &BigUint, work: Work<'_>) -> Done<Identity> {
    let mut reasons = vec![format!("no name is known here for this group of order {order}")];
    let derived = group.derived(work)?.order(work)?;
    reasons.push(match group.is_solvable(work)? {
        true => format!("it is solvable; its commutators generate a subgroup of order {derived}"),
        false => format!("it is not solvable; its commutators generate a subgroup of order {derived}"),
    });
    reasons.push(format!("its centre has order {}", group.center(work)?.order(work)?));
    Ok(Identity::nameless(reasons))
}

fn factorial(n: usize) -> BigUint {
    (2..=n).fold(BigUint::one(), |product, k| product * k)
}

/// p and e if n is the e-th power of the prime p.
fn prime_power(n: usize) -> Option<(u64, u32)> {
    let n = n as u64;
    let p = (2..).take_while(|p| p * p <= n).find(|p| n.is_multiple_of(*p)).unwrap_or(n);
    let (mut rest, mut e) = (n, 0);
    while p > 1 && rest.is_multiple_of(p) {
        rest /= p;
        e += 1;
    }
    (rest == 1 && e > 0).then_some((p, e))
}
