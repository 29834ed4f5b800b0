//! Letters, and what stands for a word.

use std::sync::Arc;

use super::word::{Letter, WordKind, WordNode};
use super::{SymbolicPuzzle, Word, same_values, wrong};
use crate::prove::Poly;
use crate::resolve::program::MoveId;
use crate::source::Span;
use crate::symbolic::scope::elsewhere;
use crate::symbolic::{Follow, Machine, Value};

impl Machine<'_> {
    /// The member of a family with these indices, or a plain move without any.
    pub fn letter(&mut self, of: &Arc<SymbolicPuzzle>, id: MoveId, indices: &[Poly], span: Span) -> Follow<Word> {
        let fits = |kept: &(MoveId, Vec<Poly>, Arc<WordNode>)| kept.0 == id && kept.1 == indices;
        if let Some((.., node)) = of.letters.find(&self.known, &fits) {
            return Ok(Word::of_node(Some(node), Some(of.clone())));
        }
        let name = of.move_name(id).to_string();
        let Some(the_move) = of.moves.get(id as usize).cloned() else {
            return wrong(span, format!("the move `{name}` of {} is not known yet here", of.name));
        };
        let shown: Vec<String> = indices.iter().map(|index| self.print(&Value::Number(index.clone()))).collect();
        let written = match the_move.default.as_deref() {
            Some(default) if default == indices => name.clone(),
            _ => format!("{name}[{}]", shown.join(",")),
        };
        let mut is_member = indices.len() == of.arity(id);
        for index in indices {
            is_member = is_member && self.is_integer(index, span)?;
        }
        if !is_member || !self.is_member(of, id, indices, span)? {
            return wrong(span, format!("{} has no move `{name}[{}]`", of.name, shown.join(",")));
        }
        let does = self.member_does(&the_move, indices, span)?;
        let letter = Letter { id, indices: indices.to_vec(), name: written.into(), does };
        let node = WordNode::new(WordKind::Letter(letter));
        of.letters.put_among(&self.known, (id, indices.to_vec(), node.clone()), 64);
        Ok(Word::of_node(Some(node), Some(of.clone())))
    }

    /// A plain move, or the default member of a family, if there is one.
    pub fn plain_letter(&mut self, of: &Arc<SymbolicPuzzle>, id: MoveId, span: Span) -> Follow<Option<Word>> {
        let Some(the_move) = of.moves.get(id as usize) else {
            return wrong(span, format!("the move `{}` of {} is not known yet here", of.move_name(id), of.name));
        };
        let Some(indices) = the_move.default.clone() else { return Ok(None) };
        // `M` is an empty family on an even cube
        match self.is_member(of, id, &indices, span)? {
            true => self.letter(of, id, &indices, span).map(Some),
            false => Ok(None),
        }
    }

    /// A value where a word is needed.
    pub fn word_of(&mut self, value: &Value, span: Span) -> Follow<Word> {
        match value {
            Value::Word(word) => Ok(word.clone()),
            Value::Number(number) => {
                let number = number.clone();
                match self.is_number(&number, 1, span)? {
                    true => Ok(Word::empty()),
                    false => wrong(span, format!("the number {} stands where a word is needed", self.print(value))),
                }
            }
            Value::Tuple(parts) if parts.is_empty() => Ok(Word::empty()),
            Value::Family(of, id) => match self.plain_letter(of, *id, span)? {
                Some(word) => Ok(word),
                None => wrong(span, format!("`{}` is a family of moves: which one is meant?", of.move_name(*id))),
            },
            Value::Tuple(_) => wrong(span, "a tuple stands where a word is needed"),
            Value::Range(..) | Value::Sequence(_) => match self.elements_if(value, 0, span)? {
                Some(_) => Ok(Word::empty()),
                None => wrong(span, "a sequence stands where a word is needed"),
            },
            Value::Other(kind) => Err(elsewhere(kind, span)),
            other => wrong(span, format!("a word is needed here, not {}", other.kind())),
        }
    }

    /// Whether two puzzles are the same; words of two cannot be mixed.
    pub(super) fn is_same_puzzle(
        &mut self,
        one: &Arc<SymbolicPuzzle>,
        two: &Arc<SymbolicPuzzle>,
        span: Span,
    ) -> Follow<bool> {
        if Arc::ptr_eq(one, two) {
            return Ok(true);
        }
        if one.puzzle.id != two.puzzle.id {
            return Ok(false);
        }
        if same_values(&one.args, &two.args) {
            return Ok(true);
        }
        self.equal(&Value::tuple(one.args.clone()), &Value::tuple(two.args.clone()), span)
    }

    /// The puzzle of two things that are put together.
    pub(super) fn joined(
        &mut self,
        of: &mut Option<Arc<SymbolicPuzzle>>,
        next: &Option<Arc<SymbolicPuzzle>>,
        span: Span,
    ) -> Follow<()> {
        match (&of, next) {
            (Some(one), Some(two)) => {
                let (one, two) = (one.clone(), two.clone());
                match self.is_same_puzzle(&one, &two, span)? {
                    true => Ok(()),
                    false => wrong(span, format!("a word of {} meets a word of {}", two.name, one.name)),
                }
            }
            (None, Some(two)) => {
                *of = Some(two.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
