//! Ctrl-C and the clock: both set the flag that a running session looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::report::Outcome;

const RUN_ON: u8 = 0;
const INTERRUPTED: u8 = 1;
const OUT_OF_TIME: u8 = 2;

/// Stops a session when the user or the clock says so.
#[derive(Clone, Debug)]
pub struct Stop {
    flag: Arc<AtomicU8>,
    running: Arc<AtomicBool>,
    timeout: Option<Duration>,
}

impl Stop {
    /// Watches Ctrl-C from now on. The first one lets what runs end cleanly, the next one ends the program; so does the
    /// first where nothing runs.
    pub fn new(flag: Arc<AtomicU8>, timeout: Option<Duration>) -> Stop {
        let stop = Stop { flag, running: Arc::default(), timeout };
        let (flag, running) = (stop.flag.clone(), stop.running.clone());
        // without a handler Ctrl-C just ends the program
        let _ = ctrlc::set_handler(move || {
            if !running.load(Ordering::SeqCst) || flag.swap(INTERRUPTED, Ordering::SeqCst) == INTERRUPTED {
                std::process::exit(i32::from(Outcome::Interrupted.exit_code()));
            }
        });
        stop
    }

    /// What runs until the guard is dropped may be stopped; its time begins now.
    pub fn during(&self) -> Running {
        self.flag.store(RUN_ON, Ordering::SeqCst);
        self.running.store(true, Ordering::SeqCst);
        Running { stop: self.clone(), timer: self.timeout.and_then(|timeout| self.timer(timeout)) }
    }

    /// Stops what runs because nobody reads its output.
    pub fn now(&self) {
        self.flag.store(INTERRUPTED, Ordering::SeqCst);
    }

    fn timer(&self, timeout: Duration) -> Option<(Sender<()>, JoinHandle<()>)> {
        let (cancel, cancelled) = channel::<()>();
        let flag = self.flag.clone();
        let thread = std::thread::Builder::new().name("timeout".to_string()).spawn(move || {
            if cancelled.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout) {
                // an interruption that came before is the more important news
                let _ = flag.compare_exchange(RUN_ON, OUT_OF_TIME, Ordering::SeqCst, Ordering::SeqCst);
            }
        });
        thread.ok().map(|thread| (cancel, thread))
    }
}

/// Something runs.
#[derive(Debug)]
pub struct Running {
    stop: Stop,
    timer: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.running.store(false, Ordering::SeqCst);
        if let Some((cancel, thread)) = self.timer.take() {
            // the end of the channel wakes the timer; waiting for it keeps it from stopping the next run
            drop(cancel);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_only_while_something_runs() {
        let stop = Stop { flag: Arc::default(), running: Arc::default(), timeout: Some(Duration::from_millis(20)) };
        let running = stop.during();
        drop(running);
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(stop.flag.load(Ordering::SeqCst), RUN_ON);
        let running = stop.during();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(stop.flag.load(Ordering::SeqCst), OUT_OF_TIME);
        drop(running);
    }
}
