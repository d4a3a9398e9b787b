//! Clusters as things that can be asked: real Kafka, a model in a file, or a snapshot.
//!
//! Turns connections into [`crate::live`] data and findings; judges nothing and writes nothing.

mod described;
mod failure;
mod ffi;
mod kafka;
mod login;
mod observe;
mod settings;
mod simulated;
mod snapshot;
mod trouble;
mod watch;

pub use observe::{Connection, Observed, Target, observe, observe_everything};
pub use settings::Property;
pub use simulated::Simulated;
pub use snapshot::Snapshot;

use crate::finding::Finding;
use crate::kafka::name::TopicName;
use crate::live::State;
use std::collections::{BTreeMap, BTreeSet};

/// Who a cluster says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its id in Kafka's URL-safe form. Some compatible brokers report none, or the nil id.
    pub id: Option<String>,
    /// The addresses of its brokers, as `host:port` (or the path of a simulated cluster's file).
    pub addresses: BTreeSet<String>,
    /// How many brokers are in it.
    pub brokers: usize,
}

/// Which topics are asked for.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// These.
    Named(&'a BTreeSet<TopicName>),
    /// All that the cluster lists, with their ids, and these: it does not list what one may not see.
    All(&'a BTreeSet<TopicName>),
}

impl<'a> Asked<'a> {
    /// Those that are asked for by name.
    fn named(self) -> &'a BTreeSet<TopicName> {
        match self {
            Self::Named(named) | Self::All(named) => named,
        }
    }

    /// Whether a topic that exists is asked for.
    fn includes(self, name: &TopicName) -> bool {
        match self {
            Self::Named(named) => named.contains(name),
            Self::All(_) => true,
        }
    }
}

/// What a topic that was read before told when it was asked for its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is there.
    Present {
        /// Its id, in Kafka's URL-safe form. Not every cluster has ids.
        id: Option<String>,
        /// Its number of partitions by now.
        partitions: u32,
    },
    /// It is not there any more, or not told any more, with the reason.
    Lost(String),
}

/// Asks a cluster, and cannot change it.
pub trait Observe {
    /// The first question: who are you. EN001 or EN002 where it does not answer.
    fn identify(&mut self) -> Result<Identity, Vec<Finding>>;

    /// Lists all topics, and reads the configs of those asked for, and of one more where there is one (which tells the cluster's defaults). Ids are told where
    /// everything is asked for; else [`Observe::ids`] tells those that are needed.
    /// A topic that was asked for and is not in the list counts as absent only after it was asked for by name.
    fn read(&mut self, asked: Asked<'_>) -> Result<State, Vec<Finding>>;

    /// Asks topics that were read for their ids, and tells each of them as it is now.
    fn ids(&mut self, topics: &BTreeSet<TopicName>) -> Result<BTreeMap<TopicName, Again>, Vec<Finding>>;
}
