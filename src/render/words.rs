//! Words for counts, times, places and values, the same in every part of the text.

use crate::finding::{Place, Sources};
use crate::kafka::config;
use crate::kafka::rules::kept_share;
use crate::kafka::value::Kind;
use crate::live::Instant;
use crate::plan::{Attribute, Before, Value};
use crate::wire::instant::rfc3339;

/// `1 topic`, `2 topics`, `2 copies`.
pub fn count(number: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == 1 => format!("1 {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

/// `within 10m`, or that nobody knows when.
pub(super) fn within(seconds: Option<u64>) -> String {
    match seconds {
        Some(seconds) => {
            let milliseconds = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000);
            format!("within {}", Kind::Milliseconds.human(&milliseconds.to_string()))
        }
        None => "in a coming cycle".to_owned(),
    }
}

/// `2026-11-30 12:00`, UTC.
pub(super) fn minute(instant: Instant) -> String {
    let text = rfc3339(instant);
    text.rsplit_once(':').map_or(text.as_str(), |(minute, _)| minute).replace('T', " ")
}

/// `3 h old`: in the largest unit that is full.
pub(super) fn age(then: Instant, now: Instant) -> String {
    let seconds = now.0.saturating_sub(then.0);
    match seconds {
        ..0 => "in the future".to_owned(),
        0..60 => "under 1 min old".to_owned(),
        60..3_600 => format!("{} min old", seconds / 60),
        3_600..86_400 => format!("{} h old", seconds / 3_600),
        86_400..172_800 => "1 day old".to_owned(),
        172_800.. => format!("{} days old", seconds / 86_400),
    }
}

/// `topics/payments.yaml:14`.
pub(super) fn place(place: Place, sources: &Sources) -> String {
    let position = sources.position(place);
    format!("{}:{}", position.file, position.line)
}

/// The attribute as people call it: a config by its bare key.
pub(super) fn attribute(attribute: &Attribute) -> String {
    match attribute {
        Attribute::Config(key) => key.to_string(),
        Attribute::ReplicationFactor => "replication factor".to_owned(),
        Attribute::Existence | Attribute::Partitions => attribute.to_string(),
    }
}

/// A value in units, `7d`; the empty text as `""`.
pub(super) fn human(attribute: &Attribute, value: &Value) -> String {
    match (attribute, value) {
        (_, Value::Text(text)) if text.is_empty() => "\"\"".to_owned(),
        (Attribute::Config(key), Value::Text(text)) => config::kind(key.as_str()).human(text),
        (_, value) => value.to_string(),
    }
}

/// A value in units with the raw one behind it, `7d (604800000)`.
pub(super) fn human_and_raw(attribute: &Attribute, value: &Value) -> String {
    let human = human(attribute, value);
    match value {
        Value::Text(raw) if !raw.is_empty() && *raw != human => format!("{human} ({raw})"),
        Value::Text(_) | Value::Count(_) => human,
    }
}

/// `7d -> 3d   604800000 -> 259200000`; the raw values only where they read differently.
pub(super) fn change(attribute: &Attribute, before: &Before, after: Option<&Value>) -> String {
    let own = before.own.as_ref();
    let (old, old_raw) = match (own, &before.effective) {
        (Some(value), _) => (human(attribute, value), value.to_string()),
        (None, Some(inherited)) => (format!("{} (inherited)", human(attribute, inherited)), inherited.to_string()),
        (None, None) if matches!(attribute, Attribute::Config(_)) => ("unknown (inherited)".to_owned(), "unknown".to_owned()),
        (None, None) => ("absent".to_owned(), "absent".to_owned()),
    };
    let (new, new_raw) = match (after, own, &before.effective) {
        (Some(value), _, _) => (human(attribute, value), value.to_string()),
        (None, Some(_), Some(inherited)) => (format!("{} (inherited)", human(attribute, inherited)), inherited.to_string()),
        (None, _, _) => ("the cluster's default".to_owned(), "no override".to_owned()),
    };
    let differs = |value: Option<&Value>| value.is_some_and(|value| human(attribute, value) != value.to_string() && !value.to_string().is_empty());
    let raw = if differs(own.or(before.effective.as_ref())) || differs(after) { format!("   {old_raw} -> {new_raw}") } else { String::new() };
    format!("{old} -> {new}{raw}")
}

/// How many keys change their partition when a topic grows, in words; `None` where a count is 0.
pub(super) fn keys_that_move(from: u32, to: u32) -> Option<String> {
    let (kept, of) = kept_share(from, to)?;
    let moved = of - kept;
    Some(match (moved, of) {
        (0, _) => "no key moves to another partition".to_owned(),
        (1, 2) => "half of the keys move to another partition".to_owned(),
        (moved, of) => format!("{moved}/{of} of the keys move to another partition"),
    })
}

/// `a, b, c and 9 more`: at most `shown` of them.
pub(super) fn some_of(names: &[&str], shown: usize) -> String {
    let listed = names.iter().take(shown).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(shown) {
        0 => listed,
        rest if listed.is_empty() => rest.to_string(),
        rest => format!("{listed} and {rest} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::origin::Origin;

    fn text(text: &str) -> Option<Value> {
        Some(Value::Text(text.to_owned()))
    }

    #[test]
    fn counts_are_english() {
        assert_eq!(count(1, "topic"), "1 topic");
        assert_eq!(count(0, "topic"), "0 topics");
        assert_eq!(count(2, "copy"), "2 copies");
    }

    #[test]
    fn a_change_shows_units_and_raw_values() {
        let retention = Attribute::Config("retention.ms".into());
        let before = |own, effective| Before { own, effective, origin: Some(Origin::Default) };
        let shown = |own, effective, after: Option<Value>| change(&retention, &before(own, effective), after.as_ref());
        assert_eq!(shown(text("604800000"), None, text("259200000")), "7d -> 3d   604800000 -> 259200000");
        assert_eq!(shown(None, text("604800000"), text("259200001")), "7d (inherited) -> 259200001   604800000 -> 259200001");
        assert_eq!(shown(None, None, text("1")), "unknown (inherited) -> 1");
        assert_eq!(shown(text("259200000"), text("604800000"), None), "3d -> 7d (inherited)   259200000 -> 604800000");
        assert_eq!(shown(text("1"), None, None), "1 -> the cluster's default");
        let partitions = Before { own: Some(Value::Count(6)), effective: None, origin: None };
        assert_eq!(change(&Attribute::Partitions, &partitions, Some(&Value::Count(12))), "6 -> 12");
    }

    #[test]
    fn growth_says_how_many_keys_move() {
        assert_eq!(keys_that_move(6, 12).unwrap(), "half of the keys move to another partition");
        assert_eq!(keys_that_move(6, 8).unwrap(), "3/4 of the keys move to another partition");
        assert_eq!(keys_that_move(6, 7).unwrap(), "6/7 of the keys move to another partition");
    }

    #[test]
    fn an_age_is_told_in_the_largest_unit_that_is_full() {
        let noon = Instant(1_796_040_000);
        assert_eq!(minute(noon), "2026-11-30 12:00");
        assert_eq!(minute(Instant(noon.0 + 3_599)), "2026-11-30 12:59");
        let after = |seconds| age(noon, Instant(noon.0 + seconds));
        assert_eq!([-1, 0, 59, 60, 3_599].map(after), ["in the future", "under 1 min old", "under 1 min old", "1 min old", "59 min old"]);
        assert_eq!([3_600, 86_399, 86_400, 172_800].map(after), ["1 h old", "23 h old", "1 day old", "2 days old"]);
    }

    #[test]
    fn times_read_as_people_write_them() {
        assert_eq!(within(Some(600)), "within 10m");
        assert_eq!(within(Some(90)), "within 90s");
        assert_eq!(within(None), "in a coming cycle");
    }
}
