//! `isotopic validate`: everything that needs no cluster.

use super::exit::Exit;
use super::input::{Input, is_invalid};
use super::output::Output;
use crate::cli::{self, Format, Global};
use crate::finding::{Effect, Finding, Severity};
use crate::render::{self, words::count};
use crate::spec::Workspace;
use crate::wire::findings::Document;

/// Runs the command.
pub(super) fn validate(global: &Global, args: &cli::Validate, output: &Output) -> Exit {
    let input = Input::read(global);
    let findings: Vec<_> = input.all_findings().cloned().collect();
    let exit = match input.valid() {
        None => Exit::Invalid,
        Some(_) if findings.iter().any(|finding| finding.effect == Effect::Block) => Exit::Refused,
        Some(_) => Exit::Done,
    };
    output.findings(&findings, &input.sources);
    match args.format {
        Format::Text => match (exit, input.valid()) {
            (Exit::Done, Some(workspace)) => output.finished(output.data(&sound(workspace, &input)), exit),
            (Exit::Done | Exit::Unexpected | Exit::Changes | Exit::Invalid | Exit::Refused | Exit::Unobserved | Exit::Usage, _) => {
                output.tell(&summary(&findings));
                exit
            }
        },
        Format::Json => match render::json(&Document::new(&findings, exit == Exit::Invalid, &input.sources)) {
            Ok(text) => output.finished(output.data(&text), exit),
            Err(error) => output.failed(&error),
        },
    }
}

/// `payments-prod is valid: 20 topics on 2 clusters, 1 flow, 5 files.`
fn sound(workspace: &Workspace, input: &Input) -> String {
    format!(
        "{} is valid: {} on {}, {}, {}.\n",
        workspace.name,
        count(workspace.topics.len(), "topic"),
        count(workspace.clusters.len(), "cluster"),
        count(input.flows.len(), "flow"),
        count(input.sources.files().count(), "file")
    )
}

/// The last line about files that are not as they should be.
pub(super) fn summary(findings: &[Finding]) -> String {
    let of = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")].map(|(severity, noun)| (of(severity), noun));
    let counts: Vec<_> = counts.into_iter().filter(|(number, _)| *number > 0).map(|(number, noun)| count(number, noun)).collect();
    let what = if findings.iter().any(is_invalid) { "INVALID" } else { "REFUSED" };
    format!("{what}: {}.", counts.join(", "))
}
