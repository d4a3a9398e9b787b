//! The command line: types for clap, and their help. Nothing is done here.

use crate::kafka::value::Kind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  isotopic validate                       check all files, without a cluster
  isotopic plan                           show what would change
  isotopic plan --full                    the same, nothing grouped or counted
  isotopic plan --out plan.json           keep it for `isotopic show plan.json` and other programs
  isotopic plan --detailed-exitcode       exit with 2 where there are changes
  isotopic explain PT001                  the story behind a code

Exit codes:
  0  done, or nothing to do               4   refused
  1  unexpected error                     7   could not look, so no verdict
  2  changes (--detailed-exitcode)        64  wrong usage
  3  input invalid";

/// Keep the topics of mirrored Kafka clusters the same.
#[derive(Debug, Parser)]
#[command(name = "isotopic", version, after_help = EXAMPLES, max_term_width = 120, args_override_self = true)]
pub struct Cli {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a comment here would become the help's heading")]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Work as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// The workspace's file [default: isotopic.yaml here or in a parent folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub workspace: Option<PathBuf>,
    /// When to use colours: auto, always or never; NO_COLOR is obeyed
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true, default_value_t = Color::Auto, global = true)]
    pub color: Color,
    /// Tell more on stderr
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Tell errors only on stderr
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// How long each cluster may take in total, such as 30s or 2m
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time, global = true)]
    pub timeout: Duration,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Wherever the output goes.
    Always,
    /// Not at all.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read the clusters and show what would change; writes nothing to them
    #[command(after_help = "\
Examples:
  isotopic plan
  isotopic -C kafka/prod plan --full
  isotopic plan --timeout 2m --out plan.json

stdout holds the plan, stderr what is said about it. With --format json stdout always holds a document, also where
the input is invalid (\"errored\": true).")]
    Plan(Plan),
    /// Write the live state of all clusters to files; changes nothing on them
    #[command(after_help = "\
Examples:
  isotopic snapshot
  isotopic snapshot --out /tmp/today --timeout 2m
  isotopic snapshot --anonymise --out report      for a bug report

Each live cluster's state goes to CLUSTER.json. Where isotopic.yaml says `dr: {snapshot: snapshots/dr.json}` instead of
an address, plans are made as if dr still were as it was. No connection setting and no secret is in the files.")]
    Snapshot(Snapshot),
    /// Show a saved plan as it was shown when it was made
    #[command(after_help = "\
Examples:
  isotopic plan --out plan.json
  isotopic show plan.json
  isotopic show plan.json --full")]
    Show(Show),
    /// Check everything that needs no cluster
    #[command(after_help = "\
Examples:
  isotopic validate
  isotopic validate --format json | jq '.diagnostics[] | select(.severity == \"error\")'")]
    Validate(Validate),
    /// Tell the story behind a code, with an example and the remedy
    #[command(after_help = "Example:\n  isotopic explain PT001")]
    Explain {
        /// A code such as PT001; case does not matter
        code: String,
    },
    /// Print a JSON Schema, or the names of those there are
    #[command(after_help = "Examples:\n  isotopic schema\n  isotopic schema topics > topics.schema.json")]
    Schema {
        /// Which one; without it, the names are listed
        name: Option<String>,
    },
    /// Print the script that completes commands and options in a shell
    #[command(after_help = "\
Examples:
  source <(isotopic completions bash)
  isotopic completions zsh > ~/.zfunc/_isotopic
  isotopic completions fish > ~/.config/fish/completions/isotopic.fish")]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print a manual page
    #[command(after_help = "\
Examples:
  isotopic man > isotopic.1
  isotopic man plan > isotopic-plan.1
  man -l <(isotopic man plan)")]
    Man {
        /// A command; without it, the page of isotopic itself
        command: Option<String>,
    },
}

/// What `plan` takes.
#[derive(Debug, Args)]
pub struct Plan {
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Exit with 2 where there are changes
    #[arg(long)]
    pub detailed_exitcode: bool,
    /// List what is otherwise grouped and counted
    #[arg(long)]
    pub full: bool,
    /// Write the plan to a file as well, as JSON; a file that is there must be a plan
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What `snapshot` takes.
#[derive(Debug, Args)]
pub struct Snapshot {
    /// Where to; files that are there must be snapshots [default: snapshots, beside the workspace's file]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Hash names of topics and other names of your own, for bug reports; nothing can be planned against it
    #[arg(long)]
    pub anonymise: bool,
}

/// What `show` takes.
#[derive(Debug, Args)]
pub struct Show {
    /// What `isotopic plan --out FILE` wrote
    pub file: PathBuf,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// List what is otherwise grouped and counted
    #[arg(long)]
    pub full: bool,
}

/// What `validate` takes.
#[derive(Debug, Args)]
pub struct Validate {
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// A span of time above zero, written as in a topic's config. librdkafka counts milliseconds in 32 bits.
fn time(text: &str) -> Result<Duration, String> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        return Err(format!("a unit is missing; write {text}s for seconds"));
    }
    let stored = Kind::Milliseconds.stored(text).map_err(|error| error.to_string())?;
    match stored.parse::<i32>().ok().and_then(|milliseconds| u64::try_from(milliseconds).ok()) {
        Some(milliseconds) if milliseconds > 0 => Ok(Duration::from_millis(milliseconds)),
        _ => Err("it must be above 0 and below 24 days".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_time_has_a_unit_and_is_above_zero() {
        assert_eq!(time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        assert!(time("30").unwrap_err().contains("write 30s"));
        for wrong in ["", "0s", "-1s", "-1", "30d", "soon"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for args in [["isotopic", "-C", "x", "plan", "--full"], ["isotopic", "plan", "-C", "x", "--full"]] {
            let cli = Cli::try_parse_from(args).unwrap();
            assert_eq!(cli.global.directory, Some(PathBuf::from("x")));
            assert!(matches!(cli.command, Command::Plan(Plan { full: true, .. })));
        }
    }
}
