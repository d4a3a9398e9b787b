//! Layers: the fields of a topic, a profile or defaults, each value checked once, however many topics build on it.

use super::settings::{Clusters, Settings, among};
use super::shapes::{self, Defaults, Names, Profile, Shared, Topic};
use super::values::{Configs, MOST_PARTITIONS, MOST_REPLICAS, count};
use super::{At, Keys, Wanted};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{ClusterName, ConfigKey};
use crate::yaml::{Field, Given, List, Problems};

/// Says that a value is wrong and that a finding tells so: what needs it is left out without another word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told;

/// A field of a layer: not there, wrong, or a value.
pub(super) type Slot<T> = Option<Result<T, Told>>;

/// What one layer says of a topic.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) partitions: Slot<At<u32>>,
    pub(super) replication_factor: Slot<At<u32>>,
    pub(super) keys: Option<Keys>,
    pub(super) owner: Option<String>,
    pub(super) config: Vec<(ConfigKey, Wanted)>,
    pub(super) clusters: Slot<Vec<At<ClusterName>>>,
    pub(super) mirror: Option<(Wish, Place)>,
    pub(super) profiles: Slot<Vec<String>>,
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
        Self { partitions: Some(Err(Told)), replication_factor: Some(Err(Told)), clusters: Some(Err(Told)), profiles: Some(Err(Told)), ..Self::default() }
    }
}

/// Makes layers.
pub(super) struct Reader<'a> {
    pub(super) problems: &'a Problems,
    pub(super) configs: Configs,
}

impl Reader<'_> {
    pub(super) fn profile(&self, name: &str, given: &Given<Profile>, clusters: &Clusters) -> Layer {
        self.layer(&given.value.shared(), Some(name), clusters)
    }

    pub(super) fn defaults(&self, field: &Field<Defaults>, settings: &Settings) -> Layer {
        match field {
            Field::Missing => Layer::default(),
            Field::Wrong => Layer::broken(),
            Field::Given(given) => {
                let profiles = self.profiles(&given.value.profiles, settings);
                Layer { profiles, ..self.layer(&given.value.shared(), None, &settings.clusters) }
            }
        }
    }

    pub(super) fn topic(&self, topic: &Topic, settings: &Settings) -> Layer {
        let profiles = self.profiles(&topic.profiles, settings);
        Layer { profiles, ..self.layer(&topic.shared(), None, &settings.clusters) }
    }

    fn layer(&self, shared: &Shared<'_>, profile: Option<&str>, clusters: &Clusters) -> Layer {
        let counted = |field: &Field<u32>, name, most| slot(field, |given| count(given, name, most, self.problems).ok_or(Told));
        let config = shared.config.value().map_or(&[][..], |entries| &entries.0);
        Layer {
            partitions: counted(shared.partitions, "partitions", MOST_PARTITIONS),
            replication_factor: counted(shared.replication_factor, "replication_factor", MOST_REPLICAS),
            keys: shared.keys.value().map(|keys| match keys {
                shapes::Keys::Keyed => Keys::Keyed,
                shapes::Keys::None => Keys::None,
                shapes::Keys::Unknown => Keys::Unknown,
            }),
            owner: shared.owner.value().cloned(),
            config: config.iter().filter_map(|entry| self.configs.read(entry, profile, self.problems)).collect(),
            clusters: slot(shared.cluster, |given| self.clusters(given, clusters)),
            mirror: shared.mirror.given().and_then(|given| {
                let wish = match &given.value {
                    shapes::MirrorWish::Every => Wish::Every,
                    shapes::MirrorWish::Never => Wish::Never,
                    shapes::MirrorWish::Only(names) => Wish::Only(self.known(names, clusters).ok()?),
                };
                Some((wish, given.place))
            }),
            profiles: None,
        }
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

fn slot<T, U>(field: &Field<T>, read: impl FnOnce(&Given<T>) -> Result<U, Told>) -> Slot<U> {
    match field {
        Field::Missing => None,
        Field::Wrong => Some(Err(Told)),
        Field::Given(given) => Some(read(given)),
    }
}
