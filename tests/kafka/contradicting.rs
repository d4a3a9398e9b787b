//! Examples of topic configs that contradict each other: real brokers are asked about them, and the documentation shows them.

/// A topic's own configs.
pub(crate) type Own = &'static [(&'static str, &'static str)];

/// What 4.3.1 and 3.9.1 brokers have built in for the keys that take part.
pub(crate) const INHERITED: [(&str, &str); 20] = [
    ("cleanup.policy", "delete"),
    ("compression.gzip.level", "-1"),
    ("compression.lz4.level", "9"),
    ("compression.type", "producer"),
    ("compression.zstd.level", "3"),
    ("local.retention.bytes", "-2"),
    ("local.retention.ms", "-2"),
    ("max.compaction.lag.ms", "9223372036854775807"),
    ("max.message.bytes", "1048588"),
    ("message.timestamp.type", "CreateTime"),
    ("min.compaction.lag.ms", "0"),
    ("remote.log.copy.disable", "false"),
    ("remote.log.delete.on.disable", "false"),
    ("remote.storage.enable", "false"),
    ("retention.bytes", "-1"),
    ("retention.ms", "604800000"),
    ("segment.bytes", "1073741824"),
    ("segment.jitter.ms", "0"),
    ("segment.ms", "604800000"),
    ("unclean.leader.election.enable", "false"),
];

/// One of each that brokers refuse.
pub(crate) const REFUSED: [Own; 8] = [
    &[("min.compaction.lag.ms", "86400000"), ("max.compaction.lag.ms", "3600000")],
    &[("remote.storage.enable", "true"), ("cleanup.policy", "compact")],
    &[("remote.storage.enable", "true"), ("local.retention.ms", "86400000"), ("retention.ms", "3600000")],
    &[("remote.storage.enable", "true"), ("local.retention.ms", "-1")],
    &[("remote.storage.enable", "true"), ("local.retention.bytes", "2097152"), ("retention.bytes", "1048576")],
    &[("remote.storage.enable", "true"), ("local.retention.bytes", "-1"), ("retention.bytes", "1048576")],
    &[("remote.storage.enable", "true"), ("remote.log.copy.disable", "true"), ("local.retention.ms", "3600000")],
    &[("remote.storage.enable", "true"), ("remote.log.copy.disable", "true"), ("local.retention.bytes", "1048576")],
];

/// One of each that brokers take, though it makes no sense.
pub(crate) const SENSELESS: [Own; 19] = [
    &[("cleanup.policy", "compact"), ("retention.ms", "86400000")],
    &[("cleanup.policy", "compact"), ("retention.bytes", "1073741824")],
    &[("delete.retention.ms", "3600000")],
    &[("max.compaction.lag.ms", "3600000")],
    &[("min.cleanable.dirty.ratio", "0.1")],
    &[("min.compaction.lag.ms", "3600000")],
    &[("cleanup.policy", "compact,delete"), ("min.compaction.lag.ms", "86400000"), ("retention.ms", "3600000")],
    &[("segment.ms", "1209600000")],
    &[("segment.bytes", "1073741824"), ("retention.bytes", "104857600")],
    &[("compression.type", "zstd"), ("compression.gzip.level", "9")],
    &[("compression.lz4.level", "9")],
    &[("compression.type", "gzip"), ("compression.zstd.level", "3")],
    &[("message.timestamp.type", "LogAppendTime"), ("message.timestamp.after.max.ms", "3600000")],
    &[("message.timestamp.type", "LogAppendTime"), ("message.timestamp.before.max.ms", "3600000")],
    &[("segment.bytes", "1048576"), ("max.message.bytes", "10485760")],
    &[("segment.ms", "3600000"), ("segment.jitter.ms", "7200000")],
    &[("local.retention.ms", "3600000")],
    &[("local.retention.bytes", "1048576")],
    &[("remote.log.copy.disable", "true")],
];
