//! Procedures: `do`, `run … from …`, what has to hold before, during and after, and what a failure shows.

use std::collections::VecDeque;
use std::sync::Arc;

use num_traits::Signed;

use super::board::BoardValue;
use super::instance::Instance;
use super::machine::Machine;
use super::trace::{MOST_STEPS, Trace};
use super::value::{Closure, Fraction, Value, WordValue, order};
use super::{Failure, Fault, Run};
use crate::diagnostic::{Code, Diagnostic, codes};
use crate::puzzle::board::Board;
use crate::resolve::program::*;
use crate::source::Span;
use crate::word::{Letter, Word};

/// The board that an algorithm acts on, and what has been done on it.
pub struct Acting {
    pub(super) instance: Arc<Instance>,
    pub(super) board: Board,
    /// what was done, in order
    done: Vec<Done>,
    /// the last steps, for messages
    last: VecDeque<LastStep>,
    /// how many moves were made
    moves: u64,
    /// a failure on this board has been described
    told: bool,
}

/// A part of what was done.
enum Done {
    Letters(Vec<Letter>),
    Word(Word),
}

/// One `do` of the last few.
struct LastStep {
    span: Span,
    word: Word,
}

/// A failure shows so many of the last steps.
const SHOWN_STEPS: usize = 6;

/// Longer words are done at once on a board without a blank, and are kept as they were written.
pub(super) const LONG_WORD: u64 = 256;

/// The measure of a loop at the start of its last round.
#[derive(Default)]
pub(super) struct Measured {
    /// the denominators of the first value
    first: Vec<num_bigint::BigInt>,
    last: Option<Value>,
}

impl Acting {
    fn new(board: &BoardValue) -> Acting {
        Acting {
            instance: board.of.clone(),
            board: board.board.clone(),
            done: Vec::new(),
            last: VecDeque::new(),
            moves: 0,
            told: false,
        }
    }

    /// The word that was done.
    fn word(self) -> WordValue {
        let parts = self.done.into_iter().map(|part| match part {
            Done::Letters(letters) => word_of_letters(&self.instance, letters),
            Done::Word(word) => word,
        });
        let word = Word::product(parts.collect()).unwrap_or_default();
        WordValue { word, of: Some(self.instance) }
    }

    /// The board as it is now.
    pub(super) fn here(&self) -> BoardValue {
        BoardValue { of: self.instance.clone(), board: self.board.clone() }
    }

    fn note(&mut self, span: Span, word: &Word) {
        if self.last.len() == SHOWN_STEPS {
            self.last.pop_front();
        }
        self.last.push_back(LastStep { span, word: word.clone() });
    }

    /// Performs a letter, if it is possible.
    fn perform(&mut self, letter: Letter) -> bool {
        match self.instance.sliding() {
            Some(sliding) => self.board.slide(sliding, letter, self.board.place(sliding.home)).is_some(),
            None => {
                self.board.turn(self.instance.moved_by(letter));
                true
            }
        }
    }

    fn letter(&mut self, letter: Letter) {
        match self.done.last_mut() {
            Some(Done::Letters(letters)) => letters.push(letter),
            _ => self.done.push(Done::Letters(vec![letter])),
        }
        self.moves = self.moves.saturating_add(1);
    }
}

/// The word with these letters; equal neighbours are written as powers.
pub(super) fn word_of_letters(instance: &Instance, letters: Vec<Letter>) -> Word {
    Word::joined(instance.alphabet(), letters).unwrap_or_default()
}

/// A word as a line about a step shows it.
fn step_text(word: &Word) -> String {
    super::effect::crop(&word.to_text(200))
}

/// Is a mistake one about kinds of values, names or arguments, which no board explains?
fn about_kinds(code: Code) -> bool {
    matches!(
        code,
        codes::WRONG_KIND
            | codes::DIFFERENT_KINDS
            | codes::NUMBER_IN_WORD
            | codes::TUPLE_FOR_CYCLE
            | codes::OTHER_PUZZLE
            | codes::ALGORITHM_NEEDS_DO
            | codes::WRONG_ARGUMENTS
            | codes::NOT_A_FUNCTION
            | codes::NOT_A_BOARD
            | codes::NO_BOARD
            | codes::UNKNOWN_NAME
            | codes::USED_BEFORE
            | codes::TOO_MANY_CALLS
    )
}

/// Something of another puzzle than the board's.
fn other_board(span: Span, title: String, help: String) -> Fault {
    Fault::at(codes::OTHER_PUZZLE, span, title, "of another puzzle", help)
}

/// Several values of one kind: `sets` for a set.
fn kinds(value: &Value) -> String {
    let kind = value.kind();
    let name = kind.strip_prefix("an ").or(kind.strip_prefix("a ")).unwrap_or(kind);
    match name.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{name}s"),
    }
}

impl Machine<'_> {
    /// `do w`, `do f(x)`, `run f(x)`, `run f(x) from b`
    pub(super) fn perform(&mut self, perform: &Perform, span: Span) -> Run<Value> {
        if perform.run {
            return self.run_algorithm(perform, span);
        }
        if let Some((closure, args)) = self.algorithm_call(&perform.what)? {
            return self.act(&closure, args, perform.what.span);
        }
        let value = self.eval(&perform.what)?;
        let word = self.word_of(&value, perform.what.span)?;
        self.do_word(&word, perform.what.span)?;
        Ok(Value::Nothing)
    }

    /// The algorithm that an expression names or calls, with its arguments. `None` for anything else.
    fn algorithm_call(&mut self, what: &Ex) -> Run<Option<(Arc<Closure>, Vec<Value>)>> {
        let (callee, args) = match &what.kind {
            ExKind::Run(factors) => match factors.as_slice() {
                [before @ .., Fx { atom: Ex { kind: ExKind::Paren(args), span }, postfix, .. }]
                    if postfix.is_empty() && !before.is_empty() && self.names_function(before) =>
                {
                    let place = before[0].span.to(before[before.len() - 1].span);
                    (self.run(before, place, false)?, Some((args, *span)))
                }
                _ if self.names_function(factors) => (self.run(factors, what.span, false)?, None),
                _ => return Ok(None),
            },
            ExKind::Local(_) | ExKind::Global(..) | ExKind::Member(_) => (self.eval(what)?, None),
            _ => return Ok(None),
        };
        let Value::Function(closure) = callee else { return Ok(None) };
        if !closure.function.algorithm {
            return Ok(None);
        }
        let args = match args {
            None => Vec::new(),
            Some((args, span)) => {
                let call = self.arguments(args, span)?;
                self.only_plain(&call, &closure.function.name)?;
                call.args
            }
        };
        Ok(Some((closure, args)))
    }

    /// Can the factors be the name of a function: `f`, `P(6).f`?
    fn names_function(&self, factors: &[Fx]) -> bool {
        match factors {
            [only] => {
                only.postfix.iter().all(|postfix| matches!(postfix.kind, PxKind::Member(_)))
                    && matches!(
                        only.atom.kind,
                        ExKind::Local(_) | ExKind::Global(..) | ExKind::Member(_) | ExKind::Puzzle(_)
                    )
            }
            [puzzle, args] => {
                matches!(puzzle.atom.kind, ExKind::Puzzle(_))
                    && puzzle.postfix.is_empty()
                    && matches!(args.postfix.as_slice(), [Px { kind: PxKind::Member(_), .. }])
            }
            _ => false,
        }
    }

    fn run_algorithm(&mut self, perform: &Perform, span: Span) -> Run<Value> {
        let Some((closure, args)) = self.algorithm_call(&perform.what)? else {
            let shown = self.source_text(perform.what.span);
            return Err(Fault::at(
                codes::WRONG_KIND,
                perform.what.span,
                format!("`{}` is not an algorithm", super::effect::crop(&shown)),
                "`run` runs an algorithm",
                "declare it with `algorithm name(…) { … }`; a word needs no `run`, and `w(b)` is the board after it",
            ));
        };
        let instance = match &closure.instance {
            Some(instance) => instance.clone(),
            None => self.in_force(span)?,
        };
        let start = match &perform.from {
            None => None,
            Some(from) => match self.eval(from)? {
                Value::Board(board) if Arc::ptr_eq(&board.of, &instance) => Some(board),
                Value::Board(board) => {
                    return Err(other_board(
                        from.span,
                        format!("a board of {} where one of {} is needed", board.of.name, instance.name),
                        format!("take a board of {0}: `on {0} {{ … }}`", instance.name),
                    ));
                }
                other => {
                    return Err(Fault::at(
                        codes::NOT_A_BOARD,
                        from.span,
                        format!("`run` starts from a board, not from {}", other.kind()),
                        "not a board",
                        "write `solved`, `board(…)`, `shuffled(1)`, or `w(solved)` for the board after a word",
                    ));
                }
            },
        };
        // a procedure that is run while one is compiled is not compiled itself: it might be the same
        if !self.trace_runs
            && !self.is_apart
            && let Some(word) = super::compiled::run(self, &instance, &closure, &args, start.as_ref(), span)?
        {
            return Ok(Value::Word(word));
        }
        let start = start.unwrap_or_else(|| Arc::new(BoardValue::solved(&instance)));
        let traced = std::mem::take(&mut self.trace_runs);
        let trace = traced.then(|| Box::new(Trace::new(self.source_text(perform.what.span), span, (*start).clone())));
        let outer_trace = std::mem::replace(&mut self.tracing, trace);
        let outer = self.acting.replace(Box::new(Acting::new(&start)));
        let result = self.act(&closure, args, span);
        let acting = std::mem::replace(&mut self.acting, outer);
        // what went wrong has been described: runs inside runs are not listed one after another
        if let (Err(_), Some(outer)) = (&result, &mut self.acting) {
            outer.told = true;
        }
        let word = acting.filter(|_| result.is_ok()).map(|acting| acting.word());
        self.trace_runs = traced;
        match traced {
            true => self.end_trace(outer_trace, word.clone()),
            false => self.tracing = outer_trace,
        }
        result?;
        Ok(word.map_or(Value::Nothing, Value::Word))
    }

    /// Calls an algorithm on the board in force.
    fn act(&mut self, closure: &Arc<Closure>, args: Vec<Value>, span: Span) -> Run<Value> {
        let acting = self.acting_on(span)?;
        if let Some(instance) = &closure.instance
            && !Arc::ptr_eq(instance, &acting.instance)
        {
            let (here, own) = (acting.instance.name.clone(), instance.name.clone());
            return Err(other_board(
                span,
                format!("`{}` is an algorithm of {own}, and the board is one of {here}", closure.function.name),
                format!("run it on its own puzzle: `on {own} {{ run {} }}`", closure.function.name),
            ));
        }
        let outer = std::mem::replace(&mut self.permitted, true);
        let result = self.call(closure, args, span);
        self.permitted = outer;
        result
    }

    /// Whether an algorithm may be called now: `do` and `run` say so just before they call.
    pub(super) fn may_act(&mut self, function: &Function, span: Span) -> Run<()> {
        if std::mem::take(&mut self.permitted) || !function.algorithm {
            return Ok(());
        }
        let written = super::effect::crop(&self.source_text(span));
        let call = if written.starts_with(&*function.name) { written } else { format!("{}(…)", function.name) };
        Err(Fault::at(
            codes::ALGORITHM_NEEDS_DO,
            span,
            format!("`{}` is an algorithm: it acts on a board", function.name),
            "called like a function",
            match self.acting {
                Some(_) => format!("write `do {call}`"),
                None => format!("`run {call}` gives the word that it does; inside an algorithm write `do {call}`"),
            },
        ))
    }

    /// An algorithm of a file acts on whatever puzzle the board belongs to.
    pub(super) fn acting_instance(&self, function: &Function) -> Option<Arc<Instance>> {
        function.algorithm.then(|| self.acting.as_ref().map(|acting| acting.instance.clone())).flatten()
    }

    /// The board that lines of a REPL act on, and how many moves this machine has made on it.
    pub fn acting_board(&self) -> Option<(BoardValue, u64)> {
        let acting = self.acting.as_ref()?;
        Some((acting.here(), acting.moves))
    }

    /// Puts a board in force for the lines of a REPL; another puzzle begins with its solved board.
    pub fn act_on(&mut self, board: Option<BoardValue>) {
        let fits = |board: &BoardValue| self.instance.as_ref().is_some_and(|of| Arc::ptr_eq(of, &board.of));
        self.acting = board.filter(fits).map(|board| Box::new(Acting::new(&board)));
    }

    /// The board in force.
    pub(super) fn acting_on(&mut self, span: Span) -> Run<&mut Acting> {
        // line by line there is always a board: that of the puzzle in force, solved at first
        if self.interactive
            && self.acting.is_none()
            && let Some(instance) = &self.instance
        {
            self.acting = Some(Box::new(Acting::new(&BoardValue::solved(instance))));
        }
        match &mut self.acting {
            Some(acting) => Ok(acting),
            None => Err(Fault::at(
                codes::NO_BOARD,
                span,
                "there is no board to look at here",
                "this asks the board of an algorithm",
                "put it into an algorithm, or ask a board that you name: `at(t, b)`, `tile(c, b)`, `blank(b)`",
            )),
        }
    }

    /// Performs a word on the board in force.
    fn do_word(&mut self, word: &WordValue, span: Span) -> Run<()> {
        let acting = self.acting_on(span)?;
        let instance = acting.instance.clone();
        if let Some(of) = &word.of
            && !Arc::ptr_eq(of, &instance)
        {
            return Err(other_board(
                span,
                format!("a word of {} on a board of {}", of.name, instance.name),
                format!("write moves of {}", instance.name),
            ));
        }
        acting.note(span, &word.word);
        if instance.sliding().is_none() && word.word.moves().is_none_or(|moves| moves > LONG_WORD) {
            self.charge(1 + instance.cells.len() as u64, span)?;
            let effect = self.perm_of(&Value::Word(word.clone()), span)?;
            let acting = self.acting_on(span)?;
            acting.board.apply(&effect.perm);
            acting.moves = acting.moves.saturating_add(word.word.moves().unwrap_or(u64::MAX));
            acting.done.push(Done::Word(word.word.clone()));
            return self.trace_step(word, span);
        }
        for (at, letter) in word.word.letters_iter().enumerate() {
            self.step(span)?;
            let Some(acting) = &mut self.acting else { break };
            if !acting.perform(letter) {
                return Err(self.impossible(word, at, letter, span));
            }
            acting.letter(letter);
        }
        self.trace_step(word, span)
    }

    /// Notes a step, if that is wanted.
    fn trace_step(&mut self, word: &WordValue, span: Span) -> Run<()> {
        let (Some(trace), Some(acting)) = (&mut self.tracing, &self.acting) else { return Ok(()) };
        if trace.steps.len() >= MOST_STEPS {
            return Err(Fault::Budget(Box::new(
                Diagnostic::at(
                    codes::TOO_MUCH_MEMORY,
                    span,
                    format!("a trace of more than {MOST_STEPS} steps"),
                    "it was here then",
                )
                .help("trace a smaller case"),
            )));
        }
        trace.step(span, self.sources, step_text(&word.word), acting.here());
        Ok(())
    }

    /// The message for a move that the blank's place does not allow.
    fn impossible(&mut self, word: &WordValue, at: usize, letter: Letter, span: Span) -> Fault {
        let Some(acting) = &self.acting else { return Fault::Interrupted };
        let board = acting.here();
        self.impossible_at(&board, word, at as u64, letter, span)
    }

    /// Checks what an algorithm says it has done when it ends, in its frame.
    pub(super) fn check_ensures(&mut self, function: &Function) -> Run<()> {
        for (condition, message) in &function.ensures {
            let what = format!("when `{}` ends this is false", function.name);
            if let Err(fault) = self.assert_as(condition, message.as_ref(), codes::ENSURE_FAILED, &what) {
                return Err(self
                    .without_value(function, condition)
                    .filter(|_| matches!(fault, Fault::Error(_)))
                    .unwrap_or(fault));
            }
        }
        Ok(())
    }

    /// An `ensure` may name something whose line was not reached, because the algorithm returned before.
    fn without_value(&self, function: &Function, condition: &Ex) -> Option<Fault> {
        let text = self.source_text(condition.span);
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, _) = words.find_map(|word| {
            let named =
                |(name, slot): &&(Box<str>, Slot)| &**name == word && matches!(self.slot(*slot), Value::Nothing);
            function.names.iter().find(named)
        })?;
        Some(Fault::at(
            codes::USED_BEFORE,
            condition.span,
            format!(
                "`{name}` has no value when `{}` ends here: it returned before the line that gives it one",
                function.name
            ),
            "asked at every end",
            format!("declare `{name}` before the first `return`"),
        ))
    }

    /// The measure of a loop at the start of a round: smaller than the round before, and not negative.
    pub(super) fn measure(&mut self, measure: Option<&Ex>, measured: &mut Measured) -> Run<()> {
        let Some(ex) = measure else { return Ok(()) };
        self.assertions += 1;
        let value = self.eval(ex)?;
        let parts = match &value {
            Value::Tuple(parts) => parts.to_vec(),
            other => vec![other.clone()],
        };
        let numbers: Option<Vec<Fraction>> = parts.iter().map(Value::as_fraction).collect();
        let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else {
            return Err(Fault::at(
                codes::WRONG_KIND,
                ex.span,
                match parts.iter().find(|part| part.as_fraction().is_none()) {
                    Some(part) if matches!(value, Value::Tuple(_)) => {
                        format!("a measure is a number or a tuple of numbers, not of {}", kinds(part))
                    }
                    _ if parts.is_empty() => {
                        "a measure is a number or a tuple of numbers, not an empty tuple".to_string()
                    }
                    _ => format!("a measure is a number or a tuple of numbers, not {}", value.kind()),
                },
                "the measure of this loop",
                "give something that gets smaller with each round, such as a distance",
            ));
        };
        let shown = self.print(&value);
        let wrong = |title: String| {
            let help = "correct the loop, or measure something that gets smaller with each round";
            let diagnostic =
                Diagnostic::at(codes::NOT_DECREASING, ex.span, title, "the measure of this loop").help(help);
            Fault::Failed(Box::new(Failure { diagnostic, sides: None, sides_at: 0, span: ex.span }))
        };
        if numbers.iter().any(Signed::is_negative) {
            return Err(wrong(format!("the measure of a loop is negative: {shown}")));
        }
        if measured.first.is_empty() {
            measured.first = numbers.iter().map(|number| number.denom().clone()).collect();
        }
        if numbers.len() != measured.first.len() {
            let count = |parts: usize| if parts == 1 { "one part".to_string() } else { format!("{parts} parts") };
            return Err(wrong(format!(
                "the measure of a loop is {shown}, with {}; in the first round it had {}",
                count(numbers.len()),
                count(measured.first.len())
            )));
        }
        let finer = numbers.iter().zip(&measured.first).find(|(number, first)| (*first % number.denom()) != 0.into());
        if let Some((number, first)) = finer {
            return Err(wrong(format!(
                "the measure of a loop is {shown}: the denominator {} does not divide that of the first round, {first}, so it could decrease for ever",
                number.denom()
            )));
        }
        if let Some(last) = &measured.last
            && order(&value, last) != std::cmp::Ordering::Less
        {
            let before = self.print(last);
            return Err(wrong(format!("the measure of a loop does not decrease: {before}, then {shown}")));
        }
        self.trace_measure(&value);
        measured.last = Some(value);
        Ok(())
    }

    /// Adds to a failure in an algorithm what its reader needs: the board, the values, the last steps. Once for a board.
    pub(super) fn describe_failure(&mut self, function: &Function, fault: &mut Fault) {
        let diagnostic = match fault {
            Fault::Failed(failure) => &mut failure.diagnostic,
            Fault::Error(diagnostic) => diagnostic,
            Fault::Budget(_) | Fault::Interrupted => return,
        };
        let Some(acting) = &mut self.acting else { return };
        if std::mem::replace(&mut acting.told, true) {
            return;
        }
        let value = acting.here();
        let moves = acting.moves;
        let steps: Vec<(Span, String)> = acting.last.iter().map(|step| (step.span, step_text(&step.word))).collect();
        // wherever the tiles are, a value of the wrong kind stays one; and an impossible move has shown the board
        let shows_board = !about_kinds(diagnostic.code) && diagnostic.code != codes::IMPOSSIBLE_MOVE;
        if shows_board {
            let when = match moves {
                u64::MAX => "so far".to_string(),
                moves => format!("after {}", crate::resolve::how_many(moves as usize, "move")),
            };
            diagnostic.notes.push(format!("the board {when}:\n{}", value.picture()));
        }
        let values: Vec<String> = function
            .names
            .iter()
            .filter_map(|(name, slot)| {
                let value = self.slot(*slot);
                let shown = super::effect::crop(&self.print(&value));
                (!matches!(value, Value::Nothing | Value::Function(_))).then(|| format!("{name} = {shown}"))
            })
            .collect();
        if !values.is_empty() {
            diagnostic.notes.push(format!("in `{}`: {}", function.name, values.join(", ")));
        }
        if !steps.is_empty() && !about_kinds(diagnostic.code) {
            let lines: Vec<String> = steps
                .iter()
                .map(|(span, text)| {
                    format!("  {text}  (line {})", self.sources.get(span.file).line_column(span.start).0)
                })
                .collect();
            diagnostic.notes.push(format!("the last steps:\n{}", lines.join("\n")));
        }
    }
}
