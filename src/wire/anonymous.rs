//! Snapshots for bug reports: with hashes for whatever a company might not want to show.
//!
//! The parts of a topic's name are hashed one by one, so that a copy is still seen to be one, and the same part is the same hash in all files of a run. Names
//! that are Kafka's and MirrorMaker's own stay, because what is made of them depends on them.

use super::snapshot::{Key, Name, Snapshot, Unique, Unreadable};
use crate::kafka::config::TOPIC_CONFIGS;
use crate::kafka::name::{TopicName, internal_purpose};
use sha2::{Digest, Sha256};

/// Parts of names that have a meaning to MirrorMaker.
const MEANT: [&str; 7] = ["checkpoints", "heartbeats", "internal", "mm2", "offset", "replica", "syncs"];

/// Hex digits per hash.
const DIGITS: usize = 12;

/// What hashes are made with, so that nobody can look them up who does not know it.
#[derive(Clone)]
pub struct Salt(Sha256);

impl Salt {
    /// The salt of a run over these clusters: their ids, which no file holds that is made with it.
    pub fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_unstable();
        let mut hash = Sha256::new();
        for id in ids {
            hash.update((id.len() as u64).to_be_bytes());
            hash.update(id);
        }
        Self(hash)
    }

    fn hash(&self, text: &str) -> String {
        let mut hash = self.0.clone();
        hash.update(text);
        let mut digits = hash.finalize().iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"));
        digits.truncate(DIGITS);
        digits
    }

    fn topic(&self, name: &Name) -> Name {
        let name = name.0.as_str();
        if internal_purpose(name).is_some() {
            return Name(TopicName::from(name));
        }
        let hashed: String = name
            .split_inclusive(['.', '_', '-'])
            .map(|part| {
                let word = part.trim_end_matches(['.', '_', '-']);
                if word.is_empty() || MEANT.contains(&word) { part.to_owned() } else { self.hash(word) + &part[word.len()..] }
            })
            .collect();
        // Kafka takes no longer names.
        Name(TopicName::from(if hashed.len() > 249 { self.hash(name) } else { hashed }.as_str()))
    }

    /// A value, unless it can tell nothing: that of one of Kafka's own keys, a number or a truth value.
    fn value(&self, key: &str, value: &str) -> String {
        let is_harmless = TOPIC_CONFIGS.iter().any(|known| known.name == key) || value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
        if is_harmless { value.to_owned() } else { self.hash(value) }
    }
}

impl Snapshot {
    /// The same with hashes for the names of topics, ids, racks, values of keys that are not Kafka's, and without what brokers said in words.
    #[must_use]
    pub fn anonymised(mut self, salt: &Salt) -> Self {
        self.anonymised = true;
        self.cluster_id = self.cluster_id.map(|id| salt.hash(&id));
        for broker in &mut self.brokers.0 {
            broker.rack = broker.rack.as_deref().map(|rack| salt.hash(rack));
        }
        for (key, value) in &mut self.broker_configs.0 {
            *value = salt.value(key, value);
        }
        for (Key(key), inherited) in &mut self.defaults.0 {
            inherited.value = inherited.value.as_deref().map(|value| salt.value(key.as_str(), value));
        }
        let topics = std::mem::take(&mut self.topics.0).into_iter().map(|(name, mut topic)| {
            topic.id = topic.id.map(|id| salt.hash(&id));
            for (Key(key), value) in &mut topic.overrides.0 {
                *value = salt.value(key.as_str(), value);
            }
            (salt.topic(&name), topic)
        });
        self.topics = Unique(topics.collect());
        let unreadable = std::mem::take(&mut self.unreadable.0).into_iter().map(|(name, what)| {
            let what = match what {
                Unreadable::Topic(reason) => Unreadable::Topic(without_words(&reason)),
                Unreadable::Configs(reason) => Unreadable::Configs(without_words(&reason)),
            };
            (salt.topic(&name), what)
        });
        self.unreadable = Unique(unreadable.collect());
        self
    }
}

/// The name of an error without the broker's sentence in brackets.
fn without_words(reason: &str) -> String {
    reason.split(" (").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(salt: &Salt, name: &str) -> String {
        salt.topic(&Name(name.into())).0.to_string()
    }

    #[test]
    fn a_copy_is_still_seen_to_be_one() {
        let salt = Salt::of(["A", "B"]);
        let (name, copy) = (hashed(&salt, "payments.orders"), hashed(&salt, "us-east.payments.orders"));
        assert_eq!(name.len(), 2 * DIGITS + 1);
        assert!(copy.ends_with(&format!(".{name}")) && !copy.contains("east") && copy.matches(['.', '-']).count() == 3, "{copy}");
        assert_eq!(hashed(&Salt::of(["B", "A"]), "payments.orders"), name);
        assert_ne!(hashed(&Salt::of(["A"]), "payments.orders"), name);
        assert_ne!(hashed(&Salt::of(["AB"]), "payments.orders"), name);
    }

    #[test]
    fn what_kafka_and_mirrormaker_go_by_stays() {
        let salt = Salt::of(["A"]);
        assert_eq!(hashed(&salt, "__consumer_offsets"), "__consumer_offsets");
        assert_eq!(hashed(&salt, "heartbeats"), "heartbeats");
        let own = hashed(&salt, "mm2-offset-syncs.dr.internal");
        assert!(own.starts_with("mm2-offset-syncs.") && own.ends_with(".internal") && !own.contains("dr"), "{own}");
        assert!(hashed(&salt, "__mine").starts_with("__") && !hashed(&salt, "__mine").contains("mine"));
    }

    #[test]
    fn a_name_of_many_parts_stays_a_name() {
        let salt = Salt::of(["A"]);
        let long = "a.".repeat(120);
        assert_eq!(hashed(&salt, &long).len(), DIGITS);
        assert_ne!(hashed(&salt, &long), hashed(&salt, &"a.".repeat(119)));
    }

    #[test]
    fn nothing_of_ones_own_is_left() {
        let text = r#"{"format_version": "1.0", "kind": "snapshot", "cluster_id": "canary-id", "taken_at": "2026-11-30T12:00:00Z",
          "brokers": [{"id": 1, "rack": "canary-rack"}], "broker_configs": {"num.partitions": "1", "advertised.listeners": "SSL://canary:9092"},
          "defaults": {"retention.ms": {"value": "604800000", "origin": "DEFAULT_CONFIG"}, "vendor.owner": {"value": "canary", "origin": "STATIC_BROKER_CONFIG"}},
          "topics": {"canary.orders": {"id": "canary", "partitions": 6, "replication_factor": 3,
             "overrides": {"cleanup.policy": "compact", "vendor.owner": "canary", "vendor.on": "true"}}},
          "unreadable": {"canary.x": "TOPIC_AUTHORIZATION_FAILED (canary may not)", "canary.orders": {"configs": "DescribeConfigs answered X (canary)"}}}"#;
        let written = serde_json::to_string(&Snapshot::parse(text).unwrap().anonymised(&Salt::of(["canary-id"]))).unwrap();
        assert!(!written.contains("canary") && !written.contains("orders"), "{written}");
        for kept in
            ["\"anonymised\":true", "\"compact\"", "\"true\"", "604800000", "\"num.partitions\":\"1\"", "\"TOPIC_AUTHORIZATION_FAILED\"", "answered X\""]
        {
            assert!(written.contains(kept), "{kept}: {written}");
        }
        assert!(Snapshot::parse(&written).is_ok());
    }
}
