//! The front notices what a program that only plans must not send; without this, that none was noticed would prove nothing.

use crate::pair::PRIMARY;
use crate::server::Front;
use crate::world::world;
use kafka_protocol::messages::metadata_request::MetadataRequestTopic;
use kafka_protocol::messages::{ApiKey, CreateTopicsRequest, MetadataRequest, RequestHeader, TopicName};
use kafka_protocol::protocol::{Encodable, Request, StrBytes};
use std::io::Write;
use std::net::{Shutdown, TcpStream};

/// Sends a request to a front, which ends after it.
fn send<R: Request>(request: &R, version: i16) {
    let front = Front::of(world(PRIMARY));
    let mut bytes = Vec::new();
    let header = RequestHeader::default().with_request_api_key(R::KEY).with_request_api_version(version);
    header.encode(&mut bytes, ApiKey::try_from(R::KEY).unwrap().request_header_version(version)).unwrap();
    request.encode(&mut bytes, version).unwrap();
    let mut stream = TcpStream::connect(front.address()).unwrap();
    stream.write_all(&u32::try_from(bytes.len()).unwrap().to_be_bytes()).unwrap();
    stream.write_all(&bytes).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
}

fn asking(auto: bool) -> MetadataRequest {
    let topic = MetadataRequestTopic::default().with_name(Some(TopicName(StrBytes::from_static_str("refunds"))));
    MetadataRequest::default().with_topics(Some(vec![topic])).with_allow_auto_topic_creation(auto)
}

#[test]
fn asking_without_creating_is_fine() {
    send(&asking(false), 12);
    send(&MetadataRequest::default().with_topics(None).with_allow_auto_topic_creation(true), 12);
}

#[test]
#[should_panic(expected = "may create 1 topics")]
fn asking_for_a_topic_in_the_usual_way_is_noticed() {
    send(&asking(true), 12);
}

#[test]
#[should_panic(expected = "may create 1 topics")]
fn asking_for_a_topic_in_the_old_way_is_noticed() {
    // Before version 4 there is no flag, and brokers create.
    send(&asking(true), 1);
}

#[test]
#[should_panic(expected = "CreateTopics")]
fn a_request_that_writes_is_noticed() {
    send(&CreateTopicsRequest::default(), 5);
}
