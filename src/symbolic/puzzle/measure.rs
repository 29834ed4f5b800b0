//! Lengths and runs of words, from the expression.

use std::sync::Arc;

use super::word::{Letter, Through, WordKind, WordNode};
use super::{Word, beyond, wrong};
use crate::prove::Poly;
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Value};

/// What must be known of a piece to measure what it is put into. Where two pieces meet with the same move, two runs become
/// one.
#[derive(Clone)]
struct Summary {
    length: Poly,
    runs: Poly,
    /// the first and the last move of a piece that has moves
    ends: Option<(Letter, Letter)>,
}

impl Summary {
    fn empty() -> Summary {
        Summary { length: Poly::zero(), runs: Poly::zero(), ends: None }
    }

    fn reversed(mut self) -> Summary {
        self.ends = self.ends.map(|(first, last)| (last, first));
        self
    }
}

/// Words with more moves than that are not spelled out.
const MOST_SPELLED: usize = 2_000;

impl Machine<'_> {
    pub fn length_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let word = self.only_word(value, "length", span)?;
        Ok(Value::Number(self.summary_of(&word, span)?.length))
    }

    pub fn runs_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let word = self.only_word(value, "runs", span)?;
        Ok(Value::Number(self.summary_of(&word, span)?.runs))
    }

    /// Lengths and moves belong to words, not to permutations.
    fn only_word(&mut self, value: &Value, what: &str, span: Span) -> Follow<Word> {
        match value {
            Value::Map(_) => wrong(span, format!("`{what}` is about the moves of a word; a permutation has none")),
            value => self.word_of(value, span),
        }
    }

    fn summary_of(&mut self, word: &Word, span: Span) -> Follow<Summary> {
        match word.node() {
            Some(node) => self.summary(node, span),
            None => Ok(Summary::empty()),
        }
    }

    fn summary(&mut self, node: &Arc<WordNode>, span: Span) -> Follow<Summary> {
        self.step(span)?;
        stacker::maybe_grow(64 << 10, 2 << 20, || match &node.kind {
            WordKind::Letter(letter) => {
                Ok(Summary { length: Poly::int(1), runs: Poly::int(1), ends: Some((letter.clone(), letter.clone())) })
            }
            WordKind::Named(_, part) => self.summary(part, span),
            WordKind::Inverse(part) => Ok(self.summary(part, span)?.reversed()),
            WordKind::Product(parts) => {
                let mut whole = Summary::empty();
                for part in parts {
                    let next = self.summary(part, span)?;
                    whole = self.one_after(whole, next, span)?;
                }
                Ok(whole)
            }
            WordKind::Commutator(a, b) => {
                let (x, y) = (self.summary(a, span)?, self.summary(b, span)?);
                let mut whole = self.one_after(x.clone(), y.clone(), span)?;
                whole = self.one_after(whole, x.reversed(), span)?;
                self.one_after(whole, y.reversed(), span)
            }
            WordKind::Conjugate(a, b) => {
                let (x, y) = (self.summary(a, span)?, self.summary(b, span)?);
                let whole = self.one_after(x.clone(), y, span)?;
                self.one_after(whole, x.reversed(), span)
            }
            WordKind::Each(part, through) => self.summary_of_each(part, through, span),
            WordKind::Power(part, exponent) => {
                let base = self.summary(part, span)?;
                self.repeated(base, exponent, span)
            }
        })
    }

    fn summary_of_each(&mut self, part: &Arc<WordNode>, through: &Through, span: Span) -> Follow<Summary> {
        let Through { var, from, to } = through;
        let count = self.fits(to.sub(from), span)?;
        let count = self.sum_of(&count, &Poly::int(1), span)?;
        if self.is_zero(&count, span)? {
            return Ok(Summary::empty());
        }
        let scope = self.between(*var, from, to, span)?;
        let mut found: Option<(Summary, bool)> = None;
        let leaves = self.each_leaf(&[*var], scope, &mut |machine| {
            let summary = machine.summary(part, span)?;
            // does the next one go on with the same move?
            let meets = match &summary.ends {
                Some((first, last)) => {
                    let next = machine.sum_of(&Poly::var(*var), &Poly::int(1), span)?;
                    let mut first = first.clone();
                    for index in &mut first.indices {
                        let put = index.substitute(&|known| (known == *var).then(|| next.clone()));
                        *index = machine.fits(put, span)?;
                    }
                    machine.is_same_move(last, &first, span)?
                }
                None => false,
            };
            Ok((summary, meets))
        })?;
        for (_, (summary, meets)) in leaves {
            let fixed = |poly: &Poly| !poly.vars().contains(var);
            let is_other = |other: &(Summary, bool)| {
                other.0.length != summary.length || other.0.runs != summary.runs || other.1 != meets
            };
            if !fixed(&summary.length) || !fixed(&summary.runs) || found.as_ref().is_some_and(is_other) {
                return beyond(
                    span,
                    "the length of a product of words of different lengths",
                    "give a range instead: `for n in 5..24`",
                );
            }
            found = Some((summary, meets));
        }
        let Some((each, meets)) = found else { return Ok(Summary::empty()) };
        let Some((first, last)) = each.ends else { return Ok(Summary::empty()) };
        let mut ends = [first, last];
        for (letter, at) in ends.iter_mut().zip([from, to]) {
            for index in &mut letter.indices {
                *index = self.fits(index.substitute(&|known| (known == *var).then(|| at.clone())), span)?;
            }
        }
        let meets = i64::from(meets);
        let runs = self.sum_of(&each.runs, &Poly::int(-meets), span)?;
        let runs = self.fits(runs.mul(&count), span)?;
        let [first, last] = ends;
        Ok(Summary {
            length: self.fits(each.length.mul(&count), span)?,
            runs: self.sum_of(&runs, &Poly::int(meets), span)?,
            ends: Some((first, last)),
        })
    }

    fn one_after(&mut self, a: Summary, b: Summary, span: Span) -> Follow<Summary> {
        let length = self.sum_of(&a.length, &b.length, span)?;
        let mut runs = self.sum_of(&a.runs, &b.runs, span)?;
        let ends = match (a.ends, b.ends) {
            (Some((first, before)), Some((after, last))) => {
                if self.is_same_move(&before, &after, span)? {
                    runs = self.sum_of(&runs, &Poly::int(-1), span)?;
                }
                Some((first, last))
            }
            (one, other) => one.or(other),
        };
        Ok(Summary { length, runs, ends })
    }

    fn repeated(&mut self, base: Summary, exponent: &Poly, span: Span) -> Follow<Summary> {
        if self.is_zero(exponent, span)? {
            return Ok(Summary::empty());
        }
        let (base, times) = match self.at_least_zero(exponent, span)? {
            true => (base, exponent.clone()),
            false => (base.reversed(), self.fits(exponent.neg(), span)?),
        };
        let Some((first, last)) = &base.ends else { return Ok(base) };
        // k runs, or k (runs - 1) + 1 if the ends meet
        let meets = i64::from(self.is_same_move(last, first, span)?);
        let each = self.sum_of(&base.runs, &Poly::int(-meets), span)?;
        let runs = self.fits(each.mul(&times), span)?;
        Ok(Summary {
            length: self.fits(base.length.mul(&times), span)?,
            runs: self.sum_of(&runs, &Poly::int(meets), span)?,
            ends: base.ends,
        })
    }

    /// Are two moves the same, whatever their directions?
    pub(super) fn is_same_move(&mut self, a: &Letter, b: &Letter, span: Span) -> Follow<bool> {
        if a.id != b.id || a.indices.len() != b.indices.len() {
            return Ok(false);
        }
        for (a, b) in a.indices.iter().zip(&b.indices) {
            let difference = self.fits(a.sub(b), span)?;
            if !self.is_zero(&difference, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The moves of a word with their directions, spelled out.
    fn spelled(&mut self, word: &Word, span: Span) -> Follow<Vec<(Letter, bool)>> {
        let mut letters = Vec::new();
        if let Some(node) = word.node() {
            self.spell(node, false, &mut letters, span)?;
        }
        Ok(letters)
    }

    fn spell(&mut self, node: &Arc<WordNode>, back: bool, to: &mut Vec<(Letter, bool)>, span: Span) -> Follow<()> {
        self.step(span)?;
        if to.len() > MOST_SPELLED {
            return beyond(span, "a word that is too long to spell out", "ask what it does");
        }
        stacker::maybe_grow(64 << 10, 2 << 20, || match &node.kind {
            WordKind::Letter(letter) => {
                to.push((letter.clone(), back));
                Ok(())
            }
            WordKind::Named(_, part) => self.spell(part, back, to, span),
            WordKind::Inverse(part) => self.spell(part, !back, to, span),
            WordKind::Product(parts) => {
                for at in 0..parts.len() {
                    let part = if back { &parts[parts.len() - 1 - at] } else { &parts[at] };
                    self.spell(part, back, to, span)?;
                }
                Ok(())
            }
            WordKind::Commutator(a, b) => {
                let (first, second) = if back { (b, a) } else { (a, b) };
                for (part, back) in [(first, false), (second, false), (first, true), (second, true)] {
                    self.spell(part, back, to, span)?;
                }
                Ok(())
            }
            WordKind::Conjugate(a, b) => {
                for (part, back) in [(a, false), (b, back), (a, true)] {
                    self.spell(part, back, to, span)?;
                }
                Ok(())
            }
            WordKind::Each(..) => beyond(
                span,
                "the moves of a product whose length is not fixed",
                "give a range instead: `for n in 5..24`",
            ),
            WordKind::Power(part, exponent) => {
                let Some(times) = exponent.as_int() else {
                    return beyond(
                        span,
                        "the moves of a power whose exponent is not fixed",
                        "give a range instead: `for n in 5..24`",
                    );
                };
                for _ in 0..times.unsigned_abs() {
                    self.spell(part, back != (times < 0), to, span)?;
                }
                Ok(())
            }
        })
    }

    /// Are two words the same moves once neighbours that undo each other are removed?
    pub fn same_moves(&mut self, a: &Value, b: &Value, span: Span) -> Follow<bool> {
        let (x, y) = (self.only_word(a, "same_moves", span)?, self.only_word(b, "same_moves", span)?);
        let mut of = None;
        self.joined(&mut of, &x.of, span)?;
        self.joined(&mut of, &y.of, span)?;
        let (x, y) = (self.reduced(&x, span)?, self.reduced(&y, span)?);
        if x.len() != y.len() {
            return Ok(false);
        }
        for ((a, back), (b, other)) in x.iter().zip(&y) {
            if back != other || !self.is_same_move(a, b, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn reduced(&mut self, word: &Word, span: Span) -> Follow<Vec<(Letter, bool)>> {
        let mut reduced: Vec<(Letter, bool)> = Vec::new();
        for (letter, back) in self.spelled(word, span)? {
            let undone = match reduced.last() {
                Some((last, other)) if *other != back => {
                    let last = last.clone();
                    self.is_same_move(&last, &letter, span)?
                }
                _ => false,
            };
            if undone {
                reduced.pop();
            } else {
                reduced.push((letter, back));
            }
        }
        Ok(reduced)
    }

    /// The moves of a word, spelled out: words of one move each.
    pub fn moves_of(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let word = self.only_word(value, "moves", span)?;
        let moves = self.spelled(&word, span)?;
        Ok(self.as_words(moves, &word))
    }

    /// The word without neighbours that undo each other.
    pub fn reduce(&mut self, value: &Value, span: Span) -> Follow<Value> {
        let word = self.only_word(value, "reduce", span)?;
        let moves = self.reduced(&word, span)?;
        let letters: Vec<Word> = moves.into_iter().map(|(letter, back)| as_word(letter, back, &word)).collect();
        Ok(Value::Word(Word::product(&letters, word.of.clone())))
    }

    fn as_words(&self, moves: Vec<(Letter, bool)>, of: &Word) -> Value {
        Value::tuple(moves.into_iter().map(|(letter, back)| Value::Word(as_word(letter, back, of))).collect())
    }
}

fn as_word(letter: Letter, back: bool, of: &Word) -> Word {
    let word = Word::new(WordKind::Letter(letter), of.of.clone());
    if back { word.inverse() } else { word }
}
