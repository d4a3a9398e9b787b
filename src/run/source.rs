//! What a plan rests on besides the clusters: the files that were read, and the commit that they come from.

use crate::finding::Sources;
use sha2::{Digest, Sha256};

/// `sha256:` and the hash over all files: each by its path and its content, in the order of paths. Lengths keep the end of one from passing for the start of
/// another.
pub(super) fn digest(sources: &Sources) -> String {
    let mut files: Vec<_> = sources.files().collect();
    files.sort_unstable();
    let mut hash = Sha256::new();
    for (path, text) in files {
        for part in [path, text] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> String {
        let mut sources = Sources::default();
        for (path, text) in files {
            sources.add(*path, *text);
        }
        digest(&sources)
    }

    #[test]
    fn the_digest_depends_on_paths_and_contents_and_not_on_the_order_of_reading() {
        let one = of(&[("a", "x"), ("b", "y")]);
        assert_eq!(one, of(&[("b", "y"), ("a", "x")]));
        assert_eq!(one.len(), "sha256:".len() + 64);
        for other in [&[("a", "y"), ("b", "x")][..], &[("a", "x")], &[("ab", "xy")], &[("a", "xb"), ("", "y")], &[("c", "x"), ("b", "y")]] {
            assert_ne!(one, of(other));
        }
        // SHA-256 of the empty string.
        assert_eq!(of(&[]), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
