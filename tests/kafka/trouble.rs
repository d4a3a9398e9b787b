//! Clusters that cannot be read, or are not the right ones: said at once, in a sentence that names the broker.

use crate::brokers::{brokers, free_port};
use crate::observing::{place, plain, seen, state, target, topic};
use isotopic::cluster::{Observed, Target};
use isotopic::finding::{Code, Finding};
use isotopic::live::{Configs, Seen};
use isotopic::spec::At;
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Observes, and checks that it took no longer than this.
fn seen_within(time: Duration, targets: &[Target]) -> Observed {
    let start = Instant::now();
    let observed = seen(targets);
    assert!(start.elapsed() < time, "it took {:?}", start.elapsed());
    observed
}

/// The only finding of a cluster that was not read.
fn why(observed: &Observed, at: usize) -> &Finding {
    assert_eq!(observed.findings, []);
    match observed.clusters[at].state.as_ref() {
        Err(findings) if findings.len() == 1 => &findings[0],
        other => panic!("{other:?}"),
    }
}

fn sasl<'a>(bootstrap: &'a str, user: &'a str, password: &'a str) -> [(&'a str, &'a str); 5] {
    [
        ("bootstrap.servers", bootstrap),
        ("security.protocol", "SASL_PLAINTEXT"),
        ("sasl.mechanism", "PLAIN"),
        ("sasl.username", user),
        ("sasl.password", password),
    ]
}

#[test]
fn a_dead_cluster_is_named_and_the_other_one_is_read() {
    let address = format!("127.0.0.1:{}", free_port());
    let dead = target("dr", &[("bootstrap.servers", &address)], &["orders"]);
    let observed = seen_within(Duration::from_secs(15), &[plain("primary", &brokers().primary, &["orders"]), dead]);
    assert_eq!(topic(state(&observed, 0), "orders").partitions, 6);
    let finding = why(&observed, 1);
    assert_eq!(finding.code, Code::En001);
    assert_eq!(finding.message, format!("{address} cannot be reached (connection refused), so nothing of cluster dr was read"));
    assert_eq!(finding.place, Some(place()));
}

#[test]
fn a_name_that_does_not_resolve_is_named() {
    let lost = Target { timeout: Duration::from_secs(10), ..target("dr", &[("bootstrap.servers", "kafka.invalid:9092")], &[]) };
    let observed = seen_within(Duration::from_secs(13), &[lost]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En001);
    assert!(finding.message.starts_with("kafka.invalid:9092 cannot be reached (its name does not resolve: "), "{}", finding.message);
}

#[test]
fn a_silent_cluster_takes_no_longer_than_the_timeout() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let silent_target = Target { timeout: Duration::from_secs(2), ..target("dr", &[("bootstrap.servers", &address)], &[]) };
    let observed = seen_within(Duration::from_secs(4), &[silent_target]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En001);
    assert_eq!(finding.message, format!("{address} did not answer within 2s, so nothing of cluster dr was read"));
}

#[test]
fn tls_on_a_plain_listener_is_told_as_such() {
    let bootstrap = &brokers().primary.bootstrap;
    let wrong = Target { timeout: Duration::from_secs(6), ..target("primary", &[("bootstrap.servers", bootstrap), ("security.protocol", "SSL")], &[]) };
    let observed = seen_within(Duration::from_secs(9), &[wrong]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En001);
    assert!(
        finding.message.starts_with(&format!("{bootstrap} cannot be reached (it does not speak TLS, and security.protocol is SSL)")),
        "{}",
        finding.message
    );
    assert!(finding.help.contains("security.protocol"), "{}", finding.help);
}

#[test]
fn a_wrong_password_is_told_at_once_and_not_shown() {
    let bootstrap = &brokers().primary.sasl;
    let observed = seen_within(Duration::from_secs(5), &[target("primary", &sasl(bootstrap, "admin", "wrong-canary"), &["orders"])]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En002);
    assert!(finding.message.starts_with(&format!("{bootstrap} does not authorise us (Authentication failed: ")), "{}", finding.message);
    assert!(!format!("{observed:?}").contains("canary"));
    let right = seen(&[target("primary", &sasl(bootstrap, "admin", "admin-canary"), &["orders"])]);
    assert_eq!(topic(state(&right, 0), "orders").partitions, 6);
}

#[test]
fn oauthbearer_without_a_token_is_refused_at_once() {
    let settings = [("bootstrap.servers", brokers().primary.sasl.as_str()), ("security.protocol", "SASL_PLAINTEXT"), ("sasl.mechanism", "OAUTHBEARER")];
    let observed = seen_within(Duration::from_secs(5), &[target("primary", &settings, &["orders"])]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En007);
    assert!(finding.message.contains("OAUTHBEARER"), "{}", finding.message);
}

#[test]
fn what_may_not_be_looked_at_is_unknown_and_not_absent() {
    let settings = sasl(&brokers().primary.sasl, "reader", "reader-canary");
    let observed = seen(&[target("primary", &settings, &["orders", "clicks", "not.there"])]);
    let state = state(&observed, 0);
    assert_eq!(topic(state, "orders").partitions, 6);
    let configs = &topic(state, "orders").configs;
    assert!(matches!(configs, Configs::Unknown(reason) if reason.contains("TOPIC_AUTHORIZATION_FAILED")), "{configs:?}");
    // One may not describe the other topics, so the cluster does not even tell whether they exist.
    for name in ["clicks", "not.there"] {
        let seen = state.topic(&name.into());
        assert!(matches!(seen, Seen::Unknown(reason) if reason.starts_with("TOPIC_AUTHORIZATION_FAILED")), "{name}: {seen:?}");
    }
    assert!(state.inherited.is_empty());
}

#[test]
fn another_cluster_than_pinned_stops_before_any_topic_is_read() {
    let brokers = brokers();
    let pin = |id: &str| Some(At { value: id.to_owned(), place: place() });
    let wrong = Target { id: pin(brokers.dr.id), ..plain("primary", &brokers.primary, &["orders"]) };
    let right = Target { id: pin(brokers.dr.id), ..plain("dr", &brokers.dr, &[]) };
    let observed = seen(&[wrong, right]);
    assert_eq!(observed.findings.len(), 1);
    let finding = &observed.findings[0];
    assert_eq!((finding.code, finding.subject.cluster.clone()), (Code::En003, Some("primary".into())));
    assert!(finding.message.contains(brokers.primary.id) && finding.message.contains(brokers.dr.id), "{}", finding.message);
    assert!(observed.clusters.iter().all(|cluster| cluster.state.as_ref().is_err_and(Vec::is_empty)));
}

#[test]
fn two_names_for_one_cluster_stop_before_any_topic_is_read() {
    let primary = &brokers().primary;
    let by_name = format!("localhost:{}", primary.port);
    let observed = seen(&[plain("primary", primary, &["orders"]), target("dr", &[("bootstrap.servers", &by_name)], &["orders"])]);
    assert_eq!(observed.findings.len(), 1);
    assert_eq!(observed.findings[0].code, Code::En004);
    assert!(observed.findings[0].message.contains(&primary.bootstrap), "{}", observed.findings[0].message);
    assert!(observed.clusters.iter().all(|cluster| cluster.state.as_ref().is_err_and(Vec::is_empty)));
}

#[test]
fn a_plain_connection_to_a_listener_that_wants_sasl_is_told_as_such() {
    let bootstrap = &brokers().primary.sasl;
    let observed = seen_within(Duration::from_secs(10), &[target("primary", &[("bootstrap.servers", bootstrap)], &[])]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En001);
    let why = "it closed the connection at once, as a listener with a SASL login does, and security.protocol is PLAINTEXT";
    assert_eq!(finding.message, format!("{bootstrap} cannot be reached ({why}), so nothing of cluster primary was read"));
    assert!(finding.help.contains("security.protocol"), "{}", finding.help);
}

#[test]
fn a_mechanism_that_the_broker_does_not_offer_is_told_with_those_that_it_offers() {
    let settings =
        sasl(&brokers().primary.sasl, "admin", "admin-canary").map(|(name, value)| (name, if name == "sasl.mechanism" { "SCRAM-SHA-256" } else { value }));
    let observed = seen_within(Duration::from_secs(5), &[target("primary", &settings, &[])]);
    let finding = why(&observed, 0);
    assert_eq!(finding.code, Code::En002);
    assert!(finding.message.contains("it does not offer the mechanism SCRAM-SHA-256, but PLAIN)"), "{}", finding.message);
}
