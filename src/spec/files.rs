//! Which files a workspace is read from: `files` and `overlays`. Knows paths as texts; who reads the files is the shell's matter.

use super::load;
use crate::finding::{Code, Finding, Place, Sources};
use crate::yaml::{self, Field, Given, List, Problems};
use globset::{GlobBuilder, GlobMatcher};

/// Where topics are that no `files` names.
const DEFAULT_FILES: &str = "topics/**/*.{yaml,yml}";

/// The files that a workspace is made of, beside the workspace file.
#[derive(Clone, Debug)]
pub struct FileSelection {
    /// The topic files, but for those that are overlays.
    pub topics: Vec<FilePattern>,
    /// The overlays' paths, the strongest last, relative to the workspace's folder.
    pub overlays: Vec<String>,
}

/// A pattern of paths beneath the workspace's folder: `*` within one name, `**` over folders.
#[derive(Clone, Debug)]
pub struct FilePattern {
    written: String,
    matcher: GlobMatcher,
}

impl FilePattern {
    /// Compiles a pattern. The error is the end of a sentence.
    fn parse(text: &str) -> Result<Self, String> {
        let written = beneath(text)?;
        let glob = GlobBuilder::new(&written).literal_separator(true).build().map_err(|error| format!("is no pattern: {}", error.kind()))?;
        Ok(Self { written, matcher: glob.compile_matcher() })
    }

    /// The deepest folder that all matching files are in; empty for the workspace's own.
    pub fn folder(&self) -> &str {
        let special = self.written.find(['*', '?', '[', ']', '{', '}', '\\']).unwrap_or(self.written.len());
        self.written[..special].rfind('/').map_or("", |end| &self.written[..end])
    }

    /// How many folders deep beneath the workspace's a matching file may be.
    pub fn depth(&self) -> usize {
        if self.written.contains("**") { usize::MAX } else { self.written.matches('/').count() }
    }

    /// Whether the pattern matches a path, given relative to the workspace's folder and with `/`.
    pub fn matches(&self, path: &str) -> bool {
        self.matcher.is_match(path)
    }
}

/// What the workspace file says about further files, so that they can be read. What is wrong in it is left out here: [`super::load`] tells it.
pub fn file_selection(workspace_text: &str) -> FileSelection {
    let (mut sources, problems) = (Sources::default(), Problems::default());
    let file = sources.add("", workspace_text);
    let parsed = yaml::parse(file, sources.text(file), &problems);
    let written = load::workspace_document(file, &parsed, &problems);
    let written = written.as_ref().map(|given| &given.value);
    let topics = written.map_or_else(default_files, |written| topic_files(&written.files, &problems));
    let overlays = written.map_or_else(Vec::new, |written| overlays(&written.overlays, &problems));
    FileSelection { topics: topics.into_iter().map(|(pattern, _)| pattern).collect(), overlays: overlays.into_iter().map(|(path, _)| path).collect() }
}

fn default_files() -> Vec<(FilePattern, Option<Place>)> {
    FilePattern::parse(DEFAULT_FILES).ok().map(|pattern| (pattern, None)).into_iter().collect()
}

/// The patterns of `files` that are right, each with its place where it was written.
pub(super) fn topic_files(field: &Field<List<String>>, problems: &Problems) -> Vec<(FilePattern, Option<Place>)> {
    let Some(given) = field.given() else { return default_files() };
    if given.value.0.is_empty() && given.intact {
        let finding = Finding::new(Code::Ym008, "`files` is an empty list, so no topic is declared anywhere").at(given.place);
        problems.add(finding.help("write patterns of files, or remove the line"));
    }
    given.value.0.iter().filter_map(|item| Some((right(item, FilePattern::parse(&item.value), problems)?, Some(item.place)))).collect()
}

/// The paths of `overlays` that are right, each with its place.
pub(super) fn overlays(field: &Field<List<String>>, problems: &Problems) -> Vec<(String, Place)> {
    let mut paths: Vec<(String, Place)> = Vec::new();
    for item in field.value().map_or(&[][..], |list| &list.0) {
        let Some(path) = right(item, beneath(&item.value), problems) else { continue };
        if let Some((_, first)) = paths.iter().find(|(known, _)| *known == path) {
            let message = format!("overlay {path} stands twice, and lies over the topics once");
            problems.add(Finding::new(Code::Ym008, message).at(item.place).and_at(*first, "first here").help("remove one of the two"));
        } else {
            paths.push((path, item.place));
        }
    }
    paths
}

/// YM014 for patterns that somebody wrote and that match none of the files.
pub(super) fn unmatched(patterns: &[(FilePattern, Option<Place>)], paths: &[&str]) -> Vec<Finding> {
    let written = patterns.iter().filter_map(|(pattern, place)| Some((pattern, (*place)?)));
    let unmatched = written.filter(|(pattern, _)| !paths.iter().any(|path| pattern.matches(path)));
    let tell = |(pattern, place): (&FilePattern, Place)| {
        let message = format!("no file that can be read matches {}, so the topics that should be in it are not managed", pattern.written);
        Finding::new(Code::Ym014, message).at(place).help("mend the pattern, which is relative to the workspace's folder, or take it out")
    };
    unmatched.map(tell).collect()
}

fn right<T>(item: &Given<String>, read: Result<T, String>, problems: &Problems) -> Option<T> {
    read.map_err(|why| {
        let finding = Finding::new(Code::Ym008, format!("{:?} {why}", item.value)).at(item.place);
        problems.add(finding.help("write a path beneath the workspace's folder, relative to it"));
    })
    .ok()
}

/// A path in its shortest form. The error is the end of a sentence.
fn beneath(path: &str) -> Result<String, String> {
    if path.starts_with('/') {
        return Err("is an absolute path, and a workspace is read from its own folder only".to_owned());
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err("leads out of the workspace's folder, and a workspace is read from its own folder only".to_owned());
    }
    if parts.is_empty() || path.ends_with('/') || path.trim().is_empty() {
        return Err("names no file".to_owned());
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_knows_where_its_files_can_be() {
        for (text, folder, depth) in [
            ("topics/**/*.{yaml,yml}", "topics", usize::MAX),
            ("*.yaml", "", 0),
            ("./a//b/c.yaml", "a/b", 2),
            ("a/b*/c.yaml", "a", 2),
            ("a/{b,c}/d.yaml", "a", 2),
        ] {
            let pattern = FilePattern::parse(text).unwrap();
            assert_eq!((pattern.folder(), pattern.depth()), (folder, depth), "{text}");
        }
    }

    #[test]
    fn a_star_stays_within_a_name_and_two_go_over_folders() {
        let matches = |pattern: &str, path: &str| FilePattern::parse(pattern).unwrap().matches(path);
        assert!(matches("topics/*.yaml", "topics/a.yaml") && !matches("topics/*.yaml", "topics/a/b.yaml"));
        assert!(matches(DEFAULT_FILES, "topics/a.yml") && matches(DEFAULT_FILES, "topics/a/b/c.yaml") && !matches(DEFAULT_FILES, "topics/a.yaml~"));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in ["/etc/x.yaml", "../x.yaml", "a/../../x.yaml", "", " ", ".", "a/"] {
            assert!(FilePattern::parse(path).is_err(), "{path}");
        }
    }

    #[test]
    fn what_a_workspace_file_says_of_files_is_read_even_where_the_rest_is_wrong() {
        let selection = file_selection("files: ['x/*.yaml', '../y']\noverlays: [./env/prod.yaml]\nclusters: 3\n");
        assert_eq!(selection.topics.iter().map(|pattern| pattern.written.as_str()).collect::<Vec<_>>(), ["x/*.yaml"]);
        assert_eq!(selection.overlays, ["env/prod.yaml"]);
        for text in ["", "[", "version: 1\n", "files: 3\n"] {
            let selection = file_selection(text);
            assert!(selection.topics.len() == 1 && selection.topics[0].matches("topics/a.yaml") && selection.overlays.is_empty(), "{text}");
        }
    }
}
