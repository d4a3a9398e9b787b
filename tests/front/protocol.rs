//! Requests as librdkafka sends them, and how a cluster in this state answers.
//!
//! librdkafka asks three things only: ApiVersions; Metadata, without topics for `DescribeCluster`, with names for `DescribeTopics`, with none at all for the
//! list of all topics; DescribeConfigs. A request of another kind, or one that may create a topic, is refused: a program that only plans never sends it.

use crate::world;
use isotopic::kafka::name::TopicName;
use isotopic::kafka::origin::Origin;
use isotopic::live::Replication;
use isotopic::wire::snapshot::{Name, Snapshot, Topic, Unreadable};
use kafka_protocol::messages::api_versions_response::ApiVersion;
use kafka_protocol::messages::describe_configs_response::{DescribeConfigsResourceResult, DescribeConfigsResult, DescribeConfigsSynonym};
use kafka_protocol::messages::metadata_response::{MetadataResponseBroker, MetadataResponsePartition, MetadataResponseTopic};
use kafka_protocol::messages::{
    ApiKey, ApiVersionsResponse, BrokerId, DescribeConfigsRequest, DescribeConfigsResponse, MetadataRequest, MetadataResponse, RequestHeader, ResponseHeader,
    TopicName as WireName,
};
use kafka_protocol::protocol::{Decodable, Encodable, StrBytes, decode_request_header_from_buffer};
use std::net::SocketAddr;

/// Error codes of the protocol.
pub(crate) const UNKNOWN_TOPIC_OR_PARTITION: i16 = 3;
pub(crate) const INVALID_TOPIC: i16 = 17;
pub(crate) const TOPIC_AUTHORIZATION_FAILED: i16 = 29;

/// Kinds of requests that a broker offers. Those that write are among them, so that a client that wants to write does try.
const OFFERED: [ApiKey; 9] = [
    ApiKey::ApiVersions,
    ApiKey::Metadata,
    ApiKey::DescribeConfigs,
    ApiKey::CreateTopics,
    ApiKey::DeleteTopics,
    ApiKey::CreatePartitions,
    ApiKey::AlterConfigs,
    ApiKey::IncrementalAlterConfigs,
    ApiKey::Produce,
];

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Which requests the broker knows. The first on every connection.
    Versions,
    /// Who the cluster is: Metadata without topics. librdkafka sends it on its own, too.
    Brokers,
    /// Metadata of all topics.
    AllTopics,
    /// Metadata of topics by name.
    NamedTopics,
    /// DescribeConfigs.
    Configs,
}

/// A request, with what its answer needs of it.
pub(crate) struct Request {
    version: i16,
    correlation_id: i32,
    body: Body,
}

enum Body {
    Versions,
    Metadata(MetadataRequest),
    Configs(DescribeConfigsRequest),
}

/// An answer that was not sent yet, so that a script can change it.
pub(crate) enum Answer {
    Versions(ApiVersionsResponse),
    Metadata(MetadataResponse),
    Configs(DescribeConfigsResponse),
}

impl Request {
    /// Reads a request. The error says what a program that only plans has no business to send.
    pub(crate) fn read(mut frame: &[u8]) -> Result<Self, String> {
        let header: RequestHeader = decode_request_header_from_buffer(&mut frame).map_err(|why| why.to_string())?;
        let version = header.request_api_version;
        let key = ApiKey::try_from(header.request_api_key).map_err(|()| format!("a request of kind {}", header.request_api_key))?;
        let body = if key == ApiKey::ApiVersions {
            Body::Versions
        } else if key == ApiKey::Metadata {
            let request = MetadataRequest::decode(&mut frame, version).map_err(|why| why.to_string())?;
            let named = request.topics.as_ref().map_or(0, Vec::len);
            // Before version 4 a broker always takes it for allowed.
            if named > 0 && (request.allow_auto_topic_creation || version < 4) {
                return Err(format!("a Metadata request that may create {named} topics"));
            }
            Body::Metadata(request)
        } else if key == ApiKey::DescribeConfigs {
            Body::Configs(DescribeConfigsRequest::decode(&mut frame, version).map_err(|why| why.to_string())?)
        } else {
            return Err(format!("a request of kind {key:?}"));
        };
        Ok(Self { version, correlation_id: header.correlation_id, body })
    }

    pub(crate) fn kind(&self) -> Kind {
        match &self.body {
            Body::Versions => Kind::Versions,
            Body::Metadata(request) => match request.topics.as_deref() {
                None => Kind::AllTopics,
                Some([]) => Kind::Brokers,
                Some([_, ..]) => Kind::NamedTopics,
            },
            Body::Configs(_) => Kind::Configs,
        }
    }

    /// What a cluster in this state, with all of its brokers at this address, answers.
    pub(crate) fn answer(&self, world: &Snapshot, address: SocketAddr) -> Answer {
        match &self.body {
            Body::Versions => {
                let offered = OFFERED.iter().map(|key| {
                    let range = key.valid_versions();
                    ApiVersion::default().with_api_key(*key as i16).with_min_version(range.min).with_max_version(range.max)
                });
                Answer::Versions(ApiVersionsResponse::default().with_api_keys(offered.collect()))
            }
            Body::Metadata(request) => Answer::Metadata(metadata(request, world, address)),
            Body::Configs(request) => {
                let results = request.resources.iter().map(|resource| configs(&resource.resource_name, world)).collect();
                Answer::Configs(DescribeConfigsResponse::default().with_results(results))
            }
        }
    }

    /// The answer's bytes, without the length in front of them.
    pub(crate) fn encode(&self, answer: &Answer) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (key, version) = match answer {
            Answer::Versions(_) => (ApiKey::ApiVersions, self.version),
            Answer::Metadata(_) => (ApiKey::Metadata, self.version),
            Answer::Configs(_) => (ApiKey::DescribeConfigs, self.version),
        };
        let header = ResponseHeader::default().with_correlation_id(self.correlation_id);
        header.encode(&mut bytes, key.response_header_version(version)).unwrap();
        match answer {
            Answer::Versions(response) => response.encode(&mut bytes, version).unwrap(),
            Answer::Metadata(response) => response.encode(&mut bytes, version).unwrap(),
            Answer::Configs(response) => response.encode(&mut bytes, version).unwrap(),
        }
        bytes
    }
}

fn metadata(request: &MetadataRequest, world: &Snapshot, address: SocketAddr) -> MetadataResponse {
    let host = StrBytes::from_string(address.ip().to_string());
    let brokers = world.brokers.0.iter().map(|broker| {
        let rack = broker.rack.clone().map(StrBytes::from_string);
        MetadataResponseBroker::default().with_node_id(id(broker.id)).with_host(host.clone()).with_port(address.port().into()).with_rack(rack)
    });
    let is_listed = |name: &Name| !matches!(world.unreadable.0.get(name), Some(Unreadable::Topic(_)));
    let topics = match &request.topics {
        None => world.topics.0.iter().filter(|(name, _)| is_listed(name)).map(|(name, topic)| described(name.0.as_str(), topic, world)).collect(),
        Some(asked) => asked
            .iter()
            .map(|asked| {
                let asked = asked.name.as_ref().unwrap().0.as_str();
                let name = Name(TopicName::from(asked));
                match world.topics.0.get(&name) {
                    _ if isotopic::kafka::name::check(asked).is_err() => failed(asked, INVALID_TOPIC),
                    _ if !is_listed(&name) => failed(asked, TOPIC_AUTHORIZATION_FAILED),
                    Some(topic) => described(asked, topic, world),
                    None => failed(asked, UNKNOWN_TOPIC_OR_PARTITION),
                }
            })
            .collect(),
    };
    MetadataResponse::default()
        .with_brokers(brokers.collect())
        .with_cluster_id(world.cluster_id.clone().map(StrBytes::from_string))
        .with_controller_id(world.brokers.0.first().map_or(BrokerId(-1), |broker| id(broker.id)))
        .with_topics(topics)
}

fn id(broker: u32) -> BrokerId {
    BrokerId(i32::try_from(broker).unwrap())
}

/// A topic that is not described, for this reason.
pub(crate) fn failed(name: &str, code: i16) -> MetadataResponseTopic {
    MetadataResponseTopic::default().with_error_code(code).with_name(Some(WireName(StrBytes::from_string(name.to_owned()))))
}

fn described(name: &str, topic: &Topic, world: &Snapshot) -> MetadataResponseTopic {
    let factor = Replication::from(topic.replication_factor);
    let brokers: Vec<_> = world.brokers.0.iter().map(|broker| id(broker.id)).collect();
    let partitions = (0..topic.partitions.0).map(|index| {
        // Where the factors differ, it is the first partition that has more.
        let replicas: Vec<_> = brokers.iter().copied().cycle().take(if index == 0 { factor.max } else { factor.min } as usize).collect();
        MetadataResponsePartition::default()
            .with_partition_index(i32::try_from(index).unwrap())
            .with_leader_id(replicas[0])
            .with_isr_nodes(replicas.clone())
            .with_replica_nodes(replicas)
    });
    let id = topic.id.as_deref().map_or([0; 16], world::bytes);
    failed(name, 0).with_partitions(partitions.collect()).with_topic_id(id.to_vec().try_into().unwrap())
}

fn configs(name: &StrBytes, world: &Snapshot) -> DescribeConfigsResult {
    let result = DescribeConfigsResult::default().with_resource_type(2).with_resource_name(name.clone());
    let held = Name(TopicName::from(name.as_str()));
    let failed = |code: i16| result.clone().with_error_code(code).with_error_message(None);
    match (world.unreadable.0.get(&held), world.topics.0.get(&held)) {
        (Some(_), _) => failed(TOPIC_AUTHORIZATION_FAILED),
        (None, None) => failed(UNKNOWN_TOPIC_OR_PARTITION),
        (None, Some(topic)) => result.with_error_message(None).with_configs(entries(topic, world)),
    }
}

/// All configs of a topic as Kafka tells them: its own ones with what stands behind them, and what it inherits.
fn entries(topic: &Topic, world: &Snapshot) -> Vec<DescribeConfigsResourceResult> {
    let text = |value: &str| StrBytes::from_string(value.to_owned());
    let synonym =
        |key: &str, value: Option<&str>, origin| DescribeConfigsSynonym::default().with_name(text(key)).with_value(value.map(text)).with_source(source(origin));
    let entry = |synonyms: Vec<DescribeConfigsSynonym>, key: &str| {
        let first = &synonyms[0];
        DescribeConfigsResourceResult::default()
            .with_name(text(key))
            .with_is_sensitive(first.value.is_none())
            .with_value(first.value.clone())
            .with_config_source(first.source)
            .with_synonyms(synonyms)
    };
    let overrides = topic.overrides.0.iter().map(|(key, value)| {
        let own = synonym(key.0.as_str(), Some(value), Origin::Topic);
        let behind = world.defaults.0.get(key).map(|held| synonym(key.0.as_str(), held.value.as_deref(), held.origin.0));
        entry([own].into_iter().chain(behind).collect(), key.0.as_str())
    });
    let inherited = world.defaults.0.iter().filter(|(key, _)| !topic.overrides.0.contains_key(key));
    let inherited = inherited.map(|(key, held)| entry(vec![synonym(key.0.as_str(), held.value.as_deref(), held.origin.0)], key.0.as_str()));
    overrides.chain(inherited).collect()
}

/// The number of an origin in DescribeConfigs' answers.
fn source(origin: Origin) -> i8 {
    match origin {
        Origin::Unknown => 0,
        Origin::Topic => 1,
        Origin::DynamicBroker => 2,
        Origin::DynamicDefault => 3,
        Origin::Static => 4,
        Origin::Default => 5,
    }
}
