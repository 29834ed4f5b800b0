//! Atoms side by side: calls, images, members, products and cycles. Kinds decide (guide, "atoms side by side").

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::builtin::{self, Call};
use super::expression::{again, member_text};
use super::instance::cell_text;
use super::machine::Machine;
use super::value::{Fraction, Key, PermValue, Set, Value, WordValue};
use super::{Fault, Instance, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::perm::Perm;
use crate::resolve::program::*;
use crate::source::Span;
use crate::word::Word;

/// A factor of a run, evaluated.
struct Factor {
    value: Value,
    span: Span,
    /// a number written as digits
    digits: bool,
}

impl Machine<'_> {
    /// A run of atoms. `in_parentheses`: cells side by side are then a cycle.
    pub(super) fn run(&mut self, factors: &[Fx], span: Span, in_parentheses: bool) -> Run<Value> {
        let mut done: Vec<Factor> = Vec::with_capacity(factors.len());
        let mut at = 0;
        let mut waiting: Option<Value> = None;
        while let Some(factor) = factors.get(at) {
            let mut value = match waiting.take() {
                Some(value) => value,
                None => self.eval(&factor.atom)?,
            };
            value = self.postfixes(value, factor)?;
            let mut place = factor.span;
            let digits = matches!(factor.atom.kind, ExKind::Int(_) | ExKind::Big(_));
            at += 1;
            // what follows may belong to it: arguments, an image, an index
            while let Some(next) = factors.get(at) {
                let joined = match &next.atom.kind {
                    ExKind::Paren(_) if !in_parentheses && !callable(&value) => {
                        return Err(not_callable(&value, &self.source_text(place), place.to(next.span)));
                    }
                    ExKind::Paren(args) => {
                        self.with_parentheses(&value, args, place.to(next.span), next.atom.span, &mut waiting)?
                    }
                    ExKind::Cycles(cycles)
                        if matches!(value, Value::Function(_) | Value::Builtin(_) | Value::Puzzle(_)) =>
                    {
                        // `order(1 2 3)`: the argument is a cycle
                        let _ = cycles;
                        let argument = self.eval(&next.atom)?;
                        Some(self.call_value(
                            &value,
                            Call::plain(vec![argument], next.atom.span),
                            place.to(next.span),
                        )?)
                    }
                    ExKind::Bracket(bracket) => self.with_bracket(&value, bracket, place.to(next.span))?,
                    _ => None,
                };
                match joined {
                    Some(result) => {
                        value = self.postfixes(result, next)?;
                        place = place.to(next.span);
                        at += 1;
                    }
                    None => break,
                }
            }
            done.push(Factor { value, span: place, digits });
        }
        if done.len() == 1 {
            return Ok(done.remove(0).value);
        }
        if in_parentheses && done.iter().all(|factor| self.may_be_cell(&factor.value)) {
            let elements: Vec<Value> = done.iter().map(|factor| factor.value.clone()).collect();
            // blame the element, not the whole cycle, where one alone is wrong
            if let Some(instance) = self.instance.clone() {
                let mut seen: Vec<(u32, Span)> = Vec::with_capacity(done.len());
                for factor in &done {
                    let cell = self.cell_in_cycle(&instance, &factor.value, factor.span)?;
                    seen.push((cell, factor.span));
                }
                seen.sort_by_key(|(cell, span)| (*cell, span.start));
                if let Some([first, second]) = seen.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                    let shown = cell_text(instance.cells.coordinates(first.0));
                    return Err(again(first.1, second.1, &shown));
                }
            }
            return self.cycle_of(&elements, span).map(Value::Perm);
        }
        self.product(done, span)
    }

    fn may_be_cell(&self, value: &Value) -> bool {
        match value {
            Value::Int(_) => true,
            Value::Tuple(parts) => !parts.is_empty() && parts.iter().all(|part| matches!(part, Value::Int(_))),
            Value::Big(_) => true,
            _ => false,
        }
    }

    /// `value (…)`: a call, an image, or nothing (a product). A value of the parentheses that turns out to be the next
    /// factor is left in `waiting`.
    fn with_parentheses(
        &mut self,
        value: &Value,
        args: &Args,
        whole: Span,
        inner: Span,
        waiting: &mut Option<Value>,
    ) -> Run<Option<Value>> {
        match value {
            Value::Function(_) | Value::Builtin(_) | Value::Puzzle(_) => {
                let call = self.arguments(args, inner)?;
                self.call_value(value, call, whole).map(Some)
            }
            Value::Word(_) | Value::Perm(_) | Value::Family(..) => {
                let argument = self.paren(args, inner)?;
                if self.is_image_argument(&argument) {
                    return self.image_of(value, &argument, whole).map(Some);
                }
                match (&argument, &self.instance) {
                    (Value::Int(1), _) => {}
                    (Value::Int(_) | Value::Big(_), Some(instance)) => {
                        return Err(self.no_cell(&argument, &instance.clone(), inner));
                    }
                    (Value::Text(_) | Value::Bool(_) | Value::Map(_) | Value::Fraction(_), _) => {
                        return Err(Fault::at(
                            codes::WRONG_KIND,
                            inner,
                            format!("a word does not move {}", argument.kind()),
                            "the argument of an image",
                            "give it a cell, a set of cells or a tuple of cells",
                        ));
                    }
                    _ => {}
                }
                *waiting = Some(argument);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Would a word map this: a cell, a set, a tuple of cells?
    fn is_image_argument(&self, value: &Value) -> bool {
        match value {
            Value::Set(_) | Value::Range(..) => true,
            Value::Int(_) => self.instance.as_ref().is_none_or(|instance| instance.cells.is_plain()),
            Value::Tuple(parts) => {
                !parts.is_empty()
                    && parts
                        .iter()
                        .all(|part| matches!(part, Value::Int(_) | Value::Big(_)) || self.is_image_argument(part))
            }
            _ => false,
        }
    }

    /// The arguments of a call.
    fn arguments(&mut self, args: &Args, span: Span) -> Run<Call> {
        let mut call = Call { span, ..Call::default() };
        for item in &args.items {
            if let Some(label) = &item.label {
                let value = self.eval(&item.value)?;
                call.labelled.push((label.clone(), value, item.span));
            } else if let Some(arrow) = &item.arrow {
                let mut pairs = Vec::new();
                match &item.clauses {
                    None => pairs.push((self.eval(&item.value)?, self.eval(arrow)?)),
                    Some(clauses) => self.each(clauses, &mut |machine| {
                        let pair = (machine.eval(&item.value)?, machine.eval(arrow)?);
                        pairs.push(pair);
                        Ok(true)
                    })?,
                }
                call.pairs.extend(pairs);
            } else if item.clauses.is_some() {
                // one comprehension is one argument: the tuple of its values
                let values = self.items(std::slice::from_ref(item))?;
                call.args.push(Value::tuple(values));
                call.spans.push(item.span);
            } else {
                let value = match &item.value.kind {
                    // `order(a b)` is a product, but `cycles((1 2 3))` and `cycles(1 2 3)` are the same
                    ExKind::Run(factors) => self.run(factors, item.value.span, true)?,
                    _ => self.eval(&item.value)?,
                };
                call.args.push(value);
                call.spans.push(item.span);
            }
        }
        Ok(call)
    }

    pub(super) fn call_value(&mut self, function: &Value, call: Call, span: Span) -> Run<Value> {
        match function {
            Value::Builtin(id) => {
                self.step(span)?;
                builtin::call(self, *id, call, span)
            }
            Value::Function(closure) => {
                self.only_plain(&call, &closure.function.name)?;
                self.call(closure, call.args, span)
            }
            Value::Puzzle(id) => {
                let name = self.library.head(*id).name.clone();
                self.only_plain(&call, &name)?;
                self.instance(*id, call.args, span).map(Value::Instance)
            }
            other => Err(Fault::at(
                codes::NOT_A_FUNCTION,
                span,
                format!("{} cannot be called", other.kind()),
                "called here",
                "remove the parentheses, or call a function",
            )),
        }
    }

    fn only_plain(&self, call: &Call, name: &str) -> Run<()> {
        if let Some((label, _, span)) = call.labelled.first() {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                *span,
                format!("`{name}` has no argument `{label}:`"),
                "here",
                "give the arguments in order",
            ));
        }
        if !call.pairs.is_empty() {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                call.span,
                format!("`{name}` takes no pairs `a -> b`"),
                "here",
                "separate the arguments with commas",
            ));
        }
        Ok(())
    }

    /// `value […]`: a member of a family or sequence, or nothing (then a commutator follows).
    fn with_bracket(&mut self, value: &Value, bracket: &Bracket, span: Span) -> Run<Option<Value>> {
        let index_like = bracket.separators.iter().all(|separator| *separator == ',');
        match value {
            Value::Family(instance, id) => {
                if !index_like {
                    return Ok(None);
                }
                let mut indices = Vec::with_capacity(bracket.entries.len());
                for entry in &bracket.entries {
                    match self.eval(entry)? {
                        value @ (Value::Int(_) | Value::Big(_)) => indices.push(value),
                        Value::Word(_) | Value::Perm(_) | Value::Family(..) if bracket.entries.len() == 2 => {
                            return Ok(None);
                        }
                        Value::Word(_) | Value::Perm(_) | Value::Family(..) => return Ok(None),
                        other => {
                            return Err(Fault::at(
                                codes::WRONG_KIND,
                                entry.span,
                                format!("{} cannot be an index", other.kind()),
                                "in this index",
                                "indices of a family are integers",
                            ));
                        }
                    }
                }
                self.family_member(instance, *id, &indices, span).map(Some)
            }
            // the empty word before a commutator or conjugate
            Value::Tuple(parts) if parts.is_empty() && bracket.entries.len() > 1 => Ok(None),
            Value::Tuple(_) | Value::Range(..) | Value::Map(_) | Value::Text(_) => {
                let [entry] = bracket.entries.as_slice() else {
                    return Err(Fault::at(
                        codes::INDEX_OUT_OF_RANGE,
                        span,
                        "a sequence has one index",
                        format!("{} given", bracket.entries.len()),
                        "write `xs[k]`; for tuples of tuples `xs[i][j]`",
                    ));
                };
                let index = self.eval(entry)?;
                self.element(value, &index, span).map(Some)
            }
            Value::Builtin(_) | Value::Function(_) => Err(Fault::at(
                codes::UNEXPECTED,
                span,
                "a function is called with round brackets",
                "square brackets here",
                "write `f(x)`",
            )),
            Value::Word(_) | Value::Perm(_) => Ok(None),
            // a number or a set has no elements with numbers, and is no factor of a word
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no numbered elements", other.kind()),
                "an index here",
                "sequences, dictionaries and families of moves have an index: `xs[1]`, `R[2]`",
            )),
        }
    }

    pub(super) fn family_member(
        &mut self,
        instance: &Arc<Instance>,
        id: MoveId,
        indices: &[Value],
        span: Span,
    ) -> Run<Value> {
        let name = instance.move_name(id);
        let small: Option<Vec<i64>> =
            indices.iter().map(|index| if let Value::Int(index) = index { Some(*index) } else { None }).collect();
        if let Some(letter) = small.as_deref().and_then(|indices| instance.member_letter(id, indices)) {
            return Ok(Value::Word(instance.letter_word(letter)));
        }
        let arity = instance.arity(id);
        let shown: Vec<String> = indices.iter().map(|index| self.print(index)).collect();
        let all = instance.indices(id);
        let help = if indices.len() != arity {
            format!(
                "`{name}` has {arity} ind{}: {}",
                if arity == 1 { "ex" } else { "ices" },
                all.first().map_or(String::new(), |first| member_text(name, first))
            )
        } else {
            match (all.first(), all.last()) {
                (Some(first), Some(last)) if first != last => {
                    format!("they go from {} to {}", member_text(name, first), member_text(name, last))
                }
                (Some(only), _) => format!("the only one is {}", member_text(name, only)),
                _ => format!("{} has no move of this family", instance.name),
            }
        };
        Err(Fault::at(
            codes::NO_SUCH_MEMBER,
            span,
            format!("{} has no move `{name}[{}]`", instance.name, shown.join(",")),
            "no such move",
            help,
        ))
    }

    /// `xs[k]`, `xs[a..b]`, `dictionary[key]`
    pub(super) fn element(&mut self, value: &Value, index: &Value, span: Span) -> Run<Value> {
        if let Value::Map(map) = value {
            if !index.is_data() {
                return Err(Fault::at(
                    codes::WRONG_KIND,
                    span,
                    format!("{} cannot be a key", index.kind()),
                    "in this index",
                    "keys are numbers, cells, strings, tuples or sets",
                ));
            }
            return map.get(&Key(index.clone())).cloned().ok_or_else(|| {
                let shown = self.print(index);
                Fault::at(
                    codes::INDEX_OUT_OF_RANGE,
                    span,
                    format!("the dictionary has no key {shown}"),
                    "no such key",
                    "ask with `key in dictionary` first",
                )
            });
        }
        let length = value.len().unwrap_or(0);
        let out = |shown: String, what: &str| {
            Fault::at(
                codes::INDEX_OUT_OF_RANGE,
                span,
                format!("{what} {shown} of {length} elements"),
                "out of range",
                if length == 0 {
                    "it is empty".to_string()
                } else {
                    format!("the elements are numbered from 1 to {length}")
                },
            )
        };
        match index {
            Value::Int(k) if *k >= 1 && *k as u64 <= length as u64 => {
                let at = *k as usize - 1;
                Ok(match value {
                    Value::Tuple(values) => values[at].clone(),
                    Value::Range(from, _) => Value::Int(from + at as i64),
                    Value::Text(text) => Value::text(text.chars().nth(at).map(String::from).unwrap_or_default()),
                    _ => Value::Nothing,
                })
            }
            Value::Range(from, to) if to < from => Ok(Value::tuple(Vec::new())),
            Value::Range(from, to) if *from >= 1 && *to as u64 <= length as u64 => match value {
                Value::Tuple(values) => Ok(Value::tuple(values[*from as usize - 1..*to as usize].to_vec())),
                Value::Range(first, _) => Ok(Value::Range(first + from - 1, first + to - 1)),
                Value::Text(text) => Ok(Value::text(
                    text.chars().skip(*from as usize - 1).take((to - from + 1) as usize).collect::<String>(),
                )),
                _ => Ok(Value::Nothing),
            },
            Value::Int(_) | Value::Big(_) => Err(out(self.print(index), "there is no element")),
            Value::Range(..) => Err(out(self.print(index), "there is no part")),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} cannot be an index", other.kind()),
                "in this index",
                "an index is an integer, or a range for a part",
            )),
        }
    }

    fn postfixes(&mut self, mut value: Value, factor: &Fx) -> Run<Value> {
        for postfix in &factor.postfix {
            value = match &postfix.kind {
                PxKind::Prime => self.inverted(value, factor.atom.span.to(postfix.span))?,
                PxKind::Power(exponent) => {
                    let exponent_value = self.eval(exponent)?;
                    self.power(value, &exponent_value, factor.atom.span.to(postfix.span), exponent.span)?
                }
                PxKind::Suffix(digits) => {
                    let whole = factor.atom.span.to(postfix.span);
                    match &value {
                        Value::Family(instance, id) if instance.letter(*id).is_none() => {
                            let (instance, id) = (instance.clone(), *id);
                            if instance.arity(id) > 1 {
                                return Err(Fault::at(
                                    codes::NO_SUCH_MEMBER,
                                    whole,
                                    format!(
                                        "`{}` has {} indices, so `{}{digits}` could mean several moves",
                                        instance.move_name(id),
                                        instance.arity(id),
                                        instance.move_name(id)
                                    ),
                                    "which one?",
                                    format!("write the indices: {}", indices_meant(&instance, id, &digits.to_string())),
                                ));
                            }
                            self.family_member(&instance, id, &[Value::integer((**digits).clone())], whole)?
                        }
                        Value::Word(_) | Value::Perm(_) | Value::Family(..) => {
                            self.power(value, &Value::integer((**digits).clone()), whole, postfix.span)?
                        }
                        other => {
                            return Err(Fault::at(
                                codes::UNEXPECTED,
                                whole,
                                format!("digits behind {} have no meaning", other.kind()),
                                "here",
                                "only words have powers by suffix; multiply with `*`, index with `[…]`",
                            ));
                        }
                    }
                }
                PxKind::Member(name) => {
                    let instance = match &value {
                        Value::Instance(instance) => instance.clone(),
                        Value::Puzzle(id) => self.instance(*id, Vec::new(), factor.atom.span)?,
                        other => {
                            return Err(Fault::at(
                                codes::WRONG_KIND,
                                postfix.span,
                                format!("{} has no members", other.kind()),
                                "after this dot",
                                "members belong to puzzles: `NRP(5).phi`",
                            ));
                        }
                    };
                    self.member_of(&instance, name, postfix.span)?
                }
            };
        }
        Ok(value)
    }

    fn inverted(&mut self, value: Value, span: Span) -> Run<Value> {
        match value {
            Value::Word(word) => Ok(Value::Word(WordValue { word: word.word.inverse(), of: word.of })),
            Value::Perm(perm) => Ok(Value::Perm(PermValue { perm: perm.perm.inverse(), of: perm.of })),
            Value::Family(..) => {
                let word = self.to_word(&value, span)?;
                self.inverted(Value::Word(word), span)
            }
            // the empty word
            Value::Int(1) => Ok(value),
            Value::Tuple(ref parts) if parts.is_empty() => Ok(value),
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => {
                let shown = self.print(&value);
                Err(Fault::at(
                    codes::NUMBER_IN_WORD,
                    span,
                    format!("the number {shown} has no inverse move"),
                    "a prime behind a number",
                    format!("a prime belongs to a move, as in `R{shown}'`; of a number write `1/{shown}`"),
                ))
            }
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no inverse", other.kind()),
                "a prime here",
                "only words and permutations are inverted with `'`",
            )),
        }
    }

    pub(super) fn power(&mut self, base: Value, exponent: &Value, span: Span, exponent_span: Span) -> Run<Value> {
        let Some(e) = exponent.as_big() else {
            return Err(match exponent {
                Value::Word(_) | Value::Perm(_) | Value::Family(..) => {
                    let (a, b) =
                        (self.source_text(Span { end: exponent_span.start, ..span }), self.source_text(exponent_span));
                    let a = a.trim_end_matches(['^', '{', ' ', '(']).to_string();
                    Fault::Error(Box::new(
                        Diagnostic::at(
                            codes::POWER_OF_WORDS,
                            span,
                            format!("`{a}^{b}` has two meanings in books"),
                            "a word as an exponent",
                        )
                        .help(format!("write `[{b}': {a}]` for {b}' {a} {b}, or `[{b}: {a}]` for {b} {a} {b}'")),
                    ))
                }
                other => Fault::at(
                    codes::WRONG_KIND,
                    exponent_span,
                    format!("an exponent is an integer, not {}", other.kind()),
                    "this exponent",
                    "write an integer",
                ),
            });
        };
        match base {
            Value::Word(word) => Ok(Value::Word(WordValue { word: word.word.pow(&e), of: word.of })),
            Value::Perm(perm) => Ok(Value::Perm(PermValue { perm: perm.perm.pow(&e), of: perm.of })),
            Value::Family(..) => {
                let word = self.to_word(&base, span)?;
                self.power(Value::Word(word), exponent, span, exponent_span)
            }
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => self.number_power(&base, &e, span),
            Value::Tuple(parts) if parts.is_empty() => Ok(Value::Tuple(parts)),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("{} has no powers", other.kind()),
                "a power here",
                "only words, permutations and numbers have powers",
            )),
        }
    }

    fn number_power(&mut self, base: &Value, e: &BigInt, span: Span) -> Run<Value> {
        let Some(base) = base.as_fraction() else { return Ok(Value::Nothing) };
        let bits = base.numer().bits().max(base.denom().bits());
        let trivial = bits <= 1 && base.is_integer();
        let power = match e.magnitude().to_u32() {
            Some(power) => power,
            // only 0, 1 and -1 have such powers
            None if trivial => u32::from(e.bit(0)) + 2,
            None => return Err(self.room_for(u128::MAX, span).err().unwrap_or(Fault::Interrupted)),
        };
        self.room_for(u128::from(bits) * u128::from(power) / 128, span)?;
        let limbs = bits * u64::from(power) / 64 + 1;
        self.charge(limbs.saturating_mul(limbs.isqrt()) / 8, span)?;
        let raised = Fraction::new_raw(base.numer().pow(power), base.denom().pow(power));
        if e.sign() == num_bigint::Sign::Minus {
            if raised.numer().bits() == 0 {
                return Err(Fault::at(
                    codes::DIVISION_BY_ZERO,
                    span,
                    "zero has no negative power",
                    "division by zero",
                    "check the base",
                ));
            }
            return Ok(Value::fraction(raised.recip()));
        }
        Ok(Value::fraction(raised))
    }

    /// A product of two or more factors.
    fn product(&mut self, factors: Vec<Factor>, span: Span) -> Run<Value> {
        if let Some(number) = factors.iter().find(|factor| factor.digits) {
            let shown = self.print(&number.value);
            let all_numbers = factors.iter().all(|factor| factor.value.is_number());
            let help = if all_numbers {
                "multiply numbers with `*`; a cycle has parentheses round it: `(1 2 3)`".to_string()
            } else {
                format!("a power touches its move (`R{shown}`) or has a `^`; numbers are multiplied with `*`")
            };
            return Err(Fault::at(
                codes::NUMBER_IN_WORD,
                number.span,
                format!("the number {shown} stands inside a product of moves"),
                "a stray number",
                help,
            ));
        }
        if let Some(last) = factors.last()
            && matches!(last.value, Value::Set(_) | Value::Tuple(_))
            && !matches!(&last.value, Value::Tuple(parts) if parts.is_empty())
            && factors[..factors.len() - 1]
                .iter()
                .all(|factor| matches!(factor.value, Value::Word(_) | Value::Perm(_) | Value::Family(..)))
        {
            let before = self.source_text(factors[0].span.to(factors[factors.len() - 2].span));
            let text = self.source_text(last.span);
            if let Some((word, argument)) = text.split_once('(') {
                let word = word.trim();
                return Err(Fault::at(
                    codes::IMAGE_OF_LAST,
                    last.span,
                    format!("`{text}` is an image under `{word}` alone, and cannot be multiplied"),
                    "an image, not a word",
                    format!("for the image under the whole word write `({before} {word})({argument}`"),
                ));
            }
            let joined = self.source_text(span);
            return Err(Fault::at(
                codes::TUPLE_FOR_CYCLE,
                last.span,
                format!("{} is not a factor of a word: `{}`", last.value.kind(), crop(&joined)),
                "not a word",
                "a cycle is written with blanks: `(1 2 3)`, `((1,1) (2,3))`",
            ));
        }
        let mut words = Vec::with_capacity(factors.len());
        let mut perms = false;
        for factor in &factors {
            match &factor.value {
                Value::Perm(_) => perms = true,
                Value::Tuple(parts) if !parts.is_empty() => {
                    return Err(Fault::at(
                        codes::TUPLE_FOR_CYCLE,
                        factor.span,
                        "a tuple stands in a product of moves",
                        "with commas it is a tuple",
                        self.cycle_meant(factor),
                    ));
                }
                _ => {
                    self.to_word(&factor.value, factor.span)?;
                }
            }
        }
        if !perms {
            let mut of = None;
            for factor in &factors {
                let word = self.to_word(&factor.value, factor.span)?;
                self.same_puzzle(&mut of, &word.of, factor.span)?;
                words.push(word.word);
            }
            let word = Word::product(words).map_err(|_| other_puzzle(span, "", ""))?;
            return Ok(Value::Word(WordValue { word, of }));
        }
        let mut product: Option<PermValue> = None;
        for factor in &factors {
            let next = self.to_perm(&factor.value, factor.span)?;
            product = Some(match product {
                None => next,
                Some(before) => self.perm_product(before, next, factor.span)?,
            });
        }
        Ok(product.map_or(Value::Nothing, Value::Perm))
    }

    /// The cycle that a tuple in a product should have been; behind a word it was taken for a tuple of cells.
    fn cycle_meant(&self, factor: &Factor) -> String {
        let text = self.source_text(factor.span);
        match text.split_once('(') {
            Some((word, inner)) if !word.trim().is_empty() && !inner.contains('(') => {
                let cells: Vec<&str> = inner.trim_end_matches(')').split(',').map(str::trim).collect();
                format!("a cycle is written with blanks between its cells: `{word}({})`", cells.join(" "))
            }
            _ => as_cycle(&factor.value),
        }
    }

    pub(super) fn same_puzzle(
        &self,
        of: &mut Option<Arc<Instance>>,
        next: &Option<Arc<Instance>>,
        span: Span,
    ) -> Run<()> {
        match (&of, next) {
            (Some(one), Some(two)) if !Arc::ptr_eq(one, two) => Err(other_puzzle(span, &one.name, &two.name)),
            (None, Some(two)) => {
                *of = Some(two.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// First `before`, then `next`.
    pub(super) fn perm_product(&mut self, before: PermValue, next: PermValue, span: Span) -> Run<PermValue> {
        let (a, b) = self.aligned(before, next, span)?;
        Ok(PermValue { perm: a.perm.then(&b.perm), of: a.of })
    }

    /// Two permutations on the same points: one of integers also permutes the cells with those numbers.
    pub(super) fn aligned(&mut self, a: PermValue, b: PermValue, span: Span) -> Run<(PermValue, PermValue)> {
        let mut of = None;
        self.same_puzzle(&mut of, &a.of, span)?;
        self.same_puzzle(&mut of, &b.of, span)?;
        let degree = match &of {
            Some(instance) => instance.cells.len(),
            None => a.perm.degree().max(b.perm.degree()),
        };
        let widen = |value: PermValue| -> Run<PermValue> {
            if value.perm.degree() > degree {
                let name = of.as_ref().map_or(String::new(), |instance| instance.name.clone());
                return Err(Fault::at(
                    codes::NOT_A_CELL,
                    span,
                    format!("{} has only {degree} cells", name),
                    format!("this moves number {}", value.perm.degree()),
                    "write the cycle inside `on …`, with its cells",
                ));
            }
            if value.perm.degree() == degree {
                return Ok(PermValue { perm: value.perm, of: of.clone() });
            }
            Ok(PermValue { perm: value.perm.then(&Perm::identity(degree)), of: of.clone() })
        };
        Ok((widen(a)?, widen(b)?))
    }

    /// What a word or permutation does, without a message if it cannot be said.
    pub fn permutation_of(&mut self, value: &Value) -> Option<PermValue> {
        matches!(value, Value::Word(_) | Value::Perm(_)).then(|| self.to_perm(value, Span::default()).ok()).flatten()
    }

    /// [`Self::aligned`] without a message.
    pub fn aligned_quietly(&mut self, a: PermValue, b: PermValue) -> Option<(PermValue, PermValue)> {
        self.aligned(a, b, Span::default()).ok()
    }

    /// `[A, B]` and `[A: B]`
    pub(super) fn bracket(&mut self, bracket: &Bracket, span: Span) -> Run<Value> {
        let texts: Vec<String> = bracket.entries.iter().map(|entry| crop(&self.source_text(entry.span))).collect();
        match (bracket.entries.as_slice(), bracket.separators.as_slice()) {
            ([_], _) => Err(Fault::at(
                codes::BRACKET_WITHOUT_SEPARATOR,
                span,
                "a bracket needs a comma or a colon",
                "this bracket has one part",
                "write the commutator `[A, B]` = A B A' B', or the conjugate `[A: B]` = A B A'",
            )),
            ([_, _, ..], _) if bracket.entries.len() > 2 => {
                let mut help = Vec::new();
                if let [a, b, c] = texts.as_slice() {
                    let s = &bracket.separators;
                    help.push(format!("`[[{a}{} {b}]{} {c}]`", s[0], s[1]));
                    help.push(format!("`[{a}{} [{b}{} {c}]]`", s[0], s[1]));
                }
                Err(Fault::at(
                    codes::BRACKET_TOO_MANY,
                    span,
                    "a bracket has two parts",
                    format!("{} here", bracket.entries.len()),
                    if help.is_empty() {
                        "nest brackets: `[[A, B], C]`".to_string()
                    } else {
                        format!("nest it: {}", help.join(" or "))
                    },
                ))
            }
            ([a, b], [separator]) => {
                let (left, right) = (self.eval(a)?, self.eval(b)?);
                let conjugate = *separator == ':';
                if !matches!(left, Value::Perm(_)) && !matches!(right, Value::Perm(_)) {
                    let (left, right) = (self.to_word(&left, a.span)?, self.to_word(&right, b.span)?);
                    let mut of = None;
                    self.same_puzzle(&mut of, &left.of, a.span)?;
                    self.same_puzzle(&mut of, &right.of, b.span)?;
                    let word = if conjugate {
                        Word::conjugate(&left.word, &right.word)
                    } else {
                        Word::commutator(&left.word, &right.word)
                    };
                    let word = word.map_err(|_| other_puzzle(span, "", ""))?;
                    return Ok(Value::Word(WordValue { word, of }));
                }
                let (left, right) = (self.to_perm(&left, a.span)?, self.to_perm(&right, b.span)?);
                let (left, right) = self.aligned(left, right, span)?;
                let perm = if conjugate {
                    Perm::conjugate(&left.perm, &right.perm)
                } else {
                    Perm::commutator(&left.perm, &right.perm)
                };
                Ok(Value::Perm(PermValue { perm, of: left.of }))
            }
            _ => Err(Fault::at(
                codes::BRACKET_WITHOUT_SEPARATOR,
                span,
                "an empty bracket",
                "nothing in it",
                "write `[A, B]` or `[A: B]`",
            )),
        }
    }

    /// A value where a word is needed.
    pub(super) fn to_word(&mut self, value: &Value, span: Span) -> Run<WordValue> {
        match value {
            Value::Word(word) => Ok(word.clone()),
            Value::Int(1) => Ok(WordValue { word: Word::empty(), of: None }),
            Value::Tuple(parts) if parts.is_empty() => Ok(WordValue { word: Word::empty(), of: None }),
            Value::Family(instance, id) => match instance.letter(*id) {
                Some(letter) => Ok(instance.letter_word(letter)),
                None => Err(self.no_default(instance, *id, span)),
            },
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => {
                let shown = self.print(value);
                Err(Fault::at(
                    codes::NUMBER_IN_WORD,
                    span,
                    format!("the number {shown} stands where a word is needed"),
                    "a number",
                    "the only number that is a word is 1, the empty word",
                ))
            }
            Value::Tuple(_) => Err(Fault::at(
                codes::TUPLE_FOR_CYCLE,
                span,
                "a tuple stands where a word is needed",
                "with commas it is a tuple",
                as_cycle(value),
            )),
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("a word is needed here, not {}", other.kind()),
                "not a word",
                "write moves, or a name of a word",
            )),
        }
    }

    /// A value where a permutation is needed: also a word (what it does), 1 and `()`.
    pub(super) fn to_perm(&mut self, value: &Value, span: Span) -> Run<PermValue> {
        if let Value::Perm(perm) = value {
            return Ok(perm.clone());
        }
        let word = self.to_word(value, span)?;
        let of = word.of.or_else(|| self.instance.clone());
        let perm = match &of {
            Some(instance) => {
                self.charge(1 + instance.cells.len() as u64 / 64, span)?;
                word.word.evaluate_on(instance.alphabet()).map_err(|_| other_puzzle(span, "", &instance.name))?
            }
            None => Perm::identity(0),
        };
        Ok(PermValue { perm, of })
    }

    /// Where the content of a cell ends up; sets and tuples of cells element by element, at any depth.
    pub(super) fn image_of(&mut self, word: &Value, argument: &Value, span: Span) -> Run<Value> {
        let perm = self.to_perm(word, span)?;
        self.map_cells(&perm, argument, span)
    }

    fn map_cells(&mut self, perm: &PermValue, value: &Value, span: Span) -> Run<Value> {
        let Some(instance) = &perm.of else {
            return match value {
                Value::Int(k) => {
                    let inside = *k >= 1 && (*k as u64) <= perm.perm.degree() as u64;
                    Ok(Value::Int(if inside { i64::from(perm.perm.image(*k as u32 - 1)) + 1 } else { *k }))
                }
                _ => self.map_inside(perm, value, span),
            };
        };
        if let Some(number) = instance.number_of(value) {
            return Ok(instance.cell(perm.perm.image(number)));
        }
        // numbers side by side are one cell that does not exist, not a tuple of cells
        let flat = |parts: &[Value]| parts.iter().all(|part| matches!(part, Value::Int(_) | Value::Big(_)));
        if !instance.cells.is_plain() && matches!(value, Value::Tuple(parts) if !parts.is_empty() && flat(parts)) {
            return Err(self.no_cell(value, &instance.clone(), span));
        }
        if instance.looks_like_cell(value) || !matches!(value, Value::Tuple(_) | Value::Set(_) | Value::Range(..)) {
            return Err(self.no_cell(value, instance, span));
        }
        self.map_inside(perm, value, span)
    }

    fn map_inside(&mut self, perm: &PermValue, value: &Value, span: Span) -> Run<Value> {
        match value {
            Value::Tuple(parts) => {
                let mapped = parts.iter().map(|part| self.map_cells(perm, part, span)).collect::<Run<Vec<Value>>>()?;
                Ok(Value::tuple(mapped))
            }
            Value::Range(..) => {
                self.room_for(value.len().unwrap_or(0) as u128, span)?;
                let elements = Value::tuple(value.elements().unwrap_or_default());
                self.map_inside(perm, &elements, span)
            }
            Value::Set(set) => {
                let mapped = set.iter().map(|part| self.map_cells(perm, part, span)).collect::<Run<Vec<Value>>>()?;
                Ok(Value::Set(Arc::new(Set::new(mapped))))
            }
            other => Err(Fault::at(
                codes::WRONG_KIND,
                span,
                format!("a word does not move {}", other.kind()),
                "the argument of an image",
                "give it a cell, a set of cells or a tuple of cells",
            )),
        }
    }
}

/// The member that somebody means by `T21`: one digit an index if there is such a move, else the first.
fn indices_meant(instance: &Arc<Instance>, id: MoveId, digits: &str) -> String {
    let indices: Vec<i64> = digits.chars().filter_map(|digit| digit.to_digit(10)).map(i64::from).collect();
    let name = instance.move_name(id);
    match instance.member_letter(id, &indices) {
        Some(_) => member_text(name, &indices),
        None => instance.indices(id).first().map_or(String::new(), |first| member_text(name, first)),
    }
}

/// May parentheses follow: as arguments, as an image, or as the next factor?
fn callable(value: &Value) -> bool {
    match value {
        Value::Function(_) | Value::Builtin(_) | Value::Puzzle(_) => true,
        Value::Word(_) | Value::Perm(_) | Value::Family(..) | Value::Int(1) => true,
        // the empty word
        Value::Tuple(parts) => parts.is_empty(),
        _ => false,
    }
}

fn not_callable(value: &Value, text: &str, span: Span) -> Fault {
    let help = match value {
        Value::Tuple(_) if text.starts_with('(') => {
            "a cycle is written with blanks: `(1 2 3)`, `((1,1) (2,3))`".to_string()
        }
        Value::Tuple(_) | Value::Range(..) | Value::Map(_) => format!("an element is written `{}[1]`", crop(text)),
        value if value.is_number() => format!("a product of numbers is written `{} * (…)`", crop(text)),
        _ => "remove the parentheses, or call a function".to_string(),
    };
    let code = if matches!(value, Value::Tuple(_)) && text.starts_with('(') {
        codes::TUPLE_FOR_CYCLE
    } else {
        codes::NOT_A_FUNCTION
    };
    let title = format!("`{}` is {}, not a function or a word", crop(text), value.kind());
    Fault::at(code, span, title, "called here", help)
}

/// What somebody meant who wrote a tuple for a cycle: the same without the commas.
pub(super) fn as_cycle(value: &Value) -> String {
    let element = |part: &Value| -> Option<String> {
        match part {
            Value::Int(k) => Some(k.to_string()),
            Value::Tuple(_) | Value::Range(..) => {
                let parts: Option<Vec<String>> = part
                    .elements()?
                    .iter()
                    .map(|k| if let Value::Int(k) = k { Some(k.to_string()) } else { None })
                    .collect();
                Some(format!("({})", parts?.join(",")))
            }
            _ => None,
        }
    };
    let elements: Option<Vec<String>> = value
        .elements()
        .filter(|parts| (2..=8).contains(&parts.len()))
        .and_then(|parts| parts.iter().map(element).collect());
    match elements {
        Some(elements) => format!("a cycle is written with blanks between its cells: `({})`", elements.join(" ")),
        None => "a cycle is written with blanks between its cells: `(1 2 3)`, `((1,1) (2,3))`".to_string(),
    }
}

pub fn other_puzzle(span: Span, one: &str, two: &str) -> Fault {
    let title = if one.is_empty() {
        "words of two puzzles cannot be mixed".to_string()
    } else {
        format!("a word of {two} meets a word of {one}")
    };
    Fault::at(
        codes::OTHER_PUZZLE,
        span,
        title,
        "of another puzzle",
        "work with words of one puzzle at a time: `on P(…) { … }`",
    )
}

/// A piece of the script short enough for a message.
fn crop(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > 40 { line.chars().take(39).chain(['…']).collect() } else { line }
}
