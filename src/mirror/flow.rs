//! A flow: one direction of MirrorMaker, with those of its settings that decide about copies.
//!
//! Reads MirrorMaker's keys as declared; what this version of isotopic cannot evaluate is refused, never guessed.

use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{self, ClusterName, ConfigKey, TopicName};
use crate::kafka::value;
use crate::spec::{At, Mirror, Workspace};
use std::fmt;

/// MirrorMaker's version, as far as its behaviour depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 3 or 4.
    pub major: u16,
    /// The number after the first point.
    pub minor: u16,
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)
    }
}

/// The versions whose behaviour is built in. Older ones alter configs by full replacement, newer ones are not known.
const OLDEST: Version = Version { major: 3, minor: 5 };
const NEWEST: Version = Version { major: 4, minor: 3 };

/// Which of the two rules for internal topics and default excludes holds: KIP-1074 narrowed both in 4.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Up to 3.9.
    Before4,
    /// From 4.0.
    From4,
}

impl Era {
    /// The default of `topics.exclude` (`DefaultTopicFilter`).
    pub fn default_excludes(self) -> [&'static str; 3] {
        match self {
            Self::Before4 => [r".*[\-\.]internal", r".*\.replica", "__.*"],
            Self::From4 => [r"mm2.*\.internal", r".*\.replica", "__.*"],
        }
    }
}

/// One direction of MirrorMaker.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The cluster it reads.
    pub source: ClusterName,
    /// The cluster it writes.
    pub target: ClusterName,
    /// MirrorMaker's alias of the source: the first part of copies' names.
    pub source_alias: String,
    /// MirrorMaker's alias of the target.
    pub target_alias: String,
    /// Its version; `None` where nobody said (MM014).
    pub version: Option<Version>,
    /// `replication.factor` of new copies; -1 leaves it to the target.
    pub replication_factor: i64,
    /// `refresh.topics.interval.seconds`: how often it looks for topics to create and to grow.
    pub refresh_seconds: u64,
    /// `sync.topic.configs.interval.seconds`: how often it writes configs.
    pub sync_seconds: u64,
    /// Keys that it leaves out and that git keeps equal on the copies.
    pub fill: Vec<At<ConfigKey>>,
    /// Where it is declared.
    pub place: Place,
}

/// `replication.policy.separator` at its default, the only one that this version evaluates.
pub const SEPARATOR: &str = ".";

impl Flow {
    /// What the copy of a topic is called (`DefaultReplicationPolicy.formatRemoteTopic`).
    pub fn copy_name(&self, topic: &TopicName) -> TopicName {
        TopicName::new(format!("{}{SEPARATOR}{topic}", self.source_alias))
    }

    /// The name that a copy has on its source; `None` where a topic of the target is not named like a copy of this flow.
    pub fn upstream_name<'a>(&self, copy: &'a str) -> Option<&'a str> {
        copy.strip_prefix(self.source_alias.as_str())?.strip_prefix(SEPARATOR).filter(|rest| !rest.is_empty())
    }

    /// Whether MirrorMaker fails to recognise its own copies: it takes the part before the first separator for the source's alias, so an alias that holds
    /// the separator is never found (`DefaultReplicationPolicy.topicSource`). Copies are then created once, and never grown or synced.
    pub fn is_blind(&self) -> bool {
        self.source_alias.contains(SEPARATOR)
    }

    /// The rules that may hold: one where the version is known, both where it is not.
    pub fn eras(&self) -> &'static [Era] {
        match self.version {
            Some(version) if version.major >= 4 => &[Era::From4],
            Some(_) => &[Era::Before4],
            None => &[Era::Before4, Era::From4],
        }
    }
}

/// The flows that a workspace declares, with what is wrong about their MirrorMaker settings.
pub fn flows(workspace: &Workspace) -> (Vec<Flow>, Vec<Finding>) {
    let mut findings = Vec::new();
    let flows = workspace.mirrors.iter().map(|mirror| flow(mirror, &mut findings)).collect();
    (flows, findings)
}

fn flow(mirror: &Mirror, findings: &mut Vec<Finding>) -> Flow {
    let alias = |declared: &Option<At<String>>, cluster: &ClusterName| declared.as_ref().map_or_else(|| cluster.to_string(), |alias| alias.value.clone());
    let mut flow = Flow {
        source: mirror.source.clone(),
        target: mirror.target.clone(),
        source_alias: alias(&mirror.source_alias, &mirror.source),
        target_alias: alias(&mirror.target_alias, &mirror.target),
        version: version(mirror, findings),
        replication_factor: 2,
        refresh_seconds: 600,
        sync_seconds: 600,
        fill: mirror.fill.clone(),
        place: mirror.place,
    };
    aliases(mirror, &flow, findings);
    for (key, (key_place, setting)) in &mirror.config {
        match key.as_str() {
            "replication.factor" => match whole(key, setting, findings) {
                Some(number) if number == -1 || (1..=i64::from(i16::MAX)).contains(&number) => flow.replication_factor = number,
                Some(number) => findings.push(
                    Finding::new(Code::Ym008, format!("replication.factor is {number}, and Kafka takes 1 to 32767, or -1"))
                        .at(setting.place)
                        .help("write 1 or more, or -1 for the target broker's default"),
                ),
                None => {}
            },
            "refresh.topics.interval.seconds" => flow.refresh_seconds = interval(key, setting, findings).unwrap_or(flow.refresh_seconds),
            "sync.topic.configs.interval.seconds" => flow.sync_seconds = interval(key, setting, findings).unwrap_or(flow.sync_seconds),
            "topics.exclude" => excludes(&flow, setting, findings),
            _ => findings.push(unsupported(key, *key_place)),
        }
    }
    flow
}

/// The aliases become parts of topic names, and tell the two clusters apart.
fn aliases(mirror: &Mirror, flow: &Flow, findings: &mut Vec<Finding>) {
    for (alias, declared, cluster) in [(&flow.source_alias, &mirror.source_alias, &mirror.source), (&flow.target_alias, &mirror.target_alias, &mirror.target)] {
        if let Err(why) = name::check(alias) {
            let place = declared.as_ref().map_or(mirror.place, |declared| declared.place);
            findings.push(
                Finding::new(Code::Ym008, format!("MirrorMaker's alias {alias:?} of {cluster} cannot be part of a topic's name: {why}"))
                    .at(place)
                    .help("write the alias that MirrorMaker's configuration has, under aliases"),
            );
        }
    }
    if flow.source_alias == flow.target_alias {
        let place = mirror.target_alias.as_ref().or(mirror.source_alias.as_ref()).map_or(mirror.place, |declared| declared.place);
        findings.push(
            Finding::new(
                Code::Ym013,
                format!("{} and {} have the same alias {:?}, by which MirrorMaker tells them apart", flow.source, flow.target, flow.source_alias),
            )
            .at(place)
            .help("write the two aliases that MirrorMaker's configuration has"),
        );
    }
}

const SUPPORTED: [&str; 4] = ["replication.factor", "refresh.topics.interval.seconds", "sync.topic.configs.interval.seconds", "topics.exclude"];

fn unsupported(key: &str, place: Place) -> Finding {
    let likely = SUPPORTED.iter().map(|name| (strsim::damerau_levenshtein(name, key), name)).filter(|(distance, _)| *distance <= 2).min();
    let finding = Finding::new(Code::Ym002, format!("the MirrorMaker key {key:?} is not supported yet, so what it changes cannot be predicted")).at(place);
    match likely {
        Some((_, name)) => finding.help(format!("write {name}")),
        None => finding.help(format!("supported are {}; leave the key out only if MirrorMaker runs without it", SUPPORTED.join(", "))),
    }
}

fn version(mirror: &Mirror, findings: &mut Vec<Finding>) -> Option<Version> {
    let Some(written) = &mirror.version else {
        findings.push(
            Finding::new(
                Code::Mm014,
                format!("the version of MirrorMaker from {} to {} is not given, and 3.x and 4.x mirror different topics", mirror.source, mirror.target),
            )
            .at(mirror.place)
            .help("write the version that runs under `mm2`, such as version: \"4.0\""),
        );
        return None;
    };
    let mut parts = written.value.split('.').map(|part| part.parse::<u16>().ok());
    let parsed = match (parts.next().flatten(), parts.next().flatten()) {
        (Some(major), Some(minor)) if parts.all(|patch| patch.is_some()) => Some(Version { major, minor }),
        _ => None,
    };
    let problem = match parsed {
        None => format!("{:?} is not a version of MirrorMaker", written.value),
        Some(version) if version < OLDEST || version > NEWEST => {
            format!("MirrorMaker {} is not supported; what it does is known for {OLDEST} to {NEWEST}", written.value)
        }
        // 3.9 is the last of the 3.x line.
        Some(version) if version.major == 3 && version.minor > 9 => format!("there is no MirrorMaker {}", written.value),
        Some(version) => return Some(version),
    };
    findings.push(
        Finding::new(Code::Ym008, problem)
            .at(written.place)
            .help(format!("write the version that runs, from {OLDEST} to {NEWEST}, such as \"4.0\" or \"3.9.1\"")),
    );
    None
}

fn excludes(flow: &Flow, setting: &At<String>, findings: &mut Vec<Finding>) {
    let items: Vec<_> = value::items(&setting.value).collect();
    if !flow.eras().iter().any(|era| era.default_excludes()[..] == items[..]) {
        let default = flow.eras().iter().map(|era| era.default_excludes().join(", ")).collect::<Vec<_>>().join("\" or \"");
        findings.push(
            Finding::new(Code::Ym008, "only the default of topics.exclude is supported, so which topics this one leaves out is unknown")
                .at(setting.place)
                .help(format!("remove the line if MirrorMaker runs with the default, which is \"{default}\"")),
        );
    }
}

fn interval(key: &str, setting: &At<String>, findings: &mut Vec<Finding>) -> Option<u64> {
    let seconds = whole(key, setting, findings)?;
    match u64::try_from(seconds) {
        Ok(seconds) if (1..=u64::from(u32::MAX >> 1)).contains(&seconds) => Some(seconds),
        _ => {
            findings
                .push(Finding::new(Code::Ym008, format!("{key} is {seconds}, which is not an interval in seconds")).at(setting.place).help("write 1 or more"));
            None
        }
    }
}

fn whole(key: &str, setting: &At<String>, findings: &mut Vec<Finding>) -> Option<i64> {
    if setting.value.contains("${") {
        findings.push(
            Finding::new(Code::Ym008, format!("{key} is a variable that only MirrorMaker can resolve, so its value is unknown here"))
                .at(setting.place)
                .help("write the number that MirrorMaker runs with"),
        );
        return None;
    }
    value::integer(&setting.value)
        .map_err(|why| findings.push(Finding::new(Code::Ym008, format!("{key}: {why}")).at(setting.place).help("write a whole number")))
        .ok()
}
