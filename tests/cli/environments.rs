//! The example of `docs/environments`: two environments of one repository, each planned.

use super::runner::Workspace;
use serde_json::{Value, json};
use std::path::Path;

/// A copy of a folder, because no test may write into the repository.
fn copied(workspace: Workspace, folder: &Path, into: &str) -> Workspace {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).fold(workspace, |workspace, entry| {
        let path = format!("{into}{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() { copied(workspace, &entry.path(), &format!("{path}/")) } else { workspace.file(&path, std::fs::read(entry.path()).unwrap()) }
    })
}

fn example() -> Workspace {
    copied(Workspace::new(), Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/environments")), "")
}

/// Each step as cluster, topic, action, and its attributes with what they become.
fn steps(plan: &Value) -> Vec<Value> {
    let fields = |step: &Value| step["fields"].as_array().unwrap().iter().map(|field| json!([field["attribute"], field["after"]])).collect::<Vec<_>>();
    let steps = plan["steps"].as_array().unwrap().iter();
    steps.map(|step| json!([step["cluster"], step["topic"], step["action"], fields(step)])).collect()
}

#[test]
fn production_has_its_own_counts_and_topics_and_fills_its_copies() {
    let run = example().run(&["--workspace", "prod.yaml", "plan", "--format", "json"]);
    run.exits(0).says_nothing();
    let plan = run.json();
    assert_eq!(
        steps(&plan),
        [
            json!(["dr", "primary.shop.order-items", "configure", [["config:min.insync.replicas", "2"]]]),
            json!(["dr", "primary.shop.orders", "configure", [["config:min.insync.replicas", "2"]]]),
        ]
    );
    assert_eq!((&plan["coverage"]["topics_total"], &plan["limits"]["partition_increases"]["limit"]), (&json!(4), &json!(1)));
}

#[test]
fn staging_keeps_less_and_lets_a_topic_go() {
    let run = example().run(&["--workspace", "staging.yaml", "plan", "--format", "json"]);
    run.exits(0).says_nothing();
    let plan = run.json();
    assert_eq!(
        steps(&plan),
        [
            json!(["primary", "shop.orders", "configure", [["config:retention.ms", "86400000"]]]),
            json!(["primary", "shop.clicks", "delete", [["existence", null]]])
        ]
    );
    let reasons: Vec<_> =
        plan["acknowledgements"].as_array().unwrap().iter().map(|given| (given["kind"].as_str().unwrap(), given["used"].as_bool().unwrap())).collect();
    assert!(reasons.contains(&("retention_cut", true)) && reasons.contains(&("delete", true)), "{reasons:?}");
}

#[test]
fn what_production_asks_of_topics_holds_there_alone() {
    let orders = include_str!("../../docs/environments/topics/orders.yaml").replace("retention.ms: 1d", "retention.ms: 31d");
    let workspace = example().file("topics/orders.yaml", orders);
    workspace.run(&["--workspace", "prod.yaml", "plan"]).exits(4).shows("PO001");
    workspace.run(&["--workspace", "staging.yaml", "validate"]).exits(0);
}
