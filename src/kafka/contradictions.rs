//! Topic configs that contradict each other: what a broker refuses, and what it takes though one value makes the other pointless.
//!
//! Knows the values in force for one topic, and nothing of who wants them. Brokers judge the same way: `LogConfig.validate` looks at the topic's overrides
//! laid over what the topic inherits, static and dynamic broker values included, and it does so at every change of any key of the topic. So a broker's new
//! default can turn an override that was fine into one that blocks every later change.

mod refused;
mod senseless;

use super::config;
use super::value::items;
use std::collections::BTreeMap;
use std::fmt;

/// The values in force for one topic, as a broker stores them, by key. Keys whose value is not known are left out; nothing is said about them.
pub type Values<'a> = BTreeMap<&'a str, InForce<'a>>;

/// One value in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InForce<'a> {
    /// As the broker stores it.
    pub value: &'a str,
    /// Whether the topic itself sets it; else it is inherited.
    pub is_own: bool,
}

/// What a contradiction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// A broker refuses to create the topic like this, and to change any config of it into this.
    Refused,
    /// A broker takes it.
    Senseless,
}

/// Keys that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The keys, the one to change first.
    pub keys: Vec<&'static str>,
    /// One sentence with the values in force.
    pub why: String,
    /// What it does.
    pub effect: Effect,
}

/// What contradicts what, refusals first. Where the topic itself sets none of the keys it is not the topic's contradiction, and not told.
pub fn contradictions(values: &Values<'_>) -> Vec<Contradiction> {
    let topic = Topic(values);
    let mut found = refused::refused(&topic);
    found.extend(senseless::senseless(&topic));
    found.retain(|contradiction| contradiction.keys.iter().any(|key| topic.is_own(key)));
    found
}

/// That tiered storage is turned off and the remote data is not given up: brokers refuse the change from `before` to `after`.
pub fn turned_off(before: &Values<'_>, after: &Values<'_>) -> Option<Contradiction> {
    refused::turned_off(&Topic(before), &Topic(after))
}

/// Reads values by their type.
struct Topic<'a>(&'a Values<'a>);

impl<'a> Topic<'a> {
    fn text(&self, key: &str) -> Option<&'a str> {
        self.0.get(key).map(|in_force| in_force.value.trim())
    }

    fn number(&self, key: &'static str) -> Option<Number> {
        self.text(key)?.parse().ok().map(|number| Number { key, number })
    }

    fn is_true(&self, key: &str) -> bool {
        self.text(key).is_some_and(|text| text.eq_ignore_ascii_case("true"))
    }

    fn is_own(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|in_force| in_force.is_own)
    }

    /// What cleans the topic up; `None` where its policy is not known.
    fn policy(&self) -> Option<Policy> {
        let text = self.text("cleanup.policy")?;
        Some(Policy { deletes: items(text).any(|item| item == "delete"), compacts: items(text).any(|item| item == "compact") })
    }
}

#[derive(Clone, Copy)]
struct Policy {
    deletes: bool,
    compacts: bool,
}

impl fmt::Display for Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match (self.deletes, self.compacts) {
            (true, true) => "compact,delete",
            (true, false) => "delete",
            (false, true) => "compact",
            (false, false) => "empty",
        })
    }
}

/// A key and its number, shown as `retention.ms 604800000 (7d)`.
#[derive(Clone, Copy)]
struct Number {
    key: &'static str,
    number: i64,
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = self.number.to_string();
        let human = config::kind(self.key).human(&raw);
        write!(out, "{} {raw}", self.key)?;
        if human == raw { Ok(()) } else { write!(out, " ({human})") }
    }
}

#[cfg(test)]
mod tests;
