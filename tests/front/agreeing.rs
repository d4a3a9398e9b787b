//! One world, as a file and behind a front, gives one plan.

use crate::pair::{DR, PRIMARY, Pair, TOPICS, cluster, workspace};
use crate::protocol::Kind;
use crate::runner::Workspace;
use crate::server::Front;
use crate::world::world;
use serde_json::Value;

/// A plan without what may differ: when and from what it was made, and what kind of cluster stands behind a name.
fn comparable(mut plan: Value) -> Value {
    for cluster in plan["clusters"].as_array_mut().unwrap() {
        cluster["kind"].take();
        cluster["observed_at"].take();
    }
    for drift in plan["drift"].as_array_mut().unwrap() {
        // Due some time after the look at the cluster.
        drift["due"] = drift["due"].is_string().into();
    }
    plan["created_at"].take();
    plan["source"]["files_digest"].take();
    plan
}

/// The plan of the two worlds by file and through fronts, which are the same.
fn planned(primary: &str, dr: &str, topics: &str, code: i32) -> Value {
    let clusters = [("clusters/primary.json", primary), ("clusters/dr.json", dr), ("topics/a.yaml", topics)];
    let simulated = workspace("{simulated: clusters/primary.json}", "{simulated: clusters/dr.json}");
    let by_file = Workspace::of(clusters).file("isotopic.yaml", simulated).run(&["plan", "--format", "json"]);
    let pair = Pair::of(Front::of(world(primary)), Front::of(world(dr))).topics(topics);
    let through_fronts = pair.plan();
    by_file.exits(code);
    through_fronts.exits(code);
    let (by_file, through_fronts) = (comparable(by_file.json()), comparable(through_fronts.json()));
    assert_eq!(by_file, through_fronts);
    through_fronts
}

#[test]
fn a_pair_in_step() {
    let plan = planned(PRIMARY, DR, TOPICS, 0);
    assert_eq!(plan["summary"]["unchanged"], 2);
    assert_eq!(plan["steps"], Value::Array(Vec::new()));
}

#[test]
fn creates_growths_changes_pins_resets_and_hand_edits() {
    let topics = "topics:\n  orders:\n    partitions: 6\n    config: {retention.ms: null, cleanup.policy: delete}\n    acknowledge: {retention_cut: {from: 7d, to: 1d, reason: a day will do}}\n  clicks:\n    partitions: 4\n    keys: none\n    config: {min.insync.replicas: 1}\n  refunds: {partitions: 2, config: {retention.ms: 3d}}\n";
    let primary =
        PRIMARY.replace(r#""partitions": 3, "replication_factor": 1"#, r#""partitions": 3, "replication_factor": 1, "overrides": {"segment.ms": "1"}"#);
    let plan = planned(&primary, DR, topics, 0);
    let summary = &plan["summary"];
    assert_eq!((&summary["create"], &summary["grow"], &summary["configure"]), (&1.into(), &1.into(), &2.into()));
    let growth = plan["steps"].as_array().unwrap().iter().find(|step| step["action"] == "grow").unwrap();
    assert_eq!(growth["topic_id"], "Y2xpY2tzLi4uLi4uLi4uLg");
}

#[test]
fn a_topic_that_moves_and_a_copy_that_is_ahead() {
    let primary = PRIMARY.replace(r#""partitions": 6, "replication_factor": 1"#, r#""partitions": 6, "replication_factor": {"min": 1, "max": 2}"#);
    let plan = planned(&primary, &DR.replace(r#""partitions": 6"#, r#""partitions": 9"#), TOPICS, 0);
    let codes: Vec<_> = ["diagnostics", "drift"].iter().flat_map(|list| plan[list].as_array().unwrap()).map(|found| found["code"].clone()).collect();
    assert!(codes.contains(&"RF002".into()) && codes.contains(&"PT002".into()), "{codes:?}");
}

#[test]
fn a_cluster_that_reports_no_defaults() {
    let start = PRIMARY.find("\"defaults\"").unwrap();
    let end = PRIMARY.find("\"topics\"").unwrap();
    let plan = planned(&format!("{}{}", &PRIMARY[..start], &PRIMARY[end..]), DR, TOPICS, 0);
    assert!(plan["diagnostics"].as_array().unwrap().iter().any(|found| found["code"] == "CF008"), "{}", plan["diagnostics"]);
}

/// What is asked of a small pair, so that a test knows which request it spoils.
#[test]
fn few_requests_are_sent_and_none_that_could_create() {
    let pair = Pair::with(Vec::new()).topics(&format!("{TOPICS}  refunds: {{partitions: 1}}\n"));
    pair.plan().exits(0);
    for front in [&pair.primary, &pair.dr] {
        assert_eq!(front.requests(Kind::AllTopics), 1);
        assert_eq!(front.requests(Kind::Configs), 1);
        // `refunds` and its copy are not in the lists.
        assert_eq!(front.requests(Kind::NamedTopics), 1);
        assert!(front.all_requests() <= 13, "{} requests", front.all_requests());
    }
}

#[test]
fn two_clusters_at_one_front_are_one_cluster() {
    let front = Front::of(world(PRIMARY));
    let files = Workspace::of([("isotopic.yaml", workspace(&cluster(&front), &cluster(&front)).as_str()), ("topics/a.yaml", TOPICS)]);
    let run = files.run(&["plan", "--format", "json"]);
    run.exits(4);
    assert_eq!(run.json()["refusals"][0]["code"], "EN004");
    assert_eq!(front.requests(Kind::AllTopics), 0);
}
