//! A snapshot of real clusters is as good as the clusters, and holds no secret.

use crate::brokers::brokers;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

const TOPICS: &str = "topics:
  orders: {partitions: 6, config: {retention.ms: 2d, cleanup.policy: [compact, delete]}}
  clicks: {partitions: 4, keys: none}
  not.there: {partitions: 1, config: {segment.bytes: 100MiB}}
";

fn isotopic(folder: &Path, args: &[&str], exit: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_isotopic")).args(args).current_dir(folder).env_clear().stdin(Stdio::null()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(exit), "{args:?}\n{stdout}{stderr}");
    assert!(!format!("{stdout}{stderr}").contains("canary"));
    stdout
}

/// A plan without what tells a snapshot from its cluster, and without what other tests change while this one runs.
fn timeless(plan: &str) -> Value {
    let mut plan: Value = serde_json::from_str(plan).unwrap();
    for key in ["created_at", "source", "unmanaged"] {
        plan[key].take();
    }
    for cluster in plan["clusters"].as_array_mut().unwrap() {
        for key in ["observed_at", "kind", "topics"] {
            cluster[key].take();
        }
    }
    plan["drift"].as_array_mut().unwrap().iter_mut().for_each(|drift| drop(drift["due"].take()));
    plan
}

/// Plans on both clusters, takes snapshots and plans on those. Gives the files' folder and the plan.
fn plan_and_take(user: &str, exit: i32) -> (tempfile::TempDir, Value) {
    let brokers = brokers();
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    let live = format!(
        "{{bootstrap: \"{}\", properties: {{security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.username: {user}, sasl.password: {user}-canary}}}}",
        brokers.primary.sasl
    );
    let dr = format!("{{bootstrap: \"{}\"}}", brokers.dr.bootstrap);
    let workspace = |primary: &str, dr: &str| {
        let mirrors = "mirrors: [{source: primary, target: dr, aliases: {source: us-east}, mm2: {version: \"4.0\", config: {replication.factor: 1}}}]";
        format!("version: 1\nname: pair\nclusters:\n  primary: {primary}\n  dr: {dr}\n{mirrors}\ndefaults: {{replication_factor: 1}}\n")
    };
    std::fs::create_dir(folder.path().join("topics")).unwrap();
    write("topics/a.yaml", TOPICS);
    write("isotopic.yaml", &workspace(&live, &dr));
    let plan = ["plan", "--format", "json"];
    let before = timeless(&isotopic(folder.path(), &plan, exit));
    isotopic(folder.path(), &["snapshot"], 0);
    write("isotopic.yaml", &workspace("{snapshot: snapshots/primary.json}", "{snapshot: snapshots/dr.json}"));
    assert_eq!(timeless(&isotopic(folder.path(), &plan, exit)), before);
    for file in ["primary.json", "dr.json"] {
        let text = read(folder.path(), file);
        assert!(!text.contains("canary") && !text.contains("127.0.0.1") && !text.contains("sasl"), "{text}");
    }
    (folder, before)
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join("snapshots").join(file)).unwrap()
}

#[test]
fn a_plan_on_snapshots_is_the_plan_on_the_clusters() {
    let (folder, plan) = plan_and_take("admin", 0);
    assert_eq!((&plan["summary"]["create"], &plan["summary"]["grow"], &plan["summary"]["configure"]), (&json!(1), &json!(1), &json!(1)));
    assert!(plan["steps"].as_array().unwrap().iter().filter(|step| step["action"] != "create").all(|step| step["topic_id"].is_string()));
    let primary: Value = serde_json::from_str(&read(folder.path(), "primary.json")).unwrap();
    assert_eq!((&primary["kind"], &primary["cluster_id"]), (&json!("snapshot"), &json!(brokers().primary.id)));
    assert_eq!(primary["brokers"], json!([{"id": 1, "rack": "us-east-1a"}]));
    let orders = &primary["topics"]["orders"];
    assert_eq!((&orders["partitions"], &orders["replication_factor"]), (&json!(6), &json!(1)));
    assert_eq!(orders["overrides"], json!({"cleanup.policy": "compact,delete", "retention.ms": "86400000"}));
    assert_eq!(primary["topics"]["clicks"].as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "partitions", "replication_factor"]);
    assert_eq!(primary["defaults"]["delete.retention.ms"], json!({"value": "77000", "origin": "DYNAMIC_BROKER_CONFIG"}));
}

#[test]
fn what_may_not_be_looked_at_is_unreadable_in_the_snapshot_too() {
    let (folder, plan) = plan_and_take("reader", 7);
    assert_eq!(plan["complete"], json!(false));
    let primary: Value = serde_json::from_str(&read(folder.path(), "primary.json")).unwrap();
    assert_eq!(primary["topics"].as_object().unwrap().keys().collect::<Vec<_>>(), ["orders"]);
    assert_eq!(primary["unreadable"].as_object().unwrap().keys().collect::<Vec<_>>(), ["clicks", "not.there", "orders"]);
    assert!(primary["unreadable"]["orders"]["configs"].as_str().unwrap().contains("TOPIC_AUTHORIZATION_FAILED"));
}
