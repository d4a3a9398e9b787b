//! `isotopic man` and `isotopic completions`: what is generated from the command line's own description.

use super::exit::Exit;
use super::output::Output;
use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

/// Prints the manual page of the program, or of one of its commands.
pub(super) fn man(name: Option<&str>, output: &Output) -> Exit {
    let mut program = Cli::command();
    program.build();
    let page = match name {
        None => Some(&program),
        Some(name) => program.find_subcommand(name),
    };
    let Some(page) = page.cloned() else {
        let names: Vec<_> = program.get_subcommands().map(clap::Command::get_name).collect();
        output.tell(&format!("error: there is no command {:?}\n\nhelp: there are {}", name.unwrap_or_default(), names.join(", ")));
        return Exit::Usage;
    };
    let mut text = Vec::new();
    match Man::new(page).source(concat!("isotopic ", env!("CARGO_PKG_VERSION"))).render(&mut text) {
        // What follows a command's help is examples, first of all.
        Ok(()) => output.finished(output.data(&String::from_utf8_lossy(&text).replacen(".SH EXTRA\n", ".SH EXAMPLES\n", 1)), Exit::Done),
        Err(error) => output.failed(&error),
    }
}

/// Prints the script that completes the command line in a shell.
pub(super) fn completions(shell: Shell, output: &Output) -> Exit {
    let mut program = Cli::command();
    let name = program.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut text);
    output.finished(output.data(&String::from_utf8_lossy(&text)), Exit::Done)
}
