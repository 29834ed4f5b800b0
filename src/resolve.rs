//! From syntax tree to program: names become slots, run-together words are split, and whatever can be known to be wrong
//! before anything runs is reported. [`Library`] holds everything that has been resolved.

mod bracket;
mod claim;
mod definitions;
mod expression;
mod find;
mod names;
pub mod program;
mod puzzle;
mod scope;
mod statement;

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, codes, suggest};
use crate::module::{ImportGraph, Importer, Origin};
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::ast;
pub(crate) use puzzle::how_many;

use program::*;
use scope::Frame;

/// What the resolver knows of a built-in function.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinName {
    pub name: &'static str,
    /// its `p -> e` arguments are functions (`permutation`), not pairs of values (`map`)
    pub lambda: bool,
    /// without parentheses it is the value of a call without arguments
    pub bare: bool,
}

/// A name of a file.
#[derive(Clone, Debug)]
pub enum GlobalName {
    Value { index: u32, wordish: bool, span: Span },
    Puzzle(PuzzleId),
}

/// A puzzle as far as names go; known before its body is resolved.
#[derive(Debug)]
pub struct PuzzleHead {
    pub name: Box<str>,
    pub params: Vec<Box<str>>,
    pub module: ModuleId,
    /// name of each move or family, its number of indices, and whether a default member is declared
    pub moves: Vec<(Box<str>, usize, bool)>,
    pub span: Span,
}

impl PuzzleHead {
    pub fn find_move(&self, name: &str) -> Option<MoveId> {
        self.moves.iter().position(|(known, ..)| &**known == name).map(|at| at as MoveId)
    }
}

/// A puzzle in force, with the names that its parameters have here.
#[derive(Clone, Debug)]
pub struct InForce {
    pub id: PuzzleId,
    pub params: Vec<Box<str>>,
}

/// A resolved file.
#[derive(Debug, Default)]
pub struct Module {
    pub origin: Option<Origin>,
    pub file: FileId,
    /// further texts of the same module: the lines of a REPL
    pub files: Vec<FileId>,
    pub names: FxHashMap<Box<str>, GlobalName>,
    pub globals: u32,
    pub frame: u32,
    pub uses: Vec<ModuleId>,
    pub statements: Vec<Arc<St>>,
    /// the puzzle of a bare `on P(…)`
    pub on: Option<Arc<InForce>>,
    /// the `var`s of a REPL, which later lines see
    variables: FxHashMap<Box<str>, scope::Local>,
    /// what the names of a REPL meant before its last line
    earlier: FxHashMap<Box<str>, GlobalName>,
    /// errors were reported: it must not run
    pub broken: bool,
    pub doc: String,
    /// names of declarations that could not be read: that they are not known is no mistake of its own
    pub lost: Vec<Box<str>>,
}

/// Everything that has been resolved in a session. Only grows.
#[derive(Default)]
pub struct Library {
    pub modules: Vec<Module>,
    pub heads: Vec<PuzzleHead>,
    pub puzzles: Vec<Option<Arc<Puzzle>>>,
    pub members: Vec<Member>,
    member_names: FxHashMap<PuzzleId, FxHashMap<Box<str>, Vec<MemberId>>>,
    by_origin: FxHashMap<Origin, ModuleId>,
    imports: ImportGraph<ModuleId>,
    definitions: definitions::Graph,
    /// files being loaded, outermost first
    loading: Vec<ModuleId>,
    /// files that were loaded, each after all that it needs
    loaded: Vec<ModuleId>,
}

impl Library {
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0 as usize]
    }

    pub fn member(&self, id: MemberId) -> &Member {
        &self.members[id.0 as usize]
    }

    pub fn head(&self, id: PuzzleId) -> &PuzzleHead {
        &self.heads[id.0 as usize]
    }

    pub fn puzzle(&self, id: PuzzleId) -> Option<&Arc<Puzzle>> {
        self.puzzles[id.0 as usize].as_ref()
    }

    /// The loaded files, each after all that it needs.
    pub fn order_of_loading(&self) -> Vec<ModuleId> {
        self.loaded.clone()
    }

    /// After a line of a REPL that failed: names that it has given no value mean again what they meant before.
    pub fn take_back(&mut self, module: ModuleId, has_value: impl Fn(u32) -> bool) {
        let module = &mut self.modules[module.0 as usize];
        for (name, before) in std::mem::take(&mut module.earlier) {
            if !matches!(module.names.get(&name), Some(GlobalName::Value { index, .. }) if has_value(*index)) {
                module.names.insert(name, before);
            }
        }
    }

    /// An empty module, to be filled statement by statement.
    pub fn new_module(&mut self, file: FileId, origin: Option<Origin>) -> ModuleId {
        let id = ModuleId(self.modules.len() as u32);
        if let Some(origin) = &origin {
            self.by_origin.insert(origin.clone(), id);
        }
        self.modules.push(Module { origin, file, ..Module::default() });
        id
    }

    /// The members called `name` that `module` sees on a puzzle.
    pub(crate) fn members_called(&self, puzzle: PuzzleId, name: &str, module: ModuleId) -> Vec<MemberId> {
        let Some(all) = self.member_names.get(&puzzle).and_then(|names| names.get(name)) else { return Vec::new() };
        all.iter().copied().filter(|id| self.sees(module, self.member(*id))).collect()
    }

    fn sees(&self, module: ModuleId, member: &Member) -> bool {
        member.module == module
            || member.module == self.head(member.puzzle).module
            || self.module(module).uses.contains(&member.module)
    }

    /// Names of the members that `module` sees on a puzzle.
    pub(crate) fn member_names(&self, puzzle: PuzzleId, module: ModuleId) -> impl Iterator<Item = (&str, MemberId)> {
        self.members
            .iter()
            .enumerate()
            .filter(move |(_, member)| member.puzzle == puzzle && self.sees(module, member))
            .map(|(at, member)| (&*member.name, MemberId(at as u32)))
    }
}

/// What resolving needs from outside.
pub struct Tools<'a> {
    pub importer: &'a dyn Importer,
    pub sources: &'a SourceMap,
    pub builtins: &'static [BuiltinName],
}

/// Resolves statements into a module, after those that are there. Wrong statements are left out and reported; the
/// module is then marked broken. `repl` lets a name be declared again.
pub fn extend_module(
    library: &mut Library,
    tools: &Tools<'_>,
    module: ModuleId,
    statements: &[ast::Stmt],
    repl: bool,
    errors: &mut Vec<Diagnostic>,
) {
    let before = errors.len();
    let on = library.module(module).on.clone();
    let mut file = Frame::file(library.module(module).frame);
    if repl {
        let module = &mut library.modules[module.0 as usize];
        file.scopes = vec![module.variables.clone()];
        module.earlier = module.names.clone();
    }
    let mut resolver = Resolver {
        most_errors: before + crate::syntax::MAX_ERRORS,
        library,
        tools,
        module,
        errors,
        frames: vec![file],
        puzzle: on,
        repl,
        in_puzzle: None,
        turns: FxHashMap::default(),
        renewed: Vec::new(),
        defining: None,
        missing_names: false,
        told: FxHashSet::default(),
        trying: false,
    };
    resolver.file(statements);
    let on = resolver.puzzle.clone();
    let file = resolver.frames.swap_remove(0);
    library.modules[module.0 as usize].frame = file.size;
    if errors.len() > before {
        library.modules[module.0 as usize].broken = true;
        if repl {
            library.take_back(module, |_| false);
        }
    } else {
        if repl {
            library.modules[module.0 as usize].variables = file.scopes.into_iter().next().unwrap_or_default();
        }
        library.modules[module.0 as usize].on = on;
    }
}

/// Loads a file with all that it uses; a file loaded before is the same module. `None` where errors were reported.
pub fn load(
    library: &mut Library,
    tools: &Tools<'_>,
    origin: Origin,
    text: &str,
    errors: &mut Vec<Diagnostic>,
) -> Option<ModuleId> {
    if let Some(id) = library.by_origin.get(&origin) {
        let id = *id;
        return (!library.module(id).broken).then_some(id);
    }
    // an editor's byte order mark is no part of the text: columns count from what people see
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = tools.sources.add(origin.name(), text);
    let id = library.new_module(file, Some(origin));
    let parsed = crate::syntax::parse(file, text);
    let before = errors.len();
    errors.extend(parsed.errors);
    library.loading.push(id);
    library.modules[id.0 as usize].doc = parsed.doc;
    library.modules[id.0 as usize].lost = parsed.lost;
    extend_module(library, tools, id, &parsed.statements, false, errors);
    library.loading.pop();
    // in the order of the text; those of used files stay before
    errors[before..].sort_by_key(|error| {
        let span = error.span().unwrap_or_default();
        if span.file == file { (1, span.start) } else { (0, 0) }
    });
    if errors.len() > before {
        library.modules[id.0 as usize].broken = true;
        return None;
    }
    library.loaded.push(id);
    Some(id)
}

pub(crate) struct Resolver<'a> {
    library: &'a mut Library,
    tools: &'a Tools<'a>,
    module: ModuleId,
    errors: &'a mut Vec<Diagnostic>,
    /// so many may there be when this file is done
    most_errors: usize,
    /// frames of the functions around this place, outermost (the file) first
    frames: Vec<Frame>,
    puzzle: Option<Arc<InForce>>,
    repl: bool,
    /// names of the REPL that this line has declared again so far
    renewed: Vec<Box<str>>,
    /// inside a puzzle's declaration: its span
    in_puzzle: Option<Span>,
    /// names known to be plain moves of a puzzle, as turns; forgotten when a name is declared that could hide one
    turns: FxHashMap<PuzzleId, FxHashMap<Box<str>, Vec<Turn>>>,
    /// the member whose right side is being resolved, for the graph of definitions
    defining: Option<MemberId>,
    /// a used file could not be loaded: unknown names may be its names
    missing_names: bool,
    /// names that were not known, each with the puzzle in force
    told: FxHashSet<(Option<PuzzleId>, Box<str>)>,
    /// only trying: nothing is reported
    trying: bool,
}

impl Resolver<'_> {
    fn error(&mut self, diagnostic: Diagnostic) {
        // a text that is wrong everywhere is told so often enough
        if self.errors.len() < self.most_errors && !self.trying {
            self.errors.push(diagnostic);
        }
    }

    fn head(&self, id: PuzzleId) -> &PuzzleHead {
        self.library.head(id)
    }

    /// Finds a puzzle by name: of this file, of used files, then the standard ones.
    fn find_puzzle(&mut self, name: &str) -> Option<PuzzleId> {
        let mut modules = vec![self.module];
        modules.extend(&self.library.module(self.module).uses);
        for module in modules {
            if let Some(GlobalName::Puzzle(id)) = self.library.module(module).names.get(name) {
                return Some(*id);
            }
        }
        let (origin, text) = self.tools.importer.standard_puzzle(name)?;
        // a standard file that is being loaded sees its own names above; here it would be a cycle
        if let Some(id) = self.library.by_origin.get(&origin)
            && self.library.loading.contains(id)
        {
            return match self.library.module(*id).names.get(name) {
                Some(GlobalName::Puzzle(puzzle)) => Some(*puzzle),
                _ => None,
            };
        }
        let module = load(self.library, self.tools, origin, &text, self.errors)?;
        match self.library.module(module).names.get(name) {
            Some(GlobalName::Puzzle(id)) => Some(*id),
            _ => None,
        }
    }

    fn unknown_puzzle(&mut self, name: &str, span: Span) {
        let mut known: Vec<String> = self.tools.importer.standard_puzzles();
        known.extend(self.library.heads.iter().map(|head| head.name.to_string()));
        let near = suggest::nearest(name, known.iter().map(String::as_str));
        let diagnostic =
            Diagnostic::at(codes::NOT_A_PUZZLE, span, format!("there is no puzzle called `{name}`"), "not a puzzle");
        self.error(if near.is_empty() {
            diagnostic.help("declare it with `puzzle`, or `use` the file that does")
        } else {
            diagnostic.help(format!("did you mean {}?", suggest::one_of(&near)))
        });
    }

    /// A file that should have been used is missing: names that it declares must not be reported too.
    fn use_failed(&mut self) {
        self.missing_names = true;
    }

    fn use_module(&mut self, target: &ast::UseTarget, span: Span) -> Option<ModuleId> {
        let from = self.library.module(self.module).origin.clone();
        let found = match target {
            ast::UseTarget::Module(path) => {
                let path: Vec<&str> = path.iter().map(|part| &*part.name).collect();
                self.tools.importer.module(&path, from.as_ref())
            }
            ast::UseTarget::File(path, _) => self.tools.importer.file(path, from.as_ref()),
        };
        let (origin, text) = match found {
            Ok(found) => found,
            Err(reason) => {
                let title = match target {
                    ast::UseTarget::Module(_) => "this module does not exist",
                    ast::UseTarget::File(..) => "this file cannot be read",
                };
                let code = if matches!(target, ast::UseTarget::Module(_)) {
                    codes::NO_SUCH_MODULE
                } else {
                    codes::CANNOT_READ
                };
                let mut diagnostic = Diagnostic::at(code, span, title, reason.what);
                diagnostic.help = Some(reason.help);
                self.error(diagnostic);
                self.use_failed();
                return None;
            }
        };
        if let Some(id) = self.library.by_origin.get(&origin).copied()
            && let Some(path) = self.cycle_to(id)
        {
            let names: Vec<String> = path
                .iter()
                .map(|id| self.library.module(*id).origin.as_ref().map_or("?".to_string(), Origin::name))
                .collect();
            self.error(
                Diagnostic::at(
                    codes::IMPORT_CYCLE,
                    span,
                    if names.len() == 2 { "this file uses itself" } else { "these files use each other in a circle" },
                    "the circle closes here",
                )
                .note(names.join("\n→ "))
                .help(if names.len() == 2 {
                    "remove this line: what a file declares is known in it already"
                } else {
                    "put what several of them need into a file of its own"
                }),
            );
            self.use_failed();
            return None;
        }
        let errors = self.errors.len();
        let loaded = load(self.library, self.tools, origin, &text, self.errors);
        if loaded.is_none() && self.errors.len() == errors {
            self.error(
                Diagnostic::at(codes::CANNOT_READ, span, "this file has errors of its own", "used here")
                    .help("mend them first"),
            );
        }
        if loaded.is_none() {
            self.use_failed();
        }
        let id = loaded?;
        self.library.imports.add(self.module, id);
        let uses = &mut self.library.modules[self.module.0 as usize].uses;
        if !uses.contains(&id) {
            uses.push(id);
        }
        self.turns.clear();
        Some(id)
    }

    /// The circle that using `target` would close: from it through the files being loaded, back to it.
    fn cycle_to(&self, target: ModuleId) -> Option<Vec<ModuleId>> {
        let mut imports = self.library.imports.clone();
        for pair in self.library.loading.windows(2) {
            imports.add(pair[0], pair[1]);
        }
        let mut path = imports.path(target, self.module)?;
        path.push(target);
        Some(path)
    }
}
