//! Mistakes in words that show before anything runs: brackets without comma or colon, slashes, stray numbers.

use super::Resolver;
use super::program::{Ex, ExKind, Fx};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};

impl Resolver<'_> {
    fn text(&self, span: Span) -> String {
        let source = self.tools.sources.get(span.file);
        let text = source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > 40 { text.chars().take(39).chain(['…']).collect() } else { text }
    }

    /// A word as a part of a bracket or a power: in parentheses if it has more than one factor.
    fn as_atom(&self, expr: &ast::Expr) -> String {
        let text = self.text(expr.span);
        if text.contains(' ') { format!("({text})") } else { text }
    }

    /// Is what stands before a bracket a word for certain, so that the bracket cannot be an index?
    pub(super) fn surely_word(&self, factor: &Fx) -> bool {
        match &factor.atom.kind {
            ExKind::Move(id) => {
                let head = self.puzzle.as_ref().map(|puzzle| self.library.head(puzzle.id));
                !factor.postfix.is_empty() || head.is_some_and(|head| head.moves[*id as usize].1 == 0)
            }
            ExKind::Letters(_) => true,
            ExKind::Bracket(bracket) => !bracket.separators.is_empty(),
            _ => false,
        }
    }

    /// Checks a bracket that is no index; says whether it is wrong.
    pub(super) fn check_bracket(&mut self, bracket: &ast::Bracket, span: Span) -> bool {
        let texts: Vec<String> = bracket.entries.iter().map(|entry| self.text(entry.span)).collect();
        let diagnostic = match (bracket.entries.as_slice(), bracket.separators.as_slice()) {
            ([only], _) => self.without_separator(only, span),
            ([_, _], _) | ([], _) => return false,
            (_, separators) => {
                let help = match (texts.as_slice(), separators) {
                    ([a, b, c], [(first, _), (second, _)]) => {
                        format!("nest it: `[[{a}{first} {b}]{second} {c}]` or `[{a}{first} [{b}{second} {c}]]`")
                    }
                    _ => "nest brackets: `[[A, B], C]`".to_string(),
                };
                let parts = texts.len();
                Diagnostic::at(codes::BRACKET_TOO_MANY, span, "a bracket has two parts", format!("{parts} parts here"))
                    .help(help)
            }
        };
        self.error(diagnostic);
        true
    }

    fn without_separator(&mut self, only: &ast::Expr, span: Span) -> Diagnostic {
        if let ExprKind::Binary(ast::BinaryOp::Over, a, b, slash) = &only.kind {
            return self.slash(a, b, *slash);
        }
        let both =
            |a: &str, b: &str| format!("write `[{a}, {b}]` for the commutator or `[{a}: {b}]` for the conjugate");
        let general = "put a comma between its two parts for the commutator `[A, B]` = A B A' B', or a colon for the conjugate `[A: B]` = A B A'";
        if let ExprKind::Run(factors) = &only.kind {
            let is_bracket = |factor: &ast::Factor| matches!(factor.atom.kind, ExprKind::Bracket(_));
            // an inner bracket with its comma beside something else: the outer one lacks its own
            if let Some(at) = factors.iter().position(is_bracket)
                && let (Some(first), Some(last)) = (factors.first(), factors.last())
                && factors.len() > 1
            {
                let cut = if at == 0 { 1 } else { at };
                let before = self.text(first.span().to(factors[cut - 1].span()));
                let after = self.text(factors[cut].span().to(last.span()));
                return Diagnostic::at(
                    codes::BRACKET_WITHOUT_SEPARATOR,
                    span,
                    "the outer bracket has no comma or colon",
                    "this bracket has one part",
                )
                .label(factors[at].atom.span, "the inner one is complete")
                .help(both(&before, &after));
            }
            if let [a, b] = factors.as_slice() {
                let help = both(&self.text(a.span()), &self.text(b.span()));
                return no_separator(span, help);
            }
        }
        no_separator(span, general.to_string())
    }

    /// `A/B` between words.
    pub(super) fn slash(&mut self, a: &ast::Expr, b: &ast::Expr, slash: Span) -> Diagnostic {
        let (a_text, b_text) = (self.text(a.span), self.text(b.span));
        let (a_atom, b_atom) = (self.as_atom(a), self.as_atom(b));
        Diagnostic::at(
            codes::SLASH_IN_WORD,
            slash,
            "`/` divides numbers; it is no part of a word",
            "a slash between words",
        )
        .note(format!("if {a_text} and then the inverse of {b_text} is meant, that is `{a_text} {b_atom}'`"))
        .help(format!(
            "blindfold solvers write `A/B` for A B A'2 B' A; here that is `[{a_text}: [{b_text}, {a_atom}'2]]`"
        ))
    }

    /// A number behind a move and apart from it: `R 2`, `R 2'`. Says whether there is one.
    pub(super) fn stray_number(&mut self, factor: &ast::Factor, before: Option<&Fx>) -> bool {
        let ExprKind::Int(number) = &factor.atom.kind else { return false };
        let Some(before) = before.filter(|before| self.surely_word(before)) else { return false };
        let (shown, word) = (self.text(factor.span()), self.text(before.span));
        let plain = before.postfix.is_empty() && !word.contains(' ');
        let diagnostic = Diagnostic::at(
            codes::NUMBER_IN_WORD,
            factor.span(),
            format!("`{shown}` stands alone among the moves"),
            "a stray number",
        );
        let prime = matches!(factor.postfix.as_slice(), [ast::Postfix::Prime(_)]);
        self.error(diagnostic.help(if plain && (factor.postfix.is_empty() || prime) {
            format!("a power touches its move: `{word}{shown}`")
        } else {
            format!("a power belongs to one move or to parentheses: `(…)^{number}`")
        }));
        true
    }

    /// A value that was wrong and is reported.
    pub(super) fn wrong(span: Span) -> Ex {
        Ex { kind: ExKind::Wrong, span }
    }
}

fn no_separator(span: Span, help: String) -> Diagnostic {
    Diagnostic::at(
        codes::BRACKET_WITHOUT_SEPARATOR,
        span,
        "a bracket needs a comma or a colon",
        "this bracket has one part",
    )
    .help(help)
}
