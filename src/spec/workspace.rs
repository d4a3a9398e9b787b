//! The wanted state after all merging: what the judge works with. Data only.

use crate::finding::{Code, Place, Rules, Severity};
use crate::kafka::name::{ClusterName, ConfigKey, TopicName};
use std::collections::BTreeMap;

/// A value with the place it was written at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub place: Place,
}

/// Everything that the files of a workspace declare.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Shown in every output.
    pub name: String,
    /// How to reach each cluster.
    pub clusters: BTreeMap<ClusterName, Connection>,
    /// The flows, in the order of the file.
    pub mirrors: Vec<Mirror>,
    /// Severities per code.
    pub rules: Rules,
    /// The declared topics. The same name on two clusters is two topics.
    pub topics: BTreeMap<(ClusterName, TopicName), Topic>,
    /// Topics that shall be deleted: `state: absent`.
    pub absent: BTreeMap<(ClusterName, TopicName), Absent>,
    /// Which topics are this workspace's business.
    pub scope: Scope,
    /// How much one run may change.
    pub limits: Limits,
    /// What every topic has to keep to.
    pub policies: Vec<Policy>,
    /// Acknowledgements of a change of a profile, for all its topics.
    pub acknowledgements: Vec<ProfileAcknowledgement>,
    /// When drift alarms.
    pub drift: DriftSettings,
}

/// How to reach a cluster.
#[derive(Clone, Debug)]
pub enum Connection {
    /// Real brokers.
    Kafka {
        /// Addresses to start from, as `host:port,host:port`.
        bootstrap: At<Template>,
        /// The id that the cluster must have, where one is pinned.
        id: Option<At<String>>,
        /// librdkafka's settings, each with the place of its name. Their values are secrets.
        properties: BTreeMap<String, At<Template>>,
    },
    /// A cluster model in a file.
    Simulated {
        /// The file's path, relative to the workspace's folder.
        file: At<String>,
        /// The id that the cluster must have, where one is pinned.
        id: Option<At<String>>,
    },
    /// A picture of a live cluster in a file.
    Snapshot {
        /// The file's path, relative to the workspace's folder.
        file: At<String>,
        /// The id that the cluster must have, where one is pinned.
        id: Option<At<String>>,
    },
}

/// A text with variables in it, which only the shell resolves.
#[derive(Clone, PartialEq, Eq)]
pub struct Template {
    /// Literal texts and variables, in order.
    pub parts: Vec<Part>,
}

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// `${env:NAME}` or `${env:NAME:-default}`.
    Environment {
        /// The variable's name.
        name: String,
        /// What holds where it is unset or empty.
        default: Option<String>,
    },
    /// `${file:PATH}`: the file's content without its last newline.
    File {
        /// Relative to the workspace's folder.
        path: String,
    },
}

/// A flow as declared.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// Where the flow is declared.
    pub place: Place,
    /// The cluster it reads.
    pub source: ClusterName,
    /// The cluster it writes.
    pub target: ClusterName,
    /// MirrorMaker's alias of the source, where it differs from the cluster's name.
    pub source_alias: Option<At<String>>,
    /// MirrorMaker's alias of the target, where it differs from the cluster's name.
    pub target_alias: Option<At<String>>,
    /// MirrorMaker's own keys, flat; each with the place of its key.
    pub config: BTreeMap<String, (Place, At<String>)>,
    /// MirrorMaker's version as written, such as `4.0`.
    pub version: Option<At<String>>,
    /// Keys that MirrorMaker leaves out and that git keeps equal on the copies.
    pub fill: Vec<At<ConfigKey>>,
}

/// A topic on one cluster, after all merging.
#[derive(Clone, Debug)]
pub struct Topic {
    /// The cluster.
    pub cluster: ClusterName,
    /// Its name.
    pub name: TopicName,
    /// Where its name stands in the YAML.
    pub place: Place,
    /// Who answers for it.
    pub owner: Option<String>,
    /// Whether its records have keys.
    pub keys: Keys,
    /// The wanted number of partitions.
    pub partitions: At<u32>,
    /// The wanted replication factor.
    pub replication_factor: At<u32>,
    /// The declared configs.
    pub config: BTreeMap<ConfigKey, Wanted>,
    /// Which flows must select it.
    pub mirror: MirrorWish,
    /// The changes of it that somebody agreed to.
    pub acknowledgements: Vec<Acknowledgement>,
    /// Its profiles, in the order of merging.
    pub profiles: Vec<String>,
    /// The group whose topics must have equal partition counts.
    pub copartition: Option<At<String>>,
    /// What its copies shall have of their own, by the cluster that they are on.
    pub copies: BTreeMap<ClusterName, CopyWish>,
}

/// A topic that shall be deleted.
#[derive(Clone, Debug)]
pub struct Absent {
    /// The cluster.
    pub cluster: ClusterName,
    /// Its name.
    pub name: TopicName,
    /// Where its name stands in the YAML.
    pub place: Place,
    /// Who answers for it.
    pub owner: Option<String>,
    /// `acknowledge.delete`, where it is given.
    pub acknowledgement: Option<Acknowledgement>,
    /// The clusters whose copies shall go too: `copies: {dr: {state: absent}}`.
    pub copies: Vec<At<ClusterName>>,
}

/// What `copies.<cluster>` says of a copy.
#[derive(Clone, Debug, Default)]
pub struct CopyWish {
    /// Configs that differ from the source's or that MirrorMaker leaves out.
    pub config: BTreeMap<ConfigKey, Wanted>,
}

/// Whether a topic's records have keys: what a change of the partition count does to ordering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// They have: growth moves keys to other partitions.
    Keyed,
    /// They have none: growth harms nothing.
    None,
    /// Nobody said; taken as keyed.
    #[default]
    Unknown,
}

/// A declared config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The value as the broker stores it; `None` is `null`: no override.
    pub value: Option<String>,
    /// The text in the YAML, such as `7d`.
    pub written: String,
    /// Where the value stands.
    pub place: Place,
    /// Where its key stands.
    pub key_place: Place,
    /// The profile that it comes from, where it comes from one.
    pub profile: Option<String>,
}

/// Which flows must select a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MirrorWish {
    /// Every flow from its cluster: the default, and `mirror: true`.
    Every,
    /// None: `mirror: false`.
    Never(Place),
    /// Exactly the flows to these clusters.
    Only(Vec<At<ClusterName>>, Place),
}

/// A change that somebody agreed to. It holds for exactly this change, so it expires by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Where it is declared.
    pub place: Place,
    /// The change.
    pub change: Change,
    /// Why somebody agreed.
    pub reason: String,
    /// The last valid day, UTC.
    pub expires: Option<Day>,
}

/// A change that needs somebody's agreement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// `partition_increase`.
    Partitions {
        /// Partitions before.
        from: u32,
        /// Partitions after.
        to: u32,
    },
    /// `retention_cut`, `retention_size_cut`, `cleanup_policy` or `message_size_cut`.
    Config {
        /// Which config changes.
        key: ConfigKey,
        /// The value in force before, as stored.
        from: String,
        /// The value in force after, as stored.
        to: String,
    },
    /// `delete`.
    Delete {
        /// The id of the topic to delete; one that was made anew under its name is another.
        topic_id: String,
    },
}

/// The configs whose change may need an acknowledgement, with the word for it.
pub const ACKNOWLEDGED_CONFIGS: [(&str, &str); 4] = [
    ("retention.ms", "retention_cut"),
    ("retention.bytes", "retention_size_cut"),
    ("cleanup.policy", "cleanup_policy"),
    ("max.message.bytes", "message_size_cut"),
];

impl Change {
    /// The word in the YAML.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Partitions { .. } => "partition_increase",
            Self::Config { key, .. } => ACKNOWLEDGED_CONFIGS.iter().find(|(name, _)| *name == key.as_str()).map_or("", |(_, kind)| kind),
            Self::Delete { .. } => "delete",
        }
    }
}

/// An entry of the workspace's `acknowledge`: for every topic that has the profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileAcknowledgement {
    /// The profile.
    pub profile: String,
    /// The change, never a deletion.
    pub acknowledgement: Acknowledgement,
}

/// Patterns of topic names, `*` standing for any characters.
#[derive(Clone, Debug)]
pub struct Patterns {
    /// As written.
    pub written: Vec<String>,
    /// Compiled.
    pub set: globset::GlobSet,
}

impl Patterns {
    /// Whether one of the patterns matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        self.set.is_match(name)
    }
}

/// `scope`: outside it nothing is counted as unmanaged, and declaring is an error. `None`: everything.
pub type Scope = Option<Patterns>;

/// `limits`: per run, over all clusters, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Topics that may be deleted.
    pub deletes: u32,
    /// Topics that may grow.
    pub partition_increases: u32,
    /// Percent of the existing managed topics that may change, from 50 of them on. Creates do not count.
    pub changed_percent: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { deletes: 0, partition_increases: 5, changed_percent: 30 }
    }
}

/// An entry of `policy`.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Where it is declared.
    pub place: Place,
    /// The topics that it is about.
    pub topics: Patterns,
    /// What their names must match, as written and compiled.
    pub name: Option<(String, regex::Regex)>,
    /// How many partitions they may have.
    pub partitions: Bounds<u32>,
    /// How many replicas.
    pub replication_factor: Bounds<u32>,
    /// Fields that they must have.
    pub require: Vec<Required>,
    /// What their declared configs may be, as stored. Only numeric configs have bounds.
    pub config: BTreeMap<ConfigKey, Bounds<i64>>,
}

/// A smallest and a largest value, both allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds<T> {
    /// The smallest.
    pub min: Option<T>,
    /// The largest.
    pub max: Option<T>,
}

/// A field that a policy requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Required {
    /// `owner`.
    Owner,
    /// `keys`, other than `unknown`.
    Keys,
}

/// `drift`: when drift alarms. It decides nothing about what is written.
#[derive(Clone, Debug)]
pub struct DriftSettings {
    /// How long after its time MirrorMaker may be late, in milliseconds.
    pub grace_ms: i64,
    /// From which severity on drift fails the run.
    pub fail_on: Severity,
    /// Drift that is known.
    pub ignore: Vec<DriftIgnore>,
}

impl Default for DriftSettings {
    fn default() -> Self {
        Self { grace_ms: 600_000, fail_on: Severity::Warning, ignore: Vec::new() }
    }
}

/// Drift that is known, and alarms only when it moves on.
#[derive(Clone, Debug)]
pub struct DriftIgnore {
    /// Where it is declared.
    pub place: Place,
    /// The cluster.
    pub cluster: ClusterName,
    /// The topics, by their names on that cluster.
    pub topics: Patterns,
    /// The code of its findings.
    pub code: Code,
    /// The value found, as written.
    pub actual: String,
    /// Why it is left alone.
    pub reason: String,
    /// The last valid day, UTC.
    pub expires: Option<Day>,
}

/// A day of the calendar, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl std::fmt::Display for Day {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl std::fmt::Debug for Template {
    /// Shows how many parts there are, and none of them: a template may hold a secret as plain text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Template({} parts)", self.parts.len())
    }
}
