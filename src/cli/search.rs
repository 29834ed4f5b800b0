//! `perm search`: shortest words, words with a property, and how far arrangements lie from the solved one.

use std::time::Instant;

use super::arguments::{Format, SearchOptions};
use super::{Terminal, session};
use crate::diagnostic::{Diagnostic, codes};
use crate::report::{Outcome, json, text};
use crate::session::Search;
use crate::source::SourceMap;

/// Searches, writes what was found, and gives the exit status.
pub fn search(options: &SearchOptions, terminal: &mut Terminal) -> u8 {
    let question = match question(options) {
        Ok(question) => question,
        Err(error) => {
            terminal.complain(&text::errors(&[*error], &SourceMap::default(), terminal.error_style()));
            return Outcome::ScriptIsWrong.exit_code();
        }
    };
    let (mut session, stop) = session(&options.budget);
    let start = Instant::now();
    let waiting = super::progress::waiting("searching");
    let result = {
        let _running = stop.during();
        session.search(&options.puzzle, &options.uses, &question)
    };
    waiting.finish();
    match (result, options.format) {
        (Ok(Search { value, found }), Format::Text) => {
            let mut out = text::value(&value, terminal.style());
            for line in &found {
                out.push_str(line);
                out.push('\n');
            }
            terminal.say(&out);
            if options.time {
                terminal.complain(&format!("  time       {:.2} s\n", start.elapsed().as_secs_f64()));
            }
            0
        }
        (Ok(Search { value, found }), Format::Json) => {
            terminal.say(&json::search(&question, &value, &found));
            0
        }
        (Err(report), Format::Json) => {
            terminal.say(&json::check(&report, &session.sources));
            report.outcome().exit_code()
        }
        (Err(report), Format::Text) => {
            terminal.complain(&text::errors(&report.errors, &session.sources, terminal.error_style()));
            if report.interrupted {
                terminal.interrupted();
            }
            report.outcome().exit_code()
        }
    }
}

/// What is asked, as an expression of the language: users can copy it from the report into a script.
fn question(options: &SearchOptions) -> Result<String, Box<Diagnostic>> {
    // clap asks for no argument that another one excludes, so `--up-to 8 R` comes through
    if options.find.is_none() && (options.up_to.is_some() || options.all) {
        let error = Diagnostic::error(codes::TOO_SHORT, "--up-to and --all belong to --find");
        return Err(Box::new(error.help("say which words are wanted: `--find 'is_cycle(w, 3)' --up-to 8`")));
    }
    let target = options.target.join(" ");
    let moves = options.moves.as_deref().map(str::trim).filter(|moves| !moves.is_empty());
    let metric = options.metric.as_deref().map(str::trim).filter(|metric| !metric.is_empty());
    let labelled = |label: &str, value: Option<&str>| value.map(|value| format!("{label}: {}", value.trim()));
    let call = |name: &str, first: Option<&str>| {
        let parts = [
            first.map(str::to_string),
            moves.map(str::to_string),
            labelled("metric", metric),
            labelled("start", options.start.as_deref()),
            labelled("only", options.only.as_deref()),
            labelled("alike", options.alike.as_deref()),
            labelled("free", options.free.as_deref()),
        ];
        format!("{name}({})", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    };
    if let (Some(condition), Some(most)) = (&options.find, options.up_to) {
        let mut text = String::from(if options.all { "find all w" } else { "find w" });
        text.push_str(&format!(" up to {most}"));
        if let Some(metric) = metric {
            text.push_str(&format!(" by {metric}"));
        }
        if let Some(moves) = moves {
            text.push_str(&format!(" in {moves}"));
        }
        text.push_str(&format!(" where {}", condition.trim()));
        return Ok(text);
    }
    if options.growth {
        return Ok(call("growth", None));
    }
    if options.antipodes {
        return Ok(call("antipodes", None));
    }
    if target.trim().is_empty() {
        let error = Diagnostic::error(codes::TOO_SHORT, "nothing is searched for").help(
            "name a board or a permutation, `perm search -p 'Sliding(3, 3)' 'shuffled(1)'`, or say --find, --growth or --antipodes",
        );
        return Err(Box::new(error));
    }
    Ok(call("shortest", Some(target.trim())))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::arguments::{Arguments, Command};
    use super::question;

    fn asked(arguments: &[&str]) -> Option<String> {
        let line = ["perm", "search", "-p", "Cube(3)"].iter().chain(arguments);
        match Arguments::try_parse_from(line).ok()?.command {
            Some(Command::Search(options)) => question(&options).ok(),
            _ => None,
        }
    }

    #[test]
    fn arguments_become_an_expression() {
        let expected = |text: &str| Some(text.to_string());
        assert_eq!(asked(&["R", "U"]), expected("shortest(R U)"));
        assert_eq!(asked(&["shuffled(1)", "--only", "{1, 2}"]), expected("shortest(shuffled(1), only: {1, 2})"));
        assert_eq!(asked(&["R U", "--in", "U, R", "--metric", "runs"]), expected("shortest(R U, U, R, metric: runs)"));
        assert_eq!(asked(&["--growth", "--metric", "runs"]), expected("growth(metric: runs)"));
        assert_eq!(asked(&["--antipodes", "--in", "U,R"]), expected("antipodes(U,R)"));
        assert_eq!(
            asked(&["--find", "is_cycle(w, 3)", "--up-to", "8", "--in", "U, R", "--metric", "runs", "--all"]),
            expected("find all w up to 8 by runs in U, R where is_cycle(w, 3)")
        );
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        assert_eq!(asked(&[]), None);
        assert_eq!(asked(&["--find", "is_cycle(w, 3)"]), None);
        assert_eq!(asked(&["--up-to", "8", "R"]), None);
        assert_eq!(asked(&["--growth", "R"]), None);
        assert_eq!(asked(&["--growth", "--antipodes"]), None);
        assert_eq!(asked(&["--growth", "--only", "{1}"]), None);
    }
}
