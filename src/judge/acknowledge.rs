//! Acknowledgements: a change that can lose data or order needs somebody who agreed to exactly this change.

use super::World;
use crate::finding::{Code, Finding, Place};
use crate::kafka::config;
use crate::kafka::name::{ClusterName, ConfigKey, TopicName};
use crate::kafka::rules::kept_share;
use crate::plan::{AcknowledgementSeen, Value};
use crate::spec::{ACKNOWLEDGED_CONFIGS, Acknowledgement, Change, Keys, Topic};

/// A change that needs an acknowledgement.
pub(super) struct Needed {
    change: Change,
    /// Where the wanted value is written.
    place: Place,
    /// What the change does to data, as the end of a sentence.
    harm: String,
}

/// A growth of partitions. `None` for topics whose records have no keys: nothing of theirs moves.
pub(super) fn growth(topic: &Topic, from: u32, to: u32) -> Option<Needed> {
    if topic.keys == Keys::None {
        return None;
    }
    let harm = match kept_share(from, to) {
        Some((kept, of)) => format!("{} of {of} keys land on another partition, so their order breaks", of - kept),
        None => "keys land on other partitions, so their order breaks".to_owned(),
    };
    Some(Needed { change: Change::Partitions { from, to }, place: topic.partitions.place, harm })
}

/// A change of a config's value in force, where it can lose data: `None` for all others.
pub(super) fn config(key: &ConfigKey, from: &str, to: &str, place: Place) -> Option<Needed> {
    let (name, _) = ACKNOWLEDGED_CONFIGS.iter().find(|(name, _)| *name == key.as_str())?;
    let kind = config::kind(name);
    // -1 keeps everything.
    let limit = |text: &str| text.parse::<i64>().ok().map(|number| if number == -1 { i64::MAX } else { number });
    let falls = || matches!((limit(from), limit(to)), (Some(from), Some(to)) if to < from);
    let (from_human, to_human) = (kind.human(from), kind.human(to));
    let harm = match *name {
        "cleanup.policy" if !kind.equal(from, to) => format!("{from_human} becomes {to_human}, so other records are deleted than before"),
        "retention.ms" | "retention.bytes" if falls() => format!("{from_human} becomes {to_human}, and the oldest records become deletable"),
        "max.message.bytes" if falls() => format!("{from_human} becomes {to_human}, and larger records are refused"),
        _ => return None,
    };
    let change = Change::Config { key: key.clone(), from: from.to_owned(), to: to.to_owned() };
    Some(Needed { change, place, harm })
}

/// A topic's acknowledgements, and those of its profiles, while its changes are judged.
pub(super) struct Ledger<'a> {
    cluster: &'a ClusterName,
    topic: &'a TopicName,
    /// The topic's own, each with whether a change used it.
    own: Vec<(&'a Acknowledgement, bool)>,
    profiles: Vec<(usize, &'a Acknowledgement)>,
    today: crate::spec::Day,
    /// Which of the workspace's acknowledgements were used.
    pub(super) used_of_profiles: Vec<usize>,
}

impl<'a> Ledger<'a> {
    pub(super) fn of(world: &World<'a>, topic: &'a Topic) -> Self {
        let of_profile = |(_, given): &(usize, &crate::spec::ProfileAcknowledgement)| topic.profiles.contains(&given.profile);
        Self {
            cluster: &topic.cluster,
            topic: &topic.name,
            own: topic.acknowledgements.iter().map(|given| (given, false)).collect(),
            profiles: world.workspace.acknowledgements.iter().enumerate().filter(of_profile).map(|(at, given)| (at, &given.acknowledgement)).collect(),
            today: world.today,
            used_of_profiles: Vec::new(),
        }
    }

    /// Holds a change against what was agreed to: the reason why it may run, or the finding that says what is missing.
    pub(super) fn settle(&mut self, needed: &Needed) -> Result<String, Box<Finding>> {
        let own = self.own.iter_mut().find(|(given, _)| same(&given.change, &needed.change)).map(|(given, used)| {
            *used = true;
            *given
        });
        let of_profile = || self.profiles.iter().find(|(_, given)| same(&given.change, &needed.change));
        let given = own.or_else(|| {
            of_profile().map(|(at, given)| {
                self.used_of_profiles.push(*at);
                *given
            })
        });
        let finding = match given {
            Some(given) => match given.expires.filter(|day| *day < self.today) {
                None => return Ok(given.reason.clone()),
                Some(day) => self.expired(given, needed, day),
            },
            None => {
                let of_kind = |given: &&Acknowledgement| given.change.kind() == needed.change.kind();
                let other = self.own.iter().map(|(given, _)| *given).chain(self.profiles.iter().map(|(_, given)| *given)).find(of_kind);
                if let Some(other) = other {
                    // It is wrong, not left over.
                    self.own.iter_mut().filter(|(given, _)| std::ptr::eq(*given, other)).for_each(|(_, used)| *used = true);
                    self.of_another_change(other, needed)
                } else {
                    self.missing(needed)
                }
            }
        };
        Err(Box::new(finding.topic(self.cluster, self.topic)))
    }

    fn expired(&self, given: &Acknowledgement, needed: &Needed, day: crate::spec::Day) -> Finding {
        Finding::new(Code::Ak003, format!("the acknowledgement of {} of {} was valid until {day}", told(&needed.change), self.topic))
            .at(given.place)
            .help("if it still holds, set a later day")
    }

    fn of_another_change(&self, given: &Acknowledgement, needed: &Needed) -> Finding {
        Finding::new(Code::Ak002, format!("what is acknowledged for {} is {}, and the change is {}", self.topic, told(&given.change), told(&needed.change)))
            .at(given.place)
            .help(format!("if this change is right too, write {}", to_write(&needed.change)))
    }

    fn missing(&self, needed: &Needed) -> Finding {
        let help = match needed.change {
            Change::Partitions { .. } => ", or keys: none where its records have no keys",
            Change::Config { .. } | Change::Delete { .. } => "",
        };
        Finding::new(Code::Ak001, format!("nobody acknowledged {} of {} on {}: {}", told(&needed.change), self.topic, self.cluster, needed.harm))
            .at(needed.place)
            .help(format!("add acknowledge: {{{}}} to the topic{help}", to_write(&needed.change)))
    }

    /// AK004 for acknowledgements that no change needed. `exists` says whether the topic does.
    pub(super) fn leftovers(&self, exists: bool) -> impl Iterator<Item = Finding> {
        let why = if exists { "the topic needs no such change (any more)" } else { "the topic does not exist yet" };
        self.own.iter().filter(|(_, used)| !used).map(move |(given, _)| {
            Finding::new(Code::Ak004, format!("the acknowledgement of {} of {} is left over: {why}", told(&given.change), self.topic))
                .topic(self.cluster, self.topic)
                .at(given.place)
                .help("take it out of the file")
        })
    }

    /// The topic's own acknowledgements for the plan's list.
    pub(super) fn seen(&self) -> Vec<AcknowledgementSeen> {
        self.own.iter().map(|(given, used)| seen(Some((self.cluster, self.topic)), None, given, *used)).collect()
    }
}

/// An acknowledgement for the plan's list: a topic's or a profile's.
pub(super) fn seen(topic: Option<(&ClusterName, &TopicName)>, profile: Option<&str>, given: &Acknowledgement, used: bool) -> AcknowledgementSeen {
    let (from, to, topic_id) = match &given.change {
        Change::Partitions { from, to } => (Some(Value::Count(*from)), Some(Value::Count(*to)), None),
        Change::Config { from, to, .. } => (Some(Value::Text(from.clone())), Some(Value::Text(to.clone())), None),
        Change::Delete { topic_id } => (None, None, Some(topic_id.clone())),
    };
    AcknowledgementSeen {
        kind: given.change.kind().to_owned(),
        cluster: topic.map(|(cluster, _)| cluster.clone()),
        topic: topic.map(|(_, topic)| topic.clone()),
        profile: profile.map(str::to_owned),
        from,
        to,
        topic_id,
        reason: given.reason.clone(),
        expires: given.expires.map(|day| day.to_string()),
        used,
    }
}

/// AK004 for the acknowledgement of a profile's change that no topic needed.
pub(super) fn leftover_of_profile(given: &crate::spec::ProfileAcknowledgement) -> Finding {
    Finding::new(
        Code::Ak004,
        format!(
            "the acknowledgement of {} for profile {} is left over: no topic with it needs such a change",
            told(&given.acknowledgement.change),
            given.profile
        ),
    )
    .at(given.acknowledgement.place)
    .help("take it out of the file")
}

fn same(a: &Change, b: &Change) -> bool {
    match (a, b) {
        (Change::Config { key, from, to }, Change::Config { key: other, from: other_from, to: other_to }) => {
            let kind = config::kind(key.as_str());
            key == other && kind.equal(from, other_from) && kind.equal(to, other_to)
        }
        (Change::Partitions { .. } | Change::Delete { .. }, _) | (Change::Config { .. }, Change::Partitions { .. } | Change::Delete { .. }) => a == b,
    }
}

/// A change in the middle of a sentence.
fn told(change: &Change) -> String {
    match change {
        Change::Partitions { from, to } => format!("the growth from {from} to {to} partitions"),
        Change::Config { key, from, to } => {
            let kind = config::kind(key.as_str());
            format!("the change of {key} from {} to {}", kind.human(from), kind.human(to))
        }
        Change::Delete { topic_id } => format!("the deletion of id {topic_id}"),
    }
}

/// The YAML that acknowledges a change.
pub(super) fn to_write(change: &Change) -> String {
    match change {
        Change::Partitions { from, to } => format!("partition_increase: {{from: {from}, to: {to}, reason: \"...\"}}"),
        Change::Config { key, from, to } => {
            let kind = config::kind(key.as_str());
            // "unlimited" is for people; -1 is what the file takes.
            let value = |text: &str| if text.starts_with('-') || kind.human(text) == "unlimited" { text.to_owned() } else { kind.human(text) };
            let list = |text: &str| if text.contains(',') { format!("[{}]", text.replace(',', ", ")) } else { value(text) };
            format!("{}: {{from: {}, to: {}, reason: \"...\"}}", change.kind(), list(from), list(to))
        }
        Change::Delete { topic_id } => format!("delete: {{topic_id: {topic_id}, reason: \"...\"}}"),
    }
}
