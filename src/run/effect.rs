//! Words and permutations as operands: powers, products, brackets, images, and what counts as a word.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::machine::Machine;
use super::slide::pairs_among;
use super::value::{Fraction, PermValue, Set, Value, WordValue};
use super::{Fault, Instance, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::Perm;
use crate::resolve::program::*;
use crate::source::Span;
use crate::word::Word;

impl Machine<'_> {
    pub(super) fn inverted(&mut self, value: Value, span: Span) -> Run<Value> {
        match value {
            Value::Word(word) => Ok(Value::Word(WordValue { word: word.word.inverse(), of: word.of })),
            Value::Perm(perm) => Ok(Value::Perm(PermValue { perm: perm.perm.inverse(), of: perm.of })),
            Value::Family(..) => {
                let word = self.word_of(&value, span)?;
                self.inverted(Value::Word(word), span)
            }
            // the empty word
            Value::Int(1) => Ok(value),
            Value::Tuple(ref parts) if parts.is_empty() => Ok(value),
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => {
                let shown = self.print(&value);
                Err(Fault::at(
                    codes::NUMBER_IN_WORD,
                    span,
                    format!("the number {shown} has no inverse move"),
                    "a prime behind a number",
                    format!("a prime belongs to a move, as in `R{shown}'`; of a number write `1/{shown}`"),
                ))
            }
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no inverse", other.kind()),
                "a prime here",
                "only words and permutations are inverted with `'`",
            )),
        }
    }

    pub(super) fn power(&mut self, base: Value, exponent: &Value, span: Span, exponent_span: Span) -> Run<Value> {
        let Some(e) = exponent.as_big() else {
            return Err(match exponent {
                Value::Word(_) | Value::Perm(_) | Value::Family(..) => {
                    let (a, b) =
                        (self.source_text(Span { end: exponent_span.start, ..span }), self.source_text(exponent_span));
                    let a = a.trim_end_matches(['^', '{', ' ', '(']).to_string();
                    Fault::Error(Box::new(
                        Diagnostic::at(
                            codes::POWER_OF_WORDS,
                            span,
                            format!("`{a}^{b}` has two meanings in books"),
                            "a word as an exponent",
                        )
                        .help(format!("write `[{b}': {a}]` for {b}' {a} {b}, or `[{b}: {a}]` for {b} {a} {b}'")),
                    ))
                }
                other => Fault::at(
                    codes::WRONG_KIND,
                    exponent_span,
                    format!("an exponent is an integer, not {}", other.kind()),
                    "this exponent",
                    "write an integer",
                ),
            });
        };
        match base {
            Value::Word(word) => Ok(Value::Word(WordValue { word: word.word.pow(&e), of: word.of })),
            Value::Perm(perm) => Ok(Value::Perm(PermValue { perm: perm.perm.pow(&e), of: perm.of })),
            Value::Family(..) => {
                let word = self.word_of(&base, span)?;
                self.power(Value::Word(word), exponent, span, exponent_span)
            }
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => self.number_power(&base, &e, span),
            Value::Tuple(parts) if parts.is_empty() => Ok(Value::Tuple(parts)),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no powers", other.kind()),
                "a power here",
                "only words, permutations and numbers have powers",
            )),
        }
    }

    fn number_power(&mut self, base: &Value, e: &BigInt, span: Span) -> Run<Value> {
        let Some(base) = base.as_fraction() else { return Ok(Value::Nothing) };
        let bits = base.numer().bits().max(base.denom().bits());
        let trivial = bits <= 1 && base.is_integer();
        let power = match e.magnitude().to_u32() {
            Some(power) => power,
            // only 0, 1 and -1 have such powers
            None if trivial => u32::from(e.bit(0)) + 2,
            None => return Err(self.room_for(u128::MAX, span).err().unwrap_or(Fault::Interrupted)),
        };
        self.room_for(u128::from(bits) * u128::from(power) / 128, span)?;
        let limbs = bits * u64::from(power) / 64 + 1;
        self.charge(limbs.saturating_mul(limbs.isqrt()) / 8, span)?;
        let raised = Fraction::new_raw(base.numer().pow(power), base.denom().pow(power));
        if e.sign() == num_bigint::Sign::Minus {
            if raised.numer().bits() == 0 {
                return Err(Fault::at(
                    codes::DIVISION_BY_ZERO,
                    span,
                    "zero has no negative power",
                    "division by zero",
                    "check the base",
                ));
            }
            return Ok(Value::fraction(raised.recip()));
        }
        Ok(Value::fraction(raised))
    }

    pub(super) fn same_puzzle(
        &self,
        of: &mut Option<Arc<Instance>>,
        next: &Option<Arc<Instance>>,
        span: Span,
    ) -> Run<()> {
        match (&of, next) {
            (Some(one), Some(two)) if one.is_pairs_of(two) || two.is_pairs_of(one) => Err(pairs_and_cells(one, span)),
            (Some(one), Some(two)) if !Arc::ptr_eq(one, two) => Err(other_puzzle(span, &one.name, &two.name)),
            (None, Some(two)) => {
                *of = Some(two.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The product of words, each with its place, which must be of one puzzle.
    pub(super) fn joined_words(&mut self, words: Vec<(WordValue, Span)>, span: Span) -> Run<Value> {
        let mut of = None;
        let mut parts = Vec::with_capacity(words.len());
        for (word, place) in words {
            self.same_puzzle(&mut of, &word.of, place)?;
            parts.push(word.word);
        }
        let word = Word::product(parts).map_err(|_| other_puzzle(span, "", ""))?;
        Ok(Value::Word(WordValue { word, of }))
    }

    /// First `before`, then `next`.
    pub(super) fn perm_product(&mut self, before: PermValue, next: PermValue, span: Span) -> Run<PermValue> {
        let (a, b) = self.aligned(before, next, span)?;
        Ok(PermValue { perm: a.perm.then(&b.perm), of: a.of })
    }

    /// Two permutations on the same points: one of integers also permutes the cells with those numbers.
    pub(super) fn aligned(&mut self, a: PermValue, b: PermValue, span: Span) -> Run<(PermValue, PermValue)> {
        let mut of = None;
        self.same_puzzle(&mut of, &a.of, span)?;
        self.same_puzzle(&mut of, &b.of, span)?;
        let degree = match &of {
            Some(instance) => instance.cells.len(),
            None => a.perm.degree().max(b.perm.degree()),
        };
        let widen = |value: PermValue| -> Run<PermValue> {
            if value.perm.degree() > degree {
                let name = of.as_ref().map_or(String::new(), |instance| instance.name.clone());
                return Err(Fault::at(
                    codes::NOT_A_CELL,
                    span,
                    format!("{} has only {degree} cells", name),
                    format!("this moves number {}", value.perm.degree()),
                    "write the cycle inside `on …`, with its cells",
                ));
            }
            if value.perm.degree() == degree {
                return Ok(PermValue { perm: value.perm, of: of.clone() });
            }
            Ok(PermValue { perm: value.perm.then(&Perm::identity(degree)), of: of.clone() })
        };
        Ok((widen(a)?, widen(b)?))
    }

    /// What a word or permutation does, without a message if it cannot be said.
    pub fn permutation_of(&mut self, value: &Value) -> Option<PermValue> {
        let has_effect = match value {
            Value::Word(_) | Value::Perm(_) | Value::Family(..) | Value::Int(1) => true,
            Value::Tuple(parts) => parts.is_empty(),
            _ => false,
        };
        has_effect.then(|| self.perm_of(value, Span::default()).ok()).flatten()
    }

    /// Are two values known to differ? Without a message where they cannot be compared.
    pub fn differ(&mut self, a: &Value, b: &Value) -> bool {
        matches!(self.equal(a, b, Span::default()), Ok(false))
    }

    /// [`Self::aligned`] without a message.
    pub fn aligned_quietly(&mut self, a: PermValue, b: PermValue) -> Option<(PermValue, PermValue)> {
        self.aligned(a, b, Span::default()).ok()
    }

    /// `[A, B]` and `[A: B]`
    pub(super) fn bracket(&mut self, bracket: &Bracket, span: Span) -> Run<Value> {
        let texts: Vec<String> = bracket.entries.iter().map(|entry| crop(&self.source_text(entry.span))).collect();
        match (bracket.entries.as_slice(), bracket.separators.as_slice()) {
            ([_], _) => Err(Fault::at(
                codes::BRACKET_WITHOUT_SEPARATOR,
                span,
                "a bracket needs a comma or a colon",
                "this bracket has one part",
                "write the commutator `[A, B]` = A B A' B', or the conjugate `[A: B]` = A B A'",
            )),
            ([_, _, ..], _) if bracket.entries.len() > 2 => {
                let mut help = Vec::new();
                if let [a, b, c] = texts.as_slice() {
                    let s = &bracket.separators;
                    help.push(format!("`[[{a}{} {b}]{} {c}]`", s[0], s[1]));
                    help.push(format!("`[{a}{} [{b}{} {c}]]`", s[0], s[1]));
                }
                Err(Fault::at(
                    codes::BRACKET_TOO_MANY,
                    span,
                    "a bracket has two parts",
                    format!("{} here", bracket.entries.len()),
                    if help.is_empty() {
                        "nest brackets: `[[A, B], C]`".to_string()
                    } else {
                        format!("nest it: {}", help.join(" or "))
                    },
                ))
            }
            ([a, b], [separator]) => {
                let (left, right) = (self.eval(a)?, self.eval(b)?);
                let conjugate = *separator == ':';
                if !matches!(left, Value::Perm(_)) && !matches!(right, Value::Perm(_)) {
                    let (left, right) = (self.word_of(&left, a.span)?, self.word_of(&right, b.span)?);
                    let mut of = None;
                    self.same_puzzle(&mut of, &left.of, a.span)?;
                    self.same_puzzle(&mut of, &right.of, b.span)?;
                    let word = if conjugate {
                        Word::conjugate(&left.word, &right.word)
                    } else {
                        Word::commutator(&left.word, &right.word)
                    };
                    let word = word.map_err(|_| other_puzzle(span, "", ""))?;
                    return Ok(Value::Word(WordValue { word, of }));
                }
                let pairs = pairs_among([&left, &right]);
                let left = self.operand(&left, pairs.as_ref(), a.span)?;
                let right = self.operand(&right, pairs.as_ref(), b.span)?;
                let (left, right) = self.aligned(left, right, span)?;
                let perm = if conjugate {
                    Perm::conjugate(&left.perm, &right.perm)
                } else {
                    Perm::commutator(&left.perm, &right.perm)
                };
                Ok(Value::Perm(PermValue { perm, of: left.of }))
            }
            _ => Err(Fault::at(
                codes::BRACKET_WITHOUT_SEPARATOR,
                span,
                "an empty bracket",
                "nothing in it",
                "write `[A, B]` or `[A: B]`",
            )),
        }
    }

    /// A value where a word is needed.
    pub(super) fn word_of(&mut self, value: &Value, span: Span) -> Run<WordValue> {
        match value {
            Value::Word(word) => Ok(word.clone()),
            Value::Int(1) => Ok(WordValue { word: Word::empty(), of: None }),
            Value::Tuple(parts) if parts.is_empty() => Ok(WordValue { word: Word::empty(), of: None }),
            Value::Family(instance, id) => match instance.letter(*id) {
                Some(letter) => Ok(instance.letter_word(letter)),
                None => Err(self.no_default(instance, *id, span)),
            },
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => {
                let shown = self.print(value);
                Err(Fault::at(
                    codes::NUMBER_IN_WORD,
                    span,
                    format!("the number {shown} stands where a word is needed"),
                    "a number",
                    "the only number that is a word is 1, the empty word",
                ))
            }
            Value::Tuple(_) if self.instance.as_ref().is_some_and(|instance| instance.number_of(value).is_some()) => {
                Err(Fault::at(
                    codes::TUPLE_FOR_CYCLE,
                    span,
                    "a cell stands where a word is needed",
                    "this is one cell",
                    "a cycle names its cells one after another: `((1,1) (1,2))`",
                ))
            }
            Value::Tuple(_) => Err(Fault::at(
                codes::TUPLE_FOR_CYCLE,
                span,
                "a tuple stands where a word is needed",
                "with commas it is a tuple",
                as_cycle(value),
            )),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("a word is needed here, not {}", other.kind()),
                "not a word",
                match other {
                    Value::Group(_) => {
                        "what groups and words generate together is `group(G, H)`, with commas".to_string()
                    }
                    Value::Instance(instance) => {
                        format!("for the group of its moves write `on {} {{ … group() … }}`", instance.name)
                    }
                    Value::Puzzle(_) => "for the group of its moves write `on PUZZLE(…) { … group() … }`".to_string(),
                    Value::Function(closure) if closure.function.algorithm => {
                        format!("`run {}` gives the word that it does", call_of(&closure.function))
                    }
                    Value::Function(closure) => format!("call it: `{}`", call_of(&closure.function)),
                    Value::Board(_) => {
                        "`perm(b)` is what leads from the solved board to b, `solve(b)` a word that solves it"
                            .to_string()
                    }
                    Value::Homomorphism(_) => "of a map, ask about `image(h)` or `kernel(h)`".to_string(),
                    _ => "write moves, or a name of a word".to_string(),
                },
            )),
        }
    }

    /// A value where a permutation is needed: also a word (what it does), 1 and `()`.
    pub(super) fn perm_of(&mut self, value: &Value, span: Span) -> Run<PermValue> {
        if let Value::Perm(perm) = value {
            return Ok(perm.clone());
        }
        let word = self.word_of(value, span)?;
        let of = word.of.or_else(|| self.instance.clone());
        let perm = match &of {
            Some(instance) if instance.sliding().is_some() => {
                // a word of another puzzle would have letters of its own
                if word.word.alphabet().is_some_and(|alphabet| !Arc::ptr_eq(alphabet, instance.alphabet())) {
                    return Err(other_puzzle(span, "", &instance.name));
                }
                self.slid_from_home(&word.word, instance, span)?
            }
            Some(instance) => {
                self.charge(1 + instance.cells.len() as u64 / 64, span)?;
                word.word.evaluate_on(instance.alphabet()).map_err(|_| other_puzzle(span, "", &instance.name))?
            }
            None => Perm::identity(0),
        };
        Ok(PermValue { perm, of })
    }

    /// Where the content of a cell ends up; sets and tuples of cells element by element, at any depth.
    pub(super) fn image_of(&mut self, word: &Value, argument: &Value, span: Span) -> Run<Value> {
        if let Value::Board(board) = argument {
            return self.board_after(word, &board.clone(), span);
        }
        let perm = self.perm_of(word, span)?;
        self.map_cells(&perm, argument, span)
    }

    fn map_cells(&mut self, perm: &PermValue, value: &Value, span: Span) -> Run<Value> {
        let Some(instance) = &perm.of else {
            return match value {
                Value::Int(k) => {
                    let inside = *k >= 1 && (*k as u64) <= perm.perm.degree() as u64;
                    Ok(Value::Int(if inside { i64::from(perm.perm.image(*k as u32 - 1)) + 1 } else { *k }))
                }
                _ => self.map_inside(perm, value, span),
            };
        };
        if let Some(number) = instance.number_of(value) {
            return Ok(instance.cell(perm.perm.image(number)));
        }
        // numbers side by side are one cell that does not exist, not a tuple of cells
        let flat = |parts: &[Value]| parts.iter().all(|part| matches!(part, Value::Int(_) | Value::Big(_)));
        if !instance.cells.is_plain() && matches!(value, Value::Tuple(parts) if !parts.is_empty() && flat(parts)) {
            return Err(self.no_cell(value, &instance.clone(), span));
        }
        if instance.looks_like_cell(value) || !matches!(value, Value::Tuple(_) | Value::Set(_) | Value::Range(..)) {
            return Err(self.no_cell(value, instance, span));
        }
        self.map_inside(perm, value, span)
    }

    fn map_inside(&mut self, perm: &PermValue, value: &Value, span: Span) -> Run<Value> {
        match value {
            Value::Tuple(parts) => {
                let mapped = parts.iter().map(|part| self.map_cells(perm, part, span)).collect::<Run<Vec<Value>>>()?;
                Ok(Value::tuple(mapped))
            }
            Value::Range(..) => {
                self.room_for(value.size().unwrap_or(0) as u128, span)?;
                let elements = Value::tuple(value.elements().unwrap_or_default());
                self.map_inside(perm, &elements, span)
            }
            Value::Set(set) => {
                let mapped = set.iter().map(|part| self.map_cells(perm, part, span)).collect::<Run<Vec<Value>>>()?;
                Ok(Value::Set(Arc::new(Set::new(mapped))))
            }
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("a word does not move {}", other.kind()),
                "the argument of an image",
                "give it a cell, a set of cells or a tuple of cells",
            )),
        }
    }
}

/// A permutation of the pairs of the blank and a tile meets one of the cells.
pub(super) fn pairs_and_cells(of: &Instance, span: Span) -> Fault {
    Fault::at(
        codes::OTHER_PUZZLE,
        span,
        format!("the group of {} moves pairs of the blank and a tile, this is a permutation of its cells", of.name),
        "of cells",
        "give it a word: its moves say what happens wherever the blank is",
    )
}

pub fn other_puzzle(span: Span, one: &str, two: &str) -> Fault {
    let title = if one.is_empty() {
        "words of two puzzles cannot be mixed".to_string()
    } else {
        format!("a word of {two} meets a word of {one}")
    };
    Fault::at(
        codes::OTHER_PUZZLE,
        span,
        title,
        "of another puzzle",
        "work with words of one puzzle at a time: `on P(…) { … }`",
    )
}

/// `f(x, y)`; an algorithm without parameters needs no parentheses.
fn call_of(function: &crate::resolve::program::Function) -> String {
    match function.params.is_empty() && function.algorithm {
        true => function.name.to_string(),
        false => format!("{}({})", function.name, function.params.join(", ")),
    }
}

/// A piece of the script short enough for a message.
pub fn crop(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > 40 { line.chars().take(39).chain(['…']).collect() } else { line }
}

/// What somebody meant who wrote a tuple for a cycle: the same without the commas.
pub(super) fn as_cycle(value: &Value) -> String {
    let element = |part: &Value| -> Option<String> {
        match part {
            Value::Int(k) => Some(k.to_string()),
            Value::Tuple(_) | Value::Range(..) => {
                let parts: Option<Vec<String>> = part
                    .elements()?
                    .iter()
                    .map(|k| if let Value::Int(k) = k { Some(k.to_string()) } else { None })
                    .collect();
                Some(format!("({})", parts?.join(",")))
            }
            _ => None,
        }
    };
    let elements: Option<Vec<String>> = value
        .elements()
        .filter(|parts| (2..=8).contains(&parts.len()))
        .and_then(|parts| parts.iter().map(element).collect());
    match elements {
        Some(elements) => format!("a cycle is written with blanks between its cells: `({})`", elements.join(" ")),
        None => "a cycle is written with blanks between its cells: `(1 2 3)`, `((1,1) (2,3))`".to_string(),
    }
}
