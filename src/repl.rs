//! The conversation, line by line: on a terminal with an editor, from a pipe without. Both go through the same
//! [`Conversation`], so nothing here needs a terminal to be tested.

mod command;
mod editor;
mod help;
mod highlight;
mod history;

use std::io::{BufRead, IsTerminal};
use std::ops::ControlFlow;
use std::time::Instant;

use crate::cli::{Budget, Progress, Stop, Terminal, clock, session};
use crate::diagnostic::{Diagnostic, codes, render::render};
use crate::module::{Origin, decode};
use crate::report::{CheckReport, text};
use crate::session::{Entered, Script, Session, Watch};

/// Talks until the end of the input, and gives the exit status.
pub fn run(budget: &Budget, terminal: &mut Terminal) -> u8 {
    let (session, stop) = session(budget);
    let mut conversation = Conversation { session, stop, terminal, total: CheckReport::default() };
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        editor::talk(&mut conversation)
    } else {
        conversation.read(std::io::stdin().lock());
        conversation.total.outcome().exit_code()
    }
}

/// A session with somebody who types.
struct Conversation<'a> {
    session: Session,
    stop: Stop,
    terminal: &'a mut Terminal,
    /// everything that went wrong so far
    total: CheckReport,
}

impl Conversation<'_> {
    /// Reads lines without a terminal; those of an unfinished statement belong together.
    fn read(&mut self, mut input: impl BufRead) {
        let mut text = String::new();
        loop {
            let mut bytes = Vec::new();
            let end = !matches!(input.read_until(b'\n', &mut bytes), Ok(read) if read > 0);
            match decode(bytes) {
                Ok(line) => text.push_str(&line),
                Err(at) => self.wrong(
                    Diagnostic::error(codes::NOT_UTF8, format!("byte {} of this line is not UTF-8", at + 1))
                        .help("the line is left out"),
                ),
            }
            if end || !is_unfinished(&text) {
                let flow = self.enter(&std::mem::take(&mut text));
                if end || flow.is_break() {
                    return;
                }
                if self.terminal.is_closed() {
                    self.total.interrupted = true;
                    return;
                }
            }
        }
    }

    /// Enters a command or statements; breaks where the conversation is to end.
    fn enter(&mut self, text: &str) -> ControlFlow<()> {
        if text.trim_start().starts_with(':') {
            return command::run(self, text.trim());
        }
        if !text.trim().is_empty() {
            self.enter_script(&Script { origin: Origin::Text("input".to_string()), text: text.to_string() });
        }
        ControlFlow::Continue(())
    }

    /// Enters a text and shows what it gave.
    fn enter_script(&mut self, script: &Script) {
        let progress = Progress::new();
        let entered = {
            let _running = self.stop.during();
            let watch = Watch { clock: &clock(Instant::now()), progress: &|done, total| progress.update(done, total) };
            self.session.enter_script(script, &watch)
        };
        progress.finish();
        self.show(entered);
    }

    fn show(&mut self, entered: Entered) {
        let style = self.terminal.style();
        let said: Vec<String> =
            entered.output.iter().map(|output| text::said(output, &self.session.library, style)).collect();
        let report = entered.claims;
        self.terminal.say(&text::in_order(&said, &report.claims));
        for claim in &report.claims {
            if !claim.holds {
                self.terminal.say(&text::failure(claim, &self.session.sources, style));
            }
            self.terminal.say(&text::row(claim, style));
        }
        // one or the other: what has mistakes does not run
        let errors = if entered.errors.is_empty() { &report.errors } else { &entered.errors };
        let style = self.terminal.error_style();
        self.terminal.complain(&text::errors(errors, &self.session.sources, style));
        self.total.errors.extend(entered.errors);
        if report.interrupted {
            self.terminal.interrupted();
        }
        self.total.add(report);
    }

    /// Draws an error and remembers that there was one.
    fn wrong(&mut self, error: Diagnostic) {
        let style = self.terminal.error_style();
        self.terminal.complain(&render(&error, &self.session.sources, style));
        self.total.errors.push(error);
    }
}

/// Has another line to follow?
fn is_unfinished(text: &str) -> bool {
    !text.trim_start().starts_with(':') && Session::is_unfinished(text)
}
