//! `perm eval`: what a word does.

use super::arguments::{EvalOptions, Format};
use super::{Terminal, session};
use crate::diagnostic::{Diagnostic, codes};
use crate::report::{json, text};

/// Evaluates the word, writes its report, and gives the exit status.
pub fn eval(options: &EvalOptions, terminal: &mut Terminal) -> u8 {
    let (mut session, stop) = session(&options.budget);
    let word = options.word.join(" ");
    let result = {
        let _running = stop.during();
        session.evaluate(options.puzzle.as_deref().unwrap_or(""), &options.uses, &word)
    };
    match (result, options.format) {
        (Ok(report), Format::Text) => terminal.say(&text::value(&report, terminal.style())),
        (Ok(report), Format::Json) => terminal.say(&json::value(&report)),
        (Err(report), Format::Json) => {
            terminal.say(&json::check(&report, &session.sources));
            return report.outcome().exit_code();
        }
        (Err(mut report), Format::Text) => {
            if options.puzzle.is_none() {
                say_what_is_missing(&mut report.errors, &word);
            }
            terminal.complain(&text::errors(&report.errors, &session.sources, terminal.error_style()));
            if report.interrupted {
                terminal.interrupted();
            }
            return report.outcome().exit_code();
        }
    }
    0
}

/// Without a puzzle every move is unknown: one message is enough, and it should say how to name the puzzle.
fn say_what_is_missing(errors: &mut Vec<Diagnostic>, word: &str) {
    if errors.iter().all(|error| error.code == codes::UNKNOWN_NAME) {
        errors.truncate(1);
        for error in errors {
            error.help = Some(format!("moves need their puzzle: `perm eval -p 'NRP(6)' {}`", quoted(word)));
        }
    }
}

/// A word as it is typed in a shell.
fn quoted(word: &str) -> String {
    if word.contains('\'') { format!("\"{word}\"") } else { format!("'{word}'") }
}
