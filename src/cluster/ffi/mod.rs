//! The only unsafe code: a thin layer over librdkafka's C functions, in which what the library forbids cannot be written.
//!
//! Knows no topic rules, no findings and no time limits but those it is given. One queue carries replies, errors, statistics and log lines, so whoever waits
//! for a reply also hears why none comes.

mod conf;
mod event;
mod metadata;
mod raw;
mod reply;
mod session;

pub(super) use conf::{Conf, Refusal};
pub(super) use event::{Event, Failure, code};
pub(super) use metadata::Metadata;
pub(super) use reply::{Answer, Configs, Entry, Reply};
pub(super) use session::{Serial, Session};
