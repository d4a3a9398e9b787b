//! What a broker takes as a config's value, and how a refused value is told to people.

use super::TopicConfig;
use crate::kafka::value::{Kind, items};
use crate::kafka::version::{Version, Versions};
use std::fmt::Write as _;

/// Limits that hold from a version on.
#[derive(Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The first version that has them.
    pub since: Version,
    /// What its brokers take.
    pub limits: Limits,
}

/// The values that a broker takes. Words are compared with their case; around a word and around a list's items brokers drop white space.
#[derive(Debug, PartialEq, Eq)]
pub enum Limits {
    /// Anything.
    Any,
    /// `true` or `false`, in any case.
    Boolean,
    /// A whole number from `min` to `max`, or the one outside of them.
    Whole {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
        /// One more, outside of the range.
        also: Option<i64>,
    },
    /// A decimal number from 0 to 1.
    Share,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Some of these words, or none.
    Words(&'static [&'static str]),
    /// `*`, or pairs of a partition and a broker such as `0:101`, or nothing.
    Replicas,
}

/// Why a value is refused: one sentence with the key, the value and what is taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

impl Limits {
    /// Whether every value that `other` takes is taken by these limits too. May be wrong on the safe side for limits of different sorts.
    pub fn takes_all_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole { min, max, also }, Self::Whole { min: least, max: greatest, also: extra }) => {
                min <= least && max >= greatest && extra.is_none_or(|extra| (*min..=*max).contains(&extra) || *also == Some(extra))
            }
            (Self::Any, _) => true,
            (Self::Boolean | Self::Whole { .. } | Self::Share | Self::Word(_) | Self::Words(_) | Self::Replicas, _) => self == other,
        }
    }

    /// Whether the value is taken, given as a broker would store it.
    pub fn take(&self, stored: &str) -> bool {
        let text = stored.trim();
        match self {
            Self::Any => true,
            Self::Boolean => text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false"),
            Self::Whole { min, max, also } => text.parse().is_ok_and(|number| (*min..=*max).contains(&number) || *also == Some(number)),
            Self::Share => text.parse::<f64>().is_ok_and(|number| (0.0..=1.0).contains(&number)),
            Self::Word(words) => words.contains(&text),
            Self::Words(words) => items(text).all(|item| words.contains(&item)),
            Self::Replicas => text == "*" || items(text).all(is_replica),
        }
    }

    /// What is taken, to follow "Kafka takes": numbers raw, with the human form beside them where it says more.
    pub fn describe(&self, kind: Kind) -> String {
        match self {
            Self::Any => "any text".to_owned(),
            Self::Boolean => "true or false".to_owned(),
            Self::Whole { min: i64::MIN, max: i64::MAX, also: _ } => "any whole number of 64 bits".to_owned(),
            Self::Whole { min, max, also } => {
                let mut text = String::new();
                if let Some(also) = also {
                    let _ = write!(text, "{also}, or ");
                }
                let _ = match *max {
                    i64::MAX => write!(text, "{} or more", both(*min, kind)),
                    max => write!(text, "{} to {}", both(*min, kind), both(max, kind)),
                };
                text
            }
            Self::Share => "a number from 0 to 1".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Words(words) => format!("a list of {}, or an empty one", words.join(" and ")),
            Self::Replicas => "*, or a list of partition:broker such as 0:101,1:102, or an empty one".to_owned(),
        }
    }

    pub(super) fn check(&self, config: &TopicConfig, stored: &str, versions: Versions) -> Result<(), Refused> {
        if self.take(stored) {
            return Ok(());
        }
        let value = match stored.parse() {
            Ok(number) => both(number, config.kind),
            Err(_) => format!("{stored:?}"),
        };
        let mut text = format!("{} is {value}, and Kafka ({versions}) takes {}", config.name, self.describe(config.kind));
        if let Some(meant) = self.meant(stored) {
            let _ = write!(text, "; write {meant}");
        }
        Err(Refused(text))
    }

    /// The word that a text in the wrong case, or with a slip, was probably to be.
    fn meant(&self, stored: &str) -> Option<&'static str> {
        let words = match self {
            Self::Word(words) | Self::Words(words) => *words,
            Self::Any | Self::Boolean | Self::Whole { .. } | Self::Share | Self::Replicas => return None,
        };
        let wrong = items(stored).find(|item| !words.contains(item))?.to_lowercase();
        let word = words.iter().map(|word| (strsim::damerau_levenshtein(&word.to_lowercase(), &wrong), *word)).filter(|(distance, _)| *distance <= 2).min();
        // Producers say `none` where brokers say `uncompressed`.
        word.map(|(_, word)| word).or_else(|| words.iter().find(|word| wrong == "none" && **word == "uncompressed").copied())
    }
}

/// `1048576 (1MiB)`, or the number alone where the human form says no more.
fn both(number: i64, kind: Kind) -> String {
    let raw = number.to_string();
    let human = kind.human(&raw);
    if human == raw { raw } else { format!("{raw} ({human})") }
}

fn is_replica(item: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    item.split_once(':').is_some_and(|(partition, broker)| is_number(partition) && is_number(broker))
}

#[cfg(test)]
mod tests {
    use crate::kafka::config::{check, check_in, find};
    use crate::kafka::version::{Version, Versions};

    fn why(key: &str, value: &str) -> String {
        check(key, value).unwrap_err().to_string()
    }

    #[test]
    fn a_refusal_names_value_and_limits_raw_and_for_people() {
        assert_eq!(why("retention.ms", "-2"), "retention.ms is -2, and Kafka (any version) takes -1 (unlimited) or more");
        assert_eq!(why("segment.bytes", "3221225472"), "segment.bytes is 3221225472 (3GiB), and Kafka (any version) takes 14 to 2147483647");
        assert_eq!(
            check_in("segment.bytes", "1024", Versions { from: Version(4, 1), before: None }).unwrap_err().to_string(),
            "segment.bytes is 1024 (1KiB), and Kafka (4.1 and newer) takes 1048576 (1MiB) to 2147483647"
        );
        assert_eq!(why("compression.gzip.level", "0"), "compression.gzip.level is 0, and Kafka (any version) takes -1, or 1 to 9");
        assert_eq!(why("min.cleanable.dirty.ratio", "1.01"), "min.cleanable.dirty.ratio is \"1.01\", and Kafka (any version) takes a number from 0 to 1");
        assert!(why("retention.ms", "soon").contains("\"soon\""));
    }

    #[test]
    fn a_word_in_the_wrong_case_or_with_a_slip_is_told_right() {
        assert!(why("compression.type", "GZIP").ends_with("; write gzip"));
        assert!(why("compression.type", "none").ends_with("; write uncompressed"));
        assert!(why("message.timestamp.type", "createtime").ends_with("; write CreateTime"));
        assert!(why("cleanup.policy", "compact,delet").ends_with("; write delete"));
        assert!(!why("compression.type", "brotli").contains("; write"));
    }

    #[test]
    fn words_and_lists_are_taken_as_brokers_take_them() {
        for (key, value) in [
            ("cleanup.policy", ""),
            ("cleanup.policy", "delete, compact"),
            ("compression.type", "zstd"),
            ("leader.replication.throttled.replicas", ""),
            ("leader.replication.throttled.replicas", "*"),
            ("follower.replication.throttled.replicas", "0:101,1:102"),
            ("preallocate", "TRUE"),
            ("min.cleanable.dirty.ratio", "0"),
            ("min.cleanable.dirty.ratio", "1.0"),
            ("compression.gzip.level", "-1"),
            ("retention.bytes", "-9223372036854775808"),
        ] {
            assert_eq!(check(key, value), Ok(()), "{key}={value}");
        }
        for (key, value) in [
            ("cleanup.policy", "none"),
            ("cleanup.policy", "DELETE"),
            ("leader.replication.throttled.replicas", "*,0:1"),
            ("leader.replication.throttled.replicas", "0"),
            ("leader.replication.throttled.replicas", "0:1:2"),
            ("follower.replication.throttled.replicas", "-1:1"),
            ("preallocate", "yes"),
            ("min.cleanable.dirty.ratio", "-0.01"),
        ] {
            assert!(check(key, value).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn limits_read_as_a_half_sentence() {
        let taken = |key| find(key).map(|config| config.limits(Versions::ANY).describe(config.kind)).unwrap();
        assert_eq!(taken("retention.bytes"), "any whole number of 64 bits");
        assert_eq!(taken("compression.zstd.level"), "-131072 to 22");
        assert_eq!(taken("segment.ms"), "1 or more");
        assert_eq!(taken("cleanup.policy"), "a list of compact and delete, or an empty one");
    }
}
