//! `perm export`: what was found out about groups, as a script that another system checks.

use std::time::Instant;

use super::arguments::{ExportOptions, System};
use super::{Terminal, clock, session_with};
use crate::diagnostic::{Diagnostic, codes};
use crate::report::{CheckReport, Outcome, export as scripts, text};
use crate::session::{Options, Watch};

/// Runs the scripts, or asks about the group of a puzzle, writes the script for the other system, and gives the exit status.
pub fn export(options: &ExportOptions, terminal: &mut Terminal) -> u8 {
    let (mut session, stop) = session_with(&options.budget, Options { note_facts: true, ..Options::default() });
    let mut report = CheckReport::default();
    if options.files.is_empty() {
        let group = options.group.as_deref().unwrap_or("group()");
        let _running = stop.during();
        match (&options.puzzle, &options.group) {
            (None, None) => report.errors.push(
                Diagnostic::error(codes::TOO_SHORT, "there is nothing to export")
                    .help("name a puzzle, `perm export -p 'Cube(3)'`, or a script, `perm export paper.perm`"),
            ),
            _ => report = session.group_facts(options.puzzle.as_deref().unwrap_or(""), &options.uses, group),
        }
    } else {
        let mut files = Vec::new();
        for path in &options.files {
            match super::read_script(path) {
                Ok(script) => files.push(script),
                Err(error) => report.errors.push(error),
            }
        }
        let _running = stop.during();
        let watch = Watch { clock: &clock(Instant::now()), ..Watch::default() };
        report.add(session.check(&files, &watch, &mut |_, _| ()));
    }
    let outcome = report.outcome();
    let facts = report.all_facts();
    if facts.is_empty() && outcome == Outcome::AllHold {
        report.errors.push(
            Diagnostic::error(codes::TOO_SHORT, "nothing is said about groups there")
                .help("export files with statements such as `order(group()) == 120` or `p in group()`"),
        );
    }
    if !report.errors.is_empty() {
        terminal.complain(&text::errors(&report.errors, &session.sources, terminal.error_style()));
        return if outcome == Outcome::AllHold { Outcome::ScriptIsWrong } else { outcome }.exit_code();
    }
    // what does not hold is exported too: the other system may say the same
    for claim in report.claims.iter().filter(|claim| !claim.holds) {
        terminal.complain(&text::failure(claim, &session.sources, terminal.error_style()));
    }
    terminal.say(&match options.to {
        System::Gap => scripts::gap(&facts),
        System::Sympy => scripts::python(&facts),
    });
    outcome.exit_code()
}
