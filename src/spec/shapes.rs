//! The files as written: what serde reads and what the JSON Schemas describe. Nothing is checked here beyond types.
//!
//! Every field is optional for the reader, so that what is missing becomes a finding of its own; what the schemas require stands beside it.

use crate::yaml::{Entries, Field, List, Verbatim};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// `isotopic.yaml`: the clusters, the flows between them, and what holds for all topics.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "the workspace", default, deny_unknown_fields)]
#[schemars(rename = "Workspace", extend("required" = ["version", "clusters"]))]
pub(super) struct WorkspaceFile {
    /// The version of this format: 1.
    #[schemars(range(min = 1, max = 1))]
    pub(super) version: Field<u32>,
    /// Shown in every output. Default: the folder's name.
    pub(super) name: Field<String>,
    /// The clusters, by the names that this workspace gives them.
    pub(super) clusters: Field<Entries<Cluster>>,
    /// The flows of MirrorMaker 2.
    pub(super) mirrors: Field<List<Mirror>>,
    /// What holds for every topic that does not say otherwise.
    pub(super) defaults: Field<Defaults>,
    /// Sets of fields that topics name in `profiles`.
    pub(super) profiles: Field<Entries<Profile>>,
    /// Severities per code.
    pub(super) rules: Field<Entries<Level>>,
}

/// A cluster: one of `bootstrap`, `simulated` and `snapshot`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "a cluster", default, deny_unknown_fields)]
#[schemars(rename = "Cluster")]
pub(super) struct Cluster {
    /// Addresses to start from, as `host:port,host:port`. Variables are read.
    pub(super) bootstrap: Field<Verbatim>,
    /// The id that the cluster must have.
    pub(super) id: Field<String>,
    /// librdkafka's settings, by its names. Variables are read.
    pub(super) properties: Field<Entries<Verbatim>>,
    /// The file of a cluster model, relative to the workspace's folder.
    pub(super) simulated: Field<String>,
    /// What `isotopic snapshot` wrote of a live cluster, relative to the workspace's folder. It can be planned against, as of then.
    pub(super) snapshot: Field<String>,
}

/// One flow of MirrorMaker 2.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "a mirror", default, deny_unknown_fields)]
#[schemars(rename = "Mirror", extend("required" = ["source", "target"]))]
pub(super) struct Mirror {
    /// The cluster that it reads.
    pub(super) source: Field<String>,
    /// The cluster that it writes.
    pub(super) target: Field<String>,
    /// MirrorMaker's names for the two, where they differ from the workspace's.
    pub(super) aliases: Field<Aliases>,
    /// MirrorMaker's own configuration.
    pub(super) mm2: Field<Mm2>,
}

/// MirrorMaker's names for the clusters of a flow.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "aliases", default, deny_unknown_fields)]
#[schemars(rename = "Aliases")]
pub(super) struct Aliases {
    /// Of the source: what the names of copies start with.
    #[schemars(length(min = 1))]
    pub(super) source: Field<String>,
    /// Of the target.
    #[schemars(length(min = 1))]
    pub(super) target: Field<String>,
}

/// MirrorMaker's own configuration.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "mm2", default, deny_unknown_fields)]
#[schemars(rename = "MirrorMaker")]
pub(super) struct Mm2 {
    /// Its keys, flat, as in a connector's configuration.
    pub(super) config: Field<Entries<Verbatim>>,
    /// Its version, such as "4.0".
    pub(super) version: Field<Name>,
}

/// A file beneath `topics/`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "a topics file", default, deny_unknown_fields)]
#[schemars(rename = "Topics")]
pub(super) struct TopicsFile {
    /// What holds for every topic of this document that does not say otherwise.
    pub(super) defaults: Field<Defaults>,
    /// The topics, by name.
    pub(super) topics: Field<Entries<Topic>>,
}

/// Declares a struct with the fields that topics, profiles and defaults share, and more.
macro_rules! topic_fields {
    ($(#[$attribute:meta])* $name:ident { $($(#[$more:meta])* $field:ident: $type:ty,)* }) => {
        #[derive(Debug, Default, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        $(#[$attribute])*
        pub(super) struct $name {
            /// The number of partitions.
            #[schemars(range(min = 1, max = 2_147_483_647_u32))]
            pub(super) partitions: Field<u32>,
            /// The replication factor.
            #[schemars(range(min = 1, max = 32_767))]
            pub(super) replication_factor: Field<u32>,
            /// Whether records have keys: what a change of the partition count does to their order.
            pub(super) keys: Field<Keys>,
            /// Who answers for it.
            pub(super) owner: Field<String>,
            /// Topic-level configs. A key left out is not managed; null: no override, the cluster's default holds.
            pub(super) config: Field<Entries<ConfigValue>>,
            /// The cluster, or a list of clusters. Default: the only source of the flows, or the only cluster.
            pub(super) cluster: Field<Names>,
            /// true: every flow from its cluster must select it (the default); false: none may; a list: exactly the flows to these clusters.
            pub(super) mirror: Field<MirrorWish>,
            $($(#[$more])* pub(super) $field: $type,)*
        }

        impl $name {
            /// The fields that all layers share.
            pub(super) fn shared(&self) -> Shared<'_> {
                let Self { partitions, replication_factor, keys, owner, config, cluster, mirror, .. } = self;
                Shared { partitions, replication_factor, keys, owner, config, cluster, mirror }
            }
        }
    };
}

/// The fields that topics, profiles and defaults share.
pub(super) struct Shared<'a> {
    pub(super) partitions: &'a Field<u32>,
    pub(super) replication_factor: &'a Field<u32>,
    pub(super) keys: &'a Field<Keys>,
    pub(super) owner: &'a Field<String>,
    pub(super) config: &'a Field<Entries<ConfigValue>>,
    pub(super) cluster: &'a Field<Names>,
    pub(super) mirror: &'a Field<MirrorWish>,
}

topic_fields! {
    /// What holds for topics that do not say otherwise.
    #[serde(rename = "defaults")]
    #[schemars(rename = "Defaults")]
    Defaults {
        /// Profiles, weakest first.
        profiles: Field<List<String>>,
    }
}

topic_fields! {
    /// A set of fields that topics name in `profiles`.
    #[serde(rename = "a profile")]
    #[schemars(rename = "Profile")]
    Profile {}
}

topic_fields! {
    /// A topic.
    #[serde(rename = "a topic")]
    #[schemars(rename = "Topic")]
    Topic {
        /// Profiles, weakest first. They replace those of the defaults.
        profiles: Field<List<String>>,
        /// Changes that somebody agreed to although they can lose data or order.
        acknowledge: Field<Acknowledge>,
    }
}

/// Changes that somebody agreed to.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "acknowledge", default, deny_unknown_fields)]
#[schemars(rename = "Acknowledge")]
pub(super) struct Acknowledge {
    /// That the topic grows, which moves keys to other partitions.
    pub(super) partition_increase: Field<Increase>,
}

/// One growth, exactly.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "partition_increase", default, deny_unknown_fields)]
#[schemars(rename = "PartitionIncrease", extend("required" = ["from", "to", "reason"]))]
pub(super) struct Increase {
    /// Partitions before.
    #[schemars(range(min = 1, max = 2_147_483_647_u32))]
    pub(super) from: Field<u32>,
    /// Partitions after.
    #[schemars(range(min = 1, max = 2_147_483_647_u32))]
    pub(super) to: Field<u32>,
    /// Why somebody agreed.
    #[schemars(length(min = 1))]
    pub(super) reason: Field<String>,
    /// The last valid day, UTC, as 2027-01-31.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub(super) expires: Field<String>,
}

/// Whether records have keys.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Keys {
    /// They have.
    Keyed,
    /// They have none.
    None,
    /// Nobody knows.
    Unknown,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// It stops the run.
    Error,
    /// Shown.
    Warning,
    /// Shown.
    Info,
    /// Not shown.
    Off,
}

/// A text on one line that people also write as a number, such as a version.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Name(pub(super) String);

/// A config's value as written.
#[derive(Clone, Debug)]
pub(super) enum ConfigValue {
    Null,
    Text(String),
    List(List<Name>),
}

/// A name, or a list of names.
#[derive(Clone, Debug)]
pub(super) enum Names {
    One(String),
    Several(List<String>),
}

/// `mirror` as written.
#[derive(Clone, Debug)]
pub(super) enum MirrorWish {
    Every,
    Never,
    Only(List<String>),
}

/// Deserialises what is a text, a list, or null.
macro_rules! mixed {
    ($type:ident, $visitor:ident, $expecting:literal, $schema:tt, $($visit:item)*) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor)
            }
        }

        struct $visitor;

        impl<'de> Visitor<'de> for $visitor {
            type Value = $type;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str($expecting)
            }

            $($visit)*
        }

        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

mixed! {
    ConfigValue, ConfigValueVisitor, "a value, a list of values or null",
    { "type": ["string", "number", "boolean", "null", "array"], "items": { "type": ["string", "number", "boolean"] } },
    fn visit_unit<E>(self) -> Result<ConfigValue, E> {
        Ok(ConfigValue::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<ConfigValue, E> {
        Ok(ConfigValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<ConfigValue, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(ConfigValue::List)
    }
}

mixed! {
    Names, NamesVisitor, "a cluster's name or a list of them",
    { "type": ["string", "array"], "items": { "type": "string" } },
    fn visit_str<E>(self, text: &str) -> Result<Names, E> {
        Ok(Names::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Names, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(Names::Several)
    }
}

mixed! {
    MirrorWish, MirrorWishVisitor, "true, false or a list of clusters",
    { "type": ["boolean", "array"], "items": { "type": "string" } },
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<MirrorWish, E> {
        match text.to_ascii_lowercase().as_str() {
            "true" => Ok(MirrorWish::Every),
            "false" => Ok(MirrorWish::Never),
            _ => Err(E::custom(format!("{text:?} is not true, false or a list of clusters; write [{text}] for a flow to that cluster"))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<MirrorWish, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(MirrorWish::Only)
    }
}

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}

/// The JSON Schema of `isotopic.yaml`.
pub fn workspace_schema() -> Schema {
    schemars::schema_for!(WorkspaceFile)
}

/// The JSON Schema of a file beneath `topics/`.
pub fn topics_schema() -> Schema {
    schemars::schema_for!(TopicsFile)
}
