//! A world that changes while it is looked at. What was told twice and differently is unknown; what was told once is taken as told.

use crate::answers::unknown;
use crate::pair::{Pair, TOPICS};
use crate::protocol::Kind;
use crate::script::{Rule, Then};
use crate::world::{delete, put};

const GROWS: &str = "topics:\n  orders: {partitions: 6, config: {retention.ms: 7d}}\n  clicks: {partitions: 4, keys: none}\n";

/// The world changes before the first answer of this kind.
fn before(kind: Kind, change: impl Fn(&mut isotopic::wire::snapshot::Snapshot) + Send + Sync + 'static) -> Rule {
    Rule::first(kind, Then::world(change))
}

#[test]
fn a_topic_that_is_listed_and_then_denied_is_unknown() {
    // It may be new and not known to every broker yet, or be deleted just now: nobody can tell which.
    let message = unknown(&Pair::with(vec![before(Kind::Configs, |world| delete(world, "orders"))]), "primary", "orders");
    assert!(message.contains("created or deleted"), "{message}");
}

#[test]
fn a_copy_that_is_listed_and_then_denied_is_unknown() {
    let message = unknown(&Pair::with_dr(vec![before(Kind::Configs, |world| delete(world, "primary.orders"))]), "dr", "primary.orders");
    assert!(message.contains("created or deleted"), "{message}");
}

#[test]
fn the_topic_that_only_tells_defaults_may_go() {
    let run = Pair::with(vec![before(Kind::Configs, |world| delete(world, "scratch"))]).plan();
    run.exits(0);
    assert_eq!((&run.json()["summary"]["unchanged"], &run.json()["complete"]), (&2.into(), &true.into()));
}

#[test]
fn a_topic_that_appears_after_the_list_is_seen() {
    let pair = Pair::with(vec![before(Kind::NamedTopics, |world| put(world, "refunds", r#"{"partitions": 1, "replication_factor": 1}"#))]);
    let pair = pair.topics(&format!("{TOPICS}  refunds: {{partitions: 1}}\n"));
    let run = pair.plan();
    run.exits(0);
    assert_eq!((&run.json()["summary"]["create"], &run.json()["summary"]["unchanged"]), (&0.into(), &3.into()));
}

#[test]
fn configs_are_those_of_the_moment_when_they_were_asked_for() {
    let changed = r#"{"id": "b3JkZXJzLi4uLi4uLi4uLg", "partitions": 6, "replication_factor": 1, "overrides": {"retention.ms": "1"}}"#;
    let run = Pair::with(vec![before(Kind::Configs, move |world| put(world, "orders", changed))]).plan();
    run.exits(0);
    let step = run.json()["steps"][0].clone();
    assert_eq!((&step["action"], &step["fields"][0]["before"], &step["fields"][0]["after"]), (&"configure".into(), &"1".into(), &"604800000".into()));
}

/// Ids are asked for last, for topics that have steps.
#[test]
fn a_step_is_not_planned_for_a_topic_that_has_gone_or_changed_meanwhile() {
    let gone = before(Kind::NamedTopics, |world| delete(world, "clicks"));
    let grown = before(Kind::NamedTopics, |world| put(world, "clicks", r#"{"partitions": 5, "replication_factor": 1}"#));
    for rule in [gone, grown] {
        let message = unknown(&Pair::with(vec![rule]).topics(GROWS), "primary", "clicks");
        assert!(message.contains("while it was looked at"), "{message}");
    }
}
