//! Reports about MirrorMaker 2 and what it does to copies.

use super::{Setting, codes, only, rows, topic};
use serde_json::json;

const DRIFT: &[&str] = &["class", "code", "topic", "attribute", "expected", "actual"];

/// apache/kafka#12577 (KIP-787): a topic manager and MirrorMaker overwrote each other.
#[test]
fn a_copy_is_not_declared_as_a_topic_of_its_own() {
    let topics = "topics:\n  a: {}\n  primary.a: {cluster: dr, config: {retention.ms: 30d}}\n";
    let live = topic(1, json!({}));
    let plan = Setting::mirrored(topics, json!({"a": live.clone()}), json!({"primary.a": live})).plan(4);
    let refusal = only(&plan, "refusals", "MR002");
    assert_eq!((&refusal["cluster"], &refusal["topic"]), (&json!("dr"), &json!("primary.a")));
    assert_eq!(plan["steps"], json!([]));
}

/// The same, for a config of the copy that MirrorMaker writes at its next sync.
#[test]
fn a_config_that_mirrormaker_writes_is_not_declared_for_the_copy() {
    let live = topic(1, json!({"retention.ms": "604800000"}));
    let topics = "topics: {a: {config: {retention.ms: 7d}, copies: {dr: {config: {retention.ms: 30d}}}}}\n";
    let plan = Setting::mirrored(topics, json!({"a": live.clone()}), json!({"primary.a": live})).plan(4);
    let refusal = only(&plan, "refusals", "MR001");
    assert_eq!((&refusal["cluster"], &refusal["topic"]), (&json!("dr"), &json!("primary.a")));
    // The way out: change the source, or have the key excluded.
    let help = refusal["help"].as_str().unwrap();
    assert!(help.contains("declare retention.ms on a") && help.contains("config.properties.exclude"), "{help}");
    assert_eq!(plan["steps"], json!([]));
}

/// apache/kafka#11401, #10217: a key that MirrorMaker excludes differs on the copy, by design.
#[test]
fn a_difference_in_an_excluded_key_is_no_drift() {
    let primary = json!({"a": topic(1, json!({"min.insync.replicas": "1"}))});
    let setting =
        Setting::mirrored("topics: {a: {config: {min.insync.replicas: 1}}}\n", primary, json!({"primary.a": topic(1, json!({"min.insync.replicas": "2"}))}));
    let plan = setting.plan(0);
    assert_eq!((&plan["steps"], &plan["drift"]), (&json!([]), &json!([])));
    setting.workspace().run(&["plan"]).exits(0).shows("1 excluded by design");
}

/// strimzi#3688 (KAFKA-9981): new partitions were not picked up.
#[test]
fn a_copy_that_is_behind_is_due_at_the_next_refresh() {
    let plan = Setting::mirrored("topics: {a: {partitions: 12}}\n", json!({"a": topic(12, json!({}))}), json!({"primary.a": topic(10, json!({}))})).plan(0);
    assert_eq!(rows(&plan, "drift", DRIFT), [json!(["lag", "PT003", "primary.a", "partitions", 12, 10])]);
    // refresh.topics.interval.seconds is 600.
    assert_eq!(rows(&plan, "predictions", &["attribute", "after", "verdict", "due_seconds"]), [json!(["partitions", 12, "heals", 600])]);
    assert_eq!(plan["steps"], json!([]));
}

/// confluentinc/librdkafka#1449, linkedin/brooklin#649: the copy was there before, with another count.
#[test]
fn a_copy_that_was_made_larger_stays_so() {
    let plan = Setting::mirrored("topics: {a: {partitions: 60}}\n", json!({"a": topic(60, json!({}))}), json!({"primary.a": topic(100, json!({}))})).plan(0);
    assert_eq!(rows(&plan, "drift", DRIFT), [json!(["permanent", "PT002", "primary.a", "partitions", 60, 100])]);
    assert_eq!((&plan["steps"], &plan["predictions"]), (&json!([]), &json!([])));
    let smaller =
        Setting::mirrored("topics: {a: {partitions: 100}}\n", json!({"a": topic(100, json!({}))}), json!({"primary.a": topic(60, json!({}))})).plan(0);
    assert_eq!(rows(&smaller, "drift", DRIFT), [json!(["lag", "PT003", "primary.a", "partitions", 100, 60])]);
}

/// strimzi#3249, #3977, apache/kafka#22079: prefixes that loop. A name that starts with the target's alias would be skipped without a word.
#[test]
fn a_name_that_makes_a_cycle_is_refused() {
    let plan = Setting::mirrored("topics: {dr.dr.orders: {}}\n", json!({}), json!({})).plan(4);
    only(&plan, "refusals", "MR005");
    assert_eq!((&plan["steps"], &plan["predictions"]), (&json!([]), &json!([])));
}

/// strimzi#3682: an excluded name was listed as mirrored.
#[test]
fn a_name_that_is_never_mirrored_cannot_be_meant_to_be() {
    let plan = Setting::mirrored("topics: {__x-connect-config: {}}\n", json!({}), json!({})).plan(4);
    only(&plan, "refusals", "MR003");
    let plan = Setting::mirrored("topics: {__x-connect-config: {mirror: false}}\n", json!({}), json!({})).plan(0);
    assert_eq!(rows(&plan, "steps", &["cluster", "topic", "action"]), [json!(["primary", "__x-connect-config", "create"])]);
    assert_eq!(plan["predictions"], json!([]));
}

/// strimzi#5990: a deleted topic returned, because a client that asked for it made it anew. MirrorMaker's consumer is such a client.
#[test]
fn a_topic_that_mirrormaker_would_make_anew_is_not_deleted() {
    let topics = "topics: {a: {state: absent, acknowledge: {delete: {topic_id: AAAAAAAAAAAAAAAAAAAAAQ, reason: x}}}}\n";
    let setting = |auto: &str| {
        let live = topic(1, json!({}));
        let setting = Setting::mirrored(topics, json!({"a": live.clone()}), json!({"primary.a": live})).and("limits: {deletes: 1}\n");
        setting.on("primary", |primary| primary.extend([("broker_configs".to_owned(), json!({"auto.create.topics.enable": auto}))]))
    };
    let plan = setting("true").plan(4);
    only(&plan, "refusals", "DL004");
    assert_eq!(plan["steps"], json!([]));
    // The copy is the last backup and stays.
    assert_eq!(rows(&setting("false").plan(0), "steps", &["cluster", "topic", "action"]), [json!(["primary", "a", "delete"])]);
}

/// aiven/terraform-provider-aiven#700: a declared topic was deleted elsewhere. It is made anew, and what its copy holds is not touched.
#[test]
fn a_topic_that_is_gone_is_made_anew_beside_its_copy() {
    let plan = Setting::mirrored("topics: {a: {partitions: 3}}\n", json!({}), json!({"primary.a": topic(6, json!({}))})).plan(0);
    assert_eq!(rows(&plan, "steps", &["cluster", "topic", "action", "reason"]), [json!(["primary", "a", "create", "absent"])]);
    assert_eq!(rows(&plan, "predictions", &["topic", "attribute", "before", "after", "verdict"]), [json!(["primary.a", "partitions", 6, 6, "never"])]);
    assert_eq!(codes(&plan, "refusals"), Vec::<String>::new());
}
