//! Homomorphisms: made from images of generators or from an action, and applied.

use std::sync::Arc;

use super::align::object_value;
use super::{GroupValue, HomomorphismValue, Of, perm_text};
use crate::diagnostic::codes;
use crate::group::{Homomorphism, NotAHomomorphism, Object, PermGroup};
use crate::perm::Perm;
use crate::run::effect::crop;
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value};
use crate::run::{Fault, Run};
use crate::source::Span;

/// An element of the first group and its image, each with its place.
pub(in crate::run) struct Pair {
    pub from: (Value, Span),
    pub to: (Value, Span),
}

impl Machine<'_> {
    /// The homomorphism that takes each left side to its right side; the message why there is none.
    pub(in crate::run) fn homomorphism(
        &mut self,
        source: &Arc<GroupValue>,
        target: &Arc<GroupValue>,
        pairs: &[Pair],
        span: Span,
    ) -> Run<Result<HomomorphismValue, Fault>> {
        let lefts: Vec<(Value, Span)> = pairs.iter().map(|pair| pair.from.clone()).collect();
        let (group, of, generators) = self.with_elements(source, &lefts, span)?;
        let rights: Vec<(Value, Span)> = pairs.iter().map(|pair| pair.to.clone()).collect();
        let (goal, goal_of, images) = self.with_elements(target, &rights, span)?;
        for (perm, (_, place)) in generators.iter().zip(&lefts) {
            if !self.with_work(*place, |work| group.contains(perm, work))? {
                return Err(Fault::at(
                    codes::NOT_IN_GROUP,
                    *place,
                    "the left side is not in the first group",
                    format!("this does {}", crop(&perm_text(perm, &of))),
                    "give images for elements of the first group that generate it",
                ));
            }
        }
        let made = PermGroup::new(group.degree(), generators);
        let (order, whole) = self.with_work(span, |work| Ok((made.order(work)?, group.order(work)?)))?;
        if order != whole {
            return Err(Fault::at(
                codes::NOT_A_HOMOMORPHISM,
                span,
                format!("the left sides generate a group of order {order}, the first group has order {whole}"),
                "some elements have no image",
                "add pairs until the left sides generate the first group",
            ));
        }
        let made = Arc::new(PermGroup::with_order(made.degree(), made.generators().to_vec(), whole));
        let map = self
            .with_work(span, |work| Homomorphism::new(made.clone(), goal.clone(), images.clone(), work))?
            .map_err(|reason| self.no_homomorphism(&reason, &made, &of, &images, &goal_of, &rights, pairs, span));
        Ok(map.map(|map| HomomorphismValue {
            map,
            source: Arc::new(GroupValue::new(group, of)),
            target: Arc::new(GroupValue::new(goal, goal_of)),
        }))
    }

    #[allow(clippy::too_many_arguments)]
    fn no_homomorphism(
        &self,
        reason: &NotAHomomorphism,
        source: &PermGroup,
        of: &Of,
        images: &[Perm],
        goal_of: &Of,
        rights: &[(Value, Span)],
        pairs: &[Pair],
        span: Span,
    ) -> Fault {
        match reason {
            NotAHomomorphism::OutsideTarget { generator } => {
                let place = rights.get(*generator).map_or(span, |(_, place)| *place);
                Fault::at(
                    codes::NOT_A_HOMOMORPHISM,
                    place,
                    "this image is not in the second group",
                    images
                        .get(*generator)
                        .map_or(String::new(), |perm| format!("this does {}", crop(&perm_text(perm, goal_of)))),
                    "choose images in the second group, or a larger second group",
                )
            }
            NotAHomomorphism::BreaksRelation { word: Some(word) } => {
                let power = |text: &str, exponent: i32| match exponent {
                    1 => text.to_string(),
                    -1 => format!("{text}'"),
                    _ => format!("{text}^{exponent}"),
                };
                // the left sides as they are written, if they are short
                let names: Vec<String> = source
                    .generators()
                    .iter()
                    .zip(pairs)
                    .map(|(perm, pair)| {
                        let written = self.source_text(pair.from.1);
                        let simple = written.chars().all(|c| c.is_alphanumeric() || c == '_');
                        match (simple, written.starts_with(['(', '[']) && !written.contains('\n')) {
                            (true, _) | (_, true) => written,
                            _ if written.chars().count() <= 24 => format!("({written})"),
                            _ => perm_text(perm, of),
                        }
                    })
                    .collect();
                let product: Vec<String> = word
                    .iter()
                    .map(|(generator, exponent)| power(names.get(*generator).map_or("?", String::as_str), *exponent))
                    .collect();
                let done =
                    word.iter().fold(Perm::identity(0), |done, (generator, exponent)| match images.get(*generator) {
                        Some(image) => done.then(&image.pow(&(*exponent).into())),
                        None => done,
                    });
                Fault::at(
                    codes::NOT_A_HOMOMORPHISM,
                    span,
                    "there is no homomorphism with these images",
                    format!(
                        "{} does nothing, but the same product of the images is {}",
                        product.join(" "),
                        crop(&perm_text(&done, goal_of))
                    ),
                    "products that are equal need equal images: change an image so that this product does nothing too",
                )
            }
            _ => Fault::at(
                codes::NOT_A_HOMOMORPHISM,
                span,
                "there is no homomorphism with these images",
                "products of left sides that are equal have images that are not",
                "ask with `is_homomorphism` which images are possible",
            ),
        }
    }

    /// The action of a group on objects, as a homomorphism onto a group on the integers 1, 2, 3, …
    pub(in crate::run) fn action(
        &mut self,
        source: &Arc<GroupValue>,
        objects: &[Value],
        place: Span,
        span: Span,
    ) -> Run<HomomorphismValue> {
        let of = source.of.clone();
        let objects: Vec<Object> =
            objects.iter().map(|object| self.object_of(&of, object, place)).collect::<Run<_>>()?;
        match self.with_work(span, |work| source.group.action(&objects, work))? {
            Ok(map) => {
                let target = Arc::new(GroupValue::new(map.target.clone(), None));
                Ok(HomomorphismValue { map, source: source.clone(), target })
            }
            Err(leaves) => {
                let [object, image] =
                    [&leaves.object, &leaves.image].map(|object| crop(&self.print(&object_value(&of, object))));
                Err(Fault::at(
                    codes::NOT_KEPT,
                    place,
                    format!("the group takes {object} to {image}, which is not here"),
                    "these are not kept",
                    "a group acts on whole orbits: add the images, or take a block system such as `blocks(G)[1]`",
                ))
            }
        }
    }

    /// `h(p)`, `h(H)`: the image of an element or of a subgroup.
    pub(in crate::run) fn image_under(
        &mut self,
        h: &HomomorphismValue,
        argument: &(Value, Span),
        span: Span,
    ) -> Run<Value> {
        let elements = match &argument.0 {
            Value::Group(group) => {
                let (_, subgroup, of) = self.both(&h.source, group, argument.1)?;
                let generators = subgroup.generators().iter();
                generators
                    .map(|perm| (Value::Perm(PermValue { perm: perm.clone(), of: of.clone() }), argument.1))
                    .collect()
            }
            _ => vec![argument.clone()],
        };
        let (_, of, perms) = self.with_elements(&h.source, &elements, argument.1)?;
        let mut images = Vec::with_capacity(perms.len());
        for perm in &perms {
            let Some(image) = self.with_work(span, |work| h.map.image_of(perm, work))? else {
                let what = match &argument.0 {
                    Value::Group(_) => "this group is not inside the group that is mapped",
                    _ => "this is not in the group that is mapped",
                };
                return Err(Fault::at(
                    codes::NOT_IN_GROUP,
                    argument.1,
                    what,
                    format!("{} has no image", crop(&perm_text(perm, &of))),
                    "ask with `p in G` first",
                ));
            };
            images.push(image);
        }
        let of = h.target.of.clone();
        Ok(match (&argument.0, images.pop()) {
            (Value::Group(_), last) => {
                images.extend(last);
                GroupValue::value(PermGroup::new(h.map.target.degree(), images), of)
            }
            (_, Some(perm)) => Value::Perm(PermValue { perm, of }),
            (_, None) => Value::Nothing,
        })
    }

    /// Do two homomorphisms take the same elements to the same images?
    pub(in crate::run) fn same_map(
        &mut self,
        one: &HomomorphismValue,
        two: &HomomorphismValue,
        span: Span,
    ) -> Run<bool> {
        let (source, other, of) = self.both(&one.source, &two.source, span)?;
        if !self.with_work(span, |work| source.equals(&other, work))? {
            return Ok(false);
        }
        for generator in one.map.source.generators() {
            let perm = (Value::Perm(PermValue { perm: generator.clone(), of: of.clone() }), span);
            let (x, y) = (self.image_under(one, &perm, span)?, self.image_under(two, &perm, span)?);
            if !self.equal(&x, &y, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
