//! Topics that shall be gone: deleted only with their id, and only where nothing brings them back.

use super::acknowledge::to_write;
use super::{Verdict, World, fingerprint};
use crate::finding::{Code, Finding};
use crate::kafka::name::{ClusterName, TopicName};
use crate::live::{self, Seen, State};
use crate::mirror::flow::Flow;
use crate::mirror::select::{Selection, selection};
use crate::plan::{Action, Attribute, Before, ChangeOrigin, Field, Reason, Step, Value};
use crate::spec::{Absent, Change, Workspace};

/// The wave of DESIGN section 7 in which topics are deleted.
const DELETE_WAVE: u8 = 6;

/// Every topic that a deletion depends on: those declared absent, their copies that are, and the topics that they are copies of.
pub(super) fn topics(workspace: &Workspace, flows: &[Flow]) -> Vec<(ClusterName, TopicName)> {
    let mut topics = Vec::new();
    for absent in workspace.absent.values() {
        topics.push((absent.cluster.clone(), absent.name.clone()));
        for flow in flows {
            if flow.source == absent.cluster && absent.copies.iter().any(|target| target.value == flow.target) {
                topics.push((flow.target.clone(), flow.copy_name(&absent.name)));
            }
            if let Some(upstream) = flow.upstream_name(absent.name.as_str()).filter(|_| flow.target == absent.cluster) {
                topics.push((flow.source.clone(), upstream.into()));
            }
        }
    }
    topics
}

/// Judges one topic that is declared absent, and those of its copies that are.
pub(super) fn judge(world: &World<'_>, absent: &Absent, state: &State) -> Verdict {
    let mut verdict = Verdict::default();
    match state.topic(&absent.name) {
        Seen::Unknown(why) => verdict.findings.push(unreadable(absent, &absent.cluster, &absent.name, why)),
        Seen::Absent => verdict.findings.extend(absent.acknowledgement.as_ref().map(|given| {
            Finding::new(Code::Ak004, format!("{} is gone, so the acknowledgement of its deletion is left over", absent.name))
                .topic(&absent.cluster, &absent.name)
                .at(given.place)
                .help("take the topic out of the file")
        })),
        Seen::Present(live) => source(world, absent, state, live, &mut verdict),
    }
    let used = !verdict.steps.is_empty();
    verdict.acknowledgements =
        absent.acknowledgement.iter().map(|given| super::acknowledge::seen(Some((&absent.cluster, &absent.name)), None, given, used)).collect();
    for target in &absent.copies {
        for flow in world.flows.iter().filter(|flow| flow.source == absent.cluster && flow.target == target.value) {
            copy(world, absent, flow, &mut verdict);
        }
    }
    verdict
}

fn source(world: &World<'_>, absent: &Absent, state: &State, live: &live::Topic, verdict: &mut Verdict) {
    let (cluster, name) = (&absent.cluster, &absent.name);
    let refuse = |code, message: String| Finding::new(code, message).topic(cluster, name);
    let given = absent.acknowledgement.as_ref();
    let agreed = given.and_then(|given| match &given.change {
        Change::Delete { topic_id } => Some(topic_id),
        Change::Partitions { .. } | Change::Config { .. } => None,
    });
    let help = live.id.as_ref().map_or_else(
        || "this cluster tells no topic ids, so topics are not deleted on it".to_owned(),
        |id| format!("if it shall really go, add acknowledge: {{{}}}", to_write(&Change::Delete { topic_id: id.clone() })),
    );
    match (agreed, &live.id) {
        (Some(agreed), Some(id)) if agreed == id => {}
        (Some(agreed), _) => verdict.findings.push(
            refuse(Code::Dl001, format!("{name} on {cluster} is not the topic {agreed} whose deletion is acknowledged: it was made anew under that name"))
                .at(given.map_or(absent.place, |given| given.place))
                .help(help),
        ),
        (None, _) => verdict.findings.push(
            refuse(Code::Dl001, format!("{name} on {cluster} is declared absent and exists, and nobody acknowledged that all its records are deleted"))
                .at(absent.place)
                .help(help),
        ),
    }
    if let Some(flow) = world.flows.iter().find(|flow| flow.target == *cluster && is_remade(world, flow, name.as_str())) {
        verdict.findings.push(
            refuse(Code::Dl002, format!("MirrorMaker would make {name} on {cluster} anew, because it is the copy of a topic that {} has", flow.source))
                .at(absent.place)
                .help("delete the source topic first, or stop mirroring it (topics.exclude)"),
        );
    }
    let auto_creates = state.broker_configs.get("auto.create.topics.enable").is_none_or(|value| value != "false");
    if let Some(flow) = world.flows.iter().find(|flow| flow.source == *cluster && !matches!(selection(flow, name.as_str()), Selection::Not(_)))
        && auto_creates
    {
        verdict.findings.push(
            refuse(
                Code::Dl004,
                format!(
                    "MirrorMaker reads {name} for {}, and its consumer makes the deleted topic anew within seconds, empty, because {cluster} may auto-create topics",
                    flow.target
                ),
            )
            .at(absent.place)
            .help("stop mirroring the topic first (topics.exclude), pause the connector, or set auto.create.topics.enable=false on the brokers"),
        );
    }
    verdict.steps.push(step(world, absent, cluster, name, live, given.map(|given| given.reason.clone()), Vec::new()));
}

/// Whether MirrorMaker makes a copy of that name again: the flow mirrors the topic that it would be the copy of, and that topic may be there.
fn is_remade(world: &World<'_>, flow: &Flow, copy: &str) -> bool {
    let Some(upstream) = flow.upstream_name(copy) else { return false };
    let gone = world.state(&flow.source).is_some_and(|source| matches!(source.topic(&upstream.into()), Seen::Absent));
    !gone && !matches!(selection(flow, upstream), Selection::Not(_))
}

/// A copy is the last backup: it goes only where it is declared absent too, and only once MirrorMaker cannot make it anew.
fn copy(world: &World<'_>, absent: &Absent, flow: &Flow, verdict: &mut Verdict) {
    let name = flow.copy_name(&absent.name);
    let Some(target) = world.state(&flow.target) else { return };
    let live = match target.topic(&name) {
        Seen::Absent => return,
        Seen::Unknown(why) => return verdict.findings.push(unreadable(absent, &flow.target, &name, why)),
        Seen::Present(live) => live,
    };
    // A copy goes after its source; where that is refused, the copy is refused with it.
    let deletes_source: Vec<_> = verdict.steps.iter().filter(|step| step.cluster == absent.cluster).map(|step| step.id.clone()).collect();
    verdict.steps.push(step(world, absent, &flow.target, &name, live, absent.acknowledgement.as_ref().map(|given| given.reason.clone()), deletes_source));
}

fn unreadable(absent: &Absent, cluster: &ClusterName, name: &TopicName, why: &str) -> Finding {
    Finding::new(Code::En005, format!("{name} on {cluster} could not be read: {why}; whether it is gone is unknown"))
        .topic(cluster, name)
        .at(absent.place)
        .withholding()
        .help("give the principal Describe on the topic")
}

fn step(
    world: &World<'_>,
    absent: &Absent,
    cluster: &ClusterName,
    name: &TopicName,
    live: &live::Topic,
    acknowledged_by: Option<String>,
    depends_on: Vec<String>,
) -> Step {
    let existence = Field {
        attribute: Attribute::Existence,
        before: Before { own: Some(Value::Text("present".to_owned())), effective: None, origin: None },
        after: None,
        place: Some(absent.place),
        profile: None,
    };
    let mut step = Step {
        id: String::new(),
        cluster: cluster.clone(),
        topic: name.clone(),
        topic_id: live.id.clone(),
        action: Action::Delete,
        reason: Reason::Present,
        origin: ChangeOrigin::Unknown,
        fields: vec![existence],
        wave: DELETE_WAVE,
        depends_on,
        acknowledged_by,
        reversible: false,
        owner: absent.owner.clone(),
        place: absent.place,
    };
    step.id = fingerprint::of_step(&step, world.clusters.iter().find(|one| one.name == *cluster));
    step
}
