//! The progress bar: on standard error, only on a terminal, and only for runs that last.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// A bar that appears when claims take a while.
#[derive(Debug)]
pub struct Progress {
    start: Instant,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub fn new() -> Progress {
        Progress { start: Instant::now(), wanted: std::io::stderr().is_terminal(), bar: OnceLock::new() }
    }

    /// So many instances are done; called from all threads.
    pub fn update(&self, done: usize, total: usize) {
        if !self.wanted || (self.bar.get().is_none() && self.start.elapsed() < PATIENCE) {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template("checking {bar:40} {pos}/{len} instances, {elapsed}");
            let bar = ProgressBar::new(total as u64).with_elapsed(self.start.elapsed());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ "));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        // threads come in any order
        if done as u64 > bar.position() {
            bar.set_position(done as u64);
        }
    }

    /// Takes the bar away, before the report is written.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Progress::new()
    }
}

/// A sign of life with the time that has gone by, while something runs whose end is not known. Its `finish` takes it away.
pub fn waiting(what: &'static str) -> Waiting {
    if !std::io::stderr().is_terminal() {
        return Waiting(None);
    }
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    // the first drawing is a tick: what is quick shows nothing
    bar.enable_steady_tick(PATIENCE);
    Waiting(Some(bar))
}

/// What [`waiting`] shows; nothing where nobody looks.
#[derive(Debug)]
pub struct Waiting(Option<ProgressBar>);

impl Waiting {
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
