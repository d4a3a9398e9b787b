//! Words that stand for one of a few things, codes, attributes and instants: written as text, and understood when a document is read back.
//!
//! A word that this version does not know is an error, never a guess.

use super::instant;
use crate::finding::catalogue::CODES;
use crate::finding::{Code, Severity};
use crate::kafka::name::ConfigKey;
use crate::kafka::origin::Origin;
use crate::live::{ClusterKind, Instant};
use crate::plan;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;

/// Something that is one of a few things, each with a word.
pub trait Named: Copy + 'static {
    /// All of them.
    const ALL: &'static [Self];
    /// The word in documents.
    fn word(self) -> &'static str;
}

/// The word for one of a few things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<T>(pub T);

/// Lists the variants. One that is left out does not compile.
macro_rules! named {
    ($($type:ty: $($variant:ident),+;)+) => {$(
        impl Named for $type {
            const ALL: &'static [Self] = &[$(<$type>::$variant),+];
            fn word(self) -> &'static str {
                match self { $(<$type>::$variant)|+ => self.as_str() }
            }
        }
    )+};
}

named! {
    plan::Action: Create, Grow, Configure, Delete;
    plan::ChangeOrigin: Unknown;
    plan::Class: Permanent, Blocked, Blind, Manual, Lag, Inherited, Transient, Unknown;
    plan::Coverage: Complete, Partial, Unreachable;
    plan::Owner: Git, MirrorMaker, Nobody, Unknown;
    plan::Reason: Absent, Present, Differs, Pin;
    plan::Verdict: Heals, Never, Blocked, Blind;
    ClusterKind: Kafka, Simulated, Snapshot;
    Origin: Topic, DynamicBroker, DynamicDefault, Static, Default, Unknown;
    Severity: Off, Info, Warning, Error;
}

impl Named for Code {
    const ALL: &'static [Self] = CODES;
    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl<T: Named> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de, T: Named> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let known = T::ALL.iter().copied().find(|known| known.word() == text);
        known.map(Self).ok_or_else(|| D::Error::custom(format!("this isotopic does not know {text:?} here")))
    }
}

/// An attribute: `existence`, `partitions`, `replication_factor` or `config:<key>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute(pub plan::Attribute);

impl Serialize for Attribute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Attribute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let counted = [plan::Attribute::Existence, plan::Attribute::Partitions, plan::Attribute::ReplicationFactor];
        match text.strip_prefix("config:") {
            Some(key) => Ok(Self(plan::Attribute::Config(ConfigKey::from(key)))),
            None => counted
                .into_iter()
                .find(|known| known.to_string() == text)
                .map(Self)
                .ok_or_else(|| D::Error::custom(format!("{text:?} is no attribute that this isotopic knows"))),
        }
    }
}

/// An instant: RFC 3339, UTC, whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Instant);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&instant::rfc3339(self.0))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let instant = instant::from_rfc3339(&text);
        instant.map(Self).ok_or_else(|| D::Error::custom(format!("{text:?} is no instant such as 2026-11-30T12:00:00Z")))
    }
}

/// In schemas all of them are strings: a later minor version may know more words.
macro_rules! strings {
    ($([$($parameter:ident)?] $type:ty),+) => {$(
        impl<$($parameter)?> JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                "string".into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string"})
            }
        }
    )+};
}

strings!([T] Word<T>, [] Attribute, [] Time);

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
        serde_json::from_value(serde_json::json!(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_understood() {
        assert_eq!(read("mirrormaker"), Ok(Word(plan::Owner::MirrorMaker)));
        assert_eq!(read("PT002"), Ok(Word(Code::Pt002)));
        assert_eq!(read("DYNAMIC_TOPIC_CONFIG"), Ok(Word(Origin::Topic)));
        assert_eq!(read("config:retention.ms"), Ok(Attribute(plan::Attribute::Config("retention.ms".into()))));
        assert_eq!(read("replication_factor"), Ok(Attribute(plan::Attribute::ReplicationFactor)));
        assert_eq!(read("2026-11-30T12:00:00Z"), Ok(Time(Instant(1_796_040_000))));
        assert_eq!(serde_json::to_string(&Word(plan::Class::Lag)).unwrap(), "\"lag\"");
    }

    #[test]
    fn what_is_not_known_is_no_guess() {
        assert!(read::<Word<plan::Action>>("shrink").unwrap_err().contains("does not know \"shrink\""));
        assert!(read::<Word<Code>>("PT999").is_err());
        assert!(read::<Attribute>("size").unwrap_err().contains("\"size\""));
        assert!(read::<Time>("yesterday").is_err());
    }
}
