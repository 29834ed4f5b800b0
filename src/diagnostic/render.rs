//! A [`Diagnostic`] as text: drawn under its source lines where the program for the terminal is built, else in plain
//! lines.

#[cfg(feature = "cli")]
mod drawn;
#[cfg(not(feature = "cli"))]
mod plain;

use super::Diagnostic;
use crate::source::SourceMap;

/// How to draw: colours or none, and the width of the paper in characters.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub colour: bool,
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style { colour: false, width: 100 }
    }
}

/// The message as text, ending in a line end. Labels in other files than the first one become notes with their place.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    #[cfg(feature = "cli")]
    return drawn::render(diagnostic, sources, style);
    #[cfg(not(feature = "cli"))]
    return plain::render(diagnostic, sources, style);
}
