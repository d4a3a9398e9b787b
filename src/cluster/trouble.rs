//! What befell a connection, read out of librdkafka's texts.
//!
//! Knows librdkafka's ways of putting things; says nothing to users.

use super::ffi::{Failure, code};

/// What befell the connection to a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trouble<'a> {
    /// The broker, as `host:port`, where the text names one.
    pub(super) broker: Option<&'a str>,
    /// What it is.
    pub(super) kind: Kind<'a>,
}

/// Kinds of trouble. Texts are librdkafka's, OpenSSL's or a broker's, and may repeat the value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// The broker's name does not resolve.
    Unresolved(&'a str),
    /// Nobody listens at the address.
    Refused,
    /// The broker's certificate does not pass: OpenSSL's number for why not, and whose and by whom it is.
    Certificate { error: i32, subject: &'a str, issuer: &'a str },
    /// The broker does not accept our certificate, or that there is none: the number of the alert in TLS.
    OurCertificate(u8),
    /// The broker does not speak TLS.
    NoTls,
    /// TLS failed otherwise.
    Tls(&'a str),
    /// The broker closed the connection.
    Closed(When),
    /// What came is a web server's.
    WebServer,
    /// An answer says that it is this long, which no answer is.
    NoLength(i32),
    /// An answer is longer than librdkafka takes: its length and the limit.
    TooLarge { size: i32, limit: &'a str },
    /// An answer is not in the protocol's form.
    Malformed(&'a str),
    /// Something else.
    Other(&'a str),
}

/// When a connection was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At the very first request.
    Greeting,
    /// During the login by SASL.
    Login,
    /// As soon as it was ready for use.
    Early,
    /// Later.
    Later,
}

/// How long after the greeting a broker that wants a login throws out whoever works without one, at most. librdkafka assumes the same.
const EARLY_MS: u32 = 2000;

impl<'a> Trouble<'a> {
    /// What an error or a line of the log tells.
    pub(super) fn of(failure: &'a Failure) -> Self {
        let Text { broker, what, after } = Text::of(&failure.text);
        let kind = match failure.code {
            code::RESOLVE => Kind::Unresolved(what.rsplit_once(": ").map_or(what, |(_, why)| why)),
            code::BAD_MSG | code::UNDERFLOW => Kind::of_length(what).unwrap_or(Kind::Malformed(what)),
            _ => Kind::of(what, after, failure.code == code::SSL),
        };
        Self { broker, kind }
    }

    /// Whether another attempt would end the same way: nothing to wait for.
    pub(super) fn is_certain(&self) -> bool {
        match self.kind {
            Kind::Certificate { .. } | Kind::OurCertificate(_) => true,
            Kind::Unresolved(_) | Kind::Refused | Kind::NoTls | Kind::Tls(_) | Kind::Closed(_) => false,
            Kind::WebServer | Kind::NoLength(_) | Kind::TooLarge { .. } | Kind::Malformed(_) | Kind::Other(_) => false,
        }
    }
}

impl<'a> Kind<'a> {
    fn of(what: &'a str, after: Option<(u32, &str)>, is_tls: bool) -> Self {
        if let Some(certificate) = certificate(what) {
            return certificate;
        }
        match alert(what) {
            // Bad, unsupported, revoked, expired, unknown; its authority unknown; none given (RFC 8446, section 6.2).
            Some(alert @ (42..=46 | 48 | 116)) => return Self::OurCertificate(alert),
            Some(_) => return Self::Tls(what),
            None => {}
        }
        // A listener without TLS closes on the greeting; which of librdkafka's texts that becomes depends on which of its checks comes first.
        let is_closed_on_greeting = matches!(after, Some((_, "SSL_HANDSHAKE"))) && (what.contains("Disconnected") || what.contains("Connection reset by peer"));
        if is_closed_on_greeting || what.contains("PLAINTEXT broker listener") || what.contains("wrong version number") {
            Self::NoTls
        } else if is_tls || what.contains("SSL handshake failed") {
            Self::Tls(what)
        } else if what.contains("Connection refused") {
            Self::Refused
        } else if what.starts_with("Disconnected") || what.contains("Connection reset by peer") {
            Self::Closed(match after {
                Some((_, "APIVERSION_QUERY")) => When::Greeting,
                Some((_, "AUTH_HANDSHAKE" | "AUTH_REQ" | "AUTH_LEGACY")) => When::Login,
                Some((time, "UP")) if time < EARLY_MS => When::Early,
                Some(_) | None => When::Later,
            })
        } else if what.starts_with("Protocol parse failure") {
            Self::Malformed(what)
        } else {
            Self::of_length(what).unwrap_or(Self::Other(what))
        }
    }

    /// `Receive failed: Invalid response size 100000001 (0..100000000): …`, where the first four letters of a web server's answer are taken for a length, too.
    fn of_length(what: &'a str) -> Option<Self> {
        let (_, sizes) = what.split_once("Invalid response size ")?;
        let (size, rest) = sizes.split_once(" (0..")?;
        let (size, limit) = (size.parse::<i32>().ok()?, rest.split_once(')')?.0);
        Some(match size.to_be_bytes() {
            [b'H', b'T', b'T', b'P'] => Self::WebServer,
            _ if size < 4 => Self::NoLength(size),
            _ => Self::TooLarge { size, limit },
        })
    }
}

/// `Certificate (subject=/CN=a, issuer=/CN=b) verification callback failed: 62`, where the number is what [`super::ffi::Conf::tell_certificate_errors`] wrote.
fn certificate(what: &str) -> Option<Kind<'_>> {
    let (names, error) = what.strip_prefix("Certificate (subject=")?.rsplit_once(") verification callback failed: ")?;
    let (subject, issuer) = names.rsplit_once(", issuer=")?;
    Some(Kind::Certificate { error: error.trim().parse().ok()?, subject, issuer })
}

/// `SSL routines::ssl/tls alert bad certificate: SSL alert number 42`
fn alert(what: &str) -> Option<u8> {
    let (_, number) = what.rsplit_once("SSL alert number ")?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// librdkafka's text, taken apart: `[thrd:x]: ssl://kafka.example:9093/bootstrap: what happened (after 3ms in state CONNECT)`.
pub(super) struct Text<'a> {
    pub(super) broker: Option<&'a str>,
    pub(super) what: &'a str,
    /// For how many milliseconds the connection had been in which state.
    after: Option<(u32, &'a str)>,
}

impl<'a> Text<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let text = text.strip_prefix("[thrd:").and_then(|line| line.split_once("]: ")).map_or(text, |(_, text)| text);
        let (text, after) = text.rsplit_once(" (after ").map_or((text, None), |(text, after)| (text, state(after)));
        let text = text.trim().trim_end_matches(':');
        let Some((broker, what)) = text.split_once(": ") else { return Self { broker: None, what: text, after } };
        let address = broker.split_once("://").map_or(broker, |(_, address)| address);
        let address = address.split_once('/').map_or(address, |(address, _)| address);
        let is_address = address.rsplit_once(':').is_some_and(|(host, port)| !host.contains(' ') && port.parse::<u16>().is_ok());
        if is_address { Self { broker: Some(address), what, after } } else { Self { broker: None, what: text, after } }
    }
}

/// `3ms in state CONNECT)` or `3ms in state CONNECT, 2 identical error(s) suppressed)`
fn state(after: &str) -> Option<(u32, &str)> {
    let (time, state) = after.split_once("ms in state ")?;
    Some((time.parse().ok()?, state.split([',', ')']).next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(code: i32, text: &str) -> String {
        let text = format!("[thrd:ssl://b1.example:9093/bootstrap]: ssl://b1.example:9093/bootstrap: {text}");
        let failure = Failure { code, text };
        let trouble = Trouble::of(&failure);
        assert_eq!(trouble.broker, Some("b1.example:9093"));
        format!("{:?}{}", trouble.kind, if trouble.is_certain() { " for certain" } else { "" })
    }

    #[test]
    fn texts_are_sorted_by_what_happened() {
        let refused = "Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state CONNECT, 3 identical error(s) suppressed)";
        assert_eq!(kind(code::TRANSPORT, refused), "Refused");
        let name = "Failed to resolve 'b1.example:9093': Name or service not known (after 1ms in state CONNECT)";
        assert_eq!(kind(code::RESOLVE, name), "Unresolved(\"Name or service not known\")");
        let no_tls =
            "SSL handshake failed: Disconnected: SSL connection closed by peer: connecting to a PLAINTEXT broker listener? (after 1ms in state SSL_HANDSHAKE)";
        assert_eq!(kind(code::TRANSPORT, no_tls), "NoTls");
        assert_eq!(kind(code::SSL, "SSL handshake failed: error:0A00010B:SSL routines::wrong version number (after 1ms in state SSL_HANDSHAKE)"), "NoTls");
        assert_eq!(kind(code::SSL, "SSL handshake failed: x (after 1ms in state SSL_HANDSHAKE)"), "Tls(\"SSL handshake failed: x\")");
        assert_eq!(kind(code::TRANSPORT, "Disconnected (after 1ms in state SSL_HANDSHAKE)"), "NoTls");
        assert_eq!(kind(code::TRANSPORT, "something (else)"), "Other(\"something (else)\")");
    }

    #[test]
    fn a_certificate_that_does_not_pass_is_certain() {
        let line = "Certificate (subject=/CN=a, issuer=/O=X, Inc/CN=b) verification callback failed: 62";
        assert_eq!(kind(code::TRANSPORT, line), "Certificate { error: 62, subject: \"/CN=a\", issuer: \"/O=X, Inc/CN=b\" } for certain");
        let alert = "Receive failed: error:0A000412:SSL routines::ssl/tls alert bad certificate: SSL alert number 42 (after 4ms in state APIVERSION_QUERY)";
        assert_eq!(kind(code::TRANSPORT, alert), "OurCertificate(42) for certain");
        let other = "SSL handshake failed: error:0A00042E:SSL routines::tlsv1 alert protocol version: SSL alert number 70";
        assert_eq!(kind(code::SSL, other), format!("Tls({other:?})"));
    }

    #[test]
    fn when_a_connection_was_closed_tells_what_the_listener_wants() {
        let closed = |state: &str| kind(code::TRANSPORT, &format!("Disconnected: connection closed by peer: receive 0 after POLLIN (after {state})"));
        assert_eq!(closed("0ms in state APIVERSION_QUERY"), "Closed(Greeting)");
        assert_eq!(closed("12ms in state AUTH_REQ"), "Closed(Login)");
        assert_eq!(closed("1999ms in state UP"), "Closed(Early)");
        assert_eq!(closed("2000ms in state UP"), "Closed(Later)");
    }

    #[test]
    fn a_text_without_a_broker_is_kept_whole() {
        let parts = |text| (Text::of(text).broker, Text::of(text).what);
        assert_eq!(parts("1/1 brokers are down"), (None, "1/1 brokers are down"));
        assert_eq!(parts("Failed: why"), (None, "Failed: why"));
        assert_eq!(parts("GroupCoordinator: x"), (None, "GroupCoordinator: x"));
        assert_eq!(parts("[thrd:app]: No `bootstrap.servers` configured: x").0, None);
    }
}
