//! What MirrorMaker writes to a config of a copy in its next cycle: the table of `MirrorSourceConnector.syncTopicConfigs` and `DefaultConfigPropertyFilter`,
//! for incremental alteration with `use.defaults.from=target` (KIP-894; the only mode from 4.0, the default from 3.5).

use crate::kafka::origin::Origin;
use crate::live::Effective;

/// The default of `config.properties.exclude`: never synced.
///
/// 4.3 adds two names (KAFKA-20163), but those are broker-level names, which no topic entry carries.
pub const EXCLUDED: [&str; 6] = [
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
    "message.timestamp.difference.max.ms",
    "message.timestamp.type",
    "unclean.leader.election.enable",
    "min.insync.replicas",
];

/// Whether MirrorMaker leaves a config out whatever its value.
pub fn is_excluded(key: &str) -> bool {
    EXCLUDED.contains(&key)
}

/// What the next sync does to one config of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync<'a> {
    /// The copy gets this override.
    Set(&'a str),
    /// The copy loses its override, if it has one.
    Remove,
    /// The copy keeps what it has, for this reason.
    Keep(Kept),
    /// Not to be told: the source's value or its origin is not known.
    Unknown,
}

/// Why a config of a copy is never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is in the exclude list.
    Excluded,
    /// The source's value stands in its brokers' server.properties, which is never synced.
    Static,
    /// The source does not know the key.
    UnknownToSource,
}

/// What the next sync does to a config, given what the source has in force.
///
/// Only the origin of the source's value matters: overrides and dynamic broker values are written, defaults are removed, static broker values are dropped.
pub fn sync<'a>(key: &str, source: Effective<'a>) -> Sync<'a> {
    if is_excluded(key) {
        return Sync::Keep(Kept::Excluded);
    }
    match source {
        Effective::Value(Some(value), Origin::Topic | Origin::DynamicBroker | Origin::DynamicDefault) => Sync::Set(value),
        Effective::Value(_, Origin::Static) => Sync::Keep(Kept::Static),
        Effective::Value(_, Origin::Default) => Sync::Remove,
        // Sensitive values are dropped like static ones, but none of Kafka's topic configs is sensitive: not told.
        Effective::Value(None, Origin::Topic | Origin::DynamicBroker | Origin::DynamicDefault) | Effective::Value(_, Origin::Unknown) => Sync::Unknown,
        Effective::UnknownKey => Sync::Keep(Kept::UnknownToSource),
        Effective::NotReported => Sync::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_of_the_sources_value_decides() {
        let value = |origin| sync("retention.ms", Effective::Value(Some("1"), origin));
        assert_eq!(value(Origin::Topic), Sync::Set("1"));
        assert_eq!(value(Origin::DynamicBroker), Sync::Set("1"));
        assert_eq!(value(Origin::DynamicDefault), Sync::Set("1"));
        assert_eq!(value(Origin::Static), Sync::Keep(Kept::Static));
        assert_eq!(value(Origin::Default), Sync::Remove);
        assert_eq!(value(Origin::Unknown), Sync::Unknown);
        assert_eq!(sync("retention.ms", Effective::NotReported), Sync::Unknown);
        assert_eq!(sync("segment.bytes", Effective::UnknownKey), Sync::Keep(Kept::UnknownToSource));
        for key in EXCLUDED {
            assert_eq!(sync(key, Effective::Value(Some("1"), Origin::Topic)), Sync::Keep(Kept::Excluded));
        }
    }
}
