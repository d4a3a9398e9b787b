//! Each row is what a 4.3.1 or 3.9.1 broker was seen to refuse or to take, or follows from its documentation.

use super::{Effect, InForce, Values, contradictions, turned_off};

/// Kafka's defaults, and the topic's own values over them.
fn values<'a>(own: &[(&'a str, &'a str)]) -> Values<'a> {
    let inherited = [
        ("cleanup.policy", "delete"),
        ("compression.type", "producer"),
        ("compression.gzip.level", "-1"),
        ("local.retention.bytes", "-2"),
        ("local.retention.ms", "-2"),
        ("max.compaction.lag.ms", "9223372036854775807"),
        ("max.message.bytes", "1048588"),
        ("message.timestamp.type", "CreateTime"),
        ("min.compaction.lag.ms", "0"),
        ("remote.log.copy.disable", "false"),
        ("remote.log.delete.on.disable", "false"),
        ("remote.storage.enable", "false"),
        ("retention.bytes", "-1"),
        ("retention.ms", "604800000"),
        ("segment.bytes", "1073741824"),
        ("segment.jitter.ms", "0"),
        ("segment.ms", "604800000"),
    ];
    let mut values: Values<'_> = inherited.into_iter().map(|(key, value)| (key, InForce { value, is_own: false })).collect();
    values.extend(own.iter().map(|(key, value)| (*key, InForce { value, is_own: true })));
    values
}

fn keys(own: &[(&str, &str)], effect: Effect) -> Vec<Vec<&'static str>> {
    contradictions(&values(own)).into_iter().filter(|found| found.effect == effect).map(|found| found.keys).collect()
}

fn refused(own: &[(&str, &str)]) -> usize {
    keys(own, Effect::Refused).len()
}

const TIERED: (&str, &str) = ("remote.storage.enable", "true");
const NO_COPY: (&str, &str) = ("remote.log.copy.disable", "true");

#[test]
fn defaults_contradict_nothing() {
    assert_eq!(contradictions(&values(&[])), []);
}

#[test]
fn compaction_lags_cross() {
    assert_eq!(refused(&[("min.compaction.lag.ms", "10"), ("max.compaction.lag.ms", "5")]), 1);
    assert_eq!(refused(&[("min.compaction.lag.ms", "10"), ("max.compaction.lag.ms", "10")]), 0);
}

#[test]
fn inherited_values_take_part_and_alone_are_not_told() {
    let mut values = values(&[("max.compaction.lag.ms", "5000")]);
    values.insert("min.compaction.lag.ms", InForce { value: "7000", is_own: false });
    assert_eq!(contradictions(&values)[0].why, "min.compaction.lag.ms 7000 (7s) is above max.compaction.lag.ms 5000 (5s)");
    values.insert("max.compaction.lag.ms", InForce { value: "5000", is_own: false });
    assert_eq!(contradictions(&values), []);
}

#[test]
fn tiered_topics_are_not_compacted() {
    assert_eq!(refused(&[TIERED, ("cleanup.policy", "compact")]), 1);
    assert_eq!(refused(&[TIERED, ("cleanup.policy", "compact,delete")]), 1);
    assert_eq!(refused(&[TIERED, ("cleanup.policy", "")]), 0);
    assert_eq!(refused(&[TIERED]), 0);
    assert_eq!(refused(&[("cleanup.policy", "compact")]), 0);
}

#[test]
fn local_retention_stays_within_the_whole() {
    for (local, all, count) in [("10", "5", 1), ("5", "5", 0), ("-1", "5", 1), ("-1", "-1", 0), ("5", "-1", 0), ("-2", "5", 0), ("1", "0", 1)] {
        assert_eq!(refused(&[TIERED, ("local.retention.ms", local), ("retention.ms", all)]), count, "ms {local} {all}");
        assert_eq!(refused(&[TIERED, ("local.retention.bytes", local), ("retention.bytes", all)]), count, "bytes {local} {all}");
        assert_eq!(refused(&[("local.retention.ms", local), ("retention.ms", all)]), 0, "not tiered {local} {all}");
    }
    assert_eq!(refused(&[TIERED, ("local.retention.bytes", "5"), ("retention.bytes", "-7")]), 0);
    assert_eq!(refused(&[TIERED, ("local.retention.ms", "604800001")]), 1);
    assert_eq!(refused(&[TIERED, ("local.retention.ms", "604800000")]), 0);
}

#[test]
fn where_nothing_is_copied_local_retention_is_the_whole() {
    assert_eq!(refused(&[TIERED, NO_COPY]), 0);
    assert_eq!(refused(&[TIERED, NO_COPY, ("local.retention.ms", "5")]), 1);
    assert_eq!(refused(&[TIERED, NO_COPY, ("local.retention.ms", "604800000")]), 0);
    assert_eq!(refused(&[TIERED, NO_COPY, ("local.retention.ms", "-2"), ("retention.ms", "5")]), 0);
    assert_eq!(refused(&[TIERED, NO_COPY, ("local.retention.bytes", "5")]), 1);
    assert_eq!(refused(&[TIERED, NO_COPY, ("local.retention.bytes", "5"), ("retention.bytes", "5")]), 0);
    assert_eq!(refused(&[NO_COPY, ("local.retention.ms", "5")]), 0);
}

#[test]
fn tiered_storage_is_turned_off_only_with_its_data() {
    let (on, off) = (values(&[TIERED]), values(&[]));
    assert!(turned_off(&on, &off).is_some());
    assert!(turned_off(&on, &values(&[("remote.storage.enable", "false")])).is_some());
    assert_eq!(turned_off(&on, &values(&[("remote.log.delete.on.disable", "true")])), None);
    assert_eq!(turned_off(&off, &off), None);
    assert_eq!(turned_off(&on, &on), None);
}

#[test]
fn pointless_values_are_told() {
    let pair = |own: &[(&str, &str)]| keys(own, Effect::Senseless);
    let compact = ("cleanup.policy", "compact");
    assert_eq!(pair(&[compact, ("retention.ms", "5")]), [["retention.ms", "cleanup.policy"]]);
    assert_eq!(pair(&[("cleanup.policy", ""), ("retention.bytes", "5")]), [["retention.bytes", "cleanup.policy"]]);
    assert_eq!(pair(&[("min.cleanable.dirty.ratio", "0.1")]), [["min.cleanable.dirty.ratio", "cleanup.policy"]]);
    assert_eq!(pair(&[("compression.type", "zstd"), ("compression.gzip.level", "9")]), [["compression.gzip.level", "compression.type"]]);
    assert_eq!(
        pair(&[("message.timestamp.type", "LogAppendTime"), ("message.timestamp.after.max.ms", "1")]),
        [["message.timestamp.after.max.ms", "message.timestamp.type"]]
    );
    assert_eq!(pair(&[("segment.bytes", "1048576")]), [["max.message.bytes", "segment.bytes"]]);
    assert_eq!(pair(&[("segment.ms", "10000"), ("segment.jitter.ms", "20000")]), [["segment.jitter.ms", "segment.ms"]]);
    assert_eq!(pair(&[("local.retention.ms", "5")]), [["local.retention.ms", "remote.storage.enable"]]);
    assert_eq!(pair(&[("segment.ms", "86400001"), ("retention.ms", "86400000")]), [["segment.ms", "retention.ms"]]);
    assert_eq!(pair(&[("segment.bytes", "2097152"), ("retention.bytes", "5")]), [["segment.bytes", "retention.bytes"]]);
    assert_eq!(
        pair(&[("cleanup.policy", "compact,delete"), ("min.compaction.lag.ms", "1000"), ("retention.ms", "10")]),
        [["min.compaction.lag.ms", "retention.ms"]]
    );
}

#[test]
fn what_makes_sense_is_not_told() {
    for own in [
        &[("cleanup.policy", "compact"), ("retention.ms", "-1")][..],
        &[("cleanup.policy", "compact"), ("delete.retention.ms", "5")],
        &[("retention.ms", "3600000")],
        &[("retention.bytes", "1000000")],
        &[("compression.type", "gzip"), ("compression.gzip.level", "9")],
        &[("local.retention.ms", "-2")],
        &[("remote.log.copy.disable", "false")],
        &[TIERED, ("local.retention.ms", "5")],
        &[("message.timestamp.after.max.ms", "1")],
        &[("segment.ms", "604800000")],
    ] {
        assert_eq!(contradictions(&values(own)), [], "{own:?}");
    }
}

#[test]
fn nothing_is_said_about_values_that_are_not_known() {
    let own = |value| InForce { value, is_own: true };
    let values = Values::from([
        ("retention.ms", own("5")),
        ("max.message.bytes", own("9999999")),
        ("local.retention.ms", own("7")),
        ("compression.gzip.level", own("1")),
    ]);
    assert_eq!(contradictions(&values), []);
    assert_eq!(turned_off(&values, &values), None);
}
