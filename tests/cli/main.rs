//! The built program, run as users run it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests write workspaces, start the program, and fail by panicking")]

mod cases;
mod environments;
mod explain;
mod judging;
mod pair;
mod plan;
mod readme;
mod runner;
mod schemas;
mod secrets;
mod show;
mod snapshot;
mod usage;
mod validate;
#[path = "../house/voice.rs"]
mod voice;
