//! The judge: declared state, flows and live state in, a plan out. The only place where anything is decided.
//!
//! Pure: knows no cluster connection, no file, no clock, no environment and no output. The same world always gives the same plan.

mod absent;
mod acknowledge;
mod copartition;
mod copies;
mod declared;
pub mod fingerprint;
mod limits;
mod obstacles;
mod offline;
mod own_copies;
mod policies;
mod unmanaged;
mod values;

pub use offline::offline;

use crate::finding::{Effect, Finding, Severity, Stage, Subject};
use crate::kafka::name::{ClusterName, TopicName};
use crate::kafka::version::Versions;
use crate::live::{Cluster, Seen, State};
use crate::mirror::flow::Flow;
use crate::plan::{AcknowledgementSeen, Action, ClusterSeen, Coverage, Drift, FlowSeen, Plan, Prediction, Step};
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
    for (cluster, topic) in absent::topics(workspace, flows) {
        asked.entry(cluster).or_default().insert(topic);
    }
    asked
}

/// The topics whose ids a verdict rests on: those that steps change, and those that are to be deleted. A topic that is still to be made has none.
pub fn ids_wanted(workspace: &Workspace, flows: &[Flow], plan: &Plan) -> BTreeMap<ClusterName, BTreeSet<TopicName>> {
    let mut wanted: BTreeMap<ClusterName, BTreeSet<TopicName>> = BTreeMap::new();
    let changed = plan.steps.iter().filter(|step| step.action != Action::Create).map(|step| (step.cluster.clone(), step.topic.clone()));
    for (cluster, topic) in changed.chain(absent::topics(workspace, flows)) {
        wanted.entry(cluster).or_default().insert(topic);
    }
    wanted
}

/// What one declared topic contributes to the plan.
#[derive(Debug, Default)]
struct Verdict {
    steps: Vec<Step>,
    predictions: Vec<Prediction>,
    drift: Vec<Drift>,
    findings: Vec<Finding>,
    acknowledgements: Vec<AcknowledgementSeen>,
    /// Which of the workspace's acknowledgements were used.
    used_of_profiles: Vec<usize>,
    /// Whether a copy of it could not be read, so that it was not compared as a whole.
    is_partly_read: bool,
    excluded: usize,
}

/// Judges a world.
pub fn judge(world: &World<'_>) -> Plan {
    let mut plan = Plan {
        clusters: clusters_seen(world),
        flows: flows_seen(world.flows),
        declared: world.workspace.topics.len() + world.workspace.absent.len(),
        ..Plan::default()
    };
    let mut findings: Vec<Finding> = world.clusters.iter().filter_map(|cluster| cluster.state.as_ref().err()).flatten().cloned().collect();
    findings.extend(offline(world.workspace, world.flows));
    findings.extend(policies::findings(world.workspace));
    findings.extend(copartition::declared(world.workspace));
    findings.extend(declared::defaults_not_reported(world));
    findings.extend(values::too_few_replicas(world));
    let findings = world.workspace.rules.grade(findings);
    let refused: BTreeSet<_> = findings.iter().filter(|finding| finding.effect != Effect::Note).map(|finding| finding.subject.clone()).collect();
    sort_findings(&mut plan, findings);

    let collisions = declared::Collisions::of(world);
    let versions: BTreeMap<_, _> = world.clusters.iter().filter_map(|cluster| Some((&cluster.name, values::versions(cluster.state.as_ref().ok()?)))).collect();
    let mut used_of_profiles = BTreeSet::new();
    let mut existing = 0;
    for ((cluster, name), topic) in &world.workspace.topics {
        let Some(state) = world.state(cluster) else { continue };
        let is_refused = refused.contains(&Subject { cluster: Some(cluster.clone()), topic: Some(name.clone()) });
        let version = versions.get(cluster).copied().unwrap_or(Versions::ANY);
        let verdict = judge_topic(world, topic, state, (&collisions, version), is_refused);
        used_of_profiles.extend(verdict.used_of_profiles.iter().copied());
        existing += usize::from(matches!(state.topic(name), Seen::Present(_)));
        take(&mut plan, (cluster, name), state, is_refused, verdict);
    }
    for ((cluster, name), absent) in &world.workspace.absent {
        let Some(state) = world.state(cluster) else { continue };
        let mut verdict = absent::judge(world, absent, state);
        settle(world, &mut verdict, false);
        existing += usize::from(matches!(state.topic(name), Seen::Present(_)));
        take(&mut plan, (cluster, name), state, false, verdict);
    }
    let unused = world.workspace.acknowledgements.iter().enumerate().filter(|(at, _)| !used_of_profiles.contains(at));
    let mut findings: Vec<_> = unused.map(|(_, given)| acknowledge::leftover_of_profile(given)).collect();
    let profiles = world.workspace.acknowledgements.iter().enumerate();
    plan.acknowledgements
        .extend(profiles.map(|(at, given)| acknowledge::seen(None, Some(&given.profile), &given.acknowledgement, used_of_profiles.contains(&at))));
    findings.extend(copartition::copies(world, &plan));
    plan.limits = limits::seen(&plan, world.workspace, existing);
    findings.extend(limits::findings(&plan.limits));
    sort_findings(&mut plan, world.workspace.rules.grade(findings));
    plan.drift.retain(|drift| drift.severity > Severity::Off);
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

fn judge_topic(world: &World<'_>, topic: &Topic, state: &State, (collisions, versions): (&declared::Collisions<'_>, Versions), refused: bool) -> Verdict {
    let mut verdict = declared::judge(world, topic, state, collisions);
    verdict.findings.extend(values::findings(topic, state, versions));
    verdict.findings.extend(obstacles::findings(world, topic, state));
    settle(world, &mut verdict, refused);
    let of_the_source = std::mem::take(&mut verdict.findings);
    copies::judge(world, topic, state, &mut verdict);
    let of_the_copies = world.workspace.rules.grade(std::mem::replace(&mut verdict.findings, of_the_source));
    verdict.findings.extend(of_the_copies);
    verdict
}

/// Grades what was found, and drops the steps where any of it refuses them.
fn settle(world: &World<'_>, verdict: &mut Verdict, refused: bool) {
    verdict.findings = world.workspace.rules.grade(std::mem::take(&mut verdict.findings));
    if refused || verdict.findings.iter().any(|finding| finding.effect != Effect::Note) {
        verdict.steps.clear();
        verdict.acknowledgements.iter_mut().for_each(|acknowledgement| acknowledgement.used = false);
    }
}

fn take(plan: &mut Plan, (cluster, name): (&ClusterName, &TopicName), state: &State, refused: bool, verdict: Verdict) {
    let known = !matches!(state.topic(name), Seen::Unknown(_));
    let own = |subject: &Subject| subject.cluster.as_ref() == Some(cluster) && subject.topic.as_ref() == Some(name);
    let held = refused || verdict.findings.iter().any(|finding| finding.effect != Effect::Note && own(&finding.subject));
    let changed = verdict.steps.iter().any(|step| step.cluster == *cluster && step.topic == *name);
    plan.compared += usize::from(known && !verdict.is_partly_read);
    plan.unchanged += usize::from(known && !held && !changed);
    plan.steps.extend(verdict.steps);
    plan.predictions.extend(verdict.predictions);
    plan.drift.extend(verdict.drift);
    plan.acknowledgements.extend(verdict.acknowledgements);
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
