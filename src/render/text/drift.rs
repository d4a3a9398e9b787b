//! Drift in the text of a plan: grouped by class and code, with a few examples each.

use super::Detail;
use super::refusals::word;
use crate::finding::{Code, Severity, Sources};
use crate::plan::{Attribute, Class, Drift, Plan, Value};
use crate::render::words::{attribute, human, place, some_of, within};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What drift is grouped by, the worst first.
type Kind = (Reverse<Severity>, Class, Option<Code>);

pub(super) fn section(plan: &Plan, sources: &Sources, detail: Detail) -> Vec<String> {
    let mut groups: BTreeMap<Kind, Vec<&Drift>> = BTreeMap::new();
    for drift in &plan.drift {
        groups.entry((Reverse(drift.severity), drift.class, drift.code)).or_default().push(drift);
    }
    let mut lines = Vec::new();
    if !groups.is_empty() {
        lines.push("Drift: already there, and no step is for it".to_owned());
    }
    for ((severity, class, code), group) in groups {
        let title = code.map(|code| format!("  {code} {}", code.title())).unwrap_or_default();
        lines.push(format!("! {} {}{title}{}", group.len(), class.as_str(), word(severity.0)));
        let blocks = alike(&group);
        let shown = if detail.full { blocks.len() } else { detail.examples };
        for block in blocks.iter().take(shown) {
            lines.extend(example(block, sources, detail));
            if detail.full {
                lines.extend(texts(block[0], ""));
            }
        }
        let hidden: usize = blocks.iter().skip(shown).map(Vec::len).sum();
        if hidden > 0 && shown > 0 {
            lines.push(format!("    and {hidden} more  (--full lists them)"));
        }
        if detail.advice && !detail.full {
            let first = texts(group[0], "");
            let is_the_same_for_all = group.iter().all(|drift| texts(drift, "") == first);
            lines.extend(if is_the_same_for_all { first } else { texts(group[0], "the first: ") });
        }
    }
    lines
}

/// Drift that differs in nothing but the topic, in the order of its first.
fn alike<'a>(group: &[&'a Drift]) -> Vec<Vec<&'a Drift>> {
    let mut blocks: Vec<Vec<&Drift>> = Vec::new();
    let mut known = BTreeMap::new();
    for drift in group {
        let key = (&drift.cluster, &drift.attribute, &drift.actual, &drift.expected, drift.due_seconds, &drift.consequence, &drift.remedy);
        let at = *known.entry(key).or_insert(blocks.len());
        match blocks.get_mut(at) {
            Some(block) => block.push(drift),
            None => blocks.push(vec![drift]),
        }
    }
    blocks
}

/// What it means and what to do.
fn texts(drift: &Drift, prefix: &str) -> Vec<String> {
    [&drift.consequence, &drift.remedy].into_iter().filter(|text| !text.is_empty()).map(|text| format!("      {prefix}{text}")).collect()
}

fn example(block: &[&Drift], sources: &Sources, detail: Detail) -> Vec<String> {
    let drift = block[0];
    let value = |value: &Option<Value>, none: &str| value.as_ref().map_or_else(|| none.to_owned(), |value| human(&drift.attribute, value));
    let none = match drift.attribute {
        Attribute::Config(_) => "no override",
        Attribute::Existence | Attribute::Partitions | Attribute::ReplicationFactor => "absent",
    };
    let due = drift.due_seconds.map(|seconds| format!("  MirrorMaker heals it {}", within(Some(seconds)))).unwrap_or_default();
    let (topic, at) = match block {
        [drift] => (drift.topic.to_string(), drift.place.map(|at| format!("  {}", place(at, sources))).unwrap_or_default()),
        block => (format!("{} topics", block.len()), String::new()),
    };
    if drift.class == Class::Unknown {
        return vec![format!("    {}  {topic}  could not be read{at}", drift.cluster)];
    }
    let mut lines = vec![format!(
        "    {}  {topic}  {}  {}, expected {}{due}{at}",
        drift.cluster,
        attribute(&drift.attribute),
        value(&drift.actual, none),
        value(&drift.expected, none)
    )];
    if block.len() > 1 {
        let names: Vec<_> = block.iter().map(|drift| drift.topic.as_str()).collect();
        lines.push(format!("        {}", some_of(&names, if detail.full { names.len() } else { detail.examples })));
    }
    lines
}
