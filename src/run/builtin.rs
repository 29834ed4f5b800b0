//! The built-in functions. One declaration each: name, parameters with their kinds, documentation and examples; help,
//! completion, the reference and its tests are read from it.

mod boards;
mod cells;
mod groups;
mod numbers;
mod search;
mod sequences;
mod shortest;
mod words;

use std::sync::LazyLock;

pub(super) use boards::tile_number;
pub(super) use groups::why_not;
pub(super) use search::all_named as word_search;

use super::machine::Machine;
use super::value::Value;
use super::{Fault, Run};
use crate::diagnostic::codes;
use crate::resolve::{BuiltinName, how_many};
use crate::source::Span;

/// What an argument must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// a word, a permutation, or 1
    Word,
    Number,
    Integer,
    /// a tuple, a range, a set, or a dictionary
    Sequence,
    Set,
    /// a cell, or its coordinates as several arguments
    Cell,
    Text,
    /// a function of the script
    Function,
    /// pairs `a -> b`
    Pairs,
    Board,
    Group,
    Homomorphism,
    /// a word, a permutation, 1, or a board
    WordOrBoard,
    /// a word, a permutation, 1, or a group
    WordOrGroup,
    /// a sequence, a set, or a group
    SequenceOrGroup,
    Any,
}

impl Kind {
    pub fn text(self) -> &'static str {
        match self {
            Kind::Word => "a word or permutation",
            Kind::Number => "a number",
            Kind::Integer => "an integer",
            Kind::Sequence => "a sequence or set",
            Kind::Set => "a set",
            Kind::Cell => "a cell",
            Kind::Text => "a string",
            Kind::Function => "a function",
            Kind::Pairs => "pairs `a -> b`",
            Kind::Board => "a board",
            Kind::Group => "a group",
            Kind::Homomorphism => "a homomorphism",
            Kind::WordOrBoard => "a word, a permutation or a board",
            Kind::WordOrGroup => "a word, a permutation or a group",
            Kind::SequenceOrGroup => "a sequence, a set or a group",
            Kind::Any => "anything",
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub optional: bool,
    /// takes all further arguments too
    pub many: bool,
}

/// A built-in function.
pub struct Builtin {
    pub name: &'static str,
    pub topic: &'static str,
    pub params: &'static [Param],
    /// arguments with a name, each with what may stand there: `by: f`
    pub labels: &'static [(&'static str, &'static str)],
    /// `p -> e` arguments are functions
    pub lambda: bool,
    /// without parentheses it is the value of a call without arguments
    pub bare: bool,
    pub doc: &'static str,
    /// an expression (the puzzle before a colon, if any) and what it prints
    pub examples: &'static [(&'static str, &'static str)],
    pub(super) run: fn(&mut Machine<'_>, Call, Span) -> Run<Value>,
}

impl Builtin {
    /// `order(w)`, `sorted(xs, by: f)`
    pub fn signature(&self) -> String {
        let mut params: Vec<String> = self
            .params
            .iter()
            .map(|param| match (param.optional, param.many) {
                (_, true) => format!("{}, …", param.name),
                (true, _) => format!("[{}]", param.name),
                _ => param.name.to_string(),
            })
            .collect();
        params.extend(self.labels.iter().map(|(label, sample)| format!("[{label}: {sample}]")));
        format!("{}({})", self.name, params.join(", "))
    }
}

/// The arguments of a call.
#[derive(Default, Debug)]
pub struct Call {
    pub args: Vec<Value>,
    pub spans: Vec<Span>,
    pub labelled: Vec<(Box<str>, Value, Span)>,
    pub pairs: Vec<(Value, Value)>,
    /// where the two sides of each pair stand
    pub pair_spans: Vec<(Span, Span)>,
    pub span: Span,
}

impl Call {
    pub fn plain(args: Vec<Value>, span: Span) -> Call {
        Call { spans: vec![span; args.len()], args, span, ..Call::default() }
    }

    pub(super) fn span_of(&self, at: usize) -> Span {
        self.spans.get(at).copied().unwrap_or(self.span)
    }

    /// An argument with a name, and its place.
    pub(super) fn labelled(&self, label: &str) -> Option<(Value, Span)> {
        let named = self.labelled.iter().find(|(name, ..)| &**name == label);
        named.map(|(_, value, span)| (value.clone(), *span))
    }

    /// The function given as `by:`.
    pub(super) fn by(&self) -> Option<Value> {
        self.labelled("by").map(|(value, _)| value)
    }
}

pub(super) const fn one(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: false, many: false }
}

pub(super) const fn many(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: false, many: true }
}

/// A declaration with the usual settings.
pub(super) const fn function(
    name: &'static str,
    topic: &'static str,
    params: &'static [Param],
    doc: &'static str,
    examples: &'static [(&'static str, &'static str)],
    run: fn(&mut Machine<'_>, Call, Span) -> Run<Value>,
) -> Builtin {
    Builtin { name, topic, params, labels: &[], lambda: false, bare: false, doc, examples, run }
}

/// `by: f`
pub(super) const BY: &[(&str, &str)] = &[("by", "f")];

/// All built-in functions; a function's number is its place here.
pub static ALL: LazyLock<Vec<&'static Builtin>> = LazyLock::new(|| {
    [
        words::FUNCTIONS,
        cells::FUNCTIONS,
        boards::FUNCTIONS,
        numbers::FUNCTIONS,
        sequences::FUNCTIONS,
        search::FUNCTIONS,
        shortest::FUNCTIONS,
        groups::MADE,
        groups::MOVES,
        groups::POINTS,
        groups::SUBGROUPS,
        groups::MAPS,
    ]
    .into_iter()
    .flatten()
    .collect()
});

/// What the resolver needs to know of them, in the same order.
pub static NAMES: LazyLock<Vec<BuiltinName>> = LazyLock::new(|| {
    let name = |builtin: &&Builtin| BuiltinName { name: builtin.name, lambda: builtin.lambda, bare: builtin.bare };
    ALL.iter().map(name).collect()
});

/// Checks the arguments against the declaration and calls.
pub(super) fn call(machine: &mut Machine<'_>, id: u32, mut call: Call, span: Span) -> Run<Value> {
    let Some(builtin) = ALL.get(id as usize).copied() else {
        return Err(Fault::at(codes::INTERNAL, span, "an unknown function", "here", "please report this"));
    };
    let wrong = |label: String| {
        Fault::at(
            codes::WRONG_ARGUMENTS,
            span,
            format!("`{}` does not take these arguments", builtin.name),
            label,
            format!("write `{}`: {}", builtin.signature(), first_sentence(builtin.doc)),
        )
    };
    for (label, _, place) in &call.labelled {
        if !builtin.labels.iter().any(|(known, _)| **known == **label) {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                *place,
                format!("`{}` has no argument `{label}:`", builtin.name),
                "here",
                match builtin.labels {
                    [(known, sample)] => format!("the one with a name is `{known}:`, as in `{known}: {sample}`"),
                    _ => format!("write `{}`", builtin.signature()),
                },
            ));
        }
    }
    let takes_pairs = builtin.params.iter().any(|param| param.kind == Kind::Pairs);
    if !call.pairs.is_empty() && !takes_pairs {
        return Err(wrong("pairs `a -> b` here".to_string()));
    }
    // a cell may be given by its coordinates
    if let [Param { kind: Kind::Cell, .. }, further @ ..] = builtin.params {
        let board = call.args.last().filter(|value| matches!(value, Value::Board(_)) && !further.is_empty()).cloned();
        let coordinates = call.args.len() - usize::from(board.is_some());
        let last = call.args.len().saturating_sub(1);
        if let Some(Value::Word(_) | Value::Perm(_)) = call.args.get(last).filter(|_| last > 0 && !further.is_empty()) {
            let place = call.span_of(last);
            let written = machine.source_text(place);
            return Err(Fault::at(
                codes::WRONG_KIND,
                place,
                format!("`{}` asks a board, not {}", builtin.name, call.args[last].kind()),
                format!("this is {}", call.args[last].kind()),
                format!("the board after it is `{}(solved)`", in_parentheses(&written)),
            ));
        }
        if coordinates > 1 {
            let whole = call.span;
            call.args.truncate(coordinates);
            let cell = Value::tuple(std::mem::take(&mut call.args));
            call = Call::plain([cell].into_iter().chain(board).collect(), whole);
        }
    }
    let plain: Vec<Param> = builtin.params.iter().copied().filter(|param| param.kind != Kind::Pairs).collect();
    let least = plain.iter().filter(|param| !param.optional).count();
    let most = if plain.iter().any(|param| param.many) { usize::MAX } else { plain.len() };
    if call.args.len() < least || call.args.len() > most {
        let takes = if most == usize::MAX {
            format!("at least {}", how_many(least, "argument"))
        } else if least == most {
            how_many(most, "argument")
        } else {
            format!("{least} to {most} arguments")
        };
        let takes = if takes_pairs { format!("{takes} and pairs `a -> b`") } else { takes };
        return Err(Fault::at(
            codes::WRONG_ARGUMENTS,
            span,
            format!("`{}` takes {takes}", builtin.name),
            format!("{} given", call.args.len()),
            format!("write `{}`: {}", builtin.signature(), first_sentence(builtin.doc)),
        ));
    }
    for at in 0..call.args.len() {
        let kind = plain.get(at).or(plain.last()).map_or(Kind::Any, |param| param.kind);
        let place = call.span_of(at);
        let value = &call.args[at];
        let fits = match kind {
            Kind::Any | Kind::Pairs => true,
            Kind::WordOrGroup if matches!(value, Value::Group(_)) => true,
            Kind::SequenceOrGroup if matches!(value, Value::Group(_)) => true,
            Kind::WordOrBoard if matches!(value, Value::Board(_)) => true,
            Kind::Word | Kind::WordOrGroup | Kind::WordOrBoard => {
                machine_word(machine, &mut call, at)?;
                true
            }
            Kind::Board => matches!(value, Value::Board(_)),
            Kind::Group => matches!(value, Value::Group(_)),
            Kind::Homomorphism => matches!(value, Value::Homomorphism(_)),
            Kind::Number => value.is_number(),
            Kind::Integer => matches!(value, Value::Int(_) | Value::Big(_)),
            Kind::Sequence | Kind::SequenceOrGroup => {
                matches!(value, Value::Tuple(_) | Value::Range(..) | Value::Set(_) | Value::Map(_) | Value::Text(_))
            }
            Kind::Set => matches!(value, Value::Set(_)),
            Kind::Cell => matches!(value, Value::Int(_) | Value::Tuple(_) | Value::Range(..)),
            Kind::Text => matches!(value, Value::Text(_)),
            Kind::Function => matches!(value, Value::Function(_) | Value::Builtin(_)),
        };
        if !fits {
            let kind_here = call.args[at].kind();
            let help = match &call.args[at] {
                Value::Group(_) if kind == Kind::Sequence => {
                    "the number of elements is `order(G)`; of a small group `elements(G)` is the tuple of all"
                        .to_string()
                }
                Value::Word(_) | Value::Perm(_) | Value::Family(..) if kind == Kind::Group => {
                    let written = machine.source_text(place);
                    format!("the group that it generates is `group({})`", written.trim())
                }
                _ => format!("write `{}`: {}", builtin.signature(), first_sentence(builtin.doc)),
            };
            return Err(Fault::at(
                codes::WRONG_KIND,
                place,
                format!("`{}` needs {} here, not {kind_here}", builtin.name, kind.text()),
                format!("this is {kind_here}"),
                help,
            ));
        }
    }
    if !machine.shared.note_facts {
        return (builtin.run)(machine, call, span);
    }
    let (args, pairs) = (call.args.clone(), call.pairs.clone());
    let answer = (builtin.run)(machine, call, span)?;
    machine.note_call(builtin.name, &args, &pairs, &answer);
    Ok(answer)
}

/// Turns 1, `()` and a family with a default member into a word.
fn machine_word(machine: &mut Machine<'_>, call: &mut Call, at: usize) -> Run<()> {
    if !matches!(call.args[at], Value::Word(_) | Value::Perm(_)) {
        let place = call.span_of(at);
        let word = machine.word_of(&call.args[at].clone(), place)?;
        call.args[at] = Value::Word(word);
    }
    Ok(())
}

/// A word of several moves stands in parentheses before what it acts on.
pub(super) fn in_parentheses(word: &str) -> String {
    match word.contains(' ') && !word.starts_with(['(', '[']) {
        true => format!("({word})"),
        false => word.to_string(),
    }
}

fn first_sentence(doc: &str) -> &str {
    doc.split_inclusive('.').next().unwrap_or(doc).trim_end_matches('.')
}

/// What all elements have to be for a quantifier to go on: true for `all`, false for `any`. `None` for other functions.
pub(super) fn quantifier(id: u32) -> Option<bool> {
    match ALL.get(id as usize)?.name {
        "all" => Some(true),
        "any" => Some(false),
        _ => None,
    }
}

impl Machine<'_> {
    /// The elements of an argument, in order.
    pub(super) fn elements_of(&mut self, value: &Value, span: Span) -> Run<Vec<Value>> {
        let count = value.size().unwrap_or(0);
        self.room_for(count as u128, span)?;
        self.charge(count as u64 / 16, span)?;
        Ok(match value {
            Value::Set(set) => self.in_order(set),
            Value::Map(map) => map.keys().map(|key| key.0.clone()).collect(),
            Value::Text(text) => text.chars().map(|c| Value::text(c.to_string())).collect(),
            other => other.elements().unwrap_or_default(),
        })
    }

    /// Applies a function value to arguments.
    pub(super) fn apply(&mut self, function: &Value, args: Vec<Value>, span: Span) -> Run<Value> {
        self.call_value(function, Call::plain(args, span), span)
    }
}
