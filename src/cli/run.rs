//! `perm run`: a script, with what it says as it comes.

use std::time::Instant;

use super::arguments::RunOptions;
use super::{Progress, Terminal, clock, session};
use crate::diagnostic::render::render;
use crate::report::{Outcome, text};
use crate::session::Watch;
use crate::source::SourceMap;

/// Runs the script and gives the exit status.
pub fn run(options: &RunOptions, terminal: &mut Terminal) -> u8 {
    let script = match super::read_script(&options.file) {
        Ok(script) => script,
        Err(error) => {
            terminal.complain(&render(&error, &SourceMap::default(), terminal.error_style()));
            return Outcome::ScriptIsWrong.exit_code();
        }
    };
    let (mut session, stop) = session(&options.budget);
    let style = terminal.style();
    let progress = Progress::new();
    let mut report = {
        let _running = stop.during();
        let watch = Watch { clock: &clock(Instant::now()), progress: &|done, total| progress.update(done, total) };
        session.run(&script, &watch, &mut |library, output| {
            terminal.say(&text::said(&output, library, style));
            if terminal.is_closed() {
                stop.now();
            }
        })
    };
    progress.finish();
    let outcome = report.outcome();
    terminal.complain(&text::errors(&std::mem::take(&mut report.errors), &session.sources, terminal.error_style()));
    if !report.claims.is_empty() {
        terminal.say(&text::in_order(&[], &report.claims));
        if !options.quiet || !report.claims.iter().all(|claim| claim.holds) {
            terminal.say(&text::check(&report, &session.sources, style, options.quiet));
        }
    } else if outcome == Outcome::Interrupted && !terminal.is_closed() {
        terminal.interrupted();
    }
    outcome.exit_code()
}
