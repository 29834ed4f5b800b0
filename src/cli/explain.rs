//! `perm explain`: what an error code means.

use super::Terminal;
use crate::diagnostic::{Diagnostic, codes, render::render};
use crate::report::Outcome;
use crate::report::text::wrapped;
use crate::source::SourceMap;

/// Explains a code, or lists all of them.
pub fn explain(code: Option<&str>, terminal: &mut Terminal) -> u8 {
    let Some(wanted) = code else {
        let list: String = codes::ALL.iter().map(|(code, title)| format!("{code}  {title}\n")).collect();
        terminal.say(&list);
        return 0;
    };
    match codes::find(wanted) {
        Some((code, title)) => {
            let width = terminal.style().width;
            terminal.say(&format!("{code}: {title}\n\n{}", laid_out(codes::explain(code).unwrap_or(""), width)));
            0
        }
        None => {
            let error = Diagnostic::error(codes::UNKNOWN_NAME, format!("there is no code `{wanted}`"))
                .help("`perm explain` lists all codes");
            terminal.complain(&render(&error, &SourceMap::default(), terminal.error_style()));
            Outcome::ScriptIsWrong.exit_code()
        }
    }
}

/// Markdown as it reads well on a terminal: paragraphs in lines, blocks of code indented under what they show.
fn laid_out(markdown: &str, width: usize) -> String {
    let mut out = String::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else {
            for line in wrapped(line, width) {
                out.push_str(&line);
                out.push('\n');
            }
            continue;
        };
        out.push_str(match fence.split_whitespace().nth(1) {
            Some("wrong") => "Wrong:\n",
            Some("right") => "Right:\n",
            _ => "",
        });
        for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
            out.push_str(format!("    {line}").trim_end());
            out.push('\n');
        }
    }
    out
}
