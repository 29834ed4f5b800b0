//! What a word does on boards of every size, computed once for all of them, is what it does on each: random words on three
//! kinds of boards, against a few lines of plain arithmetic. First the maps themselves, whole; then what scripts prove.

use std::collections::HashMap;

use perm::module::Origin;
use perm::prove::{Constraint, FIRST, Form, Need, Piece, Piecewise, Region, Var};
use perm::random::Random;
use perm::report::{ClaimReport, Verdict};
use perm::session::{Script, Session, Watch};

type Cell = [i64; 2];

/// A board whose sizes are parameters, with letters as maps for all sizes and as plain functions for one.
struct Board {
    name: &'static str,
    /// what the parameters satisfy
    known: Region,
    parameters: usize,
    letters: Vec<Piecewise>,
    /// the image of a cell under a letter, or its inverse, for some parameters
    plain: fn(&[i64], usize, bool, Cell) -> Cell,
    /// the cells, for some parameters
    cells: fn(&[i64]) -> Vec<Cell>,
    /// the parameters that are tried
    sizes: Vec<Vec<i64>>,
}

fn parameter(number: u16) -> Form {
    Form::var(FIRST + number)
}

fn coordinate(number: Var) -> Form {
    Form::var(number)
}

fn sum(a: &Form, b: &Form) -> Form {
    a.add(b).expect("small numbers")
}

fn difference(a: &Form, b: &Form) -> Form {
    a.sub(b).expect("small numbers")
}

fn plus(a: &Form, value: i64) -> Form {
    a.plus(value).expect("small numbers")
}

/// `low <= form <= high`
fn between(low: &Form, form: &Form, high: &Form) -> [Constraint; 2] {
    [Constraint::less_eq(low, form).expect("small numbers"), Constraint::less_eq(form, high).expect("small numbers")]
}

fn at_least(form: &Form, least: i64) -> Constraint {
    Constraint::less_eq(&Form::int(least), form).expect("small numbers")
}

/// The turn of the block of side s whose upper left corner is at (r, c): (i, j) goes to (r + c + s - 1 - j, c - r + i).
fn turn(s: &Form, r: &Form, c: &Form) -> Piecewise {
    let (i, j) = (coordinate(0), coordinate(1));
    let side = plus(s, -1);
    let mut region = Region::all();
    for condition in between(r, &i, &sum(r, &side)).into_iter().chain(between(c, &j, &sum(c, &side))) {
        region.push(condition);
    }
    let to = vec![difference(&sum(&sum(r, c), &side), &j), sum(&difference(c, r), &i)];
    Piecewise { width: 2, pieces: vec![Piece { region, to }] }
}

fn turned(s: i64, r: i64, c: i64, back: bool, [i, j]: Cell) -> Cell {
    if i < r || i >= r + s || j < c || j >= c + s {
        [i, j]
    } else if back {
        [r - c + j, r + c + s - 1 - i]
    } else {
        [r + c + s - 1 - j, c - r + i]
    }
}

fn rectangle(rows: i64, columns: i64) -> Vec<Cell> {
    (1..=rows).flat_map(|i| (1..=columns).map(move |j| [i, j])).collect()
}

fn nrp() -> Board {
    let n = parameter(0);
    Board {
        name: "NRP(n)",
        known: Region::of(vec![at_least(&n, 2)]),
        parameters: 1,
        letters: vec![turn(&n, &Form::int(1), &Form::int(1)), turn(&n, &Form::int(1), &Form::int(2))],
        plain: |at, letter, back, cell| turned(at[0], 1, 1 + letter as i64, back, cell),
        cells: |at| rectangle(at[0], at[0] + 1),
        sizes: (2..=17).map(|n| vec![n]).collect(),
    }
}

/// Three blocks anywhere: the second one further down, the third further to the right.
fn rotation() -> Board {
    let (s, r, c) = (parameter(0), parameter(1), parameter(2));
    Board {
        name: "three blocks",
        known: Region::of(vec![at_least(&s, 2), at_least(&r, 1), at_least(&c, 1)]),
        parameters: 3,
        letters: vec![turn(&s, &r, &c), turn(&s, &plus(&r, 2), &plus(&c, 1)), turn(&s, &r, &plus(&c, 2))],
        plain: |at, letter, back, cell| {
            let (down, right) = [(0, 0), (2, 1), (0, 2)][letter];
            turned(at[0], at[1] + down, at[2] + right, back, cell)
        },
        cells: |at| rectangle(at[0] + at[1] + 2, at[0] + at[2] + 2),
        sizes: (2..=9).flat_map(|s| [vec![s, 1, 1], vec![s, 3, 2]]).collect(),
    }
}

/// Rows and columns as rings: two rows and two columns anywhere.
fn torus() -> Board {
    let (m, n, i, j) = (parameter(0), parameter(1), parameter(2), parameter(3));
    let mut known = Region::of(vec![at_least(&m, 2), at_least(&n, 2)]);
    for condition in
        between(&Form::int(1), &i, &plus(&m, -1)).into_iter().chain(between(&Form::int(1), &j, &plus(&n, -1)))
    {
        known.push(condition);
    }
    let ring = |fixed: Var, at: &Form, along: Var, length: &Form| {
        let on = Constraint::equal(&coordinate(fixed), at).expect("small numbers");
        let step = |from: &Form, to: &Form, image: Form| {
            let mut region = Region::of(vec![on.clone()]);
            between(from, &coordinate(along), to).into_iter().for_each(|condition| region.push(condition));
            let mut forms = vec![coordinate(0), coordinate(1)];
            forms[usize::from(along)] = image;
            Piece { region, to: forms }
        };
        let forward = step(&Form::int(1), &plus(length, -1), plus(&coordinate(along), 1));
        let around = step(length, length, Form::int(1));
        Piecewise { width: 2, pieces: vec![forward, around] }
    };
    Board {
        name: "Torus(m, n)",
        known,
        parameters: 4,
        letters: vec![
            ring(0, &i, 1, &n),
            ring(0, &plus(&i, 1), 1, &n),
            ring(1, &j, 0, &m),
            ring(1, &plus(&j, 1), 0, &m),
        ],
        plain: |at, letter, back, [i, j]| {
            let step = if back { -1 } else { 1 };
            let (m, n) = (at[0], at[1]);
            match letter {
                0 | 1 if i == at[2] + letter as i64 => [i, (j - 1 + step).rem_euclid(n) + 1],
                2 | 3 if j == at[3] + letter as i64 - 2 => [(i - 1 + step).rem_euclid(m) + 1, j],
                _ => [i, j],
            }
        },
        cells: |at| rectangle(at[0], at[1]),
        sizes: vec![
            vec![2, 2, 1, 1],
            vec![2, 5, 1, 3],
            vec![5, 3, 4, 1],
            vec![6, 6, 2, 5],
            vec![7, 9, 6, 4],
            vec![12, 8, 5, 7],
            vec![30, 40, 11, 29],
            vec![70, 70, 33, 35],
        ],
    }
}

/// A letter of a word, and whether it is the inverse.
type Letter = (usize, bool);

fn random_word(random: &mut Random, letters: usize, longest: usize) -> Vec<Letter> {
    (0..1 + random.index(longest)).map(|_| (random.index(letters), random.below(2) == 1)).collect()
}

fn written(word: &[Letter]) -> String {
    word.iter().map(|(letter, back)| format!("{letter}{}", if *back { "'" } else { "" })).collect::<Vec<_>>().join(" ")
}

/// What a word does, for each case of the parameters that has to be looked at alone; `None` if the mathematics gives up.
fn cases(board: &Board, known: &Region, word: &[Letter], found: &mut Vec<(Region, Piecewise)>) -> Option<()> {
    let product = || {
        let inverses = board.letters.iter().map(|map| map.inverse(known)).collect::<Result<Vec<_>, _>>()?;
        let mut map = Piecewise::identity(2);
        for (letter, back) in word {
            map = map.then(known, if *back { &inverses[*letter] } else { &board.letters[*letter] })?;
        }
        Ok(map)
    };
    match product() {
        Ok(map) => found.push((known.clone(), map)),
        Err(Need::Split(condition)) => {
            cases(board, &known.with(condition.clone()), word, found)?;
            for other in condition.negated().expect("small numbers") {
                cases(board, &known.with(other), word, found)?;
            }
        }
        Err(Need::Stuck(_)) => return None,
    }
    Some(())
}

/// The image of a cell under the map for all sizes, for one size.
fn image(map: &Piecewise, sizes: &[i64], cell: Cell, said: &str) -> Cell {
    let at = |var: Var| match usize::from(var) {
        coordinate @ 0..2 => Some(cell[coordinate]),
        other => sizes.get(other.checked_sub(usize::from(FIRST))?).copied(),
    };
    let pieces: Vec<&Piece> = map.pieces.iter().filter(|piece| piece.region.holds(&at)).collect();
    assert!(pieces.len() <= 1, "{said}: {cell:?} is in {} pieces", pieces.len());
    match pieces.first() {
        None => cell,
        Some(piece) => [0, 1].map(|d: usize| {
            let value = piece.to[d].value(&at).expect("all variables have values");
            assert!(value.is_integer(), "{said}: {cell:?} goes to a fraction");
            value.to_integer() as i64
        }),
    }
}

/// Random words: the map for all sizes against each size. Says how many maps were compared.
fn compare(board: &Board, words: usize, longest: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut given_up = 0;
    for _ in 0..words {
        let word = random_word(&mut random, board.letters.len(), longest);
        let mut found = Vec::new();
        if cases(board, &board.known, &word, &mut found).is_none() {
            given_up += 1;
            continue;
        }
        for sizes in &board.sizes {
            let said = format!("{} at {sizes:?}, {}", board.name, written(&word));
            let parameters = |var: Var| sizes.get(usize::from(var).checked_sub(usize::from(FIRST))?).copied();
            let fitting: Vec<&Piecewise> =
                found.iter().filter(|(region, _)| region.holds(&parameters)).map(|(_, map)| map).collect();
            assert_eq!(sizes.len(), board.parameters);
            assert_eq!(fitting.len(), 1, "{said}: cases cover the parameters once");
            for cell in (board.cells)(sizes) {
                let expected =
                    word.iter().fold(cell, |cell, (letter, back)| (board.plain)(sizes, *letter, *back, cell));
                assert_eq!(image(fitting[0], sizes, cell, &said), expected, "{said}: from {cell:?}");
            }
        }
    }
    assert!(10 * given_up <= words, "{}: {given_up} of {words} words were given up", board.name);
}

#[test]
fn the_map_of_a_random_word_on_nrp_is_right_for_every_size() {
    compare(&nrp(), 40, 60, 1);
}

#[test]
fn the_map_of_a_random_word_of_three_blocks_is_right_for_every_size_and_place() {
    compare(&rotation(), 30, 14, 2);
}

#[test]
fn the_map_of_a_random_word_on_a_torus_is_right_for_every_size_and_place() {
    compare(&torus(), 40, 14, 3);
}

// What scripts prove

/// A claim about the image of one cell, given by its distances from the corners, and whether it is true.
struct Statement {
    text: String,
    is_true: bool,
}

/// `n - 3`, `4`
fn shown(by_n: bool, value: i64) -> String {
    match (by_n, value) {
        (false, value) => value.to_string(),
        (true, 0) => "n".to_string(),
        (true, value) if value < 0 => format!("n - {}", -value),
        (true, value) => format!("n + {value}"),
    }
}

/// Images of random words on NRP(n), found by plain arithmetic for large n, and the least n from which they are so.
fn statements(words: usize, longest: usize, seed: u64) -> Vec<Statement> {
    let board = nrp();
    let mut random = Random::new(seed);
    let mut statements = Vec::new();
    for number in 0..words {
        let word = random_word(&mut random, 2, longest);
        let text: Vec<String> = word
            .iter()
            .map(|(letter, back)| format!("{}{}", ["X", "Y"][*letter], if *back { "'" } else { "" }))
            .collect();
        // a cell near a corner: each coordinate counts from 1 or from n
        let ends = [random.below(2) == 1, random.below(2) == 1];
        let near = [random.below(4) as i64, random.below(4) as i64];
        let coordinates = |n: i64| [0, 1].map(|d: usize| if ends[d] { n - near[d] } else { 1 + near[d] });
        let goes_to =
            |n: i64| word.iter().fold(coordinates(n), |cell, (letter, back)| (board.plain)(&[n], *letter, *back, cell));
        let (large, larger) = (goes_to(400), goes_to(401));
        let by_n = [0, 1].map(|d: usize| larger[d] - large[d]);
        if by_n.iter().any(|slope| !(0..=1).contains(slope)) {
            continue;
        }
        let form = |d: usize| (by_n[d] == 1, large[d] - 400 * by_n[d]);
        let expected = |n: i64| [0, 1].map(|d: usize| form(d).1 + n * by_n[d]);
        let least = (4..400).rev().take_while(|n| goes_to(*n) == expected(*n)).last().unwrap_or(400);
        if least > 200 {
            continue;
        }
        let from = [0, 1].map(|d: usize| if ends[d] { shown(true, -near[d]) } else { (1 + near[d]).to_string() });
        let mut add = |change: i64, is_true: bool| {
            let to = [shown(form(0).0, form(0).1 + change), shown(form(1).0, form(1).1)];
            statements.push(Statement {
                text: format!(
                    "claim \"{number}\" for all n >= {least} on NRP(n) {{ assert ({})({}, {}) == ({}, {}) }}\n",
                    text.join(" "),
                    from[0],
                    from[1],
                    to[0],
                    to[1]
                ),
                is_true,
            });
        };
        add(0, true);
        add(1, false);
    }
    statements
}

fn claims(text: String) -> Vec<ClaimReport> {
    let script = Script::new(Origin::Text("random".to_string()), text);
    let report = Session::new(Default::default()).check(&[script], &Watch::default(), &mut |_, _| ());
    assert!(report.errors.is_empty(), "{:#?}", report.errors);
    report.claims
}

#[test]
fn where_a_random_word_takes_a_cell_is_proved_and_nothing_else_is() {
    let statements = statements(60, 60, 4);
    assert!(statements.len() > 60, "only {} statements", statements.len());
    let found = claims(statements.iter().map(|statement| statement.text.as_str()).collect());
    let mut verdicts: HashMap<bool, usize> = HashMap::new();
    for (statement, claim) in statements.iter().zip(&found) {
        if statement.is_true {
            assert_ne!(claim.verdict, Verdict::Refuted, "{}", statement.text);
        } else {
            assert_ne!(claim.verdict, Verdict::Proved, "{}", statement.text);
        }
        *verdicts.entry(claim.verdict == Verdict::Proved).or_default() += usize::from(statement.is_true);
    }
    let proved = verdicts.get(&true).copied().unwrap_or_default();
    assert_eq!(proved, statements.len() / 2, "every true statement is proved");
}
