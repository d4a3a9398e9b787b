//! Loading a workspace from texts: what is accepted, what is refused, where a finding points and what it never says.

mod files;
mod guards;
mod topics;

use isotopic::finding::{Code, Finding, Severity};
use isotopic::kafka::name::{ClusterName, ConfigKey, TopicName};
use isotopic::spec::{Change, Connection, Day, Inputs, Keys, Loaded, MirrorWish, Topic, Variable, load, unset_variables};

const WORKSPACE: &str = "\
version: 1
clusters:
  primary: {bootstrap: localhost:9092}
  dr: {simulated: dr.json}
mirrors:
  - {source: primary, target: dr}
defaults: {replication_factor: 3}
profiles:
  compacted: {config: {cleanup.policy: compact, segment.ms: 1h}}
  big: {partitions: 100, config: {segment.ms: 2h}}
";

fn load_files(workspace: &str, topics: &[(&str, &str)]) -> Loaded {
    let topic_files = topics.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    load(Inputs { folder_name: "folder".to_owned(), workspace_file: ("isotopic.yaml".to_owned(), workspace.to_owned()), topic_files, ..Inputs::default() })
}

fn load_topics(text: &str) -> Loaded {
    load_files(WORKSPACE, &[("topics/a.yaml", text)])
}

/// Every finding as `CODE line:column`.
fn told(loaded: &Loaded) -> Vec<String> {
    let place = |finding: &Finding| {
        finding.place.map_or_else(String::new, |place| {
            let position = loaded.sources.position(place);
            format!(" {}:{}", position.line, position.column)
        })
    };
    loaded.findings.iter().map(|finding| format!("{}{}", finding.code, place(finding))).collect()
}

/// All that a person could get to see of what was found.
fn printed(loaded: &Loaded) -> String {
    let mut text = format!("{:?}", loaded.findings);
    for finding in &loaded.findings {
        if let Some(place) = finding.place {
            text.push_str(&loaded.sources.shown(place.file));
        }
    }
    text
}

#[expect(clippy::panic, reason = "only tests call it")]
fn topic<'a>(loaded: &'a Loaded, cluster: &str, name: &str) -> &'a Topic {
    let key = (ClusterName::new(cluster), TopicName::new(name));
    match loaded.workspace.as_ref().and_then(|workspace| workspace.topics.get(&key)) {
        Some(topic) => topic,
        None => panic!("no topic {name} on {cluster}; {:#?}", loaded.findings),
    }
}

/// The stored value of a config; `null` for an explicit null.
fn config(topic: &Topic, key: &str) -> String {
    match topic.config.get(&ConfigKey::new(key)) {
        Some(wanted) => wanted.value.clone().unwrap_or_else(|| "null".to_owned()),
        None => "undeclared".to_owned(),
    }
}

#[test]
fn a_whole_workspace_is_read() {
    let workspace = "\
version: 1
name: payments-prod
clusters:
  primary:
    bootstrap: ${env:BOOTSTRAP:-localhost:19092}
    id: 4L6g3nShT-eMCtK--X86sw
    properties:
      security.protocol: SASL_SSL
      sasl.password: ${env:PASSWORD}
  dr: {simulated: clusters/dr.json}
mirrors:
  - source: primary
    target: dr
    aliases: {source: us-east, target: us-west}
    mm2: {config: {replication.factor: -1, topics.exclude: '${vault:x}'}, version: 4.0}
rules: {PT002: warning}
";
    let topics = "\
defaults: {owner: team-payments, partitions: 4, replication_factor: 2}
topics:
  payments.orders:
    partitions: 12
    keys: keyed
    config: {retention.ms: 7d, max.message.bytes: 2MiB, compression.type: ~}
    mirror: [dr]
    acknowledge:
      partition_increase: {from: 6, to: 12, reason: \"no keys, KEY-481\", expires: 2027-01-31}
  payments.small: {}
  native: {cluster: dr, mirror: false, owner: other}
";
    let loaded = load_files(workspace, &[("topics/payments.yaml", topics)]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let workspace = loaded.workspace.as_ref().unwrap();
    assert_eq!(workspace.name, "payments-prod");
    let Connection::Kafka { bootstrap, id, properties } = &workspace.clusters["primary"] else { panic!("primary is real") };
    assert_eq!(bootstrap.value.resolve(|_| None), Ok("localhost:19092".to_owned()));
    assert_eq!(id.as_ref().map(|id| id.value.as_str()), Some("4L6g3nShT-eMCtK--X86sw"));
    assert_eq!(properties["sasl.password"].value.resolve(|_| None), Err("${env:PASSWORD}".to_owned()));
    let Connection::Simulated { file, .. } = &workspace.clusters["dr"] else { panic!("dr is simulated") };
    assert_eq!(file.value, "clusters/dr.json");
    let mirror = &workspace.mirrors[0];
    assert_eq!((mirror.source.as_str(), mirror.target.as_str()), ("primary", "dr"));
    assert_eq!(mirror.source_alias.as_ref().map(|alias| alias.value.as_str()), Some("us-east"));
    assert_eq!(mirror.version.as_ref().map(|version| version.value.as_str()), Some("4.0"));
    assert_eq!(mirror.config["topics.exclude"].1.value, "${vault:x}");
    assert_eq!(workspace.rules.severity(Code::Pt002), Severity::Warning);

    let orders = topic(&loaded, "primary", "payments.orders");
    assert_eq!((orders.partitions.value, orders.replication_factor.value, orders.keys), (12, 2, Keys::Keyed));
    assert_eq!(orders.owner.as_deref(), Some("team-payments"));
    assert_eq!(
        (config(orders, "retention.ms"), config(orders, "max.message.bytes"), config(orders, "compression.type")),
        ("604800000".into(), "2097152".into(), "null".into())
    );
    assert_eq!(orders.config["retention.ms"].written, "7d");
    assert_eq!(loaded.sources.position(orders.config["retention.ms"].place).line, 6);
    let MirrorWish::Only(targets, _) = &orders.mirror else { panic!("{:?}", orders.mirror) };
    assert_eq!(targets.iter().map(|target| target.value.as_str()).collect::<Vec<_>>(), ["dr"]);
    let [increase] = orders.acknowledgements.as_slice() else { panic!("one acknowledgement is declared") };
    assert_eq!((&increase.change, increase.reason.as_str()), (&Change::Partitions { from: 6, to: 12 }, "no keys, KEY-481"));
    assert_eq!(increase.expires, Some(Day { year: 2027, month: 1, day: 31 }));
    let small = topic(&loaded, "primary", "payments.small");
    assert_eq!((small.partitions.value, &small.mirror, small.keys), (4, &MirrorWish::Every, Keys::Unknown));
    let native = topic(&loaded, "dr", "native");
    assert!(matches!(native.mirror, MirrorWish::Never(_)));
    assert_eq!(native.owner.as_deref(), Some("other"));
}

#[test]
fn the_stronger_layer_wins_and_lists_of_profiles_are_replaced() {
    let loaded = load_topics(
        "\
defaults: {partitions: 1, profiles: [compacted], config: {segment.ms: 3h, min.insync.replicas: 2}}
topics:
  plain: {}
  both: {profiles: [compacted, big]}
  turned: {profiles: [big, compacted]}
  none: {profiles: []}
  own: {partitions: 7, config: {segment.ms: 4h, cleanup.policy: null}}
",
    );
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let of = |name: &str| {
        let topic = topic(&loaded, "primary", name);
        (topic.partitions.value, config(topic, "segment.ms"), config(topic, "cleanup.policy"), config(topic, "min.insync.replicas"))
    };
    let hours = |n: u32| (n * 3_600_000).to_string();
    assert_eq!(of("plain"), (1, hours(1), "compact".into(), "2".into()));
    assert_eq!(of("both"), (100, hours(2), "compact".into(), "2".into()));
    assert_eq!(of("turned"), (100, hours(1), "compact".into(), "2".into()));
    assert_eq!(of("none"), (1, hours(3), "undeclared".into(), "2".into()));
    assert_eq!(of("own"), (7, hours(4), "null".into(), "2".into()));
    assert_eq!(topic(&loaded, "primary", "plain").config["segment.ms"].profile.as_deref(), Some("compacted"));
    assert_eq!(topic(&loaded, "primary", "none").config["segment.ms"].profile, None);
    assert_eq!(topic(&loaded, "primary", "both").profiles, ["compacted", "big"]);
    let partitions = topic(&loaded, "primary", "both").partitions.place;
    assert_eq!((loaded.sources.position(partitions).file, loaded.sources.position(partitions).line), ("isotopic.yaml", 10));
}

#[test]
fn names_and_values_keep_their_exact_text() {
    let quoted = load_topics(
        "defaults: {partitions: '3'}\ntopics:\n  '1.10': {config: {'min.cleanable.dirty.ratio': '0.10', vendor.x: '1_000', cleanup.policy: 'compact, delete'}}\n  on: {}\n  2019: {}\n",
    );
    let bare = load_topics(
        "defaults: {partitions: 3}\ntopics:\n  1.10: {config: {min.cleanable.dirty.ratio: 0.10, vendor.x: 1_000, cleanup.policy: [compact, delete]}}\n  \"on\": {}\n  '2019': {}\n",
    );
    for loaded in [quoted, bare] {
        assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
        let (ten, ..) = (topic(&loaded, "primary", "1.10"), topic(&loaded, "primary", "on"), topic(&loaded, "primary", "2019"));
        assert_eq!(
            (config(ten, "min.cleanable.dirty.ratio"), config(ten, "vendor.x"), config(ten, "cleanup.policy")),
            ("0.1".into(), "1_000".into(), "compact,delete".into())
        );
        assert_eq!(ten.partitions.value, 3);
    }
}

#[test]
fn documents_bom_crlf_anchors_and_comments_are_read() {
    let text = "\u{feff}# only a comment\n---\n---\n# nothing here\n---\ndefaults: &d {partitions: 2}\ntopics:\n  a: {config: &c {retention.ms: 1h}}\n  b: {config: *c}\n...\n---\ntopics: {c: {partitions: 1}, d: {partitions: 1}}\n---\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let loaded = load_files(WORKSPACE, &[("topics/a.yaml", &text), ("topics/empty.yaml", ""), ("topics/comment.yaml", "# x\n")]);
        assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
        assert_eq!(config(topic(&loaded, "primary", "b"), "retention.ms"), "3600000");
        let position = loaded.sources.position(topic(&loaded, "primary", "d").place);
        assert_eq!((position.line, position.column), (12, 30));
        assert_eq!(loaded.workspace.map(|workspace| workspace.topics.len()), Some(4));
    }
}

#[test]
fn the_order_of_files_is_irrelevant() {
    let (a, b) = (("topics/a.yaml", "topics: {x: {partitions: 1}, y: {partitons: 1}}"), ("topics/b.yaml", "topics: {x: {partitions: 2}}"));
    let (one, other) = (load_files(WORKSPACE, &[a, b]), load_files(WORKSPACE, &[b, a]));
    assert_eq!(one.findings, other.findings);
    assert_eq!(told(&one), ["YM002 1:34", "YM005 1:10"]);
    assert_eq!(one.findings[0].help, "write `partitions`");
    let (first, label) = one.findings[1].related.as_ref().unwrap();
    assert_eq!((one.sources.position(*first).file, label.as_str()), ("topics/a.yaml", "first here"));
}

#[test]
fn one_name_on_two_clusters_is_two_topics() {
    let loaded = load_topics("topics: {x: {partitions: 1}}\n---\ntopics: {x: {partitions: 2, cluster: dr}, y: {partitions: 3, cluster: [primary, dr]}}\n");
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    assert_eq!((topic(&loaded, "primary", "x").partitions.value, topic(&loaded, "dr", "x").partitions.value), (1, 2));
    assert_eq!(topic(&loaded, "dr", "y").partitions.value, 3);
    let twice = load_topics("topics: {x: {partitions: 1}}\n---\ntopics: {x: {partitions: 2}}\n");
    assert_eq!(told(&twice), ["YM005 3:10"]);
}

/// Topics with one thing wrong, where it is told (`^`; else at the topic's name) and what is said. Each stands beside a right topic, which must load all the same.
#[test]
fn what_is_wrong_is_told_with_its_place_and_what_was_meant() {
    let cases = [
        ("partitions: ^0x10", "YM003", "write 16"),
        ("partitions: ^012", "YM003", "write 12"),
        ("partitions: ^1_000", "YM003", "write 1000"),
        ("partitions: ^1e9", "YM003", "write 1000000000"),
        ("partitions: ^1.0", "YM003", "not a whole number"),
        ("partitions: ^'0x10'", "YM003", "write 16"),
        ("partitions: ^[1]", "YM003", "a list stands where a whole number belongs"),
        ("partitions: ^0", "YM008", "takes 1 to 2147483647"),
        ("partitions: ^-3", "YM008", "-3"),
        ("partitions: ^4294967296", "YM008", "4294967296"),
        ("partitions: ^2147483648", "YM008", "takes 1 to 2147483647"),
        ("^partitions: ", "YM003", "there is no value"),
        ("partitions: ^null", "YM003", "null stands where a whole number belongs"),
        ("^partitons: 3", "YM002", "write `partitions`"),
        ("partitions: 1, replication_factor: ^40000", "YM008", "takes 1 to 32767"),
        ("partitions: 1, ^snapshot: x", "YM002", "the fields here are partitions"),
        ("partitions: 1, keys: ^maybe", "YM008", "keyed, none, unknown"),
        ("partitions: 1, keys: ^keyd", "YM008", "write `keyed`"),
        ("partitions: 1, keys: ^~", "YM003", "null stands where one of keyed"),
        ("partitions: 1, owner: ^null", "YM003", "null stands where a text belongs"),
        ("partitions: 1, owner: ^'${env:HOME}'", "YM009", "stands where none is read"),
        ("partitions: 1, owner: ^\"a\\u0000b\"", "YM008", "U+0000"),
        ("partitions: 1, owner: ^\"a\\u001bb\"", "YM008", "U+001B"),
        ("partitions: 1, owner: ^\"a\\u202eb\"", "YM008", "U+202E"),
        ("partitions: 1, owner: ^\"a\\nb\"", "YM008", "one line"),
        ("partitions: 1, owner: ^!foo x", "YM008", "tags"),
        ("partitions: 1, owner: ^!!str x", "YM008", "tags"),
        ("partitions: 1, owner: ^*nowhere", "YM001", "does not define"),
        ("partitions: 1, config: {^retention.ms: }", "YM003", "there is no value"),
        ("partitions: 1, config: {retention.ms: ^7x}", "YM008", "`retention.ms` takes a duration"),
        ("partitions: 1, config: {retention.ms: ^{a: b}}", "YM003", "a mapping stands where a value"),
        ("partitions: 1, config: {retention.ms: ^[1, 2]}", "YM003", "a list stands where one duration belongs"),
        ("partitions: 1, config: {preallocate: ^yes}", "YM008", "write true"),
        ("partitions: 1, config: {max.message.bytes: ^10MB}", "YM008", "write 10MiB"),
        ("partitions: 1, config: {^log.retention.ms: 1}", "CF001", "write `retention.ms`"),
        ("partitions: 1, config: {^retention.hours: -1}", "CF001", "write `retention.ms`"),
        ("partitions: 1, config: {^retenton.ms: 1}", "CF001", "write `retention.ms`"),
        ("partitions: 1, config: {retention.ms: ^'${env:X}'}", "YM009", "`retention.ms`"),
        ("partitions: 1, config: {cleanup.policy: [compact, ^[delete]]}", "YM003", "a list stands where"),
        ("partitions: 1, config: {cleanup.policy: [compact, ^~]}", "YM003", "null stands where"),
        ("partitions: 1, config: {cleanup.policy: [^'a,b']}", "YM008", "comma"),
        ("partitions: 1, config: ^[a]", "YM003", "a list stands where a mapping belongs"),
        ("partitions: 1, ^{a: b}: c", "YM003", "a key must be a text"),
        ("partitions: 1, ^~: c", "YM003", "a key must be a text"),
        ("partitions: 1, ^'partitions': 2", "YM004", "`partitions` stands twice"),
        ("partitions: 1, config: {a: 1, ^\"a\": 2}", "YM004", "`a` stands twice"),
        ("partitions: 1, ^<<: {owner: x}", "YM008", "profile"),
        ("partitions: 1, profiles: [^compactd]", "YM007", "write `compacted`"),
        ("partitions: 1, profiles: ^compacted", "YM003", "a list"),
        ("partitions: 1, cluster: ^primry", "YM007", "write `primary`"),
        ("partitions: 1, cluster: ^[]", "YM008", "empty list"),
        ("partitions: 1, cluster: [dr, ^dr]", "YM008", "twice"),
        ("partitions: 1, mirror: [^primary]", "YM007", "no flow goes from primary to primary"),
        ("partitions: 1, mirror: [^d]", "YM007", "there is no cluster"),
        ("partitions: 1, mirror: ^dr", "YM008", "write [dr]"),
        ("partitions: 1, cluster: dr, mirror: [^dr]", "YM007", "no flow goes from dr to dr"),
        ("partitions: 1, acknowledge: {partition_increase: {from: 3, to: ^3, reason: x}}", "YM008", "can only increase"),
        ("partitions: 1, acknowledge: {partition_increase: {from: 6, to: ^3, reason: x}}", "YM008", "can only increase"),
        ("partitions: 1, acknowledge: {^partition_increase: {from: 3, to: 6}}", "YM012", "`reason`"),
        ("partitions: 1, acknowledge: {partition_increase: {from: 3, to: 6, reason: ^' '}}", "YM008", "`reason` is empty"),
        ("partitions: 1, acknowledge: {partition_increase: {from: 3, to: 6, reason: x, expires: ^2027-02-29}}", "YM008", "not a date"),
        ("partitions: 1, config: {max.message.bytes: ^-1}", "CF003", "max.message.bytes is -1"),
        ("partitions: 1, config: {retention.ms: ^-2}", "CF003", "takes -1 (unlimited) or more"),
        ("partitions: 1, config: {cleanup.policy: ^compat}", "CF003", "write compact"),
        ("partitions: 1, copartition: ^' '", "YM008", "names no group"),
        ("partitions: 1, copies: {^primary: {}}", "YM007", "no flow goes from primary to primary"),
        ("partitions: 1, cluster: dr, copies: {^dr: {}}", "YM007", "no flow goes from dr to dr"),
        ("partitions: 1, copies: {^d: {}}", "YM007", "there is no cluster"),
        ("partitions: 1, copies: {dr: {config: {^retenton.ms: 1}}}", "CF001", "write `retention.ms`"),
        ("partitions: 1, copies: {dr: {config: {min.insync.replicas: ^0}}}", "CF003", "takes 1 to 2147483647"),
        ("partitions: 1, copies: {dr: {^partitions: 3}}", "YM002", "not a field of a copy"),
        ("partitions: 1, copies: {dr: {state: ^absent}}", "YM013", "MirrorMaker would make the copy again"),
        ("partitions: 1, state: ^gone", "YM008", "present, absent"),
        ("state: absent, ^partitions: 1", "YM013", "`partitions`"),
        ("state: absent, ^config: {}", "YM013", "`config`"),
        ("state: absent, copies: {dr: {config: {^min.insync.replicas: 1}}}", "YM013", "`config` of a copy"),
        ("state: absent, acknowledge: {^partition_increase: {from: 1, to: 2, reason: x}}", "YM013", "`acknowledge.partition_increase`"),
        ("state: absent, acknowledge: {^delete: {reason: y}}", "YM012", "`topic_id`"),
        ("state: absent, acknowledge: {^delete: {topic_id: a}}", "YM012", "`reason`"),
        ("state: absent, acknowledge: {delete: {topic_id: ^'', reason: y}}", "YM008", "is empty"),
        ("partitions: 1, acknowledge: {^delete: {topic_id: x, reason: y}}", "YM013", "shall not be deleted"),
        ("partitions: 1, acknowledge: {retention_cut: {from: 3d, to: ^7d, reason: x}}", "YM008", "from 3d to 7d, which is no cut"),
        ("partitions: 1, acknowledge: {retention_cut: {from: 7d, to: ^-1, reason: x}}", "YM008", "no cut"),
        ("partitions: 1, acknowledge: {retention_cut: {from: 7d, to: ^168h, reason: x}}", "YM008", "changes nothing"),
        ("partitions: 1, acknowledge: {retention_cut: {from: 7d, to: ^3x, reason: x}}", "YM008", "takes a duration"),
        ("partitions: 1, acknowledge: {^retention_cut: {to: 3d, reason: x}}", "YM012", "`from`"),
        ("partitions: 1, acknowledge: {retention_size_cut: {from: ^10MB, to: 1MiB, reason: x}}", "YM008", "write 10MiB"),
        ("partitions: 1, acknowledge: {message_size_cut: {from: 1MiB, to: ^-5, reason: x}}", "CF003", "max.message.bytes is -5"),
        ("partitions: 1, acknowledge: {cleanup_policy: {from: compact, to: ^[compact], reason: x}}", "YM008", "changes nothing"),
        ("partitions: 1, acknowledge: {cleanup_policy: {from: 'delete, compact', to: ^[compact, delete], reason: x}}", "YM008", "changes nothing"),
        ("partitions: 1, acknowledge: {cleanup_policy: {from: delete, to: ^compat, reason: x}}", "CF003", "write compact"),
        ("partitions: 1, acknowledge: {cleanup_policy: {from: delete, to: [^'a,b'], reason: x}}", "YM008", "comma"),
        ("partitions: 1, acknowledge: {cleanup_policy: {from: ^~, to: compact, reason: x}}", "YM003", "null stands where"),
        ("replication_factor: 1", "YM012", "has no `partitions`"),
    ];
    let mut wrong = Vec::new();
    for (marked, code, said) in cases {
        let fields = marked.replace('^', "");
        let loaded = load_topics(&format!("topics:\n  x: {{{fields}}}\n  right: {{partitions: 1}}\n"));
        let column = marked.find('^').map_or(3, |at| at + "  x: {".len() + 1);
        assert_eq!(told(&loaded), [format!("{code} 2:{column}")], "{fields}: {:#?}", loaded.findings);
        let text = format!("{} {} ", loaded.findings[0].message, loaded.findings[0].help);
        if !text.contains(said) {
            wrong.push(format!("{fields}: {text}, and not {said}"));
        }
        topic(&loaded, "primary", "right");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_problems_of_a_run_are_told_together() {
    let loaded = load_files(
        "version: 1\nclusters: {a: {bootstrap: x, simulated: y}, b: {}, c: {simulated: z}}\nmirrors: [{source: c}, {source: q, target: c}]\nnmae: x\nrules: {YM002: info, PT02: off, PT002: loud}\n",
        &[
            (
                "topics/a.yaml",
                "topics:\n  x: {partitons: 1, replication_factor: zwei, config: {retention.ms: 1y, log.retention.ms: 3}}\n  ü: {partitions: 0, keys: none, cluster: z}\n",
            ),
            ("topics/b.yaml", "topics: [x]\n---\na: [\n---\ndefaults: {acknowledge: {}}\n"),
        ],
    );
    let expected = [
        "YM013 2:30",
        "YM012 2:45",
        "YM012 3:11",
        "YM007 3:33",
        "YM002 4:1",
        "YM008 5:16",
        "YM002 5:22",
        "YM008 5:40",
        "YM002 2:7",
        "YM003 2:41",
        "YM008 2:70",
        "CF001 2:74",
        "NM001 3:3",
        "YM008 3:19",
        "YM012 3:3",
        "YM007 3:43",
        "YM003 1:9",
        "YM001 3:4",
        "YM002 5:12",
    ];
    let (mut told, mut expected) = (told(&loaded), expected.map(str::to_owned).to_vec());
    told.sort();
    expected.sort();
    assert_eq!(told, expected, "{:#?}", loaded.findings);
}

#[test]
fn a_missing_value_follows_from_nothing_that_is_wrong_elsewhere() {
    for (workspace, topics, expected) in [
        (WORKSPACE, "defaults: {partitions: x}\ntopics: {a: {}, b: {}}\n", &["YM003 1:24"][..]),
        (WORKSPACE, "topics: {a: {profiles: [nix]}}\n", &["YM007 1:25"]),
        (WORKSPACE, "topics: {a: 3}\n", &["YM003 1:13"]),
        (WORKSPACE, "base: &b {partitions: 1}\ntopics: {a: {<<: *b}}\n", &["YM002 1:1", "YM008 2:14"]),
        ("version: 1\nclusters: {a: {simulated: x, b: {}}\n", "topics: {a: {profiles: [p], cluster: q}, b: {}}\n", &["YM001 2:11"]),
        (
            "version: 1\nclusters: 3\n",
            "topics: {a: {partitions: 1, replication_factor: 1, cluster: q}, b: {partitions: 1, replication_factor: 1}}\n",
            &["YM003 2:11"],
        ),
        (
            "version: 1\nclusters: {a: {simulated: 3x, id: }}\nmirrors: [{source: a}]\n",
            "topics: {a: {partitions: 1, replication_factor: 1}}\n",
            &["YM003 2:31", "YM012 3:11"],
        ),
    ] {
        let loaded = load_files(workspace, &[("topics/a.yaml", topics)]);
        assert_eq!(told(&loaded), expected, "{workspace}{topics}: {:#?}", loaded.findings);
    }
}

#[test]
fn a_topic_that_names_no_cluster_is_on_the_only_source_or_the_only_cluster() {
    let on = |clusters: &str| {
        let loaded = load_files(&format!("version: 1\nclusters: {clusters}\n"), &[("topics/a.yaml", "topics: {x: {partitions: 1, replication_factor: 1}}\n")]);
        let place = loaded.workspace.iter().flat_map(|workspace| workspace.topics.keys()).map(|(cluster, _)| cluster.to_string()).collect::<Vec<_>>().join(" ");
        (place, told(&loaded).join(" "))
    };
    let three = "{a: {simulated: a}, b: {simulated: b}, c: {simulated: c}}\nmirrors:";
    assert_eq!(on("{a: {simulated: a}}"), ("a".into(), String::new()));
    assert_eq!(on(&format!("{three} [{{source: b, target: a}}, {{source: b, target: c}}]")), ("b".into(), String::new()));
    assert_eq!(on(&format!("{three} [{{source: b, target: a}}, {{source: a, target: c}}]")), (String::new(), "YM012 1:10".into()));
    assert_eq!(on(&format!("{three} []")), (String::new(), "YM012 1:10".into()));
}

#[test]
fn what_is_wrong_in_the_workspace_file_is_told() {
    let cases = [
        ("clusters: {a: {simulated: x}}\n", "YM012 1:1", "`version`"),
        ("version: 2\nscope: [x]\nclusters: 3\n", "YM014 1:10", "reads version 1"),
        ("version: 1\n", "YM012 1:1", "`clusters`"),
        ("", "YM012 1:1", "empty"),
        ("version: 1\nclusters: {a: {simulated: x}}\n---\nversion: 1\n", "YM008 4:1", "more than one document"),
        ("version: 1\nclusters: {a: {simulated: x}}\nprofiles: {p: {profiles: [q]}}\n", "YM002 3:16", "not a field of a profile"),
        ("version: 1\nclusters: {a: {simulated: x}}\nprofiles: {p: {acknowledge: {}}}\n", "YM002 3:16", "not a field of a profile"),
        ("version: 1\nclusters: {a: {simulated: x, properties: {b: c}}}\n", "YM013 2:30", "takes no settings"),
        ("version: 1\nclusters: {a: {simulated: '${env:X}'}}\n", "YM009 2:27", "none is read"),
        ("version: 1\nclusters: {a: {bootstrap: ''}}\n", "YM008 2:27", "empty"),
        ("version: 1\nclusters: {a: {bootstrap: 'b:1', properties: {plugin.library.paths: x}}}\n", "YM011 2:47", "load code"),
        ("version: 1\nclusters: {a: {bootstrap: 'b:1', properties: {ssl.engine.id: x}}}\n", "YM011 2:47", "load code"),
        ("version: 1\nclusters: {a: {bootstrap: 'b:1', properties: {bootstrap.servers: x}}}\n", "YM013 2:47", "bootstrap"),
        ("version: 1\nclusters: {a: {simulated: x}}\nmirrors: [{source: a, target: a}]\n", "YM013 3:31", "to itself"),
        ("version: 1\nclusters: {a: {simulated: x}, b: {simulated: y}}\nmirrors: [{source: a, target: b}, {source: a, target: b}]\n", "YM013 3:35", "twice"),
        ("version: 1\nclusters: {a: {simulated: x}, b: {simulated: y}}\nmirrors: [{source: a, target: b, aliases: {source: ''}}]\n", "YM008 3:52", "alias"),
        ("version: 1\nclusters: {a: {simulated: x}, b: {simulated: y}}\nmirrors: [{source: a, target: b, mm2: {config: {x: ~}}}]\n", "YM003 3:52", "null"),
        ("version: 1\nclusters: {a: {simulated: x}}\nrules: {YM001: off}\n", "YM008 3:16", "cannot be lowered"),
        ("version: 1\nclusters: {a: {simulated: x}}\nrules: {PT0002: off}\n", "YM002 3:9", "write `PT002`"),
    ];
    for (workspace, expected, said) in cases {
        let loaded = load_files(workspace, &[]);
        assert_eq!(told(&loaded), [expected], "{workspace}: {:#?}", loaded.findings);
        let text = format!("{} {}", loaded.findings[0].message, loaded.findings[0].help);
        assert!(text.contains(said), "{workspace}: {text}");
    }
}

#[test]
fn a_workspace_without_a_name_is_called_like_its_folder() {
    assert_eq!(load_files(WORKSPACE, &[]).workspace.map(|workspace| workspace.name), Some("folder".to_owned()));
}

/// A secret in every place that may hold one, beside all that can go wrong there.
#[test]
fn no_finding_and_no_excerpt_shows_a_secret() {
    let broken = [
        "    properties: {sasl.password: hunter2, x: }\n",
        "    properties:\n      # sasl.password: hunter2\n      sasl.password: !hunter2 x\n",
        "    properties:\n      sasl.password: *hunter2\n",
        "    properties:\n      sasl.password: [hunter2]\n",
        "    properties:\n      sasl.password: {hunter2: hunter2}\n",
        "    properties: {sasl.password:hunter2}\n",
        "    properties: {sasl.password: ab,hunter2}\n",
        "    properties: {sasl.password: ab,hunter2,hunter2}\n",
        "    properties: [hunter2]\n",
        "    properties: hunter2\n",
        "    properties:\n      sasl.password: hunter2${env:X\n",
        "    properties:\n      sasl.password: hunter2${PW}\n",
        "    properties:\n      sasl.password: \"hunter2\\u0000\"\n",
        "    properties:\n      ssl.key.pem: |\n        hunter2\n        hunter2\n      x: ~\n",
        "    properties:\n      plugin.library.paths: hunter2\n",
        "    properties:\n      bootstrap.servers: hunter2\n",
        "    properties:\n      sasl.password: hunter2\n      sasl.password: hunter2\n",
        "    propertie:\n      sasl.password: hunter2\n",
        "    sasl.password: hunter2\n",
        "    sasl.password:hunter2\n",
        "    properties: {sasl.password: hunter2}\n    bad: [\n",
        "    properties:\n      sasl.password: hunter2: x\n",
        "    properties:\n      sasl.password: \"hunter2\n",
        "    properties:\n      sasl.password: @hunter2\n",
        "    properties:\n      sasl.password: hunter2\n     bad\n",
        "    properties:\n      sasl.password: hunter2\n      <<: {a: hunter2}\n",
        "    properties: *shared\nx: y\n",
        "    properties: {a: hunter2, b: {c: hunter2}}\n    id: [x]\n",
    ];
    for properties in broken {
        let anchor = if properties.contains("*shared") { "shared: &shared {a: hunter2, b: hunter2}\n" } else { "" };
        let workspace = format!("version: 1\n{anchor}clusters:\n  a:\n    bootstrap: b:1\n{properties}");
        let loaded = load_files(&workspace, &[]);
        assert!(!loaded.findings.is_empty(), "{workspace}");
        let printed = printed(&loaded);
        assert!(!printed.contains("hunter2"), "{workspace}{printed}");
        assert!(printed.contains("bootstrap: b:1"), "only secrets are masked: {printed}");
    }
}

#[test]
fn masked_properties_keep_their_names() {
    let loaded =
        load_files("version: 1\nclusters:\n  a:\n    bootstrap: b:1\n    properties:\n      security.protocol: SASL_SSL\n      plugin.library.paths: x\n", &[]);
    let place = loaded.findings[0].place.unwrap();
    let lines: Vec<_> = loaded.sources.shown(place.file).lines().skip(4).map(str::to_owned).collect();
    assert_eq!(lines, ["    properties:", "      security.protocol: ********", "      plugin.library.paths: *"]);
}

#[test]
fn variables_that_are_unset_are_told_when_clusters_are_contacted() {
    let workspace = "version: 1\nclusters:\n  a:\n    bootstrap: ${env:HOST}:9092\n    properties:\n      sasl.username: ${env:USER:-me}\n      sasl.password: x${file:pw}\n";
    let loaded = load_files(workspace, &[]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let findings = unset_variables(loaded.workspace.as_ref().unwrap(), |variable| match variable {
        Variable::Environment("HOST") => Some("h".to_owned()),
        Variable::Environment(_) | Variable::File(_) => None,
    });
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].code, loaded.sources.position(findings[0].place.unwrap()).line), (Code::Ym006, 7));
    assert!(findings[0].message.starts_with("${file:pw} is missing, unreadable or empty"), "{}", findings[0].message);
}

/// JSON is YAML, so one text can be read by both the loader and the schema.
#[test]
fn the_schemas_take_what_the_loader_takes() {
    let topics = isotopic::spec::topics_schema().to_value();
    let workspace = isotopic::spec::workspace_schema().to_value();
    let valid = |schema: &serde_json::Value, text: &str| jsonschema::is_valid(schema, &serde_json::from_str(text).unwrap());
    for (text, right) in [
        (
            r#"{"topics": {"a": {"partitions": 1, "keys": "none", "mirror": ["dr"], "cluster": "primary", "config": {"retention.ms": "7d", "x": 0.1, "y": null, "z": ["a"], "preallocate": true}}}}"#,
            true,
        ),
        (r#"{"topics": {"a": {"partitions": 1, "acknowledge": {"partition_increase": {"from": 1, "to": 2, "reason": "x", "expires": "2027-01-31"}}}}}"#, true),
        (r#"{"topics": {"a": {"partitions": 1}}, "defaults": {"profiles": ["compacted"], "mirror": false}}"#, true),
        (
            r#"{"topics": {"a": {"partitions": 1, "copartition": "g", "copies": {"dr": {"config": {"min.insync.replicas": 1}}}, "acknowledge": {"retention_cut": {"from": "7d", "to": 86400000, "reason": "x"}, "cleanup_policy": {"from": ["delete"], "to": "compact", "reason": "x"}}}}}"#,
            true,
        ),
        (r#"{"topics": {"a": {"state": "absent", "copies": {"dr": {"state": "absent"}}, "acknowledge": {"delete": {"topic_id": "x", "reason": "y"}}}}}"#, true),
        (r#"{"topics": {"a": {"state": "gone"}}}"#, false),
        (r#"{"topics": {"a": {"state": "absent", "acknowledge": {"delete": {"topic_id": "x"}}}}}"#, false),
        (r#"{"topics": {"a": {"partitions": 1, "copies": {"dr": {"partitions": 1}}}}}"#, false),
        (r#"{"defaults": {"state": "absent"}}"#, false),
        (r#"{"topics": {"a": {"partitions": 0}}}"#, false),
        (r#"{"topics": {"a": {"partitions": 1, "partitons": 1}}}"#, false),
        (r#"{"topics": {"a": {"partitions": 1, "owner": null}}}"#, false),
        (r#"{"topics": {"a": {"partitions": 1, "config": {"x": {}}}}}"#, false),
        (r#"{"topics": {"a": {"partitions": 1, "acknowledge": {"partition_increase": {"from": 1, "to": 2}}}}}"#, false),
        (r#"{"defaults": {"acknowledge": {}}}"#, false),
    ] {
        assert_eq!(told(&load_topics(text)).is_empty(), right, "{text}");
        assert_eq!(valid(&topics, text), right, "{text}");
    }
    for (text, right) in [
        (
            r#"{"version": 1, "clusters": {"a": {"bootstrap": "b:1", "properties": {"acks": 1}}, "b": {"simulated": "x"}}, "mirrors": [{"source": "a", "target": "b", "mm2": {"version": 4.0, "config": {"tasks.max": 2}}}], "rules": {"PT002": "off"}, "profiles": {"p": {"partitions": 1}}}"#,
            true,
        ),
        (
            r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "scope": "*", "limits": {"deletes": 3, "changed_percent": 0}, "profiles": {"p": {}}, "acknowledge": [{"profile": "p", "cleanup_policy": {"from": "delete", "to": ["compact"]}, "reason": "x"}], "policy": [{"name": "^a", "partitions": {"max": 64}, "require": ["owner", "keys"], "config": {"retention.ms": {"max": "30d"}}}], "drift": {"grace": "1h", "fail_on": "error", "ignore": [{"cluster": "a", "topics": ["x*"], "code": "PT002", "actual": 9, "reason": "y", "expires": "2027-01-31"}]}}"#,
            true,
        ),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "limits": {"changed_percent": 101}}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "policy": [{"topics": "*"}]}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "profiles": {"p": {}}, "acknowledge": [{"profile": "p", "reason": "x"}]}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "drift": {"fail_on": "off"}}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "files": []}"#, false),
        (r#"{"version": 2, "clusters": {"a": {"simulated": "x"}}}"#, false),
        (r#"{"clusters": {"a": {"simulated": "x"}}}"#, false),
        (r#"{"version": 1}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "profiles": {"p": {"profiles": []}}}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "rules": {"PT002": "loud"}}"#, false),
        (r#"{"version": 1, "clusters": {"a": {"simulated": "x"}}, "scoop": ["x"]}"#, false),
    ] {
        assert_eq!(told(&load_files(text, &[])).is_empty(), right, "{text}");
        assert_eq!(valid(&workspace, text), right, "{text}");
    }
}

#[test]
fn aliases_cannot_swell_a_file_without_bound() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..=12 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    text.push_str("topics: {x: {partitions: 1}}\n");
    let loaded = load_topics(&text);
    assert!(told(&loaded).iter().any(|told| told.starts_with("YM001")), "{:?}", told(&loaded));
    let endless = load_topics("topics: {x: &x {partitions: 1, config: *x}}\n");
    assert_eq!(told(&endless), ["YM001 1:40"]);
}

#[test]
fn deep_nesting_is_refused_and_does_not_crash() {
    for text in [format!("topics: {}", "[".repeat(100_000)), format!("topics: {}", "{a: ".repeat(100_000)), "- ".repeat(100_000)] {
        let loaded = load_topics(&text);
        assert!(told(&loaded).iter().any(|told| told.starts_with("YM001")), "{:?}", told(&loaded));
    }
}

#[test]
fn a_file_of_sixty_thousand_lines_has_right_places() {
    let mut text = String::from("topics:\n");
    for n in 0..20_000 {
        text.push_str(&format!("  t{n}:\n    partitions: 3 # {n}\n    config: {{retention.ms: 7d}}\n"));
    }
    text.push_str("  last: {partitions: x}\n");
    let loaded = load_topics(&text);
    assert_eq!(told(&loaded), ["YM003 60002:22"]);
    assert_eq!(loaded.sources.position(topic(&loaded, "primary", "t19999").partitions.place).line, 60_000);
}

#[test]
fn a_file_full_of_mistakes_tells_fifty() {
    let text: String = std::iter::once("topics:\n".to_owned()).chain((0..1_000).map(|n| format!("  t{n}: {{partitions: x}}\n"))).collect();
    let loaded = load_topics(&text);
    assert_eq!(loaded.findings.len(), 51);
    assert_eq!(loaded.findings[50].message, "950 more problems in this file are not shown");
}

proptest::proptest! {
    #[test]
    fn no_text_whatever_makes_loading_panic(workspace in ".{0,200}", topics in "[-a-d:{}\\[\\]&*!|>'\"%@#,? \n\t~$<.0-9\u{feff}\u{85}]{0,300}") {
        load_files(&workspace, &[("topics/a.yaml", &topics)]);
        load_files(&topics, &[("topics/a.yaml", &workspace)]);
    }

    #[test]
    fn a_damaged_file_is_read_as_far_as_it_goes(at in 0_usize..600, insert in "[-:{}\\[\\]&*!|>'\"%#,? \n]{1,3}") {
        let topics = "defaults: {partitions: 1}\ntopics:\n  a: &a\n    config:\n      retention.ms: 7d\n      cleanup.policy: [compact, delete]\n  b: *a\n---\ntopics: {c: {partitions: 3}}\n";
        for text in [WORKSPACE, topics] {
            let mut damaged = text.to_owned();
            damaged.insert_str(at % text.len(), &insert);
            load_files(&damaged, &[("topics/a.yaml", topics)]);
            load_files(WORKSPACE, &[("topics/a.yaml", &damaged)]);
        }
    }

    #[test]
    fn a_damaged_workspace_shows_no_secret(at in 0_usize..400, insert in "[-:{}\\[\\]&*!|>'\"%#,?$ \n\t]{1,3}", cut in 0_usize..4) {
        let text = "version: 1\nclusters:\n  a:\n    bootstrap: b:1\n    properties:\n      security.protocol: SASL_SSL\n      sasl.password: hunter2\n      ssl.key.password: 'hunter2'\n    id: x\n  b: {bootstrap: b:1, properties: {sasl.password: hunter2, x: \"hunter2\"}}\nmirrors: [{source: a, target: b, mm2: {config: {sasl.jaas.config: hunter2}}}]\n";
        let at = at % text.len();
        let end = (at + cut).min(text.len());
        // Damage inside of the secret or of a setting's name makes another secret or name of it.
        let names = ["hunter2", "sasl.password", "ssl.key.password", "sasl.jaas.config", "x: \"hunter2", "properties"];
        let inside = names.iter().any(|name| text.match_indices(name).any(|(from, name)| at < from + name.len() && end > from));
        if !inside {
            let damaged = format!("{}{insert}{}", &text[..at], &text[end..]);
            let loaded = load_files(&damaged, &[]);
            let printed = printed(&loaded);
            proptest::prop_assert!(!printed.contains("hunter2"), "{damaged}{printed}");
        }
    }
}
