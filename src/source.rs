//! Texts and places in them. A [`Span`] says which bytes of which file; a [`SourceMap`] keeps the texts.

use std::sync::{Arc, RwLock};

/// Names one text of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u32);

/// A half-open range of bytes of one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both; the file is this one's.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes as a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The empty span just behind this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// One text with its name as people know it.
#[derive(Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
}

/// Longest text that can be read: places are 32-bit numbers of bytes.
pub const MAX_TEXT: usize = 1 << 30;

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Source { name: name.into(), text, line_starts }
    }

    /// Line and column, both from 1, columns counted in characters. Positions past the end count as the end.
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= byte) - 1;
        let start = self.line_starts[line] as usize;
        let end = (byte as usize).min(self.text.len());
        // characters are counted by their first bytes: a line may have millions of them
        let before = self.text.as_bytes().get(start..end).unwrap_or_default();
        let column = before.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        (line + 1, column + 1)
    }

    /// The text of a span, empty where the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

/// All texts of a session; only ever grows, so a [`FileId`] stays good.
#[derive(Default, Debug)]
pub struct SourceMap {
    sources: RwLock<Vec<Arc<Source>>>,
}

impl SourceMap {
    pub fn add(&self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let mut sources = self.sources.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        sources.push(Arc::new(Source::new(name, text)));
        FileId(sources.len() as u32 - 1)
    }

    /// The source of a file; an empty one for an unknown file.
    pub fn get(&self, file: FileId) -> Arc<Source> {
        let sources = self.sources.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        sources.get(file.0 as usize).cloned().unwrap_or_else(|| Arc::new(Source::new("?", "")))
    }

    /// `file:line` of the beginning of a span.
    pub fn place(&self, span: Span) -> (String, usize) {
        let source = self.get(span.file);
        (source.name.clone(), source.line_column(span.start).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_by_characters() {
        let source = Source::new("a", "φ x\nyz");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(3), (1, 3));
        assert_eq!(source.line_column(5), (2, 1));
        assert_eq!(source.line_column(99), (2, 3));
    }
}
