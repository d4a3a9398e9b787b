//! What `plan` and `validate` share: the files, read and judged as far as they go without a cluster.

use super::files::{self, Found};
use crate::cli::Global;
use crate::finding::{Effect, Finding, Sources, Stage};
use crate::mirror::flow::{Flow, flows};
use crate::spec::{self, Loaded, Workspace};
use crate::{git, judge, wire};
use std::path::{Path, PathBuf};

/// The files of a workspace.
#[derive(Debug)]
pub(super) struct Input {
    /// The workspace's folder.
    pub(super) folder: PathBuf,
    /// The files, for places and excerpts.
    pub(super) sources: Sources,
    /// What they declare. Incomplete where something is invalid.
    pub(super) workspace: Option<Workspace>,
    /// MirrorMaker's flows.
    pub(super) flows: Vec<Flow>,
    /// What is to be said about the files and flows.
    pub(super) findings: Vec<Finding>,
    /// What is to be said about names and mirroring. A plan has it too.
    pub(super) offline: Vec<Finding>,
}

impl Input {
    /// Reads the workspace that the command line names, or that lies around the current folder.
    pub(super) fn read(global: &Global) -> Self {
        let directory = global.directory.as_deref().unwrap_or(Path::new("."));
        let found = match files::locate(global.workspace.as_deref(), directory) {
            Ok(file) => files::read(&file),
            Err(finding) => Err(finding),
        };
        match found {
            Ok(found) => Self::load(found),
            Err(finding) => Self {
                folder: directory.to_owned(),
                sources: Sources::default(),
                workspace: None,
                flows: Vec::new(),
                findings: vec![*finding],
                offline: Vec::new(),
            },
        }
    }

    fn load(found: Found) -> Self {
        let Found { folder, inputs, mut findings } = found;
        let Loaded { workspace, findings: loaded, sources } = spec::load(inputs);
        findings.extend(loaded);
        let Some(workspace) = workspace else { return Self { folder, sources, workspace: None, flows: Vec::new(), findings, offline: Vec::new() } };
        let (flows, of_flows) = flows(&workspace);
        findings.extend(of_flows);
        let findings = workspace.rules.grade(findings);
        let mut offline = workspace.rules.grade(judge::offline(&workspace, &flows));
        if findings.iter().any(is_invalid) {
            // Of a workspace with holes only this holds: a flow that is missing here may be declared.
            offline.retain(is_invalid);
        }
        Self { folder, sources, workspace: Some(workspace), flows, findings, offline }
    }

    /// Everything that is to be said without a cluster.
    pub(super) fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(&self.offline)
    }

    /// The workspace, where nothing in the files is invalid.
    pub(super) fn valid(&self) -> Option<&Workspace> {
        self.workspace.as_ref().filter(|_| !self.all_findings().any(is_invalid))
    }

    /// What was read, and the reason where something about it is not known.
    pub(super) fn source(&self) -> (wire::plan::Source, Option<String>) {
        let models = self.workspace.iter().flat_map(|workspace| workspace.clusters.values()).filter_map(|connection| match connection {
            spec::Connection::Simulated { file, .. } | spec::Connection::Snapshot { file, .. } => Some(file.value.as_str()),
            spec::Connection::Kafka { .. } => None,
        });
        let checkout = git::checkout(&self.folder, self.sources.files().map(|(path, _)| path).chain(models));
        let source = wire::plan::Source { commit: checkout.commit, base: None, dirty: checkout.dirty, files_digest: super::source::digest(&self.sources) };
        (source, checkout.unknown)
    }
}

/// Whether a finding says that the files cannot be judged.
pub(super) fn is_invalid(finding: &Finding) -> bool {
    finding.code.stage() == Stage::Input && finding.effect != Effect::Note
}
