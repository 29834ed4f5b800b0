//! Perm: a small language for move sequences on permutation puzzles, and the engine that checks what scripts claim.
//!
//! The way of a script: [`syntax`] reads text into a tree, [`resolve`] gives every name its meaning, [`run`] computes,
//! [`claim`] makes verdicts, [`report`] says them. [`perm`], [`word`], [`puzzle`], [`group`] and [`search`] are the mathematics
//! underneath and know nothing of scripts. Clients use [`session::Session`].
//!
//! ```
//! use perm::session::Session;
//!
//! let mut session = Session::new(Default::default());
//! let report = session.evaluate("NRP(6)", &[], "(Y X)^4").map_err(|_| "the word is wrong")?;
//! assert!(perm::report::text::value(&report, Default::default()).contains("order      17"));
//! # Ok::<(), &str>(())
//! ```

#![deny(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

pub mod claim;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod group;
pub mod module;
pub mod perm;
pub mod prove;
pub mod puzzle;
pub mod random;
#[cfg(feature = "cli")]
pub mod repl;
pub mod report;
pub mod resolve;
pub mod run;
pub mod search;
pub mod session;
pub mod source;
pub mod symbolic;
pub mod syntax;
pub mod word;
