//! `isotopic snapshot`: the live state of clusters, into files that `snapshot:` reads.

use super::clock;
use super::exit::Exit;
use super::input::{Input, is_invalid};
use super::output::Output;
use super::save::{self, NotSaved};
use super::targets::targets;
use crate::cli::{self, Global};
use crate::cluster::{self, Connection, Target};
use crate::finding::{Code, Finding};
use crate::judge;
use crate::kafka::name::ClusterName;
use crate::live::{Cluster, ClusterKind, Configs, State};
use crate::render::{self, words::count};
use crate::wire::Salt;
use crate::wire::snapshot::Snapshot;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The folder beside the workspace's file that snapshots go to.
const FOLDER: &str = "snapshots";

/// Runs the command. What one cluster told is written also where another one did not answer.
pub(super) fn snapshot(global: &Global, args: &cli::Snapshot, output: &Output) -> Exit {
    let input = Input::read(global);
    let invalid = |more: &[Finding]| {
        let findings: Vec<_> = input.all_findings().chain(more).cloned().collect();
        output.findings(&findings, &input.sources);
        output.tell(&format!("{} No cluster was contacted.", super::validate::summary(&findings)));
        Exit::Invalid
    };
    let Some(workspace) = input.valid() else { return invalid(&[]) };
    let targets = match targets(workspace, judge::asked(workspace, &input.flows), &input.folder, global.timeout) {
        Ok(targets) => targets,
        Err(findings) => return invalid(&findings),
    };
    let (live, snapshots): (Vec<_>, Vec<_>) = targets.into_iter().partition(|target| !matches!(target.connection, Connection::Snapshot(_)));
    for target in &snapshots {
        output.tell(&format!("{} is a snapshot already, so none is taken of it.", target.name));
    }
    let unnamable: Vec<_> = live.iter().filter_map(unnamable).collect();
    if !unnamable.is_empty() {
        return invalid(&unnamable);
    }
    let folder = Folder::new(global, args, &input);
    if let Err(why) = live.iter().try_for_each(|target| folder.is_free(&target.name)) {
        output.tell(&format!("error: {why}\n\nhelp: name another folder with --out"));
        return Exit::Usage;
    }
    let observed = cluster::observe_everything(&live, clock::now);
    if observed.findings.iter().any(is_invalid) {
        return invalid(&observed.findings);
    }
    let unread: Vec<_> = observed.clusters.iter().filter_map(|cluster| cluster.state.as_ref().err()).flatten().collect();
    output.findings(observed.findings.iter().chain(unread.iter().copied()), &input.sources);
    let salt = args.anonymise.then(|| Salt::of(observed.clusters.iter().map(|cluster| cluster.id.as_deref().unwrap_or(cluster.name.as_str()))));
    for cluster in &observed.clusters {
        let Ok(state) = &cluster.state else { continue };
        let written = text(cluster, state, salt.as_ref()).and_then(|text| Ok(folder.save(&cluster.name, &text)?));
        let written = written.map_err(|error| output.failed(&*error)).and_then(|()| {
            let told = output.data(&line(cluster, state, &folder.shown.join(file(&cluster.name))));
            told.map_err(|error| output.failed(&error))
        });
        if let Err(exit) = written {
            return exit;
        }
    }
    match (observed.findings.is_empty(), unread.is_empty()) {
        (false, _) => Exit::Refused,
        (true, false) => Exit::Unobserved,
        (true, true) => Exit::Done,
    }
}

/// Where snapshots go.
struct Folder {
    path: PathBuf,
    /// As the user sees it: as it was given, or relative to the workspace's folder, which is what `snapshot:` wants.
    shown: PathBuf,
}

impl Folder {
    fn new(global: &Global, args: &cli::Snapshot, input: &Input) -> Self {
        match &args.out {
            Some(out) => Self { path: global.directory.as_deref().unwrap_or(Path::new("")).join(out), shown: out.clone() },
            None => Self { path: input.folder.join(FOLDER), shown: PathBuf::from(FOLDER) },
        }
    }

    fn is_free(&self, cluster: &ClusterName) -> Result<(), NotSaved> {
        save::is_free(&self.path.join(file(cluster)), Snapshot::is_one, "no snapshot")
    }

    fn save(&self, cluster: &ClusterName, text: &str) -> Result<(), NotSaved> {
        save::folder(&self.path)?;
        save::save(&self.path.join(file(cluster)), text)
    }
}

fn file(cluster: &ClusterName) -> String {
    format!("{cluster}.json")
}

/// YM008, where a cluster's name would lead out of the folder.
fn unnamable(target: &Target) -> Option<Finding> {
    let file = file(&target.name);
    if Path::new(&file).file_name() == Some(OsStr::new(&file)) {
        return None;
    }
    let message = format!("the cluster's name {:?} cannot be that of a file, so there can be no snapshot of it", target.name);
    Some(Finding::new(Code::Ym008, message).at(target.place).cluster(&target.name).help("give it another name"))
}

/// The file's text. It is read back before anybody relies on it: a compatible broker may report what no cluster has.
fn text(cluster: &Cluster, state: &State, salt: Option<&Salt>) -> Result<String, Box<dyn std::error::Error>> {
    let snapshot = Snapshot::of(cluster, state);
    let text = render::json(&match salt {
        Some(salt) => snapshot.anonymised(salt),
        None => snapshot,
    })?;
    Snapshot::parse(&text).map_err(|why| format!("what {} reported makes no snapshot: {}", cluster.name, why.message))?;
    Ok(text)
}

/// `primary: 4012 topics in snapshots/primary.json`.
fn line(cluster: &Cluster, state: &State, path: &Path) -> String {
    let kind = match cluster.kind {
        ClusterKind::Kafka | ClusterKind::Snapshot => "",
        ClusterKind::Simulated => " SIMULATED",
    };
    let half = state.topics.values().filter(|topic| matches!(topic.configs, Configs::Unknown(_))).count();
    let unread = match half + state.unreadable.len() {
        0 => String::new(),
        unread => format!(", {unread} more or less unreadable"),
    };
    format!("{}{kind}: {}{unread} in {}\n", cluster.name, count(state.topics.len(), "topic"), path.display())
}
