//! What clusters reported: data only, with what could not be read kept apart from what is not there.
//!
//! Must not know how a cluster is asked, nor what was wanted of it.

use crate::finding::Finding;
use crate::kafka::name::{ClusterName, ConfigKey, TopicName};
use crate::kafka::origin::Origin;
use std::collections::BTreeMap;

/// An instant: seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub i64);

/// What stands behind a cluster's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterKind {
    /// Real brokers.
    Kafka,
    /// A cluster model in a file.
    Simulated,
    /// A picture of a live cluster in a file.
    Snapshot,
}

impl ClusterKind {
    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kafka => "kafka",
            Self::Simulated => "simulated",
            Self::Snapshot => "snapshot",
        }
    }
}

/// One cluster: read, or the reasons why not.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Its name in the workspace.
    pub name: ClusterName,
    /// What stands behind it.
    pub kind: ClusterKind,
    /// Its own id, in Kafka's URL-safe form. Not reported by every cluster.
    pub id: Option<String>,
    /// When it was asked; of a snapshot, when it was taken.
    pub observed_at: Instant,
    /// What it reported, or the findings (EN001, EN002, EN007) that say why there is nothing.
    pub state: Result<State, Vec<Finding>>,
}

/// All that a cluster reported.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its version, where something tells it (no librdkafka call does).
    pub kafka_version: Option<String>,
    /// The brokers that are in it.
    pub brokers: Vec<Broker>,
    /// Broker settings that are known, such as `default.replication.factor`; empty where none are.
    pub broker_configs: BTreeMap<String, String>,
    /// What a topic without overrides has in force, per key. Empty where the cluster reports no defaults.
    pub inherited: BTreeMap<ConfigKey, Inherited>,
    /// Every topic that is known to exist.
    pub topics: BTreeMap<TopicName, Topic>,
    /// Topics that were asked for and could not be read at all, with the reason.
    pub unreadable: BTreeMap<TopicName, String>,
}

/// One broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// Its id.
    pub id: u32,
    /// Where it stands, where it is known.
    pub rack: Option<String>,
}

/// A value that a topic takes over from its broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// The value, as stored. `None` where the cluster keeps it to itself (sensitive), or where only the key is known.
    pub value: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
}

/// One topic that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its id in Kafka's URL-safe form, where it was asked for.
    pub id: Option<String>,
    /// Its number of partitions.
    pub partitions: u32,
    /// Its replication factor.
    pub replication: Replication,
    /// Its configs.
    pub configs: Configs,
}

/// The replication factors of a topic's partitions. They differ while a reassignment runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replication {
    /// The smallest.
    pub min: u32,
    /// The largest.
    pub max: u32,
}

/// What is known of a topic's configs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configs {
    /// Its overrides; every other key is inherited.
    Known(BTreeMap<ConfigKey, String>),
    /// Nobody asked.
    NotAsked,
    /// Asked, and not answered, with the reason.
    Unknown(String),
}

/// What is known of a topic.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// It exists.
    Present(&'a Topic),
    /// It does not exist: it was asked for by name.
    Absent,
    /// It could not be read, with the reason.
    Unknown(&'a str),
}

/// A config's value in force on a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effective<'a> {
    /// Known, with its origin. The value is `None` where the cluster keeps it to itself.
    Value(Option<&'a str>, Origin),
    /// This cluster reports no defaults, so what is in force without an override is unknown.
    NotReported,
    /// The cluster reports defaults, and none for this key: it does not know the key.
    UnknownKey,
}

impl State {
    /// What is known of a topic that was asked for.
    pub fn topic(&self, name: &TopicName) -> Seen<'_> {
        match (self.topics.get(name), self.unreadable.get(name)) {
            (Some(topic), _) => Seen::Present(topic),
            (None, Some(reason)) => Seen::Unknown(reason),
            (None, None) => Seen::Absent,
        }
    }

    /// Whether every topic that was asked for was read in full.
    pub fn is_complete(&self) -> bool {
        self.unreadable.is_empty() && self.topics.values().all(|topic| !matches!(topic.configs, Configs::Unknown(_)))
    }

    /// What a topic without an override for this key has in force.
    pub fn inherited(&self, key: &ConfigKey) -> Effective<'_> {
        match self.inherited.get(key) {
            Some(inherited) => Effective::Value(inherited.value.as_deref(), inherited.origin),
            None if self.inherited.is_empty() => Effective::NotReported,
            None => Effective::UnknownKey,
        }
    }

    /// What is in force on a topic with these overrides.
    pub fn effective<'a>(&'a self, overrides: &'a BTreeMap<ConfigKey, String>, key: &ConfigKey) -> Effective<'a> {
        match overrides.get(key) {
            Some(value) => Effective::Value(Some(value), Origin::Topic),
            None => self.inherited(key),
        }
    }
}
