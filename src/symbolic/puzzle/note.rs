//! Evidence: what a word does letter by letter, as the appendix of a paper lists it.

use std::sync::Arc;

use super::PermValue;
use super::word::{WordKind, WordNode};
use crate::prove::{Piecewise, Poly, Union};
use crate::source::Span;
use crate::symbolic::{Follow, ImageStep, Machine, MapStep, Note, Part, Value};

/// Longer words are not shown letter by letter.
const MOST_STEPS: usize = 120;

/// A letter or a word with a name, some times.
struct Step {
    node: Arc<WordNode>,
    back: bool,
    times: u32,
}

impl Step {
    /// `Y^2`, `C'`
    fn text(&self) -> String {
        let name = super::show::word(&self.node);
        match (self.back, self.times) {
            (false, 1) => name,
            (true, 1) => format!("{name}'"),
            (false, times) => format!("{name}^{times}"),
            (true, times) => format!("{name}^-{times}"),
        }
    }
}

impl Machine<'_> {
    /// Notes where a set goes, letter by letter, if evidence is wanted.
    pub(super) fn note_image(&mut self, word: &Value, start: &Union, span: Span) -> Follow<()> {
        if !self.wants_notes {
            return Ok(());
        }
        let Some((written, steps)) = self.steps_of_word(word, span)? else { return Ok(()) };
        let mut set = start.tidy(&self.known);
        let mut shown = Vec::with_capacity(steps.len());
        for step in &steps {
            let map = self.effect_of_step(step, span)?;
            let mut parts = Vec::new();
            let moves = map.steps_of(&self.known, &set);
            for (before, after) in self.done(moves, span)? {
                let (before, after) = (before.tidy(&self.known), after.tidy(&self.known));
                let moved = before != after;
                parts.push(Part { before, after, moved });
            }
            set = Union { width: set.width, regions: parts.iter().map(|part| part.after.clone()).collect() }
                .tidy(&self.known);
            shown.push(ImageStep { letter: step.text(), parts });
        }
        self.notes.push(Note::Image {
            span,
            word: written,
            of: argument_of(&self.source_text(span)),
            start: start.clone(),
            steps: shown,
        });
        Ok(())
    }

    /// Notes what a word does, letter by letter, if evidence is wanted.
    pub(super) fn note_map(&mut self, word: &Value, result: &PermValue, span: Span) -> Follow<()> {
        if !self.wants_notes {
            return Ok(());
        }
        let Some((written, steps)) = self.steps_of_word(word, span)? else { return Ok(()) };
        let mut product: Option<Arc<Piecewise>> = None;
        let mut shown = Vec::with_capacity(steps.len());
        for step in &steps {
            let map = self.effect_of_step(step, span)?;
            let map = match product {
                None => map,
                Some(before) => self.then(&before, &map, span)?,
            };
            shown.push(MapStep { letter: step.text(), map: map.clone() });
            product = Some(map);
        }
        self.notes.push(Note::Map { span, word: written, steps: shown, result: result.map.clone() });
        Ok(())
    }

    fn effect_of_step(&mut self, step: &Step, span: Span) -> Follow<Arc<Piecewise>> {
        let map = self.effect(&step.node, span)?;
        let times = if step.back { -i64::from(step.times) } else { i64::from(step.times) };
        self.power(&map, &Poly::int(times), span)
    }

    /// The letters of a word, if it is one on a puzzle without a blank that can be shown.
    fn steps_of_word(&mut self, word: &Value, span: Span) -> Follow<Option<(String, Vec<Step>)>> {
        if !matches!(word, Value::Word(_) | Value::Family(..)) {
            return Ok(None);
        }
        let word = self.word_of(word, span)?;
        let (Some(node), Some(of)) = (word.node(), &word.of) else { return Ok(None) };
        if of.blank.is_some() {
            return Ok(None);
        }
        // a name of the whole says nothing
        let mut inner = node;
        while let WordKind::Named(_, part) = &inner.kind {
            inner = part;
        }
        let mut steps = Vec::new();
        Ok(list(inner, false, &mut steps).then(|| (word.text(), steps)))
    }
}

/// Lists the letters of a word. False if there are too many, or if they cannot be listed.
fn list(node: &Arc<WordNode>, back: bool, to: &mut Vec<Step>) -> bool {
    if to.len() > MOST_STEPS {
        return false;
    }
    stacker::maybe_grow(64 << 10, 2 << 20, || match &node.kind {
        WordKind::Letter(_) | WordKind::Named(..) => {
            match to.last_mut() {
                Some(last) if last.back == back && is_same(&last.node, node) => last.times += 1,
                _ => to.push(Step { node: node.clone(), back, times: 1 }),
            }
            true
        }
        WordKind::Inverse(part) => list(part, !back, to),
        WordKind::Product(parts) => match back {
            true => parts.iter().rev().all(|part| list(part, true, to)),
            false => parts.iter().all(|part| list(part, false, to)),
        },
        WordKind::Power(part, exponent) => match exponent.as_int() {
            Some(times) if times.unsigned_abs() <= MOST_STEPS as u64 => {
                (0..times.unsigned_abs()).all(|_| list(part, back != (times < 0), to))
            }
            _ => false,
        },
        WordKind::Commutator(a, b) => {
            let (a, b) = if back { (b, a) } else { (a, b) };
            list(a, false, to) && list(b, false, to) && list(a, true, to) && list(b, true, to)
        }
        WordKind::Each(..) => false,
        WordKind::Conjugate(a, b) => list(a, false, to) && list(b, back, to) && list(a, true, to),
    })
}

fn is_same(a: &Arc<WordNode>, b: &Arc<WordNode>) -> bool {
    match (&a.kind, &b.kind) {
        (WordKind::Letter(a), WordKind::Letter(b)) => a.id == b.id && a.indices == b.indices,
        _ => Arc::ptr_eq(a, b),
    }
}

/// How the argument of an image is written: what stands in its last parentheses.
fn argument_of(text: &str) -> String {
    let text = text.trim();
    let Some(inner) = text.strip_suffix(')') else { return text.to_string() };
    let mut depth = 1;
    for (at, letter) in inner.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let argument = inner[at + 1..].trim();
            // several coordinates are one tuple
            return if argument.contains(',') { format!("({argument})") } else { argument.to_string() };
        }
    }
    text.to_string()
}
