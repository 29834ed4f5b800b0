//! Times the way of a script: from text to tree, to program, to values. Prints; compares with nothing that could fail.
//! Run with `cargo bench --bench scripts`.

use std::time::Instant;

use perm::module::Origin;
use perm::session::{Script, Session};
use perm::source::FileId;

/// The least of several runs, in seconds: the machine has other things to do in the others.
fn least(rounds: usize, mut work: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn run(text: &str) {
    let script = Script::new(Origin::Text("bench".into()), text.to_string());
    let mut session = Session::new(Default::default());
    let report = session.run(&script, &Default::default(), &mut |_, _| ());
    assert!(report.errors.is_empty() && report.claims.iter().all(|claim| claim.holds), "{:?}", report.errors.first());
}

/// Pseudo-random face turns of the cube.
fn turns(count: usize, seed: &mut u64) -> String {
    let mut word = String::new();
    for _ in 0..count {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let pick = (*seed >> 33) as usize;
        word.push_str(["U", "D", "L", "R", "F", "B"][pick % 6]);
        word.push_str(["", "'", "2"][pick / 6 % 3]);
        word.push(' ');
    }
    word
}

fn main() {
    let standard: String = perm::module::standard_files().iter().map(|(_, text)| *text).collect();
    let ordinary = standard.repeat(10);
    let megabytes = ordinary.len() as f64 / 1e6;
    let parse = least(5, || {
        let parsed = perm::syntax::parse(FileId(0), &ordinary);
        assert!(parsed.errors.is_empty());
    });
    println!(
        "ordinary script, text to tree    {megabytes:6.2} MB  {:8.2} ms  {:6.2} MB/s",
        parse * 1e3,
        megabytes / parse
    );

    let check = least(5, || {
        let mut session = Session::new(Default::default());
        let report = session.check(&Script::standard(), &Default::default(), &mut |_, _| ());
        assert!(report.claims.iter().all(|claim| claim.holds) && report.errors.is_empty());
    });
    println!("the whole standard library              {:8.2} ms", check * 1e3);

    let mut seed = 1;
    let long = turns(1_000_000, &mut seed);
    let text = format!("on Cube(3) {{\nlet w = {long}\nassert order(w) > 0\n}}\n");
    let empty = least(5, || run("on Cube(3) {\nlet w = R U\nassert order(w) > 0\n}\n"));
    let parse = least(5, || {
        perm::syntax::parse(FileId(0), &text);
    });
    let whole = least(5, || run(&text));
    println!("a word of 10^6 letters, text to tree    {:8.2} ms", parse * 1e3);
    println!("… and run, without the puzzle itself    {:8.2} ms", (whole - empty) * 1e3);

    let mut file = String::from("on Cube(3)\n");
    let cycles = "(3 9 15 21)(2 8 14)(30 31 32)(40 41)(5 6 7)";
    for _ in 0..100_000 {
        let word = turns(12, &mut seed);
        file.push_str(&format!("assert {word}!= {cycles}\n"));
    }
    let parse = least(3, || {
        perm::syntax::parse(FileId(0), &file);
    });
    let whole = least(3, || run(&file));
    println!("100,000 algorithms, text to tree        {:8.2} ms  ({:.1} MB)", parse * 1e3, file.len() as f64 / 1e6);
    println!("100,000 algorithms, all of it           {:8.2} ms", whole * 1e3);

    let deep = "on Cube(3) {\nvar w = [R, U]\nfor k in 1..30 { w = [w, F] }\nlet p = ((R U)^1001 F)^1001\nassert order(w) > 0 and order(p) > 0\n}\n";
    println!("a tower of 30 commutators and a power   {:8.2} ms", (least(5, || run(deep)) - empty).max(0.0) * 1e3);
    println!("Cube(3) itself                          {:8.2} ms", empty * 1e3);
}
