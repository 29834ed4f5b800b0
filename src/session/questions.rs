//! Single questions to a session: what a word does, the steps of a procedure, what is known of a group.

use std::sync::Arc;

use super::{Gathered, Script, Session, Watch, add_fault};
use crate::diagnostic::{Diagnostic, codes};
use crate::module::Origin;
use crate::report::{CheckReport, TraceReport, ValueReport};
use crate::run::Output;
use crate::word::Alphabet;

/// What [`Session::group_facts`] asks.
const QUESTIONS: &[&str] = &[
    "let exported_order = order(exported_group)",
    "let exported_orbits = orbits(exported_group)",
    "let exported_primitive = (is_primitive(exported_group, orbit) for orbit in exported_orbits where len(orbit) > 1)",
    "let exported_blocks = (blocks(exported_group, orbit) for orbit in exported_orbits where len(orbit) > 1)",
    "let exported_abelian = is_abelian(exported_group)",
];

/// What [`Session::search`] found.
#[derive(Debug)]
pub struct Search {
    pub value: ValueReport,
    /// what was searched and proved, a line each, as below a report
    pub found: Vec<String>,
}

impl Session {
    /// Evaluates a word (or any expression) on a puzzle, `NRP(6)`; without a puzzle if it is empty.
    pub fn evaluate(
        &mut self,
        puzzle: &str,
        uses: &[String],
        expression: &str,
    ) -> Result<ValueReport, Box<CheckReport>> {
        let mut report = CheckReport::default();
        self.prepare(puzzle, uses, &mut report);
        if !report.errors.is_empty() || report.interrupted {
            return Err(Box::new(report));
        }
        let value = self.enter_quietly("WORD", expression.to_string(), &mut report);
        match value {
            Some(Output::Value { value, .. }) if report.errors.is_empty() => {
                return Ok(ValueReport::new(&value, "", &self.library));
            }
            _ if report.errors.is_empty() && !report.interrupted => report.errors.push(
                Diagnostic::error(codes::TOO_SHORT, "there is no value to show")
                    .help("give a word: `perm eval -p 'NRP(6)' 'X Y X'`"),
            ),
            _ => {}
        }
        Err(Box::new(report))
    }

    /// Evaluates an expression that searches, on a puzzle, and keeps what the searches say about their proofs.
    pub fn search(&mut self, puzzle: &str, uses: &[String], question: &str) -> Result<Search, Box<CheckReport>> {
        let mut report = CheckReport::default();
        self.prepare(puzzle, uses, &mut report);
        if !report.errors.is_empty() || report.interrupted {
            return Err(Box::new(report));
        }
        let script = Script { origin: Origin::Text("SEARCH".to_string()), text: format!("show {question}") };
        let mut entered = self.enter_script(&script, &Watch::default());
        report.errors.append(&mut entered.errors);
        report.add(entered.claims);
        if !report.errors.is_empty() || report.interrupted {
            return Err(Box::new(report));
        }
        let mut value = None;
        let mut found = Vec::new();
        for said in entered.output {
            match said {
                Output::Report { value: shown, written, .. } => {
                    value = Some(ValueReport::new(&shown, &written, &self.library));
                }
                Output::Line(line) => found.push(line),
                Output::Value { .. } | Output::Trace(_) => {}
            }
        }
        match value {
            Some(value) => Ok(Search { value, found }),
            None => {
                report.errors.push(Diagnostic::error(codes::TOO_SHORT, "there is no value to show"));
                Err(Box::new(report))
            }
        }
    }

    /// Traces a run, `spiral(7)` or `spiral(7) from shuffled(1)`, on a puzzle. What went wrong is in the report; the trace
    /// goes as far as the run did.
    pub fn trace(&mut self, puzzle: &str, uses: &[String], run: &str) -> (Vec<TraceReport>, CheckReport) {
        let mut report = CheckReport::default();
        self.prepare(puzzle, uses, &mut report);
        let mut traces = Vec::new();
        if report.errors.is_empty() && !report.interrupted {
            let run = run.trim();
            let run = run.strip_prefix("run ").unwrap_or(run);
            let script = Script { origin: Origin::Text("RUN".to_string()), text: format!("trace run {run}") };
            let mut entered = self.enter_script(&script, &Watch::default());
            report.errors.append(&mut entered.errors);
            report.add(entered.claims);
            traces = traces_of(&entered.output);
        }
        (traces, report)
    }

    /// Traces all runs of a script outside its claims.
    pub fn trace_file(&mut self, script: &Script) -> (Vec<TraceReport>, CheckReport) {
        let mut report = CheckReport { files: 1, ..CheckReport::default() };
        let Some(module) = self.load(script, &mut report.errors) else { return (Vec::new(), report) };
        let mut output = Vec::new();
        self.shared.trace_runs = true;
        let result = self.execute(module, &mut Gathered::default(), &mut |_, said| output.push(said));
        self.shared.trace_runs = false;
        if let Err(fault) = result {
            add_fault(&mut report, fault);
        }
        let traces = traces_of(&output);
        if traces.is_empty() && report.errors.is_empty() {
            report.errors.push(
                Diagnostic::error(
                    codes::NOTHING_TO_TRACE,
                    format!("{} runs nothing outside its claims", script.origin.name()),
                )
                .help("add `print run name(…)`, or name a run: `perm trace -p 'NRP(6)' --use FILE 'spiral(7)'`"),
            );
        }
        (traces, report)
    }

    /// Enters what has to be known before an expression: used modules and the puzzle.
    fn prepare(&mut self, puzzle: &str, uses: &[String], report: &mut CheckReport) {
        // each part is a text of its own, so that an error shows what was typed and nothing else
        for name in uses {
            let quoted = name.contains(['/', '"']) || name.ends_with(".perm");
            let text = if quoted { format!("use \"{name}\"") } else { format!("use {name}") };
            self.enter_quietly("--use", text, report);
        }
        if !puzzle.trim().is_empty() {
            self.enter_quietly("--puzzle", format!("on {}", puzzle.trim()), report);
        }
    }

    /// Enters a text and adds what went wrong to a report; the last thing it said.
    fn enter_quietly(&mut self, name: &str, text: String, report: &mut CheckReport) -> Option<Output> {
        let mut entered =
            self.enter_script(&Script { origin: Origin::Text(name.to_string()), text }, &Watch::default());
        report.errors.append(&mut entered.errors);
        report.add(entered.claims);
        entered.output.pop()
    }

    /// The alphabet of a puzzle, written as after `on`, and the numbers of those of its letters that generate its group.
    pub fn alphabet(&mut self, puzzle: &str) -> Result<(Arc<Alphabet>, Vec<usize>), Box<CheckReport>> {
        let mut report = CheckReport::default();
        self.enter_quietly("--puzzle", format!("on {}", puzzle.trim()), &mut report);
        match &self.repl_instance {
            Some(instance) if instance.sliding().is_some() => {
                report.errors.push(
                    Diagnostic::error(codes::NOT_A_PUZZLE, "the moves of this puzzle depend on where its blank is")
                        .help("they are no permutations: ask about words in a session"),
                );
                Err(Box::new(report))
            }
            Some(instance) if report.errors.is_empty() && !report.interrupted => {
                Ok((instance.alphabet().clone(), instance.generating_letters()))
            }
            _ => Err(Box::new(report)),
        }
    }

    /// What can be said about a group of a puzzle, `group()` for example, for other systems to check it again: its order, its orbits, and the blocks of
    /// each. The session has to note facts.
    pub fn group_facts(&mut self, puzzle: &str, uses: &[String], group: &str) -> CheckReport {
        let mut report = CheckReport::default();
        for name in uses {
            self.enter_quietly("--use", format!("use {name}"), &mut report);
        }
        if !puzzle.trim().is_empty() {
            self.enter_quietly("--puzzle", format!("on {}", puzzle.trim()), &mut report);
        }
        if report.errors.is_empty() {
            self.enter_quietly("GROUP", format!("let exported_group = group({group})"), &mut report);
        }
        for question in QUESTIONS {
            if report.errors.is_empty() && !report.interrupted {
                self.enter_quietly(group, question.to_string(), &mut report);
            }
        }
        for said in &mut report.facts {
            said.place = match puzzle.trim() {
                "" => group.to_string(),
                puzzle => format!("{group} on {puzzle}"),
            };
        }
        report
    }
}

/// The traces among what was said.
fn traces_of(output: &[Output]) -> Vec<TraceReport> {
    let traces = output.iter().filter_map(|said| if let Output::Trace(trace) = said { Some(trace) } else { None });
    traces.map(|trace| TraceReport::new(trace)).collect()
}
