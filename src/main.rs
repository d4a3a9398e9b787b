//! The program.
#![expect(clippy::disallowed_methods, reason = "arguments are read once, here")]

fn main() -> std::process::ExitCode {
    isotopic::run(std::env::args_os()).into()
}
