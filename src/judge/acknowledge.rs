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
            Finding::new(
                Code::Ak003,
                format!("the acknowledgement of {} from {from} to {to} partitions expired after {day}, so nobody agrees to the change now", topic.name),
            )
            .topic(&topic.cluster, &topic.name)
            .at(given.place)
            .help("if the change is still right, set a later day in `expires`")
        });
        let reason = finding.is_none().then(|| given.reason.clone());
        return Outcome { finding, reason };
    }
    if topic.keys == Keys::None {
        return Outcome { finding: Some(leftover(topic, given, from)), reason: None };
    }
    let finding = Finding::new(
        Code::Ak002,
        format!("{} grows from {from} to {to} partitions, and the acknowledgement is for {} to {}", topic.name, given.from, given.to),
    )
    .topic(&topic.cluster, &topic.name)
    .at(given.place)
    .help(format!("if this change is right, write partition_increase: {{from: {from}, to: {to}, reason: \"...\"}}"));
    Outcome { finding: Some(finding), reason: None }
}

fn missing(topic: &Topic, from: u32, to: u32) -> Finding {
    let moved = match kept_share(from, to) {
        Some((kept, of)) => format!("{} of {of} keys land on another partition, so their order breaks", of - kept),
        None => "keys land on other partitions, so their order breaks".to_owned(),
    };
    Finding::new(Code::Ak001, format!("{} grows from {from} to {to} partitions on {}, and nobody acknowledged it: {moved}", topic.name, topic.cluster))
        .topic(&topic.cluster, &topic.name)
        .at(topic.partitions.place)
        .help(format!(
            "add acknowledge: {{partition_increase: {{from: {from}, to: {to}, reason: \"...\"}}}} to the topic, or keys: none if its records have no keys"
        ))
}

/// The note for an acknowledgement that no change needs. `live` is the topic's number of partitions, 0 where it does not exist.
pub(super) fn leftover(topic: &Topic, given: &Increase, live: u32) -> Finding {
    let why = match live {
        0 => "the topic does not exist yet".to_owned(),
        live if live == given.to => format!("the topic has {live} partitions already"),
        live => format!("the topic has {live} partitions and its change needs no acknowledgement"),
    };
    Finding::new(Code::Ak004, format!("the acknowledgement of {} from {} to {} partitions is left over: {why}", topic.name, given.from, given.to))
        .topic(&topic.cluster, &topic.name)
        .at(given.place)
        .help("remove it from the file")
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
