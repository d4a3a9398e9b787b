//! The topic configs of Kafka 3.0 to 4.3: what each is, since when and until when, and which values brokers accept.
//!
//! Limits and words were found by bisecting on real brokers (4.3.1 and 3.9.1; `tests/kafka/bounds.rs` holds them against these), those of the versions
//! between and before are the definitions in their `LogConfig`. librdkafka speaks DescribeConfigs v1, which carries no types, so the types stand here.
//! Knows keys one by one; what contradicts what is [`super::contradictions`].

mod limits;
mod table;
mod vendor;

use super::value::Kind;
use super::version::{Version, Versions};
pub use limits::{Bounds, Limits, Refused};
pub use table::TOPIC_CONFIGS;
pub use vendor::{VENDORS, Vendor, vendor};

/// One topic-level config.
#[derive(Debug)]
pub struct TopicConfig {
    /// Its name, as in `retention.ms`.
    pub name: &'static str,
    /// How its value is read and compared.
    pub kind: Kind,
    /// Names that brokers use for the same thing in server.properties, and that people write in its place.
    pub broker_names: &'static [&'static str],
    /// The versions whose brokers know it, and report it.
    pub versions: Versions,
    /// The first version that advises against it.
    pub deprecated: Option<Version>,
    /// What to do in place of a key that is deprecated or gone, as a request.
    pub instead: Option<&'static str>,
    /// What brokers accept: never empty, the oldest first, each until the next one's version. For any two, one takes all that the other takes.
    pub bounds: &'static [Bounds],
}

impl TopicConfig {
    /// The limits that hold for every one of these versions that has them: the loosest.
    pub fn limits(&self, versions: Versions) -> &'static Limits {
        let ends = self.bounds.iter().skip(1).map(|bounds| Some(bounds.since)).chain([None]);
        let spans = self.bounds.iter().zip(ends).map(|(bounds, before)| (bounds, Versions { from: bounds.since, before }));
        let among = spans.filter(|(_, span)| span.meet(versions)).map(|(bounds, _)| &bounds.limits);
        among.reduce(|loosest, limits| if limits.takes_all_of(loosest) { limits } else { loosest }).unwrap_or(&self.bounds[0].limits)
    }
}

/// The catalogue's entry for a topic-level config, or `None` for a name that no Kafka from 3.0 to 4.3 knows.
pub fn find(name: &str) -> Option<&'static TopicConfig> {
    TOPIC_CONFIGS.binary_search_by(|key| key.name.cmp(name)).ok().map(|at| &TOPIC_CONFIGS[at])
}

/// Whether some brokers report under this name what is no config: counts of partitions and replicas (redpanda#2176, #7717).
pub fn is_count(name: &str) -> bool {
    matches!(name, "partition_count" | "replication_factor")
}

/// The kind of a config's value. Text for a key that the catalogue does not know: it is compared as it stands.
pub fn kind(name: &str) -> Kind {
    find(name).map_or(Kind::Text, |key| key.kind)
}

/// The topic-level config that was probably meant by a name that is none: a broker-level name, or one at edit distance 1 or 2.
pub fn likely(name: &str) -> Option<&'static str> {
    if find(name).is_some() || vendor(name).is_some() {
        return None;
    }
    if let Some(key) = TOPIC_CONFIGS.iter().find(|key| key.broker_names.contains(&name)) {
        return Some(key.name);
    }
    TOPIC_CONFIGS.iter().map(|key| (strsim::damerau_levenshtein(key.name, name), key.name)).filter(|(distance, _)| *distance <= 2).min().map(|(_, name)| name)
}

/// Whether some version of Kafka takes the value, given as a broker would store it. Keys that the catalogue does not know take any value.
pub fn check(key: &str, stored: &str) -> Result<(), Refused> {
    check_in(key, stored, Versions::ANY)
}

/// Whether one of these versions takes the value, given as a broker would store it.
pub fn check_in(key: &str, stored: &str, versions: Versions) -> Result<(), Refused> {
    find(key).map_or(Ok(()), |config| config.limits(versions).check(config, stored, versions))
}

/// The versions that a broker can have which reports exactly these configs of a topic.
///
/// Only a broker that reports all that every Kafka knows, and nothing that no Kafka knows, proves anything: compatible products report keys of their own and
/// leave others out. No key came or went between 4.0 and 4.3, so these cannot be told apart.
pub fn proven<'a>(reported: impl IntoIterator<Item = &'a str>) -> Versions {
    let reported: std::collections::BTreeSet<_> = reported.into_iter().collect();
    if reported.iter().any(|name| find(name).is_none()) {
        return Versions::ANY;
    }
    let mut proven = Versions::ANY;
    let mut end = |at: Version| proven.before = Some(proven.before.map_or(at, |before| before.min(at)));
    let mut from = Version::OLDEST;
    for key in &TOPIC_CONFIGS {
        match (reported.contains(key.name), key.versions.before) {
            (true, before) => {
                from = from.max(key.versions.from);
                before.into_iter().for_each(&mut end);
            }
            (false, Some(gone)) => from = from.max(gone),
            (false, None) if key.versions.from > Version::OLDEST => end(key.versions.from),
            (false, None) => return Versions::ANY,
        }
    }
    proven.from = from;
    if proven.before.is_some_and(|before| before <= from) { Versions::ANY } else { proven }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported_by(version: Version) -> Vec<&'static str> {
        TOPIC_CONFIGS.iter().filter(|key| key.versions.meet(Versions::only(version))).map(|key| key.name).collect()
    }

    #[test]
    fn the_catalogue_is_sorted_so_that_it_can_be_searched() {
        assert!(TOPIC_CONFIGS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(TOPIC_CONFIGS.iter().all(|key| find(key.name).is_some()));
    }

    #[test]
    fn each_version_has_as_many_configs_as_its_brokers_report() {
        // DescribeConfigs of 3.9.1 and 4.3.1; the rest are the public keys of LogConfig.
        let counts = [(3, 0, 26), (3, 5, 26), (3, 6, 31), (3, 7, 31), (3, 8, 34), (3, 9, 36), (4, 0, 33), (4, 3, 33)];
        for (major, minor, count) in counts {
            assert_eq!(reported_by(Version(major, minor)).len(), count, "{major}.{minor}");
        }
    }

    #[test]
    fn of_any_two_bounds_of_a_key_one_takes_all_that_the_other_takes() {
        for key in &TOPIC_CONFIGS {
            assert!(!key.bounds.is_empty(), "{}", key.name);
            assert!(key.bounds.windows(2).all(|pair| pair[0].since < pair[1].since), "{}", key.name);
            for (a, b) in key.bounds.iter().flat_map(|a| key.bounds.iter().map(move |b| (a, b))) {
                assert!(a.limits.takes_all_of(&b.limits) || b.limits.takes_all_of(&a.limits), "{}", key.name);
            }
        }
    }

    #[test]
    fn broker_names_and_slips_lead_to_the_right_key() {
        assert_eq!(likely("log.retention.ms"), Some("retention.ms"));
        assert_eq!(likely("message.max.bytes"), Some("max.message.bytes"));
        assert_eq!(likely("retention.msec"), Some("retention.ms"));
        assert_eq!(likely("retenton.ms"), Some("retention.ms"));
        assert_eq!(likely("confluent.tier.enable"), None);
        assert_eq!(likely("retention.ms"), None);
    }

    #[test]
    fn without_proof_the_loosest_bound_holds() {
        assert_eq!(check("segment.bytes", "14"), Ok(()));
        assert!(check("segment.bytes", "13").is_err());
        assert_eq!(check("flush.messages", "0"), Ok(()));
        assert_eq!(check("segment.index.bytes", "0"), Ok(()));
        assert!(check("segment.index.bytes", "-1").is_err());
        assert_eq!(check("nobody.knows.this", "anything"), Ok(()));
    }

    #[test]
    fn a_versions_own_bound_holds_where_the_version_is_known() {
        let only = |major, minor| Versions::only(Version(major, minor));
        assert!(check_in("segment.bytes", "1048575", only(4, 1)).is_err());
        assert_eq!(check_in("segment.bytes", "1048576", only(4, 3)), Ok(()));
        assert_eq!(check_in("segment.bytes", "14", only(4, 0)), Ok(()));
        assert!(check_in("flush.messages", "0", only(3, 3)).is_err());
        assert_eq!(check_in("flush.messages", "0", only(3, 2)), Ok(()));
        assert!(check_in("segment.index.bytes", "3", only(3, 9)).is_err());
    }

    #[test]
    fn reported_keys_prove_versions_and_no_more_than_that() {
        let span = |from, before| Versions { from, before };
        assert_eq!(proven(reported_by(Version(4, 3))), span(Version(4, 0), None));
        assert_eq!(proven(reported_by(Version(4, 0))), span(Version(4, 0), None));
        assert_eq!(proven(reported_by(Version(3, 9))), span(Version(3, 9), Some(Version(4, 0))));
        assert_eq!(proven(reported_by(Version(3, 7))), span(Version(3, 6), Some(Version(3, 8))));
        assert_eq!(proven(reported_by(Version(3, 2))), span(Version(3, 0), Some(Version(3, 6))));
        let mut other = reported_by(Version(4, 3));
        other.push("redpanda.remote.read");
        assert_eq!(proven(other), Versions::ANY);
        assert_eq!(proven(reported_by(Version(4, 3)).into_iter().filter(|name| *name != "preallocate")), Versions::ANY);
        assert_eq!(proven(["retention.ms"]), Versions::ANY);
        assert_eq!(proven([]), Versions::ANY);
        // 4.0 takes what 4.1 refuses, and reports the same keys.
        assert_eq!(check_in("segment.bytes", "14", proven(reported_by(Version(4, 3)))), Ok(()));
        assert!(check_in("flush.messages", "0", proven(reported_by(Version(4, 3)))).is_err());
    }

    #[test]
    fn keys_that_contradict_each_other_prove_nothing() {
        // Nothing of 3.9 and 4.0 at once: both the removed keys and none of the newest ones gone.
        let all = TOPIC_CONFIGS.iter().map(|key| key.name).filter(|name| *name != "message.format.version");
        assert_eq!(proven(all), Versions::ANY);
    }
}
