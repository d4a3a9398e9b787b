//! Reports about what is written: YAML, values, names.

use super::{Setting, codes, only, rows, topic, writes};
use serde_json::json;

/// sky-uk/kafka-configurator#39: an unquoted decimal was rejected.
#[test]
fn an_unquoted_decimal_equals_the_live_text() {
    let live = topic(1, json!({"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.1"}));
    Setting::of("topics: {a: {config: {cleanup.policy: compact, min.cleanable.dirty.ratio: 0.1}}}\n", json!({"a": live})).is_in_step();
}

/// redpanda-data/redpanda-operator#86: a quoted number was silently not applied.
#[test]
fn quotes_around_a_number_change_nothing() {
    let plan = |value: &str| Setting::of(format!("topics: {{a: {{config: {{retention.ms: {value}}}}}}}\n"), json!({"a": topic(1, json!({}))})).plan(0);
    let (bare, quoted) = (plan("1209600000"), plan("\"1209600000\""));
    assert_eq!(writes(&bare), [json!(["main", "a", "config:retention.ms", "1209600000"])]);
    assert_eq!((&bare["steps"][0]["id"], &bare["fingerprint"]), (&quoted["steps"][0]["id"], &quoted["fingerprint"]));
    assert_eq!(writes(&bare), writes(&quoted));
}

/// dtolnay/serde-yaml#299: duplicate keys were swallowed.
#[test]
fn a_topic_that_stands_twice_is_refused_with_both_places() {
    let twice = Setting::of("topics:\n  a: {partitions: 1}\n  a: {partitions: 2}\n", json!({})).run(3);
    only(&twice.json(), "diagnostics", "YM004");
    twice.says("topics/a.yaml:3:3").says("first here\n 3 |");

    let files = Setting::of("topics:\n  a: {partitions: 1}\n", json!({})).workspace().file("topics/b.yaml", "topics:\n  a: {partitions: 2}\n");
    let run = files.run(&["plan"]);
    run.exits(3).says("YM005").says("topics/a.yaml:2").says("topics/b.yaml:2");
}

/// segmentio/topicctl, topic-test-multi.yaml: several documents, some empty, and a list for a value.
#[test]
fn empty_documents_are_skipped_and_lists_joined() {
    let plan = Setting::of("---\n---\ntopics: {a: {config: {cleanup.policy: [compact, delete]}}}\n---\ntopics: {b: {}}\n---\n", json!({})).plan(0);
    assert_eq!(rows(&plan, "steps", &["action", "topic"]), [json!(["create", "a"]), json!(["create", "b"])]);
    assert!(writes(&plan).contains(&json!(["main", "a", "config:cleanup.policy", "compact,delete"])));
}

/// kafka-ops/julie, descriptor-only-topics-utf.yaml: a name that is not ASCII.
#[test]
fn a_name_with_an_umlaut_is_refused_before_any_cluster_is_asked() {
    let plan = Setting::of("topics: {verträge: {}}\n", json!({})).plan(3);
    let finding = only(&plan, "diagnostics", "NM001");
    assert!(finding["message"].as_str().unwrap().contains('ä'), "{finding}");
    assert_eq!(plan["clusters"], json!([]), "no cluster was asked");
}

/// Mongey/terraform-provider-kafka#271, getsentry/sentry-kafka-schemas#241: a broker's name for a topic's config.
#[test]
fn a_brokers_name_for_a_config_is_answered_with_the_topics() {
    let plan = Setting::of("topics: {a: {config: {log.retention.ms: 7d}}}\n", json!({})).plan(3);
    let finding = only(&plan, "diagnostics", "CF001");
    assert!(finding["help"].as_str().unwrap().contains("`retention.ms`"), "{finding}");
}

/// kafka-ops/julie#449: a crash on an infinite retention in hours. Only brokers have such a key.
#[test]
fn an_infinite_retention_in_hours_is_refused() {
    for key in ["retention.hours", "log.retention.hours"] {
        let plan = Setting::of(format!("topics: {{a: {{config: {{{key}: -1}}}}}}\n"), json!({})).plan(3);
        let finding = only(&plan, "diagnostics", "CF001");
        assert!(finding["help"].as_str().unwrap().contains("`retention.ms`"), "{key}: {finding}");
    }
}

/// Mongey/terraform-provider-kafka#409: placement constraints demand a replication factor of -1.
#[test]
fn a_replication_factor_below_one_is_refused() {
    let plan = Setting::of("topics: {a: {replication_factor: -1, config: {confluent.placement.constraints: '{}'}}}\n", json!({})).plan(3);
    assert_eq!(codes(&plan, "diagnostics").len(), 1, "{}", plan["diagnostics"]);
    assert!(plan["diagnostics"][0]["message"].as_str().unwrap().contains("replication_factor"), "{}", plan["diagnostics"]);
}

/// redpanda-data/redpanda#7619: the topic of consumer offsets was resized.
#[test]
fn the_offsets_topic_is_not_resized() {
    let plan = Setting::of("topics: {__consumer_offsets: {partitions: 100}}\n", json!({"__consumer_offsets": topic(50, json!({}))})).plan(3);
    only(&plan, "diagnostics", "NM003");
    assert_eq!(plan["steps"], json!([]));
}

/// strimzi/strimzi-kafka-operator#3386: one topic name on both clusters was rejected.
#[test]
fn one_name_on_two_clusters_is_two_topics() {
    let plan = Setting::mirrored("topics: {a: {partitions: 2, cluster: [primary, dr]}}\n", json!({}), json!({})).plan(0);
    assert_eq!(rows(&plan, "steps", &["cluster", "topic", "action"]), [json!(["dr", "a", "create"]), json!(["primary", "a", "create"])]);
}
