//! Runs compiled procedures.

use std::sync::atomic::{AtomicU8, Ordering};

use super::code::{Code, Program, REGISTERS, Reg};
use super::live::Live;
use super::parts::Parts;

/// The registers: one for each number that [`Reg`] can have.
pub type Registers = [i64; REGISTERS];

/// Why a run stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// something is wrong: the generic machine finds out what
    Bail,
    /// the budget may be used up, or somebody wants a stop; the place of the instruction
    Look(usize),
}

/// What a run may use.
pub struct Fuel<'a> {
    pub steps: u64,
    pub stop: &'a AtomicU8,
    /// the log may have so many entries
    pub entries: usize,
}

/// What a run has used.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spent {
    /// rounds of loops
    pub rounds: u64,
    pub assertions: u64,
}

/// Loops look at the budget once in so many rounds.
const LOOK: u64 = 1 << 10;

/// Runs a program whose arguments are in the first registers.
pub fn execute(
    program: &Program,
    r: &mut Registers,
    live: &mut Live,
    parts: &mut Parts,
    fuel: &Fuel<'_>,
    spent: &mut Spent,
) -> Result<(), Stop> {
    let code = program.code.as_slice();
    let sliding = live.instance.sliding().is_some();
    let cells = live.instance.cells.len() as i64;
    let mut at = 0;
    let (mut rounds, mut assertions) = (0u64, 0u64);
    let mut next_look = LOOK;
    macro_rules! get {
        ($reg:expr) => {
            r[$reg as usize]
        };
    }
    macro_rules! sure {
        ($value:expr) => {
            match $value {
                Some(value) => value,
                None => break Err(Stop::Bail),
            }
        };
    }
    macro_rules! jump_when {
        ($condition:expr, $target:expr) => {
            if $condition {
                at = $target as usize;
            }
        };
    }
    let result = loop {
        let Some(&instruction) = code.get(at) else { break Ok(()) };
        at += 1;
        match instruction {
            Code::Move(to, from) => get!(to) = get!(from),
            Code::Copy(to, from, length) => {
                let from = from as usize;
                r.copy_within(from..from + length as usize, to as usize);
            }
            Code::Load(to, table) => {
                for (k, value) in program.tables[table as usize].values.iter().enumerate() {
                    get!(to as usize + k) = i64::from(*value);
                }
            }
            Code::Add(to, a, b) => get!(to) = sure!(get!(a).checked_add(get!(b))),
            Code::Subtract(to, a, b) => get!(to) = sure!(get!(a).checked_sub(get!(b))),
            Code::Times(to, a, b) => get!(to) = sure!(get!(a).checked_mul(get!(b))),
            Code::Div(to, a, b) => {
                let (a, b) = (get!(a), get!(b));
                if b <= 0 {
                    break Err(Stop::Bail);
                }
                get!(to) = if ((a | b) as u64) >> 32 == 0 { i64::from(a as u32 / b as u32) } else { a.div_euclid(b) };
            }
            Code::Mod(to, a, b) => {
                let (a, b) = (get!(a), get!(b));
                if b <= 0 {
                    break Err(Stop::Bail);
                }
                get!(to) = if ((a | b) as u64) >> 32 == 0 { i64::from(a as u32 % b as u32) } else { a.rem_euclid(b) };
            }
            Code::Power(to, a, b) => {
                let exponent = sure!(u32::try_from(get!(b)).ok());
                get!(to) = sure!(get!(a).checked_pow(exponent));
            }
            Code::Least(to, a, b) => get!(to) = get!(a).min(get!(b)),
            Code::Greatest(to, a, b) => get!(to) = get!(a).max(get!(b)),
            Code::Abs(to, a) => get!(to) = sure!(get!(a).checked_abs()),
            Code::Look(to, a, table) => get!(to) = sure!(program.tables[table as usize].get(get!(a))),
            Code::Fetch(to, row, length, number) => {
                let place = get!(number).wrapping_sub(1) as u64;
                if place >= u64::from(length) {
                    break Err(Stop::Bail);
                }
                get!(to) = get!(row.wrapping_add(place as Reg));
            }
            Code::Store(row, length, number, from) => {
                let place = get!(number).wrapping_sub(1) as u64;
                if place >= u64::from(length) {
                    break Err(Stop::Bail);
                }
                get!(row.wrapping_add(place as Reg)) = get!(from);
            }
            Code::Find(to, row, length, what) => {
                let what = get!(what);
                let place = r[row as usize..row as usize + length as usize].iter().position(|value| *value == what);
                get!(to) = place.map_or(0, |place| place as i64 + 1);
            }
            Code::Square(to, row, column) => {
                get!(to) = i64::from(sure!(program.grid.number(get!(row), get!(column))));
            }
            Code::Cell(to, first, width) => {
                let first = first as usize;
                get!(to) = i64::from(sure!(live.instance.cells.number(&r[first..first + width as usize])));
            }
            Code::Numbered(to, number) => {
                let number = get!(number);
                if !(1..=cells).contains(&number) {
                    break Err(Stop::Bail);
                }
                get!(to) = number - 1;
            }
            Code::At(to, tile) => {
                let place = sure!(live.at(get!(tile) as usize));
                parts.saw(place);
                get!(to) = i64::from(place);
            }
            Code::Tile(to, cell) => {
                let cell = get!(cell);
                parts.saw(cell as u32);
                get!(to) = i64::from(sure!(live.tile(cell as usize)));
            }
            Code::TileAt(to, row, column) => {
                let cell = sure!(program.grid.number(get!(row), get!(column)));
                parts.saw(cell);
                get!(to) = i64::from(sure!(live.tile(cell as usize)));
            }
            Code::Blank(to) => get!(to) = i64::from(live.blank),
            Code::Do(word) => match sliding {
                false => live.turn(word),
                true => sure!(live.slide(word)),
            },
            Code::DoChosen(word) => match sliding {
                false => live.turn(get!(word) as u32),
                true => sure!(live.slide(get!(word) as u32)),
            },
            Code::BoardIs(to, board) => get!(to) = i64::from(live.is(&program.boards[board as usize])),
            Code::BoardSign(to) => get!(to) = if live.is_even() { 1 } else { -1 },
            Code::Jump(target) => at = target as usize,
            Code::JumpIf(a, target) => jump_when!(get!(a) != 0, target),
            Code::JumpUnless(a, target) => jump_when!(get!(a) == 0, target),
            Code::JumpLess(a, b, target) => jump_when!(get!(a) < get!(b), target),
            Code::JumpAtMost(a, b, target) => jump_when!(get!(a) <= get!(b), target),
            Code::JumpEqual(a, b, target) => jump_when!(get!(a) == get!(b), target),
            Code::JumpDiffer(a, b, target) => jump_when!(get!(a) != get!(b), target),
            Code::JumpIn(a, table, target) => jump_when!(program.tables[table as usize].says(get!(a)), target),
            Code::JumpNotIn(a, table, target) => jump_when!(!program.tables[table as usize].says(get!(a)), target),
            Code::Next(counter, last, target) => {
                rounds += 1;
                if rounds >= next_look {
                    next_look = rounds + LOOK;
                    if is_over(rounds, live, fuel) {
                        break Err(Stop::Look(at - 1));
                    }
                }
                if get!(counter) < get!(last) {
                    get!(counter) += 1;
                    at = target as usize;
                }
            }
            Code::Back(target) => {
                rounds += 1;
                if rounds >= next_look {
                    next_look = rounds + LOOK;
                    if is_over(rounds, live, fuel) {
                        break Err(Stop::Look(at - 1));
                    }
                }
                at = target as usize;
            }
            Code::Asserted => assertions += 1,
            Code::Recall(part, target) => {
                if let Some((more_rounds, more_assertions)) = parts.recall(part, program, r, live, (rounds, assertions))
                {
                    rounds += more_rounds;
                    assertions += more_assertions;
                    at = target as usize;
                }
            }
            Code::Remember(part) => parts.remember(part, program, r, live, (rounds, assertions)),
            Code::Ask(part, target) => {
                rounds += 1;
                if parts.ask(part, program, r, live) {
                    at = target as usize;
                }
            }
            Code::Answer(part) => parts.answer(part, program, r, live),
            Code::Bail => break Err(Stop::Bail),
            Code::End => break Ok(()),
        }
    };
    *spent = Spent { rounds, assertions };
    result
}

/// Is the budget used up, or is a stop wanted?
#[cold]
fn is_over(rounds: u64, live: &mut Live, fuel: &Fuel<'_>) -> bool {
    rounds.saturating_add(live.moves()) > fuel.steps
        || live.log.len() > fuel.entries
        || fuel.stop.load(Ordering::Relaxed) != 0
}
