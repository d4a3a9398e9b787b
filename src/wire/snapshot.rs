//! A cluster in a file: what `simulated:` and `snapshot:` read.
//!
//! Everything that makes such a file unusable is found while it is parsed, so that the error knows its line. Unknown keys are ignored: a later minor version
//! may add some.

use super::reading::{Misread, says, versioned};
use super::words::Time;
use crate::kafka::name::{self, ConfigKey, TopicName};
use crate::kafka::origin::Origin;
use crate::live;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

/// A cluster in a file.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Snapshot {
    /// `1.0`. A minor version adds keys only; another major version is refused.
    pub format_version: String,
    /// `simulated`: a cluster model that plans are made against. `snapshot`: a picture of a live cluster.
    pub kind: Kind,
    /// Whether names are hashed, so that nothing can be planned against it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub anonymised: bool,
    /// The cluster's id, in Kafka's URL-safe form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_id: Option<String>,
    /// When the state was taken (RFC 3339, UTC, whole seconds). A snapshot has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Time>,
    /// The brokers' version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kafka_version: Option<String>,
    /// The brokers, at least one.
    pub brokers: Brokers,
    /// Broker settings that matter to topics, such as `default.replication.factor`.
    #[serde(default, skip_serializing_if = "Unique::is_empty")]
    pub broker_configs: Unique<String, String>,
    /// What a topic without an override has in force, per topic-level config. Empty: the cluster does not report defaults.
    #[serde(default)]
    pub defaults: Unique<Key, Inherited>,
    /// The topics.
    #[serde(default)]
    pub topics: Unique<Name, Topic>,
    /// Topics of which something cannot be read. Of those that a live cluster does not even list, only the ones that the workspace names are here.
    #[serde(default, skip_serializing_if = "Unique::is_empty")]
    pub unreadable: Unique<Name, Unreadable>,
}

/// What the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A cluster model; the file is its state.
    Simulated,
    /// A picture of a live cluster.
    Snapshot,
}

impl Kind {
    /// The word in the file, and the workspace's field for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Simulated => "simulated",
            Self::Snapshot => "snapshot",
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// One broker.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Broker {
    /// Its id.
    pub id: u32,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<String>,
}

/// What topics inherit for one config.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Inherited {
    /// The value as the broker stores it; null where the cluster keeps it to itself.
    #[serde(default)]
    pub value: Option<String>,
    /// Where it comes from.
    pub origin: InheritedOrigin,
}

/// One topic.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Topic {
    /// Its id, in Kafka's URL-safe form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its number of partitions, at least 1.
    pub partitions: Count,
    /// Its replication factor, at least 1.
    pub replication_factor: ReplicationFactor,
    /// Its own configs, as the broker stores them.
    #[serde(default, skip_serializing_if = "Unique::is_empty")]
    pub overrides: Unique<Key, String>,
}

/// A number, or a range where a topic's partitions differ.
#[derive(Clone, Copy, Debug)]
pub struct ReplicationFactor(pub live::Replication);

/// What of a topic cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing can, for this reason.
    Topic(String),
    /// Its configs cannot, for this reason.
    Configs(String),
}

impl Snapshot {
    /// Reads a file's text. The error is one sentence without the file's name, and where it is: line and column, counted from 1.
    pub fn parse(text: &str) -> Result<Self, Misread> {
        let snapshot: Self = versioned(text)?;
        if let Some((name, _)) =
            snapshot.unreadable.0.iter().find(|(name, what)| matches!(what, Unreadable::Configs(_)) && !snapshot.topics.0.contains_key(*name))
        {
            let message = format!("the configs of {} are unreadable, but the topic is not in the file", name.0);
            return Err(Misread::as_a_whole(message));
        }
        Ok(snapshot)
    }

    /// Whether a text is a snapshot, of whatever version, and not a cluster model.
    pub fn is_one(text: &str) -> bool {
        says(text, "kind", Kind::Snapshot.as_str())
    }
}

/// A map in which no key stands twice; JSON parsers keep one of the two without a word.
#[derive(Clone, Debug)]
pub struct Unique<K, V>(pub BTreeMap<K, V>);

impl<K, V> Unique<K, V> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> Default for Unique<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, K: Deserialize<'de> + Ord + fmt::Display, V: Deserialize<'de>> Deserialize<'de> for Unique<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de> + Ord + fmt::Display, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = Unique<K, V>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut map = BTreeMap::new();
                while let Some(key) = entries.next_key::<K>()? {
                    match map.entry(key) {
                        Entry::Occupied(held) => return Err(A::Error::custom(format!("{:?} stands here for the second time", held.key().to_string()))),
                        Entry::Vacant(place) => place.insert(entries.next_value()?),
                    };
                }
                Ok(Unique(map))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

impl<K: JsonSchema, V: JsonSchema> JsonSchema for Unique<K, V> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<K, V>::schema_name()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<K, V>::json_schema(generator)
    }
}

/// A topic's name that Kafka takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub TopicName);

/// The name of a topic-level config.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub ConfigKey);

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// A number of partitions or replicas: at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u32);

/// The brokers of a cluster: at least one, each id once.
#[derive(Clone, Debug)]
pub struct Brokers(pub Vec<Broker>);

/// Where an inherited value comes from: one of Kafka's names, or `unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InheritedOrigin(pub Origin);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        name::check(&text).map_err(|why| D::Error::custom(format!("{text:?} is no topic name: {why}")))?;
        Ok(Self(TopicName::new(text.as_ref())))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(ConfigKey::new(Cow::<str>::deserialize(deserializer)?.as_ref())))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            0 => Err(D::Error::custom("0 is too few; a topic has at least 1")),
            count => Ok(Self(count)),
        }
    }
}

impl<'de> Deserialize<'de> for Brokers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let brokers = Vec::<Broker>::deserialize(deserializer)?;
        if brokers.is_empty() {
            return Err(D::Error::custom("a cluster has at least one broker"));
        }
        let mut ids: Vec<_> = brokers.iter().map(|broker| broker.id).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(D::Error::custom(format!("two brokers have the id {}", pair[0]))),
            None => Ok(Self(brokers)),
        }
    }
}

impl<'de> Deserialize<'de> for InheritedOrigin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let origin = Origin::from_name(&text);
        let names = INHERITED.map(Origin::as_str);
        if names.contains(&text.as_ref()) {
            Ok(Self(origin))
        } else {
            Err(D::Error::custom(format!("{text:?} is no origin of a default; those are {}", names.join(", "))))
        }
    }
}

/// The origins that a value without an override can have.
const INHERITED: [Origin; 5] = [Origin::DynamicBroker, Origin::DynamicDefault, Origin::Static, Origin::Default, Origin::Unknown];

impl<'de> Deserialize<'de> for ReplicationFactor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrRange;
        impl<'de> Visitor<'de> for NumberOrRange {
            type Value = ReplicationFactor;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a number of at least 1, or an object with min and max")
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
                let number = u32::try_from(number).ok().filter(|number| *number > 0).ok_or_else(|| E::custom(format!("{number} is no replication factor")))?;
                Ok(ReplicationFactor(live::Replication { min: number, max: number }))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let (mut min, mut max) = (None, None);
                while let Some(key) = entries.next_key::<String>()? {
                    match key.as_str() {
                        "min" => min = Some(entries.next_value::<Count>()?.0),
                        "max" => max = Some(entries.next_value::<Count>()?.0),
                        _ => drop(entries.next_value::<IgnoredAny>()?),
                    }
                }
                match (min, max) {
                    (Some(min), Some(max)) if min <= max => Ok(ReplicationFactor(live::Replication { min, max })),
                    (Some(min), Some(max)) => Err(A::Error::custom(format!("min {min} is above max {max}"))),
                    (None, _) => Err(A::Error::missing_field("min")),
                    (_, None) => Err(A::Error::missing_field("max")),
                }
            }
        }
        deserializer.deserialize_any(NumberOrRange)
    }
}

impl<'de> Deserialize<'de> for Unreadable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ReasonOrPart;
        impl<'de> Visitor<'de> for ReasonOrPart {
            type Value = Unreadable;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a reason, or {\"configs\": reason}")
            }
            fn visit_str<E: Error>(self, reason: &str) -> Result<Self::Value, E> {
                Ok(Unreadable::Topic(reason.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut configs = None;
                while let Some(key) = entries.next_key::<String>()? {
                    match key.as_str() {
                        "configs" => configs = Some(entries.next_value()?),
                        _ => drop(entries.next_value::<IgnoredAny>()?),
                    }
                }
                configs.map(Unreadable::Configs).ok_or_else(|| A::Error::missing_field("configs"))
            }
        }
        deserializer.deserialize_any(ReasonOrPart)
    }
}

/// The schema of a type that is a string, a number or an object in JSON.
macro_rules! schema {
    ($type:ty, $name:literal, $schema:tt) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

schema!(Name, "TopicName", {"type": "string", "pattern": "^[a-zA-Z0-9._-]{1,249}$"});
schema!(Key, "ConfigKey", {"type": "string"});
schema!(Count, "Count", {"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32});
schema!(InheritedOrigin, "Origin", {"enum": INHERITED.map(Origin::as_str)});
schema!(ReplicationFactor, "ReplicationFactor", {"oneOf": [
    {"type": "integer", "minimum": 1},
    {"type": "object", "required": ["min", "max"], "properties": {"min": {"type": "integer", "minimum": 1}, "max": {"type": "integer", "minimum": 1}}}
]});
schema!(Unreadable, "Unreadable", {"oneOf": [
    {"type": "string", "description": "Nothing of the topic can be read, for this reason."},
    {"type": "object", "required": ["configs"], "properties": {"configs": {"type": "string"}}, "description": "Its configs cannot be read, for this reason."}
]});

impl JsonSchema for Brokers {
    fn schema_name() -> Cow<'static, str> {
        "Brokers".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let broker = generator.subschema_for::<Broker>();
        json_schema!({"type": "array", "minItems": 1, "items": broker})
    }
}

impl From<ReplicationFactor> for live::Replication {
    fn from(factor: ReplicationFactor) -> Self {
        factor.0
    }
}

impl From<Inherited> for live::Inherited {
    fn from(inherited: Inherited) -> Self {
        Self { value: inherited.value, origin: inherited.origin.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Misread {
        Snapshot::parse(text).unwrap_err()
    }

    fn with(topics: &str) -> String {
        format!("{{\"format_version\": \"1.0\", \"kind\": \"simulated\", \"brokers\": [{{\"id\": 1}}],\n{topics}}}")
    }

    #[test]
    fn a_later_minor_version_with_unknown_keys_is_read_and_another_major_is_not() {
        assert!(Snapshot::parse(r#"{"format_version": "1.7", "kind": "simulated", "brokers": [{"id": 1, "new": 2}], "new": [1]}"#).is_ok());
        let error = error(r#"{"kind": 7, "format_version": "2.0"}"#);
        assert!(error.message.contains("\"2.0\"") && error.message.contains("major version 1"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (topics, what) in [
            (r#""topics": {"a": {"partitions": 0, "replication_factor": 1}}"#, "at least 1"),
            (r#""topics": {"ü": {"partitions": 1, "replication_factor": 1}}"#, "'ü'"),
            (r#""topics": {"a": {"partitions": 1, "replication_factor": 0}}"#, "0 is no replication factor"),
            (r#""topics": {"a": {"partitions": 1, "replication_factor": {"min": 3, "max": 2}}}"#, "min 3 is above max 2"),
            (r#""topics": {"a": {"partitions": 1, "replication_factor": {"min": 3}}}"#, "missing field `max`"),
            (
                r#""topics": {"a": {"partitions": 1, "replication_factor": 1}, "a": {"partitions": 2, "replication_factor": 1}}"#,
                "\"a\" stands here for the second time",
            ),
            (r#""topics": {"a": {"partitions": 1, "replication_factor": 1, "overrides": {"k": "1", "k": "2"}}}"#, "\"k\" stands here for the second time"),
            (r#""topics": {"a": {"partitions": 1, "replication_factor": 1, "overrides": {"k": 1}}}"#, "expected a string"),
            (r#""defaults": {"k": {"value": "1", "origin": "DEFAULT"}}"#, "\"DEFAULT\" is no origin"),
            (r#""defaults": {"k": {"value": "1", "origin": "DYNAMIC_TOPIC_CONFIG"}}"#, "\"DYNAMIC_TOPIC_CONFIG\" is no origin"),
            (r#""unreadable": {"a": {"other": "x"}}"#, "missing field `configs`"),
        ] {
            let error = error(&with(topics));
            assert!(error.message.contains(what) && error.line == 2 && error.column > 1, "{topics}: {error:?}");
        }
        assert!(error(&with(r#""unreadable": {"a": {"configs": "x"}}"#)).message.contains("not in the file"));
        assert!(error(r#"{"format_version": "1.0", "kind": "picture", "brokers": [{"id": 1}]}"#).message.contains("picture"));
        assert!(error(r#"{"format_version": "1.0", "kind": "simulated", "taken_at": "today", "brokers": [{"id": 1}]}"#).message.contains("\"today\""));
        assert!(error(r#"{"format_version": "1.0", "kind": "simulated", "brokers": []}"#).message.contains("at least one broker"));
        assert!(error(r#"{"format_version": "1.0", "kind": "simulated", "brokers": [{"id": 1}, {"id": 1}]}"#).message.contains("the id 1"));
        assert_eq!(error("{\n]").line, 2);
    }

    #[test]
    fn the_schema_takes_what_the_reader_takes() {
        let schema = serde_json::to_value(schemars::schema_for!(Snapshot)).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let document = |topics: &str| serde_json::from_str(&with(topics)).unwrap();
        assert!(validator.is_valid(&document(
            r#""topics": {"a": {"partitions": 1, "replication_factor": {"min": 1, "max": 2}, "overrides": {"k": "v"}}},
               "defaults": {"k": {"value": null, "origin": "unknown"}}, "unreadable": {"a": {"configs": "x"}, "b": "y"}"#
        )));
        assert!(!validator.is_valid(&document(r#""topics": {"a": {"partitions": 0, "replication_factor": 1}}"#)));
        assert!(!validator.is_valid(&document(r#""defaults": {"k": {"origin": "DYNAMIC_TOPIC_CONFIG"}}"#)));
    }
}
