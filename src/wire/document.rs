//! From what a run found out to the document that says so.

use super::findings::{Diagnostic, by_place};
use super::plan::{
    Acknowledgement, Cluster, Coverage, DeclaredAt, Document, Drift, Field, Limit, Limits, Mirror, Prediction, Source, Step, Summary, Unmanaged,
    UnmanagedTopic, WrittenAt,
};
use super::words::{Attribute, Time, Word};
use crate::finding::{Finding, Sources};
use crate::kafka::name::{ClusterName, TopicName};
use crate::kafka::origin::Origin;
use crate::live::Instant;
use crate::plan::{self, Plan};

/// What a document tells beyond the plan.
#[derive(Clone, Debug)]
pub struct Context {
    /// When the run started.
    pub created_at: Instant,
    /// The workspace's name, where the files tell it.
    pub workspace: Option<String>,
    /// The version of this program.
    pub tool_version: String,
    /// What was read.
    pub source: Source,
    /// Whether long lists are spelled out.
    pub full: bool,
}

impl Document {
    /// The document of a plan.
    pub fn new(plan: &Plan, sources: &Sources, context: &Context) -> Self {
        let observed_at = |name: &ClusterName| plan.clusters.iter().find(|cluster| cluster.name == *name).map(|cluster| cluster.observed_at);
        Self {
            clusters: plan.clusters.iter().map(cluster).collect(),
            mirrors: plan.flows.iter().map(mirror).collect(),
            fingerprint: Some(plan.fingerprint.clone()),
            summary: summary(plan),
            steps: plan.steps.iter().map(|one| step(one, sources)).collect(),
            predictions: plan.predictions.iter().map(prediction).collect(),
            refusals: plan.refusals.iter().map(|finding| Diagnostic::new(finding, Some(plan::ChangeOrigin::Unknown), sources)).collect(),
            drift: plan.drift.iter().map(|one| drift(one, observed_at(&one.cluster), sources)).collect(),
            unmanaged: unmanaged(&plan.unmanaged, context.full),
            acknowledgements: plan.acknowledgements.iter().map(acknowledgement).collect(),
            limits: Some(limits(&plan.limits)),
            coverage: Coverage {
                topics_total: plan.declared,
                compared: plan.compared,
                skipped: plan.declared.saturating_sub(plan.compared),
                clusters_failed: plan.clusters_failed().map(|cluster| cluster.name.to_string()).collect(),
                excluded: plan.excluded,
            },
            applyable: plan.is_applyable(),
            complete: plan.is_complete(),
            ..Self::empty(&plan.diagnostics.iter().collect::<Vec<_>>(), sources, context)
        }
    }

    /// The document of a run whose files could not be judged: findings and nothing else.
    pub fn errored(findings: &[Finding], sources: &Sources, context: &Context) -> Self {
        Self { errored: true, ..Self::empty(&by_place(findings, sources), sources, context) }
    }

    fn empty(findings: &[&Finding], sources: &Sources, context: &Context) -> Self {
        Self {
            format_version: super::FORMAT_VERSION.to_owned(),
            tool_version: context.tool_version.clone(),
            created_at: Time(context.created_at),
            mode: super::saved::MODE.to_owned(),
            workspace: context.workspace.clone(),
            source: context.source.clone(),
            clusters: Vec::new(),
            mirrors: Vec::new(),
            fingerprint: None,
            summary: Summary::default(),
            steps: Vec::new(),
            predictions: Vec::new(),
            refusals: Vec::new(),
            drift: Vec::new(),
            released: Vec::new(),
            unmanaged: Unmanaged { topics: 0, names: context.full.then(Vec::new) },
            acknowledgements: Vec::new(),
            limits: None,
            diagnostics: findings.iter().map(|finding| Diagnostic::new(finding, None, sources)).collect(),
            coverage: Coverage::default(),
            applyable: false,
            complete: false,
            errored: false,
        }
    }
}

fn summary(plan: &Plan) -> Summary {
    let count = |action| plan.steps.iter().filter(|step| step.action == action).count();
    Summary {
        create: count(plan::Action::Create),
        grow: count(plan::Action::Grow),
        configure: count(plan::Action::Configure),
        delete: count(plan::Action::Delete),
        refused: plan.refused(),
        held_back: 0,
        predicted: plan.copies_predicted(),
        drift: plan.drift.len(),
        unchanged: plan.unchanged,
    }
}

fn cluster(seen: &plan::ClusterSeen) -> Cluster {
    let roles = [(seen.is_source, "source"), (seen.is_target, "target")];
    Cluster {
        name: seen.name.to_string(),
        roles: roles.into_iter().filter(|(holds, _)| *holds).map(|(_, role)| role.to_owned()).collect(),
        id: seen.id.clone(),
        kind: Word(seen.kind),
        observed_at: Time(seen.observed_at),
        status: Word(seen.coverage),
        topics: seen.topics,
    }
}

fn mirror(flow: &plan::FlowSeen) -> Mirror {
    Mirror {
        source: flow.source.to_string(),
        target: flow.target.to_string(),
        state: "active".to_owned(),
        policy: "DefaultReplicationPolicy".to_owned(),
        source_alias: flow.source_alias.clone(),
        separator: flow.separator.clone(),
        version: flow.version.clone(),
    }
}

fn step(step: &plan::Step, sources: &Sources) -> Step {
    let position = sources.position(step.place);
    Step {
        id: step.id.clone(),
        cluster: step.cluster.to_string(),
        topic: step.topic.to_string(),
        topic_id: step.topic_id.clone(),
        action: Word(step.action),
        origin: Word(step.origin),
        held_back: false,
        reason: Word(step.reason),
        fields: step.fields.iter().map(|one| field(one, step.action, sources)).collect(),
        wave: step.wave,
        depends_on: step.depends_on.clone(),
        acknowledged_by: step.acknowledged_by.clone(),
        reversible: step.reversible,
        owner: step.owner.clone(),
        file: position.file.to_owned(),
        line: position.line,
    }
}

fn field(field: &plan::Field, action: plan::Action, sources: &Sources) -> Field {
    let is_config = matches!(field.attribute, plan::Attribute::Config(_));
    let origin = match (field.before.origin, action) {
        (Some(origin), _) => Some(Word(origin)),
        // A topic that does not exist holds nothing that could come from anywhere.
        (None, plan::Action::Create) => None,
        (None, plan::Action::Grow | plan::Action::Configure | plan::Action::Delete) => is_config.then_some(Word(Origin::Unknown)),
    };
    Field {
        attribute: Attribute(field.attribute.clone()),
        before: value(&field.before.own),
        before_effective: value(&field.before.effective),
        before_origin: origin,
        after: value(&field.after),
        profile: field.profile.clone(),
        written_at: field.place.map(|place| {
            let position = sources.position(place);
            WrittenAt { file: position.file.to_owned(), line: position.line, column: position.column }
        }),
    }
}

fn prediction(prediction: &plan::Prediction) -> Prediction {
    Prediction {
        flow: format!("{}->{}", prediction.source, prediction.cluster),
        source_topic: prediction.source_topic.to_string(),
        cluster: prediction.cluster.to_string(),
        topic: prediction.topic.to_string(),
        attribute: Attribute(prediction.attribute.clone()),
        before: value(&prediction.before),
        after: value(&prediction.after),
        verdict: Word(prediction.verdict),
        due_seconds: prediction.due_seconds,
        because: prediction.because.clone(),
        caused_by_step: prediction.caused_by_step,
    }
}

fn drift(drift: &plan::Drift, observed_at: Option<Instant>, sources: &Sources) -> Drift {
    let due = observed_at.zip(drift.due_seconds).map(|(at, seconds)| Instant(at.0.saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX))));
    Drift {
        class: Word(drift.class),
        code: drift.code.map(Word),
        cluster: drift.cluster.to_string(),
        topic: drift.topic.to_string(),
        attribute: Attribute(drift.attribute.clone()),
        expected: value(&drift.expected),
        actual: value(&drift.actual),
        first_seen: None,
        due: due.map(Time),
        age_seconds: None,
        severity: Word(drift.severity),
        consequence: drift.consequence.clone(),
        remedy: drift.remedy.clone(),
        owner: drift.owner.clone(),
        attribute_owner: Word(drift.attribute_owner),
        ignored_by: None,
        declared_at: drift.place.map(|place| {
            let position = sources.position(place);
            DeclaredAt { file: position.file.to_owned(), line: position.line, commit: None, author: None }
        }),
    }
}

fn unmanaged(unmanaged: &plan::Unmanaged, full: bool) -> Unmanaged {
    let named = |(cluster, topic): &(ClusterName, TopicName)| UnmanagedTopic { cluster: cluster.to_string(), topic: topic.to_string() };
    let names = unmanaged.names.as_ref().filter(|_| full).map(|names| names.iter().map(named).collect());
    Unmanaged { topics: unmanaged.count, names }
}

fn limits(seen: &plan::LimitsSeen) -> Limits {
    let limit = |used, limit| Limit { used, limit };
    Limits {
        deletes: limit(seen.deletes, seen.limits.deletes),
        partition_increases: limit(seen.partition_increases, seen.limits.partition_increases),
        changed_percent: limit(seen.changed_percent(), seen.limits.changed_percent),
    }
}

fn acknowledgement(seen: &plan::AcknowledgementSeen) -> Acknowledgement {
    Acknowledgement {
        kind: seen.kind.clone(),
        cluster: seen.cluster.as_ref().map(ToString::to_string),
        topic: seen.topic.as_ref().map(ToString::to_string),
        profile: seen.profile.clone(),
        from: value(&seen.from),
        to: value(&seen.to),
        topic_id: seen.topic_id.clone(),
        reason: seen.reason.clone(),
        expires: seen.expires.clone(),
        used: seen.used,
    }
}

fn value(value: &Option<plan::Value>) -> Option<super::plan::Value> {
    value.as_ref().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::plan::Coverage as Seen;
    use crate::plan::fixture::{self, ahead, changes, empty, lag, place, shrink};
    use crate::wire::findings::Scope;
    use serde_json::{Value as Json, json};

    fn context(full: bool) -> Context {
        Context {
            created_at: fixture::NOON,
            workspace: Some("payments-prod".to_owned()),
            tool_version: "0.1.0".to_owned(),
            source: Source {
                commit: Some("3f9c2e1aa0b1c2d3e4f5061728394a5b6c7d8e9f".to_owned()),
                base: None,
                dirty: Some(false),
                files_digest: "sha256:00".to_owned(),
            },
            full,
        }
    }

    fn valid(document: &Document) -> Json {
        let schema = serde_json::to_value(crate::wire::schema::<Document>()).unwrap();
        let document = serde_json::to_value(document).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let problems: Vec<_> = validator.iter_errors(&document).map(|problem| problem.to_string()).collect();
        assert_eq!(problems, Vec::<String>::new());
        document
    }

    #[test]
    fn a_plan_as_json() {
        let (sources, _, topics) = fixture::sources();
        let mut plan = changes(&sources, topics);
        plan.refusals = vec![shrink("payments.audit", place(&sources, topics, "payments.audit")).withholding()];
        plan.drift = vec![ahead("legacy.clicks"), lag("payments.orders", place(&sources, topics, "payments.orders"))];
        plan.unmanaged = vec![("dr".into(), "scratch".into())].into();
        insta::assert_snapshot!(serde_json::to_string_pretty(&valid(&Document::new(&plan, &sources, &context(true)))).unwrap());
    }

    #[test]
    fn every_key_is_required_and_null_where_unknown() {
        let schema = serde_json::to_value(crate::wire::schema::<Document>()).unwrap();
        let of = |schema: &Json| {
            let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
            (json!(keys), schema["required"].clone())
        };
        let (keys, required) = of(&schema);
        assert_eq!(keys, required);
        for (name, definition) in schema["$defs"].as_object().unwrap().iter().filter(|(_, definition)| definition["properties"].is_object()) {
            let (keys, required) = of(definition);
            assert_eq!(keys, required, "{name}");
        }
    }

    #[test]
    fn files_that_cannot_be_judged_leave_findings_only() {
        let (sources, workspace, _) = fixture::sources();
        let findings = [
            Finding::new(Code::Ym002, "unknown field").at(place(&sources, workspace, "profiles")),
            Finding::new(Code::Ym012, "missing field").at(place(&sources, workspace, "version")),
        ];
        let document = valid(&Document::errored(&findings, &sources, &context(false)));
        assert_eq!(document["errored"], json!(true));
        assert_eq!(document["fingerprint"], Json::Null);
        for list in ["steps", "predictions", "refusals", "drift", "released", "clusters", "mirrors", "acknowledgements"] {
            assert_eq!(document[list], json!([]), "{list}");
        }
        let lines: Vec<_> =
            document["diagnostics"].as_array().unwrap().iter().map(|one| (one["code"].as_str().unwrap(), one["line"].as_u64().unwrap())).collect();
        assert_eq!(lines, [("YM012", 1), ("YM002", 3)]);
    }

    #[test]
    fn a_cluster_that_was_not_read_makes_a_plan_neither_applyable_nor_complete() {
        let (sources, _, _) = fixture::sources();
        let verdict = |plan: &Plan| {
            let document = Document::new(plan, &sources, &context(false));
            (document.applyable, document.complete)
        };
        let mut plan = empty();
        assert_eq!(verdict(&plan), (true, true));
        plan.compared = 19;
        assert_eq!(verdict(&plan), (true, false));
        plan.clusters[0].coverage = Seen::Unreachable;
        assert_eq!(verdict(&plan), (false, false));
        assert_eq!(Document::new(&plan, &sources, &context(false)).coverage.clusters_failed, ["primary"]);
    }

    #[test]
    fn refusals_are_counted_by_topic() {
        let (sources, workspace, topics) = fixture::sources();
        let at = place(&sources, topics, "payments.audit");
        let mut plan = empty();
        plan.refusals = vec![
            shrink("a", at),
            shrink("a", at),
            shrink("b", at).withholding(),
            Finding::new(Code::En003, "another cluster").at(place(&sources, workspace, "name")),
        ];
        let document = Document::new(&plan, &sources, &context(false));
        assert_eq!(document.summary.refused, 3);
        let scopes: Vec<_> = document.refusals.iter().map(|refusal| refusal.scope).collect();
        assert_eq!(scopes, [Scope::Apply, Scope::Apply, Scope::Topic, Scope::Apply].map(Some));
    }
}
