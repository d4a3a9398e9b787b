//! What bounds a workspace: limits of a run, policies, and when drift alarms.

use super::layer::Reader;
use super::patterns::patterns;
use super::settings::Clusters;
use super::shapes::{self, Count, Name, Range};
use super::values::{MOST_PARTITIONS, MOST_REPLICAS, count, day, reason};
use super::{Bounds, DriftIgnore, DriftSettings, Limits, Patterns, Policy, Required};
use crate::finding::{Code, Finding, Severity, catalogue::CODES};
use crate::kafka::config;
use crate::kafka::name::ConfigKey;
use crate::kafka::value::Kind;
use crate::yaml::{Entry, Field, Given, Problems, likely};

/// `limits`, with defaults for what is left out.
pub(super) fn limits(field: &Field<shapes::Limits>, problems: &Problems) -> Limits {
    let defaults = Limits::default();
    let Some(shapes::Limits { deletes, partition_increases, changed_percent }) = field.value() else { return defaults };
    let of = |field: &Field<u32>, default| field.value().copied().unwrap_or(default);
    if let Some(given) = changed_percent.given().filter(|given| given.value > 100) {
        let message = format!("`changed_percent`: {} is more than all topics", given.value);
        problems.add(Finding::new(Code::Ym008, message).at(given.place).help("write a number from 0 to 100"));
    }
    Limits {
        deletes: of(deletes, defaults.deletes),
        partition_increases: of(partition_increases, defaults.partition_increases),
        changed_percent: of(changed_percent, defaults.changed_percent),
    }
}

/// `policy`: the entries that are right.
pub(super) fn policies(written: &[Given<shapes::Policy>], reader: &Reader<'_>) -> Vec<Policy> {
    written.iter().filter_map(|given| policy(given, reader)).collect()
}

fn policy(given: &Given<shapes::Policy>, reader: &Reader<'_>) -> Option<Policy> {
    let problems = reader.problems;
    let shapes::Policy { topics, name, partitions, replication_factor, require, config } = &given.value;
    let rules = [name.is_missing(), partitions.is_missing(), replication_factor.is_missing(), require.is_missing(), config.is_missing()];
    if !rules.contains(&false) && given.intact {
        let help = "write `name`, `partitions`, `replication_factor`, `require` or `config`, or remove it";
        problems.add(Finding::new(Code::Ym012, "a policy has no rule, so every topic keeps to it").at(given.place).help(help));
    }
    let topics = match topics {
        Field::Missing => everything(problems, given),
        Field::Wrong => None,
        Field::Given(topics) => patterns(topics, problems),
    };
    let name = name.given().and_then(|name| expression(name, problems));
    let counts = |field: &Field<Range<Count>>, name, most| {
        bounds(field.value(), name, |given: &Given<Count>| count(given, name, most, problems).map(|at| at.value), problems)
    };
    Some(Policy {
        place: given.place,
        topics: topics?,
        name,
        partitions: counts(partitions, "partitions", MOST_PARTITIONS),
        replication_factor: counts(replication_factor, "replication_factor", MOST_REPLICAS),
        require: require.value().map_or(&[][..], |list| &list.0).iter().map(required).collect(),
        config: config.value().map_or(&[][..], |entries| &entries.0).iter().filter_map(|entry| config_bounds(entry, reader)).collect(),
    })
}

fn everything(problems: &Problems, given: &Given<shapes::Policy>) -> Option<Patterns> {
    let all = Given { value: shapes::NamePatterns::One("*".to_owned()), place: given.place, key: given.key, intact: true };
    patterns(&all, problems)
}

fn required(given: &Given<shapes::Required>) -> Required {
    match given.value {
        shapes::Required::Owner => Required::Owner,
        shapes::Required::Keys => Required::Keys,
    }
}

fn expression(given: &Given<String>, problems: &Problems) -> Option<(String, regex::Regex)> {
    let wrong = |why: &str| {
        let finding = Finding::new(Code::Ym008, format!("`name`: {:?} is no regular expression: {why}", given.value)).at(given.place);
        problems.add(finding.help("write one that names must match, such as ^[a-z.]+$"));
    };
    if given.value.is_empty() {
        wrong("it is empty");
        return None;
    }
    match regex::Regex::new(&given.value) {
        Ok(pattern) => Some((given.value.clone(), pattern)),
        Err(error) => {
            // The library draws the expression over several lines; the last one says what is wrong.
            let text = error.to_string();
            wrong(text.lines().last().unwrap_or_default().trim_start_matches("error: "));
            None
        }
    }
}

fn bounds<T, U: Copy + Ord>(range: Option<&Range<T>>, name: &str, read: impl Fn(&Given<T>) -> Option<U>, problems: &Problems) -> Bounds<U> {
    let Some(Range { min, max }) = range else { return Bounds { min: None, max: None } };
    let value = |field: &Field<T>| field.given().and_then(|given| Some((read(given)?, given.place)));
    let (min, max) = (value(min), value(max));
    if let (Some((least, _)), Some((most, place))) = (min, max)
        && most < least
    {
        let message = format!("the largest `{name}` of a policy is below its smallest, so no topic can keep to it");
        problems.add(Finding::new(Code::Ym008, message).at(place).help("write a `max` that is not below `min`"));
    }
    Bounds { min: min.map(|(value, _)| value), max: max.map(|(value, _)| value) }
}

fn config_bounds(entry: &Entry<Range<Name>>, reader: &Reader<'_>) -> Option<(ConfigKey, Bounds<i64>)> {
    let (key, problems) = (entry.key.as_str(), reader.problems);
    if !reader.configs.is_possible(key, entry.place, problems) {
        return None;
    }
    let kind = config::kind(key);
    match kind {
        Kind::Milliseconds | Kind::Bytes | Kind::Integer => {}
        Kind::Decimal | Kind::Boolean | Kind::Text | Kind::List => {
            let message = format!("`{key}` takes a {kind}, and a policy bounds durations, sizes and whole numbers only");
            problems.add(Finding::new(Code::Ym008, message).at(entry.place).help("take it out of the policy"));
            return None;
        }
    }
    let number = |given: &Given<Name>| match kind.stored(&given.value.0) {
        // -1 keeps everything: more than any number.
        Ok(stored) if stored == "-1" && key.starts_with("retention.") => Some(i64::MAX),
        Ok(stored) => stored.parse().ok(),
        Err(why) => {
            problems.add(Finding::new(Code::Ym008, format!("`{key}`: {why}")).at(given.place).help(format!("`{key}` takes a {kind}")));
            None
        }
    };
    let given = entry.value.as_ref()?;
    Some((ConfigKey::new(key), bounds(Some(&given.value), key, number, problems)))
}

/// `drift`, with defaults for what is left out.
pub(super) fn drift(field: &Field<shapes::Drift>, clusters: &Clusters, problems: &Problems) -> DriftSettings {
    let mut settings = DriftSettings::default();
    let Some(shapes::Drift { grace, fail_on, ignore }) = field.value() else { return settings };
    if let Some(given) = grace.given() {
        match Kind::Milliseconds.stored(&given.value.0).map(|stored| stored.parse::<i64>()) {
            Ok(Ok(grace)) if grace >= 0 => settings.grace_ms = grace,
            Ok(_) => {
                let message = format!("`grace`: {:?} lies in the past", given.value.0);
                problems.add(Finding::new(Code::Ym008, message).at(given.place).help("write a duration of 0 or more"));
            }
            Err(why) => problems.add(Finding::new(Code::Ym008, format!("`grace`: {why}")).at(given.place).help("write a duration, such as 10m")),
        }
    }
    if let Some(threshold) = fail_on.value() {
        settings.fail_on = match threshold {
            shapes::Threshold::Error => Severity::Error,
            shapes::Threshold::Warning => Severity::Warning,
            shapes::Threshold::Info => Severity::Info,
        };
    }
    let ignored = ignore.value().map_or(&[][..], |list| &list.0).iter().filter_map(|given| ignored(given, clusters, problems)).collect();
    settings.ignore = ignored;
    settings
}

fn ignored(given: &Given<shapes::Ignore>, clusters: &Clusters, problems: &Problems) -> Option<DriftIgnore> {
    let shapes::Ignore { cluster, topics, code, actual, reason: why, expires } = &given.value;
    let required = [("cluster", cluster.is_missing()), ("topics", topics.is_missing()), ("code", code.is_missing()), ("actual", actual.is_missing())];
    for (field, _) in required.iter().filter(|(_, missing)| *missing) {
        let message = format!("an ignored drift has no `{field}`, so it would hide more than somebody looked at");
        problems.add(Finding::new(Code::Ym012, message).at(given.place).help(format!("write `{field}`")));
    }
    let reason = reason(why, "an ignored drift", given.place, problems);
    let expires = expires.given().and_then(|given| day(given, problems));
    let cluster = cluster.given().and_then(|given| clusters.find(&given.value, given.place, problems));
    let topics = topics.given().and_then(|given| patterns(given, problems));
    let code = code.given().and_then(|given| {
        let code = Code::from_name(&given.value);
        if code.is_none() {
            let help = likely(&given.value.to_ascii_uppercase(), CODES.iter().map(|code| code.as_str()));
            let help = help.map_or_else(|| "`isotopic explain` lists the codes".to_owned(), |code| format!("write `{code}`"));
            problems.add(Finding::new(Code::Ym008, format!("{:?} is not a code of this version", given.value)).at(given.place).help(help));
        }
        code
    });
    let actual = actual.value().map(|actual| actual.0.clone());
    Some(DriftIgnore { place: given.place, cluster: cluster?, topics: topics?, code: code?, actual: actual?, reason: reason?, expires })
}
