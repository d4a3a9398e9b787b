//! Copies: what MirrorMaker owns becomes a prediction or a drift, never a step.

use super::{Verdict, World, own_copies, values};
use crate::finding::{Code, Finding, Severity};
use crate::kafka::config;
use crate::kafka::name::{self, ClusterName, ConfigKey, TopicName, collision_form};
use crate::kafka::origin::Origin;
use crate::kafka::rules::kept_share;
use crate::live::{self, Configs, Effective, Seen, State};
use crate::mirror::flow::Flow;
use crate::mirror::model::{Kept, Sync, is_excluded, sync};
use crate::mirror::select::{Selection, selection};
use crate::plan::{Attribute, Class, Drift, Owner, Prediction, Value, Verdict as Outlook};
use crate::spec::{Keys, Topic};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

type Overrides = BTreeMap<ConfigKey, String>;

/// The flows that mirror a topic.
pub(super) fn flows_of<'a>(flows: &'a [Flow], cluster: &'a ClusterName, topic: &'a TopicName) -> impl Iterator<Item = &'a Flow> {
    flows.iter().filter(move |flow| flow.source == *cluster && selection(flow, topic.as_str()) == Selection::Selected)
}

/// A source topic, as it is now or as this plan leaves it.
struct Source<'a> {
    partitions: u32,
    /// `None` where they could not be read.
    overrides: Option<Cow<'a, Overrides>>,
}

/// One copy and all that its fate depends on.
struct Copy<'a> {
    world: &'a World<'a>,
    topic: &'a Topic,
    flow: &'a Flow,
    name: TopicName,
    source: &'a State,
    target: &'a State,
    /// `None` where the source topic does not exist.
    now: Option<Source<'a>>,
    /// `None` where it will not exist either.
    planned: Option<Source<'a>>,
}

/// What keeps MirrorMaker from writing any config of a copy: now, and once this plan's steps have run.
struct Poison {
    now: Option<ConfigKey>,
    planned: Option<ConfigKey>,
}

/// Judges the copies of one topic, whose own steps are already decided.
pub(super) fn judge(world: &World<'_>, topic: &Topic, source: &State, verdict: &mut Verdict) {
    for flow in flows_of(world.flows, &topic.cluster, &topic.name) {
        let Some(target) = world.state(&flow.target) else {
            verdict.is_partly_read = true;
            continue;
        };
        let now = now(topic, source);
        let planned = planned(topic, source, verdict);
        let copy = Copy { world, topic, flow, name: flow.copy_name(&topic.name), source, target, now, planned };
        match target.topic(&copy.name) {
            Seen::Unknown(why) => copy.unreadable(why, verdict),
            Seen::Absent => copy.missing(verdict),
            Seen::Present(live) => copy.existing(live, verdict),
        }
    }
}

/// What keeps MirrorMaker from creating the copies of a topic that this plan creates.
pub(super) fn obstacles(world: &World<'_>, topic: &Topic, source: &State) -> Vec<Finding> {
    if !matches!(source.topic(&topic.name), Seen::Absent) {
        return Vec::new();
    }
    let obstacle = |flow: &Flow| {
        let target = world.state(&flow.target)?;
        let name = flow.copy_name(&topic.name);
        let absent = matches!(target.topic(&name), Seen::Absent);
        let obstacle = absent.then(|| obstacle(flow, &name, target)).flatten()?;
        Some(Finding::new(obstacle.code, obstacle.why).topic(&topic.cluster, &topic.name).at(topic.place).help(obstacle.remedy))
    };
    flows_of(world.flows, &topic.cluster, &topic.name).filter_map(obstacle).collect()
}

struct Obstacle {
    code: Code,
    why: String,
    remedy: String,
}

fn obstacle(flow: &Flow, copy: &TopicName, target: &State) -> Option<Obstacle> {
    let replicas = copy_replicas(flow, target);
    let brokers = target.brokers.len();
    if let Some(replicas) = replicas.filter(|replicas| brokers > 0 && usize::try_from(*replicas).is_ok_and(|replicas| replicas > brokers)) {
        return Some(Obstacle {
            code: Code::Rf004,
            why: format!(
                "MirrorMaker cannot create {copy} on {}: its replication.factor is {replicas}, and the cluster has only {brokers} broker{}",
                flow.target,
                if brokers == 1 { "" } else { "s" }
            ),
            remedy: format!("set MirrorMaker's replication.factor to at most {brokers}, or add brokers"),
        });
    }
    if let Err(why) = name::check(copy.as_str()) {
        return Some(Obstacle {
            code: Code::Mr005,
            why: format!("Kafka does not take the name of the copy {copy}: {why}"),
            remedy: "choose another name for the source topic".to_owned(),
        });
    }
    let form = collision_form(copy.as_str());
    let other = target.topics.keys().find(|other| *other != copy && other.as_str().len() == form.len() && collision_form(other.as_str()) == form)?;
    Some(Obstacle {
        code: Code::Nm002,
        why: format!("MirrorMaker cannot create {copy} on {}: the name differs from {other} there only in '.' and '_'", flow.target),
        remedy: "rename one of the two topics".to_owned(),
    })
}

/// The replication factor of new copies; `None` where the target's own default decides and is not known.
fn copy_replicas(flow: &Flow, target: &State) -> Option<u32> {
    match flow.replication_factor {
        -1 => target.broker_configs.get("default.replication.factor").and_then(|value| value.parse().ok()),
        factor => u32::try_from(factor).ok(),
    }
}

fn now<'a>(topic: &Topic, source: &'a State) -> Option<Source<'a>> {
    match source.topic(&topic.name) {
        Seen::Present(live) => Some(Source {
            partitions: live.partitions,
            overrides: match &live.configs {
                Configs::Known(overrides) => Some(Cow::Borrowed(overrides)),
                Configs::NotAsked | Configs::Unknown(_) => None,
            },
        }),
        Seen::Absent | Seen::Unknown(_) => None,
    }
}

/// The source topic once this plan's steps have run.
fn planned<'a>(topic: &Topic, source: &'a State, verdict: &Verdict) -> Option<Source<'a>> {
    let mut planned = now(topic, source);
    let own = verdict.steps.iter().filter(|step| step.cluster == topic.cluster && step.topic == topic.name);
    for field in own.flat_map(|step| &step.fields) {
        let after = planned.get_or_insert_with(|| Source { partitions: 0, overrides: Some(Cow::Owned(Overrides::new())) });
        match (&field.attribute, &field.after) {
            (Attribute::Partitions, Some(Value::Count(count))) => after.partitions = *count,
            (Attribute::Config(key), value) => {
                if let Some(overrides) = &mut after.overrides {
                    match value {
                        Some(value) => overrides.to_mut().insert(key.clone(), value.to_string()),
                        None => overrides.to_mut().remove(key),
                    };
                }
            }
            (Attribute::Existence | Attribute::ReplicationFactor | Attribute::Partitions, _) => {}
        }
    }
    planned
}

impl Copy<'_> {
    fn unreadable(&self, why: &str, verdict: &mut Verdict) {
        verdict.findings.push(
            Finding::new(
                Code::En005,
                format!("{} on {} could not be read ({why}), so whether it is the same as {} is unknown", self.name, self.flow.target, self.topic.name),
            )
            .topic(&self.flow.target, &self.name)
            .at(self.topic.place)
            .withholding()
            .help("allow Describe and DescribeConfigs on the copy to the user that isotopic logs in as"),
        );
        verdict.is_partly_read = true;
        if matches!(self.target.topic(&self.name), Seen::Unknown(_)) {
            verdict.drift.push(Drift {
                class: Class::Unknown,
                code: Some(Code::En005),
                severity: self.world.workspace.rules.severity(Code::En005),
                consequence: "nobody knows whether the copy is the same as its source".to_owned(),
                remedy: "allow Describe and DescribeConfigs on the copy to the user that isotopic logs in as".to_owned(),
                ..self.drift(Attribute::Existence, None, None)
            });
        }
    }

    fn missing(&self, verdict: &mut Verdict) {
        let Some(planned) = &self.planned else { return };
        let poison = || {
            let poison = self.poison(planned.overrides.as_deref()?, &Overrides::new())?;
            let remedy = format!("take the override of {poison} off the source topic, or add {poison} to MirrorMaker's config.properties.exclude");
            Some(Obstacle { code: Code::Cf002, why: self.because_poisoned(&poison), remedy })
        };
        let obstacle = obstacle(self.flow, &self.name, self.target).or_else(poison);
        if self.now.is_some() {
            let present = Some(Value::Text("present".to_owned()));
            let drift = self.drift(Attribute::Existence, present, None);
            verdict.drift.push(match &obstacle {
                Some(obstacle) => Drift {
                    class: Class::Blocked,
                    code: Some(obstacle.code),
                    severity: Severity::Warning,
                    consequence: format!("there is no copy to fail over to: {}", obstacle.why),
                    remedy: obstacle.remedy.clone(),
                    ..drift
                },
                None => Drift {
                    consequence: "there is no copy to fail over to yet".to_owned(),
                    remedy: "wait for MirrorMaker's next refresh of topics; if it does not come, see whether MirrorMaker runs".to_owned(),
                    due_seconds: Some(self.flow.refresh_seconds),
                    ..drift
                },
            });
        }
        let caused = self.now.is_none();
        if let Some(obstacle) = obstacle {
            let present = Some(Value::Text("present".to_owned()));
            verdict.predictions.push(self.prediction(Attribute::Existence, None, present, Outlook::Blocked, None, obstacle.why, caused));
            return;
        }
        let created =
            |attribute, after, because: String| self.prediction(attribute, None, after, Outlook::Heals, Some(self.flow.refresh_seconds), because, caused);
        let seconds = self.flow.refresh_seconds;
        verdict.predictions.push(created(
            Attribute::Existence,
            Some(Value::Text("present".to_owned())),
            format!("MirrorMaker creates missing copies every {seconds} s (refresh.topics.interval.seconds)"),
        ));
        verdict.predictions.push(created(Attribute::Partitions, Some(Value::Count(planned.partitions)), "a new copy gets its source's partitions".to_owned()));
        let factor = copy_replicas(self.flow, self.target);
        verdict.predictions.push(created(
            Attribute::ReplicationFactor,
            factor.map(Value::Count),
            "a new copy gets MirrorMaker's replication.factor, not its source's".to_owned(),
        ));
        let Some(overrides) = &planned.overrides else { return };
        for key in self.keys([overrides.as_ref()]) {
            match sync(key.as_str(), self.source.effective(overrides, &key)) {
                Sync::Set(value) => {
                    let after = Some(Value::Text(value.to_owned()));
                    verdict.predictions.push(created(Attribute::Config(key), after, "a new copy gets the configs that MirrorMaker syncs".to_owned()));
                }
                Sync::Keep(kept) if overrides.contains_key(&key) => {
                    let because = because_kept(&key, kept);
                    verdict.predictions.push(self.prediction(Attribute::Config(key), None, None, Outlook::Never, None, because, caused));
                }
                Sync::Keep(_) | Sync::Remove | Sync::Unknown => {}
            }
        }
    }

    fn existing(&self, live: &live::Topic, verdict: &mut Verdict) {
        self.partitions(live, verdict);
        match &live.configs {
            Configs::Known(overrides) => {
                let own = own_copies::Own::of(self.topic, self.flow);
                self.configs(overrides, &own, verdict);
                if let Some(planned) = self.planned.as_ref().and_then(|planned| planned.overrides.as_deref()) {
                    let copy = own_copies::Copy { world: self.world, topic: self.topic, flow: self.flow, name: &self.name, id: live.id.as_deref() };
                    own.judge(&copy, (self.source, planned), (self.target, overrides), verdict);
                }
            }
            Configs::NotAsked => self.unreadable("its configs were not asked for", verdict),
            Configs::Unknown(why) => self.unreadable(why, verdict),
        }
    }

    fn partitions(&self, live: &live::Topic, verdict: &mut Verdict) {
        let has = live.partitions;
        let count = |n| Some(Value::Count(n));
        if let Some(now) = &self.now {
            let drift = || self.drift(Attribute::Partitions, count(now.partitions), count(has));
            if has > now.partitions {
                verdict.drift.push(Drift { severity: self.world.workspace.rules.severity(Code::Pt002), ..self.ahead(now.partitions, has, drift()) });
            } else if has < now.partitions {
                verdict.drift.push(Drift { severity: self.world.workspace.rules.severity(Code::Pt003), ..self.behind(drift()) });
            }
        }
        let Some(planned) = &self.planned else { return };
        let caused = self.now.as_ref().is_none_or(|now| now.partitions != planned.partitions);
        if planned.partitions > has {
            let seconds = self.flow.refresh_seconds;
            let (outlook, due, because) = if self.flow.is_blind() {
                (Outlook::Blind, None, "MirrorMaker does not recognise the copy as its own, because its alias contains the separator".to_owned())
            } else {
                (Outlook::Heals, Some(seconds), format!("MirrorMaker grows copies every {seconds} s (refresh.topics.interval.seconds)"))
            };
            verdict.predictions.push(self.prediction(Attribute::Partitions, count(has), count(planned.partitions), outlook, due, because, caused));
        } else if planned.partitions < has && self.now.is_none() {
            verdict.predictions.push(self.prediction(
                Attribute::Partitions,
                count(has),
                count(has),
                Outlook::Never,
                None,
                format!("the copy already has {has} partitions, more than its source will have, and never shrinks"),
                caused,
            ));
        }
    }

    /// PT002: records keep their partition number, so the extra partitions stay empty, and producers that write to the copy after a failover hash over all of them.
    fn ahead(&self, source: u32, has: u32, drift: Drift) -> Drift {
        let has_keys = self.topic.keys != Keys::None;
        let moved = kept_share(source, has).filter(|_| has_keys).map_or_else(
            || "; its extra partitions stay empty until a failover".to_owned(),
            |(kept, of)| format!("; after a failover {} of {of} keys go to another partition", of - kept),
        );
        let remedy = match self.planned.as_ref().map(|planned| planned.partitions) {
            Some(planned) if planned >= has => format!("nothing more to do; this plan grows the source to {planned}"),
            _ if !has_keys => format!("grow the source topic: declare partitions: {has}"),
            _ => {
                format!(
                    "grow the source topic: declare partitions: {has} and acknowledge: {{partition_increase: {{from: {source}, to: {has}, reason: \"...\"}}}}"
                )
            }
        };
        Drift { class: Class::Permanent, code: Some(Code::Pt002), consequence: format!("Kafka cannot remove partitions from the copy{moved}"), remedy, ..drift }
    }

    fn behind(&self, drift: Drift) -> Drift {
        if self.flow.is_blind() {
            return Drift {
                class: Class::Blind,
                code: Some(Code::Pt003),
                consequence: "MirrorMaker does not recognise the copy as its own and never grows it, so records of the missing partitions are not copied"
                    .to_owned(),
                remedy: "give MirrorMaker an alias without '.'".to_owned(),
                ..drift
            };
        }
        Drift {
            code: Some(Code::Pt003),
            consequence: "records of the missing partitions are not copied until the copy has grown".to_owned(),
            remedy: "wait for MirrorMaker's next refresh of topics; if it does not come, see whether MirrorMaker runs".to_owned(),
            due_seconds: Some(self.flow.refresh_seconds),
            ..drift
        }
    }

    fn configs(&self, copy: &Overrides, own: &own_copies::Own<'_>, verdict: &mut Verdict) {
        // Without the source's configs nothing follows for the copy's; that they could not be read is told with the source.
        let Some(after) = self.planned.as_ref().and_then(|planned| planned.overrides.as_deref()) else { return };
        let before = self.now.as_ref().and_then(|now| now.overrides.as_deref());
        // What git owns on the copy is a step's business.
        let keys = self.keys([before, Some(after), Some(copy)].into_iter().flatten());
        let poison = Poison { now: before.and_then(|before| self.poison(before, copy)), planned: self.poison(after, copy) };
        for key in keys.into_iter().filter(|key| !own.owns(key, self.source.effective(after, key))) {
            self.config(&key, before, after, copy, &poison, verdict);
        }
    }

    /// A key that MirrorMaker would write to a copy, and that the target does not know: the target refuses the whole sync of the copy for it. Taking away an
    /// override of such a key does no harm.
    fn poison(&self, source: &Overrides, copy: &Overrides) -> Option<ConfigKey> {
        let unknown = |key: &ConfigKey| self.target.inherited(key) == Effective::UnknownKey && !copy.contains_key(key);
        self.keys([source]).into_iter().find(|key| unknown(key) && matches!(sync(key.as_str(), self.source.effective(source, key)), Sync::Set(_)))
    }

    fn because_poisoned(&self, poison: &ConfigKey) -> String {
        format!("{} does not know {poison}, which MirrorMaker writes too, and refuses all configs of this copy for it", self.flow.target)
    }

    fn config(&self, key: &ConfigKey, now: Option<&Overrides>, planned: &Overrides, copy: &Overrides, poison: &Poison, verdict: &mut Verdict) {
        let kind = config::kind(key.as_str());
        let has = copy.get(key).map(String::as_str);
        let text = |value: Option<&str>| value.map(|value| Value::Text(value.to_owned()));
        let same = |a: Option<&str>, b: Option<&str>| match (a, b) {
            (Some(a), Some(b)) => kind.equal(a, b),
            (a, b) => a == b,
        };
        let written = |source: Effective<'_>| match sync(key.as_str(), source) {
            Sync::Set(value) => Some(Some(value.to_owned())),
            Sync::Remove => Some(None),
            Sync::Keep(_) | Sync::Unknown => None,
        };
        let source_now = now.map(|now| self.source.effective(now, key));
        let source_planned = self.source.effective(planned, key);
        let expected = source_now.and_then(written);
        if let Some(expected) = &expected
            && !same(expected.as_deref(), has)
        {
            verdict.drift.push(self.lag(key, poison.now.as_ref(), self.drift(Attribute::Config(key.clone()), text(expected.as_deref()), text(has))));
        }
        if let Some(source_now) = source_now {
            self.kept(key, source_now, copy, verdict);
        }
        match sync(key.as_str(), source_planned) {
            Sync::Set(_) | Sync::Remove => {
                let after = written(source_planned).flatten();
                if !same(after.as_deref(), has) {
                    let caused = expected.as_ref() != Some(&after);
                    let seconds = self.flow.sync_seconds;
                    let (outlook, due, because) = if self.flow.is_blind() {
                        (Outlook::Blind, None, "MirrorMaker does not recognise the copy as its own, because its alias contains the separator".to_owned())
                    } else if let Some(poison) = &poison.planned {
                        (Outlook::Blocked, None, self.because_poisoned(poison))
                    } else {
                        (Outlook::Heals, Some(seconds), format!("MirrorMaker syncs configs every {seconds} s (sync.topic.configs.interval.seconds)"))
                    };
                    verdict.predictions.push(self.prediction(Attribute::Config(key.clone()), text(has), text(after.as_deref()), outlook, due, because, caused));
                }
            }
            Sync::Keep(kept) => {
                let moved = source_now.is_some_and(|now| now != source_planned) || (source_now.is_none() && planned.contains_key(key));
                if moved {
                    let attribute = Attribute::Config(key.clone());
                    verdict.predictions.push(self.prediction(attribute, text(has), text(has), Outlook::Never, None, because_kept(key, kept), true));
                }
            }
            Sync::Unknown => {}
        }
    }

    /// Values that MirrorMaker leaves alone: excluded ones are counted, an override beside a static source value is there for good.
    fn kept(&self, key: &ConfigKey, source: Effective<'_>, copy: &Overrides, verdict: &mut Verdict) {
        let kind = config::kind(key.as_str());
        let (Effective::Value(Some(wanted), origin), Effective::Value(Some(has), copy_origin)) = (source, self.target.effective(copy, key)) else { return };
        if kind.equal(wanted, has) {
            return;
        }
        if is_excluded(key.as_str()) {
            verdict.excluded += 1;
            return;
        }
        let code = values::consequence(key, wanted, has);
        let severity = |usual| code.map_or(usual, |code| self.world.workspace.rules.severity(code));
        let drift = Drift {
            code,
            attribute_owner: Owner::Nobody,
            ..self.drift(Attribute::Config(key.clone()), Some(Value::Text(wanted.to_owned())), Some(Value::Text(has.to_owned())))
        };
        let (wanted, has) = (kind.human(wanted), kind.human(has));
        let harm = match code {
            Some(Code::Cf006) => format!("after a failover consumers find records of the last {has} only, where the source keeps {wanted}"),
            Some(Code::Cf007) => format!("records over {has} do not fit into the copy and stop or are lost, where the source takes {wanted}"),
            Some(Code::Cf011) => format!("the copy deletes other records than the source ({has} there, {wanted} on the source)"),
            Some(_) | None => format!("the copy has {has}, the source {wanted}"),
        };
        if origin == Origin::Static && copy_origin == Origin::Topic {
            verdict.drift.push(Drift {
                class: Class::Permanent,
                severity: severity(Severity::Warning),
                consequence: format!(
                    "{harm}; it stays so, because the source's value comes from server.properties of its brokers, which MirrorMaker never syncs"
                ),
                remedy: format!("declare {key} on the source topic, or delete the override of the copy with kafka-configs.sh"),
                ..drift
            });
        } else if copy_origin != Origin::Topic && matches!(origin, Origin::Static | Origin::Default) {
            verdict.drift.push(Drift {
                class: Class::Inherited,
                severity: severity(Severity::Info),
                consequence: format!(
                    "{harm}; the brokers' defaults differ ({origin} on the source, {copy_origin} on the copy), and MirrorMaker does not sync them"
                ),
                remedy: format!("declare {key} on the source topic, so that both get it"),
                ..drift
            });
        }
    }

    fn lag(&self, key: &ConfigKey, poison: Option<&ConfigKey>, drift: Drift) -> Drift {
        if let Some(poison) = poison {
            return Drift {
                class: Class::Blocked,
                code: Some(Code::Cf002),
                consequence: self.because_poisoned(poison),
                remedy: format!("take the override of {poison} off the source topic, or add {poison} to MirrorMaker's config.properties.exclude"),
                ..drift
            };
        }
        if self.flow.is_blind() {
            return Drift {
                class: Class::Blind,
                consequence: format!("MirrorMaker does not recognise the copy as its own and never syncs {key}"),
                remedy: "give MirrorMaker an alias without '.'".to_owned(),
                ..drift
            };
        }
        Drift {
            consequence: "the copy differs from its source until MirrorMaker's next sync".to_owned(),
            remedy: "wait for MirrorMaker's next sync of configs; if it does not come, see whether MirrorMaker runs".to_owned(),
            due_seconds: Some(self.flow.sync_seconds),
            ..drift
        }
    }

    /// Every key that can differ: overridden somewhere, dynamic on the source's brokers, or with different defaults on the two sides.
    fn keys<'m>(&'m self, maps: impl IntoIterator<Item = &'m Overrides>) -> BTreeSet<ConfigKey> {
        let differing = self.source.inherited.iter().filter(|(key, here)| {
            let dynamic = matches!(here.origin, Origin::DynamicBroker | Origin::DynamicDefault);
            dynamic || self.target.inherited.get(*key).is_some_and(|there| there.value != here.value)
        });
        maps.into_iter().flat_map(BTreeMap::keys).chain(differing.map(|(key, _)| key)).cloned().collect()
    }

    fn drift(&self, attribute: Attribute, expected: Option<Value>, actual: Option<Value>) -> Drift {
        Drift {
            class: Class::Lag,
            code: None,
            cluster: self.flow.target.clone(),
            topic: self.name.clone(),
            attribute,
            expected,
            actual,
            severity: Severity::Warning,
            consequence: String::new(),
            remedy: String::new(),
            attribute_owner: Owner::MirrorMaker,
            owner: self.topic.owner.clone(),
            due_seconds: None,
            place: Some(self.topic.place),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one record, in the order of its declaration")]
    fn prediction(
        &self,
        attribute: Attribute,
        before: Option<Value>,
        after: Option<Value>,
        verdict: Outlook,
        due_seconds: Option<u64>,
        because: String,
        caused_by_step: bool,
    ) -> Prediction {
        Prediction {
            source: self.flow.source.clone(),
            source_topic: self.topic.name.clone(),
            cluster: self.flow.target.clone(),
            topic: self.name.clone(),
            attribute,
            before,
            after,
            verdict,
            due_seconds,
            because,
            caused_by_step,
        }
    }
}

fn because_kept(key: &ConfigKey, kept: Kept) -> String {
    match kept {
        Kept::Excluded => format!("MirrorMaker excludes {key} (config.properties.exclude)"),
        Kept::Static => format!("the source's {key} comes from server.properties of its brokers, which MirrorMaker never syncs"),
        Kept::UnknownToSource => format!("the source does not know {key}"),
    }
}
