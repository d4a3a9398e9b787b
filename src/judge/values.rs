//! Values of declared topics as a whole: out of a version's range, in contradiction to each other, or too few replicas for what writers ask.

use super::World;
use super::copies::flows_of;
use crate::finding::{Code, Finding, Place};
use crate::kafka::config::{self, check, check_in, proven};
use crate::kafka::contradictions::{Effect, InForce, Values, contradictions};
use crate::kafka::name::{ClusterName, ConfigKey, TopicName};
use crate::kafka::version::Versions;
use crate::live::{Configs, Effective, Seen, State};
use crate::spec::Topic;
use std::collections::BTreeMap;

type Overrides = BTreeMap<ConfigKey, String>;

/// The overrides of a topic once what is declared holds. `None` where those that it has are not known.
fn wanted(topic: &Topic, state: &State) -> Option<Overrides> {
    let mut overrides = match state.topic(&topic.name) {
        Seen::Absent => Overrides::new(),
        Seen::Present(live) => match &live.configs {
            Configs::Known(overrides) => overrides.clone(),
            Configs::NotAsked | Configs::Unknown(_) => return None,
        },
        Seen::Unknown(_) => return None,
    };
    for (key, wanted) in &topic.config {
        match &wanted.value {
            Some(value) => overrides.insert(key.clone(), value.clone()),
            None => overrides.remove(key),
        };
    }
    Some(overrides)
}

/// The version that the keys prove which a cluster reports: its own bounds hold then.
pub(super) fn versions(state: &State) -> Versions {
    if state.inherited.is_empty() { Versions::ANY } else { proven(state.inherited.keys().map(ConfigKey::as_str)) }
}

/// CF003 and CF005 for one declared topic.
pub(super) fn findings(topic: &Topic, state: &State, versions: Versions) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (key, wanted) in &topic.config {
        let Some(value) = &wanted.value else { continue };
        // What no version takes is told with the files.
        if check(key.as_str(), value).is_ok()
            && let Err(why) = check_in(key.as_str(), value, versions)
        {
            findings.push(
                Finding::new(Code::Cf003, format!("{} would refuse {key} of {}: {why}", topic.cluster, topic.name))
                    .topic(&topic.cluster, &topic.name)
                    .at(wanted.place)
                    .help("declare a value that the brokers' version takes"),
            );
        }
    }
    if let Some(overrides) = wanted(topic, state) {
        findings.extend(contradicting(topic, state, &overrides));
    }
    findings
}

fn contradicting(topic: &Topic, state: &State, overrides: &Overrides) -> Vec<Finding> {
    let inherited = state.inherited.iter().filter_map(|(key, inherited)| Some((key, inherited.value.as_ref()?, false)));
    let own = overrides.iter().map(|(key, value)| (key, value, true));
    let values: Values<'_> = inherited.chain(own).map(|(key, value, is_own)| (key.as_str(), InForce { value, is_own })).collect();
    // Somebody else's override is told as CF009; here it is about what is declared.
    let declared = |key: &&&'static str| topic.config.contains_key(**key);
    let found = contradictions(&values).into_iter().filter_map(|contradiction| {
        let key = *contradiction.keys.iter().find(declared)?;
        let place = topic.config.get(key).map(|wanted| wanted.place);
        let (what, help) = match contradiction.effect {
            Effect::Refused => ("the brokers refuse this", "change one of the two, or the apply of this topic fails"),
            Effect::Senseless => ("this makes no sense", "change one of the two"),
        };
        Some(
            Finding::new(Code::Cf005, format!("configs of {} contradict each other: {}; {what}", topic.name, contradiction.why))
                .topic(&topic.cluster, &topic.name)
                .at(place)
                .help(help),
        )
    });
    found.collect()
}

/// A topic whose writers need more replicas than it has, or all of them.
struct Strict {
    topic: TopicName,
    replicas: u32,
    insync: u32,
    place: Place,
}

/// RF003, one finding for each cluster, over declared topics and their copies.
pub(super) fn too_few_replicas(world: &World<'_>) -> Vec<Finding> {
    let mut strict: BTreeMap<&ClusterName, Vec<Strict>> = BTreeMap::new();
    let key = ConfigKey::from("min.insync.replicas");
    let number = |effective: Effective<'_>| match effective {
        Effective::Value(value, _) => value.and_then(|value| value.parse::<u32>().ok()),
        Effective::NotReported | Effective::UnknownKey => None,
    };
    for topic in world.workspace.topics.values() {
        let Some(state) = world.state(&topic.cluster) else { continue };
        let replicas = match state.topic(&topic.name) {
            Seen::Present(live) => live.replication.min,
            Seen::Absent | Seen::Unknown(_) => topic.replication_factor.value,
        };
        let place = topic.config.get(&key).map_or(topic.place, |wanted| wanted.place);
        if let Some(insync) = wanted(topic, state).and_then(|overrides| number(state.effective(&overrides, &key)))
            && is_strict(insync, replicas)
        {
            strict.entry(&topic.cluster).or_default().push(Strict { topic: topic.name.clone(), replicas, insync, place });
        }
        for flow in flows_of(world.flows, &topic.cluster, &topic.name) {
            let Some(target) = world.state(&flow.target) else { continue };
            let name = flow.copy_name(&topic.name);
            let Seen::Present(live) = target.topic(&name) else { continue };
            let Configs::Known(overrides) = &live.configs else { continue };
            let declared = topic.copies.get(&flow.target).and_then(|copy| copy.config.get(&key)).and_then(|wanted| wanted.value.as_ref());
            let insync = declared.map_or_else(|| number(target.effective(overrides, &key)), |value| value.parse().ok());
            if let Some(insync) = insync.filter(|insync| is_strict(*insync, live.replication.min)) {
                strict.entry(&flow.target).or_default().push(Strict { topic: name, replicas: live.replication.min, insync, place: topic.place });
            }
        }
    }
    strict.into_iter().map(|(cluster, topics)| strict_finding(cluster, &topics)).collect()
}

fn is_strict(insync: u32, replicas: u32) -> bool {
    insync > replicas || (insync == replicas && replicas >= 2)
}

fn strict_finding(cluster: &ClusterName, topics: &[Strict]) -> Finding {
    const SHOWN: usize = 3;
    let listed: Vec<_> = topics.iter().take(SHOWN).map(|strict| format!("{} ({} of {})", strict.topic, strict.insync, strict.replicas)).collect();
    let more = match topics.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = if topics.len() == 1 { "1 topic".to_owned() } else { format!("{} topics", topics.len()) };
    let message = format!(
        "on {cluster} writers with acks=all need every replica, or more than there are, of {count}: {}{more}; one broker down stops them",
        listed.join(", ")
    );
    Finding::new(Code::Rf003, message)
        .cluster(cluster)
        .at(topics.first().map(|strict| strict.place))
        .help("set min.insync.replicas below the replication factor, or raise the replication factor")
}

/// Whether a copy with this value in force fails those who rely on it, where its source has the other: the code that says so.
pub(super) fn consequence(key: &ConfigKey, source: &str, copy: &str) -> Option<Code> {
    let number = |text: &str| text.parse::<i64>().ok().map(|number| if number == -1 { i64::MAX } else { number });
    let less = || matches!((number(source), number(copy)), (Some(source), Some(copy)) if copy < source);
    match key.as_str() {
        "retention.ms" | "retention.bytes" if less() => Some(Code::Cf006),
        "max.message.bytes" if less() => Some(Code::Cf007),
        "cleanup.policy" if !config::kind("cleanup.policy").equal(source, copy) => Some(Code::Cf011),
        _ => None,
    }
}
