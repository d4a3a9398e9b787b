//! Groups of co-partitioned topics: joins need equal partition counts, or equal keys meet in no task.

use super::World;
use crate::finding::{Code, Finding, Severity};
use crate::kafka::name::ClusterName;
use crate::live::Seen;
use crate::plan::{Attribute, Plan, Value};
use crate::spec::{Topic, Workspace};
use std::collections::BTreeMap;

type Group<'a> = (&'a str, &'a ClusterName);

fn groups(workspace: &Workspace) -> BTreeMap<Group<'_>, Vec<&Topic>> {
    let mut groups: BTreeMap<Group<'_>, Vec<&Topic>> = BTreeMap::new();
    for topic in workspace.topics.values() {
        if let Some(group) = &topic.copartition {
            groups.entry((&group.value, &topic.cluster)).or_default().push(topic);
        }
    }
    groups
}

/// PT004 for groups whose declared counts differ, one finding a group and cluster.
pub(super) fn declared(workspace: &Workspace) -> Vec<Finding> {
    let differing = |((group, cluster), topics): (Group<'_>, Vec<&Topic>)| {
        let counts: Vec<_> = topics.iter().map(|topic| (topic.name.as_str(), topic.partitions.value)).collect();
        let odd = odd_one(&counts)?;
        let topic = topics.iter().find(|topic| topic.name.as_str() == odd)?;
        Some(
            finding(group, cluster, &counts)
                .topic(cluster, &topic.name)
                .at(topic.partitions.place)
                .help("declare the same number of partitions for all of them"),
        )
    };
    groups(workspace).into_iter().filter_map(differing).collect()
}

/// PT004 for groups whose copies will differ once MirrorMaker has done what the plan predicts. A note: git does not own them.
pub(super) fn copies(world: &World<'_>, plan: &Plan) -> Vec<Finding> {
    let mut findings = Vec::new();
    for ((group, cluster), topics) in groups(world.workspace) {
        for flow in world.flows.iter().filter(|flow| flow.source == *cluster) {
            let Some(target) = world.state(&flow.target) else { continue };
            let count = |topic: &&Topic| {
                let name = flow.copy_name(&topic.name);
                let predicted = plan
                    .predictions
                    .iter()
                    .find(|prediction| prediction.cluster == flow.target && prediction.topic == name && prediction.attribute == Attribute::Partitions);
                match (predicted.and_then(|prediction| prediction.after.as_ref()), target.topic(&name)) {
                    (Some(Value::Count(count)), _) => Some((name.to_string(), *count)),
                    (Some(Value::Text(_)) | None, Seen::Present(live)) => Some((name.to_string(), live.partitions)),
                    (Some(Value::Text(_)) | None, Seen::Absent | Seen::Unknown(_)) => None,
                }
            };
            let counts: Vec<_> = topics.iter().filter_map(count).collect();
            let counts: Vec<_> = counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
            let declared_equal = topics.iter().all(|topic| topic.partitions.value == topics[0].partitions.value);
            if let Some(odd) = odd_one(&counts).filter(|_| declared_equal) {
                let place = topics.iter().find(|topic| flow.copy_name(&topic.name).as_str() == odd).map(|topic| topic.place);
                findings.push(
                    finding(group, &flow.target, &counts)
                        .topic(&flow.target, &odd.into())
                        .at(place)
                        .noting(Severity::Warning)
                        .help("grow the sources up to their largest copy"),
                );
            }
        }
    }
    findings
}

fn finding(group: &str, cluster: &ClusterName, counts: &[(&str, u32)]) -> Finding {
    let counts = counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ");
    Finding::new(Code::Pt004, format!("the co-partitioned topics of group {group} on {cluster} differ in partitions ({counts}): joins of them miss records"))
}

/// The first topic whose count is not the most frequent one; `None` where all are equal.
fn odd_one<'a>(counts: &[(&'a str, u32)]) -> Option<&'a str> {
    let mut frequencies: BTreeMap<u32, usize> = BTreeMap::new();
    counts.iter().for_each(|(_, count)| *frequencies.entry(*count).or_default() += 1);
    let usual = frequencies.iter().max_by_key(|(count, frequency)| (**frequency, **count)).map(|(count, _)| *count)?;
    counts.iter().find(|(_, count)| *count != usual).map(|(name, _)| *name)
}
