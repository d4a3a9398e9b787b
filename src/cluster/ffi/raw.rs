//! C functions declared anew, and how to read C strings and arrays.
//!
//! The bindings give error codes and config sources as Rust enums, but a broker's number passes through librdkafka unclamped, and an enum that holds none of
//! its values is undefined behaviour. Here they are plain integers.

#![expect(unsafe_code, reason = "declares C functions, and reads memory that they point to")]

use rdkafka_sys as sys;
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

unsafe extern "C" {
    pub(super) fn rd_kafka_event_error(event: *mut sys::rd_kafka_event_t) -> c_int;
    pub(super) fn rd_kafka_ConfigResource_error(resource: *const sys::rd_kafka_ConfigResource_t) -> c_int;
    pub(super) fn rd_kafka_ConfigEntry_source(entry: *const sys::rd_kafka_ConfigEntry_t) -> c_int;
    pub(super) fn rd_kafka_error_code(error: *const sys::rd_kafka_error_t) -> c_int;
    pub(super) fn rd_kafka_err2name(code: c_int) -> *const c_char;
    pub(super) fn rd_kafka_err2str(code: c_int) -> *const c_char;
    pub(super) fn rd_kafka_metadata(
        client: *mut sys::rd_kafka_t,
        all_topics: c_int,
        only: *mut sys::rd_kafka_topic_t,
        metadata: *mut *const sys::rd_kafka_metadata,
        timeout_ms: c_int,
    ) -> c_int;
}

/// `rd_kafka_metadata_partition`, with its error as a number.
#[repr(C)]
pub(super) struct PartitionMetadata {
    pub(super) id: i32,
    pub(super) err: c_int,
    pub(super) leader: i32,
    pub(super) replica_cnt: c_int,
    pub(super) replicas: *mut i32,
    pub(super) isr_cnt: c_int,
    pub(super) isrs: *mut i32,
}

/// `rd_kafka_metadata_topic`, with its error as a number.
#[repr(C)]
pub(super) struct TopicMetadata {
    pub(super) topic: *mut c_char,
    pub(super) partition_cnt: c_int,
    pub(super) partitions: *mut PartitionMetadata,
    pub(super) err: c_int,
}

const _: () = assert!(size_of::<PartitionMetadata>() == size_of::<sys::rd_kafka_metadata_partition>());
const _: () = assert!(size_of::<TopicMetadata>() == size_of::<sys::rd_kafka_metadata_topic>());

/// The text at a C string; empty for a null pointer, and with replacement characters where it is not UTF-8.
///
/// # Safety
/// The pointer is null, or points to a NUL-terminated string that lives for `'a`.
pub(super) unsafe fn text<'a>(at: *const c_char) -> Cow<'a, str> {
    if at.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: the caller vouches for the string.
    unsafe { CStr::from_ptr(at) }.to_string_lossy()
}

/// The elements of a C array of pointers. Null elements, which librdkafka leaves where a broker answered less than it was asked, are left out.
///
/// # Safety
/// The pointer is null, or points to `count` pointers that live for `'a`, each null or valid for `'a`.
pub(super) unsafe fn elements<'a, T: 'a>(at: *mut *const T, count: usize) -> impl Iterator<Item = NonNull<T>> + 'a {
    let pointers: &[*const T] = if at.is_null() || count == 0 {
        &[]
    } else {
        // SAFETY: the caller vouches for the array.
        unsafe { std::slice::from_raw_parts(at, count) }
    };
    pointers.iter().filter_map(|pointer| NonNull::new(pointer.cast_mut()))
}

/// A C array by pointer and count; empty for a null pointer or a count that is not positive.
///
/// # Safety
/// The pointer is null, or points to `count` valid values that live for `'a`.
pub(super) unsafe fn array<'a, T>(at: *const T, count: c_int) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: the caller vouches for the array.
        Ok(count) if count > 0 && !at.is_null() => unsafe { std::slice::from_raw_parts(at, count) },
        _ => &[],
    }
}
