//! Thousands of topics: requests grow with hundreds of topics, and not with topics.

use crate::pair::Pair;
use crate::server::Front;
use crate::world::world;
use std::fmt::Write;

const TOPICS: usize = 2_000;

fn cluster(id: &str, prefix: &str) -> String {
    let topics: Vec<_> = (0..TOPICS)
        .map(|number| format!(r#""{prefix}many.{number:04}": {{"partitions": 3, "replication_factor": 1, "overrides": {{"retention.ms": "3600000"}}}}"#))
        .collect();
    format!(
        r#"{{"format_version": "1.0", "kind": "simulated", "cluster_id": "{id}", "brokers": [{{"id": 1}}],
"defaults": {{"retention.ms": {{"value": "86400000", "origin": "DEFAULT_CONFIG"}}, "cleanup.policy": {{"value": "delete", "origin": "DEFAULT_CONFIG"}}}},
"topics": {{{}}}}}"#,
        topics.join(",\n")
    )
}

#[test]
fn two_thousand_topics_on_each_of_two_clusters() {
    let pair = Pair::of(Front::of(world(&cluster("primary", ""))), Front::of(world(&cluster("dr", "primary."))));
    let declared = (0..TOPICS).fold("topics:\n".to_owned(), |mut text, number| {
        // Every tenth one has to change.
        let hours = if number % 10 == 0 { 2 } else { 1 };
        writeln!(text, "  many.{number:04}: {{partitions: 3, config: {{retention.ms: {hours}h}}}}").unwrap();
        text
    });
    let pair = pair.topics(&declared);
    let run = pair.plan();
    run.exits(0);
    let plan = run.json();
    assert_eq!((&plan["summary"]["configure"], &plan["summary"]["unchanged"]), (&200.into(), &1800.into()));
    for front in [&pair.primary, &pair.dr] {
        let requests = front.all_requests();
        assert!((20..=20 + 10).contains(&requests), "{requests} requests");
    }
}
