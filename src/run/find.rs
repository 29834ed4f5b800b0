//! `find w up to k where c`: words with a property, the cheapest first.

use std::ops::ControlFlow;

use super::builtin::{Call, tile_number, word_search};
use super::instance::Instance;
use super::machine::Machine;
use super::value::{Value, WordValue};
use super::{Fault, Run};
use crate::diagnostic::{Diagnostic, codes};
use crate::resolve::program::{Find, Hint};
use crate::search::Stopped;
use crate::search::find::{Hit, Search, Wanted, find};
use crate::source::Span;
use crate::word::Word;

/// Words of so many moves are spelled out.
const SPELLED: usize = 10_000;

impl Machine<'_> {
    /// The tuple of the words.
    pub(super) fn find(&mut self, wish: &Find, span: Span) -> Run<Value> {
        let up_to = self.eval(&wish.up_to)?;
        let up_to = self.small_count(&up_to, wish.up_to.span, "the largest cost")?;
        let mut call = Call { span, ..Call::default() };
        for ex in &wish.moves {
            call.args.push(self.eval(ex)?);
            call.spans.push(ex.span);
        }
        if let Some(metric) = &wish.metric {
            let value = self.eval(metric)?;
            call.labelled.push(("metric".into(), value, metric.span));
        }
        let space = word_search(self, &call, span)?;
        let Some(words) = &space.words else {
            return Err(Fault::at(
                codes::BAD_ARGUMENT,
                call.span_of(0),
                "a word is made of moves, and these are permutations",
                "here",
                "name moves of a puzzle",
            ));
        };
        let mut wanted = Wanted::default();
        // with a blank, orders and supports are those of pairs, or speak of every place of the blank
        for (hint, ex) in wish.hints.iter().filter(|_| space.space.blank.is_none()) {
            // what has no value here says so where the condition is evaluated
            if let Ok(value) = self.eval(ex) {
                self.note_hint(&mut wanted, space.of.as_deref(), *hint, &value, ex.span);
            }
        }
        let condition = self.close(&wish.condition);
        let name = |hit: &Hit| {
            let parts = hit.movers.iter().map(|mover| words[*mover as usize].clone()).collect();
            let word = Word::product(parts).unwrap_or_default();
            let word = word.reduce(SPELLED).unwrap_or(word);
            Value::Word(WordValue { word, of: space.of.clone() })
        };
        let search = Search {
            space: &space.space,
            costs: &space.costs,
            up_to,
            wanted: &wanted,
            all: wish.all,
            most_memory: self.shared.limits.max_memory,
        };
        // the machine is needed while the search runs: the steps of the search are counted here, and added at each word
        let spent = std::sync::atomic::AtomicU64::new(0);
        let left = std::sync::atomic::AtomicU64::new(self.steps_left());
        let shared = self.shared;
        let goes_on = |steps: u64| {
            use std::sync::atomic::Ordering::Relaxed;
            let spent = spent.fetch_add(steps, Relaxed).saturating_add(steps);
            spent <= left.load(Relaxed) && shared.stop.load(Relaxed) == 0
        };
        let mut wrong = None;
        let found = find(
            &search,
            &mut |hit| {
                use std::sync::atomic::Ordering::Relaxed;
                let counted = self.charge(spent.swap(0, Relaxed), span);
                let holds = counted.and_then(|()| {
                    let value = self.apply(&condition, vec![name(hit)], wish.condition.span)?;
                    match value {
                        Value::Bool(holds) => Ok(holds),
                        other => Err(Fault::at(
                            codes::WRONG_KIND,
                            wish.condition.span,
                            format!("a condition is true or false, not {}", other.kind()),
                            format!("this is {}", other.kind()),
                            "compare it with something, as in `order(w) == 3`",
                        )),
                    }
                });
                left.store(self.steps_left(), Relaxed);
                match holds {
                    Ok(holds) => ControlFlow::Continue(holds),
                    Err(fault) => {
                        wrong = Some(fault);
                        ControlFlow::Break(())
                    }
                }
            },
            crate::group::Work::new(&goes_on),
        );
        if let Some(fault) = wrong {
            return Err(fault);
        }
        let more = |fault: Fault| match fault {
            Fault::Budget(diagnostic) if diagnostic.code == codes::TOO_MANY_STEPS => Fault::Budget(Box::new(
                diagnostic.help("give it more with `--max-steps N`, or ask for cheaper words or a smaller effect"),
            )),
            other => other,
        };
        self.charge(spent.into_inner(), span).map_err(more)?;
        match found {
            Ok(hits) => {
                self.room_for(hits.iter().map(|hit| hit.movers.len() as u128 + 4).sum(), span)?;
                Ok(Value::tuple(hits.iter().map(name).collect()))
            }
            Err(Stopped::Unfinished(crate::group::Unfinished::Stopped)) => Err(Fault::Interrupted),
            Err(Stopped::Unfit(what)) => {
                Err(Fault::at(codes::BAD_ARGUMENT, span, what, "these moves", "name other moves with `in`"))
            }
            Err(other) => Err(Fault::Budget(Box::new(
                Diagnostic::at(codes::TOO_MUCH_MEMORY, span, other.to_string(), "too many words")
                    .help("ask for cheaper words, or allow more with `--max-memory`"),
            ))),
        }
    }

    /// What a part of the condition says, as far as it is understood.
    fn note_hint(&mut self, wanted: &mut Wanted, of: Option<&Instance>, hint: Hint, value: &Value, place: Span) {
        let number = |value: &Value| match value {
            Value::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        match hint {
            Hint::IsCycle => {
                if let Some(length) = number(value).filter(|length| *length > 1) {
                    wanted.cycle_type = Some(vec![length as usize]);
                }
            }
            Hint::CycleType => {
                let lengths: Option<Vec<usize>> = match value {
                    Value::Tuple(parts) => parts.iter().map(|part| Some(number(part)? as usize)).collect(),
                    _ => None,
                };
                wanted.cycle_type = lengths.or(wanted.cycle_type.take());
            }
            Hint::Order => wanted.order = number(value).or(wanted.order),
            Hint::Moved | Hint::MovedLess => {
                let less = u64::from(hint == Hint::MovedLess);
                let most = number(value).map(|most| most.saturating_sub(less) as usize);
                wanted.most_moved = [most, wanted.most_moved].into_iter().flatten().min();
            }
            Hint::Within => {
                if let (Value::Set(set), Some(of)) = (value, of) {
                    let mut within = vec![false; of.cells.len()];
                    for cell in set.iter() {
                        if let Ok(number) = tile_number(self, of, cell, place) {
                            within[number as usize] = true;
                        }
                    }
                    wanted.within = Some(within);
                }
            }
            Hint::Equals | Hint::OneOf => {
                let values: Vec<Value> = match (hint, value) {
                    (Hint::Equals, value) => vec![value.clone()],
                    (_, Value::Set(set)) => set.iter().cloned().collect(),
                    (_, Value::Tuple(parts)) => parts.to_vec(),
                    _ => return,
                };
                let perms: Run<Vec<_>> = values.iter().map(|value| Ok(self.perm_of(value, place)?.perm)).collect();
                if let Ok(perms) = perms {
                    wanted.one_of = Some(perms);
                }
            }
        }
    }
}
