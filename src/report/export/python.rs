//! Facts as a script for SymPy, which runs in Sage as well.

use std::fmt::Write;

use super::{Groups, Said, distinct, numbers, on_points, quoted};
use crate::group::fact::{Fact, Generated, Says};
use crate::perm::Perm;

/// SymPy is slow: groups on more points are left to GAP.
const MOST_POINTS: usize = 60;
/// The longest orbit on which blocks are looked for.
const MOST_BLOCK_POINTS: usize = 24;

const HEAD: &str = r#"# Checks again, in SymPy (which Sage contains), what Perm found out about groups:  python3 FILE
# Points are the cells, numbered from 0 here, in the order in which they are declared; a permutation is the list of its images: the
# content of cell i goes to the cell at place i. Products run from left to right, in SymPy as in Perm.

import sys
from sympy.combinatorics import Permutation, PermutationGroup

bad = checked = left_out = 0

def check(what, holds):
    global bad, checked
    checked += 1
    if not holds:
        bad += 1
    print("ok    " if holds else "WRONG ", what)

def skip(what):
    global left_out
    left_out += 1
    print("left to GAP:", what)

def group(degree, *lists):
    return PermutationGroup([Permutation(images) for images in lists] or [Permutation(list(range(degree)))])

def inside(H, G):
    return all(G.contains(h) for h in H.generators)

def same(G, H):
    return inside(G, H) and inside(H, G)

def minimal_blocks(G, orbit):
    # all minimal block systems of the action on an orbit, each a set of sets of points
    if len(orbit) < 2 or frozenset(orbit) not in orbits(G, G.degree):
        return set()
    place = {point: at for at, point in enumerate(orbit)}
    image = PermutationGroup([Permutation([place[g(point)] for point in orbit]) for g in G.generators])
    found = set()
    for other in range(1, len(orbit)):
        label = image.minimal_block([0, other])
        blocks = {}
        for at, name in enumerate(label):
            blocks.setdefault(name, set()).add(orbit[at])
        if len(blocks) > 1:
            found.add(frozenset(frozenset(block) for block in blocks.values()))
    finer = lambda a, b: a != b and all(any(block <= other for other in b) for block in a)
    return {system for system in found if not any(finer(other, system) for other in found)}

def orbits(G, degree):
    found = [set(orbit) for orbit in G.orbits()]
    lone = set(range(degree)).difference(*found) if found else set(range(degree))
    return {frozenset(orbit) for orbit in found} | {frozenset([point]) for point in lone}

"#;

/// A Python script that checks facts again with SymPy. It prints a line for each and a sum, and ends with status 1 if one is wrong. Facts that take
/// SymPy too long, or that it has no function for, are named and counted.
pub fn script(said: &[Said]) -> String {
    let mut out = HEAD.to_string();
    let facts = distinct(said);
    let mut groups = Groups { list: Vec::new() };
    for (place, fact) in &facts {
        let mut before = String::new();
        let statement = match fact.group.degree <= MOST_POINTS {
            true => statement(&mut groups, &mut before, fact),
            false => None,
        };
        out.push_str(&before);
        let _ = match statement {
            Some((what, holds)) => writeln!(out, "check({}, {holds})", quoted(&format!("{place}: {what}"))),
            None => writeln!(out, "skip({})", quoted(place)),
        };
    }
    out.push_str(
        "\nprint(checked, \"facts checked,\", bad, \"wrong,\", left_out, \"left to GAP\")\nsys.exit(1 if bad else 0)\n",
    );
    out
}

fn name<'a>(groups: &mut Groups<'a>, out: &mut String, group: &'a Generated) -> String {
    let (number, fresh) = groups.number(group);
    if fresh {
        let generators: Vec<String> =
            group.generators.iter().map(|generator| format!(", {}", list(generator))).collect();
        let _ = writeln!(out, "G{number} = group({}{})", group.degree, generators.concat());
    }
    format!("G{number}")
}

fn list(perm: &Perm) -> String {
    format!("[{}]", numbers(perm.images().iter().copied(), 0))
}

fn points(points: &[u32]) -> String {
    format!("frozenset([{}])", numbers(points.iter().copied(), 0))
}

/// The fact in a few words, and as an expression of Python; None if SymPy has no function for it.
fn statement<'a>(groups: &mut Groups<'a>, out: &mut String, fact: &'a Fact) -> Option<(String, String)> {
    let python = |holds: bool| if holds { "True" } else { "False" };
    let is = |holds: bool, what: &str| if holds { what.to_string() } else { format!("not {what}") };
    let g = name(groups, out, &fact.group);
    let truth = |holds: bool, test: String| format!("({test}) == {}", python(holds));
    let mut same = |what: &str, theirs: String, ours: &'a Generated| {
        let h = name(groups, out, ours);
        Some((what.to_string(), format!("same({theirs}, {h})")))
    };
    match &fact.says {
        Says::Order(order) => Some((format!("order {order}"), format!("{g}.order() == {order}"))),
        Says::Member(element, member) => {
            let test = format!("{g}.contains(Permutation({}))", list(element));
            Some((is(*member, "an element"), truth(*member, test)))
        }
        Says::Orbits(orbits) => {
            let expected: Vec<String> = orbits.iter().map(|orbit| points(orbit)).collect();
            let degree = fact.group.degree;
            Some((format!("{} orbits", orbits.len()), format!("orbits({g}, {degree}) == {{{}}}", expected.join(", "))))
        }
        Says::Transitive(orbit, transitive) => {
            let test = format!("{} in orbits({g}, {})", points(orbit), fact.group.degree);
            Some((on_points(*transitive, "transitive", orbit, 0), truth(*transitive, test)))
        }
        Says::Primitive(orbit, primitive) if orbit.len() <= MOST_BLOCK_POINTS => {
            let (set, list, degree) = (points(orbit), numbers(orbit.iter().copied(), 0), fact.group.degree);
            let test = format!("{set} in orbits({g}, {degree}) and not minimal_blocks({g}, [{list}])");
            Some((on_points(*primitive, "primitive", orbit, 0), truth(*primitive, test)))
        }
        Says::MinimalBlocks(orbit, systems) if orbit.len() <= MOST_BLOCK_POINTS => {
            let system = |blocks: &Vec<Vec<u32>>| {
                let blocks: Vec<String> = blocks.iter().map(|block| points(block)).collect();
                format!("frozenset([{}])", blocks.join(", "))
            };
            let expected: Vec<String> = systems.iter().map(system).collect();
            let orbit_list = numbers(orbit.iter().copied(), 0);
            Some((
                on_points(true, &format!("{} minimal block systems", systems.len()), orbit, 0),
                format!("minimal_blocks({g}, [{orbit_list}]) == set([{}])", expected.join(", ")),
            ))
        }
        Says::Abelian(holds) => Some((is(*holds, "abelian"), truth(*holds, format!("{g}.is_abelian")))),
        Says::Solvable(holds) => Some((is(*holds, "solvable"), truth(*holds, format!("{g}.is_solvable")))),
        Says::Centre(ours) if fact.group.degree <= 12 => same("centre", format!("{g}.center()"), ours),
        Says::Derived(ours) if fact.group.degree <= 12 => {
            same("derived subgroup", format!("{g}.derived_subgroup()"), ours)
        }
        Says::Stabilizer(point, ours) => {
            same(&format!("stabilizer of {point}"), format!("{g}.stabilizer({point})"), ours)
        }
        Says::Equal(other, holds) => {
            let h = name(groups, out, other);
            Some((is(*holds, "equal"), truth(*holds, format!("same({g}, {h})"))))
        }
        Says::Subgroup(other, holds) => {
            let h = name(groups, out, other);
            Some((is(*holds, "a subgroup"), truth(*holds, format!("inside({h}, {g})"))))
        }
        _ => None,
    }
}
