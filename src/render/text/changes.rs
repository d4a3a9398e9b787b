//! The steps of a plan: a topic's own and what follows on its copies in one block, and blocks that read the same as one.

use super::Detail;
use super::copies;
use crate::finding::{Place, Sources};
use crate::kafka::name::{ClusterName, TopicName};
use crate::plan::{Action, Attribute, Field, Plan, Prediction, Step, Value};
use crate::render::words::{attribute, change, count, human_and_raw, keys_that_move, place, some_of};
use std::collections::{BTreeMap, BTreeSet};

/// From so many on, blocks that read the same are shown as one.
const GROUPED_FROM: usize = 3;
/// A topic created with more configs than this line holds shows one a line.
const LINE: usize = 110;

/// What is done to one topic of a source, and what follows.
#[derive(Default)]
struct Block<'a> {
    steps: Vec<&'a Step>,
    copies: BTreeMap<(&'a ClusterName, &'a TopicName), Vec<&'a Prediction>>,
}

/// What blocks are grouped by: how they read.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    glyph: char,
    acknowledged: Option<String>,
    body: Vec<String>,
}

pub(super) fn section(plan: &Plan, sources: &Sources, detail: Detail) -> Vec<String> {
    let blocks = blocks(plan);
    if blocks.is_empty() {
        return Vec::new();
    }
    let mut groups: BTreeMap<Look, Vec<(&TopicName, &Block<'_>)>> = BTreeMap::new();
    for ((topic, cluster), block) in &blocks {
        groups.entry(look(block, cluster)).or_default().push((topic, block));
    }
    let mut parts: Vec<(&TopicName, Vec<String>)> = Vec::new();
    for (look, members) in groups {
        if members.len() >= GROUPED_FROM {
            parts.push((members[0].0, group(&look, &members, sources, detail)));
        } else {
            parts.extend(members.into_iter().map(|(topic, block)| (topic, single(&look, topic, block, sources))));
        }
    }
    parts.sort_by_key(|(topic, _)| *topic);
    std::iter::once("This change".to_owned()).chain(parts.into_iter().flat_map(|(_, lines)| lines)).collect()
}

fn blocks(plan: &Plan) -> BTreeMap<(&TopicName, &ClusterName), Block<'_>> {
    let mut blocks: BTreeMap<(&TopicName, &ClusterName), Block<'_>> = BTreeMap::new();
    for step in &plan.steps {
        blocks.entry((&step.topic, &step.cluster)).or_default().steps.push(step);
    }
    for prediction in plan.predictions.iter().filter(|prediction| prediction.caused_by_step) {
        let block = blocks.entry((&prediction.source_topic, &prediction.source)).or_default();
        block.copies.entry((&prediction.cluster, &prediction.topic)).or_default().push(prediction);
    }
    blocks
}

fn look(block: &Block<'_>, cluster: &ClusterName) -> Look {
    let glyph = match block.steps.first().map(|step| step.action) {
        Some(Action::Create) => '+',
        Some(Action::Delete) => '-',
        Some(Action::Grow | Action::Configure) | None => '~',
    };
    let width = block.copies.keys().map(|(cluster, _)| cluster).chain([&cluster]).map(|name| name.as_str().len()).max().unwrap_or(0);
    let attributes = block.steps.iter().filter(|step| !copies::is_create(step)).flat_map(|step| &step.fields).map(|field| attribute(&field.attribute).len());
    let attribute_width = attributes.max().unwrap_or(0);
    let mut body = Vec::new();
    for step in &block.steps {
        let lines = match step.action {
            Action::Create => created(step),
            Action::Delete => {
                vec![format!("delete the topic{}, with all of its records", step.topic_id.as_ref().map(|id| format!(" {id}")).unwrap_or_default())]
            }
            Action::Grow | Action::Configure => step.fields.iter().map(|field| changed(step, field, attribute_width)).collect(),
        };
        body.extend(lines.into_iter().map(|line| format!("  {glyph} {cluster:<width$}  {line}")));
    }
    for ((target, _), predictions) in &block.copies {
        body.push(format!("  = {target:<width$}  {}", copies::line(&block.steps, predictions)));
    }
    Look { glyph, acknowledged: block.steps.iter().find_map(|step| step.acknowledged_by.clone()), body }
}

fn created(step: &Step) -> Vec<String> {
    let (mut counts, mut configs) = (Vec::new(), Vec::new());
    for field in &step.fields {
        match (&field.attribute, &field.after) {
            (Attribute::Partitions, Some(Value::Count(partitions))) => counts.insert(0, count(*partitions as usize, "partition")),
            (Attribute::ReplicationFactor, Some(Value::Count(replicas))) => counts.push(copies::replicas_text(*replicas)),
            (Attribute::Config(key), Some(value)) => configs.push(format!("{key} {}{}", human_and_raw(&field.attribute, value), profile(field))),
            (Attribute::Existence | Attribute::Partitions | Attribute::ReplicationFactor | Attribute::Config(_), _) => {}
        }
    }
    let line = counts.iter().chain(&configs).cloned().collect::<Vec<_>>().join(", ");
    if line.len() <= LINE { vec![line] } else { std::iter::once(counts.join(", ")).chain(configs).collect() }
}

fn changed(step: &Step, field: &Field, width: usize) -> String {
    let name = attribute(&field.attribute);
    let what = match (&field.after, field.is_pin()) {
        (Some(value), true) => {
            format!("{}  pinned: in force already as the cluster's default, becomes the topic's own", human_and_raw(&field.attribute, value))
        }
        (Some(_) | None, _) => change(&field.attribute, &field.before, field.after.as_ref()),
    };
    let growth = match (&field.attribute, &field.before.own, &field.after) {
        (Attribute::Partitions, Some(Value::Count(from)), Some(Value::Count(to))) => growth(step, *from, *to),
        (Attribute::Existence | Attribute::Partitions | Attribute::ReplicationFactor | Attribute::Config(_), _, _) => String::new(),
    };
    format!("{name:<width$}  {what}{growth}{}", profile(field))
}

/// How many keys move is told where somebody agreed to it; elsewhere the records may have none.
fn growth(step: &Step, from: u32, to: u32) -> String {
    let keys = step.acknowledged_by.as_ref().and_then(|_| keys_that_move(from, to)).map(|keys| format!("{keys}; ")).unwrap_or_default();
    format!("   {keys}cannot be undone")
}

fn profile(field: &Field) -> String {
    field.profile.as_ref().map(|profile| format!(" (profile {profile})")).unwrap_or_default()
}

fn single(look: &Look, topic: &TopicName, block: &Block<'_>, sources: &Sources) -> Vec<String> {
    let first = block.steps.first();
    let mut head = vec![format!("{} {topic}", look.glyph)];
    head.extend(first.map(|step| place(step.place, sources)));
    head.extend(first.and_then(|step| step.owner.clone()));
    head.extend(look.acknowledged.as_ref().map(|reason| format!("acknowledged \"{reason}\"")));
    std::iter::once(head.join("  ")).chain(look.body.iter().cloned()).collect()
}

fn group(look: &Look, members: &[(&TopicName, &Block<'_>)], sources: &Sources, detail: Detail) -> Vec<String> {
    let names: Vec<_> = members.iter().map(|(topic, _)| topic.as_str()).collect();
    let mut head = vec![format!("{} {}", look.glyph, count(names.len(), "topic"))];
    head.extend(written_at(members).map(|at| place(at, sources)));
    head.extend(look.acknowledged.as_ref().map(|reason| format!("acknowledged \"{reason}\"")));
    let mut lines = vec![head.join("  ")];
    if detail.full {
        lines.extend(members.iter().map(|(topic, block)| {
            let at = block.steps.first().map(|step| format!("  {}", place(step.place, sources))).unwrap_or_default();
            format!("    {topic}{at}")
        }));
    } else {
        let hint = if names.len() > detail.examples { "  (--full lists them)" } else { "" };
        lines.push(format!("    {}{hint}", some_of(&names, detail.examples)));
    }
    lines.extend(look.body.iter().cloned());
    lines
}

/// The one place where all of it was written, such as a profile's value; `None` where each topic has its own.
fn written_at(members: &[(&TopicName, &Block<'_>)]) -> Option<Place> {
    let fields = members.iter().flat_map(|(_, block)| &block.steps).flat_map(|step| &step.fields);
    let places: BTreeSet<_> = fields.map(|field| field.place).collect();
    places.first().copied().flatten().filter(|_| places.len() == 1)
}
