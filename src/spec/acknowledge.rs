//! Acknowledgements as written, made into the changes that they agree to. Whether such a change happens is the judge's matter.

use super::settings::{Settings, among};
use super::shapes::{self, Count, Items, Name, Span};
use super::values::{MOST_PARTITIONS, count, day, join, reason};
use super::{ACKNOWLEDGED_CONFIGS, Acknowledgement, Change, ProfileAcknowledgement};
use crate::finding::{Code, Finding, Place};
use crate::kafka::config;
use crate::kafka::name::ConfigKey;
use crate::yaml::{Field, Given, Problems};

const INCREASE: &str = "partition_increase";

/// The acknowledgements of a topic that are right.
pub(super) fn of_topic(written: &shapes::Acknowledge, problems: &Problems) -> Vec<Acknowledgement> {
    let shapes::Acknowledge { partition_increase, retention_cut, retention_size_cut, message_size_cut, cleanup_policy, delete } = written;
    let found = [
        agreed(partition_increase, INCREASE, increase, problems),
        agreed(retention_cut, "retention_cut", cut, problems),
        agreed(retention_size_cut, "retention_size_cut", cut, problems),
        agreed(message_size_cut, "message_size_cut", cut, problems),
        agreed(cleanup_policy, "cleanup_policy", policy, problems),
        deletion(delete, problems),
    ];
    found.into_iter().flatten().collect()
}

/// The acknowledgements of profiles that are right.
pub(super) fn of_profiles(written: &[Given<shapes::ProfileAcknowledge>], settings: &Settings, problems: &Problems) -> Vec<ProfileAcknowledgement> {
    written.iter().filter_map(|given| of_profile(given, settings, problems)).collect()
}

fn of_profile(given: &Given<shapes::ProfileAcknowledge>, settings: &Settings, problems: &Problems) -> Option<ProfileAcknowledgement> {
    let shapes::ProfileAcknowledge { profile, partition_increase, retention_cut, retention_size_cut, message_size_cut, cleanup_policy, reason: why, expires } =
        &given.value;
    let changes = [
        spanned(partition_increase, INCREASE, increase, problems),
        spanned(retention_cut, "retention_cut", cut, problems),
        spanned(retention_size_cut, "retention_size_cut", cut, problems),
        spanned(message_size_cut, "message_size_cut", cut, problems),
        spanned(cleanup_policy, "cleanup_policy", policy, problems),
    ];
    let mut changes = changes.into_iter().flatten();
    let tell = |finding: Finding| problems.add(finding);
    if profile.is_missing() {
        tell(Finding::new(Code::Ym012, "an acknowledgement has no `profile`").at(given.place).help("write the profile whose topics change"));
    }
    if let Some(profile) = profile.given().filter(|profile| settings.profiles_known && !settings.profiles.contains_key(&profile.value)) {
        let help = among(&profile.value, settings.profiles.keys().map(String::as_str), "profiles");
        tell(Finding::new(Code::Ym007, format!("there is no profile {:?} in this workspace", profile.value)).at(profile.place).help(help));
    }
    let (first, second) = (changes.next(), changes.next());
    if let (Some((first, _)), Some((second, _))) = (&first, &second) {
        let message = "one acknowledgement agrees to two changes, which nobody could take out one by one";
        tell(Finding::new(Code::Ym013, message).at(*second).and_at(*first, "the other one").help("write an entry for each"));
    }
    if first.is_none() && given.intact {
        let message = "an acknowledgement names no change, so nothing says what was agreed to";
        let kinds = ACKNOWLEDGED_CONFIGS.map(|(_, kind)| kind).join(", ");
        tell(Finding::new(Code::Ym012, message).at(given.place).help(format!("write one of {INCREASE}, {kinds}")));
    }
    let place = first.as_ref().map_or(given.place, |(place, _)| *place);
    let reason = reason(why, "an acknowledgement", place, problems);
    let expires = expires.given().and_then(|given| day(given, problems));
    let acknowledgement = Acknowledgement { place, change: first?.1?, reason: reason?, expires };
    Some(ProfileAcknowledgement { profile: profile.value()?.clone(), acknowledgement })
}

/// Reads the two ends of a change of one kind.
type Read<T> = fn(&'static str, &Given<T>, &Given<T>, &Problems) -> Option<Change>;

fn agreed<T>(field: &Field<shapes::Agreed<T>>, kind: &'static str, read: Read<T>, problems: &Problems) -> Option<Acknowledgement> {
    let given = field.given()?;
    let shapes::Agreed { from, to, reason: why, expires } = &given.value;
    let change = change(kind, given.key, (from, to), read, problems);
    let reason = reason(why, &format!("`{kind}`"), given.key, problems);
    let expires = expires.given().and_then(|given| day(given, problems));
    Some(Acknowledgement { place: given.key, change: change?, reason: reason?, expires })
}

fn spanned<T>(field: &Field<Span<T>>, kind: &'static str, read: Read<T>, problems: &Problems) -> Option<(Place, Option<Change>)> {
    let given = field.given()?;
    let Span { from, to } = &given.value;
    Some((given.key, change(kind, given.key, (from, to), read, problems)))
}

fn change<T>(kind: &'static str, key: Place, (from, to): (&Field<T>, &Field<T>), read: Read<T>, problems: &Problems) -> Option<Change> {
    for (field, name) in [(from, "from"), (to, "to")] {
        missing(field, kind, name, key, problems);
    }
    read(kind, from.given()?, to.given()?, problems)
}

fn missing<T>(field: &Field<T>, kind: &str, name: &str, key: Place, problems: &Problems) {
    if field.is_missing() {
        let message = format!("`{kind}` has no `{name}`, so nothing says what was agreed to");
        problems.add(Finding::new(Code::Ym012, message).at(key).help(format!("write `{name}`")));
    }
}

fn increase(kind: &'static str, from: &Given<Count>, to: &Given<Count>, problems: &Problems) -> Option<Change> {
    let (from, to) = (count(from, "from", MOST_PARTITIONS, problems), count(to, "to", MOST_PARTITIONS, problems));
    let (from, to) = (from?, to?);
    if to.value <= from.value {
        let message = format!("`{kind}` goes from {} to {}, and partitions can only increase", from.value, to.value);
        problems.add(Finding::new(Code::Ym008, message).at(to.place).help("write a `to` above `from`"));
        return None;
    }
    Some(Change::Partitions { from: from.value, to: to.value })
}

fn cut(kind: &'static str, from: &Given<Name>, to: &Given<Name>, problems: &Problems) -> Option<Change> {
    let change = of_config(kind, (&from.value.0, from.place), (&to.value.0, to.place), problems)?;
    let Change::Config { key, from, to: after } = &change else { return None };
    // -1 keeps everything.
    let limit = |text: &str| text.parse::<i64>().ok().map(|number| if number == -1 { i64::MAX } else { number });
    if limit(after) >= limit(from) {
        let shown = |text: &str| config::kind(key.as_str()).human(text);
        let message = format!("`{kind}` goes from {} to {}, which is no cut", shown(from), shown(after));
        problems.add(Finding::new(Code::Ym008, message).at(to.place).help("write a `to` below `from`, or remove it: only a cut needs an acknowledgement"));
        return None;
    }
    Some(change)
}

fn policy(kind: &'static str, from: &Given<Items>, to: &Given<Items>, problems: &Problems) -> Option<Change> {
    let text = |given: &Given<Items>| match &given.value {
        Items::Text(text) => Some(text.clone()),
        Items::List(list) => join(list, kind, problems),
    };
    let (before, after) = (text(from), text(to));
    of_config(kind, (&before?, from.place), (&after?, to.place), problems)
}

fn of_config(kind: &'static str, from: (&str, Place), to: (&str, Place), problems: &Problems) -> Option<Change> {
    let (key, _) = ACKNOWLEDGED_CONFIGS.iter().find(|(_, word)| *word == kind)?;
    let stored = |(text, place): (&str, Place)| {
        let stored = config::kind(key).stored(text).map_err(|why| {
            let finding = Finding::new(Code::Ym008, format!("`{kind}`: {why}")).at(place);
            problems.add(finding.help(format!("it takes a {}, as `{key}` does", config::kind(key))));
        });
        let stored = stored.ok()?;
        let checked = config::check(key, &stored)
            .map_err(|why| problems.add(Finding::new(Code::Cf003, why.to_string()).at(place).help("write the values before and after the change")));
        checked.ok().map(|()| stored)
    };
    let (before, after) = (stored(from), stored(to));
    let (before, after) = (before?, after?);
    if config::kind(key).equal(&before, &after) {
        let message = format!("`{kind}` goes from {} to {}, which changes nothing", from.0, to.0);
        problems.add(Finding::new(Code::Ym008, message).at(to.1).help("write the values before and after the change, or remove it"));
        return None;
    }
    Some(Change::Config { key: ConfigKey::new(*key), from: before, to: after })
}

fn deletion(field: &Field<shapes::Delete>, problems: &Problems) -> Option<Acknowledgement> {
    let given = field.given()?;
    let shapes::Delete { topic_id, reason: why, expires } = &given.value;
    missing(topic_id, "delete", "topic_id", given.key, problems);
    let reason = reason(why, "`delete`", given.key, problems);
    let expires = expires.given().and_then(|given| day(given, problems));
    let topic_id = topic_id.given()?;
    if topic_id.value.trim().is_empty() {
        let finding = Finding::new(Code::Ym008, "`topic_id` is empty, and tells no topic from one that is made anew").at(topic_id.place);
        problems.add(finding.help("write the id that the plan prints"));
        return None;
    }
    Some(Acknowledgement { place: given.key, change: Change::Delete { topic_id: topic_id.value.clone() }, reason: reason?, expires })
}
