//! `plan --out` and `show`. That a saved plan shows as it was shown is checked in every other test that plans (`runner.rs`).

use super::pair::{TOPICS, changed, pair};
use super::runner::Workspace;
use std::path::Path;

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_example_workspace_shows_as_it_was_shown() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = Workspace::new();
    for full in [&[][..], &["--full"]] {
        let plan = workspace.run(&[&["-C", example.to_str().unwrap(), "plan"], full].concat());
        plan.exits(0).shows("CHANGES: ").shows("payments-prod | ");
    }
}

#[test]
fn a_plan_is_saved_beside_what_is_shown() {
    let workspace = changed();
    let run = workspace.run(&["plan", "--out", "plan.json", "--detailed-exitcode"]);
    run.exits(2).shows("CHANGES: ").says_nothing();
    let saved = std::fs::read_to_string(workspace.path("plan.json")).unwrap();
    assert_eq!(workspace.run(&["show", "plan.json"]).exits(0).says_nothing().stdout, run.stdout);
    assert_eq!(workspace.run(&["show", "plan.json", "--format", "json"]).stdout, saved);
    assert_eq!(files(&workspace.path("")), ["clusters", "isotopic.yaml", "plan.json", "topics"], "nothing else is left");
    // A later run writes over it, and an empty file is free as well.
    workspace.file("plan.json", "").run(&["plan", "--out", "plan.json"]).exits(0);
}

#[test]
fn a_saved_plan_needs_no_workspace_to_be_shown() {
    let workspace = changed();
    let run = workspace.run(&["plan", "--out", "plan.json"]);
    let elsewhere = Workspace::new().file("plan.json", std::fs::read(workspace.path("plan.json")).unwrap());
    assert_eq!(elsewhere.run(&["show", "plan.json"]).stdout, run.stdout);
    assert_eq!(elsewhere.run_in("..", &["-C", elsewhere.path("").to_str().unwrap(), "show", "plan.json"]).stdout, run.stdout);
}

#[test]
fn what_a_plan_does_not_name_is_counted() {
    let workspace = changed();
    workspace.run(&["plan", "--out", "plan.json"]);
    workspace.run(&["show", "plan.json", "--full"]).exits(0).shows("Unmanaged: nobody declared these\n    1 topic, which only a plan made with --full names\n");
}

#[test]
fn files_that_could_not_be_judged_are_saved_and_shown_without_excerpts() {
    let workspace = pair().file("topics/a.yaml", TOPICS.replace("keys: none", "kezs: none"));
    workspace.run(&["plan", "--out", "plan.json"]).exits(3).shows_nothing().says("YM002");
    workspace.run(&["show", "plan.json"]).exits(0).shows("INVALID: 1 error. No cluster was contacted.\nx topics/a.yaml:7  YM002  ").says_nothing();
}

#[test]
fn nothing_but_a_plan_is_overwritten() {
    let workspace = changed();
    for (file, why) in
        [("isotopic.yaml", "is no plan"), ("clusters/dr.json", "is no plan"), ("topics", "is no regular file"), ("/dev/null", "is no regular file")]
    {
        workspace.run(&["plan", "--out", file]).exits(64).shows_nothing().says(why).says("--out");
    }
    workspace.run(&["plan"]).exits(0);
    let run = workspace.run(&["plan", "--out", "no/such/folder.json"]);
    run.exits(1).shows("CHANGES: ").says("error: no/such/folder.json cannot be written: ");
}

#[test]
fn what_is_no_plan_is_not_shown() {
    let workspace =
        pair().file("other.json", r#"{"format_version": "2.0", "mode": 7}"#).file("drift.json", "{\"format_version\": \"1.0\",\n\"mode\": \"drift\"}");
    let show = |file: &str, why: &str| {
        workspace.run(&["show", file]).exits(3).shows_nothing().says("YM014").says(why);
    };
    show("missing.json", "missing.json cannot be read");
    show("isotopic.yaml", "isotopic.yaml:1:1 is no plan that can be shown");
    show("other.json", "it has format_version \"2.0\", and this isotopic reads major version 1");
    show("drift.json", "drift.json:2:");
    show("clusters/dr.json", "is no plan that can be shown: missing field");
}

#[test]
fn a_later_minor_version_is_shown_without_what_it_adds() {
    let workspace = changed();
    let run = workspace.run(&["plan", "--out", "plan.json"]);
    let saved = std::fs::read_to_string(workspace.path("plan.json")).unwrap();
    let later = saved
        .replace("\"format_version\": \"1.0\"", "\"format_version\": \"1.7\",\n  \"new\": [1]")
        .replace("\"limits\": null", "\"limits\": {\"deletes\": 0}")
        .replace("\"wave\": 3", "\"wave\": 3, \"new\": {}");
    assert_ne!(later, saved);
    let workspace = workspace.file("later.json", &later);
    assert_eq!(workspace.run(&["show", "later.json"]).exits(0).stdout, run.stdout);
    assert_eq!(workspace.run(&["show", "later.json", "--format", "json"]).stdout, later);
    let unknown = workspace.file("later.json", later.replace("\"action\": \"create\"", "\"action\": \"rename\""));
    unknown.run(&["show", "later.json"]).exits(3).says("this isotopic does not know \"rename\" here");
}
