//! Layers: the fields of a topic, a profile or defaults, each value checked once, however many topics build on it.

use super::settings::{Clusters, Settings, among};
use super::shapes::{self, ConfigValue, CopyFields, Defaults, Names, Profile, Shared, State, Topic};
use super::values::{Configs, MOST_PARTITIONS, MOST_REPLICAS, count};
use super::{Acknowledgement, At, Keys, Wanted, acknowledge};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{ClusterName, ConfigKey};
use crate::yaml::{Entries, Entry, Field, Given, List, Problems};

/// Says that a value is wrong and that a finding tells so: what needs it is left out without another word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told;

/// A field of a layer: not there, wrong, or a value.
pub(super) type Slot<T> = Option<Result<T, Told>>;

/// What one layer says of a topic.
#[derive(Clone, Default)]
pub(super) struct Layer {
    pub(super) partitions: Slot<At<u32>>,
    pub(super) replication_factor: Slot<At<u32>>,
    pub(super) keys: Option<Keys>,
    pub(super) owner: Option<String>,
    pub(super) config: Vec<(ConfigKey, Wanted)>,
    pub(super) clusters: Slot<Vec<At<ClusterName>>>,
    pub(super) mirror: Option<(Wish, Place)>,
    pub(super) profiles: Slot<Vec<String>>,
    pub(super) copartition: Option<At<String>>,
    pub(super) copies: Vec<CopyLayer>,
    pub(super) state: Slot<State>,
    pub(super) acknowledgements: Vec<Acknowledgement>,
    /// The fields that only a topic that shall exist can have, with the places of their keys.
    pub(super) of_existing: Vec<(&'static str, Place)>,
}

/// What one layer says of a topic's copy.
#[derive(Clone)]
pub(super) struct CopyLayer {
    /// The cluster that the copy is on.
    pub(super) cluster: At<ClusterName>,
    pub(super) config: Vec<(ConfigKey, Wanted)>,
    pub(super) state: Option<At<State>>,
}

/// `mirror`, with known clusters.
#[derive(Clone)]
pub(super) enum Wish {
    Every,
    Never,
    Only(Vec<At<ClusterName>>),
}

impl Layer {
    /// A layer that is wrong as a whole: it may have said anything.
    pub(super) fn broken() -> Self {
        Self {
            partitions: Some(Err(Told)),
            replication_factor: Some(Err(Told)),
            clusters: Some(Err(Told)),
            profiles: Some(Err(Told)),
            state: Some(Err(Told)),
            ..Self::default()
        }
    }
}

/// Makes layers.
pub(super) struct Reader<'a> {
    pub(super) problems: &'a Problems,
    pub(super) configs: Configs,
}

impl Reader<'_> {
    pub(super) fn profile(&self, name: &str, given: &Given<Profile>, settings: &Settings) -> Layer {
        let layer = self.layer(&given.value.shared(), Some(name), settings);
        self.inherited(layer, settings)
    }

    pub(super) fn defaults(&self, field: &Field<Defaults>, settings: &Settings) -> Layer {
        match field {
            Field::Missing => Layer::default(),
            Field::Wrong => Layer::broken(),
            Field::Given(given) => {
                let profiles = self.profiles(&given.value.profiles, settings);
                self.inherited(Layer { profiles, ..self.layer(&given.value.shared(), None, settings) }, settings)
            }
        }
    }

    pub(super) fn topic(&self, topic: &Topic, settings: &Settings) -> Layer {
        let Topic { partitions, replication_factor, keys, config, mirror, copartition, profiles, .. } = topic;
        let fields = [
            ("partitions", key(partitions)),
            ("replication_factor", key(replication_factor)),
            ("keys", key(keys)),
            ("config", key(config)),
            ("mirror", key(mirror)),
            ("copartition", key(copartition)),
            ("profiles", key(profiles)),
        ];
        Layer {
            profiles: self.profiles(profiles, settings),
            state: slot(&topic.state, |given| Ok(given.value)),
            acknowledgements: topic.acknowledge.value().map_or_else(Vec::new, |given| acknowledge::of_topic(given, self.problems)),
            of_existing: fields.into_iter().filter_map(|(field, place)| Some((field, place?))).collect(),
            ..self.layer(&topic.shared(), None, settings)
        }
    }

    /// Holds a layer of many topics against what only a topic can say, and against the flows that there are at all.
    fn inherited(&self, layer: Layer, settings: &Settings) -> Layer {
        for copy in &layer.copies {
            let CopyLayer { cluster, state, .. } = copy;
            if settings.mirrors_known && !settings.mirrors.iter().any(|mirror| mirror.target == cluster.value) {
                let message = format!("`copies`: no flow goes to {}, so no topic has a copy there", cluster.value);
                self.problems.add(Finding::new(Code::Ym007, message).at(cluster.place).help("name the target of a flow under `mirrors`"));
            }
            if let Some(at) = state.filter(|at| at.value == State::Absent) {
                let message = format!("`state` of the copies on {} stands where it would hold for many topics", cluster.value);
                self.problems.add(Finding::new(Code::Ym013, message).at(at.place).help("write it at each topic, beside the topic's own `state: absent`"));
            }
        }
        layer
    }

    fn layer(&self, shared: &Shared<'_>, profile: Option<&str>, settings: &Settings) -> Layer {
        let clusters = &settings.clusters;
        let counted = |field: &Field<shapes::Count>, name, most| slot(field, |given| count(given, name, most, self.problems).ok_or(Told));
        Layer {
            partitions: counted(shared.partitions, "partitions", MOST_PARTITIONS),
            replication_factor: counted(shared.replication_factor, "replication_factor", MOST_REPLICAS),
            keys: shared.keys.value().map(|keys| match keys {
                shapes::Keys::Keyed => Keys::Keyed,
                shapes::Keys::None => Keys::None,
                shapes::Keys::Unknown => Keys::Unknown,
            }),
            owner: shared.owner.value().cloned(),
            config: self.config(shared.config, profile),
            clusters: slot(shared.cluster, |given| self.clusters(given, clusters)),
            mirror: shared.mirror.given().and_then(|given| {
                let wish = match &given.value {
                    shapes::MirrorWish::Every => Wish::Every,
                    shapes::MirrorWish::Never => Wish::Never,
                    shapes::MirrorWish::Only(names) => Wish::Only(self.known(names, clusters).ok()?),
                };
                Some((wish, given.place))
            }),
            copartition: shared.copartition.given().and_then(|given| self.group(given)),
            copies: shared.copies.value().map_or(&[][..], |entries| &entries.0).iter().filter_map(|entry| self.copy(entry, profile, clusters)).collect(),
            ..Layer::default()
        }
    }

    fn config(&self, field: &Field<Entries<ConfigValue>>, profile: Option<&str>) -> Vec<(ConfigKey, Wanted)> {
        field.value().map_or(&[][..], |entries| &entries.0).iter().filter_map(|entry| self.configs.read(entry, profile, self.problems)).collect()
    }

    fn group(&self, given: &Given<String>) -> Option<At<String>> {
        if given.value.trim().is_empty() {
            let finding = Finding::new(Code::Ym008, "`copartition` is empty, and names no group").at(given.place);
            self.problems.add(finding.help("write the name of a group, or remove the line"));
            return None;
        }
        Some(At { value: given.value.clone(), place: given.place })
    }

    fn copy(&self, entry: &Entry<CopyFields>, profile: Option<&str>, clusters: &Clusters) -> Option<CopyLayer> {
        let cluster = clusters.find(&entry.key, entry.place, self.problems);
        let CopyFields { config, state } = &entry.value.as_ref()?.value;
        let config = self.config(config, profile);
        let state = state.given().map(|given| At { value: given.value, place: given.place });
        Some(CopyLayer { cluster: At { value: cluster?, place: entry.place }, config, state })
    }

    /// `cluster`: one, or several different ones.
    fn clusters(&self, given: &Given<Names>, clusters: &Clusters) -> Result<Vec<At<ClusterName>>, Told> {
        match &given.value {
            Names::One(name) => Ok(vec![At { value: clusters.find(name, given.place, self.problems).ok_or(Told)?, place: given.place }]),
            Names::Several(names) if names.0.is_empty() && given.intact => {
                let finding = Finding::new(Code::Ym008, "`cluster`: an empty list puts the topic nowhere").at(given.place);
                self.problems.add(finding.help("name a cluster, or remove the line"));
                Err(Told)
            }
            Names::Several(names) => self.known(names, clusters),
        }
    }

    fn known(&self, names: &List<String>, clusters: &Clusters) -> Result<Vec<At<ClusterName>>, Told> {
        let mut known: Vec<At<ClusterName>> = Vec::new();
        let mut all = true;
        for name in &names.0 {
            let Some(cluster) = clusters.find(&name.value, name.place, self.problems) else {
                all = false;
                continue;
            };
            if let Some(first) = known.iter().find(|at| at.value == cluster) {
                let message = format!("cluster {cluster} stands twice in one list");
                self.problems.add(Finding::new(Code::Ym008, message).at(name.place).and_at(first.place, "first here").help("remove one of the two"));
            } else {
                known.push(At { value: cluster, place: name.place });
            }
        }
        if all { Ok(known) } else { Err(Told) }
    }

    fn profiles(&self, field: &Field<List<String>>, settings: &Settings) -> Slot<Vec<String>> {
        slot(field, |given| {
            for name in &given.value.0 {
                if settings.profiles_known && !settings.profiles.contains_key(&name.value) {
                    let message = format!("there is no profile {:?}, so nothing says what it would add", name.value);
                    let help = among(&name.value, settings.profiles.keys().map(String::as_str), "profiles");
                    self.problems.add(Finding::new(Code::Ym007, message).at(name.place).help(help));
                }
            }
            Ok(given.value.0.iter().map(|name| name.value.clone()).collect())
        })
    }
}

fn key<T>(field: &Field<T>) -> Option<Place> {
    field.given().map(|given| given.key)
}

fn slot<T, U>(field: &Field<T>, read: impl FnOnce(&Given<T>) -> Result<U, Told>) -> Slot<U> {
    match field {
        Field::Missing => None,
        Field::Wrong => Some(Err(Told)),
        Field::Given(given) => Some(read(given)),
    }
}
