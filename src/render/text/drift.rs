//! Drift in the text of a plan: grouped by class and code, with a few examples each.

use super::Detail;
use super::refusals::word;
use crate::finding::{Code, Severity, Sources};
use crate::plan::{Attribute, Class, Drift, Plan, Value};
use crate::render::words::{attribute, human, place, within};
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
        let shown = if detail.full { group.len() } else { detail.examples };
        for drift in group.iter().take(shown) {
            lines.push(example(drift, sources));
            if detail.full {
                lines.extend(texts(drift, ""));
            }
        }
        if group.len() > shown && shown > 0 {
            lines.push(format!("    and {} more  (--full lists them)", group.len() - shown));
        }
        if detail.advice && !detail.full {
            let first = texts(group[0], "");
            let is_the_same_for_all = group.iter().all(|drift| texts(drift, "") == first);
            lines.extend(if is_the_same_for_all { first } else { texts(group[0], "the first: ") });
        }
    }
    lines
}

/// What it means and what to do.
fn texts(drift: &Drift, prefix: &str) -> Vec<String> {
    [&drift.consequence, &drift.remedy].into_iter().filter(|text| !text.is_empty()).map(|text| format!("      {prefix}{text}")).collect()
}

fn example(drift: &Drift, sources: &Sources) -> String {
    let value = |value: &Option<Value>, none: &str| value.as_ref().map_or_else(|| none.to_owned(), |value| human(&drift.attribute, value));
    let none = match drift.attribute {
        Attribute::Config(_) => "no override",
        Attribute::Existence | Attribute::Partitions | Attribute::ReplicationFactor => "absent",
    };
    let due = drift.due_seconds.map(|seconds| format!("  MirrorMaker heals it {}", within(Some(seconds)))).unwrap_or_default();
    let at = drift.place.map(|at| format!("  {}", place(at, sources))).unwrap_or_default();
    format!(
        "    {}  {}  {}  {}, expected {}{due}{at}",
        drift.cluster,
        drift.topic,
        attribute(&drift.attribute),
        value(&drift.actual, none),
        value(&drift.expected, none)
    )
}
