//! Words and permutations.

use std::sync::Arc;

use num_bigint::BigInt;

use super::{Builtin, Call, Kind, function, one};
use crate::diagnostic::codes;
use crate::run::group::point_value;
use crate::run::machine::Machine;
use crate::run::value::{PermValue, Set, Value, WordValue};
use crate::run::{Fault, Run};
use crate::source::Span;
use crate::word::{Letter, Shape, TooLong, Word};

pub(super) static FUNCTIONS: &[Builtin] = &[
    function(
        "length",
        "words",
        &[one("w", Kind::Word)],
        "The number of moves of a word, counted one by one. Exact for words of any size, which are never spelled out for it. `X^-3` has length 3, `X X'` has length 2.",
        &[("NRP(6): length((Y X)^4)", "8"), ("NRP(6): length((X Y)^(10^30))", "2000000000000000000000000000000")],
        length,
    ),
    function(
        "runs",
        "words",
        &[one("w", Kind::Word)],
        "The number of runs of a word: moves of one kind in a row count once, whatever their signs.",
        &[("NRP(6): runs(X Y Y X Y' X')", "5")],
        runs,
    ),
    function(
        "moves",
        "words",
        &[one("w", Kind::Word)],
        "The moves of a word, spelled out: a tuple of words of one move each.",
        &[("NRP(6): moves(X Y^2)", "(X, Y, Y)")],
        moves,
    ),
    function(
        "reduce",
        "words",
        &[one("w", Kind::Word)],
        "The word without neighbours that undo each other: `X X'` disappears.",
        &[("NRP(6): reduce(X Y Y' X)", "X^2")],
        reduce,
    ),
    function(
        "inverse",
        "words",
        &[one("w", Kind::Word)],
        "The inverse of a word or permutation, the same as `w'`.",
        &[("NRP(6): inverse(X Y) == Y' X'", "true")],
        inverse,
    ),
    function(
        "perm",
        "words",
        &[one("w", Kind::WordOrBoard)],
        "What a word does, as a permutation: it says where the content of each cell goes. Of a board, the permutation that leads to it from the solved one.",
        &[("NRP(2): perm(X)", "((1,1) (2,1) (2,2) (1,2))")],
        perm,
    ),
    function(
        "order",
        "words",
        &[one("w", Kind::WordOrGroup)],
        "The least k ≥ 1 for which `w^k` does nothing. Of a group: the number of its elements.",
        &[("NRP(6): order(X)", "4"), ("order(group((1 2 3), (3 4 5)))", "60")],
        order,
    ),
    function(
        "cycles",
        "words",
        &[one("w", Kind::Word)],
        "The cycles of length 2 or more, as tuples of cells, each from its first cell in order of declaration.",
        &[
            ("NRP(2): cycles(X)", "(((1, 1), (2, 1), (2, 2), (1, 2)),)"),
            ("cycles((1 2 3)(5 6))", "((1, 2, 3), (5, 6))"),
        ],
        cycles,
    ),
    function(
        "cycle_type",
        "words",
        &[one("w", Kind::Word)],
        "The lengths above 1 of the cycles, from the longest: `(3,)` is one cycle of length 3.",
        &[("cycle_type((1 2)(3 4 5))", "(3, 2)"), ("cycle_type((1 2)^2)", "()")],
        cycle_type,
    ),
    function(
        "is_cycle",
        "words",
        &[one("w", Kind::Word), one("k", Kind::Integer)],
        "Does the word do exactly one cycle of length k?",
        &[("is_cycle((1 2 3), 3)", "true"), ("is_cycle((1 2)(3 4), 2)", "false")],
        is_cycle,
    ),
    function(
        "support",
        "words",
        &[one("w", Kind::Word)],
        "The set of the cells that a word moves.",
        &[("support((1 3)(2 5))", "{1, 2, 3, 5}")],
        support,
    ),
    function(
        "fixed",
        "words",
        &[one("w", Kind::Word)],
        "The set of the cells of the puzzle that a word does not move.",
        &[("NRP(2): fixed(X)", "{(1, 3), (2, 3)}")],
        fixed,
    ),
    function(
        "sign",
        "words",
        &[one("w", Kind::Word)],
        "1 for an even permutation, -1 for an odd one.",
        &[("sign((1 2 3))", "1"), ("sign((1 2))", "-1")],
        sign,
    ),
    function(
        "same_moves",
        "words",
        &[one("a", Kind::Word), one("b", Kind::Word)],
        "Are two words the same moves once neighbours that undo each other are removed? `==` compares what they do instead.",
        &[("NRP(6): same_moves(X Y Y' X, X^2)", "true"), ("NRP(6): same_moves(X^4, ())", "false")],
        same_moves,
    ),
    function(
        "tally",
        "words",
        &[one("w", Kind::Word)],
        "How often each move occurs in a word, whatever its direction: a dictionary from the names of the moves.",
        &[("NRP(6): tally((X Y')^3 X)", "map(\"X\" -> 4, \"Y\" -> 3)")],
        tally,
    ),
    function(
        "translate",
        "words",
        &[one("w", Kind::Word), super::many("pairs", Kind::Pairs)],
        "The word with moves replaced: `translate(w, X -> Y', Y -> X')`. Moves that are not named stay; the words may also be of another puzzle, then every move that occurs must be named.",
        &[("NRP(6): translate([X, Y], X -> Y', Y -> X')", "[Y', X']")],
        translate,
    ),
    function(
        "cycle",
        "words",
        &[one("xs", Kind::Sequence)],
        "The cycle through the cells of a tuple: each goes to the next, the last to the first. Fewer than two cells give the identity.",
        &[("cycle(1..4)", "(1 2 3 4)"), ("cycle((7,))", "()")],
        cycle,
    ),
    Builtin {
        lambda: true,
        ..function(
            "permutation",
            "words",
            &[one("rule", Kind::Function)],
            "The permutation of the cells that a rule describes, checked like a move: `permutation((i, j) -> (i, n + 2 - j))` mirrors a board.",
            &[("NRP(2): permutation((i, j) -> (i, 4 - j))", "((1,1) (1,3))((2,1) (2,3))")],
            permutation,
        )
    },
];

fn length(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let word = only_word(machine, &call, "length")?;
    Ok(Value::integer(BigInt::from(word.word.length())))
}

fn runs(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let word = only_word(machine, &call, "runs")?;
    Ok(Value::integer(BigInt::from(word.word.runs())))
}

/// Lengths and moves belong to words, not to permutations.
fn only_word(machine: &mut Machine<'_>, call: &Call, what: &str) -> Run<WordValue> {
    match &call.args[0] {
        Value::Perm(_) => Err(Fault::at(
            codes::WRONG_KIND,
            call.span_of(0),
            format!("`{what}` is about the moves of a word; a permutation has none"),
            "this is a permutation",
            "give it the word itself, without cycles in it",
        )),
        value => machine.word_of(value, call.span_of(0)),
    }
}

fn too_long(error: &TooLong, span: Span) -> Fault {
    Fault::Budget(Box::new(
        crate::diagnostic::Diagnostic::at(
            codes::TOO_MUCH_MEMORY,
            span,
            format!("this word has {} moves", error.length),
            "too long to spell out",
        )
        .help("ask what it does (`perm`, `cycles`, `order`) or for its `length`: they need no spelling out"),
    ))
}

fn moves(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let word = only_word(machine, &call, "moves")?;
    let letters = word.word.spell(machine.spell_limit()).map_err(|error| too_long(&error, span))?;
    let Some(instance) = &word.of else { return Ok(Value::tuple(Vec::new())) };
    machine.charge(letters.len() as u64, span)?;
    let words = letters
        .into_iter()
        .map(|letter| {
            let word = Word::letters(instance.alphabet(), vec![letter]).unwrap_or_default();
            Value::Word(WordValue { word, of: Some(instance.clone()) })
        })
        .collect();
    Ok(Value::tuple(words))
}

fn reduce(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let word = only_word(machine, &call, "reduce")?;
    let reduced = word.word.reduce(machine.spell_limit()).map_err(|error| too_long(&error, span))?;
    Ok(Value::Word(WordValue { word: reduced, of: word.of }))
}

fn inverse(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let exponent = Value::Int(-1);
    machine.power(call.args[0].clone(), &exponent, span, span)
}

fn perm(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    if let Value::Board(board) = &call.args[0] {
        return Ok(Value::Perm(PermValue { perm: board.board.perm(), of: Some(board.of.clone()) }));
    }
    machine.perm_of(&call.args[0], call.span_of(0)).map(Value::Perm)
}

fn order(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    if let Value::Group(group) = &call.args[0] {
        let order = machine.with_work(span, |work| group.group.order(work))?;
        return Ok(Value::integer(BigInt::from(order)));
    }
    if let Value::Word(word) = &call.args[0]
        && let Some(of) = machine.slid_instance(word)
    {
        return machine.slid_order(word, &of, call.span_of(0)).map(Value::integer);
    }
    let perm = machine.perm_of(&call.args[0], call.span_of(0))?;
    Ok(Value::integer(BigInt::from(perm.perm.order())))
}

fn cycles(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let PermValue { perm, of } = machine.perm_of(&call.args[0], call.span_of(0))?;
    let cycles = perm
        .cycles()
        .into_iter()
        .map(|cycle| Value::tuple(cycle.into_iter().map(|cell| point_value(&of, cell)).collect()));
    Ok(Value::tuple(cycles.collect()))
}

fn cycle_type(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let perm = machine.perm_of(&call.args[0], call.span_of(0))?;
    Ok(Value::tuple(perm.perm.cycle_type().into_iter().map(Value::count).collect()))
}

fn is_cycle(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let perm = machine.perm_of(&call.args[0], call.span_of(0))?;
    let length = machine.small_count(&call.args[1], call.span_of(1), "a length")?;
    let lengths = perm.perm.cycle_type();
    // a cycle of length 1 moves nothing
    Ok(Value::Bool(if length <= 1 { length == 1 && lengths.is_empty() } else { lengths == [length as usize] }))
}

fn support(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let PermValue { perm, of } = machine.perm_of(&call.args[0], call.span_of(0))?;
    Ok(Value::Set(Arc::new(Set::new(perm.support().into_iter().map(|cell| point_value(&of, cell)).collect()))))
}

fn fixed(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let PermValue { perm, of } = machine.perm_of(&call.args[0], call.span_of(0))?;
    if of.is_none() {
        return Err(Fault::at(
            codes::NO_PUZZLE,
            span,
            "outside a puzzle a permutation fixes almost all integers",
            "no puzzle is in force",
            "put it into `on PUZZLE(…) { … }`, or ask for `support`",
        ));
    }
    let cells = (0..perm.degree() as u32)
        .filter(|cell| perm.image(*cell) == *cell)
        .map(|cell| point_value(&of, cell))
        .collect();
    Ok(Value::Set(Arc::new(Set::new(cells))))
}

fn sign(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let perm = machine.perm_of(&call.args[0], call.span_of(0))?;
    Ok(Value::Int(i64::from(perm.perm.sign())))
}

fn same_moves(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let a = only_word(machine, &call, "same_moves")?;
    let second = Call { args: vec![call.args[1].clone()], spans: vec![call.span_of(1)], ..Call::default() };
    let b = only_word(machine, &second, "same_moves")?;
    let mut of = None;
    machine.same_puzzle(&mut of, &a.of, call.span_of(0))?;
    machine.same_puzzle(&mut of, &b.of, call.span_of(1))?;
    let same = Word::same_moves(&a.word, &b.word, machine.spell_limit()).map_err(|error| too_long(&error, span))?;
    Ok(Value::Bool(same))
}

fn tally(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let word = only_word(machine, &call, "tally")?;
    let mut counts = indexmap::IndexMap::new();
    if let Some(instance) = &word.of {
        for (generator, count) in word.word.tally() {
            let name = Value::text(instance.alphabet().name(generator));
            counts.insert(crate::run::value::Key(name), Value::integer(BigInt::from(count)));
        }
    }
    Ok(Value::Map(Arc::new(counts)))
}

fn translate(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let word = only_word(machine, &call, "translate")?;
    let mut of = None;
    let mut images: Vec<(usize, Word)> = Vec::new();
    for (from, to) in &call.pairs {
        let from = machine.word_of(from, span)?;
        let to = machine.word_of(to, span)?;
        machine.same_puzzle(&mut of, &to.of, span)?;
        match from.word.shape() {
            Shape::Letters([letter]) if !letter.is_inverse() => images.push((letter.generator(), to.word)),
            _ => {
                return Err(Fault::at(
                    codes::BAD_ARGUMENT,
                    span,
                    format!("`{}` is not a single move", from.word),
                    "moves are replaced one by one",
                    "write pairs such as `X -> Y'`",
                ));
            }
        }
    }
    let stays = match (&of, &word.of) {
        (Some(new), Some(old)) => Arc::ptr_eq(new, old),
        _ => true,
    };
    if of.is_none() || stays {
        of = word.of.clone();
    }
    let mut missing = None;
    let translated = word.word.substitute(&mut |letter: Letter| {
        let found = images.iter().find(|(generator, _)| *generator == letter.generator()).map(|(_, word)| word.clone());
        match (found, stays, &word.of) {
            (Some(word), ..) => word,
            (None, true, Some(instance)) => {
                Word::letters(instance.alphabet(), vec![Letter::new(letter.generator(), false)]).unwrap_or_default()
            }
            _ => {
                missing.get_or_insert(letter.generator());
                Word::empty()
            }
        }
    });
    if let (Some(generator), Some(instance)) = (missing, &word.of) {
        return Err(Fault::at(
            codes::BAD_ARGUMENT,
            span,
            format!("nothing is said about `{}`", instance.alphabet().name(generator)),
            "a move without a translation",
            "add a pair for it",
        ));
    }
    let word = translated.map_err(|_| crate::run::effect::other_puzzle(span, "", ""))?;
    Ok(Value::Word(WordValue { word, of }))
}

fn cycle(machine: &mut Machine<'_>, call: Call, _: Span) -> Run<Value> {
    let elements = machine.elements_of(&call.args[0], call.span_of(0))?;
    machine.cycle_of(&elements, call.span_of(0)).map(Value::Perm)
}

fn permutation(machine: &mut Machine<'_>, call: Call, span: Span) -> Run<Value> {
    let instance = machine.in_force(span)?;
    let mut images = Vec::with_capacity(instance.cells.len());
    for cell in 0..instance.cells.len() as u32 {
        let from = instance.cell(cell);
        let to = machine.apply(&call.args[0], vec![from.clone()], span)?;
        match instance.number_of(&to) {
            Some(number) => images.push(number),
            None => {
                let (from, to) = (machine.print(&from), machine.print(&to));
                return Err(Fault::at(
                    codes::OFF_BOARD,
                    call.span_of(0),
                    format!("this rule sends {from} off the board of {}", instance.name),
                    format!("to {to}, which is no cell"),
                    "the rule must give a cell for every cell",
                ));
            }
        }
    }
    let place = call.span_of(0);
    let perm = machine.bijection(&instance, images, |_| place, "this rule")?;
    Ok(Value::Perm(PermValue { perm, of: Some(instance) }))
}
