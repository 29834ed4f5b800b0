//! The program as it is used: recorded command lines, and what cannot be recorded.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Every command with what it writes, in `cli/*.trycmd`; conversations in `cli/*.toml`.
#[test]
fn recorded_command_lines() {
    // commands run where this process is, beside the scripts that they name; the other tests name their folder
    std::env::set_current_dir(folder()).expect("the folder is there");
    trycmd::TestCases::new().case("*.trycmd").case("*.toml");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

fn perm(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_perm"));
    command.args(arguments).current_dir(folder());
    command
}

fn output(arguments: &[&str], input: &str) -> Output {
    let mut child = perm(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // a program that needs no input may have ended before it comes
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

#[test]
fn standard_input_is_a_script() {
    let ran = output(&["run", "-"], "print 2^10\nclaim \"c\" { assert true }\n");
    assert_eq!(text(&ran.stdout), "1024\nstdin\n  ✓ checked      c\n1 claim holds (1 instance)\n");
    assert_eq!(ran.status.code(), Some(0));
    let checked = output(&["check", "-"], "assert false");
    assert_eq!(checked.status.code(), Some(1));
}

#[test]
fn without_a_terminal_the_bare_program_shows_its_help() {
    let shown = output(&[], "print 1");
    assert_eq!(shown.status.code(), Some(2));
    assert!(text(&shown.stderr).contains("perm eval"));
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(text(&output(&["check", "broken.perm", "--color", "always"], "").stdout).contains('\x1b'));
    assert!(!text(&output(&["check", "broken.perm"], "").stdout).contains('\x1b'));
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let report = |threads: &str| {
        let checked = output(&["check", "--format", "json", "--threads", threads], "");
        let report: serde_json::Value = serde_json::from_slice(&checked.stdout).expect("it is JSON");
        let mut claims = report["claims"].as_array().expect("a list").clone();
        for claim in &mut claims {
            claim.as_object_mut().expect("an object").remove("seconds").expect("it is timed");
        }
        (claims, report["errors"].clone(), checked.status.code())
    };
    let one = report("1");
    assert!(one.0.len() > 100 && one.2 == Some(0));
    assert_eq!(one, report("2"));
    let lines = |threads: &str| output(&["check", "spoken.perm", "broken.perm", "--threads", threads], "").stdout;
    assert_eq!(lines("1"), lines("2"));
}

#[test]
fn time_runs_out() {
    let ran = output(&["run", "endless.perm", "--timeout", "0.2"], "");
    assert_eq!(ran.status.code(), Some(3));
    assert_eq!(text(&ran.stdout), "before\n");
    assert!(text(&ran.stderr).contains("the time ran out"));
    let checked = output(&["check", "endless_claim.perm", "--timeout", "0.5"], "");
    assert_eq!(checked.status.code(), Some(3));
    assert!(text(&checked.stdout).contains("(the time ran out)"));
}

#[test]
fn memory_runs_out() {
    let ran = output(&["run", "-", "--max-memory", "1M"], "print len((k for k in 1..1000000))");
    assert_eq!(ran.status.code(), Some(3), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("E0802"));
}

#[test]
fn the_end_of_the_reader_is_no_error() {
    // the reader goes away after the first line
    for arguments in [&["check"][..], &["explain"], &["run", "endless.perm", "--timeout", "1"], &["completions", "zsh"]]
    {
        let mut child = perm(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut errors).expect("it is text");
        child.wait().expect("it ends");
        assert!(!errors.contains("panicked") && !errors.contains("pipe"), "{errors}");
    }
}

#[test]
fn a_conversation_goes_on_after_anything() {
    let mut input = String::from("on NRP(4)\n");
    for line in ["1/0", "(", ")", "\"", "X^", "let", ":", ":help", "assert false", "\u{feff}", "Q'", "claim"] {
        // an unfinished line swallows the next one, and no more
        input.push_str(&format!("{line}\n)]}}\n"));
    }
    input.push_str("print \"here {order(X)}\"\n");
    let ran = output(&["repl"], &input);
    assert_eq!(ran.status.code(), Some(2));
    assert!(text(&ran.stdout).ends_with("here 4\n"), "{}\n{}", text(&ran.stdout), text(&ran.stderr));
}

/// Signals, where there are any.
#[cfg(unix)]
mod signals {
    use super::*;

    fn interrupt(child: &std::process::Child) {
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
        assert!(sent.success());
    }

    #[test]
    fn ctrl_c_stops_cleanly_with_what_was_found() {
        let mut child = perm(&["run", "endless.perm"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut out = child.stdout.take().expect("piped");
        let mut first = [0; 7];
        out.read_exact(&mut first).expect("it says something before the loop");
        assert_eq!(&first, b"before\n");
        interrupt(&child);
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(130));
        assert_eq!(text(&ended.stderr), "interrupted\n");
    }

    #[test]
    fn ctrl_c_keeps_the_verdicts_that_are_known() {
        // a busy machine needs longer to get to the claim that does not end
        for pause in [300, 2000, 10_000] {
            let child = perm(&["check", "endless_claim.perm", "--threads", "2"])
                .stdout(Stdio::piped())
                .spawn()
                .expect("the program starts");
            std::thread::sleep(Duration::from_millis(pause));
            interrupt(&child);
            let ended = child.wait_with_output().expect("it ends");
            assert_eq!(ended.status.code(), Some(130));
            let said = text(&ended.stdout);
            if said.contains("✓ checked      this ends\n") {
                assert!(said.contains("? undecided    this does not (interrupted)\n"), "{said}");
                return;
            }
        }
        panic!("nothing was found in ten seconds");
    }
}
