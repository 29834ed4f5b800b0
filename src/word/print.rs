//! The text of a word, in a form that can be read back.

use std::fmt;

use super::{Alphabet, Kind, Letter, Node, Run, Word};
use crate::perm::Exponent;

/// How many characters `{}` prints at most; `{:.80}` prints at most 80.
pub const DISPLAY_CHARS: usize = 100_000;

/// What stands for the part that has been cut off.
const CUT: &str = "…";

/// The word as written, cut after [`DISPLAY_CHARS`] characters or the precision asked for.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(f.precision().unwrap_or(DISPLAY_CHARS)))
    }
}

enum Task<'a> {
    Text(&'static str),
    Exponent(&'a Exponent),
    Word(&'a Word),
    /// The rest of a run of letters.
    Letters(&'a Alphabet, &'a Run, usize),
}

impl Word {
    /// The word as written, in at most `max_chars` characters.
    ///
    /// For example `[(Y X)^4, X Y Y X Y' X' (Y X)^4]`, `X^3`, `T[2,1]'`, `[A: B]'`; the empty word
    /// is `()`. A text that would be longer is cut between two moves or brackets and ends in `…`.
    /// The cost is that of the text printed, and of the way down to its first letter.
    pub fn to_text(&self, max_chars: usize) -> String {
        let mut out = Text { text: String::new(), chars: 0, max: max_chars, last: (0, 0) };
        let mut tasks = vec![Task::Word(self)];
        while let Some(task) = tasks.pop() {
            let fits = match task {
                Task::Text(text) => out.push(text),
                Task::Exponent(exponent) => out.push(&power(exponent)),
                Task::Word(Word(None)) => out.push("()"),
                Task::Word(Word(Some(node))) => {
                    expand(node, &mut tasks);
                    true
                }
                Task::Letters(alphabet, run, start) => {
                    let letter = run.letters[start];
                    let mut end = start + 1;
                    while run.is_joined(end) {
                        end += 1;
                    }
                    let mut text = move_power(alphabet, letter, (end - start) as i64);
                    if end < run.letters.len() {
                        text.push(' ');
                        tasks.push(Task::Letters(alphabet, run, end));
                    }
                    out.push(&text)
                }
            };
            if !fits {
                return out.cut();
            }
        }
        out.text
    }
}

struct Text {
    text: String,
    /// Characters, not bytes.
    chars: usize,
    max: usize,
    /// Where the last piece starts, and how many characters come before it.
    last: (usize, usize),
}

impl Text {
    /// Adds a piece if it fits.
    fn push(&mut self, piece: &str) -> bool {
        let chars = self.chars + piece.chars().count();
        if chars > self.max {
            return false;
        }
        self.last = (self.text.len(), self.chars);
        self.chars = chars;
        self.text.push_str(piece);
        true
    }

    /// Ends a text whose next piece does not fit: the last piece goes too if the mark needs room.
    fn cut(mut self) -> String {
        if self.chars + CUT.chars().count() > self.max {
            self.text.truncate(self.last.0);
            self.chars = self.last.1;
        }
        if self.chars < self.max {
            self.text.push_str(CUT);
        }
        self.text
    }
}

/// Whether a postfix may follow the text directly.
fn is_atom(word: &Word) -> bool {
    match &word.0 {
        None => true,
        Some(node) => match &node.kind {
            Kind::Letters(run) => run.letters.len() == 1 && !run.letters[0].is_inverse(),
            Kind::Commutator(..) | Kind::Conjugate(..) => true,
            Kind::Product(_) | Kind::Inverse(_) | Kind::Power(..) => false,
        },
    }
}

/// Lists the pieces of a node's text, the last first.
fn expand<'a>(node: &'a Node, tasks: &mut Vec<Task<'a>>) {
    match &node.kind {
        Kind::Letters(run) => tasks.push(Task::Letters(&node.alphabet, run, 0)),
        Kind::Product(parts) => {
            for (k, part) in parts.iter().enumerate().rev() {
                tasks.push(Task::Word(part));
                if k > 0 {
                    tasks.push(Task::Text(" "));
                }
            }
        }
        Kind::Inverse(word) => postfix(word, Task::Text("'"), tasks),
        Kind::Power(word, exponent) => postfix(word, Task::Exponent(exponent), tasks),
        Kind::Commutator(a, b) => bracket(a, ", ", b, tasks),
        Kind::Conjugate(a, b) => bracket(a, ": ", b, tasks),
    }
}

fn postfix<'a>(word: &'a Word, mark: Task<'a>, tasks: &mut Vec<Task<'a>>) {
    tasks.push(mark);
    if is_atom(word) {
        tasks.push(Task::Word(word));
    } else {
        tasks.extend([Task::Text(")"), Task::Word(word), Task::Text("(")]);
    }
}

fn bracket<'a>(a: &'a Word, between: &'static str, b: &'a Word, tasks: &mut Vec<Task<'a>>) {
    tasks.extend([Task::Text("]"), Task::Word(b), Task::Text(between)]);
    tasks.extend([Task::Word(a), Task::Text("[")]);
}

fn power(exponent: &Exponent) -> String {
    match exponent {
        Exponent::Small(e) => format!("^{e}"),
        Exponent::Big(e) => format!("^{e}"),
    }
}

/// A letter so many times: `X`, `X'`, `X^3`, `X^-3`.
fn move_power(alphabet: &Alphabet, letter: Letter, count: i64) -> String {
    let name = alphabet.name(letter.generator());
    match (count, letter.is_inverse()) {
        (1, false) => name.to_owned(),
        (1, true) => format!("{name}'"),
        (_, false) => format!("{name}^{count}"),
        (_, true) => format!("{name}^-{count}"),
    }
}
