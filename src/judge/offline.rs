//! Verdicts that need no cluster: names, and whether flows mirror what should be mirrored.

use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{ClusterName, TopicName, collision_form, internal_purpose};
use crate::mirror::flow::Flow;
use crate::mirror::own_topics;
use crate::mirror::select::{Selection, Why, selection};
use crate::spec::{MirrorWish, Topic, Workspace};
use std::collections::BTreeMap;

/// Kafka's limit for the length of a topic name (`Topic.MAX_NAME_LENGTH`).
const LONGEST_NAME: usize = 249;

/// Everything that the files alone decide about names and mirroring.
pub fn offline(workspace: &Workspace, flows: &[Flow]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut forms: BTreeMap<(&ClusterName, String), &Topic> = BTreeMap::new();
    for topic in workspace.topics.values() {
        if let Some(finding) = internal(&topic.cluster, &topic.name, topic.place, flows) {
            // That a topic is not mirrored which should not be here at all is one thing, not two.
            findings.push(finding);
            continue;
        }
        findings.extend(copy(topic, flows));
        if let Some(first) = forms.insert((&topic.cluster, collision_form(topic.name.as_str())), topic) {
            findings.push(collision(topic, &first.name).and_at(first.place, "the other topic"));
        }
        for flow in flows.iter().filter(|flow| flow.source == topic.cluster) {
            findings.extend(mirroring(topic, flow));
        }
    }
    findings.extend(workspace.absent.values().filter_map(|absent| internal(&absent.cluster, &absent.name, absent.place, flows)));
    findings
}

/// NM002 for a topic whose name equals another but for `.` and `_`.
pub(super) fn collision(topic: &Topic, other: &TopicName) -> Finding {
    Finding::new(
        Code::Nm002,
        format!("{} collides with {other} on {}: they differ only in '.' and '_', and Kafka refuses the second of two such names", topic.name, topic.cluster),
    )
    .topic(&topic.cluster, &topic.name)
    .at(topic.place)
    .help("choose a name that differs in more than '.' and '_'")
}

/// NM003 for a topic that is declared, or declared absent, and is Kafka's or MirrorMaker's own.
fn internal(cluster: &ClusterName, topic: &TopicName, place: Place, flows: &[Flow]) -> Option<Finding> {
    let purpose = internal_purpose(topic.as_str()).or_else(|| own_topics::purpose(flows, cluster, topic.as_str()))?;
    let finding = Finding::new(Code::Nm003, format!("{topic} holds {purpose}, so it must not be declared"));
    Some(finding.topic(cluster, topic).at(place).help("remove it from the file"))
}

fn copy(topic: &Topic, flows: &[Flow]) -> Option<Finding> {
    let of = |flow: &&Flow| {
        flow.target == topic.cluster && flow.upstream_name(topic.name.as_str()).is_some_and(|upstream| !matches!(selection(flow, upstream), Selection::Not(_)))
    };
    let flow = flows.iter().find(of)?;
    let upstream = flow.upstream_name(topic.name.as_str())?;
    let finding = Finding::new(
        Code::Mr002,
        format!(
            "{} on {} is MirrorMaker's copy of {upstream} on {}: if git declares it too, the two overwrite each other",
            topic.name, flow.target, flow.source
        ),
    );
    Some(finding.topic(&topic.cluster, &topic.name).at(topic.place).help(format!("declare {upstream} on {} instead, and remove this one", flow.source)))
}

fn mirroring(topic: &Topic, flow: &Flow) -> Option<Finding> {
    let place = match &topic.mirror {
        MirrorWish::Every => topic.place,
        MirrorWish::Never(place) | MirrorWish::Only(_, place) => *place,
    };
    let to = format!("from {} to {}", flow.source, flow.target);
    let finding = match (is_wanted(topic, flow), selection(flow, topic.name.as_str())) {
        (true, Selection::Not(Why::Cycle)) => Finding::new(Code::Mr005, format!("{} is never mirrored {to}: {}", topic.name, Why::Cycle))
            .help("choose a name that does not start with an alias, or write `mirror: false` if it needs no copy"),
        (true, Selection::Not(why)) => Finding::new(Code::Mr003, format!("{} is not mirrored {to}, and should be: {why}", topic.name))
            .help("choose another name, or write `mirror: false` if it needs no copy"),
        (true, Selection::Selected) if flow.is_blind() => Finding::new(
            Code::Mr005,
            format!(
                "MirrorMaker does not recognise its own copy of {} on {}: the alias {:?} contains the separator, so the copy is created once and then never grown or synced",
                topic.name, flow.target, flow.source_alias
            ),
        )
        .help("give MirrorMaker an alias without '.'"),
        (true, Selection::Selected) if flow.copy_name(&topic.name).as_str().len() > LONGEST_NAME => Finding::new(
            Code::Mr005,
            format!("the copy of {} on {} would have a name of {} characters, and Kafka takes at most {LONGEST_NAME}", topic.name, flow.target, flow.copy_name(&topic.name).as_str().len()),
        )
        .help("choose a shorter name, or write `mirror: false` if it needs no copy"),
        (false, Selection::Selected) => Finding::new(Code::Mr004, format!("{} is mirrored {to}, and `mirror` says that it must not be", topic.name))
            .help("exclude it in MirrorMaker's topics.exclude, or change `mirror` of the topic"),
        (_, Selection::Unknown) => Finding::new(
            Code::Mr009,
            format!("whether {} is mirrored {to} depends on the version of MirrorMaker, which is not given, so nothing is said of its copy", topic.name),
        )
        .help("add version: \"4.0\" (the one that runs) under mm2"),
        (true, Selection::Selected) | (false, Selection::Not(_)) => return None,
    };
    Some(finding.topic(&topic.cluster, &topic.name).at(place))
}

fn is_wanted(topic: &Topic, flow: &Flow) -> bool {
    match &topic.mirror {
        MirrorWish::Every => true,
        MirrorWish::Never(_) => false,
        MirrorWish::Only(targets, _) => targets.iter().any(|target| target.value == flow.target),
    }
}
