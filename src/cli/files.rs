//! Reads the scripts that the command line names.

use std::io::Read;
use std::path::Path;

use crate::diagnostic::{Diagnostic, codes, suggest};
use crate::module::{Origin, decode, plain_reason};
use crate::session::Script;

/// The script in a file; `-` is standard input.
pub fn read(path: &Path) -> Result<Script, Diagnostic> {
    let (bytes, origin) = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        (std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes), Origin::Text("stdin".to_string()))
    } else {
        (std::fs::read(path), Origin::File(path.to_path_buf()))
    };
    let name = origin.name();
    let bytes = bytes.map_err(|error| {
        let what = format!("{name} cannot be read: {}", plain_reason(&error));
        Diagnostic::error(codes::CANNOT_READ, what).help(what_to_do(path))
    })?;
    let text = decode(bytes).map_err(|at| {
        Diagnostic::error(codes::NOT_UTF8, format!("{name} is not text: its byte {} is not UTF-8", at + 1))
            .help("save the file as UTF-8; if it is not a script, name the script")
    })?;
    Ok(Script::new(origin, text))
}

fn what_to_do(path: &Path) -> String {
    if path.is_dir() {
        return format!("name the files in it, such as {}", path.join("*.perm").display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let near = suggest::nearest(wanted, names.iter().map(String::as_str));
    if near.is_empty() {
        "check the path".to_string()
    } else {
        let near: Vec<String> = near.iter().map(|name| path.with_file_name(name).display().to_string()).collect();
        format!("did you mean {}?", suggest::one_of(&near))
    }
}
