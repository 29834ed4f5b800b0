//! Values as text that can be pasted back.

use num_bigint::BigInt;

use super::instance::cell_text;
use super::machine::Machine;
use super::value::{PermValue, Value, fraction_text};

/// Words longer than this are cut when printed.
pub const LONGEST_WORD: usize = 100_000;

impl Machine<'_> {
    /// A value in a form that can be pasted back.
    pub fn print(&self, value: &Value) -> String {
        print(value, self.library)
    }

    /// What `print` shows: a string is its text.
    pub fn print_line(&self, value: &Value) -> String {
        match value {
            Value::Text(text) => text.to_string(),
            other => self.print(other),
        }
    }
}

/// A value in a form that can be pasted back. Cost: linear in what is printed.
pub fn print(value: &Value, library: &crate::resolve::Library) -> String {
    let mut out = String::new();
    write(value, library, &mut out);
    out
}

fn write(value: &Value, library: &crate::resolve::Library, out: &mut String) {
    let list = |values: &mut dyn Iterator<Item = &Value>, out: &mut String| {
        let mut first = true;
        for value in values {
            if !std::mem::take(&mut first) {
                out.push_str(", ");
            }
            match value {
                // pasted back, a range among other elements would make a box, and its members in a set
                Value::Range(from, to) => element_range(*from, *to, out),
                value => write(value, library, out),
            }
        }
    };
    match value {
        Value::Nothing => out.push_str("nothing"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Big(value) => out.push_str(&integer_text(value)),
        Value::Fraction(value) => out.push_str(&fraction_text(value)),
        Value::Text(text) => {
            out.push('"');
            for c in text.chars() {
                match c {
                    '"' | '\\' | '{' | '}' => out.extend(['\\', c]),
                    '\n' => out.push_str("\\n"),
                    '\t' => out.push_str("\\t"),
                    c => out.push(c),
                }
            }
            out.push('"');
        }
        Value::Tuple(values) => {
            out.push('(');
            list(&mut values.iter(), out);
            out.push_str(if values.len() == 1 { ",)" } else { ")" });
        }
        Value::Range(from, to) => out.push_str(&format!("{from}..{to}")),
        Value::Set(set) => {
            out.push('{');
            list(&mut set.iter(), out);
            out.push('}');
        }
        Value::Map(map) => {
            out.push_str("map(");
            for (at, (key, value)) in map.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write(&key.0, library, out);
                out.push_str(" -> ");
                write(value, library, out);
            }
            out.push(')');
        }
        Value::Word(word) => out.push_str(&word.word.to_text(LONGEST_WORD)),
        Value::Perm(perm) => out.push_str(&cycles_text(perm)),
        Value::Board(board) => out.push_str(&board.text()),
        Value::Group(group) => out.push_str(&super::group::group_text(group)),
        Value::Homomorphism(map) => out.push_str(&super::group::homomorphism_text(map)),
        Value::Family(instance, id) => out.push_str(instance.move_name(*id)),
        Value::Function(closure) => out.push_str(&format!("fn {}", closure.function.name)),
        Value::Builtin(id) => out.push_str(super::builtin::ALL[*id as usize].name),
        Value::Puzzle(id) => out.push_str(&library.head(*id).name),
        Value::Instance(instance) => out.push_str(&instance.name),
    }
}

/// Ranges of up to so many elements are written out where they are elements.
const WRITTEN_OUT: i64 = 64;

fn element_range(from: i64, to: i64, out: &mut String) {
    if from.checked_add(WRITTEN_OUT).is_none_or(|end| end < to) {
        out.push_str(&format!("tuple({from}..{to})"));
        return;
    }
    let elements: Vec<String> = (from..=to).map(|k| k.to_string()).collect();
    out.push_str(&format!("({}{})", elements.join(", "), if elements.len() == 1 { "," } else { "" }));
}

/// Longer integers are described: writing one costs the square of its length.
const LONGEST_INTEGER_BITS: u64 = 1 << 20;

fn integer_text(value: &BigInt) -> String {
    match value.bits() {
        bits if bits > LONGEST_INTEGER_BITS => format!("(an integer of about {} digits)", bits * 30_103 / 100_000 + 1),
        _ => value.to_string(),
    }
}

/// Cycles as books write them: `(1 2 3)(4 5)`, `((1,1) (2,3))`, `()` for the identity.
pub fn cycles_text(perm: &PermValue) -> String {
    let cycles = perm.perm.cycles();
    if cycles.is_empty() {
        return "()".to_string();
    }
    let mut out = String::new();
    for cycle in &cycles {
        out.push('(');
        for (at, cell) in cycle.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            out.push_str(&point_text(perm, *cell));
        }
        out.push(')');
    }
    out
}

/// One point of a permutation: a cell as it stands in a cycle, or an integer.
pub fn point_text(perm: &PermValue, point: u32) -> String {
    match &perm.of {
        Some(instance) if instance.shown_by_number() => (u64::from(point) + 1).to_string(),
        Some(instance) => cell_text(instance.cells.coordinates(point)),
        None => (u64::from(point) + 1).to_string(),
    }
}
