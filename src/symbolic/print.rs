//! Values as text, for messages.

use super::{Machine, Set, Value};
use crate::prove::show;

impl Machine<'_> {
    /// A value for people.
    pub fn print(&self, value: &Value) -> String {
        let names = |var| self.name(var);
        let list = |values: &[Value]| values.iter().map(|value| self.print(value)).collect::<Vec<String>>().join(", ");
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Number(poly) => show::poly(poly, &names),
            Value::Text(text) => format!("\"{text}\""),
            Value::Tuple(values) if values.len() == 1 => format!("({},)", list(values)),
            Value::Tuple(values) => format!("({})", list(values)),
            Value::Range(from, to) => format!("{}..{}", show::poly(from, &names), show::poly(to, &names)),
            Value::Set(set) => match &**set {
                Set::Cells { union, .. } => show::cells(union, &names),
                Set::Finite(values) => format!("{{{}}}", list(values)),
            },
            Value::Instance(of) => of.name.clone(),
            other => other.kind().to_string(),
        }
    }
}
