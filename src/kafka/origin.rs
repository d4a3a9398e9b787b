//! Where a config's value in force comes from, in DescribeConfigs' own terms.
//!
//! MirrorMaker decides by this origin what it syncs, so it is kept for every value that is read.

use std::fmt;

/// `DescribeConfigsResponse.ConfigSource`, of a topic's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Set on the topic itself: an override.
    Topic,
    /// A dynamic value of one broker.
    DynamicBroker,
    /// A cluster-wide dynamic default (on every newly formatted 4.1+ cluster `min.insync.replicas` is one).
    DynamicDefault,
    /// A line of a broker's `server.properties`.
    Static,
    /// Kafka's built-in value, or one that a coarse broker setting such as `log.retention.hours` changed.
    Default,
    /// The cluster named a source that this version does not know, or none.
    Unknown,
}

impl Origin {
    /// Kafka's name of the origin; `unknown` where there is none.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Topic => "DYNAMIC_TOPIC_CONFIG",
            Self::DynamicBroker => "DYNAMIC_BROKER_CONFIG",
            Self::DynamicDefault => "DYNAMIC_DEFAULT_BROKER_CONFIG",
            Self::Static => "STATIC_BROKER_CONFIG",
            Self::Default => "DEFAULT_CONFIG",
            Self::Unknown => "unknown",
        }
    }

    /// The origin of that name, [`Origin::Unknown`] for a name that is not Kafka's.
    pub fn from_name(name: &str) -> Self {
        [Self::Topic, Self::DynamicBroker, Self::DynamicDefault, Self::Static, Self::Default]
            .into_iter()
            .find(|origin| origin.as_str() == name)
            .unwrap_or(Self::Unknown)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
