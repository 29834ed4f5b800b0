//! What words do, as maps of cells: evaluated once for each part, and kept.

use std::sync::Arc;

use super::beyond;
use super::word::{Does, WordKind, WordNode};
use crate::prove::{Constraint, Form, Piecewise, Poly, Ring};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Stop};

/// A power is looked for among so many that may do nothing.
const SMALL_ORDER: i64 = 12;

/// The remainder of a number by a fixed one up to this is one of as many cases.
const LARGEST_MODULUS: i64 = 64;

/// Up to this, an order that only some values of the names have is one of a case of its own.
const LARGEST_ODD_ORDER: i64 = 4;

/// Powers up to this are multiplied out before anything else is tried.
const SMALL_POWER: u64 = 24;

/// A map with more pieces than that is not raised to large powers.
const FEW_PIECES: usize = 400;

impl Machine<'_> {
    /// What a word does, on a puzzle without a blank.
    pub(super) fn effect(&mut self, node: &Arc<WordNode>, span: Span) -> Follow<Arc<Piecewise>> {
        if let WordKind::Letter(letter) = &node.kind {
            return match &letter.does {
                Does::Map(map) => Ok(map.clone()),
                Does::Slide(_) => self.no_blank("this word", span),
            };
        }
        if let Some(known) = node.effect.get(&self.known) {
            return Ok(known);
        }
        let effect = stacker::maybe_grow(64 << 10, 2 << 20, || self.effect_of_parts(node, span))?;
        node.effect.put(&self.known, effect.clone());
        Ok(effect)
    }

    fn effect_of_parts(&mut self, node: &Arc<WordNode>, span: Span) -> Follow<Arc<Piecewise>> {
        match &node.kind {
            WordKind::Letter(_) => self.effect(node, span),
            WordKind::Named(_, part) => self.effect(part, span),
            WordKind::Each(part, through) => {
                let map = self.effect_of_each(part, through, span)?;
                Ok(Arc::new(map))
            }
            WordKind::Product(parts) => {
                let mut product: Option<Arc<Piecewise>> = None;
                for part in parts {
                    let next = self.effect(part, span)?;
                    product = Some(match product {
                        None => next,
                        Some(before) => self.then(&before, &next, span)?,
                    });
                }
                match product {
                    Some(product) => Ok(product),
                    None => beyond(span, "an empty product", "write `()`"),
                }
            }
            WordKind::Inverse(part) => {
                let map = self.effect(part, span)?;
                self.inverted(&map, span)
            }
            WordKind::Power(part, exponent) => {
                let map = self.effect(part, span)?;
                self.power(&map, exponent, span)
            }
            WordKind::Commutator(a, b) => {
                let (x, y) = (self.effect(a, span)?, self.effect(b, span)?);
                let (back_x, back_y) = (self.inverted(&x, span)?, self.inverted(&y, span)?);
                let first = self.then(&x, &y, span)?;
                let second = self.then(&back_x, &back_y, span)?;
                self.then(&first, &second, span)
            }
            WordKind::Conjugate(a, b) => {
                let (x, y) = (self.effect(a, span)?, self.effect(b, span)?);
                let back = self.inverted(&x, span)?;
                let map = self.then(&x, &y, span)?;
                self.then(&map, &back, span)
            }
        }
    }

    /// First one map, then the next.
    pub(super) fn then(&mut self, a: &Arc<Piecewise>, b: &Arc<Piecewise>, span: Span) -> Follow<Arc<Piecewise>> {
        // steps are about a microsecond
        self.steps += (a.pieces.len() * b.pieces.len()) as u64;
        self.step(span)?;
        if a.pieces.is_empty() {
            return Ok(b.clone());
        }
        if b.pieces.is_empty() {
            return Ok(a.clone());
        }
        let product = a.then(&self.known, b);
        self.done(product, span).map(Arc::new)
    }

    pub(super) fn inverted(&mut self, map: &Arc<Piecewise>, span: Span) -> Follow<Arc<Piecewise>> {
        self.step(span)?;
        let inverse = map.inverse(&self.known);
        self.done(inverse, span).map(Arc::new)
    }

    pub(super) fn does_nothing(&mut self, map: &Piecewise, span: Span) -> Follow<bool> {
        let nothing = map.is_identity(&self.known);
        self.done(nothing, span)
    }

    /// A power of a map; the exponent is an integer.
    pub(super) fn power(&mut self, map: &Arc<Piecewise>, exponent: &Poly, span: Span) -> Follow<Arc<Piecewise>> {
        if let Some(exponent) = exponent.as_int() {
            return self.fixed_power(map, exponent, span);
        }
        // along lines that turn, any number of steps is one map
        if let Some((ring, steps)) = self.ring_of(map, span)? {
            // so many steps, or the rest of the ring in the other direction
            let back = self.fits(steps.sub(ring.length()), span)?;
            for steps in [steps, back] {
                let steps = self.fits(steps.poly().mul(exponent), span)?;
                if let Some(steps) = steps.form() {
                    return self.along(&ring, &steps, span).map(Arc::new);
                }
            }
        }
        let exponent = self.linear(exponent, span)?;
        let mut powers = vec![Arc::new(Piecewise::identity(map.width)), map.clone()];
        for order in 1..=SMALL_ORDER {
            let Some(last) = powers.last().cloned() else { break };
            match self.does_nothing(&last, span) {
                Ok(true) => return self.power_among(&powers[..order as usize], &exponent, span),
                Ok(false) => {}
                // else there would be a case for each power
                Err(Stop::Split(_)) if order > LARGEST_ODD_ORDER => break,
                Err(stop) => return Err(stop),
            }
            let next = self.then(&last, map, span)?;
            if next.pieces.len() > FEW_PIECES {
                break;
            }
            powers.push(next);
        }
        beyond(
            span,
            "a power whose exponent is not fixed",
            "the exponent may depend on the names only for moves that turn lines of cells, for cycles of sequences, and for words of small order",
        )
    }

    /// The power among all different ones.
    fn power_among(&mut self, powers: &[Arc<Piecewise>], exponent: &Form, span: Span) -> Follow<Arc<Piecewise>> {
        let order = powers.len() as i64;
        if order == 1 {
            return Ok(powers[0].clone());
        }
        for (rest, power) in powers.iter().enumerate() {
            let over = self.fits(exponent.plus(-(rest as i64)), span)?;
            let is_it = self.fits(Constraint::divisible(&over, order), span)?;
            if self.decide(&is_it)? {
                return Ok(power.clone());
            }
        }
        beyond(span, "a power whose exponent is not fixed", "give a range instead: `for n in 5..24`")
    }

    fn fixed_power(&mut self, map: &Arc<Piecewise>, exponent: i64, span: Span) -> Follow<Arc<Piecewise>> {
        let base = if exponent < 0 { self.inverted(map, span)? } else { map.clone() };
        let times = exponent.unsigned_abs();
        if times > SMALL_POWER {
            if let Some((ring, steps)) = self.ring_of(&base, span)? {
                let steps = self
                    .fits(i64::try_from(times).map_err(|_| crate::prove::TooLarge), span)
                    .and_then(|times| self.fits(steps.scale(times, 1), span))?;
                return self.along(&ring, &steps, span).map(Arc::new);
            }
            let mut power = base.clone();
            for order in 1..=SMALL_ORDER as u64 {
                if self.does_nothing(&power, span)? {
                    return self.squared(&base, times % order, span);
                }
                power = self.then(&power, &base, span)?;
                if power.pieces.len() > FEW_PIECES {
                    break;
                }
            }
        }
        self.squared(&base, times, span)
    }

    /// A power by squaring.
    fn squared(&mut self, base: &Arc<Piecewise>, mut left: u64, span: Span) -> Follow<Arc<Piecewise>> {
        let mut base = base.clone();
        let mut product = Arc::new(Piecewise::identity(base.width));
        while left > 0 {
            if left & 1 == 1 {
                product = self.then(&product, &base, span)?;
            }
            left >>= 1;
            if left > 0 {
                if base.pieces.len() > FEW_PIECES {
                    return beyond(
                        span,
                        "a power of a word that falls into so many pieces",
                        "choose a smaller exponent",
                    );
                }
                base = self.then(&base, &base, span)?;
            }
        }
        Ok(product)
    }

    /// The map that goes some steps along rings.
    pub(super) fn along(&mut self, ring: &Ring, steps: &Form, span: Span) -> Follow<Piecewise> {
        let length = ring.length().clone();
        // less than one cell in a ring: there are none
        let some = self.fits(length.plus(-1), span)?;
        if !self.decide(&Constraint::ge(&some))? {
            return Ok(Piecewise::identity(ring.width()));
        }
        let rest = self.rest_of(steps, &length, span)?;
        let mut map = self.fits(ring.map(&rest), span)?;
        map.pieces.retain(|piece| !piece.region.is_empty_in(&self.known));
        map.merge(&self.known);
        Ok(map)
    }

    /// A number modulo a positive one, found among a few multiples.
    pub(super) fn rest_of(&mut self, number: &Form, modulus: &Form, span: Span) -> Follow<Form> {
        const ROUNDS: i64 = 8;
        if let (Some(number), Some(modulus)) = (number.as_int(), modulus.as_int()) {
            return Ok(Form::int(number.rem_euclid(modulus)));
        }
        if let Some(modulus) = modulus.as_int().filter(|modulus| (1..=LARGEST_MODULUS).contains(modulus)) {
            for rest in 0..modulus {
                let over = self.fits(number.plus(-rest), span)?;
                let is_it = self.fits(Constraint::divisible(&over, modulus), span)?;
                if self.decide(&is_it)? {
                    return Ok(Form::int(rest));
                }
            }
        }
        let mut rest = number.clone();
        if !self.decide(&Constraint::ge(&rest))? {
            for _ in 0..ROUNDS {
                rest = self.fits(rest.add(modulus), span)?;
                if self.decide(&Constraint::ge(&rest))? {
                    return Ok(rest);
                }
            }
        } else {
            for _ in 0..ROUNDS {
                let less = self.fits(Constraint::less(&rest, modulus), span)?;
                if self.decide(&less)? {
                    return Ok(rest);
                }
                rest = self.fits(rest.sub(modulus), span)?;
            }
        }
        beyond(
            span,
            "a number of steps that may be many times the length of the ring",
            "restrict the names so that only a few rounds are possible",
        )
    }
}
