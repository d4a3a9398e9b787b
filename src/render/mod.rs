//! What people read: the plan as text, findings with excerpts, documents as JSON.
//!
//! Data in, text out. Must not know where the text goes, whether that is a terminal, or how the data came about. Only here is miette known.

mod clean;
pub mod colour;
mod excerpt;
pub mod findings;
pub mod text;
pub mod words;

/// A document as indented JSON with a last newline.
pub fn json(document: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(document).map(|text| text + "\n")
}
