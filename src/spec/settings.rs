//! The workspace file as a whole: clusters, flows, rules, and the layers that topics build on.

use super::layer::{Layer, Reader};
use super::shapes::{Level, WorkspaceFile};
use super::{Connection, DriftSettings, FilePattern, Limits, Mirror, Policy, ProfileAcknowledgement, Scope};
use super::{acknowledge, connections, files, guards, mirrors, patterns};
use crate::finding::{Code, Finding, Place, Rules, Severity, catalogue::CODES};
use crate::kafka::name::ClusterName;
use crate::yaml::{Entry, Field, Given, Problems, likely};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What topics are read against.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) name: Option<String>,
    pub(super) clusters: Clusters,
    pub(super) mirrors: Vec<Mirror>,
    pub(super) rules: Rules,
    pub(super) defaults: Layer,
    pub(super) profiles: HashMap<String, Layer>,
    /// Whether every profile's name is known. Otherwise none is reported as unknown.
    pub(super) profiles_known: bool,
    /// The cluster of topics that name none.
    pub(super) default_cluster: Option<ClusterName>,
    /// Whether every flow is known.
    pub(super) mirrors_known: bool,
    /// The patterns of topic files, with places where they were written.
    pub(super) files: Vec<(FilePattern, Option<Place>)>,
    /// The overlays' paths, the strongest last.
    pub(super) overlays: Vec<(String, Place)>,
    pub(super) scope: Scope,
    pub(super) limits: Limits,
    pub(super) policies: Vec<Policy>,
    pub(super) acknowledgements: Vec<ProfileAcknowledgement>,
    pub(super) drift: DriftSettings,
}

impl Settings {
    /// Where the workspace file could not be read: anything may be declared in it.
    pub(super) fn unknown() -> Self {
        Self { defaults: Layer::broken(), ..Self::default() }
    }
}

/// The clusters by name.
#[derive(Default)]
pub(super) struct Clusters {
    names: BTreeSet<ClusterName>,
    /// Those whose declaration is right.
    pub(super) connections: BTreeMap<ClusterName, Connection>,
    /// Whether every name is known. Otherwise none is reported as unknown.
    pub(super) known: bool,
}

impl Clusters {
    /// The cluster of that name. `None` for an unknown one, which a finding says.
    pub(super) fn find(&self, name: &str, place: Place, problems: &Problems) -> Option<ClusterName> {
        let found = self.names.get(name).cloned();
        if found.is_none() && self.known {
            let message = format!("there is no cluster {name:?} in this workspace");
            problems.add(Finding::new(Code::Ym007, message).at(place).help(among(name, self.names.iter().map(ClusterName::as_str), "clusters")));
        }
        found
    }
}

/// The help for a name that is none of those declared under a field.
pub(super) fn among<'a>(name: &str, names: impl Iterator<Item = &'a str>, field: &str) -> String {
    likely(name, names).map_or_else(|| format!("declare it under `{field}`, or write the name of one that is there"), |likely| format!("write `{likely}`"))
}

/// Reads the workspace file.
pub(super) fn settings(given: &Given<WorkspaceFile>, reader: &Reader<'_>) -> Settings {
    let problems = reader.problems;
    let file = &given.value;
    let mut settings = Settings { profiles_known: !matches!(file.profiles, Field::Wrong), ..Settings::default() };
    settings.name = file.name.given().and_then(|name| not_empty(name, "name", problems));
    settings.clusters = clusters(file, given, problems);
    settings.mirrors_known = file.mirrors.is_missing();
    if let Field::Given(written) = &file.mirrors {
        settings.mirrors = mirrors::mirrors(&written.value.0, &settings.clusters, reader);
        settings.mirrors_known = settings.mirrors.len() == written.value.0.len() && written.intact;
    }
    settings.default_cluster = default_cluster(&settings);
    settings.rules = rules(file, problems);
    if let Some(profiles) = file.profiles.value() {
        for entry in &profiles.0 {
            let layer = entry.value.as_ref().map_or_else(Layer::broken, |given| reader.profile(&entry.key, given, &settings));
            settings.profiles.insert(entry.key.clone(), layer);
        }
    }
    settings.defaults = reader.defaults(&file.defaults, &settings);
    settings.files = files::topic_files(&file.files, problems);
    settings.overlays = files::overlays(&file.overlays, problems);
    settings.scope = file.scope.given().and_then(|given| patterns::patterns(given, problems));
    settings.limits = guards::limits(&file.limits, problems);
    settings.policies = guards::policies(file.policy.value().map_or(&[][..], |list| &list.0), reader);
    let acknowledgements = file.acknowledge.value().map_or(&[][..], |list| &list.0);
    settings.acknowledgements = acknowledge::of_profiles(acknowledgements, &settings, problems);
    settings.drift = guards::drift(&file.drift, &settings.clusters, problems);
    settings
}

fn not_empty(given: &Given<String>, field: &str, problems: &Problems) -> Option<String> {
    if given.value.trim().is_empty() {
        problems.add(
            Finding::new(Code::Ym008, format!("`{field}` is empty, and it is shown in every output")).at(given.place).help("write a text, or remove the line"),
        );
        return None;
    }
    Some(given.value.clone())
}

fn clusters(file: &WorkspaceFile, given: &Given<WorkspaceFile>, problems: &Problems) -> Clusters {
    let mut clusters = Clusters { known: matches!(file.clusters, Field::Given(_)), ..Clusters::default() };
    let entries = file.clusters.value().map_or(&[][..], |entries| &entries.0);
    if entries.is_empty() && !matches!(file.clusters, Field::Wrong) {
        clusters.known = false;
        let place = file.clusters.given().map_or(Place { end: given.place.start, ..given.place }, |clusters| clusters.key);
        problems
            .add(Finding::new(Code::Ym012, "the workspace has no `clusters`, so there is nothing to plan for").at(place).help("declare at least one cluster"));
    }
    for entry in entries {
        if entry.key.trim().is_empty() {
            problems.add(Finding::new(Code::Ym008, "a cluster has an empty name, so nothing can refer to it").at(entry.place).help("write a name"));
            continue;
        }
        let name = ClusterName::new(entry.key.as_str());
        clusters.connections.extend(connections::connection(&name, entry, problems).map(|connection| (name.clone(), connection)));
        clusters.names.insert(name);
    }
    clusters
}

fn default_cluster(settings: &Settings) -> Option<ClusterName> {
    let sources: BTreeSet<&ClusterName> = settings.mirrors.iter().map(|mirror| &mirror.source).collect();
    let only = |names: &mut dyn Iterator<Item = &ClusterName>| names.next().filter(|_| names.next().is_none()).cloned();
    only(&mut sources.into_iter()).or_else(|| only(&mut settings.clusters.names.iter()))
}

fn rules(file: &WorkspaceFile, problems: &Problems) -> Rules {
    let mut rules = Rules::default();
    for entry in file.rules.value().map_or(&[][..], |entries| &entries.0) {
        let Entry { key, place, value } = entry;
        let Some(code) = Code::from_name(key).filter(|code| code.as_str() == key) else {
            // Of two codes that differ in a digit neither is the likely one.
            let near = likely(&key.to_ascii_uppercase(), CODES.iter().map(|code| code.as_str()))
                .filter(|near| near.len() != key.len() || near.eq_ignore_ascii_case(key));
            let help = near.map_or_else(|| "write a code as isotopic prints it, such as PT002".to_owned(), |code| format!("write `{code}`"));
            problems.add(Finding::new(Code::Ym002, format!("`{key}` is no code of a finding, so the rule has no effect")).at(*place).help(help));
            continue;
        };
        let Some(level) = value else { continue };
        let severity = match level.value {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Info => Severity::Info,
            Level::Off => Severity::Off,
        };
        if !rules.set(code, severity) {
            let message = format!("the severity of {code} cannot be lowered to {}, because what it stops could do harm", severity.as_str());
            problems.add(Finding::new(Code::Ym008, message).at(level.place).help("remove the line"));
        }
    }
    rules
}

/// The finding for a file that is of another version than 1 (YM014), or of none (YM012).
pub(super) fn version_finding(file: &Given<WorkspaceFile>) -> Option<Finding> {
    match &file.value.version {
        Field::Given(version) if version.value != 1 => {
            let message = format!("the workspace file has `version: {}`, and this isotopic reads version 1", version.value);
            Some(Finding::new(Code::Ym014, message).at(version.place).help("use an isotopic that reads this version, or write `version: 1`"))
        }
        Field::Missing => {
            let place = Place { end: file.place.start, ..file.place };
            Some(
                Finding::new(Code::Ym012, "the workspace file has no `version`, so nothing says how to read it")
                    .at(place)
                    .help("write `version: 1` on its first line"),
            )
        }
        Field::Given(_) | Field::Wrong => None,
    }
}
