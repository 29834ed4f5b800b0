//! `perm explain`: what an error code means.

use super::Terminal;
use crate::diagnostic::{Diagnostic, codes, render::render};
use crate::report::Outcome;
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
            let text = codes::explanation(code).unwrap_or("");
            terminal.say(&format!("{code}: {title}\n\n{text}\n"));
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
