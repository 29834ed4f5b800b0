//! Messages as plain lines, for programs that draw for themselves.

use std::fmt::Write;

use super::Style;
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// Title, places, notes and help, one a line.
pub(super) fn render(diagnostic: &Diagnostic, sources: &SourceMap, _: Style) -> String {
    let mut out = format!("{}: {}\n", diagnostic.code, diagnostic.title);
    for label in &diagnostic.labels {
        let source = sources.get(label.span.file);
        let (line, column) = source.line_column(label.span.start);
        let _ = writeln!(out, "  {}:{line}:{column}: {}", source.name, label.text);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "  help: {help}");
    }
    out
}
