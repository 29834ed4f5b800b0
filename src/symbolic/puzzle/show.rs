//! Words as texts.

use std::sync::Arc;

use super::word::{WordKind, WordNode};

/// Longer texts are cut.
const LONGEST: usize = 200;

/// A word as it would be written.
pub(super) fn word(node: &Arc<WordNode>) -> String {
    let mut text = String::new();
    write(node, &mut text, 0);
    text
}

fn write(node: &Arc<WordNode>, to: &mut String, depth: usize) {
    if to.len() > LONGEST || depth > 60 {
        if !to.ends_with('…') {
            to.push('…');
        }
        return;
    }
    match &node.kind {
        WordKind::Letter(letter) => to.push_str(&letter.name),
        WordKind::Named(name, _) => to.push_str(name),
        WordKind::Product(parts) => {
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    to.push(' ');
                }
                match part.kind {
                    WordKind::Product(_) => atom(part, to, depth),
                    _ => write(part, to, depth + 1),
                }
            }
        }
        WordKind::Inverse(part) => {
            atom(part, to, depth);
            to.push('\'');
        }
        WordKind::Power(part, exponent) => {
            atom(part, to, depth);
            match exponent.as_int() {
                Some(exponent) => to.push_str(&format!("^{exponent}")),
                None => to.push_str("^k"),
            }
        }
        WordKind::Each(part, _) => {
            to.push_str("product(");
            write(part, to, depth + 1);
            to.push_str(", …)");
        }
        WordKind::Commutator(a, b) | WordKind::Conjugate(a, b) => {
            to.push('[');
            write(a, to, depth + 1);
            to.push_str(if matches!(node.kind, WordKind::Commutator(..)) { ", " } else { ": " });
            write(b, to, depth + 1);
            to.push(']');
        }
    }
}

/// With parentheses where a postfix would belong to the last part alone.
fn atom(node: &Arc<WordNode>, to: &mut String, depth: usize) {
    let whole = matches!(
        node.kind,
        WordKind::Letter(_)
            | WordKind::Named(..)
            | WordKind::Commutator(..)
            | WordKind::Conjugate(..)
            | WordKind::Each(..)
    );
    if whole {
        return write(node, to, depth + 1);
    }
    to.push('(');
    write(node, to, depth + 1);
    to.push(')');
}
