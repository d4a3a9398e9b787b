//! What can be wrong when a shape is read from a node, as serde reports it.

use crate::finding::Code;
use serde::de::{Expected, Unexpected};
use std::fmt;

/// Why a node is not of the shape that was asked for.
#[derive(Debug)]
pub(super) struct Error {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) help: String,
    /// Whether a finding says it already.
    pub(super) told: bool,
}

impl Error {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: String::new(), told: false }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// For what has a finding already.
    pub(super) fn told() -> Self {
        Self { told: true, ..Self::new(Code::Ym001, "") }
    }
}

/// The name that was probably meant by a word: the nearest one at edit distance 1 or 2, of which at most a third is changed; `None` where nothing is that near.
pub fn likely<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distances = names.into_iter().filter(|name| name.len().abs_diff(word.len()) <= 8).map(|name| (strsim::damerau_levenshtein(name, word), name));
    distances.filter(|(distance, name)| *distance <= 2 && distance * 3 <= name.len().max(word.len())).min().map(|(_, name)| name)
}

/// The help for a word that is none of some names.
pub(super) fn instead(word: &str, names: &[&str]) -> String {
    match likely(word, names.iter().copied()) {
        Some(name) => format!("write `{name}`"),
        None if names.is_empty() => "remove it".to_owned(),
        None => format!("the fields here are {}", names.join(", ")),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    /// What a shape says of itself: the message, and behind a semicolon what to do.
    fn custom<T: fmt::Display>(message: T) -> Self {
        let text = message.to_string();
        let (message, help) = text.split_once("; ").unwrap_or((&text, ""));
        Self::new(Code::Ym008, message).help(help)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        // The found value itself stays out of the message: it may be a secret.
        let found = match found {
            Unexpected::Seq => "a list",
            Unexpected::Map => "a mapping",
            Unexpected::Unit | Unexpected::Option => "null",
            Unexpected::Bool(_)
            | Unexpected::Unsigned(_)
            | Unexpected::Signed(_)
            | Unexpected::Float(_)
            | Unexpected::Char(_)
            | Unexpected::Str(_)
            | Unexpected::Bytes(_)
            | Unexpected::NewtypeStruct
            | Unexpected::Enum
            | Unexpected::UnitVariant
            | Unexpected::NewtypeVariant
            | Unexpected::TupleVariant
            | Unexpected::StructVariant
            | Unexpected::Other(_) => "a text",
        };
        let expected = expected.to_string();
        let help = if expected == "a mapping" { "write `name: value` lines".to_owned() } else { format!("write {expected}") };
        Self::new(Code::Ym003, format!("{found} stands where {expected} belongs")).help(help)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Code::Ym008, format!("{variant:?} is not one of {}", expected.join(", "))).help(instead(variant, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likely_name_is_at_most_two_edits_away() {
        let names = ["partitions", "keys", "config"];
        assert_eq!(likely("partitons", names), Some("partitions"));
        assert_eq!(likely("confgi", names), Some("config"));
        assert_eq!(likely("partition_count", names), None);
        assert_eq!(likely("nix", ["big"]), None, "two edits make almost any short word of another");
        assert_eq!(likely("dc3", ["dc1"]), Some("dc1"));
    }
}
