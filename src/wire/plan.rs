//! The plan as a document (DESIGN section 6): the shapes only. `document.rs` fills them, `saved.rs` takes them apart.
//!
//! Every key is always there, null where nothing is known; numbers for counts, texts as the broker stores them for configs.

use super::findings::Diagnostic;
use super::words::{Attribute, Time, Word};
use crate::finding::{Code, Severity};
use crate::kafka::origin::Origin;
use crate::live::ClusterKind;
use crate::plan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run of `plan` found out.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Plan")]
pub struct Document {
    /// The version of this format. Minor versions add keys: ignore the ones you do not know, and refuse another major version.
    pub format_version: String,
    /// The isotopic that wrote it.
    pub tool_version: String,
    /// When (RFC 3339, UTC, whole seconds).
    pub created_at: Time,
    /// Always `plan`.
    pub mode: String,
    /// The workspace's name. Null where the files do not tell it.
    pub workspace: Option<String>,
    /// What was read.
    pub source: Source,
    /// How much of each cluster was seen.
    pub clusters: Vec<Cluster>,
    /// MirrorMaker's flows, as understood.
    pub mirrors: Vec<Mirror>,
    /// `sha256:` and the hash over the ids of all steps. Null where the files could not be judged.
    pub fingerprint: Option<String>,
    /// How many of everything.
    pub summary: Summary,
    /// What would be done, in order of execution.
    pub steps: Vec<Step>,
    /// What MirrorMaker makes of the copies: what follows from the steps, or heals by itself.
    pub predictions: Vec<Prediction>,
    /// What is refused.
    pub refusals: Vec<Diagnostic>,
    /// What has moved and has no step.
    pub drift: Vec<Drift>,
    /// Attributes that the change takes out of the YAML. Empty without a base revision.
    pub released: Vec<Released>,
    /// Topics that exist and that nobody declared.
    pub unmanaged: Unmanaged,
    /// What was acknowledged.
    pub acknowledgements: Vec<Acknowledgement>,
    /// What the steps use up of the limits. Null where the files could not be judged.
    pub limits: Option<Limits>,
    /// All other findings.
    pub diagnostics: Vec<Diagnostic>,
    /// How much of what is declared was compared.
    pub coverage: Coverage,
    /// Whether nothing blocks and every cluster was read.
    pub applyable: bool,
    /// Whether every declared topic was compared and nothing that was asked for stayed unknown.
    pub complete: bool,
    /// Whether the files could not be judged; then all lists but `diagnostics` are empty.
    pub errored: bool,
}

/// What was read.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The commit that is checked out, 40 hex digits. Null outside a repository.
    pub commit: Option<String>,
    /// The revision compared with. Always null in this version.
    pub base: Option<String>,
    /// Whether a tracked file that was read differs from the commit. Null where there is none.
    pub dirty: Option<bool>,
    /// `sha256:` and the hash over the paths and contents of all files that were read.
    pub files_digest: String,
}

/// One cluster.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Cluster {
    /// Its name in the workspace.
    pub name: String,
    /// `source`, `target`, both or neither.
    pub roles: Vec<String>,
    /// Its own id. Null where it told none.
    pub id: Option<String>,
    /// `kafka` or `simulated`.
    pub kind: Word<ClusterKind>,
    /// When it was read.
    pub observed_at: Time,
    /// `complete`, `partial` or `unreachable`.
    pub status: Word<plan::Coverage>,
    /// How many topics it has. Null where it was not read.
    pub topics: Option<usize>,
}

/// One flow of MirrorMaker.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Mirror {
    /// The cluster it reads.
    pub source: String,
    /// The cluster it writes.
    pub target: String,
    /// Always `active` in this version.
    pub state: String,
    /// The replication policy: how copies are named.
    pub policy: String,
    /// MirrorMaker's alias of the source: what copies' names start with.
    pub source_alias: String,
    /// What stands between the source's alias and the topic's name.
    pub separator: String,
    /// MirrorMaker's version. Null where it was not given.
    pub version: Option<String>,
}

/// How many of everything. Steps are counted by action.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Topics to make.
    pub create: usize,
    /// Topics to give more partitions.
    pub grow: usize,
    /// Topics to set or reset configs of.
    pub configure: usize,
    /// Topics to delete.
    pub delete: usize,
    /// Refused topics, and refusals that are about no topic.
    pub refused: usize,
    /// Steps that wait for `--repair`.
    pub held_back: usize,
    /// Copies that MirrorMaker changes.
    pub predicted: usize,
    /// Differences that no step is for.
    pub drift: usize,
    /// Declared topics, counted per cluster, for which there is nothing to do.
    pub unchanged: usize,
}

/// A count, or a text as the broker stores it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Partitions or replicas.
    Count(u32),
    /// A config's value, or `present` for existence.
    Text(String),
}

impl From<&plan::Value> for Value {
    fn from(value: &plan::Value) -> Self {
        match value {
            plan::Value::Count(count) => Self::Count(*count),
            plan::Value::Text(text) => Self::Text(text.clone()),
        }
    }
}

impl From<Value> for plan::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Count(count) => Self::Count(count),
            Value::Text(text) => Self::Text(text),
        }
    }
}

/// One thing to do to one topic.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Sixteen hex digits.
    pub id: String,
    /// On which cluster.
    pub cluster: String,
    /// To which topic.
    pub topic: String,
    /// The topic's id. Null for creates, and where the cluster tells none.
    pub topic_id: Option<String>,
    /// `create`, `grow`, `configure` or `delete`.
    pub action: Word<plan::Action>,
    /// `change`, `drift`, or `unknown` where there is no base revision.
    pub origin: Word<plan::ChangeOrigin>,
    /// Whether it waits for `--repair`.
    pub held_back: bool,
    /// `absent`, `present`, `differs` or `pin`.
    pub reason: Word<plan::Reason>,
    /// What is written.
    pub fields: Vec<Field>,
    /// When it runs: waves run one after the other.
    pub wave: u8,
    /// Ids of steps that must have succeeded.
    pub depends_on: Vec<String>,
    /// The reason given in the acknowledgement that lets it run.
    pub acknowledged_by: Option<String>,
    /// Whether a later change can take it back.
    pub reversible: bool,
    /// Who answers for the topic.
    pub owner: Option<String>,
    /// Where the topic is declared, relative to the workspace.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
}

/// One attribute that a step writes.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// `existence`, `partitions`, `replication_factor` or `config:<key>`.
    pub attribute: Attribute,
    /// What the topic itself holds. Null: absent, or no override.
    pub before: Option<Value>,
    /// The value in force where there is no override. Null where it is not known, or where `before` tells it.
    pub before_effective: Option<Value>,
    /// Kafka's name of where a config's value came from, or `unknown`. Null for what is no config, and where the topic is absent.
    pub before_origin: Option<Word<Origin>>,
    /// What it will hold. Null resets the override.
    pub after: Option<Value>,
    /// The profile that the wanted value comes from, where it comes from one.
    pub profile: Option<String>,
    /// Where the wanted value is written.
    pub written_at: Option<WrittenAt>,
}

/// Where a value is written.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WrittenAt {
    /// Relative to the workspace.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
}

/// What MirrorMaker will make of one attribute of a copy.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// Source and target, as `primary->dr`.
    pub flow: String,
    /// The topic that is copied.
    pub source_topic: String,
    /// The cluster that the copy is on.
    pub cluster: String,
    /// The copy.
    pub topic: String,
    /// `existence`, `partitions`, `replication_factor` or `config:<key>`.
    pub attribute: Attribute,
    /// What the copy holds now.
    pub before: Option<Value>,
    /// What it will hold.
    pub after: Option<Value>,
    /// `heals`, `never`, `blocked` or `blind`.
    pub verdict: Word<plan::Verdict>,
    /// Within how many seconds, where it heals.
    pub due_seconds: Option<u64>,
    /// Why.
    pub because: String,
    /// Whether a step causes it. Otherwise it would happen anyway.
    pub caused_by_step: bool,
}

/// One difference that is already there and that no step is for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Drift {
    /// `permanent`, `blocked`, `blind`, `manual`, `lag`, `inherited`, `transient` or `unknown`.
    pub class: Word<plan::Class>,
    /// The code, where there is one.
    pub code: Option<Word<Code>>,
    /// Where.
    pub cluster: String,
    /// On which topic.
    pub topic: String,
    /// In which attribute.
    pub attribute: Attribute,
    /// What should be there. Null: no override.
    pub expected: Option<Value>,
    /// What is there. Null: absent, or no override.
    pub actual: Option<Value>,
    /// Always null in this version.
    pub first_seen: Option<String>,
    /// By when MirrorMaker heals it (RFC 3339), where it does.
    pub due: Option<Time>,
    /// Always null in this version.
    pub age_seconds: Option<u64>,
    /// `info`, `warning` or `error`.
    pub severity: Word<Severity>,
    /// What it means for users.
    pub consequence: String,
    /// What to do.
    pub remedy: String,
    /// Who answers for the topic.
    pub owner: Option<String>,
    /// Who owns the attribute: `git`, `mirrormaker`, `nobody` or `unknown`.
    pub attribute_owner: Word<plan::Owner>,
    /// Always null in this version.
    pub ignored_by: Option<String>,
    /// Where the topic is declared. Null where it is not.
    pub declared_at: Option<DeclaredAt>,
}

/// Where a topic is declared.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DeclaredAt {
    /// Relative to the workspace.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Always null in this version.
    pub commit: Option<String>,
    /// Always null in this version.
    pub author: Option<String>,
}

/// An attribute that is no longer declared.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Released {
    /// The topic.
    pub topic: String,
    /// `existence`, `partitions`, `replication_factor` or `config:<key>`.
    pub attribute: Attribute,
    /// Where it was declared.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
}

/// Topics that exist and that nobody declared; copies and internal topics are not counted.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Unmanaged {
    /// How many.
    pub topics: usize,
    /// Which, with `--full`. Null without.
    pub names: Option<Vec<UnmanagedTopic>>,
}

/// A topic that nobody declared.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnmanagedTopic {
    /// Where.
    pub cluster: String,
    /// Its name.
    pub topic: String,
}

/// An acknowledgement that a topic or the workspace declares.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Acknowledgement {
    /// Its word in the YAML, such as `partition_increase`.
    pub kind: String,
    /// The cluster; null for one of a profile.
    pub cluster: Option<String>,
    /// The topic; null for one of a profile.
    pub topic: Option<String>,
    /// The profile, for one that holds for all its topics.
    pub profile: Option<String>,
    /// What was before; null for a deletion.
    pub from: Option<Value>,
    /// What shall be after.
    pub to: Option<Value>,
    /// The id of the topic to delete.
    pub topic_id: Option<String>,
    /// Why somebody agreed.
    pub reason: String,
    /// The last valid day, UTC.
    pub expires: Option<String>,
    /// Whether a step runs by it.
    pub used: bool,
}

/// What the steps use up of the limits.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Topics that would be deleted.
    pub deletes: Limit,
    /// Topics that would grow.
    pub partition_increases: Limit,
    /// Percent of the existing managed topics that would change; it holds from 50 of them on.
    pub changed_percent: Limit,
}

/// One limit.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Limit {
    /// What the steps use.
    pub used: usize,
    /// What they may.
    pub limit: u32,
}

/// How much of what is declared was compared.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Declared topics, counted per cluster.
    pub topics_total: usize,
    /// Those that were read and judged.
    pub compared: usize,
    /// Those that were not.
    pub skipped: usize,
    /// Clusters that could not be read.
    pub clusters_failed: Vec<String>,
    /// Attributes of copies that differ by design, because MirrorMaker excludes them.
    pub excluded: usize,
}
