//! Identities of steps and of plans: equal exactly when the same thing would be done to the same topics in the same state.

use crate::live::Cluster;
use crate::plan::{Step, Value};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The id of a step: the first sixteen hex digits of the SHA-256 of its canonical JSON, an array of cluster id (its name where it tells none), topic, topic id,
/// action, and the fields as `[attribute, before, after]` in the order of attributes.
pub fn of_step(step: &Step, cluster: Option<&Cluster>) -> String {
    let value = |value: &Option<Value>| match value {
        None => Json::Null,
        Some(Value::Count(count)) => json!(count),
        Some(Value::Text(text)) => json!(text),
    };
    let cluster_id = cluster.and_then(|cluster| cluster.id.as_deref()).unwrap_or(step.cluster.as_str());
    let fields: Vec<_> = step.fields.iter().map(|field| json!([field.attribute.to_string(), value(&field.before.own), value(&field.after)])).collect();
    let canonical = json!([cluster_id, step.topic.as_str(), step.topic_id, step.action.as_str(), fields]).to_string();
    let mut id = hex(canonical.as_bytes());
    id.truncate(16);
    id
}

/// The fingerprint of a plan: `sha256:` and the hash of the sorted ids of its steps, joined by newlines. A plan without steps has one too.
pub fn of_steps<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let sorted: BTreeSet<_> = ids.collect();
    let joined = sorted.into_iter().collect::<Vec<_>>().join("\n");
    format!("sha256:{}", hex(joined.as_bytes()))
}

/// The SHA-256 of bytes in lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_plan_has_the_hash_of_nothing() {
        // SHA-256 of the empty string, as published in FIPS 180-4 examples.
        assert_eq!(of_steps([].into_iter()), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn the_order_of_steps_does_not_matter() {
        assert_eq!(of_steps(["b", "a"].into_iter()), of_steps(["a", "b"].into_iter()));
        assert_ne!(of_steps(["a"].into_iter()), of_steps(["a", "b"].into_iter()));
    }
}
