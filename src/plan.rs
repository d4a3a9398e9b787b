//! A plan: what would be done, what follows from it, what is refused and what has drifted. Data only.
//!
//! A plan leaves no choice to whoever executes or shows it. Only `judge` makes one.

use crate::finding::{Finding, Place, Severity};
use crate::kafka::name::{ClusterName, ConfigKey, TopicName};
use crate::kafka::origin::Origin;
use crate::live::Instant;
use std::fmt;

#[cfg(test)]
pub(crate) mod fixture;
mod outcome;

pub use outcome::{Outcome, subjects};

/// What of a topic an owner owns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// Whether the topic exists.
    Existence,
    /// Its number of partitions.
    Partitions,
    /// Its replication factor.
    ReplicationFactor,
    /// One topic-level config.
    Config(ConfigKey),
}

impl fmt::Display for Attribute {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Existence => out.write_str("existence"),
            Self::Partitions => out.write_str("partitions"),
            Self::ReplicationFactor => out.write_str("replication_factor"),
            Self::Config(key) => write!(out, "config:{key}"),
        }
    }
}

/// Who an attribute belongs to (DESIGN section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Declared in YAML.
    Git,
    /// MirrorMaker writes it, or is entitled to.
    MirrorMaker,
    /// Undeclared, or excluded by design.
    Nobody,
    /// MirrorMaker's configuration cannot be evaluated.
    Unknown,
}

impl Owner {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::MirrorMaker => "mirrormaker",
            Self::Nobody => "nobody",
            Self::Unknown => "unknown",
        }
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Partitions or replicas.
    Count(u32),
    /// A config's value as the broker stores it, or `present` for existence.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(out, "{count}"),
            Self::Text(text) => out.write_str(text),
        }
    }
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Makes the topic.
    Create,
    /// Adds partitions.
    Grow,
    /// Sets or resets configs.
    Configure,
    /// Deletes the topic.
    Delete,
}

impl Action {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Grow => "grow",
            Self::Configure => "configure",
            Self::Delete => "delete",
        }
    }
}

/// Why a step is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The topic is declared and does not exist.
    Absent,
    /// The topic exists and is declared absent.
    Present,
    /// The live value is another one.
    Differs,
    /// Every field only makes a default that already holds an override of its own.
    Pin,
}

impl Reason {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Present => "present",
            Self::Differs => "differs",
            Self::Pin => "pin",
        }
    }
}

/// Where a step or refusal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeOrigin {
    /// There is no base to compare with. Counts as a change.
    Unknown,
}

impl ChangeOrigin {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
        }
    }
}

/// What an attribute held before a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The topic's own value: a count, or an override. `None`: absent, or no override.
    pub own: Option<Value>,
    /// The value in force where there is no override; `None` where it is not known.
    pub effective: Option<Value>,
    /// Where the value in force comes from; `None` for attributes that are no config.
    pub origin: Option<Origin>,
}

/// One attribute that a step writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Which.
    pub attribute: Attribute,
    /// What it holds.
    pub before: Before,
    /// What it will hold; `None` resets an override.
    pub after: Option<Value>,
    /// Where the wanted value was written.
    pub place: Option<Place>,
    /// The profile that it comes from, where it comes from one.
    pub profile: Option<String>,
}

impl Field {
    /// Whether the value in force stays and only becomes an override.
    pub fn is_pin(&self) -> bool {
        match (&self.attribute, &self.before, &self.after) {
            (Attribute::Config(key), Before { own: None, effective: Some(Value::Text(live)), .. }, Some(Value::Text(after))) => {
                crate::kafka::config::kind(key.as_str()).equal(live, after)
            }
            (Attribute::Config(_) | Attribute::Existence | Attribute::Partitions | Attribute::ReplicationFactor, _, _) => false,
        }
    }
}

/// One thing to do to one topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Sixteen hex digits; see `judge::fingerprint`.
    pub id: String,
    /// On which cluster.
    pub cluster: ClusterName,
    /// To which topic.
    pub topic: TopicName,
    /// The topic's id, `None` for creates and where the cluster tells none.
    pub topic_id: Option<String>,
    /// What is done.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// Where it comes from.
    pub origin: ChangeOrigin,
    /// What is written, sorted by attribute.
    pub fields: Vec<Field>,
    /// When it runs (DESIGN section 7).
    pub wave: u8,
    /// The ids of steps that must have run before.
    pub depends_on: Vec<String>,
    /// The reason of the acknowledgement that lets it run.
    pub acknowledged_by: Option<String>,
    /// Whether a later change can take it back. Partitions never shrink.
    pub reversible: bool,
    /// Who answers for the topic.
    pub owner: Option<String>,
    /// Where the topic is declared.
    pub place: Place,
}

/// What MirrorMaker will make of an attribute of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It writes it in a coming cycle.
    Heals,
    /// It never writes it.
    Never,
    /// Something keeps it from writing.
    Blocked,
    /// It does not know the copy for its own.
    Blind,
}

impl Verdict {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Heals => "heals",
            Self::Never => "never",
            Self::Blocked => "blocked",
            Self::Blind => "blind",
        }
    }
}

/// What follows on a copy from this plan's steps, or heals by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The flow's source cluster.
    pub source: ClusterName,
    /// The source topic.
    pub source_topic: TopicName,
    /// The flow's target cluster: the one that the copy is on.
    pub cluster: ClusterName,
    /// The copy.
    pub topic: TopicName,
    /// Which attribute.
    pub attribute: Attribute,
    /// What the copy holds now; `None`: absent, or no override.
    pub before: Option<Value>,
    /// What it will hold.
    pub after: Option<Value>,
    /// Whether MirrorMaker does it.
    pub verdict: Verdict,
    /// Within how many seconds, where it does.
    pub due_seconds: Option<u64>,
    /// Why, in one sentence.
    pub because: String,
    /// Whether this plan's steps cause it. Otherwise it would happen anyway.
    pub caused_by_step: bool,
}

/// How something moved (DESIGN section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It cannot heal.
    Permanent,
    /// Something keeps MirrorMaker from writing.
    Blocked,
    /// MirrorMaker does not know the copy for its own.
    Blind,
    /// An override that nobody declared.
    Manual,
    /// MirrorMaker has not got to it yet.
    Lag,
    /// No override on either side, and different broker defaults.
    Inherited,
    /// A reassignment is running.
    Transient,
    /// It could not be looked at.
    Unknown,
}

impl Class {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Blocked => "blocked",
            Self::Blind => "blind",
            Self::Manual => "manual",
            Self::Lag => "lag",
            Self::Inherited => "inherited",
            Self::Transient => "transient",
            Self::Unknown => "unknown",
        }
    }
}

/// One difference that is already there and that no step of this plan is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// What kind of difference.
    pub class: Class,
    /// The code, where there is one; its finding's severity and text are those of the drift.
    pub code: Option<crate::finding::Code>,
    /// Where.
    pub cluster: ClusterName,
    /// On which topic.
    pub topic: TopicName,
    /// In which attribute.
    pub attribute: Attribute,
    /// What should be there; `None`: no override.
    pub expected: Option<Value>,
    /// What is there.
    pub actual: Option<Value>,
    /// How bad.
    pub severity: Severity,
    /// What it means for users, in one sentence.
    pub consequence: String,
    /// What to do, in one sentence.
    pub remedy: String,
    /// Who owns the attribute.
    pub attribute_owner: Owner,
    /// Who answers for the topic.
    pub owner: Option<String>,
    /// Within how many seconds MirrorMaker heals it, where it does.
    pub due_seconds: Option<u64>,
    /// Where the topic is declared.
    pub place: Option<Place>,
}

/// How much of a cluster was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Everything that was asked for.
    Complete,
    /// Some topics could not be read.
    Partial,
    /// Nothing.
    Unreachable,
}

impl Coverage {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Unreachable => "unreachable",
        }
    }
}

/// One cluster, as the plan saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSeen {
    /// Its name.
    pub name: ClusterName,
    /// What stands behind it.
    pub kind: crate::live::ClusterKind,
    /// Its own id.
    pub id: Option<String>,
    /// When it was read.
    pub observed_at: Instant,
    /// How much of it.
    pub coverage: Coverage,
    /// Its number of topics, where it was read.
    pub topics: Option<usize>,
    /// Whether a flow starts here.
    pub is_source: bool,
    /// Whether a flow ends here.
    pub is_target: bool,
}

/// One flow, as the plan understood it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowSeen {
    /// Where it reads.
    pub source: ClusterName,
    /// Where it writes.
    pub target: ClusterName,
    /// MirrorMaker's alias of the source: what copies' names start with.
    pub source_alias: String,
    /// What stands between alias and name.
    pub separator: String,
    /// MirrorMaker's version, where it was given.
    pub version: Option<String>,
}

/// An acknowledgement that a topic or the workspace declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcknowledgementSeen {
    /// Its word in the YAML, such as `partition_increase`.
    pub kind: String,
    /// The cluster; `None` for one of a profile.
    pub cluster: Option<ClusterName>,
    /// The topic; `None` for one of a profile.
    pub topic: Option<TopicName>,
    /// The profile, for one that holds for all its topics.
    pub profile: Option<String>,
    /// What was before; `None` for a deletion.
    pub from: Option<Value>,
    /// What shall be after.
    pub to: Option<Value>,
    /// The id of the topic to delete.
    pub topic_id: Option<String>,
    /// Why somebody agreed.
    pub reason: String,
    /// The last valid day.
    pub expires: Option<String>,
    /// Whether a step of this plan runs by it.
    pub used: bool,
}

/// Topics that exist and that nobody declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmanaged {
    /// How many.
    pub count: usize,
    /// Which. `None` in a plan that was read from a file that does not tell.
    pub names: Option<Vec<(ClusterName, TopicName)>>,
}

impl From<Vec<(ClusterName, TopicName)>> for Unmanaged {
    fn from(names: Vec<(ClusterName, TopicName)>) -> Self {
        Self { count: names.len(), names: Some(names) }
    }
}

impl Default for Unmanaged {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

/// What the steps use up of the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitsSeen {
    /// The limits.
    pub limits: crate::spec::Limits,
    /// Topics that would be deleted.
    pub deletes: usize,
    /// Topics that would grow.
    pub partition_increases: usize,
    /// Existing managed topics that would change in any way.
    pub changed: usize,
    /// All existing managed topics.
    pub existing: usize,
}

impl LimitsSeen {
    /// How many percent of the existing managed topics would change, rounded up; 0 where there are none.
    pub fn changed_percent(&self) -> usize {
        if self.existing == 0 { 0 } else { (self.changed * 100).div_ceil(self.existing) }
    }
}

/// Everything a run found out.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Per cluster: how much was seen.
    pub clusters: Vec<ClusterSeen>,
    /// The flows.
    pub flows: Vec<FlowSeen>,
    /// What would be done, in order of execution.
    pub steps: Vec<Step>,
    /// What follows on the copies.
    pub predictions: Vec<Prediction>,
    /// What is refused: findings that block or withhold.
    pub refusals: Vec<Finding>,
    /// What has moved.
    pub drift: Vec<Drift>,
    /// All other findings.
    pub diagnostics: Vec<Finding>,
    /// What was acknowledged.
    pub acknowledgements: Vec<AcknowledgementSeen>,
    /// What the steps use up of the limits.
    pub limits: LimitsSeen,
    /// Topics that exist and that nobody declared, per cluster; copies and internal topics are not counted.
    pub unmanaged: Unmanaged,
    /// Attributes of copies that differ by design, because MirrorMaker excludes them. Counted only.
    pub excluded: usize,
    /// Declared (cluster, topic) pairs.
    pub declared: usize,
    /// Those of them that were read and judged.
    pub compared: usize,
    /// Those of them for which there is nothing to do.
    pub unchanged: usize,
    /// The hash over the ids of all steps; see `judge::fingerprint`.
    pub fingerprint: String,
}
