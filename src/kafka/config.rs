//! The topic configs that Kafka 4.3.1 reports, with what a declaration needs to know of each.
//!
//! Read off a 4.3.1 broker (DescribeConfigs of a topic: 33 entries with their synonyms). librdkafka speaks DescribeConfigs v1, which carries no types, so the
//! types stand here; they are those of `LogConfig` and `TopicConfig`.

use super::value::Kind;

/// One topic-level config.
#[derive(Debug)]
pub struct TopicConfig {
    /// Its name, as in `retention.ms`.
    pub name: &'static str,
    /// How its value is read and compared.
    pub kind: Kind,
    /// Names that brokers use for the same thing in server.properties, and that people write in its place.
    pub broker_names: &'static [&'static str],
}

const fn key(name: &'static str, kind: Kind, broker_names: &'static [&'static str]) -> TopicConfig {
    TopicConfig { name, kind, broker_names }
}

/// Sorted by name.
pub const TOPIC_CONFIGS: [TopicConfig; 33] = [
    key("cleanup.policy", Kind::List, &["log.cleanup.policy"]),
    key("compression.gzip.level", Kind::Integer, &[]),
    key("compression.lz4.level", Kind::Integer, &[]),
    key("compression.type", Kind::Text, &[]),
    key("compression.zstd.level", Kind::Integer, &[]),
    key("delete.retention.ms", Kind::Milliseconds, &["log.cleaner.delete.retention.ms"]),
    key("file.delete.delay.ms", Kind::Milliseconds, &["log.segment.delete.delay.ms"]),
    key("flush.messages", Kind::Integer, &["log.flush.interval.messages"]),
    key("flush.ms", Kind::Milliseconds, &["log.flush.interval.ms", "log.flush.scheduler.interval.ms"]),
    key("follower.replication.throttled.replicas", Kind::List, &[]),
    key("index.interval.bytes", Kind::Bytes, &["log.index.interval.bytes"]),
    key("leader.replication.throttled.replicas", Kind::List, &[]),
    key("local.retention.bytes", Kind::Bytes, &["log.local.retention.bytes"]),
    key("local.retention.ms", Kind::Milliseconds, &["log.local.retention.ms"]),
    key("max.compaction.lag.ms", Kind::Milliseconds, &["log.cleaner.max.compaction.lag.ms"]),
    key("max.message.bytes", Kind::Bytes, &["message.max.bytes"]),
    key("message.timestamp.after.max.ms", Kind::Milliseconds, &["log.message.timestamp.after.max.ms"]),
    key("message.timestamp.before.max.ms", Kind::Milliseconds, &["log.message.timestamp.before.max.ms"]),
    key("message.timestamp.type", Kind::Text, &["log.message.timestamp.type"]),
    key("min.cleanable.dirty.ratio", Kind::Decimal, &["log.cleaner.min.cleanable.ratio"]),
    key("min.compaction.lag.ms", Kind::Milliseconds, &["log.cleaner.min.compaction.lag.ms"]),
    key("min.insync.replicas", Kind::Integer, &[]),
    key("preallocate", Kind::Boolean, &["log.preallocate"]),
    key("remote.log.copy.disable", Kind::Boolean, &[]),
    key("remote.log.delete.on.disable", Kind::Boolean, &[]),
    key("remote.storage.enable", Kind::Boolean, &["remote.log.storage.system.enable"]),
    key("retention.bytes", Kind::Bytes, &["log.retention.bytes"]),
    key("retention.ms", Kind::Milliseconds, &["log.retention.ms", "log.retention.minutes", "log.retention.hours", "retention.minutes", "retention.hours"]),
    key("segment.bytes", Kind::Bytes, &["log.segment.bytes"]),
    key("segment.index.bytes", Kind::Bytes, &["log.index.size.max.bytes"]),
    key("segment.jitter.ms", Kind::Milliseconds, &["log.roll.jitter.ms", "log.roll.jitter.hours"]),
    key("segment.ms", Kind::Milliseconds, &["log.roll.ms", "log.roll.hours"]),
    key("unclean.leader.election.enable", Kind::Boolean, &[]),
];

/// The catalogue's entry for a topic-level config, or `None` for a name that Kafka 4.3.1 does not know.
pub fn find(name: &str) -> Option<&'static TopicConfig> {
    TOPIC_CONFIGS.binary_search_by(|key| key.name.cmp(name)).ok().map(|at| &TOPIC_CONFIGS[at])
}

/// The kind of a config's value. Text for a key that the catalogue does not know: it is compared as it stands.
pub fn kind(name: &str) -> Kind {
    find(name).map_or(Kind::Text, |key| key.kind)
}

/// The topic-level config that was probably meant by a name that is none: a broker-level name, or one at edit distance 1 or 2.
pub fn likely(name: &str) -> Option<&'static str> {
    if find(name).is_some() {
        return None;
    }
    if let Some(key) = TOPIC_CONFIGS.iter().find(|key| key.broker_names.contains(&name)) {
        return Some(key.name);
    }
    TOPIC_CONFIGS.iter().map(|key| (strsim::damerau_levenshtein(key.name, name), key.name)).filter(|(distance, _)| *distance <= 2).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_sorted_so_that_it_can_be_searched() {
        assert!(TOPIC_CONFIGS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(TOPIC_CONFIGS.iter().all(|key| find(key.name).is_some()));
    }

    #[test]
    fn broker_names_and_slips_lead_to_the_right_key() {
        assert_eq!(likely("log.retention.ms"), Some("retention.ms"));
        assert_eq!(likely("message.max.bytes"), Some("max.message.bytes"));
        assert_eq!(likely("retention.msec"), Some("retention.ms"));
        assert_eq!(likely("retenton.ms"), Some("retention.ms"));
        assert_eq!(likely("confluent.tier.enable"), None);
        assert_eq!(likely("retention.ms"), None);
    }
}
