//! The documents that isotopic writes and reads back: versioned, and apart from the types that the program thinks with.
//!
//! Only here types derive `Serialize` and `JsonSchema`. Knows the data that goes in; must not know where a document comes from or goes to, nor look at a clock.

mod anonymous;
mod document;
pub mod findings;
pub mod instant;
pub mod plan;
mod reading;
mod saved;
pub mod snapshot;
mod taken;
pub mod words;

pub use anonymous::Salt;
pub use document::Context;
pub use reading::Misread;
pub use saved::Saved;

/// The version of every document that is written: minor versions add keys, so readers ignore keys that they do not know and refuse another major one.
pub const FORMAT_VERSION: &str = "1.0";

/// The JSON Schema of a document as it is written: every key is required.
pub fn schema<T: schemars::JsonSchema>() -> schemars::Schema {
    schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
