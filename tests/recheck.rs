//! What the standard library says about groups, checked again by GAP and by SymPy, which know nothing of this program.
//!
//! Where a system is not installed its tests are marked as ignored; with `PERM_RECHECK=1` in the environment, as in the
//! project's own runs, they fail instead.

use std::io::Write as _;
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use num_bigint::BigUint;
use perm::group::fact::{Fact, Generated, Says};
use perm::perm::Perm;
use perm::report::export::{Said, gap, python};
use perm::session::{Options, Script, Session, Watch};

/// SymPy takes minutes for the many boards of this file; GAP checks it.
const TOO_MUCH_FOR_SYMPY: &[&str] = &["papers.number_rotation"];

#[derive(Clone, Copy)]
struct System {
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    script: fn(&[Said]) -> String,
}

const GAP: System = System { name: "gap", program: "gap", arguments: &["-q", "-b", "-x", "4096"], script: gap };
const SYMPY: System = System { name: "sympy", program: "python3", arguments: &["-"], script: python };

fn main() {
    let arguments = Arguments::from_args();
    let required = std::env::var_os("PERM_RECHECK").is_some_and(|value| value == "1");
    let mut trials = Vec::new();
    for system in [GAP, SYMPY] {
        // a script without facts
        let missing = !run(system, &[]).is_ok_and(|(good, text)| good && text.contains(" 0 wrong"));
        let mut add = |what: String, run: Box<dyn FnOnce() -> Result<(), Failed> + Send>| {
            let trial = Trial::test(format!("{}: {what}", system.name), run);
            trials.push(trial.with_ignored_flag(missing && !required));
        };
        for script in Script::standard() {
            let name = script.origin.name().to_string();
            if system.name == "sympy" && TOO_MUCH_FOR_SYMPY.iter().any(|other| name.contains(&other.replace('.', "/")))
            {
                continue;
            }
            add(name, Box::new(move || agrees(system, &facts_of(&script)?)));
        }
        add("each kind of fact".to_string(), Box::new(move || agrees(system, &kinds()?)));
        add("a wrong fact is found".to_string(), Box::new(move || finds_what_is_wrong(system)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn facts_of(script: &Script) -> Result<Vec<Said>, Failed> {
    let mut session = Session::new(Options { note_facts: true, ..Options::default() });
    let report = session.check(std::slice::from_ref(script), &Watch::default(), &mut |_, _| ());
    if !report.errors.is_empty() {
        return Err(format!("{:?}", report.errors).into());
    }
    Ok(report.all_facts())
}

/// A script in which every kind of fact occurs, true and false.
fn kinds() -> Result<Vec<Said>, Failed> {
    let text = "
let s4 = symmetric(4)
let a4 = alternating(4)
let v4 = group((1 2)(3 4), (1 3)(2 4))
assert order(s4) == 24 and order(a4) == 12 and index(s4, v4) == 6
assert (1 2) in s4 and (1 2) not in a4
assert v4 subset a4 and not (s4 subset a4) and v4 == derived(a4) and v4 != a4
assert is_normal(s4, v4) and not is_normal(s4, group((1 2)))
assert is_transitive(v4) and not is_transitive(group((1 2), (3 4)))
assert is_primitive(a4) and not is_primitive(v4) and len(blocks(v4, 1..4)) == 3
assert is_abelian(v4) and not is_abelian(a4) and is_solvable(s4) and not is_solvable(symmetric(5))
assert is_perfect(alternating(5)) and not is_perfect(s4)
assert order(center(group((1 2 3 4), (1 3)))) == 2 and order(centralizer(s4, (1 2))) == 4
assert order(stabilizer(s4, 1)) == 6 and order(stabilizer(s4, {1, 2})) == 4
assert normal_closure(s4, (1 2 3)) == a4
assert conjugate_in(s4, (1 2 3), (1 3 2)) and not conjugate_in(a4, (1 2 3), (1 3 2))
assert len(orbits(group((1 2), (4 5)))) == 3
let onto = homomorphism(s4, symmetric(2), (1 2) -> (1 2), (1 2 3 4) -> (1 2))
assert not is_isomorphism(onto) and is_inner(homomorphism(s4, s4, (1 2) -> (2 3), (1 2 3 4) -> (2 3 4 1)))
let s6 = symmetric(6)
let outer = homomorphism(s6, s6, (1 2) -> (1 2)(3 4)(5 6), (1 2 3 4 5 6) -> (1 5 6)(2 3))
assert is_isomorphism(outer) and not is_inner(outer)
assert not is_homomorphism(s4, symmetric(2), (1 2) -> (1 2), (1 2 3 4) -> ())
assert order(image(action(s4, ({{1, 2}, {3, 4}}, {{1, 3}, {2, 4}}, {{1, 4}, {2, 3}})))) == 6
assert not is_primitive(group((1 2 3), (4 5))) and blocks(group((1 2)), {3}) == ()
let d = group((1 2 3 4), (1 3))
let reordered = homomorphism(d, symmetric(2), (1 3) -> (1 2), (1 2 3 4) -> ())
let three = homomorphism(s4, symmetric(2), (1 2) -> (1 2), (2 3) -> (1 2), (3 4) -> (1 2))
assert not is_homomorphism(s4, symmetric(2), (1 2) -> (1 2), (2 3) -> (1 2), (3 4) -> ())
on NRP(3) {
  let h = action(group(), orbits(group())[1])
  let k = action(group(), orbits(group())[2])
  let both = homomorphism(s6, s6, h(X) -> k(X), h(Y) -> k(Y))
  assert is_isomorphism(both) and not is_inner(both)
}
on NRP(2) { assert reachable() == 120 and not solvable(((1,1) (1,2))) }
";
    let script = Script { origin: perm::module::Origin::Text("kinds".to_string()), text: text.to_string() };
    let facts = facts_of(&script)?;
    if facts.len() < 40 { Err(format!("only {} facts", facts.len()).into()) } else { Ok(facts) }
}

fn run(system: System, said: &[Said]) -> Result<(bool, String), Failed> {
    let mut child = Command::new(system.program)
        .args(system.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{} does not start: {error}", system.program))?;
    let script = (system.script)(said);
    let mut input = child.stdin.take().ok_or("no way in")?;
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| "the writer stopped")??;
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Ok((output.status.success(), text))
}

fn agrees(system: System, said: &[Said]) -> Result<(), Failed> {
    let (good, text) = run(system, said)?;
    let sum = text.lines().find(|line| line.contains(" facts checked")).unwrap_or_default().to_string();
    let strange =
        |line: &&str| !(line.starts_with("ok ") || line.starts_with("left to GAP") || line.contains(" facts checked"));
    let complaints: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).filter(strange).collect();
    match good && sum.contains(" 0 wrong") && complaints.is_empty() {
        true => Ok(()),
        false => Err(format!("{sum}\n{}", complaints[..complaints.len().min(20)].join("\n")).into()),
    }
}

/// A check that cannot fail would be worth nothing.
fn finds_what_is_wrong(system: System) -> Result<(), Failed> {
    let cycle = Perm::from_cycles(5, &[vec![0, 1, 2, 3, 4]]).map_err(|error| error.to_string())?;
    let group = Generated { degree: 5, generators: vec![cycle.clone()] };
    let wrong = [
        Says::Order(BigUint::from(6u8)),
        Says::Member(cycle.inverse(), false),
        Says::Orbits(vec![vec![0, 1], vec![2, 3, 4]]),
        Says::Abelian(false),
    ];
    let count = wrong.len();
    let said: Vec<Said> = wrong
        .into_iter()
        .map(|says| Said { place: "wrong".to_string(), fact: Fact { group: group.clone(), says } })
        .collect();
    let (good, text) = run(system, &said)?;
    let expected = format!("{count} wrong");
    if good || !text.contains(&expected) { Err(format!("not found to be wrong:\n{text}").into()) } else { Ok(()) }
}
