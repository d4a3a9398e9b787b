//! A snapshot of a live cluster, observed as if it were that cluster at that time.
//!
//! It answers from its file as a simulated cluster does. It is another type because its file is no state: nothing can ever be done to it.

use super::simulated::Simulated;
use super::{Again, Asked, Identity, Observe};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::TopicName;
use crate::live::{Instant, State};
use crate::wire::snapshot::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A snapshot, read and found sound.
#[derive(Clone, Debug)]
pub struct Snapshot {
    file: Simulated,
    taken_at: Instant,
}

impl Snapshot {
    /// Reads a snapshot's file: `shown` is its path as written, relative to `folder`; `place` is where it was written.
    pub fn load(folder: &Path, shown: &str, place: Place) -> Result<Self, Vec<Finding>> {
        let file = Simulated::open(folder, shown, Kind::Snapshot, place)?;
        match file.taken_at() {
            Some(taken_at) => Ok(Self { file, taken_at }),
            None => {
                let message = format!("the snapshot {shown} has no taken_at, so nobody knows how old it is");
                Err(vec![Finding::new(Code::Ym014, message).at(place).help("take it anew with `isotopic snapshot`")])
            }
        }
    }

    /// When the cluster was read.
    pub fn taken_at(&self) -> Instant {
        self.taken_at
    }
}

impl Observe for Snapshot {
    fn identify(&mut self) -> Result<Identity, Vec<Finding>> {
        self.file.identify()
    }

    fn read(&mut self, asked: Asked<'_>) -> Result<State, Vec<Finding>> {
        self.file.read(asked)
    }

    fn ids(&mut self, topics: &BTreeSet<TopicName>) -> Result<BTreeMap<TopicName, Again>, Vec<Finding>> {
        self.file.ids(topics)
    }
}
