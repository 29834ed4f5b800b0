//! From text to syntax tree: [`parse`]. Cut into statements (`split`), parsed by pest (`grammar`), lowered to an owned
//! tree with spans (`lower`). pest's types do not leave this room.

pub mod ast;
mod grammar;
mod lower;
mod scan;
mod split;

pub use lower::is_name;
pub use split::{MAX_ERRORS, RESERVED, is_reserved};

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use ast::Stmt;

/// A parsed text: what could be understood, and every mistake found.
#[derive(Debug, Default)]
pub struct Parsed {
    pub statements: Vec<Stmt>,
    pub errors: Vec<Diagnostic>,
    /// something has to follow: a REPL asks for another line
    pub unfinished: bool,
    /// the `//!` lines
    pub doc: String,
    /// names that statements with mistakes would have declared
    pub lost: Vec<Box<str>>,
}

/// Parses a whole script. Never fails and never panics: statements that are wrong are left out and reported.
/// Cost: linear in the text.
pub fn parse(file: FileId, text: &str) -> Parsed {
    if text.len() > crate::source::MAX_TEXT {
        return Parsed {
            errors: vec![
                Diagnostic::error(crate::diagnostic::codes::TOO_LONG, "the text is longer than a gigabyte")
                    .help("split it into files"),
            ],
            ..Parsed::default()
        };
    }
    let cut = split::split(file, text);
    let mut parsed = Parsed { errors: cut.errors, unfinished: cut.unfinished, doc: cut.file_doc, ..Parsed::default() };
    for piece in &cut.pieces {
        let before = parsed.statements.len();
        if !piece.broken {
            let lower = lower::Lower::new(piece, file, text, &cut.docs);
            parsed.statements.extend(lower::statement(&lower, &mut parsed.errors));
        }
        if parsed.statements.len() == before {
            declared_names(&piece.text, &mut parsed.lost);
        }
    }
    parsed.errors.truncate(MAX_ERRORS);
    parsed.errors.sort_by_key(|error| error.span().map_or(0, |span| span.start));
    parsed
}

/// The names that a statement would declare, as far as its beginning shows.
fn declared_names(text: &str, names: &mut Vec<Box<str>>) {
    for word in ["@let ", "@var ", "@fn ", "@puzzle "] {
        let Some(rest) = text.strip_prefix(word) else { continue };
        let many = word == "@let " || word == "@var ";
        let head = rest.split(if many { ['=', '{'] } else { ['(', '{'] }).next().unwrap_or_default();
        let words = head.split(|c: char| !(c == '_' || c.is_alphanumeric())).filter(|word| !word.is_empty());
        names.extend(words.take(if many { 20 } else { 1 }).map(Box::from));
    }
}

#[cfg(test)]
mod tests {
    use super::ast::*;
    use super::*;

    fn expression(text: &str) -> Expr {
        let parsed = parse(FileId(0), text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        match parsed.statements.into_iter().next().map(|statement| statement.kind) {
            Some(StmtKind::Expr(expr)) => expr,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn spans_are_exact() {
        let text = "  [X’, φ]³ /* c */ Y";
        let ExprKind::Run(factors) = expression(text).kind else { panic!() };
        let shown: Vec<&str> = factors.iter().map(|factor| &text[factor.span().range()]).collect();
        assert_eq!(shown, ["[X’, φ]³", "Y"]);
    }

    #[test]
    fn operators_group_by_precedence() {
        let ExprKind::Binary(BinaryOp::Or, _, right, _) = expression("a or not b == 1 + 2 * -c and d").kind else {
            panic!()
        };
        let ExprKind::Binary(BinaryOp::And, left, _, _) = right.kind else { panic!() };
        let ExprKind::Unary(UnaryOp::Not, inner, _) = left.kind else { panic!() };
        assert!(matches!(inner.kind, ExprKind::Compare(..)));
    }

    #[test]
    fn several_errors_in_one_file() {
        let parsed = parse(FileId(0), "let = 1\nlet a = 2\nclaim \"x\" {\n assert a b )\n let = 3\n}\nlet b = )");
        assert_eq!(parsed.errors.len(), 3, "{:#?}", parsed.errors);
        assert_eq!(parsed.statements.len(), 1);
    }
}
