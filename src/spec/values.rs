//! Single values as written, made into what the rest of the program works with: counts, days, configs.

use super::shapes::{ConfigValue, Count, Name};
use super::{At, Day, Wanted};
use crate::finding::{Code, Finding, Place};
use crate::kafka::config;
use crate::kafka::name::ConfigKey;
use crate::kafka::value::Kind;
use crate::yaml::{Entry, Field, Given, List, Problems};
use std::cell::RefCell;
use std::collections::HashMap;

/// The largest partition count of Kafka's protocol.
pub(super) const MOST_PARTITIONS: u32 = i32::MAX.unsigned_abs();
/// The largest replication factor of Kafka's protocol.
pub(super) const MOST_REPLICAS: u32 = i16::MAX.unsigned_abs() as u32;

/// A count from 1 to `most`.
pub(super) fn count(given: &Given<Count>, name: &str, most: u32, problems: &Problems) -> Option<At<u32>> {
    let value = given.value.0;
    if (1..=most).contains(&value) {
        return Some(At { value, place: given.place });
    }
    let message = format!("`{name}`: {value} is out of range; Kafka takes 1 to {most}");
    problems.add(Finding::new(Code::Ym008, message).at(given.place).help(format!("write a number from 1 to {most}")));
    None
}

/// A day of the calendar, as `2027-01-31`.
pub(super) fn day(given: &Given<String>, problems: &Problems) -> Option<Day> {
    let day = parse_day(&given.value);
    if day.is_none() {
        let message = format!("`expires`: {:?} is not a date", given.value);
        problems.add(Finding::new(Code::Ym008, message).at(given.place).help("write the last valid day (UTC) as year-month-day, such as 2027-01-31"));
    }
    day
}

/// A reason that somebody gave. `None` where it is missing or wrong, which a finding says; a missing one at `place`.
pub(super) fn reason(field: &Field<String>, of: &str, place: Place, problems: &Problems) -> Option<String> {
    if field.is_missing() {
        let message = format!("{of} has no `reason`, so nothing says why somebody agreed");
        problems.add(Finding::new(Code::Ym012, message).at(place).help("write `reason`"));
    }
    let given = field.given()?;
    if given.value.trim().is_empty() {
        let finding = Finding::new(Code::Ym008, "`reason` is empty, and it is what people ask for later").at(given.place);
        problems.add(finding.help("write why this change is right, such as a ticket"));
        return None;
    }
    Some(given.value.clone())
}

/// The comma text of a list. `None` for an item that would be several, which a finding says.
pub(super) fn join(list: &List<Name>, field: &str, problems: &Problems) -> Option<String> {
    if let Some(item) = list.0.iter().find(|item| item.value.0.contains(',') || item.value.0.trim().is_empty()) {
        let message = format!("`{field}`: an item of the list is empty or contains a comma, and Kafka separates items by commas");
        problems.add(Finding::new(Code::Ym008, message).at(item.place).help("write each item on its own"));
        return None;
    }
    Some(list.0.iter().map(|item| item.value.0.as_str()).collect::<Vec<_>>().join(","))
}

fn parse_day(text: &str) -> Option<Day> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10 && bytes.iter().enumerate().all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() });
    if !shaped {
        return None;
    }
    let (year, month, day) = (text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(Day { year, month, day })
}

/// Reads configs. Remembers which names were meant by others, because ten thousand topics name the same few.
#[derive(Default)]
pub(super) struct Configs {
    likely: RefCell<HashMap<String, Option<&'static str>>>,
}

impl Configs {
    fn likely(&self, key: &str) -> Option<&'static str> {
        if config::find(key).is_some() {
            return None;
        }
        if let Some(known) = self.likely.borrow().get(key) {
            return *known;
        }
        let likely = config::likely(key);
        self.likely.borrow_mut().insert(key.to_owned(), likely);
        likely
    }

    /// Whether a topic may have a config of that name. `false` where it cannot, which a finding says.
    pub(super) fn is_possible(&self, key: &str, place: Place, problems: &Problems) -> bool {
        if key.trim().is_empty() {
            problems.add(
                Finding::new(Code::Ym008, "a config has an empty name, and Kafka has none of that name")
                    .at(place)
                    .help("write the name of a topic-level config"),
            );
            return false;
        }
        if let Some(meant) = self.likely(key) {
            let message = format!("`{key}` is not a topic-level config, so Kafka would refuse the topic");
            problems.add(Finding::new(Code::Cf001, message).at(place).help(format!("write `{meant}`")));
            return false;
        }
        true
    }

    /// One entry of `config`, of a profile where it stands in one. `None` where it was wrong, which a finding says.
    pub(super) fn read(&self, entry: &Entry<ConfigValue>, profile: Option<&str>, problems: &Problems) -> Option<(ConfigKey, Wanted)> {
        let key = entry.key.as_str();
        if !self.is_possible(key, entry.place, problems) {
            return None;
        }
        if let Some((known, since)) = config::find(key).and_then(|known| Some((known, known.deprecated?))) {
            let message = format!("`{key}` is deprecated since Kafka {since}, and a later version refuses it");
            problems.add(Finding::new(Code::Cf004, message).at(entry.place).help(known.instead.unwrap_or("take it out")));
        }
        let given = entry.value.as_ref()?;
        let kind = config::kind(key);
        let wanted = |value, written| Wanted { value, written, place: given.place, key_place: entry.place, profile: profile.map(str::to_owned) };
        let written = match &given.value {
            ConfigValue::Null => return Some((ConfigKey::new(key), wanted(None, "null".to_owned()))),
            ConfigValue::Text(text) => text.clone(),
            ConfigValue::List(_) if kind != Kind::List && config::find(key).is_some() => {
                let message = format!("`{key}`: a list stands where one {kind} belongs");
                problems.add(Finding::new(Code::Ym003, message).at(given.place).help(format!("write one {kind}")));
                return None;
            }
            ConfigValue::List(list) => join(list, key, problems)?,
        };
        match kind.stored(&written) {
            Ok(stored) => match config::check(key, &stored) {
                Ok(()) => Some((ConfigKey::new(key), wanted(Some(stored), written))),
                Err(why) => {
                    problems.add(Finding::new(Code::Cf003, why.to_string()).at(given.place).help("write a value that brokers take"));
                    None
                }
            },
            Err(why) => {
                let help =
                    if config::find(key).is_some() { format!("`{key}` takes a {kind}") } else { "write the value without white space around it".to_owned() };
                problems.add(Finding::new(Code::Ym008, format!("`{key}`: {why}")).at(given.place).help(help));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_days() {
        assert_eq!(parse_day("2028-02-29"), Some(Day { year: 2028, month: 2, day: 29 }));
        assert_eq!(parse_day("2000-02-29").map(|day| day.to_string()), Some("2000-02-29".to_owned()));
        for text in [
            "2027-02-29",
            "2100-02-29",
            "2027-04-31",
            "2027-13-01",
            "2027-00-10",
            "2027-01-00",
            "2027-1-1",
            "27-01-01",
            "2027/01/01",
            "2027-01-01T00:00",
            "",
            "２０２７-01-01",
            "+027-01-01",
        ] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
