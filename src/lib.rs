//! isotopic keeps the topics of mirrored Kafka clusters the same.
pub mod cluster;
pub mod finding;
pub mod judge;
pub mod kafka;
pub mod live;
pub mod mirror;
pub mod plan;
pub mod run;
pub mod spec;
pub mod wire;
pub mod yaml;
