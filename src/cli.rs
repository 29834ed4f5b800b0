//! The command line: a thin client of [`Session`]. It reads arguments and files, watches the clock and Ctrl-C, writes
//! reports, and turns an outcome into an exit status.

mod arguments;
mod check;
mod eval;
mod explain;
mod export;
mod files;
mod progress;
mod run;
mod search;
mod stop;
mod terminal;
mod trace;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};

use crate::module::Files;
use crate::report::Outcome;
use crate::run::Limits;
use crate::session::{Options, Session};
use arguments::{Arguments, Command};

pub use arguments::Budget;
pub use files::read as read_script;
pub use progress::Progress;
pub use stop::Stop;
pub use terminal::Terminal;

/// Runs the program: reads its arguments, does what they say, and gives its exit status.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return arguments_are_wrong(&error),
    };
    let mut terminal = Terminal::new(arguments.color);
    let status = match arguments.command {
        Some(Command::Run(options)) => run::run(&options, &mut terminal),
        Some(Command::Check(options)) => check::check(&options, &mut terminal),
        Some(Command::Eval(options)) => eval::eval(&options, &mut terminal),
        Some(Command::Trace(options)) => trace::trace(&options, &mut terminal),
        Some(Command::Search(options)) => search::search(&options, &mut terminal),
        Some(Command::Export(options)) => export::export(&options, &mut terminal),
        Some(Command::Repl(options)) => crate::repl::run(&options.budget, &mut terminal),
        Some(Command::Explain { code }) => explain::explain(code.as_deref(), &mut terminal),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "perm", &mut script);
            terminal.say(&String::from_utf8_lossy(&script));
            0
        }
        None if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => {
            crate::repl::run(&Budget::default(), &mut terminal)
        }
        None => {
            terminal.complain(&Arguments::command().render_help().to_string());
            Outcome::ScriptIsWrong.exit_code()
        }
    };
    ExitCode::from(terminal.status(status))
}

/// Help and version are asked for in this way too.
fn arguments_are_wrong(error: &clap::Error) -> ExitCode {
    let mut terminal = Terminal::new(terminal::When::Auto);
    let text = error.render();
    if error.use_stderr() {
        terminal.complain(&if terminal.error_style().colour { text.ansi().to_string() } else { text.to_string() });
        if let Some(file) = file_instead_of_command(error) {
            terminal.complain(&format!("\nTo run a script: perm run {file}\n"));
        }
    } else {
        terminal.say(&if terminal.style().colour { text.ansi().to_string() } else { text.to_string() });
    }
    let status = u8::try_from(error.exit_code()).unwrap_or(Outcome::ScriptIsWrong.exit_code());
    ExitCode::from(terminal.status(status))
}

/// `perm first.perm`: a file where a command has to stand.
fn file_instead_of_command(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) => std::path::Path::new(name).is_file().then_some(name.as_str()),
        _ => None,
    }
}

/// A session within a budget, and what stops it.
pub fn session(budget: &Budget) -> (Session, Stop) {
    session_with(budget, Options::default())
}

/// A session within a budget; `wanted` says what else it does.
fn session_with(budget: &Budget, wanted: Options) -> (Session, Stop) {
    if let Some(threads) = budget.threads {
        // fails only if the pool has been made before, and then that one serves
        let _ = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads.get())).build_global();
    }
    let usual = Limits::default();
    let limits = Limits {
        max_steps: budget.max_steps.unwrap_or(usual.max_steps),
        max_memory: budget.max_memory.unwrap_or(usual.max_memory),
    };
    let importer = Files { library_folders: budget.library.clone(), sealed: false };
    let session = Session::new(Options { limits, importer: Box::new(importer), ..wanted });
    let stop = Stop::new(session.stop_flag(), budget.timeout);
    (session, stop)
}

/// Seconds since a moment, for reports.
pub fn clock(start: Instant) -> impl Fn() -> f64 + Sync {
    move || start.elapsed().as_secs_f64()
}
