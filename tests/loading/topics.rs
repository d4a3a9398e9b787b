//! Topics of more than one layer: deletions, groups, copies, acknowledgements, overlays.

use super::{WORKSPACE, config, load_topics, told, topic};
use isotopic::finding::{Code, Severity};
use isotopic::kafka::name::{ClusterName, ConfigKey, TopicName};
use isotopic::spec::{Absent, Change, Inputs, Loaded, MirrorWish, Topic, load};

/// Loads one topic file and overlays, the strongest last.
fn load_overlaid(topics: &str, overlays: &[&str]) -> Loaded {
    let names: Vec<_> = (0..overlays.len()).map(|at| format!("env/{at}.yaml")).collect();
    let texts = names.iter().cloned().zip(overlays.iter().map(|text| Ok((*text).to_owned())));
    load(Inputs {
        folder_name: "folder".to_owned(),
        workspace_file: ("isotopic.yaml".to_owned(), format!("{WORKSPACE}overlays: [{}]\n", names.join(", "))),
        topic_files: vec![("topics/a.yaml".to_owned(), topics.to_owned())],
        overlays: texts.collect(),
    })
}

#[expect(clippy::panic, reason = "only tests call it")]
fn absent<'a>(loaded: &'a Loaded, cluster: &str, name: &str) -> &'a Absent {
    let key = (ClusterName::new(cluster), TopicName::new(name));
    match loaded.workspace.as_ref().and_then(|workspace| workspace.absent.get(&key)) {
        Some(absent) => absent,
        None => panic!("{name} on {cluster} is not absent; {:#?}", loaded.findings),
    }
}

fn of_copy(topic: &Topic, cluster: &str, key: &str) -> Option<String> {
    topic.copies.get(&ClusterName::new(cluster))?.config.get(&ConfigKey::new(key))?.value.clone()
}

#[test]
fn groups_and_copies_come_from_any_layer() {
    let loaded = load_topics(
        "\
defaults: {partitions: 1, copartition: all, copies: {dr: {config: {min.insync.replicas: 1, retention.ms: 1d}}}}
topics:
  plain: {}
  own: {copartition: few, copies: {dr: {config: {retention.ms: 2d}}}}
  native: {cluster: dr}
",
    );
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let (plain, own, native) = (topic(&loaded, "primary", "plain"), topic(&loaded, "primary", "own"), topic(&loaded, "dr", "native"));
    assert_eq!(plain.copartition.as_ref().map(|group| group.value.as_str()), Some("all"));
    assert_eq!(own.copartition.as_ref().map(|group| group.value.as_str()), Some("few"));
    assert_eq!(of_copy(plain, "dr", "retention.ms").as_deref(), Some("86400000"));
    assert_eq!((of_copy(own, "dr", "retention.ms").as_deref(), of_copy(own, "dr", "min.insync.replicas").as_deref()), (Some("172800000"), Some("1")));
    assert!(native.copies.is_empty(), "no flow starts at dr");
}

#[test]
fn defaults_say_nothing_of_copies_that_no_flow_makes_or_that_shall_go() {
    let loaded = load_topics("defaults: {partitions: 1, copies: {primary: {}, dr: {state: absent}}}\n");
    assert_eq!(told(&loaded), ["YM007 1:36", "YM013 1:61"], "{:#?}", loaded.findings);
}

#[test]
fn an_absent_topic_needs_no_more_than_its_name() {
    let loaded = load_topics(
        "\
defaults: {owner: team, profiles: [compacted]}
topics:
  bare: {state: absent}
  agreed: {state: absent, owner: me, copies: {dr: {state: absent}}, acknowledge: {delete: {topic_id: 4L6g3nShT-eMCtK--X86sw, reason: gone, expires: 2027-01-31}}}
  both: {cluster: [primary, dr], state: absent}
  kept: {state: present, partitions: 1, copies: {dr: {state: present}}}
",
    );
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let bare = absent(&loaded, "primary", "bare");
    assert_eq!((bare.owner.as_deref(), bare.acknowledgement.as_ref(), bare.copies.len()), (Some("team"), None, 0));
    let agreed = absent(&loaded, "primary", "agreed");
    assert_eq!(agreed.copies.iter().map(|copy| copy.value.as_str()).collect::<Vec<_>>(), ["dr"]);
    let given = agreed.acknowledgement.as_ref().unwrap();
    assert_eq!((&given.change, given.reason.as_str()), (&Change::Delete { topic_id: "4L6g3nShT-eMCtK--X86sw".to_owned() }, "gone"));
    assert_eq!(loaded.sources.position(given.place).column, 83);
    absent(&loaded, "dr", "both");
    assert_eq!(loaded.workspace.as_ref().unwrap().absent.len(), 4);
    assert_eq!(loaded.workspace.as_ref().unwrap().topics.len(), 1);
    let twice = load_topics("topics: {x: {state: absent}}\n---\ntopics: {x: {partitions: 1}}\n");
    assert_eq!(told(&twice), ["YM005 3:10"]);
}

#[test]
fn acknowledged_values_are_read_like_the_configs_that_change() {
    let loaded = load_topics(
        "\
topics:
  a:
    partitions: 1
    acknowledge:
      retention_cut: {from: -1, to: 7d, reason: r}
      retention_size_cut: {from: 2GiB, to: 1GiB, reason: r}
      message_size_cut: {from: 2097152, to: 1MiB, reason: r}
      cleanup_policy: {from: delete, to: [compact, delete], reason: r}
",
    );
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let config = |key: &str, from: &str, to: &str| Change::Config { key: ConfigKey::new(key), from: from.to_owned(), to: to.to_owned() };
    let mut changes: Vec<_> = topic(&loaded, "primary", "a").acknowledgements.iter().map(|given| given.change.clone()).collect();
    changes.sort();
    let expected = [
        config("cleanup.policy", "delete", "compact,delete"),
        config("max.message.bytes", "2097152", "1048576"),
        config("retention.bytes", "2147483648", "1073741824"),
        config("retention.ms", "-1", "604800000"),
    ];
    assert_eq!(changes, expected);
}

#[test]
fn a_deprecated_config_is_noted_and_taken() {
    let loaded = load_topics("topics: {a: {partitions: 1, config: {message.timestamp.difference.max.ms: 1h}}}\n");
    assert_eq!(told(&loaded), ["CF004 1:38"]);
    assert_eq!((loaded.findings[0].code, loaded.findings[0].severity), (Code::Cf004, Severity::Warning));
    assert!(loaded.findings[0].help.contains("message.timestamp.before.max.ms"), "{}", loaded.findings[0].help);
    assert_eq!(config(topic(&loaded, "primary", "a"), "message.timestamp.difference.max.ms"), "3600000");
}

#[test]
fn fields_of_overlays_win_one_by_one() {
    let topics = "\
defaults: {partitions: 1}
topics:
  a:
    partitions: 6
    owner: team
    profiles: [compacted]
    config: {retention.ms: 1d, segment.ms: 2h}
    copies: {dr: {config: {min.insync.replicas: 1}}}
    acknowledge:
      partition_increase: {from: 3, to: 6, reason: first}
      retention_cut: {from: 7d, to: 1d, reason: kept}
  b: {}
";
    let first = "\
topics:
  a:
    partitions: 12
    config: {retention.ms: 7d, cleanup.policy: null}
    copies: {dr: {config: {retention.ms: 9d}}}
    mirror: [dr]
    acknowledge: {partition_increase: {from: 6, to: 12, reason: second}}
";
    let second = "topics: {a: {partitions: 24}}\n---\ntopics: {a: {profiles: [big]}, b: {replication_factor: 1}}\n";
    let loaded = load_overlaid(topics, &[first, second]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    let a = topic(&loaded, "primary", "a");
    assert_eq!((a.partitions.value, a.owner.as_deref(), a.profiles.as_slice()), (24, Some("team"), &["big".to_owned()][..]));
    assert_eq!((config(a, "retention.ms"), config(a, "segment.ms"), config(a, "cleanup.policy")), ("604800000".into(), "7200000".into(), "null".into()));
    assert_eq!((of_copy(a, "dr", "min.insync.replicas").as_deref(), of_copy(a, "dr", "retention.ms").as_deref()), (Some("1"), Some("777600000")));
    assert!(matches!(a.mirror, MirrorWish::Only(..)));
    let reasons: Vec<_> = a.acknowledgements.iter().map(|given| given.reason.as_str()).collect();
    assert_eq!(reasons, ["second", "kept"]);
    let position = loaded.sources.position(a.partitions.place);
    assert_eq!((position.file, position.line), ("env/1.yaml", 1));
    assert_eq!((loaded.sources.position(a.place).file, topic(&loaded, "primary", "b").replication_factor.value), ("topics/a.yaml", 1));
}

#[test]
fn an_overlay_can_take_a_topic_out_of_an_environment_and_back() {
    let topics = "topics:\n  a: {partitions: 1, config: {retention.ms: 1d}, acknowledge: {partition_increase: {from: 1, to: 2, reason: x}}}\n";
    let out = "topics: {a: {state: absent, acknowledge: {delete: {topic_id: t, reason: x}}}}\n";
    let loaded = load_overlaid(topics, &[out]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    assert!(absent(&loaded, "primary", "a").acknowledgement.is_some());
    let loaded = load_overlaid(topics, &[out, "topics: {a: {state: present}}\n"]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    assert_eq!(topic(&loaded, "primary", "a").acknowledgements.len(), 1);
    let loaded = load_overlaid(topics, &[out, "topics: {a: {partitions: 3}}\n"]);
    assert_eq!(told(&loaded), ["YM013 1:14"]);
}

#[test]
fn an_overlay_of_a_topic_on_several_clusters_says_which_it_means() {
    let topics = "defaults: {partitions: 1}\ntopics: {x: {}}\n---\ntopics: {x: {partitions: 2, cluster: dr}}\n";
    let loaded = load_overlaid(topics, &["topics: {x: {cluster: dr, partitions: 5}}\n"]);
    assert_eq!(told(&loaded), [""; 0], "{:#?}", loaded.findings);
    assert_eq!((topic(&loaded, "primary", "x").partitions.value, topic(&loaded, "dr", "x").partitions.value), (1, 5));
    assert_eq!(told(&load_overlaid(topics, &["topics: {x: {partitions: 5}}\n"])), ["YM012 1:10"]);
    let moved = load_overlaid("topics: {x: {partitions: 1}}\n", &["topics: {x: {cluster: dr}}\n"]);
    assert_eq!(told(&moved), [""; 0], "{:#?}", moved.findings);
    topic(&moved, "dr", "x");
}

#[test]
fn what_is_wrong_in_an_overlay_is_told_where_it_stands() {
    for (overlay, expected, said) in [
        ("topics: {orers: {partitions: 1}}\n", &["YM007 1:10"][..], "write `orders`"),
        ("topics: {quite.another: {}}\n", &["YM007 1:10"], "declare it in a topic file"),
        ("defaults: {partitions: 1}\n", &["YM002 1:1"], "an overlay"),
        ("topics: {orders: {partitions: 0, config: {retenton.ms: 1}}}\n", &["YM008 1:31", "CF001 1:43"], "takes 1 to"),
        ("topics: {orders: {profiles: [nix]}}\n", &["YM007 1:30"], "there is no profile"),
        ("topics: [orders]\n", &["YM003 1:9"], "a list stands"),
        ("topics: {\n", &["YM001 1:9"], ""),
        ("", &[], ""),
    ] {
        let loaded = load_overlaid("topics: {orders: {partitions: 1}}\n", &[overlay]);
        assert_eq!(told(&loaded), expected, "{overlay}: {:#?}", loaded.findings);
        for finding in &loaded.findings {
            assert_eq!(loaded.sources.position(finding.place.unwrap()).file, "env/0.yaml");
        }
        assert!(loaded.findings.iter().map(|finding| format!("{} {}", finding.message, finding.help)).collect::<String>().contains(said), "{overlay}");
    }
    // Where the topics are not all known, none is unknown.
    assert_eq!(told(&load_overlaid("topics: {a: [\n", &["topics: {b: {partitions: 1}}\n"])).len(), 1);
    assert_eq!(told(&load_overlaid("topics: {orders: 3}\n", &["topics: {orders: {partitions: 1}}\n"])), ["YM003 1:18"]);
}
