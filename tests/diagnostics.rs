//! One script a situation in `tests/diagnostics/TOPIC/NAME.perm`, and beside it, in `NAME.txt`, the message that it
//! gets. A recorded file begins with the script, so that both are reviewed together. Record again with
//! `RECORD=1 cargo test --test diagnostics`, and read what changed aloud.
//!
//! Every script is run three more times: with Windows line ends, with a byte order mark, and with tabs for its
//! indentation. The messages must stay the same, at the same lines and columns.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use perm::diagnostic::{Diagnostic, render};
use perm::module::Origin;
use perm::run::Limits;
use perm::session::{Options, Script, Session};

/// Words of the machinery that no reader should ever meet.
const INTERNAL: &[&str] = &[
    "pest",
    "slot",
    "token",
    "parser",
    "AST",
    "syntax tree",
    "resolver",
    "identifier",
    "Rule::",
    "thunk",
    "lambda",
    "closure",
    "opcode",
    "operand",
    "unwrap",
    "panick",
    "i64",
    "u32",
    "usize",
    "UTF-16",
    "payload",
    "_statement",
    "_item",
    "compat",
    "expression",
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new("tests/diagnostics");
    let mut tests = vec![Trial::test("nothing recorded is left over", || leftovers(Path::new("tests/diagnostics")))];
    for topic in entries(root).into_iter().filter(|path| path.is_dir()) {
        for script in entries(&topic).into_iter().filter(|path| path.extension().is_some_and(|e| e == "perm")) {
            let name = format!("{}::{}", stem(&topic), stem(&script));
            tests.push(Trial::test(name, move || check(&script)));
        }
    }
    libtest_mimic::run(&arguments, tests).exit_code()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// A recorded message whose script is gone.
fn leftovers(folder: &Path) -> Result<(), Failed> {
    for path in entries(folder) {
        if path.is_dir() {
            leftovers(&path)?;
        } else if path.extension().is_some_and(|e| e == "txt") && !path.with_extension("perm").exists() {
            return Err(format!("{} has no script", path.display()).into());
        }
    }
    Ok(())
}

/// The messages of a script, in order: mistakes first, then claims.
fn messages(path: &Path, text: &str) -> (Vec<Diagnostic>, Session) {
    // small budgets, so that running out of them takes no time
    let limits = Limits { max_steps: 100_000, max_memory: 64 << 20 };
    let mut session = Session::new(Options { limits, ..Options::default() });
    let report = session.run(&Script::new(Origin::File(path.into()), text.into()), &Default::default(), &mut |_, _| ());
    let mut found = report.errors;
    found.extend(report.claims.into_iter().filter_map(|claim| claim.diagnostic));
    (found, session)
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?.replace("\r\n", "\n");
    let (found, session) = messages(path, &text);
    let mut shown = String::new();
    for diagnostic in &found {
        review(diagnostic)?;
        shown.push('\n');
        let message = render::render(diagnostic, &session.sources, Default::default());
        // paths look the same on every system
        shown.push_str(&if cfg!(windows) { message.replace('\\', "/") } else { message });
    }
    if found.is_empty() {
        shown.push_str("\nno message\n");
    }
    let recorded = path.with_extension("txt");
    let now = format!("{}{}\n{shown}", numbered(&text), "─".repeat(60));
    if std::env::var_os("RECORD").is_some() {
        std::fs::write(&recorded, &now)?;
    } else {
        let before = std::fs::read_to_string(&recorded).unwrap_or_default().replace("\r\n", "\n");
        if before != now {
            return Err(format!("{} has changed; it is now\n{now}", recorded.display()).into());
        }
    }
    variants(path, &text, &places(&found, &session))
}

fn numbered(text: &str) -> String {
    text.lines().map(|line| format!("{line}\n")).collect()
}

/// What every message must be: said in the reader's words, with one thing to do.
fn review(diagnostic: &Diagnostic) -> Result<(), Failed> {
    let mut all = vec![&diagnostic.title];
    all.extend(diagnostic.labels.iter().map(|label| &label.text));
    all.extend(&diagnostic.notes);
    all.extend(&diagnostic.help);
    for text in all {
        if let Some(word) = INTERNAL.iter().find(|word| text.contains(**word)) {
            return Err(format!("{}: “{text}” says “{word}”", diagnostic.code).into());
        }
    }
    if diagnostic.help.is_none() {
        return Err(format!("{}: “{}” says nothing to do", diagnostic.code, diagnostic.title).into());
    }
    if diagnostic.title.ends_with('.') || diagnostic.title.is_empty() {
        return Err(format!("“{}” is not a title", diagnostic.title).into());
    }
    Ok(())
}

/// Code, and line and column of every label.
fn places(found: &[Diagnostic], session: &Session) -> Vec<(String, Vec<(usize, usize)>)> {
    let place = |label: &perm::diagnostic::Label| session.sources.get(label.span.file).line_column(label.span.start);
    found.iter().map(|d| (d.code.to_string(), d.labels.iter().map(place).collect())).collect()
}

fn variants(path: &Path, text: &str, wanted: &[(String, Vec<(usize, usize)>)]) -> Result<(), Failed> {
    let tabs: String = text
        .split_inclusive('\n')
        .map(|line| {
            let indent = line.len() - line.trim_start_matches(' ').len();
            "\t".repeat(indent) + &line[indent..]
        })
        .collect();
    let changed = [
        ("Windows line ends", text.replace('\n', "\r\n")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("tabs", tabs),
    ];
    for (what, text) in changed {
        let (found, session) = messages(path, &text);
        let places = places(&found, &session);
        if places != wanted {
            return Err(format!("with {what}: {places:?} instead of {wanted:?}").into());
        }
        for diagnostic in &found {
            let shown = render::render(diagnostic, &session.sources, Default::default());
            if shown.contains(['\r', '\u{feff}']) {
                return Err(format!("with {what} the message shows it:\n{shown}").into());
            }
        }
    }
    Ok(())
}
