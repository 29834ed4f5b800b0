//! The arguments of the program, with the texts of its help.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::terminal::When;

/// Move sequences on permutation puzzles: see what they do, run scripts, check claims
#[derive(Parser, Debug)]
#[command(name = "perm", version, after_help = include_str!("help/perm.txt").trim_end(), max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    pub color: When,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Say what a word of moves does: its cycles, order, sign and length
    Eval(EvalOptions),
    /// Run a script: show what it shows, then check its claims
    Run(RunOptions),
    /// Check all claims of some files, or of the standard library
    Check(CheckOptions),
    /// Follow a procedure step by step: lines, moves, boards
    Trace(TraceOptions),
    /// Search for shortest words, for words with a property, or through all arrangements
    Search(SearchOptions),
    /// Write a script for GAP or SymPy that checks again what was found out about groups
    Export(ExportOptions),
    /// Try words and statements line by line
    Repl(ReplOptions),
    /// Explain an error code such as E0202
    #[command(after_help = include_str!("help/explain.txt").trim_end())]
    Explain {
        /// A code as it stands beside an error; without it all codes are listed
        code: Option<String>,
    },
    /// Write a script that completes the options of perm in a shell
    #[command(after_help = include_str!("help/completions.txt").trim_end())]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/eval.txt").trim_end())]
pub struct EvalOptions {
    /// The puzzle with its numbers, such as NRP(6), Cube(3), Torus(3, 5)
    #[arg(short, long, value_name = "PUZZLE")]
    pub puzzle: Option<String>,
    /// Use a module or a file, for the words that it names (can be repeated)
    #[arg(long = "use", value_name = "MODULE")]
    pub uses: Vec<String>,
    /// The word, or any other expression
    #[arg(value_name = "WORD", required = true)]
    pub word: Vec<String>,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    pub format: Format,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/run.txt").trim_end())]
pub struct RunOptions {
    /// The script; - reads standard input
    pub file: PathBuf,
    /// Of the claims, show only those that do not hold
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/check.txt").trim_end())]
pub struct CheckOptions {
    /// Scripts; - reads standard input; none is the standard library
    pub files: Vec<PathBuf>,
    /// Take the larger ranges of claims, and check those that are only for this
    #[arg(long)]
    pub thorough: bool,
    /// Show how claims for all values are proved
    #[arg(long)]
    pub explain: bool,
    /// Show only what does not hold
    #[arg(short, long)]
    pub quiet: bool,
    /// Text for people, JSON for programs, or Markdown for documents
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, hide_default_value = true)]
    pub format: CheckFormat,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/trace.txt").trim_end())]
pub struct TraceOptions {
    /// The puzzle with its numbers, such as NRP(6), if a run is given and no script
    #[arg(short, long, value_name = "PUZZLE")]
    pub puzzle: Option<String>,
    /// Use a module or a file, for the algorithms that it declares (can be repeated)
    #[arg(long = "use", value_name = "MODULE")]
    pub uses: Vec<String>,
    /// A script, or a run such as 'spiral(7)' or 'spiral(7) from shuffled(1)'
    #[arg(value_name = "SCRIPT OR RUN", required = true)]
    pub what: Vec<String>,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    pub format: Format,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/search.txt").trim_end())]
pub struct SearchOptions {
    /// The puzzle with its numbers, such as NRP(6), Cube(3), Sliding(4, 4)
    #[arg(short, long, value_name = "PUZZLE")]
    pub puzzle: String,
    /// Use a module or a file, for the names in what is asked (can be repeated)
    #[arg(long = "use", value_name = "MODULE")]
    pub uses: Vec<String>,
    /// The board, permutation or word that a shortest word is wanted for
    #[arg(value_name = "TARGET", conflicts_with_all = ["find", "growth", "antipodes"])]
    pub target: Vec<String>,
    /// Find the words w with a property, such as 'is_cycle(w, 3)'
    #[arg(long, value_name = "CONDITION", requires = "up_to", conflicts_with_all = ["growth", "antipodes"])]
    pub find: Option<String>,
    /// Find words of at most this length
    #[arg(long, value_name = "K", requires = "find")]
    pub up_to: Option<u64>,
    /// Find every word, not one of those that are the same but for inversion, shifts or symmetry
    #[arg(long, requires = "find")]
    pub all: bool,
    /// Count the arrangements at each depth
    #[arg(long, conflicts_with = "antipodes")]
    pub growth: bool,
    /// List the boards that are farthest from the solved one
    #[arg(long)]
    pub antipodes: bool,
    /// What words cost: moves (each one), runs (each power of a move one), or a function of a move
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Use these moves alone, such as "U, R, R'"
    #[arg(long = "in", value_name = "MOVES")]
    pub moves: Option<String>,
    /// Begin at this board, not at the solved one
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["find", "growth", "antipodes"])]
    pub start: Option<String>,
    /// Only these tiles have to get where the target has them
    #[arg(long, value_name = "TILES", conflicts_with_all = ["find", "growth", "antipodes"])]
    pub only: Option<String>,
    /// Sets of tiles that look alike, such as '({1, 2}, {3, 4})'
    #[arg(long, value_name = "SETS", conflicts_with_all = ["find", "growth", "antipodes"])]
    pub alike: Option<String>,
    /// Cells whose content does not matter
    #[arg(long, value_name = "CELLS", conflicts_with_all = ["find", "growth", "antipodes"])]
    pub free: Option<String>,
    /// Say how long it took
    #[arg(long)]
    pub time: bool,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    pub format: Format,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/export.txt").trim_end())]
pub struct ExportOptions {
    /// Scripts whose statements about groups are exported
    #[arg(conflicts_with_all = ["puzzle", "group"])]
    pub files: Vec<PathBuf>,
    /// The puzzle whose group is exported, such as Cube(3)
    #[arg(short, long, value_name = "PUZZLE")]
    pub puzzle: Option<String>,
    /// The group, if it is not that of the moves of the puzzle
    #[arg(short, long, value_name = "GROUP")]
    pub group: Option<String>,
    /// Use a module or a file, for the names in the group (can be repeated)
    #[arg(long = "use", value_name = "MODULE")]
    pub uses: Vec<String>,
    /// The system that checks again: gap, or sympy (for Sage as well)
    #[arg(long, value_enum, default_value_t = System::Gap, hide_default_value = true)]
    pub to: System,
    #[command(flatten)]
    pub budget: Budget,
}

/// A system that checks facts again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum System {
    Gap,
    Sympy,
}

#[derive(Args, Debug)]
#[command(after_help = include_str!("help/repl.txt").trim_end())]
pub struct ReplOptions {
    #[command(flatten)]
    pub budget: Budget,
}

/// What a run may use.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Budget and files")]
pub struct Budget {
    /// Stop a statement, or one instance of a claim, after so many steps
    #[arg(long, value_name = "N", value_parser = steps)]
    pub max_steps: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Let no value need more memory than this, such as 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// How many threads check claims; all processors if not given
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZero<u16>>,
    /// Look for used modules in this folder too (can be repeated)
    #[arg(long, value_name = "FOLDER")]
    pub library: Vec<PathBuf>,
}

/// For whom a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// For whom the report of a check is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CheckFormat {
    Text,
    Json,
    Markdown,
}

fn steps(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| "give a whole number, such as 1000000".to_string())
}

fn threads(text: &str) -> Result<NonZero<u16>, String> {
    text.parse().map_err(|_| "give a whole number from 1 on".to_string())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "give seconds, such as 60 or 0.5".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "give seconds, such as 60 or 0.5".to_string())
}

/// `2G`, `500M`, `1.5g`, `4096`.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "give bytes, or a number with K, M, G or T, such as 2G".to_string();
    let upper = text.trim().to_uppercase();
    let short = upper.trim_end_matches('B').trim_end_matches('I');
    let (digits, shift) = match short.char_indices().last() {
        Some((at, 'K')) => (&short[..at], 10),
        Some((at, 'M')) => (&short[..at], 20),
        Some((at, 'G')) => (&short[..at], 30),
        Some((at, 'T')) => (&short[..at], 40),
        _ => (short, 0),
    };
    let number: f64 = digits.trim().parse().map_err(|_| wrong())?;
    if !number.is_finite() || number < 0.0 {
        return Err(wrong());
    }
    // saturates where it is larger than any memory
    Ok((number * (1u64 << shift) as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("1.5 MiB"), Ok(3 << 19));
        assert_eq!(size("4096"), Ok(4096));
        assert!(size("much").is_err() && size("-1G").is_err() && size("").is_err() && size("nanK").is_err());
    }
}
