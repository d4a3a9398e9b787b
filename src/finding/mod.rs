//! Findings: what isotopic has to say about an input or a cluster, as data.
//!
//! Every room makes findings, none prints them. What a user can mend is a finding, many per run; what cannot be mended is an error of its room.

pub mod catalogue;
pub mod place;

pub use catalogue::{Code, Stage};
pub use place::{FileId, Place, Position, Sources};

use crate::kafka::name::{ClusterName, TopicName};
use std::collections::BTreeMap;

/// How bad a finding is. `Off` only in `rules:`, for codes whose findings are not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Not shown.
    Off,
    /// Worth knowing.
    Info,
    /// Something will surprise somebody.
    Warning,
    /// Wrong, or dangerous.
    Error,
}

impl Severity {
    /// The word in output and in `rules:`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a finding does to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Note,
    /// No step of this topic runs.
    Withhold,
    /// No step at all runs.
    Block,
}

/// What a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The cluster, where it is about one.
    pub cluster: Option<ClusterName>,
    /// The topic, where it is about one.
    pub topic: Option<TopicName>,
}

/// One thing that isotopic has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which kind of thing it is.
    pub code: Code,
    /// How bad, after `rules:`.
    pub severity: Severity,
    /// What it does to the run.
    pub effect: Effect,
    /// What it is about.
    pub subject: Subject,
    /// Where it was written.
    pub place: Option<Place>,
    /// A second place (the first of two declarations, say) and what it is.
    pub related: Option<(Place, String)>,
    /// What happened, to what, and why it matters. One sentence without a capital (unless a name starts it) and without a full stop; never a secret.
    pub message: String,
    /// What to do, in the same style; empty where nothing can be done.
    pub help: String,
}

impl Finding {
    /// A finding with its code's own severity and effect.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let effect = match code.stage() {
            Stage::Input | Stage::Refusal | Stage::Unobserved => Effect::Block,
            Stage::Note => Effect::Note,
        };
        Self { code, severity: code.severity(), effect, subject: Subject::default(), place: None, related: None, message: message.into(), help: String::new() }
    }

    /// With the place it was written at.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    /// With a second place.
    #[must_use]
    pub fn and_at(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related = Some((place, label.into()));
        self
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// About a cluster.
    #[must_use]
    pub fn cluster(mut self, cluster: &ClusterName) -> Self {
        self.subject.cluster = Some(cluster.clone());
        self
    }

    /// About a topic of a cluster.
    #[must_use]
    pub fn topic(mut self, cluster: &ClusterName, topic: &TopicName) -> Self {
        self.subject = Subject { cluster: Some(cluster.clone()), topic: Some(topic.clone()) };
        self
    }

    /// Holding back no more than its own topic.
    #[must_use]
    pub fn withholding(mut self) -> Self {
        self.effect = Effect::Withhold;
        self
    }

    /// Noting only: a code that blocks elsewhere, where nothing is to be held back.
    #[must_use]
    pub fn noting(mut self, severity: Severity) -> Self {
        self.effect = Effect::Note;
        self.severity = severity;
        self
    }
}

/// The severities that a workspace sets per code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules(BTreeMap<Code, Severity>);

impl Rules {
    /// Sets a code's severity. A code whose severity is fixed cannot be lowered: then nothing is set, and `false` comes back.
    pub fn set(&mut self, code: Code, severity: Severity) -> bool {
        let allowed = !code.is_fixed() || severity >= code.severity();
        if allowed {
            self.0.insert(code, severity);
        }
        allowed
    }

    /// Applies the rules to findings: severities are replaced, what is off goes, and below error a refusal becomes a note. Raising makes no refusal.
    pub fn grade(&self, findings: Vec<Finding>) -> Vec<Finding> {
        findings
            .into_iter()
            .filter_map(|mut finding| {
                if let Some(&severity) = self.0.get(&finding.code) {
                    finding.severity = severity;
                    if severity < Severity::Error {
                        finding.effect = Effect::Note;
                    }
                }
                (finding.severity > Severity::Off).then_some(finding)
            })
            .collect()
    }

    /// The severity of things of this code.
    pub fn severity(&self, code: Code) -> Severity {
        self.0.get(&code).copied().unwrap_or(code.severity())
    }
}
