//! A topic as the sum of its layers, weakest first: workspace defaults, document defaults, profiles in order, the topic itself.

use super::layer::{Layer, Reader, Slot, Wish};
use super::settings::Settings;
use super::shapes::{self, Defaults, Topic as Written};
use super::values::{MOST_PARTITIONS, count, day};
use super::{Acknowledgement, At, Change, MirrorWish, Topic};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{self, ClusterName, TopicName};
use crate::yaml::{Entry, Field, Problems};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Gathers the topics of all documents.
pub(super) struct Topics<'a> {
    reader: &'a Reader<'a>,
    settings: &'a Settings,
    flows: HashSet<(&'a ClusterName, &'a ClusterName)>,
    broken: Layer,
    declared: HashMap<(ClusterName, TopicName), Place>,
    topics: BTreeMap<(ClusterName, TopicName), Topic>,
}

impl<'a> Topics<'a> {
    pub(super) fn new(reader: &'a Reader<'a>, settings: &'a Settings) -> Self {
        let flows = settings.mirrors.iter().map(|mirror| (&mirror.source, &mirror.target)).collect();
        Self { reader, settings, flows, broken: Layer::broken(), declared: HashMap::new(), topics: BTreeMap::new() }
    }

    /// Those that are right.
    pub(super) fn into_topics(self) -> BTreeMap<(ClusterName, TopicName), Topic> {
        self.topics
    }

    /// Takes in the topics of one document.
    pub(super) fn document(&mut self, defaults: &Field<Defaults>, topics: &[Entry<Written>]) {
        let defaults = self.reader.defaults(defaults, self.settings);
        for entry in topics {
            self.topic(entry, &defaults);
        }
    }

    fn topic(&mut self, entry: &Entry<Written>, defaults: &Layer) {
        let legal = name::check(&entry.key).map_err(|why| {
            let message = format!("{:?} is not a legal topic name: {why}", entry.key);
            self.problems()
                .add(Finding::new(Code::Nm001, message).at(entry.place).help("choose a name of a-z, A-Z, 0-9, '.', '_' and '-', up to 249 characters long"));
        });
        let (own, increase) = match &entry.value {
            Some(given) => (self.reader.topic(&given.value, self.settings), self.increase(&given.value)),
            None => (Layer::broken(), None),
        };
        let settings = self.settings;
        let profiles = strongest([&settings.defaults, defaults, &own].into_iter(), |layer| &layer.profiles);
        let profiles: &[String] = match profiles {
            Some(Ok(profiles)) => profiles,
            Some(Err(_)) | None => &[],
        };
        let profile_layers = profiles.iter().map(|name| settings.profiles.get(name).unwrap_or(&self.broken));
        let unknown_profiles = matches!(strongest([&settings.defaults, defaults, &own].into_iter(), |layer| &layer.profiles), Some(Err(_)));
        let layers: Vec<&Layer> =
            [&settings.defaults, defaults].into_iter().chain(profile_layers).chain(unknown_profiles.then_some(&self.broken)).chain([&own]).collect();

        let partitions = self.required(entry, "partitions", &strongest(layers.iter().copied(), |layer| &layer.partitions));
        let replication_factor = self.required(entry, "replication_factor", &strongest(layers.iter().copied(), |layer| &layer.replication_factor));
        let Some(clusters) = self.clusters(entry, &strongest(layers.iter().copied(), |layer| &layer.clusters)) else { return };
        let mirror = layers.iter().rev().find_map(|layer| layer.mirror.as_ref());
        let wishes = self.wishes(&clusters, mirror);
        let mut config = BTreeMap::new();
        for layer in &layers {
            config.extend(layer.config.iter().cloned());
        }
        let owner = layers.iter().rev().find_map(|layer| layer.owner.clone());
        let keys = layers.iter().rev().find_map(|layer| layer.keys).unwrap_or_default();
        let profiles = profiles.to_vec();
        if legal.is_err() {
            return;
        }
        let name = TopicName::new(entry.key.as_str());
        for (cluster, mirror) in clusters.into_iter().zip(wishes) {
            let id = (cluster.clone(), name.clone());
            if let Some(first) = self.declared.get(&id) {
                let message = format!("topic {name} of cluster {cluster} is declared twice, and only one of the two could hold");
                self.problems()
                    .add(Finding::new(Code::Ym005, message).at(entry.place).and_at(*first, "first here").topic(&cluster, &name).help("remove one of the two"));
                continue;
            }
            self.declared.insert(id.clone(), entry.place);
            let (Some(partitions), Some(replication_factor)) = (partitions, replication_factor) else { continue };
            let topic = Topic {
                cluster,
                name: name.clone(),
                place: entry.place,
                owner: owner.clone(),
                keys,
                partitions,
                replication_factor,
                config: config.clone(),
                mirror,
                acknowledgements: increase.clone().into_iter().collect(),
                profiles: profiles.clone(),
                copartition: None,
                copies: BTreeMap::new(),
            };
            self.topics.insert(id, topic);
        }
    }

    fn problems(&self) -> &'a Problems {
        self.reader.problems
    }

    fn required(&self, entry: &Entry<Written>, field: &str, slot: &Option<Result<&At<u32>, ()>>) -> Option<At<u32>> {
        match slot {
            Some(Ok(at)) => Some(**at),
            Some(Err(())) => None,
            None => {
                let message = format!("topic {:?} has no `{field}`, so it could not be created", entry.key);
                let help = format!("write `{field}` at the topic, in one of its profiles, or in `defaults` of this file or of the workspace");
                self.problems().add(Finding::new(Code::Ym012, message).at(entry.place).help(help));
                None
            }
        }
    }

    fn clusters(&self, entry: &Entry<Written>, slot: &Option<Result<&Vec<At<ClusterName>>, ()>>) -> Option<Vec<ClusterName>> {
        match slot {
            Some(Ok(clusters)) => Some(clusters.iter().map(|at| at.value.clone()).collect()),
            Some(Err(())) => None,
            None => {
                let default = self.settings.default_cluster.clone();
                if default.is_none() && self.settings.clusters.known && self.settings.mirrors_known {
                    let message = format!("topic {:?} has no `cluster`, and the workspace has more than one that it could be on", entry.key);
                    let help = "write `cluster` at the topic, in one of its profiles or in `defaults`";
                    self.problems().add(Finding::new(Code::Ym012, message).at(entry.place).help(help));
                }
                default.map(|cluster| vec![cluster])
            }
        }
    }

    /// `mirror` for each of a topic's clusters: of the flows in a list, those that start there.
    fn wishes(&self, clusters: &[ClusterName], mirror: Option<&(Wish, Place)>) -> Vec<MirrorWish> {
        let flows = |source, target: &At<ClusterName>| self.flows.contains(&(source, &target.value));
        match mirror {
            None | Some((Wish::Every, _)) => clusters.iter().map(|_| MirrorWish::Every).collect(),
            Some((Wish::Never, place)) => clusters.iter().map(|_| MirrorWish::Never(*place)).collect(),
            Some((Wish::Only(targets), place)) => {
                for target in targets.iter().filter(|target| !clusters.iter().any(|source| flows(source, target))) {
                    if self.settings.mirrors_known {
                        let from = clusters.iter().map(ClusterName::as_str).collect::<Vec<_>>().join(" or ");
                        let message = format!("`mirror`: no flow goes from {from} to {}", target.value);
                        let help = "declare the flow under `mirrors`, or take the cluster out of the list";
                        self.problems().add(Finding::new(Code::Ym007, message).at(target.place).help(help));
                    }
                }
                let only = |source| targets.iter().filter(|target| flows(source, target)).cloned().collect();
                clusters.iter().map(|source| MirrorWish::Only(only(source), *place)).collect()
            }
        }
    }

    fn increase(&self, topic: &Written) -> Option<Acknowledgement> {
        let given = topic.acknowledge.value()?.partition_increase.given()?;
        let shapes::Increase { from, to, reason, expires } = &given.value;
        let missing = |is_missing: bool, name: &str| {
            if is_missing {
                let message = format!("`partition_increase` has no `{name}`, so nothing says what was agreed to");
                self.problems().add(Finding::new(Code::Ym012, message).at(given.key).help(format!("write `{name}`")));
            }
        };
        missing(from.is_missing(), "from");
        missing(to.is_missing(), "to");
        missing(reason.is_missing(), "reason");
        let counted = |field: &Field<u32>, name| field.given().and_then(|given| count(given, name, MOST_PARTITIONS, self.problems()));
        let (from, to) = (counted(from, "from"), counted(to, "to"));
        let expires = expires.given().map(|given| day(given, self.problems()));
        let reason = reason.given()?;
        if reason.value.trim().is_empty() {
            let finding = Finding::new(Code::Ym008, "`reason` is empty, and it is what people ask for later").at(reason.place);
            self.problems().add(finding.help("write why this change is right, such as a ticket"));
        }
        let (from, to) = (from?, to?);
        if to.value <= from.value {
            let message = format!("`partition_increase` goes from {} to {}, and partitions can only increase", from.value, to.value);
            self.problems().add(Finding::new(Code::Ym008, message).at(to.place).help("write a `to` above `from`"));
            return None;
        }
        let change = Change::Partitions { from: from.value, to: to.value };
        Some(Acknowledgement { place: given.key, change, reason: reason.value.clone(), expires: expires.flatten() })
    }
}

/// The value of the last layer that has one.
fn strongest<'l, T>(layers: impl DoubleEndedIterator<Item = &'l Layer>, field: impl Fn(&'l Layer) -> &'l Slot<T>) -> Option<Result<&'l T, ()>> {
    layers.rev().find_map(|layer| field(layer).as_ref().map(|value| value.as_ref().map_err(|_| ())))
}
