//! From pest's pairs to the syntax tree: statements. Expressions are in [`expression`]; pest's types stop here.

mod expression;
mod mistake;

use std::cell::RefCell;

use pest::Parser;
use pest::iterators::Pair;
use rustc_hash::FxHashMap;

use super::ast::*;
use super::grammar::{Grammar, Rule};
use super::split::{Payload, Piece, is_reserved, split_part};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::{FileId, Span};

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What the lowering of one piece needs: the piece, the whole text, and the doc comments.
pub(super) struct Lower<'a> {
    pub piece: &'a Piece,
    pub file: FileId,
    pub text: &'a str,
    pub docs: &'a FxHashMap<u32, Box<str>>,
    /// mistakes in statements of blocks, which are left out so that the others are looked at too
    pub inner_errors: RefCell<Vec<Diagnostic>>,
}

impl<'a> Lower<'a> {
    pub fn new(piece: &'a Piece, file: FileId, text: &'a str, docs: &'a FxHashMap<u32, Box<str>>) -> Lower<'a> {
        Lower { piece, file, text, docs, inner_errors: RefCell::default() }
    }
}

/// Parses and lowers one statement; all mistakes that can be told apart are reported.
pub(super) fn statement(lower: &Lower<'_>, errors: &mut Vec<Diagnostic>) -> Option<Stmt> {
    // nested brackets cost stack in the generated parser
    let parse = || match Grammar::parse(Rule::whole_statement, &lower.piece.text) {
        Ok(mut pairs) => match pairs.next().map(|pair| lower.statement(pair)) {
            Some(Ok(statement)) => Some(statement),
            Some(Err(error)) => {
                errors.push(*error);
                None
            }
            None => None,
        },
        Err(_) => {
            errors.extend(mistake::explain(lower));
            None
        }
    };
    let lowered = if lower.piece.depth > 8 {
        stacker::grow(16 << 20, parse)
    } else {
        stacker::maybe_grow(256 << 10, 4 << 20, parse)
    };
    errors.append(&mut lower.inner_errors.borrow_mut());
    lowered
}

/// Parses an expression that stands inside a string, or alone.
pub(super) fn expression_of(lower: &Lower<'_>) -> Result<Expr> {
    // strings stand in the values of strings
    stacker::maybe_grow(1 << 20, 16 << 20, || match Grammar::parse(Rule::whole_expression, &lower.piece.text) {
        Ok(mut pairs) => {
            let value = match pairs.next() {
                Some(pair) => lower.expression(pair)?,
                None => return Err(Box::new(Diagnostic::error(codes::UNEXPECTED, "there is no value here"))),
            };
            match lower.inner_errors.borrow_mut().pop() {
                Some(error) => Err(Box::new(error)),
                None => Ok(value),
            }
        }
        Err(_) => Err(Box::new(mistake::explain_expression(lower))),
    })
}

impl Lower<'_> {
    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        self.span_of(span.start(), span.end())
    }

    /// The place in the script of a part of the rewritten text.
    pub(super) fn span_of(&self, start: usize, end: usize) -> Span {
        let none = Span::new(self.file, 0, 0);
        let first = self.piece.token_at(start).map_or(none, |token| token.span);
        let last = self.piece.token_at(end.saturating_sub(1).max(start)).map_or(none, |token| token.span);
        first.to(last)
    }

    pub(super) fn ident(&self, pair: &Pair<'_, Rule>) -> Ident {
        Ident { name: pair.as_str().into(), span: self.span(pair) }
    }

    fn statement(&self, pair: Pair<'_, Rule>) -> Result<Stmt> {
        let span = self.span(&pair);
        let doc = self.docs.get(&span.start).cloned();
        let inner = match pair.into_inner().next() {
            Some(inner) => inner,
            None => return Err(self.internal(span)),
        };
        let span = self.span(&inner);
        Ok(Stmt { kind: self.statement_kind(inner)?, span, doc })
    }

    fn internal(&self, span: Span) -> Box<Diagnostic> {
        Box::new(Diagnostic::at(codes::UNEXPECTED, span, "this could not be understood", "here"))
    }

    fn statement_kind(&self, pair: Pair<'_, Rule>) -> Result<StmtKind> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        if rule == Rule::expression {
            return self.assignment_or_value(pair);
        }
        let mut inner = pair.into_inner().peekable();
        let mut next = || inner.next().ok_or_else(|| self.internal(span));
        Ok(match rule {
            Rule::let_statement | Rule::var_statement => {
                let pattern = self.pattern(next()?)?;
                let value = self.expression(next()?)?;
                if rule == Rule::let_statement {
                    StmtKind::Let { pattern, value }
                } else {
                    StmtKind::Var { pattern, value }
                }
            }
            Rule::fn_statement | Rule::algorithm => {
                StmtKind::Fn(self.function(&mut inner, span, rule == Rule::algorithm)?)
            }
            Rule::for_statement => {
                let clauses = self.clauses(next()?)?;
                StmtKind::For { clauses, body: self.block(next()?)? }
            }
            Rule::while_statement => {
                let until = next()?.as_str() == "@until";
                let condition = self.expression(next()?)?;
                let mut body = next()?;
                let decreases = self.measure(&mut body, &mut next)?;
                StmtKind::While { condition, decreases, body: self.block(body)?, until }
            }
            Rule::repeat_statement => {
                let count = self.expression(next()?)?;
                StmtKind::Repeat { count, body: self.block(next()?)? }
            }
            Rule::loop_statement => {
                let mut body = next()?;
                let decreases = self.measure(&mut body, &mut next)?;
                StmtKind::Loop { decreases, body: self.block(body)? }
            }
            Rule::ensure_statement => {
                let condition = self.expression(next()?)?;
                StmtKind::Ensure { condition, message: self.message(inner.next())? }
            }
            Rule::trace_statement => StmtKind::Trace(self.expression(next()?)?),
            Rule::assert_statement => {
                let condition = self.expression(next()?)?;
                StmtKind::Assert { condition, message: self.message(inner.next())? }
            }
            Rule::require_statement => {
                let condition = self.expression(next()?)?;
                StmtKind::Require { condition, message: self.message(inner.next())? }
            }
            Rule::print_statement => StmtKind::Print(self.expression(next()?)?),
            Rule::show_statement => StmtKind::Show(self.expression(next()?)?),
            Rule::return_statement => StmtKind::Return(inner.next().map(|value| self.expression(value)).transpose()?),
            Rule::break_statement => StmtKind::Break,
            Rule::continue_statement => StmtKind::Continue,
            Rule::use_statement => StmtKind::Use(self.use_target(next()?)?),
            Rule::on_statement => {
                let target = self.expression(next()?)?;
                StmtKind::On { target, block: inner.next().map(|block| self.block(block)).transpose()? }
            }
            Rule::claim => StmtKind::Claim(Box::new(self.claim(inner, span)?)),
            Rule::puzzle => {
                let name = self.ident(&next()?);
                let mut params = Vec::new();
                let mut body = next()?;
                if body.as_rule() == Rule::params {
                    params = body.into_inner().map(|param| self.ident(&param)).collect();
                    body = next()?;
                }
                StmtKind::Puzzle(PuzzleDecl { name, params, items: self.items(body)? })
            }
            Rule::extend => {
                let name = self.ident(&next()?);
                let mut params = Vec::new();
                let mut body = next()?;
                if body.as_rule() == Rule::extend_params {
                    params = body.into_inner().map(|param| self.pattern(param)).collect::<Result<_>>()?;
                    body = next()?;
                }
                StmtKind::Extend(ExtendDecl { name, params, items: self.items(body)? })
            }
            _ => return Err(self.internal(span)),
        })
    }

    /// The measure of a loop, if `part` is one; `part` is the block afterwards.
    fn measure<'i>(
        &self,
        part: &mut Pair<'i, Rule>,
        next: &mut impl FnMut() -> Result<Pair<'i, Rule>>,
    ) -> Result<Option<Expr>> {
        if part.as_rule() != Rule::decreases {
            return Ok(None);
        }
        let measure = std::mem::replace(part, next()?);
        measure.into_inner().next().map(|value| self.expression(value)).transpose()
    }

    fn message(&self, pair: Option<Pair<'_, Rule>>) -> Result<Option<Expr>> {
        let Some(inner) = pair.and_then(|pair| pair.into_inner().next()) else { return Ok(None) };
        self.expression(inner).map(Some)
    }

    fn use_target(&self, pair: Pair<'_, Rule>) -> Result<UseTarget> {
        let span = self.span(&pair);
        if pair.as_rule() == Rule::text {
            return Ok(UseTarget::File(self.plain_text(&pair), span));
        }
        Ok(UseTarget::Module(pair.into_inner().map(|name| self.ident(&name)).collect()))
    }

    /// The contents of a string that is not interpolated: titles, sources, files.
    fn plain_text(&self, pair: &Pair<'_, Rule>) -> Box<str> {
        match self.piece.payloads.get(&(pair.as_span().start() as u32)) {
            Some(Payload::Text(span)) => self.text[span.range()].replace("\\\"", "\"").replace("\\\\", "\\").into(),
            _ => "".into(),
        }
    }

    pub(super) fn block(&self, pair: Pair<'_, Rule>) -> Result<Block> {
        let span = self.span(&pair);
        let mut statements = Vec::new();
        for pair in pair.into_inner() {
            // what others need cannot be left out
            let declares = ["@let", "@var", "@fn", "@algorithm"].iter().any(|word| pair.as_str().starts_with(word));
            match self.statement(pair) {
                Ok(statement) => statements.push(statement),
                Err(error) if declares => return Err(error),
                Err(error) => self.inner_errors.borrow_mut().push(*error),
            }
        }
        Ok(Block { statements, span })
    }

    fn function<'i>(
        &self,
        inner: &mut impl Iterator<Item = Pair<'i, Rule>>,
        span: Span,
        algorithm: bool,
    ) -> Result<FnDecl> {
        let mut next = || inner.next().ok_or_else(|| self.internal(span));
        let name = self.ident(&next()?);
        let mut body = next()?;
        let mut params: Vec<Ident> = Vec::new();
        if body.as_rule() == Rule::params {
            params = body.into_inner().map(|param| self.ident(&param)).collect();
            body = next()?;
        }
        let body = if body.as_rule() == Rule::block {
            self.block(body)?
        } else {
            // `fn f(x) = e` is a block whose last value is e
            let value = self.expression(body)?;
            let span = value.span;
            Block { statements: vec![Stmt { kind: StmtKind::Expr(value), span, doc: None }], span }
        };
        Ok(FnDecl { name, algorithm, params, body })
    }

    fn claim<'i>(&self, inner: impl Iterator<Item = Pair<'i, Rule>>, span: Span) -> Result<ClaimDecl> {
        let mut claim = ClaimDecl {
            refute: false,
            title: "".into(),
            from: None,
            thorough: false,
            range: ClaimRange::Once,
            on: None,
            body: Block { statements: Vec::new(), span },
            header: span,
        };
        let start = span;
        for part in inner {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::claim_word => claim.refute = part.as_str() == "@refute",
                Rule::text => {
                    claim.title = self.plain_text(&part);
                    claim.header = start.to(span);
                    claim.header.end = span.end;
                }
                Rule::thorough_word => claim.thorough = true,
                Rule::from => claim.from = part.into_inner().next().map(|text| self.plain_text(&text)),
                Rule::for_each => {
                    if let Some(clauses) = part.into_inner().next() {
                        claim.range = ClaimRange::Each(self.clauses(clauses)?);
                    }
                }
                Rule::for_all => claim.range = self.for_all(part, span)?,
                Rule::on => claim.on = part.into_inner().next().map(|on| self.expression(on)).transpose()?,
                Rule::block => claim.body = self.block(part)?,
                _ => {}
            }
        }
        Ok(claim)
    }

    fn for_all(&self, pair: Pair<'_, Rule>, span: Span) -> Result<ClaimRange> {
        let mut items = Vec::new();
        let mut condition = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::for_all_item => {
                    let mut parity = None;
                    for piece in part.into_inner() {
                        match piece.as_rule() {
                            Rule::parity => {
                                parity = Some(if piece.as_str() == "even" { Parity::Even } else { Parity::Odd })
                            }
                            _ => items.push(ForAllItem { parity, chain: self.expression(piece)? }),
                        }
                    }
                }
                Rule::condition => condition = part.into_inner().next().map(|c| self.expression(c)).transpose()?,
                _ => {}
            }
        }
        Ok(ClaimRange::All { items, condition, span })
    }

    pub(super) fn clauses(&self, pair: Pair<'_, Rule>) -> Result<Clauses> {
        let span = self.span(&pair);
        let mut each = Vec::new();
        let mut thorough = Vec::new();
        let mut condition = None;
        for part in pair.into_inner() {
            let rule = part.as_rule();
            let mut inner = part.into_inner();
            match (rule, inner.next(), inner.next()) {
                (Rule::clause, Some(pattern), Some(range)) => {
                    each.push((self.pattern(pattern)?, self.expression(range)?));
                    let larger = inner.next().and_then(|larger| larger.into_inner().next());
                    thorough.push(larger.map(|larger| self.expression(larger)).transpose()?);
                }
                (Rule::condition, Some(value), _) => condition = Some(Box::new(self.expression(value)?)),
                _ => {}
            }
        }
        Ok(Clauses { each, thorough, condition, span })
    }

    pub(super) fn pattern(&self, pair: Pair<'_, Rule>) -> Result<Pattern> {
        let span = self.span(&pair);
        let inner = match pair.as_rule() {
            Rule::pattern => pair.into_inner().next().ok_or_else(|| self.internal(span))?,
            _ => pair,
        };
        Ok(match inner.as_rule() {
            Rule::ident => Pattern::Name(self.ident(&inner)),
            Rule::pattern_int => {
                let digits: String = inner.as_str().chars().filter(|c| *c != ' ').collect();
                Pattern::Int(digits.parse().map_err(|_| self.internal(span))?, span)
            }
            _ => {
                let parts: Vec<Pattern> = inner
                    .into_inner()
                    .filter(|part| part.as_rule() != Rule::trailing_comma)
                    .map(|part| self.pattern(part))
                    .collect::<Result<_>>()?;
                Pattern::Tuple(parts, span)
            }
        })
    }

    fn items(&self, pair: Pair<'_, Rule>) -> Result<Vec<PuzzleItem>> {
        pair.into_inner()
            .map(|item| {
                let span = self.span(&item);
                let doc = self.docs.get(&span.start).cloned();
                let inner = item.into_inner().next().ok_or_else(|| self.internal(span))?;
                Ok(PuzzleItem { kind: self.item_kind(inner)?, span, doc })
            })
            .collect()
    }

    fn item_kind(&self, pair: Pair<'_, Rule>) -> Result<PuzzleItemKind> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        Ok(match rule {
            Rule::require_statement => {
                let condition = self.expression(inner.next().ok_or_else(|| self.internal(span))?)?;
                PuzzleItemKind::Require { condition, message: self.message(inner.next())? }
            }
            Rule::puzzle_let => match (inner.next(), inner.next()) {
                (Some(name), Some(value)) => {
                    PuzzleItemKind::Let { name: self.ident(&name), value: self.expression(value)? }
                }
                _ => return Err(self.internal(span)),
            },
            Rule::fn_statement | Rule::algorithm => {
                PuzzleItemKind::Fn(self.function(&mut inner, span, rule == Rule::algorithm)?)
            }
            Rule::blank_item => {
                // the word itself comes first
                let cell = inner.nth(1).ok_or_else(|| self.internal(span))?;
                PuzzleItemKind::Blank(self.expression(cell)?)
            }
            Rule::cells_item => {
                let mut cell = None;
                let mut clauses = None;
                let mut shown_by_number = false;
                for part in inner {
                    match part.as_rule() {
                        Rule::clauses => clauses = Some(self.clauses(part)?),
                        Rule::shown_by_number => shown_by_number = true,
                        Rule::expression => cell = Some(self.expression(part)?),
                        _ => {}
                    }
                }
                PuzzleItemKind::Cells { cell: cell.ok_or_else(|| self.internal(span))?, clauses, shown_by_number }
            }
            Rule::move_item | Rule::slide_item => {
                PuzzleItemKind::Move(self.move_item(inner, span, rule == Rule::slide_item)?)
            }
            _ => return Err(self.internal(span)),
        })
    }

    fn move_item<'i>(&self, inner: impl Iterator<Item = Pair<'i, Rule>>, span: Span, slide: bool) -> Result<MoveDecl> {
        let mut declaration = MoveDecl {
            name: Ident { name: "".into(), span },
            extra: false,
            slide,
            params: Vec::new(),
            clauses: None,
            body: MoveBody::Rules(Vec::new()),
        };
        for part in inner {
            match part.as_rule() {
                Rule::extra => declaration.extra = true,
                Rule::ident => declaration.name = self.ident(&part),
                Rule::family_params => {
                    for param in part.into_inner() {
                        let mut inner = param.into_inner();
                        let Some(name) = inner.next() else { continue };
                        let default = inner.next().map(|value| self.expression(value)).transpose()?;
                        declaration.params.push(FamilyParam { name: self.ident(&name), default });
                    }
                }
                Rule::clauses => declaration.clauses = Some(self.clauses(part)?),
                Rule::rules => {
                    let rules = part.into_inner().map(|rule| self.rule(rule)).collect::<Result<_>>()?;
                    declaration.body = MoveBody::Rules(rules);
                }
                Rule::move_value => {
                    let value = part.into_inner().next().ok_or_else(|| self.internal(span))?;
                    declaration.body = MoveBody::Value(self.expression(value)?);
                }
                _ => {}
            }
        }
        Ok(declaration)
    }

    fn rule(&self, pair: Pair<'_, Rule>) -> Result<super::ast::Rule> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let (Some(pattern), Some(target)) = (inner.next(), inner.next()) else { return Err(self.internal(span)) };
        let condition = match inner.next().and_then(|condition| condition.into_inner().next()) {
            Some(condition) => Some(self.expression(condition)?),
            None => None,
        };
        Ok(super::ast::Rule { pattern: self.pattern(pattern)?, target: self.expression(target)?, condition, span })
    }

    /// The parts of a string; `{…}` are parsed here.
    pub(super) fn text_parts(&self, span: Span) -> Result<Vec<TextPart>> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let bytes = self.text.as_bytes();
        let (mut at, end) = (span.start as usize, span.end as usize);
        while at < end {
            match bytes[at] {
                b'\\' => {
                    let escaped = self.text[at + 1..end].chars().next().unwrap_or('\\');
                    match escaped {
                        'n' => plain.push('\n'),
                        't' => plain.push('\t'),
                        '"' | '\\' | '{' | '}' => plain.push(escaped),
                        other => {
                            let place = Span::new(self.file, at, at + 1 + other.len_utf8());
                            return Err(Box::new(
                                Diagnostic::at(
                                    codes::UNKNOWN_ESCAPE,
                                    place,
                                    format!("`\\{other}` means nothing in a string"),
                                    "here",
                                )
                                .help("use `\\n`, `\\t`, `\\\"`, `\\{`, `\\}`, or `\\\\` for a backslash"),
                            ));
                        }
                    }
                    at += 1 + escaped.len_utf8();
                }
                b'{' => {
                    let close = self.closing_brace(at, end)?;
                    if !plain.is_empty() {
                        parts.push(TextPart::Plain(std::mem::take(&mut plain)));
                    }
                    parts.push(TextPart::Value(self.inner_expression(at + 1, close)?));
                    at = close + 1;
                }
                _ => {
                    let c = self.text[at..].chars().next().unwrap_or(' ');
                    plain.push(c);
                    at += c.len_utf8();
                }
            }
        }
        if !plain.is_empty() || parts.is_empty() {
            parts.push(TextPart::Plain(plain));
        }
        Ok(parts)
    }

    fn closing_brace(&self, open: usize, end: usize) -> Result<usize> {
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        let mut at = open;
        while at < end {
            match bytes[at] {
                b'"' => at = super::split::string_end(bytes, at, false).unwrap_or(end) - 1,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(at);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let place = Span::new(self.file, open, open + 1);
        Err(Box::new(
            Diagnostic::at(codes::UNCLOSED_BRACKET, place, "`{` in a string is not closed", "a value begins here")
                .help("close it with `}`, or write `\\{` for a brace"),
        ))
    }

    fn inner_expression(&self, start: usize, end: usize) -> Result<Expr> {
        let mut cut = split_part(self.file, self.text, start, end);
        if let Some(error) = cut.errors.pop() {
            return Err(Box::new(error));
        }
        let place = Span::new(self.file, start.saturating_sub(1), end + 1);
        match cut.pieces.as_slice() {
            [piece] => expression_of(&Lower::new(piece, self.file, self.text, self.docs)),
            _ => Err(Box::new(
                Diagnostic::at(codes::UNEXPECTED, place, "there is no single value in these braces", "here")
                    .help("put one value in the braces, or write `\\{` for a brace"),
            )),
        }
    }
}

/// A name that may be declared: not reserved. (The grammar never lets a reserved word through; clients ask.)
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c))
        && chars.all(|c| c == '_' || unicode_ident::is_xid_continue(c))
        && !is_reserved(text)
}
