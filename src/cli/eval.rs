//! `perm eval`: what a word does.

use super::arguments::{EvalOptions, Format};
use super::{Terminal, session};
use crate::diagnostic::render::render;
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
        (Err(report), Format::Text) => {
            for error in &report.errors {
                terminal.complain(&render(error, &session.sources, terminal.error_style()));
            }
            if report.interrupted {
                terminal.complain("interrupted\n");
            }
            return report.outcome().exit_code();
        }
    }
    0
}
