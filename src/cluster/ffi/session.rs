//! A client of one cluster, and the requests it sends.

#![expect(unsafe_code, reason = "calls librdkafka")]

use super::conf::Conf;
use super::event::{Event, Failure, Owned};
use super::metadata::Metadata;
use super::raw;
use crate::kafka::name::TopicName;
use rdkafka_sys as sys;
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int};
use std::ptr::NonNull;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use sys::rd_kafka_admin_op_t::{self, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS};

/// The number of a request. Its reply carries the same one, so that a late reply to an abandoned request is known for what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cluster) struct Serial(pub(super) usize);

/// A client of one cluster with its queue. It stays in the thread that opened it: its pointers make it neither `Send` nor `Sync`.
///
/// The fields are dropped in this order; librdkafka wants the queue gone before the client.
pub(in crate::cluster) struct Session {
    queue: Queue,
    client: Client,
    last: Cell<usize>,
}

struct Queue(NonNull<sys::rd_kafka_queue_t>);

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: the reference is ours, and the client is still alive.
        unsafe { sys::rd_kafka_queue_destroy(self.0.as_ptr()) };
    }
}

struct Client(NonNull<sys::rd_kafka_t>);

impl Drop for Client {
    fn drop(&mut self) {
        // SAFETY: the client is ours; queue and events are gone, because they were dropped first or borrow the session.
        unsafe { sys::rd_kafka_destroy(self.0.as_ptr()) };
    }
}

/// A request's options, freed when it was sent.
struct Options(NonNull<sys::rd_kafka_AdminOptions_t>);

impl Drop for Options {
    fn drop(&mut self) {
        // SAFETY: the options are ours.
        unsafe { sys::rd_kafka_AdminOptions_destroy(self.0.as_ptr()) };
    }
}

/// Milliseconds for C, rounded up so that a short wait is not a busy one.
fn milliseconds(time: Duration) -> c_int {
    c_int::try_from(time.as_micros().div_ceil(1000)).unwrap_or(c_int::MAX)
}

impl Session {
    /// Makes a client that contacts nobody yet. The error is librdkafka's text, which may repeat values of settings.
    pub(in crate::cluster) fn open(mut conf: Conf) -> Result<Self, String> {
        conf.set_events(
            sys::RD_KAFKA_EVENT_LOG
                | sys::RD_KAFKA_EVENT_ERROR
                | sys::RD_KAFKA_EVENT_STATS
                | sys::RD_KAFKA_EVENT_OAUTHBEARER_TOKEN_REFRESH
                | sys::RD_KAFKA_EVENT_DESCRIBETOPICS_RESULT
                | sys::RD_KAFKA_EVENT_DESCRIBECONFIGS_RESULT,
        );
        let mut why: [c_char; 512] = [0; 512];
        // SAFETY: the settings are valid, and librdkafka writes a terminated text of at most the given length.
        let client = unsafe { sys::rd_kafka_new(sys::rd_kafka_type_t::RD_KAFKA_PRODUCER, conf.as_ptr(), why.as_mut_ptr(), why.len()) };
        let Some(client) = NonNull::new(client).map(Client) else {
            // SAFETY: on failure the text was written.
            return Err(unsafe { raw::text(why.as_ptr()) }.into_owned());
        };
        // The client has taken the settings over.
        std::mem::forget(conf);
        // SAFETY: the client is alive; the reference that comes back is ours.
        let queue = NonNull::new(unsafe { sys::rd_kafka_queue_get_main(client.0.as_ptr()) }).map(Queue);
        let Some(queue) = queue else { return Err("it has no queue".to_owned()) };
        // SAFETY: client and queue are alive. Without this, log lines would go to stderr.
        unsafe { sys::rd_kafka_set_log_queue(client.0.as_ptr(), queue.0.as_ptr()) };
        Ok(Self { queue, client, last: Cell::new(0) })
    }

    /// Gives the mechanism OAUTHBEARER its token, which ends at this many milliseconds since 1970. The error is librdkafka's text, which may repeat the token.
    pub(in crate::cluster) fn set_token(&self, token: &str, ends_ms: i64, principal: &str) -> Result<(), String> {
        let text = |text: &str| CString::new(text).map_err(|_| "it has a NUL character".to_owned());
        let (token, principal) = (text(token)?, text(principal)?);
        let mut why: [c_char; 512] = [0; 512];
        // SAFETY: the client is alive; the strings are copied; there are no extensions; librdkafka writes a terminated text of at most the given length.
        let code = unsafe {
            let (extensions, count) = (std::ptr::null_mut(), 0);
            sys::rd_kafka_oauthbearer_set_token(
                self.client.0.as_ptr(),
                token.as_ptr(),
                ends_ms,
                principal.as_ptr(),
                extensions,
                count,
                why.as_mut_ptr(),
                why.len(),
            )
        };
        if code == sys::rd_kafka_resp_err_t::RD_KAFKA_RESP_ERR_NO_ERROR {
            return Ok(());
        }
        // SAFETY: on failure the text was written.
        Err(unsafe { raw::text(why.as_ptr()) }.into_owned())
    }

    /// Starts to connect to these brokers (`host:port,host:port`), and tells how many addresses were understood.
    pub(in crate::cluster) fn connect(&self, bootstrap: &str) -> usize {
        let Ok(bootstrap) = CString::new(bootstrap) else { return 0 };
        // SAFETY: the client is alive; the string is copied.
        let understood = unsafe { sys::rd_kafka_brokers_add(self.client.0.as_ptr(), bootstrap.as_ptr()) };
        usize::try_from(understood).unwrap_or(0)
    }

    /// The next event, or `None` where none came in time (or one that nobody asked for).
    pub(in crate::cluster) fn poll(&self, wait: Duration) -> Option<Event<'_>> {
        // SAFETY: the queue is alive; the event that comes back is ours.
        let event = NonNull::new(unsafe { sys::rd_kafka_queue_poll(self.queue.0.as_ptr(), milliseconds(wait)) })?;
        // SAFETY: it came from this session's queue just now.
        Event::of(unsafe { Owned::new(event) })
    }

    /// The cluster's id, once it was told with the brokers; `None` where it has none. Asks nobody: librdkafka's own DescribeCluster would end the process on a
    /// cluster without an id.
    pub(in crate::cluster) fn cluster_id(&self) -> Option<String> {
        // SAFETY: the client is alive; the string that comes back is ours.
        let id = NonNull::new(unsafe { sys::rd_kafka_clusterid(self.client.0.as_ptr(), 0) })?;
        // SAFETY: the string is alive, and copied.
        let text = unsafe { raw::text(id.as_ptr()) }.into_owned();
        // SAFETY: librdkafka gave the string to us, and it is freed once.
        unsafe { sys::rd_kafka_mem_free(self.client.0.as_ptr(), id.as_ptr().cast()) };
        Some(text)
    }

    /// Asks for topics by name, which creates none. Names that C cannot hold are left out.
    pub(in crate::cluster) fn describe_topics(&self, names: &[TopicName], timeout: Duration) -> Serial {
        let (serial, options) = self.request(RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, timeout);
        let names: Vec<_> = names.iter().filter_map(|name| CString::new(name.as_str()).ok()).collect();
        let mut pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: the array holds that many valid strings, which are copied; the collection is freed below.
        let topics = unsafe { sys::rd_kafka_TopicCollection_of_topic_names(pointers.as_mut_ptr(), pointers.len()) };
        // SAFETY: client, collection, options and queue are alive; the collection is copied.
        unsafe { sys::rd_kafka_DescribeTopics(self.client.0.as_ptr(), topics, as_ptr(options.as_ref()), self.queue.0.as_ptr()) };
        // SAFETY: the collection is ours.
        unsafe { sys::rd_kafka_TopicCollection_destroy(topics) };
        serial
    }

    /// Asks for the configs of topics, in one request.
    pub(in crate::cluster) fn describe_configs(&self, names: &[TopicName], timeout: Duration) -> Serial {
        let (serial, options) = self.request(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, timeout);
        let mut resources: Vec<_> = names
            .iter()
            .filter_map(|name| CString::new(name.as_str()).ok())
            // SAFETY: the name is valid and copied; the resource is ours, and freed below.
            .map(|name| unsafe { sys::rd_kafka_ConfigResource_new(sys::rd_kafka_ResourceType_t::RD_KAFKA_RESOURCE_TOPIC, name.as_ptr()) })
            .filter(|resource| !resource.is_null())
            .collect();
        // SAFETY: the array holds that many valid resources, which are copied; client, options and queue are alive.
        unsafe {
            sys::rd_kafka_DescribeConfigs(self.client.0.as_ptr(), resources.as_mut_ptr(), resources.len(), as_ptr(options.as_ref()), self.queue.0.as_ptr());
        }
        // SAFETY: the resources are ours.
        unsafe { sys::rd_kafka_ConfigResource_destroy_array(resources.as_mut_ptr(), resources.len()) };
        serial
    }

    /// Lists all topics, and waits for the list. Never asks for one by name, because brokers may then create it.
    pub(in crate::cluster) fn metadata(&self, timeout: Duration) -> Result<Metadata<'_>, Failure> {
        let mut metadata = std::ptr::null();
        // SAFETY: the client is alive, and the place is valid for writing.
        let code = unsafe { raw::rd_kafka_metadata(self.client.0.as_ptr(), 1, std::ptr::null_mut(), &raw mut metadata, milliseconds(timeout)) };
        match NonNull::new(metadata.cast_mut()) {
            // SAFETY: on success the metadata is ours.
            Some(metadata) if code == 0 => Ok(unsafe { Metadata::new(metadata) }),
            _ => Err(Failure::of(code)),
        }
    }

    /// Closes, and waits no longer than this: a connection in trouble (a name that does not resolve, say) can take many seconds to close. It is closed rather
    /// than left alone, because OpenSSL's state goes when the program ends, and a thread that still uses it would take the program down.
    pub(in crate::cluster) fn close_within(self, time: Duration) {
        struct Closing(Session);
        // SAFETY: librdkafka's functions may be called from any thread; the session is not shared, it moves.
        unsafe impl Send for Closing {}
        let closing = Closing(self);
        let (done, closed) = channel::<()>();
        let close = move || {
            // The whole of it moves into the thread, and not its field.
            let Closing(session) = { closing };
            drop(session);
            drop(done);
        };
        // Where there is no thread to be had, `close` is dropped here and closes at once.
        if std::thread::Builder::new().spawn(close).is_ok() {
            // Nothing is sent: the wait ends when the sender goes.
            let _: Result<(), RecvTimeoutError> = closed.recv_timeout(time);
        }
    }

    /// A new serial number, and options that carry it. Without memory for options librdkafka's own apply, and the reply counts as abandoned.
    fn request(&self, operation: rd_kafka_admin_op_t, timeout: Duration) -> (Serial, Option<Options>) {
        let serial = self.last.get() + 1;
        self.last.set(serial);
        // SAFETY: the client is alive; the options are ours.
        let options = NonNull::new(unsafe { sys::rd_kafka_AdminOptions_new(self.client.0.as_ptr(), operation) }).map(Options);
        if let Some(options) = &options {
            let longest = Duration::from_secs(3600);
            // SAFETY: the options are alive; a null text of length 0 is not written. The time is within librdkafka's bounds, so it is taken.
            unsafe { sys::rd_kafka_AdminOptions_set_request_timeout(options.0.as_ptr(), milliseconds(timeout.min(longest)), std::ptr::null_mut(), 0) };
            // SAFETY: the options are alive; librdkafka hands the pointer back and never follows it.
            unsafe { sys::rd_kafka_AdminOptions_set_opaque(options.0.as_ptr(), std::ptr::without_provenance_mut(serial)) };
        }
        (Serial(serial), options)
    }
}

fn as_ptr(options: Option<&Options>) -> *const sys::rd_kafka_AdminOptions_t {
    options.map_or(std::ptr::null(), |options| options.0.as_ptr().cast_const())
}
