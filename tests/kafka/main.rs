//! isotopic against real Kafka brokers.
//!
//! Expected values are what Kafka's own tools were told or print, never what isotopic printed before.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "starts brokers and runs Kafka's tools")]
#![expect(clippy::zombie_processes, reason = "the brokers' watchers outlive the tests, to end the brokers")]

mod bounds;
mod brokers;
mod certificates;
mod contradicting;
mod node;
mod observing;
mod planning;
mod rights;
#[path = "../cli/runner.rs"]
#[expect(dead_code, reason = "shared with the tests on simulated clusters, which check more of a run")]
mod runner;
mod secured;
mod snapshot;
mod tools;
mod trouble;
mod unreachable;
mod versions;
mod ways_in;
