//! YAML as people write it: a tree of every document with the place of every piece, and a serde deserialiser that reads shapes from it.
//!
//! Finds what is wrong with any YAML (syntax, duplicate keys, tags, control characters). Must not know what a topic or a cluster is.

mod build;
mod decode;
mod entries;
mod error;
mod problems;
mod serde_impl;
pub mod tree;

pub use build::parse;
pub use decode::{Field, Given, Verbatim, decode};
pub use entries::{Entries, Entry, List};
pub use error::likely;
pub use problems::Problems;
