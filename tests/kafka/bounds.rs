//! The catalogue's limits, words and contradictions against real brokers of two versions.
//!
//! All questions about values are one request of CreateTopics that only validates, a topic for each; only what a change alone shows needs a topic that is
//! there. Tiered storage is on for the controller alone: it is the controller that judges, and a broker would want a plugin that stores.

use crate::brokers::free_ports;
use crate::contradicting::{INHERITED, Own, REFUSED, SENSELESS};
use crate::node::Node;
use crate::tools::{CONFIGS, attempt, client, wait_for};
use isotopic::kafka::config::{Limits, TOPIC_CONFIGS, TopicConfig, check_in};
use isotopic::kafka::contradictions::{Effect, InForce, Values, contradictions};
use isotopic::kafka::version::{Version, Versions};
use rdkafka::admin::{AdminOptions, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::types::RDKafkaErrorCode;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

#[test]
fn kafka_4_3_takes_and_refuses_what_the_catalogue_says() {
    hold("4.3.1");
}

#[test]
fn kafka_3_9_takes_and_refuses_what_the_catalogue_says() {
    hold("3.9.1");
}

/// One question to a broker: may a topic have these configs?
struct Question {
    own: Vec<(&'static str, String)>,
    /// What the catalogue answers.
    is_taken: bool,
}

/// One version at a time: each is two processes, beside the brokers of the other tests.
static TURN: Mutex<()> = Mutex::new(());

fn hold(kafka: &'static str) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let version = Version::read(kafka).unwrap();
    let cluster = Cluster::start(kafka);
    assert_eq!(cluster.reported(), catalogue_of(version), "{kafka}");

    let mut questions: Vec<Question> = TOPIC_CONFIGS.iter().flat_map(|key| about(key, version)).collect();
    questions.extend(REFUSED.iter().map(|own| listed(own, false)));
    questions.extend(SENSELESS.iter().map(|own| listed(own, true)));
    questions.extend(combined());
    assert!(questions.iter().filter(|question| question.is_taken).count() > 100 && questions.iter().filter(|question| !question.is_taken).count() > 100);

    let mut wrong = String::new();
    for (question, answer) in questions.iter().zip(cluster.ask(&questions)) {
        match answer {
            None if question.is_taken => {}
            Some(RDKafkaErrorCode::InvalidConfig) if !question.is_taken => {}
            None => writeln!(wrong, "takes {:?}", question.own).unwrap(),
            Some(code) => writeln!(wrong, "refuses {:?}: {code:?}", question.own).unwrap(),
        }
    }
    assert_eq!(wrong, "", "Kafka {kafka} is unlike the catalogue");
    cluster.turns_tiered_storage_off_only_with_its_data();
}

fn catalogue_of(version: Version) -> Vec<&'static str> {
    TOPIC_CONFIGS.iter().filter(|key| key.versions.meet(Versions::only(version))).map(|key| key.name).collect()
}

fn listed(own: Own, is_taken: bool) -> Question {
    Question { own: own.iter().map(|(key, value)| (*key, (*value).to_owned())).collect(), is_taken }
}

/// The ends of a range and what lies just beyond them; every word, and words that are none.
fn about(key: &'static TopicConfig, version: Version) -> Vec<Question> {
    let versions = Versions::only(version);
    let question = |value: String, is_taken: bool| {
        assert!(!key.versions.meet(versions) || check_in(key.name, &value, versions).is_ok() == is_taken, "{}={value}", key.name);
        Question { own: vec![(key.name, value)], is_taken: is_taken && key.versions.meet(versions) }
    };
    let texts = |taken: &[&str], refused: &[&str]| {
        let taken = taken.iter().map(|text| ((*text).to_owned(), true));
        taken.chain(refused.iter().map(|text| ((*text).to_owned(), false))).collect::<Vec<_>>()
    };
    let values = match key.limits(versions) {
        Limits::Any => texts(&["2.8"], &[]),
        Limits::Boolean => texts(&["true", "false", "TRUE"], &["yes", "1", ""]),
        Limits::Share => texts(&["0", "1", "0.50", "5e-1"], &["-0.01", "1.01", "half", ""]),
        Limits::Replicas => texts(&["", "*", "0:1", "0:1, 1:2"], &["0", "0:1:2", "-1:1", "*,0:1", "none"]),
        Limits::Whole { min, max, also } => {
            let (min, max) = (i128::from(*min), i128::from(*max));
            let mut values = vec![(min, true), (max, true), (min - 1, false), (max + 1, false)];
            if let Some(also) = also.map(i128::from) {
                values.extend([(also, true), (also - 1, false), (also + 1, false)]);
            }
            values.into_iter().map(|(number, is_taken)| (number.to_string(), is_taken)).chain(texts(&[], &["", "0x10", "1e3", "many"])).collect()
        }
        Limits::Word(words) => [texts(words, &[""]), other_words(words), joined(words, false)].concat(),
        Limits::Words(words) => [texts(words, &[]), texts(&[""], &[]), other_words(words), joined(words, true)].concat(),
    };
    values.into_iter().map(|(value, is_taken)| question(value, is_taken)).collect()
}

/// The right words in the wrong case, and words of other keys and clients: were one of them right, the catalogue would lack it.
fn other_words(words: &[&str]) -> Vec<(String, bool)> {
    let others = ["none", "uncompressed", "producer", "gzip", "snappy", "lz4", "zstd", "CreateTime", "LogAppendTime", "NoTimestampType", "compact", "delete"];
    let others = others.into_iter().filter(|other| !words.contains(other)).map(str::to_owned);
    others.chain(words.iter().map(|word| word.to_uppercase())).map(|word| (word, false)).collect()
}

fn joined(words: &[&str], is_taken: bool) -> Vec<(String, bool)> {
    vec![(words.join(","), is_taken)]
}

/// Every combination of telling values: the broker refuses where the model says that it does, and nowhere else.
fn combined() -> Vec<Question> {
    let switches = [("remote.storage.enable", &["true"][..]), ("remote.log.copy.disable", &["true"])];
    let times = [("local.retention.ms", &["-2", "-1", "0", "5", "6"][..]), ("retention.ms", &["-1", "0", "5"])];
    let sizes = [("local.retention.bytes", &["-2", "-1", "0", "5", "6"][..]), ("retention.bytes", &["-7", "-1", "0", "5"])];
    let policies = [("cleanup.policy", &["", "delete", "compact", "compact,delete"][..])];
    let lags = [("min.compaction.lag.ms", &["0", "1", "5", "9223372036854775807"][..]), ("max.compaction.lag.ms", &["1", "5", "9223372036854775807"])];
    let grids = [[&switches[..], &times].concat(), [&switches[..], &sizes].concat(), [&switches[..], &policies].concat(), lags.to_vec()];
    grids.iter().flat_map(|keys| product(keys)).map(|own| Question { is_taken: !is_refused(&own), own }).collect()
}

/// All ways to give each key one of its values, or none.
fn product(keys: &[(&'static str, &[&str])]) -> Vec<Vec<(&'static str, String)>> {
    let Some(((key, values), rest)) = keys.split_first() else { return vec![Vec::new()] };
    let without = product(rest);
    let with = values.iter().flat_map(|value| without.iter().map(move |own| [own.clone(), vec![(*key, (*value).to_owned())]].concat()));
    without.iter().cloned().chain(with).collect()
}

fn is_refused(own: &[(&'static str, String)]) -> bool {
    let mut values: Values<'_> = INHERITED.iter().map(|(key, value)| (*key, InForce { value, is_own: false })).collect();
    values.insert("retention.bytes", InForce { value: RETENTION_BYTES, is_own: false });
    values.extend(own.iter().map(|(key, value)| (*key, InForce { value, is_own: true })));
    contradictions(&values).iter().any(|found| found.effect == Effect::Refused)
}

/// What topics inherit from `server.properties`: brokers hold their own values against the topics'.
const RETENTION_BYTES: &str = "3";

/// A controller with tiered storage and a broker without.
struct Cluster {
    bootstrap: String,
    kafka: &'static str,
    _nodes: [Node; 2],
}

impl Cluster {
    fn start(kafka: &'static str) -> Self {
        let ports = free_ports(2);
        let (plain, controller) = (ports[0], ports[1]);
        let common = format!(
            "controller.quorum.voters=1@127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.index.size.max.bytes=65536
log.retention.bytes={RETENTION_BYTES}"
        );
        let judge = format!("{common}\nprocess.roles=controller\nnode.id=1\nlisteners=CONTROLLER://127.0.0.1:{controller}\n{TIERED}");
        let front = format!("{common}\nprocess.roles=broker\nnode.id=2\nlisteners=PLAINTEXT://127.0.0.1:{plain}");
        let nodes = [judge, front].map(|settings| Node::start(kafka, "AAAAAAAAAAAAAAAAAAAAAw", &settings));
        nodes.iter().for_each(Node::wait);
        Self { bootstrap: format!("127.0.0.1:{plain}"), kafka, _nodes: nodes }
    }

    /// The keys of a topic that the broker reports.
    fn reported(&self) -> Vec<String> {
        let admin = client(&self.bootstrap);
        let topic = NewTopic::new("reported", 1, TopicReplication::Fixed(1));
        wait_for(admin.create_topics([&topic], &AdminOptions::new())).unwrap()[0].as_ref().unwrap();
        // The broker learns of a topic a moment after the controller said that it is there.
        let described = std::iter::repeat_with(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            wait_for(admin.describe_configs([&ResourceSpecifier::Topic("reported")], &AdminOptions::new())).unwrap().remove(0)
        });
        let resource = described.take(100).find_map(|described| described.ok().filter(|resource| !resource.entries.is_empty())).unwrap();
        let mut names: Vec<_> = resource.entries.into_iter().map(|entry| entry.name).collect();
        names.sort();
        names
    }

    /// The broker's answers, in the questions' order: `None` where it would create the topic.
    fn ask(&self, questions: &[Question]) -> Vec<Option<RDKafkaErrorCode>> {
        let names: Vec<_> = (0..questions.len()).map(|at| format!("question-{at:04}")).collect();
        let topics: Vec<_> = names
            .iter()
            .zip(questions)
            .map(|(name, question)| {
                let topic = NewTopic::new(name, 1, TopicReplication::Fixed(1));
                question.own.iter().fold(topic, |topic, (key, value)| topic.set(key, value))
            })
            .collect();
        let results = wait_for(client(&self.bootstrap).create_topics(&topics, &AdminOptions::new().validate_only(true))).unwrap();
        let mut results: Vec<_> = results
            .into_iter()
            .map(|result| match result {
                Ok(name) => (name, None),
                Err((name, code)) => (name, Some(code)),
            })
            .collect();
        results.sort_by(|(a, _), (b, _)| a.cmp(b));
        assert!(results.iter().map(|(name, _)| name).eq(&names), "every question has its answer");
        results.into_iter().map(|(_, answer)| answer).collect()
    }

    /// What only a change shows.
    fn turns_tiered_storage_off_only_with_its_data(&self) {
        let topic = NewTopic::new("tiered", 1, TopicReplication::Fixed(1)).set("remote.storage.enable", "true");
        wait_for(client(&self.bootstrap).create_topics([&topic], &AdminOptions::new())).unwrap()[0].as_ref().unwrap();
        let alter = |configs: &str| {
            let arguments = format!("--alter --entity-type topics --entity-name tiered --add-config {configs}");
            attempt(self.kafka, CONFIGS, &self.bootstrap, &arguments)
        };
        let (is_done, printed) = alter("remote.storage.enable=false");
        assert!(!is_done && printed.contains("InvalidConfigurationException"), "{printed}");
        let (is_done, printed) = alter("remote.storage.enable=false,remote.log.delete.on.disable=true");
        assert!(is_done, "{printed}");
    }
}

const TIERED: &str = "remote.log.storage.system.enable=true
remote.log.storage.manager.class.name=OfTheBrokersOnly
remote.log.metadata.manager.listener.name=CONTROLLER
";
