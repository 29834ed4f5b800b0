//! A thousand small groups, each question also answered by looking at all elements.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::group::*;

const LARGEST: usize = 2_500;

fn unlimited() -> Work<'static> {
    Work::unlimited()
}

/// All products of generators, or None when there are more than `limit`.
fn closure(degree: usize, generators: &[Perm], limit: usize) -> Option<HashSet<Perm>> {
    let identity = Perm::identity(degree);
    let mut all = HashSet::from([identity.clone()]);
    let mut queue = vec![identity];
    while let Some(element) = queue.pop() {
        for generator in generators {
            let next = element.then(generator);
            if !all.contains(&next) {
                if all.len() == limit {
                    return None;
                }
                all.insert(next.clone());
                queue.push(next);
            }
        }
    }
    Some(all)
}

fn shuffle(degree: usize, random: &mut Random) -> Perm {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for at in (1..degree).rev() {
        images.swap(at, random.index(at + 1));
    }
    Perm::from_images(images).expect("a shuffle")
}

/// A permutation of one of several kinds: any, with a small support, or one that respects blocks of the given size.
fn some_perm(degree: usize, kind: usize, block: usize, random: &mut Random) -> Perm {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    match kind {
        0 => return shuffle(degree, random),
        1 => {
            let (low, count) = (random.index(degree), 1 + random.index(4));
            let inner = shuffle(count.min(degree - low), random);
            for at in 0..inner.degree() {
                images[low + at] = low as u32 + inner.image(at as u32);
            }
        }
        _ => {
            let outer = shuffle(degree / block, random);
            for at in 0..degree / block {
                let inner = if random.index(3) == 0 { Perm::identity(block) } else { shuffle(block, random) };
                for place in 0..block {
                    images[at * block + place] = outer.image(at as u32) * block as u32 + inner.image(place as u32);
                }
            }
        }
    }
    Perm::from_images(images).expect("a bijection")
}

/// A random group with at most `LARGEST` elements, and these.
fn some_group(random: &mut Random) -> (PermGroup, HashSet<Perm>) {
    loop {
        let degree = 1 + random.index(9);
        let kind = random.index(4);
        let block = 1 + random.index(degree.min(4));
        let count = random.index(4);
        let renamed = shuffle(degree, random);
        let generators: Vec<Perm> = (0..count)
            .map(|_| {
                let perm = some_perm(degree, kind, block, random);
                let power = if random.index(3) == 0 { perm.then(&perm) } else { perm };
                renamed.inverse().then(&power).then(&renamed)
            })
            .collect();
        if let Some(elements) = closure(degree, &generators, LARGEST) {
            return (PermGroup::new(degree, generators), elements);
        }
    }
}

fn sorted(elements: &HashSet<Perm>) -> Vec<&Perm> {
    let mut list: Vec<&Perm> = elements.iter().collect();
    list.sort();
    list
}

/// Has the group just these elements?
#[track_caller]
fn same<'a>(group: &PermGroup, expected: impl Iterator<Item = &'a Perm>) {
    let expected: HashSet<Perm> = expected.cloned().collect();
    let found = closure(group.degree(), group.generators(), expected.len() + 1).expect("not more elements");
    assert_eq!(found, expected);
    assert_eq!(group.order(unlimited()).expect("an order"), expected.len().into());
}

fn conjugate(element: &Perm, by: &Perm) -> Perm {
    by.inverse().then(element).then(by)
}

fn each_group(seed: u64, count: usize, mut check: impl FnMut(&PermGroup, &HashSet<Perm>, &mut Random)) {
    let mut random = Random::new(seed);
    for _ in 0..count {
        let (group, elements) = some_group(&mut random);
        check(&group, &elements, &mut random);
    }
}

fn blocks_by_subsets(orbit: &[u32], elements: &HashSet<Perm>) -> Vec<BlockSystem> {
    let mut systems: Vec<BTreeSet<Vec<u32>>> = Vec::new();
    for subset in 1u32..1 << (orbit.len() - 1) {
        let block: BTreeSet<u32> =
            (0..orbit.len()).filter(|at| *at == 0 || subset >> (at - 1) & 1 == 1).map(|at| orbit[at]).collect();
        if block.len() == orbit.len() {
            continue;
        }
        let images: BTreeSet<Vec<u32>> = elements
            .iter()
            .map(|element| {
                let mut image: Vec<u32> = block.iter().map(|point| element.image(*point)).collect();
                image.sort_unstable();
                image
            })
            .collect();
        if images.iter().map(Vec::len).sum::<usize>() == orbit.len() {
            systems.push(images);
        }
    }
    let finer = |a: &BTreeSet<Vec<u32>>, b: &BTreeSet<Vec<u32>>| {
        a != b && a.iter().all(|small| b.iter().any(|large| small.iter().all(|point| large.contains(point))))
    };
    let minimal = systems.iter().filter(|system| !systems.iter().any(|other| finer(other, system)));
    let mut minimal: Vec<BlockSystem> =
        minimal.map(|system| BlockSystem { blocks: system.iter().cloned().collect() }).collect();
    minimal.sort_by_key(|system| (system.blocks[0].len(), system.blocks.clone()));
    minimal
}

#[test]
fn orders_members_orbits_blocks() {
    each_group(1, 1000, |group, elements, random| {
        let degree = group.degree();
        assert_eq!(group.order(unlimited()).expect("an order"), elements.len().into());
        for _ in 0..5 {
            let perm = shuffle(degree, random);
            assert_eq!(group.contains(&perm, unlimited()), Ok(elements.contains(&perm)));
        }
        for orbit in &group.orbits().lists {
            let reached: BTreeSet<u32> = elements.iter().map(|element| element.image(orbit[0])).collect();
            assert_eq!(orbit, &reached.into_iter().collect::<Vec<u32>>());
            let blocks = blocks_by_subsets(orbit, elements);
            assert_eq!(group.is_primitive(orbit, unlimited()), Ok(blocks.is_empty()));
            assert_eq!(group.minimal_blocks(orbit, unlimited()), Ok(blocks));
            assert!(group.is_transitive_on(orbit));
            let mut tuples = 1;
            let mut transitive = 0;
            for count in 1..=orbit.len() {
                tuples *= orbit.len() + 1 - count;
                let images: HashSet<Vec<u32>> = elements
                    .iter()
                    .map(|element| orbit[..count].iter().map(|point| element.image(*point)).collect())
                    .collect();
                if images.len() == tuples {
                    transitive = count;
                }
            }
            assert_eq!(group.transitivity(orbit, unlimited()), Ok(transitive));
        }
    });
}

#[test]
fn stabilizers() {
    each_group(2, 1000, |group, elements, random| {
        let degree = group.degree();
        let point = random.index(degree) as u32;
        let stabilizer = group.stabilizer(point, unlimited()).expect("a stabilizer");
        same(&stabilizer, elements.iter().filter(|element| element.image(point) == point));
        let wanted = elements.iter().filter(|element| element.image(point) == point);
        let by_chance = group.random_stabilizer(point, &wanted.clone().count().into(), unlimited());
        same(&by_chance.expect("a stabilizer"), wanted);
        let set: BTreeSet<u32> = (0..random.index(degree + 1)).map(|_| random.index(degree) as u32).collect();
        let list: Vec<u32> = set.iter().copied().collect();
        let stabilizer = group.set_stabilizer(&list, unlimited()).expect("a stabilizer");
        let fixes = |element: &&Perm| set.iter().all(|point| set.contains(&element.image(*point)));
        same(&stabilizer, elements.iter().filter(fixes));
        let listed = group.list_sets(&list, unlimited()).expect("a stabilizer");
        same(&listed, elements.iter().filter(fixes));
        let stabilizer = group.pointwise_stabilizer(&list, unlimited()).expect("a stabilizer");
        same(&stabilizer, elements.iter().filter(|element| set.iter().all(|point| element.image(*point) == *point)));
    });
}

#[test]
fn centres_centralizers_conjugators() {
    each_group(3, 1000, |group, elements, random| {
        let degree = group.degree();
        let commutes = |a: &Perm, b: &Perm| a.then(b) == b.then(a);
        let list = sorted(elements);
        let center = group.center(unlimited()).expect("a centre");
        let central = |element: &&Perm| group.generators().iter().all(|generator| commutes(element, generator));
        same(&center, elements.iter().filter(central));
        let searched = group.search_centralizer(group.generators(), unlimited()).expect("few points");
        same(&searched, elements.iter().filter(central));
        let any = shuffle(degree, random);
        let inside = list[random.index(list.len())].clone();
        for wanted in [vec![inside.clone()], vec![any.clone()], vec![inside.clone(), any.clone()]] {
            let centralizer = group.centralizer(&wanted, unlimited()).expect("few points");
            let commuting = |g: &&Perm| wanted.iter().all(|element| commutes(g, element));
            same(&centralizer, elements.iter().filter(commuting));
            let searched = group.search_centralizer(&wanted, unlimited()).expect("few points");
            same(&searched, elements.iter().filter(commuting));
        }
        let by = list[random.index(list.len())];
        let other = list[random.index(list.len())].clone();
        let strange = shuffle(degree, random);
        for (a, b) in [
            (inside.clone(), conjugate(&inside, by)),
            (any.clone(), conjugate(&any, by)),
            (inside.clone(), conjugate(&inside, &strange)),
            (any.clone(), conjugate(&any, &strange)),
            (inside.clone(), other.clone()),
        ] {
            let exists = elements.iter().any(|g| conjugate(&a, g) == b);
            let found = group.conjugator(&a, &b, unlimited()).expect("few points");
            assert_eq!(found.is_some(), exists, "{group:?} {a:?} {b:?}");
            if let Some(g) = found {
                assert!(elements.contains(&g));
                assert_eq!(conjugate(&a, &g), b);
            }
            let searched = group
                .search_conjugator(std::slice::from_ref(&a), std::slice::from_ref(&b), unlimited())
                .expect("few points");
            assert_eq!(searched.is_some(), exists);
            assert!(searched.is_none_or(|g| conjugate(&a, &g) == b && elements.contains(&g)));
            let (a, b) = (vec![a, other.clone()], vec![b, conjugate(&other, by)]);
            let solves = |g: &Perm| (0..2).all(|at| conjugate(&a[at], g) == b[at]);
            let found = group.conjugator_of_all(&a, &b, unlimited()).expect("few points");
            assert_eq!(found.is_some(), elements.iter().any(solves));
            assert!(found.is_none_or(|g| solves(&g) && elements.contains(&g)));
        }
    });
}

#[test]
fn closures_series_classes() {
    each_group(4, 1000, |group, elements, random| {
        let degree = group.degree();
        let list = sorted(elements);
        let some = list[random.index(list.len())].clone();
        let conjugates: HashSet<Perm> = elements.iter().map(|g| conjugate(&some, g)).collect();
        let all: Vec<Perm> = conjugates.into_iter().take(60).collect();
        let full = elements.len() <= 60;
        let expected = closure(degree, &all, LARGEST).expect("a subgroup");
        let normal = group.normal_closure(&[some], unlimited()).expect("a closure");
        match full {
            true => same(&normal, expected.iter()),
            false => assert!(normal.is_normal_in(group, unlimited()).expect("an answer")),
        }
        let derived = group.derived(unlimited()).expect("a derived group");
        assert!(derived.is_normal_in(group, unlimited()).expect("an answer"));
        if elements.len() > 130 {
            return;
        }
        // the series by all commutators
        let mut orders = vec![elements.len()];
        let mut current = elements.clone();
        loop {
            let commutators: HashSet<Perm> =
                current.iter().flat_map(|a| current.iter().map(move |b| Perm::commutator(a, b))).collect();
            let commutators: Vec<Perm> = commutators.into_iter().collect();
            let next = closure(degree, &commutators, LARGEST).expect("a subgroup");
            if orders.len() == 1 {
                same(&derived, next.iter());
            }
            if next.len() == current.len() {
                break;
            }
            orders.push(next.len());
            current = next;
        }
        let series = group.derived_series(unlimited()).expect("a series");
        let found: Vec<BigUint> = series.iter().map(|group| group.order(unlimited()).expect("an order")).collect();
        assert_eq!(found, orders.iter().map(|order| BigUint::from(*order)).collect::<Vec<_>>());
        assert_eq!(group.is_solvable(unlimited()), Ok(current.len() == 1));
        assert_eq!(group.is_perfect(unlimited()), Ok(orders.len() == 1));
        let mut sizes: HashMap<Perm, usize> = HashMap::new();
        for element in elements {
            let least = elements.iter().map(|g| conjugate(element, g)).min().expect("the group is not empty");
            *sizes.entry(least).or_default() += 1;
        }
        let classes = group.conjugacy_classes(unlimited()).expect("a small group");
        assert_eq!(classes.len(), sizes.len());
        let mut searched = group.search_classes(unlimited()).expect("chance meets all");
        for class in &mut searched {
            let least = elements.iter().map(|g| conjugate(&class.representative, g)).min();
            class.representative = least.expect("the group is not empty");
        }
        searched.sort_by_key(|class| (class.representative.order(), class.size.clone(), class.representative.clone()));
        assert_eq!(searched, classes);
        for class in &classes {
            assert_eq!(class.size, sizes[&class.representative].into());
        }
        let normal_sizes = list.iter().map(|element| {
            let all: Vec<Perm> = elements.iter().map(|g| conjugate(element, g)).collect();
            closure(degree, &all, LARGEST).expect("a subgroup").len()
        });
        let simple = elements.len() > 1 && normal_sizes.skip(1).all(|size| size == elements.len());
        assert_eq!(group.is_simple(unlimited()), Ok(simple));
    });
}

#[test]
fn cosets_and_intersections() {
    each_group(5, 700, |group, elements, random| {
        let list = sorted(elements);
        let generators: Vec<Perm> = (0..random.index(3)).map(|_| list[random.index(list.len())].clone()).collect();
        let subgroup = PermGroup::new(group.degree(), generators);
        let members = closure(group.degree(), subgroup.generators(), LARGEST).expect("a subgroup");
        assert_eq!(subgroup.is_subgroup_of(group, unlimited()), Ok(true));
        assert_eq!(group.equals(&subgroup, unlimited()), Ok(members.len() == elements.len()));
        let index = elements.len() / members.len();
        assert_eq!(subgroup.index_in(group, unlimited()), Ok(Some(index.into())));
        let normal = elements.iter().all(|g| members.iter().all(|element| members.contains(&conjugate(element, g))));
        assert_eq!(subgroup.is_normal_in(group, unlimited()), Ok(normal));
        let cosets = group.cosets(&subgroup, LARGEST, unlimited()).expect("few cosets");
        assert_eq!(cosets.len(), index);
        assert!(cosets[0].is_identity());
        let covered: HashSet<Perm> =
            cosets.iter().flat_map(|g| members.iter().map(move |element| element.then(g))).collect();
        assert_eq!(&covered, elements);
        let renamed = shuffle(group.degree(), random);
        let moved: Vec<Perm> = group.generators().iter().map(|element| conjugate(element, &renamed)).collect();
        let other = PermGroup::new(group.degree(), moved);
        let both = group.intersection(&other, unlimited()).expect("small groups");
        let there = |element: &&Perm| elements.contains(&conjugate(element, &renamed.inverse()));
        same(&both, elements.iter().filter(there));
    });
}

fn side_by_side(a: &Perm, b: &Perm) -> Perm {
    let shift = a.degree() as u32;
    let images = a.images().iter().copied().chain(b.images().iter().map(|image| image + shift));
    Perm::from_images(images.collect()).expect("a bijection")
}

fn value(word: &Word, degree: usize, generators: &[Perm]) -> Perm {
    word.iter()
        .fold(Perm::identity(degree), |product, (at, exponent)| product.then(&generators[*at].pow(&(*exponent).into())))
}

#[test]
fn homomorphisms() {
    let mut counts = [0, 0, 0];
    each_group(6, 1000, |group, elements, random| {
        if elements.len() > 400 {
            return;
        }
        let degree = group.degree();
        let list = sorted(elements);
        let kind = random.index(4);
        let by = shuffle(degree, random);
        let images: Vec<Perm> = match kind {
            0 => group.generators().iter().map(|_| list[random.index(list.len())].clone()).collect(),
            1 => group.generators().iter().map(|element| conjugate(element, &by)).collect(),
            2 => {
                // what it does to one orbit
                let orbit = &group.orbits().lists[random.index(group.orbits().count())];
                tree::restricted(degree, group.generators(), orbit).expect("an orbit")
            }
            _ => {
                let sign = |element: &Perm| if element.is_even() { vec![0, 1] } else { vec![1, 0] };
                group.generators().iter().map(|g| Perm::from_images(sign(g)).expect("two points")).collect()
            }
        };
        let target_degree = images.first().map_or(degree, Perm::degree);
        let target = match kind {
            0 => group.clone(),
            _ => PermGroup::new(target_degree, images.clone()),
        };
        let target_degree = target.degree();
        let pairs: Vec<Perm> = group.generators().iter().zip(&images).map(|(a, b)| side_by_side(a, b)).collect();
        let graph = closure(degree + target_degree, &pairs, elements.len());
        let (source, target) = (Arc::new(group.clone()), Arc::new(target));
        let made = Homomorphism::new(source, target.clone(), images.clone(), unlimited()).expect("small groups");
        assert_eq!(made.is_ok(), graph.is_some());
        let map = match made {
            Ok(map) => map,
            Err(NotAHomomorphism::BreaksRelation { word: Some(word) }) => {
                assert!(value(&word, degree, group.generators()).is_identity());
                assert!(!value(&word, target_degree, &images).is_identity());
                counts[0] += 1;
                return;
            }
            Err(why) => panic!("{why:?}"),
        };
        counts[1] += 1;
        let part = |perm: &Perm, from: usize, count: usize| {
            let images = (from..from + count).map(|point| perm.image(point as u32) - from as u32);
            Perm::from_images(images.collect()).expect("a part")
        };
        let all: HashMap<Perm, Perm> = graph
            .expect("a homomorphism")
            .iter()
            .map(|pair| (part(pair, 0, degree), part(pair, degree, target_degree)))
            .collect();
        for _ in 0..5 {
            let element = list[random.index(list.len())];
            assert_eq!(map.image_of(element, unlimited()), Ok(Some(all[element].clone())));
        }
        let strange = shuffle(degree, random);
        assert_eq!(map.image_of(&strange, unlimited()), Ok(all.get(&strange).cloned()));
        let kernel = map.kernel(unlimited()).expect("small groups");
        same(&kernel, elements.iter().filter(|element| all[*element].is_identity()));
        if let Ok(kernel) = map.random_kernel(&kernel.order(unlimited()).expect("an order"), unlimited()) {
            same(&kernel, elements.iter().filter(|element| all[*element].is_identity()));
        }
        let image: HashSet<&Perm> = all.values().collect();
        same(&map.image(), image.iter().copied());
        let injective = image.len() == elements.len();
        let surjective = target.order(unlimited()) == Ok(image.len().into());
        assert_eq!(map.is_injective(unlimited()), Ok(injective));
        assert_eq!(map.is_surjective(unlimited()), Ok(surjective));
        assert_eq!(map.is_isomorphism(unlimited()), Ok(injective && surjective));
        if kind == 1 {
            let carried = map.permutation_isomorphism(unlimited()).expect("small").expect("it is a renaming");
            let to: HashMap<u32, u32> = carried.into_iter().collect();
            for (element, image) in group.generators().iter().zip(&images) {
                assert!(to.iter().all(|(point, there)| to[&element.image(*point)] == image.image(*there)));
            }
        }
        let is_image = |at: usize, found: Perm| found.first_difference(&images[at]).is_none();
        let inner = |g: &Perm| (0..images.len()).all(|at| is_image(at, conjugate(&group.generators()[at], g)));
        let is_inner = target.equals(group, unlimited()) == Ok(true) && elements.iter().any(inner);
        counts[2] += usize::from(is_inner);
        assert_eq!(map.is_inner(unlimited()), Ok(is_inner));
    });
    assert!(counts.iter().all(|count| *count > 40), "{counts:?}");
}
