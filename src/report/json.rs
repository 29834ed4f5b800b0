//! Reports as JSON. The names of the fields are promises.

use serde_json::{Value, json};

use super::{CheckReport, ValueReport};
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// One error: code, title, place, and what to do.
pub fn error(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let place = diagnostic.span().map(|span| {
        let source = sources.get(span.file);
        let (line, column) = source.line_column(span.start);
        (source.name.clone(), line, column)
    });
    json!({
        "code": diagnostic.code.0,
        "message": diagnostic.title,
        "label": diagnostic.labels.first().map(|label| label.text.clone()),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
        "file": place.as_ref().map(|(file, ..)| file.clone()),
        "line": place.as_ref().map(|(_, line, _)| *line),
        "column": place.as_ref().map(|(.., column)| *column),
    })
}

/// `{"claims": […], "errors": […]}`
pub fn check(report: &CheckReport, sources: &SourceMap) -> Value {
    json!({
        "claims": report.claims,
        "errors": report.errors.iter().map(|diagnostic| error(diagnostic, sources)).collect::<Vec<_>>(),
    })
}

/// The report of one value.
pub fn value(report: &ValueReport) -> Value {
    match report {
        ValueReport::Word(word) => serde_json::to_value(word).unwrap_or_default(),
        ValueReport::Puzzle(puzzle) => serde_json::to_value(puzzle).unwrap_or_default(),
        ValueReport::Plain { kind, value, .. } => json!({ "kind": kind, "value": value }),
    }
}
