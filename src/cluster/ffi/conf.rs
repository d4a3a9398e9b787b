//! librdkafka's settings, before there is a client.

#![expect(unsafe_code, reason = "calls librdkafka")]

use super::raw;
use rdkafka_sys as sys;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::NonNull;
use sys::rd_kafka_conf_res_t::{RD_KAFKA_CONF_INVALID, RD_KAFKA_CONF_OK, RD_KAFKA_CONF_UNKNOWN};

/// Why librdkafka does not take a setting. Its own text repeats the value, which may be a secret, so it is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cluster) enum Refusal {
    /// There is no setting of that name.
    Name,
    /// The value is none that the setting takes.
    Value,
}

/// A set of settings.
pub(in crate::cluster) struct Conf(NonNull<sys::rd_kafka_conf_t>);

impl Conf {
    /// librdkafka's defaults. `None` where there is no memory.
    pub(in crate::cluster) fn new() -> Option<Self> {
        // SAFETY: takes no arguments; the result is ours.
        NonNull::new(unsafe { sys::rd_kafka_conf_new() }).map(Self)
    }

    /// Sets one.
    pub(in crate::cluster) fn set(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let name = CString::new(name).map_err(|_| Refusal::Name)?;
        let value = CString::new(value).map_err(|_| Refusal::Value)?;
        let mut ignored: [c_char; 8] = [0; 8];
        // SAFETY: all pointers are valid for the call; librdkafka copies both strings, and writes at most the given length.
        let result = unsafe { sys::rd_kafka_conf_set(self.0.as_ptr(), name.as_ptr(), value.as_ptr(), ignored.as_mut_ptr(), ignored.len()) };
        match result {
            RD_KAFKA_CONF_OK => Ok(()),
            RD_KAFKA_CONF_UNKNOWN => Err(Refusal::Name),
            RD_KAFKA_CONF_INVALID => Err(Refusal::Value),
        }
    }

    /// The names of all settings that have a value.
    pub(in crate::cluster) fn names(&self) -> Vec<String> {
        let mut count = 0;
        // SAFETY: the pointers are valid; the result is an array of `count` strings, names and values in turn, freed below.
        let dump = unsafe { sys::rd_kafka_conf_dump(self.0.as_ptr(), &raw mut count) };
        // SAFETY: as above; the texts are copied before the array is freed.
        let names = unsafe { raw::elements(dump, count).step_by(2).map(|name| raw::text(name.as_ptr()).into_owned()).collect() };
        // SAFETY: frees what `rd_kafka_conf_dump` gave, once.
        unsafe { sys::rd_kafka_conf_dump_free(dump, count) };
        names
    }

    /// Lets the log tell why a broker's certificate does not pass, which librdkafka otherwise keeps to itself: OpenSSL's number stands at the end of the line.
    pub(in crate::cluster) fn tell_certificate_errors(&mut self) {
        // SAFETY: the pointer is valid, and the function fits what librdkafka asks of it.
        unsafe { sys::rd_kafka_conf_set_ssl_cert_verify_cb(self.0.as_ptr(), Some(pass_on)) };
    }

    /// Which events the queue will carry.
    pub(super) fn set_events(&mut self, events: i32) {
        // SAFETY: the pointer is valid.
        unsafe { sys::rd_kafka_conf_set_events(self.0.as_ptr(), events) };
    }

    /// The pointer, still owned by this.
    pub(super) fn as_ptr(&self) -> *mut sys::rd_kafka_conf_t {
        self.0.as_ptr()
    }
}

/// Judges one certificate of a broker's chain exactly as OpenSSL did, and writes OpenSSL's number as the reason.
///
/// # Safety
/// Called by librdkafka: `error` points to OpenSSL's number, and `why` to `size` bytes to write to.
unsafe extern "C" fn pass_on(
    _client: *mut sys::rd_kafka_t,
    _broker: *const c_char,
    _id: i32,
    error: *mut c_int,
    _depth: c_int,
    _certificate: *const c_char,
    _certificate_size: usize,
    why: *mut c_char,
    size: usize,
    _opaque: *mut c_void,
) -> c_int {
    // SAFETY: the caller vouches for it.
    let Some(error) = (unsafe { error.as_ref() }) else { return 0 };
    if *error == 0 {
        return 1;
    }
    let text = CString::new(error.to_string()).unwrap_or_default();
    let bytes = text.as_bytes_with_nul();
    if !why.is_null() && bytes.len() <= size {
        // SAFETY: there is room for all bytes, and the two do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), why, bytes.len()) };
    }
    0
}

impl Drop for Conf {
    fn drop(&mut self) {
        // SAFETY: the settings are ours: a client that takes them over makes us forget them.
        unsafe { sys::rd_kafka_conf_destroy(self.0.as_ptr()) };
    }
}
