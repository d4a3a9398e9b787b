//! Plans built by hand, for the tests of what shows them: a believable pair of clusters, and pieces to change it with.

use super::{
    AcknowledgementSeen, Action, Attribute, Before, ChangeOrigin, Class, ClusterSeen, Coverage, Drift, Field, FlowSeen, Owner, Plan, Prediction, Reason, Step,
    Value, Verdict,
};
use crate::finding::{Code, FileId, Finding, Place, Severity, Sources};
use crate::kafka::origin::Origin;
use crate::live::{ClusterKind, Instant};

pub(crate) const WORKSPACE: &str = "version: 1\nname: payments-prod\nprofiles:\n  logs:\n    config: {retention.ms: 3d}\n";
pub(crate) const TOPICS: &str =
    "topics:\n  payments.orders:\n    partitions: 12\n  payments.audit:\n    partitions: 6\n  payments.refunds:\n    partitions: 6\n";

/// 2026-11-30T12:00:00Z.
pub(crate) const NOON: Instant = Instant(1_796_040_000);

pub(crate) fn sources() -> (Sources, FileId, FileId) {
    let mut sources = Sources::default();
    let workspace = sources.add("isotopic.yaml", WORKSPACE);
    let topics = sources.add("topics/payments.yaml", TOPICS);
    (sources, workspace, topics)
}

/// The place of a text's first occurrence in a file.
pub(crate) fn place(sources: &Sources, file: FileId, text: &str) -> Place {
    let start = sources.text(file).find(text).unwrap();
    Place { file, start: u32::try_from(start).unwrap(), end: u32::try_from(start + text.len()).unwrap() }
}

pub(crate) fn config(key: &str) -> Attribute {
    Attribute::Config(key.into())
}

pub(crate) fn text(text: &str) -> Option<Value> {
    Some(Value::Text(text.to_owned()))
}

/// A plan with nothing in it but what was looked at: `primary`, real, and `dr`, simulated.
pub(crate) fn empty() -> Plan {
    let cluster = |name: &str, kind, id: &str, topics| ClusterSeen {
        name: name.into(),
        kind,
        id: Some(id.to_owned()),
        observed_at: NOON,
        coverage: Coverage::Complete,
        topics: Some(topics),
        is_source: name == "primary",
        is_target: name == "dr",
    };
    Plan {
        clusters: vec![cluster("primary", ClusterKind::Kafka, "4L6g3nShT-eMCtK--X86sw", 4012), cluster("dr", ClusterKind::Simulated, "sim-dr", 3990)],
        flows: vec![FlowSeen {
            source: "primary".into(),
            target: "dr".into(),
            source_alias: "us-east".to_owned(),
            separator: ".".to_owned(),
            version: Some("4.0".to_owned()),
        }],
        declared: 20,
        compared: 20,
        unchanged: 20,
        excluded: 4,
        fingerprint: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".to_owned(),
        ..Plan::default()
    }
}

pub(crate) fn step(topic: &str, action: Action, fields: Vec<Field>, place: Place) -> Step {
    Step {
        id: "00f1e2d3c4b5a697".to_owned(),
        cluster: "primary".into(),
        topic: topic.into(),
        topic_id: (action != Action::Create).then(|| "Nq3mlkgYQ2qQ1B2ZfUGZJA".to_owned()),
        action,
        reason: if action == Action::Create { Reason::Absent } else { Reason::Differs },
        origin: ChangeOrigin::Unknown,
        fields,
        wave: 3,
        depends_on: Vec::new(),
        acknowledged_by: None,
        reversible: action != Action::Grow,
        owner: Some("team-payments".to_owned()),
        place,
    }
}

pub(crate) fn field(attribute: Attribute, own: Option<Value>, effective: Option<Value>, after: Option<Value>) -> Field {
    let origin = match (&attribute, &own, &effective) {
        (Attribute::Config(_), Some(_), _) => Some(Origin::Topic),
        (Attribute::Config(_), None, Some(_)) => Some(Origin::Default),
        _ => None,
    };
    Field { attribute, before: Before { own, effective, origin }, after, place: None, profile: None }
}

pub(crate) fn prediction(topic: &str, attribute: Attribute, before: Option<Value>, after: Option<Value>, verdict: Verdict) -> Prediction {
    Prediction {
        source: "primary".into(),
        source_topic: topic.into(),
        cluster: "dr".into(),
        topic: format!("us-east.{topic}").as_str().into(),
        attribute,
        before,
        after,
        verdict,
        due_seconds: (verdict == Verdict::Heals).then_some(600),
        because: match verdict {
            Verdict::Heals => "MirrorMaker syncs it".to_owned(),
            Verdict::Never | Verdict::Blocked | Verdict::Blind => "MirrorMaker's config.properties.exclude names it".to_owned(),
        },
        caused_by_step: true,
    }
}

/// The sketch of the design: a create, a growth, and copies that follow.
pub(crate) fn changes(sources: &Sources, topics: FileId) -> Plan {
    let mut compact = field(config("cleanup.policy"), None, None, text("compact"));
    compact.profile = Some("compacted".to_owned());
    let create = vec![
        field(Attribute::Existence, None, None, text("present")),
        field(Attribute::Partitions, None, None, Some(Value::Count(6))),
        field(Attribute::ReplicationFactor, None, None, Some(Value::Count(3))),
        compact,
        field(config("min.insync.replicas"), None, None, text("2")),
    ];
    let mut grow = step(
        "payments.orders",
        Action::Grow,
        vec![field(Attribute::Partitions, Some(Value::Count(6)), None, Some(Value::Count(12)))],
        place(sources, topics, "payments.orders"),
    );
    grow.acknowledged_by = Some("no keys, KEY-481".to_owned());
    let mut plan = empty();
    plan.unchanged = 17;
    plan.steps = vec![
        step("payments.refunds", Action::Create, create, place(sources, topics, "payments.refunds")),
        grow,
        step(
            "payments.audit",
            Action::Configure,
            vec![
                field(config("max.message.bytes"), None, text("1048588"), text("2097152")),
                field(config("retention.ms"), text("604800000"), None, text("259200000")),
            ],
            place(sources, topics, "payments.audit"),
        ),
    ];
    plan.predictions = vec![
        prediction("payments.refunds", Attribute::Existence, None, text("present"), Verdict::Heals),
        prediction("payments.refunds", Attribute::Partitions, None, Some(Value::Count(6)), Verdict::Heals),
        prediction("payments.refunds", Attribute::ReplicationFactor, None, Some(Value::Count(2)), Verdict::Heals),
        prediction("payments.refunds", config("cleanup.policy"), None, text("compact"), Verdict::Heals),
        prediction("payments.refunds", config("min.insync.replicas"), None, None, Verdict::Never),
        prediction("payments.orders", Attribute::Partitions, Some(Value::Count(6)), Some(Value::Count(12)), Verdict::Heals),
        prediction("payments.audit", config("max.message.bytes"), None, text("2097152"), Verdict::Heals),
        prediction("payments.audit", config("retention.ms"), text("604800000"), text("259200000"), Verdict::Heals),
    ];
    plan.acknowledgements = vec![AcknowledgementSeen {
        kind: "partition_increase".to_owned(),
        cluster: Some("primary".into()),
        topic: Some("payments.orders".into()),
        profile: None,
        from: Some(Value::Count(6)),
        to: Some(Value::Count(12)),
        topic_id: None,
        reason: "no keys, KEY-481".to_owned(),
        expires: None,
        used: true,
    }];
    plan
}

/// A copy that is permanently ahead.
pub(crate) fn ahead(topic: &str) -> Drift {
    Drift {
        class: Class::Permanent,
        code: Some(Code::Pt002),
        cluster: "dr".into(),
        topic: format!("us-east.{topic}").as_str().into(),
        attribute: Attribute::Partitions,
        expected: Some(Value::Count(6)),
        actual: Some(Value::Count(9)),
        severity: Severity::Error,
        consequence: "keyed producers that fail over would write to other partitions than on the source".to_owned(),
        remedy: "grow the source to the copy's count".to_owned(),
        attribute_owner: Owner::MirrorMaker,
        owner: None,
        due_seconds: None,
        place: None,
    }
}

/// A copy that MirrorMaker has not got to yet.
pub(crate) fn lag(topic: &str, place: Place) -> Drift {
    Drift {
        class: Class::Lag,
        code: Some(Code::Pt003),
        cluster: "dr".into(),
        topic: format!("us-east.{topic}").as_str().into(),
        attribute: Attribute::Partitions,
        expected: Some(Value::Count(12)),
        actual: Some(Value::Count(6)),
        severity: Severity::Warning,
        consequence: "records of the new partitions are not mirrored until then".to_owned(),
        remedy: "wait; look at MirrorMaker's log when it is overdue".to_owned(),
        attribute_owner: Owner::MirrorMaker,
        owner: Some("team-payments".to_owned()),
        due_seconds: Some(600),
        place: Some(place),
    }
}

/// A refusal to shrink.
pub(crate) fn shrink(topic: &str, place: Place) -> Finding {
    Finding::new(Code::Pt001, "the topic has 12 partitions and 6 are declared, and Kafka cannot take partitions away")
        .topic(&"primary".into(), &topic.into())
        .at(place)
        .help("declare 12, or make a new topic with 6")
}
