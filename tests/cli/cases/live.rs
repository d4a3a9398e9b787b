//! Reports about what a cluster says: origins, defaults, counts, things that cannot be read.

use super::{Setting, cluster, codes, only, rows, topic, writes};
use serde_json::json;
use std::time::{Duration, Instant};

/// kafka-gitops#41, #87, #103: declared values that equal the defaults were added again in every run.
#[test]
fn a_restated_default_is_pinned_once() {
    let topics = "topics: {a: {config: {retention.ms: 7d, cleanup.policy: delete}}}\n";
    let plan = Setting::of(topics, json!({"a": topic(1, json!({}))})).plan(0);
    assert_eq!(rows(&plan, "steps", &["action", "reason"]), [json!(["configure", "pin"])]);
    Setting::of(topics, json!({"a": topic(1, json!({"retention.ms": "604800000", "cleanup.policy": "delete"}))})).is_in_step();
}

/// Mongey/terraform-provider-kafka#407: a cluster-wide dynamic default was shown as a topic's override to remove.
#[test]
fn a_dynamic_default_of_the_cluster_is_no_override() {
    let silent = Setting::of("topics: {a: {}}\n", json!({"a": topic(1, json!({}))}));
    silent.inherits("main", "retention.ms", "3600000", "DYNAMIC_DEFAULT_BROKER_CONFIG").is_in_step();
}

/// Mongey/terraform-provider-kafka#35: old brokers do not say where a value comes from.
#[test]
fn a_value_of_unknown_origin_is_never_taken_away() {
    let setting = Setting::of("topics: {a: {config: {cleanup.policy: null}}}\n", json!({"a": topic(1, json!({}))}));
    let plan = setting.inherits("main", "cleanup.policy", "compact", "unknown").inherits("main", "retention.ms", "1", "unknown").plan(0);
    assert_eq!((&plan["steps"], &plan["drift"]), (&json!([]), &json!([])));
}

/// confluentinc/confluent-kafka-python#924, fede1024/rust-rdkafka#660, redpanda#1502, Mongey#446: a change of one key replaced all others, or sent them again.
#[test]
fn one_changed_key_is_all_that_is_written() {
    let live = json!({"a": topic(1, json!({"cleanup.policy": "compact", "retention.ms": "86400000"}))});
    let plan = Setting::of("topics: {a: {config: {retention.ms: 2d}}}\n", live.clone()).plan(0);
    assert_eq!(writes(&plan), [json!(["main", "a", "config:retention.ms", "172800000"])]);
    assert_eq!(rows(&plan, "drift", &["class", "code", "attribute"]), [json!(["manual", "CF009", "config:cleanup.policy"])]);

    let plan = Setting::of("topics: {a: {config: {cleanup.policy: compact, retention.ms: 2d}}}\n", live).plan(0);
    assert_eq!(writes(&plan), [json!(["main", "a", "config:retention.ms", "172800000"])]);
}

/// aiven/terraform-provider-aiven#345, apache/kafka#12086: the policy is a list, whose order says nothing.
#[test]
fn the_order_of_a_list_is_no_difference() {
    for live in ["compact,delete", "delete, compact"] {
        let live = json!({"a": topic(1, json!({"cleanup.policy": live}))});
        Setting::of("topics: {a: {config: {cleanup.policy: \"delete, compact\"}}}\n", live).is_in_step();
    }
}

/// segmentio/topicctl#191: keys that Kafka 3.6 added beside a declared one were flagged.
#[test]
fn keys_that_a_new_version_adds_are_nobodys() {
    let max = "9223372036854775807";
    let live = json!({"a": topic(1, json!({"message.timestamp.difference.max.ms": "3600000"}))});
    let mut setting = Setting::of("topics: {a: {config: {message.timestamp.difference.max.ms: 1h}}}\n", live);
    for key in ["message.timestamp.difference.max.ms", "message.timestamp.before.max.ms", "message.timestamp.after.max.ms"] {
        setting = setting.inherits("main", key, max, "DEFAULT_CONFIG");
    }
    let plan = setting.plan(0);
    assert_eq!((&plan["steps"], &plan["drift"]), (&json!([]), &json!([])));
    assert_eq!(only(&plan, "diagnostics", "CF004")["severity"], "warning");
}

/// Mongey#4, crossplane-contrib/provider-kafka#180, confluent#383, Aiven-Open/klaw#2503: fewer partitions led to a topic made anew, or lost.
#[test]
fn fewer_partitions_are_refused_and_never_a_new_topic() {
    let plan = Setting::of("topics: {a: {partitions: 3}}\n", json!({"a": topic(6, json!({}))})).plan(4);
    let refusal = only(&plan, "refusals", "PT001");
    assert_eq!((&refusal["topic"], &refusal["file"], &refusal["line"]), (&json!("a"), &json!("topics/a.yaml"), &json!(1)));
    assert_eq!((&plan["steps"], &plan["applyable"]), (&json!([]), &json!(false)));
}

/// kafka-gitops#34: a growth was ignored and success printed. It also moves keys, which somebody has to agree to.
#[test]
fn growth_is_planned_once_somebody_agreed() {
    let live = json!({"a": topic(5, json!({}))});
    let plan = Setting::of("topics: {a: {partitions: 6}}\n", live.clone()).plan(4);
    let refusal = only(&plan, "refusals", "AK001");
    // min(5,6)/lcm(5,6) = 1/6 of the keys stays.
    assert!(refusal["message"].as_str().unwrap().contains("5 of 6 keys"), "{refusal}");

    let plan = Setting::of("topics: {a: {partitions: 6, acknowledge: {partition_increase: {from: 5, to: 6, reason: x}}}}\n", live).plan(0);
    assert_eq!(rows(&plan, "steps", &["action", "acknowledged_by"]), [json!(["grow", "x"])]);
    assert_eq!(writes(&plan), [json!(["main", "a", "partitions", 6])]);
}

/// redpanda#3397, jikkou#175, kafka-configurator#9: more replicas than brokers, without a reason or an exit code.
#[test]
fn more_replicas_than_brokers_are_refused_in_the_plan() {
    let plan = Setting::of("topics: {a: {replication_factor: 5}}\n", json!({})).plan(4);
    let refusal = only(&plan, "refusals", "RF001");
    let message = refusal["message"].as_str().unwrap();
    assert!(message.contains('5') && message.contains('3'), "{message}");
}

/// strimzi#10630, yahoo/CMAK#75: a tool fought a running reassignment, whose topic has extra replicas for a while.
#[test]
fn extra_replicas_while_partitions_move_are_told_and_left_alone() {
    let mut moving = topic(6, json!({}));
    moving["replication_factor"] = json!({"min": 2, "max": 3});
    let plan = Setting::of("topics: {a: {partitions: 6, replication_factor: 2}}\n", json!({"a": moving})).plan(0);
    assert_eq!(plan["steps"], json!([]));
    let note = only(&plan, "diagnostics", "RF002");
    assert!(note["message"].as_str().unwrap().contains("reassignment"), "{note}");
}

/// kafka-ops/julie#39, kafka-gitops#33: what was not declared was deleted, internal topics included.
#[test]
fn what_is_not_declared_is_counted_and_nothing_else() {
    let live = json!({"a": topic(1, json!({})), "b": topic(1, json!({"retention.ms": "1"})), "c": topic(9, json!({})),
                      "__consumer_offsets": topic(50, json!({"cleanup.policy": "compact"})), "__transaction_state": topic(50, json!({}))});
    let plan = Setting::of("topics: {a: {}}\n", live).plan(0);
    assert_eq!((&plan["steps"], &plan["drift"], &plan["refusals"]), (&json!([]), &json!([]), &json!([])));
    assert_eq!(plan["unmanaged"], json!({"topics": 2, "names": [{"cluster": "main", "topic": "b"}, {"cluster": "main", "topic": "c"}]}));
}

/// kafka-gitops#83: a renamed key was a deletion and a creation.
#[test]
fn a_renamed_topic_is_a_new_one_and_the_old_one_stays() {
    let plan = Setting::of("topics: {orders-v2: {partitions: 6}}\n", json!({"orders": topic(6, json!({}))})).plan(0);
    assert_eq!(rows(&plan, "steps", &["action", "topic"]), [json!(["create", "orders-v2"])]);
    assert_eq!(plan["unmanaged"]["names"], json!([{"cluster": "main", "topic": "orders"}]));
}

/// jikkou#640: a guard made every topic that begins with "__" undeletable. Who names its id may delete it.
#[test]
fn a_topic_of_ones_own_that_begins_with_underscores_can_be_deleted() {
    let topics = "topics: {__foo: {state: absent, acknowledge: {delete: {topic_id: AAAAAAAAAAAAAAAAAAAAAQ, reason: x}}}}\n";
    let plan = Setting::of(topics, json!({"__foo": topic(1, json!({}))})).and("limits: {deletes: 1}\n").plan(0);
    assert_eq!(rows(&plan, "steps", &["action", "topic", "topic_id"]), [json!(["delete", "__foo", "AAAAAAAAAAAAAAAAAAAAAQ"])]);
    only(&Setting::of("topics: {__foo: {state: absent}}\n", json!({"__foo": topic(1, json!({}))})).plan(4), "refusals", "DL001");
}

/// HermesGermany/galapagos#289: a policy demands three replicas, and it came out at the apply. A workspace's policy is held against the plan.
#[test]
fn a_policy_is_broken_before_anything_is_written() {
    let setting = Setting::of("topics: {a: {replication_factor: 1}}\n", json!({})).and("policy: [{topics: \"*\", replication_factor: {min: 3}}]\n");
    let plan = setting.plan(4);
    assert_eq!(only(&plan, "refusals", "PO001")["topic"], "a");
    assert_eq!(plan["steps"], json!([]));
}

/// kaufland-ecommerce/esque#149: a creation timed out and came to pass all the same; the next run failed because the topic exists.
#[test]
fn a_topic_that_came_late_is_as_declared() {
    let topics = "topics: {a: {partitions: 6, config: {retention.ms: 1d}}}\n";
    let plan = Setting::of(topics, json!({})).plan(0);
    assert_eq!(rows(&plan, "steps", &["action", "topic"]), [json!(["create", "a"])]);
    Setting::of(topics, json!({"a": topic(6, json!({"retention.ms": "86400000"}))})).is_in_step();
}

/// Azure/azure-event-hubs-for-kafka#61, #167: DescribeConfigs is answered with an error. What is unknown is not changed, and other topics are still planned.
#[test]
fn configs_that_cannot_be_described_are_unknown() {
    let setting = Setting::of("topics: {a: {config: {cleanup.policy: delete}}, b: {}}\n", json!({"a": topic(1, json!({}))}));
    let plan = setting.on("main", |main| main.extend([("unreadable".to_owned(), json!({"a": {"configs": "UNSUPPORTED_VERSION"}}))])).plan(7);
    let refusal = only(&plan, "refusals", "EN005");
    assert!(refusal["message"].as_str().unwrap().contains("UNSUPPORTED_VERSION"), "{refusal}");
    assert_eq!(rows(&plan, "steps", &["action", "topic"]), [json!(["create", "b"])]);
}

/// redpanda#135: one of two clusters rejects min.insync.replicas. It never lists the key, so the plan says which one, instead of a difference without end.
#[test]
fn a_key_that_one_of_two_clusters_lacks_is_refused_there() {
    let live = json!({"a": topic(1, json!({"min.insync.replicas": "1"}))});
    let mut setting = Setting::of("topics: {a: {cluster: [main, other], config: {min.insync.replicas: 1}}}\n", live);
    let mut other = cluster("other", json!({"a": topic(1, json!({}))}));
    other["defaults"].as_object_mut().unwrap().remove("min.insync.replicas");
    setting.clusters.insert("other", other);
    let plan = setting.plan(4);
    let refusal = only(&plan, "refusals", "CF002");
    assert_eq!((&refusal["cluster"], &refusal["topic"]), (&json!("other"), &json!("a")));
    assert_eq!(plan["steps"], json!([]));
}

/// redpanda#1715, #6317: a dead node, or one that speaks TLS, made the tool hang.
#[test]
fn a_dead_bootstrap_address_is_named_in_bounded_time() {
    let setting = Setting::of("topics: {a: {}}\n", json!({}));
    let workspace = setting
        .workspace()
        .file("isotopic.yaml", "version: 1\nclusters: {main: {bootstrap: \"127.0.0.1:1\"}}\ndefaults: {partitions: 1, replication_factor: 1}\n");
    let started = Instant::now();
    let run = workspace.run(&["plan", "--format", "json", "--timeout", "2s"]);
    run.exits(7).says("127.0.0.1:1");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(codes(&run.json(), "diagnostics"), ["EN001"]);
}
