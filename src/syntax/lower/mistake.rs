//! What to say when pest does not understand a statement: find the innermost statement that is wrong, then the place.

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::Lower;
use crate::diagnostic::{Diagnostic, codes, foreign};
use crate::source::Span;
use crate::syntax::grammar::{Grammar, Rule, name_for_people};
use crate::syntax::split::MAX_ERRORS;

/// One diagnostic for each innermost statement that does not parse.
pub fn explain(lower: &Lower<'_>) -> Vec<Diagnostic> {
    let text = &lower.piece.text;
    let mut found = Vec::new();
    explain_part(lower, Rule::whole_statement, 0, text.len(), &mut found, &mut WORK.clone());
    found
}

pub fn explain_expression(lower: &Lower<'_>) -> Diagnostic {
    let mut found = Vec::new();
    explain_part(lower, Rule::whole_expression, 0, lower.piece.text.len(), &mut found, &mut WORK.clone());
    found.pop().unwrap_or_else(|| Diagnostic::error(codes::UNEXPECTED, "this value could not be understood"))
}

/// So many bytes are parsed again to find the innermost statements that are wrong.
const WORK: usize = 8 << 20;

fn explain_part(
    lower: &Lower<'_>,
    rule: Rule,
    start: usize,
    end: usize,
    found: &mut Vec<Diagnostic>,
    work: &mut usize,
) {
    let text = &lower.piece.text[start..end];
    let Err(error) = Grammar::parse(rule, text) else { return };
    if found.len() >= MAX_ERRORS {
        return;
    }
    let before = found.len();
    let inner = if text.starts_with("@puzzle") || text.starts_with("@extend") {
        Rule::whole_item
    } else {
        Rule::whole_statement
    };
    // each level is parsed again: deep blocks of megabytes are explained as a whole
    *work = work.saturating_sub(text.len());
    if *work > 0 {
        for (from, to) in inner_statements(text) {
            explain_part(lower, inner, start + from, start + to, found, work);
        }
    }
    if found.len() > before {
        return;
    }
    let mut at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let mut expected = match error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    // signs that the grammar spells out inside a rule are not in what the error says: `let a 3` fails behind the name
    if let Some(further) = missing_sign(text)
        && further > at
    {
        at = further;
        expected = vec![Rule::compat_equals];
    }
    found.push(at_place(lower, start, start + at, end, &expected));
}

/// Where the `=` of a `let` or `var` should stand: behind its pattern, if that is complete and something else follows.
fn missing_sign(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("@let ").or_else(|| text.strip_prefix("@var "))?;
    let from = text.len() - rest.len();
    let pattern = Grammar::parse(Rule::pattern, rest).ok()?.next()?;
    let end = pattern.as_span().end();
    (!rest[end..].trim_start().starts_with('=')).then_some(from + end)
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

/// Does the text end in this word?
fn item_word(before: &str, word: &str) -> bool {
    before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '@'))
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
    let named = STATEMENTS
        .iter()
        .chain(&["move", "slide", "puzzle"])
        .any(|b| text[start..at].trim_end().ends_with(&format!("@{b}")));
    let before = text[start..at].trim_end();
    if rest.starts_with("@N") && named {
        let shown = shown_token(lower, span);
        return Diagnostic::at(codes::UNEXPECTED, span, format!("{shown} cannot be a name"), "begins with a digit")
            .help("a name begins with a letter, digits may follow: `x2`");
    }
    if rest.starts_with('@')
        && !here.is_empty()
        && ["@let", "@var", "@fn", "@algorithm", "@slide", "@move", "@puzzle", "@for", "("]
            .iter()
            .any(|b| before.ends_with(b))
    {
        return Diagnostic::at(
            codes::RESERVED,
            span,
            format!("`{here}` is a reserved word and cannot be a name"),
            "used as a name",
        )
        .help("choose another name");
    }
    if rest.starts_with('@') && matches!(here.as_str(), "decreases" | "ensure") && !STATEMENTS.contains(&here.as_str())
    {
        let help = foreign::word(&here).unwrap_or("remove it");
        return Diagnostic::at(codes::UNEXPECTED, span, format!("`{here}` does not fit here"), label(expected))
            .help(help);
    }
    // a statement on the next line means that the one before was not complete
    let previous = lower.span_of(at.saturating_sub(2).max(start), at.saturating_sub(1).max(start + 1));
    let new_line =
        at > start && lower.text.get(previous.end as usize..span.start as usize).is_some_and(|b| b.contains('\n'));
    if new_line && rest.starts_with('@') && STATEMENTS.contains(&here.as_str()) {
        return too_short(lower, start, at, expected);
    }
    let wants_value = expected.iter().any(|rule| name_for_people(*rule) == Some("a value"));
    let only_value = wants_value && !expected.contains(&Rule::EOI) && !matches!(here.as_str(), "for" | "from" | "else");
    if rest.starts_with('@') && crate::syntax::is_reserved(&here) && only_value && !STATEMENTS.contains(&here.as_str())
    {
        return Diagnostic::at(
            codes::RESERVED,
            span,
            format!("`{here}` is a reserved word and has no value"),
            "a value is expected here",
        )
        .help("choose another name, or write the value that is missing before it");
    }
    let shown = shown_token(lower, span);
    let message = Diagnostic::at(codes::UNEXPECTED, span, format!("{shown} does not fit here"), label(expected));
    let header = &text[start..at];
    let sign = before.chars().next_back().unwrap_or(' ');
    let words: Vec<String> = header.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '@').map(word).collect();
    let help = if let Some(help) = words.iter().find_map(|word| foreign::word(word)).filter(|_| !header.contains('"')) {
        help.to_string()
    } else if item_word(before, "@algorithm") && rest.starts_with('(') {
        "write the name first: `algorithm turn(k) { do X^k }`".to_string()
    } else if before.contains("@algorithm ") && rest.starts_with('=') && expected.contains(&Rule::block) {
        "an algorithm has a block: `algorithm turn(k) { do X^k }`; what only has a value is a function, `fn f(k) = X^k`"
            .to_string()
    } else if rest.starts_with('=') && expected == [Rule::params] {
        "a function has its parameters in parentheses: `fn f(x) = x + 1`, `fn f() = 1`".to_string()
    } else if rest.starts_with('=') && !rest.starts_with("==") && matches!(sign, '+' | '-' | '*' | '/') {
        format!("a variable is changed with the whole sum: `k = k {sign} 1`")
    } else if rest.starts_with('=') && matches!(first.as_str(), "let" | "var") && before.ends_with(&first) {
        format!("write the name first: `{first} a = 1`")
    } else if rest.starts_with('=') && first == "slide" {
        "a slide says where the blank goes: `slide U: (i, j) -> (i - 1, j) where i > 1`".to_string()
    } else if rest.starts_with('=') && first == "for" {
        "a loop goes through a range: `for k in 1..3 { … }`".to_string()
    } else if rest.starts_with('>') && sign == '=' {
        "an arrow is written `->`; a function is `fn f(x) = x + 1`".to_string()
    } else if rest.starts_with('=') && !rest.starts_with("==") {
        "compare with `==`; `=` only gives names: `let a = 1`".to_string()
    } else if rest.starts_with('&') && sign == '&' {
        "for “and” between conditions write `and`".to_string()
    } else if rest.starts_with('|') && sign == '|' {
        "for “or” between conditions write `or`".to_string()
    } else if rest.starts_with('*') && sign == '*' {
        "a power is written `a^b`".to_string()
    } else if matches!(first.as_str(), "claim" | "refute")
        && (here == "thorough"
            || lower.text[span.range().start..].split('{').next().is_some_and(|line| line.contains(" thorough ")))
    {
        foreign::word("thorough").unwrap_or_default().to_string()
    } else if rest.starts_with("@for") && matches!(first.as_str(), "claim" | "refute") {
        "the parts of a claim come in this order: `claim \"…\" from \"…\" for … on … { … }`".to_string()
    } else if matches!(first.as_str(), "claim" | "refute") && expected == [Rule::text] {
        format!("say first what is claimed: `{first} \"…\"`")
    } else if first == "for" && header.trim_start_matches("@for").trim_start().starts_with('(') {
        "a loop needs no parentheses: `for k in 1..3 { … }`".to_string()
    } else if first == "for" && expected.iter().any(|rule| name_for_people(*rule) == Some("`for name in range`")) {
        "a loop goes through a range: `for k in 1..3 { … }`".to_string()
    } else if first == "fn" && expected == [Rule::params] {
        "a function has its parameters in parentheses: `fn f(x) = x + 1`, `fn f() = 1`".to_string()
    } else if expected == [Rule::move_rule] {
        "a rule says where the content of each cell goes: `move A: (i, j) -> (j, i)`".to_string()
    } else if expected == [Rule::compat_equals] {
        format!("write `=` between the name and its value: `{first} a = 1`")
    } else if rest.starts_with(',') {
        "values with commas between them stand in parentheses: `(1, 5)`".to_string()
    } else if rest.starts_with("@{") {
        "a block stands after a complete value, on the same line; a set is never a second factor".to_string()
    } else if rest.starts_with("@else") {
        "`else` follows the block of an `if`: `if c { … } else { … }`".to_string()
    } else if rest.starts_with(['^', '.']) {
        "an exponent is a number, a name, `(…)` or `{…}`: `X^2`, `X^{k+1}`".to_string()
    } else if rest.starts_with(']') && sign == '[' {
        return Diagnostic::at(codes::BRACKET_WITHOUT_SEPARATOR, span, "this bracket is empty", "closed here")
            .help("write the commutator `[A, B]` or the conjugate `[A: B]`; an index is a number, `R[2]`");
    } else if rest.starts_with(')') || rest.starts_with(']') {
        "something is missing before it, or it is one too many".to_string()
    } else if wants_value && matches!(sign, '+' | '-' | '*' | '/' | '<' | '>' | '=' | '|' | '&' | '^' | '.') {
        "two signs stand side by side: remove one, or write the value between them".to_string()
    } else if expected.contains(&Rule::puzzle_item) && foreign::word(&here).is_some() {
        foreign::word(&here).unwrap_or_default().to_string()
    } else if expected.contains(&Rule::puzzle_item) {
        "a puzzle holds `require`, `cells`, `move`, `slide`, `blank`, `let`, `fn` and `algorithm`; move the rest out of it".to_string()
    } else {
        format!("remove {shown}, or write what is expected before it")
    };
    message.help(help)
}

/// Words that begin a statement.
const STATEMENTS: &[&str] = &[
    "algorithm",
    "assert",
    "break",
    "claim",
    "continue",
    "do",
    "ensure",
    "extend",
    "fn",
    "let",
    "loop",
    "on",
    "print",
    "puzzle",
    "refute",
    "repeat",
    "require",
    "return",
    "show",
    "until",
    "use",
    "var",
    "while",
];

fn too_short(lower: &Lower<'_>, start: usize, end: usize, expected: &[Rule]) -> Diagnostic {
    let span = lower.span_of(end.saturating_sub(1).max(start), end);
    let text = lower.piece.text[start..end].trim();
    let help = if text.ends_with("++") {
        "`++` joins two sequences; a number is counted up by `k = k + 1`"
    } else if text.starts_with("@claim") || text.starts_with("@refute") {
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
    // a number and a string are values
    if names.contains(&"a value") {
        names.retain(|name| !matches!(*name, "a number" | "a string" | "a name"));
    }
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
