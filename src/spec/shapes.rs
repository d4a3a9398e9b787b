//! The files as written: what serde reads and what the JSON Schemas describe. Nothing is checked here beyond types.
//!
//! Every field is optional for the reader, so that what is missing becomes a finding of its own; what the schemas require stands beside it.

mod changes;
mod config;
mod guards;
mod values;

use crate::yaml::{Entries, Field, List, Verbatim};
pub(super) use changes::{Acknowledge, Agreed, Delete, ProfileAcknowledge, Span};
use config::Config;
pub(super) use guards::{Drift, Ignore, Limits, Policy, Range, Required, Threshold};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
pub(super) use values::{ConfigValue, Count, Items, MirrorWish, Name, NamePatterns, Names};

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
    /// The topic files, as patterns relative to the workspace's folder: `*` within one name, `**` over folders, `{a,b}` for either. Default: topics/**/*.{yaml,yml}.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub(super) files: Field<List<String>>,
    /// Files with fields that win over those of the topic files, one by one; the later file over the earlier. Paths relative to the workspace's folder.
    #[schemars(inner(length(min = 1)))]
    pub(super) overlays: Field<List<String>>,
    /// The names of this workspace's topics, as one pattern or several with `*` for any characters. Default: "*". Declaring outside is an error.
    pub(super) scope: Field<NamePatterns>,
    /// The clusters, by the names that this workspace gives them.
    pub(super) clusters: Field<Entries<Cluster>>,
    /// The flows of MirrorMaker 2.
    pub(super) mirrors: Field<List<Mirror>>,
    /// What holds for every topic that does not say otherwise.
    pub(super) defaults: Field<Defaults>,
    /// Sets of fields that topics name in `profiles`.
    pub(super) profiles: Field<Entries<Profile>>,
    /// How much one run may change, over all clusters.
    pub(super) limits: Field<Limits>,
    /// Severities per code.
    pub(super) rules: Field<Entries<Level>>,
    /// Changes that somebody agreed to for all topics of a profile.
    pub(super) acknowledge: Field<List<ProfileAcknowledge>>,
    /// What every topic has to keep to.
    pub(super) policy: Field<List<Policy>>,
    /// When drift alarms.
    pub(super) drift: Field<Drift>,
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
    /// librdkafka's settings, by its names, and `isotopic.oauthbearer.token`, a token for the mechanism OAUTHBEARER. Variables are read, and paths are
    /// relative to the workspace's folder.
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
    /// Configs that MirrorMaker leaves out, and that git keeps equal on the copies.
    #[schemars(inner(length(min = 1)))]
    pub(super) fill: Field<List<String>>,
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

/// A topics file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "a topics file", default, deny_unknown_fields)]
#[schemars(rename = "Topics")]
pub(super) struct TopicsFile {
    /// What holds for every topic of this document that does not say otherwise.
    pub(super) defaults: Field<Defaults>,
    /// The topics, by name.
    pub(super) topics: Field<Entries<Topic>>,
}

/// An overlay: fields of topics that are declared elsewhere.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "an overlay", default, deny_unknown_fields)]
#[schemars(rename = "Overlay")]
pub(super) struct OverlayFile {
    /// The topics, by name. What stands here wins, field by field; `config`, `copies` and `acknowledge` by key.
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
            pub(super) partitions: Field<Count>,
            /// The replication factor.
            #[schemars(range(max = 32_767))]
            pub(super) replication_factor: Field<Count>,
            /// Whether records have keys: what a change of the partition count does to their order.
            pub(super) keys: Field<Keys>,
            /// Who answers for it.
            pub(super) owner: Field<String>,
            /// Topic-level configs. A key left out is not managed; null: no override, the cluster's default holds.
            #[schemars(with = "Config")]
            pub(super) config: Field<Entries<ConfigValue>>,
            /// The cluster, or a list of clusters. Default: the only source of the flows, or the only cluster.
            pub(super) cluster: Field<Names>,
            /// true: every flow from its cluster must select it (the default); false: none may; a list: exactly the flows to these clusters.
            pub(super) mirror: Field<MirrorWish>,
            /// The name of a group whose topics must have equal partition counts, because they are joined.
            #[schemars(length(min = 1))]
            pub(super) copartition: Field<String>,
            /// What copies have of their own, by the cluster that they are on.
            pub(super) copies: Field<Entries<CopyFields>>,
            $($(#[$more])* pub(super) $field: $type,)*
        }

        impl $name {
            /// The fields that all layers share.
            pub(super) fn shared(&self) -> Shared<'_> {
                let Self { partitions, replication_factor, keys, owner, config, cluster, mirror, copartition, copies, .. } = self;
                Shared { partitions, replication_factor, keys, owner, config, cluster, mirror, copartition, copies }
            }
        }
    };
}

/// The fields that topics, profiles and defaults share.
pub(super) struct Shared<'a> {
    pub(super) partitions: &'a Field<Count>,
    pub(super) replication_factor: &'a Field<Count>,
    pub(super) keys: &'a Field<Keys>,
    pub(super) owner: &'a Field<String>,
    pub(super) config: &'a Field<Entries<ConfigValue>>,
    pub(super) cluster: &'a Field<Names>,
    pub(super) mirror: &'a Field<MirrorWish>,
    pub(super) copartition: &'a Field<String>,
    pub(super) copies: &'a Field<Entries<CopyFields>>,
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
        /// absent: the topic shall be deleted, which needs `acknowledge.delete`. Default: present.
        state: Field<State>,
    }
}

/// What a copy has of its own.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "a copy", default, deny_unknown_fields)]
#[schemars(rename = "Copy")]
pub(super) struct CopyFields {
    /// Topic-level configs that MirrorMaker does not own. null: no override, the cluster's default holds.
    #[schemars(with = "Config")]
    pub(super) config: Field<Entries<ConfigValue>>,
    /// absent: the copy shall be deleted together with the topic. Default: it stays, as the last backup.
    pub(super) state: Field<State>,
}

/// Whether a topic shall exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// It shall.
    Present,
    /// It shall be deleted.
    Absent,
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

/// The JSON Schema of `isotopic.yaml`.
pub fn workspace_schema() -> Schema {
    schemars::schema_for!(WorkspaceFile)
}

/// The JSON Schema of an overlay.
pub fn overlay_schema() -> Schema {
    schemars::schema_for!(OverlayFile)
}

/// The JSON Schema of a topics file.
pub fn topics_schema() -> Schema {
    schemars::schema_for!(TopicsFile)
}
