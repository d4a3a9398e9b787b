//! The wanted state after all merging: what the judge works with. Data only.

use crate::finding::{Place, Rules};
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
        /// librdkafka's settings. Their values are secrets.
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
    /// An acknowledged growth.
    pub partition_increase: Option<Increase>,
    /// Its profiles, in the order of merging.
    pub profiles: Vec<String>,
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

/// `acknowledge.partition_increase`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Increase {
    /// Where it is declared.
    pub place: Place,
    /// Partitions before.
    pub from: u32,
    /// Partitions after.
    pub to: u32,
    /// Why somebody agreed.
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
