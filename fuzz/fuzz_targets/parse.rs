//! Any text becomes statements or messages.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let parsed = perm::syntax::parse(perm::source::FileId(0), text);
    for error in &parsed.errors {
        assert!(error.help.is_some(), "{error:?}");
        if let Some(span) = error.span() {
            assert!(span.start <= span.end && span.end as usize <= text.len() + 1, "{error:?}");
        }
    }
});
