//! What `isotopic plan --format json` decides about a pair of clusters. Expected values come from Kafka's rules and from MirrorMaker's (the table of
//! `mirror/model.rs`), worked out on paper.

use crate::runner::Workspace;
use serde_json::{Value, json};

/// Two clusters, a flow of MirrorMaker 4.0 between them, and topics with one replica.
struct World {
    topics: &'static str,
    primary: Value,
    dr: Value,
    /// Defaults that the brokers of both clusters report.
    defaults: Value,
    dr_defaults: Value,
    mm2: &'static str,
    extra: &'static str,
}

impl World {
    fn of(topics: &'static str, primary: Value, dr: Value) -> Self {
        let defaults = json!({
            "retention.ms": {"value": "604800000", "origin": "DEFAULT_CONFIG"},
            "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"},
            "segment.bytes": {"value": "1073741824", "origin": "STATIC_BROKER_CONFIG"},
            "max.message.bytes": {"value": "1048588", "origin": "DYNAMIC_BROKER_CONFIG"},
            "min.insync.replicas": {"value": "1", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"}
        });
        let dr_defaults = json!({
            "retention.ms": {"value": "604800000", "origin": "DEFAULT_CONFIG"},
            "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"},
            "segment.bytes": {"value": "1073741824", "origin": "DEFAULT_CONFIG"},
            "max.message.bytes": {"value": "1048588", "origin": "DEFAULT_CONFIG"},
            "min.insync.replicas": {"value": "1", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"}
        });
        Self { topics, primary, dr, defaults, dr_defaults, mm2: "{version: \"4.0\"}", extra: "" }
    }

    fn plan(&self) -> Value {
        self.run(0)
    }

    #[track_caller]
    fn run(&self, exit: i32) -> Value {
        let cluster = |id: &str, brokers: usize, topics: &Value, defaults: &Value| {
            let brokers: Vec<_> = (1..=brokers).map(|id| json!({"id": id})).collect();
            json!({"format_version": "1.0", "kind": "simulated", "cluster_id": id, "brokers": brokers, "defaults": defaults, "topics": topics}).to_string()
        };
        let workspace = format!(
            "version: 1\nname: test\nclusters:\n  primary: {{simulated: primary.json}}\n  dr: {{simulated: dr.json}}\n\
             mirrors:\n- {{source: primary, target: dr, mm2: {}}}\ndefaults: {{partitions: 1, replication_factor: 1}}\n{}",
            self.mm2, self.extra
        );
        let folder = Workspace::new()
            .file("isotopic.yaml", workspace)
            .file("topics/a.yaml", self.topics)
            .file("primary.json", cluster("P", 3, &self.primary, &self.defaults))
            .file("dr.json", cluster("D", 2, &self.dr, &self.dr_defaults));
        folder.run(&["plan", "--format", "json"]).exits(exit).json()
    }
}

fn topic(partitions: u32, overrides: Value) -> Value {
    json!({"id": "AAAAAAAAAAAAAAAAAAAAAQ", "partitions": partitions, "replication_factor": 1, "overrides": overrides})
}

/// The elements of a list, each as the values of these keys.
fn rows(plan: &Value, list: &str, keys: &[&str]) -> Vec<Value> {
    plan[list].as_array().unwrap().iter().map(|element| keys.iter().map(|key| element[key].clone()).collect()).collect()
}

const STEP: &[&str] = &["cluster", "topic", "action", "reason"];
const PREDICTION: &[&str] = &["cluster", "topic", "attribute", "before", "after", "verdict", "due_seconds"];
const DRIFT: &[&str] = &["class", "code", "cluster", "topic", "attribute", "expected", "actual"];
const REFUSAL: &[&str] = &["code", "scope", "cluster", "topic", "line"];

#[test]
fn a_missing_topic_is_created_and_its_copy_predicted() {
    let topics = "topics:\n  a: {partitions: 6, config: {retention.ms: 1d, min.insync.replicas: 1, segment.bytes: null}}\n";
    let plan = World::of(topics, json!({}), json!({})).plan();
    assert_eq!(rows(&plan, "steps", STEP), [json!(["primary", "a", "create", "absent"])]);
    let fields = &plan["steps"][0]["fields"];
    assert_eq!(
        fields.as_array().unwrap().iter().map(|field| json!([field["attribute"], field["before"], field["after"]])).collect::<Vec<_>>(),
        [
            json!(["partitions", null, 6]),
            json!(["replication_factor", null, 1]),
            json!(["config:min.insync.replicas", null, "1"]),
            json!(["config:retention.ms", null, "86400000"])
        ]
    );
    assert_eq!(plan["steps"][0]["topic_id"], Value::Null);
    assert_eq!((&plan["steps"][0]["wave"], &plan["steps"][0]["reversible"]), (&json!(3), &json!(false)));
    // No topic tells what dr's or primary's brokers have for defaults here: the cluster files do.
    assert_eq!(
        rows(&plan, "predictions", PREDICTION),
        [
            json!(["dr", "primary.a", "existence", null, "present", "heals", 600]),
            json!(["dr", "primary.a", "partitions", null, 6, "heals", 600]),
            json!(["dr", "primary.a", "replication_factor", null, 2, "heals", 600]),
            json!(["dr", "primary.a", "config:max.message.bytes", null, "1048588", "heals", 600]),
            json!(["dr", "primary.a", "config:min.insync.replicas", null, null, "never", null]),
            json!(["dr", "primary.a", "config:retention.ms", null, "86400000", "heals", 600]),
        ]
    );
    assert_eq!(
        plan["summary"],
        json!({"create": 1, "grow": 0, "configure": 0, "delete": 0, "refused": 0, "held_back": 0, "predicted": 1, "drift": 0, "unchanged": 0})
    );
    assert_eq!((&plan["applyable"], &plan["complete"], &plan["errored"]), (&json!(true), &json!(true), &json!(false)));
}

#[test]
fn a_pair_in_step_plans_nothing() {
    // The dynamic broker value of max.message.bytes is written to every copy (MirrorSourceConnector treats only DEFAULT_CONFIG as a default).
    let synced = json!({"retention.ms": "86400000", "max.message.bytes": "1048588"});
    let world = World::of(
        "topics:\n  a: {config: {retention.ms: 24h, cleanup.policy: null}}\n",
        json!({"a": topic(1, json!({"retention.ms": "86400000"}))}),
        json!({"primary.a": topic(1, synced)}),
    );
    let plan = world.plan();
    for list in ["steps", "predictions", "refusals", "drift", "diagnostics"] {
        assert_eq!(plan[list], json!([]), "{list}");
    }
    assert_eq!(plan["fingerprint"], "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(plan["summary"]["unchanged"], 1);
}

#[test]
fn a_declared_default_is_a_pin_and_null_resets() {
    let topics = "topics:\n  a: {config: {retention.ms: 7d}}\n  b:\n    config: {cleanup.policy: null, retention.ms: 2d}\n    \
                  acknowledge: {retention_cut: {from: 7d, to: 2d, reason: cost}, cleanup_policy: {from: compact, to: delete, reason: slip}}\n";
    let primary = json!({"a": topic(1, json!({})), "b": topic(1, json!({"cleanup.policy": "compact"}))});
    let dr = json!({"primary.a": topic(1, json!({"max.message.bytes": "1048588"})), "primary.b": topic(1, json!({"cleanup.policy": "compact", "max.message.bytes": "1048588"}))});
    let plan = World::of(topics, primary, dr).plan();
    assert_eq!(rows(&plan, "steps", STEP), [json!(["primary", "a", "configure", "pin"]), json!(["primary", "b", "configure", "differs"])]);
    let field = |step: usize, field: usize| {
        let field = &plan["steps"][step]["fields"][field];
        json!([field["attribute"], field["before"], field["before_effective"], field["before_origin"], field["after"]])
    };
    assert_eq!(field(0, 0), json!(["config:retention.ms", null, "604800000", "DEFAULT_CONFIG", "604800000"]));
    assert_eq!(field(1, 0), json!(["config:cleanup.policy", "compact", null, "DYNAMIC_TOPIC_CONFIG", null]));
    assert_eq!(field(1, 1), json!(["config:retention.ms", null, "604800000", "DEFAULT_CONFIG", "172800000"]));
    assert_eq!(
        rows(&plan, "predictions", PREDICTION),
        [
            json!(["dr", "primary.a", "config:retention.ms", null, "604800000", "heals", 600]),
            json!(["dr", "primary.b", "config:cleanup.policy", "compact", null, "heals", 600]),
            json!(["dr", "primary.b", "config:retention.ms", null, "172800000", "heals", 600]),
        ]
    );
    assert_eq!(plan["drift"], json!([]));
}

#[test]
fn the_origin_of_the_sources_value_decides_what_becomes_of_a_copys_override() {
    let copy = json!({"retention.ms": "1", "segment.bytes": "2097152", "max.message.bytes": "2097152", "min.insync.replicas": "2"});
    let mut world = World::of("topics:\n  a: {}\n", json!({"a": topic(1, json!({}))}), json!({"primary.a": topic(1, copy)}));
    world.mm2 = "{version: \"3.9\", config: {sync.topic.configs.interval.seconds: 30}}";
    let plan = world.plan();
    assert_eq!(
        rows(&plan, "drift", DRIFT),
        [
            json!(["permanent", null, "dr", "primary.a", "config:segment.bytes", "1073741824", "2097152"]),
            json!(["lag", null, "dr", "primary.a", "config:max.message.bytes", "1048588", "2097152"]),
            json!(["lag", null, "dr", "primary.a", "config:retention.ms", null, "1"]),
        ]
    );
    assert_eq!(
        rows(&plan, "predictions", PREDICTION),
        [
            json!(["dr", "primary.a", "config:max.message.bytes", "2097152", "1048588", "heals", 30]),
            json!(["dr", "primary.a", "config:retention.ms", "1", null, "heals", 30]),
        ]
    );
}

#[test]
fn partitions_are_never_taken_away() {
    let plan = World::of("topics:\n  a: {partitions: 3, config: {retention.ms: 8d}}\n", json!({"a": topic(6, json!({}))}), json!({})).run(4);
    assert_eq!(rows(&plan, "refusals", REFUSAL), [json!(["PT001", "apply", "primary", "a", 2])]);
    assert_eq!(plan["steps"], json!([]), "nothing of a refused topic is planned");
    assert_eq!((&plan["applyable"], &plan["summary"]["refused"]), (&json!(false), &json!(1)));
}

#[test]
fn growth_needs_an_acknowledgement_of_exactly_this_change() {
    let grow = |topics: &'static str, exit: i32, code: Option<&str>| {
        let plan = World::of(topics, json!({"a": topic(6, json!({}))}), json!({"primary.a": topic(6, json!({"max.message.bytes": "1048588"}))})).run(exit);
        let codes: Vec<_> = plan["refusals"].as_array().unwrap().iter().map(|refusal| refusal["code"].as_str().unwrap().to_owned()).collect();
        assert_eq!(codes, code.into_iter().collect::<Vec<_>>(), "{topics}");
        assert_eq!(plan["steps"].as_array().unwrap().len(), usize::from(code.is_none()), "{topics}");
        plan
    };
    grow("topics:\n  a: {partitions: 12}\n", 4, Some("AK001"));
    grow("topics:\n  a: {partitions: 12, keys: keyed}\n", 4, Some("AK001"));
    grow("topics:\n  a: {partitions: 12, acknowledge: {partition_increase: {from: 5, to: 12, reason: x}}}\n", 4, Some("AK002"));
    grow("topics:\n  a: {partitions: 12, acknowledge: {partition_increase: {from: 6, to: 12, reason: x, expires: 2020-02-29}}}\n", 4, Some("AK003"));
    grow("topics:\n  a: {partitions: 12, keys: none}\n", 0, None);
    let plan = grow("topics:\n  a: {partitions: 12, acknowledge: {partition_increase: {from: 6, to: 12, reason: KEY-1}}}\n", 0, None);
    assert_eq!((&plan["steps"][0]["action"], &plan["steps"][0]["acknowledged_by"]), (&json!("grow"), &json!("KEY-1")));
    assert_eq!(plan["steps"][0]["topic_id"], "AAAAAAAAAAAAAAAAAAAAAQ");
    assert_eq!(rows(&plan, "predictions", PREDICTION), [json!(["dr", "primary.a", "partitions", 6, 12, "heals", 600])]);
    assert_eq!((&plan["acknowledgements"][0]["used"], &plan["drift"]), (&json!(true), &json!([])));
}

#[test]
fn an_acknowledgement_that_no_change_needs_is_left_over() {
    let topics = "topics:\n  a: {partitions: 12, acknowledge: {partition_increase: {from: 6, to: 12, reason: x}}}\n";
    let plan = World::of(topics, json!({"a": topic(12, json!({}))}), json!({"primary.a": topic(12, json!({"max.message.bytes": "1048588"}))})).plan();
    assert_eq!(rows(&plan, "diagnostics", &["code", "severity", "topic"]), [json!(["AK004", "info", "a"])]);
}

#[test]
fn a_copy_that_is_ahead_is_permanent_and_one_that_is_behind_heals() {
    let primary = json!({"a": topic(6, json!({})), "b": topic(6, json!({}))});
    let synced = json!({"max.message.bytes": "1048588"});
    let plan =
        World::of("topics: {a: {partitions: 6}, b: {partitions: 6}}\n", primary, json!({"primary.a": topic(9, synced.clone()), "primary.b": topic(4, synced)}))
            .plan();
    assert_eq!(
        rows(&plan, "drift", DRIFT),
        [json!(["permanent", "PT002", "dr", "primary.a", "partitions", 6, 9]), json!(["lag", "PT003", "dr", "primary.b", "partitions", 6, 4])]
    );
    assert_eq!(rows(&plan, "predictions", PREDICTION), [json!(["dr", "primary.b", "partitions", 4, 6, "heals", 600])]);
}

#[test]
fn growing_a_source_beyond_its_copy_that_was_ahead_predicts_the_rest() {
    let topics = "topics: {a: {partitions: 12, keys: none}}\n";
    let plan = World::of(topics, json!({"a": topic(6, json!({}))}), json!({"primary.a": topic(9, json!({"max.message.bytes": "1048588"}))})).plan();
    assert_eq!(rows(&plan, "drift", DRIFT), [json!(["permanent", "PT002", "dr", "primary.a", "partitions", 6, 9])]);
    assert_eq!(rows(&plan, "predictions", PREDICTION), [json!(["dr", "primary.a", "partitions", 9, 12, "heals", 600])]);
}

#[test]
fn a_copy_that_mirrormaker_cannot_create_refuses_the_create_that_causes_it() {
    let mut world = World::of("topics: {a: {}}\n", json!({}), json!({}));
    world.mm2 = "{version: \"4.0\", config: {replication.factor: 3}}";
    let plan = world.run(4);
    assert_eq!(rows(&plan, "refusals", REFUSAL), [json!(["RF004", "apply", "primary", "a", 1])]);
    // Where the source is there already, this change does not cause it: drift, and no refusal.
    world.primary = json!({"a": topic(1, json!({}))});
    let plan = world.plan();
    assert_eq!(rows(&plan, "drift", DRIFT), [json!(["blocked", "RF004", "dr", "primary.a", "existence", "present", null])]);
    assert_eq!(rows(&plan, "predictions", PREDICTION), [json!(["dr", "primary.a", "existence", null, "present", "blocked", null])]);
    // A workspace may lower it.
    world.primary = json!({});
    world.extra = "rules: {RF004: warning}\n";
    let plan = world.plan();
    assert_eq!((rows(&plan, "diagnostics", &["code", "severity"]), &plan["summary"]["create"]), (vec![json!(["RF004", "warning"])], &json!(1)));
}

#[test]
fn what_nobody_declared_is_manual_drift_on_the_source_only() {
    let primary = json!({"a": topic(1, json!({"retention.ms": "1000"}))});
    let dr = json!({"primary.a": topic(1, json!({"retention.ms": "1000", "max.message.bytes": "1048588"}))});
    let plan = World::of("topics: {a: {}}\n", primary, dr).plan();
    assert_eq!(rows(&plan, "drift", DRIFT), [json!(["manual", "CF009", "primary", "a", "config:retention.ms", null, "1000"])]);
    assert_eq!(plan["steps"], json!([]));
}

#[test]
fn a_key_that_the_cluster_does_not_report_is_refused_where_it_reports_others() {
    let plan = World::of("topics:\n  a: {config: {vendor.key: x}}\n", json!({"a": topic(1, json!({}))}), json!({})).run(4);
    assert_eq!(rows(&plan, "refusals", REFUSAL), [json!(["CF002", "apply", "primary", "a", 2])]);
    let mut world = World::of("topics:\n  a: {config: {retention.ms: 7d}}\n", json!({"a": topic(1, json!({}))}), json!({}));
    world.defaults = json!({});
    let plan = world.plan();
    assert!(rows(&plan, "diagnostics", &["code", "severity"]).contains(&json!(["CF008", "info"])));
    assert_eq!(plan["steps"][0]["fields"][0]["before_origin"], "unknown");
    assert_eq!((&plan["steps"][0]["reason"], &plan["steps"][0]["fields"][0]["before_effective"]), (&json!("differs"), &Value::Null));
}

#[test]
fn names_are_held_against_flows() {
    let refused = |topics: &'static str, code: &str| {
        let plan = World::of(topics, json!({}), json!({})).run(4);
        assert_eq!(rows(&plan, "refusals", &["code"]), [json!([code])], "{topics}");
    };
    refused("topics: {x.replica: {}}\n", "MR003");
    refused("topics: {a: {mirror: false}}\n", "MR004");
    refused("topics: {dr.a: {}}\n", "MR005");
    refused("topics: {primary.a: {cluster: dr}}\n", "MR002");
    let plan = World::of("topics: {x.replica: {mirror: false}, dr.a: {mirror: false}, x.internal: {}}\n", json!({}), json!({})).plan();
    assert_eq!(rows(&plan, "predictions", &["topic", "attribute"]).iter().filter(|row| row[1] == "existence").count(), 1);
    let plan = World::of("topics: {a.b: {mirror: false}}\nx: 1\n", json!({}), json!({})).run(3);
    assert_eq!(plan["errored"], true);
}

#[test]
fn names_that_collide_are_refused_among_declared_and_live_ones() {
    let plan = World::of("topics: {a.b: {}, a_b: {}}\n", json!({}), json!({})).run(4);
    assert_eq!(rows(&plan, "refusals", &["code", "topic"]), [json!(["NM002", "a_b"])]);
    let plan = World::of("topics: {a.b: {}}\n", json!({"a_b": topic(1, json!({}))}), json!({})).run(4);
    assert_eq!(rows(&plan, "refusals", &["code", "topic"]), [json!(["NM002", "a.b"])]);
}

#[test]
fn a_blind_flow_never_heals() {
    let mut world = World::of("topics: {a: {partitions: 2}}\n", json!({"a": topic(2, json!({}))}), json!({"us.east.a": topic(1, json!({}))}));
    world.mm2 = "{version: \"4.0\"}, aliases: {source: us.east}";
    let plan = world.run(4);
    assert_eq!(rows(&plan, "refusals", &["code", "topic"]), [json!(["MR005", "a"])]);
    let partitions = rows(&plan, "drift", DRIFT);
    assert!(partitions.contains(&json!(["blind", "PT003", "dr", "us.east.a", "partitions", 2, 1])), "{partitions:?}");
    assert!(rows(&plan, "predictions", PREDICTION).contains(&json!(["dr", "us.east.a", "partitions", 1, 2, "blind", null])));
}
