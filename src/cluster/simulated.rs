//! A cluster model in a file, observed as if it were a cluster.
//!
//! The file is its state. It shows what a cluster would: configs of topics that were asked for, and ids only on request.

#![expect(clippy::disallowed_methods, reason = "a simulated cluster is a file")]

use super::{Again, Asked, Identity, Observe};
use crate::finding::{Code, Finding, Place};
use crate::kafka::config::is_count;
use crate::kafka::name::TopicName;
use crate::live::{Broker, Configs, Inherited, Instant, State, Topic};
use crate::wire::snapshot::{Key, Kind, Name, Snapshot, Unreadable};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A cluster model, read and found sound.
#[derive(Clone, Debug)]
pub struct Simulated {
    snapshot: Box<Snapshot>,
    /// What makes it the same cluster as another: its file.
    address: String,
}

impl Simulated {
    /// Reads a model's file: `shown` is its path as written, relative to `folder`; `place` is where it was written.
    pub fn load(folder: &Path, shown: &str, place: Place) -> Result<Self, Vec<Finding>> {
        Self::open(folder, shown, Kind::Simulated, place)
    }

    /// The same for a file that must be of this kind.
    pub(super) fn open(folder: &Path, shown: &str, kind: Kind, place: Place) -> Result<Self, Vec<Finding>> {
        let path = folder.join(shown);
        let unreadable = |why: &str| {
            let message = format!("{shown}, {}, cannot be read: {why}", described(kind));
            vec![Finding::new(Code::Ym014, message).at(place).help("check the path; it is relative to the folder of isotopic.yaml")]
        };
        // A pipe or a device could be read for ever.
        if std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(unreadable("it is not a regular file"));
        }
        let text = std::fs::read_to_string(&path).map_err(|why| unreadable(&why.to_string()))?;
        // Two spellings of one file are one cluster.
        let address = std::fs::canonicalize(&path).unwrap_or(path).to_string_lossy().into_owned();
        Self::parse(&text, shown, kind, address, place)
    }

    /// Makes a model of a file's text; `address` tells it apart from others.
    fn parse(text: &str, shown: &str, kind: Kind, address: String, place: Place) -> Result<Self, Vec<Finding>> {
        let wrong = |message: String, help: &str| vec![Finding::new(Code::Ym014, message).at(place).help(help)];
        let snapshot = Snapshot::parse(text).map_err(|why| {
            let message = format!("{shown}:{}:{} is not {}: {}", why.line, why.column, described(kind), why.message);
            wrong(message, "correct the file; `isotopic schema snapshot` prints what it may hold")
        })?;
        if snapshot.anonymised {
            let message = format!("{shown} is anonymised: its names are not the cluster's own, so nothing can be planned against it");
            return Err(wrong(message, "take a snapshot without --anonymise"));
        }
        if snapshot.kind != kind {
            let (is, field) = (described(snapshot.kind), snapshot.kind.as_str());
            return Err(wrong(format!("{shown} is {is}, and not {}", described(kind)), &format!("write `{field}: {shown}`")));
        }
        Ok(Self { snapshot: Box::new(snapshot), address })
    }
}

impl Simulated {
    /// When the file was written, where it says so.
    pub(super) fn taken_at(&self) -> Option<Instant> {
        self.snapshot.taken_at.map(|taken_at| taken_at.0)
    }
}

/// What a file is.
fn described(kind: Kind) -> &'static str {
    match kind {
        Kind::Simulated => "the file of a simulated cluster",
        Kind::Snapshot => "a snapshot",
    }
}

impl Observe for Simulated {
    fn identify(&mut self) -> Result<Identity, Vec<Finding>> {
        let addresses = BTreeSet::from([self.address.clone()]);
        Ok(Identity { id: self.snapshot.cluster_id.clone(), addresses, brokers: self.snapshot.brokers.0.len() })
    }

    fn read(&mut self, asked: Asked<'_>) -> Result<State, Vec<Finding>> {
        let snapshot = &self.snapshot;
        let mut state = State {
            kafka_version: snapshot.kafka_version.clone(),
            brokers: snapshot.brokers.0.iter().map(|broker| Broker { id: broker.id, rack: broker.rack.clone() }).collect(),
            broker_configs: snapshot.broker_configs.0.clone(),
            inherited: snapshot.defaults.0.iter().map(|(Key(key), inherited)| (key.clone(), Inherited::from(inherited.clone()))).collect(),
            ..State::default()
        };
        for (name, topic) in &snapshot.topics.0 {
            let unreadable = snapshot.unreadable.0.get(name);
            let configs = match unreadable {
                Some(Unreadable::Topic(_)) => continue,
                _ if !asked.includes(&name.0) => Configs::NotAsked,
                Some(Unreadable::Configs(reason)) => Configs::Unknown(reason.clone()),
                None => Configs::Known(
                    topic.overrides.0.iter().filter(|(Key(key), _)| !is_count(key.as_str())).map(|(Key(key), value)| (key.clone(), value.clone())).collect(),
                ),
            };
            let id = topic.id.clone().filter(|_| matches!(asked, Asked::All(_)));
            state.topics.insert(name.0.clone(), Topic { id, partitions: topic.partitions.0, replication: topic.replication_factor.into(), configs });
        }
        for (Name(name), what) in &snapshot.unreadable.0 {
            match what {
                Unreadable::Topic(reason) => drop(state.unreadable.insert(name.clone(), reason.clone())),
                Unreadable::Configs(_) => {}
            }
        }
        Ok(state)
    }

    fn ids(&mut self, topics: &BTreeSet<TopicName>) -> Result<BTreeMap<TopicName, Again>, Vec<Finding>> {
        let held = &self.snapshot.topics.0;
        let again = |name: &TopicName| match held.get(&Name(name.clone())) {
            Some(topic) => Again::Present { id: topic.id.clone(), partitions: topic.partitions.0 },
            None => Again::Lost("it is not in the file".to_owned()),
        };
        Ok(topics.iter().map(|name| (name.clone(), again(name))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Sources;
    use crate::kafka::name::ConfigKey;
    use crate::kafka::origin::Origin;
    use crate::live::{Effective, Replication, Seen};

    const DR: &str = r#"{ "format_version": "1.0", "kind": "simulated", "cluster_id": "sim-dr", "taken_at": "2026-11-30T12:00:00Z", "kafka_version": "4.3.1",
      "brokers": [{"id": 1, "rack": "a"}, {"id": 2}],
      "broker_configs": {"default.replication.factor": "1"},
      "defaults": {"retention.ms": {"value": "604800000", "origin": "DEFAULT_CONFIG"}, "min.insync.replicas": {"value": "2", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"}},
      "topics": {"orders": {"id": "u1", "partitions": 6, "replication_factor": 3, "overrides": {"retention.ms": "86400000"}},
                 "moving": {"partitions": 1, "replication_factor": {"min": 3, "max": 4}},
                 "half": {"partitions": 2, "replication_factor": 1, "overrides": {"retention.ms": "1"}},
                 "secret": {"partitions": 2, "replication_factor": 1}},
      "unreadable": {"secret": "TOPIC_AUTHORIZATION_FAILED", "ghost": "TOPIC_AUTHORIZATION_FAILED", "half": {"configs": "no DescribeConfigs"}} }"#;

    fn place() -> Place {
        Place { file: Sources::default().add("isotopic.yaml", ""), start: 7, end: 9 }
    }

    fn dr() -> Simulated {
        Simulated::parse(DR, "clusters/dr.json", Kind::Simulated, "/w/clusters/dr.json".to_owned(), place()).unwrap()
    }

    fn names(names: &[&str]) -> BTreeSet<TopicName> {
        names.iter().map(|name| TopicName::from(*name)).collect()
    }

    #[test]
    fn it_says_who_it_is() {
        let identity = dr().identify().unwrap();
        assert_eq!((identity.id.as_deref(), identity.brokers), (Some("sim-dr"), 2));
        assert_eq!(identity.addresses, BTreeSet::from(["/w/clusters/dr.json".to_owned()]));
    }

    #[test]
    fn it_tells_what_a_cluster_would() {
        let state = dr().read(Asked::Named(&names(&["orders", "secret", "half", "nowhere"]))).unwrap();
        let Seen::Present(orders) = state.topic(&"orders".into()) else { panic!("orders exists") };
        assert_eq!((orders.partitions, orders.replication), (6, Replication { min: 3, max: 3 }));
        assert_eq!(orders.configs, Configs::Known(BTreeMap::from([(ConfigKey::from("retention.ms"), "86400000".to_owned())])));
        assert_eq!(orders.id, None);
        let Seen::Present(moving) = state.topic(&"moving".into()) else { panic!("moving exists") };
        assert_eq!((moving.replication, &moving.configs), (Replication { min: 3, max: 4 }, &Configs::NotAsked));
        let Seen::Present(half) = state.topic(&"half".into()) else { panic!("half exists") };
        assert_eq!(half.configs, Configs::Unknown("no DescribeConfigs".to_owned()));
        assert!(matches!(state.topic(&"secret".into()), Seen::Unknown("TOPIC_AUTHORIZATION_FAILED")));
        assert!(matches!(state.topic(&"nowhere".into()), Seen::Absent));
        assert!(matches!(state.topic(&"ghost".into()), Seen::Unknown(_)), "the file says that nobody can see it, whoever asks");
        assert_eq!(state.inherited(&"min.insync.replicas".into()), Effective::Value(Some("2"), Origin::DynamicDefault));
        assert_eq!(state.inherited(&"segment.ms".into()), Effective::UnknownKey);
        assert_eq!((state.kafka_version.as_deref(), state.brokers.len(), state.broker_configs["default.replication.factor"].as_str()), (Some("4.3.1"), 2, "1"));
    }

    #[test]
    fn all_of_it_is_told_to_whoever_asks_for_all() {
        let state = dr().read(Asked::All(&names(&["nowhere"]))).unwrap();
        let Seen::Present(orders) = state.topic(&"orders".into()) else { panic!("orders exists") };
        assert_eq!((orders.id.as_deref(), orders.configs != Configs::NotAsked), (Some("u1"), true));
        let Seen::Present(moving) = state.topic(&"moving".into()) else { panic!("moving exists") };
        assert_eq!((moving.id.as_deref(), &moving.configs), (None, &Configs::Known(BTreeMap::new())));
        let Seen::Present(half) = state.topic(&"half".into()) else { panic!("half exists") };
        assert_eq!(half.configs, Configs::Unknown("no DescribeConfigs".to_owned()));
        assert_eq!(state.unreadable.keys().map(TopicName::as_str).collect::<Vec<_>>(), ["ghost", "secret"]);
        assert_eq!(state.brokers[0], Broker { id: 1, rack: Some("a".to_owned()) });
    }

    #[test]
    fn ids_come_on_request_where_the_file_has_them() {
        let ids = dr().ids(&names(&["orders", "moving", "nowhere"])).unwrap();
        assert_eq!(ids["orders"], Again::Present { id: Some("u1".to_owned()), partitions: 6 });
        assert_eq!(ids["moving"], Again::Present { id: None, partitions: 1 });
        assert!(matches!(ids["nowhere"], Again::Lost(_)));
    }

    #[test]
    fn a_broken_file_is_a_finding_where_its_path_is_written() {
        let finding =
            Simulated::parse("{\n  \"format_version\": \"1.0\",\n  oops", "clusters/dr.json", Kind::Simulated, String::new(), place()).unwrap_err().remove(0);
        assert_eq!((finding.code, finding.place), (Code::Ym014, Some(place())));
        assert!(finding.message.starts_with("clusters/dr.json:3:3 is not the file of a simulated cluster: "), "{}", finding.message);
        let missing = Simulated::load(Path::new("/nonexistent"), "clusters/dr.json", place()).unwrap_err().remove(0);
        assert_eq!(missing.code, Code::Ym014);
        assert!(missing.message.contains("clusters/dr.json") && !missing.message.contains("/nonexistent"), "{}", missing.message);
    }
}
