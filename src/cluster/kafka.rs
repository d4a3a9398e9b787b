//! Real Kafka, observed.
//!
//! Listens to who the cluster is, which librdkafka asks on every new connection, and sends one Metadata request for all topics, DescribeTopics for names that are not among them, and DescribeConfigs in batches. None of them
//! creates or changes anything. Knows the time that the cluster may take in total; contacts nobody before it is asked who it is.

#![expect(clippy::disallowed_methods, reason = "measures how long a cluster has taken, to hold it to its time")]

use super::described::{self, Defaults, Outcome};
use super::failure::{About, Cause, Secrets};
use super::ffi::{Answer, Failure, Metadata, Serial, Session, code};
use super::login;
use super::observe::identify;
use super::settings::{self, BOOTSTRAP, Property};
use super::watch::Watch;
use super::{Again, Asked, Identity, Observe};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{self, ClusterName, TopicName};
use crate::live::{Broker, Configs, Replication, State, Topic};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// Topics per DescribeConfigs request: more would double the memory, fewer the time (measured on 10,000 topics).
const BATCH: usize = 100;

/// DescribeConfigs requests in flight. A request's deadline runs from when it is queued, so not all of them at once.
const WINDOW: usize = 32;

/// Topics per DescribeTopics request: names are short, and an absent topic's answer too.
const NAMES: usize = 2_000;

/// How often a request is sent again after its connection broke.
const RETRIES: u8 = 2;

/// The settings that give a client certificate.
const CERTIFICATES: [&str; 3] = ["ssl.certificate.location", "ssl.certificate.pem", "ssl.keystore.location"];

/// How long to wait until a connection is closed. One that is well takes some milliseconds.
const CLOSING: Duration = Duration::from_millis(500);

/// A connection to real brokers.
pub(super) struct Kafka {
    about: About,
    place: Place,
    left: Duration,
    brokers: Vec<Broker>,
    session: Session,
    watch: Watch,
}

impl Kafka {
    /// Prepares a connection, and contacts nobody. `timeout` is for everything that will be asked, in total.
    pub(super) fn open(cluster: &ClusterName, place: Place, properties: &BTreeMap<String, Property>, timeout: Duration) -> Result<Self, Vec<Finding>> {
        let session = settings::open(cluster, place, properties)?;
        let about = About {
            cluster: cluster.clone(),
            bootstrap: properties.get(BOOTSTRAP).map(|property| property.value.clone()).unwrap_or_default(),
            timeout,
            secrets: Secrets::of(properties.iter().map(|(name, property)| (name.as_str(), property.value.as_str()))),
            protocol: login::protocol(properties),
            has_certificate: CERTIFICATES.iter().any(|name| properties.contains_key(*name)),
        };
        Ok(Self { about, place, left: timeout, brokers: Vec::new(), session, watch: Watch::default() })
    }

    /// How many requests the cluster was sent, by librdkafka's own counters.
    pub(super) fn requests(&mut self) -> Option<u64> {
        self.watch.requests(&self.session)
    }

    /// Ends, without waiting for connections that are in trouble.
    pub(super) fn close(self) {
        self.session.close_within(CLOSING);
    }

    /// Runs something within the time that is left, and takes its time from it.
    fn timed<T>(&mut self, ask: impl FnOnce(&mut Self, Instant) -> Result<T, Cause>) -> Result<T, Vec<Finding>> {
        let start = Instant::now();
        let result = ask(self, start + self.left);
        self.left = self.left.saturating_sub(start.elapsed());
        result.map_err(|cause| vec![cause.finding(&self.about).at(self.place)])
    }

    fn ask_identity(&mut self, deadline: Instant) -> Result<Identity, Cause> {
        let brokers = self.watch.brokers(&self.session, deadline)?;
        self.brokers = brokers.iter().map(|(id, _)| Broker { id: *id, rack: None }).collect();
        let id = self.session.cluster_id().filter(|id| !id.is_empty());
        Ok(Identity { id, brokers: brokers.len(), addresses: brokers.into_iter().map(|(_, address)| address).collect() })
    }

    fn ask_state(&mut self, asked: Asked<'_>, deadline: Instant) -> Result<State, Cause> {
        let mut state = State { brokers: self.brokers.clone(), ..State::default() };
        match self.session.metadata(remaining(deadline)) {
            Ok(metadata) => list(&metadata, asked, &mut state),
            Err(failure) => return Err(Cause::of(failure, self.watch.notice(&self.session))),
        }
        let missing: Vec<_> = asked.named().iter().filter(|name| !state.topics.contains_key(*name) && !state.unreadable.contains_key(*name)).cloned().collect();
        self.ask_topics(&missing, deadline, |name, described| match described {
            Described::Topic { partitions, .. } => record(&mut state, name, partitions.into_iter()),
            Described::Absent => {}
            Described::Unreadable(reason) => drop(state.unreadable.insert(name, reason)),
        })?;
        if let Asked::All(_) = asked {
            let listed: Vec<_> = state.topics.keys().cloned().collect();
            identify(&mut state, self.ask_again(&listed, deadline)?);
            state.brokers.clone_from(&self.brokers);
        }
        let mut described: Vec<_> = state.topics.keys().filter(|name| asked.includes(name)).cloned().collect();
        let other = |name: &&TopicName| !asked.includes(name) && !name.as_str().starts_with("__") && name::internal_purpose(name.as_str()).is_none();
        let one_more = state.topics.keys().find(other).cloned();
        described.extend(one_more.clone());
        self.ask_configs(&described, &mut state, deadline)?;
        // Nobody asked for the topic that only tells the defaults, so that it kept them to itself concerns nobody.
        if let Some(name) = one_more {
            state.unreadable.remove(&name);
            if let Some(topic) = state.topics.get_mut(&name).filter(|topic| matches!(topic.configs, Configs::Unknown(_))) {
                topic.configs = Configs::NotAsked;
            }
        }
        Ok(state)
    }

    /// Asks for topics by name, and tells what became of each.
    fn ask_topics(&mut self, names: &[TopicName], deadline: Instant, mut tell: impl FnMut(TopicName, Described)) -> Result<(), Cause> {
        for names in names.chunks(NAMES) {
            let mut retries = RETRIES;
            let topics = loop {
                let serial = self.session.describe_topics(names, remaining(deadline));
                match self.watch.reply(&self.session, serial, deadline)?.open() {
                    Ok(Answer::Topics(topics)) => break topics,
                    Ok(Answer::Configs(_)) => return Err(mixed_up()),
                    Err(failure) if failure.code == code::TRANSPORT && retries > 0 => retries -= 1,
                    Err(failure) => return Err(Cause::of(failure, self.watch.notice(&self.session))),
                }
            };
            self.watch.recovered();
            let mut unanswered: BTreeSet<_> = names.iter().cloned().collect();
            for topic in topics.each() {
                let name = TopicName::from(topic.name().as_ref());
                unanswered.remove(&name);
                locate(&mut self.brokers, topic.racks());
                let described = match topic.failure() {
                    None => Described::Topic { id: url_safe(&topic.id()), partitions: topic.partitions().collect() },
                    Some(failure) => Described::of(&failure),
                };
                tell(name, described);
            }
            for name in unanswered {
                tell(name, Described::Unreadable("the cluster did not answer for it".to_owned()));
            }
        }
        Ok(())
    }

    /// Asks topics that were read for their ids.
    fn ask_again(&mut self, names: &[TopicName], deadline: Instant) -> Result<BTreeMap<TopicName, Again>, Cause> {
        let mut told = BTreeMap::new();
        self.ask_topics(names, deadline, |name, described| {
            let again = match described {
                Described::Topic { id, partitions } => Again::Present { id, partitions: u32::try_from(partitions.len()).unwrap_or(u32::MAX) },
                Described::Absent => Again::Lost("the cluster says that there is no such topic".to_owned()),
                Described::Unreadable(reason) => Again::Lost(reason),
            };
            told.insert(name, again);
        })?;
        Ok(told)
    }

    /// Reads the configs of topics, many requests at a time. What they tell is taken in the order of the topics, so that the result does not depend on which
    /// reply comes first.
    fn ask_configs(&mut self, names: &[TopicName], state: &mut State, deadline: Instant) -> Result<(), Cause> {
        let batches: Vec<_> = names.chunks(BATCH).collect();
        let mut told: Vec<Option<Defaults>> = batches.iter().map(|_| None).collect();
        let mut waiting: VecDeque<(usize, u8)> = (0..batches.len()).map(|batch| (batch, RETRIES)).collect();
        let mut flying: BTreeMap<Serial, (usize, u8)> = BTreeMap::new();
        let mut bare = Vec::new();
        loop {
            while flying.len() < WINDOW
                && let Some((batch, retries)) = waiting.pop_front()
            {
                flying.insert(self.session.describe_configs(batches[batch], remaining(deadline)), (batch, retries));
            }
            if flying.is_empty() {
                break;
            }
            let reply = self.watch.next(&self.session, deadline)?;
            let Some((batch, retries)) = flying.remove(&reply.serial()) else { continue };
            let reason = match reply.open() {
                Ok(Answer::Configs(configs)) => {
                    let (topics, defaults) = described::decode(&configs);
                    told[batch] = Some(defaults);
                    bare.extend(take(state, topics));
                    "the cluster did not answer for its configs".to_owned()
                }
                Ok(Answer::Topics(_)) => return Err(mixed_up()),
                Err(failure) if failure.code == code::TRANSPORT && retries > 0 => {
                    waiting.push_back((batch, retries - 1));
                    continue;
                }
                Err(failure) if failure.code < 0 => return Err(Cause::of(failure, self.watch.notice(&self.session))),
                // Some compatible brokers do not know DescribeConfigs: what else is known of the topics still holds.
                Err(failure) => format!("DescribeConfigs answered {} ({})", failure.name(), failure.text),
            };
            for name in batches[batch] {
                if let Some(topic) = state.topics.get_mut(name).filter(|topic| topic.configs == Configs::NotAsked) {
                    topic.configs = Configs::Unknown(reason.clone());
                }
            }
        }
        let mut defaults = Defaults::default();
        told.into_iter().flatten().for_each(|later| defaults.merge(later));
        if defaults.are_untold() {
            // These have no overrides, and the cluster tells nothing else.
            for name in bare {
                if let Some(topic) = state.topics.get_mut(&name) {
                    topic.configs = Configs::Known(BTreeMap::new());
                }
            }
        }
        state.inherited = defaults.inherited();
        Ok(())
    }
}

impl Observe for Kafka {
    fn identify(&mut self) -> Result<Identity, Vec<Finding>> {
        if self.session.connect(&self.about.bootstrap) == 0 {
            let message = format!("`bootstrap` of cluster {} holds no address that librdkafka understands", self.about.cluster);
            return Err(vec![
                Finding::new(Code::Ym008, message).at(self.place).cluster(&self.about.cluster).help("write host:port, or several separated by commas"),
            ]);
        }
        self.timed(Self::ask_identity)
    }

    fn read(&mut self, asked: Asked<'_>) -> Result<State, Vec<Finding>> {
        self.timed(|this, deadline| this.ask_state(asked, deadline))
    }

    fn ids(&mut self, topics: &BTreeSet<TopicName>) -> Result<BTreeMap<TopicName, Again>, Vec<Finding>> {
        let names: Vec<_> = topics.iter().cloned().collect();
        self.timed(|this, deadline| this.ask_again(&names, deadline))
    }
}

/// What became of a topic that was asked for by name.
enum Described {
    Topic { id: Option<String>, partitions: Vec<(i32, usize)> },
    Absent,
    Unreadable(String),
}

impl Described {
    fn of(failure: &Failure) -> Self {
        match failure.code {
            // A name that Kafka does not take cannot be there either.
            code::UNKNOWN_TOPIC_OR_PARTITION | code::INVALID_TOPIC => Self::Absent,
            _ => Self::Unreadable(format!("{} ({})", failure.name(), failure.text)),
        }
    }
}

/// Takes in the list of all topics. One that is being deleted is not taken in, and is asked for by name.
fn list(metadata: &Metadata<'_>, asked: Asked<'_>, state: &mut State) {
    for topic in metadata.topics() {
        let name = TopicName::from(topic.name().as_ref());
        match topic.code() {
            0 => record(state, name, topic.partitions()),
            code::UNKNOWN_TOPIC_OR_PARTITION => {}
            other if asked.includes(&name) => {
                let failure = Failure::of(other);
                state.unreadable.insert(name, format!("{} ({})", failure.name(), failure.text));
            }
            _ => {}
        }
    }
}

/// Takes in a topic by its partitions: their numbers, in order, and how many replicas each has.
fn record(state: &mut State, name: TopicName, told: impl Iterator<Item = (i32, usize)>) {
    let (mut partitions, mut min, mut max, mut is_whole) = (0_u32, u32::MAX, 0, true);
    for (number, replicas) in told {
        // A number that is left out is a partition that was not told.
        is_whole &= u32::try_from(number) == Ok(partitions);
        let replicas = u32::try_from(replicas).unwrap_or(u32::MAX);
        (partitions, min, max) = (partitions.saturating_add(1), min.min(replicas), max.max(replicas));
    }
    if !is_whole || partitions == 0 || min == 0 {
        state.unreadable.insert(name, "the cluster does not report all of its partitions and replicas".to_owned());
        return;
    }
    state.topics.insert(name, Topic { id: None, partitions, replication: Replication { min, max }, configs: Configs::NotAsked });
}

/// Takes in the configs that a reply told, and gives the topics that it told nothing of.
fn take(state: &mut State, topics: BTreeMap<TopicName, Outcome>) -> Vec<TopicName> {
    let mut bare = Vec::new();
    for (name, outcome) in topics {
        let Some(topic) = state.topics.get_mut(&name) else { continue };
        match outcome {
            Outcome::Told(configs) => topic.configs = configs,
            Outcome::Bare => {
                topic.configs = Configs::Unknown("the cluster told none of its configs; DescribeConfigs on it may not be allowed".to_owned());
                bare.push(name);
            }
            Outcome::Denied => {
                let why = "the cluster listed it and then denied that it exists, as happens while a topic is created or deleted";
                state.topics.remove(&name);
                state.unreadable.insert(name, why.to_owned());
            }
        }
    }
    bare
}

/// Takes in where brokers stand. Topics tell it of the brokers that hold them, and nothing else does that every cluster survives.
fn locate<'a>(brokers: &mut [Broker], racks: impl Iterator<Item = (i32, Cow<'a, str>)>) {
    for (id, rack) in racks.filter(|(_, rack)| !rack.is_empty()) {
        if let Some(broker) = brokers.iter_mut().find(|broker| broker.rack.is_none() && u32::try_from(id) == Ok(broker.id)) {
            broker.rack = Some(rack.into_owned());
        }
    }
}

/// A topic id as Kafka prints it: URL-safe and without padding. `None` for the nil id, which brokers without ids give.
fn url_safe(base64: &str) -> Option<String> {
    let id: String = base64
        .trim_end_matches('=')
        .chars()
        .map(|c| match c {
            '+' => '-',
            '/' => '_',
            c => c,
        })
        .collect();
    id.chars().any(|c| c != 'A').then_some(id)
}

fn remaining(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// librdkafka's serial numbers make this impossible; if it happens, nothing it says can be trusted.
fn mixed_up() -> Cause {
    Cause::Answered(Failure { code: -1, text: "the reply belongs to another request".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_as_kafka_writes_them() {
        assert_eq!(url_safe("4L6g3nShT+eMCtK//X86sw=="), Some("4L6g3nShT-eMCtK__X86sw".to_owned()));
        assert_eq!(url_safe("AAAAAAAAAAAAAAAAAAAAAA=="), None);
        assert_eq!(url_safe(""), None);
    }

    #[test]
    fn partitions_with_unequal_replicas_are_a_range_and_none_at_all_is_unknown() {
        let mut state = State::default();
        record(&mut state, "moving".into(), [(0, 3), (1, 4), (2, 3)].into_iter());
        record(&mut state, "odd".into(), [(0, 3), (1, 0)].into_iter());
        record(&mut state, "empty".into(), std::iter::empty());
        record(&mut state, "gap".into(), [(0, 3), (2, 3)].into_iter());
        record(&mut state, "twice".into(), [(0, 3), (0, 3)].into_iter());
        let moving = &state.topics["moving"];
        assert_eq!((moving.partitions, moving.replication), (3, Replication { min: 3, max: 4 }));
        assert_eq!(state.unreadable.keys().map(TopicName::as_str).collect::<Vec<_>>(), ["empty", "gap", "odd", "twice"]);
    }

    #[test]
    fn a_broker_stands_where_it_first_says_that_it_does() {
        let mut brokers = [1, 2].map(|id| Broker { id, rack: None });
        locate(&mut brokers, [(1, ""), (-1, "x"), (1, "a"), (3, "c"), (1, "b")].map(|(id, rack)| (id, rack.into())).into_iter());
        assert_eq!(brokers.map(|broker| broker.rack), [Some("a".to_owned()), None]);
    }

    #[test]
    fn a_missing_topic_is_absent_only_if_the_cluster_says_so() {
        let failure = |code| Failure { code, text: "why".to_owned() };
        assert!(matches!(Described::of(&failure(3)), Described::Absent));
        assert!(matches!(Described::of(&failure(17)), Described::Absent));
        assert!(matches!(Described::of(&failure(29)), Described::Unreadable(reason) if reason == "TOPIC_AUTHORIZATION_FAILED (why)"));
        assert!(matches!(Described::of(&failure(9999)), Described::Unreadable(_)));
    }
}
