//! `plan`: what it shows, where, and how it ends.

use super::pair::{TOPICS, WORKSPACE, changed, pair};
use super::runner::{Run, Workspace};
use git2::{IndexAddOption, Repository, Signature};
use serde_json::{Value, json};

/// The document on stdout, which must be valid whatever happened.
#[track_caller]
fn document(run: &Run) -> Value {
    let document = run.json();
    let schema: Value = serde_json::from_str(include_str!("../../schemas/plan.json")).unwrap();
    let problems: Vec<_> = jsonschema::validator_for(&schema).unwrap().iter_errors(&document).map(|problem| problem.to_string()).collect();
    assert_eq!(problems, Vec::<String>::new());
    document
}

#[test]
fn nothing_to_do_is_said_in_few_words() {
    let run = pair().run(&["plan", "--detailed-exitcode"]);
    run.exits(0)
        .shows("No changes to the 2 declared topics.\npair | no commit | primary SIMULATED 3 topics, dr SIMULATED 2 topics | MM2 4.0 active")
        .says_nothing();
    assert!(run.stdout.len() <= 2048);
}

#[test]
fn changes_are_shown_with_what_follows_on_the_copies() {
    let workspace = changed();
    let before = std::fs::read(workspace.path("clusters/primary.json")).unwrap();
    let run = workspace.run(&["plan"]);
    run.exits(0)
        .shows("CHANGES: 1 create, 1 grow, 1 configure; MirrorMaker follows on 3 copies.\n")
        .shows("~ clicks  topics/a.yaml:6\n  ~ primary  partitions  3 -> 4   cannot be undone\n  = dr       the same by MirrorMaker, within 10m\n")
        .shows("  ~ primary  retention.ms  7d -> 3d   604800000 -> 259200000\n")
        .shows("  + primary  2 partitions, 1 replica\n  = dr       MirrorMaker makes it within 10m: 2 partitions, 2 replicas\n")
        .says_nothing();
    workspace.run(&["plan", "--detailed-exitcode"]).exits(2);
    assert_eq!(std::fs::read(workspace.path("clusters/primary.json")).unwrap(), before, "plan writes nothing");
}

#[test]
fn the_document_holds_what_the_text_shows() {
    let run = changed().run(&["plan", "--format", "json"]);
    run.exits(0).says_nothing();
    let document = document(&run);
    assert_eq!(
        document["summary"],
        json!({"create": 1, "grow": 1, "configure": 1, "delete": 0, "refused": 0, "held_back": 0, "predicted": 3, "drift": 0, "unchanged": 0})
    );
    assert_eq!(document["unmanaged"], json!({"topics": 1, "names": null}));
    assert_eq!((&document["applyable"], &document["complete"], &document["errored"]), (&json!(true), &json!(true), &json!(false)));
    let ids: Vec<_> = document["steps"].as_array().unwrap().iter().map(|step| (step["topic"].as_str().unwrap(), step["topic_id"].as_str())).collect();
    assert_eq!(ids, [("clicks", Some("c")), ("orders", Some("o")), ("refunds", None)]);
    let full = changed().run(&["plan", "--format", "json", "--full"]);
    assert_eq!(full.json()["unmanaged"]["names"], json!([{"cluster": "primary", "topic": "scratch"}]));
    assert_eq!(full.json()["fingerprint"], document["fingerprint"]);
}

#[test]
fn a_refused_change_exits_4_and_names_the_line() {
    let workspace = pair().file("topics/a.yaml", TOPICS.replace("partitions: 6", "partitions: 5"));
    workspace.run(&["plan"]).exits(4).shows("REFUSED: 1 topic. Nothing will be written until topics/a.yaml:3 is mended.\n").shows("PT001").says_nothing();
    let run = workspace.run(&["plan", "--format", "json"]);
    run.exits(4).says("PT001 partitions cannot decrease").says("[topics/a.yaml:3:");
    assert_eq!(document(&run)["applyable"], json!(false));
}

#[test]
fn invalid_files_exit_3_with_all_findings_and_an_empty_plan() {
    let workspace = pair().file("topics/a.yaml", TOPICS.replace("keys: none", "kezs: none") + "  b: {partitions: x}\n");
    workspace
        .run(&["plan"])
        .exits(3)
        .shows_nothing()
        .says("YM002 unknown field")
        .says("[topics/a.yaml:7:5]")
        .says("INVALID: 2 errors. No cluster was contacted.");
    let run = workspace.run(&["plan", "--format", "json"]);
    run.exits(3).says("YM002");
    let document = document(&run);
    assert_eq!((&document["errored"], &document["fingerprint"], &document["steps"]), (&json!(true), &Value::Null, &json!([])));
    let codes: Vec<_> = document["diagnostics"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["YM002", "YM003"]);
}

#[test]
fn no_workspace_is_invalid_input_and_still_a_document() {
    let nowhere = Workspace::new().file(".git/HEAD", "");
    nowhere.run(&["plan"]).exits(3).shows_nothing().says("YM014").says("--workspace");
    let run = nowhere.run(&["plan", "--format", "json"]);
    run.exits(3);
    assert_eq!(document(&run)["errored"], json!(true));
    nowhere.run(&["-C", "missing", "plan"]).exits(3).says("YM014");
    nowhere.run(&["--workspace", "missing.yaml", "plan"]).exits(3).says("YM014");
}

#[test]
fn an_unset_variable_is_found_before_any_cluster_is_contacted() {
    let kafka = WORKSPACE.replace("{simulated: clusters/dr.json}", "{bootstrap: \"${env:DR_BOOTSTRAP}\"}");
    let workspace = pair().file("isotopic.yaml", kafka);
    workspace.run(&["validate"]).exits(0);
    workspace.run(&["plan"]).exits(3).shows_nothing().says("YM006").says("No cluster was contacted.");
}

#[test]
fn a_cluster_that_cannot_be_read_leaves_no_verdict() {
    // Nothing listens on port 1.
    let kafka = WORKSPACE.replace("{simulated: clusters/dr.json}", "{bootstrap: \"${env:DR_BOOTSTRAP}\"}");
    let workspace = changed().file("isotopic.yaml", kafka).env("DR_BOOTSTRAP", "127.0.0.1:1");
    let run = workspace.run(&["plan", "--timeout", "2s", "--detailed-exitcode"]);
    run.exits(7).shows("CANNOT TELL: cluster dr could not be read. What could be read: 1 create, 1 grow, 1 configure.\n").shows("EN001");
    let run = workspace.run(&["plan", "--timeout", "2s", "--format", "json"]);
    run.exits(7).says("EN001");
    let document = document(&run);
    assert_eq!(document["coverage"]["clusters_failed"], json!(["dr"]));
    assert_eq!((&document["applyable"], &document["complete"]), (&json!(false), &json!(false)));
    assert_eq!(document["summary"]["create"], json!(1), "the other cluster's steps are shown");
}

#[test]
fn another_cluster_than_pinned_is_refused_before_the_first_topic_is_read() {
    let workspace = changed().file("isotopic.yaml", WORKSPACE.replace("id: sim-primary", "id: another"));
    let run = workspace.run(&["plan"]);
    run.exits(4).shows("REFUSED: another cluster than pinned. Nothing will be written until isotopic.yaml:4 is mended.\n").shows("EN003");
    assert_eq!(document(&workspace.run(&["plan", "--format", "json"]))["steps"], json!([]));
}

#[test]
fn a_workspace_is_found_from_a_folder_beneath_and_by_its_name() {
    let workspace = pair().file("topics/deep/b.yaml", "topics: {}\n");
    workspace.run_in("topics/deep", &["plan"]).exits(0).shows("pair | ");
    workspace.run_in("clusters", &["-C", "../topics", "plan"]).exits(0).shows("pair | ");
    workspace.run_in("clusters", &["--workspace", "../isotopic.yaml", "plan"]).exits(0).shows("pair | ");
}

#[test]
fn colours_only_where_they_are_asked_for() {
    let escapes = |args: &[&str]| changed().run(args).stdout.contains('\u{1b}');
    assert!(!escapes(&["plan"]), "a pipe is no terminal");
    assert!(!escapes(&["plan", "--color", "never"]));
    assert!(escapes(&["plan", "--color", "always"]));
    let broken = || pair().file("topics/a.yaml", "topics: [");
    assert!(!broken().run(&["plan"]).stderr.contains('\u{1b}'));
    assert!(broken().run(&["plan", "--color", "always"]).stderr.contains('\u{1b}'));
}

#[test]
fn the_commit_is_told_and_whether_files_that_were_read_were_edited() {
    let workspace = pair();
    let repository = Repository::init(workspace.path("")).unwrap();
    let mut index = repository.index().unwrap();
    index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let who = Signature::now("somebody", "somebody@example.org").unwrap();
    let commit = repository.commit(Some("HEAD"), &who, &who, "first", &tree, &[]).unwrap().to_string();
    let source = || workspace.run(&["plan", "--format", "json"]).json()["source"].clone();
    let clean = source();
    assert_eq!((&clean["commit"], &clean["dirty"], &clean["base"]), (&json!(commit), &json!(false), &Value::Null));
    std::fs::write(workspace.path("topics/a.yaml"), TOPICS.replace("7d", "168h")).unwrap();
    let edited = source();
    assert_eq!((&edited["commit"], &edited["dirty"]), (&json!(commit), &json!(true)));
    assert_ne!(edited["files_digest"], clean["files_digest"]);
    workspace.run(&["plan"]).exits(0).shows(&format!("pair | {} with uncommitted edits | ", &commit[..7]));
}

#[test]
fn verbose_tells_why_there_is_no_commit() {
    pair().run(&["plan", "-v"]).exits(0).says("in no git repository");
}
