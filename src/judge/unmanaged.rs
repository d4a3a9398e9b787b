//! Topics that exist and that nobody declared.

use super::World;
use crate::kafka::name::{ClusterName, TopicName, internal_purpose};
use crate::mirror::own_topics;
use crate::mirror::select::{Selection, selection};

/// Per cluster, without copies that flows make and without internal topics of Kafka, Connect and MirrorMaker.
pub(super) fn unmanaged(world: &World<'_>) -> Vec<(ClusterName, TopicName)> {
    let mut unmanaged = Vec::new();
    for cluster in world.clusters {
        let Ok(state) = &cluster.state else { continue };
        let into: Vec<_> = world.flows.iter().filter(|flow| flow.target == cluster.name).collect();
        for topic in state.topics.keys() {
            let name = topic.as_str();
            let id = (cluster.name.clone(), topic.clone());
            let declared = world.workspace.topics.contains_key(&id) || world.workspace.absent.contains_key(&id);
            let in_scope = world.workspace.scope.as_ref().is_none_or(|scope| scope.matches(name));
            let copy = || into.iter().any(|flow| flow.upstream_name(name).is_some_and(|upstream| !matches!(selection(flow, upstream), Selection::Not(_))));
            let internal = || internal_purpose(name).is_some() || own_topics::purpose(world.flows, &cluster.name, name).is_some();
            if !declared && in_scope && !internal() && !copy() {
                unmanaged.push((cluster.name.clone(), topic.clone()));
            }
        }
    }
    unmanaged
}
