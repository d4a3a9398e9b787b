//! What a plan amounts to: one verdict that its text, its document and the exit code share.

use super::{ClusterSeen, Coverage, Plan, Verdict};
use crate::finding::{Effect, Finding, Stage};
use std::collections::BTreeSet;

/// What a plan amounts to, the strongest first: where several hold, the first one is the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Something that was asked for could not be read, so there is no verdict.
    CannotTell,
    /// Something blocks every step.
    Refused,
    /// There are steps.
    Changes,
    /// There is nothing to do.
    Nothing,
}

impl Plan {
    /// The verdict.
    pub fn outcome(&self) -> Outcome {
        if self.unobserved().next().is_some() {
            Outcome::CannotTell
        } else if self.blocking().next().is_some() {
            Outcome::Refused
        } else if self.steps.is_empty() {
            Outcome::Nothing
        } else {
            Outcome::Changes
        }
    }

    /// Findings that say what could not be read. Their severity does not matter: whoever lowers it still has not looked.
    pub fn unobserved(&self) -> impl Iterator<Item = &Finding> {
        self.findings().filter(|finding| finding.code.stage() == Stage::Unobserved)
    }

    /// Findings that keep every step from running, apart from those that say what could not be read.
    pub fn blocking(&self) -> impl Iterator<Item = &Finding> {
        self.findings().filter(|finding| finding.effect == Effect::Block && finding.code.stage() != Stage::Unobserved)
    }

    /// Findings that keep the steps of their own topic from running.
    pub fn withholding(&self) -> impl Iterator<Item = &Finding> {
        self.findings().filter(|finding| finding.effect == Effect::Withhold && finding.code.stage() != Stage::Unobserved)
    }

    /// Findings that only tell something.
    pub fn notes(&self) -> impl Iterator<Item = &Finding> {
        self.findings().filter(|finding| finding.effect == Effect::Note && finding.code.stage() != Stage::Unobserved)
    }

    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.refusals.iter().chain(&self.diagnostics)
    }

    /// How many topics (counted per cluster) are refused or held back; a refusal that is about no topic counts as one.
    pub fn refused(&self) -> usize {
        subjects(self.blocking().chain(self.withholding()))
    }

    /// How many copies MirrorMaker changes.
    pub fn copies_predicted(&self) -> usize {
        self.predictions
            .iter()
            .filter(|prediction| prediction.verdict == Verdict::Heals)
            .map(|prediction| (&prediction.cluster, &prediction.topic))
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// Clusters that could not be read at all.
    pub fn clusters_failed(&self) -> impl Iterator<Item = &ClusterSeen> {
        self.clusters.iter().filter(|cluster| cluster.coverage == Coverage::Unreachable)
    }

    /// Whether nothing blocks and every cluster was read.
    pub fn is_applyable(&self) -> bool {
        self.clusters_failed().next().is_none() && self.findings().all(|finding| finding.effect != Effect::Block)
    }

    /// Whether every declared topic was compared and nothing that was asked for stayed unknown.
    pub fn is_complete(&self) -> bool {
        self.clusters_failed().next().is_none() && self.unobserved().next().is_none() && self.compared == self.declared
    }
}

/// Distinct topics that findings are about; a finding that is about none counts as one.
pub fn subjects<'a>(findings: impl Iterator<Item = &'a Finding>) -> usize {
    let (mut topics, mut others) = (BTreeSet::new(), 0);
    for finding in findings {
        if finding.subject.topic.is_some() {
            topics.insert(&finding.subject);
        } else {
            others += 1;
        }
    }
    topics.len() + others
}
