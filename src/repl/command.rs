//! Commands of the conversation: they begin with a colon.

use std::ops::ControlFlow;
use std::path::Path;

use super::{Conversation, help};
use crate::diagnostic::{Diagnostic, codes, suggest};
use crate::report::{ValueReport, text};

/// A command, what may follow it, and what it does.
pub(super) const COMMANDS: &[(&str, &str, &str)] = &[
    (":help", "[NAME]", "help, or what a function, a puzzle or a word of the language means"),
    (":puzzles", "", "the puzzles that can be used"),
    (":moves", "", "the cells and moves of the puzzle in force"),
    (":load", "FILE", "enter the text of a file as if it were typed here"),
    (":quit", "", "leave (Ctrl-D does too)"),
];

/// Runs a command; breaks where the conversation is to end.
pub(super) fn run(conversation: &mut Conversation<'_>, line: &str) -> ControlFlow<()> {
    let (typed, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match full_name(typed) {
        Some(":help") => match help::text(&conversation.session, rest) {
            Ok(text) => conversation.terminal.say(&text),
            Err(error) => conversation.wrong(*error),
        },
        Some(":puzzles") => {
            let text = help::puzzles(&conversation.session);
            conversation.terminal.say(&text);
        }
        Some(":moves") => match conversation.session.puzzle_report() {
            Some(report) => {
                let style = conversation.terminal.style();
                conversation.terminal.say(&text::value(&ValueReport::Puzzle(report), style));
            }
            None => conversation.wrong(
                Diagnostic::error(codes::NO_PUZZLE, "no puzzle is in force").help("put one in force: `on NRP(6)`"),
            ),
        },
        Some(":load") if rest.is_empty() => {
            conversation.wrong(Diagnostic::error(codes::TOO_SHORT, "`:load` needs a file").help("`:load first.perm`"));
        }
        Some(":load") => match crate::cli::read_script(Path::new(rest)) {
            Ok(script) => conversation.enter_script(&script),
            Err(error) => conversation.wrong(error),
        },
        Some(":quit") => return ControlFlow::Break(()),
        _ => {
            let near = suggest::nearest(typed, COMMANDS.iter().map(|(name, ..)| *name));
            let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("there is no command `{typed}`"));
            conversation.wrong(error.help(if near.is_empty() {
                "`:help` lists the commands".to_string()
            } else {
                format!("did you mean {}?", suggest::one_of(&near))
            }));
        }
    }
    ControlFlow::Continue(())
}

/// The command that a beginning of its name means: `:q` is `:quit`.
fn full_name(typed: &str) -> Option<&'static str> {
    match typed {
        ":?" => return Some(":help"),
        ":exit" => return Some(":quit"),
        _ if typed.len() < 2 => return None,
        _ => {}
    }
    let mut fitting = COMMANDS.iter().map(|(name, ..)| *name).filter(|name| name.starts_with(typed));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_may_be_shortened() {
        assert_eq!(full_name(":q"), Some(":quit"));
        assert_eq!(full_name(":load"), Some(":load"));
        assert_eq!(full_name(":"), None);
        assert_eq!(full_name(":quits"), None);
    }
}
