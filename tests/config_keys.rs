//! `docs/config-keys.md` says what the catalogue of topic configs says. `UPDATE_DOCS=1 cargo test --test config_keys` writes its tables anew.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "reads and writes the documentation")]

#[path = "kafka/contradicting.rs"]
mod contradicting;

use contradicting::{INHERITED, Own, REFUSED, SENSELESS};
use isotopic::kafka::config::{TOPIC_CONFIGS, TopicConfig, VENDORS};
use isotopic::kafka::contradictions::{Contradiction, Effect, InForce, Values, contradictions};
use isotopic::kafka::version::{Version, Versions};
use std::fmt::Write as _;
use std::path::Path;

#[test]
fn the_documented_tables_are_those_of_the_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/config-keys.md");
    let written = std::fs::read_to_string(&path).unwrap();
    let tables =
        [("keys", keys()), ("refused", examples(&REFUSED, Effect::Refused)), ("senseless", examples(&SENSELESS, Effect::Senseless)), ("vendors", vendors())];
    let current = tables.iter().fold(written.clone(), |text, (name, table)| with_table(&text, name, table));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, current).unwrap();
    } else {
        assert_eq!(written, current, "docs/config-keys.md is out of date: UPDATE_DOCS=1 cargo test --test config_keys");
    }
}

fn with_table(text: &str, name: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&start).unwrap_or_else(|| panic!("docs/config-keys.md lacks {start}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("docs/config-keys.md lacks {end}"));
    format!("{before}{start}{table}{end}{after}")
}

fn keys() -> String {
    let mut table = "| key | type | Kafka takes | versions |\n|---|---|---|---|\n".to_owned();
    for key in &TOPIC_CONFIGS {
        writeln!(table, "| `{}` | {} | {} | {} |", key.name, key.kind, taken(key), versions(key)).unwrap();
    }
    table
}

fn taken(key: &TopicConfig) -> String {
    let mut bounds = key.bounds.iter();
    let oldest = bounds.next().unwrap().limits.describe(key.kind);
    bounds.fold(oldest, |text, bounds| format!("{text}; from {} on: {}", bounds.since, bounds.limits.describe(key.kind)))
}

fn versions(key: &TopicConfig) -> String {
    let mut text = match (key.versions.from, key.versions.before) {
        (Version::OLDEST, None) => "all".to_owned(),
        (Version::OLDEST, Some(end)) => format!("before {end}"),
        (from, None) => format!("from {from} on"),
        (from, Some(end)) => format!("from {from} on, before {end}"),
    };
    if let Some(since) = key.deprecated {
        write!(text, ", deprecated since {since}").unwrap();
    }
    if let Some(instead) = key.instead {
        write!(text, "; {instead}").unwrap();
    }
    text
}

fn examples(list: &[Own], effect: Effect) -> String {
    let mut table = "| a topic with | what is told |\n|---|---|\n".to_owned();
    for own in list {
        let configs: Vec<_> = own.iter().map(|(key, value)| format!("`{key}: {value}`")).collect();
        writeln!(table, "| {} | {} |", configs.join(", "), only(own, effect).why).unwrap();
    }
    table
}

/// The one contradiction that an example is an example of.
fn only(own: Own, effect: Effect) -> Contradiction {
    let mut values: Values<'_> = INHERITED.iter().map(|(key, value)| (*key, InForce { value, is_own: false })).collect();
    values.extend(own.iter().map(|(key, value)| (*key, InForce { value, is_own: true })));
    let found: Vec<_> = contradictions(&values).into_iter().filter(|found| found.effect == effect).collect();
    assert!(found.len() == 1, "{own:?} is an example of one contradiction: {found:?}");
    found.into_iter().next().unwrap()
}

fn vendors() -> String {
    let mut table = "| keys that start with | are known to the brokers of |\n|---|---|\n".to_owned();
    for vendor in &VENDORS {
        writeln!(table, "| `{}` | {} |", vendor.prefix, vendor.product).unwrap();
    }
    table
}

#[test]
fn every_key_that_takes_part_in_a_contradiction_is_one_of_kafkas() {
    let names = REFUSED.iter().chain(&SENSELESS).flat_map(|own| own.iter()).chain(&INHERITED).map(|(key, _)| *key);
    for name in names {
        let key = TOPIC_CONFIGS.iter().find(|key| key.name == name);
        assert!(key.is_some_and(|key| key.versions.meet(Versions::only(Version(4, 3)))), "{name}");
    }
}
