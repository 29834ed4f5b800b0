//! Values from outside: of globals, and of what claims capture. They are taken over when they are needed.

use std::sync::Arc;

use num_traits::ToPrimitive;

use super::{Closure, Follow, Machine, PermValue, Stop, SymbolicPuzzle, Value};
use crate::perm::Exponent;
use crate::prove::{Form, Piecewise, Poly};
use crate::resolve::program::*;
use crate::run;
use crate::source::Span;
use crate::word::{Letter, Shape, Word};

/// Sets with more elements, and permutations that move more cells, are not taken over.
const LARGEST: usize = 64;

/// Words with more letters are not.
const LONGEST: usize = 2_000;

impl Machine<'_> {
    /// The value of a `let` or `fn` of a file.
    pub(super) fn global(&mut self, module: ModuleId, index: u32, span: Span) -> Follow<Value> {
        if let Some(value) = self.converted.get(&(module, index)) {
            return Ok(value.clone());
        }
        let globals = self.globals.clone();
        let value = match globals.get(module.0 as usize).and_then(|values| values.get(index as usize)) {
            None | Some(run::Value::Nothing) => {
                let name = self.source_text(span);
                return Err(Stop::wrong(span, format!("`{name}` has no value yet")));
            }
            Some(value) => value,
        };
        let mentions_nothing = self.known.constraints.len();
        let value = self.convert(value, span)?;
        debug_assert_eq!(mentions_nothing, self.known.constraints.len());
        // what has no puzzle is good for ever; puzzles are kept by themselves
        if is_lasting(&value) {
            self.converted.insert((module, index), value.clone());
        }
        Ok(value)
    }

    /// A value of the plain machine.
    pub(super) fn convert(&mut self, value: &run::Value, span: Span) -> Follow<Value> {
        stacker::maybe_grow(64 << 10, 2 << 20, || self.convert_deep(value, span))
    }

    fn convert_all(&mut self, values: &[run::Value], span: Span) -> Follow<Vec<Value>> {
        values.iter().map(|value| self.convert(value, span)).collect()
    }

    fn convert_deep(&mut self, value: &run::Value, span: Span) -> Follow<Value> {
        self.step(span)?;
        Ok(match value {
            run::Value::Nothing => Value::Nothing,
            run::Value::Bool(value) => Value::Bool(*value),
            run::Value::Int(value) => Value::int(*value),
            run::Value::Fraction(value) => match (value.numer().to_i64(), value.denom().to_i64()) {
                (Some(num), Some(den)) => match Poly::ratio(num, den) {
                    Ok(poly) => Value::Number(poly),
                    Err(_) => Value::Other("a large number"),
                },
                _ => Value::Other("a large number"),
            },
            run::Value::Big(_) => Value::Other("a large number"),
            run::Value::Text(text) => Value::Text(text.clone()),
            run::Value::Tuple(values) => Value::tuple(self.convert_all(values, span)?),
            run::Value::Range(from, to) => Value::Range(Poly::int(*from), Poly::int(*to)),
            run::Value::Set(set) => {
                if set.len() > LARGEST {
                    return Ok(Value::Other("a set of many elements"));
                }
                let values: Vec<run::Value> = set.iter().cloned().collect();
                let values = self.convert_all(&values, span)?;
                if values.iter().any(|value| matches!(value, Value::Other(_))) {
                    return Ok(Value::Other("a set"));
                }
                self.set_of(values, span)?
            }
            run::Value::Word(word) => match &word.of {
                None => Value::Word(super::Word::empty()),
                Some(of) => {
                    if word.word.moves().is_none_or(|moves| moves > LONGEST as u64) && !is_short(&word.word, &mut 0) {
                        return Ok(Value::Other("a long word"));
                    }
                    let of_here = self.instance_from(of, span)?;
                    self.convert_word(&word.word, of, &of_here, span)?
                }
            },
            run::Value::Perm(perm) => self.convert_perm(perm, span)?,
            run::Value::Family(of, id) => Value::Family(self.instance_from(of, span)?, *id),
            run::Value::Function(closure) => {
                let captured = self.convert_all(&closure.captured, span)?;
                let instance = match &closure.instance {
                    Some(of) => Some(self.instance_from(of, span)?),
                    None => None,
                };
                Value::Function(Arc::new(Closure { function: closure.function.clone(), captured, instance }))
            }
            run::Value::Builtin(id) => Value::Builtin(*id),
            run::Value::Puzzle(id) => Value::Puzzle(*id),
            run::Value::Instance(of) => Value::Instance(self.instance_from(of, span)?),
            run::Value::Map(_) => Value::Other("a dictionary"),
            run::Value::Board(_) => Value::Other("a board"),
            run::Value::Group(_) => Value::Other("a group"),
            run::Value::Homomorphism(_) => Value::Other("a homomorphism"),
        })
    }

    /// A puzzle with numbers for its arguments.
    pub(super) fn instance_from(&mut self, of: &run::Instance, span: Span) -> Follow<Arc<SymbolicPuzzle>> {
        let args = self.convert_all(&of.args, span)?;
        self.puzzle_instance(of.puzzle.id, args, span)
    }

    fn convert_word(
        &mut self,
        word: &Word,
        of: &Arc<run::Instance>,
        here: &Arc<SymbolicPuzzle>,
        span: Span,
    ) -> Follow<Value> {
        self.step(span)?;
        match word.shape() {
            Shape::Empty => Ok(Value::Word(super::Word::empty())),
            Shape::Letters(letters) => {
                let mut all = Vec::with_capacity(letters.len());
                for letter in letters {
                    all.push((self.convert_letter(*letter, of, here, span)?, span));
                }
                match all.as_slice() {
                    [(only, _)] => Ok(only.clone()),
                    _ => self.product(all, span),
                }
            }
            Shape::Product(words) => {
                let mut all = Vec::with_capacity(words.len());
                for word in words {
                    all.push((self.convert_word(word, of, here, span)?, span));
                }
                self.product(all, span)
            }
            Shape::Inverse(word) => {
                let word = self.convert_word(word, of, here, span)?;
                self.inverse_of(&word, span)
            }
            Shape::Power(word, exponent) => {
                let word = self.convert_word(word, of, here, span)?;
                let Exponent::Small(exponent) = exponent else {
                    return Ok(Value::Other("a word with a large exponent"));
                };
                self.power_of(&word, &Poly::int(*exponent), span)
            }
            Shape::Commutator(a, b) => {
                let (a, b) = (self.convert_word(a, of, here, span)?, self.convert_word(b, of, here, span)?);
                self.commutator((&a, span), (&b, span), span)
            }
            Shape::Conjugate(a, b) => {
                let (a, b) = (self.convert_word(a, of, here, span)?, self.convert_word(b, of, here, span)?);
                self.conjugate((&a, span), (&b, span), span)
            }
        }
    }

    fn convert_letter(
        &mut self,
        letter: Letter,
        of: &Arc<run::Instance>,
        here: &Arc<SymbolicPuzzle>,
        span: Span,
    ) -> Follow<Value> {
        let number = letter.generator() as u32;
        for (at, _) in of.puzzle.moves.iter().enumerate() {
            let id = at as MoveId;
            let indices = if of.arity(id) == 0 {
                (of.letter(id) == Some(number)).then(Vec::new)
            } else {
                of.indices(id).iter().find(|indices| of.member_letter(id, indices) == Some(number)).cloned()
            };
            let Some(indices) = indices else { continue };
            let word = match indices.is_empty() {
                true => self.plain_letter(here, id, span)?,
                false => {
                    let indices: Vec<Poly> = indices.iter().map(|index| Poly::int(*index)).collect();
                    Some(self.letter(here, id, &indices, span)?)
                }
            };
            let Some(word) = word else { continue };
            let word = Value::Word(word);
            return if letter.is_inverse() { self.inverse_of(&word, span) } else { Ok(word) };
        }
        Ok(Value::Other("a word"))
    }

    fn convert_perm(&mut self, perm: &run::value::PermValue, span: Span) -> Follow<Value> {
        if perm.perm.moved() > LARGEST {
            return Ok(Value::Other("a permutation of many cells"));
        }
        let here = match &perm.of {
            Some(of) if of.sliding().is_some() => return Ok(Value::Other("a permutation")),
            Some(of) => Some(self.instance_from(of, span)?),
            None => None,
        };
        let width = here.as_ref().map_or(1, |here| here.width);
        let mut product = Piecewise::identity(width);
        for cycle in perm.perm.cycles() {
            let points: Vec<Vec<Form>> = cycle
                .iter()
                .map(|point| match &perm.of {
                    Some(of) => of.cells.coordinates(*point).iter().map(|c| Form::int(*c)).collect(),
                    None => vec![Form::int(i64::from(*point) + 1)],
                })
                .collect();
            let next = self.fits(Piecewise::cycle(width, &points), span)?;
            product = self.done(product.then(&self.known, &next), span)?;
        }
        Ok(Value::Map(PermValue::new(Arc::new(product), here)))
    }
}

/// Has a word an expression that is short, however many moves it has? Powers by small exponents count once.
fn is_short(word: &Word, count: &mut usize) -> bool {
    *count += 1;
    *count < LONGEST
        && match word.shape() {
            Shape::Empty => true,
            Shape::Letters(letters) => {
                *count += letters.len();
                *count < LONGEST
            }
            Shape::Product(words) => words.iter().all(|word| is_short(word, count)),
            Shape::Inverse(word) | Shape::Power(word, _) => is_short(word, count),
            Shape::Commutator(a, b) | Shape::Conjugate(a, b) => is_short(a, count) && is_short(b, count),
        }
}

/// Does a value belong to no puzzle?
fn is_lasting(value: &Value) -> bool {
    match value {
        Value::Nothing
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::Range(..)
        | Value::Set(_)
        | Value::Builtin(_)
        | Value::Puzzle(_)
        | Value::Other(_) => true,
        Value::Tuple(values) => values.iter().all(is_lasting),
        Value::Function(closure) => closure.instance.is_none() && closure.captured.iter().all(is_lasting),
        Value::Sequence(_)
        | Value::Cells(_)
        | Value::Word(_)
        | Value::Map(_)
        | Value::Family(..)
        | Value::Instance(_) => false,
    }
}
