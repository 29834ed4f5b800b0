//! Expressions: pest keeps the operators flat, here they are grouped by precedence (guide, "precedence").

use num_bigint::BigInt;
use pest::iterators::Pair;

use super::{Lower, Result};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::grammar::Rule;
use crate::syntax::split::Payload;

enum Item {
    Operand(Expr),
    Prefix(UnaryOp, Span),
    Infix(Infix, Span),
}

#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Compare(CompareOp),
}

impl Infix {
    /// Larger binds tighter.
    fn level(self) -> u8 {
        match self {
            Infix::Binary(BinaryOp::Or) => 1,
            Infix::Binary(BinaryOp::And) => 2,
            Infix::Compare(_) => COMPARE_LEVEL,
            Infix::Binary(BinaryOp::Union) => 5,
            Infix::Binary(BinaryOp::Intersection) => 6,
            Infix::Binary(BinaryOp::Concat) => 7,
            Infix::Binary(BinaryOp::Range) => 8,
            Infix::Binary(BinaryOp::Add | BinaryOp::Subtract) => 9,
            Infix::Binary(BinaryOp::Times | BinaryOp::Over | BinaryOp::Div | BinaryOp::Mod) => 10,
        }
    }
}

const NOT_LEVEL: u8 = 3;
const COMPARE_LEVEL: u8 = 4;
const MINUS_LEVEL: u8 = 11;

impl Lower<'_> {
    pub(in crate::syntax) fn expression(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        let mut inner = pair.into_inner();
        // by far the most frequent case: one run and no operator
        let Some(first) = inner.next() else { return Err(self.nothing_here()) };
        if matches!(first.as_rule(), Rule::run | Rule::performed | Rule::find) {
            let operand = self.operand(first)?;
            let Some(second) = inner.next() else { return Ok(operand) };
            let mut items = vec![Item::Operand(operand), self.item(second)?];
            return self.group(&mut items, inner);
        }
        let mut items = vec![self.item(first)?];
        self.group(&mut items, inner)
    }

    /// A statement without a word of its own: `name = value`, `name[index] = value`, or just a value. The grammar reads
    /// all three as values with operators: telling them apart there would parse an index twice, and nested ones
    /// exponentially often.
    pub(in crate::syntax) fn assignment_or_value(&self, pair: Pair<'_, Rule>) -> Result<StmtKind> {
        let mut inner = pair.clone().into_inner();
        let (first, equals) = (inner.next(), inner.next());
        if let (Some(first), Some(equals)) = (first, equals)
            && equals.as_rule() == Rule::infix
            && equals.as_str() == "="
            && let Some((target, index)) = self.target(first)?
        {
            let value = self.group(&mut Vec::new(), inner)?;
            return Ok(StmtKind::Assign { target, index, value });
        }
        Ok(StmtKind::Expr(self.expression(pair)?))
    }

    /// What an assignment can change: a name, perhaps with one index.
    fn target(&self, pair: Pair<'_, Rule>) -> Result<Option<(Ident, Option<Expr>)>> {
        if pair.as_rule() != Rule::run {
            return Ok(None);
        }
        // factors without postfixes, as atoms
        let mut atoms = pair.into_inner().map(|factor| {
            let mut parts = factor.into_inner();
            let atom = parts.next();
            atom.filter(|_| parts.next().is_none())
        });
        let Some(Some(name)) = atoms.next() else { return Ok(None) };
        if name.as_rule() != Rule::ident {
            return Ok(None);
        }
        let target = self.ident(&name);
        let index = match atoms.next() {
            None => None,
            Some(Some(bracket)) if bracket.as_rule() == Rule::bracket && atoms.next().is_none() => {
                let mut entries = bracket.into_inner();
                match (entries.next(), entries.next()) {
                    (Some(only), None) => Some(self.expression(only)?),
                    _ => return Ok(None),
                }
            }
            Some(_) => return Ok(None),
        };
        Ok(Some((target, index)))
    }

    fn nothing_here(&self) -> Box<Diagnostic> {
        let span = self.piece.tokens.first().map_or(Span::new(self.file, 0, 0), |token| token.span);
        Box::new(Diagnostic::at(codes::UNEXPECTED, span, "there is no value in this statement", "here"))
    }

    fn group<'i>(&self, items: &mut Vec<Item>, rest: impl Iterator<Item = Pair<'i, Rule>>) -> Result<Expr> {
        for pair in rest {
            items.push(self.item(pair)?);
        }
        let mut items = std::mem::take(items).into_iter().peekable();
        self.climb(&mut items, 0)
    }

    fn item(&self, pair: Pair<'_, Rule>) -> Result<Item> {
        let span = self.span(&pair);
        Ok(match pair.as_rule() {
            Rule::run | Rule::performed | Rule::find => Item::Operand(self.operand(pair)?),
            Rule::prefix => Item::Prefix(if pair.as_str() == "-" { UnaryOp::Minus } else { UnaryOp::Not }, span),
            _ => Item::Infix(self.infix(&pair, span)?, span),
        })
    }

    fn infix(&self, pair: &Pair<'_, Rule>, span: Span) -> Result<Infix> {
        use BinaryOp::*;
        use CompareOp::*;
        Ok(match pair.as_str() {
            "@or" => Infix::Binary(Or),
            "@and" => Infix::Binary(And),
            "|" => Infix::Binary(Union),
            "&" => Infix::Binary(Intersection),
            "++" => Infix::Binary(Concat),
            ".." => Infix::Binary(Range),
            "+" => Infix::Binary(Add),
            "-" => Infix::Binary(Subtract),
            "*" => Infix::Binary(Times),
            "/" => Infix::Binary(Over),
            "@div" => Infix::Binary(Div),
            "@mod" => Infix::Binary(Mod),
            "==" => Infix::Compare(Equal),
            "!=" => Infix::Compare(NotEqual),
            "<" => Infix::Compare(Less),
            "<=" => Infix::Compare(LessEqual),
            ">" => Infix::Compare(Greater),
            ">=" => Infix::Compare(GreaterEqual),
            "@in" => Infix::Compare(In),
            "@subset" => Infix::Compare(Subset),
            "=" => {
                return Err(Box::new(
                    Diagnostic::at(
                        codes::SINGLE_EQUALS,
                        span,
                        "`=` gives a name to a value; it does not compare",
                        "one `=` inside a value",
                    )
                    .help("compare with `==`"),
                ));
            }
            // `not in`, two words
            _ => Infix::Compare(NotIn),
        })
    }

    fn climb(&self, items: &mut std::iter::Peekable<std::vec::IntoIter<Item>>, least: u8) -> Result<Expr> {
        let mut left = match items.next() {
            Some(Item::Operand(operand)) => operand,
            Some(Item::Prefix(op, span)) => {
                let mut prefixes = vec![(op, span)];
                while let Some(Item::Prefix(op, span)) = items.peek() {
                    if prefixes.len() > 20 {
                        return Err(Box::new(
                            Diagnostic::at(codes::TOO_LONG, *span, "too many signs in a row", "here")
                                .help("one `-` or `not` is enough"),
                        ));
                    }
                    prefixes.push((*op, *span));
                    items.next();
                }
                let level = if op == UnaryOp::Not { NOT_LEVEL } else { MINUS_LEVEL };
                let mut value = self.climb(items, level)?;
                for (op, span) in prefixes.into_iter().rev() {
                    let whole = span.to(value.span);
                    value = Expr { kind: ExprKind::Unary(op, Box::new(value), span), span: whole };
                }
                value
            }
            _ => return Err(self.nothing_here()),
        };
        while let Some(Item::Infix(infix, span)) = items.peek() {
            let (infix, op_span) = (*infix, *span);
            if infix.level() < least {
                break;
            }
            items.next();
            match infix {
                Infix::Binary(op) => {
                    let right = self.climb(items, infix.level() + 1)?;
                    let span = left.span.to(right.span);
                    left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right), op_span), span };
                }
                Infix::Compare(op) => {
                    let mut links = vec![(op, op_span, self.climb(items, COMPARE_LEVEL + 1)?)];
                    while let Some(Item::Infix(Infix::Compare(op), span)) = items.peek() {
                        let (op, span) = (*op, *span);
                        items.next();
                        links.push((op, span, self.climb(items, COMPARE_LEVEL + 1)?));
                    }
                    let end = links.last().map_or(left.span, |(_, _, right)| right.span);
                    let span = left.span.to(end);
                    left = Expr { kind: ExprKind::Compare(Box::new(left), links), span };
                }
            }
        }
        Ok(left)
    }

    fn operand(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        match pair.as_rule() {
            Rule::run => return self.run(pair),
            Rule::find => return self.find(pair),
            _ => {}
        }
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let (Some(word), Some(what)) = (inner.next(), inner.next()) else { return Err(self.nothing_here()) };
        let from = inner.next().and_then(|from| from.into_inner().next());
        let perform = Perform {
            run: word.as_str() == "@run",
            what: self.run(what)?,
            from: from.map(|from| self.run(from)).transpose()?,
        };
        Ok(Expr { kind: ExprKind::Perform(Box::new(perform)), span })
    }

    /// `find w up to 8 by runs in X, Y where c`
    fn find(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        let span = self.span(&pair);
        let (mut all, mut word, mut up_to, mut metric, mut moves, mut condition) =
            (false, None, None, None, Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::all_word => all = true,
                Rule::ident => word = Some(self.ident(&part)),
                Rule::amount => up_to = Some(self.amount(part)?),
                Rule::metric => {
                    let factor = part.into_inner().find(|part| part.as_rule() == Rule::factor);
                    metric = factor.map(|factor| self.run_of(std::iter::once(factor))).transpose()?;
                }
                Rule::find_moves => {
                    moves = part.into_inner().map(|part| self.expression(part)).collect::<Result<_>>()?
                }
                Rule::condition => {
                    condition = part.into_inner().next().map(|part| self.expression(part)).transpose()?
                }
                _ => {}
            }
        }
        let (Some(word), Some(up_to), Some(condition)) = (word, up_to, condition) else {
            return Err(self.nothing_here());
        };
        let find = Find { all, word, up_to, metric, moves, condition };
        Ok(Expr { kind: ExprKind::Find(Box::new(find)), span })
    }

    /// A number that ends before `in`, `by` and `where`.
    fn amount(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        let mut items = Vec::new();
        for part in pair.into_inner() {
            items.push(match part.as_rule() {
                Rule::factor => Item::Operand(self.run_of(std::iter::once(part))?),
                _ => {
                    let span = self.span(&part);
                    Item::Infix(self.infix(&part, span)?, span)
                }
            });
        }
        self.climb(&mut items.into_iter().peekable(), 0)
    }

    /// Atoms side by side. One atom without postfixes is just itself.
    fn run(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        self.run_of(pair.into_inner())
    }

    fn run_of<'i>(&self, parts: impl Iterator<Item = Pair<'i, Rule>>) -> Result<Expr> {
        let mut factors: Vec<Factor> = Vec::new();
        for factor in parts {
            let mut inner = factor.into_inner();
            let Some(atom) = inner.next() else { continue };
            let atom = self.atom(atom, !factors.is_empty())?;
            let mut postfix = Vec::new();
            for part in inner {
                postfix.push(self.postfix(part, &postfix)?);
            }
            factors.push(Factor { atom, postfix });
        }
        if factors.len() == 1 && factors[0].postfix.is_empty() {
            return Ok(factors.remove(0).atom);
        }
        let span = match (factors.first(), factors.last()) {
            (Some(first), Some(last)) => first.span().to(last.span()),
            _ => return Err(self.nothing_here()),
        };
        Ok(Expr { kind: ExprKind::Run(factors), span })
    }

    fn postfix(&self, pair: Pair<'_, Rule>, before: &[Postfix]) -> Result<Postfix> {
        let span = self.span(&pair);
        Ok(match pair.as_rule() {
            Rule::prime => Postfix::Prime(span),
            Rule::suffix => Postfix::Suffix(number(pair.as_str()), span),
            Rule::member => match pair.into_inner().next() {
                Some(name) => Postfix::Member(self.ident(&name)),
                None => return Err(self.nothing_here()),
            },
            _ => {
                if matches!(before.last(), Some(Postfix::Power(..))) {
                    return Err(Box::new(
                        Diagnostic::at(
                            codes::TOWER_OF_POWERS,
                            span,
                            "a power of a power needs parentheses",
                            "a second `^`",
                        )
                        .help("write `(X^2)^3` or `X^(2^3)`"),
                    ));
                }
                let Some(exponent) = pair.into_inner().next() else { return Err(self.nothing_here()) };
                Postfix::Power(Box::new(self.exponent(exponent)?), span)
            }
        })
    }

    fn exponent(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        let span = self.span(&pair);
        let mut negative = None;
        for part in pair.into_inner() {
            let place = self.span(&part);
            let value = match part.as_rule() {
                Rule::exponent_sign => {
                    negative = (part.as_str() == "-").then_some(place);
                    continue;
                }
                Rule::exponent_braces => match part.into_inner().next() {
                    Some(inner) => self.expression(inner)?,
                    None => return Err(self.nothing_here()),
                },
                _ => self.atom(part, false)?,
            };
            return Ok(match negative {
                None => value,
                Some(sign) => Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(value), sign), span },
            });
        }
        // `⁻¹` and `³` come as one token: sign and digits are in it
        Err(self.nothing_here())
    }

    fn atom(&self, pair: Pair<'_, Rule>, inside: bool) -> Result<Expr> {
        let span = self.span(&pair);
        let payload = |pair: &Pair<'_, Rule>| self.piece.payloads.get(&(pair.as_span().start() as u32));
        let kind = match pair.as_rule() {
            Rule::ident => ExprKind::Name(pair.as_str().into()),
            Rule::int => ExprKind::Int(number(pair.as_str())),
            Rule::boolean => ExprKind::Bool(pair.as_str() == "@true"),
            Rule::plain_run => match payload(&pair) {
                Some(Payload::Plain(run)) => ExprKind::Plain(run.clone()),
                _ => return Err(self.nothing_here()),
            },
            Rule::cycle_run => match payload(&pair) {
                Some(Payload::Cycles(cycles)) => ExprKind::Cycles(cycles.clone()),
                Some(Payload::CellCycles(cycles)) => ExprKind::CellCycles(cycles.clone()),
                _ => return Err(self.nothing_here()),
            },
            Rule::text => match payload(&pair) {
                Some(Payload::Text(span)) => ExprKind::Text(self.text_parts(*span)?),
                _ => return Err(self.nothing_here()),
            },
            Rule::compat_number_name => ExprKind::Name(pair.as_str()[2..].into()),
            Rule::compat_prime => {
                let help = if inside {
                    "a prime touches what it inverts: write `U'` without a blank"
                } else {
                    "write the move first: `U'`"
                };
                return Err(Box::new(
                    Diagnostic::at(
                        codes::STRAY_PRIME,
                        span,
                        "this `'` has nothing before it to invert",
                        "a prime on its own",
                    )
                    .help(help),
                ));
            }
            Rule::paren => {
                let (items, trailing_comma) = self.args(pair)?;
                ExprKind::Paren(Paren { items, trailing_comma })
            }
            Rule::set => ExprKind::Set(self.args(pair)?.0),
            Rule::bracket => {
                let mut bracket = Bracket { entries: Vec::new(), separators: Vec::new() };
                for part in pair.into_inner() {
                    if part.as_rule() == Rule::bracket_separator {
                        let separator = part.as_str().chars().next().unwrap_or(',');
                        bracket.separators.push((separator, self.span(&part)));
                    } else {
                        bracket.entries.push(self.expression(part)?);
                    }
                }
                ExprKind::Bracket(bracket)
            }
            Rule::if_expression => return self.if_expression(pair),
            _ => return Err(self.nothing_here()),
        };
        Ok(Expr { kind, span })
    }

    fn args(&self, pair: Pair<'_, Rule>) -> Result<(Vec<Arg>, bool)> {
        let mut items = Vec::new();
        let mut trailing_comma = false;
        for part in pair.into_inner() {
            if part.as_rule() == Rule::trailing_comma {
                trailing_comma = true;
            } else {
                items.push(self.arg(part)?);
            }
        }
        Ok((items, trailing_comma))
    }

    fn arg(&self, pair: Pair<'_, Rule>) -> Result<Arg> {
        let mut label = None;
        let mut values = Vec::new();
        let mut clauses = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::label => label = part.into_inner().next().map(|name| self.ident(&name)),
                Rule::clauses => clauses = Some(self.clauses(part)?),
                _ => values.push(self.expression(part)?),
            }
        }
        let mut values = values.into_iter();
        let value = values.next().ok_or_else(|| self.nothing_here())?;
        Ok(Arg { label, value, arrow: values.next(), clauses })
    }

    fn if_expression(&self, pair: Pair<'_, Rule>) -> Result<Expr> {
        let span = self.span(&pair);
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut condition = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expression => condition = Some(self.expression(part)?),
                Rule::block => {
                    let condition = condition.take().ok_or_else(|| self.nothing_here())?;
                    arms.push((condition, self.block(part)?));
                }
                Rule::otherwise => otherwise = part.into_inner().next().map(|block| self.block(block)).transpose()?,
                _ => {}
            }
        }
        Ok(Expr { kind: ExprKind::If(Box::new(IfExpr { arms, otherwise })), span })
    }
}

/// Digits, perhaps with a sign in front, as a number.
fn number(digits: &str) -> BigInt {
    digits.parse().unwrap_or_default()
}
