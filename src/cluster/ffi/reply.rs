//! Replies to requests, and views into them.
//!
//! Only a reply without an error turns into an [`Answer`], and only an answer has accessors: called on a failed reply, some of librdkafka's would end the
//! process.

#![expect(unsafe_code, reason = "calls librdkafka")]

use super::event::{Failure, Owned};
use super::raw;
use super::session::Serial;
use rdkafka_sys as sys;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A reply that was not looked into yet.
pub(in crate::cluster) struct Reply<'session>(Owned<'session>);

/// A reply without an error, by the request it belongs to.
pub(in crate::cluster) enum Answer<'session> {
    /// To DescribeTopics.
    Topics(Topics<'session>),
    /// To DescribeConfigs.
    Configs(Configs<'session>),
}

/// Topics by name.
pub(in crate::cluster) struct Topics<'session> {
    result: NonNull<sys::rd_kafka_DescribeTopics_result_t>,
    _event: Owned<'session>,
}

/// Topics' configs.
pub(in crate::cluster) struct Configs<'session> {
    result: NonNull<sys::rd_kafka_DescribeConfigs_result_t>,
    _event: Owned<'session>,
}

impl<'session> Reply<'session> {
    pub(super) fn new(event: Owned<'session>) -> Self {
        Self(event)
    }

    /// The number of its request.
    pub(in crate::cluster) fn serial(&self) -> Serial {
        // SAFETY: the event is alive; the pointer is a number of ours and is not followed.
        Serial(unsafe { sys::rd_kafka_event_opaque(self.0.as_ptr()) }.addr())
    }

    /// Looks whether the request failed as a whole.
    pub(in crate::cluster) fn open(self) -> Result<Answer<'session>, Failure> {
        let event = self.0;
        if let Some(failure) = event.failure() {
            return Err(failure);
        }
        // SAFETY: the event is alive and without error; null comes back where it is a reply of another kind.
        if let Some(result) = NonNull::new(unsafe { sys::rd_kafka_event_DescribeTopics_result(event.as_ptr()) }.cast_mut()) {
            return Ok(Answer::Topics(Topics { result, _event: event }));
        }
        // SAFETY: as above.
        match NonNull::new(unsafe { sys::rd_kafka_event_DescribeConfigs_result(event.as_ptr()) }.cast_mut()) {
            Some(result) => Ok(Answer::Configs(Configs { result, _event: event })),
            None => Err(Failure { code: -1, text: "a reply of an unknown kind".to_owned() }),
        }
    }
}

/// One topic that was asked for by name.
pub(in crate::cluster) struct Topic<'a>(NonNull<sys::rd_kafka_TopicDescription_t>, PhantomData<&'a ()>);

impl Topics<'_> {
    /// The topics, in the order in which they were asked for.
    pub(in crate::cluster) fn each(&self) -> impl Iterator<Item = Topic<'_>> {
        let mut count = 0;
        // SAFETY: the result is alive and without error, and the place is valid for writing.
        let topics = unsafe { sys::rd_kafka_DescribeTopics_result_topics(self.result.as_ptr(), &raw mut count) };
        // SAFETY: the array and its topics live as long as the result.
        unsafe { raw::elements(topics, count) }.map(|topic| Topic(topic, PhantomData))
    }
}

impl<'a> Topic<'a> {
    /// Its name.
    pub(in crate::cluster) fn name(&self) -> Cow<'a, str> {
        // SAFETY: the topic is alive for `'a`.
        unsafe { raw::text(sys::rd_kafka_TopicDescription_name(self.0.as_ptr())) }
    }

    /// Why it was not described.
    pub(in crate::cluster) fn failure(&self) -> Option<Failure> {
        // SAFETY: the topic is alive.
        let error = unsafe { sys::rd_kafka_TopicDescription_error(self.0.as_ptr()) };
        if error.is_null() {
            return None;
        }
        // SAFETY: the error lives as long as the topic; the text is copied.
        let (code, text) = unsafe { (raw::rd_kafka_error_code(error), raw::text(sys::rd_kafka_error_string(error)).into_owned()) };
        (code != 0).then_some(Failure { code, text })
    }

    /// Its id, in standard base64; empty where there is none.
    pub(in crate::cluster) fn id(&self) -> Cow<'a, str> {
        // SAFETY: the topic is alive.
        let id = unsafe { sys::rd_kafka_TopicDescription_topic_id(self.0.as_ptr()) };
        if id.is_null() {
            return Cow::Borrowed("");
        }
        // SAFETY: the id, and the text that it keeps, live as long as the topic.
        unsafe { raw::text(sys::rd_kafka_Uuid_base64str(id)) }
    }

    /// The brokers that hold its replicas, each with where it stands, where it tells. A broker comes once for each replica.
    pub(in crate::cluster) fn racks(&self) -> impl Iterator<Item = (i32, Cow<'a, str>)> + 'a {
        let mut count = 0;
        // SAFETY: the topic is alive, and the place is valid for writing.
        let partitions = unsafe { sys::rd_kafka_TopicDescription_partitions(self.0.as_ptr(), &raw mut count) };
        // SAFETY: the array and its partitions live as long as the topic.
        unsafe { raw::elements(partitions, count) }.flat_map(|partition| {
            let mut count = 0;
            // SAFETY: the partition is alive, and the place is valid for writing.
            let replicas = unsafe { sys::rd_kafka_TopicPartitionInfo_replicas(partition.as_ptr(), &raw mut count) };
            // SAFETY: the array and its nodes live as long as the partition.
            unsafe { raw::elements(replicas, count) }.map(|node| {
                // SAFETY: the node is alive; the rack is null where it tells none.
                unsafe { (sys::rd_kafka_Node_id(node.as_ptr()), raw::text(sys::rd_kafka_Node_rack(node.as_ptr()))) }
            })
        })
    }

    /// For each partition that was told: its number, and how many replicas it has.
    pub(in crate::cluster) fn partitions(&self) -> impl Iterator<Item = (i32, usize)> + 'a {
        let mut count = 0;
        // SAFETY: the topic is alive, and the place is valid for writing.
        let partitions = unsafe { sys::rd_kafka_TopicDescription_partitions(self.0.as_ptr(), &raw mut count) };
        // SAFETY: the array and its partitions live as long as the topic.
        unsafe { raw::elements(partitions, count) }.map(|partition| {
            let mut replicas = 0;
            // SAFETY: the partition is alive, and the place is valid for writing.
            unsafe { sys::rd_kafka_TopicPartitionInfo_replicas(partition.as_ptr(), &raw mut replicas) };
            // SAFETY: the partition is alive.
            (unsafe { sys::rd_kafka_TopicPartitionInfo_partition(partition.as_ptr()) }, replicas)
        })
    }
}

/// One topic whose configs were asked for.
pub(in crate::cluster) struct Resource<'a>(NonNull<sys::rd_kafka_ConfigResource_t>, PhantomData<&'a ()>);

impl Configs<'_> {
    /// The topics, in the order in which they were asked for. One that the broker left out is left out.
    pub(in crate::cluster) fn each(&self) -> impl Iterator<Item = Resource<'_>> {
        let mut count = 0;
        // SAFETY: the result is alive and without error, and the place is valid for writing.
        let resources = unsafe { sys::rd_kafka_DescribeConfigs_result_resources(self.result.as_ptr(), &raw mut count) };
        // SAFETY: the array and its resources live as long as the result.
        unsafe { raw::elements(resources, count) }.map(|resource| Resource(resource, PhantomData))
    }
}

impl<'a> Resource<'a> {
    /// The topic's name.
    pub(in crate::cluster) fn name(&self) -> Cow<'a, str> {
        // SAFETY: the resource is alive for `'a`.
        unsafe { raw::text(sys::rd_kafka_ConfigResource_name(self.0.as_ptr())) }
    }

    /// Why its configs are not there.
    pub(in crate::cluster) fn failure(&self) -> Option<Failure> {
        // SAFETY: the resource is alive.
        let code = unsafe { raw::rd_kafka_ConfigResource_error(self.0.as_ptr()) };
        // SAFETY: the resource is alive; the text is copied.
        (code != 0).then(|| Failure { code, text: unsafe { raw::text(sys::rd_kafka_ConfigResource_error_string(self.0.as_ptr())) }.into_owned() })
    }

    /// Its configs.
    pub(in crate::cluster) fn entries(&self) -> impl Iterator<Item = Entry<'a>> + 'a {
        let mut count = 0;
        // SAFETY: the resource is alive, and the place is valid for writing.
        let entries = unsafe { sys::rd_kafka_ConfigResource_configs(self.0.as_ptr(), &raw mut count) };
        // SAFETY: the array and its entries live as long as the resource.
        unsafe { raw::elements(entries, count) }.map(|entry| Entry(entry, PhantomData))
    }
}

/// One config, or one synonym of a config.
#[derive(Clone, Copy)]
pub(in crate::cluster) struct Entry<'a>(NonNull<sys::rd_kafka_ConfigEntry_t>, PhantomData<&'a ()>);

impl<'a> Entry<'a> {
    /// Its name.
    pub(in crate::cluster) fn name(self) -> Cow<'a, str> {
        // SAFETY: the entry is alive for `'a`.
        unsafe { raw::text(sys::rd_kafka_ConfigEntry_name(self.0.as_ptr())) }
    }

    /// Its value, `None` where the broker tells none.
    pub(in crate::cluster) fn value(self) -> Option<Cow<'a, str>> {
        // SAFETY: the entry is alive for `'a`.
        let value = unsafe { sys::rd_kafka_ConfigEntry_value(self.0.as_ptr()) };
        // SAFETY: the string lives as long as the entry.
        (!value.is_null()).then(|| unsafe { raw::text(value) })
    }

    /// Where it comes from: the number of a `DescribeConfigsResponse.ConfigSource`.
    pub(in crate::cluster) fn source(self) -> i32 {
        // SAFETY: the entry is alive.
        unsafe { raw::rd_kafka_ConfigEntry_source(self.0.as_ptr()) }
    }

    /// Whether its value is a secret.
    pub(in crate::cluster) fn is_sensitive(self) -> bool {
        // SAFETY: the entry is alive.
        unsafe { sys::rd_kafka_ConfigEntry_is_sensitive(self.0.as_ptr()) != 0 }
    }

    /// Where its value would come from if it were not set here, most specific first. The entry itself may be among them.
    pub(in crate::cluster) fn synonyms(self) -> impl Iterator<Item = Entry<'a>> + 'a {
        let mut count = 0;
        // SAFETY: the entry is alive, and the place is valid for writing.
        let synonyms = unsafe { sys::rd_kafka_ConfigEntry_synonyms(self.0.as_ptr(), &raw mut count) };
        // SAFETY: the array and its entries live as long as the entry.
        unsafe { raw::elements(synonyms, count) }.map(|entry| Entry(entry, PhantomData))
    }
}
