//! Why a cluster was not read, as a sentence that names the broker and the likely cause.
//!
//! Knows librdkafka's error numbers and its way of putting things; contacts nobody.

use super::ffi::{Failure, code};
use crate::finding::{Code, Finding};
use crate::kafka::name::ClusterName;
use std::time::Duration;

/// Values that must not show in any message, however librdkafka puts it.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

/// Settings whose values are words of the protocol and not secrets: a message without them would be hard to read.
const PLAIN: [&str; 5] = ["security.protocol", "sasl.mechanism", "sasl.mechanisms", "client.id", "bootstrap.servers"];

impl Secrets {
    /// The values of these settings, except those of settings that can hold no secret, and values too short or too plain to be one.
    pub(super) fn of<'a>(settings: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let plain = |value: &str| value.len() < 4 || value == "true" || value == "false" || value.chars().all(|c| c.is_ascii_digit());
        let mut values: Vec<String> = settings.filter(|(name, value)| !PLAIN.contains(name) && !plain(value)).map(|(_, value)| value.to_owned()).collect();
        // The longest first, so that a value within another does not leave the rest of it standing.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// The text with asterisks for every value.
    pub(super) fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, value| text.replace(value, "***"))
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// Time is up. With the last trouble that a connection had, if there was one.
    TimedOut(Option<Failure>),
    /// Every broker that is known refuses; waiting longer would change nothing.
    Down(Option<Failure>),
    /// The broker does not accept who we are, or what we ask.
    NotAuthorised(Failure),
    /// OAUTHBEARER, which needs a program that makes tokens.
    NoToken,
    /// The cluster answered with an error.
    Answered(Failure),
    /// What came as an answer is none.
    Unreadable(Failure),
}

impl Cause {
    /// Sorts an error that a request ended with; `notice` is the last trouble that a connection had.
    pub(super) fn of(failure: Failure, notice: Option<Failure>) -> Self {
        match failure.code {
            code::AUTHENTICATION
            | code::CLUSTER_AUTHORIZATION_FAILED
            | code::TOPIC_AUTHORIZATION_FAILED
            | code::UNSUPPORTED_SASL_MECHANISM
            | code::ILLEGAL_SASL_STATE
            | code::SASL_AUTHENTICATION_FAILED => Self::NotAuthorised(failure),
            code::TIMED_OUT => Self::TimedOut(notice),
            code::TRANSPORT | code::RESOLVE | code::SSL | code::ALL_BROKERS_DOWN => Self::Down(notice.or(Some(failure))),
            code::BAD_MSG | code::UNDERFLOW => Self::Unreadable(notice.filter(|notice| notice.code == failure.code).unwrap_or(failure)),
            _ => Self::Answered(failure),
        }
    }

    /// The finding. `bootstrap` is the address that was tried first, `timeout` the time for the whole cluster.
    pub(super) fn finding(&self, cluster: &ClusterName, bootstrap: &str, timeout: Duration, secrets: &Secrets) -> Finding {
        let no_plan = format!("so nothing of cluster {cluster} was read");
        let (code, message, help) = match self {
            Self::TimedOut(Some(notice)) | Self::Down(Some(notice)) => {
                let (broker, what, help) = explain(notice, bootstrap);
                (Code::En001, format!("{broker} {what}, {no_plan}"), help)
            }
            Self::Unreadable(failure) => {
                let (broker, what) = parts(&failure.text);
                let (what, help) = oversize(what).unwrap_or_else(|| (not_kafka(what), NOT_KAFKA));
                (Code::En001, format!("{} {what}, {no_plan}", broker.unwrap_or(bootstrap)), help)
            }
            Self::TimedOut(None) => {
                let help = "check that the address is right and that a firewall lets this machine through, or give it more time with --timeout";
                (Code::En001, format!("{bootstrap} did not answer within {}, {no_plan}", seconds(timeout)), help)
            }
            Self::Down(None) => (Code::En001, format!("no broker of {bootstrap} can be reached, {no_plan}"), REFUSED),
            Self::NotAuthorised(failure) => {
                let (broker, what) = parts(&failure.text);
                let broker = broker.unwrap_or(bootstrap);
                let help = "check sasl.mechanism, the user name and the password under `properties:`, and what this user may do on the cluster";
                (Code::En002, format!("{broker} does not authorise us ({what}), {no_plan}"), help)
            }
            Self::NoToken => {
                let message = format!("the mechanism OAUTHBEARER needs a program that makes tokens, and isotopic has none, {no_plan}");
                (Code::En002, message, "use SCRAM, PLAIN or a client certificate for this cluster")
            }
            Self::Answered(failure) => {
                let message = format!("{bootstrap} answered with {} ({}), {no_plan}", failure.name(), parts(&failure.text).1);
                (Code::En001, message, "see the broker's log for the reason")
            }
        };
        Finding::new(code, secrets.hide(&message)).cluster(cluster).help(help)
    }
}

const REFUSED: &str = "check the address, and that the broker runs and its port can be reached from here";

const TLS: &str = "check security.protocol (SSL or SASL_SSL for a TLS listener) and ssl.ca.location under `properties:`";

const NOT_KAFKA: &str = "check that the address is that of a Kafka listener, and that nothing between here and the broker changes what it says";

/// The broker, what is wrong with its connection, and what to do about it.
fn explain<'a>(notice: &'a Failure, bootstrap: &'a str) -> (&'a str, String, &'static str) {
    let (broker, what) = parts(&notice.text);
    let (why, help) = match notice.code {
        code::RESOLVE => {
            let why = what.rsplit_once(": ").map_or(what, |(_, why)| why);
            (format!("its name does not resolve: {why}"), "check the host name, and that this machine's DNS knows it")
        }
        code::SSL => (format!("TLS failed: {what}"), TLS),
        _ if what.contains("Connection refused") => ("connection refused".to_owned(), REFUSED),
        _ if what.contains("security.protocol") || what.contains("SSL handshake failed") => (what.to_owned(), TLS),
        _ if what.starts_with("Disconnected") => {
            let help =
                "the listener may want TLS or SASL (check security.protocol under `properties:`), or something between here and the broker cuts connections";
            ("it closed the connection".to_owned(), help)
        }
        _ if what.starts_with("Protocol parse failure") => return (broker.unwrap_or(bootstrap), not_kafka(what), NOT_KAFKA),
        _ => match oversize(what) {
            Some((what, help)) => return (broker.unwrap_or(bootstrap), what, help),
            None => (what.to_owned(), REFUSED),
        },
    };
    (broker.unwrap_or(bootstrap), format!("cannot be reached ({why})"), help)
}

fn not_kafka(what: &str) -> String {
    format!("sent an answer that is not in the form of Kafka's protocol ({what})")
}

/// What an answer of a length that librdkafka does not take is, and what to do about it. A web server's looks like it: its first four letters are no length.
fn oversize(what: &str) -> Option<(String, &'static str)> {
    let (_, sizes) = what.split_once("Invalid response size ")?;
    let (size, rest) = sizes.split_once(" (0..")?;
    let (size, limit) = (size.parse::<i32>().ok()?, rest.split_once(')')?.0);
    Some(match size.to_be_bytes() {
        [b'H', b'T', b'T', b'P'] => ("answers as a web server does, and not in Kafka's protocol".to_owned(), "give the address of a Kafka listener"),
        _ if size < 4 => (format!("sent an answer whose length of {size} bytes is none"), NOT_KAFKA),
        _ => {
            let help = "raise receive.message.max.bytes under `properties:`, if this is so large a cluster; what is not Kafka may look like this, too";
            (format!("sent an answer of {size} bytes, which is above the limit of {limit} (receive.message.max.bytes)"), help)
        }
    })
}

/// Whether a log line tells of the connection to a broker.
pub(super) fn names_a_broker(line: &str) -> bool {
    parts(line).0.is_some()
}

/// librdkafka's text, taken apart: `[thrd:x]: ssl://kafka.example:9093/bootstrap: what happened (after 3ms in state CONNECT)`.
fn parts(text: &str) -> (Option<&str>, &str) {
    let text = text.strip_prefix("[thrd:").and_then(|line| line.split_once("]: ")).map_or(text, |(_, text)| text);
    let text = text.find(" (after ").map_or(text, |at| &text[..at]).trim().trim_end_matches(':');
    let Some((broker, what)) = text.split_once(": ") else { return (None, text) };
    let address = broker.split_once("://").map_or(broker, |(_, address)| address);
    let address = address.split_once('/').map_or(address, |(address, _)| address);
    let is_address = address.rsplit_once(':').is_some_and(|(host, port)| !host.contains(' ') && port.parse::<u16>().is_ok());
    if is_address { (Some(address), what) } else { (None, text) }
}

fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_millis()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(cause: &Cause) -> (Code, String) {
        let finding = cause.finding(&"dr".into(), "dr.example:9092", Duration::from_secs(30), &Secrets::default());
        (finding.code, finding.message)
    }

    #[test]
    fn the_broker_and_the_likely_cause_are_named() {
        let text = "127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state CONNECT)";
        let refused = Failure { code: code::TRANSPORT, text: text.to_owned() };
        let (code, message) = said(&Cause::Down(Some(refused)));
        assert_eq!(code, Code::En001);
        assert_eq!(message, "127.0.0.1:1 cannot be reached (connection refused), so nothing of cluster dr was read");

        let text = "sasl_ssl://b1.example:9093/7: SASL authentication error: Authentication failed (after 5ms in state AUTH_REQ)";
        let (code, message) = said(&Cause::of(Failure { code: code::AUTHENTICATION, text: text.to_owned() }, None));
        assert_eq!(code, Code::En002);
        assert!(message.starts_with("b1.example:9093 does not authorise us (SASL authentication error: Authentication failed)"), "{message}");

        let text = "[thrd:b1.example:9093/bootstrap]: b1.example:9093/bootstrap: Disconnected: connection closed by peer: receive 0 after POLLIN (after 0ms in state UP)";
        let (code, message) = said(&Cause::Down(Some(Failure { code: code::TRANSPORT, text: text.to_owned() })));
        assert_eq!((code, message.as_str()), (Code::En001, "b1.example:9093 cannot be reached (it closed the connection), so nothing of cluster dr was read"));

        let timed_out = Failure { code: code::TIMED_OUT, text: "Failed while waiting for controller".to_owned() };
        let (code, message) = said(&Cause::of(timed_out, None));
        assert_eq!((code, message.as_str()), (Code::En001, "dr.example:9092 did not answer within 30s, so nothing of cluster dr was read"));
    }

    #[test]
    fn an_answer_of_an_impossible_length_is_told_for_what_it_is() {
        let told = |size: i32| {
            let text =
                format!("b1:9092/1: Receive failed: Invalid response size {size} (0..100000000): increase receive.message.max.bytes (after 1ms in state UP)");
            let notice = Failure { code: code::BAD_MSG, text };
            let failure = Failure { code: code::BAD_MSG, text: "Local: Bad message format".to_owned() };
            let (_, message) = said(&Cause::of(failure, Some(notice.clone())));
            assert_eq!(said(&Cause::TimedOut(Some(notice))).1, message);
            message
        };
        assert_eq!(
            told(100_000_001),
            "b1:9092 sent an answer of 100000001 bytes, which is above the limit of 100000000 (receive.message.max.bytes), so nothing of cluster dr was read"
        );
        assert_eq!(told(1_213_486_160), "b1:9092 answers as a web server does, and not in Kafka's protocol, so nothing of cluster dr was read");
        assert_eq!(told(-7), "b1:9092 sent an answer whose length of -7 bytes is none, so nothing of cluster dr was read");

        let failure = Failure { code: code::BAD_MSG, text: "DescribeConfigs response protocol parse failure: Local: Bad message format".to_owned() };
        let (_, message) = said(&Cause::of(failure, None));
        assert!(message.starts_with("dr.example:9092 sent an answer that is not in the form of Kafka's protocol (DescribeConfigs"), "{message}");
    }

    #[test]
    fn a_text_without_a_broker_is_kept_whole() {
        assert_eq!(parts("1/1 brokers are down"), (None, "1/1 brokers are down"));
        assert_eq!(parts("Failed: why"), (None, "Failed: why"));
        assert_eq!(parts("GroupCoordinator: x"), (None, "GroupCoordinator: x"));
        assert!(!names_a_broker("[thrd:app]: No `bootstrap.servers` configured: client will not be able to connect to Kafka cluster"));
    }

    #[test]
    fn no_value_of_a_setting_shows_in_a_message() {
        let settings = [("sasl.password", "hunter2"), ("ssl.key.password", "hunter2-and-more"), ("sasl.mechanism", "PLAIN"), ("x", "1"), ("y", "true")];
        let secrets = Secrets::of(settings.into_iter());
        assert_eq!(secrets.hide("PLAIN hunter2-and-more true 1 hunter2"), "PLAIN *** true 1 ***");
    }
}
