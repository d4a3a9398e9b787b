//! Observes all clusters of a run, each in a thread of its own.
//!
//! Nobody's topics are read before every cluster has said who it is: a wrong address must not make a plan for another cluster. One dead cluster does not stop
//! the others.

use super::kafka::Kafka;
use super::settings::Property;
use super::simulated::Simulated;
use super::snapshot::Snapshot;
use super::{Again, Asked, Identity, Observe};
use crate::finding::{Code, Finding, Place, Stage};
use crate::kafka::name::{ClusterName, TopicName};
use crate::live::{self, ClusterKind, Instant, State};
use crate::spec::At;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A cluster to observe.
#[derive(Debug)]
pub struct Target {
    /// Its name in the workspace.
    pub name: ClusterName,
    /// The id that it must have, where one is pinned.
    pub id: Option<At<String>>,
    /// Where its address is written.
    pub place: Place,
    /// How to reach it.
    pub connection: Connection,
    /// The topics whose configs are wanted, or whose absence is to be proven.
    pub asked: BTreeSet<TopicName>,
    /// The time it may take in total.
    pub timeout: Duration,
}

/// How to reach a cluster, with every variable resolved.
#[derive(Debug)]
pub enum Connection {
    /// Real brokers: librdkafka's settings, `bootstrap.servers` among them.
    Kafka(BTreeMap<String, Property>),
    /// A cluster model.
    Simulated(Simulated),
    /// A picture of a live cluster.
    Snapshot(Snapshot),
}

/// What was observed.
#[derive(Debug)]
pub struct Observed {
    /// Every target, in their order. One that was not read has the reasons with it, or none where `findings` holds them.
    pub clusters: Vec<live::Cluster>,
    /// What stopped the run before the first topic was read: settings that are wrong (YM; then nobody was contacted), EN003 and EN004.
    pub findings: Vec<Finding>,
    /// How many requests each real cluster was sent, by librdkafka's own counters.
    pub requests: BTreeMap<ClusterName, u64>,
}

/// Observes clusters. `clock` tells the time; `ids_wanted` is asked, once everything else was read, which topics' ids are needed.
pub fn observe(
    targets: &[Target],
    clock: impl Fn() -> Instant,
    ids_wanted: impl Fn(&[live::Cluster]) -> BTreeMap<ClusterName, BTreeSet<TopicName>>,
) -> Observed {
    all_at_once(targets, false, clock, ids_wanted)
}

/// Observes clusters, and every topic of theirs with its id and configs; those asked for also where the cluster does not list them.
pub fn observe_everything(targets: &[Target], clock: impl Fn() -> Instant) -> Observed {
    all_at_once(targets, true, clock, |_| BTreeMap::new())
}

fn all_at_once(
    targets: &[Target],
    everything: bool,
    clock: impl Fn() -> Instant,
    ids_wanted: impl Fn(&[live::Cluster]) -> BTreeMap<ClusterName, BTreeSet<TopicName>>,
) -> Observed {
    std::thread::scope(|scope| {
        let asking: Vec<Worker> = targets
            .iter()
            .map(|target| {
                let (ask, asked) = channel();
                let (tell, told) = channel();
                scope.spawn(move || work(target, everything, &asked, &tell));
                Worker { ask, told }
            })
            .collect();
        run(targets, &asking, clock, ids_wanted)
    })
}

/// What a thread is asked to do.
enum Ask {
    Identify,
    Read,
    Ids(BTreeSet<TopicName>),
    Requests,
}

/// What it tells. Each answer belongs to the question before; `Opened` comes unasked.
enum Told {
    Opened(Vec<Finding>),
    Identity(Result<Identity, Vec<Finding>>),
    State(Box<Result<State, Vec<Finding>>>),
    Ids(Result<BTreeMap<TopicName, Again>, Vec<Finding>>),
    Requests(Option<u64>),
}

/// The near end of a thread. Dropping it lets the thread end.
struct Worker {
    ask: Sender<Ask>,
    told: Receiver<Told>,
}

/// A thread's cluster.
enum Open {
    Kafka(Box<Kafka>),
    Simulated(Simulated),
    Snapshot(Snapshot),
}

impl Open {
    fn new(target: &Target) -> Result<Self, Vec<Finding>> {
        match &target.connection {
            Connection::Kafka(properties) => Kafka::open(&target.name, target.place, properties, target.timeout).map(|kafka| Self::Kafka(Box::new(kafka))),
            Connection::Simulated(simulated) => Ok(Self::Simulated(simulated.clone())),
            Connection::Snapshot(snapshot) => Ok(Self::Snapshot(snapshot.clone())),
        }
    }

    fn observe(&mut self) -> &mut dyn Observe {
        match self {
            Self::Kafka(kafka) => kafka.as_mut(),
            Self::Simulated(simulated) => simulated,
            Self::Snapshot(snapshot) => snapshot,
        }
    }
}

/// A thread: opens its cluster here, because a session does not change threads, and answers until nobody asks any more.
fn work(target: &Target, everything: bool, asked: &Receiver<Ask>, tell: &Sender<Told>) {
    let mut open = match Open::new(target) {
        Ok(open) => open,
        Err(findings) => return drop(tell.send(Told::Opened(findings))),
    };
    if tell.send(Told::Opened(Vec::new())).is_err() {
        return;
    }
    while let Ok(ask) = asked.recv() {
        let told = match ask {
            Ask::Identify => Told::Identity(open.observe().identify()),
            Ask::Read => Told::State(Box::new(open.observe().read(if everything { Asked::All(&target.asked) } else { Asked::Named(&target.asked) }))),
            Ask::Ids(topics) => Told::Ids(open.observe().ids(&topics)),
            Ask::Requests => Told::Requests(match &mut open {
                Open::Kafka(kafka) => kafka.requests(),
                Open::Simulated(_) | Open::Snapshot(_) => None,
            }),
        };
        if tell.send(told).is_err() {
            break;
        }
    }
    match open {
        Open::Kafka(kafka) => kafka.close(),
        Open::Simulated(_) | Open::Snapshot(_) => {}
    }
}

fn run(
    targets: &[Target],
    workers: &[Worker],
    clock: impl Fn() -> Instant,
    ids_wanted: impl Fn(&[live::Cluster]) -> BTreeMap<ClusterName, BTreeSet<TopicName>>,
) -> Observed {
    let mut clusters: Vec<_> = targets.iter().map(|target| unread(target, observed_at(target, &clock))).collect();
    let opened: Vec<_> = workers.iter().map(|worker| worker.told.recv().map(Told::findings).unwrap_or_default()).collect();
    let is_wrong = |finding: &Finding| finding.code.stage() == Stage::Input;
    if opened.iter().flatten().any(is_wrong) {
        let findings = opened.into_iter().flatten().filter(is_wrong).collect();
        return Observed { clusters, findings, requests: BTreeMap::new() };
    }
    let mut findings = Vec::new();

    workers.iter().for_each(|worker| drop(worker.ask.send(Ask::Identify)));
    let mut known: Vec<Option<Identity>> = Vec::new();
    for ((cluster, worker), why_not) in clusters.iter_mut().zip(workers).zip(opened) {
        if !why_not.is_empty() {
            cluster.state = Err(why_not);
            known.push(None);
            continue;
        }
        match worker.told.recv() {
            Ok(Told::Identity(Ok(identity))) => {
                cluster.id.clone_from(&identity.id);
                known.push(Some(identity));
            }
            told => {
                cluster.state = Err(told.map(Told::findings).unwrap_or_default());
                known.push(None);
            }
        }
    }
    findings.extend(targets.iter().zip(&known).filter_map(|(target, identity)| mismatch(target, identity.as_ref()?)));
    findings.extend(twins(targets, &known));
    if !findings.is_empty() {
        return Observed { clusters, findings, requests: BTreeMap::new() };
    }

    let alive = || workers.iter().enumerate().filter(|(at, _)| known.get(*at).is_some_and(Option::is_some));
    alive().for_each(|(_, worker)| drop(worker.ask.send(Ask::Read)));
    for (at, worker) in alive() {
        clusters[at].state = match worker.told.recv() {
            Ok(Told::State(state)) => *state,
            told => Err(told.map(Told::findings).unwrap_or_default()),
        };
        clusters[at].observed_at = observed_at(&targets[at], &clock);
    }

    let wanted = ids_wanted(&clusters);
    let asked: Vec<_> = alive().filter_map(|(at, worker)| Some((at, worker, wanted.get(&targets[at].name).filter(|topics| !topics.is_empty())?))).collect();
    asked.iter().for_each(|(_, worker, topics)| drop(worker.ask.send(Ask::Ids((*topics).clone()))));
    for (at, worker, _) in asked {
        match worker.told.recv() {
            Ok(Told::Ids(Ok(ids))) => {
                if let Ok(state) = &mut clusters[at].state {
                    identify(state, ids);
                }
            }
            told => clusters[at].state = Err(told.map(Told::findings).unwrap_or_default()),
        }
    }

    alive().for_each(|(_, worker)| drop(worker.ask.send(Ask::Requests)));
    let requests = alive().filter_map(|(at, worker)| match worker.told.recv() {
        Ok(Told::Requests(Some(requests))) => Some((targets[at].name.clone(), requests)),
        _ => None,
    });
    let requests = requests.collect();
    Observed { clusters, findings, requests }
}

/// Takes in the ids of topics. A topic that is not as it was read a moment ago is unknown: what was concluded from the first look may not hold.
pub(super) fn identify(state: &mut State, topics: BTreeMap<TopicName, Again>) {
    for (name, again) in topics {
        let Some(topic) = state.topics.get_mut(&name) else { continue };
        let why = match again {
            Again::Present { id, partitions } if partitions == topic.partitions => {
                topic.id = id;
                continue;
            }
            Again::Present { partitions, .. } => format!("it went from {} to {partitions} partitions while it was looked at", topic.partitions),
            Again::Lost(why) => format!("it was lost while it was looked at: {why}"),
        };
        state.topics.remove(&name);
        state.unreadable.insert(name, why);
    }
}

impl Told {
    /// The reasons why there is no answer.
    fn findings(self) -> Vec<Finding> {
        match self {
            Self::Opened(findings) | Self::Identity(Err(findings)) | Self::Ids(Err(findings)) => findings,
            Self::State(state) => state.err().unwrap_or_default(),
            Self::Identity(Ok(_)) | Self::Ids(Ok(_)) | Self::Requests(_) => Vec::new(),
        }
    }
}

/// When a cluster was seen as it shows itself now.
fn observed_at(target: &Target, clock: impl Fn() -> Instant) -> Instant {
    match &target.connection {
        Connection::Kafka(_) | Connection::Simulated(_) => clock(),
        Connection::Snapshot(snapshot) => snapshot.taken_at(),
    }
}

fn unread(target: &Target, now: Instant) -> live::Cluster {
    let kind = match target.connection {
        Connection::Kafka(_) => ClusterKind::Kafka,
        Connection::Simulated(_) => ClusterKind::Simulated,
        Connection::Snapshot(_) => ClusterKind::Snapshot,
    };
    live::Cluster { name: target.name.clone(), kind, id: None, observed_at: now, state: Err(Vec::new()) }
}

/// EN003, where a cluster is not the pinned one.
fn mismatch(target: &Target, identity: &Identity) -> Option<Finding> {
    let pinned = target.id.as_ref()?;
    let what = match &identity.id {
        Some(id) if *id == pinned.value => return None,
        Some(id) => format!("has the id {id}"),
        None => "reports no id".to_owned(),
    };
    let message = format!("cluster {} {what}, and {} is pinned, so no topic was read", target.name, pinned.value);
    let help = "check the address; if the cluster was set up anew, write its new id";
    Some(Finding::new(Code::En003, message).at(pinned.place).cluster(&target.name).help(help))
}

/// EN004, where two names stand for one cluster: they have the same id (or both none) and share an address. Ids alone do not prove it: some compatible brokers
/// all have the same.
fn twins(targets: &[Target], known: &[Option<Identity>]) -> Vec<Finding> {
    let known: Vec<_> = targets.iter().zip(known).filter_map(|(target, identity)| Some((target, identity.as_ref()?))).collect();
    let mut findings = Vec::new();
    for (at, (first, one)) in known.iter().enumerate() {
        for (second, other) in &known[at + 1..] {
            if one.id != other.id {
                continue;
            }
            if let Some(address) = one.addresses.intersection(&other.addresses).next() {
                let shared = match second.connection {
                    Connection::Kafka(_) => format!("have the broker {address}"),
                    Connection::Simulated(_) | Connection::Snapshot(_) => "read one file".to_owned(),
                };
                let message = format!("{} and {} are the same cluster (both {shared}), so no topic was read", first.name, second.name);
                let finding = Finding::new(Code::En004, message).at(second.place).and_at(first.place, format!("{} is here", first.name));
                findings.push(finding.cluster(&second.name).help("correct the address of one of them, or remove it"));
            }
        }
    }
    findings
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a simulated cluster is a file")]
mod tests {
    use super::*;
    use crate::finding::Sources;

    fn model(folder: &std::path::Path, file: &str, id: &str) -> Simulated {
        let topics = r#"{"orders": {"id": "u1", "partitions": 1, "replication_factor": 1}}"#;
        let text = format!(r#"{{"format_version": "1.0", "kind": "simulated", "cluster_id": "{id}", "brokers": [{{"id": 1}}], "topics": {topics}}}"#);
        std::fs::write(folder.join(file), text).unwrap();
        Simulated::load(folder, file, place()).unwrap()
    }

    fn place() -> Place {
        Place { file: Sources::default().add("isotopic.yaml", ""), start: 0, end: 1 }
    }

    fn target(name: &str, connection: Connection, id: Option<&str>) -> Target {
        let id = id.map(|id| At { value: id.to_owned(), place: place() });
        Target { name: name.into(), id, place: place(), connection, asked: BTreeSet::new(), timeout: Duration::from_secs(1) }
    }

    fn seen(targets: &[Target]) -> Observed {
        observe(targets, || Instant(5), |_| BTreeMap::from([("primary".into(), BTreeSet::from(["orders".into()]))]))
    }

    fn codes(findings: &[Finding]) -> Vec<Code> {
        findings.iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn every_cluster_is_read_and_only_wanted_ids_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let primary = target("primary", Connection::Simulated(model(folder.path(), "a.json", "A")), Some("A"));
        let dr = target("dr", Connection::Simulated(model(folder.path(), "b.json", "A")), None);
        let observed = seen(&[primary, dr]);
        assert_eq!(codes(&observed.findings), [], "equal ids alone are no proof");
        let id = |at: usize| observed.clusters[at].state.as_ref().unwrap().topics["orders"].id.clone();
        assert_eq!((id(0), id(1)), (Some("u1".to_owned()), None));
        assert!(observed.clusters.iter().all(|cluster| cluster.observed_at == Instant(5) && cluster.kind == ClusterKind::Simulated));
    }

    #[test]
    fn a_topic_that_is_not_as_it_was_read_is_unknown() {
        let topic = || live::Topic { id: None, partitions: 3, replication: live::Replication { min: 1, max: 1 }, configs: live::Configs::NotAsked };
        let mut state = State { topics: ["same", "grown", "gone", "unasked"].map(|name| (TopicName::from(name), topic())).into(), ..State::default() };
        let present = |partitions| Again::Present { id: Some("u".to_owned()), partitions };
        identify(
            &mut state,
            [("same", present(3)), ("grown", present(4)), ("gone", Again::Lost("why".to_owned()))].map(|(name, again)| (name.into(), again)).into(),
        );
        assert_eq!(state.topics["same"].id.as_deref(), Some("u"));
        assert_eq!(state.topics["unasked"].id, None);
        assert_eq!(state.unreadable["grown"], "it went from 3 to 4 partitions while it was looked at");
        assert_eq!(state.unreadable["gone"], "it was lost while it was looked at: why");
        assert_eq!((state.topics.len(), state.unreadable.len()), (2, 2));
    }

    #[test]
    fn another_cluster_than_pinned_stops_before_any_topic_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let primary = target("primary", Connection::Simulated(model(folder.path(), "a.json", "A")), Some("B"));
        let dr = target("dr", Connection::Simulated(model(folder.path(), "b.json", "C")), None);
        let observed = seen(&[primary, dr]);
        assert_eq!(codes(&observed.findings), [Code::En003]);
        assert!(observed.findings[0].message.contains("cluster primary has the id A, and B is pinned"), "{}", observed.findings[0].message);
        assert!(observed.clusters.iter().all(|cluster| cluster.state.as_ref().is_err_and(Vec::is_empty)));
    }

    #[test]
    fn two_names_for_one_file_are_one_cluster() {
        let folder = tempfile::tempdir().unwrap();
        model(folder.path(), "a.json", "A");
        let load = |path| Connection::Simulated(Simulated::load(folder.path(), path, place()).unwrap());
        let observed = seen(&[target("primary", load("a.json"), None), target("dr", load("./a.json"), None)]);
        assert_eq!(codes(&observed.findings), [Code::En004]);
        assert_eq!(observed.findings[0].message, "primary and dr are the same cluster (both read one file), so no topic was read");
    }

    #[test]
    fn settings_that_are_none_stop_before_anybody_is_contacted() {
        let property = |value: &str| Property { value: value.to_owned(), place: place() };
        let settings =
            |name: &str| Connection::Kafka(BTreeMap::from([(name.to_owned(), property("x")), ("bootstrap.servers".to_owned(), property("127.0.0.1:1"))]));
        let observed = seen(&[target("primary", settings("no.such.setting"), None), target("dr", settings("client.id"), None)]);
        assert_eq!(codes(&observed.findings), [Code::Ym002]);
        assert!(observed.clusters.iter().all(|cluster| cluster.state.as_ref().is_err_and(Vec::is_empty)));
    }
}
