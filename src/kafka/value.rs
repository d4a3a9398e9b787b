//! Values of topic configs: what people write (`7d`, `10MiB`, a list), what brokers store, and when the two are equal.
//!
//! The grammar is one integer and one unit, or a bare integer in the key's own unit. A value never passes through a floating number: libraries read `1M` as a
//! month or as 10^6, and `1e9` as a billion.

use std::fmt;

/// The type of a topic config, which decides how its text is read and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A span of time, stored in milliseconds.
    Milliseconds,
    /// A size, stored in bytes.
    Bytes,
    /// A whole number without a unit.
    Integer,
    /// A decimal number, compared by value (`0.50` equals `0.5`).
    Decimal,
    /// `true` or `false`; Kafka ignores case.
    Boolean,
    /// One word, compared exactly.
    Text,
    /// Words separated by commas; their order means nothing to the broker.
    List,
}

/// Why a text is no value of its kind. The message is one sentence that says what was probably meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAValue(String);

const DURATIONS: [(&str, i64); 6] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000)];
const SIZES: [(&str, i64); 5] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];

impl Kind {
    /// The text that a broker stores for a written text: milliseconds, bytes, a comma list.
    pub fn stored(self, written: &str) -> Result<String, NotAValue> {
        let text = written.trim();
        if text != written {
            return Err(NotAValue(format!("{written:?} starts or ends with white space")));
        }
        match self {
            Self::Milliseconds => whole(text, &DURATIONS).map(|n| n.to_string()),
            Self::Bytes => whole(text, &SIZES).map(|n| n.to_string()),
            Self::Integer => whole(text, &[]).map(|n| n.to_string()),
            Self::Decimal => decimal(text).map(|(negative, before, after)| plain(negative, &before, &after)),
            Self::Boolean => match text.to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => Ok(word.to_owned()),
                "yes" | "on" => Err(NotAValue(format!("{text:?} is not a boolean; write true"))),
                "no" | "off" => Err(NotAValue(format!("{text:?} is not a boolean; write false"))),
                _ => Err(NotAValue(format!("{text:?} is not a boolean; write true or false"))),
            },
            Self::Text => Ok(text.to_owned()),
            // Brokers from 4.1 on drop repeated items, and older ones do nothing with them.
            Self::List => Ok(items(text)
                .fold(Vec::new(), |mut list, item| {
                    if !list.contains(&item) {
                        list.push(item);
                    }
                    list
                })
                .join(",")),
        }
    }

    /// Whether two texts, as brokers store them, mean the same value. Texts that are no value of this kind are equal only to themselves.
    pub fn equal(self, a: &str, b: &str) -> bool {
        if a == b {
            return true;
        }
        match self {
            Self::Milliseconds | Self::Bytes | Self::Integer => match (a.trim().parse::<i64>(), b.trim().parse::<i64>()) {
                (Ok(a), Ok(b)) => a == b,
                _ => false,
            },
            Self::Decimal => match (decimal(a.trim()), decimal(b.trim())) {
                (Ok(a), Ok(b)) => a == b,
                _ => false,
            },
            Self::Boolean => a.trim().eq_ignore_ascii_case(b.trim()),
            Self::Text => false,
            Self::List => sorted(a) == sorted(b),
        }
    }

    /// A stored text for people: `604800000` as `7d`, `1048588` as it is. Only exact conversions, so that nothing is rounded away.
    pub fn human(self, stored: &str) -> String {
        let units: &[(&str, i64)] = match self {
            Self::Milliseconds => &DURATIONS[..5],
            Self::Bytes => &SIZES,
            Self::Integer | Self::Decimal | Self::Boolean | Self::Text | Self::List => return stored.to_owned(),
        };
        match stored.parse::<i64>() {
            Ok(i64::MAX) => "unlimited".to_owned(),
            Ok(-1) => "unlimited".to_owned(),
            Ok(number) if number > 0 => units
                .iter()
                .rev()
                .find(|(_, scale)| number % scale == 0)
                .filter(|(_, scale)| *scale > 1)
                .map_or_else(|| stored.to_owned(), |(unit, scale)| format!("{}{unit}", number / scale)),
            _ => stored.to_owned(),
        }
    }
}

/// The items of a comma list, trimmed, without empty ones.
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

fn sorted(text: &str) -> Vec<&str> {
    let mut list: Vec<_> = items(text).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// A whole number in a written text that takes no unit, such as a partition count.
pub fn integer(text: &str) -> Result<i64, NotAValue> {
    whole(text, &[])
}

fn whole(text: &str, units: &[(&str, i64)]) -> Result<i64, NotAValue> {
    let digits_end = text.char_indices().find(|(at, c)| !(c.is_ascii_digit() || (*at == 0 && *c == '-'))).map_or(text.len(), |(at, _)| at);
    let (number, unit) = text.split_at(digits_end);
    if let Some(meant) = misread(text) {
        return Err(NotAValue(format!("{text:?} is not written as a decimal integer; write {meant}")));
    }
    let digits = number.strip_prefix('-').unwrap_or(number);
    if digits.is_empty() {
        return Err(NotAValue(match units {
            [] => format!("{text:?} is not a whole number"),
            _ => format!("{text:?} is not a number with a unit ({})", unit_names(units)),
        }));
    }
    let scale = if unit.is_empty() {
        1
    } else if number.starts_with('-') {
        return Err(NotAValue(format!("{text:?} is negative and has a unit; only bare numbers such as -1 can be negative")));
    } else if unit.starts_with('.') && !units.is_empty() {
        return Err(NotAValue(format!("{text:?} is not a whole number; write it in a smaller unit (units: {})", unit_names(units))));
    } else {
        match units.iter().find(|(name, _)| *name == unit) {
            Some((_, scale)) => *scale,
            None => return Err(unknown_unit(text, number, unit, units)),
        }
    };
    if digits.len() > 1 && digits.starts_with('0') {
        return Err(NotAValue(format!("{text:?} starts with a 0; write {}{unit}", number.replacen(digits, digits.trim_start_matches('0'), 1))));
    }
    number
        .parse::<i64>()
        .ok()
        .and_then(|number| number.checked_mul(scale))
        .ok_or_else(|| NotAValue(format!("{text:?} does not fit in 64 bits; Kafka's largest value is {}", i64::MAX)))
}

/// What was meant by spellings of integers that YAML or other tools know: `0x10`, `0o7`, `012`, `1_000`, `1e9`, `+5`, `7.0`.
fn misread(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let radix = |prefix: &str, radix| lower.strip_prefix(prefix).and_then(|digits| i64::from_str_radix(digits, radix).ok());
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| radix("0b", 2)) {
        return Some(number.to_string());
    }
    if let Some(rest) = text.strip_prefix('+') {
        return rest.parse::<i64>().ok().map(|number| number.to_string());
    }
    if text.contains('_') && text.chars().all(|c| c.is_ascii_digit() || c == '_') {
        return text.replace('_', "").parse::<i64>().ok().map(|number| number.to_string());
    }
    let (mantissa, exponent) = lower.split_once('e')?;
    let (mantissa, exponent) = (mantissa.parse::<i64>().ok()?, exponent.strip_prefix('+').unwrap_or(exponent).parse::<u32>().ok()?);
    10_i64.checked_pow(exponent)?.checked_mul(mantissa).map(|number| number.to_string())
}

fn unknown_unit(text: &str, number: &str, unit: &str, units: &[(&str, i64)]) -> NotAValue {
    let Some(names) = (!units.is_empty()).then(|| unit_names(units)) else {
        return NotAValue(format!("{text:?} is not a whole number (this value takes no unit)"));
    };
    let lower = unit.trim().to_ascii_lowercase();
    let meant = match lower.as_str() {
        "k" | "kb" | "kib" => Some("KiB"),
        "m" | "mb" | "mib" => Some("MiB"),
        "g" | "gb" | "gib" => Some("GiB"),
        "t" | "tb" | "tib" => Some("TiB"),
        "b" | "byte" | "bytes" => Some("B"),
        _ => None,
    };
    let meant = meant.filter(|meant| units.iter().any(|(name, _)| name == meant));
    let meant = meant.or_else(|| {
        let word = lower.trim_end_matches('s');
        let of = |names: &[&str]| names.contains(&word) || names.contains(&lower.as_str());
        let meant = [
            ("ms", &["milli", "msec", "ms", "milli", "millisecond"][..]),
            ("s", &["sec", "second", "s"]),
            ("m", &["min", "minute", "m"]),
            ("h", &["hr", "hour", "h"]),
            ("d", &["day", "d"]),
            ("w", &["week", "wk", "w"]),
        ];
        meant.into_iter().find(|(_, names)| of(names)).map(|(unit, _)| unit).filter(|meant| units.iter().any(|(name, _)| name == meant))
    });
    NotAValue(match meant {
        Some(meant) => format!("{text:?} has the unknown unit {unit:?}; write {number}{meant} (units: {names})"),
        None => format!("{text:?} has the unknown unit {unit:?} (units: {names})"),
    })
}

fn unit_names(units: &[(&str, i64)]) -> String {
    units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// A decimal number in a form whose equality is equality of values: sign, digits before and after the point without idle zeros.
fn decimal(text: &str) -> Result<(bool, String, String), NotAValue> {
    let bad = || NotAValue(format!("{text:?} is not a decimal number such as 0.5"));
    let negative = text.starts_with('-');
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| bad())?),
        None => (digits, 0),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    if (before.is_empty() && after.is_empty()) || !all_digits(before) || !all_digits(after) || exponent.unsigned_abs() > 400 {
        return Err(bad());
    }
    // Java writes small doubles as 1.0E-4: shift the point, so that 0.0001 is the same number.
    let shifted = if exponent >= 0 {
        let padded = format!("{after:0<width$}", width = exponent.unsigned_abs() as usize);
        let (moved, rest) = padded.split_at(exponent.unsigned_abs() as usize);
        (format!("{before}{moved}"), rest.to_owned())
    } else {
        let padded = format!("{before:0>width$}", width = exponent.unsigned_abs() as usize);
        let (rest, moved) = padded.split_at(padded.len() - exponent.unsigned_abs() as usize);
        (rest.to_owned(), format!("{moved}{after}"))
    };
    let (before, after) = (shifted.0.trim_start_matches('0').to_owned(), shifted.1.trim_end_matches('0').to_owned());
    let zero = before.is_empty() && after.is_empty();
    Ok((negative && !zero, before, after))
}

/// A decimal number as Java writes it between 0.001 and 10,000,000: `0.5`, `1.0`.
fn plain(negative: bool, before: &str, after: &str) -> String {
    let or_zero = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
    format!("{}{}.{}", if negative { "-" } else { "" }, or_zero(before), or_zero(after))
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Milliseconds => "duration",
            Self::Bytes => "size",
            Self::Integer => "whole number",
            Self::Decimal => "decimal number",
            Self::Boolean => "boolean",
            Self::Text => "text",
            Self::List => "list",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_become_what_a_broker_stores() {
        let ms = |text| Kind::Milliseconds.stored(text).unwrap();
        assert_eq!(ms("7d"), "604800000");
        assert_eq!(ms("90s"), "90000");
        assert_eq!(ms("2w"), "1209600000");
        assert_eq!(ms("-1"), "-1");
        assert_eq!(ms("86400000"), "86400000");
        let bytes = |text| Kind::Bytes.stored(text).unwrap();
        assert_eq!(bytes("10MiB"), "10485760");
        assert_eq!(bytes("1TiB"), "1099511627776");
        assert_eq!(bytes("-2"), "-2");
    }

    #[test]
    fn a_misspelt_number_is_refused_with_what_was_meant() {
        let why = |kind: Kind, text| kind.stored(text).unwrap_err().to_string();
        for (text, meant) in [("1_000", "1000"), ("012", "12"), ("1e9", "1000000000"), ("0x10", "16"), ("+5", "5")] {
            assert!(why(Kind::Integer, text).contains(&format!("write {meant}")), "{text}: {}", why(Kind::Integer, text));
        }
        assert!(why(Kind::Bytes, "10MB").contains("write 10MiB"));
        assert!(why(Kind::Bytes, "10m").contains("write 10MiB"));
        assert!(why(Kind::Milliseconds, "7days").contains("write 7d"));
        assert!(why(Kind::Milliseconds, "1M").contains("write 1m"));
        assert!(why(Kind::Integer, "7d").contains("takes no unit"));
        assert!(why(Kind::Milliseconds, "99999999999999w").contains("64 bits"));
        assert!(why(Kind::Boolean, "yes").contains("write true"));
        assert!(why(Kind::Milliseconds, "1d12h").contains("unknown unit"));
        assert!(why(Kind::Milliseconds, "").contains("not a number"));
    }

    #[test]
    fn what_a_broker_would_write_otherwise_is_written_so() {
        for text in [".5", "0.50", "5e-1"] {
            assert_eq!(Kind::Decimal.stored(text).unwrap(), "0.5");
        }
        assert_eq!(Kind::Decimal.stored("1").unwrap(), "1.0");
        assert_eq!(Kind::List.stored("delete, compact,delete").unwrap(), "delete,compact");
        assert!(Kind::Milliseconds.stored("-1d").unwrap_err().to_string().contains("only bare numbers"));
        assert!(Kind::Milliseconds.stored("1.5d").unwrap_err().to_string().contains("smaller unit"));
    }

    #[test]
    fn equality_follows_the_kind() {
        assert!(Kind::List.equal("delete, compact", "compact,delete"));
        assert!(!Kind::List.equal("delete", "compact,delete"));
        assert!(Kind::Decimal.equal("0.10", "0.1"));
        assert!(Kind::Decimal.equal("1.0E-4", "0.0001"));
        assert!(Kind::Decimal.equal("1e2", "100"));
        assert!(!Kind::Decimal.equal("0.1", "-0.1"));
        assert!(Kind::Boolean.equal("TRUE", "true"));
        assert!(!Kind::Text.equal("Producer", "producer"));
        assert!(!Kind::Integer.equal("x", "1"));
    }

    #[test]
    fn people_read_round_values_in_units() {
        assert_eq!(Kind::Milliseconds.human("604800000"), "7d");
        assert_eq!(Kind::Milliseconds.human("5400000"), "90m");
        assert_eq!(Kind::Milliseconds.human("1"), "1");
        assert_eq!(Kind::Bytes.human("1048588"), "1048588");
        assert_eq!(Kind::Bytes.human("2097152"), "2MiB");
        assert_eq!(Kind::Milliseconds.human("-1"), "unlimited");
    }
}
