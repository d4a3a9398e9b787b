//! What bounds a workspace: scope, limits, policies, acknowledgements of profiles, drift, and what flows fill in.

use super::{WORKSPACE, load_files, told};
use isotopic::finding::{Code, Severity};
use isotopic::kafka::name::ConfigKey;
use isotopic::spec::{Bounds, Change, Day, Limits, Required};

const SETTINGS: &str = r#"
scope: ["payments.*", orders]
limits: {deletes: 2, changed_percent: 100}
acknowledge:
  - {profile: compacted, retention_cut: {from: 7d, to: 3d}, reason: "cost, OPS-9", expires: 2027-01-31}
  - {profile: big, partition_increase: {from: 50, to: 100}, reason: more}
policy:
  - {topics: "payments.*", name: "^[a-z.]+$", partitions: {min: 2, max: 64}, replication_factor: {min: 3}, require: [owner, keys]}
  - {config: {retention.ms: {min: 1h, max: -1}, max.message.bytes: {max: 1MiB}}}
drift:
  grace: 90s
  fail_on: error
  ignore:
    - {cluster: dr, topics: "legacy.*", code: pt002, actual: 9, reason: "before MM2", expires: 2027-01-31}
"#;

#[test]
fn all_that_bounds_a_workspace_is_read() {
    let loaded = load_files(&format!("{WORKSPACE}{SETTINGS}"), &[]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let workspace = loaded.workspace.as_ref().unwrap();
    let scope = workspace.scope.as_ref().unwrap();
    assert!(scope.matches("payments.a.b") && scope.matches("orders") && !scope.matches("orders.x") && !scope.matches("xpayments.a"));
    assert_eq!(workspace.limits, Limits { deletes: 2, partition_increases: 5, changed_percent: 100 });
    let [cut, increase] = workspace.acknowledgements.as_slice() else { panic!("two are declared") };
    let expected = Change::Config { key: ConfigKey::new("retention.ms"), from: "604800000".to_owned(), to: "259200000".to_owned() };
    assert_eq!((cut.profile.as_str(), &cut.acknowledgement.change, cut.acknowledgement.reason.as_str()), ("compacted", &expected, "cost, OPS-9"));
    assert_eq!(cut.acknowledgement.expires, Some(Day { year: 2027, month: 1, day: 31 }));
    assert_eq!(loaded.sources.position(cut.acknowledgement.place).line, 15);
    assert_eq!(increase.acknowledgement.change, Change::Partitions { from: 50, to: 100 });
    let [named, sized] = workspace.policies.as_slice() else { panic!("two are declared") };
    assert!(named.topics.matches("payments.x") && !named.topics.matches("x") && sized.topics.matches("x"));
    assert!(named.name.as_ref().is_some_and(|(written, name)| written == "^[a-z.]+$" && name.is_match("a.b") && !name.is_match("A")));
    assert_eq!((named.partitions, named.replication_factor), (Bounds { min: Some(2), max: Some(64) }, Bounds { min: Some(3), max: None }));
    assert_eq!(named.require, [Required::Owner, Required::Keys]);
    let bounds = |key: &str| sized.config[&ConfigKey::new(key)];
    assert_eq!(bounds("retention.ms"), Bounds { min: Some(3_600_000), max: Some(i64::MAX) });
    assert_eq!(bounds("max.message.bytes"), Bounds { min: None, max: Some(1_048_576) });
    assert_eq!((workspace.drift.grace_ms, workspace.drift.fail_on), (90_000, Severity::Error));
    let [known] = workspace.drift.ignore.as_slice() else { panic!("one is declared") };
    assert_eq!((known.cluster.as_str(), known.code, known.actual.as_str(), known.reason.as_str()), ("dr", Code::Pt002, "9", "before MM2"));
    assert!(known.topics.matches("legacy.x") && !known.topics.matches("x"));
}

#[test]
fn what_is_left_out_has_defaults() {
    let loaded = load_files(WORKSPACE, &[]);
    let workspace = loaded.workspace.unwrap();
    assert!(workspace.scope.is_none() && workspace.policies.is_empty() && workspace.acknowledgements.is_empty());
    assert_eq!(workspace.limits, Limits { deletes: 0, partition_increases: 5, changed_percent: 30 });
    assert_eq!((workspace.drift.grace_ms, workspace.drift.fail_on, workspace.drift.ignore.len()), (600_000, Severity::Warning, 0));
}

#[test]
fn a_topic_outside_of_the_scope_is_refused_whether_it_shall_exist_or_not() {
    let loaded = load_files(
        &format!("{WORKSPACE}scope: payments.*\n"),
        &[("topics/a.yaml", "topics:\n  payments.a: {partitions: 1}\n  x: {partitions: 1}\n  y: {state: absent}\n")],
    );
    assert_eq!(told(&loaded), ["YM010 3:3", "YM010 4:3"]);
    assert!(loaded.findings[0].message.contains("payments.*"), "{}", loaded.findings[0].message);
}

#[test]
fn flows_fill_in_what_they_name() {
    let workspace = WORKSPACE.replace("target: dr}", "target: dr, fill: [min.insync.replicas, confluent.x]}");
    let loaded = load_files(&workspace, &[]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let fill: Vec<_> = loaded.workspace.unwrap().mirrors[0].fill.iter().map(|key| key.value.to_string()).collect();
    assert_eq!(fill, ["min.insync.replicas", "confluent.x"]);
    for (fill, expected) in [("[retenton.ms]", "CF001 6:42"), ("[a, a]", "YM008 6:45"), ("['']", "YM008 6:42"), ("x", "YM003 6:41")] {
        let loaded = load_files(&WORKSPACE.replace("target: dr}", &format!("target: dr, fill: {fill}}}")), &[]);
        assert_eq!(told(&loaded), [expected], "{fill}: {:#?}", loaded.findings);
    }
}

/// Lines with one thing wrong (`^`), and what is said.
#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (marked, code, said) in [
        ("scope: ^[]", "YM008", "matches no topic"),
        ("scope: ^''", "YM008", "matches no topic"),
        ("scope: [a, ^'[']", "YM008", "no pattern"),
        ("scope: ^{a: b}", "YM003", "a pattern or a list of patterns"),
        ("limits: {deletes: ^-1}", "YM008", "-1"),
        ("limits: {^delete: 1}", "YM002", "write `deletes`"),
        ("limits: {changed_percent: ^101}", "YM008", "more than all"),
        ("acknowledge: [{profile: ^bigg, retention_cut: {from: 7d, to: 3d}, reason: x}]", "YM007", "there is no profile"),
        ("acknowledge: [^{retention_cut: {from: 7d, to: 3d}, reason: x}]", "YM012", "`profile`"),
        ("acknowledge: [{profile: big, ^retention_cut: {from: 7d, to: 3d}}]", "YM012", "`reason`"),
        ("acknowledge: [^{profile: big, reason: x}]", "YM012", "retention_cut"),
        ("acknowledge: [{profile: big, ^delete: {topic_id: x}, reason: x}]", "YM002", "`delete`"),
        ("acknowledge: [{profile: big, retention_cut: {from: 7d, to: 3d}, ^cleanup_policy: {from: delete, to: compact}, reason: x}]", "YM013", "two changes"),
        ("acknowledge: [{profile: big, retention_cut: {from: 3d, to: ^7d}, reason: x}]", "YM008", "no cut"),
        ("policy: [^{topics: a}]", "YM012", "no rule"),
        ("policy: [{name: ^'['}]", "YM008", "unclosed character class"),
        ("policy: [{name: ^''}]", "YM008", "empty"),
        ("policy: [{partitions: {min: 3, max: ^2}}]", "YM008", "below its smallest"),
        ("policy: [{partitions: {min: ^0}}]", "YM008", "takes 1 to"),
        ("policy: [{require: [^ownr]}]", "YM008", "write `owner`"),
        ("policy: [{config: {^retenton.ms: {max: 1d}}}]", "CF001", "write `retention.ms`"),
        ("policy: [{config: {^cleanup.policy: {max: 1}}}]", "YM008", "bounds durations"),
        ("policy: [{config: {retention.ms: {max: ^1x}}}]", "YM008", "takes a duration"),
        ("policy: [{config: {retention.ms: {min: -1, max: ^1d}}}]", "YM008", "below its smallest"),
        ("drift: {grace: ^1x}", "YM008", "`grace`"),
        ("drift: {grace: ^-1}", "YM008", "past"),
        ("drift: {fail_on: ^off}", "YM008", "error, warning, info"),
        ("drift: {ignore: [^{cluster: dr, topics: a, code: PT002, reason: x}]}", "YM012", "`actual`"),
        ("drift: {ignore: [^{cluster: dr, topics: a, code: PT002, actual: 9}]}", "YM012", "`reason`"),
        ("drift: {ignore: [{cluster: ^dx, topics: a, code: PT002, actual: 9, reason: x}]}", "YM007", "there is no cluster"),
        ("drift: {ignore: [{cluster: dr, topics: a, code: ^PT02, actual: 9, reason: x}]}", "YM008", "write `PT002`"),
    ] {
        let loaded = load_files(&format!("{WORKSPACE}{}\n", marked.replace('^', "")), &[]);
        let column = marked.find('^').unwrap() + 1;
        assert_eq!(told(&loaded), [format!("{code} 11:{column}")], "{marked}: {:#?}", loaded.findings);
        let text = format!("{} {}", loaded.findings[0].message, loaded.findings[0].help);
        assert!(text.contains(said), "{marked}: {text}");
    }
    // The marker of the table stands in this one's way.
    let loaded = load_files(&format!("{WORKSPACE}policy: [{{name: '^[a-z'}}]\n"), &[]);
    assert_eq!(told(&loaded), ["YM008 11:17"]);
}
