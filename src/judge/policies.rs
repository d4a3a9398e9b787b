//! Policies of the workspace: what every topic has to keep to, whoever declares it.

use crate::finding::{Code, Finding};
use crate::kafka::config;
use crate::spec::{Bounds, Keys, Policy, Required, Topic, Workspace};
use std::fmt::Display;

/// PO001 for every rule that a declared topic breaks.
pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    let topics = workspace.topics.values();
    topics
        .flat_map(|topic| workspace.policies.iter().filter(|policy| policy.topics.matches(topic.name.as_str())).flat_map(|policy| broken(topic, policy)))
        .collect()
}

fn broken(topic: &Topic, policy: &Policy) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut tell = |place, what: String, help: String| {
        findings.push(
            Finding::new(Code::Po001, format!("{} breaks a policy of this workspace: {what}", topic.name))
                .topic(&topic.cluster, &topic.name)
                .at(place)
                .and_at(policy.place, "the policy")
                .help(help),
        );
    };
    if let Some((written, pattern)) = &policy.name
        && !pattern.is_match(topic.name.as_str())
    {
        tell(topic.place, format!("its name does not match {written}"), "choose a name that matches".to_owned());
    }
    let counts = [("partitions", topic.partitions, policy.partitions), ("replication_factor", topic.replication_factor, policy.replication_factor)];
    for (field, count, bounds) in counts {
        if let Some(bound) = outside(count.value, bounds) {
            tell(count.place, format!("{field} is {}, and {bound}", count.value), format!("declare {field} within the policy's bounds"));
        }
    }
    for required in &policy.require {
        let (field, missing) = match required {
            Required::Owner => ("owner", topic.owner.is_none()),
            Required::Keys => ("keys", topic.keys == Keys::Unknown),
        };
        if missing {
            tell(topic.place, format!("it declares no {field}"), format!("declare {field} at the topic, in a profile or in the defaults"));
        }
    }
    for (key, bounds) in &policy.config {
        let Some((wanted, value)) = topic.config.get(key).and_then(|wanted| Some((wanted, wanted.value.as_ref()?))) else { continue };
        let kind = config::kind(key.as_str());
        let shown = |number: i64| kind.human(&number.to_string());
        // -1 keeps everything: more than any bound.
        let number = value.parse::<i64>().ok().map(|number| if number == -1 && key.as_str().starts_with("retention.") { i64::MAX } else { number });
        if let Some(bound) = number.and_then(|number| outside_of(number, *bounds, shown)) {
            tell(wanted.place, format!("{key} is {}, and {bound}", kind.human(value)), format!("declare {key} within the policy's bounds"));
        }
    }
    findings
}

fn outside<T: Copy + Ord + Display>(value: T, bounds: Bounds<T>) -> Option<String> {
    outside_of(value, bounds, |bound| bound.to_string())
}

fn outside_of<T: Copy + Ord>(value: T, bounds: Bounds<T>, shown: impl Fn(T) -> String) -> Option<String> {
    match (bounds.min, bounds.max) {
        (Some(min), _) if value < min => Some(format!("at least {} is allowed", shown(min))),
        (_, Some(max)) if value > max => Some(format!("at most {} is allowed", shown(max))),
        (Some(_) | None, Some(_) | None) => None,
    }
}
