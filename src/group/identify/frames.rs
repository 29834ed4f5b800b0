//! Names for what a group does on a free frame.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

use super::{Cell, Identity, Part};
use crate::group::structure::{Free, Structure};
use crate::group::work::{Done, Work};
use crate::group::{Chain, PermGroup};
use crate::perm::Perm;

/// The action on a free frame: a symmetric or alternating group, or one of the large subgroups of a wreath product.
pub(super) fn part(
    group: &PermGroup,
    structure: &Structure,
    free: &Free,
    cell: Cell<'_>,
    work: Work<'_>,
) -> Done<Part> {
    let frame = &structure.frames()[free.frame];
    let (m, q) = (frame.blocks, frame.ring);
    // what the generators do to signs and turns of this frame: a quotient of few points
    let signs: Vec<Perm> = group.generators().iter().filter_map(|generator| structure.signs(free, generator)).collect();
    let quotient = Chain::new(2 + if q > 1 { q } else { 0 }, &signs, Default::default(), work)?;
    let order = structure.free_order(free) * quotient.order();
    let even = signs.iter().all(|sign| sign.image(0) == 0);
    let still = q == 1 || signs.iter().all(|sign| sign.image(2) == 2);
    let everything = BigUint::from(2 * q as u64);
    let top = if even { format!("A{m}") } else { format!("S{m}") };
    let twice = if even { BigUint::one() } else { BigUint::from(2u8) };
    let name = if q == 1 {
        top.clone()
    } else if still {
        format!("C{q}^{}:{top}", m - 1)
    } else if quotient.order() == twice * BigUint::from(q as u64) {
        format!("C{q} wr {top}")
    } else {
        // which signs s and sums of turns t occur together
        let step = (0..q).fold(q, |step, twist| match signs.iter().any(|sign| sign.image(2) as usize == 2 + twist) {
            true => step.gcd(&twist),
            false => step,
        });
        let turns = if step > 1 { format!("t = 0 mod {step}") } else { String::new() };
        let linked = quotient.order() == BigUint::from(q as u64 / step as u64) && !even;
        let condition = match (even, linked, step) {
            (true, ..) => format!("s = 0, {turns}"),
            (_, true, 1) => "s = t mod 2".to_string(),
            (_, true, step) => format!("s = t/{step} mod 2"),
            _ => turns,
        };
        format!("1/{} (C{q} wr S{m}; {condition})", everything / quotient.order())
    };
    let place = match q {
        1 => format!("the {m} cells of the orbit of {}", cell(frame.points[0])),
        _ => {
            let block: Vec<String> = frame.block(0).iter().map(|point| cell(*point)).collect();
            format!("the {m} blocks of {q} cells such as {}", block.join(", "))
        }
    };
    let mut reasons = Vec::new();
    let mut witnesses = Vec::new();
    let label = format!("w{}", free.frame + 1);
    let how = match free.prime {
        0 => "the order of the action on them shows that".to_string(),
        prime => {
            witnesses.push((format!("{label}p"), free.prime_witness.clone()));
            format!(
                "they form one orbit, and {label}p has a cycle of the prime length {prime} on them with {m}/2 < {prime} < {m} - 2, so (Jordan 1873)"
            )
        }
    };
    reasons.push(format!("{name} on {place}: {how} all even permutations of them occur at least"));
    witnesses.push((label.clone(), free.witness.clone()));
    let others = match structure.copies().iter().filter(|copy| copy.frame == free.frame).count() {
        0 => "no other orbit".to_string(),
        1 => "of the other orbits only the one that follows them".to_string(),
        count => format!("of the other orbits only the {count} that follow them"),
    };
    reasons.push(format!(
        "{label} moves some of these and {others}, so its conjugates generate all even permutations of them with the rest fixed"
    ));
    if q > 1 {
        let sums = if still { format!(", and the sum of all turns is always 0 modulo {q}") } else { String::new() };
        reasons
            .push(format!("a block can be turned by one step and another one back, with everything else fixed{sums}"));
    }
    Ok(Part { order, identity: Identity { name: Some(name), reasons, witnesses } })
}
