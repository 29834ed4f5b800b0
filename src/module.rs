//! Where files come from: the script's folder, library folders, and the standard library inside the program; and the
//! graph of who uses whom.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

include!(concat!(env!("OUT_DIR"), "/stdlib.rs"));

/// Where a file came from; the same origin is the same module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// a file on disk, with the path as people wrote it
    File(PathBuf),
    /// a file of the standard library, such as `papers/number_rotation.perm`
    Standard(String),
    /// text without a file: a command line, a test
    Text(String),
}

impl Origin {
    /// The name to show.
    pub fn name(&self) -> String {
        match self {
            Origin::File(path) => path.display().to_string(),
            Origin::Standard(path) => format!("stdlib/{path}"),
            Origin::Text(name) => name.clone(),
        }
    }
}

/// Why a file could not be had, and one thing to do.
#[derive(Debug)]
pub struct Missing {
    pub what: String,
    pub help: String,
}

/// Finds the files that scripts use. Everything that reads files is behind this.
pub trait Importer: Sync {
    /// `use papers.number_rotation`
    fn module(&self, path: &[&str], from: Option<&Origin>) -> Result<(Origin, String), Missing>;
    /// `use "file.perm"`
    fn file(&self, path: &str, from: Option<&Origin>) -> Result<(Origin, String), Missing>;
    /// The standard file that declares a puzzle.
    fn standard_puzzle(&self, name: &str) -> Option<(Origin, String)>;
    /// The names of all standard puzzles.
    fn standard_puzzles(&self) -> Vec<String>;
}

/// The standard library that is part of the program: path and text of each file, in order of the paths.
pub fn standard_files() -> &'static [(&'static str, &'static str)] {
    STANDARD_FILES
}

/// The usual importer: the folder of the script, then the library folders, then the standard library.
#[derive(Debug, Default)]
pub struct Files {
    pub library_folders: Vec<PathBuf>,
    /// no file may be read (a script from elsewhere): only the standard library
    pub sealed: bool,
}

impl Files {
    fn read(path: &Path) -> Result<String, Missing> {
        let bytes = std::fs::read(path).map_err(|error| Missing {
            what: format!("{}: {}", path.display(), plain_reason(&error)),
            help: "check the path; it is taken from the folder of the script".to_string(),
        })?;
        decode(bytes).map_err(|at| Missing {
            what: format!("{}: byte {at} is not UTF-8 text", path.display()),
            help: "save the file as UTF-8".to_string(),
        })
    }
}

/// Text from bytes, or the position of the first byte that is not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| error.utf8_error().valid_up_to())
}

/// The reason of a failed read in plain words.
pub fn plain_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "not allowed to read it".to_string(),
        std::io::ErrorKind::IsADirectory => "this is a folder".to_string(),
        _ => error.to_string(),
    }
}

impl Importer for Files {
    fn module(&self, path: &[&str], from: Option<&Origin>) -> Result<(Origin, String), Missing> {
        let relative = path.join("/") + ".perm";
        if !self.sealed {
            let mut folders = Vec::new();
            if let Some(Origin::File(file)) = from {
                folders.push(file.parent().unwrap_or(Path::new("")).to_path_buf());
            }
            folders.extend(self.library_folders.iter().cloned());
            for folder in folders {
                let file = folder.join(&relative);
                if file.is_file() {
                    return Ok((Origin::File(file.clone()), Files::read(&file)?));
                }
            }
        }
        if let Some((path, text)) = STANDARD_FILES.iter().find(|(path, _)| *path == relative) {
            return Ok((Origin::Standard(path.to_string()), text.to_string()));
        }
        let known: Vec<String> = STANDARD_FILES
            .iter()
            .filter(|(path, _)| path.contains('/'))
            .map(|(path, _)| path.trim_end_matches(".perm").replace('/', "."))
            .collect();
        let near = crate::diagnostic::suggest::nearest(&path.join("."), known.iter().map(String::as_str));
        Err(Missing {
            what: format!("no `{relative}` in the script's folder, the library folders or the standard library"),
            help: if near.is_empty() {
                "a file of your own is used by its path: `use \"file.perm\"`".to_string()
            } else {
                format!("did you mean {}?", crate::diagnostic::suggest::one_of(&near))
            },
        })
    }

    fn file(&self, path: &str, from: Option<&Origin>) -> Result<(Origin, String), Missing> {
        if self.sealed {
            return Err(Missing {
                what: "this run may not read files".to_string(),
                help: "use only `papers.…` and the standard puzzles".to_string(),
            });
        }
        let folder = match from {
            Some(Origin::File(file)) => file.parent().unwrap_or(Path::new("")).to_path_buf(),
            _ => PathBuf::new(),
        };
        let file = tidy(&folder.join(path));
        let text = Files::read(&file)?;
        Ok((Origin::File(file), text))
    }

    fn standard_puzzle(&self, name: &str) -> Option<(Origin, String)> {
        let index = STANDARD_PUZZLES.iter().find(|(puzzle, _)| *puzzle == name)?.1;
        let (path, text) = STANDARD_FILES.get(index)?;
        Some((Origin::Standard(path.to_string()), text.to_string()))
    }

    fn standard_puzzles(&self) -> Vec<String> {
        STANDARD_PUZZLES.iter().map(|(name, _)| name.to_string()).collect()
    }
}

/// The path without `.` and `a/..`, so that one file has one name.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir
                if matches!(tidy.components().next_back(), Some(std::path::Component::Normal(_))) =>
            {
                tidy.pop();
            }
            part => tidy.push(part),
        }
    }
    tidy
}

/// Who uses whom.
#[derive(Clone, Debug)]
pub struct ImportGraph<N> {
    graph: DiGraph<N, ()>,
    nodes: FxHashMap<N, NodeIndex>,
}

impl<N> Default for ImportGraph<N> {
    fn default() -> Self {
        ImportGraph { graph: DiGraph::new(), nodes: FxHashMap::default() }
    }
}

impl<N: Copy + Eq + Hash + Ord> ImportGraph<N> {
    fn node(&mut self, name: N) -> NodeIndex {
        let graph = &mut self.graph;
        *self.nodes.entry(name).or_insert_with(|| graph.add_node(name))
    }

    pub fn add(&mut self, user: N, used: N) {
        let (user, used) = (self.node(user), self.node(used));
        self.graph.update_edge(user, used, ());
    }

    /// A shortest path along uses, both ends included; a node has a path of one to itself.
    pub fn path(&self, from: N, to: N) -> Option<Vec<N>> {
        if from == to {
            return Some(vec![from]);
        }
        let (start, goal) = (*self.nodes.get(&from)?, *self.nodes.get(&to)?);
        let (_, path) = petgraph::algo::astar(&self.graph, start, |node| node == goal, |_| 1, |_| 0)?;
        Some(path.into_iter().map(|node| self.graph[node]).collect())
    }

    /// All circles, each as the names on it in order.
    pub fn circles(&self) -> Vec<Vec<N>> {
        let mut circles: BTreeMap<N, Vec<N>> = BTreeMap::new();
        for component in petgraph::algo::tarjan_scc(&self.graph) {
            let first = component.iter().copied().min_by_key(|node| self.graph[*node]);
            let Some(first) = first else { continue };
            let looped = self.graph.contains_edge(first, first);
            if component.len() == 1 && !looped {
                continue;
            }
            // shortest way round through the first name
            let round = self
                .graph
                .neighbors(first)
                .filter_map(|next| self.path(self.graph[next], self.graph[first]))
                .min_by_key(Vec::len);
            if let Some(path) = round {
                let mut circle = vec![self.graph[first]];
                circle.extend(path);
                circle.pop();
                circles.insert(self.graph[first], circle);
            }
        }
        circles.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_with_their_path() {
        let mut graph = ImportGraph::default();
        graph.add(1, 2);
        graph.add(2, 3);
        assert!(graph.circles().is_empty());
        graph.add(3, 1);
        assert_eq!(graph.circles(), [vec![1, 2, 3]]);
        assert_eq!(graph.path(2, 1), Some(vec![2, 3, 1]));
    }

    #[test]
    fn one_file_has_one_name() {
        assert_eq!(tidy(Path::new("./a/../b/./c.perm")), Path::new("b/c.perm"));
        assert_eq!(tidy(Path::new("../x.perm")), Path::new("../x.perm"));
    }
}
