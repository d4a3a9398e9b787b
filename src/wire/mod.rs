//! The files that are read and written for others: their types, and how they turn into the ones the program thinks with.

pub mod snapshot;
