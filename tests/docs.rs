//! Every `perm` block of README, CONTRIBUTING and docs runs, and prints what is shown below it.
//!
//! The blocks of a file are one script, in order, each seeing the ones before it. A block marked
//!
//! - `perm` runs; a block marked `output` right after it must equal what it says;
//! - `perm error E0201` must give an error with this code; it sees the blocks before it, and is not part of the script;
//!   an `output` block after it shows the message;
//! - `perm alone` is a script of its own (`perm error` blocks are never seen by others anyway);
//! - `perm examples/01_first_words.perm` shows a file of the project: it must equal that file.
//!
//! A block `output check` is the end of checking the standard library, `json eval P: w` what `perm eval` gives as JSON.
//!
//! `PERM_RECORD=1 cargo test --test docs` writes the outputs into the documents.

#[path = "support/scripts.rs"]
mod scripts;

use std::fmt::Write;

use perm::diagnostic::Diagnostic;
use perm::diagnostic::render::{Style, render};
use perm::report::{CheckReport, json, text};
use perm::session::{Options, Script, Session};

#[test]
fn blocks_run_and_print_what_is_shown() {
    let mut documents = vec!["README.md".to_string(), "CONTRIBUTING.md".to_string()];
    documents.extend(scripts::files("docs", "md"));
    let mut blocks = 0;
    for document in documents {
        // messages show the numbers of lines, which change when outputs are recorded: so record twice
        for _ in 0..if scripts::recording() { 2 } else { 1 } {
            let text = scripts::read(&document);
            let read = Document::read(&text);
            blocks += read.blocks.len();
            let outputs = read.outputs(&document);
            let shown = read.with_outputs(&outputs);
            scripts::same_as_file(&document, &shown);
        }
    }
    assert!(blocks > 50, "only {blocks} blocks were found");
}

#[test]
fn blocks_in_doc_comments_of_the_standard_library_run() {
    for file in scripts::files("stdlib", "perm") {
        // the text of the comments as a document; the number of a line stays
        let comments: String = scripts::read(&file)
            .lines()
            .map(|line| {
                let line = line.trim_start();
                let comment = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")).unwrap_or("");
                format!("{}\n", comment.strip_prefix(' ').unwrap_or(comment))
            })
            .collect();
        let read = Document::read(&comments);
        let outputs = read.outputs(&file);
        let shown = read.with_outputs(&outputs);
        assert_eq!(comments, shown, "{file}: {}", scripts::difference(&comments, &shown));
    }
}

#[test]
fn links_to_files_of_the_project_lead_somewhere() {
    let mut documents = vec!["README.md".to_string(), "CONTRIBUTING.md".to_string()];
    documents.extend(scripts::files("docs", "md"));
    documents.extend(scripts::files("examples", "md"));
    for document in documents {
        let text = scripts::read(&document);
        let folder = scripts::root().join(&document).parent().expect("a file has a folder").to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let target = if path.is_empty() { scripts::root().join(&document) } else { folder.join(path) };
            assert!(target.exists(), "{document}: {link} leads nowhere");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap_or_default();
                let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{document}: {link} leads to no heading");
            }
        }
    }
}

/// The name by which a heading can be linked to.
fn anchor(line: &str) -> String {
    let title = line.trim_start_matches('#').trim().to_lowercase();
    title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
}

#[test]
fn the_readme_names_every_field_of_the_json() {
    let script = "claim \"c\" for n in 1..3 { assert n < 3 }\nprint nothing_of_this_name";
    let readme = scripts::read("README.md");
    let claims = scripts::run("claim.perm", script.lines().next().unwrap_or_default());
    let errors = scripts::run("error.perm", script);
    let fields = |ran: &scripts::Ran, list: &str| -> Vec<String> {
        let all: serde_json::Value =
            serde_json::from_str(&json::check(&ran.report, &ran.session.sources)).expect("valid JSON");
        let first = all[list][0].as_object().unwrap_or_else(|| panic!("no {list}"));
        let inside = first.values().filter_map(|value| value.as_object()).flat_map(|object| object.keys());
        first.keys().chain(inside).cloned().collect()
    };
    let mut names = fields(&claims, "claims");
    names.extend(fields(&errors, "errors"));
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(readme.contains(&format!("`{name}`")), "README does not say what `{name}` is");
    }
}

#[derive(PartialEq, Debug)]
enum Kind {
    /// part of the file's script
    Part,
    Alone,
    /// must give an error with this code
    Error(String),
    /// the text of this file
    File(String),
}

struct Block {
    kind: Kind,
    /// number of its first line, from 0
    first: usize,
    code: String,
    /// the lines of the `output` block that follows: from … up to
    shown: Option<(usize, usize)>,
}

struct Document<'a> {
    lines: Vec<&'a str>,
    blocks: Vec<Block>,
    /// other blocks to fill in: from … up to a line, and with what
    others: Vec<(usize, usize, String)>,
}

impl<'a> Document<'a> {
    fn read(text: &'a str) -> Document<'a> {
        let lines: Vec<&str> = text.lines().collect();
        let mut blocks: Vec<Block> = Vec::new();
        let mut others = Vec::new();
        let mut at = 0;
        // the line after the last `perm` block, as long as only blank lines have come since
        let mut after = None;
        while at < lines.len() {
            let Some(mark) = lines[at].strip_prefix("```").filter(|mark| !mark.starts_with('`')) else {
                if !lines[at].trim().is_empty() {
                    after = None;
                }
                at += 1;
                continue;
            };
            let first = at + 1;
            let length = lines[first..].iter().position(|line| line.trim_end() == "```");
            let end = first + length.unwrap_or_else(|| panic!("a block is not closed: {}", lines[at]));
            let mut words = mark.split_whitespace();
            match words.next() {
                Some("perm") => {
                    let kind = match (words.next(), words.next()) {
                        (None, _) => Kind::Part,
                        (Some("alone"), _) => Kind::Alone,
                        (Some("error"), Some(code)) => Kind::Error(code.to_string()),
                        (Some(path), None) if path.ends_with(".perm") => Kind::File(path.to_string()),
                        _ => panic!("unknown mark of a block: {mark}"),
                    };
                    let code = lines[first..end].join("\n") + "\n";
                    blocks.push(Block { kind, first, code, shown: None });
                    after = Some(blocks.len() - 1);
                }
                Some("output") if words.next() == Some("check") => others.push((first, end, end_of_check())),
                Some("json") if words.next() == Some("eval") => {
                    let call = mark.split_once("eval").map_or("", |(_, call)| call);
                    others.push((first, end, evaluated(call)));
                }
                Some("output") => {
                    let block = after.take().unwrap_or_else(|| panic!("line {first}: an output without its block"));
                    blocks[block].shown = Some((first, end));
                }
                _ => after = None,
            }
            at = end + 1;
        }
        Document { lines, blocks, others }
    }

    /// A script with the chosen blocks at their places; the fence before each prints where it begins.
    fn script(&self, chosen: &dyn Fn(usize) -> bool) -> String {
        let mut lines = vec![String::new(); self.lines.len()];
        for (number, block) in self.blocks.iter().enumerate().filter(|(number, _)| chosen(*number)) {
            lines[block.first - 1] = format!("print \"{MARK}{number}\"");
            for (at, line) in block.code.lines().enumerate() {
                lines[block.first + at] = line.to_string();
            }
        }
        lines.join("\n")
    }

    /// What each block says.
    fn outputs(&self, name: &str) -> Vec<String> {
        let mut outputs = vec![String::new(); self.blocks.len()];
        if self.blocks.is_empty() {
            return outputs;
        }
        let is_part = |number: usize| self.blocks[number].kind == Kind::Part;
        let ran = scripts::run(name, &self.script(&is_part));
        let mut current = 0;
        for said in &ran.said {
            match said.strip_prefix(MARK).and_then(|number| number.trim_end().parse().ok()) {
                Some(number) => current = number,
                None => outputs[current].push_str(said),
            }
        }
        if let Some(error) = ran.report.errors.first() {
            panic!("{name}:\n{}", render(error, &ran.session.sources, Style::default()));
        }
        for (number, block) in self.blocks.iter().enumerate() {
            let lines = block.first + 1..=block.first + block.code.lines().count();
            let claims: Vec<_> =
                ran.report.claims.iter().filter(|claim| lines.contains(&claim.line)).cloned().collect();
            match &block.kind {
                Kind::Part => {
                    if block.shown.is_none() {
                        let failing = claims.iter().find(|claim| !claim.holds);
                        if let Some(claim) = failing {
                            panic!("{name}:\n{}", text::failure(claim, &ran.session.sources, Style::default()));
                        }
                    }
                    if !claims.is_empty() {
                        let report = CheckReport { claims, ..CheckReport::default() };
                        outputs[number].push_str(&text::check(&report, &ran.session.sources, Style::default(), false));
                    }
                }
                Kind::Alone => {
                    let ran = scripts::run(name, &self.script(&|other| other == number));
                    outputs[number] = without_marks(&scripts::output(&ran));
                    assert!(ran.report.errors.is_empty(), "{name}:\n{}", outputs[number]);
                }
                Kind::Error(code) => {
                    let ran =
                        scripts::run(name, &self.script(&|other| other == number || is_part(other) && other < number));
                    let claims = ran.report.claims.iter().filter_map(|claim| claim.diagnostic.as_ref());
                    let errors: Vec<_> = ran.report.errors.iter().chain(claims).collect();
                    // the one in this block, of several; a message may also point into a standard file
                    let here = |error: &&&Diagnostic| {
                        error.span().is_some_and(|span| {
                            let (file, line) = ran.session.sources.place(span);
                            file == name && lines.contains(&line)
                        })
                    };
                    let found = errors.iter().find(here).or_else(|| errors.iter().find(|error| error.code.0 == code));
                    let Some(found) = found else {
                        panic!("{name}, line {}: this block gives no error", block.first + 1);
                    };
                    let message = render(found, &ran.session.sources, Style::default());
                    assert_eq!(found.code.0, code, "{name}:\n{message}");
                    outputs[number] = message;
                }
                Kind::File(path) => {
                    assert_eq!(block.code, scripts::read(path), "{name} does not show {path} as it is");
                    outputs[number] = scripts::output(&scripts::run(path, &block.code));
                }
            }
        }
        outputs
    }

    /// The document with these outputs in its `output` blocks.
    fn with_outputs(&self, outputs: &[String]) -> String {
        let mut shown = String::new();
        let mut at = 0;
        let mut filled: Vec<(usize, usize, &str)> = self
            .blocks
            .iter()
            .zip(outputs)
            .filter_map(|(block, output)| block.shown.map(|(first, end)| (first, end, output.as_str())))
            .chain(self.others.iter().map(|(first, end, output)| (*first, *end, output.as_str())))
            .collect();
        filled.sort();
        for (first, end, output) in filled {
            for line in &self.lines[at..first] {
                let _ = writeln!(shown, "{line}");
            }
            shown.push_str(output);
            at = end;
        }
        for line in &self.lines[at..] {
            let _ = writeln!(shown, "{line}");
        }
        shown
    }
}

/// A line that no document prints.
const MARK: &str = "\u{2063}block ";

/// The last lines of checking the standard library.
fn end_of_check() -> String {
    let mut session = Session::new(Options::default());
    let report = session.check(&Script::standard(), &Default::default(), &mut |_, _| ());
    let text = text::check(&report, &session.sources, Style::default(), false);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(4)..].iter().map(|line| format!("{line}\n")).collect()
}

/// `NRP(2): X Y` as the JSON of `perm eval`.
fn evaluated(call: &str) -> String {
    let (puzzle, word) = call.split_once(':').expect("a puzzle, a colon, a word");
    let mut session = Session::new(Options::default());
    let value = session.evaluate(puzzle.trim(), &[], word.trim()).unwrap_or_else(|_| panic!("{call} has no value"));
    let value: serde_json::Value = serde_json::from_str(&json::value(&value)).expect("valid JSON");
    let json = serde_json::to_string_pretty(&value).expect("JSON can be written");
    compact(&json) + "\n"
}

/// Short lists on one line each, for reading.
fn compact(json: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for line in json.lines() {
        let line = line.trim_end();
        let opens = line.ends_with('[');
        let closes = line.trim_start().starts_with(']');
        if closes {
            depth -= 1;
        }
        if depth > 0 || closes {
            let text = line.trim_start();
            out.push_str(text);
            if text.ends_with(',') && !(depth == 0 && closes) {
                out.push(' ');
            }
        } else {
            out.push_str(line);
        }
        if opens {
            depth += 1;
        }
        if depth == 0 {
            out.push('\n');
        }
    }
    out.trim_end().to_string()
}

fn without_marks(output: &str) -> String {
    output.lines().filter(|line| !line.starts_with(MARK)).map(|line| format!("{line}\n")).collect()
}
