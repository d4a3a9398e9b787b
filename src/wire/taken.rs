//! From a cluster that was read to the snapshot of it, and how a snapshot is written.
//!
//! Only what a cluster told of its topics is in it: no connection settings, and no value that the cluster marks as a secret, because those never come this far.

use super::FORMAT_VERSION;
use super::snapshot::{Broker, Brokers, Count, Inherited, InheritedOrigin, Key, Kind, Name, ReplicationFactor, Snapshot, Topic, Unique, Unreadable};
use super::words::Time;
use crate::live::{self, Configs, State};
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Snapshot {
    /// The snapshot of a cluster in this state.
    pub fn of(cluster: &live::Cluster, state: &State) -> Self {
        let (mut topics, mut unreadable) = (Unique::default(), Unique::default());
        for (name, reason) in &state.unreadable {
            unreadable.0.insert(Name(name.clone()), Unreadable::Topic(reason.clone()));
        }
        for (name, topic) in &state.topics {
            let overrides = match &topic.configs {
                Configs::Known(overrides) => Unique(overrides.iter().map(|(key, value)| (Key(key.clone()), value.clone())).collect()),
                Configs::NotAsked => {
                    unreadable.0.insert(Name(name.clone()), Unreadable::Configs("nobody asked for them".to_owned()));
                    Unique::default()
                }
                Configs::Unknown(reason) => {
                    unreadable.0.insert(Name(name.clone()), Unreadable::Configs(reason.clone()));
                    Unique::default()
                }
            };
            let taken =
                Topic { id: topic.id.clone(), partitions: Count(topic.partitions), replication_factor: ReplicationFactor(topic.replication), overrides };
            topics.0.insert(Name(name.clone()), taken);
        }
        let mut brokers: Vec<_> = state.brokers.iter().map(|broker| Broker { id: broker.id, rack: broker.rack.clone() }).collect();
        brokers.sort_by_key(|broker| broker.id);
        let inherited = |inherited: &live::Inherited| Inherited { value: inherited.value.clone(), origin: InheritedOrigin(inherited.origin) };
        Self {
            format_version: FORMAT_VERSION.to_owned(),
            kind: Kind::Snapshot,
            anonymised: false,
            cluster_id: cluster.id.clone(),
            taken_at: Some(Time(cluster.observed_at)),
            kafka_version: state.kafka_version.clone(),
            brokers: Brokers(brokers),
            broker_configs: Unique(state.broker_configs.clone()),
            defaults: Unique(state.inherited.iter().map(|(key, value)| (Key(key.clone()), inherited(value))).collect()),
            topics,
            unreadable,
        }
    }
}

impl<K: Serialize, V: Serialize> Serialize for Unique<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl Serialize for Brokers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl Serialize for InheritedOrigin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl Serialize for ReplicationFactor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let live::Replication { min, max } = self.0;
        if min == max {
            return serializer.serialize_u32(min);
        }
        let mut range = serializer.serialize_map(Some(2))?;
        range.serialize_entry("min", &min)?;
        range.serialize_entry("max", &max)?;
        range.end()
    }
}

impl Serialize for Unreadable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Topic(reason) => serializer.serialize_str(reason),
            Self::Configs(reason) => {
                let mut part = serializer.serialize_map(Some(1))?;
                part.serialize_entry("configs", reason)?;
                part.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::origin::Origin;
    use crate::live::{ClusterKind, Instant, Replication};
    use serde_json::json;

    #[test]
    fn a_snapshot_is_written_as_the_design_has_it() {
        let topic = |configs| live::Topic { id: None, partitions: 1, replication: Replication { min: 3, max: 4 }, configs };
        let known = Configs::Known([("retention.ms".into(), "86400000".to_owned())].into());
        let orders = live::Topic { id: Some("u1".to_owned()), partitions: 6, replication: Replication { min: 3, max: 3 }, configs: known };
        let state = State {
            brokers: vec![live::Broker { id: 2, rack: None }, live::Broker { id: 1, rack: Some("a".to_owned()) }],
            inherited: [
                ("min.insync.replicas".into(), live::Inherited { value: Some("2".to_owned()), origin: Origin::DynamicDefault }),
                ("x.secret".into(), live::Inherited { value: None, origin: Origin::Unknown }),
            ]
            .into(),
            topics: [("payments.orders".into(), orders), ("half".into(), topic(Configs::Unknown("no DescribeConfigs".to_owned())))].into(),
            unreadable: [("secret".into(), "TOPIC_AUTHORIZATION_FAILED".to_owned())].into(),
            ..State::default()
        };
        let cluster = live::Cluster {
            name: "dr".into(),
            kind: ClusterKind::Kafka,
            id: Some("dIYk0yqGRmWc6kT2b8vQ4A".to_owned()),
            observed_at: Instant(1_796_040_000),
            state: Ok(State::default()),
        };
        let written = serde_json::to_string(&Snapshot::of(&cluster, &state)).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&written).unwrap(),
            json!({
                "format_version": "1.0", "kind": "snapshot", "cluster_id": "dIYk0yqGRmWc6kT2b8vQ4A", "taken_at": "2026-11-30T12:00:00Z",
                "brokers": [{"id": 1, "rack": "a"}, {"id": 2}],
                "defaults": {
                    "min.insync.replicas": {"value": "2", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"},
                    "x.secret": {"value": null, "origin": "unknown"}
                },
                "topics": {
                    "half": {"partitions": 1, "replication_factor": {"min": 3, "max": 4}},
                    "payments.orders": {"id": "u1", "partitions": 6, "replication_factor": 3, "overrides": {"retention.ms": "86400000"}}
                },
                "unreadable": {"half": {"configs": "no DescribeConfigs"}, "secret": "TOPIC_AUTHORIZATION_FAILED"}
            })
        );
        let read = Snapshot::parse(&written).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
        assert!(Snapshot::is_one(&written) && !Snapshot::is_one(&written.replace("\"snapshot\"", "\"simulated\"")));
    }
}
