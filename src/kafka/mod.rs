//! Kafka's own vocabulary: names, values, topic configs, and what a broker accepts.
//!
//! Shared by the judge and by the simulated cluster, so that both hold a topic to the same rules. Knows nothing of YAML, MirrorMaker, clusters or output.

pub mod address;
pub mod config;
pub mod contradictions;
pub mod name;
pub mod origin;
pub mod rules;
pub mod value;
pub mod version;
