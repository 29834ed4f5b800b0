//! Laws that hold for all words, images, sets and numbers, tried on random ones in the language itself.

use perm::module::Origin;
use perm::report::text;
use perm::run::Output;
use perm::session::{Script, Session, Watch};
use proptest::prelude::*;

/// Boards with the names of their moves.
const PUZZLES: &[(&str, &[&str])] = &[
    ("NRP(3)", &["X", "Y"]),
    ("NRP(4)", &["X", "Y"]),
    ("Rotation(3, 4, 2)", &["T[1,1]", "T[1,2]", "T[2,3]"]),
    ("Torus(2, 3)", &["R[1]", "R[2]", "C[1]", "C[3]"]),
    ("OvalTrack(9, 4)", &["R", "T"]),
    ("Pyraminx", &["U", "L", "R", "b", "Uv"]),
    ("Cube(2)", &["R", "U", "F"]),
];

/// A random word, before it has letters.
#[derive(Clone, Debug)]
enum Word {
    Letter(usize),
    Product(Vec<Word>),
    Inverse(Box<Word>),
    Power(Box<Word>, i32),
    Commutator(Box<Word>, Box<Word>),
    Conjugate(Box<Word>, Box<Word>),
}

impl Word {
    fn text(&self, letters: &[&str]) -> String {
        match self {
            Word::Letter(at) => letters[at % letters.len()].to_string(),
            Word::Product(parts) if parts.is_empty() => format!("{}^0", letters[0]),
            Word::Product(parts) => {
                format!("({})", parts.iter().map(|part| part.text(letters)).collect::<Vec<_>>().join(" "))
            }
            Word::Inverse(word) => format!("{}'", word.text(letters)),
            Word::Power(word, exponent) => format!("({})^{exponent}", word.text(letters)),
            Word::Commutator(a, b) => format!("[{}, {}]", a.text(letters), b.text(letters)),
            Word::Conjugate(a, b) => format!("[{}: {}]", a.text(letters), b.text(letters)),
        }
    }

    /// The moves one after another: which letter, and is it an inverse?
    fn spelled(&self) -> Vec<(usize, bool)> {
        let inverse = |moves: Vec<(usize, bool)>| moves.into_iter().rev().map(|(at, back)| (at, !back)).collect();
        match self {
            Word::Letter(at) => vec![(*at, false)],
            Word::Product(parts) => parts.iter().flat_map(Word::spelled).collect(),
            Word::Inverse(word) => inverse(word.spelled()),
            Word::Power(word, exponent) => {
                let once = if *exponent < 0 { inverse(word.spelled()) } else { word.spelled() };
                once.repeat(exponent.unsigned_abs() as usize)
            }
            Word::Commutator(a, b) => [a.spelled(), b.spelled(), inverse(a.spelled()), inverse(b.spelled())].concat(),
            Word::Conjugate(a, b) => [a.spelled(), b.spelled(), inverse(a.spelled())].concat(),
        }
    }
}

fn word() -> impl Strategy<Value = Word> {
    (0usize..12).prop_map(Word::Letter).prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 0..5).prop_map(Word::Product),
            1 => inner.clone().prop_map(|word| Word::Inverse(Box::new(word))),
            1 => (inner.clone(), -4..5).prop_map(|(word, exponent)| Word::Power(Box::new(word), exponent)),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| Word::Commutator(Box::new(a), Box::new(b))),
            1 => (inner.clone(), inner).prop_map(|(a, b)| Word::Conjugate(Box::new(a), Box::new(b))),
        ]
    })
}

/// A board, its letters and some words on it as texts.
fn words<const N: usize>() -> impl Strategy<Value = (&'static str, [String; N])> {
    (0..PUZZLES.len(), prop::collection::vec(word(), N)).prop_map(|(at, words)| {
        let (puzzle, letters) = PUZZLES[at];
        let texts: Vec<String> = words.iter().map(|word| word.text(letters)).collect();
        (puzzle, texts.try_into().expect("as many words as were asked for"))
    })
}

/// Runs a script; what it printed, or its first error with the script.
fn run(script: &str) -> Result<Vec<String>, TestCaseError> {
    let mut session = Session::new(Default::default());
    let mut lines = Vec::new();
    let script = Script::new(Origin::Text("law".to_string()), script.to_string());
    let report = session.run(&script, &Watch::default(), &mut |_, output| {
        if let Output::Line(line) = output {
            lines.push(line);
        }
    });
    match report.errors.first() {
        None => Ok(lines),
        Some(error) => Err(TestCaseError::fail(format!("{} {}\n{}", error.code, error.title, script.text))),
    }
}

/// The names A, B, … for words, then assertions.
fn assert_on(puzzle: &str, words: &[String], assertions: &[&str]) -> Result<(), TestCaseError> {
    let mut script = format!("on {puzzle}\n");
    for (word, name) in words.iter().zip(["wa", "wb", "wc"]) {
        script.push_str(&format!("let {name} = {word}\n"));
    }
    for assertion in assertions {
        script.push_str(&format!("assert {assertion}\n"));
    }
    run(&script).map(|_| ())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_the_same_word((puzzle, [w]) in words()) {
        let printed = run(&format!("on {puzzle}\nprint {w}\n"))?.remove(0);
        run(&format!(
            "on {puzzle}\nlet w = {w}\nlet v = {printed}\n\
             assert w == v\nassert length(w) == length(v)\nassert same_moves(w, v)\nassert moves(w) == moves(v)\n"
        ))?;
        let again = run(&format!("on {puzzle}\nprint {printed}\n"))?.remove(0);
        prop_assert_eq!(again, printed);
    }

    #[test]
    fn what_is_printed_of_a_permutation_is_the_same_permutation((puzzle, [w]) in words()) {
        let printed = run(&format!("on {puzzle}\nprint perm({w})\n"))?.remove(0);
        let again = run(&format!("on {puzzle}\nassert {printed} == {w}\nprint perm({printed})\n"))?.remove(0);
        prop_assert_eq!(again, printed);
    }

    #[test]
    fn a_word_has_the_moves_that_it_spells(w in word()) {
        let moves = w.spelled();
        let text = w.text(&["X", "Y"]);
        let spelled: Vec<String> =
            moves.iter().map(|(at, back)| format!("{}{}", ["X", "Y"][at % 2], if *back { "'" } else { "" })).collect();
        let joined = if spelled.is_empty() { "()".to_string() } else { spelled.join(" ") };
        let together = if spelled.is_empty() { "()".to_string() } else { spelled.concat() };
        let printed = run(&format!(
            "on NRP(3)\nlet w = {text}\nassert w == {joined}\nassert same_moves(w, {joined})\n\
             assert same_moves(w, {together})\nassert length(w) == {}\nassert len(moves(w)) == {}\nprint moves(w)\n",
            moves.len(), moves.len()
        ))?.remove(0);
        let tuple = if moves.len() == 1 { format!("({joined},)") } else { format!("({})", spelled.join(", ")) };
        prop_assert_eq!(printed, tuple);
    }

    /// The board of n rows and n + 1 columns once more, turned by hand.
    #[test]
    fn a_word_does_what_its_moves_do_one_after_another(w in word(), n in 2i64..5) {
        let turn = |(i, j): (i64, i64), right: bool, back: bool| {
            let shift = i64::from(right);
            let (i, j) = (i, j - shift);
            let (i, j) = match () {
                () if !(1..=n).contains(&j) => (i, j),
                () if back => (j, n + 1 - i),
                () => (n + 1 - j, i),
            };
            (i, j + shift)
        };
        let images: Vec<String> = (1..=n)
            .flat_map(|i| (1..=n + 1).map(move |j| (i, j)))
            .map(|cell| w.spelled().iter().fold(cell, |cell, (at, back)| turn(cell, at % 2 == 1, *back)))
            .map(|(i, j)| format!("({i}, {j})"))
            .collect();
        let printed = run(&format!("on NRP({n})\nprint ({})(cells)\n", w.text(&["X", "Y"])))?.remove(0);
        prop_assert_eq!(printed, format!("({})", images.join(", ")));
    }

    #[test]
    fn laws_of_inverses((puzzle, words) in words::<2>()) {
        assert_on(puzzle, &words, &[
            "(wa wb)' == wb' wa'",
            "same_moves((wa wb)', wb' wa')",
            "wa'' == wa",
            "wa wa' == 1",
            "wa' wa == ()",
            "inverse(wa) == wa'",
            "wa^-1 == wa'",
            "perm(wa') == perm(wa)'",
        ])?;
    }

    #[test]
    fn laws_of_brackets((puzzle, words) in words::<3>()) {
        assert_on(puzzle, &words, &[
            "[wa, wb] == wa wb wa' wb'",
            "same_moves([wa, wb], wa wb wa' wb')",
            "[wa, wb]' == [wb, wa]",
            "[wa: wb] == wa wb wa'",
            "same_moves([wa: wb], wa wb wa')",
            "[wa: wb]' == [wa: wb']",
            "[wa: wb wc] == [wa: wb] [wa: wc]",
            "[wa wb: wc] == [wa: [wb: wc]]",
            "[wa: [wb, wc]] == [[wa: wb], [wa: wc]]",
            "[wa, wb] == [wa: wb] wb'",
        ])?;
    }

    #[test]
    fn laws_of_powers((puzzle, words) in words::<1>(), a in -5i64..6, b in -5i64..6) {
        assert_on(puzzle, &words, &[
            &format!("wa^{{{a} + {b}}} == wa^{a} wa^{b}"),
            &format!("(wa^{a})^{b} == wa^({a} * {b})"),
            &format!("(wa')^{a} == wa^{{-({a})}}"),
            &format!("(wa^{a})' == wa^{{-({a})}}"),
            &format!("length(wa^{a}) == abs({a}) * length(wa)"),
            &format!("perm(wa)^{a} == wa^{a}"),
            "wa^0 == 1",
            "wa^1 == wa",
            "wa^2 == wa wa",
            "wa^{order(wa)} == 1",
            "wa^(10^20 * order(wa) + 1) == wa",
        ])?;
    }

    #[test]
    fn laws_of_length((puzzle, words) in words::<2>()) {
        assert_on(puzzle, &words, &[
            "length(wa wb) == length(wa) + length(wb)",
            "length(wa') == length(wa)",
            "length([wa, wb]) == 2 * (length(wa) + length(wb))",
            "length([wa: wb]) == 2 * length(wa) + length(wb)",
            "length(wa) == sum(tally(wa)[name] for name in tally(wa))",
            "length(reduce(wa)) <= length(wa)",
            "same_moves(reduce(wa), wa)",
            "runs(wa) <= length(wa)",
            "runs(reduce(wa)) <= runs(wa)",
            "len(moves(wa)) == length(wa)",
            "product(moves(wa)) == wa",
        ])?;
    }

    #[test]
    fn laws_of_images((puzzle, words) in words::<2>()) {
        assert_on(puzzle, &words, &[
            "all((wa wb)(p) == wb(wa(p)) for p in cells)",
            "all(wa'(wa(p)) == p for p in cells)",
            "(wa wb)(cells) == wb(wa(cells))",
            "wa(set(cells)) == set(cells)",
            "{p for p in cells where wa(p) != p} == support(wa)",
            "support(wa) | fixed(wa) == set(cells)",
            "support(wa) & fixed(wa) == {}",
            "support([wb: wa]) == wb'(support(wa))",
            "fixed(wa) & fixed(wb) subset fixed(wa wb)",
            "permutation(p -> wa(p)) == wa",
        ])?;
    }

    #[test]
    fn laws_of_images_of_sets((puzzle, words) in words::<1>(), picks in prop::collection::vec(0..3u8, 36)) {
        let picked = |wanted: u8| {
            let numbers: Vec<String> = (1..=36)
                .filter(|number| picks[number - 1] == wanted || picks[number - 1] == 2)
                .map(|number| number.to_string())
                .collect();
            format!("{{p for p in cells where number(p) in {{{}}}}}", numbers.join(", "))
        };
        let (s, t) = (picked(0), picked(1));
        assert_on(puzzle, &words, &[
            &format!("wa({s} | {t}) == wa({s}) | wa({t})"),
            &format!("wa({s} & {t}) == wa({s}) & wa({t})"),
            &format!("wa({s} - {t}) == wa({s}) - wa({t})"),
            &format!("len(wa({s})) == len({s})"),
            &format!("wa'(wa({s})) == {s}"),
        ])?;
    }

    #[test]
    fn laws_of_cycles((puzzle, words) in words::<2>()) {
        assert_on(puzzle, &words, &[
            "sum(cycle_type(wa)) == len(support(wa))",
            "sum(cycle_type(wa)) + len(fixed(wa)) == len(cells)",
            "order(wa) == product((lcm(order(wa), k) div order(wa) for k in cycle_type(wa))) * order(wa)",
            "order(wa) == lcm(1, order(wa))",
            "all(order(wa) mod k == 0 for k in cycle_type(wa))",
            "sign(wa wb) == sign(wa) * sign(wb)",
            "sign(wa) == product((-1)^(k - 1) for k in cycle_type(wa))",
            "cycle_type([wb: wa]) == cycle_type(wa)",
            "cycle_type(wa') == cycle_type(wa)",
            "product(cycle(c) for c in cycles(wa)) == wa",
            "tuple(len(c) for c in cycles(wa)) == () or max(len(c) for c in cycles(wa)) == cycle_type(wa)[1]",
            "order(wa wb) == order(wb wa)",
            "cycle_type(wa) == tuple(reversed(sorted(len(c) for c in cycles(wa))))",
        ])?;
    }

    #[test]
    fn laws_of_sets(a in set(), b in set(), c in set()) {
        let names = format!("let a = {a}\nlet b = {b}\nlet c = {c}\n");
        let laws = [
            "a | b == b | a", "a & b == b & a", "(a | b) | c == a | (b | c)", "(a & b) & c == a & (b & c)",
            "a & (b | c) == a & b | a & c", "a | b & c == (a | b) & (a | c)", "a - b == a - (a & b)",
            "a - (b | c) == (a - b) & (a - c)", "a - (b & c) == (a - b) | (a - c)", "a & b subset a", "a subset a | b",
            "(a subset b) == (a | b == b)", "(a subset b) == (a & b == a)", "(a subset b) == (len(a - b) == 0)",
            "len(a | b) + len(a & b) == len(a) + len(b)", "all(x in a for x in a & b)",
            "all((x in a | b) == (x in a or x in b) for x in -9..9)",
            "all((x in a - b) == (x in a and x not in b) for x in -9..9)",
            "tuple(a) == sorted(a)", "set(tuple(a)) == a", "sum(a | b) + sum(a & b) == sum(a) + sum(b)",
        ];
        run(&(names + &laws.map(|law| format!("assert {law}\n")).concat()))?;
    }

    #[test]
    fn integers_are_exact(a in any::<i128>(), b in any::<i64>(), small in -30i64..30) {
        let product = num_bigint::BigInt::from(a) * b;
        let printed = run(&format!("print {a} * {b}\nprint {a}\nprint ({small})^3\nprint {a} - {a} + {small}\n"))?;
        prop_assert_eq!(&printed, &[product.to_string(), a.to_string(), small.pow(3).to_string(), small.to_string()]);
    }

    #[test]
    fn division_is_floor_division(a in any::<i64>(), b in any::<i32>()) {
        prop_assume!(b != 0);
        let (a, b) = (i128::from(a), i128::from(b));
        let quotient = num_integer::Integer::div_floor(&a, &b);
        let printed = run(&format!("print {a} div {b}\nprint {a} mod {b}\nassert {a} / {b} * {b} == {a}\n"))?;
        prop_assert_eq!(&printed, &[quotient.to_string(), (a - quotient * b).to_string()]);
    }

    #[test]
    fn fractions_are_printed_in_lowest_terms(a in any::<i32>(), b in any::<i32>(), c in 1i64..1000) {
        prop_assume!(b != 0);
        let (a, b) = (i64::from(a), i64::from(b));
        let divisor = num_integer::gcd(a, b) * b.signum();
        let expected = if b / divisor == 1 { format!("{}", a / divisor) } else { format!("{}/{}", a / divisor, b / divisor) };
        let printed = run(&format!("print ({a} * {c}) / ({b} * {c})\nassert {expected} == {a} / {b}\n"))?;
        prop_assert_eq!(&printed, &[expected]);
    }

    #[test]
    fn laws_of_sequences(xs in prop::collection::vec(-9i64..10, 0..8), k in 0usize..8) {
        let list = |xs: &[i64]| {
            let texts: Vec<String> = xs.iter().map(i64::to_string).collect();
            if texts.len() == 1 { format!("({},)", texts[0]) } else { format!("({})", texts.join(", ")) }
        };
        let mut sorted = xs.clone();
        sorted.sort_unstable();
        let mut reversed = xs.clone();
        reversed.reverse();
        let k = k.min(xs.len());
        let printed = run(&format!(
            "let xs = {}\nprint xs\nprint sorted(xs)\nprint reversed(xs)\nprint xs[1..{k}]\n\
             assert xs[1..{k}] ++ xs[{}..{}] == xs\nassert len(permutations(xs[1..{}])) == product(1..{})\n\
             assert sorted(shuffle(xs, 3)) == sorted(xs)\nassert sum(xs) == {}\n\
             assert all(xs[index(xs, x)] == x for x in xs)\n",
            list(&xs), k + 1, xs.len(), k.min(5), k.min(5), xs.iter().sum::<i64>()
        ))?;
        prop_assert_eq!(&printed, &[list(&xs), list(&sorted), list(&reversed), list(&xs[..k])]);
    }

    #[test]
    fn what_is_printed_of_a_value_is_the_same_value(value in value()) {
        let printed = run(&format!("print ({value}, 0)\n"))?.remove(0);
        let again = run(&format!("assert ({value}, 0) == {printed}\nprint {printed}\n"))?.remove(0);
        prop_assert_eq!(again, printed);
    }

    #[test]
    fn strings_are_printed_as_they_are(s in "[a-zA-Z0-9 φψ{}\"\\\\,()']{0,20}") {
        let escaped: String = s.chars().flat_map(|c| match c {
            '"' | '\\' | '{' | '}' => vec!['\\', c],
            c => vec![c],
        }).collect();
        let printed = run(&format!("print \"{escaped}\"\nprint (\"{escaped}\",)\nprint len(\"{escaped}\")\n"))?;
        prop_assert_eq!(&printed, &[s.clone(), format!("(\"{escaped}\",)"), s.chars().count().to_string()]);
    }
}

/// A value as it is printed.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|k| k.to_string()),
        Just("170141183460469231731687303715884105727".to_string()),
        (1i64..50).prop_map(|k| format!("-{}/3", 3 * k + 1)),
        any::<bool>().prop_map(|truth| truth.to_string()),
        "[a-z φ]{0,4}".prop_map(|text| format!("\"{text}\"")),
        set(),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| match parts.as_slice() {
                [only] => format!("({only},)"),
                parts => format!("({})", parts.join(", ")),
            }),
            (inner.clone(), inner).prop_map(|(a, b)| format!("map(1 -> {a}, \"k\" -> {b})")),
            (-5i64..5, -5i64..5).prop_map(|(from, to)| format!("map((1, 2) -> {from}..{to})")),
        ]
    })
}

/// A set of small integers as a text.
fn set() -> impl Strategy<Value = String> {
    prop::collection::vec(-9i64..10, 0..12)
        .prop_map(|numbers| format!("{{{}}}", numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")))
}

/// The same script gives the same bytes, however many threads there are.
#[test]
fn output_does_not_depend_on_threads() {
    const SCRIPT: &str = "\
        for k in 1..3 { print shuffle(1..6, k) }\n\
        claim \"prints\" for n in 1..40 { print n; assert n^2 < 900 }\n\
        claim \"is false for many\" for n in 2..6, k in 1..9 on NRP(n) { assert (X Y)^k != (Y X)^k }\n\
        claim \"holds\" for n in 2..9 on NRP(n) { assert order(X) == 4 }\n\
        refute \"fails somewhere\" for n in 2..9 on NRP(n) { assert order(X Y) < 20 }\n\
        claim \"is wrong\" for n in -3..3 { assert 1 / n < 2 }\n\
        claim \"is empty\" for n in 3..1 { assert n == 2 }\n";
    let outcome = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
        pool.install(|| {
            let mut out = String::new();
            let mut session = Session::new(Default::default());
            let script = Script::new(Origin::Text("script".to_string()), SCRIPT.to_string());
            let report = session.run(&script, &Watch::default(), &mut |_, output| {
                if let Output::Line(line) = output {
                    out += &(line + "\n");
                }
            });
            for claim in &report.claims {
                out += &claim.printed.join("\n");
            }
            out += &text::check(&report, &session.sources, Default::default(), false);
            out + &perm::report::json::check(&report, &session.sources).to_string()
        })
    };
    let once = outcome(1);
    for _ in 0..10 {
        assert_eq!(outcome(4), once);
    }
}

/// Puzzles with a blank where every move is always possible.
const FREE: &[(&str, &[&str])] =
    &[("Fifteen", &["R", "U"]), ("Varikon(2)", &["R", "U", "B"]), ("VarikonBox((2, 3))", &["S[1]", "S[2]"])];

fn free_words<const N: usize>() -> impl Strategy<Value = (&'static str, [String; N])> {
    (0..FREE.len(), prop::collection::vec(word(), N)).prop_map(|(at, words)| {
        let (puzzle, letters) = FREE[at];
        let texts: Vec<String> = words.iter().map(|word| word.text(letters)).collect();
        (puzzle, texts.try_into().expect("as many words as were asked for"))
    })
}

/// A word that the blank of a board can do from a cell, and where it comes to.
fn walk(choices: &[u8], (rows, columns): (i64, i64), (mut i, mut j): (i64, i64)) -> (String, (i64, i64)) {
    let mut moves = Vec::new();
    for choice in choices {
        // a letter, or the inverse of the one that goes the other way
        let ways = [("U", "D'", -1, 0), ("D", "U'", 1, 0), ("L", "R'", 0, -1), ("R", "L'", 0, 1)];
        let possible: Vec<_> = ways
            .into_iter()
            .filter(|(.., a, b)| (1..=rows).contains(&(i + a)) && (1..=columns).contains(&(j + b)))
            .collect();
        let (name, inverse, a, b) = possible[usize::from(choice / 2) % possible.len()];
        moves.push(if choice % 2 == 0 { name } else { inverse });
        (i, j) = (i + a, j + b);
    }
    (if moves.is_empty() { "U^0".to_string() } else { moves.join(" ") }, (i, j))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_of_words_where_a_blank_can_always_move((puzzle, words) in free_words::<3>(), a in -5i64..6) {
        assert_on(puzzle, &words, &[
            "wa wa' == ()",
            "(wa wb)' == wb' wa'",
            "[wa: wb wc] == [wa: wb] [wa: wc]",
            "wa^2 == wa wa",
            &format!("wa^{a} wa^{{-({a})}} == 1"),
            "wa^(10^20 * order(wa) + 1) == wa",
            "wa^{order(wa)} == ()",
            "product(moves(wa)) == wa",
            "reduce(wa wb') == wa wb'",
        ])?;
    }

    #[test]
    fn laws_of_boards_with_a_blank((puzzle, words) in free_words::<2>(), seed in 0u32..1000) {
        let prepare = format!("let b = shuffled({seed})\nfn walked(w) {{ var c = b; for m in moves(w) {{ c = m(c) }}; c }}\n");
        assert_on(&format!("{puzzle}\n{prepare}"), &words, &[
            "walked(wa) == wa(b)",
            "(wa wb)(b) == wb(wa(b))",
            "wa'(wa(b)) == b",
            "perm(wa(solved)) == perm(wa)",
            "all(at(p, wa(solved)) == wa(p) for p in cells)",
            "perm(wa) == wa",
            "solve(b, \"quick\")(b) == solved",
            "perm(factor(perm(b), \"quick\"))(solved) == b",
            "(sign(perm(wa)) == 1) == even(length(wa)) or len(cells) == 6 or len(cells) == 16",
        ])?;
    }

    /// What a word does wherever the blank is.
    #[test]
    fn words_are_equal_if_they_do_the_same_in_all_places((puzzle, words) in free_words::<2>()) {
        let letters = FREE.iter().find(|(name, _)| *name == puzzle).map(|(_, letters)| letters.join(", ")).expect("one of them");
        let prepare = format!("let ways = (a^i b^j for a in ({letters}), b in ({letters}), i in 0..3, j in 0..3)\n");
        assert_on(&format!("{puzzle}\n{prepare}"), &words, &[
            "(wa == wb) == all(wa(u(solved)) == wb(u(solved)) for u in ways)",
            "wa wb == wa wb^1 and (wa == wb) == (wa wb' == ())",
        ])?;
    }

    #[test]
    fn groups_of_pairs((seed, puzzle) in (0u32..1000, 1usize..3), words in prop::collection::vec(word(), 2)) {
        let (puzzle, letters) = FREE[puzzle];
        let words: Vec<String> = words.iter().map(|word| word.text(letters)).collect();
        assert_on(puzzle, &words, &[
            "wa in group() and wa wb in group(wa, wb)",
            "order(group(wa)) == order(wa)",
            "factor(wa) == wa",
            "solve(wa) == wa'",
            &format!("factor(random(group(), {seed})) == random(group(), {seed})"),
            &format!("wa random(group(), {seed}) == wa factor(random(group(), {seed}))"),
        ])?;
    }

    #[test]
    fn laws_of_words_of_a_blank_between_edges(first in prop::collection::vec(0u8..8, 0..20), second in prop::collection::vec(0u8..8, 0..20)) {
        let (wa, there) = walk(&first, (3, 4), (3, 4));
        let (wb, (i, j)) = walk(&second, (3, 4), there);
        assert_on("Sliding(3, 4)", &[wa, wb], &[
            "(wa wb)(solved) == wb(wa(solved))",
            "wa'(wa(solved)) == solved",
            "perm(wa wa') == ()",
            "perm((wa wb) wb' wa') == ()",
            &format!("blank((wa wb)(solved)) == ({i}, {j})"),
            "perm(wa wb) == perm(wb(wa(solved)))",
            "solve(wa(solved), \"quick\")(wa(solved)) == solved",
            "perm(factor(perm(wa wb), \"quick\")) == perm(wa wb)",
            "solvable(wa(solved)) and perm(wa wb wb' wa') in group()",
            "wa wa' wa == wa",
            "(wa wa' == ()) == (length(wa) == 0)",
            "wa wb wb' == wa wb wb' wb wb'",
        ])?;
    }
}
