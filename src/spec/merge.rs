//! A topic as the sum of its layers, weakest first: workspace defaults, document defaults, profiles in order, the topic itself, overlays.

use super::layer::{Layer, Slot, Told, Wish};
use super::settings::Settings;
use super::shapes::State;
use super::topics::Declaration;
use super::{Absent, Acknowledgement, At, Change, CopyWish, MirrorWish, Topic, Wanted};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{ClusterName, ConfigKey, TopicName};
use crate::yaml::Problems;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

/// What stands for a profile that is not known.
static BROKEN: LazyLock<Layer> = LazyLock::new(Layer::broken);

type Id = (ClusterName, TopicName);

/// The topics that are right.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) topics: BTreeMap<Id, Topic>,
    pub(super) absent: BTreeMap<Id, Absent>,
}

/// The layers of one topic.
pub(super) struct Layers<'l> {
    /// Weakest first.
    pub(super) all: Vec<&'l Layer>,
    profiles: &'l [String],
}

/// What is said of a topic's copy on one cluster.
#[derive(Default)]
struct CopySum {
    config: BTreeMap<ConfigKey, Wanted>,
    state: Option<At<State>>,
}

/// Merges the layers of topics, one after the other.
pub(super) struct Merge<'a> {
    problems: &'a Problems,
    settings: &'a Settings,
    flows: HashSet<(&'a ClusterName, &'a ClusterName)>,
    declared: HashMap<Id, Place>,
    merged: Merged,
}

impl<'a> Merge<'a> {
    pub(super) fn new(problems: &'a Problems, settings: &'a Settings) -> Self {
        let flows = settings.mirrors.iter().map(|mirror| (&mirror.source, &mirror.target)).collect();
        Self { problems, settings, flows, declared: HashMap::new(), merged: Merged::default() }
    }

    pub(super) fn into_merged(self) -> Merged {
        self.merged
    }

    /// All layers of a topic.
    pub(super) fn layers<'l>(settings: &'l Settings, defaults: &'l Layer, own: &'l [Layer]) -> Layers<'l> {
        let base = [&settings.defaults, defaults];
        let named = strongest(base.into_iter().chain(own), |layer| &layer.profiles);
        let (profiles, unknown) = match named {
            Some(Ok(profiles)) => (profiles.as_slice(), None),
            Some(Err(())) => (&[][..], Some(&*BROKEN)),
            None => (&[][..], None),
        };
        let of_profiles = profiles.iter().map(|name| settings.profiles.get(name).unwrap_or(&BROKEN));
        Layers { all: base.into_iter().chain(of_profiles).chain(unknown).chain(own).collect(), profiles }
    }

    /// Takes in a topic.
    pub(super) fn declaration(&mut self, declaration: &Declaration, defaults: &Layer) {
        let settings = self.settings;
        let layers = Self::layers(settings, defaults, &declaration.own);
        if let Some(scope) = settings.scope.as_ref().filter(|scope| declaration.is_legal && !scope.matches(&declaration.name)) {
            let message = format!("topic {:?} is outside of this workspace's scope ({}), so it is somebody else's", declaration.name, scope.written.join(", "));
            self.problems
                .add(Finding::new(Code::Ym010, message).at(declaration.place).help("declare it in the workspace that it belongs to, or widen `scope`"));
        }
        // The strongest layer with a `state` decides, and it and those over it must agree with what it says.
        let deciding = declaration.own.iter().rposition(|layer| layer.state.is_some());
        let state = deciding.and_then(|at| declaration.own[at].state).unwrap_or(Ok(State::Present));
        let deciding = &declaration.own[deciding.unwrap_or(0)..];
        match state {
            Ok(State::Present) => self.present(declaration, &layers, deciding),
            Ok(State::Absent) => self.absent(declaration, &layers, deciding),
            Err(Told) => {}
        }
    }

    fn present(&mut self, declaration: &Declaration, layers: &Layers<'_>, deciding: &[Layer]) {
        let all = || layers.all.iter().copied();
        let partitions = self.required(declaration, "partitions", &strongest(all(), |layer| &layer.partitions));
        let replication_factor = self.required(declaration, "replication_factor", &strongest(all(), |layer| &layer.replication_factor));
        let Some(clusters) = self.clusters(declaration, &strongest(all(), |layer| &layer.clusters)) else { return };
        let wishes = self.wishes(&clusters, all().rev().find_map(|layer| layer.mirror.as_ref()));
        let copies = self.copies(&clusters, all(), &declaration.own);
        for at in copies.values().filter_map(|copy| copy.state).filter(|at| at.value == State::Absent) {
            let message = format!("a copy of {} shall be absent, and the topic itself shall not: MirrorMaker would make the copy again", declaration.name);
            self.problems.add(Finding::new(Code::Ym013, message).at(at.place).help("write `state: absent` at the topic too, or remove it here"));
        }
        for given in deciding.iter().flat_map(|layer| &layer.acknowledgements).filter(|given| is_deletion(given)) {
            let message = format!("`delete` agrees to a deletion of {}, which shall not be deleted", declaration.name);
            self.problems.add(Finding::new(Code::Ym013, message).at(given.place).help("write `state: absent` too, or remove it"));
        }
        let mut config = BTreeMap::new();
        all().for_each(|layer| config.extend(layer.config.iter().cloned()));
        for ((cluster, name), mirror) in self.new_ids(declaration, clusters).into_iter().zip(wishes) {
            let (Some(cluster), Some(partitions), Some(replication_factor)) = (cluster, partitions, replication_factor) else { continue };
            let copies = copies.iter().filter(|(target, copy)| self.flows.contains(&(&cluster, target)) && !copy.config.is_empty());
            let topic = Topic {
                place: declaration.place,
                owner: owner(layers),
                keys: all().rev().find_map(|layer| layer.keys).unwrap_or_default(),
                partitions,
                replication_factor,
                config: config.clone(),
                mirror,
                acknowledgements: acknowledgements(&declaration.own).filter(|given| !is_deletion(given)).cloned().collect(),
                profiles: layers.profiles.to_vec(),
                copartition: all().rev().find_map(|layer| layer.copartition.clone()),
                copies: copies.map(|(target, copy)| (target.clone(), CopyWish { config: copy.config.clone() })).collect(),
                cluster: cluster.clone(),
                name: name.clone(),
            };
            self.merged.topics.insert((cluster, name), topic);
        }
    }

    fn absent(&mut self, declaration: &Declaration, layers: &Layers<'_>, deciding: &[Layer]) {
        let excluded = |what: &str, place| {
            let message = format!("topic {} shall be absent, and has {what}, which only a topic that shall exist can have", declaration.name);
            self.problems.add(Finding::new(Code::Ym013, message).at(place).help("remove it, or `state: absent`"));
        };
        for layer in deciding {
            layer.of_existing.iter().for_each(|(field, place)| excluded(&format!("`{field}`"), *place));
            let acknowledged = layer.acknowledgements.iter().filter(|given| !is_deletion(given));
            acknowledged.for_each(|given| excluded(&format!("`acknowledge.{}`", given.change.kind()), given.place));
            let configs = layer.copies.iter().filter_map(|copy| copy.config.first());
            configs.for_each(|(_, wanted)| excluded("`config` of a copy", wanted.key_place));
        }
        let Some(clusters) = self.clusters(declaration, &strongest(layers.all.iter().copied(), |layer| &layer.clusters)) else { return };
        let copies = self.copies(&clusters, declaration.own.iter(), &declaration.own);
        for (cluster, name) in self.new_ids(declaration, clusters) {
            let Some(cluster) = cluster else { continue };
            let gone = copies.iter().filter_map(|(target, copy)| Some((target, copy.state.filter(|at| at.value == State::Absent)?)));
            let gone = gone.filter(|(target, _)| self.flows.contains(&(&cluster, *target)));
            let absent = Absent {
                place: declaration.place,
                owner: owner(layers),
                acknowledgement: acknowledgements(&declaration.own).find(|given| is_deletion(given)).cloned(),
                copies: gone.map(|(target, at)| At { value: target.clone(), place: at.place }).collect(),
                cluster: cluster.clone(),
                name: name.clone(),
            };
            self.merged.absent.insert((cluster, name), absent);
        }
    }

    /// The topic on each of its clusters, in order. No cluster for one that is not to be taken in, which a finding says.
    fn new_ids(&mut self, declaration: &Declaration, clusters: Vec<ClusterName>) -> Vec<(Option<ClusterName>, TopicName)> {
        let name = TopicName::new(declaration.name.as_str());
        let mut ids = Vec::new();
        for cluster in clusters {
            let id = (cluster, name.clone());
            let first = self.declared.get(&id).filter(|_| declaration.is_legal);
            if let Some(first) = first {
                let message = format!("topic {name} of cluster {} is declared twice, and only one of the two could hold", id.0);
                let finding = Finding::new(Code::Ym005, message).at(declaration.place).and_at(*first, "first here").topic(&id.0, &name);
                self.problems.add(finding.help("remove one of the two"));
            }
            let is_new = first.is_none() && declaration.is_legal;
            if is_new {
                self.declared.insert(id.clone(), declaration.place);
            }
            ids.push((is_new.then_some(id.0), id.1));
        }
        ids
    }

    fn required(&self, declaration: &Declaration, field: &str, slot: &Option<Result<&At<u32>, ()>>) -> Option<At<u32>> {
        match slot {
            Some(Ok(at)) => Some(**at),
            Some(Err(())) => None,
            None => {
                let message = format!("topic {:?} has no `{field}`, so it could not be created", declaration.name);
                let help = format!("write `{field}` at the topic, in one of its profiles, or in `defaults` of this file or of the workspace");
                self.problems.add(Finding::new(Code::Ym012, message).at(declaration.place).help(help));
                None
            }
        }
    }

    fn clusters(&self, declaration: &Declaration, slot: &Option<Result<&Vec<At<ClusterName>>, ()>>) -> Option<Vec<ClusterName>> {
        match slot {
            Some(Ok(clusters)) => Some(clusters.iter().map(|at| at.value.clone()).collect()),
            Some(Err(())) => None,
            None => {
                let default = self.settings.default_cluster.clone();
                if default.is_none() && self.settings.clusters.known && self.settings.mirrors_known {
                    let message = format!("topic {:?} has no `cluster`, and the workspace has more than one that it could be on", declaration.name);
                    let help = "write `cluster` at the topic, in one of its profiles or in `defaults`";
                    self.problems.add(Finding::new(Code::Ym012, message).at(declaration.place).help(help));
                }
                default.map(|cluster| vec![cluster])
            }
        }
    }

    /// `mirror` for each of a topic's clusters: of the flows in a list, those that start there.
    fn wishes(&self, clusters: &[ClusterName], mirror: Option<&(Wish, Place)>) -> Vec<MirrorWish> {
        match mirror {
            None | Some((Wish::Every, _)) => clusters.iter().map(|_| MirrorWish::Every).collect(),
            Some((Wish::Never, place)) => clusters.iter().map(|_| MirrorWish::Never(*place)).collect(),
            Some((Wish::Only(targets), place)) => {
                for target in targets {
                    self.check_flow("mirror", clusters, target);
                }
                let flows = |source, target: &At<ClusterName>| self.flows.contains(&(source, &target.value));
                let only = |source| targets.iter().filter(|target| flows(source, target)).cloned().collect();
                clusters.iter().map(|source| MirrorWish::Only(only(source), *place)).collect()
            }
        }
    }

    /// YM007 where no flow goes from one of a topic's clusters to another.
    fn check_flow(&self, field: &str, clusters: &[ClusterName], target: &At<ClusterName>) {
        if self.settings.mirrors_known && !clusters.iter().any(|source| self.flows.contains(&(source, &target.value))) {
            let from = clusters.iter().map(ClusterName::as_str).collect::<Vec<_>>().join(" or ");
            let message = format!("`{field}`: no flow goes from {from} to {}", target.value);
            let help = format!("declare the flow under `mirrors`, or take the cluster out of `{field}`");
            self.problems.add(Finding::new(Code::Ym007, message).at(target.place).help(help));
        }
    }

    /// `copies`, merged by cluster and key. Those that the topic itself or an overlay names must come from one of its clusters.
    fn copies<'l>(&self, clusters: &[ClusterName], layers: impl Iterator<Item = &'l Layer>, own: &[Layer]) -> BTreeMap<ClusterName, CopySum> {
        for copy in own.iter().flat_map(|layer| &layer.copies) {
            self.check_flow("copies", clusters, &copy.cluster);
        }
        let mut sums: BTreeMap<ClusterName, CopySum> = BTreeMap::new();
        for copy in layers.flat_map(|layer| &layer.copies) {
            let sum = sums.entry(copy.cluster.value.clone()).or_default();
            sum.config.extend(copy.config.iter().cloned());
            sum.state = copy.state.or(sum.state);
        }
        sums
    }
}

fn owner(layers: &Layers<'_>) -> Option<String> {
    layers.all.iter().rev().find_map(|layer| layer.owner.clone())
}

/// Of each kind the strongest.
fn acknowledgements(own: &[Layer]) -> impl Iterator<Item = &Acknowledgement> {
    let by_kind: BTreeMap<&str, &Acknowledgement> = own.iter().flat_map(|layer| &layer.acknowledgements).map(|given| (given.change.kind(), given)).collect();
    by_kind.into_values()
}

fn is_deletion(given: &Acknowledgement) -> bool {
    matches!(given.change, Change::Delete { .. })
}

/// The value of the last layer that has one.
pub(super) fn strongest<'l, T>(layers: impl DoubleEndedIterator<Item = &'l Layer>, field: impl Fn(&'l Layer) -> &'l Slot<T>) -> Option<Result<&'l T, ()>> {
    layers.rev().find_map(|layer| field(layer).as_ref().map(|value| value.as_ref().map_err(|_| ())))
}
