//! The imperative shell: one file for each command. Reads files, asks clusters, writes to the streams; decides nothing.

mod clock;
mod credentials;
mod exit;
mod explain;
pub mod files;
mod input;
mod manual;
mod output;
mod plan;
mod save;
mod schema;
mod show;
mod snapshot;
mod source;
mod targets;
mod validate;

pub use exit::Exit;
pub use output::Output;

use crate::cli::{Cli, Command};

/// Does what was asked for.
pub fn run(cli: &Cli) -> Exit {
    let output = Output::new(&cli.global);
    match &cli.command {
        Command::Plan(args) => plan::plan(&cli.global, args, &output),
        Command::Validate(args) => validate::validate(&cli.global, args, &output),
        Command::Snapshot(args) => snapshot::snapshot(&cli.global, args, &output),
        Command::Show(args) => show::show(&cli.global, args, &output),
        Command::Explain { code } => explain::explain(code, &output),
        Command::Schema { name } => schema::schema(name.as_deref(), &output),
        Command::Completions { shell } => manual::completions(*shell, &output),
        Command::Man { command } => manual::man(command.as_deref(), &output),
    }
}
