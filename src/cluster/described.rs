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
    /// A number where this version does not know the source.
    origin: Result<Origin, i32>,
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
    /// A topic had it, and the cluster does not tell from where: it may be an override.
    OriginUntold,
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
    /// No config was told, and no error. That is a topic without overrides where the cluster tells overrides only; see [`Defaults::are_untold`].
    Bare,
    /// The cluster says that there is no such topic, although it listed it.
    Denied,
}

/// The origin behind a number of `DescribeConfigsResponse.ConfigSource`; the number where there is none that topics can have.
fn origin(source: i32) -> Result<Origin, i32> {
    match source {
        0 => Ok(Origin::Unknown),
        1 => Ok(Origin::Topic),
        2 => Ok(Origin::DynamicBroker),
        3 => Ok(Origin::DynamicDefault),
        4 => Ok(Origin::Static),
        5 => Ok(Origin::Default),
        other => Err(other),
    }
}

impl<'a> Reported<'a> {
    fn of(entry: Entry<'a>) -> Self {
        let value = |entry: Entry<'a>| if entry.is_sensitive() { None } else { entry.value() };
        let origin_of = |entry: Entry<'a>| origin(entry.source());
        let this = origin_of(entry);
        let known = |next: Entry<'a>| Some((next.name(), value(next), origin_of(next).ok()?));
        let next = (this == Ok(Origin::Topic)).then(|| entry.synonyms().filter_map(known).find(|(_, _, origin)| *origin != Origin::Topic)).flatten();
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
        if !self.are_told() {
            return BTreeMap::new();
        }
        self.0.into_iter().map(|(key, (_, inherited))| (key, inherited)).collect()
    }

    fn are_told(&self) -> bool {
        self.0.values().any(|(known, _)| matches!(known, Known::InForce | Known::OriginUntold))
    }

    /// Whether the cluster told overrides of some topics, and defaults of none: it keeps defaults to itself.
    pub(super) fn are_untold(&self) -> bool {
        !self.0.is_empty() && !self.are_told()
    }

    /// The configs of one topic; what it inherits is noted.
    fn topic<'a>(&mut self, entries: impl Iterator<Item = Reported<'a>>) -> Outcome {
        let mut overrides = BTreeMap::new();
        let (mut any, mut unknown) = (false, None);
        for entry in entries {
            any = true;
            match entry.origin {
                Ok(Origin::Topic) => {
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
                        None => unknown = Some(format!("the cluster does not tell the value of its override {key}")),
                    }
                }
                Ok(Origin::Unknown) => self.note(&entry.name, Known::OriginUntold, entry.value.as_deref(), Origin::Unknown),
                Ok(origin @ (Origin::DynamicBroker | Origin::DynamicDefault | Origin::Static | Origin::Default)) => {
                    self.note(&entry.name, Known::InForce, entry.value.as_deref(), origin);
                }
                Err(number) => {
                    self.note(&entry.name, Known::KeyOnly, None, Origin::Unknown);
                    let name = &entry.name;
                    unknown =
                        Some(format!("its {name} comes from a source ({number}) that this isotopic does not know, so whether it is an override is unknown"));
                }
            }
        }
        match unknown {
            Some(reason) => Outcome::Told(live::Configs::Unknown(reason)),
            None if !any => Outcome::Bare,
            None => Outcome::Told(live::Configs::Known(overrides)),
        }
    }
}

/// Takes a reply apart: what became of each topic in it, and what topics inherit.
pub(super) fn decode(reply: &Configs<'_>) -> (BTreeMap<TopicName, Outcome>, Defaults) {
    let mut defaults = Defaults::default();
    let mut topics = BTreeMap::new();
    for resource in reply.each() {
        let outcome = match resource.failure() {
            None => defaults.topic(resource.entries().map(Reported::of).filter(|entry| !is_count(&entry.name))),
            Some(failure) if failure.code == code::UNKNOWN_TOPIC_OR_PARTITION => Outcome::Denied,
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
        Reported { name: name.into(), value: Some(value.into()), origin: Ok(origin), next: None }
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
        assert_eq!(configs, Outcome::Told(live::Configs::Known(BTreeMap::from([(ConfigKey::from("retention.ms"), "1000".to_owned())]))));
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
        assert!(!defaults.are_untold(), "nothing was told yet");
        defaults.topic([entry("retention.ms", "5", Origin::Topic)].into_iter());
        assert!(defaults.are_untold());
        assert!(defaults.inherited().is_empty());
    }

    #[test]
    fn a_topic_with_no_configs_at_all_is_told_apart_from_one_without_overrides() {
        assert_eq!(Defaults::default().topic(std::iter::empty()), Outcome::Bare);
        let inherits = [entry("retention.ms", "5", Origin::Default)];
        assert_eq!(Defaults::default().topic(inherits.into_iter()), Outcome::Told(live::Configs::Known(BTreeMap::new())));
    }

    #[test]
    fn a_value_of_untold_origin_stands_behind_every_other() {
        let mut defaults = Defaults::default();
        defaults.topic([entry("retention.ms", "5", Origin::Unknown)].into_iter());
        assert_eq!(inherited_of(&defaults), (Some("5".to_owned()), Origin::Unknown));
        defaults.topic([entry("retention.ms", "6", Origin::Default)].into_iter());
        assert_eq!(inherited_of(&defaults), (Some("6".to_owned()), Origin::Default));
    }

    #[test]
    fn a_source_that_is_new_leaves_the_topic_unknown_and_tells_the_key() {
        let mut defaults = Defaults::default();
        let new = Reported { origin: origin(99), ..entry("retention.ms", "5", Origin::Topic) };
        let outcome = defaults.topic([new].into_iter());
        assert!(matches!(&outcome, Outcome::Told(live::Configs::Unknown(reason)) if reason.contains("retention.ms") && reason.contains("99")), "{outcome:?}");
        assert_eq!(inherited_of(&defaults), (None, Origin::Unknown));
    }
}
