//! What a login needs, checked before anybody is contacted: librdkafka would say it late, or not at all.
//!
//! Knows the SASL mechanisms that are built in, and tokens for OAUTHBEARER.

use super::failure::nothing_read;
use super::ffi::Session;
use super::settings::Property;
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::ClusterName;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The setting of ours that holds a token for OAUTHBEARER. librdkafka has none: it asks its program for tokens.
pub(super) const TOKEN: &str = "isotopic.oauthbearer.token";

/// A token's lifetime where it does not tell one itself: for ever, because the broker is to judge it. The year 2100, in milliseconds.
const LONG: i64 = 4_102_444_800_000;

/// A cluster's settings, as far as its login needs them.
struct Login<'a> {
    cluster: &'a ClusterName,
    place: Place,
    settings: &'a BTreeMap<String, Property>,
}

/// What is missing for the login that these settings ask for, or cannot be had: YM012, YM013, EN007.
pub(super) fn check(cluster: &ClusterName, place: Place, settings: &BTreeMap<String, Property>) -> Vec<Finding> {
    Login { cluster, place, settings }.check().into_iter().map(|finding| finding.cluster(cluster)).collect()
}

/// The protocol that these settings ask for, such as `SASL_SSL`.
pub(super) fn protocol(settings: &BTreeMap<String, Property>) -> String {
    settings.get("security.protocol").map_or_else(|| "PLAINTEXT".to_owned(), |property| property.value.to_ascii_uppercase())
}

/// Hands the token to the session, where there is one. EN002 where it cannot be used.
pub(super) fn hand_over(session: &Session, cluster: &ClusterName, settings: &BTreeMap<String, Property>) -> Result<(), Vec<Finding>> {
    let Some(token) = settings.get(TOKEN) else { return Ok(()) };
    let claims = claims(&token.value);
    #[expect(clippy::cast_possible_truncation, reason = "a float becomes the nearest number that fits")]
    let lifetime = claims.exp.map_or(LONG, |seconds| (seconds * 1000.0) as i64);
    let principal = claims.sub.unwrap_or_else(|| "isotopic".to_owned());
    session.set_token(&token.value, lifetime.min(LONG), &principal).map_err(|why| {
        let (why, help) = if why.contains("unexpired") {
            let when = jiff::Timestamp::from_millisecond(lifetime).map_or_else(|_| "long ago".to_owned(), |when| when.to_string());
            (format!("expired ({when})"), "fetch a new one before each run, and check this machine's clock")
        } else {
            ("is none: it has characters that no token has".to_owned(), "check what the variable or the file holds: the token alone, in one line")
        };
        let message = format!("the token in {TOKEN} {why}, {}", nothing_read(cluster));
        vec![Finding::new(Code::En002, message).at(token.place).cluster(cluster).help(help)]
    })
}

impl Login<'_> {
    fn check(&self) -> Vec<Finding> {
        let protocol = protocol(self.settings);
        let mechanism = self.settings.get("sasl.mechanism").or_else(|| self.settings.get("sasl.mechanisms"));
        let is_bearer = protocol.starts_with("SASL_") && mechanism.is_some_and(|mechanism| mechanism.value.eq_ignore_ascii_case("OAUTHBEARER"));
        if let Some(token) = self.settings.get(TOKEN).filter(|_| !is_bearer) {
            let message = format!("cluster {} has {TOKEN}, which only the mechanism OAUTHBEARER takes", self.cluster);
            let help = "set security.protocol to SASL_SSL and sasl.mechanism to OAUTHBEARER, or remove the token";
            return vec![Finding::new(Code::Ym013, message).at(token.place).help(help)];
        }
        let half = if protocol.ends_with("SSL") { self.half_a_certificate() } else { None };
        if half.is_some() || !protocol.starts_with("SASL_") {
            return half.into_iter().collect();
        }
        let Some(mechanism) = mechanism else {
            let message = format!("cluster {} has the security.protocol {protocol} and no sasl.mechanism, so nothing says how to log in", self.cluster);
            let place = self.settings.get("security.protocol").map_or(self.place, |property| property.place);
            return vec![Finding::new(Code::Ym012, message).at(place).help("add sasl.mechanism: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER")];
        };
        match mechanism.value.to_ascii_uppercase().as_str() {
            name @ ("PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512") => {
                let is_missing = |setting: &str| self.settings.get(setting).is_none_or(|property| property.value.is_empty());
                let finding = |setting: &str| {
                    let message = format!("cluster {} logs in by {name} and has no {setting}", self.cluster);
                    Finding::new(Code::Ym012, message).at(mechanism.place).help("add it under `properties:`; a password is best read from a variable or a file")
                };
                ["sasl.username", "sasl.password"].into_iter().filter(|setting| is_missing(setting)).map(finding).collect()
            }
            "OAUTHBEARER" => self.bearer(mechanism).into_iter().collect(),
            "GSSAPI" => {
                let what = "the mechanism GSSAPI (Kerberos) is not built in".to_owned();
                vec![self.lacking(&what, mechanism, "use SCRAM, PLAIN, OAUTHBEARER or a client certificate for this cluster")]
            }
            // librdkafka says what it thinks of others.
            _ => Vec::new(),
        }
    }

    /// A client certificate is of no use without its key, and the reverse; librdkafka would leave it out and say nothing.
    fn half_a_certificate(&self) -> Option<Finding> {
        let one_of = |names: [&str; 2]| names.into_iter().find_map(|name| self.settings.get_key_value(name));
        let certificate = one_of(["ssl.certificate.location", "ssl.certificate.pem"]);
        let key = one_of(["ssl.key.location", "ssl.key.pem"]);
        let ((name, property), missing) = match (certificate, key) {
            (Some(given), None) => (given, "ssl.key.location, the key to that certificate"),
            (None, Some(given)) => (given, "ssl.certificate.location, the certificate to that key"),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let message = format!("cluster {} has {name} and no {missing}", self.cluster);
        Some(Finding::new(Code::Ym012, message).at(property.place).help("add it under `properties:`"))
    }

    /// OAUTHBEARER needs a token: ours, or the unsecured ones that librdkafka makes itself.
    fn bearer(&self, mechanism: &Property) -> Option<Finding> {
        let is = |name: &str, value: &str| self.settings.get(name).filter(|property| property.value.eq_ignore_ascii_case(value));
        let help = "fetch a token before the run, and give it with isotopic.oauthbearer.token: ${env:NAME} or ${file:PATH} under `properties:`";
        if let Some(method) = is("sasl.oauthbearer.method", "oidc") {
            return Some(self.lacking("fetching tokens by OIDC is not built in", method, help));
        }
        let unsecured = is("enable.sasl.oauthbearer.unsecure.jwt", "true");
        match (self.settings.get(TOKEN), unsecured) {
            (None, None) => Some(self.lacking("the mechanism OAUTHBEARER needs a token, and none is given", mechanism, help)),
            (Some(token), Some(unsecured)) => {
                let message = format!("cluster {} has {TOKEN} and enable.sasl.oauthbearer.unsecure.jwt, and can log in with only one token", self.cluster);
                Some(Finding::new(Code::Ym013, message).at(token.place).and_at(unsecured.place, "the other one").help("remove one of the two"))
            }
            (Some(_), None) | (None, Some(_)) => None,
        }
    }

    fn lacking(&self, what: &str, at: &Property, help: &str) -> Finding {
        Finding::new(Code::En007, format!("{what}, {}", nothing_read(self.cluster))).at(at.place).help(help)
    }
}

/// What a token says of itself. Nothing, where it is not a JWT: then only the broker knows.
#[derive(Debug, Default, PartialEq, Deserialize)]
struct Claims {
    /// Until when it is valid, in seconds since 1970.
    exp: Option<f64>,
    /// Whose it is.
    sub: Option<String>,
}

fn claims(token: &str) -> Claims {
    let payload = token.split('.').nth(1).and_then(base64_url);
    payload.and_then(|payload| serde_json::from_slice(&payload).ok()).unwrap_or_default()
}

/// Base64 in the URL-safe alphabet without padding, as in a JWT (RFC 7515, section 2).
fn base64_url(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for c in text.bytes() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(six)) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Sources;

    fn found(settings: &[(&str, &str)]) -> Vec<(Code, String)> {
        let place = Place { file: Sources::default().add("isotopic.yaml", ""), start: 3, end: 4 };
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), Property { value: (*value).to_owned(), place })).collect();
        check(&"dr".into(), place, &settings).into_iter().map(|finding| (finding.code, finding.message)).collect()
    }

    fn codes(settings: &[(&str, &str)]) -> Vec<Code> {
        found(settings).into_iter().map(|(code, _)| code).collect()
    }

    const SASL: (&str, &str) = ("security.protocol", "sasl_ssl");
    const BEARER: (&str, &str) = ("sasl.mechanism", "OAUTHBEARER");

    #[test]
    fn what_a_login_needs_must_be_given() {
        assert_eq!(codes(&[]), []);
        assert_eq!(codes(&[SASL]), [Code::Ym012]);
        assert_eq!(codes(&[SASL, ("sasl.mechanisms", "PLAIN")]), [Code::Ym012, Code::Ym012]);
        assert_eq!(
            found(&[SASL, ("sasl.mechanism", "SCRAM-SHA-512"), ("sasl.username", "u")]),
            [(Code::Ym012, "cluster dr logs in by SCRAM-SHA-512 and has no sasl.password".to_owned())]
        );
        assert_eq!(codes(&[SASL, ("sasl.mechanism", "PLAIN"), ("sasl.username", "u"), ("sasl.password", "p")]), []);
    }

    #[test]
    fn a_certificate_and_its_key_come_together() {
        let tls = ("security.protocol", "SSL");
        let half = "cluster dr has ssl.certificate.pem and no ssl.key.location, the key to that certificate";
        assert_eq!(found(&[tls, ("ssl.certificate.pem", "x")]), [(Code::Ym012, half.to_owned())]);
        assert_eq!(codes(&[tls, ("ssl.key.location", "x")]), [Code::Ym012]);
        assert_eq!(codes(&[tls, ("ssl.key.pem", "x"), ("ssl.certificate.location", "x")]), []);
    }

    #[test]
    fn what_is_not_built_in_is_said_and_so_is_a_missing_token() {
        assert_eq!(codes(&[SASL, ("sasl.mechanism", "gssapi")]), [Code::En007]);
        assert_eq!(codes(&[SASL, BEARER]), [Code::En007]);
        assert_eq!(codes(&[SASL, BEARER, ("sasl.oauthbearer.method", "OIDC")]), [Code::En007]);
        assert_eq!(codes(&[SASL, BEARER, (TOKEN, "t")]), []);
        assert_eq!(codes(&[SASL, BEARER, ("enable.sasl.oauthbearer.unsecure.jwt", "true")]), []);
    }

    #[test]
    fn a_token_that_would_not_be_used_is_refused() {
        assert_eq!(codes(&[(TOKEN, "t")]), [Code::Ym013]);
        assert_eq!(codes(&[BEARER, (TOKEN, "t")]), [Code::Ym013], "without SASL there is no login");
        assert_eq!(codes(&[SASL, BEARER, (TOKEN, "t"), ("enable.sasl.oauthbearer.unsecure.jwt", "true")]), [Code::Ym013]);
    }

    #[test]
    fn a_token_tells_whose_it_is_and_until_when() {
        // {"alg":"none"} . {"sub":"ops","exp":1700000000} as RFC 7515 encodes them.
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJvcHMiLCJleHAiOjE3MDAwMDAwMDB9.";
        assert_eq!(claims(token), Claims { exp: Some(1_700_000_000.0), sub: Some("ops".to_owned()) });
        // RFC 4648, section 10 and 5: "foobar" and the two letters that differ.
        assert_eq!(base64_url("Zm9vYmFy"), Some(b"foobar".to_vec()));
        assert_eq!(base64_url("Zm8"), Some(b"fo".to_vec()));
        assert_eq!(base64_url("-_8"), Some(vec![0xfb, 0xff]));
        for opaque in ["", "opaque", "a.b", "a.!.c", "a.e30.c"] {
            assert_eq!(claims(opaque), Claims::default(), "{opaque}");
        }
    }
}
