//! Answers in good form that do not tell what was asked: what is not told is unknown, never absent and never in step.

use crate::pair::{DR, PRIMARY, Pair, TOPICS, cluster, workspace};
use crate::protocol::{Kind, TOPIC_AUTHORIZATION_FAILED, UNKNOWN_TOPIC_OR_PARTITION, failed};
use crate::runner::Workspace;
use crate::script::{Rule, Then};
use crate::server::Front;
use crate::world::world;
use kafka_protocol::messages::metadata_response::MetadataResponseTopic;
use kafka_protocol::messages::{DescribeConfigsResponse, MetadataResponse};
use kafka_protocol::protocol::StrBytes;
use serde_json::Value;

/// A code that this librdkafka has no name for.
const NEWER: i16 = 999;

fn topic<'a>(answer: &'a mut MetadataResponse, name: &str) -> Option<&'a mut MetadataResponseTopic> {
    answer.topics.iter_mut().find(|topic| topic.name.as_ref().is_some_and(|held| held.0.as_str() == name))
}

/// In answers to this kind of request, the topic has this error.
fn fails(kind: Kind, name: &'static str, code: i16) -> Rule {
    let change = move |answer: &mut MetadataResponse| {
        if let Some(topic) = topic(answer, name) {
            *topic = failed(name, code);
        }
    };
    Rule::always(kind, Then::metadata(change))
}

/// Answers to this kind of request leave the topic out.
fn leaves_out(kind: Kind, name: &'static str) -> Rule {
    Rule::always(kind, Then::metadata(move |answer| answer.topics.retain(|topic| topic.name.as_ref().is_none_or(|held| held.0.as_str() != name))))
}

fn configs_fail(name: &'static str, code: i16, text: Option<&'static str>) -> Rule {
    let change = move |answer: &mut DescribeConfigsResponse| {
        for result in answer.results.iter_mut().filter(|result| result.resource_name.as_str() == name) {
            result.error_code = code;
            result.error_message = text.map(StrBytes::from_static_str);
            result.configs.clear();
        }
    };
    Rule::always(Kind::Configs, Then::configs(change))
}

/// The run has no verdict on this topic of this cluster, says so in one sentence, which this gives, and says nothing else of it. The other topic is in step.
#[track_caller]
pub(crate) fn unknown(pair: &Pair, cluster: &str, name: &str) -> String {
    let run = pair.plan();
    run.exits(7);
    let plan = run.json();
    let of =
        |list: &str| plan[list].as_array().unwrap().iter().filter(|one| one["cluster"] == cluster && one["topic"] == name).cloned().collect::<Vec<Value>>();
    assert_eq!((of("steps"), of("predictions")), (Vec::new(), Vec::new()), "{plan:#}");
    assert!(of("drift").iter().all(|drift| drift["class"] == "unknown"), "{plan:#}");
    let found: Vec<_> = [of("refusals"), of("diagnostics")].concat();
    assert_eq!(found.len(), 1, "{plan:#}");
    assert_eq!(found[0]["code"], "EN005");
    assert_eq!(plan["complete"], false);
    assert_eq!(plan["steps"], Value::Array(Vec::new()));
    found[0]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_listed_topic_with_an_error_is_unknown() {
    for (code, says) in [(TOPIC_AUTHORIZATION_FAILED, "TOPIC_AUTHORIZATION_FAILED"), (5, "LEADER_NOT_AVAILABLE"), (NEWER, "999"), (-1, "UNKNOWN")] {
        let message = unknown(&Pair::with(vec![fails(Kind::AllTopics, "orders", code)]), "primary", "orders");
        assert!(message.contains(says), "{code}: {message}");
    }
}

#[test]
fn a_topic_that_the_list_calls_unknown_is_asked_for_by_name() {
    let pair = Pair::with(vec![fails(Kind::AllTopics, "orders", UNKNOWN_TOPIC_OR_PARTITION)]);
    let run = pair.plan();
    run.exits(0);
    assert_eq!(run.json()["summary"]["unchanged"], 2);
    assert_eq!(pair.primary.requests(Kind::NamedTopics), 1);
}

#[test]
fn a_topic_that_the_list_leaves_out_is_asked_for_by_name() {
    let run = Pair::with(vec![leaves_out(Kind::AllTopics, "orders")]).plan();
    run.exits(0);
    assert_eq!(run.json()["summary"]["unchanged"], 2);
}

#[test]
fn a_topic_that_is_not_told_by_name_either_is_unknown() {
    let listed = || leaves_out(Kind::AllTopics, "orders");
    for (rule, says) in [
        (leaves_out(Kind::NamedTopics, "orders"), "did not answer for it"),
        (fails(Kind::NamedTopics, "orders", TOPIC_AUTHORIZATION_FAILED), "TOPIC_AUTHORIZATION_FAILED"),
        (fails(Kind::NamedTopics, "orders", NEWER), "999"),
        (fails(Kind::NamedTopics, "orders", 5), "LEADER_NOT_AVAILABLE"),
    ] {
        let message = unknown(&Pair::with(vec![listed(), rule]), "primary", "orders");
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn configs_that_are_not_told_are_unknown() {
    let left_out = || Rule::always(Kind::Configs, Then::configs(|answer| answer.results.retain(|result| result.resource_name.as_str() != "orders")));
    let none = || {
        let clear = |answer: &mut DescribeConfigsResponse| answer.results.iter_mut().for_each(|result| result.configs.clear());
        Rule::always(Kind::Configs, Then::configs(clear))
    };
    for (rule, says) in [
        (configs_fail("orders", TOPIC_AUTHORIZATION_FAILED, None), "TOPIC_AUTHORIZATION_FAILED"),
        (configs_fail("orders", NEWER, Some("the newest trouble")), "999"),
        (configs_fail("orders", NEWER, Some("the newest trouble")), "the newest trouble"),
        (configs_fail("orders", NEWER, None), "999"),
        (left_out(), "did not answer for its configs"),
    ] {
        let message = unknown(&Pair::with(vec![rule]), "primary", "orders");
        assert!(message.contains(says), "{message}");
    }
    let run = Pair::with(vec![none()]).plan();
    run.exits(7);
    assert_eq!(run.json()["coverage"]["compared"], 2, "what is known of their partitions still holds");
}

#[test]
fn what_is_not_told_of_a_copy_is_unknown() {
    for (rules, says) in [
        (vec![fails(Kind::AllTopics, "primary.orders", NEWER)], "999"),
        (vec![leaves_out(Kind::AllTopics, "primary.orders"), leaves_out(Kind::NamedTopics, "primary.orders")], "did not answer for it"),
        (vec![configs_fail("primary.orders", TOPIC_AUTHORIZATION_FAILED, None)], "TOPIC_AUTHORIZATION_FAILED"),
    ] {
        let message = unknown(&Pair::with_dr(rules), "dr", "primary.orders");
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn a_topic_whose_partitions_are_not_all_told_is_unknown() {
    let changes: [fn(&mut MetadataResponseTopic); 4] = [
        |topic| topic.partitions.clear(),
        |topic| drop(topic.partitions.remove(2)),
        |topic| topic.partitions[2].replica_nodes.clear(),
        |topic| topic.partitions[2].partition_index = 3,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let rule = Rule::always(Kind::AllTopics, Then::metadata(move |answer| change(topic(answer, "orders").unwrap())));
        let message = unknown(&Pair::with(vec![rule]), "primary", "orders");
        assert!(message.contains("partitions"), "{number}: {message}");
    }
}

#[test]
fn partitions_in_trouble_are_counted_all_the_same() {
    let trouble = |answer: &mut MetadataResponse| {
        let topic = topic(answer, "orders").unwrap();
        topic.partitions.reverse();
        topic.partitions[1].error_code = 5;
        topic.partitions[1].leader_id = (-1).into();
        topic.partitions[2].error_code = NEWER;
        topic.partitions[3].isr_nodes.clear();
    };
    let run = Pair::with(vec![Rule::always(Kind::AllTopics, Then::metadata(trouble))]).plan();
    run.exits(0);
    assert_eq!(run.json()["summary"]["unchanged"], 2);
}

#[test]
fn a_topic_that_nobody_asked_for_does_not_count() {
    for code in [TOPIC_AUTHORIZATION_FAILED, NEWER] {
        let run = Pair::with(vec![fails(Kind::AllTopics, "scratch", code)]).plan();
        run.exits(0);
        assert_eq!((&run.json()["summary"]["unchanged"], &run.json()["complete"]), (&2.into(), &true.into()));
    }
}

#[test]
fn an_answer_for_another_topic_leaves_the_cluster_unread() {
    let stranger = |answer: &mut DescribeConfigsResponse| answer.results[0].resource_name = StrBytes::from_static_str("stranger");
    let run = Pair::with(vec![Rule::always(Kind::Configs, Then::configs(stranger))]).plan();
    run.exits(7);
    let plan = run.json();
    assert_eq!(plan["coverage"]["clusters_failed"], serde_json::json!(["primary"]));
    assert_eq!(plan["steps"], Value::Array(Vec::new()));
}

#[test]
fn a_cluster_without_brokers_and_topics_is_none_that_can_be_planned() {
    let empty = |answer: &mut MetadataResponse| {
        answer.brokers.clear();
        answer.topics.clear();
    };
    let rules = [Kind::Brokers, Kind::AllTopics, Kind::NamedTopics].map(|kind| Rule::always(kind, Then::metadata(empty)));
    let run = Pair::with(rules.into()).plan_within(6);
    run.exits(7);
    let plan = run.json();
    assert_eq!((&plan["steps"], &plan["applyable"]), (&Value::Array(Vec::new()), &false.into()));
    let found = &plan["diagnostics"][0];
    // librdkafka keeps such an answer to itself, and asks again.
    assert_eq!(found["code"], "EN001");
    assert!(found["message"].as_str().unwrap().contains("did not answer within 6s"), "{found}");
}

#[test]
fn a_cluster_without_topics_wants_them_all() {
    let end = PRIMARY.find("\"topics\"").unwrap();
    let bare = format!("{}\"topics\": {{}}}}", &PRIMARY[..end]);
    let run = Pair::of(Front::of(world(&bare)), Front::of(world(DR))).plan();
    run.exits(0);
    assert_eq!(run.json()["summary"]["create"], 2);
}

fn with_id(json: &str, id: &str) -> String {
    let ids = ["\"4L6g3nShT-eMCtK--X86sw\"", "\"drdrdrdrdrdrdrdrdrdrdA\""];
    ids.iter().fold(json.to_owned(), |json, old| json.replace(old, id))
}

#[test]
fn clusters_with_equal_or_no_ids_are_told_apart_by_their_addresses() {
    for id in ["null", "\"\"", "\"same\"", "\"AAAAAAAAAAAAAAAAAAAAAA\""] {
        let run = Pair::of(Front::of(world(&with_id(PRIMARY, id))), Front::of(world(&with_id(DR, id)))).plan();
        run.exits(0);
        assert_eq!(run.json()["summary"]["unchanged"], 2, "{id}");
    }
}

#[test]
fn a_pinned_id_is_not_met_by_none() {
    for (id, says) in [("null", "reports no id"), ("\"\"", "reports no id"), ("\"other\"", "has the id other")] {
        let front = Front::of(world(&with_id(PRIMARY, id)));
        let dr = Front::of(world(DR));
        let pinned = format!("{{bootstrap: \"{}\", id: 4L6g3nShT-eMCtK--X86sw}}", front.address());
        let files = Workspace::of([("isotopic.yaml", workspace(&pinned, &cluster(&dr)).as_str()), ("topics/a.yaml", TOPICS)]);
        let run = files.run(&["plan", "--format", "json"]);
        run.exits(4);
        let refusal = &run.json()["refusals"][0];
        assert_eq!(refusal["code"], "EN003");
        assert!(refusal["message"].as_str().unwrap().contains(says), "{refusal}");
        assert_eq!((front.requests(Kind::AllTopics), dr.requests(Kind::AllTopics)), (0, 0));
    }
}
