//! The terminal program; everything is in [`perm::cli`].

fn main() -> std::process::ExitCode {
    perm::cli::main()
}
