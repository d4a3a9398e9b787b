//! Names: of topics, of clusters in the workspace, of topic configs; which topic names Kafka takes, and which topics are its own.
//!
//! Must not know where a name was written.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(Arc<str>);

        impl $type {
            /// The name as text, exactly as it was given; nothing is checked.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The name's text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.pad(&self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, out)
            }
        }

        impl Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }
    };
}

name! {
    /// A topic's name on one cluster.
    TopicName
}
name! {
    /// A cluster's name in the workspace (`primary`, `dr`); MirrorMaker's alias for it may differ.
    ClusterName
}
name! {
    /// The name of a topic-level config, such as `retention.ms`.
    ConfigKey
}

/// Why Kafka would not take a topic name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalName {
    /// A character outside `[a-zA-Z0-9._-]`; `index` counts characters from 0.
    #[error("the character {character:?} (position {}) is not one of a-z, A-Z, 0-9, '.', '_' and '-'", index + 1)]
    Character {
        /// The first such character.
        character: char,
        /// Its position, counted in characters from 0.
        index: usize,
    },
    /// Longer than 249 characters.
    #[error("it has {0} characters, and Kafka takes at most 249")]
    TooLong(usize),
    /// The empty name.
    #[error("a topic name cannot be empty")]
    Empty,
    /// `.` or `..`, which would be folders on the broker's disk.
    #[error("'.' and '..' are not names that Kafka takes")]
    Dots,
}

/// Checks a topic name as the broker does (`org.apache.kafka.common.internals.Topic.validate`).
pub fn check(name: &str) -> Result<(), IllegalName> {
    if name.is_empty() {
        return Err(IllegalName::Empty);
    }
    if name == "." || name == ".." {
        return Err(IllegalName::Dots);
    }
    let illegal = |(_, c): &(usize, char)| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    if let Some((index, character)) = name.chars().enumerate().find(illegal) {
        return Err(IllegalName::Character { character, index });
    }
    let length = name.len();
    if length > 249 {
        return Err(IllegalName::TooLong(length));
    }
    Ok(())
}

/// The form under which Kafka compares names for collisions: metric names turn `.` into `_`, so `a.b` and `a_b` cannot both exist
/// (`Topic.unifyCollisionChars`).
pub fn collision_form(name: &str) -> String {
    name.replace('.', "_")
}

/// What an internal topic of Kafka or Kafka Connect is for, or `None` where the name is not one of theirs.
///
/// Other names that start with `__` belong to whoever made them, and may be managed. MirrorMaker's own topics are known to `mirror`, because their names
/// depend on a flow's aliases and separator.
pub fn internal_purpose(name: &str) -> Option<&'static str> {
    match name {
        "__consumer_offsets" => Some("Kafka's consumer group offsets"),
        "__transaction_state" => Some("Kafka's transaction log"),
        "__share_group_state" => Some("Kafka's share group state"),
        "__remote_log_metadata" => Some("Kafka's tiered storage metadata"),
        "__cluster_metadata" => Some("the KRaft metadata log"),
        "connect-configs" | "connect-cluster-configs" | "mirrormaker2-cluster-configs" => Some("Kafka Connect's connector configurations"),
        "connect-offsets" | "connect-cluster-offsets" | "mirrormaker2-cluster-offsets" => Some("Kafka Connect's source offsets"),
        "connect-status" | "connect-cluster-status" | "mirrormaker2-cluster-status" => Some("Kafka Connect's connector status"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_held_to_kafkas_rules() {
        assert_eq!(check("payments.orders_2-x"), Ok(()));
        assert_eq!(check(""), Err(IllegalName::Empty));
        assert_eq!(check(".."), Err(IllegalName::Dots));
        assert_eq!(check("übung"), Err(IllegalName::Character { character: 'ü', index: 0 }));
        assert_eq!(check(&"a".repeat(249)), Ok(()));
        assert_eq!(check(&"a".repeat(250)), Err(IllegalName::TooLong(250)));
    }

    #[test]
    fn dot_and_underscore_collide() {
        assert_eq!(collision_form("a.b_c"), collision_form("a_b.c"));
        assert_ne!(collision_form("a-b"), collision_form("a_b"));
    }
}
