//! Writes files: whole or not at all, and never over somebody else's.
#![expect(clippy::disallowed_methods, reason = "this is where documents are written to files")]

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotSaved {
    /// Something else has the name.
    #[error("{0} is there already and is {1}, so it is not overwritten")]
    Occupied(PathBuf, &'static str),
    /// The file system says no.
    #[error("{0} cannot be written: {1}")]
    Failed(PathBuf, io::Error),
}

/// Whether a file may be written here: there is none, an empty one, or one whose text is `ours`; `none` says what it is otherwise.
pub(super) fn is_free(path: &Path, ours: impl Fn(&str) -> bool, none: &'static str) -> Result<(), NotSaved> {
    let occupied = |what| Err(NotSaved::Occupied(path.to_owned(), what));
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(NotSaved::Failed(path.to_owned(), error)),
        // A device would be replaced by a file.
        Ok(metadata) if !metadata.is_file() => return occupied("no regular file"),
        Ok(_) => {}
    }
    match fs::read_to_string(path) {
        Ok(text) if text.is_empty() || ours(&text) => Ok(()),
        Ok(_) | Err(_) => occupied(none),
    }
}

/// Writes a file under another name beside it, and renames that: whoever reads sees the old text or the new one.
pub(super) fn save(path: &Path, text: &str) -> Result<(), NotSaved> {
    let failed = |error| NotSaved::Failed(path.to_owned(), error);
    // A link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(name) = target.file_name() else { return Err(failed(io::Error::from(ErrorKind::InvalidInput))) };
    let beside = target.with_file_name(format!(".{}.{}.new", name.to_string_lossy(), std::process::id()));
    let written = File::create_new(&beside).and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
    written.and_then(|()| fs::rename(&beside, &target)).map_err(|error| {
        // What is left of it helps nobody; where it was never made there is nothing to remove.
        drop(fs::remove_file(&beside));
        failed(error)
    })
}

/// Makes a folder, and those above it.
pub(super) fn folder(path: &Path) -> Result<(), NotSaved> {
    fs::create_dir_all(path).map_err(|error| NotSaved::Failed(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        save(&path, "one").unwrap();
        save(&path, "two").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path())), ("two", vec!["a.json".to_owned()]));
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a.json")).unwrap();
        let error = save(&folder.path().join("a.json"), "x").unwrap_err();
        assert!(error.to_string().contains("a.json cannot be written: "), "{error}");
        assert_eq!(names(folder.path()), ["a.json"]);
        assert!(save(&folder.path().join("none/a.json"), "x").is_err());
    }

    #[test]
    fn only_files_of_ours_and_empty_ones_are_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let free = || is_free(&path, |text| text == "ours", "no plan").map_err(|error| error.to_string());
        assert_eq!(free(), Ok(()));
        for (text, is_ours) in [("", true), ("ours", true), ("theirs", false)] {
            fs::write(&path, text).unwrap();
            assert_eq!(free().is_ok(), is_ours, "{text}");
        }
        assert!(free().unwrap_err().ends_with("a.json is there already and is no plan, so it is not overwritten"));
        assert!(is_free(folder.path(), |_| true, "").unwrap_err().to_string().contains("no regular file"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        save(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
