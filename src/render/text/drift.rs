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
        let (one_meaning, one_remedy) = (is_same(&group, |drift| &drift.consequence), is_same(&group, |drift| &drift.remedy));
        for drift in group.iter().take(shown) {
            lines.push(example(drift, sources));
            if detail.advice {
                lines.extend(texts(drift, !one_meaning, !one_remedy));
            }
        }
        if group.len() > shown && shown > 0 {
            lines.push(format!("    and {} more  (--full lists them)", group.len() - shown));
        }
        if detail.advice {
            lines.extend(texts(group[0], one_meaning, one_remedy));
        }
    }
    lines
}

fn is_same<'a>(group: &[&'a Drift], text: impl Fn(&'a Drift) -> &'a String) -> bool {
    group.iter().all(|drift| text(drift) == text(group[0]))
}

fn texts(drift: &Drift, meaning: bool, remedy: bool) -> Vec<String> {
    let texts = [(meaning, &drift.consequence), (remedy, &drift.remedy)];
    texts.into_iter().filter(|(wanted, text)| *wanted && !text.is_empty()).map(|(_, text)| format!("      {text}")).collect()
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
