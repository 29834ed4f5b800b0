//! A sliding space as a graph: the cells that the blank can reach, and the steps between them.

use crate::search::Space;

/// A graph of more cells is no board for tables: a set of cells is looked up in two halves of its bits.
pub(super) const MOST_CELLS: usize = 36;

/// More partial maps than this are not looked at for symmetries.
const MOST_TRIES: usize = 1 << 16;

/// The blank goes from one cell to a neighbour, and the tile there comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub from: usize,
    pub to: usize,
    /// the least mover that does it
    pub mover: u32,
    /// the number of the step back
    pub back: usize,
}

/// The cells that the blank can reach from a home, renumbered from 0 in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// the cells of the space
    pub cells: Vec<u32>,
    pub home: usize,
    /// all steps, by the cell they start from and then by their movers
    pub steps: Vec<Step>,
    /// where the steps of each cell begin, and the end
    pub begin: Vec<usize>,
    /// Does every step change the colour of the cell, in two colours? Then the parity of all distances is known.
    pub bipartite: bool,
    /// from each cell to each: the number of steps
    distance: Vec<u8>,
}

impl Board {
    /// The board of the blank that has its goal in `home`. `None` if some step there is no swap of the blank with another cell or cannot be
    /// undone, or if there are too many cells. Costs the steps of the space and the square of the cells.
    pub fn new(space: &Space, home: u32) -> Option<Board> {
        space.blank?;
        // by cell: the cells that the blank goes to, each with the least mover
        let mut ways: Vec<Vec<(u32, u32)>> = vec![Vec::new(); space.degree];
        for (mover, entry) in space.moves.iter().enumerate() {
            for (from, perm) in entry.steps.iter().enumerate().take(space.degree) {
                let Some(perm) = perm else { continue };
                let moved = (0..space.degree as u32).filter(|cell| perm.image(*cell) != *cell);
                let moved: Vec<u32> = moved.take(3).collect();
                let to = perm.image(from as u32);
                if moved.len() != 2 || to == from as u32 || perm.image(to) != from as u32 {
                    return None;
                }
                let ways = &mut ways[from];
                if ways.iter().all(|(known, _)| *known != to) {
                    ways.push((to, mover as u32));
                }
            }
        }
        let mut seen = vec![false; space.degree];
        *seen.get_mut(home as usize)? = true;
        let mut cells = vec![home];
        let mut next = 0;
        while let Some(cell) = cells.get(next) {
            next += 1;
            for (to, _) in ways[*cell as usize].clone() {
                if !ways[to as usize].iter().any(|(back, _)| back == &cells[next - 1]) {
                    return None;
                }
                if !std::mem::replace(&mut seen[to as usize], true) {
                    cells.push(to);
                }
            }
        }
        // the blank may not come in from outside without a way back either
        let into =
            |(from, ways): (usize, &Vec<(u32, u32)>)| !seen[from] && ways.iter().any(|(to, _)| seen[*to as usize]);
        if ways.iter().enumerate().any(into) {
            return None;
        }
        if cells.len() > MOST_CELLS || cells.len() < 2 {
            return None;
        }
        cells.sort_unstable();
        let number = |cell: u32| cells.binary_search(&cell).ok();
        let (mut steps, mut begin) = (Vec::new(), vec![0]);
        for (from, cell) in cells.iter().enumerate() {
            for (to, mover) in &ways[*cell as usize] {
                steps.push(Step { from, to: number(*to)?, mover: *mover, back: 0 });
            }
            begin.push(steps.len());
        }
        for step in 0..steps.len() {
            let Step { from, to, .. } = steps[step];
            steps[step].back = (begin[to]..begin[to + 1]).find(|back| steps[*back].to == from)?;
        }
        let home = number(home)?;
        let mut board = Board { home, steps, begin, bipartite: true, distance: Vec::new(), cells };
        for from in 0..board.len() {
            let row = board.distances(from);
            board.distance.extend(row);
        }
        board.bipartite =
            board.steps.iter().all(|step| board.distance(home, step.from) % 2 != board.distance(home, step.to) % 2);
        Some(board)
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The steps of the blank from a cell.
    pub fn from(&self, cell: usize) -> &[Step] {
        &self.steps[self.begin[cell]..self.begin[cell + 1]]
    }

    /// How many steps it is from a cell to another.
    pub fn distance(&self, from: usize, to: usize) -> u32 {
        u32::from(self.distance[from * self.len() + to])
    }

    fn distances(&self, from: usize) -> Vec<u8> {
        let mut distance = vec![u8::MAX; self.len()];
        distance[from] = 0;
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            next += 1;
            for step in self.from(cell) {
                if distance[step.to] == u8::MAX {
                    distance[step.to] = distance[cell] + 1;
                    queue.push(step.to);
                }
            }
        }
        distance
    }

    /// At most so many maps of the cells that keep the steps and the home, the identity first.
    ///
    /// What the movers are called does not matter here: distances stay the same.
    pub fn symmetries(&self, most: usize) -> Vec<Vec<usize>> {
        // each cell but the first has a neighbour before it
        let mut order = vec![self.home];
        let mut parent = vec![self.home];
        let mut next = 0;
        while let Some(&cell) = order.get(next) {
            next += 1;
            for step in self.from(cell) {
                if !order.contains(&step.to) {
                    order.push(step.to);
                    parent.push(cell);
                }
            }
        }
        let mut search =
            Maps { board: self, order, parent, image: vec![None; self.len()], found: Vec::new(), tries: 0 };
        search.image[self.home] = Some(self.home);
        search.extend(1, most);
        let identity: Vec<usize> = (0..self.len()).collect();
        let mut found = search.found;
        found.retain(|map| *map != identity);
        found.insert(0, identity);
        found.truncate(most);
        found
    }
}

/// Looks for symmetries cell by cell.
struct Maps<'a> {
    board: &'a Board,
    order: Vec<usize>,
    parent: Vec<usize>,
    image: Vec<Option<usize>>,
    found: Vec<Vec<usize>>,
    tries: usize,
}

impl Maps<'_> {
    fn extend(&mut self, level: usize, most: usize) {
        let Some(&cell) = self.order.get(level) else {
            self.found.extend(self.image.iter().copied().collect::<Option<Vec<usize>>>());
            return;
        };
        let Some(parent) = self.image[self.parent[level]] else { return };
        for step in self.board.from(parent) {
            self.tries += 1;
            if self.found.len() > most || self.tries > MOST_TRIES {
                return;
            }
            let used = self.image.contains(&Some(step.to));
            // distances to all cells that have images already stay the same
            let keeps = |before: &usize| {
                let image = self.image[*before].unwrap_or(*before);
                self.board.distance(cell, *before) == self.board.distance(step.to, image)
            };
            if !used && self.order[..level].iter().all(keeps) {
                self.image[cell] = Some(step.to);
                self.extend(level + 1, most);
                self.image[cell] = None;
            }
        }
    }
}
