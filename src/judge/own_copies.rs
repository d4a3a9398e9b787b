//! What git owns on a copy: configs that MirrorMaker excludes or can never sync, declared under `copies` or filled in by the flow.

use super::{Verdict, World, fingerprint};
use crate::finding::{Code, Finding, Place};
use crate::kafka::config;
use crate::kafka::name::{ConfigKey, TopicName};
use crate::live::{Effective, State};
use crate::mirror::flow::Flow;
use crate::mirror::model::{Sync, sync};
use crate::plan::{Action, Attribute, ChangeOrigin, Field, Reason, Step, Value};
use crate::spec::{Topic, Wanted};
use std::collections::BTreeMap;

type Overrides = BTreeMap<ConfigKey, String>;

/// The waves of DESIGN section 7 in which copies are written: what widens goes before the source, the rest after it.
const WIDENING_WAVE: u8 = 2;
const OTHER_WAVE: u8 = 5;

/// What is declared for one copy, by key. The wanted value is what `copies` says, else the topic's own.
pub(super) struct Own<'a>(BTreeMap<&'a ConfigKey, &'a Wanted>);

/// The copy.
pub(super) struct Copy<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) topic: &'a Topic,
    pub(super) flow: &'a Flow,
    pub(super) name: &'a TopicName,
    pub(super) id: Option<&'a str>,
}

impl<'a> Own<'a> {
    pub(super) fn of(topic: &'a Topic, flow: &'a Flow) -> Self {
        let filled = flow.fill.iter().filter_map(|key| topic.config.get_key_value(&key.value));
        let declared = topic.copies.get(&flow.target).into_iter().flat_map(|copy| &copy.config);
        Self(filled.chain(declared).collect())
    }

    /// Whether git owns a config of the copy, given what the source has in force.
    pub(super) fn owns(&self, key: &ConfigKey, source: Effective<'_>) -> bool {
        self.0.contains_key(key) && matches!(sync(key.as_str(), source), Sync::Keep(_))
    }

    /// The step that makes the copy as declared, and refusals of what MirrorMaker owns.
    pub(super) fn judge(&self, copy: &Copy<'_>, (source, planned): (&State, &Overrides), (target, overrides): (&State, &Overrides), verdict: &mut Verdict) {
        let mut fields = Vec::new();
        let mut refused = false;
        for (key, wanted) in &self.0 {
            match sync(key.as_str(), source.effective(planned, key)) {
                Sync::Keep(_) => {
                    let differs = match (&wanted.value, overrides.get(*key)) {
                        (None, None) => false,
                        (Some(value), Some(live)) => !config::kind(key.as_str()).equal(value, live),
                        (Some(_), None) | (None, Some(_)) => true,
                    };
                    if differs {
                        fields.push(super::declared::field(key, wanted, target.effective(overrides, key), wanted.value.as_ref()));
                    }
                }
                Sync::Set(_) | Sync::Remove => {
                    refused = true;
                    verdict.findings.push(copy.owned_by_mirrormaker(key, wanted.place));
                }
                Sync::Unknown => verdict.findings.push(copy.unknown_owner(key, wanted.place)),
            }
        }
        if !fields.is_empty() && !refused {
            verdict.steps.push(copy.step(fields));
        }
    }
}

impl Copy<'_> {
    fn owned_by_mirrormaker(&self, key: &ConfigKey, place: Place) -> Finding {
        Finding::new(
            Code::Mr001,
            format!(
                "{key} of {} on {} is MirrorMaker's: its next sync, within {} s, would write its own value",
                self.name, self.flow.target, self.flow.sync_seconds
            ),
        )
        .topic(&self.flow.target, self.name)
        .at(place)
        .help(format!("declare {key} on {} alone, or add {key} to MirrorMaker's config.properties.exclude", self.topic.name))
    }

    fn unknown_owner(&self, key: &ConfigKey, place: Place) -> Finding {
        let message = format!(
            "whether {key} of {} on {} is MirrorMaker's is unknown, because {} does not tell where its own value comes from; it is not written",
            self.name, self.flow.target, self.flow.source
        );
        Finding::new(Code::Mr009, message)
            .topic(&self.flow.target, self.name)
            .at(place)
            .help(format!("declare {key} on {} instead, which gives it to both", self.topic.name))
    }

    fn step(&self, mut fields: Vec<Field>) -> Step {
        fields.sort_by(|a, b| a.attribute.cmp(&b.attribute));
        let target = &self.flow.target;
        let mut step = Step {
            id: String::new(),
            cluster: target.clone(),
            topic: self.name.clone(),
            topic_id: self.id.map(str::to_owned),
            action: Action::Configure,
            reason: if fields.iter().all(Field::is_pin) { Reason::Pin } else { Reason::Differs },
            origin: ChangeOrigin::Unknown,
            wave: if fields.iter().all(is_widening) { WIDENING_WAVE } else { OTHER_WAVE },
            fields,
            depends_on: Vec::new(),
            acknowledged_by: None,
            reversible: true,
            owner: self.topic.owner.clone(),
            place: self.topic.place,
        };
        step.id = fingerprint::of_step(&step, self.world.clusters.iter().find(|cluster| cluster.name == *target));
        step
    }
}

/// Whether a copy takes or keeps more records after the write than before.
fn is_widening(field: &Field) -> bool {
    let Attribute::Config(key) = &field.attribute else { return false };
    let number = |value: &Option<Value>| match value {
        Some(Value::Text(text)) => text.parse::<i64>().ok().map(|number| if number == -1 { i64::MAX } else { number }),
        Some(Value::Count(_)) | None => None,
    };
    let before = number(&field.before.own).or_else(|| number(&field.before.effective));
    matches!(key.as_str(), "retention.ms" | "retention.bytes" | "max.message.bytes") && number(&field.after) > before
}
