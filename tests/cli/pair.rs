//! A pair of simulated clusters, small enough to see through: `primary` is mirrored to `dr`, and everything is as declared.

use super::runner::Workspace;

pub(crate) const WORKSPACE: &str = r#"version: 1
name: pair
clusters:
  primary: {simulated: clusters/primary.json, id: sim-primary}
  dr: {simulated: clusters/dr.json}
mirrors:
  - {source: primary, target: dr, mm2: {version: "4.0"}}
defaults: {replication_factor: 1}
"#;

pub(crate) const TOPICS: &str = "topics:\n  orders:\n    partitions: 6\n    config: {retention.ms: 7d}\n  clicks:\n    partitions: 3\n    keys: none\n";

const PRIMARY: &str = r#"{"format_version": "1.0", "kind": "simulated", "cluster_id": "sim-primary", "brokers": [{"id": 1}, {"id": 2}, {"id": 3}],
"defaults": {"retention.ms": {"value": "86400000", "origin": "STATIC_BROKER_CONFIG"}, "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"}},
"topics": {"orders": {"id": "o", "partitions": 6, "replication_factor": 1, "overrides": {"retention.ms": "604800000"}},
           "clicks": {"id": "c", "partitions": 3, "replication_factor": 1},
           "scratch": {"id": "s", "partitions": 1, "replication_factor": 1}}}"#;

const DR: &str = r#"{"format_version": "1.0", "kind": "simulated", "cluster_id": "sim-dr", "brokers": [{"id": 1}, {"id": 2}, {"id": 3}],
"defaults": {"retention.ms": {"value": "86400000", "origin": "STATIC_BROKER_CONFIG"}, "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"}},
"topics": {"primary.orders": {"id": "po", "partitions": 6, "replication_factor": 2, "overrides": {"retention.ms": "604800000"}},
           "primary.clicks": {"id": "pc", "partitions": 3, "replication_factor": 2}}}"#;

/// The pair, with nothing to do.
pub(crate) fn pair() -> Workspace {
    Workspace::of([("isotopic.yaml", WORKSPACE), ("topics/a.yaml", TOPICS), ("clusters/primary.json", PRIMARY), ("clusters/dr.json", DR)])
}

/// The pair with a create, a growth and a change of a config to do.
pub(crate) fn changed() -> Workspace {
    let cut = "config: {retention.ms: 3d}\n    acknowledge: {retention_cut: {from: 7d, to: 3d, reason: cost}}";
    let topics = TOPICS.replace("config: {retention.ms: 7d}", cut).replace("partitions: 3", "partitions: 4") + "  refunds: {partitions: 2}\n";
    pair().file("topics/a.yaml", topics)
}
