//! What MirrorMaker 2 does: which topics a flow selects, what their copies are called, and what it writes to them next.
//!
//! Pure: declarations and observed values in, verdicts out. The facts come from MirrorMaker's sources (`MirrorSourceConnector`, `DefaultReplicationPolicy`,
//! `DefaultTopicFilter`, `DefaultConfigPropertyFilter`) and from runs of the real thing.

pub mod flow;
pub mod model;
pub mod own_topics;
pub mod select;
