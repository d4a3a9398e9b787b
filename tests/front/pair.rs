//! A pair of fronts, small enough to see through: `primary` is mirrored to `dr`, and everything is as declared.

use crate::runner::{Run, Workspace};
use crate::script::Rule;
use crate::server::Front;
use crate::world::world;
use std::time::{Duration, Instant};

pub(crate) const TOPICS: &str = "topics:\n  orders:\n    partitions: 6\n    config: {retention.ms: 7d}\n  clicks:\n    partitions: 3\n    keys: none\n";

pub(crate) const PRIMARY: &str = r#"{"format_version": "1.0", "kind": "simulated", "cluster_id": "4L6g3nShT-eMCtK--X86sw", "brokers": [{"id": 1, "rack": "a"}, {"id": 2}, {"id": 3}],
"defaults": {"retention.ms": {"value": "86400000", "origin": "STATIC_BROKER_CONFIG"}, "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"},
             "min.insync.replicas": {"value": "1", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"}},
"topics": {"orders": {"id": "b3JkZXJzLi4uLi4uLi4uLg", "partitions": 6, "replication_factor": 1, "overrides": {"retention.ms": "604800000"}},
           "clicks": {"id": "Y2xpY2tzLi4uLi4uLi4uLg", "partitions": 3, "replication_factor": 1},
           "scratch": {"id": "c2NyYXRjaC4uLi4uLi4uLg", "partitions": 1, "replication_factor": 1}}}"#;

pub(crate) const DR: &str = r#"{"format_version": "1.0", "kind": "simulated", "cluster_id": "drdrdrdrdrdrdrdrdrdrdA", "brokers": [{"id": 1}, {"id": 2}, {"id": 3}],
"defaults": {"retention.ms": {"value": "86400000", "origin": "STATIC_BROKER_CONFIG"}, "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"},
             "min.insync.replicas": {"value": "1", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"}},
"topics": {"primary.orders": {"id": "cG9yZGVycy4uLi4uLi4uLg", "partitions": 6, "replication_factor": 2, "overrides": {"retention.ms": "604800000"}},
           "primary.clicks": {"id": "cGNsaWNrcy4uLi4uLi4uLg", "partitions": 3, "replication_factor": 2}}}"#;

/// A workspace file with these two clusters, each as YAML.
pub(crate) fn workspace(primary: &str, dr: &str) -> String {
    let mirrors = "mirrors:\n  - {source: primary, target: dr, mm2: {version: \"4.0\"}}\n";
    format!("version: 1\nname: pair\nclusters:\n  primary: {primary}\n  dr: {dr}\n{mirrors}defaults: {{replication_factor: 1}}\n")
}

/// A front as a cluster of a workspace.
pub(crate) fn cluster(front: &Front) -> String {
    format!("{{bootstrap: \"{}\"}}", front.address())
}

/// The two fronts and a workspace of them.
pub(crate) struct Pair {
    pub(crate) primary: Front,
    pub(crate) dr: Front,
    pub(crate) files: Workspace,
}

impl Pair {
    /// Nothing to do, and the primary cluster follows a script.
    pub(crate) fn with(script: Vec<Rule>) -> Self {
        Self::of(Front::with(world(PRIMARY), script), Front::of(world(DR)))
    }

    /// Nothing to do, and the mirrored cluster follows a script.
    pub(crate) fn with_dr(script: Vec<Rule>) -> Self {
        Self::of(Front::of(world(PRIMARY)), Front::with(world(DR), script))
    }

    pub(crate) fn of(primary: Front, dr: Front) -> Self {
        let files = Workspace::of([("isotopic.yaml", workspace(&cluster(&primary), &cluster(&dr)).as_str()), ("topics/a.yaml", TOPICS)]);
        Self { primary, dr, files }
    }

    /// With other topics declared.
    pub(crate) fn topics(mut self, topics: &str) -> Self {
        self.files = self.files.file("topics/a.yaml", topics);
        self
    }

    /// Plans, with 20 seconds for each cluster: enough to be in nobody's way on a busy machine.
    pub(crate) fn plan(&self) -> Run {
        self.plan_within(20)
    }

    /// Plans, with so many seconds for each cluster. That it takes much longer is a failure.
    pub(crate) fn plan_within(&self, seconds: u64) -> Run {
        let start = Instant::now();
        let run = self.files.run(&["plan", "--format", "json", "--timeout", &format!("{seconds}s")]);
        assert!(start.elapsed() < Duration::from_secs(seconds + 10), "it took {:?}", start.elapsed());
        run
    }
}
