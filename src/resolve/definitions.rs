//! The graph of definitions: which `let` of a puzzle needs which other. A circle is an error, shown with its path.

use super::program::MemberId;
use crate::module::ImportGraph;

/// Edges lead from a member to the members its right side names.
#[derive(Default)]
pub struct Graph {
    needs: ImportGraph<MemberId>,
    reported: Vec<MemberId>,
}

impl Graph {
    pub fn add(&mut self, member: MemberId, needed: MemberId) {
        self.needs.add(member, needed);
    }

    /// Circles that have not been given before.
    pub fn new_circles(&mut self) -> Vec<Vec<MemberId>> {
        let mut circles = self.needs.circles();
        circles.retain(|circle| !self.reported.contains(&circle[0]));
        self.reported.extend(circles.iter().map(|circle| circle[0]));
        circles
    }
}
