//! Which topics a flow mirrors: `MirrorSourceConnector.shouldReplicateTopic`.
//!
//! A topic is mirrored when the topic filter accepts it or it is a heartbeats topic, and it is neither internal nor a cycle.

use super::flow::{Era, Flow, SEPARATOR};
use std::fmt;

/// Whether a flow mirrors a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// It does.
    Selected,
    /// It does not, and why.
    Not(Why),
    /// The answer depends on the version, which is not given.
    Unknown,
}

/// Why a topic is not mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It matches an item of `topics.exclude`.
    Excluded {
        /// Its position in the list, from 1.
        item: usize,
        /// The regular expression.
        pattern: &'static str,
    },
    /// MirrorMaker takes its name for one of its own or Kafka's topics.
    Internal,
    /// Its name says that it once came from the target.
    Cycle,
}

impl fmt::Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Excluded { item, pattern } => write!(out, "topics.exclude leaves it out (item {item}, {pattern})"),
            Self::Internal => out.write_str("MirrorMaker takes it for an internal topic by its name"),
            Self::Cycle => out.write_str("the target's alias stands in front of its name, so MirrorMaker takes it for a copy and skips it"),
        }
    }
}

/// Whether a flow mirrors the topic of that name.
pub fn selection(flow: &Flow, topic: &str) -> Selection {
    let mut verdicts = flow.eras().iter().map(|era| refusal(flow, *era, topic));
    let Some(first) = verdicts.next() else { return Selection::Unknown };
    if verdicts.any(|other| other.is_some() != first.is_some()) {
        return Selection::Unknown;
    }
    first.map_or(Selection::Selected, Selection::Not)
}

fn refusal(flow: &Flow, era: Era, topic: &str) -> Option<Why> {
    if is_cycle(topic, &flow.target_alias) {
        return Some(Why::Cycle);
    }
    let excluded = if is_heartbeats(topic) { None } else { excluded(era, topic) };
    excluded.or_else(|| is_internal(era, topic).then_some(Why::Internal))
}

/// A topic whose last segment is `heartbeats` is mirrored whatever the filter says (`ReplicationPolicy.isHeartbeatsTopic`).
fn is_heartbeats(topic: &str) -> bool {
    topic.rsplit(SEPARATOR).next() == Some("heartbeats")
}

/// The default excludes, spelled as tests of prefixes and suffixes.
fn excluded(era: Era, topic: &str) -> Option<Why> {
    let internal = match era {
        Era::Before4 => topic.ends_with("-internal") || topic.ends_with(".internal"),
        Era::From4 => topic.starts_with("mm2") && topic.ends_with(".internal"),
    };
    let matches = [internal, topic.ends_with(".replica"), topic.starts_with("__")];
    let at = matches.iter().position(|matched| *matched)?;
    era.default_excludes().get(at).map(|pattern| Why::Excluded { item: at + 1, pattern })
}

/// `ReplicationPolicy.isInternalTopic`; never mirrored even if listed in `topics`.
fn is_internal(era: Era, topic: &str) -> bool {
    let kafkas = topic.starts_with("__") || topic.starts_with('.');
    kafkas
        || match era {
            Era::Before4 => topic.ends_with("-internal") || topic.ends_with(".internal"),
            Era::From4 => (topic.starts_with("mm2") && topic.ends_with(".internal")) || topic.ends_with(".checkpoints.internal"),
        }
}

/// `MirrorSourceConnector.isCycle`: one of the aliases in front of the name is the target's.
fn is_cycle(topic: &str, target_alias: &str) -> bool {
    let mut rest = topic;
    while let Some((alias, upstream)) = rest.split_once(SEPARATOR) {
        if alias == target_alias {
            return true;
        }
        rest = upstream;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Place, Sources};
    use crate::mirror::flow::Version;

    fn flow(version: Option<(u16, u16)>) -> Flow {
        let file = Sources::default().add("isotopic.yaml", "");
        Flow {
            source: "primary".into(),
            target: "dr".into(),
            source_alias: "us-east".into(),
            target_alias: "us-west".into(),
            version: version.map(|(major, minor)| Version { major, minor }),
            replication_factor: 2,
            refresh_seconds: 600,
            sync_seconds: 600,
            fill: Vec::new(),
            place: Place { file, start: 0, end: 0 },
        }
    }

    #[test]
    fn the_rule_for_internal_topics_changed_in_4_0() {
        for name in ["orders.internal", "x-internal"] {
            assert!(matches!(selection(&flow(Some((3, 9))), name), Selection::Not(Why::Excluded { item: 1, .. })), "{name}");
            assert_eq!(selection(&flow(Some((4, 0))), name), Selection::Selected, "{name}");
            assert_eq!(selection(&flow(None), name), Selection::Unknown, "{name}");
        }
        for name in ["mm2-offset-syncs.us-west.internal", "us-east.checkpoints.internal"] {
            assert!(matches!(selection(&flow(Some((4, 3))), name), Selection::Not(_)), "{name}");
            assert!(matches!(selection(&flow(None), name), Selection::Not(_)), "{name}");
        }
    }

    #[test]
    fn heartbeats_pass_the_filter_but_not_the_internal_rule() {
        let flow = flow(Some((4, 0)));
        assert_eq!(selection(&flow, "team.app.heartbeats"), Selection::Selected);
        assert_eq!(selection(&flow, "__team.heartbeats"), Selection::Not(Why::Internal));
        assert!(matches!(selection(&flow, "a.replica"), Selection::Not(Why::Excluded { item: 2, .. })));
        assert!(matches!(selection(&flow, "__mine"), Selection::Not(Why::Excluded { item: 3, .. })));
        assert_eq!(selection(&flow, "replica"), Selection::Selected);
    }

    #[test]
    fn any_alias_in_front_makes_a_cycle_and_the_name_itself_does_not() {
        let flow = flow(Some((4, 0)));
        assert_eq!(selection(&flow, "us-west.orders"), Selection::Not(Why::Cycle));
        assert_eq!(selection(&flow, "eu.us-west.orders"), Selection::Not(Why::Cycle));
        assert_eq!(selection(&flow, "orders.us-west"), Selection::Selected);
        assert_eq!(selection(&flow, "us-west.heartbeats"), Selection::Not(Why::Cycle));
    }

    #[test]
    fn an_alias_with_the_separator_is_blind() {
        let mut flow = flow(Some((4, 0)));
        assert!(!flow.is_blind());
        assert_eq!(flow.copy_name(&"orders".into()).as_str(), "us-east.orders");
        assert_eq!(flow.upstream_name("us-east.orders"), Some("orders"));
        assert_eq!(flow.upstream_name("us-eastern.orders"), None);
        flow.source_alias = "us.east".to_owned();
        assert!(flow.is_blind());
    }
}
