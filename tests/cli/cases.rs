//! Troubles that users of topic tools and of MirrorMaker 2 reported in public, in our words: each is met here, or refused with a reason.
//!
//! A test names the report that it comes from, as project#number. Expected values follow from Kafka's rules and from MirrorMaker's table. Rows that reading
//! and judging cannot answer are listed at the end of this file.

mod copies;
mod files;
mod live;
mod output;

use crate::runner::{Run, Workspace};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A workspace on simulated clusters of three brokers, which report the defaults of a fresh 4.3.1.
struct Setting {
    topics: String,
    /// The rest of the workspace file.
    extra: String,
    clusters: BTreeMap<&'static str, Value>,
}

impl Setting {
    /// One cluster, `main`, that nothing is mirrored to.
    fn of(topics: impl Into<String>, main: Value) -> Self {
        Self { topics: topics.into(), extra: String::new(), clusters: BTreeMap::from([("main", cluster("main", main))]) }
    }

    /// `primary`, mirrored to `dr` by MirrorMaker 4.0 with its defaults.
    fn mirrored(topics: impl Into<String>, primary: Value, dr: Value) -> Self {
        Self {
            topics: topics.into(),
            extra: "mirrors: [{source: primary, target: dr, mm2: {version: \"4.0\"}}]\n".to_owned(),
            clusters: BTreeMap::from([("primary", cluster("primary", primary)), ("dr", cluster("dr", dr))]),
        }
    }

    /// With more in the workspace file.
    fn and(mut self, extra: &str) -> Self {
        self.extra.push_str(extra);
        self
    }

    /// With something else in a cluster's file.
    fn on(mut self, name: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Self {
        change(self.clusters.get_mut(name).unwrap().as_object_mut().unwrap());
        self
    }

    /// With another value that the topics of a cluster inherit.
    fn inherits(self, name: &str, key: &str, value: &str, origin: &str) -> Self {
        self.on(name, |cluster| cluster["defaults"][key] = json!({"value": value, "origin": origin}))
    }

    fn workspace(&self) -> Workspace {
        let clusters: String = self.clusters.keys().map(|name| format!("  {name}: {{simulated: {name}.json}}\n")).collect();
        let text = format!("version: 1\nname: test\nclusters:\n{clusters}defaults: {{partitions: 1, replication_factor: 1}}\n{}", self.extra);
        let workspace = Workspace::new().file("isotopic.yaml", text).file("topics/a.yaml", &self.topics);
        self.clusters.iter().fold(workspace, |workspace, (name, cluster)| workspace.file(&format!("{name}.json"), cluster.to_string()))
    }

    #[track_caller]
    fn run(&self, exit: i32) -> Run {
        let run = self.workspace().run(&["plan", "--format", "json", "--full"]);
        run.exits(exit);
        run
    }

    #[track_caller]
    fn plan(&self, exit: i32) -> Value {
        self.run(exit).json()
    }

    /// Nothing is to be done, and nothing is wrong.
    #[track_caller]
    fn is_in_step(&self) {
        let plan = self.plan(0);
        for list in ["steps", "predictions", "refusals", "drift", "diagnostics"] {
            assert_eq!(plan[list], json!([]), "{list}");
        }
    }
}

fn cluster(id: &str, topics: Value) -> Value {
    let default = |value: &str| json!({"value": value, "origin": "DEFAULT_CONFIG"});
    json!({
        "format_version": "1.0", "kind": "simulated", "cluster_id": id, "brokers": [{"id": 1}, {"id": 2}, {"id": 3}],
        "defaults": {
            "cleanup.policy": default("delete"),
            "max.message.bytes": default("1048588"),
            "min.cleanable.dirty.ratio": default("0.5"),
            // From 4.1 on the controller keeps it for every topic (KIP-966).
            "min.insync.replicas": {"value": "1", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"},
            "retention.ms": default("604800000"),
        },
        "topics": topics
    })
}

fn topic(partitions: u32, overrides: Value) -> Value {
    json!({"id": "AAAAAAAAAAAAAAAAAAAAAQ", "partitions": partitions, "replication_factor": 1, "overrides": overrides})
}

/// The elements of a list, each as the values of these keys.
fn rows(plan: &Value, list: &str, keys: &[&str]) -> Vec<Value> {
    plan[list].as_array().unwrap().iter().map(|element| keys.iter().map(|key| element[key].clone()).collect()).collect()
}

/// The codes in a list.
fn codes(plan: &Value, list: &str) -> Vec<String> {
    plan[list].as_array().unwrap().iter().filter_map(|element| element["code"].as_str().map(str::to_owned)).collect()
}

/// The one finding of a list.
#[track_caller]
fn only<'a>(plan: &'a Value, list: &str, code: &str) -> &'a Value {
    assert_eq!(codes(plan, list), [code]);
    &plan[list][0]
}

/// What the steps write: cluster, topic, attribute and the value after.
fn writes(plan: &Value) -> Vec<Value> {
    let steps = plan["steps"].as_array().unwrap().iter();
    let fields = steps.flat_map(|step| step["fields"].as_array().unwrap().iter().map(move |field| (step, field)));
    fields.map(|(step, field)| json!([step["cluster"], step["topic"], field["attribute"], field["after"]])).collect()
}

// Rows without a test here, and why.
//
// They need an apply, which this version has not: runatlantis/atlantis#6529 (a stale plan), confluentinc/terraform-provider-confluentcloud#50 and
// dpkp/kafka-python#2157 (delete, then create), apache/kafka#19675 (deletion turned off), michelin/ns4kafka#184 and karafka/karafka-web#450 (the broker's own
// words about a refused change), the second half of strimzi#5990 (telling that a deleted topic came back).
//
// They need a broker, and stand in tests/kafka where they stand: Mongey#122 and #225 (8,000 topics: how many requests), confluent-kafka-python#1610 (a
// certificate for another name), confluent-kafka-python#1713 and apache/doris#61324 (OAUTHBEARER), the TLS half of redpanda#1715.
//
// They need MirrorMaker's own configuration read, of which this version knows four keys and DefaultReplicationPolicy: strimzi#9923 (Connect runs elsewhere),
// AK@1eb7644 (both syncs off), the live half of strimzi#3249 (a.a.a.orders: a copy without a source, MR007), and IdentityReplicationPolicy in strimzi#3386.
//
// ACLs and quotas are not read: KAFKA-15172, kafka-gitops#89, Mongey#669. Nothing is imported: strimzi#2931 and #1244.
//
// They are git's: shakacode/react_on_rails#3224 and git-bahn/git-igitt#46 (a clone without the base), libgit2#6536 (another user's repository).
//
// Simulated clusters know no read-only configs: confluent#98 and #339. Nor do they report the origin of an override as unknown: Mongey#35 is tested for
// inherited values.
