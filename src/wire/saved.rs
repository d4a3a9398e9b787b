//! From a saved document back to the plan in it, so that it reads, and is judged, as it was when it was made.
//!
//! Of the files only the positions are known that the document names, which is all that a plan needs of them.

use super::findings::{Diagnostic, Scope};
use super::plan::{Acknowledgement, Cluster, Document, Drift, Field, Limits, Mirror, Prediction, Step, Unmanaged, Value};
use super::reading::{Misread, says, versioned};
use super::words::Word;
use crate::finding::{Effect, FileId, Finding, Place, Sources, Subject};
use crate::kafka::name::{ClusterName, TopicName};
use crate::live::Instant;
use crate::plan::{self, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// What a plan's document says that it is.
pub(super) const MODE: &str = "plan";

/// A plan that was read back.
#[derive(Debug)]
pub struct Saved {
    /// The plan. Where the files could not be judged (`errored`), nothing but its diagnostics.
    pub plan: Plan,
    /// The files, by the positions that the plan names.
    pub sources: Sources,
}

impl Document {
    /// Reads a file's text.
    pub fn parse(text: &str) -> Result<Self, Misread> {
        let document: Self = versioned(text)?;
        if document.mode == MODE { Ok(document) } else { Err(Misread::as_a_whole(format!("it has mode {:?}, and a plan has {MODE:?}", document.mode))) }
    }

    /// Whether a text is such a document, of whatever version.
    pub fn is_one(text: &str) -> bool {
        says(text, "mode", MODE)
    }

    /// The plan in it.
    pub fn reopen(&self) -> Saved {
        let places = Places::of(self);
        let plan = Plan {
            clusters: self.clusters.iter().map(cluster).collect(),
            flows: self.mirrors.iter().map(flow).collect(),
            steps: self.steps.iter().map(|one| step(one, &places)).collect(),
            predictions: self.predictions.iter().map(prediction).collect(),
            refusals: self.refusals.iter().map(|one| finding(one, &places)).collect(),
            drift: self.drift.iter().map(|one| drift(one, self.observed_at(&one.cluster), &places)).collect(),
            diagnostics: self.diagnostics.iter().map(|one| finding(one, &places)).collect(),
            acknowledgements: self.acknowledgements.iter().map(acknowledgement).collect(),
            limits: self.limits.as_ref().map(limits).unwrap_or_default(),
            unmanaged: unmanaged(&self.unmanaged),
            excluded: self.coverage.excluded,
            declared: self.coverage.topics_total,
            compared: self.coverage.compared,
            unchanged: self.summary.unchanged,
            fingerprint: self.fingerprint.clone().unwrap_or_default(),
        };
        Saved { plan, sources: places.sources }
    }

    fn observed_at(&self, name: &str) -> Instant {
        self.clusters.iter().find(|cluster| cluster.name == name).map_or(self.created_at.0, |cluster| cluster.observed_at.0)
    }

    /// Every position that the document names.
    fn positions(&self) -> impl Iterator<Item = (&str, u32, u32)> {
        let fields = self.steps.iter().flat_map(|step| &step.fields).filter_map(|field| field.written_at.as_ref());
        let findings = || self.refusals.iter().chain(&self.diagnostics);
        let declared = self.drift.iter().filter_map(|drift| drift.declared_at.as_ref());
        let related = findings().filter_map(|finding| finding.related.as_ref());
        let of_steps = self.steps.iter().map(|step| (step.file.as_str(), step.line, 1));
        of_steps
            .chain(fields.map(|at| (at.file.as_str(), at.line, at.column)))
            .chain(declared.map(|at| (at.file.as_str(), at.line, 1)))
            .chain(related.map(|at| (at.file.as_str(), at.line, at.column)))
            .chain(findings().filter_map(position))
    }
}

fn position(finding: &Diagnostic) -> Option<(&str, u32, u32)> {
    Some((finding.file.as_deref()?, finding.line?, finding.column?))
}

/// Places that stand for positions.
struct Places {
    sources: Sources,
    files: BTreeMap<String, (FileId, Vec<(u32, u32)>)>,
}

impl Places {
    fn of(document: &Document) -> Self {
        let mut named: BTreeMap<&str, BTreeSet<(u32, u32)>> = BTreeMap::new();
        for (file, line, column) in document.positions() {
            named.entry(file).or_default().insert((line, column));
        }
        let mut sources = Sources::default();
        let mut files = BTreeMap::new();
        for (file, positions) in named {
            let positions: Vec<_> = positions.into_iter().collect();
            files.insert(file.to_owned(), (sources.add_positions(file, positions.clone()), positions));
        }
        Self { sources, files }
    }

    fn find(&self, file: &str, line: u32, column: u32) -> Option<Place> {
        let (file, positions) = self.files.get(file)?;
        let at = u32::try_from(positions.binary_search(&(line, column)).ok()?).ok()?;
        Some(Place { file: *file, start: at, end: at })
    }
}

fn value(value: &Option<Value>) -> Option<plan::Value> {
    value.clone().map(Into::into)
}

fn cluster(cluster: &Cluster) -> plan::ClusterSeen {
    let has = |role: &str| cluster.roles.iter().any(|held| held == role);
    plan::ClusterSeen {
        name: ClusterName::from(cluster.name.as_str()),
        kind: cluster.kind.0,
        id: cluster.id.clone(),
        observed_at: cluster.observed_at.0,
        coverage: cluster.status.0,
        topics: cluster.topics,
        is_source: has("source"),
        is_target: has("target"),
    }
}

fn flow(mirror: &Mirror) -> plan::FlowSeen {
    plan::FlowSeen {
        source: ClusterName::from(mirror.source.as_str()),
        target: ClusterName::from(mirror.target.as_str()),
        source_alias: mirror.source_alias.clone(),
        separator: mirror.separator.clone(),
        version: mirror.version.clone(),
    }
}

fn step(step: &Step, places: &Places) -> plan::Step {
    // Every position of the document is among the places.
    let place = places.find(&step.file, step.line, 1).unwrap_or(Place { file: FileId::from_number(0), start: 0, end: 0 });
    plan::Step {
        id: step.id.clone(),
        cluster: ClusterName::from(step.cluster.as_str()),
        topic: TopicName::from(step.topic.as_str()),
        topic_id: step.topic_id.clone(),
        action: step.action.0,
        reason: step.reason.0,
        origin: step.origin.0,
        fields: step.fields.iter().map(|one| field(one, places)).collect(),
        wave: step.wave,
        depends_on: step.depends_on.clone(),
        acknowledged_by: step.acknowledged_by.clone(),
        reversible: step.reversible,
        owner: step.owner.clone(),
        place,
    }
}

fn field(field: &Field, places: &Places) -> plan::Field {
    let before = plan::Before { own: value(&field.before), effective: value(&field.before_effective), origin: field.before_origin.map(|Word(origin)| origin) };
    plan::Field {
        attribute: field.attribute.0.clone(),
        before,
        after: value(&field.after),
        place: field.written_at.as_ref().and_then(|at| places.find(&at.file, at.line, at.column)),
        profile: field.profile.clone(),
    }
}

fn prediction(prediction: &Prediction) -> plan::Prediction {
    let source = prediction.flow.strip_suffix(&format!("->{}", prediction.cluster)).unwrap_or(&prediction.flow);
    plan::Prediction {
        source: ClusterName::from(source),
        source_topic: TopicName::from(prediction.source_topic.as_str()),
        cluster: ClusterName::from(prediction.cluster.as_str()),
        topic: TopicName::from(prediction.topic.as_str()),
        attribute: prediction.attribute.0.clone(),
        before: value(&prediction.before),
        after: value(&prediction.after),
        verdict: prediction.verdict.0,
        due_seconds: prediction.due_seconds,
        because: prediction.because.clone(),
        caused_by_step: prediction.caused_by_step,
    }
}

fn finding(one: &Diagnostic, places: &Places) -> Finding {
    Finding {
        code: one.code.0,
        severity: one.severity.0,
        effect: match one.scope {
            None => Effect::Note,
            Some(Scope::Topic) => Effect::Withhold,
            Some(Scope::Apply) => Effect::Block,
        },
        subject: Subject { cluster: one.cluster.as_deref().map(ClusterName::from), topic: one.topic.as_deref().map(TopicName::from) },
        place: position(one).and_then(|(file, line, column)| places.find(file, line, column)),
        related: one.related.as_ref().and_then(|at| Some((places.find(&at.file, at.line, at.column)?, at.label.clone()))),
        message: one.message.clone(),
        help: one.help.clone(),
    }
}

fn drift(drift: &Drift, observed_at: Instant, places: &Places) -> plan::Drift {
    plan::Drift {
        class: drift.class.0,
        code: drift.code.map(|Word(code)| code),
        cluster: ClusterName::from(drift.cluster.as_str()),
        topic: TopicName::from(drift.topic.as_str()),
        attribute: drift.attribute.0.clone(),
        expected: value(&drift.expected),
        actual: value(&drift.actual),
        severity: drift.severity.0,
        consequence: drift.consequence.clone(),
        remedy: drift.remedy.clone(),
        attribute_owner: drift.attribute_owner.0,
        owner: drift.owner.clone(),
        due_seconds: drift.due.map(|due| u64::try_from(due.0.0.saturating_sub(observed_at.0)).unwrap_or(0)),
        place: drift.declared_at.as_ref().and_then(|at| places.find(&at.file, at.line, 1)),
    }
}

fn unmanaged(unmanaged: &Unmanaged) -> plan::Unmanaged {
    let named = |names: &Vec<super::plan::UnmanagedTopic>| {
        names.iter().map(|one| (ClusterName::from(one.cluster.as_str()), TopicName::from(one.topic.as_str()))).collect()
    };
    plan::Unmanaged { count: unmanaged.topics, names: unmanaged.names.as_ref().map(named) }
}

fn limits(limits: &Limits) -> plan::LimitsSeen {
    plan::LimitsSeen {
        limits: crate::spec::Limits {
            deletes: limits.deletes.limit,
            partition_increases: limits.partition_increases.limit,
            changed_percent: limits.changed_percent.limit,
        },
        deletes: limits.deletes.used,
        partition_increases: limits.partition_increases.used,
        // The document tells the share and not the counts.
        changed: limits.changed_percent.used,
        existing: 100,
    }
}

fn acknowledgement(one: &Acknowledgement) -> plan::AcknowledgementSeen {
    plan::AcknowledgementSeen {
        kind: one.kind.clone(),
        cluster: one.cluster.as_deref().map(ClusterName::from),
        topic: one.topic.as_deref().map(TopicName::from),
        profile: one.profile.clone(),
        from: value(&one.from),
        to: value(&one.to),
        topic_id: one.topic_id.clone(),
        reason: one.reason.clone(),
        expires: one.expires.clone(),
        used: one.used,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::{self, field, place};
    use crate::plan::{AcknowledgementSeen, Action, Attribute, LimitsSeen, Reason, Value};
    use crate::spec::Limits;
    use crate::wire::Context;
    use crate::wire::plan::Source;

    /// Its text would not tell all of this.
    #[test]
    fn a_plan_with_deletions_is_the_same_after_it_was_saved() {
        let (sources, _, topics) = fixture::sources();
        let at = place(&sources, topics, "payments.audit");
        let gone = vec![field(Attribute::Existence, Some(Value::Text("present".to_owned())), None, None)];
        let source = fixture::step("payments.audit", Action::Delete, gone.clone(), at);
        let mut copy = fixture::step("us-east.payments.audit", Action::Delete, gone, at);
        copy.depends_on = vec!["00f1e2d3c4b5a697".to_owned()];
        let text = |text: &str| Some(Value::Text(text.to_owned()));
        let given = |kind: &str| AcknowledgementSeen {
            kind: kind.to_owned(),
            cluster: None,
            topic: None,
            profile: None,
            from: None,
            to: None,
            topic_id: None,
            reason: "OPS-9".to_owned(),
            expires: None,
            used: false,
        };
        let mut plan = fixture::empty();
        plan.steps = [source, copy].map(|step| plan::Step { reason: Reason::Present, reversible: false, ..step }).into();
        plan.acknowledgements = vec![
            AcknowledgementSeen {
                cluster: Some("primary".into()),
                topic: Some("payments.audit".into()),
                topic_id: Some("Nq3mlkgYQ2qQ1B2ZfUGZJA".to_owned()),
                used: true,
                ..given("delete")
            },
            AcknowledgementSeen {
                profile: Some("logs".to_owned()),
                from: text("604800000"),
                to: text("259200000"),
                expires: Some("2026-12-31".to_owned()),
                ..given("retention_cut")
            },
            AcknowledgementSeen { from: Some(Value::Count(6)), to: Some(Value::Count(12)), ..given("partition_increase") },
        ];
        // 1 of 3 topics is 34 percent, rounded up.
        let limits = Limits { deletes: 2, partition_increases: 7, changed_percent: 40 };
        plan.limits = LimitsSeen { limits, deletes: 2, partition_increases: 1, changed: 1, existing: 3 };

        let source = Source { commit: None, base: None, dirty: None, files_digest: String::new() };
        let context = Context { created_at: fixture::NOON, workspace: None, tool_version: String::new(), source, full: true };
        let saved = serde_json::to_string(&Document::new(&plan, &sources, &context)).unwrap();
        let again = Document::parse(&saved).unwrap().reopen();
        assert_eq!(again.plan.acknowledgements, plan.acknowledgements);
        assert_eq!((again.plan.limits.limits, again.plan.limits.deletes, again.plan.limits.partition_increases), (limits, 2, 1));
        assert_eq!(again.plan.limits.changed_percent(), 34);
        assert_eq!(again.plan.steps[1].depends_on, ["00f1e2d3c4b5a697"]);
        assert_eq!((again.plan.steps[0].action, again.plan.steps[0].reason), (Action::Delete, Reason::Present));
        assert_eq!(serde_json::to_string(&Document::new(&again.plan, &again.sources, &context)).unwrap(), saved);
    }
}
