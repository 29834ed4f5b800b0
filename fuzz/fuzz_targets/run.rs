//! Any text runs within its budget, or gets a message that can be drawn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use perm::diagnostic::{codes, render};
use perm::module::{Files, Origin};
use perm::run::Limits;
use perm::session::{Options, Script, Session};

fuzz_target!(|text: &str| {
    let limits = Limits { max_steps: 20_000, max_memory: 16 << 20 };
    let files = Files { sealed: true, ..Files::default() };
    let mut session = Session::new(Options { limits, importer: Box::new(files), ..Options::default() });
    let script = Script::new(Origin::Text("fuzz".into()), text.into());
    let report = session.run(&script, &Default::default(), &mut |_, _| ());
    let claims = report.claims.iter().filter_map(|claim| claim.diagnostic.as_ref());
    for diagnostic in report.errors.iter().chain(claims) {
        assert_ne!(diagnostic.code, codes::INTERNAL, "{diagnostic:?}");
        render::render(diagnostic, &session.sources, Default::default());
    }
});
