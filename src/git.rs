//! The repository that the workspace lies in: which commit is checked out, and whether a file that was read differs from it.
//!
//! Never fails a run: whatever goes wrong becomes the reason why something is not known.
#![expect(clippy::disallowed_methods, reason = "a working tree is known by its real path")]

use git2::{ErrorCode, Repository, StatusOptions};
use std::path::Path;

/// What the repository tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The commit that is checked out, 40 hex digits.
    pub commit: Option<String>,
    /// Whether a tracked file that was read differs from the commit.
    pub dirty: Option<bool>,
    /// Why something is not known, in one sentence.
    pub unknown: Option<String>,
}

/// Looks at the repository around a workspace's folder. `files` are paths relative to that folder, with `/`.
pub fn checkout<'a>(folder: &Path, files: impl IntoIterator<Item = &'a str>) -> Checkout {
    let unknown = |reason: String| Checkout { unknown: Some(reason), ..Checkout::default() };
    let repository = match Repository::discover(folder) {
        Ok(repository) => repository,
        Err(error) => return unknown(not_opened(folder, &error)),
    };
    let commit = match repository.head().and_then(|head| head.peel_to_commit()) {
        Ok(commit) => commit.id().to_string(),
        Err(error) if error.code() == ErrorCode::UnbornBranch => return unknown("the git repository has no commit yet".to_owned()),
        Err(error) => return unknown(format!("git cannot tell the commit that is checked out: {}", error.message())),
    };
    match is_dirty(&repository, folder, files) {
        Ok(dirty) => Checkout { commit: Some(commit), dirty: Some(dirty), unknown: None },
        Err(reason) => Checkout { commit: Some(commit), dirty: None, unknown: Some(reason) },
    }
}

fn not_opened(folder: &Path, error: &git2::Error) -> String {
    if error.code() == ErrorCode::NotFound {
        return format!("{} is in no git repository", folder.display());
    }
    if error.code() == ErrorCode::Owner {
        return format!("the git repository around {} belongs to another user; git config --global --add safe.directory allows it", folder.display());
    }
    format!("the git repository around {} cannot be opened: {}", folder.display(), error.message())
}

fn is_dirty<'a>(repository: &Repository, folder: &Path, files: impl IntoIterator<Item = &'a str>) -> Result<bool, String> {
    let top = repository.workdir().ok_or("the git repository has no working tree, so edits cannot be told")?;
    let outside = || format!("{} is not in the repository's working tree, so edits cannot be told", folder.display());
    let resolved = |path: &Path| path.canonicalize().map_err(|error| format!("{} cannot be resolved, so edits cannot be told: {error}", path.display()));
    let (top, folder) = (resolved(top)?, resolved(folder)?);
    let within = folder.strip_prefix(&top).map_err(|_| outside())?;
    let mut options = StatusOptions::new();
    options.include_untracked(false).include_ignored(false).disable_pathspec_match(true).update_index(false);
    let mut any = false;
    for file in files {
        options.pathspec(within.join(file));
        any = true;
    }
    // Without a path, git would look at every file of the repository.
    if !any {
        return Ok(false);
    }
    let statuses = repository.statuses(Some(&mut options)).map_err(|error| format!("git cannot tell which files were edited: {}", error.message()))?;
    Ok(!statuses.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use git2::{IndexAddOption, RepositoryInitOptions, Signature};
    use std::fs;

    fn repository(folder: &Path) -> Repository {
        let repository = Repository::init_opts(folder, RepositoryInitOptions::new().initial_head("main")).unwrap();
        fs::create_dir_all(folder.join("kafka/topics")).unwrap();
        fs::write(folder.join("kafka/isotopic.yaml"), "version: 1\n").unwrap();
        fs::write(folder.join("kafka/topics/a.yaml"), "topics: {}\n").unwrap();
        fs::write(folder.join("README.md"), "about\n").unwrap();
        repository
    }

    fn commit(repository: &Repository) -> String {
        let mut index = repository.index().unwrap();
        index.add_all(["*"], IndexAddOption::DEFAULT, None).unwrap();
        index.write().unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let who = Signature::now("somebody", "somebody@example.org").unwrap();
        repository.commit(Some("HEAD"), &who, &who, "first", &tree, &[]).unwrap().to_string()
    }

    const FILES: [&str; 3] = ["isotopic.yaml", "topics/a.yaml", "topics/new.yaml"];

    #[test]
    fn only_tracked_files_that_were_read_make_a_checkout_dirty() {
        let folder = tempfile::tempdir().unwrap();
        let repository = repository(folder.path());
        let first = commit(&repository);
        assert_eq!(first.len(), 40);
        let workspace = folder.path().join("kafka");
        let seen = || checkout(&workspace, FILES);
        let is = |dirty| Checkout { commit: Some(first.clone()), dirty: Some(dirty), unknown: None };
        assert_eq!(seen(), is(false));
        fs::write(folder.path().join("README.md"), "edited\n").unwrap();
        fs::write(workspace.join("topics/new.yaml"), "topics: {}\n").unwrap();
        assert_eq!(seen(), is(false), "an unrelated edit and an untracked file");
        fs::write(workspace.join("topics/a.yaml"), "topics: {b: {}}\n").unwrap();
        assert_eq!(seen(), is(true));
        assert_eq!(checkout(&workspace, []), is(false), "nothing was read");
        let mut index = repository.index().unwrap();
        index.add_path(Path::new("kafka/topics/a.yaml")).unwrap();
        index.write().unwrap();
        assert_eq!(seen(), is(true), "staged is not committed");
    }

    #[test]
    fn what_git_cannot_tell_has_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let seen = checkout(folder.path(), FILES);
        assert_eq!((seen.commit, seen.dirty), (None, None));
        assert!(seen.unknown.unwrap().contains("in no git repository"));

        repository(folder.path());
        let seen = checkout(folder.path(), FILES);
        assert_eq!((seen.commit, seen.dirty), (None, None));
        assert!(seen.unknown.unwrap().contains("no commit yet"));

        fs::write(folder.path().join(".git/HEAD"), "nonsense\n").unwrap();
        let seen = checkout(folder.path(), FILES);
        assert!(seen.commit.is_none() && seen.unknown.is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_workspace_reached_through_a_link_is_still_in_its_repository() {
        let folder = tempfile::tempdir().unwrap();
        let repository = repository(&folder.path().join("real"));
        commit(&repository);
        std::os::unix::fs::symlink(folder.path().join("real"), folder.path().join("link")).unwrap();
        let workspace = folder.path().join("link/kafka");
        assert_eq!(checkout(&workspace, FILES).dirty, Some(false));
        fs::write(workspace.join("isotopic.yaml"), "version: 2\n").unwrap();
        assert_eq!(checkout(&workspace, FILES).dirty, Some(true));
    }
}
