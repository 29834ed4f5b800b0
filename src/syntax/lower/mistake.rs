//! What to say when pest does not understand a statement: find the innermost statement that is wrong, then the place.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::Lower;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::grammar::{Grammar, Rule, name_for_people};

/// One diagnostic for each innermost statement that does not parse.
pub fn explain(lower: &Lower<'_>) -> Vec<Diagnostic> {
    let text = &lower.piece.text;
    let mut found = Vec::new();
    explain_part(lower, Rule::whole_statement, 0, text.len(), &mut found);
    found
}

pub fn explain_expression(lower: &Lower<'_>) -> Diagnostic {
    let mut found = Vec::new();
    explain_part(lower, Rule::whole_expression, 0, lower.piece.text.len(), &mut found);
    found.pop().unwrap_or_else(|| Diagnostic::error(codes::UNEXPECTED, "this value could not be understood"))
}

fn explain_part(lower: &Lower<'_>, rule: Rule, start: usize, end: usize, found: &mut Vec<Diagnostic>) {
    let text = &lower.piece.text[start..end];
    let Err(error) = Grammar::parse(rule, text) else { return };
    let before = found.len();
    let inner = if text.starts_with("@puzzle") || text.starts_with("@extend") {
        Rule::whole_item
    } else {
        Rule::whole_statement
    };
    for (from, to) in inner_statements(text) {
        explain_part(lower, inner, start + from, start + to, found);
    }
    if found.len() > before {
        return;
    }
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let expected = match error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    found.push(at_place(lower, start, start + at, end, &expected));
}

/// The statements of the outermost blocks in `text`, as ranges.
fn inner_statements(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    let mut depth = 0usize;
    let mut from = 0;
    let mut push = |from: usize, to: usize| {
        let part = &text[from..to];
        let blank = part.len() - part.trim_start().len();
        if !part.trim().is_empty() {
            ranges.push((from + blank, from + part.trim_end().len()));
        }
    };
    for at in 0..bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'@', Some(b'{')) => {
                depth += 1;
                if depth == 1 {
                    from = at + 2;
                }
            }
            (b'@', Some(b'}')) => {
                if depth == 1 {
                    push(from, at);
                }
                depth = depth.saturating_sub(1);
            }
            (b'\n' | b';', _) if depth == 1 => {
                push(from, at);
                from = at + 1;
            }
            _ => {}
        }
    }
    ranges
}

fn at_place(lower: &Lower<'_>, start: usize, at: usize, end: usize, expected: &[Rule]) -> Diagnostic {
    let text = &lower.piece.text;
    let rest = text[at..end].trim_start();
    let at = end - rest.len();
    if rest.is_empty() {
        return too_short(lower, start, end, expected);
    }
    let span = lower.span_of(at, at + 1);
    let word = |text: &str| -> String {
        let name: String =
            text.strip_prefix('@').unwrap_or(text).chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        name
    };
    let here = word(rest);
    let first = word(&text[start..end]);
    for later in ["algorithm", "do", "run", "slide", "ensure", "decreases", "find"] {
        if rest.starts_with('@') && here == later || first == later {
            let span = if here == later { span } else { lower.span_of(start, start + 1) };
            return Diagnostic::at(
                codes::RESERVED,
                span,
                format!("`{later}` is reserved, but this version does not run it yet"),
                "used here",
            )
            .help("write the words themselves for now: a fixed word needs no procedure");
        }
    }
    let before = text[start..at].trim_end();
    if rest.starts_with('@')
        && crate::syntax::is_reserved(&here)
        && ["@let", "@var", "@fn", "@move", "@puzzle", "@for", "("].iter().any(|b| before.ends_with(b))
    {
        return Diagnostic::at(
            codes::RESERVED,
            span,
            format!("`{here}` is a reserved word and cannot be a name"),
            "used as a name",
        )
        .help("choose another name");
    }
    let shown = shown_token(lower, span);
    let mut message = Diagnostic::at(codes::UNEXPECTED, span, format!("{shown} does not fit here"), label(expected));
    if rest.starts_with('=') && !rest.starts_with("==") {
        message = message.help("compare with `==`; `=` only gives names: `let a = 1`");
    } else if rest.starts_with("@{") {
        message =
            message.help("a block stands after a complete value, on the same line; a set is never a second factor");
    } else if rest.starts_with("@else") {
        message = message.help("`else` follows the block of an `if`: `if c { … } else { … }`");
    } else if rest.starts_with(['^', '.']) {
        message = message.help("an exponent is a number, a name, `(…)` or `{…}`: `X^2`, `X^{k+1}`");
    } else if rest.starts_with(')') || rest.starts_with(']') {
        message = message.help("something is missing before it, or it is one too many");
    } else {
        message = message.help("see `perm explain E0101`, or split the line into smaller statements");
    }
    message
}

fn too_short(lower: &Lower<'_>, start: usize, end: usize, expected: &[Rule]) -> Diagnostic {
    let span = lower.span_of(end.saturating_sub(1).max(start), end);
    let text = lower.piece.text[start..end].trim_start();
    let help = if text.starts_with("@claim") || text.starts_with("@refute") {
        "a claim ends in a block: `claim \"…\" for n in 4..9 on NRP(n) { assert … }`"
    } else {
        "complete it, on this line or after an operator on the next"
    };
    Diagnostic::at(codes::TOO_SHORT, span.after(), "the statement stops too early", label(expected)).help(help)
}

fn shown_token(lower: &Lower<'_>, span: Span) -> String {
    let token = &lower.text[span.range()];
    let short: String = token.chars().take(20).collect();
    if short.len() < token.len() { format!("`{short}…`") } else { format!("`{short}`") }
}

fn label(expected: &[Rule]) -> String {
    let mut names: Vec<&str> = expected.iter().filter_map(|rule| name_for_people(*rule)).collect();
    names.sort_unstable();
    names.dedup();
    // an operator could stand behind every value: saying so helps only when nothing else is missing
    if names.len() > 1 {
        names.retain(|name| *name != "an operator");
    }
    match names.as_slice() {
        [] => "not expected".to_string(),
        [only] => format!("expected {only}"),
        [first @ .., last] if first.len() < 4 => format!("expected {} or {last}", first.join(", ")),
        _ => "not expected".to_string(),
    }
}
