//! What MirrorMaker makes of one copy, in one line.

use crate::plan::{Action, Attribute, Prediction, Step, Value, Verdict};
use crate::render::words::{attribute, count, human, within};
use std::collections::BTreeMap;

/// The line for one copy, given the steps on its source that cause the predictions.
pub(super) fn line(steps: &[&Step], predictions: &[&Prediction]) -> String {
    let (healing, others): (Vec<&Prediction>, Vec<&Prediction>) = predictions.iter().partition(|prediction| prediction.verdict == Verdict::Heals);
    let within = within(healing.iter().filter_map(|prediction| prediction.due_seconds).max());
    let mut parts = Vec::new();
    if healing.iter().any(|prediction| prediction.attribute == Attribute::Existence) {
        parts.push(format!("MirrorMaker makes it {within}{}", created(steps, &healing)));
    } else if is_same(steps, &healing) {
        parts.push(format!("the same by MirrorMaker, {within}"));
    } else if !healing.is_empty() {
        let changes = healing.iter().map(|prediction| format!("{} {}", attribute(&prediction.attribute), copy_change(prediction)));
        parts.push(format!("{} by MirrorMaker, {within}", changes.collect::<Vec<_>>().join(", ")));
    }
    parts.extend(others.into_iter().map(stays));
    parts.join("; ")
}

fn created(steps: &[&Step], healing: &[&Prediction]) -> String {
    let mut parts = Vec::new();
    for prediction in healing {
        match (&prediction.attribute, &prediction.after) {
            (Attribute::Partitions, Some(Value::Count(partitions))) => parts.push(count(*partitions as usize, "partition")),
            (Attribute::ReplicationFactor, Some(Value::Count(replicas))) => parts.push(replicas_text(*replicas)),
            (Attribute::Config(_) | Attribute::Existence | Attribute::Partitions | Attribute::ReplicationFactor, _) => {}
        }
    }
    let wanted = wanted(steps);
    let configs: Vec<_> = healing.iter().filter(|prediction| matches!(prediction.attribute, Attribute::Config(_))).collect();
    let is_the_sources = |prediction: &Prediction| wanted.get(&prediction.attribute) == Some(&prediction.after.as_ref());
    if !configs.is_empty() && configs.iter().all(|prediction| is_the_sources(prediction)) {
        parts.push("its configs".to_owned());
    } else {
        for prediction in configs {
            let after = prediction.after.as_ref().map_or_else(|| "no override".to_owned(), |value| human(&prediction.attribute, value));
            parts.push(format!("{}={after}", attribute(&prediction.attribute)));
        }
    }
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

/// `1 replica`, `3 replicas`.
pub(super) fn replicas_text(replicas: u32) -> String {
    count(replicas as usize, "replica")
}

/// Whether the copy gets exactly what the steps write, from exactly what the source holds.
fn is_same(steps: &[&Step], healing: &[&Prediction]) -> bool {
    let wanted = wanted(steps);
    let before: BTreeMap<_, _> = steps.iter().flat_map(|step| &step.fields).map(|field| (&field.attribute, field.before.own.as_ref())).collect();
    !healing.is_empty()
        && healing.iter().all(|prediction| {
            wanted.get(&prediction.attribute) == Some(&prediction.after.as_ref()) && before.get(&prediction.attribute) == Some(&prediction.before.as_ref())
        })
        && wanted.keys().all(|attribute| healing.iter().any(|prediction| prediction.attribute == **attribute))
}

fn wanted<'a>(steps: &[&'a Step]) -> BTreeMap<&'a Attribute, Option<&'a Value>> {
    steps.iter().flat_map(|step| &step.fields).map(|field| (&field.attribute, field.after.as_ref())).collect()
}

/// `6 -> 12`; for a config that the copy inherits only `-> 7d`, because what it inherits is not part of a prediction.
fn copy_change(prediction: &Prediction) -> String {
    let human = |value: &Value| human(&prediction.attribute, value);
    let after = prediction.after.as_ref().map_or_else(|| "no override".to_owned(), human);
    prediction.before.as_ref().map_or_else(|| format!("-> {after}"), |before| format!("{} -> {after}", human(before)))
}

fn stays(prediction: &Prediction) -> String {
    let name = attribute(&prediction.attribute);
    match (prediction.verdict, &prediction.attribute) {
        (Verdict::Never, Attribute::Config(_)) => format!("{name} not copied"),
        (Verdict::Never | Verdict::Heals, _) => format!("{name} stays: {}", prediction.because),
        (Verdict::Blocked, _) => format!("{name} BLOCKED: {}", prediction.because),
        (Verdict::Blind, _) => format!("{name} stays, MirrorMaker is BLIND to it: {}", prediction.because),
    }
}

/// Whether a step makes its topic.
pub(super) fn is_create(step: &Step) -> bool {
    step.action == Action::Create
}
