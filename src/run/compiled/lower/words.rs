//! `do w`: words that are known, and words that are chosen while running.

use std::sync::Arc;

use super::{Lowering, Lowers, Refused, Table};
use crate::resolve::program::*;
use crate::run::compiled::code::{Code, Reg};
use crate::run::compiled::effect::{Effect, LONG_WORD};
use crate::run::compiled::low::Low;
use crate::run::value::Value;
use crate::word::{Letter, Word};

/// A part of what is done.
enum Piece {
    Known(u32),
    Chosen(Reg),
    /// a word some times, backward if the number is negative: the word, its inverse, the number
    Times(Chosen, Chosen, Reg),
}

#[derive(Clone, Copy)]
enum Chosen {
    Word(u32),
    Reg(Reg),
}

impl Lowering<'_, '_> {
    /// The number of a known word among the effects.
    pub(super) fn word_number(&mut self, value: &Value) -> Lowers<u32> {
        let word = match value {
            Value::Word(_) | Value::Int(1) | Value::Family(..) => {
                self.apart(|machine| machine.word_of(value, Default::default()))
            }
            Value::Tuple(parts) if parts.is_empty() => self.apart(|machine| machine.word_of(value, Default::default())),
            _ => None,
        };
        let word = word.ok_or(Refused("a word is needed"))?;
        if word.of.as_ref().is_some_and(|of| !Arc::ptr_eq(of, &self.instance)) {
            return Err(Refused("a word of another puzzle"));
        }
        self.effect(&word.word)
    }

    fn effect(&mut self, word: &Word) -> Lowers<u32> {
        let only = (word.moves() == Some(1)).then(|| word.letters_iter().next()).flatten();
        let key = match only {
            Some(letter) => (true, 2 * letter.generator() + usize::from(letter.is_inverse())),
            None => (false, word.key().unwrap_or(0)),
        };
        if let Some(number) = self.known_effects.get(&key) {
            return Ok(*number);
        }
        let effect = match only {
            Some(letter) => self.instance.letter_effect(letter),
            None => Effect::new(word, self.instance.sliding().is_some()).map(Arc::new),
        };
        self.effects.push(effect.ok_or(Refused("a very long word"))?);
        let number = self.effects.len() as u32 - 1;
        self.known_effects.insert(key, number);
        Ok(number)
    }

    /// The number of a known word that a register will have.
    pub(super) fn chosen_word(&mut self, value: &Value) -> Lowers<u32> {
        let number = self.word_number(value)?;
        let effect = &self.effects[number as usize];
        // several of them together must stay short enough to be done letter by letter
        if self.instance.sliding().is_none() && effect.letters.is_none() {
            return Err(Refused("a long word is chosen while running"));
        }
        self.longest_chosen = self.longest_chosen.max(effect.moves);
        Ok(number)
    }

    /// The inverse of a word whose number is in a register.
    pub(super) fn inverse_word(&mut self, word: Reg) -> Lowers<Low> {
        let mut inverses = Vec::new();
        for number in 0..self.effects.len() {
            let effect = self.effects[number].clone();
            let inverse = match effect.letters.as_deref() {
                Some([letter]) => {
                    let letters: Vec<Letter> = vec![letter.inverse()];
                    let word = Word::letters(self.instance.alphabet(), letters);
                    self.effect(&word.map_err(|_| Refused("a letter is missing"))?)?
                }
                _ => self.effect(&effect.word.inverse())?,
            };
            inverses.push(inverse as i32);
        }
        let table = self.add_table(Table { first: 0, values: inverses.into() })?;
        let to = self.take(1)?;
        self.emit(Code::Look(to, word, table))?;
        Ok(Low::Word(to))
    }

    /// `do w`
    pub(super) fn do_words(&mut self, what: &Ex) -> Lowers<()> {
        if let Some(value) = self.constant(what) {
            let word = self.word_number(&value)?;
            return self.do_known(word);
        }
        let mut pieces = Vec::new();
        match &what.kind {
            ExKind::Run(factors) => self.pieces(factors, &mut pieces)?,
            ExKind::Paren(args) if args.items.len() == 1 && super::condition::is_plain(args) => {
                return self.do_words(&args.items[0].value);
            }
            _ => {
                let value = self.low(what)?;
                pieces.push(self.piece(value)?);
            }
        }
        self.do_pieces(pieces)
    }

    fn do_known(&mut self, word: u32) -> Lowers<()> {
        if self.effects[word as usize].moves == 0 {
            return Ok(());
        }
        self.emit(Code::Do(word))
    }

    fn piece(&mut self, value: Low) -> Lowers<Piece> {
        match self.looked_up(value)? {
            Low::Word(reg) => Ok(Piece::Chosen(reg)),
            Low::Const(value) => Ok(Piece::Known(self.word_number(&value)?)),
            _ => Err(Refused("a word is needed")),
        }
    }

    /// The factors of a product.
    fn pieces(&mut self, mut factors: &[Fx], out: &mut Vec<Piece>) -> Lowers<()> {
        while let Some(first) = factors.first() {
            // a power with an exponent that is found out when running stands behind the last atom of a factor
            let used = self.length_of_factor(factors);
            let last = &factors[used - 1];
            let dynamic = match last.postfix.as_slice() {
                [Px { kind: PxKind::Power(exponent), .. }]
                    if used > 1 || self.constant(exponent).is_none() || self.constant(&first.atom).is_none() =>
                {
                    Some(exponent)
                }
                _ => None,
            };
            let Some(exponent) = dynamic else {
                let value = match self.constant(&first.atom) {
                    Some(value) if used == 1 => self.known_factor(value, first)?,
                    _ => {
                        let (value, took) = self.factor(&factors[..used])?;
                        if took != used {
                            return Err(Refused("a product that is not known"));
                        }
                        value
                    }
                };
                out.push(self.piece(value)?);
                factors = &factors[used..];
                continue;
            };
            let base = match (used, self.constant(&first.atom)) {
                (1, Some(value)) => Low::Const(value),
                (1, None) => self.low(&first.atom)?,
                _ => self.without_postfix(&factors[..used])?,
            };
            let exponent = self.low(exponent)?;
            let number = self.number(&exponent)?;
            let (word, inverse) = match self.looked_up(base)? {
                Low::Const(value) => {
                    let word = self.chosen_word(&value)?;
                    let inverse = self.effects[word as usize].clone();
                    let inverse = match inverse.letters.as_deref() {
                        Some([letter]) => Word::letters(self.instance.alphabet(), vec![letter.inverse()])
                            .map_err(|_| Refused("a letter is missing"))?,
                        _ => inverse.word.inverse(),
                    };
                    (Chosen::Word(word), Chosen::Word(self.effect(&inverse)?))
                }
                Low::Word(reg) => {
                    let Low::Word(inverse) = self.inverse_word(reg)? else { return Err(Refused("no word")) };
                    (Chosen::Reg(reg), Chosen::Reg(inverse))
                }
                _ => return Err(Refused("a power of something that is no word")),
            };
            out.push(Piece::Times(word, inverse, number));
            factors = &factors[used..];
        }
        Ok(())
    }

    /// How many atoms belong together: a name and what follows it in parentheses or brackets.
    fn length_of_factor(&self, factors: &[Fx]) -> usize {
        let more = factors[1..]
            .iter()
            .take_while(|factor| matches!(factor.atom.kind, ExKind::Bracket(_) | ExKind::Paren(_)))
            .count();
        let joins = match &factors[0].atom.kind {
            ExKind::Member(_) | ExKind::Global(..) | ExKind::Local(_) | ExKind::Builtin(_) => {
                factors[0].postfix.is_empty()
            }
            ExKind::Move(id) => self.instance.arity(*id) > 0 && factors[0].postfix.is_empty(),
            _ => false,
        };
        if joins { 1 + more } else { 1 }
    }

    /// A factor that is known, with its postfixes.
    fn known_factor(&mut self, value: Value, factor: &Fx) -> Lowers<Low> {
        let mut value = value;
        for postfix in &factor.postfix {
            let exponent = match &postfix.kind {
                PxKind::Power(ex) => self.constant(ex),
                PxKind::Suffix(digits) => Some(Value::integer((**digits).clone())),
                PxKind::Prime => Some(Value::Int(-1)),
                PxKind::Member(_) => None,
            };
            let exponent = exponent.ok_or(Refused("a postfix that is not known"))?;
            let span = Default::default();
            let raised = self.apart(|machine| match exponent {
                Value::Int(-1) => machine.inverted(value.clone(), span),
                _ => machine.power(value.clone(), &exponent, span, span),
            });
            value = raised.ok_or(Refused("a postfix that is not known"))?;
        }
        Ok(Low::Const(value))
    }

    fn without_postfix(&mut self, factors: &[Fx]) -> Lowers<Low> {
        let (last, before) = factors.split_last().ok_or(Refused("a run of nothing"))?;
        let (name, []) = before.split_first().ok_or(Refused("a run of nothing"))? else {
            return Err(Refused("a power of a long call"));
        };
        let value = self.low(&name.atom)?;
        match (&last.atom.kind, &value) {
            (ExKind::Bracket(bracket), Low::Const(Value::Family(instance, id))) => {
                let instance = instance.clone();
                let indices = bracket.entries.iter().map(|entry| self.low(entry)).collect::<Lowers<Vec<Low>>>()?;
                self.member(&instance, *id, &indices)
            }
            (ExKind::Bracket(bracket), _) => {
                let [entry] = bracket.entries.as_slice() else { return Err(Refused("several indices")) };
                let index = self.low(entry)?;
                self.element(&value, &index)
            }
            (ExKind::Paren(args), Low::Const(Value::Function(closure))) if !closure.function.algorithm => {
                let callee = super::call::callee_of(closure);
                let args = self.arguments(args)?;
                self.inline(&callee, args, true)
            }
            _ => Err(Refused("a power of something that is not known")),
        }
    }

    /// Does the pieces one after another. Together they have to be short enough to be done letter by letter.
    fn do_pieces(&mut self, pieces: Vec<Piece>) -> Lowers<()> {
        if self.instance.sliding().is_none() {
            let length = |this: &Self, piece: &Piece| match piece {
                Piece::Known(word) => this.effects[*word as usize].moves,
                Piece::Chosen(_) => this.longest_chosen,
                Piece::Times(..) => 0,
            };
            let fixed: u64 = pieces.iter().map(|piece| length(self, piece)).sum();
            let powers = pieces.iter().filter(|piece| matches!(piece, Piece::Times(..))).count() as u64;
            if fixed > LONG_WORD {
                return Err(Refused("a long word is chosen while running"));
            }
            for piece in &pieces {
                if let Piece::Times(_, _, number) = piece {
                    let most = (LONG_WORD - fixed) / powers / self.longest_chosen.max(1);
                    let (most, least) = (self.constant_reg(most as i64)?, self.constant_reg(-(most as i64))?);
                    self.emit(Code::JumpLess(most, *number, self.bail.0))?;
                    self.emit(Code::JumpLess(*number, least, self.bail.0))?;
                }
            }
        }
        for piece in pieces {
            match piece {
                Piece::Known(word) => self.do_known(word)?,
                Piece::Chosen(reg) => self.emit(Code::DoChosen(reg))?,
                Piece::Times(word, inverse, number) => self.do_times(word, inverse, number)?,
            }
        }
        Ok(())
    }

    fn do_times(&mut self, word: Chosen, inverse: Chosen, number: Reg) -> Lowers<()> {
        let (zero, one) = (self.constant_reg(0)?, self.constant_reg(1)?);
        let (times, counter) = (self.take(1)?, self.take(1)?);
        let (backward, end) = (self.label(), self.label());
        let perform = |word: Chosen| match word {
            Chosen::Word(word) => Code::Do(word),
            Chosen::Reg(reg) => Code::DoChosen(reg),
        };
        self.emit(Code::Move(counter, one))?;
        self.emit(Code::JumpLess(number, zero, backward.0))?;
        self.emit(Code::JumpEqual(number, zero, end.0))?;
        let head = self.label();
        self.here(head);
        self.emit(perform(word))?;
        self.emit(Code::Next(counter, number, head.0))?;
        self.jump(end)?;
        self.here(backward);
        self.emit(Code::Subtract(times, zero, number))?;
        let head = self.label();
        self.here(head);
        self.emit(perform(inverse))?;
        self.emit(Code::Next(counter, times, head.0))?;
        self.here(end);
        Ok(())
    }
}
