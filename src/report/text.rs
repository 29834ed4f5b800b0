//! Reports as text for people.

use std::fmt::Write;

use super::{
    CheckReport, ClaimKind, ClaimReport, GroupReport, PuzzleReport, TraceReport, ValueReport, Verdict, WordReport,
    proof,
};
use crate::diagnostic::render::{Style, render};
use crate::diagnostic::{Diagnostic, codes};
use crate::resolve::Library;
use crate::run::Output;
use crate::source::SourceMap;

/// A text in one of the few colours that reports use.
fn paint(text: &str, colour: &str, style: Style) -> String {
    if style.colour { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_string() }
}

const GREEN: &str = "32";
const RED: &str = "31";
const YELLOW: &str = "33";
const FAINT: &str = "2";
const BOLD: &str = "1";

/// The report of a value, ending in a line end.
pub fn value(report: &ValueReport, style: Style) -> String {
    match report {
        ValueReport::Word(report) => word(report, style),
        ValueReport::Puzzle(report) => puzzle(report, style),
        ValueReport::Group(report) => group(report, style),
        ValueReport::Board(report) => report.text(),
        ValueReport::Plain { written, kind, value } => {
            if written.is_empty() || written == value {
                format!("{value}\n")
            } else {
                format!("{written} = {value}   {}\n", paint(&format!("({kind})"), FAINT, style))
            }
        }
    }
}

/// Something that a script said, ending in a line end.
pub fn said(output: &Output, library: &Library, style: Style) -> String {
    match output {
        Output::Line(line) => format!("{line}\n"),
        Output::Trace(trace) => TraceReport::new(trace).text(),
        Output::Report { value: shown, written, .. } => value(&ValueReport::new(shown, written, library), style),
        Output::Value { value: shown, written, .. } => {
            // a word tells what it does; of anything else the value is enough
            let report = match ValueReport::new(shown, written, library) {
                ValueReport::Plain { kind, value, .. } => ValueReport::Plain { written: String::new(), kind, value },
                report => report,
            };
            value(&report, style)
        }
    }
}

/// What was said outside claims and inside them, in the order of the script.
pub fn in_order(said: &[String], claims: &[ClaimReport]) -> String {
    let mut out = String::new();
    let mut done = 0;
    for claim in claims {
        let before = claim.said_before.clamp(done, said.len());
        out.extend(said[done..before].iter().map(String::as_str));
        done = before;
        for line in &claim.printed {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.extend(said[done..].iter().map(String::as_str));
    out
}

fn word(report: &WordReport, style: Style) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    let mut out = String::new();
    let place = report.puzzle.as_ref().map_or(String::new(), |puzzle| format!(" on {puzzle}"));
    let title = if report.written.is_empty() || report.written == report.word {
        report.word.clone()
    } else {
        format!("{} = {}", report.written, report.word)
    };
    let _ = writeln!(out, "{}{}", paint(&title, BOLD, style), paint(&place, FAINT, style));
    if let (Some(length), Some(runs)) = (&report.length, &report.runs) {
        let runs = runs.as_str().map_or_else(|| runs.to_string(), String::from);
        rows.push(("length", format!("{} in {}", many(length, "move"), many(&runs, "run"))));
    }
    if let Some(blank) = &report.blank {
        rows.push((
            "blank",
            match blank.from == blank.to {
                true => format!("at home at {}, before and afterwards", blank.from),
                false => format!("starts at home at {}, ends at {}", blank.from, blank.to),
            },
        ));
    }
    rows.push(("effect", report.effect.clone()));
    let lengths: Vec<String> = report.cycle_type.iter().map(usize::to_string).collect();
    let cycle_type = match lengths.len() {
        0 => "() identity".to_string(),
        1 => format!("({},) one cycle of length {}", lengths[0], lengths[0]),
        _ => format!("({})", lengths.join(", ")),
    };
    rows.push(("cycle type", cycle_type));
    rows.push(("order", report.order.clone().unwrap_or_else(|| "none: not all powers are possible".to_string())));
    rows.push(("sign", if report.sign > 0 { "1 (even)".to_string() } else { "-1 (odd)".to_string() }));
    rows.push((
        "moved",
        if report.puzzle.is_some() {
            format!("{} of {} cells", report.moved, report.cells)
        } else {
            report.moved.to_string()
        },
    ));
    rows.push(("convention", report.convention.to_string()));
    for (name, text) in rows {
        let _ = writeln!(out, "  {} {text}", paint(&format!("{name:<10}"), FAINT, style));
    }
    if let Some(picture) = &report.picture {
        for row in &picture.rows {
            let _ = writeln!(out, "    {row}");
        }
    }
    out
}

fn many(count: &str, what: &str) -> String {
    if count == "1" { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn puzzle(report: &PuzzleReport, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", paint(&report.name, BOLD, style));
    if let Some(doc) = &report.doc {
        for line in doc.lines() {
            let _ = writeln!(out, "{}", format!("  {line}").trim_end());
        }
    }
    let _ = writeln!(
        out,
        "  {} {} from {} to {}",
        paint("cells     ", FAINT, style),
        report.cells,
        report.first_cell,
        report.last_cell
    );
    let list = |names: &[String]| {
        let shown: Vec<&str> = names.iter().take(24).map(String::as_str).collect();
        format!(
            "{}{}",
            shown.join(" "),
            if names.len() > 24 { format!(" … ({} in all)", names.len()) } else { String::new() }
        )
    };
    let _ = writeln!(out, "  {} {}", paint("moves     ", FAINT, style), list(&report.moves));
    if let Some(blank) = &report.blank {
        let _ = writeln!(out, "  {} {blank} when solved", paint("blank     ", FAINT, style));
    }
    if !report.extra_moves.is_empty() {
        let _ = writeln!(out, "  {} {}", paint("extra     ", FAINT, style), list(&report.extra_moves));
    }
    out
}

/// Texts longer than this are cut in a report of a group.
const GROUP_CHARS: usize = 160;

fn cut(text: &str) -> String {
    if text.chars().count() > GROUP_CHARS {
        text.chars().take(GROUP_CHARS).chain(['…']).collect()
    } else {
        text.to_string()
    }
}

fn group(report: &GroupReport, style: Style) -> String {
    let title = if report.written.is_empty() || report.written == report.group {
        cut(&report.group)
    } else {
        format!("{} = {}", cut(&report.written), cut(&report.group))
    };
    let place = report.puzzle.as_ref().map_or(String::new(), |puzzle| format!(" on {puzzle}"));
    let what = if report.puzzle.is_some() { "cells" } else { "points" };
    let moved = match report.moved {
        moved if moved == report.points => format!("{moved}, all moved"),
        moved => format!("{}, {moved} moved", report.points),
    };
    let orbits = match (report.orbits.as_slice(), report.points - report.moved) {
        ([], _) => "nothing is moved".to_string(),
        ([length], 0) => format!("one, of length {length}: transitive"),
        (_, fixed) => {
            let mut parts: Vec<String> = Vec::new();
            for same in report.orbits.chunk_by(|a, b| a == b).take(GROUP_CHARS / 10) {
                parts.push(match same.len() {
                    1 => format!("length {}", same[0]),
                    count => format!("{count} of length {}", same[0]),
                });
            }
            if fixed > 0 {
                parts.push(format!("{fixed} fixed"));
            }
            parts.join(", ")
        }
    };
    let mut rows = vec![(what, moved), ("orbits", orbits), ("order", order_text(report))];
    if let Some(primitive) = report.primitive {
        let text = if primitive { "primitive: no blocks" } else { "imprimitive: it moves blocks as wholes" };
        rows.push(("action", text.to_string()));
    }
    if let Some(identity) = &report.identity {
        rows.extend(identity.name.clone().map(|name| ("name", name)));
        for (at, reason) in identity.reasons.iter().enumerate().take(REASONS) {
            rows.push((if at == 0 { "because" } else { "" }, reason.clone()));
        }
        // elements that reasons speak of
        let (short, long): (Vec<_>, Vec<_>) =
            identity.witnesses.iter().partition(|(_, cycles)| cycles.len() <= GROUP_CHARS);
        rows.extend(short.iter().map(|(name, cycles)| ("", format!("{name} = {cycles}"))));
        if !long.is_empty() {
            let names: Vec<&str> = long.iter().take(REASONS).map(|(name, _)| name.as_str()).collect();
            rows.push(("", format!("the cycles of {} are in the JSON report", names.join(", "))));
        }
    }
    let mut out = format!("{}{}\n", paint(&title, BOLD, style), paint(&place, FAINT, style));
    for (name, text) in rows {
        for (at, line) in wrapped(&text, GROUP_WIDTH).into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let _ = writeln!(out, "  {} {line}", paint(&format!("{name:<10}"), FAINT, style));
        }
    }
    out
}

/// So many reasons for a name are written.
const REASONS: usize = 8;
const GROUP_WIDTH: usize = 96;
/// Longer numbers are cut in the middle.
const ORDER_DIGITS: usize = 60;
/// So many primes of an order are written.
const PRIMES: usize = 12;

/// `43252003274489856000 = 2^27 · 3^14 · 5^3 · 7^2 · 11`
fn order_text(report: &GroupReport) -> String {
    let Some(order) = &report.order else { return "not found: it would need too much memory".to_string() };
    let digits = order.len();
    let shown = match digits {
        0..=ORDER_DIGITS => order.clone(),
        _ => format!("{}…{} ({digits} digits)", &order[..12], &order[digits - 12..]),
    };
    let factors = report.factors.as_deref().unwrap_or_default();
    if factors.iter().map(|(_, exponent)| exponent).sum::<u32>() < 2 {
        return shown;
    }
    let power =
        |(prime, exponent): &(u64, u32)| if *exponent == 1 { prime.to_string() } else { format!("{prime}^{exponent}") };
    let mut powers: Vec<String> = factors.iter().take(PRIMES).map(power).collect();
    if factors.len() > PRIMES {
        powers.push("…".to_string());
        powers.extend(factors.last().map(power));
    }
    format!("{shown} = {}", powers.join(" · "))
}

/// A mark and a word: does it hold, and what is known.
pub fn verdict(claim: &ClaimReport) -> (&'static str, &'static str) {
    let mark = match (claim.holds, claim.verdict) {
        (true, _) => "✓",
        (false, Verdict::Undecided) => "?",
        (false, _) => "✗",
    };
    let word = match (claim.kind, claim.verdict) {
        (_, Verdict::Proved) => "proved",
        (ClaimKind::Refute, Verdict::Checked) => "not refuted",
        (_, Verdict::Checked) => "checked",
        (_, Verdict::Refuted) => "refuted",
        (_, Verdict::Undecided) => "undecided",
    };
    (mark, word)
}

/// For which values that is known, or why it is not.
pub fn extent(claim: &ClaimReport) -> String {
    match (claim.verdict, &claim.counterexample) {
        (Verdict::Proved, _) => claim.statement(),
        (Verdict::Refuted, _) if claim.is_partly_proved() => claim.statement(),
        (Verdict::Refuted, Some(counterexample)) if !counterexample.values.is_empty() => {
            format!("at {}", values(&counterexample.values))
        }
        (Verdict::Undecided, _) => claim.reason.clone().unwrap_or_default(),
        (Verdict::Refuted, _) => String::new(),
        _ if claim.range == "once" => String::new(),
        _ => {
            let idle = match claim.without_assertion {
                0 => String::new(),
                some => format!(", {some} without an assertion"),
            };
            format!("{}{idle}: {}", many(&claim.instances.to_string(), "instance"), claim.range)
        }
    }
}

/// The line of one claim in the table, ending in a line end.
pub fn row(claim: &ClaimReport, style: Style) -> String {
    let (mark, verdict) = verdict(claim);
    let colour = match mark {
        "✓" => GREEN,
        "?" => YELLOW,
        _ => RED,
    };
    let extent = extent(claim);
    let extent = match extent.chars().count() {
        0 => String::new(),
        1..=EXTENT_CHARS => format!("({extent})"),
        _ => format!("({}…)", extent.chars().take(EXTENT_CHARS - 1).collect::<String>()),
    };
    let title = if claim.kind == ClaimKind::Refute { format!("refute: {}", claim.title) } else { claim.title.clone() };
    format!(
        "  {} {}  {} {}",
        paint(mark, colour, style),
        paint(&format!("{verdict:<11}"), colour, style),
        title,
        paint(&extent, FAINT, style)
    )
    .trim_end()
    .to_string()
        + "\n"
}

/// More of what is known of a claim is cut in the table.
const EXTENT_CHARS: usize = 60;

/// `n = 3, k = 1`
pub fn values(values: &[(String, String)]) -> String {
    values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// The claim's full message where it does not hold: the drawn place and the evidence.
pub fn failure(claim: &ClaimReport, sources: &SourceMap, style: Style) -> String {
    let Some(diagnostic) = &claim.diagnostic else { return String::new() };
    render(diagnostic, sources, style)
}

/// Errors one below the other, each ending in a line end, an empty line between two.
pub fn errors(errors: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    errors.iter().map(|error| render(error, sources, style)).collect::<Vec<_>>().join("\n")
}

/// Errors, the claims that do not hold, and the table.
pub fn check(report: &CheckReport, sources: &SourceMap, style: Style, quiet: bool) -> String {
    let mut out = String::new();
    for error in &report.errors {
        out.push_str(&render(error, sources, style));
        out.push('\n');
    }
    let mut out_of_time = false;
    for claim in report.claims.iter().filter(|claim| !claim.holds) {
        // when everything stops at once, one place is enough: the table says the rest
        match claim.diagnostic.as_ref().map(|diagnostic| diagnostic.code) {
            Some(codes::INTERRUPTED) => continue,
            Some(codes::OUT_OF_TIME) if std::mem::replace(&mut out_of_time, true) => continue,
            _ => {}
        }
        out.push_str(&failure(claim, sources, style));
        out.push('\n');
    }
    let mut file = "";
    for claim in &report.claims {
        if quiet && claim.holds {
            continue;
        }
        if claim.file != file {
            file = &claim.file;
            let _ = writeln!(out, "{}", paint(file, BOLD, style));
        }
        out.push_str(&row(claim, style));
    }
    out.push_str(&summary(report, style));
    out
}

/// The proofs of claims for all values, as far as there are any, an empty line after each.
pub fn proofs(report: &CheckReport, style: Style, quiet: bool) -> String {
    let mut out = String::new();
    for claim in report.claims.iter().filter(|claim| !quiet || !claim.holds) {
        let Some(proof) = &claim.proof else { continue };
        let from = claim.from.as_ref().map_or(String::new(), |from| format!("   {from}"));
        let _ = writeln!(out, "{}{}", paint(&claim.title, BOLD, style), paint(&from, FAINT, style));
        let _ = writeln!(out, "  {}", proof.statement);
        for line in proof::lines(proof) {
            out.push_str(&proof_line(&line, style.width));
        }
        out.push('\n');
    }
    out
}

/// A line of a proof, wrapped between words and between formulas.
fn proof_line(line: &proof::Line, width: usize) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    for piece in &line.pieces {
        match piece {
            proof::Piece::Formula(formula) => parts.last_mut().into_iter().for_each(|part| part.push_str(formula)),
            proof::Piece::Words(words) => {
                for word in words.split_inclusive(' ') {
                    parts.last_mut().into_iter().for_each(|part| part.push_str(word));
                    if word.ends_with(' ') {
                        parts.push(String::new());
                    }
                }
            }
        }
    }
    let indent = "  ".repeat(line.depth + 1);
    let (mut out, mut written) = (indent.clone(), 0);
    for part in parts {
        let length = part.trim_end().chars().count();
        if written > 0 && indent.len() + written + length > width {
            out.truncate(out.trim_end().len());
            let _ = write!(out, "\n{indent}    ");
            written = 4;
        }
        out.push_str(&part);
        written += part.chars().count();
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// `162 claims hold (2750 instances)`
pub fn summary(report: &CheckReport, style: Style) -> String {
    let count = |wanted: &dyn Fn(&&ClaimReport) -> bool| report.claims.iter().filter(wanted).count();
    let holding = count(&|claim| claim.holds);
    let undecided = count(&|claim| !claim.holds && claim.verdict == Verdict::Undecided);
    let failing = report.claims.len() - holding - undecided;
    let instances: usize = report.claims.iter().map(|claim| claim.instances).sum();
    let mut parts = Vec::new();
    let claims = |count: usize| many(&count.to_string(), "claim");
    if report.claims.is_empty() && report.errors.is_empty() {
        parts.push("there are no claims".to_string());
    }
    if holding > 0 {
        let verb = if holding == 1 { "holds" } else { "hold" };
        parts.push(paint(&format!("{} {verb}", claims(holding)), GREEN, style));
    }
    if failing > 0 {
        parts.push(paint(
            &format!("{} {} not hold", claims(failing), if failing == 1 { "does" } else { "do" }),
            RED,
            style,
        ));
    }
    if undecided > 0 {
        parts.push(paint(&format!("{} undecided", claims(undecided)), YELLOW, style));
    }
    if !report.errors.is_empty() {
        parts.push(paint(&many(&report.errors.len().to_string(), "error"), RED, style));
    }
    if report.interrupted {
        parts.push(paint("interrupted", YELLOW, style));
    }
    let parts = parts.join(", ");
    let mut out = match report.claims.is_empty() {
        true => format!("{parts}\n"),
        false => format!("{parts} ({})\n", many(&instances.to_string(), "instance")),
    };
    let larger = count(&|claim| claim.larger_range);
    let mut more = Vec::new();
    if report.skipped > 0 {
        more.push(many(&report.skipped.to_string(), "more claim"));
    }
    if larger > 0 {
        more.push(many(&larger.to_string(), "larger range"));
    }
    if !more.is_empty() {
        let _ = writeln!(out, "{}", paint(&format!("with --thorough: {}", more.join(", ")), FAINT, style));
    }
    out
}

/// The words of a text in lines of at most `width` characters, longer words excepted.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full = |line: &String| !line.is_empty() && line.chars().count() + word.chars().count() >= width;
        let full = lines.last().is_some_and(full);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
