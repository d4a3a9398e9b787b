//! The imperative shell: reads files, asks clusters, prints. Everything else is pure.

pub mod files;
