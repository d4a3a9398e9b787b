//! Versions of Kafka, as far as they decide what a broker accepts: a major and a minor number, and spans of them.
//!
//! No call of the client library tells a broker's version, so most of the time only a span is known. Which span the reported configs prove is
//! [`super::config::proven`]'s to say.

use std::fmt;

/// A version such as 3.9: Kafka's patch releases change no limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u16, pub u16);

impl Version {
    /// The oldest version that the catalogue of configs describes. Facts of older ones are taken for its own.
    pub const OLDEST: Self = Self(3, 0);

    /// Reads `4.3.1`, `4.3` or `3.9.1-patched`. `None` for a text that does not start with two numbers.
    pub fn read(text: &str) -> Option<Self> {
        let mut numbers = text.split(['.', '-']).map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.0, self.1)
    }
}

/// The versions that a broker may have: all from one on, and before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The first of them.
    pub from: Version,
    /// The first after them; `None` where there is no end.
    pub before: Option<Version>,
}

impl Versions {
    /// Nothing is known.
    pub const ANY: Self = Self { from: Version::OLDEST, before: None };

    /// One version.
    pub fn only(version: Version) -> Self {
        Self { from: version, before: Some(Version(version.0, version.1.saturating_add(1))) }
    }

    /// Whether one of these versions is also one of `others`.
    pub fn meet(self, others: Self) -> bool {
        self.before.is_none_or(|end| others.from < end) && others.before.is_none_or(|end| self.from < end)
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.before) {
            (Version::OLDEST, None) => out.write_str("any version"),
            (Version::OLDEST, Some(end)) => write!(out, "versions before {end}"),
            (from, None) => write!(out, "{from} and newer"),
            (from, Some(end)) if *self == Self::only(from) && end.0 == from.0 => write!(out, "{from}"),
            (from, Some(end)) => write!(out, "{from} and newer, before {end}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_its_first_two_numbers() {
        assert_eq!(Version::read("4.3.1"), Some(Version(4, 3)));
        assert_eq!(Version::read("3.10"), Some(Version(3, 10)));
        assert_eq!(Version::read("3.9-rc1"), Some(Version(3, 9)));
        assert_eq!(Version::read("4"), None);
        assert_eq!(Version::read("latest"), None);
        assert!(Version(3, 9) < Version(3, 10) && Version(3, 10) < Version(4, 0));
    }

    #[test]
    fn spans_meet_where_they_share_a_version() {
        let span = |from, before| Versions { from, before };
        let old = span(Version(3, 0), Some(Version(4, 1)));
        let new = span(Version(4, 1), None);
        assert!(!old.meet(new) && !new.meet(old));
        assert!(Versions::ANY.meet(old) && new.meet(Versions::ANY));
        assert!(Versions::only(Version(4, 0)).meet(old) && !Versions::only(Version(4, 1)).meet(old));
        assert!(Versions::only(Version(4, 1)).meet(new));
    }

    #[test]
    fn spans_read_as_people_say_them() {
        assert_eq!(Versions::ANY.to_string(), "any version");
        assert_eq!(Versions::only(Version(3, 9)).to_string(), "3.9");
        assert_eq!(Versions { from: Version(4, 1), before: None }.to_string(), "4.1 and newer");
        assert_eq!(Versions { from: Version(3, 6), before: Some(Version(3, 8)) }.to_string(), "3.6 and newer, before 3.8");
    }
}
