//! Claims: their headers, and what their bodies see.

use super::Resolver;
use super::program::*;
use super::scope::Frame;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast;

impl Resolver<'_> {
    pub(super) fn claim(&mut self, claim: &ast::ClaimDecl, span: Span) -> Option<Claim> {
        let errors = self.errors.len();
        self.frames.push(Frame::function());
        let outer = self.puzzle.clone();
        self.frame().claim = true;
        let mut names = Vec::new();
        let range = match &claim.range {
            ast::ClaimRange::Once => Range::Once,
            ast::ClaimRange::Each(clauses) => {
                let resolved = self.clauses(clauses);
                for ((pattern, _), (bound, _)) in clauses.each.iter().zip(&resolved.each) {
                    header_names(pattern, bound, &mut names);
                }
                Range::Each(resolved)
            }
            ast::ClaimRange::All { items, condition, .. } => {
                let items: Vec<AllItem> = items.iter().filter_map(|item| self.all_item(item, &mut names)).collect();
                Range::All(items, condition.as_ref().map(|condition| self.expression(condition)))
            }
        };
        let mut on = None;
        if let Some(target) = &claim.on
            && let Some((target, puzzle)) = self.on_target(target)
        {
            on = Some(target);
            self.puzzle = Some(puzzle);
        }
        // a wrong puzzle makes every move unknown: saying so once is enough
        let body = if claim.on.is_some() && on.is_none() { Block::default() } else { self.block(&claim.body) };
        self.puzzle = outer;
        let frame = self.frames.pop().unwrap_or_default();
        if self.errors.len() > errors {
            return None;
        }
        let source = self.tools.sources.get(span.file);
        let range_text = match &claim.range {
            ast::ClaimRange::Once => "once".to_string(),
            ast::ClaimRange::Each(clauses) => ranges_as_written(&source, clauses, false),
            ast::ClaimRange::All { span, .. } => source.slice(*span).trim_start_matches("for").trim().to_string(),
        };
        let thorough_text = match &claim.range {
            ast::ClaimRange::Each(clauses) if clauses.thorough.iter().any(Option::is_some) => {
                Some(ranges_as_written(&source, clauses, true).into())
            }
            _ => None,
        };
        let code = frame.into_code(claim.title.clone(), body, claim.header);
        Some(Claim {
            refute: claim.refute,
            title: claim.title.clone(),
            from: claim.from.clone(),
            range_text: range_text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
            thorough: claim.thorough,
            thorough_text,
            range,
            names,
            on,
            code,
            span: claim.header,
        })
    }

    /// One item of `for all`: a chain of comparisons that introduces one new name, bounded below.
    fn all_item(&mut self, item: &ast::ForAllItem, names: &mut Vec<(Box<str>, Slot)>) -> Option<AllItem> {
        let span = item.chain.span;
        let ast::ExprKind::Compare(first, links) = &item.chain.kind else {
            if let ast::ExprKind::Name(name) = &item.chain.kind {
                self.bad_all(span, &format!("`{name}` has no lower bound here"));
                // known from here on: one message is enough
                self.declare(&ast::Ident { name: name.clone(), span }, false, false);
            } else {
                self.bad_all(span, "this is not a chain of comparisons");
            }
            return None;
        };
        let operands: Vec<&ast::Expr> =
            std::iter::once(&**first).chain(links.iter().map(|(.., right)| right)).collect();
        let bare = |expr: &ast::Expr| match &expr.kind {
            ast::ExprKind::Name(name) => Some(ast::Ident { name: name.clone(), span: expr.span }),
            _ => None,
        };
        let mut new: Vec<(usize, ast::Ident)> = operands
            .iter()
            .enumerate()
            .filter_map(|(at, operand)| Some((at, bare(operand)?)))
            .filter(|(_, ident)| self.frame().find(&ident.name).is_none())
            .collect();
        if new.len() > 1 {
            // a name that means something already is not the new one
            new.retain(|(_, ident)| self.lookup(&ident.name, ident.span).is_none());
        }
        let [(at, ident)] = new.as_slice() else {
            self.bad_all(span, "this does not introduce exactly one new name");
            for (_, ident) in &new {
                self.declare(ident, false, false);
            }
            return None;
        };
        let mut lower = Vec::new();
        // neighbours that are below: `e <= n` on its left, `n >= e` on its right
        let mut walk = *at;
        while walk > 0 {
            let (op, _, _) = &links[walk - 1];
            match op {
                ast::CompareOp::LessEqual | ast::CompareOp::Less => {
                    lower.push((self.expression(operands[walk - 1]), *op == ast::CompareOp::Less))
                }
                _ => break,
            }
            walk -= 1;
        }
        if let Some((op @ (ast::CompareOp::GreaterEqual | ast::CompareOp::Greater), _, right)) = links.get(*at) {
            lower.push((self.expression(right), *op == ast::CompareOp::Greater));
        }
        if lower.is_empty() {
            self.bad_all(span, &format!("`{}` has no lower bound here", ident.name));
            self.declare(ident, false, false);
            return None;
        }
        let slot = self.declare(ident, false, false);
        names.push((ident.name.clone(), slot));
        let chain = self.expression(&item.chain);
        Some(AllItem { slot, parity: item.parity, lower, chain, span })
    }

    fn bad_all(&mut self, span: Span, title: &str) {
        self.error(
            Diagnostic::at(codes::BAD_RANGE, span, title.to_string(), "in this item of `for all`")
                .help("write one new name with a lower bound: `n >= 5`, `1 <= k < n`, `even n >= 6`"),
        );
    }
}

/// The clauses of a header as they are written, with one range each.
fn ranges_as_written(source: &crate::source::Source, clauses: &ast::Clauses, thorough: bool) -> String {
    let parts = clauses.each.iter().zip(&clauses.thorough).map(|((pattern, range), larger)| {
        let range = larger.as_ref().filter(|_| thorough).unwrap_or(range);
        format!("{} in {}", source.slice(pattern.span()), source.slice(range.span))
    });
    let each = parts.collect::<Vec<_>>().join(", ");
    match &clauses.condition {
        Some(condition) => format!("{each} where {}", source.slice(condition.span)),
        None => each,
    }
}

fn header_names(pattern: &ast::Pattern, bound: &Pattern, names: &mut Vec<(Box<str>, Slot)>) {
    match (pattern, bound) {
        (ast::Pattern::Name(name), Pattern::Bind(slot, _)) => names.push((name.name.clone(), *slot)),
        (ast::Pattern::Tuple(parts, _), Pattern::Tuple(slots, _)) => {
            for (part, slot) in parts.iter().zip(slots) {
                header_names(part, slot, names);
            }
        }
        _ => {}
    }
}
