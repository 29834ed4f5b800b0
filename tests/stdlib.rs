//! The standard library holds, every claim of it, and the verdicts of the paper are those that were computed elsewhere.

use perm::module::standard_files;
use perm::report::{CheckReport, ClaimReport, Outcome, Verdict};
use perm::session::{Script, Session, Watch};

fn check(scripts: &[Script]) -> CheckReport {
    Session::new(Default::default()).check(scripts, &Watch::default(), &mut |_, _| ())
}

#[test]
fn every_claim_of_the_standard_library_holds() {
    let report = check(&Script::standard());
    assert!(report.errors.is_empty(), "{:#?}", report.errors);
    let failing: Vec<&str> =
        report.claims.iter().filter(|claim| !claim.holds).map(|claim| claim.title.as_str()).collect();
    assert!(failing.is_empty(), "{failing:#?}");
    assert_eq!(report.outcome(), Outcome::AllHold);
}

#[test]
fn every_standard_file_makes_claims() {
    let report = check(&Script::standard());
    for (path, _) in standard_files() {
        let file = format!("stdlib/{path}");
        assert!(report.claims.iter().any(|claim| claim.file == file), "{file} claims nothing");
    }
}

#[test]
fn the_verdicts_of_number_rotation_are_as_recorded() {
    let recorded = include_str!("stdlib/number_rotation.txt");
    let recorded: Vec<&str> = recorded.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let script = Script::standard().into_iter().find(|script| script.origin.name().ends_with("number_rotation.perm"));
    let report = check(&[script.expect("it is a standard file")]);
    let found: Vec<String> = report.claims.iter().map(line).collect();
    for (found, recorded) in found.iter().zip(&recorded) {
        assert_eq!(found, recorded);
    }
    assert_eq!(found.len(), recorded.len(), "as many claims as recorded");
}

/// A claim as the recorded file has it.
fn line(claim: &ClaimReport) -> String {
    let verdict = match (claim.verdict, &claim.counterexample) {
        (Verdict::Checked, _) => format!("checked {:>3}", claim.instances),
        (Verdict::Refuted, Some(found)) => {
            let values: Vec<String> = found.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("refuted {}", if values.is_empty() { "once".to_string() } else { values.join(", ") })
        }
        (other, _) => format!("{other:?}").to_lowercase(),
    };
    format!("{verdict:<21}{}", claim.title)
}
