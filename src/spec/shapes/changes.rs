//! `acknowledge` as written: changes that somebody agreed to although they can lose data or order.

use super::{Count, Items, Name};
use crate::yaml::Field;
use schemars::JsonSchema;
use serde::Deserialize;

/// Changes of a topic that somebody agreed to. Each holds for exactly this change, so it expires by itself.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "acknowledge", default, deny_unknown_fields)]
#[schemars(rename = "Acknowledge")]
pub(in crate::spec) struct Acknowledge {
    /// That the topic grows, which moves keys to other partitions.
    pub(in crate::spec) partition_increase: Field<Agreed<Count>>,
    /// That retention.ms falls, which makes the oldest records deletable. -1 is infinity.
    pub(in crate::spec) retention_cut: Field<Agreed<Name>>,
    /// That retention.bytes falls, which makes the oldest records deletable. -1 is infinity.
    pub(in crate::spec) retention_size_cut: Field<Agreed<Name>>,
    /// That max.message.bytes falls, so that larger records are refused.
    pub(in crate::spec) message_size_cut: Field<Agreed<Name>>,
    /// That cleanup.policy changes, so that other records are deleted than before.
    pub(in crate::spec) cleanup_policy: Field<Agreed<Items>>,
    /// That the topic is deleted. Only beside `state: absent`.
    pub(in crate::spec) delete: Field<Delete>,
}

/// One change, exactly, with who agreed to it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename = "an acknowledgement", default, deny_unknown_fields)]
#[schemars(rename = "AcknowledgedChangeOf{T}", extend("required" = ["from", "to", "reason"]))]
pub(in crate::spec) struct Agreed<T> {
    /// What holds before the change.
    pub(in crate::spec) from: Field<T>,
    /// What holds after it.
    pub(in crate::spec) to: Field<T>,
    /// Why somebody agreed.
    #[schemars(length(min = 1))]
    pub(in crate::spec) reason: Field<String>,
    /// The last valid day, UTC, as 2027-01-31.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub(in crate::spec) expires: Field<String>,
}

// Derived, it would ask for defaults of what the fields hold.
impl<T> Default for Agreed<T> {
    fn default() -> Self {
        Self { from: Field::Missing, to: Field::Missing, reason: Field::Missing, expires: Field::Missing }
    }
}

/// The deletion of one topic. One that was made anew under its name is another.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "delete", default, deny_unknown_fields)]
#[schemars(rename = "AcknowledgedDeletion", extend("required" = ["topic_id", "reason"]))]
pub(in crate::spec) struct Delete {
    /// The topic's id. The plan prints the line to paste.
    #[schemars(length(min = 1))]
    pub(in crate::spec) topic_id: Field<String>,
    /// Why somebody agreed.
    #[schemars(length(min = 1))]
    pub(in crate::spec) reason: Field<String>,
    /// The last valid day, UTC, as 2027-01-31.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub(in crate::spec) expires: Field<String>,
}

/// A change of a profile that somebody agreed to, for all its topics: exactly one kind of change.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "an acknowledgement of a profile", default, deny_unknown_fields)]
#[schemars(rename = "AcknowledgeProfile", extend(
    "required" = ["profile", "reason"],
    "oneOf" = [
        {"required": ["partition_increase"]},
        {"required": ["retention_cut"]},
        {"required": ["retention_size_cut"]},
        {"required": ["message_size_cut"]},
        {"required": ["cleanup_policy"]}
    ]
))]
pub(in crate::spec) struct ProfileAcknowledge {
    /// The profile.
    pub(in crate::spec) profile: Field<String>,
    /// That topics grow, which moves keys to other partitions.
    pub(in crate::spec) partition_increase: Field<Span<Count>>,
    /// That retention.ms falls, which makes the oldest records deletable. -1 is infinity.
    pub(in crate::spec) retention_cut: Field<Span<Name>>,
    /// That retention.bytes falls, which makes the oldest records deletable. -1 is infinity.
    pub(in crate::spec) retention_size_cut: Field<Span<Name>>,
    /// That max.message.bytes falls, so that larger records are refused.
    pub(in crate::spec) message_size_cut: Field<Span<Name>>,
    /// That cleanup.policy changes, so that other records are deleted than before.
    pub(in crate::spec) cleanup_policy: Field<Span<Items>>,
    /// Why somebody agreed.
    #[schemars(length(min = 1))]
    pub(in crate::spec) reason: Field<String>,
    /// The last valid day, UTC, as 2027-01-31.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub(in crate::spec) expires: Field<String>,
}

/// One change, exactly.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename = "a change", default, deny_unknown_fields)]
#[schemars(rename = "ChangeOf{T}", extend("required" = ["from", "to"]))]
pub(in crate::spec) struct Span<T> {
    /// What holds before the change.
    pub(in crate::spec) from: Field<T>,
    /// What holds after it.
    pub(in crate::spec) to: Field<T>,
}

// Derived, it would ask for defaults of what the fields hold.
impl<T> Default for Span<T> {
    fn default() -> Self {
        Self { from: Field::Missing, to: Field::Missing }
    }
}
