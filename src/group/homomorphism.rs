//! Homomorphisms between permutation groups, given by the images of generators.

use std::sync::{Arc, OnceLock};

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::PermGroup;
use super::action::Objects;
use super::chain::{Chain, Hints};
use super::equivariant::equivariant;
use super::mixer::Mixer;
use super::orbits::Orbits;
use super::witness::{Word, witness};
use super::work::{Done, Unfinished, Work};
use crate::perm::Perm;

const SEED: u64 = 0x4031;
/// So many random elements are asked whether the order of the image divides the order of the element.
const SAMPLES: usize = 8;
/// Up to this number of points in both groups kernels come from chains.
const CHAIN_DEGREE: usize = 800;
/// So many random elements of a kernel are tried on larger degrees.
const KERNEL_TRIES: usize = 64;

/// A map between groups that respects products.
#[derive(Clone, Debug)]
pub struct Homomorphism {
    /// The group that is mapped.
    pub source: Arc<PermGroup>,
    /// A group that the images are in.
    pub target: Arc<PermGroup>,
    /// The images of the generators of the source, each of the degree of the target.
    pub images: Vec<Perm>,
    /// what the source acts on, for the homomorphism of an action
    objects: Option<Arc<Objects>>,
    /// a chain of the graph, whose base points are points of the source
    chain: OnceLock<Chain>,
}

/// Why images of generators do not give a homomorphism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAHomomorphism {
    /// There must be one image for each generator.
    WrongCount {
        /// The number of generators of the source.
        generators: usize,
        /// The number of images.
        images: usize,
    },
    /// The image of a generator is not in the target.
    OutsideTarget {
        /// The number of the generator.
        generator: usize,
    },
    /// A product of generators is the identity, but that of their images is not.
    BreaksRelation {
        /// Such a product, left to right: numbers of generators and their exponents, never 0. None if no short one was found.
        word: Option<Word>,
    },
}

impl Homomorphism {
    /// The homomorphism that takes the generators of the source to `images`, if there is one. Exact: the pairs (g, image of g)
    /// generate a group on the points of both, which has the order of the source just if no element has two images (HCGT
    /// section 3.4, and Seress, section 5.1.2).
    ///
    /// Costs the order of that group; where it fails, a search for a product of generators that shows it.
    pub fn new(
        source: Arc<PermGroup>,
        target: Arc<PermGroup>,
        images: Vec<Perm>,
        work: Work<'_>,
    ) -> Done<Result<Homomorphism, NotAHomomorphism>> {
        let generators = source.generators().len();
        if images.len() != generators {
            return Ok(Err(NotAHomomorphism::WrongCount { generators, images: images.len() }));
        }
        for (generator, image) in images.iter().enumerate() {
            if !target.contains(image, work)? {
                return Ok(Err(NotAHomomorphism::OutsideTarget { generator }));
            }
        }
        // what is in the target moves none but its points
        let degree = target.degree();
        let images: Vec<Perm> = images.iter().map(|image| part(image, 0, degree)).collect();
        let made = Homomorphism { source, target, images, objects: None, chain: OnceLock::new() };
        if made.respects_orders(work)? && made.graph().order(work)? == made.source.order(work)? {
            return Ok(Ok(made));
        }
        let word = witness(made.source.degree(), made.source.generators(), degree, &made.images, work)?;
        Ok(Err(NotAHomomorphism::BreaksRelation { word }))
    }

    pub(super) fn of_action(
        source: Arc<PermGroup>,
        target: Arc<PermGroup>,
        images: Vec<Perm>,
        objects: Objects,
    ) -> Homomorphism {
        Homomorphism { source, target, images, objects: Some(Arc::new(objects)), chain: OnceLock::new() }
    }

    /// Does the order of the image divide that of the element, for some random elements? If not, this is no homomorphism.
    fn respects_orders(&self, work: Work<'_>) -> Done<bool> {
        let (n, m) = (self.source.degree(), self.target.degree());
        let graph = self.graph();
        let mut mixer = Mixer::new(n + m, graph.generators(), SEED, work)?;
        for _ in 0..SAMPLES {
            let pair = mixer.element(work)?;
            let order = BigInt::from(part(&pair, 0, n).order());
            work.products(2, n + m)?;
            if !part(&pair, n, m).pow(&order).is_identity() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The group of the pairs of an element and its image, on the points of the source and, after them, those of the target.
    fn graph(&self) -> PermGroup {
        let pairs = self.source.generators().iter().zip(&self.images);
        let generators = pairs.map(|(generator, image)| pair(generator, image)).collect();
        PermGroup::new(self.source.degree() + self.target.degree(), generators)
    }

    /// The image of an element; None for what is not an element of the source. By sifting through a chain of the graph, or by acting
    /// on the objects of an action.
    pub fn image_of(&self, element: &Perm, work: Work<'_>) -> Done<Option<Perm>> {
        if let Some(at) = self.source.generators().iter().position(|generator| generator == element) {
            return Ok(self.images.get(at).cloned());
        }
        if !self.source.contains(element, work)? {
            return Ok(None);
        }
        if let Some(objects) = &self.objects {
            return objects.image_of(element, work);
        }
        let (n, m) = (self.source.degree(), self.target.degree());
        let chain = match self.chain.get() {
            Some(chain) => chain,
            None => {
                let base = self.source.chain(work)?.base();
                let order = self.source.order(work)?;
                let hints = Hints { base: &base, order: Some(&order), ..Hints::default() };
                let chain = Chain::new(n + m, self.graph().generators(), hints, work)?;
                self.chain.get_or_init(|| chain)
            }
        };
        work.products(1 + chain.levels().len(), n + m)?;
        // the ways home lead (element, identity) to (identity, image of the element's inverse)
        let (rest, _) = chain.sift(&pair(&part(element, 0, n), &Perm::identity(m)));
        Ok(part(&rest, 0, n).is_identity().then(|| part(&rest, n, m).inverse()))
    }

    /// The elements whose image is the identity: the elements of the graph that fix the target's points, by a chain that starts
    /// with these. On many points: the normal closure of random elements of the kernel, proved by its order.
    pub fn kernel(&self, work: Work<'_>) -> Done<PermGroup> {
        let (n, m) = (self.source.degree(), self.target.degree());
        let image = self.image();
        let order = self.source.order(work)? / image.order(work)?;
        if order.is_one() {
            return Ok(PermGroup::trivial(n));
        }
        let graph = self.graph();
        if n + m <= CHAIN_DEGREE {
            let base: Vec<u32> = image.chain(work)?.base().iter().map(|point| point + n as u32).collect();
            let whole = self.source.order(work)?;
            let hints = Hints { base: &base, order: Some(&whole), ..Hints::default() };
            let chain = Chain::new(n + m, graph.generators(), hints, work)?;
            let generators = chain.generators_from(base.len()).iter().map(|pair| part(pair, 0, n)).collect();
            return Ok(PermGroup::with_order(n, generators, order));
        }
        self.random_kernel(&order, work)
    }

    /// The kernel, which has `order` elements, as the normal closure of powers of random elements that are trivial in the image.
    pub(super) fn random_kernel(&self, order: &BigUint, work: Work<'_>) -> Done<PermGroup> {
        let (n, m) = (self.source.degree(), self.target.degree());
        let mut mixer = Mixer::new(n + m, self.graph().generators(), SEED, work)?;
        let mut found: Vec<Perm> = Vec::new();
        let mut goal = 2;
        for _ in 0..KERNEL_TRIES {
            let pair = mixer.element(work)?;
            let exponent = BigInt::from(part(&pair, n, m).order());
            work.products(2, n)?;
            let element = part(&pair, 0, n).pow(&exponent);
            if element.is_identity() {
                continue;
            }
            found.push(element);
            if found.len() >= goal {
                let kernel = self.source.normal_closure(&found, work)?;
                if kernel.order(work)? == *order {
                    return Ok(kernel);
                }
                goal *= 2;
            }
        }
        Err(Unfinished::TooLarge(format!("the kernel has {order} elements; random ones did not generate all of them")))
    }

    /// The group of all images.
    pub fn image(&self) -> PermGroup {
        PermGroup::new(self.target.degree(), self.images.clone())
    }

    /// Have different elements different images?
    pub fn is_injective(&self, work: Work<'_>) -> Done<bool> {
        Ok(self.image().order(work)? == self.source.order(work)?)
    }

    /// Is each element of the target an image?
    pub fn is_surjective(&self, work: Work<'_>) -> Done<bool> {
        Ok(self.image().order(work)? == self.target.order(work)?)
    }

    /// Has each element of the target just one preimage?
    pub fn is_isomorphism(&self, work: Work<'_>) -> Done<bool> {
        let order: BigUint = self.source.order(work)?;
        Ok(self.target.order(work)? == order && self.image().order(work)? == order)
    }

    /// Is this the conjugation by an element of the group? Only for source and target the same group.
    pub fn is_inner(&self, work: Work<'_>) -> Done<bool> {
        Ok(self.inner_by(work)?.is_some())
    }

    /// An element h of the group for which the image of each g is `h' g h`, if source and target are the same group and there is one.
    pub fn inner_by(&self, work: Work<'_>) -> Done<Option<Perm>> {
        if !Arc::ptr_eq(&self.source, &self.target) && !self.source.equals(&self.target, work)? {
            return Ok(None);
        }
        self.target.conjugator_of_all(self.source.generators(), &self.images, work)
    }

    /// A one-to-one map from the points that the source moves to the points that the images move, which carries the action of
    /// each element to that of its image; if there is one. Pairs of a point and its image, by points.
    ///
    /// Each orbit goes to the first free one that it can go to; to which is all the same. For each image of its first point a
    /// breadth-first search settles the others.
    pub fn permutation_isomorphism(&self, work: Work<'_>) -> Done<Option<Vec<(u32, u32)>>> {
        let long = |orbits: &Orbits| -> Vec<Vec<u32>> {
            orbits.lists.iter().filter(|orbit| orbit.len() > 1).cloned().collect()
        };
        let orbits = long(self.source.orbits());
        let mut free = long(&Orbits::new(self.target.degree(), &self.images));
        if free.len() != orbits.len() {
            return Ok(None);
        }
        let mut map = Vec::new();
        for orbit in orbits {
            let mut found = None;
            'free: for (at, other) in free.iter().enumerate().filter(|(_, other)| other.len() == orbit.len()) {
                for to in other {
                    if let Some(pairs) = equivariant(self.source.generators(), &self.images, orbit[0], *to, work)? {
                        found = Some((at, pairs));
                        break 'free;
                    }
                }
            }
            let Some((at, pairs)) = found else { return Ok(None) };
            free.remove(at);
            map.extend(pairs);
        }
        map.sort_unstable();
        Ok(Some(map))
    }
}

/// Two permutations side by side.
fn pair(first: &Perm, second: &Perm) -> Perm {
    let shift = first.degree() as u32;
    let images = first.images().iter().copied().chain(second.images().iter().map(|image| image + shift));
    Perm::trusted(images.collect())
}

/// What a permutation does to `count` points from `from` on, which it moves among each other.
fn part(perm: &Perm, from: usize, count: usize) -> Perm {
    Perm::trusted((from..from + count).map(|point| perm.image(point as u32) - from as u32).collect())
}
