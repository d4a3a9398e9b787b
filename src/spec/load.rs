//! From the texts of files to a workspace, with everything that is wrong with them.

use super::layer::Reader;
use super::merge::Merged;
use super::settings::{Settings, settings, version_finding};
use super::shapes::{OverlayFile, TopicsFile, WorkspaceFile};
use super::topics::Topics;
use super::values::Configs;
use super::{Workspace, files, secrets};
use crate::finding::{Code, FileId, Finding, Place, Sources};
use crate::yaml::tree::Parsed;
use crate::yaml::{self, Given, Problems};
use std::collections::BTreeMap;

/// The files of a workspace. Paths are relative to the workspace's folder, with `/`.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The name of a workspace that gives itself none.
    pub folder_name: String,
    /// The workspace file's path and text.
    pub workspace_file: (String, String),
    /// The paths and texts of the topic files, in any order.
    pub topic_files: Vec<(String, String)>,
    /// The overlays' paths, in any order, with their texts, or with the finding for those that could not be read.
    pub overlays: Vec<(String, Result<String, Box<Finding>>)>,
}

/// What [`load`] makes of files.
#[derive(Debug)]
pub struct Loaded {
    /// All of the workspace that is right, so that the rest can be judged too. Where `findings` holds an error it is incomplete: never plan with it.
    /// `None` where the workspace file is not readable as one.
    pub workspace: Option<Workspace>,
    /// What is wrong, in the order of files and places.
    pub findings: Vec<Finding>,
    /// The files, with what may be secret masked.
    pub sources: Sources,
}

/// Reads a workspace. Pure: the same texts give the same result, in whatever order the topic files come.
pub fn load(inputs: Inputs) -> Loaded {
    let Inputs { folder_name, workspace_file, mut topic_files, overlays } = inputs;
    topic_files.sort();
    let (problems, mut sources) = (Problems::default(), Sources::default());
    let reader = Reader { problems: &problems, configs: Configs::default() };
    let (path, text) = workspace_file;
    let (file, parsed) = read(path, text, &mut sources, &problems);
    let written = workspace_document(file, &parsed, &problems);
    mask(file, written.as_ref(), &mut sources);
    if let Some(finding) = written.as_ref().and_then(version_finding) {
        if finding.code == Code::Ym014 {
            // Whatever else this version finds in a file of another one says nothing.
            return Loaded { workspace: None, findings: vec![finding], sources };
        }
        problems.add(finding);
    }
    let settings = written.as_ref().map_or_else(Settings::unknown, |written| settings(written, &reader));
    let paths: Vec<&str> = topic_files.iter().map(|(path, _)| path.as_str()).collect();
    files::unmatched(&settings.files, &paths).into_iter().for_each(|finding| problems.add(finding));
    let mut topics = Topics::new(&reader, &settings);
    for (path, text) in topic_files {
        let (_, parsed) = read(path, text, &mut sources, &problems);
        let documents = parsed.tree.documents().iter().map(|document| yaml::decode::<TopicsFile>(&parsed.tree, *document, &problems));
        topics.file(documents.collect(), parsed.is_broken);
    }
    let mut overlays: BTreeMap<_, _> = overlays.into_iter().collect();
    for (path, place) in &settings.overlays {
        match overlays.remove(path) {
            Some(Ok(text)) => {
                let (_, parsed) = read(path.clone(), text, &mut sources, &problems);
                for document in parsed.tree.documents() {
                    let file = yaml::decode::<OverlayFile>(&parsed.tree, *document, &problems);
                    topics.overlay(file.as_ref().and_then(|file| file.value.topics.value()).map_or(&[][..], |entries| &entries.0));
                }
            }
            Some(Err(finding)) => problems.add(finding.at(*place)),
            None => {}
        }
    }
    let Merged { topics, absent } = topics.merge();
    let Settings { name, clusters, mirrors, rules, scope, limits, policies, acknowledgements, drift, .. } = settings;
    let workspace = written.map(|_| Workspace {
        name: name.unwrap_or(folder_name),
        clusters: clusters.connections,
        mirrors,
        rules,
        topics,
        absent,
        scope,
        limits,
        policies,
        acknowledgements,
        drift,
    });
    Loaded { workspace, findings: problems.into_findings(), sources }
}

fn read(path: String, text: String, sources: &mut Sources, problems: &Problems) -> (FileId, Parsed) {
    let file = sources.add(path, text);
    let parsed = yaml::parse(file, sources.text(file), problems);
    (file, parsed)
}

/// Masks in the workspace file what may be secret: by its text, and wherever the value of a property stands that an alias leads to.
fn mask(file: FileId, written: Option<&Given<WorkspaceFile>>, sources: &mut Sources) {
    let clamp = |at| u32::try_from(at).unwrap_or(u32::MAX);
    for range in secrets::masked(sources.text(file)) {
        sources.mask(Place { file, start: clamp(range.start), end: clamp(range.end) });
    }
    let clusters = written.and_then(|written| written.value.clusters.value()).map_or(&[][..], |clusters| &clusters.0);
    for properties in clusters.iter().filter_map(|cluster| cluster.value.as_ref()?.value.properties.value()) {
        properties.0.iter().filter_map(|property| property.value.as_ref()).for_each(|value| sources.mask(value.place));
    }
}

pub(super) fn workspace_document(file: FileId, parsed: &Parsed, problems: &Problems) -> Option<Given<WorkspaceFile>> {
    if parsed.is_broken {
        return None;
    }
    let Some((document, rest)) = parsed.tree.documents().split_first() else {
        let finding = Finding::new(Code::Ym012, "the workspace file is empty, so there is nothing to plan for").at(Place { file, start: 0, end: 0 });
        problems.add(finding.help("write `version: 1` and the `clusters`"));
        return None;
    };
    if let Some(second) = rest.first() {
        let Place { file, start, .. } = parsed.tree.node(*second).place;
        let finding =
            Finding::new(Code::Ym008, "the workspace file has more than one document, and only the first could count").at(Place { file, start, end: start });
        problems.add(finding.help("write everything in one document"));
    }
    yaml::decode(&parsed.tree, *document, problems)
}
