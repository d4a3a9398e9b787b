//! Acknowledgements: a change that moves keys to other partitions needs somebody who agreed to exactly this change.

use crate::finding::{Code, Finding};
use crate::kafka::rules::kept_share;
use crate::plan::AcknowledgementSeen;
use crate::spec::{Day, Increase, Keys, Topic};

/// What became of a topic's acknowledgement.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// A finding where something is missing or wrong.
    pub(super) finding: Option<Finding>,
    /// Why somebody agreed, where the change may run by it.
    pub(super) reason: Option<String>,
}

/// Judges a growth from `from` to `to` partitions. Topics whose records have no keys need no acknowledgement.
pub(super) fn growth(topic: &Topic, from: u32, to: u32, today: Day) -> Outcome {
    let Some(given) = &topic.partition_increase else {
        return match topic.keys {
            Keys::None => Outcome::default(),
            Keys::Keyed | Keys::Unknown => Outcome { finding: Some(missing(topic, from, to)), reason: None },
        };
    };
    if (given.from, given.to) == (from, to) {
        let expired = given.expires.filter(|day| *day < today);
        let finding = expired.map(|day| {
            Finding::new(Code::Ak003, format!("the acknowledgement of {} from {from} to {to} partitions was valid until {day}", topic.name))
                .topic(&topic.cluster, &topic.name)
                .at(given.place)
                .help("if it still holds, set a later day")
        });
        let reason = finding.is_none().then(|| given.reason.clone());
        return Outcome { finding, reason };
    }
    if topic.keys == Keys::None {
        return Outcome { finding: Some(leftover(topic, given, from)), reason: None };
    }
    let finding = Finding::new(
        Code::Ak002,
        format!("{} goes from {from} to {to} partitions, and what is acknowledged is a change from {} to {}", topic.name, given.from, given.to),
    )
    .topic(&topic.cluster, &topic.name)
    .at(given.place)
    .help(format!("if this change is right too, write partition_increase: {{from: {from}, to: {to}, reason: ...}}"));
    Outcome { finding: Some(finding), reason: None }
}

fn missing(topic: &Topic, from: u32, to: u32) -> Finding {
    let moved = match kept_share(from, to) {
        Some((kept, of)) => format!("{} of {of} keys land on another partition, so their order breaks", of - kept),
        None => "keys land on other partitions, so their order breaks".to_owned(),
    };
    Finding::new(Code::Ak001, format!("{} grows from {from} to {to} partitions on {}, which nobody acknowledged: {moved}", topic.name, topic.cluster))
        .topic(&topic.cluster, &topic.name)
        .at(topic.partitions.place)
        .help(format!(
            "add acknowledge: {{partition_increase: {{from: {from}, to: {to}, reason: \"...\"}}}} to the topic, or keys: none where its records have no keys"
        ))
}

/// The note for an acknowledgement that no change needs. `live` is the topic's number of partitions, 0 where it does not exist.
pub(super) fn leftover(topic: &Topic, given: &Increase, live: u32) -> Finding {
    let why = match live {
        0 => "the topic does not exist yet".to_owned(),
        live if live == given.to => format!("the topic has {live} partitions already"),
        live => format!("the topic has {live} partitions, and this change needs no acknowledgement of them"),
    };
    Finding::new(Code::Ak004, format!("the acknowledgement of {} from {} to {} partitions is left over: {why}", topic.name, given.from, given.to))
        .topic(&topic.cluster, &topic.name)
        .at(given.place)
        .help("take it out of the file")
}

/// The acknowledgement for the plan's list.
pub(super) fn seen(topic: &Topic, used: bool) -> Option<AcknowledgementSeen> {
    topic.partition_increase.as_ref().map(|given| AcknowledgementSeen {
        cluster: topic.cluster.clone(),
        topic: topic.name.clone(),
        from: given.from,
        to: given.to,
        reason: given.reason.clone(),
        expires: given.expires.map(|day| day.to_string()),
        used,
    })
}
