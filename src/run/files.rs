//! Finds the workspace file and reads it and the topic files beneath its folder.
//!
//! Part of the shell: it alone reads YAML files. What they say is `spec`'s to judge.
#![expect(clippy::disallowed_methods, reason = "this is where files are found and read")]

use crate::finding::{Code, Finding};
use crate::spec::Inputs;
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
    Err(Box::new(Finding::new(Code::Ym014, message).help("Go to the workspace's folder, or name the file with --workspace.")))
}

/// Reads a workspace file, and every `.yaml` and `.yml` file in the folder `topics` beside it and in its folders, without hidden ones.
/// The error is the finding for a workspace file that cannot be read; other files become findings.
pub fn read(workspace_file: &Path) -> Result<Found, Box<Finding>> {
    let text = read_text(workspace_file, workspace_file)?;
    let folder = match workspace_file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        Some(_) | None => PathBuf::from("."),
    };
    let name_of = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let folder_name = fs::canonicalize(&folder).ok().and_then(|folder| name_of(&folder)).unwrap_or_else(|| "workspace".to_owned());
    let path = name_of(workspace_file).unwrap_or_else(|| WORKSPACE_FILE.to_owned());
    let mut walk = Walk { folder: &folder, seen: BTreeSet::new(), files: Vec::new(), findings: Vec::new() };
    let topics = folder.join("topics");
    if topics.exists() {
        walk.enter(&topics);
    }
    let Walk { files: topic_files, findings, .. } = walk;
    Ok(Found { inputs: Inputs { folder_name, workspace_file: (path, text), topic_files }, findings, folder })
}

/// A walk through folders. Each is entered once, so that links cannot lead in circles.
struct Walk<'a> {
    folder: &'a Path,
    seen: BTreeSet<PathBuf>,
    files: Vec<(String, String)>,
    findings: Vec<Finding>,
}

impl Walk<'_> {
    fn enter(&mut self, folder: &Path) {
        let entries = fs::canonicalize(folder).and_then(|real| if self.seen.insert(real) { fs::read_dir(folder).map(Some) } else { Ok(None) });
        let entries = match entries.and_then(|entries| entries.into_iter().flatten().collect::<Result<Vec<_>, _>>()) {
            Ok(entries) => entries,
            Err(error) => return self.findings.push(*unreadable(&self.relative(folder), &error.to_string())),
        };
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let path = folder.join(&name);
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                self.enter(&path);
            } else if name.ends_with(".yaml") || name.ends_with(".yml") {
                let relative = self.relative(&path);
                match read_text(&path, &relative) {
                    Ok(text) => self.files.push((slashed(&relative), text)),
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
        return Err(unreadable(shown, "it has more than 4 GiB"));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(shown, &error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{} is not UTF-8 text: byte {} is none that UTF-8 has there", shown.display(), at + 1);
        Box::new(Finding::new(Code::Ym014, message).help("Save the file as UTF-8."))
    })
}

fn unreadable(path: &Path, why: &str) -> Box<Finding> {
    Box::new(Finding::new(Code::Ym014, format!("{} cannot be read: {why}", path.display())).help("Check the path and its permissions."))
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
    fn a_file_that_is_not_text_is_named_with_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "isotopic.yaml", "version: 1\n");
        write(folder.path(), "topics/latin.yaml", b"ab\xfcc");
        let found = read(&folder.path().join("isotopic.yaml")).unwrap();
        assert_eq!(found.findings.len(), 1);
        assert!(found.findings[0].message.starts_with("topics/latin.yaml is not UTF-8 text: byte 3"), "{}", found.findings[0].message);
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
