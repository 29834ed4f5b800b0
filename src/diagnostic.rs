//! Messages about a script: what is wrong, where, and what to do. Plain data; [`render`] draws them.

pub mod codes;
pub mod foreign;
pub mod render;
pub mod suggest;

pub use codes::Code;

use crate::source::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// The program itself is wrong: two of its own ways to an answer disagree.
    Internal,
}

/// A place and what to say about it, written so that it reads as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One message. `title` says what is wrong in the reader's words, `labels` show where (the first is the main one),
/// `notes` explain, `help` is one thing to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub title: String,
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(code: Code, title: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            title: title.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error with its main place.
    pub fn at(code: Code, span: Span, title: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, title).label(span, label)
    }

    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Where it is, if it is anywhere.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}
