//! The built program where a cluster cannot be read or is not the right one: what it says, how it ends, and that it does not wait for ever.

use crate::brokers::{brokers, free_port};
use crate::runner::{Run, Workspace};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Two clusters, with these settings each, and a change of `orders` to plan.
fn pair(primary: &str, dr: &str) -> Workspace {
    let workspace = format!(
        "version: 1
clusters:
  primary: {primary}
  dr: {dr}
mirrors:
  - {{source: primary, target: dr, mm2: {{version: \"4.0\"}}}}
"
    );
    let topics = "topics:\n  orders: {partitions: 6, replication_factor: 1, mirror: true, config: {retention.ms: 2d, cleanup.policy: [compact, delete]}}\n";
    Workspace::of([("isotopic.yaml", workspace.as_str()), ("topics/a.yaml", topics)])
}

fn at(bootstrap: &str) -> String {
    format!("{{bootstrap: \"{bootstrap}\"}}")
}

/// Plans within the time that each cluster may take, and some for the rest.
fn plan(workspace: &Workspace) -> Run {
    let start = Instant::now();
    let run = workspace.run(&["plan", "--format", "json", "--timeout", "3s"]);
    assert!(start.elapsed() < Duration::from_secs(8), "it took {:?}", start.elapsed());
    run
}

fn document(run: &Run) -> Value {
    let document = run.json();
    assert_eq!(document["applyable"], false);
    document
}

#[test]
fn with_one_of_two_clusters_dead_the_other_ones_steps_are_shown() {
    let dead = format!("127.0.0.1:{}", free_port());
    let workspace = pair(&at(&brokers().primary.bootstrap), &at(&dead));
    let run = plan(&workspace);
    run.exits(7).says(&format!("{dead} cannot be reached (connection refused), so nothing of cluster dr was read"));
    let document = document(&run);
    assert_eq!(document["steps"][0]["fields"][0]["after"], "172800000");
    assert_eq!((&document["complete"], &document["coverage"]["clusters_failed"]), (&json!(false), &json!(["dr"])));
    assert_eq!(document["predictions"], json!([]), "nobody knows what the copy is like");
    let run = workspace.run(&["plan", "--timeout", "3s", "--detailed-exitcode"]);
    run.exits(7).shows("CANNOT TELL: cluster dr could not be read. What could be read: 1 configure.\n").shows("EN001").shows("1d -> 2d");

    let other = pair(&at(&dead), &at(&brokers().dr.bootstrap));
    let run = plan(&other);
    run.exits(7).says("nothing of cluster primary was read");
    assert_eq!((&run.json()["steps"], &run.json()["coverage"]["compared"]), (&json!([]), &json!(0)));
}

#[test]
fn with_both_clusters_dead_both_are_named_in_the_time_of_one() {
    let dead = [free_port(), free_port()].map(|port| format!("127.0.0.1:{port}"));
    let run = plan(&pair(&at(&dead[0]), &at(&dead[1])));
    run.exits(7).says(&format!("{} cannot be reached", dead[0])).says(&format!("{} cannot be reached", dead[1]));
    assert_eq!(document(&run)["coverage"]["clusters_failed"], json!(["dr", "primary"]));
}

/// No topic of any cluster was read, and no cluster counts as broken.
fn stopped_at_the_door(run: &Run, code: &str) {
    let document = document(run);
    assert_eq!(document["refusals"].as_array().unwrap().iter().map(|refusal| &refusal["code"]).collect::<Vec<_>>(), [code]);
    assert_eq!((&document["steps"], &document["coverage"]["compared"]), (&json!([]), &json!(0)));
    assert!(document["clusters"].as_array().unwrap().iter().all(|cluster| cluster["topics"].is_null()), "{document:#}");
}

#[test]
fn another_cluster_than_pinned_is_refused_before_any_topic_is_read() {
    let brokers = brokers();
    let pinned = format!("{{bootstrap: \"{}\", id: {}}}", brokers.primary.bootstrap, brokers.dr.id);
    let run = plan(&pair(&pinned, &at(&brokers.dr.bootstrap)));
    run.exits(4).says("EN003").says(brokers.primary.id).says(brokers.dr.id);
    stopped_at_the_door(&run, "EN003");
    let right = format!("{{bootstrap: \"{}\", id: {}}}", brokers.primary.bootstrap, brokers.primary.id);
    plan(&pair(&right, &at(&brokers.dr.bootstrap))).exits(0);
}

#[test]
fn two_names_for_one_cluster_are_refused_before_any_topic_is_read() {
    let primary = &brokers().primary;
    let run = plan(&pair(&at(&primary.bootstrap), &at(&format!("localhost:{}", primary.port))));
    run.exits(4).says("EN004");
    stopped_at_the_door(&run, "EN004");
}

fn sasl(bootstrap: &str, password: &str) -> String {
    let properties = "security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.username: admin";
    format!("{{bootstrap: \"{bootstrap}\", properties: {{{properties}, sasl.password: \"{password}\"}}}}")
}

#[test]
fn credentials_on_the_wrong_listener_or_wrong_ones_end_in_a_sentence() {
    let brokers = brokers();
    let dr = at(&brokers.dr.bootstrap);
    let plain = plan(&pair(&sasl(&brokers.primary.bootstrap, "admin-canary"), &dr));
    plain.exits(7).says(&brokers.primary.bootstrap).says("so nothing of cluster primary was read");
    let wrong = plan(&pair(&sasl(&brokers.primary.sasl, "wrong-canary"), &dr));
    wrong.exits(7).says("EN002").says(&format!("{} does not authorise us", brokers.primary.sasl));
    let without = plan(&pair(&at(&brokers.primary.sasl), &dr));
    without.exits(7).says(&format!("{} cannot be reached", brokers.primary.sasl)).says("security.protocol");
    for run in [&plain, &wrong, &without] {
        assert!(!run.stdout.contains("canary") && !run.stderr.contains("canary"), "{}{}", run.stdout, run.stderr);
    }
    plan(&pair(&sasl(&brokers.primary.sasl, "admin-canary"), &dr)).exits(0);
}
