//! The command line itself: usage errors, help, streams.

use super::runner::{Workspace, program};
use std::process::{Command, Stdio};

#[test]
fn wrong_usage_exits_64_and_leaves_stdout_empty() {
    let nowhere = Workspace::new();
    for args in [
        &[][..],
        &["nonsense"],
        // Commands and options of later versions are not there.
        &["apply"],
        &["drift"],
        &["plan", "--base", "main"],
        &["show"],
        &["plan", "--without", "dr"],
        &["plan", "--format", "markdown"],
        &["plan", "extra"],
        &["plan", "--timeout", "30"],
        &["plan", "--timeout", "0s"],
        &["plan", "--color", "sometimes"],
        &["plan", "-v", "-q"],
        &["explain"],
        &["explain", "PT999"],
        &["schema", "nothing"],
        &["completions"],
        &["completions", "cmd"],
        &["man", "nothing"],
    ] {
        nowhere.run(args).exits(64).shows_nothing();
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let nowhere = Workspace::new();
    nowhere.run(&["--help"]).exits(0).shows("Examples:").shows("Exit codes:").says_nothing();
    nowhere.run(&["plan", "--help"]).exits(0).shows("Examples:").shows("--detailed-exitcode").says_nothing();
    nowhere.run(&["--version"]).exits(0).shows(concat!("isotopic ", env!("CARGO_PKG_VERSION"))).says_nothing();
}

/// The commands that the help lists, without clap's own.
fn commands() -> Vec<String> {
    let help = Workspace::new().run(&["--help"]).stdout;
    let list = help.split("Commands:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   ")).map(|line| line.split_whitespace().next().unwrap().to_owned());
    let names: Vec<_> = names.filter(|name| name != "help").collect();
    assert!(names.len() > 5, "{names:?}");
    names
}

#[test]
fn every_shell_completes_every_command() {
    let nowhere = Workspace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = nowhere.run(&["completions", shell]);
        script.exits(0).shows("detailed-exitcode").says_nothing();
        for command in commands() {
            script.shows(&command);
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let nowhere = Workspace::new();
    let page = nowhere.run(&["man"]);
    page.exits(0).shows(".TH isotopic 1").shows("Exit codes:").says_nothing();
    for command in commands() {
        page.shows(&format!("isotopic\\-{command}(1)"));
        let own = nowhere.run(&["man", &command]);
        own.exits(0).shows(&format!(".TH isotopic-{command} 1")).shows(".SH EXAMPLES\n").says_nothing();
    }
    nowhere.run(&["man", "plan"]).shows("isotopic plan").shows("detailed");
}

#[test]
fn an_unknown_code_is_answered_with_the_likely_one() {
    let nowhere = Workspace::new();
    nowhere.run(&["explain", "PT01"]).exits(64).says("did you mean PT001");
    nowhere.run(&["explain", "PT999"]).exits(64).says("PT001, PT002, PT003");
}

#[test]
fn a_code_is_explained_in_any_case_of_letters() {
    let nowhere = Workspace::new();
    let upper = nowhere.run(&["explain", "PT001"]);
    upper.exits(0).shows("# PT001").says_nothing();
    assert_eq!(nowhere.run(&["explain", "pt001"]).stdout, upper.stdout);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child =
        Command::new(program()).args(["schema", "plan"]).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}
