//! MirrorMaker's own topics, on either cluster: recognised so that nobody manages them by hand.

use super::flow::{Flow, SEPARATOR};
use crate::kafka::name::ClusterName;

/// What a topic of that cluster is for, where MirrorMaker made it for itself.
pub fn purpose(flows: &[Flow], cluster: &ClusterName, topic: &str) -> Option<&'static str> {
    let dedicated = [
        ("mm2-offset-syncs", "MirrorMaker's offset syncs"),
        ("mm2-configs", "MirrorMaker's connector configurations"),
        ("mm2-offsets", "MirrorMaker's source offsets"),
        ("mm2-status", "MirrorMaker's connector status"),
    ];
    if let Some(rest) = topic.strip_suffix(".internal") {
        if let Some((_, purpose)) = dedicated.iter().find(|(prefix, _)| rest.strip_prefix(prefix).is_some_and(|alias| alias.starts_with(SEPARATOR))) {
            return Some(purpose);
        }
        if rest.ends_with(".checkpoints") {
            return Some("MirrorMaker's consumer group checkpoints");
        }
    }
    let heartbeats = flows.iter().any(|flow| {
        let own = topic == "heartbeats" && (flow.source == *cluster || flow.target == *cluster);
        let copy = flow.target == *cluster && flow.upstream_name(topic) == Some("heartbeats");
        own || copy
    });
    heartbeats.then_some("MirrorMaker's heartbeats")
}
