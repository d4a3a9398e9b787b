//! What comes out of a session's queue.

#![expect(unsafe_code, reason = "calls librdkafka")]

use super::raw;
use super::reply::Reply;
use rdkafka_sys as sys;
use std::ffi::c_char;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Error numbers that are told apart. Negative ones are librdkafka's, the others Kafka's.
pub(in crate::cluster) mod code {
    /// An answer is not in the protocol's form, or longer than it may be.
    pub(in crate::cluster) const BAD_MSG: i32 = -199;
    /// A connection failed or broke.
    pub(in crate::cluster) const TRANSPORT: i32 = -195;
    /// A host name does not resolve.
    pub(in crate::cluster) const RESOLVE: i32 = -193;
    /// No broker can be reached at the moment.
    pub(in crate::cluster) const ALL_BROKERS_DOWN: i32 = -187;
    /// librdkafka waited in vain.
    pub(in crate::cluster) const TIMED_OUT: i32 = -185;
    /// TLS failed.
    pub(in crate::cluster) const SSL: i32 = -181;
    /// The broker does not know a request.
    pub(in crate::cluster) const UNSUPPORTED_FEATURE: i32 = -165;
    /// SASL failed.
    pub(in crate::cluster) const AUTHENTICATION: i32 = -169;
    /// An answer ends before what it promises.
    pub(in crate::cluster) const UNDERFLOW: i32 = -155;
    /// There is no such topic.
    pub(in crate::cluster) const UNKNOWN_TOPIC_OR_PARTITION: i32 = 3;
    /// There can be no such topic.
    pub(in crate::cluster) const INVALID_TOPIC: i32 = 17;
    /// The topic may not be looked at.
    pub(in crate::cluster) const TOPIC_AUTHORIZATION_FAILED: i32 = 29;
    /// The cluster may not be looked at.
    pub(in crate::cluster) const CLUSTER_AUTHORIZATION_FAILED: i32 = 31;
    /// The broker does not offer the SASL mechanism.
    pub(in crate::cluster) const UNSUPPORTED_SASL_MECHANISM: i32 = 33;
    /// SASL was not expected now.
    pub(in crate::cluster) const ILLEGAL_SASL_STATE: i32 = 34;
    /// The broker did not take the credentials.
    pub(in crate::cluster) const SASL_AUTHENTICATION_FAILED: i32 = 58;
}

/// An error as librdkafka or a broker reported it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cluster) struct Failure {
    /// Its number; see [`code`].
    pub(in crate::cluster) code: i32,
    /// Its text, in librdkafka's or the broker's words.
    pub(in crate::cluster) text: String,
}

impl Failure {
    /// With the code's own text.
    pub(in crate::cluster) fn of(code: i32) -> Self {
        // SAFETY: takes any number, and gives a string that lives for the whole program, or until this thread asks again.
        let text = unsafe { raw::text(raw::rd_kafka_err2str(code)) }.into_owned();
        Self { code, text }
    }

    /// Kafka's or librdkafka's name of the code, such as `TOPIC_AUTHORIZATION_FAILED`.
    pub(in crate::cluster) fn name(&self) -> String {
        // SAFETY: as in `of`.
        unsafe { raw::text(raw::rd_kafka_err2name(self.code)) }.into_owned()
    }
}

/// One thing out of the queue.
pub(in crate::cluster) enum Event<'session> {
    /// The reply to a request, maybe to one that nobody waits for any more.
    Reply(Reply<'session>),
    /// A connection, or the whole client, is in trouble.
    Error(Failure),
    /// A line for the log.
    Log(String),
    /// librdkafka's counters, as JSON.
    Statistics(String),
}

/// An event that is ours to destroy. It must not outlive its session.
pub(super) struct Owned<'session> {
    event: NonNull<sys::rd_kafka_event_t>,
    session: PhantomData<&'session super::Session>,
}

impl Owned<'_> {
    /// Takes over an event.
    ///
    /// # Safety
    /// The event came from the queue of the session that is borrowed, and nothing else owns it.
    pub(super) unsafe fn new(event: NonNull<sys::rd_kafka_event_t>) -> Self {
        Self { event, session: PhantomData }
    }

    pub(super) fn as_ptr(&self) -> *mut sys::rd_kafka_event_t {
        self.event.as_ptr()
    }

    /// The error it carries, if it does.
    pub(super) fn failure(&self) -> Option<Failure> {
        // SAFETY: the event is alive.
        let code = unsafe { raw::rd_kafka_event_error(self.as_ptr()) };
        // SAFETY: the event is alive; the text is copied.
        (code != 0).then(|| Failure { code, text: unsafe { raw::text(sys::rd_kafka_event_error_string(self.as_ptr())) }.into_owned() })
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // SAFETY: the event is ours, and nothing borrows from it any more.
        unsafe { sys::rd_kafka_event_destroy(self.as_ptr()) };
    }
}

impl<'session> Event<'session> {
    /// Sorts an event by its type. `None` for types that nobody asked for.
    pub(super) fn of(owned: Owned<'session>) -> Option<Self> {
        // SAFETY: the event is alive.
        let kind = unsafe { sys::rd_kafka_event_type(owned.as_ptr()) };
        match kind {
            sys::RD_KAFKA_EVENT_DESCRIBETOPICS_RESULT | sys::RD_KAFKA_EVENT_DESCRIBECONFIGS_RESULT => Some(Self::Reply(Reply::new(owned))),
            sys::RD_KAFKA_EVENT_ERROR => owned.failure().map(Self::Error),
            sys::RD_KAFKA_EVENT_LOG => {
                let mut line = std::ptr::null::<c_char>();
                // SAFETY: the event is alive, and the place is valid for writing; facility and level are not wanted.
                let result = unsafe { sys::rd_kafka_event_log(owned.as_ptr(), std::ptr::null_mut(), &raw mut line, std::ptr::null_mut()) };
                // SAFETY: on success `line` is a string of the event; it is copied.
                (result == 0).then(|| Self::Log(unsafe { raw::text(line) }.into_owned()))
            }
            // SAFETY: the event is alive and of this type; the text is copied.
            sys::RD_KAFKA_EVENT_STATS => Some(Self::Statistics(unsafe { raw::text(sys::rd_kafka_event_stats(owned.as_ptr())) }.into_owned())),
            // Among them the wish for a token, which was granted or refused before it was heard.
            _ => None,
        }
    }
}
