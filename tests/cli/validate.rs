//! `validate`: the files alone.

use super::pair::{TOPICS, WORKSPACE, pair};
use serde_json::json;

#[test]
fn valid_files_are_counted() {
    pair().run(&["validate"]).exits(0).shows("pair is valid: 2 topics on 2 clusters, 1 flow, 2 files.\n").says_nothing();
    let run = pair().run(&["validate", "--format", "json"]);
    run.exits(0).says_nothing();
    assert_eq!(run.json(), json!({"format_version": "1.0", "diagnostics": [], "errored": false}));
}

#[test]
fn no_cluster_is_looked_at() {
    let workspace = pair();
    std::fs::remove_dir_all(workspace.path("clusters")).unwrap();
    workspace.run(&["validate"]).exits(0);
}

#[test]
fn notes_do_not_make_files_invalid() {
    let workspace = pair().file("isotopic.yaml", WORKSPACE.replace("mm2: {version: \"4.0\"}", "mm2: {}"));
    workspace.run(&["validate"]).exits(0).shows("pair is valid").says("MM014");
    let lowered = pair().file("isotopic.yaml", WORKSPACE.replace("mm2: {version: \"4.0\"}", "mm2: {}") + "rules: {MM014: warning}\n");
    lowered.run(&["validate"]).exits(0).says("MM014");
    lowered.run(&["validate", "-q"]).exits(0).says_nothing();
}

#[test]
fn what_is_wrong_is_reported_all_at_once() {
    let workspace = pair().file("topics/a.yaml", TOPICS.replace("keys: none", "kezs: none")).file("topics/b.yaml", "topics:\n  orders: {partitions: 1}\n");
    workspace.run(&["validate"]).exits(3).shows_nothing().says("YM002").says("YM005").says("INVALID: 2 errors.");
    let run = workspace.run(&["validate", "--format", "json"]);
    run.exits(3).says("YM005");
    assert_eq!(run.json()["errored"], json!(true));
    assert_eq!(run.json()["diagnostics"].as_array().unwrap().len(), 2);
}

#[test]
fn what_a_plan_would_refuse_whatever_the_clusters_hold_is_refused_here_too() {
    // A topic of the target that is named like a copy.
    let workspace = pair().file("topics/b.yaml", "topics:\n  primary.orders: {cluster: dr, partitions: 6}\n");
    workspace.run(&["validate"]).exits(4).shows_nothing().says("MR002").says("REFUSED: 1 error.");
}
