//! Findings as a document: what `validate --format json` writes, and the findings inside a plan.

use crate::finding::{Effect, Finding, Sources};
use schemars::JsonSchema;
use serde::Serialize;

/// What `validate` found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Findings")]
pub struct Document {
    /// The version of this format. Minor versions add keys.
    pub format_version: &'static str,
    /// Everything that was found, sorted by file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the files cannot be judged (exit code 3).
    pub errored: bool,
}

/// One thing that isotopic has to say.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// Such as `PT001`; `isotopic explain PT001` tells its story.
    pub code: &'static str,
    /// `info`, `warning` or `error`, after `rules:`.
    pub severity: &'static str,
    /// Where a refusal comes from: `unknown` where there is no base revision. Null for what is no refusal.
    pub origin: Option<&'static str>,
    /// What it holds back: the whole `apply`, or its own `topic`. Null where nothing.
    pub scope: Option<&'static str>,
    /// The cluster, where it is about one.
    pub cluster: Option<String>,
    /// The topic, where it is about one.
    pub topic: Option<String>,
    /// What happened, to what, and why it matters.
    pub message: String,
    /// What to do; empty where nothing can be done.
    pub help: String,
    /// The file, relative to the workspace.
    pub file: Option<String>,
    /// Counted from 1.
    pub line: Option<u32>,
    /// Counted from 1, in characters.
    pub column: Option<u32>,
}

impl Diagnostic {
    /// A finding with its place worked out. `origin` for refusals only.
    pub fn new(finding: &Finding, origin: Option<&'static str>, sources: &Sources) -> Self {
        let position = finding.place.map(|place| sources.position(place));
        Self {
            code: finding.code.as_str(),
            severity: finding.severity.as_str(),
            origin,
            scope: match finding.effect {
                Effect::Note => None,
                Effect::Withhold => Some("topic"),
                Effect::Block => Some("apply"),
            },
            cluster: finding.subject.cluster.as_ref().map(ToString::to_string),
            topic: finding.subject.topic.as_ref().map(ToString::to_string),
            message: finding.message.clone(),
            help: finding.help.clone(),
            file: position.as_ref().map(|position| position.file.to_owned()),
            line: position.as_ref().map(|position| position.line),
            column: position.as_ref().map(|position| position.column),
        }
    }
}

impl Document {
    /// The document of a run. `errored` where the files cannot be judged.
    pub fn new(findings: &[Finding], errored: bool, sources: &Sources) -> Self {
        let diagnostics = by_place(findings, sources).into_iter().map(|finding| Diagnostic::new(finding, None, sources)).collect();
        Self { format_version: super::FORMAT_VERSION, diagnostics, errored }
    }
}

/// Findings in the order that people read files in: by path, line and column; those without a place come first.
pub fn by_place<'a>(findings: impl IntoIterator<Item = &'a Finding>, sources: &Sources) -> Vec<&'a Finding> {
    let mut sorted: Vec<_> = findings.into_iter().collect();
    sorted.sort_by_key(|finding| (finding.place.map(|place| (sources.path(place.file).to_owned(), place.start)), finding.code, finding.subject.clone()));
    sorted
}
