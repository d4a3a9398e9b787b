//! Reports about what is shown, and what must never be.

use super::{Setting, topic};
use serde_json::{Value, json};

/// kafka-gitops#96, Mongey#114, apache/apisix#13786: credentials in the log of a failure, or of a talkative run.
#[test]
fn a_password_is_nowhere_in_a_failed_run() {
    let secret = "k3rberos-is-not-s4fe";
    let text = "version: 1\nclusters:\n  main:\n    bootstrap: 127.0.0.1:1\n    properties: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, \
                sasl.username: planner, sasl.password: \"${env:PASSWORD}\"}\ndefaults: {partitions: 1, replication_factor: 1}\n";
    let workspace = Setting::of("topics: {a: {}}\n", json!({})).workspace().file("isotopic.yaml", text).env("PASSWORD", secret);
    for args in [&["plan", "--timeout", "1s", "-v"][..], &["plan", "--timeout", "1s", "-v", "--format", "json"]] {
        let run = workspace.run(args);
        run.exits(7);
        assert!(run.stdout.contains("127.0.0.1:1"), "{}", run.stdout);
        assert!(!run.stdout.contains(secret) && !run.stderr.contains(secret), "{}{}", run.stdout, run.stderr);
    }
}

/// hashicorp/terraform-cdk-action#150, actions/github-script#266: a comment of more than 65,536 characters is cut or refused. So the verdict comes first, and
/// what is the same for many topics is told once.
#[test]
fn nine_hundred_equal_changes_fit_into_a_comment() {
    let topics: String = (0..900).map(|n| format!("  payments.orders-{n}: {{}}\n")).collect();
    let live =
        |prefix: &str| -> Value { (0..900).map(|n| (format!("{prefix}payments.orders-{n}"), topic(1, json!({})))).collect::<serde_json::Map<_, _>>().into() };
    let topics = format!("defaults: {{config: {{retention.ms: 14d}}}}\ntopics:\n{topics}");
    let setting = Setting::mirrored(topics, live(""), live("primary."));
    let run = setting.workspace().run(&["plan"]);
    // All of more than 50 topics is over limits.changed_percent (30).
    run.exits(4);
    assert!(run.stdout.starts_with("REFUSED"), "{}", run.stdout.lines().next().unwrap_or_default());
    run.shows("900 configure").shows("LM003");
    assert!(run.stdout.len() < 65_536 / 4, "{} characters", run.stdout.len());
}

/// jikkou#118: one operation was counted as another.
#[test]
fn counts_are_those_of_the_operations() {
    let topics = "topics:\n  a: {}\n  b: {}\n  c: {partitions: 2, keys: none}\n  d: {config: {retention.ms: 14d}}\n  e: {config: {retention.ms: 14d}}\n  \
                  f: {config: {retention.ms: 14d}}\n  g: {}\n";
    let live: serde_json::Map<_, _> = ["c", "d", "e", "f", "g"].map(|name| (name.to_owned(), topic(1, json!({})))).into_iter().collect();
    let plan = Setting::of(topics, live.into()).plan(0);
    assert_eq!(
        plan["summary"],
        json!({"create": 2, "grow": 1, "configure": 3, "delete": 0, "refused": 0, "held_back": 0, "predicted": 0, "drift": 0, "unchanged": 1})
    );
}
