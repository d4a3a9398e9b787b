//! What keeps MirrorMaker from creating a copy: too few brokers, a name that Kafka does not take, or one that collides.

use super::World;
use super::copies::flows_of;
use crate::finding::{Code, Finding};
use crate::kafka::name::{self, TopicName, collision_form};
use crate::live::{Seen, State};
use crate::mirror::flow::Flow;
use crate::spec::Topic;

/// What keeps MirrorMaker from creating the copies of a topic that this plan creates.
pub(super) fn findings(world: &World<'_>, topic: &Topic, source: &State) -> Vec<Finding> {
    if !matches!(source.topic(&topic.name), Seen::Absent) {
        return Vec::new();
    }
    let obstacle = |flow: &Flow| {
        let target = world.state(&flow.target)?;
        let name = flow.copy_name(&topic.name);
        let absent = matches!(target.topic(&name), Seen::Absent);
        let obstacle = absent.then(|| obstacle(flow, &name, target)).flatten()?;
        Some(Finding::new(obstacle.code, obstacle.why).topic(&topic.cluster, &topic.name).at(topic.place).help(obstacle.remedy))
    };
    flows_of(world.flows, &topic.cluster, &topic.name).filter_map(obstacle).collect()
}

/// One of them: the code that it is told under, why MirrorMaker fails, and what to do.
pub(super) struct Obstacle {
    pub(super) code: Code,
    pub(super) why: String,
    pub(super) remedy: String,
}

/// What keeps a flow from creating this copy on its target.
pub(super) fn obstacle(flow: &Flow, copy: &TopicName, target: &State) -> Option<Obstacle> {
    let replicas = copy_replicas(flow, target);
    let brokers = target.brokers.len();
    if let Some(replicas) = replicas.filter(|replicas| brokers > 0 && usize::try_from(*replicas).is_ok_and(|replicas| replicas > brokers)) {
        return Some(Obstacle {
            code: Code::Rf004,
            why: format!(
                "MirrorMaker cannot create {copy} on {}: its replication.factor is {replicas}, and the cluster has only {brokers} broker{}",
                flow.target,
                if brokers == 1 { "" } else { "s" }
            ),
            remedy: format!("set MirrorMaker's replication.factor to at most {brokers}, or add brokers"),
        });
    }
    if let Err(why) = name::check(copy.as_str()) {
        return Some(Obstacle {
            code: Code::Mr005,
            why: format!("Kafka does not take the name of the copy {copy}: {why}"),
            remedy: "choose another name for the source topic".to_owned(),
        });
    }
    let form = collision_form(copy.as_str());
    let other = target.topics.keys().find(|other| *other != copy && other.as_str().len() == form.len() && collision_form(other.as_str()) == form)?;
    Some(Obstacle {
        code: Code::Nm002,
        why: format!("MirrorMaker cannot create {copy} on {}: the name differs from {other} there only in '.' and '_'", flow.target),
        remedy: "rename one of the two topics".to_owned(),
    })
}

/// The replication factor of new copies; `None` where the target's own default decides and is not known.
pub(super) fn copy_replicas(flow: &Flow, target: &State) -> Option<u32> {
    match flow.replication_factor {
        -1 => target.broker_configs.get("default.replication.factor").and_then(|value| value.parse().ok()),
        factor => u32::try_from(factor).ok(),
    }
}
