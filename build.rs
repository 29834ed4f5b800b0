//! Lists `stdlib/` into a table of texts, and the puzzles that its files declare.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=stdlib");
    println!("cargo::rerun-if-changed=grammar");
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    collect(&root.join("stdlib"), &mut files);
    files.sort();
    let mut table = String::from("static STANDARD_FILES: &[(&str, &str)] = &[\n");
    let mut puzzles = String::from("static STANDARD_PUZZLES: &[(&str, usize)] = &[\n");
    for (index, file) in files.iter().enumerate() {
        let path = file.strip_prefix(root.join("stdlib")).expect("collected there");
        let path = path.to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({path:?}, include_str!({:?})),", file.display().to_string()).expect("strings grow");
        if path.starts_with("puzzles/") {
            let text = std::fs::read_to_string(file).expect("standard files are text");
            for line in text.lines() {
                if let Some(rest) = line.strip_prefix("puzzle ") {
                    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    writeln!(puzzles, "    ({name:?}, {index}),").expect("strings grow");
                }
            }
        }
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("stdlib.rs"), format!("{table}];\n{puzzles}];\n")).expect("the build folder is writable");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "perm") {
            files.push(path);
        }
    }
}
