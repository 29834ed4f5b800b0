//! What a search has to know of an arrangement, as a key of few bits.
//!
//! Where all tiles that matter are different, their cells are enough; tiles that others carry along are left out, as other stickers
//! of a corner are. Where tiles look alike, the colours of the cells say everything; colours that the goal does not ask for
//! are one.

use super::super::keys::{Key, Width, commuting};
use super::super::moves::{Moves, Step};
use super::super::{Goal, Stopped};
use crate::group::Work;

/// A goal that leaves much open stands for many states; so many are listed.
const MOST_GOALS: usize = 10_000;

/// What is written of a state.
#[derive(Clone, Debug)]
enum Form {
    /// the cells of these tiles
    Places(Vec<usize>),
    /// the colours of these cells
    Colours(Vec<usize>),
}

/// A step as a table.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub mover: u32,
    table: Vec<u32>,
}

/// How states are written.
#[derive(Clone, Debug)]
pub(super) struct Coding {
    form: Form,
    bits: u32,
    /// where the blank's cell stands in a state of places
    blank_at: Option<usize>,
    /// the blank's colour in a state of colours
    blank_colour: u32,
    /// by the cell of the blank, or one list
    forward: Vec<Vec<Turn>>,
    backward: Vec<Vec<Turn>>,
}

/// A coding, and the states with which searches begin.
pub(super) struct Coded {
    pub coding: Coding,
    pub start: Vec<u32>,
    /// none if there are too many to list: then [`Coding::is_goal`] has to be asked
    pub goals: Option<Vec<Vec<u32>>>,
    wanted: Vec<Wanted>,
}

/// What a goal asks of an item of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Anything,
    Value(u32),
}

impl Coded {
    /// `None` if no arrangement that can be reached is as the goal wants it, which may be known without a search.
    pub fn new(moves: &Moves, start: &[u32], goal: &Goal, work: Work<'_>) -> Result<Option<Coded>, Stopped> {
        let degree = moves.degree;
        if goal.colour.len() != degree || goal.want.len() != degree {
            return Err(Stopped::Unfit("the goal is no goal for these tiles and cells"));
        }
        let mut content = vec![0; degree];
        start.iter().enumerate().for_each(|(tile, cell)| content[*cell as usize] = tile);
        let mut moved = vec![false; degree];
        for step in moves.all() {
            work.products(1, degree)?;
            (0..degree).for_each(|cell| moved[cell] |= step.effect.images()[cell] as usize != cell);
        }
        // what never moves is right or never will be
        let fits = |cell: usize| goal.want[cell].is_none_or(|colour| goal.colour[content[cell]] == colour);
        if (0..degree).any(|cell| !moved[cell] && !fits(cell)) {
            return Ok(None);
        }
        let cells: Vec<usize> =
            (0..degree).filter(|cell| moved[*cell] || moves.blank == Some(content[*cell])).collect();
        let tiles: Vec<usize> = cells.iter().map(|cell| content[*cell]).collect();
        let asked: Vec<u32> = cells.iter().filter_map(|cell| goal.want[*cell]).collect();
        let times = |colour: u32, among: &[u32]| among.iter().filter(|other| **other == colour).count();
        let colours: Vec<u32> = tiles.iter().map(|tile| goal.colour[*tile]).collect();
        if asked.iter().any(|colour| times(*colour, &asked) > times(*colour, &colours)) {
            return Ok(None);
        }
        let matter = |tile: &usize| moves.blank == Some(*tile) || asked.contains(&goal.colour[*tile]);
        let different = tiles.iter().filter(|tile| asked.contains(&goal.colour[**tile]));
        let different = different.into_iter().all(|tile| times(goal.colour[*tile], &colours) == 1);
        if different {
            let tracked: Vec<usize> = tiles.iter().copied().filter(matter).collect();
            Coded::places(moves, start, goal, &cells, tracked, work)
        } else {
            Coded::colours(moves, &content, goal, cells, &asked).map(Some)
        }
    }

    fn places(
        moves: &Moves,
        start: &[u32],
        goal: &Goal,
        cells: &[usize],
        mut tracked: Vec<usize>,
        work: Work<'_>,
    ) -> Result<Option<Coded>, Stopped> {
        let mut target = vec![None; moves.degree];
        for cell in cells {
            if let Some(tile) = tracked.iter().find(|tile| Some(goal.colour[**tile]) == goal.want[*cell]) {
                target[*tile] = Some(*cell as u32);
            }
        }
        tracked.sort_unstable();
        let mut kept: Vec<usize> = Vec::new();
        'tiles: for tile in tracked {
            if moves.blank.is_none() {
                for leader in &kept {
                    let Some(follow) = commuting(moves, start[*leader], start[tile], work)? else { continue };
                    let (Some(lead), Some(own)) = (target[*leader], target[tile]) else { continue };
                    if follow.get(lead as usize) != Some(&own) {
                        return Ok(None);
                    }
                    continue 'tiles;
                }
            }
            kept.push(tile);
        }
        let from: Vec<u32> = kept.iter().map(|tile| start[*tile]).collect();
        let wanted: Vec<Wanted> =
            kept.iter().map(|tile| target[*tile].map_or(Wanted::Anything, Wanted::Value)).collect();
        let blank_at = moves.blank.and_then(|blank| kept.iter().position(|tile| *tile == blank));
        // only the blank's cell can be open
        let mut goals = vec![Vec::new()];
        for want in &wanted {
            goals = match want {
                Wanted::Value(cell) => goals.into_iter().map(|goal| [goal, vec![*cell]].concat()).collect(),
                Wanted::Anything => {
                    let free = |cell: &u32| !wanted.contains(&Wanted::Value(*cell));
                    let cells: Vec<u32> = (0..moves.degree as u32).filter(free).collect();
                    goals.iter().flat_map(|goal| cells.iter().map(|cell| [&goal[..], &[*cell]].concat())).collect()
                }
            };
        }
        let bits = bits_for(moves.degree);
        let form = Form::Places(kept);
        let coding = Coding::new(form, bits, blank_at, 0, moves);
        Ok(Some(Coded { coding, start: from, goals: Some(goals), wanted }))
    }

    fn colours(
        moves: &Moves,
        content: &[usize],
        goal: &Goal,
        cells: Vec<usize>,
        asked: &[u32],
    ) -> Result<Coded, Stopped> {
        // 0 stands for all colours that are not asked for; the blank has one of its own
        let mut names: Vec<u32> = asked.to_vec();
        names.sort_unstable();
        names.dedup();
        let number = |colour: u32| names.binary_search(&colour).map_or(0, |at| at as u32 + 1);
        let blank_colour = names.len() as u32 + 1;
        let of_tile: Vec<u32> = (0..moves.degree)
            .map(|tile| if moves.blank == Some(tile) { blank_colour } else { number(goal.colour[tile]) })
            .collect();
        let start: Vec<u32> = cells.iter().map(|cell| of_tile[content[*cell]]).collect();
        let blank_wanted = |colour: u32| moves.blank.is_some_and(|blank| goal.colour[blank] == colour);
        let wanted: Vec<Wanted> = cells
            .iter()
            .map(|cell| match goal.want[*cell] {
                None => Wanted::Anything,
                Some(colour) if blank_wanted(colour) => Wanted::Value(blank_colour),
                Some(colour) => Wanted::Value(number(colour)),
            })
            .collect();
        // how often each colour is left over for the cells where anything may lie
        let mut left = vec![0usize; blank_colour as usize + 1];
        start.iter().for_each(|colour| left[*colour as usize] += 1);
        for want in &wanted {
            if let Wanted::Value(colour) = want {
                left[*colour as usize] = left[*colour as usize].saturating_sub(1);
            }
        }
        let mut goals = Vec::new();
        let complete = fill(&wanted, &mut left, &mut Vec::new(), &mut goals);
        let bits = bits_for(blank_colour as usize + 1);
        let coding = Coding::new(Form::Colours(cells), bits, None, blank_colour, moves);
        Ok(Coded { coding, start, goals: complete.then_some(goals), wanted })
    }

    /// Is a state as the goal wants it?
    pub fn is_goal(&self, state: &[u32]) -> bool {
        let fits = |(item, want): (&u32, &Wanted)| *want == Wanted::Anything || *want == Wanted::Value(*item);
        state.iter().zip(&self.wanted).all(fits)
    }
}

/// All states with what is wanted and what is left over elsewhere; false if there are too many.
fn fill(wanted: &[Wanted], left: &mut [usize], state: &mut Vec<u32>, goals: &mut Vec<Vec<u32>>) -> bool {
    let Some(want) = wanted.get(state.len()) else {
        goals.push(state.clone());
        return goals.len() <= MOST_GOALS;
    };
    let colours = match want {
        Wanted::Value(colour) => *colour..*colour + 1,
        Wanted::Anything => 0..left.len() as u32,
    };
    for colour in colours {
        let open = *want == Wanted::Anything;
        if open && left[colour as usize] == 0 {
            continue;
        }
        left[colour as usize] -= usize::from(open);
        state.push(colour);
        let room = fill(wanted, left, state, goals);
        state.pop();
        left[colour as usize] += usize::from(open);
        if !room {
            return false;
        }
    }
    true
}

fn bits_for(values: usize) -> u32 {
    (usize::BITS - values.saturating_sub(1).leading_zeros()).max(1)
}

impl Coding {
    fn new(form: Form, bits: u32, blank_at: Option<usize>, blank_colour: u32, moves: &Moves) -> Coding {
        let places = if moves.blank.is_some() { moves.degree } else { 1 };
        let mut coding =
            Coding { form, bits, blank_at, blank_colour, forward: Vec::new(), backward: vec![Vec::new(); places] };
        for cell in 0..places {
            let turns = moves.at(cell).iter().map(|step| coding.turn(step, false)).collect();
            coding.forward.push(turns);
            for step in moves.at(cell) {
                let to = if moves.blank.is_some() { step.effect.image(cell as u32) as usize } else { 0 };
                let turn = coding.turn(step, true);
                coding.backward[to].push(turn);
            }
        }
        coding
    }

    /// For places, which cell becomes of each; for colours, to which item each goes.
    fn turn(&self, step: &Step, back: bool) -> Turn {
        let effect = if back { step.effect.inverse() } else { step.effect.clone() };
        let table = match &self.form {
            Form::Places(_) => effect.images().to_vec(),
            Form::Colours(cells) => {
                let to = |cell: &usize| cells.binary_search(&(effect.image(*cell as u32) as usize)).unwrap_or(0) as u32;
                cells.iter().map(to).collect()
            }
        };
        Turn { mover: step.mover as u32, table }
    }

    pub fn width(&self) -> Width {
        Width::of(self.items() * self.bits as usize)
    }

    /// How many bytes a key takes in memory.
    pub fn bytes(&self) -> u64 {
        match self.width() {
            Width::One => 8,
            Width::Two => 16,
            Width::Many => 32 + 2 * self.items() as u64,
        }
    }

    /// How many numbers a state has.
    pub fn items(&self) -> usize {
        match &self.form {
            Form::Places(tiles) => tiles.len(),
            Form::Colours(cells) => cells.len(),
        }
    }

    pub fn pack<K: Key>(&self, state: &[u32]) -> K {
        K::pack(state.iter().copied(), self.bits)
    }

    pub fn unpack<K: Key>(&self, key: &K, state: &mut [u32]) {
        key.unpack(self.bits, state);
    }

    /// The moves that are possible in a state, or those that may have led to it.
    pub fn turns(&self, state: &[u32], back: bool) -> &[Turn] {
        let turns = if back { &self.backward } else { &self.forward };
        let cell = match (&self.form, self.blank_at) {
            (Form::Places(_), Some(at)) => state[at] as usize,
            (Form::Colours(cells), _) if turns.len() > 1 => {
                state.iter().position(|colour| *colour == self.blank_colour).map_or(0, |at| cells[at])
            }
            _ => 0,
        };
        turns.get(cell).map_or(&[], Vec::as_slice)
    }

    /// What a turn makes of a state.
    #[inline]
    pub fn apply(&self, turn: &Turn, state: &[u32], moved: &mut [u32]) {
        match self.form {
            Form::Places(_) => {
                moved.iter_mut().zip(state).for_each(|(moved, cell)| *moved = turn.table[*cell as usize]);
            }
            Form::Colours(_) => {
                state.iter().zip(&turn.table).for_each(|(colour, to)| moved[*to as usize] = *colour);
            }
        }
    }
}
