//! Words on puzzles with a blank: what they do from a place of the blank, from home, and on all places at once; where they
//! count as permutations, and the message where they do not.

mod place;

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};

use super::board::{BoardValue, move_text};
use super::effect::crop;
use super::instance::{Instance, cell_text};
use super::machine::Machine;
use super::value::{PermValue, Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::Perm;
use crate::puzzle::sliding::{Difference, Halt, NoOrder, Stuck, Walker};
use crate::source::Span;
use crate::word::{Letter, Word};

/// What a few words did, done from home. A machine remembers them, so that a word that is asked about again and again is not
/// done each time.
#[derive(Default)]
pub(super) struct Walked(Vec<(Word, Perm)>);

impl Walked {
    /// So many words are remembered.
    const KEPT: usize = 8;
    /// Shorter ones are not.
    const SHORT: u64 = 16;

    fn recall(&self, word: &Word) -> Option<Perm> {
        self.0.iter().find(|(known, _)| known.key() == word.key()).map(|(_, perm)| perm.clone())
    }

    fn keep(&mut self, word: &Word, perm: &Perm) {
        if word.moves().is_some_and(|moves| moves < Walked::SHORT) {
            return;
        }
        if self.0.len() == Walked::KEPT {
            self.0.remove(0);
        }
        self.0.push((word.clone(), perm.clone()));
    }
}

impl Machine<'_> {
    /// Runs a computation about a blank under the machine's budget. Inside: where a word got stuck.
    pub(super) fn slid_work<T>(
        &mut self,
        span: Span,
        compute: impl FnOnce(&dyn Fn(u64) -> bool) -> Result<T, Halt>,
    ) -> Run<Result<T, Box<Stuck>>> {
        let (result, steps) = self.counted(|work| Ok(compute(&|steps| work.charge(steps).is_ok())));
        self.charge(steps, span)?;
        match result {
            Ok(Ok(value)) => Ok(Ok(value)),
            Ok(Err(Halt::Stuck(stuck))) => Ok(Err(stuck)),
            // the budget was met exactly
            Ok(Err(Halt::Stopped)) | Err(_) => Err(Fault::Interrupted),
        }
    }

    /// Where the content of each cell goes when a word is done on a board with its blank at `blank`.
    pub(super) fn slid(&mut self, word: &WordValue, board: &BoardValue, blank: u32, span: Span) -> Run<Perm> {
        let of = board.of.clone();
        let Some(sliding) = of.sliding() else { return Ok(Perm::identity(of.cells.len())) };
        match self.slid_work(span, |goes_on| Walker::new(sliding, &word.word, goes_on).from(blank))? {
            Ok(effect) => Ok(effect.perm),
            Err(stuck) => Err(self.stuck(board, word, &stuck, span)),
        }
    }

    fn stuck(&mut self, board: &BoardValue, word: &WordValue, stuck: &Stuck, span: Span) -> Fault {
        let mut there = board.clone();
        there.board.apply(&stuck.perm);
        self.impossible_at(&there, word, stuck.moves.clone(), stuck.letter, span)
    }

    /// Where the content of each cell goes when a word is done with the blank at home.
    pub(super) fn slid_from_home(&mut self, word: &Word, of: &Arc<Instance>, span: Span) -> Run<Perm> {
        if let Some(known) = self.walked.recall(word) {
            self.charge(1 + of.cells.len() as u64 / 64, span)?;
            return Ok(known);
        }
        let board = BoardValue::solved(of);
        let value = WordValue { word: word.clone(), of: Some(of.clone()) };
        let perm = self.slid(&value, &board, board.blank().unwrap_or(0), span)?;
        self.walked.keep(word, &perm);
        Ok(perm)
    }

    /// The message for a move that is impossible where the blank is: `at` counts the moves before it.
    pub(super) fn impossible_at(
        &mut self,
        board: &BoardValue,
        word: &WordValue,
        at: impl Into<BigUint>,
        letter: Letter,
        span: Span,
    ) -> Fault {
        let at: BigUint = at.into();
        let instance = &board.of;
        let name = move_text(instance, letter);
        let blank = board.blank().map_or(String::new(), |blank| cell_text(instance.cells.coordinates(blank)));
        let single = word.word.moves() == Some(1);
        let title = match single {
            true => format!("`{name}` is impossible here: the blank is at {blank}"),
            false => format!("move {} of this word, `{name}`, is impossible: the blank is then at {blank}", &at + 1u32),
        };
        let written = self.source_text(span);
        // where the move is written, if the text is that of the word and not of more
        let place = place::of_move(&written, instance, &word.word, &at);
        let mut diagnostic = match place.filter(|_| !single) {
            Some((from, to)) => {
                let here = Span { start: span.start + from as u32, end: span.start + to as u32, ..span };
                Diagnostic::at(codes::IMPOSSIBLE_MOVE, here, title, "this move")
            }
            None => Diagnostic::at(codes::IMPOSSIBLE_MOVE, span, title, if single { "this move" } else { "this word" }),
        };
        diagnostic = diagnostic.note(format!("the board at that step:\n{}", board.picture()));
        let possible = possible_moves(instance, board);
        if !possible.is_empty() {
            diagnostic = diagnostic.note(format!("possible there: {possible}"));
        }
        Fault::Error(Box::new(
            diagnostic
                .help("a word is done as it is spelled, nothing is cancelled: choose moves that the blank can make"),
        ))
    }

    /// What a word or permutation does where it has to be a permutation: in a product with one, as an element of a group.
    /// A word has to bring the blank home for that.
    pub(super) fn closed_perm(&mut self, value: &Value, span: Span) -> Run<PermValue> {
        let perm = self.perm_of(value, span)?;
        let Some((of, sliding)) = perm.of.as_ref().and_then(|of| Some((of.clone(), of.sliding()?.home))) else {
            return Ok(perm);
        };
        let to = perm.perm.image(sliding);
        if matches!(value, Value::Perm(_)) || to == sliding {
            return Ok(perm);
        }
        let text = |cell: u32| cell_text(of.cells.coordinates(cell));
        let written = crop(&self.source_text(span));
        Err(Fault::Error(Box::new(
            Diagnostic::at(
                codes::NOT_CLOSED,
                span,
                format!("`{written}` takes the blank from {} to {}, so it is no permutation of the cells", text(sliding), text(to)),
                "this word does not bring the blank home",
            )
            .note("`perm(w)` of such a word says where the contents go when the blank starts at home; the moves after it start elsewhere, so these permutations do not multiply as words do")
            .help("bring the blank home first, or multiply words with words and take `perm` of the whole"),
        )))
    }

    /// What a word or permutation does beside others: where one of them is a permutation of the pairs of the blank and a tile,
    /// words are too.
    pub(super) fn operand(&mut self, value: &Value, pairs: Option<&Arc<Instance>>, span: Span) -> Run<PermValue> {
        let Some(pairs) = pairs.filter(|_| !matches!(value, Value::Perm(_))) else {
            return self.closed_perm(value, span);
        };
        let word = self.word_of(value, span)?;
        match &word.of {
            Some(of) if pairs.is_pairs_of(of) => self.on_pairs(&word.word, of, span),
            None => Ok(PermValue { perm: Perm::identity(pairs.cells.len()), of: Some(pairs.clone()) }),
            Some(_) => self.closed_perm(value, span),
        }
    }

    /// What a word does to the pairs of the blank and a tile, where all moves are always possible.
    pub(super) fn on_pairs(&mut self, word: &Word, of: &Arc<Instance>, span: Span) -> Run<PermValue> {
        let Some(sliding) = of.sliding() else { return Ok(PermValue { perm: Perm::identity(0), of: None }) };
        self.room_for_pairs(of, span)?;
        let perm = match self.slid_work(span, |goes_on| sliding.on_pairs(word, goes_on))? {
            Ok(perm) => perm,
            Err(stuck) => {
                let value = WordValue { word: word.clone(), of: Some(of.clone()) };
                return Err(self.stuck(&BoardValue::solved(of), &value, &stuck, span));
            }
        };
        Ok(PermValue { perm, of: Some(of.pairs().clone()) })
    }

    /// What a word does for each cell of the blank, nothing where it is impossible; one entry where there is no blank.
    pub(super) fn steps_of(&mut self, word: &Word, of: &Arc<Instance>, span: Span) -> Run<Vec<Option<Perm>>> {
        let Some(sliding) = of.sliding() else {
            let value = Value::Word(WordValue { word: word.clone(), of: Some(of.clone()) });
            return Ok(vec![Some(self.perm_of(&value, span)?.perm)]);
        };
        let steps = self.slid_work(span, |goes_on| {
            let mut walker = Walker::new(sliding, word, goes_on);
            let step = |blank: u32| match walker.from(blank) {
                Ok(effect) => Ok(Some(effect.perm)),
                Err(Halt::Stuck(_)) => Ok(None),
                Err(stopped) => Err(stopped),
            };
            (0..of.cells.len() as u32).map(step).collect()
        })?;
        Ok(steps.unwrap_or_default())
    }

    /// May the pairs of the blank and a tile be made into a puzzle, or the loops of the blank?
    pub(super) fn room_for_pairs(&mut self, of: &Instance, span: Span) -> Run<()> {
        let Some(sliding) = of.sliding() else { return Ok(()) };
        let letters = of.letters().0.len() as u128 + 1;
        let pairs = sliding.pairs() as u128;
        self.room_for(pairs.saturating_mul(letters), span)
    }

    /// Do two words the same wherever the blank is, and are they possible in the same places?
    pub(super) fn equal_everywhere(&mut self, a: &Word, b: &Word, of: &Arc<Instance>, span: Span) -> Run<bool> {
        if a.key() == b.key() {
            return Ok(true);
        }
        Ok(self.difference_of_words(a, b, of, span)?.is_none())
    }

    fn difference_of_words(&mut self, a: &Word, b: &Word, of: &Arc<Instance>, span: Span) -> Run<Option<Difference>> {
        let Some(sliding) = of.sliding() else { return Ok(None) };
        let difference = self.slid_work(span, |goes_on| sliding.first_difference(a, b, goes_on))?;
        Ok(difference.ok().flatten())
    }

    /// Where two words of a puzzle with a blank differ first, in words. None for other values.
    pub fn slid_difference(&mut self, a: &Value, b: &Value) -> Option<String> {
        let (a, b) = (self.word_of(a, Span::default()).ok()?, self.word_of(b, Span::default()).ok()?);
        let of = a.of.clone().or_else(|| b.of.clone())?;
        let Difference { blank, left, right } =
            self.difference_of_words(&a.word, &b.word, &of, Span::default()).ok()??;
        let text = |cell: u32| cell_text(of.cells.coordinates(cell));
        let at = text(blank);
        Some(match (left, right) {
            (Some(left), Some(right)) if left.blank != right.blank => format!(
                "with the blank at {at}: it goes to {} on the left, to {} on the right",
                text(left.blank),
                text(right.blank)
            ),
            (Some(left), Some(right)) => {
                let cell = left.perm.first_difference(&right.perm)?;
                format!(
                    "with the blank at {at}: the content of {} goes to {} on the left, to {} on the right",
                    text(cell),
                    text(left.perm.image(cell)),
                    text(right.perm.image(cell))
                )
            }
            (None, _) => format!("with the blank at {at} the left word is impossible"),
            (_, None) => format!("with the blank at {at} the right word is impossible"),
        })
    }

    /// The order of a word on a puzzle with a blank.
    pub(super) fn slid_order(&mut self, word: &WordValue, of: &Arc<Instance>, span: Span) -> Run<BigInt> {
        let Some(sliding) = of.sliding() else { return Ok(BigInt::from(1)) };
        let mut rounds = 0;
        let order = self.slid_work(span, |goes_on| {
            sliding.order(&word.word, goes_on).map_err(|none| match none {
                NoOrder::Stopped => Halt::Stopped,
                NoOrder::Stuck(done, stuck) => {
                    rounds = done;
                    Halt::Stuck(stuck)
                }
            })
        })?;
        match order {
            Ok(order) => Ok(BigInt::from(order)),
            Err(stuck) => {
                let fault = self.stuck(&BoardValue::solved(of), word, &stuck, span);
                let Fault::Error(mut diagnostic) = fault else { return Err(fault) };
                if rounds > 0 {
                    diagnostic.title = format!(
                        "this word has no order: after {} it is impossible, the blank is at {} when `{}` comes",
                        if rounds == 1 { "one round".to_string() } else { format!("{rounds} rounds") },
                        cell_text(of.cells.coordinates(stuck.blank)),
                        move_text(of, stuck.letter)
                    );
                    diagnostic.help = Some(
                        "the order is the least k for which the k-th power restores the solved board: the power has to be possible"
                            .to_string(),
                    );
                }
                Err(Fault::Error(diagnostic))
            }
        }
    }

    /// The puzzle with a blank that a word belongs to.
    pub(super) fn slid_instance(&self, word: &WordValue) -> Option<Arc<Instance>> {
        let of = word.of.clone().or_else(|| self.instance.clone())?;
        of.sliding().is_some().then_some(of)
    }
}

/// The pairs that one of some permutations moves.
pub(super) fn pairs_among<'a>(values: impl IntoIterator<Item = &'a Value>) -> Option<Arc<Instance>> {
    values.into_iter().find_map(|value| match value {
        Value::Perm(PermValue { of: Some(of), .. }) if of.is_pairs() => Some(of.clone()),
        _ => None,
    })
}

/// The letters that are possible on a board, as they are written.
fn possible_moves(instance: &Instance, board: &BoardValue) -> String {
    let (Some(sliding), Some(blank)) = (instance.sliding(), board.blank()) else { return String::new() };
    let moves: Vec<Letter> = (0..instance.alphabet().len())
        .map(|generator| Letter::new(generator, false))
        .filter(|letter| sliding.target(*letter, blank).is_some())
        .collect();
    // an inverse that does the same as a move need not be said
    let inverses = (0..instance.alphabet().len()).map(|generator| Letter::new(generator, true)).filter(|letter| {
        sliding.target(*letter, blank).is_some()
            && !moves.iter().any(|one| sliding.undoes(letter.inverse(), *one, blank))
    });
    let possible: Vec<String> =
        moves.iter().copied().chain(inverses).map(|letter| move_text(instance, letter)).collect();
    if possible.len() > 24 { String::new() } else { possible.join(", ") }
}
