//! What brokers take though one value makes another pointless, or keeps or refuses more than it seems to say. Facts of the log's code, not matters of taste.

use super::{Contradiction, Effect, Policy, Topic};

pub(super) fn senseless(topic: &Topic<'_>) -> Vec<Contradiction> {
    let mut found = Vec::new();
    if let Some(policy) = topic.policy() {
        found.extend(nothing_is_deleted(topic, policy));
        found.extend(nothing_is_compacted(topic, policy));
        found.extend(deleted_before_compacted(topic, policy));
        found.extend(whole_segments(topic, policy));
    }
    found.extend(other_compression(topic));
    found.extend(own_clock(topic));
    found.extend(batch_above_segment(topic));
    found.extend(jitter_above_segment(topic));
    found.extend(not_tiered(topic));
    found
}

fn contradiction(keys: &[&'static str], why: String) -> Contradiction {
    Contradiction { keys: keys.to_vec(), why, effect: Effect::Senseless }
}

/// `UnifiedLog.deleteOldSegments`: retention is looked at only under `delete`.
fn nothing_is_deleted(topic: &Topic<'_>, policy: Policy) -> Vec<Contradiction> {
    let limits = ["retention.ms", "retention.bytes"].into_iter().filter(|key| !policy.deletes && topic.is_own(key));
    let limits = limits.filter_map(|key| topic.number(key)).filter(|limit| limit.number >= 0);
    limits.map(|limit| contradiction(&[limit.key, "cleanup.policy"], format!("{limit} deletes nothing: cleanup.policy is {policy}, without delete"))).collect()
}

fn nothing_is_compacted(topic: &Topic<'_>, policy: Policy) -> Vec<Contradiction> {
    let keys = ["delete.retention.ms", "max.compaction.lag.ms", "min.cleanable.dirty.ratio", "min.compaction.lag.ms"];
    let keys = keys.into_iter().filter(|key| !policy.compacts && topic.is_own(key));
    keys.map(|key| contradiction(&[key, "cleanup.policy"], format!("{key} has no effect: cleanup.policy is {policy}, without compact"))).collect()
}

/// A segment may be compacted once its newest record is older than the lag, and is deleted once that record is older than the retention.
fn deleted_before_compacted(topic: &Topic<'_>, policy: Policy) -> Option<Contradiction> {
    let (lag, retention) = (topic.number("min.compaction.lag.ms")?, topic.number("retention.ms")?);
    let is_late = policy.deletes && policy.compacts && retention.number >= 0 && lag.number >= retention.number && lag.number > 0;
    is_late.then(|| contradiction(&[lag.key, retention.key], format!("{lag} is not below {retention}: every segment is deleted before it may be compacted")))
}

/// Only whole segments are deleted, the newest record deciding. Told only of segments that the topic itself makes large: nearly every topic inherits a segment
/// above a short retention.
fn whole_segments(topic: &Topic<'_>, policy: Policy) -> Vec<Contradiction> {
    let pairs = [("segment.ms", "retention.ms"), ("segment.bytes", "retention.bytes")];
    let pairs = pairs.into_iter().filter(|(segment, _)| policy.deletes && topic.is_own(segment));
    let pairs = pairs.filter_map(|(segment, retention)| Some((topic.number(segment)?, topic.number(retention)?)));
    pairs
        .filter(|(segment, retention)| retention.number > 0 && segment.number > retention.number)
        .map(|(segment, retention)| {
            contradiction(
                &[segment.key, retention.key],
                format!("{segment} is above {retention}: only whole segments are deleted, so up to both together is kept"),
            )
        })
        .collect()
}

fn other_compression(topic: &Topic<'_>) -> Vec<Contradiction> {
    let Some(compression) = topic.text("compression.type") else { return Vec::new() };
    let levels = [("compression.gzip.level", "gzip"), ("compression.lz4.level", "lz4"), ("compression.zstd.level", "zstd")];
    let levels = levels.into_iter().filter(|(key, of)| topic.is_own(key) && *of != compression);
    levels.map(|(key, _)| contradiction(&[key, "compression.type"], format!("{key} has no effect: compression.type is {compression}"))).collect()
}

fn own_clock(topic: &Topic<'_>) -> Vec<Contradiction> {
    let keys = ["message.timestamp.after.max.ms", "message.timestamp.before.max.ms", "message.timestamp.difference.max.ms"];
    let keys = keys.into_iter().filter(|key| topic.is_own(key) && topic.text("message.timestamp.type") == Some("LogAppendTime"));
    keys.map(|key| contradiction(&[key, "message.timestamp.type"], format!("{key} has no effect: message.timestamp.type is LogAppendTime"))).collect()
}

/// A producer of such a batch is told RECORD_LIST_TOO_LARGE (tried on 4.3.1).
fn batch_above_segment(topic: &Topic<'_>) -> Option<Contradiction> {
    let (message, segment) = (topic.number("max.message.bytes")?, topic.number("segment.bytes")?);
    let why = || format!("{message} is above {segment}: a batch that does not fit in a segment is refused");
    (message.number > segment.number).then(|| contradiction(&[message.key, segment.key], why()))
}

/// `LogConfig.randomSegmentJitter`.
fn jitter_above_segment(topic: &Topic<'_>) -> Option<Contradiction> {
    let (jitter, segment) = (topic.number("segment.jitter.ms")?, topic.number("segment.ms")?);
    let why = || format!("{jitter} is above {segment}: the jitter is cut to the segment's time, and segments may roll at once");
    (jitter.number > segment.number).then(|| contradiction(&[jitter.key, segment.key], why()))
}

fn not_tiered(topic: &Topic<'_>) -> Vec<Contradiction> {
    if topic.text("remote.storage.enable").is_none() || topic.is_true("remote.storage.enable") {
        return Vec::new();
    }
    let says_something = |key: &str| match key {
        "remote.log.copy.disable" => topic.is_true(key),
        _ => topic.text(key) != Some("-2"),
    };
    let keys = ["local.retention.bytes", "local.retention.ms", "remote.log.copy.disable"].into_iter().filter(|key| topic.is_own(key) && says_something(key));
    keys.map(|key| contradiction(&[key, "remote.storage.enable"], format!("{key} has no effect: remote.storage.enable is not true"))).collect()
}
