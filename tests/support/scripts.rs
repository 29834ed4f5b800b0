//! Runs scripts of the documentation and of the examples, and compares or records what they say.
//!
//! `PERM_RECORD=1 cargo test` writes the outputs into the files instead of comparing them.

#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};

use perm::diagnostic::render::Style;
use perm::module::Origin;
use perm::report::{CheckReport, text};
use perm::run::Output;
use perm::session::{Options, Script, Session};

/// A script that has been run.
pub struct Ran {
    /// what `print` and `show` said, in order
    pub said: Vec<String>,
    pub report: CheckReport,
    pub session: Session,
}

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads a file of the project. Line ends are those of Unix, whatever a checkout made of them.
pub fn read(path: &str) -> String {
    let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.replace("\r\n", "\n")
}

/// Are outputs recorded rather than compared?
pub fn recording() -> bool {
    std::env::var_os("PERM_RECORD").is_some_and(|value| value != "0")
}

/// Compares a text with what a file holds, or writes it there.
pub fn same_as_file(path: &str, text: &str) {
    if recording() {
        std::fs::write(root().join(path), text).unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    let known = std::fs::read_to_string(root().join(path)).unwrap_or_default().replace("\r\n", "\n");
    if known != text {
        panic!(
            "{path} is out of date: {}\nrun `PERM_RECORD=1 cargo test` and look at the change",
            difference(&known, text)
        );
    }
}

/// The first line in which two texts differ.
pub fn difference(known: &str, now: &str) -> String {
    let mut lines = (known.lines(), now.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (lines.0.next(), lines.1.next()) {
            (None, None) => return "the ends of lines differ".to_string(),
            (a, b) if a == b => {}
            (a, b) => {
                return format!(
                    "line {number}\n  was: {}\n  now: {}",
                    a.unwrap_or("(nothing)"),
                    b.unwrap_or("(nothing)")
                );
            }
        }
    }
}

/// Runs a text under the name of a file of the project. What is used is looked for beside that file.
pub fn run(name: &str, script: &str) -> Ran {
    let mut session = Session::new(Options::default());
    let mut said = Vec::new();
    // a document without blocks of its own is no mistake here, as it is on the command line
    let text = if script.trim().is_empty() { "// no blocks" } else { script };
    let script = Script { origin: Origin::File(PathBuf::from(name)), text: text.to_string() };
    let report = session.run(&script, &Default::default(), &mut |library, output| match output {
        Output::Value { .. } => {}
        shown => said.push(text::said(&shown, library, Style::default())),
    });
    Ran { said, report, session }
}

/// The output of a script as the command line shows it: what it says, then its errors and its claims.
pub fn output(ran: &Ran) -> String {
    let mut out = ran.said.concat();
    if !ran.report.claims.is_empty() || !ran.report.errors.is_empty() {
        out.push_str(&text::check(&ran.report, &ran.session.sources, Style::default(), false));
    }
    out
}

/// The files of a folder of the project with an extension, also in folders inside it, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|known| known == extension) {
            let path = path.strip_prefix(root()).unwrap_or(&path);
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}
