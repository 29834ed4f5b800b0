//! Which expressions depend on nothing that is found out when running.

use rustc_hash::FxHashSet;

use super::Lowering;
use crate::resolve::program::*;
use crate::run::compiled::low::Low;

/// What an expression does with the frame.
#[derive(Default)]
struct Uses {
    reads: Vec<Slot>,
    binds: FxHashSet<Slot>,
    /// it acts on the board, or changes variables
    acts: bool,
}

impl Lowering<'_, '_> {
    /// Does the expression read known values only, and change nothing?
    pub(super) fn is_closed(&self, ex: &Ex) -> bool {
        let mut uses = Uses::default();
        uses.ex(ex);
        !uses.acts
            && uses.reads.iter().all(|slot| {
                uses.binds.contains(slot) || matches!(self.frame.slots.get(*slot as usize), Some(Some(Low::Const(_))))
            })
    }
}

impl Uses {
    fn ex(&mut self, ex: &Ex) {
        stacker::maybe_grow(64 << 10, 2 << 20, || self.deep(ex));
    }

    fn deep(&mut self, ex: &Ex) {
        match &ex.kind {
            ExKind::Local(slot) => self.reads.push(*slot),
            ExKind::Text(parts) => parts.iter().for_each(|part| {
                if let TextPart::Value(ex) = part {
                    self.ex(ex);
                }
            }),
            ExKind::Run(factors) => {
                for factor in factors {
                    self.ex(&factor.atom);
                    for postfix in &factor.postfix {
                        if let PxKind::Power(ex) = &postfix.kind {
                            self.ex(ex);
                        }
                    }
                }
            }
            ExKind::Paren(args) => args.items.iter().for_each(|item| self.item(item)),
            ExKind::Set(items) => items.iter().for_each(|item| self.item(item)),
            ExKind::Bracket(bracket) => bracket.entries.iter().for_each(|ex| self.ex(ex)),
            ExKind::Unary(_, ex) => self.ex(ex),
            ExKind::Binary(_, left, right) => {
                self.ex(left);
                self.ex(right);
            }
            ExKind::Compare(first, links) => {
                self.ex(first);
                links.iter().for_each(|(_, ex)| self.ex(ex));
            }
            ExKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    self.ex(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            ExKind::Lambda(function) => self.reads.extend(function.captures.iter().map(|(outer, _)| *outer)),
            ExKind::Perform(perform) => {
                self.acts |= !perform.run;
                self.ex(&perform.what);
                perform.from.iter().for_each(|ex| self.ex(ex));
            }
            ExKind::Find(find) => {
                self.ex(&find.up_to);
                find.metric.iter().chain(&find.moves).for_each(|ex| self.ex(ex));
                find.hints.iter().for_each(|(_, ex)| self.ex(ex));
                self.reads.extend(find.condition.captures.iter().map(|(outer, _)| *outer));
            }
            ExKind::Wrong => self.acts = true,
            _ => {}
        }
    }

    fn item(&mut self, item: &Item) {
        self.ex(&item.value);
        item.arrow.iter().for_each(|ex| self.ex(ex));
        item.clauses.iter().for_each(|clauses| self.clauses(clauses));
    }

    fn clauses(&mut self, clauses: &Clauses) {
        for (pattern, ex) in &clauses.each {
            self.pattern(pattern);
            self.ex(ex);
        }
        clauses.condition.iter().for_each(|ex| self.ex(ex));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind(slot, _) => {
                self.binds.insert(*slot);
            }
            Pattern::Equal(slot, _) => self.reads.push(*slot),
            Pattern::Tuple(parts, _) => parts.iter().for_each(|part| self.pattern(part)),
            Pattern::Param(..) | Pattern::Int(..) => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match &statement.kind {
                StKind::Let(pattern, ex) => {
                    self.pattern(pattern);
                    self.ex(ex);
                }
                StKind::Expr(ex) => self.ex(ex),
                _ => self.acts = true,
            }
        }
    }
}

/// The slots that statements give values again, and those of which they replace elements.
pub(super) fn assigned(block: &Block, whole: &mut FxHashSet<Slot>, elements: &mut FxHashSet<Slot>) {
    for statement in &block.statements {
        match &statement.kind {
            StKind::Assign(slot, index, _) => {
                whole.insert(*slot);
                if index.is_some() {
                    elements.insert(*slot);
                }
            }
            StKind::For(_, body) | StKind::While(_, _, body, _) | StKind::Repeat(_, body) | StKind::Loop(_, body) => {
                assigned(body, whole, elements);
            }
            StKind::Expr(Ex { kind: ExKind::If(arms, otherwise), .. }) => {
                arms.iter().for_each(|(_, body)| assigned(body, whole, elements));
                otherwise.iter().for_each(|body| assigned(body, whole, elements));
            }
            StKind::On(_, Some(body)) => assigned(body, whole, elements),
            _ => {}
        }
    }
}
