//! What bounds a workspace, as written: limits of a run, policies, and when drift alarms.

use super::{Count, Name, NamePatterns};
use crate::yaml::{Entries, Field, List};
use schemars::JsonSchema;
use serde::Deserialize;

/// How much one run may change, over all clusters. What is allowed includes the number itself.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "limits", default, deny_unknown_fields)]
#[schemars(rename = "Limits")]
pub(in crate::spec) struct Limits {
    /// Topics that may be deleted. Default: 0.
    pub(in crate::spec) deletes: Field<u32>,
    /// Topics that may grow. Default: 5.
    pub(in crate::spec) partition_increases: Field<u32>,
    /// Percent of the existing managed topics that may change, from 50 of them on. Creates do not count. Default: 30.
    #[schemars(range(max = 100))]
    pub(in crate::spec) changed_percent: Field<u32>,
}

/// What topics have to keep to.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "a policy", default, deny_unknown_fields)]
#[schemars(rename = "Policy", extend("anyOf" = [
    {"required": ["name"]},
    {"required": ["partitions"]},
    {"required": ["replication_factor"]},
    {"required": ["require"]},
    {"required": ["config"]}
]))]
pub(in crate::spec) struct Policy {
    /// The topics that it is about, as one pattern or several with `*` for any characters. Default: "*".
    pub(in crate::spec) topics: Field<NamePatterns>,
    /// A regular expression that their names must match, anchors included: "^[a-z.]+$".
    #[schemars(length(min = 1))]
    pub(in crate::spec) name: Field<String>,
    /// How many partitions they may have.
    pub(in crate::spec) partitions: Field<Range<Count>>,
    /// How many replicas.
    pub(in crate::spec) replication_factor: Field<Range<Count>>,
    /// Fields that they must have.
    pub(in crate::spec) require: Field<List<Required>>,
    /// Bounds for their declared configs. Only configs with numeric values have bounds.
    pub(in crate::spec) config: Field<Entries<Range<Name>>>,
}

/// A smallest and a largest value, both allowed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename = "bounds", default, deny_unknown_fields)]
#[schemars(rename = "BoundsOf{T}")]
pub(in crate::spec) struct Range<T> {
    /// The smallest.
    pub(in crate::spec) min: Field<T>,
    /// The largest.
    pub(in crate::spec) max: Field<T>,
}

// Derived, it would ask for defaults of what the fields hold.
impl<T> Default for Range<T> {
    fn default() -> Self {
        Self { min: Field::Missing, max: Field::Missing }
    }
}

/// A field that a policy requires.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::spec) enum Required {
    /// `owner`.
    Owner,
    /// `keys`, other than `unknown`.
    Keys,
}

/// When drift alarms.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "drift", default, deny_unknown_fields)]
#[schemars(rename = "Drift")]
pub(in crate::spec) struct Drift {
    /// How long after its time MirrorMaker may be late, such as 10m. Default: 10m.
    pub(in crate::spec) grace: Field<Name>,
    /// From which severity on drift fails the run. Default: warning.
    pub(in crate::spec) fail_on: Field<Threshold>,
    /// Drift that is known, and alarms only when it moves on.
    pub(in crate::spec) ignore: Field<List<Ignore>>,
}

/// A severity at which drift alarms.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::spec) enum Threshold {
    /// Errors only.
    Error,
    /// Errors and warnings.
    Warning,
    /// All drift.
    Info,
}

/// Drift that is known: of these topics, this code, with this value.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename = "an ignored drift", default, deny_unknown_fields)]
#[schemars(rename = "IgnoredDrift", extend("required" = ["cluster", "topics", "code", "actual", "reason"]))]
pub(in crate::spec) struct Ignore {
    /// The cluster that it is on.
    pub(in crate::spec) cluster: Field<String>,
    /// The topics, as one pattern or several with `*` for any characters.
    pub(in crate::spec) topics: Field<NamePatterns>,
    /// The code of its findings, such as PT002.
    pub(in crate::spec) code: Field<String>,
    /// The value that is found. Another one alarms again.
    pub(in crate::spec) actual: Field<Name>,
    /// Why it is left alone.
    #[schemars(length(min = 1))]
    pub(in crate::spec) reason: Field<String>,
    /// The last valid day, UTC, as 2027-01-31.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub(in crate::spec) expires: Field<String>,
}
