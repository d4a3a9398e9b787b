//! The judge: declared state, flows and live state in, a plan out. The only place where anything is decided.
//!
//! Pure: knows no cluster connection, no file, no clock, no environment and no output. The same world always gives the same plan.

mod acknowledge;
mod copies;
mod declared;
pub mod fingerprint;
mod offline;
mod unmanaged;

pub use offline::offline;

use crate::finding::{Effect, Finding, Stage, Subject};
use crate::kafka::name::{ClusterName, TopicName};
use crate::live::{Cluster, Seen, State};
use crate::mirror::flow::Flow;
use crate::plan::{AcknowledgementSeen, ClusterSeen, Coverage, Drift, FlowSeen, Plan, Prediction, Step};
use crate::spec::{Day, Topic, Workspace};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that a verdict rests on.
#[derive(Debug)]
pub struct World<'a> {
    /// What is declared.
    pub workspace: &'a Workspace,
    /// The flows between its clusters.
    pub flows: &'a [Flow],
    /// What the clusters reported.
    pub clusters: &'a [Cluster],
    /// Today, UTC: acknowledgements expire.
    pub today: Day,
}

impl<'a> World<'a> {
    /// What a cluster reported, where it was read.
    fn state(&self, name: &ClusterName) -> Option<&'a State> {
        self.clusters.iter().find(|cluster| cluster.name == *name).and_then(|cluster| cluster.state.as_ref().ok())
    }
}

/// The topics to read on each cluster for a verdict: those declared, and the copies that flows make of them.
pub fn asked(workspace: &Workspace, flows: &[Flow]) -> BTreeMap<ClusterName, BTreeSet<TopicName>> {
    let mut asked: BTreeMap<ClusterName, BTreeSet<TopicName>> = workspace.clusters.keys().map(|name| (name.clone(), BTreeSet::new())).collect();
    for (cluster, topic) in workspace.topics.keys() {
        asked.entry(cluster.clone()).or_default().insert(topic.clone());
        for flow in copies::flows_of(flows, cluster, topic) {
            asked.entry(flow.target.clone()).or_default().insert(flow.copy_name(topic));
        }
    }
    asked
}

/// What one declared topic contributes to the plan.
#[derive(Debug, Default)]
struct Verdict {
    steps: Vec<Step>,
    predictions: Vec<Prediction>,
    drift: Vec<Drift>,
    findings: Vec<Finding>,
    acknowledgement: Option<AcknowledgementSeen>,
    excluded: usize,
}

/// Judges a world.
pub fn judge(world: &World<'_>) -> Plan {
    let mut plan = Plan { clusters: clusters_seen(world), flows: flows_seen(world.flows), declared: world.workspace.topics.len(), ..Plan::default() };
    let mut findings: Vec<Finding> = world.clusters.iter().filter_map(|cluster| cluster.state.as_ref().err()).flatten().cloned().collect();
    findings.extend(offline(world.workspace, world.flows));
    findings.extend(declared::defaults_not_reported(world));
    let findings = world.workspace.rules.grade(findings);
    let refused: BTreeSet<_> = findings.iter().filter(|finding| finding.effect != Effect::Note).map(|finding| finding.subject.clone()).collect();
    sort_findings(&mut plan, findings);

    let collisions = declared::Collisions::of(world);
    for ((cluster, name), topic) in &world.workspace.topics {
        let Some(state) = world.state(cluster) else { continue };
        let known = !matches!(state.topic(name), Seen::Unknown(_));
        let is_refused = refused.contains(&Subject { cluster: Some(cluster.clone()), topic: Some(name.clone()) });
        let verdict = judge_topic(world, topic, state, &collisions, is_refused);
        plan.compared += usize::from(known);
        plan.unchanged +=
            usize::from(known && verdict.steps.is_empty() && verdict.findings.iter().all(|finding| finding.effect == Effect::Note) && !is_refused);
        take(&mut plan, verdict);
    }
    plan.unmanaged = unmanaged::unmanaged(world).into();
    plan.steps.sort_by(|a, b| (a.wave, &a.cluster, &a.topic, a.action).cmp(&(b.wave, &b.cluster, &b.topic, b.action)));
    plan.predictions.sort_by(|a, b| (&a.cluster, &a.topic, &a.attribute).cmp(&(&b.cluster, &b.topic, &b.attribute)));
    plan.drift.sort_by(|a, b| {
        (std::cmp::Reverse(a.severity), a.class, &a.cluster, &a.topic, &a.attribute).cmp(&(
            std::cmp::Reverse(b.severity),
            b.class,
            &b.cluster,
            &b.topic,
            &b.attribute,
        ))
    });
    for list in [&mut plan.refusals, &mut plan.diagnostics] {
        list.sort_by(|a, b| (std::cmp::Reverse(a.severity), a.code, &a.subject, a.place).cmp(&(std::cmp::Reverse(b.severity), b.code, &b.subject, b.place)));
    }
    plan.fingerprint = fingerprint::of_steps(plan.steps.iter().map(|step| step.id.as_str()));
    plan
}

fn judge_topic(world: &World<'_>, topic: &Topic, state: &State, collisions: &declared::Collisions, refused: bool) -> Verdict {
    let mut verdict = declared::judge(world, topic, state, collisions);
    verdict.findings.extend(copies::obstacles(world, topic, state));
    verdict.findings = world.workspace.rules.grade(std::mem::take(&mut verdict.findings));
    if refused || verdict.findings.iter().any(|finding| finding.effect != Effect::Note) {
        verdict.steps.clear();
        if let Some(acknowledgement) = &mut verdict.acknowledgement {
            acknowledgement.used = false;
        }
    }
    copies::judge(world, topic, state, &mut verdict);
    verdict
}

fn take(plan: &mut Plan, verdict: Verdict) {
    plan.steps.extend(verdict.steps);
    plan.predictions.extend(verdict.predictions);
    plan.drift.extend(verdict.drift);
    plan.acknowledgements.extend(verdict.acknowledgement);
    plan.excluded += verdict.excluded;
    sort_findings(plan, verdict.findings);
}

fn sort_findings(plan: &mut Plan, findings: Vec<Finding>) {
    // A cluster that could not be read refuses nothing: it leaves the run without a verdict.
    let unread = |finding: &Finding| finding.code.stage() == Stage::Unobserved && finding.subject.topic.is_none();
    let (notes, refusals): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.effect == Effect::Note || unread(finding));
    plan.diagnostics.extend(notes);
    plan.refusals.extend(refusals);
}

fn clusters_seen(world: &World<'_>) -> Vec<ClusterSeen> {
    let seen = |cluster: &Cluster| ClusterSeen {
        name: cluster.name.clone(),
        kind: cluster.kind,
        id: cluster.id.clone(),
        observed_at: cluster.observed_at,
        coverage: match &cluster.state {
            Err(_) => Coverage::Unreachable,
            Ok(state) if state.is_complete() => Coverage::Complete,
            Ok(_) => Coverage::Partial,
        },
        topics: cluster.state.as_ref().ok().map(|state| state.topics.len()),
        is_source: world.flows.iter().any(|flow| flow.source == cluster.name),
        is_target: world.flows.iter().any(|flow| flow.target == cluster.name),
    };
    world.clusters.iter().map(seen).collect()
}

fn flows_seen(flows: &[Flow]) -> Vec<FlowSeen> {
    let seen = |flow: &Flow| FlowSeen {
        source: flow.source.clone(),
        target: flow.target.clone(),
        source_alias: flow.source_alias.clone(),
        separator: crate::mirror::flow::SEPARATOR.to_owned(),
        version: flow.version.map(|version| version.to_string()),
    };
    flows.iter().map(seen).collect()
}
