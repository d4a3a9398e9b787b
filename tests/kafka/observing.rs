//! What real clusters report is what Kafka's own tools made of them.

use crate::brokers::{Broker, brokers};
use crate::planning::MANY;
use crate::tools::{TOPICS, tool};
use isotopic::cluster::{Connection, Observed, Property, Target, observe};
use isotopic::finding::{Place, Sources};
use isotopic::kafka::config::TOPIC_CONFIGS;
use isotopic::kafka::name::{ClusterName, ConfigKey, TopicName};
use isotopic::kafka::origin::Origin;
use isotopic::live::{Broker as LiveBroker, Configs, Effective, Instant, Replication, Seen, State, Topic};
use rdkafka::ClientConfig;
use rdkafka::producer::{BaseProducer, Producer};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A place, for what needs one.
pub(crate) fn place() -> Place {
    Place { file: Sources::default().add("isotopic.yaml", ""), start: 0, end: 1 }
}

/// A target with these settings, that asks for these topics.
pub(crate) fn target(name: &str, settings: &[(&str, &str)], asked: &[&str]) -> Target {
    let property = |value: &str| Property { value: value.to_owned(), place: place() };
    Target {
        name: name.into(),
        id: None,
        place: place(),
        connection: Connection::Kafka(settings.iter().map(|(name, value)| ((*name).to_owned(), property(value))).collect()),
        asked: asked.iter().map(|name| TopicName::from(*name)).collect(),
        timeout: Duration::from_secs(30),
    }
}

/// A target that is one of the brokers.
pub(crate) fn plain(name: &str, broker: &Broker, asked: &[&str]) -> Target {
    target(name, &[("bootstrap.servers", &broker.bootstrap)], asked)
}

/// Observes without wanting ids.
pub(crate) fn seen(targets: &[Target]) -> Observed {
    observe(targets, || Instant(0), |_| BTreeMap::new())
}

/// The state of a cluster that was read.
pub(crate) fn state(observed: &Observed, at: usize) -> &State {
    assert_eq!(observed.findings, []);
    observed.clusters[at].state.as_ref().unwrap()
}

/// A topic that is there.
pub(crate) fn topic<'a>(state: &'a State, name: &str) -> &'a Topic {
    match state.topic(&TopicName::from(name)) {
        Seen::Present(topic) => topic,
        Seen::Absent => panic!("{name} is absent"),
        Seen::Unknown(why) => panic!("{name}: {why}"),
    }
}

fn inherited<'a>(state: &'a State, key: &str) -> Effective<'a> {
    state.inherited(&ConfigKey::from(key))
}

fn overrides(of: &[(&str, &str)]) -> Configs {
    Configs::Known(of.iter().map(|(key, value)| (ConfigKey::from(*key), (*value).to_owned())).collect())
}

#[test]
fn topics_are_seen_as_kafkas_tools_made_them() {
    let brokers = brokers();
    let observed = seen(&[plain("primary", &brokers.primary, &["orders"]), plain("dr", &brokers.dr, &["us-east.orders", "us-east.clicks"])]);
    let primary = state(&observed, 0);
    let orders = topic(primary, "orders");
    assert_eq!((orders.partitions, orders.replication), (6, Replication { min: 1, max: 1 }));
    assert_eq!(orders.configs, overrides(&[("cleanup.policy", "compact,delete"), ("retention.ms", "86400000")]));
    assert_eq!(topic(primary, "clicks").partitions, 3);
    let dr = state(&observed, 1);
    assert_eq!(topic(dr, "us-east.orders").partitions, 9);
    assert_eq!(topic(dr, "us-east.orders").configs, overrides(&[]));
    assert!(matches!(dr.topic(&"us-east.clicks".into()), Seen::Absent));
    assert_eq!(observed.clusters[0].id.as_deref(), Some(brokers.primary.id));
    // Racks are told by topics that are described one by one, which only a snapshot needs.
    let broker = LiveBroker { id: 1, rack: None };
    assert_eq!((primary.brokers.as_slice(), dr.brokers.as_slice()), (&[broker.clone()][..], &[broker][..]));
}

#[test]
fn values_keep_their_origin() {
    let brokers = brokers();
    let observed = seen(&[plain("primary", &brokers.primary, &["orders", "clicks"]), plain("dr", &brokers.dr, &["us-east.orders"])]);
    let (primary, dr) = (state(&observed, 0), state(&observed, 1));
    let configs = topic(primary, "orders").configs.clone();
    let Configs::Known(own) = &configs else { panic!("{configs:?}") };
    assert_eq!(primary.effective(own, &"retention.ms".into()), Effective::Value(Some("86400000"), Origin::Topic));
    // log.retention.hours=100 in server.properties: 100 * 3,600,000 ms, and a default all the same, because hours are a coarse unit.
    assert_eq!(inherited(primary, "retention.ms"), Effective::Value(Some("360000000"), Origin::Default));
    assert_eq!(inherited(primary, "segment.bytes"), Effective::Value(Some("104857600"), Origin::Static));
    assert_eq!(inherited(primary, "delete.retention.ms"), Effective::Value(Some("77000"), Origin::DynamicBroker));
    assert_eq!(inherited(primary, "max.message.bytes"), Effective::Value(Some("2000000"), Origin::DynamicDefault));
    assert_eq!(inherited(primary, "cleanup.policy"), Effective::Value(Some("delete"), Origin::Default));
    assert_eq!(inherited(dr, "retention.ms"), Effective::Value(Some("123000"), Origin::Static));
    assert_eq!(inherited(dr, "no.such.key"), Effective::UnknownKey);
    // Every newly formatted 4.1+ cluster keeps it as a cluster-wide dynamic default, on every topic.
    assert_eq!(inherited(dr, "min.insync.replicas"), Effective::Value(Some("1"), Origin::DynamicDefault));
}

#[test]
fn the_default_behind_an_override_is_known_from_one_more_topic() {
    let brokers = brokers();
    // Only `orders` is asked for, and overrides retention.ms; Kafka tells no synonyms of it, because its default comes from log.retention.hours.
    let observed = seen(&[plain("primary", &brokers.primary, &["orders"])]);
    assert_eq!(inherited(state(&observed, 0), "retention.ms"), Effective::Value(Some("360000000"), Origin::Default));
}

#[test]
fn the_catalogue_is_what_a_broker_reports() {
    let observed = seen(&[plain("dr", &brokers().dr, &["us-east.orders"])]);
    let reported: Vec<_> = state(&observed, 0).inherited.keys().map(ConfigKey::as_str).collect();
    let catalogue: Vec<_> = TOPIC_CONFIGS.iter().filter(|key| key.versions.before.is_none()).map(|key| key.name).collect();
    assert_eq!(reported, catalogue);
}

#[test]
fn ids_are_those_that_kafkas_tools_print() {
    let primary = &brokers().primary;
    let wanted = BTreeMap::from([(ClusterName::from("primary"), BTreeSet::from([TopicName::from("orders"), TopicName::from("nowhere")]))]);
    let observed = observe(&[plain("primary", primary, &["orders"])], || Instant(0), |_| wanted.clone());
    let printed = tool(TOPICS, &primary.bootstrap, "--describe --topic orders");
    let id = printed.split("TopicId: ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
    assert_eq!(topic(state(&observed, 0), "orders").id.as_deref(), Some(id));
    assert_eq!(topic(state(&observed, 0), "clicks").id, None);
}

#[test]
fn looking_for_a_topic_does_not_create_it() {
    let primary = &brokers().primary;
    let list = || tool(TOPICS, &primary.bootstrap, "--list");
    let before = list();
    for _ in 0..2 {
        let observed = seen(&[plain("primary", primary, &["orders", "not.there"])]);
        assert!(matches!(state(&observed, 0).topic(&"not.there".into()), Seen::Absent));
    }
    let after = list();
    // The other test that creates topics here names its own.
    let without = |list: &str| list.lines().filter(|name| !name.starts_with("auto.")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without(&before), without(&after));
}

/// The proof that the test above can fail: this cluster creates topics that are asked for in the usual way.
#[test]
fn the_cluster_does_create_topics_that_are_asked_for_by_metadata() {
    let primary = &brokers().primary;
    let client: BaseProducer = ClientConfig::new().set("bootstrap.servers", &primary.bootstrap).create().unwrap();
    let exists = || seen(&[plain("primary", primary, &["auto.created"])]).clusters[0].state.as_ref().unwrap().topics.contains_key("auto.created");
    for _ in 0..50 {
        client.client().fetch_metadata(Some("auto.created"), Duration::from_secs(10)).unwrap();
        if exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("auto.create.topics.enable has no effect");
}

#[test]
fn requests_grow_with_hundreds_of_topics_and_not_with_topics() {
    let dr = &brokers().dr;
    let names: Vec<_> = (0..MANY).map(|number| format!("us-east.many.{number:03}")).collect();
    let mut asked: Vec<_> = names.iter().map(String::as_str).collect();
    let absent: Vec<_> = (0..300).map(|number| format!("absent.{number:03}")).collect();
    asked.extend(absent.iter().map(String::as_str));
    let observed = seen(&[plain("dr", dr, &asked)]);
    let state = state(&observed, 0);
    let dynamic = overrides(&[("delete.retention.ms", "77000"), ("max.message.bytes", "2000000")]);
    assert!(names.iter().all(|name| topic(state, name).configs == dynamic));
    assert!(absent.iter().all(|name| matches!(state.topic(&TopicName::from(name.as_str())), Seen::Absent)));
    let requests = observed.requests[&ClusterName::from("dr")];
    // 351 topics are described, the one more included: 4 requests of up to 100.
    assert!((4..=14).contains(&requests), "{requests} requests");
}
