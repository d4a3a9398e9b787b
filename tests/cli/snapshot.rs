//! `snapshot`, and plans on what it wrote.

use super::pair::{TOPICS, WORKSPACE, changed, pair};
use super::runner::Workspace;
use serde_json::{Value, json};
use std::path::Path;

const LIVE: [&str; 2] = ["simulated: clusters/primary.json", "simulated: clusters/dr.json"];
const TAKEN: [&str; 2] = ["snapshot: snapshots/primary.json", "snapshot: snapshots/dr.json"];

/// The workspace's text with snapshots for live clusters.
fn on_snapshots(workspace: &str) -> String {
    let text = workspace.replace(LIVE[0], TAKEN[0]).replace(LIVE[1], TAKEN[1]);
    assert!(TAKEN.iter().all(|taken| text.contains(taken)), "{text}");
    text
}

fn document(workspace: &Workspace, exit: i32) -> Value {
    workspace.run(&["plan", "--format", "json", "--full"]).exits(exit).json()
}

/// A plan without what tells a snapshot from the cluster that it was taken of.
fn timeless(mut plan: Value) -> Value {
    plan["created_at"].take();
    plan["source"].take();
    for cluster in plan["clusters"].as_array_mut().unwrap() {
        cluster["observed_at"].take();
        assert!(["simulated", "snapshot"].contains(&cluster["kind"].take().as_str().unwrap()));
    }
    plan["drift"].as_array_mut().unwrap().iter_mut().for_each(|drift| drop(drift["due"].take()));
    plan
}

fn read(workspace: &Workspace, path: &str) -> String {
    std::fs::read_to_string(workspace.path(path)).unwrap()
}

fn names(workspace: &Workspace, folder: &str) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(workspace.path(folder)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The example workspace, so that its files may be changed.
fn example() -> Workspace {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut workspace = Workspace::new().file("isotopic.yaml", std::fs::read(top.join("isotopic.yaml")).unwrap());
    for folder in ["topics", "clusters"] {
        for entry in std::fs::read_dir(top.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            workspace = workspace.file(&format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap()), std::fs::read(&path).unwrap());
        }
    }
    workspace
}

#[test]
fn a_plan_on_snapshots_is_the_plan_on_the_clusters() {
    // dr has a topic that cannot be read, and one whose configs cannot.
    let dr = read(&pair(), "clusters/dr.json").replace("}}}", "}}, \"unreadable\": {\"primary.orders\": {\"configs\": \"no\"}, \"primary.refunds\": \"no\"}}");
    let unreadable = changed().file("clusters/dr.json", dr);
    for (workspace, exit) in [(pair(), 0), (changed(), 0), (example(), 0), (unreadable, 7)] {
        let live = document(&workspace, exit);
        workspace.run(&["snapshot"]).exits(0);
        let text = on_snapshots(&read(&workspace, "isotopic.yaml"));
        let workspace = workspace.file("isotopic.yaml", text);
        // Whatever happens to the clusters then.
        std::fs::remove_dir_all(workspace.path("clusters")).unwrap();
        let taken = document(&workspace, exit);
        assert_eq!(taken["clusters"].as_array().unwrap().iter().filter(|cluster| cluster["kind"] == "snapshot").count(), 2);
        assert_eq!(timeless(taken), timeless(live));
    }
}

#[test]
fn each_cluster_becomes_a_file_that_the_schema_describes() {
    let workspace = changed();
    workspace
        .run(&["snapshot"])
        .exits(0)
        .says_nothing()
        .shows("dr SIMULATED: 2 topics in snapshots/dr.json\nprimary SIMULATED: 3 topics in snapshots/primary.json\n");
    assert_eq!(names(&workspace, "snapshots"), ["dr.json", "primary.json"]);
    let primary: Value = serde_json::from_str(&read(&workspace, "snapshots/primary.json")).unwrap();
    let schema: Value = serde_json::from_str(include_str!("../../schemas/snapshot.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&primary));
    assert_eq!((&primary["kind"], &primary["cluster_id"]), (&json!("snapshot"), &json!("sim-primary")));
    assert_eq!(primary["topics"]["orders"], json!({"id": "o", "partitions": 6, "replication_factor": 1, "overrides": {"retention.ms": "604800000"}}));
    assert_eq!(primary["topics"]["scratch"], json!({"id": "s", "partitions": 1, "replication_factor": 1}), "topics that nobody declared as well");
}

#[test]
fn snapshots_differ_in_nothing_but_their_time() {
    let workspace = example();
    workspace.run(&["snapshot"]).exits(0);
    workspace.run_in("topics", &["snapshot", "--out", "../other"]).exits(0).shows(" in ../other/dr.json\n");
    let without_time = |path: &str| read(&workspace, path).lines().filter(|line| !line.contains("taken_at")).map(str::to_owned).collect::<Vec<_>>();
    for file in ["dr.json", "primary.json"] {
        assert_eq!(without_time(&format!("snapshots/{file}")), without_time(&format!("other/{file}")));
    }
    // From a folder beneath they go beside the workspace's file all the same.
    std::fs::remove_dir_all(workspace.path("snapshots")).unwrap();
    workspace.run_in("topics", &["snapshot"]).exits(0);
    assert_eq!(names(&workspace, "snapshots"), ["dr.json", "primary.json"]);
}

#[test]
fn a_snapshots_age_is_shown() {
    let workspace = changed();
    workspace.run(&["snapshot"]).exits(0);
    let dr = read(&workspace, "snapshots/dr.json");
    let taken = serde_json::from_str::<Value>(&dr).unwrap()["taken_at"].as_str().unwrap().to_owned();
    let workspace = workspace.file("isotopic.yaml", WORKSPACE.replace(LIVE[1], TAKEN[1])).file("snapshots/dr.json", dr.replace(&taken, "2020-02-29T13:05:59Z"));
    let run = workspace.run(&["plan"]);
    run.exits(0).shows("primary SIMULATED 3 topics, dr SNAPSHOT of 2020-02-29 13:05, ").shows(" days old, 2 topics | MM2 4.0 active");
    assert_eq!(document(&workspace, 0)["clusters"][0]["observed_at"], "2020-02-29T13:05:59Z");
    workspace.run(&["snapshot"]).exits(0).says("dr is a snapshot already, so none is taken of it.").shows("primary SIMULATED: 3 topics");
    assert!(read(&workspace, "snapshots/dr.json").contains("2020-02-29"), "an old picture is not passed off as a new one");
}

#[test]
fn a_snapshot_is_no_cluster_model_and_the_reverse() {
    let workspace = changed();
    workspace.run(&["snapshot"]).exits(0);
    let old = read(&workspace, "snapshots/dr.json").lines().filter(|line| !line.contains("taken_at")).collect::<String>();
    let workspace = workspace.file("old.json", old);
    let wrong = |cluster: &str, what: &str| {
        let workspace = Workspace::of([("topics/a.yaml", TOPICS), ("isotopic.yaml", &WORKSPACE.replace(LIVE[1], cluster))])
            .file("clusters/primary.json", read(&workspace, "clusters/primary.json"))
            .file("clusters/dr.json", read(&workspace, "clusters/dr.json"))
            .file("snapshots/dr.json", read(&workspace, "snapshots/dr.json"))
            .file("old.json", read(&workspace, "old.json"));
        workspace.run(&["plan"]).exits(3).shows_nothing().says("YM014").says(what).says("[isotopic.yaml:5:");
    };
    wrong("simulated: snapshots/dr.json", "snapshots/dr.json is a snapshot, and not the file of a simulated cluster");
    wrong("simulated: snapshots/dr.json", "write `snapshot: snapshots/dr.json`");
    wrong("snapshot: clusters/dr.json", "clusters/dr.json is the file of a simulated cluster, and not a snapshot");
    wrong("snapshot: nowhere.json", "nowhere.json, a snapshot, cannot be read");
    wrong("snapshot: old.json", "has no taken_at");
}

#[test]
fn an_anonymised_snapshot_shows_no_names_and_is_not_planned_against() {
    let workspace = example();
    workspace.run(&["snapshot", "--anonymise"]).exits(0);
    let first = read(&workspace, "snapshots/dr.json");
    for name in ["payments", "orders", "us-east", "dIYk0yqGRmWc6kT2b8vQ4A", "us-west"] {
        assert!(read(&workspace, "clusters/dr.json").contains(name) && !first.contains(name), "{name}");
    }
    let parsed: Value = serde_json::from_str(&first).unwrap();
    assert_eq!((&parsed["anonymised"], parsed["topics"].as_object().unwrap().len()), (&json!(true), 30));
    workspace.run(&["snapshot", "--anonymise"]).exits(0);
    let without_time = |text: &str| text.lines().filter(|line| !line.contains("taken_at")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_time(&read(&workspace, "snapshots/dr.json")), without_time(&first));
    let text = on_snapshots(&read(&workspace, "isotopic.yaml"));
    let workspace = workspace.file("isotopic.yaml", text);
    workspace.run(&["plan"]).exits(3).shows_nothing().says("YM014").says("snapshots/dr.json is anonymised").says("without --anonymise");
}

#[test]
fn nothing_but_a_snapshot_is_overwritten() {
    let workspace = changed();
    let before = read(&workspace, "clusters/dr.json");
    workspace.run(&["snapshot", "--out", "clusters"]).exits(64).shows_nothing().says("clusters/dr.json is there already and is no snapshot").says("--out");
    assert_eq!(read(&workspace, "clusters/dr.json"), before);
    assert_eq!(names(&workspace, "clusters"), ["dr.json", "primary.json"]);
    workspace.run(&["snapshot", "--out", "isotopic.yaml"]).exits(64);
    let workspace = workspace.file("isotopic.yaml", WORKSPACE.replace("  dr:", "  ../dr:").replace("target: dr", "target: ../dr, aliases: {target: dr}"));
    workspace.run(&["snapshot"]).exits(3).shows_nothing().says("YM008").says("the cluster's name \"../dr\" cannot be that of a file");
}

#[test]
fn a_dead_cluster_leaves_its_old_snapshot_and_the_other_one_is_taken() {
    let workspace = changed();
    workspace.run(&["snapshot"]).exits(0);
    let (old, primary) = (read(&workspace, "snapshots/dr.json"), workspace.path("snapshots/primary.json"));
    std::fs::remove_file(&primary).unwrap();
    // Nothing listens on port 1.
    let workspace = workspace.file("isotopic.yaml", WORKSPACE.replace(LIVE[1], "bootstrap: \"127.0.0.1:1\""));
    workspace.run(&["snapshot", "--timeout", "2s"]).exits(7).shows("primary SIMULATED: 3 topics").says("EN001");
    assert!(primary.exists());
    assert_eq!(read(&workspace, "snapshots/dr.json"), old);
}

#[test]
fn another_cluster_than_pinned_is_no_snapshot() {
    let workspace = changed().file("isotopic.yaml", WORKSPACE.replace("id: sim-primary", "id: another"));
    workspace.run(&["snapshot"]).exits(4).shows_nothing().says("EN003");
    assert!(!workspace.path("snapshots").exists());
}

#[test]
fn a_cluster_is_one_thing_only() {
    let both = WORKSPACE.replace(LIVE[1], "simulated: clusters/dr.json, snapshot: snapshots/dr.json");
    pair().file("isotopic.yaml", both).run(&["validate"]).exits(3).says("YM013").says("has both `simulated` and `snapshot`");
    let settings = WORKSPACE.replace(LIVE[1], "snapshot: snapshots/dr.json, properties: {client.id: canary}");
    let run = pair().file("isotopic.yaml", settings).run(&["validate"]);
    run.exits(3).says("YM013").says("has both `snapshot` and `properties`");
    assert!(!run.stderr.contains("canary"));
    pair()
        .file("isotopic.yaml", WORKSPACE.replace(LIVE[1], ""))
        .run(&["validate"])
        .exits(3)
        .says("YM012")
        .says("none of `bootstrap`, `simulated` and `snapshot`");
    pair().file("isotopic.yaml", WORKSPACE.replace(LIVE[1], "snapshot: \" \"")).run(&["validate"]).exits(3).says("YM008").says("names no file");
}
