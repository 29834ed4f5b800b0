//! New words from old ones, part by part: replaced letters, and the same text read by other conventions.

use rustc_hash::FxHashMap;

use super::{Letter, MixedAlphabets, Shape, Word};

/// Another way in which books read words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// the last move is done first
    RightToLeft,
    /// [a, b] is a' b' a b
    InverseFirstCommutator,
    /// [a: b] is a' b a
    InverseFirstConjugate,
    /// every move turns the other way
    OtherDirection,
}

impl Word {
    /// Computes something from the parts upwards; shared parts once. `combine` gets a part and the results of its
    /// direct parts, in order. Never recursive. Cost: the number of different parts.
    pub fn fold<T: Clone>(&self, combine: &mut dyn FnMut(Shape<'_>, &[T]) -> T) -> T {
        let mut done: FxHashMap<usize, T> = FxHashMap::default();
        let mut waiting = vec![self.clone()];
        while let Some(word) = waiting.last().cloned() {
            let Some(key) = word.key() else {
                waiting.pop();
                continue;
            };
            if done.contains_key(&key) {
                waiting.pop();
                continue;
            }
            let parts: Vec<&Word> = match word.shape() {
                Shape::Empty | Shape::Letters(_) => Vec::new(),
                Shape::Product(parts) => parts.iter().collect(),
                Shape::Inverse(part) | Shape::Power(part, _) => vec![part],
                Shape::Commutator(a, b) | Shape::Conjugate(a, b) => vec![a, b],
            };
            let missing: Vec<Word> = parts
                .iter()
                .filter(|part| part.key().is_some_and(|key| !done.contains_key(&key)))
                .map(|part| (*part).clone())
                .collect();
            if missing.is_empty() {
                let mut results = Vec::with_capacity(parts.len());
                for part in &parts {
                    results.push(match part.key() {
                        Some(key) => done[&key].clone(),
                        None => combine(Shape::Empty, &[]),
                    });
                }
                let result = combine(word.shape(), &results);
                done.insert(key, result);
                waiting.pop();
            } else {
                waiting.extend(missing);
            }
        }
        match self.key().and_then(|key| done.remove(&key)) {
            Some(result) => result,
            None => combine(Shape::Empty, &[]),
        }
    }

    /// The word with every letter replaced; an inverse letter by the inverse of what replaces the letter.
    pub fn substitute(&self, image: &mut dyn FnMut(Letter) -> Word) -> Result<Word, MixedAlphabets> {
        self.fold(&mut |shape, parts: &[Result<Word, MixedAlphabets>]| {
            let letter = |letter: &Letter, image: &mut dyn FnMut(Letter) -> Word| {
                if letter.is_inverse() { image(letter.inverse()).inverse() } else { image(*letter) }
            };
            match shape {
                Shape::Letters(letters) => Word::product(letters.iter().map(|l| letter(l, image)).collect()),
                other => rebuilt(other, parts),
            }
        })
    }

    /// The word that somebody with another convention means by the same text.
    pub fn read_as(&self, reading: Reading) -> Word {
        let read = self.fold(&mut |shape, parts: &[Result<Word, MixedAlphabets>]| match (reading, shape) {
            (Reading::OtherDirection, Shape::Letters(letters)) => {
                letters_of(self, letters.iter().map(|letter| letter.inverse()).collect())
            }
            (Reading::RightToLeft, Shape::Letters(letters)) => {
                letters_of(self, letters.iter().rev().copied().collect())
            }
            (Reading::RightToLeft, Shape::Product(_)) => {
                Word::product(parts.iter().rev().cloned().collect::<Result<_, _>>()?)
            }
            // a b a' b' from the right is b' a' b a
            (Reading::RightToLeft, Shape::Commutator(..)) => {
                Word::commutator(&parts[1].clone()?.inverse(), &parts[0].clone()?.inverse())
            }
            // a b a' from the right is a' b a
            (Reading::RightToLeft | Reading::InverseFirstConjugate, Shape::Conjugate(..)) => {
                Word::conjugate(&parts[0].clone()?.inverse(), &parts[1].clone()?)
            }
            (Reading::InverseFirstCommutator, Shape::Commutator(..)) => {
                Word::commutator(&parts[0].clone()?.inverse(), &parts[1].clone()?.inverse())
            }
            (_, Shape::Letters(letters)) => letters_of(self, letters.to_vec()),
            (_, other) => rebuilt(other, parts),
        });
        // all parts are words of one alphabet, so nothing can be mixed
        read.unwrap_or_else(|_| self.clone())
    }

    /// Does the word contain a commutator or a conjugate?
    pub fn has_brackets(&self) -> (bool, bool) {
        self.fold(&mut |shape, parts: &[(bool, bool)]| {
            let inside = parts.iter().fold((false, false), |a, b| (a.0 || b.0, a.1 || b.1));
            (inside.0 || matches!(shape, Shape::Commutator(..)), inside.1 || matches!(shape, Shape::Conjugate(..)))
        })
    }
}

fn letters_of(word: &Word, letters: Vec<Letter>) -> Result<Word, MixedAlphabets> {
    match word.alphabet() {
        Some(alphabet) => Word::letters(alphabet, letters).map_err(|_| MixedAlphabets),
        None => Ok(Word::empty()),
    }
}

/// The same construction with other parts.
fn rebuilt(shape: Shape<'_>, parts: &[Result<Word, MixedAlphabets>]) -> Result<Word, MixedAlphabets> {
    let part = |at: usize| parts.get(at).cloned().unwrap_or(Err(MixedAlphabets));
    match shape {
        Shape::Empty | Shape::Letters(_) => Ok(Word::empty()),
        Shape::Product(_) => Word::product(parts.iter().cloned().collect::<Result<_, _>>()?),
        Shape::Inverse(_) => Ok(part(0)?.inverse()),
        Shape::Power(_, exponent) => Ok(part(0)?.pow_exponent(exponent.clone())),
        Shape::Commutator(..) => Word::commutator(&part(0)?, &part(1)?),
        Shape::Conjugate(..) => Word::conjugate(&part(0)?, &part(1)?),
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::perm::Perm;
    use crate::word::Alphabet;

    #[test]
    fn readings_are_what_their_spelled_out_letters_are() {
        let cycle = |points: Vec<u32>| Perm::from_cycles(6, &[points]).unwrap();
        let alphabet =
            Alphabet::new(6, vec![("X".into(), cycle(vec![0, 1, 2, 3])), ("Y".into(), cycle(vec![2, 3, 4, 5]))]);
        let letter = |generator| Word::letters(&alphabet, vec![Letter::new(generator, false)]).unwrap();
        let (x, y) = (letter(0), letter(1));
        let a = x.then(&y).unwrap().then(&y.inverse()).unwrap();
        let word =
            Word::commutator(&a, &Word::conjugate(&y, &x).unwrap()).unwrap().pow(&BigInt::from(3)).then(&y).unwrap();
        let mut letters = word.spell(1000).unwrap();
        letters.reverse();
        let reversed = Word::letters(&alphabet, letters).unwrap();
        assert_eq!(word.read_as(Reading::RightToLeft).evaluate(), reversed.evaluate());
        let other = reversed.inverse();
        assert_eq!(word.read_as(Reading::OtherDirection).evaluate(), other.evaluate());
        assert_eq!(Word::commutator(&x, &y).unwrap().read_as(Reading::InverseFirstCommutator).to_text(100), "[X', Y']");
        assert_eq!(Word::conjugate(&x, &y).unwrap().read_as(Reading::InverseFirstConjugate).to_text(100), "[X': Y]");
        let swapped = word.substitute(&mut |l| letter(1 - l.generator())).unwrap();
        assert_eq!(swapped.substitute(&mut |l| letter(1 - l.generator())).unwrap().evaluate(), word.evaluate());
    }
}
