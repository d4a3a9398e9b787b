//! Why a cluster was not read, as a sentence that names the broker and the likely cause.
//!
//! Knows librdkafka's error numbers and its way of putting things; contacts nobody.

use super::ffi::{Failure, code};
use super::settings::BOOTSTRAP;
use super::trouble::{Kind, Text, Trouble, When};
use crate::finding::{Code, Finding};
use crate::kafka::name::ClusterName;
use std::time::Duration;

/// Values that must not show in any message, however librdkafka puts it.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

/// Words of the protocol, which are no secrets: a message without them would be hard to read.
const PLAIN: [&str; 11] =
    ["true", "false", "PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI", "OAUTHBEARER"];

impl Secrets {
    /// The values of these settings, but for the addresses, and for values too short or too plain to be a secret.
    pub(super) fn of<'a>(settings: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let plain = |value: &str| value.len() < 4 || PLAIN.contains(&value) || value.chars().all(|c| c.is_ascii_digit());
        let mut values: Vec<String> = settings.filter(|(name, value)| *name != BOOTSTRAP && !plain(value)).map(|(_, value)| value.to_owned()).collect();
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
    /// The cluster answered with an error.
    Answered(Failure),
    /// What came as an answer is none.
    Unreadable(Failure),
}

/// What a sentence about a cluster needs to know of it.
#[derive(Clone)]
pub(super) struct About {
    /// Its name.
    pub(super) cluster: ClusterName,
    /// The address that was tried first.
    pub(super) bootstrap: String,
    /// The time for the whole cluster.
    pub(super) timeout: Duration,
    /// What must not show.
    pub(super) secrets: Secrets,
    /// The protocol that is spoken, such as `SASL_SSL`.
    pub(super) protocol: String,
    /// Whether there is a client certificate.
    pub(super) has_certificate: bool,
}

/// A sentence in the making.
struct Said {
    code: Code,
    /// What is wrong: a whole sentence but for its end.
    what: String,
    help: &'static str,
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

    /// The finding.
    pub(super) fn finding(&self, about: &About) -> Finding {
        let bootstrap = &about.bootstrap;
        let Said { code, what, help } = match self {
            Self::TimedOut(Some(notice)) | Self::Down(Some(notice)) | Self::Unreadable(notice) => about.trouble(notice),
            Self::TimedOut(None) => {
                let help = "check that the address is right and that a firewall lets this machine through, or give it more time with --timeout";
                Said { code: Code::En001, what: format!("{bootstrap} did not answer within {}", seconds(about.timeout)), help }
            }
            Self::Down(None) => Said { code: Code::En001, what: format!("no broker of {bootstrap} can be reached"), help: REFUSED },
            Self::NotAuthorised(failure) => about.refusal(failure),
            Self::Answered(failure) if failure.code == code::UNSUPPORTED_FEATURE => {
                let why = about.secrets.hide(Text::of(&failure.text).what);
                Said { code: Code::En007, what: format!("{bootstrap} lacks what is needed ({why})"), help: "upgrade the brokers" }
            }
            Self::Answered(failure) => {
                let why = about.secrets.hide(Text::of(&failure.text).what);
                let what = format!("{bootstrap} answered with {} ({why})", failure.name());
                Said { code: Code::En001, what, help: "see the broker's log for the reason" }
            }
        };
        Finding::new(code, format!("{what}, {}", nothing_read(&about.cluster))).cluster(&about.cluster).help(help)
    }
}

/// How the sentence about a cluster ends that was not read.
pub(super) fn nothing_read(cluster: &ClusterName) -> String {
    format!("so nothing of cluster {cluster} was read")
}

const REFUSED: &str = "check the address, and that the broker runs and its port can be reached from here";
const NOT_KAFKA: &str = "check that the address is that of a Kafka listener, and that nothing between here and the broker changes what it says";
const LOGIN: &str = "check sasl.mechanism, the user name and the password (or the token) under `properties:`";
const PROTOCOL: &str =
    "check security.protocol under `properties:` (SSL or SASL_SSL for a listener with TLS, SASL_PLAINTEXT or SASL_SSL for one with a login), and the port";

impl About {
    fn hide(&self, text: &str) -> String {
        self.secrets.hide(text)
    }

    fn broker<'a>(&'a self, named: Option<&'a str>) -> &'a str {
        named.unwrap_or(&self.bootstrap)
    }

    fn is_sasl(&self) -> bool {
        self.protocol.starts_with("SASL_")
    }

    /// What a connection's trouble means.
    fn trouble(&self, notice: &Failure) -> Said {
        let trouble = Trouble::of(notice);
        let broker = self.broker(trouble.broker);
        let unreachable = |why: String, help: &'static str| Said { code: Code::En001, what: format!("{broker} cannot be reached ({why})"), help };
        match trouble.kind {
            Kind::Unresolved(why) => {
                unreachable(format!("its name does not resolve: {}", self.hide(why)), "check the host name, and that this machine's DNS knows it")
            }
            Kind::Refused => unreachable("connection refused".to_owned(), REFUSED),
            Kind::Certificate { error, subject, issuer } => {
                let (why, help) = certificate(error, &self.hide(subject), &self.hide(issuer));
                unreachable(why, help)
            }
            Kind::OurCertificate(alert) => self.our_certificate(broker, alert),
            Kind::NoTls => {
                let why = format!("it does not speak TLS, and security.protocol is {}", self.protocol);
                unreachable(why, "set security.protocol to PLAINTEXT or SASL_PLAINTEXT under `properties:`, or take the port of a listener with TLS")
            }
            Kind::Tls(why) => {
                let why = self.hide(why.strip_prefix("SSL handshake failed: ").unwrap_or(why));
                unreachable(format!("TLS failed: {why}"), "check security.protocol and the `ssl.` settings under `properties:`, and the broker's log")
            }
            Kind::Closed(when) => {
                let (why, help) = self.closed(when);
                unreachable(why, help)
            }
            Kind::WebServer => {
                let what = format!("{broker} answers as a web server does, and not in Kafka's protocol");
                Said { code: Code::En001, what, help: "give the address of a Kafka listener" }
            }
            Kind::NoLength(size) => Said { code: Code::En001, what: format!("{broker} sent an answer whose length of {size} bytes is none"), help: NOT_KAFKA },
            Kind::TooLarge { size, limit } => {
                let what = format!("{broker} sent an answer of {size} bytes, which is above the limit of {limit} (receive.message.max.bytes)");
                let help = "raise receive.message.max.bytes under `properties:`, if this is so large a cluster; what is not Kafka may look like this, too";
                Said { code: Code::En001, what, help }
            }
            Kind::Malformed(why) => {
                let what = format!("{broker} sent an answer that is not in the form of Kafka's protocol ({})", self.hide(why));
                Said { code: Code::En001, what, help: NOT_KAFKA }
            }
            Kind::Other(why) => unreachable(self.hide(why), REFUSED),
        }
    }

    fn our_certificate(&self, broker: &str, alert: u8) -> Said {
        let (why, help) = if self.has_certificate {
            let why = format!("it does not accept the client certificate: TLS alert {alert}, {}", alert_name(alert));
            (why, "give a certificate that has not expired and is signed by an authority which the broker trusts, with ssl.certificate.location")
        } else {
            let why = format!("it wants a client certificate and there is none: TLS alert {alert}, {}", alert_name(alert));
            (why, "give one with ssl.certificate.location and ssl.key.location under `properties:`")
        };
        Said { code: Code::En002, what: format!("{broker} does not authorise us ({why})"), help }
    }

    fn closed(&self, when: When) -> (String, &'static str) {
        let protocol = &self.protocol;
        match when {
            When::Greeting if !protocol.ends_with("SSL") => {
                (format!("it closed the connection at once, as a listener with TLS does, and security.protocol is {protocol}"), PROTOCOL)
            }
            When::Early if !self.is_sasl() => {
                (format!("it closed the connection at once, as a listener with a SASL login does, and security.protocol is {protocol}"), PROTOCOL)
            }
            When::Login => ("it closed the connection during the login".to_owned(), LOGIN),
            When::Greeting | When::Early | When::Later => {
                ("it closed the connection".to_owned(), "see the broker's log; something between here and the broker may cut connections, too")
            }
        }
    }

    /// Why a broker does not let us in.
    fn refusal(&self, failure: &Failure) -> Said {
        let Text { broker, what, .. } = Text::of(&failure.text);
        let broker = self.broker(broker);
        let (why, help) = if what.contains("Request not valid in current SASL state") {
            let help = "set security.protocol to PLAINTEXT or SSL under `properties:`, or take the port of a listener with a SASL login";
            (format!("its listener has no SASL login, and security.protocol is {}", self.protocol), help)
        } else if let Some((mechanism, offered)) = mechanisms(what) {
            (format!("it does not offer the mechanism {mechanism}, but {offered}"), "choose one of them with sasl.mechanism under `properties:`")
        } else if failure.code == code::CLUSTER_AUTHORIZATION_FAILED || failure.code == code::TOPIC_AUTHORIZATION_FAILED {
            (self.hide(what), "let an administrator grant what `isotopic explain EN002` lists")
        } else {
            (self.hide(what.strip_prefix("SASL authentication error: ").unwrap_or(what)), LOGIN)
        };
        Said { code: Code::En002, what: format!("{broker} does not authorise us ({why})"), help }
    }
}

/// `SASL SCRAM-SHA-256 mechanism handshake failed: Broker: Unsupported SASL mechanism: broker's supported mechanisms: PLAIN,OAUTHBEARER`
fn mechanisms(what: &str) -> Option<(&str, String)> {
    let (mechanism, rest) = what.strip_prefix("SASL ")?.split_once(" mechanism handshake failed: ")?;
    let (_, offered) = rest.split_once("Unsupported SASL mechanism: broker's supported mechanisms: ")?;
    Some((mechanism, offered.split(',').map(str::trim).collect::<Vec<_>>().join(", ")))
}

/// Why a broker's certificate does not pass, by OpenSSL's number (`X509_V_ERR_…`), and what to do.
fn certificate(error: i32, subject: &str, issuer: &str) -> (String, &'static str) {
    match error {
        9 => (format!("its certificate, {subject}, is not valid yet"), "check this machine's clock, and the broker's certificate"),
        10 => (format!("its certificate, {subject}, has expired"), "let the broker's operators renew it, and check this machine's clock"),
        2 | 18..=21 => {
            let help = "set ssl.ca.location under `properties:` to the certificate of the authority that signs the brokers'";
            (format!("its certificate, {subject}, is signed by {issuer}, which is not trusted here"), help)
        }
        62 | 64 => {
            let help =
                "write an address that the certificate names in `bootstrap`, or let the brokers advertise such addresses and present certificates for them";
            (format!("its certificate, {subject}, is for another host"), help)
        }
        _ => (format!("its certificate, {subject}, does not pass: OpenSSL's verification error {error}"), "let the broker's operators check it"),
    }
}

/// The names in RFC 8446, section 6.
fn alert_name(alert: u8) -> &'static str {
    match alert {
        42 => "bad certificate",
        43 => "unsupported certificate",
        44 => "certificate revoked",
        45 => "certificate expired",
        46 => "certificate unknown",
        48 => "unknown authority",
        116 => "certificate required",
        _ => "which is about no certificate",
    }
}

/// Whether a log line tells of the connection to a broker.
pub(super) fn names_a_broker(line: &str) -> bool {
    Text::of(line).broker.is_some()
}

fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_millis()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(protocol: &str) -> About {
        About {
            cluster: "dr".into(),
            bootstrap: "dr.example:9092".to_owned(),
            timeout: Duration::from_secs(30),
            secrets: Secrets::of([("sasl.password", "hunter2"), ("sasl.username", "nothing")].into_iter()),
            protocol: protocol.to_owned(),
            has_certificate: false,
        }
    }

    fn said(cause: &Cause) -> (Code, String) {
        let finding = cause.finding(&about("PLAINTEXT"));
        (finding.code, finding.message)
    }

    fn failure(code: i32, text: &str) -> Failure {
        Failure { code, text: text.to_owned() }
    }

    #[test]
    fn the_broker_and_the_likely_cause_are_named() {
        let text = "127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state CONNECT)";
        let (code, message) = said(&Cause::Down(Some(failure(code::TRANSPORT, text))));
        assert_eq!(code, Code::En001);
        assert_eq!(message, "127.0.0.1:1 cannot be reached (connection refused), so nothing of cluster dr was read");

        let text = "sasl_ssl://b1.example:9093/7: SASL authentication error: Authentication failed (after 5ms in state AUTH_REQ)";
        let (code, message) = said(&Cause::of(failure(code::AUTHENTICATION, text), None));
        assert_eq!(code, Code::En002);
        assert!(message.starts_with("b1.example:9093 does not authorise us (Authentication failed)"), "{message}");

        let text = "[thrd:b1.example:9093/bootstrap]: b1.example:9093/bootstrap: Disconnected: connection closed by peer: receive 0 after POLLIN (after 9000ms in state UP)";
        let (code, message) = said(&Cause::Down(Some(failure(code::TRANSPORT, text))));
        assert_eq!((code, message.as_str()), (Code::En001, "b1.example:9093 cannot be reached (it closed the connection), so nothing of cluster dr was read"));

        let timed_out = failure(code::TIMED_OUT, "Failed while waiting for controller");
        let (code, message) = said(&Cause::of(timed_out, None));
        assert_eq!((code, message.as_str()), (Code::En001, "dr.example:9092 did not answer within 30s, so nothing of cluster dr was read"));
    }

    #[test]
    fn an_answer_of_an_impossible_length_is_told_for_what_it_is() {
        let told = |size: i32| {
            let text =
                format!("b1:9092/1: Receive failed: Invalid response size {size} (0..100000000): increase receive.message.max.bytes (after 1ms in state UP)");
            let notice = failure(code::BAD_MSG, &text);
            let (_, message) = said(&Cause::of(failure(code::BAD_MSG, "Local: Bad message format"), Some(notice.clone())));
            assert_eq!(said(&Cause::TimedOut(Some(notice))).1, message);
            message
        };
        assert_eq!(
            told(100_000_001),
            "b1:9092 sent an answer of 100000001 bytes, which is above the limit of 100000000 (receive.message.max.bytes), so nothing of cluster dr was read"
        );
        assert_eq!(told(1_213_486_160), "b1:9092 answers as a web server does, and not in Kafka's protocol, so nothing of cluster dr was read");
        assert_eq!(told(-7), "b1:9092 sent an answer whose length of -7 bytes is none, so nothing of cluster dr was read");

        let malformed = failure(code::BAD_MSG, "DescribeConfigs response protocol parse failure: Local: Bad message format");
        let (_, message) = said(&Cause::of(malformed, None));
        assert!(message.starts_with("dr.example:9092 sent an answer that is not in the form of Kafka's protocol (DescribeConfigs"), "{message}");
    }

    #[test]
    fn a_broker_that_lacks_a_request_is_told_apart_from_one_that_is_away() {
        let old = failure(code::UNSUPPORTED_FEATURE, "DescribeConfigs (KIP-133) not supported by broker, requires broker version >= 0.11.0");
        let (code, message) = said(&Cause::of(old, None));
        assert_eq!(code, Code::En007);
        assert!(message.starts_with("dr.example:9092 lacks what is needed (DescribeConfigs (KIP-133) not supported by broker, "), "{message}");
    }

    #[test]
    fn why_a_certificate_does_not_pass_is_said_in_words() {
        // The numbers are of X509_V_ERR_CERT_HAS_EXPIRED, _HOSTNAME_MISMATCH, _IP_ADDRESS_MISMATCH, _SELF_SIGNED_CERT_IN_CHAIN, _CERT_REVOKED.
        let why = |error: i32| certificate(error, "/CN=a", "/CN=b").0;
        assert_eq!(why(10), "its certificate, /CN=a, has expired");
        assert_eq!((why(62), why(64)), ("its certificate, /CN=a, is for another host".to_owned(), why(62)));
        assert_eq!(why(19), "its certificate, /CN=a, is signed by /CN=b, which is not trusted here");
        assert_eq!(why(23), "its certificate, /CN=a, does not pass: OpenSSL's verification error 23");
    }

    #[test]
    fn no_value_of_a_setting_shows_in_a_message() {
        let settings = [("sasl.password", "hunter2"), ("ssl.key.password", "hunter2-and-more"), ("sasl.mechanism", "PLAIN"), ("x", "1"), ("y", "true")];
        let secrets = Secrets::of(settings.into_iter());
        assert_eq!(secrets.hide("PLAIN hunter2-and-more true 1 hunter2"), "PLAIN *** true 1 ***");
        // What others said is searched for values; our own words are left alone, whatever the values are.
        let (_, message) = said(&Cause::of(failure(code::AUTHENTICATION, "b1.example:1/7: SASL authentication error: no nothing with hunter2"), None));
        assert_eq!(message, "b1.example:1 does not authorise us (no *** with ***), so nothing of cluster dr was read");
    }
}
