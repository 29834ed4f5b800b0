//! Long plain words and long lists of cycles are read here, not by pest: `R U R' U' …` costs a few nanoseconds a
//! letter, and a file of algorithms is made of nothing else.

use rustc_hash::FxHashMap;

use super::ast::{CellCycles, PlainPiece, PlainRun};
use super::split::is_reserved;
use crate::source::{FileId, Span};

/// Fewer names than this are left to the grammar: headers such as `for all even n` are runs of names too.
const LEAST_PIECES: usize = 6;

/// Numbers of names of at most eight letters, packed into a word: a small table in front of a map, since a run has few
/// different names.
struct ShortNames {
    table: [(u64, u32); 64],
    map: FxHashMap<u64, u32>,
}

impl Default for ShortNames {
    fn default() -> ShortNames {
        // no name packs to 0
        ShortNames { table: [(0, 0); 64], map: FxHashMap::default() }
    }
}

impl ShortNames {
    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
    }

    fn get(&self, key: u64) -> Option<u32> {
        let (known, id) = self.table[ShortNames::place(key)];
        if known == key { Some(id) } else { self.map.get(&key).copied() }
    }

    fn insert(&mut self, key: u64, id: u32) -> u32 {
        self.table[ShortNames::place(key)] = (key, id);
        self.map.insert(key, id);
        id
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Reads a run of names and primes that starts at `start`, on one line. `None` where there are too few of them.
/// Gives the run and where it ends. Cost: linear in what is read.
pub fn plain_run(file: FileId, text: &str, start: usize) -> Option<(PlainRun, usize)> {
    let bytes = text.as_bytes();
    let mut run = PlainRun { pieces: Vec::new(), order: Vec::new() };
    let mut short = ShortNames::default();
    let mut long: FxHashMap<(&str, bool), u32> = FxHashMap::default();
    let mut at = start;
    // where the piece before the last one ended: the last one is given back if something touches it
    let mut end = start;
    let mut before_last = start;
    loop {
        let name_start = at;
        if !bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
            break;
        }
        let mut key = 0u64;
        while at < bytes.len() && is_name_byte(bytes[at]) {
            key = key << 8 | u64::from(bytes[at]);
            at += 1;
        }
        let name_end = at;
        let prime = bytes.get(at) == Some(&b'\'');
        if prime {
            at += 1;
        }
        if bytes.get(at).is_some_and(|byte| *byte >= 0x80) {
            break;
        }
        let next = |run: &mut PlainRun| -> Option<u32> {
            let name = &text[name_start..name_end];
            if is_reserved(name) {
                return None;
            }
            run.pieces.push(PlainPiece { name: name.into(), prime, span: Span::new(file, name_start, name_end) });
            Some(run.pieces.len() as u32 - 1)
        };
        let id = if name_end - name_start <= 8 {
            // names are ASCII, so the top bit of the key is free for the prime
            let key = key | u64::from(prime) << 63;
            match short.get(key) {
                Some(id) => id,
                None => match next(&mut run) {
                    Some(id) => short.insert(key, id),
                    None => break,
                },
            }
        } else {
            let key = (&text[name_start..name_end], prime);
            match long.get(&key) {
                Some(id) => *id,
                None => match next(&mut run) {
                    Some(id) => *long.entry(key).or_insert(id),
                    None => break,
                },
            }
        };
        run.order.push(id);
        before_last = end;
        end = at;
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
    }
    // what follows may belong to the last name: a call, an index, a power, a member
    let follower = bytes.get(end..).and_then(|rest| rest.iter().find(|byte| !matches!(byte, b' ' | b'\t')));
    let touching = bytes.get(end).copied().unwrap_or(b' ');
    if matches!(follower, Some(b'(' | b'[' | b'^'))
        || matches!(touching, b'.' | b'\'' | 0x80..)
        || touching.is_ascii_digit()
    {
        run.order.pop();
        end = before_last;
    }
    (run.order.len() >= LEAST_PIECES).then_some((run, end))
}

/// Reads cycles of plain integers, `(1 2 3)(4 5)`, that start at `start`. Gives the cycles and where they end.
pub fn cycle_run(text: &str, start: usize) -> Option<(Vec<Vec<u32>>, usize)> {
    cycles(text.as_bytes(), start, one_cycle)
}

/// Fewer cells than this are left to the grammar, which knows the place of each.
const LEAST_CELLS: usize = 8;

/// Reads cycles of cells that are tuples of plain integers, `((1,1) (2,3))((1,2) (2,2))`, all with the same number of
/// coordinates. Gives the cycles and where they end; `None` for few cells.
pub fn cell_cycle_run(text: &str, start: usize) -> Option<(CellCycles, usize)> {
    let bytes = text.as_bytes();
    let mut width = None;
    let (cycles, end) = cycles(bytes, start, |bytes, at| cell_cycle(bytes, at, &mut width))?;
    let width = width?;
    let cells: usize = cycles.iter().map(|cycle| cycle.len() / width).sum();
    (cells >= LEAST_CELLS).then_some((CellCycles { width, cycles }, end))
}

/// Cycle after cycle; the last one is given back where something touches it that belongs to it alone.
fn cycles<C>(
    bytes: &[u8],
    start: usize,
    mut one: impl FnMut(&[u8], usize) -> Option<(C, usize)>,
) -> Option<(Vec<C>, usize)> {
    let mut cycles = Vec::new();
    let (mut at, mut end, mut before_last) = (start, start, start);
    while let Some((cycle, next)) = one(bytes, at) {
        cycles.push(cycle);
        (before_last, end, at) = (end, next, next);
        while bytes.get(at) == Some(&b' ') {
            at += 1;
        }
    }
    let follower = bytes.get(end..).and_then(|rest| rest.iter().find(|byte| !matches!(byte, b' ' | b'\t')));
    let touching = bytes.get(end).copied().unwrap_or(b' ');
    if matches!(follower, Some(b'(' | b'[' | b'^'))
        || matches!(touching, b'.' | b'\'' | 0x80..)
        || touching.is_ascii_digit()
    {
        cycles.pop();
        end = before_last;
    }
    (!cycles.is_empty()).then_some((cycles, end))
}

/// `((1,1) (2,3))`: the coordinates one after another. `width` is that of the first cell of the run.
fn cell_cycle(bytes: &[u8], start: usize, width: &mut Option<usize>) -> Option<(Vec<i64>, usize)> {
    let skip = |mut at: usize| {
        while bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        at
    };
    if bytes.get(start) != Some(&b'(') {
        return None;
    }
    let mut coordinates = Vec::new();
    let mut cells = 0;
    let mut at = skip(start + 1);
    while bytes.get(at)? == &b'(' {
        let before = coordinates.len();
        loop {
            at = skip(at + 1);
            let negative = bytes.get(at) == Some(&b'-');
            at += usize::from(negative);
            let first = at;
            let mut value = 0i64;
            while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
                value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
                at += 1;
            }
            if at == first {
                return None;
            }
            coordinates.push(if negative { -value } else { value });
            at = skip(at);
            match bytes.get(at)? {
                b',' => {}
                b')' => break,
                _ => return None,
            }
        }
        let here = coordinates.len() - before;
        // one number in parentheses is no cell with coordinates
        if here < 2 || *width.get_or_insert(here) != here {
            return None;
        }
        cells += 1;
        at = skip(at + 1);
    }
    (bytes.get(at) == Some(&b')') && cells >= 2).then_some((coordinates, at + 1))
}

fn one_cycle(bytes: &[u8], start: usize) -> Option<(Vec<u32>, usize)> {
    if bytes.get(start) != Some(&b'(') {
        return None;
    }
    let mut cycle = Vec::new();
    let mut at = start + 1;
    loop {
        while bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        match bytes.get(at)? {
            b')' => break,
            b'0'..=b'9' => {
                let mut value = 0u32;
                while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
                    value = value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
                    at += 1;
                }
                // an element is a number and nothing else
                if !matches!(bytes.get(at), Some(b' ' | b')')) {
                    return None;
                }
                cycle.push(value);
            }
            _ => return None,
        }
    }
    (cycle.len() >= 2).then_some((cycle, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Option<(usize, &str)> {
        plain_run(FileId(0), text, 0).map(|(run, end)| (run.order.len(), &text[end..]))
    }

    #[test]
    fn a_run_stops_where_its_last_name_is_more_than_a_name() {
        assert_eq!(run("R U R' U' R U"), Some((6, "")));
        assert_eq!(run("R U R' U' R U == x"), Some((6, " == x")));
        assert_eq!(run("R U R' U' R U f(x)"), Some((6, " f(x)")));
        assert_eq!(run("R U R' U' R U2^3"), None);
        assert_eq!(run("R U R' U' R U A in S"), Some((7, " in S")));
        assert_eq!(run("R U R'"), None);
    }

    #[test]
    fn cycles_stop_before_an_image() {
        assert_eq!(cycle_run("(1 2 3)(4 5) x", 0), Some((vec![vec![1, 2, 3], vec![4, 5]], 12)));
        assert_eq!(cycle_run("(1 2)(3 4)(5)", 0), Some((vec![vec![1, 2]], 5)));
        assert_eq!(cycle_run("(1 2)(3 4)'", 0), Some((vec![vec![1, 2]], 5)));
        assert_eq!(cycle_run("(1, 2)", 0), None);
        let text = "((1,1) (2, -3) (4,4) (5,5))((6,6) (7,7) (8,8) (9,9)) x";
        let (run, end) = cell_cycle_run(text, 0).unwrap();
        assert_eq!((run.width, run.cycles[0].as_slice(), &text[end..]), (2, &[1, 1, 2, -3, 4, 4, 5, 5][..], " x"));
        assert_eq!(cell_cycle_run("((1,1) (2,3))", 0), None);
    }
}
