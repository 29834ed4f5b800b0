//! `perm trace`: a procedure step by step.

use super::arguments::{Format, TraceOptions};
use super::{Terminal, session};
use crate::diagnostic::render::render;
use crate::report::{CheckReport, Outcome, json, text};
use crate::source::SourceMap;

/// Traces the runs of a file, or one run that is given, and gives the exit status.
pub fn trace(options: &TraceOptions, terminal: &mut Terminal) -> u8 {
    let (mut session, stop) = session(&options.budget);
    let what = options.what.join(" ");
    let is_file = options.puzzle.is_none() && (what.ends_with(".perm") || what.ends_with(".md") || what == "-");
    let result = if is_file {
        match super::read_script(std::path::Path::new(&what)) {
            Ok(script) => {
                let _running = stop.during();
                session.trace_file(&script)
            }
            Err(error) => {
                terminal.complain(&render(&error, &SourceMap::default(), terminal.error_style()));
                return Outcome::ScriptIsWrong.exit_code();
            }
        }
    } else {
        let _running = stop.during();
        session.trace(options.puzzle.as_deref().unwrap_or(""), &options.uses, &what)
    };
    let (traces, report): (_, CheckReport) = result;
    match options.format {
        Format::Json => terminal.say(&json::traces(&traces, &report, &session.sources)),
        Format::Text => {
            let texts: Vec<String> = traces.iter().map(|trace| trace.text()).collect();
            terminal.say(&texts.join("\n"));
            terminal.complain(&text::errors(&report.errors, &session.sources, terminal.error_style()));
        }
    }
    report.outcome().exit_code()
}
