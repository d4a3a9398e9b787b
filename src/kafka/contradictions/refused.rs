//! What brokers refuse: `LogConfig.validate` of 3.9.1 and 4.3.1, found by trying.

use super::{Contradiction, Effect, Number, Topic};

/// "As the other retention": the default of both local ones.
const AS_THE_OTHER: i64 = -2;
const UNLIMITED: i64 = -1;

pub(super) fn refused(topic: &Topic<'_>) -> Vec<Contradiction> {
    let mut found = Vec::new();
    found.extend(compaction_lags(topic));
    if topic.is_true("remote.storage.enable") {
        found.extend(compacted(topic));
        for (local, all) in [("local.retention.ms", "retention.ms"), ("local.retention.bytes", "retention.bytes")] {
            let (Some(local), Some(all)) = (topic.number(local), topic.number(all)) else { continue };
            found.extend(longer_here(local, all).or_else(|| copies_no_more(topic, local, all)));
        }
    }
    found
}

fn contradiction(keys: &[&'static str], why: String) -> Contradiction {
    Contradiction { keys: keys.to_vec(), why, effect: Effect::Refused }
}

fn compaction_lags(topic: &Topic<'_>) -> Option<Contradiction> {
    let (min, max) = (topic.number("min.compaction.lag.ms")?, topic.number("max.compaction.lag.ms")?);
    (min.number > max.number).then(|| contradiction(&[min.key, max.key], format!("{min} is above {max}")))
}

fn compacted(topic: &Topic<'_>) -> Option<Contradiction> {
    let policy = topic.policy()?;
    let why = || format!("remote.storage.enable is true and cleanup.policy {policy}: tiered storage takes no compacted topic");
    policy.compacts.then(|| contradiction(&["remote.storage.enable", "cleanup.policy"], why()))
}

fn longer_here(local: Number, all: Number) -> Option<Contradiction> {
    // Any negative retention.bytes is no limit, of retention.ms only -1 is taken.
    let is_longer = all.number > UNLIMITED && local.number != AS_THE_OTHER && (local.number == UNLIMITED || local.number > all.number);
    is_longer.then(|| contradiction(&[local.key, all.key], format!("{local} is above {all}: the local part of a tiered topic cannot outlast the whole")))
}

fn copies_no_more(topic: &Topic<'_>, local: Number, all: Number) -> Option<Contradiction> {
    let differs = topic.is_true("remote.log.copy.disable") && local.number != AS_THE_OTHER && local.number != all.number;
    differs.then(|| {
        contradiction(
            &["remote.log.copy.disable", local.key, all.key],
            format!("remote.log.copy.disable is true, {local} and {all}: where nothing is copied any more the two must be equal, or the local one -2"),
        )
    })
}

pub(super) fn turned_off(before: &Topic<'_>, after: &Topic<'_>) -> Option<Contradiction> {
    let (was, is) = (before.is_true("remote.storage.enable"), after.is_true("remote.storage.enable"));
    (was && !is && !after.is_true("remote.log.delete.on.disable")).then(|| {
        contradiction(
            &["remote.storage.enable", "remote.log.delete.on.disable"],
            "remote.storage.enable goes from true to false, and remote.log.delete.on.disable is not true: the remote data would be left behind".to_owned(),
        )
    })
}
