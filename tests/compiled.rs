//! Procedures do the same compiled and as they are written: words, values, what is printed, messages.

use perm::diagnostic::render::Style;
use perm::module::Origin;
use perm::report::text;
use perm::run::Limits;
use perm::run::machine::ProcedureNote;
use perm::session::{Options, Script, Session, Watch};

/// All that a script says: lines, messages, verdicts. And the procedures that were not compiled, with the reason.
fn said(script: &str, interpret: bool, limits: Limits) -> (String, Vec<ProcedureNote>) {
    let mut session = Session::new(Options { limits, interpret, ..Options::default() });
    let script = Script::new(Origin::Text("procedures".into()), script.to_string());
    let mut out = String::new();
    let report = session.run(&script, &Watch::default(), &mut |library, output| {
        out.push_str(&text::said(&output, library, Style::default()));
    });
    out.push_str(&text::errors(&report.errors, &session.sources, Style::default()));
    for claim in &report.claims {
        out.push_str(&format!("{}: {:?} {}\n", claim.title, claim.verdict, claim.without_assertion));
        out.push_str(&text::failure(claim, &session.sources, Style::default()));
    }
    (out, session.procedures())
}

/// Runs a script both ways. Gives what was said, how many procedures were compiled, and which were not.
fn both(script: &str, limits: Limits) -> (String, usize, Vec<String>) {
    let (compiled, procedures) = said(script, false, limits);
    let (interpreted, none) = said(script, true, limits);
    assert!(none.is_empty());
    if compiled != interpreted {
        let line = compiled.lines().zip(interpreted.lines()).find(|(a, b)| a != b);
        panic!("compiled and not, this differs: {line:#?}\n{script}");
    }
    let count = procedures.iter().filter(|procedure| procedure.refused.is_none()).count();
    let refused = procedures.into_iter().filter_map(|procedure| {
        procedure.refused.map(|why| format!("{} on {}: {why}", procedure.name, procedure.instance))
    });
    (compiled, count, refused.collect())
}

#[test]
fn every_construct_does_the_same() {
    let (out, _, refused) = both(include_str!("procedures/constructs.perm"), Limits::default());
    assert!(!out.contains('×'), "{out}");
    // these keep a board
    let others: Vec<&String> =
        refused.iter().filter(|why| !why.starts_with("kept") && !why.starts_with("later")).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn whatever_goes_wrong_is_said_by_the_generic_machine() {
    let failures = include_str!("procedures/failures.perm");
    let (procedures, calls) = failures.split_once("on NRP(3)\n").expect("the calls follow");
    for call in calls.lines() {
        let (out, _, refused) =
            both(&format!("{procedures}on NRP(3)\n{call}\n"), Limits { max_steps: 100_000, ..Limits::default() });
        assert!(out.contains('×') || out.contains("error"), "{call} says nothing: {out}");
        assert!(refused.is_empty() || call.contains("kinds"), "{refused:?}");
        // the same inside a claim, which counts its assertions
        let claim = format!("{procedures}claim \"it holds\" on NRP(3) {{ {call} }}\n");
        both(&claim, Limits { max_steps: 100_000, ..Limits::default() });
    }
}

/// Writes small random procedures. What they do makes no sense, but they end.
struct Author {
    seed: u64,
    out: String,
    /// how many names `v0`, `v1`, … there are, which of them are known, and which are variables
    names: usize,
    known: Vec<usize>,
    variables: Vec<usize>,
    loops: usize,
}

impl Author {
    fn pick(&mut self, count: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.seed >> 33) as usize % count
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        choices[self.pick(choices.len())].to_string()
    }

    fn name(&mut self) -> Option<String> {
        let at = self.pick(self.known.len().max(1));
        self.known.get(at).map(|name| format!("v{name}"))
    }

    /// A new name; it is known from the next statement on.
    fn declare(&mut self) -> usize {
        self.known.push(self.names);
        self.names += 1;
        self.names - 1
    }

    fn integer(&mut self, depth: usize) -> String {
        let leaf = depth == 0;
        match self.pick(if leaf { 5 } else { 16 }) {
            0 | 1 => self.name().unwrap_or("k".to_string()),
            2 => self.one_of(&["0", "1", "2", "3", "7", "k", "n"]),
            3 => format!("{}(at({}))", self.one_of(&["row", "col", "number"]), self.tile()),
            4 => self.one_of(&["tile(1, 1)", "tile(1, 2)", "tile(2, 2)", "xs[1]", "xs[3]"]),
            5 => format!("tile({}, {})", self.integer(0), self.integer(0)),
            6 => format!("xs[{}]", self.integer(depth - 1)),
            7 => format!("({} + {})", self.integer(depth - 1), self.integer(depth - 1)),
            8 => format!("({} - {})", self.integer(depth - 1), self.integer(depth - 1)),
            9 => format!("{} * {}", self.integer(0), self.integer(depth - 1)),
            10 => format!(
                "({}) {} {}",
                self.integer(depth - 1),
                self.one_of(&["div", "mod"]),
                self.one_of(&["2", "3", "k"])
            ),
            11 => format!("{}({}, {})", self.one_of(&["min", "max"]), self.integer(depth - 1), self.integer(depth - 1)),
            12 => format!("abs({})", self.integer(depth - 1)),
            13 => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.condition(depth - 1),
                self.integer(depth - 1),
                self.integer(0)
            ),
            14 => format!("helper({})", self.integer(depth - 1)),
            _ => format!("count({} for q in 1..3)", self.condition(depth - 1).replace("v0", "q")),
        }
    }

    fn tile(&mut self) -> String {
        self.one_of(&["1", "2", "4", "(1, 2)", "(2, 1)", "t", "k"])
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.pick(3) {
                0 => format!("at({}) == {}", self.tile(), self.one_of(&["(1, 1)", "(2, 2)", "at(t)", "(1, 3)"])),
                _ => format!(
                    "{} {} {}",
                    self.integer(0),
                    self.one_of(&["<", "<=", "==", "!=", ">", ">="]),
                    self.integer(0)
                ),
            };
        }
        match self.pick(8) {
            0 => format!("({} and {})", self.condition(depth - 1), self.condition(depth - 1)),
            1 => format!("({} or {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => format!("not {}", self.condition(depth - 1)),
            3 => format!(
                "at({}) in {}",
                self.tile(),
                self.one_of(&["(1..2, 1..2)", "{(1, 1), (2, 3)}", "((1, 2), (1, 3))"])
            ),
            4 => format!(
                "{} in {}",
                self.integer(depth - 1),
                self.one_of(&["1..3", "(1, 4, 6)", "{2, 3}", "xs", "1..k"])
            ),
            5 => format!("{}({} < q for q in 1..4)", self.one_of(&["all", "any"]), self.integer(0)),
            6 => format!(
                "{} {} {} < {}",
                self.integer(0),
                self.one_of(&["<", "<="]),
                self.integer(depth - 1),
                self.integer(0)
            ),
            _ => format!("settled({})", self.integer(0)),
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.out.push_str(&format!("{}{text}\n", "  ".repeat(indent)));
    }

    fn block(&mut self, indent: usize, depth: usize, moves: &[&str]) {
        let (known, variables) = (self.known.len(), self.variables.len());
        for _ in 0..1 + self.pick(3) {
            self.statement(indent, depth, moves);
        }
        self.known.truncate(known);
        self.variables.truncate(variables);
    }

    fn statement(&mut self, indent: usize, depth: usize, moves: &[&str]) {
        let choices = if depth == 0 { 6 } else { 12 };
        match self.pick(choices) {
            0 | 1 => {
                let word = self.one_of(moves);
                self.line(indent, &format!("do {word}"));
            }
            2 => {
                let value = self.integer(2);
                let name = self.declare();
                self.line(indent, &format!("let v{name} = {value}"));
            }
            3 => {
                let value = self.integer(2);
                let name = self.declare();
                self.line(indent, &format!("var v{name} = {value}"));
                self.variables.push(name);
            }
            4 if !self.variables.is_empty() => {
                let (at, value) = (self.pick(self.variables.len()), self.integer(2));
                self.line(indent, &format!("v{} = ({value}) mod 50", self.variables[at]));
            }
            4 | 5 => {
                let (index, value) = (self.pick(5), self.integer(1));
                self.line(indent, &format!("xs[{}] = {value}", index.max(1)));
            }
            6 | 7 => {
                let condition = self.condition(2);
                self.line(indent, &format!("if {condition} {{"));
                self.block(indent + 1, depth - 1, moves);
                if self.pick(2) == 0 {
                    self.line(indent, "} else {");
                    self.block(indent + 1, depth - 1, moves);
                }
                self.line(indent, "}");
            }
            8 => {
                let (from, to) = (self.pick(3), self.one_of(&["3", "k", "2", "4"]));
                let name = self.declare();
                self.line(indent, &format!("for v{name} in {from}..min({to}, 5) {{"));
                self.loops += 1;
                self.block(indent + 1, depth - 1, moves);
                self.loops -= 1;
                self.known.pop();
                self.line(indent, "}");
            }
            9 => {
                let condition = self.condition(1);
                self.loops += 1;
                let counter = format!("c{}{}", self.loops, indent);
                self.line(indent, &format!("var {counter} = 0"));
                self.line(indent, &format!("until {condition} or {counter} > 4 {{"));
                self.line(indent + 1, &format!("{counter} = {counter} + 1"));
                self.block(indent + 1, depth - 1, moves);
                self.line(indent, "}");
                self.loops -= 1;
            }
            10 if self.loops > 0 => {
                let (condition, how) = (self.condition(1), self.one_of(&["break", "continue"]));
                self.line(indent, &format!("if {condition} {{ {how} }}"));
            }
            10 => {
                let (one, other) = (self.condition(1), self.condition(1));
                self.line(indent, &format!("assert {one} or {other}"));
            }
            _ => {
                let argument = self.integer(1);
                let name = self.declare();
                self.line(indent, &format!("let v{name} = do part(min(3, {argument}))"));
            }
        }
    }

    /// A script with a procedure on a puzzle, run from several boards.
    fn script(seed: u64, puzzle: &str, moves: &[&str]) -> String {
        let (name, arguments) = puzzle.split_once('(').unwrap_or((puzzle, "3)"));
        let params = if arguments.contains(',') { "m, n" } else { "n" };
        let mut author =
            Author { seed, out: String::new(), names: 0, known: Vec::new(), variables: Vec::new(), loops: 0 };
        author.line(0, &format!("extend {name}({params}) {{"));
        author.line(1, "fn helper(j) = if j > 2 { tile(1, 2) + j } else { 2 * j - 1 }");
        author.line(1, "fn settled(j) = all(tile(1, i) >= i for i in 1..2) and at(1) != (1, 1) or j > 3");
        author.line(1, "algorithm part(k) {");
        author.line(2, &format!("repeat k {{ do {} }}", moves[0]));
        author.line(2, &format!("if k == 2 {{ return 7 }}; do {}; tile(2, 1)", moves[1]));
        author.line(1, "}");
        author.line(1, "algorithm random(t, k) {");
        author.line(2, "var xs = (3, 1, 4, 1, 5)");
        for _ in 0..3 + author.pick(4) {
            author.statement(2, 3, moves);
        }
        author.line(1, "}");
        author.line(0, "}");
        author.line(0, &format!("on {puzzle} {{"));
        let (seed, k) = (author.pick(9), author.pick(4));
        author.line(1, &format!("print run random((1, 2), {k}) from shuffled({seed})"));
        author.line(1, &format!("print run random(5, {}) from shuffled({seed})", k + 1));
        author.line(1, "print run random(2, 2)");
        author.line(0, "}");
        author.out
    }
}

#[test]
fn random_procedures_do_the_same() {
    let puzzles: [(&str, &[&str]); 3] = [
        ("NRP(3)", &["X", "Y", "X'", "Y X^2", "(X Y)^2", "X^k"]),
        ("Torus(3, 4)", &["R[1]", "C[2]", "R[k]", "C[k + 1]'", "R[2] C[1]", "C[k]^2"]),
        ("Sliding(3, 3)", &["()", "()", "L R", "U D", "U", "L"]),
    ];
    let limits = Limits { max_steps: 50_000, ..Limits::default() };
    let (mut compiled, mut ended) = (0, 0);
    for seed in 0..400 {
        let (puzzle, moves) = puzzles[seed as usize % puzzles.len()];
        let script = Author::script(seed, puzzle, moves);
        let (out, count, refused) = both(&script, limits);
        compiled += usize::from(refused.is_empty() && count > 0);
        ended += usize::from(out.lines().count() == 3);
    }
    assert!(compiled > 300, "only {compiled} of 400 were compiled");
    assert!(ended > 100, "only {ended} of 400 came to their end");
}

#[test]
fn the_procedures_of_the_papers_do_the_same() {
    let script = "use papers.number_rotation_procedures
use papers.torus
use papers.n_puzzle
for n in 2..7 { on NRP(n) {
  for c in cells where c in ours { print run spiral(c); print run spiral_star(c) }
  for seed in 1..3 { let (a, b, c) = sample(ours, 3, seed); print run spiral_cycle(a, b, c) }
} }
on NRP(4) { print length(run sort_by_three_cycles from shuffled(1)) }
for (m, n) in ((2, 2), (2, 3), (3, 3), (3, 5), (4, 4), (4, 7), (5, 3)) { on Torus(m, n) {
  for seed in 1..3 { print run sort from start(seed); print run watched_fill(seed == 1) from start(seed) }
} }
for (m, n) in ((2, 2), (2, 5), (3, 3), (4, 3), (4, 2), (5, 5)) { on Sliding(m, n) {
  for seed in 1..2 { print run almost_solve from shuffled(seed) }
  print run turn(1); print run rotate_back; print run shift(-2)
} }
";
    let (out, _, refused) = both(script, Limits::default());
    assert!(!out.contains('×'), "{out}");
    // the words of one are made of other procedures' words, the other keeps a list of which the length is found out on the way
    let known = ["sort_by_three_cycles on", "sort on"];
    let others: Vec<&String> = refused.iter().filter(|why| !known.iter().any(|name| why.starts_with(name))).collect();
    assert!(others.is_empty(), "{others:?}");
}
