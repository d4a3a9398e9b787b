//! Configs told in unusual ways: without defaults, without synonyms, from sources that nobody knows.

use crate::answers::unknown;
use crate::pair::Pair;
use crate::protocol::Kind;
use crate::script::{Rule, Then};
use kafka_protocol::messages::describe_configs_response::DescribeConfigsResult;
use kafka_protocol::protocol::StrBytes;
use serde_json::{Value, json};

/// Number of a topic's own config among sources.
const OWN: i8 = 1;

fn told(change: impl Fn(&mut DescribeConfigsResult) + Send + Sync + 'static) -> Pair {
    Pair::with(vec![Rule::always(Kind::Configs, Then::configs(move |answer| answer.results.iter_mut().for_each(&change)))])
}

fn codes(plan: &Value) -> Vec<&Value> {
    plan["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect()
}

#[test]
fn overrides_alone_are_a_cluster_without_defaults() {
    // `clicks` has no override, so nothing at all is told of it; that `orders` is told without defaults shows that this cluster tells none.
    let run = told(|result| result.configs.retain(|config| config.config_source == OWN)).plan();
    run.exits(0);
    assert_eq!((codes(&run.json()), &run.json()["summary"]["unchanged"]), (vec![&json!("CF008")], &2.into()));
}

#[test]
fn a_topic_of_which_nothing_is_told_where_others_are_told_with_defaults_is_unknown() {
    let pair = told(|result| result.configs.retain(|_| result.resource_name.as_str() != "clicks"));
    let message = unknown(&pair, "primary", "clicks");
    assert!(message.contains("told none of its configs"), "{message}");
}

#[test]
fn synonyms_are_not_needed() {
    let run = told(|result| result.configs.iter_mut().for_each(|config| config.synonyms.clear())).plan();
    run.exits(0);
    assert_eq!((codes(&run.json()), &run.json()["summary"]["unchanged"]), (Vec::new(), &2.into()));
}

#[test]
fn a_default_behind_overrides_only_is_unknown_without_synonyms() {
    let topics = "topics:\n  orders: {partitions: 6, config: {retention.ms: null}}\n";
    let pair = told(|result| {
        result.configs.retain(|config| config.name.as_str() != "retention.ms" || config.config_source == OWN);
        result.configs.iter_mut().for_each(|config| config.synonyms.clear());
    });
    let run = pair.topics(topics).plan();
    run.exits(0);
    let field = run.json()["steps"][0]["fields"][0].clone();
    assert_eq!((&field["attribute"], &field["before"], &field["after"]), (&"config:retention.ms".into(), &"604800000".into(), &Value::Null));
}

#[test]
fn a_source_that_nobody_knows_leaves_the_topic_unknown() {
    let pair = told(|result| {
        let own = result.configs.iter_mut().filter(|config| config.config_source == OWN);
        own.for_each(|config| config.config_source = 99);
    });
    let message = unknown(&pair, "primary", "orders");
    assert!(message.contains("retention.ms") && message.contains("99"), "{message}");
}

/// 0 is Kafka's own word for a source that is not told.
#[test]
fn a_source_that_is_not_told_says_nothing_about_other_topics() {
    // `clicks` is told first, and may have a value of its own.
    let pair = told(|result| {
        let clicks = result.resource_name.as_str() == "clicks";
        let retention = result.configs.iter_mut().filter(|config| clicks && config.name.as_str() == "retention.ms");
        retention.for_each(|config| (config.config_source, config.value) = (0, Some(StrBytes::from_static_str("5"))));
    });
    let run = pair.topics("topics:\n  clicks: {partitions: 3}\n  scratch: {partitions: 1, config: {retention.ms: 7d}}\n").plan();
    let plan = run.json();
    let step = plan["steps"].as_array().unwrap().iter().find(|step| step["topic"] == "scratch");
    let field = step.map_or(&Value::Null, |step| &step["fields"][0]);
    assert_eq!((&field["before_effective"], &field["before_origin"]), (&"86400000".into(), &"STATIC_BROKER_CONFIG".into()), "{plan:#}");
}

#[test]
fn a_value_that_is_kept_secret_is_shown_nowhere() {
    let pair = told(|result| {
        let own = result.configs.iter_mut().filter(|config| config.config_source == OWN);
        own.for_each(|config| (config.is_sensitive, config.value) = (true, Some(StrBytes::from_static_str("canary"))));
    });
    let message = unknown(&pair, "primary", "orders");
    assert!(message.contains("does not tell the value of its override retention.ms"), "{message}");
    let run = pair.plan();
    assert!(!format!("{}{}", run.stdout, run.stderr).contains("canary"));
}

#[test]
fn keys_that_only_a_newer_kafka_has_are_kept_and_not_in_the_way() {
    let run = told(|result| {
        let mut newer = result.configs[0].clone();
        newer.name = StrBytes::from_static_str("newer.key");
        newer.config_source = 5;
        result.configs.push(newer);
    })
    .plan();
    run.exits(0);
    assert_eq!(run.json()["summary"]["unchanged"], 2);
}
