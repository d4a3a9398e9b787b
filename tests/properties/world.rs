//! Random pairs of clusters with declarations for them.

use isotopic::cluster::{Connection, Simulated, Target, observe};
use isotopic::finding::{Place, Sources};
use isotopic::kafka::name::{ClusterName, TopicName};
use isotopic::live::{self, Instant};
use isotopic::spec::{Inputs, Workspace};
use proptest::collection::btree_map;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// A topic of a cluster, or as declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topic {
    pub(crate) partitions: u32,
    pub(crate) replication_factor: u32,
    pub(crate) overrides: BTreeMap<String, String>,
}

/// What is declared of a topic. `None` as a config's value is `null`.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    partitions: u32,
    replication_factor: u32,
    config: BTreeMap<String, Option<String>>,
}

/// A simulated cluster.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub(crate) topics: BTreeMap<String, Topic>,
    defaults: BTreeMap<String, (String, &'static str)>,
}

/// A workspace and its two clusters.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    declared: Vec<(String, Declared)>,
    pub(crate) primary: Cluster,
    pub(crate) dr: Cluster,
}

const NAMES: [&str; 6] = ["orders", "payments.refunds", "x-internal", "a.replica.b", "team.heartbeats", "logs_1"];
const ORIGINS: [&str; 4] = ["DEFAULT_CONFIG", "STATIC_BROKER_CONFIG", "DYNAMIC_BROKER_CONFIG", "DYNAMIC_DEFAULT_BROKER_CONFIG"];

/// Keys with values that differ, that are equal in other words, and that MirrorMaker excludes.
const CONFIGS: [(&str, [&str; 3]); 5] = [
    ("retention.ms", ["3600000", "86400000", "-1"]),
    ("cleanup.policy", ["delete", "compact,delete", "delete,compact"]),
    ("min.insync.replicas", ["1", "2", "3"]),
    ("min.cleanable.dirty.ratio", ["0.5", "0.50", "0.1"]),
    ("preallocate", ["true", "false", "false"]),
];

fn value() -> impl Strategy<Value = (usize, usize)> {
    (0..CONFIGS.len(), 0..3_usize)
}

fn overrides() -> impl Strategy<Value = BTreeMap<String, String>> {
    proptest::collection::vec(value(), 0..4)
        .prop_map(|picks| picks.into_iter().map(|(key, value)| (CONFIGS[key].0.to_owned(), CONFIGS[key].1[value].to_owned())).collect())
}

fn topic() -> impl Strategy<Value = Topic> {
    (1..5_u32, 1..4_u32, overrides()).prop_map(|(partitions, replication_factor, overrides)| Topic { partitions, replication_factor, overrides })
}

fn declared() -> impl Strategy<Value = Declared> {
    let config = proptest::collection::vec((value(), weighted(0.8, Just(()))), 0..4).prop_map(|picks| {
        let text = |key: usize, value: usize| CONFIGS[key].1[value].to_owned();
        picks.into_iter().map(|((key, value), set)| (CONFIGS[key].0.to_owned(), set.map(|()| text(key, value)))).collect()
    });
    (1..5_u32, 1..4_u32, config).prop_map(|(partitions, replication_factor, config)| Declared { partitions, replication_factor, config })
}

fn defaults() -> impl Strategy<Value = BTreeMap<String, (String, &'static str)>> {
    proptest::collection::vec((0..3_usize, 0..ORIGINS.len()), CONFIGS.len()).prop_map(|picks| {
        let of = |((key, values), (value, origin)): (&(&str, [&str; 3]), (usize, usize))| ((*key).to_owned(), (values[value].to_owned(), ORIGINS[origin]));
        CONFIGS.iter().zip(picks).map(of).collect()
    })
}

/// A declaration for some of the names, live topics for some, and copies for some.
pub(crate) fn pair() -> impl Strategy<Value = Pair> {
    let per_name = proptest::collection::vec((of(declared()), of(topic()), of(topic())), NAMES.len());
    (per_name, defaults(), defaults(), btree_map("[a-z]{3}", topic(), 0..3)).prop_map(|(topics, primary, dr, strangers)| {
        let mut pair =
            Pair { declared: Vec::new(), primary: Cluster { topics: strangers.clone(), defaults: primary }, dr: Cluster { topics: strangers, defaults: dr } };
        for (name, (declared, live, copy)) in NAMES.iter().zip(topics) {
            pair.declared.extend(declared.map(|declared| ((*name).to_owned(), declared)));
            pair.primary.topics.extend(live.map(|live| ((*name).to_owned(), live)));
            pair.dr.topics.extend(copy.map(|copy| (format!("primary.{name}"), copy)));
        }
        pair
    })
}

/// A place to compare plans with that differ in places only.
pub(crate) fn nowhere() -> Place {
    Place { file: Sources::default().add("", ""), start: 0, end: 0 }
}

impl Pair {
    /// The names of the declared topics.
    pub(crate) fn declared_names(&self) -> impl Iterator<Item = &str> {
        self.declared.iter().map(|(name, _)| name.as_str())
    }

    /// The same with declarations in the opposite order.
    pub(crate) fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        reversed.declared.reverse();
        reversed
    }

    /// The workspace's files, with the topics spread over so many.
    pub(crate) fn inputs(&self, files: usize) -> Inputs {
        let workspace = "version: 1\nname: random\nclusters:\n  primary: {simulated: primary.json}\n  dr: {simulated: dr.json}\n\
                         mirrors:\n- {source: primary, target: dr, mm2: {version: \"4.0\"}}\n";
        let mut texts = vec!["topics:\n".to_owned(); files];
        for (at, (name, topic)) in self.declared.iter().enumerate() {
            let text = &mut texts[at % files];
            writeln!(text, "  {name}:\n    partitions: {}\n    replication_factor: {}\n    keys: none", topic.partitions, topic.replication_factor).unwrap();
            if !topic.config.is_empty() {
                writeln!(text, "    config:").unwrap();
            }
            for (key, value) in &topic.config {
                writeln!(text, "      {key}: {}", value.as_deref().unwrap_or("null")).unwrap();
            }
        }
        let topic_files = texts.into_iter().enumerate().filter(|(_, text)| text.lines().count() > 1);
        Inputs {
            folder_name: "random".to_owned(),
            workspace_file: ("isotopic.yaml".to_owned(), workspace.to_owned()),
            topic_files: topic_files.map(|(at, text)| (format!("topics/{at}.yaml"), text)).collect(),
            ..Inputs::default()
        }
    }

    /// What isotopic sees of the two clusters.
    pub(crate) fn observe(&self, folder: &Path, workspace: &Workspace, asked: &BTreeMap<ClusterName, BTreeSet<TopicName>>) -> Vec<live::Cluster> {
        std::fs::write(folder.join("primary.json"), self.primary.json("primary")).unwrap();
        std::fs::write(folder.join("dr.json"), self.dr.json("dr")).unwrap();
        let target = |name: &ClusterName| Target {
            name: name.clone(),
            id: None,
            place: nowhere(),
            connection: Connection::Simulated(Simulated::load(folder, &format!("{name}.json"), nowhere()).unwrap()),
            asked: asked[name].clone(),
            timeout: Duration::from_secs(1),
        };
        let targets: Vec<_> = workspace.clusters.keys().map(target).collect();
        let observed = observe(&targets, || Instant(0), |_| BTreeMap::new());
        assert!(observed.findings.is_empty(), "{:?}", observed.findings);
        observed.clusters
    }
}

impl Cluster {
    fn json(&self, id: &str) -> String {
        let defaults: serde_json::Map<_, _> =
            self.defaults.iter().map(|(key, (value, origin))| (key.clone(), serde_json::json!({"value": value, "origin": origin}))).collect();
        let topic =
            |topic: &Topic| serde_json::json!({"partitions": topic.partitions, "replication_factor": topic.replication_factor, "overrides": topic.overrides});
        let topics: serde_json::Map<_, _> = self.topics.iter().map(|(name, of)| (name.clone(), topic(of))).collect();
        let brokers: Vec<_> = (1..=3).map(|id| serde_json::json!({"id": id})).collect();
        serde_json::json!({"format_version": "1.0", "kind": "simulated", "cluster_id": id, "brokers": brokers, "defaults": defaults, "topics": topics})
            .to_string()
    }
}
