//! What was said about groups on the way, noted so that other systems can check it again.

use crate::group::PermGroup;
use crate::group::fact::{Fact, Generated, Says};
use crate::perm::Perm;
use crate::run::group::{GroupValue, Of};
use crate::run::machine::Machine;
use crate::run::value::Value;
use crate::source::Span;

impl Machine<'_> {
    /// Notes a fact, if facts are wanted.
    pub(in crate::run) fn note(&mut self, group: &PermGroup, says: impl FnOnce() -> Says) {
        if self.shared.note_facts {
            self.facts.push(Fact { group: group.into(), says: says() });
        }
    }

    /// Notes what a built-in function said about a group. Functions whose answer is a choice (an element, a word) say nothing that could be checked.
    pub(in crate::run) fn note_call(&mut self, name: &str, args: &[Value], pairs: &[(Value, Value)], answer: &Value) {
        if let Some(fact) = self.fact(name, args, pairs, answer) {
            self.facts.push(fact);
        }
    }

    fn fact(&mut self, name: &str, args: &[Value], pairs: &[(Value, Value)], answer: &Value) -> Option<Fact> {
        if name == "reachable" || name == "solvable" {
            // of the puzzle that the word belongs to
            let of = args.first().and_then(|word| self.permutation_of(word)).and_then(|perm| perm.of);
            let instance = of.or_else(|| self.instance.clone())?;
            if instance.sliding().is_some() || instance.is_pairs() {
                // these arrangements are no elements of a group
                return None;
            }
            let group: Generated = instance.group().as_ref().into();
            let says = match answer {
                Value::Bool(holds) => {
                    Says::Member(self.as_element(&group, &Some(instance.clone()), args.first()?)?, *holds)
                }
                order => Says::Order(order.as_big()?.to_biguint()?),
            };
            return Some(Fact { group, says });
        }
        if let Some(Value::Homomorphism(map)) = args.first() {
            // images belong to the elements that the map was given by
            let group: Generated = map.map.source.as_ref().into();
            let target: Generated = map.map.target.as_ref().into();
            let images = map.map.images.clone();
            let Value::Bool(holds) = *answer else { return None };
            let says = match name {
                "is_isomorphism" => Says::Isomorphism(target, images, holds),
                "is_inner" => Says::Inner(target, images, holds),
                _ => return None,
            };
            return Some(Fact { group, says });
        }
        let Some(Value::Group(value)) = args.first() else { return None };
        let group: Generated = value.group.as_ref().into();
        let says = match (name, answer) {
            ("order", order) => Says::Order(order.as_big()?.to_biguint()?),
            ("index", index) => {
                // the index says both orders; the larger one is enough, the other follows from the subgroup's own facts
                let Value::Group(subgroup) = args.get(1)? else { return None };
                let order = index.as_big()?.to_biguint()? * self.quietly(|work| subgroup.group.order(work))?;
                Says::Order(order)
            }
            ("orbits", Value::Tuple(orbits)) => {
                let orbits: Option<Vec<Vec<u32>>> = orbits.iter().map(|orbit| self.numbers(value, orbit)).collect();
                Says::Orbits(orbits?)
            }
            ("is_transitive", Value::Bool(holds)) => Says::Transitive(self.points_or_all(value, args.get(1))?, *holds),
            ("is_primitive", Value::Bool(holds)) => Says::Primitive(self.points_or_all(value, args.get(1))?, *holds),
            ("blocks", Value::Tuple(systems)) if args.len() == 2 => {
                let points = self.points_or_all(value, args.get(1))?;
                let mut all = Vec::new();
                for system in systems.iter() {
                    let Value::Set(system) = system else { return None };
                    let blocks: Option<Vec<Vec<u32>>> = system.iter().map(|block| self.numbers(value, block)).collect();
                    all.push(blocks?);
                }
                Says::MinimalBlocks(points, all)
            }
            ("is_abelian", Value::Bool(holds)) => Says::Abelian(*holds),
            ("is_solvable", Value::Bool(holds)) => Says::Solvable(*holds),
            ("is_perfect", Value::Bool(holds)) => Says::Perfect(*holds),
            ("center", Value::Group(other)) => Says::Centre(other.group.as_ref().into()),
            ("derived", Value::Group(other)) => Says::Derived(other.group.as_ref().into()),
            ("stabilizer", Value::Group(other)) if args.len() == 2 => match &args[1] {
                Value::Set(_) => Says::SetStabilizer(self.numbers(value, &args[1])?, other.group.as_ref().into()),
                point => Says::Stabilizer(self.number(&value.of, point)?, other.group.as_ref().into()),
            },
            ("centralizer", Value::Group(other)) => {
                Says::Centralizer(self.as_elements(&group, &value.of, &args[1..])?, other.group.as_ref().into())
            }
            ("normal_closure", Value::Group(other)) => {
                Says::NormalClosure(self.as_elements(&group, &value.of, &args[1..])?, other.group.as_ref().into())
            }
            ("is_normal", Value::Bool(holds)) => {
                let Value::Group(other) = args.get(1)? else { return None };
                Says::Normal(other.group.as_ref().into(), *holds)
            }
            ("conjugate_in", Value::Bool(holds)) => {
                let (one, two) = (args.get(1)?, args.get(2)?);
                let one = self.as_element(&group, &value.of, one)?;
                Says::Conjugate(one, self.as_element(&group, &value.of, two)?, *holds)
            }
            ("is_homomorphism", Value::Bool(holds)) => {
                let Value::Group(goal) = args.get(1)? else { return None };
                let target: Generated = goal.group.as_ref().into();
                let (mut from, mut to) = (Vec::new(), Vec::new());
                for (left, right) in pairs {
                    from.push(self.as_element(&group, &value.of, left)?);
                    to.push(self.as_element(&target, &goal.of, right)?);
                }
                let source = Generated { degree: group.degree, generators: from };
                return Some(Fact { group: source, says: Says::Homomorphism(target, to, *holds) });
            }
            ("homomorphism" | "action", Value::Homomorphism(map)) => {
                let says = Says::Homomorphism(map.map.target.as_ref().into(), map.map.images.clone(), true);
                return Some(Fact { group: map.map.source.as_ref().into(), says });
            }
            _ => return None,
        };
        Some(Fact { group, says })
    }

    fn number(&mut self, of: &Of, value: &Value) -> Option<u32> {
        self.point_of(of, value, Span::default()).ok()
    }

    /// The points of a set or tuple, in increasing order.
    fn numbers(&mut self, group: &GroupValue, value: &Value) -> Option<Vec<u32>> {
        let mut points = self.points_of(&group.of, value, Span::default()).ok()?;
        points.sort_unstable();
        Some(points)
    }

    fn points_or_all(&mut self, group: &GroupValue, value: Option<&Value>) -> Option<Vec<u32>> {
        match value {
            Some(value) => self.numbers(group, value),
            None => Some((0..group.group.degree() as u32).collect()),
        }
    }

    /// What a word or permutation does to the points of a group.
    fn as_element(&mut self, group: &Generated, of: &Of, value: &Value) -> Option<Perm> {
        let perm = self.element_of(value, of)?;
        let moved = perm.support().last().map_or(0, |last| *last as usize + 1);
        (moved <= group.degree.max(perm.degree())).then(|| perm.then(&Perm::identity(group.degree)))
    }

    /// The elements that arguments name: permutations, words, or the generators of groups.
    fn as_elements(&mut self, group: &Generated, of: &Of, values: &[Value]) -> Option<Vec<Perm>> {
        let mut elements = Vec::new();
        for value in values {
            match value {
                Value::Group(other) => elements.extend(other.group.generators().iter().cloned()),
                other => elements.push(self.as_element(group, of, other)?),
            }
        }
        Some(elements)
    }
}
