//! The conversation on a terminal: an editor with history, completion and colours.

use std::borrow::Cow;

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper, Hinter};

use super::command::COMMANDS;
use super::highlight::{Names, paint};
use super::{Conversation, history, is_unfinished};
use crate::module::standard_files;
use crate::session::Session;

/// Talks until the user leaves; errors on the way are no failure of the program.
pub(super) fn talk(conversation: &mut Conversation<'_>) -> u8 {
    let mut editor: Editor<Typing, DefaultHistory> = match Editor::with_config(configuration()) {
        Ok(editor) => editor,
        Err(error) => {
            conversation.terminal.complain(&format!("perm: this terminal cannot be used: {error}\n"));
            return 2;
        }
    };
    let history = history::file();
    if let Some(file) = &history {
        // there is none the first time
        let _ = editor.load_history(file);
    }
    editor.set_helper(Some(Typing::default()));
    let colour = conversation.terminal.style().colour;
    conversation.terminal.say(&format!(
        "perm {}: type words of moves. Begin with a puzzle, `on NRP(6)`; `:help` helps, `:quit` leaves.\n",
        env!("CARGO_PKG_VERSION")
    ));
    loop {
        if let Some(typing) = editor.helper_mut() {
            typing.learn(&conversation.session, colour);
        }
        let prompt = format!("{}> ", conversation.session.puzzle_in_force().unwrap_or_default());
        let styled = if colour { format!("\x1b[1m{prompt}\x1b[0m") } else { prompt.clone() };
        match editor.readline(&(prompt.as_str(), styled.as_str())) {
            Ok(line) => {
                let new = !line.trim().is_empty() && matches!(editor.add_history_entry(line.as_str()), Ok(true));
                if let (true, Some(file)) = (new, &history) {
                    // written at once, so that no end of the program loses it
                    let _ = editor.append_history(file);
                }
                if conversation.enter(&line).is_break() || conversation.terminal.is_closed() {
                    return 0;
                }
            }
            // Ctrl-C: a fresh line
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return 0,
            Err(error) => {
                conversation.terminal.complain(&format!("perm: the terminal cannot be read: {error}\n"));
                return 2;
            }
        }
    }
}

fn configuration() -> Config {
    let mut config = Config::builder().completion_type(CompletionType::List).build();
    let _ = config.set_max_history_size(2000);
    config.set_bell_style(BellStyle::None);
    config
}

/// What the editor knows while somebody types.
#[derive(Helper, Hinter, Default)]
struct Typing {
    names: Vec<String>,
    coloured: Names,
    colour: bool,
    files: FilenameCompleter,
}

impl Typing {
    /// Takes the names that the session has now.
    fn learn(&mut self, session: &Session, colour: bool) {
        self.names = session.names();
        self.colour = colour;
        self.coloured.moves = session.move_names().into_iter().collect();
        self.coloured.functions = Session::builtins().iter().map(|builtin| builtin.name.to_string()).collect();
    }
}

impl Completer for Typing {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..pos];
        if before.starts_with(":load ") {
            return self.files.complete(line, pos, context);
        }
        let (start, known) = candidates(before, &self.names);
        let typed = &before[start..];
        let pairs = known
            .into_iter()
            .filter(|name| name.starts_with(typed))
            .map(|name| Pair { display: name.clone(), replacement: name })
            .collect();
        Ok((start, pairs))
    }
}

/// Where the last piece of a line begins, and everything that could stand there.
fn candidates(before: &str, names: &[String]) -> (usize, Vec<String>) {
    let commands = || COMMANDS.iter().map(|(name, ..)| name.to_string());
    if before.starts_with(':') && !before.contains(char::is_whitespace) {
        return (0, commands().collect());
    }
    let statement = before.rfind(['\n', ';']).map_or(0, |at| at + 1);
    let blanks = before[statement..].len() - before[statement..].trim_start().len();
    if let Some(module) = before[statement + blanks..].strip_prefix("use ") {
        let start = before.len() - module.trim_start().len();
        let modules = standard_files().iter().filter(|(path, _)| !path.starts_with("puzzles/"));
        return (start, modules.map(|(path, _)| path.trim_end_matches(".perm").replace('/', ".")).collect());
    }
    let start = before.rfind(|c: char| c != '_' && !c.is_alphanumeric()).map_or(0, |at| {
        // the separator may be longer than a byte
        at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    // nothing typed yet: a list of everything helps nobody
    if start == before.len() { (start, Vec::new()) } else { (start, names.to_vec()) }
}

impl Validator for Typing {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        // two empty lines end it whatever is missing, and the message says what
        let given_up = context.input().ends_with("\n\n");
        Ok(if !given_up && is_unfinished(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl Highlighter for Typing {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.colour { Cow::Owned(paint(line, &self.coloured)) } else { Cow::Borrowed(line) }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        // colours change with the text, not with the cursor
        self.colour && kind != CmdKind::MoveCursor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_completed_depends_on_the_place() {
        let names = vec!["order".to_string()];
        assert_eq!(candidates("print or", &names), (6, names.clone()));
        assert_eq!(candidates("φ·or", &names).0, 4);
        assert_eq!(candidates("print ", &names), (6, vec![]));
        assert_eq!(candidates(":he", &names).0, 0);
        let (start, modules) = candidates("let a = 1; use pap", &names);
        assert_eq!(start, 15);
        assert!(modules.contains(&"papers.number_rotation".to_string()));
    }
}
