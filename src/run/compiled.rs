//! Procedures are compiled before they run.
//!
//! The generic machine could run every algorithm, and does so where something here is missing. But a procedure performs
//! millions of moves, so it is first translated for its puzzle and the kinds of its arguments: names become registers,
//! cells their numbers, and everything that depends on neither the board nor the arguments is evaluated once. Then it
//! runs on a board that is not there: see [`live`].
//!
//! Compiled code makes no messages. Whatever goes wrong in it ends it, and the generic machine runs the same procedure
//! again, from the same board, and says what is wrong: procedures are deterministic.

mod code;
mod effect;
mod execute;
mod live;
mod low;
mod lower;
mod parts;

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::code::{Program, REGISTERS};
pub use self::effect::Effect;
use self::effect::LetterEffects;
use self::execute::{Fuel, Registers, Spent, Stop};
use self::live::Live;
use self::low::Kind;
use self::parts::Parts;
use super::Run;
use super::board::BoardValue;
use super::instance::Instance;
use super::machine::{Machine, ProcedureNote};
use super::value::{Closure, Value, WordValue};
use crate::resolve::program::Function;
use crate::source::Span;
use crate::word::Letter;

/// A procedure is compiled for so many kinds of arguments.
const MOST_PROGRAMS: usize = 256;

/// Words and sets up to this size are told by what is in them when they are arguments.
const SHORT: u64 = 64;

/// A machine keeps the boards of so many programs.
const MOST_BOARDS: usize = 8;

/// What an instance knows of its procedures.
#[derive(Default)]
pub struct Procedures {
    programs: RwLock<FxHashMap<Signature, Known>>,
    letters: LetterEffects,
}

/// A function and the kinds of its arguments.
type Signature = (usize, SmallVec<[u8; 24]>);

/// A program, or that there is none. The function and the arguments that are part of it are kept, so that their
/// addresses are theirs alone.
struct Known {
    program: Option<Arc<Program>>,
    _function: Arc<Function>,
    _arguments: Vec<Value>,
}

impl Procedures {
    /// Forgets the programs: they may hold the instance itself.
    pub fn forget(&self) {
        self.programs.write().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }

    /// The effect of a letter.
    pub fn letter_effect(&self, instance: &Instance, letter: Letter) -> Option<Arc<Effect>> {
        self.letters.get(instance, letter)
    }
}

/// What a machine needs to run programs, kept from one run to the next.
#[derive(Default)]
pub struct Desk {
    registers: Option<Box<Registers>>,
    boards: Vec<(Arc<Program>, Live, Parts)>,
}

/// Runs an algorithm from a board (the solved one if none is given) as a program. `None` if the generic machine has to
/// do it; nothing has happened then.
pub(super) fn run(
    machine: &mut Machine<'_>,
    instance: &Arc<Instance>,
    closure: &Arc<Closure>,
    args: &[Value],
    start: Option<&Arc<BoardValue>>,
    span: Span,
) -> Run<Option<WordValue>> {
    let function = &closure.function;
    if machine.shared.interpret || machine.shared.note_facts || args.len() != function.params.len() {
        return Ok(None);
    }
    if closure.instance.as_ref().is_some_and(|own| !Arc::ptr_eq(own, instance)) {
        return Ok(None);
    }
    let given = || closure.captured.iter().chain(args);
    let Some((signature, params)) = signature(function, given(), instance) else { return Ok(None) };
    let known = {
        let programs = instance.procedures.programs.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        programs.get(&signature).map(|known| known.program.clone()).ok_or(programs.len())
    };
    let program = match known {
        Ok(program) => program,
        Err(count) if count >= MOST_PROGRAMS => None,
        Err(_) => {
            let values: Vec<Value> = given().cloned().collect();
            let lowered = lower::lower(machine, instance, closure, params, &values);
            let mut notes = machine.shared.procedures.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            notes.push(ProcedureNote {
                instance: instance.name.clone(),
                name: function.name.to_string(),
                instructions: lowered.as_ref().map_or(0, |program| program.code.len()),
                refused: lowered.as_ref().err().map(|refused| refused.0),
            });
            drop(notes);
            let program = lowered.ok().map(Arc::new);
            let known = Known { program: program.clone(), _function: function.clone(), _arguments: values };
            let mut programs = instance.procedures.programs.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            programs.insert(signature, known);
            program
        }
    };
    let Some(program) = program else { return Ok(None) };
    if program.depth > machine.calls_left() {
        return Ok(None);
    }
    let mut desk = std::mem::take(&mut machine.desk);
    let done = run_program(machine, &mut desk, instance, &program, given(), start, span);
    machine.desk = desk;
    done
}

fn run_program<'v>(
    machine: &mut Machine<'_>,
    desk: &mut Desk,
    instance: &Arc<Instance>,
    program: &Arc<Program>,
    given: impl Iterator<Item = &'v Value>,
    start: Option<&Arc<BoardValue>>,
    span: Span,
) -> Run<Option<WordValue>> {
    let registers = desk.registers.get_or_insert_with(|| {
        // made on the heap from the beginning: it is too large for the stack
        let zeros = vec![0i64; REGISTERS].into_boxed_slice();
        Box::<Registers>::try_from(zeros).unwrap_or_else(|_| Box::new([0; REGISTERS]))
    });
    let at = match desk.boards.iter().position(|(known, ..)| Arc::ptr_eq(known, program)) {
        Some(at) => at,
        None => {
            if desk.boards.len() >= MOST_BOARDS {
                desk.boards.remove(0);
            }
            desk.boards.push((program.clone(), Live::new(instance, program), Parts::default()));
            desk.boards.len() - 1
        }
    };
    let (_, live, parts) = &mut desk.boards[at];
    for (reg, value) in &program.constants {
        registers[*reg as usize] = *value;
    }
    let mut flat = Vec::new();
    for (kind, value) in program.params.iter().zip(given) {
        if let Some(kind) = kind
            && kind.flatten(value, instance, &mut flat).is_none()
        {
            return Ok(None);
        }
    }
    registers[..flat.len()].copy_from_slice(&flat);
    live.begin(start);
    parts.begin();
    let fuel = Fuel {
        steps: machine.steps_left(),
        stop: &machine.shared.stop,
        entries: usize::try_from(machine.shared.limits.max_memory / 8).unwrap_or(usize::MAX),
    };
    let mut spent = Spent::default();
    let stopped = execute::execute(program, registers, live, parts, &fuel, &mut spent);
    let used = spent.rounds.saturating_add(live.moves());
    match stopped {
        Err(Stop::Bail) => Ok(None),
        Err(Stop::Look(at)) => {
            machine.charge(used, program.span(at).unwrap_or(span))?;
            Ok(None)
        }
        Ok(()) => {
            machine.charge(used, span)?;
            if spent.assertions > 0 {
                machine.assertions += spent.assertions;
                machine.refused = None;
            }
            Ok(Some(live.word()))
        }
    }
}

/// The kinds of the arguments, for the table of programs and for the compiler: `None` for a word or function, which
/// becomes part of the program. No signature if some argument cannot be dealt with.
fn signature<'v>(
    function: &Arc<Function>,
    given: impl Iterator<Item = &'v Value>,
    instance: &Instance,
) -> Option<(Signature, Vec<Option<Kind>>)> {
    let mut bytes = SmallVec::new();
    let mut params = Vec::new();
    for value in given {
        let address = match value {
            // a short word may be made anew each time that it is given: it is told by its moves
            Value::Word(word) if word.word.moves().is_some_and(|moves| moves <= SHORT) => {
                bytes.push(b'x');
                for letter in word.word.letters_iter() {
                    let code = 2 * letter.generator() as u32 + u32::from(letter.is_inverse());
                    bytes.extend_from_slice(&code.to_le_bytes());
                }
                Some(word.of.as_ref().map_or(0, |of| Arc::as_ptr(of) as usize))
            }
            Value::Word(word) => Some(word.word.key().unwrap_or(0)),
            Value::Function(closure) => Some(Arc::as_ptr(closure) as usize),
            // so may a small set
            Value::Set(set) if set.len() as u64 <= SHORT => {
                bytes.push(b'{');
                let cells: Option<Vec<u32>> = set.iter().map(|element| instance.number_of(element)).collect();
                cells.iter().flatten().for_each(|cell| bytes.extend_from_slice(&cell.to_le_bytes()));
                Some(if cells.is_some() { 0 } else { Arc::as_ptr(set) as usize })
            }
            Value::Set(set) => Some(Arc::as_ptr(set) as usize),
            Value::Map(map) => Some(Arc::as_ptr(map) as usize),
            _ => None,
        };
        match address {
            Some(address) => {
                bytes.push(b'=');
                bytes.extend_from_slice(&address.to_le_bytes());
                params.push(None);
            }
            None => {
                let kind = Kind::of(value, instance)?;
                sign(&kind, &mut bytes);
                params.push(Some(kind));
            }
        }
    }
    Some(((Arc::as_ptr(function) as usize, bytes), params))
}

fn sign(kind: &Kind, out: &mut SmallVec<[u8; 24]>) {
    match kind {
        Kind::Nothing => out.push(b'-'),
        Kind::Int => out.push(b'i'),
        Kind::Bool => out.push(b'b'),
        Kind::Cell => out.push(b'c'),
        Kind::Word => out.push(b'w'),
        Kind::Tuple(parts) => {
            out.push(b'(');
            parts.iter().for_each(|part| sign(part, out));
            out.push(b')');
        }
        Kind::Row(length, kind) => {
            out.push(b'[');
            out.extend_from_slice(&length.to_le_bytes());
            sign(kind, out);
        }
    }
}
