//! Finds the workspace file, and reads it and the files that it selects.
//!
//! Part of the shell: it alone reads YAML files. What they say is `spec`'s to judge.
#![expect(clippy::disallowed_methods, reason = "finds and reads the files of a workspace")]

use crate::finding::{Code, Finding};
use crate::spec::{FilePattern, Inputs, file_selection};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of a workspace file that nobody named.
const WORKSPACE_FILE: &str = "isotopic.yaml";

/// Files that were read.
#[derive(Debug)]
pub struct Found {
    /// The workspace's folder, which all paths are relative to.
    pub folder: PathBuf,
    /// The files.
    pub inputs: Inputs,
    /// What could not be read (YM014).
    pub findings: Vec<Finding>,
}

/// Where the workspace file is: the one that was named, else `isotopic.yaml` in a folder or the nearest of its parents, up to the repository's root.
pub fn locate(named: Option<&Path>, directory: &Path) -> Result<PathBuf, Box<Finding>> {
    if let Some(named) = named {
        return Ok(directory.join(named));
    }
    let start = fs::canonicalize(directory).map_err(|error| unreadable(directory, &error.to_string()))?;
    for folder in start.ancestors() {
        let file = folder.join(WORKSPACE_FILE);
        if file.exists() {
            return Ok(file);
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    let message = format!("there is no {WORKSPACE_FILE} in {} or a folder above it, so there is no workspace to read", directory.display());
    Err(Box::new(Finding::new(Code::Ym014, message).help("go to the folder of the workspace, or name the file with --workspace")))
}

/// Reads a workspace file, and the topic files and overlays that it selects. No pattern matches the workspace file itself, an overlay, or what is hidden.
/// The error is the finding for a workspace file that cannot be read; topic files that cannot be read become findings.
pub fn read(workspace_file: &Path) -> Result<Found, Box<Finding>> {
    let text = read_text(workspace_file, workspace_file)?;
    let folder = match workspace_file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        Some(_) | None => PathBuf::from("."),
    };
    let name_of = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let folder_name = fs::canonicalize(&folder).ok().and_then(|folder| name_of(&folder)).unwrap_or_else(|| "workspace".to_owned());
    let path = name_of(workspace_file).unwrap_or_else(|| WORKSPACE_FILE.to_owned());
    let selection = file_selection(&text);
    let taken = selection.overlays.iter().chain([&path]).cloned().collect();
    let mut walk = Walk { folder: &folder, taken, files: Vec::new(), findings: Vec::new() };
    for pattern in &selection.topics {
        let top = folder.join(pattern.folder());
        if top.is_dir() {
            walk.enter(&top, pattern, pattern.folder().split('/').filter(|name| !name.is_empty()).count(), &mut BTreeSet::new());
        }
    }
    let Walk { files: topic_files, findings, .. } = walk;
    let read_overlay = |path: String| {
        let text = read_text(&folder.join(&path), Path::new(&path));
        (path, text)
    };
    let overlays = selection.overlays.into_iter().map(read_overlay).collect();
    Ok(Found { inputs: Inputs { folder_name, workspace_file: (path, text), topic_files, overlays }, findings, folder })
}

/// A walk through folders for the files that patterns match.
struct Walk<'a> {
    folder: &'a Path,
    /// The paths that are read already, or are no topic files.
    taken: BTreeSet<String>,
    files: Vec<(String, String)>,
    findings: Vec<Finding>,
}

impl Walk<'_> {
    /// Walks a folder so deep beneath the workspace's. Each is entered once for a pattern, so that links cannot lead in circles.
    fn enter(&mut self, folder: &Path, pattern: &FilePattern, depth: usize, seen: &mut BTreeSet<PathBuf>) {
        let entries = fs::canonicalize(folder).and_then(|real| if seen.insert(real) { fs::read_dir(folder).map(Some) } else { Ok(None) });
        let entries = match entries.and_then(|entries| entries.into_iter().flatten().collect::<Result<Vec<_>, _>>()) {
            Ok(entries) => entries,
            Err(error) => return self.findings.push(*unreadable(&self.relative(folder), &error.to_string())),
        };
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let path = folder.join(&name);
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            if path.is_dir() {
                if depth < pattern.depth() {
                    self.enter(&path, pattern, depth + 1, seen);
                }
                continue;
            }
            let relative = self.relative(&path);
            let shown = slashed(&relative);
            if pattern.matches(&shown) && self.taken.insert(shown.clone()) {
                match read_text(&path, &relative) {
                    Ok(text) => self.files.push((shown, text)),
                    Err(finding) => self.findings.push(*finding),
                }
            }
        }
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.folder).unwrap_or(path).to_path_buf()
    }
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The text of a regular file, which findings name as `shown`.
pub(super) fn read_text(path: &Path, shown: &Path) -> Result<String, Box<Finding>> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(shown, &error.to_string()))?;
    if !metadata.is_file() {
        return Err(unreadable(shown, "it is not a regular file"));
    }
    if metadata.len() > u64::from(u32::MAX) {
        return Err(unreadable(shown, "it is larger than 4 GiB"));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(shown, &error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{} cannot be read: it is not UTF-8 text (byte {})", shown.display(), at + 1);
        Box::new(Finding::new(Code::Ym014, message).help("save the file as UTF-8"))
    })
}

fn unreadable(path: &Path, why: &str) -> Box<Finding> {
    Box::new(Finding::new(Code::Ym014, format!("{} cannot be read: {why}", path.display())).help("check the path and its permissions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, path: &str, text: impl AsRef<[u8]>) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn the_workspace_is_looked_for_upwards_to_the_root_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "isotopic.yaml", "version: 1\n");
        write(folder.path(), "repo/.git/HEAD", "");
        write(folder.path(), "repo/a/b/x", "");
        assert!(locate(None, &folder.path().join("repo/a/b")).unwrap_err().message.contains("no isotopic.yaml"));
        write(folder.path(), "repo/isotopic.yaml", "version: 1\n");
        let found = locate(None, &folder.path().join("repo/a/b")).unwrap();
        assert_eq!(found, fs::canonicalize(folder.path()).unwrap().join("repo/isotopic.yaml"));
        assert_eq!(locate(Some(Path::new("other.yaml")), Path::new("dir")).unwrap(), Path::new("dir/other.yaml"));
    }

    #[test]
    fn topic_files_are_read_from_all_folders_sorted_and_without_hidden_ones() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["isotopic.yaml", "topics/b.yml", "topics/a/c.yaml", "topics/.hidden.yaml", "topics/.git/x.yaml", "topics/notes.txt", "other/d.yaml"] {
            write(folder.path(), path, path);
        }
        let found = read(&folder.path().join("isotopic.yaml")).unwrap();
        let paths: Vec<_> = found.inputs.topic_files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        assert_eq!(paths, [("topics/a/c.yaml", "topics/a/c.yaml"), ("topics/b.yml", "topics/b.yml")]);
        assert_eq!(found.inputs.workspace_file.0, "isotopic.yaml");
        assert_eq!(found.findings, []);
        assert_eq!(Some(found.inputs.folder_name.as_str()), folder.path().file_name().and_then(|name| name.to_str()));
    }

    #[test]
    fn the_workspace_file_says_which_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["topics/a.yaml", "prod/a.yaml", "prod/deep/b.yaml", "prod/.hidden.yaml", "env/prod.yaml", "env/test.yaml", "c.yaml", "other.txt"] {
            write(folder.path(), path, path);
        }
        let read_with = |workspace: &str| {
            write(folder.path(), "isotopic.yaml", workspace);
            let found = read(&folder.path().join("isotopic.yaml")).unwrap();
            assert_eq!(found.findings, []);
            let topics: Vec<_> = found.inputs.topic_files.into_iter().map(|(path, _)| path).collect();
            let overlays: Vec<_> = found.inputs.overlays.into_iter().map(|(path, text)| (path, text.ok())).collect();
            (topics.join(" "), overlays)
        };
        assert_eq!(read_with("version: 1\n").0, "topics/a.yaml");
        // Each file once, however many patterns match it, and the workspace file never.
        assert_eq!(read_with("files: ['prod/*.yaml', 'prod/**/*.yaml', '*.yaml', '*.txt']\n").0, "prod/a.yaml prod/deep/b.yaml c.yaml other.txt");
        let (topics, overlays) = read_with("files: ['env/*.yaml']\noverlays: [./env/prod.yaml, env/gone.yaml]\n");
        assert_eq!(topics, "env/test.yaml");
        assert_eq!(overlays, [("env/prod.yaml".to_owned(), Some("env/prod.yaml".to_owned())), ("env/gone.yaml".to_owned(), None)]);
        assert_eq!(read_with("files: ['../*.yaml', /etc/*, 'nowhere/**']\n").0, "");
    }

    #[test]
    fn a_file_that_is_not_text_is_named_with_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "isotopic.yaml", "version: 1\n");
        write(folder.path(), "topics/latin.yaml", b"ab\xfcc");
        let found = read(&folder.path().join("isotopic.yaml")).unwrap();
        assert_eq!(found.findings.len(), 1);
        assert!(found.findings[0].message.starts_with("topics/latin.yaml cannot be read: it is not UTF-8 text (byte 3)"), "{}", found.findings[0].message);
        assert_eq!(read(&folder.path().join("none.yaml")).unwrap_err().code, Code::Ym014);
        assert_eq!(read(folder.path()).unwrap_err().code, Code::Ym014);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_neither_in_circles_nor_into_silence() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "isotopic.yaml", "version: 1\n");
        write(folder.path(), "topics/a.yaml", "");
        std::os::unix::fs::symlink("..", folder.path().join("topics/loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("topics/dangling.yaml")).unwrap();
        let found = read(&folder.path().join("isotopic.yaml")).unwrap();
        assert!(found.inputs.topic_files.iter().filter(|(path, _)| path == "topics/a.yaml").count() == 1);
        assert_eq!(found.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::Ym014]);
    }
}
