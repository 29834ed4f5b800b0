//! Nothing that anybody types or pastes may make the program panic, overflow the stack, or run without bounds: texts of
//! ten megabytes, ten thousand brackets inside each other, random tokens, mutilated scripts. Every text is run on a
//! thread with 2 MB of stack and small budgets. A text that made trouble once goes into `MONSTERS` or `scripts`.
//!
//! Nothing is timed: whatever is not linear makes this file take minutes. `FUZZ_TRACE=1 cargo test --test fuzz --
//! --nocapture` prints what each text took.

#[path = "support/tokens.rs"]
mod tokens;

use std::time::Instant;

use perm::diagnostic::{codes, render};
use perm::module::{Origin, standard_files};
use perm::report::CheckReport;
use perm::run::Limits;
use perm::session::{Options, Script, Session};
use proptest::prelude::*;

/// Runs a text; gives the codes of its messages.
fn run(text: &str) -> Vec<&'static str> {
    let begins: String = text.chars().take(60).collect();
    let text = text.to_string();
    let start = Instant::now();
    if std::env::var_os("FUZZ_TRACE").is_some() {
        eprintln!("{begins:?}");
    }
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let done = thread.spawn(move || {
        let limits = Limits { max_steps: 20_000, max_memory: 16 << 20 };
        let files = perm::module::Files { sealed: true, ..Default::default() };
        let mut session = Session::new(Options { limits, importer: Box::new(files), ..Options::default() });
        let script = Script::new(Origin::Text("fuzz".into()), text);
        let report: CheckReport = session.run(&script, &Default::default(), &mut |_, _| ());
        let claims = report.claims.iter().filter_map(|claim| claim.diagnostic.as_ref());
        let mut found = Vec::new();
        for diagnostic in report.errors.iter().chain(claims) {
            assert_ne!(diagnostic.code, codes::INTERNAL, "{diagnostic:?}");
            assert!(diagnostic.help.is_some(), "{diagnostic:?}");
            let shown = render::render(diagnostic, &session.sources, Default::default());
            assert!(shown.len() < 20_000, "a message of {} bytes: {:.1000}", shown.len(), shown);
            found.push(diagnostic.code.0);
        }
        found
    });
    let found = done.expect("a thread").join().expect("no panic");
    if std::env::var_os("FUZZ_TRACE").is_some() {
        eprintln!("   {:?} {:?} {begins:?}", start.elapsed(), found.iter().take(4).collect::<Vec<_>>());
    }
    found
}

#[test]
fn brackets_in_brackets() {
    let nested = |open: &str, middle: &str, close: &str| open.repeat(10_000) + middle + &close.repeat(10_000);
    let pairs = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("([{", "}])"),
        ("[X, ", "]"),
        ("(1, ", ")"),
        ("f(", ")"),
        ("X^(", ")"),
        ("X^{", "}"),
        ("a[", "]"),
        ("if a { ", " }"),
        ("if a { 1 } else { ", " }"),
        ("on NRP(3) { ", " }"),
        ("loop { ", " }"),
        ("for i in 1..2 { ", " }"),
        ("fn f() { ", " }"),
        ("claim \"x\" { ", " }"),
        ("\"{", "}\""),
        ("(x for x in ", ")"),
        ("{x for x in (", ")}"),
        ("[A: [B, ", "]]"),
        ("(a[if a { ", "} ])"),
        ("puzzle P { cells ", "}"),
        ("algorithm a { ", " }"),
        ("do ", ""),
        ("run ", ""),
        ("loop decreases ", " { }"),
        ("run f from (", ")"),
        ("board(", ")"),
        ("map(1 -> ", ")"),
        ("let a = { ", "}"),
        ("/* ", "*/"),
    ];
    for (open, close) in pairs {
        for text in [
            nested(open, "1", close),
            nested(open, "", close),
            format!("let a = {}", nested(open, "X", close)),
            open.repeat(10_000),
            close.repeat(10_000),
            format!("{}\nlet b = 1", open.repeat(10_000)),
            open.repeat(90) + "1" + &close.repeat(90),
            open.repeat(90) + "=" + &close.repeat(90),
        ] {
            run(&text);
        }
    }
    run(&format!("{}{}", "(".repeat(1_000_000), "]".repeat(1_000_000)));
    run(&format!("let a = {}", "([{".repeat(3_000)));
}

#[test]
fn lines_of_ten_megabytes() {
    let line = |part: &str, size: usize| part.repeat(size / part.len());
    let parts = [
        "X",
        "X ",
        "X' ",
        "7",
        "7 ",
        "(",
        "[",
        "{",
        ")",
        " ",
        "'",
        "\"",
        "\\",
        "X^",
        "1+",
        "a|",
        "not ",
        "-",
        "a.",
        "(1 2 3)",
        "if a { 1 } else ",
        "\n",
        "é",
        "\u{0}",
    ];
    for part in parts {
        run(&line(part, 10_000_000));
    }
    let parts = [
        "X2 ",
        "\t",
        ";",
        ",",
        ".",
        ":",
        "^",
        "a and ",
        "1-",
        "X'",
        "XYX'",
        "a[1]",
        "f(",
        "f()",
        "()",
        "[X,Y]",
        "(1 2",
        "a = ",
        "a == ",
        "let ",
        "let a = 1;",
        "\r\n",
        "’",
        "⁻",
        "³",
        "\u{feff}",
        "//",
        "/*",
        "///x\n",
        "use a\n",
        "🧩",
        "\"{",
        "X^2^",
        "in ",
        "1..",
        "x -> ",
        "} else {",
        "T[1,1] ",
        "shown ",
        "@W ",
        "claim ",
        "X\n",
        "print X\n",
        "fn f() = 1\n",
        "puzzle P { }\n",
        "on NRP(3) { }\n",
        "claim \"x\" { }\n",
        "“",
        "4R ",
        "1.5 ",
        "}\n",
        "{\n",
    ];
    for part in parts {
        run(&line(part, 300_000));
    }
    for start in ["let a = ", "show ", "on NRP(3) { show ", "print \"", "let a", "fn f(x) = ", "claim \""] {
        for part in ["X", "7", "(", "1+", "'", "X ", "X^X^", "a|"] {
            run(&format!("{start}{}", line(part, 300_000)));
        }
    }
    // long, and right
    assert!(run(&format!("on NRP(3) {{ print perm({}) }}", "X Y' ".repeat(200_000))).is_empty());
    assert!(run(&"let _ = 1\n".repeat(20_000)).is_empty());
}

#[test]
fn high_trees() {
    for operator in ["+", "*", " and ", " == ", " | ", "++", "^", " mod ", " < ", " in "] {
        let chain = |count: usize, first: &str| format!("{first}{}", format!("{operator}1").repeat(count));
        // brackets at the beginning, each with a chain behind it
        let mut tall = "1".to_string();
        for _ in 0..190 {
            tall = chain(1_900, &format!("({tall})"));
        }
        run(&tall);
        run(&chain(1_990, "1"));
        run(&format!("let a = {}", chain(1_990, "1")));
        run(&format!("({},)", vec![chain(1_000, "1"); 20].join(", ")));
    }
    run(&format!("print {}1", "- ".repeat(1_500)));
    run(&format!("print {}true", "not ".repeat(1_500)));
}

#[test]
fn scripts_that_grow() {
    let scripts = [
        "fn f(n) = f(n + 1)\nf(1)",
        "fn f(n) = (f(n + 1), n)\nf(1)",
        "fn f(n) = 1 + (if n > 0 { f(n + 1) } else { 0 })\nf(1)",
        "fn f() { var k = 2\n loop { k = k * k } }\nf()",
        "fn f() { var k = 1/3\n loop { k = k * k + 1 } }\nf()",
        "fn f() { var t = (1,)\n loop { t = t ++ t } }\nf()",
        "fn f() { var t = \"a\"\n loop { t = t ++ t } }\nf()",
        "fn f() { var t = {1}\n var k = 1\n loop { k = k + 1; t = t | {k} } }\nf()",
        "fn f() { var w = ()\n loop { w = [w, w] } }\nf()",
        "on NRP(3) { fn f() { var w = X\n loop { w = [w, w Y] } }\nf() }",
        "on NRP(3) { fn f() { var w = X\n repeat 9000 { w = w^3 Y } w }\nshow f() }",
        "on NRP(3) { fn f() { var w = X\n repeat 9000 { w = w^w } }\nf() }",
        "print 9^9^9",
        "print 9^(9^(9^9))",
        "print (1/3)^(10^9)",
        "print 10^100000000",
        "print 2^-100000000",
        "on NRP(10^6) { show X }",
        "on NRP(10^30) { show X }",
        "on NRP(-5) { show X }",
        "on Cube(1000) { show R }",
        "on Torus(100000, 100000) { show R[1] }",
        "print 1..10^18",
        "print len(1..10^18)",
        "print {1..10^18}",
        "print (1..10^9, 1..10^9)",
        "for i in 1..10^18 { for j in 1..10^18 { } }",
        "repeat 10^30 { }",
        "print sum(1..10^18)",
        "print (k for k in 1..10^18)",
        "on NRP(3) { print (X Y)^(10^1000) }",
        "on NRP(3) { print moves(X^(10^18)) }",
        "on NRP(3) { print X^(10^1000) == Y^(10^1000) }",
        "print gcd(10^1000, 6^1000)",
        "print isqrt(10^10000)",
        "print lcm(1..10^9)",
        "print product(1..10^9)",
        "print permutations(1..30)",
        "print sample(1..10^18, 3, 1)",
        "print shuffle(1..10^18, 1)",
        "print sorted(1..10^18)",
        "print reversed(1..10^18)",
        "print zip(1..10^18, 1..10^18)",
        "print (1 1000000000)",
        "print (1 50000000)",
        "print cycle(1..10^9)",
        "claim \"x\" for n in 1..10^18 { assert n > 0 }",
        "claim \"x\" for all n >= 10^30 { assert n > 0 }",
        "claim \"x\" for n in 1..10^6, m in 1..10^6 { assert n > 0 }",
        "claim \"x\" for all n >= 1 { loop { } }",
        "puzzle P(n) { cells (i, j, k) for i in 1..n, j in 1..n, k in 1..n }\non P(10^5)\nprint len(cells)",
        "puzzle P { cells 1..10^18 }\non P\nprint len(cells)",
        "puzzle P { cells 1..3; let a = P.a }\non P\nprint a",
        "puzzle P(n) { cells 1..3; let a = P(n + 1).a }\non P(1)\nprint a",
        "puzzle P(n) { cells 1..len(P(n + 1).cells) }\non P(1)\nprint cells",
        "puzzle P(n) { require P(n + 1).n > 0; cells 1..3 }\non P(1)\nprint cells",
        "puzzle P { cells 1..3; move a[k] for k in 1..10^18: i -> i }\non P\nprint cells",
        "fn f() { var t = ()\n repeat 5000 { t = (t,) } t }\nlet a = f()\nprint a",
        "fn f() { var t = {1}\n repeat 5000 { t = {t} } t }\nlet a = f()\nprint a == a",
        "fn f() { var t = map()\n repeat 5000 { t = map(1 -> t) } t }\nlet a = f()\nprint a",
        "fn f() { var g = f\n repeat 5000 { let h = g\n fn k() = h\n g = k } g }\nlet a = f()",
        "fn f() { var t = (1, 2)\n repeat 5000 { t[1] = t } t }\nlet a = f()\nprint a",
        "extend NRP(n) { algorithm a { loop { do X } } }\non NRP(3)\nprint run a",
        "extend NRP(n) { algorithm a { loop { do (X Y)^(10^100) } } }\non NRP(3)\nprint run a",
        "extend NRP(n) { algorithm a { do a } }\non NRP(3)\nprint run a",
        "extend NRP(n) { algorithm a(k) { do X; do a(k + 1); do Y } }\non NRP(3)\nprint run a(1)",
        "extend NRP(n) { algorithm a { let w = run a } }\non NRP(3)\nprint run a",
        "extend NRP(n) { let w = run a\nalgorithm a { do w } }\non NRP(3)\nprint run a",
        "extend NRP(n) { fn f(t) = run a(t)\nalgorithm a(t) { do f(t) } }\non NRP(3)\nprint run a(1)",
        "extend NRP(n) { algorithm a { var w = X\nloop { do w; w = w w } } }\non NRP(3)\nprint run a",
        "extend NRP(n) { algorithm a { var t = ()\nloop { t = (t, board); do X } } }\non NRP(3)\nprint run a",
        "extend NRP(n) { algorithm a { var m = 1\nloop decreases m { m = m / 2 } } }\non NRP(3)\nprint run a",
        "extend NRP(n) { algorithm a { repeat 10^18 { do X } } }\non NRP(3)\ntrace run a",
        "on NRP(3000)\nprint X(solved)",
        "on NRP(10)\nprint shuffled(1)",
        "on NRP(10)\nprint growth()",
        "on NRP(10)\nprint boards()",
        "on NRP(10)\nprint sphere(10^18)",
        "on NRP(10)\nprint diameter(X^(10^18), Y)",
        "on Sliding(40, 40)\nprint shuffled(1)",
        "on Sliding(40, 40)\nprint solve(shuffled(1))",
        "on Sliding(5, 5)\nprint growth()",
        "on Sliding(4, 4)\nprint board(1..10^18)",
        "print board(\"1 2\")",
        "on Sliding(3, 3)\nprint (U D)^(10^30)(solved)",
        "let a = a",
        "fn f() = f\nprint f()()()()",
        "let f = 3\nprint f(f(f))",
    ];
    for script in scripts {
        run(script);
    }
}

fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(tokens::all());
    prop::collection::vec((token, prop::bool::weighted(0.8)), 1..40).prop_map(|tokens| {
        tokens.into_iter().fold(String::new(), |text, (token, blank)| text + token + if blank { " " } else { "" })
    })
}

/// A standard script with parts removed, doubled, exchanged for others, or cut off.
fn mutilated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0usize..12, 0u8..5, prop::sample::select(tokens::all()));
    (0..standard_files().len(), any::<prop::sample::Index>(), prop::collection::vec(change, 1..6)).prop_map(
        |(file, from, changes)| {
            let text = standard_files()[file].1;
            // a window of some lines is enough, and fast
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let first = from.index(lines.len());
            let mut text: Vec<char> = lines[first..(first + 40).min(lines.len())].concat().chars().collect();
            for (place, length, what, token) in changes {
                if text.is_empty() {
                    break;
                }
                let at = place.index(text.len());
                let end = (at + length).min(text.len());
                match what {
                    0 => drop(text.drain(at..end)),
                    1 => {
                        let part: Vec<char> = text[at..end].to_vec();
                        text.splice(at..at, part);
                    }
                    2 => drop(text.splice(at..end, token.chars())),
                    3 => text.truncate(at),
                    _ => text[at..end].reverse(),
                }
            }
            text.into_iter().collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        run(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text(text in "\\PC{0,120}") {
        run(&text);
    }

    #[test]
    fn any_tokens(text in soup()) {
        run(&text);
    }

    #[test]
    fn tokens_on_a_board(text in soup()) {
        run(&format!("on NRP(3) {{\n{text}\n}}\n"));
        run(&format!("on Cube(3)\nlet w = {text}\n"));
    }

    #[test]
    fn tokens_in_an_algorithm(text in soup()) {
        run(&format!("extend NRP(n) {{\nalgorithm a(k) {{\n{text}\n}}\n}}\non NRP(3)\nprint run a(2)\n"));
        run(&format!("extend Sliding(m, n) {{\nalgorithm a {{ do U L; {text} }}\n}}\non Sliding(2, 3)\nprint run a from {text}\n"));
    }

    #[test]
    fn standard_scripts_mutilated(text in mutilated()) {
        run(&text);
    }
}
