//! The report of a check as Markdown: tables of claims, the messages of those that do not hold, and proofs.
//!
//! Sentences are escaped, so that they look as they were written; formulas, words and messages stand in code.

use std::fmt::Write;

use super::proof::{Line, Piece, ProofReport, lines};
use super::text::{extent, summary, verdict};
use super::{CheckReport, ClaimKind, ClaimReport};
use crate::diagnostic::render::{Style, render};
use crate::source::SourceMap;

/// Tables, messages, and where they are wanted proofs.
pub fn check(report: &CheckReport, sources: &SourceMap, quiet: bool, explain: bool) -> String {
    let mut out = String::from("# Claims\n");
    let mut file = "";
    for claim in report.claims.iter().filter(|claim| !quiet || !claim.holds) {
        if claim.file != file {
            file = &claim.file;
            let _ = write!(out, "\n## {}\n\n| claim | verdict | |\n|---|---|---|\n", escaped(file));
        }
        out.push_str(&row(claim));
    }
    let _ = write!(out, "\n{}", paragraphs(&summary(report, Style::default())));
    if !report.errors.is_empty() {
        out.push_str("\n## Errors\n");
        for error in &report.errors {
            let _ = write!(out, "\n{}", fenced(&render(error, sources, Style::default())));
        }
    }
    let mut failing = report.claims.iter().filter(|claim| !claim.holds).peekable();
    if failing.peek().is_some() {
        out.push_str("\n## What does not hold\n");
    }
    for claim in failing {
        let _ = write!(out, "\n### {}\n", escaped(&claim.title));
        if let Some(diagnostic) = &claim.diagnostic {
            let _ = write!(out, "\n{}", fenced(&render(diagnostic, sources, Style::default())));
        }
    }
    let shown = report.claims.iter().filter(|claim| explain && (!quiet || !claim.holds));
    let mut proofs = shown.filter_map(|claim| Some((claim, claim.proof.as_deref()?))).peekable();
    if proofs.peek().is_some() {
        out.push_str("\n## Proofs\n");
    }
    for (claim, proof) in proofs {
        out.push_str(&explained(claim, proof));
    }
    out
}

/// `| squares are not negative (*any book*) | ✓ proved | proved for all n ≥ 0 |`
fn row(claim: &ClaimReport) -> String {
    let (mark, verdict) = verdict(claim);
    let refute = if claim.kind == ClaimKind::Refute { "refute: " } else { "" };
    let from = claim.from.as_ref().map_or(String::new(), |from| format!(" (*{}*)", escaped(from)));
    let extent = escaped(&extent(claim));
    format!("| {refute}{}{from} | {mark} {verdict} | {extent} |\n", escaped(&claim.title))
}

fn explained(claim: &ClaimReport, proof: &ProofReport) -> String {
    let mut out = format!("\n### {}\n\n", escaped(&claim.title));
    if let Some(from) = &claim.from {
        let _ = write!(out, "*{}*\n\n", escaped(from));
    }
    let _ = write!(out, "{}.\n\n", escaped(&capitalised(&proof.statement)));
    for Line { depth, pieces } in lines(proof) {
        let text: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Words(words) => escaped(words),
                Piece::Formula(formula) => code(formula),
            })
            .collect();
        let _ = writeln!(out, "{}- {}", "  ".repeat(depth), text.trim_end());
    }
    out
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Each line as a paragraph of its own.
fn paragraphs(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", escaped(line))).collect::<Vec<_>>().join("\n")
}

/// A text with a backslash before each character that Markdown would take for a sign of its own, on one line.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '&' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A formula in code, between more backticks than it has in a row.
pub fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text, '`') + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A block of text as it is.
pub fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut here) = (0, 0);
    for c in text.chars() {
        here = if c == wanted { here + 1 } else { 0 };
        longest = longest.max(here);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_look_as_they_were_written() {
        assert_eq!(escaped("a_b | c* <d> [e] # `f`"), "a\\_b \\| c\\* \\<d\\> \\[e\\] \\# \\`f\\`");
        assert_eq!(escaped("two\nlines"), "two lines");
    }

    #[test]
    fn code_has_enough_backticks() {
        assert_eq!(code("(1..n, 1) | {(n, n)}"), "`(1..n, 1) | {(n, n)}`");
        assert_eq!(code("a `` b"), "```a `` b```");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(fenced("x\n```\ny\n"), "````text\nx\n```\ny\n````\n");
    }
}
