//! The state of a cluster behind a front: the same description that a `simulated:` file holds.

use isotopic::kafka::name::TopicName;
use isotopic::wire::snapshot::{Name, Snapshot, Topic};

/// Reads a description.
pub(crate) fn world(json: &str) -> Snapshot {
    Snapshot::parse(json).unwrap()
}

/// Puts a topic there, described as in the file, in place of the one that has its name.
pub(crate) fn put(world: &mut Snapshot, name: &str, topic: &str) {
    let topic: Topic = serde_json::from_str(topic).unwrap();
    world.topics.0.insert(Name(TopicName::from(name)), topic);
}

/// Deletes a topic, which must be there.
pub(crate) fn delete(world: &mut Snapshot, name: &str) {
    assert!(world.topics.0.remove(&Name(TopicName::from(name))).is_some(), "there is no {name}");
}

/// The bytes of a topic's id, of Kafka's form: 22 characters of URL-safe base64 without padding.
pub(crate) fn bytes(id: &str) -> [u8; 16] {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    assert_eq!(id.len(), 22, "{id} is no topic id");
    let digit = |c: u8| u128::try_from(ALPHABET.iter().position(|known| *known == c).unwrap()).unwrap();
    let (last, most) = id.as_bytes().split_last().unwrap();
    let number = most.iter().fold(0, |number, c| (number << 6) | digit(*c));
    // 22 characters hold 132 bits; the last four are nothing.
    ((number << 2) | (digit(*last) >> 4)).to_be_bytes()
}

#[test]
fn ids_are_read_as_kafka_writes_them() {
    assert_eq!(bytes("AAAAAAAAAAAAAAAAAAAAAA"), [0; 16]);
    assert_eq!(bytes("AAAAAAAAAAAAAAAAAAAAAQ"), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(bytes("_____________________w"), [255; 16]);
}
