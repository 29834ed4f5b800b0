//! Which groups, permutations and cells can be asked about together. The group decides what the points are: integers
//! stand for the cells with those numbers, and cells for their numbers.

use std::sync::Arc;

use super::{GroupValue, Of, point_value};
use crate::diagnostic::codes;
use crate::group::fact::Says;
use crate::group::{Object, PermGroup};
use crate::perm::Perm;
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Value};
use crate::run::{Fault, Run};
use crate::source::Span;

/// Integers that groups may move.
const LARGEST_INTEGER: i64 = 50_000_000;

impl Machine<'_> {
    /// An element of a group: what a word does, or a permutation. Words without moves belong to all puzzles. `beside` says
    /// whose points the group permutes, if that is known: a word on a puzzle with a blank acts on pairs or on cells.
    pub(in crate::run) fn group_element(&mut self, value: &Value, beside: &Of, span: Span) -> Run<PermValue> {
        match value {
            Value::Perm(perm) => Ok(perm.clone()),
            Value::Word(word) if word.of.is_none() => Ok(PermValue { perm: Perm::identity(0), of: None }),
            Value::Tuple(parts) if parts.is_empty() => Ok(PermValue { perm: Perm::identity(0), of: None }),
            Value::Int(1) => Ok(PermValue { perm: Perm::identity(0), of: None }),
            Value::Group(_) | Value::Homomorphism(_) | Value::Set(_) => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("an element of a group is a word or a permutation, not {}", value.kind()),
                format!("this is {}", value.kind()),
                match value {
                    Value::Group(_) => "groups are compared with `subset`: `H subset G`",
                    _ => "give it a word or a permutation",
                },
            )),
            _ => {
                let word = self.word_of(value, span)?;
                let value = Value::Word(word.clone());
                let Some(of) = word.of.filter(|of| of.sliding().is_some()) else { return self.perm_of(&value, span) };
                let on_cells = beside.as_ref().is_some_and(|beside| Arc::ptr_eq(beside, &of));
                if of.is_partial() || on_cells {
                    return self.closed_perm(&value, span);
                }
                self.on_pairs(&word.word, &of, span)
            }
        }
    }

    /// The common puzzle of two things that are asked about together.
    fn joint(&self, one: &Of, two: &Of, kind: &str, span: Span) -> Run<Of> {
        match (one, two) {
            (Some(one), Some(two)) if one.is_pairs_of(two) || two.is_pairs_of(one) => {
                Err(crate::run::effect::pairs_and_cells(one, span))
            }
            (Some(one), Some(two)) if !Arc::ptr_eq(one, two) => Err(Fault::at(
                codes::OTHER_PUZZLE,
                span,
                format!("{kind} of {} meets a group of {}", two.name, one.name),
                format!("this is of {}", two.name),
                "work with one puzzle at a time: `on P(…) { … }`",
            )),
            _ => Ok(one.clone().or_else(|| two.clone())),
        }
    }

    /// A permutation of integers may only move the numbers of cells.
    fn on_cells(&self, perm: &Perm, of: &Of, span: Span) -> Run<()> {
        let Some(instance) = of else { return Ok(()) };
        let cells = instance.cells.len();
        let beyond = (cells..perm.degree()).rev().find(|point| perm.image(*point as u32) != *point as u32);
        match beyond {
            Some(point) => Err(Fault::at(
                codes::NOT_A_CELL,
                span,
                format!("{} has only {cells} cells", instance.name),
                format!("this moves number {}", point + 1),
                "write it inside `on …`, with its cells",
            )),
            None => Ok(()),
        }
    }

    /// A group and some permutations, on the group's points. For a group of integers a permutation of cells is one of
    /// their numbers.
    pub(in crate::run) fn with_elements(
        &mut self,
        group: &GroupValue,
        elements: &[(Value, Span)],
        span: Span,
    ) -> Run<(Arc<PermGroup>, Of, Vec<Perm>)> {
        let mut perms = Vec::with_capacity(elements.len());
        for (element, place) in elements {
            let perm = self.group_element(element, &group.of, *place)?;
            self.joint(&group.of, &perm.of, "a permutation", *place)?;
            self.on_cells(&perm.perm, &group.of, *place)?;
            perms.push(perm.perm);
        }
        let largest = perms.iter().map(Perm::degree).fold(group.group.degree(), usize::max);
        let degree = group.of.as_ref().map_or(largest, |instance| instance.cells.len());
        self.charge(perms.len() as u64 * (1 + degree as u64 / 64), span)?;
        let perms = perms.iter().map(|perm| of_degree(perm, degree)).collect();
        Ok((group_of_degree(&group.group, degree), group.of.clone(), perms))
    }

    /// Two groups on the points of the first.
    pub(in crate::run) fn both(
        &mut self,
        one: &GroupValue,
        two: &GroupValue,
        span: Span,
    ) -> Run<(Arc<PermGroup>, Arc<PermGroup>, Of)> {
        self.joint(&one.of, &two.of, "a group", span)?;
        for generator in two.group.generators() {
            self.on_cells(generator, &one.of, span)?;
        }
        let largest = one.group.degree().max(two.group.degree());
        let degree = one.of.as_ref().map_or(largest, |instance| instance.cells.len());
        Ok((group_of_degree(&one.group, degree), group_of_degree(&two.group, degree), one.of.clone()))
    }

    /// The group that some words, permutations, groups, and tuples of these generate.
    pub(in crate::run) fn generated(&mut self, parts: &[(Value, Span)], span: Span) -> Run<GroupValue> {
        if let [(Value::Group(group), _)] = parts {
            return Ok((**group).clone());
        }
        let mut of = None;
        let mut perms = Vec::new();
        for (part, place) in parts {
            self.add_generators(part, *place, &mut of, &mut perms)?;
        }
        if of.is_none()
            && parts.iter().all(|(part, _)| matches!(part, Value::Word(_) | Value::Tuple(_) | Value::Int(_)))
        {
            // the group of the empty word alone
            of = self.instance.clone();
        }
        for (perm, place) in &perms {
            self.on_cells(perm, &of, *place)?;
        }
        let largest = perms.iter().map(|(perm, _)| perm.degree()).max().unwrap_or(0);
        let degree = of.as_ref().map_or(largest, |instance| instance.cells.len());
        self.room_for(perms.len() as u128 * (1 + degree as u128 / 8), span)?;
        self.charge(perms.len() as u64 * (1 + degree as u64 / 64), span)?;
        let perms = perms.iter().map(|(perm, _)| of_degree(perm, degree)).filter(|perm| !perm.is_identity()).collect();
        Ok(GroupValue::new(PermGroup::new(degree, perms), of))
    }

    fn add_generators(&mut self, value: &Value, span: Span, of: &mut Of, perms: &mut Vec<(Perm, Span)>) -> Run<()> {
        self.step(span)?;
        match value {
            Value::Group(group) => {
                *of = self.joint(of, &group.of, "a group", span)?;
                // keeps the points that no generator moves
                perms.push((Perm::identity(group.group.degree()), span));
                perms.extend(group.group.generators().iter().map(|perm| (perm.clone(), span)));
            }
            Value::Tuple(parts) if !parts.is_empty() && !parts.iter().all(|part| part.is_data()) => {
                for part in parts.iter() {
                    self.add_generators(part, span, of, perms)?;
                }
            }
            other => {
                let perm = self.group_element(other, of, span)?;
                *of = self.joint(of, &perm.of, "a permutation", span)?;
                perms.push((perm.perm, span));
            }
        }
        Ok(())
    }

    /// What a word or permutation does to the points of a group, without a message.
    pub fn element_of(&mut self, value: &Value, of: &Of) -> Option<Perm> {
        let is_element = matches!(value, Value::Word(_) | Value::Perm(_) | Value::Family(..) | Value::Int(1))
            || matches!(value, Value::Tuple(parts) if parts.is_empty());
        let element = is_element.then(|| self.group_element(value, of, Span::default()).ok()).flatten()?;
        self.joint(of, &element.of, "a permutation", Span::default()).ok()?;
        Some(element.perm)
    }

    /// The number of a point: of a cell, or of an integer.
    pub(in crate::run) fn point_of(&mut self, of: &Of, value: &Value, span: Span) -> Run<u32> {
        match (of, value) {
            (None, Value::Int(k @ 1..=LARGEST_INTEGER)) => Ok(*k as u32 - 1),
            (None, other) => {
                let shown = self.print(other);
                Err(Fault::at(
                    codes::NOT_A_CELL,
                    span,
                    format!("{shown} is not a point of this group"),
                    "not a point",
                    "this group permutes the integers 1, 2, 3, …; a group on the cells of a puzzle is made inside `on PUZZLE(…)`",
                ))
            }
            (Some(instance), other) => match instance.number_of(other) {
                Some(number) => Ok(number),
                None => Err(self.no_cell(other, &instance.clone(), span)),
            },
        }
    }

    /// The numbers of the cells of a set or sequence.
    pub(in crate::run) fn points_of(&mut self, of: &Of, value: &Value, span: Span) -> Run<Vec<u32>> {
        if !matches!(value, Value::Set(_) | Value::Tuple(_) | Value::Range(..)) {
            let shown = self.print(value);
            return Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("a set of cells is needed here, not {}", value.kind()),
                format!("this is {}", value.kind()),
                format!("a set of one cell is written `{{{shown}}}`"),
            ));
        }
        let elements = self.elements_of(value, span)?;
        elements.iter().map(|element| self.point_of(of, element, span)).collect()
    }

    /// Cells, sets and tuples of cells at any depth, as what a group may act on.
    pub(in crate::run) fn object_of(&mut self, of: &Of, value: &Value, span: Span) -> Run<Object> {
        self.step(span)?;
        let is_cell = match of {
            Some(instance) => instance.number_of(value).is_some() || instance.looks_like_cell(value),
            None => matches!(value, Value::Int(_)),
        };
        match value {
            _ if is_cell => Ok(Object::Point(self.point_of(of, value, span)?)),
            Value::Set(set) => {
                let parts: Run<Vec<Object>> = set.iter().map(|part| self.object_of(of, part, span)).collect();
                Ok(Object::set(parts?))
            }
            Value::Tuple(_) | Value::Range(..) => {
                let parts = self.elements_of(value, span)?;
                let parts: Run<Vec<Object>> = parts.iter().map(|part| self.object_of(of, part, span)).collect();
                Ok(Object::Tuple(parts?))
            }
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("a group does not move {}", other.kind()),
                "among what it should act on",
                "give it cells, sets or tuples of cells, or sets of sets",
            )),
        }
    }

    /// Is a value an element of the group?
    pub(in crate::run) fn group_contains(&mut self, group: &GroupValue, value: &Value, left: Span) -> Run<bool> {
        let (group, _, perms) = self.with_elements(group, &[(value.clone(), left)], left)?;
        let Some(perm) = perms.first() else { return Ok(true) };
        let member = self.with_work(left, |work| group.contains(perm, work))?;
        self.note(&group, || Says::Member(perm.clone(), member));
        Ok(member)
    }
}

/// The object as a value.
pub(in crate::run) fn object_value(of: &Of, object: &Object) -> Value {
    let all = |objects: &[Object]| objects.iter().map(|object| object_value(of, object)).collect();
    match object {
        Object::Point(point) => point_value(of, *point),
        Object::Set(objects) => Value::Set(Arc::new(crate::run::value::Set::new(all(objects)))),
        Object::Tuple(objects) => Value::tuple(all(objects)),
    }
}

/// The permutation on so many points; those that are left out are not moved.
fn of_degree(perm: &Perm, degree: usize) -> Perm {
    match perm.degree() {
        same if same == degree => perm.clone(),
        less if less < degree => perm.then(&Perm::identity(degree)),
        _ => Perm::from_images(perm.images()[..degree].to_vec()).unwrap_or_else(|_| perm.clone()),
    }
}

fn group_of_degree(group: &Arc<PermGroup>, degree: usize) -> Arc<PermGroup> {
    if group.degree() == degree {
        return group.clone();
    }
    Arc::new(PermGroup::new(degree, group.generators().iter().map(|perm| of_degree(perm, degree)).collect()))
}
