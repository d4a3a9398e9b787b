//! What a DescribeConfigs reply says of topics: their overrides, and what the cluster has in force without them.
//!
//! Pure: works on entries as the broker reported them. The origin of a value is what counts, never whether it equals some default.

use super::ffi::{Configs, Entry, code};
use crate::kafka::config::is_count;
use crate::kafka::name::{ConfigKey, TopicName};
use crate::kafka::origin::Origin;
use crate::live;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A config as a broker reported it.
struct Reported<'a> {
    name: Cow<'a, str>,
    value: Option<Cow<'a, str>>,
    origin: Origin,
    /// For an override: what would hold without it, where the broker tells. Name, value, origin.
    next: Option<(Cow<'a, str>, Option<Cow<'a, str>>, Origin)>,
}

/// How well the value that a topic inherits is known, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// A topic without an override had it.
    InForce,
    /// It stood behind an override.
    BehindOverride,
    /// Only the key is known: every topic that was looked at overrides it.
    KeyOnly,
}

/// What topics inherit, gathered over many topics.
#[derive(Debug, Default)]
pub(super) struct Defaults(BTreeMap<ConfigKey, (Known, live::Inherited)>);

/// What became of one topic of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Read, or not, with the reason.
    Told(live::Configs),
    /// The topic has gone since it was listed.
    Gone,
}

/// The origin behind a number of `DescribeConfigsResponse.ConfigSource`.
fn origin(source: i32) -> Origin {
    match source {
        1 => Origin::Topic,
        2 => Origin::DynamicBroker,
        3 => Origin::DynamicDefault,
        4 => Origin::Static,
        5 => Origin::Default,
        _ => Origin::Unknown,
    }
}

impl<'a> Reported<'a> {
    fn of(entry: Entry<'a>) -> Self {
        let value = |entry: Entry<'a>| if entry.is_sensitive() { None } else { entry.value() };
        let origin_of = |entry: Entry<'a>| origin(entry.source());
        let this = origin_of(entry);
        let next = match this {
            Origin::Topic => entry.synonyms().map(|next| (next.name(), value(next), origin_of(next))).find(|(_, _, origin)| *origin != Origin::Topic),
            Origin::DynamicBroker | Origin::DynamicDefault | Origin::Static | Origin::Default | Origin::Unknown => None,
        };
        Self { name: entry.name(), value: value(entry), origin: this, next }
    }
}

impl Defaults {
    fn note(&mut self, key: &str, known: Known, value: Option<&str>, origin: Origin) {
        let inherited = || (known, live::Inherited { value: value.map(str::to_owned), origin });
        match self.0.get_mut(key) {
            Some(held) if held.0 > known => *held = inherited(),
            Some(_) => {}
            None => {
                self.0.insert(ConfigKey::from(key), inherited());
            }
        }
    }

    /// Takes in what later topics told. What earlier ones told holds, unless the later ones know better.
    pub(super) fn merge(&mut self, later: Self) {
        for (key, (known, inherited)) in later.0 {
            match self.0.get_mut(&key) {
                Some(held) if held.0 > known => *held = (known, inherited),
                Some(_) => {}
                None => {
                    self.0.insert(key, (known, inherited));
                }
            }
        }
    }

    /// What topics inherit. Empty where the cluster reports overrides only, as some compatible brokers do: then nothing can be said about any key.
    pub(super) fn inherited(self) -> BTreeMap<ConfigKey, live::Inherited> {
        if !self.0.values().any(|(known, _)| *known == Known::InForce) {
            return BTreeMap::new();
        }
        self.0.into_iter().map(|(key, (_, inherited))| (key, inherited)).collect()
    }

    /// The configs of one topic; what it inherits is noted.
    fn topic<'a>(&mut self, entries: impl Iterator<Item = Reported<'a>>) -> live::Configs {
        let mut overrides = BTreeMap::new();
        let (mut any, mut secret) = (false, None);
        for entry in entries {
            any = true;
            match entry.origin {
                Origin::Topic => {
                    match entry.next {
                        // A coarse broker setting is in other units than the topic's key: another topic must tell.
                        Some((name, value, origin)) if !name.ends_with(".hours") && !name.ends_with(".minutes") => {
                            self.note(&entry.name, Known::BehindOverride, value.as_deref(), origin);
                        }
                        Some(_) | None => self.note(&entry.name, Known::KeyOnly, None, Origin::Unknown),
                    }
                    let key = self.0.get_key_value(entry.name.as_ref()).map_or_else(|| ConfigKey::from(entry.name.as_ref()), |(key, _)| key.clone());
                    match entry.value {
                        Some(value) => drop(overrides.insert(key, value.into_owned())),
                        None => secret = Some(key),
                    }
                }
                origin @ (Origin::DynamicBroker | Origin::DynamicDefault | Origin::Static | Origin::Default | Origin::Unknown) => {
                    self.note(&entry.name, Known::InForce, entry.value.as_deref(), origin);
                }
            }
        }
        match secret {
            Some(key) => live::Configs::Unknown(format!("the cluster does not tell the value of its override {key}")),
            // librdkafka gives topics that one may not look at as topics without configs; a topic that can be read has some.
            None if !any => live::Configs::Unknown("the cluster told none of its configs; DescribeConfigs on it may not be allowed".to_owned()),
            None => live::Configs::Known(overrides),
        }
    }
}

/// Takes a reply apart: what became of each topic in it, and what topics inherit.
pub(super) fn decode(reply: &Configs<'_>) -> (BTreeMap<TopicName, Outcome>, Defaults) {
    let mut defaults = Defaults::default();
    let mut topics = BTreeMap::new();
    for resource in reply.each() {
        let outcome = match resource.failure() {
            None => Outcome::Told(defaults.topic(resource.entries().map(Reported::of).filter(|entry| !is_count(&entry.name)))),
            Some(failure) if failure.code == code::UNKNOWN_TOPIC_OR_PARTITION => Outcome::Gone,
            Some(failure) => Outcome::Told(live::Configs::Unknown(format!("DescribeConfigs answered {} ({})", failure.name(), failure.text))),
        };
        topics.insert(TopicName::from(resource.name().as_ref()), outcome);
    }
    (topics, defaults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &'static str, value: &'static str, origin: Origin) -> Reported<'static> {
        Reported { name: name.into(), value: Some(value.into()), origin, next: None }
    }

    fn inherited(defaults: Defaults) -> BTreeMap<String, (Option<String>, Origin)> {
        defaults.inherited().into_iter().map(|(key, inherited)| (key.to_string(), (inherited.value, inherited.origin))).collect()
    }

    #[test]
    fn only_a_topics_own_value_is_an_override() {
        let mut defaults = Defaults::default();
        let configs = defaults.topic(
            [
                entry("retention.ms", "1000", Origin::Topic),
                entry("min.insync.replicas", "1", Origin::DynamicDefault),
                entry("segment.bytes", "7", Origin::Static),
                entry("flush.ms", "8", Origin::DynamicBroker),
            ]
            .into_iter(),
        );
        assert_eq!(configs, live::Configs::Known(BTreeMap::from([(ConfigKey::from("retention.ms"), "1000".to_owned())])));
        let inherited = inherited(defaults);
        assert_eq!(inherited["min.insync.replicas"], (Some("1".to_owned()), Origin::DynamicDefault));
        assert_eq!(inherited["retention.ms"], (None, Origin::Unknown));
    }

    #[test]
    fn a_topic_without_the_override_tells_better_than_what_stands_behind_it() {
        let behind = |name: &'static str, value: &'static str| Reported {
            next: Some((name.into(), Some(value.into()), Origin::Static)),
            ..entry("retention.ms", "5", Origin::Topic)
        };
        let mut defaults = Defaults::default();
        defaults.topic([behind("log.retention.ms", "6")].into_iter());
        defaults.topic([entry("cleanup.policy", "delete", Origin::Default)].into_iter());
        let mut later = Defaults::default();
        assert_eq!(inherited_of(&defaults), (Some("6".to_owned()), Origin::Static));
        later.topic([entry("retention.ms", "360000000", Origin::Default)].into_iter());
        defaults.merge(later);
        assert_eq!(inherited_of(&defaults), (Some("360000000".to_owned()), Origin::Default));

        let mut coarse = Defaults::default();
        coarse.topic([behind("log.retention.hours", "168")].into_iter());
        assert_eq!(inherited_of(&coarse), (None, Origin::Unknown));
    }

    fn inherited_of(defaults: &Defaults) -> (Option<String>, Origin) {
        let (_, inherited) = &defaults.0["retention.ms"];
        (inherited.value.clone(), inherited.origin)
    }

    #[test]
    fn a_cluster_that_reports_overrides_only_says_nothing_about_defaults() {
        let mut defaults = Defaults::default();
        defaults.topic([entry("retention.ms", "5", Origin::Topic)].into_iter());
        assert!(defaults.inherited().is_empty());
    }

    #[test]
    fn a_topic_with_no_configs_at_all_is_unknown_and_not_empty() {
        assert!(matches!(Defaults::default().topic(std::iter::empty()), live::Configs::Unknown(_)));
    }
}
