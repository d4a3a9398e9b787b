//! librdkafka's settings for one cluster, checked before anybody is contacted.

use super::failure::Secrets;
use super::ffi::{Conf, Refusal, Session};
use super::login::{self, TOKEN};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::ClusterName;
use std::collections::BTreeMap;
use std::fmt;

/// A setting's value, with every variable resolved. It may be a secret, so it is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Property {
    /// The value.
    pub value: String,
    /// Where its name was written.
    pub place: Place,
}

impl fmt::Debug for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Property(***, {:?})", self.place)
    }
}

/// The setting that holds the addresses. The client gets them only when it is to connect.
pub(super) const BOOTSTRAP: &str = "bootstrap.servers";

/// librdkafka's other name for [`BOOTSTRAP`].
const BROKER_LIST: &str = "metadata.broker.list";

/// What isotopic sets unless the user does. Metrics would be requests of their own (KIP-714).
const DEFAULTS: [(&str, &str); 2] = [("client.id", "isotopic"), ("enable.metrics.push", "false")];

/// Settings of a connection that have no default, so that librdkafka does not list them.
const WITHOUT_DEFAULT: [&str; 15] = [
    TOKEN,
    "sasl.username",
    "sasl.password",
    "sasl.mechanism",
    "ssl.ca.location",
    "ssl.ca.pem",
    "ssl.certificate.location",
    "ssl.certificate.pem",
    "ssl.cipher.suites",
    "ssl.crl.location",
    "ssl.key.location",
    "ssl.key.password",
    "ssl.key.pem",
    "ssl.keystore.location",
    "ssl.keystore.password",
];

/// The setting that lets any certificate of a broker pass.
const VERIFICATION: &str = "enable.ssl.certificate.verification";

/// How often librdkafka tells its counters. They are awaited once, at the end.
const STATISTICS_MS: &str = "25";

/// What isotopic sets whatever the user does: log lines go to the session's queue and not to stderr, counters are told, and nothing is ever created by asking.
const FIXED: [(&str, &str); 3] = [("log.queue", "true"), ("statistics.interval.ms", STATISTICS_MS), ("allow.auto.create.topics", "false")];

/// Opens a session with these settings, which contacts nobody. What librdkafka does not take is found here, all of it at once, and what the login lacks.
pub(super) fn open(cluster: &ClusterName, place: Place, settings: &BTreeMap<String, Property>) -> Result<Session, Vec<Finding>> {
    let lacking = login::check(cluster, place, settings);
    if !lacking.is_empty() {
        return Err(lacking);
    }
    let unusable = |message: String| Finding::new(Code::Ym008, message).at(place).cluster(cluster);
    let Some(mut conf) = Conf::new() else { return Err(vec![unusable("librdkafka cannot hold its settings, because there is not enough memory".to_owned())]) };
    let mut findings = Vec::new();
    for (name, value) in DEFAULTS {
        refused(&mut findings, conf.set(name, value), name, place, &conf);
    }
    for (name, property) in settings.iter().filter(|(name, _)| *name != BOOTSTRAP && *name != TOKEN) {
        if name == BROKER_LIST {
            let message = format!("{BROKER_LIST} says the same as the cluster's `bootstrap`, so one of them would be ignored");
            findings.push(Finding::new(Code::Ym013, message).at(property.place).help("write the addresses under `bootstrap`"));
            continue;
        }
        refused(&mut findings, conf.set(name, &property.value), name, property.place, &conf);
    }
    for (name, value) in FIXED {
        refused(&mut findings, conf.set(name, value), name, place, &conf);
    }
    if !findings.is_empty() {
        return Err(findings.into_iter().map(|finding| finding.cluster(cluster)).collect());
    }
    let verifies = settings.get(VERIFICATION).is_none_or(|property| !property.value.eq_ignore_ascii_case("false"));
    if verifies {
        conf.tell_certificate_errors();
    }
    let session = Session::open(conf).map_err(|why| vec![unusable_client(cluster, place, settings, &why)])?;
    login::hand_over(&session, cluster, settings)?;
    Ok(session)
}

/// The finding for settings that librdkafka takes one by one, and not together. Its text names the setting first, where one is at fault.
fn unusable_client(cluster: &ClusterName, place: Place, settings: &BTreeMap<String, Property>, why: &str) -> Finding {
    let at_fault = settings.get_key_value(why.split_whitespace().next().unwrap_or_default());
    let reason = match at_fault.map(|(name, _)| name.as_str()) {
        Some("ssl.key.location" | "ssl.key.pem") if why.contains("key values mismatch") => Some("it is not the key of the certificate"),
        Some("ssl.key.location" | "ssl.key.pem") => Some("it holds no private key in PEM, or ssl.key.password is not its passphrase"),
        Some("ssl.keystore.location") => Some("it is no PKCS#12 key store, or ssl.keystore.password is not its password"),
        Some("ssl.ca.location" | "ssl.ca.pem" | "ssl.certificate.location" | "ssl.certificate.pem") => Some("it holds no certificate in PEM"),
        Some(_) | None => None,
    };
    let message = match (at_fault, reason) {
        (Some((name, _)), Some(reason)) => format!("what {name} of cluster {cluster} gives cannot be used: {reason}"),
        _ => {
            let why = Secrets::of(settings.iter().map(|(name, property)| (name.as_str(), property.value.as_str()))).hide(why);
            format!("the properties of cluster {cluster} do not make a client: {why}")
        }
    };
    let place = at_fault.map_or(place, |(_, property)| property.place);
    Finding::new(Code::Ym008, message).at(place).cluster(cluster).help("see the settings of librdkafka in its CONFIGURATION.md")
}

/// Adds the finding for a setting that librdkafka does not take.
fn refused(findings: &mut Vec<Finding>, result: Result<(), Refusal>, name: &str, place: Place, conf: &Conf) {
    let Err(refusal) = result else { return };
    let finding = match refusal {
        Refusal::Name => {
            let known = conf.names();
            let near = known
                .iter()
                .map(String::as_str)
                .chain(WITHOUT_DEFAULT)
                .map(|known| (strsim::damerau_levenshtein(known, name), known))
                .filter(|(distance, _)| *distance <= 2)
                .min();
            // A name that is like none may be a piece of a secret that lost its quotes.
            match near {
                Some((_, meant)) => {
                    Finding::new(Code::Ym002, format!("librdkafka has no property `{name}`, so it cannot have an effect")).help(format!("write `{meant}`"))
                }
                None => Finding::new(Code::Ym002, "librdkafka has no property of this name, so it cannot have an effect")
                    .help("see librdkafka's CONFIGURATION.md for its properties"),
            }
        }
        Refusal::Value => {
            let message = format!("librdkafka refuses the value of the property `{name}` (not shown, because it may be a secret)");
            Finding::new(Code::Ym008, message).help("see librdkafka's CONFIGURATION.md for the values that it takes")
        }
    };
    findings.push(finding.at(place));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Sources;

    fn place() -> Place {
        Place { file: Sources::default().add("isotopic.yaml", ""), start: 3, end: 4 }
    }

    fn opened(settings: &[(&str, &str)]) -> Vec<Finding> {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), Property { value: (*value).to_owned(), place: place() })).collect();
        open(&"primary".into(), place(), &settings).err().unwrap_or_default()
    }

    #[test]
    fn every_setting_that_librdkafka_does_not_take_is_reported_without_its_value() {
        let findings = opened(&[("sasl.pasword", "canary"), ("socket.timeout.ms", "canary"), ("metadata.broker.list", "canary:1")]);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::Ym013, Code::Ym002, Code::Ym008]);
        assert_eq!(findings[1].help, "write `sasl.password`");
        assert!(findings.iter().all(|finding| finding.place == Some(place()) && !format!("{finding:?}").contains("canary")), "{findings:?}");
    }

    #[test]
    fn a_client_that_cannot_be_made_is_reported_without_the_settings_values() {
        let findings = opened(&[("security.protocol", "SSL"), ("ssl.ca.location", "/nowhere/canary.pem")]);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].code, Code::Ym008);
        assert!(!format!("{findings:?}").contains("canary"), "{findings:?}");
    }

    #[test]
    fn settings_that_librdkafka_takes_open_a_session() {
        assert_eq!(opened(&[("security.protocol", "SASL_PLAINTEXT"), ("sasl.mechanism", "PLAIN"), ("sasl.username", "u"), ("sasl.password", "p")]), []);
    }
}
