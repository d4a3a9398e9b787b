//! The list of all topics.

#![expect(unsafe_code, reason = "calls librdkafka")]

use super::raw::{self, PartitionMetadata, TopicMetadata};
use rdkafka_sys as sys;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The list, which is ours to free.
pub(in crate::cluster) struct Metadata<'session> {
    metadata: NonNull<sys::rd_kafka_metadata>,
    session: PhantomData<&'session super::Session>,
}

/// One topic of the list.
pub(in crate::cluster) struct Topic<'a>(&'a TopicMetadata);

impl Metadata<'_> {
    /// Takes over a list.
    ///
    /// # Safety
    /// `rd_kafka_metadata` gave it, and nothing else owns it.
    pub(super) unsafe fn new(metadata: NonNull<sys::rd_kafka_metadata>) -> Self {
        Self { metadata, session: PhantomData }
    }

    /// The topics, in the cluster's order.
    pub(in crate::cluster) fn topics(&self) -> impl Iterator<Item = Topic<'_>> {
        // SAFETY: the list is alive. Only pointer and count are read, so that no error number becomes an enum.
        let (topics, count) = unsafe { ((*self.metadata.as_ptr()).topics, (*self.metadata.as_ptr()).topic_cnt) };
        // SAFETY: the array lives as long as the list; the type has the same layout, with a number for the enum.
        unsafe { raw::array(topics.cast::<TopicMetadata>(), count) }.iter().map(Topic)
    }
}

impl Drop for Metadata<'_> {
    fn drop(&mut self) {
        // SAFETY: the list is ours, and nothing borrows from it any more.
        unsafe { sys::rd_kafka_metadata_destroy(self.metadata.as_ptr()) };
    }
}

impl Topic<'_> {
    /// Its name.
    pub(in crate::cluster) fn name(&self) -> Cow<'_, str> {
        // SAFETY: a string of the list.
        unsafe { raw::text(self.0.topic) }
    }

    /// Its error number; 0 for none.
    pub(in crate::cluster) fn code(&self) -> i32 {
        self.0.err
    }

    /// For each partition that was told: its number, and how many replicas it has.
    pub(in crate::cluster) fn partitions(&self) -> impl Iterator<Item = (i32, usize)> + '_ {
        let count = |partition: &PartitionMetadata| (partition.id, usize::try_from(partition.replica_cnt).unwrap_or(0));
        // SAFETY: the array lives as long as the list.
        unsafe { raw::array(self.0.partitions.cast_const(), self.0.partition_cnt) }.iter().map(count)
    }
}
