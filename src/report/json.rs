//! Reports as JSON. The names of the fields are promises; they come in the order of the structures.

use serde::Serialize;

use super::{CheckReport, TraceReport, ValueReport};
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// One error: code, title, place, and what to do.
#[derive(Debug, Serialize)]
struct Error<'a> {
    code: &'static str,
    message: &'a str,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    label: Option<&'a str>,
    notes: &'a [String],
    help: Option<&'a str>,
}

impl<'a> Error<'a> {
    fn new(diagnostic: &'a Diagnostic, sources: &SourceMap) -> Error<'a> {
        let place = diagnostic.span().map(|span| {
            let source = sources.get(span.file);
            (source.name.clone(), source.line_column(span.start))
        });
        Error {
            code: diagnostic.code.0,
            message: &diagnostic.title,
            line: place.as_ref().map(|(_, (line, _))| *line),
            column: place.as_ref().map(|(_, (_, column))| *column),
            file: place.map(|(file, _)| file),
            label: diagnostic.labels.first().map(|label| label.text.as_str()),
            notes: &diagnostic.notes,
            help: diagnostic.help.as_deref(),
        }
    }
}

/// A value as JSON on one line. What the reports are made of always has one.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_string())
}

/// `[…]`, one item on a line.
fn list(items: Vec<String>) -> String {
    match items.as_slice() {
        [] => "[]".to_string(),
        items => format!("[\n{}\n]", items.join(",\n")),
    }
}

/// `{"claims": […], "errors": […]}`, one claim or error on a line.
pub fn check(report: &CheckReport, sources: &SourceMap) -> String {
    let claims = list(report.claims.iter().map(line).collect());
    // a mistake that stopped a claim is an error of the script as well
    let of_claims = report.mistakes().filter(|mistake| !report.errors.contains(mistake));
    let errors = report.errors.iter().chain(of_claims);
    let errors = list(errors.map(|error| line(&Error::new(error, sources))).collect());
    format!("{{\"claims\": {claims},\n\"errors\": {errors}}}\n")
}

/// `{"traces": […], "errors": […]}`, one trace or error on a line.
pub fn traces(traces: &[TraceReport], report: &CheckReport, sources: &SourceMap) -> String {
    let errors = report.errors.iter().map(|error| line(&Error::new(error, sources))).collect();
    format!("{{\"traces\": {},\n\"errors\": {}}}\n", list(traces.iter().map(line).collect()), list(errors))
}

/// What a search was asked and what it found, on one line.
pub fn search(question: &str, found: &ValueReport, proofs: &[String]) -> String {
    let proofs: Vec<&str> = proofs.iter().map(|proof| proof.trim().trim_start_matches("search").trim()).collect();
    let value = value(found);
    format!("{{\"question\":{},\"found\":{},\"search\":{}}}\n", line(&question), value.trim_end(), line(&proofs))
}

/// The report of one value, on one line.
pub fn value(report: &ValueReport) -> String {
    #[derive(Serialize)]
    struct Plain<'a> {
        kind: &'a str,
        value: &'a str,
    }
    let text = match report {
        ValueReport::Word(word) => line(word),
        ValueReport::Puzzle(puzzle) => line(puzzle),
        ValueReport::Group(group) => line(group),
        ValueReport::Board(board) => line(board),
        ValueReport::Plain { kind, value, .. } => {
            // `kind` reads as part of a sentence: an integer, a set
            let kind = kind.split_once(' ').map_or(*kind, |(_, noun)| noun);
            line(&Plain { kind, value })
        }
    };
    text + "\n"
}
