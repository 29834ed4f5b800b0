//! Times procedures against the same procedures written in plain Rust and plain Python: moves a second. Prints; compares
//! with nothing that could fail. Run with `cargo bench --bench procedures`; the rivals in Python take a minute or two.

#[path = "procedures/fill_columns.rs"]
mod fill_columns;
#[allow(
    clippy::int_plus_one,
    clippy::manual_is_multiple_of,
    clippy::needless_range_loop,
    reason = "the rivals stay as somebody wrote them"
)]
#[path = "procedures/insertion.rs"]
mod insertion;
#[allow(
    clippy::int_plus_one,
    clippy::manual_is_multiple_of,
    clippy::needless_range_loop,
    reason = "the rivals stay as somebody wrote them"
)]
#[path = "procedures/spiral_cycle.rs"]
mod spiral_cycle;

use std::process::Command;
use std::time::Instant;

use perm::module::Origin;
use perm::run::Output;
use perm::session::{Options, Script, Session, Watch};

/// Moves and seconds.
type Figures = (u64, f64);

/// A clock for this thread: the time that it had a processor for itself, where the system tells; else the time of day.
/// So other work on the machine counts for nobody, as in the rivals in Python.
struct Clock {
    start: Instant,
    spent: Option<u64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { start: Instant::now(), spent: Clock::spent() }
    }

    fn spent() -> Option<u64> {
        std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
    }

    fn seconds(&self) -> f64 {
        match (self.spent, Clock::spent()) {
            (Some(before), Some(now)) => (now - before) as f64 / 1e9,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }
}

/// Runs a script whose last line says how many moves were made.
fn script(text: &str, interpret: bool) -> Figures {
    let script = Script::new(Origin::Text("bench".into()), text.to_string());
    let mut session = Session::new(Options { interpret, ..Options::default() });
    let mut moves = 0;
    let clock = Clock::start();
    let report = session.run(&script, &Watch::default(), &mut |_, output| {
        if let Output::Line(line) = output {
            moves = line.parse().unwrap_or(0);
        }
    });
    let seconds = clock.seconds();
    assert!(report.errors.is_empty(), "{:?}", report.errors.first());
    (moves, seconds)
}

/// What a procedure takes: the best of some runs, without what the script takes that does all but run it.
fn procedure(idle: &str, full: &str, rounds: usize, interpret: bool) -> Figures {
    let least = |text: &str| (0..rounds).map(|_| script(text, interpret)).min_by(|a, b| a.1.total_cmp(&b.1));
    let (idle, full) = (least(idle).unwrap_or_default(), least(full).unwrap_or_default());
    (full.0, (full.1 - idle.1).max(1e-6))
}

fn rust(rounds: usize, work: impl Fn() -> u64) -> Figures {
    let runs = (0..rounds).map(|_| {
        let clock = Clock::start();
        let moves = work();
        (moves, clock.seconds())
    });
    runs.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
}

/// The figures that a Python program prints; none if there is no Python.
fn python(program: &str, arguments: &[&str]) -> Option<Figures> {
    let path = format!("{}/benches/procedures/{program}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3").arg(path).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Moves a second.
fn rate((moves, seconds): Figures) -> f64 {
    moves as f64 / seconds
}

fn show(what: &str, own: Figures, rust: Figures, python: Option<Figures>) {
    println!("{what}: {} moves", own.0);
    println!("  compiled      {:13.0} moves a second", rate(own));
    println!("  plain Rust    {:13.0}   {:7.2} times as fast as it", rate(rust), rate(own) / rate(rust));
    match python {
        Some(python) => println!("  plain Python  {:13.0}   {:7.0} times", rate(python), rate(own) / rate(python)),
        None => println!("  plain Python  is not there"),
    }
}

fn main() {
    let spiral = |body: &str| format!("use papers.number_rotation_procedures\non NRP(8) {{\n{body}\n}}\n");
    let own = procedure(
        &spiral("print length(run spiral_cycle_by(1, (1, 1), (1, 2), (1, 3)))"),
        &spiral("print all_triples(1)[3]"),
        3,
        false,
    );
    show(
        "spiral-cycle on all triples, 8 x 9",
        own,
        rust(1, || spiral_cycle::all_triples(8, 1)),
        python("spiral_cycle.py", &["8", "1", "3000"]),
    );

    let fill = |body: &str| format!("use papers.torus\non Torus(200, 200) {{\nlet b = board(mixed(1))\n{body}\n}}\n");
    let own = procedure(&fill("print length(R[1] C[1])"), &fill("print length(run fill_columns from b)"), 3, false);
    show(
        "FillColumns, 200 x 200",
        own,
        rust(3, || fill_columns::fill(200, 200, 1)),
        python("fill_columns.py", &["200", "200", "1"]),
    );

    let boards = |body: &str| {
        format!(
            "use papers.n_puzzle\non Sliding(7, 7) {{\nlet bs = (board(scrambled(7, 7, seed)) for seed in 1..10)\n{body}\n}}\n"
        )
    };
    let own = procedure(
        &boards("print ring + length(rotation) + len(spot) + len(wanted)"),
        &boards("print sum(length(run insertion from b) for b in bs)"),
        5,
        false,
    );
    show(
        "insertion, ten boards of 7 x 7",
        own,
        rust(5, || insertion::boards(7, 7, 10)),
        python("insertion.py", &["7", "7", "2"]),
    );

    let triples = "print sum(length(run spiral_cycle_by(1, (1, 1), (1, k), c)) for k in 3..7, c in (2..8, 2..8))";
    let idle = spiral("print length(run spiral_cycle_by(1, (1, 1), (1, 2), (1, 3)))");
    let written = procedure(&idle, &spiral(triples), 3, true);
    println!("spiral-cycle as it is written, without being compiled: {:.0} moves a second", rate(written));
}
