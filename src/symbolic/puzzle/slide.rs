//! Moves of a blank: where each of them takes it, for all places at once, and what words do from a place.

use std::sync::Arc;

use super::point::{as_coordinates, at_point};
use super::word::{Does, Letter, WordKind, WordNode};
use super::{SymbolicPuzzle, Word, beyond, wrong};
use crate::prove::{Constraint, Form, Piece, Piecewise, Region, Ring, Stretch, TooLarge, Union, Var};
use crate::resolve::program::{Ex, ExKind, Rule};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Stop, Value};

/// What a letter does, by the place of the blank. Where no case holds it is impossible.
pub struct Slide {
    cases: Vec<SlideCase>,
}

/// Where the blank goes from the places of a region.
struct SlideCase {
    /// over coordinates of the blank
    from: Region,
    /// the cells that it walks through, in order
    path: Vec<Stretch>,
    /// how many there are
    length: Form,
    /// where it comes to
    to: Vec<Form>,
    /// the places where it comes to, and from where
    back: Piece,
}

/// What a rule says, in variables for the place of the blank.
struct Walk {
    path: Vec<Stretch>,
    length: Form,
    to: Vec<Form>,
}

/// What a word does from a place of the blank.
#[derive(Clone)]
pub(super) struct Slid {
    blank: Vec<Form>,
    map: Arc<Piecewise>,
}

/// A power is done so many times at most.
const MOST_ROUNDS: u64 = 1_000;

/// An order is looked for up to this.
const LARGEST_ORDER: u64 = 120;

/// Up to this, an order that only some values of the names have is one of a case of its own.
const LARGEST_ODD_ORDER: u64 = 8;

impl Slide {
    /// With forms in place of some variables.
    pub(super) fn substituted(&self, by: &dyn Fn(Var) -> Option<Form>) -> Result<Slide, TooLarge> {
        let forms = |forms: &[Form]| forms.iter().map(|form| form.substitute(by)).collect::<Result<Vec<Form>, _>>();
        let mut cases = Vec::with_capacity(self.cases.len());
        for case in &self.cases {
            cases.push(SlideCase {
                from: case.from.substitute(by)?,
                path: case.path.iter().map(|part| part.substituted(by)).collect::<Result<_, _>>()?,
                length: case.length.substitute(by)?,
                to: forms(&case.to)?,
                back: Piece { region: case.back.region.substitute(by)?, to: forms(&case.back.to)? },
            });
        }
        Ok(Slide { cases })
    }

    /// The places where it is possible.
    fn places(&self, width: usize) -> Union {
        Union { width, regions: self.cases.iter().map(|case| case.from.clone()).collect() }
    }
}

impl Machine<'_> {
    /// A move whose rules say where the blank goes, checked to be one that can be undone.
    pub(super) fn slide_by_rules(
        &mut self,
        rules: &[Rule],
        of: &Arc<SymbolicPuzzle>,
        name: &str,
        span: Span,
    ) -> Follow<Slide> {
        let found = self.for_each_cell(of, span, &mut |machine, vars| {
            let start: Vec<Form> = vars.iter().map(|var| Form::var(*var)).collect();
            for rule in rules {
                if !machine.match_cell(&rule.pattern, of, vars, span)? {
                    continue;
                }
                if let Some(condition) = &rule.condition
                    && !machine.truth(condition)?
                {
                    continue;
                }
                return machine.walk_of_rule(&rule.target, of, &start, name, rule.span).map(Some);
            }
            Ok(None)
        })?;
        let mut cases: Vec<SlideCase> = Vec::with_capacity(found.len());
        for case in found {
            let Some(walk) = case.value else { continue };
            let by = as_coordinates(&case.vars);
            let mut to = Vec::with_capacity(walk.to.len());
            for form in &walk.to {
                to.push(self.fits(form.substitute(&by), span)?);
            }
            let back = Piece { region: case.region.clone(), to: to.clone() }.back(&self.known, of.width);
            let back = self.done(back, span)?;
            for other in &cases {
                let both = other.back.region.and(&back.region);
                let both = Union { width: of.width, regions: vec![both] };
                if self.done(both.is_inhabited(&self.known), span)? {
                    return wrong(
                        span,
                        format!("{name} takes the blank to one cell from two, so it could not be undone"),
                    );
                }
            }
            let mut path = Vec::with_capacity(walk.path.len());
            for part in &walk.path {
                path.push(self.fits(part.substituted(&by), span)?);
            }
            let length = self.fits(walk.length.substitute(&by), span)?;
            cases.push(SlideCase { from: case.region, path, length, to, back });
        }
        Ok(Slide { cases })
    }

    /// The cells that a rule lets the blank walk through from `start`: all on the board, all different, and not its own.
    fn walk_of_rule(
        &mut self,
        target: &Ex,
        of: &Arc<SymbolicPuzzle>,
        start: &[Form],
        name: &str,
        span: Span,
    ) -> Follow<Walk> {
        let path = self.path_of(target, of, name, span)?;
        let mut length = Form::int(0);
        let mut to: Option<Vec<Form>> = None;
        for part in &path {
            self.check_on_board(part, of, name, span)?;
            length = self.fits(length.add(&part.length), span)?;
            let last = self.fits(part.length.plus(-1), span)?;
            to = Some(self.fits(part.at(&last), span)?);
        }
        let Some(to) = to else { return wrong(span, format!("the path of {name} has no cells")) };
        let first = Stretch::point(start.to_vec(), Form::int(0));
        for (at, part) in path.iter().enumerate() {
            for other in std::iter::once(&first).chain(&path[..at]) {
                if self.meets(part, other, false, span)? {
                    return wrong(span, format!("the path of {name} comes to a cell twice, or to its own"));
                }
            }
        }
        Ok(Walk { path, length, to })
    }

    /// The right side of a slide's rule: a cell, a tuple with one range, or a tuple of cells.
    fn path_of(&mut self, target: &Ex, of: &Arc<SymbolicPuzzle>, name: &str, span: Span) -> Follow<Vec<Stretch>> {
        let value = match &target.kind {
            ExKind::Paren(args) if args.items.len() > 1 && args.items.iter().all(|item| item.clauses.is_none()) => {
                let mut parts = Vec::with_capacity(args.items.len());
                for item in &args.items {
                    parts.push(self.eval(&item.value)?);
                }
                let ranges: Vec<usize> = (0..parts.len()).filter(|at| matches!(parts[*at], Value::Range(..))).collect();
                match ranges.as_slice() {
                    [] => Value::tuple(parts),
                    [at] if parts.len() == of.width && !of.plain => return self.line(&parts, *at, span),
                    _ => return wrong(span, format!("the blank cannot walk along this path of {name}")),
                }
            }
            _ => self.eval(target)?,
        };
        let stops: Vec<Value> = match &value {
            Value::Tuple(parts) if parts.iter().any(|part| matches!(part, Value::Tuple(_))) => parts.to_vec(),
            Value::Tuple(parts) if of.plain => parts.to_vec(),
            Value::Range(..) if of.plain => return self.line(std::slice::from_ref(&value), 0, span),
            Value::Sequence(_) => {
                return beyond(span, "a path whose cells are a sequence", "write it as a tuple with one range");
            }
            _ => vec![value],
        };
        let mut path = Vec::with_capacity(stops.len());
        for (at, stop) in stops.iter().enumerate() {
            let Some(point) = self.cell_on_board(of, stop, span)? else {
                return wrong(span, format!("{name} takes the blank off the board of {}", of.name));
            };
            path.push(Stretch::point(point, Form::int(at as i64 + 1)));
        }
        Ok(path)
    }

    /// A tuple with one range, in the order of the range, which may run down.
    fn line(&mut self, parts: &[Value], axis: usize, span: Span) -> Follow<Vec<Stretch>> {
        let Some(Value::Range(first, last)) = parts.get(axis) else { return Ok(Vec::new()) };
        let (first, last) = (self.linear(first, span)?, self.linear(last, span)?);
        let up = self.fits(Constraint::less_eq(&first, &last), span)?;
        let step = if self.decide(&up)? { 1 } else { -1 };
        let length = self.fits(last.sub(&first).and_then(|apart| apart.scale(step, 1)?.plus(1)), span)?;
        let mut cell = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            cell.push(match part {
                _ if at == axis => first.clone(),
                Value::Number(number) if self.is_integer(number, span)? => self.linear(number, span)?,
                _ => return wrong(span, "a path leads through something that is no cell"),
            });
        }
        let part = self.fits(Stretch::line(cell, axis, step, length, Form::int(1)), span)?;
        Ok(vec![part])
    }

    fn check_on_board(&mut self, part: &Stretch, of: &Arc<SymbolicPuzzle>, name: &str, span: Span) -> Follow<()> {
        let place = self.fresh("k", span)?;
        let here = Form::var(place);
        let point = self.fits(part.at(&here), span)?;
        let mut scope = Region::all();
        scope.push(Constraint::ge(&here));
        scope.push(self.fits(Constraint::less(&here, &part.length), span)?);
        let of = of.clone();
        self.each_leaf(&[place], scope, &mut |machine| match machine.on_board(&of, &point, span)? {
            true => Ok(()),
            false => wrong(span, format!("{name} takes the blank off the board of {}", of.name)),
        })?;
        Ok(())
    }

    /// What a word does when the blank is at a place; nothing where it is impossible.
    pub(super) fn slid(&mut self, node: &Arc<WordNode>, back: bool, start: &Slid, span: Span) -> Follow<Option<Slid>> {
        self.step(span)?;
        stacker::maybe_grow(64 << 10, 2 << 20, || match &node.kind {
            WordKind::Letter(letter) => self.slid_letter(letter, back, start, span),
            WordKind::Named(_, part) => self.slid(part, back, start, span),
            WordKind::Inverse(part) => self.slid(part, !back, start, span),
            WordKind::Product(parts) => {
                let steps: Vec<(&Arc<WordNode>, bool)> = match back {
                    true => parts.iter().rev().map(|part| (part, true)).collect(),
                    false => parts.iter().map(|part| (part, false)).collect(),
                };
                self.slid_all(&steps, start, span)
            }
            WordKind::Commutator(a, b) => {
                let (a, b) = if back { (b, a) } else { (a, b) };
                self.slid_all(&[(a, false), (b, false), (a, true), (b, true)], start, span)
            }
            WordKind::Conjugate(a, b) => self.slid_all(&[(a, false), (b, back), (a, true)], start, span),
            WordKind::Each(..) => self.no_blank("a product whose length is not fixed,", span),
            WordKind::Power(part, exponent) => {
                let Some(times) = exponent.as_int().filter(|times| times.unsigned_abs() <= MOST_ROUNDS) else {
                    return beyond(
                        span,
                        "a power on a puzzle with a blank whose exponent is not fixed, or large",
                        "give a range instead: `for n in 5..24`",
                    );
                };
                let mut now = start.clone();
                for _ in 0..times.unsigned_abs() {
                    match self.slid(part, back != (times < 0), &now, span)? {
                        Some(next) => now = next,
                        None => return Ok(None),
                    }
                }
                Ok(Some(now))
            }
        })
    }

    fn slid_all(&mut self, steps: &[(&Arc<WordNode>, bool)], start: &Slid, span: Span) -> Follow<Option<Slid>> {
        let mut now = start.clone();
        for (part, back) in steps {
            match self.slid(part, *back, &now, span)? {
                Some(next) => now = next,
                None => return Ok(None),
            }
        }
        Ok(Some(now))
    }

    fn slid_letter(&mut self, letter: &Letter, back: bool, start: &Slid, span: Span) -> Follow<Option<Slid>> {
        let Does::Slide(slide) = &letter.does else {
            return self.no_blank("a move that carries the blank along,", span);
        };
        for case in &slide.cases {
            let region = if back { &case.back.region } else { &case.from };
            let here = self.fits(region.substitute(&at_point(&start.blank)), span)?;
            if !self.decide_region(&here)? {
                continue;
            }
            let put = |forms: &[Form], point: &[Form]| {
                forms.iter().map(|form| form.substitute(&at_point(point))).collect::<Result<Vec<Form>, TooLarge>>()
            };
            // the place from which the path is walked, forward or back
            let from = match back {
                true => self.fits(put(&case.back.to, &start.blank), span)?,
                false => start.blank.clone(),
            };
            let mut parts = vec![Stretch::point(from.clone(), Form::int(0))];
            for part in &case.path {
                parts.push(self.fits(part.substituted(&at_point(&from)), span)?);
            }
            let length = self.fits(case.length.substitute(&at_point(&from)).and_then(|length| length.plus(1)), span)?;
            // the blank goes to the end and each content one step back: all steps but one; the other way one step
            let steps = if back { Form::int(1) } else { self.fits(length.plus(-1), span)? };
            let ring = Ring::Path { width: from.len(), length, parts };
            let mut map = self.fits(ring.map(&steps), span)?;
            map.pieces.retain(|piece| !piece.region.is_empty_in(&self.known));
            map.merge(&self.known);
            let blank = if back { from } else { self.fits(put(&case.to, &start.blank), span)? };
            let map = self.then(&start.map, &Arc::new(map), span)?;
            return Ok(Some(Slid { blank, map }));
        }
        Ok(None)
    }

    fn start_at(&self, blank: &[Form]) -> Slid {
        Slid { blank: blank.to_vec(), map: Arc::new(Piecewise::identity(blank.len())) }
    }

    /// What a word does when the blank starts at home.
    pub(super) fn slid_from_home(&mut self, word: &Word, of: &Arc<SymbolicPuzzle>, span: Span) -> Follow<Piecewise> {
        let Some(home) = &of.blank else { return self.no_blank("this", span) };
        let start = self.start_at(home);
        let Some(node) = word.node() else { return Ok((*start.map).clone()) };
        match self.slid(node, false, &start, span)? {
            Some(done) => Ok((*done.map).clone()),
            None => wrong(span, format!("`{}` is impossible with the blank at home", word.text())),
        }
    }

    /// Do two words the same wherever the blank is, and are they possible in the same places?
    pub(super) fn equal_everywhere(
        &mut self,
        a: &Word,
        b: &Word,
        of: &Arc<SymbolicPuzzle>,
        span: Span,
    ) -> Follow<bool> {
        let Some(home) = of.blank.clone() else { return self.no_blank("this", span) };
        if !self.equal_from(a, b, &home, span)? {
            return Ok(false);
        }
        let cases = self.for_each_cell(of, span, &mut |machine, vars| {
            let place: Vec<Form> = vars.iter().map(|var| Form::var(*var)).collect();
            machine.equal_from(a, b, &place, span)
        })?;
        if cases.iter().all(|case| case.value) {
            return Ok(true);
        }
        beyond(
            span,
            "words that do the same with the blank at home, but not from every cell",
            "compare what they do from home: `perm(w) == perm(v)`",
        )
    }

    fn equal_from(&mut self, a: &Word, b: &Word, blank: &[Form], span: Span) -> Follow<bool> {
        let start = self.start_at(blank);
        let mut done = Vec::with_capacity(2);
        for word in [a, b] {
            done.push(match word.node() {
                Some(node) => self.slid(node, false, &start, span)?,
                None => Some(start.clone()),
            });
        }
        match (&done[0], &done[1]) {
            (None, None) => Ok(true),
            (Some(x), Some(y)) => {
                if !self.same_point(&x.blank, &y.blank, span)? {
                    return Ok(false);
                }
                let equal = x.map.equals(&self.known, &y.map);
                self.done(equal, span)
            }
            _ => Ok(false),
        }
    }

    /// The least k ≥ 1 for which `w^k` restores the solved board; where all moves are always possible, all boards.
    pub(super) fn slid_order(&mut self, word: &Word, of: &Arc<SymbolicPuzzle>, span: Span) -> Follow<Value> {
        let Some(home) = of.blank.clone() else { return self.no_blank("this", span) };
        let is_free = self.is_free(of, &home, span)?;
        let Some(node) = word.node().cloned() else { return Ok(Value::int(1)) };
        let mut now = self.start_at(&home);
        for order in 1..=LARGEST_ORDER {
            let done = match self.slid(&node, false, &now, span) {
                Ok(Some(next)) => {
                    now = next;
                    self.does_nothing(&now.map, span)
                }
                Ok(None) => return wrong(span, "this word has no order: after some rounds it is impossible"),
                Err(stop) => Err(stop),
            };
            match done {
                Ok(true) => {}
                Ok(false) => continue,
                // else there would be a case for each power
                Err(Stop::Split(_)) if order > LARGEST_ODD_ORDER => break,
                Err(stop) => return Err(stop),
            }
            if !is_free {
                return Ok(Value::int(order as i64));
            }
            let power = word.power(&crate::prove::Poly::int(order as i64));
            let cases = self.for_each_cell(of, span, &mut |machine, vars| {
                let place: Vec<Form> = vars.iter().map(|var| Form::var(*var)).collect();
                machine.equal_from(&power, &Word::empty(), &place, span)
            })?;
            if cases.iter().all(|case| case.value) {
                return Ok(Value::int(order as i64));
            }
            return beyond(
                span,
                "the order of a word that does something else from other places of the blank",
                "give a range instead: `for n in 5..24`",
            );
        }
        beyond(
            span,
            "the order of a word of which no small power does nothing",
            "give a range instead: `for n in 5..24`",
        )
    }

    /// Is every move possible wherever the blank can come to?
    fn is_free(&mut self, of: &Arc<SymbolicPuzzle>, home: &[Form], span: Span) -> Follow<bool> {
        let mut everywhere = true;
        for the_move in of.moves.clone() {
            let Some(Does::Slide(slide)) = the_move.plain() else {
                return beyond(span, "the order of a word on this puzzle", "give a range instead: `for n in 5..24`");
            };
            let places = slide.places(of.width);
            let at_home = places.contains(&self.known, home);
            if !self.done(at_home, span)? {
                return Ok(false);
            }
            let all = of.cells.is_subset(&self.known, &places);
            everywhere = everywhere && self.done(all, span)?;
        }
        match everywhere {
            true => Ok(true),
            false => beyond(
                span,
                "the order of a word on a puzzle with moves that are possible from home but not from every cell",
                "ask whether a power restores the board: `perm(w^3) == ()`",
            ),
        }
    }
}
