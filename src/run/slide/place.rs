//! Where a move of a word is written: the text is read as moves, powers, groups and brackets, and nothing else.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::run::instance::Instance;
use crate::word::{Letter, Word};

/// A part of a word as it is written.
enum Part {
    /// a move with its postfixes, in bytes of the text
    Move {
        letter: Letter,
        place: (usize, usize),
    },
    Sequence(Vec<Part>),
    Inverse(Box<Part>),
    Power(Box<Part>, BigUint),
    Commutator(Box<Part>, Box<Part>),
    Conjugate(Box<Part>, Box<Part>),
}

/// The place of the move with so many moves before it, in bytes of the text. None where the text is anything else than
/// the moves of the word.
pub(super) fn of_move(text: &str, instance: &Instance, word: &Word, at: &BigUint) -> Option<(usize, usize)> {
    const LONGEST: usize = 100_000;
    if text.len() > LONGEST {
        return None;
    }
    let mut names: Vec<(&str, usize)> =
        (0..instance.alphabet().len()).map(|generator| (instance.alphabet().name(generator), generator)).collect();
    // the longest name that fits is meant
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut reader = Reader { text, at: 0, depth: 0, names };
    let part = reader.sequence()?;
    if reader.at != text.len() || part.length() != word.length() {
        return None;
    }
    let (letter, place) = part.find(at.clone(), false)?;
    let wanted = word.moves().filter(|moves| *moves <= LONGEST as u64).and_then(|_| {
        let at = usize::try_from(at).ok()?;
        word.letters_iter().nth(at)
    });
    // a text that means something else was not understood
    (wanted.is_none() || wanted == Some(letter)).then_some(place)
}

impl Part {
    fn length(&self) -> BigUint {
        match self {
            Part::Move { .. } => BigUint::one(),
            Part::Sequence(parts) => parts.iter().map(Part::length).sum(),
            Part::Inverse(part) => part.length(),
            Part::Power(part, times) => part.length() * times,
            Part::Commutator(a, b) => (a.length() + b.length()) * 2u32,
            Part::Conjugate(a, b) => a.length() * 2u32 + b.length(),
        }
    }

    fn find(&self, at: BigUint, backward: bool) -> Option<(Letter, (usize, usize))> {
        match self {
            Part::Move { letter, place } => Some((if backward { letter.inverse() } else { *letter }, *place)),
            Part::Sequence(parts) if backward => in_row(parts.iter().rev().map(|part| (part, true)), at),
            Part::Sequence(parts) => in_row(parts.iter().map(|part| (part, false)), at),
            Part::Inverse(part) => part.find(at, !backward),
            Part::Power(part, _) => {
                let length = part.length();
                if length.is_zero() { None } else { part.find(at % length, backward) }
            }
            Part::Commutator(a, b) => {
                let (a, b): (&Part, &Part) = if backward { (b, a) } else { (a, b) };
                in_row([(a, false), (b, false), (a, true), (b, true)].into_iter(), at)
            }
            Part::Conjugate(a, b) => in_row([(&**a, false), (&**b, backward), (&**a, true)].into_iter(), at),
        }
    }
}

fn in_row<'a>(parts: impl Iterator<Item = (&'a Part, bool)>, mut at: BigUint) -> Option<(Letter, (usize, usize))> {
    for (part, backward) in parts {
        let length = part.length();
        if at < length {
            return part.find(at, backward);
        }
        at -= length;
    }
    None
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    names: Vec<(&'a str, usize)>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '*').len();
    }

    /// Moves up to the end or to a closing bracket.
    fn sequence(&mut self) -> Option<Part> {
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        let mut parts = Vec::new();
        loop {
            self.blanks();
            match self.rest().chars().next() {
                None | Some(')' | ']' | ',' | ':') => break,
                _ => parts.push(self.atom()?),
            }
        }
        self.depth -= 1;
        Some(Part::Sequence(parts))
    }

    fn atom(&mut self) -> Option<Part> {
        let start = self.at;
        let mut plain = false;
        let mut part = if self.take("(") {
            let inner = self.sequence()?;
            if !self.take(")") {
                return None;
            }
            inner
        } else if self.take("[") {
            let a = Box::new(self.sequence()?);
            let conjugate = self.take(":");
            if !conjugate && !self.take(",") {
                return None;
            }
            let b = Box::new(self.sequence()?);
            if !self.take("]") {
                return None;
            }
            if conjugate { Part::Conjugate(a, b) } else { Part::Commutator(a, b) }
        } else {
            plain = true;
            let rest = self.rest();
            let (name, generator) = *self.names.iter().find(|(name, _)| rest.starts_with(name))?;
            self.at += name.len();
            Part::Move { letter: Letter::new(generator, false), place: (start, self.at) }
        };
        loop {
            if ["'", "’", "′", "^-1", "^{-1}", "⁻¹"].iter().any(|prime| self.take(prime)) {
                part = Part::Inverse(Box::new(part));
            } else if let Some(times) = self.exponent()? {
                part = Part::Power(Box::new(part), times);
            } else {
                break;
            }
        }
        // a move is marked with its postfixes
        if plain {
            part.widen(self.at);
        }
        Some(part)
    }

    /// `2`, `^3`, `^{3}`, `^(10^30)`; nothing where no power follows.
    fn exponent(&mut self) -> Option<Option<BigUint>> {
        let power = self.take("^");
        let close = match () {
            () if power && self.take("{") => "}",
            () if power && self.take("(") => ")",
            () => "",
        };
        let Some(mut times) = self.digits() else {
            // any other exponent is not read
            return if power { None } else { Some(None) };
        };
        if !close.is_empty() && self.take("^") {
            let raised = self.digits().and_then(|raised| u32::try_from(raised).ok()).filter(|raised| *raised < 1000)?;
            times = times.pow(raised);
        }
        if !self.take(close) {
            return None;
        }
        Some(Some(times))
    }

    fn digits(&mut self) -> Option<BigUint> {
        let digits: String = self.rest().chars().take_while(char::is_ascii_digit).collect();
        self.at += digits.len();
        digits.parse().ok()
    }
}

impl Part {
    fn widen(&mut self, end: usize) {
        match self {
            Part::Move { place, .. } => place.1 = end,
            Part::Inverse(part) | Part::Power(part, _) => part.widen(end),
            _ => {}
        }
    }
}
