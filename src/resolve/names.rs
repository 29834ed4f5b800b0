//! What a name means, and how a run-together name is split into moves (guide, "splitting names").

use std::sync::Arc;

use num_bigint::BigInt;
use smallvec::SmallVec;

use super::program::*;
use super::scope::Local;
use super::{GlobalName, Resolver};
use crate::diagnostic::{Diagnostic, codes, foreign, suggest};
use crate::source::Span;

#[derive(Clone, Debug)]
pub enum Found {
    Local(Local),
    Member(Arc<[MemberId]>),
    Move(MoveId),
    Param(u32),
    Cells,
    /// with whether it is visibly a word
    Global(ModuleId, u32, bool),
    Puzzle(PuzzleId),
    Builtin(u32),
}

/// A piece of a run-together name: what it is, and the digits behind it.
#[derive(Clone, Debug)]
struct Piece {
    end: usize,
    name_end: usize,
}

/// Names longer than this are no pieces of run-together names.
const LONGEST_PIECE: usize = 64;

impl Resolver<'_> {
    /// Looks a name up: local names, the puzzle in force, the file, used files, standard puzzles, built-ins.
    pub(super) fn lookup(&mut self, name: &str, span: Span) -> Option<Found> {
        if let Some(local) = self.local(self.frames.len() - 1, name) {
            return Some(Found::Local(local));
        }
        if let Some(found) = self.of_puzzle(name) {
            return Some(found);
        }
        let module = self.library.module(self.module);
        match module.names.get(name) {
            Some(GlobalName::Value { index, wordish, .. }) => {
                return Some(Found::Global(self.module, *index, *wordish));
            }
            Some(GlobalName::Puzzle(id)) => return Some(Found::Puzzle(*id)),
            None => {}
        }
        let mut used = Vec::new();
        for id in &module.uses {
            match self.library.module(*id).names.get(name) {
                Some(GlobalName::Value { index, wordish, .. }) => {
                    used.push((*id, Found::Global(*id, *index, *wordish)))
                }
                Some(GlobalName::Puzzle(puzzle)) => used.push((*id, Found::Puzzle(*puzzle))),
                None => {}
            }
        }
        if let [(first, _), (second, _), ..] = used.as_slice() {
            let names =
                [*first, *second].map(|id| self.library.module(id).origin.as_ref().map_or("?".into(), |o| o.name()));
            self.error(
                Diagnostic::at(
                    codes::ADDED_TWICE,
                    span,
                    format!("`{name}` is in two used files"),
                    format!("in {} and in {}", names[0], names[1]),
                )
                .help("use only one of them here"),
            );
        }
        if let Some((_, found)) = used.pop() {
            return Some(found);
        }
        // a name that only a built-in has should not load standard files
        if let Some(index) = self.tools.builtins.iter().position(|builtin| builtin.name == name) {
            return Some(Found::Builtin(index as u32));
        }
        self.find_puzzle(name).map(Found::Puzzle)
    }

    pub(super) fn of_puzzle(&mut self, name: &str) -> Option<Found> {
        let puzzle = self.puzzle.clone()?;
        let members = self.library.members_called(puzzle.id, name, self.module);
        if !members.is_empty() {
            if let Some(user) = self.defining {
                for member in &members {
                    self.library.definitions.add(user, *member);
                }
            }
            return Some(Found::Member(members.into()));
        }
        if let Some(id) = self.head(puzzle.id).find_move(name) {
            return Some(Found::Move(id));
        }
        if let Some(at) = puzzle.params.iter().position(|param| &**param == name) {
            return Some(Found::Param(at as u32));
        }
        (name == "cells").then_some(Found::Cells)
    }

    /// A local name; one of a frame further out is captured by every frame on the way.
    pub(super) fn local(&mut self, frame: usize, name: &str) -> Option<Local> {
        if let Some(local) = self.frames[frame].find(name) {
            return Some(local);
        }
        let outer = self.local(frame.checked_sub(1)?, name)?;
        let inner = &mut self.frames[frame];
        let slot = inner.new_slot();
        inner.captures.push((outer.slot, slot));
        // what a function sees of a `var` is a copy: it cannot change it
        let local = Local { slot, variable: false, ..outer };
        inner.captured.insert(name.into(), local);
        Some(local)
    }

    pub(super) fn found_kind(&self, found: Found) -> ExKind {
        match found {
            Found::Local(local) => ExKind::Local(local.slot),
            Found::Member(ids) => ExKind::Member(ids),
            Found::Move(id) => ExKind::Move(id),
            Found::Param(at) => ExKind::Param(at),
            Found::Cells => ExKind::Cells,
            Found::Global(module, index, _) => ExKind::Global(module, index),
            Found::Puzzle(id) => ExKind::Puzzle(id),
            Found::Builtin(id) => ExKind::Builtin(id),
        }
    }

    /// A name as factors of a run: one where it is declared, several where it is split. Wrong names are reported.
    pub(super) fn name_factors(&mut self, name: &str, span: Span) -> Vec<Fx> {
        let wrong = |span| vec![Fx { atom: Ex { kind: ExKind::Wrong, span }, postfix: Vec::new(), span }];
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            self.number_name(name, span);
            return wrong(span);
        }
        if let Some(found) = self.lookup(name, span) {
            let kind = self.found_kind(found);
            return vec![Fx { atom: Ex { kind, span }, postfix: Vec::new(), span }];
        }
        let key = (self.puzzle.as_ref().map(|puzzle| puzzle.id), Box::from(name));
        if self.told.contains(&key) {
            return wrong(span);
        }
        match self.split(name, span) {
            Ok(pieces) => {
                let mut start = 0;
                let mut factors = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    let place = |from: usize, to: usize| Span {
                        start: span.start + from as u32,
                        end: span.start + to as u32,
                        ..span
                    };
                    let kind = match self.lookup(&name[start..piece.name_end], span) {
                        Some(found) => self.found_kind(found),
                        None => ExKind::Wrong,
                    };
                    let atom = Ex { kind, span: place(start, piece.name_end) };
                    let mut postfix = Vec::new();
                    if piece.end > piece.name_end {
                        let digits: BigInt = name[piece.name_end..piece.end].parse().unwrap_or_default();
                        postfix.push(Px {
                            kind: PxKind::Suffix(Arc::new(digits)),
                            span: place(piece.name_end, piece.end),
                        });
                    }
                    factors.push(Fx { atom, postfix, span: place(start, piece.end) });
                    start = piece.end;
                }
                factors
            }
            Err(diagnostic) => {
                if !self.trying && self.unknown_once(name, *diagnostic) {
                    self.told.insert(key);
                }
                wrong(span)
            }
        }
    }

    fn number_name(&mut self, name: &str, span: Span) {
        let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
        let rest = &name[digits.len()..];
        let known = self.puzzle.clone().and_then(|puzzle| {
            let head = self.head(puzzle.id);
            let base = head
                .find_move(rest)
                .or_else(|| head.find_move(rest.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'w')))?;
            Some((head.name.clone(), head.moves[base as usize].clone()))
        });
        let diagnostic = Diagnostic::at(
            codes::NUMBER_NAME,
            span,
            format!("`{name}` is not a move: no name begins with a digit"),
            "a number in front of a name",
        );
        let value = self.lookup(rest, span).is_some_and(|found| !self.found_wordish(&found));
        self.error(match known {
            Some((puzzle, (base, arity, _))) if arity > 0 => {
                diagnostic.help(format!("number {digits} of the family `{base}` of {puzzle} is `{base}[{digits}]`; `{base}` done {digits} times is `{base}^{digits}`"))
            }
            Some((puzzle, (base, ..))) => {
                diagnostic.help(format!("{puzzle} has no layers of `{base}`; `{base}` done {digits} times is `{base}{digits}` or `{base}^{digits}`"))
            }
            None if value => {
                diagnostic.help(format!("write the product with its sign: `{digits} * {rest}`"))
            }
            None => diagnostic.help(format!("a power stands behind: `{rest}{digits}` or `{rest}^{digits}`; a product of numbers needs `*`")),
        });
    }

    /// Is this a name that may be a piece of a run-together name? A nearer name that is no word hides one that is.
    fn is_piece(&self, name: &str) -> bool {
        let local = self.frames.iter().rev().find_map(|frame| frame.find(name));
        if let Some(local) = local {
            return local.wordish;
        }
        if let Some(puzzle) = &self.puzzle {
            let members = self.library.members_called(puzzle.id, name, self.module);
            if !members.is_empty() {
                return members.iter().any(|id| self.library.member(*id).wordish);
            }
            if self.head(puzzle.id).find_move(name).is_some() {
                return true;
            }
            if puzzle.params.iter().any(|param| &**param == name) {
                return false;
            }
        }
        let module = self.library.module(self.module);
        let global = [self.module].iter().chain(&module.uses).find_map(|id| self.library.module(*id).names.get(name));
        matches!(global, Some(GlobalName::Value { wordish: true, .. }))
    }

    pub(super) fn found_wordish(&self, found: &Found) -> bool {
        match found {
            Found::Local(local) => local.wordish,
            Found::Member(ids) => ids.iter().any(|id| self.library.member(*id).wordish),
            Found::Move(_) => true,
            Found::Global(_, _, wordish) => *wordish,
            Found::Param(_) | Found::Cells | Found::Puzzle(_) | Found::Builtin(_) => false,
        }
    }

    /// The pieces that may begin at a place of a run-together name, each with the digits behind it.
    fn pieces_at(&self, name: &str, at: usize) -> SmallVec<[Piece; 2]> {
        let mut pieces = SmallVec::new();
        let digits = |from: usize| name[from..].bytes().take_while(u8::is_ascii_digit).count();
        for (offset, c) in name[at..].char_indices().take(LONGEST_PIECE) {
            let name_end = at + offset + c.len_utf8();
            if !self.is_piece(&name[at..name_end]) {
                continue;
            }
            let digits = digits(name_end);
            let end = name_end + digits;
            // a run of digits is never cut, and a declared name wins over the power that it could be: `R2` over R²
            if digits > 0 && (c.is_ascii_digit() || self.is_piece(&name[at..end])) {
                continue;
            }
            pieces.push(Piece { end, name_end });
        }
        pieces
    }

    /// The one way to cut a name into declared pieces. A run of digits is never cut: it ends a declared name or is one
    /// suffix. Cost: length × length of the longest piece.
    fn split(&mut self, name: &str, span: Span) -> Result<Vec<Piece>, Box<Diagnostic>> {
        let length = name.len();
        // ways[p]: in how many ways the text from p on can be cut (2 means several), and the first two first pieces
        let mut ways = vec![0u8; length + 1];
        ways[length] = 1;
        let mut firsts: Vec<SmallVec<[Piece; 2]>> = vec![SmallVec::new(); length];
        for at in (0..length).rev() {
            if !name.is_char_boundary(at) {
                continue;
            }
            for piece in self.pieces_at(name, at) {
                if ways[piece.end] > 0 {
                    ways[at] = (ways[at] + ways[piece.end]).min(2);
                    if firsts[at].len() < 2 {
                        firsts[at].push(piece);
                    }
                }
            }
        }
        let cut = |choose_last: &mut bool| {
            let mut pieces: Vec<Piece> = Vec::new();
            let mut at = 0;
            while at < length {
                let options = &firsts[at];
                // the first place with a choice takes the other one
                let option = if *choose_last && options.len() > 1 {
                    *choose_last = false;
                    &options[1]
                } else {
                    &options[0]
                };
                pieces.push(option.clone());
                at = option.end;
            }
            pieces
        };
        match ways[0] {
            1 => Ok(cut(&mut false)),
            // nobody will read it
            0 if self.trying || self.errors.len() >= self.most_errors => {
                Err(Box::new(Diagnostic::error(codes::UNKNOWN_NAME, "an unknown name")))
            }
            0 => {
                // how far pieces go from the front, to show where it fails
                let mut farthest = 0;
                let mut reach = vec![false; length + 1];
                reach[0] = true;
                for at in 0..length {
                    if !reach[at] || !name.is_char_boundary(at) {
                        continue;
                    }
                    farthest = at;
                    for piece in self.pieces_at(name, at) {
                        reach[piece.end] = true;
                    }
                }
                Err(Box::new(self.unknown(name, span, farthest)))
            }
            _ => {
                let show = |pieces: &[Piece]| {
                    let mut at = 0;
                    let mut parts = Vec::new();
                    for piece in pieces {
                        parts.push(&name[at..piece.end]);
                        at = piece.end;
                    }
                    parts.join(" ")
                };
                let mut two = [show(&cut(&mut false)), show(&cut(&mut true))];
                two.sort();
                let [one, two] = two;
                Err(Box::new(
                    Diagnostic::at(
                        codes::AMBIGUOUS_NAME,
                        span,
                        format!("`{name}` can be split in two ways"),
                        format!("`{one}` or `{two}`"),
                    )
                    .help("put blanks between the moves"),
                ))
            }
        }
    }

    /// Reports a name that is not known, but not where a file is missing that may declare it. Without a puzzle one move
    /// of a line speaks for all. Says whether the name need not be told again.
    fn unknown_once(&mut self, name: &str, diagnostic: Diagnostic) -> bool {
        if self.missing_names || self.library.module(self.module).lost.iter().any(|lost| **lost == *name) {
            // something has to be wrong, and is reported already
            return true;
        }
        let code = diagnostic.code;
        let span = diagnostic.span().unwrap_or_default();
        let sources = self.tools.sources.get(span.file);
        let line = |span: Span| sources.line_column(span.start).0;
        let like_the_last = self.errors.last().is_some_and(|last| {
            // a line that begins with a word of another language is wrong as a whole
            let foreign_line = last.title.split('`').nth(1).is_some_and(|word| foreign::word(word).is_some());
            let word_without_puzzle =
                self.puzzle.is_none() && name.chars().count() <= 2 && last.help == diagnostic.help;
            last.code == code
                && (foreign_line || word_without_puzzle)
                && last.span().is_some_and(|other| other.file == span.file && line(other) == line(span))
        });
        if !like_the_last {
            self.error(diagnostic);
        }
        !like_the_last
    }

    fn unknown(&mut self, name: &str, span: Span, farthest: usize) -> Diagnostic {
        if name == "cells" {
            return Diagnostic::at(codes::NO_PUZZLE, span, "no puzzle is in force here", "the cells of which puzzle?")
                .help("put it into `on PUZZLE(…) { … }`");
        }
        let mut known: Vec<String> = Vec::new();
        for frame in &self.frames {
            for scope in frame.scopes.iter().chain([&frame.captured]) {
                known.extend(scope.keys().map(|name| name.to_string()));
            }
        }
        let mut puzzle_name = None;
        if let Some(puzzle) = self.puzzle.clone() {
            let head = self.head(puzzle.id);
            puzzle_name = Some(head.name.to_string());
            known.extend(head.moves.iter().map(|(name, ..)| name.to_string()));
            known.extend(puzzle.params.iter().map(|name| name.to_string()));
            known.extend(self.library.member_names(puzzle.id, self.module).map(|(name, _)| name.to_string()));
        }
        let module = self.library.module(self.module);
        for id in [self.module].iter().chain(&module.uses) {
            known.extend(self.library.module(*id).names.keys().map(|name| name.to_string()));
        }
        known.extend(self.tools.builtins.iter().map(|builtin| builtin.name.to_string()));
        known.extend(self.tools.importer.standard_puzzles());
        let short = |text: &str, most: usize| -> String {
            if text.chars().count() > most {
                text.chars().take(most).chain(['…']).collect()
            } else {
                text.to_string()
            }
        };
        let shown = short(name, 40);
        let title = format!("`{shown}` is not known here");
        let split = farthest > 0;
        let diagnostic = if split {
            // the beginning is a word of moves: show where that ends
            let at = Span { start: span.start + farthest as u32, ..span };
            let label = format!("moves up to here, but no move is called `{}`", short(&name[farthest..], 12));
            Diagnostic::at(codes::UNKNOWN_NAME, at, title, label)
        } else {
            Diagnostic::at(codes::UNKNOWN_NAME, span, title, "unknown name")
        };
        if let Some(help) = foreign::word(name) {
            return diagnostic.help(help);
        }
        let mut near = suggest::nearest(name, known.iter().map(String::as_str));
        if split {
            near.retain(|other| other.to_lowercase() == name.to_lowercase());
        }
        if !near.is_empty() {
            return diagnostic.help(format!("did you mean {}?", suggest::one_of(&near)));
        }
        const SHOWN_MOVES: usize = 12;
        let moves = self.puzzle.clone().map(|puzzle| {
            let moves = &self.head(puzzle.id).moves;
            let mut names: Vec<String> = moves
                .iter()
                .map(|(name, arity, default)| {
                    if *arity == 0 || *default {
                        name.to_string()
                    } else {
                        format!("{name}[{}]", vec!["…"; *arity].join(", "))
                    }
                })
                .take(SHOWN_MOVES)
                .collect();
            if moves.len() > SHOWN_MOVES {
                names.push("…".to_string());
            }
            names.join(", ")
        });
        match (puzzle_name, moves) {
            (Some(puzzle), Some(moves)) => diagnostic.help(format!("the moves of {puzzle} are {moves}")),
            _ => diagnostic.help("moves are known inside `on PUZZLE(…) { … }`; other names need `let` or `use`"),
        }
    }
}
