//! The built program against a front that speaks Kafka's protocol over loopback and misbehaves by script.
//!
//! Real brokers show what is usual; the front shows what is rare, on time: errors, silence, broken connections, half answers, a world that changes meanwhile.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests start servers and the program, and fail by panicking")]

mod agreeing;
mod answers;
mod changing;
mod connections;
mod pair;
mod protocol;
#[path = "../cli/runner.rs"]
#[allow(dead_code, reason = "the tests of the command line use all of it")]
mod runner;
mod scale;
mod script;
mod server;
mod trap;
mod values;
mod world;
