//! The one place that writes: standard output and standard error, their colours and width.

use std::io::{ErrorKind, IsTerminal, Write};

use clap::ValueEnum;

use crate::diagnostic::render::Style;
use crate::report::Outcome;

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum When {
    /// on a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

/// Status of a program that was cut short because nobody reads it any more, as shells count it: 128 + SIGPIPE.
const NOBODY_READS: u8 = 141;

/// Width where there is no terminal to ask.
const USUAL_WIDTH: usize = 100;

/// Where the program writes.
#[derive(Debug)]
pub struct Terminal {
    style: Style,
    error_style: Style,
    /// the reader has gone away: nothing more is written, and that is no error
    closed: bool,
    /// the disk is full, or the like
    failed: bool,
}

impl Terminal {
    pub fn new(colour: When) -> Terminal {
        let (out, err) = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
        let width = terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0));
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let coloured = |terminal: bool| match colour {
            When::Auto => terminal && !plain,
            When::Always => true,
            When::Never => false,
        };
        Terminal {
            style: Style { colour: coloured(out), width: if out { width } else { USUAL_WIDTH } },
            error_style: Style { colour: coloured(err), width: if err { width } else { USUAL_WIDTH } },
            closed: false,
            failed: false,
        }
    }

    /// How to draw on standard output.
    pub fn style(&self) -> Style {
        self.style
    }

    /// How to draw on standard error.
    pub fn error_style(&self) -> Style {
        self.error_style
    }

    /// Has the reader gone away?
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes to standard output, at once: what is said comes before what is complained about later.
    pub fn say(&mut self, text: &str) {
        if self.closed || self.failed || text.is_empty() {
            return;
        }
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.closed = true,
            Err(error) => {
                self.failed = true;
                self.complain(&format!("perm: the output cannot be written: {error}\n"));
            }
        }
    }

    /// Writes to standard error.
    pub fn complain(&mut self, text: &str) {
        // there is nobody left to tell if this fails
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// Says that Ctrl-C was heard.
    pub fn interrupted(&mut self) {
        // a terminal has shown `^C` on this line
        let line = if std::io::stderr().is_terminal() { "\ninterrupted\n" } else { "interrupted\n" };
        self.complain(line);
    }

    /// The exit status that `wanted` becomes after all that happened to the output.
    pub fn status(&self, wanted: u8) -> u8 {
        if self.failed {
            Outcome::ScriptIsWrong.exit_code()
        } else if self.closed && wanted == Outcome::Interrupted.exit_code() {
            NOBODY_READS
        } else {
            wanted
        }
    }
}
