//! Findings as a document: what `validate --format json` writes, and the findings inside a plan.

use super::words::Word;
use crate::finding::{Code, Effect, Finding, Severity, Sources};
use crate::plan::ChangeOrigin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// Such as `PT001`; `isotopic explain PT001` tells its story.
    pub code: Word<Code>,
    /// `info`, `warning` or `error`, after `rules:`.
    pub severity: Word<Severity>,
    /// Where a refusal comes from: `unknown` where there is no base revision. Null for what is no refusal.
    pub origin: Option<Word<ChangeOrigin>>,
    /// What it holds back: the whole `apply`, or its own `topic`. Null where nothing.
    #[schemars(with = "Option<String>")]
    pub scope: Option<Scope>,
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
    /// A second place, such as the first of two declarations.
    pub related: Option<Related>,
}

/// What a finding holds back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Its own topic.
    Topic,
    /// Every step.
    Apply,
}

/// A second place that a finding is about.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Related {
    /// What is there.
    pub label: String,
    /// Relative to the workspace.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
}

impl Diagnostic {
    /// A finding with its place worked out. `origin` for refusals only.
    pub fn new(finding: &Finding, origin: Option<ChangeOrigin>, sources: &Sources) -> Self {
        let position = finding.place.map(|place| sources.position(place));
        Self {
            code: Word(finding.code),
            severity: Word(finding.severity),
            origin: origin.map(Word),
            scope: match finding.effect {
                Effect::Note => None,
                Effect::Withhold => Some(Scope::Topic),
                Effect::Block => Some(Scope::Apply),
            },
            cluster: finding.subject.cluster.as_ref().map(ToString::to_string),
            topic: finding.subject.topic.as_ref().map(ToString::to_string),
            message: finding.message.clone(),
            help: finding.help.clone(),
            file: position.as_ref().map(|position| position.file.to_owned()),
            line: position.as_ref().map(|position| position.line),
            column: position.as_ref().map(|position| position.column),
            related: finding.related.as_ref().map(|(place, label)| {
                let position = sources.position(*place);
                Related { label: label.clone(), file: position.file.to_owned(), line: position.line, column: position.column }
            }),
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
