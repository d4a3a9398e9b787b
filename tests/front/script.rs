//! What a front does otherwise than it should: a list of rules.

use crate::protocol::Kind;
use isotopic::wire::snapshot::Snapshot;
use kafka_protocol::messages::{DescribeConfigsResponse, MetadataResponse};
use std::time::Duration;

/// Which requests are treated otherwise, and how.
pub(crate) struct Rule {
    kind: Kind,
    /// The only one of its kind that is meant, counted from 1 over all connections; all of them where there is none.
    only: Option<usize>,
    pub(crate) then: Then,
}

/// How a request is treated. Rules that change the world come first, then those that change the answer, then those that spoil its way.
pub(crate) enum Then {
    /// The world changes before the answer is made.
    World(Box<dyn Fn(&mut Snapshot) + Send + Sync>),
    /// An answer to Metadata is changed.
    Metadata(Box<dyn Fn(&mut MetadataResponse) + Send + Sync>),
    /// An answer to DescribeConfigs is changed.
    Configs(Box<dyn Fn(&mut DescribeConfigsResponse) + Send + Sync>),
    /// The answer comes late.
    Wait(Duration),
    /// No answer comes, and the connection stays.
    Silence,
    /// The connection is closed in place of the answer.
    Close,
    /// The connection is closed in the middle of the answer.
    CloseHalfway,
    /// These bytes come in place of the answer and of its length.
    Bytes(Vec<u8>),
    /// The answer is cut, or followed by zeros, so that it has this length.
    Resize(usize),
}

impl Rule {
    pub(crate) fn always(kind: Kind, then: Then) -> Self {
        Self { kind, only: None, then }
    }

    pub(crate) fn first(kind: Kind, then: Then) -> Self {
        Self { kind, only: Some(1), then }
    }

    pub(crate) fn is_for(&self, kind: Kind, number: usize) -> bool {
        self.kind == kind && self.only.is_none_or(|only| only == number)
    }
}

impl Then {
    pub(crate) fn world(change: impl Fn(&mut Snapshot) + Send + Sync + 'static) -> Self {
        Self::World(Box::new(change))
    }

    pub(crate) fn metadata(change: impl Fn(&mut MetadataResponse) + Send + Sync + 'static) -> Self {
        Self::Metadata(Box::new(change))
    }

    pub(crate) fn configs(change: impl Fn(&mut DescribeConfigsResponse) + Send + Sync + 'static) -> Self {
        Self::Configs(Box::new(change))
    }
}
