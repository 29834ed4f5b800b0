//! Which part of `src` may use which: a picture of the house that fails when somebody adds an arrow to it.

use std::path::{Path, PathBuf};

/// Each part with the parts that it may use, from the ground up.
const MAY_USE: &[(&str, &[&str])] = &[
    // pure mathematics: knows no scripts
    ("perm", &[]),
    ("word", &["perm"]),
    ("puzzle", &["perm", "word"]),
    ("random", &[]),
    ("group", &["perm", "word", "random"]),
    ("search", &["perm", "random", "group"]),
    ("prove", &[]),
    // texts and what is said about them
    ("source", &[]),
    ("diagnostic", &["source"]),
    ("module", &["diagnostic"]),
    ("syntax", &["source", "diagnostic"]),
    ("resolve", &["source", "diagnostic", "syntax", "module"]),
    ("run", &["source", "diagnostic", "resolve", "perm", "word", "puzzle", "random", "group", "search"]),
    ("symbolic", &["source", "diagnostic", "resolve", "run", "prove", "perm", "word"]),
    ("report", &["source", "diagnostic", "resolve", "run", "perm", "word", "puzzle", "group"]),
    (
        "claim",
        &["source", "diagnostic", "resolve", "run", "report", "perm", "word", "puzzle", "group", "prove", "symbolic"],
    ),
    // the façade, and what stands before it
    ("session", &["word", "source", "diagnostic", "module", "syntax", "resolve", "run", "report", "claim"]),
    ("cli", &["source", "diagnostic", "module", "run", "report", "session", "repl"]),
    ("repl", &["source", "diagnostic", "module", "run", "report", "session", "cli"]),
];

/// A crate, and the places that may know it.
const KNOWN_IN: &[(&str, &[&str])] = &[
    ("pest", &["syntax/", "syntax.rs"]),
    ("pest_derive", &["syntax/"]),
    ("miette", &["diagnostic/render/"]),
    ("petgraph", &["module.rs"]),
    ("rustyline", &["repl/", "repl.rs"]),
    ("clap", &["cli/", "cli.rs"]),
    ("clap_complete", &["cli/", "cli.rs"]),
    ("ctrlc", &["cli/", "cli.rs"]),
    ("indicatif", &["cli/", "cli.rs"]),
    ("terminal_size", &["cli/", "cli.rs"]),
];

/// What the library never does: it prints nothing and reads no clock and no environment.
const NEVER: &[&str] =
    &["println!", "eprintln!", "print!", "eprint!", "dbg!", "std::env", "Instant", "SystemTime", "process::exit"];
const MAY_TALK: &[&str] = &["cli/", "cli.rs", "repl/", "repl.rs", "main.rs"];

/// The only place for `unsafe`.
const KERNEL: &str = "perm/kernel";

#[test]
fn every_arrow_is_in_the_table() {
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        let here = part_of(&file);
        if matches!(here.as_str(), "lib" | "main") {
            continue;
        }
        let Some((_, may_use)) = MAY_USE.iter().find(|(part, _)| *part == here) else {
            wrong.push(format!("{file}: the part `{here}` is not in the table"));
            continue;
        };
        for used in words_after(&code, "crate::") {
            if used != here && !may_use.contains(&used.as_str()) {
                wrong.push(format!("{file}: `{here}` uses `{used}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_library_is_known_in_its_own_place_only() {
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        for (library, places) in KNOWN_IN {
            let uses = names(&code).any(|name| name == *library);
            if uses && !at(&file, places) {
                wrong.push(format!("{file} uses {library}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_library_prints_nothing_and_reads_no_clock_and_no_environment() {
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        if at(&file, MAY_TALK) {
            continue;
        }
        for never in NEVER {
            let found = code.match_indices(never).any(|(place, _)| !code[..place].ends_with(is_name));
            if found {
                wrong.push(format!("{file}: {never}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn unsafe_code_is_in_the_kernels_only() {
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        if !file.starts_with(KERNEL) && names(&code).any(|name| name == "unsafe") {
            wrong.push(file);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A puzzle is data: examples and advice may speak of one, the code may not know it.
#[test]
fn no_puzzle_is_known_to_the_program() {
    let mut puzzles = Vec::new();
    for file in files("stdlib/puzzles", "perm") {
        let text = std::fs::read_to_string(file).expect("standard files are text");
        puzzles.extend(text.lines().filter_map(|line| line.strip_prefix("puzzle ")).map(|rest| {
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            name
        }));
    }
    assert!(puzzles.len() > 10, "{puzzles:?}");
    let mut wrong = Vec::new();
    for (file, text) in texts() {
        let without_comments = without_comments(&text);
        // the mathematics knows no names at all, and may call its own things as it likes
        let mathematics =
            ["perm", "word", "puzzle", "random", "group", "search", "prove"].contains(&part_of(&file).as_str());
        for puzzle in puzzles.iter().filter(|_| !mathematics) {
            // as a name in the code, or as a text that something could be compared with
            let in_code = names(&without_strings(&without_comments)).any(|name| name == puzzle);
            if in_code || without_comments.contains(&format!("\"{puzzle}\"")) {
                wrong.push(format!("{file}: {puzzle}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn at(file: &str, places: &[&str]) -> bool {
    places.iter().any(|place| file == *place || place.ends_with('/') && file.starts_with(place))
}

/// `word/print.rs` belongs to `word`.
fn part_of(file: &str) -> String {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_string()
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The source files by their path in `src`, without their unit tests.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files("src", "rs")
        .into_iter()
        .filter(|path| !path.ends_with("tests.rs") && !is_in_tests(path, &root))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("source files are text");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_string();
            let name = path.strip_prefix(&root).expect("it was found there").to_string_lossy().replace('\\', "/");
            (name, text)
        })
        .collect()
}

/// Does a file lie in a folder of unit tests?
fn is_in_tests(path: &Path, root: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|inside| inside.components().any(|part| part.as_os_str() == "tests"))
}

/// The code alone, without comments, texts and unit tests.
fn sources() -> Vec<(String, String)> {
    texts().into_iter().map(|(file, text)| (file, without_strings(&without_comments(&text)))).collect()
}

/// Line comments are cut off; a `//` inside a text counts as one too, which takes only text away.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// What stands between quotation marks is left out, line by line.
fn without_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.replace("\\\\", "").replace("\\\"", "").replace("'\"'", "");
        for (number, part) in line.split('"').enumerate() {
            if number % 2 == 0 {
                out.push_str(part);
            }
        }
        out.push('\n');
    }
    out
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn names(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_name(c)).filter(|name| !name.is_empty())
}

/// The names that follow a prefix: `crate::word::Word` uses `word`; `crate::{perm, word}` uses both.
fn words_after(code: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (place, _) in code.match_indices(prefix) {
        let rest = &code[place + prefix.len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut fresh = true;
            for (at, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => fresh = true,
                    c if depth == 0 && fresh && is_name(c) => {
                        found.push(list[at..].chars().take_while(|c| is_name(*c)).collect());
                        fresh = false;
                    }
                    _ => {}
                }
            }
        } else {
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            // a macro of the crate or an item of its root is no part
            if name.starts_with(|c: char| c.is_lowercase()) {
                found.push(name);
            }
        }
    }
    found
}
