//! Proof that nothing but the identity fixes a base, for groups of few elements on many points.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::group::work::{Done, Work};
use crate::perm::Perm;

type Images = SmallVec<[u32; 4]>;

/// Does the group that the generators generate have exactly `size` elements, and no other element than the identity that fixes all base points?
///
/// The images of the base under the group are listed; there must be `size`. The group acts regularly on them exactly if the maps that
/// commute with it are transitive there (Dixon and Mortimer, *Permutation Groups*, section 4.2), and then its order is their number, if what fixes all of them fixes every
/// point: so the base has to meet each orbit that is not a single point. Costs `size` times the number of generators, for the list and for each of at most log2(`size`) maps.
pub(super) fn is_regular_on_images(generators: &[Perm], base: &[u32], size: usize, work: Work<'_>) -> Done<bool> {
    let generators: Vec<&Perm> = generators.iter().filter(|generator| !generator.is_identity()).collect();
    let mut images: IndexSet<Images, FxBuildHasher> = IndexSet::default();
    images.insert(base.into());
    // for each tuple, where each generator takes it; and how it was met first
    let mut next: Vec<u32> = Vec::new();
    let mut met: Vec<(u32, u32)> = vec![(0, 0)];
    let mut at = 0;
    while let Some(tuple) = images.get_index(at).cloned() {
        work.charge(1 + (generators.len() * base.len() / 16) as u64)?;
        for (number, generator) in generators.iter().enumerate() {
            let (place, fresh) = images.insert_full(tuple.iter().map(|point| generator.image(*point)).collect());
            next.push(place as u32);
            if fresh {
                met.push((at as u32, number as u32));
            }
        }
        if images.len() > size {
            return Ok(false);
        }
        at += 1;
    }
    if images.len() != size {
        return Ok(false);
    }
    let moved = |place: u32, number: usize| next[place as usize * generators.len() + number];
    let mut maps: Vec<Vec<u32>> = Vec::new();
    let mut reached = vec![false; size];
    reached[0] = true;
    let mut queue = vec![0u32];
    while let Some(target) = reached.iter().position(|reached| !reached) {
        work.charge(1 + (size * generators.len() / 16) as u64)?;
        // the only map that can take the base to the target and commute with the generators
        let mut map = vec![target as u32; size];
        for (place, (from, number)) in met.iter().enumerate().skip(1) {
            map[place] = moved(map[*from as usize], *number as usize);
        }
        for place in 0..size as u32 {
            for number in 0..generators.len() {
                if map[moved(place, number) as usize] != moved(map[place as usize], number) {
                    return Ok(false);
                }
            }
        }
        maps.push(map);
        // the orbit of the base under all maps so far
        let mut at = 0;
        while let Some(&place) = queue.get(at) {
            at += 1;
            for map in &maps {
                let image = map[place as usize];
                if !std::mem::replace(&mut reached[image as usize], true) {
                    queue.push(image);
                }
            }
        }
    }
    Ok(true)
}
