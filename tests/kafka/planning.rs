//! The built program plans against the two clusters, and what it says is what Kafka's own tools were told or report.

use crate::brokers::{Brokers, brokers};
use crate::runner::{Run, Workspace};
use crate::tools::{self, CONFIGS, TOPICS, tool};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::thread;

const WORKSPACE: &str = r#"version: 1
name: real
clusters:
  primary: {bootstrap: "${env:PRIMARY}"}
  dr: {bootstrap: "${env:DR}"}
mirrors:
  - source: primary
    target: dr
    aliases: {source: us-east, target: us-west}
    mm2: {version: "4.0", config: {replication.factor: 1}}
defaults: {replication_factor: 1, partitions: 1}
"#;

/// Overrides for every origin that a broker's value has on primary.
const OVERRIDES: [(&str, &str); 5] = [
    ("retention.ms", "3600000"),
    ("segment.bytes", "52428800"),
    ("delete.retention.ms", "1000"),
    ("max.message.bytes", "1000000"),
    ("min.insync.replicas", "1"),
];

/// How many topics there are only to be counted.
pub(crate) const MANY: usize = 350;

/// Topics to plan changes of, more than Kafka's tools could create in reasonable time.
pub(crate) fn prepare(brokers: &Brokers) {
    // MirrorMaker writes dynamic values of the source's brokers to every copy.
    let dynamic = [("delete.retention.ms", "77000"), ("max.message.bytes", "2000000")];
    let many: Vec<_> = (0..MANY).map(many).collect();
    let copies: Vec<_> = many.iter().map(|name| format!("us-east.{name}")).collect();
    let topic = tools::topic;
    let primary = [
        topic("inherits", 1, &[]),
        topic("overrides", 1, &OVERRIDES),
        topic("shrinks", 4, &[]),
        topic("grows", 3, &[]),
        topic("keyed", 2, &[]),
        topic("acknowledged", 2, &[]),
        topic("collides_here", 1, &[]),
    ];
    let dr = [
        topic("us-east.inherits", 1, &dynamic),
        topic("us-east.overrides", 1, &OVERRIDES[..4]),
        topic("us-east.grows", 3, &dynamic),
        topic("us-east.collides_there", 1, &[]),
    ];
    thread::scope(|scope| {
        scope.spawn(|| tools::create(&brokers.primary.bootstrap, primary.into_iter().chain(many.iter().map(|name| topic(name, 1, &[])))));
        scope.spawn(|| tools::create(&brokers.dr.bootstrap, dr.into_iter().chain(copies.iter().map(|name| topic(name, 1, &dynamic)))));
    });
}

fn many(number: usize) -> String {
    format!("many.{number:03}")
}

/// A workspace of the two clusters that declares these topics.
fn declaring(topics: &str) -> Workspace {
    let brokers = brokers();
    Workspace::of([("isotopic.yaml", WORKSPACE), ("topics/a.yaml", topics)]).env("PRIMARY", &brokers.primary.bootstrap).env("DR", &brokers.dr.bootstrap)
}

fn plan(workspace: &Workspace) -> Run {
    workspace.run(&["plan", "--format", "json"])
}

fn list<'a>(document: &'a Value, name: &str) -> &'a Vec<Value> {
    document[name].as_array().unwrap()
}

/// The step of a topic.
fn step<'a>(document: &'a Value, topic: &str, action: &str) -> &'a Value {
    let steps: Vec<_> = list(document, "steps").iter().filter(|step| step["topic"] == topic && step["action"] == action).collect();
    assert_eq!(steps.len(), 1, "{action} {topic}: {document:#}");
    steps[0]
}

/// What a step does to configs: key, own value, value in force without one, origin, value afterwards.
fn fields(step: &Value) -> BTreeMap<&str, [Value; 4]> {
    let field = |field: &Value| ["before", "before_effective", "before_origin", "after"].map(|name| field[name].clone());
    step["fields"].as_array().unwrap().iter().map(|one| (one["attribute"].as_str().unwrap(), field(one))).collect()
}

/// What becomes of a copy: attribute, before, after, verdict.
fn predictions<'a>(document: &'a Value, copy: &str) -> BTreeMap<&'a str, [Value; 3]> {
    let of_copy = list(document, "predictions").iter().filter(|prediction| prediction["topic"] == copy && prediction["cluster"] == "dr");
    of_copy.map(|one| (one["attribute"].as_str().unwrap(), ["before", "after", "verdict"].map(|name| one[name].clone()))).collect()
}

/// Codes of refusals and their topics.
fn refusals(document: &Value) -> BTreeSet<(&str, &str)> {
    list(document, "refusals").iter().map(|refusal| (refusal["code"].as_str().unwrap(), refusal["topic"].as_str().unwrap_or("-"))).collect()
}

/// A topic's configs as kafka-configs prints them: value and origin. `  key=value sensitive=false synonyms={ORIGIN:name=value, ...}`, the origin in force first.
/// No synonyms are printed of a default that the brokers hold in other units, such as hours.
fn reported(bootstrap: &str, topic: &str) -> BTreeMap<String, (String, String)> {
    let printed = tool(CONFIGS, bootstrap, &format!("--describe --all --entity-type topics --entity-name {topic}"));
    let entry = |line: &str| {
        let (setting, synonyms) = line.trim().split_once(" sensitive=false synonyms={")?;
        let (key, value) = setting.split_once('=')?;
        let origin = synonyms.split_once(':').map_or("DEFAULT_CONFIG", |(origin, _)| origin);
        Some((key.to_owned(), (value.to_owned(), origin.to_owned())))
    };
    printed.lines().filter_map(entry).collect()
}

/// The line of a topic in what kafka-topics prints, by columns: `Topic: a`, `TopicId: b`, `PartitionCount: 1`.
fn described<'a>(printed: &'a str, topic: &str) -> BTreeMap<&'a str, &'a str> {
    let line = printed.lines().find(|line| line.starts_with(&format!("Topic: {topic}\t"))).unwrap();
    line.split('\t').filter_map(|column| column.split_once(": ")).collect()
}

#[test]
fn steps_start_from_what_kafkas_tools_report() {
    let brokers = brokers();
    let (primary, dr) = (&brokers.primary.bootstrap, &brokers.dr.bootstrap);
    let (orders, clicks, on_primary, on_dr) = thread::scope(|scope| {
        let orders = scope.spawn(|| reported(primary, "orders"));
        let clicks = scope.spawn(|| reported(primary, "clicks"));
        let on_primary = scope.spawn(|| tool(TOPICS, primary, "--describe"));
        let on_dr = scope.spawn(|| tool(TOPICS, dr, "--list"));
        (orders.join().unwrap(), clicks.join().unwrap(), on_primary.join().unwrap(), on_dr.join().unwrap())
    });
    let workspace = declaring(
        "topics:
  orders:
    partitions: 8
    keys: none
    config: {retention.ms: 2d, cleanup.policy: [delete, compact], segment.bytes: 64MiB, delete.retention.ms: 1d, max.message.bytes: 1MiB, flush.ms: 1m}
    acknowledge: {message_size_cut: {from: 2000000, to: 1MiB, reason: OPS-2}}
  clicks:
    partitions: 3
    config: {retention.ms: 100h}
",
    );
    let run = plan(&workspace);
    let document = run.exits(0).json();

    let configure = step(&document, "orders", "configure");
    let changes = fields(configure);
    // The policy is the same list in another order.
    let wanted = [("delete.retention.ms", "86400000"), ("flush.ms", "60000"), ("max.message.bytes", "1048576"), ("retention.ms", "172800000")];
    let wanted = BTreeMap::from_iter(wanted.into_iter().chain([("segment.bytes", "67108864")]));
    assert_eq!(changes.keys().map(|name| name.strip_prefix("config:").unwrap()).collect::<Vec<_>>(), wanted.keys().copied().collect::<Vec<_>>());
    for (key, after) in wanted {
        let (value, origin) = &orders[key];
        let is_own = origin == "DYNAMIC_TOPIC_CONFIG";
        let (own, effective) = if is_own { (json!(value), Value::Null) } else { (Value::Null, json!(value)) };
        assert_eq!(changes[format!("config:{key}").as_str()], [own, effective, json!(origin), json!(after)], "{key}");
    }
    let topic = described(&on_primary, "orders");
    let grow = step(&document, "orders", "grow");
    assert_eq!(grow["topic_id"], topic["TopicId"]);
    assert_eq!(configure["topic_id"], topic["TopicId"]);
    assert_eq!(fields(grow)["partitions"][0].to_string(), topic["PartitionCount"]);
    assert_eq!(topic["ReplicationFactor"], "1", "the same as declared, so nothing is said of it");
    assert_eq!(list(&document, "diagnostics"), &Vec::<Value>::new());

    // log.retention.hours=100 is in force already.
    let pin = step(&document, "clicks", "configure");
    assert_eq!(pin["reason"], "pin");
    let (value, origin) = &clicks["retention.ms"];
    assert_eq!(fields(pin)["config:retention.ms"], [Value::Null, json!(value), json!(origin), json!("360000000")]);

    let cluster = |name: &str| list(&document, "clusters").iter().find(|cluster| cluster["name"] == name).unwrap();
    assert_eq!((&cluster("primary")["id"], &cluster("dr")["id"]), (&json!(brokers.primary.id), &json!(brokers.dr.id)));
    assert_eq!((&cluster("primary")["kind"], &cluster("primary")["status"]), (&json!("kafka"), &json!("complete")));
    // On primary another test creates a topic at some time.
    let count = on_primary.lines().filter(|line| line.starts_with("Topic: ") && !line.starts_with("Topic: auto.created\t")).count();
    assert!((count..=count + 1).contains(&usize::try_from(cluster("primary")["topics"].as_u64().unwrap()).unwrap()), "{count}: {document:#}");
    assert_eq!(cluster("dr")["topics"], on_dr.lines().count());

    // us-east.orders has 9 partitions and none of the source's configs; us-east.clicks is not there.
    let ahead = list(&document, "drift").iter().find(|drift| drift["code"] == "PT002").unwrap();
    assert_eq!([&ahead["topic"], &ahead["expected"], &ahead["actual"]], [&json!("us-east.orders"), &json!(6), &json!(9)]);
    let orders = predictions(&document, "us-east.orders");
    assert_eq!(orders["config:cleanup.policy"], [Value::Null, json!("compact,delete"), json!("heals")]);
    assert_eq!(predictions(&document, "us-east.clicks")["partitions"], [Value::Null, json!(3), json!("heals")]);
}

#[test]
fn the_text_shows_units_and_raw_values() {
    let run = declaring("topics:\n  orders: {partitions: 6, config: {retention.ms: 2d, cleanup.policy: [compact, delete], segment.bytes: 64MiB}}\n");
    let run = run.run(&["plan", "--detailed-exitcode"]);
    run.exits(2).says_nothing();
    run.shows("real | ").shows("~ orders  topics/a.yaml:2\n");
    run.shows("retention.ms   1d -> 2d   86400000 -> 172800000\n");
    run.shows("segment.bytes  100MiB (inherited) -> 64MiB   104857600 -> 67108864\n");
    run.shows("PT002").shows("us-east.orders");
    assert!(!run.stdout.contains("SIMULATED"), "{}", run.stdout);
}

#[test]
fn a_pair_in_step_plans_nothing() {
    let workspace = declaring(
        "topics:
  in.step: {partitions: 3, config: {min.insync.replicas: null}}
  in.step.too: {partitions: 2, config: {retention.ms: 7d, max.message.bytes: 1000000}}
",
    );
    let run = workspace.run(&["plan", "--format", "json", "--detailed-exitcode"]);
    let document = run.exits(0).says_nothing().json();
    for name in ["steps", "predictions", "refusals", "diagnostics"] {
        assert_eq!(list(&document, name), &Vec::<Value>::new(), "{name}");
    }
    assert_eq!((&document["applyable"], &document["complete"], &document["summary"]["unchanged"]), (&json!(true), &json!(true), &json!(2)));
    // What the brokers have in force differs, and MirrorMaker leaves static and default values alone: 100 h and 123 s of retention where nobody overrides it,
    // and segments of 100 MiB and of Kafka's own 1 GiB. min.insync.replicas, a dynamic default on both, is no difference.
    let field = |drift: &Value, name: &str| drift[name].as_str().unwrap().to_owned();
    let drift: BTreeSet<_> =
        list(&document, "drift").iter().map(|one| ["class", "severity", "topic", "attribute", "expected", "actual"].map(|name| field(one, name))).collect();
    let inherited = |severity: &str, topic: &str, key: &str, here: &str, there: &str| ["inherited", severity, topic, key, here, there].map(str::to_owned);
    let wanted = [
        // Less than the source keeps: data that is missed after a failover (CF006).
        inherited("error", "us-east.in.step", "config:retention.ms", "360000000", "123000"),
        inherited("info", "us-east.in.step", "config:segment.bytes", "104857600", "1073741824"),
        inherited("info", "us-east.in.step.too", "config:segment.bytes", "104857600", "1073741824"),
    ];
    assert_eq!(drift, BTreeSet::from(wanted));
}

#[test]
fn what_follows_for_a_copy_depends_on_where_the_sources_value_comes_from() {
    let workspace = declaring(
        "topics:
  inherits:
    config: {retention.ms: 1d, segment.bytes: 64MiB, delete.retention.ms: 1d, max.message.bytes: 1MiB, min.insync.replicas: 1}
    acknowledge:
      retention_cut: {from: 100h, to: 1d, reason: OPS-3}
      message_size_cut: {from: 2000000, to: 1MiB, reason: OPS-3}
  overrides:
    config: {retention.ms: null, segment.bytes: null, delete.retention.ms: null, max.message.bytes: ~, min.insync.replicas: ~}
",
    );
    let document = plan(&workspace).exits(0).json();
    let text = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    let row = |row: [&str; 4]| row.map(text);
    let outcome = |row: [&str; 3]| row.map(text);

    let inherits = BTreeMap::from([
        ("config:retention.ms", row(["", "360000000", "DEFAULT_CONFIG", "86400000"])),
        ("config:segment.bytes", row(["", "104857600", "STATIC_BROKER_CONFIG", "67108864"])),
        ("config:delete.retention.ms", row(["", "77000", "DYNAMIC_BROKER_CONFIG", "86400000"])),
        ("config:max.message.bytes", row(["", "2000000", "DYNAMIC_DEFAULT_BROKER_CONFIG", "1048576"])),
        ("config:min.insync.replicas", row(["", "1", "DYNAMIC_DEFAULT_BROKER_CONFIG", "1"])),
    ]);
    assert_eq!(fields(step(&document, "inherits", "configure")), inherits);
    // Overrides are written, whatever was there before; what is excluded never is.
    let followed = BTreeMap::from([
        ("config:retention.ms", outcome(["", "86400000", "heals"])),
        ("config:segment.bytes", outcome(["", "67108864", "heals"])),
        ("config:delete.retention.ms", outcome(["77000", "86400000", "heals"])),
        ("config:max.message.bytes", outcome(["2000000", "1048576", "heals"])),
        ("config:min.insync.replicas", outcome(["", "", "never"])),
    ]);
    assert_eq!(predictions(&document, "us-east.inherits"), followed);

    let overrides = OVERRIDES.map(|(key, value)| (format!("config:{key}"), row([value, "", "DYNAMIC_TOPIC_CONFIG", ""])));
    let overrides: BTreeMap<_, _> = overrides.iter().map(|(key, row)| (key.as_str(), row.clone())).collect();
    assert_eq!(fields(step(&document, "overrides", "configure")), overrides);
    // Without the override the source's value is a default (removed from the copy), static (the copy keeps its override for good), or dynamic (written).
    let followed = BTreeMap::from([
        ("config:retention.ms", outcome(["3600000", "", "heals"])),
        ("config:segment.bytes", outcome(["52428800", "52428800", "never"])),
        ("config:delete.retention.ms", outcome(["1000", "77000", "heals"])),
        ("config:max.message.bytes", outcome(["1000000", "2000000", "heals"])),
        ("config:min.insync.replicas", outcome(["", "", "never"])),
    ]);
    assert_eq!(predictions(&document, "us-east.overrides"), followed);
}

const REFUSED: &str = "topics:
  unknown.key: {config: {vendor.placement.constraints: x}}
  replicated: {replication_factor: 2}
  shrinks: {partitions: 2}
  collides.here: {}
  collides.there: {}
  keyed: {partitions: 4}
  grows: {partitions: 6, keys: none}
  acknowledged:
    partitions: 4
    acknowledge: {partition_increase: {from: 2, to: 4, reason: OPS-1}}
";

#[test]
fn what_these_clusters_would_not_take_is_refused() {
    let workspace = declaring(REFUSED);
    let document = plan(&workspace).exits(4).says("Kafka cannot shrink a topic").json();
    let wanted =
        [("CF002", "unknown.key"), ("RF001", "replicated"), ("PT001", "shrinks"), ("NM002", "collides.here"), ("NM002", "collides.there"), ("AK001", "keyed")];
    assert_eq!(refusals(&document), BTreeSet::from(wanted));
    assert_eq!((&document["applyable"], &document["complete"]), (&json!(false), &json!(true)));
    assert_eq!(list(&document, "steps").len(), 2);
    assert_eq!(fields(step(&document, "grows", "grow"))["partitions"], [json!(3), Value::Null, Value::Null, json!(6)]);
    assert_eq!(step(&document, "acknowledged", "grow")["acknowledged_by"], "OPS-1");
    assert_eq!(predictions(&document, "us-east.grows")["partitions"], [json!(3), json!(6), json!("heals")]);
    workspace.run(&["plan", "--detailed-exitcode"]).exits(4).shows("REFUSED: 6 topics. Nothing will be written");

    // MirrorMaker's default of two replicas is more than dr has brokers.
    let two = declaring("topics: {new: {}}\n").file("isotopic.yaml", WORKSPACE.replace(", config: {replication.factor: 1}", ""));
    assert_eq!(refusals(&plan(&two).exits(4).json()), BTreeSet::from([("RF004", "new")]));
}

/// Primary creates topics that somebody asks for. Names that begin with `auto.` are created by another test.
#[test]
fn planning_changes_nothing() {
    let brokers = brokers();
    let look = || {
        thread::scope(|scope| {
            let printed = [&brokers.primary, &brokers.dr].map(|broker| scope.spawn(|| tool(TOPICS, &broker.bootstrap, "--describe")));
            printed.map(|printed| printed.join().unwrap().lines().filter(|line| !line.contains("Topic: auto.created\t")).map(str::to_owned).collect::<Vec<_>>())
        })
    };
    let workspace = declaring(&format!("{REFUSED}  asked.for: {{partitions: 3}}\n  orders: {{partitions: 6, config: {{retention.ms: 2d}}}}\n"));
    let without_refusals = declaring("topics:\n  asked.for: {partitions: 3}\n  orders: {partitions: 6, config: {retention.ms: 2d}}\n");
    let before = look();
    for _ in 0..2 {
        workspace.run(&["plan"]).exits(4);
        let document = plan(&without_refusals).exits(0).json();
        assert_eq!(document["summary"]["create"], 1);
        assert_eq!(document["summary"]["configure"], 1);
    }
    assert_eq!(before, look());
}

#[test]
fn requests_grow_with_hundreds_of_topics() {
    let topics: String = (0..MANY).map(|number| format!("  {}: {{}}\n", many(number))).collect();
    let absent: String = (0..MANY).map(|number| format!("  absent.{number:03}: {{}}\n")).collect();
    let workspace = declaring(&format!("topics:\n{topics}{absent}"));
    let run = workspace.run(&["plan", "-v"]);
    run.exits(0).shows("350 create");
    for cluster in ["primary", "dr"] {
        let requests = run.stderr.lines().find_map(|line| line.strip_prefix(&format!("{cluster}: "))?.strip_suffix(" requests")?.parse::<usize>().ok());
        // The topics that are there are described, and one more.
        let described = (MANY + 1).div_ceil(100);
        assert!(requests.is_some_and(|requests| (described..=described + 10).contains(&requests)), "{cluster}: {requests:?}\n{}", run.stderr);
    }
}
