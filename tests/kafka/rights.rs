//! Principals of different rights: what may not be seen is unknown, and never absent.

use crate::runner::{Run, Workspace};
use crate::secured::{PASSWORD, secured};
use crate::ways_in::{with, workspace};
use serde_json::Value;

/// Plans as a user, with these topics declared.
fn plan_as(user: &str, topics: &str) -> Run {
    let login = format!("security.protocol: SASL_PLAINTEXT\nsasl.mechanism: SCRAM-SHA-512\nsasl.username: {user}\nsasl.password: {PASSWORD}");
    let topics = format!("defaults: {{partitions: 1, replication_factor: 1}}\ntopics: {{{topics}}}\n");
    workspace(&with(&login), &secured().sasl_plaintext).file("topics/a.yaml", topics).run(&["plan", "--format", "json"])
}

/// The topics of all findings of EN005, with the reasons; there must be no others.
fn unreadable(plan: &Value) -> Vec<(String, String)> {
    let findings = ["diagnostics", "refusals"].iter().flat_map(|list| plan[list].as_array().unwrap());
    findings
        .map(|finding| {
            assert_eq!(finding["code"], "EN005", "{finding}");
            (finding["topic"].as_str().unwrap().to_owned(), finding["message"].as_str().unwrap().to_owned())
        })
        .collect()
}

fn names(unreadable: &[(String, String)]) -> Vec<&str> {
    unreadable.iter().map(|(topic, _)| topic.as_str()).collect()
}

const ALL: &str = "orders: {}, clicks: {}, secret: {}, absent: {}";

#[test]
fn describe_and_describe_configs_on_topics_are_all_that_a_plan_needs() {
    let run = plan_as("isotopic", ALL);
    run.exits(0);
    let plan = run.json();
    assert_eq!((&plan["summary"]["unchanged"], &plan["summary"]["create"], &plan["complete"]), (&3.into(), &1.into(), &true.into()), "{plan}");
    assert_eq!(plan["steps"][0]["topic"], "absent");
}

#[test]
fn a_topic_whose_configs_may_not_be_read_is_unknown() {
    let run = plan_as("half", "orders: {}, clicks: {}");
    run.exits(7);
    let plan = run.json();
    let unreadable = unreadable(&plan);
    assert_eq!(names(&unreadable), ["clicks"]);
    assert!(unreadable[0].1.contains("DescribeConfigs answered TOPIC_AUTHORIZATION_FAILED"), "{unreadable:?}");
    assert_eq!((&plan["steps"], &plan["summary"]["unchanged"]), (&serde_json::json!([]), &1.into()), "{plan}");
}

#[test]
fn a_topic_that_may_not_be_described_is_never_planned_to_be_created() {
    // `absent` is not there, and `secret` is: the broker tells neither to who may not describe them.
    for (user, expected) in [("half", vec!["absent", "clicks", "secret"]), ("named", vec!["absent", "clicks", "secret"])] {
        let run = plan_as(user, ALL);
        run.exits(7);
        let plan = run.json();
        assert_eq!(names(&unreadable(&plan)), expected, "{user}");
        assert_eq!((&plan["steps"], &plan["complete"]), (&serde_json::json!([]), &false.into()), "{user}: {plan}");
    }
}

#[test]
fn without_any_right_everything_is_unknown() {
    let run = plan_as("nobody", ALL);
    run.exits(7);
    let plan = run.json();
    assert_eq!(names(&unreadable(&plan)), ["absent", "clicks", "orders", "secret"]);
    assert_eq!((&plan["steps"], &plan["summary"]["unchanged"]), (&serde_json::json!([]), &0.into()), "{plan}");
}

#[test]
fn what_nobody_declared_and_nobody_may_read_does_not_matter() {
    // `half` may not read the configs of `clicks`, `named` does not even see it.
    for (user, seen) in [("half", 2), ("named", 1)] {
        let run = plan_as(user, "orders: {}");
        run.exits(0);
        let plan = run.json();
        assert_eq!((&plan["complete"], &plan["summary"]["unchanged"]), (&true.into(), &1.into()), "{user}: {plan}");
        assert_eq!(plan["clusters"][0]["topics"], seen, "{user}: {plan}");
    }
}

#[test]
fn a_copy_that_may_not_be_described_is_unknown_and_nothing_is_predicted_of_it() {
    let source = r#"{"format_version": "1.0", "kind": "simulated", "cluster_id": "sim", "brokers": [{"id": 1}],
        "topics": {"orders": {"id": "o", "partitions": 1, "replication_factor": 1}}}"#;
    let run = |user: &str| {
        let yaml = format!(
            "version: 1
clusters:
  primary: {{simulated: primary.json}}
  dr:
    bootstrap: {}
    properties: {{security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.username: {user}, sasl.password: {PASSWORD}}}
mirrors:
  - {{source: primary, target: dr, mm2: {{version: \"4.0\"}}}}
",
            secured().sasl_plaintext
        );
        let topics = "topics: {orders: {partitions: 1, replication_factor: 1}}\n";
        Workspace::of([("isotopic.yaml", yaml.as_str()), ("primary.json", source), ("topics/a.yaml", topics)]).run(&["plan", "--format", "json"])
    };
    let plan = run("nobody").exits(7).json();
    assert_eq!(names(&unreadable(&plan)), ["primary.orders"], "{plan}");
    assert_eq!((&plan["predictions"], &plan["steps"]), (&serde_json::json!([]), &serde_json::json!([])), "{plan}");
    // With the right to see that it is not there yet, it is MirrorMaker's to make.
    let plan = run("isotopic").exits(0).json();
    assert_eq!(plan["predictions"][0]["topic"], "primary.orders", "{plan}");
}
