//! `perm check`: all claims of some files, as a table.

use std::time::Instant;

use super::arguments::{CheckFormat, CheckOptions};
use super::{Progress, Terminal, clock, session_with};
use crate::report::{CheckReport, Outcome, json, markdown, text};
use crate::session::{Options, Script, Watch};

/// Checks, writes the report, and gives the exit status.
pub fn check(options: &CheckOptions, terminal: &mut Terminal) -> u8 {
    let mut unreadable = CheckReport::default();
    let scripts = if options.files.is_empty() {
        Script::standard()
    } else {
        let mut scripts: Vec<Script> = Vec::new();
        for (at, path) in options.files.iter().enumerate() {
            // a file named twice is one file
            if options.files[..at].contains(path) {
                continue;
            }
            match super::read_script(path) {
                Ok(script) => scripts.push(script),
                Err(error) => unreadable.errors.push(error),
            }
        }
        scripts
    };
    let wanted = Options { thorough: options.thorough, note_proofs: options.explain, ..Options::default() };
    let (mut session, stop) = session_with(&options.budget, wanted);
    let style = terminal.style();
    let progress = Progress::new();
    let mut said: Vec<String> = Vec::new();
    let mut report = {
        let _running = stop.during();
        let watch = Watch { clock: &clock(Instant::now()), progress: &|done, total| progress.update(done, total) };
        session.check(&scripts, &watch, &mut |library, output| said.push(text::said(&output, library, style)))
    };
    progress.finish();
    report.errors.splice(0..0, unreadable.errors);
    match options.format {
        CheckFormat::Json => terminal.say(&json::check(&report, &session.sources)),
        CheckFormat::Markdown => {
            terminal.say(&markdown::check(&report, &session.sources, options.quiet, options.explain));
        }
        CheckFormat::Text => {
            if !options.quiet {
                terminal.say(&text::in_order(&said, &report.claims));
            }
            if options.explain {
                terminal.say(&text::proofs(&report, style, options.quiet));
            }
            if !options.quiet || report.outcome() != Outcome::AllHold {
                terminal.say(&text::check(&report, &session.sources, style, options.quiet));
            }
        }
    }
    report.outcome().exit_code()
}
