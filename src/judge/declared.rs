//! Declared topics against the cluster they are declared on: what git owns becomes a step or a refusal.

use super::acknowledge::{self, Ledger};
use super::{Verdict, World, fingerprint, offline};
use crate::finding::{Code, Finding};
use crate::kafka::config;
use crate::kafka::name::{ClusterName, ConfigKey, TopicName, collision_form};
use crate::kafka::origin::Origin;
use crate::live::{Cluster, Configs, Effective, Seen, State};
use crate::plan::{Action, Attribute, Before, ChangeOrigin, Class, Drift, Field, Owner, Reason, Step, Value};
use crate::spec::{Topic, Wanted};
use std::collections::{BTreeMap, BTreeSet};

/// The wave of DESIGN section 7 in which topics of a source are written.
const SOURCE_WAVE: u8 = 3;

/// Live topics by the form under which Kafka compares names, on the clusters where a topic has to be created.
#[derive(Debug)]
pub(super) struct Collisions<'a>(BTreeMap<(&'a ClusterName, String), &'a TopicName>);

impl<'a> Collisions<'a> {
    pub(super) fn of(world: &World<'a>) -> Self {
        let creating = |cluster: &&Cluster, state: &State| {
            world.workspace.topics.keys().any(|(on, topic)| *on == cluster.name && matches!(state.topic(topic), Seen::Absent))
        };
        let mut forms = BTreeMap::new();
        for cluster in world.clusters {
            let Ok(state) = &cluster.state else { continue };
            if creating(&cluster, state) {
                forms.extend(state.topics.keys().map(|topic| ((&cluster.name, collision_form(topic.as_str())), topic)));
            }
        }
        Self(forms)
    }
}

/// Judges one declared topic, not yet its copies.
pub(super) fn judge(world: &World<'_>, topic: &Topic, state: &State, collisions: &Collisions<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let mut ledger = Ledger::of(world, topic);
    let unreadable = |why: &str| {
        Finding::new(Code::En005, format!("{} on {} could not be read ({why}), so it is neither compared nor changed", topic.name, topic.cluster))
            .topic(&topic.cluster, &topic.name)
            .at(topic.place)
            .withholding()
            .help("allow Describe and DescribeConfigs on the topic to the user that isotopic logs in as")
    };
    match state.topic(&topic.name) {
        Seen::Unknown(why) => verdict.findings.push(unreadable(why)),
        Seen::Absent => create(world, topic, state, collisions, &mut verdict),
        Seen::Present(live) => {
            partitions(world, topic, live, &mut ledger, &mut verdict);
            replication(topic, live, &mut verdict);
            match &live.configs {
                Configs::Known(overrides) => configs(world, topic, state, live.id.as_deref(), overrides, &mut ledger, &mut verdict),
                Configs::Unknown(why) => verdict.findings.push(unreadable(why)),
                Configs::NotAsked => verdict.findings.push(unreadable("its configs were not asked for")),
            }
        }
    }
    verdict.findings.extend(unknown_keys(topic, state));
    if !matches!(state.topic(&topic.name), Seen::Unknown(_)) {
        verdict.findings.extend(ledger.leftovers(matches!(state.topic(&topic.name), Seen::Present(_))));
    }
    verdict.acknowledgements = ledger.seen();
    verdict.used_of_profiles = ledger.used_of_profiles;
    verdict
}

fn step(world: &World<'_>, topic: &Topic, id: Option<&str>, action: Action, reason: Reason, mut fields: Vec<Field>) -> Step {
    fields.sort_by(|a, b| a.attribute.cmp(&b.attribute));
    let mut step = Step {
        id: String::new(),
        cluster: topic.cluster.clone(),
        topic: topic.name.clone(),
        topic_id: id.map(str::to_owned),
        action,
        reason,
        origin: ChangeOrigin::Unknown,
        fields,
        wave: SOURCE_WAVE,
        depends_on: Vec::new(),
        acknowledged_by: None,
        reversible: action == Action::Configure,
        owner: topic.owner.clone(),
        place: topic.place,
    };
    step.id = fingerprint::of_step(&step, world.clusters.iter().find(|cluster| cluster.name == topic.cluster));
    step
}

fn create(world: &World<'_>, topic: &Topic, state: &State, collisions: &Collisions<'_>, verdict: &mut Verdict) {
    // Two declared names are told with the files.
    let is_declared = |other: &TopicName| world.workspace.topics.contains_key(&(topic.cluster.clone(), other.clone()));
    if let Some(other) = collisions.0.get(&(&topic.cluster, collision_form(topic.name.as_str()))).filter(|other| !is_declared(other)) {
        verdict.findings.push(offline::collision(topic, other));
    }
    let replicas = topic.replication_factor.value;
    let brokers = state.brokers.len();
    if brokers > 0 && usize::try_from(replicas).is_ok_and(|replicas| replicas > brokers) {
        verdict.findings.push(
            Finding::new(
                Code::Rf001,
                format!(
                    "{} needs {replicas} brokers, one for each replica, and {} has {brokers}, so Kafka would refuse to create it",
                    topic.name, topic.cluster
                ),
            )
            .topic(&topic.cluster, &topic.name)
            .at(topic.replication_factor.place)
            .help(format!("declare `replication_factor` {brokers} or less, or add brokers")),
        );
    }
    let count = |attribute, value, place| Field {
        attribute,
        before: Before { own: None, effective: None, origin: None },
        after: Some(Value::Count(value)),
        place: Some(place),
        profile: None,
    };
    let mut fields = vec![
        count(Attribute::Partitions, topic.partitions.value, topic.partitions.place),
        count(Attribute::ReplicationFactor, replicas, topic.replication_factor.place),
    ];
    fields.extend(topic.config.iter().filter_map(|(key, wanted)| {
        let value = wanted.value.as_ref()?;
        Some(field(key, wanted, state.inherited(key), Some(value)))
    }));
    verdict.steps.push(step(world, topic, None, Action::Create, Reason::Absent, fields));
}

fn partitions(world: &World<'_>, topic: &Topic, live: &crate::live::Topic, ledger: &mut Ledger<'_>, verdict: &mut Verdict) {
    let (from, to) = (live.partitions, topic.partitions.value);
    if to <= from {
        if to < from {
            verdict.findings.push(
                Finding::new(
                    Code::Pt001,
                    format!("{} has {from} partitions on {} and {to} are declared: Kafka cannot shrink a topic", topic.name, topic.cluster),
                )
                .topic(&topic.cluster, &topic.name)
                .at(topic.partitions.place)
                .help(format!("declare {from}, or create a new topic with {to} and move the records")),
            );
        }
        return;
    }
    let settled = acknowledge::growth(topic, from, to).map(|needed| ledger.settle(&needed));
    let field = Field {
        attribute: Attribute::Partitions,
        before: Before { own: Some(Value::Count(from)), effective: None, origin: None },
        after: Some(Value::Count(to)),
        place: Some(topic.partitions.place),
        profile: None,
    };
    let mut step = step(world, topic, live.id.as_deref(), Action::Grow, Reason::Differs, vec![field]);
    match settled {
        Some(Ok(reason)) => step.acknowledged_by = Some(reason),
        Some(Err(finding)) => verdict.findings.push(*finding),
        None => {}
    }
    verdict.steps.push(step);
}

fn replication(topic: &Topic, live: &crate::live::Topic, verdict: &mut Verdict) {
    let wanted = topic.replication_factor.value;
    let (min, max) = (live.replication.min, live.replication.max);
    if (min, max) == (wanted, wanted) {
        return;
    }
    let (has, help) = if min == max {
        (format!("has {min} replicas"), format!("reassign its partitions with kafka-reassign-partitions.sh, or declare {min}"))
    } else {
        (format!("has partitions with {min} to {max} replicas, as while a reassignment runs"), "run again once the reassignment has ended".to_owned())
    };
    verdict.findings.push(
        Finding::new(
            Code::Rf002,
            format!("{} {has} on {} and {wanted} are declared, and only a reassignment changes that, which isotopic never starts", topic.name, topic.cluster),
        )
        .topic(&topic.cluster, &topic.name)
        .at(topic.replication_factor.place)
        .help(help),
    );
}

fn configs(
    world: &World<'_>,
    topic: &Topic,
    state: &State,
    id: Option<&str>,
    overrides: &BTreeMap<ConfigKey, String>,
    ledger: &mut Ledger<'_>,
    verdict: &mut Verdict,
) {
    let (mut fields, mut reasons) = (Vec::new(), Vec::new());
    for (key, wanted) in &topic.config {
        let kind = config::kind(key.as_str());
        match (&wanted.value, overrides.get(key)) {
            (None, None) => {}
            (Some(value), Some(live)) if kind.equal(value, live) => {}
            (Some(_) | None, Some(_)) | (Some(_), None) => {
                fields.push(field(key, wanted, state.effective(overrides, key), wanted.value.as_ref()));
                match acknowledged(state, overrides, key, wanted).map(|needed| ledger.settle(&needed)) {
                    Some(Ok(reason)) => reasons.push(reason),
                    Some(Err(finding)) => verdict.findings.push(*finding),
                    None => {}
                }
            }
        }
    }
    for (key, value) in overrides {
        if !topic.config.contains_key(key) {
            verdict.drift.push(undeclared(world, topic, state, key, value));
        }
    }
    if !fields.is_empty() {
        let reason = if fields.iter().all(Field::is_pin) { Reason::Pin } else { Reason::Differs };
        reasons.dedup();
        let acknowledged_by = (!reasons.is_empty()).then(|| reasons.join("; "));
        verdict.steps.push(Step { acknowledged_by, ..step(world, topic, id, Action::Configure, reason, fields) });
    }
}

/// What a change of a config's value in force needs. Where one of the two values is not known, nobody could acknowledge it.
fn acknowledged(state: &State, overrides: &BTreeMap<ConfigKey, String>, key: &ConfigKey, wanted: &Wanted) -> Option<acknowledge::Needed> {
    let known = |effective| match effective {
        Effective::Value(value, _) => value,
        Effective::NotReported | Effective::UnknownKey => None,
    };
    let from = known(state.effective(overrides, key))?;
    let to = wanted.value.as_deref().or_else(|| known(state.inherited(key)))?;
    acknowledge::config(key, from, to, wanted.place)
}

pub(super) fn field(key: &ConfigKey, wanted: &Wanted, live: Effective<'_>, after: Option<&String>) -> Field {
    let text = |value: &str| Some(Value::Text(value.to_owned()));
    let after = after.and_then(|value| text(value));
    let before = match live {
        Effective::Value(Some(value), Origin::Topic) => Before { own: text(value), effective: None, origin: Some(Origin::Topic) },
        Effective::Value(value, origin) => {
            let effective = value.and_then(text);
            Before { own: None, effective, origin: Some(origin) }
        }
        Effective::NotReported | Effective::UnknownKey => Before { own: None, effective: None, origin: Some(Origin::Unknown) },
    };
    Field { attribute: Attribute::Config(key.clone()), before, after, place: Some(wanted.place), profile: wanted.profile.clone() }
}

fn undeclared(world: &World<'_>, topic: &Topic, state: &State, key: &ConfigKey, value: &str) -> Drift {
    let shown = config::kind(key.as_str()).human(value);
    let expected = match state.inherited(key) {
        Effective::Value(value, _) => value.map(|value| config::kind(key.as_str()).human(value)),
        Effective::NotReported | Effective::UnknownKey => None,
    };
    Drift {
        class: Class::Manual,
        code: Some(Code::Cf009),
        cluster: topic.cluster.clone(),
        topic: topic.name.clone(),
        attribute: Attribute::Config(key.clone()),
        expected: None,
        actual: Some(Value::Text(value.to_owned())),
        severity: world.workspace.rules.severity(Code::Cf009),
        consequence: match expected {
            Some(expected) => format!("somebody set {shown} by hand instead of the inherited {expected}, and git does not know"),
            None => format!("somebody set {shown} by hand, and git does not know"),
        },
        remedy: format!("to keep it, declare {key}: {value}; to undo it, declare {key}: null"),
        attribute_owner: Owner::Nobody,
        owner: topic.owner.clone(),
        due_seconds: None,
        place: Some(topic.place),
    }
}

/// CF002 for declared keys that the cluster, which reports others, does not report.
fn unknown_keys(topic: &Topic, state: &State) -> Vec<Finding> {
    let overrides = match state.topic(&topic.name) {
        Seen::Present(live) => match &live.configs {
            Configs::Known(overrides) => Some(overrides),
            Configs::NotAsked | Configs::Unknown(_) => None,
        },
        Seen::Absent | Seen::Unknown(_) => None,
    };
    let unknown = |key: &ConfigKey| state.inherited(key) == Effective::UnknownKey && !overrides.is_some_and(|overrides| overrides.contains_key(key));
    topic
        .config
        .iter()
        .filter(|(key, _)| unknown(key))
        .map(|(key, wanted)| {
            Finding::new(
                Code::Cf002,
                format!("{} does not know the config {key}, which {} declares, so it would refuse the whole change", topic.cluster, topic.name),
            )
            .topic(&topic.cluster, &topic.name)
            .at(wanted.key_place)
            .help("remove the config, or upgrade the brokers to a version that has it")
        })
        .collect()
}

/// CF008, once for each cluster that reports topics but no defaults: pins cannot be told from changes there.
pub(super) fn defaults_not_reported(world: &World<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for cluster in world.clusters {
        let Ok(state) = &cluster.state else { continue };
        let described = state.topics.values().any(|topic| matches!(topic.configs, Configs::Known(_)));
        let declared: BTreeSet<_> =
            world.workspace.topics.iter().filter(|((on, _), _)| *on == cluster.name).flat_map(|(_, topic)| topic.config.keys()).collect();
        if described && state.inherited.is_empty() && !declared.is_empty() {
            let keys = declared.into_iter().map(ConfigKey::as_str).collect::<Vec<_>>().join(", ");
            findings.push(
                Finding::new(
                    Code::Cf008,
                    format!(
                        "{} does not report its defaults, so without an override nobody knows whether a declared value changes anything ({keys})",
                        cluster.name
                    ),
                )
                .cluster(&cluster.name)
                .help("nothing to do; such values are planned as changes"),
            );
        }
    }
    findings
}
