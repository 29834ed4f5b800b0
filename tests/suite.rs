//! The language, rule by rule: every section of every script in `tests/suite` is a test with the section's name.
//! `tests/README.md` says how sections are written.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use perm::diagnostic::Diagnostic;
use perm::module::Origin;
use perm::report::{self, ClaimKind, ClaimReport, Verdict};
use perm::run::Output;
use perm::session::{Options, Script, Session, Watch};
use perm::source::SourceMap;

/// Sections where the program does not do what the language says yet, with what it does instead. Each must fail: one that
/// passes is to be taken off the list.
const NOT_YET: &[(&str, &str)] = &[];

/// A part of a file that is a script of its own.
struct Section {
    file: PathBuf,
    name: String,
    /// what stands before the first section of the file belongs to each; all other lines are empty, so that places stay
    text: String,
    printed: Vec<String>,
    /// line of the script, and the text that must be found
    errors: Vec<(usize, String)>,
    verdicts: Vec<(usize, String)>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR")).expect("the folder of the package is there");
    let mut files = Vec::new();
    collect(Path::new("tests/suite"), &mut files);
    files.sort();
    let mut trials = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("scripts are text");
        let topic = file.strip_prefix("tests/suite").expect("collected there").with_extension("");
        for section in sections(&file, &text) {
            let name = format!("{}: {}", topic.display(), section.name);
            let not_yet = NOT_YET.iter().find(|(section, _)| *section == name);
            trials.push(Trial::test(name.clone(), move || match (check(&section), not_yet) {
                (result, None) => result,
                (Err(_), Some(_)) => Ok(()),
                (Ok(()), Some((_, what))) => Err(format!("this is true now: {name} ({what})").into()),
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "perm") {
            files.push(path);
        }
    }
}

/// The sections of a file; none if it is only there to be used by others.
fn sections(file: &Path, text: &str) -> Vec<Section> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with("//# ")).collect();
    let before = starts.first().copied().unwrap_or(0);
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let mut section = Section {
                file: file.to_path_buf(),
                name: lines[*start].trim_start_matches("//# ").trim().to_string(),
                text: String::new(),
                printed: Vec::new(),
                errors: Vec::new(),
                verdicts: Vec::new(),
            };
            let mut code = 0;
            for (at, line) in lines[..end].iter().enumerate() {
                if at < before || at > *start {
                    section.text.push_str(line);
                    expectation(line, at + 1, &mut code, &mut section);
                }
                section.text.push('\n');
            }
            section
        })
        .collect()
}

/// Reads the expectation at the end of a line. On a line of its own it belongs to the last line of script before it.
fn expectation(line: &str, number: usize, code: &mut usize, section: &mut Section) {
    let marks = ["//>", "//~ ", "//= "];
    let found = marks.iter().filter_map(|mark| line.find(mark).map(|at| (at, *mark))).min();
    let (before, mark, expected) = match found {
        Some((at, mark)) => (&line[..at], mark, &line[at + mark.len()..]),
        None => (line, "", ""),
    };
    if !before.trim().is_empty() {
        *code = number;
    }
    match mark {
        "//>" => section.printed.push(expected.strip_prefix(' ').unwrap_or(expected).trim_end().to_string()),
        "//~ " => section.errors.push((*code, expected.trim().to_string())),
        "//= " => section.verdicts.push((*code, expected.trim().to_string())),
        _ => {}
    }
}

fn check(section: &Section) -> Result<(), Failed> {
    let mut session = Session::new(Options::default());
    let script = Script::new(Origin::File(section.file.clone()), section.text.clone());
    let mut said = Vec::new();
    let report = session.run(&script, &Watch::default(), &mut |library, output| {
        if !matches!(output, Output::Value { .. }) {
            said.push(report::text::said(&output, library, Default::default()));
        }
    });
    let printed = lines_of(&report::text::in_order(&said, &report.claims));
    let mut problems = String::new();
    if printed != section.printed {
        let _ = writeln!(problems, "printed:\n    {}", printed.join("\n    "));
        let _ = writeln!(problems, "expected:\n    {}", section.printed.join("\n    "));
    }
    let errors: Vec<(usize, String)> =
        report.errors.iter().map(|error| placed(error, &script.origin.name(), &session.sources)).collect();
    compare("error", &errors, &section.errors, &mut problems);
    let verdicts: Vec<(usize, String)> = report.claims.iter().map(|claim| (claim.line, verdict(claim))).collect();
    compare("verdict", &verdicts, &section.verdicts, &mut problems);
    for claim in &report.claims {
        let wanted = match claim.kind {
            ClaimKind::Claim => matches!(claim.verdict, Verdict::Checked | Verdict::Proved),
            ClaimKind::Refute => claim.verdict == Verdict::Refuted,
        };
        if claim.holds != wanted {
            let _ = writeln!(problems, "“{}” holds: {}, against its verdict", claim.title, claim.holds);
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("{}\n{problems}", section.file.display()).into()) }
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// The line of an error, 0 if it is not in the script itself, and its text.
fn placed(error: &Diagnostic, script: &str, sources: &SourceMap) -> (usize, String) {
    match error.span().map(|span| sources.place(span)) {
        Some((file, line)) if file == script => (line, message(error)),
        Some((file, line)) => (0, format!("{} in {file}:{line}: {}", error.code, error.title)),
        None => (0, message(error)),
    }
}

/// `E0305 title; label; label; note; help`
fn message(error: &Diagnostic) -> String {
    let mut parts = vec![format!("{} {}", error.code, error.title)];
    parts.extend(error.labels.iter().map(|label| label.text.clone()));
    parts.extend(error.notes.iter().cloned());
    parts.extend(error.help.iter().cloned());
    parts.join("; ")
}

/// `checked 9: n in 4..12`, `proved for all n >= 5`, `refuted at n = 4: assertion; left; right; difference; diagnosis`,
/// `undecided E0601 …`; behind it what is proved, where that is a part only: ` | false at n = 4; proved for all n ≥ 5`
fn verdict(claim: &ClaimReport) -> String {
    let counterexample = || -> String {
        let Some(found) = &claim.counterexample else { return String::new() };
        let values: Vec<String> = found.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let mut parts = vec![if values.is_empty() {
            format!(": {}", found.assertion)
        } else {
            format!(" at {}: {}", values.join(", "), found.assertion)
        }];
        for part in [&found.left, &found.right, &found.difference, &found.diagnosis] {
            parts.extend(part.clone());
        }
        parts.join("; ")
    };
    let partly = if claim.is_partly_proved() { format!(" | {}", claim.statement()) } else { String::new() };
    let verdict = match claim.verdict {
        Verdict::Proved => format!("proved for {}", claim.range),
        Verdict::Checked => format!("checked {}: {}", claim.instances, claim.range),
        Verdict::Refuted => format!("refuted{}", counterexample()),
        Verdict::Undecided => {
            format!("undecided {}", claim.diagnostic.as_ref().map_or_else(String::new, message))
        }
    };
    verdict + &partly
}

/// Each expectation must be met by the message in its place: on its line, and with its parts (apart by ` … `) in order.
fn compare(what: &str, found: &[(usize, String)], expected: &[(usize, String)], problems: &mut String) {
    let fits = |(line, text): &(usize, String), (place, parts): &(usize, String)| {
        let mut rest = text.as_str();
        let first = parts.split(" … ").next().unwrap_or_default();
        (*line == 0 || line == place)
            && text.starts_with(first)
            && parts.split(" … ").all(|part| match rest.find(part) {
                Some(at) => {
                    rest = &rest[at + part.len()..];
                    true
                }
                None => false,
            })
    };
    if found.len() == expected.len() && found.iter().zip(expected).all(|(found, expected)| fits(found, expected)) {
        return;
    }
    for (line, text) in found {
        let _ = writeln!(problems, "{what} on line {line}: {text}");
    }
    for (line, text) in expected {
        let _ = writeln!(problems, "expected {what} on line {line}: {text}");
    }
}
