//! Parts of procedures that need not be done twice.

use super::code::Program;
use super::execute::Registers;
use super::live::Live;

#[derive(Default)]
pub struct Parts {}

impl Parts {
    #[inline(always)]
    pub fn saw(&mut self, _cell: u32) {}

    pub fn recall(
        &mut self,
        _: u16,
        _: &Program,
        _: &mut Registers,
        _: &mut Live,
        _: u64,
        _: u64,
    ) -> Option<(u64, u64)> {
        None
    }

    pub fn remember(&mut self, _: u16, _: &Program, _: &mut Registers, _: &mut Live, _: u64, _: u64) {}

    pub fn ask(&mut self, _: u16, _: &Program, _: &mut Registers, _: &mut Live) -> bool {
        false
    }

    pub fn answer(&mut self, _: u16, _: &Program, _: &mut Registers, _: &mut Live) {}
}
