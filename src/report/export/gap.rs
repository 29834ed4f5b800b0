//! Facts as a script for GAP.

use std::fmt::Write;

use super::{Groups, Said, distinct, numbers, on_points, quoted};
use crate::group::fact::{Fact, Generated, Says};
use crate::perm::Perm;

const HEAD: &str = r#"# Checks again, in GAP, what Perm found out about groups:  gap -q FILE
# Points are the cells, numbered from 1 in the order in which they are declared; a permutation is the list of its images: the
# content of cell i goes to the cell at place i. Products run from left to right, in GAP as in Perm.

SizeScreen([4096, 24]);;
bad := 0;; checked := 0;;
BreakOnError := false;;
# A question that ends in an error counts as a wrong fact.
Check := function(what, question)
  local answer;
  checked := checked + 1;
  answer := CALL_WITH_CATCH(question, []);
  if answer[1] = true and answer[2] = true then Print("ok     ", what, "\n");
  else bad := bad + 1; Print("WRONG  ", what, "\n"); fi;
end;;

# The order of a group. Symmetric and alternating groups on many points are recognised as such: their stabilizer chains would be long.
Order_ := function(G)
  local n;
  n := NrMovedPoints(G);
  if n > 12 and IsTransitive(G, MovedPoints(G)) then
    if IsNaturalSymmetricGroup(G) then return Factorial(n); fi;
    if IsNaturalAlternatingGroup(G) then return Factorial(n) / 2; fi;
  fi;
  return Size(G);
end;;
Within := function(H, G)
  if NrMovedPoints(G) > 12 and IsTransitive(G, MovedPoints(G)) then
    if IsNaturalSymmetricGroup(G) then return IsSubset(MovedPoints(G), MovedPoints(H)); fi;
    if IsNaturalAlternatingGroup(G) then
      return IsSubset(MovedPoints(G), MovedPoints(H)) and ForAll(GeneratorsOfGroup(H), x -> SignPerm(x) = 1);
    fi;
  fi;
  return IsSubset(G, H);
end;;
# All minimal block systems of the action on an orbit, each a set of sets of points.
MinimalBlocks := function(G, pts)
  local image, found;
  if Length(pts) < 2 then return []; fi;
  image := Action(G, pts);
  found := Filtered(RepresentativesMinimalBlocks(image, [1..Length(pts)]), b -> Length(b) < Length(pts));
  return Set(found, b -> Set(Orbit(image, Set(b), OnSets), o -> Set(pts{o})));
end;;
Same := function(G, H) return Within(G, H) and Within(H, G); end;;

"#;

/// A GAP script that checks facts again. It prints a line for each and a sum, and ends with status 1 if one is wrong.
pub fn script(said: &[Said]) -> String {
    let mut out = HEAD.to_string();
    let facts = distinct(said);
    let mut groups = Groups { list: Vec::new() };
    for (place, fact) in &facts {
        let subject = name(&mut groups, &mut out, &fact.group);
        let (what, holds) = statement(&mut groups, &mut out, &subject, fact);
        let _ = writeln!(out, "Check({}, {{}} -> {holds});", quoted(&format!("{place}: {what}")));
    }
    out.push_str(
        "\nPrint(checked, \" facts checked, \", bad, \" wrong\\n\");\nif bad > 0 then QUIT_GAP(1); fi;\nQUIT_GAP(0);\n",
    );
    out
}

/// The name of a group, which is defined where it is met first.
fn name<'a>(groups: &mut Groups<'a>, out: &mut String, group: &'a Generated) -> String {
    let (number, fresh) = groups.number(group);
    if fresh {
        let generators: Vec<String> = group.generators.iter().map(perm).collect();
        let list = generators.join(",\n  ");
        let _ = writeln!(out, "g{number} := [{list}];; G{number} := Group(g{number}, ());;");
    }
    format!("G{number}")
}

fn perm(perm: &Perm) -> String {
    format!("PermList([{}])", numbers(perm.images().iter().copied(), 1))
}

fn set(points: &[u32]) -> String {
    format!("[{}]", numbers(points.iter().copied(), 1))
}

fn sets(sets: &[Vec<u32>]) -> String {
    format!("Set([{}])", sets.iter().map(|points| format!("Set({})", set(points))).collect::<Vec<_>>().join(", "))
}

fn perms(list: &[Perm]) -> String {
    format!("[{}]", list.iter().map(perm).collect::<Vec<_>>().join(", "))
}

/// The fact in a few words, and as an expression of GAP.
fn statement<'a>(groups: &mut Groups<'a>, out: &mut String, g: &str, fact: &'a Fact) -> (String, String) {
    let is = |holds: bool, what: &str| if holds { what.to_string() } else { format!("not {what}") };
    let truth = |holds: bool, test: String| format!("({test}) = {holds}");
    match &fact.says {
        Says::Order(order) => (format!("order {order}"), format!("Order_({g}) = {order}")),
        Says::Member(element, member) => {
            (is(*member, "an element"), truth(*member, format!("Within(Group({}), {g})", perm(element))))
        }
        Says::Orbits(orbits) => (
            format!("{} orbits", orbits.len()),
            format!("Set(Orbits({g}, [1..{}]), Set) = {}", fact.group.degree, sets(orbits)),
        ),
        Says::Transitive(points, transitive) => (
            on_points(*transitive, "transitive", points, 1),
            truth(*transitive, format!("IsTransitive({g}, {})", set(points))),
        ),
        Says::Primitive(points, primitive) => (
            on_points(*primitive, "primitive", points, 1),
            truth(*primitive, format!("IsPrimitive({g}, {})", set(points))),
        ),
        Says::MinimalBlocks(points, systems) => {
            let _ = writeln!(out, "pts := {};;", set(points));
            let expected: Vec<String> = systems.iter().map(|system| sets(system)).collect();
            (
                on_points(true, &format!("{} minimal block systems", systems.len()), points, 1),
                format!("MinimalBlocks({g}, pts) = Set([{}])", expected.join(", ")),
            )
        }
        Says::Abelian(holds) => (is(*holds, "abelian"), truth(*holds, format!("IsAbelian({g})"))),
        Says::Solvable(holds) => (is(*holds, "solvable"), truth(*holds, format!("IsSolvable({g})"))),
        Says::Perfect(holds) => (is(*holds, "perfect"), truth(*holds, format!("IsPerfect({g})"))),
        Says::Centre(other) => same(groups, out, "centre", format!("Centre({g})"), other),
        Says::Derived(other) => same(groups, out, "derived subgroup", format!("DerivedSubgroup({g})"), other),
        Says::Stabilizer(point, other) => {
            same(groups, out, &format!("stabilizer of {}", point + 1), format!("Stabilizer({g}, {})", point + 1), other)
        }
        Says::SetStabilizer(points, other) => {
            same(groups, out, "stabilizer of a set", format!("Stabilizer({g}, Set({}), OnSets)", set(points)), other)
        }
        Says::Centralizer(elements, other) => {
            same(groups, out, "centralizer", format!("Centralizer({g}, Group({}, ()))", perms(elements)), other)
        }
        Says::NormalClosure(elements, other) => {
            same(groups, out, "normal closure", format!("NormalClosure({g}, Group({}, ()))", perms(elements)), other)
        }
        Says::Equal(other, holds) => {
            let h = name(groups, out, other);
            (is(*holds, "equal"), truth(*holds, format!("Same({g}, {h})")))
        }
        Says::Subgroup(other, holds) => {
            let h = name(groups, out, other);
            (is(*holds, "a subgroup"), truth(*holds, format!("Within({h}, {g})")))
        }
        Says::Normal(other, holds) => {
            let h = name(groups, out, other);
            (is(*holds, "a normal subgroup"), truth(*holds, format!("Within({h}, {g}) and IsNormal({g}, {h})")))
        }
        Says::Conjugate(a, b, holds) => {
            (is(*holds, "conjugate"), truth(*holds, format!("IsConjugate({g}, {}, {})", perm(a), perm(b))))
        }
        Says::Homomorphism(target, images, holds) => {
            let h = name(groups, out, target);
            let map = format!("GroupHomomorphismByImages({g}, {h}, g{}, {})", &g[1..], perms(images));
            (is(*holds, "a homomorphism"), truth(*holds, format!("{map} <> fail")))
        }
        Says::Isomorphism(target, images, holds) => {
            let h = name(groups, out, target);
            let map = format!("GroupHomomorphismByImages({g}, {h}, g{}, {})", &g[1..], perms(images));
            (is(*holds, "an isomorphism"), truth(*holds, format!("IsBijective({map})")))
        }
        Says::Inner(target, images, holds) => {
            let h = name(groups, out, target);
            let map = format!("GroupHomomorphismByImages({g}, {g}, g{}, {})", &g[1..], perms(images));
            (
                is(*holds, "an inner automorphism"),
                truth(*holds, format!("Same({g}, {h}) and IsInnerAutomorphism({map})")),
            )
        }
    }
}

fn same<'a>(
    groups: &mut Groups<'a>,
    out: &mut String,
    what: &str,
    theirs: String,
    ours: &'a Generated,
) -> (String, String) {
    let h = name(groups, out, ours);
    (what.to_string(), format!("Same({theirs}, {h})"))
}
