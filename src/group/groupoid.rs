//! Moves that depend on where the blank is: a groupoid, and its group at one place.
//!
//! On a sliding puzzle a move is a permutation of the cells only once the place of the blank is known, and it takes the blank to another
//! place. The words that bring the blank home form a group; loops along a spanning tree generate it (Schreier's lemma for groupoids; for
//! the fifteen puzzle and all other graphs Wilson 1974).

use super::PermGroup;
use crate::perm::Perm;

/// A move from one place to another: what it does to the contents of all cells, the blank's included.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub effect: Perm,
}

/// A loop at home: the numbers of the arrows, with true where one is gone backward.
pub type Loop = Vec<(usize, bool)>;

/// Places, and arrows between them that may be gone in both directions.
#[derive(Clone, Debug)]
pub struct Groupoid {
    degree: usize,
    places: usize,
    arrows: Vec<Arrow>,
}

impl Groupoid {
    /// Places `0..places`, and arrows between them that permute `degree` cells. Arrows to or from other numbers are left out.
    pub fn new(degree: usize, places: usize, arrows: Vec<Arrow>) -> Groupoid {
        let arrows = arrows.into_iter().filter(|arrow| arrow.from < places && arrow.to < places).collect();
        Groupoid { degree, places, arrows }
    }

    /// The arrows, by number.
    pub fn arrows(&self) -> &[Arrow] {
        &self.arrows
    }

    /// The group of the loops at a place, and for each of its generators a loop that does it. Linear in arrows times the cells, apart from the lengths of the
    /// loops.
    pub fn group_at(&self, home: usize) -> (PermGroup, Vec<Loop>) {
        let ways = self.ways_from(home);
        let mut generators: Vec<Perm> = Vec::new();
        let mut loops = Vec::new();
        for (number, arrow) in self.arrows.iter().enumerate() {
            let (Some((to_start, start)), Some((to_end, end))) = (&ways[arrow.from], &ways[arrow.to]) else { continue };
            let around = to_start.then(&arrow.effect).then(&to_end.inverse());
            if around.is_identity() || generators.contains(&around) {
                continue;
            }
            generators.push(around);
            let back = end.iter().rev().map(|(arrow, backward)| (*arrow, !backward));
            loops.push(start.iter().copied().chain([(number, false)]).chain(back).collect());
        }
        (PermGroup::new(self.degree, generators), loops)
    }

    /// For each place that can be reached: what a shortest way from home does, and its arrows.
    pub fn ways_from(&self, home: usize) -> Vec<Option<(Perm, Loop)>> {
        let mut ways: Vec<Option<(Perm, Loop)>> = vec![None; self.places];
        let mut at_place: Vec<Vec<(usize, bool)>> = vec![Vec::new(); self.places];
        for (number, arrow) in self.arrows.iter().enumerate() {
            at_place[arrow.from].push((number, false));
            at_place[arrow.to].push((number, true));
        }
        if let Some(way) = ways.get_mut(home) {
            *way = Some((Perm::identity(self.degree), Vec::new()));
        }
        let mut queue = vec![home];
        let mut next = 0;
        while let Some(&place) = queue.get(next) {
            next += 1;
            for &(number, backward) in at_place.get(place).into_iter().flatten() {
                let arrow = &self.arrows[number];
                let there = if backward { arrow.from } else { arrow.to };
                if ways[there].is_some() {
                    continue;
                }
                if let Some((effect, way)) = &ways[place] {
                    let step = if backward { arrow.effect.inverse() } else { arrow.effect.clone() };
                    let longer = way.iter().copied().chain([(number, backward)]).collect();
                    ways[there] = Some((effect.then(&step), longer));
                    queue.push(there);
                }
            }
        }
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::Work;

    /// The puzzle of a graph: the blank goes along its edges and trades places with what is there.
    fn sliding(points: usize, edges: &[(usize, usize)]) -> Groupoid {
        let arrow = |(a, b): &(usize, usize)| {
            let swap = Perm::from_cycles(points, &[vec![*a as u32, *b as u32]]).expect("points");
            Arrow { from: *a, to: *b, effect: swap }
        };
        Groupoid::new(points, points, edges.iter().map(arrow).collect())
    }

    fn board(rows: usize, columns: usize) -> Groupoid {
        let mut edges = Vec::new();
        for cell in 0..rows * columns {
            if cell % columns + 1 < columns {
                edges.push((cell, cell + 1));
            }
            if cell + columns < rows * columns {
                edges.push((cell, cell + columns));
            }
        }
        sliding(rows * columns, &edges)
    }

    fn order(groupoid: &Groupoid) -> String {
        let (group, loops) = groupoid.group_at(0);
        for (generator, around) in group.generators().iter().zip(&loops) {
            let mut place = 0;
            let mut effect = Perm::identity(group.degree());
            for (number, backward) in around {
                let arrow = &groupoid.arrows()[*number];
                let (from, to) = if *backward { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
                assert_eq!(place, from);
                place = to;
                effect = effect.then(&if *backward { arrow.effect.inverse() } else { arrow.effect.clone() });
            }
            assert!(place == 0 && effect == *generator && generator.image(0) == 0);
        }
        group.order(Work::unlimited()).expect("no limit").to_string()
    }

    #[test]
    fn boards_of_sliding_tiles() {
        assert_eq!(order(&board(2, 2)), "3");
        assert_eq!(order(&board(2, 3)), "60");
        assert_eq!(order(&board(3, 3)), "20160");
        // 15!/2
        assert_eq!(order(&board(4, 4)), "653837184000");
        assert_eq!(order(&board(1, 5)), "1");
    }

    /// Wilson's exception: a hexagon with a point between two opposite corners has the group PGL(2,5).
    #[test]
    fn the_theta_graph() {
        let theta = sliding(7, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 3)]);
        assert_eq!(order(&theta), "120");
        let (group, _) = theta.group_at(0);
        let identity = group.identify(&|point| point.to_string(), Work::unlimited()).expect("no limit");
        assert_eq!(identity.name.as_deref(), Some("PGL(2,5)"));
    }
}
