//! The façade: everything a user meets (command line, REPL, tests) is a thin client of [`Session`]. It never prints,
//! reads no clock and no environment.

mod questions;

use std::sync::Arc;

use crate::claim;
use crate::diagnostic::{Diagnostic, codes};
use crate::module::{Files, Importer, Origin, standard_files};
use crate::report::export::Said;
use crate::report::{CheckReport, PuzzleReport};
use crate::resolve::program::{ModuleId, StKind};
use crate::resolve::{self, Library, Tools};
use crate::run::machine::{Globals, Pending, ProcedureNote};
use crate::run::{BoardValue, Fault, Instance, Limits, Machine, Output, Shared, Value, builtin};
use crate::source::SourceMap;
use crate::syntax;

pub use crate::run::builtin::Builtin;
pub use crate::syntax::is_reserved;
pub use questions::Search;

/// How a session works.
pub struct Options {
    pub limits: Limits,
    /// Is what scripts find out about groups noted in the reports, for other systems to check it again?
    pub note_facts: bool,
    /// Do procedures run as they are written, without being compiled? The results are the same.
    pub interpret: bool,
    /// Are the larger ranges taken, and the claims checked that are only for a thorough check?
    pub thorough: bool,
    /// Are the steps of proofs noted in the reports, to be shown?
    pub note_proofs: bool,
    pub importer: Box<dyn Importer + Send>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: Limits::default(),
            note_facts: false,
            interpret: false,
            thorough: false,
            note_proofs: false,
            importer: Box::new(Files::default()),
        }
    }
}

/// What a client watches while claims run.
pub struct Watch<'a> {
    /// seconds since some moment
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// instances done, and of all
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl Default for Watch<'_> {
    fn default() -> Self {
        Watch { clock: &|| 0.0, progress: &|_, _| () }
    }
}

/// A script to run.
#[derive(Clone, Debug)]
pub struct Script {
    pub origin: Origin,
    pub text: String,
}

impl Script {
    /// A script; of a Markdown file only the blocks marked `perm`, at their places.
    pub fn new(origin: Origin, text: String) -> Script {
        let text = if is_markdown(&origin) { perm_blocks(&text) } else { text };
        Script { origin, text }
    }

    /// The standard library, one script a file.
    pub fn standard() -> Vec<Script> {
        standard_files()
            .iter()
            .map(|(path, text)| Script { origin: Origin::Standard(path.to_string()), text: text.to_string() })
            .collect()
    }
}

fn is_markdown(origin: &Origin) -> bool {
    matches!(origin, Origin::File(path) if path.extension().is_some_and(|extension| extension == "md"))
}

/// The puzzles that a text declares.
fn summaries(file: &str, text: &str) -> Vec<PuzzleSummary> {
    let parsed = syntax::parse(crate::source::FileId(u32::MAX), text);
    let summary = |statement: syntax::ast::Stmt| {
        let syntax::ast::StmtKind::Puzzle(puzzle) = statement.kind else { return None };
        let params: Vec<&str> = puzzle.params.iter().map(|param| &*param.name).collect();
        let name = puzzle.name.name.to_string();
        Some(PuzzleSummary {
            signature: if params.is_empty() { name.clone() } else { format!("{name}({})", params.join(", ")) },
            name,
            doc: statement.doc.map_or(String::new(), String::from),
            file: file.to_string(),
        })
    };
    parsed.statements.into_iter().filter_map(summary).collect()
}

/// The text with everything outside its `perm` blocks blanked out, so that places stay.
fn perm_blocks(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut inside = false;
    for line in markdown.split_inclusive('\n') {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```");
        if inside && !fence {
            out.push_str(line);
        } else {
            // one blank a byte: spans are bytes
            out.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        }
        if fence {
            let mut marks = trimmed.trim_start_matches('`').split_whitespace();
            // a block with further marks is shown for another reason, unless the mark is the file it repeats
            inside = !inside && marks.next() == Some("perm") && marks.all(|mark| mark.ends_with(".perm"));
        }
    }
    out
}

/// A puzzle that may be named, before it has arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSummary {
    pub name: String,
    /// as it is called: `NRP(n)`
    pub signature: String,
    /// the text of its `///` lines
    pub doc: String,
    /// the file that declares it
    pub file: String,
}

/// Claims met on the way, and how much had been said before the end.
#[derive(Default)]
struct Gathered {
    claims: Vec<Pending>,
    said: usize,
    facts: Vec<Said>,
}

/// What a line of the REPL gave.
#[derive(Debug, Default)]
pub struct Entered {
    pub output: Vec<Output>,
    pub errors: Vec<Diagnostic>,
    pub claims: CheckReport,
}

/// A session: what has been loaded, and the values it has.
pub struct Session {
    pub library: Library,
    pub sources: SourceMap,
    shared: Shared,
    note_proofs: bool,
    globals: Arc<Globals>,
    importer: Box<dyn Importer + Send>,
    ran: Vec<bool>,
    /// the module of the REPL, and the puzzle in force there
    repl: Option<ModuleId>,
    repl_instance: Option<Arc<Instance>>,
    /// the board that its lines act on
    repl_board: Option<BoardValue>,
    /// the values of its `var`s
    repl_frame: Vec<Value>,
}

impl Session {
    pub fn new(options: Options) -> Session {
        let mut shared = Shared::new(options.limits, options.note_facts, options.thorough);
        shared.interpret = options.interpret;
        Session {
            library: Library::default(),
            sources: SourceMap::default(),
            shared,
            note_proofs: options.note_proofs,
            globals: Arc::default(),
            importer: options.importer,
            ran: Vec::new(),
            repl: None,
            repl_instance: None,
            repl_board: None,
            repl_frame: Vec::new(),
        }
    }

    /// Set to 1 to interrupt what runs, to 2 when its time is over.
    pub fn stop_flag(&self) -> Arc<std::sync::atomic::AtomicU8> {
        self.shared.stop.clone()
    }

    /// The procedures that have run, and whether they were compiled.
    pub fn procedures(&self) -> Vec<ProcedureNote> {
        self.shared.procedures.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// The built-in functions.
    pub fn builtins() -> &'static [&'static Builtin] {
        &builtin::ALL
    }

    /// Runs a script: what it says goes to `emit` as it comes, its claims are checked at the end.
    pub fn run(&mut self, script: &Script, watch: &Watch<'_>, emit: &mut dyn FnMut(&Library, Output)) -> CheckReport {
        let mut report = CheckReport { files: 1, ..CheckReport::default() };
        let Some(module) = self.load(script, &mut report.errors) else { return report };
        let mut gathered = Gathered::default();
        if let Err(fault) = self.execute(module, &mut gathered, emit) {
            add_fault(&mut report, fault);
        }
        self.claims(gathered, watch, &mut report);
        report
    }

    /// The claims of a script, without checking them, and the values of globals.
    #[cfg(test)]
    pub(crate) fn unchecked(&mut self, text: &str) -> Result<(Vec<Pending>, Arc<Globals>), Vec<Diagnostic>> {
        let script = Script::new(Origin::Text("test".to_string()), text.to_string());
        let (mut errors, mut gathered) = (Vec::new(), Gathered::default());
        if let Some(module) = self.load(&script, &mut errors)
            && let Err(fault) = self.execute(module, &mut gathered, &mut |_, _| ())
        {
            errors.extend(fault.diagnostic().cloned());
        }
        match errors.is_empty() {
            true => Ok((gathered.claims, self.globals.clone())),
            false => Err(errors),
        }
    }

    /// Checks all claims of some scripts. What they print is in `emit`, in the order of the scripts.
    pub fn check(
        &mut self,
        scripts: &[Script],
        watch: &Watch<'_>,
        emit: &mut dyn FnMut(&Library, Output),
    ) -> CheckReport {
        let mut report = CheckReport { files: scripts.len(), ..CheckReport::default() };
        let mut gathered = Gathered::default();
        for script in scripts {
            let mut errors = Vec::new();
            let module = self.load(script, &mut errors);
            // a file used by two scripts reports its errors once
            errors.retain(|error| !report.errors.contains(error));
            report.errors.extend(errors);
            if let Some(module) = module
                && let Err(fault) = self.execute(module, &mut gathered, emit)
            {
                add_fault(&mut report, fault);
            }
        }
        self.claims(gathered, watch, &mut report);
        report
    }

    /// Is a text of the REPL unfinished, so that another line has to follow?
    pub fn is_unfinished(text: &str) -> bool {
        let parsed = syntax::parse(crate::source::FileId(u32::MAX), text);
        // where a bracket closes nothing, no other line can mend it
        parsed.unfinished && parsed.errors.iter().all(|error| error.code != codes::UNOPENED_BRACKET)
    }

    /// Enters lines of a REPL: statements see everything entered before, names may be declared again.
    pub fn enter(&mut self, text: &str) -> Entered {
        let script = Script { origin: Origin::Text("input".to_string()), text: text.to_string() };
        self.enter_script(&script, &Watch::default())
    }

    /// Enters a whole text as if it had been typed; files that it uses are looked for beside it.
    pub fn enter_script(&mut self, script: &Script, watch: &Watch<'_>) -> Entered {
        let mut entered = Entered::default();
        let text = script.text.strip_prefix('\u{feff}').unwrap_or(&script.text);
        let file = self.sources.add(script.origin.name(), text);
        let module = match self.repl {
            Some(module) => module,
            None => {
                let module = self.library.new_module(file, None);
                self.repl = Some(module);
                module
            }
        };
        let entry = &mut self.library.modules[module.0 as usize];
        entry.files.push(file);
        entry.statements.clear();
        entry.origin = matches!(script.origin, Origin::File(_)).then(|| script.origin.clone());
        let parsed = syntax::parse(file, &script.text);
        entered.errors = parsed.errors;
        if !entered.errors.is_empty() {
            return entered;
        }
        let tools = Tools { importer: &*self.importer, sources: &self.sources, builtins: &builtin::NAMES };
        resolve::extend_module(&mut self.library, &tools, module, &parsed.statements, true, &mut entered.errors);
        self.library.modules[module.0 as usize].broken = false;
        if !entered.errors.is_empty() {
            return entered;
        }
        let mut gathered = Gathered::default();
        let mut output = Vec::new();
        let result = self.execute(module, &mut gathered, &mut |_, said| output.push(said));
        entered.output = output;
        if let Err(fault) = result {
            add_fault(&mut entered.claims, fault);
            let values = self.globals.get(module.0 as usize);
            let has_value = |index| {
                let value = values.and_then(|values| values.get(index as usize));
                value.is_some_and(|value| !matches!(value, Value::Nothing))
            };
            self.library.take_back(module, has_value);
        }
        self.claims(gathered, watch, &mut entered.claims);
        entered
    }

    /// What the puzzle in force is: its cells and moves.
    pub fn puzzle_report(&self) -> Option<PuzzleReport> {
        self.repl_instance.as_ref().map(|instance| PuzzleReport::new(instance))
    }

    /// The names of moves and families of the puzzle in force.
    pub fn move_names(&self) -> Vec<String> {
        self.repl_instance
            .iter()
            .flat_map(|instance| &instance.puzzle.moves)
            .map(|declaration| declaration.name.to_string())
            .collect()
    }

    /// The puzzles that may be named: those of the standard library, then those entered here.
    pub fn puzzles(&self) -> Vec<PuzzleSummary> {
        let mut puzzles: Vec<PuzzleSummary> =
            Script::standard().iter().flat_map(|script| summaries(&script.origin.name(), &script.text)).collect();
        // papers and lessons declare puzzles of their own, which only a `use` brings into scope
        let in_scope = self.importer.standard_puzzles();
        puzzles.retain(|puzzle| in_scope.contains(&puzzle.name));
        if let Some(module) = self.repl {
            for file in &self.library.module(module).files {
                let source = self.sources.get(*file);
                puzzles.extend(summaries(&source.name, &source.text));
            }
        }
        // a puzzle that is declared again hides the earlier one
        puzzles.reverse();
        let mut seen = rustc_hash::FxHashSet::default();
        puzzles.retain(|puzzle| seen.insert(puzzle.name.clone()));
        puzzles.reverse();
        puzzles
    }

    /// The puzzle in force in the REPL, as people write it.
    pub fn puzzle_in_force(&self) -> Option<&str> {
        self.repl_instance.as_ref().map(|instance| instance.name.as_str())
    }

    /// Names that may be completed in the REPL: moves and members of the puzzle in force, names of the file, built-ins,
    /// puzzles, reserved words; sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = syntax::RESERVED.iter().map(|word| word.to_string()).collect();
        names.extend(builtin::ALL.iter().map(|builtin| builtin.name.to_string()));
        names.extend(self.importer.standard_puzzles());
        if let Some(module) = self.repl {
            let module = self.library.module(module);
            names.extend(module.names.keys().map(|name| name.to_string()));
            for used in &module.uses {
                names.extend(self.library.module(*used).names.keys().map(|name| name.to_string()));
            }
            if let (Some(instance), Some(id)) = (&self.repl_instance, self.repl) {
                names.extend(instance.puzzle.move_names.keys().map(|name| name.to_string()));
                names.extend(instance.puzzle.params.iter().map(|name| name.to_string()));
                names.extend(self.library.member_names(instance.puzzle.id, id).map(|(name, _)| name.to_string()));
            }
        }
        names.sort();
        names.dedup();
        names
    }

    fn load(&mut self, script: &Script, errors: &mut Vec<Diagnostic>) -> Option<ModuleId> {
        if is_markdown(&script.origin) && script.text.trim().is_empty() {
            errors.push(
                Diagnostic::error(
                    codes::NO_SCRIPT_IN_MARKDOWN,
                    format!("{} has no block marked `perm`", script.origin.name()),
                )
                .help("begin a block with ```perm: all such blocks together are the script"),
            );
            return None;
        }
        let tools = Tools { importer: &*self.importer, sources: &self.sources, builtins: &builtin::NAMES };
        let before = errors.len();
        let module = resolve::load(&mut self.library, &tools, script.origin.clone(), &script.text, errors);
        sort_by_lines(&mut errors[before..]);
        if module.is_none() && errors.len() == before {
            errors.push(
                Diagnostic::error(
                    codes::CANNOT_READ,
                    format!("{} has errors of its own, shown above", script.origin.name()),
                )
                .help("mend them first"),
            );
        }
        module
    }

    /// Runs the statements of a module; first those of every file it needs.
    fn execute(
        &mut self,
        module: ModuleId,
        gathered: &mut Gathered,
        emit: &mut dyn FnMut(&Library, Output),
    ) -> Result<(), Fault> {
        for needed in self.library.order_of_loading() {
            if needed != module && !self.has_run(needed) {
                self.mark_run(needed);
                // what a used file prints or claims is its own affair
                self.statements(needed, &mut Gathered::default(), &mut |_, _| ())?;
            }
        }
        self.mark_run(module);
        self.statements(module, gathered, emit)
    }

    fn has_run(&self, module: ModuleId) -> bool {
        self.ran.get(module.0 as usize).copied().unwrap_or(false)
    }

    fn mark_run(&mut self, module: ModuleId) {
        let at = module.0 as usize;
        if self.ran.len() <= at {
            self.ran.resize(at + 1, false);
        }
        self.ran[at] = true;
    }

    fn statements(
        &mut self,
        module: ModuleId,
        gathered: &mut Gathered,
        emit: &mut dyn FnMut(&Library, Output),
    ) -> Result<(), Fault> {
        let statements = self.library.module(module).statements.clone();
        let frame = self.library.module(module).frame;
        let repl = self.repl == Some(module);
        let mut machine = Machine::new(&self.library, &self.sources, &self.shared, std::mem::take(&mut self.globals));
        if repl {
            machine.instance = self.repl_instance.take();
            machine.frame = std::mem::take(&mut self.repl_frame);
            machine.interactive = true;
        }
        let mut board = self.repl_board.take();
        let mut result = Ok(());
        // functions are known in the whole file; those that see a `var` or a puzzle in force wait for their place
        if !repl {
            let before_on = statements.iter().take_while(|statement| !matches!(statement.kind, StKind::On(_, None)));
            for statement in before_on {
                if matches!(&statement.kind, StKind::FnGlobal(_, function) if function.captures.is_empty()) {
                    result = result.and(machine.run_statement(statement, frame));
                }
            }
        }
        for statement in &statements {
            if repl {
                machine.act_on(board.clone());
            }
            if let StKind::Expr(ex) = &statement.kind
                && repl
            {
                result = machine.run_shown(ex, frame);
            } else {
                result = machine.run_statement(statement, frame);
            }
            if repl
                && result.is_ok()
                && let Some((now, moves)) = machine.acting_board()
            {
                // a line that moves something shows what has come of it
                if moves > 0 {
                    let value = Value::Board(Arc::new(now.clone()));
                    machine.output.push(Output::Value { value, written: String::new(), span: statement.span });
                }
                board = Some(now);
            }
            for mut claim in machine.claims.drain(..) {
                claim.said_before += gathered.said;
                gathered.claims.push(claim);
            }
            let line = self.sources.place(statement.span).1;
            gathered.facts.extend(machine.facts.drain(..).map(|fact| Said { place: format!("line {line}"), fact }));
            for output in machine.output.drain(..) {
                gathered.said += 1;
                emit(&self.library, output);
            }
            if let Err(fault) = &mut result {
                if let Fault::Failed(failure) = fault {
                    claim::add_sides(&mut machine, failure);
                }
                break;
            }
        }
        let instance = machine.instance.take();
        let frame = std::mem::take(&mut machine.frame);
        self.globals = std::mem::take(&mut machine.globals);
        if repl {
            self.repl_frame = frame;
            self.repl_instance = instance;
            self.repl_board = board;
        }
        result
    }

    fn claims(&mut self, gathered: Gathered, watch: &Watch<'_>, report: &mut CheckReport) {
        report.facts.extend(gathered.facts);
        if gathered.claims.is_empty() {
            return;
        }
        let context = claim::Context {
            library: &self.library,
            sources: &self.sources,
            shared: &self.shared,
            globals: self.globals.clone(),
            note_proofs: self.note_proofs,
            clock: watch.clock,
            progress: watch.progress,
        };
        let checked = claim::check(&context, gathered.claims);
        report.claims.extend(checked.claims);
        report.budget_ran_out |= checked.budget_ran_out;
        report.interrupted |= checked.interrupted;
        report.contradicted |= checked.contradicted;
        report.skipped += checked.skipped;
    }
}

/// Puts the errors of each file into the order of its lines, whatever found them; the files stay in their order.
fn sort_by_lines(errors: &mut [Diagnostic]) {
    let mut files = Vec::new();
    for error in errors.iter() {
        let file = error.span().map(|span| span.file);
        if !files.contains(&file) {
            files.push(file);
        }
    }
    errors.sort_by_key(|error| {
        let span = error.span();
        (files.iter().position(|file| *file == span.map(|span| span.file)), span.map(|span| span.start))
    });
}

fn add_fault(report: &mut CheckReport, fault: Fault) {
    match fault {
        Fault::Interrupted => report.interrupted = true,
        Fault::Budget(diagnostic) => {
            report.budget_ran_out = true;
            report.errors.push(*diagnostic);
        }
        Fault::Error(diagnostic) => report.errors.push(*diagnostic),
        Fault::Failed(failure) => {
            report.failed_assertion = true;
            report.errors.push(failure.diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_blocks_stay_at_their_places() {
        let text = "# φ\n```perm\nlet a = 1\n```\ntext\n```\nno\n```\n";
        let script = perm_blocks(text);
        assert_eq!(script.len(), text.len());
        assert_eq!(script.find("let a"), text.find("let a"));
        assert_eq!(script.trim(), "let a = 1");
    }

    #[test]
    fn a_session_remembers_what_was_entered() {
        let mut session = Session::new(Options::default());
        session.enter("let a = 6");
        session.enter("on NRP(a)");
        let entered = session.enter("order(X Y)");
        assert!(entered.errors.is_empty(), "{:?}", entered.errors);
        assert!(matches!(entered.output.as_slice(), [Output::Value { .. }]), "{entered:?}");
        assert_eq!(session.puzzle_in_force(), Some("NRP(6)"));
        assert_eq!(session.enter("let = 3").errors.len(), 1);
        assert!(session.enter("print a").errors.is_empty());
    }

    #[test]
    fn a_measure_ends_with_its_loop_however_that_ends() {
        let mut session = Session::new(Options::default());
        session.enter("on NRP(3)");
        session.enter("algorithm inner { loop decreases row(at(9)) { do X; return } }");
        session.enter("algorithm outer { do inner; do Y }");
        let (traces, report) = session.trace("NRP(3)", &[], "outer");
        assert!(report.errors.is_empty(), "{:?}", report.errors);
        let measures: Vec<Option<&str>> = traces[0].steps.iter().map(|step| step.measure.as_deref()).collect();
        assert_eq!(measures, [Some("3"), None]);
    }
}
