//! What a procedure is compiled to: instructions over a file of integer registers, with tables and words beside them.

use std::sync::Arc;

use super::effect::Effect;
use super::low::Kind;
use crate::run::board::BoardValue;
use crate::source::Span;

/// A register. There are as many as its type can name, so no access needs a check.
pub type Reg = u16;

/// How many registers there are.
pub const REGISTERS: usize = 1 << 16;

/// Marks the places of a table that have no value.
pub const NO_VALUE: i32 = i32::MIN;

/// An instruction. Truth values are 0 and 1, cells and tiles their numbers from 0, words their numbers among the effects.
/// Whatever goes wrong (an overflow, an index out of range, an impossible move) stops the run.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    Move(Reg, Reg),
    /// as many registers as the last number says, to where from where
    Copy(Reg, Reg, u16),
    /// the entries of a table into a row of registers
    Load(Reg, u32),
    Add(Reg, Reg, Reg),
    Subtract(Reg, Reg, Reg),
    Times(Reg, Reg, Reg),
    Div(Reg, Reg, Reg),
    Mod(Reg, Reg, Reg),
    Power(Reg, Reg, Reg),
    Least(Reg, Reg, Reg),
    Greatest(Reg, Reg, Reg),
    Abs(Reg, Reg),
    /// the entry of a table
    Look(Reg, Reg, u32),
    /// an element of a row of registers, its number counted from 1: to, row, length, number
    Fetch(Reg, Reg, u16, Reg),
    /// the same the other way: row, length, number, from
    Store(Reg, u16, Reg, Reg),
    /// the number of an element of a row, counted from 1; 0 if it is not there: to, row, length, element
    Find(Reg, Reg, u16, Reg),
    /// the cell with two coordinates
    Square(Reg, Reg, Reg),
    /// the cell with so many coordinates in a row
    Cell(Reg, Reg, u16),
    /// the number from 0 of a cell or tile with a number from 1
    Numbered(Reg, Reg),
    /// the cell of a tile
    At(Reg, Reg),
    /// the tile in a cell
    Tile(Reg, Reg),
    /// the tile in the cell with two coordinates
    TileAt(Reg, Reg, Reg),
    Blank(Reg),
    /// performs a word
    Do(u32),
    /// performs the word whose number a register has
    DoChosen(Reg),
    /// is the board a certain one?
    BoardIs(Reg, u32),
    /// the sign of the permutation that leads to the board
    BoardSign(Reg),
    Jump(u32),
    JumpIf(Reg, u32),
    JumpUnless(Reg, u32),
    JumpLess(Reg, Reg, u32),
    JumpAtMost(Reg, Reg, u32),
    JumpEqual(Reg, Reg, u32),
    JumpDiffer(Reg, Reg, u32),
    /// jumps if a table says yes
    JumpIn(Reg, u16, u32),
    JumpNotIn(Reg, u16, u32),
    /// goes on with the next number up to a last one: the end of a loop
    Next(Reg, Reg, u32),
    /// jumps back: the end of a loop without a counter
    Back(u32),
    /// counts an assertion that holds
    Asserted,
    /// the start of a part that does the same whenever it meets the same values and the same place of the blank: jumps
    /// over it if it is remembered
    Recall(u16, u32),
    /// its end
    Remember(u16),
    /// the start of a question about the board: jumps over it if the answer is known and still true
    Ask(u16, u32),
    /// its end
    Answer(u16),
    /// stops: the generic machine has to say what is wrong
    Bail,
    End,
}

/// A part that is remembered: what it depends on, and what it gives.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// the registers that decide what it does
    pub given: Box<[Reg]>,
    /// the registers of its value
    pub value: Box<[Reg]>,
}

/// A list of small integers, the first of them for a certain number.
#[derive(Clone, Debug)]
pub struct Table {
    pub first: i64,
    pub values: Box<[i32]>,
}

impl Table {
    /// The value for a number, if there is one.
    #[inline(always)]
    pub fn get(&self, at: i64) -> Option<i64> {
        let value = *self.values.get(at.wrapping_sub(self.first) as usize)?;
        (value != NO_VALUE).then_some(i64::from(value))
    }

    /// Does the table say yes?
    #[inline(always)]
    pub fn says(&self, at: i64) -> bool {
        self.values.get(at.wrapping_sub(self.first) as usize).is_some_and(|value| *value == 1)
    }
}

/// Cells with two coordinates: their numbers, row by row.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pub top: i64,
    pub left: i64,
    pub rows: u64,
    pub columns: u64,
    /// the number of each place; empty if it is the place itself, `u32::MAX` where there is no cell
    pub numbers: Box<[u32]>,
}

impl Grid {
    /// The number of the cell with two coordinates.
    #[inline(always)]
    pub fn number(&self, row: i64, column: i64) -> Option<u32> {
        let (row, column) = (row.wrapping_sub(self.top) as u64, column.wrapping_sub(self.left) as u64);
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let place = (row * self.columns + column) as u32;
        match self.numbers.is_empty() {
            true => Some(place),
            false => Some(*self.numbers.get(place as usize)?).filter(|number| *number != u32::MAX),
        }
    }
}

/// A compiled procedure. It knows its instance by what it has copied from it.
#[derive(Debug)]
pub struct Program {
    pub code: Vec<Code>,
    /// where the loops stand in the script, by the place of their last instruction
    pub spans: Vec<(u32, Span)>,
    /// registers with constants
    pub constants: Vec<(Reg, i64)>,
    pub tables: Vec<Table>,
    pub grid: Grid,
    pub effects: Vec<Arc<Effect>>,
    pub boards: Vec<Arc<BoardValue>>,
    /// what a part does that is skipped when it is remembered
    pub parts: Vec<Part>,
    /// the kinds of the arguments: they fill the first registers
    pub params: Vec<Option<Kind>>,
    /// how deep calls are nested at most
    pub depth: u32,
}

impl Program {
    /// Where the loop stands that ends with an instruction.
    pub fn span(&self, at: usize) -> Option<Span> {
        let after = self.spans.partition_point(|(place, _)| (*place as usize) < at);
        self.spans.get(after).map(|(_, span)| *span)
    }
}
