//! An older Kafka, next to a newer one: the last version before 4.

use crate::brokers::{KAFKA_3, Life, Start, address, brokers, free_ports};
use crate::observing::{seen, state, target, topic};
use crate::runner::Workspace;
use crate::tools::{CONFIGS, TOPICS, tool_of};
use isotopic::kafka::name::{ClusterName, ConfigKey};
use isotopic::kafka::origin::Origin;
use isotopic::live::{Configs, Effective, Seen};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;

struct Older {
    bootstrap: String,
    _life: Life,
}

/// A cluster of one broker of 3.9.1, started on the first call. Its `retention.ms` is static, its `max.message.bytes` a dynamic default.
fn older() -> &'static Older {
    static OLDER: OnceLock<Older> = OnceLock::new();
    OLDER.get_or_init(|| {
        let ports = free_ports(2);
        let life = Start::new("older", "AAAAAAAAAAAAAAAAAAAABA", KAFKA_3, &[], |folder| settings(&ports, folder)).wait();
        let bootstrap = address(ports[0]);
        let calls = [
            (TOPICS, "--create --topic old.orders --partitions 3 --config retention.ms=86400000 --config message.downconversion.enable=false"),
            (CONFIGS, "--alter --entity-type brokers --entity-default --add-config message.max.bytes=2000000"),
        ];
        thread::scope(|scope| {
            for (class, arguments) in calls {
                let bootstrap = &bootstrap;
                scope.spawn(move || tool_of(KAFKA_3, class, bootstrap, arguments));
            }
        });
        Older { bootstrap, _life: life }
    })
}

fn settings(ports: &[u16], folder: &Path) -> String {
    let (plain, controller, data) = (ports[0], ports[1], folder.join("data"));
    format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{plain}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={}
log.index.size.max.bytes=65536
log.retention.ms=5000000
offsets.topic.replication.factor=1
",
        data.display()
    )
}

#[test]
fn an_older_cluster_is_seen_as_its_own_tools_made_it() {
    let settings = [("bootstrap.servers", older().bootstrap.as_str())];
    let observed = seen(&[target("older", &settings, &["old.orders", "not.there"])]);
    let state = state(&observed, 0);
    let orders = topic(state, "old.orders");
    let own = [("message.downconversion.enable", "false"), ("retention.ms", "86400000")];
    let own: BTreeMap<_, _> = own.map(|(key, value)| (ConfigKey::from(key), value.to_owned())).into();
    assert_eq!((orders.partitions, &orders.configs), (3, &Configs::Known(own)));
    assert!(matches!(state.topic(&"not.there".into()), Seen::Absent));
    assert_eq!((observed.clusters[0].id.as_deref(), state.brokers.len()), (Some("AAAAAAAAAAAAAAAAAAAABA"), 1));

    let inherited = |key: &str| state.inherited(&ConfigKey::from(key));
    // Kafka 4.0 took it out (KIP-724).
    assert_eq!(inherited("message.downconversion.enable"), Effective::Value(Some("true"), Origin::Default));
    // Only 4.1 and newer keep it as a cluster-wide dynamic default.
    assert_eq!(inherited("min.insync.replicas"), Effective::Value(Some("1"), Origin::Default));
    assert_eq!(inherited("retention.ms"), Effective::Value(Some("5000000"), Origin::Static));
    assert_eq!(inherited("max.message.bytes"), Effective::Value(Some("2000000"), Origin::DynamicDefault));
    let requests = observed.requests[&ClusterName::from("older")];
    assert!(requests <= 11, "{requests} requests");
}

#[test]
fn a_pair_of_an_older_and_a_newer_cluster_is_planned() {
    let yaml = format!(
        "version: 1
clusters:
  primary: {{bootstrap: \"{}\"}}
  dr: {{bootstrap: \"{}\"}}
mirrors:
  - {{source: primary, target: dr, mm2: {{version: \"3.9\"}}}}
defaults: {{replication_factor: 1}}
",
        older().bootstrap,
        brokers().dr.bootstrap
    );
    let topics = "topics:
  old.orders:
    partitions: 3
    config: {retention.ms: 2d, message.downconversion.enable: false}
";
    let plan = |topics: &str| Workspace::of([("isotopic.yaml", yaml.as_str()), ("topics/a.yaml", topics)]).run(&["plan", "--format", "json"]);
    let run = plan(topics);
    let document = run.exits(0).json();
    assert_eq!(document["complete"], true, "{document}");
    let steps = document["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "{document}");
    let field = &steps[0]["fields"][0];
    assert_eq!((&field["before"], &field["after"], &field["before_origin"]), (&"86400000".into(), &"172800000".into(), &"DYNAMIC_TOPIC_CONFIG".into()));
    assert_eq!(document["predictions"][0]["topic"], "primary.old.orders", "{document}");

    // The same key on the newer cluster: it has gone there, and the cluster would refuse it.
    let native = format!("{topics}  native:\n    cluster: dr\n    partitions: 1\n    config: {{message.downconversion.enable: false}}\n");
    let document = plan(&native).exits(4).json();
    let refusals = document["refusals"].as_array().unwrap();
    assert_eq!(refusals.iter().map(|refusal| (&refusal["code"], &refusal["topic"])).collect::<Vec<_>>(), [(&"CF002".into(), &"native".into())]);
}
