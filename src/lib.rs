//! isotopic keeps the topics of mirrored Kafka clusters the same.
//!
//! ```text
//! YAML + git ──load──▶ Workspace ─┐
//! MM2 config ──load──▶ Flows ─────┼─▶ judge (pure) ─▶ Plan ─▶ text, JSON, exit code
//! clusters ───observe─▶ Live ─────┘
//! ```
//!
//! One direction, no way back. `spec` reads what is declared, `mirror` what MirrorMaker makes of it, `cluster` what is there. `judge` decides, and nothing else
//! does: its plan leaves no choice to whoever shows it. `render` and `wire` show it to people and to programs, `run` is the shell that touches the world.

pub mod cli;
pub mod cluster;
pub mod finding;
pub mod git;
pub mod judge;
pub mod kafka;
pub mod live;
pub mod mirror;
pub mod plan;
pub mod render;
pub mod run;
pub mod spec;
pub mod wire;
pub mod yaml;

use clap::Parser;
use run::Exit;
use std::ffi::OsString;

/// Does what the arguments ask for and says how it ended: the program's exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let exit = match cli::Cli::try_parse_from(args) {
        Ok(cli) => std::panic::catch_unwind(|| run::run(&cli)).unwrap_or(Exit::Unexpected),
        Err(error) => usage(&error),
    };
    exit.code()
}

/// Help and version were asked for; anything else is wrong usage, for which clap's own code would read as "there are changes".
fn usage(error: &clap::Error) -> Exit {
    // Where the streams are closed there is nobody to tell.
    drop(error.print());
    if error.use_stderr() { Exit::Usage } else { Exit::Done }
}
