//! Draws a [`Diagnostic`] under its source lines. The only file that knows miette.

use std::sync::Arc;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode, ThemeCharacters, ThemeStyles,
};

use super::Style;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Source, SourceMap};

/// The message as text, ending in a line end. Labels in other files than the first one become notes with their place.
pub(super) fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let theme = GraphicalTheme {
        characters: ThemeCharacters::unicode(),
        styles: if style.colour { ThemeStyles::ansi() } else { ThemeStyles::none() },
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width.max(40))
        .with_links(false)
        .with_context_lines(1)
        .tab_width(4);
    let mut out = String::new();
    let drawn = Drawn::new(diagnostic, sources);
    if handler.render_report(&mut out, &drawn).is_err() {
        out = format!("{}: {}\n", diagnostic.code, diagnostic.title);
    }
    // miette pads empty margins with blanks: nobody wants them in a recorded file
    let mut text: String = out.lines().map(|line| line.trim_end().to_string() + "\n").collect();
    while text.ends_with("\n\n") {
        text.pop();
    }
    for note in &drawn.notes {
        footer(&mut text, "note", note, style);
    }
    if let Some(help) = &diagnostic.help {
        footer(&mut text, "help", help, style);
    }
    text
}

/// `  note: …` under the drawing, wrapped between words; miette has one kind of footer only.
fn footer(out: &mut String, name: &str, text: &str, style: Style) {
    const INDENT: &str = "        ";
    let name = if style.colour { format!("\x1b[36m{name}:\x1b[0m") } else { format!("{name}:") };
    let room = style.width.max(40) - INDENT.len();
    let mut before = format!("  {name} ");
    for line in text.lines() {
        let mut written = 0;
        out.push_str(&before);
        // blanks inside a line are kept: sides of a comparison stand under each other
        for word in line.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if written > 0 && written + length > room {
                out.truncate(out.trim_end().len());
                out.push('\n');
                out.push_str(INDENT);
                written = 0;
            }
            out.push_str(word);
            written += word.chars().count();
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        before = INDENT.to_string();
    }
}

#[derive(Debug)]
struct Drawn {
    code: String,
    title: String,
    notes: Vec<String>,
    severity: miette::Severity,
    source: Option<NamedSource<SharedText>>,
    labels: Vec<LabeledSpan>,
}

impl Drawn {
    fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Drawn {
        let file = diagnostic.span().map(|span| span.file);
        let source = file.map(|file| sources.get(file));
        let mut notes = diagnostic.notes.clone();
        let mut labels = Vec::new();
        for (index, label) in diagnostic.labels.iter().enumerate() {
            if Some(label.span.file) != file {
                let (name, line) = sources.place(label.span);
                notes.push(format!("{name}:{line}: {}", label.text));
                continue;
            }
            let Some(source) = &source else { continue };
            let range = visible(source, label.span.range());
            let text = (!label.text.is_empty()).then(|| label.text.clone());
            labels.push(if index == 0 {
                LabeledSpan::new_primary_with_span(text, range)
            } else {
                LabeledSpan::new_with_span(text, range)
            });
        }
        Drawn {
            code: diagnostic.code.to_string(),
            title: diagnostic.title.clone(),
            notes,
            severity: match diagnostic.severity {
                Severity::Warning => miette::Severity::Warning,
                Severity::Error | Severity::Internal => miette::Severity::Error,
            },
            source: source.map(|source| NamedSource::new(source.name.clone(), SharedText(source))),
            labels,
        }
    }
}

/// A span that miette shows: not empty, inside the text, on character boundaries.
fn visible(source: &Source, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let text = &source.text;
    let boundary = |mut at: usize, up: bool| {
        while !text.is_char_boundary(at) {
            at = if up { at + 1 } else { at - 1 };
        }
        at
    };
    let mut start = boundary(range.start.min(text.len()), false);
    let mut end = boundary(range.end.clamp(start, text.len()), true);
    if start == end {
        // an empty place: show the character there, or the one before it at an end of line or of the text
        match text[start..].chars().next() {
            Some(c) if c != '\n' => end = start + c.len_utf8(),
            _ => start -= text[..start].chars().next_back().map_or(0, |c| if c == '\n' { 0 } else { c.len_utf8() }),
        }
    }
    start..end
}

#[derive(Debug, Clone)]
struct SharedText(Arc<Source>);

/// Longest part of a line that is shown around a place, in bytes.
const WINDOW: usize = 160;

impl SourceCode for SharedText {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let text = &self.0.text;
        let start = span.offset().min(text.len());
        let end = (start + span.len()).min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        // without context it is asked for the place alone
        if before + after == 0 {
            let (line, column) = self.0.line_column(start as u32);
            return Ok(Box::new(miette::MietteSpanContents::new(
                &text.as_bytes()[start..end],
                (start, end - start).into(),
                line - 1,
                column - 1,
                1,
            )));
        }
        // a line of megabytes would be printed whole: cut it around the place
        let (mut from, mut to) = (line_start, line_end);
        if to - from > 4 * WINDOW {
            from = start.saturating_sub(WINDOW).max(line_start);
            to = (end.min(start + 2 * WINDOW) + WINDOW).min(line_end);
            while !text.is_char_boundary(from) {
                from -= 1;
            }
            while !text.is_char_boundary(to) {
                to += 1;
            }
        }
        let (line, column) = self.0.line_column(from as u32);
        let lines = text[from..to].lines().count();
        Ok(Box::new(miette::MietteSpanContents::new(
            &text.as_bytes()[from..to],
            (from, to - from).into(),
            line - 1,
            column - 1,
            lines,
        )))
    }
}

impl std::fmt::Display for Drawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.title)
    }
}

impl std::error::Error for Drawn {}

impl miette::Diagnostic for Drawn {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(&self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}
