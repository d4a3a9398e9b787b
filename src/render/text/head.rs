//! The first two lines and the last ones: the verdict, what it is about, and how many of everything.

use super::{Detail, Heading};
use crate::finding::{Finding, Sources};
use crate::live::{ClusterKind, Instant};
use crate::plan::{Action, ClusterSeen, Coverage, FlowSeen, Outcome, Plan, Verdict, subjects};
use crate::render::words::{age, count, minute, place, some_of};
use std::collections::BTreeSet;

pub(super) fn verdict(plan: &Plan, sources: &Sources) -> String {
    match plan.outcome() {
        Outcome::CannotTell => cannot_tell(plan),
        Outcome::Refused => refused(plan, sources),
        Outcome::Changes => {
            let followed: BTreeSet<_> = plan
                .predictions
                .iter()
                .filter(|prediction| prediction.caused_by_step && prediction.verdict == Verdict::Heals)
                .map(|prediction| (&prediction.cluster, &prediction.topic))
                .collect();
            let copies = match followed.len() {
                0 => String::new(),
                copies => format!("; MirrorMaker follows on {}", count(copies, "copy")),
            };
            format!("CHANGES: {}{copies}.{}", steps(plan), held_back(plan))
        }
        Outcome::Nothing if plan.declared == 0 => "NOTHING DECLARED: no file declares a topic, so nothing was compared.".to_owned(),
        Outcome::Nothing => {
            let declared = count(plan.declared, "declared topic");
            let drift = match plan.drift.len() {
                0 => String::new(),
                1 => " 1 difference has no step (see Drift).".to_owned(),
                drift => format!(" {drift} differences have no step (see Drift)."),
            };
            format!("No changes to the {declared}.{}{drift}", held_back(plan))
        }
    }
}

fn cannot_tell(plan: &Plan) -> String {
    let unread: BTreeSet<_> =
        plan.unobserved().filter(|finding| finding.subject.topic.is_none()).filter_map(|finding| finding.subject.cluster.as_ref()).collect();
    let unread: Vec<_> = unread.into_iter().map(|name| name.as_str()).collect();
    let what = match unread.len() {
        0 => match subjects(plan.unobserved()) {
            1 => "1 topic could not be read".to_owned(),
            topics => format!("{topics} topics could not be read"),
        },
        1 => format!("cluster {} could not be read", unread[0]),
        _ => format!("clusters {} could not be read", some_of(&unread, 5)),
    };
    let refused = match subjects(plan.blocking()) {
        0 => String::new(),
        refusals => format!(" {refusals} refused as well."),
    };
    let known = if plan.steps.is_empty() { String::new() } else { format!(" What could be read: {}.", steps(plan)) };
    format!("CANNOT TELL: {what}.{refused}{known}")
}

fn refused(plan: &Plan, sources: &Sources) -> String {
    let blocking: Vec<&Finding> = plan.blocking().collect();
    let topics = subjects(blocking.iter().copied().filter(|finding| finding.subject.topic.is_some()));
    let what = match (topics, blocking.iter().find(|finding| finding.subject.topic.is_none())) {
        (0, Some(other)) => other.code.title().to_owned(),
        (topics, None) => count(topics, "topic"),
        (topics, Some(other)) => format!("{}, and {}", count(topics, "topic"), other.code.title()),
    };
    let places: BTreeSet<_> = blocking.iter().filter_map(|finding| finding.place).map(|at| (sources.path(at.file), at)).collect();
    let until = match (places.first(), places.len()) {
        (None, _) => String::new(),
        (Some((_, at)), 1) => format!(" until {} is mended", place(*at, sources)),
        (Some((_, at)), 2) => format!(" until {} and 1 more place are mended", place(*at, sources)),
        (Some((_, at)), all) => format!(" until {} and {} more places are mended", place(*at, sources), all - 1),
    };
    format!("REFUSED: {what}. Nothing will be written{until}.")
}

fn held_back(plan: &Plan) -> String {
    match subjects(plan.withholding()) {
        0 => String::new(),
        1 => " 1 topic is held back.".to_owned(),
        topics => format!(" {topics} topics are held back."),
    }
}

/// `1 create, 812 configure`.
fn steps(plan: &Plan) -> String {
    let of = |action| plan.steps.iter().filter(|step| step.action == action).count();
    let counts = [Action::Create, Action::Grow, Action::Configure, Action::Delete].map(|action| (of(action), action.as_str()));
    let counts: Vec<_> = counts.into_iter().filter(|(number, _)| *number > 0).map(|(number, action)| format!("{number} {action}")).collect();
    if counts.is_empty() { "no steps".to_owned() } else { counts.join(", ") }
}

pub(super) fn subject(plan: &Plan, heading: Heading<'_>) -> String {
    let commit = match (heading.commit, heading.dirty) {
        (Some(commit), false) => commit.chars().take(7).collect(),
        (Some(commit), true) => commit.chars().take(7).chain(" with uncommitted edits".chars()).collect(),
        (None, _) => "no commit".to_owned(),
    };
    let (sources, others): (Vec<_>, Vec<_>) = plan.clusters.iter().partition(|seen| seen.is_source);
    let clusters = sources.into_iter().chain(others).map(|seen| cluster(seen, heading.now)).collect::<Vec<_>>().join(", ");
    let mut parts = vec![heading.workspace.to_owned(), commit, clusters];
    parts.extend(plan.flows.iter().map(|one| flow(one, plan.flows.len() > 1)));
    parts.retain(|part| !part.is_empty());
    parts.join(" | ")
}

fn cluster(seen: &ClusterSeen, now: Instant) -> String {
    let kind = match (seen.kind, &seen.id) {
        (ClusterKind::Simulated, _) => " SIMULATED".to_owned(),
        (ClusterKind::Snapshot, _) => format!(" SNAPSHOT of {}, {},", minute(seen.observed_at), age(seen.observed_at, now)),
        (ClusterKind::Kafka, Some(id)) => format!(" {}", id.chars().take(8).collect::<String>()),
        (ClusterKind::Kafka, None) => String::new(),
    };
    let status = match (seen.coverage, seen.topics) {
        (Coverage::Unreachable, _) => " NOT READ".to_owned(),
        (Coverage::Complete, Some(topics)) => format!(" {}", count(topics, "topic")),
        (Coverage::Partial, Some(topics)) => format!(" {}, others not readable", count(topics, "topic")),
        (Coverage::Complete | Coverage::Partial, None) => String::new(),
    };
    format!("{}{kind}{status}", seen.name)
}

fn flow(flow: &FlowSeen, is_one_of_many: bool) -> String {
    let version = flow.version.as_deref().unwrap_or("of unknown version");
    let between = if is_one_of_many { format!(" {}->{}", flow.source, flow.target) } else { String::new() };
    format!("MM2 {version}{between} active, copies are {}{}<topic>", flow.source_alias, flow.separator)
}

pub(super) fn unmanaged(plan: &Plan, detail: Detail) -> Vec<String> {
    if !detail.full || plan.unmanaged.count == 0 {
        return Vec::new();
    }
    let names = match &plan.unmanaged.names {
        Some(names) => names.iter().map(|(cluster, topic)| format!("    {cluster}  {topic}")).collect(),
        None => vec![format!("    {}, which only a plan made with --full names", count(plan.unmanaged.count, "topic"))],
    };
    std::iter::once("Unmanaged: nobody declared these".to_owned()).chain(names).collect()
}

pub(super) fn counts(plan: &Plan) -> String {
    let refused = match plan.refused() {
        0 => String::new(),
        refused => format!(", {refused} refused"),
    };
    let mut parts = vec![format!("{}{refused}", steps(plan))];
    let copies = plan.copies_predicted();
    if copies > 0 {
        parts.push(format!("MirrorMaker: {}", count(copies, "copy")));
    }
    let others = [(plan.unchanged, "unchanged"), (plan.drift.len(), "drifted"), (plan.unmanaged.count, "unmanaged"), (plan.excluded, "excluded by design")];
    let others: Vec<_> = others.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    if !others.is_empty() {
        parts.push(others.join(", "));
    }
    format!("{} | fingerprint {}", parts.join("; "), plan.fingerprint)
}
