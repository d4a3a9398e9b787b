//! Golden texts, each read by a person before it was accepted.

use super::{Heading, text};
use crate::finding::{Code, Finding, Severity, Sources};
use crate::kafka::name::TopicName;
use crate::plan::fixture::{self, ahead, changes, config, empty, field, lag, place, prediction, shrink, step};
use crate::plan::{Action, Coverage, Plan, Verdict};
use crate::wire::Context;
use crate::wire::plan::{Document, Source};

const HEADING: Heading<'_> = Heading { workspace: "payments-prod", commit: Some("3f9c2e1aa0b1c2d3e4f5061728394a5b6c7d8e9f"), dirty: false, now: fixture::NOON };

/// The text of a plan, which must be the same after it was saved and read back.
fn shown(plan: &Plan, sources: &Sources) -> String {
    let source = Source { commit: None, base: None, dirty: None, files_digest: String::new() };
    let context = Context { created_at: fixture::NOON, workspace: None, tool_version: String::new(), source, full: true };
    let saved = serde_json::to_string(&Document::new(plan, sources, &context)).unwrap();
    let saved = Document::parse(&saved).unwrap().reopen();
    for full in [true, false] {
        assert_eq!(text(&saved.plan, &saved.sources, HEADING, full), text(plan, sources, HEADING, full));
    }
    text(plan, sources, HEADING, false)
}

#[test]
fn a_plan_with_changes() {
    let (sources, _, topics) = fixture::sources();
    insta::assert_snapshot!(shown(&changes(&sources, topics), &sources));
}

#[test]
fn a_refused_plan_says_so_first_and_where_to_mend_it() {
    let (sources, _, topics) = fixture::sources();
    let mut plan = changes(&sources, topics);
    let at = place(&sources, topics, "payments.audit");
    plan.steps.retain(|step| step.topic.as_str() != "payments.audit");
    plan.predictions.retain(|prediction| prediction.source_topic.as_str() != "payments.audit");
    plan.refusals = vec![shrink("payments.audit", at)];
    plan.drift = vec![ahead("legacy.clicks"), lag("payments.orders", place(&sources, topics, "payments.orders"))];
    insta::assert_snapshot!(shown(&plan, &sources));
}

#[test]
fn a_plan_that_could_not_look_gives_no_verdict() {
    let (sources, _, topics) = fixture::sources();
    let mut plan = changes(&sources, topics);
    plan.predictions.clear();
    plan.clusters[1].coverage = Coverage::Unreachable;
    plan.clusters[1].topics = None;
    plan.diagnostics = vec![
        Finding::new(Code::En001, "dr did not answer within 30s: dr-1.example:9092 refused the connection")
            .cluster(&"dr".into())
            .help("check the address, and whether the broker runs"),
    ];
    insta::assert_snapshot!(shown(&plan, &sources));
}

#[test]
fn nothing_to_do() {
    let (sources, _, _) = fixture::sources();
    insta::assert_snapshot!(shown(&empty(), &sources));
}

#[test]
fn notes_drift_and_a_topic_that_is_held_back() {
    let (sources, workspace, topics) = fixture::sources();
    let mut plan = empty();
    let at = place(&sources, topics, "payments.audit");
    plan.refusals = vec![shrink("payments.audit", at).withholding()];
    plan.drift = (0..8).map(|number| ahead(&format!("legacy.{number}"))).collect();
    plan.diagnostics = vec![
        Finding::new(Code::Mm014, "the flow primary->dr gives no MirrorMaker version, and old and new ones differ")
            .at(place(&sources, workspace, "version"))
            .help("write mm2.version"),
        Finding::new(Code::Ak004, "the acknowledged increase from 6 to 12 has already happened").topic(&"primary".into(), &"payments.orders".into()).at(at),
    ];
    insta::assert_snapshot!(shown(&plan, &sources));
}

#[test]
fn a_pin_a_reset_and_an_odd_copy() {
    let (sources, _, topics) = fixture::sources();
    let mut plan = empty();
    let at = place(&sources, topics, "payments.orders");
    let text = fixture::text;
    plan.steps = vec![step(
        "payments.orders",
        Action::Configure,
        vec![
            field(config("cleanup.policy"), None, text("delete"), text("delete")),
            field(config("retention.bytes"), text("1073741824"), text("-1"), None),
            field(config("segment.ms"), None, None, text("86400000")),
        ],
        at,
    )];
    plan.predictions = vec![
        prediction("payments.orders", config("cleanup.policy"), None, text("delete"), Verdict::Heals),
        prediction("payments.orders", config("retention.bytes"), text("1073741824"), None, Verdict::Heals),
        prediction("payments.orders", config("segment.ms"), text("3600000"), text("86400000"), Verdict::Blocked),
    ];
    insta::assert_snapshot!(shown(&plan, &sources));
}

/// 812 topics whose retention comes from one profile.
fn logs() -> (Sources, Plan) {
    let (sources, workspace, topics) = fixture::sources();
    let mut plan = changes(&sources, topics);
    for number in 0..812 {
        let topic = format!("logs.{number:03}");
        let mut cut = field(config("retention.ms"), fixture::text("604800000"), None, fixture::text("259200000"));
        cut.profile = Some("logs".to_owned());
        cut.place = Some(place(&sources, workspace, "3d"));
        plan.steps.push(step(&topic, Action::Configure, vec![cut], place(&sources, topics, "topics")));
        plan.predictions.push(prediction(&topic, config("retention.ms"), fixture::text("604800000"), fixture::text("259200000"), Verdict::Heals));
    }
    (sources, plan)
}

#[test]
fn changes_that_read_the_same_are_one_block() {
    let (sources, plan) = logs();
    insta::assert_snapshot!(shown(&plan, &sources));
}

#[test]
fn full_lists_every_topic() {
    let (sources, plan) = logs();
    let full = text(&plan, &sources, HEADING, true);
    let listed = full.lines().filter(|line| line.starts_with("    logs.")).count();
    assert_eq!(listed, 812);
    assert!(!full.contains("--full"));
}

#[test]
fn a_plan_with_nothing_to_do_stays_under_two_kilobytes() {
    let (sources, _, topics) = fixture::sources();
    let long = "x".repeat(230);
    let mut plan = empty();
    for number in 0..1000 {
        let mut drift = ahead(&format!("{long}.{number}"));
        drift.consequence = format!("{number} is special");
        plan.drift.push(drift);
        plan.drift.push(lag(&format!("{long}.{number}"), place(&sources, topics, "topics")));
        for code in [Code::Cf008, Code::Cf009, Code::Ak004, Code::Mm014, Code::Rf002] {
            plan.diagnostics.push(Finding::new(code, format!("note {number} {long}")).noting(Severity::Warning).help(long.as_str()));
        }
    }
    let page = shown(&plan, &sources);
    assert!(page.len() <= 2048, "{} bytes", page.len());
    assert!(page.contains("1000 permanent") && page.contains("1000 lag") && page.contains("1000 CF009"), "{page}");

    // Many clusters with long names: nothing but a cut helps.
    for number in 0..100 {
        let mut cluster = plan.clusters[0].clone();
        cluster.name = format!("{long}{number}").as_str().into();
        plan.clusters.push(cluster);
    }
    let page = shown(&plan, &sources);
    assert!(page.len() <= 2048, "{} bytes", page.len());
    assert!(page.starts_with("No changes") && page.contains("fingerprint sha256:"), "{page}");
}

#[test]
fn a_value_cannot_pass_for_a_line_or_steer_the_terminal() {
    let (sources, _, topics) = fixture::sources();
    let mut plan = changes(&sources, topics);
    let hostile = "none\u{1b}[2J\nNo changes. All is well.\r";
    plan.steps[0].owner = Some(hostile.to_owned());
    plan.steps[1].acknowledged_by = Some(hostile.to_owned());
    plan.steps[2].topic = TopicName::new(hostile);
    plan.diagnostics = vec![Finding::new(Code::Cf009, hostile).help(hostile)];
    plan.unmanaged = vec![("dr".into(), hostile.into())].into();
    for full in [false, true] {
        let page = text(&plan, &sources, Heading { workspace: hostile, commit: Some(hostile), dirty: true, now: fixture::NOON }, full);
        assert!(page.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(page.lines().all(|line| !line.starts_with("No changes")), "{page}");
    }
}

#[test]
fn a_thousand_refusals_are_counted_by_code() {
    let (sources, _, topics) = fixture::sources();
    let mut plan = empty();
    plan.refusals = (0..1000).map(|number| shrink(&format!("t{number:04}"), place(&sources, topics, "payments.audit"))).collect();
    let page = shown(&plan, &sources);
    assert!(page.starts_with("REFUSED: 1000 topics. Nothing will be written until topics/payments.yaml:4 is mended.\n"), "{page}");
    assert!(page.contains("x 950 more topics: 950 PT001  (--full lists them)"), "{page}");
    assert_eq!(page.matches("x t0").count(), 50);
    assert_eq!(text(&plan, &sources, HEADING, true).matches("x t0").count(), 1000);
}
