//! The table of topic configs. Facts only; what is done with them stands in the modules around it.

use super::{Bounds, Limits, TopicConfig};
use crate::kafka::value::Kind;
use crate::kafka::version::{Version, Versions};

const fn always(limits: Limits) -> Bounds {
    Bounds { since: Version::OLDEST, limits }
}

const fn whole(min: i64, max: i64) -> Limits {
    Limits::Whole { min, max, also: None }
}

/// Kafka's INT.
const INT: i64 = i32::MAX as i64;
/// Kafka's LONG.
const LONG: i64 = i64::MAX;

const ANY: &[Bounds] = &[always(Limits::Any)];
const BOOLEAN: &[Bounds] = &[always(Limits::Boolean)];
const SHARE: &[Bounds] = &[always(Limits::Share)];
const REPLICAS: &[Bounds] = &[always(Limits::Replicas)];
const POLICIES: &[Bounds] = &[always(Limits::Words(&["compact", "delete"]))];
const COMPRESSIONS: &[Bounds] = &[always(Limits::Word(&["uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"]))];
const TIMESTAMPS: &[Bounds] = &[always(Limits::Word(&["CreateTime", "LogAppendTime"]))];
const GZIP_LEVELS: &[Bounds] = &[always(Limits::Whole { min: 1, max: 9, also: Some(-1) })];
const LZ4_LEVELS: &[Bounds] = &[always(whole(1, 17))];
const ZSTD_LEVELS: &[Bounds] = &[always(whole(-131_072, 22))];
const LONG_ANY: &[Bounds] = &[always(whole(i64::MIN, LONG))];
const LONG_FROM_MINUS_2: &[Bounds] = &[always(whole(-2, LONG))];
const LONG_FROM_MINUS_1: &[Bounds] = &[always(whole(-1, LONG))];
const LONG_FROM_0: &[Bounds] = &[always(whole(0, LONG))];
const LONG_FROM_1: &[Bounds] = &[always(whole(1, LONG))];
const INT_FROM_0: &[Bounds] = &[always(whole(0, INT))];
const INT_FROM_1: &[Bounds] = &[always(whole(1, INT))];
const FLUSH_MESSAGES: &[Bounds] = &[always(whole(0, LONG)), Bounds { since: Version(3, 3), limits: whole(1, LONG) }];
const SEGMENT_INDEX_BYTES: &[Bounds] = &[always(whole(0, INT)), Bounds { since: Version(3, 3), limits: whole(4, INT) }];
/// KIP-1030. A 4.1 or newer broker does not start while a topic holds a smaller one from before.
const SEGMENT_BYTES: &[Bounds] = &[always(whole(14, INT)), Bounds { since: Version(4, 1), limits: whole(1 << 20, INT) }];

const fn key(name: &'static str, kind: Kind, bounds: &'static [Bounds], broker_names: &'static [&'static str]) -> TopicConfig {
    TopicConfig { name, kind, broker_names, versions: Versions::ANY, deprecated: None, instead: None, bounds }
}

impl TopicConfig {
    const fn since(self, major: u16, minor: u16) -> Self {
        Self { versions: Versions { from: Version(major, minor), before: self.versions.before }, ..self }
    }

    const fn deprecated(self, major: u16, minor: u16) -> Self {
        Self { deprecated: Some(Version(major, minor)), ..self }
    }

    const fn gone_with_4(self, instead: &'static str) -> Self {
        let versions = Versions { from: self.versions.from, before: Some(Version(4, 0)) };
        Self { versions, instead: Some(instead), ..self }
    }
}

/// Sorted by name. A broker reports those of its version, and no others, of every topic.
pub const TOPIC_CONFIGS: [TopicConfig; 36] = [
    key("cleanup.policy", Kind::List, POLICIES, &["log.cleanup.policy"]),
    key("compression.gzip.level", Kind::Integer, GZIP_LEVELS, &[]).since(3, 8),
    key("compression.lz4.level", Kind::Integer, LZ4_LEVELS, &[]).since(3, 8),
    key("compression.type", Kind::Text, COMPRESSIONS, &[]),
    key("compression.zstd.level", Kind::Integer, ZSTD_LEVELS, &[]).since(3, 8),
    key("delete.retention.ms", Kind::Milliseconds, LONG_FROM_0, &["log.cleaner.delete.retention.ms"]),
    key("file.delete.delay.ms", Kind::Milliseconds, LONG_FROM_0, &["log.segment.delete.delay.ms"]),
    key("flush.messages", Kind::Integer, FLUSH_MESSAGES, &["log.flush.interval.messages"]),
    key("flush.ms", Kind::Milliseconds, LONG_FROM_0, &["log.flush.interval.ms", "log.flush.scheduler.interval.ms"]),
    key("follower.replication.throttled.replicas", Kind::List, REPLICAS, &[]),
    key("index.interval.bytes", Kind::Bytes, INT_FROM_0, &["log.index.interval.bytes"]),
    key("leader.replication.throttled.replicas", Kind::List, REPLICAS, &[]),
    key("local.retention.bytes", Kind::Bytes, LONG_FROM_MINUS_2, &["log.local.retention.bytes"]).since(3, 6),
    key("local.retention.ms", Kind::Milliseconds, LONG_FROM_MINUS_2, &["log.local.retention.ms"]).since(3, 6),
    key("max.compaction.lag.ms", Kind::Milliseconds, LONG_FROM_1, &["log.cleaner.max.compaction.lag.ms"]),
    key("max.message.bytes", Kind::Bytes, INT_FROM_0, &["message.max.bytes"]),
    key("message.downconversion.enable", Kind::Boolean, BOOLEAN, &["log.message.downconversion.enable"])
        .gone_with_4("take it out: 4.0 dropped the formats that it converted to"),
    key("message.format.version", Kind::Text, ANY, &["log.message.format.version"]).deprecated(3, 0).gone_with_4("take it out: since 3.0 brokers ignore it"),
    key("message.timestamp.after.max.ms", Kind::Milliseconds, LONG_FROM_0, &["log.message.timestamp.after.max.ms"]).since(3, 6),
    key("message.timestamp.before.max.ms", Kind::Milliseconds, LONG_FROM_0, &["log.message.timestamp.before.max.ms"]).since(3, 6),
    key("message.timestamp.difference.max.ms", Kind::Milliseconds, LONG_FROM_0, &["log.message.timestamp.difference.max.ms"])
        .deprecated(3, 6)
        .gone_with_4("declare message.timestamp.before.max.ms and message.timestamp.after.max.ms"),
    key("message.timestamp.type", Kind::Text, TIMESTAMPS, &["log.message.timestamp.type"]),
    key("min.cleanable.dirty.ratio", Kind::Decimal, SHARE, &["log.cleaner.min.cleanable.ratio"]),
    key("min.compaction.lag.ms", Kind::Milliseconds, LONG_FROM_0, &["log.cleaner.min.compaction.lag.ms"]),
    key("min.insync.replicas", Kind::Integer, INT_FROM_1, &[]),
    key("preallocate", Kind::Boolean, BOOLEAN, &["log.preallocate"]),
    key("remote.log.copy.disable", Kind::Boolean, BOOLEAN, &[]).since(3, 9),
    key("remote.log.delete.on.disable", Kind::Boolean, BOOLEAN, &[]).since(3, 9),
    key("remote.storage.enable", Kind::Boolean, BOOLEAN, &["remote.log.storage.system.enable"]).since(3, 6),
    key("retention.bytes", Kind::Bytes, LONG_ANY, &["log.retention.bytes"]),
    key(
        "retention.ms",
        Kind::Milliseconds,
        LONG_FROM_MINUS_1,
        &["log.retention.ms", "log.retention.minutes", "log.retention.hours", "retention.minutes", "retention.hours"],
    ),
    key("segment.bytes", Kind::Bytes, SEGMENT_BYTES, &["log.segment.bytes"]),
    key("segment.index.bytes", Kind::Bytes, SEGMENT_INDEX_BYTES, &["log.index.size.max.bytes"]),
    key("segment.jitter.ms", Kind::Milliseconds, LONG_FROM_0, &["log.roll.jitter.ms", "log.roll.jitter.hours"]),
    key("segment.ms", Kind::Milliseconds, LONG_FROM_1, &["log.roll.ms", "log.roll.hours"]),
    key("unclean.leader.election.enable", Kind::Boolean, BOOLEAN, &[]),
];
