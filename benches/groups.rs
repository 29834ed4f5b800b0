//! Groups: exact orders, membership and blocks, and, if GAP (`gap`) is on the path, how much longer GAP takes.
//!
//! `cargo bench --bench groups` prints a line for each workload; `-- NAME` only those whose puzzle contains the name, `-- --quick` leaves
//! out what takes GAP more than a few seconds. Both sides get the same generators, in one run; the orders must agree.

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use perm::group::{PermGroup, Work};
use perm::perm::Perm;
use perm::random::Random;
use perm::session::Session;

/// How GAP finds the order.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// `Size`
    Size,
    /// `Size`, which takes more than a few seconds
    SlowSize,
    /// `Size` takes minutes or more; asked whether the group is symmetric or alternating, GAP answers
    Giant,
}

const WORKLOADS: &[(&str, Gap)] = &[
    ("Cube(2)", Gap::Size),
    ("Cube(3)", Gap::Size),
    ("Cube(4)", Gap::SlowSize),
    ("Cube(5)", Gap::SlowSize),
    ("Cube(7)", Gap::SlowSize),
    ("Megaminx", Gap::SlowSize),
    ("Pyraminx", Gap::Size),
    ("Skewb", Gap::Size),
    ("Mathieu24", Gap::Size),
    ("Rotation(3, 4, 3)", Gap::Size),
    ("Torus(16, 16)", Gap::Giant),
    ("Torus(32, 32)", Gap::Giant),
    ("NRP(20)", Gap::Giant),
    ("NRP(100)", Gap::Giant),
];
const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let wanted = arguments.iter().find(|argument| !argument.starts_with("--"));
    let with_gap = Command::new("gap").arg("--version").stdout(Stdio::null()).status().is_ok();
    println!(
        "{:20} {:>10} {:>12} {:>9}   {:>10} {:>10} {:>10} {:>10}",
        "", "order ms", "gap ms", "ratio", "member us", "gap us", "blocks ms", "gap ms"
    );
    for (puzzle, gap) in WORKLOADS {
        if wanted.is_some_and(|wanted| !puzzle.contains(wanted.as_str())) {
            continue;
        }
        let mut session = Session::new(Default::default());
        let (alphabet, letters) = session.alphabet(puzzle).map_err(|_| puzzle).expect("a standard puzzle");
        let generators: Vec<Perm> = letters.iter().filter_map(|letter| alphabet.perm(*letter)).cloned().collect();
        let degree = alphabet.degree();
        let ours = median((0..ROUNDS).map(|_| {
            let group = PermGroup::new(degree, generators.clone());
            let start = Instant::now();
            black_box(group.order(Work::unlimited()).expect("no limit"));
            start.elapsed().as_secs_f64() * 1e3
        }));
        let group = PermGroup::new(degree, generators.clone());
        let order = group.order(Work::unlimited()).expect("no limit");
        let member = membership(&group);
        let blocks = median((0..ROUNDS).map(|_| {
            let group = PermGroup::new(degree, generators.clone());
            let start = Instant::now();
            for orbit in group.orbits().lists.iter().filter(|orbit| orbit.len() > 1) {
                black_box(group.minimal_blocks(orbit, Work::unlimited()).expect("no limit"));
            }
            start.elapsed().as_secs_f64() * 1e3
        }));
        let theirs = (with_gap && !(quick && *gap == Gap::SlowSize)).then(|| run_gap(&generators, *gap));
        let (gap_order, gap_member, gap_blocks) = match &theirs {
            Some(timing) => {
                if let Some(found) = &timing.order {
                    assert_eq!(*found, order.to_string(), "{puzzle}: GAP finds another order");
                }
                let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
                (format!("{:.1}", timing.ms), shown(timing.member), shown(timing.blocks))
            }
            None => Default::default(),
        };
        let ratio = theirs.map_or(String::new(), |timing| format!("{:.0}x", timing.ms / ours));
        println!(
            "{puzzle:20} {ours:10.3} {gap_order:>12} {ratio:>9}   {member:10.3} {gap_member:>10} {blocks:10.3} {gap_blocks:>10}"
        );
    }
}

/// Microseconds for a question whether a permutation is an element.
fn membership(group: &PermGroup) -> f64 {
    let mut random = Random::new(1);
    let elements: Vec<Perm> =
        (0..200).map(|_| group.random_element(&mut random, Work::unlimited()).expect("no limit")).collect();
    let start = Instant::now();
    let members = elements.iter().filter(|element| group.contains(element, Work::unlimited()).expect("no limit"));
    assert_eq!(members.count(), elements.len());
    start.elapsed().as_secs_f64() * 1e6 / elements.len() as f64
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

struct Timing {
    ms: f64,
    order: Option<String>,
    member: Option<f64>,
    blocks: Option<f64>,
}

fn run_gap(generators: &[Perm], gap: Gap) -> Timing {
    let lists: Vec<String> = generators
        .iter()
        .map(|generator| {
            let images: Vec<String> = generator.images().iter().map(|image| (image + 1).to_string()).collect();
            format!("PermList([{}])", images.join(","))
        })
        .collect();
    let question = match gap {
        Gap::Size | Gap::SlowSize => {
            "o := Size(G);; t := NanosecondsSinceEpoch() - t;;
             Print(\"order \", o, \"\\n\");
             sc := StabChainMutable(G);; l := List([1..200], i -> PseudoRandom(G));;
             s := NanosecondsSinceEpoch();; c := Number(l, x -> SiftedPermutation(sc, x) = ());;
             Print(\"member \", Int((NanosecondsSinceEpoch() - s) / 200), \"\\n\");
             s := NanosecondsSinceEpoch();;
             b := List(Orbits(G, MovedPoints(G)), o -> RepresentativesMinimalBlocks(Action(G, o), [1..Size(o)]));;
             Print(\"blocks \", NanosecondsSinceEpoch() - s, \"\\n\");"
        }
        Gap::Giant => "IsNaturalSymmetricGroup(G) or IsNaturalAlternatingGroup(G);; t := NanosecondsSinceEpoch() - t;;",
    };
    let script = format!(
        "SizeScreen([40960,100]);; G := Group([{}]);; t := NanosecondsSinceEpoch();;\n{question}\nPrint(\"ns \", t, \"\\n\");\nQUIT_GAP(0);\n",
        lists.join(",\n")
    );
    let mut child = Command::new("gap")
        .args(["-q", "-b", "-x", "4096"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gap starts");
    child.stdin.take().expect("piped").write_all(script.as_bytes()).expect("gap reads");
    let output = child.wait_with_output().expect("gap ends");
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(|rest| rest.trim().to_string());
    Timing {
        ms: field("ns ").and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e6,
        order: field("order "),
        member: field("member ").and_then(|ns| ns.parse::<f64>().ok()).map(|ns| ns / 1e3),
        blocks: field("blocks ").and_then(|ns| ns.parse::<f64>().ok()).map(|ns| ns / 1e6),
    }
}
