//! Declared topics against the cluster they are declared on: what git owns becomes a step or a refusal.

use super::{Verdict, World, acknowledge, fingerprint, offline};
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
    let unreadable = |why: &str| {
        Finding::new(Code::En005, format!("{} on {} could not be read: {why}; nothing is said or done about it", topic.name, topic.cluster))
            .topic(&topic.cluster, &topic.name)
            .at(topic.place)
            .withholding()
            .help("give the principal Describe and DescribeConfigs on the topic")
    };
    match state.topic(&topic.name) {
        Seen::Unknown(why) => verdict.findings.push(unreadable(why)),
        Seen::Absent => create(world, topic, state, collisions, &mut verdict),
        Seen::Present(live) => {
            partitions(world, topic, live, &mut verdict);
            replication(topic, live, &mut verdict);
            match &live.configs {
                Configs::Known(overrides) => configs(world, topic, state, live.id.as_deref(), overrides, &mut verdict),
                Configs::Unknown(why) => verdict.findings.push(unreadable(why)),
                Configs::NotAsked => verdict.findings.push(unreadable("its configs were not asked for")),
            }
        }
    }
    verdict.findings.extend(unknown_keys(topic, state));
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
        acknowledged_by: None,
        reversible: action == Action::Configure,
        owner: topic.owner.clone(),
        place: topic.place,
    };
    step.id = fingerprint::of_step(&step, world.clusters.iter().find(|cluster| cluster.name == topic.cluster));
    step
}

fn create(world: &World<'_>, topic: &Topic, state: &State, collisions: &Collisions<'_>, verdict: &mut Verdict) {
    if let Some(other) = collisions.0.get(&(&topic.cluster, collision_form(topic.name.as_str()))) {
        verdict.findings.push(offline::collision(topic, other));
    }
    let replicas = topic.replication_factor.value;
    let brokers = state.brokers.len();
    if brokers > 0 && usize::try_from(replicas).is_ok_and(|replicas| replicas > brokers) {
        verdict.findings.push(
            Finding::new(
                Code::Rf001,
                format!("{} needs {replicas} brokers for its replicas, and {} has {brokers}: Kafka would refuse to create it", topic.name, topic.cluster),
            )
            .topic(&topic.cluster, &topic.name)
            .at(topic.replication_factor.place)
            .help(format!("declare a replication_factor of at most {brokers}")),
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
    verdict.findings.extend(topic.partition_increase.as_ref().map(|given| acknowledge::leftover(topic, given, 0)));
    verdict.acknowledgement = acknowledge::seen(topic, false);
}

fn partitions(world: &World<'_>, topic: &Topic, live: &crate::live::Topic, verdict: &mut Verdict) {
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
                .help(format!("keep {from}, or make a new topic with {to}")),
            );
        }
        verdict.findings.extend(topic.partition_increase.as_ref().map(|given| acknowledge::leftover(topic, given, from)));
        verdict.acknowledgement = acknowledge::seen(topic, false);
        return;
    }
    let outcome = acknowledge::growth(topic, from, to, world.today);
    let field = Field {
        attribute: Attribute::Partitions,
        before: Before { own: Some(Value::Count(from)), effective: None, origin: None },
        after: Some(Value::Count(to)),
        place: Some(topic.partitions.place),
        profile: None,
    };
    let mut step = step(world, topic, live.id.as_deref(), Action::Grow, Reason::Differs, vec![field]);
    verdict.acknowledgement = acknowledge::seen(topic, outcome.reason.is_some());
    step.acknowledged_by = outcome.reason;
    verdict.findings.extend(outcome.finding);
    verdict.steps.push(step);
}

fn replication(topic: &Topic, live: &crate::live::Topic, verdict: &mut Verdict) {
    let wanted = topic.replication_factor.value;
    let (min, max) = (live.replication.min, live.replication.max);
    if (min, max) == (wanted, wanted) {
        return;
    }
    let (has, help) = if min == max {
        (format!("has {min} replicas"), format!("reassign its partitions with kafka-reassign-partitions, or declare {min}"))
    } else {
        (format!("has partitions with {min} to {max} replicas, as while a reassignment runs"), "look again once the reassignment has ended".to_owned())
    };
    verdict.findings.push(
        Finding::new(
            Code::Rf002,
            format!("{} {has} on {} and {wanted} are declared: only a reassignment changes that, which is never a step", topic.name, topic.cluster),
        )
        .topic(&topic.cluster, &topic.name)
        .at(topic.replication_factor.place)
        .help(help),
    );
}

fn configs(world: &World<'_>, topic: &Topic, state: &State, id: Option<&str>, overrides: &BTreeMap<ConfigKey, String>, verdict: &mut Verdict) {
    let mut fields = Vec::new();
    for (key, wanted) in &topic.config {
        let kind = config::kind(key.as_str());
        match (&wanted.value, overrides.get(key)) {
            (None, None) => {}
            (Some(value), Some(live)) if kind.equal(value, live) => {}
            (Some(_) | None, Some(_)) | (Some(_), None) => fields.push(field(key, wanted, state.effective(overrides, key), wanted.value.as_ref())),
        }
    }
    for (key, value) in overrides {
        if !topic.config.contains_key(key) {
            verdict.drift.push(undeclared(world, topic, state, key, value));
        }
    }
    if !fields.is_empty() {
        let reason = if fields.iter().all(Field::is_pin) { Reason::Pin } else { Reason::Differs };
        verdict.steps.push(step(world, topic, id, Action::Configure, reason, fields));
    }
}

fn field(key: &ConfigKey, wanted: &Wanted, live: Effective<'_>, after: Option<&String>) -> Field {
    let text = |value: &str| Some(Value::Text(value.to_owned()));
    let after = after.and_then(|value| text(value));
    let before = match live {
        Effective::Value(Some(value), Origin::Topic) => Before { own: text(value), effective: None, origin: Some(Origin::Topic) },
        Effective::Value(value, origin) => {
            // A declared value that only spells the inherited one differently is still a pin.
            let equal = |value: &str| matches!(&after, Some(Value::Text(after)) if config::kind(key.as_str()).equal(value, after));
            let effective = value.and_then(|value| if equal(value) { after.clone() } else { text(value) });
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
            Some(expected) => format!("somebody set {shown} by hand where {expected} is inherited, and git does not know it"),
            None => format!("somebody set {shown} by hand, and git does not know it"),
        },
        remedy: format!("keep it: declare {key}: {value} | undo it: declare {key}: null"),
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
                format!("{} does not know the config {key}, which {} declares: it would refuse the whole change", topic.cluster, topic.name),
            )
            .topic(&topic.cluster, &topic.name)
            .at(wanted.key_place)
            .help("take the key out, or upgrade the brokers to a version that has it")
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
                        "{} reports no default values, so whether a declared value changes anything is unknown where there is no override ({keys})",
                        cluster.name
                    ),
                )
                .cluster(&cluster.name)
                .help("nothing to do; such values are planned as if they differed"),
            );
        }
    }
    findings
}
