//! Reads documents: another major version is refused before anything else, and what is wrong is told with its line.

use serde::de::DeserializeOwned;

/// The major version that this program reads.
const MAJOR: &str = "1";

/// Why a text is not the document that it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (line {line}, column {column})")]
pub struct Misread {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
    /// What is wrong, in one sentence without the file's name.
    pub message: String,
}

impl Misread {
    /// Something that is wrong with the text as a whole.
    pub(super) fn as_a_whole(message: impl Into<String>) -> Self {
        Self { line: 1, column: 1, message: message.into() }
    }

    fn of(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
        Self { line: line.max(1), column: column.max(1), message }
    }
}

#[derive(serde::Deserialize)]
struct Version {
    format_version: String,
}

/// Reads a document that says its version.
pub(super) fn versioned<T: DeserializeOwned>(text: &str) -> Result<T, Misread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The version first: in another one everything else may be different.
    let version: Version = serde_json::from_str(text).map_err(Misread::of)?;
    let major = version.format_version.split('.').next().unwrap_or_default();
    if major != MAJOR {
        return Err(Misread::as_a_whole(format!("it has format_version {:?}, and this isotopic reads major version {MAJOR}", version.format_version)));
    }
    serde_json::from_str(text).map_err(Misread::of)
}

/// Whether a text is a document, of whatever version, in which a key has this value.
pub(super) fn says(text: &str, key: &str, value: &str) -> bool {
    let document: Option<serde_json::Value> = serde_json::from_str(text).ok();
    document.is_some_and(|document| document.get("format_version").is_some() && document.get(key).is_some_and(|held| held == value))
}
